//! Redaction (墨消し): finds what the rules call secret and puts `[redacted:KIND]` in its place.
//!
//! Two automata find the hints in one pass each; only where one stands is a rule tried, from there. Each rule reads a
//! bounded stretch or a run that it does not read twice, so the work grows with the text and no faster. A place that
//! holds `[redacted:` already is left alone, which makes redacting twice the same as redacting once.

use super::clean::{Narrow, clean};
use super::rules::{Find, RULES};
use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use regex::Regex;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

/// How every replacement begins.
pub(super) const MARK: &str = "[redacted:";

/// `text` with its secrets as `[redacted:KIND]`: for titles and whatever else is shown by the same table. Where
/// something was redacted, default-ignorable and control characters are gone too; otherwise it is `text` itself.
pub fn redact(text: &str) -> Cow<'_, str> {
    let cleaned = clean(text);
    match redact_cleaned(&cleaned) {
        Cow::Borrowed(_) => Cow::Borrowed(text),
        Cow::Owned(redacted) => Cow::Owned(redacted),
    }
}

/// The same for a text that is cleaned already.
pub(super) fn redact_cleaned(cleaned: &str) -> Cow<'_, str> {
    // A mark may be shorter than what it stands for, and bring two things near each other: so until nothing is found.
    // The count is for hostile text; no other takes a third time.
    const TIMES: usize = 8;
    let Some(mut redacted) = redact_once(cleaned) else { return Cow::Borrowed(cleaned) };
    for _ in 1..TIMES {
        match redact_once(&redacted) {
            Some(again) => redacted = again,
            None => break,
        }
    }
    Cow::Owned(redacted)
}

fn redact_once(cleaned: &str) -> Option<String> {
    let narrow = Narrow::new(cleaned);
    let found = find(&narrow.text);
    if found.is_empty() {
        return None;
    }
    let (mut out, mut kept) = (String::with_capacity(cleaned.len()), 0);
    for secret in found {
        let place = narrow.back(secret.place, cleaned.len());
        out.push_str(&cleaned[kept..place.start]);
        out.push_str(MARK);
        out.push_str(secret.kind);
        out.push(']');
        kept = place.end;
    }
    out.push_str(&cleaned[kept..]);
    Some(out)
}

struct Secret {
    place: Range<usize>,
    kind: &'static str,
}

/// The secrets in a text in its narrow reading: in order, apart from each other.
fn find(text: &str) -> Vec<Secret> {
    let Some(engine) = &*ENGINE else {
        // No rules, no text: a table that does not compile (a test sees to it that it does) must not let secrets out.
        return vec![Secret { place: 0..text.len(), kind: "all" }];
    };
    let mut found = Vec::new();
    // Where each rule's last find ends: hints inside it lead nowhere new, and would make the work quadratic.
    let mut done = vec![0; RULES.len()];
    for hints in [&engine.exact, &engine.any_case] {
        for hit in hints.automaton.find_overlapping_iter(text) {
            let index = hints.rules[hit.pattern().as_usize()];
            let (start, rule) = (hit.start(), &RULES[index]);
            // Nor is what stands in a mark a name.
            if start < done[index] || text[..start].ends_with(MARK) {
                continue;
            }
            let place = match (&rule.find, &engine.patterns[index]) {
                (Find::Reader(read), _) => read(text, start..hit.end()),
                (Find::Word(_), _) if follows_word(text, start) => None,
                (_, Some(pattern)) => read_pattern(text, start, pattern),
                _ => None,
            };
            if let Some(place) = place.filter(|place| !place.is_empty() && !text[place.clone()].contains(MARK)) {
                done[index] = place.end;
                found.push((place, index));
            }
        }
    }
    found.sort_by_key(|(place, index)| (place.start, *index));
    // A pattern that stops inside a word found something else, unless the next secret begins there.
    let mut joined: Vec<Secret> = Vec::new();
    for (mut place, index) in found.into_iter().rev() {
        let cut =
            engine.patterns[index].is_some() && text.as_bytes().get(place.end).is_some_and(u8::is_ascii_alphanumeric);
        if cut && joined.last().is_none_or(|next| place.end < next.place.start) {
            continue;
        }
        while let Some(next) = joined.pop_if(|next| place.end >= next.place.start) {
            place.end = place.end.max(next.place.end);
        }
        joined.push(Secret { place, kind: RULES[index].kind });
    }
    joined.reverse();
    joined
}

fn read_pattern(text: &str, start: usize, pattern: &Regex) -> Option<Range<usize>> {
    let groups = pattern.captures(&text[start..])?;
    let found = groups.iter().skip(1).flatten().next().or_else(|| groups.get(0))?;
    Some(start + found.start()..start + found.end())
}

/// Whether a word goes on before this place. A key block's end line is no word.
pub(super) fn follows_word(text: &str, at: usize) -> bool {
    at > 0
        && !text[..at].ends_with("-----")
        && matches!(text.as_bytes()[at - 1], b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'-')
}

struct Engine {
    /// Hints as written: prefixes of keys.
    exact: Hints,
    /// Hints in any case: names.
    any_case: Hints,
    /// By rule.
    patterns: Vec<Option<Regex>>,
}

struct Hints {
    automaton: AhoCorasick,
    /// The rule of each hint.
    rules: Vec<usize>,
}

static ENGINE: LazyLock<Option<Engine>> = LazyLock::new(|| {
    let mut patterns = Vec::new();
    for rule in RULES {
        patterns.push(match rule.find {
            // The hint begins the match, so the expression is held to the place it is tried at.
            Find::Pattern(pattern) | Find::Word(pattern) => Some(Regex::new(&format!("^(?:{pattern})")).ok()?),
            Find::Reader(_) => None,
        });
    }
    Some(Engine { exact: hints(false)?, any_case: hints(true)?, patterns })
});

fn hints(any_case: bool) -> Option<Hints> {
    let (mut literals, mut rules) = (Vec::<&str>::new(), Vec::new());
    for (index, rule) in RULES.iter().enumerate() {
        if matches!(rule.find, Find::Reader(_)) == any_case {
            literals.extend(rule.hints);
            rules.extend(rule.hints.iter().map(|_| index));
        }
    }
    let automaton = AhoCorasick::builder()
        .match_kind(MatchKind::Standard)
        .kind(Some(AhoCorasickKind::DFA))
        .ascii_case_insensitive(any_case)
        .build(literals)
        .ok()?;
    Some(Hints { automaton, rules })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_compiles() {
        assert!(ENGINE.is_some());
    }

    #[test]
    fn a_full_width_secret_leaves_nothing_behind() {
        let text = "前 ｐａｓｓｗｏｒｄ：ｈｕｎｔｅｒ２２　後";
        assert_eq!(redact(text), "前 ｐａｓｓｗｏｒｄ：[redacted:password]　後");
    }

    #[test]
    fn untouched_text_is_not_copied() {
        assert!(matches!(redact("pass\u{200b}age"), Cow::Borrowed("pass\u{200b}age")));
    }

    #[test]
    fn hostile_text_is_done_in_linear_work() {
        // A rule of quadratic work would take minutes here.
        for piece in [
            "token:",
            "eyJ",
            "eyJabcdefgh.",
            "-----BEGIN ",
            "-----BEGIN PRIVATE KEY-----\n",
            "://a:b",
            "password=\"",
            "sk-",
            "glpat-",
            "Bearer ",
            "パスワードは",
            "passwordpassword",
            "api_key_",
            "authorization:",
            "password: a1b2c3 ",
        ] {
            redact(&piece.repeat(200_000 / piece.len()));
        }
    }
}
