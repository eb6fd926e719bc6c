//! What the checker says: a code for programs, a message for people, and where.

use kiroku_model::{Lang, Text};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// How bad it is. A tool refuses to write a record with errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, specta::Type)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The record breaks a rule.
    Error,
    /// The record could be better.
    Warning,
}

/// What is wrong: a closed list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum FindingCode {
    /// There is no frontmatter.
    FrontmatterMissing,
    /// The frontmatter is not closed, or is no YAML mapping.
    FrontmatterMalformed,
    /// A required field is absent or null.
    FieldMissing,
    /// A field's value is of the wrong type.
    FieldType,
    /// A field that has a meaning stands there more than once.
    FieldDuplicate,
    /// A field's name is spelt as it should not be (`model_invocation`).
    FieldMisspelt,
    /// The status is none of `open`, `resolved`, `replaced`.
    StatusUnknown,
    /// The body has more characters than it may.
    BodyTooLong,
    /// The description of a record that models see is longer than 1,024 characters.
    DescriptionTooLong,
    /// `replaced_by` names no decision.
    ReplacedByUnknown,
    /// `replaced_by` names the record itself.
    ReplacedBySelf,
    /// `replaced_by` leads back to the record.
    ReplacedByCycle,
    /// The status is `replaced` and there is no `replaced_by`.
    ReplacedWithoutTarget,
    /// A knowledge record's `kind` is the name of a record kind.
    KindIsRecordKind,
    /// A record that is to be made is there already.
    SlugExists,
    /// A `#slug` names no record.
    MentionUnknown,
    /// The body is long for a record with at most one source.
    CouldBeShorter,
    /// More than 10 sources.
    ManySources,
    /// Another record of the kind has nearly the same name.
    NearSlugs,
    /// `updated_at` is before `created_at`.
    UpdatedBeforeCreated,
    /// The reference runtime can't read the file.
    ReferenceCannotRead,
    /// A `#` or `: ` without quotes cut a text.
    CutSilently,
}

/// One thing that is wrong. Lines and columns count from 1, columns in characters; the end is after the last character.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What is wrong.
    pub code: FindingCode,
    /// How bad it is.
    pub severity: Severity,
    /// For a person.
    pub message: Text,
    /// The field, the slug or the word that it is about, where a fix has to know.
    pub about: Option<String>,
    /// Byte range in the text.
    pub span: Range<usize>,
    /// Line and column of its start.
    pub start: (usize, usize),
    /// Line and column of its end.
    pub end: (usize, usize),
}

/// A [`Finding`] as it crosses a border: in one language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct WireFinding {
    /// What is wrong.
    pub code: FindingCode,
    /// How bad it is.
    pub severity: Severity,
    /// For a person.
    pub message: String,
    /// First line, from 1.
    pub line: usize,
    /// First column, from 1, in characters.
    pub column: usize,
    /// Last line.
    pub end_line: usize,
    /// The column after the last character.
    pub end_column: usize,
}

impl Finding {
    /// The finding as it crosses a border.
    pub fn to_wire(&self, lang: Lang) -> WireFinding {
        WireFinding {
            code: self.code,
            severity: self.severity,
            message: self.message.get(lang).to_owned(),
            line: self.start.0,
            column: self.start.1,
            end_line: self.end.0,
            end_column: self.end.1,
        }
    }

    /// Whether it is an error.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// Findings as they are gathered; their lines and columns are counted at the end in one walk through the text.
pub(super) struct Findings<'a> {
    text: &'a str,
    list: Vec<Finding>,
}

impl<'a> Findings<'a> {
    pub fn new(text: &'a str) -> Findings<'a> {
        Findings { text, list: Vec::new() }
    }

    pub fn error(&mut self, code: FindingCode, span: Range<usize>, message: Text) {
        self.add(code, Severity::Error, span, message);
    }

    pub fn warning(&mut self, code: FindingCode, span: Range<usize>, message: Text) {
        self.add(code, Severity::Warning, span, message);
    }

    /// Says what the finding that was added last is about.
    pub fn about(&mut self, about: &str) {
        if let Some(last) = self.list.last_mut() {
            last.about = Some(about.to_owned());
        }
    }

    fn add(&mut self, code: FindingCode, severity: Severity, span: Range<usize>, message: Text) {
        // A line end is no part of what is marked.
        let end = span.start + self.text[span.clone()].trim_end_matches(['\r', '\n']).len();
        let (span, start) = (span.start..end, (1, 1));
        self.list.push(Finding { code, severity, message, about: None, span, start, end: start });
    }

    pub fn done(mut self) -> Vec<Finding> {
        self.list.sort_by_key(|finding| (finding.span.start, finding.span.end));
        let mut place = (0, 1, 1);
        for finding in &mut self.list {
            place = walk(self.text, place, finding.span.start);
            finding.start = (place.1, place.2);
            let end = walk(self.text, place, finding.span.end);
            finding.end = (end.1, end.2);
        }
        self.list
    }
}

/// From a byte, line and column to those at `to`.
fn walk(text: &str, (at, line, column): (usize, usize, usize), to: usize) -> (usize, usize, usize) {
    let between = &text[at..to];
    match between.rfind('\n') {
        Some(last) => {
            let lines = memchr::memchr_iter(b'\n', between.as_bytes()).count();
            (to, line + lines, between[last + 1..].chars().count() + 1)
        }
        None => (to, line, column + between.chars().count()),
    }
}
