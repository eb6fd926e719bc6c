//! What `client/client.mjs` drives. The scenarios are written there; here is the space that each begins with, and what
//! must be found in it afterwards.

use kiroku_api::Workspace;
use kiroku_model::{Call, SystemClock};
use kiroku_tests::{Home, kiroku, repository};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, OnceLock};

/// The client's folder, with its packages brought in.
fn client() -> &'static Path {
    static READY: OnceLock<PathBuf> = OnceLock::new();
    READY.get_or_init(|| {
        let folder = repository().join("tests/mcp/client");
        let changed = |path: &str| std::fs::metadata(folder.join(path)).and_then(|file| file.modified()).ok();
        // npm writes down there what it brought in.
        if changed("node_modules/.package-lock.json") < changed("package-lock.json") {
            let brought = Command::new("npm").args(["ci", "--no-audit", "--no-fund"]).current_dir(&folder).output();
            let brought = brought.expect("npm starts");
            assert!(brought.status.success(), "npm ci: {}", String::from_utf8_lossy(&brought.stderr));
        }
        folder
    })
}

/// Plays a scenario; answers what the client says beside its success.
#[track_caller]
fn play(home: &Home, scenario: &str, more: Value) -> Value {
    let script = client().join("client.mjs");
    let mut told = json!({ "kiroku": kiroku(), "space": home.space() });
    told.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap_or_default());
    let mut node = home.command_of(Path::new("node"), &[script.to_str().unwrap(), scenario]);
    node.env("PATH", std::env::var_os("PATH").unwrap_or_default()).env("KIROKU_TEST", told.to_string());
    let ran = home.finish(node);
    let verdict: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{}\n{}", ran.out, ran.err));
    assert_eq!(verdict["ok"], true, "{scenario}: {}\n{}", verdict["error"].as_str().unwrap_or_default(), ran.err);
    // A validator that meets something unknown in a schema complains there.
    assert_eq!(ran.err, "", "{scenario}");
    verdict
}

fn comment(id: i64, task: i64, kind: &str, body: &str) -> Value {
    json!({"type": "comment", "id": id, "task": task, "seq": id, "key": format!("k{id}"), "author": "user", "kind": kind,
           "created": "2026-06-20T10:00:00Z", "body": body})
}

fn task(id: i64, title: &str) -> Value {
    json!({"type": "task", "id": id, "uid": format!("0197f3a2-0000-7000-8000-00000000000{id}"), "title": title,
           "state": "running", "created": "2026-06-20T10:00:00Z", "updated": "2026-06-20T10:00:00Z"})
}

/// A space with two tasks and a few records.
fn home() -> Home {
    let home = Home::with(&[
        json!({"type": "kiroku", "version": 1, "space": "0197f3a2-6c10-7b54-9d2e-4b1f0c6a8e31"}),
        task(1, "一つ目"),
        task(2, "ログイン画面の改修"),
        comment(1, 1, "request", "別の話です"),
        comment(2, 2, "request", "既存の認証フローは変更しないでください"),
    ]);
    home.write("work/memory/summary.md", "---\nupdated_at: 2026-06-20T10:00:00Z\n---\n要約\n");
    std::fs::create_dir_all(home.path("work/memory/decisions")).unwrap();
    home.write(
        "work/knowledge/tax-rounding.md",
        "---\nkind: procedure\ndescription: How tax is rounded\nmodel_invokation: true\nuser_invocable: true\n\
         last_sources: []\ncreated_at: 2026-06-20T10:00:00Z\nupdated_at: 2026-06-20T10:00:00Z\n---\n一度だけ丸める。\n",
    );
    home
}

#[test]
fn every_tool_with_good_input_and_bad() {
    play(&home(), "tools", json!({}));
}

#[test]
fn strangers_subtasks_and_those_without_memory() {
    play(&home(), "scope", json!({}));
}

#[test]
fn resources_and_notices_of_what_another_process_wrote() {
    play(&home(), "resources", json!({}));
}

#[test]
fn four_hundred_calls_at_once_from_four_clients() {
    let home = home();
    play(&home, "crowd", json!({}));
    // Each change of the list began where the one before ended.
    let workspace = Workspace::open(&home.space(), Arc::new(SystemClock)).unwrap();
    let (mut rows, mut before) = (Vec::new(), None);
    loop {
        let page = workspace.lists().history(&Call::default(), "shared", before, 50).unwrap();
        rows.extend(page.rows);
        before = page.next;
        if before.is_none() {
            break;
        }
    }
    assert_eq!(rows.len(), 161);
    for pair in rows.windows(2) {
        assert_eq!((pair[0].version, &pair[0].before), (pair[1].version + 1, &pair[1].after));
    }
    let list = workspace.lists().projection(&Call::default(), "shared").unwrap();
    assert_eq!((list.version, &list.items), (161, &rows[0].after));
}

#[test]
fn a_long_search_is_taken_back() {
    // A scan over 24 MB of text, in comments of the size of a long report.
    let body = "長い報告 a long report of what was done. ".repeat(6_000);
    let mut rows = vec![
        json!({"type": "kiroku", "version": 1, "space": "0197f3a2-6c10-7b54-9d2e-4b1f0c6a8e31"}),
        task(1, "一つ目"),
    ];
    rows.extend((1..=80).map(|id| comment(id, 1, "comment", &body)));
    play(&Home::with(&rows), "cancel", json!({}));
}

#[test]
fn what_install_prints_works_as_it_stands() {
    let home = home();
    let printed = home.run(&["mcp", "install"]).ok().says(&["claude mcp add kiroku -- ", "[mcp_servers.kiroku]"]);
    let begin = printed.out.find("{\n").unwrap();
    let mut blocks = serde_json::Deserializer::from_str(&printed.out[begin..]).into_iter::<Value>();
    let server = blocks.next().unwrap().unwrap()["mcpServers"]["kiroku"].clone();
    let args: Vec<&str> = server["args"].as_array().unwrap().iter().map(|arg| arg.as_str().unwrap()).collect();
    assert!(args.join(" ").ends_with("--as m1 --thread auto --task auto"), "{args:?}");
    play(&home, "installed", json!({ "installed": server }));
}
