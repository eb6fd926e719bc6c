//! The recovery folder: what was deleted or replaced is kept in the app's data for 30 days, listed and restorable.
//!
//! One entry is two files of one name: the bytes, and then, so that an entry is either whole or not there, a line of
//! JSON that says what they were.

use super::hash;
use crate::RecordRef;
use crate::open::read_file;
use kiroku_model::{Clock, Error, Result, Time, new_uid, text};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How long an entry is kept: 30 days, in milliseconds.
pub const KEPT_FOR: i64 = 30 * 24 * 60 * 60 * 1000;

/// Why a text was kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, specta::Type)]
#[serde(rename_all = "lowercase")]
pub enum Why {
    /// The record was deleted.
    Deleted,
    /// The record was overwritten.
    Replaced,
    /// It was in the way of two writes at once.
    Conflict,
}

/// One entry of the recovery folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recovered {
    /// Its name, for restoring.
    pub id: String,
    /// The record that it was.
    pub record: RecordRef,
    /// Why it was kept.
    pub why: Why,
    /// When.
    pub at: Time,
    /// The hash of its bytes.
    pub hash: String,
}

/// The recovery folder of one content root.
#[derive(Clone)]
pub struct Recovery {
    folder: PathBuf,
    clock: Arc<dyn Clock>,
}

impl Recovery {
    pub(crate) fn new(data: &Path, id: &str, clock: Arc<dyn Clock>) -> Recovery {
        Recovery { folder: data.join("recovery").join(id), clock }
    }

    /// Keeps a text; gives the entry's id.
    pub(crate) fn keep(&self, record: &RecordRef, bytes: &[u8], why: Why) -> Result<String> {
        let io = |error: std::io::Error| Error::io(text!(en: "keeping the old text", ja: "元の内容の保管"), &error);
        std::fs::create_dir_all(&self.folder).map_err(io)?;
        let at = self.clock.now();
        // The time comes first, so that what is old is known by its name alone.
        let id = format!("{:014}-{}", at.0, new_uid());
        let entry = Recovered { id: id.clone(), record: record.clone(), why, at, hash: hash(bytes) };
        let json = serde_json::to_vec(&entry).map_err(Error::internal)?;
        self.put(&format!("{id}.bytes"), bytes).map_err(io)?;
        self.put(&format!("{id}.json"), &json).map_err(io)?;
        self.clear_old(at);
        Ok(id)
    }

    fn put(&self, name: &str, bytes: &[u8]) -> std::io::Result<()> {
        let temp = self.folder.join(format!("{name}.tmp"));
        let mut options = std::fs::OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&temp)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        std::fs::rename(temp, self.folder.join(name))
    }

    /// Forgets an entry.
    pub(crate) fn forget(&self, id: &str) {
        for end in ["json", "bytes"] {
            let _ = std::fs::remove_file(self.folder.join(format!("{id}.{end}")));
        }
    }

    fn clear_old(&self, now: Time) {
        let Ok(names) = std::fs::read_dir(&self.folder) else { return };
        for found in names.flatten() {
            let name = found.file_name();
            let at = name.to_str().and_then(|name| name.split('-').next()?.parse::<i64>().ok());
            if at.is_some_and(|at| now.0 - at > KEPT_FOR) {
                let _ = std::fs::remove_file(found.path());
            }
        }
    }

    /// The entries, newest first. What is older than 30 days goes when the next entry comes.
    pub fn list(&self) -> Vec<Recovered> {
        let Ok(names) = std::fs::read_dir(&self.folder) else {
            return Vec::new();
        };
        let mut entries: Vec<Recovered> = names
            .flatten()
            .filter(|found| found.path().extension().is_some_and(|end| end == "json"))
            .filter_map(|found| serde_json::from_slice(&std::fs::read(found.path()).ok()?).ok())
            .collect();
        entries.sort_by(|a, b| (b.at, &b.id).cmp(&(a.at, &a.id)));
        entries
    }

    /// An entry and its bytes.
    pub fn get(&self, id: &str) -> Result<(Recovered, Vec<u8>)> {
        let missing = || {
            Error::not_found(
                text!(en: "there is no such entry in the recovery folder", ja: "復元用フォルダーにその項目はありません"),
            )
        };
        if !id.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-') {
            return Err(missing());
        }
        let entry = std::fs::read(self.folder.join(format!("{id}.json"))).map_err(|_| missing())?;
        let entry: Recovered = serde_json::from_slice(&entry).map_err(|_| missing())?;
        let mut bytes = Vec::new();
        read_file(&self.folder.join(format!("{id}.bytes")), &id, &mut bytes)?;
        Ok((entry, bytes))
    }
}
