//! The texts in Codex's payloads: messages, outputs, questions and answers, images, and what the harness says in the
//! person's name.

use super::Item;
use crate::json::{Raw, decoded, elements, lenient, string};
use kiroku_model::Attachment;
use std::borrow::Cow;

/// How texts in the person's name begin that the harness wrote: those that somebody may read, and those for the model alone.
pub const NOTICES: [&str; 5] =
    ["<user_instructions>", "# AGENTS.md instructions", "<subagent_notification>", "<skill>", "<INSTRUCTIONS>"];
pub const NOISE: [&str; 9] = [
    "<environment_context>",
    "<environments_instructions>",
    "<permissions instructions>",
    "<turn_aborted>",
    "<collaboration_mode>",
    "<model_switch>",
    "<personality_spec>",
    "<apps_instructions>",
    "<recommended_plugins>",
];

/// The id of the session that started this one as its subagent.
pub fn parent(source: Raw<'_>) -> Option<String> {
    let source: serde_json::Value = serde_json::from_str(source?.get()).ok()?;
    let agent = source.get("subagent").or(source.get("sub_agent"))?;
    Some(agent.pointer("/thread_spawn/parent_thread_id")?.as_str()?.to_owned()).filter(|id| id.len() <= 1024)
}

/// The text of a string, a block, or blocks.
pub fn words<'a>(raw: Raw<'a>) -> Cow<'a, str> {
    let Some(raw) = raw else { return Cow::Borrowed("") };
    if let Some(text) = string(raw) {
        return text;
    }
    if raw.get().starts_with('{') {
        return lenient::<Item<'a>>(Some(raw)).text.0.unwrap_or_default();
    }
    let parts: Vec<_> =
        elements(Some(raw)).into_iter().map(|part| words(Some(part))).filter(|part| !part.is_empty()).collect();
    Cow::Owned(parts.join("\n"))
}

/// An output as text: some versions pack it as JSON in a string, or in an object.
pub fn unpacked<'a>(raw: Raw<'a>) -> Cow<'a, str> {
    let text = match raw {
        Some(raw) if raw.get().starts_with('{') => Cow::Borrowed(raw.get()),
        raw => words(raw),
    };
    if text.starts_with('{') {
        let packed: Item<'_> = serde_json::from_str(&text).unwrap_or_default();
        if let Some(output) = packed.output.or(packed.content) {
            return Cow::Owned(words(Some(output)).into_owned());
        }
    }
    text
}

/// The questions of `request_user_input` with their options, a line each.
pub fn question(arguments: &str) -> String {
    let arguments: serde_json::Value = serde_json::from_str(arguments).unwrap_or_default();
    let word =
        |value: &serde_json::Value, name: &str| value.get(name).and_then(|word| word.as_str()).map(str::to_owned);
    let list = |value: &serde_json::Value, name: &str| {
        value.get(name).and_then(|list| list.as_array()).cloned().unwrap_or_default()
    };
    let mut lines: Vec<String> = word(&arguments, "question").into_iter().collect();
    for asked in list(&arguments, "questions") {
        lines.extend(word(&asked, "question"));
        for option in list(&asked, "options") {
            let Some(label) = word(&option, "label") else { continue };
            lines.push(word(&option, "description").map_or(format!("- {label}"), |more| format!("- {label}: {more}")));
        }
    }
    if lines.is_empty() { "request_user_input".to_owned() } else { lines.join("\n") }
}

/// The answers to `request_user_input`, `{answers: {ID: {answers: […]}}}`, a line each; as it stands if it is another form.
pub fn answers(output: &str) -> String {
    let answers: Option<serde_json::Value> = serde_json::from_str(output).ok();
    let all = answers.as_ref().and_then(|answers| answers.get("answers")?.as_object());
    let lines: Vec<String> = all
        .into_iter()
        .flatten()
        .filter_map(|(_, answer)| {
            let chosen = answer.get("answers")?.as_array()?.iter().filter_map(|one| one.as_str());
            Some(chosen.collect::<Vec<_>>().join(", "))
        })
        .collect();
    if lines.is_empty() { output.to_owned() } else { lines.join("\n") }
}

/// What stands in the first element `name`.
pub fn inner<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(&format!("<{name}>"))?;
    rest.split_once(&format!("</{name}>")).map(|(within, _)| within)
}

/// The attachment that an `input_image` stands for; `number` from 1 within the message.
pub fn file(url: &str, number: usize) -> Attachment {
    let Some((media, data)) = url.strip_prefix("data:").and_then(|data| data.split_once(";base64,")) else {
        let name = url.rsplit('/').next().filter(|name| !name.is_empty()).unwrap_or("image").to_owned();
        return Attachment { name, ..Attachment::default() };
    };
    let ending: String =
        media.split('/').nth(1).unwrap_or("bin").chars().take_while(char::is_ascii_alphanumeric).take(8).collect();
    Attachment {
        name: format!("image-{number}.{ending}"),
        bytes: Some(decoded(data)),
        media_type: Some(media.to_owned()),
    }
}
