//! The commands that the page may call, each a thin caller of the façade. The page's bindings are generated from them.

pub mod import;
pub mod lists;
pub mod records;
pub mod search;
pub mod settings;
pub mod spaces;
pub mod tasks;

use crate::app::App;

/// How a command gets at the shell's state.
pub type Shell<'a> = tauri::State<'a, App>;
