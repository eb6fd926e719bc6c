//! The direction rule: crates depend only downward, so that an engine can be read, tested and used without what stands
//! above it. Cargo forbids cycles but not shortcuts; this does.

use crate::Places;
use crate::command::Failure;
use std::fs;
use std::path::Path;

/// Our packages from the bottom up. A package may use those on lower lines only, never one beside it.
const LEVELS: [&[&str]; 7] = [
    &["kiroku-model"],
    &["kiroku-store", "kiroku-sources"],
    &["kiroku-search", "kiroku-memory", "kiroku-tasks"],
    &["kiroku-api"],
    &["kiroku-mcp"],
    &["kiroku-cli", "kiroku-desktop"],
    &["kiroku-tests"],
];

/// Packages from outside that are kept to few of ours: the beginning of their names, and who may name them.
const KEPT: [(&str, &[&str]); 3] = [
    ("tauri", &["kiroku-desktop"]),
    ("rmcp", &["kiroku-mcp"]),
    ("rusqlite", &["kiroku-store", "kiroku-search", "kiroku-tasks", "kiroku-tests"]),
];

/// What draws windows: none of it may be anywhere under a package that is not the app.
const WINDOWS: [&str; 4] = ["tauri", "wry", "gtk", "webkit2gtk"];

/// Checks every rule and names all that is broken.
pub fn check(places: &Places) -> Result<(), Failure> {
    let tree = |args: &[&str]| {
        let every = ["tree", "--workspace", "--target", "all", "--edges", "normal,build,dev", "--format", "{p}"];
        places.cargo().args(every).args(args).output()
    };
    let direct = tree(&["--depth", "1", "--prefix", "depth"])?;
    let without_app = tree(&["--exclude", "kiroku-desktop", "--prefix", "none"])?;
    let mut wrong = wrong_edges(&edges(&direct));
    wrong.extend(windows_in(&without_app));
    wrong.extend(openers(&places.root)?);
    if wrong.is_empty() {
        println!("  every crate depends downward only");
        return Ok(());
    }
    Err(Failure(wrong.join("\n       ")))
}

/// The pairs (package of ours, what it names) of a `cargo tree --depth 1 --prefix depth`.
fn edges(tree: &str) -> Vec<(&str, &str)> {
    let mut from = "";
    let mut edges = Vec::new();
    for line in tree.lines() {
        if let Some(rest) = line.strip_prefix('0') {
            from = first_word(rest);
        } else if let Some(rest) = line.strip_prefix('1') {
            edges.push((from, first_word(rest)));
        }
    }
    edges
}

fn first_word(text: &str) -> &str {
    text.split(' ').next().unwrap_or_default()
}

fn level(package: &str) -> Option<usize> {
    LEVELS.iter().position(|packages| packages.contains(&package))
}

fn wrong_edges(edges: &[(&str, &str)]) -> Vec<String> {
    let mut wrong = Vec::new();
    for &(from, to) in edges {
        match (level(from), level(to)) {
            (Some(from_level), Some(to_level)) if to_level >= from_level => {
                wrong.push(format!("{from} uses {to}, which is not below it"));
            }
            (None, Some(_)) => wrong.push(format!("{from} uses {to}, but has no place in LEVELS")),
            _ => {}
        }
        for (name, who) in KEPT {
            if to.starts_with(name) && !who.contains(&from) {
                wrong.push(format!("{from} uses {to}, which only {} may", who.join(", ")));
            }
        }
    }
    wrong
}

fn windows_in(tree: &str) -> Vec<String> {
    let mut found: Vec<&str> = tree.lines().map(first_word).filter(|name| WINDOWS.contains(name)).collect();
    found.sort_unstable();
    found.dedup();
    found.iter().map(|name| format!("{name} is in the tree of a package that is not the app")).collect()
}

/// Files outside the store that open a SQLite file. Unit tests may: they are in `…tests.rs` or after `#[cfg(test)]`.
fn openers(root: &Path) -> Result<Vec<String>, Failure> {
    let mut wrong = Vec::new();
    let mut folders = vec![root.join("src-tauri")];
    while let Some(folder) = folders.pop() {
        let unread = |error| Failure(format!("{}: {error}", folder.display()));
        for entry in fs::read_dir(&folder).map_err(unread)? {
            let path = entry.map_err(unread)?.path();
            let exempt = ["crates/store", "crates/xtask", "tests", "benches"].iter().any(|end| path.ends_with(end));
            if path.is_dir() && !exempt {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "rs") && !path.to_string_lossy().ends_with("tests.rs") {
                let text = fs::read_to_string(&path).map_err(unread)?;
                if opens_a_file(&text) {
                    wrong.push(format!("{} opens a SQLite file: only kiroku-store may", path.display()));
                }
            }
        }
    }
    Ok(wrong)
}

fn opens_a_file(source: &str) -> bool {
    let code = source.split("#[cfg(test)]").next().unwrap_or_default();
    code.lines().any(|line| line.contains("Connection::open") && !line.trim_start().starts_with("//"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TREE: &str = "\
0kiroku-search v0.1.0 (/r/src-tauri/crates/search)
1kiroku-model v0.1.0 (/r/src-tauri/crates/model)
1rusqlite v0.43.0

0xtask v0.1.0 (/r/src-tauri/crates/xtask)
";

    #[test]
    fn a_tree_is_read_as_pairs() {
        assert_eq!(edges(TREE), [("kiroku-search", "kiroku-model"), ("kiroku-search", "rusqlite")]);
        assert_eq!(wrong_edges(&edges(TREE)), Vec::<String>::new());
    }

    #[test]
    fn each_way_of_breaking_the_rule_is_named() {
        let wrong = |from, to| wrong_edges(&[(from, to)]).join("; ");
        assert_eq!(wrong("kiroku-store", "kiroku-api"), "kiroku-store uses kiroku-api, which is not below it");
        assert_eq!(wrong("kiroku-tasks", "kiroku-search"), "kiroku-tasks uses kiroku-search, which is not below it");
        assert_eq!(wrong("kiroku-new", "kiroku-model"), "kiroku-new uses kiroku-model, but has no place in LEVELS");
        assert_eq!(wrong("kiroku-api", "tauri-build"), "kiroku-api uses tauri-build, which only kiroku-desktop may");
        assert_eq!(wrong("kiroku-cli", "rmcp"), "kiroku-cli uses rmcp, which only kiroku-mcp may");
    }

    #[test]
    fn a_webview_deep_in_the_tree_is_found_once() {
        let tree = "kiroku-cli v0.1.0 (/r)\nwry v0.57.1\nserde v1.0.0\nwry v0.57.1 (*)\n";
        assert_eq!(windows_in(tree), ["wry is in the tree of a package that is not the app"]);
    }

    #[test]
    fn opening_counts_in_code_and_not_in_comments_or_unit_tests() {
        assert!(opens_a_file("let c = Connection::open_with_flags(path, flags)?;"));
        assert!(!opens_a_file(
            "/// See `Connection::open`.\nfn f() {}\n#[cfg(test)]\nmod t { Connection::open_in_memory() }"
        ));
    }
}
