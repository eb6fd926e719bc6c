//! Making, replacing and removing one file, so that nobody ever reads half of it and no words are lost that came
//! between reading and writing.
//!
//! On Linux the new file and the old one change places in one step (`renameat2`). What comes out is looked at: if it is
//! not what the change was made from, the two change back, and the write is a conflict. Elsewhere the old file is
//! looked at right before it is replaced.

use super::{Recovery, Why, hash};
use crate::RecordRef;
use crate::open::read_file;
use kiroku_model::{Error, ErrorCode, Result, Time, new_uid, text};
use std::fs::{File, OpenOptions, Permissions};
use std::io::Write;
use std::path::{Path, PathBuf};

const TEMP: (&str, &str) = (".kiroku-", ".tmp");

/// A leftover of a killed process is that old before it is cleared away (an hour, in milliseconds).
const STALE: i64 = 60 * 60 * 1000;

fn io(file: &str) -> impl Fn(std::io::Error) -> Error {
    let file = file.to_owned();
    move |error| Error::io(text!(en: "writing {file}", ja: "{file} の書き込み"), &error)
}

/// The error of a write that was made from something else than what is there.
pub(crate) fn conflict(file: &str, present: Option<&[u8]>) -> Error {
    let present = present.map(hash);
    Error::new(
        ErrorCode::Conflict,
        text!(en: "{file} changed since it was read; nothing was written", ja: "{file} は読み込んだ後に変わりました。何も書き込んでいません"),
    )
    .with("hash", present)
}

fn read_only(file: &str) -> Error {
    Error::new(
        ErrorCode::Refused,
        text!(en: "{file} is read-only; nothing was written", ja: "{file} は読み取り専用です。何も書き込んでいません"),
    )
}

/// A file beside the one it is for, gone when it is dropped.
struct Temp {
    path: PathBuf,
}

impl Temp {
    fn write(target: &Path, bytes: &[u8], mode: Option<Permissions>) -> std::io::Result<Temp> {
        let temp = Temp::unused(target);
        let mut file = OpenOptions::new().write(true).create_new(true).open(&temp.path)?;
        if let Some(mode) = mode {
            file.set_permissions(mode)?;
        }
        file.write_all(bytes)?;
        file.sync_all()?;
        Ok(temp)
    }

    fn unused(target: &Path) -> Temp {
        Temp { path: target.with_file_name(format!("{}{}{}", TEMP.0, new_uid(), TEMP.1)) }
    }

    fn read(&self, file: &str) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        read_file(&self.path, &file, &mut bytes)?;
        Ok(bytes)
    }
}

impl Drop for Temp {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

fn sync_directory(target: &Path) -> std::io::Result<()> {
    match target.parent() {
        Some(directory) if cfg!(unix) => File::open(directory)?.sync_all(),
        _ => Ok(()),
    }
}

/// Refuses a file that may not be written.
pub(crate) fn writable(target: &Path, file: &str) -> Result<Permissions> {
    let mode = std::fs::symlink_metadata(target).map_err(io(file))?.permissions();
    if mode.readonly() { Err(read_only(file)) } else { Ok(mode) }
}

/// Writes a new file. If one is there it is a conflict.
pub(crate) fn create(target: &Path, file: &str, bytes: &[u8]) -> Result<()> {
    let temp = Temp::write(target, bytes, None).map_err(io(file))?;
    match move_to_unused(&temp.path, target) {
        Ok(()) => sync_directory(target).map_err(io(file)),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            let mut present = Vec::new();
            Err(conflict(file, read_file(target, &file, &mut present).ok().map(|()| present.as_slice())))
        }
        Err(error) => Err(io(file)(error)),
    }
}

/// Replaces the file at `target`, which was read as `made_from`. If it is something else by now, it stays, and the
/// write is a conflict.
pub(crate) fn replace(
    target: &Path,
    record: &RecordRef,
    made_from: &[u8],
    bytes: &[u8],
    recovery: &Recovery,
) -> Result<()> {
    let file = record.file();
    let mode = writable(target, &file)?;
    let temp = Temp::write(target, bytes, Some(mode)).map_err(io(&file))?;
    match exchange(&temp.path, target) {
        Ok(true) => {}
        Ok(false) => return look_and_rename(target, record, made_from, temp, recovery),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Err(conflict(&file, None)),
        Err(error) => return Err(io(&file)(error)),
    }
    let out = temp.read(&file);
    if out.as_ref().is_ok_and(|out| out == made_from) {
        return sync_directory(target).map_err(io(&file));
    }
    // It was something else: it goes back to its place.
    exchange(&temp.path, target).map_err(io(&file))?;
    let ours = temp.read(&file)?;
    if ours != bytes {
        // Somebody wrote over ours in that moment: the newest words are in the temporary file, and what they replaced
        // is kept.
        let older = out.as_deref().unwrap_or_default();
        recovery.keep(record, older, Why::Conflict)?;
        exchange(&temp.path, target).map_err(io(&file))?;
        return Err(conflict(&file, Some(&ours)));
    }
    let out = out?;
    Err(conflict(&file, Some(&out)))
}

/// The way without an exchange.
fn look_and_rename(target: &Path, record: &RecordRef, made_from: &[u8], temp: Temp, recovery: &Recovery) -> Result<()> {
    let file = record.file();
    let mut present = Vec::new();
    read_file(target, &file, &mut present)?;
    if present != made_from {
        return Err(conflict(&file, Some(&present)));
    }
    recovery.keep(record, &present, Why::Replaced)?;
    std::fs::rename(&temp.path, target).map_err(io(&file))?;
    sync_directory(target).map_err(io(&file))
}

/// Removes the file at `target`, which was read as `made_from` (a link goes, not the file that it leads to). If it is
/// something else by now, it stays, and it is a conflict.
pub(crate) fn remove(target: &Path, record: &RecordRef, made_from: &[u8], recovery: &Recovery) -> Result<()> {
    let file = record.file();
    writable(target, &file)?;
    let temp = Temp::unused(target);
    let link = target.is_symlink();
    move_to_unused(target, &temp.path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => conflict(&file, None),
        _ => io(&file)(error),
    })?;
    if !link {
        let out = temp.read(&file);
        if !out.as_ref().is_ok_and(|out| out == made_from) {
            if move_to_unused(&temp.path, target).is_err() {
                // Another file took the name meanwhile: what was there before is kept.
                recovery.keep(record, out.as_deref().unwrap_or_default(), Why::Conflict)?;
            }
            return Err(conflict(&file, out.ok().as_deref()));
        }
    }
    drop(temp);
    sync_directory(target).map_err(io(&file))
}

/// Gives a file another name, unless that is taken.
#[cfg(target_os = "linux")]
pub(crate) fn move_to_unused(from: &Path, to: &Path) -> std::io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOSYS | rustix::io::Errno::OPNOTSUPP) => {
            link_and_unlink(from, to)
        }
        result => Ok(result?),
    }
}

/// Gives a file another name, unless that is taken.
#[cfg(not(target_os = "linux"))]
pub(crate) fn move_to_unused(from: &Path, to: &Path) -> std::io::Result<()> {
    link_and_unlink(from, to)
}

fn link_and_unlink(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::hard_link(from, to)?;
    std::fs::remove_file(from)
}

/// Lets two files change places; `false` if this system or disk can't.
#[cfg(target_os = "linux")]
fn exchange(a: &Path, b: &Path) -> std::io::Result<bool> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    match renameat_with(CWD, a, CWD, b, RenameFlags::EXCHANGE) {
        Ok(()) => Ok(true),
        Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOSYS | rustix::io::Errno::OPNOTSUPP) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(target_os = "linux"))]
fn exchange(_: &Path, _: &Path) -> std::io::Result<bool> {
    Ok(false)
}

/// Clears away what killed processes left beside records in `directory`: the text may be somebody's, so it is kept.
pub(crate) fn sweep(directory: &Path, recovery: &Recovery, now: Time) {
    let Ok(names) = std::fs::read_dir(directory) else {
        return;
    };
    for found in names.flatten() {
        let name = found.file_name();
        let ours = name.to_str().is_some_and(|name| name.starts_with(TEMP.0) && name.ends_with(TEMP.1));
        let age = || {
            let since = found.metadata().ok()?.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
            Some(now.0 - i64::try_from(since.as_millis()).ok()?)
        };
        if ours && age().is_some_and(|age| age > STALE) {
            let mut bytes = Vec::new();
            let kept = read_file(&found.path(), &"", &mut bytes)
                .and_then(|()| recovery.keep(&RecordRef::summary(), &bytes, Why::Conflict));
            if kept.is_ok() {
                let _ = std::fs::remove_file(found.path());
            }
        }
    }
}
