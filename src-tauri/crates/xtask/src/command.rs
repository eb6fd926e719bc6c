//! Running other programs: each command is shown, quoted so that it can be pasted into a shell, and its failure says
//! what failed and how.

use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Why a command of ours can't go on, for the person who called it.
#[derive(Debug)]
pub struct Failure(pub String);

/// One command line.
#[derive(Debug)]
pub struct Cmd {
    program: String,
    shown: String,
    args: Vec<String>,
    envs: Vec<(String, String)>,
    dir: Option<PathBuf>,
    keyboard: bool,
}

impl Cmd {
    /// A command that runs `program`, found as the shell would find it.
    pub fn new(program: &str) -> Cmd {
        let (program, shown) = (program.to_owned(), program.to_owned());
        Cmd { program, shown, args: Vec::new(), envs: Vec::new(), dir: None, keyboard: false }
    }

    /// The name to show for a program that is called by its path.
    pub fn shown_as(mut self, name: &str) -> Cmd {
        self.shown = name.to_owned();
        self
    }

    /// More arguments.
    pub fn args<S: AsRef<str>>(mut self, args: impl IntoIterator<Item = S>) -> Cmd {
        self.args.extend(args.into_iter().map(|arg| arg.as_ref().to_owned()));
        self
    }

    /// One more variable in its environment.
    pub fn env(mut self, name: &str, value: &str) -> Cmd {
        self.envs.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The directory it runs in.
    pub fn dir(mut self, dir: &Path) -> Cmd {
        self.dir = Some(dir.to_owned());
        self
    }

    /// It reads what the person types, or what is piped to us.
    pub fn keyboard(mut self) -> Cmd {
        self.keyboard = true;
        self
    }

    /// Shows the command and runs it with our own output; any status but 0 is a failure.
    pub fn run(&self) -> Result<(), Failure> {
        println!("  $ {self}");
        self.run_unshown()
    }

    /// The same without showing it, for a command that the person typed.
    pub fn run_unshown(&self) -> Result<(), Failure> {
        let status = self.command().status().map_err(|error| self.not_started(&error))?;
        if status.success() { Ok(()) } else { Err(Failure(format!("`{self}` ended with {status}"))) }
    }

    /// What it writes to standard output; shown only when it fails.
    pub fn output(&self) -> Result<String, Failure> {
        let output = self.command().output().map_err(|error| self.not_started(&error))?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        let said = String::from_utf8_lossy(&output.stderr);
        Err(Failure(format!("`{self}` ended with {}\n{}", output.status, said.trim_end())))
    }

    /// Whether it can be started and ends with status 0; shows nothing.
    pub fn works(&self) -> bool {
        let quiet = self.command().stdout(Stdio::null()).stderr(Stdio::null()).status();
        quiet.is_ok_and(|status| status.success())
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.args).envs(self.envs.iter().map(|(name, value)| (name, value)));
        if !self.keyboard {
            // Nothing else may wait for a person: a build has nobody at the keyboard.
            command.stdin(Stdio::null());
        }
        if let Some(dir) = &self.dir {
            command.current_dir(dir);
        }
        command
    }

    fn not_started(&self, error: &std::io::Error) -> Failure {
        Failure(format!("`{}` can't be started: {error}", self.shown))
    }
}

impl fmt::Display for Cmd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.envs {
            write!(f, "{name}={} ", quoted(value))?;
        }
        f.write_str(&quoted(&self.shown))?;
        self.args.iter().try_for_each(|arg| write!(f, " {}", quoted(arg)))
    }
}

/// `text` as one word of a POSIX shell.
fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./:=@,+%".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

/// A path as text for an argument; every path of ours is UTF-8 unless the checkout's own is not.
pub fn arg(path: impl AsRef<OsStr>) -> Result<String, Failure> {
    let path = path.as_ref();
    path.to_str().map(str::to_owned).ok_or_else(|| Failure(format!("a path that is not UTF-8: {}", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_shown_as_a_shell_would_take_it() {
        let cmd =
            Cmd::new("/opt/bin/cargo").shown_as("cargo").env("FLAGS", "-D warnings").args(["run", "it's", "", "認証"]);
        assert_eq!(cmd.to_string(), r"FLAGS='-D warnings' cargo run 'it'\''s' '' 認証");
    }

    #[test]
    fn a_status_other_than_0_is_a_failure_with_what_was_said() {
        let Failure(message) = Cmd::new("sh").args(["-c", "echo no such moon >&2; exit 3"]).output().unwrap_err();
        assert!(message.contains("exit status: 3") && message.contains("no such moon"), "{message}");
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let Failure(message) = Cmd::new("kiroku-no-such-program").run().unwrap_err();
        assert!(message.contains("`kiroku-no-such-program` can't be started"), "{message}");
    }

    #[test]
    fn nothing_waits_for_the_keyboard() {
        assert_eq!(Cmd::new("cat").output().unwrap(), "");
    }
}
