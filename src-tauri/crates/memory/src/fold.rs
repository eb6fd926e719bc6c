//! Folding for search, so that `ＬＯＧＩＮ`, `login` and `Login` meet, and `ﾛｸﾞｲﾝ` meets `ログイン`: Unicode's
//! toNFKC_Casefold, as the search of conversations does it.
//!
//! That is slow for whole files, so most text never gets there: ASCII is only lowered, and characters that folding
//! can't touch (kana, kanji, common marks) are left alone. Which those are is checked against the Unicode tables by a test.

use caseless::Caseless;
use unicode_normalization::UnicodeNormalization;

/// The text as it is compared.
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let kept = |c: &char| !is_ignorable(*c);
    text.chars().filter(kept).nfkc().default_case_fold().nfkc().filter(kept).collect()
}

/// Folds UTF-8 into `out` (cleared first), line by line, by the short way wherever it is open. Line ends stay, so that
/// lines can be counted in what comes out. The ASCII of `bytes` must be lowered already. Bytes that are no UTF-8 are an
/// error that says where: a pass of its own to find that out cost a fifth of a search.
pub(crate) fn fold_lines(bytes: &[u8], out: &mut Vec<u8>) -> Result<(), usize> {
    out.clear();
    out.reserve(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let run = ascii_run(&bytes[at..]);
        out.extend_from_slice(&bytes[at..at + run]);
        at += run;
        while let Some(lead) = bytes.get(at).filter(|b| !b.is_ascii()) {
            match short(*lead, bytes.get(at + 1..at + 3)) {
                Some(Short::Kept) => {
                    out.extend_from_slice(&bytes[at..at + 3]);
                    at += 3;
                }
                Some(Short::Becomes(byte)) => {
                    out.push(byte);
                    at += 3;
                }
                None => {
                    // The whole line goes the long way: its characters may join.
                    let line = memchr::memrchr(b'\n', &bytes[..at]).map_or(0, |n| n + 1);
                    let end = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |n| at + n);
                    let text = std::str::from_utf8(&bytes[line..end]).map_err(|error| line + error.valid_up_to())?;
                    out.truncate(memchr::memrchr(b'\n', out).map_or(0, |n| n + 1));
                    out.extend_from_slice(fold(text).as_bytes());
                    at = end;
                }
            }
        }
    }
    Ok(())
}

/// How many bytes of ASCII come first, looked at eight at a time: even Japanese Markdown is ASCII for a good part.
fn ascii_run(bytes: &[u8]) -> usize {
    let mut run = 0;
    while let Some(chunk) = bytes[run..].first_chunk::<8>() {
        let high = u64::from_le_bytes(*chunk) & 0x8080_8080_8080_8080;
        if high != 0 {
            return run + high.trailing_zeros() as usize / 8;
        }
        run += 8;
    }
    run + bytes[run..].iter().take_while(|b| b.is_ascii()).count()
}

/// What folding makes of a character that it treats alone.
enum Short {
    /// Itself, whatever stands beside it.
    Kept,
    /// This one byte.
    Becomes(u8),
}

/// What folding makes of a character of three bytes, if it is one of the short way.
#[inline]
fn short(lead: u8, rest: Option<&[u8]>) -> Option<Short> {
    let &[second, third] = rest? else { return None };
    // Bytes that continue no character are for the long way to tell.
    if !(0xe2..=0xef).contains(&lead) || second & 0xc0 != 0x80 || third & 0xc0 != 0x80 {
        return None;
    }
    if (0xe4..=0xe9).contains(&lead) {
        return Some(Short::Kept); // U+4000 to U+9FFF: kanji.
    }
    let code = (u32::from(lead & 0x0f) << 12) | (u32::from(second & 0x3f) << 6) | u32::from(third & 0x3f);
    match code {
        0x3041..=0x3096 | 0x309d | 0x309e | 0x30a1..=0x30fe => Some(Short::Kept),
        0x3001..=0x3029 | 0x3400..=0x3fff | 0xac00..=0xd7a3 => Some(Short::Kept),
        0x2013..=0x2016 | 0x2018..=0x201d | 0x2190..=0x21ff | 0x2500..=0x25ff => Some(Short::Kept),
        0x3000 => Some(Short::Becomes(b' ')),
        // Full-width ASCII.
        0xff01..=0xff5e => u8::try_from(code - 0xfee0).ok().map(|b| Short::Becomes(b.to_ascii_lowercase())),
        _ => None,
    }
}

/// Unicode's Default_Ignorable_Code_Point.
fn is_ignorable(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use unicode_normalization::{IsNormalized, is_nfkc_quick};

    #[test]
    fn meets() {
        for (a, b) in [
            ("ＬＯＧＩＮ", "login"),
            ("ﾛｸﾞｲﾝ", "ログイン"),
            ("Straße", "STRASSE"),
            ("ﬁle №5", "FILE no5"),
            ("か\u{3099}", "が"),
            ("lo\u{200b}gin", "LOGIN"),
            ("ΣΊΣΥΦΟΣ", "σίσυφος"),
            ("ＡＢ　Ｃ", "ab c"),
            ("\u{212a}", "k"),
            ("İ", "i\u{307}"),
        ] {
            assert_eq!(fold(a), fold(b), "{a} {b}");
        }
        assert_ne!(fold("か"), fold("が"));
    }

    fn lines(text: &str) -> String {
        let mut out = vec![b'x'];
        fold_lines(text.to_ascii_lowercase().as_bytes(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    /// The short way is the long way: for each character alone, and none of them joins with what stands before it.
    #[test]
    fn the_short_way_agrees_with_the_tables() {
        let mut shortened = 0;
        for c in '\0'..=char::MAX {
            let long: String =
                [c].into_iter().filter(|c| !is_ignorable(*c)).nfkc().default_case_fold().nfkc().collect();
            let text = c.to_string();
            assert_eq!(lines(&text), long, "{:x}", c as u32);
            if c.len_utf8() == 3 && short(text.as_bytes()[0], text.as_bytes().get(1..)).is_some() {
                shortened += 1;
                for d in long.chars() {
                    assert_eq!(is_nfkc_quick([d].into_iter()), IsNormalized::Yes, "{:x}", c as u32);
                }
            }
        }
        assert!(shortened > 20_000);
    }

    #[test]
    fn whole_texts_agree_line_by_line() {
        let texts = [
            "Ａ\u{301} plain",
            "日本語ＡＢＣ。",
            "がｶﾞか\u{3099}",
            "a\u{301}b",
            "　全角　",
            "한국어 각",
            "",
            "Ａ",
            "ASCII that is longer than eight é",
            "…Ａ…",
        ];
        for a in texts {
            for b in texts {
                let text = format!("{a}\n{b}\r\n\n{a}{b}");
                assert_eq!(lines(&text), text.split('\n').map(fold).collect::<Vec<_>>().join("\n"), "{text:?}");
            }
        }
    }

    #[test]
    fn what_is_no_utf_8_is_told() {
        let mut out = Vec::new();
        for (bytes, at) in [
            (&b"a\xff"[..], 1),
            (b"ab\n\xe3\x81", 3),
            (b"\xe3\x41\x42", 0),
            ("日\n é".as_bytes(), 99),
            (b"\xed\xa0\x80", 0),
        ] {
            assert_eq!(fold_lines(bytes, &mut out).err().unwrap_or(99), at);
            assert_eq!(std::str::from_utf8(bytes).err().map_or(99, |e| e.valid_up_to()), at);
        }
    }
}
