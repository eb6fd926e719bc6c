//! Two handles on one file, as two processes have them, with threads on each: every write is there, one after another.
#![allow(clippy::unwrap_used, reason = "test code")]

mod common;

use common::*;
use kiroku_model::ErrorCode;
use kiroku_tasks::input::TaskUpdate;
use kiroku_tasks::{Edit, TaskLists};
use serde_json::json;
use std::collections::HashSet;

const EACH: usize = 12;

/// A person's hand: looks at the list, adds an item, and does so again when somebody else was first. How often that
/// happened is the answer.
fn add_by_hand(lists: &TaskLists, content: &str) -> usize {
    let edit: Edit = serde_json::from_value(json!({"do": "add", "content": content})).unwrap();
    let mut base = version(lists, "t");
    for refused in 0.. {
        match lists.edit(&call(), &key("t"), base, std::slice::from_ref(&edit), &person()) {
            Ok(_) => return refused,
            Err(error) => {
                assert_eq!(error.code(), ErrorCode::Conflict, "{error}");
                base = error.details()["list"]["version"].as_u64().unwrap();
            }
        }
    }
    unreachable!()
}

#[test]
fn two_writers_at_once_lose_nothing() {
    let (dir, lists) = space();
    write(&lists, "t", &["Begin"]);
    let others = again(dir.path());
    std::thread::scope(|scope| {
        for (who, lists) in [&lists, &others, &lists, &others].into_iter().enumerate() {
            scope.spawn(move || {
                for n in 0..EACH {
                    if who < 2 {
                        let said = json!({"id": "task_begin", "activeForm": format!("{who}-{n}")});
                        let update = TaskUpdate::read(&said).unwrap();
                        let answer = lists.task_update(&call(), Some(&key("t")), &agent(), &update).unwrap();
                        assert!(!answer.is_error);
                    } else {
                        add_by_hand(lists, &format!("{who}-{n}"));
                    }
                }
            });
        }
    });
    let rows = chain(&again(dir.path()), "t");
    assert_eq!(rows.len(), 1 + 4 * EACH);
    let list = lists.projection(&call(), "t").unwrap().items;
    let by_hand: HashSet<&str> = contents(&list).into_iter().collect();
    let said: HashSet<String> = rows.iter().map(|row| row.after[0].active_form.clone()).collect();
    for n in 0..EACH {
        assert!((2..4).all(|who| by_hand.contains(format!("{who}-{n}").as_str())), "{n}");
        assert!((0..2).all(|who| said.contains(&format!("{who}-{n}"))), "{n}");
    }
    assert_eq!(list.len(), 1 + 2 * EACH);
}
