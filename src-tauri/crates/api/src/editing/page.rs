//! Records as the app's window has them. Its editor knows `\n` as the only line end and counts in UTF-16 units, so texts
//! are given so and places are told so.

use kiroku_memory::{
    FieldValue, Finding, FindingCode, Fix, Frontmatter, LineEnds, Overview, Record, RecordKind, RecordRef, Severity,
    Source, Why, fields_of, unified,
};
use kiroku_model::{Lang, Time};
use kiroku_search::SessionPart;
use serde::{Deserialize, Serialize};
use specta::Type;
use std::collections::BTreeMap;

/// A record in a list. What can't be read of its frontmatter is `None`.
#[derive(Clone, Debug, PartialEq, Serialize, Type)]
pub struct RecordRow {
    /// What names it, here and in addresses: `summary`, `decision:use-cookies`.
    #[serde(rename = "ref")]
    pub name: String,
    /// Its kind.
    pub kind: RecordKind,
    /// Its slug.
    pub slug: String,
    /// Its file under the content root.
    pub file: String,
    /// What it is about: its description, else the first line of its body.
    pub about: String,
    /// `kind` of a knowledge record.
    #[serde(rename = "type")]
    pub kind_word: Option<String>,
    /// `status` of a decision as it is written, also when it is none of the three.
    pub status: Option<String>,
    /// `replaced_by` of a decision, as it is written.
    pub replaced_by: Option<String>,
    /// `updated_at` as it is written, if it is a time.
    pub updated: Option<String>,
    /// When the file was written last.
    pub modified: Time,
    /// In bytes.
    pub size: u64,
    /// How many errors the checker has.
    pub errors: u32,
    /// How many warnings.
    pub warnings: u32,
    /// Why the file can't be read (it is not UTF-8, or a link that leads out of the space's folder).
    pub unreadable: Option<String>,
    /// Whether the file may not be written.
    pub read_only: bool,
}

impl RecordRow {
    pub(super) fn of(told: Overview, lang: Lang) -> RecordRow {
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        RecordRow {
            name: told.record.name(),
            kind: told.record.kind,
            slug: told.record.slug.to_string(),
            file: told.record.file(),
            about: told.about,
            kind_word: told.kind,
            status: told.status,
            replaced_by: told.replaced_by,
            updated: told.updated,
            modified: told.modified,
            size: told.size,
            errors: count(told.errors),
            warnings: count(told.warnings),
            unreadable: told.unreadable.map(|why| why.get(lang).to_owned()),
            read_only: told.read_only,
        }
    }
}

/// A file among the records that can be none, as its name stands.
#[derive(Clone, Debug, PartialEq, Serialize, Type)]
pub struct StrayFile {
    /// The file under the content root.
    pub file: String,
    /// What is wrong with it.
    pub message: String,
    /// A slug that it could be named by, if its name is what is wrong.
    pub rename_to: Option<String>,
}

/// All records.
#[derive(Clone, Debug, PartialEq, Serialize, Type)]
pub struct RecordList {
    /// The content root's path.
    pub root: String,
    /// Whether there is a directory for records at all; if not, they can be made.
    pub has_folders: bool,
    /// The records by kind, then by file name.
    pub records: Vec<RecordRow>,
    /// What lies among them and can be none.
    pub strays: Vec<StrayFile>,
}

/// One replacement in a text; places in UTF-16 units.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Type)]
pub struct TextEdit {
    /// Where it begins.
    pub from: usize,
    /// Where what is replaced ends.
    pub to: usize,
    /// What comes there.
    pub insert: String,
}

/// A mechanical way to put a finding right.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Type)]
pub struct QuickFix {
    /// As a button says it.
    pub label: String,
    /// What it does.
    pub edit: TextEdit,
}

/// One thing that the checker says of a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Type)]
pub struct RecordFinding {
    /// What is wrong.
    pub code: FindingCode,
    /// How bad it is.
    pub severity: Severity,
    /// For the person.
    pub message: String,
    /// Where, in UTF-16 units; the same as `to` where something is missing, or where the whole record is meant.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
    /// The line of its beginning, from 1.
    pub line: usize,
    /// Ways to put it right, the most likely first; none where only a person can.
    pub fixes: Vec<QuickFix>,
}

pub(super) fn findings(text: &str, found: Vec<(Finding, Vec<Fix>)>, lang: Lang) -> Vec<RecordFinding> {
    let mut places = Places::of(text);
    found
        .into_iter()
        .map(|(finding, fixes)| RecordFinding {
            code: finding.code,
            severity: finding.severity,
            message: finding.message.get(lang).to_owned(),
            from: places.at(finding.span.start),
            to: places.at(finding.span.end),
            line: finding.start.0,
            fixes: fixes
                .into_iter()
                .map(|fix| QuickFix {
                    label: fix.label.get(lang).to_owned(),
                    edit: TextEdit {
                        from: places.at(fix.span.start),
                        to: places.at(fix.span.end),
                        insert: unified(&fix.insert),
                    },
                })
                .collect(),
        })
        .collect()
}

/// From bytes to UTF-16 units, walking on from the last place that was asked for.
struct Places<'a> {
    text: &'a str,
    byte: usize,
    unit: usize,
}

impl<'a> Places<'a> {
    fn of(text: &'a str) -> Places<'a> {
        Places { text, byte: 0, unit: 0 }
    }

    fn at(&mut self, byte: usize) -> usize {
        let units = |part: &str| part.chars().map(char::len_utf16).sum::<usize>();
        if byte >= self.byte {
            self.unit += units(&self.text[self.byte..byte]);
        } else {
            self.unit -= units(&self.text[byte..self.byte]);
        }
        self.byte = byte;
        self.unit
    }
}

/// A record's text and what a change of it is based on.
#[derive(Clone, Debug, PartialEq, Serialize, Type)]
pub struct RecordText {
    /// Its name.
    #[serde(rename = "ref")]
    pub name: String,
    /// Its file under the content root.
    pub file: String,
    /// The whole text, each line ended by `\n`.
    pub text: String,
    /// Names this version of the file: the base of a save, a rename, a removal.
    pub hash: String,
    /// What the checker says of it.
    pub findings: Vec<RecordFinding>,
    /// Whether the file may not be written.
    pub read_only: bool,
    /// How the file ends its lines; saving keeps it.
    pub line_ends: LineEnds,
    /// Whether the text begins with a byte order mark, which it has here too.
    pub bom: bool,
}

/// A source of a record, with what this space holds of it.
#[derive(Clone, Debug, PartialEq, Serialize, Type)]
pub struct SourceFound {
    /// As the record names it.
    pub source: Source,
    /// What the space holds; `None`: the space does not hold the session.
    pub part: Option<SessionPart>,
}

/// How often tools gave a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Type)]
pub struct Uses {
    /// How often.
    pub count: u64,
    /// When last.
    pub last: Time,
}

/// What stands around a record.
#[derive(Clone, Debug, PartialEq, Serialize, Type)]
pub struct RecordAround {
    /// The names of the records that refer to it.
    pub backlinks: Vec<String>,
    /// Where it came from.
    pub sources: Vec<SourceFound>,
    /// How often tools gave it; `None`: never.
    pub uses: Option<Uses>,
}

/// One field of a frontmatter; places in UTF-16 units.
#[derive(Clone, Debug, PartialEq, Serialize, Type)]
pub struct RecordField {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: FieldValue,
    /// Where its value is written; empty, right after the colon, if nothing is.
    pub from: usize,
    /// Where that ends.
    pub to: usize,
    /// Where its lines begin and end.
    pub lines: [usize; 2],
    /// Whether the kind's contract requires it.
    pub required: bool,
}

/// A field of the kind's contract that is not there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Type)]
pub struct MissingField {
    /// Its name.
    pub name: String,
    /// Whether the contract requires it.
    pub required: bool,
}

/// A text's frontmatter, for a form.
#[derive(Clone, Debug, PartialEq, Serialize, Type)]
pub struct RecordFields {
    /// The fields in the order of the text.
    pub fields: Vec<RecordField>,
    /// Fields of the kind's contract that are not there, required ones first.
    pub missing: Vec<MissingField>,
    /// Whether fields can be set one by one; if not, the frontmatter is edited as text.
    pub editable: bool,
    /// Why they can't be.
    pub why: Option<String>,
    /// Where the body begins.
    pub body: usize,
}

impl RecordFields {
    /// The fields of a text.
    pub fn of(kind: RecordKind, text: &str, lang: Lang) -> RecordFields {
        let contract: BTreeMap<&str, bool> = fields_of(kind).collect();
        let mut places = Places::of(text);
        let mut made = RecordFields { fields: Vec::new(), missing: Vec::new(), editable: false, why: None, body: 0 };
        let read = match Frontmatter::parse(text) {
            Ok(read) => read,
            Err(bad) => {
                made.why = Some(bad.message.get(lang).to_owned());
                let parts = kiroku_memory::frontmatter::split(text);
                made.body = parts.map_or(0, |parts| places.at(parts.body()));
                return made;
            }
        };
        for field in &read.fields {
            made.fields.push(RecordField {
                name: field.key.clone(),
                value: FieldValue::of(text, field),
                from: places.at(field.source.start),
                to: places.at(field.source.end),
                lines: [places.at(field.lines.start), places.at(field.lines.end)],
                required: contract.get(field.key.as_str()).copied().unwrap_or_default(),
            });
        }
        let missing = fields_of(kind).filter(|(name, _)| read.field(name).is_none());
        made.missing = missing.map(|(name, required)| MissingField { name: name.to_owned(), required }).collect();
        made.missing.sort_by_key(|field| !field.required);
        made.editable = read.block;
        if !read.block {
            let why = kiroku_model::text!(
                en: "the frontmatter is written in braces: edit it as text",
                ja: "frontmatter が波かっこで書かれています。テキストとして編集してください"
            );
            made.why = Some(why.get(lang).to_owned());
        }
        made.body = places.at(read.parts.body());
        made
    }
}

/// What is there in the place of what a change was made from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Type)]
pub struct Theirs {
    /// The whole text.
    pub text: String,
    /// Its version.
    pub hash: String,
}

/// What became of a save.
#[derive(Clone, Debug, PartialEq, Serialize, Type)]
#[serde(tag = "outcome", rename_all = "lowercase")]
pub enum SaveResult {
    /// It was written.
    Saved {
        /// The record as it is now.
        record: RecordText,
    },
    /// Nothing was written: the file is not the base any more.
    Conflict {
        /// What is there now; `None`: it was removed.
        theirs: Option<Theirs>,
    },
}

/// A record that is to be made.
#[derive(Clone, Debug, PartialEq, Deserialize, Type)]
pub struct NewRecord {
    /// Its kind.
    pub kind: RecordKind,
    /// Its slug; `summary` for the summary.
    pub slug: String,
    /// Fields to set beside those of the template, which has every required one: times are now, a decision is `open`,
    /// knowledge is `kind: note` and hidden from models.
    pub fields: BTreeMap<String, FieldValue>,
    /// The Markdown under the frontmatter; a `#` heading first, by custom.
    pub body: String,
    /// The comments that it comes from, by ref: they become its sources, one for each run of comments in a session.
    pub comments: Vec<String>,
}

/// A line that changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Type)]
pub struct LineChange {
    /// From 1.
    pub line: usize,
    /// As it is.
    pub before: String,
    /// As it would be.
    pub after: String,
}

/// A record whose references would follow a rename.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Type)]
pub struct FollowedRecord {
    /// Its name.
    #[serde(rename = "ref")]
    pub name: String,
    /// Its file.
    pub file: String,
    /// The lines that change.
    pub lines: Vec<LineChange>,
}

/// What a rename would do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Type)]
pub struct RenamePreview {
    /// The file that the record would have.
    pub file: String,
    /// The other records that would change.
    pub changes: Vec<FollowedRecord>,
}

/// What a rename did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Type)]
pub struct RenamedRecord {
    /// The record's name now.
    #[serde(rename = "ref")]
    pub name: String,
    /// The names of the records whose references followed.
    pub changed: Vec<String>,
}

/// Something that was removed or overwritten, and is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Type)]
pub struct KeptRecord {
    /// Its id, for bringing it back.
    pub id: String,
    /// The record that it was.
    #[serde(rename = "ref")]
    pub name: String,
    /// Why it is kept.
    pub why: Why,
    /// Since when.
    pub at: Time,
}

/// Lines of a record that were found, with those around them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Type)]
pub struct RecordExcerpt {
    /// The number of its first line, from 1.
    pub line: usize,
    /// The lines.
    pub text: String,
}

/// What was found in one record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Type)]
pub struct RecordHits {
    /// Its name.
    #[serde(rename = "ref")]
    pub name: String,
    /// What it is about.
    pub about: String,
    /// How many lines of it match, as far as they are shown.
    pub lines: usize,
    /// Where, in order; what meets is one.
    pub excerpts: Vec<RecordExcerpt>,
}

/// What a search through the records found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Type)]
pub struct RecordsFound {
    /// The records that hold it.
    pub records: Vec<RecordHits>,
    /// How many lines match in all.
    pub total: usize,
    /// How many of them are not shown.
    pub left_out: usize,
    /// Files that could not be searched, or not wholly.
    pub problems: Vec<SearchTrouble>,
}

/// A file that could not be searched, or not wholly.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Type)]
pub struct SearchTrouble {
    /// The file, or the folder.
    pub file: String,
    /// What is wrong.
    pub message: String,
}

/// The text of a record as the window has it, before it is checked.
pub(super) fn record_text(
    record: &RecordRef,
    read: &Record,
    read_only: bool,
    found: impl FnOnce(&str) -> Vec<RecordFinding>,
) -> RecordText {
    let text = unified(&read.text);
    RecordText {
        name: record.name(),
        file: record.file(),
        hash: read.hash.clone(),
        findings: found(&text),
        read_only,
        line_ends: LineEnds::of(&read.text),
        bom: text.starts_with('\u{feff}'),
        text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_as_the_window_does() {
        let text = "a日𠮟\u{1f600}e\u{301}";
        let mut places = Places::of(text);
        for (byte, unit) in [(0, 0), (1, 1), (4, 2), (8, 4), (12, 6), (4, 2), (15, 8)] {
            assert_eq!(places.at(byte), unit, "{byte}");
        }
    }

    #[test]
    fn a_form_of_fields_that_are_there_and_that_are_not() {
        let text = "---\nkind: 規則 # c\nextra: [1, {a: b}]\n---\n本文";
        let read = RecordFields::of(RecordKind::Knowledge, text, Lang::En);
        let shown: Vec<_> = read.fields.iter().map(|f| (f.name.as_str(), f.required, (f.from, f.to))).collect();
        assert_eq!(shown, [("kind", true, (10, 12)), ("extra", false, (24, 35))]);
        assert_eq!(read.fields[0].value, FieldValue::Text("規則".into()));
        assert_eq!((read.editable, read.body, read.missing.len()), (true, 40, 6));
        for bad in ["body", "---\na: b: c\n---\n", "---\n{a: 1}\n---\n"] {
            let read = RecordFields::of(RecordKind::Knowledge, bad, Lang::Ja);
            assert!(!read.editable && read.why.is_some(), "{bad}");
        }
    }
}
