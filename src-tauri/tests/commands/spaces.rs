//! Making, opening and keeping spaces.

use crate::Shell;
use kiroku_api::Workspace;
use kiroku_desktop::events::Told;
use kiroku_model::{Caller, Role, SystemClock};
use serde_json::json;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

fn new_space(shell: &Shell, path: &str) -> serde_json::Value {
    json!({"space": {"path": shell.path(path), "name": "Team", "member": "sam", "member_name": "Sam", "anyway": false}})
}

#[test]
fn a_space_is_made_opened_renamed_and_remembered() {
    let shell = Shell::new();
    let view = shell.call("create_space", new_space(&shell, "team/space.db")).unwrap();
    assert_eq!((&view["name"], &view["member"]["id"]), (&json!("Team"), &json!("sam")));
    assert_eq!(view["counts"], json!({"tasks": 0, "comments": 0, "pins": 0}));
    assert_eq!(shell.call("current_space", json!({})).unwrap()["uid"], view["uid"]);
    // What is there is left as it is.
    assert_eq!(shell.refusal("create_space", new_space(&shell, "team/space.db")), "refused");
    let renamed = shell.call("rename_space", json!({"name": "Crew"})).unwrap();
    assert_eq!(renamed["name"], "Crew");
    let dana = json!({"id": "dana", "name": "Dana", "role": "member"});
    assert_eq!(shell.call("add_member", dana).unwrap()["members"].as_array().unwrap().len(), 2);
    assert_eq!(shell.call("act_as", json!({"id": "dana"})).unwrap()["member"]["name"], "Dana");
    assert_eq!(shell.refusal("rename_space", json!({"name": "Mine"})), "refused");
    assert_eq!(shell.refusal("act_as", json!({"id": "nobody"})), "not_found");
    shell.call("close_space", json!({})).unwrap();
    assert_eq!(shell.refusal("make_backup", json!({})), "not_found");
    // It is opened again as it was left: by the same member.
    let recent = shell.call("start", json!({})).unwrap()["recent"].clone();
    assert_eq!((&recent[0]["name"], &recent[0]["present"]), (&json!("Crew"), &json!(true)));
    let again = shell.call("open_space", json!({"path": recent[0]["path"]})).unwrap();
    assert_eq!(again["member"]["id"], "dana");
    assert_eq!(shell.call("forget_recent", json!({"path": again["path"]})).unwrap(), json!([]));
    assert!(Path::new(again["path"].as_str().unwrap()).exists());
}

#[test]
fn a_place_that_is_not_safe_is_refused_with_the_reason_until_the_person_wants_it() {
    let shell = Shell::new();
    let mut new = new_space(&shell, "drive/space.db");
    let error = shell.call("create_space", new.clone()).unwrap_err();
    assert_eq!(error["code"], "refused");
    assert!(error["details"]["risk"].as_str().unwrap().contains("network drive"), "{error}");
    let risk = shell.call("space_risk", json!({"path": shell.path("drive/space.db")})).unwrap();
    assert_eq!(risk, error["details"]["risk"]);
    assert_eq!(shell.call("space_risk", json!({"path": shell.path("team/space.db")})).unwrap(), json!(null));
    new["space"]["anyway"] = json!(true);
    assert_eq!(shell.call("create_space", new).unwrap()["risk"], risk);
    assert_eq!(shell.refusal("open_space", json!({"path": shell.path("nothing.db")})), "not_found");
    // A failed opening leaves the open space open.
    assert_eq!(shell.call("current_space", json!({})).unwrap()["name"], "Team");
    let suggested = shell.call("suggest_space_file", json!({"name": "a/b: c"})).unwrap();
    assert!(suggested.as_str().unwrap().ends_with("a-b- c.db"), "{suggested}");
}

#[test]
fn the_sample_space_is_made_once_with_its_records() {
    let shell = Shell::with_sample();
    let view = shell.call("current_space", json!({})).unwrap();
    assert_eq!(view["sample"], true);
    assert!(view["counts"]["tasks"].as_i64().unwrap() >= 40, "{view}");
    let sample = shell.dir.path().join("data/sample");
    assert!(sample.join("knowledge").is_dir() && sample.join("memory/decisions").is_dir());
    let again = shell.call("open_sample_space", json!({"work": "w"})).unwrap();
    assert_eq!((&again["uid"], &again["counts"]), (&view["uid"], &view["counts"]));
}

#[test]
fn what_another_program_writes_is_told_within_half_a_second_as_one_event() {
    let shell = Shell::with_sample();
    let view = shell.call("current_space", json!({})).unwrap();
    let other = Workspace::open(Path::new(view["path"].as_str().unwrap()), Arc::new(SystemClock)).unwrap();
    let owner = Caller::member(other.owner().unwrap().id);
    // At once: what is written before the watching thread has begun is told too.
    let written = Instant::now();
    other.add_member(&owner, "dana", "Dana", Role::Member).unwrap();
    let event = shell.wait_for(|told| match told {
        Told::SpaceChanged(event) => Some(event),
        _ => None,
    });
    let took = written.elapsed();
    assert_eq!((event.space.as_str(), event.reload), (view["uid"].as_str().unwrap(), false));
    assert_eq!(event.changes.len(), 1, "{event:?}");
    assert_eq!(event.changes[0].entity, "member");
    println!("told after {} ms", took.as_millis());
}

#[test]
fn a_file_that_goes_away_is_told_and_a_backup_takes_its_place() {
    let shell = Shell::with_sample();
    let view = shell.call("current_space", json!({})).unwrap();
    let path = view["path"].as_str().unwrap().to_owned();
    let backup = shell.call("make_backup", json!({})).unwrap();
    let known = shell.call("backups", json!({"path": path})).unwrap();
    assert_eq!(known, json!([backup]));
    assert!(backup["made"].as_str().unwrap().ends_with('Z'), "{backup}");
    std::fs::rename(&path, shell.path("elsewhere.db")).unwrap();
    let lost = shell.wait_for(|told| match told {
        Told::SpaceLost(lost) => Some(lost),
        _ => None,
    });
    assert_eq!(lost.space, view["uid"].as_str().unwrap());
    assert_eq!(shell.refusal("tasks", json!({"query": {"limit": 5}})), "damaged");
    let not_ours = json!({"path": path, "backup": shell.path("elsewhere.db")});
    assert_eq!(shell.refusal("restore_backup", not_ours), "not_found");
    shell.call("close_space", json!({})).unwrap();
    let restored = shell.call("restore_backup", json!({"path": path, "backup": backup["path"]})).unwrap();
    assert_eq!(restored["kept"], json!(null));
    assert_eq!(restored["space"]["counts"], view["counts"]);
    let health = shell.call("doctor", json!({"work": "doctor", "fix": false})).unwrap();
    assert_eq!(health, json!({"findings": [], "fixed": 0}));
}

#[test]
fn restoring_under_the_open_space_is_the_owners_and_keeps_what_stood_there() {
    let shell = Shell::with_sample();
    let view = shell.call("current_space", json!({})).unwrap();
    let backup = shell.call("make_backup", json!({})).unwrap();
    let restore = json!({"path": view["path"], "backup": backup["path"]});
    shell.call("act_as", json!({"id": "m2"})).unwrap();
    assert_eq!(shell.refusal("restore_backup", restore.clone()), "refused");
    shell.call("act_as", json!({"id": view["member"]["id"]})).unwrap();
    shell.call("rename_space", json!({"name": "Later"})).unwrap();
    let restored = shell.call("restore_backup", restore).unwrap();
    assert_eq!(restored["space"]["name"], view["name"]);
    assert!(Path::new(restored["kept"].as_str().unwrap()).exists());
}

#[test]
fn agents_are_set_up_for_this_space_and_its_member() {
    let shell = Shell::with_sample();
    let texts = shell.call("agent_set_up", json!({})).unwrap();
    let claude = texts.as_array().unwrap().iter().find(|one| one["agent"] == "Claude Code").unwrap();
    let space = shell.path("data/sample/.kiroku/space.db");
    let text = claude["text"].as_str().unwrap();
    assert!(text.starts_with("claude mcp add kiroku -- /opt/kiroku/kiroku mcp --space"), "{text}");
    assert!(text.contains(&space), "{text}");
}

#[test]
fn a_limit_of_the_records_is_set_in_its_file_and_nothing_else_changes() {
    let shell = Shell::with_sample();
    let file = shell.dir.path().join("data/sample/kiroku.toml");
    std::fs::write(&file, "# ours\n[other]\nx = 1\n").unwrap();
    let limits = shell.call("memory_limits", json!({})).unwrap();
    assert_eq!(limits["file"], json!(file.display().to_string()));
    assert_eq!(limits["limits"][1], json!({"name": "body_limit", "value": 8000, "default": 8000}));
    let set = |name: &str, value: i64| shell.call("set_memory_limit", json!({"name": name, "value": value}));
    assert_eq!(set("body_limit", 5000).unwrap()["limits"][1]["value"], 5000);
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.starts_with("# ours\n[other]\nx = 1\n") && text.contains("body_limit = 5000"), "{text}");
    for (name, value) in [("body_limit", 0), ("content_root", 1), ("search_hit_limit", 10_001)] {
        assert_eq!(set(name, value).unwrap_err()["code"], "invalid_input", "{name}");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
    }
}
