//! Writing the record: tasks and comments, each change together with its place in the index.
//!
//! Everything here happens inside one write transaction, opened by [`write`]; what a comment says, its tool data, its
//! attachments and its doc change together or not at all.

use crate::index::write::{IndexWriter, Source};
use kiroku_model::{
    CommentId, Ending, Error, Kind, NewComment, ProgressType, Result, TaskId, TaskState, Time, ToolData, new_uid, text,
};
use kiroku_store::{Changed, DbResult, SpaceFile, Tx};
use rusqlite::{OptionalExtension, params};
use std::collections::HashMap;

/// A task to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewTask {
    /// Its uid, if it has one already.
    pub uid: Option<String>,
    /// The number that it would like; it gets it if it is free.
    pub id: Option<TaskId>,
    /// The importer's name and its own key.
    pub source: Option<(String, String)>,
    /// Title.
    pub title: String,
    /// The workflow or agent that it runs.
    pub piece: String,
    /// A stated state.
    pub state: Option<TaskState>,
    /// How its session's last line left it; the state follows from it if none is stated.
    pub ending: Option<Ending>,
    /// The folder in which it worked.
    pub folder: Option<String>,
    /// The member whose task it is.
    pub owner: Option<String>,
    /// The task whose subtask it is.
    pub parent: Option<TaskId>,
    /// When it began.
    pub created: Time,
    /// When it last changed.
    pub updated: Time,
}

/// What writing something came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Put<Id> {
    /// It is new.
    New(Id),
    /// It was there, and is changed.
    Changed(Id),
    /// It was there, just so.
    Same(Id),
}

impl<Id: Copy> Put<Id> {
    /// The row's number.
    pub fn id(self) -> Id {
        match self {
            Put::New(id) | Put::Changed(id) | Put::Same(id) => id,
        }
    }
}

/// Runs `f` in one write transaction.
pub fn write<T>(space: &SpaceFile, f: impl FnOnce(&mut Record<'_, '_>) -> Result<T>) -> Result<T> {
    space.write(|tx| {
        let mut record = Record::begin(tx)?;
        let value = f(&mut record)?;
        record.finish()?;
        Ok(value)
    })
}

/// The record, while a write transaction is open.
pub struct Record<'t, 'c> {
    pub(crate) tx: &'t Tx<'c>,
    pub(crate) index: IndexWriter<'t, 'c>,
    /// The last `seq` of the tasks written to.
    last_seq: HashMap<TaskId, i64>,
    /// The newest comment of the tasks written to.
    newest: HashMap<TaskId, i64>,
}

impl<'t, 'c> Record<'t, 'c> {
    pub(crate) fn begin(tx: &'t Tx<'c>) -> Result<Self> {
        Ok(Record { tx, index: IndexWriter::new(tx)?, last_seq: HashMap::new(), newest: HashMap::new() })
    }

    pub(crate) fn finish(self) -> Result<()> {
        for (task, newest) in self.newest {
            self.tx
                .prepare_cached("UPDATE task SET active = ?2 WHERE id = ?1 AND active < ?2")
                .and_then(|mut update| update.execute([task.0, newest]))
                .or_sql()?;
        }
        self.index.finish()
    }

    /// The transaction, for what stands in the same one (cursors, tombstones, lists).
    pub fn tx(&self) -> &'t Tx<'c> {
        self.tx
    }

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
        Ok(TaskId(self.tx.last_insert_rowid()))
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

    /// The comment with this key in this task.
    pub fn comment_of(&self, task: TaskId, key: &str) -> Result<Option<CommentId>> {
        self.tx
            .prepare_cached("SELECT id FROM comment WHERE key = ?1 AND task = ?2")
            .and_then(|mut row| row.query_row(params![key, task.0], |row| row.get(0).map(CommentId)).optional())
            .or_sql()
    }

    /// Whether the space holds this comment.
    pub fn has_comment(&self, id: CommentId) -> Result<bool> {
        self.tx
            .prepare_cached("SELECT EXISTS (SELECT 1 FROM comment WHERE id = ?1)")
            .and_then(|mut row| row.query_row([id.0], |row| row.get(0)))
            .or_sql()
    }

    /// When a task last changed, by its source.
    pub fn updated(&self, task: TaskId) -> Result<Time> {
        self.tx
            .prepare_cached("SELECT updated FROM task WHERE id = ?1")
            .and_then(|mut row| row.query_row([task.0], |row| row.get(0).map(Time)))
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

    /// Whether another task of `source` than `task` (its key; it need not be there) holds a comment with this key: a
    /// session that was forked or resumed repeats lines, and each counts once a space.
    pub fn is_elsewhere(&self, source: &str, task: &str, key: &str) -> Result<bool> {
        self.tx
            .prepare_cached(
                "SELECT EXISTS (SELECT 1 FROM comment c JOIN task t ON t.id = c.task
                   WHERE c.key = ?3 AND t.source = ?1 AND t.source_key <> ?2)",
            )
            .and_then(|mut row| row.query_row([source, task, key], |row| row.get(0)))
            .or_sql()
    }

    /// Writes a comment at the end of its task, or changes the one that has its key.
    pub fn put_comment(&mut self, task: TaskId, new: &NewComment) -> Result<Put<CommentId>> {
        self.put_comment_at(task, new, None, None)
    }

    /// The same; a new comment would like the number `wanted` and the place `seq` in its task, and gets what is free.
    pub fn put_comment_at(
        &mut self,
        task: TaskId,
        new: &NewComment,
        wanted: Option<CommentId>,
        seq: Option<i64>,
    ) -> Result<Put<CommentId>> {
        if new.member.as_deref().is_some_and(|member| member.contains(char::is_whitespace)) {
            return Err(Error::invalid(
                text!(en: "a member's id holds white space", ja: "メンバーの ID に空白が含まれています"),
            ));
        }
        let put = match self.comment_of(task, &new.key)? {
            None => Put::New(self.insert_comment(task, new, wanted, seq)?),
            Some(id) if self.update_comment(id, new)? => Put::Changed(id),
            Some(id) => Put::Same(id),
        };
        if let Put::Same(_) = put {
            return Ok(put);
        }
        let id = put.id();
        self.put_attachments(id, new)?;
        self.index.put(
            &Source {
                comment: id.0,
                task: task.0,
                created: new.created.0,
                author: new.author,
                member: new.member.as_deref(),
                kind: &new.kind,
                progress: new.progress.as_ref(),
                tool: new.tool.as_deref(),
                body: &new.body,
                attachments: &new.attachments,
            },
            matches!(put, Put::Changed(_)),
        )?;
        let newest = self.newest.entry(task).or_insert(new.created.0);
        *newest = (*newest).max(new.created.0);
        self.tx.changed(Changed::row("comment", task, id.0));
        Ok(put)
    }

    fn insert_comment(
        &mut self,
        task: TaskId,
        new: &NewComment,
        wanted: Option<CommentId>,
        seq: Option<i64>,
    ) -> Result<CommentId> {
        let wanted = match wanted {
            Some(wanted) if !self.has_comment(wanted)? => Some(wanted.0),
            _ => None,
        };
        let seq = self.free_seq(task, seq)?;
        self.tx
            .prepare_cached(
                "INSERT INTO comment (id, task, seq, key, author, member, kind, progress, tool, movement, created, body)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
            )
            .and_then(|mut insert| {
                insert.execute(params![
                    wanted,
                    task.0,
                    seq,
                    new.key,
                    new.author.as_str(),
                    new.member,
                    new.kind.as_str(),
                    new.progress.as_ref().map(ProgressType::as_str),
                    new.tool,
                    new.movement,
                    new.created.0,
                    new.body
                ])
            })
            .or_sql()?;
        let id = CommentId(self.tx.last_insert_rowid());
        if new.input.is_some() || new.output.is_some() {
            self.put_tool_data(id, new.input.as_ref(), new.output.as_ref())?;
        }
        Ok(id)
    }

    /// The wanted place in a task's order if it is free, else the next behind its end.
    fn free_seq(&mut self, task: TaskId, wanted: Option<i64>) -> Result<i64> {
        let Some(wanted) = wanted.filter(|seq| (1..=i64::from(i32::MAX)).contains(seq)) else {
            return self.next_seq(task);
        };
        let taken: bool = self
            .tx
            .prepare_cached("SELECT EXISTS (SELECT 1 FROM comment WHERE task = ?1 AND seq = ?2)")
            .and_then(|mut row| row.query_row([task.0, wanted], |row| row.get(0)))
            .or_sql()?;
        if taken {
            return self.next_seq(task);
        }
        if let Some(last) = self.last_seq.get_mut(&task) {
            *last = (*last).max(wanted);
        }
        Ok(wanted)
    }

    fn next_seq(&mut self, task: TaskId) -> Result<i64> {
        if let Some(next) = self.last_seq.get_mut(&task) {
            *next += 1;
            return Ok(*next);
        }
        let last: i64 = self
            .tx
            .prepare_cached("SELECT coalesce(max(seq), 0) FROM comment WHERE task = ?1")
            .and_then(|mut row| row.query_row([task.0], |row| row.get(0)))
            .or_sql()?;
        self.last_seq.insert(task, last + 1);
        Ok(last + 1)
    }

    /// Whether anything was different. What is not known now (an output that came later) is kept.
    fn update_comment(&mut self, id: CommentId, new: &NewComment) -> Result<bool> {
        let mut changed = self
            .tx
            .prepare_cached(
                "UPDATE comment SET author = ?2, member = ?3, kind = ?4, progress = ?5, tool = ?6, movement = ?7, created = ?8,
                   body = ?9, withdrawn = 0
                 WHERE id = ?1 AND (author, member, kind, progress, tool, movement, created, body, withdrawn)
                   IS NOT (?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 0)",
            )
            .and_then(|mut update| {
                update.execute(params![
                    id.0,
                    new.author.as_str(),
                    new.member,
                    new.kind.as_str(),
                    new.progress.as_ref().map(ProgressType::as_str),
                    new.tool,
                    new.movement,
                    new.created.0,
                    new.body
                ])
            })
            .or_sql()?
            > 0;
        if new.input.is_some() || new.output.is_some() {
            changed |= self.put_tool_data(id, new.input.as_ref(), new.output.as_ref())?;
        }
        Ok(changed | (crate::index::rebuild::attachments(self.tx, id.0)? != new.attachments))
    }

    /// Whether anything was different; `None` keeps what is there.
    fn put_tool_data(&self, id: CommentId, input: Option<&ToolData>, output: Option<&ToolData>) -> Result<bool> {
        let bytes = |data: Option<&ToolData>| data.map(|data| data.whole_bytes as i64);
        self.tx
            .prepare_cached(
                "INSERT INTO tool_data (comment, input, input_bytes, output, output_bytes) VALUES (?1, ?2, ?3, ?4, ?5)
                 ON CONFLICT DO UPDATE SET input = coalesce(?2, input), input_bytes = coalesce(?3, input_bytes),
                   output = coalesce(?4, output), output_bytes = coalesce(?5, output_bytes)
                 WHERE (input, input_bytes, output, output_bytes)
                   IS NOT (coalesce(?2, input), coalesce(?3, input_bytes), coalesce(?4, output), coalesce(?5, output_bytes))",
            )
            .and_then(|mut put| {
                put.execute(params![id.0, input.map(|data| &data.text), bytes(input), output.map(|data| &data.text), bytes(output)])
            })
            .or_sql()
            .map(|changed| changed > 0)
    }

    fn put_attachments(&self, id: CommentId, new: &NewComment) -> Result<()> {
        self.tx
            .prepare_cached("DELETE FROM attachment WHERE comment = ?1")
            .and_then(|mut delete| delete.execute([id.0]))
            .or_sql()?;
        for (position, attachment) in new.attachments.iter().enumerate() {
            let bytes = attachment.bytes.and_then(|bytes| i64::try_from(bytes).ok());
            self.tx
                .prepare_cached(
                    "INSERT INTO attachment (comment, position, name, bytes, media_type) VALUES (?1, ?2, ?3, ?4, ?5)",
                )
                .and_then(|mut insert| {
                    insert.execute(params![id.0, position as i64, attachment.name, bytes, attachment.media_type])
                })
                .or_sql()?;
        }
        Ok(())
    }

    /// Keeps what a tool call gave back; a call that isn't here is passed over. Whether anything was different.
    pub fn put_output(&mut self, task: TaskId, key: &str, output: &ToolData) -> Result<bool> {
        let Some(id) = self.comment_of(task, key)? else {
            return Ok(false);
        };
        let changed = self.put_tool_data(id, None, Some(output))?;
        if changed {
            self.tx.changed(Changed::row("comment", task, id.0));
        }
        Ok(changed)
    }

    /// Changes a comment's kind; one that isn't here is passed over. Whether anything was different.
    pub fn put_kind(&mut self, task: TaskId, key: &str, kind: &Kind, progress: Option<&ProgressType>) -> Result<bool> {
        let Some(id) = self.comment_of(task, key)? else {
            return Ok(false);
        };
        let changed = self
            .tx
            .prepare_cached(
                "UPDATE comment SET kind = ?2, progress = ?3 WHERE id = ?1 AND (kind, progress) IS NOT (?2, ?3)",
            )
            .and_then(|mut update| update.execute(params![id.0, kind.as_str(), progress.map(ProgressType::as_str)]))
            .or_sql()?
            > 0;
        if changed {
            self.reindex(task, id)?;
        }
        Ok(changed)
    }

    /// Gives a comment the doc that follows from its row.
    pub(crate) fn reindex(&mut self, task: TaskId, id: CommentId) -> Result<()> {
        // One that is gone from its source has none, whatever else becomes of it.
        match crate::index::rebuild::read(self.tx, "c.id = ?1 AND c.withdrawn = 0", [id.0])?.pop() {
            Some(row) => self.index.put(&row.source(), true)?,
            None => self.index.remove(id.0)?,
        }
        self.tx.changed(Changed::row("comment", task, id.0));
        Ok(())
    }

    /// Takes comments that are gone from their source out: one to which something refers is kept, marked as withdrawn;
    /// the others are deleted. Neither is found by a search. `kept` are the keys that the source still has.
    pub fn withdraw_others(&mut self, task: TaskId, kept: &std::collections::HashSet<String>) -> Result<u64> {
        let known: Vec<(i64, String)> = {
            let mut rows = self
                .tx
                .prepare_cached("SELECT id, key FROM comment WHERE task = ?1 AND withdrawn = 0 ORDER BY seq")
                .or_sql()?;
            rows.query_map([task.0], |row| Ok((row.get(0)?, row.get(1)?))).and_then(Iterator::collect).or_sql()?
        };
        let mut gone = 0;
        for (id, _) in known.iter().filter(|(_, key)| !kept.contains(key)) {
            let referred: bool = self
                .tx
                .prepare_cached(
                    "SELECT EXISTS (SELECT 1 FROM pin WHERE comment = ?1) OR EXISTS (SELECT 1 FROM list_history WHERE comment = ?1)",
                )
                .and_then(|mut row| row.query_row([id], |row| row.get(0)))
                .or_sql()?;
            if referred {
                self.withdraw(task, CommentId(*id))?;
            } else {
                self.index.remove(*id)?;
                self.tx
                    .prepare_cached("DELETE FROM comment WHERE id = ?1")
                    .and_then(|mut delete| delete.execute([id]))
                    .or_sql()?;
                self.tx.changed(Changed::row("comment", task, *id));
            }
            gone += 1;
        }
        Ok(gone)
    }

    /// Marks a comment as gone from its source: it can be read where something refers to it, and is not found.
    pub fn withdraw(&mut self, task: TaskId, id: CommentId) -> Result<()> {
        self.index.remove(id.0)?;
        self.tx
            .prepare_cached("UPDATE comment SET withdrawn = 1 WHERE id = ?1")
            .and_then(|mut update| update.execute([id.0]))
            .or_sql()?;
        self.tx.changed(Changed::row("comment", task, id.0));
        Ok(())
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

    /// Makes a task the subtask of another, where it was not known yet whose it is.
    pub fn set_parent(&mut self, task: TaskId, parent: TaskId) -> Result<()> {
        self.tx
            .execute("UPDATE task SET parent = ?2 WHERE id = ?1 AND parent IS NULL AND id <> ?2", [task.0, parent.0])
            .or_sql()
            .map(drop)
    }

    /// Puts a task's comments in the order of `keys`, the source's own after it was rewritten; those that are not named
    /// keep their order behind them.
    pub fn reorder(&mut self, task: TaskId, keys: &[String]) -> Result<()> {
        let wanted: HashMap<&str, usize> = keys.iter().enumerate().map(|(at, key)| (key.as_str(), at)).collect();
        let mut known: Vec<(i64, i64, String)> = {
            let mut rows =
                self.tx.prepare_cached("SELECT id, seq, key FROM comment WHERE task = ?1 ORDER BY seq").or_sql()?;
            rows.query_map([task.0], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
                .and_then(Iterator::collect)
                .or_sql()?
        };
        let before: Vec<i64> = known.iter().map(|(id, ..)| *id).collect();
        known.sort_by_key(|(_, seq, key)| (wanted.get(key.as_str()).copied().unwrap_or(usize::MAX), *seq));
        if known.iter().map(|(id, ..)| *id).eq(before) {
            return Ok(());
        }
        // In two passes, since `seq` is unique at every moment: first out of the way, then into place.
        for sign in [-1, 1] {
            for (at, (id, ..)) in known.iter().enumerate() {
                self.tx
                    .prepare_cached("UPDATE comment SET seq = ?2 WHERE id = ?1")
                    .and_then(|mut update| update.execute([*id, sign * (at as i64 + 1)]))
                    .or_sql()?;
            }
        }
        self.last_seq.remove(&task);
        self.tx.changed(Changed { entity: "comment", task: Some(task), first: None, last: None });
        Ok(())
    }
}
