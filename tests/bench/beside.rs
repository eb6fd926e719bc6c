//! A SQLite file with the files that stand beside it while it is open.

use std::path::{Path, PathBuf};

/// Removes a SQLite file, its WAL and its shared memory; what is not there is no error.
pub fn remove(path: &Path) -> std::io::Result<()> {
    for suffix in ["", "-wal", "-shm"] {
        match std::fs::remove_file(named(path, suffix)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

/// The most that a file's WAL took, as far as it was looked at.
pub struct Wal {
    path: PathBuf,
    /// In bytes.
    pub most: u64,
}

impl Wal {
    /// Of the SQLite file at `path`.
    pub fn of(path: &Path) -> Wal {
        Wal { path: named(path, "-wal"), most: 0 }
    }

    /// Looks at it.
    pub fn look(&mut self) {
        self.most = self.most.max(std::fs::metadata(&self.path).map_or(0, |file| file.len()));
    }
}

fn named(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}
