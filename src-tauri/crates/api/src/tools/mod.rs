//! The tools, by their exact names: the one list from which the MCP server, `kiroku tool` and the reference page are made.
//!
//! A tool takes JSON and answers a typed result and the same as text for an agent. Who may use it is looked at first, so
//! that a caller outside its scope learns that, and nothing else, whatever it sent.

mod input;
mod lists;
mod memory;
mod workspace;

pub use input::TaskNumber;
pub use workspace::{
    ListWorkspaceTasksInput, MissionReadInput, MissionUpdateInput, NewPinInput, PageOrAround,
    ReadTaskConversationInput, SearchTaskConversationInput, SearchWorkspaceTasksInput, set_author,
};

use crate::Workspace;
use kiroku_model::{Call, Caller, Error, Lang, Result, Text, text};
use kiroku_tasks::{Door, ThreadKey};
use serde_json::Value;

/// From where a tool is called.
#[derive(Clone, Debug)]
pub struct ToolContext {
    /// Who calls, in which language, and the token to take it back.
    pub call: Call,
    /// The thread whose task list the caller keeps; `None`: it has no memory. See [`thread_of`].
    pub thread: Option<ThreadKey>,
    /// The way the call came.
    pub door: Door,
}

/// The thread that a caller works in: the one that was named with its resource, else its current task's. A thread that
/// was named without a resource is no memory.
pub fn thread_of(thread: Option<&str>, resource: Option<&str>, caller: &Caller) -> Result<Option<ThreadKey>> {
    match (thread, resource, caller.task) {
        (Some(thread), Some(resource), _) => ThreadKey::new(thread, resource).map(Some),
        (Some(_), None, _) | (None, _, None) => Ok(None),
        (None, _, Some(task)) => {
            let resource = resource.or(caller.member.as_deref()).unwrap_or(kiroku_tasks::AGENT);
            ThreadKey::of_task(task, resource).map(Some)
        }
    }
}

/// What a tool answered.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolAnswer {
    /// The typed result.
    pub value: Value,
    /// The same as text for an agent.
    pub text: String,
    /// Whether the result says of itself that something went wrong (a result all the same, not an error).
    pub is_error: bool,
}

/// A tool.
pub struct Tool {
    /// The name by which it is called.
    pub name: &'static str,
    /// What it does, for an agent that chooses among tools.
    pub description: fn() -> Text,
    /// JSON Schema of its input.
    pub input_schema: fn() -> Value,
    /// JSON Schema of its typed result.
    pub output_schema: fn() -> Value,
    /// Whether it changes nothing.
    pub read_only: bool,
    /// Whether what it changes may be lost by it.
    pub destructive: bool,
    run: fn(&Workspace, &ToolContext, Value) -> Result<ToolAnswer>,
}

impl Tool {
    /// Calls it.
    pub fn call(&self, workspace: &Workspace, context: &ToolContext, input: Value) -> Result<ToolAnswer> {
        (self.run)(workspace, context, input)
    }

    /// What it does, in one language.
    pub fn described(&self, lang: Lang) -> String {
        (self.description)().get(lang).to_owned()
    }
}

/// All tools.
pub fn tools() -> impl Iterator<Item = &'static Tool> {
    workspace::TOOLS.iter().chain(memory::TOOLS).chain(lists::TOOLS)
}

/// The tool with this name.
pub fn tool(name: &str) -> Result<&'static Tool> {
    tools().find(|tool| tool.name == name).ok_or_else(|| {
        let known = tools().map(|tool| tool.name).collect::<Vec<_>>().join(", ");
        Error::invalid(text!(
            en: "there is no tool `{name}`; the tools are {known}",
            ja: "ツール「{name}」はありません。使えるのは {known} です"
        ))
    })
}

/// A typed result and its text, as an answer.
fn answered<T: serde::Serialize>(value: &T, text: String) -> Result<ToolAnswer> {
    let value = serde_json::to_value(value).map_err(Error::internal)?;
    Ok(ToolAnswer { value, text, is_error: false })
}

/// The schema of a type, in the form that MCP clients take.
fn schema<T: schemars::JsonSchema>() -> Value {
    schemars::SchemaGenerator::default().into_root_schema_for::<T>().to_value()
}
