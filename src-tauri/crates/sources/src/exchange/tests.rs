//! Holds the exchange format to its page: what is wrong is said, and costs one line.

use super::*;
use kiroku_model::{CommentId, ErrorCode, Lang, TaskId, TaskState, ToolData};

type Lines = Vec<(u64, Result<Row, String>)>;

pub(super) fn read(file: impl AsRef<[u8]>) -> (Lines, Counts) {
    let mut reader = Reader::new(file.as_ref());
    let lines = reader.by_ref().map(|line| line.unwrap());
    let lines = lines.map(|line| (line.number, line.row.map_err(|why| why.get(Lang::En).to_owned()))).collect();
    (lines, reader.counts())
}

fn row(line: &str) -> Row {
    let (mut lines, counts) = read(line);
    assert_eq!((lines.len(), counts.unknown_fields), (1, 0), "{line}");
    lines.remove(0).1.unwrap()
}

fn why(line: &str) -> String {
    let (lines, counts) = read(line);
    assert_eq!(counts, Counts { bad_lines: 1, ..Counts::default() }, "{line}");
    lines[0].1.clone().unwrap_err()
}

pub(super) fn written(rows: &[Row]) -> Vec<u8> {
    let mut file = Vec::new();
    rows.iter().for_each(|row| write_row(&mut file, row).unwrap());
    file
}

#[test]
fn the_rows_of_the_page() {
    let task = r#"{"type":"task","id":12,"title":"ログイン画面の改修","piece":"default","state":"completed","owner":"m1","parent":null,"created":"2026-06-20T09:50:00Z","updated":"2026-06-20T11:30:00Z"}"#;
    let Row::Task(task) = row(task) else { panic!() };
    assert_eq!((task.id, task.parent, task.state), (TaskId(12), None, Some(TaskState::Completed)));
    let comment = r#"{"type":"comment","id":88,"task":12,"author":"user","member":"m1","kind":"request","body":"既存の認証フローは変更しないでください。","created":"2026-06-20T10:00:00Z","attachments":[{"name":"screen.png","bytes":1200,"media_type":"image/png"}]}"#;
    let Row::Comment(comment) = row(comment) else { panic!() };
    assert_eq!(comment.attachments[0].name, "screen.png");
    let Row::Pin(pin) =
        row(r#"{"type":"pin","task":12,"list":"user_constraints","text":"認証フローは変更しない","ref":"comment:88"}"#)
    else {
        panic!()
    };
    assert_eq!(pin.reference, Some(CommentId(88)));
    assert!(String::from_utf8(written(&[Row::Pin(pin)])).unwrap().contains(r#""ref":"comment:88""#));
}

#[test]
fn only_what_a_row_is_nothing_without_must_be_there() {
    let comment =
        [("task", "12"), ("author", "\"user\""), ("kind", "\"request\""), ("created", "\"2026-06-20T10:00:00Z\"")];
    let required: &[(&str, &[(&str, &str)])] = &[
        ("kiroku", &[]),
        ("space", &[("name", "\"x\"")]),
        ("member", &[("id", "\"m\"")]),
        ("task", &[("id", "1")]),
        ("comment", &comment),
        ("pin", &[("task", "1"), ("list", "\"decisions\""), ("text", "\"x\"")]),
        ("list", &[("thread", "\"t\"")]),
        ("history", &[("task", "1")]),
        ("note", &[("task", "1"), ("item", "\"i\""), ("text", "\"x\"")]),
        ("review", &[("thread", "\"t\""), ("item", "\"i\"")]),
        ("tombstone", &[("source", "\"codex\""), ("key", "\"k\"")]),
    ];
    for (kind, fields) in required {
        let line = |without: Option<&str>, null: bool| {
            let fields = fields.iter().filter(|(name, _)| null || Some(*name) != without);
            fields.fold(format!(r#"{{"type":"{kind}""#), |line, (name, value)| {
                let value = if Some(*name) == without { "null" } else { value };
                format!(r#"{line},"{name}":{value}"#)
            }) + "}"
        };
        row(&line(None, false));
        for (name, _) in *fields {
            for null in [false, true] {
                let told = why(&line(Some(name), null));
                assert!(told.contains(&format!("`{name}`")) && told.contains("missing"), "{kind}.{name}: {told}");
            }
        }
    }
    assert_eq!(why(r#"{"id":1}"#), "the field `type` is missing");
}

#[test]
fn a_wrong_value_names_its_field_in_both_languages() {
    let wrong: &[(&str, &str, &[&str])] = &[
        (
            "task",
            r#""id":1"#,
            &[
                "title", "piece", "uid", "owner", "folder", "source", "key", "state", "ending", "parent", "created",
                "updated",
            ],
        ),
        (
            "comment",
            r#""task":1,"author":"user","kind":"x","created":"2026-06-20T10:00:00Z""#,
            &["id", "body", "progress", "tool", "member", "movement", "input_bytes", "attachments", "withdrawn", "seq"],
        ),
        ("pin", r#""task":1,"list":"decisions","text":"x""#, &["ref", "uid", "created"]),
        ("list", r#""task":1"#, &["items", "version", "resource"]),
        ("history", r#""task":1"#, &["before", "after", "at", "by", "door"]),
        ("member", r#""id":"m""#, &["name", "role"]),
    ];
    for (kind, rest, fields) in wrong {
        for field in *fields {
            let line = format!(r#"{{"type":"{kind}",{rest},"{field}":{{"no":[1,2]}}}}"#);
            let told = Reader::new(line.as_bytes()).next().unwrap().unwrap().row.unwrap_err();
            for text in [&told.en, &told.ja] {
                assert!(text.contains(field) && text.contains(r#"{"no":[1,2]}"#), "{kind}.{field}: {text}");
            }
        }
    }
    assert_eq!(
        why(r#"{"type":"comment","task":0,"author":"user","kind":"x","created":"2026-06-20T10:00:00Z"}"#),
        "the field `task` must be a number such as 12, from 1 to 2^53, not 0"
    );
    let time = why(r#"{"type":"comment","task":1,"author":"user","kind":"x","created":"2026-06-20"}"#);
    assert!(time.contains("`created`") && time.contains("2026-06-20T10:00:00Z"), "{time}");
    let long = why(&format!(r#"{{"type":"task","id":"{}"}}"#, "長".repeat(500)));
    assert!(long.chars().count() < 200, "{long}");
}

#[test]
fn numbers_in_every_form() {
    for id in ["12", r#""12""#, r#""task:12""#] {
        let Row::Task(task) = row(&format!(r#"{{"type":"task","id":{id},"parent":{id}}}"#)) else { panic!() };
        assert_eq!((task.id, task.parent), (TaskId(12), Some(TaskId(12))));
    }
    for id in ["88", r#""88""#, r#""comment:88""#] {
        let Row::Pin(pin) = row(&format!(r#"{{"type":"pin","task":1,"list":"decisions","text":"x","ref":{id}}}"#))
        else {
            panic!()
        };
        assert_eq!(pin.reference, Some(CommentId(88)));
    }
    for bad in ["1.0", "-1", "1e3", r#""comment:12""#, r#""""#, "9007199254740993", "true"] {
        assert!(why(&format!(r#"{{"type":"task","id":{bad}}}"#)).contains("`id`"), "{bad}");
    }
}

#[test]
fn tool_data_may_be_any_json() {
    for (given, kept) in [
        (r#""plain""#, "plain"),
        (r#"{"b": 1.50, "a": [ "x y", null ] }"#, r#"{"b":1.50,"a":["x y",null]}"#),
        ("12345678901234567890123", "12345678901234567890123"),
        ("false", "false"),
    ] {
        let line = format!(
            r#"{{"type":"comment","task":1,"author":"agent","kind":"progress","created":"2026-06-20T10:00:00Z","input":{given}}}"#
        );
        let Row::Comment(comment) = row(&line) else { panic!() };
        assert_eq!(comment.input.as_deref(), Some(kept));
    }
}

#[test]
fn a_cut_input_keeps_the_size_of_the_whole() {
    let line = r#"{"type":"comment","task":1,"author":"agent","kind":"progress","progress":"tool","created":"2026-06-20T10:00:00Z","input":"abc","input_bytes":900000,"output":"long"}"#;
    let Row::Comment(mut comment) = row(line) else { panic!() };
    comment.output = Some("あ".repeat(ToolData::LIMIT));
    let new = comment.into_new("k".into());
    assert_eq!(new.input, Some(ToolData { text: "abc".into(), whole_bytes: 900_000 }));
    let output = new.output.unwrap();
    assert!(output.text.len() <= ToolData::LIMIT && output.whole_bytes == 3 * ToolData::LIMIT as u64);
}

#[test]
fn a_list_has_an_end() {
    let line = |count: usize| {
        let items = vec![r#"{"id":"i","content":"c","status":"pending","activeForm":"a"}"#; count].join(",");
        format!(r#"{{"type":"list","task":1,"items":[{items}]}}"#)
    };
    let Row::List(list) = row(&line(10_000)) else { panic!() };
    assert_eq!(list.items.len(), 10_000);
    assert!(why(&line(10_001)).contains("at most 10000 items"));
}

#[test]
fn a_thread_is_a_task_or_another_id() {
    let Row::List(list) = row(r#"{"type":"list","thread":"task:12"}"#) else { panic!() };
    assert_eq!((list.task, list.thread), (Some(TaskId(12)), None));
    for name in ["task:", "task:x", "task:0"] {
        let Row::Review(review) = row(&format!(r#"{{"type":"review","item":"i","thread":"{name}"}}"#)) else {
            panic!()
        };
        assert_eq!((review.task, review.thread.as_deref()), (None, Some(name)));
    }
    assert!(why(r#"{"type":"note","item":"i","text":"x","task":1,"thread":"t"}"#).contains("exclude"));
    assert!(why(r#"{"type":"history"}"#).contains("missing"));
}

#[test]
fn what_a_later_version_adds_is_kept_out_and_counted() {
    let file = "{\"type\":\"mood\",\"x\":[{}]}\n{\"type\":\"space\",\"name\":\"n\",\"colour\":{\"deep\":[1]},\"colour\":2}\n{\"type\":\"mood\"}\n";
    let (lines, counts) = read(file);
    assert_eq!(lines, [(2, Ok(Row::Space(Space { name: "n".into() })))]);
    assert_eq!(counts, Counts { rows: 1, unknown_rows: 2, unknown_fields: 2, bad_lines: 0 });
}

#[test]
fn another_major_version_ends_the_reading() {
    for version in ["2", "0", "\"2.1\"", "2.9"] {
        let file = format!(
            "{{\"type\":\"space\",\"name\":\"n\"}}\n{{\"type\":\"kiroku\",\"version\":{version}}}\n{{\"type\":\"space\",\"name\":\"m\"}}\n"
        );
        let mut reader = Reader::new(file.as_bytes());
        assert!(reader.next().unwrap().is_ok());
        let error = reader.next().unwrap().unwrap_err();
        assert_eq!((error.code(), error.details()["line"].as_u64()), (ErrorCode::NewerSchema, Some(2)), "{version}");
        assert!(reader.next().is_none());
    }
    for version in ["1", "1.7", "\"1.7\"", "null"] {
        row(&format!(r#"{{"type":"kiroku","version":{version}}}"#));
    }
    assert!(why(r#"{"type":"kiroku","version":"new"}"#).contains("`version`"));
}

#[test]
fn bom_crlf_empty_lines_and_no_last_line_end() {
    let file = "\u{FEFF}{\"type\":\"space\",\"name\":\"a\"}\r\n\r\n  \t\n{\"type\":\"space\",\"name\":\"b\"}";
    let (lines, counts) = read(file);
    assert_eq!(lines.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [1, 4]);
    assert_eq!((counts.rows, counts.bad_lines), (2, 0));
    assert!(read("").0.is_empty() && read("\u{FEFF}").0.is_empty());
}

#[test]
fn bad_lines_are_told_with_their_number_and_cost_nothing_else() {
    let good = "{\"type\":\"space\",\"name\":\"n\"}";
    let bad: &[(&[u8], &str)] = &[
        (b"{\"type\":\"space\",\"name\":\"\xFF\"}", "not UTF-8 at byte 25"),
        (b"[1]", "not a JSON object"),
        (b"\"text\"", "not a JSON object"),
        (b"{\"type\":\"space\",", "not valid JSON"),
        (b"{\"type\":\"space\",\"name\":\"n\"} {}", "not valid JSON"),
        (b"{\"type\":3,\"name\":\"n\"}", "the field `type` must be a string, not 3"),
        (b"{\"type\":\"space\",\"name\":\"n\",\"name\":\"m\"}", "twice"),
        (b"\0\0\0", "not valid JSON"),
    ];
    let mut file = Vec::new();
    for (line, _) in bad {
        file.extend([good.as_bytes(), b"\n", line, b"\n"].concat());
    }
    let (lines, counts) = read(&file);
    assert_eq!((counts.rows, counts.bad_lines), (bad.len() as u64, bad.len() as u64));
    for (index, (_, told)) in bad.iter().enumerate() {
        let (number, row) = &lines[2 * index + 1];
        assert_eq!(*number, 2 * index as u64 + 2);
        assert!(row.as_ref().unwrap_err().contains(told), "{row:?} should say {told}");
    }
}

#[test]
fn deep_nesting_is_passed_over() {
    let deep = format!("{{\"type\":\"space\",\"name\":\"n\",\"x\":{}1{}}}", "[".repeat(100_000), "]".repeat(100_000));
    let (lines, _) = read(&deep);
    assert_eq!(lines.len(), 1);
}

#[test]
fn a_line_may_be_as_long_as_the_limit_and_no_longer() {
    let line = |length: usize| {
        let empty = r#"{"type":"space","name":""}"#.len();
        format!(r#"{{"type":"space","name":"{}"}}"#, "x".repeat(length - empty))
    };
    for end in ["\n", "\r\n"] {
        let file = [line(100), line(101), line(102), line(103), line(5000), line(100)].join(end) + end;
        let mut reader = Reader::with_limit(file.as_bytes(), 100);
        let good: Vec<bool> = reader.by_ref().map(|line| line.unwrap().row.is_ok()).collect();
        assert_eq!(good, [true, false, false, false, false, true], "{end:?}");
        assert_eq!(reader.position(), file.len() as u64);
    }
    let told = Reader::with_limit(&[b'x'; 300][..], 100).next().unwrap().unwrap();
    assert!(told.row.unwrap_err().en.contains("100 bytes"));
}

#[test]
fn a_file_that_stops_being_readable_is_an_error_once() {
    struct Broken;
    impl std::io::Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("gone"))
        }
    }
    let mut reader = Reader::new(std::io::BufReader::new(std::io::Read::chain(
        &b"{\"type\":\"space\",\"name\":\"n\"}\n"[..],
        Broken,
    )));
    assert!(reader.next().unwrap().unwrap().row.is_ok());
    assert_eq!(reader.next().unwrap().unwrap_err().code(), ErrorCode::Io);
    assert!(reader.next().is_none());
}

#[test]
fn identities_follow_the_page() {
    let Row::Task(mut task) = row(r#"{"type":"task","id":12}"#) else { panic!() };
    let by_number = task.identity("space-a");
    assert_ne!(by_number, task.identity("space-b"));
    (task.source, task.key) = (Some("codex".into()), Some("k".into()));
    assert_eq!(task.identity("space-a"), kiroku_model::derived_uid("codex", "k"));
    task.uid = Some("u".into());
    assert_eq!(task.identity("space-a"), "u");

    let Row::Comment(mut comment) = row(
        r#"{"type":"comment","task":1,"author":"user","kind":"request","body":"x","created":"2026-06-20T10:00:00Z"}"#,
    ) else {
        panic!()
    };
    let said = comment.identity("t");
    comment.seq = Some(9);
    assert_eq!(comment.identity("t"), said, "where it stands is not what it says");
    comment.body.push('y');
    assert_ne!(comment.identity("t"), said);
    comment.id = Some(CommentId(5));
    let numbered = comment.identity("t");
    comment.body.push('y');
    assert_eq!(comment.identity("t"), numbered);
    comment.key = Some("5".into());
    assert_ne!(comment.identity("t"), numbered);
}
