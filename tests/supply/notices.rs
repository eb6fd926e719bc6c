//! The licences of everything that is compiled into the programs, as their authors ask: each package with its licence,
//! and each licence text once with the packages that it came with.

use crate::{Result, cargo};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// What the page takes in: folders below `ui/node_modules`. Packages that only build or test it are not compiled in.
const PAGE: [&str; 12] = [
    "svelte",
    "@codemirror",
    "@lezer",
    "@lucide/svelte",
    "@marijn/find-cluster-break",
    "@tanstack/virtual-core",
    "@tauri-apps/api",
    "clsx",
    "crelt",
    "esm-env",
    "style-mod",
    "w3c-keyname",
];

/// Writes the file.
pub fn write(file: &Path) -> Result<()> {
    let wanted = cargo::compiled_in()?;
    let mut listed = Vec::new();
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in cargo::packages()? {
        if !wanted.contains(&(package.name.clone(), package.version.clone())) {
            continue;
        }
        let licence = package.licence.as_deref().unwrap_or("see below");
        let home = package.repository.as_deref().unwrap_or("");
        listed.push(format!("{}  {licence}  {home}", package.named()));
        gather(&package.folder, &package.named(), &mut texts)?;
    }
    let crates = listed.len();
    for name in PAGE {
        let folder = kiroku_tests::repository().join("ui/node_modules").join(name);
        // A name alone may be a scope with packages in it.
        let folders = if folder.join("package.json").exists() { vec![folder] } else { within(&folder)? };
        for folder in folders {
            let about: serde_json::Value =
                serde_json::from_str(&std::fs::read_to_string(folder.join("package.json"))?)?;
            let text = |field: &str| about[field].as_str().unwrap_or_default().to_owned();
            let named = format!("{} {}", text("name"), text("version"));
            listed.push(format!("{named}  {}  npm", text("license")));
            gather(&folder, &named, &mut texts)?;
        }
    }
    let mut out = String::from("Kiroku is made with these packages.\n\n");
    listed.iter().try_for_each(|line| writeln!(out, "{line}"))?;
    for (text, packages) in &texts {
        writeln!(out, "\n{}\n{}\n\n{text}", "-".repeat(80), packages.join(", "))?;
    }
    std::fs::write(file, out)?;
    println!("{crates} crates and {} npm packages in {}", listed.len() - crates, file.display());
    Ok(())
}

fn within(folder: &Path) -> Result<Vec<std::path::PathBuf>> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut found: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    found.sort();
    Ok(found)
}

/// Adds the licence texts that stand in a package's folder.
fn gather(folder: &Path, named: &str, texts: &mut BTreeMap<String, Vec<String>>) -> Result<()> {
    for path in within(folder)? {
        let name = path.file_name().map(|name| name.to_string_lossy().to_uppercase()).unwrap_or_default();
        let is_licence =
            ["LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE"].iter().any(|word| name.starts_with(word));
        if is_licence && path.is_file() {
            let text = String::from_utf8_lossy(&std::fs::read(&path)?).trim().replace("\r\n", "\n");
            let packages = texts.entry(text).or_default();
            if packages.last().map(String::as_str) != Some(named) {
                packages.push(named.to_owned());
            }
        }
    }
    Ok(())
}
