//! What the engine is asked and what it answers: the typed results of the workspace-search contract.
//! The same types are the tools' output schemas, the app's data and what `--json` prints.

use kiroku_model::{Attachment, Author, CommentId, Kind, Lang, ProgressType, TaskId, TaskState, Text, Time, text};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How several terms are matched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, specta::Type)]
#[serde(rename_all = "lowercase")]
pub enum MatchMode {
    /// A comment with any of the terms is a hit.
    #[default]
    Any,
    /// Only a comment with every term is a hit.
    All,
}

/// The order of hits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, specta::Type)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// bm25, ties newest first.
    Relevance,
    /// Newest first.
    Newest,
}

/// Which comments a search looks at.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(default)]
pub struct Filter {
    /// Only this kind.
    pub kind: Option<Kind>,
    /// Only what a person or an agent said.
    pub author: Option<Author>,
    /// Only what this member said.
    pub member: Option<String>,
    /// Only this task.
    pub task: Option<TaskId>,
    /// Only tasks in one of these states; empty: any.
    pub states: Vec<TaskState>,
    /// Only comments made at this time or later.
    pub since: Option<Time>,
    /// Only comments made before this time.
    pub until: Option<Time>,
}

/// A search over the conversations of all tasks but the caller's own.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, specta::Type)]
#[serde(default)]
pub struct SearchQuery {
    /// The terms, split on white space.
    pub query: String,
    /// How several terms are matched.
    pub match_mode: MatchMode,
    /// Which comments are looked at.
    pub filter: Filter,
    /// Hits in the answer at most.
    pub limit: usize,
    /// Comments before and after each hit.
    pub context: usize,
    /// The order; by itself relevance if every term has three or more characters, else newest first.
    pub order: Option<Order>,
    /// Hits after this one, in the same order.
    pub after: Option<CommentId>,
    /// Count every hit, however many.
    pub count_all: bool,
}

/// An answer, or the word that there is none in this context.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, specta::Type)]
pub struct Answer<T> {
    /// Whether the tool is available in this context.
    pub available: bool,
    /// Why it is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The answer, if it is.
    #[serde(flatten)]
    pub body: Option<T>,
}

impl<T> Answer<T> {
    /// An answer.
    pub fn of(body: T) -> Answer<T> {
        Answer { available: true, message: None, body: Some(body) }
    }

    /// The same with another body.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Answer<U> {
        Answer { available: self.available, message: self.message, body: self.body.map(f) }
    }

    /// None, because of who asks and from where.
    pub fn not_in_this_context(lang: Lang) -> Answer<T> {
        Answer::not(
            &text!(en: "This tool is not available in this context.", ja: "このツールは、このコンテキストでは利用できません。"),
            lang,
        )
    }

    /// None, because SQLite was built without what searching needs.
    pub fn no_search(lang: Lang) -> Answer<T> {
        Answer::not(
            &text!(en: "Search is unavailable: this SQLite has no FTS5.", ja: "この SQLite には FTS5 がないため、検索を利用できません。"),
            lang,
        )
    }

    fn not(message: &Text, lang: Lang) -> Answer<T> {
        Answer { available: false, message: Some(message.get(lang).to_owned()), body: None }
    }
}

/// A task as an answer names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, specta::Type)]
pub struct TaskName {
    /// `task:ID`.
    #[serde(rename = "ref")]
    pub reference: String,
    /// The title, redacted.
    pub title: String,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, specta::Type)]
pub struct SearchResults {
    /// How many hits there are; see `total_is`.
    pub total: u64,
    /// `at_least` when counting stopped at the cap; else `total` is exact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total_is: Option<AtLeast>,
    /// The order of the hits.
    pub order: Order,
    /// If the hits were too many to rank them all: that many of the newest were ranked.
    pub ranked_among: Option<u64>,
    /// What else has to be said.
    pub note: Option<Note>,
    /// The hits.
    pub hits: Vec<Hit>,
}

/// The one word that `total_is` can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, specta::Type)]
#[serde(rename_all = "snake_case")]
pub enum AtLeast {
    /// There may be more.
    AtLeast,
}

/// What has to be said beside the hits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, specta::Type)]
#[serde(tag = "kind", rename_all = "snake_case", rename = "SearchNote")]
#[schemars(rename = "Note")]
pub enum Note {
    /// The one term was found nowhere, and these parts of it were searched instead.
    Split {
        /// The parts.
        terms: Vec<String>,
    },
    /// The index is being built: what has no entry yet is not found.
    Indexing {
        /// Comments that have one.
        done: u64,
        /// Comments that the space holds.
        total: u64,
    },
}

/// A comment that was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, specta::Type)]
pub struct Hit {
    /// `comment:ID`.
    #[serde(rename = "ref")]
    pub reference: String,
    /// Its task.
    pub task: TaskName,
    /// `user` or `agent`.
    #[schemars(with = "String")]
    pub author: Author,
    /// The member behind the author, where known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub member: Option<String>,
    /// Its kind.
    #[schemars(with = "String")]
    pub kind: Kind,
    /// When it was said.
    #[schemars(with = "String")]
    pub created: Time,
    /// A piece of its index text, redacted, around the best matches.
    pub excerpt: String,
    /// Where in `excerpt` the matches are: [start, end) in UTF-16 units.
    pub matches: Vec<[usize; 2]>,
    /// The raw comments before it, with `context`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Vec<Comment>>,
    /// The raw comments after it, with `context`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Vec<Comment>>,
}

/// A raw comment: its whole body as it stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, specta::Type)]
pub struct Comment {
    /// `comment:ID`.
    #[serde(rename = "ref")]
    pub reference: String,
    /// `user` or `agent`.
    #[schemars(with = "String")]
    pub author: Author,
    /// The member behind the author, where known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub member: Option<String>,
    /// Its kind.
    #[schemars(with = "String")]
    pub kind: Kind,
    /// For `progress`: what kind of progress.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub progress: Option<ProgressType>,
    /// For a tool call: the tool's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// When it was said.
    #[schemars(with = "String")]
    pub created: Time,
    /// The text.
    pub body: String,
    /// Whether it is the one that was asked for.
    #[serde(default)]
    pub is_target: bool,
    /// The files that came with it, by name.
    #[schemars(with = "Vec<AttachmentSchema>")]
    pub attachments: Vec<Attachment>,
    /// Whether it is gone from its source, and kept because something refers to it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub withdrawn: bool,
}

/// The shape of an [`Attachment`], for schemas.
#[derive(JsonSchema)]
#[allow(dead_code, reason = "it only stands for its schema")]
struct AttachmentSchema {
    /// File name.
    name: String,
    /// Size in bytes.
    bytes: Option<u64>,
    /// Media type.
    media_type: Option<String>,
}

/// The conversation around a comment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, specta::Type)]
pub struct Around {
    /// The task whose conversation it is.
    pub task: TaskName,
    /// The comments, in the conversation's order.
    pub comments: Vec<Comment>,
    /// Comments of the task before the first of these.
    pub more_before: u64,
    /// Comments of the task after the last of these.
    pub more_after: u64,
}

/// Both answers of SearchWorkspaceTasks and SearchTaskConversation: hits, or the conversation around a comment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum SearchOrAround {
    /// Hits of a `query`.
    Search(SearchResults),
    /// What stands around an `around_ref`.
    Around(Around),
}

/// Which tasks are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, specta::Type)]
#[serde(rename_all = "lowercase")]
pub enum OpenOrClosed {
    /// Queued, running or waiting.
    Open,
    /// Completed, failed or interrupted.
    Closed,
}

/// A list of tasks, newest update first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, specta::Type)]
pub struct TaskList {
    /// How many there are.
    pub total: u64,
    /// The first of them.
    pub tasks: Vec<TaskSummary>,
}

/// A task in a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, specta::Type)]
pub struct TaskSummary {
    /// `task:ID`.
    #[serde(rename = "ref")]
    pub reference: String,
    /// How it stands.
    #[schemars(with = "String")]
    pub state: TaskState,
    /// The title, redacted.
    pub title: String,
    /// The workflow or agent that it runs.
    pub piece: String,
    /// The later of its own last change and its last comment.
    #[schemars(with = "String")]
    pub updated: Time,
}

/// A page of a task's conversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, specta::Type)]
pub struct ConversationPage {
    /// The task.
    pub task: TaskName,
    /// Comments in the conversation.
    pub total: u64,
    /// The comments of this page, in the conversation's order.
    pub comments: Vec<Comment>,
    /// The offset of the next page, if there is one.
    pub next_offset: Option<u64>,
}

/// The lasting facts of a task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, specta::Type)]
pub struct Mission {
    /// What the person demands.
    pub user_constraints: Vec<Pin>,
    /// What was decided.
    pub decisions: Vec<Pin>,
}

/// A pinned fact.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, specta::Type)]
pub struct Pin {
    /// By which it is removed.
    pub id: i64,
    /// The fact.
    pub text: String,
    /// The comment that says so, as `comment:ID`.
    #[serde(default, rename = "ref", skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// When it was pinned.
    #[schemars(with = "String")]
    pub created: Time,
}

/// What was asked in a conversation and what came of it.
#[derive(Clone, Debug, PartialEq, Serialize, specta::Type)]
pub struct Outline {
    /// How many entries there are.
    pub total: u64,
    /// The first of them, in the conversation's order.
    pub entries: Vec<OutlineEntry>,
}

/// A comment of the outline.
#[derive(Clone, Debug, PartialEq, Serialize, specta::Type)]
pub struct OutlineEntry {
    /// Its place in the conversation, counted from 0.
    pub place: u32,
    /// `comment:ID`.
    #[serde(rename = "ref")]
    pub reference: String,
    /// What kind of comment it is.
    pub kind: Kind,
    /// Who spoke.
    pub author: Author,
    /// The member who spoke, if that is known.
    pub member: Option<String>,
    /// When.
    pub created: Time,
    /// Its first line, redacted and cut.
    pub line: String,
}
