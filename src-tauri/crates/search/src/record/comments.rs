//! Comments: made and changed by their key, each with its tool data, attachments and doc.

use super::{Put, Record};
use crate::index::write::Source;
use kiroku_model::{CommentId, Error, Kind, NewComment, ProgressType, Result, TaskId, ToolData, text};
use kiroku_store::{Changed, DbResult};
use rusqlite::{OptionalExtension, params};

impl Record<'_, '_> {
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
        self.put_attachments(id, new, matches!(put, Put::Changed(_)))?;
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

    fn put_attachments(&self, id: CommentId, new: &NewComment, existed: bool) -> Result<()> {
        if existed {
            self.tx
                .prepare_cached("DELETE FROM attachment WHERE comment = ?1")
                .and_then(|mut delete| delete.execute([id.0]))
                .or_sql()?;
        }
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
}
