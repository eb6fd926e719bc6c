//! What the page may do, held against exact lists, so that no door opens by the way; and what the program says where
//! no window can be shown.

#![allow(clippy::unwrap_used, reason = "clippy takes only the test functions themselves for tests")]

use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn json_file(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn the_one_capability_lets_one_local_window_listen_and_nothing_else() {
    let entries = fs::read_dir(root().join("src-tauri/capabilities")).unwrap();
    let files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    assert_eq!(files, [root().join("src-tauri/capabilities/main.json")]);
    let capability = json_file(&files[0]);
    assert_eq!(capability["identifier"], "main");
    assert_eq!(capability["local"], true);
    assert_eq!(capability["windows"], json!(["main"]));
    assert_eq!(capability["permissions"], json!(["core:event:allow-listen", "core:event:allow-unlisten"]));
    for door in ["remote", "webviews", "platforms"] {
        assert_eq!(capability[door], Value::Null, "{door}");
    }
}

#[test]
fn the_configuration_keeps_the_page_shut_in() {
    let app = json_file(&root().join("tauri.conf.json"))["app"].take();
    assert_eq!(app["withGlobalTauri"], false);
    assert_eq!(
        app["security"],
        json!({
            "freezePrototype": true,
            "capabilities": ["main"],
            "csp": {
                "default-src": "'self'",
                "script-src": "'self'",
                "style-src": "'self'",
                "img-src": "'self' data:",
                "font-src": "'self'",
                "connect-src": "'self' ipc: http://ipc.localhost",
                "object-src": "'none'",
                "base-uri": "'none'",
                "form-action": "'none'",
                "frame-src": "'none'"
            }
        })
    );
}

#[cfg(target_os = "linux")]
fn without_a_display(locale: &str) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_kiroku-desktop"));
    program.env_clear().env("LANG", locale).output().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn without_a_display_it_says_so_in_the_persons_language_and_ends() {
    for (locale, says) in [("C.UTF-8", "there is no display here"), ("ja_JP.UTF-8", "画面のない環境です")] {
        let output = without_a_display(locale);
        assert_eq!(output.status.code(), Some(1));
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.starts_with("kiroku-desktop: ") && said.contains(says), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}
