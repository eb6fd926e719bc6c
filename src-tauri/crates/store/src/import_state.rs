//! What importers remember between runs: where they stopped in each file, and what must not come back.

use crate::changes::Changed;
use crate::pool::Tx;
use crate::sqlite_error::DbResult;
use kiroku_model::{Result, TaskId, Time};
use rusqlite::{Connection, OptionalExtension, params};

/// The stored cursor of a source's file, as the JSON text that was given.
pub fn cursor(conn: &Connection, source: &str, path: &str) -> Result<Option<String>> {
    conn.prepare_cached("SELECT value FROM cursor WHERE source = ?1 AND path = ?2")
        .and_then(|mut row| row.query_row([source, path], |row| row.get(0)).optional())
        .or_sql()
}

/// Stores the cursor of a source's file: in the same transaction as what was read up to it.
pub fn set_cursor(tx: &Tx<'_>, source: &str, path: &str, value: &str) -> Result<()> {
    tx.prepare_cached("INSERT OR REPLACE INTO cursor (source, path, value, at) VALUES (?1, ?2, ?3, ?4)")
        .and_then(|mut insert| insert.execute(params![source, path, value, tx.now().0]))
        .or_sql()
        .map(drop)
}

/// Whether this was forgotten: the whole task if `comment` is empty, else that comment of it.
pub fn is_forgotten(conn: &Connection, source: &str, task: &str, comment: &str) -> Result<bool> {
    conn.prepare_cached("SELECT EXISTS (SELECT 1 FROM tombstone WHERE source = ?1 AND task = ?2 AND comment = ?3)")
        .and_then(|mut row| row.query_row([source, task, comment], |row| row.get(0)))
        .or_sql()
}

/// Whether anything of a task was forgotten: itself, its title, or a comment of it.
pub fn has_tombstone(conn: &Connection, source: &str, task: &str) -> Result<bool> {
    conn.prepare_cached("SELECT EXISTS (SELECT 1 FROM tombstone WHERE source = ?1 AND task = ?2)")
        .and_then(|mut row| row.query_row([source, task], |row| row.get(0)))
        .or_sql()
}

/// Keeps a task (empty `comment`) or a comment from being imported again.
pub fn add_tombstone(tx: &Tx<'_>, source: &str, task: &str, comment: &str) -> Result<()> {
    add_tombstone_at(tx, source, task, comment, tx.now())
}

/// The same, where it is known when it was forgotten.
pub fn add_tombstone_at(tx: &Tx<'_>, source: &str, task: &str, comment: &str, at: Time) -> Result<()> {
    tx.prepare_cached("INSERT OR IGNORE INTO tombstone (source, task, comment, at) VALUES (?1, ?2, ?3, ?4)")
        .and_then(|mut insert| insert.execute(params![source, task, comment, at.0]))
        .or_sql()
        .map(drop)
}

/// A task or comment that was forgotten.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tombstone {
    /// The importer's name.
    pub source: String,
    /// Its key for the task.
    pub task: String,
    /// Its key for the comment; empty if the whole task is gone.
    pub comment: String,
    /// When it was forgotten.
    pub at: Time,
}

/// All tombstones.
pub fn tombstones(conn: &Connection) -> Result<Vec<Tombstone>> {
    let mut rows = conn.prepare_cached("SELECT source, task, comment, at FROM tombstone").or_sql()?;
    rows.query_map([], |row| {
        Ok(Tombstone { source: row.get(0)?, task: row.get(1)?, comment: row.get(2)?, at: Time(row.get(3)?) })
    })
    .and_then(Iterator::collect)
    .or_sql()
}

/// Whether another file than `path` of the same source has brought lines of the task `task` (its key).
pub fn has_other_file(conn: &Connection, source: &str, path: &str, task: &str) -> Result<bool> {
    conn.prepare_cached(
        "SELECT EXISTS (SELECT 1 FROM cursor WHERE source = ?1 AND path <> ?2 AND instr(value, ?3) > 0)",
    )
    .and_then(|mut row| row.query_row([source, path, task], |row| row.get(0)))
    .or_sql()
}

/// Notes that a task's list has to be brought up to date with its conversation: in the same transaction as what was
/// read of it, so that it is done even if this process ends first. `whole`: with all of the conversation.
pub fn owe_list(tx: &Tx<'_>, task: TaskId, whole: bool) -> Result<()> {
    tx.prepare_cached(
        "INSERT INTO list_owed (task, whole) VALUES (?1, ?2) ON CONFLICT DO UPDATE SET whole = max(whole, ?2)",
    )
    .and_then(|mut insert| insert.execute(params![task.0, whole]))
    .or_sql()
    .map(drop)
}

/// The tasks whose list has to be brought up to date, and whether with all of their conversation.
pub fn owed_lists(conn: &Connection) -> Result<Vec<(TaskId, bool)>> {
    let mut rows = conn.prepare_cached("SELECT task, whole FROM list_owed ORDER BY task").or_sql()?;
    rows.query_map([], |row| Ok((TaskId(row.get(0)?), row.get(1)?))).and_then(Iterator::collect).or_sql()
}

/// Notes that a task's list is up to date.
pub fn paid_list(tx: &Tx<'_>, task: TaskId) -> Result<()> {
    tx.prepare_cached("DELETE FROM list_owed WHERE task = ?1")
        .and_then(|mut delete| delete.execute([task.0]))
        .or_sql()
        .map(drop)
}

/// A setting of the space, as the text that was given.
pub fn setting(conn: &Connection, name: &str) -> Result<Option<String>> {
    conn.prepare_cached("SELECT value FROM setting WHERE name = ?1")
        .and_then(|mut row| row.query_row([name], |row| row.get(0)).optional())
        .or_sql()
}

/// Sets a setting of the space.
pub fn set_setting(tx: &Tx<'_>, name: &str, value: &str) -> Result<()> {
    tx.prepare_cached("INSERT OR REPLACE INTO setting (name, value) VALUES (?1, ?2)")
        .and_then(|mut insert| insert.execute([name, value]))
        .or_sql()?;
    tx.changed(Changed::whole("setting"));
    Ok(())
}
