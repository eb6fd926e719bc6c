//! The space file's life by the command line: making, members, backups and the way back, and files that are not what they
//! should be.

use crate::example::login_task;
use kiroku_tests::Home;
use rusqlite::Connection;
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Stdio;

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn total(home: &Home) -> Value {
    home.run(&["search", "touch", "--json"]).json()["total"].clone()
}

#[test]
fn a_new_space_is_private_and_out_of_git() {
    let home = Home::bare();
    home.run(&["space", "new", "--name", " 開発 チーム ", "--member", "m1", "--lang", "ja"])
        .ok()
        .says(&["開発 チーム", "0600"]);
    assert_eq!(mode(&home.space()), 0o600);
    let ignored = std::fs::read_to_string(home.path("work/.kiroku/.gitignore")).unwrap();
    assert!(
        ignored.lines().any(|line| line == "space.db*") && ignored.lines().any(|line| line == "backups/"),
        "{ignored}"
    );
    let info = home.run(&["space", "info", "--json"]).json();
    assert_eq!((&info["name"], &info["tasks"], &info["comments"]), (&json!("開発 チーム"), &json!(0), &json!(0)));
    assert_eq!(info["members"], json!([{"id": "m1", "name": "m1", "role": "owner"}]));
    home.run(&["space", "info"]).ok().says(&["開発 チーム", ".kiroku/space.db"]);
    // While it is written to, no file beside it is open to others either.
    home.run(&["space", "rename", "別の名"]).ok();
    for entry in std::fs::read_dir(home.path("work/.kiroku")).unwrap().flatten() {
        let name = entry.file_name();
        assert!(name == ".gitignore" || mode(&entry.path()) == 0o600, "{name:?}");
    }
    // From a folder below it is found.
    std::fs::create_dir_all(home.work().join("a/b")).unwrap();
    let mut below = home.command(&["space", "info", "--json"]);
    below.current_dir(home.work().join("a/b"));
    assert_eq!(home.finish(below).json()["name"], "別の名");
}

#[test]
fn nothing_that_exists_is_made_over() {
    let home = Home::new();
    let before = std::fs::read(home.space()).unwrap();
    home.run(&["space", "new", "--name", "x", "--member", "m2"]).ended(1).says(&["space.db"]);
    assert_eq!(std::fs::read(home.space()).unwrap(), before);
    let text = home.write("work/notes.txt", "my notes");
    home.run(&["--space", "notes.txt", "space", "new", "--name", "x", "--member", "m2"]).ended(1);
    assert_eq!(std::fs::read_to_string(&text).unwrap(), "my notes");
    for (name, member) in [("", "m1"), (" ", "m1"), ("x", ""), ("x", " "), ("x", "two words")] {
        home.run(&["--space", "fresh.db", "space", "new", "--name", name, "--member", member]).ended(2);
        assert!(!home.path("work/fresh.db").exists(), "nothing is left half-made");
    }
    home.run(&["--space", "no/such/dir/fresh.db", "space", "new", "--name", "x", "--member", "m1"]).ok();
    home.run(&["--space", "/proc/fresh.db", "space", "new", "--name", "x", "--member", "m1"]).says(&["/proc/fresh.db"]);
}

#[test]
fn a_synchronised_folder_is_warned_of() {
    let home = Home::bare();
    std::fs::create_dir_all(home.path("work/Dropbox")).unwrap();
    let args = ["--space", "Dropbox/space.db", "space", "new", "--name", "x", "--member", "m1", "--lang", "en"];
    home.run(&args).ended(1).says(&["--anyway"]);
    assert!(!home.path("work/Dropbox/space.db").exists());
    let mut anyway = args.to_vec();
    anyway.push("--anyway");
    home.run(&anyway).ok();
    assert!(home.path("work/Dropbox/space.db").exists());
}

#[test]
fn members_are_an_owners_business() {
    let home = Home::new();
    home.run(&["space", "members", "add", "m2", "--name", "Two"]).ok();
    home.run(&["space", "members", "add", "m2"]).ended(1).says(&["m2"]);
    for bad in ["", " ", "a b"] {
        home.run(&["space", "members", "add", bad]).ended(2);
    }
    for refused in
        [&["space", "members", "add", "m3"][..], &["space", "members", "remove", "m1"], &["space", "rename", "mine"]]
    {
        let mut as_member = refused.to_vec();
        as_member.extend(["--as", "m2", "--lang", "en"]);
        home.run(&as_member).ended(1).says(&["owner"]);
    }
    home.run(&["space", "members", "remove", "m9"]).ended(2).says(&["m9"]);
    home.run(&["space", "members", "remove", "m1", "--lang", "ja"]).ended(1).says(&["ただ一人のオーナー"]);
    home.run(&["space", "members", "add", "m3", "--owner"]).ok();
    home.run(&["space", "members", "remove", "m1", "--as", "m3"]).ok();
    let members = home.run(&["space", "members", "list", "--json"]).json();
    assert_eq!(
        members,
        json!([{"id": "m3", "name": "m3", "role": "owner"}, {"id": "m2", "name": "Two", "role": "member"}])
    );
    home.run(&["space", "members", "list", "--lang", "en"]).ok().says(&["m3", "owner", "Two", "member"]);
    home.run(&["space", "rename", "  ", "--as", "m3"]).ended(2);
    assert_eq!(home.run(&["space", "info", "--json"]).json()["name"], "Test", "a space always has a name");
}

#[test]
fn a_backup_brings_back_what_was() {
    let home = Home::with(&login_task());
    home.run(&["backup"]).ok().says(&["backups/space-"]);
    let listed = home.run(&["backup", "--list"]).ok().out;
    let newest = listed.lines().next().unwrap().split("  ").next().unwrap().to_owned();
    assert_eq!(mode(Path::new(&newest)), 0o600);
    let tables: i64 = Connection::open(&newest)
        .unwrap()
        .query_row("SELECT count(*) FROM sqlite_schema WHERE name LIKE 'index\\_%' ESCAPE '\\'", [], |row| row.get(0))
        .unwrap();
    assert_eq!(tables, 0, "a backup holds the truth and no index");
    let gone = home.run(&["forget", "comment:95", "--yes", "--json"]).json();
    assert!(gone["held_by"].as_array().unwrap().iter().any(|path| path == newest.as_str()), "{gone}");
    assert_eq!(total(&home), 0);
    let said = home.run(&["restore", &newest, "--lang", "en"]).ok().out;
    assert_eq!(total(&home), 1, "with its index");
    home.run(&["doctor"]).ok();
    assert_eq!(mode(&home.space()), 0o600);
    let kept = said.trim().rsplit(' ').next().unwrap();
    let comments: i64 =
        Connection::open(kept).unwrap().query_row("SELECT count(*) FROM comment", [], |row| row.get(0)).unwrap();
    assert_eq!(comments, 3, "what stood there is kept: {said}");
    // Without a name the newest is taken.
    home.run(&["forget", "comment:95", "--yes"]).ok();
    home.run(&["restore"]).ok();
    assert_eq!(total(&home), 1);
    // What is no backup changes nothing.
    let text = home.write("work/notes.db", "my notes");
    for bad in [text.to_str().unwrap(), "missing.db"] {
        assert_ne!(home.run(&["restore", bad]).status, Some(0));
        assert_eq!(total(&home), 1);
    }
    let cut = home.write("work/cut.db", &std::fs::read(&newest).unwrap()[..8192]);
    home.run(&["restore", cut.to_str().unwrap()]).ended(1);
    assert_eq!(total(&home), 1);
    Home::new().run(&["restore"]).ended(2);
}

#[test]
fn a_space_that_is_lost_comes_back_from_its_backup() {
    let home = Home::with(&login_task());
    home.run(&["backup"]).ok();
    std::fs::write(home.space(), "overwritten by something else").unwrap();
    home.run(&["search", "touch"]).ended(1);
    home.run(&["restore"]).ok();
    assert_eq!(total(&home), 1);
    // Nothing at all stands there.
    for name in ["space.db", "space.db-wal", "space.db-shm"] {
        let _ = std::fs::remove_file(home.space().with_file_name(name));
    }
    let space = home.space();
    home.run(&["--space", space.to_str().unwrap(), "restore"]).ok();
    assert_eq!(total(&home), 1);
}

#[test]
fn the_newest_five_backups_stay() {
    let home = Home::with(&login_task());
    for _ in 0..7 {
        home.run(&["backup"]).ok();
    }
    assert_eq!(home.run(&["backup", "--list"]).ok().out.lines().count(), 5);
}

/// Every file of the space, byte for byte.
fn bytes_of(home: &Home) -> Vec<(std::ffi::OsString, Vec<u8>)> {
    let mut all: Vec<_> = std::fs::read_dir(home.space().parent().unwrap())
        .unwrap()
        .flatten()
        .filter(|entry| entry.path().is_file())
        .map(|entry| (entry.file_name(), std::fs::read(entry.path()).unwrap()))
        .collect();
    all.sort();
    all
}

#[test]
fn a_newer_space_is_left_as_it_is() {
    let home = Home::with(&login_task());
    let conn = Connection::open(home.space()).unwrap();
    conn.pragma_update(None, "user_version", 999).unwrap();
    conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
    drop(conn);
    let before = bytes_of(&home);
    for args in [
        &["search", "touch", "--json"][..],
        &["tasks", "--json"],
        &["doctor", "--fix", "--json"],
        &["import", "-", "--json"],
    ] {
        let error = home.run(args).error(1, "newer_schema");
        assert!(error["message"].as_str().unwrap().contains("999"), "{error}");
    }
    home.run(&["export"]).ended(1);
    home.run(&["backup"]).ended(1);
    assert_eq!(bytes_of(&home), before);
}

#[test]
fn what_is_no_space_is_left_as_it_is() {
    let home = Home::bare();
    home.run(&["tasks", "--json"]).error(2, "not_found");
    home.run(&["--space", "missing.db", "tasks", "--json"]).error(2, "not_found");
    home.write("work/.kiroku/space.db", "");
    let other = home.path("work/other.db");
    Connection::open(&other).unwrap().execute_batch("CREATE TABLE t (a); INSERT INTO t VALUES (1);").unwrap();
    home.write("work/text.db", "SQLite format 3\0but then not");
    home.write("work/long.db", vec![7; 100_000]);
    std::fs::create_dir_all(home.path("work/folder.db")).unwrap();
    for name in [".kiroku/space.db", "other.db", "text.db", "long.db", "folder.db", "/dev/null"] {
        let path = home.work().join(name);
        let before = std::fs::read(&path).ok();
        for args in [&["tasks", "--json"][..], &["doctor", "--fix", "--json"]] {
            let mut all = vec!["--space", name];
            all.extend(args);
            let ran = home.run(&all).ended(1);
            let error: Value = serde_json::from_str(&ran.out).unwrap();
            assert!(error["error"]["message"].as_str().is_some_and(|said| said.len() > 10), "{name}: {error}");
        }
        assert_eq!(std::fs::read(&path).ok(), before, "{name}");
        assert!(!home.work().join(format!("{name}-wal")).exists(), "{name}");
    }
}

#[test]
fn a_truncated_space_is_told_and_has_a_way_out() {
    let home = Home::with(&login_task());
    home.run(&["backup"]).ok();
    let conn = Connection::open(home.space()).unwrap();
    conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).unwrap();
    drop(conn);
    let whole = std::fs::read(home.space()).unwrap();
    std::fs::write(home.space(), &whole[..whole.len() / 2]).unwrap();
    let before = bytes_of(&home);
    home.run(&["search", "touch", "--json"]).error(1, "damaged");
    home.run(&["import", "-", "--json"]).error(1, "damaged");
    assert_eq!(bytes_of(&home), before);
    home.run(&["restore"]).ok();
    assert_eq!(total(&home), 1);
}

#[test]
fn a_space_that_may_only_be_read() {
    let home = Home::with(&login_task());
    let before = bytes_of(&home);
    let close = |_: &Path| {
        for entry in std::fs::read_dir(home.space().parent().unwrap()).unwrap().flatten() {
            std::fs::set_permissions(entry.path(), PermissionsExt::from_mode(0o400)).unwrap();
        }
        std::fs::set_permissions(home.space().parent().unwrap(), PermissionsExt::from_mode(0o500)).unwrap();
    };
    let ran = home.unprivileged(&["space", "rename", "other", "--lang", "en"], close);
    std::fs::set_permissions(home.space().parent().unwrap(), PermissionsExt::from_mode(0o700)).unwrap();
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.err.contains("read") || ran.err.contains("permission"), "it says why: {ran:?}");
    assert_eq!(bytes_of(&home), before);
}

#[test]
fn doctor_finds_and_mends_the_index() {
    let home = Home::with(&login_task());
    let whole = home.run(&["doctor", "--json"]).json();
    assert_eq!(whole, json!({"findings": [], "fixed": 0}));
    home.run(&["doctor", "--lang", "en"]).ok().says(&["whole"]);
    let damage = |sql: &str| {
        Connection::open(home.space()).unwrap().execute_batch(sql).unwrap();
        let found = home.run(&["doctor", "--json"]).ended(1);
        let found: Value = serde_json::from_str(&found.out).unwrap();
        assert!(!found["findings"].as_array().unwrap().is_empty(), "{sql}");
        assert!(found["findings"].as_array().unwrap().iter().all(|one| one["fixable"] == true), "{found}");
        home.run(&["doctor", "--lang", "en"]).ended(1).says(&["doctor --fix"]);
        home.run(&["doctor", "--fix", "--lang", "en"]).ok().says(&["mended"]);
        home.run(&["doctor"]).ok();
        assert_eq!(total(&home), 1, "{sql}");
    };
    let live = || -> i64 {
        Connection::open(home.space())
            .unwrap()
            .query_row("SELECT number FROM index_generation WHERE live = 1", [], |row| row.get(0))
            .unwrap()
    };
    damage("DELETE FROM index_generation");
    damage(&format!("DELETE FROM index_doc_{} WHERE comment = 95", live()));
    damage(&format!("UPDATE index_doc_{} SET folded = 'something else' WHERE comment = 95", live()));
    damage(&format!("UPDATE index_doc_{} SET comment = 9999 WHERE comment = 95", live()));
    std::fs::set_permissions(home.space(), PermissionsExt::from_mode(0o644)).unwrap();
    home.run(&["doctor", "--lang", "en"]).ended(1).says(&["other users"]);
    home.run(&["doctor", "--fix"]).ok();
    assert_eq!(mode(&home.space()), 0o600);
}

#[test]
fn completions_and_help_are_printed() {
    let home = Home::bare();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        home.run(&["completions", shell]).ok().says(&["kiroku", "completions"]);
    }
    home.run(&["--help"]).ok().says(&["import", "search", "tool"]);
    home.run(&["--version"]).ok().says(&["kiroku 0."]);
    home.run(&["nonsense"]).ended(2);
    home.run(&[]).ended(2);
}

#[test]
fn messages_are_in_the_language_that_was_asked_for() {
    let home = Home::new();
    home.run(&["tasks", "--lang", "ja"]).ok().says(&["タスクはまだありません"]);
    home.run(&["tasks", "--lang", "en"]).ok().says(&["There are no tasks yet"]);
    for (variable, value, word) in
        [("LANG", "ja_JP.UTF-8", "まだ"), ("LC_ALL", "ja_JP.UTF-8", "まだ"), ("LANG", "de_DE.UTF-8", "no tasks")]
    {
        let mut command = home.command(&["tasks"]);
        command.env(variable, value);
        home.finish(command).ok().says(&[word]);
    }
    home.run(&["tasks", "--lang", "de"]).ended(2);
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let mut rows = login_task();
    rows.extend((200..1200).map(|id| {
        json!({"type": "comment", "id": id, "task": 12, "author": "agent", "kind": "result", "body": "long enough to fill a pipe ".repeat(20), "created": "2026-06-21T10:00:00Z"})
    }));
    let home = Home::with(&rows);
    for args in [
        &["search", "pipe", "--limit", "1000"][..],
        &["search", "pipe", "--limit", "1000", "--json"],
        &["show", "task:12"],
        &["export"],
        &["tasks"],
        &["completions", "bash"],
        &["doctor"],
        &["--help"],
    ] {
        let mut child = home.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // `| head -0`: the reading end is closed before anything is written.
        drop(child.stdout.take());
        let ended = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert_eq!((ended.status.code(), said.as_str()), (Some(0), ""), "{args:?}");
    }
}
