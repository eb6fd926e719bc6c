//! What the black-box suites share: the `kiroku` binary that is under test, a home of its own for each test, and what a
//! run of the binary came to. A failed expectation here is a failed test, so it panics with all that is known.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "nothing here runs outside tests")]

mod home;
mod ran;
mod reference;

pub use home::{Home, sample_space};
pub use ran::Ran;
pub use reference::pages;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The repository's root.
pub fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests/ stands in the repository")
}

/// The `kiroku` binary of the profile that the calling binary was built with, brought up to date once a process. Cargo's
/// own lock keeps two builds apart.
pub fn kiroku() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let exe = std::env::current_exe().expect("this binary has a path");
        // target/PROFILE/deps/NAME-HASH of a test, target/PROFILE/NAME of a program.
        let directory = exe
            .ancestors()
            .skip(1)
            .find(|dir| dir.file_name().is_some_and(|name| name != "deps"))
            .expect("this binary stands in a target directory");
        let profile = directory.file_name().expect("a profile's directory");
        let target = directory.parent().expect("the target directory");
        let mut build = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        build
            .args(["build", "--quiet", "--package", "kiroku-cli", "--target-dir"])
            .arg(target)
            .current_dir(repository());
        match profile.to_str() {
            Some("debug") => {}
            Some("release") => drop(build.arg("--release")),
            _ => drop(build.arg("--profile").arg(profile)),
        }
        let built = build.output().expect("cargo starts");
        assert!(built.status.success(), "kiroku does not build:\n{}", String::from_utf8_lossy(&built.stderr));
        directory.join(format!("kiroku{}", std::env::consts::EXE_SUFFIX))
    })
}
