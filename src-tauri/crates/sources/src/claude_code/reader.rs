//! One session's lines turned into events: which lines count, which task each is of, and what changed of the tasks.
//! What the speaking ones say is in `speech.rs`.

use super::wire::{Entry, Message, ProgressData};
use super::{NAME, Origin, parse};
use crate::json::{Word, lenient, readable};
use crate::lines::{Line, Lines};
use crate::thread::{At, State, Title, fingerprint, title};
use crate::{Cursor, Event, SessionReader, Skipped};
use kiroku_model::{Author, Result, Text, Time, text};
use std::collections::HashSet;

/// Reads one session file.
pub struct Reader {
    lines: Lines,
    record: Record,
}

/// What was read, and what it means for the next line.
pub(super) struct Record {
    origin: Origin,
    pub(super) state: State,
    /// Fingerprints of all lines read, once the last few do not suffice to know a repeated one.
    seen: Option<HashSet<u64>>,
    pub(super) unknown: u64,
    mended: u64,
}

impl Reader {
    /// A reader of `lines`, with the state of `from`; one whose state is not this program's begins anew.
    pub fn new(mut lines: Lines, origin: Origin, from: Option<&Cursor>) -> Result<Reader> {
        let state = match from.filter(|from| from.offset > 0 && !lines.restarted()) {
            Some(from) => match State::from_value(&from.state) {
                Some(state) => Some(state),
                None => {
                    lines.restart()?;
                    None
                }
            },
            None => None,
        };
        let state = state.unwrap_or_else(|| State::new(origin.first.unwrap_or(Time(lines.modified()))));
        Ok(Reader { lines, record: Record { origin, state, seen: None, unknown: 0, mended: 0 } })
    }
}

impl SessionReader for Reader {
    fn next(&mut self, events: &mut Vec<Event>) -> Result<bool> {
        let (number, offset) = (self.lines.number() + 1, self.lines.offset());
        match self.lines.next()? {
            None => return Ok(false),
            Some(Line::Bytes(line)) => self.record.line(line, number, offset, events)?,
            Some(Line::TooLong(bytes)) => {
                let megabytes = bytes >> 20;
                self.record.skip(
                    number,
                    events,
                    text!(
                        en: "a line of {megabytes} MB is too long to read",
                        ja: "{megabytes} MB の行は長すぎるため読めません"
                    ),
                );
            }
        }
        Ok(true)
    }

    fn cursor(&self) -> Cursor {
        self.lines.cursor(serde_json::to_value(&self.record.state).unwrap_or_default())
    }

    fn restarted(&self) -> bool {
        self.lines.restarted()
    }

    fn position(&self) -> u64 {
        self.lines.position()
    }

    fn unknown_lines(&self) -> u64 {
        self.record.unknown
    }

    fn mended_times(&self) -> u64 {
        self.record.mended
    }
}

/// Lines that hold a setting or bookkeeping of the program, and nothing of the conversation.
const BOOKKEEPING: [&str; 22] = [
    "agent-color",
    "agent-name",
    "agent-setting",
    "atis-latch",
    "attribution-snapshot",
    "bridge-session",
    "content-replacement",
    "context-collapse-commit",
    "context-collapse-snapshot",
    "cost-state",
    "file-history-delta",
    "file-history-snapshot",
    "last-prompt",
    "marble-origami-commit",
    "marble-origami-snapshot",
    "mode",
    "permission-mode",
    "pr-link",
    "speculation-accept",
    "tag",
    "task-summary",
    "worktree-state",
];

/// What a line that may be repeated holds.
enum Content<'a> {
    Message(Message<'a>),
    /// A line of another type, which has no message.
    Other,
}

/// The entry that speaks (of a subagent's progress line the one within), and what it holds; `None` if it says nothing
/// that can be read.
fn speaking<'a>(entry: &Entry<'a>) -> Option<(Option<(Entry<'a>, String)>, Content<'a>)> {
    match entry.kind.get()? {
        "user" | "assistant" => {
            let message: Message<'a> = lenient(entry.message);
            let readable = message.content.is_some_and(|content| content.get().starts_with(['"', '[']));
            readable.then_some((None, Content::Message(message)))
        }
        "system" | "attachment" => Some((None, Content::Other)),
        "progress" => {
            let data: ProgressData<'a> = lenient(entry.data);
            let agent = data.agent_id.get().filter(|_| data.kind.get() == Some("agent_progress"))?.to_owned();
            let inner: Entry<'a> = lenient(data.message);
            let (_, content) = speaking(&inner).filter(|(_, content)| matches!(content, Content::Message(_)))?;
            Some((Some((inner, agent)), content))
        }
        _ => None,
    }
}

/// The id by which a repeated line is known, of what [`speaking`] gave.
fn identity<'e>(entry: &'e Entry<'_>, inner: Option<&'e (Entry<'_>, String)>) -> Option<&'e str> {
    inner.map_or(entry, |(inner, _)| inner).uuid.id()
}

impl Record {
    fn skip(&self, line: u64, events: &mut Vec<Event>, why: Text) {
        events.push(Event::Skipped(Skipped { path: self.origin.path.clone(), line: Some(line), why }));
    }

    /// Takes the line `number`, which begins at `offset`.
    fn line(&mut self, line: &[u8], number: u64, offset: u64, events: &mut Vec<Event>) -> Result<()> {
        let line = readable(line);
        if line.trim().is_empty() {
            return Ok(());
        }
        let entry = match parse(&line) {
            Ok(entry) => entry,
            Err(why) => {
                self.skip(number, events, why);
                return Ok(());
            }
        };
        let begin = events.len();
        let Some(kind) = entry.kind.get() else {
            self.unknown += 1;
            return Ok(());
        };
        match kind {
            "user" | "assistant" | "system" | "attachment" | "progress" => {
                let Some((inner, content)) = speaking(&entry) else {
                    if kind == "progress" {
                        self.activity(&entry);
                    } else {
                        self.skip(
                            number,
                            events,
                            text!(
                                en: "a message without readable content",
                                ja: "読める内容のないメッセージです"
                            ),
                        );
                    }
                    return self.tell(begin, events);
                };
                self.speech(&line, &entry, inner, content, offset, events)?;
            }
            "queue-operation" => self.queue_operation(&entry, events),
            "summary" => self.summary(&entry, offset)?,
            "custom-title" => self.titled(&entry, Title::Custom, &entry.custom_title),
            "ai-title" => self.titled(&entry, Title::Ai, &entry.ai_title),
            kind if BOOKKEEPING.contains(&kind) => {}
            _ => self.unknown += 1,
        }
        self.tell(begin, events)
    }

    /// Tells what changed of the tasks, before their comments.
    fn tell(&mut self, mut begin: usize, events: &mut Vec<Event>) -> Result<()> {
        // A line touches the task that was spoken of last, and a subagent's progress line its session before that.
        let from = self.state.threads.len().saturating_sub(2);
        for thread in &mut self.state.threads[from..] {
            if let Some(task) = thread.news(NAME) {
                events.insert(begin, Event::Task(task));
                begin += 1;
            }
        }
        Ok(())
    }

    /// The line's time, and whether it told it itself.
    pub(super) fn time(&mut self, stamp: &Word<'_>) -> (Time, bool) {
        match stamp.get().and_then(|stamp| Time::parse(stamp).ok()) {
            Some(time) => {
                self.state.last = time;
                (time, true)
            }
            None => (self.state.last, false),
        }
    }

    /// Key of the session that a line is of.
    pub(super) fn session(&self, entry: &Entry<'_>) -> String {
        let known = entry.session_id.id().or(self.state.main.as_deref());
        known.unwrap_or(&self.origin.session).to_owned()
    }

    /// Makes the task that `entry` belongs to the current one, and says whether it is a subagent's.
    fn place(&mut self, entry: &Entry<'_>) -> bool {
        let session = self.session(entry);
        let agent = self.origin.agent.clone().or_else(|| entry.agent_id.id().map(str::to_owned));
        if !entry.is_sidechain.0 && self.origin.agent.is_none() {
            self.state.thread(&session, None);
            self.state.main = Some(session);
            return false;
        }
        let key = match (agent, entry.parent_uuid.id(), entry.uuid.id()) {
            (Some(agent), ..) => format!("{session}/{agent}"),
            // Up to version 2.0 subagents have no id, and stand in the file as chains of their own.
            (None, Some(parent), _) => {
                let of = self.state.tailed(fingerprint(parent)).map(|thread| thread.key.clone());
                of.unwrap_or_else(|| format!("{session}/sidechain"))
            }
            (None, None, Some(uuid)) => format!("{session}/{uuid}"),
            (None, None, None) => format!("{session}/sidechain"),
        };
        let folder = self.state.folder(&session);
        let thread = self.state.thread(&key, Some(&session));
        thread.folder = thread.folder.take().or(folder);
        if let Some(uuid) = entry.uuid.id() {
            thread.follow(fingerprint(uuid));
        }
        if let Some(title) = &self.origin.title
            && thread.titles[Title::Ai as usize].is_none()
        {
            thread.name(Title::Ai, title);
        }
        true
    }

    /// The current task was spoken of at `time`. Whether its agent was at work then.
    pub(super) fn touch(&mut self, time: Time, cwd: &Word<'_>) -> bool {
        let Some(thread) = self.state.threads.last_mut() else {
            return false;
        };
        let at_work = thread.at_work(time);
        thread.created.get_or_insert(time);
        thread.updated = thread.updated.max(time);
        if thread.folder.is_none() {
            thread.folder = cwd.id().map(Into::into);
        }
        at_work
    }

    /// A line that says nothing, but that the session lives.
    fn activity(&mut self, entry: &Entry<'_>) {
        if let (time, true) = self.time(&entry.timestamp) {
            self.place(entry);
            self.touch(time, &entry.cwd);
        }
    }

    /// A line that may say something, unless it repeats an earlier one.
    fn speech(
        &mut self,
        line: &str,
        entry: &Entry<'_>,
        inner: Option<(Entry<'_>, String)>,
        content: Content<'_>,
        offset: u64,
        events: &mut Vec<Event>,
    ) -> Result<()> {
        let (mut time, own) = self.time(&entry.timestamp);
        let id = identity(entry, inner.as_ref()).map(fingerprint);
        if let Some(id) = id {
            if self.repeated(id, own.then_some(time), offset)? {
                return Ok(());
            }
            self.state.read(id, time);
            if let Some(seen) = &mut self.seen {
                seen.insert(id);
            }
        }
        self.mended += u64::from(!own);
        let subagent = self.place(entry);
        let mut at_work = self.touch(time, &entry.cwd);
        if let Some(at) = self.state.summaries.iter().position(|(leaf, _)| Some(*leaf) == id)
            && let Some((_, title)) = self.state.summaries.remove(at)
            && let Some(thread) = self.state.threads.last_mut()
        {
            thread.name(Title::Summary, &title);
        }
        let (entry, subagent) = match &inner {
            None => (entry, subagent),
            Some((within, agent)) => {
                let key = format!("{}/{agent}", self.session(entry));
                let call = entry.parent_tool_use_id.id().and_then(|id| self.state.call(id));
                let parent = call.map_or_else(|| self.session(entry), |call| call.thread.clone());
                let title = call.and_then(|call| call.title.clone());
                let folder = self.state.threads.last().and_then(|thread| thread.folder.clone());
                let thread = self.state.thread(&key, Some(&parent));
                thread.folder = thread.folder.take().or(folder);
                if let Some(title) = title {
                    thread.name(Title::Ai, &title);
                }
                time = within.timestamp.get().and_then(|stamp| Time::parse(stamp).ok()).unwrap_or(time);
                at_work = self.touch(time, &within.cwd);
                (within, true)
            }
        };
        // A line without an id of its own is known by what it says.
        let key = entry.uuid.get().map_or_else(|| format!("line-{:016x}", fingerprint(line)), str::to_owned);
        let user = if subagent { Author::Agent } else { Author::User };
        let mut at = At { events, key, time, user, at_work };
        match (entry.kind.get(), content) {
            (Some("user"), Content::Message(message)) => self.user(entry, &message, &mut at),
            (_, Content::Message(message)) => self.assistant(entry, &message, &mut at),
            (Some("system"), _) => self.system(entry, &mut at),
            _ => self.attachment(entry, &mut at),
        }
        Ok(())
    }

    /// Whether the line `id` was read before.
    fn repeated(&mut self, id: u64, time: Option<Time>, offset: u64) -> Result<bool> {
        if let Some(known) = self.state.repeats(id, time) {
            return Ok(known);
        }
        if self.seen.is_none() {
            let mut seen = HashSet::new();
            let mut lines = Lines::open(&self.origin.path, None)?;
            while lines.offset() < offset
                && let Some(line) = lines.next()?
            {
                if let Line::Bytes(line) = line
                    && let line = readable(line)
                    && let Ok(entry) = parse(&line)
                    && let Some((inner, _)) = speaking(&entry)
                    && let Some(uuid) = identity(&entry, inner.as_ref())
                {
                    seen.insert(fingerprint(uuid));
                }
            }
            self.seen = Some(seen);
        }
        Ok(self.seen.as_ref().is_some_and(|seen| seen.contains(&id)))
    }

    fn summary(&mut self, entry: &Entry<'_>, offset: u64) -> Result<()> {
        let (Some(summary), Some(leaf)) = (entry.summary.get(), entry.leaf_uuid.id()) else {
            return Ok(());
        };
        // At a file's head stand summaries of other sessions too: one counts if the line that it names is here.
        let leaf = fingerprint(leaf);
        if self.repeated(leaf, None, offset)? {
            let key = self.session(entry);
            self.state.thread(&key, None).name(Title::Summary, summary);
        } else {
            self.state.keep_summary(leaf, title(summary).unwrap_or_default());
        }
        Ok(())
    }

    fn titled(&mut self, entry: &Entry<'_>, which: Title, title: &Word<'_>) {
        let key = self.session(entry);
        if self.origin.agent.is_none() {
            self.state.thread(&key, None).name(which, title.get().unwrap_or(""));
        }
    }
}
