//! The one list of commands and events. The invoke handler and the page's TypeScript are made from it; a test fails
//! when `ui/src/bindings.ts` is stale, and `cargo run --example bindings` writes it anew.

use crate::boot::Boot;
use crate::commands::{import, lists, records, search, settings, spaces, tasks};
use crate::events::{
    Indexing, MenuChosen, Navigate, PreferencesChanged, RecordsChanged, SpaceChanged, SpaceLost, WorkProgress,
};
use crate::watching::SessionsWatched;
use kiroku_model::{Error, Result};
use specta_typescript::Typescript;
use std::path::Path;
use tauri::Runtime;
use tauri_specta::{Builder, collect_commands, collect_events};

/// The commands and events.
pub fn builder<R: Runtime>() -> Builder<R> {
    Builder::<R>::new()
        .commands(collect_commands![
            settings::start,
            settings::set_preferences,
            settings::forget_recent,
            settings::open_link,
            settings::reveal,
            settings::save_text,
            settings::agent_set_up,
            settings::memory_limits,
            settings::set_memory_limit,
            spaces::current_space,
            spaces::open_space,
            spaces::close_space,
            spaces::create_space,
            spaces::open_sample_space,
            spaces::choose_space_file,
            spaces::choose_new_space_file,
            spaces::choose_folder,
            spaces::suggest_space_file,
            spaces::space_risk,
            spaces::look_into_folder,
            spaces::rename_space,
            spaces::add_member,
            spaces::remove_member,
            spaces::act_as,
            spaces::export_space,
            spaces::backups,
            spaces::make_backup,
            spaces::restore_backup,
            spaces::doctor,
            search::search,
            search::around,
            search::export_results,
            search::cancel,
            tasks::tasks,
            tasks::task,
            tasks::conversation,
            tasks::find_in_task,
            tasks::outline,
            tasks::export_conversation,
            tasks::tool_call,
            tasks::mission,
            tasks::pin,
            tasks::unpin,
            tasks::forget,
            lists::board,
            lists::find_items,
            lists::thread_list,
            lists::edit_list,
            lists::list_changes,
            lists::item_changes,
            lists::restore_list,
            lists::add_list_note,
            lists::remove_list_note,
            lists::set_item_reviewed,
            records::records,
            records::make_record_folders,
            records::search_records,
            records::read_record,
            records::record_around,
            records::check_record,
            records::record_fields,
            records::set_record_field,
            records::remove_record_field,
            records::set_record_status,
            records::merge_record,
            records::save_record,
            records::suggest_slug,
            records::create_record,
            records::create_record_of,
            records::preview_rename,
            records::rename_record,
            records::mend_record_name,
            records::remove_record,
            records::restore_record,
            records::kept_records,
            records::save_draft,
            records::drop_draft,
            records::record_drafts,
            import::found_sessions,
            import::exclusions,
            import::set_excluded,
            import::choose_import_files,
            import::import_sessions,
            import::sessions_watched,
            import::watch_sessions,
            import::pause_watching,
        ])
        .events(collect_events![
            SpaceChanged,
            RecordsChanged,
            SpaceLost,
            WorkProgress,
            Indexing,
            MenuChosen,
            SessionsWatched,
            Navigate,
            PreferencesChanged,
        ])
        .typ::<Boot>()
        // Ids and counts fit in the 53 bits of a JavaScript number; `kiroku_model` refuses ids that do not.
        .dangerously_cast_bigints_to_number()
        .disable_serde_phases()
}

/// Writes the page's TypeScript to `path`.
pub fn write<R: Runtime>(path: &Path) -> Result<()> {
    let header = "// Generated from Rust by `cargo run --example bindings`: do not edit.\n";
    builder::<R>().export(Typescript::default().header(header), path).map_err(Error::internal)
}
