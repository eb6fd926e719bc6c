//! MemoryWrite, MemoryEdit, MemoryDelete, a person's save, renaming, recovery and expansion.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test's own functions")]

mod common;

use common::{Space, call, decision, knowledge, member, record, request};
use kiroku_memory::tools::{self, memory_delete, memory_edit, memory_write};
use kiroku_memory::{Memory, RecordKind, Slug, Use, Writer, hash, resident_text};
use kiroku_model::{Error, ErrorCode, Lang, Time};
use serde_json::{Value, json};

fn write(memory: &Memory, input: Value) -> Result<tools::MemoryWriteOutput, Error> {
    memory_write(&call(memory), &tools::input(input).unwrap())
}

fn edit(memory: &Memory, input: Value) -> Result<tools::MemoryEditOutput, Error> {
    memory_edit(&call(memory), &tools::input(input).unwrap())
}

fn delete(memory: &Memory, input: Value) -> Result<tools::MemoryDeleteOutput, Error> {
    memory_delete(&call(memory), &tools::input(input).unwrap())
}

fn slug(text: &str) -> Slug {
    Slug::parse(text).unwrap()
}

#[test]
fn writing_creates_and_overwrites() {
    let space = Space::new();
    let memory = space.memory();
    let (one, two) = (decision("one\n"), decision("two #nowhere\n"));
    let made =
        write(&memory, json!({"kind": "decision", "slug": "plan", "content": one, "create_only": true, "base": null}))
            .unwrap();
    assert_eq!((made.created, &made.replaced_hash, made.hash.as_str()), (true, &None, hash(one.as_bytes()).as_str()));
    assert!(made.text(Lang::En).starts_with("Created decision plan"));
    let error =
        write(&memory, json!({"kind": "decision", "slug": "plan", "content": two, "create_only": true})).unwrap_err();
    assert_eq!(error.code(), ErrorCode::Refused);
    assert_eq!(error.details()["findings"][0]["code"], "slug_exists");
    assert_eq!(space.get("memory/decisions/plan.md"), one);
    let over = write(&memory, json!({"kind": "decision", "slug": "plan", "content": two})).unwrap();
    assert_eq!((over.created, over.replaced_hash), (false, Some(hash(one.as_bytes()))));
    assert_eq!(over.warnings.len(), 1);
    assert_eq!(space.get("memory/decisions/plan.md"), two);
    let kept = memory.recovery().list();
    assert_eq!((kept.len(), kept[0].hash.clone()), (1, hash(one.as_bytes())));
    assert_eq!(memory.recovery().get(&kept[0].id).unwrap().1, one.as_bytes());
    // A base that is no longer there, and one for a record that is not.
    let error =
        write(&memory, json!({"kind": "decision", "slug": "plan", "content": one, "base": hash(one.as_bytes())}))
            .unwrap_err();
    assert_eq!((error.code(), &error.details()["hash"]), (ErrorCode::Conflict, &json!(hash(two.as_bytes()))));
    let error =
        write(&memory, json!({"kind": "decision", "slug": "new-one", "content": one, "base": hash(one.as_bytes())}))
            .unwrap_err();
    assert_eq!((error.code(), &error.details()["hash"]), (ErrorCode::Conflict, &Value::Null));
    assert!(!space.path("memory/decisions/new-one.md").exists());
    write(&memory, json!({"kind": "decision", "slug": "plan", "content": one, "base": hash(two.as_bytes())})).unwrap();
    assert!(
        write(&memory, json!({"kind": "decision", "slug": "plan", "content": one, "base": "x", "create_only": true}))
            .is_err()
    );
    for bad in ["A", "a--b", "-a", "../x", "", "a/b"] {
        let error = write(&memory, json!({"kind": "decision", "slug": bad, "content": one})).unwrap_err();
        assert_eq!(error.code(), ErrorCode::InvalidInput, "{bad}");
    }
    write(&memory, json!({"kind": "summary", "content": common::summary("x")})).unwrap();
    assert!(space.path("memory/summary.md").is_file());
    // No temporary file is left.
    assert_eq!(space.all().len(), 2);
}

#[test]
fn errors_refuse_a_write_all_at_once_and_touch_nothing() {
    let space = Space::new();
    let memory = space.memory();
    let error = write(
        &memory,
        json!({"kind": "decision", "slug": "plan", "content": "---\nstatus: closed\nreplaced_by: plan\n---\n"}),
    )
    .unwrap_err();
    assert_eq!(error.code(), ErrorCode::InvalidInput);
    let codes: Vec<&Value> = error.details()["findings"].as_array().unwrap().iter().map(|f| &f["code"]).collect();
    assert_eq!(codes, ["field_missing", "field_missing", "field_missing", "status_unknown", "replaced_by_self"]);
    assert!(error.to_string().contains("5 errors"));
    assert!(space.all().is_empty());
}

#[test]
fn circles_of_replacement_are_refused() {
    for length in 1..=3 {
        let space = Space::new();
        let memory = space.memory();
        let names = ["one", "two", "three"];
        for name in &names[..length] {
            write(&memory, json!({"kind": "decision", "slug": name, "content": decision("x")})).unwrap();
        }
        for n in 0..length {
            let text = decision("x")
                .replace("status: open", &format!("status: replaced\nreplaced_by: {}", names[(n + 1) % length]));
            let result = write(&memory, json!({"kind": "decision", "slug": names[n], "content": text}));
            if n + 1 < length {
                result.unwrap();
            } else {
                let code = if length == 1 { "replaced_by_self" } else { "replaced_by_cycle" };
                assert_eq!(result.unwrap_err().details()["findings"][0]["code"], code, "{length}");
            }
        }
        // A circle that came from elsewhere is found by the check of all, once for each in it.
        let last = names[length - 1];
        space.put(
            &format!("memory/decisions/{last}.md"),
            decision("x").replace("status: open", "status: replaced\nreplaced_by: one"),
        );
        let (checked, _) = memory.check_all().unwrap();
        assert!(checked.iter().all(|c| c.findings.as_ref().unwrap().iter().any(kiroku_memory::Finding::is_error)));
    }
}

#[test]
fn edits_are_exact() {
    let space = Space::new();
    let memory = space.memory();
    let text = decision("one two one\n日本\tx \n");
    space.put("memory/decisions/plan.md", &text);
    let with = |old: &str, new: &str, all: bool| {
        edit(
            &memory,
            json!({"kind": "decision", "slug": "plan", "old_string": old, "new_string": new, "replace_all": all}),
        )
    };
    for (old, new, code, words) in [
        ("absent", "x", ErrorCode::InvalidInput, "does not occur"),
        ("one", "x", ErrorCode::InvalidInput, "occurs 2 times"),
        ("one", "one", ErrorCode::InvalidInput, "same"),
        ("", "x", ErrorCode::InvalidInput, "empty"),
        ("ONE", "x", ErrorCode::InvalidInput, "does not occur"),
        ("status: open", "status: closed", ErrorCode::InvalidInput, "`closed` is no status"),
        ("---\none", "one", ErrorCode::InvalidInput, "not closed"),
    ] {
        let error = with(old, new, false).unwrap_err();
        assert_eq!(error.code(), code, "{old}");
        assert!(error.to_string().contains(words), "{old}: {error}");
        assert_eq!(space.get("memory/decisions/plan.md"), text);
    }
    assert_eq!(with("one", "x", false).unwrap_err().details()["count"], 2);
    assert_eq!(with("日本\tx \n", "", false).unwrap().replacements, 1);
    assert_eq!(with("one", "three", true).unwrap().replacements, 2);
    let done = with("status: open", "status: resolved", false).unwrap();
    assert_eq!(space.get("memory/decisions/plan.md"), decision("three two three\n").replace("open", "resolved"));
    assert_eq!(done.hash, hash(space.get("memory/decisions/plan.md").as_bytes()));
    let error =
        edit(&memory, json!({"kind": "decision", "slug": "plan", "old_string": "two", "new_string": "x", "base": "0"}))
            .unwrap_err();
    assert_eq!((error.code(), &error.details()["hash"]), (ErrorCode::Conflict, &json!(done.hash)));
    edit(
        &memory,
        json!({"kind": "decision", "slug": "plan", "old_string": "two", "new_string": "x", "base": done.hash}),
    )
    .unwrap();
    let error =
        edit(&memory, json!({"kind": "decision", "slug": "plam", "old_string": "two", "new_string": "x"})).unwrap_err();
    assert_eq!((error.code(), &error.details()["near"]), (ErrorCode::NotFound, &json!(["plan"])));
}

#[test]
fn edits_keep_crlf() {
    let space = Space::new();
    let memory = space.memory();
    let text = decision("one\ntwo\n").replace('\n', "\r\n");
    space.put("memory/decisions/plan.md", &text);
    let with = |old: &str, new: &str| {
        edit(&memory, json!({"kind": "decision", "slug": "plan", "old_string": old, "new_string": new}))
    };
    with("one\ntwo", "1\n2\n3").unwrap();
    assert_eq!(space.get("memory/decisions/plan.md"), text.replace("one\r\ntwo", "1\r\n2\r\n3"));
    with("1\r\n2", "a\r\nb").unwrap();
    assert_eq!(space.get("memory/decisions/plan.md"), text.replace("one\r\ntwo", "a\r\nb\r\n3"));
    // A file of mixed line ends is taken as it is.
    space.put("memory/decisions/plan.md", decision("one\r\ntwo\n"));
    assert!(with("one\ntwo", "x").is_err());
    with("one\r\ntwo", "x").unwrap();
}

#[test]
fn deleting_keeps_and_restores() {
    let space = Space::new();
    let memory = space.memory();
    let text = decision("日本 \r\n");
    space.put("memory/decisions/plan.md", &text);
    space.put("memory/requests/other.md", request("see #plan\n"));
    let refused = delete(&memory, json!({"kind": "decision", "slug": "plan"})).unwrap_err();
    assert_eq!((refused.code(), &refused.details()["referring"]), (ErrorCode::Refused, &json!(["request other"])));
    assert_eq!(
        delete(&memory, json!({"kind": "decision", "slug": "plan", "base": "0", "force": true})).unwrap_err().code(),
        ErrorCode::Conflict
    );
    assert!(memory.recovery().list().is_empty());
    let gone = delete(&memory, json!({"kind": "decision", "slug": "plan", "force": true})).unwrap();
    assert!(!space.path("memory/decisions/plan.md").exists());
    assert_eq!(delete(&memory, json!({"kind": "decision", "slug": "plan"})).unwrap_err().code(), ErrorCode::NotFound);
    assert_eq!(memory.restore(&gone.recovery).unwrap().record, gone.record);
    assert_eq!(space.get("memory/decisions/plan.md"), text);
    memory.restore(&gone.recovery).unwrap();
    space.put("memory/decisions/plan.md", decision("newer"));
    assert_eq!(memory.restore(&gone.recovery).unwrap_err().code(), ErrorCode::Refused);
    for odd in ["../../x", "nothing", ""] {
        assert_eq!(memory.restore(odd).unwrap_err().code(), ErrorCode::NotFound);
    }
    // What is in code, or means another record of the same slug, is no reference.
    space.put("memory/requests/other.md", request("`#plan` and #lone\n"));
    space.put("knowledge/lone.md", knowledge("a", "b", true, "c"));
    space.put("memory/decisions/lone.md", decision("x"));
    delete(&memory, json!({"kind": "decision", "slug": "plan"})).unwrap();
    delete(&memory, json!({"kind": "decision", "slug": "lone"})).unwrap();
    assert_eq!(delete(&memory, json!({"kind": "knowledge", "slug": "lone"})).unwrap_err().code(), ErrorCode::Refused);
}

#[test]
fn recovery_is_for_thirty_days() {
    let space = Space::new();
    let memory = space.memory();
    let day = 24 * 60 * 60 * 1000;
    let start = space.clock.0.lock().unwrap().0;
    for (at, left) in [(0, 1), (30, 2), (31, 2), (62, 1)] {
        *space.clock.0.lock().unwrap() = Time(start + at * day);
        space.put("memory/decisions/plan.md", decision("x"));
        delete(&memory, json!({"kind": "decision", "slug": "plan"})).unwrap();
        assert_eq!(memory.recovery().list().len(), left, "day {at}");
    }
}

#[test]
fn a_person_saves_errors_and_all() {
    let space = Space::new();
    let memory = space.memory();
    let plan = record(RecordKind::Decision, "plan");
    let made = memory.save_as_person(&plan, "no frontmatter", None).unwrap();
    assert!(made.findings[0].is_error());
    assert_eq!(space.get("memory/decisions/plan.md"), "no frontmatter");
    assert_eq!(memory.save_as_person(&plan, "x", None).unwrap_err().code(), ErrorCode::Refused);
    assert_eq!(memory.save_as_person(&plan, "x", Some("0")).unwrap_err().code(), ErrorCode::Conflict);
    let text = decision("x").replace("updated_at: 2026-06-20T10:00:00Z", "updated_at: '2026-06-20T19:00:00+09:00' # c");
    let now = memory.save_as_person(&plan, &text, Some(&made.hash)).unwrap();
    assert_eq!(space.get("memory/decisions/plan.md"), text, "the field is new: it stays as it was typed");
    let same = memory.save_as_person(&plan, &text, Some(&now.hash)).unwrap();
    assert_eq!(space.get("memory/decisions/plan.md"), text);
    let saved = memory.save_as_person(&plan, &text.replace("---\nx", "---\ny"), Some(&same.hash)).unwrap();
    let touched =
        text.replace("---\nx", "---\ny").replace("'2026-06-20T19:00:00+09:00'", "'2026-07-01T09:00:00+09:00'");
    assert_eq!(space.get("memory/decisions/plan.md"), touched);
    assert_eq!(saved.hash, hash(touched.as_bytes()));
    // Typed by hand, or turned off: it stays.
    let typed = touched.replace("2026-07-01", "2026-07-02");
    let saved = memory.save_as_person(&plan, &typed, Some(&saved.hash)).unwrap();
    assert_eq!(space.get("memory/decisions/plan.md"), typed);
    let off = Space { settings: kiroku_memory::Settings { touch_updated_at: false, ..Default::default() }, ..space };
    let other = typed.replace("---\ny", "---\nz");
    off.memory().save_as_person(&plan, &other, Some(&saved.hash)).unwrap();
    assert_eq!(off.get("memory/decisions/plan.md"), other);
}

fn linked() -> Space {
    let space = Space::new();
    space.put("memory/decisions/old.md", decision("I am #old.\n"));
    space.put(
        "memory/decisions/by.md",
        decision("x").replace("status: open", "status: replaced\r\nreplaced_by: 'old' # why"),
    );
    space.put("memory/requests/a.md", request("これは#oldと #old、`#old` と #older\n"));
    space.put("memory/summary.md", common::summary("#old"));
    space.put("knowledge/k.md", knowledge("a", "old", true, "nothing of it"));
    space
}

#[test]
fn renaming_takes_references_along() {
    let space = linked();
    let memory = space.memory();
    let before = space.all();
    let renamed = memory.rename(&record(RecordKind::Decision, "old"), &slug("new-name"), None).unwrap();
    assert_eq!(space.get("memory/decisions/new-name.md"), decision("I am #new-name.\n"));
    assert_eq!(renamed.hash, hash(space.get("memory/decisions/new-name.md").as_bytes()));
    assert!(!space.path("memory/decisions/old.md").exists());
    assert!(space.get("memory/decisions/by.md").contains("replaced_by: 'new-name' # why"));
    assert!(space.get("memory/requests/a.md").ends_with("これは#new-nameと #new-name、`#old` と #older\n"));
    assert_eq!(renamed.changed.len(), 3);
    memory.rename(&record(RecordKind::Decision, "new-name"), &slug("old"), Some(&renamed.hash)).unwrap();
    assert_eq!(space.all(), before, "there and back leaves no trace");
}

#[test]
fn renaming_is_all_or_nothing() {
    let space = linked();
    space.put("memory/decisions/taken.md", decision("x"));
    space.put("knowledge/known.md", knowledge("a", "b", true, "c"));
    let memory = space.memory();
    let old = record(RecordKind::Decision, "old");
    let before = space.all();
    let refused = |to: &str, base: Option<&str>, code: ErrorCode| {
        assert_eq!(memory.rename(&old, &slug(to), base).unwrap_err().code(), code, "{to}");
        assert_eq!(space.all(), before, "{to}");
    };
    refused("taken", None, ErrorCode::Refused);
    refused("known", None, ErrorCode::Refused);
    refused("new-name", Some("0"), ErrorCode::Conflict);
    assert!(memory.rename(&record(RecordKind::Summary, "summary"), &slug("x"), None).is_err());
    assert_eq!(
        memory.rename(&record(RecordKind::Decision, "gone"), &slug("x"), None).unwrap_err().code(),
        ErrorCode::NotFound
    );
    let same = memory.rename(&old, &slug("old"), None).unwrap();
    assert!(same.changed.is_empty());
    // One file that can't be written stops all.
    let path = space.path("memory/requests/a.md");
    let modes = std::fs::metadata(&path).unwrap().permissions();
    let mut locked = modes.clone();
    locked.set_readonly(true);
    std::fs::set_permissions(&path, locked).unwrap();
    refused("new-name", None, ErrorCode::Refused);
    std::fs::set_permissions(&path, modes).unwrap();
    // Or one that refers to it and can't be understood.
    space.put("memory/requests/b.md", b"\xff #old");
    assert_eq!(memory.rename(&old, &slug("new-name"), None).unwrap_err().code(), ErrorCode::Damaged);
    assert!(space.path("memory/decisions/old.md").exists());
}

/// A process that was killed half-way left its plan behind; whoever takes the lock next undoes it.
#[test]
fn a_rename_that_was_cut_off_is_undone() {
    let space = linked();
    let memory = space.memory();
    let before = space.all();
    let old_text = decision("I am #old.\n");
    let (a_old, a_new) = (request("これは#oldと #old、`#old` と #older\n"), "half done");
    let plan = json!({"from": {"kind": "decision", "slug": "old"}, "to": {"kind": "decision", "slug": "new-name"}, "hash": hash(old_text.as_bytes()),
        "changes": [{"record": {"kind": "request", "slug": "a"}, "old": a_old, "new": a_new}, {"record": {"kind": "summary", "slug": "summary"}, "old": "never", "new": "reached"}]});
    std::fs::rename(space.path("memory/decisions/old.md"), space.path("memory/decisions/new-name.md")).unwrap();
    space.put("memory/requests/a.md", a_new);
    let id = hash(memory.root().path().as_os_str().as_encoded_bytes());
    std::fs::create_dir_all(space.data.path().join("locks")).unwrap();
    std::fs::write(space.data.path().join("locks").join(format!("{id}.rename.json")), plan.to_string()).unwrap();
    // Any write that fails for its own reasons takes the lock.
    assert!(delete(&memory, json!({"kind": "decision", "slug": "nobody"})).is_err());
    assert_eq!(space.all(), before);
}

#[test]
fn slugs_expand_to_bodies() {
    let space = Space::new();
    space.put("knowledge/rules.md", knowledge("a", "the rules", true, "\nBe short. #style\n\n"));
    space.put(
        "knowledge/style.md",
        knowledge("a", "hidden\n  from people", true, "STYLE").replace("user_invocable: true", "user_invocable: false"),
    );
    space.put("knowledge/plain.md", "no frontmatter");
    space.put("knowledge/quiet.md", knowledge("a", "not told", false, "q"));
    space.put("memory/decisions/plan.md", decision("x"));
    let memory = space.memory();
    let text = "Do #rules then #rules, #style; `#rules` #plan #nobody #plain";
    let made = memory.expand(member(), text, Writer::Person).unwrap();
    assert_eq!(made.text, "Do Be short. #style then #rules, #style; `#rules` #plan #nobody no frontmatter");
    assert_eq!((made.expanded, made.kept), (vec![slug("rules"), slug("plain")], vec![slug("style")]));
    let made = memory.expand(member(), "#style", Writer::Agent).unwrap();
    assert_eq!(made.text, "STYLE");
    let uses = space.uses.0.lock().unwrap();
    assert_eq!(
        uses.iter().map(|event| (event.how, event.record.slug.as_str())).collect::<Vec<_>>(),
        [(Use::Expanded, "rules"), (Use::Expanded, "plain"), (Use::Expanded, "style")]
    );
    assert_eq!(uses[0].member.as_deref(), Some("tester"));
    let (residents, problems) = memory.resident().unwrap();
    assert_eq!(resident_text(&residents), "rules: the rules\nstyle: hidden from people\n");
    assert!(problems.is_empty());
}

#[test]
fn a_hundred_writes_at_once_from_threads() {
    let space = Space::new();
    let memory = space.memory();
    space.put("memory/decisions/plan.md", decision("start\n"));
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let memory = memory.clone();
            scope.spawn(move || {
                for n in 0..25 {
                    let line = format!("start\n{thread}-{n}\n");
                    edit(
                        &memory,
                        json!({"kind": "decision", "slug": "plan", "old_string": "start\n", "new_string": line}),
                    )
                    .unwrap();
                }
            });
        }
    });
    assert_eq!(
        space
            .get("memory/decisions/plan.md")
            .lines()
            .filter(|line| line.contains('-') && !line.contains([':', ' ']))
            .count(),
        102
    );
}

/// What a killed process left beside a record may be somebody's words: it is cleared away after an hour, and kept.
#[test]
fn leftovers_are_kept_and_cleared() {
    let space = Space::new();
    let memory = space.memory();
    space.put("memory/decisions/plan.md", decision("x"));
    space.put("memory/decisions/.kiroku-1.tmp", "somebody's words");
    let now = kiroku_model::Clock::now(&kiroku_model::SystemClock).0;
    for (hours, left) in [(0, true), (2, false)] {
        *space.clock.0.lock().unwrap() = Time(now + hours * 60 * 60 * 1000);
        write(&memory, json!({"kind": "decision", "slug": "plan", "content": decision(&format!("{hours}"))})).unwrap();
        assert_eq!(space.path("memory/decisions/.kiroku-1.tmp").exists(), left);
    }
    let kept: Vec<String> = memory.recovery().list().into_iter().map(|entry| entry.hash).collect();
    assert!(kept.contains(&hash(b"somebody's words")));
}
