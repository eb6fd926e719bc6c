//! The tools beside the search: ListWorkspaceTasks, the caller's own task by SearchTaskConversation and
//! ReadTaskConversation, and its mission.

use crate::example::{login_task, second_task};
use kiroku_tests::Home;
use serde_json::{Value, json};

fn home() -> Home {
    let mut rows = login_task();
    rows.extend(second_task());
    Home::with(&rows)
}

fn refs(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|row| row["ref"].as_str().unwrap()).collect()
}

#[test]
fn tasks_are_listed_newest_update_first() {
    let mut rows = login_task();
    rows.extend(second_task());
    // Its last comment is later than what the task says of itself.
    rows.push(json!({"type": "task", "id": 30, "title": "token: abcdef123456", "state": "failed",
        "created": "2026-06-01T00:00:00Z", "updated": "2026-06-01T00:00:00Z"}));
    rows.push(json!({"type": "comment", "task": 30, "author": "agent", "kind": "result", "body": "x", "created": "2026-06-30T00:00:00Z"}));
    rows.push(json!({"type": "task", "id": 31, "title": "w", "state": "waiting", "created": "2026-06-02T00:00:00Z", "updated": "2026-06-02T00:00:00Z"}));
    rows.push(json!({"type": "task", "id": 32, "title": "i", "state": "interrupted", "created": "2026-06-03T00:00:00Z", "updated": "2026-06-03T00:00:00Z"}));
    let home = Home::with(&rows);
    let list = |input: Value| home.tool("ListWorkspaceTasks", &[], &input).json();
    let all = list(json!({}));
    assert_eq!(all["total"], 5);
    assert_eq!(refs(&all["tasks"]), ["task:30", "task:20", "task:12", "task:32", "task:31"]);
    assert_eq!(
        all["tasks"][2],
        json!({"ref": "task:12", "state": "completed", "title": "ログイン画面の改修", "piece": "default", "updated": "2026-06-20T11:30:00Z"})
    );
    assert_eq!(all["tasks"][0]["updated"], "2026-06-30T00:00:00Z");
    assert_eq!(all["tasks"][0]["title"], "token: [redacted:token]", "titles are redacted");
    assert_eq!(refs(&list(json!({"state": "open"}))["tasks"]), ["task:20", "task:31"]);
    assert_eq!(refs(&list(json!({"state": "closed"}))["tasks"]), ["task:30", "task:12", "task:32"]);
    let one = list(json!({"limit": 1, "state": "closed"}));
    assert_eq!((&one["total"], refs(&one["tasks"])), (&json!(3), vec!["task:30"]));
    let text = home.tool("ListWorkspaceTasks", &["--text", "--lang", "en"], &json!({"limit": 2})).ok();
    assert_eq!(
        text.out,
        "## Workspace Tasks (5 task(s))\n\n\
         - task:30 failed \"token: [redacted:token]\" 2026-06-30T00:00:00Z\n\
         - task:20 running \"Session handling\" [default] 2026-06-21T12:00:00Z\n\n\
         (2 of 5 shown)\n"
    );
    for input in [json!({"limit": 0}), json!({"limit": 51}), json!({"state": "running"}), json!({"query": "a"})] {
        home.tool("ListWorkspaceTasks", &[], &input).error(2, "invalid_input");
    }
}

#[test]
fn at_most_so_many_tasks_are_listed() {
    let rows: Vec<Value> = (1..=55)
        .map(|id| json!({"type": "task", "id": id, "title": "t", "created": "2026-06-01T00:00:00Z", "updated": "2026-06-01T00:00:00Z"}))
        .collect();
    let home = Home::with(&rows);
    let count = |input: Value| {
        let list = home.tool("ListWorkspaceTasks", &[], &input).json();
        assert_eq!(list["total"], 55);
        list["tasks"].as_array().unwrap().len()
    };
    assert_eq!((count(json!({})), count(json!({"limit": 50}))), (20, 50));
}

#[test]
fn the_own_conversation_is_searched_whole() {
    let home = home();
    let found = |task: &str, input: Value| home.tool("SearchTaskConversation", &["--task", task], &input).json();
    // Kinds that the index leaves out, and what tools were given and gave back.
    let hits = found("12", json!({"query": "認証"}));
    assert_eq!(refs(&hits["hits"]), ["comment:95", "comment:90", "comment:88", "comment:86"]);
    assert_eq!((&hits["total"], &hits["order"]), (&json!(4), &json!("newest")));
    assert_eq!(refs(&found("20", json!({"query": "lunar"}))["hits"]), ["comment:205"]);
    assert_eq!(refs(&found("20", json!({"query": "example.org/moon"}))["hits"]), ["comment:205"]);
    assert_eq!(refs(&found("12", json!({"query": "screen.png"}))["hits"]), ["comment:86"]);
    assert_eq!(
        refs(&found("12", json!({"query": "認証 ui", "match_mode": "all"}))["hits"]),
        ["comment:95", "comment:88"]
    );
    assert_eq!(refs(&found("12", json!({"query": "認証", "limit": 1}))["hits"]), ["comment:95"]);
    let with = found("12", json!({"query": "フロー", "context": 1}));
    assert_eq!(refs(&with["hits"][0]["before"]), ["comment:86"]);
    assert!(found("12", json!({"query": "session"}))["hits"].as_array().unwrap().is_empty(), "another task's");
    let around = found("12", json!({"around_ref": "comment:88", "context": 1}));
    assert_eq!(refs(&around["comments"]), ["comment:86", "comment:88", "comment:90"]);
    let tool = |input: Value| home.tool("SearchTaskConversation", &["--task", "12"], &input);
    tool(json!({"around_ref": "comment:201"})).error(2, "not_found");
    for input in [
        json!({}),
        json!({"query": "a", "around_ref": "comment:88"}),
        json!({"query": "a", "limit": 31}),
        json!({"query": "a", "kind": "ask"}),
    ] {
        tool(input).error(2, "invalid_input");
    }
    // A subtask may use it on itself.
    let own = home.tool("SearchTaskConversation", &["--task", "12", "--subtask"], &json!({"query": "touch"})).json();
    assert_eq!(own["total"], 1);
}

#[test]
fn the_own_conversation_is_read_in_pages() {
    let home = home();
    let read = |input: Value| home.tool("ReadTaskConversation", &["--task", "task:12"], &input).json();
    let whole = read(json!({}));
    assert_eq!((&whole["total"], &whole["next_offset"]), (&json!(4), &Value::Null));
    assert_eq!(refs(&whole["comments"]), ["comment:86", "comment:88", "comment:90", "comment:95"]);
    let first = read(json!({"limit": 3}));
    assert_eq!((refs(&first["comments"]).len(), &first["next_offset"]), (3, &json!(3)));
    let second = read(json!({"limit": 3, "offset": 3}));
    assert_eq!((refs(&second["comments"]), &second["next_offset"]), (vec!["comment:95"], &Value::Null));
    assert_eq!(read(json!({"offset": 99}))["comments"], json!([]));
    assert_eq!(
        refs(&read(json!({"around_ref": "comment:95", "context": 1}))["comments"]),
        ["comment:90", "comment:95"]
    );
    for input in [
        json!({"limit": 0}),
        json!({"limit": 201}),
        json!({"offset": -1}),
        json!({"around_ref": "95"}),
        json!({"context": 6}),
    ] {
        home.tool("ReadTaskConversation", &["--task", "12"], &input).error(2, "invalid_input");
    }
    home.tool("ReadTaskConversation", &["--task", "12"], &json!({"around_ref": "comment:201"})).error(2, "not_found");
    home.tool("ReadTaskConversation", &["--task", "999"], &json!({})).error(2, "not_found");
    let text =
        home.tool("ReadTaskConversation", &["--task", "12", "--text", "--lang", "en"], &json!({"limit": 2})).ok();
    assert_eq!(
        text.out,
        "## Task Conversation — task:12 \"ログイン画面の改修\" (2 of 4)\n\n\
         - comment:86 user/comment 2026-06-20T09:55:00Z\n  質問なんですが、既存の認証部分は今回のスコープに入りますか?\n  [attached: screen.png]\n\
         - comment:88 user/request 2026-06-20T10:00:00Z\n  既存の認証フローは変更しないでください。UI 差し替えのみでお願いします。\n\n\
         To read on, give offset: 2.\n"
    );
}

#[test]
fn a_body_of_any_size_is_readable_and_its_text_says_what_it_left_out() {
    let body = "長".repeat(25_000);
    let mut rows = login_task();
    rows.push(json!({"type": "comment", "id": 97, "task": 12, "author": "agent", "kind": "result", "body": body, "created": "2026-06-20T12:00:00Z"}));
    let home = Home::with(&rows);
    let around = json!({"around_ref": "comment:97", "context": 0});
    let typed = home.tool("SearchWorkspaceTasks", &[], &around).json();
    assert_eq!(typed["comments"][0]["body"], body);
    let text = home.tool("SearchWorkspaceTasks", &["--text", "--lang", "en"], &around).ok();
    assert_eq!(text.out.matches('長').count(), 20_000);
    text.says(&["5000 more characters left out"]);
}

#[test]
fn a_mission_keeps_facts_once() {
    let home = home();
    let update = |input: Value| home.tool("MissionUpdate", &["--task", "12"], &input);
    let pinned = update(json!({
        "user_constraints": [{"text": "認証フローは変更しない", "ref": "comment:88"}, {"text": "認証フローは変更しない"}],
        "decisions": [{"text": "UI のみ"}],
    }))
    .json();
    let constraint = &pinned["user_constraints"][0];
    assert_eq!(constraint["text"], "認証フローは変更しない");
    assert_eq!(constraint["ref"], "comment:88");
    assert_eq!(
        (pinned["user_constraints"].as_array().unwrap().len(), pinned["decisions"][0]["text"].as_str()),
        (1, Some("UI のみ"))
    );
    // The same again adds nothing; the same text in the other list is another fact.
    let again = update(json!({"decisions": [{"text": "UI のみ"}, {"text": "認証フローは変更しない"}]})).json();
    assert_eq!(again["decisions"].as_array().unwrap().len(), 2);
    let read = home.tool("MissionRead", &["--task", "12"], &json!({})).json();
    assert_eq!(read, again);
    let other = home.tool("MissionRead", &["--task", "20"], &json!({})).json();
    assert_eq!((&other["user_constraints"], &other["decisions"]), (&json!([]), &json!([])));
    let id = again["decisions"][0]["id"].as_i64().unwrap();
    // What can't be done whole is not done at all.
    update(json!({"remove": [id, 9999]})).error(2, "not_found");
    update(json!({"decisions": [{"text": "new"}, {"text": " "}]})).error(2, "invalid_input");
    update(json!({"decisions": [{"text": "new", "ref": "comment:9999"}]})).error(2, "not_found");
    home.tool("MissionUpdate", &["--task", "20"], &json!({"remove": [id]})).error(2, "not_found");
    assert_eq!(home.tool("MissionRead", &["--task", "12"], &json!({})).json(), again);
    let less = update(json!({"remove": [id]})).json();
    assert_eq!(less["decisions"].as_array().unwrap().len(), 1);
    for input in [
        json!({}),
        json!({"decisions": "x"}),
        json!({"decisions": [{"text": "x", "by": "m1"}]}),
        json!({"decisions": [{"ref": "comment:88"}]}),
    ] {
        update(input).error(2, "invalid_input");
    }
    home.tool("MissionRead", &["--task", "12"], &json!({"task": 20})).error(2, "invalid_input");
    let text = home.tool("MissionRead", &["--task", "12", "--text", "--lang", "en"], &json!({})).ok();
    text.says(&[
        "## Mission\n\n### user_constraints\n- ",
        ": 認証フローは変更しない (comment:88)\n\n### decisions\n- ",
    ]);
}
