//! The lines of a Claude Code session as they stand in the file. See `json.rs` for how tolerantly they are read.

use crate::json::{Flag, Raw, Word, decoded, elements, lenient};
use std::borrow::Cow;

/// One line, or the `data.message` of a subagent's progress line.
#[derive(serde::Deserialize, Debug, Default)]
#[serde(default, rename_all = "camelCase")]
pub struct Entry<'a> {
    #[serde(borrow, rename = "type")]
    pub kind: Word<'a>,
    #[serde(borrow)]
    pub uuid: Word<'a>,
    #[serde(borrow)]
    pub parent_uuid: Word<'a>,
    #[serde(borrow)]
    pub session_id: Word<'a>,
    #[serde(borrow)]
    pub timestamp: Word<'a>,
    #[serde(borrow)]
    pub cwd: Word<'a>,
    pub is_sidechain: Flag,
    pub is_meta: Flag,
    pub is_compact_summary: Flag,
    pub is_api_error_message: Flag,
    #[serde(borrow)]
    pub agent_id: Word<'a>,
    #[serde(borrow)]
    pub message: Raw<'a>,
    #[serde(borrow)]
    pub tool_use_result: Raw<'a>,
    #[serde(borrow)]
    pub origin: Raw<'a>,
    #[serde(borrow)]
    pub plan_content: Word<'a>,
    /// `progress`.
    #[serde(borrow)]
    pub data: Raw<'a>,
    #[serde(borrow, rename = "parentToolUseID")]
    pub parent_tool_use_id: Word<'a>,
    /// `attachment`.
    #[serde(borrow)]
    pub attachment: Raw<'a>,
    /// `queue-operation`.
    #[serde(borrow)]
    pub operation: Word<'a>,
    /// `queue-operation`, `system`.
    #[serde(borrow)]
    pub content: Raw<'a>,
    /// `system`.
    #[serde(borrow)]
    pub subtype: Word<'a>,
    /// `summary`.
    #[serde(borrow)]
    pub summary: Word<'a>,
    #[serde(borrow)]
    pub leaf_uuid: Word<'a>,
    #[serde(borrow)]
    pub custom_title: Word<'a>,
    #[serde(borrow)]
    pub ai_title: Word<'a>,
}

/// `message`.
#[derive(serde::Deserialize, Debug, Default)]
#[serde(default)]
pub struct Message<'a> {
    #[serde(borrow)]
    pub id: Word<'a>,
    #[serde(borrow)]
    pub model: Word<'a>,
    #[serde(borrow)]
    pub stop_reason: Word<'a>,
    #[serde(borrow)]
    pub content: Raw<'a>,
}

/// One block of a message's content, of any type.
#[derive(serde::Deserialize, Debug, Default)]
#[serde(default)]
pub struct Block<'a> {
    #[serde(borrow, rename = "type")]
    pub kind: Word<'a>,
    #[serde(borrow)]
    pub text: Word<'a>,
    #[serde(borrow)]
    pub thinking: Word<'a>,
    #[serde(borrow)]
    pub id: Word<'a>,
    #[serde(borrow)]
    pub name: Word<'a>,
    #[serde(borrow)]
    pub input: Raw<'a>,
    #[serde(borrow)]
    pub tool_use_id: Word<'a>,
    #[serde(borrow)]
    pub content: Raw<'a>,
    pub is_error: Flag,
    #[serde(borrow)]
    pub source: Raw<'a>,
    #[serde(borrow)]
    pub title: Word<'a>,
}

/// The `source` of an image or a document.
#[derive(serde::Deserialize, Debug, Default)]
#[serde(default)]
pub struct Source<'a> {
    #[serde(borrow, rename = "type")]
    pub kind: Word<'a>,
    #[serde(borrow)]
    pub media_type: Word<'a>,
    #[serde(borrow)]
    pub data: Word<'a>,
    #[serde(borrow)]
    pub url: Word<'a>,
}

/// The `data` of a `progress` line.
#[derive(serde::Deserialize, Debug, Default)]
#[serde(default, rename_all = "camelCase")]
pub struct ProgressData<'a> {
    #[serde(borrow, rename = "type")]
    pub kind: Word<'a>,
    #[serde(borrow)]
    pub agent_id: Word<'a>,
    #[serde(borrow)]
    pub message: Raw<'a>,
}

/// The `attachment` of an `attachment` line.
#[derive(serde::Deserialize, Debug, Default)]
#[serde(default, rename_all = "camelCase")]
pub struct Attached<'a> {
    #[serde(borrow, rename = "type")]
    pub kind: Word<'a>,
    #[serde(borrow)]
    pub prompt: Raw<'a>,
    #[serde(borrow)]
    pub command_mode: Word<'a>,
    #[serde(borrow)]
    pub origin: Raw<'a>,
    pub is_meta: Flag,
    #[serde(borrow)]
    pub filename: Word<'a>,
}

/// What is looked at of `origin`, `toolUseResult` and the inputs of tools that ask or delegate.
#[derive(serde::Deserialize, Debug, Default)]
#[serde(default, rename_all = "camelCase")]
pub struct Details<'a> {
    #[serde(borrow)]
    pub kind: Word<'a>,
    #[serde(borrow)]
    pub status: Word<'a>,
    #[serde(borrow)]
    pub agent_id: Word<'a>,
    #[serde(borrow)]
    pub description: Word<'a>,
    #[serde(borrow)]
    pub plan: Word<'a>,
    #[serde(borrow)]
    pub questions: Raw<'a>,
    #[serde(borrow)]
    pub answers: Raw<'a>,
}

/// One question of AskUserQuestion, or one of its options.
#[derive(serde::Deserialize, Debug, Default)]
#[serde(default)]
pub struct Question<'a> {
    #[serde(borrow)]
    pub question: Word<'a>,
    #[serde(borrow)]
    pub options: Raw<'a>,
    #[serde(borrow)]
    pub label: Word<'a>,
    #[serde(borrow)]
    pub description: Word<'a>,
}

/// `raw` as text: a string itself; of an array, its strings and its `text` blocks, a line each, with a word for each
/// image; any other value as it stands.
pub fn text_of<'a>(raw: Raw<'a>) -> Cow<'a, str> {
    let Some(raw) = raw else { return Cow::Borrowed("") };
    match raw.get().as_bytes().first() {
        Some(b'"') => serde_json::from_str::<Word<'a>>(raw.get()).ok().and_then(|word| word.0).unwrap_or_default(),
        Some(b'[') => {
            let mut lines = Vec::new();
            for element in elements(Some(raw)) {
                let block: Block<'a> = lenient(Some(element));
                match (block.kind.get(), block.text.0) {
                    (_, Some(text)) => lines.push(text),
                    (Some("image" | "document"), None) => {
                        let source: Source<'a> = lenient(block.source);
                        let media = source.media_type.get().unwrap_or("image");
                        lines
                            .push(Cow::Owned(format!("[{media}, {} bytes]", decoded(source.data.get().unwrap_or("")))));
                    }
                    _ if element.get().starts_with('"') => lines.push(text_of(Some(element))),
                    _ => lines.push(Cow::Borrowed(element.get())),
                }
            }
            Cow::Owned(lines.join("\n"))
        }
        _ => Cow::Borrowed(raw.get()),
    }
}
