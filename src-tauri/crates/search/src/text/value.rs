//! What names a secret, and what looks like one: the judgement behind [`super::assigned`].
//!
//! Conversations are full of "the password field is empty" and `token: string`. A value must look like a value: in a
//! sentence it mixes digits or signs into letters; only where a machine would read it may it be a plain word.

use regex::Regex;
use std::sync::LazyLock;

/// What kind of secret a name names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Family {
    Password,
    Secret,
    Token,
    Key,
}

/// How a value is assigned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Way {
    /// In a sentence, a table cell, after a flag.
    Spoken,
    /// After `=` or `:`.
    Machine,
    /// After `name: type =`.
    Typed,
    /// A quoted string where a machine would read it.
    Quoted,
    /// `NAME=value`.
    Environment,
    /// `name=value` or a line of YAML, alone.
    Alone,
}

/// A candidate.
pub(super) struct Value<'a> {
    pub raw: &'a str,
    pub way: Way,
    pub family: Family,
    /// Whether the name leaves no doubt; a bare `token` is also a word of a parser.
    pub strong: bool,
    pub quoted: bool,
    /// The character after it.
    pub next: Option<char>,
}

/// What a Japanese name names, by the hint.
pub(super) fn japanese_family(hint: &str) -> Option<Family> {
    match hint {
        "パスワード" | "パスフレーズ" | "パスコード" | "暗証番号" | "合言葉" => {
            Some(Family::Password)
        }
        "トークン" => Some(Family::Token),
        "シークレット" => Some(Family::Secret),
        hint if !hint.is_ascii() => Some(Family::Key),
        _ => None,
    }
}

/// What an identifier names, if it names a secret, and whether without doubt. Its last word decides: a `token_count`
/// is a count and a `secret_name` a name.
pub(super) fn name_family(name: &str) -> Option<(Family, bool)> {
    let mut words: Vec<String> = words(name);
    while let Some(last) = words.last_mut() {
        last.truncate(last.trim_end_matches(|c: char| c.is_ascii_digit()).len());
        // Where it is for, or which of two it is, says nothing about what it is.
        let aside = "prod production dev development staging stg test live old new value confirm confirmation base plain \
            plaintext raw";
        let aside = last.is_empty() || is_among(aside, last);
        if words.len() > 1 && aside {
            words.pop();
        } else {
            break;
        }
    }
    let (last, before) = words.split_last()?;
    let ends = |names: &[&str]| names.iter().any(|name| last.ends_with(name));
    if ends(&["password", "passwd", "passphrase", "passcode", "passwort", "pwd"])
        || last == "pass" && !before.is_empty()
    {
        Some((Family::Password, true))
    } else if ends(&["apikey", "accesskey", "secretkey", "privatekey"]) {
        Some((Family::Key, true))
    } else if ends(&["secret"]) {
        Some((Family::Secret, last != "secret" || !before.is_empty()))
    } else if ends(&["token"]) {
        let whose = "access auth api bearer refresh session bot id jwt personal secret deploy channel github gh gitlab slack \
            npm discord hf user line security";
        Some((Family::Token, last != "token" || before.iter().any(|word| is_among(whose, word))))
    } else if last == "key" {
        let whose = "api access secret private encryption signing auth account master service app deploy hmac jwt session \
            shared storage subscription";
        before.last().is_some_and(|word| is_among(whose, word)).then_some((Family::Key, true))
    } else {
        None
    }
}

/// Whether a word is in a list of words apart by spaces.
fn is_among(list: &str, word: &str) -> bool {
    list.split(' ').any(|listed| listed == word)
}

/// The words of an identifier in lower case: `dbPassword`, `DB_PASSWORD` and `db-password` are the same two.
fn words(name: &str) -> Vec<String> {
    let bytes = name.as_bytes();
    let mut words = vec![String::new()];
    for (at, byte) in bytes.iter().enumerate() {
        let next_lower = bytes.get(at + 1).is_some_and(u8::is_ascii_lowercase);
        let hump = byte.is_ascii_uppercase()
            && at > 0
            && (bytes[at - 1].is_ascii_lowercase() || bytes[at - 1].is_ascii_uppercase() && next_lower);
        if (hump || !byte.is_ascii_alphanumeric()) && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
        if byte.is_ascii_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.push(byte.to_ascii_lowercase() as char);
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Whether the candidate looks like a secret's value.
pub(super) fn is_value(value: &Value) -> bool {
    let raw = value.raw;
    if raw.len() < 4 || raw.chars().any(|c| c >= '\u{250}') || is_placeholder(raw) || is_code(value) {
        return false;
    }
    if raw.contains(char::is_whitespace) {
        let passphrase = value.way == Way::Quoted && value.family == Family::Password && raw.split(' ').count() >= 3;
        return passphrase && raw.bytes().all(|byte| byte == b' ' || byte.is_ascii_lowercase()) && !has_stop_word(raw);
    }
    if raw.bytes().all(|byte| byte.is_ascii_digit()) {
        // `パスワードは2024年に…`: a number with a counter behind it is a number.
        let counted = value.next.is_some_and(|c| matches!(c, '\u{30a1}'..='\u{30fc}' | '\u{4e00}'..='\u{9fff}'));
        return value.family == Family::Password && !counted;
    }
    if is_mixed(raw) {
        return true;
    }
    let is_password = value.family == Family::Password;
    match value.way {
        Way::Quoted | Way::Environment => is_plain_word(value),
        Way::Alone if is_password && raw.len() >= 6 && raw.bytes().all(|byte| byte.is_ascii_lowercase()) => {
            !is_stop_word(raw)
        }
        Way::Machine | Way::Alone => is_password && is_word_chain(raw),
        Way::Spoken | Way::Typed => false,
    }
}

/// Four plain words or more, joined: `correct-horse-battery-staple`.
fn is_word_chain(raw: &str) -> bool {
    let words = raw.split('-').filter(|word| word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_lowercase()));
    raw.split('-').count() >= 4 && words.count() == raw.split('-').count() && !has_stop_word(&raw.replace('-', " "))
}

/// Whether a quoted or an environment's value without digits counts.
fn is_plain_word(value: &Value) -> bool {
    let raw = value.raw;
    let label = raw.as_bytes()[0].is_ascii_uppercase() && raw[1..].bytes().all(|byte| byte.is_ascii_lowercase());
    let constant = raw.contains('_') && !raw.bytes().any(|byte| byte.is_ascii_lowercase());
    let letters = raw.bytes().filter(u8::is_ascii_alphabetic).count();
    // A bare `secret` may name a thing, `token` a parser's: the first has to be long, the second to have digits.
    let long = value.family == Family::Secret && raw.len() >= 12 && letters == raw.len();
    (value.strong || value.way == Way::Environment || long) && letters >= 3 && !label && !constant && !is_stop_word(raw)
}

/// Whether letters are mixed with digits or signs as in no word, number, date, version, file name or unit.
fn is_mixed(raw: &str) -> bool {
    let letters = raw.bytes().filter(u8::is_ascii_alphabetic).count();
    let digits = raw.bytes().filter(u8::is_ascii_digit).count();
    let sign_inside =
        raw.trim_matches(|c: char| !c.is_ascii_alphanumeric()).bytes().any(|byte| b"@!$%^#&*?".contains(&byte));
    if letters == 0 || raw.len() < 6 || digits == 0 && !sign_inside {
        return false;
    }
    // Slashes make a path, unless it is Base64.
    let base64 = raw.len() >= 20 && digits > 0 && raw.bytes().any(|byte| byte.is_ascii_uppercase());
    let path = raw.contains('/') && !base64 && !sign_inside;
    !path && !ORDINARY.as_ref().is_some_and(|ordinary| ordinary.is_match(raw))
}

/// Things with digits in them that sentences are full of.
static ORDINARY: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(ORDINARY_PATTERN).ok());

const ORDINARY_PATTERN: &str = concat!(
    r"(?i)^(?:",
    // Types, algorithms, encodings, numbered things, and what is done with them: SHA256, AES-256-GCM, base64-encoded.
    r"(?:u?int|float|bytes?|char|str(?:ing)?|n?varchar|text|sha|md|aes|rsa|hs|rs|es|ps|ed|utf|base|oauth|argon|blake|pbkdf|tls|",
    r"ssl|iso|rfc|cve|pkcs|issue|step|line|page|phase|version|ver|section|chapter|ipv|http|python|uuid)[-_]?\d{1,5}",
    r"(?:[-_]?[a-z]{1,12}\d{0,3}){0,3}",
    // Versions, addresses, dates.
    r"|v?\d+(?:\.[\w-]+)+|\d{4}-\d\d-\d\d.*",
    // Amounts: 12-character, 500ms.
    r"|\d{1,6}[-_]?(?:st|nd|rd|th|[kmgt]i?b?|ms|[shdx]|bits?|bytes?|chars?|characters?|digits?|days?|hours?|minutes?|mins?|",
    r"seconds?|secs?|weeks?|months?|years?|tokens?|times|px|words?)",
    // Files, with a line number or without; mail addresses.
    r"|[\w./\\-]+\.(?:rs|tsx?|jsx?|mjs|py|rb|go|java|kt|c|h|cpp|cs|php|sh|md|txt|json|ya?ml|toml|ini|cfg|conf|env|html|css|",
    r"svelte|vue|sql|db|png|jpe?g|svg|gif|pdf|csv|log|lock|pem|key|crt|zip|gz)(?::\d+(?:[-:]\d+)?)?",
    r"|[a-z][\w.+-]*@[\w-]+(?:\.[\w-]+)+",
    r")$",
);

/// Whether it only stands where a value would: `<password>`, `${X}`, `****`, `your_key_here`, `[redacted:…]`.
fn is_placeholder(raw: &str) -> bool {
    let lower = raw.to_ascii_lowercase();
    let variable =
        raw.starts_with(['$', '%']) && raw[1..].starts_with(|c: char| c.is_ascii_alphabetic() || "{(_".contains(c));
    let one_sign = raw.bytes().all(|byte| !byte.is_ascii_alphanumeric() || matches!(byte, b'x' | b'X'));
    variable
        || one_sign
        || raw.starts_with(['<', '{', '[', '('])
        || raw.starts_with("#{")
        || raw.contains("${")
        || raw.contains(super::redact::MARK)
        || lower.starts_with("your") && !raw.bytes().any(|byte| byte.is_ascii_digit())
}

/// Whether it is an expression, a path or an address, and not a literal.
fn is_code(value: &Value) -> bool {
    let raw = value.raw;
    let base64 = raw.len() >= 32 && !raw.contains('.') && raw.bytes().any(|byte| byte.is_ascii_digit());
    let path =
        raw.starts_with("./") || raw.starts_with("../") || raw.starts_with("~/") || raw.starts_with('/') && !base64;
    let drive = raw.as_bytes()[0].is_ascii_alphabetic() && raw[1..].starts_with(":\\");
    if path || drive || raw.contains("://") {
        return true;
    }
    let name = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    let head = raw.find(|c: char| !(c.is_ascii_alphanumeric() || "_.:&".contains(c))).unwrap_or(raw.len());
    let rest = raw[head..].strip_prefix('!').unwrap_or(&raw[head..]);
    let opens = rest.starts_with(['(', '[', '{', '<']) || rest.starts_with("->");
    let called = raw[..head].split(['.', ':']).filter(|part| !part.is_empty()).all(name);
    let parts: Vec<&str> = raw.split(['.', ':']).filter(|part| !part.is_empty()).collect();
    let chain = parts.len() > 1 && parts.iter().copied().all(name);
    let secretive = parts.last().is_some_and(|last| name_family(last).is_some());
    let owner = [
        "self", "this", "os", "process", "env", "config", "settings", "req", "request", "ctx", "args", "params", "opts",
    ];
    !value.quoted && head > 0 && opens && called
        || chain && (!raw.bytes().any(|byte| byte.is_ascii_digit()) || secretive || owner.contains(&parts[0]))
        || !value.quoted && raw.starts_with('&')
}

/// Words that stand where a value would, and say something about it.
fn is_stop_word(raw: &str) -> bool {
    const WORDS: &str = "string number integer boolean bool bytes object array text char varchar uuid null none undefined true \
        false void self this required optional empty missing invalid valid expired unset unchanged changed \
        updated hidden redacted masked encrypted hashed plain plaintext default disabled enabled unknown inherit \
        auto manual prompt value input password passwd passphrase secret token apikey username user \
        admin_password basic bearer incorrect wrong omitted ignored private public placeholder example todo tbd \
        current create delete update verified unverified accepted rejected present absent reset error warning \
        failed passed success random generated strong weak short long same new-password current-password \
        new_password current_password user_password access_token refresh_token";
    let bare = raw.trim_matches(|c: char| !c.is_ascii_alphanumeric());
    WORDS.split(' ').any(|word| word.eq_ignore_ascii_case(bare))
}

/// Whether a passphrase reads like a message about one.
fn has_stop_word(raw: &str) -> bool {
    raw.split(' ').any(|word| {
        is_stop_word(word)
            || [
                "is", "are", "must", "should", "be", "your", "the", "a", "an", "to", "of", "for", "and", "or", "not",
                "do", "at",
            ]
            .contains(&word)
    })
}

/// Whether the character ends a line.
pub(super) fn is_line_end(c: char) -> bool {
    matches!(c, '\n'..='\r' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_word_of_a_name_decides() {
        for name in [
            "password",
            "DB_PASSWORD",
            "dbPassword",
            "PGPASSWORD",
            "password2",
            "userPasswordConfirmation",
            "smtp_pass",
            "client-secret",
            "accessToken",
            "API_KEY_PROD",
            "SECRET_KEY_BASE",
            "aws.secret_access_key",
            "APIKey",
        ] {
            assert!(name_family(name).is_some(), "{name}");
        }
        for name in [
            "token_count",
            "tokens",
            "secret_name",
            "passwordless",
            "tokenizer",
            "secretary",
            "public_key",
            "pass",
            "password_hash",
            "primary_key",
            "tokenUrl",
        ] {
            assert!(name_family(name).is_none(), "{name}");
        }
    }

    #[test]
    fn the_ordinary_is_known() {
        assert!(ORDINARY.is_some());
        for raw in [
            "SHA256",
            "AES-256-GCM",
            "base64-encoded",
            "1.2.3-beta",
            "2026-06-20T10:00:00Z",
            "login.rs:42",
            "500ms",
            "utf8mb4",
        ] {
            assert!(!is_mixed(raw), "{raw}");
        }
        for raw in ["hunter2", "abc123", "s3cr3t", "P@ssw0rd!", "a1b2-c3d4", "Pa$$word"] {
            assert!(is_mixed(raw), "{raw}");
        }
    }
}
