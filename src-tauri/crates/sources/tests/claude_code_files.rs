//! Whole files: the fixtures' records, finding, resuming at any point, and files that no program would write.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod record;

use kiroku_model::{Cancel, ErrorCode};
use kiroku_sources::{Cursor, Environment, Found, SessionReader, Source, claude_code::ClaudeCode};
use proptest::prelude::*;
use record::{Record, read, read_some, session};
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/claude-code")
}

fn find(path: &Path) -> Found {
    ClaudeCode.find(path, &Cancel::new()).unwrap()
}

/// Names below `root`.
fn names(root: &Path, found: &Found) -> Vec<String> {
    let name = |path: &Path| path.strip_prefix(root).unwrap().display().to_string();
    found.files.iter().map(|file| name(&file.path)).collect()
}

#[test]
fn a_projects_directory_and_its_record() {
    let root = fixtures().join("projects");
    let found = find(&root);
    assert!(found.skipped.is_empty(), "{:?}", found.skipped);
    assert_eq!(
        names(&root, &found),
        [
            "-home-user-blog/b10c0000-0000-4000-8000-000000000002.jsonl",
            "-home-user-shop/5e55a000-0000-4000-8000-000000000001.jsonl",
            "-home-user-shop/5e55a000-0000-4000-8000-000000000001/subagents/agent-a1b2c3.jsonl",
        ]
    );
    let folders: Vec<_> = found.files.iter().map(|file| file.folder.as_deref().unwrap().to_str().unwrap()).collect();
    assert_eq!(folders, ["/home/user/blog", "/home/user/店.shop", "/home/user/店.shop"]);
    let mut record = Record::default();
    for file in &found.files {
        let cursor = read_some(&file.path, None, usize::MAX, &mut record);
        assert_eq!(cursor.offset, file.bytes);
    }
    let expected = std::fs::read_to_string(fixtures().join("projects.record.txt")).unwrap();
    assert_eq!(record.lines().join("\n") + "\n", expected);
    let skipped: Vec<_> = record.skipped.iter().map(|skipped| (skipped.line, skipped.why.en.as_str())).collect();
    assert_eq!(skipped, [(Some(10), "not valid JSON (at byte 95)")]);
    assert_eq!((record.unknown, record.mended), (1, 1));
}

#[test]
fn a_time_that_is_no_time_is_that_of_the_line_before() {
    let record = read(&find(&fixtures().join("projects/-home-user-blog")).files[0].path);
    let (task, comments) = &record.tasks["b10c0000-0000-4000-8000-000000000002"];
    assert_eq!(comments.last().unwrap().created.to_string(), "2025-06-14T09:30:00Z");
    assert_eq!(
        (task.created.to_string(), task.updated.to_string()),
        ("2025-06-14T09:00:00Z".into(), "2025-06-14T09:30:00Z".into())
    );
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("s.jsonl");
    let user = |id: &str, time: Value| json!({"type": "user", "uuid": id, "sessionId": "s", "timestamp": time, "message": {"content": id}});
    let absurd = [json!(null), json!(5), json!("0001-01-01T00:00:00Z"), json!("+99999-01-01T00:00:00Z")];
    let mut lines: Vec<Value> =
        absurd.iter().enumerate().map(|(i, time)| user(&format!("u{i}"), time.clone())).collect();
    lines.insert(2, user("good", json!("2026-06-20T10:00:00Z")));
    write(&path, &lines);
    let record = read(&path);
    assert!(record.tasks["s"].1.iter().all(|comment| comment.created.to_string() == "2026-06-20T10:00:00Z"));
    assert_eq!(record.mended, 4);
}

#[test]
fn finding_files_that_are_none() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path();
    let fixture = find(&fixtures().join("projects/-home-user-blog")).files.remove(0).path;
    std::fs::create_dir(root.join("d")).unwrap();
    std::fs::copy(&fixture, root.join("d/a.jsonl")).unwrap();
    std::fs::write(root.join("prose.jsonl"), "no session\nat all\n").unwrap();
    std::fs::write(root.join("other.jsonl"), "{\"a\":1}\n[1]\n").unwrap();
    std::fs::write(root.join("empty.jsonl"), "").unwrap();
    std::fs::write(root.join("begun.jsonl"), "{\"type\":\"us").unwrap();
    std::fs::write(root.join("notes.txt"), "not looked at").unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::symlink;
        symlink(root, root.join("d/loop")).unwrap();
        symlink(root.join("d/a.jsonl"), root.join("link.jsonl")).unwrap();
        symlink("nowhere", root.join("broken.jsonl")).unwrap();
        rustix::fs::mknodat(rustix::fs::CWD, root.join("fifo.jsonl"), rustix::fs::FileType::Fifo, 0o600.into(), 0)
            .unwrap();
    }
    let found = find(root);
    assert_eq!(names(root, &found), ["link.jsonl", "d/a.jsonl", "begun.jsonl", "empty.jsonl"]);
    let skipped: Vec<_> =
        found.skipped.iter().map(|skipped| skipped.path.strip_prefix(root).unwrap().to_str().unwrap()).collect();
    assert_eq!(skipped, ["broken.jsonl", "d/loop", "fifo.jsonl", "other.jsonl", "prose.jsonl"]);
    // One file by its name, whatever that is; a directory that is reached by a link.
    std::fs::copy(&fixture, root.join("session.log")).unwrap();
    assert_eq!(find(&root.join("session.log")).files.len(), 1);
    #[cfg(unix)]
    assert_eq!(find(&root.join("d/loop")).files.len(), 4);
    assert_eq!(ClaudeCode.find(&root.join("gone"), &Cancel::new()).unwrap_err().code(), ErrorCode::NotFound);
    let cancel = Cancel::new();
    cancel.cancel();
    assert_eq!(ClaudeCode.find(root, &cancel).unwrap_err().code(), ErrorCode::Cancelled);
}

#[test]
fn homes_come_from_outside() {
    let env = |home: Option<&str>, config: Option<&str>| Environment {
        home: home.map(Into::into),
        claude_config_dir: config.map(Into::into),
        codex_home: None,
    };
    let dirs = |root: &str| ["projects", "todos"].map(|dir| Path::new(root).join(dir)).to_vec();
    assert_eq!(ClaudeCode.homes(&env(Some("/h"), None)), dirs("/h/.claude"));
    assert_eq!(ClaudeCode.homes(&env(Some("/h"), Some("/c"))), dirs("/c"));
    assert_eq!(ClaudeCode.homes(&env(Some("/h"), Some(""))), dirs("/h/.claude"));
    assert!(ClaudeCode.homes(&env(None, None)).is_empty());
}

fn write(path: &Path, lines: &[Value]) {
    std::fs::write(path, lines.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
}

fn prompt(id: &str, second: usize) -> Value {
    let time = format!("2026-06-20T{:02}:{:02}:{:02}Z", 10 + second / 3600, second / 60 % 60, second % 60);
    json!({"type": "user", "uuid": id, "sessionId": "s", "timestamp": time, "message": {"content": format!("say {id}")}})
}

#[test]
fn a_repeated_line_counts_once_however_long_ago_it_was() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("s.jsonl");
    let mut lines: Vec<Value> = (0..500).map(|i| prompt(&format!("u{i}"), i)).collect();
    let mut repeated = prompt("u3", 3);
    repeated["message"]["content"] = json!("not again");
    let mut timeless = prompt("u4", 4);
    timeless["timestamp"] = json!(null);
    lines.extend([repeated, timeless, prompt("u499", 499), prompt("late", 7), prompt("u500", 500)]);
    write(&path, &lines);
    let whole = read(&path);
    assert_eq!(whole.tasks["s"].1.len(), 502);
    assert!(whole.lines().iter().all(|line| !line.contains("not again")));
    let mut record = Record::default();
    let mut cursor = Cursor::default();
    for _ in 0..lines.len() {
        cursor = read_some(&path, Some(&cursor), 1, &mut record);
    }
    assert_eq!(record, whole);
    assert!(cursor.state.to_string().len() < 4000, "the state stays small");
}

#[test]
fn a_rewritten_file_and_a_foreign_state_begin_anew() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("s.jsonl");
    write(&path, &[prompt("u1", 1), prompt("u2", 2)]);
    let cursor = read_some(&path, None, usize::MAX, &mut Record::default());
    let reader = |cursor: &Cursor| ClaudeCode.open(&session(&path), Some(cursor)).unwrap();
    assert!(!reader(&cursor).restarted());
    let mut foreign = cursor.clone();
    foreign.state = json!({"version": 99});
    let first_again = |mut reader: Box<dyn SessionReader>| {
        let mut events = Vec::new();
        assert!(reader.restarted() && reader.position() == 0 && reader.next(&mut events).unwrap());
        format!("{events:?}").contains("say u1")
    };
    assert!(first_again(reader(&foreign)));
    write(&path, &[prompt("u1", 1), prompt("u3", 2)]);
    assert!(first_again(reader(&cursor)));
}

#[test]
fn bytes_that_are_no_text_and_halves_of_characters_are_mended() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("s.jsonl");
    let line = |id: &str, text: &[u8]| {
        [
            format!(r#"{{"type":"user","uuid":"{id}","sessionId":"s","message":{{"content":""#).as_bytes(),
            text,
            b"\"}}\n",
        ]
        .concat()
    };
    let lines = [
        line("u1", b"a\xffb"),
        line("u2", br"a\ud83d b"),
        line("u3", br"\ud83d\ude00 \\ud83d \uDE00"),
        line("u4", br"a\ud8"),
        line("u5", br"nul \u0000 end"),
        b"\r\n   \n\0\n".to_vec(),
    ];
    std::fs::write(&path, lines.concat()).unwrap();
    let record = read(&path);
    let bodies: Vec<_> = record.tasks["s"].1.iter().map(|comment| comment.body.as_str()).collect();
    assert_eq!(bodies, ["a\u{fffd}b", "a\u{fffd} b", "😀 \\ud83d \u{fffd}", "nul \0 end"]);
    let bad: Vec<_> = record.skipped.iter().map(|skipped| skipped.line.unwrap()).collect();
    assert_eq!(bad, [4, 8]);
}

#[test]
fn deep_wide_and_long_lines() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("s.jsonl");
    let mut file = std::io::BufWriter::new(std::fs::File::create(&path).unwrap());
    let deep = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
    let call = |input: &str| {
        format!(
            r#"{{"type":"assistant","uuid":"{}","sessionId":"s","message":{{"content":[{{"type":"tool_use","id":"t","name":"X","input":{input}}}]}}}}"#,
            input.len()
        )
    };
    writeln!(file, "{}", call(&deep)).unwrap();
    writeln!(file, "{deep}").unwrap();
    writeln!(
        file,
        r#"{{"type":"user","uuid":"w","sessionId":"s","message":{{"content":[{}{{}}]}}}}"#,
        "{},".repeat(100_000)
    )
    .unwrap();
    writeln!(file, r#"{{"type":"user","type":"user","uuid":"twice"}}"#).unwrap();
    // An id that is absurdly long is none.
    let mut long = prompt("x", 1);
    long["sessionId"] = json!("x".repeat(1_000_000));
    writeln!(file, "{long}").unwrap();
    let most = (64 << 20) + 1;
    file.write_all(&vec![b'x'; most]).unwrap();
    writeln!(file).unwrap();
    writeln!(file, "{}", prompt("end", 2)).unwrap();
    file.flush().unwrap();
    let mut record = Record::default();
    let cursor = read_some(&path, None, usize::MAX, &mut record);
    assert_eq!(record.lines().last().unwrap(), "user/interjection say end");
    assert_eq!(record.lines().len(), 4);
    let skipped: Vec<_> =
        record.skipped.iter().map(|skipped| (skipped.line.unwrap(), skipped.why.en.as_str())).collect();
    assert_eq!(
        skipped,
        [(2, "not a JSON object"), (4, "not valid JSON (at byte 21)"), (6, "a line of 64 MB is too long to read")]
    );
    assert!(cursor.state.to_string().len() < 4000);
}

/// Lines of a session that is as tangled as can be: few ids, so that they repeat; times missing or going back.
fn tangled() -> impl Strategy<Value = Vec<String>> {
    let id = || 0u8..24;
    let word = prop::sample::select(vec![
        "やって",
        "go on",
        "[Request interrupted by user]",
        "<command-name>/x</command-name>",
        "/x",
        "<local-command-stdout>o</local-command-stdout>",
        "Stop hook feedback:\nno",
        "<task-notification>t</task-notification>",
        "The user doesn't want to proceed with this tool use. the user said:\nno",
        "",
    ]);
    let stop = prop::sample::select(vec![json!(null), json!("end_turn"), json!("tool_use")]);
    let body = prop_oneof![
        (word.clone(), any::<bool>()).prop_map(|(word, meta)| json!({"type": "user", "isMeta": meta, "message": {"content": word}})),
        (word.clone(), 0u8..4).prop_map(|(word, call)| json!({"type": "user",
            "message": {"content": [{"type": "tool_result", "tool_use_id": format!("c{call}"), "content": word}]},
            "toolUseResult": {"status": "completed", "agentId": "ag"}})),
        (word.clone(), stop.clone(), 0u8..4).prop_map(|(word, stop, message)| json!({"type": "assistant",
            "message": {"id": format!("m{message}"), "stop_reason": stop, "content": [{"type": "text", "text": word}]}})),
        (0u8..4, 0u8..4, prop::sample::select(vec!["Bash", "Task", "AskUserQuestion"])).prop_map(|(message, call, name)| json!({"type": "assistant",
            "message": {"id": format!("m{message}"), "content": [
                {"type": "thinking", "thinking": "hm"},
                {"type": "tool_use", "id": format!("c{call}"), "name": name, "input": {"description": "仕事"}}]}})),
        (word.clone(), prop::sample::select(vec!["enqueue", "dequeue", "popAll"]))
            .prop_map(|(word, operation)| json!({"type": "queue-operation", "operation": operation, "content": word})),
        word.clone().prop_map(|word| json!({"type": "attachment", "attachment": {"type": "queued_command", "prompt": word}})),
        (word, id()).prop_map(|(word, id)| json!({"type": "progress", "parentToolUseID": "c1", "data": {"type": "agent_progress",
            "agentId": "ag", "message": {"type": "user", "uuid": format!("u{id}"), "message": {"content": word}}}})),
        Just(json!({"type": "system", "subtype": "turn_duration"})),
        id().prop_map(|id| json!({"type": "summary", "summary": format!("要約{id}"), "leafUuid": format!("u{id}")})),
        Just(json!({"type": "custom-title", "customTitle": "題", "sessionId": "s0"})),
        Just(json!({"type": "who knows"})),
        Just(json!("no line")),
    ];
    let time = prop_oneof![4 => (0u32..2000).prop_map(|second| json!(format!("2026-06-20T10:{:02}:{:02}Z", second / 60 % 60, second % 60))), 1 => Just(json!(null))];
    let line = (body, id(), time, 0u8..2, prop::option::weighted(0.2, id()), any::<bool>()).prop_map(
        |(mut body, id, time, session, parent, api)| {
            if body.is_object() {
                body["uuid"] = json!(format!("u{id}"));
                body["timestamp"] = time;
                body["sessionId"] = json!(format!("s{session}"));
                body["isSidechain"] = json!(parent.is_some());
                body["parentUuid"] = json!(parent.map(|parent| format!("u{parent}")));
                body["isApiErrorMessage"] = json!(api && id == 7);
            }
            body.to_string()
        },
    );
    prop::collection::vec(line, 0..80)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// Reading in any pieces, while the file grows in any pieces, gives the record of reading it in one go.
    #[test]
    fn resuming_anywhere_gives_the_same_record(
        lines in tangled(),
        pieces in prop::collection::vec((1usize..20, 0usize..400), 1..40),
    ) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("s.jsonl");
        let whole: String = lines.iter().map(|line| format!("{line}\n")).collect();
        std::fs::write(&path, &whole).unwrap();
        let expected = read(&path);
        std::fs::write(&path, "").unwrap();
        // What was said before the first time that stands in the file is told that time, so that it is there from the start.
        let (mut record, mut cursor, mut written) = (Record::default(), None::<Cursor>, 0);
        let mut file = std::fs::OpenOptions::new().append(true).open(&path).unwrap();
        let timed = whole.find("2026-").and_then(|at| whole[at..].find('\n').map(|end| at + end + 1));
        let first_line = timed.unwrap_or(0);
        for (most, bytes) in pieces.into_iter().chain([(usize::MAX, usize::MAX)]) {
            let end = written.max(first_line).saturating_add(bytes).min(whole.len());
            file.write_all(&whole.as_bytes()[written..end]).unwrap();
            written = end;
            cursor = Some(read_some(&path, cursor.as_ref(), most, &mut record));
        }
        // Without any it is the file's own, which differs here.
        match timed {
            Some(_) => prop_assert_eq!(record, expected),
            None => prop_assert_eq!(record.lines(), expected.lines()),
        }
    }

    /// Whatever stands in a field, reading goes on: nothing panics, and the last line is always understood.
    #[test]
    fn any_value_in_any_field(
        which in any::<prop::sample::Index>(),
        target in any::<prop::sample::Index>(),
        value in prop::sample::select(vec![
            json!(null), json!(true), json!(-1), json!(1e300), json!(""), json!("文字"), json!([]), json!([[[]]]), json!({}),
            json!({"type": "text", "text": 5}), json!([{"type": "tool_result"}, {"type": "image", "source": 3}, 7, "x", {"type": 1}]),
            json!("\u{0}\u{1b}[<system-reminder>"), json!("あ".repeat(5000)),
        ]),
    ) {
        let found = find(&fixtures().join("projects"));
        let text: String = found.files.iter().map(|file| std::fs::read_to_string(&file.path).unwrap()).collect();
        let mut lines: Vec<Value> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        let line = which.index(lines.len());
        let mut pointers = Vec::new();
        pointers_of(&lines[line], String::new(), &mut pointers);
        *lines[line].pointer_mut(&pointers[target.index(pointers.len())]).unwrap() = value;
        lines.push(prompt("the end", 0));
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("s.jsonl");
        write(&path, &lines);
        let record = read(&path);
        prop_assert!(record.tasks["s"].1.iter().any(|comment| comment.body == "say the end"));
    }

    /// Bytes of any kind are read or reported.
    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("s.jsonl");
        std::fs::write(&path, &bytes).unwrap();
        let lines = bytes.split(|byte| *byte == b'\n').rev().skip(1).filter(|line| !String::from_utf8_lossy(line).trim().is_empty());
        prop_assert_eq!(read(&path).skipped.len(), lines.count());
    }
}

/// Every place in `value` as a JSON pointer.
fn pointers_of(value: &Value, at: String, into: &mut Vec<String>) {
    match value {
        Value::Object(map) => map.iter().for_each(|(name, value)| pointers_of(value, format!("{at}/{name}"), into)),
        Value::Array(all) => {
            all.iter().enumerate().for_each(|(i, value)| pointers_of(value, format!("{at}/{i}"), into))
        }
        _ => {}
    }
    into.push(at);
}
