//! Writes `ui/src/bindings.ts`, the page's view of the shell, from the commands and events as they stand in Rust:
//! `cargo run --example bindings`.

use std::path::Path;

fn main() -> std::process::ExitCode {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui/src/bindings.ts");
    match kiroku_desktop::bindings::write::<tauri::Wry>(&path) {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            std::process::ExitCode::FAILURE
        }
    }
}
