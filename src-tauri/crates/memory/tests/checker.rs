//! Every finding of the checker, alone and several at once.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test's own functions")]

use kiroku_memory::{Check, Existing, FindingCode, FindingCode::*, RecordKind, RecordRef, Settings, Slug, check};
use kiroku_model::Lang;

const SUMMARY: &str = "---\nupdated_at: 2026-06-20T10:00:00Z\n---\nbody\n";
const DECISION: &str = "---\ncreated_at: 2026-06-20T10:00:00Z\nupdated_at: 2026-06-20T19:00:00+09:00\nsources:\n  - session_id: abc\n    range: [1, 2]\nstatus: open\n---\nbody\n";
const REQUEST: &str = "---\ncreated_at: 2026-06-20T10:00:00Z\nupdated_at: 2026-06-21T10:00:00Z\nsources: [{segment_id: a, range: [0, 0]}]\n---\nbody\n";
const KNOWLEDGE: &str = "---\nkind: rule\ndescription: what it says\nmodel_invokation: true\nuser_invocable: false\nlast_sources: []\ncreated_at: 2026-06-20T10:00:00Z\nupdated_at: 2026-06-20T10:00:00Z\n---\nbody\n";

fn slug(text: &str) -> Slug {
    Slug::parse(text).unwrap()
}

fn existing() -> Existing {
    let mut all = Existing::new();
    for (kind, name) in [
        (RecordKind::Decision, "old-plan"),
        (RecordKind::Decision, "second"),
        (RecordKind::Knowledge, "how-to-build"),
        (RecordKind::Knowledge, "cafe"),
        (RecordKind::Request, "please"),
    ] {
        all.add(RecordRef::new(kind, Some(name)).unwrap());
    }
    all
}

fn codes(kind: RecordKind, text: &str) -> Vec<FindingCode> {
    check(kind, &slug("the-record"), text, &existing()).into_iter().map(|f| f.code).collect()
}

fn decision(from: &str, to: &str) -> Vec<FindingCode> {
    assert!(DECISION.contains(from));
    codes(RecordKind::Decision, &DECISION.replace(from, to))
}

fn knowledge(from: &str, to: &str) -> Vec<FindingCode> {
    assert!(KNOWLEDGE.contains(from));
    codes(RecordKind::Knowledge, &KNOWLEDGE.replace(from, to))
}

#[test]
fn good_records_have_no_findings() {
    for (kind, text) in [
        (RecordKind::Summary, SUMMARY),
        (RecordKind::Decision, DECISION),
        (RecordKind::Request, REQUEST),
        (RecordKind::Knowledge, KNOWLEDGE),
    ] {
        assert_eq!(codes(kind, text), [], "{kind}");
        assert_eq!(codes(kind, &text.replace('\n', "\r\n")), [], "{kind} with CRLF");
    }
    assert_eq!(
        codes(
            RecordKind::Summary,
            &SUMMARY.replace("---\nbody", "last_rewritten_from_range: [1, 2]\nunknown: 1\nunknown: 2\n---\nbody")
        ),
        []
    );
}

#[test]
fn frontmatter_itself() {
    assert_eq!(codes(RecordKind::Decision, ""), [FrontmatterMissing]);
    assert_eq!(codes(RecordKind::Decision, "body"), [FrontmatterMissing]);
    assert_eq!(codes(RecordKind::Decision, "---\na: 1\nbody"), [FrontmatterMalformed]);
    assert_eq!(codes(RecordKind::Decision, "---\na: b: c\n---\n"), [FrontmatterMalformed]);
    assert_eq!(codes(RecordKind::Decision, "---\n- a\n---\n"), [FrontmatterMalformed]);
    // The body is checked all the same.
    assert_eq!(codes(RecordKind::Decision, "---\na: b: c\n---\n#nothing-here"), [FrontmatterMalformed, MentionUnknown]);
}

#[test]
fn required_fields_each() {
    assert_eq!(codes(RecordKind::Summary, "---\n---\n"), [FieldMissing]);
    assert_eq!(codes(RecordKind::Decision, "---\n---\n"), [FieldMissing; 4]);
    assert_eq!(codes(RecordKind::Request, "---\n---\n"), [FieldMissing; 3]);
    assert_eq!(codes(RecordKind::Knowledge, "---\n---\n"), [FieldMissing; 7]);
    for (kind, text) in [
        (RecordKind::Summary, SUMMARY),
        (RecordKind::Decision, DECISION),
        (RecordKind::Request, REQUEST),
        (RecordKind::Knowledge, KNOWLEDGE),
    ] {
        let read = kiroku_memory::Frontmatter::parse(text).unwrap();
        for field in &read.fields {
            let without = kiroku_memory::remove_field(text, &field.key).unwrap();
            assert_eq!(codes(kind, &without), [FieldMissing], "{kind} {}", field.key);
            let null = kiroku_memory::set_field(text, &field.key, &kiroku_memory::FieldValue::Null).unwrap();
            assert_eq!(codes(kind, &null), [FieldMissing], "{kind} {} null", field.key);
            let twice = text.replacen("---\n", &format!("---\n{}", &text[field.lines.clone()]), 1);
            assert_eq!(codes(kind, &twice), [FieldDuplicate], "{kind} {} twice", field.key);
        }
    }
}

#[test]
fn types() {
    for bad in [
        "2026-06-20",
        "2026-06-20T10:00:00",
        "yesterday",
        "12",
        "[1]",
        "\"\"",
        "2026-06-20T10:00:00+09:00[Asia/Tokyo]",
        "1969-01-01T00:00:00Z",
    ] {
        assert_eq!(decision("created_at: 2026-06-20T10:00:00Z", &format!("created_at: {bad}")), [FieldType], "{bad}");
    }
    for bad in [
        "x",
        "{session_id: a, range: [1, 2]}",
        "[a]",
        "[{session_id: a}]",
        "[{range: [1, 2]}]",
        "[{session_id: 1, range: [1, 2]}]",
        "[{session_id: a, range: [1]}]",
        "[{session_id: a, range: [1, x]}]",
        "[{session_id: a, range: [-1, 2]}]",
        "[{session_id: a, segment_id: b, range: [1, 2]}]",
    ] {
        let found = codes(RecordKind::Request, &REQUEST.replace("[{segment_id: a, range: [0, 0]}]", bad));
        assert_eq!(found, [FieldType], "{bad}");
    }
    assert_eq!(knowledge("kind: rule", "kind: 5"), [FieldType]);
    assert_eq!(knowledge("what it says", "true"), [FieldType]);
    assert_eq!(knowledge("description: what it says", "description:\n  note: this"), [FieldType]);
    assert_eq!(knowledge("model_invokation: true", "model_invokation: yes"), [FieldType]);
    assert_eq!(knowledge("model_invokation: true", "model_invokation: \"true\""), [FieldType]);
    let summary = |bad: &str| {
        codes(
            RecordKind::Summary,
            &SUMMARY.replace("---\nbody", &format!("last_rewritten_from_range: {bad}\n---\nbody")),
        )
    };
    assert_eq!(summary("3"), [FieldType]);
    assert_eq!(summary("[1, 2, 3]"), [FieldType]);
    assert_eq!(decision("status: open", "status: 3"), [FieldType]);
    assert_eq!(decision("status: open", "status: closed"), [StatusUnknown]);
    assert_eq!(decision("status: open", "status: resolved"), []);
    assert_eq!(knowledge("model_invokation", "model_invocation"), [FieldMisspelt]);
    assert_eq!(knowledge("kind: rule", "kind: decision"), [KindIsRecordKind]);
}

#[test]
fn replacements() {
    let with = |line: &str| decision("status: open\n", &format!("status: replaced\n{line}"));
    assert_eq!(with(""), [ReplacedWithoutTarget]);
    assert_eq!(with("replaced_by:\n"), [ReplacedWithoutTarget]);
    assert_eq!(with("replaced_by: second\n"), []);
    assert_eq!(with("replaced_by: nowhere\n"), [ReplacedByUnknown]);
    assert_eq!(with("replaced_by: please\n"), [ReplacedByUnknown]);
    assert_eq!(with("replaced_by: Not A Slug\n"), [FieldType]);
    assert_eq!(with("replaced_by: the-record\n"), [ReplacedBySelf]);
    let text = DECISION.replace("status: open\n", "status: replaced\nreplaced_by: old-plan\n");
    let run = |pairs: &[(&str, &str)]| {
        let mut all = existing();
        all.add(RecordRef::new(RecordKind::Decision, Some("the-record")).unwrap());
        for (from, to) in pairs {
            all.replaced(slug(from), slug(to));
        }
        check(RecordKind::Decision, &slug("the-record"), &text, &all).into_iter().map(|f| f.code).collect::<Vec<_>>()
    };
    assert_eq!(run(&[("old-plan", "the-record")]), [ReplacedByCycle]);
    assert_eq!(run(&[("old-plan", "second"), ("second", "the-record")]), [ReplacedByCycle]);
    // A circle that this record is not in is not this record's, and the walk ends.
    assert_eq!(run(&[("old-plan", "second"), ("second", "old-plan")]), []);
    assert_eq!(run(&[("old-plan", "second")]), []);
}

#[test]
fn lengths() {
    let body = |text: &str, n: usize| text.replace("body\n", &"字".repeat(n));
    assert_eq!(codes(RecordKind::Summary, &body(SUMMARY, 20_000)), []);
    assert_eq!(codes(RecordKind::Summary, &body(SUMMARY, 20_001)), [BodyTooLong]);
    assert_eq!(codes(RecordKind::Decision, &body(DECISION, 1_499)), []);
    assert_eq!(codes(RecordKind::Decision, &body(DECISION, 1_500)), [CouldBeShorter]);
    let two = DECISION.replace("status", "  - session_id: d\n    range: [1, 2]\nstatus");
    assert_eq!(codes(RecordKind::Decision, &body(&two, 8_000)), []);
    assert_eq!(codes(RecordKind::Decision, &body(&two, 8_001)), [BodyTooLong]);
    let settings = Settings { body_limit: 9_000, ..Settings::default() };
    let text = body(&two, 9_000);
    let run = Check {
        kind: RecordKind::Decision,
        slug: &slug("the-record"),
        text: &text,
        existing: &existing(),
        settings: &settings,
        creating: false,
    };
    assert!(run.findings().is_empty());
    let many = |n: usize| {
        decision("  - session_id: abc\n    range: [1, 2]\n", &"  - session_id: abc\n    range: [1, 2]\n".repeat(n))
    };
    assert_eq!(many(10), []);
    assert_eq!(many(11), [ManySources]);
    assert_eq!(knowledge("what it says", &"あ".repeat(1_024)), []);
    assert_eq!(knowledge("what it says", &"あ".repeat(1_025)), [DescriptionTooLong]);
    let hidden = KNOWLEDGE
        .replace("what it says", &"あ".repeat(1_025))
        .replace("model_invokation: true", "model_invokation: false");
    assert_eq!(codes(RecordKind::Knowledge, &hidden), []);
}

#[test]
fn warnings() {
    assert_eq!(decision("body", "#how-to-build #old-plan #please #the-record `#code` #123 #ffaa00 #cafe"), []);
    assert_eq!(decision("body", "see #nowhere and #nobody"), [MentionUnknown, MentionUnknown]);
    assert_eq!(
        decision("updated_at: 2026-06-20T19:00:00+09:00", "updated_at: 2026-06-20T18:59:59+09:00"),
        [UpdatedBeforeCreated]
    );
    assert_eq!(codes(RecordKind::Decision, &format!("\u{feff}{DECISION}")), [ReferenceCannotRead]);
    assert_eq!(codes(RecordKind::Decision, &format!("\n{DECISION}")), [ReferenceCannotRead]);
    assert_eq!(codes(RecordKind::Decision, &DECISION.replacen("---\n", "--- \n", 1)), [ReferenceCannotRead]);
    assert_eq!(knowledge("what it says", "see #123 for it"), [CutSilently]);
    assert_eq!(knowledge("what it says", "C # is cut"), [CutSilently]);
    assert_eq!(knowledge("what it says", "\"C # is not\" # comment"), []);
    assert_eq!(decision("status: open", "status: open # comment"), []);
    assert_eq!(decision("status: open", "status: open\nextra: one #two"), [CutSilently]);
    assert_eq!(knowledge("what it says", "first\nsecond part: more"), [CutSilently]);
}

#[test]
fn names() {
    let run = |name: &str, creating: bool| {
        let run = Check {
            kind: RecordKind::Decision,
            slug: &slug(name),
            text: DECISION,
            existing: &existing(),
            settings: &Settings::default(),
            creating,
        };
        run.findings().into_iter().map(|f| f.code).collect::<Vec<_>>()
    };
    assert_eq!(run("old-plan", false), []);
    assert_eq!(run("old-plan", true), [SlugExists]);
    assert_eq!(run("old-plans", true), [NearSlugs]);
    assert_eq!(run("old-pl", false), [NearSlugs]);
    assert_eq!(run("old-p", false), []);
    // Another kind's slug is not near.
    assert_eq!(run("pleased", false), []);
}

#[test]
fn all_at_once_and_in_their_places() {
    let text = "\u{feff}---\nkind: summary\n説明: x\ndescription: 3\nmodel_invocation: true\nupdated_at: soon\n--- \n本文 #nowhere\n";
    let found = check(RecordKind::Knowledge, &slug("cafes"), text, &existing());
    let shown: Vec<_> = found.iter().map(|f| (f.code, f.start, f.end)).collect();
    assert_eq!(
        shown,
        [
            (NearSlugs, (1, 1), (1, 1)),
            (ReferenceCannotRead, (1, 1), (1, 2)),
            (FieldMissing, (1, 2), (1, 5)),
            (FieldMissing, (1, 2), (1, 5)),
            (FieldMissing, (1, 2), (1, 5)),
            (KindIsRecordKind, (2, 7), (2, 14)),
            (FieldType, (4, 14), (4, 15)),
            (FieldMisspelt, (5, 1), (5, 17)),
            (FieldType, (6, 13), (6, 17)),
            (ReferenceCannotRead, (7, 1), (7, 5)),
            (MentionUnknown, (8, 4), (8, 12)),
        ]
    );
    let wire = serde_json::to_value(found[5].to_wire(Lang::Ja)).unwrap();
    assert_eq!(wire["code"], "kind_is_record_kind");
    assert_eq!((&wire["severity"], &wire["line"], &wire["end_column"]), (&"error".into(), &2.into(), &14.into()));
}

proptest::proptest! {
    /// No text makes the checker panic, and every finding stands where the text has a character.
    #[test]
    fn any_text_is_checked(text in "(\u{feff})?(---\n)?[\\-a-z:#'\"\\[\\]{}&*!|>%@` \t\n\r日本\0]{0,80}(---\n)?#?[a-z`~日\n]{0,20}", kind in 0..4_usize) {
        for found in check(RecordKind::ALL[kind], &slug("x"), &text, &existing()) {
            proptest::prop_assert!(text.get(found.span.clone()).is_some());
            let line = text.split('\n').nth(found.start.0 - 1).unwrap();
            proptest::prop_assert!(found.start.1 <= line.chars().count() + 1);
        }
    }
}
