//! Tasks, their conversations and missions, and forgetting.

use super::Shell;
use crate::app::Answered;
use kiroku_api::types::{Answer, ConversationPage, MatchMode, Mission, OpenOrClosed, SearchResults, TaskList};
use kiroku_api::{Forget, Forgotten, NewPin, TaskDetails, ToolCall};
use kiroku_model::{Call, CommentId, PinList, TaskId};

/// Comments of one page at most.
const MOST_COMMENTS: u32 = 500;
/// Tasks of one answer at most.
const MOST_TASKS: u32 = 50_000;

/// The tasks, newest update first; 50,000 at most.
#[tauri::command]
#[specta::specta]
pub async fn tasks(app: Shell<'_>, which: Option<OpenOrClosed>, limit: u32) -> Answered<Answer<TaskList>> {
    let limit = limit.min(MOST_TASKS) as usize;
    app.read(move |space, call| space.conversations().list(call, which, limit)).await
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

/// Finds in one task's conversation, in every kind of comment and in what tools were given and gave back, newest first.
/// `field` and `turn` as for `search`.
#[tauri::command]
#[specta::specta]
pub async fn find_in_task(
    app: Shell<'_>,
    field: String,
    turn: u64,
    task: TaskId,
    query: String,
    mode: MatchMode,
    limit: u32,
) -> Answered<Answer<SearchResults>> {
    let limit = limit.clamp(1, MOST_COMMENTS) as usize;
    app.cancellable(field, turn, move |_, space, call| {
        space.workspace().conversations().search_own(&within(call, task), &query, mode, limit, 0)
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
