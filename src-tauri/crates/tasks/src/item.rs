//! An item of a task list, how it stands, and what a list adds up to. The JSON names are the contract's.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// How an item stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// To do.
    Pending,
    /// Being done; one at most in a list.
    InProgress,
    /// Done.
    Completed,
}

impl Status {
    /// All of them, in the order in which an item goes through them.
    pub const ALL: [Status; 3] = [Status::Pending, Status::InProgress, Status::Completed];

    /// The word on the wire and in the space file.
    pub fn as_str(self) -> &'static str {
        match self {
            Status::Pending => "pending",
            Status::InProgress => "in_progress",
            Status::Completed => "completed",
        }
    }

    /// The status that a word names.
    pub fn from_word(word: &str) -> Option<Status> {
        Status::ALL.into_iter().find(|status| status.as_str() == word)
    }
}

// By hand, because the derived one spells every variant as a schema of its own: agents read this with each call.
impl JsonSchema for Status {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Status".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "enum": Status::ALL.map(Status::as_str) })
    }
}

/// An item of a task list.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Item {
    /// Stable in its list.
    pub id: String,
    /// What to do, as an imperative ("Fix authentication bug").
    pub content: String,
    /// How it stands.
    pub status: Status,
    /// What is shown while it runs ("Fixing authentication bug").
    pub active_form: String,
}

/// What a list adds up to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    /// All items.
    pub total: usize,
    /// Those that are done.
    pub completed: usize,
    /// Those that are being done.
    pub in_progress: usize,
    /// Those that are to do.
    pub pending: usize,
    /// Those that are not done yet: being done, or to do.
    pub incomplete: usize,
    /// Whether there is any item.
    pub has_tasks: bool,
    /// Whether there is any item, and every one is done.
    pub all_completed: bool,
}

impl Summary {
    /// What these items add up to.
    pub fn of(items: &[Item]) -> Summary {
        let count = |status| items.iter().filter(|item| item.status == status).count();
        let (total, completed) = (items.len(), count(Status::Completed));
        Summary {
            total,
            completed,
            in_progress: count(Status::InProgress),
            pending: count(Status::Pending),
            incomplete: total - completed,
            has_tasks: total > 0,
            all_completed: total > 0 && completed == total,
        }
    }
}
