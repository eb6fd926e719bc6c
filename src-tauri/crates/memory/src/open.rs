//! Opening one file, and the words for what can't be opened: plain files only, never a link that was put there meanwhile,
//! never a pipe to wait at, and never more of it than memory should hold.

use kiroku_model::{Error, ErrorCode, Result, Text, text};
use std::fmt::Display;
use std::fs::{File, Metadata};
use std::io::Read;
use std::path::Path;

/// The largest file that is read as a record (16 MiB).
pub const LARGEST_FILE: u64 = 16 * 1024 * 1024;

/// A file's bytes as text.
pub(crate) fn to_text(bytes: Vec<u8>, file: &str) -> Result<String> {
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Error::new(
            ErrorCode::Damaged,
            text!(en: "{file} is not UTF-8 (byte {at})", ja: "{file} は UTF-8 ではありません（{at} バイト目）"),
        )
    })
}

pub(crate) fn refused(file: &dyn Display, why: Text) -> Error {
    let file = file.to_string();
    let Text { en, ja } = why;
    Error::new(ErrorCode::Refused, text!(en: "{file} {en}", ja: "{file} は{ja}")).with("file", file)
}

pub(crate) fn special(file: &dyn Display) -> Error {
    refused(&file, text!(en: "is not a plain file", ja: "通常のファイルではありません"))
}

pub(crate) fn twin(file: &dyn Display, other: &str) -> Error {
    refused(
        &file,
        text!(en: "has a twin `{other}` whose name differs in capitals alone: rename that first", ja: "大文字と小文字だけが違う「{other}」があるため使えません。先にそちらの名前を変えてください"),
    )
}

pub(crate) fn link_error(file: &dyn Display, error: &std::io::Error) -> Error {
    if error.kind() == std::io::ErrorKind::NotFound {
        return refused(&file, text!(en: "is a link that leads to nothing", ja: "リンク先がありません"));
    }
    // Links that lead round in a circle end here too, with the system's own words.
    refused(&file, text!(en: "can't be followed: {error}", ja: "たどれません: {error}"))
}

/// Reads a plain file at a canonical path, without following a link that was put there meanwhile and without waiting
/// for a pipe's other end.
pub(crate) fn read_file(path: &Path, file: &dyn Display, bytes: &mut Vec<u8>) -> Result<()> {
    let io = |error: std::io::Error| Error::io(text!(en: "reading {file}", ja: "{file} を読めません"), &error);
    let (mut open, meta) = open_plain(path, file)?;
    if meta.len() > LARGEST_FILE {
        return Err(too_large(file));
    }
    fill(&mut open, meta.len(), bytes).map_err(io)
}

/// Reads as much as there was when the file was opened: a writer of ours puts a new file in its place, and what another
/// one appends is read next time.
fn fill(open: &mut File, len: u64, bytes: &mut Vec<u8>) -> std::io::Result<()> {
    bytes.resize(usize::try_from(len).unwrap_or(0), 0);
    let mut at = 0;
    while at < bytes.len() {
        match open.read(&mut bytes[at..]) {
            Ok(0) => break,
            Ok(n) => at += n,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    bytes.truncate(at);
    Ok(())
}

fn too_large(file: &dyn Display) -> Error {
    let limit = LARGEST_FILE / 1024 / 1024;
    refused(&file, text!(en: "is larger than {limit} MiB", ja: "{limit} MiB を超えています"))
}

/// Opens a plain file for reading.
pub(crate) fn open_plain(path: &Path, file: &dyn Display) -> Result<(File, Metadata)> {
    let io = |error: std::io::Error| Error::io(text!(en: "reading {file}", ja: "{file} を読めません"), &error);
    let mut options = std::fs::OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
        options.custom_flags(flags.bits().cast_signed());
    }
    let open = options.open(path).map_err(io)?;
    let meta = open.metadata().map_err(io)?;
    if meta.is_file() { Ok((open, meta)) } else { Err(special(&file)) }
}

/// A directory that is held open, so that ten thousand files of it are opened without walking the whole path each time.
pub(crate) struct Directory {
    #[cfg(unix)]
    open: std::os::fd::OwnedFd,
}

impl Directory {
    /// Opens the directory at a canonical path; `None` if that can't be done.
    #[cfg(unix)]
    pub(crate) fn open(path: &Path) -> Option<Directory> {
        use rustix::fs::{Mode, OFlags, open};
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Some(Directory { open: open(path, flags, Mode::empty()).ok()? })
    }

    /// There is nothing to hold open here.
    #[cfg(not(unix))]
    pub(crate) fn open(_: &Path) -> Option<Directory> {
        None
    }

    /// Reads the plain file `name` of it, as [`read_file`] does.
    #[cfg(unix)]
    pub(crate) fn read(&self, name: &str, file: &dyn Display, bytes: &mut Vec<u8>) -> Result<()> {
        use rustix::fs::{FileType, Mode, OFlags, fstat, openat};
        let io = |error: std::io::Error| Error::io(text!(en: "reading {file}", ja: "{file} を読めません"), &error);
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let found = openat(&self.open, name, flags, Mode::empty()).map_err(|error| io(error.into()))?;
        let stat = fstat(&found).map_err(|error| io(error.into()))?;
        if !FileType::from_raw_mode(stat.st_mode).is_file() {
            return Err(special(file));
        }
        let len = u64::try_from(stat.st_size).unwrap_or(u64::MAX);
        if len > LARGEST_FILE {
            return Err(too_large(file));
        }
        fill(&mut File::from(found), len, bytes).map_err(io)
    }

    /// Never called: none is opened here.
    #[cfg(not(unix))]
    pub(crate) fn read(&self, _: &str, file: &dyn Display, _: &mut Vec<u8>) -> Result<()> {
        Err(special(file))
    }
}
