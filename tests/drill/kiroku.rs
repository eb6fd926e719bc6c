//! The real `kiroku` program, built first.

use crate::Result;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use tempfile::TempDir;

/// The program, and a home directory of its own.
pub struct Kiroku {
    program: PathBuf,
    home: TempDir,
}

/// How a run ended.
pub struct Ended {
    /// The exit status; `None` if a signal ended it.
    pub status: Option<i32>,
    /// What it wrote, to either output.
    pub said: String,
}

/// A process that is killed when it goes out of scope.
pub struct Kill(pub Child);

impl Drop for Kill {
    fn drop(&mut self) {
        // Both fail only if it has ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Kiroku {
    /// Builds it as the tests do (with debug assertions; slower, so a kill has more moments to hit).
    pub fn build() -> Result<Kiroku> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let built = Command::new(cargo)
            .args(["build", "--quiet", "--package", "kiroku-cli", "--message-format", "json-render-diagnostics"])
            .stdin(Stdio::null())
            .stderr(Stdio::inherit())
            .output()?;
        if !built.status.success() {
            return Err(format!("building kiroku-cli ended with {}", built.status).into());
        }
        // Cargo names what it made: the target directory may be anywhere.
        let program = String::from_utf8_lossy(&built.stdout)
            .lines()
            .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
            .filter_map(|message| message["executable"].as_str().map(PathBuf::from))
            .find(|path| path.file_stem().is_some_and(|name| name == "kiroku"));
        let program = program.ok_or("cargo made no program `kiroku`")?;
        Ok(Kiroku { program, home: tempfile::tempdir()? })
    }

    fn command(&self, before: &[&str], space: &Path, args: &[&str]) -> Command {
        let mut words = before.iter().map(OsStr::new).chain([self.program.as_os_str()]);
        let mut command = Command::new(words.next().unwrap_or_default());
        command.args(words).args(args).arg("--space").arg(space);
        // Nothing of this machine's own sessions, data or language.
        command.env("HOME", self.home.path()).env("LC_ALL", "C.UTF-8").env_remove("XDG_DATA_HOME");
        command.env_remove("CLAUDE_CONFIG_DIR").env_remove("CODEX_HOME").stdin(Stdio::null());
        command
    }

    /// Starts it and leaves it to run; it is quiet.
    pub fn start(&self, space: &Path, args: &[&str]) -> Result<Child> {
        Ok(self.command(&[], space, args).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?)
    }

    /// Runs it to its end and gives its standard output; another exit status than 0 is an error with what it said.
    pub fn run(&self, space: &Path, args: &[&str]) -> Result<String> {
        self.run_under(&[], space, args)
    }

    /// The same, started by another program: `before` is its name and arguments.
    pub fn run_under(&self, before: &[&str], space: &Path, args: &[&str]) -> Result<String> {
        let Output { status, stdout, stderr } = self.command(before, space, args).output()?;
        let stdout = String::from_utf8_lossy(&stdout).into_owned();
        if status.success() {
            return Ok(stdout);
        }
        Err(format!("`kiroku {}` ended with {status}: {stdout}{}", args.join(" "), String::from_utf8_lossy(&stderr))
            .into())
    }

    /// Runs it to its end, whatever that is.
    pub fn try_run(&self, space: &Path, args: &[&str]) -> Result<Ended> {
        let Output { status, stdout, stderr } = self.command(&[], space, args).output()?;
        let said = format!("{}{}", String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
        Ok(Ended { status: status.code(), said })
    }
}
