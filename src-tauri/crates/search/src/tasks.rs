//! ListWorkspaceTasks, and what the app and the command line show of a task.

mod page;

pub(crate) use page::page;
pub use page::{TaskPage, TaskQuery, TaskRow, TaskSort};

use crate::conversation::no_task;
use crate::query::state_of;
use crate::text;
use crate::types::{OpenOrClosed, TaskList, TaskSummary};
use kiroku_model::{Result, TaskId, Time};
use kiroku_store::DbResult;
use rusqlite::{Connection, OptionalExtension, Row};

/// The tasks, newest update first; `not_task` is left out.
pub(crate) fn list(
    conn: &Connection,
    which: Option<OpenOrClosed>,
    limit: usize,
    not_task: Option<TaskId>,
    now: Time,
) -> Result<TaskList> {
    let mut rows = conn
        .prepare_cached(
            "SELECT id, state, ending, title, piece, active FROM task WHERE id IS NOT ?1 ORDER BY active DESC, id DESC",
        )
        .or_sql()?;
    let mut rows = rows.query([not_task.map(|task| task.0)]).or_sql()?;
    let mut list = TaskList { total: 0, tasks: Vec::new() };
    while let Some(row) = rows.next().or_sql()? {
        let state = state_of(
            row.get_ref(1).or_sql()?.as_str_or_null().unwrap_or_default(),
            row.get_ref(2).or_sql()?.as_str_or_null().unwrap_or_default(),
            Time(row.get(5).or_sql()?),
            now,
        );
        if which.is_some_and(|which| (which == OpenOrClosed::Open) != state.is_open()) {
            continue;
        }
        list.total += 1;
        if list.tasks.len() < limit {
            list.tasks.push(summary(row, now).or_sql()?);
        }
    }
    Ok(list)
}

fn summary(row: &Row<'_>, now: Time) -> rusqlite::Result<TaskSummary> {
    let active = Time(row.get(5)?);
    let title: String = row.get(3)?;
    Ok(TaskSummary {
        reference: TaskId(row.get(0)?).to_string(),
        state: state_of(row.get_ref(1)?.as_str_or_null()?, row.get_ref(2)?.as_str_or_null()?, active, now),
        title: text::redact(&title).into_owned(),
        piece: row.get(4)?,
        updated: active,
    })
}

/// A task with what else is known of it.
#[derive(Clone, Debug, PartialEq, serde::Serialize, specta::Type)]
pub struct TaskDetails {
    /// As it stands in the list.
    #[serde(flatten)]
    pub summary: TaskSummary,
    /// When it began.
    pub created: Time,
    /// The folder in which it worked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// The member whose task it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// The task whose subtask it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// Its subtasks.
    pub subtasks: Vec<String>,
    /// Comments in its conversation.
    pub comments: u64,
}

/// One task.
pub(crate) fn details(conn: &Connection, task: TaskId, now: Time) -> Result<TaskDetails> {
    let mut details = conn
        .prepare_cached(
            "SELECT id, state, ending, title, piece, active, created, folder, owner, parent,
               (SELECT count(*) FROM comment WHERE task = ?1) FROM task WHERE id = ?1",
        )
        .and_then(|mut row| {
            row.query_row([task.0], |row| {
                Ok(TaskDetails {
                    summary: summary(row, now)?,
                    created: Time(row.get(6)?),
                    folder: row.get(7)?,
                    owner: row.get(8)?,
                    parent: row.get::<_, Option<i64>>(9)?.map(|id| TaskId(id).to_string()),
                    subtasks: Vec::new(),
                    comments: row.get::<_, i64>(10)? as u64,
                })
            })
            .optional()
        })
        .or_sql()?
        .ok_or_else(|| no_task(task))?;
    let mut rows = conn.prepare_cached("SELECT id FROM task WHERE parent = ?1 ORDER BY created, id").or_sql()?;
    details.subtasks = rows
        .query_map([task.0], |row| row.get(0).map(|id| TaskId(id).to_string()))
        .and_then(Iterator::collect)
        .or_sql()?;
    Ok(details)
}
