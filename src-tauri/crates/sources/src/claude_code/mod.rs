//! Sessions of Claude Code: what Anthropic's command-line agent writes to `~/.claude/projects`.
//!
//! # The format
//! `DIR/SESSION.jsonl`, one JSON object a line, appended as things happen. DIR is the folder's path with every
//! character but letters and digits turned into `-`: it can't be turned back, so the folder is the first `cwd` in the
//! file. Nobody promises the format; what is written here was seen in versions 1.0 to 2.1. A line has a `type`:
//!
//! | type | holds | becomes |
//! | --- | --- | --- |
//! | `user` | `message.content`, a text or blocks: what a person typed, what tools gave back, and much that the harness tells the model in a person's name (`words.rs`) | request, interjection, comment, handoff; output of a tool |
//! | `assistant` | one or more blocks of a message: `text`, `thinking`, `redacted_thinking`, `tool_use`. One message is spread over lines of the same `message.id` | result, progress/summary, progress/thinking, progress/tool, ask |
//! | `system` | the program's own word: `local_command`, `turn_duration`, `compact_boundary` … | comment, or nothing |
//! | `attachment` | `queued_command`: a prompt given to the agent within its turn; `file`: a file named with `@`; others are for the model only | interjection; attachment; nothing |
//! | `queue-operation` | `enqueue` with `content`: a prompt typed while the agent was at work; `dequeue`, `remove`, `popAll` | interjection, once: the line that brings the same text later is not told again |
//! | `progress` | `agent_progress`: a subagent's line in `data.message`, with `data.agentId` and the call in `parentToolUseID`; others are news of hooks and commands | the subagent's comments; nothing |
//! | `summary` | `summary` of the session whose line is `leafUuid`; at a file's head also of other sessions | title |
//! | `custom-title`, `ai-title` | a title that the person or a model gave | title |
//! | `file-history-snapshot`, `last-prompt`, `mode` and others | bookkeeping | nothing |
//!
//! Those that speak have `uuid`, `parentUuid`, `sessionId`, `timestamp`, `cwd`, `isSidechain` (a subagent's), `isMeta`
//! (nobody typed it), and the result of a tool once more as the program has it in `toolUseResult`. A comment's key is the
//! line's `uuid` and the block's index: a resumed or forked session repeats lines with their `uuid`.
//!
//! Subagents stand in `DIR/SESSION/subagents/agent-ID.jsonl` (2.1; with `agent-ID.meta.json`), in `DIR/agent-ID.jsonl`
//! (2.0), in the session itself with `isSidechain` (1.0, chained by `parentUuid` alone), and in `agent_progress` lines. Their
//! key is `SESSION/ID`, so all of these meet. `journal.jsonl` below `workflows` is no conversation, and
//! `agent-acompact-*` and `agent-aprompt_suggestion-*` are the program's own questions to the model: neither is looked at.
//!
//! Beside `projects` stands `todos`, with the lists (`todos.rs`).
//!
//! # What only later lines tell
//! `stop_reason` is empty in most lines, so whether a text ends the turn is not known when it comes. It is taken to, and
//! becomes `progress/summary` ([`Event::Kind`](crate::Event::Kind)) when a tool call or another message of the agent follows before anybody else
//! speaks. A session that simply stops is so told right. Likewise a slash command is a comment until the agent
//! answers it; then it was a request.

mod find;
mod reader;
mod said;
mod speech;
mod todos;
mod wire;
mod words;

use crate::lines::Lines;
use crate::{Cursor, Environment, Found, SessionFile, SessionReader, Source};
use kiroku_model::{Cancel, Result, Text, Time, text};
use std::path::{Path, PathBuf};

/// The agent's name, which is its tasks' `piece` as well.
const NAME: &str = "claude-code";

/// Sessions of Claude Code.
#[derive(Clone, Copy, Debug, Default)]
pub struct ClaudeCode;

impl Source for ClaudeCode {
    fn name(&self) -> &'static str {
        NAME
    }

    fn find(&self, path: &Path, cancel: &Cancel) -> Result<Found> {
        crate::finding::find(path, &find::FORMAT, cancel)
    }

    fn files(&self, path: &Path, cancel: &Cancel) -> Result<Vec<PathBuf>> {
        crate::finding::files(path, &find::FORMAT, cancel)
    }

    fn homes(&self, env: &Environment) -> Vec<PathBuf> {
        let config = env.claude_config_dir.clone().filter(|dir| !dir.as_os_str().is_empty());
        let config = config.or_else(|| env.home.as_ref().map(|home| home.join(".claude")));
        // Lists after the sessions that they are of.
        config.into_iter().flat_map(|config| ["projects", "todos"].map(|dir| config.join(dir))).collect()
    }

    fn open(&self, file: &SessionFile, from: Option<&Cursor>) -> Result<Box<dyn SessionReader>> {
        if todos::is_todos(&file.path) {
            return Ok(Box::new(todos::Reader::open(&file.path, from)?));
        }
        let lines = Lines::open(&file.path, from)?;
        Ok(Box::new(reader::Reader::new(lines, find::origin(&file.path), from)?))
    }
}

/// What is known of a session's file before its first line.
struct Origin {
    path: PathBuf,
    /// The session that lines without a `sessionId` are of.
    session: String,
    /// The subagent whose file it is.
    agent: Option<String>,
    /// What the subagent's caller calls its work.
    title: Option<String>,
    /// The first time that stands in the file.
    first: Option<Time>,
}

/// Reads one line.
fn parse(line: &str) -> Result<wire::Entry<'_>, Text> {
    let not = || text!(en: "not a JSON object", ja: "JSON のオブジェクトではありません");
    if !line.trim_start().starts_with('{') {
        return Err(not());
    }
    serde_json::from_str(line).map_err(|error| {
        let column = error.column();
        text!(en: "not valid JSON (at byte {column})", ja: "正しい JSON ではありません ({column} バイト目)")
    })
}
