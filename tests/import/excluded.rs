//! Folders and sources that a space leaves out: by itself, by name, and while watching.

use crate::place::{Place, named, owner, typed};
use kiroku_api::{Environment, Exclusion, WatchEvent, WatchOptions};
use kiroku_model::{Cancel, ErrorCode};
use kiroku_tests::Home;
use serde_json::json;
use std::path::Path;

fn folder(path: &Path) -> Exclusion {
    Exclusion::Folder(path.to_owned())
}

#[test]
fn a_folder_that_is_excluded_stays_out_whichever_way_it_is_asked_for() {
    let place = Place::new();
    let mut elsewhere = typed("s2", "u2", 0, "よその仕事");
    elsewhere["cwd"] = json!("/home/user/secret/app");
    place.append("claude/projects/p/s1.jsonl", &[typed("s1", "u1", 0, "店の仕事")]);
    place.append("claude/projects/q/s2.jsonl", &[elsewhere]);
    assert!(place.workspace.exclude(&folder(Path::new("/home/user/secret"))).unwrap());
    assert!(!place.workspace.exclude(&folder(Path::new("/home/user/secret"))).unwrap());
    let env = Environment { claude_config_dir: Some(place.path("claude")), ..Environment::default() };
    let found = place.workspace.sessions_in(Some(Path::new("/home/user")), &env, &Cancel::new()).unwrap();
    assert_eq!((found[0].files.len(), found[0].excluded.len()), (1, 1));
    let report = place.import();
    assert_eq!((report.comments, report.excluded), (1, 1));
    let cancel = Cancel::new();
    let roots = [(named("claude-code"), place.path("claude/projects"))];
    let options = WatchOptions { poll: true, ..WatchOptions::new(owner(), None) };
    place
        .workspace
        .watch_sessions(&roots, &options, &cancel, &mut |event| {
            if let WatchEvent::Watching = event {
                cancel.cancel();
            }
        })
        .unwrap();
    assert_eq!((place.counts(), place.found("よその仕事")), ((1, 1), 0));
    // A name that only begins alike is another folder; and one that lies in the agent's directory names its files.
    place.workspace.include(&folder(Path::new("/home/user/secret"))).unwrap();
    place.workspace.exclude(&folder(Path::new("/home/user/secre"))).unwrap();
    place.workspace.exclude(&folder(&place.path("claude/projects/q"))).unwrap();
    assert_eq!(place.import().excluded, 1);
    place.workspace.include(&folder(&place.path("claude/projects/q"))).unwrap();
    assert_eq!((place.import().comments, place.found("よその仕事")), (1, 1));
    assert_eq!(place.workspace.include(&folder(Path::new("/nowhere"))).unwrap_err().code(), ErrorCode::NotFound);
    for wrong in [Exclusion::Source("other".into()), folder(Path::new("relative"))] {
        assert_eq!(place.workspace.exclude(&wrong).unwrap_err().code(), ErrorCode::InvalidInput);
    }
}

#[test]
fn the_command_line_keeps_them_in_the_space() {
    let home = Home::new();
    let line = typed("s1", "u1", 0, "店の仕事");
    let path = home.write("claude/projects/p/s1.jsonl", format!("{line}\n"));
    let path = path.to_str().unwrap();
    let list = || home.run(&["import", "exclusions", "list", "--json"]).json();
    assert_eq!(list(), json!({"folders": [], "sources": []}));
    home.run(&["import", "--exclude", "/home/user", path]).ok().says(&["1 sessions excluded"]);
    home.run(&["import", "exclusions", "add", "claude-code"]).ok();
    home.run(&["import", "exclusions", "add", "codex"]).ok();
    assert_eq!(list(), json!({"folders": ["/home/user"], "sources": ["claude-code", "codex"]}));
    home.run(&["import", "exclusions", "list"]).ok().says(&["/home/user\nclaude-code\ncodex"]);
    home.run(&["import", "exclusions", "remove", "/home/user"]).ok();
    assert_eq!(home.run(&["import", "--json", path]).json()["excluded"], 1);
    home.run(&["import", "exclusions", "remove", "claude-code"]).ok();
    home.run(&["import", "exclusions", "remove", "claude-code"]).ended(2);
    assert_eq!(home.run(&["import", "--json", path]).json()["comments"], 1);
}
