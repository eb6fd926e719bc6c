//! `#slug` in prose: what the checker looks up, expansion replaces, renaming follows and backlinks count, found by one
//! scan so that all four agree on what is a reference.
//!
//! Code (fenced, or between backticks) is no prose. A `#` inside a word or a web address names nothing, and neither
//! do plain numbers (`#123`) nor colours (`#ffaa00`) unless a record has that name.

use crate::slug::Slug;
use std::ops::Range;

/// One `#slug` in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// The slug.
    pub slug: Slug,
    /// Byte range of `#slug` in the text, the `#` included.
    pub span: Range<usize>,
}

impl Mention {
    /// Whether it could as well be a number or a colour: it counts only where a record has that name.
    pub fn doubtful(&self) -> bool {
        let slug = self.slug.as_str();
        let colour = matches!(slug.len(), 3 | 4 | 6 | 8) && slug.bytes().all(|b| b.is_ascii_hexdigit());
        colour || slug.bytes().all(|b| b.is_ascii_digit())
    }
}

/// Every `#slug` in the prose of `text` from byte `from` on (a body's start), in order.
pub fn mentions(text: &str, from: usize) -> Vec<Mention> {
    let mut found = Vec::new();
    let mut fence: Option<(u8, usize)> = None;
    let mut at = from;
    // Code between backticks may run over a line end, but never over a blank line or into a fence.
    let mut paragraph = from;
    while at < text.len() {
        let end = crate::frontmatter::line_end(text, at);
        let line = &text[at..end];
        let mark = fence_mark(line);
        let next = end;
        match (fence, mark) {
            (Some((byte, least)), Some((b, n, bare))) if b == byte && n >= least && bare => {
                fence = None;
                paragraph = next;
            }
            (Some(_), _) => paragraph = next,
            (None, Some((b, n, _))) => {
                scan(text, paragraph..at, &mut found);
                fence = Some((b, n));
                paragraph = next;
            }
            (None, None) if line.trim().is_empty() => {
                scan(text, paragraph..at, &mut found);
                paragraph = next;
            }
            (None, None) => {}
        }
        at = next;
    }
    if fence.is_none() {
        scan(text, paragraph..text.len(), &mut found);
    }
    found
}

/// A line that opens or closes fenced code: its character, how many, and whether nothing else is on the line.
fn fence_mark(line: &str) -> Option<(u8, usize, bool)> {
    let text = line.trim_start_matches(' ');
    let indent = line.len() - text.len();
    let byte = *text.as_bytes().first().filter(|b| matches!(b, b'`' | b'~'))?;
    let count = text.bytes().take_while(|b| *b == byte).count();
    let rest = &text[count..];
    let info_ok = byte == b'~' || !rest.contains('`');
    (indent < 4 && count >= 3 && info_ok).then(|| (byte, count, rest.trim().is_empty()))
}

fn scan(text: &str, span: Range<usize>, found: &mut Vec<Mention>) {
    let bytes = text.as_bytes();
    let mut at = span.start;
    // Runs of backticks that were found to have no partner: each length is looked for once, so the scan is linear.
    let mut unpaired = [false; 64];
    while let Some(n) = memchr::memchr2(b'#', b'`', &bytes[at..span.end]) {
        at += n;
        if bytes[at] == b'`' {
            let run = bytes[at..span.end].iter().take_while(|b| **b == b'`').count();
            let known = run >= unpaired.len() || unpaired[run];
            let close = if known { None } else { closing(&bytes[..span.end], at + run, run) };
            if close.is_none() && !known {
                unpaired[run] = true;
            }
            at = close.unwrap_or(at + run);
            continue;
        }
        let start = at;
        at += 1;
        let word = bytes[at..span.end]
            .iter()
            .take_while(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || **b == b'-')
            .count();
        let name = text[at..at + word].trim_end_matches('-');
        at += word;
        if name.is_empty() || !stands_alone(bytes, start, at, span.end) {
            continue;
        }
        if let Ok(slug) = Slug::parse(name) {
            found.push(Mention { slug, span: start..start + 1 + name.len() });
        }
    }
}

/// Where a run of exactly `run` backticks ends, from `from` on.
fn closing(bytes: &[u8], from: usize, run: usize) -> Option<usize> {
    let mut at = from;
    while let Some(n) = memchr::memchr(b'`', &bytes[at..]) {
        at += n;
        let here = bytes[at..].iter().take_while(|b| **b == b'`').count();
        at += here;
        if here == run {
            return Some(at);
        }
    }
    None
}

/// Whether the `#` at `start` begins a word, and the word ends at `end`: Japanese has no blanks, so only ASCII letters,
/// digits and the marks of addresses before it make it part of something else.
fn stands_alone(bytes: &[u8], start: usize, end: usize, limit: usize) -> bool {
    let before = start.checked_sub(1).map(|n| bytes[n]);
    let word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    let glued = before.is_some_and(|b| word(b) || matches!(b, b'#' | b'/' | b'&' | b'?' | b'=' | b'%' | b'\\'));
    let anchor = start >= 2 && &bytes[start - 2..start] == b"](";
    let runs_on = end < limit && (word(bytes[end]) || matches!(bytes[end], b'#' | b'/'));
    !glued && !anchor && !runs_on
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slugs(text: &str) -> Vec<String> {
        mentions(text, 0)
            .iter()
            .map(|m| {
                assert_eq!(&text[m.span.clone()], format!("#{}", m.slug));
                m.slug.to_string()
            })
            .collect()
    }

    #[test]
    fn what_names_a_record() {
        for (text, found) in [
            ("see #a-b, #c.", vec!["a-b", "c"]),
            ("これは#slugを参照（#other）", vec!["slug", "other"]),
            ("#top", vec!["top"]),
            ("# heading\n## more", vec![]),
            ("#a- then #-b #c--d", vec!["a"]),
            ("x#a http://h/p#b ?q=#c &#39; [x](#d) \\#e ##f #g_h #iJ #k#l #m/n", vec![]),
            ("`#a` ``#b ` #c`` #d", vec!["d"]),
            ("`#a\n#b` #c", vec!["c"]),
            ("a ` b #c\n\n`#d", vec!["c", "d"]),
            ("```\n#a\n```\n#b\n~~~ sh\n```\n#c\n~~~~\n#d", vec!["b", "d"]),
            ("````\n```\n#a\n````\n#b", vec!["b"]),
            ("```\n#never closed", vec![]),
            ("*#a* **#b** <#c> \"#d\"", vec!["a", "b", "c", "d"]),
            (&format!("#{} ", "a".repeat(65)), vec![]),
        ] {
            assert_eq!(slugs(text), found, "{text}");
        }
    }

    #[test]
    fn numbers_and_colours_are_doubtful() {
        let doubt: Vec<bool> =
            mentions("#123 #fff #ffaa00 #12345678 #facade1 #a-1", 0).iter().map(Mention::doubtful).collect();
        assert_eq!(doubt, [true, true, true, true, false, false]);
    }

    #[test]
    fn a_megabyte_of_backticks_is_quick() {
        let text: String = (1..1400).map(|n| "`".repeat(n) + " #a ").collect();
        assert!(text.len() > 900_000);
        assert_eq!(mentions(&text, 0).len(), 1399);
    }
}
