//! A comment on its way into the record: what sources and the exchange format give, and engine 1 writes.

use crate::{Attachment, Author, Kind, ProgressType, Time};

/// A comment to be written. Its identity is `key` within its task: writing the same key again changes the comment
/// that is there, and keeps its id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewComment {
    /// The source's own key, unique within the task.
    pub key: String,
    /// Who spoke.
    pub author: Author,
    /// The member behind the author, where known.
    pub member: Option<String>,
    /// What kind of comment.
    pub kind: Kind,
    /// What kind of progress, for [`Kind::Progress`].
    pub progress: Option<ProgressType>,
    /// The tool's name, for [`ProgressType::Tool`].
    pub tool: Option<String>,
    /// What the tool was given.
    pub input: Option<ToolData>,
    /// What the tool gave back.
    pub output: Option<ToolData>,
    /// The workflow's step that it belongs to.
    pub movement: Option<String>,
    /// The text.
    pub body: String,
    /// When it was said.
    pub created: Time,
    /// The files that came with it.
    pub attachments: Vec<Attachment>,
}

/// What a tool was given or gave back: for reading only, never indexed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolData {
    /// The text, at most [`ToolData::LIMIT`] bytes of it.
    pub text: String,
    /// The size of the whole in bytes; more than `text.len()` if it was cut.
    pub whole_bytes: u64,
}

impl ToolData {
    /// The most that is kept of one input or output, in bytes (256 KiB).
    pub const LIMIT: usize = 256 * 1024;

    /// Keeps `text`, or as much of it as [`ToolData::LIMIT`] allows.
    pub fn new(mut text: String) -> ToolData {
        let whole_bytes = text.len() as u64;
        if text.len() > ToolData::LIMIT {
            text.truncate(text.floor_char_boundary(ToolData::LIMIT));
            text.shrink_to_fit();
        }
        ToolData { text, whole_bytes }
    }
}
