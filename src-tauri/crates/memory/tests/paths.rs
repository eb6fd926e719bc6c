//! Nothing outside the content root is read or written, whatever lies in it; what is refused is refused by name.

#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test's own functions")]

mod common;

use common::{Space, call, decision, record};
use kiroku_memory::tools::{
    self, MemorySearchInput, memory_delete, memory_edit, memory_read, memory_search, memory_write,
};
use kiroku_memory::{ContentRoot, RecordKind, Slug};
use kiroku_model::ErrorCode;
use rustix::fs::{CWD, FileType, Mode, mknodat};
use serde_json::json;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

/// Reading, writing, editing and deleting `slug` are all refused with `code`.
fn refused(space: &Space, slug: &str, code: ErrorCode) {
    let memory = space.memory();
    let call = call(&memory);
    let content = decision("new");
    let errors = [
        memory_read(&call, &tools::input(json!({"kind": "decision", "slug": slug})).unwrap()).unwrap_err(),
        memory_write(&call, &tools::input(json!({"kind": "decision", "slug": slug, "content": content})).unwrap())
            .unwrap_err(),
        memory_edit(
            &call,
            &tools::input(json!({"kind": "decision", "slug": slug, "old_string": "a", "new_string": "b"})).unwrap(),
        )
        .unwrap_err(),
        memory_delete(&call, &tools::input(json!({"kind": "decision", "slug": slug})).unwrap()).unwrap_err(),
    ];
    for error in errors {
        assert_eq!(error.code(), code, "{slug}: {error}");
    }
}

fn problems(space: &Space) -> Vec<String> {
    let memory = space.memory();
    memory_search(&call(&memory), &MemorySearchInput { query: "secret".into() })
        .unwrap()
        .problems
        .into_iter()
        .map(|p| p.file)
        .collect()
}

#[test]
fn names_that_lead_elsewhere() {
    let space = Space::new();
    space.put("memory/decisions/a.md", decision("x"));
    for name in ["..", "../a", "../../etc/passwd", "/etc/passwd", "a/b", ".", "a\0b", "a.md", "A", "ａ", "con ", "a\n"]
    {
        refused(&space, name, ErrorCode::InvalidInput);
    }
    refused(&space, &"a".repeat(251), ErrorCode::InvalidInput);
}

#[test]
fn links_out_of_the_root() {
    let outside = tempfile::tempdir().unwrap();
    let secret = outside.path().join("secret.md");
    std::fs::write(&secret, decision("secret")).unwrap();
    let space = Space::new();
    space.put("memory/decisions/real.md", decision("fine"));
    let link = |to: &Path, name: &str| symlink(to, space.path(&format!("memory/decisions/{name}.md"))).unwrap();
    link(&secret, "out");
    link(Path::new("/nowhere/at/all"), "gone");
    link(Path::new("round.md"), "round");
    link(Path::new("there.md"), "back");
    link(Path::new("back.md"), "there");
    link(Path::new("/dev/zero"), "device");
    link(Path::new(".."), "folder");
    space.put("memory/_staging/hidden.md", decision("secret"));
    link(Path::new("../_staging/hidden.md"), "staged");
    for name in ["out", "gone", "round", "back", "there", "device", "folder", "staged"] {
        refused(&space, name, ErrorCode::Refused);
    }
    assert_eq!(problems(&space).len(), 8);
    assert_eq!(std::fs::read_to_string(&secret).unwrap(), decision("secret"));
    // A link that stays inside is followed to its file, and stays a link.
    space.put("notes/real.md", decision("inside secret"));
    link(Path::new("../../notes/real.md"), "inside");
    let memory = space.memory();
    let input =
        tools::input(json!({"kind": "decision", "slug": "inside", "old_string": "secret", "new_string": "word"}))
            .unwrap();
    memory_edit(&call(&memory), &input).unwrap();
    assert_eq!(space.get("notes/real.md"), decision("inside word"));
    assert!(space.path("memory/decisions/inside.md").is_symlink());
    memory_delete(&call(&memory), &tools::input(json!({"kind": "decision", "slug": "inside"})).unwrap()).unwrap();
    assert!(space.path("notes/real.md").exists() && !space.path("memory/decisions/inside.md").is_symlink());
}

#[test]
fn folders_that_are_links() {
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("a.md"), decision("secret")).unwrap();
    for to in [outside.path(), Path::new("_staging"), Path::new("/nowhere"), Path::new("decisions")] {
        let space = Space::new();
        space.put("memory/_staging/a.md", decision("secret"));
        symlink(to, space.path("memory/decisions")).unwrap();
        refused(&space, "a", ErrorCode::Refused);
        refused(&space, "new", ErrorCode::Refused);
        assert_eq!(problems(&space), ["memory/decisions"]);
    }
    assert_eq!(std::fs::read_dir(outside.path()).unwrap().count(), 1);
    let space = Space::new();
    std::fs::remove_dir(space.path("memory")).unwrap();
    symlink(outside.path(), space.path("memory")).unwrap();
    let root = ContentRoot::at(space.folder.path()).unwrap();
    assert_eq!(root.create_directories().unwrap_err().code(), ErrorCode::Refused);
    assert_eq!(std::fs::read_dir(outside.path()).unwrap().count(), 1);
}

#[test]
fn special_files_and_folders() {
    let space = Space::new();
    space.put("memory/decisions/real.md", decision("fine"));
    mknodat(CWD, space.path("memory/decisions/pipe.md"), FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
    std::fs::create_dir(space.path("memory/decisions/folder.md")).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(space.path("memory/decisions/socket.md")).unwrap();
    for name in ["pipe", "folder", "socket"] {
        refused(&space, name, ErrorCode::Refused);
    }
    assert_eq!(problems(&space), ["memory/decisions/pipe.md", "memory/decisions/socket.md"]);
    mknodat(CWD, space.path("memory/summary.md"), FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
    assert_eq!(problems(&space).len(), 3);
}

#[test]
fn twins_and_long_names() {
    let space = Space::new();
    space.put("memory/decisions/Plan.md", decision("secret"));
    let longest = "x".repeat(252);
    space.put(&format!("memory/decisions/{longest}.md"), decision("secret"));
    std::fs::write(
        space.path("memory/decisions").join(<std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(b"\xff.md")),
        "x",
    )
    .unwrap();
    std::fs::write(space.path("memory/decisions/.#lock.md"), "x").unwrap();
    let memory = space.memory();
    let listing = memory.root().list(RecordKind::Decision).unwrap();
    assert!(listing.entries.is_empty());
    let offered: Vec<Option<String>> =
        listing.problems.iter().map(|p| p.rename_to.as_ref().map(Slug::to_string)).collect();
    assert_eq!(offered, [Some("plan".into()), Some("x".repeat(64)), None]);
    let input = tools::input(json!({"kind": "decision", "slug": "plan", "content": decision("y")})).unwrap();
    let error = memory_write(&call(&memory), &input).unwrap_err();
    assert_eq!(error.code(), ErrorCode::Refused);
    assert!(error.to_string().contains("Plan.md"), "{error}");
    assert!(!space.path("memory/decisions/plan.md").exists());
    assert_eq!(
        memory.mend_name("memory/decisions/Plan.md", &Slug::parse("plan").unwrap()).unwrap(),
        record(RecordKind::Decision, "plan")
    );
    assert_eq!(space.get("memory/decisions/plan.md"), decision("secret"));
    for not in ["memory/decisions/plan.md", "memory/decisions/../x.md", "/etc/passwd", "Plan.md"] {
        assert_eq!(memory.mend_name(not, &Slug::parse("y").unwrap()).unwrap_err().code(), ErrorCode::NotFound, "{not}");
    }
    let error = memory.rename(&record(RecordKind::Decision, "gone"), &Slug::parse("x").unwrap(), None).unwrap_err();
    assert_eq!(error.code(), ErrorCode::NotFound);
}

#[test]
fn read_only_and_modes() {
    let space = Space::new();
    space.put("memory/decisions/locked.md", decision("a"));
    space.put("memory/decisions/shared.md", decision("a"));
    let mode = |file: &str| std::fs::metadata(space.path(file)).unwrap().permissions().mode() & 0o777;
    std::fs::set_permissions(space.path("memory/decisions/locked.md"), PermissionsExt::from_mode(0o444)).unwrap();
    std::fs::set_permissions(space.path("memory/decisions/shared.md"), PermissionsExt::from_mode(0o664)).unwrap();
    let memory = space.memory();
    let edit = |slug: &str| {
        memory_edit(
            &call(&memory),
            &tools::input(
                json!({"kind": "decision", "slug": slug, "old_string": "a", "new_string": "b", "replace_all": true}),
            )
            .unwrap(),
        )
    };
    let error = memory_write(
        &call(&memory),
        &tools::input(json!({"kind": "decision", "slug": "locked", "content": decision("b")})).unwrap(),
    )
    .unwrap_err();
    assert_eq!(error.code(), ErrorCode::Refused);
    assert!(error.to_string().contains("read-only"));
    assert!(
        memory_delete(&call(&memory), &tools::input(json!({"kind": "decision", "slug": "locked"})).unwrap())
            .unwrap_err()
            .to_string()
            .contains("read-only")
    );
    assert!(memory.recovery().list().is_empty(), "nothing is kept of what was not done");
    assert_eq!((space.get("memory/decisions/locked.md"), mode("memory/decisions/locked.md")), (decision("a"), 0o444));
    assert!(edit("shared").is_err(), "the checker sees what it makes of the frontmatter");
    memory_write(
        &call(&memory),
        &tools::input(json!({"kind": "decision", "slug": "shared", "content": decision("b")})).unwrap(),
    )
    .unwrap();
    assert_eq!(mode("memory/decisions/shared.md"), 0o664);
}

/// Root may read everything, so this shows only what an ordinary user meets.
#[test]
fn permission_denied_is_told() {
    if rustix::process::geteuid().is_root() {
        return;
    }
    let space = Space::new();
    space.put("memory/decisions/closed.md", decision("secret"));
    std::fs::set_permissions(space.path("memory/decisions/closed.md"), PermissionsExt::from_mode(0o000)).unwrap();
    assert_eq!(problems(&space), ["memory/decisions/closed.md"]);
    let memory = space.memory();
    let error =
        memory_read(&call(&memory), &tools::input(json!({"kind": "decision", "slug": "closed"})).unwrap()).unwrap_err();
    assert_eq!(error.code(), ErrorCode::Io);
}
