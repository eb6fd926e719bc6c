//! MemorySearch, KnowledgeSearch and MemoryRead, as the contract has them.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test's own functions")]

mod common;

use common::{Space, call, decision, knowledge, request, summary};
use kiroku_memory::tools::{
    self, KnowledgeSearchInput, MemoryReadInput, MemorySearchInput, knowledge_search, memory_read, memory_search,
};
use kiroku_memory::{RecordKind, Use};
use kiroku_model::{Caller, Cancel, ErrorCode, Lang};
use serde_json::{Value, json};

fn find(space: &Space, query: &str) -> tools::MemorySearchOutput {
    memory_search(&call(&space.memory()), &MemorySearchInput { query: query.into() }).unwrap()
}

fn know(space: &Space, query: &str, kind: Option<&str>) -> tools::KnowledgeSearchOutput {
    knowledge_search(
        &call(&space.memory()),
        &KnowledgeSearchInput { query: query.into(), kind: kind.map(str::to_owned) },
    )
    .unwrap()
}

fn slugs(found: &tools::MemorySearchOutput) -> Vec<String> {
    found.hits.iter().map(|hit| format!("{}/{}", hit.kind, hit.slug)).collect()
}

fn tree() -> Space {
    let space = Space::new();
    space.put("memory/summary.md", summary("one lantern\nno\nno\nno\nno\nno\nno\nno\nanother lantern\n"));
    space.put("memory/decisions/b.md", decision("a lantern\n"));
    space.put("memory/decisions/a.md", decision("LANTERN\n"));
    space.put("memory/decisions/a-b.md", decision("Lantern\n"));
    space.put("memory/requests/a.md", request("the lantern please\n"));
    space.put("knowledge/lamp.md", knowledge("rule", "how a lantern works", true, "light\n"));
    space.put("knowledge/oil.md", knowledge("Rule", "oil", false, "for the lantern\n"));
    space
}

#[test]
fn order_is_kind_then_file_name_then_line() {
    let found = find(&tree(), "lantern");
    assert_eq!(
        slugs(&found),
        ["summary/summary", "summary/summary", "decision/a-b", "decision/a", "decision/b", "request/a"]
    );
    assert_eq!((found.total, found.left_out, found.problems.len()), (6, 0, 0));
    assert!(found.hits[0].excerpt.ends_with("one lantern\nno\nno\nno"));
    let found = know(&tree(), "lantern", None);
    assert_eq!(found.hits.iter().map(|hit| hit.slug.as_str()).collect::<Vec<_>>(), ["lamp", "oil"]);
}

#[test]
fn the_wire_form_is_the_contracts() {
    let found = serde_json::to_value(find(&tree(), "the lantern please")).unwrap();
    assert_eq!(
        found,
        json!({"hits": [{"slug": "a", "kind": "request", "excerpt": "sources: []\n---\nthe lantern please".replace("sources", "updated_at: 2026-06-20T10:00:00Z\nsources"),
            "ref": {"kind": "request", "slug": "a"}}], "total": 1, "left_out": 0, "problems": []})
    );
    let found = serde_json::to_value(know(&tree(), "how a LANTERN", None)).unwrap();
    let hit = &found["hits"][0];
    assert_eq!(
        (&hit["slug"], &hit["kind"], &hit["description"], &hit["model_invokation"]),
        (&json!("lamp"), &json!("rule"), &json!("how a lantern works"), &json!(true))
    );
    assert_eq!(hit["ref"], json!({"kind": "knowledge", "slug": "lamp"}));
}

#[test]
fn frontmatter_kind_filters_exactly() {
    let space = tree();
    space.put("knowledge/broken.md", "---\nkind: rule: x\n---\nlantern\n");
    space.put("knowledge/none.md", "lantern\n");
    let names = |kind: &str| {
        know(&space, "lantern", Some(kind)).hits.iter().map(|hit| hit.slug.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(names("rule"), ["lamp"]);
    assert_eq!(names("Rule"), ["oil"]);
    assert!(names("rul").is_empty());
    assert_eq!(know(&space, "lantern", Some("rule")).total, 1);
}

#[test]
fn broken_frontmatter_gives_nulls_and_its_body() {
    let space = Space::new();
    space.put("knowledge/broken.md", "---\nkind: a: b\ndescription: x\n---\nlantern in the body\n");
    space.put("knowledge/partly.md", "---\nkind: 3\ndescription: text\nmodel_invokation: maybe\n---\nlantern\n");
    let found = serde_json::to_value(know(&space, "lantern", None)).unwrap();
    for (n, description) in [(0, Value::Null), (1, json!("text"))] {
        let hit = &found["hits"][n];
        assert_eq!(
            (&hit["kind"], &hit["description"], &hit["model_invokation"]),
            (&Value::Null, &description, &Value::Null)
        );
    }
}

#[test]
fn limit_and_excerpt_are_settings() {
    let mut space = tree();
    (space.settings, _) = kiroku_memory::Settings::read("[memory]\nsearch_hit_limit = 2\nsearch_excerpt_lines = 0\n");
    let found = find(&space, "lantern");
    assert_eq!((found.hits.len(), found.total, found.left_out), (2, 6, 4));
    assert_eq!(found.hits[0].excerpt, "one lantern");
    assert!(found.text(Lang::En).contains("4 more were left out"));
    space.settings.search_excerpt_lines = 1;
    assert_eq!(find(&space, "another").hits[0].excerpt, "no\nanother lantern");
    space.settings.search_excerpt_lines = 10_000;
    assert_eq!(find(&space, "another").hits[0].excerpt, space.get("memory/summary.md").trim_end());
}

#[test]
fn queries_as_given() {
    let space = Space::new();
    space.put("memory/decisions/a.md", decision("Straße ＬＯＧＩＮ ﾛｸﾞｲﾝ が…\r\n  two  spaces\r\n\r\nlast line"));
    for query in [
        "STRASSE",
        "login",
        "ログイン",
        "ＬｏｇIn",
        "ﾛｸﾞ",
        "か\u{3099}",
        "...",
        "  two  spaces",
        "LAST",
        "status: open",
        "\u{200b}login",
    ] {
        assert_eq!(find(&space, query).total, 1, "{query}");
    }
    for query in ["two spaces", "ロク", "か", "last.line", "(", "spaces\r\n", "spaces\n", "open\n---"] {
        assert_eq!(find(&space, query).total, 0, "{query:?}");
    }
    for blank in ["", " ", "\n", "\t", "　", "\u{200b}"] {
        let error = memory_search(&call(&space.memory()), &MemorySearchInput { query: blank.into() }).unwrap_err();
        assert_eq!(error.code(), ErrorCode::InvalidInput, "{blank:?}");
    }
    space.put("memory/decisions/b.md", "a lone \r return");
    assert_eq!(find(&space, "e \r r").total, 1);
}

#[test]
fn what_can_not_be_read_is_told() {
    let space = tree();
    space.put("memory/decisions/bytes.md", b"good lantern\nbad \xff lantern\n");
    space.put("memory/decisions/Not A Slug.md", "lantern");
    space.put("memory/decisions/large.md", "");
    std::fs::File::options()
        .write(true)
        .open(space.path("memory/decisions/large.md"))
        .unwrap()
        .set_len(17 << 20)
        .unwrap();
    let found = find(&space, "lantern");
    assert_eq!(found.total, 8);
    assert_eq!(
        found.problems.iter().map(|p| p.file.as_str()).collect::<Vec<_>>(),
        ["memory/decisions/Not A Slug.md", "memory/decisions/bytes.md", "memory/decisions/large.md"]
    );
    assert!(found.text(Lang::Ja).contains("! memory/decisions/bytes.md: "));
    // A query that is looked for the slow way tells the same.
    assert_eq!(find(&space, "x\ry").problems.len(), 3);
}

/// A pipe that is opened would block, a link to nothing and bytes that are no text would be told.
#[test]
#[cfg(unix)]
fn staging_and_workflow_are_never_read() {
    let space = tree();
    for folder in ["workflow", "_staging", "_usage", "_logs", "other"] {
        space.put(&format!("memory/{folder}/lantern.md"), b"lantern \xff");
        rustix::fs::mknodat(
            rustix::fs::CWD,
            space.path(&format!("memory/{folder}/pipe.md")),
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::RUSR,
            0,
        )
        .unwrap();
        std::os::unix::fs::symlink("/nowhere", space.path(&format!("memory/{folder}/gone.md"))).unwrap();
        std::os::unix::fs::symlink(".", space.path(&format!("memory/{folder}/loop.md"))).unwrap();
    }
    space.put("memory/loose.md", b"lantern \xff");
    space.put("memory/decisions/deeper/x.md", "lantern");
    space.put("memory/decisions/x.txt", "lantern");
    let found = find(&space, "lantern");
    assert_eq!((found.total, found.problems.len()), (6, 0), "{found:?}");
    let (checked, problems) = space.memory().check_all().unwrap();
    assert_eq!((checked.len(), problems.len()), (7, 0));
    assert_eq!(space.memory().resident().unwrap().1.len(), 0);
}

#[test]
fn every_hit_goes_into_a_read_unchanged() {
    let space = Space::new();
    space.put("memory/summary.md", summary("needle in the summary\n"));
    for n in 0..60 {
        space.put(&format!("memory/decisions/d-{n}.md"), decision(&format!("needle {n} of decisions\n")));
        space.put(&format!("memory/requests/r{n}.md"), request(&format!("needle {n} of requests\n")));
        let kind = ["rule", "事実", "", "null", "\"5\"", "x y"][n % 6];
        space.put(
            &format!("knowledge/k{n}.md"),
            knowledge(kind, "x", n % 2 == 0, &format!("needle {n} of knowledge\n")),
        );
    }
    space.put("knowledge/broken.md", "needle without frontmatter\n");
    let mut wide =
        Space { settings: kiroku_memory::Settings { search_hit_limit: 1000, ..Default::default() }, ..space };
    wide.settings.search_excerpt_lines = 0;
    let memory = wide.memory();
    let memory_hits =
        serde_json::to_value(memory_search(&call(&memory), &MemorySearchInput { query: "needle".into() }).unwrap())
            .unwrap();
    let knowledge_hits = serde_json::to_value(know(&wide, "needle", None)).unwrap();
    let mut read = 0;
    for hit in memory_hits["hits"].as_array().unwrap().iter().chain(knowledge_hits["hits"].as_array().unwrap()) {
        let own = json!({"kind": hit["kind"], "slug": hit["slug"]});
        for given in [&hit["ref"], &own] {
            let input: MemoryReadInput = tools::input(given.clone()).unwrap();
            let output = memory_read(&call(&memory), &input).unwrap();
            assert!(output.text.contains(hit["excerpt"].as_str().unwrap()), "{given}");
            read += 1;
        }
    }
    assert_eq!(read, 2 * (1 + 60 + 60 + 61));
    assert_eq!(memory_hits["hits"][0]["slug"], "summary");
    assert!(wide.uses.0.lock().unwrap().iter().filter(|event| event.how == Use::Read).count() == read);
}

#[test]
fn reading_pages_and_misses() {
    let space = Space::new();
    space.put("memory/decisions/auth-token.md", decision("one\r\ntwo"));
    let memory = space.memory();
    let read = |value: Value| memory_read(&call(&memory), &tools::input(value).unwrap());
    let whole = read(json!({"kind": "decision", "slug": "auth-token", "offset": null, "limit": null})).unwrap();
    assert!(whole.text.starts_with("     1\t---\n     2\tcreated_at"));
    assert!(whole.text.ends_with("     7\tone\n     8\ttwo\n"));
    assert_eq!((whole.total_lines, whole.more, whole.hash.len()), (8, 0, 32));
    let part = read(json!({"kind": "decision", "slug": "auth-token", "offset": 6, "limit": 1})).unwrap();
    assert_eq!((part.text.as_str(), part.more, part.hash), ("     7\tone\n", 1, whole.hash));
    assert!(
        read(json!({"kind": "decision", "slug": "auth-token", "limit": 1}))
            .unwrap()
            .text(Lang::En)
            .contains("7 more lines: read on with offset 1")
    );
    let past = read(json!({"kind": "decision", "slug": "auth-token", "offset": 99})).unwrap();
    assert_eq!((past.text.as_str(), past.more, past.total_lines), ("", 0, 8));
    let error = read(json!({"kind": "decision", "slug": "auth-tokn"})).unwrap_err();
    assert_eq!((error.code(), &error.details()["near"]), (ErrorCode::NotFound, &json!(["auth-token"])));
    for (bad, code) in [
        (json!({"kind": "decision"}), ErrorCode::InvalidInput),
        (json!({}), ErrorCode::InvalidInput),
        (json!({"kind": "workflow"}), ErrorCode::InvalidInput),
        (json!({"kind": "summary", "slug": "other"}), ErrorCode::InvalidInput),
        (json!({"kind": "decision", "slug": "../a"}), ErrorCode::InvalidInput),
        (json!({"kind": "decision", "slug": "a", "limit": 0}), ErrorCode::InvalidInput),
        (json!({"kind": "summary"}), ErrorCode::NotFound),
        (json!({"kind": "request", "slug": "auth-token"}), ErrorCode::NotFound),
        (json!({"slug": "auth-token"}), ErrorCode::NotFound),
    ] {
        assert_eq!(read(bad.clone()).unwrap_err().code(), code, "{bad}");
    }
}

#[test]
fn inputs_are_strict_and_callers_are_members() {
    for bad in [
        json!({"query": "x", "limit": 3}),
        json!({}),
        json!({"query": null}),
        json!({"query": 3}),
        json!([]),
        json!("x"),
    ] {
        assert_eq!(
            tools::input::<MemorySearchInput>(bad.clone()).unwrap_err().code(),
            ErrorCode::InvalidInput,
            "{bad}"
        );
    }
    let input: KnowledgeSearchInput = tools::input(json!({"query": "x", "kind": null})).unwrap();
    assert_eq!(input.kind, None);
    let space = tree();
    let memory = space.memory();
    let nobody = Caller::default();
    let asked = tools::Call { caller: &nobody, ..call(&memory) };
    assert_eq!(memory_search(&asked, &MemorySearchInput { query: "x".into() }).unwrap_err().code(), ErrorCode::Refused);
    let subtask = Caller { subtask: true, ..Caller::member("m") };
    let asked = tools::Call { caller: &subtask, ..call(&memory) };
    assert_eq!(memory_search(&asked, &MemorySearchInput { query: "lantern".into() }).unwrap().total, 6);
    let cancel = Cancel::new();
    cancel.cancel();
    let asked = tools::Call { cancel: &cancel, ..call(&memory) };
    assert_eq!(
        memory_search(&asked, &MemorySearchInput { query: "x".into() }).unwrap_err().code(),
        ErrorCode::Cancelled
    );
    let schema = serde_json::to_value(schemars::schema_for!(MemoryReadInput)).unwrap();
    assert_eq!(schema["additionalProperties"], json!(false));
    assert!(schema["properties"]["limit"]["description"].as_str().unwrap().contains("2000"));
}

#[test]
fn content_roots_are_found_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let at = |configured: Option<&str>| {
        kiroku_memory::ContentRoot::find(folder.path(), configured).map(|root| root.path().to_owned())
    };
    let real = folder.path().canonicalize().unwrap();
    assert_eq!(at(None).unwrap(), real);
    for name in [".kiroku/knowledge", ".insomnia/memory", ".yoi/knowledge"] {
        std::fs::create_dir_all(folder.path().join(name)).unwrap();
        assert_eq!(at(None).unwrap(), real.join(name.split('/').next().unwrap()));
    }
    std::fs::create_dir(folder.path().join("memory")).unwrap();
    assert_eq!(at(None).unwrap(), real.join(".yoi"));
    assert_eq!(at(Some(".kiroku")).unwrap(), real.join(".kiroku"));
    assert_eq!(at(Some("nowhere")).unwrap_err().code(), ErrorCode::NotFound);
    let folder_of = |file: &str| kiroku_memory::space_folder(std::path::Path::new(file));
    assert_eq!(folder_of("/a/b/.kiroku/space.db").to_str(), Some("/a/b"));
    assert_eq!(folder_of("/a/b/space.db").to_str(), Some("/a/b"));
    let root = kiroku_memory::ContentRoot::at(&real).unwrap();
    root.create_directories().unwrap();
    for kind in RecordKind::ALL {
        assert!(real.join(kind.folder()).is_dir());
    }
}

#[test]
fn very_long_lines_are_cut_around_the_match() {
    let space = Space::new();
    space.put("memory/decisions/a.md", format!("{}lantern{}", "あ".repeat(50_000), "い".repeat(50_000)));
    let found = find(&space, "lantern");
    assert!(found.hits[0].excerpt.contains("lantern") && found.hits[0].excerpt.chars().count() <= 20_000);
}
