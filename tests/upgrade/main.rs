//! Spaces that earlier versions wrote: the present Kiroku opens each of them, after a backup where it changes the schema,
//! and everything is there.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "these are tests")]

use kiroku_store::SCHEMA_VERSION;
use kiroku_tests::{Home, repository};
use rusqlite::types::Value as Cell;
use rusqlite::{Connection, OpenFlags};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn fixture(name: &str) -> PathBuf {
    repository().join("tests/fixtures/schema").join(name)
}

/// Every truth table's rows by their columns' names, each row as text. Tables that only say how the file came to be are
/// left out.
type Tables = BTreeMap<String, Vec<BTreeMap<String, String>>>;

fn tables(space: &Path) -> Tables {
    let conn = Connection::open_with_flags(space, OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
    let names: Vec<String> = conn
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'index\\_%' ESCAPE '\\' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
        .unwrap()
        .query_map([], |row| row.get(0))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    let kept = names.into_iter().filter(|name| !["migration", "change"].contains(&name.as_str()));
    kept.map(|name| {
        let mut rows = conn.prepare(&format!("SELECT * FROM \"{name}\"")).unwrap();
        let columns: Vec<String> = rows.column_names().map(str::to_owned).collect();
        let rows = rows.query_map([], |row| {
            let cell = |at: usize| row.get::<_, Cell>(at).map(|cell| format!("{cell:?}"));
            columns.iter().enumerate().map(|(at, column)| Ok((column.clone(), cell(at)?))).collect()
        });
        let mut rows: Vec<BTreeMap<String, String>> = rows.unwrap().map(Result::unwrap).collect();
        rows.sort();
        (name, rows)
    })
    .collect()
}

/// What of `old` is not in `now`: a table or a column may be new, but none may lose a value.
fn lost(old: &Tables, now: &Tables) -> Vec<String> {
    let mut lost = Vec::new();
    for (name, rows) in old {
        let Some(present) = now.get(name) else {
            lost.push(format!("the table {name}"));
            continue;
        };
        let columns: Vec<&String> = rows.first().map(|row| row.keys().collect()).unwrap_or_default();
        let cut = |row: &BTreeMap<String, String>| -> Vec<Option<String>> {
            columns.iter().map(|column| row.get(*column).cloned()).collect()
        };
        let present: Vec<_> = present.iter().map(cut).collect();
        lost.extend(rows.iter().filter(|row| !present.contains(&cut(row))).map(|row| format!("{name}: {row:?}")));
    }
    lost
}

#[test]
fn every_schema_has_its_space() {
    for version in 1..=SCHEMA_VERSION {
        for name in [format!("{version}.db.zst"), format!("{version}.jsonl")] {
            assert!(fixture(&name).is_file(), "{name} is missing: see tests/fixtures/schema/README.md");
        }
    }
}

#[test]
fn a_space_of_every_schema_keeps_everything() {
    for version in 1..=SCHEMA_VERSION {
        let home = Home::bare();
        let packed = std::fs::read(fixture(&format!("{version}.db.zst"))).unwrap();
        let file = home.write("work/.kiroku/space.db", zstd::decode_all(&packed[..]).unwrap());
        std::fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
        let before = tables(&file);
        let empty: Vec<&String> = before.iter().filter(|(_, rows)| rows.is_empty()).map(|(name, _)| name).collect();
        // Work that is owed is done at once, so that this table is empty in a space at rest.
        assert!(empty.iter().all(|name| *name == "list_owed"), "schema {version} tries nothing of {empty:?}");

        assert_eq!(home.run(&["doctor", "--json"]).json()["findings"], json!([]), "schema {version}");
        let now: i32 =
            Connection::open(&file).unwrap().pragma_query_value(None, "user_version", |row| row.get(0)).unwrap();
        assert_eq!(now, SCHEMA_VERSION);
        let backups = home.run(&["backup", "--list"]).ok().out;
        assert_eq!(!backups.trim().is_empty(), version < SCHEMA_VERSION, "a backup stands before a change: {backups}");
        assert_eq!(lost(&before, &tables(&file)), Vec::<String>::new(), "schema {version}");
        let then = std::fs::read_to_string(fixture(&format!("{version}.jsonl"))).unwrap();
        assert_eq!(home.run(&["export"]).ok().out, then, "schema {version}");
        // Both found by its index and written to.
        assert_eq!(found(&home, "認証"), 2);
        home.run_with(&["import", "-"], &line(&comment(900, "あとから認証を書く"))).ok();
        assert_eq!(found(&home, "認証"), 3);
    }
}

#[test]
fn a_value_that_is_lost_would_be_seen() {
    let row = |value: &str| BTreeMap::from([("a".to_owned(), "1".to_owned()), ("b".to_owned(), value.to_owned())]);
    let old = Tables::from([("t".to_owned(), vec![row("x")])]);
    assert_eq!(lost(&old, &old), Vec::<String>::new());
    assert_eq!(lost(&old, &Tables::from([("t".to_owned(), vec![row("y")])])).len(), 1);
    assert_eq!(lost(&old, &Tables::new()), ["the table t"]);
    let mut more = row("x");
    more.insert("c".to_owned(), "new".to_owned());
    assert_eq!(lost(&old, &Tables::from([("t".to_owned(), vec![more])])), Vec::<String>::new());
}

fn found(home: &Home, words: &str) -> u64 {
    home.run(&["search", words, "--json"]).json()["total"].as_u64().unwrap()
}

fn line(row: &Value) -> String {
    format!("{row}\n")
}

fn comment(id: i64, body: &str) -> Value {
    json!({"type": "comment", "id": id, "task": 1, "author": "agent", "kind": "result", "body": body, "created": "2026-06-20T10:00:00Z"})
}

#[test]
#[ignore = "writes the space of the newest schema, once"]
fn make_the_space_of_the_newest_schema() {
    let (packed, said) = (fixture(&format!("{SCHEMA_VERSION}.db.zst")), fixture(&format!("{SCHEMA_VERSION}.jsonl")));
    assert!(!packed.exists(), "{} is here, and is never made anew", packed.display());
    let mut asked = comment(2, "ログインの認証を見直す");
    asked["author"] = json!("user");
    asked["member"] = json!("m1");
    asked["kind"] = json!("request");
    asked["attachments"] = json!([{"name": "screen.png", "bytes": 12, "media_type": "image/png"}]);
    let mut called = comment(3, "Bash");
    called["kind"] = json!("progress");
    called["progress"] = json!("tool");
    called["tool"] = json!("Bash");
    called["input"] = json!({"command": "ls"});
    called["output"] = json!("a\nb");
    let item = json!({"id": "task_a", "content": "認証を直す", "status": "in_progress", "activeForm": "直している"});
    let home = Home::with(&[
        json!({"type": "member", "id": "m2", "name": "Two", "role": "member"}),
        json!({"type": "task", "id": 1, "title": "ログイン", "state": "running", "owner": "m1"}),
        json!({"type": "task", "id": 4, "title": "Part of it", "parent": 1, "ending": "asked", "source": "other", "key": "k4"}),
        asked,
        called,
        comment(5, "認証はクッキーで行う"),
        comment(6, "to be forgotten"),
        json!({"type": "pin", "task": 1, "list": "decisions", "text": "クッキー", "ref": "comment:5", "member": "m1", "created": "2026-06-20T10:00:00Z"}),
        json!({"type": "list", "task": 1, "resource": "m1", "version": 1, "items": [item], "updated": "2026-06-20T10:00:00Z"}),
        json!({"type": "history", "task": 1, "resource": "m1", "version": 1, "at": "2026-06-20T10:00:00Z", "by": "m1", "door": "app", "before": [], "after": [item]}),
        json!({"type": "note", "task": 1, "item": "task_a", "text": "急がない", "by": "m2", "at": "2026-06-20T10:00:00Z"}),
        json!({"type": "review", "task": 1, "item": "task_a", "by": "m2", "at": "2026-06-20T10:00:00Z"}),
    ]);
    let session = repository().join("tests/fixtures/claude-code/karuta-ja.jsonl");
    // What is imported is remembered with where it stood.
    home.run(&["import", home.write("sessions/karuta.jsonl", std::fs::read(session).unwrap()).to_str().unwrap()]).ok();
    home.run(&["import", "exclusions", "add", "codex"]).ok();
    home.run(&["forget", "comment:6", "--yes"]).ok();
    let record = "---\nkind: rule\ndescription: cookies\nmodel_invokation: true\nuser_invocable: true\nlast_sources:\n  - session_id: s\n    range: [1, 2]\ncreated_at: 2026-06-20T10:00:00Z\nupdated_at: 2026-06-20T10:00:00Z\n---\n\n# Cookies\n";
    home.tool("MemoryWrite", &[], &json!({"kind": "knowledge", "slug": "cookies", "content": record})).ok();
    home.tool("MemoryRead", &[], &json!({"kind": "knowledge", "slug": "cookies"})).ok();
    home.run(&["doctor"]).ok();
    Connection::open(home.space()).unwrap().query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
    std::fs::write(said, home.run(&["export"]).ok().out).unwrap();
    std::fs::write(packed, zstd::encode_all(&std::fs::read(home.space()).unwrap()[..], 19).unwrap()).unwrap();
}
