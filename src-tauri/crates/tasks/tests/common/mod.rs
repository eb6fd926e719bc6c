//! A space on disk to test with, and what the tests say often.
#![allow(dead_code, reason = "each test file uses a part")]
#![allow(clippy::unwrap_used, reason = "test code")]

use kiroku_model::{Call, Clock, TaskId, Time};
use kiroku_store::{NewSpace, Setup, SpaceFile};
use kiroku_tasks::input::{ItemInput, TaskWrite};
use kiroku_tasks::{Door, Item, Status, TaskLists, ThreadKey, Writer};
use rusqlite::params;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use tempfile::TempDir;

/// A clock that goes on one second each time it is read.
pub struct Ticking(pub AtomicI64);

impl Clock for Ticking {
    fn now(&self) -> Time {
        Time(self.0.fetch_add(1000, Ordering::Relaxed))
    }
}

/// When the tests' clock begins.
pub const START: i64 = 1_800_000_000_000;

pub fn setup() -> Setup {
    Setup { clock: Arc::new(Ticking(AtomicI64::new(START))), on_connect: |_| Ok(()) }
}

/// A new space with its engine; the directory lives as long as the first value.
pub fn space() -> (TempDir, TaskLists) {
    let dir = tempfile::tempdir().unwrap();
    let new = NewSpace { name: "開発".into(), owner: "m1".into(), owner_name: "代表".into() };
    let file = SpaceFile::create(&dir.path().join("space.db"), &new, setup()).unwrap();
    (dir, TaskLists::new(Arc::new(file)))
}

/// Another handle on the same file, as another process would have.
pub fn again(dir: &Path) -> TaskLists {
    TaskLists::new(Arc::new(SpaceFile::open(&dir.join("space.db"), setup()).unwrap()))
}

pub fn call() -> Call {
    Call::default()
}

pub fn agent() -> Writer {
    Writer::new("agent", Door::Mcp)
}

pub fn person() -> Writer {
    Writer::new("m1", Door::App)
}

pub fn key(thread: &str) -> ThreadKey {
    ThreadKey::new(thread, "m1").unwrap()
}

pub fn input(content: &str, status: Status) -> ItemInput {
    ItemInput { id: None, content: content.into(), status, active_form: format!("Doing {content}") }
}

pub fn pending(contents: &[&str]) -> TaskWrite {
    TaskWrite { tasks: contents.iter().map(|content| input(content, Status::Pending)).collect() }
}

/// The agent writes these items, all to do.
pub fn write(lists: &TaskLists, thread: &str, contents: &[&str]) {
    let answer = lists.task_write(&call(), Some(&key(thread)), &agent(), &pending(contents)).unwrap();
    assert!(!answer.is_error, "{}", answer.content);
}

pub fn contents(items: &[Item]) -> Vec<&str> {
    items.iter().map(|item| item.content.as_str()).collect()
}

pub fn version(lists: &TaskLists, thread: &str) -> u64 {
    lists.projection(&call(), thread).unwrap().version
}

/// The rows of a thread's history that the list went along, oldest first; asserts that each begins where the one
/// before ended, and that the last ends with the list.
pub fn chain(lists: &TaskLists, thread: &str) -> Vec<kiroku_tasks::HistoryRow> {
    let mut rows = Vec::new();
    lists
        .space()
        .read(&call().cancel, |conn| {
            kiroku_tasks::exchange::each_history(conn, thread, |row| {
                rows.push(row);
                Ok(())
            })
        })
        .unwrap();
    rows.retain(|row| row.version > 0);
    let list = lists.projection(&call(), thread).unwrap();
    let mut before: &[Item] = &[];
    for (place, row) in rows.iter().enumerate() {
        assert_eq!(row.version, place as u64 + 1);
        assert_eq!(row.before, before, "version {}", row.version);
        before = &row.after;
    }
    assert_eq!(before, list.items);
    assert_eq!(rows.len() as u64, list.version);
    rows
}

/// A task with no conversation yet.
pub fn task(lists: &TaskLists, uid: &str) -> TaskId {
    lists
        .space()
        .write(|tx| {
            tx.execute("INSERT INTO task (uid, owner, created, updated, active) VALUES (?1, 'm1', 0, 0, 0)", [uid])
                .unwrap();
            Ok(TaskId(tx.last_insert_rowid()))
        })
        .unwrap()
}

/// A tool call at the end of a task's conversation.
pub fn tool_call(lists: &TaskLists, task: TaskId, at: i64, tool: &str, input: &str, output: Option<&str>) -> i64 {
    lists
        .space()
        .write(|tx| {
            let seq: i64 = tx
                .query_row("SELECT coalesce(max(seq), 0) + 1 FROM comment WHERE task = ?1", [task.0], |row| row.get(0))
                .unwrap();
            tx.execute(
                "INSERT INTO comment (task, seq, key, author, kind, progress, tool, created, body)
                 VALUES (?1, ?2, ?3, 'agent', 'progress', 'tool', ?4, ?5, '')",
                params![task.0, seq, format!("k{seq}"), tool, at],
            )
            .unwrap();
            let id = tx.last_insert_rowid();
            tx.execute(
                "INSERT INTO tool_data (comment, input, input_bytes, output, output_bytes) VALUES (?1, ?2, 1, ?3, 1)",
                params![id, input, output],
            )
            .unwrap();
            Ok(id)
        })
        .unwrap()
}
