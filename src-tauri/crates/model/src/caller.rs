//! Who makes a call, and from where.

use crate::TaskId;

/// Who makes a call: what scope rules look at. Every use case takes one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Caller {
    /// The member's id, as the caller gave it; `None`: nobody. Whether it names a member of the space is the engine's to check.
    pub member: Option<String>,
    /// The task that the caller works on.
    pub task: Option<TaskId>,
    /// Whether the caller runs as a subtask.
    pub subtask: bool,
}

impl Caller {
    /// A member with no current task: how the app and the human commands call.
    pub fn member(id: impl Into<String>) -> Caller {
        Caller { member: Some(id.into()), task: None, subtask: false }
    }
}

/// What every use case is told beside its input: who calls, in which language the answer's texts are, and the token by
/// which the caller can take the call back.
#[derive(Clone, Debug, Default)]
pub struct Call {
    /// Who calls.
    pub caller: Caller,
    /// Language of the answer's texts.
    pub lang: crate::Lang,
    /// Taken back by whoever called.
    pub cancel: crate::Cancel,
}
