//! All records at one look, as a table shows them: each file is read once, in parallel, checked against the others, and
//! told in a line.

use crate::checker::Severity;
use crate::open::to_text;
use crate::{Entry, Existing, FileProblem, Frontmatter, Memory, RecordKind, RecordRef, Slug};
use kiroku_model::{Cancel, Result, Text, Time};
use rayon::prelude::*;
use std::path::Path;
use std::time::UNIX_EPOCH;

/// The most characters that are told of what a record is about.
const LONGEST_ABOUT: usize = 400;

/// A record in a line.
#[derive(Clone, Debug)]
pub struct Overview {
    /// The record.
    pub record: RecordRef,
    /// See [`about`].
    pub about: String,
    /// `kind` of a knowledge record.
    pub kind: Option<String>,
    /// `status` of a decision, as it is written.
    pub status: Option<String>,
    /// `replaced_by` of a decision, as it is written.
    pub replaced_by: Option<String>,
    /// `updated_at`, as it is written.
    pub updated: Option<String>,
    /// When the file was written last.
    pub modified: Time,
    /// In bytes.
    pub size: u64,
    /// Whether the file may not be written.
    pub read_only: bool,
    /// How many errors the checker has.
    pub errors: usize,
    /// How many warnings.
    pub warnings: usize,
    /// Why the file can't be read; then nothing of its text is told.
    pub unreadable: Option<Text>,
}

/// What a record is about: its description, else the first line of its body that says something, without the marks of a
/// heading or a list; empty if there is none.
pub fn about(text: &str, read: Option<&Frontmatter>) -> String {
    let described = read.and_then(|read| read.str("description")).map(str::trim).filter(|text| !text.is_empty());
    let body = crate::frontmatter::split(text).map_or(0, |parts| parts.body());
    let line = || {
        let mut lines =
            text[body..].lines().map(|line| line.trim_start_matches(['#', '-', '*', '>', ' ', '\t']).trim());
        lines.find(|line| !line.is_empty()).unwrap_or_default()
    };
    described.unwrap_or_else(line).chars().take(LONGEST_ABOUT).collect()
}

/// A record's file, read.
struct Read {
    entry: Entry,
    told: Overview,
    text: Option<String>,
}

impl Memory {
    /// Every record in a line, by kind and file name; also what lies among them and can be none.
    pub fn overview(&self, cancel: &Cancel) -> Result<(Vec<Overview>, Vec<FileProblem>)> {
        let (mut entries, mut problems) = (Vec::new(), Vec::new());
        for kind in RecordKind::ALL {
            let listing = self.root.list(kind)?;
            entries.extend(listing.entries);
            problems.extend(listing.problems);
        }
        let read: Vec<Read> = entries
            .into_par_iter()
            .with_min_len(16)
            .filter(|_| !cancel.is_cancelled())
            .map(|entry| self.read_in_line(entry))
            .collect();
        cancel.check()?;
        let mut existing = Existing::new();
        for Read { entry, told, .. } in &read {
            existing.add(entry.record.clone());
            if let Some(by) = told.replaced_by.as_deref().and_then(|by| Slug::parse(by).ok()) {
                existing.replaced(entry.record.slug.clone(), by);
            }
        }
        let rows = read
            .into_par_iter()
            .with_min_len(16)
            .map(|Read { mut told, text, .. }| {
                let findings = text.map(|text| self.check_against(&told.record, &text, &existing, false));
                for finding in findings.into_iter().flatten() {
                    match finding.severity {
                        Severity::Error => told.errors += 1,
                        Severity::Warning => told.warnings += 1,
                    }
                }
                told
            })
            .collect();
        Ok((rows, problems))
    }

    fn read_in_line(&self, entry: Entry) -> Read {
        let mut bytes = Vec::new();
        let text = self.root.read_entry(&entry, &mut bytes).and_then(|()| to_text(bytes, &entry.record.file()));
        let meta = std::fs::metadata(&entry.path).ok();
        let modified = meta.as_ref().and_then(|meta| meta.modified().ok()?.duration_since(UNIX_EPOCH).ok());
        let read = text.as_ref().ok().and_then(|text| Frontmatter::parse(text).ok());
        let word = |field: &str, of: RecordKind| {
            read.as_ref().filter(|_| entry.record.kind == of).and_then(|read| read.str(field)).map(str::to_owned)
        };
        let told = Overview {
            about: text.as_ref().map_or_else(|_| String::new(), |text| about(text, read.as_ref())),
            kind: word("kind", RecordKind::Knowledge),
            status: word("status", RecordKind::Decision),
            replaced_by: word("replaced_by", RecordKind::Decision),
            updated: read
                .as_ref()
                .and_then(|read| read.str("updated_at"))
                .filter(|text| Time::parse(text).is_ok())
                .map(str::to_owned),
            modified: Time(modified.and_then(|since| i64::try_from(since.as_millis()).ok()).unwrap_or_default()),
            size: meta.as_ref().map_or(0, std::fs::Metadata::len),
            read_only: meta.is_some_and(|meta| meta.permissions().readonly()),
            errors: 0,
            warnings: 0,
            unreadable: text.as_ref().err().map(|error| error.message().clone()),
            record: entry.record.clone(),
        };
        Read { entry, told, text: text.ok() }
    }

    /// Whether a record's file may not be written; `false` if it is not there.
    pub fn is_read_only(&self, record: &RecordRef) -> bool {
        let read_only = |path: &Path| std::fs::metadata(path).is_ok_and(|meta| meta.permissions().readonly());
        self.root.locate(record).is_ok_and(|path| read_only(&path))
    }
}
