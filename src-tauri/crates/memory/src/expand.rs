//! Giving knowledge to agents unasked: `#slug` in a text becomes that record's body, and the resident list tells models
//! which records there are to ask for.

use crate::search::About;
use crate::usage::{UsageEvent, Use};
use crate::{FileProblem, Frontmatter, Memory, RecordKind, RecordRef, Slug, frontmatter, prose};
use kiroku_model::{Caller, ErrorCode, Result};
use std::collections::HashSet;

/// Who wrote a text whose `#slug` is to be expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Writer {
    /// A person: records with `user_invocable: false` stay as `#slug`.
    Person,
    /// An agent: every record is expanded.
    Agent,
}

/// A text with its `#slug`s expanded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expansion {
    /// The text, in which the first `#slug` of each record stands for its body. Bodies are not expanded in turn.
    pub text: String,
    /// The records that were put in, in order.
    pub expanded: Vec<Slug>,
    /// Knowledge records that were named and not put in, because a person may not call them.
    pub kept: Vec<Slug>,
}

/// A record that models are told of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resident {
    /// The record's slug.
    pub slug: Slug,
    /// Its description.
    pub description: String,
}

impl Memory {
    /// Expands the `#slug`s in `text`; each expansion is a usage event. Names of no knowledge record stay as they are.
    pub fn expand(&self, caller: &Caller, text: &str, writer: Writer) -> Result<Expansion> {
        let mut made = Expansion { text: String::with_capacity(text.len()), expanded: Vec::new(), kept: Vec::new() };
        let mut seen = HashSet::new();
        let mut at = 0;
        for mention in prose::mentions(text, 0) {
            if !seen.insert(mention.slug.clone()) {
                continue;
            }
            let record = RecordRef { kind: RecordKind::Knowledge, slug: mention.slug };
            let known = match self.root.read_text(&record) {
                Ok(known) => known,
                Err(error) if error.code() == ErrorCode::NotFound => continue,
                Err(error) => return Err(error),
            };
            let callable = writer == Writer::Agent
                || Frontmatter::parse(&known).ok().and_then(|read| read.bool("user_invocable")) != Some(false);
            if !callable {
                made.kept.push(record.slug);
                continue;
            }
            let body = frontmatter::split(&known).map_or(0, |parts| parts.body());
            made.text.push_str(&text[at..mention.span.start]);
            made.text.push_str(known[body..].trim());
            at = mention.span.end;
            self.used(caller, &record, Use::Expanded);
            made.expanded.push(record.slug);
        }
        made.text.push_str(&text[at..]);
        Ok(made)
    }

    /// The knowledge records with `model_invokation: true`, by file name, and the files that can't be read.
    pub fn resident(&self) -> Result<(Vec<Resident>, Vec<FileProblem>)> {
        let listing = self.root.list(RecordKind::Knowledge)?;
        let mut problems = listing.problems;
        let mut residents = Vec::new();
        for entry in listing.entries {
            match self.root.read_text(&entry.record) {
                Ok(text) => {
                    let about = About::of(&text);
                    if about.model_invokation == Some(true) {
                        let description = about.description.unwrap_or_default();
                        residents.push(Resident { slug: entry.record.slug, description });
                    }
                }
                Err(error) => problems.push(FileProblem {
                    file: entry.record.file(),
                    message: error.message().clone(),
                    rename_to: None,
                }),
            }
        }
        Ok((residents, problems))
    }

    pub(crate) fn used(&self, caller: &Caller, record: &RecordRef, how: Use) {
        self.usage.used(UsageEvent {
            record: record.clone(),
            how,
            at: self.clock.now(),
            member: caller.member.clone(),
            task: caller.task,
        });
    }
}

/// The resident list as an agent reads it: one `slug: description` a line.
pub fn resident_text(residents: &[Resident]) -> String {
    residents
        .iter()
        .map(|resident| {
            let description: Vec<&str> = resident.description.split_whitespace().collect();
            format!("{}: {}\n", resident.slug, description.join(" "))
        })
        .collect()
}
