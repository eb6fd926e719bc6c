//! Writing what was read: each event into the record, in one transaction with the cursors up to which it was read.

use super::Import;
use super::batch::{Batch, Rewritten};
use kiroku_model::{Call, Cancel, Error, NewComment, Result, TaskId};
use kiroku_search::TITLE_TOMBSTONE;
use kiroku_search::record::{NewTask, Put, Record, write};
use kiroku_sources::{Event, TaskEvent};
use kiroku_store::{has_other_file, has_tombstone, is_forgotten, owe_list, owed_lists, paid_list, set_cursor};
use kiroku_tasks::ThreadKey;
use kiroku_tasks::exchange::{self, ListRow};
use kiroku_tasks::replay::{self, Extent, TOOLS, ToolCall};

impl Import<'_> {
    pub fn write(&mut self, record: &mut Record<'_, '_>, batch: Batch) -> Result<()> {
        for (file, event) in batch.events {
            self.write_event(record, file, event)?;
        }
        for rewritten in batch.rewritten {
            self.reconcile(record, rewritten)?;
        }
        for (file, path, cursor) in batch.cursors {
            if self.guarded.contains(&file) {
                continue;
            }
            let value = serde_json::to_string(&cursor).map_err(Error::internal)?;
            set_cursor(record.tx(), self.source, &path, &value)?;
        }
        Ok(())
    }

    fn write_event(&mut self, record: &mut Record<'_, '_>, file: usize, event: Event) -> Result<()> {
        match event {
            Event::Task(task) => self.write_task(record, file, &task),
            Event::Comment { task, comment } => self.write_comment(record, file, &task, *comment),
            Event::Output { task, comment, output } => {
                if let Some(id) = self.task(record, &task)?
                    && !self.is_forgotten(record, &task, &comment)?
                {
                    let changed = record.put_output(id, &comment, &output)?;
                    self.report.changed += u64::from(changed);
                    // What a list tool made may stand in its output, and this may be one.
                    if changed {
                        owe_list(record.tx(), id, false)?;
                    }
                }
                Ok(())
            }
            Event::Kind { task, comment, kind, progress } => {
                if let Some(id) = self.task(record, &task)?
                    && !self.is_forgotten(record, &task, &comment)?
                {
                    self.report.changed += u64::from(record.put_kind(id, &comment, &kind, progress.as_ref())?);
                }
                Ok(())
            }
            // Neither is put into a batch.
            Event::List { .. } | Event::Skipped(_) => Ok(()),
        }
    }

    fn write_task(&mut self, record: &mut Record<'_, '_>, file: usize, task: &TaskEvent) -> Result<()> {
        if self.is_forgotten(record, &task.key, "")? {
            self.guarded.insert(file);
            self.tasks.insert(task.key.clone(), None);
            return Ok(());
        }
        let Some(known) = record.task_of(self.source, &task.key)? else {
            let known = self.unwritten.get(&task.key);
            if known.is_none_or(|known| known.updated <= task.updated) {
                self.unwritten.insert(task.key.clone(), task.clone());
            }
            return Ok(());
        };
        let (title, created, updated) = record.title_and_times(known)?;
        if updated > task.updated {
            // A file may hold a few older lines of another session, and knows less of it than is known already.
            self.tasks.insert(task.key.clone(), Some(known));
            return Ok(());
        }
        let mut task = task.clone();
        if created < task.created {
            // It goes on in this file, whose first request is not the session's.
            (task.created, task.title) = (created, title);
        }
        self.put_task(record, &task).map(drop)
    }

    fn put_task(&mut self, record: &mut Record<'_, '_>, task: &TaskEvent) -> Result<TaskId> {
        let parent = match &task.parent {
            Some(key) => record.task_of(self.source, key)?,
            None => None,
        };
        let untitled = self.is_forgotten(record, &task.key, TITLE_TOMBSTONE)?;
        let put = record.put_task(&NewTask {
            uid: None,
            id: None,
            source: Some((self.source.to_owned(), task.key.clone())),
            title: if untitled { String::new() } else { task.title.clone() },
            piece: task.piece.clone(),
            state: None,
            ending: Some(task.ending),
            folder: task.folder.as_ref().map(|folder| folder.display().to_string()),
            owner: Some(self.options.owner.clone()),
            parent,
            created: task.created,
            updated: task.updated,
        })?;
        if let (None, Some(key)) = (parent, &task.parent) {
            record.await_parent(put.id(), key)?;
        }
        self.report.tasks += u64::from(matches!(put, Put::New(_)));
        self.tasks.insert(task.key.clone(), Some(put.id()));
        Ok(put.id())
    }

    fn write_comment(
        &mut self,
        record: &mut Record<'_, '_>,
        file: usize,
        task: &str,
        mut comment: NewComment,
    ) -> Result<()> {
        let known = self.task(record, task)?;
        if known.is_none() && !self.unwritten.contains_key(task) {
            self.report.forgotten += 1;
            return Ok(());
        }
        if self.is_forgotten(record, task, &comment.key)? {
            self.guarded.insert(file);
            self.report.forgotten += 1;
            return Ok(());
        }
        if record.is_elsewhere(self.source, task, &comment.key)? {
            self.report.repeated += 1;
            return Ok(());
        }
        let id = match (known, self.unwritten.remove(task)) {
            (Some(id), _) => id,
            (None, Some(event)) => self.put_task(record, &event)?,
            (None, None) => return Ok(()),
        };
        if comment.author == kiroku_model::Author::User && comment.member.is_none() {
            comment.member = Some(self.options.owner.clone());
        }
        let is_list_call = comment.tool.as_deref().is_some_and(|tool| TOOLS.contains(&tool));
        let put = record.put_comment(id, &comment)?;
        if is_list_call && !matches!(put, Put::Same(_)) {
            owe_list(record.tx(), id, false)?;
        }
        match put {
            Put::New(_) => self.report.comments += 1,
            Put::Changed(_) => self.report.changed += 1,
            Put::Same(_) => {}
        }
        Ok(())
    }

    /// What a file that was rewritten no longer holds is withdrawn, unless the task's lines come from other files too.
    fn reconcile(&mut self, record: &mut Record<'_, '_>, rewritten: Rewritten) -> Result<()> {
        for (key, keys) in rewritten.keys {
            let Some(task) = self.task(record, &key)? else { continue };
            if has_other_file(record.tx(), self.source, &rewritten.path, &key)? {
                continue;
            }
            record.reorder(task, &keys)?;
            self.report.withdrawn += record.withdraw_others(task, &keys.into_iter().collect())?;
            owe_list(record.tx(), task, true)?;
        }
        Ok(())
    }

    /// The task with this key; `None` if it was forgotten (or never told of, which a reader doesn't do).
    fn task(&mut self, record: &Record<'_, '_>, key: &str) -> Result<Option<TaskId>> {
        if let Some(known) = self.tasks.get(key) {
            return Ok(*known);
        }
        let found = record.task_of(self.source, key)?;
        if found.is_some() {
            self.tasks.insert(key.to_owned(), found);
        }
        Ok(found)
    }

    fn is_forgotten(&self, record: &Record<'_, '_>, task: &str, comment: &str) -> Result<bool> {
        is_forgotten(record.tx(), self.source, task, comment)
    }

    /// Brings the task lists up to date that the sessions kept by tools of their own.
    pub fn replay_lists(&mut self, cancel: &Cancel) -> Result<()> {
        let call = Call { cancel: cancel.clone(), ..Call::default() };
        for (task, whole) in self.workspace.space().read(&Cancel::new(), owed_lists)? {
            if cancel.is_cancelled() {
                break;
            }
            self.workspace.lists().replay(&call, task, if whole { Extent::Whole } else { Extent::Grown })?;
            self.workspace.space().write(|tx| paid_list(tx, task))?;
        }
        Ok(())
    }

    /// Takes over the lists that stand in files of their own, where they tell more than the sessions do: what a session's
    /// own calls or a person made of a list since stays, and so does a list of which something was forgotten.
    pub fn write_lists(&mut self) -> Result<()> {
        for list in std::mem::take(&mut self.lists) {
            write(self.workspace.space(), |record| {
                let tx = record.tx();
                let Some(task) = record.task_of(self.source, &list.task)? else {
                    return Ok(());
                };
                if !has_tombstone(tx, self.source, &list.task)? {
                    let owner = record.owner_of(task)?.unwrap_or_else(|| self.options.owner.clone());
                    let key = ThreadKey::of_task(task, &owner)?;
                    let stored = exchange::list(tx, key.thread())?;
                    let call = ToolCall { tool: list.tool, input: &list.call, output: None };
                    let items = replay::read(call).and_then(|write| write.apply(&stored.items));
                    if let Some(items) = items.filter(|_| stored.updated.is_none_or(|updated| updated <= list.at)) {
                        let row = ListRow { key: &key, items: &items, version: None, updated: Some(list.at) };
                        exchange::put_list(tx, &row)?;
                    }
                }
                let value = serde_json::to_string(&list.cursor).map_err(Error::internal)?;
                set_cursor(tx, self.source, &list.path, &value)
            })?;
        }
        Ok(())
    }
}
