//! What every type of line and block of a Claude Code session becomes: one row of the table a case.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod record;

use serde_json::{Value, json};

/// A line of the session `s` with the id `id`, `second` seconds after the first.
fn line(kind: &str, id: &str, second: u64, more: Value) -> Value {
    let mut line = json!({
        "type": kind, "uuid": id, "sessionId": "s", "cwd": "/home/user/shop", "isSidechain": false,
        "timestamp": format!("2026-06-20T{:02}:{:02}:{:02}.000Z", 10 + second / 3600, second / 60 % 60, second % 60),
    });
    for (name, value) in more.as_object().unwrap() {
        line[name] = value.clone();
    }
    line
}

fn user(id: &str, second: u64, content: Value) -> Value {
    line("user", id, second, json!({"message": {"role": "user", "content": content}}))
}

fn agent(id: &str, second: u64, message: &str, stop: Value, content: Value) -> Value {
    let message = json!({"id": message, "role": "assistant", "model": "m", "stop_reason": stop, "content": content});
    line("assistant", id, second, json!({ "message": message }))
}

fn call(id: &str, second: u64, message: &str, call: &str, name: &str, input: Value) -> Value {
    agent(id, second, message, Value::Null, json!([{"type": "tool_use", "id": call, "name": name, "input": input}]))
}

fn result(id: &str, second: u64, call: &str, content: Value) -> Value {
    user(id, second, json!([{"type": "tool_result", "tool_use_id": call, "content": content}]))
}

fn text(text: &str) -> Value {
    json!([{"type": "text", "text": text}])
}

fn queued(operation: &str, second: u64, content: Value) -> Value {
    line("queue-operation", "", second, json!({"uuid": null, "cwd": null, "operation": operation, "content": content}))
}

/// Reads `lines` as a session file; its comments as lines (the tasks' too if there are several or `titled`).
fn read(lines: &[Value], titled: bool) -> Vec<String> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("s.jsonl");
    std::fs::write(&path, lines.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    let record = record::read(&path);
    assert!(record.skipped.is_empty(), "{:?}", record.skipped);
    let lines = record.lines();
    if titled || record.tasks.len() > 1 { lines } else { lines.into_iter().skip(1).collect() }
}

#[track_caller]
fn becomes(lines: &[Value], expected: &[&str]) {
    assert_eq!(read(lines, false), expected);
}

#[track_caller]
fn becomes_task(lines: &[Value], expected: &[&str]) {
    assert_eq!(read(lines, true), expected);
}

#[test]
fn requests_results_and_what_stands_between() {
    becomes_task(
        &[
            user("u1", 0, json!("\n  ログイン画面を直して  \n既存の認証は変えない")),
            agent("a1", 1, "m1", Value::Null, text("\n\n")),
            agent(
                "a2",
                1,
                "m1",
                Value::Null,
                json!([{"type": "thinking", "thinking": "どこだろう", "signature": "x"}]),
            ),
            agent("a3", 1, "m1", Value::Null, json!([{"type": "redacted_thinking", "data": "x"}])),
            agent("a4", 2, "m1", Value::Null, text("まず見ます")),
            call("a5", 2, "m1", "c1", "Read", json!({"file": "login.rs"})),
            call("a6", 2, "m1", "c2", "Bash", json!({"command": "ls"})),
            result("u2", 3, "c2", json!([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}])),
            result("u3", 3, "c1", json!("fn login() {}")),
            agent("a7", 4, "m2", Value::Null, text("直しました")),
            user("u4", 9, json!("ありがとう")),
            agent(
                "a8",
                10,
                "m3",
                json!("end_turn"),
                json!([{"type": "text", "text": "はい"}, {"type": "text", "text": "他にも?"}]),
            ),
        ],
        &[
            "# s | ログイン画面を直して | - | /home/user/shop | turn_ended",
            "user/request \n  ログイン画面を直して  \n既存の認証は変えない".replace('\n', "⏎").as_str(),
            "agent/thinking どこだろう",
            "agent/summary まず見ます",
            r#"agent/tool [Read] < {"file":"login.rs"} > fn login() {}"#,
            r#"agent/tool [Bash] < {"command":"ls"} > a⏎b"#,
            "agent/result 直しました",
            "user/request ありがとう",
            "agent/result はい",
            "agent/result 他にも?",
        ],
    );
}

#[test]
fn a_stop_reason_settles_it_and_only_what_follows_in_the_turn_takes_it_back() {
    becomes(
        &[
            user("u1", 0, json!("go")),
            agent("a1", 1, "m1", json!("tool_use"), json!([{"type": "text", "text": "first"}])),
            call("a2", 2, "m1", "c1", "Bash", json!({})),
            result("u2", 3, "c1", json!("")),
            agent("a3", 4, "m2", json!("end_turn"), text("done")),
            agent("a4", 5, "m3", Value::Null, text("one more thing")),
            agent("a5", 6, "m4", Value::Null, text("after a hook")),
            line("system", "y1", 7, json!({"subtype": "turn_duration", "isMeta": true, "durationMs": 1})),
            agent("a6", 8, "m5", Value::Null, text("woken by a task")),
            agent("a7", 9, "m6", Value::Null, json!("a text, not blocks")),
        ],
        &[
            "user/request go",
            "agent/summary first",
            "agent/tool [Bash] < {} > ",
            "agent/result done",
            "agent/summary one more thing",
            "agent/result after a hook",
            "agent/summary woken by a task",
            "agent/result a text, not blocks",
        ],
    );
}

#[test]
fn interjections_and_how_long_an_agent_counts_as_at_work() {
    let begun = [user("u1", 0, json!("go")), call("a1", 1, "m1", "c1", "Bash", json!({}))];
    let then = |line: Value| read(&[begun[0].clone(), begun[1].clone(), line], false).pop().unwrap();
    assert_eq!(then(user("u2", 599, json!("and tests"))), "user/interjection and tests");
    assert_eq!(then(user("u2", 602, json!("still there?"))), "user/request still there?");
}

#[test]
fn a_queued_prompt_is_told_once_whichever_way_it_reaches_the_agent() {
    let queue = |content: &str, then: Vec<Value>| {
        let mut lines = vec![
            user("u1", 0, json!("go")),
            call("a1", 1, "m1", "c1", "Bash", json!({})),
            queued("enqueue", 2, json!(content)),
        ];
        lines.extend(then);
        read(&lines, false).split_off(2)
    };
    let attachment = |prompt: Value, more: Value| {
        let mut attachment = json!({"type": "queued_command", "prompt": prompt});
        for (name, value) in more.as_object().unwrap() {
            attachment[name] = value.clone();
        }
        line("attachment", "q1", 3, json!({ "attachment": attachment }))
    };
    let remove = queued("remove", 4, Value::Null);
    let human = json!({"commandMode": "prompt", "origin": {"kind": "human"}});
    assert_eq!(queue("テストも", vec![remove.clone()]), ["user/interjection テストも"]);
    assert_eq!(
        queue("テストも", vec![attachment(json!("テストも"), human.clone()), remove]),
        ["user/interjection テストも"]
    );
    assert_eq!(queue("テストも", vec![attachment(text("テストも"), json!({}))]), ["user/interjection テストも"]);
    assert_eq!(
        queue(
            "テストも",
            vec![queued("dequeue", 3, Value::Null), user("u2", 3, json!("テストも")), user("u3", 4, json!("テストも"))]
        ),
        ["user/interjection テストも", "user/interjection テストも"]
    );
    // Taken back and changed.
    assert_eq!(
        queue("テストも", vec![queued("popAll", 3, json!("テストも")), user("u2", 4, json!("テストだけ"))]),
        ["user/comment テストも", "user/interjection テストだけ"]
    );
    // Without a word in the queue, and from nobody.
    assert_eq!(queue("/mcp", vec![attachment(json!("x"), human)]), ["user/comment /mcp", "user/interjection x"]);
    let task = json!({"commandMode": "task-notification"});
    assert_eq!(
        queue("<task-notification>x</task-notification>", vec![attachment(json!("done"), task)]),
        ["agent/comment done"]
    );
    // The first prompt of a run without a terminal goes through the queue too.
    becomes(
        &[queued("enqueue", 0, json!("go")), queued("dequeue", 0, Value::Null), user("u1", 0, json!("go"))],
        &["user/request go"],
    );
}

#[test]
fn questions_and_their_answers() {
    let ask = json!({"questions": [{"question": "どちら?", "header": "h", "multiSelect": true,
        "options": [{"label": "甲", "description": "速い"}, {"label": "乙"}]}]});
    let mut answer = result("u2", 700, "c1", json!("User has answered your questions: …"));
    let asked = [user("u1", 0, json!("go")), call("a1", 1, "m1", "c1", "AskUserQuestion", ask.clone())];
    let head = read(&asked, true);
    assert!(head[0].ends_with("| asked"), "{head:?}");
    assert_eq!(head[2], format!("agent/ask [AskUserQuestion] どちら?⏎- 甲: 速い⏎- 乙 < {ask}"));
    let with = |answer: &Value| read(&[asked[0].clone(), asked[1].clone(), answer.clone()], true);
    assert_eq!(with(&answer)[3], "user/request User has answered your questions: …");
    answer["toolUseResult"] = json!({"questions": [], "answers": {"どちら?": ["甲", "乙"], "いつ?": "今日"}});
    assert_eq!(with(&answer)[3], "user/request どちら? → 甲, 乙⏎いつ? → 今日");
    assert!(with(&answer)[0].ends_with("| mid_turn"));
    // Something else said instead.
    assert_eq!(with(&user("u2", 5, json!("どちらでもない")))[3], "user/request どちらでもない");

    let refused = "The user doesn't want to proceed with this tool use. The tool use was rejected (…). To tell you how to proceed, the user said:\nテストを先に";
    becomes_task(
        &[
            user("u1", 0, json!("plan")),
            call("a1", 1, "m1", "c1", "ExitPlanMode", json!({"plan": "# 計画"})),
            result("u2", 2, "c1", json!(refused)),
            call("a2", 3, "m2", "c2", "Bash", json!({})),
            result("u3", 4, "c2", json!(refused)),
            call("a3", 5, "m3", "c3", "ExitPlanMode", json!({})),
        ],
        &[
            "# s | plan | - | /home/user/shop | asked",
            "user/request plan",
            &format!(
                "agent/ask [ExitPlanMode] # 計画 < {} > {}",
                json!({"plan": "# 計画"}),
                refused.replace('\n', "⏎")
            ),
            "user/request テストを先に",
            &format!("agent/tool [Bash] < {{}} > {}", refused.replace('\n', "⏎")),
            "user/interjection テストを先に",
            "agent/ask [ExitPlanMode] ExitPlanMode < {}",
        ],
    );
}

#[test]
fn interruptions_and_errors() {
    let interrupted = user("u2", 3, text("[Request interrupted by user]"));
    becomes_task(
        &[user("u1", 0, json!("go")), agent("a1", 1, "m1", Value::Null, text("Let me look")), interrupted.clone()],
        &[
            "# s | go | - | /home/user/shop | interrupted",
            "user/request go",
            "agent/summary Let me look",
            "user/comment [Request interrupted by user]",
        ],
    );
    becomes(
        &[user("u1", 0, json!("go")), interrupted, user("u3", 4, json!("もう一度"))],
        &["user/request go", "user/comment [Request interrupted by user]", "user/request もう一度"],
    );
    let mut error = agent("a1", 1, "m1", json!("stop_sequence"), text("API Error: 529 overloaded"));
    error["isApiErrorMessage"] = json!(true);
    error["message"]["model"] = json!("<synthetic>");
    let mut unwanted = error.clone();
    unwanted["uuid"] = json!("a2");
    unwanted["isApiErrorMessage"] = json!(false);
    unwanted["message"]["content"] = text("No response requested.");
    becomes_task(
        &[
            user("u1", 0, json!("go")),
            line("system", "y1", 1, json!({"subtype": "api_error", "error": {"status": 529}})),
            error,
            unwanted,
        ],
        &[
            "# s | go | - | /home/user/shop | error",
            "user/request go",
            "agent/comment API Error: 529 overloaded",
            "agent/comment No response requested.",
        ],
    );
}

#[test]
fn slash_commands_shell_commands_and_what_the_harness_says() {
    let command = "<command-message>review</command-message>\n<command-name>/review</command-name>\n<command-args>42 急いで</command-args>";
    let mut meta = user("u2", 1, text("You are reviewing a pull request …"));
    meta["isMeta"] = json!(true);
    becomes_task(
        &[user("u1", 0, json!(command)), meta, agent("a1", 2, "m1", Value::Null, text("見ました"))],
        &[
            "# s | /review 42 急いで | - | /home/user/shop | turn_ended",
            "user/request /review 42 急いで",
            "agent/comment You are reviewing a pull request …",
            "agent/result 見ました",
        ],
    );
    let local = json!("<command-name>/model</command-name>\n            <command-args></command-args>");
    becomes(
        &[
            user("u1", 0, json!("<local-command-caveat>Caveat: …</local-command-caveat>")),
            user("u2", 0, local.clone()),
            user("u3", 0, json!("<local-command-stdout>Set \u{1b}[1mmodel\u{1b}[22m</local-command-stdout>")),
            line("system", "y1", 1, json!({"subtype": "local_command", "content": local, "isMeta": false})),
            line(
                "system",
                "y2",
                1,
                json!({"subtype": "local_command", "content": "<local-command-stdout></local-command-stdout>"}),
            ),
            line("system", "y3", 1, json!({"subtype": "informational", "content": "更新があります"})),
            line("system", "y4", 1, json!({"subtype": "compact_boundary", "content": "Conversation compacted"})),
            line("system", "y5", 1, json!({"subtype": "stop_hook_summary", "content": null})),
            line("system", "y6", 1, json!({"subtype": "something", "isMeta": true, "content": "internal"})),
            user("u4", 2, json!("<bash-input>ls</bash-input>")),
            user("u5", 2, json!("<bash-stdout>a</bash-stdout><bash-stderr></bash-stderr>")),
            user("u6", 3, json!("<system-reminder>x</system-reminder>")),
            user("u7", 3, json!("<task-notification><summary>背景の仕事が終わった</summary></task-notification>")),
            line("user", "u8", 3, json!({"origin": {"kind": "peer"}, "message": {"content": "hi"}})),
            agent("a1", 4, "m1", Value::Null, text("わかりました")),
        ],
        &[
            "user/comment /model",
            "agent/comment Set model",
            "user/comment /model",
            "agent/comment 更新があります",
            "user/comment ! ls",
            "agent/comment a",
            "agent/comment 背景の仕事が終わった",
            "agent/comment hi",
            "agent/result わかりました",
        ],
    );
}

#[test]
fn compaction_is_a_handoff() {
    let summary = "This session is being continued from a previous conversation that ran out of context.";
    let mut compact = user("u2", 2, json!("Summary: 1. ログイン"));
    compact["isCompactSummary"] = json!(true);
    becomes_task(
        &[compact, user("u3", 3, json!(summary)), user("u4", 4, json!("続けて"))],
        &[
            "# s | 続けて | - | /home/user/shop | mid_turn",
            "agent/handoff Summary: 1. ログイン",
            &format!("agent/handoff {summary}"),
            "user/request 続けて",
        ],
    );
    // A plan that a new session begins with, because the person cleared the one in which it was made.
    let mut plan = user("u1", 0, json!("Implement the following plan:\n\n# 画面の改修\n1. 直す"));
    plan["planContent"] = json!("# 画面の改修\n1. 直す");
    becomes_task(
        &[plan, agent("a1", 1, "m1", Value::Null, text("始めます"))],
        &[
            "# s | 画面の改修 | - | /home/user/shop | turn_ended",
            "agent/handoff Implement the following plan:⏎⏎# 画面の改修⏎1. 直す",
            "agent/result 始めます",
        ],
    );
}

#[test]
fn attachments_are_named_and_measured_and_not_copied() {
    let image =
        |data: &str| json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}});
    let pdf = json!({"type": "document", "title": "設計.pdf", "source": {"type": "base64", "media_type": "application/pdf", "data": "AAAAAA=="}});
    becomes(
        &[
            user("u1", 0, json!([{"type": "text", "text": "これを見て"}, image("AAAA"), image("AAA="), pdf])),
            call("a1", 1, "m1", "c1", "Screenshot", json!({})),
            result("u2", 2, "c1", json!([image("AAAA"), {"type": "text", "text": "ok"}])),
            line(
                "attachment",
                "t1",
                3,
                json!({"attachment": {"type": "file", "filename": "/home/user/shop/src/main.rs", "content": {}}}),
            ),
            line("attachment", "t2", 3, json!({"attachment": {"type": "skill_listing", "content": "x"}})),
            user("u3", 4, json!([image("AAAA")])),
        ],
        &[
            "user/request これを見て + image-1.png image/png 3 + image-2.png image/png 2 + 設計.pdf application/pdf 4",
            "agent/tool [Screenshot] < {} > [image/png, 3 bytes]⏎ok",
            "user/comment + main.rs ? ?",
            "user/interjection + image-1.png image/png 3",
        ],
    );
}

#[test]
fn tool_data_is_kept_up_to_its_limit() {
    let long = "あ".repeat(100_000);
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("s.jsonl");
    let mut other = result("u2", 3, "c2", json!(""));
    other["toolUseResult"] = json!({"stdout": "only here"});
    let lines = [
        call("a1", 1, "m1", "c1", "Write", json!({"content": long})),
        result("u1", 2, "c1", json!(long)),
        call("a2", 2, "m1", "c2", "Bash", json!({})),
        other,
    ];
    std::fs::write(&path, lines.map(|line| format!("{line}\n")).concat()).unwrap();
    let record = record::read(&path);
    let comments = &record.tasks["s"].1;
    for data in [&comments[0].input, &comments[0].output] {
        let data = data.as_ref().unwrap();
        assert!(data.text.len() > 262_000 && data.text.len() <= 256 * 1024 && data.whole_bytes >= 300_000);
    }
    assert_eq!(comments[1].output.as_ref().unwrap().text, r#"{"stdout":"only here"}"#);
}

#[test]
fn titles_in_their_order() {
    let request = user("u1", 5, json!("最初の依頼"));
    let summary = |leaf: &str, text: &str| json!({"type": "summary", "summary": text, "leafUuid": leaf});
    let ai = json!({"type": "ai-title", "aiTitle": "機械の題", "sessionId": "s"});
    let custom = json!({"type": "custom-title", "customTitle": "人の題", "sessionId": "s"});
    let title = |lines: &[&Value]| {
        let lines: Vec<Value> = lines.iter().map(|line| (*line).clone()).collect();
        read(&lines, true)[0].split(" | ").nth(1).unwrap().to_owned()
    };
    assert_eq!(title(&[&request]), "最初の依頼");
    assert_eq!(title(&[&summary("elsewhere", "よその要約"), &request]), "最初の依頼");
    assert_eq!(title(&[&summary("u1", "要約"), &request]), "要約");
    assert_eq!(title(&[&request, &summary("u1", "要約")]), "要約");
    assert_eq!(title(&[&request, &ai, &summary("u1", "要約")]), "機械の題");
    assert_eq!(title(&[&custom, &request, &ai]), "人の題");
    assert_eq!(
        title(&[&custom, &request, &json!({"type": "custom-title", "customTitle": "", "sessionId": "s"})]),
        "最初の依頼"
    );
    assert_eq!(title(&[&user("u1", 0, json!("長".repeat(200)))]), "長".repeat(80));
}

#[test]
fn subagents_in_progress_lines_and_sidechains() {
    let progress = |id: &str, second: u64, inner: Value| {
        let data = json!({"type": "agent_progress", "agentId": "ag", "prompt": "p", "message": inner});
        line("progress", id, second, json!({"parentToolUseID": "c1", "data": data}))
    };
    let mut done = result("u9", 9, "c1", json!("見つけた"));
    done["toolUseResult"] = json!({"status": "completed", "agentId": "ag"});
    becomes_task(
        &[
            user("u1", 0, json!("探して")),
            call("a1", 1, "m1", "c1", "Task", json!({"description": "画像を探す", "prompt": "画像は?"})),
            progress("p1", 2, user("i1", 2, text("画像は?"))),
            progress("p2", 3, call("i2", 3, "n1", "d1", "Glob", json!({}))),
            line("progress", "p3", 3, json!({"data": {"type": "hook_progress"}})),
            progress("p4", 4, result("i3", 4, "d1", json!("a.png"))),
            done,
        ],
        &[
            "# s | 探して | - | /home/user/shop | mid_turn",
            "user/request 探して",
            r#"agent/tool [Task] < {"description":"画像を探す","prompt":"画像は?"} > 見つけた"#,
            "# s/ag | 画像を探す | s | /home/user/shop | turn_ended",
            "agent/request 画像は?",
            "agent/tool [Glob] < {} > a.png",
        ],
    );
    // Two at once: with an id, and as chains by parent alone.
    let side = |line: Value, agent: Value, parent: Value| {
        let mut line = line;
        (line["isSidechain"], line["agentId"], line["parentUuid"]) = (json!(true), agent, parent);
        line
    };
    becomes_task(
        &[
            user("u1", 0, json!("go")),
            side(user("x1", 1, json!("甲の仕事")), Value::Null, Value::Null),
            side(user("y1", 1, json!("乙の仕事")), Value::Null, Value::Null),
            side(agent("x2", 2, "m1", Value::Null, text("甲")), Value::Null, json!("x1")),
            side(agent("y2", 2, "m2", Value::Null, text("乙")), Value::Null, json!("y1")),
            side(user("z1", 3, json!("丙の仕事")), json!("ag"), Value::Null),
            side(agent("z2", 3, "m3", Value::Null, text("丙")), json!("ag"), json!("z1")),
            agent("a1", 4, "m4", Value::Null, text("全部終わり")),
        ],
        &[
            "# s | go | - | /home/user/shop | turn_ended",
            "user/request go",
            "agent/result 全部終わり",
            "# s/ag | 丙の仕事 | s | /home/user/shop | turn_ended",
            "agent/request 丙の仕事",
            "agent/result 丙",
            "# s/x1 | 甲の仕事 | s | /home/user/shop | turn_ended",
            "agent/request 甲の仕事",
            "agent/result 甲",
            "# s/y1 | 乙の仕事 | s | /home/user/shop | turn_ended",
            "agent/request 乙の仕事",
            "agent/result 乙",
        ],
    );
}

#[test]
fn lines_that_say_nothing() {
    let silent = [
        json!({"type": "file-history-snapshot", "messageId": "x", "snapshot": {"timestamp": "2026-06-20T10:00:00Z"}}),
        json!({"type": "last-prompt", "lastPrompt": "x", "sessionId": "s"}),
        json!({"type": "agent-name", "agentName": "x", "sessionId": "s"}),
        json!({"type": "mode", "mode": "normal", "sessionId": "s"}),
        line("progress", "p1", 1, json!({"data": {"type": "hook_progress"}})),
        json!({"type": "custom-title", "customTitle": "題だけ", "sessionId": "s"}),
    ];
    assert_eq!(read(&silent, true), Vec::<String>::new(), "without a comment it is no task");
}
