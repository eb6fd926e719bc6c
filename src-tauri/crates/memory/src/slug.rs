//! Slugs: a record's id is its file name, so what a slug may be is what a file name may be on every system.

use kiroku_model::{Error, Result, text};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The slug of the one summary.
pub const SUMMARY: &str = "summary";

/// The most characters that a slug may have.
pub const MAX_LENGTH: usize = 64;

/// A slug: 1 to 64 of `a-z 0-9 -`, no `-` at either end, no `--`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct Slug(String);

impl Slug {
    /// Reads a slug; an error says what a slug may be.
    pub fn parse(text: &str) -> Result<Slug> {
        if Slug::is_valid(text) {
            return Ok(Slug(text.to_owned()));
        }
        let shown: String = text.chars().take(80).flat_map(char::escape_debug).collect();
        Err(Error::invalid(text!(
            en: "`{shown}` is not a slug: 1 to 64 of a-z, 0-9 and -, with no - at either end and no --",
            ja: "「{shown}」は slug として使えません。a-z、0-9、- を 1〜64 文字で、両端に - を置かず、-- を含めずに書いてください"
        )))
    }

    /// Whether `text` is a slug.
    pub fn is_valid(text: &str) -> bool {
        (1..=MAX_LENGTH).contains(&text.len())
            && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
            && !text.starts_with('-')
            && !text.ends_with('-')
            && !text.contains("--")
    }

    /// The summary's.
    pub fn summary() -> Slug {
        Slug(SUMMARY.to_owned())
    }

    /// A slug made of what can be kept of `text` (a title, or a file name that breaks the rule); `None` if nothing can.
    pub fn suggest(text: &str) -> Option<Slug> {
        let mut made = String::new();
        for c in text.chars() {
            let c = c.to_ascii_lowercase();
            if c.is_ascii_lowercase() || c.is_ascii_digit() {
                if made.len() == MAX_LENGTH {
                    break;
                }
                made.push(c);
            } else if !made.is_empty() && !made.ends_with('-') && made.len() < MAX_LENGTH {
                made.push('-');
            }
        }
        let made = made.trim_end_matches('-');
        (!made.is_empty()).then(|| Slug(made.to_owned()))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for Slug {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::borrow::Borrow<str> for Slug {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl<'de> Deserialize<'de> for Slug {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Slug, D::Error> {
        let text = String::deserialize(from)?;
        Slug::parse(&text).map_err(serde::de::Error::custom)
    }
}

/// The edit distance (insert, remove, replace one character) of two slugs, if it is at most `most`.
pub fn distance(a: &str, b: &str, most: usize) -> Option<usize> {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len().abs_diff(b.len()) > most {
        return None;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = corner + usize::from(x != y);
            corner = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(corner + 1);
        }
        if row.iter().min().is_some_and(|least| *least > most) {
            return None;
        }
    }
    row.last().copied().filter(|d| *d <= most)
}

/// Which characters a slug has, one bit each. Two slugs within `d` edits differ in at most `2 d` bits, which rules
/// most pairs out at once: a check of 10,000 records looks at 50 million pairs.
pub fn letters(slug: &str) -> u64 {
    slug.bytes().fold(0, |bits, b| {
        bits | match b {
            b'a'..=b'z' => 1 << (b - b'a'),
            b'0'..=b'9' => 1 << (26 + b - b'0'),
            _ => 1 << 36,
        }
    })
}

/// The slugs of `all` that somebody who wrote `wanted` may have meant, nearest first, at most five.
pub fn near<'a>(wanted: &str, all: impl Iterator<Item = &'a Slug>) -> Vec<&'a Slug> {
    let mut found: Vec<(usize, &Slug)> = all
        .filter_map(|slug| {
            let s = slug.as_str();
            let part = wanted.len() >= 3 && (s.contains(wanted) || (s.len() >= 3 && wanted.contains(s)));
            distance(wanted, s, 3).or(part.then_some(4)).map(|d| (d, slug))
        })
        .collect();
    found.sort();
    found.truncate(5);
    found.into_iter().map(|(_, slug)| slug).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_slug_is() {
        let longest = "a".repeat(64);
        for good in ["a", "0", "a-b", "a1-2b", longest.as_str()] {
            assert!(Slug::parse(good).is_ok(), "{good}");
        }
        let long = "a".repeat(65);
        for bad in [
            "",
            "-",
            "-a",
            "a-",
            "a--b",
            "A",
            "a b",
            "a_b",
            "a.b",
            "a/b",
            "..",
            "../a",
            "/a",
            "é",
            "あ",
            "a\n",
            "a\0",
            "ａ",
            long.as_str(),
        ] {
            assert!(Slug::parse(bad).is_err(), "{bad:?}");
            assert!(serde_json::from_value::<Slug>(bad.into()).is_err());
        }
    }

    #[test]
    fn suggestions_are_slugs() {
        for (given, made) in [
            ("My Note_2", Some("my-note-2")),
            ("--A--", Some("a")),
            ("日本語", None),
            ("設計 v2 の話", Some("v2")),
            (&"x y".repeat(60), Some(&"x-y".repeat(60)[..64])),
        ] {
            let slug = Slug::suggest(given);
            assert!(slug.as_ref().is_none_or(|s| Slug::is_valid(s.as_str())), "{given}");
            if given.len() < 60 {
                assert_eq!(slug.as_ref().map(Slug::as_str), made, "{given}");
            }
        }
    }

    #[test]
    fn distances() {
        for (a, b, d) in [
            ("abc", "abc", 0),
            ("abc", "abd", 1),
            ("abc", "ab", 1),
            ("abc", "xabc", 1),
            ("kitten", "sitting", 3),
            ("", "ab", 2),
        ] {
            assert_eq!(distance(a, b, 3), Some(d), "{a} {b}");
            assert!((letters(a) ^ letters(b)).count_ones() as usize <= 2 * d);
        }
        assert_eq!(distance("kitten", "sitting", 2), None);
        assert_eq!(distance("a", "abcd", 2), None);
    }

    #[test]
    fn near_ones_first() {
        let all: Vec<Slug> =
            ["auth-token", "auth-tokens", "cache", "token"].iter().map(|s| Slug::parse(s).unwrap()).collect();
        let found: Vec<&str> = near("auth-tokn", all.iter()).into_iter().map(Slug::as_str).collect();
        assert_eq!(found, ["auth-token", "auth-tokens"]);
    }
}
