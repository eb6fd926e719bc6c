//! How the program was started, and where things are on this computer: the only file of the shell that reads the
//! environment.

use kiroku_api::Environment;
use kiroku_model::{Error, Lang, Result, text};
use serde::{Deserialize, Serialize};
use specta::Type;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Where things are.
#[derive(Clone, Debug, Default)]
pub struct Place {
    /// The app's own directory: what it keeps, the sample space, spaces that the person put nowhere else.
    pub data_dir: PathBuf,
    /// Where agents' session files are.
    pub environment: Environment,
    /// The computer's language.
    pub system_lang: Lang,
    /// The name of the person's account, for the first member of a new space.
    pub account: String,
    /// Where the page is to go first, as it was given to the program.
    pub location: Option<Location>,
    /// The command line's program, which agents start to reach a space.
    pub cli: PathBuf,
    /// The system's mount table, if it has one to read.
    pub mount_table: Option<PathBuf>,
}

impl Place {
    /// The mount table as it is now.
    pub fn mounts(&self) -> String {
        self.mount_table.as_ref().and_then(|path| std::fs::read_to_string(path).ok()).unwrap_or_default()
    }

    /// The sample space's folder.
    pub fn sample_dir(&self) -> PathBuf {
        self.data_dir.join("sample")
    }

    /// The sample space's file.
    pub fn sample_space(&self) -> PathBuf {
        self.sample_dir().join(".kiroku/space.db")
    }

    /// Whether this is the sample space's file.
    pub fn is_sample(&self, path: &Path) -> bool {
        path == self.sample_space()
    }
}

/// A place that somebody gives the program from outside.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum Location {
    /// A `kiroku://` link.
    Link(String),
    /// A space file.
    File(String),
    /// A folder, to be looked into.
    Folder(String),
}

impl Location {
    /// A link as it stands, a path with nothing relative in it.
    fn of(given: &OsString) -> Location {
        match given.to_str() {
            Some(link) if link.starts_with("kiroku://") => Location::Link(link.to_owned()),
            _ => {
                let path = absolute(Path::new(given));
                let shown = path.display().to_string();
                if path.is_dir() { Location::Folder(shown) } else { Location::File(shown) }
            }
        }
    }
}

/// What was asked for on the command line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arguments {
    /// `--data-dir DIR` (or `KIROKU_DATA_DIR`): everything that the app keeps stands there, and agents' sessions are
    /// looked for in `DIR/home`. For tests, and for a second set of everything.
    pub data_dir: Option<PathBuf>,
    /// A `kiroku://` location, a space file, or a folder.
    pub location: Option<Location>,
}

impl Arguments {
    /// Reads the arguments, without the program's own name.
    pub fn read(args: impl IntoIterator<Item = OsString>) -> Result<Arguments> {
        let mut read = Arguments::default();
        let mut args = args.into_iter();
        while let Some(arg) = args.next() {
            let word = arg.to_string_lossy();
            if word == "--data-dir" {
                read.data_dir = Some(absolute(Path::new(&args.next().ok_or_else(|| unknown(&word))?)));
            } else if let Some(dir) = word.strip_prefix("--data-dir=") {
                read.data_dir = Some(absolute(Path::new(dir)));
            } else if word.starts_with('-') || read.location.is_some() {
                return Err(unknown(&word));
            } else {
                read.location = Some(Location::of(&arg));
            }
        }
        Ok(read)
    }
}

fn unknown(word: &str) -> Error {
    Error::invalid(text!(
        en: "`{word}` is not understood; the app takes --data-dir DIR and a kiroku:// location, a space file or a folder",
        ja: "「{word}」は解釈できません。指定できるのは --data-dir ディレクトリー と、kiroku:// の場所、スペースのファイル、またはフォルダーです"
    ))
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// The arguments of this process, with the data directory of the environment where none was given.
pub fn arguments() -> Result<Arguments> {
    let mut arguments = Arguments::read(std::env::args_os().skip(1))?;
    arguments.data_dir = arguments.data_dir.or_else(|| path("KIROKU_DATA_DIR").map(|dir| absolute(&dir)));
    Ok(arguments)
}

/// Where things are.
pub fn place(arguments: &Arguments) -> Result<Place> {
    let home = std::env::home_dir();
    let (data_dir, environment) = match &arguments.data_dir {
        Some(dir) => (Some(dir.clone()), Environment { home: Some(dir.join("home")), ..Environment::default() }),
        None => {
            let data_home = path(if cfg!(windows) { "APPDATA" } else { "XDG_DATA_HOME" });
            let dir = kiroku_api::data_dir(home.as_deref(), data_home.as_deref());
            let (claude_config_dir, codex_home) = (path("CLAUDE_CONFIG_DIR"), path("CODEX_HOME"));
            (dir, Environment { home, claude_config_dir, codex_home })
        }
    };
    let data_dir = data_dir.ok_or_else(|| {
        Error::invalid(text!(
            en: "there is no home directory; name one for the app with --data-dir DIR",
            ja: "ホームディレクトリーがありません。--data-dir でアプリ用のディレクトリーを指定してください"
        ))
    })?;
    Ok(Place {
        data_dir,
        environment,
        system_lang: lang(),
        account: ["USER", "USERNAME"].into_iter().find_map(word).unwrap_or_default(),
        location: arguments.location.clone(),
        cli: cli(),
        mount_table: Some(PathBuf::from("/proc/self/mounts")).filter(|path| path.exists()),
    })
}

/// The command line's program: it is installed beside this one; else it is found by its name.
fn cli() -> PathBuf {
    let name = format!("kiroku{}", std::env::consts::EXE_SUFFIX);
    let beside = std::env::current_exe().ok().map(|own| own.with_file_name(&name));
    beside.filter(|path| path.exists()).unwrap_or_else(|| PathBuf::from(name))
}

/// GTK ends the process with a panic when there is no display, so we look first.
pub fn display_at_hand() -> bool {
    cfg!(not(target_os = "linux")) || word("DISPLAY").is_some() || word("WAYLAND_DISPLAY").is_some()
}

/// The computer's language, by the order that POSIX gives these variables.
pub fn lang() -> Lang {
    Lang::of_locale(&["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(word).unwrap_or_default())
}

fn word(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

fn path(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Arguments> {
        Arguments::read(line.split_whitespace().map(OsString::from))
    }

    #[test]
    fn arguments_and_what_is_none() {
        assert_eq!(read("").unwrap(), Arguments::default());
        let both = read("--data-dir /tmp/x kiroku://space/u/search").unwrap();
        assert_eq!(both.data_dir.as_deref(), Some(Path::new("/tmp/x")));
        assert_eq!(both.location, Some(Location::Link("kiroku://space/u/search".to_owned())));
        let Some(Location::File(file)) = read("team.db").unwrap().location else { panic!("no file") };
        assert!(Path::new(&file).is_absolute());
        let here = std::env::current_dir().unwrap().display().to_string();
        assert_eq!(read(".").unwrap().location, Some(Location::Folder(here)));
        for bad in ["--data-dir", "--remote-debugging-port=1", "a.db b.db"] {
            assert_eq!(read(bad).unwrap_err().code(), kiroku_model::ErrorCode::InvalidInput, "{bad}");
        }
    }
}
