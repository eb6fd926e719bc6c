//! Lists in the space file: reading one, and taking a new one in, which is one row of history with it.
//!
//! Within a thread, the rows of history whose version is above 0 are the line that the list went along: versions grow
//! with ids, and each begins where the one before ended (as long as nothing was forgotten). Version 0 marks a row
//! that never became the list, because a later change already stood when it arrived.

use crate::thread::{ThreadKey, task_of};
use crate::{Item, Status, Writer};
use kiroku_model::{CommentId, Error, Result, Time, new_uid, text};
use kiroku_store::{Changed, DbResult, Tx};
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::Serialize;

/// A thread's list as it stands: a snapshot that supersedes any with a lower version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, specta::Type)]
pub struct Projection {
    /// The thread.
    pub thread: String,
    /// The agent or person that it belongs to; `None`: nothing was ever written.
    pub resource: Option<String>,
    /// Grows with each accepted write; 0: nothing was ever written.
    pub version: u64,
    /// When it last changed.
    pub updated: Option<Time>,
    /// The items in order.
    pub items: Vec<Item>,
}

/// Reads a thread's list; one that was never written is empty, of version 0.
pub fn projection(conn: &Connection, thread: &str) -> Result<Projection> {
    let list: Option<(String, i64, i64)> = conn
        .prepare_cached("SELECT resource, version, updated FROM list WHERE thread = ?1")
        .and_then(|mut row| row.query_row([thread], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).optional())
        .or_sql()?;
    let thread = thread.to_owned();
    let Some((resource, version, updated)) = list else {
        return Ok(Projection { thread, resource: None, version: 0, updated: None, items: Vec::new() });
    };
    let mut rows = conn
        .prepare_cached("SELECT id, content, status, active_form FROM list_item WHERE thread = ?1 ORDER BY position")
        .or_sql()?;
    let items = rows.query_map([&thread], |row| item(row, 0)).and_then(Iterator::collect).or_sql()?;
    Ok(Projection {
        thread,
        resource: Some(resource),
        version: version.unsigned_abs(),
        updated: Some(Time(updated)),
        items,
    })
}

/// The item in four columns of a row, the first of which is `at`: id, content, status, active form.
pub(crate) fn item(row: &Row<'_>, at: usize) -> rusqlite::Result<Item> {
    // The table holds no other word.
    let status = Status::from_word(row.get_ref(at + 2)?.as_str()?).unwrap_or(Status::Pending);
    Ok(Item { id: row.get(at)?, content: row.get(at + 1)?, status, active_form: row.get(at + 3)? })
}

/// Makes `items` the thread's list, as the next version, with its row of history. `stored` is the list as it stands in
/// this transaction.
pub(crate) fn accept(
    tx: &Tx<'_>,
    key: &ThreadKey,
    writer: &Writer,
    stored: &Projection,
    items: Vec<Item>,
) -> Result<Projection> {
    let now = tx.now();
    let next = put(tx, key, stored, items, stored.version + 1, now)?;
    let entry = Entry {
        uid: &new_uid(),
        key,
        version: next.version,
        at: now,
        by: &writer.by,
        door: writer.door.as_str(),
        comment: None,
        before: &stored.items,
        after: &next.items,
    };
    insert_history(tx, &entry)?;
    Ok(next)
}

/// Makes `items` the thread's list, without a row of history. The first resource that wrote keeps the list.
pub(crate) fn put(
    tx: &Tx<'_>,
    key: &ThreadKey,
    stored: &Projection,
    items: Vec<Item>,
    version: u64,
    at: Time,
) -> Result<Projection> {
    require_task(tx, key.thread())?;
    let updated = stored.updated.unwrap_or(at).max(at);
    tx.prepare_cached(
        "INSERT INTO list (thread, resource, version, updated) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT DO UPDATE SET version = ?3, updated = ?4",
    )
    .and_then(|mut put| put.execute(params![key.thread(), key.resource(), version as i64, updated.0]))
    .or_sql()?;
    put_items(tx, key.thread(), &stored.items, &items)?;
    tx.changed(changed(key.thread(), None));
    let resource = stored.resource.clone().unwrap_or_else(|| key.resource().to_owned());
    Ok(Projection { thread: key.thread().to_owned(), resource: Some(resource), version, updated: Some(updated), items })
}

/// Writes the rows that differ.
fn put_items(tx: &Tx<'_>, thread: &str, before: &[Item], after: &[Item]) -> Result<()> {
    for (position, item) in after.iter().enumerate().filter(|(position, item)| before.get(*position) != Some(*item)) {
        tx.prepare_cached(
            "INSERT OR REPLACE INTO list_item (thread, position, id, content, status, active_form) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )
        .and_then(|mut put| {
            put.execute(params![thread, position as i64, item.id, item.content, item.status.as_str(), item.active_form])
        })
        .or_sql()?;
    }
    if before.len() > after.len() {
        tx.prepare_cached("DELETE FROM list_item WHERE thread = ?1 AND position >= ?2")
            .and_then(|mut cut| cut.execute(params![thread, after.len() as i64]))
            .or_sql()?;
    }
    Ok(())
}

/// A row of history on its way in.
pub(crate) struct Entry<'a> {
    pub uid: &'a str,
    pub key: &'a ThreadKey,
    /// 0: it never became the list.
    pub version: u64,
    pub at: Time,
    pub by: &'a str,
    pub door: &'a str,
    pub comment: Option<CommentId>,
    pub before: &'a [Item],
    pub after: &'a [Item],
}

pub(crate) fn insert_history(tx: &Tx<'_>, entry: &Entry<'_>) -> Result<i64> {
    tx.prepare_cached(
        "INSERT INTO list_history (uid, thread, resource, version, at, by, door, comment, before, after)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    )
    .and_then(|mut insert| {
        insert.execute(params![
            entry.uid,
            entry.key.thread(),
            entry.key.resource(),
            entry.version as i64,
            entry.at.0,
            entry.by,
            entry.door,
            entry.comment.map(|comment| comment.0),
            to_json(entry.before)?,
            to_json(entry.after)?
        ])
    })
    .or_sql()?;
    let id = tx.last_insert_rowid();
    tx.changed(changed(entry.key.thread(), Some(id)));
    Ok(id)
}

/// Whether a row of history is here already.
pub(crate) fn knows_history(conn: &Connection, uid: &str) -> Result<bool> {
    conn.prepare_cached("SELECT EXISTS (SELECT 1 FROM list_history WHERE uid = ?1)")
        .and_then(|mut row| row.query_row([uid], |row| row.get(0)))
        .or_sql()
}

/// The change feed's row for a thread: a task's carries its number, and `history` the row of history that came.
pub(crate) fn changed(thread: &str, history: Option<i64>) -> Changed {
    Changed { entity: "list", task: task_of(thread), first: history, last: history }
}

/// A whole list as the history keeps it.
pub(crate) fn to_json(items: &[Item]) -> rusqlite::Result<String> {
    serde_json::to_string(items).map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))
}

/// A list in a task's name needs the task: else it would go to whichever task gets that number one day.
fn require_task(conn: &Connection, thread: &str) -> Result<()> {
    let Some(task) = task_of(thread) else { return Ok(()) };
    let known: bool = conn
        .prepare_cached("SELECT EXISTS (SELECT 1 FROM task WHERE id = ?1)")
        .and_then(|mut row| row.query_row([task.0], |row| row.get(0)))
        .or_sql()?;
    if known {
        return Ok(());
    }
    Err(Error::not_found(text!(
        en: "{task} is not in this space, so it can't have a task list; nothing was stored",
        ja: "{task} はこのスペースにないため、タスクリストを持てません。何も保存していません"
    )))
}
