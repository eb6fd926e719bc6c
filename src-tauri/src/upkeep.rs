//! What an open space needs now and then, done in the background where nobody waits for it: the index's owed work, in
//! steps of at most 50 ms with a pause after each, the database's statistics, and the day's backup.

use crate::events::{Indexing, Told};
use kiroku_api::Workspace;
use kiroku_model::Cancel;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// After the space was opened: what the person looks at first comes first.
const FIRST: Duration = Duration::from_secs(2);
/// Between two rounds. A round with nothing to do is one small query.
const ROUNDS: Duration = Duration::from_secs(20);
/// After each step, so that others may write too.
const BREATH: Duration = Duration::from_millis(15);
/// Between two words of how far it is.
const TOLD: Duration = Duration::from_millis(250);

/// Keeps the space up until the other end of `end` is dropped or `cancel` is used.
pub fn keep_up(workspace: &Workspace, space: &str, cancel: &Cancel, end: &Receiver<()>, tell: &dyn Fn(Told)) {
    let mut pause = FIRST;
    while end.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
        pause = ROUNDS;
        let done = round(workspace, space, cancel, tell);
        match done {
            Ok(()) => {}
            Err(error) if error.code() == kiroku_model::ErrorCode::Busy => {}
            Err(error) => log::warn!("upkeep of the space: {error}"),
        }
    }
}

/// One round: the index first, then the statistics, then the backup.
pub fn round(workspace: &Workspace, space: &str, cancel: &Cancel, tell: &dyn Fn(Told)) -> kiroku_model::Result<()> {
    let mut said: Option<Instant> = None;
    let mut last = (0, 0);
    workspace.maintain(cancel, |done, total| {
        // Steps that sweep an old index away tell of no docs.
        if total > 0 {
            last = (done, total);
        }
        if total > 0 && said.is_none_or(|said| said.elapsed() >= TOLD) {
            said = Some(Instant::now());
            tell(Told::Indexing(Indexing { space: space.to_owned(), done, total, ended: false }));
        }
        std::thread::sleep(BREATH);
    })?;
    if said.is_some() {
        let total = last.1;
        tell(Told::Indexing(Indexing { space: space.to_owned(), done: total, total, ended: true }));
    }
    if cancel.is_cancelled() {
        return Ok(());
    }
    workspace.space().tend()?;
    workspace.daily_backup().map(drop)
}
