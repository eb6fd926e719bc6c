//! What the agent says and does: its texts, its thinking, its tool calls and what came of them. What is said to it is in
//! `said.rs`.

use super::NAME;
use super::reader::Record;
use super::wire::{self, Block, Details, Entry, Message, Question};
use super::words;
use crate::Event;
use crate::json::{Raw, elements, lenient};
use crate::thread::{At, Call, Thread, Title, cut, title};
use kiroku_model::{Author, Ending, Kind, ProgressType};
use std::borrow::Cow;

impl Record {
    /// The task that the line is of.
    pub(super) fn current(&mut self) -> Option<&mut Thread> {
        self.state.threads.last_mut()
    }

    /// What a tool gave back: of an ordinary call its output, of a question the person's answer too.
    pub(super) fn result(&mut self, entry: &Entry<'_>, block: &Block<'_>, index: usize, at: &mut At<'_>) {
        let mut output = wire::text_of(block.content);
        if output.trim().is_empty() {
            output = wire::text_of(entry.tool_use_result);
        }
        let call = block.tool_use_id.id().and_then(|id| self.state.answered(id));
        let Some(call) = call else {
            self.unknown += 1;
            return;
        };
        at.events.push(Event::Output { task: call.thread, comment: call.comment, output: cut(&output) });
        let details: Details<'_> = lenient(entry.tool_use_result);
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
            None if call.ask && !block.is_error.0 => answers(details.answers)
                .or_else(|| output.starts_with("User has answered").then(|| output.clone().into_owned())),
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
        if let (Some(agent), Some(status)) = (details.agent_id.id(), details.status.get()) {
            self.subagent_ended(&format!("{}/{agent}", self.session(entry)), status, block.is_error.0, at);
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
            at.events.push(Event::Kind { task: thread.key.clone(), comment, kind, progress: None });
        }
        if message.content.is_some_and(|content| content.get().starts_with('"')) {
            self.text(&wire::text_of(message.content), 0, message, at);
        }
        for (index, element) in elements(message.content).into_iter().enumerate() {
            let block: Block<'_> = lenient(Some(element));
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
        let (id, stop) = (message.id.id(), message.stop_reason.get());
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
        if !thread.same_message(message.id.id()) {
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
        if !thread.closed || thread.same_message(message.id.id()) {
            at.went_on(thread);
        }
        thread.pending.clear();
        let name = block.name.get().unwrap_or("tool");
        let ask = matches!(name, "AskUserQuestion" | "ExitPlanMode" | "exit_plan_mode");
        let details: Details<'_> = lenient(block.input.filter(|_| ask || matches!(name, "Task" | "Agent")));
        let body = if ask { question(name, &details) } else { String::new() };
        let mut comment = at.comment(index, Author::Agent, if ask { Kind::Ask } else { Kind::Progress }, body);
        comment.progress = (!ask).then_some(ProgressType::Tool);
        comment.tool = Some(name.to_owned());
        comment.input = block.input.map(|input| cut(input.get()));
        let comment = at.put(thread, comment);
        thread.ending = Some(if ask { Ending::Asked } else { Ending::MidTurn });
        let thread = thread.key.clone();
        if let Some(id) = block.id.id() {
            let title = details.description.get().and_then(title);
            self.state.called(Call { id: id.to_owned(), thread, comment, ask, title });
        }
    }
}

/// A question to the person as text: of AskUserQuestion the questions with their options, of ExitPlanMode the plan.
fn question(name: &str, details: &Details<'_>) -> String {
    let mut lines = Vec::new();
    for asked in elements(details.questions) {
        let asked: Question<'_> = lenient(Some(asked));
        lines.extend(asked.question.get().map(str::to_owned));
        for option in elements(asked.options) {
            let option: Question<'_> = lenient(Some(option));
            match (option.label.get(), option.description.get()) {
                (Some(label), Some(description)) => lines.push(format!("- {label}: {description}")),
                (Some(label), None) => lines.push(format!("- {label}")),
                _ => {}
            }
        }
    }
    lines.extend(details.plan.get().map(str::to_owned));
    if lines.is_empty() { name.to_owned() } else { lines.join("\n") }
}

/// The answers to AskUserQuestion, a line for each question.
fn answers(raw: Raw<'_>) -> Option<String> {
    let answers: serde_json::Map<String, serde_json::Value> = serde_json::from_str(raw?.get()).ok()?;
    let lines: Vec<String> = answers
        .into_iter()
        .map(|(question, answer)| match answer {
            serde_json::Value::String(answer) => format!("{question} → {answer}"),
            other => format!("{question} → {}", listed(&other)),
        })
        .collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// Several chosen options as one line.
fn listed(value: &serde_json::Value) -> Cow<'_, str> {
    match value {
        serde_json::Value::Array(all) => all.iter().map(listed).collect::<Vec<_>>().join(", ").into(),
        serde_json::Value::String(one) => Cow::Borrowed(one),
        other => other.to_string().into(),
    }
}
