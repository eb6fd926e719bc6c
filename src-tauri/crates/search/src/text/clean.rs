//! The first step of the index text: what nobody can see is taken out, and a narrow reading is laid beside the rest.
//!
//! A secret with a zero-width space inside, or typed in full-width letters, is still a secret. So default-ignorable
//! and control characters go before any rule looks, and the rules read a text in which full-width letters are ASCII
//! and half-width katakana is katakana, with a way back from every place in it to the author's own characters.

use std::borrow::Cow;
use std::ops::Range;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::compose;

/// Whether Unicode says that this character is to be left out where it can't be shown (Default_Ignorable_Code_Point;
/// a test holds this list against the property).
pub(super) fn is_ignorable(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Whether the character is taken out: ignorable, or a control character that is not white space.
fn goes(c: char) -> bool {
    if c.is_ascii() { c.is_ascii_control() && !c.is_whitespace() } else { is_ignorable(c) || is_c1(c) }
}

/// A control character of the upper half, other than NEXT LINE, which is white space.
fn is_c1(c: char) -> bool {
    matches!(c, '\u{80}'..='\u{9f}') && c != '\u{85}'
}

/// `text` without default-ignorable and control characters. Tabs and line ends are kept.
pub(super) fn clean(text: &str) -> Cow<'_, str> {
    // One look at the bytes first: ASCII that needs no change is the common case, and the look is vectorised.
    let odd = text.bytes().fold(false, |odd, byte| odd | (byte >= 0x7f) | ((byte < 0x20) & !(9..=13).contains(&byte)));
    if !odd {
        return Cow::Borrowed(text);
    }
    let Some(first) = text.char_indices().find(|&(_, c)| goes(c)).map(|(at, _)| at) else {
        return Cow::Borrowed(text);
    };
    let mut out = String::with_capacity(text.len());
    out.push_str(&text[..first]);
    out.extend(text[first..].chars().filter(|&c| !goes(c)));
    Cow::Owned(out)
}

/// A cleaned text as the rules read it, and the way back.
pub(super) struct Narrow<'a> {
    /// Full-width letters as ASCII, half-width katakana as katakana, voiced marks joined to what they voice.
    pub text: Cow<'a, str>,
    /// Where the two texts stop running side by side: (place in the reading, place in the cleaned text), ascending.
    steps: Vec<(usize, usize)>,
}

impl<'a> Narrow<'a> {
    /// Reads a cleaned text.
    pub fn new(cleaned: &'a str) -> Narrow<'a> {
        let Some(first) = cleaned.char_indices().find(|&(_, c)| is_wide(c)).map(|(at, _)| at) else {
            return Narrow { text: Cow::Borrowed(cleaned), steps: Vec::new() };
        };
        let mut text = String::with_capacity(cleaned.len());
        // The character before the first wide one may be voiced by it.
        let start = cleaned[..first].char_indices().next_back().map_or(first, |(at, _)| at);
        text.push_str(&cleaned[..start]);
        let mut steps = Vec::new();
        let (mut last, mut in_step) = (None, true);
        for (at, c) in cleaned[start..].char_indices().map(|(at, c)| (start + at, c)) {
            let read = if is_wide(c) { narrow(c) } else { c };
            if is_voicing(read)
                && let Some((place, base)) = last
                && let Some(voiced) = compose(base, read)
            {
                text.truncate(place);
                text.push(voiced);
                (last, in_step) = (None, false);
                continue;
            }
            if !in_step || read != c {
                steps.push((text.len(), at));
            }
            in_step = read == c;
            last = Some((text.len(), read));
            text.push(read);
        }
        Narrow { text: Cow::Owned(text), steps }
    }

    /// The place in the cleaned text of a place in the reading.
    fn back_at(&self, place: usize) -> usize {
        match self.steps[..self.steps.partition_point(|step| step.0 <= place)].last() {
            Some(&(read, cleaned)) => cleaned + (place - read),
            None => place,
        }
    }

    /// The range of the cleaned text that a range of whole characters of the reading stands for.
    pub fn back(&self, range: Range<usize>, cleaned_len: usize) -> Range<usize> {
        // At its end the reading has no next character whose place would be known.
        let end = if range.end == self.text.len() { cleaned_len } else { self.back_at(range.end) };
        self.back_at(range.start)..end
    }
}

/// Whether the narrow reading differs here, or may.
fn is_wide(c: char) -> bool {
    matches!(c, '\u{ff01}'..='\u{ffee}' | '\u{3099}' | '\u{309a}' | '\u{1d400}'..='\u{1d7ff}')
}

/// A mark that voices the kana before it.
fn is_voicing(c: char) -> bool {
    matches!(c, '\u{3099}' | '\u{309a}')
}

/// The one character that a wide, half-width or mathematical one is read as; itself where that takes more than one.
fn narrow(c: char) -> char {
    let mut read = std::iter::once(c).nfkc();
    match (read.next(), read.next()) {
        (Some(one), None) => one,
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ignorable_is_the_property() {
        let property = regex::Regex::new(r"^\p{Default_Ignorable_Code_Point}$").unwrap();
        for c in '\0'..=char::MAX {
            assert_eq!(is_ignorable(c), property.is_match(c.encode_utf8(&mut [0; 4])), "{:x}", c as u32);
        }
    }

    #[test]
    fn takes_out_the_unseen_and_keeps_lines() {
        for (given, cleaned) in [
            ("", ""),
            ("plain\ttext\r\nnext", "plain\ttext\r\nnext"),
            ("pass\u{200b}word\0", "password"),
            ("\u{feff}記\u{ad}録\u{85}次", "記録\u{85}次"),
            ("\u{1b}[31mred\u{7f}\u{9b}", "[31mred"),
        ] {
            assert_eq!(clean(given), cleaned);
        }
    }

    #[test]
    fn reads_wide_letters_narrow() {
        for (given, read) in [
            ("ＬＯＧＩＮ：１", "LOGIN:1"),
            ("ﾊﾟｽﾜｰﾄﾞは", "パスワードは"),
            ("ト\u{3099}ハ\u{309a}", "ドパ"),
            ("カﾞ", "ガ"),
            ("𝐩𝐰𝐝", "pwd"),
            ("￣ﾞ", "￣\u{3099}"),
        ] {
            assert_eq!(Narrow::new(given).text, read);
        }
    }

    proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig { failure_persistence: None, ..Default::default() })]

        #[test]
        fn every_place_leads_back(text in "[aパﾊﾟﾄﾞＡ漢\u{3099}𝐩]{0,12}|\\PC{0,12}") {
            let narrow = Narrow::new(&text);
            let places: Vec<usize> = narrow.text.char_indices().map(|(at, _)| at).chain([narrow.text.len()]).collect();
            let mut joined = String::new();
            for pair in places.windows(2) {
                let back = &text[narrow.back(pair[0]..pair[1], text.len())];
                let read: String = Narrow::new(back).text.into_owned();
                prop_assert_eq!(&read, &narrow.text[pair[0]..pair[1]]);
                joined.push_str(back);
            }
            prop_assert_eq!(joined, text);
        }
    }
}
