//! A home of its own for a test: a temporary directory with a space, a home directory and agents' directories in it, so
//! that no test sees the machine's. Only child processes are told of them.

use crate::{Ran, kiroku};
use serde_json::Value;
use std::fs::Permissions;
use std::io::Write;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// A temporary home.
pub struct Home {
    dir: TempDir,
}

impl Home {
    /// A home with no space in it.
    pub fn bare() -> Home {
        // In memory, where there is such a place: hundreds of runs wait for the disk otherwise, and none is cut off.
        let dir = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir());
        Home { dir: dir.expect("a temporary directory") }
    }

    /// A home with an empty space `Test` in `work/.kiroku/space.db`, owned by `m1`.
    pub fn new() -> Home {
        let home = Home::bare();
        home.run(&["space", "new", "--name", "Test", "--member", "m1", "--member-name", "One"]).ok();
        home
    }

    /// The same with these rows of the exchange format in it.
    pub fn with(rows: &[Value]) -> Home {
        let home = Home::new();
        home.run_with(&["import", "-"], &lines(rows)).ok();
        home
    }

    /// A path in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Where commands run.
    pub fn work(&self) -> PathBuf {
        let work = self.path("work");
        std::fs::create_dir_all(&work).expect("a directory");
        work
    }

    /// The space file.
    pub fn space(&self) -> PathBuf {
        self.path("work/.kiroku/space.db")
    }

    /// Writes a file, with its directories, and answers its path.
    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("a file stands in a directory")).expect("a directory");
        std::fs::write(&path, text).expect("a file");
        path
    }

    /// `kiroku` with these arguments, in `work`, with nothing of this machine's environment.
    pub fn command(&self, args: &[&str]) -> Command {
        self.command_of(kiroku(), args)
    }

    /// The same by another path of the binary.
    pub fn command_of(&self, kiroku: &Path, args: &[&str]) -> Command {
        let mut command = Command::new(kiroku);
        command
            .args(args)
            .current_dir(self.work())
            .env_clear()
            .env("HOME", self.path("home"))
            .env("CLAUDE_CONFIG_DIR", self.path("claude"))
            .env("CODEX_HOME", self.path("codex"))
            .env("TZ", "UTC")
            .env("LANG", "C.UTF-8")
            .stdin(Stdio::null());
        command
    }

    /// Runs `kiroku` to its end.
    pub fn run(&self, args: &[&str]) -> Ran {
        finish(self.command(args), args, None)
    }

    /// Runs `kiroku` to its end, with this on its standard input.
    pub fn run_with(&self, args: &[&str], input: &str) -> Ran {
        finish(self.command(args), args, Some(input.as_bytes()))
    }

    /// Runs any prepared command to its end.
    pub fn finish(&self, command: Command) -> Ran {
        finish(command, &[], None)
    }

    /// Runs `kiroku` as a user who is not the superuser, for whom permissions count. `before` is called with the home's
    /// path when everything in it belongs to that user.
    pub fn unprivileged(&self, args: &[&str], before: impl FnOnce(&Path)) -> Ran {
        // The binary may stand where only its owner may go, and where homes are nothing may be run.
        let shelf = tempfile::tempdir().expect("a temporary directory");
        let copy = shelf.path().join("kiroku");
        std::fs::copy(kiroku(), &copy).expect("a copy of the binary");
        std::fs::set_permissions(shelf.path(), Permissions::from_mode(0o755)).expect("a directory for all");
        let mut command = self.command_of(&copy, args);
        if std::fs::metadata("/proc/self").is_ok_and(|me| me.uid() == 0) {
            own(self.dir.path());
            command.uid(NOBODY).gid(NOBODY);
        }
        before(self.dir.path());
        finish(command, args, None)
    }

    /// `kiroku tool NAME` as the member `m1`, with further arguments.
    pub fn tool(&self, name: &str, args: &[&str], input: &Value) -> Ran {
        self.tool_as(Some("m1"), name, args, input)
    }

    /// The same as another member, or nobody.
    pub fn tool_as(&self, member: Option<&str>, name: &str, args: &[&str], input: &Value) -> Ran {
        let mut all = vec!["tool", name];
        all.extend(member.iter().flat_map(|member| ["--as", *member]));
        all.extend(args);
        self.run_with(&all, &input.to_string())
    }
}

impl Default for Home {
    fn default() -> Home {
        Home::new()
    }
}

fn finish(mut command: Command, args: &[&str], input: Option<&[u8]>) -> Ran {
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let shown = format!("kiroku {}", args.join(" "));
    if input.is_some() {
        command.stdin(Stdio::piped());
    }
    let mut child = command.spawn().unwrap_or_else(|error| panic!("{shown}: {error}"));
    let writer = input.zip(child.stdin.take()).map(|(input, mut to)| {
        let input = input.to_owned();
        // The program may end before it has read everything.
        std::thread::spawn(move || drop(to.write_all(&input)))
    });
    let output = child.wait_with_output().expect("the program ends");
    if let Some(writer) = writer {
        writer.join().expect("standard input is written");
    }
    Ran::new(shown, output)
}

/// The user without rights, by the number that it has nearly everywhere.
const NOBODY: u32 = 65_534;

fn own(path: &Path) {
    std::os::unix::fs::lchown(path, Some(NOBODY), Some(NOBODY)).expect("the superuser gives files away");
    if path.is_dir() && !path.is_symlink() {
        for entry in std::fs::read_dir(path).expect("a directory").flatten() {
            own(&entry.path());
        }
    }
}

/// JSON values as lines.
fn lines(rows: &[Value]) -> String {
    rows.iter().map(|row| format!("{row}\n")).collect()
}

/// The sample space that ships with the program.
pub fn sample_space() -> PathBuf {
    crate::repository().join("tests/fixtures/sample-space.jsonl")
}
