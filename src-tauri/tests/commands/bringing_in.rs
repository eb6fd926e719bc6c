//! Bringing sessions in: what a folder holds, the import with its progress, and taking it back.

use crate::Shell;
use kiroku_desktop::events::Told;
use kiroku_desktop::watching::WatchPhase;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// A shell whose computer has two sessions, of an agent that worked in two folders, and an open empty space.
fn with_sessions() -> Shell {
    let shell = Shell::new();
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/claude-code");
    for name in ["recipes-en", "karuta-ja"] {
        let folder = shell.dir.path().join("home/.claude/projects").join(name);
        fs::create_dir_all(&folder).unwrap();
        fs::copy(fixtures.join(format!("{name}.jsonl")), folder.join("session.jsonl")).unwrap();
    }
    let new =
        json!({"path": shell.path("team.db"), "name": "Team", "member": "sam", "member_name": "Sam", "anyway": false});
    shell.call("create_space", json!({ "space": new })).unwrap();
    shell
}

#[test]
fn a_folder_is_told_with_the_sessions_that_worked_in_it() {
    let shell = with_sessions();
    let look = |folder: &str| shell.call("look_into_folder", json!({"work": "look", "path": folder})).unwrap();
    let view = look("/home/sam/recipes");
    let of_claude = &view["sessions"][0];
    assert_eq!((&of_claude["source"], &of_claude["files"]), (&json!("claude-code"), &json!(1)));
    assert_eq!((&view["name"], &view["space"], &view["records"]), (&json!("recipes"), &json!(null), &json!(null)));
    let records = shell.dir.path().join("work/.kiroku/memory/decisions");
    fs::create_dir_all(&records).unwrap();
    fs::write(records.join("one.md"), "x").unwrap();
    fs::write(shell.dir.path().join("work/.kiroku/space.db"), "x").unwrap();
    let view = look(&shell.path("work"));
    assert_eq!((&view["memory_files"], &view["knowledge_files"]), (&json!(1), &json!(0)));
    assert_eq!(view["space"], json!(shell.path("work/.kiroku/space.db")));
    let all = shell.call("found_sessions", json!({"work": "look", "folder": null})).unwrap();
    assert_eq!((&all[0]["files"], all[0]["folders"].as_array().unwrap().len()), (&json!(2), 2));
}

#[test]
fn an_import_tells_how_far_it_is_and_what_came_of_it() {
    let shell = with_sessions();
    let import = |input: Value| shell.call("import_sessions", json!({"work": "import", "input": input}));
    let one = import(json!({"from": "folder", "folder": "/home/sam/recipes", "sources": []})).unwrap();
    assert_eq!((&one["cancelled"], &one["reports"][0]["report"]["tasks"]), (&json!(false), &json!(1)), "{one}");
    let progress = shell.wait_for(|told| match told {
        Told::WorkProgress(progress) if progress.what.is_empty() => Some(progress),
        _ => None,
    });
    assert_eq!((progress.work.as_str(), progress.files, progress.total_files), ("import", 1, 1));
    assert_eq!(Some(progress.done), progress.total);
    assert_eq!(progress.comments, one["reports"][0]["report"]["comments"].as_u64().unwrap());
    let rest = import(json!({"from": "everything", "sources": ["claude-code"]})).unwrap();
    let report = &rest["reports"][0]["report"];
    assert_eq!((&report["tasks"], &report["unchanged"]), (&json!(1), &json!(1)), "{rest}");
    let unknown = import(json!({"from": "everything", "sources": ["nobody"]})).unwrap_err();
    assert_eq!(unknown["code"], "invalid_input");
    assert_eq!(shell.call("current_space", json!({})).unwrap()["counts"]["tasks"], 2);
}

#[test]
fn chosen_files_are_read_for_what_they_are_and_faults_are_told_in_the_windows_language() {
    let shell = with_sessions();
    let japanese = json!({"language": "ja", "theme": "system", "font_size": 13, "member": null, "member_name": null});
    shell.call("set_preferences", json!({ "preferences": japanese })).unwrap();
    let exchange = shell.path("mine.jsonl");
    fs::write(&exchange, "{\"type\":\"kiroku\",\"version\":1}\n{\"type\":\"task\",\"id\":1,\"title\":\"t\",\"created\":\"2026-01-01T00:00:00Z\"}\n{broken\n").unwrap();
    let session = shell.path("home/.claude/projects/recipes-en/session.jsonl");
    let input = json!({"from": "paths", "paths": [exchange, session]});
    let outcome = shell.call("import_sessions", json!({"work": "import", "input": input})).unwrap();
    let report = |source: &str| {
        let reports = outcome["reports"].as_array().unwrap();
        reports.iter().find(|report| report["source"] == source).unwrap()["report"].clone()
    };
    assert_eq!((&report("claude-code")["tasks"], &report("kiroku")["tasks"]), (&json!(1), &json!(1)), "{outcome}");
    let skip = &report("kiroku")["skips"][0];
    assert_eq!(skip["line"], 3);
    assert!(!skip["why"].as_str().unwrap().is_ascii(), "{skip}");
    let gone = json!({"from": "paths", "paths": [shell.path("gone.jsonl")]});
    let gone = shell.call("import_sessions", json!({"work": "import", "input": gone}));
    assert!(gone.is_err() || gone.unwrap()["reports"][0]["report"]["skipped"] == 1);
}

#[test]
fn what_is_left_out_is_not_imported() {
    let shell = with_sessions();
    let exclude = |excluded: bool| json!({"what": {"folder": "/home/sam/recipes"}, "excluded": excluded});
    let exclusions = shell.call("set_excluded", exclude(true)).unwrap();
    assert_eq!(exclusions, json!({"folders": ["/home/sam/recipes"], "sources": []}));
    let input = json!({"from": "everything", "sources": []});
    let outcome = shell.call("import_sessions", json!({"work": "import", "input": input})).unwrap();
    let report = &outcome["reports"][0]["report"];
    assert_eq!((&report["excluded"], &report["tasks"]), (&json!(1), &json!(1)), "{outcome}");
    assert_eq!(shell.call("set_excluded", exclude(false)).unwrap()["folders"], json!([]));
    assert_eq!(shell.refusal("set_excluded", exclude(false)), "not_found");
}

#[test]
fn an_import_that_is_taken_back_says_so_and_keeps_what_was_committed() {
    let shell = with_sessions();
    let input = json!({"from": "everything", "sources": []});
    // Taken back before it begins: work of the same name with a later turn runs.
    let _later = shell.app.works().begin("import", 1).unwrap();
    assert_eq!(shell.refusal("import_sessions", json!({"work": "import", "input": input})), "cancelled");
    // Taken back while it runs: as soon as it tells how far it is.
    let sessions = shell.dir.path().join("home/.claude/projects/recipes-en");
    let one = fs::read_to_string(sessions.join("session.jsonl")).unwrap();
    for n in 0..400 {
        let id = format!("{n:04}aaaa-2222-4c1d-9a55-0d5f6a7b8c02");
        let other = one.replace("6f0c2a4e-2222-4c1d-9a55-0d5f6a7b8c02", &id).replace("\"en-", &format!("\"en{n}-"));
        fs::write(sessions.join(format!("{id}.jsonl")), other).unwrap();
    }
    let app = shell.app.clone();
    let stop = move |told: &Told| {
        if let Told::WorkProgress(_) = told {
            app.works().cancel("long");
        }
    };
    *shell.desk.on_told.lock().unwrap() = Some(Box::new(stop));
    let outcome = shell.call("import_sessions", json!({"work": "long", "input": input})).unwrap();
    assert_eq!(outcome["cancelled"], true, "{outcome}");
    let counts = || shell.call("current_space", json!({})).unwrap()["counts"].clone();
    let kept = counts()["tasks"].as_i64().unwrap();
    assert!((1..402).contains(&kept), "{kept}");
    *shell.desk.on_told.lock().unwrap() = None;
    let again = shell.call("import_sessions", json!({"work": "long", "input": input})).unwrap();
    assert_eq!(again["cancelled"], false);
    assert_eq!(counts()["tasks"], 402, "{again}");
}

#[test]
fn exactly_the_chosen_groups_are_imported() {
    let shell = with_sessions();
    let found = shell.call("found_sessions", json!({"work": "look", "folder": null})).unwrap();
    let folder = &found[0]["folders"][0];
    assert_eq!(folder["excluded"], false);
    assert!(folder["newest"].as_str().unwrap().starts_with("20"), "{folder}");
    let groups = json!([{"source": "claude-code", "folder": folder["folder"]}, {"source": "codex", "folder": "/none"}]);
    let input = json!({"from": "groups", "groups": groups});
    let outcome = shell.call("import_sessions", json!({"work": "import", "input": input})).unwrap();
    assert_eq!(outcome["reports"].as_array().unwrap().len(), 1, "{outcome}");
    assert_eq!(outcome["reports"][0]["report"]["files"], folder["files"], "{outcome}");
}

#[test]
fn sessions_come_in_by_themselves_as_long_as_that_is_wished() {
    let shell = with_sessions();
    let now = || shell.call("sessions_watched", json!({})).unwrap();
    let reaches = |phase: WatchPhase| {
        shell.wait_for(|told| match told {
            Told::SessionsWatched(watched) if watched.phase == phase => Some(watched),
            _ => None,
        })
    };
    assert_eq!((now()["phase"].clone(), now()["wish"]["on"].clone()), (json!("off"), json!(false)));
    let wish = json!({"on": true, "everywhere": true});
    assert_eq!(shell.call("watch_sessions", json!({ "wish": wish })).unwrap()["wish"], wish);
    let watched = reaches(WatchPhase::Watching);
    assert!(watched.comments > 0 && watched.last.is_some(), "{watched:?}");

    // What is written now is told within a moment, and is in the space.
    let before = shell.call("current_space", json!({})).unwrap()["counts"]["comments"].as_u64().unwrap();
    let session = shell.dir.path().join("home/.claude/projects/recipes-en/session.jsonl");
    let text = fs::read_to_string(&session).unwrap();
    let more = text.replace("6f0c2a4e-2222-4c1d-9a55-0d5f6a7b8c02", "7f0c2a4e-2222-4c1d-9a55-0d5f6a7b8c02");
    fs::write(session.with_file_name("more.jsonl"), more.replace("\"en-", "\"more-")).unwrap();
    let came = shell.wait_for(|told| match told {
        Told::SessionsWatched(now) if now.comments > watched.comments => now.last,
        _ => None,
    });
    assert_eq!((came.source.as_str(), came.tasks), ("claude-code", 1));
    let after = shell.call("current_space", json!({})).unwrap()["counts"]["comments"].as_u64().unwrap();
    assert_eq!(after - before, came.comments);

    // A rest is no end of the wish, which is kept for the space and holds when it is opened again.
    assert_eq!(shell.call("pause_watching", json!({})).unwrap()["phase"], "paused");
    shell.call("close_space", json!({})).unwrap();
    shell.call("open_space", json!({"path": shell.path("team.db")})).unwrap();
    assert_eq!(now()["wish"], wish);
    reaches(WatchPhase::Watching);
    let off = json!({"on": false, "everywhere": true});
    assert_eq!(shell.call("watch_sessions", json!({ "wish": off })).unwrap()["phase"], "off");
}

#[test]
fn faults_are_told_in_the_language_of_the_import_whichever_door_it_comes_through() {
    let shell = with_sessions();
    let broken = shell.dir.path().join("home/.claude/projects/recipes-en/session.jsonl");
    let text = fs::read_to_string(&broken).unwrap();
    fs::write(&broken, format!("{{broken\n{text}")).unwrap();
    let input = json!({"from": "everything", "sources": []});
    let japanese = json!({"language": "ja", "theme": "system", "font_size": 13, "member": null, "member_name": null});
    shell.call("set_preferences", json!({ "preferences": japanese })).unwrap();
    let outcome = shell.call("import_sessions", json!({"work": "import", "input": input})).unwrap();
    let why = outcome["reports"][0]["report"]["skips"][0]["why"].as_str().unwrap().to_owned();
    assert!(!why.is_ascii(), "{why}");
}
