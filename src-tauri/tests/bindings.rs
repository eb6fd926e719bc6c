//! The page's view of the shell, `ui/src/bindings.ts`, is what the Rust side is now.

use std::fs;
use std::path::Path;
use tauri::test::MockRuntime;

#[test]
fn the_bindings_are_fresh() {
    let dir = tempfile::tempdir().unwrap();
    let fresh = dir.path().join("bindings.ts");
    kiroku_desktop::bindings::write::<MockRuntime>(&fresh).unwrap();
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui/src/bindings.ts");
    assert!(
        fs::read_to_string(&fresh).unwrap() == fs::read_to_string(kept).unwrap_or_default(),
        "ui/src/bindings.ts is stale: cargo run --example bindings"
    );
}
