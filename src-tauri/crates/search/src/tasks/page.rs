//! The app's list of tasks: by words of the title, by state, the top ones or one task's subtasks, in an order, in pages.
//!
//! How a task stands follows from its last word and the time, and a title is compared folded, so neither is a question
//! for SQL: with them every task is looked at, without them only the page is read.

use super::summary;
use crate::conversation::task_name;
use crate::query::state_of;
use crate::text;
use crate::types::{TaskName, TaskSummary};
use kiroku_model::{Cancel, Result, TaskId, TaskState, Time};
use kiroku_store::DbResult;
use rusqlite::{Connection, params};
use serde::{Deserialize, Serialize};

/// Which tasks are listed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, specta::Type)]
#[serde(default)]
pub struct TaskQuery {
    /// Words that the title holds, each of them, in any order; empty: any title.
    pub title: String,
    /// Only tasks in one of these states; empty: any.
    pub states: Vec<TaskState>,
    /// Only tasks that are nobody's subtask.
    pub top: bool,
    /// Only this task's subtasks.
    pub parent: Option<TaskId>,
    /// Their order.
    pub sort: TaskSort,
    /// Tasks to pass over.
    pub offset: u64,
    /// Tasks at most.
    pub limit: usize,
}

/// The order of a list of tasks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "lowercase")]
pub enum TaskSort {
    /// Newest update first.
    #[default]
    Updated,
    /// Newest first.
    Created,
    /// By title.
    Title,
}

/// A page of the list.
#[derive(Clone, Debug, PartialEq, Serialize, specta::Type)]
pub struct TaskPage {
    /// How many tasks the query has.
    pub total: u64,
    /// Those of the page.
    pub tasks: Vec<TaskRow>,
}

/// A task as the list shows it.
#[derive(Clone, Debug, PartialEq, Serialize, specta::Type)]
pub struct TaskRow {
    /// As every list has it.
    #[serde(flatten)]
    pub summary: TaskSummary,
    /// When it began.
    pub created: Time,
    /// The task whose subtask it is.
    pub parent: Option<TaskName>,
    /// How many subtasks it has.
    pub subtasks: u64,
}

/// A page of the tasks that `query` asks for.
pub(crate) fn page(conn: &Connection, query: &TaskQuery, now: Time, cancel: &Cancel) -> Result<TaskPage> {
    let terms = if query.title.trim().is_empty() { Vec::new() } else { text::terms(&query.title)? };
    let wanted = match (query.top, query.parent) {
        (_, Some(_)) => "parent = ?1",
        (true, None) => "parent IS NULL AND ?1 IS NULL",
        (false, None) => "?1 IS NULL",
    };
    let order = match query.sort {
        TaskSort::Updated => "active DESC, id DESC",
        TaskSort::Created => "created DESC, id DESC",
        TaskSort::Title => "id DESC",
    };
    let parent = query.parent.map(|task| task.0);
    let by_title = query.sort == TaskSort::Title;
    if terms.is_empty() && query.states.is_empty() && !by_title {
        let total: i64 = conn
            .prepare_cached(&format!("SELECT count(*) FROM task WHERE {wanted}"))
            .and_then(|mut row| row.query_row([parent], |row| row.get(0)))
            .or_sql()?;
        let mut rows = conn
            .prepare_cached(&format!("SELECT id FROM task WHERE {wanted} ORDER BY {order} LIMIT ?2 OFFSET ?3"))
            .or_sql()?;
        let given = params![parent, query.limit as i64, i64::try_from(query.offset).unwrap_or(i64::MAX)];
        let ids: Vec<i64> = rows.query_map(given, |row| row.get(0)).and_then(Iterator::collect).or_sql()?;
        return Ok(TaskPage { total: total as u64, tasks: read(conn, &ids, now)? });
    }
    let mut rows = conn
        .prepare_cached(&format!("SELECT id, state, ending, active, title FROM task WHERE {wanted} ORDER BY {order}"))
        .or_sql()?;
    let mut rows = rows.query([parent]).or_sql()?;
    let mut found: Vec<(i64, String)> = Vec::new();
    while let Some(row) = rows.next().or_sql()? {
        cancel.check()?;
        if !query.states.is_empty() {
            let (state, ending) = (row.get_ref(1).or_sql()?, row.get_ref(2).or_sql()?);
            let state = state_of(
                state.as_str_or_null().unwrap_or_default(),
                ending.as_str_or_null().unwrap_or_default(),
                Time(row.get(3).or_sql()?),
                now,
            );
            if !query.states.contains(&state) {
                continue;
            }
        }
        let mut folded = String::new();
        if by_title || !terms.is_empty() {
            folded = text::fold(row.get_ref(4).or_sql()?.as_str().unwrap_or_default());
        }
        if terms.iter().all(|term| folded.contains(&term.folded)) {
            found.push((row.get(0).or_sql()?, if by_title { folded } else { String::new() }));
        }
    }
    if by_title {
        // Equal titles stay newest first.
        found.sort_by(|(_, a), (_, b)| a.cmp(b));
    }
    let from = usize::try_from(query.offset).unwrap_or(usize::MAX).min(found.len());
    let ids: Vec<i64> = found[from..].iter().take(query.limit).map(|(id, _)| *id).collect();
    Ok(TaskPage { total: found.len() as u64, tasks: read(conn, &ids, now)? })
}

fn read(conn: &Connection, ids: &[i64], now: Time) -> Result<Vec<TaskRow>> {
    let mut row = conn
        .prepare_cached(
            "SELECT id, state, ending, title, piece, active, created, parent,
               (SELECT count(*) FROM task s WHERE s.parent = t.id) FROM task t WHERE id = ?1",
        )
        .or_sql()?;
    ids.iter()
        .map(|id| {
            let (summary, created, parent, subtasks) = row
                .query_row([id], |row| {
                    Ok((summary(row, now)?, Time(row.get(6)?), row.get::<_, Option<i64>>(7)?, row.get::<_, i64>(8)?))
                })
                .or_sql()?;
            let parent = parent.map(|parent| task_name(conn, TaskId(parent))).transpose()?;
            Ok(TaskRow { summary, created, parent, subtasks: subtasks as u64 })
        })
        .collect()
}
