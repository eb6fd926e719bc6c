//! The one error that crosses every border, as `{code, message, details}`.

use crate::{Lang, Text, text};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What kind of failure it was: a closed list, so that a caller can act on it without reading the message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// The input breaks a rule; nothing was touched.
    InvalidInput,
    /// What was asked for is not there, or can't be reached by this caller.
    NotFound,
    /// The thing changed since the caller read it; nothing was written.
    Conflict,
    /// The thing exists, and the rules forbid the change.
    Refused,
    /// Somebody else holds it now; trying again may work.
    Busy,
    /// The caller took the call back.
    Cancelled,
    /// A part that this needs is missing from the system.
    Unavailable,
    /// The file was written by a newer program.
    NewerSchema,
    /// The file is not what it should be.
    Damaged,
    /// The operating system said no.
    Io,
    /// A fault of ours.
    Internal,
}

impl ErrorCode {
    /// Exit status of a command that ends with this error: 2 for input that can't be right, 1 for a failure.
    pub fn exit_status(self) -> u8 {
        match self {
            ErrorCode::InvalidInput | ErrorCode::NotFound => 2,
            _ => 1,
        }
    }
}

/// An error for a person and a program at once: what happened, what was kept, what to do next.
#[derive(Clone, Debug)]
pub struct Error(Box<Inner>);

#[derive(Clone, Debug)]
struct Inner {
    code: ErrorCode,
    message: Text,
    details: Map<String, Value>,
}

/// The result of anything that can fail in a way that a person may see.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An [`Error`] as it crosses a border: JSON, in one language.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, specta::Type)]
pub struct WireError {
    /// See [`ErrorCode`].
    pub code: ErrorCode,
    /// For a person.
    pub message: String,
    /// For a program: what the message names, as fields. Left out when empty.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub details: Map<String, Value>,
}

impl Error {
    /// An error of `code` that says `message`.
    pub fn new(code: ErrorCode, message: Text) -> Error {
        Error(Box::new(Inner { code, message, details: Map::new() }))
    }

    /// The input breaks a rule ([`ErrorCode::InvalidInput`]).
    pub fn invalid(message: Text) -> Error {
        Error::new(ErrorCode::InvalidInput, message)
    }

    /// Not there, or not reachable ([`ErrorCode::NotFound`]).
    pub fn not_found(message: Text) -> Error {
        Error::new(ErrorCode::NotFound, message)
    }

    /// An operating system error while doing what `what` says, such as `text!(en: "reading {path}", ja: "{path} の読み込み")`.
    pub fn io(what: Text, error: &std::io::Error) -> Error {
        let Text { en, ja } = what;
        let code = if error.kind() == std::io::ErrorKind::NotFound { ErrorCode::NotFound } else { ErrorCode::Io };
        Error::new(code, text!(en: "{en}: {error}", ja: "{ja}: {error}"))
    }

    /// The caller took the call back ([`ErrorCode::Cancelled`]).
    pub fn cancelled() -> Error {
        Error::new(ErrorCode::Cancelled, text!(en: "cancelled", ja: "取り消しました"))
    }

    /// A fault of ours: `what` is for whoever mends it.
    pub fn internal(what: impl std::fmt::Display) -> Error {
        Error::new(ErrorCode::Internal, text!(en: "internal error: {what}", ja: "内部エラー: {what}"))
    }

    /// The same error with one more field for programs.
    #[must_use]
    pub fn with(mut self, field: &str, value: impl Into<Value>) -> Error {
        self.0.details.insert(field.to_owned(), value.into());
        self
    }

    /// What kind of failure.
    pub fn code(&self) -> ErrorCode {
        self.0.code
    }

    /// The message in both languages.
    pub fn message(&self) -> &Text {
        &self.0.message
    }

    /// The fields for programs.
    pub fn details(&self) -> &Map<String, Value> {
        &self.0.details
    }

    /// The error as it crosses a border.
    pub fn to_wire(&self, lang: Lang) -> WireError {
        WireError { code: self.0.code, message: self.0.message.get(lang).to_owned(), details: self.0.details.clone() }
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0.message.en)
    }
}

impl std::error::Error for Error {}
