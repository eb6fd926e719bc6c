//! Forgetting: a task, a comment or a passage is removed for good, with everything that was derived from it, and a
//! tombstone keeps importers from bringing it back.

use crate::conversation::{no_comment, no_task, place_of};
use crate::record::Record;
use kiroku_model::{CommentId, Error, Result, TaskId, text};
use kiroku_store::{Changed, DbResult, SpaceFile, add_tombstone};
use rusqlite::{OptionalExtension, params};

/// What is to be forgotten.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum Forget {
    /// A task with its conversation, its list and its subtasks.
    Task(TaskId),
    /// A comment.
    Comment(CommentId),
    /// Every occurrence of a text in a comment and its tool data.
    Passage(CommentId, String),
}

/// What was forgotten.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, specta::Type)]
pub struct Forgotten {
    /// Tasks that are gone.
    pub tasks: u64,
    /// Comments that are gone, or from which a passage is.
    pub comments: u64,
    /// The backups that were made before, and still hold it.
    pub held_by: Vec<std::path::PathBuf>,
}

/// The key under which a tombstone says that a task's title, taken from a forgotten text, must not come back.
pub const TITLE: &str = "\u{1}title";

/// The source's name under which tombstones stand for what came by the exchange format and has no source of its own.
pub const EXCHANGE: &str = "kiroku";

/// Stands where a passage was.
const GONE: &str = "[forgotten]";

/// Forgets for good: deleted pages are overwritten, and the WAL is emptied behind it.
pub(crate) fn forget(space: &SpaceFile, what: &Forget) -> Result<Forgotten> {
    // An index that was replaced a moment ago holds its texts until it is swept away.
    while !space.write(crate::index::rebuild::sweep_some)? {}
    let mut forgotten = crate::record::write(space, |record| {
        record.index.require_ours()?;
        record.tx.pragma_update(None, "secure_delete", true).or_sql()?;
        record.index.secure_delete(true)?;
        let mut forgotten = Forgotten::default();
        match what {
            Forget::Task(task) => forget_task(record, *task, &mut forgotten)?,
            Forget::Comment(comment) => forget_comment(record, *comment, &mut forgotten)?,
            Forget::Passage(comment, passage) => forget_passage(record, *comment, passage, &mut forgotten)?,
        }
        record.index.secure_delete(false)?;
        Ok(forgotten)
    })?;
    // Not sooner: FTS5 writes its pages at the commit.
    space.write(|tx| tx.pragma_update(None, "secure_delete", false).or_sql())?;
    space.truncate_wal()?;
    forgotten.held_by = kiroku_store::list_backups(space.path())?.into_iter().map(|backup| backup.path).collect();
    Ok(forgotten)
}

fn forget_task(record: &mut Record<'_, '_>, task: TaskId, forgotten: &mut Forgotten) -> Result<()> {
    let tx = record.tx;
    let (source, key) = source_of(record, task)?;
    add_tombstone(tx, &source, &key, "")?;
    drop_cursors(record, &source, &key)?;
    let subtasks: Vec<i64> = ids(record, "SELECT id FROM task WHERE parent = ?1", task.0)?;
    for subtask in subtasks {
        forget_task(record, TaskId(subtask), forgotten)?;
    }
    let comments: Vec<i64> = ids(record, "SELECT id FROM comment WHERE task = ?1", task.0)?;
    for comment in &comments {
        record.index.remove(*comment)?;
    }
    let thread = task.to_string();
    for table in ["list_item", "list", "list_history", "list_note", "list_review"] {
        tx.execute(&format!("DELETE FROM {table} WHERE thread = ?1"), [&thread]).or_sql()?;
    }
    // Comments, tool data, attachments and pins go with it.
    tx.execute("DELETE FROM task WHERE id = ?1", [task.0]).or_sql()?;
    tx.changed(Changed::row("task", task, task.0));
    forgotten.tasks += 1;
    forgotten.comments += comments.len() as u64;
    Ok(())
}

fn forget_comment(record: &mut Record<'_, '_>, comment: CommentId, forgotten: &mut Forgotten) -> Result<()> {
    let tx = record.tx;
    let (task, _) = place_of(tx, comment)?;
    let (key, body) = text_of(record, comment)?;
    guard_from_import(record, task, &key)?;
    clear_title(record, task, &body)?;
    record.index.remove(comment.0)?;
    tx.execute("DELETE FROM list_history WHERE comment = ?1", [comment.0]).or_sql()?;
    tx.execute("DELETE FROM comment WHERE id = ?1", [comment.0]).or_sql()?;
    tx.changed(Changed::row("comment", task, comment.0));
    forgotten.comments += 1;
    Ok(())
}

fn forget_passage(
    record: &mut Record<'_, '_>,
    comment: CommentId,
    passage: &str,
    forgotten: &mut Forgotten,
) -> Result<()> {
    let tx = record.tx;
    // SQLite's `replace` takes a pattern that begins with NUL for an empty one, and then removes nothing.
    let passage = passage.trim_start_matches('\0');
    if passage.trim().is_empty() {
        return Err(Error::invalid(text!(en: "the passage is empty", ja: "取り除く文が空です")));
    }
    let (task, _) = place_of(tx, comment)?;
    let (key, body) = text_of(record, comment)?;
    guard_from_import(record, task, &key)?;
    let mut changed = tx
        .execute(
            "UPDATE comment SET body = replace(body, ?2, ?3) WHERE id = ?1 AND instr(body, ?2) > 0",
            params![comment.0, passage, GONE],
        )
        .or_sql()?;
    changed += tx
        .execute(
            "UPDATE tool_data SET input = replace(input, ?2, ?3), output = replace(output, ?2, ?3)
             WHERE comment = ?1 AND (instr(input, ?2) > 0 OR instr(output, ?2) > 0)",
            params![comment.0, passage, GONE],
        )
        .or_sql()?;
    if changed == 0 {
        return Err(Error::not_found(text!(
            en: "{comment} does not hold this passage; nothing was changed",
            ja: "{comment} にこの文はありません。何も変更していません"
        )));
    }
    clear_title(record, task, &body)?;
    clear_marks(record, task, passage)?;
    record.reindex(task, comment)?;
    forgotten.comments += 1;
    Ok(())
}

/// What was taken over from the conversation holds the passage too: pins, the task list and how it grew, notes.
fn clear_marks(record: &Record<'_, '_>, task: TaskId, passage: &str) -> Result<()> {
    let tx = record.tx;
    let thread = task.to_string();
    // The lists of the history are JSON: the passage stands there as JSON writes it.
    let escaped = serde_json::to_string(passage).map_err(Error::internal)?;
    let escaped = escaped.trim_start_matches('"').strip_suffix('"').unwrap_or(&escaped);
    tx.execute("UPDATE pin SET text = replace(text, ?2, ?3) WHERE task = ?1", params![task.0, passage, GONE])
        .or_sql()?;
    for (sql, passage) in [
        (
            "UPDATE list_item SET content = replace(content, ?2, ?3), active_form = replace(active_form, ?2, ?3) WHERE thread = ?1",
            passage,
        ),
        (
            "UPDATE list_history SET before = replace(before, ?2, ?3), after = replace(after, ?2, ?3) WHERE thread = ?1",
            escaped,
        ),
        ("UPDATE list_note SET text = replace(text, ?2, ?3) WHERE thread = ?1", passage),
    ] {
        tx.execute(sql, params![thread, passage, GONE]).or_sql()?;
    }
    tx.changed(Changed { entity: "list", task: Some(task), first: None, last: None });
    Ok(())
}

/// A title that was taken from a text goes with it.
fn clear_title(record: &Record<'_, '_>, task: TaskId, body: &str) -> Result<()> {
    let tx = record.tx;
    let title: String = tx.query_row("SELECT title FROM task WHERE id = ?1", [task.0], |row| row.get(0)).or_sql()?;
    let stem = title.trim_end_matches('…').trim();
    if stem.is_empty() || !body.contains(stem) {
        return Ok(());
    }
    let (source, key) = source_of(record, task)?;
    add_tombstone(tx, &source, &key, TITLE)?;
    tx.execute("UPDATE task SET title = '' WHERE id = ?1", [task.0]).or_sql()?;
    tx.changed(Changed::row("task", task, task.0));
    Ok(())
}

/// Keeps importers from bringing the comment back.
fn guard_from_import(record: &Record<'_, '_>, task: TaskId, key: &str) -> Result<()> {
    let (source, task_key) = source_of(record, task)?;
    add_tombstone(record.tx, &source, &task_key, key)?;
    drop_cursors(record, &source, &task_key)
}

/// A reader's state may hold texts of the session, such as its title. (An importer stores no cursor for a session of
/// which something was forgotten.)
fn drop_cursors(record: &Record<'_, '_>, source: &str, key: &str) -> Result<()> {
    record
        .tx
        .execute(
            "DELETE FROM cursor WHERE source = ?1 AND (instr(value, ?2) > 0 OR instr(path, ?2) > 0)",
            [source, key],
        )
        .or_sql()
        .map(drop)
}

/// By which importers know a task: its source and key, or for one that came from no source its uid, under the exchange
/// format's name.
fn source_of(record: &Record<'_, '_>, task: TaskId) -> Result<(String, String)> {
    record
        .tx
        .query_row(
            "SELECT coalesce(source, ?2), coalesce(source_key, uid) FROM task WHERE id = ?1",
            params![task.0, EXCHANGE],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
        .optional()
        .or_sql()?
        .ok_or_else(|| no_task(task))
}

fn text_of(record: &Record<'_, '_>, comment: CommentId) -> Result<(String, String)> {
    record
        .tx
        .query_row("SELECT key, body FROM comment WHERE id = ?1", [comment.0], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()
        .or_sql()?
        .ok_or_else(|| no_comment(comment))
}

fn ids(record: &Record<'_, '_>, sql: &str, of: i64) -> Result<Vec<i64>> {
    let mut rows = record.tx.prepare(sql).or_sql()?;
    rows.query_map([of], |row| row.get(0)).and_then(Iterator::collect).or_sql()
}
