//! Build script of the app: reads `tauri.conf.json`, the capabilities and the icons, and says in one line what is
//! missing when the page has not been built, which Tauri's own macro would say with a stack of notes.

use std::path::Path;

fn main() {
    println!("cargo:rerun-if-changed=src-tauri/capabilities");
    println!("cargo:rerun-if-changed=src-tauri/icons");
    println!("cargo:rerun-if-changed=ui/dist");
    if !Path::new("ui/dist/index.html").exists() {
        println!("cargo::error=ui/dist is not built: run `cargo xtask setup`, or `npm ci && npm run build` in ui/");
        return;
    }
    let attributes = tauri_build::Attributes::new().capabilities_path_pattern("src-tauri/capabilities/**/*.json");
    if let Err(error) = tauri_build::try_build(attributes) {
        println!("cargo::error=tauri-build: {error:#}");
    }
}
