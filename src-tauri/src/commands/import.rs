//! Bringing agents' sessions and exported spaces in.

use super::Shell;
use crate::app::{Answered, App};
use crate::folder::SourceSessions;
use crate::space::OpenSpace;
use crate::watching::{SessionsWatched, WatchWish};
use crate::work::{Whole, report_to};
use kiroku_api::{
    Exclusion, Exclusions, FoundSessions, ImportOptions, ImportProgress, ImportReport, SessionFile, is_exchange,
    open_input, sessions_at, source_named, sources,
};
use kiroku_model::{Call, Error, Result, text};
use serde::{Deserialize, Serialize};
use specta::Type;
use std::collections::HashSet;
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// What is brought in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(tag = "from", rename_all = "snake_case")]
pub enum ImportInput {
    /// The sessions that worked in a folder or below it.
    Folder {
        /// The folder.
        folder: String,
        /// Names of the sources; none: all of them.
        sources: Vec<String>,
    },
    /// Every session of the agents on this computer.
    Everything {
        /// Names of the sources; none: all of them.
        sources: Vec<String>,
    },
    /// The sessions of these sources in exactly these folders.
    Groups {
        /// Which.
        groups: Vec<SessionGroup>,
    },
    /// Files and folders that the person chose: session files, or files in the exchange format.
    Paths {
        /// The paths.
        paths: Vec<String>,
    },
}

/// The sessions of one source that worked in one folder, as [`found_sessions`] tells them.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
pub struct SessionGroup {
    /// The source's name.
    pub source: String,
    /// The folder; `None`: the sessions do not say.
    pub folder: Option<String>,
}

/// Something that is left out of importing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum LeftOut {
    /// A folder, by its absolute path.
    Folder(String),
    /// A source, by its name.
    Source(String),
}

/// What came of an import.
#[derive(Clone, Debug, Serialize, Type)]
pub struct ImportOutcome {
    /// A report for each source, in the order in which they were read.
    pub reports: Vec<SourceReport>,
    /// Whether it was taken back before the end; what was committed stays, and the next import goes on from there.
    pub cancelled: bool,
}

/// What came of the import of one source.
#[derive(Clone, Debug, Serialize, Type)]
pub struct SourceReport {
    /// The source's name, or `kiroku` for the exchange format.
    pub source: String,
    /// What came of it.
    pub report: ImportReport,
}

/// The sessions of the agents on this computer, by source and folder, with those that the open space leaves out; with
/// `folder` only those that worked in it or below it. May be taken back by `work`.
#[tauri::command]
#[specta::specta]
pub async fn found_sessions(app: Shell<'_>, work: String, folder: Option<String>) -> Answered<Vec<SourceSessions>> {
    app.cancellable(work, 0, move |app, space, call| {
        let folder = folder.as_deref().map(Path::new);
        let found = space.workspace().sessions_in(folder, &app.place().environment, &call.cancel)?;
        Ok(found.iter().map(SourceSessions::of).collect())
    })
    .await
}

/// What the open space leaves out of importing.
#[tauri::command]
#[specta::specta]
pub async fn exclusions(app: Shell<'_>) -> Answered<Exclusions> {
    app.read(|space, _| space.exclusions()).await
}

/// Leaves a folder or a source out of importing from now on, or takes it in again; what was imported stays.
#[tauri::command]
#[specta::specta]
pub async fn set_excluded(app: Shell<'_>, what: LeftOut, excluded: bool) -> Answered<Exclusions> {
    app.read(move |space, _| {
        let what = match what {
            LeftOut::Folder(folder) => Exclusion::Folder(folder.into()),
            LeftOut::Source(name) => Exclusion::Source(name),
        };
        match excluded {
            true => space.exclude(&what).map(drop)?,
            false => space.include(&what)?,
        }
        space.exclusions()
    })
    .await
}

/// Has the person choose session files or files in the exchange format; none: they chose none.
#[tauri::command]
#[specta::specta]
pub async fn choose_import_files(app: Shell<'_>) -> Answered<Vec<String>> {
    app.blocking(|app| {
        let title = text!(en: "Choose files to import", ja: "取り込むファイルの選択");
        let chosen = app.desk().choose_files(title.get(app.lang()), ("JSON Lines", &["jsonl", "json", "zst"]), true);
        Ok(chosen.iter().map(|path| path.display().to_string()).collect())
    })
    .await
}

/// Imports into the open space and answers at the end; `WorkProgress` tells how far it is, `cancel(work)` takes it back.
#[tauri::command]
#[specta::specta]
pub async fn import_sessions(app: Shell<'_>, work: String, input: ImportInput) -> Answered<ImportOutcome> {
    app.cancellable(work.clone(), 0, move |app, space, call| import(app, space, call, &work, &input)).await
}

fn import(app: &App, space: &OpenSpace, call: &Call, work: &str, input: &ImportInput) -> Result<ImportOutcome> {
    let options = ImportOptions { owner: space.member(), lang: call.lang };
    let mut reports = Vec::new();
    let (mut found, exchange) = inputs(app, space, call, input)?;
    found.retain(|found| !found.files.is_empty() || !found.skipped.is_empty() || !found.excluded.is_empty());
    let mut whole = Whole::of(work, &found);
    for FoundSessions { source, files, skipped, excluded, .. } in found {
        let mut told = |at: &ImportProgress| app.desk().tell(whole.at(at));
        let mut report = space.workspace().import_with_pace(source, &files, &options, &call.cancel, &mut told)?;
        whole.ended(&files, report.comments);
        skipped.iter().for_each(|skipped| report.skip(skipped, call.lang));
        report.excluded += excluded.len() as u64;
        reports.push(SourceReport { source: source.name().to_owned(), report });
    }
    for path in exchange {
        let (name, from) = (path.display().to_string(), BufReader::new(open_input(&path)?));
        let progress = report_to(app, work);
        let done = space.workspace().import_exchange(from, &name, &options, &call.cancel, &progress)?;
        reports.push(SourceReport { source: "kiroku".to_owned(), report: done.import });
    }
    let cancelled = call.cancel.is_cancelled() || reports.iter().any(|of_source| of_source.report.cancelled);
    Ok(ImportOutcome { reports, cancelled })
}

/// The session files by source, and the files in the exchange format.
fn inputs(
    app: &App,
    space: &OpenSpace,
    call: &Call,
    input: &ImportInput,
) -> Result<(Vec<FoundSessions>, Vec<PathBuf>)> {
    let environment = &app.place().environment;
    let in_folder = |folder| space.workspace().sessions_in(folder, environment, &call.cancel);
    let (folder, names) = match input {
        ImportInput::Folder { folder, sources } => (Some(Path::new(folder)), sources),
        ImportInput::Everything { sources } => (None, sources),
        ImportInput::Groups { groups } => return Ok((only(in_folder(None)?, groups), Vec::new())),
        ImportInput::Paths { paths } => {
            let (exchange, sessions): (Vec<PathBuf>, Vec<PathBuf>) =
                paths.iter().map(PathBuf::from).partition(|path| is_exchange(path));
            return Ok((sessions_at(&sessions, sources(), &call.cancel)?, exchange));
        }
    };
    if let Some(name) = names.iter().find(|name| source_named(name).is_none()) {
        return Err(Error::invalid(text!(en: "there is no source `{name}`", ja: "取り込み元「{name}」はありません")));
    }
    let mut found = in_folder(folder)?;
    found.retain(|found| names.is_empty() || names.iter().any(|name| name == found.source.name()));
    Ok((found, Vec::new()))
}

/// What was found, less what is in none of these groups.
fn only(mut found: Vec<FoundSessions>, groups: &[SessionGroup]) -> Vec<FoundSessions> {
    let groups: HashSet<&SessionGroup> = groups.iter().collect();
    for of_source in &mut found {
        let source = of_source.source.name();
        let wanted = |file: &SessionFile| {
            let folder = file.folder.as_ref().map(|folder| folder.display().to_string());
            groups.contains(&SessionGroup { source: source.to_owned(), folder })
        };
        of_source.files.retain(wanted);
        of_source.excluded.retain(wanted);
        of_source.skipped.clear();
    }
    found
}

/// Whether sessions come in by themselves, and what they last brought.
#[tauri::command]
#[specta::specta]
pub async fn sessions_watched(app: Shell<'_>) -> Answered<SessionsWatched> {
    app.blocking(|app| Ok(app.open_space()?.watch().now())).await
}

/// Has sessions come in by themselves from now on, or no longer: what is wished is kept for this space. A watch that is
/// paused goes on.
#[tauri::command]
#[specta::specta]
pub async fn watch_sessions(app: Shell<'_>, wish: WatchWish) -> Answered<SessionsWatched> {
    app.blocking(move |app| {
        let space = app.open_space()?;
        wish.write(app.desk(), space.uid())?;
        app.watch(&space, wish, true)?;
        Ok(space.watch().now())
    })
    .await
}

/// Pauses the watch until it is told to go on or the space is opened again.
#[tauri::command]
#[specta::specta]
pub async fn pause_watching(app: Shell<'_>) -> Answered<SessionsWatched> {
    app.blocking(|app| {
        let space = app.open_space()?;
        space.watch().pause();
        Ok(space.watch().now())
    })
    .await
}
