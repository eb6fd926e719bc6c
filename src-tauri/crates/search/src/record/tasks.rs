//! Tasks: found by their source's key or their uid, made, changed, and what is asked of them while writing.

use super::{NewTask, Put, Record};
use kiroku_model::{Ending, Result, TaskId, TaskState, Time, new_uid};
use kiroku_store::{Changed, DbResult};
use rusqlite::{OptionalExtension, params};

impl Record<'_, '_> {
    /// The task that a source knows by this key.
    pub fn task_of(&self, source: &str, key: &str) -> Result<Option<TaskId>> {
        self.tx
            .prepare_cached("SELECT id FROM task WHERE source = ?1 AND source_key = ?2")
            .and_then(|mut row| row.query_row([source, key], |row| row.get(0).map(TaskId)).optional())
            .or_sql()
    }

    /// Makes a task, or changes the one that is there: the one with the same source and key, else with the same uid.
    pub fn put_task(&mut self, new: &NewTask) -> Result<Put<TaskId>> {
        let by_source = match &new.source {
            Some((source, key)) => self.task_of(source, key)?,
            None => None,
        };
        let known = match (&new.uid, by_source) {
            (Some(uid), None) => self
                .tx
                .prepare_cached("SELECT id FROM task WHERE uid = ?1")
                .and_then(|mut row| row.query_row([uid], |row| row.get(0).map(TaskId)).optional())
                .or_sql()?,
            (_, known) => known,
        };
        let put = match known {
            Some(id) if self.update_task(id, new)? => Put::Changed(id),
            Some(id) => Put::Same(id),
            None => Put::New(self.insert_task(new)?),
        };
        if !matches!(put, Put::Same(_)) {
            self.tx.changed(Changed::row("task", put.id(), put.id().0));
        }
        Ok(put)
    }

    fn insert_task(&mut self, new: &NewTask) -> Result<TaskId> {
        let wanted = match new.id {
            Some(TaskId(id)) => {
                let taken: bool = self
                    .tx
                    .query_row("SELECT EXISTS (SELECT 1 FROM task WHERE id = ?1)", [id], |row| row.get(0))
                    .or_sql()?;
                (!taken).then_some(id)
            }
            None => None,
        };
        let uid = match (&new.uid, &new.source) {
            (Some(uid), _) => uid.clone(),
            (None, Some((source, key))) => kiroku_model::derived_uid(source, key),
            (None, None) => new_uid(),
        };
        let (source, key) = new.source.clone().unzip();
        self.tx
            .prepare_cached(
                "INSERT INTO task (id, uid, title, piece, state, ending, folder, owner, parent, source, source_key, created, updated, active)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?13)",
            )
            .and_then(|mut insert| {
                insert.execute(params![
                    wanted,
                    uid,
                    new.title,
                    new.piece,
                    new.state.map(TaskState::as_str),
                    new.ending.map(Ending::as_str),
                    new.folder,
                    new.owner,
                    new.parent.map(|parent| parent.0),
                    source,
                    key,
                    new.created.0,
                    new.updated.0
                ])
            })
            .or_sql()?;
        let id = TaskId(self.tx.last_insert_rowid());
        if let Some((source, key)) = &new.source {
            self.adopt(id, source, key)?;
        }
        Ok(id)
    }

    /// Makes the subtasks that were read before a task its own.
    fn adopt(&self, parent: TaskId, source: &str, key: &str) -> Result<()> {
        self.tx
            .prepare_cached("UPDATE task SET parent = ?1, awaits = NULL WHERE source = ?2 AND awaits = ?3 AND id <> ?1")
            .and_then(|mut update| update.execute(params![parent.0, source, key]))
            .or_sql()
            .map(drop)
    }

    /// Whether anything was different.
    fn update_task(&mut self, id: TaskId, new: &NewTask) -> Result<bool> {
        self.tx
            .prepare_cached(
                "UPDATE task SET title = ?2, piece = ?3, state = ?4, ending = ?5, folder = ?6, owner = coalesce(?7, owner),
                   parent = coalesce(?8, parent), created = ?9, updated = ?10, active = max(active, ?10)
                 WHERE id = ?1 AND (title, piece, state, ending, folder, owner, parent, created, updated)
                   IS NOT (?2, ?3, ?4, ?5, ?6, coalesce(?7, owner), coalesce(?8, parent), ?9, ?10)",
            )
            .and_then(|mut update| {
                update.execute(params![
                    id.0,
                    new.title,
                    new.piece,
                    new.state.map(TaskState::as_str),
                    new.ending.map(Ending::as_str),
                    new.folder,
                    new.owner,
                    new.parent.map(|parent| parent.0),
                    new.created.0,
                    new.updated.0
                ])
            })
            .or_sql()
            .map(|changed| changed > 0)
    }

    /// A task's title, when it began and when it last changed, by its source.
    pub fn title_and_times(&self, task: TaskId) -> Result<(String, Time, Time)> {
        self.tx
            .prepare_cached("SELECT title, created, updated FROM task WHERE id = ?1")
            .and_then(|mut row| row.query_row([task.0], |row| Ok((row.get(0)?, Time(row.get(1)?), Time(row.get(2)?)))))
            .or_sql()
    }

    /// The member whose task it is, if that is known.
    pub fn owner_of(&self, task: TaskId) -> Result<Option<String>> {
        self.tx
            .prepare_cached("SELECT owner FROM task WHERE id = ?1")
            .and_then(|mut row| row.query_row([task.0], |row| row.get(0)).optional())
            .or_sql()
            .map(Option::flatten)
    }

    /// Gives a task the times of its first and last comment: for one that came without its own.
    pub fn times_from_comments(&mut self, task: TaskId) -> Result<()> {
        self.tx
            .execute(
                "UPDATE task SET (created, updated, active) =
                   (SELECT coalesce(min(c.created), task.created), coalesce(max(c.created), task.updated), coalesce(max(c.created), task.active)
                    FROM comment c WHERE c.task = task.id)
                 WHERE id = ?1",
                [task.0],
            )
            .or_sql()
            .map(drop)
    }

    /// Has a task wait for its parent, which its source knows by this key and has not told of yet.
    pub fn await_parent(&mut self, task: TaskId, key: &str) -> Result<()> {
        self.tx
            .prepare_cached("UPDATE task SET awaits = ?2 WHERE id = ?1 AND parent IS NULL AND awaits IS NOT ?2")
            .and_then(|mut update| update.execute(params![task.0, key]))
            .or_sql()
            .map(drop)
    }
}
