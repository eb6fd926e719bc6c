//! Memory and knowledge: the records of the space's folder, as the window lists, edits and tends them.

use super::Shell;
use crate::app::Answered;
use kiroku_api::records::{
    FieldValue, Merged, RecordKind, RecordRef, Slug, merge, remove_field, set_field, set_status,
};
use kiroku_api::{
    KeptRecord, NewDraft, NewRecord, RecordAround, RecordDraft, RecordFields, RecordFinding, RecordList, RecordText,
    RecordsFound, RenamePreview, RenamedRecord, SaveResult,
};

/// All records in a line each, and the files among them that can be none. A later call takes back the one before it;
/// `turn` as for `search`.
#[tauri::command]
#[specta::specta]
pub async fn records(app: Shell<'_>, turn: u64) -> Answered<RecordList> {
    app.cancellable("records".to_owned(), turn, |_, space, call| space.workspace().record_list(call)).await
}

/// Makes the directories for records that are missing.
#[tauri::command]
#[specta::specta]
pub async fn make_record_folders(app: Shell<'_>) -> Answered<()> {
    app.read(|space, call| space.make_record_folders(call)).await
}

/// Searches records of these kinds for lines that hold the query as it is. `field` and `turn` as for `search`.
#[tauri::command]
#[specta::specta]
pub async fn search_records(
    app: Shell<'_>,
    field: String,
    turn: u64,
    query: String,
    kinds: Vec<RecordKind>,
) -> Answered<RecordsFound> {
    app.cancellable(field, turn, move |_, space, call| space.workspace().search_records(call, &query, &kinds)).await
}

/// A record's text, its version, and what the checker says of it.
#[tauri::command]
#[specta::specta]
pub async fn read_record(app: Shell<'_>, record: String) -> Answered<RecordText> {
    app.read(move |space, call| space.read_record(call, &record)).await
}

/// What stands around a record: what refers to it, where it came from, how often tools gave it.
#[tauri::command]
#[specta::specta]
pub async fn record_around(app: Shell<'_>, record: String) -> Answered<RecordAround> {
    app.read(move |space, call| space.record_around(call, &record)).await
}

/// What the checker says of a text that is not saved. A later check takes back the one before it.
#[tauri::command]
#[specta::specta]
pub async fn check_record(app: Shell<'_>, turn: u64, record: String, text: String) -> Answered<Vec<RecordFinding>> {
    let field = format!("check {record}");
    app.cancellable(field, turn, move |_, space, call| space.workspace().check_record(call, &record, &text)).await
}

/// The fields of a text's frontmatter.
#[tauri::command]
#[specta::specta]
pub async fn record_fields(app: Shell<'_>, record: String, text: String) -> Answered<RecordFields> {
    app.blocking(move |app| Ok(RecordFields::of(RecordRef::from_name(&record)?.kind, &text, app.lang()))).await
}

/// The text with one field of its frontmatter set.
#[tauri::command]
#[specta::specta]
pub async fn set_record_field(app: Shell<'_>, text: String, field: String, value: FieldValue) -> Answered<String> {
    app.blocking(move |_| set_field(&text, &field, &value)).await
}

/// The text with one field of its frontmatter taken out.
#[tauri::command]
#[specta::specta]
pub async fn remove_record_field(app: Shell<'_>, text: String, field: String) -> Answered<String> {
    app.blocking(move |_| remove_field(&text, &field)).await
}

/// The text of a decision with its status set, and by what it was replaced.
#[tauri::command]
#[specta::specta]
pub async fn set_record_status(app: Shell<'_>, text: String, status: String, by: Option<String>) -> Answered<String> {
    app.blocking(move |_| {
        let by = by.as_deref().map(Slug::parse).transpose()?;
        set_status(&text, &status, by.as_ref())
    })
    .await
}

/// Merges a draft, begun from `base`, with what is there at present, by lines.
#[tauri::command]
#[specta::specta]
pub async fn merge_record(app: Shell<'_>, base: String, draft: String, present: String) -> Answered<Merged> {
    app.blocking(move |_| Ok(merge(&base, &draft, &present))).await
}

/// Saves a person's text, errors and all. `base` is the version that it was made from; a file that is another by now is
/// left as it is, and comes back.
#[tauri::command]
#[specta::specta]
pub async fn save_record(app: Shell<'_>, record: String, text: String, base: String) -> Answered<SaveResult> {
    app.read(move |space, call| space.save_record(call, &record, &text, &base)).await
}

/// A slug for a new record of this title.
#[tauri::command]
#[specta::specta]
pub async fn suggest_slug(app: Shell<'_>, kind: RecordKind, title: String) -> Answered<String> {
    app.read(move |space, call| space.suggest_slug(call, kind, &title)).await
}

/// Makes a record out of its kind's template.
#[tauri::command]
#[specta::specta]
pub async fn create_record(app: Shell<'_>, record: NewRecord) -> Answered<RecordText> {
    app.read(move |space, call| space.create_record(call, &record)).await
}

/// Makes a record of a whole text: one that somebody removed while it was edited.
#[tauri::command]
#[specta::specta]
pub async fn create_record_of(app: Shell<'_>, record: String, text: String) -> Answered<RecordText> {
    app.read(move |space, call| space.create_record_of(call, &record, &text)).await
}

/// What a rename would change; an error where the rename would be one.
#[tauri::command]
#[specta::specta]
pub async fn preview_rename(app: Shell<'_>, record: String, slug: String) -> Answered<RenamePreview> {
    app.read(move |space, call| space.preview_rename(call, &record, &slug)).await
}

/// Gives a record another slug; references follow, all or nothing.
#[tauri::command]
#[specta::specta]
pub async fn rename_record(app: Shell<'_>, record: String, slug: String, base: String) -> Answered<RenamedRecord> {
    app.read(move |space, call| space.rename_record(call, &record, &slug, &base)).await
}

/// Gives a file whose name can be no record's a name that can; answers the record's name.
#[tauri::command]
#[specta::specta]
pub async fn mend_record_name(app: Shell<'_>, file: String, slug: String) -> Answered<String> {
    app.read(move |space, call| space.mend_record_name(call, &file, &slug)).await
}

/// Removes a record; answers the id by which it comes back within 30 days. Refused while another refers to it, unless
/// `force`.
#[tauri::command]
#[specta::specta]
pub async fn remove_record(app: Shell<'_>, record: String, base: String, force: bool) -> Answered<String> {
    app.read(move |space, call| space.remove_record(call, &record, &base, force)).await
}

/// Brings back a record that was removed or overwritten; answers its name.
#[tauri::command]
#[specta::specta]
pub async fn restore_record(app: Shell<'_>, id: String) -> Answered<String> {
    app.read(move |space, call| space.restore_record(call, &id)).await
}

/// What was removed or overwritten in the last 30 days, newest first.
#[tauri::command]
#[specta::specta]
pub async fn kept_records(app: Shell<'_>) -> Answered<Vec<KeptRecord>> {
    app.read(|space, call| space.kept_records(call)).await
}

/// Keeps a text that is not saved yet.
#[tauri::command]
#[specta::specta]
pub async fn save_draft(app: Shell<'_>, record: String, draft: NewDraft) -> Answered<()> {
    app.read(move |space, call| space.save_draft(call, &record, draft)).await
}

/// Forgets the draft of a record.
#[tauri::command]
#[specta::specta]
pub async fn drop_draft(app: Shell<'_>, record: String) -> Answered<()> {
    app.read(move |space, call| space.drop_draft(call, &record)).await
}

/// The texts of this space that were typed and not saved, newest first.
#[tauri::command]
#[specta::specta]
pub async fn record_drafts(app: Shell<'_>) -> Answered<Vec<RecordDraft>> {
    app.read(|space, call| space.record_drafts(call)).await
}
