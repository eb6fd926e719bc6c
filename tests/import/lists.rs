//! Task lists: from the tools' calls in a session, and from todo files beside it.

use crate::place::{Place, said, typed};
use kiroku_api::Forget;
use kiroku_model::{Call, Caller};
use serde_json::{Value, json};

fn todos(all: &[(&str, &str)]) -> Value {
    all.iter().map(|(content, status)| json!({"content": content, "status": status, "activeForm": content})).collect()
}

fn written(nth: u32, all: &[(&str, &str)]) -> Value {
    let call =
        json!({"type": "tool_use", "id": format!("c{nth}"), "name": "TodoWrite", "input": {"todos": todos(all)}});
    said("s1", &format!("a{nth}"), nth, call)
}

fn items(all: &[(&str, &str)]) -> Vec<(String, String)> {
    all.iter().map(|(content, status)| (content.to_string(), status.to_string())).collect()
}

#[test]
fn a_todo_file_tells_what_the_session_does_not() {
    let place = Place::new();
    let before = [("直す", "completed"), ("試す", "in_progress")];
    place.append(
        "projects/p/s1.jsonl",
        &[typed("s1", "u1", 0, "go"), written(1, &[("直す", "pending")]), written(2, &before)],
    );
    // The same list once more: the program writes both.
    place.write("todos/s1-agent-s1.json", &todos(&before).to_string());
    assert_eq!(place.import().skipped, 0);
    let list = items(&[("直す", "Completed"), ("試す", "InProgress")]);
    assert_eq!(place.list(1), (2, list.clone()));
    assert_eq!(place.import().unchanged, 2);
    // It goes on where the session does not tell.
    place.write("todos/s1-agent-s1.json", &todos(&[("直す", "completed"), ("試す", "completed")]).to_string());
    place.import();
    assert_eq!(place.list(1), (3, items(&[("直す", "Completed"), ("試す", "Completed")])));
    // Emptied when all is done, which says nothing.
    place.write("todos/s1-agent-s1.json", "[]");
    place.import();
    assert_eq!(place.list(1).0, 3);
}

#[test]
fn a_todo_file_waits_for_its_session_and_names_subagents() {
    let place = Place::new();
    let list = [("探す", "pending")];
    place.write("todos/s1-agent-s1.json", &todos(&list).to_string());
    place.write("todos/s1-agent-ag.json", &todos(&[("画像", "pending")]).to_string());
    let report = place.import();
    assert_eq!((report.tasks, report.skipped, place.counts()), (0, 0, (0, 0)));
    let mut side = typed("s1", "x1", 3, "画像を探して");
    (side["isSidechain"], side["agentId"]) = (json!(true), json!("ag"));
    place.append("projects/p/s1.jsonl", &[typed("s1", "u1", 0, "go"), side]);
    place.import();
    assert_eq!(place.list(1), (1, items(&[("探す", "Pending")])));
    assert_eq!(place.list(2), (1, items(&[("画像", "Pending")])));
}

#[test]
fn a_todo_file_does_not_bring_back_what_was_forgotten() {
    let place = Place::new();
    let list = [("秘密の計画を直す", "pending")];
    place.append("projects/p/s1.jsonl", &[typed("s1", "u1", 0, "秘密の計画"), written(1, &list)]);
    place.write("todos/s1-agent-s1.json", &todos(&list).to_string());
    place.import();
    let call = Call { caller: Caller::member("m1"), ..Call::default() };
    let comment = place.only("秘密の計画");
    place.workspace.forget(&call, &Forget::Passage(comment, "秘密の計画".into())).unwrap();
    let after = place.list(1);
    assert!(!after.1[0].0.contains("秘密"));
    place.import();
    assert_eq!(place.list(1), after);
}

#[test]
fn task_tools_make_a_list_with_its_history() {
    let place = Place::new();
    let call = |nth: u32, name: &str, input: Value| {
        said(
            "s1",
            &format!("a{nth}"),
            nth,
            json!({"type": "tool_use", "id": format!("c{nth}"), "name": name, "input": input}),
        )
    };
    let result = |nth: u32, output: &str| {
        let mut line = typed("s1", &format!("r{nth}"), nth, "");
        line["message"]["content"] =
            json!([{"type": "tool_result", "tool_use_id": format!("c{nth}"), "content": output}]);
        line
    };
    place.append(
        "projects/p/s1.jsonl",
        &[
            typed("s1", "u1", 0, "go"),
            call(1, "TaskCreate", json!({"subject": "直す", "description": "x", "activeForm": "直しています"})),
            result(1, "Task #1 created successfully: 直す"),
            call(2, "TaskUpdate", json!({"taskId": "1", "status": "in_progress"})),
        ],
    );
    place.import();
    assert_eq!(place.list(1), (2, items(&[("直す", "InProgress")])));
    place.append("projects/p/s1.jsonl", &[call(3, "TaskUpdate", json!({"taskId": "1", "status": "completed"}))]);
    place.import();
    assert_eq!(place.list(1), (3, items(&[("直す", "Completed")])));
    place.append("projects/p/s1.jsonl", &[call(4, "TaskUpdate", json!({"taskId": "1", "status": "deleted"}))]);
    place.import();
    assert_eq!(place.list(1), (4, vec![]));
}
