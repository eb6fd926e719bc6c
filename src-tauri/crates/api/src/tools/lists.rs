//! The tools over an agent's own task list: task_write, task_update, task_complete and task_check. They look at the
//! caller's thread and at nothing else.

use super::{Tool, ToolAnswer, ToolContext, answered, schema};
use kiroku_model::{Result, text};
use kiroku_tasks::answer::{TaskCheckResult, TaskToolResult};
use kiroku_tasks::input::{TaskCheck, TaskComplete, TaskUpdate, TaskWrite};
use kiroku_tasks::{AGENT, Writer};
use serde_json::{Map, Value};

pub(super) const TOOLS: &[Tool] = &[
    Tool {
        name: "task_write",
        description: || {
            text!(
                en: "Makes or replaces your whole task list. Keep the ids of items across calls; at most one item may be in_progress. People see the list and may correct it.",
                ja: "タスクリスト全体を作成または置き換えます。項目の id は呼び出しをまたいで変えないでください。in_progress にできるのは 1 件だけです。リストは人が見て、直すことがあります。"
            )
        },
        input_schema: schema::<TaskWrite>,
        output_schema: schema::<TaskToolResult>,
        read_only: false,
        destructive: true,
        run: |workspace, context, input| {
            let input = TaskWrite::read(&input)?;
            changed(&workspace.lists().task_write(&context.call, context.thread.as_ref(), &writer(context), &input)?)
        },
    },
    Tool {
        name: "task_update",
        description: || {
            text!(
                en: "Changes one item of your task list by its id; give only what changes. Setting an item in_progress sends any other running one back to pending.",
                ja: "タスクリストの項目を id で 1 件更新します。変更するものだけを指定してください。in_progress にすると、ほかの実行中の項目は pending に戻ります。"
            )
        },
        input_schema: schema::<TaskUpdate>,
        output_schema: schema::<TaskToolResult>,
        read_only: false,
        destructive: false,
        run: |workspace, context, input| {
            let input = TaskUpdate::read(&input)?;
            changed(&workspace.lists().task_update(&context.call, context.thread.as_ref(), &writer(context), &input)?)
        },
    },
    Tool {
        name: "task_complete",
        description: || {
            text!(
                en: "Marks one item of your task list as completed, by its id.",
                ja: "タスクリストの項目を id で 1 件完了にします。"
            )
        },
        input_schema: schema::<TaskComplete>,
        output_schema: schema::<TaskToolResult>,
        read_only: false,
        destructive: false,
        run: |workspace, context, input| {
            let input = TaskComplete::read(&input)?;
            changed(&workspace.lists().task_complete(
                &context.call,
                context.thread.as_ref(),
                &writer(context),
                &input,
            )?)
        },
    },
    Tool {
        name: "task_check",
        description: || {
            text!(
                en: "Reads your task list: the items, how many are done, what is left, and notes and review ticks that people left for you.",
                ja: "タスクリストを確認します。項目、完了数、残り、人が残したメモと確認の印を返します。"
            )
        },
        input_schema: schema::<TaskCheck>,
        output_schema: schema::<TaskCheckResult>,
        read_only: true,
        destructive: false,
        run: |workspace, context, input| {
            // No input at all stands for an empty one.
            let input = if input.is_null() { Value::Object(Map::new()) } else { input };
            let TaskCheck {} = TaskCheck::read(&input)?;
            let result = workspace.lists().task_check(&context.call, context.thread.as_ref())?;
            Ok(ToolAnswer { is_error: result.is_error, ..answered(&result, result.content.clone())? })
        },
    },
];

/// Whoever calls a tool is an agent.
fn writer(context: &ToolContext) -> Writer {
    Writer::new(AGENT, context.door)
}

fn changed(result: &TaskToolResult) -> Result<ToolAnswer> {
    Ok(ToolAnswer { is_error: result.is_error, ..answered(result, result.content.clone())? })
}
