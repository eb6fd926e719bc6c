//! The real `kiroku` program, built first.

use crate::Result;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

/// The program.
pub struct Kiroku(PathBuf);

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
        program.map(Kiroku).ok_or_else(|| "cargo made no program `kiroku`".into())
    }

    fn command(&self, space: &Path, args: &[&str]) -> Command {
        let mut command = Command::new(&self.0);
        command.args(args).arg("--space").arg(space).stdin(Stdio::null());
        command
    }

    /// Starts it and leaves it to run; it is quiet.
    pub fn start(&self, space: &Path, args: &[&str]) -> Result<Child> {
        Ok(self.command(space, args).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?)
    }

    /// Runs it to its end and gives its standard output; another exit status than 0 is an error with what it said.
    pub fn run(&self, space: &Path, args: &[&str]) -> Result<String> {
        let Output { status, stdout, stderr } = self.command(space, args).output()?;
        let stdout = String::from_utf8_lossy(&stdout).into_owned();
        if status.success() {
            return Ok(stdout);
        }
        Err(format!("`kiroku {}` ended with {status}: {stdout}{}", args.join(" "), String::from_utf8_lossy(&stderr))
            .into())
    }
}
