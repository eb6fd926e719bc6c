//! Searching, drilling down, missions, forgetting, and taking results out.

use crate::Shell;
use serde_json::{Value, json};
use std::fs;

fn number(reference: &Value) -> i64 {
    reference.as_str().unwrap().split_once(':').unwrap().1.parse().unwrap()
}

#[test]
fn from_a_word_to_the_conversation_around_it() {
    let shell = Shell::with_sample();
    let search = |query: Value| shell.call("search", json!({"field": "search", "turn": 1, "query": query}));
    let found = search(json!({"query": "認証"})).unwrap();
    let hit = &found["hits"][0];
    assert!(found["total"].as_u64().unwrap() > 0 && hit["excerpt"].as_str().unwrap().contains("認証"), "{found}");
    let (task, comment) = (number(&hit["task"]["ref"]), number(&hit["ref"]));
    let of_task =
        search(json!({"query": "認証", "filter": {"task": task}, "order": "newest", "count_all": true})).unwrap();
    assert!(of_task["hits"].as_array().unwrap().iter().all(|hit| number(&hit["task"]["ref"]) == task));
    let next = search(json!({"query": "認証", "limit": 1, "after": comment})).unwrap();
    assert_ne!(next["hits"][0]["ref"], hit["ref"]);
    assert_eq!(search(json!({"query": "  "})).unwrap_err()["code"], "invalid_input");

    let around = shell.call("around", json!({"comment": comment, "context": 0})).unwrap();
    assert_eq!((&around["comments"][0]["ref"], &around["comments"][0]["is_target"]), (&hit["ref"], &json!(true)));
    // `more_before` is the comment's place in its conversation.
    let page = json!({"task": task, "offset": around["more_before"], "limit": 1});
    let page = shell.call("conversation", page).unwrap();
    assert_eq!(page["comments"][0]["ref"], hit["ref"]);
    let details = shell.call("task", json!({ "task": task })).unwrap();
    assert_eq!((&details["comments"], &details["title"]), (&page["total"], &page["task"]["title"]));
    let find =
        |words: &str| shell.call("find_in_task", json!({"field": "find", "turn": 1, "task": task, "words": words}));
    assert!(find("認証").unwrap()["places"].as_array().unwrap().contains(&around["more_before"]));
    assert_eq!(find("この会話にない語").unwrap(), json!({"available": true, "places": [], "in_tools": []}));
    assert_eq!(find("　 ").unwrap_err()["code"], "invalid_input");
    let outline = shell.call("outline", json!({ "task": task })).unwrap();
    let entries = outline["entries"].as_array().unwrap();
    assert_eq!(outline["total"].as_u64().unwrap() as usize, entries.len());
    for entry in entries {
        let page = json!({"task": task, "offset": entry["place"], "limit": 1});
        let comment = shell.call("conversation", page).unwrap()["comments"][0].clone();
        assert_eq!((&comment["ref"], &comment["kind"]), (&entry["ref"], &entry["kind"]));
        assert_ne!(entry["kind"], "progress");
    }
}

#[test]
fn tasks_by_title_state_and_parent_in_pages() {
    let shell = Shell::with_sample();
    let list = |query: Value| shell.call("tasks", json!({ "query": query })).unwrap();
    let titles = |query: Value| -> Vec<String> {
        list(query)["tasks"].as_array().unwrap().iter().map(|task| task["title"].as_str().unwrap().to_owned()).collect()
    };
    let all = list(json!({"limit": 1000}));
    let total = all["total"].as_u64().unwrap() as usize;
    assert_eq!(all["tasks"].as_array().unwrap().len(), total);
    let of_states = |states: Value| list(json!({"states": states, "limit": 0}))["total"].as_u64().unwrap() as usize;
    let (open, closed) = (["queued", "running", "waiting"], ["completed", "failed", "interrupted"]);
    assert_eq!(of_states(json!(open)) + of_states(json!(closed)), total);
    assert!(of_states(json!(open)) > 0 && of_states(json!(closed)) > 0);
    // Pages joined are the whole, in every order, with and without a filter.
    for query in [
        json!({}),
        json!({"sort": "created"}),
        json!({"sort": "title"}),
        json!({"states": closed}),
        json!({"title": "の"}),
    ] {
        let page = |offset: usize, limit: usize| {
            let mut query = query.clone();
            query["offset"] = json!(offset);
            query["limit"] = json!(limit);
            titles(query)
        };
        let whole = page(0, 1000);
        assert!(whole.len() > 6, "{query}");
        assert_eq!([page(0, 5), page(5, 1000)].concat(), whole, "{query}");
        assert_eq!(page(whole.len() + 5, 5), Vec::<String>::new());
    }
    // Words in any order, folded; a part of a word is enough.
    assert!(titles(json!({"title": "ﾛｸﾞｲﾝ 改修", "limit": 9})).contains(&"ログイン画面の改修".to_owned()));
    // Subtasks stand under their parent, and say whose they are.
    let top = list(json!({"top": true, "limit": 1000}));
    let mut under = 0;
    for task in top["tasks"].as_array().unwrap() {
        assert_eq!(task["parent"], json!(null));
        let subtasks = list(json!({"parent": number(&task["ref"]), "limit": 1000}));
        assert_eq!(subtasks["total"], task["subtasks"]);
        for subtask in subtasks["tasks"].as_array().unwrap() {
            assert_eq!(subtask["parent"]["ref"], task["ref"]);
            under += 1;
        }
    }
    assert!(under > 0 && top["total"].as_u64().unwrap() as usize + under <= total);
}

#[test]
fn what_a_tool_was_given_and_gave_back() {
    let shell = Shell::with_sample();
    let all = shell.call("tasks", json!({"query": {"limit": 1000}})).unwrap();
    let mut given = 0;
    for task in all["tasks"].as_array().unwrap() {
        let page = json!({"task": number(&task["ref"]), "offset": 0, "limit": 500});
        let page = shell.call("conversation", page).unwrap();
        for comment in page["comments"].as_array().unwrap().iter().filter(|comment| comment["tool"].is_string()) {
            let call = shell.call("tool_call", json!({"comment": number(&comment["ref"])})).unwrap();
            given += i32::from(call["input"].is_string());
        }
    }
    assert!(given > 0);
}

#[test]
fn a_fact_is_pinned_once_and_taken_off() {
    let shell = Shell::with_sample();
    let found = json!({"field": "search", "turn": 1, "query": {"query": "認証"}});
    let hit = shell.call("search", found).unwrap()["hits"][0].clone();
    let task = number(&hit["task"]["ref"]);
    let before = shell.call("mission", json!({ "task": task })).unwrap()["decisions"].as_array().unwrap().len();
    let pin = json!({"task": task, "list": "decisions", "text": "Keep the flow", "comment": number(&hit["ref"])});
    shell.call("pin", pin.clone()).unwrap();
    let mission = shell.call("pin", pin).unwrap();
    let decisions = mission["decisions"].as_array().unwrap();
    assert_eq!(decisions.len(), before + 1);
    let made = decisions.last().unwrap();
    assert_eq!((&made["text"], &made["ref"]), (&json!("Keep the flow"), &hit["ref"]));
    let mission = shell.call("unpin", json!({"task": task, "pin": made["id"]})).unwrap();
    assert_eq!(mission["decisions"].as_array().unwrap().len(), before);
    assert_eq!(shell.refusal("unpin", json!({"task": task, "pin": made["id"]})), "not_found");
}

#[test]
fn what_is_forgotten_is_gone_and_the_backups_that_hold_it_are_named() {
    let shell = Shell::with_sample();
    let backup = shell.call("make_backup", json!({})).unwrap();
    let found = json!({"field": "search", "turn": 1, "query": {"query": "認証"}});
    let hit = shell.call("search", found.clone()).unwrap()["hits"][0].clone();
    let comment = number(&hit["ref"]);
    let forgotten = shell.call("forget", json!({"what": {"comment": comment}})).unwrap();
    assert_eq!((&forgotten["comments"], &forgotten["held_by"]), (&json!(1), &json!([backup["path"]])));
    assert_eq!(shell.refusal("around", json!({"comment": comment, "context": 0})), "not_found");
    let task = number(&hit["task"]["ref"]);
    assert_eq!(shell.call("forget", json!({"what": {"task": task}})).unwrap()["tasks"], 1);
    assert_eq!(shell.refusal("forget", json!({"what": {"passage": [comment, "x"]}})), "not_found");
    let found = shell.call("search", found).unwrap();
    assert!(found["hits"].as_array().unwrap().iter().all(|hit| number(&hit["task"]["ref"]) != task));
}

#[test]
fn results_go_where_the_person_chose_or_nowhere() {
    let shell = Shell::with_sample();
    let export = |format: &str| json!({"work": "export", "query": {"query": "認証"}, "format": format});
    // The person closed the dialog.
    assert_eq!(shell.call("export_results", export("markdown")).unwrap(), json!(null));
    let (markdown, array) = (shell.path("found.md"), shell.path("found.json"));
    shell.will_choose(&markdown);
    let saved = shell.call("export_results", export("markdown")).unwrap();
    assert_eq!(saved["path"], json!(markdown));
    let text = fs::read_to_string(&markdown).unwrap();
    assert!(
        text.starts_with("# Search: 認証\n") && text.contains("\n## task:") && text.contains("- `comment:"),
        "{text}"
    );
    shell.will_choose(&array);
    shell.call("export_results", export("json")).unwrap();
    let hits: Value = serde_json::from_str(&fs::read_to_string(&array).unwrap()).unwrap();
    assert_eq!(hits.as_array().unwrap().len() as u64, saved["count"].as_u64().unwrap());
    // A failure leaves what stood there, and nothing half-made beside it.
    shell.will_choose(&markdown);
    let bad = json!({"work": "export", "query": {"query": ""}, "format": "markdown"});
    assert_eq!(shell.refusal("export_results", bad), "invalid_input");
    assert_eq!(fs::read_to_string(&markdown).unwrap(), text);
    shell.will_choose(shell.path("nowhere/found.md"));
    assert_eq!(shell.refusal("save_text", json!({"name": "x.md", "text": "x"})), "not_found");
    assert!(!fs::read_dir(shell.dir.path()).unwrap().any(|entry| entry.unwrap().path().ends_with(".making")));

    let space = shell.path("space.jsonl");
    shell.will_choose(&space);
    let saved = shell.call("export_space", json!({"work": "export", "redact": true})).unwrap();
    assert_eq!(fs::read_to_string(&space).unwrap().lines().count() as u64, saved["count"].as_u64().unwrap());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(&space).unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[test]
fn a_conversation_goes_into_a_file_as_markdown() {
    let shell = Shell::with_sample();
    let found = json!({"field": "search", "turn": 1, "query": {"query": "認証", "filter": {"kind": "request"}}});
    let hit = shell.call("search", found).unwrap()["hits"][0].clone();
    let task = number(&hit["task"]["ref"]);
    let export = |options: Value| {
        let path = shell.path("told.md");
        shell.will_choose(&path);
        let input = json!({"work": "export", "task": task, "options": options});
        let saved = shell.call("export_conversation", input).unwrap();
        (fs::read_to_string(&path).unwrap(), saved["count"].as_u64().unwrap())
    };
    let whole = shell.call("task", json!({ "task": task })).unwrap();
    let (words, said) = export(json!({}));
    let (all, comments) = export(json!({"work": true}));
    assert!(words.starts_with(&format!("# {}\n", whole["title"].as_str().unwrap())), "{words}");
    assert!(words.contains(hit["ref"].as_str().unwrap()) && words.contains("認証"));
    assert_eq!(whole["comments"], comments);
    assert!(said > 0 && said < comments && words.len() < all.len());
    assert_eq!(all.matches("\n---\n").count() as u64, comments);
}
