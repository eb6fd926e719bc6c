//! The table of the format: every type of line and block that was seen in real session files, and what it becomes. One
//! row each; what several lines together mean is in `claude_code_lines.rs`.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod record;

use serde_json::{Value, json};

/// How a row's line comes out.
enum Becomes {
    /// These comments, each `author/kind …` as the record prints it.
    Comments(&'static [&'static str]),
    /// Nothing: it is known, and carries nothing that a person wrote or read.
    Nothing,
    /// Nothing, and counted as a kind that is not known.
    Unknown,
    /// Nothing, and told as unreadable.
    Skipped,
}
use Becomes::{Comments, Nothing, Skipped, Unknown};

fn message(kind: &str, content: Value) -> Value {
    json!({"type": kind, "message": {"id": "m", "role": kind, "content": content}})
}

fn user(content: Value) -> Value {
    message("user", content)
}

fn agent(block: Value) -> Value {
    message("assistant", json!([block]))
}

fn meta(content: Value) -> Value {
    let mut line = user(content);
    line["isMeta"] = json!(true);
    line
}

fn rows() -> Vec<(&'static str, Value, Becomes)> {
    let image = json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}});
    let result = |content: Value| user(json!([{"type": "tool_result", "tool_use_id": "call", "content": content}]));
    let attached = |kind: &str| json!({"type": "attachment", "attachment": {"type": kind, "filename": "/a/b.rs", "prompt": "続けて"}});
    let system = |subtype: &str, content: &str| json!({"type": "system", "subtype": subtype, "content": content});
    let progress = |data: Value| json!({"type": "progress", "data": data});
    vec![
        ("user, a text", user(json!("直して")), Comments(&["user/interjection 直して"])),
        (
            "user, text block",
            user(json!([{"type": "text", "text": "直して"}])),
            Comments(&["user/interjection 直して"]),
        ),
        ("user, tool_result, a text", result(json!("out")), Comments(&["agent/tool [Bash] < {} > out"])),
        (
            "user, tool_result, blocks",
            result(json!([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}, image])),
            Comments(&["agent/tool [Bash] < {} > a⏎b⏎[image/png, 3 bytes]"]),
        ),
        ("user, image", user(json!([image])), Comments(&["user/interjection + image-1.png image/png 3"])),
        (
            "user, document",
            user(
                json!([{"type": "document", "title": "仕様.pdf", "source": {"type": "base64", "media_type": "application/pdf", "data": "AAAA"}}]),
            ),
            Comments(&["user/interjection + 仕様.pdf application/pdf 3"]),
        ),
        ("user, unknown block", user(json!([{"type": "hologram"}])), Unknown),
        ("user, isMeta", meta(json!([{"type": "text", "text": "Continue."}])), Comments(&["agent/comment Continue."])),
        ("user, caveat", meta(json!("<local-command-caveat>Caveat: x</local-command-caveat>")), Nothing),
        ("user, command", user(json!("<command-name>/mcp</command-name>")), Comments(&["user/comment /mcp"])),
        (
            "user, command output",
            user(json!("<local-command-stdout>Reconnected</local-command-stdout>")),
            Comments(&["agent/comment Reconnected"]),
        ),
        ("user, reminder", user(json!("<system-reminder>x</system-reminder>")), Nothing),
        ("user, content null", user(json!(null)), Skipped),
        ("user, message no object", json!({"type": "user", "message": "x"}), Skipped),
        (
            "user, compact summary",
            json!({"type": "user", "isCompactSummary": true, "message": {"content": "これまで"}}),
            Comments(&["agent/handoff これまで"]),
        ),
        (
            "assistant, text",
            agent(json!({"type": "text", "text": "直しました"})),
            Comments(&["agent/result 直しました"]),
        ),
        (
            "assistant, thinking",
            agent(json!({"type": "thinking", "thinking": "さて"})),
            Comments(&["agent/thinking さて"]),
        ),
        ("assistant, redacted_thinking", agent(json!({"type": "redacted_thinking", "data": "x"})), Nothing),
        (
            "assistant, tool_use",
            agent(json!({"type": "tool_use", "id": "c2", "name": "Read", "input": {"file": "a"}})),
            Comments(&[r#"agent/tool [Read] < {"file":"a"}"#]),
        ),
        (
            "assistant, AskUserQuestion",
            agent(
                json!({"type": "tool_use", "id": "c2", "name": "AskUserQuestion", "input": {"questions": [{"question": "甲?"}]}}),
            ),
            Comments(&[r#"agent/ask [AskUserQuestion] 甲? < {"questions":[{"question":"甲?"}]}"#]),
        ),
        (
            "assistant, API error",
            json!({"type": "assistant", "isApiErrorMessage": true, "message": {"content": [{"type": "text", "text": "API Error"}]}}),
            Comments(&["agent/comment API Error"]),
        ),
        (
            "system, local_command",
            system("local_command", "<local-command-stdout>ok</local-command-stdout>"),
            Comments(&["agent/comment ok"]),
        ),
        ("system, stop_hook_summary", system("stop_hook_summary", ""), Nothing),
        ("system, turn_duration", system("turn_duration", ""), Nothing),
        ("system, compact_boundary", system("compact_boundary", "Conversation compacted"), Nothing),
        ("system, informational", system("informational", "Hooks ran"), Comments(&["agent/comment Hooks ran"])),
        ("attachment, queued_command", attached("queued_command"), Comments(&["user/interjection 続けて"])),
        ("attachment, file", attached("file"), Comments(&["user/comment + b.rs ? ?"])),
        ("attachment, for the model", attached("todo_reminder"), Nothing),
        (
            "queue-operation, enqueue",
            json!({"type": "queue-operation", "operation": "enqueue", "content": "あと一つ"}),
            Comments(&["user/interjection あと一つ"]),
        ),
        ("queue-operation, remove", json!({"type": "queue-operation", "operation": "remove"}), Nothing),
        ("progress, hook_progress", progress(json!({"type": "hook_progress"})), Nothing),
        ("progress, bash_progress", progress(json!({"type": "bash_progress", "output": "x"})), Nothing),
        ("summary", json!({"type": "summary", "summary": "題", "leafUuid": "elsewhere"}), Nothing),
        ("custom-title", json!({"type": "custom-title", "customTitle": "題"}), Nothing),
        ("ai-title", json!({"type": "ai-title", "aiTitle": "題"}), Nothing),
        ("file-history-snapshot", json!({"type": "file-history-snapshot", "snapshot": {}}), Nothing),
        ("last-prompt", json!({"type": "last-prompt", "lastPrompt": "x"}), Nothing),
        ("agent-name", json!({"type": "agent-name", "agentName": "x"}), Nothing),
        ("a type of later", json!({"type": "hologram"}), Unknown),
        ("no type", json!({"x": 1}), Unknown),
        ("a number", json!(42), Skipped),
        ("an array", json!([1]), Skipped),
        ("a text", json!("massive error"), Skipped),
    ]
}

/// A line with all that every line has.
fn whole(mut line: Value, id: &str, second: u32) -> Value {
    if line.is_object() {
        line["uuid"] = json!(id);
        line["sessionId"] = json!("s");
        line["cwd"] = json!("/home/user/shop");
        line["timestamp"] = json!(format!("2026-06-20T10:00:{second:02}Z"));
    }
    line
}

#[test]
fn every_type_of_line_and_block() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("s.jsonl");
    // Each comes while the agent is at work on a request and waits for what a tool gives back.
    let before = [user(json!("go")), agent(json!({"type": "tool_use", "id": "call", "name": "Bash", "input": {}}))];
    for (name, line, becomes) in rows() {
        let mut lines: Vec<Value> =
            before.iter().cloned().zip(0..).map(|(line, n)| whole(line, &format!("u{n}"), n)).collect();
        lines.push(whole(line, "u9", 9));
        std::fs::write(&path, lines.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
        let read = record::read(&path);
        let said = read.lines();
        let (unknown, skipped) = (read.unknown, read.skipped.len());
        // The request and the call stand before; a result changes the call.
        let new = if said.last().is_some_and(|last| last.contains(" > ")) { &said[2..] } else { &said[3..] };
        match becomes {
            Comments(expected) => assert_eq!(
                (new, unknown, skipped),
                (&expected.iter().map(|line| line.to_string()).collect::<Vec<_>>()[..], 0, 0),
                "{name}"
            ),
            Nothing => assert_eq!((new.len(), unknown, skipped), (0, 0, 0), "{name}: {new:?}"),
            Unknown => assert_eq!((new.len(), unknown, skipped), (0, 1, 0), "{name}: {new:?}"),
            Skipped => assert_eq!((new.len(), unknown, skipped), (0, 0, 1), "{name}: {new:?}"),
        }
    }
}
