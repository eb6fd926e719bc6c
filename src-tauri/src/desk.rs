//! What the shell needs of the computer's desktop (dialogs, links, the kept preferences, telling the page), behind one
//! trait: the real one is Tauri and its plugins, and tests have one that answers by itself.

use crate::events::Told;
use kiroku_model::{Error, ErrorCode, Lang, Result, Text, text};
use serde_json::Value;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tauri::path::BaseDirectory;
use tauri::{AppHandle, Manager, Runtime};
use tauri_plugin_dialog::{DialogExt, FileDialogBuilder, FilePath};
use tauri_plugin_fs::FsExt;
use tauri_plugin_opener::OpenerExt;
use tauri_plugin_store::{Store, StoreExt};

/// A kind of file in a dialog: what the person reads, and the ends of its name.
pub type FileKind<'a> = (&'a str, &'a [&'a str]);

/// The computer's desktop. The dialogs wait for the person, so they are asked on a thread that may wait.
pub trait Desk: Send + Sync {
    /// Tells the page. A page that is gone hears nothing.
    fn tell(&self, told: Told);
    /// A kept value.
    fn remembered(&self, key: &str) -> Option<Value>;
    /// Keeps a value, on disk when it returns.
    fn remember(&self, key: &str, value: Value) -> Result<()>;
    /// A file that ships with the program.
    fn resource(&self, name: &str) -> Result<PathBuf>;
    /// Has the person choose a folder.
    fn choose_folder(&self, title: &str) -> Option<PathBuf>;
    /// Has the person choose files.
    fn choose_files(&self, title: &str, kind: FileKind<'_>, several: bool) -> Vec<PathBuf>;
    /// Has the person choose where something is written; they have agreed to replace what is there.
    fn choose_place(&self, title: &str, name: &str, folder: Option<&Path>, kind: FileKind<'_>) -> Option<PathBuf>;
    /// Opens a file for writing, new.
    fn create(&self, path: &Path) -> std::io::Result<File>;
    /// Opens a web page in the person's browser.
    fn open_url(&self, url: &str) -> Result<()>;
    /// Shows a file in the person's file manager.
    fn reveal(&self, path: &Path) -> Result<()>;
    /// Shows the window's frame and the page's own controls light or dark; `None`: as the computer does.
    fn set_theme(&self, theme: Option<tauri::Theme>);
    /// Shows the menu in this language.
    fn set_lang(&self, lang: Lang);
}

/// The real one.
pub struct TauriDesk<R: Runtime> {
    app: AppHandle<R>,
    store: Arc<Store<R>>,
}

impl<R: Runtime> TauriDesk<R> {
    /// Over a running app; what is kept stands in `store`, which is made if it is not there.
    pub fn new(app: AppHandle<R>, store: &Path) -> Result<TauriDesk<R>> {
        let store = app.store_builder(store).disable_auto_save().build();
        Ok(TauriDesk { store: store.map_err(|error| not_kept(&error))?, app })
    }

    fn dialog(&self, title: &str) -> FileDialogBuilder<R> {
        let dialog = self.app.dialog().file().set_title(title);
        match self.app.get_webview_window("main") {
            Some(window) => dialog.set_parent(&window),
            None => dialog,
        }
    }
}

fn not_kept(error: &dyn std::fmt::Display) -> Error {
    Error::new(ErrorCode::Io, text!(en: "the preferences can't be kept: {error}", ja: "設定を保存できません: {error}"))
}

fn not_opened(what: &str, error: &dyn std::fmt::Display) -> Error {
    let Text { en, ja } = text!(en: "{what} can't be opened: {error}", ja: "{what} を開けません: {error}");
    Error::new(ErrorCode::Io, Text { en, ja })
}

fn path_of(chosen: FilePath) -> Option<PathBuf> {
    chosen.into_path().ok()
}

impl<R: Runtime> Desk for TauriDesk<R> {
    fn tell(&self, told: Told) {
        if let Err(error) = told.emit(&self.app) {
            log::warn!("an event was not sent: {error}");
        }
    }

    fn remembered(&self, key: &str) -> Option<Value> {
        self.store.get(key)
    }

    fn remember(&self, key: &str, value: Value) -> Result<()> {
        self.store.set(key, value);
        self.store.save().map_err(|error| not_kept(&error))
    }

    fn resource(&self, name: &str) -> Result<PathBuf> {
        let installed = self.app.path().resolve(name, BaseDirectory::Resource).map_err(Error::internal)?;
        // A program that was built and not installed has them beside it, wherever it was built.
        let beside = tauri::process::current_binary(&self.app.env()).ok().map(|program| program.with_file_name(name));
        Ok(beside.filter(|path| !installed.exists() && path.exists()).unwrap_or(installed))
    }

    fn choose_folder(&self, title: &str) -> Option<PathBuf> {
        self.dialog(title).blocking_pick_folder().and_then(path_of)
    }

    fn choose_files(&self, title: &str, (name, ends): FileKind<'_>, several: bool) -> Vec<PathBuf> {
        let dialog = self.dialog(title).add_filter(name, ends);
        let chosen = match several {
            true => dialog.blocking_pick_files().unwrap_or_default(),
            false => dialog.blocking_pick_file().into_iter().collect(),
        };
        chosen.into_iter().filter_map(path_of).collect()
    }

    fn choose_place(
        &self,
        title: &str,
        name: &str,
        folder: Option<&Path>,
        (kind, ends): FileKind<'_>,
    ) -> Option<PathBuf> {
        let dialog = self.dialog(title).set_file_name(name).add_filter(kind, ends);
        let dialog = match folder {
            Some(folder) => dialog.set_directory(folder),
            None => dialog,
        };
        dialog.blocking_save_file().and_then(path_of)
    }

    fn create(&self, path: &Path) -> std::io::Result<File> {
        let mut options = tauri_plugin_fs::OpenOptions::new();
        options.write(true).create(true).truncate(true);
        self.app.fs().open(path.to_owned(), options)
    }

    fn open_url(&self, url: &str) -> Result<()> {
        self.app.opener().open_url(url, None::<&str>).map_err(|error| not_opened(url, &error))
    }

    fn reveal(&self, path: &Path) -> Result<()> {
        let shown = path.display().to_string();
        self.app.opener().reveal_item_in_dir(path).map_err(|error| not_opened(&shown, &error))
    }

    fn set_theme(&self, theme: Option<tauri::Theme>) {
        self.app.set_theme(theme);
    }

    fn set_lang(&self, lang: Lang) {
        crate::menu::show(&self.app, lang);
    }
}
