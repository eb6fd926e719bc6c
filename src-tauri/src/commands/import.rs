//! Bringing agents' sessions and exported spaces in.

use super::Shell;
use crate::app::{Answered, App};
use crate::folder::{self, Found, SourceSessions};
use crate::space::OpenSpace;
use crate::work::{of_import, report_to};
use kiroku_api::{Exclusion, Exclusions, ImportOptions, ImportProgress, ImportReport, sources};
use kiroku_model::{Call, Error, Lang, Result, Text, text};
use serde::{Deserialize, Serialize};
use specta::Type;
use std::collections::HashSet;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
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
    /// Files and folders that the person chose: session files, or files in the exchange format.
    Paths {
        /// The paths.
        paths: Vec<String>,
    },
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
    /// What came of it; `why` of what was skipped is in the window's language.
    pub report: ImportReport,
}

/// The sessions of the agents on this computer, by source and folder; with `folder` only those that worked in it or
/// below it. May be taken back by `work`.
#[tauri::command]
#[specta::specta]
pub async fn found_sessions(app: Shell<'_>, work: String, folder: Option<String>) -> Answered<Vec<SourceSessions>> {
    let ticket = app.works().begin(&work, 0).map_err(|error| error.to_wire(app.lang()))?;
    app.blocking(move |app| {
        let found = folder::sessions(app.place(), folder.as_deref().map(Path::new), ticket.cancel())?;
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
    let mut reports = Vec::new();
    let (found, exchange) = inputs(app, call, input)?;
    for of_source in found.into_iter().filter(|found| !found.files.is_empty() || !found.skipped.is_empty()) {
        let options = ImportOptions { owner: space.member() };
        let Found { source, files, skipped, .. } = of_source;
        let mut progress = |at: &ImportProgress| app.desk().tell(of_import(work, at));
        let mut report = space.workspace().import_with_pace(source, &files, &options, &call.cancel, &mut progress)?;
        skipped.iter().for_each(|skipped| report.skip(skipped));
        reports.push(SourceReport { source: source.name().to_owned(), report });
    }
    for path in exchange {
        let (name, from) = (path.display().to_string(), BufReader::new(open(&path)?));
        let progress = report_to(app, work);
        let done = space.workspace().import_exchange(from, &name, &space.member(), &call.cancel, &progress)?;
        reports.push(SourceReport { source: "kiroku".to_owned(), report: done.import });
    }
    reports.iter_mut().for_each(|of_source| in_language(&mut of_source.report, call.lang));
    let cancelled = call.cancel.is_cancelled() || reports.iter().any(|of_source| of_source.report.cancelled);
    Ok(ImportOutcome { reports, cancelled })
}

/// The session files by source, and the files in the exchange format.
fn inputs(app: &App, call: &Call, input: &ImportInput) -> Result<(Vec<Found>, Vec<PathBuf>)> {
    let (folder, names) = match input {
        ImportInput::Folder { folder, sources } => (Some(Path::new(folder)), sources),
        ImportInput::Everything { sources } => (None, sources),
        ImportInput::Paths { paths } => return chosen(call, paths),
    };
    if let Some(name) = names.iter().find(|name| kiroku_api::source_named(name).is_none()) {
        return Err(Error::invalid(text!(en: "there is no source `{name}`", ja: "取り込み元「{name}」はありません")));
    }
    let mut found = folder::sessions(app.place(), folder, &call.cancel)?;
    found.retain(|found| names.is_empty() || names.iter().any(|name| name == found.source.name()));
    Ok((found, Vec::new()))
}

/// What the person chose: each path is one file in the exchange format, or is looked through by every source. A file
/// that one source takes is not given to another.
fn chosen(call: &Call, paths: &[String]) -> Result<(Vec<Found>, Vec<PathBuf>)> {
    let (exchange, sessions): (Vec<PathBuf>, Vec<PathBuf>) =
        paths.iter().map(PathBuf::from).partition(|path| is_exchange(path));
    let mut taken: HashSet<PathBuf> = HashSet::new();
    let mut all = Vec::new();
    for source in sources() {
        let mut of_source = Found { source: *source, looked_in: Vec::new(), files: Vec::new(), skipped: Vec::new() };
        for path in &sessions {
            let found = source.find(path, &call.cancel)?;
            of_source.files.extend(found.files.into_iter().filter(|file| taken.insert(file.path.clone())));
            of_source.skipped.extend(found.skipped);
        }
        all.push(of_source);
    }
    // What one source can't read may be another's.
    for of_source in &mut all {
        of_source.skipped.retain(|skipped| !taken.contains(&skipped.path));
    }
    Ok((all, exchange))
}

/// Whether a file is in the exchange format: its first line is a row of it.
fn is_exchange(path: &Path) -> bool {
    let Ok(file) = open(path) else { return false };
    let mut first = Vec::new();
    let read = BufReader::new(file).take(1 << 20).read_until(b'\n', &mut first);
    let row: Option<serde_json::Value> = read.ok().and_then(|_| serde_json::from_slice(first.trim_ascii()).ok());
    const ROWS: [&str; 6] = ["kiroku", "space", "member", "task", "comment", "list"];
    row.as_ref().and_then(|row| row.get("type")?.as_str()).is_some_and(|kind| ROWS.contains(&kind))
}

fn open(path: &Path) -> Result<File> {
    let shown = path.display();
    let whole = std::fs::metadata(path).and_then(|meta| match meta.is_file() {
        true => File::open(path),
        false => Err(std::io::ErrorKind::InvalidInput.into()),
    });
    whole.map_err(|error| Error::io(text!(en: "opening {shown}", ja: "{shown} を開けません"), &error))
}

/// A report says why in English by itself, being read by programs too; this one is for the person.
fn in_language(report: &mut ImportReport, lang: Lang) {
    for skip in &mut report.skips {
        let said = skip.why.get(lang).to_owned();
        skip.why = Text { en: said.clone(), ja: said };
    }
}
