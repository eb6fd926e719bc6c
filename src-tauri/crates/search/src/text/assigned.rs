//! Reads values that are assigned to a secret's name: `DB_PASSWORD=…`, `"token": "…"`, `password is …`,
//! `パスワードは…`. The name decides whether the place is looked at, the way it is assigned what counts as a value
//! ([`super::value`]): a quoted string after `password =` is nearly always one, a bare word in a sentence seldom.

use super::redact::MARK;
use super::value::{self, Family, Value, Way};
use std::ops::Range;

/// The longest name, and the most that is looked at to judge a value, in bytes; so that hostile text costs little.
const LONGEST_NAME: usize = 64;
const LONGEST: usize = 256;

/// The password that is assigned to a name around the hint.
pub(super) fn password(text: &str, hint: Range<usize>) -> Option<Range<usize>> {
    assigned(text, hint, Family::Password)
}

/// The same for a token.
pub(super) fn token(text: &str, hint: Range<usize>) -> Option<Range<usize>> {
    assigned(text, hint, Family::Token)
}

/// The same for a secret of another name.
pub(super) fn secret(text: &str, hint: Range<usize>) -> Option<Range<usize>> {
    assigned(text, hint, Family::Secret)
}

/// The same for a key.
pub(super) fn api_key(text: &str, hint: Range<usize>) -> Option<Range<usize>> {
    assigned(text, hint, Family::Key)
}

/// The value that is assigned to the name that the hint stands in, if it names one of the family.
fn assigned(text: &str, hint: Range<usize>, wanted: Family) -> Option<Range<usize>> {
    let (name, family, strong) = name_around(text, hint)?;
    if family != wanted || touches_mark(&text[..name.start]) {
        return None;
    }
    let assignment = assignment(text, &name)?;
    let found = value_at(text, assignment.at)?;
    let way = match assignment.way {
        Way::Typed if !found.quoted => return None,
        Way::Machine | Way::Typed if found.quoted => Way::Quoted,
        Way::Spoken if found.quoted && !text[..found.range.start].ends_with('`') && family == Family::Password => {
            Way::Quoted
        }
        Way::Machine if assignment.tight && is_constant(&text[name.clone()]) => Way::Environment,
        Way::Machine if stands_alone(text, &assignment, &name, &found.range) => Way::Alone,
        other => other,
    };
    let next = text[found.range.end..].chars().next();
    let raw = &text[found.range.clone()];
    if !value::is_value(&Value { raw, way, family, strong, quoted: found.quoted, next }) {
        return None;
    }
    // A value that goes on past what was judged goes as a whole.
    let long = found.range.len() >= LONGEST && !found.quoted;
    Some(if long { bare(text, found.range.start, usize::MAX)?.range } else { found.range })
}

/// The whole name around a hint, and what it names. A name is an identifier, or Japanese as the hint has it.
fn name_around(text: &str, hint: Range<usize>) -> Option<(Range<usize>, Family, bool)> {
    if let Some(family) = value::japanese_family(&text[hint.clone()]) {
        return Some((hint, family, true));
    }
    let bytes = text.as_bytes();
    let word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let left = bytes[..hint.start].iter().rev().take(LONGEST_NAME + 1);
    let left = left.take_while(|byte| word(byte) || matches!(byte, b'-' | b'.')).count();
    let right = bytes[hint.end..].iter().take(LONGEST_NAME + 1);
    let right = right.take_while(|byte| word(byte) || **byte == b'-').count();
    if left > LONGEST_NAME || right > LONGEST_NAME {
        return None;
    }
    let mut name = hint.start - left..hint.end + right;
    // `token->x`: the arrow's dash is not the name's.
    while bytes[name.start..name.end].last() == Some(&b'-') {
        name.end -= 1;
    }
    if name.end < hint.end {
        return None;
    }
    let (family, strong) = value::name_family(&text[name.clone()])?;
    Some((name, family, strong))
}

/// Whether a name after this is the kind in a mark, or the rest of one of which a mark has taken the beginning.
fn touches_mark(before: &str) -> bool {
    let near = &before[before.ceil_char_boundary(before.len().saturating_sub(LONGEST_NAME))..];
    near.ends_with(MARK) || near.ends_with(']') && near.rfind('[').is_some_and(|at| near[at..].starts_with(MARK))
}

struct Assignment {
    way: Way,
    /// Where the value begins, its quote included.
    at: usize,
    /// Whether it is a `=` with nothing round it.
    tight: bool,
    colon: bool,
}

/// How the name is given a value, if it is.
fn assignment(text: &str, name: &Range<usize>) -> Option<Assignment> {
    let mut at = name.end;
    // `"password":`, `**Password:**`, `password?:`, `obj["password"] =`, `パスワード（本番）：`, `トークンの値は`.
    let rest = &text[at..];
    at += rest.bytes().take(8).take_while(|byte| b"\"'`*\\]".contains(byte)).count();
    at += spaces(&text[at..]);
    if let Some(close) =
        text[at..].strip_prefix('(').and_then(|rest| rest.char_indices().take(24).find(|&(_, c)| c == ')'))
    {
        at += close.0 + 2;
    }
    for word in ["の値", "の文字列"] {
        at += if text[at..].starts_with(word) { word.len() } else { 0 };
    }
    at += spaces(&text[at..]);
    let rest = &text[at..];
    let made = |way, len: usize, tight, colon| {
        let rest = text.get(at + len..)?;
        let marks = rest.bytes().take(2).take_while(|&byte| byte == b'*' || byte == b'_').count();
        let skipped = marks + spaces(&rest[marks..]);
        Some(Assignment { way, at: at + len + skipped, tight: tight && skipped == 0 && at == name.end, colon })
    };
    if text[..name.start].ends_with("${") && (rest.starts_with(":-") || rest.starts_with(":=")) {
        return made(Way::Machine, 2, false, false);
    }
    if let Some(after) = rest.strip_prefix('=') {
        return match after.chars().next() {
            Some('=' | '~') => None,
            Some('>') => made(Way::Machine, 2, false, false),
            _ => made(Way::Machine, 1, true, false),
        };
    }
    if let Some(colon) = rest.strip_prefix("?:").map(|_| 2).or_else(|| rest.starts_with(':').then_some(1)) {
        if rest[colon..].starts_with(':') {
            return None;
        }
        if rest[colon..].starts_with('=') {
            return made(Way::Machine, colon + 1, false, false);
        }
        if let Some(len) = typed(&rest[colon..]) {
            return made(Way::Typed, colon + len, false, false);
        }
        return made(Way::Machine, colon, false, true);
    }
    for arrow in ["->", "→", "⇒", "|"] {
        if rest.starts_with(arrow) {
            return made(Way::Spoken, arrow.len(), false, false);
        }
    }
    for particle in ["は", "が", "を"] {
        if let Some(after) = rest.strip_prefix(particle) {
            let pause = after.starts_with(['、', ':']).then(|| after.chars().next()).flatten();
            return made(Way::Spoken, particle.len() + pause.map_or(0, char::len_utf8), false, false);
        }
    }
    // `<password>…</password>`.
    if text[..name.start].ends_with('<') && at == name.end && rest.starts_with('>') {
        return made(Way::Machine, 1, false, false);
    }
    if !text[name.end..at].ends_with(char::is_whitespace) {
        return None;
    }
    // A flag and its value, a quoted one, a line of .netrc; or a sentence.
    if text[name.clone()].starts_with('-') || rest.starts_with(['"', '\'']) || follows_login(&text[..name.start]) {
        return made(Way::Spoken, 0, false, false);
    }
    let words =
        ["is now ", "is ", "was ", "will be ", "should be ", "must be ", "set to ", "changed to ", "to ", "equals "];
    let verb =
        words.iter().find(|verb| rest.get(..verb.len()).is_some_and(|start| start.eq_ignore_ascii_case(verb)))?;
    let colon = usize::from(rest[verb.len()..].starts_with(": "));
    made(Way::Spoken, verb.len() + colon, false, false)
}

/// Whether this ends as `login NAME ` does, as in .netrc.
fn follows_login(before: &str) -> bool {
    let near = &before[before.ceil_char_boundary(before.len().saturating_sub(2 * LONGEST_NAME))..];
    near.split_whitespace().rev().nth(1) == Some("login")
}

/// The length of a type and its `=`, as in `password: &str = "…"`.
fn typed(rest: &str) -> Option<usize> {
    let len = rest.bytes().take(48).take_while(|&byte| {
        byte.is_ascii_alphanumeric()
            || matches!(byte, b' ' | b'_' | b'&' | b'<' | b'>' | b'[' | b']' | b'?' | b'.' | b'|' | b'\'')
    });
    let len = len.count();
    (rest[len..].starts_with('=') && !rest[len..].starts_with("==") && rest[..len].ends_with(' ')).then_some(len + 1)
}

/// Bytes of white space that does not end the line, at the beginning.
fn spaces(text: &str) -> usize {
    let space = |c: char| c.is_whitespace() && !value::is_line_end(c);
    text.chars().take(16).take_while(|&c| space(c)).map(char::len_utf8).sum()
}

struct Found {
    range: Range<usize>,
    quoted: bool,
}

/// The quoted or bare value at `at`.
fn value_at(text: &str, at: usize) -> Option<Found> {
    let rest = &text[at..];
    // Python's and Rust's letters before a quote; JSON inside JSON has a backslash there.
    let prefix = rest.bytes().take(2).take_while(|byte| b"brfuBRFU".contains(byte)).count();
    let prefix = if rest[prefix..].starts_with(['"', '\'']) { prefix } else { 0 };
    let slashes = rest[prefix..].bytes().take(4).take_while(|&byte| byte == b'\\').count();
    let open = rest[prefix + slashes..].chars().next();
    let close = match open {
        Some(quote @ ('"' | '\'' | '`')) => Some(quote),
        Some('“') => Some('”'),
        Some('「' | '｢') => Some('」'),
        Some('『') => Some('』'),
        _ => None,
    };
    let Some((open, close)) = open.zip(close) else {
        return bare(text, at, LONGEST);
    };
    let start = at + prefix + slashes + open.len_utf8();
    let window = &text[start..text.floor_char_boundary((start + 16 * LONGEST).min(text.len()))];
    let inside = match window.find(|c| c == close || value::is_line_end(c)) {
        Some(len) if window[len..].starts_with(close) => window[..len].trim_end_matches('\\'),
        _ => return bare(text, start, LONGEST),
    };
    Some(Found { range: start..start + inside.len(), quoted: true })
}

/// The run of characters that a bare value is made of, without what ends a sentence, a list item or a bracket. No
/// more than `longest` bytes and one character.
fn bare(text: &str, start: usize, longest: usize) -> Option<Found> {
    let mut depth = 0usize;
    let mut end = start;
    for (len, c) in text[start..].char_indices().take_while(|&(len, _)| len < longest) {
        let rest = &text[start + len..];
        match c {
            '"' | '\'' | '`' | '<' if len > 0 => break,
            '\\' if rest.starts_with("\\\"") || rest.starts_with("\\\\\"") || rest.starts_with("\\n") => break,
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 0 => break,
            ')' | ']' | '}' => depth -= 1,
            '|' => break,
            '&' | ';' | ',' if ends_value(&rest[1..]) => break,
            // Past Latin, a bare value has ended: Japanese goes on without a space.
            _ if c.is_whitespace() || c >= '\u{250}' || c.is_control() => break,
            _ => {}
        }
        end = start + len + c.len_utf8();
    }
    let trimmed = text[start..end].trim_end_matches(['.', ',', ';', ':']);
    (!trimmed.is_empty()).then(|| Found { range: start..start + trimmed.len(), quoted: false })
}

/// Whether a `&`, `;` or `,` with this after it stands between values, and not in one.
fn ends_value(rest: &str) -> bool {
    let name = rest
        .bytes()
        .take(LONGEST_NAME)
        .take_while(|byte| byte.is_ascii_alphanumeric() || b"_-. ".contains(byte))
        .count();
    rest.starts_with(|c: char| c.is_whitespace() || "\"'`)]}".contains(c))
        || rest.is_empty()
        || name > 0 && rest[name..].starts_with(['=', ':'])
}

/// Whether a name is written as constants and environment variables are.
fn is_constant(name: &str) -> bool {
    name.bytes().any(|byte| byte.is_ascii_uppercase()) && !name.bytes().any(|byte| byte.is_ascii_lowercase())
}

/// Whether a plain word is a value by where it stands: `password=word` with nothing of a call round it, or the whole
/// of a line of YAML, with another such line before or after it.
fn stands_alone(text: &str, assignment: &Assignment, name: &Range<usize>, value: &Range<usize>) -> bool {
    let after = &text[value.end..];
    if assignment.tight {
        return after.starts_with(|c: char| c.is_whitespace() || "\"'&;".contains(c)) || after.is_empty();
    }
    let line_ends = after.is_empty() || after.starts_with(value::is_line_end);
    let window = text.ceil_char_boundary(name.start.saturating_sub(256));
    let (before, indent) =
        text[window..name.start].rsplit_once('\n').unwrap_or((&text[..0], &text[window..name.start]));
    let after = &after[..after.floor_char_boundary(256.min(after.len()))];
    assignment.colon
        && line_ends
        && (window == 0 || text[window..name.start].contains('\n'))
        && indent.bytes().all(|byte| byte == b' ')
        && (before.lines().next_back().is_some_and(is_yaml) || after.lines().nth(1).is_some_and(is_yaml))
}

fn is_yaml(line: &str) -> bool {
    line.trim_start().split_once(':').is_some_and(|(key, value)| {
        let named = key.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-".contains(&byte));
        !key.is_empty() && named && (value.is_empty() || value.starts_with(' '))
    })
}
