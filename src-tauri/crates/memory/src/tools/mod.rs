//! The tools that agents call: for each an input, an output and a function. Every door (MCP, the command line, the app)
//! calls these; schemas come from these types, and there is no other list of them.

mod change;
mod find;
mod read;

pub use change::{
    MemoryDeleteInput, MemoryDeleteOutput, MemoryEditInput, MemoryEditOutput, MemoryWriteInput, MemoryWriteOutput,
    memory_delete, memory_edit, memory_write,
};
pub use find::{
    KnowledgeHit, KnowledgeSearchInput, KnowledgeSearchOutput, MemoryHit, MemorySearchInput, MemorySearchOutput,
    Problem, knowledge_search, memory_search,
};
pub use read::{MemoryReadInput, MemoryReadOutput, memory_read};

use crate::Memory;
use kiroku_model::{Caller, Cancel, Error, ErrorCode, Lang, Result, text};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// What surrounds one call of a tool.
#[derive(Clone, Copy)]
pub struct Call<'a> {
    /// The space's records.
    pub memory: &'a Memory,
    /// Who calls. A member is needed; a subtask may call.
    pub caller: &'a Caller,
    /// The language of messages inside answers.
    pub lang: Lang,
    /// Takes the call back.
    pub cancel: &'a Cancel,
}

impl Call<'_> {
    fn member(&self) -> Result<()> {
        if self.caller.member.is_some() {
            return Ok(());
        }
        Err(Error::new(
            ErrorCode::Refused,
            text!(en: "this tool needs a member of the space", ja: "このツールはスペースのメンバーだけが使えます"),
        ))
    }
}

/// Reads a tool's input: `null` is the same as absent, and an unknown parameter is an error that names it.
pub fn input<T: DeserializeOwned>(mut value: Value) -> Result<T> {
    if let Some(fields) = value.as_object_mut() {
        fields.retain(|_, value| !value.is_null());
    }
    serde_json::from_value(value)
        .map_err(|why| Error::invalid(text!(en: "the input is wrong: {why}", ja: "入力が正しくありません: {why}")))
}
