//! Watching the open space for what anybody writes to it (this window, an agent's server, the command line, an import),
//! so that the page shows it within half a second.
//!
//! A thread holds one connection that never writes and asks it for SQLite's `data_version`, which changes when another
//! connection has committed; only then is the change feed read. What came between two looks is one event.

use crate::events::{SpaceChanged, SpaceLost, Told};
use kiroku_api::Workspace;
use kiroku_model::{Cancel, ErrorCode, Lang, Result};
use kiroku_store::{Change, Feed, FeedPosition};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

/// Between two looks, while the window is seen.
const SEEN: Duration = Duration::from_millis(150);
/// Between two looks, while it is not.
const UNSEEN: Duration = Duration::from_millis(1000);
/// Looks between two checks that the file is still the one that was opened.
const LOOKS_PER_CHECK: u32 = 7;

/// What watching needs.
pub struct Watching {
    /// The space.
    pub workspace: Arc<Workspace>,
    /// Its uid.
    pub space: String,
    /// The feed's end when the space was opened: what is written from then on is told, also what comes before the
    /// thread begins.
    pub from: FeedPosition,
    /// Whether nobody sees the window.
    pub unseen: Arc<AtomicBool>,
    /// Ends the watching when its other end is dropped.
    pub end: Receiver<()>,
    /// The window's language.
    pub lang: Arc<dyn Fn() -> Lang + Send + Sync>,
}

/// Watches until the other end of `end` is dropped or the file is lost, and tells what changes.
pub fn watch(watching: &Watching, tell: &dyn Fn(Told)) {
    if let Err(error) = look(watching, tell) {
        let path = watching.workspace.space().path().display().to_string();
        tell(Told::SpaceLost(SpaceLost {
            space: watching.space.clone(),
            path,
            error: error.to_wire((watching.lang)()),
        }));
    }
}

fn look(watching: &Watching, tell: &dyn Fn(Told)) -> Result<()> {
    let file = watching.workspace.space();
    let version = file.data_version()?;
    let mut seen = None;
    let mut position = watching.from.clone();
    let mut looks = 0;
    loop {
        let pause = if watching.unseen.load(Ordering::Relaxed) { UNSEEN } else { SEEN };
        match watching.end.recv_timeout(pause) {
            Err(RecvTimeoutError::Timeout) => {}
            Ok(()) | Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
        looks += 1;
        let now = Some(version.get()?);
        // A read looks whether the file is still in its place.
        if now == seen && looks % LOOKS_PER_CHECK != 0 {
            continue;
        }
        match file.read(&Cancel::new(), |conn| position.advance(conn)) {
            Ok(feed) => {
                seen = now;
                if let Some(changed) = changed(&watching.space, feed) {
                    tell(Told::SpaceChanged(changed));
                }
            }
            // Looked at again next time.
            Err(error) if error.code() == ErrorCode::Busy => {}
            Err(error) => return Err(error),
        }
    }
}

/// The feed as one event; nothing if there is nothing to read again.
fn changed(space: &str, feed: Feed) -> Option<SpaceChanged> {
    let (reload, changes) = match feed {
        Feed::Reload => (true, Vec::new()),
        Feed::Changes(rows) => (false, joined(rows)),
    };
    (reload || !changes.is_empty()).then(|| SpaceChanged { space: space.to_owned(), reload, changes })
}

/// One entry for each kind of row and task: an import makes a row a commit.
fn joined(rows: Vec<Change>) -> Vec<Change> {
    let mut places = std::collections::HashMap::new();
    let mut all: Vec<Change> = Vec::new();
    for row in rows {
        let place = *places.entry((row.entity.clone(), row.task)).or_insert(all.len());
        match all.get_mut(place) {
            Some(known) => {
                known.first = known.first.into_iter().chain(row.first).min();
                known.last = known.last.into_iter().chain(row.last).max();
            }
            None => all.push(row),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use kiroku_model::TaskId;

    #[test]
    fn many_rows_are_one_event_and_none_is_none() {
        let row = |entity: &str, task, id| Change { entity: entity.to_owned(), task, first: id, last: id };
        let one = Some(TaskId(1));
        let rows = vec![
            row("comment", one, Some(5)),
            row("member", None, None),
            row("comment", one, Some(3)),
            row("comment", Some(TaskId(2)), Some(9)),
        ];
        let told = changed("s", Feed::Changes(rows)).unwrap();
        assert!(!told.reload);
        let first = Change { entity: "comment".to_owned(), task: one, first: Some(3), last: Some(5) };
        assert_eq!((told.changes.len(), &told.changes[0]), (3, &first));
        assert_eq!(changed("s", Feed::Changes(Vec::new())), None);
        assert!(changed("s", Feed::Reload).unwrap().reload);
    }
}
