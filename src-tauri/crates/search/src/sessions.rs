//! Sessions by the names that travel: what a record says of where it came from (`session_id` and a range of `seq`) led
//! back to comments, and comments led to it.

use crate::index::rebuild;
use crate::text::{index_text, prepare, redact};
use kiroku_model::{Author, CommentId, Kind, ProgressType, Result, TaskId, Time};
use kiroku_store::DbResult;
use rusqlite::{Connection, OptionalExtension, Row};
use serde::Serialize;
use specta::Type;

/// The most characters of a comment that are told.
const EXCERPT: usize = 160;

/// Part of a session, as this space holds it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Type)]
pub struct SessionPart {
    /// The task whose conversation it is: `task:12`.
    pub task: String,
    /// Its title.
    pub title: String,
    /// What was said in that part, in order: without the steps between, unless there is nothing else.
    pub comments: Vec<SessionComment>,
    /// All comments of that part.
    pub total: u64,
}

/// A comment of such a part, in a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Type)]
pub struct SessionComment {
    /// `comment:88`.
    #[serde(rename = "ref")]
    pub reference: String,
    /// Who said it.
    pub author: Author,
    /// When.
    pub created: Time,
    /// Its beginning on one line, without secrets.
    pub excerpt: String,
}

/// A comment's place as it travels: the source's own id of its session, else the task's uid, and its `seq` there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionPlace {
    /// The session.
    pub session: String,
    /// The comment's place in it.
    pub seq: i64,
}

/// The part of a session from one `seq` to another, its first `limit` comments; `None` if the space does not hold the
/// session.
pub(crate) fn part(conn: &Connection, session: &str, range: [i64; 2], limit: usize) -> Result<Option<SessionPart>> {
    let task: Option<(i64, String)> = conn
        .prepare_cached(
            "SELECT id, title FROM task WHERE uid = ?1
             UNION ALL SELECT id, title FROM task WHERE source IS NOT NULL AND source_key = ?1 LIMIT 1",
        )
        .and_then(|mut rows| rows.query_row([session], |row| Ok((row.get(0)?, row.get(1)?))).optional())
        .or_sql()?;
    let Some((task, title)) = task else { return Ok(None) };
    let title = redact(&title).into_owned();
    let total: i64 = conn
        .prepare_cached("SELECT count(*) FROM comment WHERE task = ?1 AND seq BETWEEN ?2 AND ?3 AND withdrawn = 0")
        .and_then(|mut row| row.query_row([task, range[0], range[1]], |row| row.get(0)))
        .or_sql()?;
    let mut comments = comments(conn, task, range, limit, "kind <> 'progress'")?;
    if comments.is_empty() {
        comments = self::comments(conn, task, range, limit, "TRUE")?;
    }
    let total = u64::try_from(total).unwrap_or_default();
    Ok(Some(SessionPart { task: TaskId(task).to_string(), title, comments, total }))
}

fn comments(conn: &Connection, task: i64, range: [i64; 2], limit: usize, only: &str) -> Result<Vec<SessionComment>> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let mut rows = conn
        .prepare_cached(&format!(
            "SELECT id, author, created, body, kind, progress, tool FROM comment
             WHERE task = ?1 AND seq BETWEEN ?2 AND ?3 AND withdrawn = 0 AND {only} ORDER BY seq LIMIT ?4"
        ))
        .or_sql()?;
    let mut found = rows
        .query_map([task, range[0], range[1], limit], comment)
        .and_then(Iterator::collect::<rusqlite::Result<Vec<_>>>)
        .or_sql()?;
    for (id, comment) in &mut found {
        if comment.excerpt.is_empty() {
            let files = rebuild::attachments(conn, *id)?;
            comment.excerpt = files.iter().map(|file| file.name.as_str()).collect::<Vec<_>>().join(", ");
        }
    }
    Ok(found.into_iter().map(|(_, comment)| comment).collect())
}

fn comment(row: &Row<'_>) -> rusqlite::Result<(i64, SessionComment)> {
    let id: i64 = row.get(0)?;
    let kind = Kind::from(row.get_ref(4)?.as_str()?);
    let progress = row.get_ref(5)?.as_str_or_null()?.map(ProgressType::from);
    let (body, tool) = (row.get_ref(3)?.as_str()?, row.get_ref(6)?.as_str_or_null()?);
    let text = index_text(&kind, progress.as_ref(), tool, body, &[]);
    let excerpt = prepare(text.as_deref().unwrap_or(body)).shown.chars().take(EXCERPT).collect();
    let author = if row.get_ref(1)?.as_str()? == Author::User.as_str() { Author::User } else { Author::Agent };
    let reference = CommentId(id).to_string();
    Ok((id, SessionComment { reference, author, created: Time(row.get(2)?), excerpt }))
}

/// The place of a comment.
pub(crate) fn place(conn: &Connection, comment: CommentId) -> Result<SessionPlace> {
    conn.prepare_cached(
        "SELECT coalesce(t.source_key, t.uid), c.seq FROM comment c JOIN task t ON t.id = c.task WHERE c.id = ?1",
    )
    .and_then(|mut row| {
        row.query_row([comment.0], |row| Ok(SessionPlace { session: row.get(0)?, seq: row.get(1)? })).optional()
    })
    .or_sql()?
    .ok_or_else(|| crate::conversation::no_comment(comment))
}
