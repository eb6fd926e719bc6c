//! `kiroku list` and the task tools by the command line.

use kiroku_tests::Home;
use serde_json::{Value, json};

fn item(content: &str, status: &str) -> Value {
    json!({ "content": content, "status": status, "activeForm": format!("Doing {content}") })
}

#[test]
fn a_list_grows_is_shown_and_is_put_back() {
    let home = Home::new();
    let thread = ["--thread", "t1", "--resource", "agent-7"];
    home.tool(
        "task_write",
        &thread,
        &json!({ "tasks": [item("Write tests", "in_progress"), item("Ship it", "pending")] }),
    )
    .ok();
    home.tool("task_complete", &thread, &json!({ "id": "task_write_tests" })).ok();
    let check = home.tool("task_check", &thread, &json!({})).json();
    assert_eq!(check["summary"]["completed"], 1);
    assert_eq!(check["incompleteTasks"][0]["id"], "task_ship_it");
    home.run(&["list", "show", "t1"]).ok().says(&["[x] Write tests", "[ ] Ship it", "agent-7"]);
    home.run(&["list", "show"]).ok().says(&["t1", "1/2"]);
    let history: Value = home.run(&["list", "history", "t1", "--json"]).json();
    assert_eq!(history.as_array().unwrap().len(), 2);
    let first = history[1]["id"].to_string();
    home.run(&["list", "restore", "t1", &first]).ok().says(&["[>] Doing Write tests"]);
    assert_eq!(home.run(&["list", "history", "t1", "--json"]).json()[0]["door"], "restore");
    home.run(&["list", "restore", "t1", "9999"]).ended(2);
    home.run(&["list", "show", "t2"]).ended(2).says(&["t2"]);
}

#[test]
fn without_a_thread_and_a_resource_there_is_no_memory() {
    let home = Home::new();
    for args in [&[][..], &["--thread", "t1"], &["--resource", "agent-7"]] {
        let ran = home.tool("task_write", args, &json!({ "tasks": [item("Write tests", "pending")] })).ended(1);
        let answer: Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!((&answer["isError"], &answer["tasks"]), (&json!(true), &json!([])));
        let ran = home.tool("task_check", args, &json!({})).ended(1);
        let answer: Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(answer["summary"]["total"], 0);
    }
    home.run(&["list", "show"]).ok().says(&["no task lists"]);
}

#[test]
fn input_that_is_no_list_is_refused_and_touches_nothing() {
    let home = Home::new();
    let thread = ["--thread", "t1", "--resource", "agent-7"];
    home.tool("task_write", &thread, &json!({ "tasks": [item("Write tests", "pending")] })).ok();
    for (tool, input) in [
        ("task_write", json!({})),
        ("task_write", json!({ "tasks": [item("", "pending")] })),
        ("task_write", json!({ "tasks": [item("x", "done")] })),
        ("task_update", json!({ "id": "task_write_tests" })),
        ("task_complete", json!({ "id": 7 })),
    ] {
        home.tool(tool, &thread, &input).error(2, "invalid_input");
    }
    let two = json!({ "tasks": [item("a", "in_progress"), item("b", "in_progress")] });
    home.tool("task_write", &thread, &two).ended(1);
    let unknown = home.tool("task_complete", &thread, &json!({ "id": "task_none" })).ended(1);
    assert!(unknown.out.contains("task_write_tests"), "{}", unknown.out);
    assert_eq!(home.run(&["list", "history", "t1", "--json"]).json().as_array().unwrap().len(), 1);
}
