//! Everything that the engine keeps, row by row, for the exchange format.

use crate::index::rebuild::attachments;
use kiroku_model::{
    Author, CommentId, Ending, Kind, NewComment, PinList, ProgressType, Result, TaskId, TaskState, Time, ToolData,
};
use kiroku_store::DbResult;
use rusqlite::{Connection, Row};

/// A task as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskRow {
    /// Its number.
    pub id: TaskId,
    /// Its uid.
    pub uid: String,
    /// What else is kept of it.
    pub task: crate::record::NewTask,
}

/// A comment as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommentRow {
    /// Its number.
    pub id: CommentId,
    /// Its task.
    pub task: TaskId,
    /// Its place in the task's order.
    pub seq: i64,
    /// Whether it is gone from its source.
    pub withdrawn: bool,
    /// What it says.
    pub comment: NewComment,
}

/// A pin as it is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PinRow {
    /// Its uid.
    pub uid: String,
    /// Its task.
    pub task: TaskId,
    /// Its list.
    pub list: PinList,
    /// The fact.
    pub text: String,
    /// The comment that says so.
    pub comment: Option<CommentId>,
    /// Who pinned it.
    pub member: Option<String>,
    /// When.
    pub created: Time,
}

/// All tasks, parents before their subtasks, else by number.
pub fn tasks(conn: &Connection) -> Result<Vec<TaskRow>> {
    let mut rows = conn
        .prepare(
            // A task's depth is how many parents it has; a circle of parents, which only a damaged file could hold, ends
            // at a depth of 64.
            "WITH RECURSIVE above (task, parent, depth) AS (
               SELECT id, parent, 0 FROM task
               UNION ALL SELECT a.task, t.parent, a.depth + 1 FROM above a JOIN task t ON t.id = a.parent WHERE a.depth < 64)
             SELECT t.id, t.uid, t.title, t.piece, t.state, t.ending, t.folder, t.owner, t.parent, t.source, t.source_key,
               t.created, t.updated
             FROM task t JOIN (SELECT task, max(depth) AS depth FROM above GROUP BY task) d ON d.task = t.id
             ORDER BY d.depth, t.id",
        )
        .or_sql()?;
    rows.query_map([], |row| {
        let id = TaskId(row.get(0)?);
        let uid: String = row.get(1)?;
        let source: Option<String> = row.get(9)?;
        let task = crate::record::NewTask {
            uid: Some(uid.clone()),
            id: Some(id),
            source: source.zip(row.get(10)?),
            title: row.get(2)?,
            piece: row.get(3)?,
            state: row.get_ref(4)?.as_str_or_null()?.and_then(TaskState::from_word),
            ending: row.get_ref(5)?.as_str_or_null()?.and_then(Ending::from_word),
            folder: row.get(6)?,
            owner: row.get(7)?,
            parent: row.get::<_, Option<i64>>(8)?.map(TaskId),
            created: Time(row.get(11)?),
            updated: Time(row.get(12)?),
        };
        Ok(TaskRow { id, uid, task })
    })
    .and_then(Iterator::collect)
    .or_sql()
}

/// Gives `each` every comment, a task's in its own order.
pub fn comments(conn: &Connection, mut each: impl FnMut(CommentRow) -> Result<()>) -> Result<()> {
    let mut statement = conn
        .prepare(
            "SELECT c.id, c.task, c.seq, c.withdrawn, c.key, c.author, c.member, c.kind, c.progress, c.tool, c.movement,
               c.created, c.body, d.input, d.input_bytes, d.output, d.output_bytes
             FROM comment c LEFT JOIN tool_data d ON d.comment = c.id ORDER BY c.task, c.seq",
        )
        .or_sql()?;
    let mut rows = statement.query([]).or_sql()?;
    while let Some(row) = rows.next().or_sql()? {
        let mut found = comment(row).or_sql()?;
        found.comment.attachments = attachments(conn, found.id.0)?;
        each(found)?;
    }
    Ok(())
}

fn comment(row: &Row<'_>) -> rusqlite::Result<CommentRow> {
    let data = |text: usize| -> rusqlite::Result<Option<ToolData>> {
        let Some(kept) = row.get::<_, Option<String>>(text)? else {
            return Ok(None);
        };
        let whole: Option<i64> = row.get(text + 1)?;
        let whole_bytes = whole.and_then(|bytes| u64::try_from(bytes).ok()).unwrap_or(kept.len() as u64);
        Ok(Some(ToolData { text: kept, whole_bytes }))
    };
    Ok(CommentRow {
        id: CommentId(row.get(0)?),
        task: TaskId(row.get(1)?),
        seq: row.get(2)?,
        withdrawn: row.get(3)?,
        comment: NewComment {
            key: row.get(4)?,
            author: if row.get_ref(5)?.as_str()? == Author::User.as_str() { Author::User } else { Author::Agent },
            member: row.get(6)?,
            kind: Kind::from(row.get_ref(7)?.as_str()?),
            progress: row.get_ref(8)?.as_str_or_null()?.map(ProgressType::from),
            tool: row.get(9)?,
            movement: row.get(10)?,
            created: Time(row.get(11)?),
            body: row.get(12)?,
            input: data(13)?,
            output: data(15)?,
            attachments: Vec::new(),
        },
    })
}

/// All pins, in the order in which they were made.
pub fn pins(conn: &Connection) -> Result<Vec<PinRow>> {
    let mut rows =
        conn.prepare("SELECT uid, task, list, text, comment, member, created FROM pin ORDER BY id").or_sql()?;
    rows.query_map([], |row| {
        Ok(PinRow {
            uid: row.get(0)?,
            task: TaskId(row.get(1)?),
            list: if row.get_ref(2)?.as_str()? == PinList::Decisions.as_str() {
                PinList::Decisions
            } else {
                PinList::UserConstraints
            },
            text: row.get(3)?,
            comment: row.get::<_, Option<i64>>(4)?.map(CommentId),
            member: row.get(5)?,
            created: Time(row.get(6)?),
        })
    })
    .and_then(Iterator::collect)
    .or_sql()
}
