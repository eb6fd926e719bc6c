//! `cargo xtask fuzz`: the fuzz targets of `tests/fuzz`, each for a while, one after the other.

use crate::Places;
use crate::command::{Failure, arg};
use std::fs;

/// How long each target runs when nothing else is said.
const SECONDS: &str = "600";

/// `cargo xtask fuzz [TARGET]... [--seconds N]`.
pub fn fuzz(places: &Places, args: &[String]) -> Result<(), Failure> {
    let folder = places.root.join("tests/fuzz");
    let all = targets(&folder)?;
    let (mut chosen, mut seconds) = (Vec::new(), SECONDS);
    let mut args = args.iter().map(String::as_str);
    while let Some(word) = args.next() {
        if word == "--seconds" {
            seconds = args
                .next()
                .filter(|text| text.parse::<u32>().is_ok_and(|number| number > 0))
                .ok_or_else(|| Failure("--seconds takes a whole number above 0".to_owned()))?;
        } else if let Some(target) = all.iter().find(|target| *target == word) {
            chosen.push(target.clone());
        } else {
            return Err(Failure(format!("there is no fuzz target `{word}`; the targets are {}", all.join(", "))));
        }
    }
    if !places.cargo().args(["fuzz", "--version"]).works() {
        return Err(Failure("cargo-fuzz is not installed: cargo install cargo-fuzz".to_owned()));
    }
    for target in if chosen.is_empty() { &all } else { &chosen } {
        // libFuzzer writes what it finds to the first folder, and only reads the others.
        let (corpus, seeds) = (folder.join("corpus").join(target), folder.join("seeds").join(target));
        fs::create_dir_all(&corpus).map_err(|error| Failure(format!("{}: {error}", corpus.display())))?;
        let mut options = vec![
            format!("-max_total_time={seconds}"),
            "-max_len=4096".to_owned(),
            "-timeout=10".to_owned(),
            "-rss_limit_mb=1024".to_owned(),
        ];
        let words = folder.join(format!("{target}.dict"));
        if words.exists() {
            options.push(format!("-dict={}", arg(words)?));
        }
        // The stable compiler takes the unstable flags that fuzzing needs when it is told so.
        let run = places.cargo().env("RUSTC_BOOTSTRAP", "1").dir(&folder);
        let run = run.args(["fuzz", "run", "--sanitizer", "none", "--fuzz-dir", ".", target]);
        run.args([arg(corpus)?, arg(seeds)?, "--".to_owned()]).args(options).run()?;
    }
    Ok(())
}

/// The targets' names, sorted.
fn targets(folder: &std::path::Path) -> Result<Vec<String>, Failure> {
    let folder = folder.join("fuzz_targets");
    let entries = fs::read_dir(&folder).map_err(|error| Failure(format!("{}: {error}", folder.display())))?;
    let mut names: Vec<String> =
        entries.flatten().filter_map(|entry| Some(entry.path().file_stem()?.to_str()?.to_owned())).collect();
    names.sort();
    Ok(names)
}
