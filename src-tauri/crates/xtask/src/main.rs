//! `cargo xtask …`: the project's own commands with all their set-up, so that one line works on a machine that has
//! only Rust and Node.js. It uses nothing but the standard library, because everything waits for it to be built.

mod command;
mod fuzz;
mod layers;
mod package;
mod run;
mod setup;
mod steps;
mod supply;

use command::{Cmd, Failure};
use std::env;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask COMMAND

  test [--only STEP]... [--skip STEP]... [--list]
                           set up this machine, then run every check
  run [--terminal] [--fresh] [-- ARGS]
                           set up, build, and do the main work on a sample space;
                           then open the app on it, or the tour where there is no display;
                           --terminal does without the app,
                           --fresh makes the sample anew,
                           ARGS go to `kiroku` instead
  tour [WORD [LOOK]]       pictures of the app's views, in both languages and themes, wide and narrow
  setup                    only the set-up: system packages, the page's packages, the page
  bench [ARGS]             measure the engines (release build)
  package                  make the Debian package: the app, the kiroku command, completions, licences
  drill [ARGS]             kill, crash and crowd drills (release build)
  fuzz [TARGET]... [--seconds N]
                           run the fuzz targets, ten minutes each (needs cargo-fuzz)
  supply                   licences, integrity and advisories of all dependencies
";

/// Where things are, found once.
pub struct Places {
    /// The repository.
    root: PathBuf,
    /// Cargo's target directory.
    target: PathBuf,
}

impl Places {
    fn find() -> Result<Places, Failure> {
        // Cargo says at run time where the crate is: a clone may have been moved since it was built.
        let manifest = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
        let root = Path::new(&manifest).ancestors().nth(3).map(Path::to_owned);
        // We stand in TARGET/debug, wherever a setting has put TARGET.
        let exe = env::current_exe().map_err(|error| Failure(format!("where xtask itself is: {error}")))?;
        let target = exe.ancestors().nth(2).map(Path::to_owned);
        match (root, target) {
            (Some(root), Some(target)) => Ok(Places { root, target }),
            _ => Err(Failure("xtask stands outside a repository: start it as `cargo xtask`".to_owned())),
        }
    }

    /// A command that runs in the repository.
    fn cmd(&self, program: &str) -> Cmd {
        Cmd::new(program).dir(&self.root)
    }

    /// The cargo that runs us, in the repository.
    fn cargo(&self) -> Cmd {
        let cargo = env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
        self.cmd(&cargo).shown_as("cargo")
    }

    fn page(&self) -> PathBuf {
        self.root.join("ui")
    }
}

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    let (name, rest) = match args.split_first() {
        Some((name, rest)) => (name.as_str(), rest),
        None => ("help", &args[..]),
    };
    let done = Places::find().and_then(|places| match name {
        "test" => steps::test(&places, rest),
        "run" => run::run(&places, rest),
        "tour" => run::tour(&places, rest),
        "setup" => setup::all(&places),
        "package" => package::package(&places, rest),
        "fuzz" => fuzz::fuzz(&places, rest),
        "supply" => supply::supply(&places),
        "bench" | "drill" => program(&places, name, rest),
        "help" | "-h" | "--help" => {
            print!("{USAGE}");
            Ok(())
        }
        other => Err(Failure(format!("there is no command `{other}`\n\n{USAGE}"))),
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure(message)) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Runs one of the release programs of `tests/`.
fn program<S: AsRef<str>>(places: &Places, name: &str, args: &[S]) -> Result<(), Failure> {
    if !has_program(places, name)? {
        return Err(Failure(format!("the package kiroku-tests has no program `{name}` in this checkout")));
    }
    // The benchmark also measures the command line as a fresh process, where it stands beside it.
    if name == "bench" && !args.iter().any(|arg| arg.as_ref() == "--smoke") {
        places.cargo().args(["build", "--release", "--package", "kiroku-cli"]).run()?;
    }
    let cargo = places.cargo().args(["run", "--release", "--package", "kiroku-tests", "--bin", name, "--"]);
    cargo.args(args).run()
}

/// Whether `tests/` holds the program `name`.
fn has_program(places: &Places, name: &str) -> Result<bool, Failure> {
    let metadata = places.cargo().args(["metadata", "--no-deps", "--offline", "--format-version", "1"]).output()?;
    // Looking for a target's first fields as cargo writes them spares us a JSON parser.
    Ok(metadata.contains(&format!(r#"{{"kind":["bin"],"crate_types":["bin"],"name":"{name}","#)))
}
