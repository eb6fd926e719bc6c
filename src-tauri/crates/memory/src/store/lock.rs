//! The advisory lock of a content root, kept in the app's data so that nothing is left in people's folders. It orders our
//! own processes; others are found out by the exchange.

use kiroku_model::{Error, ErrorCode, Result, text};
use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;
use std::time::{Duration, Instant};

/// How long a writer waits for another: a write takes milliseconds.
const PATIENCE: Duration = Duration::from_secs(10);

/// The lock, until it is dropped.
pub(crate) struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock of the root whose name is `id`; `busy` if somebody keeps it for long.
    pub fn take(data: &Path, id: &str) -> Result<Lock> {
        let io = |error: std::io::Error| Error::io(text!(en: "locking the records", ja: "記録のロック"), &error);
        let folder = data.join("locks");
        std::fs::create_dir_all(&folder).map_err(io)?;
        let path = folder.join(format!("{id}.lock"));
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(path).map_err(io)?;
        let start = Instant::now();
        let mut pause = Duration::from_millis(1);
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Lock { _file: file }),
                Err(TryLockError::Error(error)) => return Err(io(error)),
                Err(TryLockError::WouldBlock) if start.elapsed() > PATIENCE => {
                    return Err(Error::new(
                        ErrorCode::Busy,
                        text!(en: "another process is writing the records: try again", ja: "別のプロセスが記録を書き込み中です。もう一度試してください"),
                    ));
                }
                Err(TryLockError::WouldBlock) => {
                    std::thread::sleep(pause);
                    pause = (pause * 2).min(Duration::from_millis(20));
                }
            }
        }
    }
}
