//! The records that the tests of the tools speak of: the reference's own example, and a task with texts in which places
//! and widths matter.

use serde_json::{Value, json};

/// Task 12 of the reference: comments 86, 88, 90 (a progress of no type, which is not indexed) and 95.
pub fn login_task() -> Vec<Value> {
    let comment = |id: i64, author: &str, kind: &str, created: &str, body: &str| {
        let mut row = json!({"type": "comment", "id": id, "task": 12, "author": author, "kind": kind,
            "created": created, "body": body});
        if author == "user" {
            row["member"] = json!("m1");
        }
        if id == 86 {
            row["attachments"] = json!([{"name": "screen.png", "bytes": 1200, "media_type": "image/png"}]);
        }
        row
    };
    vec![
        json!({"type": "task", "id": 12, "title": "ログイン画面の改修", "piece": "default", "state": "completed", "owner": "m1",
            "created": "2026-06-20T09:50:00Z", "updated": "2026-06-20T11:30:00Z"}),
        comment(
            86,
            "user",
            "comment",
            "2026-06-20T09:55:00Z",
            "質問なんですが、既存の認証部分は今回のスコープに入りますか?",
        ),
        comment(
            88,
            "user",
            "request",
            "2026-06-20T10:00:00Z",
            "既存の認証フローは変更しないでください。UI 差し替えのみでお願いします。",
        ),
        comment(90, "agent", "progress", "2026-06-20T10:02:00Z", "了解しました。認証ロジックには触れずに進めます。"),
        comment(95, "agent", "result", "2026-06-20T11:30:00Z", "認証まわりは touch せず、UI だけ差し替えました。"),
    ]
}

/// Task 20.
pub fn second_task() -> Vec<Value> {
    let comment = |id: i64, kind: &str, created: &str, body: &str| json!({"type": "comment", "id": id, "task": 20, "author": "agent", "kind": kind, "created": created, "body": body});
    vec![
        json!({"type": "task", "id": 20, "title": "Session handling", "piece": "default", "state": "running", "owner": "m1",
            "created": "2026-06-21T09:00:00Z", "updated": "2026-06-21T12:00:00Z"}),
        comment(201, "result", "2026-06-21T10:00:00Z", "The session lives in cookies, not in local storage."),
        comment(202, "ask", "2026-06-21T10:05:00Z", "😀😀 （仮）①ﾛｸﾞｲﾝ 画面"),
        comment(
            203,
            "result",
            "2026-06-21T10:10:00Z",
            "A session ends after a day; a session can be ended from the UI.",
        ),
        comment(204, "handoff", "2026-06-21T10:15:00Z", "満月について: 周期を計算する"),
        json!({"type": "comment", "id": 205, "task": 20, "author": "agent", "kind": "progress", "progress": "tool", "tool": "WebFetch",
            "input": "{\"url\":\"https://example.org/moon\"}", "output": "lunar phase table", "created": "2026-06-21T10:20:00Z"}),
    ]
}
