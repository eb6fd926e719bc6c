//! The lists that agents kept in their own sessions, brought in from the tool calls of a task's conversation.
//!
//! Each call that says something becomes a row of history (door `import`, its comment named), once for ever: its uid
//! is derived from the task's uid and the comment's key, so replaying a session again, or a longer one, adds what is
//! new and nothing else. A call writes as the agent would have with `task_write`: it wins over what stood before. But
//! a call that is older than what stands (a person, or a tool, changed the list after it; or a later call of the same
//! conversation is in already) does not take the list back: it only joins the history, with version 0.

mod calls;

pub use calls::{TOOLS, ToolCall, Write, read};

use crate::history::{self, items};
use crate::lists::TaskLists;
use crate::rows::{self, Entry, Projection};
use crate::thread::{AGENT, ThreadKey};
use crate::{Door, Item};
use kiroku_model::{Call, CommentId, Error, Result, TaskId, Time, derived_uid, text};
use kiroku_store::{DbResult, Tx};
use rusqlite::{Connection, OptionalExtension, params};
use serde::Serialize;

/// Calls of one transaction at most: an import must not hold the writer for long.
const BATCH: usize = 32;

/// A list as a call left it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step<K> {
    /// What the caller knows the call by.
    pub key: K,
    /// When it was made.
    pub at: Time,
    /// The whole list after it.
    pub list: Vec<Item>,
}

/// How a list grows over the calls of a session, from nothing; calls that do nothing to it are left out.
pub fn replay<'a, K>(calls: impl IntoIterator<Item = (K, Time, ToolCall<'a>)>) -> Vec<Step<K>> {
    let mut steps: Vec<Step<K>> = Vec::new();
    for (key, at, call) in calls {
        let list = steps.last().map_or(&[][..], |step| &step.list);
        if let Some(list) = read(call).and_then(|write| write.apply(list)) {
            steps.push(Step { key, at, list });
        }
    }
    steps
}

/// How much of a conversation to look through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// What comes after the last call that was brought in: for a session that grew.
    Grown,
    /// All of it: for one that was rewritten, or came from an export.
    Whole,
}

/// What a replay came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Replayed {
    /// Calls that changed the list.
    pub applied: u64,
    /// Calls that only joined the history, because the list had gone on after them.
    pub late: u64,
}

/// A tool call of the conversation that is not in the history yet.
struct Candidate {
    comment: CommentId,
    uid: String,
    at: Time,
    tool: String,
    /// Whether a later call of the conversation is in the history.
    overtaken: bool,
}

impl TaskLists {
    /// Brings the list and history of a task's thread up to date with the list tools' calls in its conversation.
    /// Replaying what was replayed adds nothing. A `TaskCreate` whose output is not there yet is left for the next
    /// time, with all that follows it; it is passed over when a later list call has its output.
    pub fn replay(&self, call: &Call, task: TaskId, extent: Extent) -> Result<Replayed> {
        let (key, candidates) = self.space.read(&call.cancel, |conn| {
            let (uid, key) = thread_of(conn, task)?;
            Ok((key, candidates(conn, task, &uid, extent)?))
        })?;
        let mut replayed = Replayed::default();
        for batch in candidates.chunks(BATCH) {
            call.cancel.check()?;
            self.space.write(|tx| bring_in(tx, &key, batch, &mut replayed))?;
        }
        Ok(replayed)
    }
}

/// A task's uid, and its thread: the owner's, else the agent's.
fn thread_of(conn: &Connection, task: TaskId) -> Result<(String, ThreadKey)> {
    let known: Option<(String, Option<String>)> = conn
        .query_row("SELECT uid, owner FROM task WHERE id = ?1", [task.0], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()
        .or_sql()?;
    let Some((uid, owner)) = known else {
        return Err(Error::not_found(
            text!(en: "{task} is not in this space", ja: "{task} はこのスペースにありません"),
        ));
    };
    let resource = owner.filter(|owner| !owner.trim().is_empty()).unwrap_or_else(|| AGENT.to_owned());
    Ok((uid, ThreadKey::of_task(task, &resource)?))
}

fn candidates(conn: &Connection, task: TaskId, task_uid: &str, extent: Extent) -> Result<Vec<Candidate>> {
    let after: i64 = match extent {
        Extent::Whole => i64::MIN,
        Extent::Grown => conn
            .query_row(
                "SELECT coalesce(max(c.seq), ?3) FROM list_history h JOIN comment c ON c.id = h.comment
                 WHERE h.thread = ?1 AND c.task = ?2",
                params![task.to_string(), task.0, i64::MIN],
                |row| row.get(0),
            )
            .or_sql()?,
    };
    let tools = TOOLS.map(|tool| format!("'{tool}'")).join(", ");
    let mut calls = conn
        .prepare_cached(&format!(
            "SELECT c.id, c.key, c.created, c.tool, d.output IS NOT NULL
             FROM comment c JOIN tool_data d ON d.comment = c.id
             WHERE c.task = ?1 AND c.seq > ?2 AND c.kind = 'progress' AND c.progress = 'tool' AND c.withdrawn = 0
               AND c.tool IN ({tools})
             ORDER BY c.seq"
        ))
        .or_sql()?;
    let mut found: Vec<(Candidate, bool)> = calls
        .query_map(params![task.0, after], |row| {
            let key: String = row.get(1)?;
            let candidate = Candidate {
                comment: CommentId(row.get(0)?),
                uid: derived_uid(task_uid, &format!("list:{key}")),
                at: Time(row.get(2)?),
                tool: row.get(3)?,
                overtaken: false,
            };
            Ok((candidate, row.get(4)?))
        })
        .and_then(Iterator::collect)
        .or_sql()?;

    // An item whose id is still to come holds up what follows, unless a later output shows that the agent went on.
    let answered = found.iter().rposition(|(_, answered)| *answered).map_or(0, |last| last + 1);
    let awaited = found[answered..].iter().position(|(call, _)| call.tool == "TaskCreate");
    found.truncate(awaited.map_or(found.len(), |first| answered + first));

    let mut overtaken = false;
    let mut new = Vec::new();
    for (mut candidate, _) in found.into_iter().rev() {
        if rows::knows_history(conn, &candidate.uid)? {
            overtaken = true;
        } else {
            candidate.overtaken = overtaken;
            new.push(candidate);
        }
    }
    new.reverse();
    Ok(new)
}

/// Brings a few calls in, in one transaction.
fn bring_in(tx: &Tx<'_>, key: &ThreadKey, batch: &[Candidate], replayed: &mut Replayed) -> Result<()> {
    let stored = rows::projection(tx, key.thread())?;
    let settled = settled(tx, &stored)?;
    let (mut list, mut version, mut at) = (stored.items.clone(), stored.version, stored.updated.unwrap_or_default());
    for call in batch {
        // Another process may have brought it in since it was looked for.
        if rows::knows_history(tx, &call.uid)? {
            continue;
        }
        let Some(write) = said(tx, call)? else { continue };
        let late = call.overtaken || call.at < settled;
        let before = if late { list_then(tx, key.thread(), call.at)? } else { list.clone() };
        let Some(after) = write.apply(&before) else { continue };
        if !late {
            version += 1;
            at = at.max(call.at);
        }
        let entry = Entry {
            uid: &call.uid,
            key,
            version: if late { 0 } else { version },
            at: call.at,
            by: AGENT,
            door: Door::Import.as_str(),
            comment: Some(call.comment),
            before: &before,
            after: &after,
        };
        rows::insert_history(tx, &entry)?;
        if late {
            replayed.late += 1;
        } else {
            replayed.applied += 1;
            list = after;
        }
    }
    if version > stored.version {
        rows::put(tx, key, &stored, list, version, at)?;
    }
    Ok(())
}

/// What a call says; `None` if nothing that can be read.
fn said(conn: &Connection, call: &Candidate) -> Result<Option<Write>> {
    conn.prepare_cached("SELECT input, CASE WHEN ?2 THEN output END FROM tool_data WHERE comment = ?1")
        .and_then(|mut data| {
            let mut rows = data.query(params![call.comment.0, call.tool == "TaskCreate"])?;
            let Some(row) = rows.next()? else { return Ok(None) };
            let Some(input) = row.get_ref(0)?.as_str_or_null()? else {
                return Ok(None);
            };
            let output = row.get_ref(1)?.as_str_or_null()?;
            Ok(read(ToolCall { tool: &call.tool, input, output }))
        })
        .or_sql()
}

/// The time since which the list stands as somebody other than the session wrote it.
fn settled(conn: &Connection, stored: &Projection) -> Result<Time> {
    // A list that came without its history was written by somebody when it came.
    let told = history::newest(conn, &stored.thread)?.map_or(0, |newest| newest.version);
    if stored.version > told {
        return Ok(stored.updated.unwrap_or_default());
    }
    conn.prepare_cached(
        "SELECT coalesce(max(at), 0) FROM list_history WHERE thread = ?1 AND version > 0 AND door <> ?2",
    )
    .and_then(|mut row| row.query_row(params![stored.thread, Door::Import.as_str()], |row| row.get(0)))
    .or_sql()
    .map(Time)
}

/// The list as it stood at a time, as far as the history tells.
fn list_then(conn: &Connection, thread: &str, at: Time) -> Result<Vec<Item>> {
    conn.prepare_cached(
        "SELECT after FROM list_history WHERE thread = ?1 AND at <= ?2 ORDER BY at DESC, id DESC LIMIT 1",
    )
    .and_then(|mut row| row.query_row(params![thread, at.0], |row| items(row, 0)).optional())
    .or_sql()
    .map(Option::unwrap_or_default)
}
