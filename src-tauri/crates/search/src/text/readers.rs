//! The rules that a regular expression can't say: key blocks over lines, `Authorization` values, `Basic` pairs,
//! passwords in URLs, keys that share their prefix with ordinary words.
//!
//! Each takes the text in its narrow reading and the place of the hint, and answers with the place of the secret. All
//! places in and out are at character boundaries: what they step over is ASCII.

use super::redact::{MARK, follows_word};
use super::value::is_line_end;
use std::ops::Range;

/// A private key block, with its end line or without, in lines or with `\n` written out, behind `> ` or `# ` too.
pub(super) fn private_key(text: &str, hint: Range<usize>) -> Option<Range<usize>> {
    let label = text[hint.end..].find("-----").filter(|&len| len <= 64)?;
    if !text[hint.end..hint.end + label].contains("PRIVATE KEY") {
        return None;
    }
    let body = hint.end + label + 5;
    // To the end line, if it is the next thing of its kind and near.
    if let Some(len) = text[body..].find("-----").filter(|&len| len <= 32 * 1024) {
        let rest = &text[body + len..];
        if rest.starts_with("-----END") && holds_key(&text[body..body + len]) {
            let end = rest[5..].find("-----").filter(|&len| len <= 64).map_or(rest.len().min(8), |len| 5 + len + 5);
            return Some(hint.start..body + len + end);
        }
    }
    // Without one, to where the lines stop looking like a key.
    let mut end = body;
    let mut at = body;
    for line in text[body..].split_inclusive(is_line_end) {
        let content = line.trim_matches(|c: char| c.is_whitespace() || ">|+#*\"',;\\".contains(c));
        let run = content.bytes().take_while(|&byte| is_base64(byte) || byte == b'\\').count();
        let like_key = run == content.len() && (run >= 16 || content.bytes().any(|byte| !byte.is_ascii_lowercase()));
        let like_header = content.split_once(": ").is_some_and(|(name, _)| {
            name.contains('-') && name.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'-')
        });
        if !content.is_empty() && !like_key && !like_header {
            // What begins like a key on this line is one, whatever follows it.
            let lead = line.len() - line.trim_start_matches([' ', '\t', '>', '|', '\\', 'n', 'r']).len();
            let run = line.bytes().skip(lead).take_while(|&byte| is_base64(byte) || byte == b'\\').count();
            if run >= 24 {
                end = at + lead + run;
            }
            break;
        }
        if !content.is_empty() {
            end = at + content.as_ptr().addr() - line.as_ptr().addr() + content.len();
        }
        at += line.len();
    }
    holds_key(&text[body..end]).then_some(hint.start..end)
}

/// Whether some run is long enough to be a line of a key.
fn holds_key(body: &str) -> bool {
    body.split(|c: char| !c.is_ascii() || !is_base64(c as u8)).any(|run| run.len() >= 16)
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

/// What stands as the value of an `Authorization` header, after its scheme if it has one.
pub(super) fn authorization(text: &str, hint: Range<usize>) -> Option<Range<usize>> {
    let rest = &text[hint.end..];
    let at = rest.len() - rest.trim_start_matches(['"', '\'', '\\', '`', '*', ']', ' ']).len();
    let operator = rest[at..].chars().next().filter(|c| matches!(c, ':' | '=' | ','))?;
    let rest = &rest[at + operator.len_utf8()..];
    let lead = |text: &str| text.len() - text.trim_start_matches(['"', '\'', '\\', '`', '>', ' ', '\t', '*']).len();
    let mut start = text.len() - rest.len() + lead(rest);
    let first = run(text, start, LONGEST);
    let scheme = &text[first.clone()];
    let mut schemed = false;
    if text[first.end..].starts_with([' ', '\t'])
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    {
        // A word and more on the line: `Bearer abc`. A value that is alone stands before something else.
        let next = first.end + lead(&text[first.end..]);
        if ["bearer", "basic", "token", "digest", "apikey", "negotiate", "key", "bot"]
            .iter()
            .any(|known| scheme.eq_ignore_ascii_case(known))
        {
            (start, schemed) = (next, true);
        }
    }
    let place = run(text, start, LONGEST);
    let value = &text[place.clone()];
    // `authorization = request.headers2.get(…)` is code.
    if text[place.end..].starts_with(['(', '[']) {
        return None;
    }
    let long = schemed && value.len() >= 16 && value.bytes().all(|byte| byte.is_ascii_alphabetic());
    let is_one = long
        || is_credential(value) && (schemed || value.len() >= 12 && value.contains(|c: char| c.is_ascii_digit()))
        || schemed && is_basic_pair(value);
    credential(text, place, is_one)
}

/// `Bearer` and a value, anywhere.
pub(super) fn bearer(text: &str, hint: Range<usize>) -> Option<Range<usize>> {
    let place = run(text, after_word(text, hint)?, LONGEST);
    let value = &text[place.clone()];
    // Prose numbers its words too; a credential is longer, and mixes digits in.
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let is_one = value.len() >= 8 && digits >= 2 && is_credential(value) || is_long_mixed(value);
    credential(text, place, is_one)
}

/// `Basic` and the Base64 of `user:password`, anywhere.
pub(super) fn basic(text: &str, hint: Range<usize>) -> Option<Range<usize>> {
    let place = run(text, after_word(text, hint)?, LONGEST);
    let is_one = is_basic_pair(&text[place.clone()]);
    credential(text, place, is_one)
}

/// Where the value after a scheme's name begins, if the name is a word of its own with white space after it.
fn after_word(text: &str, hint: Range<usize>) -> Option<usize> {
    let rest = &text[hint.end..];
    let value = rest.trim_start_matches([' ', '\t', ':', '=', '"']);
    (value.len() < rest.len() && !follows_word(text, hint.start)).then_some(text.len() - value.len())
}

/// The most that is looked at to judge a credential, in bytes.
const LONGEST: usize = 1024;

/// The run of characters of a credential from `start` on, without a sentence's end; no longer than `longest`.
fn run(text: &str, start: usize, longest: usize) -> Range<usize> {
    let bytes = text.as_bytes()[start..].iter().take(longest);
    let len = bytes.take_while(|&&byte| is_base64(byte) || b"._~-%".contains(&byte)).count();
    let value = text[start..start + len].trim_end_matches('.');
    start..start + value.len()
}

/// The whole run, where the part that was judged is a credential.
fn credential(text: &str, judged: Range<usize>, is_one: bool) -> Option<Range<usize>> {
    is_one.then(|| if judged.len() < LONGEST { judged } else { run(text, judged.start, usize::MAX) })
}

fn is_credential(value: &str) -> bool {
    let digits = value.bytes().any(|byte| byte.is_ascii_digit());
    let letters = value.bytes().any(|byte| byte.is_ascii_alphabetic());
    let dots = value.bytes().filter(|&byte| byte == b'.').count();
    value.len() >= 6 && letters && (digits || dots == 2) || is_long_mixed(value)
}

/// Long, and of both cases in a way that no name is.
fn is_long_mixed(value: &str) -> bool {
    let turns = value.as_bytes().windows(2).filter(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase());
    value.len() >= 20 && !value.contains(['-', '.']) && turns.count() >= 4
}

/// Whether this is the Base64 of printable ASCII with a colon inside.
fn is_basic_pair(value: &str) -> bool {
    let value = value.trim_end_matches('=');
    if value.len() < 6 || value.len() % 4 == 1 {
        return false;
    }
    let (mut bits, mut held, mut colon) = (0u32, 0, false);
    for byte in value.bytes() {
        let six = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return false,
        };
        bits = bits << 6 | u32::from(six);
        held += 6;
        if held >= 8 {
            held -= 8;
            let decoded = (bits >> held) as u8;
            if !(b' '..=b'~').contains(&decoded) {
                return false;
            }
            colon |= decoded == b':';
        }
    }
    colon
}

/// The password in a URL's `user:password@`.
pub(super) fn url_password(text: &str, hint: Range<usize>) -> Option<Range<usize>> {
    const LONGEST: usize = 512;
    let rest = &text[hint.end..];
    // The authority ends at a slash, at white space, quotes or brackets, and at anything that no URL holds unescaped.
    let len = rest
        .bytes()
        .take(LONGEST)
        .take_while(|&byte| (b'!'..=b'~').contains(&byte) && !matches!(byte, b'/' | b'?' | b'#' | b'"' | b'\'' | b'`'))
        .count();
    let authority = &rest[..len];
    let at = authority.rfind('@')?;
    let colon = authority[..at].find(':')?;
    let password = &authority[colon + 1..at];
    let stands_for_one = password.starts_with(['$', '{', '<', '[', '%']) && !password.starts_with("%2")
        || !password.bytes().any(|byte| byte.is_ascii_alphanumeric())
        || password.bytes().all(|byte| matches!(byte, b'x' | b'X'))
        || authority.contains(MARK);
    (!stands_for_one).then_some(hint.end + colon + 1..hint.end + at)
}

/// A key that begins with `sk-`, as spinners' class names do: keys are long and mix digits in.
pub(super) fn provider_key(text: &str, hint: Range<usize>) -> Option<Range<usize>> {
    if follows_word(text, hint.start) || &text[hint.clone()] != "sk-" {
        return None;
    }
    let bytes = text.as_bytes()[hint.end..].iter();
    let len = bytes.take_while(|&&byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')).count();
    let key = &text.as_bytes()[hint.end..hint.end + len];
    let digits = key.iter().filter(|byte| byte.is_ascii_digit()).count();
    (len >= 20 && digits >= 2 && (len >= 32 || key.iter().any(u8::is_ascii_uppercase)))
        .then_some(hint.start..hint.end + len)
}
