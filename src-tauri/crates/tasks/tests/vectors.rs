//! The contract by example: 120 sequences of calls with what the reference implementation answered and stored, played
//! through the engine on a space file.
//!
//! `fixtures/calls.jsonl` holds one JSON array a line:
//! `["thread", NAME]` begins a sequence on an empty list; `[TOOL, INPUT, ANSWER, STORED?]` is a call of `task_TOOL`.
//! An item is `[id or null, content, status, activeForm]`, a status `p`, `r` or `c` (pending, in_progress, completed) or
//! a word that is no status. INPUT is a list of items, one item (`null`: the field is left out), an id, or `null`.
//! ANSWER is `"ok"`, `"refused"` (`isError`), `"invalid"` (rejected before anything is touched), or for a check
//! `[total, completed, inProgress, pending, incomplete, hasTasks, allCompleted, [ids of incompleteTasks]]`. STORED is
//! the list afterwards, which is also what is answered; where it is left out, it is the one before.
#![allow(clippy::unwrap_used, clippy::panic, reason = "test code")]

mod common;

use common::{agent, call, key, space};
use kiroku_model::{ErrorCode, Result};
use kiroku_tasks::answer::TaskToolResult;
use kiroku_tasks::input::{TaskComplete, TaskUpdate, TaskWrite};
use kiroku_tasks::{TaskLists, ThreadKey};
use serde_json::{Map, Value, json};

fn item(item: &Value) -> Value {
    let mut fields = Map::new();
    for (name, value) in ["id", "content", "status", "activeForm"].iter().zip(item.as_array().unwrap()) {
        let value = match (*name, value.as_str()) {
            ("status", Some("p")) => json!("pending"),
            ("status", Some("r")) => json!("in_progress"),
            ("status", Some("c")) => json!("completed"),
            _ => value.clone(),
        };
        if !value.is_null() {
            fields.insert((*name).to_owned(), value);
        }
    }
    Value::Object(fields)
}

fn items(list: &Value) -> Value {
    list.as_array().unwrap().iter().map(item).collect()
}

fn change(lists: &TaskLists, thread: &ThreadKey, tool: &str, input: &Value) -> Result<TaskToolResult> {
    let (call, thread, writer) = (call(), Some(thread), agent());
    match tool {
        "write" => lists.task_write(&call, thread, &writer, &TaskWrite::read(&json!({"tasks": items(input)}))?),
        "update" => lists.task_update(&call, thread, &writer, &TaskUpdate::read(&item(input))?),
        "complete" => lists.task_complete(&call, thread, &writer, &TaskComplete::read(&json!({"id": input}))?),
        other => panic!("{other}"),
    }
}

#[test]
fn every_sequence_goes_as_in_the_reference() {
    let (_dir, lists) = space();
    let (mut sequences, mut calls, mut accepted) = (0, 0, 0);
    let mut name = String::new();
    let mut thread = key("none");
    let mut stored = json!([]);
    for line in include_str!("../fixtures/calls.jsonl").lines() {
        let row: Vec<Value> = serde_json::from_str(line).unwrap();
        let tool = row[0].as_str().unwrap();
        if tool == "thread" {
            name = row[1].as_str().unwrap().to_owned();
            (thread, stored, accepted) = (key(&name), json!([]), 0);
            sequences += 1;
            continue;
        }
        calls += 1;
        let place = format!("{name}: {line}");
        stored = row.get(3).map_or(stored, items);
        if tool == "check" {
            let check = lists.task_check(&call(), Some(&thread)).unwrap();
            assert!(!check.is_error, "{place}");
            assert_eq!(json!(check.tasks), stored, "{place}");
            let summary = &json!(check.summary);
            let ids: Vec<&str> = check.incomplete_tasks.iter().map(|item| item.id.as_str()).collect();
            let mut answer: Vec<Value> =
                ["total", "completed", "inProgress", "pending", "incomplete", "hasTasks", "allCompleted"]
                    .map(|name| summary[name].clone())
                    .to_vec();
            answer.push(json!(ids));
            assert_eq!(json!(answer), row[2], "{place}");
            assert_eq!(summary.as_object().unwrap().len(), 7);
        } else {
            let answer = match change(&lists, &thread, tool, &row[1]) {
                Ok(answer) => {
                    assert_eq!(json!(answer.tasks), stored, "{place}");
                    assert!(answer.tasks.iter().all(|item| answer.content.contains(&item.id)), "{place}");
                    accepted += u64::from(!answer.is_error);
                    if answer.is_error { "refused" } else { "ok" }
                }
                Err(error) => {
                    assert_eq!(error.code(), ErrorCode::InvalidInput, "{place}");
                    "invalid"
                }
            };
            assert_eq!(json!(answer), row[2], "{place}");
        }
        let list = lists.projection(&call(), &name).unwrap();
        assert_eq!(json!(list.items), stored, "{place}");
        assert_eq!(list.version, accepted, "{place}");
    }
    assert_eq!((sequences, calls), (120, 472));
}
