//! Files that change behind the program's back while it works: a session that shrinks while it is read, and a space that
//! is removed or replaced while it is open.

use kiroku_api::types::SearchQuery;
use kiroku_api::{ImportOptions, NewSpace, Workspace, source_named};
use kiroku_model::{Call, Caller, Cancel, ErrorCode, Lang, Progress, SystemClock};
use serde_json::json;
use std::path::Path;
use std::sync::Arc;

fn new_space(path: &Path) -> Workspace {
    let new = NewSpace { name: "files".into(), owner: "m1".into(), owner_name: "One".into() };
    Workspace::create(path, &new, Arc::new(SystemClock)).unwrap()
}

fn call() -> Call {
    Call { caller: Caller::member("m1"), ..Call::default() }
}

fn total(workspace: &Workspace, query: &str) -> u64 {
    let query = SearchQuery { query: query.into(), limit: 1, count_all: true, ..SearchQuery::default() };
    workspace.conversations().search(&call(), &query).unwrap().body.unwrap().total
}

fn session(lines: usize) -> String {
    (0..lines)
        .map(|nth| {
            let line = json!({"type": "user", "uuid": format!("shrinking-{nth}"), "sessionId": "shrinking-session", "cwd": "/project",
                "timestamp": format!("2026-06-22T{:02}:{:02}:{:02}.000Z", nth / 3600, nth / 60 % 60, nth % 60),
                "message": {"role": "user", "content": format!("said number{nth} {}", "words ".repeat(40))}});
            format!("{line}\n")
        })
        .collect()
}

#[test]
fn a_session_that_shrinks_while_it_is_read() {
    let dir = tempfile::tempdir().unwrap();
    let workspace = new_space(&dir.path().join("space.db"));
    let path = dir.path().join("s.jsonl");
    let whole = session(3_000);
    let shorter = session(50);
    let source = source_named("claude-code").unwrap();
    let options = ImportOptions { owner: "m1".into(), lang: Lang::En };
    for left in ["", &shorter] {
        std::fs::write(&path, &whole).unwrap();
        let found = source.find(&path, &Cancel::new()).unwrap();
        // The first word on how far it is comes when the first of many commits is done: then most of the file goes.
        let cut = std::sync::Once::new();
        let shrink = |_: &Progress| cut.call_once(|| std::fs::write(&path, left).unwrap());
        let report = workspace.import_sessions(source, &found.files, &options, &Cancel::new(), &shrink).unwrap();
        assert!(cut.is_completed() && !report.cancelled);
        assert!(workspace.conversations().check_index().unwrap().is_empty());
        // The next time it is what the file holds now.
        let found = source.find(&path, &Cancel::new()).unwrap();
        workspace.import_sessions(source, &found.files, &options, &Cancel::new(), &|_: &Progress| {}).unwrap();
        if !left.is_empty() {
            assert_eq!(total(&workspace, "number"), 50);
        }
        std::fs::write(&path, &whole).unwrap();
        let found = source.find(&path, &Cancel::new()).unwrap();
        workspace.import_sessions(source, &found.files, &options, &Cancel::new(), &|_: &Progress| {}).unwrap();
        assert_eq!(total(&workspace, "number"), 3_000);
    }
}

#[test]
fn an_import_that_is_taken_back_goes_on_where_it_was() {
    let dir = tempfile::tempdir().unwrap();
    let workspace = new_space(&dir.path().join("space.db"));
    let path = dir.path().join("s.jsonl");
    std::fs::write(&path, session(3_000)).unwrap();
    let source = source_named("claude-code").unwrap();
    let options = ImportOptions { owner: "m1".into(), lang: Lang::En };
    let files = source.find(&path, &Cancel::new()).unwrap().files;
    let cancel = Cancel::new();
    let stop = |_: &Progress| cancel.cancel();
    let first = workspace.import_sessions(source, &files, &options, &cancel, &stop).unwrap();
    assert!(first.cancelled && first.comments > 0 && first.comments < 3_000, "{first:?}");
    assert_eq!(total(&workspace, "number"), first.comments, "what was committed stays, and is found");
    let second = workspace.import_sessions(source, &files, &options, &Cancel::new(), &|_: &Progress| {}).unwrap();
    assert_eq!((second.comments, second.changed), (3_000 - first.comments, 0), "and is not read again");
    assert_eq!(total(&workspace, "number"), 3_000);
}

#[test]
fn a_space_that_goes_away_while_open_is_told_and_nothing_is_written() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("space.db");
    let workspace = new_space(&path);
    let held = dir.path().join("moved.db");
    std::fs::rename(&path, &held).unwrap();
    let refused = || {
        for error in [
            workspace.info().map(drop).unwrap_err(),
            workspace.rename(&call().caller, "other").unwrap_err(),
            workspace
                .conversations()
                .search(&call(), &SearchQuery { query: "a".into(), limit: 1, ..SearchQuery::default() })
                .map(drop)
                .unwrap_err(),
        ] {
            assert_eq!(error.code(), ErrorCode::Damaged, "{error}");
            assert!(error.to_string().contains("removed or replaced"), "{error}");
        }
    };
    refused();
    // Another file in its place is another space, and is not written to.
    drop(new_space(&path));
    let before = std::fs::read(&path).unwrap();
    refused();
    assert_eq!(std::fs::read(&path).unwrap(), before);
    assert_eq!(Workspace::open(&path, Arc::new(SystemClock)).unwrap().info().unwrap().name, "files");
}
