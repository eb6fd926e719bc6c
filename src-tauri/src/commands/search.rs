//! Searching every conversation, drilling down, and taking results out.

use super::Shell;
use super::spaces::Saved;
use crate::app::Answered;
use crate::saving::save;
use kiroku_api::ResultFormat;
use kiroku_api::types::{Answer, Around, SearchQuery, SearchResults};
use kiroku_model::{CommentId, text};

/// Hits of one answer at most, and by themselves.
const MOST_HITS: usize = 500;
const HITS: usize = 50;
/// Neighbours of a comment that one answer holds at most, on each side.
const MOST_AROUND: usize = 500;

/// Searches the space. `field` names the field that asks, such as `search`: a new search takes back the earlier one of
/// the same field, which then ends with code `cancelled`. `turn` grows from call to call; begin with the clock.
/// `limit` is 50 if it is 0 or left out, and 500 at most; `after` is the last hit of the page before.
#[tauri::command]
#[specta::specta]
pub async fn search(app: Shell<'_>, field: String, turn: u64, query: SearchQuery) -> Answered<Answer<SearchResults>> {
    let limit = if query.limit == 0 { HITS } else { query.limit.min(MOST_HITS) };
    let query = SearchQuery { limit, context: query.context.min(MOST_AROUND), ..query };
    app.cancellable(field, turn, move |_, space, call| space.workspace().conversations().search(call, &query)).await
}

/// The raw conversation around a comment: `context` comments before and after it (500 at most). `more_before` with
/// `context` 0 is the comment's offset in its conversation.
#[tauri::command]
#[specta::specta]
pub async fn around(app: Shell<'_>, comment: CommentId, context: u32) -> Answered<Answer<Around>> {
    let context = (context as usize).min(MOST_AROUND);
    app.read(move |space, call| space.conversations().around(call, comment, context)).await
}

/// Has the person choose a file and writes the query's hits to it, 10,000 at most. `null`: the person chose none.
#[tauri::command]
#[specta::specta]
pub async fn export_results(
    app: Shell<'_>,
    work: String,
    query: SearchQuery,
    format: ResultFormat,
) -> Answered<Option<Saved>> {
    let name = match format {
        ResultFormat::Markdown => "search.md",
        ResultFormat::Json => "search.json",
    };
    app.cancellable(work, 0, move |app, space, call| {
        let title = text!(en: "Save the results", ja: "検索結果の保存");
        save(app, &title, name, None, |out| space.workspace().write_results(call, &query, format, out))
    })
    .await
}

/// Takes work back: a search by its field, long work by the name that it was given. Whether there was any.
#[tauri::command]
#[specta::specta]
pub async fn cancel(app: Shell<'_>, work: String) -> Answered<bool> {
    Ok(app.works().cancel(&work))
}
