//! Secrets: none is in the index in any form, found by a search, or shown in an excerpt or a title, while drilling down
//! still shows what was really said. The examples are put together when the test runs, so that no scanner takes this file
//! for a leak.

use kiroku_tests::Home;
use rusqlite::Connection;
use serde_json::{Value, json};

/// A text with a secret in it, as `before ⟦secret⟧ after`, in pieces.
const EXAMPLES: &[&[&str]] = &[
    &["id ⟦AK", "IAIOSFODNN7EXAMPL2⟧, next"],
    &["?x=⟦AI", "zaSyA1234567890abcdefghijklmnopqrstuv⟧"],
    &["use ⟦gh", "p_0123456789abcdefghijABCDEFGHIJ012345⟧ please"],
    &["⟦github", "_pat_11ABCDEFG0abcdefghijkl_0123456789abcdefghijABCDEFGHIJ0123456789abcdefghijABCDEFG⟧"],
    &["⟦gl", "pat-AbCdEfGhIjKlMnOpQrSt⟧."],
    &["⟦xo", "xb-123456789012-1234567890123-AbCdEfGhIjKlMnOpQrStUvWx⟧"],
    &["https://hooks.slack", ".com/services/⟦T00000000/B00000000/XXXXXXXXXXXXabcdefghijkl⟧ へ"],
    &["⟦sk-", "proj-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789⟧"],
    &["⟦sk-", "ant-api03-BbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_AA⟧"],
    &["⟦sk", "_live_zbcdefghij0123456789ABCD⟧"],
    &["⟦ey", "JhbGciOiJIUzI1NiJ9.ey", "JzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U⟧."],
    &[
        "⟦-----BEGIN RSA PRIV",
        "ATE KEY-----\nMIIEpAIBAAKCAQEA75Mx+b/8\nabcDEF123==\n-----END RSA PRIV",
        "ATE KEY-----⟧",
    ],
    &["Authorization: Bearer ⟦bbcdef", "123456⟧"],
    &["\"authorization\": \"Basic ⟦dXNlcj", "pwYXNzdw==⟧\","],
    &["postgres://app:⟦hunt", "er23⟧@db.example.com:5432/app"],
    &["git clone https://user:⟦p%40", "ss@xyz⟧@example.com/r.git"],
    &["DB_PASSWORD=⟦change", "menow⟧"],
    &["{\"password\": \"⟦let", "meinnow⟧\"}"],
    &["db:\n  user: app\n  password: ⟦super", "secretive⟧"],
    &["PASSWORD=\"⟦correct-horse-", "battery⟧\""],
    &["mysql -u root --password ⟦hunt", "er24⟧ app"],
    &["パスワードは⟦hunt", "er25⟧です"],
    &["パスワードは「⟦hima", "waribatake⟧」です。"],
    &["パスワード：⟦P@ss", "w0rdy⟧"],
    &["ﾊﾟｽﾜｰﾄﾞ:⟦hunt", "er26⟧"],
    &["GITHUB_TOKEN=⟦abc", "def01234⟧"],
    &["\"access_token\":\"⟦AbCdEfGhIj", "KlMnOpQrSu⟧\""],
    &["トークン：⟦abcd", "1234efgi⟧"],
    &["client_secret=⟦abcdef", "123457⟧"],
    &["aws_secret_access_key = ⟦wJalrXUtnFEMI/K7MDENG/", "bPxRfiCYEXAMPLEKEZ⟧"],
    &["APIキー：⟦abcdef", "123458⟧"],
];

struct Example {
    text: String,
    secret: String,
}

fn examples() -> Vec<Example> {
    EXAMPLES
        .iter()
        .map(|pieces| {
            let marked = pieces.concat();
            let secret = marked.split_once('⟦').and_then(|(_, rest)| rest.split_once('⟧')).unwrap().0;
            Example { text: marked.replace(['⟦', '⟧'], ""), secret: secret.to_owned() }
        })
        .collect()
}

/// Each example as it stands, with a zero-width space in its secret, and in full-width letters.
fn rows(examples: &[Example]) -> Vec<Value> {
    let mut rows = vec![
        json!({"type": "task", "id": 1, "title": examples[2].text, "state": "completed"}),
        json!({"type": "task", "id": 2, "title": "plain", "state": "completed"}),
    ];
    let kinds = ["request", "interjection", "result", "ask", "handoff"];
    let mut put = |row: Value| rows.push(row);
    for (nth, Example { text, secret }) in examples.iter().enumerate() {
        let created = format!("2026-06-20T10:{nth:02}:00Z");
        let middle = secret.char_indices().nth(secret.chars().count() / 2).unwrap().0;
        let hidden = text.replace(secret.as_str(), &format!("{}\u{200b}{}", &secret[..middle], &secret[middle..]));
        let comment = |id: usize, kind: &str, body: &str| json!({"type": "comment", "id": id, "task": 1, "author": "agent", "kind": kind, "body": body, "created": created});
        put(comment(nth * 10 + 1, kinds[nth % 5], &format!("marker{nth:02} {text}")));
        put(comment(nth * 10 + 2, "result", &format!("marker{nth:02} {hidden}\nmore")));
        put(comment(nth * 10 + 3, "result", &format!("marker{nth:02} {}", full_width(text))));
        let mut thinking = comment(nth * 10 + 4, "progress", &format!("marker{nth:02} {text}"));
        thinking["progress"] = json!("thinking");
        put(thinking);
        let mut tool = comment(nth * 10 + 5, "progress", "");
        tool["progress"] = json!("tool");
        tool["tool"] = json!("Bash");
        tool["input"] = json!({"command": text});
        tool["output"] = json!(text);
        put(tool);
        if !text.contains('\n') {
            let mut attached = comment(nth * 10 + 6, "result", "a file");
            attached["attachments"] = json!([{"name": format!("marker{nth:02} {text}")}]);
            put(attached);
        }
    }
    rows
}

fn full_width(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '!'..='~' => char::from_u32(c as u32 + 0xfee0).unwrap(),
            c => c,
        })
        .collect()
}

fn contains(bytes: &[u8], part: &str) -> bool {
    bytes.windows(part.len()).any(|window| window == part.as_bytes())
}

#[test]
fn no_secret_stands_in_the_index() {
    let examples = examples();
    let home = Home::with(&rows(&examples));
    let copy = home.path("copy.db");
    Connection::open(home.space()).unwrap().execute("VACUUM INTO ?1", [copy.to_str().unwrap()]).unwrap();
    let bytes = std::fs::read(&copy).unwrap();
    for Example { secret, .. } in &examples {
        let first = secret.lines().next().unwrap();
        assert!(contains(&bytes, first), "the copy holds what was said: {first}");
    }
    // Take away what is kept raw, and nothing may be left.
    let conn = Connection::open(&copy).unwrap();
    conn.execute_batch(
        "PRAGMA secure_delete = ON; UPDATE comment SET body = ''; UPDATE tool_data SET input = NULL, output = NULL;
         UPDATE task SET title = ''; UPDATE attachment SET name = ''; UPDATE pin SET text = ''; DELETE FROM cursor; VACUUM;",
    )
    .unwrap();
    drop(conn);
    let bytes = std::fs::read(&copy).unwrap();
    for Example { text, secret } in &examples {
        // Of a key of several lines: its own lines, not the words around it, which are no secret.
        for part in secret.lines().filter(|line| !line.starts_with("-----")) {
            for form in [part.to_owned(), part.to_lowercase(), full_width(part)] {
                assert!(!contains(&bytes, &form), "`{form}` of `{text}` is in the index");
            }
        }
    }
    assert!(contains(&bytes, "[redacted:"), "the index is in the copy");
}

#[test]
fn no_secret_is_found_or_shown_and_drilling_down_shows_all() {
    let examples = examples();
    let home = Home::with(&rows(&examples));
    for (nth, Example { text, secret }) in examples.iter().enumerate() {
        let part = secret.lines().find(|line| !line.starts_with("-----")).unwrap();
        let query = json!({"query": part, "limit": 30});
        let found = home.tool("SearchWorkspaceTasks", &[], &query).json();
        let own = |hit: &&Value| {
            hit["ref"].as_str().unwrap().strip_prefix("comment:").unwrap().parse::<usize>().unwrap() / 10 == nth
        };
        let hits = found["hits"].as_array().unwrap();
        if found["note"].is_null() {
            assert_eq!(hits.iter().filter(own).count(), 0, "`{part}` of `{text}` is found: {found}");
        }
        assert!(!found.to_string().contains(part), "`{part}` is shown: {found}");
        let marked = home
            .tool("SearchWorkspaceTasks", &[], &json!({"query": format!("marker{nth:02}"), "context": 0, "limit": 30}))
            .json();
        let excerpts = marked["hits"].as_array().unwrap();
        assert!(excerpts.iter().filter(own).count() >= 4, "{marked}");
        for hit in excerpts {
            let excerpt = hit["excerpt"].as_str().unwrap().replace('\u{200b}', "");
            assert!(!excerpt.contains(part) && !excerpt.contains(&full_width(part)), "`{part}` in `{excerpt}`");
        }
        // Raw, whole, with the zero-width space that was written.
        let around = json!({"around_ref": format!("comment:{}", nth * 10 + 1), "context": 0});
        let raw = home.tool("SearchWorkspaceTasks", &[], &around).json();
        assert_eq!(raw["comments"][0]["body"], format!("marker{nth:02} {text}"));
    }
    // A title is said by agents' tools in its redacted form only.
    let secret = &examples[2].secret;
    let listed = home.tool("ListWorkspaceTasks", &[], &json!({})).ok();
    listed.keeps_quiet_of(&[secret]);
    let around = home.tool("SearchWorkspaceTasks", &["--text"], &json!({"around_ref": "comment:5", "context": 0})).ok();
    around.keeps_quiet_of(&[secret]);
}

#[test]
fn ordinary_text_stays() {
    let kept = [
        "commit 3f2a1b9c4d5e6f708192a3b4c5d6e7f8091a2b3c",
        "uuid 550e8400-e29b-41d4-a716-446655440000",
        "src-tauri/crates/search/src/query/needle.rs",
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ.png",
        "パスワードは変更しないでください",
        "the password field is empty",
        "max_tokens=4096",
    ];
    let mut rows = vec![json!({"type": "task", "id": 1, "title": "t"})];
    rows.extend(kept.iter().map(|body| {
        json!({"type": "comment", "task": 1, "author": "agent", "kind": "result", "body": body, "created": "2026-06-20T10:00:00Z"})
    }));
    let home = Home::with(&rows);
    for body in kept {
        let found = home.tool("SearchWorkspaceTasks", &[], &json!({"query": body, "match_mode": "all"})).json();
        assert_eq!((&found["total"], &found["hits"][0]["excerpt"]), (&json!(1), &json!(body)));
    }
}
