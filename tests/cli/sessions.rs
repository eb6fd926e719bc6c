//! Session files for the import's tests: the fixtures, and lines made on the spot.

use kiroku_tests::repository;
use serde_json::{Value, json};
use std::path::PathBuf;

/// A fixture's path.
pub fn fixture(name: &str) -> PathBuf {
    repository().join("tests/fixtures/claude-code").join(name)
}

/// A line that a person typed in `session`, the `nth` of it; its text names it.
pub fn typed(session: &str, nth: u32, text: &str) -> Value {
    line(session, nth, "user", json!({"role": "user", "content": text}))
}

/// The agent's word that ends its turn.
pub fn answered(session: &str, nth: u32, text: &str) -> Value {
    let content = json!([{"type": "text", "text": text}]);
    line(
        session,
        nth,
        "assistant",
        json!({"id": format!("{session}-m{nth}"), "role": "assistant", "stop_reason": "end_turn", "content": content}),
    )
}

fn line(session: &str, nth: u32, kind: &str, message: Value) -> Value {
    json!({
        "type": kind, "uuid": format!("{session}-{nth}"), "sessionId": session, "cwd": "/home/somebody/project",
        "timestamp": format!("2026-06-22T10:{:02}:{:02}.000Z", nth / 60, nth % 60), "message": message,
    })
}

/// Lines as a file.
pub fn file(lines: &[Value]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}
