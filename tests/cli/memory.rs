//! `kiroku memory`, `kiroku knowledge` and the memory tools: what a search gives goes into a read, a change touches its
//! own lines, and git stops a bad record.

use kiroku_tests::{Home, repository};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

const DECISION: &str = "---\n# 決めたこと\nstatus: open   # まだ\nsources:\n  - session_id: s1\n    range: [1, 2]\ncreated_at: 2026-06-01T10:00:00+09:00\nupdated_at: '2026-06-01T10:00:00+09:00'\n---\n\n認証は Cookie で続ける。ＬＯＧＩＮ も同じ。\n";

/// A home whose folder has the sample space's records.
fn with_records() -> Home {
    let home = Home::new();
    copy(&repository().join("tests/fixtures/sample-space"), &home.work());
    home
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

#[test]
fn what_a_search_gives_goes_into_a_read() {
    let home = with_records();
    for (tool, query) in
        [("MemorySearch", "認証"), ("MemorySearch", "の"), ("KnowledgeSearch", "税"), ("KnowledgeSearch", "a")]
    {
        let found = home.tool(tool, &[], &json!({ "query": query })).json();
        let hits = found["hits"].as_array().unwrap();
        assert!(!hits.is_empty(), "{tool} {query}");
        for hit in hits {
            let by_ref = home.tool("MemoryRead", &[], &hit["ref"]).json();
            let by_pair = home.tool("MemoryRead", &[], &json!({ "slug": hit["slug"], "kind": hit["kind"] }));
            let by_pair = if hit["kind"] == "summary" { by_ref.clone() } else { by_pair.json() };
            assert_eq!(by_ref["hash"], by_pair["hash"], "{hit}");
            let first = hit["excerpt"].as_str().unwrap().lines().next().unwrap();
            assert!(by_ref["text"].as_str().unwrap().contains(first), "{hit}");
        }
    }
}

#[test]
fn the_tools_need_a_member_and_a_subtask_may_use_them() {
    let home = with_records();
    for member in [None, Some("stranger")] {
        let answer = home.tool_as(member, "MemorySearch", &["--lang", "en"], &json!({ "query": "認証" })).json();
        assert_eq!(answer, json!({ "available": false, "message": "This tool is not available in this context." }));
    }
    let found = home.tool("MemorySearch", &["--subtask"], &json!({ "query": "認証" })).json();
    assert!(found["total"].as_u64().unwrap() > 0);
}

#[test]
fn bad_input_is_refused_and_touches_nothing() {
    let home = with_records();
    let file = home.write("work/memory/decisions/cookie.md", DECISION);
    let edit =
        |old: &str, new: &str| json!({ "kind": "decision", "slug": "cookie", "old_string": old, "new_string": new });
    for (tool, input) in [
        ("MemorySearch", json!({ "query": "  " })),
        ("MemorySearch", json!({ "query": "a", "limit": 3 })),
        ("MemoryRead", json!({ "kind": "decision", "slug": "../cookie" })),
        ("MemoryRead", json!({ "kind": "decision" })),
        ("MemoryEdit", edit("", "x")),
        ("MemoryEdit", edit("続ける", "続ける")),
        ("MemoryEdit", edit("ここにない", "x")),
        ("MemoryEdit", edit("2026-06-01T10", "x")),
        ("MemoryEdit", edit("status: open", "status: maybe")),
        ("MemoryWrite", json!({ "kind": "decision", "slug": "new-one", "content": "no frontmatter" })),
    ] {
        home.tool(tool, &[], &input).error(2, "invalid_input");
    }
    let stale =
        json!({ "kind": "decision", "slug": "cookie", "old_string": "続ける", "new_string": "やめる", "base": "0000" });
    home.tool("MemoryEdit", &[], &stale).error(1, "conflict");
    let again = json!({ "kind": "decision", "slug": "cookie", "content": DECISION, "create_only": true });
    home.tool("MemoryWrite", &[], &again).error(1, "refused");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), DECISION);
    assert!(!home.path("work/memory/decisions/new-one.md").exists());
}

#[test]
fn setting_a_field_changes_its_line_and_updated_at() {
    let home = Home::new();
    let file = home.write("work/memory/decisions/cookie.md", DECISION);
    home.run(&["memory", "set", "decision", "cookie", "status=resolved"]).ok();
    let now = std::fs::read_to_string(&file).unwrap();
    let changed: Vec<(&str, &str)> = DECISION.lines().zip(now.lines()).filter(|(was, is)| was != is).collect();
    assert_eq!(DECISION.lines().count(), now.lines().count());
    assert_eq!(changed[0], ("status: open   # まだ", "status: resolved   # まだ"));
    assert_eq!(changed.len(), 2, "{changed:?}");
    assert!(changed[1].1.starts_with("updated_at: '2") && changed[1].1.ends_with("+09:00'"), "{changed:?}");
    home.run(&["memory", "set", "decision", "cookie", "status=nonsense"]).ended(2);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), now);
    home.run(&["memory", "set", "decision", "cookie", "status=nonsense", "--anyway"]).ok();
    assert!(std::fs::read_to_string(&file).unwrap().contains("status: nonsense   # まだ"));
}

#[test]
fn what_is_deleted_comes_back() {
    let home = Home::new();
    let file = home.write("work/memory/decisions/cookie.md", DECISION);
    home.tool("MemoryDelete", &[], &json!({ "kind": "decision", "slug": "cookie" })).ok();
    assert!(!file.exists());
    let listed = home.run(&["memory", "restore"]).ok().out;
    let id = listed.split_whitespace().next().unwrap().to_owned();
    home.run(&["memory", "restore", &id]).ok();
    assert_eq!(std::fs::read_to_string(&file).unwrap(), DECISION);
}

#[test]
fn the_sample_records_have_just_their_faults() {
    let home = with_records();
    let checked = home.run(&["memory", "check", "--json"]).ended(1);
    let checked: Value = serde_json::from_str(&checked.out).unwrap();
    let faults: Vec<(String, String)> = checked["files"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|file| {
            let findings = file["findings"].as_array().unwrap().iter();
            findings.map(|finding| {
                (file["file"].as_str().unwrap().to_owned(), finding["code"].as_str().unwrap().to_owned())
            })
        })
        .collect();
    let expected = [
        ("memory/decisions/bundles-choose-tax-by-hand.md", "field_missing"),
        ("memory/decisions/no-cron-on-machines.md", "status_unknown"),
        ("memory/decisions/totp-recovery.md", "mention_unknown"),
        ("memory/decisions/weekly-report-from-cron.md", "replaced_by_unknown"),
        ("knowledge/passkeys-later.md", "field_misspelt"),
        ("knowledge/restore-drill.md", "mention_unknown"),
    ];
    assert_eq!(faults, expected.map(|(file, code)| (file.to_owned(), code.to_owned())));
}

#[test]
fn git_stops_a_bad_record() {
    let home = Home::new();
    home.write("work/memory/decisions/cookie.md", DECISION);
    let path = std::env::var_os("PATH").unwrap();
    let git = |args: &[&str]| {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=x", "-c", "user.email=x@example.invalid"]).args(args).current_dir(home.work());
        command.env_clear().env("PATH", &path).env("HOME", home.path("home"));
        home.finish(command)
    };
    git(&["init", "--quiet"]).ok();
    let mut hook = home.command(&["memory", "hook"]);
    hook.env("PATH", &path);
    home.finish(hook).ok();
    git(&["add", "memory"]).ok();
    git(&["commit", "--quiet", "-m", "good"]).ok();
    home.write("work/memory/decisions/cookie.md", DECISION.replace("status: open", "status: maybe"));
    git(&["add", "memory"]).ok();
    git(&["commit", "--quiet", "-m", "bad"]).ended(1).says(&["memory/decisions/cookie.md:3:9", "maybe"]);
    assert_eq!(git(&["rev-list", "--count", "HEAD"]).ok().out.trim(), "1");
    // A hook that is somebody else's stays.
    home.write("work/.git/hooks/pre-commit", "#!/bin/sh\nexit 0\n");
    let mut hook = home.command(&["memory", "hook"]);
    hook.env("PATH", &path);
    home.finish(hook).ended(1).says(&["pre-commit", "--force"]);
}

#[test]
fn wrong_settings_are_told_with_their_line_and_the_defaults_stand() {
    let home = with_records();
    home.write("work/kiroku.toml", "# 設定\n[memory]\nsearch_hit_limit = \"many\"\nsearch_excerpt_lines = 0\n");
    let ran = home.run(&["memory", "search", "の", "--json"]).ok();
    let found: Value = ran.says(&["kiroku.toml:3:"]).json();
    let hits = found["hits"].as_array().unwrap();
    assert_eq!(hits.len(), 20);
    assert!(hits.iter().all(|hit| !hit["excerpt"].as_str().unwrap().trim_end().contains('\n')));
    assert_eq!(found["total"].as_u64().unwrap() - 20, found["left_out"].as_u64().unwrap());
}
