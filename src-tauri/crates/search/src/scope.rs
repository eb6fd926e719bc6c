//! Who may ask what: the contract's "The caller". Whether a caller is a member is looked up in the space, so a stranger
//! can't call itself in.

use kiroku_model::{Caller, Error, Result, TaskId, text};
use rusqlite::Connection;

/// Whether the tools that look at the space's other tasks answer this caller: a member, not in a subtask's run.
pub fn may_see_space(conn: &Connection, caller: &Caller) -> Result<bool> {
    Ok(!caller.subtask && is_member(conn, caller)?)
}

/// The caller's own task, if the tools for it answer this caller: a member with a current task, also in a subtask's run.
/// A current task that the space does not hold is an error.
pub fn own_task(conn: &Connection, caller: &Caller) -> Result<Option<TaskId>> {
    let (Some(task), true) = (caller.task, is_member(conn, caller)?) else {
        return Ok(None);
    };
    if exists(conn, task)? {
        return Ok(Some(task));
    }
    Err(Error::not_found(text!(en: "there is no {task} in this space", ja: "{task} はこのスペースにありません")))
}

/// Whether the caller is a member of the space.
pub fn is_member(conn: &Connection, caller: &Caller) -> Result<bool> {
    match caller.member.as_deref() {
        Some(id) => Ok(kiroku_store::member(conn, id)?.is_some()),
        None => Ok(false),
    }
}

fn exists(conn: &Connection, task: TaskId) -> Result<bool> {
    kiroku_store::DbResult::or_sql(
        conn.prepare_cached("SELECT EXISTS (SELECT 1 FROM task WHERE id = ?1)")
            .and_then(|mut row| row.query_row([task.0], |row| row.get(0))),
    )
}
