//! The words that every other part of Kiroku speaks: ids, plain types of the record, the error.
//!
//! Nothing here does I/O. What a type means on the wire (JSON field names, `snake_case` words, RFC 3339 times) is
//! decided here once, and every door (app, MCP, command line, exchange format) uses these same types.

mod caller;
mod cancel;
mod conversation;
mod error;
mod incoming;
mod refs;
mod text;
mod time;

pub use caller::{Call, Caller};
pub use cancel::{Cancel, Progress, ProgressSink};
pub use conversation::{Attachment, Author, Ending, Kind, PinList, ProgressType, RUNNING_FOR, Role, TaskState};
pub use error::{Error, ErrorCode, Result, WireError};
pub use incoming::{NewComment, ToolData};
pub use refs::{CommentId, TaskId};
pub use text::{Lang, Text};
pub use time::{Clock, SystemClock, Time};

/// The uid of a row that came from outside: derived from the source's name and its own key, so that the same
/// session imported into two spaces, or twice into one, is the same row. Version 5 of RFC 9562.
pub fn derived_uid(source: &str, key: &str) -> String {
    // The namespace is a constant of this program; changing it would change every derived uid.
    const NAMESPACE: uuid::Uuid = uuid::Uuid::from_u128(0x8a1f_6c1e_52d0_5b7e_9c53_0d3f_6a4b_7e11);
    uuid::Uuid::new_v5(&NAMESPACE, format!("{source}\u{0}{key}").as_bytes()).to_string()
}

/// A new uid for a row that is made here: version 7 of RFC 9562, so that uids sort by the time they were made.
pub fn new_uid() -> String {
    uuid::Uuid::now_v7().to_string()
}
