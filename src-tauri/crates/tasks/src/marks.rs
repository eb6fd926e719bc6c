//! What people leave beside a list: notes for the agent, and review ticks. They are keyed by thread and item id, so
//! they follow an item over every write; when an item is dropped they stay, and are shown with who dropped it.

use crate::history::items;
use crate::lists::TaskLists;
use crate::{Item, rows};
use kiroku_model::{Call, Error, Result, Time, new_uid, text};
use kiroku_store::{DbResult, Tx};
use rusqlite::{Connection, params};
use serde::Serialize;
use std::collections::HashSet;

/// The longest note, in characters.
const LONGEST_NOTE: usize = 10_000;

/// A person's note on an item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, specta::Type)]
pub struct Note {
    /// Its number in this space.
    pub id: i64,
    /// Its identity everywhere.
    pub uid: String,
    /// The item's id.
    pub item: String,
    /// What it says.
    pub text: String,
    /// The member who wrote it.
    pub by: String,
    /// When.
    pub at: Time,
}

/// A person's tick on an item: reviewed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, specta::Type)]
pub struct Review {
    /// The item's id.
    pub item: String,
    /// The member who ticked it.
    pub by: String,
    /// When.
    pub at: Time,
}

/// An item with notes or a tick that the list no longer holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, specta::Type)]
pub struct Dropped {
    /// The item as it last was.
    pub item: Item,
    /// Who dropped it: a member's id, or `agent`.
    pub by: String,
    /// Through which door.
    pub door: String,
    /// When.
    pub at: Time,
    /// The row of the history that dropped it.
    pub history: i64,
}

/// Everything that people left beside a thread's list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, specta::Type)]
pub struct Marks {
    /// All notes, oldest first, also those on items that are gone.
    pub notes: Vec<Note>,
    /// All ticks, by item id, also those on items that are gone.
    pub reviews: Vec<Review>,
    /// The items with notes or ticks that are gone, as far as the history still tells of them.
    pub dropped: Vec<Dropped>,
}

/// All notes of a thread, oldest first.
pub fn notes(conn: &Connection, thread: &str) -> Result<Vec<Note>> {
    let mut rows = conn
        .prepare_cached("SELECT id, uid, item, text, by, at FROM list_note WHERE thread = ?1 ORDER BY id")
        .or_sql()?;
    rows.query_map([thread], |row| {
        Ok(Note {
            id: row.get(0)?,
            uid: row.get(1)?,
            item: row.get(2)?,
            text: row.get(3)?,
            by: row.get(4)?,
            at: Time(row.get(5)?),
        })
    })
    .and_then(Iterator::collect)
    .or_sql()
}

/// All review ticks of a thread, by item id.
pub fn reviews(conn: &Connection, thread: &str) -> Result<Vec<Review>> {
    let mut rows =
        conn.prepare_cached("SELECT item, by, at FROM list_review WHERE thread = ?1 ORDER BY item").or_sql()?;
    rows.query_map([thread], |row| Ok(Review { item: row.get(0)?, by: row.get(1)?, at: Time(row.get(2)?) }))
        .and_then(Iterator::collect)
        .or_sql()
}

impl TaskLists {
    /// Everything that people left beside a thread's list.
    pub fn marks(&self, call: &Call, thread: &str) -> Result<Marks> {
        self.space.read(&call.cancel, |conn| {
            let (notes, reviews) = (notes(conn, thread)?, reviews(conn, thread)?);
            let held = rows::projection(conn, thread)?.items;
            let held: HashSet<&str> = held.iter().map(|item| item.id.as_str()).collect();
            let marked = notes.iter().map(|note| &note.item).chain(reviews.iter().map(|review| &review.item));
            let gone: HashSet<&str> = marked.map(String::as_str).filter(|id| !held.contains(id)).collect();
            let dropped = dropped(conn, thread, gone)?;
            Ok(Marks { notes, reviews, dropped })
        })
    }

    /// Leaves a note on an item of a thread's list.
    pub fn add_note(&self, call: &Call, thread: &str, item: &str, note: &str, by: &str) -> Result<Note> {
        call.cancel.check()?;
        let note = note.trim();
        if note.is_empty() || note.chars().count() > LONGEST_NOTE {
            return Err(Error::invalid(text!(
                en: "a note needs 1 to {LONGEST_NOTE} characters",
                ja: "メモは 1 から {LONGEST_NOTE} 文字で書いてください"
            )));
        }
        self.space.write(|tx| {
            require_item(tx, thread, item)?;
            let (uid, at) = (new_uid(), tx.now());
            insert_note(tx, thread, &uid, item, note, by, at)?;
            let id = tx.last_insert_rowid();
            Ok(Note { id, uid, item: item.to_owned(), text: note.to_owned(), by: by.to_owned(), at })
        })
    }

    /// Takes a note of a thread away.
    pub fn remove_note(&self, call: &Call, thread: &str, note: i64) -> Result<()> {
        call.cancel.check()?;
        self.space.write(|tx| {
            let removed =
                tx.execute("DELETE FROM list_note WHERE id = ?1 AND thread = ?2", params![note, thread]).or_sql()?;
            if removed == 0 {
                return Err(Error::not_found(text!(
                    en: "this thread has no note {note}; nothing was changed",
                    ja: "このスレッドに {note} 番のメモはありません。何も変更していません"
                )));
            }
            tx.changed(rows::changed(thread, None));
            Ok(())
        })
    }

    /// Ticks an item as reviewed, or takes the tick away. A tick that is there keeps who set it and when.
    pub fn set_reviewed(&self, call: &Call, thread: &str, item: &str, reviewed: bool, by: &str) -> Result<()> {
        call.cancel.check()?;
        self.space.write(|tx| {
            if reviewed {
                require_item(tx, thread, item)?;
                return insert_review(tx, thread, item, by, tx.now()).map(drop);
            }
            let removed =
                tx.execute("DELETE FROM list_review WHERE thread = ?1 AND item = ?2", [thread, item]).or_sql()?;
            if removed > 0 {
                tx.changed(rows::changed(thread, None));
            }
            Ok(())
        })
    }
}

/// Whether it was new.
pub(crate) fn insert_note(
    tx: &Tx<'_>,
    thread: &str,
    uid: &str,
    item: &str,
    text: &str,
    by: &str,
    at: Time,
) -> Result<bool> {
    let added = tx
        .prepare_cached(
            "INSERT INTO list_note (uid, thread, item, text, by, at) VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO NOTHING",
        )
        .and_then(|mut insert| insert.execute(params![uid, thread, item, text, by, at.0]))
        .or_sql()?;
    if added > 0 {
        tx.changed(rows::changed(thread, None));
    }
    Ok(added > 0)
}

/// Whether it was new.
pub(crate) fn insert_review(tx: &Tx<'_>, thread: &str, item: &str, by: &str, at: Time) -> Result<bool> {
    let added = tx
        .prepare_cached("INSERT INTO list_review (thread, item, by, at) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING")
        .and_then(|mut insert| insert.execute(params![thread, item, by, at.0]))
        .or_sql()?;
    if added > 0 {
        tx.changed(rows::changed(thread, None));
    }
    Ok(added > 0)
}

fn require_item(conn: &Connection, thread: &str, item: &str) -> Result<()> {
    let held: bool = conn
        .query_row("SELECT EXISTS (SELECT 1 FROM list_item WHERE thread = ?1 AND id = ?2)", [thread, item], |row| {
            row.get(0)
        })
        .or_sql()?;
    if held {
        return Ok(());
    }
    Err(Error::not_found(text!(
        en: "the list has no item `{item}` any more; nothing was changed",
        ja: "リストに項目「{item}」はありません。何も変更していません"
    )))
}

/// Where each of the items in `gone` was last dropped: the newest change that had it before and not after.
fn dropped(conn: &Connection, thread: &str, mut gone: HashSet<&str>) -> Result<Vec<Dropped>> {
    let mut found = Vec::new();
    if gone.is_empty() {
        return Ok(found);
    }
    let mut history = conn
        .prepare_cached(
            "SELECT id, by, door, at, before, after FROM list_history WHERE thread = ?1 AND version > 0 ORDER BY id DESC",
        )
        .or_sql()?;
    let mut rows = history.query([thread]).or_sql()?;
    while let Some(row) = rows.next().or_sql()?
        && !gone.is_empty()
    {
        let kept: HashSet<String> = items(row, 5).or_sql()?.into_iter().map(|item| item.id).collect();
        for item in items(row, 4).or_sql()? {
            if !kept.contains(&item.id) && gone.remove(item.id.as_str()) {
                found.push(Dropped {
                    item,
                    by: row.get(1).or_sql()?,
                    door: row.get(2).or_sql()?,
                    at: Time(row.get(3).or_sql()?),
                    history: row.get(0).or_sql()?,
                });
            }
        }
    }
    Ok(found)
}
