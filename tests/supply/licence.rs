//! Licence expressions (SPDX), and which of them are allowed: the list in `deny.toml`, which `cargo deny` reads too.

use crate::Result;
use std::collections::BTreeSet;

/// The licences that `deny.toml` allows.
pub fn allowed() -> Result<BTreeSet<String>> {
    let file = kiroku_tests::repository().join("deny.toml");
    let text = std::fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    let read: toml_edit::DocumentMut = text.parse()?;
    let list = read["licenses"]["allow"].as_array().ok_or("deny.toml has no list `licenses.allow`")?;
    Ok(list.iter().filter_map(|name| name.as_str()).map(str::to_owned).collect())
}

/// Whether an expression can be met by allowed licences: `OR` leaves a choice, `AND` asks for both. One that can't be
/// read is not allowed.
pub fn allows(expression: &str, allowed: &BTreeSet<String>) -> bool {
    // Old crates write a slash for `OR`.
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut at = 0;
    any(&words, &mut at, allowed) == Some(true) && at == words.len()
}

fn any(words: &[&str], at: &mut usize, allowed: &BTreeSet<String>) -> Option<bool> {
    let mut met = all(words, at, allowed)?;
    while words.get(*at) == Some(&"OR") {
        *at += 1;
        met |= all(words, at, allowed)?;
    }
    Some(met)
}

fn all(words: &[&str], at: &mut usize, allowed: &BTreeSet<String>) -> Option<bool> {
    let mut met = one(words, at, allowed)?;
    while words.get(*at) == Some(&"AND") {
        *at += 1;
        met &= one(words, at, allowed)?;
    }
    Some(met)
}

fn one(words: &[&str], at: &mut usize, allowed: &BTreeSet<String>) -> Option<bool> {
    let word = *words.get(*at)?;
    *at += 1;
    if word == "(" {
        let met = any(words, at, allowed)?;
        return (words.get(*at) == Some(&")")).then(|| *at += 1).map(|()| met);
    }
    let mut name = word.to_owned();
    if words.get(*at) == Some(&"WITH") {
        name = format!("{name} WITH {}", words.get(*at + 1)?);
        *at += 2;
    }
    Some(allowed.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_met_by_what_is_allowed() {
        let allowed = ["MIT", "Unicode-3.0", "Apache-2.0 WITH LLVM-exception"].map(str::to_owned).into();
        for (expression, met) in [
            ("MIT", true),
            ("GPL-3.0-only", false),
            ("MIT OR GPL-3.0-only", true),
            ("GPL-3.0-only/MIT", true),
            ("(MIT OR Apache-2.0) AND Unicode-3.0", true),
            ("MIT AND GPL-3.0-only", false),
            ("GPL-3.0-only OR MIT AND Unicode-3.0", true),
            ("Apache-2.0 WITH LLVM-exception OR Apache-2.0", true),
            ("Apache-2.0", false),
            ("", false),
            ("MIT MIT", false),
            ("(MIT", false),
            ("MIT OR", false),
        ] {
            assert_eq!(allows(expression, &allowed), met, "{expression}");
        }
    }
}
