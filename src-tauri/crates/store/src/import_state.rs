//! What importers remember between runs: where they stopped in each file, and what must not come back.

use crate::pool::Tx;
use crate::sqlite_error::DbResult;
use kiroku_model::Result;
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

/// Keeps a task (empty `comment`) or a comment from being imported again.
pub fn add_tombstone(tx: &Tx<'_>, source: &str, task: &str, comment: &str) -> Result<()> {
    tx.prepare_cached("INSERT OR IGNORE INTO tombstone (source, task, comment, at) VALUES (?1, ?2, ?3, ?4)")
        .and_then(|mut insert| insert.execute(params![source, task, comment, tx.now().0]))
        .or_sql()
        .map(drop)
}
