//! Which files an import reads: those that the arguments name, or the sessions that agents had in this folder.

use crate::Session;
use crate::args::{FromArg, ImportArgs};
use crate::place::{absolute, environment, here};
use kiroku_api::{SessionFile, Skipped, Source, Workspace, source_named, sources};
use kiroku_model::{Error, Result, text};
use std::collections::HashSet;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

/// One thing to import.
pub enum Input {
    Sessions {
        source: &'static dyn Source,
        files: Vec<SessionFile>,
        skipped: Vec<Skipped>,
        excluded: u64,
    },
    Exchange {
        name: String,
        from: Box<dyn BufRead>,
    },
    /// A path that was named and can't be read at all.
    Unreadable {
        path: PathBuf,
        error: Error,
    },
}

/// What the arguments name.
pub fn named(session: &Session, args: &ImportArgs) -> Result<Vec<Input>> {
    let mut inputs = Vec::new();
    for path in &args.paths {
        if path.as_os_str() == "-" {
            if args.from.is_some_and(|from| from != FromArg::Kiroku) {
                return Err(Error::invalid(text!(
                    en: "standard input is read in the exchange format only; name session files by their path",
                    ja: "標準入力から読めるのは交換形式だけです。セッションのファイルはパスで指定してください"
                )));
            }
            inputs.push(Input::Exchange { name: "-".to_owned(), from: Box::new(BufReader::new(std::io::stdin())) });
            continue;
        }
        let found = if args.from == Some(FromArg::Kiroku) || (args.from.is_none() && is_exchange(path)) {
            let name = path.display().to_string();
            open(path).map(|file| vec![Input::Exchange { name, from: Box::new(BufReader::new(file)) }])
        } else {
            // Absolute, so that the place where reading stopped is found again from any folder.
            sessions(session, &of(args.from)?, &absolute(path))
        };
        // One that can't be read does not keep the others out.
        inputs.extend(found.unwrap_or_else(|error| vec![Input::Unreadable { path: path.clone(), error }]));
    }
    Ok(inputs)
}

/// The sources that an argument speaks of: one, or all.
pub fn of(from: Option<FromArg>) -> Result<Vec<&'static dyn Source>> {
    let name = match from {
        None => return Ok(sources().to_vec()),
        Some(FromArg::ClaudeCode) => "claude-code",
        Some(FromArg::Codex) => "codex",
        Some(FromArg::Kiroku) => {
            return Err(Error::invalid(text!(
                en: "the exchange format has no sessions to watch",
                ja: "交換形式には監視できるセッションがありません"
            )));
        }
    };
    Ok(vec![source_named(name).ok_or_else(|| Error::internal("no such source"))?])
}

/// The sessions at or below `path`, each of the source that knows it. What none of them knows is told once.
fn sessions(session: &Session, of: &[&'static dyn Source], path: &Path) -> Result<Vec<Input>> {
    let (mut inputs, mut unknown, mut taken) = (Vec::new(), Vec::<Skipped>::new(), HashSet::new());
    for source in of {
        let mut found = source.find(path, &session.cancel)?;
        found.files.retain(|file| taken.insert(file.path.clone()));
        unknown.extend(found.skipped);
        inputs.push((*source, found.files));
    }
    unknown.retain(|skipped| taken.insert(skipped.path.clone()));
    // If none knows anything here, the first one tells of what was skipped.
    let any = inputs.iter().any(|(_, files)| !files.is_empty());
    inputs.retain(|(_, files)| !any || !files.is_empty());
    inputs.truncate(if any { inputs.len() } else { 1 });
    let inputs = inputs.into_iter().map(|(source, files)| Input::Sessions {
        source,
        files,
        skipped: std::mem::take(&mut unknown),
        excluded: 0,
    });
    Ok(inputs.collect())
}

fn open(path: &Path) -> Result<std::fs::File> {
    let shown = path.display();
    let file = std::fs::metadata(path).and_then(|meta| {
        if meta.is_file() { std::fs::File::open(path) } else { Err(std::io::ErrorKind::InvalidInput.into()) }
    });
    file.map_err(|error| match error.kind() {
        std::io::ErrorKind::InvalidInput => {
            Error::invalid(text!(en: "{shown} is not a regular file", ja: "{shown} は通常のファイルではありません"))
        }
        _ => Error::io(text!(en: "opening {shown}", ja: "{shown} を開けません"), &error),
    })
}

/// Whether a file is in the exchange format: its first line is a row of it.
fn is_exchange(path: &Path) -> bool {
    let Ok(file) = open(path) else { return false };
    let mut first = Vec::new();
    let read = std::io::Read::take(BufReader::new(file), 1 << 20).read_until(b'\n', &mut first);
    let row: Option<serde_json::Value> = read.ok().and_then(|_| serde_json::from_slice(first.trim_ascii()).ok());
    const ROWS: [&str; 6] = ["kiroku", "space", "member", "task", "comment", "list"];
    let kind = row.as_ref().and_then(|row| row.get("type")).and_then(serde_json::Value::as_str);
    kind.is_some_and(|kind| ROWS.contains(&kind))
}

/// The folder that this command is about when no path is named.
pub fn this_folder(workspace: &Workspace) -> Result<PathBuf> {
    let here = here()?;
    let space = absolute(workspace.space().path());
    // In a space of its own (`.kiroku/space.db`), "this folder" is the space's, wherever in it the command was given.
    Ok(match space.parent() {
        Some(dir) if dir.ends_with(".kiroku") && here.starts_with(dir.parent().unwrap_or(dir)) => {
            dir.parent().unwrap_or(dir).to_owned()
        }
        _ => here,
    })
}

/// The sessions that agents had in this folder or below it.
pub fn found_here(session: &Session, workspace: &Workspace) -> Result<Vec<Input>> {
    let folder = this_folder(workspace)?;
    let environment = environment();
    let found = workspace.sessions_in(&folder, &environment, &session.cancel)?;
    let inputs: Vec<Input> = found
        .into_iter()
        .filter(|of| !of.files.is_empty() || of.excluded > 0)
        .map(|of| Input::Sessions { source: of.source, files: of.files, skipped: of.skipped, excluded: of.excluded })
        .collect();
    if inputs.is_empty() {
        let looked = sources().iter().flat_map(|source| source.homes(&environment));
        let looked: Vec<String> = looked.map(|home| home.display().to_string()).collect();
        let (folder, looked) = (folder.display(), looked.join(", "));
        return Err(Error::not_found(text!(
            en: "no sessions that worked in {folder} were found (looked in: {looked}); name session files or folders to import others",
            ja: "{folder} で作業したセッションは見つかりませんでした（探した場所: {looked}）。ほかを取り込むには、ファイルかフォルダーを指定してください"
        )));
    }
    Ok(inputs)
}
