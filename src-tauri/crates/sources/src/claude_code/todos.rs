//! Claude Code's todo files: `todos/SESSION-agent-AGENT.json` beside `projects`, the task list of a session (AGENT is
//! SESSION) or of one of its subagents as it stands, a JSON array of `{content, status, activeForm, id?, priority?}`.
//!
//! The program writes the same list into the session as the input of `TodoWrite`, so a todo file only says something
//! new where the session does not (it was written by a version or a door that left the call out, or was cut short). An
//! empty one says nothing: the program empties it when everything is done, and makes one for every session.

use crate::finding::{Head, head};
use crate::lines::{modified, open_regular};
use crate::{Cursor, Event, SessionReader, Skipped};
use kiroku_model::{Result, Time, text};
use std::io::Read;
use std::path::{Path, PathBuf};

/// The largest todo file that is read, in bytes.
const LIMIT: u64 = 1 << 20;

/// The session and the agent that a todo file is named after; `None`: it is none.
fn names(path: &Path) -> Option<(&str, &str)> {
    if path.parent()?.file_name()? != "todos" || path.extension()? != "json" {
        return None;
    }
    path.file_stem()?
        .to_str()?
        .split_once("-agent-")
        .filter(|(session, agent)| !session.is_empty() && !agent.is_empty())
}

/// Whether `path` is a todo file, by its name.
pub fn is_todos(path: &Path) -> bool {
    names(path).is_some()
}

/// What is known of a todo file: the folder is that of its session, if the session is still there.
pub fn look(path: &Path) -> Option<Head> {
    let (session, _) = names(path)?;
    let name = format!("{session}.jsonl");
    let projects = path.parent()?.parent()?.join("projects");
    let sessions = std::fs::read_dir(projects).into_iter().flatten().flatten().map(|dir| dir.path().join(&name));
    let folder = sessions
        .filter(|session| session.is_file())
        .find_map(|session| head(&session, &super::find::FORMAT).ok()?.folder);
    Some(Head { folder, session: true, ..Head::default() })
}

/// Reads one todo file, as if it were a single line.
pub struct Reader {
    path: PathBuf,
    task: String,
    content: Vec<u8>,
    cursor: Cursor,
    /// Whether it was read, now or when the cursor was made.
    read: bool,
}

impl Reader {
    /// Opens the todo file `path`. Errors: not there, not readable, not a regular file.
    pub fn open(path: &Path, from: Option<&Cursor>) -> Result<Reader> {
        let (file, metadata) = open_regular(path)?;
        let mut content = Vec::new();
        file.take(LIMIT + 1).read_to_end(&mut content).map_err(|error| {
            let name = path.display();
            kiroku_model::Error::io(text!(en: "reading {name}", ja: "{name} の読み込み"), &error)
        })?;
        let (session, agent) = names(path).unwrap_or_default();
        let task = if session == agent { session.to_owned() } else { format!("{session}/{agent}") };
        let bytes = content.len() as u64;
        let cursor = Cursor {
            bytes,
            modified: modified(&metadata),
            offset: bytes,
            line_hash: blake3::hash(&content).to_hex()[..32].to_owned(),
            lines: 1,
            state: serde_json::Value::Null,
        };
        let read = from.is_some_and(|from| from.line_hash == cursor.line_hash);
        Ok(Reader { path: path.to_owned(), task, content, cursor, read })
    }

    fn list(&self) -> Result<Option<Event>, kiroku_model::Text> {
        if self.cursor.bytes > LIMIT {
            return Err(text!(en: "this todo file is over 1 MB", ja: "この todo ファイルは 1 MB を超えています"));
        }
        let items: Vec<serde_json::Value> = serde_json::from_slice(&self.content)
            .map_err(|_| text!(en: "not a JSON array", ja: "JSON の配列ではありません"))?;
        let at = Time(self.cursor.modified).clamp(Time::MIN, Time::MAX);
        let call = serde_json::json!({ "todos": items }).to_string();
        Ok((!items.is_empty()).then(|| Event::List { task: self.task.clone(), at, tool: "TodoWrite", call }))
    }
}

impl SessionReader for Reader {
    fn next(&mut self, events: &mut Vec<Event>) -> Result<bool> {
        if std::mem::replace(&mut self.read, true) {
            return Ok(false);
        }
        match self.list() {
            Ok(list) => events.extend(list),
            Err(why) => events.push(Event::Skipped(Skipped { path: self.path.clone(), line: None, why })),
        }
        Ok(true)
    }

    fn cursor(&self) -> Cursor {
        self.cursor.clone()
    }

    fn restarted(&self) -> bool {
        false
    }

    fn position(&self) -> u64 {
        if self.read { self.cursor.bytes } else { 0 }
    }

    fn unknown_lines(&self) -> u64 {
        0
    }
}
