//! Renaming a record: the file, every `replaced_by` and every `#slug` that means it, all or nothing.
//!
//! What is about to change is written down first. If a step fails, or the process is killed and the next one takes the
//! lock, what is written down is undone; a file that somebody else has changed since is left as it is.

use super::replace::{move_to_unused, writable};
use super::{Lock, hash, replace};
use crate::memory::{Base, Memory};
use crate::open::to_text;
use crate::{Existing, FieldValue, Frontmatter, RecordKind, RecordRef, Slug, prose, set_field};
use kiroku_model::{Error, ErrorCode, Result, text};
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::path::Path;

/// What a rename did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Renamed {
    /// The record by its new name.
    pub record: RecordRef,
    /// The hash of its text now.
    pub hash: String,
    /// The records whose references followed.
    pub changed: Vec<RecordRef>,
}

/// What a rename would do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenamePreview {
    /// The record by its new name.
    pub record: RecordRef,
    /// The records whose references would follow, with their texts before and after.
    pub changes: Vec<Followed>,
}

/// A record whose references would follow a rename.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Followed {
    /// The record; the renamed one by its new name.
    pub record: RecordRef,
    /// Its text now.
    pub before: String,
    /// Its text after.
    pub after: String,
}

/// A rename, written down before it is begun.
#[derive(Serialize, Deserialize)]
struct Plan {
    from: RecordRef,
    to: RecordRef,
    /// The hash of the record as it was.
    hash: String,
    /// Texts to change, after the file has its new name.
    changes: Vec<Change>,
}

#[derive(Serialize, Deserialize)]
struct Change {
    record: RecordRef,
    old: String,
    new: String,
}

impl Memory {
    /// Gives a record another slug; references follow. `base` is the hash of what the caller saw, `None`: whatever is there.
    pub fn rename(&self, record: &RecordRef, to: &Slug, base: Option<&str>) -> Result<Renamed> {
        renamable(record)?;
        let _lock: Lock = self.lock()?;
        let Some((_, bytes)) = self.present(record, base.map_or(Base::Present, Base::Hash))? else {
            return Err(self.root.missing(record));
        };
        let target = RecordRef { kind: record.kind, slug: to.clone() };
        if target == *record {
            return Ok(Renamed { record: target, hash: hash(&bytes), changed: Vec::new() });
        }
        self.present(&target, Base::New)?;
        let target_path = self.root.place(&target)?;
        let source_path = target_path.with_file_name(format!("{}.md", record.slug));
        writable(&source_path, &record.file())?;
        let plan = self.plan(record, &target, hash(&bytes))?;
        self.write_down(&plan)?;
        if let Err(error) = self.carry_out(&plan, &source_path, &target_path, &bytes) {
            self.undo_unfinished_rename()?;
            return Err(error);
        }
        std::fs::remove_file(self.journal())
            .map_err(|error| Error::io(text!(en: "ending the rename", ja: "名前の変更の完了"), &error))?;
        let hash = hash(&self.root.read(&target)?);
        let changed =
            plan.changes.into_iter().map(|change| change.record).filter(|changed| *changed != target).collect();
        Ok(Renamed { record: target, hash, changed })
    }

    /// What [`Memory::rename`] would do; an error where it would be one. Nothing is written.
    pub fn preview_rename(&self, record: &RecordRef, to: &Slug) -> Result<RenamePreview> {
        renamable(record)?;
        let target = RecordRef { kind: record.kind, slug: to.clone() };
        let made_from = hash(&self.root.read(record)?);
        if target == *record {
            return Ok(RenamePreview { record: target, changes: Vec::new() });
        }
        self.present(&target, Base::New)?;
        writable(&self.root.locate(record)?, &record.file())?;
        let changes = self.plan(record, &target, made_from)?.changes.into_iter();
        let changes = changes.map(|Change { record, old, new }| Followed { record, before: old, after: new });
        Ok(RenamePreview { record: target, changes: changes.collect() })
    }

    /// Gives a file whose name can be no record's a name that can; `file` is as [`crate::FileProblem`] has it.
    pub fn mend_name(&self, file: &str, to: &Slug) -> Result<RecordRef> {
        let _lock: Lock = self.lock()?;
        for kind in RecordKind::ALL {
            let listed =
                self.root.list(kind)?.problems.into_iter().any(|bad| bad.file == file && bad.rename_to.is_some());
            let Some((_, name)) = file.rsplit_once('/').filter(|_| listed) else { continue };
            let Some(directory) = self.root.directory(kind)? else { continue };
            let target = RecordRef { kind, slug: to.clone() };
            self.present(&target, Base::New)?;
            move_to_unused(&directory.join(name), &directory.join(format!("{to}.md")))
                .map_err(|error| Error::io(text!(en: "renaming {file}", ja: "{file} の名前の変更"), &error))?;
            return Ok(target);
        }
        Err(Error::not_found(
            text!(en: "there is no file {file} that needs a name", ja: "名前を直すファイル {file} はありません"),
        ))
    }

    fn plan(&self, from: &RecordRef, to: &RecordRef, hash: String) -> Result<Plan> {
        let existing = self.existing()?;
        let mut changes = Vec::new();
        for kind in RecordKind::ALL {
            for entry in self.root.list(kind)?.entries {
                let bytes = self.root.read(&entry.record)?;
                if memchr::memmem::find(&bytes, from.slug.as_str().as_bytes()).is_none() {
                    continue;
                }
                let old = to_text(bytes, &entry.record.file())?;
                let new = followed(&entry.record, &old, from, to, &existing)?;
                if new != old {
                    writable(&self.root.locate(&entry.record)?, &entry.record.file())?;
                    let record = if entry.record == *from { to.clone() } else { entry.record };
                    changes.push(Change { record, old, new });
                }
            }
        }
        let mut after = existing;
        after.remove(from);
        after.add(to.clone());
        let mentioned = changes.iter().any(|change| prose::mentions(&change.new, 0).iter().any(|m| m.slug == to.slug));
        if mentioned && after.meant_by(&to.slug) != Some(to.kind) {
            let slug = &to.slug;
            return Err(Error::new(
                ErrorCode::Refused,
                text!(en: "`#{slug}` would mean another record; nothing was renamed", ja: "「#{slug}」が別の記録を指すことになります。何も変えていません"),
            ));
        }
        Ok(Plan { from: from.clone(), to: to.clone(), hash, changes })
    }

    fn write_down(&self, plan: &Plan) -> Result<()> {
        let io = |error: std::io::Error| Error::io(text!(en: "beginning the rename", ja: "名前の変更の開始"), &error);
        let path = self.journal();
        let temp = path.with_extension("tmp");
        let mut file = std::fs::File::create(&temp).map_err(io)?;
        file.write_all(&serde_json::to_vec(plan).map_err(Error::internal)?).map_err(io)?;
        file.sync_all().map_err(io)?;
        std::fs::rename(temp, path).map_err(io)
    }

    fn carry_out(&self, plan: &Plan, source: &Path, target: &Path, made_from: &[u8]) -> Result<()> {
        move_to_unused(source, target).map_err(|error| {
            let from = &plan.from;
            Error::io(text!(en: "renaming {from}", ja: "{from} の名前の変更"), &error)
        })?;
        if self.root.read(&plan.to)? != made_from {
            return Err(super::conflict(&plan.from.file(), None));
        }
        for change in &plan.changes {
            self.swap(&change.record, &change.old, &change.new)?;
        }
        Ok(())
    }

    fn swap(&self, record: &RecordRef, old: &str, new: &str) -> Result<()> {
        replace(&self.root.locate(record)?, record, old.as_bytes(), new.as_bytes(), &self.recovery())
    }

    /// Undoes a rename that is written down. Called under the lock.
    pub(crate) fn undo_unfinished_rename(&self) -> Result<()> {
        let path = self.journal();
        let Ok(json) = std::fs::read(&path) else { return Ok(()) };
        if let Ok(plan) = serde_json::from_slice::<Plan>(&json) {
            for change in &plan.changes {
                // Whatever is neither the new text nor there at all was not changed by the rename.
                if self.root.read(&change.record).is_ok_and(|present| present == change.new.as_bytes()) {
                    self.swap(&change.record, &change.new, &change.old)?;
                }
            }
            let moved = self.root.read(&plan.to).is_ok_and(|present| hash(&present) == plan.hash);
            if moved && let Some(directory) = self.root.directory(plan.to.kind)? {
                let name = |record: &RecordRef| directory.join(format!("{}.md", record.slug));
                let _ = move_to_unused(&name(&plan.to), &name(&plan.from));
            }
        }
        std::fs::remove_file(&path)
            .map_err(|error| Error::io(text!(en: "undoing a rename", ja: "名前の変更の取り消し"), &error))
    }
}

fn renamable(record: &RecordRef) -> Result<()> {
    if record.kind == RecordKind::Summary {
        return Err(Error::invalid(text!(en: "the summary has no other name", ja: "summary の名前は変えられません")));
    }
    Ok(())
}

/// The text of `record` with its references to `from` turned to `to`.
fn followed(record: &RecordRef, old: &str, from: &RecordRef, to: &RecordRef, existing: &Existing) -> Result<String> {
    let mut new = old.to_owned();
    let body = crate::frontmatter::split(old).map_or(0, |parts| parts.body());
    if existing.meant_by(&from.slug) == Some(from.kind) {
        // From the end, so that the places of those before stay right.
        for mention in prose::mentions(old, body).into_iter().rev().filter(|mention| mention.slug == from.slug) {
            new.replace_range(mention.span.start + 1..mention.span.end, to.slug.as_str());
        }
    }
    let replaced = record.kind == RecordKind::Decision && from.kind == RecordKind::Decision;
    if replaced && Frontmatter::parse(&new).ok().is_some_and(|read| read.str("replaced_by") == Some(from.slug.as_str()))
    {
        new = set_field(&new, "replaced_by", &FieldValue::Text(to.slug.to_string()))?;
    }
    Ok(new)
}
