//! Where a space's records lie, and the only way to a file: a record's name. No path comes in from outside, and none
//! leads out of the content root, whatever links, special files or twins of names lie there.

use crate::open::{Directory, link_error, read_file, refused, special, to_text, twin};
use crate::{RecordKind, RecordRef, Slug, slug};
use kiroku_model::{Error, Result, Text, text};
use std::fmt::Display;
use std::path::{Component, Path, PathBuf};

/// Directories that may be the content root, in the order in which they are looked at; the empty one is the folder itself.
const CANDIDATES: [&str; 4] = [".yoi", ".insomnia", ".kiroku", ""];

/// The folder of a space whose file is `space_file`: the parent when the file lies in a `.kiroku/` directory, else the
/// file's own directory.
pub fn space_folder(space_file: &Path) -> PathBuf {
    let own = space_file.parent().unwrap_or(Path::new(""));
    match own.file_name() {
        Some(name) if name == ".kiroku" => own.parent().unwrap_or(own).to_owned(),
        _ => own.to_owned(),
    }
}

/// The directory that holds `memory/` and `knowledge/`. Cheap to clone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContentRoot {
    /// Canonical.
    path: PathBuf,
}

/// A record's file as a directory lists it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The record.
    pub record: RecordRef,
    /// Its file: canonical, unless it is a link.
    pub path: PathBuf,
    /// Whether it is a link, which is followed inside the root only.
    pub link: bool,
}

/// A file that is not what it should be: shown in the app and reported beside search hits, never given by a tool.
#[derive(Clone, Debug)]
pub struct FileProblem {
    /// The file under the content root, with `/` between names.
    pub file: String,
    /// What is wrong.
    pub message: Text,
    /// The slug that the file could be renamed to, if its name is what is wrong.
    pub rename_to: Option<Slug>,
}

/// What a directory of records holds, by file name.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// The records.
    pub entries: Vec<Entry>,
    /// What is there and can be no record.
    pub problems: Vec<FileProblem>,
}

impl ContentRoot {
    /// Finds the content root of a space: the one that its settings name, else the first of `.yoi/`, `.insomnia/`,
    /// `.kiroku/` and the folder itself that holds a `memory/` or `knowledge/` directory, else the folder itself.
    /// The one in the settings is relative to the folder and must be there.
    pub fn find(space_folder: &Path, configured: Option<&str>) -> Result<ContentRoot> {
        let path = match configured {
            Some(path) => space_folder.join(path),
            None => CANDIDATES
                .iter()
                .map(|name| space_folder.join(name))
                .find(|path| path.join("memory").is_dir() || path.join("knowledge").is_dir())
                .unwrap_or_else(|| space_folder.to_owned()),
        };
        ContentRoot::at(&path)
    }

    /// The content root at `path`, which must be a directory.
    pub fn at(path: &Path) -> Result<ContentRoot> {
        let shown = path.display().to_string();
        let canonical = std::fs::canonicalize(path).map_err(|error| {
            Error::io(text!(en: "opening the folder {shown}", ja: "フォルダー {shown} を開けません"), &error)
        })?;
        if !canonical.is_dir() {
            return Err(Error::invalid(text!(en: "{shown} is not a folder", ja: "{shown} はフォルダーではありません")));
        }
        Ok(ContentRoot { path: canonical })
    }

    /// The canonical path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether there is a directory for records at all; if not, the app offers to make them.
    pub fn has_directories(&self) -> bool {
        self.path.join("memory").is_dir() || self.path.join("knowledge").is_dir()
    }

    /// Makes the directories for records that are missing.
    pub fn create_directories(&self) -> Result<()> {
        for kind in RecordKind::ALL {
            self.directory_for_write(kind)?;
        }
        Ok(())
    }

    /// The canonical directory of a kind's files; `None` if it is not there.
    pub fn directory(&self, kind: RecordKind) -> Result<Option<PathBuf>> {
        let folder = kind.folder();
        let path = match std::fs::canonicalize(self.path.join(folder)) {
            Ok(path) => path,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && !self.path.join(folder).is_symlink() => {
                return Ok(None);
            }
            Err(error) => return Err(link_error(&folder, &error)),
        };
        self.inside(&path, folder)?;
        if path.is_dir() { Ok(Some(path)) } else { Err(special(&folder)) }
    }

    /// The same, made if it is not there.
    pub(crate) fn directory_for_write(&self, kind: RecordKind) -> Result<PathBuf> {
        let folder = kind.folder();
        // Each step is looked at before the next is made, so that a link in the middle can't lead it elsewhere.
        let mut made = String::new();
        for name in folder.split('/') {
            if !made.is_empty() {
                made.push('/');
            }
            made.push_str(name);
            let path = self.path.join(&made);
            match std::fs::create_dir(&path) {
                Ok(()) => {}
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                    let real = std::fs::canonicalize(&path).map_err(|error| link_error(&made, &error))?;
                    self.inside(&real, &made)?;
                }
                Err(error) => {
                    return Err(Error::io(
                        text!(en: "making the folder {made}", ja: "フォルダー {made} を作れません"),
                        &error,
                    ));
                }
            }
        }
        match self.directory(kind)? {
            Some(path) => Ok(path),
            None => Err(special(&folder)),
        }
    }

    /// Refuses a canonical path outside the root, or in a part of `memory/` that holds no records (`workflow`,
    /// `_staging`, …).
    fn inside(&self, real: &Path, file: &str) -> Result<()> {
        let Ok(under) = real.strip_prefix(&self.path) else {
            return Err(refused(
                &file,
                text!(en: "leads out of the space's folder", ja: "スペースのフォルダーの外を指しています"),
            ));
        };
        let mut parts = under.components();
        if parts.next() == Some(Component::Normal("memory".as_ref())) {
            let holds = match parts.next() {
                None => true,
                Some(Component::Normal(name)) => name == "decisions" || name == "requests" || name == "summary.md",
                Some(_) => false,
            };
            if !holds {
                return Err(refused(
                    &file,
                    text!(en: "leads to a part of memory/ that holds no records", ja: "memory/ の中の、記録を置かない場所を指しています"),
                ));
            }
        }
        Ok(())
    }

    /// The records of a kind by file name, and what lies among them that is none.
    pub fn list(&self, kind: RecordKind) -> Result<Listing> {
        let Some(directory) = self.directory(kind)? else {
            return Ok(Listing::default());
        };
        if kind == RecordKind::Summary {
            return Ok(self.list_summary(&directory));
        }
        let folder = kind.folder();
        let reading = |error: std::io::Error| {
            Error::io(text!(en: "reading the folder {folder}", ja: "フォルダー {folder} を読めません"), &error)
        };
        let mut listing = Listing::default();
        for found in std::fs::read_dir(&directory).map_err(reading)? {
            let found = found.map_err(reading)?;
            let name = found.file_name();
            let shown = name.to_string_lossy();
            // `.#name.md` is the lock that some editors leave as a link to nothing.
            let Some(stem) = shown.strip_suffix(".md").filter(|_| !shown.starts_with(".#")) else {
                continue;
            };
            let kind_of_file = found.file_type().map_err(reading)?;
            let file = || format!("{folder}/{shown}");
            let problem = match (name.to_str().map(|_| Slug::parse(stem)), kind_of_file) {
                (Some(Ok(slug)), t) if t.is_file() || t.is_symlink() => {
                    listing.entries.push(Entry {
                        record: RecordRef { kind, slug },
                        path: found.path(),
                        link: t.is_symlink(),
                    });
                    continue;
                }
                (_, t) if t.is_dir() => continue,
                (Some(Ok(_)), _) => special(&file()).message().clone(),
                (Some(Err(bad)), _) => bad.message().clone(),
                (None, _) => text!(en: "the file's name is not UTF-8", ja: "ファイル名が UTF-8 ではありません"),
            };
            let rename_to = if Slug::is_valid(stem) { None } else { Slug::suggest(stem) };
            listing.problems.push(FileProblem { file: file(), message: problem, rename_to });
        }
        // By file name, in which `.` comes after `-`: `a-b.md` stands before `a.md`.
        listing.entries.sort_by(|a, b| by_file_name(&a.record.slug, &b.record.slug));
        listing.problems.sort_by(|a, b| a.file.cmp(&b.file));
        Ok(listing)
    }

    fn list_summary(&self, directory: &Path) -> Listing {
        let path = directory.join("summary.md");
        let mut listing = Listing::default();
        match std::fs::symlink_metadata(&path) {
            Ok(meta) if meta.is_file() || meta.is_symlink() => {
                listing.entries.push(Entry { record: RecordRef::summary(), path, link: meta.is_symlink() });
            }
            Ok(_) => {
                let message = special(&"memory/summary.md").message().clone();
                listing.problems.push(FileProblem { file: "memory/summary.md".into(), message, rename_to: None });
            }
            Err(_) => {}
        }
        listing
    }

    /// The canonical path of a record's file. A missing record is `not_found`, with the slugs near it.
    pub fn locate(&self, record: &RecordRef) -> Result<PathBuf> {
        let file = record.file();
        let Some(directory) = self.directory(record.kind)? else {
            return Err(self.missing(record));
        };
        let path = directory.join(format!("{}.md", record.slug));
        match std::fs::symlink_metadata(&path) {
            Ok(meta) if meta.is_symlink() => self.follow(&path, &file),
            Ok(meta) if meta.is_file() => {
                // On a disk that does not tell capitals apart the name may have opened another file.
                match std::fs::canonicalize(&path) {
                    Ok(real) if real != path => Err(twin(&file, &real.display().to_string())),
                    _ => Ok(path),
                }
            }
            Ok(_) => Err(special(&file)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Err(self.missing(record)),
            Err(error) => Err(Error::io(text!(en: "opening {file}", ja: "{file} を開けません"), &error)),
        }
    }

    /// Where a link leads, if that is a plain file inside the root.
    pub(crate) fn follow(&self, link: &Path, file: &str) -> Result<PathBuf> {
        let real = std::fs::canonicalize(link).map_err(|error| link_error(&file, &error))?;
        self.inside(&real, file)?;
        if real.is_file() { Ok(real) } else { Err(special(&file)) }
    }

    /// Where a new record's file goes. Refused if a file is there whose name differs in capitals alone: on many disks the
    /// two would be one.
    pub(crate) fn place(&self, record: &RecordRef) -> Result<PathBuf> {
        let directory = self.directory_for_write(record.kind)?;
        let name = format!("{}.md", record.slug);
        if let Ok(names) = std::fs::read_dir(&directory) {
            for other in names.flatten().map(|other| other.file_name()) {
                let other = other.to_string_lossy();
                if other != name && other.to_lowercase() == name {
                    return Err(twin(&record.file(), &other));
                }
            }
        }
        Ok(directory.join(name))
    }

    /// The error for a record that is not there.
    pub(crate) fn missing(&self, record: &RecordRef) -> Error {
        let listing = self.list(record.kind).unwrap_or_default();
        let near = slug::near(record.slug.as_str(), listing.entries.iter().map(|entry| &entry.record.slug));
        let near: Vec<String> = near.into_iter().map(Slug::to_string).collect();
        let shown = near.join(", ");
        let message = if near.is_empty() {
            text!(en: "there is no {record}", ja: "{record} はありません")
        } else {
            text!(en: "there is no {record}; near: {shown}", ja: "{record} はありません。近い名前: {shown}")
        };
        Error::not_found(message).with("near", near)
    }

    /// The bytes of a record.
    pub fn read(&self, record: &RecordRef) -> Result<Vec<u8>> {
        let path = self.locate(record)?;
        let mut bytes = Vec::new();
        read_file(&path, &FileOf(record), &mut bytes)?;
        Ok(bytes)
    }

    /// The text of a record; a file that is not UTF-8 is `damaged`.
    pub fn read_text(&self, record: &RecordRef) -> Result<String> {
        to_text(self.read(record)?, &record.file())
    }

    /// Reads a listed record into `bytes`, as [`ContentRoot::read`] does but without looking the name up again.
    pub(crate) fn read_entry(&self, entry: &Entry, bytes: &mut Vec<u8>) -> Result<()> {
        if entry.link {
            let real = self.follow(&entry.path, &entry.record.file())?;
            return read_file(&real, &FileOf(&entry.record), bytes);
        }
        read_file(&entry.path, &FileOf(&entry.record), bytes)
    }

    /// The same, by way of its directory if that is held open.
    pub(crate) fn read_in(&self, directory: Option<&Directory>, entry: &Entry, bytes: &mut Vec<u8>) -> Result<()> {
        let name = entry.path.file_name().and_then(std::ffi::OsStr::to_str);
        match (directory, name) {
            (Some(directory), Some(name)) if !entry.link => directory.read(name, &FileOf(&entry.record), bytes),
            _ => self.read_entry(entry, bytes),
        }
    }
}

/// A record's file as it is shown, made only where it is: ten thousand files are read without a fault.
struct FileOf<'a>(&'a RecordRef);

impl Display for FileOf<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0.file())
    }
}

fn by_file_name(a: &Slug, b: &Slug) -> std::cmp::Ordering {
    let (a, b) = (a.as_str().as_bytes(), b.as_str().as_bytes());
    let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let at = |name: &[u8]| name.get(same).copied().unwrap_or(b'.');
    at(a).cmp(&at(b))
}
