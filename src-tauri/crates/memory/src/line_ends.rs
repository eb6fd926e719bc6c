//! Line ends, for an editor that knows one kind only: it is shown `\n` alone, and what comes back from it gets the ends
//! of the text that it was made from, line by line, so that a file with both kinds keeps both.

use schemars::JsonSchema;
use serde::Serialize;
use similar::{Algorithm, DiffOp, capture_diff_slices};

/// How a text ends its lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema, specta::Type)]
#[serde(rename_all = "lowercase")]
pub enum LineEnds {
    /// `\n`, or there is one line only.
    Lf,
    /// `\r\n`.
    Crlf,
    /// Some lines so, some so.
    Mixed,
}

impl LineEnds {
    /// How `text` ends its lines.
    pub fn of(text: &str) -> LineEnds {
        let all = memchr::memchr_iter(b'\n', text.as_bytes()).count();
        match memchr::memmem::find_iter(text.as_bytes(), b"\r\n").count() {
            0 => LineEnds::Lf,
            n if n == all => LineEnds::Crlf,
            _ => LineEnds::Mixed,
        }
    }
}

/// The text with `\n` at the end of every line.
pub fn unified(text: &str) -> String {
    text.replace("\r\n", "\n")
}

/// The text, whose lines end in `\n`, with the line ends of `like`: a line that stands in both keeps its own, a new one
/// gets the kind that most lines of `like` have.
pub fn with_ends_of(text: &str, like: &str) -> String {
    match LineEnds::of(like) {
        LineEnds::Lf => return text.to_owned(),
        LineEnds::Crlf => return text.replace('\n', "\r\n"),
        LineEnds::Mixed => {}
    }
    let old: Vec<&str> = like.split_inclusive('\n').collect();
    // Without `\n`, then without the `\r` before it where there was one: a `\r` that ends the text is a character.
    let bare = |line: &'_ str| line.len() - if line.ends_with("\r\n") { 2 } else { usize::from(line.ends_with('\n')) };
    let words: Vec<&str> = old.iter().map(|line| &line[..bare(line)]).collect();
    let lines: Vec<&str> = text.split_inclusive('\n').map(|line| line.strip_suffix('\n').unwrap_or(line)).collect();
    let crlf = old.iter().filter(|line| line.ends_with("\r\n")).count();
    let usual = if crlf * 2 >= old.len() { "\r\n" } else { "\n" };
    let mut ends = vec![usual; lines.len()];
    for op in capture_diff_slices(Algorithm::Patience, &words, &lines) {
        if let DiffOp::Equal { old_index, new_index, len } = op {
            for at in 0..len {
                ends[new_index + at] = match old[old_index + at] {
                    line if line.ends_with("\r\n") => "\r\n",
                    line if line.ends_with('\n') => "\n",
                    // The last line had none, and another came after it.
                    _ => usual,
                };
            }
        }
    }
    let last = if text.ends_with('\n') { lines.len() } else { lines.len().saturating_sub(1) };
    lines.iter().zip(ends).enumerate().flat_map(|(at, (line, end))| [*line, if at < last { end } else { "" }]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn each_line_keeps_its_own_end() {
        assert_eq!(with_ends_of("a\nb\n", "x\ny\n"), "a\nb\n");
        assert_eq!(with_ends_of("a\nnew\nb", "a\r\nb"), "a\r\nnew\r\nb");
        let mixed = "a\r\nb\nc\r\nd";
        assert_eq!(LineEnds::of(mixed), LineEnds::Mixed);
        assert_eq!(with_ends_of("a\nb\nnew\nc\nd\ne\n", mixed), "a\r\nb\nnew\r\nc\r\nd\r\ne\r\n");
        assert_eq!(with_ends_of("", mixed), "");
    }

    proptest! {
        #[test]
        fn what_nobody_edited_comes_back(text in "(a|b|\n|\r\n|\r|あ){0,30}") {
            prop_assert_eq!(with_ends_of(&unified(&text), &text), text);
        }

        #[test]
        fn what_was_typed_stays(text in "[ab\n]{0,20}", like in "(a|b|\n|\r\n){0,20}") {
            prop_assert_eq!(unified(&with_ends_of(&text, &like)), text);
        }
    }
}
