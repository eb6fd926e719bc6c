//! The exchange format's two ways by the command line: lossless there and back, once only, and hostile input told of.

use crate::example::login_task;
use crate::sessions::{answered, file, fixture, typed};
use kiroku_tests::{Home, sample_space};
use serde_json::{Value, json};

/// An export's rows, without what is a space's own.
fn exported(home: &Home) -> Vec<Value> {
    let out = home.run(&["export"]).ok().out;
    let rows: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&rows[0]["type"], &rows[0]["version"]), (&json!("kiroku"), &json!(1)));
    assert_eq!(rows[1]["type"], "space");
    rows.into_iter().skip(2).collect()
}

/// A space with something of everything.
fn full() -> Home {
    let home = Home::new();
    home.run(&["import", sample_space().to_str().unwrap()]).ok();
    home.run(&["import", fixture("").to_str().unwrap()]).ok();
    let lines = [
        typed("session-zq", 1, "zqalpha zqpassage omega"),
        answered("session-zq", 2, "zqbravo two"),
        typed("session-zq", 3, "zqcharlie three"),
    ];
    let path = home.write("s.jsonl", file(&lines));
    home.run(&["import", path.to_str().unwrap()]).ok();
    let one = |query: &str| {
        let found = home.run(&["search", query, "--json"]).json();
        found["hits"][0]["ref"].as_str().unwrap().to_owned()
    };
    let task =
        home.run(&["search", "zqcharlie", "--json"]).json()["hits"][0]["task"]["ref"].as_str().unwrap().to_owned();
    let pin = json!({"decisions": [{"text": "keep", "ref": one("zqcharlie")}], "user_constraints": [{"text": "制約"}]});
    home.tool("MissionUpdate", &["--task", &task], &pin).ok();
    // The pinned line goes from its source, and the comment is kept as withdrawn.
    home.write("s.jsonl", file(&lines[..2]));
    home.run(&["import", path.to_str().unwrap()]).ok();
    home.run(&["forget", &one("zqbravo"), "--yes"]).ok();
    home.run(&["forget", &one("zqalpha"), "--passage", "zqpassage", "--yes"]).ok();
    home
}

#[test]
fn a_space_goes_out_and_comes_in_without_loss() {
    let home = full();
    let rows = exported(&home);
    let of = |kind: &str| rows.iter().filter(|row| row["type"] == kind).count();
    assert!(
        of("member") >= 5 && of("task") >= 15 && of("comment") >= 400 && of("pin") >= 2 && of("tombstone") >= 2,
        "{}",
        rows.len()
    );
    assert!(rows.iter().any(|row| row["withdrawn"] == true));
    let path = home.path("out.jsonl");
    home.run(&["export", "--output", path.to_str().unwrap()]).ok();
    let other = Home::new();
    let report = other.run(&["import", "--json", path.to_str().unwrap()]).json();
    assert_eq!(
        (&report["skipped"], &report["unknown_rows"], &report["unknown_fields"]),
        (&json!(0), &json!(0), &json!(0)),
        "{report}"
    );
    let again = exported(&other);
    for (before, after) in rows.iter().zip(&again) {
        assert_eq!(before, after);
    }
    assert_eq!(rows.len(), again.len());
    // Twice adds nothing, and neither does the way back into the first space.
    for home in [&other, &home] {
        let twice = home.run(&["import", "--json", path.to_str().unwrap()]).json();
        for count in ["tasks", "comments", "changed", "members", "pins"] {
            assert_eq!(twice[count], 0, "{count}: {twice}");
        }
        assert_eq!(exported(home), rows);
    }
    assert_eq!(other.run(&["space", "info", "--json"]).json()["name"], "Test", "importing never renames a space");
    other.run(&["doctor"]).ok();
    // What was forgotten there stays forgotten here, when the session itself comes in.
    let session = home.path("s.jsonl");
    other.run(&["import", session.to_str().unwrap()]).ok();
    assert_eq!(other.run(&["search", "zqbravo", "--json"]).json()["total"], 0);
}

#[test]
fn the_sample_space_comes_in_whole() {
    let home = Home::new();
    let report = home.run(&["import", "--json", sample_space().to_str().unwrap()]).json();
    let lines = std::fs::read_to_string(sample_space()).unwrap().lines().count();
    assert_eq!(report["rows"], lines);
    assert_eq!(
        (&report["skipped"], &report["unknown_rows"], &report["renumbered_tasks"]),
        (&json!(0), &json!(0), &json!([]))
    );
    let members = home.run(&["space", "members", "list", "--json"]).json();
    let owners = members.as_array().unwrap().iter().filter(|member| member["role"] == "owner").count();
    assert_eq!((members.as_array().unwrap().len(), owners), (5, 1), "new members come in as `member`");
    assert!(home.run(&["search", "税率", "--json"]).json()["total"].as_u64().unwrap() > 3);
    home.run(&["doctor"]).ok();
}

#[test]
fn taken_numbers_are_mapped_and_it_is_said() {
    let home = Home::with(&login_task());
    let mut rows = vec![json!({"type": "kiroku", "version": 1, "space": "0197f3a2-0000-7b54-9d2e-4b1f0c6a8e31"})];
    rows.extend(login_task());
    rows[3]["body"] = json!("別のスペースの依頼");
    rows.push(json!({"type": "pin", "task": 12, "list": "decisions", "text": "ここ", "ref": "comment:88"}));
    rows.push(json!({"type": "task", "id": 40, "title": "free", "parent": 12, "created": "2026-06-20T09:50:00Z"}));
    let text: String = rows.iter().map(|row| format!("{row}\n")).collect();
    let report = home.run_with(&["import", "-", "--json"], &text).json();
    assert_eq!((&report["tasks"], &report["comments"], &report["pins"]), (&json!(2), &json!(4), &json!(1)));
    let renumbered = report["renumbered_tasks"].as_array().unwrap();
    assert_eq!((renumbered.len(), &renumbered[0][0], &report["renumbered_comments"]), (1, &json!(12), &json!(4)));
    let here = renumbered[0][1].as_i64().unwrap();
    let found = home.run(&["search", "別のスペース", "--json"]).json();
    assert_eq!(found["hits"][0]["task"]["ref"], format!("task:{here}"));
    // References moved with it.
    let mission = home.tool("MissionRead", &["--task", &here.to_string()], &json!({})).json();
    assert_eq!(mission["decisions"][0]["ref"], found["hits"][0]["ref"]);
    assert_eq!(home.run(&["show", "task:40", "--json"]).json()["task"]["parent"], format!("task:{here}"));
    // The first task 12 is as it was.
    assert_eq!(home.run(&["search", "touch", "--task", "12", "--json"]).json()["total"], 1);
    let plain = home.run_with(&["import", "-", "--lang", "en"], &text.replace("0197f3a2-0000", "0197f3a2-0001")).ok();
    assert!(plain.out.contains("12") && plain.out.contains("number"), "the person is told: {}", plain.out);
}

#[test]
fn an_export_without_secrets_holds_none() {
    let secret = ["hunt", "er22x9"].concat();
    let key = ["gh", "p_0123456789abcdefghijABCDEFGHIJ012345"].concat();
    let mut rows = login_task();
    rows[0]["title"] = json!(format!("password: {secret}"));
    rows.push(json!({"type": "comment", "id": 98, "task": 12, "author": "agent", "kind": "progress", "progress": "tool", "tool": "Bash",
        "body": format!("Bearer {key}"), "input": format!("{{\"command\":\"curl -u x:{secret} --password={secret}\"}}"), "output": format!("token {key}"), "created": "2026-06-20T12:00:00Z",
        "attachments": [{"name": format!("{key}.txt")}]}));
    rows.push(json!({"type": "pin", "task": 12, "list": "decisions", "text": format!("パスワードは{secret}です")}));
    let home = Home::with(&rows);
    let raw = home.run(&["export"]).ok().out;
    assert!(raw.contains(&key) && raw.contains(&secret));
    let redacted = home.run(&["export", "--redact"]).ok();
    assert!(redacted.out.contains("[redacted:"));
    redacted.keeps_quiet_of(&[
        &key,
        &format!("password: {secret}"),
        &format!("password={secret}"),
        &format!("は{secret}"),
    ]);
}

#[test]
fn an_export_to_a_file_is_private_and_never_over_another() {
    let home = Home::with(&login_task());
    let path = home.path("out.jsonl");
    let args = ["export", "-o", path.to_str().unwrap()];
    home.run(&args).ok();
    let meta = std::fs::metadata(&path).unwrap();
    assert_eq!(std::os::unix::fs::PermissionsExt::mode(&meta.permissions()) & 0o777, 0o600);
    let before = std::fs::read(&path).unwrap();
    home.run(&args).ended(1).says(&["out.jsonl"]);
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[test]
fn input_that_is_wrong_is_told_line_by_line() {
    let home = Home::new();
    let good = json!({"type": "comment", "task": 1, "author": "user", "kind": "request", "body": "good row", "created": "2026-06-20T10:00:00Z"});
    let input = [
        "{\"type\":\"kiroku\",\"version\":1}",
        "not json",
        "[]",
        "{\"type\":\"comment\"}",
        "{\"type\":\"martian\",\"x\":1}",
        "{\"type\":\"comment\",\"task\":\"x\",\"author\":\"user\",\"kind\":\"request\",\"created\":\"2026-06-20T10:00:00Z\"}",
        "{\"type\":\"comment\",\"task\":1,\"author\":\"robot\",\"kind\":\"request\",\"created\":\"2026-06-20T10:00:00Z\"}",
        "{\"type\":\"comment\",\"task\":1,\"author\":\"user\",\"kind\":\"request\",\"created\":\"yesterday\"}",
        "{\"type\":\"pin\",\"task\":77,\"list\":\"decisions\",\"text\":\"\"}",
        "{\"type\":\"member\",\"id\":\"with space\"}",
    ];
    let text = format!("{}\n{good}", input.join("\n"));
    let report = home.run_with(&["import", "-", "--json"], &text).json();
    assert_eq!((&report["comments"], &report["unknown_rows"]), (&json!(1), &json!(1)), "{report}");
    let lines: Vec<u64> =
        report["skips"].as_array().unwrap().iter().map(|skip| skip["line"].as_u64().unwrap()).collect();
    assert_eq!(lines, [2, 3, 4, 6, 7, 8, 9, 10], "{report}");
    assert_eq!(home.run(&["search", "good row", "--json"]).json()["total"], 1);
    // A later format: nothing is guessed.
    let newer = format!("{{\"type\":\"kiroku\",\"version\":2}}\n{good}\n");
    let refused = home.run_with(&["import", "-", "--json", "--lang", "en"], &newer);
    assert_ne!(refused.status, Some(0));
    assert!(
        serde_json::from_str::<Value>(&refused.out).unwrap()["error"]["message"].as_str().unwrap().contains('2'),
        "{}",
        refused.out
    );
    home.run_with(&["import", "-", "--from", "claude-code", "--json"], "").error(2, "invalid_input");
    home.run_with(&["import", "-"], "").ok();
}
