//! What can be told of a file before SQLite touches it: whether it is a space, of which schema, and whether it is
//! whole. And what stands around a new one: its mode, and the ignore file inside a git work tree.

use crate::schema::{APPLICATION_ID, SCHEMA_VERSION};
use crate::sqlite_error::{damaged, not_a_space};
use kiroku_model::{Error, ErrorCode, Result, text};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Looks at the file's first 100 bytes (<https://sqlite.org/fileformat2.html>) and refuses what this build can't use,
/// without writing anything.
pub(crate) fn inspect(path: &Path) -> Result<()> {
    let shown = path.display();
    let meta = fs::metadata(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => Error::not_found(text!(
            en: "there is no space at {shown}; `kiroku space new` makes one",
            ja: "{shown} にスペースはありません。`kiroku space new` で作れます"
        )),
        _ => Error::io(text!(en: "opening {shown}", ja: "{shown} を開けません"), &error),
    })?;
    if !meta.is_file() {
        return Err(not_a_space());
    }
    let mut header = [0; 100];
    let read = fs::File::open(path).and_then(|mut file| file.read_exact(&mut header));
    if let Err(error) = read {
        return Err(match error.kind() {
            std::io::ErrorKind::UnexpectedEof => not_a_space(),
            _ => Error::io(text!(en: "reading {shown}", ja: "{shown} を読めません"), &error),
        });
    }
    let word = |at: usize| u32::from_be_bytes([header[at], header[at + 1], header[at + 2], header[at + 3]]);
    if &header[..16] != b"SQLite format 3\0" || word(68) != APPLICATION_ID as u32 {
        return Err(not_a_space());
    }
    check_version(word(60) as i32)?;
    let page = match u16::from_be_bytes([header[16], header[17]]) {
        1 => 65536,
        size => u64::from(size),
    };
    // The page count is only to be trusted when the two counters agree, and while a WAL stands beside the file the
    // file itself may lag behind.
    let wal = fs::metadata(beside(path, "-wal")).is_ok_and(|wal| wal.len() > 0);
    if !wal && word(24) == word(92) && meta.len() < u64::from(word(28)) * page {
        return Err(damaged().with("cause", "truncated"));
    }
    Ok(())
}

/// Refuses a schema that is newer than this build.
pub(crate) fn check_version(version: i32) -> Result<()> {
    if version <= SCHEMA_VERSION {
        return Ok(());
    }
    Err(Error::new(
        ErrorCode::NewerSchema,
        text!(
            en: "this space was written by a newer Kiroku (schema {version}, this build knows {SCHEMA_VERSION}); it was left as it is. Update Kiroku to open it",
            ja: "このスペースは新しい Kiroku で作られています（スキーマ {version}、このプログラムは {SCHEMA_VERSION} まで）。ファイルには触れていません。Kiroku を更新してから開いてください"
        ),
    ))
}

/// The file beside `path` whose name ends in `suffix`, such as the WAL.
pub(crate) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Makes an empty file that only its owner may read; refuses to touch one that exists.
pub(crate) fn create_private(path: &Path) -> std::io::Result<()> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?.sync_all()
}

/// Keeps a space in a `.kiroku` directory and its backups out of git, unless somebody already said otherwise there.
pub(crate) fn ignore_in_git(path: &Path) {
    let Some(dir) = path.parent().filter(|dir| dir.file_name().is_some_and(|name| name == ".kiroku")) else {
        return;
    };
    let ignore = dir.join(".gitignore");
    if !ignore.exists() {
        // Not being able to write it is no reason not to make the space.
        let _ = fs::write(
            ignore,
            "# Whole conversations stand in these files: they are not to be committed.\nspace.db*\nbackups/\n",
        );
    }
}

/// What identifies the file behind a path, so that a file that was removed or replaced while open is noticed.
#[cfg(unix)]
pub(crate) fn identity(path: &Path) -> std::io::Result<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(path).map(|meta| (meta.dev(), meta.ino()))
}

/// Elsewhere an open file can't be removed or replaced, and there is nothing to notice.
#[cfg(not(unix))]
pub(crate) fn identity(path: &Path) -> std::io::Result<(u64, u64)> {
    fs::metadata(path).map(|_| (0, 0))
}
