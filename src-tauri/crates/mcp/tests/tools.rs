//! The tools as a client of the protocol meets them.
#![allow(clippy::unwrap_used, clippy::panic, reason = "test code")]

mod common;

use common::{Space, member};
use kiroku_mcp::{ServeOptions, TaskChoice, ThreadChoice};
use kiroku_model::{Lang, TaskId};
use rmcp::ServiceError;
use rmcp::model::{CallToolRequestParams, ErrorCode};
use serde_json::{Map, Value, json};

/// The tools by their exact names, as the product's page says them.
const NAMES: [&str; 16] = [
    "KnowledgeSearch",
    "ListWorkspaceTasks",
    "MemoryDelete",
    "MemoryEdit",
    "MemoryRead",
    "MemorySearch",
    "MemoryWrite",
    "MissionRead",
    "MissionUpdate",
    "ReadTaskConversation",
    "SearchTaskConversation",
    "SearchWorkspaceTasks",
    "task_check",
    "task_complete",
    "task_update",
    "task_write",
];

fn two_tasks() -> Vec<Value> {
    let task = |id: i64, title: &str| {
        json!({"type": "task", "id": id, "uid": format!("0197f3a2-0000-7000-8000-00000000000{id}"), "title": title,
               "state": "running", "created": "2026-06-20T10:00:00Z", "updated": "2026-06-20T10:00:00Z"})
    };
    let comment = |id: i64, task: i64, body: &str| {
        json!({"type": "comment", "id": id, "task": task, "seq": 1, "key": format!("k{id}"), "author": "user",
               "kind": "request", "created": "2026-06-20T10:00:00Z", "body": body})
    };
    vec![
        task(1, "一つ目"),
        task(2, "ログイン画面の改修"),
        comment(1, 1, "別の話です"),
        comment(2, 2, "既存の認証フローは変更しないでください"),
    ]
}

fn on_task(task: i64) -> ServeOptions {
    ServeOptions { member: Some("m1".into()), task: TaskChoice::This(TaskId(task)), ..ServeOptions::default() }
}

#[tokio::test]
async fn every_tool_is_listed_with_what_a_client_needs() {
    let space = Space::new();
    let client = space.connect(ServeOptions::default()).await;
    let tools = client.peer().list_all_tools().await.unwrap();
    let mut names: Vec<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
    names.sort_unstable();
    assert_eq!(names, NAMES);
    let writers =
        ["MissionUpdate", "MemoryWrite", "MemoryEdit", "MemoryDelete", "task_write", "task_update", "task_complete"];
    for tool in &tools {
        let name = tool.name.as_ref();
        assert!(tool.description.as_ref().is_some_and(|said| said.len() > 20), "{name}");
        assert_eq!(tool.input_schema["type"], "object", "{name}");
        for (parameter, schema) in tool.input_schema["properties"].as_object().unwrap() {
            assert!(schema["description"].as_str().is_some_and(|said| said.len() > 3), "{name}.{parameter}: {schema}");
        }
        assert_eq!(tool.output_schema.as_ref().unwrap()["type"], "object", "{name}");
        let annotations = tool.annotations.as_ref().unwrap();
        assert_eq!(annotations.read_only_hint, Some(!writers.contains(&name)), "{name}");
        assert_eq!(annotations.open_world_hint, Some(false), "{name}");
    }
    let japanese = space.connect(ServeOptions { lang: Lang::Ja, ..ServeOptions::default() }).await;
    let tools = japanese.peer().list_all_tools().await.unwrap();
    assert!(tools.iter().all(|tool| tool.description.as_ref().unwrap().chars().any(|letter| letter > '\u{3040}')));
    let told = japanese.peer().peer_info().unwrap().instructions.clone().unwrap();
    assert!(told.contains("ワークスペース"), "{told}");
    client.end().await;
    japanese.end().await;
}

#[tokio::test]
async fn an_answer_comes_typed_and_in_the_agents_layout() {
    let space = Space::with(&two_tasks());
    let client = space.connect(on_task(1)).await;
    let found = client.call("SearchWorkspaceTasks", json!({"query": "認証"})).await;
    let value = found.structured_content.unwrap();
    assert_eq!((&value["available"], &value["total"]), (&json!(true), &json!(1)));
    let text = found.content[0].as_text().unwrap().text.clone();
    assert!(text.starts_with("## Workspace Task Search Results (query: \"認証\", 1 hit(s))"), "{text}");
    assert_eq!(found.is_error, Some(false));
    // The current task is left out.
    let (value, _) = client.answer("SearchWorkspaceTasks", json!({"query": "別の話"})).await;
    assert_eq!(value["total"], 0);
    let (value, _) = client.answer("MissionUpdate", json!({"decisions": [{"text": "Cookie のまま"}]})).await;
    assert_eq!(value["decisions"][0]["text"], "Cookie のまま");
    client.end().await;
}

#[tokio::test]
async fn a_rejected_input_is_a_result_and_touches_nothing() {
    let space = Space::with(&two_tasks());
    let client = space.connect(on_task(1)).await;
    for (tool, input, code) in [
        ("SearchWorkspaceTasks", json!({}), "invalid_input"),
        ("SearchWorkspaceTasks", json!({"query": "a", "around_ref": "comment:1"}), "invalid_input"),
        ("SearchWorkspaceTasks", json!({"query": "a", "limit": 31}), "invalid_input"),
        ("SearchWorkspaceTasks", json!({"query": "a", "nonsense": 1}), "invalid_input"),
        ("SearchWorkspaceTasks", json!({"around_ref": "comment:999"}), "not_found"),
        ("ListWorkspaceTasks", json!({"limit": 0}), "invalid_input"),
        ("SearchTaskConversation", json!({"query": 5}), "invalid_input"),
        ("ReadTaskConversation", json!({"limit": 201}), "invalid_input"),
        ("MissionUpdate", json!({}), "invalid_input"),
        ("MissionRead", json!({"x": 1}), "invalid_input"),
        ("MemorySearch", json!({"query": " "}), "invalid_input"),
        ("KnowledgeSearch", json!({}), "invalid_input"),
        ("MemoryRead", json!({"kind": "decision", "slug": "none-such"}), "not_found"),
        ("MemoryWrite", json!({"kind": "knowledge", "slug": "../x", "content": ""}), "invalid_input"),
        ("MemoryEdit", json!({"kind": "summary", "old_string": "", "new_string": "a"}), "invalid_input"),
        ("MemoryDelete", json!({"kind": "request"}), "invalid_input"),
        ("task_write", json!({"tasks": [{"content": "", "status": "pending", "activeForm": "x"}]}), "invalid_input"),
        ("task_update", json!({"id": "a"}), "invalid_input"),
        ("task_complete", json!({"id": 1}), "invalid_input"),
    ] {
        let result = client.call(tool, input.clone()).await;
        let value = result.structured_content.unwrap();
        assert_eq!((result.is_error, &value["error"]["code"]), (Some(true), &json!(code)), "{tool} {input}: {value}");
        assert_eq!(value["error"]["message"], result.content[0].as_text().unwrap().text.as_str());
    }
    let (list, is_error) = client.answer("task_check", json!({})).await;
    assert_eq!((&list["tasks"], is_error), (&json!([]), false));
    client.end().await;
}

#[tokio::test]
async fn only_a_fault_of_the_protocol_is_a_protocol_error() {
    let space = Space::new();
    let client = space.connect(ServeOptions::default()).await;
    let called = client.peer().call_tool(CallToolRequestParams::new("SearchWorkspaceTask")).await;
    let Err(ServiceError::McpError(error)) = called else { panic!("{called:?}") };
    assert_eq!(error.code, ErrorCode::INVALID_PARAMS);
    assert!(error.message.contains("task_check"), "{}", error.message);
    // The connection goes on, and no input at all is an empty one.
    let result = client.peer().call_tool(CallToolRequestParams::new("ListWorkspaceTasks")).await.unwrap();
    assert_eq!(result.structured_content.unwrap()["available"], false);
    client.end().await;
}

#[tokio::test]
async fn strangers_and_subtasks_are_told_that_it_is_not_for_them() {
    let space = Space::with(&two_tasks());
    let nobody = ServeOptions::default();
    let stranger = ServeOptions { member: Some("m9".into()), ..on_task(1) };
    let subtask = ServeOptions { subtask: true, ..on_task(1) };
    for (options, whole_space, own, memory) in [
        (nobody, false, false, false),
        (stranger, false, false, false),
        (subtask, false, true, true),
        (on_task(1), true, true, true),
    ] {
        let shown = format!("{options:?}");
        let client = space.connect(options).await;
        for (tool, input, expected) in [
            ("SearchWorkspaceTasks", json!({"query": "認証"}), whole_space),
            ("ListWorkspaceTasks", json!({}), whole_space),
            ("SearchTaskConversation", json!({"query": "話"}), own),
            ("ReadTaskConversation", json!({}), own),
            ("MissionRead", json!({}), own),
            ("MemorySearch", json!({"query": "x"}), memory),
        ] {
            let (value, is_error) = client.answer(tool, input).await;
            let available = value.get("available").is_none_or(|available| available == true);
            assert_eq!((available, is_error), (expected, false), "{tool} for {shown}: {value}");
            assert!(
                available || value["message"].as_str().is_some_and(|said| said.contains("not available")),
                "{value}"
            );
        }
        client.end().await;
    }
}

#[tokio::test]
async fn without_thread_and_resource_there_is_no_memory() {
    let space = Space::new();
    let write = json!({"tasks": [{"content": "a", "status": "pending", "activeForm": "A"}]});
    let named = ServeOptions { thread: ThreadChoice::This("t".into()), ..ServeOptions::default() };
    for options in [ServeOptions::default(), named] {
        let client = space.connect(options).await;
        for (tool, input) in [
            ("task_write", write.clone()),
            ("task_update", json!({"id": "a", "content": "b"})),
            ("task_complete", json!({"id": "a"})),
        ] {
            let (value, is_error) = client.answer(tool, input).await;
            assert!(is_error && value["content"].as_str().unwrap().contains("memory-backed thread"), "{value}");
            assert_eq!((&value["tasks"], &value["isError"]), (&json!([]), &json!(true)));
        }
        let (value, is_error) = client.answer("task_check", json!({})).await;
        assert!(is_error && value["isError"] == true && value["summary"]["total"] == 0, "{value}");
        client.end().await;
    }
    assert_eq!(space.open().lists().board(&Default::default(), 0, 10).unwrap().total, 0);
}

#[tokio::test]
async fn each_connection_can_be_a_thread_of_its_own() {
    let space = Space::new();
    let options = ServeOptions { member: Some("m1".into()), thread: ThreadChoice::New, ..ServeOptions::default() };
    let (one, two) = (space.connect(options.clone()).await, space.connect(options).await);
    let write = |content: &str| json!({"tasks": [{"content": content, "status": "pending", "activeForm": "A"}]});
    one.answer("task_write", write("one")).await;
    two.answer("task_write", write("two")).await;
    let (value, _) = one.answer("task_check", json!({})).await;
    assert_eq!((&value["summary"]["total"], &value["tasks"][0]["content"]), (&json!(1), &json!("one")));
    let board = space.open().lists().board(&Default::default(), 0, 10).unwrap();
    assert_eq!(board.total, 2);
    assert!(board.threads.iter().all(|glance| glance.resource == "m1" && glance.thread.len() == 36));
    one.end().await;
    two.end().await;
}

#[tokio::test]
async fn a_connection_joins_the_one_session_that_grows_in_its_folder() {
    let space = Space::new();
    let folder = space.dir.path().join("work");
    std::fs::create_dir(&folder).unwrap();
    let workspace = space.open();
    let session = |uid: &str, folder: &std::path::Path, ending: &str, minutes_ago: i64, parent: &str| {
        let now = workspace.now().0 - minutes_ago * 60_000;
        let sql = "INSERT INTO task (uid, title, ending, folder, created, updated, active, parent) VALUES (?1, ?1, ?2, ?3, 0, 0, ?4, nullif(?5, ''))";
        let row = [uid, ending, folder.to_str().unwrap(), &now.to_string(), parent];
        workspace
            .space()
            .write(|tx| {
                tx.execute(sql, row).unwrap();
                Ok(tx.last_insert_rowid())
            })
            .unwrap()
    };
    session("ended", &folder, "turn_ended", 0, "");
    session("elsewhere", &space.dir.path().join("other"), "mid_turn", 0, "");
    session("long ago", &folder, "mid_turn", 11, "");
    let options = ServeOptions {
        member: Some("m1".into()),
        task: TaskChoice::Growing(folder.clone()),
        ..ServeOptions::default()
    };
    let client = space.connect(options).await;
    let joined = async || client.answer("ReadTaskConversation", json!({})).await.0;
    assert_eq!(joined().await["available"], false);
    let growing = session("growing", &folder, "mid_turn", 1, "").to_string();
    assert_eq!(joined().await["task"]["title"], "growing");
    session("its subtask", &folder, "mid_turn", 0, &growing);
    assert_eq!(joined().await["task"]["title"], "growing");
    // Its list is the session's.
    let write = json!({"tasks": [{"content": "a", "status": "pending", "activeForm": "A"}]});
    client.answer("task_write", write).await;
    let thread = format!("task:{growing}");
    assert_eq!(workspace.lists().projection(&Default::default(), &thread).unwrap().version, 1);
    session("a second one", &folder, "mid_turn", 0, "");
    assert_eq!(joined().await["available"], false);
    client.end().await;
}

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

/// The 120 sequences of the task lists' contract; `tests/vectors.rs` of that engine says how they are written down.
#[tokio::test]
async fn task_lists_answer_as_the_reference_does() {
    let items = |list: &Value| -> Value { list.as_array().unwrap().iter().map(item).collect() };
    let space = Space::new();
    let workspace = space.open();
    let mut client = None;
    let (mut calls, mut name, mut stored) = (0, String::new(), json!([]));
    for line in include_str!("../../tasks/fixtures/calls.jsonl").lines() {
        let row: Vec<Value> = serde_json::from_str(line).unwrap();
        if row[0] == "thread" {
            row[1].as_str().unwrap().clone_into(&mut name);
            stored = json!([]);
            client = Some(space.connect(member(&name)).await);
            continue;
        }
        calls += 1;
        let (tool, input) = match row[0].as_str().unwrap() {
            "write" => ("task_write", json!({"tasks": items(&row[1])})),
            "update" => ("task_update", item(&row[1])),
            "complete" => ("task_complete", json!({"id": row[1]})),
            "check" => ("task_check", json!({})),
            other => panic!("{other}"),
        };
        stored = row.get(3).map_or(stored, items);
        let (value, is_error) = client.as_ref().unwrap().answer(tool, input).await;
        let place = format!("{name}: {line}\n{value}");
        if row[2] == "invalid" {
            assert_eq!((&value["error"]["code"], is_error), (&json!("invalid_input"), true), "{place}");
        } else {
            assert_eq!((&value["tasks"], &value["isError"]), (&stored, &json!(is_error)), "{place}");
        }
        if tool == "task_check" {
            let ids: Vec<&Value> =
                value["incompleteTasks"].as_array().unwrap().iter().map(|item| &item["id"]).collect();
            let mut answer: Vec<Value> =
                ["total", "completed", "inProgress", "pending", "incomplete", "hasTasks", "allCompleted"]
                    .map(|name| value["summary"][name].clone())
                    .to_vec();
            answer.push(json!(ids));
            assert_eq!((&json!(answer), is_error), (&row[2], false), "{place}");
        } else if row[2] != "invalid" {
            assert_eq!(is_error, row[2] == "refused", "{place}");
        }
        let list = workspace.lists().projection(&Default::default(), &name).unwrap();
        assert_eq!(json!(list.items), stored, "{place}");
    }
    assert_eq!(calls, 472);
}
