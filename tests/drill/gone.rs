//! The space's file taken away or replaced while it is open: who has it open is told at the next call, nothing is written
//! to what stands there now, and opening again goes on with it.

use crate::Result;
use kiroku_api::{NewSpace, Workspace};
use kiroku_model::{Caller, SystemClock};
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// Runs the drill.
pub fn drill(rounds: u32) -> Result<()> {
    let folder = tempfile::Builder::new().prefix("kiroku-gone-").tempdir()?;
    for round in 0..rounds {
        let at = folder.path().join(format!("{round}"));
        removed(&at.join("removed"))?;
        replaced(&at.join("replaced"))?;
        restored(&at.join("restored"))?;
    }
    println!("{rounds} times each a file removed, replaced and restored while open: told, and nothing else touched");
    Ok(())
}

fn create(folder: &Path, name: &str) -> Result<Workspace> {
    fs::create_dir_all(folder)?;
    let new = NewSpace { name: name.to_owned(), owner: "m1".to_owned(), owner_name: "m1".to_owned() };
    Ok(Workspace::create(&folder.join("space.db"), &new, Arc::new(SystemClock))?)
}

/// That every way to the open space is refused, with words that say what happened.
fn refused(open: &Workspace) -> Result<()> {
    let answers =
        [open.rename(&Caller::member("m1"), "lost").err(), open.members().err(), open.counts().map(drop).err()];
    for (nth, answer) in answers.into_iter().enumerate() {
        let error = answer.ok_or_else(|| format!("call {nth} went through on a file that is gone"))?;
        if error.message().en.len() < 20 {
            return Err(format!("call {nth} says too little: {}", error.message().en).into());
        }
    }
    Ok(())
}

fn removed(folder: &Path) -> Result<()> {
    let open = create(folder, "first")?;
    for suffix in ["", "-wal", "-shm"] {
        let _ = fs::remove_file(folder.join(format!("space.db{suffix}")));
    }
    refused(&open)?;
    match folder.join("space.db").exists() {
        true => Err("a removed file came back".into()),
        false => Ok(()),
    }
}

fn replaced(folder: &Path) -> Result<()> {
    let open = create(folder, "first")?;
    drop(create(&folder.join("other"), "second")?);
    for suffix in ["-wal", "-shm"] {
        let _ = fs::remove_file(folder.join(format!("space.db{suffix}")));
    }
    fs::rename(folder.join("other/space.db"), folder.join("space.db"))?;
    let before = fs::read(folder.join("space.db"))?;
    refused(&open)?;
    drop(open);
    if fs::read(folder.join("space.db"))? != before {
        return Err("the file that took its place was written to".into());
    }
    name_is(folder, "second")
}

fn restored(folder: &Path) -> Result<()> {
    let open = create(folder, "first")?;
    let backup = open.backup()?;
    open.rename(&Caller::member("m1"), "later")?;
    kiroku_api::restore(&folder.join("space.db"), &backup.path, Arc::new(SystemClock))?;
    refused(&open)?;
    name_is(folder, "first")
}

fn name_is(folder: &Path, name: &str) -> Result<()> {
    let found = Workspace::open(&folder.join("space.db"), Arc::new(SystemClock))?.info()?.name;
    if found == name { Ok(()) } else { Err(format!("`{found}` stands where `{name}` should").into()) }
}
