//! Records as a person tends them in the app's window: lists, reading, checking while they type, saving, and what is done
//! with a record as a whole. Everything goes through engine 2, under its lock; here it gets the window's form.

mod drafts;
mod page;

pub use drafts::{NewDraft, RecordDraft};
pub use page::{
    FollowedRecord, KeptRecord, LineChange, MissingField, NewRecord, QuickFix, RecordAround, RecordExcerpt,
    RecordField, RecordFields, RecordFinding, RecordHits, RecordList, RecordRow, RecordText, RecordsFound,
    RenamePreview, RenamedRecord, SaveResult, SearchTrouble, SourceFound, StrayFile, TextEdit, Theirs, Uses,
};

use crate::Workspace;
use kiroku_memory::search::{Query, joined, search};
use kiroku_memory::{
    Existing, FieldValue, Frontmatter, Memory, Record, RecordKind, RecordRef, Slug, Source, about, set_field, template,
    unified,
};
use kiroku_model::{Call, CommentId, Error, ErrorCode, Result, text};
use kiroku_search::SessionPlace;
use page::{findings, record_text};
use std::collections::BTreeMap;

/// Lines that a search in the window shows at most.
const MOST_LINES: usize = 500;
/// Comments of one source that are told at most.
const MOST_COMMENTS: usize = 20;
/// Slugs that are tried for a new record: a hundred of one title on one day is a machine's work.
const MOST_TRIES: usize = 1_000;

impl Workspace {
    /// All records in a line each.
    pub fn record_list(&self, call: &Call) -> Result<RecordList> {
        let memory = self.memory_for(call)?;
        let (rows, problems) = memory.overview(&call.cancel)?;
        let stray = |bad: kiroku_memory::FileProblem| StrayFile {
            file: bad.file,
            message: bad.message.get(call.lang).to_owned(),
            rename_to: bad.rename_to.map(|slug| slug.to_string()),
        };
        Ok(RecordList {
            root: memory.root().path().display().to_string(),
            has_folders: memory.root().has_directories(),
            records: rows.into_iter().map(|row| RecordRow::of(row, call.lang)).collect(),
            strays: problems.into_iter().map(stray).collect(),
        })
    }

    /// Makes the directories for records that are missing.
    pub fn make_record_folders(&self, call: &Call) -> Result<()> {
        self.memory_for(call)?.root().create_directories()
    }

    /// Searches the records of these kinds, and joins what is found in one of them where it meets.
    pub fn search_records(&self, call: &Call, query: &str, kinds: &[RecordKind]) -> Result<RecordsFound> {
        let memory = self.memory_for(call)?;
        let around = memory.settings().search_excerpt_lines;
        let query = Query { text: query, kinds, frontmatter_kind: None, limit: MOST_LINES, around };
        let found = search(memory.root(), &query, &call.cancel)?;
        let shown = found.hits.len();
        let hits = joined(found.hits).into_iter().map(|(record, lines, excerpts)| RecordHits {
            about: memory.read(&record).map_or_else(|_| String::new(), |read| about_of(&read.text)),
            name: record.name(),
            lines,
            excerpts: excerpts.into_iter().map(|(line, text)| RecordExcerpt { line, text }).collect(),
        });
        Ok(RecordsFound {
            records: hits.collect(),
            total: found.total,
            left_out: found.total.saturating_sub(shown),
            problems: found
                .problems
                .into_iter()
                .map(|bad| SearchTrouble { file: bad.file, message: bad.message.get(call.lang).to_owned() })
                .collect(),
        })
    }

    /// A record's text and what a change of it is based on.
    pub fn read_record(&self, call: &Call, name: &str) -> Result<RecordText> {
        let memory = self.memory_for(call)?;
        let record = RecordRef::from_name(name)?;
        let read = memory.read(&record)?;
        told(&memory, call, &record, &read)
    }

    /// What stands around a record as it is on disk.
    pub fn record_around(&self, call: &Call, name: &str) -> Result<RecordAround> {
        let memory = self.memory_for(call)?;
        let record = RecordRef::from_name(name)?;
        let read = memory.read(&record)?;
        let backlinks = memory.backlinks(&record)?.iter().map(RecordRef::name).collect();
        let mut sources = Vec::new();
        for source in sources_of(&read.text) {
            let answer = self.conversations().session_part(call, &source.session_id, source.range, MOST_COMMENTS)?;
            sources.push(SourceFound { source, part: answer.body.flatten() });
        }
        let uses = self
            .record_uses()?
            .into_iter()
            .find(|used| used.kind == record.kind.as_str() && used.slug == record.slug.as_str())
            .map(|used| Uses { count: used.count, last: used.last });
        Ok(RecordAround { backlinks, sources, uses })
    }

    /// What the checker says of a text that is not saved.
    pub fn check_record(&self, call: &Call, name: &str, text: &str) -> Result<Vec<RecordFinding>> {
        let memory = self.memory_for(call)?;
        let found = memory.check_with_fixes(&RecordRef::from_name(name)?, text)?;
        call.cancel.check()?;
        Ok(findings(text, found, call.lang))
    }

    /// Saves a person's text, errors and all. `base` is the version that it was made from.
    pub fn save_record(&self, call: &Call, name: &str, text: &str, base: &str) -> Result<SaveResult> {
        let memory = self.memory_for(call)?;
        let record = RecordRef::from_name(name)?;
        match memory.save_from_editor(&record, text, Some(base)) {
            Ok(saved) => Ok(SaveResult::Saved { record: told(&memory, call, &record, &saved.record)? }),
            Err(error) if error.code() == ErrorCode::Conflict => {
                let theirs = match memory.read(&record) {
                    Ok(now) => Some(Theirs { text: unified(&now.text), hash: now.hash }),
                    Err(error) if error.code() == ErrorCode::NotFound => None,
                    Err(error) => return Err(error),
                };
                Ok(SaveResult::Conflict { theirs })
            }
            Err(error) => Err(error),
        }
    }

    /// A slug that no record of the kind has, made of a title; of one that has no letters for it, of the kind and the day.
    pub fn suggest_slug(&self, call: &Call, kind: RecordKind, title: &str) -> Result<String> {
        let memory = self.memory_for(call)?;
        let mut taken = Existing::new();
        for entry in memory.root().list(kind)?.entries {
            taken.add(entry.record);
        }
        // A word or two out of a Japanese title would name it badly.
        let plain = title.chars().filter(char::is_ascii_alphanumeric).count() * 2 > title.chars().count();
        let day = || format!("{kind}-{}", self.now().to_string().split('T').next().unwrap_or_default());
        let begin = Slug::suggest(title).filter(|_| plain).map_or_else(day, |slug| slug.to_string());
        let room = kiroku_memory::slug::MAX_LENGTH - "-1000".len();
        let begin = begin.get(..room).unwrap_or(&begin).trim_end_matches('-');
        (1..MOST_TRIES)
            .map(|nth| if nth == 1 { begin.to_owned() } else { format!("{begin}-{nth}") })
            .find(|slug| Slug::parse(slug).is_ok_and(|slug| !taken.contains(kind, &slug)))
            .ok_or_else(|| {
                Error::new(
                    ErrorCode::Refused,
                    text!(en: "no name is free for this title: choose one", ja: "この題名に使える名前がありません。別の名前にしてください"),
                )
            })
    }

    /// Makes a record out of its kind's template.
    pub fn create_record(&self, call: &Call, new: &NewRecord) -> Result<RecordText> {
        let memory = self.memory_for(call)?;
        let slug = (new.kind != RecordKind::Summary).then_some(new.slug.as_str());
        let record = RecordRef::new(new.kind, slug)?;
        let comments = new.comments.iter().map(|name| CommentId::parse(name)).collect::<Result<Vec<_>>>()?;
        let places = self.conversations().session_places(call, &comments)?.body.unwrap_or_default();
        let mut made = template(new.kind, self.now(), &runs(places));
        for (field, value) in &new.fields {
            made = set_field(&made, field, value)?;
        }
        let body = unified(&new.body);
        made.push_str(body.trim_start_matches('\n'));
        if !made.ends_with('\n') {
            made.push('\n');
        }
        let saved = memory.save_from_editor(&record, &made, None)?;
        told(&memory, call, &record, &saved.record)
    }

    /// Makes a record of a whole text.
    pub fn create_record_of(&self, call: &Call, name: &str, text: &str) -> Result<RecordText> {
        let memory = self.memory_for(call)?;
        let record = RecordRef::from_name(name)?;
        let saved = memory.save_from_editor(&record, text, None)?;
        told(&memory, call, &record, &saved.record)
    }

    /// What a rename would change.
    pub fn preview_rename(&self, call: &Call, name: &str, slug: &str) -> Result<RenamePreview> {
        let memory = self.memory_for(call)?;
        let preview = memory.preview_rename(&RecordRef::from_name(name)?, &Slug::parse(slug)?)?;
        let changes = preview.changes.into_iter().filter(|followed| followed.record != preview.record);
        let changes =
            changes.map(|followed| {
                let pairs = followed.before.lines().zip(followed.after.lines()).enumerate();
                let lines = pairs.filter(|(_, (before, after))| before != after).map(|(at, (before, after))| {
                    LineChange { line: at + 1, before: before.to_owned(), after: after.to_owned() }
                });
                FollowedRecord { name: followed.record.name(), file: followed.record.file(), lines: lines.collect() }
            });
        Ok(RenamePreview { changes: changes.collect(), file: preview.record.file() })
    }

    /// Gives a record another slug; references and a draft follow.
    pub fn rename_record(&self, call: &Call, name: &str, slug: &str, base: &str) -> Result<RenamedRecord> {
        let memory = self.memory_for(call)?;
        let renamed = memory.rename(&RecordRef::from_name(name)?, &Slug::parse(slug)?, Some(base))?;
        let now = renamed.record.name();
        self.drafts()?.rename(name, &now)?;
        Ok(RenamedRecord { name: now, changed: renamed.changed.iter().map(RecordRef::name).collect() })
    }

    /// Gives a stray file a name that a record may have.
    pub fn mend_record_name(&self, call: &Call, file: &str, slug: &str) -> Result<String> {
        Ok(self.memory_for(call)?.mend_name(file, &Slug::parse(slug)?)?.name())
    }

    /// Removes a record into the recovery folder; gives the entry's id.
    pub fn remove_record(&self, call: &Call, name: &str, base: &str, force: bool) -> Result<String> {
        self.memory_for(call)?.delete_as_person(&RecordRef::from_name(name)?, base, force)
    }

    /// Brings back what the recovery folder holds; gives the record's name.
    pub fn restore_record(&self, call: &Call, id: &str) -> Result<String> {
        Ok(self.memory_for(call)?.restore(id)?.record.name())
    }

    /// What the recovery folder holds, newest first.
    pub fn kept_records(&self, call: &Call) -> Result<Vec<KeptRecord>> {
        let kept = self.memory_for(call)?.recovery().list();
        let told = |kept: kiroku_memory::Recovered| KeptRecord {
            name: kept.record.name(),
            id: kept.id,
            why: kept.why,
            at: kept.at,
        };
        Ok(kept.into_iter().map(told).collect())
    }

    /// The space's records, for a member.
    fn memory_for(&self, call: &Call) -> Result<Memory> {
        let member = self.space().read(&call.cancel, |conn| kiroku_search::scope::is_member(conn, &call.caller))?;
        if member {
            return self.memory();
        }
        Err(Error::new(
            ErrorCode::Unavailable,
            text!(en: "memory and knowledge are for members of the space", ja: "メモリとナレッジを使えるのはスペースのメンバーだけです"),
        ))
    }
}

fn told(memory: &Memory, call: &Call, record: &RecordRef, read: &Record) -> Result<RecordText> {
    let read_only = memory.is_read_only(record);
    let found = memory.check_with_fixes(record, &unified(&read.text))?;
    Ok(record_text(record, read, read_only, |text| findings(text, found, call.lang)))
}

fn about_of(text: &str) -> String {
    about(text, Frontmatter::parse(text).ok().as_ref())
}

/// The sources that a record names, as far as they can be read.
fn sources_of(text: &str) -> Vec<Source> {
    let Ok(read) = Frontmatter::parse(text) else { return Vec::new() };
    let field = ["sources", "last_sources"].into_iter().find_map(|name| read.field(name));
    match field.map(|field| FieldValue::of(text, field)) {
        Some(FieldValue::Sources(sources)) => sources,
        _ => Vec::new(),
    }
}

/// Places as sources: one for each run of comments that follow each other in a session.
fn runs(places: Vec<SessionPlace>) -> Vec<Source> {
    let mut sessions: BTreeMap<String, Vec<i64>> = BTreeMap::new();
    for place in places {
        sessions.entry(place.session).or_default().push(place.seq);
    }
    let mut sources: Vec<Source> = Vec::new();
    for (session_id, mut seqs) in sessions {
        seqs.sort_unstable();
        for seq in seqs {
            match sources.last_mut() {
                Some(last) if last.session_id == session_id && seq <= last.range[1] + 1 => last.range[1] = seq,
                _ => {
                    sources.push(Source { session_id: session_id.clone(), range: [seq, seq], segment: false });
                }
            }
        }
    }
    sources
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_that_follow_each_other_are_one_source() {
        let place = |session: &str, seq| SessionPlace { session: session.into(), seq };
        let made = runs(vec![place("b", 4), place("a", 2), place("b", 3), place("b", 9), place("b", 9)]);
        let shown: Vec<_> = made.iter().map(|source| (source.session_id.as_str(), source.range)).collect();
        assert_eq!(shown, [("a", [2, 2]), ("b", [3, 4]), ("b", [9, 9])]);
    }
}
