//! Memory and knowledge: what the window reads, checks, saves and does with records, beside others who write them too.

use crate::Shell;
use kiroku_desktop::events::Told;
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;

const TAX: &str = "knowledge:tax-rounding";

/// The sample space, with its records' folder.
struct Desk {
    shell: Shell,
    root: PathBuf,
}

impl Desk {
    fn new() -> Desk {
        let shell = Shell::with_sample();
        let root = shell.app.place().sample_dir();
        Desk { shell, root }
    }
    fn call(&self, command: &str, args: Value) -> Value {
        self.shell.call(command, args).unwrap()
    }
    fn refusal(&self, command: &str, args: Value) -> String {
        self.shell.refusal(command, args)
    }
    fn list(&self) -> Value {
        self.call("records", json!({"turn": 0}))
    }
    fn row(&self, name: &str) -> Option<Value> {
        self.list()["records"].as_array().unwrap().iter().find(|row| row["ref"] == name).cloned()
    }
    fn read(&self, name: &str) -> Value {
        self.call("read_record", json!({ "record": name }))
    }
    fn file(&self, file: &str) -> String {
        fs::read_to_string(self.root.join(file)).unwrap()
    }
    fn write(&self, file: &str, text: &str) {
        fs::write(self.root.join(file), text).unwrap();
    }
    fn save(&self, name: &str, text: &str, base: &Value) -> Value {
        self.call("save_record", json!({"record": name, "text": text, "base": base}))
    }
    /// Waits until the records of the open space are watched.
    fn watched(&self) {
        let open = self.call("current_space", json!({}));
        self.shell.wait_for(|told| match told {
            Told::RecordsChanged(changed) => (changed.all && changed.space == text(&open["uid"])).then_some(()),
            _ => None,
        });
    }
    /// Waits until the page is told of a change of this record.
    fn told_of(&self, name: &str) {
        self.shell.wait_for(|told| match told {
            Told::RecordsChanged(changed) => changed.refs.iter().any(|one| one == name).then_some(()),
            _ => None,
        });
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

/// The lines of `after` that `before` has not.
fn new_lines<'a>(before: &str, after: &'a str) -> Vec<&'a str> {
    after.lines().filter(|line| !before.lines().any(|old| old == *line)).collect()
}

#[test]
fn all_records_at_one_look_with_what_is_wrong() {
    let desk = Desk::new();
    desk.write("knowledge/broken.md", "---\nkind: a: b\n---\n# 題\n");
    desk.write("knowledge/Old Notes.md", "x");
    fs::write(desk.root.join("knowledge/legacy.md"), b"---\n\x83\x65\n").unwrap();
    desk.write("memory/_usage.md", "never listed");
    let list = desk.list();
    assert_eq!(text(&list["root"]), fs::canonicalize(&desk.root).unwrap().display().to_string());
    assert_eq!(list["has_folders"], true);
    let names: Vec<&str> = list["records"].as_array().unwrap().iter().map(|row| text(&row["ref"])).collect();
    assert_eq!(names[0], "summary");
    assert!(!names.iter().any(|name| name.contains("usage")));
    let row = |name: &str| desk.row(name).unwrap();
    let tax = row(TAX);
    assert_eq!((text(&tax["type"]), &tax["errors"], &tax["unreadable"]), ("rule", &json!(0), &Value::Null));
    assert_eq!(text(&tax["about"]), "消費税の端数処理と、税率が混ざる注文の計算のしかた");
    assert_eq!(text(&row("decision:totp-recovery")["status"]), "open");
    let broken = row("knowledge:broken");
    assert_eq!((&broken["errors"], text(&broken["about"])), (&json!(1), "題"));
    assert!(text(&row("knowledge:legacy")["unreadable"]).contains("UTF-8"));
    let strays = list["strays"].as_array().unwrap();
    assert_eq!((text(&strays[0]["file"]), text(&strays[0]["rename_to"])), ("knowledge/Old Notes.md", "old-notes"));
    let mended = desk.call("mend_record_name", json!({"file": "knowledge/Old Notes.md", "slug": "old-notes"}));
    assert_eq!(mended, "knowledge:old-notes");
    assert_eq!(desk.file("knowledge/old-notes.md"), "x");
    assert_eq!(desk.list()["strays"], json!([]));
    assert_eq!(desk.refusal("read_record", json!({"record": "knowledge:legacy"})), "damaged");
}

#[test]
fn no_name_leads_out_of_the_folder() {
    let desk = Desk::new();
    for name in ["knowledge:../space", "decision:..", "workflow:x", "summary:other", "knowledge:/etc/passwd", ""] {
        assert_eq!(desk.refusal("read_record", json!({ "record": name })), "invalid_input", "{name}");
        let save = json!({"record": name, "text": "x", "base": "0"});
        assert_eq!(desk.refusal("save_record", save), "invalid_input", "{name}");
        assert_eq!(desk.refusal("create_record_of", json!({"record": name, "text": "x"})), "invalid_input", "{name}");
    }
    #[cfg(unix)]
    {
        let outside = desk.shell.dir.path().join("outside.md");
        fs::write(&outside, "secret").unwrap();
        std::os::unix::fs::symlink(&outside, desk.root.join("knowledge/link.md")).unwrap();
        assert_eq!(desk.refusal("read_record", json!({"record": "knowledge:link"})), "refused");
        let row = desk.row("knowledge:link").unwrap();
        assert!(row["unreadable"].is_string() && row["about"] == "", "{row}");
        let save = json!({"record": "knowledge:link", "text": "x", "base": "0"});
        assert_eq!(desk.refusal("save_record", save), "refused");
        assert_eq!(fs::read_to_string(&outside).unwrap(), "secret");
    }
}

#[test]
fn one_field_is_one_line_and_a_save_writes_when() {
    let desk = Desk::new();
    let before = desk.file("knowledge/tax-rounding.md");
    let read = desk.read(TAX);
    assert_eq!((text(&read["text"]), &read["read_only"], &read["line_ends"]), (&*before, &json!(false), &json!("lf")));
    let fields = desk.call("record_fields", json!({"record": TAX, "text": before}));
    let kind = fields["fields"].as_array().unwrap().iter().find(|field| field["name"] == "kind").unwrap();
    assert_eq!(kind["value"], json!({"type": "text", "value": "rule"}));
    let value = json!({"type": "text", "value": "house rule"});
    let set = desk.call("set_record_field", json!({"text": before, "field": "kind", "value": value}));
    assert_eq!(new_lines(&before, text(&set)), ["kind: house rule"]);
    let saved = desk.save(TAX, text(&set), &read["hash"]);
    assert_eq!(saved["outcome"], "saved");
    let after = desk.file("knowledge/tax-rounding.md");
    assert_eq!(saved["record"]["text"], *after);
    let new = new_lines(&before, &after);
    assert!(new.len() == 2 && new[0] == "kind: house rule" && new[1].starts_with("updated_at: "), "{new:?}");
    // The hash is that of what is there now.
    assert_eq!(saved["record"]["hash"], desk.read(TAX)["hash"]);
    let without = desk.call("remove_record_field", json!({"text": after, "field": "kind"}));
    assert_eq!(text(&without), after.replace("kind: house rule\n", ""));
    let braces = json!({"text": "---\n{a: 1}\n---\n", "field": "a", "value": {"type": "int", "value": 2}});
    assert_eq!(desk.refusal("set_record_field", braces), "refused");
}

#[test]
fn a_file_keeps_its_line_ends_and_its_mark() {
    let desk = Desk::new();
    let file = "\u{feff}---\r\ncreated_at: 2026-01-01T00:00:00Z\r\nupdated_at: 2026-01-01T00:00:00Z\r\nsources: []\r\n---\r\none\r\ntwo\nthree";
    desk.write("memory/requests/mixed.md", file);
    let read = desk.read("request:mixed");
    assert_eq!((&read["line_ends"], &read["bom"]), (&json!("mixed"), &json!(true)));
    let shown = text(&read["text"]);
    assert_eq!(shown, file.replace("\r\n", "\n"));
    let fix = &read["findings"][0]["fixes"][0]["edit"];
    assert_eq!((&fix["from"], &fix["to"], &fix["insert"]), (&json!(0), &json!(1), &json!("")));
    desk.save("request:mixed", &shown.replace("two\n", "two\nnew\n"), &read["hash"]);
    let after = desk.file("memory/requests/mixed.md");
    assert!(after.starts_with("\u{feff}---\r\n") && after.ends_with("one\r\ntwo\nnew\r\nthree"), "{after:?}");
}

#[test]
fn a_text_is_checked_as_it_is_typed_with_places_and_fixes() {
    let desk = Desk::new();
    let good = desk.file("memory/decisions/totp-recovery.md");
    let bad = good.replace("status: open", "status: 𠮷done") + "\n#support-identity-chek\n";
    let check =
        |text: &str| desk.call("check_record", json!({"turn": 0, "record": "decision:totp-recovery", "text": text}));
    let found = check(&bad);
    let units: Vec<u16> = bad.encode_utf16().collect();
    let at = |finding: &Value| {
        let place = |end: &str| finding[end].as_u64().unwrap() as usize;
        String::from_utf16(&units[place("from")..place("to")]).unwrap()
    };
    let status = found.as_array().unwrap().iter().find(|one| one["code"] == "status_unknown").unwrap();
    assert_eq!((at(status).as_str(), &status["severity"]), ("𠮷done", &json!("error")));
    let edit = &status["fixes"][0]["edit"];
    let place = |end: &str| edit[end].as_u64().unwrap() as usize;
    let mut mended = units.clone();
    mended.splice(place("from")..place("to"), text(&edit["insert"]).encode_utf16());
    let mended = String::from_utf16(&mended).unwrap();
    assert!(check(&mended).as_array().unwrap().iter().all(|one| one["code"] != "status_unknown"));
    let last = found.as_array().unwrap().last().unwrap();
    assert_eq!(at(last), "#support-identity-chek");
}

#[test]
fn beside_another_writer_nothing_is_lost() {
    let desk = Desk::new();
    let read = desk.read(TAX);
    let base = text(&read["text"]);
    desk.watched();
    let theirs = base.replace("1回だけ切り捨てる。商品", "1回だけ切り捨てる（agent）。商品");
    desk.write("knowledge/tax-rounding.md", &theirs);
    desk.told_of(TAX);
    let mine = format!("{base}\nMine.\n");
    let conflict = desk.save(TAX, &mine, &read["hash"]);
    assert_eq!((&conflict["outcome"], text(&conflict["theirs"]["text"])), (&json!("conflict"), &*theirs));
    assert_eq!(desk.file("knowledge/tax-rounding.md"), theirs);
    let merged = desk.call("merge_record", json!({"base": base, "draft": mine, "present": theirs}));
    assert_eq!(merged["conflicts"], json!([]));
    let saved = desk.save(TAX, text(&merged["text"]), &conflict["theirs"]["hash"]);
    assert_eq!(saved["outcome"], "saved");
    let now = desk.file("knowledge/tax-rounding.md");
    assert!(now.contains("（agent）") && now.contains("Mine."), "{now}");
    // What somebody removed meanwhile is a conflict with nothing, and can be made again.
    fs::remove_file(desk.root.join("knowledge/tax-rounding.md")).unwrap();
    let gone = desk.save(TAX, "x", &saved["record"]["hash"]);
    assert_eq!(gone, json!({"outcome": "conflict", "theirs": null}));
    desk.call("create_record_of", json!({"record": TAX, "text": now}));
    assert_eq!(desk.file("knowledge/tax-rounding.md"), now);
    assert_eq!(desk.refusal("create_record_of", json!({"record": TAX, "text": now})), "refused");
}

#[cfg(unix)]
#[test]
fn a_read_only_file_says_so_and_stays() {
    use std::os::unix::fs::PermissionsExt;
    let desk = Desk::new();
    let path = desk.root.join("knowledge/tax-rounding.md");
    let before = desk.file("knowledge/tax-rounding.md");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
    let read = desk.read(TAX);
    assert_eq!((&read["read_only"], &desk.row(TAX).unwrap()["read_only"]), (&json!(true), &json!(true)));
    let save = json!({"record": TAX, "text": "x", "base": read["hash"]});
    assert_eq!(desk.refusal("save_record", save), "refused");
    let rename = json!({"record": TAX, "slug": "other", "base": read["hash"]});
    assert_eq!(desk.refusal("rename_record", rename), "refused");
    assert_eq!(desk.refusal("preview_rename", json!({"record": TAX, "slug": "other"})), "refused");
    assert_eq!(desk.file("knowledge/tax-rounding.md"), before);
}

#[test]
fn a_new_record_knows_the_comments_that_it_comes_from() {
    let desk = Desk::new();
    let query = json!({"query": "税率", "filter": {"kind": "request"}, "order": "newest"});
    let hits = desk.call("search", json!({"field": "s", "turn": 1, "query": query}));
    let comment = &hits["hits"][0]["ref"];
    let slug = desk.call("suggest_slug", json!({"kind": "knowledge", "title": "Tax, rounding"}));
    assert_eq!(slug, "tax-rounding-2");
    let japanese = desk.call("suggest_slug", json!({"kind": "decision", "title": "端数の扱い"}));
    assert!(text(&japanese).starts_with("decision-20"), "{japanese}");
    let fields =
        json!({"description": {"type": "text", "value": "端数: まとめ"}, "kind": {"type": "text", "value": "rule"}});
    let new = |slug: &str| json!({"kind": "knowledge", "slug": slug, "fields": fields, "body": "# 端数\r\n\r\nまとめ", "comments": [comment]});
    let made = desk.call("create_record", json!({"record": new("tax-notes")}));
    assert_eq!(made["findings"], json!([]));
    let file = desk.file("knowledge/tax-notes.md");
    assert!(file.contains("description: \"端数: まとめ\"\n") && file.ends_with("---\n\n# 端数\n\nまとめ\n"), "{file}");
    let around = desk.call("record_around", json!({"record": "knowledge:tax-notes"}));
    assert_eq!(around["sources"][0]["part"]["comments"][0]["ref"], *comment);
    assert_eq!(around["sources"][0]["part"]["task"], hits["hits"][0]["task"]["ref"]);
    assert_eq!((&around["uses"], &around["backlinks"]), (&Value::Null, &json!([])));
    assert_eq!(desk.refusal("create_record", json!({"record": new("tax-notes")})), "refused");
    assert_eq!(desk.refusal("create_record", json!({"record": new("Tax Notes")})), "invalid_input");
    let mut stranger = new("other");
    stranger["comments"] = json!(["comment:999999"]);
    assert_eq!(desk.refusal("create_record", json!({ "record": stranger })), "not_found");
    assert!(!desk.root.join("knowledge/other.md").exists());
    // A source that the space does not hold is told as such.
    let foreign = file.replace("session_id: ", "session_id: x");
    desk.write("knowledge/tax-notes.md", &foreign);
    let around = desk.call("record_around", json!({"record": "knowledge:tax-notes"}));
    assert_eq!(around["sources"][0]["part"], Value::Null);
}

#[test]
fn references_follow_a_rename_and_a_draft_too() {
    let desk = Desk::new();
    let summary = desk.file("memory/summary.md");
    let preview = desk.call("preview_rename", json!({"record": TAX, "slug": "tax"}));
    let files: Vec<&str> = preview["changes"].as_array().unwrap().iter().map(|one| text(&one["file"])).collect();
    assert!(files.contains(&"memory/summary.md"), "{preview}");
    let line = &preview["changes"][0]["lines"][0];
    assert!(text(&line["before"]).contains("#tax-rounding") && text(&line["after"]).contains("#tax"), "{line}");
    assert_eq!(desk.file("memory/summary.md"), summary);
    desk.call("save_draft", json!({"record": TAX, "draft": {"text": "mine", "base": "b", "base_hash": "h"}}));
    let base = desk.read(TAX)["hash"].clone();
    let stale = json!({"record": TAX, "slug": "tax", "base": "0"});
    assert_eq!(desk.refusal("rename_record", stale), "conflict");
    let renamed = desk.call("rename_record", json!({"record": TAX, "slug": "tax", "base": base}));
    assert_eq!(renamed["ref"], "knowledge:tax");
    assert_eq!(renamed["changed"].as_array().unwrap().len(), files.len());
    assert_eq!(desk.file("memory/summary.md"), summary.replace("#tax-rounding", "#tax"));
    assert_eq!(desk.refusal("read_record", json!({ "record": TAX })), "not_found");
    let drafts = desk.call("record_drafts", json!({}));
    assert_eq!((drafts.as_array().unwrap().len(), &drafts[0]["ref"]), (1, &json!("knowledge:tax")));
    let taken = json!({"record": "knowledge:tax", "slug": "island-shipping"});
    assert_eq!(desk.refusal("preview_rename", taken), "refused");
    assert_eq!(desk.refusal("preview_rename", json!({"record": "summary", "slug": "x"})), "invalid_input");
}

#[test]
fn what_is_removed_comes_back() {
    let desk = Desk::new();
    let before = desk.file("knowledge/island-shipping.md");
    let base = desk.read("knowledge:island-shipping")["hash"].clone();
    let remove = |name: &str, base: &Value, force: bool| {
        desk.shell.call("remove_record", json!({"record": name, "base": base, "force": force}))
    };
    assert_eq!(remove("knowledge:island-shipping", &json!("0"), false).unwrap_err()["code"], "conflict");
    let id = remove("knowledge:island-shipping", &base, false).unwrap();
    assert!(desk.row("knowledge:island-shipping").is_none());
    let kept = desk.call("kept_records", json!({}));
    assert_eq!((&kept[0]["ref"], &kept[0]["why"]), (&json!("knowledge:island-shipping"), &json!("deleted")));
    assert_eq!(desk.call("restore_record", json!({ "id": id })), "knowledge:island-shipping");
    assert_eq!(desk.file("knowledge/island-shipping.md"), before);
    let base = desk.read(TAX)["hash"].clone();
    let refused = remove(TAX, &base, false).unwrap_err();
    let referring = refused["details"]["referring"].as_array().unwrap();
    assert!(refused["code"] == "refused" && referring.contains(&json!("summary")), "{refused}");
    let id = remove(TAX, &base, true).unwrap();
    desk.write("knowledge/tax-rounding.md", "somebody's new text");
    assert_eq!(desk.refusal("restore_record", json!({ "id": id })), "refused");
    assert_eq!(desk.refusal("restore_record", json!({"id": "../../x"})), "not_found");
}

#[test]
fn a_search_joins_what_meets_and_counts_the_rest() {
    let desk = Desk::new();
    let search = |query: &str, kinds: Value| {
        desk.shell.call("search_records", json!({"field": "f", "turn": 0, "query": query, "kinds": kinds}))
    };
    let found = search("認証", json!(["summary", "decision", "request"])).unwrap();
    let summary = &found["records"][0];
    assert_eq!((&summary["ref"], &summary["lines"]), (&json!("summary"), &json!(2)));
    let excerpts = summary["excerpts"].as_array().unwrap();
    assert_eq!(excerpts.len(), 1);
    let (line, file) = (excerpts[0]["line"].as_u64().unwrap() as usize, desk.file("memory/summary.md"));
    let shown: Vec<&str> = text(&excerpts[0]["text"]).split('\n').collect();
    assert_eq!(file.lines().skip(line - 1).take(shown.len()).collect::<Vec<_>>(), shown);
    assert_eq!(found["left_out"], 0);
    desk.write("knowledge/long.md", &"認証\n\n\n\n\n\n\n\n\n".repeat(600));
    let found = search("認証", json!(["knowledge"])).unwrap();
    let shown: u64 = found["records"].as_array().unwrap().iter().map(|one| one["lines"].as_u64().unwrap()).sum();
    assert_eq!((shown, found["total"].as_u64().unwrap() - shown), (500, found["left_out"].as_u64().unwrap()));
    assert_eq!(search("  ", json!(["knowledge"])).unwrap_err()["code"], "invalid_input");
}

#[test]
fn a_decision_stands_as_it_is_set_to() {
    let desk = Desk::new();
    let before = desk.file("memory/decisions/totp-recovery.md");
    let set = |text: &str, status: &str, by: Value| {
        desk.call("set_record_status", json!({"text": text, "status": status, "by": by}))
    };
    let replaced = set(&before, "replaced", json!("keep-cookie-sessions"));
    assert_eq!(new_lines(&before, text(&replaced)), ["status: replaced", "replaced_by: keep-cookie-sessions"]);
    assert_eq!(set(text(&replaced), "open", Value::Null), before);
    let bad = json!({"text": before, "status": "replaced", "by": "../x"});
    assert_eq!(desk.refusal("set_record_status", bad), "invalid_input");
}

#[test]
fn drafts_are_kept_beside_no_record_and_for_their_space_alone() {
    let desk = Desk::new();
    let draft = |text: &str| json!({"text": text, "base": "base", "base_hash": "0"});
    for (name, words) in [(TAX, "first"), ("summary", "other"), (TAX, "書きかけ")] {
        desk.call("save_draft", json!({"record": name, "draft": draft(words)}));
    }
    let drafts = desk.call("record_drafts", json!({}));
    let texts: Vec<&str> = drafts.as_array().unwrap().iter().map(|one| text(&one["text"])).collect();
    assert_eq!(texts, ["書きかけ", "other"]);
    assert!(!desk.file("knowledge/tax-rounding.md").contains("書きかけ"));
    desk.call("drop_draft", json!({"record": "summary"}));
    desk.call("drop_draft", json!({"record": "summary"}));
    assert_eq!(desk.call("record_drafts", json!({})).as_array().unwrap().len(), 1);
    let path = desk.shell.path("other.db");
    let made = json!({"path": path, "name": "Other", "member": "sam", "member_name": "Sam", "anyway": true});
    desk.call("create_space", json!({ "space": made }));
    assert_eq!(desk.call("record_drafts", json!({})), json!([]));
}

#[test]
fn a_space_without_records_gets_folders_and_is_watched_from_then_on() {
    let desk = Desk::new();
    let path = desk.shell.path("fresh/space.db");
    fs::create_dir_all(desk.shell.path("fresh")).unwrap();
    let made = json!({"path": path, "name": "Fresh", "member": "sam", "member_name": "Sam", "anyway": true});
    desk.call("create_space", json!({ "space": made }));
    desk.watched();
    let list = desk.list();
    assert_eq!((&list["has_folders"], &list["records"]), (&json!(false), &json!([])));
    desk.call("make_record_folders", json!({}));
    assert_eq!(desk.list()["has_folders"], true);
    let summary = format!("{}/memory/summary.md", text(&list["root"]));
    fs::write(summary, "---\nupdated_at: 2026-01-01T00:00:00Z\n---\n").unwrap();
    desk.told_of("summary");
    assert_eq!(desk.row("summary").unwrap()["errors"], 0);
}
