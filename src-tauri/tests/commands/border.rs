//! The border itself: the shape of errors and their language, panics, taking work back, links.

use crate::{PATIENCE, Shell};
use kiroku_model::{ErrorCode, Result, WireError};
use serde_json::json;
use std::sync::mpsc::channel;
use tauri::async_runtime::{block_on, spawn};

#[test]
fn errors_cross_as_code_message_and_details_in_the_windows_language() {
    let shell = Shell::new();
    let error = shell.call("tasks", json!({"query": {"limit": 10}})).unwrap_err();
    assert_eq!(error, json!({"code": "not_found", "message": "no space is open"}));
    let japanese = json!({"language": "ja", "theme": "dark", "font_size": 15, "member": null, "member_name": null});
    shell.call("set_preferences", json!({ "preferences": japanese })).unwrap();
    let error = shell.call("tasks", json!({"query": {"limit": 10}})).unwrap_err();
    assert_eq!(error["message"], "スペースが開かれていません");
    shell.call("open_sample_space", json!({"work": "w"})).unwrap();
    let error = shell.call("around", json!({"comment": 999_999, "context": 1})).unwrap_err();
    assert_eq!(error["code"], "not_found");
    assert_eq!(error["details"], json!({"ref": "comment:999999"}));
}

#[test]
fn preferences_are_kept_and_told_and_nonsense_is_refused() {
    let shell = Shell::new();
    let start = shell.call("start", json!({})).unwrap();
    assert_eq!(start["recent"], json!([]));
    assert_eq!(start["location"], json!({"link": "kiroku://space/x/tasks"}));
    assert_eq!((&start["app"]["account"], &start["lang"]), (&json!("sam"), &json!("en")));
    let mut preferences = start["preferences"].clone();
    preferences["font_size"] = json!(200);
    assert_eq!(shell.refusal("set_preferences", json!({ "preferences": preferences })), "invalid_input");
    preferences["font_size"] = json!(18);
    shell.call("set_preferences", json!({ "preferences": preferences })).unwrap();
    let start = shell.call("start", json!({})).unwrap();
    assert_eq!(start["preferences"]["font_size"], 18);
    // The place to go first is given once: a page that is loaded again stays where it is.
    assert_eq!(start["location"], json!(null));
    // What a later program kept is read as far as it is understood.
    let kept = json!({"language": "fr", "theme": "dark", "font_size": "large"});
    shell.desk.kept.lock().unwrap().insert("preferences".to_owned(), kept);
    let read = kiroku_desktop::preferences::Preferences::read(&*shell.desk);
    assert_eq!(serde_json::to_value(&read).unwrap()["theme"], "dark");
    assert_eq!(serde_json::to_value(&read).unwrap()["language"], "system");
    assert_eq!(read.font_size, 13);
}

#[test]
fn a_panic_is_an_internal_error_and_the_program_goes_on() {
    let shell = Shell::new();
    let ended: std::result::Result<(), WireError> =
        block_on(shell.app.blocking(|_| -> Result<()> { panic!("on purpose") }));
    assert_eq!(ended.unwrap_err().code, ErrorCode::Internal);
    shell.call("start", json!({})).unwrap();
}

#[test]
fn a_new_search_takes_back_the_earlier_one_of_its_field_and_cancel_takes_back_long_work() {
    let shell = Shell::with_sample();
    let run = |name: &'static str, turn| {
        let (began, begun) = channel();
        let app = shell.app.clone();
        let work = spawn(async move {
            app.cancellable(name.to_owned(), turn, move |_, _, call| {
                began.send(()).unwrap();
                // As an engine's loop does between rows.
                while !call.cancel.is_cancelled() {
                    std::thread::yield_now();
                }
                call.cancel.check()
            })
            .await
        });
        begun.recv_timeout(PATIENCE).unwrap();
        work
    };
    let (field, long) = (run("search", 7), run("import", 0));
    let query = json!({"query": "認証"});
    // One that was made earlier and arrives late takes nothing back, and ends by itself.
    assert_eq!(shell.refusal("search", json!({"field": "search", "turn": 6, "query": query})), "cancelled");
    let answer = shell.call("search", json!({"field": "search", "turn": 8, "query": query})).unwrap();
    assert_eq!(answer["available"], true);
    assert_eq!(block_on(field).unwrap().unwrap_err().code, ErrorCode::Cancelled);
    assert_eq!(shell.call("cancel", json!({"work": "import"})).unwrap(), true);
    assert_eq!(block_on(long).unwrap().unwrap_err().code, ErrorCode::Cancelled);
    assert_eq!(shell.call("cancel", json!({"work": "import"})).unwrap(), false);
    // Closing the space takes back what runs over it.
    let long = run("doctor", 0);
    shell.call("close_space", json!({})).unwrap();
    assert_eq!(block_on(long).unwrap().unwrap_err().code, ErrorCode::Cancelled);
}

#[test]
fn only_links_to_the_web_leave_the_app() {
    let shell = Shell::new();
    shell.call("open_link", json!({"url": "https://example.org/a?b=c"})).unwrap();
    for bad in
        ["javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "example.org", "https://a b", "kiroku://x"]
    {
        assert_eq!(shell.refusal("open_link", json!({ "url": bad })), "invalid_input", "{bad}");
    }
    assert_eq!(*shell.desk.opened.lock().unwrap(), ["https://example.org/a?b=c"]);
}

#[test]
fn the_script_before_the_first_paint_carries_theme_and_language() {
    let shell = Shell::new();
    let script = kiroku_desktop::boot::Boot::of(&shell.app).script().unwrap();
    assert!(script.contains(r#"{"lang":"en","theme":"system","font_size":13,"platform":"#), "{script}");
}
