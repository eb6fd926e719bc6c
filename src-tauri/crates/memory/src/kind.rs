//! The four kinds of record, and what names one of them: a kind and a slug. Where each kind's files lie is decided
//! here once, and everything else asks.

use crate::slug::{self, Slug};
use kiroku_model::{Error, Result, text};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A kind of record. The order is the order in which lists and searches give them.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema, specta::Type,
)]
#[serde(rename_all = "lowercase")]
pub enum RecordKind {
    /// `memory/summary.md`: the one summary.
    Summary,
    /// `memory/decisions/SLUG.md`: something that was decided.
    Decision,
    /// `memory/requests/SLUG.md`: something that was asked for.
    Request,
    /// `knowledge/SLUG.md`: something that was learnt.
    Knowledge,
}

impl RecordKind {
    /// All four, in order.
    pub const ALL: [RecordKind; 4] =
        [RecordKind::Summary, RecordKind::Decision, RecordKind::Request, RecordKind::Knowledge];
    /// What MemorySearch looks through, in order.
    pub const MEMORY: [RecordKind; 3] = [RecordKind::Summary, RecordKind::Decision, RecordKind::Request];

    /// The word on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            RecordKind::Summary => "summary",
            RecordKind::Decision => "decision",
            RecordKind::Request => "request",
            RecordKind::Knowledge => "knowledge",
        }
    }

    /// The kind that a word names.
    pub fn from_word(word: &str) -> Option<RecordKind> {
        RecordKind::ALL.into_iter().find(|kind| kind.as_str() == word)
    }

    /// The directory of its files, under the content root, with `/` between names.
    pub fn folder(self) -> &'static str {
        match self {
            RecordKind::Summary => "memory",
            RecordKind::Decision => "memory/decisions",
            RecordKind::Request => "memory/requests",
            RecordKind::Knowledge => "knowledge",
        }
    }
}

impl std::fmt::Display for RecordKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The name of one record: its kind and its slug (`summary` for the summary). It is the exact input of a read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
pub struct RecordRef {
    /// The record kind.
    pub kind: RecordKind,
    /// The slug; `summary` for the summary.
    pub slug: Slug,
}

impl RecordRef {
    /// The record that `kind` and `slug` name. A summary takes no slug, or `summary`.
    pub fn new(kind: RecordKind, slug: Option<&str>) -> Result<RecordRef> {
        let slug = match (kind, slug) {
            (RecordKind::Summary, None | Some(slug::SUMMARY)) => Slug::summary(),
            (RecordKind::Summary, Some(other)) => {
                return Err(Error::invalid(text!(
                    en: "a summary has no slug, or `summary`: not `{other}`",
                    ja: "summary には slug を付けないか「summary」としてください（「{other}」は使えません）"
                )));
            }
            (_, Some(slug)) => Slug::parse(slug)?,
            (kind, None) => {
                return Err(Error::invalid(text!(en: "a {kind} needs a slug", ja: "{kind} には slug が必要です")));
            }
        };
        Ok(RecordRef { kind, slug })
    }

    /// The summary.
    pub fn summary() -> RecordRef {
        RecordRef { kind: RecordKind::Summary, slug: Slug::summary() }
    }

    /// Its name in one word, as addresses and the app's window have it: `summary`, `decision:use-cookies`.
    pub fn name(&self) -> String {
        match self.kind {
            RecordKind::Summary => self.kind.to_string(),
            kind => format!("{kind}:{}", self.slug),
        }
    }

    /// The record that such a name names.
    pub fn from_name(name: &str) -> Result<RecordRef> {
        let (word, slug) = name.split_once(':').map_or((name, None), |(word, slug)| (word, Some(slug)));
        let kind = RecordKind::from_word(word).ok_or_else(|| {
            let shown: String = name.chars().take(80).flat_map(char::escape_debug).collect();
            Error::invalid(text!(
                en: "`{shown}` names no record: write KIND:SLUG, such as decision:use-cookies",
                ja: "「{shown}」は記録の名前ではありません。decision:use-cookies のように「種類:slug」の形で書いてください"
            ))
        })?;
        RecordRef::new(kind, slug)
    }

    /// Its file under the content root, with `/` between names.
    pub fn file(&self) -> String {
        format!("{}/{}.md", self.kind.folder(), self.slug)
    }

    /// The record whose file lies at `file` (as [`RecordRef::file`] gives it), if that is a place for one.
    pub fn of_file(file: &str) -> Option<RecordRef> {
        let (folder, name) = file.rsplit_once('/')?;
        let slug = name.strip_suffix(".md")?;
        let kind = RecordKind::ALL.into_iter().find(|kind| kind.folder() == folder)?;
        RecordRef::new(kind, Some(slug)).ok()
    }
}

impl std::fmt::Display for RecordRef {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.kind {
            RecordKind::Summary => f.write_str("summary"),
            kind => write!(f, "{kind} {}", self.slug),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_files_agree() {
        for kind in RecordKind::ALL {
            let slug = if kind == RecordKind::Summary { "summary" } else { "a-1" };
            let record = RecordRef::new(kind, Some(slug)).unwrap();
            assert_eq!(RecordRef::of_file(&record.file()), Some(record.clone()));
            assert_eq!(RecordRef::from_name(&record.name()).unwrap(), record);
            assert_eq!(RecordKind::from_word(kind.as_str()), Some(kind));
        }
        assert_eq!(RecordRef::new(RecordKind::Summary, None).unwrap(), RecordRef::summary());
        assert!(RecordRef::new(RecordKind::Summary, Some("other")).is_err());
        assert!(RecordRef::new(RecordKind::Decision, None).is_err());
        for not in ["", "decision", "summary:other", "decision:../x", "Decision:x", "workflow:x", ":x"] {
            assert!(RecordRef::from_name(not).is_err(), "{not}");
        }
        for not in
            ["memory/workflow/a.md", "memory/a.md", "memory/_staging/a.md", "a.md", "knowledge/A.md", "knowledge/a.txt"]
        {
            assert_eq!(RecordRef::of_file(not), None, "{not}");
        }
    }
}
