//! What the shell tells the page by itself. The page listens by the generated bindings; everything else is an answer to
//! a command.

use crate::launch::Location;
use crate::preferences::Preferences;
use crate::watching::SessionsWatched;
use kiroku_model::WireError;
use kiroku_store::Change;

use serde::{Deserialize, Serialize};
use specta::Type;
use tauri_specta::Event;

/// The space was written to, by this program or another: what has to be read again. Sent at most every 150 ms.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type, Event)]
pub struct SpaceChanged {
    /// The space's uid.
    pub space: String,
    /// Everything has to be read again; `changes` is empty then.
    pub reload: bool,
    /// What changed, one entry for each kind of row and task.
    pub changes: Vec<Change>,
}

/// Record files of the space changed on disk, by this program or another: what has to be read again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type, Event)]
pub struct RecordsChanged {
    /// The space's uid.
    pub space: String,
    /// The names of the records, such as `decision:use-cookies`; files that can be none are not named.
    pub refs: Vec<String>,
    /// Everything has to be read again: watching begins, the records are elsewhere now, or their settings are others.
    pub all: bool,
}

/// The space's file was removed or replaced: nothing can be read any more until it is opened again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type, Event)]
pub struct SpaceLost {
    /// The space's uid.
    pub space: String,
    /// Where its file was.
    pub path: String,
    /// Why.
    pub error: WireError,
}

/// How far long work is. Its end is told by the command's answer.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type, Event)]
pub struct WorkProgress {
    /// The name that the page gave the work.
    pub work: String,
    /// What is being worked on, such as a file's path; empty at the end.
    pub what: String,
    /// Units done: bytes of an import, comments of an index.
    pub done: u64,
    /// Units in all, if known.
    pub total: Option<u64>,
    /// Files done, and files in all (an import).
    pub files: u64,
    /// Files in all.
    pub total_files: u64,
    /// Comments that are new.
    pub comments: u64,
    /// Comments a second so far.
    pub rate: f64,
    /// Seconds that are left at the pace so far; `None` while that can't be told.
    pub seconds_left: Option<f64>,
}

/// The search index is being built or renewed in the background; searching works meanwhile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type, Event)]
pub struct Indexing {
    /// The space's uid.
    pub space: String,
    /// Comments done.
    pub done: u64,
    /// Comments in all, about.
    pub total: u64,
    /// Whether that was the end.
    pub ended: bool,
}

/// The person chose something in the native menu that the page does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type, Event)]
pub struct MenuChosen {
    /// What.
    pub command: MenuCommand,
}

/// What the page does from the menu.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum MenuCommand {
    /// Make a new space.
    NewSpace,
    /// Open a space or a folder.
    OpenSpace,
    /// Import sessions.
    Import,
    /// Export the space.
    Export,
    /// Show the settings.
    Settings,
    /// Show the palette.
    Palette,
    /// Find in this view.
    Find,
    /// Show the search.
    Search,
    /// Show the tasks.
    Tasks,
    /// Show the board.
    Board,
    /// Show the memory.
    Memory,
    /// Show the knowledge.
    Knowledge,
    /// Go back.
    Back,
    /// Go forward.
    Forward,
}

/// Somebody asked for a place in the app from outside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type, Event)]
pub struct Navigate {
    /// Where. From outside: the page only navigates by it.
    pub location: Location,
}

/// The preferences are others now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type, Event)]
pub struct PreferencesChanged {
    /// All of them.
    pub preferences: Preferences,
    /// The language that follows from them.
    pub lang: kiroku_model::Lang,
}

/// Any of them, on its way to the page.
#[derive(Clone, Debug, PartialEq)]
pub enum Told {
    /// See [`SpaceChanged`].
    SpaceChanged(SpaceChanged),
    /// See [`RecordsChanged`].
    RecordsChanged(RecordsChanged),
    /// See [`SpaceLost`].
    SpaceLost(SpaceLost),
    /// See [`WorkProgress`].
    WorkProgress(WorkProgress),
    /// See [`Indexing`].
    Indexing(Indexing),
    /// See [`MenuChosen`].
    MenuChosen(MenuChosen),
    /// See [`SessionsWatched`].
    SessionsWatched(SessionsWatched),
    /// See [`Navigate`].
    Navigate(Navigate),
    /// See [`PreferencesChanged`].
    PreferencesChanged(PreferencesChanged),
}

impl Told {
    /// Sends it to every window.
    pub fn emit<R: tauri::Runtime>(self, app: &tauri::AppHandle<R>) -> tauri::Result<()> {
        match self {
            Told::SpaceChanged(event) => event.emit(app),
            Told::RecordsChanged(event) => event.emit(app),
            Told::SpaceLost(event) => event.emit(app),
            Told::WorkProgress(event) => event.emit(app),
            Told::Indexing(event) => event.emit(app),
            Told::MenuChosen(event) => event.emit(app),
            Told::SessionsWatched(event) => event.emit(app),
            Told::Navigate(event) => event.emit(app),
            Told::PreferencesChanged(event) => event.emit(app),
        }
    }
}
