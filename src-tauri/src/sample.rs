//! The sample space: it ships with the program in the exchange format, with its records, and is made in the app's own
//! directory when somebody first looks round in it. From then on it is a space like any other.

use crate::app::App;
use crate::work::report_to;
use kiroku_api::{ImportOptions, NewSpace, Workspace};
use kiroku_model::{Cancel, Error, Result, text};
use std::fs;
use std::io::BufReader;
use std::path::Path;

/// The conversations, and the folder of the records beside them.
const CONVERSATIONS: &str = "sample-space.jsonl";
const RECORDS: &str = "sample-space";

/// Makes the sample space if it is not there whole, and opens its file. What an earlier try left is completed: importing
/// the same again adds nothing.
pub fn open(app: &App, work: &str, cancel: &Cancel) -> Result<Workspace> {
    let (dir, file) = (app.place().sample_dir(), app.place().sample_space());
    let whole = dir.join(".kiroku/whole");
    if whole.exists() && file.exists() {
        return Workspace::open(&file, app.clock());
    }
    // Before anything is made.
    let name = app.desk().resource(CONVERSATIONS)?;
    let conversations = fs::File::open(&name).map_err(|error| missing(&name, &error))?;
    let space = match file.exists() {
        true => Workspace::open(&file, app.clock())?,
        false => Workspace::create(&file, &first(app), app.clock())?,
    };
    let options = ImportOptions { owner: space.owner()?.id, lang: app.lang() };
    let report = report_to(app, work);
    let done = space.import_exchange(BufReader::new(conversations), CONVERSATIONS, &options, cancel, &report)?;
    cancel.check()?;
    if done.import.skipped > 0 {
        let skipped = done.import.skipped;
        return Err(Error::internal(format!("{skipped} lines of the sample space can't be read")));
    }
    copy_missing(&app.desk().resource(RECORDS)?, &dir)?;
    fs::write(&whole, b"").map_err(|error| missing(&whole, &error))?;
    Ok(space)
}

fn first(app: &App) -> NewSpace {
    let account = app.preferences().member.unwrap_or_else(|| app.place().account.clone());
    let owner = if account.is_empty() { "me".to_owned() } else { account };
    let name = text!(en: "Sample", ja: "サンプル").get(app.lang()).to_owned();
    NewSpace { name, owner_name: app.preferences().member_name.unwrap_or_else(|| owner.clone()), owner }
}

fn missing(path: &Path, error: &std::io::Error) -> Error {
    let shown = path.display();
    Error::io(text!(en: "the sample space: {shown}", ja: "サンプルのスペース: {shown}"), error)
}

/// Copies what is in `from` and not yet in `to`; what the person changed stays.
fn copy_missing(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).map_err(|error| missing(to, &error))?;
    for entry in fs::read_dir(from).map_err(|error| missing(from, &error))? {
        let entry = entry.map_err(|error| missing(from, &error))?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if source.is_dir() {
            copy_missing(&source, &target)?;
        } else if !target.exists() {
            fs::copy(&source, &target).map_err(|error| missing(&target, &error))?;
        }
    }
    Ok(())
}
