//! The documents say what is so: the reference is fresh, and the table of dependencies is complete.

use kiroku_tests::{pages, repository};
use serde_json::Value;
use std::collections::BTreeSet;

fn read(path: &str) -> String {
    std::fs::read_to_string(repository().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn the_reference_is_fresh() {
    for (path, text) in pages() {
        let there = std::fs::read_to_string(repository().join(path)).unwrap_or_default();
        let differs = text.lines().zip(there.lines()).find(|(made, there)| made != there);
        assert!(there == text, "{path} is stale: cargo run -p kiroku-tests --bin reference ({differs:?})");
    }
}

#[test]
fn every_dependency_has_its_reason() {
    let page = read("docs/dependencies.md");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` | "));
    let mut told = BTreeSet::new();
    for (name, reason) in rows {
        assert!(told.insert(name.to_owned()), "{name} stands twice");
        assert!(reason.trim_end_matches(" |").len() > 5, "{name} has no reason");
    }
    let named = named();
    let differ = |a: &BTreeSet<String>, b: &BTreeSet<String>| a.difference(b).cloned().collect::<Vec<_>>();
    assert_eq!(differ(&named, &told), Vec::<String>::new(), "docs/dependencies.md gives no reason for these");
    assert_eq!(differ(&told, &named), Vec::<String>::new(), "no manifest names these any more");
}

/// Every package that a manifest of ours names, but our own.
fn named() -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (manifest, table) in [("Cargo.toml", "[workspace.dependencies]"), ("tests/fuzz/Cargo.toml", "[dependencies]")] {
        let text = read(manifest);
        let lines = text.split(table).nth(1).expect("the table is there").lines().skip(1);
        let lines = lines.take_while(|line| !line.starts_with('['));
        names
            .extend(lines.filter_map(|line| Some(line.split_once(" = ")?.0.trim_end_matches(".workspace").to_owned())));
    }
    for manifest in ["ui/package.json", "tests/mcp/client/package.json"] {
        let text: Value = serde_json::from_str(&read(manifest)).expect("a manifest is JSON");
        for table in ["dependencies", "devDependencies"] {
            names.extend(text[table].as_object().into_iter().flatten().map(|(name, _)| name.clone()));
        }
    }
    names.retain(|name| !name.starts_with("kiroku-") && !name.starts_with('#'));
    names
}
