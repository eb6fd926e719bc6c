//! Which files an import reads: those that the arguments name, or the sessions that agents had in this folder.

use crate::Session;
use crate::args::{FromArg, ImportArgs};
use crate::place::{absolute, environment, here};
use kiroku_api::{
    FoundSessions, SessionFile, Skipped, Source, Workspace, is_exchange, open_input, sessions_at, source_named, sources,
};
use kiroku_model::{Error, Result, text};
use std::io::{BufRead, BufReader};
use std::path::PathBuf;

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

impl Input {
    fn found(of: FoundSessions) -> Input {
        let FoundSessions { source, files, skipped, excluded, .. } = of;
        Input::Sessions { source, files, skipped, excluded: excluded.len() as u64 }
    }
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
            open_input(path).map(|file| vec![Input::Exchange { name, from: Box::new(BufReader::new(file)) }])
        } else {
            // Absolute, so that the place where reading stopped is found again from any folder.
            let found = sessions_at(&[absolute(path)], &of(args.from)?, &session.cancel);
            found.map(|found| found.into_iter().map(Input::found).collect())
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
    let found = workspace.sessions_in(Some(&folder), &environment, &session.cancel)?;
    let found = found.into_iter().filter(|of| !of.files.is_empty() || !of.excluded.is_empty());
    let inputs: Vec<Input> = found.map(Input::found).collect();
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
