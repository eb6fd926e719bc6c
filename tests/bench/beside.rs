//! A SQLite file with the files that stand beside it while it is open.

use std::path::{Path, PathBuf};

/// Removes a SQLite file, its WAL and its shared memory; what is not there is no error.
pub fn remove(path: &Path) -> std::io::Result<()> {
    for suffix in ["", "-wal", "-shm"] {
        let mut name = path.as_os_str().to_owned();
        name.push(suffix);
        match std::fs::remove_file(PathBuf::from(name)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}
