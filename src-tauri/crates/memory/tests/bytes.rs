//! The first promise: bytes that nobody edited do not change. Hostile but valid files are made of parts, one field is
//! set, and everything outside that field's lines must be what it was.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test's own functions")]

use kiroku_memory::{FieldValue, Frontmatter, Source, field_source, remove_field, set_field};
use proptest::prelude::*;

/// Lines of frontmatter that are odd and valid, with the name of the field; EOL stands for the line end.
const FIELDS: &[(&str, &str)] = &[
    ("plain", "plain: some text # a comment\n"),
    ("bare", "bare:\n"),
    ("bare_comment", "bare_comment:   # nothing yet\n"),
    ("single", "single: 'it''s: #1'   # why\n"),
    ("double", "double: \"a \\\"b\\\" \\n c: #d\"\n"),
    ("spaced", "spaced   :    wide   \n"),
    ("\"quoted key\"", "\"quoted key\": 1\n"),
    ("literal", "literal: |\n  ---\n  text: # not a comment\n\n    deeper\n"),
    ("keep", "keep: |+ # kept\n  one\n\n\n"),
    ("folded", "folded: >-\n  日本語の\n  文章\n"),
    ("multi", "multi: first line\n  second line\n  third\n"),
    ("multi_double", "multi_double: \"first\n\n  second # no\"   # yes\n"),
    ("flow", "flow: [1, 'two', {three: 3}] # tail\n"),
    ("flow_lines", "flow_lines: [\n  1, # one\n  2\n  ]\n"),
    (
        "sources",
        "sources:\n  - session_id: abc # from\n    range: [1, 2]\n    note: kept\n\n  # between\n  - segment_id: 'd e'\n    range: [3, 4]\n",
    ),
    ("last_sources", "last_sources:\n- session_id: abc\n  range: [1, 2]\n- {session_id: x, range: [0, 0]}\n"),
    ("one_source", "one_source: [{session_id: abc, range: [1, 2]}]\n"),
    ("no_source", "no_source: []  # none\n"),
    ("date", "date: 2026-06-20T19:00:00+09:00\n"),
    ("tagged", "tagged: !!str 12 # tag\n"),
    ("anchored", "anchored: &unused 'x'\n"),
    ("日本", "日本: 値 と 値 # 注\n"),
    ("tab", "tab:\tvalue\t# after tabs\n"),
    ("truth", "truth: true\n"),
    ("number", "number: 0x10\n"),
    ("null_one", "null_one: ~\n"),
    ("url", "url: http://example.org/#frag\n"),
    ("nested", "nested:\n  a:\n    - b: c\n      # d\n"),
    ("explicit", "? explicit\n: value\n"),
];

/// What may stand between fields and belongs to nobody. The unknown duplicates are valid to the reference runtime.
const BETWEEN: &[&str] =
    &["", "# comment: 'x\n", "\n", "\n  # indented comment\n\n", "dup: 1\n", "shared: &shared [1]\nuser: *shared\n"];

fn made(
    fields: &[usize],
    between: &[usize],
    crlf: bool,
    bom: bool,
    body: &str,
    end: bool,
) -> (String, Vec<&'static str>) {
    let mut text = String::from("---\n");
    let mut names = Vec::new();
    let mut anchored = false;
    for (n, field) in fields.iter().enumerate() {
        let gap = BETWEEN[between[n % between.len()] % BETWEEN.len()];
        if !gap.starts_with("shared") || !std::mem::replace(&mut anchored, true) {
            text.push_str(gap);
        }
        let (name, lines) = FIELDS[*field];
        if !names.contains(&name) {
            names.push(name);
            text.push_str(lines);
        }
    }
    text.push_str("---  \n");
    text.push_str(body);
    if end {
        text.push('\n');
    }
    if crlf {
        text = text.replace('\n', "\r\n");
    }
    if bom {
        text.insert(0, '\u{feff}');
    }
    (text, names)
}

fn name(written: &str) -> &str {
    written.trim_matches('"')
}

/// The text outside the lines of `field`; all of it before the closing fence and from it on, if the field is absent.
fn outside<'a>(text: &'a str, field: &str) -> (&'a str, &'a str) {
    let read = Frontmatter::parse(text).unwrap_or_else(|bad| panic!("{:?}\n{text}", bad.message));
    let lines = read.field(field).map_or(read.parts.yaml.end..read.parts.yaml.end, |field| field.lines.clone());
    (&text[..lines.start], &text[lines.end..])
}

fn value() -> impl Strategy<Value = FieldValue> {
    let source = ("[a-z]{1,8}|[a-z ,:#'\"\\[\\]{}日本]{1,8}", 0..99i64, any::<bool>())
        .prop_map(|(session_id, n, segment)| Source { session_id, range: [n, n + 1], segment });
    prop_oneof![
        Just(FieldValue::Null),
        any::<bool>().prop_map(FieldValue::Bool),
        any::<i64>().prop_map(FieldValue::Int),
        "\\PC{0,12}".prop_map(FieldValue::Text),
        "[ a-z:#'\"\\\\\n\r\t&*!|>%@`\\-?{}\\[\\],日本語ｶﾞ\u{1f600}\u{feff}\u{85}\u{2028}\0]{0,12}"
            .prop_map(FieldValue::Text),
        Just(FieldValue::Text("true".into())),
        Just(FieldValue::Text("---".into())),
        (0..9i64, 0..9i64).prop_map(|(a, b)| FieldValue::Range([a, b])),
        prop::collection::vec(source, 0..4).prop_map(FieldValue::Sources),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn only_that_fields_lines_change(
        fields in prop::collection::vec(0..FIELDS.len(), 1..9),
        between in prop::collection::vec(0..BETWEEN.len(), 1..9),
        (crlf, bom, end) in any::<(bool, bool, bool)>(),
        which in any::<prop::sample::Index>(),
        value in value(),
    ) {
        let (text, names) = made(&fields, &between, crlf, bom, "# body\n\n---\n#slug 日本\t", end);
        let written = name(names[which.index(names.len())]);
        let before = outside(&text, written);
        let set = match set_field(&text, written, &value) {
            Ok(set) => set,
            Err(error) => { prop_assert!(false, "{error}: {value:?} into {written}\n{text}"); unreachable!() }
        };
        prop_assert_eq!(before, outside(&set, written), "{:?} into {}\n{}\n{}", value, written, text, set);
        let read = Frontmatter::parse(&set).unwrap();
        let got = FieldValue::of(&set, read.field(written).unwrap());
        if value != FieldValue::Sources(vec![]) {
            prop_assert_eq!(&got, &value, "{}", set);
        }
        // A one-line value that is put back restores the file byte for byte.
        let source = field_source(&text, written).unwrap().unwrap();
        let first = Frontmatter::parse(&text).unwrap();
        let field = first.field(written).unwrap();
        let one_line = text[field.lines.clone()].trim_end().lines().count() == 1;
        if one_line && !matches!(value, FieldValue::Sources(_)) {
            let back = set_field(&set, written, &FieldValue::Yaml(source)).unwrap();
            prop_assert_eq!(&back, &text, "{:?} into {}", value, written);
        }
        // A new field comes last and touches nothing.
        let added = set_field(&text, "brand_new", &value).unwrap();
        prop_assert_eq!(outside(&added, "brand_new"), outside(&text, "brand_new"));
        prop_assert_eq!(&remove_field(&added, "brand_new").unwrap(), &text);
        // Taking the field away takes its lines alone.
        match remove_field(&text, written) {
            Ok(gone) => prop_assert_eq!(gone, format!("{}{}", before.0, before.1)),
            // A comment or blank line behind it would become part of the block scalar before it.
            Err(_) => prop_assert!(before.0.contains(['|', '>']) && (before.1.trim_start().starts_with('#') || before.1.starts_with(['\n', '\r'])), "{written}\n{text}"),
        }
    }

    /// Same sort of value, typed in a form and then typed back: no trace is left.
    #[test]
    fn a_value_typed_back_leaves_no_trace(old in "[a-z日本 ]{0,9}[a-z日本]", new in "[a-z日本 ]{0,9}[a-z日本]", quote in 0..3usize, crlf in any::<bool>()) {
        let (old, new) = (format!("x{old}"), format!("x{new}"));
        let q = ["", "'", "\""][quote];
        let text = format!("---\na: 1\nfield:  {q}{old}{q}\t# c\nb: 2\n---\nbody").replace('\n', if crlf { "\r\n" } else { "\n" });
        let set = set_field(&text, "field", &FieldValue::Text(new)).unwrap();
        prop_assert_eq!(set_field(&set, "field", &FieldValue::Text(old)).unwrap(), text);
    }

    #[test]
    fn any_text_at_all_is_read_or_refused(text in "(---\n)?[\\-a-z:#'\"\\[\\]{}&*!|>%@` \t\n\r日本\0]{0,80}(---\n)?", value in value()) {
        if let Ok(set) = set_field(&text, "a", &value) {
            prop_assert!(Frontmatter::parse(&set).unwrap().field("a").is_some());
        }
    }
}

#[test]
fn entries_of_sources_keep_their_own_lines() {
    let text = "---\nsources:  # where\n    - session_id: abc # from\n      range: [1,2]\n      note: kept\n\n    # between\n    - segment_id: 'd e'\n      range: [3, 4]\n\n# tail\nz: 1\n---\n";
    let read = Frontmatter::parse(text).unwrap();
    let FieldValue::Sources(mut sources) = FieldValue::of(text, read.field("sources").unwrap()) else { panic!() };
    sources.push(Source { session_id: "new".into(), range: [5, 6], segment: false });
    let set = set_field(text, "sources", &FieldValue::Sources(sources.clone())).unwrap();
    assert_eq!(set, text.replace("[3, 4]\n", "[3, 4]\n    - session_id: new\n      range: [5, 6]\n"));
    sources.remove(0);
    sources.pop();
    let set = set_field(&set, "sources", &FieldValue::Sources(sources)).unwrap();
    assert_eq!(set, "---\nsources:  # where\n    - segment_id: 'd e'\n      range: [3, 4]\n\n# tail\nz: 1\n---\n");
}

#[test]
fn what_is_shared_or_ambiguous_is_refused() {
    for (text, field) in [
        ("---\na: &x 1\nb: *x\n---\n", "a"),
        ("---\na: 1\na: 2\n---\n", "a"),
        ("---\n{a: 1}\n---\n", "a"),
        ("---\na: b: c\n---\n", "a"),
        ("no frontmatter", "a"),
    ] {
        let error = set_field(text, field, &FieldValue::Int(3)).unwrap_err();
        assert_eq!(error.code(), kiroku_model::ErrorCode::Refused, "{text}");
    }
    // What only uses an anchor is free.
    assert_eq!(set_field("---\na: &x 1\nb: *x\n---\n", "b", &FieldValue::Int(3)).unwrap(), "---\na: &x 1\nb: 3\n---\n");
}

#[test]
fn a_body_of_a_megabyte_stays() {
    let body = "日本語 text #slug\r\n".repeat(50_000);
    let text = format!("---\na: 1\n---\n{body}");
    assert!(text.len() > 1_000_000);
    assert_eq!(set_field(&text, "a", &FieldValue::Int(2)).unwrap(), format!("---\na: 2\n---\n{body}"));
}
