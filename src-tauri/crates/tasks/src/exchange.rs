//! Whole rows, for export and import: what a thread holds, and ways to put a row that comes from a file. Putting a
//! row that is here changes nothing, so that importing a file twice adds nothing.
//!
//! The order of a file is: a thread's list, its history oldest first, its notes, its reviews.

use crate::history::{self, COLUMNS, HistoryRow};
use crate::rows::{self, Entry, Projection};
use crate::thread::{AGENT, ThreadKey};
use crate::{Door, Item, Note, Review, marks, rules};
use kiroku_model::{CommentId, Error, Result, Time, new_uid, text};
use kiroku_store::{DbResult, Tx};
use rusqlite::{Connection, params};

/// Every thread that has a list, history, notes or reviews, by name.
pub fn threads(conn: &Connection) -> Result<Vec<String>> {
    let mut rows = conn
        .prepare(
            "SELECT thread FROM list UNION SELECT thread FROM list_history
             UNION SELECT thread FROM list_note UNION SELECT thread FROM list_review ORDER BY thread",
        )
        .or_sql()?;
    rows.query_map([], |row| row.get(0)).and_then(Iterator::collect).or_sql()
}

/// A thread's list; of version 0 and empty if it never had one.
pub fn list(conn: &Connection, thread: &str) -> Result<Projection> {
    rows::projection(conn, thread)
}

/// Gives `f` each row of a thread's history, oldest first, one at a time.
pub fn each_history(conn: &Connection, thread: &str, mut f: impl FnMut(HistoryRow) -> Result<()>) -> Result<()> {
    let mut history =
        conn.prepare_cached(&format!("SELECT {COLUMNS} FROM list_history WHERE thread = ?1 ORDER BY id")).or_sql()?;
    let mut rows = history.query([thread]).or_sql()?;
    while let Some(row) = rows.next().or_sql()? {
        f(history::read(row).or_sql()?)?;
    }
    Ok(())
}

/// All notes of a thread, oldest first.
pub fn notes(conn: &Connection, thread: &str) -> Result<Vec<Note>> {
    marks::notes(conn, thread)
}

/// All review ticks of a thread, by item id.
pub fn reviews(conn: &Connection, thread: &str) -> Result<Vec<Review>> {
    marks::reviews(conn, thread)
}

/// A thread's list as a file holds it.
#[derive(Clone, Debug)]
pub struct ListRow<'a> {
    /// The thread and its resource.
    pub key: &'a ThreadKey,
    /// The items in order.
    pub items: &'a [Item],
    /// The version that it had, if the file says.
    pub version: Option<u64>,
    /// When it last changed, if the file says.
    pub updated: Option<Time>,
}

/// Puts a list. Where the thread has none, it is taken as it stands, and its history comes with its own rows. Where it
/// has one, that one stays, unless the file's is another that this thread never had, and newer as far as versions tell;
/// then it takes its place, with a row of history. The answer is whether anything changed.
pub fn put_list(tx: &Tx<'_>, row: &ListRow<'_>) -> Result<bool> {
    rules::validate(row.items)?;
    let stored = rows::projection(tx, row.key.thread())?;
    let at = row.updated.unwrap_or_else(|| tx.now());
    if stored.version == 0 {
        rows::put(tx, row.key, &stored, row.items.to_vec(), whole(row.version.unwrap_or(1))?.max(1), at)?;
        return Ok(true);
    }
    let newer = row.version.is_none_or(|version| version > stored.version);
    if !newer || row.items == stored.items || had(tx, row.key.thread(), row.items)? {
        return Ok(false);
    }
    let version = whole(row.version.unwrap_or(0))?.max(stored.version + 1);
    let next = rows::put(tx, row.key, &stored, row.items.to_vec(), version, at)?;
    let entry = Entry {
        uid: &new_uid(),
        key: row.key,
        version,
        at,
        by: AGENT,
        door: Door::Import.as_str(),
        comment: None,
        before: &stored.items,
        after: &next.items,
    };
    rows::insert_history(tx, &entry)?;
    Ok(true)
}

/// A change of a list as a file holds it.
#[derive(Clone, Debug)]
pub struct ChangeRow<'a> {
    /// Its identity everywhere.
    pub uid: &'a str,
    /// The thread, and the resource of that call.
    pub key: &'a ThreadKey,
    /// The list's version that it made, if the file says; 0: it never became the list.
    pub version: Option<u64>,
    /// When.
    pub at: Time,
    /// A member's id, or `agent`.
    pub by: &'a str,
    /// Through which door: any word is kept.
    pub door: &'a str,
    /// The tool call that made it, as this space numbers it.
    pub comment: Option<CommentId>,
    /// The whole list before.
    pub before: &'a [Item],
    /// The whole list after.
    pub after: &'a [Item],
}

/// Puts a row of history; the list itself stays as it is. One that is older than the newest row of its thread joins
/// the history at its time, with version 0. The answer is whether it was new.
pub fn put_history(tx: &Tx<'_>, row: &ChangeRow<'_>) -> Result<bool> {
    rules::validate(row.before)?;
    rules::validate(row.after)?;
    if row.uid.is_empty() {
        return Err(Error::invalid(text!(en: "a row of history needs a uid", ja: "履歴の行には uid が必要です")));
    }
    if rows::knows_history(tx, row.uid)? {
        return Ok(false);
    }
    let thread = row.key.thread();
    let newest = history::newest(tx, thread)?;
    let told = newest.as_ref().map_or(0, |newest| newest.version);
    let version = match row.version {
        Some(version) if version > told => whole(version)?,
        Some(_) => 0,
        None if newest.is_none_or(|newest| newest.at <= row.at) => told + 1,
        None => 0,
    };
    let stored = rows::projection(tx, thread)?;
    if version > stored.version {
        // The next write must come after every row of history.
        let items = stored.items.clone();
        rows::put(tx, row.key, &stored, items, version, stored.updated.unwrap_or(row.at))?;
    }
    let entry = Entry {
        uid: row.uid,
        key: row.key,
        version,
        at: row.at,
        by: row.by,
        door: row.door,
        comment: row.comment,
        before: row.before,
        after: row.after,
    };
    rows::insert_history(tx, &entry)?;
    Ok(true)
}

/// Puts a note; the answer is whether it was new.
pub fn put_note(
    tx: &Tx<'_>,
    thread: &ThreadKey,
    uid: &str,
    item: &str,
    note: &str,
    by: &str,
    at: Time,
) -> Result<bool> {
    if [uid, item, note].contains(&"") {
        return Err(Error::invalid(text!(
            en: "a note needs a uid, an item and a text",
            ja: "メモには uid、項目、本文が必要です"
        )));
    }
    marks::insert_note(tx, thread.thread(), uid, item, note, by, at)
}

/// Puts a review tick; one that is there stays as it is. The answer is whether it was new.
pub fn put_review(tx: &Tx<'_>, thread: &ThreadKey, item: &str, by: &str, at: Time) -> Result<bool> {
    if item.is_empty() {
        return Err(Error::invalid(text!(en: "a review needs an item", ja: "確認の印には項目が必要です")));
    }
    marks::insert_review(tx, thread.thread(), item, by, at)
}

/// Whether the thread's list was just so once: before or after a change that the history tells of.
fn had(conn: &Connection, thread: &str, items: &[Item]) -> Result<bool> {
    let json = rows::to_json(items).or_sql()?;
    conn.query_row(
        "SELECT EXISTS (SELECT 1 FROM list_history WHERE thread = ?1 AND (after = ?2 OR before = ?2))",
        params![thread, json],
        |row| row.get(0),
    )
    .or_sql()
}

/// A version that JavaScript can hold, with room to grow.
fn whole(version: u64) -> Result<u64> {
    if version < 1 << 52 {
        return Ok(version);
    }
    Err(Error::invalid(text!(en: "the version {version} is too large", ja: "版 {version} は大きすぎます")))
}
