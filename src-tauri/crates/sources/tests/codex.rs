//! What Codex's lines become, in the newest and the first form, packed, resumed and broken.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod record;

use kiroku_model::Cancel;
use kiroku_sources::{Cursor, Environment, Source, codex::Codex};
use proptest::prelude::*;
use record::{Record, read_some_of};
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};

const ID: &str = "019b0000-0000-7000-8000-00000000c0de";

fn line(kind: &str, second: u64, payload: Value) -> Value {
    let time = format!("2026-06-20T{:02}:{:02}:{:02}.000Z", 10 + second / 3600, second / 60 % 60, second % 60);
    json!({"timestamp": time, "type": kind, "payload": payload})
}

fn item(second: u64, payload: Value) -> Value {
    line("response_item", second, payload)
}

fn event(second: u64, payload: Value) -> Value {
    line("event_msg", second, payload)
}

fn user(second: u64, text: &str) -> Value {
    item(second, json!({"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}))
}

fn agent(second: u64, text: &str, phase: Value) -> Value {
    item(
        second,
        json!({"type": "message", "role": "assistant", "phase": phase, "content": [{"type": "output_text", "text": text}]}),
    )
}

fn call(second: u64, id: &str, name: &str, arguments: Value) -> Value {
    item(second, json!({"type": "function_call", "name": name, "arguments": arguments.to_string(), "call_id": id}))
}

fn output(second: u64, id: &str, output: Value) -> Value {
    item(second, json!({"type": "function_call_output", "call_id": id, "output": output}))
}

fn meta(more: Value) -> Value {
    let mut payload = json!({"id": ID, "timestamp": "2026-06-20T10:00:00Z", "cwd": "/home/user/shop", "cli_version": "0.90.0", "source": "cli"});
    more.as_object().unwrap().iter().for_each(|(name, value)| payload[name] = value.clone());
    line("session_meta", 0, payload)
}

fn bytes(lines: &[Value]) -> Vec<u8> {
    lines.iter().map(|line| format!("{line}\n")).collect::<String>().into_bytes()
}

fn rollout(dir: &Path, ending: &str) -> PathBuf {
    dir.join(format!("rollout-2026-06-20T10-00-00-{ID}.{ending}"))
}

fn read_file(path: &Path) -> Record {
    let mut record = Record::default();
    read_some_of(&Codex, path, None, usize::MAX, &mut record);
    record
}

fn read(lines: &[Value]) -> Record {
    let dir = tempfile::tempdir().unwrap();
    let path = rollout(dir.path(), "jsonl");
    std::fs::write(&path, bytes(lines)).unwrap();
    read_file(&path)
}

/// A session in which everything happens.
fn session() -> Vec<Value> {
    let ask = json!({"questions": [{"id": "q", "header": "h", "question": "どちら?", "options": [{"label": "甲", "description": "速い"}]}]});
    let image = json!({"type": "input_image", "image_url": "data:image/png;base64,AAAA"});
    vec![
        meta(json!({})),
        line("session_meta", 0, json!({"id": "the-origin-of-a-fork", "cwd": "/elsewhere"})),
        item(
            0,
            json!({"type": "message", "role": "developer", "content": [{"type": "input_text", "text": "<permissions instructions>"}]}),
        ),
        user(0, "# AGENTS.md instructions for /home/user/shop\n\n<INSTRUCTIONS>\n日本語で\n</INSTRUCTIONS>"),
        user(0, "<environment_context>\n<cwd>/home/user/shop</cwd>\n</environment_context>"),
        event(1, json!({"type": "task_started", "turn_id": "t"})),
        line("turn_context", 1, json!({"cwd": "/home/user/shop", "model": "m"})),
        item(
            1,
            json!({"type": "message", "role": "user", "content": [
            {"type": "input_text", "text": "# Context from my IDE setup:\n\n## Open tabs:\n- a.rs\n\n## My request for Codex:\nログイン画面を直して\n"}, image]}),
        ),
        event(1, json!({"type": "user_message", "message": "ログイン画面を直して", "images": []})),
        event(2, json!({"type": "agent_reasoning", "text": "**画面を探す**"})),
        item(
            2,
            json!({"type": "reasoning", "summary": [{"type": "summary_text", "text": "**画面を探す**"}, {"type": "summary_text", "text": "次に直す"}], "encrypted_content": "x"}),
        ),
        event(3, json!({"type": "agent_message", "message": "見てみます"})),
        agent(3, "見てみます", json!(null)),
        call(4, "c1", "update_plan", json!({"plan": [{"step": "直す", "status": "pending"}]})),
        output(4, "c1", json!("Plan updated")),
        call(5, "c2", "shell", json!({"command": ["ls"]})),
        output(6, "c2", json!("{\"output\":\"a.rs\\n\",\"metadata\":{\"exit_code\":0}}")),
        user(7, "テストも"),
        item(
            8,
            json!({"type": "custom_tool_call", "status": "completed", "call_id": "c3", "name": "apply_patch", "input": "*** Begin Patch"}),
        ),
        item(
            8,
            json!({"type": "custom_tool_call_output", "call_id": "c3", "output": [{"type": "input_text", "text": "Done"}]}),
        ),
        item(
            9,
            json!({"type": "local_shell_call", "call_id": "c4", "status": "completed", "action": {"type": "exec", "command": ["pwd"]}}),
        ),
        item(
            9,
            json!({"type": "web_search_call", "status": "completed", "action": {"type": "search", "query": "svelte"}}),
        ),
        call(10, "c5", "request_user_input", ask),
        output(700, "c5", json!("{\"answers\":{\"q\":{\"answers\":[\"甲\"]}}}")),
        agent(701, "甲にします", json!("commentary")),
        agent(702, "直しました", json!("final_answer")),
        event(702, json!({"type": "task_complete", "last_agent_message": "直しました"})),
        event(702, json!({"type": "token_count", "info": null})),
        line("compacted", 703, json!({"message": "これまでの要約", "replacement_history": []})),
        user(
            800,
            "<user_shell_command>\n<command>\ngit status\n</command>\n<result>clean</result>\n</user_shell_command>",
        ),
        user(801, "もう一つ"),
        call(802, "c6", "shell", json!({})),
        user(803, "<turn_aborted>\nThe user interrupted the previous turn.\n</turn_aborted>"),
        event(803, json!({"type": "turn_aborted", "reason": "interrupted"})),
        line("from_a_later_version", 804, json!({"x": 1})),
        item(804, json!({"type": "from_a_later_version"})),
        item(804, json!({"type": "ghost_snapshot"})),
    ]
}

#[test]
fn everything_in_its_place() {
    let record = read(&session());
    assert!(record.skipped.is_empty());
    assert_eq!(record.unknown, 2);
    assert_eq!(
        record.lines(),
        [
            &format!("# {ID} | ログイン画面を直して | - | /home/user/shop | interrupted") as &str,
            "agent/comment # AGENTS.md instructions for /home/user/shop⏎⏎<INSTRUCTIONS>⏎日本語で⏎</INSTRUCTIONS>",
            "user/request ログイン画面を直して + image-1.png image/png 3",
            "agent/thinking **画面を探す**",
            "agent/thinking 次に直す",
            "agent/summary 見てみます",
            r#"agent/tool [update_plan] < {"plan":[{"step":"直す","status":"pending"}]} > Plan updated"#,
            r#"agent/tool [shell] < {"command":["ls"]} > a.rs⏎"#,
            "user/interjection テストも",
            "agent/tool [apply_patch] < *** Begin Patch > Done",
            r#"agent/tool [local_shell] < {"type":"exec","command":["pwd"]}"#,
            r#"agent/tool [web_search] < {"type":"search","query":"svelte"}"#,
            r#"agent/ask [request_user_input] どちら?⏎- 甲: 速い < {"questions":[{"id":"q","header":"h","question":"どちら?","options":[{"label":"甲","description":"速い"}]}]} > {"answers":{"q":{"answers":["甲"]}}}"#,
            "user/request 甲",
            "agent/summary 甲にします",
            "agent/result 直しました",
            "agent/handoff これまでの要約",
            "user/comment ! git status",
            "user/request もう一つ",
            "agent/tool [shell] < {}",
        ]
    );
}

#[test]
fn endings_without_a_phase() {
    let ending = |lines: &[Value]| {
        let lines = read(&[&[meta(json!({})), user(1, "go")], lines].concat()).lines();
        (lines[0].rsplit(" | ").next().unwrap().to_owned(), lines[2..].to_vec())
    };
    let of =
        |state: &str, lines: &[&str]| (state.to_owned(), lines.iter().map(|line| line.to_string()).collect::<Vec<_>>());
    let text = agent(2, "first", json!(null));
    assert_eq!(ending(&[]), of("mid_turn", &[]));
    assert_eq!(ending(std::slice::from_ref(&text)), of("turn_ended", &["agent/result first"]));
    assert_eq!(
        ending(&[text.clone(), agent(3, "then", json!(null))]),
        of("turn_ended", &["agent/summary first", "agent/result then"])
    );
    let done = event(3, json!({"type": "task_complete"}));
    assert_eq!(
        ending(&[text.clone(), done, agent(4, "then", json!(null))]),
        of("turn_ended", &["agent/result first", "agent/result then"])
    );
    let error = event(3, json!({"type": "error", "message": "usage limit"}));
    assert_eq!(ending(&[text, error]), of("error", &["agent/summary first", "agent/comment usage limit"]));
    assert_eq!(ending(&[call(2, "c", "request_user_input", json!({"question": "何?"}))]).0, "asked");
}

#[test]
fn the_first_versions_had_no_envelope() {
    let text = |role: &str, kind: &str, text: &str| json!({"type": "message", "role": role, "content": [{"type": kind, "text": text}]});
    let record = read(&[
        json!({"id": ID, "timestamp": "2025-05-07T17:24:21.000Z", "instructions": null, "git": {}}),
        json!({"record_type": "state"}),
        text("user", "input_text", "<environment_context>\n  <cwd>/home/user/old</cwd>\n</environment_context>"),
        text("user", "input_text", "feed を直して"),
        json!({"type": "function_call", "name": "shell", "arguments": "{}", "call_id": "c"}),
        json!({"type": "function_call_output", "call_id": "c", "output": "ok"}),
        text("assistant", "output_text", "直しました"),
    ]);
    assert_eq!(
        record.lines(),
        [
            &format!("# {ID} | feed を直して | - | /home/user/old | turn_ended") as &str,
            "user/request feed を直して",
            "agent/tool [shell] < {} > ok",
            "agent/result 直しました",
        ]
    );
    assert_eq!(record.tasks[ID].0.created.to_string(), "2025-05-07T17:24:21Z");
    assert_eq!((record.unknown, record.mended), (0, 5));
}

#[test]
fn a_subagent_is_a_subtask_and_its_requests_are_an_agents() {
    let source = json!({"subagent": {"thread_spawn": {"parent_thread_id": "p", "depth": 1}}});
    let lines = read(&[meta(json!({ "source": source })), user(1, "look")]).lines();
    assert_eq!(lines, [&format!("# {ID} | look | p | /home/user/shop | mid_turn") as &str, "agent/request look"]);
}

#[test]
fn a_fork_repeats_its_origins_keys_and_goes_on_with_its_own() {
    let keys = |lines: &[Value]| -> Vec<String> {
        let record = read(lines);
        record.tasks.values().flat_map(|(_, comments)| comments.iter().map(|comment| comment.key.clone())).collect()
    };
    let later = |mut line: Value| {
        line["timestamp"] = json!("2026-06-21T09:00:00.000Z");
        line
    };
    let turn = |text: &str| {
        vec![
            user(1, text),
            event(1, json!({"type": "token_count"})),
            call(2, "c", "shell", json!({})),
            agent(3, text, json!(null)),
        ]
    };
    let origin: Vec<Value> = [vec![meta(json!({}))], turn("go"), turn("go")].concat();
    let of_origin = keys(&origin);
    assert_eq!(
        of_origin.iter().collect::<std::collections::HashSet<_>>().len(),
        6,
        "equal lines have keys of their own"
    );
    // News of the program may be left out when a session is forked, and it gets the times of the fork.
    let repeated = origin.iter().filter(|line| line["type"] != "event_msg").cloned().map(later);
    let fork = |id: &str, more: Vec<Value>| -> Vec<Value> {
        [vec![meta(json!({ "id": id }))], repeated.clone().collect(), more].concat()
    };
    let of_fork = keys(&fork("f1", turn("別の案")));
    assert_eq!(of_fork[..6], of_origin);
    assert!(of_fork[6..].iter().all(|key| !of_origin.contains(key)));
    // A fork of the fork.
    let second: Vec<Value> = [
        vec![meta(json!({"id": "f2"}))],
        fork("f1", turn("別の案")).into_iter().map(later).collect(),
        turn("もう一つ"),
    ]
    .concat();
    assert_eq!(keys(&second)[..9], of_fork);
    // Another session that says the same is another one.
    let other: Vec<Value> = [vec![meta(json!({"id": "other"}))], turn("go")].concat();
    assert!(keys(&other).iter().all(|key| !of_origin.contains(key)));
}

#[test]
fn packed_files_are_the_same_session() {
    let dir = tempfile::tempdir().unwrap();
    let whole = bytes(&session());
    let packed = rollout(dir.path(), "jsonl.zst");
    std::fs::write(&packed, zstd::encode_all(&whole[..], 3).unwrap()).unwrap();
    let expected = read(&session());
    assert_eq!(read_file(&packed), expected);
    let (mut record, mut cursor) = (Record::default(), None);
    for _ in 0..session().len() {
        cursor = Some(read_some_of(&Codex, &packed, cursor.as_ref(), 1, &mut record));
    }
    assert_eq!(record, expected);
    let reader = Codex.open(&record::session(&packed), cursor.as_ref()).unwrap();
    assert!(!reader.restarted());
    // Cut off, and no archive at all: what can be read is read, then there is an error.
    let half = zstd::encode_all(&whole[..], 3).unwrap();
    for broken in [&half[..half.len() - 9], b"no archive, though it says so"] {
        std::fs::write(&packed, broken).unwrap();
        let reader = Codex.open(&record::session(&packed), None);
        let failed = reader.and_then(|mut reader| {
            let mut events = Vec::new();
            while reader.next(&mut events)? {}
            Ok(())
        });
        assert!(failed.is_err());
    }
}

#[test]
fn finding_and_homes() {
    let dir = tempfile::tempdir().unwrap();
    let day = dir.path().join("sessions/2026/06/20");
    std::fs::create_dir_all(&day).unwrap();
    std::fs::write(rollout(&day, "jsonl"), bytes(&session())).unwrap();
    std::fs::write(
        day.join("rollout-b.jsonl.zst"),
        zstd::encode_all(&bytes(&[meta(json!({"id": "b"}))])[..], 3).unwrap(),
    )
    .unwrap();
    std::fs::write(day.join("other.jsonl"), "{\"type\":\"user\",\"message\":{}}\n").unwrap();
    std::fs::write(day.join("bad.jsonl.zst"), "no archive").unwrap();
    let found = Codex.find(dir.path(), &Cancel::new()).unwrap();
    assert_eq!(found.files.len(), 2);
    assert!(found.files.iter().all(|file| file.folder.as_deref() == Some(Path::new("/home/user/shop"))));
    assert_eq!(found.skipped.len(), 2);
    let env = |home: Option<&str>, codex: Option<&str>| Environment {
        home: home.map(Into::into),
        claude_config_dir: None,
        codex_home: codex.map(Into::into),
    };
    let dirs = |root: &str| ["sessions", "archived_sessions"].map(|dir| Path::new(root).join(dir)).to_vec();
    assert_eq!(Codex.homes(&env(Some("/h"), None)), dirs("/h/.codex"));
    assert_eq!(Codex.homes(&env(Some("/h"), Some("/c"))), dirs("/c"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// Reading in any pieces, while the file grows in any pieces, gives the record of reading it in one go.
    #[test]
    fn resuming_anywhere_gives_the_same_record(
        order in prop::collection::vec((any::<prop::sample::Index>(), 0u64..2000), 0..60),
        pieces in prop::collection::vec((1usize..20, 0usize..600), 1..30),
    ) {
        let pool = session();
        let mut lines = vec![meta(json!({}))];
        lines.extend(order.into_iter().map(|(which, second)| {
            let mut one = pool[which.index(pool.len())].clone();
            one["timestamp"] = line("x", second, json!({}))["timestamp"].clone();
            one
        }));
        let whole = bytes(&lines);
        let expected = read(&lines);
        let dir = tempfile::tempdir().unwrap();
        let path = rollout(dir.path(), "jsonl");
        let mut file = std::fs::File::create(&path).unwrap();
        let first_line = bytes(&lines[..1]).len();
        let (mut record, mut cursor, mut written) = (Record::default(), None::<Cursor>, 0);
        for (most, more) in pieces.into_iter().chain([(usize::MAX, usize::MAX)]) {
            let end = written.max(first_line).saturating_add(more).min(whole.len());
            file.write_all(&whole[written..end]).unwrap();
            written = end;
            cursor = Some(read_some_of(&Codex, &path, cursor.as_ref(), most, &mut record));
        }
        prop_assert_eq!(record, expected);
    }

    /// Whatever stands in a field, reading goes on.
    #[test]
    fn any_value_in_any_field(
        which in any::<prop::sample::Index>(),
        target in any::<prop::sample::Index>(),
        value in prop::sample::select(vec![
            json!(null), json!(true), json!(-1), json!(""), json!("文字"), json!([]), json!([[[{}]]]), json!({}),
            json!([3, "x", {"type": 1}, {"text": []}, {"image_url": "data:;base64,"}]), json!({"output": {"output": 1}}),
        ]),
    ) {
        let mut lines = session();
        let line = which.index(lines.len());
        let mut pointers = vec![String::new()];
        let mut at = 0;
        while at < pointers.len() {
            let here = pointers[at].clone();
            match lines[line].pointer(&here).unwrap() {
                Value::Object(map) => pointers.extend(map.keys().map(|name| format!("{here}/{name}"))),
                Value::Array(all) => pointers.extend((0..all.len()).map(|i| format!("{here}/{i}"))),
                _ => {}
            }
            at += 1;
        }
        *lines[line].pointer_mut(&pointers[target.index(pointers.len())]).unwrap() = value;
        lines.push(user(5000, "say the end"));
        let said = read(&lines).lines().iter().any(|line| line.ends_with("say the end"));
        prop_assert!(said);
    }
}
