//! What has to be known of the lines read so far to understand the next one: small, bounded, and stored with the cursor.
//!
//! A session is read in pieces, and what a line means depends on those before it (is the agent at work, whose result is
//! this, did that text end the turn). All of it is here, so that reading on at a cursor gives what reading in one go
//! gives. Every list has a limit, and what falls out depends on the lines alone, never on where reading stopped.

use crate::{Event, TaskEvent};
use kiroku_model::{Author, Ending, Kind, NewComment, ProgressType, RUNNING_FOR, Time, ToolData};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::path::PathBuf;

/// Goes up when the state's meaning changes; a cursor with another one is begun anew.
const VERSION: u32 = 1;
/// Tasks (a session and its subagents) that are kept apart at a time.
const THREADS: usize = 256;
/// Tool calls whose results are still waited for.
const CALLS: usize = 512;
/// Summaries of sessions that were not seen yet.
const SUMMARIES: usize = 32;
/// Prompts that wait in a session's queue.
const QUEUED: usize = 32;
/// Texts that may still turn out not to have ended the turn.
const PENDING: usize = 32;
/// Last lines whose ids are remembered; see [`State::high`].
const RECENT: usize = 32;
/// Last lines of a subagent without an id of its own, by which its next line is known.
const TAIL: usize = 16;

/// Everything that is known so far.
#[derive(Debug, Serialize, Deserialize)]
pub struct State {
    version: u32,
    /// The time of the line before.
    pub last: Time,
    /// The session of the last line that was no subagent's.
    pub main: Option<String>,
    /// The tasks, the one spoken of last at the end.
    pub threads: Vec<Thread>,
    calls: VecDeque<Call>,
    /// Summaries by the fingerprint of the line that they sum up to, which was not seen yet.
    pub summaries: VecDeque<(u64, String)>,
    /// Fingerprints and times of the last lines.
    recent: VecDeque<(u64, i64)>,
    /// The latest time of the lines that fell out of `recent`: a later line cannot repeat one of those.
    high: Option<i64>,
}

/// A tool call whose result has not come.
#[derive(Debug, Serialize, Deserialize)]
pub struct Call {
    /// `tool_use_id`.
    pub id: String,
    /// Key of its task.
    pub thread: String,
    /// Key of its comment.
    pub comment: String,
    /// Whether it asks the person something.
    pub ask: bool,
    /// What a call that starts a subagent calls it.
    pub title: Option<String>,
}

/// What is known of one task.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Thread {
    pub key: String,
    pub parent: Option<String>,
    pub folder: Option<PathBuf>,
    pub created: Option<Time>,
    pub updated: Time,
    pub ending: Option<Ending>,
    /// Whether it has a comment; without one it is no task.
    pub started: bool,
    /// The title that the person gave it, that a model gave it, that sums it up, its first request's, its first comment's.
    pub titles: [Option<String>; 5],
    /// Keys of texts that ended the turn as far as is known, and the message that they are of.
    pub pending: Vec<String>,
    pub pending_message: Option<String>,
    /// Whether it is certain that they did.
    pub closed: bool,
    /// A slash command that becomes a request if the agent answers it: its key, title, and whether the agent was at work.
    pub command: Option<(String, Option<String>, bool)>,
    /// Prompts that were queued: fingerprint and key.
    pub queued: VecDeque<(u64, String)>,
    tail: VecDeque<u64>,
    /// What was told of it last.
    #[serde(skip)]
    pub told: Option<TaskEvent>,
}

/// Which of [`Thread::titles`].
#[derive(Clone, Copy)]
pub enum Title {
    Custom,
    Ai,
    Summary,
    Request,
    Comment,
}

impl State {
    /// The state before the first line; `first` is the time of lines before one that tells its own.
    pub fn new(first: Time) -> State {
        State {
            version: VERSION,
            last: first,
            main: None,
            threads: Vec::new(),
            calls: VecDeque::new(),
            summaries: VecDeque::new(),
            recent: VecDeque::new(),
            high: None,
        }
    }

    /// The state that a cursor carries, if this program wrote it.
    pub fn from_value(value: &serde_json::Value) -> Option<State> {
        State::deserialize(value).ok().filter(State::is_current)
    }

    /// Whether this program can go on with it.
    pub fn is_current(&self) -> bool {
        self.version == VERSION
    }

    /// The task `key`, made if it is new; it is then the last in `threads`.
    pub fn thread(&mut self, key: &str, parent: Option<&str>) -> &mut Thread {
        let at = self.threads.iter().rposition(|thread| thread.key == key);
        let last = self.threads.len().saturating_sub(1);
        match at {
            Some(at) if at == last => {}
            Some(at) => self.threads[at..].rotate_left(1),
            None => {
                if self.threads.len() == THREADS {
                    self.threads.remove(0);
                }
                let parent = parent.map(str::to_owned);
                self.threads.push(Thread { key: key.to_owned(), parent, ..Thread::default() });
            }
        }
        let last = self.threads.len() - 1;
        &mut self.threads[last]
    }

    /// The folder in which the task `key` works, which is its subagents' too unless they say another.
    pub fn folder(&self, key: &str) -> Option<PathBuf> {
        self.threads.iter().rev().find(|thread| thread.key == key)?.folder.clone()
    }

    /// The subagent that the line with parent `parent` belongs to, for files in which subagents have no id.
    pub fn tailed(&self, parent: u64) -> Option<&Thread> {
        self.threads.iter().rev().find(|thread| thread.tail.contains(&parent))
    }

    /// A call was made.
    pub fn called(&mut self, call: Call) {
        if self.calls.len() == CALLS {
            self.calls.pop_front();
        }
        self.calls.push_back(call);
    }

    /// The call `id`, whose result has come.
    pub fn answered(&mut self, id: &str) -> Option<Call> {
        let at = self.calls.iter().rposition(|call| call.id == id)?;
        self.calls.remove(at)
    }

    /// The call `id`, whose result has not come.
    pub fn call(&self, id: &str) -> Option<&Call> {
        self.calls.iter().rev().find(|call| call.id == id)
    }

    /// Whether a question of the task `key` is open.
    pub fn asks(&self, key: &str) -> bool {
        self.calls.iter().any(|call| call.ask && call.thread == key)
    }

    /// The person said something else instead of answering.
    pub fn forget_asks(&mut self, key: &str) {
        self.calls.iter_mut().filter(|call| call.thread == key).for_each(|call| call.ask = false);
    }

    /// Keeps a summary until its line is seen.
    pub fn keep_summary(&mut self, leaf: u64, title: String) {
        if self.summaries.len() == SUMMARIES {
            self.summaries.pop_front();
        }
        self.summaries.push_back((leaf, title));
    }

    /// Whether the line `id` at `time` was read before: `None` if that cannot be told from the last lines alone.
    pub fn repeats(&self, id: u64, time: Option<Time>) -> Option<bool> {
        if self.recent.iter().any(|(recent, _)| *recent == id) {
            return Some(true);
        }
        match (self.high, time) {
            (None, _) => Some(false),
            (Some(high), Some(time)) if time.0 > high => Some(false),
            _ => None,
        }
    }

    /// The line `id` was read.
    pub fn read(&mut self, id: u64, time: Time) {
        self.recent.push_back((id, time.0));
        if self.recent.len() > RECENT
            && let Some((_, time)) = self.recent.pop_front()
        {
            self.high = self.high.max(Some(time));
        }
    }
}

impl Thread {
    /// How its last line left it; a task of which nothing was read waits for its first request.
    pub fn ending(&self) -> Ending {
        self.ending.unwrap_or(Ending::TurnEnded)
    }

    /// Whether the agent is at work for certain at `time`: mid-turn, and not silent for so long that it was stopped.
    pub fn at_work(&self, time: Time) -> bool {
        self.ending() == Ending::MidTurn && time.0 - self.updated.0 < RUNNING_FOR
    }

    /// Proposes a title; the first request's and the first comment's stay.
    pub fn name(&mut self, which: Title, text: &str) {
        let slot = &mut self.titles[which as usize];
        if slot.is_none() || !matches!(which, Title::Request | Title::Comment) {
            *slot = title(text);
        }
    }

    /// A new turn begins: what ended the last one did.
    pub fn begin(&mut self) {
        self.pending.clear();
        self.command = None;
        self.ending = Some(Ending::MidTurn);
    }

    /// A text that ends the turn, as far as is known.
    pub fn ended(&mut self, comment: String, message: Option<&str>, certain: bool) {
        if self.pending.len() == PENDING {
            self.pending.remove(0);
        }
        self.pending.push(comment);
        self.pending_message = message.map(str::to_owned);
        self.closed = certain;
        self.ending = Some(Ending::TurnEnded);
    }

    /// Whether the pending texts are of the message `message`.
    pub fn same_message(&self, message: Option<&str>) -> bool {
        message.is_some() && self.pending_message.as_deref() == message
    }

    /// A prompt was queued as the comment `key`.
    pub fn queue(&mut self, prompt: u64, key: String) {
        if self.queued.len() == QUEUED {
            self.queued.pop_front();
        }
        self.queued.push_back((prompt, key));
    }

    /// The comment as which a prompt was queued; it leaves the queue.
    pub fn unqueue(&mut self, prompt: u64) -> Option<String> {
        let at = self.queued.iter().position(|(queued, _)| *queued == prompt)?;
        self.queued.remove(at).map(|(_, key)| key)
    }

    /// Its last line was `id`.
    pub fn follow(&mut self, id: u64) {
        if self.tail.len() == TAIL {
            self.tail.pop_front();
        }
        self.tail.push_back(id);
    }

    /// All that is known of it, if it is a task and this was not told yet.
    pub fn news(&mut self, piece: &str) -> Option<TaskEvent> {
        let now = self.started.then(|| self.event(piece)).filter(|now| self.told.as_ref() != Some(now))?;
        self.told = Some(now.clone());
        Some(now)
    }

    fn event(&self, piece: &str) -> TaskEvent {
        TaskEvent {
            key: self.key.clone(),
            parent: self.parent.clone(),
            title: self.titles.iter().flatten().next().unwrap_or(&self.key).clone(),
            piece: piece.to_owned(),
            folder: self.folder.clone(),
            created: self.created.unwrap_or(self.updated),
            updated: self.updated,
            ending: self.ending(),
        }
    }
}

/// A short name for a string: 64 bits of its hash.
pub fn fingerprint(text: &str) -> u64 {
    let hash = blake3::hash(text.as_bytes());
    hash.as_bytes()[..8].iter().fold(0, |all, byte| (all << 8) | u64::from(*byte))
}

/// One line: where it belongs, and when it was said.
pub struct At<'e> {
    pub events: &'e mut Vec<Event>,
    /// The line's id; its comments' keys are this and the block's index.
    pub key: String,
    pub time: Time,
    /// Who speaks as `user`: the person, or in a subagent the agent that sent it.
    pub user: Author,
    /// Whether the agent was at work when the line came.
    pub at_work: bool,
}

impl At<'_> {
    /// Writes `comment` of the current task.
    pub fn put(&mut self, thread: &mut Thread, comment: NewComment) -> String {
        let key = comment.key.clone();
        if !comment.body.is_empty() {
            thread.name(Title::Comment, &comment.body);
        }
        thread.started = true;
        self.events.push(Event::Comment { task: thread.key.clone(), comment: Box::new(comment) });
        key
    }

    /// A comment at block `block` with nothing but a body.
    pub fn comment(&self, block: usize, author: Author, kind: Kind, body: impl Into<String>) -> NewComment {
        NewComment {
            key: format!("{}:{block}", self.key),
            author,
            member: None,
            kind,
            progress: None,
            tool: None,
            input: None,
            output: None,
            movement: None,
            body: body.into(),
            created: self.time,
            attachments: Vec::new(),
        }
    }

    /// Writes a comment that carries no request or result, unless it is empty.
    pub fn aside(&mut self, thread: &mut Thread, block: usize, author: Author, body: &str) {
        let body = body.trim();
        if !body.is_empty() {
            let comment = self.comment(block, author, Kind::Comment, body);
            self.put(thread, comment);
        }
    }

    /// Texts that seemed to end the turn did not.
    pub fn went_on(&mut self, thread: &mut Thread) {
        for comment in thread.pending.drain(..) {
            let (task, progress) = (thread.key.clone(), Some(ProgressType::Summary));
            self.events.push(Event::Kind { task, comment, kind: Kind::Progress, progress });
        }
    }
}

/// What is kept of a tool's input or output.
pub fn cut(text: &str) -> ToolData {
    let kept = &text[..text.floor_char_boundary(ToolData::LIMIT)];
    ToolData { text: kept.to_owned(), whole_bytes: text.len() as u64 }
}

/// A title from a text: its first line that is not empty, cut at 80 graphemes.
pub fn title(text: &str) -> Option<String> {
    use unicode_segmentation::UnicodeSegmentation;
    let line = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    // A grapheme may be as long as somebody likes, so bytes are bounded too.
    let line = &line[..line.floor_char_boundary(2000)];
    let end = line.grapheme_indices(true).nth(80).map_or(line.len(), |(end, _)| end);
    Some(line[..end].trim_end().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles() {
        assert_eq!(title("\n  一行目  \n二行目").as_deref(), Some("一行目"));
        assert_eq!(title(&"👨‍👩‍👧".repeat(200)), Some("👨‍👩‍👧".repeat(80)));
        assert_eq!(title(&format!("a{}", "\u{301}".repeat(100_000))).map(|t| t.len()), Some(1999));
        assert_eq!(title(" \n"), None);
    }
}
