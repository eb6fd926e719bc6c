//! Who is answered: a caller outside a tool's scope gets an ordinary answer that says so, whatever it sent, never an error
//! and never a hit; and a task does not find itself.

use crate::example::{login_task, second_task};
use kiroku_tests::Home;
use serde_json::{Value, json};

const OUTSIDE_EN: &str = "This tool is not available in this context.";
const OUTSIDE_JA: &str = "このツールは、このコンテキストでは利用できません。";

fn home() -> Home {
    let mut rows = login_task();
    rows.extend(second_task());
    rows.push(json!({"type": "task", "id": 21, "title": "part", "parent": 20, "state": "running"}));
    rows.push(json!({"type": "comment", "id": 210, "task": 21, "author": "agent", "kind": "result", "body": "認証の部品", "created": "2026-06-21T11:00:00Z"}));
    Home::with(&rows)
}

fn is_outside(home: &Home, member: Option<&str>, tool: &str, args: &[&str], input: &Value) {
    let mut english = vec!["--lang", "en"];
    english.extend(args);
    let typed = home.tool_as(member, tool, &english, input).json();
    assert_eq!(typed, json!({"available": false, "message": OUTSIDE_EN}), "{tool} {args:?} {input}");
    english.push("--text");
    assert_eq!(home.tool_as(member, tool, &english, input).ok().out, format!("{OUTSIDE_EN}\n"));
    let mut japanese = vec!["--lang", "ja", "--text"];
    japanese.extend(args);
    assert_eq!(home.tool_as(member, tool, &japanese, input).ok().out, format!("{OUTSIDE_JA}\n"));
}

const WORKSPACE: [&str; 2] = ["SearchWorkspaceTasks", "ListWorkspaceTasks"];
const OWN: [&str; 4] = ["SearchTaskConversation", "ReadTaskConversation", "MissionUpdate", "MissionRead"];

#[test]
fn nobody_and_strangers_get_no_hit() {
    let home = home();
    for member in [None, Some("m9"), Some(""), Some("M1"), Some("One"), Some("m1' OR '1'='1")] {
        is_outside(&home, member, WORKSPACE[0], &[], &json!({"query": "認証"}));
    }
    for tool in WORKSPACE.into_iter().chain(OWN) {
        is_outside(&home, Some("m9"), tool, &["--task", "12"], &json!({}));
    }
    is_outside(&home, None, WORKSPACE[1], &[], &json!({}));
    is_outside(&home, None, WORKSPACE[0], &["--task", "12"], &json!({"around_ref": "comment:201"}));
}

#[test]
fn a_subtasks_run_sees_no_other_task() {
    let home = home();
    is_outside(&home, Some("m1"), WORKSPACE[0], &["--subtask"], &json!({"query": "認証"}));
    is_outside(&home, Some("m1"), WORKSPACE[0], &["--subtask", "--task", "21"], &json!({"around_ref": "comment:88"}));
    is_outside(&home, Some("m1"), WORKSPACE[1], &["--subtask", "--task", "21"], &json!({}));
}

#[test]
fn without_a_task_of_ones_own_there_is_none_to_read() {
    let home = home();
    for tool in OWN {
        is_outside(&home, Some("m1"), tool, &[], &json!({}));
        is_outside(&home, None, tool, &["--task", "12"], &json!({}));
    }
}

#[test]
fn the_answer_is_the_same_whatever_was_sent() {
    let home = home();
    for input in [
        json!({}),
        json!([]),
        json!("x"),
        json!({"query": 1}),
        json!({"query": "a", "around_ref": "comment:88"}),
        json!({"limit": -1, "unknown": true}),
        json!({"around_ref": "comment:9999"}),
    ] {
        for tool in WORKSPACE {
            is_outside(&home, None, tool, &[], &input);
        }
        for tool in OWN {
            is_outside(&home, Some("m1"), tool, &[], &input);
        }
    }
}

#[test]
fn the_current_task_is_left_out_and_its_subtasks_are_not() {
    let home = home();
    let search = |task: &str, input: Value| home.tool(WORKSPACE[0], &["--task", task], &input);
    let refs = |found: &Value| -> Vec<String> {
        found["hits"].as_array().unwrap().iter().map(|hit| hit["ref"].as_str().unwrap().to_owned()).collect()
    };
    let found = search("12", json!({"query": "認証"})).json();
    assert_eq!((refs(&found), &found["total"]), (vec!["comment:210".to_owned()], &json!(1)));
    assert_eq!(refs(&search("20", json!({"query": "認証"})).json()), ["comment:210", "comment:95", "comment:88"]);
    assert_eq!(search("12", json!({"query": "touch", "task_id": 12})).json()["total"], 0);
    let gone = search("12", json!({"around_ref": "comment:88"})).error(2, "not_found");
    assert_eq!(gone["details"]["ref"], "comment:88", "what is out of reach is as if it were not there");
    let listed = home.tool(WORKSPACE[1], &["--task", "20"], &json!({})).json();
    let listed: Vec<&str> =
        listed["tasks"].as_array().unwrap().iter().map(|task| task["ref"].as_str().unwrap()).collect();
    assert_eq!(listed, ["task:21", "task:12"]);
}

#[test]
fn every_member_is_answered() {
    let home = home();
    home.run(&["space", "members", "add", "m2", "--name", "Two"]).ok();
    assert_eq!(home.tool_as(Some("m2"), WORKSPACE[0], &[], &json!({"query": "touch"})).json()["total"], 1);
    home.run(&["space", "members", "remove", "m2"]).ok();
    is_outside(&home, Some("m2"), WORKSPACE[0], &[], &json!({"query": "touch"}));
}

#[test]
fn a_person_who_names_no_member_is_told() {
    let home = home();
    home.run(&["search", "touch", "--as", "m9", "--lang", "en"]).ended(2).says(&["m9"]);
    home.run(&["search", "touch", "--as", "m9", "--json"]).error(2, "invalid_input");
}
