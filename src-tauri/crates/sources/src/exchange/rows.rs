//! The rows of the exchange format as types, and how they are written. The format itself is told in [`super`].

use super::values::{comment_ref, few, json_text, loose, loose_some, major_version};
use kiroku_model::{
    Attachment, Author, CommentId, Ending, Error, Kind, PinList, ProgressType, Result, Role, TaskId, TaskState, Time,
    text,
};
use serde::{Deserialize, Serialize};

/// The major version that this program reads and writes.
pub const VERSION: u64 = 1;

/// One line of the file.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Row {
    /// Says what the file is, and which space the rows below it come from.
    #[serde(rename = "kiroku")]
    Header(Header),
    /// The space.
    Space(Space),
    /// A member of the space.
    Member(Member),
    /// A task.
    Task(Box<Task>),
    /// A comment.
    Comment(Box<Comment>),
    /// A mission pin.
    Pin(Pin),
    /// A thread's task list as it is now.
    List(List),
    /// One change of a task list.
    History(History),
    /// A note that a person left on a list's item.
    Note(Note),
    /// A tick by which a person says that an item was reviewed.
    Review(Review),
    /// Something that was removed for good and must not come back.
    Tombstone(Tombstone),
}

/// The first line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// The format's major version; [`VERSION`].
    #[serde(default = "major", deserialize_with = "major_version")]
    pub version: u64,
    /// The UUID of the space that was exported.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub space: Option<String>,
}

fn major() -> u64 {
    VERSION
}

/// The space itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Space {
    /// Its name.
    pub name: String,
}

/// A member.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// The id that other rows name the member by.
    pub id: String,
    /// Display name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The role.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
}

/// A task. Absent fields mean what the table in [`super`] says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// Its number in the file.
    #[serde(deserialize_with = "loose")]
    pub id: TaskId,
    /// Its identity everywhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uid: Option<String>,
    /// Title.
    #[serde(default)]
    pub title: String,
    /// The workflow that it runs, or the agent's name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub piece: String,
    /// How it stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<TaskState>,
    /// How the last line of its session left it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ending: Option<Ending>,
    /// The member it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// The task whose subtask it is.
    #[serde(default, deserialize_with = "loose_some", skip_serializing_if = "Option::is_none")]
    pub parent: Option<TaskId>,
    /// The importer that it came through.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The importer's own key for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The folder in which its session worked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// When it began.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created: Option<Time>,
    /// When it last changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated: Option<Time>,
}

/// A comment. Absent fields mean what the table in [`super`] says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Comment {
    /// Its number in the file.
    #[serde(default, deserialize_with = "loose_some", skip_serializing_if = "Option::is_none")]
    pub id: Option<CommentId>,
    /// Its identity everywhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uid: Option<String>,
    /// The source's own key, unique in its task.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The task it belongs to.
    #[serde(deserialize_with = "loose")]
    pub task: TaskId,
    /// Who spoke.
    pub author: Author,
    /// The member behind the author.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub member: Option<String>,
    /// What kind of comment.
    pub kind: Kind,
    /// What kind of progress.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub progress: Option<ProgressType>,
    /// The tool's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The workflow's step that it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub movement: Option<String>,
    /// The text.
    #[serde(default)]
    pub body: String,
    /// What the tool was given: plain text, or JSON as text.
    #[serde(default, deserialize_with = "json_text", skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// What the tool gave back.
    #[serde(default, deserialize_with = "json_text", skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// Bytes of the whole input, where `input` is only its beginning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_bytes: Option<u64>,
    /// Bytes of the whole output, where `output` is only its beginning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_bytes: Option<u64>,
    /// When it was said.
    pub created: Time,
    /// The files that came with it, by name.
    #[serde(default, deserialize_with = "few", skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<Attachment>,
    /// Whether it is gone from its source.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub withdrawn: bool,
    /// Its place in its task's order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seq: Option<i64>,
}

/// A mission pin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pin {
    /// Its identity everywhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uid: Option<String>,
    /// The task it is pinned to.
    #[serde(deserialize_with = "loose")]
    pub task: TaskId,
    /// Which of the two lists.
    pub list: PinList,
    /// The fact.
    pub text: String,
    /// The comment that it rests on; of any task of the space.
    #[serde(rename = "ref", default, with = "comment_ref", skip_serializing_if = "Option::is_none")]
    pub reference: Option<CommentId>,
    /// Who pinned it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub member: Option<String>,
    /// When.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created: Option<Time>,
}

/// How a list's item stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ItemStatus {
    /// To do.
    Pending,
    /// Being done; one at most in a list.
    InProgress,
    /// Done.
    Completed,
}

/// An item of a task list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// Stable in its list.
    pub id: String,
    /// What to do, as an imperative.
    pub content: String,
    /// How it stands.
    pub status: ItemStatus,
    /// What is shown while it runs.
    #[serde(rename = "activeForm")]
    pub active_form: String,
}

/// A thread's task list. Exactly one of `task` and `thread` is there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct List {
    /// The task whose thread it is.
    #[serde(default, deserialize_with = "loose_some", skip_serializing_if = "Option::is_none")]
    pub task: Option<TaskId>,
    /// The thread, where it is no task's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread: Option<String>,
    /// The member or agent that it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource: Option<String>,
    /// The items in order.
    #[serde(default, deserialize_with = "few")]
    pub items: Vec<Item>,
    /// The list's version when it was exported.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
    /// When it last changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated: Option<Time>,
}

/// One change of a task list. Exactly one of `task` and `thread` is there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct History {
    /// Its identity everywhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uid: Option<String>,
    /// The task whose thread it is.
    #[serde(default, deserialize_with = "loose_some", skip_serializing_if = "Option::is_none")]
    pub task: Option<TaskId>,
    /// The thread, where it is no task's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread: Option<String>,
    /// The member or agent that the list belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource: Option<String>,
    /// When.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<Time>,
    /// Who: a member's id, or `agent`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// Through which door it came.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub door: Option<String>,
    /// The list's version that the change made; 0: it never became the list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
    /// The tool call that made it.
    #[serde(rename = "ref", default, with = "comment_ref", skip_serializing_if = "Option::is_none")]
    pub reference: Option<CommentId>,
    /// The whole list before.
    #[serde(default, deserialize_with = "few")]
    pub before: Vec<Item>,
    /// The whole list after.
    #[serde(default, deserialize_with = "few")]
    pub after: Vec<Item>,
}

/// A person's note on a list's item. Exactly one of `task` and `thread` is there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// Its identity everywhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uid: Option<String>,
    /// The task whose thread it is.
    #[serde(default, deserialize_with = "loose_some", skip_serializing_if = "Option::is_none")]
    pub task: Option<TaskId>,
    /// The thread, where it is no task's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread: Option<String>,
    /// The item's id.
    pub item: String,
    /// The note.
    pub text: String,
    /// The member who wrote it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// When.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<Time>,
}

/// A review tick on a list's item. Exactly one of `task` and `thread` is there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Review {
    /// The task whose thread it is.
    #[serde(default, deserialize_with = "loose_some", skip_serializing_if = "Option::is_none")]
    pub task: Option<TaskId>,
    /// The thread, where it is no task's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread: Option<String>,
    /// The item's id.
    pub item: String,
    /// The member who ticked it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// When.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<Time>,
}

/// A task or comment of a source that was removed for good: importers leave it out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tombstone {
    /// The importer.
    pub source: String,
    /// Its key for the task.
    pub key: String,
    /// Its key for the comment, if only one comment is gone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// When it was removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<Time>,
}

/// Writes `row` as one line, with its line end.
///
/// # Errors
/// What the writer says.
pub fn write_row(to: &mut impl std::io::Write, row: &Row) -> Result<()> {
    let failed = |error: &std::io::Error| Error::io(text!(en: "writing the export", ja: "書き出し"), error);
    serde_json::to_writer(&mut *to, row).map_err(|error| failed(&error.into()))?;
    to.write_all(b"\n").map_err(|error| failed(&error))
}
