//! Readers of agents' session files, one file a format. Read-only: nothing is ever written, locked or moved in an
//! agent's directories.
//!
//! A [`Source`] finds sessions and opens them; a [`SessionReader`] gives what a session holds, a line at a time, as
//! [`Event`]s about tasks and comments. It knows nothing of the space: the importer (in `api`) joins the two, commits
//! in small steps, and stores the reader's [`Cursor`] with each, so that the next import goes on where this one ended.

pub mod claude_code;
pub mod codex;
pub mod exchange;
mod finding;
mod json;
mod lines;
mod thread;

use kiroku_model::{Cancel, Ending, NewComment, Result, Time, ToolData};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// One kind of session files.
pub trait Source: Sync {
    /// The source's name in the space file and on the command line, such as `claude-code`.
    fn name(&self) -> &'static str;

    /// Every session file at or below `path` (a file or a directory), oldest first; with what could not be looked at.
    fn find(&self, path: &Path, cancel: &Cancel) -> Result<Found>;

    /// The files at or below `path` that may be sessions by their names, in no order: without a look into them, to see
    /// cheaply whether any has changed.
    fn files(&self, path: &Path, cancel: &Cancel) -> Result<Vec<PathBuf>>;

    /// The directories in which the agent keeps its sessions, given where the person's home and settings are.
    fn homes(&self, env: &Environment) -> Vec<PathBuf>;

    /// Opens a session where `from` left it, or at its beginning.
    fn open(&self, file: &SessionFile, from: Option<&Cursor>) -> Result<Box<dyn SessionReader>>;
}

/// Where agents' directories are looked for: given by the shells, never read from the environment here.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    /// The person's home directory.
    pub home: Option<PathBuf>,
    /// `CLAUDE_CONFIG_DIR`, if set.
    pub claude_config_dir: Option<PathBuf>,
    /// `CODEX_HOME`, if set.
    pub codex_home: Option<PathBuf>,
}

/// What [`Source::find`] found.
#[derive(Debug, Default)]
pub struct Found {
    /// The sessions, oldest first by the first time that stands in each.
    pub files: Vec<SessionFile>,
    /// What could not be looked at, or is no session: for the report.
    pub skipped: Vec<Skipped>,
}

/// A session file that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionFile {
    /// Where it is.
    pub path: PathBuf,
    /// The folder in which the session worked, where the file says it.
    pub folder: Option<PathBuf>,
    /// Its size in bytes when it was found.
    pub bytes: u64,
}

/// Something that was left out, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// The file.
    pub path: PathBuf,
    /// The line, from 1, if it was one line.
    pub line: Option<u64>,
    /// Why, for a person.
    pub why: kiroku_model::Text,
}

/// Reads one session.
pub trait SessionReader {
    /// Reads the next line and appends what it says to `events` (often nothing). `false` at the end of what is there;
    /// a last line without its line end is left for the next time.
    fn next(&mut self, events: &mut Vec<Event>) -> Result<bool>;

    /// Where the reader stands: right behind the last line that [`SessionReader::next`] took.
    fn cursor(&self) -> Cursor;

    /// Whether the file turned out to be rewritten or shortened since its cursor was made, so that reading began anew:
    /// comments that are known and do not come again are gone from the session.
    fn restarted(&self) -> bool;

    /// Bytes read so far, of [`SessionFile::bytes`].
    fn position(&self) -> u64;

    /// Lines whose type or fields this program does not know, left out quietly.
    fn unknown_lines(&self) -> u64;

    /// Lines with no time, or an absurd one, that were given the time of the line before.
    fn mended_times(&self) -> u64 {
        0
    }
}

/// Where reading stopped, and what has to be known to go on there.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cursor {
    /// The file's size when it was last read.
    pub bytes: u64,
    /// The file's modification time then, in milliseconds since 1970.
    pub modified: i64,
    /// The offset behind the last whole line.
    pub offset: u64,
    /// Length and hash of the last whole line (with its line end): a file in which it stands elsewhere was rewritten.
    pub line_hash: String,
    /// The number of lines before `offset`.
    pub lines: u64,
    /// The format's own state (is the agent mid-turn, which title is best so far …), small.
    pub state: serde_json::Value,
}

/// What a line of a session says.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A task is there, or more is known of it. Comes before the task's first comment, and whenever a field changed.
    Task(TaskEvent),
    /// A comment of the task `task` (its key), new or changed.
    Comment {
        /// Key of the task.
        task: String,
        /// The comment.
        comment: Box<NewComment>,
    },
    /// What the tool call `comment` of `task` gave back, which a session tells later than the call.
    Output {
        /// Key of the task.
        task: String,
        /// Key of the comment.
        comment: String,
        /// The output.
        output: ToolData,
    },
    /// A comment that turned out to be of another kind: text that did not end the turn, or did.
    Kind {
        /// Key of the task.
        task: String,
        /// Key of the comment.
        comment: String,
        /// What it is now.
        kind: kiroku_model::Kind,
        /// With it, what kind of progress.
        progress: Option<kiroku_model::ProgressType>,
    },
    /// The task list of `task` as it stood at a time: from a file that holds nothing else.
    List {
        /// Key of the task.
        task: String,
        /// When it stood so.
        at: Time,
        /// The list tool whose input it is.
        tool: &'static str,
        /// The input, JSON.
        call: String,
    },
    /// A line that could not be read.
    Skipped(Skipped),
}

/// All that is known of a task so far.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskEvent {
    /// The source's own key: the session id, or the session id and the subagent's.
    pub key: String,
    /// The key of the task whose subtask it is.
    pub parent: Option<String>,
    /// Its best title so far.
    pub title: String,
    /// The agent's name.
    pub piece: String,
    /// The folder in which it worked.
    pub folder: Option<PathBuf>,
    /// When it began.
    pub created: Time,
    /// When its last line was written.
    pub updated: Time,
    /// How that line left it.
    pub ending: Ending,
}
