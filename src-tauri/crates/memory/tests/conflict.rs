//! Two processes write one record as fast as they can while a third reads it. Every accepted write must have replaced
//! exactly what it was made from, every refused one must have been told, and no reader may ever see half a file.
//!
//! The test runs its own binary again as the children. `KIROKU_DRILL=1000` is the full drill.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test's own functions")]

mod common;

use common::{Space, call, decision};
use kiroku_memory::tools::{self, MemoryWriteInput, memory_write};
use kiroku_memory::{Memory, RecordKind, Settings, hash};
use kiroku_model::{ErrorCode, SystemClock};
use std::collections::HashMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

fn memory(folder: &str, data: &str) -> Memory {
    Memory::open(Path::new(folder), Settings::default(), Path::new(data), Arc::new(SystemClock)).unwrap()
}

/// A text of a size that differs from write to write, whose last line says what it holds: half of one is found out.
fn text(writer: &str, n: usize) -> String {
    let body = format!("{writer} {n}\n").repeat(1 + (n * 37) % 60);
    format!("{}end {}\n", decision(&body), hash(body.as_bytes()))
}

fn whole(text: &str) -> bool {
    let Some((_, rest)) = text.split_once("status: open\n---\n") else { return false };
    let Some((body, end)) = rest.rsplit_once("end ") else { return false };
    end.trim_end() == hash(body.as_bytes())
}

#[test]
#[ignore = "a child of the drill, which starts it by name"]
fn child() {
    let Ok(role) = std::env::var("DRILL_ROLE") else { return };
    let (folder, data) = (std::env::var("DRILL_FOLDER").unwrap(), std::env::var("DRILL_DATA").unwrap());
    let count: usize = std::env::var("DRILL_COUNT").unwrap().parse().unwrap();
    let memory = memory(&folder, &data);
    let plan = common::record(RecordKind::Decision, "plan");
    if role == "reader" {
        let mut read = 0;
        while !Path::new(&folder).join("stop").exists() {
            let text = memory.read(&plan).unwrap().text;
            assert!(whole(&text), "torn: {text}");
            read += 1;
        }
        println!("\nREAD {read}");
        return;
    }
    for n in 1..=count {
        let content = text(&role, n);
        let base = memory.read(&plan).unwrap().hash;
        let input = MemoryWriteInput {
            kind: RecordKind::Decision,
            slug: Some("plan".into()),
            content: content.clone(),
            create_only: None,
            base: Some(base.clone()),
        };
        match memory_write(&call(&memory), &input) {
            Ok(done) => {
                assert_eq!(done.replaced_hash.as_deref(), Some(base.as_str()));
                println!("\nDONE {base} {}", done.hash);
            }
            Err(error) => {
                assert_eq!(error.code(), ErrorCode::Conflict, "{error}");
                println!("\nREFUSED {n}");
            }
        }
    }
}

fn start(role: &str, space: &Space, count: usize) -> std::process::Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["child", "--exact", "--ignored", "--nocapture", "--test-threads=1"])
        .env("DRILL_ROLE", role)
        .env("DRILL_FOLDER", space.folder.path())
        .env("DRILL_DATA", space.data.path())
        .env("DRILL_COUNT", count.to_string())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

fn lines(child: std::process::Child) -> Vec<String> {
    let output = child.wait_with_output().unwrap();
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{shown}");
    shown.lines().map(str::to_owned).collect()
}

#[test]
fn two_writers_and_a_reader() {
    let count: usize = std::env::var("KIROKU_DRILL").ok().and_then(|n| n.parse().ok()).unwrap_or(200);
    let space = Space::new();
    let first = text("start", 0);
    space.put("memory/decisions/plan.md", &first);
    let reader = start("reader", &space, 0);
    let writers = [start("one", &space, count), start("two", &space, count)];
    let told: Vec<Vec<String>> = writers.into_iter().map(lines).collect();
    space.put("stop", "");
    let read = lines(reader);
    assert!(read.iter().any(|line| line.starts_with("READ ") && line != "READ 0"), "{read:?}");

    // From each version at most one other was made, and following them from the first leads to what is there: so every
    // accepted write is in the chain and none was overwritten unseen.
    let mut next = HashMap::new();
    let (mut done, mut refused) = (0, 0);
    for line in told.iter().flatten() {
        if let Some((base, made)) = line.strip_prefix("DONE ").and_then(|pair| pair.split_once(' ')) {
            assert_eq!(next.insert(base.to_owned(), made.to_owned()), None, "two writes were made from one version");
            done += 1;
        } else if line.starts_with("REFUSED") {
            refused += 1;
        }
    }
    assert_eq!(done + refused, 2 * count);
    let mut at = hash(first.as_bytes());
    let mut steps = 0;
    while let Some(made) = next.get(&at) {
        at.clone_from(made);
        steps += 1;
    }
    assert_eq!(steps, done);
    assert_eq!(at, hash(space.get("memory/decisions/plan.md").as_bytes()));
    // Every text that was replaced is in the recovery folder.
    assert_eq!(space.memory().recovery().list().len(), done);
    assert_eq!(space.all().len(), 2, "no temporary file is left");
    println!("{done} accepted, {refused} told of a conflict");
}

/// An editor that knows nothing of our lock writes in the same moment: its words are never lost without our being told.
#[test]
fn an_editor_outside_the_lock() {
    let space = Space::new();
    let memory = space.memory();
    let path = space.path("memory/decisions/plan.md");
    space.put("memory/decisions/plan.md", decision("0"));
    let stop = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let editor = {
        let (stop, path) = (stop.clone(), path.clone());
        std::thread::spawn(move || {
            let mut written = Vec::new();
            let mut n = 0;
            while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                n += 1;
                let text = decision(&format!("editor {n}"));
                let temp = path.with_file_name("editor.tmp");
                std::fs::write(&temp, &text).unwrap();
                std::fs::rename(&temp, &path).unwrap();
                written.push(hash(text.as_bytes()));
            }
            written
        })
    };
    let mut replaced = Vec::new();
    for n in 0..300 {
        let content = decision(&format!("ours {n}"));
        let input = tools::input(serde_json::json!({"kind": "decision", "slug": "plan", "content": content})).unwrap();
        match memory_write(&call(&memory), &input) {
            Ok(done) => replaced.push(done.replaced_hash),
            Err(error) => assert_eq!(error.code(), ErrorCode::Conflict, "{error}"),
        }
    }
    stop.store(true, std::sync::atomic::Ordering::Relaxed);
    let written = editor.join().unwrap();
    // What our accepted writes replaced is kept, each of it.
    let kept: Vec<String> = memory.recovery().list().into_iter().map(|entry| entry.hash).collect();
    assert!(!written.is_empty());
    assert!(replaced.iter().flatten().all(|hash| kept.contains(hash)));
    let present = hash(&std::fs::read(&path).unwrap());
    assert!(written.last() == Some(&present) || space.get("memory/decisions/plan.md").contains("ours"));
    assert_eq!(space.all().len(), 1, "no temporary file is left");
}
