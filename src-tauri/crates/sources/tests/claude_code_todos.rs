//! Todo files: whose list they are, when they say something, and what is wrong with some.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod record;

use kiroku_model::Cancel;
use kiroku_sources::{Source, claude_code::ClaudeCode};
use record::{Record, read, read_some};
use serde_json::json;
use std::path::Path;

#[test]
fn whose_list_it_is_and_where_its_session_worked() {
    let dir = tempfile::tempdir().unwrap();
    let (todos, project) = (dir.path().join("todos"), dir.path().join("projects/-home-user-shop"));
    std::fs::create_dir_all(&todos).unwrap();
    std::fs::create_dir_all(&project).unwrap();
    let line = json!({"type": "user", "uuid": "u", "sessionId": "s", "cwd": "/home/user/shop", "timestamp": "2026-06-20T10:00:00Z", "message": {"content": "go"}});
    std::fs::write(project.join("s.jsonl"), format!("{line}\n")).unwrap();
    let list = json!([{"content": "直す", "status": "pending", "activeForm": "直しています"}]);
    for name in ["s-agent-s.json", "s-agent-a1.json", "gone-agent-gone.json"] {
        std::fs::write(todos.join(name), list.to_string()).unwrap();
    }
    std::fs::write(todos.join("other.json"), "{}").unwrap();
    let found = ClaudeCode.find(dir.path(), &Cancel::new()).unwrap();
    assert!(found.skipped.is_empty(), "{:?}", found.skipped);
    let names: Vec<_> = found.files.iter().map(|file| file.path.file_name().unwrap().to_str().unwrap()).collect();
    assert_eq!(names, ["s.jsonl", "gone-agent-gone.json", "s-agent-a1.json", "s-agent-s.json"]);
    let folders: Vec<_> = found.files.iter().map(|file| file.folder.as_deref()).collect();
    let shop = Some(Path::new("/home/user/shop"));
    assert_eq!(folders, [shop, None, shop, shop]);
    let list_of = |name: &str| read(&todos.join(name)).lists.into_iter().next().unwrap();
    assert_eq!(list_of("s-agent-s.json"), ("s".to_owned(), json!({ "todos": list }).to_string()));
    assert_eq!(list_of("s-agent-a1.json").0, "s/a1");
}

#[test]
fn it_is_told_once_and_again_when_it_changed() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("todos")).unwrap();
    let path = dir.path().join("todos/s-agent-s.json");
    let mut cursor = None;
    for (content, told, skipped) in [
        (r#"[{"content": "a", "status": "pending"}]"#, 1, 0),
        (r#"[{"content": "a", "status": "pending"}]"#, 0, 0),
        ("[\n {\"content\": \"b\", \"status\": \"pending\"}\n]", 1, 0),
        ("[]", 0, 0),
        ("{", 0, 1),
        ("{}", 0, 1),
        ("", 0, 1),
    ] {
        std::fs::write(&path, content).unwrap();
        let mut record = Record::default();
        cursor = Some(read_some(&path, cursor.as_ref(), usize::MAX, &mut record));
        assert_eq!((record.lists.len(), record.skipped.len()), (told, skipped), "{content}");
    }
    std::fs::write(&path, " ".repeat((1 << 20) + 1)).unwrap();
    assert_eq!(read(&path).skipped.len(), 1);
}
