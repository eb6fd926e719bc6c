//! What is imported in the drill: session files with subagents, and a file in the exchange format that has what is easy
//! to get half: tasks before and without rows of their own, without times, pins, members, attachments, tool data.

use crate::random::Random;
use crate::words::Words;
use crate::{Result, sessions};
use kiroku_model::Time;
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Tasks in the exchange file, and comments in each.
const TASKS: usize = 60;
const COMMENTS: usize = 40;

/// The files.
pub struct Input {
    /// The folder of session files.
    pub sessions: PathBuf,
    /// The file in the exchange format.
    pub exchange: PathBuf,
}

impl Input {
    /// Both in one command, one after the other.
    pub fn args(&self) -> Result<[&'static str; 3]> {
        let text = |path: &'_ Path| path.to_str().map(str::to_owned).ok_or("a temporary path that is not UTF-8");
        let (sessions, exchange) = (text(&self.sessions)?, text(&self.exchange)?);
        // Leaked: two short texts, once a process, so that the arguments can be plain `&str`s.
        Ok(["import", sessions.leak(), exchange.leak()])
    }
}

/// A few sessions only, where the file's size is what takes the time; the folder.
pub fn write_small(folder: &Path, seed: u64) -> Result<PathBuf> {
    let mut random = Random::new(seed);
    let words = Words::new(&mut random);
    let sessions = folder.join("few");
    sessions::write(&sessions, &words, &mut random, 4, 4)?;
    Ok(sessions)
}

/// Writes them below `folder`.
pub fn write(folder: &Path, seed: u64) -> Result<Input> {
    let mut random = Random::new(seed);
    let words = Words::new(&mut random);
    let input = Input { sessions: folder.join("projects"), exchange: folder.join("exchange.jsonl") };
    sessions::write(&input.sessions, &words, &mut random, 30, 16)?;
    let mut file = std::io::BufWriter::new(std::fs::File::create(&input.exchange)?);
    for row in exchange(&words, &mut random) {
        writeln!(file, "{row}")?;
    }
    file.flush()?;
    Ok(input)
}

fn exchange(words: &Words, random: &mut Random) -> Vec<Value> {
    let mut rows = vec![
        json!({"type": "kiroku", "version": 1, "space": "0197f3a2-6c10-7b54-9d2e-4b1f0c6a8e32"}),
        json!({"type": "space", "name": "another"}),
        json!({"type": "member", "id": "m1", "name": "One", "role": "owner"}),
        json!({"type": "member", "id": "m2", "name": "Two", "role": "member"}),
    ];
    let mut now = Time(1_746_000_000_000);
    for task in 1..=TASKS {
        let title = words.japanese(random, 20);
        let created = now;
        // One in ten has no times of its own, one in ten no row at all.
        match task % 10 {
            3 => {}
            7 => rows.push(json!({"type": "task", "id": task, "title": title})),
            _ => {
                let parent = (task % 10 == 5).then_some(task - 1);
                rows.push(json!({
                    "type": "task", "id": task, "title": title, "state": "completed", "owner": "m2", "parent": parent,
                    "created": created, "updated": created,
                }));
            }
        }
        for nth in 0..COMMENTS {
            now = now.plus(10_000);
            let characters = random.between(30, 900);
            let body = words.japanese(random, characters);
            let id = task * 1_000 + nth;
            let mut row = json!({"type": "comment", "id": id, "task": task, "author": "agent", "kind": "result", "body": body, "created": now});
            match nth % 4 {
                0 => {
                    row["author"] = json!("user");
                    row["member"] = json!("m2");
                    row["kind"] = json!("request");
                    row["attachments"] = json!([{"name": format!("{id}.png"), "bytes": 12, "media_type": "image/png"}]);
                }
                1 => {
                    row["kind"] = json!("progress");
                    row["progress"] = json!("tool");
                    row["tool"] = json!("Bash");
                    row["input"] = json!({"command": "cargo test"});
                    row["output"] = json!(words.english(random, 300));
                }
                _ => {}
            }
            rows.push(row);
        }
        let about = format!("comment:{}", task * 1_000);
        rows.push(
            json!({"type": "pin", "task": task, "list": "decisions", "text": title, "ref": about, "created": now}),
        );
    }
    rows
}
