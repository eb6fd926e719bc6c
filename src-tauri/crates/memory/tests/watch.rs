//! Changes on disk by others are seen, with the system's notices and without.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test's own functions")]

mod common;

use common::{Space, decision, knowledge};
use kiroku_memory::{ChangeKind, FileChange, Watch, WatchEvent, WatchOptions};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

fn watch(space: &Space, options: WatchOptions) -> (Watch, Receiver<WatchEvent>) {
    let (send, receive) = channel();
    let watch = space.memory().watch(options, move |event| {
        let _ = send.send(event);
    });
    (watch, receive)
}

/// Waits for one change of `file`; others may come first.
fn change(receive: &Receiver<WatchEvent>, file: &str) -> FileChange {
    loop {
        match receive.recv_timeout(Duration::from_secs(20)).unwrap() {
            WatchEvent::Changed(changes) => {
                if let Some(found) = changes.into_iter().find(|change| change.file == file) {
                    return found;
                }
            }
            WatchEvent::Polling(message) => panic!("{message:?}"),
        }
    }
}

fn sees_everything(options: WatchOptions) {
    let space = Space::new();
    let (watch, receive) = watch(&space, options);
    // The folder is made only now.
    space.put("memory/decisions/plan.md", decision("one"));
    assert_eq!(change(&receive, "memory/decisions/plan.md").kind, ChangeKind::Made);
    space.put("memory/decisions/plan.md", decision("other words"));
    let changed = change(&receive, "memory/decisions/plan.md");
    assert_eq!((changed.kind, changed.record.unwrap().to_string()), (ChangeKind::Changed, "decision plan".to_owned()));
    space.put("knowledge/Bad Name.md", knowledge("a", "b", true, "c"));
    assert_eq!(change(&receive, "knowledge/Bad Name.md").record, None);
    space.put("memory/workflow/x.md", "never told");
    space.put("memory/summary.md", "x");
    assert_eq!(change(&receive, "memory/summary.md").kind, ChangeKind::Made);
    // The folder goes and comes back.
    std::fs::remove_dir_all(space.path("memory/decisions")).unwrap();
    assert_eq!(change(&receive, "memory/decisions/plan.md").kind, ChangeKind::Removed);
    space.put("memory/decisions/plan.md", decision("again"));
    assert_eq!(change(&receive, "memory/decisions/plan.md").kind, ChangeKind::Made);
    space.put("memory/decisions/later.md", decision("more"));
    assert_eq!(change(&receive, "memory/decisions/later.md").kind, ChangeKind::Made);
    drop(watch);
    assert!(receive.iter().all(
        |event| matches!(event, WatchEvent::Changed(changes) if changes.iter().all(|c| !c.file.contains("workflow")))
    ));
}

#[test]
fn by_notices() {
    sees_everything(WatchOptions::default());
}

#[test]
fn by_looking() {
    sees_everything(WatchOptions { poll: true, every: Duration::from_millis(10) });
}
