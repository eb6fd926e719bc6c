//! The task lists of agents' threads: the board, one list with its history, and what people leave beside it.

use super::Shell;
use crate::app::Answered;
use kiroku_api::lists::{Edit, ListChange, ListChanges, Note, Projection, Side};
use kiroku_api::{BoardItem, BoardPage, ThreadList};

/// Items that are found at most.
const MOST_FOUND: u32 = 500;
/// Changes of one item that are told at most.
const MOST_CHANGES: u32 = 100;

/// A page of the threads that have a list, the one that changed last first: at most 200 from `offset`, counted from 0.
#[tauri::command]
#[specta::specta]
pub async fn board(app: Shell<'_>, offset: u32, limit: u32) -> Answered<BoardPage> {
    app.read(move |space, call| space.board(call, offset as usize, limit as usize)).await
}

/// Finds items in all lists by every one of these words. `field` and `turn` as for `search`.
#[tauri::command]
#[specta::specta]
pub async fn find_items(
    app: Shell<'_>,
    field: String,
    turn: u64,
    words: String,
    limit: u32,
) -> Answered<Vec<BoardItem>> {
    let limit = limit.min(MOST_FOUND) as usize;
    app.cancellable(field, turn, move |_, space, call| space.workspace().find_items(call, &words, limit)).await
}

/// One thread's list, with what people left beside it.
#[tauri::command]
#[specta::specta]
pub async fn thread_list(app: Shell<'_>, thread: String) -> Answered<ThreadList> {
    app.read(move |space, call| space.thread_list(call, &thread)).await
}

/// Makes all of a person's edits to a list, or none. `base` is the version that the person saw: a list that has changed
/// since is a conflict, with the newer list in `details.list`.
#[tauri::command]
#[specta::specta]
pub async fn edit_list(app: Shell<'_>, thread: String, base: u64, edits: Vec<Edit>) -> Answered<Projection> {
    app.read(move |space, call| space.edit_list(call, &thread, base, &edits)).await
}

/// A page of what was done to a list, newest first: at most 200 changes, those before the change `before`.
#[tauri::command]
#[specta::specta]
pub async fn list_changes(app: Shell<'_>, thread: String, before: Option<i64>, limit: u32) -> Answered<ListChanges> {
    app.read(move |space, call| space.lists().changes(call, &thread, before, limit as usize)).await
}

/// What was done to one item of a list, newest first.
#[tauri::command]
#[specta::specta]
pub async fn item_changes(app: Shell<'_>, thread: String, item: String, limit: u32) -> Answered<Vec<ListChange>> {
    let limit = limit.min(MOST_CHANGES) as usize;
    app.read(move |space, call| space.lists().item_changes(call, &thread, &item, limit)).await
}

/// Makes the list before or after a change the list again. `base` as for `edit_list`.
#[tauri::command]
#[specta::specta]
pub async fn restore_list(app: Shell<'_>, thread: String, base: u64, change: i64, side: Side) -> Answered<Projection> {
    app.read(move |space, call| space.restore_list(call, &thread, base, change, side)).await
}

/// Leaves a note on an item for the agent, which gets it with `task_check`.
#[tauri::command]
#[specta::specta]
pub async fn add_list_note(app: Shell<'_>, thread: String, item: String, text: String) -> Answered<Note> {
    app.read(move |space, call| space.add_list_note(call, &thread, &item, &text)).await
}

/// Takes a note away.
#[tauri::command]
#[specta::specta]
pub async fn remove_list_note(app: Shell<'_>, thread: String, note: i64) -> Answered<()> {
    app.read(move |space, call| space.lists().remove_note(call, &thread, note)).await
}

/// Ticks an item as reviewed, or takes the tick away.
#[tauri::command]
#[specta::specta]
pub async fn set_item_reviewed(app: Shell<'_>, thread: String, item: String, reviewed: bool) -> Answered<()> {
    app.read(move |space, call| space.set_item_reviewed(call, &thread, &item, reviewed)).await
}
