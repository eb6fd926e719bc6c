//! Values that the exchange format takes in more than one form, and what is said about one that does not fit.

use kiroku_model::{CommentId, TaskId, Text, text};
use serde::de::{Deserializer, Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Serializer};
use serde_json::value::RawValue;

/// Something with a number that is written as `12`, `"12"` or `"task:12"`.
pub(super) trait Numbered: Sized {
    fn read(text: &str) -> Option<Self>;
}

impl Numbered for TaskId {
    fn read(text: &str) -> Option<TaskId> {
        TaskId::parse(text).ok()
    }
}

impl Numbered for CommentId {
    fn read(text: &str) -> Option<CommentId> {
        let number = text.strip_prefix("comment:").unwrap_or(text);
        CommentId::parse(&format!("comment:{number}")).ok()
    }
}

/// A number in any of its forms.
pub(super) fn loose<'de, D: Deserializer<'de>, T: Numbered>(from: D) -> Result<T, D::Error> {
    let raw = <&RawValue>::deserialize(from)?.get();
    let text = if raw.starts_with('"') { serde_json::from_str(raw).map_err(D::Error::custom)? } else { raw.to_owned() };
    T::read(&text).ok_or_else(|| D::Error::custom("not a number from 1 to 2^53"))
}

/// The same where it may be absent.
pub(super) fn loose_some<'de, D: Deserializer<'de>, T: Numbered>(from: D) -> Result<Option<T>, D::Error> {
    loose(from).map(Some)
}

/// A comment's ref, written as `"comment:88"`.
pub(super) mod comment_ref {
    use super::*;

    pub(in super::super) fn serialize<S: Serializer>(id: &Option<CommentId>, to: S) -> Result<S::Ok, S::Error> {
        match id {
            Some(id) => to.collect_str(id),
            None => to.serialize_none(),
        }
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<CommentId>, D::Error> {
        loose_some(from)
    }
}

/// The most items of a list, and attachments of a comment: a line of millions of empty ones would take many times its
/// own size in memory.
pub(super) const MOST: usize = 10_000;

/// A list of at most [`MOST`] values.
pub(super) fn few<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Vec<T>, D::Error> {
    struct Few<T>(std::marker::PhantomData<T>);

    impl<'de, T: Deserialize<'de>> Visitor<'de> for Few<T> {
        type Value = Vec<T>;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            write!(f, "a list of at most {MOST}")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Vec<T>, A::Error> {
            let mut values = Vec::new();
            while let Some(value) = seq.next_element()? {
                if values.len() == MOST {
                    return Err(A::Error::invalid_length(MOST + 1, &self));
                }
                values.push(value);
            }
            Ok(values)
        }
    }

    from.deserialize_seq(Few(std::marker::PhantomData))
}

/// The major part of a version: `1`, `1.2` or `"1.2"`.
pub(super) fn major_version<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
    let raw = <&RawValue>::deserialize(from)?.get().trim_matches('"');
    let major = raw.split_once('.').map_or(raw, |(major, _)| major);
    major.parse().map_err(|_| D::Error::custom("not a version"))
}

/// A string as it is; any other value as its compact JSON text.
pub(super) fn json_text<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    let raw = <&RawValue>::deserialize(from)?.get();
    if raw.starts_with('"') { serde_json::from_str(raw).map_err(D::Error::custom) } else { Ok(Some(compact(raw))) }
}

/// Valid JSON without the white space between its tokens; numbers and the order of keys stay as they were written.
fn compact(json: &str) -> String {
    let (mut inside, mut escaped) = (false, false);
    json.chars()
        .filter(|c| {
            if inside {
                inside = escaped || *c != '"';
                escaped = !escaped && *c == '\\';
                return true;
            }
            inside = *c == '"';
            !c.is_ascii_whitespace()
        })
        .collect()
}

/// What a field of a row has to hold: for the report about one that does not.
pub(super) fn expected(row: &str, field: &str) -> Text {
    match (row, field) {
        ("kiroku", "version") => text!(en: "a version such as 1", ja: "1 のような版の番号"),
        ("task" | "comment", "id") | (_, "task" | "parent") => {
            text!(en: "a number such as 12, from 1 to 2^53", ja: "12 のような番号（1 から 2^53 まで）")
        }
        (_, "ref") => text!(en: "a ref such as \"comment:88\"", ja: "\"comment:88\" のような参照"),
        (_, "created" | "updated" | "at") => {
            text!(en: "a time with its zone such as \"2026-06-20T10:00:00Z\"", ja: "\"2026-06-20T10:00:00Z\" のようなタイムゾーン付きの日時")
        }
        (_, "author") => text!(en: "\"user\" or \"agent\"", ja: "\"user\" か \"agent\""),
        (_, "role") => text!(en: "\"owner\" or \"member\"", ja: "\"owner\" か \"member\""),
        ("pin", "list") => {
            text!(en: "\"user_constraints\" or \"decisions\"", ja: "\"user_constraints\" か \"decisions\"")
        }
        (_, "state") => text!(
            en: "one of queued, running, waiting, completed, failed, interrupted",
            ja: "queued、running、waiting、completed、failed、interrupted のどれか"
        ),
        (_, "ending") => text!(
            en: "one of turn_ended, asked, interrupted, error, mid_turn",
            ja: "turn_ended、asked、interrupted、error、mid_turn のどれか"
        ),
        (_, "items" | "before" | "after") => text!(
            en: "a list of at most {MOST} items {{id, content, status, activeForm}}, the status one of pending, in_progress, completed",
            ja: "項目 {{id, content, status, activeForm}} の並び（{MOST} 個まで。status は pending、in_progress、completed のどれか）"
        ),
        (_, "attachments") => text!(
            en: "a list of at most {MOST} attachments {{name, bytes, media_type}}",
            ja: "添付 {{name, bytes, media_type}} の並び（{MOST} 個まで）"
        ),
        (_, "withdrawn") => text!(en: "true or false", ja: "true か false"),
        (_, "seq") => text!(en: "a whole number", ja: "整数"),
        (_, "input_bytes" | "output_bytes" | "version") => text!(en: "a whole number, 0 or more", ja: "0 以上の整数"),
        _ => text!(en: "a string", ja: "文字列"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_between_tokens_goes_and_nothing_else() {
        assert_eq!(
            compact("{ \"a b\" : [ 1.50 , \"x \\\" y\\\\\" , \"\\\\\\\" \" ],\t\"z\":\r\n null }"),
            "{\"a b\":[1.50,\"x \\\" y\\\\\",\"\\\\\\\" \"],\"z\":null}"
        );
    }
}
