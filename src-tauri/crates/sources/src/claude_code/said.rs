//! What is said to the agent: a person's words, and what the harness tells the model in a person's name.

use super::reader::Record;
use super::wire::{self, Attached, Block, Details, Entry, Message, Source};
use super::words::{self, Said};
use crate::Event;
use crate::json::{Raw, decoded, elements, lenient};
use crate::thread::{At, Title, fingerprint, title};
use kiroku_model::{Attachment, Author, Ending, Kind};

impl Record {
    /// A `user` line: a person's words, the harness's wrappers, what tools gave back.
    pub(super) fn user(&mut self, entry: &Entry<'_>, message: &Message<'_>, at: &mut At<'_>) {
        if entry.is_compact_summary.0 {
            let body = wire::text_of(message.content).into_owned();
            let Some(thread) = self.current() else { return };
            let comment = at.comment(0, Author::Agent, Kind::Handoff, body);
            at.put(thread, comment);
            return;
        }
        if let Some(plan) = entry.plan_content.get() {
            let body = wire::text_of(message.content).into_owned();
            let Some(thread) = self.current() else { return };
            thread.begin();
            thread.name(Title::Request, plan.trim_start().trim_start_matches('#'));
            let comment = at.comment(0, Author::Agent, Kind::Handoff, body);
            at.put(thread, comment);
            return;
        }
        let human = human(entry.origin) && !entry.is_meta.0;
        let mut said: Option<(usize, String)> = None;
        let mut files = Vec::new();
        if message.content.is_some_and(|content| content.get().starts_with('"')) {
            self.wording(&wire::text_of(message.content), 0, human, &mut said, at);
        }
        for (index, element) in elements(message.content).into_iter().enumerate() {
            let block: Block<'_> = lenient(Some(element));
            match block.kind.get() {
                Some("text") => self.wording(block.text.get().unwrap_or(""), index, human, &mut said, at),
                Some("tool_result") => self.result(entry, &block, index, at),
                Some(kind @ ("image" | "document")) => files.push(file(kind, &block, files.len() + 1)),
                _ => self.unknown += 1,
            }
        }
        if said.is_some() || !files.is_empty() {
            let (block, body) = said.unwrap_or_default();
            self.words(block, body, files, at.at_work, at);
        }
    }

    /// One text of a `user` line; a person's words are gathered in `said`.
    fn wording(&mut self, text: &str, block: usize, human: bool, said: &mut Option<(usize, String)>, at: &mut At<'_>) {
        let author = at.user;
        let mut what = words::classify(text);
        if !human && let Said::Person(text) = what {
            what = Said::Notice(text);
        }
        match what {
            Said::Person(text) => match said {
                Some((_, before)) => *before = format!("{before}\n\n{text}"),
                None => *said = Some((block, text.into_owned())),
            },
            Said::Command(command) => self.command(block, command, at),
            Said::Noise => {}
            other => {
                let Some(thread) = self.current() else { return };
                match other {
                    Said::Shell(typed) => at.aside(thread, block, author, &typed),
                    Said::Output(printed) => {
                        thread.command = None;
                        at.aside(thread, block, Author::Agent, &printed);
                    }
                    Said::Interrupt => {
                        if !thread.closed {
                            at.went_on(thread);
                        }
                        thread.pending.clear();
                        thread.command = None;
                        thread.ending = Some(Ending::Interrupted);
                        at.aside(thread, block, author, text);
                        let key = thread.key.clone();
                        self.state.forget_asks(&key);
                    }
                    Said::Handoff(text) => {
                        thread.pending.clear();
                        let comment = at.comment(block, Author::Agent, Kind::Handoff, text);
                        at.put(thread, comment);
                    }
                    Said::Hook(text) => at.aside(thread, block, Author::Agent, &text),
                    Said::Notice(text) => {
                        thread.pending.clear();
                        at.aside(thread, block, Author::Agent, &words::plain(&text));
                    }
                    Said::Person(_) | Said::Command(_) | Said::Noise => {}
                }
            }
        }
    }

    /// What a person said (in a subagent: what the agent that sent it said).
    fn words(&mut self, block: usize, body: String, files: Vec<Attachment>, at_work: bool, at: &mut At<'_>) {
        let author = at.user;
        let Some(thread) = self.current() else { return };
        let queued = thread.unqueue(fingerprint(body.trim()));
        let kind = if at_work { Kind::Interjection } else { Kind::Request };
        thread.begin();
        if queued.is_none() || !files.is_empty() {
            if !body.trim().is_empty() {
                thread.name(Title::Request, &body);
            }
            // Told when it was queued, without the files that it came with.
            let mut comment = at.comment(block, author, kind, if queued.is_some() { String::new() } else { body });
            comment.attachments = files;
            at.put(thread, comment);
        }
        let key = thread.key.clone();
        self.state.forget_asks(&key);
    }

    /// A slash command: a comment, that becomes a request when the agent answers it.
    fn command(&mut self, block: usize, command: String, at: &mut At<'_>) {
        let (author, at_work) = (at.user, at.at_work);
        let Some(thread) = self.current() else { return };
        thread.pending.clear();
        let title = title(&command);
        let key = match thread.unqueue(fingerprint(&command)) {
            Some(key) => key,
            None => {
                let comment = at.comment(block, author, Kind::Comment, command);
                at.put(thread, comment)
            }
        };
        thread.command = Some((key, title, at_work));
    }

    /// A `system` line: the program's own word.
    pub(super) fn system(&mut self, entry: &Entry<'_>, at: &mut At<'_>) {
        match entry.subtype.get() {
            Some("turn_duration") => {
                let Some(thread) = self.current() else { return };
                thread.closed = true;
                if thread.ending() == Ending::MidTurn {
                    thread.ending = Some(Ending::TurnEnded);
                }
            }
            Some("compact_boundary" | "microcompact_boundary" | "stop_hook_summary" | "api_error") => {}
            subtype => {
                let content = entry.content.filter(|content| content.get().starts_with('"'));
                let text = wire::text_of(content);
                let local = subtype == Some("local_command");
                if local || !entry.is_meta.0 {
                    self.wording(&text, 0, false, &mut None, at);
                }
            }
        }
    }

    /// An `attachment` line: a prompt that was queued, a file that a person named, or something for the model only.
    pub(super) fn attachment(&mut self, entry: &Entry<'_>, at: &mut At<'_>) {
        let attached: Attached<'_> = lenient(entry.attachment);
        match attached.kind.get() {
            Some("queued_command") => {
                let human = human(attached.origin)
                    && !attached.is_meta.0
                    && attached.command_mode.get().is_none_or(|mode| mode == "prompt");
                let (mut said, mut files) = (None, Vec::new());
                for element in elements(attached.prompt) {
                    let block: Block<'_> = lenient(Some(element));
                    if let Some(kind @ ("image" | "document")) = block.kind.get() {
                        files.push(file(kind, &block, files.len() + 1));
                    } else {
                        self.wording(block.text.get().unwrap_or(""), 0, human, &mut said, at);
                    }
                }
                if attached.prompt.is_some_and(|prompt| prompt.get().starts_with('"')) {
                    self.wording(&wire::text_of(attached.prompt), 0, human, &mut said, at);
                }
                if said.is_some() || !files.is_empty() {
                    if let Some(thread) = self.current()
                        && !thread.closed
                    {
                        at.went_on(thread);
                    }
                    // It is given to the agent within its turn, so the agent was at work.
                    self.words(0, said.unwrap_or_default().1, files, true, at);
                }
            }
            Some("file" | "directory" | "pdf_reference" | "already_read_file" | "compact_file_reference") => {
                let Some(name) = attached.filename.get() else { return };
                let mut comment = at.comment(0, at.user, Kind::Comment, "");
                let name = name.rsplit(['/', '\\']).next().unwrap_or(name).to_owned();
                comment.attachments = vec![Attachment { name, ..Attachment::default() }];
                if let Some(thread) = self.current() {
                    at.put(thread, comment);
                }
            }
            _ => {}
        }
    }

    /// A `queue-operation` line: a prompt typed while the agent was at work. It comes again as a `user` line or an
    /// attachment when the agent gets it, in versions that write that.
    pub(super) fn queue_operation(&mut self, entry: &Entry<'_>, events: &mut Vec<Event>) {
        let (time, own) = self.time(&entry.timestamp);
        let session = self.session(entry);
        self.state.thread(&session, None);
        let touched = own && self.touch(time, &entry.cwd);
        let Some(thread) = self.current() else { return };
        let at_work = touched || (!own && thread.ending() == Ending::MidTurn);
        match entry.operation.get() {
            Some("enqueue") => {
                let content = entry.content.filter(|content| content.get().starts_with('"'));
                let text = wire::text_of(content);
                let key = format!("queue-{:016x}", fingerprint(&format!("{time} {text}")));
                let mut at = At { events, key, time, user: Author::User, at_work };
                // While nothing goes on, the user line follows at once and says it.
                if !at_work && (thread.pending.is_empty() || thread.closed) {
                    return;
                }
                if let Said::Person(text) = words::classify(&text) {
                    let text = text.trim();
                    // A slash command says more once it is run.
                    let kind = if text.starts_with('/') { Kind::Comment } else { Kind::Interjection };
                    let comment = at.comment(0, Author::User, kind, text);
                    let key = at.put(thread, comment);
                    thread.queue(fingerprint(text), key);
                }
            }
            // The person took the prompts back to change them.
            Some("popAll") => {
                for (_, comment) in std::mem::take(&mut thread.queued) {
                    let task = thread.key.clone();
                    events.push(Event::Kind { task, comment, kind: Kind::Comment, progress: None });
                }
            }
            _ => {}
        }
    }
}

/// Whether an `origin` is a person's; most lines name none.
fn human(origin: Raw<'_>) -> bool {
    lenient::<Details<'_>>(origin).kind.get().is_none_or(|kind| kind == "human")
}

/// The attachment that an image or document block stands for; `number` from 1 within the message.
fn file(kind: &str, block: &Block<'_>, number: usize) -> Attachment {
    let source: Source<'_> = lenient(block.source);
    let media_type = source.media_type.get().map(str::to_owned);
    let ending = media_type.as_deref().and_then(|media| media.split('/').nth(1)).unwrap_or("bin");
    let ending: String = ending.chars().take_while(char::is_ascii_alphanumeric).take(8).collect();
    let named = block.title.get().or(source.url.get().and_then(|url| url.rsplit('/').next()));
    let bytes = match (source.kind.get(), &source.data.0) {
        (Some("base64"), Some(data)) => Some(decoded(data)),
        (_, Some(data)) => Some(data.len() as u64),
        _ => None,
    };
    let name = named.map_or_else(|| format!("{kind}-{number}.{ending}"), str::to_owned);
    Attachment { name, bytes, media_type }
}
