//! The lists that agents kept in their sessions: what each tool's calls make of a list, and that bringing them in is
//! done once, in any number of steps, and never against a person's later hand.
#![allow(clippy::unwrap_used, reason = "test code")]

mod common;

use common::*;
use kiroku_model::{Call, Cancel, CommentId, ErrorCode, TaskId, Time};
use kiroku_tasks::replay::{Extent, Replayed, ToolCall, replay};
use kiroku_tasks::{Edit, Item, TaskLists};
use serde_json::{Value, json};

/// `id:content:status` of each item, a status by its first letter.
fn short(items: &[Item]) -> Vec<String> {
    items.iter().map(|item| format!("{}:{}:{}", item.id, item.content, &item.status.as_str()[..1])).collect()
}

/// A list by `TodoWrite`: `*` before a content is running, `+` done.
fn todos(contents: &[&str]) -> String {
    let todo = |content: &&str| {
        let (status, content) = match content.split_at(1) {
            ("*", rest) => ("in_progress", rest),
            ("+", rest) => ("completed", rest),
            _ => ("pending", *content),
        };
        json!({"content": content, "status": status, "activeForm": format!("Doing {content}")})
    };
    json!({"todos": contents.iter().map(todo).collect::<Vec<Value>>()}).to_string()
}

fn todo_write(lists: &TaskLists, task: TaskId, at: i64, contents: &[&str]) -> i64 {
    tool_call(lists, task, at, "TodoWrite", &todos(contents), Some("Todos have been modified"))
}

fn grown(lists: &TaskLists, task: TaskId) -> (u64, u64) {
    let Replayed { applied, late } = lists.replay(&call(), task, Extent::Grown).unwrap();
    (applied, late)
}

fn whole(lists: &TaskLists, task: TaskId) -> (u64, u64) {
    let Replayed { applied, late } = lists.replay(&call(), task, Extent::Whole).unwrap();
    (applied, late)
}

/// What one kind of tool's calls make of a list, step by step.
fn steps(calls: &[(&str, Value, Option<&str>)]) -> Vec<Vec<String>> {
    let said: Vec<(&str, String, Option<&str>)> =
        calls.iter().map(|(tool, input, output)| (*tool, input.to_string(), *output)).collect();
    let calls = said
        .iter()
        .enumerate()
        .map(|(n, (tool, input, output))| (n, Time(n as i64), ToolCall { tool, input, output: *output }));
    replay(calls).iter().map(|step| short(&step.list)).collect()
}

#[test]
fn todo_write_keeps_ids_and_takes_what_it_can() {
    let list = steps(&[
        (
            "TodoWrite",
            json!({"todos": [
                {"id": "1", "content": "Design", "status": "pending", "priority": "high"},
                {"id": 2, "content": "Build", "status": "in_progress", "activeForm": "Building"},
                {"content": "Test", "status": "in_progress"},
                {"content": "", "status": "pending"}, "text", {"status": "pending"},
                {"content": "Wait", "status": "blocked"}, {"content": "Drop", "status": "cancelled"},
            ]}),
            None,
        ),
        (
            "todowrite",
            json!({"todos": [{"content": "Build", "status": "completed"}, {"content": "Test", "status": "pending"}]}),
            None,
        ),
        ("TodoWrite", json!({"todos": "none"}), None),
        ("TodoWrite", json!({"todos": []}), None),
    ]);
    assert_eq!(list.len(), 3);
    assert_eq!(list[0], ["1:Design:p", "2:Build:i", "task_test:Test:p", "task_wait:Wait:p"]);
    assert_eq!(list[1], ["2:Build:c", "task_test:Test:p"]);
    assert!(list[2].is_empty());
}

#[test]
fn plans_are_lists() {
    let list = steps(&[
        (
            "update_plan",
            json!({"explanation": "順に", "plan": [{"step": "読む", "status": "in_progress"}, {"step": "書く", "status": "pending"}]}),
            None,
        ),
        // The same as a text inside a text, as some versions hand it on.
        (
            "update_plan",
            json!(
                json!({"plan": [{"step": "書く", "status": "in_progress"}, {"step": "読む", "status": "completed"}]})
                    .to_string()
            ),
            None,
        ),
    ]);
    assert_eq!(list[0], ["task_item:読む:i", "task_item_2:書く:p"]);
    assert_eq!(list[1], ["task_item_2:書く:i", "task_item:読む:c"]);
}

#[test]
fn created_and_updated_items() {
    let list = steps(&[
        (
            "TaskCreate",
            json!({"subject": "Read", "description": "…", "activeForm": "Reading"}),
            Some("Task #1 created successfully: Read"),
        ),
        ("TaskCreate", json!({"subject": "Write"}), Some(r#"{"task": {"id": "2", "subject": "Write"}}"#)),
        ("TaskCreate", json!({"subject": "Refused"}), Some("<tool_use_error>no</tool_use_error>")),
        ("TaskCreate", json!({"subject": "Unanswered"}), None),
        ("TaskUpdate", json!({"taskId": "1", "status": "in_progress"}), None),
        ("TaskUpdate", json!({"taskId": 2, "status": "in_progress", "subject": "Write it"}), None),
        ("TaskUpdate", json!({"taskId": "9", "status": "completed"}), None),
        ("TaskUpdate", json!({"taskId": "1", "owner": "x"}), None),
        ("TaskUpdate", json!({"taskId": "1", "status": "deleted"}), None),
        ("TaskUpdate", json!({"taskId": "1", "status": "deleted"}), None),
    ]);
    assert_eq!(list.len(), 5);
    assert_eq!(list[1], ["1:Read:p", "2:Write:p"]);
    assert_eq!(list[2], ["1:Read:i", "2:Write:p"]);
    assert_eq!(list[3], ["1:Read:p", "2:Write it:i"]);
    assert_eq!(list[4], ["2:Write it:i"]);
}

#[test]
fn a_session_is_brought_in_once_and_grows() {
    let (dir, lists) = space();
    let task = task(&lists, "u1");
    let thread = task.to_string();
    assert_eq!(grown(&lists, task), (0, 0));
    assert_eq!(version(&lists, &thread), 0);
    // More than one batch.
    let mut comments = Vec::new();
    for n in 0..40 {
        comments.push(todo_write(&lists, task, 1000 + n, &["+begin", &format!("*step {n}")]));
        tool_call(&lists, task, 1000 + n, "Read", "{}", Some("…"));
    }
    assert_eq!(grown(&lists, task), (40, 0));
    assert_eq!((grown(&lists, task), whole(&lists, task)), ((0, 0), (0, 0)));
    todo_write(&lists, task, 2000, &["+begin", "+end"]);
    tool_call(&lists, task, 2001, "TodoWrite", "not JSON", None);
    assert_eq!(grown(&lists, task), (1, 0));
    // Another process finds nothing to do.
    assert_eq!(whole(&again(dir.path()), task), (0, 0));

    let rows = chain(&lists, &thread);
    assert_eq!(rows.len(), 41);
    for (row, (n, comment)) in rows.iter().zip(comments.iter().enumerate()) {
        assert_eq!((row.at, row.comment), (Time(1000 + n as i64), Some(CommentId(*comment))));
        assert_eq!((row.by.as_str(), row.door.as_str(), row.resource.as_str()), ("agent", "import", "m1"));
    }
    let list = lists.projection(&call(), &thread).unwrap();
    assert_eq!(short(&list.items), ["task_begin:begin:c", "task_end:end:c"]);
    assert_eq!(list.updated, Some(Time(2000)));
    // The same session in another space has the same history.
    let (_dir, other) = space();
    let there = common::task(&other, "u1");
    todo_write(&other, there, 1000, &["+begin", "*step 0"]);
    grown(&other, there);
    assert_eq!(chain(&other, &there.to_string())[0].uid, rows[0].uid);
}

#[test]
fn an_older_call_does_not_take_a_persons_hand_back_and_a_later_one_wins() {
    let (_dir, lists) = space();
    let task = task(&lists, "u1");
    let thread = task.to_string();
    todo_write(&lists, task, START - 5000, &["*a", "b"]);
    assert_eq!(grown(&lists, task), (1, 0));
    let edit: Edit = serde_json::from_value(json!({"do": "change", "id": "task_b", "content": "b, by hand"})).unwrap();
    let edited = lists.edit(&call(), &key(&thread), 1, &[edit], &person()).unwrap();

    // Made before the person's edit, and seen after it.
    todo_write(&lists, task, START - 4000, &["+a", "*b"]);
    todo_write(&lists, task, START - 3000, &["+a", "+b"]);
    assert_eq!(grown(&lists, task), (0, 2));
    assert_eq!(lists.projection(&call(), &thread).unwrap(), edited);
    let page = lists.history(&call(), &thread, None, 10).unwrap();
    assert_eq!(page.rows.iter().map(|row| row.version).collect::<Vec<_>>(), [2, 0, 0, 1]);
    assert_eq!(short(&page.rows[2].before), ["task_a:a:i", "task_b:b:p"]);
    assert_eq!(short(&page.rows[1].before), ["task_a:a:c", "task_b:b:i"]);
    assert_eq!((grown(&lists, task), whole(&lists, task)), ((0, 0), (0, 0)));

    // Made after it: the agent wins, as task_write does, and may change one item of what the person left.
    let later = edited.updated.unwrap().0 + 500;
    tool_call(&lists, task, later, "TaskUpdate", r#"{"taskId": "task_b", "status": "in_progress"}"#, None);
    assert_eq!(grown(&lists, task), (1, 0));
    let list = lists.projection(&call(), &thread).unwrap();
    assert_eq!(short(&list.items), ["task_a:a:p", "task_b:b, by hand:i"]);
    todo_write(&lists, task, later + 1, &["+a", "+b"]);
    assert_eq!(grown(&lists, task), (1, 0));
    chain(&lists, &thread);
}

#[test]
fn a_call_found_late_in_a_rewritten_session_joins_the_history_only() {
    let (_dir, lists) = space();
    let task = task(&lists, "u1");
    todo_write(&lists, task, 1000, &["a"]);
    let between = todo_write(&lists, task, 2000, &["a", "b"]);
    // Not there at first.
    let set = |withdrawn: bool| {
        lists.space().write(|tx| {
            tx.execute("UPDATE comment SET withdrawn = ?2 WHERE id = ?1", (between, withdrawn)).unwrap();
            Ok(())
        })
    };
    set(true).unwrap();
    todo_write(&lists, task, 3000, &["a", "b", "c"]);
    assert_eq!(grown(&lists, task), (2, 0));
    set(false).unwrap();
    assert_eq!(grown(&lists, task), (0, 0), "what grew is all after the last one");
    assert_eq!(whole(&lists, task), (0, 1));
    assert_eq!(whole(&lists, task), (0, 0));
    let rows = lists.history(&call(), &task.to_string(), None, 10).unwrap().rows;
    assert_eq!(rows.iter().map(|row| (row.version, row.at.0)).collect::<Vec<_>>(), [(2, 3000), (0, 2000), (1, 1000)]);
    assert_eq!(contents(&rows[1].before), ["a"]);
    assert_eq!(chain(&lists, &task.to_string()).len(), 2);
}

#[test]
fn an_item_waits_for_its_id() {
    let (_dir, lists) = space();
    let task = task(&lists, "u1");
    let thread = task.to_string();
    let create = |at, subject: &str, output| {
        tool_call(&lists, task, at, "TaskCreate", &json!({"subject": subject}).to_string(), output)
    };
    create(1000, "first", Some("Task #1 created successfully: first"));
    let second = create(1001, "second", None);
    tool_call(&lists, task, 1002, "TaskUpdate", r#"{"taskId": "1", "status": "in_progress"}"#, None);
    assert_eq!(grown(&lists, task), (1, 0));
    lists
        .space()
        .write(|tx| {
            let output = "Task #2 created successfully: second";
            tx.execute("UPDATE tool_data SET output = ?2 WHERE comment = ?1", (second, output)).unwrap();
            Ok(())
        })
        .unwrap();
    assert_eq!(grown(&lists, task), (2, 0));
    let items = lists.projection(&call(), &thread).unwrap().items;
    assert_eq!(short(&items), ["1:first:i", "2:second:p"]);
    // The agent went on without an answer to one: it is passed over.
    create(1003, "lost", None);
    create(1004, "third", Some(r#"{"id": 3}"#));
    assert_eq!(grown(&lists, task), (1, 0));
    assert_eq!(contents(&lists.projection(&call(), &thread).unwrap().items), ["first", "second", "third"]);
    chain(&lists, &thread);
}

#[test]
fn a_list_without_its_history_is_not_overwritten_by_an_older_session() {
    let (_dir, lists) = space();
    let task = task(&lists, "u1");
    let thread = key(&task.to_string());
    todo_write(&lists, task, 1000, &["from the session"]);
    let item = Item {
        id: "x".into(),
        content: "from the file".into(),
        status: kiroku_tasks::Status::Pending,
        active_form: "…".into(),
    };
    lists
        .space()
        .write(|tx| {
            let row = kiroku_tasks::exchange::ListRow { key: &thread, items: &[item], version: None, updated: None };
            kiroku_tasks::exchange::put_list(tx, &row)
        })
        .unwrap();
    assert_eq!(grown(&lists, task), (0, 1));
    assert_eq!(contents(&lists.projection(&call(), thread.thread()).unwrap().items), ["from the file"]);
}

#[test]
fn unknown_tasks_and_calls_taken_back() {
    let (_dir, lists) = space();
    assert_eq!(lists.replay(&call(), TaskId(9), Extent::Whole).unwrap_err().code(), ErrorCode::NotFound);
    let task = task(&lists, "u1");
    todo_write(&lists, task, 1000, &["a"]);
    let cancel = Cancel::new();
    cancel.cancel();
    let call = Call { cancel, ..Call::default() };
    assert_eq!(lists.replay(&call, task, Extent::Grown).unwrap_err().code(), ErrorCode::Cancelled);
    assert_eq!(version(&lists, &task.to_string()), 0);
}
