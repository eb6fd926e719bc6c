//! What a line says: which comments its blocks become, and how it leaves the turn.

use super::NAME;
use super::reader::{At, Record};
use super::state::{Call, Thread, Title, fingerprint};
use super::wire::{self, Attached, Block, Details, Entry, Message, Question, Raw, Source};
use super::words::{self, Said};
use crate::Event;
use kiroku_model::{Attachment, Author, Ending, Kind, NewComment, ProgressType, ToolData};
use std::borrow::Cow;

impl At<'_> {
    /// Writes `comment` of the current task.
    fn put(&mut self, thread: &mut Thread, comment: NewComment) -> String {
        let key = comment.key.clone();
        if !comment.body.is_empty() {
            thread.name(Title::Comment, &comment.body);
        }
        thread.started = true;
        self.events.push(Event::Comment {
            task: thread.key.clone(),
            comment: Box::new(comment),
        });
        key
    }

    /// A comment at block `block` with nothing but a body.
    fn comment(&self, block: usize, author: Author, kind: Kind, body: impl Into<String>) -> NewComment {
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
    fn aside(&mut self, thread: &mut Thread, block: usize, author: Author, body: &str) {
        let body = words::plain(body.trim());
        if !body.is_empty() {
            let comment = self.comment(block, author, Kind::Comment, body.into_owned());
            self.put(thread, comment);
        }
    }

    /// Texts that seemed to end the turn did not.
    fn went_on(&mut self, thread: &mut Thread) {
        for comment in thread.pending.drain(..) {
            let (task, progress) = (thread.key.clone(), Some(ProgressType::Summary));
            self.events.push(Event::Kind {
                task,
                comment,
                kind: Kind::Progress,
                progress,
            });
        }
    }
}

impl Record {
    /// The task that the line is of, and which of its questions are open.
    fn current(&mut self) -> Option<&mut Thread> {
        self.state.threads.last_mut()
    }

    /// A `user` line: a person's words, the harness's wrappers, what tools gave back.
    pub(super) fn user(&mut self, entry: &Entry<'_>, message: &Message<'_>, at: &mut At<'_>) {
        if entry.is_compact_summary.0 {
            let body = wire::text_of(message.content).into_owned();
            let Some(thread) = self.current() else { return };
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
        for (index, element) in wire::elements(message.content).into_iter().enumerate() {
            let block: Block<'_> = wire::lenient(Some(element));
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
                        at.aside(thread, block, Author::Agent, &text);
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
        let title = words::title(&command);
        let key = match thread.unqueue(fingerprint(&command)) {
            Some(key) => key,
            None => {
                let comment = at.comment(block, author, Kind::Comment, command);
                at.put(thread, comment)
            }
        };
        thread.command = Some((key, title, at_work));
    }

    /// What a tool gave back: of an ordinary call its output, of a question the person's answer too.
    fn result(&mut self, entry: &Entry<'_>, block: &Block<'_>, index: usize, at: &mut At<'_>) {
        let mut output = wire::text_of(block.content);
        if output.trim().is_empty() {
            output = wire::text_of(entry.tool_use_result);
        }
        let call = block.tool_use_id.get().and_then(|id| self.state.answered(id));
        let Some(call) = call else {
            self.unknown += 1;
            return;
        };
        at.events.push(Event::Output {
            task: call.thread,
            comment: call.comment,
            output: cut(&output),
        });
        let details: Details<'_> = wire::lenient(entry.tool_use_result);
        let Some(thread) = self.state.threads.last_mut() else {
            return;
        };
        if !thread.closed {
            at.went_on(thread);
        }
        thread.pending.clear();
        thread.ending = Some(Ending::MidTurn);
        let answer = match words::refusal(&output) {
            Some(said) => Some(said.to_owned()),
            None if call.ask && !block.is_error.0 => answers(details.answers).or_else(|| {
                output
                    .starts_with("User has answered")
                    .then(|| output.clone().into_owned())
            }),
            None => None,
        };
        if let Some(answer) = answer {
            let kind = if call.ask { Kind::Request } else { Kind::Interjection };
            let comment = at.comment(index, at.user, kind, answer);
            at.put(thread, comment);
        }
        let key = thread.key.clone();
        if self.state.asks(&key)
            && let Some(thread) = self.current()
        {
            thread.ending = Some(Ending::Asked);
        }
        if let (Some(agent), Some(status)) = (details.agent_id.get(), details.status.get()) {
            self.subagent_ended(
                &format!("{}/{agent}", self.session(entry)),
                status,
                block.is_error.0,
                at,
            );
        }
    }

    /// A subagent whose lines stand in this file gave its result to its caller.
    fn subagent_ended(&mut self, key: &str, status: &str, failed: bool, at: &mut At<'_>) {
        let thread = self.state.threads.iter_mut().find(|thread| thread.key == key);
        if let Some(thread) = thread.filter(|thread| thread.ending() == Ending::MidTurn && status == "completed") {
            thread.ending = Some(if failed { Ending::Error } else { Ending::TurnEnded });
            thread.updated = thread.updated.max(at.time);
            at.events.extend(thread.news(NAME).map(Event::Task));
        }
    }

    /// An `assistant` line: texts, thinking, tool calls.
    pub(super) fn assistant(&mut self, entry: &Entry<'_>, message: &Message<'_>, at: &mut At<'_>) {
        let Some(thread) = self.state.threads.last_mut() else {
            return;
        };
        // What the program itself says in the agent's place: errors, and that no answer was wanted.
        if entry.is_api_error_message.0 || message.model.get() == Some("<synthetic>") {
            if entry.is_api_error_message.0 {
                if !thread.closed {
                    at.went_on(thread);
                }
                thread.pending.clear();
                thread.ending = Some(Ending::Error);
            }
            at.aside(thread, 0, Author::Agent, &wire::text_of(message.content));
            return;
        }
        if let Some((comment, title, at_work)) = thread.command.take() {
            let kind = if at_work { Kind::Interjection } else { Kind::Request };
            thread.name(Title::Request, title.as_deref().unwrap_or(""));
            thread.begin();
            at.events.push(Event::Kind {
                task: thread.key.clone(),
                comment,
                kind,
                progress: None,
            });
        }
        if message.content.is_some_and(|content| content.get().starts_with('"')) {
            self.text(&wire::text_of(message.content), 0, message, at);
        }
        for (index, element) in wire::elements(message.content).into_iter().enumerate() {
            let block: Block<'_> = wire::lenient(Some(element));
            match block.kind.get() {
                Some("text") => self.text(block.text.get().unwrap_or(""), index, message, at),
                Some("thinking" | "redacted_thinking") => {
                    self.thinking(block.thinking.get().unwrap_or(""), index, message, at);
                }
                Some("tool_use" | "server_tool_use" | "mcp_tool_use") => self.tool(&block, index, message, at),
                Some(kind) if kind.ends_with("tool_result") => self.result(entry, &block, index, at),
                _ => self.unknown += 1,
            }
        }
    }

    /// The agent's text. Whether it ends the turn is seen by what follows; until then it does, unless the message says
    /// that a tool call follows.
    fn text(&mut self, text: &str, block: usize, message: &Message<'_>, at: &mut At<'_>) {
        let Some(thread) = self.current() else { return };
        if text.trim().is_empty() || text == "(no content)" {
            return;
        }
        let (id, stop) = (message.id.get(), message.stop_reason.get());
        if !thread.same_message(id) {
            if !thread.closed {
                at.went_on(thread);
            }
            thread.pending.clear();
        }
        let mut comment = at.comment(block, Author::Agent, Kind::Result, text);
        if matches!(stop, Some("tool_use" | "pause_turn")) {
            comment.kind = Kind::Progress;
            comment.progress = Some(ProgressType::Summary);
            at.put(thread, comment);
            thread.ending = Some(Ending::MidTurn);
        } else {
            let key = at.put(thread, comment);
            thread.ended(key, id, stop.is_some());
        }
    }

    fn thinking(&mut self, text: &str, block: usize, message: &Message<'_>, at: &mut At<'_>) {
        let Some(thread) = self.current() else { return };
        if !thread.same_message(message.id.get()) {
            if !thread.closed {
                at.went_on(thread);
            }
            thread.pending.clear();
        }
        if thread.pending.is_empty() {
            thread.ending = Some(Ending::MidTurn);
        }
        if !text.trim().is_empty() {
            let mut comment = at.comment(block, Author::Agent, Kind::Progress, text);
            comment.progress = Some(ProgressType::Thinking);
            at.put(thread, comment);
        }
    }

    fn tool(&mut self, block: &Block<'_>, index: usize, message: &Message<'_>, at: &mut At<'_>) {
        let Some(thread) = self.state.threads.last_mut() else {
            return;
        };
        if !thread.closed || thread.same_message(message.id.get()) {
            at.went_on(thread);
        }
        thread.pending.clear();
        let name = block.name.get().unwrap_or("tool");
        let ask = matches!(name, "AskUserQuestion" | "ExitPlanMode" | "exit_plan_mode");
        let details: Details<'_> = wire::lenient(block.input.filter(|_| ask || matches!(name, "Task" | "Agent")));
        let body = if ask { question(name, &details) } else { String::new() };
        let mut comment = at.comment(index, Author::Agent, if ask { Kind::Ask } else { Kind::Progress }, body);
        comment.progress = (!ask).then_some(ProgressType::Tool);
        comment.tool = Some(name.to_owned());
        comment.input = block.input.map(|input| cut(input.get()));
        let comment = at.put(thread, comment);
        thread.ending = Some(if ask { Ending::Asked } else { Ending::MidTurn });
        let thread = thread.key.clone();
        if let Some(id) = block.id.get() {
            let title = details.description.get().and_then(words::title);
            self.state.called(Call {
                id: id.to_owned(),
                thread,
                comment,
                ask,
                title,
            });
        }
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
        let attached: Attached<'_> = wire::lenient(entry.attachment);
        match attached.kind.get() {
            Some("queued_command") => {
                let human = human(attached.origin)
                    && !attached.is_meta.0
                    && attached.command_mode.get().is_none_or(|mode| mode == "prompt");
                let (mut said, mut files) = (None, Vec::new());
                for element in wire::elements(attached.prompt) {
                    let block: Block<'_> = wire::lenient(Some(element));
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
                comment.attachments = vec![Attachment {
                    name,
                    ..Attachment::default()
                }];
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
        let at_work = if own { self.touch(time, &entry.cwd) } else { false };
        let Some(thread) = self.current() else { return };
        match entry.operation.get() {
            Some("enqueue") => {
                let content = entry.content.filter(|content| content.get().starts_with('"'));
                let text = wire::text_of(content);
                let key = format!("queue-{:016x}", fingerprint(&format!("{time} {text}")));
                let mut at = At {
                    events,
                    key,
                    time,
                    user: Author::User,
                    at_work,
                };
                // While nothing goes on, the user line follows at once and says it.
                if !at_work && (thread.pending.is_empty() || thread.closed) {
                    return;
                }
                if let Said::Person(text) = words::classify(&text) {
                    let text = text.trim();
                    // A slash command says more once it is run.
                    let kind = if text.starts_with('/') {
                        Kind::Comment
                    } else {
                        Kind::Interjection
                    };
                    let comment = at.comment(0, Author::User, kind, text);
                    let key = at.put(thread, comment);
                    thread.queue(fingerprint(text), key);
                }
            }
            // The person took the prompts back to change them.
            Some("popAll") => {
                for (_, comment) in std::mem::take(&mut thread.queued) {
                    let task = thread.key.clone();
                    events.push(Event::Kind {
                        task,
                        comment,
                        kind: Kind::Comment,
                        progress: None,
                    });
                }
            }
            _ => {}
        }
    }
}

/// Whether an `origin` is a person's; most lines name none.
fn human(origin: Raw<'_>) -> bool {
    wire::lenient::<Details<'_>>(origin)
        .kind
        .get()
        .is_none_or(|kind| kind == "human")
}

/// The attachment that an image or document block stands for; `number` from 1 within the message.
fn file(kind: &str, block: &Block<'_>, number: usize) -> Attachment {
    let source: Source<'_> = wire::lenient(block.source);
    let media_type = source.media_type.get().map(str::to_owned);
    let ending = media_type
        .as_deref()
        .and_then(|media| media.split('/').nth(1))
        .unwrap_or("bin");
    let ending: String = ending.chars().take_while(char::is_ascii_alphanumeric).take(8).collect();
    let named = block
        .title
        .get()
        .or(source.url.get().and_then(|url| url.rsplit('/').next()));
    let bytes = match (source.kind.get(), &source.data.0) {
        (Some("base64"), Some(data)) => Some(wire::decoded(data)),
        (_, Some(data)) => Some(data.len() as u64),
        _ => None,
    };
    let name = named.map_or_else(|| format!("{kind}-{number}.{ending}"), str::to_owned);
    Attachment {
        name,
        bytes,
        media_type,
    }
}

/// What is kept of a tool's input or output.
fn cut(text: &str) -> ToolData {
    let kept = &text[..text.floor_char_boundary(ToolData::LIMIT)];
    ToolData {
        text: kept.to_owned(),
        whole_bytes: text.len() as u64,
    }
}

/// A question to the person as text: of AskUserQuestion the questions with their options, of ExitPlanMode the plan.
fn question(name: &str, details: &Details<'_>) -> String {
    let mut lines = Vec::new();
    for asked in wire::elements(details.questions) {
        let asked: Question<'_> = wire::lenient(Some(asked));
        lines.extend(asked.question.get().map(str::to_owned));
        for option in wire::elements(asked.options) {
            let option: Question<'_> = wire::lenient(Some(option));
            match (option.label.get(), option.description.get()) {
                (Some(label), Some(description)) => lines.push(format!("- {label}: {description}")),
                (Some(label), None) => lines.push(format!("- {label}")),
                _ => {}
            }
        }
    }
    lines.extend(details.plan.get().map(str::to_owned));
    if lines.is_empty() {
        name.to_owned()
    } else {
        lines.join("\n")
    }
}

/// The answers to AskUserQuestion, a line for each question.
fn answers(raw: Raw<'_>) -> Option<String> {
    let answers: serde_json::Map<String, serde_json::Value> = serde_json::from_str(raw?.get()).ok()?;
    let lines: Vec<String> = answers
        .into_iter()
        .map(|(question, answer)| match answer {
            serde_json::Value::String(answer) => format!("{question} → {answer}"),
            other => format!("{question} → {}", wire_list(&other)),
        })
        .collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// Several chosen options as one line.
fn wire_list(value: &serde_json::Value) -> Cow<'_, str> {
    match value {
        serde_json::Value::Array(all) => all.iter().map(wire_list).collect::<Vec<_>>().join(", ").into(),
        serde_json::Value::String(one) => Cow::Borrowed(one),
        other => other.to_string().into(),
    }
}
