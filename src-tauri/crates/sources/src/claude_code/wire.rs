//! The lines of a Claude Code session as they stand in the file, read tolerantly.
//!
//! The format is nobody's promise: any field may be missing or of another type in some version. So a field of the wrong
//! type reads as absent, unknown fields are passed over, and what is large (messages, tool inputs and outputs) stays a
//! borrowed slice of the line until it is known to be wanted.

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;

/// Any JSON value of which only a string counts; everything else reads as absent.
#[derive(Debug, Default)]
pub struct Word<'a>(pub Option<Cow<'a, str>>);

impl Word<'_> {
    /// The string, unless it is absent or empty.
    pub fn get(&self) -> Option<&str> {
        self.0.as_deref().filter(|word| !word.is_empty())
    }

    /// The string as a name that is kept for later (an id, a path), so one that is not absurdly long.
    pub fn id(&self) -> Option<&str> {
        self.get().filter(|word| word.len() <= 1024)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Word<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Ok(match from.deserialize_any(AnyVisitor)? {
            Any::Word(word) => Word(Some(word)),
            _ => Word(None),
        })
    }
}

/// Any JSON value of which only `true` counts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Flag(pub bool);

impl<'de> Deserialize<'de> for Flag {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Ok(Flag(matches!(from.deserialize_any(AnyVisitor)?, Any::True)))
    }
}

/// What is told apart of a value.
enum Any<'de> {
    Word(Cow<'de, str>),
    True,
    Other,
}

struct AnyVisitor;

impl<'de> Visitor<'de> for AnyVisitor {
    type Value = Any<'de>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("any value")
    }

    fn visit_borrowed_str<E>(self, word: &'de str) -> Result<Any<'de>, E> {
        Ok(Any::Word(Cow::Borrowed(word)))
    }

    fn visit_str<E>(self, word: &str) -> Result<Any<'de>, E> {
        Ok(Any::Word(Cow::Owned(word.to_owned())))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Any<'de>, E> {
        Ok(if value { Any::True } else { Any::Other })
    }

    fn visit_i64<E>(self, _: i64) -> Result<Any<'de>, E> {
        Ok(Any::Other)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Any<'de>, E> {
        Ok(Any::Other)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Any<'de>, E> {
        Ok(Any::Other)
    }

    fn visit_unit<E>(self) -> Result<Any<'de>, E> {
        Ok(Any::Other)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Any<'de>, A::Error> {
        while seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Any::Other)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Any<'de>, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Any::Other)
    }
}

/// A value that is kept as it stands in the line; `null` reads as absent.
pub type Raw<'a> = Option<&'a RawValue>;

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

/// Reads `raw` as a `T`; what is absent or of another shape reads as an empty one.
pub fn lenient<'a, T: serde::Deserialize<'a> + Default>(raw: Raw<'a>) -> T {
    raw.filter(|raw| raw.get().starts_with('{'))
        .and_then(|raw| serde_json::from_str(raw.get()).ok())
        .unwrap_or_default()
}

/// The elements of `raw` if it is an array, else nothing.
pub fn elements<'a>(raw: Raw<'a>) -> Vec<&'a RawValue> {
    raw.and_then(|raw| serde_json::from_str(raw.get()).ok())
        .unwrap_or_default()
}

/// `raw` as text: a string itself; of an array, its strings and its `text` blocks, a line each, with a word for each
/// image; any other value as it stands.
pub fn text_of<'a>(raw: Raw<'a>) -> Cow<'a, str> {
    let Some(raw) = raw else { return Cow::Borrowed("") };
    match raw.get().as_bytes().first() {
        Some(b'"') => serde_json::from_str::<Word<'a>>(raw.get())
            .ok()
            .and_then(|word| word.0)
            .unwrap_or_default(),
        Some(b'[') => {
            let mut lines = Vec::new();
            for element in elements(Some(raw)) {
                let block: Block<'a> = lenient(Some(element));
                match (block.kind.get(), block.text.0) {
                    (_, Some(text)) => lines.push(text),
                    (Some("image" | "document"), None) => {
                        let source: Source<'a> = lenient(block.source);
                        let media = source.media_type.get().unwrap_or("image");
                        lines.push(Cow::Owned(format!(
                            "[{media}, {} bytes]",
                            decoded(source.data.get().unwrap_or(""))
                        )));
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

/// The number of bytes that base64 `data` stands for.
pub fn decoded(data: &str) -> u64 {
    let padding = data.bytes().rev().take_while(|byte| *byte == b'=').count().min(2);
    (data.len() as u64 * 3 / 4).saturating_sub(padding as u64)
}

/// A line as text that can be parsed: bytes that are no UTF-8, and escapes of half a surrogate pair (which a program
/// that cuts strings writes), become U+FFFD.
pub fn readable(line: &[u8]) -> Cow<'_, str> {
    let text = String::from_utf8_lossy(line);
    if memchr::memmem::find(line, b"\\ud").is_none() && memchr::memmem::find(line, b"\\uD").is_none() {
        return text;
    }
    let escape = |at: usize| {
        let hex = text
            .as_bytes()
            .get(at..at + 6)
            .filter(|bytes| bytes.starts_with(b"\\u"))?;
        u16::from_str_radix(std::str::from_utf8(&hex[2..]).ok()?, 16).ok()
    };
    let (mut at, mut halves) = (0, Vec::new());
    while let Some(found) = memchr::memchr(b'\\', &text.as_bytes()[at..]) {
        at += found;
        at += match (escape(at), escape(at + 6)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => 12,
            (Some(0xd800..=0xdfff), _) => {
                halves.push(at);
                6
            }
            _ => 2,
        };
        at = at.min(text.len());
    }
    if halves.is_empty() {
        return text;
    }
    let mut mended = text.into_owned().into_bytes();
    for half in halves {
        mended[half..half + 6].copy_from_slice(b"\\ufffd");
    }
    Cow::Owned(String::from_utf8_lossy(&mended).into_owned())
}
