//! Local names of tasks and comments, and their written forms `task:12` and `comment:88`.

use crate::{Error, Result, text};
use serde::{Deserialize, Serialize};

/// A task's number in its space; written `task:12`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, specta::Type)]
#[serde(transparent)]
pub struct TaskId(pub i64);

/// A comment's number in its space; written `comment:88`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, specta::Type)]
#[serde(transparent)]
pub struct CommentId(pub i64);

impl TaskId {
    /// Reads `task:12` or `12`.
    pub fn parse(text: &str) -> Result<TaskId> {
        number(text.strip_prefix("task:").unwrap_or(text)).map(TaskId).ok_or_else(|| {
            Error::invalid(text!(
                en: "`{text}` names no task: write task:NUMBER",
                ja: "「{text}」はタスクの名前ではありません。task:番号 の形で書いてください"
            ))
        })
    }
}

impl CommentId {
    /// Reads `comment:88`, and nothing else.
    pub fn parse(text: &str) -> Result<CommentId> {
        text.strip_prefix("comment:").and_then(number).map(CommentId).ok_or_else(|| {
            Error::invalid(text!(
                en: "`{text}` names no comment: write comment:NUMBER",
                ja: "「{text}」はコメントの名前ではありません。comment:番号 の形で書いてください"
            ))
        })
    }
}

/// A positive whole number in plain digits, that fits in 2^53 so that JavaScript can hold it.
fn number(digits: &str) -> Option<i64> {
    let plain = digits.bytes().all(|b| b.is_ascii_digit());
    digits.parse().ok().filter(|n| plain && (1..=1 << 53).contains(n))
}

impl std::fmt::Display for TaskId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "task:{}", self.0)
    }
}

impl std::fmt::Display for CommentId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "comment:{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_forms() {
        assert_eq!(TaskId::parse("task:12").unwrap(), TaskId(12));
        assert_eq!(TaskId::parse("12").unwrap(), TaskId(12));
        assert_eq!(CommentId::parse("comment:88").unwrap().to_string(), "comment:88");
        for bad in [
            "",
            "88",
            "comment:",
            "comment:0",
            "comment:-1",
            "comment:+1",
            "comment:９",
            "task:88",
            "comment:99999999999999999999",
        ] {
            assert!(CommentId::parse(bad).is_err(), "{bad}");
        }
    }
}
