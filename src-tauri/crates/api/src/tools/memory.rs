//! The tools over the records: MemorySearch, KnowledgeSearch, MemoryRead, MemoryWrite, MemoryEdit and MemoryDelete. They
//! need a member; a subtask may use them.

use super::{Tool, ToolAnswer, ToolContext, answered, schema};
use crate::Workspace;
use crate::types::Answer;
use kiroku_memory::tools::{
    Call, KnowledgeSearchInput, KnowledgeSearchOutput, MemoryDeleteInput, MemoryDeleteOutput, MemoryEditInput,
    MemoryEditOutput, MemoryReadInput, MemoryReadOutput, MemorySearchInput, MemorySearchOutput, MemoryWriteInput,
    MemoryWriteOutput, input, knowledge_search, memory_delete, memory_edit, memory_read, memory_search, memory_write,
};
use kiroku_model::{Lang, Result, text};
use kiroku_search::{agent_text, scope};
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

pub(super) const TOOLS: &[Tool] = &[
    Tool {
        name: "MemorySearch",
        description: || {
            text!(
                en: "Searches the workspace's memory (summary, decisions, requests) for a line that holds the text, ignoring case and width. Read a hit whole by giving its ref to MemoryRead.",
                ja: "ワークスペースのメモリ（要約・決定・要望）から、文字列を含む行を検索します（大文字小文字・全角半角は区別しません）。全文はヒットの ref を MemoryRead に渡して読みます。"
            )
        },
        input_schema: schema::<MemorySearchInput>,
        output_schema: output_schema::<MemorySearchOutput>,
        read_only: true,
        destructive: false,
        run: |workspace, context, given| run(workspace, context, given, memory_search, MemorySearchOutput::text),
    },
    Tool {
        name: "KnowledgeSearch",
        description: || {
            text!(
                en: "Searches the workspace's knowledge records for a line that holds the text; kind keeps to records of that frontmatter kind. Read a hit whole by giving its ref to MemoryRead.",
                ja: "ワークスペースのナレッジから、文字列を含む行を検索します。kind で frontmatter の kind を絞り込めます。全文はヒットの ref を MemoryRead に渡して読みます。"
            )
        },
        input_schema: schema::<KnowledgeSearchInput>,
        output_schema: output_schema::<KnowledgeSearchOutput>,
        read_only: true,
        destructive: false,
        run: |workspace, context, given| run(workspace, context, given, knowledge_search, KnowledgeSearchOutput::text),
    },
    Tool {
        name: "MemoryRead",
        description: || {
            text!(
                en: "Reads a record by kind and slug, with line numbers, and answers its hash; give that as base when you change it.",
                ja: "記録を kind と slug で読みます（行番号つき）。答えの hash は、変更するときに base として渡してください。"
            )
        },
        input_schema: schema::<MemoryReadInput>,
        output_schema: output_schema::<MemoryReadOutput>,
        read_only: true,
        destructive: false,
        run: |workspace, context, given| run(workspace, context, given, memory_read, MemoryReadOutput::text),
    },
    Tool {
        name: "MemoryWrite",
        description: || {
            text!(
                en: "Writes a whole record, frontmatter included. It is checked first, and refused with every error at once.",
                ja: "記録全体を（frontmatter も含めて）書き込みます。先に検査し、誤りがあればすべてを示して書き込みません。"
            )
        },
        input_schema: schema::<MemoryWriteInput>,
        output_schema: output_schema::<MemoryWriteOutput>,
        read_only: false,
        destructive: true,
        run: |workspace, context, given| run(workspace, context, given, memory_write, MemoryWriteOutput::text),
    },
    Tool {
        name: "MemoryEdit",
        description: || {
            text!(
                en: "Replaces an exact text in a record, once unless replace_all. The result is checked before it is written.",
                ja: "記録の中の文字列を正確に置き換えます（replace_all がなければ 1 か所だけ）。結果を検査してから書き込みます。"
            )
        },
        input_schema: schema::<MemoryEditInput>,
        output_schema: output_schema::<MemoryEditOutput>,
        read_only: false,
        destructive: true,
        run: |workspace, context, given| run(workspace, context, given, memory_edit, MemoryEditOutput::text),
    },
    Tool {
        name: "MemoryDelete",
        description: || {
            text!(
                en: "Deletes a record; people can bring it back for 30 days. Refused while another record refers to it, unless force.",
                ja: "記録を削除します（30 日間は人が元に戻せます）。ほかの記録が参照している間は、force がなければ削除しません。"
            )
        },
        input_schema: schema::<MemoryDeleteInput>,
        output_schema: output_schema::<MemoryDeleteOutput>,
        read_only: false,
        destructive: true,
        run: |workspace, context, given| run(workspace, context, given, memory_delete, MemoryDeleteOutput::text),
    },
];

fn run<I: DeserializeOwned, O: Serialize>(
    workspace: &Workspace,
    context: &ToolContext,
    given: Value,
    tool: fn(&Call<'_>, &I) -> Result<O>,
    text: fn(&O, Lang) -> String,
) -> Result<ToolAnswer> {
    let call = &context.call;
    let allowed = workspace.space().read(&call.cancel, |conn| scope::is_member(conn, &call.caller))?;
    if !allowed {
        let answer: Answer<Value> = Answer::not_in_this_context(call.lang);
        return answered(&answer, agent_text::answer(&answer, |_| String::new()));
    }
    let given = if given.is_null() { Value::Object(Map::new()) } else { given };
    let memory = workspace.memory()?;
    let call = Call { memory: &memory, caller: &call.caller, lang: call.lang, cancel: &call.cancel };
    let output = tool(&call, &input(given)?)?;
    answered(&output, text(&output, call.lang))
}

/// The schema of a result, or of the word that there is none in this context.
fn output_schema<T: JsonSchema>() -> Value {
    let mut schema = schema::<T>();
    if let Some(root) = schema.as_object_mut() {
        root.remove("required");
        if let Some(properties) = root.get_mut("properties").and_then(Value::as_object_mut) {
            let available =
                json!({ "type": "boolean", "description": "`false`: the tool is not available in this context." });
            properties.insert("available".to_owned(), available);
            properties.insert("message".to_owned(), json!({ "type": "string", "description": "Why it is not." }));
        }
    }
    schema
}
