//! Sessions of Codex: what OpenAI's command-line agent writes to `$CODEX_HOME/sessions`.
//!
//! # The format
//! `sessions/YYYY/MM/DD/rollout-TIME-ID.jsonl`, the same below `archived_sessions`, either also packed as `.zst`. One JSON
//! object a line, `{timestamp, type, payload}`; files of the first versions have bare payloads instead, and their
//! first line is the session's `{id, timestamp, …}` itself. The public source is `codex-rs/protocol` of openai/codex.
//!
//! | type | payload | becomes |
//! | --- | --- | --- |
//! | `session_meta` | `id`, `cwd`, `source`; the first one counts, since a fork replays its origin's. A subagent's names its parent in `source.subagent.thread_spawn` | the task |
//! | `turn_context` | `cwd`, `model` | its folder, if still unknown |
//! | `response_item` | `message {role, content [input_text, output_text, input_image], phase?}` | `user`: request or interjection; `assistant`: result or progress/summary; `developer`, `system`: nothing |
//! | | `reasoning {summary [{text}]}` | progress/thinking |
//! | | `function_call {name, arguments, call_id}`, `custom_tool_call {name, input, call_id}`, `local_shell_call {action}`, `web_search_call {action}` and other `…_call` | progress/tool; ask, if it is `request_user_input` |
//! | | `…_call_output {call_id, output}` | the call's output |
//! | `event_msg` | `user_message`, `agent_message`: response items once more | nothing |
//! | | `agent_reasoning {text}`: a part of a `reasoning` too, in versions that write both | progress/thinking, once |
//! | | `turn_aborted`, `task_complete`, `error {message}` | how the turn ended |
//! | `compacted` | `message`, `replacement_history` | handoff |
//!
//! What the harness says in the person's name (`<environment_context>`, AGENTS.md and others) is told apart by how it
//! begins. Lines have no ids: a comment's key is made of the origin's id and all payloads up to its own. A fork repeats
//! its origin's payloads (under new times) behind the origin's `session_meta`, so what it repeats has the same keys.
//! Whether a text ends the turn is told as in `claude_code`, unless it has a `phase`.

mod reader;
mod words;

use crate::finding::{Format, Head, files, find, head};
use crate::json::{Raw, Word};
use crate::lines::Lines;
use crate::{Cursor, Environment, Found, SessionFile, SessionReader, Source};
use kiroku_model::{Cancel, Result, Time};
use std::path::{Path, PathBuf};

/// The agent's name, which is its tasks' `piece` as well.
const NAME: &str = "codex";

/// Sessions of Codex.
#[derive(Clone, Copy, Debug, Default)]
pub struct Codex;

/// How its files are told.
const FORMAT: Format = Format { agent: "Codex", named, line, whole: |_| None };

impl Source for Codex {
    fn name(&self) -> &'static str {
        NAME
    }

    fn find(&self, path: &Path, cancel: &Cancel) -> Result<Found> {
        find(path, &FORMAT, cancel)
    }

    fn files(&self, path: &Path, cancel: &Cancel) -> Result<Vec<PathBuf>> {
        files(path, &FORMAT, cancel)
    }

    fn homes(&self, env: &Environment) -> Vec<PathBuf> {
        let set = env.codex_home.clone().filter(|dir| !dir.as_os_str().is_empty());
        let home = set.or_else(|| env.home.as_ref().map(|home| home.join(".codex")));
        home.into_iter().flat_map(|home| ["sessions", "archived_sessions"].map(|dir| home.join(dir))).collect()
    }

    fn open(&self, file: &SessionFile, from: Option<&Cursor>) -> Result<Box<dyn SessionReader>> {
        let lines = Lines::open(&file.path, from)?;
        let first = head(&file.path, &FORMAT)?.first.unwrap_or(Time(lines.modified()));
        Ok(Box::new(reader::Reader::new(lines, &file.path, first, from)?))
    }
}

fn named(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.ends_with(".jsonl") || name.ends_with(".jsonl.zst")
}

fn line(head: &mut Head, line: &str) {
    let Some((item, time)) = Item::read(line) else { return };
    head.session |= item.kind.get().is_some_and(|kind| SPEAKING.contains(&kind)) || item.is_meta();
    head.folder = head.folder.take().or_else(|| item.cwd.id().map(PathBuf::from));
    head.first = head.first.or(time);
}

/// Types of payloads by which a file is known to be of this format.
const SPEAKING: [&str; 6] = ["session_meta", "turn_context", "message", "reasoning", "function_call", "event_msg"];

/// A line's envelope.
#[derive(serde::Deserialize, Debug, Default)]
#[serde(default)]
struct Envelope<'a> {
    #[serde(borrow, rename = "type")]
    kind: Word<'a>,
    #[serde(borrow)]
    timestamp: Word<'a>,
    #[serde(borrow)]
    payload: Raw<'a>,
}

/// A payload of any type.
#[derive(serde::Deserialize, Debug, Default)]
#[serde(default)]
struct Item<'a> {
    #[serde(skip)]
    of: Of,
    /// The payload as it stands in the line.
    #[serde(skip)]
    said: &'a str,
    #[serde(borrow, rename = "type")]
    kind: Word<'a>,
    #[serde(borrow)]
    id: Word<'a>,
    #[serde(borrow)]
    timestamp: Word<'a>,
    #[serde(borrow)]
    cwd: Word<'a>,
    #[serde(borrow)]
    source: Raw<'a>,
    #[serde(borrow)]
    record_type: Word<'a>,
    #[serde(borrow)]
    role: Word<'a>,
    #[serde(borrow)]
    phase: Word<'a>,
    #[serde(borrow)]
    content: Raw<'a>,
    #[serde(borrow)]
    summary: Raw<'a>,
    #[serde(borrow)]
    name: Word<'a>,
    #[serde(borrow)]
    call_id: Word<'a>,
    #[serde(borrow)]
    arguments: Raw<'a>,
    #[serde(borrow)]
    input: Raw<'a>,
    #[serde(borrow)]
    action: Raw<'a>,
    #[serde(borrow)]
    output: Raw<'a>,
    #[serde(borrow)]
    text: Word<'a>,
    #[serde(borrow)]
    message: Word<'a>,
    #[serde(borrow)]
    image_url: Word<'a>,
}

/// What kind of line a payload is of.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Of {
    Meta,
    Context,
    #[default]
    Response,
    Event,
    Compacted,
    Unknown,
}

impl<'a> Item<'a> {
    /// Reads a line, with its time; `None` if it is no JSON object.
    fn read(line: &'a str) -> Option<(Item<'a>, Option<Time>)> {
        if !line.trim_start().starts_with('{') {
            return None;
        }
        let envelope: Envelope<'a> = serde_json::from_str(line).ok()?;
        let payload = envelope.payload.filter(|payload| payload.get().starts_with('{'));
        let said = payload.map_or(line, |payload| payload.get());
        let mut item: Item<'a> = serde_json::from_str(said).ok()?;
        item.said = said;
        let time = |word: &Word<'_>| word.get().and_then(|stamp| Time::parse(stamp).ok());
        let time = time(&envelope.timestamp).or_else(|| time(&item.timestamp));
        item.of = match (payload, envelope.kind.get()) {
            (Some(_), Some("session_meta")) => Of::Meta,
            (Some(_), Some("turn_context")) => Of::Context,
            (Some(_), Some("response_item")) => Of::Response,
            (Some(_), Some("event_msg")) => Of::Event,
            (Some(_), Some("compacted")) => Of::Compacted,
            (None, None) if item.id.id().is_some() => Of::Meta,
            (None, Some(_)) => Of::Response,
            _ => Of::Unknown,
        };
        if item.of == Of::Event && item.kind.get().is_none() {
            item.of = Of::Unknown;
        }
        Some((item, time))
    }

    fn is_meta(&self) -> bool {
        self.of == Of::Meta || self.of == Of::Context
    }
}
