//! How a list grew: its history, newest first and in pages, and the way back to an earlier list.

use crate::differences::{ListChange, ListChanges};
use crate::edits::check_base;
use crate::lists::TaskLists;
use crate::rows::{self, Projection};
use crate::thread::{ThreadKey, Writer};
use crate::{Door, Item};
use kiroku_model::{Call, CommentId, Error, Result, Time, text};
use kiroku_store::DbResult;
use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::{Deserialize, Serialize};

/// The most rows of one page of history.
pub const MAX_PAGE: usize = 200;

/// One change of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, specta::Type)]
pub struct HistoryRow {
    /// Its number in this space.
    pub id: i64,
    /// Its identity everywhere.
    pub uid: String,
    /// The thread.
    pub thread: String,
    /// The agent or person for whom the thread was named in that call.
    pub resource: String,
    /// The list's version that it made; 0 if it never became the list, because a later change already stood when it
    /// arrived.
    pub version: u64,
    /// When.
    pub at: Time,
    /// A member's id, or `agent`.
    pub by: String,
    /// A word of [`Door`], or one that a later program wrote.
    pub door: String,
    /// The tool call in the conversation that made it, where that is known.
    pub comment: Option<CommentId>,
    /// The whole list before.
    pub before: Vec<Item>,
    /// The whole list after.
    pub after: Vec<Item>,
}

/// A page of a thread's history, newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, specta::Type)]
pub struct HistoryPage {
    /// The rows.
    pub rows: Vec<HistoryRow>,
    /// All rows of the thread's history.
    pub total: u64,
    /// What to give as `before` for the next page; `None`: this is the last one.
    pub next: Option<i64>,
}

/// Which of a history row's two lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The list before the change: undoing it.
    Before,
    /// The list after it.
    After,
}

pub(crate) const COLUMNS: &str = "id, uid, thread, resource, version, at, by, door, comment, before, after";

/// A row of [`COLUMNS`].
pub(crate) fn read(row: &Row<'_>) -> rusqlite::Result<HistoryRow> {
    Ok(HistoryRow {
        id: row.get(0)?,
        uid: row.get(1)?,
        thread: row.get(2)?,
        resource: row.get(3)?,
        version: row.get::<_, i64>(4)?.unsigned_abs(),
        at: Time(row.get(5)?),
        by: row.get(6)?,
        door: row.get(7)?,
        comment: row.get::<_, Option<i64>>(8)?.map(CommentId),
        before: items(row, 9)?,
        after: items(row, 10)?,
    })
}

/// The whole list that a column holds as JSON.
pub(crate) fn items(row: &Row<'_>, column: usize) -> rusqlite::Result<Vec<Item>> {
    let json = row.get_ref(column)?.as_str()?;
    serde_json::from_str(json)
        .map_err(|error| rusqlite::Error::FromSqlConversionFailure(column, Type::Text, Box::new(error)))
}

impl TaskLists {
    /// A page of a thread's history, newest first: at most `limit` rows (and [`MAX_PAGE`]), those before the row
    /// `before`, or the newest.
    pub fn history(&self, call: &Call, thread: &str, before: Option<i64>, limit: usize) -> Result<HistoryPage> {
        let limit = limit.clamp(1, MAX_PAGE);
        self.space.read(&call.cancel, |conn| {
            let total = conn
                .query_row("SELECT count(*) FROM list_history WHERE thread = ?1", [thread], |row| row.get::<_, i64>(0))
                .or_sql()?;
            // The lists are read only of the rows that are answered.
            let mut page = conn
                .prepare_cached(&format!(
                    "SELECT {COLUMNS} FROM list_history WHERE id IN (
                       SELECT id FROM list_history WHERE thread = ?1 AND (?2 IS NULL OR
                         (at, id) < (SELECT at, id FROM list_history WHERE id = ?2))
                       ORDER BY at DESC, id DESC LIMIT ?3)
                     ORDER BY at DESC, id DESC"
                ))
                .or_sql()?;
            let mut rows: Vec<HistoryRow> =
                page.query_map(params![thread, before, limit as i64 + 1], read).and_then(Iterator::collect).or_sql()?;
            let more = rows.len() > limit;
            rows.truncate(limit);
            let next = rows.last().filter(|_| more).map(|row| row.id);
            Ok(HistoryPage { rows, total: total.unsigned_abs(), next })
        })
    }

    /// The same page as [`TaskLists::history`], by what each change did.
    pub fn changes(&self, call: &Call, thread: &str, before: Option<i64>, limit: usize) -> Result<ListChanges> {
        let HistoryPage { rows, total, next } = self.history(call, thread, before, limit)?;
        Ok(ListChanges { changes: rows.into_iter().map(ListChange::of).collect(), total, next })
    }

    /// What was done to one item of a thread's list, newest first: at most `limit` changes.
    pub fn item_changes(&self, call: &Call, thread: &str, item: &str, limit: usize) -> Result<Vec<ListChange>> {
        self.space.read(&call.cancel, |conn| {
            let mut history = conn
                .prepare_cached(&format!(
                    "SELECT {COLUMNS} FROM list_history WHERE thread = ?1 ORDER BY at DESC, id DESC"
                ))
                .or_sql()?;
            let mut rows = history.query([thread]).or_sql()?;
            let mut changes = Vec::new();
            while changes.len() < limit
                && let Some(row) = rows.next().or_sql()?
            {
                call.cancel.check()?;
                changes.extend(ListChange::of(read(row).or_sql()?).only_item(item));
            }
            Ok(changes)
        })
    }

    /// Makes an earlier list the thread's list again, as a new version. `base` is the version that the person saw:
    /// when the list has changed since, the error is a conflict that carries the newer one, as for
    /// [`TaskLists::edit`].
    pub fn restore(
        &self,
        call: &Call,
        key: &ThreadKey,
        base: u64,
        row: i64,
        side: Side,
        by: &str,
    ) -> Result<Projection> {
        call.cancel.check()?;
        self.space.write(|tx| {
            let stored = rows::projection(tx, key.thread())?;
            check_base(tx, &stored, base)?;
            let items = list_at(tx, key.thread(), row, side)?.ok_or_else(|| {
                Error::not_found(text!(
                    en: "the history of this list has no row {row}; nothing was changed",
                    ja: "このリストの履歴に {row} 番の行はありません。何も変更していません"
                ))
            })?;
            if items == stored.items {
                return Ok(stored);
            }
            rows::accept(tx, key, &Writer::new(by, Door::Restore), &stored, items)
        })
    }
}

fn list_at(conn: &Connection, thread: &str, row: i64, side: Side) -> Result<Option<Vec<Item>>> {
    let column = if side == Side::Before { "before" } else { "after" };
    conn.prepare_cached(&format!("SELECT {column} FROM list_history WHERE id = ?1 AND thread = ?2"))
        .and_then(|mut list| list.query_row(params![row, thread], |row| items(row, 0)).optional())
        .or_sql()
}

/// The newest row of the line that the list went along.
pub(crate) fn newest(conn: &Connection, thread: &str) -> Result<Option<Newest>> {
    conn.prepare_cached(
        "SELECT version, at, by, door FROM list_history WHERE thread = ?1 AND version > 0 ORDER BY id DESC LIMIT 1",
    )
    .and_then(|mut row| {
        row.query_row([thread], |row| {
            Ok(Newest {
                version: row.get::<_, i64>(0)?.unsigned_abs(),
                at: Time(row.get(1)?),
                by: row.get(2)?,
                door: row.get(3)?,
            })
        })
        .optional()
    })
    .or_sql()
}

/// See [`newest`].
pub(crate) struct Newest {
    pub version: u64,
    pub at: Time,
    pub by: String,
    pub door: String,
}
