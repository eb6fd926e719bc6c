//! The app itself: what it is, what the person chose, links and files outside of it.

use super::Shell;
use super::spaces::{Saved, file_name};
use crate::app::Answered;
use crate::launch::Location;
use crate::preferences::{self, FONT_SIZES, Preferences, RecentSpace};
use crate::saving::save;
use kiroku_api::records::Settings;
use kiroku_api::{AgentSetUp, SETTINGS_FILE, Workspace, set_up};
use kiroku_model::{Error, Lang, Result, text};
use serde::Serialize;
use specta::Type;
use std::io::Write;
use std::path::PathBuf;

/// What the page asks first, after its first paint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Type)]
pub struct Start {
    /// What the app is.
    pub app: AppInfo,
    /// What the person chose.
    pub preferences: Preferences,
    /// The language that follows from it.
    pub lang: Lang,
    /// The spaces that were open lately, the last one first; none at the first run. Open the first one with `open_space`.
    pub recent: Vec<RecentSpace>,
    /// Where to go first, if somebody asked from outside. Given once.
    pub location: Option<Location>,
}

/// What the app is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Type)]
pub struct AppInfo {
    /// Its version.
    pub version: String,
    /// `linux`, `macos` or `windows`.
    pub platform: String,
    /// Where it keeps what is its own.
    pub data_dir: String,
    /// The name of the person's account: an id for the first member of a new space.
    pub account: String,
}

/// What the page asks first.
#[tauri::command]
#[specta::specta]
pub async fn start(app: Shell<'_>) -> Answered<Start> {
    app.blocking(|app| {
        Ok(Start {
            app: AppInfo {
                version: env!("CARGO_PKG_VERSION").to_owned(),
                platform: std::env::consts::OS.to_owned(),
                data_dir: app.place().data_dir.display().to_string(),
                account: app.place().account.clone(),
            },
            preferences: app.preferences(),
            lang: app.lang(),
            recent: preferences::recent(app.desk()),
            location: app.take_location(),
        })
    })
    .await
}

/// Keeps what the person chose. The window, its menu and every other listener follow by the event `PreferencesChanged`.
#[tauri::command]
#[specta::specta]
pub async fn set_preferences(app: Shell<'_>, preferences: Preferences) -> Answered<()> {
    app.blocking(move |app| {
        if !FONT_SIZES.contains(&preferences.font_size) {
            let (least, most) = (FONT_SIZES.start(), FONT_SIZES.end());
            return Err(Error::invalid(text!(
                en: "the size of text is {least} to {most} pixels",
                ja: "文字の大きさは {least} から {most} ピクセルです"
            )));
        }
        app.set_preferences(preferences)
    })
    .await
}

/// Takes a space off the list of recent ones; its file stays.
#[tauri::command]
#[specta::specta]
pub async fn forget_recent(app: Shell<'_>, path: String) -> Answered<Vec<RecentSpace>> {
    app.blocking(move |app| {
        preferences::forget_recent(app.desk(), &path)?;
        Ok(preferences::recent(app.desk()))
    })
    .await
}

/// Opens a web page in the person's browser: `http`, `https` and `mailto` only.
#[tauri::command]
#[specta::specta]
pub async fn open_link(app: Shell<'_>, url: String) -> Answered<()> {
    app.blocking(move |app| {
        let scheme = url.split_once(':').map(|(scheme, _)| scheme.to_ascii_lowercase()).unwrap_or_default();
        let plain = !url.chars().any(|c| c.is_control() || c.is_whitespace());
        if !plain || !["http", "https", "mailto"].contains(&scheme.as_str()) {
            return Err(Error::invalid(text!(
                en: "this link is not opened: only http, https and mailto links are",
                ja: "このリンクは開けません。開けるのは http、https、mailto のリンクだけです"
            )));
        }
        app.desk().open_url(&url)
    })
    .await
}

/// Shows the space's file, one of its backups, or something in its folder in the person's file manager.
#[tauri::command]
#[specta::specta]
pub async fn reveal(app: Shell<'_>, path: String) -> Answered<()> {
    app.blocking(move |app| app.desk().reveal(&PathBuf::from(path))).await
}

/// Has the person choose a file and writes this text to it. `null`: they chose none. `name` is the name to begin with.
#[tauri::command]
#[specta::specta]
pub async fn save_text(app: Shell<'_>, name: String, text: String) -> Answered<Option<Saved>> {
    app.blocking(move |app| {
        let title = text!(en: "Save", ja: "保存");
        save(app, &title, &file_name(&name), None, |out| {
            let wrote = out.write_all(text.as_bytes());
            wrote
                .map(|()| 1)
                .map_err(|error| Error::io(text!(en: "writing the file", ja: "ファイルの書き込み"), &error))
        })
    })
    .await
}

/// How agents are set up to reach the open space over MCP, as the app's member: texts to be copied.
#[tauri::command]
#[specta::specta]
pub async fn agent_set_up(app: Shell<'_>) -> Answered<Vec<AgentSetUp>> {
    app.blocking(|app| {
        let space = app.open_space()?;
        Ok(set_up(&app.place().cli, space.path(), &space.member(), app.lang()))
    })
    .await
}

/// How long the open space's records may be, and how much a search in them gives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Type)]
pub struct MemoryLimits {
    /// The file that they stand in.
    pub file: String,
    /// What is set, or holds by itself.
    pub limits: Vec<MemoryLimit>,
    /// What is wrong in the file; there the default holds.
    pub problems: Vec<String>,
}

/// One of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Type)]
pub struct MemoryLimit {
    /// Its name in the file.
    pub name: String,
    /// What holds.
    pub value: u64,
    /// What holds by itself.
    pub default: u64,
}

/// The limits of the open space's records.
#[tauri::command]
#[specta::specta]
pub async fn memory_limits(app: Shell<'_>) -> Answered<MemoryLimits> {
    app.read(|space, call| limits(space, call.lang)).await
}

/// Sets one of them, in the space's `kiroku.toml`; all else in that file stays as it is.
#[tauri::command]
#[specta::specta]
pub async fn set_memory_limit(app: Shell<'_>, name: String, value: u64) -> Answered<MemoryLimits> {
    app.read(move |space, call| {
        space.set_memory_limit(&name, value)?;
        limits(space, call.lang)
    })
    .await
}

fn limits(space: &Workspace, lang: Lang) -> Result<MemoryLimits> {
    let (settings, problems) = space.memory_settings()?;
    let (now, own) = (settings.limits(), Settings::default().limits());
    let limits = now.iter().zip(own).map(|((name, value), (_, default))| MemoryLimit {
        name: (*name).to_owned(),
        value: *value as u64,
        default: default as u64,
    });
    Ok(MemoryLimits {
        file: space.folder().join(SETTINGS_FILE).display().to_string(),
        limits: limits.collect(),
        problems: problems.iter().map(|problem| problem.message.get(lang).to_owned()).collect(),
    })
}
