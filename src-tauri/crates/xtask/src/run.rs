//! `cargo xtask run`: does the project's main work in front of the person, each command shown before it runs, so that
//! it can be done again by hand. What it makes stays in `target/sample/`.

use crate::Places;
use crate::command::{Cmd, Failure, arg};
use crate::setup::{self, Needs};
use std::{env, fs};

/// The sample space in the exchange format, from the repository's top.
const SAMPLE: &str = "tests/fixtures/sample-space.jsonl";

/// `cargo xtask run ARGS`.
pub fn run(places: &Places, args: &[String]) -> Result<(), Failure> {
    let (ours, theirs) = match args.iter().position(|arg| arg == "--") {
        Some(at) => (&args[..at], Some(&args[at + 1..])),
        None => (args, None),
    };
    let (mut window, mut fresh) = (false, false);
    for arg in ours {
        match arg.as_str() {
            "--window" => window = true,
            "--fresh" => fresh = true,
            other => {
                return Err(Failure(format!("`run` takes --window, --fresh and -- ARGS, not `{other}`")));
            }
        }
    }
    let build = places.cargo().args(["build", "--package", "kiroku-cli"]);
    match theirs {
        // What it writes may go to another program: nothing of ours stands before it.
        Some(theirs) => {
            build.args(["--quiet"]).run_unshown()?;
            kiroku(places)?.keyboard().args(theirs).run_unshown()?;
        }
        None => {
            println!("building the kiroku program");
            build.run()?;
            sample(places, fresh)?;
        }
    }
    if window {
        return desktop(places);
    }
    if theirs.is_none() && has_display() {
        println!("\nto open the desktop window: cargo xtask run --window");
    }
    Ok(())
}

/// The program just built.
fn kiroku(places: &Places) -> Result<Cmd, Failure> {
    let program = places.target.join("debug").join(format!("kiroku{}", env::consts::EXE_SUFFIX));
    let shown = program.strip_prefix(&places.root).unwrap_or(&program);
    Ok(places.cmd(&arg(&program)?).shown_as(&arg(shown)?))
}

/// A space from the sample, a search in it, and the conversation around a hit. A second time the space is kept: what
/// is in it already is not brought in again.
fn sample(places: &Places, fresh: bool) -> Result<(), Failure> {
    if !places.root.join(SAMPLE).exists() {
        return Err(Failure(format!("{SAMPLE} is not in this checkout")));
    }
    let folder = places.target.join("sample");
    let failed = |error| Failure(format!("{}: {error}", folder.display()));
    if fresh && folder.exists() {
        fs::remove_dir_all(&folder).map_err(failed)?;
    }
    fs::create_dir_all(&folder).map_err(failed)?;
    let file = folder.join("space.db");
    let space = arg(file.strip_prefix(&places.root).unwrap_or(&file))?;
    let say = |what: &str, args: &[&str]| {
        println!("\n{what}");
        kiroku(places)?.args(args).args(["--space", &space]).run()
    };
    if !file.exists() {
        say("a new space", &["space", "new", "--name", "Sample", "--member", "you"])?;
    }
    say("bring the sample's conversations in", &["import", SAMPLE, "--from", "kiroku"])?;
    say("what is in it", &["space", "info"])?;
    say("search every conversation", &["search", "認証"])?;
    say("the conversation around one comment", &["around", "comment:88"])?;
    println!("\nthe space stays in {space}; start anew with: cargo xtask run --fresh");
    Ok(())
}

/// Builds the app and opens its window; returns when it is closed.
fn desktop(places: &Places) -> Result<(), Failure> {
    println!("\nthe desktop window");
    setup::upto(places, Needs::App)?;
    places.cargo().args(["run", "--package", "kiroku-desktop"]).run()
}

fn has_display() -> bool {
    let set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(not(target_os = "linux")) || set("DISPLAY") || set("WAYLAND_DISPLAY")
}
