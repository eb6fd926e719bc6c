//! `kiroku import exclusions`: what a space leaves out of importing.

use crate::Session;
use crate::args::ExclusionsCommand;
use crate::output::{json, print};
use crate::place::absolute;
use kiroku_api::{Exclusion, Workspace, source_named};
use kiroku_model::{Result, text};
use std::path::Path;
use std::process::ExitCode;

/// What an argument names: a source by its name, else a folder.
pub fn exclusion(what: &Path) -> Exclusion {
    match what.to_str().filter(|name| source_named(name).is_some()) {
        Some(name) => Exclusion::Source(name.to_owned()),
        None => Exclusion::Folder(absolute(what)),
    }
}

pub fn exclusions(session: &Session, workspace: &Workspace, command: &ExclusionsCommand) -> Result<ExitCode> {
    match command {
        ExclusionsCommand::List { json: as_json } => {
            let all = workspace.exclusions()?;
            if *as_json {
                json(&all)?;
            } else {
                let folders = all.folders.iter().map(|folder| folder.display().to_string());
                let lines: String = folders.chain(all.sources.iter().cloned()).map(|line| line + "\n").collect();
                print(&lines)?;
            }
        }
        ExclusionsCommand::Add { what } => {
            let new = workspace.exclude(&exclusion(what))?;
            let said = if new {
                text!(en: "Left out of importing from now on; what was imported of it stays.", ja: "今後の取り込みから除外します。取り込み済みの分は残ります。")
            } else {
                text!(en: "This is left out already.", ja: "すでに除外されています。")
            };
            print(&format!("{}\n", said.get(session.lang)))?;
        }
        ExclusionsCommand::Remove { what } => workspace.include(&exclusion(what))?,
    }
    Ok(ExitCode::SUCCESS)
}
