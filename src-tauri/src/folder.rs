//! What a folder holds for Kiroku: a space, records, and the sessions that agents had in it. Asked when a person opens a
//! folder, before anything is made.

use crate::launch::Place;
use kiroku_api::{SessionFile, Skipped, Source, location_risk, sources};
use kiroku_model::{Cancel, Lang, Result};
use serde::Serialize;
use specta::Type;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What a folder holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Type)]
pub struct FolderView {
    /// The folder.
    pub path: String,
    /// Its own name: a name for a new space.
    pub name: String,
    /// The space file in it, if there is one.
    pub space: Option<String>,
    /// Where a new space's file would be.
    pub new_space: String,
    /// Why that would not be safe, if it would not.
    pub risk: Option<String>,
    /// The directory that holds `memory` and `knowledge`, if there is one.
    pub records: Option<String>,
    /// Markdown files below `memory`.
    pub memory_files: u64,
    /// Markdown files in `knowledge`.
    pub knowledge_files: u64,
    /// The sessions that worked in it or below it, by source.
    pub sessions: Vec<SourceSessions>,
}

/// The sessions of one source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Type)]
pub struct SourceSessions {
    /// The source's name, such as `claude-code`.
    pub source: String,
    /// The directories that were looked through.
    pub looked_in: Vec<String>,
    /// Session files.
    pub files: u64,
    /// Their size in bytes.
    pub bytes: u64,
    /// The same by folder, the one with the most bytes first.
    pub folders: Vec<FolderSessions>,
    /// Files that could not be looked at.
    pub skipped: u64,
}

/// The sessions that worked in one folder.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Type)]
pub struct FolderSessions {
    /// The folder; `None`: the sessions do not say.
    pub folder: Option<String>,
    /// Session files.
    pub files: u64,
    /// Their size in bytes.
    pub bytes: u64,
}

/// Looks into a folder.
pub fn look(place: &Place, folder: &Path, lang: Lang, cancel: &Cancel) -> Result<FolderView> {
    let new_space = folder.join(".kiroku/space.db");
    let records = [".yoi", ".insomnia", ".kiroku", ""]
        .iter()
        .map(|name| folder.join(name))
        .find(|root| root.join("memory").is_dir() || root.join("knowledge").is_dir());
    let count = |name: &str| records.as_ref().map_or(0, |root| markdown_files(&root.join(name), 3));
    let found = sessions(place, Some(folder), cancel)?;
    Ok(FolderView {
        path: folder.display().to_string(),
        name: folder.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default(),
        space: new_space.is_file().then(|| new_space.display().to_string()),
        risk: location_risk(&new_space, &place.mounts()).map(|risk| risk.0.get(lang).to_owned()),
        new_space: new_space.display().to_string(),
        memory_files: count("memory"),
        knowledge_files: count("knowledge"),
        records: records.map(|root| root.display().to_string()),
        sessions: found.iter().map(SourceSessions::of).collect(),
    })
}

/// Markdown files in a directory and `depth` levels below it.
fn markdown_files(dir: &Path, depth: usize) -> u64 {
    let Ok(entries) = std::fs::read_dir(dir) else { return 0 };
    let count = |path: PathBuf| match path.extension() {
        Some(end) if end == "md" => 1,
        _ if depth > 0 && path.is_dir() && !path.is_symlink() => markdown_files(&path, depth - 1),
        _ => 0,
    };
    entries.flatten().map(|entry| count(entry.path())).sum()
}

/// The session files of one source.
pub struct Found {
    /// The source.
    pub source: &'static dyn Source,
    /// The directories that were looked through.
    pub looked_in: Vec<PathBuf>,
    /// The files, oldest first.
    pub files: Vec<SessionFile>,
    /// What could not be looked at.
    pub skipped: Vec<Skipped>,
}

/// Looks through the directories of every source; with `folder` only sessions that worked in it or below it count.
pub fn sessions(place: &Place, folder: Option<&Path>, cancel: &Cancel) -> Result<Vec<Found>> {
    let folder = folder.map(real);
    let look = |source: &&'static dyn Source| {
        let mut found = Found { source: *source, looked_in: Vec::new(), files: Vec::new(), skipped: Vec::new() };
        for home in source.homes(&place.environment).into_iter().filter(|home| home.is_dir()) {
            let here = source.find(&home, cancel)?;
            found.files.extend(here.files.into_iter().filter(|file| worked_in(file, folder.as_deref())));
            found.skipped.extend(here.skipped);
            found.looked_in.push(home);
        }
        Ok(found)
    };
    sources().iter().map(look).collect()
}

fn worked_in(file: &SessionFile, folder: Option<&Path>) -> bool {
    folder.is_none_or(|folder| file.folder.as_deref().is_some_and(|worked| real(worked).starts_with(folder)))
}

fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

impl SourceSessions {
    /// What the page is told of them.
    pub fn of(found: &Found) -> SourceSessions {
        let mut folders: BTreeMap<Option<&Path>, (u64, u64)> = BTreeMap::new();
        for file in &found.files {
            let (files, bytes) = folders.entry(file.folder.as_deref()).or_default();
            *files += 1;
            *bytes += file.bytes;
        }
        let mut folders: Vec<FolderSessions> = folders
            .into_iter()
            .map(|(folder, (files, bytes))| FolderSessions {
                folder: folder.map(|folder| folder.display().to_string()),
                files,
                bytes,
            })
            .collect();
        folders.sort_by_key(|sessions| std::cmp::Reverse(sessions.bytes));
        SourceSessions {
            source: found.source.name().to_owned(),
            looked_in: found.looked_in.iter().map(|dir| dir.display().to_string()).collect(),
            files: found.files.len() as u64,
            bytes: found.files.iter().map(|file| file.bytes).sum(),
            folders,
            skipped: found.skipped.len() as u64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_are_told_by_folder_and_only_of_the_asked_one() {
        let file = |folder: Option<&str>, bytes| SessionFile {
            path: PathBuf::from("session.jsonl"),
            folder: folder.map(PathBuf::from),
            bytes,
        };
        let files = vec![
            file(Some("/nowhere/a"), 5),
            file(Some("/nowhere/b"), 9),
            file(None, 1),
            file(Some("/nowhere/a/x"), 2),
        ];
        let inside: Vec<bool> = files.iter().map(|file| worked_in(file, Some(Path::new("/nowhere/a")))).collect();
        assert_eq!(inside, [true, false, false, true]);
        let found = Found { source: sources()[0], looked_in: Vec::new(), files, skipped: Vec::new() };
        let told = SourceSessions::of(&found);
        assert_eq!((told.files, told.bytes), (4, 17));
        let folders: Vec<_> = told.folders.iter().map(|of| (of.folder.as_deref(), of.bytes)).collect();
        assert_eq!(folders, [(Some("/nowhere/b"), 9), (Some("/nowhere/a"), 5), (Some("/nowhere/a/x"), 2), (None, 1)]);
    }
}
