//! Sessions that repeat others: resumed and forked ones. Each line counts once a space, in whichever file it comes.

use crate::place::{Place, said, typed};
use serde_json::{Value, json};

fn first(session: &str) -> Vec<Value> {
    vec![
        typed(session, "u1", 1, "ログインを直して"),
        said(session, "a1", 2, json!({"type": "text", "text": "直しました"})),
    ]
}

#[test]
fn a_resumed_session_is_a_task_only_when_something_new_is_said() {
    let place = Place::new();
    place.append("projects/p/s1.jsonl", &first("s1"));
    place.append("projects/p/s2.jsonl", &first("s2"));
    let report = place.import();
    assert_eq!((report.tasks, report.comments, report.repeated), (1, 2, 2));
    assert_eq!(place.tasks(), [("ログインを直して".into(), 2)]);
    place.append("projects/p/s2.jsonl", &[typed("s2", "u2", 60, "テストも")]);
    let report = place.import();
    assert_eq!((report.tasks, report.comments, report.repeated), (1, 1, 0));
    assert_eq!(place.tasks(), [("ログインを直して".into(), 2), ("ログインを直して".into(), 1)]);
    assert_eq!((place.import().comments, place.counts()), (0, (2, 3)));
}

#[test]
fn inline_subagents_come_under_their_session_and_count_once() {
    let place = Place::new();
    let side = |session: &str| {
        let mut line = typed(session, "x1", 3, "画像を探して");
        (line["isSidechain"], line["agentId"]) = (json!(true), json!("ag"));
        line
    };
    place.append("projects/p/s1.jsonl", &[first("s1"), vec![side("s1")]].concat());
    place.append("projects/p/s1/subagents/agent-ag.jsonl", &[side("s1")]);
    assert_eq!(place.import().comments, 3);
    assert_eq!(place.tasks(), [("ログインを直して".into(), 2), ("画像を探して".into(), 1)]);
    let db = rusqlite::Connection::open(place.path("space.db")).unwrap();
    let parent: i64 = db.query_row("SELECT parent FROM task WHERE id = 2", [], |row| row.get(0)).unwrap();
    assert_eq!(parent, 1);
}

fn rollout(id: &str, replayed: Option<&str>, second: u32, texts: &[&str]) -> Vec<Value> {
    let line =
        |kind: &str, payload: Value| json!({"timestamp": crate::place::time(second), "type": kind, "payload": payload});
    let meta = |id: &str| line("session_meta", json!({"id": id, "cwd": "/home/user/shop"}));
    let mut lines = vec![meta(id)];
    lines.extend(replayed.map(meta));
    for (nth, text) in texts.iter().enumerate() {
        let (role, kind) = if nth % 2 == 0 { ("user", "input_text") } else { ("assistant", "output_text") };
        let content = json!([{"type": kind, "text": text}]);
        lines.push(line("response_item", json!({"type": "message", "role": role, "content": content})));
    }
    lines
}

#[test]
fn a_codex_fork_adds_what_its_origin_has_not() {
    let place = Place::new();
    place.append("sessions/rollout-a.jsonl", &rollout("a", None, 0, &["在庫を直して", "直しました", "続けて", "はい"]));
    place.append(
        "sessions/rollout-b.jsonl",
        &rollout("b", Some("a"), 600, &["在庫を直して", "直しました", "別の案で", "別の案です"]),
    );
    let report = place.import_of("codex");
    assert_eq!((report.tasks, report.comments, report.repeated), (2, 6, 2));
    assert_eq!(place.tasks(), [("在庫を直して".into(), 4), ("在庫を直して".into(), 2)]);
    assert_eq!(place.import_of("codex").unchanged, 2);
}
