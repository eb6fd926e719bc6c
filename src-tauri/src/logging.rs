//! The log: what went wrong in the background, in a file of the app's own. Nothing of a conversation is written there.

use crate::launch::Place;
use tauri::Runtime;
use tauri::plugin::TauriPlugin;
use tauri_plugin_log::{Builder, RotationStrategy, Target, TargetKind};

/// The largest log file in bytes; one more is kept.
const LARGEST: u128 = 1 << 20;

/// The log plugin, which writes to `logs/` in the app's directory. Panics are written there too.
pub fn plugin<R: Runtime>(place: &Place) -> TauriPlugin<R> {
    let default = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        log::error!("panic: {panic}");
        default(panic);
    }));
    let file = TargetKind::Folder { path: place.data_dir.join("logs"), file_name: Some("kiroku".to_owned()) };
    Builder::new()
        .clear_targets()
        .target(Target::new(file))
        .level(log::LevelFilter::Warn)
        .max_file_size(LARGEST)
        .rotation_strategy(RotationStrategy::KeepOne)
        .build()
}
