//! `cargo xtask run`: does the project's main work in front of the person, each command shown before it runs, so that
//! it can be done again by hand, and then opens the app on the same space. What it makes stays in `target/sample/`. Where
//! there is no display it goes on the tour instead: pictures of the app's views.

use crate::Places;
use crate::command::{Cmd, Failure, arg};
use crate::setup::{self, Needs};
use std::path::Path;
use std::{env, fs};

/// The sample space in the exchange format, from the repository's top.
const SAMPLE: &str = "tests/fixtures/sample-space.jsonl";

/// Its memory and knowledge.
const RECORDS: &str = "tests/fixtures/sample-space";

/// `cargo xtask run ARGS`.
pub fn run(places: &Places, args: &[String]) -> Result<(), Failure> {
    let (ours, theirs) = match args.iter().position(|arg| arg == "--") {
        Some(at) => (&args[..at], Some(&args[at + 1..])),
        None => (args, None),
    };
    let (mut terminal, mut fresh) = (false, false);
    for arg in ours {
        match arg.as_str() {
            "--terminal" => terminal = true,
            "--fresh" => fresh = true,
            other => {
                return Err(Failure(format!("`run` takes --terminal, --fresh and -- ARGS, not `{other}`")));
            }
        }
    }
    let build = places.cargo().args(["build", "--package", "kiroku-cli"]);
    match theirs {
        // What it writes may go to another program: nothing of ours stands before it.
        Some(theirs) => {
            build.args(["--quiet"]).run_unshown()?;
            return kiroku(places)?.keyboard().args(theirs).run_unshown();
        }
        None => {
            println!("building the kiroku program");
            build.run()?;
            sample(places, fresh)?;
        }
    }
    match (terminal, has_display()) {
        (true, _) => Ok(()),
        (false, true) => desktop(places),
        (false, false) => {
            println!("\nthere is no display here, so the app is shown in pictures, of each view one");
            tour(places, &["".to_owned(), "ja-light-1280".to_owned()])
        }
    }
}

/// `cargo xtask tour [WORD [LOOK]]`: a picture of each of the app's views, in each language, theme and width, or only of
/// those whose name holds `WORD`, in looks such as `ja-light`.
pub fn tour(places: &Places, args: &[String]) -> Result<(), Failure> {
    let [word, look] = match args {
        [] => ["", ""],
        [word] => [word.as_str(), ""],
        [word, look] => [word.as_str(), look.as_str()],
        _ => return Err(Failure("`tour` takes a word of the views' names and a look, such as ja-light".to_owned())),
    };
    setup::upto(places, Needs::App)?;
    let folder = arg(places.target.join("tour"))?;
    Cmd::new("npm").args(["run", "--silent", "tour", "--", &folder, word, look]).dir(&places.page()).run()?;
    println!("\nthe pictures are in {folder}");
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
    copy_missing(&places.root.join(RECORDS), &folder)?;
    say("what is in it", &["space", "info"])?;
    say("search every conversation", &["search", "認証"])?;
    say("the conversation around one comment", &["around", "comment:88"])?;
    println!("\nthe space stays in {space}; start anew with: cargo xtask run --fresh");
    Ok(())
}

/// Copies what is in `from` and not yet in `to`: what the person changed stays.
fn copy_missing(from: &Path, to: &Path) -> Result<(), Failure> {
    let failed = |error| Failure(format!("{}: {error}", to.display()));
    fs::create_dir_all(to).map_err(failed)?;
    for entry in fs::read_dir(from).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if source.is_dir() {
            copy_missing(&source, &target)?;
        } else if !target.exists() {
            fs::copy(&source, &target).map_err(failed)?;
        }
    }
    Ok(())
}

/// Builds the app and opens its window on the sample space; returns when it is closed. It keeps what is its own beside
/// the space, so that it meets nothing of the person's.
fn desktop(places: &Places) -> Result<(), Failure> {
    println!("\nthe app's window; this ends when it is closed");
    setup::upto(places, Needs::App)?;
    let folder = places.target.join("sample");
    let (own, space) = (arg(folder.join("app"))?, arg(folder.join("space.db"))?);
    let run = places.cargo().args(["run", "--package", "kiroku-desktop", "--", "--data-dir"]);
    run.args([own, space]).run()
}

fn has_display() -> bool {
    let set = |name| env::var_os(name).is_some_and(|value| !value.is_empty());
    cfg!(not(target_os = "linux")) || set("DISPLAY") || set("WAYLAND_DISPLAY")
}
