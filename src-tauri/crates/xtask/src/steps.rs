//! `cargo xtask test`: every check of the project as one list of steps. A new check is a new line in [`STEPS`].

use crate::command::{Cmd, Failure};
use crate::setup::{self, Needs};
use crate::{Places, has_program, layers};
use std::time::{Duration, Instant};

/// One check.
struct Step {
    name: &'static str,
    what: &'static str,
    needs: Needs,
    check: fn(&Places) -> Result<Outcome, Failure>,
}

/// How a step that did not fail ended.
#[derive(Clone, Copy, PartialEq)]
enum Outcome {
    Passed,
    /// There is nothing to check yet.
    Skipped,
}

use Outcome::{Passed, Skipped};

/// In order: what is quick and often wrong first.
const STEPS: [Step; 13] = [
    Step { name: "format", what: "cargo fmt finds nothing to change", needs: Needs::Rust, check: format },
    Step { name: "layers", what: "crates depend downward only", needs: Needs::Rust, check: layering },
    Step { name: "page", what: "the page's types, and its build", needs: Needs::Npm, check: page },
    Step { name: "lint", what: "clippy on everything, no warnings", needs: Needs::App, check: lint },
    Step { name: "engines", what: "unit, property, contract and black-box tests", needs: Needs::Npm, check: engines },
    Step { name: "app", what: "tests of the desktop app's own code", needs: Needs::App, check: app },
    Step {
        name: "flows",
        what: "the page's units and flows in a browser, with accessibility checks",
        needs: Needs::App,
        check: flows,
    },
    Step { name: "window", what: "the built app shows its page in a real webview", needs: Needs::App, check: window },
    Step { name: "e2e", what: "the built app is used as a person would", needs: Needs::App, check: e2e },
    Step { name: "supply", what: "licences and hashes of all dependencies", needs: Needs::Rust, check: supply },
    Step { name: "bench", what: "the benchmark runs and its answers are right", needs: Needs::Rust, check: bench },
    Step {
        name: "drill",
        what: "kills, crowds, full disks and broken files lose nothing",
        needs: Needs::Rust,
        check: drill,
    },
    Step { name: "docs", what: "rustdoc on everything, no warnings", needs: Needs::App, check: docs },
];

fn format(places: &Places) -> Result<Outcome, Failure> {
    passed(places.cargo().args(["fmt", "--all", "--check"]))
}

fn layering(places: &Places) -> Result<Outcome, Failure> {
    layers::check(places).map(|()| Passed)
}

fn page(places: &Places) -> Result<Outcome, Failure> {
    Cmd::new("npm").args(["run", "--silent", "check"]).dir(&places.page()).run()?;
    setup::page(places).map(|()| Passed)
}

fn lint(places: &Places) -> Result<Outcome, Failure> {
    passed(places.cargo().args(["clippy", "--workspace", "--all-targets", "--", "--deny", "warnings"]))
}

/// Everything but the desktop app, whose dependencies take other features.
const ENGINES: [&str; 3] = ["--workspace", "--exclude", "kiroku-desktop"];

fn engines(places: &Places) -> Result<Outcome, Failure> {
    // The black-box tests run the `kiroku` program, which a test build alone does not make.
    places.cargo().args(["build", "--bins"]).args(ENGINES).run()?;
    passed(places.cargo().args(["test"]).args(ENGINES))
}

fn app(places: &Places) -> Result<Outcome, Failure> {
    passed(places.cargo().args(["test", "--package", "kiroku-desktop"]))
}

fn flows(places: &Places) -> Result<Outcome, Failure> {
    passed(Cmd::new("npm").args(["run", "--silent", "test"]).dir(&places.page()))
}

fn window(places: &Places) -> Result<Outcome, Failure> {
    if !cfg!(target_os = "linux") {
        return Ok(Skipped);
    }
    let app = built_app(places)?;
    passed(places.cmd("node").args(["ui/tests/window.mjs", &app]))
}

fn e2e(places: &Places) -> Result<Outcome, Failure> {
    if !cfg!(target_os = "linux") {
        return Ok(Skipped);
    }
    let app = built_app(places)?;
    // As the engines' tests build it, so that it is there already.
    places.cargo().args(["build", "--bins"]).args(ENGINES).run()?;
    let cli = crate::command::arg(places.target.join("debug/kiroku"))?;
    passed(places.cmd("node").args(["tests/e2e/app.mjs", &app, &cli]))
}

/// Builds the desktop app, and answers where its program is.
fn built_app(places: &Places) -> Result<String, Failure> {
    places.cargo().args(["build", "--package", "kiroku-desktop"]).run()?;
    crate::command::arg(places.target.join("debug/kiroku-desktop"))
}

fn supply(places: &Places) -> Result<Outcome, Failure> {
    passed(places.cargo().args(["run", "--quiet", "--package", "kiroku-tests", "--bin", "supply", "--", "check"]))
}

fn bench(places: &Places) -> Result<Outcome, Failure> {
    of_tests(places, "bench", &["--comments", "10000", "--smoke"])
}

fn drill(places: &Places) -> Result<Outcome, Failure> {
    of_tests(places, "drill", &["--short"])
}

/// Runs a program of `tests/`, if it is there.
fn of_tests(places: &Places, name: &str, args: &[&str]) -> Result<Outcome, Failure> {
    if !has_program(places, name)? {
        return Ok(Skipped);
    }
    crate::program(places, name, args).map(|()| Passed)
}

fn docs(places: &Places) -> Result<Outcome, Failure> {
    passed(places.cargo().env("RUSTDOCFLAGS", "-Dwarnings").args(["doc", "--no-deps", "--workspace"]))
}

fn passed(cmd: Cmd) -> Result<Outcome, Failure> {
    cmd.run().map(|()| Passed)
}

/// `cargo xtask test ARGS`.
pub fn test(places: &Places, args: &[String]) -> Result<(), Failure> {
    let Some(chosen) = chosen(args)? else {
        STEPS.iter().for_each(|step| println!("{:<8} {}", step.name, step.what));
        return Ok(());
    };
    let mut report = Report::default();
    let ended = run_all(places, &chosen, &mut report);
    report.print(ended.is_err(), chosen.len());
    ended
}

/// The steps that the arguments leave, or none when they only ask for the list.
fn chosen(args: &[String]) -> Result<Option<Vec<&'static Step>>, Failure> {
    let (mut only, mut skip) = (Vec::new(), Vec::new());
    let mut args = args.iter().map(String::as_str);
    while let Some(arg) = args.next() {
        let names = match arg {
            "--list" => return Ok(None),
            "--only" => &mut only,
            "--skip" => &mut skip,
            other => {
                return Err(Failure(format!("`test` takes --only STEP, --skip STEP and --list, not `{other}`")));
            }
        };
        match args.next() {
            Some(name) if STEPS.iter().any(|step| step.name == name) => names.push(name),
            other => {
                let all = STEPS.map(|step| step.name).join(", ");
                return Err(Failure(format!("{arg} {} names no step; the steps are {all}", other.unwrap_or_default())));
            }
        }
    }
    let wanted = |step: &&Step| (only.is_empty() || only.contains(&step.name)) && !skip.contains(&step.name);
    let steps: Vec<&Step> = STEPS.iter().filter(wanted).collect();
    if steps.is_empty() { Err(Failure("no step is left to run".to_owned())) } else { Ok(Some(steps)) }
}

fn run_all(places: &Places, steps: &[&'static Step], report: &mut Report) -> Result<(), Failure> {
    report.timed("set-up", || {
        println!("set-up");
        setup::rust_tools(places)?;
        let most = steps.iter().map(|step| step.needs).max().unwrap_or(Needs::Rust);
        setup::upto(places, most).map(|()| Passed)
    })?;
    for (number, step) in steps.iter().enumerate() {
        println!("\n[{}/{}] {}: {}", number + 1, steps.len(), step.name, step.what);
        report.timed(step.name, || (step.check)(places))?;
    }
    Ok(())
}

/// What was run, how it ended, and how long it took.
#[derive(Default)]
struct Report(Vec<(&'static str, &'static str, Duration)>);

impl Report {
    fn timed(&mut self, name: &'static str, work: impl FnOnce() -> Result<Outcome, Failure>) -> Result<(), Failure> {
        let begun = Instant::now();
        let ended = work();
        let took = begun.elapsed();
        let word = match ended {
            Ok(Passed) => "passed",
            Ok(Skipped) => "skipped",
            Err(_) => "FAILED",
        };
        println!("  {name} {word} in {:.1} s", took.as_secs_f64());
        self.0.push((name, word, took));
        ended.map(|_| ())
    }

    /// The table, and one plain line that any reader of test output understands.
    fn print(&self, broken: bool, chosen: usize) {
        println!();
        for (name, word, took) in &self.0 {
            println!("  {name:<8} {word:<8} {:>7.1} s", took.as_secs_f64());
        }
        let whole: Duration = self.0.iter().map(|(_, _, took)| *took).sum();
        println!("  {:<8} {:<8} {:>7.1} s", "all", "", whole.as_secs_f64());
        // The set-up's line is first and is no step; it counts only when it is what failed.
        let count = |wanted: &str| self.0.iter().skip(1).filter(|(_, word, _)| *word == wanted).count();
        let (passed, skipped) = (count("passed"), count("skipped"));
        println!("\n{passed} passed, {} failed, {} skipped", usize::from(broken), skipped + self.not_reached(chosen));
    }

    /// Steps after the one that failed.
    fn not_reached(&self, chosen: usize) -> usize {
        (chosen + 1).saturating_sub(self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(line: &str) -> Result<Option<Vec<&'static str>>, String> {
        let args: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let steps = chosen(&args).map_err(|Failure(message)| message)?;
        Ok(steps.map(|steps| steps.iter().map(|step| step.name).collect()))
    }

    #[test]
    fn the_options_choose_steps_in_the_lists_order() {
        assert_eq!(names("").unwrap().unwrap().len(), STEPS.len());
        assert_eq!(names("--only lint --only format").unwrap().unwrap(), ["format", "lint"]);
        assert!(!names("--skip bench").unwrap().unwrap().contains(&"bench"));
        assert_eq!(names("--only lint --list").unwrap(), None);
    }

    #[test]
    fn what_can_not_be_meant_is_refused_and_the_steps_are_named() {
        for line in ["--only nothing", "--only", "--fast", "lint"] {
            assert!(names(line).is_err(), "{line}");
        }
        assert!(names("--skip nothing").unwrap_err().contains("format, layers, page"));
        assert_eq!(names("--only lint --skip lint").unwrap_err(), "no step is left to run");
    }

    #[test]
    fn a_failure_is_recorded_and_given_on() {
        let mut report = Report::default();
        report.timed("one", || Ok(Passed)).unwrap();
        let ended = report.timed("two", || Err(Failure("broken".to_owned())));
        assert_eq!(ended.unwrap_err().0, "broken");
        assert_eq!(
            report.0.iter().map(|(name, word, _)| (*name, *word)).collect::<Vec<_>>(),
            [("one", "passed"), ("two", "FAILED")]
        );
        assert_eq!(report.not_reached(3), 2);
    }
}
