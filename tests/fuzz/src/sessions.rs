//! A session file of any bytes is read to its end, in one go and in pieces, and must say the same both times.

use kiroku_sources::{Cursor, Event, SessionFile, Source};
use std::path::{Path, PathBuf};

/// A place for the file that is read, one a process.
fn place() -> PathBuf {
    thread_local! {
        static DIR: tempfile::TempDir = tempfile::tempdir().expect("a temporary directory");
    }
    DIR.with(|dir| dir.path().to_owned())
}

/// How often reading stops before it goes to the end.
const STOPS: usize = 5;

/// Reads `data` as the session `name` of `source`. Its first byte says after how many lines reading stops each time.
pub fn read(source: &dyn Source, name: &str, data: &[u8]) {
    let Some((step, content)) = data.split_first() else { return };
    let path = place().join(name);
    std::fs::write(&path, content).expect("the file is written");
    let (whole, at) = events(source, &path, None, usize::MAX);
    let (mut pieces, mut from) = (Vec::new(), None::<Cursor>);
    for stop in 0..=STOPS {
        let most = if stop < STOPS { usize::from(*step).max(1) } else { usize::MAX };
        let (more, cursor) = events(source, &path, from.as_ref(), most);
        pieces.extend(more);
        // As the space keeps it.
        let json = serde_json::to_string(&cursor).expect("a cursor is JSON");
        from = Some(serde_json::from_str(&json).expect("and is read back"));
    }
    assert_eq!(whole, pieces, "read in pieces of {step} lines");
    assert_eq!(from.map(|cursor| cursor.offset), Some(at.offset));
}

/// What up to `most` lines say. Tasks are left out: a reader that goes on tells of its tasks anew.
fn events(source: &dyn Source, path: &Path, from: Option<&Cursor>, most: usize) -> (Vec<Event>, Cursor) {
    let bytes = std::fs::metadata(path).expect("the file is there").len();
    let file = SessionFile { path: path.to_owned(), folder: None, bytes };
    let mut reader = source.open(&file, from).expect("a regular file opens");
    assert!(!reader.restarted(), "nobody rewrote it");
    let mut events = Vec::new();
    for _ in 0..most {
        if !reader.next(&mut events).expect("a regular file is read") {
            break;
        }
    }
    events.retain(|event| !matches!(event, Event::Task(_)));
    (events, reader.cursor())
}
