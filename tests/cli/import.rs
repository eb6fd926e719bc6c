//! Bringing in session files: what is found after it, what a second time adds, and what becomes of files that change or
//! are not what they should be.

use crate::sessions::{answered, file, fixture, typed};
use kiroku_tests::Home;
use serde_json::{Value, json};
use std::path::Path;

fn import(home: &Home, path: &Path) -> Value {
    home.run(&["import", "--json", path.to_str().unwrap()]).json()
}

/// Refs of what a search finds, best first.
fn found(home: &Home, query: &str) -> Vec<String> {
    let found = home.run(&["search", query, "--json", "--limit", "100"]).json();
    let hits = found["hits"].as_array().unwrap();
    hits.iter().map(|hit| hit["ref"].as_str().unwrap().to_owned()).collect()
}

fn counts(report: &Value) -> (u64, u64, u64, u64) {
    let count = |name: &str| report[name].as_u64().unwrap();
    (count("tasks"), count("comments"), count("changed"), count("withdrawn"))
}

#[test]
fn sessions_come_in_once_and_are_found() {
    let home = Home::new();
    let both = fixture("");
    assert_eq!(counts(&import(&home, &both)), (2, 12, 0, 0));
    let hits = found(&home, "秒単位の種");
    assert_eq!(hits.len(), 1);
    let around = home.run(&["around", &hits[0], "--json"]).json();
    assert_eq!(around["task"]["title"], "読み札のシャッフルを直す");
    let kinds: Vec<&str> =
        around["comments"].as_array().unwrap().iter().map(|one| one["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["progress", "progress", "result", "request", "result"]);
    assert_eq!(found(&home, "grep").len(), 1);
    assert_eq!(found(&home, "shuffle"), [""; 0], "a tool's arguments are not searched");
    assert_eq!(found(&home, "math.floor"), [""; 0], "nor its results");
    assert_eq!(found(&home, "image-1.png").len(), 1, "attachments are found by name");
    // What was kept can be read.
    let call = home.run(&["show", &found(&home, "grep")[0], "--json"]).json();
    assert_eq!(call["tool_call"]["input"], r#"{"pattern":"shuffle","path":"src"}"#);
    assert!(call["tool_call"]["output"].as_str().unwrap().contains("deck.ts"));
    let asked = home.run(&["search", "formats", "--kind", "ask", "--json"]).json();
    assert_eq!(asked["total"], 1);
    // Again: nothing new, by the same path or another.
    let again = import(&home, &both);
    assert_eq!((counts(&again), &again["unchanged"]), ((0, 0, 0, 0), &json!(2)));
    let copy = home.write("elsewhere/copy.jsonl", std::fs::read(fixture("karuta-ja.jsonl")).unwrap());
    assert_eq!(counts(&import(&home, &copy)), (0, 0, 0, 0));
    home.run(&["import", both.to_str().unwrap(), "--lang", "en"]).ok().says(&["2 files: 0 new tasks, 0 new comments"]);
}

#[test]
fn a_file_that_grew_adds_just_what_is_new() {
    let home = Home::new();
    let mut text = std::fs::read_to_string(fixture("karuta-ja.jsonl")).unwrap();
    let path = home.write("grow.jsonl", &text);
    assert_eq!(counts(&import(&home, &path)), (1, 7, 0, 0));
    let session = "6f0c2a4e-1111-4c1d-9a55-0d5f6a7b8c01";
    text += &format!("{}\n", typed(session, 20, "札の裏の色も変えてください"));
    home.write("grow.jsonl", &text);
    assert_eq!(counts(&import(&home, &path)), (0, 1, 0, 0));
    assert_eq!(found(&home, "裏の色").len(), 1);
    // A line whose end is not written yet is left for the next time.
    let next = format!("{}\n", answered(session, 21, "裏を藍色にしました"));
    let (half, rest) = next.split_at(next.floor_char_boundary(next.len() / 2));
    home.write("grow.jsonl", format!("{text}{half}"));
    let report = import(&home, &path);
    assert_eq!((counts(&report), &report["skipped"]), ((0, 0, 0, 0), &json!(0)));
    home.write("grow.jsonl", format!("{text}{half}{rest}"));
    assert_eq!(counts(&import(&home, &path)), (0, 1, 0, 0));
    assert_eq!(found(&home, "藍色").len(), 1);
}

#[test]
fn a_rewritten_file_is_matched_line_by_line() {
    let home = Home::new();
    let before = [
        typed("s", 1, "alpha one"),
        answered("s", 2, "bravo two"),
        typed("s", 3, "charlie three"),
        answered("s", 4, "delta four"),
    ];
    let path = home.write("s.jsonl", file(&before));
    assert_eq!(counts(&import(&home, &path)), (1, 4, 0, 0));
    let (alpha, charlie) = (found(&home, "alpha"), found(&home, "charlie"));
    // The third is pinned, so it is kept though its line goes; the fourth goes; the second changes.
    let pin = json!({"decisions": [{"text": "keep", "ref": charlie[0]}]});
    home.tool("MissionUpdate", &["--task", "1"], &pin).ok();
    home.write(
        "s.jsonl",
        file(&[answered("s", 2, "bravo changed"), typed("s", 1, "alpha one"), typed("s", 5, "echo five")]),
    );
    let report = import(&home, &path);
    assert_eq!(counts(&report).1, 1, "{report}");
    assert_eq!(counts(&report).3, 2, "{report}");
    assert_eq!(found(&home, "alpha"), alpha, "a known comment keeps its number");
    assert_eq!((found(&home, "two"), found(&home, "changed").len()), (vec![], 1));
    assert_eq!((found(&home, "charlie"), found(&home, "delta")), (vec![], vec![]), "what is gone is not found");
    let kept = home.run(&["around", &charlie[0], "--json", "--context", "0"]).json();
    assert_eq!(kept["comments"][0]["withdrawn"], true);
    let read = home.tool("ReadTaskConversation", &["--task", "1"], &json!({})).json();
    let bodies: Vec<&str> =
        read["comments"].as_array().unwrap().iter().map(|one| one["body"].as_str().unwrap()).collect();
    assert_eq!(bodies, ["bravo changed", "alpha one", "echo five", "charlie three"], "in the file's order now");
    // It comes back, and has its old number.
    home.write("s.jsonl", file(&before));
    import(&home, &path);
    assert_eq!(found(&home, "charlie"), charlie);
    home.run(&["doctor"]).ok();
}

#[test]
fn a_shortened_and_a_replaced_file() {
    let home = Home::new();
    let lines = [typed("s", 1, "alpha one"), answered("s", 2, "bravo two"), typed("s", 3, "charlie three")];
    let path = home.write("s.jsonl", file(&lines));
    import(&home, &path);
    home.write("s.jsonl", file(&lines[..1]));
    assert_eq!(counts(&import(&home, &path)), (0, 0, 0, 2));
    assert_eq!((found(&home, "alpha").len(), found(&home, "bravo").len()), (1, 0));
    // Cut inside a line: what is whole stays.
    let whole = file(&lines);
    home.write("s.jsonl", &whole);
    import(&home, &path);
    home.write("s.jsonl", &whole[..whole.len() - 20]);
    import(&home, &path);
    assert_eq!((found(&home, "bravo").len(), found(&home, "charlie").len()), (1, 0));
    // Another session under the same name is another task.
    home.write("s.jsonl", file(&[typed("t", 1, "foxtrot"), answered("t", 2, "golf")]));
    let report = import(&home, &path);
    assert_eq!((counts(&report).0, counts(&report).1), (1, 2), "{report}");
    assert_eq!(found(&home, "foxtrot").len(), 1);
    home.run(&["doctor"]).ok();
}

#[test]
fn lines_that_are_wrong_cost_only_themselves() {
    let home = Home::new();
    let good = [typed("s", 1, "first good"), answered("s", 2, "second good"), typed("s", 3, "third good")];
    let mut bytes = Vec::new();
    let mut put = |line: &[u8]| {
        bytes.extend_from_slice(line);
        bytes.push(b'\n');
    };
    put(good[0].to_string().as_bytes());
    put(b"{\"type\":\"user\",\"message\":{\"content\":\"bad \xff\xfe utf-8\"},\"uuid\":\"x1\",\"sessionId\":\"s\"}");
    for line in [
        "",
        "   ",
        "null",
        "[]",
        "12",
        "\"text\"",
        "{",
        "{\"type\":",
        "not json",
        "\0\0\0",
        "{}",
        "{\"type\":\"nobody-knows\"}",
    ] {
        put(line.as_bytes());
    }
    // A wrong type in every field, one at a time.
    for field in [
        "type",
        "uuid",
        "sessionId",
        "timestamp",
        "cwd",
        "message",
        "isSidechain",
        "isMeta",
        "agentId",
        "parentUuid",
        "toolUseResult",
    ] {
        for (nth, wrong) in
            [json!(null), json!(12.5), json!(true), json!([]), json!({}), json!("odd"), json!([[{"a": null}]])]
                .into_iter()
                .enumerate()
        {
            let mut line = typed("s", 10, "odd");
            line["uuid"] = json!(format!("{field}-{nth}"));
            line[field] = wrong;
            put(line.to_string().as_bytes());
        }
    }
    for content in [
        json!(null),
        json!(7),
        json!({}),
        json!([1, null, "x", {}]),
        json!([{"type": "text"}]),
        json!([{"type": "text", "text": {}}]),
        json!([{"type": "tool_use"}]),
        json!([{"type": "tool_use", "name": [], "input": 3, "id": {}}]),
        json!([{"type": "tool_result", "tool_use_id": 1, "content": {"a": 1}}]),
        json!([{"type": "image", "source": "x"}]),
        json!([{"type": "thinking", "thinking": 1}]),
    ] {
        let mut line = answered("s", 11, "");
        line["uuid"] = json!(format!("content-{content}"));
        line["message"]["content"] = content;
        put(line.to_string().as_bytes());
    }
    let deep = format!(
        "{{\"type\":\"user\",\"uuid\":\"deep\",\"sessionId\":\"s\",\"message\":{{\"content\":{}{}}}}}",
        "[".repeat(50_000),
        "]".repeat(50_000)
    );
    put(deep.as_bytes());
    put(good[1].to_string().as_bytes());
    put(good[2].to_string().as_bytes());
    let path = home.write("s.jsonl", bytes);
    let report = import(&home, &path);
    assert_eq!(found(&home, "good").len(), 3, "{report}");
    assert_eq!(report["files"], 1);
    let skips = report["skips"].as_array().unwrap();
    assert!(skips.len() >= 8, "{report}");
    assert_eq!(report["skipped"].as_u64().unwrap(), skips.len() as u64);
    assert!(skips.iter().all(|skip| skip["line"].as_u64().is_some() && !skip["why"].as_str().unwrap().is_empty()));
    let line = |needle: u64| skips.iter().any(|skip| skip["line"] == needle);
    // `null` is the fifth line, `not json` the eleventh.
    assert!(line(5) && line(11), "{report}");
    home.run(&["import", path.to_str().unwrap()]).ok();
    home.run(&["doctor"]).ok();
}

/// Makes the directory entries that no import may wait on or fail by.
fn odd_files(home: &Home) -> Vec<String> {
    let directory = home.path("odd");
    std::fs::create_dir_all(directory.join("empty-folder")).unwrap();
    home.write("odd/empty.jsonl", "");
    home.write("odd/blank.jsonl", "\n\n \n");
    home.write("odd/prose.jsonl", "this is prose\nand more of it\n");
    home.write("odd/binary.jsonl", (0..=255).cycle().take(70_000).collect::<Vec<u8>>());
    let fifo = directory.join("fifo.jsonl");
    assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    std::os::unix::fs::symlink("/dev/zero", directory.join("device.jsonl")).unwrap();
    std::os::unix::fs::symlink("nowhere", directory.join("dangling.jsonl")).unwrap();
    std::os::unix::fs::symlink(".", directory.join("loop")).unwrap();
    std::os::unix::net::UnixListener::bind(directory.join("socket.jsonl")).unwrap();
    ["fifo.jsonl", "device.jsonl", "dangling.jsonl", "prose.jsonl", "binary.jsonl", "socket.jsonl"]
        .map(str::to_owned)
        .to_vec()
}

#[test]
fn what_is_no_session_is_told_and_the_rest_comes_in() {
    let home = Home::new();
    let told = odd_files(&home);
    home.write("odd/good.jsonl", file(&[typed("s", 1, "good among odd")]));
    let report = import(&home, &home.path("odd"));
    assert_eq!(found(&home, "good among odd").len(), 1, "{report}");
    let skips = report["skips"].as_array().unwrap();
    for name in &told {
        assert!(
            skips.iter().any(|skip| skip["path"].as_str().unwrap().ends_with(name.as_str())
                && skip["why"].as_str().is_some_and(|why| why.len() > 5)),
            "{name} is not told of: {report}"
        );
    }
    let text = home.run(&["import", home.path("odd").to_str().unwrap(), "--lang", "ja"]).ok();
    text.says(&["fifo.jsonl", "device.jsonl"]);
    // A folder with nothing in it is no failure, and says that there was nothing.
    home.run(&["import", home.path("odd/empty-folder").to_str().unwrap(), "--lang", "en"]).ok().says(&["0 files"]);
}

#[test]
fn each_named_by_itself_is_told_and_the_rest_comes_in() {
    let home = Home::new();
    odd_files(&home);
    let good = home.write("odd/good.jsonl", file(&[typed("s", 1, "good among odd")]));
    let path = |name: &str| home.path("odd").join(name).to_str().unwrap().to_owned();
    let names = ["fifo.jsonl", "device.jsonl", "missing.jsonl", "socket.jsonl", "empty.jsonl", "prose.jsonl"].map(path);
    for name in &names {
        // Alone: what is not there is an error, what can't be read is told of.
        let ran = home.run(&["import", name, "--lang", "en"]);
        if name.contains("missing") {
            ran.ended(2).says(&["missing.jsonl"]);
        } else if name.contains("empty") {
            ran.ok().says(&["0 new comments"]);
        } else {
            ran.says(&[name.as_str()]);
        }
    }
    home.run(&["import", "--json", &path("missing.jsonl")]).error(2, "not_found");
    let mut args = vec!["import", "--lang", "en"];
    args.extend(names.iter().map(String::as_str));
    args.push(good.to_str().unwrap());
    let ran = home.run(&args);
    assert_ne!(ran.status, Some(0), "a path that was named and is not there is no success");
    ran.says(&["missing.jsonl", "fifo.jsonl", "1 new comments"]);
    assert_eq!(found(&home, "good among odd").len(), 1, "the rest is imported");
}

#[test]
fn a_file_that_may_not_be_read_is_told() {
    let home = Home::new();
    let closed = home.write("odd/closed.jsonl", file(&[typed("s", 1, "closed words")]));
    home.write("odd/good.jsonl", file(&[typed("t", 1, "open words")]));
    let before =
        |_: &Path| std::fs::set_permissions(&closed, std::os::unix::fs::PermissionsExt::from_mode(0o000)).unwrap();
    let ran = home.unprivileged(&["import", "--lang", "en", home.path("odd").to_str().unwrap()], before);
    ran.ok().says(&["closed.jsonl", "1 new comments"]);
}

#[test]
fn without_a_path_this_folders_sessions_come_in() {
    let home = Home::new();
    let at = |session: &str, folder: &Path, text: &str| {
        let mut line = typed(session, 1, text);
        line["cwd"] = json!(folder);
        file(&[line])
    };
    std::fs::create_dir_all(home.work().join("src")).unwrap();
    home.run(&["import", "--json"]).error(2, "not_found");
    home.write("claude/projects/-a/here.jsonl", at("here", &home.work(), "worked here"));
    home.write("claude/projects/-b/below.jsonl", at("below", &home.work().join("src"), "worked below"));
    home.write("claude/projects/-c/other.jsonl", at("other", &home.path("elsewhere"), "worked elsewhere"));
    home.write("claude/projects/-c/beside.jsonl", at("beside", &home.path("workshop"), "worked beside"));
    let report = home.run(&["import", "--json"]).json();
    assert_eq!(counts(&report), (2, 2, 0, 0));
    assert_eq!(found(&home, "worked").len(), 2);
    // From a folder below, the space's folder is meant.
    let mut below = home.command(&["import", "--json"]);
    below.current_dir(home.work().join("src"));
    assert_eq!(home.finish(below).json()["unchanged"], 2);
    assert!(!home.path("home").join(".claude").exists(), "nothing is written where sessions are looked for");
}

#[test]
fn what_was_forgotten_does_not_come_back() {
    let home = Home::new();
    let lines = [typed("s", 1, "alpha passage omega"), answered("s", 2, "bravo reply"), typed("s", 3, "charlie")];
    let path = home.write("s.jsonl", file(&lines));
    let other = home.write("t.jsonl", file(&[typed("t", 1, "tango task")]));
    import(&home, &path);
    import(&home, &other);
    let one = |query: &str| found(&home, query).pop().unwrap();
    let bravo = one("bravo");
    home.run(&["forget", &bravo]).ended(2).says(&["--yes"]);
    assert_eq!(one("bravo"), bravo, "nothing was removed");
    home.run(&["forget", &bravo, "--yes"]).ok();
    home.run(&["forget", &one("alpha"), "--passage", "passage", "--yes"]).ok();
    home.run(&["forget", &one("alpha"), "--passage", "never said", "--yes", "--json"]).error(2, "not_found");
    let gone = home.run(&["forget", "task:2", "--yes", "--json"]).json();
    assert_eq!((&gone["tasks"], &gone["comments"]), (&json!(1), &json!(1)));
    let check = || {
        assert_eq!(found(&home, "bravo"), [""; 0]);
        assert_eq!(found(&home, "tango"), [""; 0]);
        assert_eq!(found(&home, "passage"), [""; 0]);
        assert_eq!((found(&home, "omega").len(), found(&home, "charlie").len()), (1, 1));
    };
    check();
    let report = import(&home, &path);
    assert!(report["forgotten"].as_u64().unwrap() >= 1, "{report}");
    import(&home, &other);
    check();
    // Nor from a copy, nor when the file is written anew.
    import(&home, &home.write("copy/s.jsonl", file(&lines)));
    home.write("s.jsonl", file(&lines[..2]));
    import(&home, &path);
    home.write("s.jsonl", file(&lines));
    import(&home, &path);
    check();
    home.run(&["doctor"]).ok();
    let bytes = std::fs::read(home.space()).unwrap();
    for word in ["bravo reply", "alpha passage", "tango"] {
        assert!(!bytes.windows(word.len()).any(|part| part == word.as_bytes()), "`{word}` is still in the file");
    }
}
