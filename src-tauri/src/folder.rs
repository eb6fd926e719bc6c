//! What a folder holds for Kiroku: a space, records, and the sessions that agents had in it. Asked when a person opens a
//! folder, before anything is made.

use crate::launch::Place;
use kiroku_api::{Exclusions, FoundSessions, location_risk, sessions_in};
use kiroku_model::{Cancel, Lang, Result, Time};
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
    /// When one of them was last written to.
    pub newest: Option<Time>,
    /// Whether the space leaves them out.
    pub excluded: bool,
}

/// Looks into a folder.
pub fn look(place: &Place, folder: &Path, lang: Lang, cancel: &Cancel) -> Result<FolderView> {
    let new_space = folder.join(".kiroku/space.db");
    let records = [".yoi", ".insomnia", ".kiroku", ""]
        .iter()
        .map(|name| folder.join(name))
        .find(|root| root.join("memory").is_dir() || root.join("knowledge").is_dir());
    let count = |name: &str| records.as_ref().map_or(0, |root| markdown_files(&root.join(name), 3));
    let found = sessions_in(Some(folder), &Exclusions::default(), &place.environment, cancel)?;
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

impl SourceSessions {
    /// What the page is told of them.
    pub fn of(found: &FoundSessions) -> SourceSessions {
        let mut folders = Vec::new();
        for (files, excluded) in [(&found.files, false), (&found.excluded, true)] {
            let mut by_folder: BTreeMap<Option<&Path>, FolderSessions> = BTreeMap::new();
            for file in files {
                let of = by_folder.entry(file.folder.as_deref()).or_default();
                of.files += 1;
                of.bytes += file.bytes;
                of.newest = of.newest.max(written(&file.path));
            }
            folders.extend(by_folder.into_iter().map(|(folder, of)| FolderSessions {
                folder: folder.map(|folder| folder.display().to_string()),
                excluded,
                ..of
            }));
        }
        folders.sort_by_key(|of| std::cmp::Reverse(of.bytes));
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

/// When a file was last written to, as far as the system says.
fn written(path: &Path) -> Option<Time> {
    let at = std::fs::metadata(path).ok()?.modified().ok()?;
    let since = at.duration_since(std::time::UNIX_EPOCH).ok()?;
    i64::try_from(since.as_millis()).ok().map(|millis| Time::default().plus(millis))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kiroku_api::{SessionFile, sources};

    #[test]
    fn sessions_are_told_by_folder_with_those_that_are_left_out() {
        let file = |folder: Option<&str>, bytes| SessionFile {
            path: PathBuf::from("session.jsonl"),
            folder: folder.map(PathBuf::from),
            bytes,
        };
        let files = vec![file(Some("/nowhere/a"), 5), file(None, 1), file(Some("/nowhere/a/x"), 2)];
        let found = FoundSessions {
            source: sources()[0],
            looked_in: Vec::new(),
            files,
            excluded: vec![file(Some("/nowhere/b"), 9)],
            skipped: Vec::new(),
        };
        let told = SourceSessions::of(&found);
        assert_eq!((told.files, told.bytes), (3, 8));
        let folders: Vec<_> = told.folders.iter().map(|of| (of.folder.as_deref(), of.bytes, of.excluded)).collect();
        assert_eq!(
            folders,
            [
                (Some("/nowhere/b"), 9, true),
                (Some("/nowhere/a"), 5, false),
                (Some("/nowhere/a/x"), 2, false),
                (None, 1, false)
            ]
        );
        assert_eq!(told.folders[0].newest, None);
    }
}
