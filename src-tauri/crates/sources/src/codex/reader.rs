//! One Codex session's lines turned into events.

use super::words::{NOISE, NOTICES, answers, file, inner, parent, question, unpacked, words};
use super::{Item, NAME, Of};
use crate::json::{elements, lenient, readable, string};
use crate::lines::{Line, Lines};
use crate::thread::{At, Call, State, Thread, Title, cut, fingerprint};
use crate::{Cursor, Event, SessionReader, Skipped};
use kiroku_model::{Author, Ending, Kind, ProgressType, Result, Time, text};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};

/// Reads one session file.
pub struct Reader {
    lines: Lines,
    path: PathBuf,
    known: Known,
    unknown: u64,
    mended: u64,
}

/// What has to be known to go on.
#[derive(Serialize, Deserialize)]
struct Known {
    state: State,
    /// The task's key: the session's id, or until it is told the file's name.
    session: String,
    parent: Option<String>,
    /// Whether the session was told.
    met: bool,
    /// A fingerprint of the origin's id and of all that was said since: what comes next is known by it and by itself. A
    /// fork replays its origin's lines behind the origin's `session_meta`, so those get the keys that they have there.
    chain: u64,
    /// Fingerprints of parts of reasoning that came in one of the two ways, to leave out the other.
    reasoned: VecDeque<u64>,
}

impl Reader {
    /// A reader of `lines`, with the state of `from`; one whose state is not this program's begins anew.
    pub fn new(mut lines: Lines, path: &Path, first: Time, from: Option<&Cursor>) -> Result<Reader> {
        let mut known = None;
        if let Some(from) = from.filter(|from| from.offset > 0 && !lines.restarted()) {
            known = Known::deserialize(&from.state).ok().filter(|known| known.state.is_current());
            if known.is_none() {
                lines.restart()?;
            }
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let stem = name.split('.').next().unwrap_or_default();
        // `rollout-2026-06-20T10-00-00-` and a UUID.
        let session = stem.len().checked_sub(36).and_then(|at| stem.get(at..)).unwrap_or(stem);
        let known = known.unwrap_or_else(|| Known {
            state: State::new(first),
            session: session.to_owned(),
            parent: None,
            met: false,
            chain: fingerprint(session),
            reasoned: VecDeque::new(),
        });
        Ok(Reader { lines, path: path.to_owned(), known, unknown: 0, mended: 0 })
    }
}

impl SessionReader for Reader {
    fn next(&mut self, events: &mut Vec<Event>) -> Result<bool> {
        let number = self.lines.number() + 1;
        let why = match self.lines.next()? {
            None => return Ok(false),
            Some(Line::TooLong(bytes)) => {
                let megabytes = bytes >> 20;
                text!(en: "a line of {megabytes} MB is too long to read", ja: "{megabytes} MB の行は長すぎるため読めません")
            }
            Some(Line::Bytes(line)) => {
                let line = readable(line);
                if line.trim().is_empty() {
                    return Ok(true);
                }
                match Item::read(&line) {
                    Some((item, time)) => {
                        let (unknown, mended) = self.known.line(&item, time, events);
                        self.unknown += u64::from(unknown);
                        self.mended += u64::from(mended);
                        return Ok(true);
                    }
                    None => text!(en: "not a JSON object", ja: "JSON のオブジェクトではありません"),
                }
            }
        };
        events.push(Event::Skipped(Skipped { path: self.path.clone(), line: Some(number), why }));
        Ok(true)
    }

    fn cursor(&self) -> Cursor {
        self.lines.cursor(serde_json::to_value(&self.known).unwrap_or_default())
    }

    fn restarted(&self) -> bool {
        self.lines.restarted()
    }

    fn position(&self) -> u64 {
        self.lines.position()
    }

    fn unknown_lines(&self) -> u64 {
        self.unknown
    }

    fn mended_times(&self) -> u64 {
        self.mended
    }
}

impl Known {
    /// Takes a line. Whether it is unknown, and whether its time was mended.
    fn line(&mut self, item: &Item<'_>, time: Option<Time>, events: &mut Vec<Event>) -> (bool, bool) {
        if item.of == Of::Meta && !self.met {
            self.met = true;
            self.session = item.id.id().unwrap_or(&self.session).to_owned();
            self.parent = parent(item.source);
        }
        if item.of == Of::Meta
            && let Some(id) = item.id.id()
        {
            self.chain = fingerprint(id);
        }
        if item.record_type.get().is_some() || item.of == Of::Unknown {
            return (item.of == Of::Unknown && item.record_type.get().is_none(), false);
        }
        let now = time.unwrap_or(self.state.last);
        self.state.last = now;
        let thread = self.state.thread(&self.session, self.parent.as_deref());
        let at_work = thread.at_work(now);
        thread.created.get_or_insert(now);
        thread.updated = thread.updated.max(now);
        if thread.folder.is_none() {
            thread.folder = item.cwd.id().map(Into::into);
        }
        let begin = events.len();
        // News of the program (`event_msg`) is not always replayed, so nothing depends on it.
        let link = fingerprint(&format!("{:016x}{}", self.chain, item.said));
        if matches!(item.of, Of::Response | Of::Compacted) {
            self.chain = link;
        }
        let mut at = At { events, key: format!("{link:016x}"), time: now, user: Author::User, at_work };
        if self.parent.is_some() {
            at.user = Author::Agent;
        }
        let known = match (item.of, item.kind.get()) {
            (Of::Response, Some(kind)) => self.response(kind, item, &mut at),
            (Of::Event, Some(kind)) => self.event(kind, item, &mut at),
            (Of::Compacted, _) => {
                if let (Some(body), Some(thread)) = (item.message.get(), self.state.threads.last_mut()) {
                    let comment = at.comment(0, Author::Agent, Kind::Handoff, body);
                    at.put(thread, comment);
                }
                true
            }
            (Of::Meta | Of::Context, _) => true,
            _ => false,
        };
        if let Some(task) = self.state.threads.last_mut().and_then(|thread| thread.news(NAME)) {
            events.insert(begin, Event::Task(task));
        }
        (!known, time.is_none() && item.of == Of::Response)
    }

    fn response(&mut self, kind: &str, item: &Item<'_>, at: &mut At<'_>) -> bool {
        match kind {
            "message" => match item.role.get() {
                Some("user") => self.user(item, at),
                Some("assistant") => self.assistant(item, at),
                _ => {}
            },
            "reasoning" => {
                let parts = elements(item.summary);
                let parts: Vec<String> = parts.into_iter().map(|part| words(Some(part)).into_owned()).collect();
                self.reasoning(parts, at);
            }
            kind if kind.ends_with("_call_output") || kind == "tool_search_output" => self.output(item, at),
            kind if kind.ends_with("_call") => self.call(kind, item, at),
            "ghost_snapshot" | "compaction" | "compaction_summary" | "context_compaction" | "additional_tools"
            | "other" => {}
            _ => return false,
        }
        true
    }

    fn user(&mut self, item: &Item<'_>, at: &mut At<'_>) {
        let author = at.user;
        let Some(thread) = self.state.threads.last_mut() else {
            return;
        };
        let (mut said, mut files) = (Vec::new(), Vec::new());
        let mut blocks = elements(item.content);
        if blocks.is_empty() {
            blocks.extend(item.content);
        }
        for (block, element) in blocks.into_iter().enumerate() {
            let element = Some(element);
            let image: Item<'_> = lenient(element);
            if let Some(url) = image.image_url.get() {
                files.push(file(url, files.len() + 1));
                continue;
            }
            let text = words(element);
            let trimmed = text.trim();
            if trimmed.is_empty() {
                continue;
            }
            if NOISE.iter().any(|begin| trimmed.starts_with(begin)) {
                if thread.folder.is_none() {
                    thread.folder = inner(trimmed, "cwd").map(Into::into);
                }
            } else if NOTICES.iter().any(|begin| trimmed.starts_with(begin)) {
                at.aside(thread, block, Author::Agent, trimmed);
            } else if let Some(command) =
                inner(trimmed, "command").filter(|_| trimmed.starts_with("<user_shell_command>"))
            {
                at.aside(thread, block, author, &format!("! {}", command.trim()));
            } else {
                // An editor puts what it has open before what the person typed.
                let typed = trimmed
                    .split_once("## My request for Codex:")
                    .filter(|_| trimmed.starts_with("# Context from my IDE setup"));
                said.push(typed.map_or(trimmed, |(_, typed)| typed.trim()).to_owned());
            }
        }
        if said.is_empty() && files.is_empty() {
            return;
        }
        let body = said.join("\n\n");
        thread.begin();
        if !body.is_empty() {
            thread.name(Title::Request, &body);
        }
        let mut comment = at.comment(0, author, if at.at_work { Kind::Interjection } else { Kind::Request }, body);
        // Asides of the same line have keys of their own.
        comment.key = format!("{}:said", at.key);
        comment.attachments = files;
        at.put(thread, comment);
        self.state.forget_asks(&self.session);
    }

    fn assistant(&mut self, item: &Item<'_>, at: &mut At<'_>) {
        let body = words(item.content);
        let Some(thread) = self.state.threads.last_mut() else {
            return;
        };
        if body.trim().is_empty() {
            return;
        }
        went_on(thread, at);
        let mut comment = at.comment(0, Author::Agent, Kind::Result, body);
        if item.phase.get() == Some("commentary") {
            (comment.kind, comment.progress) = (Kind::Progress, Some(ProgressType::Summary));
            at.put(thread, comment);
            thread.ending = Some(Ending::MidTurn);
        } else {
            let key = at.put(thread, comment);
            thread.ended(key, None, item.phase.get().is_some());
        }
    }

    /// Parts of reasoning, those left out that came the other way before.
    fn reasoning(&mut self, mut parts: Vec<String>, at: &mut At<'_>) {
        parts.retain(|part| {
            let id = fingerprint(part.trim());
            match self.reasoned.iter().position(|known| *known == id) {
                Some(known) => {
                    self.reasoned.remove(known);
                    false
                }
                None => {
                    if self.reasoned.len() == 64 {
                        self.reasoned.pop_front();
                    }
                    self.reasoned.push_back(id);
                    !part.trim().is_empty()
                }
            }
        });
        let Some(thread) = self.state.threads.last_mut() else {
            return;
        };
        went_on(thread, at);
        thread.ending = Some(Ending::MidTurn);
        if !parts.is_empty() {
            let mut comment = at.comment(0, Author::Agent, Kind::Progress, parts.join("\n\n"));
            comment.progress = Some(ProgressType::Thinking);
            at.put(thread, comment);
        }
    }

    fn call(&mut self, kind: &str, item: &Item<'_>, at: &mut At<'_>) {
        let Some(thread) = self.state.threads.last_mut() else {
            return;
        };
        went_on(thread, at);
        let name = item.name.get().unwrap_or(kind.trim_end_matches("_call"));
        let given = item.arguments.or(item.input).or(item.action);
        let input = given.map(|raw| string(raw).unwrap_or(Cow::Borrowed(raw.get())));
        let ask = name == "request_user_input";
        let body = input.as_deref().filter(|_| ask).map(question);
        let mut comment =
            at.comment(0, Author::Agent, if ask { Kind::Ask } else { Kind::Progress }, body.unwrap_or_default());
        comment.progress = (!ask).then_some(ProgressType::Tool);
        comment.tool = Some(name.to_owned());
        comment.input = input.as_deref().map(cut);
        let comment = at.put(thread, comment);
        thread.ending = Some(if ask { Ending::Asked } else { Ending::MidTurn });
        if let Some(id) = item.call_id.id().or(item.id.id()) {
            let thread = self.session.clone();
            self.state.called(Call { id: id.to_owned(), thread, comment, ask, title: None });
        }
    }

    fn output(&mut self, item: &Item<'_>, at: &mut At<'_>) {
        let Some(call) = item.call_id.id().and_then(|id| self.state.answered(id)) else {
            return;
        };
        let output = unpacked(item.output);
        at.events.push(Event::Output { task: call.thread, comment: call.comment, output: cut(&output) });
        let asks = self.state.asks(&self.session);
        let Some(thread) = self.state.threads.last_mut() else {
            return;
        };
        went_on(thread, at);
        if call.ask {
            let comment = at.comment(0, at.user, Kind::Request, answers(&output));
            at.put(thread, comment);
        }
        thread.ending = Some(if asks { Ending::Asked } else { Ending::MidTurn });
    }

    fn event(&mut self, kind: &str, item: &Item<'_>, at: &mut At<'_>) -> bool {
        if kind == "agent_reasoning" {
            self.reasoning(item.text.get().map(str::to_owned).into_iter().collect(), at);
            return true;
        }
        let Some(thread) = self.state.threads.last_mut() else {
            return true;
        };
        match kind {
            "turn_aborted" => {
                went_on(thread, at);
                thread.ending = Some(Ending::Interrupted);
                self.state.forget_asks(&self.session);
            }
            "task_complete" | "turn_complete" => {
                thread.closed = true;
                if thread.ending() == Ending::MidTurn {
                    thread.ending = Some(Ending::TurnEnded);
                }
            }
            "error" => {
                went_on(thread, at);
                thread.ending = Some(Ending::Error);
                at.aside(thread, 0, Author::Agent, item.message.get().unwrap_or(""));
            }
            // News of what response items tell, and of tokens, hooks and settings.
            _ => {}
        }
        true
    }
}

/// The agent goes on: a text that seemed to end the turn did not, unless it is certain that it did.
fn went_on(thread: &mut Thread, at: &mut At<'_>) {
    if !thread.closed {
        at.went_on(thread);
    }
    thread.pending.clear();
    thread.closed = false;
}
