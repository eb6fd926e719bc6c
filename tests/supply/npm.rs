//! The npm packages of the lock files.

use crate::Result;
use serde_json::Value;

/// The lock files, from the repository's top.
pub const LOCKS: [&str; 2] = ["ui/package-lock.json", "tests/mcp/client/package-lock.json"];

/// A package that a lock file names.
pub struct Locked {
    pub name: String,
    pub licence: Option<String>,
    /// Whether a SHA-512 hash says what it is.
    pub fixed: bool,
}

/// The packages of a lock file.
pub fn locked(lock: &str) -> Result<Vec<Locked>> {
    let text = std::fs::read_to_string(kiroku_tests::repository().join(lock))?;
    let read: Value = serde_json::from_str(&text)?;
    let packages = read["packages"].as_object().ok_or_else(|| format!("{lock} names no packages"))?;
    // The entry with the empty name is the project itself.
    let theirs = packages.iter().filter(|(name, package)| !name.is_empty() && package["link"] != true);
    let locked = theirs.map(|(name, package)| Locked {
        name: name.clone(),
        licence: package["license"].as_str().map(str::to_owned),
        fixed: package["integrity"].as_str().is_some_and(|hash| hash.starts_with("sha512-")),
    });
    Ok(locked.collect())
}
