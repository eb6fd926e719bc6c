//! Runs every rule's examples, plain and disguised, and shows that redacting twice is redacting once.

use super::super::redact::{redact, redact_cleaned};
use super::RULES;
use proptest::prelude::*;

/// An example as it is given, and as it must come out.
fn example(pieces: &[&str], kind: &str, disguise: impl Fn(&str, bool) -> String) -> (String, String) {
    let joined = pieces.concat();
    let (mut given, mut wanted) = (String::new(), String::new());
    for (index, part) in joined.split(['⟦', '⟧']).enumerate() {
        let secret = index % 2 == 1;
        given.push_str(&disguise(part, secret));
        if secret {
            wanted.push_str(&format!("[redacted:{kind}]"));
        } else {
            wanted.push_str(&disguise(part, false));
        }
    }
    (given, wanted)
}

fn full_width(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '!'..='~' => char::from_u32(c as u32 + 0xfee0).unwrap(),
            c => c,
        })
        .collect()
}

fn all(disguise: impl Fn(&str, bool) -> String, around: impl Fn(String) -> String) {
    let mut failed = Vec::new();
    for rule in RULES {
        for pieces in rule.caught {
            let (given, wanted) = example(pieces, rule.kind, &disguise);
            let (given, wanted) = (around(given), around(wanted));
            let got = redact(&given).into_owned();
            if got != wanted {
                failed.push(format!("{}: {given:?}\n  gave   {got:?}\n  wanted {wanted:?}", rule.kind));
            }
        }
    }
    assert!(failed.is_empty(), "{} failed\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn secrets_go() {
    all(|part, _| part.to_owned(), |text| text);
}

#[test]
fn secrets_go_with_a_zero_width_space_inside() {
    let hide = |part: &str, secret: bool| {
        if secret { part.chars().flat_map(|c| [c, '\u{200b}']).collect() } else { part.to_owned() }
    };
    all(hide, |text| text);
    // One in the middle of the secret, and names broken too: what is kept is cleaned.
    for rule in RULES {
        for pieces in rule.caught {
            let (given, wanted) = example(pieces, rule.kind, |part, _| part.to_owned());
            let broken: String = given.chars().flat_map(|c| [c, '\u{ad}']).collect();
            assert_eq!(redact(&broken), wanted);
        }
    }
}

#[test]
fn secrets_go_in_full_width() {
    all(|part, _| full_width(part), |text| text);
    all(|part, secret| if secret { full_width(part) } else { part.to_owned() }, |text| text);
}

#[test]
fn secrets_go_at_a_line_end_and_a_line_start() {
    for end in ["\n", "\r\n", "\n\n", "\u{2028}"] {
        all(|part, _| part.to_owned(), |text| format!("前の行{end}{text}{end}次の行 and more"));
        all(|part, _| part.to_owned(), |text| format!("{text}{end}"));
    }
}

#[test]
fn ordinary_text_stays() {
    let mut failed = Vec::new();
    let more = [
        "commit 4fe7330a1b2c3d4e5f60718293a4b5c6d7e8f901",
        "id 550e8400-e29b-41d4-a716-446655440000",
        "/home/user/projects/app/src/very/long/path/to/some/file_name_2026.rs:120",
        "data/iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk.png",
        "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "npm install && npm run build",
        "ログイン画面の改修をお願いします。既存の認証フローは変更しないでください。",
        "https://example.com/a/b?c=d#e",
        "C:\\Users\\a\\b",
        "user@example.com",
        "key: value",
        "[redacted:password] と [redacted:token]",
    ];
    for text in RULES.iter().flat_map(|rule| rule.kept.iter().copied()).chain(more) {
        for text in [text.to_owned(), full_width(text), format!("{text}\n次の行"), format!("前の行\n{text}")] {
            let got = redact(&text);
            if got != text {
                failed.push(format!("{text:?} gave {got:?}"));
            }
        }
    }
    assert!(failed.is_empty(), "{} failed\n{}", failed.len(), failed.join("\n"));
}

#[test]
fn secrets_inside_and_beside_each_other_go_as_one() {
    let parts = [
        "Authorization: Bearer abcdef",
        "123456gl",
        "pat-LINE_CHANNEL_ACCESS_TOKEN=abcdefghij0123456789/abcDEF+ghij==",
    ];
    assert_eq!(redact(&parts.concat()), "Authorization: Bearer [redacted:authorization]");
    let parts = ["SK0123456789abcdef", "0123456789abcdefgh", "p_0123456789abcdefghijABCDEFGHIJ012345 x"];
    assert_eq!(redact(&parts.concat()), "[redacted:service-key] x");
}

/// Texts made of the examples' own pieces: the most likely to hold a secret beside another.
fn mixed() -> impl Strategy<Value = String> {
    let mut parts: Vec<String> =
        ["[redacted:x]", "\n", " ", "password", "=", ": ", "is ", "\"", "a1b2c3d4", "は", "://", "@"]
            .map(str::to_owned)
            .to_vec();
    for rule in RULES {
        parts.extend(rule.hints.iter().map(|hint| (*hint).to_owned()));
        parts.extend(rule.caught.iter().map(|pieces| pieces.concat().replace(['⟦', '⟧'], "")));
        parts.extend(rule.caught.iter().flat_map(|pieces| pieces.iter().map(|piece| (*piece).to_owned())));
        parts.extend(rule.kept.iter().map(|kept| (*kept).to_owned()));
    }
    proptest::collection::vec(proptest::sample::select(parts), 0..8).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn redacting_again_changes_nothing(text in mixed()) {
        let once = redact(&text).into_owned();
        prop_assert_eq!(redact(&once), once.as_str());
    }

    #[test]
    fn any_text_is_survived(text in "[\\PC\0-\u{1f}\u{200b}=:\"'パスワードは]{0,60}") {
        redact(&text);
        redact_cleaned(&text);
        redact(&format!("password={text}"));
        redact(&format!("https://a:{text}"));
    }
}
