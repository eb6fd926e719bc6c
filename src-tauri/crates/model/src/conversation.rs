//! The words of the conversation record: who spoke, what kind of comment, how a task stands.
//! The lists are those of the workspace-search contract; a word that a later program wrote is kept as it stands.

use crate::Time;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Who spoke.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "lowercase")]
pub enum Author {
    /// A person.
    User,
    /// An agent.
    Agent,
}

impl Author {
    /// The word on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Author::User => "user",
            Author::Agent => "agent",
        }
    }
}

macro_rules! open_words {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[$vdoc])* $variant,)*
            /// A word that this program does not know: kept, shown, and never indexed.
            Other(String),
        }

        impl $name {
            /// Every known word.
            pub const WORDS: &'static [&'static str] = &[$($word),*];

            /// The word on the wire.
            pub fn as_str(&self) -> &str {
                match self {
                    $($name::$variant => $word,)*
                    $name::Other(word) => word,
                }
            }
        }

        impl From<&str> for $name {
            fn from(word: &str) -> $name {
                match word {
                    $($word => $name::$variant,)*
                    other => $name::Other(other.to_owned()),
                }
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str(self.as_str())
            }
        }

        // On the wire it is a word; open, because a later program may write others.
        impl specta::Type for $name {
            fn definition(types: &mut specta::Types) -> specta::datatype::DataType {
                <str as specta::Type>::definition(types)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<$name, D::Error> {
                Ok($name::from(&*std::borrow::Cow::<'de, str>::deserialize(from)?))
            }
        }
    };
}

open_words! {
    /// What kind of comment it is.
    Kind {
        /// What a person asked for.
        Request = "request",
        /// Anything that carries no request or result; never indexed.
        Comment = "comment",
        /// What a person said while the agent was at work.
        Interjection = "interjection",
        /// The agent's word that it saw an interjection; never indexed.
        InterjectionAck = "interjection_ack",
        /// What came of a turn.
        Result = "result",
        /// A question to the person.
        Ask = "ask",
        /// Work under way; see [`ProgressType`].
        Progress = "progress",
        /// Text that hands the work over: to another agent, or over a compaction.
        Handoff = "handoff",
    }
}

open_words! {
    /// What kind of progress a `progress` comment tells.
    ProgressType {
        /// Reasoning.
        Thinking = "thinking",
        /// Text between tool calls; a movement's summary.
        Summary = "summary",
        /// A tool call.
        Tool = "tool",
    }
}

/// How a task stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "lowercase")]
pub enum TaskState {
    /// Not begun.
    Queued,
    /// An agent is at work.
    Running,
    /// Waiting on a person.
    Waiting,
    /// Done.
    Completed,
    /// Ended in an error.
    Failed,
    /// Stopped part-way.
    Interrupted,
}

impl TaskState {
    /// All of them, in the order in which they are listed.
    pub const ALL: [TaskState; 6] = [
        TaskState::Queued,
        TaskState::Running,
        TaskState::Waiting,
        TaskState::Completed,
        TaskState::Failed,
        TaskState::Interrupted,
    ];

    /// The word on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            TaskState::Queued => "queued",
            TaskState::Running => "running",
            TaskState::Waiting => "waiting",
            TaskState::Completed => "completed",
            TaskState::Failed => "failed",
            TaskState::Interrupted => "interrupted",
        }
    }

    /// The state that a word names.
    pub fn from_word(word: &str) -> Option<TaskState> {
        TaskState::ALL.into_iter().find(|state| state.as_str() == word)
    }

    /// `open` in ListWorkspaceTasks: queued, running or waiting. The rest is `closed`.
    pub fn is_open(self) -> bool {
        matches!(self, TaskState::Queued | TaskState::Running | TaskState::Waiting)
    }
}

/// How the last line that was read of a session left it. The state of its task follows from this and from the time
/// since, and is computed on reading: a session that simply stops growing says nothing when it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// The agent ended its turn.
    TurnEnded,
    /// The agent asked the person something.
    Asked,
    /// The person stopped the agent.
    Interrupted,
    /// The turn ended in an error.
    Error,
    /// The agent was at work.
    MidTurn,
}

/// How long after its last line a session that was mid-turn still counts as running, in milliseconds (10 minutes).
pub const RUNNING_FOR: i64 = 10 * 60 * 1000;

impl Ending {
    /// The word in the space file.
    pub fn as_str(self) -> &'static str {
        match self {
            Ending::TurnEnded => "turn_ended",
            Ending::Asked => "asked",
            Ending::Interrupted => "interrupted",
            Ending::Error => "error",
            Ending::MidTurn => "mid_turn",
        }
    }

    /// The ending that a word names.
    pub fn from_word(word: &str) -> Option<Ending> {
        [Ending::TurnEnded, Ending::Asked, Ending::Interrupted, Ending::Error, Ending::MidTurn]
            .into_iter()
            .find(|ending| ending.as_str() == word)
    }

    /// The state at `now` of a session that ended so, with its last line at `last`.
    pub fn state(self, last: Time, now: Time) -> TaskState {
        match self {
            Ending::TurnEnded => TaskState::Completed,
            Ending::Asked => TaskState::Waiting,
            Ending::Interrupted => TaskState::Interrupted,
            Ending::Error => TaskState::Failed,
            Ending::MidTurn if now.0 - last.0 < RUNNING_FOR => TaskState::Running,
            Ending::MidTurn => TaskState::Interrupted,
        }
    }
}

/// A member's role in a space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// May change members, roles and the space's name, and delete the space.
    Owner,
    /// Everybody else.
    Member,
}

impl Role {
    /// The word on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Role::Owner => "owner",
            Role::Member => "member",
        }
    }
}

/// Which of a mission's two lists a pin stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum PinList {
    /// What the person demands.
    UserConstraints,
    /// What was decided.
    Decisions,
}

impl PinList {
    /// The word on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            PinList::UserConstraints => "user_constraints",
            PinList::Decisions => "decisions",
        }
    }
}

/// A file that came with a comment, by name: its contents are not copied.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct Attachment {
    /// File name.
    pub name: String,
    /// Size in bytes, where known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// Media type such as `image/png`, where known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub media_type: Option<String>,
}
