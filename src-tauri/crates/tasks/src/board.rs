//! All threads at a glance: what each list adds up to, what runs, and what changed it last; and finding items in them.

use crate::lists::TaskLists;
use crate::thread::task_of;
use crate::{Item, Status, Summary, history, rows};
use kiroku_model::{Call, Result, TaskId, Time};
use kiroku_store::DbResult;
use serde::Serialize;

/// The most threads of one page of the board.
pub const MAX_THREADS: usize = 200;

/// A thread's list at a glance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ThreadGlance {
    /// The thread.
    pub thread: String,
    /// The task whose conversation it is, if it is one's.
    pub task: Option<TaskId>,
    /// The agent or person that it belongs to.
    pub resource: String,
    /// The list's version.
    pub version: u64,
    /// When the list last changed.
    pub updated: Time,
    /// What it adds up to.
    pub summary: Summary,
    /// The item that runs.
    pub running: Option<Item>,
    /// The first item that is to do.
    pub next: Option<Item>,
    /// Who changed the list last and through which door, where the history tells.
    pub changed: Option<LastChange>,
    /// How many notes people left, on items that are there or gone.
    pub notes: u64,
    /// How many items that are there are ticked as reviewed.
    pub reviewed: u64,
}

/// The last change of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, specta::Type)]
pub struct LastChange {
    /// A member's id, or `agent`.
    pub by: String,
    /// A word of [`crate::Door`], or one that a later program wrote.
    pub door: String,
    /// When.
    pub at: Time,
}

/// A page of the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, specta::Type)]
pub struct Board {
    /// The threads, the one that changed last first.
    pub threads: Vec<ThreadGlance>,
    /// All threads that have a list.
    pub total: u64,
}

/// An item that was looked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, specta::Type)]
pub struct FoundItem {
    /// The thread whose list holds it.
    pub thread: String,
    /// The item.
    pub item: Item,
}

impl TaskLists {
    /// The items whose content or active form `matches`, at most `limit`: those of the list that changed last first,
    /// in its order.
    pub fn find_items(&self, call: &Call, limit: usize, matches: &dyn Fn(&str) -> bool) -> Result<Vec<FoundItem>> {
        self.space.read(&call.cancel, |conn| {
            let mut items = conn
                .prepare_cached(
                    "SELECT list_item.thread, id, content, status, active_form
                     FROM list JOIN list_item ON list_item.thread = list.thread
                     ORDER BY list.updated DESC, list.thread, position",
                )
                .or_sql()?;
            let mut items = items.query([]).or_sql()?;
            let mut found = Vec::new();
            while found.len() < limit
                && let Some(row) = items.next().or_sql()?
            {
                call.cancel.check()?;
                let item = rows::item(row, 1).or_sql()?;
                if matches(&item.content) || matches(&item.active_form) {
                    found.push(FoundItem { thread: row.get(0).or_sql()?, item });
                }
            }
            Ok(found)
        })
    }

    /// The threads that have a list, the one that changed last first: at most `limit` (and [`MAX_THREADS`]) of them,
    /// leaving out the first `offset`.
    pub fn board(&self, call: &Call, offset: usize, limit: usize) -> Result<Board> {
        let limit = limit.clamp(1, MAX_THREADS);
        self.space.read(&call.cancel, |conn| {
            let total = conn.query_row("SELECT count(*) FROM list", [], |row| row.get::<_, i64>(0)).or_sql()?;
            let threads: Vec<String> = conn
                .prepare_cached("SELECT thread FROM list ORDER BY updated DESC, thread LIMIT ?1 OFFSET ?2")
                .and_then(|mut rows| {
                    let offset = i64::try_from(offset).unwrap_or(i64::MAX);
                    rows.query_map([limit as i64, offset], |row| row.get(0))?.collect()
                })
                .or_sql()?;
            let mut board = Board { threads: Vec::with_capacity(threads.len()), total: total.unsigned_abs() };
            for thread in threads {
                let list = rows::projection(conn, &thread)?;
                let changed = history::newest(conn, &thread)?
                    .filter(|newest| newest.version == list.version)
                    .map(|newest| LastChange { by: newest.by, door: newest.door, at: newest.at });
                let count = |sql: &str| {
                    conn.prepare_cached(sql)
                        .and_then(|mut row| row.query_row([&thread], |row| row.get::<_, i64>(0)))
                        .or_sql()
                        .map(i64::unsigned_abs)
                };
                let first = |status| list.items.iter().find(|item| item.status == status).cloned();
                board.threads.push(ThreadGlance {
                    task: task_of(&thread),
                    version: list.version,
                    updated: list.updated.unwrap_or_default(),
                    summary: Summary::of(&list.items),
                    running: first(Status::InProgress),
                    next: first(Status::Pending),
                    resource: list.resource.unwrap_or_default(),
                    changed,
                    notes: count("SELECT count(*) FROM list_note WHERE thread = ?1")?,
                    reviewed: count(
                        "SELECT count(*) FROM list_item JOIN list_review ON list_review.thread = list_item.thread
                           AND list_review.item = list_item.id WHERE list_item.thread = ?1",
                    )?,
                    thread,
                });
            }
            Ok(board)
        })
    }
}
