//! The records of one space, open: what the tools, the app and the command line all go through.

use crate::checker::{Check, Finding};
use crate::open::to_text;
use crate::store::{self, Lock, Recovered, Recovery, Why, hash};
use crate::usage::{NoUsage, UsageSink};
use crate::{
    ContentRoot, Entry, Existing, FileProblem, Fix, Frontmatter, Listing, RecordKind, RecordRef, Settings, prose,
    with_ends_of,
};
use kiroku_model::{Clock, Error, ErrorCode, Result, text};
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The records of one space. Cheap to clone; every clone is the same records.
#[derive(Clone)]
pub struct Memory {
    pub(crate) root: ContentRoot,
    pub(crate) settings: Settings,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) usage: Arc<dyn UsageSink>,
    data: PathBuf,
    /// Names the content root in the app's data.
    id: String,
}

/// A record's text and the hash of its bytes, which a change of it is based on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The whole file.
    pub text: String,
    /// See [`hash`].
    pub hash: String,
}

/// What a write did.
#[derive(Clone, Debug)]
pub struct Written {
    /// The hash of what is there now.
    pub hash: String,
    /// The hash of what was there before; `None`: the record is new.
    pub replaced: Option<String>,
    /// What the checker says of it.
    pub findings: Vec<Finding>,
}

/// What a save from an editor made of a record.
#[derive(Clone, Debug)]
pub struct Saved {
    /// What is there now.
    pub record: Record,
    /// What the checker says of it.
    pub findings: Vec<Finding>,
}

/// What the checker says of one file.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The record.
    pub record: RecordRef,
    /// Its findings, in the order of the text; or why it can't be read.
    pub findings: std::result::Result<Vec<Finding>, Error>,
}

/// What a change of a record is based on.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Base<'a> {
    /// What is there, whatever it is.
    Present,
    /// The version of that hash.
    Hash(&'a str),
    /// Nothing: the record is to be made.
    New,
}

impl Memory {
    /// Opens the records of the space whose folder is `space_folder`. `data_dir` is the app's data directory, for locks
    /// and the recovery folder.
    pub fn open(space_folder: &Path, settings: Settings, data_dir: &Path, clock: Arc<dyn Clock>) -> Result<Memory> {
        let root = ContentRoot::find(space_folder, settings.content_root.as_deref())?;
        let id = hash(root.path().as_os_str().as_encoded_bytes());
        Ok(Memory { root, settings, clock, usage: Arc::new(NoUsage), data: data_dir.to_owned(), id })
    }

    /// The same records, with a place for usage events.
    #[must_use]
    pub fn with_usage(mut self, usage: Arc<dyn UsageSink>) -> Memory {
        self.usage = usage;
        self
    }

    /// Where the records lie.
    pub fn root(&self) -> &ContentRoot {
        &self.root
    }

    /// The settings that they were opened with.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The recovery folder.
    pub fn recovery(&self) -> Recovery {
        Recovery::new(&self.data, &self.id, self.clock.clone())
    }

    /// Where an unfinished rename is written down.
    pub(crate) fn journal(&self) -> PathBuf {
        self.data.join("locks").join(format!("{}.rename.json", self.id))
    }

    /// Takes the lock of the content root, and first undoes a rename that a killed process left half done.
    pub(crate) fn lock(&self) -> Result<Lock> {
        let lock = Lock::take(&self.data, &self.id)?;
        self.undo_unfinished_rename()?;
        Ok(lock)
    }

    /// A record's text and its hash.
    pub fn read(&self, record: &RecordRef) -> Result<Record> {
        let bytes = self.root.read(record)?;
        let hash = hash(&bytes);
        Ok(Record { text: to_text(bytes, &record.file())?, hash })
    }

    /// Which records there are, with what each decision was replaced by.
    pub fn existing(&self) -> Result<Existing> {
        let mut existing = self.names()?;
        let decisions: Vec<RecordRef> = existing
            .slugs(RecordKind::Decision)
            .map(|slug| RecordRef { kind: RecordKind::Decision, slug: slug.clone() })
            .collect();
        for record in decisions {
            if let Some(by) = self.replaced_by(&record) {
                existing.replaced(record.slug, by);
            }
        }
        Ok(existing)
    }

    fn names(&self) -> Result<Existing> {
        let mut existing = Existing::new();
        for kind in RecordKind::ALL {
            for entry in self.root.list(kind)?.entries {
                existing.add(entry.record);
            }
        }
        Ok(existing)
    }

    fn replaced_by(&self, record: &RecordRef) -> Option<crate::Slug> {
        let bytes = self.root.read(record).ok()?;
        memchr::memmem::find(&bytes, b"replaced_by")?;
        let text = String::from_utf8(bytes).ok()?;
        crate::Slug::parse(Frontmatter::parse(&text).ok()?.str("replaced_by")?).ok()
    }

    /// What the checker says of `text` as the record's text. Of other decisions only those are read that this one leads to.
    pub fn check(&self, record: &RecordRef, text: &str, creating: bool) -> Result<Vec<Finding>> {
        Ok(self.check_against(record, text, &self.existing_for(record, text)?, creating))
    }

    /// The same, with the ways to put each finding right.
    pub fn check_with_fixes(&self, record: &RecordRef, text: &str) -> Result<Vec<(Finding, Vec<Fix>)>> {
        let existing = self.existing_for(record, text)?;
        let RecordRef { kind, slug } = record;
        let check = Check { kind: *kind, slug, text, existing: &existing, settings: &self.settings, creating: false };
        let now = self.clock.now();
        Ok(check.findings().into_iter().map(|one| (one.clone(), check.fixes(&one, now))).collect())
    }

    fn existing_for(&self, record: &RecordRef, text: &str) -> Result<Existing> {
        let mut existing = self.names()?;
        let mut next = Frontmatter::parse(text).ok().and_then(|read| crate::Slug::parse(read.str("replaced_by")?).ok());
        while let Some(slug) = next.take().filter(|slug| record.kind == RecordKind::Decision && *slug != record.slug) {
            let by = self.replaced_by(&RecordRef { kind: RecordKind::Decision, slug: slug.clone() });
            if let Some(by) = by.filter(|_| existing.replaced_by(&slug).is_none()) {
                existing.replaced(slug, by.clone());
                next = Some(by);
            }
        }
        Ok(existing)
    }

    pub(crate) fn check_against(
        &self,
        record: &RecordRef,
        text: &str,
        existing: &Existing,
        creating: bool,
    ) -> Vec<Finding> {
        Check { kind: record.kind, slug: &record.slug, text, existing, settings: &self.settings, creating }.findings()
    }

    /// Checks every record; also what lies among them and can be none.
    pub fn check_all(&self) -> Result<(Vec<Checked>, Vec<FileProblem>)> {
        let existing = self.existing()?;
        let (mut checked, mut problems) = (Vec::new(), Vec::new());
        for kind in RecordKind::ALL {
            let listing = self.root.list(kind)?;
            problems.extend(listing.problems);
            for entry in listing.entries {
                let findings = self
                    .root
                    .read_text(&entry.record)
                    .map(|text| self.check_against(&entry.record, &text, &existing, false));
                checked.push(Checked { record: entry.record, findings });
            }
        }
        Ok((checked, problems))
    }

    /// The records that refer to `record`: by `replaced_by`, or by `#slug` where that means it.
    pub fn backlinks(&self, record: &RecordRef) -> Result<Vec<RecordRef>> {
        let existing = self.names()?;
        let listings: Vec<Listing> =
            RecordKind::ALL.into_iter().map(|kind| self.root.list(kind)).collect::<Result<_>>()?;
        let entries: Vec<Entry> = listings.into_iter().flat_map(|listing| listing.entries).collect();
        let found = entries.into_par_iter().with_min_len(32).filter(|entry| {
            let mut bytes = Vec::new();
            entry.record != *record
                && self.root.read_entry(entry, &mut bytes).is_ok()
                && refers(&entry.record, &String::from_utf8_lossy(&bytes), record, &existing)
        });
        Ok(found.map(|entry| entry.record).collect())
    }

    /// Saves a person's text, errors and all: it is their file. `base` is the hash of what they began from; `None`: the
    /// record is new. With the setting on, `updated_at` is set to now when the text changed and they left it as it was.
    pub fn save_as_person(&self, record: &RecordRef, text: &str, base: Option<&str>) -> Result<Written> {
        self.save(record, base, |_| text.to_owned()).map(|(written, _)| written)
    }

    /// The same for a text whose lines end in `\n`, whatever the file has: it gets the file's own line ends.
    pub fn save_from_editor(&self, record: &RecordRef, text: &str, base: Option<&str>) -> Result<Saved> {
        let (written, text) = self.save(record, base, |present| with_ends_of(text, present))?;
        Ok(Saved { record: Record { text, hash: written.hash }, findings: written.findings })
    }

    /// Saves what `make` makes, given the text that is there; gives that back as it was written.
    fn save(
        &self,
        record: &RecordRef,
        base: Option<&str>,
        make: impl FnOnce(&str) -> String,
    ) -> Result<(Written, String)> {
        let _lock = self.lock()?;
        let base = base.map_or(Base::New, Base::Hash);
        let present = self.present(record, base)?;
        let present = present.as_ref().map(|(_, bytes)| String::from_utf8_lossy(bytes));
        let text = make(present.as_deref().unwrap_or_default());
        let text = match present {
            Some(present) if self.settings.touch_updated_at => self.touched(&text, &present),
            _ => text,
        };
        let findings = self.check(record, &text, false)?;
        Ok((self.write_locked(record, text.as_bytes(), base, false, findings)?, text))
    }

    /// `text` with `updated_at` set to now, in the zone that it is written in, if the text changed and that field did not.
    fn touched(&self, text: &str, before: &str) -> String {
        let written = |text: &str| crate::field_source(text, "updated_at").ok().flatten();
        let Some(present) = written(text).filter(|now| text != before && written(before).as_ref() == Some(now)) else {
            return text.to_owned();
        };
        let now = crate::template::time_like(self.clock.now(), present.trim_matches(['"', '\'']));
        crate::set_field(text, "updated_at", &crate::FieldValue::Text(now)).unwrap_or_else(|_| text.to_owned())
    }

    /// What is there, under the lock: the path and bytes, `None` if nothing is. A base that is not what is there is a
    /// conflict.
    pub(crate) fn present(&self, record: &RecordRef, base: Base<'_>) -> Result<Option<(PathBuf, Vec<u8>)>> {
        let path = match self.root.locate(record) {
            Ok(path) => Some(path),
            Err(error) if error.code() == ErrorCode::NotFound => None,
            Err(error) => return Err(error),
        };
        let present = match path {
            Some(path) => {
                let mut bytes = Vec::new();
                crate::open::read_file(&path, &record.file(), &mut bytes)?;
                Some((path, bytes))
            }
            None => None,
        };
        match (base, &present) {
            (Base::New, Some(_)) => Err(Error::new(
                ErrorCode::Refused,
                text!(en: "{record} is there already; nothing was written", ja: "{record} はすでにあります。何も書き込んでいません"),
            )),
            (Base::Hash(base), Some((_, bytes))) if hash(bytes) != base => {
                Err(store::conflict(&record.file(), Some(bytes)))
            }
            (Base::Hash(_), None) => Err(store::conflict(&record.file(), None)),
            _ => Ok(present),
        }
    }

    /// Writes a record under the lock. With `keep`, what is replaced goes to the recovery folder.
    pub(crate) fn write_locked(
        &self,
        record: &RecordRef,
        bytes: &[u8],
        base: Base<'_>,
        keep: bool,
        findings: Vec<Finding>,
    ) -> Result<Written> {
        let recovery = self.recovery();
        let hash = hash(bytes);
        let Some((path, present)) = self.present(record, base)? else {
            let path = self.root.place(record)?;
            store::create(&path, &record.file(), bytes)?;
            return Ok(Written { hash, replaced: None, findings });
        };
        if let Some(directory) = path.parent() {
            store::sweep(directory, &recovery, self.clock.now());
        }
        let replaced = Some(store::hash(&present));
        if present != bytes {
            let kept = if keep { Some(recovery.keep(record, &present, Why::Replaced)?) } else { None };
            if let Err(error) = store::replace(&path, record, &present, bytes, &recovery) {
                if let Some(id) = kept {
                    recovery.forget(&id);
                }
                return Err(error);
            }
        }
        Ok(Written { hash, replaced, findings })
    }

    /// Deletes a record; its bytes go to the recovery folder, and the entry's id comes back. Refused while another record
    /// refers to it, unless `force`.
    pub(crate) fn delete_locked(&self, record: &RecordRef, base: Base<'_>, force: bool) -> Result<String> {
        let Some((_, bytes)) = self.present(record, base)? else {
            return Err(self.root.missing(record));
        };
        let referring = if force { Vec::new() } else { self.backlinks(record)? };
        if !referring.is_empty() {
            let names: Vec<String> = referring.iter().map(RecordRef::to_string).collect();
            let shown = names.join(", ");
            return Err(Error::new(
                ErrorCode::Refused,
                text!(en: "{shown} refers to {record}; nothing was deleted", ja: "{shown} が {record} を参照しています。何も削除していません"),
            )
            .with("referring", names));
        }
        let recovery = self.recovery();
        let id = recovery.keep(record, &bytes, Why::Deleted)?;
        let removed = self.root.directory(record.kind).and_then(|directory| match directory {
            Some(directory) => store::remove(&directory.join(format!("{}.md", record.slug)), record, &bytes, &recovery),
            None => Err(self.root.missing(record)),
        });
        removed.map(|()| id.clone()).inspect_err(|_| recovery.forget(&id))
    }

    /// Deletes a record for a person: see [`Memory::restore`]. `base` is the hash of what they saw.
    pub fn delete_as_person(&self, record: &RecordRef, base: &str, force: bool) -> Result<String> {
        let _lock = self.lock()?;
        self.delete_locked(record, Base::Hash(base), force)
    }

    /// Writes an entry of the recovery folder back. Refused if the record is there again with another text.
    pub fn restore(&self, id: &str) -> Result<Recovered> {
        let (entry, bytes) = self.recovery().get(id)?;
        let _lock = self.lock()?;
        match self.present(&entry.record, Base::Present)? {
            Some((_, present)) if present == bytes => {}
            Some(_) => {
                let record = &entry.record;
                return Err(Error::new(
                    ErrorCode::Refused,
                    text!(en: "{record} is there with another text; nothing was written", ja: "{record} は別の内容ですでにあります。何も書き込んでいません"),
                ));
            }
            None => {
                self.write_locked(&entry.record, &bytes, Base::New, false, Vec::new())?;
            }
        }
        Ok(entry)
    }
}

/// Whether the text of `from` refers to `to`.
pub(crate) fn refers(from: &RecordRef, text: &str, to: &RecordRef, existing: &Existing) -> bool {
    let slug = to.slug.as_str();
    if !text.contains(slug) {
        return false;
    }
    let read = Frontmatter::parse(text).ok();
    let replaced = from.kind == RecordKind::Decision && to.kind == RecordKind::Decision;
    if replaced && read.as_ref().and_then(|read| read.str("replaced_by")) == Some(slug) {
        return true;
    }
    let body = crate::frontmatter::split(text).map_or(0, |parts| parts.body());
    existing.meant_by(&to.slug) == Some(to.kind)
        && prose::mentions(text, body).iter().any(|mention| mention.slug == to.slug)
}
