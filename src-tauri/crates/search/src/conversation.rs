//! Reading conversations: around a comment, in pages, and the search within one by a plain scan.
//! What is read here is raw: drilling down stays inside the same circle of trust.

mod find;
mod outline;

pub use find::FoundInTask;
pub(crate) use find::find;
pub(crate) use outline::outline;

use crate::types::{Around, Comment, ConversationPage, MatchMode, TaskName};
use crate::{index, text};
use kiroku_model::{Author, Cancel, CommentId, Error, Kind, ProgressType, Result, TaskId, Time, text};
use kiroku_store::DbResult;
use rusqlite::{Connection, OptionalExtension, Row, params};

const COLUMNS: &str = "id, author, member, kind, progress, tool, created, body, withdrawn";

/// A task as answers name it; its title is redacted.
pub(crate) fn task_name(conn: &Connection, task: TaskId) -> Result<TaskName> {
    let title: String = conn
        .prepare_cached("SELECT title FROM task WHERE id = ?1")
        .and_then(|mut row| row.query_row([task.0], |row| row.get(0)).optional())
        .or_sql()?
        .ok_or_else(|| no_task(task))?;
    Ok(TaskName { reference: task.to_string(), title: text::redact(&title).into_owned() })
}

pub(crate) fn no_task(task: TaskId) -> Error {
    Error::not_found(text!(en: "there is no {task} in this space", ja: "{task} はこのスペースにありません"))
        .with("ref", task.to_string())
}

pub(crate) fn no_comment(comment: CommentId) -> Error {
    Error::not_found(text!(en: "there is no {comment} in this space", ja: "{comment} はこのスペースにありません"))
        .with("ref", comment.to_string())
}

/// The task and place of a comment.
pub(crate) fn place_of(conn: &Connection, comment: CommentId) -> Result<(TaskId, i64)> {
    conn.prepare_cached("SELECT task, seq FROM comment WHERE id = ?1")
        .and_then(|mut row| row.query_row([comment.0], |row| Ok((TaskId(row.get(0)?), row.get(1)?))).optional())
        .or_sql()?
        .ok_or_else(|| no_comment(comment))
}

/// The conversation around a comment: `context` comments before and after it. `only_in`: a comment of another task
/// counts as not there; `not_in`: one of this task does.
pub(crate) fn around(
    conn: &Connection,
    comment: CommentId,
    context: usize,
    only_in: Option<TaskId>,
    not_in: Option<TaskId>,
) -> Result<Around> {
    let (task, seq) = place_of(conn, comment)?;
    if only_in.is_some_and(|only| only != task) || not_in == Some(task) {
        return Err(no_comment(comment));
    }
    let (before, after) = neighbours(conn, task, comment, context)?;
    let mut target = read(conn, "id = ?1", [comment.0])?;
    for comment in &mut target {
        comment.is_target = true;
    }
    let count = |sql: &str| -> Result<u64> {
        conn.prepare_cached(sql)
            .and_then(|mut row| row.query_row([task.0, seq], |row| row.get::<_, i64>(0)))
            .or_sql()
            .map(|n| n as u64)
    };
    let more_before = count("SELECT count(*) FROM comment WHERE task = ?1 AND seq < ?2")? - before.len() as u64;
    let more_after = count("SELECT count(*) FROM comment WHERE task = ?1 AND seq > ?2")? - after.len() as u64;
    Ok(Around {
        task: task_name(conn, task)?,
        comments: before.into_iter().chain(target).chain(after).collect(),
        more_before,
        more_after,
    })
}

/// Up to `context` comments before and after one, in the conversation's order.
pub(crate) fn neighbours(
    conn: &Connection,
    task: TaskId,
    comment: CommentId,
    context: usize,
) -> Result<(Vec<Comment>, Vec<Comment>)> {
    let (_, seq) = place_of(conn, comment)?;
    let given = params![task.0, seq, context as i64];
    let mut before = read(conn, "task = ?1 AND seq < ?2 ORDER BY seq DESC LIMIT ?3", given)?;
    before.reverse();
    let after = read(conn, "task = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3", given)?;
    Ok((before, after))
}

/// A page of a task's conversation.
pub(crate) fn page(conn: &Connection, task: TaskId, offset: u64, limit: usize) -> Result<ConversationPage> {
    let task_name = task_name(conn, task)?;
    let total = conn
        .query_row("SELECT count(*) FROM comment WHERE task = ?1", [task.0], |row| row.get::<_, i64>(0))
        .or_sql()? as u64;
    let given = params![task.0, limit as i64, i64::try_from(offset).unwrap_or(i64::MAX)];
    let comments = read(conn, "task = ?1 ORDER BY seq LIMIT ?2 OFFSET ?3", given)?;
    let next = offset.saturating_add(comments.len() as u64);
    Ok(ConversationPage { task: task_name, total, comments, next_offset: (next < total).then_some(next) })
}

/// Reads comments by a condition.
fn read(conn: &Connection, condition: &str, given: impl rusqlite::Params) -> Result<Vec<Comment>> {
    let mut rows = conn.prepare_cached(&format!("SELECT {COLUMNS} FROM comment WHERE {condition}")).or_sql()?;
    let mut found: Vec<(i64, Comment)> = rows.query_map(given, comment).and_then(Iterator::collect).or_sql()?;
    for (id, comment) in &mut found {
        comment.attachments = index::rebuild::attachments(conn, *id)?;
    }
    Ok(found.into_iter().map(|(_, comment)| comment).collect())
}

fn comment(row: &Row<'_>) -> rusqlite::Result<(i64, Comment)> {
    let id: i64 = row.get(0)?;
    let comment = Comment {
        reference: CommentId(id).to_string(),
        author: if row.get_ref(1)?.as_str()? == Author::User.as_str() { Author::User } else { Author::Agent },
        member: row.get(2)?,
        kind: Kind::from(row.get_ref(3)?.as_str()?),
        progress: row.get_ref(4)?.as_str_or_null()?.map(ProgressType::from),
        tool: row.get(5)?,
        created: Time(row.get(6)?),
        body: row.get(7)?,
        is_target: false,
        attachments: Vec::new(),
        withdrawn: row.get(8)?,
    };
    Ok((id, comment))
}

/// What a tool call was given and gave back, for reading.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, specta::Type)]
pub struct ToolCall {
    /// What the tool was given, as kept.
    pub input: Option<String>,
    /// Its whole size in bytes, more than `input`'s if it was cut.
    pub input_bytes: Option<u64>,
    /// What it gave back, as kept.
    pub output: Option<String>,
    /// Its whole size in bytes.
    pub output_bytes: Option<u64>,
}

/// The tool data of a comment; nothing if it is no tool call.
pub(crate) fn tool_call(conn: &Connection, comment: CommentId) -> Result<ToolCall> {
    let size = |bytes: Option<i64>| bytes.and_then(|bytes| u64::try_from(bytes).ok());
    conn.prepare_cached("SELECT input, input_bytes, output, output_bytes FROM tool_data WHERE comment = ?1")
        .and_then(|mut row| {
            row.query_row([comment.0], |row| {
                Ok(ToolCall {
                    input: row.get(0)?,
                    input_bytes: size(row.get(1)?),
                    output: row.get(2)?,
                    output_bytes: size(row.get(3)?),
                })
            })
            .optional()
        })
        .or_sql()
        .map(Option::unwrap_or_default)
}

/// A comment of the caller's own task that matches, with what of it does.
pub(crate) struct OwnMatch {
    pub id: CommentId,
    pub author: Author,
    pub member: Option<String>,
    pub kind: Kind,
    pub created: Time,
    /// The text that matched best: the body, or the tool's data.
    pub text: String,
}

/// Searches one conversation by a plain scan over raw bodies of every kind, attachments' names, and tools' names, inputs
/// and outputs; newest first. Answers the newest `limit` matches and how many there are.
pub(crate) fn scan(
    conn: &Connection,
    task: TaskId,
    terms: &[&str],
    mode: MatchMode,
    limit: usize,
    cancel: &Cancel,
) -> Result<(Vec<OwnMatch>, u64)> {
    let mut rows = conn
        .prepare_cached(
            "SELECT c.id, c.author, c.kind, c.created, c.body, c.tool, d.input, d.output,
               (SELECT group_concat(name, char(10)) FROM attachment a WHERE a.comment = c.id), c.member
             FROM comment c LEFT JOIN tool_data d ON d.comment = c.id
             WHERE c.task = ?1 AND c.withdrawn = 0 ORDER BY c.created DESC, c.id DESC",
        )
        .or_sql()?;
    let mut rows = rows.query([task.0]).or_sql()?;
    let (mut found, mut total) = (Vec::new(), 0);
    while let Some(row) = rows.next().or_sql()? {
        cancel.check()?;
        let parts: Vec<String> = (4..9)
            .map(|column| row.get::<_, Option<String>>(column))
            .filter_map(Result::transpose)
            .collect::<Result<_, _>>()
            .or_sql()?;
        let folded: Vec<String> = parts.iter().map(|part| text::fold(part)).collect();
        let holds = |term: &&str| folded.iter().any(|part| part.contains(*term));
        let is_match = match mode {
            MatchMode::All => terms.iter().all(holds),
            MatchMode::Any => terms.iter().any(holds),
        };
        if !is_match {
            continue;
        }
        total += 1;
        if found.len() < limit {
            let held = |part: &String| terms.iter().filter(|term| part.contains(**term)).count();
            // The first of the parts that hold most of the terms.
            let best = folded.iter().enumerate().rev().max_by_key(|(_, part)| held(part)).map_or(0, |(at, _)| at);
            let mut parts = parts;
            found.push(OwnMatch {
                id: CommentId(row.get(0).or_sql()?),
                author: if row.get_ref(1).or_sql()?.as_str().is_ok_and(|word| word == Author::User.as_str()) {
                    Author::User
                } else {
                    Author::Agent
                },
                member: row.get(9).or_sql()?,
                kind: Kind::from(row.get::<_, String>(2).or_sql()?.as_str()),
                created: Time(row.get(3).or_sql()?),
                text: parts.swap_remove(best),
            });
        }
    }
    Ok((found, total))
}
