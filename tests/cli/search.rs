//! The tools over conversations by `kiroku tool`: the reference's example as a golden test of the text, the typed results
//! as documented, and every rule for a parameter. (Which comments match is the oracle's business, in `../api`.)

use crate::example::{login_task, second_task};
use kiroku_tests::Home;
use serde_json::{Value, json};

fn home() -> Home {
    Home::with(&login_task())
}

fn refs(hits: &Value) -> Vec<&str> {
    hits.as_array().unwrap().iter().map(|hit| hit["ref"].as_str().unwrap()).collect()
}

const SEARCH: &str = "SearchWorkspaceTasks";

#[test]
fn the_references_example_in_japanese() {
    let home = home();
    let found = home.tool(SEARCH, &["--text", "--lang", "ja"], &json!({"query": "認証"})).ok();
    assert_eq!(
        found.out,
        r#"## Workspace Task Search Results (query: "認証", 2 hit(s))

- task:12 "ログイン画面の改修" / comment:95 agent/result 2026-06-20T11:30:00Z
  認証まわりは touch せず、UI だけ差し替えました。

- task:12 "ログイン画面の改修" / comment:88 user/request 2026-06-20T10:00:00Z
  既存の認証フローは変更しないでください。UI 差し替えのみでお願いします。

前後の文脈をさらに確認するには around_ref: "comment:<id>" を指定してください。
"#
    );
    let around = json!({"around_ref": "comment:88", "context": 1});
    let around = home.tool(SEARCH, &["--text", "--lang", "ja"], &around).ok();
    assert_eq!(
        around.out,
        r#"## Workspace Task Search — task:12 "ログイン画面の改修" (comment:88 前後 2 件)

- comment:86 user/comment 2026-06-20T09:55:00Z
  質問なんですが、既存の認証部分は今回のスコープに入りますか?
  [添付: screen.png]
- comment:88 user/request 2026-06-20T10:00:00Z ←
  既存の認証フローは変更しないでください。UI 差し替えのみでお願いします。
- comment:90 agent/progress 2026-06-20T10:02:00Z
  了解しました。認証ロジックには触れずに進めます。

（この前に 0 件、後に 1 件あります）
"#
    );
}

#[test]
fn the_same_in_english() {
    let home = home();
    let found = home.tool(SEARCH, &["--text", "--lang", "en"], &json!({"query": "touch"})).ok();
    assert_eq!(
        found.out,
        r#"## Workspace Task Search Results (query: "touch", 1 hit(s))

- task:12 "ログイン画面の改修" / comment:95 agent/result 2026-06-20T11:30:00Z
  認証まわりは touch せず、UI だけ差し替えました。

To read more of the context, give around_ref: "comment:<id>".
"#
    );
    let around = home.tool(SEARCH, &["--text", "--lang", "en"], &json!({"around_ref": "comment:86"})).ok();
    assert!(
        around.out.starts_with(
            "## Workspace Task Search — task:12 \"ログイン画面の改修\" (comment:86, 2 around it)\n\n- comment:86"
        ),
        "{}",
        around.out
    );
    let nothing = home.tool(SEARCH, &["--text", "--lang", "en"], &json!({"query": "xyzzy"})).ok();
    nothing.says(&["(query: \"xyzzy\", 0 hit(s))", "Nothing was found."]);
}

#[test]
fn typed_results_are_as_documented() {
    let home = home();
    let found = home.tool(SEARCH, &[], &json!({"query": "認証"})).json();
    assert_eq!(
        found,
        json!({
            "available": true, "total": 2, "order": "newest", "ranked_among": null, "note": null,
            "hits": [
                {"ref": "comment:95", "task": {"ref": "task:12", "title": "ログイン画面の改修"}, "author": "agent",
                 "kind": "result", "created": "2026-06-20T11:30:00Z",
                 "excerpt": "認証まわりは touch せず、UI だけ差し替えました。", "matches": [[0, 2]]},
                {"ref": "comment:88", "task": {"ref": "task:12", "title": "ログイン画面の改修"}, "author": "user",
                 "kind": "request", "created": "2026-06-20T10:00:00Z",
                 "excerpt": "既存の認証フローは変更しないでください。UI 差し替えのみでお願いします。", "matches": [[3, 5]]},
            ],
        })
    );
    let attached = home.tool(SEARCH, &[], &json!({"around_ref": "comment:86", "context": 0})).json();
    let attachments = json!([{"name": "screen.png", "bytes": 1200, "media_type": "image/png"}]);
    assert_eq!(attached["comments"][0]["attachments"], attachments);
    let around = home.tool(SEARCH, &[], &json!({"around_ref": "comment:95"})).json();
    assert_eq!(
        around,
        json!({
            "available": true, "task": {"ref": "task:12", "title": "ログイン画面の改修"},
            "comments": [
                {"ref": "comment:88", "author": "user", "member": "m1", "kind": "request", "created": "2026-06-20T10:00:00Z",
                 "body": "既存の認証フローは変更しないでください。UI 差し替えのみでお願いします。", "is_target": false,
                 "attachments": []},
                {"ref": "comment:90", "author": "agent", "kind": "progress", "created": "2026-06-20T10:02:00Z",
                 "body": "了解しました。認証ロジックには触れずに進めます。", "is_target": false, "attachments": []},
                {"ref": "comment:95", "author": "agent", "kind": "result", "created": "2026-06-20T11:30:00Z",
                 "body": "認証まわりは touch せず、UI だけ差し替えました。", "is_target": true, "attachments": []},
            ],
            "more_before": 1, "more_after": 0,
        }),
        "drilling down without `context` reads two on each side"
    );
}

#[test]
fn relevance_is_said_and_orders_long_terms() {
    let home = Home::with(&second_task());
    let found = home.tool(SEARCH, &[], &json!({"query": "session cookies"})).json();
    assert_eq!(found["order"], "relevance");
    // 201 holds both words, 203 one of them twice; newest first would be 203.
    assert_eq!(refs(&found["hits"])[0], "comment:201");
    let all = home.tool(SEARCH, &[], &json!({"query": "session cookies", "match_mode": "all"})).json();
    assert_eq!(refs(&all["hits"]), ["comment:201"]);
    let short = home.tool(SEARCH, &[], &json!({"query": "session 😀"})).json();
    assert_eq!(short["order"], "newest");
}

#[test]
fn matches_are_in_utf16_units_of_what_is_shown() {
    let home = Home::with(&second_task());
    let found = home.tool(SEARCH, &[], &json!({"query": "ログイン"})).json();
    let hit = &found["hits"][0];
    // The half-width letters stay as they were written, and each emoji before them is two units.
    assert_eq!(hit["excerpt"], "😀😀 （仮）①ﾛｸﾞｲﾝ 画面");
    assert_eq!(hit["matches"], json!([[9, 14]]));
    let folded = home.tool(SEARCH, &[], &json!({"query": "(仮)1"})).json();
    assert_eq!(folded["hits"][0]["matches"], json!([[5, 9]]));
}

#[test]
fn a_long_text_is_cut_around_its_matches() {
    let mut rows = second_task();
    let long = format!("{}要点はここです{}", "前".repeat(500), "後".repeat(500));
    rows.push(json!({"type": "comment", "id": 300, "task": 20, "author": "agent", "kind": "result", "body": long,
        "created": "2026-06-22T10:00:00Z"}));
    let home = Home::with(&rows);
    let found = home.tool(SEARCH, &[], &json!({"query": "要点はここ"})).json();
    let hit = &found["hits"][0];
    let excerpt: Vec<char> = hit["excerpt"].as_str().unwrap().chars().collect();
    assert_eq!((excerpt[0], excerpt[excerpt.len() - 1]), ('…', '…'));
    assert_eq!(excerpt.len(), 122, "120 graphemes and the two marks");
    let [start, end] = [0, 1].map(|at| hit["matches"][0][at].as_u64().unwrap() as usize);
    assert_eq!(excerpt[start..end].iter().collect::<String>(), "要点はここ");
    assert_eq!(hit["matches"].as_array().unwrap().len(), 1);
}

#[test]
fn the_compound_that_is_found_nowhere_is_split_once() {
    let home = Home::with(&second_task());
    let found = home.tool(SEARCH, &[], &json!({"query": "満月の周期の計算"})).json();
    assert_eq!(found["note"], json!({"kind": "split", "terms": ["満月", "周期", "計算"]}));
    assert_eq!(refs(&found["hits"]), ["comment:204"]);
    assert_eq!(found["total"], 1);
    let text = home.tool(SEARCH, &["--text", "--lang", "ja"], &json!({"query": "満月の周期の計算"})).ok();
    assert!(
        text.out.starts_with("そのままでは見つからなかったため、分割して再検索しました: 満月 周期 計算\n\n## "),
        "{}",
        text.out
    );
    let all = home.tool(SEARCH, &[], &json!({"query": "満月の周期の計算", "match_mode": "all"})).json();
    assert_eq!((&all["total"], &all["note"]), (&json!(0), &Value::Null), "never for `all`");
    let none = home.tool(SEARCH, &[], &json!({"query": "新月の位相"})).json();
    assert_eq!(
        (&none["total"], &none["note"]),
        (&json!(0), &Value::Null),
        "no note where the parts find nothing either"
    );
    let more = home.tool(SEARCH, &[], &json!({"query": "満月の周期 xyzzy"})).json();
    assert_eq!(more["total"], 0, "two terms are not split");
}

#[test]
fn neighbours_come_with_context_only() {
    let home = home();
    let plain = home.tool(SEARCH, &[], &json!({"query": "touch"})).json();
    assert_eq!(plain["hits"][0].get("before"), None);
    assert_eq!(plain["hits"][0].get("after"), None);
    let with = home.tool(SEARCH, &[], &json!({"query": "フロー", "context": 1})).json();
    let hit = &with["hits"][0];
    assert_eq!((refs(&hit["before"]), refs(&hit["after"])), (vec!["comment:86"], vec!["comment:90"]));
    assert_eq!(
        hit["before"][0]["body"], "質問なんですが、既存の認証部分は今回のスコープに入りますか?",
        "raw, of any kind"
    );
    let edge = home.tool(SEARCH, &[], &json!({"query": "touch", "context": 5})).json();
    let hit = &edge["hits"][0];
    assert_eq!((refs(&hit["before"]), refs(&hit["after"])), (vec!["comment:86", "comment:88", "comment:90"], vec![]));
    let text = home.tool(SEARCH, &["--text"], &json!({"query": "フロー", "context": 1})).ok();
    text.says(&["\n  - comment:86 user/comment 2026-06-20T09:55:00Z\n    質問なんですが"]);
}

#[test]
fn filters_narrow() {
    let mut rows = login_task();
    rows.extend(second_task());
    let home = Home::with(&rows);
    let found = |filter: Value| {
        let mut input = json!({"query": "ui"});
        input.as_object_mut().unwrap().extend(filter.as_object().unwrap().clone());
        let found = home.tool(SEARCH, &[], &input).json();
        refs(&found["hits"]).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(found(json!({})), ["comment:203", "comment:95", "comment:88"]);
    assert_eq!(found(json!({"kind": "request"})), ["comment:88"]);
    assert_eq!(found(json!({"kind": "comment"})), [""; 0], "`comment` is valid and finds nothing");
    assert_eq!(found(json!({"author": "agent"})), ["comment:203", "comment:95"]);
    assert_eq!(found(json!({"author": "user"})), ["comment:88"]);
    assert_eq!(found(json!({"author": "m1"})), ["comment:88"]);
    assert_eq!(found(json!({"limit": 1})), ["comment:203"]);
    for task in [json!(12), json!("12"), json!("task:12")] {
        assert_eq!(found(json!({"task_id": task})), ["comment:95", "comment:88"]);
    }
    assert_eq!(found(json!({"task_id": 999})), [""; 0], "a task that is not reachable gives no hit");
    assert_eq!(found(json!({"task_id": 12, "kind": "result", "author": "agent"})), ["comment:95"]);
    // null stands for an absent parameter.
    let nulls = json!({"kind": null, "author": null, "task_id": null, "limit": null, "context": null, "match_mode": null, "around_ref": null});
    assert_eq!(found(nulls).len(), 3);
}

#[test]
fn what_breaks_a_rule_is_an_error_that_says_so() {
    let home = home();
    let refused = |input: Value, words: &[&str]| {
        let error = home.tool(SEARCH, &["--lang", "en"], &input).error(2, "invalid_input");
        let said = error["message"].as_str().unwrap();
        for word in words {
            assert!(said.contains(word), "{input}: no `{word}` in {said}");
        }
        let japanese = home.tool(SEARCH, &["--lang", "ja"], &input).error(2, "invalid_input");
        assert_ne!(japanese["message"], error["message"], "{input}");
    };
    refused(json!({}), &["query", "around_ref"]);
    refused(json!({"query": null}), &["query", "around_ref"]);
    refused(json!({"query": "a", "around_ref": "comment:88"}), &["not both"]);
    refused(json!({"query": ""}), &["empty"]);
    refused(json!({"query": " \u{3000}\n"}), &["empty"]);
    refused(json!({"query": "認証 \u{200b}"}), &["U+200B"]);
    for limit in [0, 31, -1] {
        refused(json!({"query": "a", "limit": limit}), &["limit", "1", "30"]);
    }
    for context in [-1, 6] {
        refused(json!({"query": "a", "context": context}), &["context", "0", "5"]);
        refused(json!({"around_ref": "comment:88", "context": context}), &["context"]);
    }
    refused(json!({"query": "a", "limit": 1.5}), &["limit"]);
    refused(json!({"query": "a", "limit": "10"}), &["limit"]);
    refused(json!({"query": 12}), &["query"]);
    refused(json!({"query": "a", "match_mode": "some"}), &["some", "any", "all"]);
    refused(json!({"query": "a", "kinds": "request"}), &["kinds"]);
    refused(
        json!({"query": "a", "kind": "memo"}),
        &["memo", "request, comment, interjection, result, ask, progress, handoff"],
    );
    refused(json!({"query": "a", "kind": "interjection_ack"}), &["interjection_ack"]);
    refused(json!({"query": "a", "author": "m9"}), &["m9", "user", "agent", "m1"]);
    for task in [json!("twelve"), json!(""), json!(0), json!(-1), json!("comment:12"), json!(1.5), json!([12])] {
        refused(json!({"query": "a", "task_id": task}), &[]);
    }
    for reference in ["88", "comment:", "comment:x", "comment:-1", "comment:0", "task:12", "comment:88 "] {
        refused(json!({"around_ref": reference}), &[reference]);
    }
    refused(json!({"around_ref": 88}), &[]);
    refused(json!(["認証"]), &["object"]);
    refused(json!("認証"), &["object"]);
    // Ignored with around_ref are only values that are valid.
    let ignored = json!({"around_ref": "comment:88", "limit": 1, "kind": "ask", "author": "agent", "task_id": 999, "match_mode": "all", "context": 0});
    assert_eq!(refs(&home.tool(SEARCH, &[], &ignored).json()["comments"]), ["comment:88"]);
    refused(json!({"around_ref": "comment:88", "limit": 31}), &["limit"]);
    refused(json!({"around_ref": "comment:88", "kind": "memo"}), &["memo"]);
    refused(json!({"around_ref": "comment:88", "author": "m9"}), &["m9"]);
    refused(json!({"around_ref": "comment:88", "task_id": "x"}), &[]);
    refused(json!({"around_ref": "comment:88", "match_mode": "x"}), &[]);
    let gone = home.tool(SEARCH, &["--lang", "en"], &json!({"around_ref": "comment:9999"})).error(2, "not_found");
    assert!(gone["message"].as_str().unwrap().contains("comment:9999"), "{gone}");
    assert_eq!(gone["details"]["ref"], "comment:9999");
    home.run_with(&["tool", SEARCH, "--as", "m1"], "{\"query\": ").error(2, "invalid_input");
    home.run_with(&["tool", "SearchEverything", "--as", "m1", "--lang", "en"], "{}").error(2, "invalid_input");
    // No input at all is an empty one.
    home.run_with(&["tool", SEARCH, "--as", "m1"], "").error(2, "invalid_input");
}

#[test]
fn large_results_are_paged_by_the_commands() {
    let home = Home::new();
    let mut rows = vec![json!({"type": "task", "id": 1, "title": "many"})];
    rows.extend((0..45).map(|n| {
        json!({"type": "comment", "task": 1, "author": "agent", "kind": "result", "body": format!("entry {n}"),
            "created": format!("2026-06-20T10:{n:02}:00Z")})
    }));
    home.run_with(&["import", "-"], &rows.iter().map(|row| format!("{row}\n")).collect::<String>()).ok();
    let (mut seen, mut after) = (Vec::new(), None::<String>);
    loop {
        let mut args = vec!["search", "entry", "--newest", "--json", "--limit", "20"];
        args.extend(after.iter().flat_map(|after| ["--after", after.as_str()]));
        let page = home.run(&args).json();
        assert_eq!(page["total"], 45);
        let found: Vec<String> = refs(&page["hits"]).into_iter().map(str::to_owned).collect();
        after = found.last().cloned();
        seen.extend(found);
        if after.is_none() {
            break;
        }
    }
    let newest_first: Vec<String> = (1..=45).rev().map(|id| format!("comment:{id}")).collect();
    assert_eq!(seen, newest_first);
    home.run(&["search", "entry", "--since", "2026-06-20T10:40:00Z", "--until", "2026-06-20T10:42:00Z"])
        .ok()
        .says(&["2 of 2"]);
    home.run(&["search", "entry", "--state", "nowhere", "--json"]).error(2, "invalid_input");
    home.run(&["search", "entry", "--after", "comment:999", "--json"]).error(2, "not_found");
    home.run(&["search", "entry", "--limit", "0"]).ended(2);
}
