//! Tasks, their conversations and missions, and forgetting.

use super::Shell;
use super::spaces::Saved;
use crate::app::Answered;
use crate::saving::save;
use kiroku_api::types::{Answer, ConversationPage, Mission, Outline};
use kiroku_api::{
    Forget, Forgotten, FoundInTask, NewPin, TaskDetails, TaskPage, TaskQuery, ToolCall, TranscriptOptions,
};
use kiroku_model::{Call, CommentId, PinList, TaskId, text};

/// Comments of one page at most.
const MOST_COMMENTS: u32 = 500;
/// Tasks of one answer at most.
const MOST_TASKS: usize = 1_000;

/// The tasks that a query asks for, a page of them: 1,000 at most.
#[tauri::command]
#[specta::specta]
pub async fn tasks(app: Shell<'_>, query: TaskQuery) -> Answered<Answer<TaskPage>> {
    let query = TaskQuery { limit: query.limit.min(MOST_TASKS), ..query };
    app.read(move |space, call| space.conversations().tasks(call, &query)).await
}

/// One task with what is known of it.
#[tauri::command]
#[specta::specta]
pub async fn task(app: Shell<'_>, task: TaskId) -> Answered<Answer<TaskDetails>> {
    app.read(move |space, call| space.conversations().task(call, task)).await
}

/// A page of a task's conversation, in its order: at most `limit` comments (and 500) from `offset`, counted from 0.
#[tauri::command]
#[specta::specta]
pub async fn conversation(app: Shell<'_>, task: TaskId, offset: u64, limit: u32) -> Answered<Answer<ConversationPage>> {
    let limit = limit.clamp(1, MOST_COMMENTS) as usize;
    app.read(move |space, call| space.conversations().conversation(call, task, offset, limit)).await
}

/// The places in a task's conversation where words stand as they are, in every kind of comment and in what tools were
/// given and gave back. `field` and `turn` as for `search`.
#[tauri::command]
#[specta::specta]
pub async fn find_in_task(
    app: Shell<'_>,
    field: String,
    turn: u64,
    task: TaskId,
    words: String,
) -> Answered<Answer<FoundInTask>> {
    app.cancellable(field, turn, move |_, space, call| space.workspace().conversations().find(call, task, &words)).await
}

/// What was asked in a task's conversation and what came of it, to be jumped by.
#[tauri::command]
#[specta::specta]
pub async fn outline(app: Shell<'_>, task: TaskId) -> Answered<Answer<Outline>> {
    app.read(move |space, call| space.conversations().outline(call, task)).await
}

/// Has the person choose a file and writes a task's conversation to it as Markdown. `null`: they chose none.
#[tauri::command]
#[specta::specta]
pub async fn export_conversation(
    app: Shell<'_>,
    work: String,
    task: TaskId,
    options: TranscriptOptions,
) -> Answered<Option<Saved>> {
    app.cancellable(work, 0, move |app, space, call| {
        let title = text!(en: "Save the conversation", ja: "会話の保存");
        let name = format!("task-{}.md", task.0);
        save(app, &title, &name, None, |out| space.workspace().write_transcript(call, task, options, out))
    })
    .await
}

/// What a tool call was given and gave back.
#[tauri::command]
#[specta::specta]
pub async fn tool_call(app: Shell<'_>, comment: CommentId) -> Answered<Answer<ToolCall>> {
    app.read(move |space, call| space.conversations().tool_call(call, comment)).await
}

/// The facts that are pinned to a task.
#[tauri::command]
#[specta::specta]
pub async fn mission(app: Shell<'_>, task: TaskId) -> Answered<Answer<Mission>> {
    app.read(move |space, call| space.conversations().mission(&within(call, task))).await
}

/// Pins a fact to a task, with the comment that says so; a text that its list holds already is not pinned again.
#[tauri::command]
#[specta::specta]
pub async fn pin(
    app: Shell<'_>,
    task: TaskId,
    list: PinList,
    text: String,
    comment: Option<CommentId>,
) -> Answered<Answer<Mission>> {
    let pin = NewPin { list, text, comment, imported: None };
    app.read(move |space, call| space.conversations().update_mission(&within(call, task), &[pin], &[])).await
}

/// Takes a pin off a task.
#[tauri::command]
#[specta::specta]
pub async fn unpin(app: Shell<'_>, task: TaskId, pin: i64) -> Answered<Answer<Mission>> {
    app.read(move |space, call| space.conversations().update_mission(&within(call, task), &[], &[pin])).await
}

/// Removes a task, a comment or a passage for good, and says which backups still hold it. It can't be undone.
#[tauri::command]
#[specta::specta]
pub async fn forget(app: Shell<'_>, what: Forget) -> Answered<Answer<Forgotten>> {
    app.read(move |space, call| space.forget(call, &what)).await
}

/// The same call with this task as the current one: what the tools for an agent's own task answer.
fn within(call: &Call, task: TaskId) -> Call {
    let mut call = call.clone();
    call.caller.task = Some(task);
    call
}
