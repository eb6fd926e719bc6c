//! JSON of formats that nobody promises: read tolerantly, and without copying what may not be wanted.
//!
//! Any field may be missing or of another type in some version. So a field of the wrong type reads as absent, unknown
//! fields are passed over, and what is large stays a borrowed slice of the line until it is known to be wanted.

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

/// Reads `raw` as a `T`; what is absent or of another shape reads as an empty one.
pub fn lenient<'a, T: serde::Deserialize<'a> + Default>(raw: Raw<'a>) -> T {
    raw.filter(|raw| raw.get().starts_with('{'))
        .and_then(|raw| serde_json::from_str(raw.get()).ok())
        .unwrap_or_default()
}

/// The elements of `raw` if it is an array, else nothing.
pub fn elements<'a>(raw: Raw<'a>) -> Vec<&'a RawValue> {
    raw.and_then(|raw| serde_json::from_str(raw.get()).ok()).unwrap_or_default()
}

/// The text of a JSON string; `None` for any other value.
pub fn string(raw: &RawValue) -> Option<Cow<'_, str>> {
    serde_json::from_str::<Word<'_>>(raw.get()).ok()?.0
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
        let hex = text.as_bytes().get(at..at + 6).filter(|bytes| bytes.starts_with(b"\\u"))?;
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
