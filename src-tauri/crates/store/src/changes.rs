//! The change feed: what a reader of the space has to read again, whichever process wrote.

use crate::sqlite_error::DbResult;
use kiroku_model::{Result, TaskId};
use rusqlite::{Connection, params};

/// Rows that the feed keeps; who is further behind reads everything again.
const KEPT: i64 = 10_000;

/// One thing that a transaction has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// What kind of row: `task`, `comment`, `pin`, `list`, `member`, `space`.
    pub entity: &'static str,
    /// The task that it belongs to, if any.
    pub task: Option<TaskId>,
    /// Lowest id.
    pub first: Option<i64>,
    /// Highest id.
    pub last: Option<i64>,
}

impl Changed {
    /// A row of kind `entity` with the number `id`, of a task.
    pub fn row(entity: &'static str, task: TaskId, id: i64) -> Changed {
        Changed { entity, task: Some(task), first: Some(id), last: Some(id) }
    }

    /// Something of kind `entity` that belongs to no task.
    pub fn whole(entity: &'static str) -> Changed {
        Changed { entity, task: None, first: None, last: None }
    }
}

/// A row of the feed.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, specta::Type)]
pub struct Change {
    /// What kind of row changed; see [`Changed::entity`].
    pub entity: String,
    /// The task that it belongs to, if any.
    pub task: Option<TaskId>,
    /// Lowest id that changed.
    pub first: Option<i64>,
    /// Highest id that changed.
    pub last: Option<i64>,
}

/// How far a reader has read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FeedPosition {
    /// The file's generation: another one after a restore.
    pub generation: String,
    /// The last row read.
    pub seq: i64,
}

/// What the feed answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Feed {
    /// These rows are new.
    Changes(Vec<Change>),
    /// The reader is too far behind, or the file is another: read everything again.
    Reload,
}

/// Joins a change with an earlier one of the same transaction, kind and task.
pub(crate) fn merge(all: &mut Vec<Changed>, change: Changed) {
    match all.iter_mut().find(|known| known.entity == change.entity && known.task == change.task) {
        Some(known) => {
            known.first = known.first.into_iter().chain(change.first).min();
            known.last = known.last.into_iter().chain(change.last).max();
        }
        None => all.push(change),
    }
}

pub(crate) fn record(conn: &Connection, changed: &[Changed]) -> Result<()> {
    if changed.is_empty() {
        return Ok(());
    }
    let mut insert =
        conn.prepare_cached("INSERT INTO change (entity, task, first_id, last_id) VALUES (?1, ?2, ?3, ?4)").or_sql()?;
    for change in changed {
        insert.execute(params![change.entity, change.task.map(|task| task.0), change.first, change.last]).or_sql()?;
    }
    conn.prepare_cached("DELETE FROM change WHERE seq <= ?1")
        .and_then(|mut trim| trim.execute([conn.last_insert_rowid() - KEPT]))
        .or_sql()?;
    Ok(())
}

impl FeedPosition {
    /// The feed's end now: for a reader that has just read everything.
    pub fn now(conn: &Connection) -> Result<FeedPosition> {
        let generation = conn.query_row("SELECT generation FROM space", [], |row| row.get(0)).or_sql()?;
        let seq = conn.query_row("SELECT coalesce(max(seq), 0) FROM change", [], |row| row.get(0)).or_sql()?;
        Ok(FeedPosition { generation, seq })
    }

    /// What is new since, and moves on behind it.
    pub fn advance(&mut self, conn: &Connection) -> Result<Feed> {
        let end = FeedPosition::now(conn)?;
        let oldest: Option<i64> = conn.query_row("SELECT min(seq) FROM change", [], |row| row.get(0)).or_sql()?;
        let lost = oldest.is_some_and(|oldest| oldest > self.seq + 1);
        if end.generation != self.generation || end.seq < self.seq || lost {
            *self = end;
            return Ok(Feed::Reload);
        }
        let mut rows = conn
            .prepare_cached("SELECT entity, task, first_id, last_id FROM change WHERE seq > ?1 ORDER BY seq")
            .or_sql()?;
        let changes = rows
            .query_map([self.seq], |row| {
                Ok(Change {
                    entity: row.get(0)?,
                    task: row.get::<_, Option<i64>>(1)?.map(TaskId),
                    first: row.get(2)?,
                    last: row.get(3)?,
                })
            })
            .and_then(Iterator::collect)
            .or_sql()?;
        *self = end;
        Ok(Feed::Changes(changes))
    }
}
