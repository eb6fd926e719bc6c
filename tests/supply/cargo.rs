//! The crates of the lock file, as cargo knows them offline.

use crate::Result;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// A crate that is not ours.
pub struct Package {
    pub name: String,
    pub version: String,
    pub licence: Option<String>,
    pub repository: Option<String>,
    /// Where its source is on this machine.
    pub folder: PathBuf,
}

impl Package {
    /// Its name and version.
    pub fn named(&self) -> String {
        format!("{} {}", self.name, self.version)
    }
}

/// Every crate that any target of the workspace can take in, by name. Where the crates of other platforms can't be
/// fetched, those of this one; that is said.
pub fn packages() -> Result<Vec<Package>> {
    let every = ["metadata", "--format-version", "1", "--locked"];
    let offline = [&every[..], &["--offline"]].concat();
    let read = cargo(&offline).or_else(|_| cargo(&every)).or_else(|error| {
        println!("the crates of other platforms could not be looked at ({})", last_line(&error.to_string()));
        cargo(&[&offline[..], &["--filter-platform", &host()?]].concat())
    })?;
    let metadata: Value = serde_json::from_str(&read)?;
    let all = metadata["packages"].as_array().ok_or("cargo names no packages")?;
    let theirs = all.iter().filter(|package| !package["source"].is_null());
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let mut packages = Vec::new();
    for package in theirs {
        packages.push(Package {
            name: text(&package["name"]).ok_or("a crate without a name")?,
            version: text(&package["version"]).ok_or("a crate without a version")?,
            licence: text(&package["license"]),
            repository: text(&package["repository"]),
            folder: PathBuf::from(package["manifest_path"].as_str().unwrap_or_default()).with_file_name(""),
        });
    }
    packages.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    Ok(packages)
}

/// What is compiled into the programs that people install: names and versions.
pub fn compiled_in() -> Result<BTreeSet<(String, String)>> {
    let mut found = BTreeSet::new();
    for program in ["kiroku-desktop", "kiroku-cli"] {
        let tree = cargo(&[
            "tree",
            "--locked",
            "--package",
            program,
            "--edges",
            "normal",
            "--prefix",
            "none",
            "--format",
            "{p}",
        ])?;
        for line in tree.lines() {
            let mut words = line.split_whitespace();
            if let (Some(name), Some(version)) = (words.next(), words.next()) {
                found.insert((name.to_owned(), version.trim_start_matches('v').to_owned()));
            }
        }
    }
    Ok(found)
}

/// The platform that we stand on, as rustc names it.
fn host() -> Result<String> {
    let output = Command::new("rustc").arg("-vV").stdin(Stdio::null()).output()?;
    let said = String::from_utf8(output.stdout)?;
    let host = said.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.ok_or("rustc does not say its host")?.to_owned())
}

fn cargo(args: &[&str]) -> Result<String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output =
        Command::new(cargo).args(args).current_dir(kiroku_tests::repository()).stdin(Stdio::null()).output()?;
    if output.status.success() {
        return Ok(String::from_utf8(output.stdout)?);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!("`cargo {}` ended with {}\n{}", args.join(" "), output.status, said.trim_end()).into())
}

fn last_line(text: &str) -> &str {
    text.lines().next_back().unwrap_or_default().trim()
}
