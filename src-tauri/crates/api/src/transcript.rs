//! A whole conversation written out as Markdown: to be read, sent, or kept elsewhere.
//!
//! What was said stands as it was said, since it is Markdown already; what would let one comment run into the next (a
//! fence without an end) is closed. What a tool was given and gave back stands in a fence that nothing in it can close.

use crate::Workspace;
use crate::types::{Comment, Mission};
use kiroku_model::{Author, Call, CommentId, Error, ErrorCode, Kind, ProgressType, Result, TaskId, text};
use kiroku_search::text::redact;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::HashMap;
use std::io::Write;

/// Comments that are read at a time.
const PAGE: usize = 200;

/// What of a conversation is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(default)]
pub struct TranscriptOptions {
    /// The work between: thinking, progress, and tools with what they were given and gave back.
    pub work: bool,
    /// Without secrets.
    pub redact: bool,
}

impl Workspace {
    /// Writes a task's conversation. Answers how many comments were written.
    pub fn write_transcript(
        &self,
        call: &Call,
        task: TaskId,
        options: TranscriptOptions,
        to: &mut impl Write,
    ) -> Result<u64> {
        let conversations = self.conversations();
        let details = body(conversations.task(call, task)?)?;
        let names: HashMap<String, String> =
            self.members()?.into_iter().map(|member| (member.id, member.name)).collect();
        let summary = &details.summary;
        put(to, &format!("# {}\n\n", in_a_line(&summary.title)))?;
        put(to, &format!("- {}: {}\n", summary.reference, summary.state.as_str()))?;
        put(to, &format!("- {} – {}\n", details.created, summary.updated))?;
        if let Some(folder) = &details.folder {
            put(to, &format!("- `{}`\n", folder.replace('`', "'")))?;
        }
        let mut own = call.clone();
        own.caller.task = Some(task);
        write_pins(call, &body(conversations.mission(&own)?)?, options, to)?;
        let (mut offset, mut written) = (0, 0);
        loop {
            call.cancel.check()?;
            let page = body(conversations.conversation(call, task, offset, PAGE)?)?;
            for comment in &page.comments {
                let is_work = matches!(comment.kind, Kind::Progress | Kind::InterjectionAck | Kind::Comment);
                if is_work && !options.work {
                    continue;
                }
                write_comment(&names, comment, options, to)?;
                if options.work && comment.progress == Some(ProgressType::Tool) {
                    let tool = body(conversations.tool_call(call, CommentId::parse(&comment.reference)?)?)?;
                    for data in [tool.input, tool.output].iter().flatten() {
                        put(to, &format!("\n{}\n", fenced(&shown(data, options))))?;
                    }
                }
                written += 1;
            }
            match page.next_offset {
                Some(next) => offset = next,
                None => return Ok(written),
            }
        }
    }
}

fn write_pins(call: &Call, mission: &Mission, options: TranscriptOptions, to: &mut impl Write) -> Result<()> {
    let lists = [
        (text!(en: "User constraints", ja: "要望"), &mission.user_constraints),
        (text!(en: "Decisions", ja: "決定"), &mission.decisions),
    ];
    for (name, pins) in lists {
        if pins.is_empty() {
            continue;
        }
        put(to, &format!("\n**{}**\n\n", name.get(call.lang)))?;
        for pin in pins {
            put(to, &format!("- {}\n", in_a_line(&shown(&pin.text, options))))?;
        }
    }
    Ok(())
}

fn write_comment(
    names: &HashMap<String, String>,
    comment: &Comment,
    options: TranscriptOptions,
    to: &mut impl Write,
) -> Result<()> {
    let author = match (&comment.member, comment.author) {
        (Some(member), _) => names.get(member).map_or(member.as_str(), String::as_str),
        (None, Author::User) => "user",
        (None, Author::Agent) => "agent",
    };
    let kind = comment.progress.as_ref().map_or(comment.kind.as_str(), ProgressType::as_str);
    let tool = comment.tool.as_ref().map(|tool| format!(" `{}`", tool.replace('`', "'"))).unwrap_or_default();
    let (reference, created) = (&comment.reference, comment.created);
    put(to, &format!("\n---\n\n**{}** {kind}{tool} · {created} · {reference}\n", in_a_line(author)))?;
    if !comment.body.is_empty() {
        put(to, &format!("\n{}\n", closed(shown(&comment.body, options).trim_end())))?;
    }
    for file in &comment.attachments {
        put(to, &format!("\n- `{}`\n", file.name.replace('`', "'")))?;
    }
    Ok(())
}

fn shown(text: &str, options: TranscriptOptions) -> Cow<'_, str> {
    if options.redact { redact(text) } else { Cow::Borrowed(text) }
}

fn in_a_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A fence's marks at the beginning of a line, and whether more stands behind them.
fn fence(line: &str) -> Option<(&str, bool)> {
    let text = line.trim_start_matches(' ');
    let mark = text.chars().next().filter(|c| line.len() - text.len() < 4 && matches!(c, '`' | '~'))?;
    let marks = text.len() - text.trim_start_matches(mark).len();
    let rest = &text[marks..];
    (marks >= 3 && !(mark == '`' && rest.contains('`'))).then(|| (&text[..marks], !rest.trim().is_empty()))
}

/// The text, with the fence closed that it leaves open.
fn closed(text: &str) -> Cow<'_, str> {
    let mut open: Option<&str> = None;
    for line in text.lines() {
        match (open, fence(line)) {
            (None, Some((marks, _))) => open = Some(marks),
            (Some(marks), Some((end, false))) if end.starts_with(marks) => open = None,
            _ => {}
        }
    }
    open.map_or(Cow::Borrowed(text), |marks| Cow::Owned(format!("{text}\n{marks}")))
}

/// The text in a fence longer than any in it.
fn fenced(text: &str) -> String {
    let mut longest = 2;
    for run in text.split(|c| c != '`') {
        longest = longest.max(run.len());
    }
    let marks = "`".repeat(longest + 1);
    format!("{marks}\n{}\n{marks}", text.trim_end_matches('\n'))
}

fn put(to: &mut impl Write, text: &str) -> Result<()> {
    to.write_all(text.as_bytes())
        .map_err(|error| Error::io(text!(en: "writing the conversation", ja: "会話の書き込み"), &error))
}

fn body<T>(answer: crate::types::Answer<T>) -> Result<T> {
    let message = answer.message.unwrap_or_default();
    answer.body.ok_or_else(|| Error::new(ErrorCode::Unavailable, text!(en: "{message}", ja: "{message}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_comment_runs_into_the_next() {
        assert_eq!(closed("a\n```rust\nb"), "a\n```rust\nb\n```");
        assert_eq!(closed("~~~~\n```\n~~~"), "~~~~\n```\n~~~\n~~~~");
        for whole in ["a", "```\na\n```", "```\na\n`````", "`` a ``", "    ```", "``` a ` b"] {
            assert_eq!(closed(whole), whole);
        }
        assert_eq!(fenced("a ``` b ```` c\n"), "`````\na ``` b ```` c\n`````");
        assert_eq!(fenced("plain"), "```\nplain\n```");
    }
}
