//! The board: all lists, one list as a person edits it, its changes, and what is left beside it.

use crate::Shell;
use serde_json::{Value, json};

const THREAD: &str = "task:42";

fn list(shell: &Shell) -> Value {
    shell.call("thread_list", json!({ "thread": THREAD })).unwrap()
}

fn ids(list: &Value) -> Vec<String> {
    list["items"].as_array().unwrap().iter().map(|item| item["id"].as_str().unwrap().to_owned()).collect()
}

fn edit(shell: &Shell, base: &Value, edits: Value) -> std::result::Result<Value, Value> {
    shell.call("edit_list", json!({"thread": THREAD, "base": base, "edits": edits}))
}

#[test]
fn the_board_shows_every_list_with_its_task_and_finds_items_by_their_words() {
    let shell = Shell::with_sample();
    let board = shell.call("board", json!({"offset": 0, "limit": 200})).unwrap();
    let threads = board["threads"].as_array().unwrap();
    assert_eq!(board["total"], threads.len());
    assert!(threads.len() > 10 && threads.iter().all(|thread| thread["task"]["title"].is_string()), "{board}");
    let times: Vec<&str> = threads.iter().map(|thread| thread["list"]["updated"].as_str().unwrap()).collect();
    assert!(times.is_sorted_by(|newer, older| newer >= older), "{times:?}");
    let page = shell.call("board", json!({"offset": 1, "limit": 1})).unwrap();
    assert_eq!(page["threads"], json!([threads[1]]));
    let running = threads.iter().find(|thread| thread["list"]["thread"] == THREAD).unwrap();
    assert_eq!(
        (&running["list"]["running"]["id"], &running["list"]["next"]["id"]),
        (&json!("verify"), &json!("recovery"))
    );

    let find = |words: &str| {
        shell.call("find_items", json!({"field": "board", "turn": 1, "words": words, "limit": 20})).unwrap()
    };
    // Part of a word, whatever its width; every word has to be there.
    let found = find("ｑｒコード 画面");
    assert_eq!(found.as_array().unwrap().len(), 1, "{found}");
    assert_eq!((&found[0]["found"]["thread"], &found[0]["found"]["item"]["id"]), (&json!(THREAD), &json!("enroll")));
    assert!(found[0]["task"]["title"].is_string());
    assert_eq!((find("QRコード 月齢"), find("  ")), (json!([]), json!([])));
}

#[test]
fn an_edit_is_made_on_the_version_that_was_seen_or_refused_with_the_newer_list() {
    let shell = Shell::with_sample();
    let seen = list(&shell)["list"].clone();
    let start = json!([{"do": "change", "id": "docs", "status": "in_progress"}]);
    let after = edit(&shell, &seen["version"], start.clone()).unwrap();
    let of = |list: &Value, id: &str| -> Value {
        list["items"].as_array().unwrap().iter().find(|item| item["id"] == id).unwrap()["status"].clone()
    };
    assert_eq!((of(&after, "docs"), of(&after, "verify")), (json!("in_progress"), json!("pending")), "only one runs");

    let refused = edit(&shell, &seen["version"], json!([{"do": "remove", "id": "docs"}])).unwrap_err();
    assert_eq!((&refused["code"], &refused["details"]["list"]), (&json!("conflict"), &after));
    assert_eq!(list(&shell)["list"], after, "nothing was changed");
    for (bad, code) in [
        (json!([{"do": "remove", "id": "nothing"}]), "not_found"),
        (json!([{"do": "add", "content": ""}]), "invalid_input"),
        // All of the edits or none.
        (json!([{"do": "remove", "id": "docs"}, {"do": "remove", "id": "docs"}]), "not_found"),
    ] {
        assert_eq!(edit(&shell, &after["version"], bad.clone()).unwrap_err()["code"], code, "{bad}");
    }
    assert_eq!(list(&shell)["list"], after);

    let changes = shell.call("list_changes", json!({"thread": THREAD, "before": null, "limit": 1})).unwrap();
    let [change] = &changes["changes"].as_array().unwrap()[..] else { panic!("{changes}") };
    assert_eq!((&change["by"], &change["door"], &change["version"]), (&json!("sam"), &json!("app"), &after["version"]));
    let touched: Vec<&Value> =
        change["differences"].as_array().unwrap().iter().map(|one| &one["after"]["id"]).collect();
    assert_eq!(touched, ["verify", "docs"]);
    let older = shell.call("list_changes", json!({"thread": THREAD, "before": changes["next"], "limit": 200})).unwrap();
    assert_eq!(older["changes"].as_array().unwrap().len() as u64 + 1, changes["total"].as_u64().unwrap());
    let of_item = shell.call("item_changes", json!({"thread": THREAD, "item": "docs", "limit": 9})).unwrap();
    assert_eq!(
        (of_item[0]["id"].clone(), of_item[0]["differences"].as_array().unwrap().len()),
        (change["id"].clone(), 1)
    );

    // Back to the list before that change: a conflict if it was seen in another state.
    let restore = |base: &Value| {
        let args = json!({"thread": THREAD, "base": base, "change": change["id"], "side": "before"});
        shell.call("restore_list", args)
    };
    assert_eq!(restore(&seen["version"]).unwrap_err()["code"], "conflict");
    assert_eq!(restore(&after["version"]).unwrap()["items"], seen["items"]);
}

#[test]
fn notes_and_ticks_are_left_beside_the_list_and_outlive_the_item() {
    let shell = Shell::with_sample();
    let note = json!({"thread": THREAD, "item": "docs", "text": "図を入れてください"});
    let note = shell.call("add_list_note", note).unwrap();
    let tick = |reviewed: bool| {
        shell.call("set_item_reviewed", json!({"thread": THREAD, "item": "docs", "reviewed": reviewed})).unwrap()
    };
    tick(true);
    let beside = |what: &str| -> Vec<Value> {
        let marks = list(&shell)["marks"][what].as_array().unwrap().clone();
        marks.into_iter().filter(|mark| mark["item"] == "docs" || mark["item"]["id"] == "docs").collect()
    };
    assert_eq!((beside("notes"), beside("reviews").len()), (vec![note.clone()], 1));
    assert_eq!((&note["by"], &beside("reviews")[0]["by"]), (&json!("sam"), &json!("sam")));
    let version = list(&shell)["list"]["version"].clone();
    edit(&shell, &version, json!([{"do": "remove", "id": "docs"}])).unwrap();
    assert_eq!((beside("dropped").len(), beside("notes").len()), (1, 1));
    tick(false);
    let remove = json!({"thread": THREAD, "note": note["id"]});
    shell.call("remove_list_note", remove.clone()).unwrap();
    assert!(beside("dropped").is_empty() && beside("notes").is_empty() && beside("reviews").is_empty());
    assert_eq!(shell.refusal("remove_list_note", remove), "not_found");
    let gone = json!({"thread": THREAD, "item": "docs", "text": "x"});
    assert_eq!(shell.refusal("add_list_note", gone), "not_found");
}

#[test]
fn a_person_begins_a_list_where_an_agent_has_none() {
    let shell = Shell::with_sample();
    let empty = shell.call("thread_list", json!({"thread": "task:1"})).unwrap();
    assert_eq!((&empty["list"]["version"], &empty["list"]["items"]), (&json!(0), &json!([])));
    let add = json!([{"do": "add", "content": "Begin here"}]);
    let begun = shell.call("edit_list", json!({"thread": "task:1", "base": 0, "edits": add})).unwrap();
    assert_eq!((ids(&begun), &begun["resource"]), (vec!["task_begin_here".to_owned()], &json!("sam")));
    // A thread that is no task's and has no list is not there; nor is a task that is not.
    for thread in ["codex-1", "task:999"] {
        assert_eq!(shell.refusal("thread_list", json!({ "thread": thread })), "not_found", "{thread}");
    }
    assert_eq!(shell.refusal("edit_list", json!({"thread": "task:999", "base": 0, "edits": add})), "not_found");
}
