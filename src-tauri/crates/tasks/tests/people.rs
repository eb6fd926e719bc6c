//! What people do with a list, and what agents see of it: edits against a version, history and restore, notes and
//! ticks, the board, the change feed, and agents without memory.
#![allow(clippy::unwrap_used, reason = "test code")]

mod common;

use common::*;
use kiroku_model::{Call, Cancel, ErrorCode, Lang};
use kiroku_store::{Change, Feed, FeedPosition};
use kiroku_tasks::input::{TaskComplete, TaskUpdate, TaskWrite};
use kiroku_tasks::{Edit, Side, Status, ThreadKey};
use serde_json::json;

fn add(content: &str) -> Edit {
    serde_json::from_value(json!({"do": "add", "content": content})).unwrap()
}

#[test]
fn an_edit_against_an_older_version_is_refused_with_the_newer_list() {
    let (_dir, lists) = space();
    let key = key("t");
    assert_eq!(lists.edit(&call(), &key, 0, &[add("仕様を読む")], &person()).unwrap().version, 1);
    write(&lists, "t", &["Read the spec", "Write tests"]);
    let refused = lists.edit(&call(), &key, 1, &[add("直す")], &person()).unwrap_err();
    assert_eq!(refused.code(), ErrorCode::Conflict);
    assert_eq!(refused.details()["list"]["version"], 2);
    assert_eq!(refused.details()["list"]["items"][1]["content"], "Write tests");
    assert!(refused.message().ja.contains("agent"), "{refused}");
    assert_eq!(contents(&lists.projection(&call(), "t").unwrap().items), ["Read the spec", "Write tests"]);
    // Beyond the newest is no better, and a wrong edit takes the ones before it back.
    assert_eq!(lists.edit(&call(), &key, 3, &[add("直す")], &person()).unwrap_err().code(), ErrorCode::Conflict);
    let half = [add("直す"), Edit::Remove { id: "nothing".into() }];
    assert_eq!(lists.edit(&call(), &key, 2, &half, &person()).unwrap_err().code(), ErrorCode::NotFound);
    for bad in [add(""), Edit::Replace { items: vec![input("a", Status::InProgress), input("b", Status::InProgress)] }]
    {
        assert_eq!(lists.edit(&call(), &key, 2, &[bad], &person()).unwrap_err().code(), ErrorCode::InvalidInput);
    }
    let edited = lists.edit(&call(), &key, 2, &[add("直す")], &person()).unwrap();
    assert_eq!((edited.version, contents(&edited.items)), (3, vec!["Read the spec", "Write tests", "直す"]));
    // What changes nothing adds nothing.
    let same = [Edit::Move { id: edited.items[0].id.clone(), to: 0 }];
    assert_eq!(lists.edit(&call(), &key, 3, &same, &person()).unwrap(), edited);
    let who: Vec<(String, String)> = chain(&lists, "t").into_iter().map(|row| (row.by, row.door)).collect();
    assert_eq!(who, [("m1", "app"), ("agent", "mcp"), ("m1", "app")].map(|(by, door)| (by.into(), door.into())));
}

#[test]
fn history_is_paged_newest_first_and_an_earlier_list_comes_back() {
    let (_dir, lists) = space();
    for n in 1..=7 {
        write(&lists, "t", &[&format!("Step {n}")]);
    }
    write(&lists, "other", &["x"]);
    let mut seen = Vec::new();
    let mut before = None;
    loop {
        let page = lists.history(&call(), "t", before, 3).unwrap();
        assert_eq!(page.total, 7);
        seen.extend(page.rows);
        before = page.next;
        if before.is_none() {
            break;
        }
    }
    assert_eq!(seen.iter().map(|row| row.version).collect::<Vec<_>>(), [7, 6, 5, 4, 3, 2, 1]);
    assert!(seen.windows(2).all(|rows| rows[0].at > rows[1].at && rows[0].uid != rows[1].uid));

    let key = key("t");
    let stale = lists.restore(&call(), &key, 6, seen[4].id, Side::After, "m2").unwrap_err();
    assert_eq!(stale.code(), ErrorCode::Conflict);
    let back = lists.restore(&call(), &key, 7, seen[4].id, Side::After, "m2").unwrap();
    assert_eq!((back.version, contents(&back.items)), (8, vec!["Step 3"]));
    let undone = lists.restore(&call(), &key, 8, seen[0].id, Side::Before, "m2").unwrap();
    assert_eq!(contents(&undone.items), ["Step 6"]);
    let rows = chain(&lists, "t");
    assert_eq!((rows[8].by.as_str(), rows[8].door.as_str()), ("m2", "restore"));
    // A row of another thread's history is not one of this list's.
    let foreign = lists.history(&call(), "other", None, 1).unwrap().rows[0].id;
    assert_eq!(lists.restore(&call(), &key, 9, foreign, Side::After, "m2").unwrap_err().code(), ErrorCode::NotFound);
    assert_eq!(lists.history(&call(), "nothing", None, 10).unwrap().rows, []);
}

#[test]
fn notes_and_ticks_follow_the_id_and_outlive_the_item() {
    let (_dir, lists) = space();
    write(&lists, "t", &["Write tests", "Ship"]);
    let thread = key("t");
    let note = lists.add_note(&call(), "t", "task_ship", " 金曜は避けて ", "m1").unwrap();
    lists.add_note(&call(), "t", "task_write_tests", "境界も", "m2").unwrap();
    lists.set_reviewed(&call(), "t", "task_ship", true, "m1").unwrap();
    lists.set_reviewed(&call(), "t", "task_ship", true, "m2").unwrap();
    let check = lists.task_check(&call(), Some(&thread)).unwrap();
    assert_eq!((check.notes.len(), check.notes[0].text.as_str()), (2, "金曜は避けて"));
    assert_eq!(check.reviewed, ["task_ship"]);
    assert!(
        check.content.contains("金曜は避けて")
            && check.tasks.iter().all(|item| json!(item).as_object().unwrap().len() == 4)
    );

    // The agent renames one item, keeping its id, and drops the other.
    let kept = json!({"tasks": [{"id": "task_write_tests", "content": "Write more tests", "status": "pending", "activeForm": "x"}]});
    lists.task_write(&call(), Some(&thread), &agent(), &TaskWrite::read(&kept).unwrap()).unwrap();
    let check = lists.task_check(&call(), Some(&thread)).unwrap();
    assert_eq!(check.notes.iter().map(|note| note.id.as_str()).collect::<Vec<_>>(), ["task_write_tests"]);
    assert!(check.reviewed.is_empty());
    let marks = lists.marks(&call(), "t").unwrap();
    assert_eq!((marks.notes.len(), marks.reviews.len(), marks.reviews[0].by.as_str()), (2, 1, "m1"));
    let [dropped] = &marks.dropped[..] else { unreachable!("{marks:?}") };
    assert_eq!((dropped.item.content.as_str(), dropped.by.as_str(), dropped.door.as_str()), ("Ship", "agent", "mcp"));
    assert_eq!(dropped.history, lists.history(&call(), "t", None, 1).unwrap().rows[0].id);

    // It comes back under its id, and so do they.
    write(&lists, "t", &["Ship"]);
    let check = lists.task_check(&call(), Some(&thread)).unwrap();
    assert_eq!((check.notes[0].id.as_str(), check.reviewed.len()), ("task_ship", 1));
    lists.remove_note(&call(), "t", note.id).unwrap();
    lists.set_reviewed(&call(), "t", "task_ship", false, "m1").unwrap();
    let check = lists.task_check(&call(), Some(&thread)).unwrap();
    assert!(check.notes.is_empty() && check.reviewed.is_empty());

    assert_eq!(lists.remove_note(&call(), "t", note.id).unwrap_err().code(), ErrorCode::NotFound);
    assert_eq!(lists.add_note(&call(), "t", "nothing", "x", "m1").unwrap_err().code(), ErrorCode::NotFound);
    assert_eq!(lists.set_reviewed(&call(), "t", "nothing", true, "m1").unwrap_err().code(), ErrorCode::NotFound);
    for bad in [" ".to_owned(), "あ".repeat(10_001)] {
        assert_eq!(lists.add_note(&call(), "t", "task_ship", &bad, "m1").unwrap_err().code(), ErrorCode::InvalidInput);
    }
}

#[test]
fn without_memory_every_tool_answers_an_error_and_records_nothing() {
    let (_dir, lists) = space();
    for lang in [Lang::En, Lang::Ja] {
        let call = Call { lang, ..Call::default() };
        let update = TaskUpdate::read(&json!({"id": "a", "status": "pending"})).unwrap();
        let answers = [
            lists.task_write(&call, None, &agent(), &pending(&["a"])).unwrap(),
            lists.task_update(&call, None, &agent(), &update).unwrap(),
            lists.task_complete(&call, None, &agent(), &TaskComplete { id: "a".into() }).unwrap(),
        ];
        let check = lists.task_check(&call, None).unwrap();
        for answer in &answers {
            assert!(answer.is_error && answer.tasks.is_empty());
            assert_eq!(answer.content, check.content);
        }
        assert!(check.content.contains("--thread") && check.is_error && check.incomplete_tasks.is_empty());
        assert_eq!(check.summary, kiroku_tasks::Summary::default());
    }
    assert_eq!(lists.board(&call(), 0, 10).unwrap().total, 0);
    assert!(ThreadKey::new("t", "").is_err());
}

#[test]
fn a_task_thread_needs_its_task() {
    let (_dir, lists) = space();
    let refused = lists.task_write(&call(), Some(&key("task:7")), &agent(), &pending(&["a"])).unwrap_err();
    assert_eq!(refused.code(), ErrorCode::NotFound);
    assert_eq!(version(&lists, "task:7"), 0);
    let task = task(&lists, "u1");
    write(&lists, &task.to_string(), &["a"]);
    assert_eq!(version(&lists, &task.to_string()), 1);
}

#[test]
fn the_board_shows_every_thread_the_newest_first() {
    let (_dir, lists) = space();
    let task = task(&lists, "u1");
    for (thread, name) in [("a", "x"), (&task.to_string(), "y"), ("b", "z")] {
        write(&lists, thread, &[name, "later"]);
    }
    let start = TaskUpdate::read(&json!({"id": "task_y", "status": "in_progress"})).unwrap();
    let mine = ThreadKey::of_task(task, "another").unwrap();
    lists.task_update(&call(), Some(&mine), &person(), &start).unwrap();
    lists.set_reviewed(&call(), "b", "task_z", true, "m1").unwrap();
    lists.add_note(&call(), "b", "task_z", "見ました", "m1").unwrap();
    let board = lists.board(&call(), 0, 2).unwrap();
    assert_eq!((board.total, board.threads.len()), (3, 2));
    let [first, second] = &board.threads[..] else { unreachable!() };
    assert_eq!((first.task, first.version, first.summary.in_progress), (Some(task), 2, 1));
    assert_eq!(first.resource, "m1", "the first resource keeps the list");
    assert_eq!(first.running.as_ref().unwrap().id, "task_y");
    assert_eq!(first.changed.as_ref().unwrap().door, "app");
    assert_eq!((second.thread.as_str(), second.notes, second.reviewed), ("b", 1, 1));
    assert_eq!(lists.board(&call(), 2, 2).unwrap().threads[0].thread, "a");
    assert!(lists.board(&call(), 9, 2).unwrap().threads.is_empty());
}

#[test]
fn every_change_is_in_the_feed() {
    let (_dir, lists) = space();
    let task = task(&lists, "u1");
    let read = |position: &mut FeedPosition| {
        let feed = lists.space().read(&Cancel::new(), |conn| position.advance(conn)).unwrap();
        let Feed::Changes(changes) = feed else { unreachable!() };
        changes
    };
    let mut position = lists.space().read(&Cancel::new(), FeedPosition::now).unwrap();
    write(&lists, &task.to_string(), &["a"]);
    let row = lists.history(&call(), &task.to_string(), None, 1).unwrap().rows[0].id;
    let list = |task, row| Change { entity: "list".into(), task, first: row, last: row };
    assert_eq!(read(&mut position), [list(Some(task), Some(row))]);
    write(&lists, "other", &["a"]);
    assert_eq!(read(&mut position), [list(None, Some(row + 1))]);
    lists.set_reviewed(&call(), "other", "task_a", true, "m1").unwrap();
    assert_eq!(read(&mut position), [list(None, None)]);
    // A refused call, and a tick that is there, change nothing.
    lists.task_complete(&call(), Some(&key("other")), &agent(), &TaskComplete { id: "z".into() }).unwrap();
    lists.set_reviewed(&call(), "other", "task_a", true, "m1").unwrap();
    assert_eq!(read(&mut position), []);
}

#[test]
fn a_call_that_was_taken_back_does_nothing() {
    let (_dir, lists) = space();
    let call = call();
    call.cancel.cancel();
    let taken_back = lists.task_write(&call, Some(&key("t")), &agent(), &pending(&["a"])).unwrap_err();
    assert_eq!(taken_back.code(), ErrorCode::Cancelled);
    assert_eq!(version(&lists, "t"), 0);
}
