//! The rules about a record's frontmatter fields.

use super::{Check, FindingCode, Findings};
use crate::frontmatter::{Field, Frontmatter, line_end, range, source};
use crate::yaml::{Scalar, Yaml};
use crate::{RecordKind, Slug};
use kiroku_model::{Text, Time, text};
use saphyr_parser::ScalarStyle;
use std::ops::Range;

/// What a field's value must be.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Shape {
    Time,
    Text,
    Bool,
    Range,
    Sources,
    Status,
    Slug,
}

/// Body of this many characters with at most one source could be shorter.
const LONG_BODY: usize = 1_500;
/// More sources than this are many.
const MANY_SOURCES: usize = 10;
/// The most characters of a description that models see.
const LONGEST_DESCRIPTION: usize = 1_024;

/// The words that a decision's status may be.
pub const STATUSES: [&str; 3] = ["open", "resolved", "replaced"];

/// The fields of a kind that have a meaning: name, shape, whether required.
pub(super) fn schema(kind: RecordKind) -> &'static [(&'static str, Shape, bool)] {
    match kind {
        RecordKind::Summary => &[
            ("created_at", Shape::Time, false),
            ("updated_at", Shape::Time, true),
            ("last_rewritten_from_range", Shape::Range, false),
        ],
        RecordKind::Decision => &[
            ("created_at", Shape::Time, true),
            ("updated_at", Shape::Time, true),
            ("sources", Shape::Sources, true),
            ("status", Shape::Status, true),
            ("replaced_by", Shape::Slug, false),
        ],
        RecordKind::Request => {
            &[("created_at", Shape::Time, true), ("updated_at", Shape::Time, true), ("sources", Shape::Sources, true)]
        }
        RecordKind::Knowledge => &[
            ("kind", Shape::Text, true),
            ("description", Shape::Text, true),
            ("model_invokation", Shape::Bool, true),
            ("user_invocable", Shape::Bool, true),
            ("last_sources", Shape::Sources, true),
            ("created_at", Shape::Time, true),
            ("updated_at", Shape::Time, true),
        ],
    }
}

pub(super) fn check(check: &Check<'_>, read: &Frontmatter, found: &mut Findings<'_>) {
    let misspelt = read.field("model_invocation").filter(|_| check.kind == RecordKind::Knowledge);
    if let Some(field) = misspelt {
        found.error(
            FindingCode::FieldMisspelt,
            field.key_span.clone(),
            text!(en: "`model_invocation` is spelt `model_invokation` here, with a k", ja: "model_invocation ではなく、k を使って model_invokation と書いてください"),
        );
    }
    for (name, shape, required) in schema(check.kind) {
        let fields: Vec<&Field> = read.fields.iter().filter(|field| field.key == *name).collect();
        for twice in fields.iter().skip(1) {
            found.error(
                FindingCode::FieldDuplicate,
                twice.key_span.clone(),
                text!(en: "`{name}` stands there twice", ja: "{name} が 2 回書かれています"),
            );
        }
        let present = fields.first().copied().filter(|field| field.value.scalar() != Some(Scalar::Null));
        match present {
            Some(field) => value(field, name, *shape, found),
            None if *required && !(*name == "model_invokation" && misspelt.is_some()) => {
                found.error(
                    FindingCode::FieldMissing,
                    fields.first().map_or(read.parts.open.clone(), |field| field.lines.clone()),
                    text!(en: "`{name}` is missing", ja: "{name} がありません"),
                );
                found.about(name);
            }
            None => {}
        }
    }
    match check.kind {
        RecordKind::Decision => replacement(check, read, found),
        RecordKind::Knowledge => knowledge(read, found),
        RecordKind::Summary | RecordKind::Request => {}
    }
    sources(check, read, found);
    times(read, found);
    cut(check, read, found);
}

fn span(field: &Field) -> Range<usize> {
    if field.source.is_empty() { field.key_span.clone() } else { field.source.clone() }
}

fn time(field: &Field) -> Option<Time> {
    // The library also takes a zone's name in brackets, which RFC 3339 does not have.
    field.value.str().filter(|text| !text.contains('[')).and_then(|text| Time::parse(text).ok())
}

fn value(field: &Field, name: &str, shape: Shape, found: &mut Findings<'_>) {
    let node = &field.value;
    let right = match shape {
        Shape::Time => time(field).is_some(),
        Shape::Text | Shape::Status => node.str().is_some(),
        Shape::Bool => matches!(node.scalar(), Some(Scalar::Bool(_))),
        Shape::Range => range(node).is_some(),
        Shape::Sources => node.list().is_some_and(|items| items.iter().all(|item| source(item).is_some())),
        Shape::Slug => node.str().is_some_and(Slug::is_valid),
    };
    if !right {
        let wanted = match shape {
            Shape::Time => {
                text!(en: "an RFC 3339 time with its zone, such as 2026-06-20T10:00:00Z", ja: "2026-06-20T10:00:00Z のような時差つきの RFC 3339 の日時")
            }
            Shape::Text => {
                text!(en: "a text (a number or true must be quoted, and so must a text that holds `: `)", ja: "文字列（数や true、「: 」を含むものは引用符で囲みます）")
            }
            Shape::Status => text!(en: "open, resolved or replaced", ja: "open、resolved、replaced のどれか"),
            Shape::Bool => text!(en: "true or false", ja: "true か false"),
            Shape::Range => text!(en: "two whole numbers: [from, to]", ja: "[from, to] の 2 つの整数"),
            Shape::Sources => {
                text!(en: "a list of {{session_id, range: [from, to]}}", ja: "{{session_id, range: [from, to]}} の並び")
            }
            Shape::Slug => text!(en: "the slug of a decision", ja: "decision の slug"),
        };
        let Text { en, ja } = wanted;
        found.error(
            FindingCode::FieldType,
            span(field),
            text!(en: "`{name}` must be {en}", ja: "{name} は{ja}でなければなりません"),
        );
        found.about(name);
    } else if shape == Shape::Status && node.str().is_none_or(|word| !STATUSES.contains(&word)) {
        let word = node.str().unwrap_or_default();
        found.error(
            FindingCode::StatusUnknown,
            span(field),
            text!(en: "`{word}` is no status: open, resolved or replaced", ja: "「{word}」という status はありません。open、resolved、replaced のどれかにしてください"),
        );
    }
}

fn replacement(check: &Check<'_>, read: &Frontmatter, found: &mut Findings<'_>) {
    let target = read.field("replaced_by").filter(|field| field.value.scalar() != Some(Scalar::Null));
    let Some(field) = target else {
        if let Some(status) = read.field("status").filter(|status| status.value.str() == Some("replaced")) {
            found.error(
                FindingCode::ReplacedWithoutTarget,
                span(status),
                text!(en: "the status is replaced, and `replaced_by` does not say by what", ja: "status が replaced ですが、replaced_by がありません"),
            );
        }
        return;
    };
    let Some(slug) = field.value.str().and_then(|text| Slug::parse(text).ok()) else {
        return;
    };
    if slug == *check.slug {
        found.error(
            FindingCode::ReplacedBySelf,
            span(field),
            text!(en: "`replaced_by` names the record itself", ja: "replaced_by がこの記録自身を指しています"),
        );
        return;
    }
    if !check.existing.contains(RecordKind::Decision, &slug) {
        found.error(
            FindingCode::ReplacedByUnknown,
            span(field),
            text!(en: "there is no decision `{slug}`", ja: "decision「{slug}」はありません"),
        );
        found.about(slug.as_str());
        return;
    }
    let mut seen = vec![&slug];
    let mut at = &slug;
    while let Some(next) = check.existing.replaced_by(at) {
        if next == check.slug {
            let way: Vec<String> = seen.iter().map(|slug| format!("`{slug}`")).collect();
            let way = way.join(" → ");
            found.error(
                FindingCode::ReplacedByCycle,
                span(field),
                text!(en: "`replaced_by` goes round in a circle: {way} → this record", ja: "replaced_by がめぐって戻ります: {way} → この記録"),
            );
            return;
        }
        if seen.contains(&next) {
            return;
        }
        seen.push(next);
        at = next;
    }
}

fn knowledge(read: &Frontmatter, found: &mut Findings<'_>) {
    if let Some(field) = read.field("kind")
        && let Some(kind) = field.value.str().filter(|word| RecordKind::from_word(word).is_some())
    {
        found.error(
            FindingCode::KindIsRecordKind,
            span(field),
            text!(en: "`{kind}` is the name of a record kind: choose another word", ja: "「{kind}」は記録の種類の名前です。別の語にしてください"),
        );
    }
    if let Some(field) = read.field("description")
        && let Some(length) = field.value.str().map(|text| text.chars().count()).filter(|n| *n > LONGEST_DESCRIPTION)
        && read.bool("model_invokation") == Some(true)
    {
        found.error(
            FindingCode::DescriptionTooLong,
            span(field),
            text!(
                en: "the description has {length} characters: with model_invokation at most {LONGEST_DESCRIPTION} are allowed",
                ja: "description が {length} 文字あります。model_invokation が true のときは {LONGEST_DESCRIPTION} 文字までです"
            ),
        );
    }
}

fn sources(check: &Check<'_>, read: &Frontmatter, found: &mut Findings<'_>) {
    let name = match check.kind {
        RecordKind::Summary => return,
        RecordKind::Knowledge => "last_sources",
        RecordKind::Decision | RecordKind::Request => "sources",
    };
    let field = read.field(name);
    let count = field.and_then(|field| field.value.list()).map_or(0, <[_]>::len);
    if let Some(field) = field.filter(|_| count > MANY_SOURCES) {
        found.warning(
            FindingCode::ManySources,
            field.key_span.clone(),
            text!(en: "{count} sources: more than {MANY_SOURCES} are hard to follow", ja: "出典が {count} 件あります。{MANY_SOURCES} 件を超えるとたどりにくくなります"),
        );
    }
    let body = read.parts.body();
    let length = check.text[body..].chars().count();
    if length >= LONG_BODY && count <= 1 {
        found.warning(
            FindingCode::CouldBeShorter,
            body..body,
            text!(en: "{length} characters from {count} sources: this could be shorter", ja: "出典 {count} 件に対して本文が {length} 文字あります。短くできないか確かめてください"),
        );
    }
}

fn times(read: &Frontmatter, found: &mut Findings<'_>) {
    if let (Some(created), Some(field)) = (read.field("created_at").and_then(time), read.field("updated_at"))
        && time(field).is_some_and(|updated| updated < created)
    {
        found.warning(
            FindingCode::UpdatedBeforeCreated,
            span(field),
            text!(en: "`updated_at` is before `created_at`", ja: "updated_at が created_at より前になっています"),
        );
    }
}

/// A comment is right after a value in good files too. It is taken for a text cut short where it can hardly be meant: in a
/// description or a kind, or without a blank after the `#`. A name with blanks in it was most likely a line of text.
fn cut(check: &Check<'_>, read: &Frontmatter, found: &mut Findings<'_>) {
    for field in &read.fields {
        let prose = check.kind == RecordKind::Knowledge && matches!(field.key.as_str(), "description" | "kind");
        let end = line_end(check.text, field.source.end);
        let rest = &check.text[field.source.end..end];
        let comment = rest.trim_start_matches([' ', '\t']);
        let plain =
            matches!(&field.value.value, Yaml::Scalar { style: ScalarStyle::Plain, .. }) && field.value.str().is_some();
        if plain
            && comment.len() < rest.len()
            && comment.starts_with('#')
            && (prose || !comment[1..].starts_with([' ', '\t', '\r', '\n']))
        {
            let name = &field.key;
            found.warning(
                FindingCode::CutSilently,
                end - comment.len()..end,
                text!(en: "`{name}` ends before this `#`: put the text in quotes", ja: "{name} はこの「#」の前で切れています。文字列を引用符で囲んでください"),
            );
            found.about(name);
        }
        if !field.key.starts_with('?') && field.key.trim().contains([' ', '\t']) {
            found.warning(
                FindingCode::CutSilently,
                field.key_span.start..field.colon,
                text!(en: "the `: ` made a field of this line: put the text in quotes", ja: "「: 」のため、この行は項目として読まれています。文字列を引用符で囲んでください"),
            );
        }
    }
}
