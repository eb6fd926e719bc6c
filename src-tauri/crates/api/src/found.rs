//! Which sessions a space takes in: those that agents had in its folder, or that were named, less what its members left
//! out. The exclusions are kept in the space, so that they hold whichever door an import comes through.

use crate::{Workspace, source_named, sources};
use kiroku_model::{Cancel, Error, ErrorCode, Result, text};
use kiroku_sources::{Environment, SessionFile, Skipped, Source};
use kiroku_store::{set_setting, setting};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// The setting that holds the exclusions.
const SETTING: &str = "import_exclusions";

/// What is left out of importing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
pub struct Exclusions {
    /// Folders: sessions that worked in one of them or below it, or whose file lies there.
    pub folders: Vec<PathBuf>,
    /// Sources, by name.
    pub sources: Vec<String>,
}

/// One thing to leave out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exclusion {
    /// A folder, by its absolute path.
    Folder(PathBuf),
    /// A source, by its name.
    Source(String),
}

impl Exclusions {
    /// Whether a session is left out.
    pub fn excludes(&self, source: &str, file: &SessionFile) -> bool {
        self.sources.iter().any(|excluded| excluded == source)
            || self.folders.iter().any(|excluded| {
                let excluded = real(excluded);
                file.folder.iter().chain([&file.path]).any(|path| real(path).starts_with(&excluded))
            })
    }
}

/// The sessions of one source that were found.
pub struct FoundSessions {
    /// The source.
    pub source: &'static dyn Source,
    /// The directories that were looked through.
    pub looked_in: Vec<PathBuf>,
    /// Its sessions, oldest first.
    pub files: Vec<SessionFile>,
    /// Those that are there and left out.
    pub excluded: Vec<SessionFile>,
    /// What could not be looked at.
    pub skipped: Vec<Skipped>,
}

impl FoundSessions {
    fn none(source: &'static dyn Source) -> FoundSessions {
        let (looked_in, files, excluded, skipped) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        FoundSessions { source, looked_in, files, excluded, skipped }
    }
}

/// The sessions of every source, from the agents' own directories; with `folder` those that agents had in it or below it.
pub fn sessions_in(
    folder: Option<&Path>,
    exclusions: &Exclusions,
    env: &Environment,
    cancel: &Cancel,
) -> Result<Vec<FoundSessions>> {
    let folder = folder.map(real);
    let look = |source: &&'static dyn Source| {
        let mut of = FoundSessions::none(*source);
        for home in source.homes(env).into_iter().filter(|home| home.is_dir()) {
            let found = source.find(&home, cancel)?;
            let here =
                found.files.into_iter().filter(|file| folder.as_ref().is_none_or(|in_it| worked_in(file, in_it)));
            let (out, files): (Vec<_>, Vec<_>) = here.partition(|file| exclusions.excludes(source.name(), file));
            of.files.extend(files);
            of.excluded.extend(out);
            of.skipped.extend(found.skipped);
            of.looked_in.push(home);
        }
        Ok(of)
    };
    sources().iter().map(look).collect()
}

/// The sessions at or below these paths. A file that one source takes is not given to another; what none of them knows
/// is told once, by the first.
pub fn sessions_at(paths: &[PathBuf], of: &[&'static dyn Source], cancel: &Cancel) -> Result<Vec<FoundSessions>> {
    let (mut all, mut unknown, mut taken) = (Vec::new(), Vec::<Skipped>::new(), HashSet::new());
    for source in of {
        let mut of_source = FoundSessions::none(*source);
        for path in paths {
            let found = source.find(path, cancel)?;
            of_source.files.extend(found.files.into_iter().filter(|file| taken.insert(file.path.clone())));
            unknown.extend(found.skipped);
        }
        all.push(of_source);
    }
    unknown.retain(|skipped| taken.insert(skipped.path.clone()));
    let any = all.iter().any(|of_source| !of_source.files.is_empty());
    all.retain(|of_source| !any || !of_source.files.is_empty());
    all.truncate(if any { all.len() } else { 1 });
    if let Some(first) = all.first_mut() {
        first.skipped = unknown;
    }
    Ok(all)
}

/// Opens a file that was named to be imported.
pub fn open_input(path: &Path) -> Result<File> {
    let shown = path.display();
    let whole = std::fs::metadata(path).and_then(|meta| match meta.is_file() {
        true => File::open(path),
        false => Err(std::io::ErrorKind::InvalidInput.into()),
    });
    whole.map_err(|error| match error.kind() {
        std::io::ErrorKind::InvalidInput => {
            Error::invalid(text!(en: "{shown} is not a regular file", ja: "{shown} は通常のファイルではありません"))
        }
        _ => Error::io(text!(en: "opening {shown}", ja: "{shown} を開けません"), &error),
    })
}

/// Whether a file is in the exchange format: its first line is a row of it.
pub fn is_exchange(path: &Path) -> bool {
    let Ok(file) = open_input(path) else { return false };
    let mut first = Vec::new();
    let read = BufReader::new(file).take(1 << 20).read_until(b'\n', &mut first);
    let row: Option<serde_json::Value> = read.ok().and_then(|_| serde_json::from_slice(first.trim_ascii()).ok());
    const ROWS: [&str; 6] = ["kiroku", "space", "member", "task", "comment", "list"];
    row.as_ref().and_then(|row| row.get("type")?.as_str()).is_some_and(|kind| ROWS.contains(&kind))
}

impl Workspace {
    /// What is left out of importing.
    pub fn exclusions(&self) -> Result<Exclusions> {
        parse(self.space().read(&Cancel::new(), |conn| setting(conn, SETTING))?)
    }

    /// Leaves something out of importing from now on; what was imported of it stays. Whether that is new.
    pub fn exclude(&self, what: &Exclusion) -> Result<bool> {
        match what {
            Exclusion::Source(name) if source_named(name).is_none() => {
                let known: Vec<_> = sources().iter().map(|source| source.name()).collect();
                let known = known.join(", ");
                Err(Error::invalid(text!(
                    en: "there is no source `{name}`; the sources are {known}",
                    ja: "「{name}」という取り込み元はありません。取り込み元: {known}"
                )))
            }
            Exclusion::Folder(folder) if !folder.is_absolute() => {
                let folder = folder.display();
                Err(Error::invalid(
                    text!(en: "{folder} is not an absolute path", ja: "{folder} は絶対パスではありません"),
                ))
            }
            what => self.change_exclusions(|exclusions| match what {
                Exclusion::Source(name) => add(&mut exclusions.sources, name),
                Exclusion::Folder(folder) => add(&mut exclusions.folders, folder),
            }),
        }
    }

    /// Takes an exclusion back. An error if there is no such one.
    pub fn include(&self, what: &Exclusion) -> Result<()> {
        let removed = self.change_exclusions(|exclusions| match what {
            Exclusion::Source(name) => remove(&mut exclusions.sources, |known| known == name),
            Exclusion::Folder(folder) => {
                let wanted = real(folder);
                remove(&mut exclusions.folders, |known| known == folder || real(known) == wanted)
            }
        })?;
        if removed {
            return Ok(());
        }
        Err(Error::not_found(
            text!(en: "this is not excluded; nothing was changed", ja: "これは除外されていません。何も変更していません"),
        ))
    }

    fn change_exclusions(&self, change: impl FnOnce(&mut Exclusions) -> bool) -> Result<bool> {
        self.space().write(|tx| {
            let mut exclusions = parse(setting(tx, SETTING)?)?;
            let changed = change(&mut exclusions);
            if changed {
                set_setting(tx, SETTING, &serde_json::to_string(&exclusions).map_err(Error::internal)?)?;
            }
            Ok(changed)
        })
    }

    /// [`sessions_in`], less what the space leaves out.
    pub fn sessions_in(&self, folder: Option<&Path>, env: &Environment, cancel: &Cancel) -> Result<Vec<FoundSessions>> {
        sessions_in(folder, &self.exclusions()?, env, cancel)
    }
}

/// Whether a session worked in `folder` (with no links in it) or below it.
pub(crate) fn worked_in(file: &SessionFile, folder: &Path) -> bool {
    file.folder.as_ref().is_some_and(|worked| real(worked).starts_with(folder))
}

/// The path without links in it, as far as it is there.
pub(crate) fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

fn parse(value: Option<String>) -> Result<Exclusions> {
    // A list that can't be read must not let in what was left out.
    value.map_or(Ok(Exclusions::default()), |value| {
        serde_json::from_str(&value).map_err(|error| {
            Error::new(
                ErrorCode::Damaged,
                text!(en: "the list of exclusions can't be read: {error}", ja: "除外の一覧を読めません: {error}"),
            )
        })
    })
}

fn add<T: Clone + PartialEq>(list: &mut Vec<T>, what: &T) -> bool {
    let new = !list.contains(what);
    if new {
        list.push(what.clone());
    }
    new
}

fn remove<T>(list: &mut Vec<T>, is: impl Fn(&T) -> bool) -> bool {
    let before = list.len();
    list.retain(|known| !is(known));
    list.len() < before
}
