//! A space of its own for a test, with agents' directories beside it, and lines to put there.

use kiroku_api::types::SearchQuery;
use kiroku_api::{ImportOptions, ImportReport, NewSpace, Source, Workspace, source_named};
use kiroku_model::{Call, Caller, Cancel, CommentId, Lang, Progress, SystemClock};
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use tempfile::TempDir;

pub struct Place {
    dir: TempDir,
    pub workspace: Workspace,
}

impl Place {
    pub fn new() -> Place {
        let dir = tempfile::tempdir().unwrap();
        let new = NewSpace { name: "Test".into(), owner: "m1".into(), owner_name: "One".into() };
        let workspace = Workspace::create(&dir.path().join("space.db"), &new, Arc::new(SystemClock)).unwrap();
        Place { dir, workspace }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Writes lines to a file, behind those that are there.
    pub fn append(&self, name: &str, lines: &[Value]) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let mut file = std::fs::OpenOptions::new().create(true).append(true).open(&path).unwrap();
        file.write_all(text(lines).as_bytes()).unwrap();
        path
    }

    /// Writes a file anew.
    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }

    /// Imports all that Claude Code has here.
    pub fn import(&self) -> ImportReport {
        self.import_of("claude-code")
    }

    pub fn import_of(&self, source: &str) -> ImportReport {
        let source = named(source);
        let found = source.find(self.dir.path(), &Cancel::new()).unwrap();
        let progress = |_: &Progress| {};
        self.workspace.import_sessions(source, &found.files, &owner(), &Cancel::new(), &progress).unwrap()
    }

    /// Tasks and comments in the space.
    pub fn counts(&self) -> (i64, i64) {
        let counts = self.workspace.counts().unwrap();
        (counts.tasks, counts.comments)
    }

    /// How many comments a search finds.
    pub fn found(&self, query: &str) -> usize {
        let query = SearchQuery { query: query.into(), limit: 100, ..SearchQuery::default() };
        let call = Call { caller: Caller::member("m1"), ..Call::default() };
        self.workspace.conversations().search(&call, &query).unwrap().body.unwrap().hits.len()
    }

    /// The one comment that a search finds.
    pub fn only(&self, query: &str) -> CommentId {
        let query = SearchQuery { query: query.into(), limit: 100, ..SearchQuery::default() };
        let call = Call { caller: Caller::member("m1"), ..Call::default() };
        let hits = self.workspace.conversations().search(&call, &query).unwrap().body.unwrap().hits;
        assert_eq!(hits.len(), 1);
        CommentId::parse(&hits[0].reference).unwrap()
    }

    /// Titles of all tasks, and how many comments each has, by the order in which they came in.
    pub fn tasks(&self) -> Vec<(String, i64)> {
        let db = rusqlite::Connection::open(self.path("space.db")).unwrap();
        let sql = "SELECT title, (SELECT count(*) FROM comment c WHERE c.task = t.id) FROM task t ORDER BY id";
        let mut rows = db.prepare(sql).unwrap();
        rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap().map(Result::unwrap).collect()
    }

    /// The list of a task: version, and each item's content and status.
    pub fn list(&self, task: i64) -> (u64, Vec<(String, String)>) {
        let list = self.workspace.lists().projection(&Call::default(), &format!("task:{task}")).unwrap();
        let items = list.items.into_iter().map(|item| (item.content, format!("{:?}", item.status)));
        (list.version, items.collect())
    }
}

pub fn named(source: &str) -> &'static dyn Source {
    source_named(source).unwrap()
}

pub fn owner() -> ImportOptions {
    ImportOptions { owner: "m1".into(), lang: Lang::En }
}

pub fn text(lines: &[Value]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// A line of Claude Code that a person typed.
pub fn typed(session: &str, uuid: &str, second: u32, text: &str) -> Value {
    json!({
        "type": "user", "uuid": uuid, "sessionId": session, "cwd": "/home/user/shop",
        "timestamp": time(second), "message": {"role": "user", "content": text},
    })
}

/// A line of Claude Code with one block of the agent.
pub fn said(session: &str, uuid: &str, second: u32, block: Value) -> Value {
    let message = json!({"id": uuid, "role": "assistant", "content": [block]});
    json!({
        "type": "assistant", "uuid": uuid, "sessionId": session, "cwd": "/home/user/shop",
        "timestamp": time(second), "message": message,
    })
}

pub fn time(second: u32) -> String {
    format!("2026-06-20T{:02}:{:02}:{:02}Z", 10 + second / 3600, second / 60 % 60, second % 60)
}
