//! Watching the record files of the open space for what anybody does to them (this window, an agent's server, another
//! editor, git), so that the page shows it within half a second.
//!
//! Engine 2 does the watching. This thread keeps it where the records are: their place follows from the settings file and
//! from which directories there are, and both may change while the space is open.

use crate::events::{RecordsChanged, Told};
use kiroku_api::Workspace;
use kiroku_api::records::{Memory, RecordRef, Settings, Watch, WatchEvent, WatchOptions};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

/// How often it is looked whether the records are still where they were.
const LOOK: Duration = Duration::from_secs(2);

/// Watches until the other end of `end` is dropped, and tells what changes.
pub fn watch(workspace: &Workspace, space: &str, end: &Receiver<()>, tell: &Arc<dyn Fn(Told) + Send + Sync>) {
    loop {
        let memory = workspace.memory().ok();
        let watch = memory.as_ref().map(|memory| begin(memory, space.to_owned(), Arc::clone(tell)));
        // What was read before it began may be old by now.
        tell(Told::RecordsChanged(RecordsChanged { space: space.to_owned(), refs: Vec::new(), all: true }));
        loop {
            match end.recv_timeout(LOOK) {
                Err(RecvTimeoutError::Timeout) => {}
                Ok(()) | Err(RecvTimeoutError::Disconnected) => return,
            }
            if place(workspace.memory().ok().as_ref()) != place(memory.as_ref()) {
                break;
            }
        }
        drop(watch);
    }
}

fn begin(memory: &Memory, space: String, tell: Arc<dyn Fn(Told) + Send + Sync>) -> Watch {
    memory.watch(WatchOptions::default(), move |event| match event {
        WatchEvent::Changed(files) => {
            let refs = files.iter().filter_map(|file| file.record.as_ref().map(RecordRef::name)).collect();
            tell(Told::RecordsChanged(RecordsChanged { space: space.clone(), refs, all: false }));
        }
        WatchEvent::Polling(why) => log::info!("{}", why.en),
    })
}

/// What a window shows of the records beside their texts: where they are and what their limits are; `None` while they
/// can't be reached.
fn place(memory: Option<&Memory>) -> Option<(&Path, &Settings)> {
    memory.map(|memory| (memory.root().path(), memory.settings()))
}
