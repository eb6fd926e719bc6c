//! Engine 2 in a space: where its records lie, its settings, and how often tools gave each of them.

use crate::Workspace;
use kiroku_memory::{
    Memory, RecordRef, SettingValue, Settings, SettingsProblem, UsageEvent, UsageSink, set_setting, space_folder,
};
use kiroku_model::{Cancel, Error, ErrorCode, Result, Time, text};
use kiroku_store::{SpaceFile, count_use, uses};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The name of the settings file in a space's folder.
pub const SETTINGS_FILE: &str = "kiroku.toml";

/// Where the app keeps what is its own and no space's (locks, the recovery folder, drafts): `data_home` is
/// `XDG_DATA_HOME`, on Windows `APPDATA`, where it is set. Every program of ours on a computer must come to the same.
pub fn data_dir(home: Option<&Path>, data_home: Option<&Path>) -> Option<PathBuf> {
    let in_home = if cfg!(target_os = "macos") { "Library/Application Support" } else { ".local/share" };
    let base = data_home.map(Path::to_owned).or_else(|| home.map(|home| home.join(in_home)))?;
    Some(base.join("kiroku"))
}

/// How often tools gave a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RecordUse {
    /// The record's kind.
    pub kind: String,
    /// Its slug.
    pub slug: String,
    /// How often.
    pub count: u64,
    /// When last.
    pub last: Time,
}

impl Workspace {
    /// The space's records, as they and the settings are now. An error if the workspace was opened without a data
    /// directory.
    pub fn memory(&self) -> Result<Memory> {
        let Some(data_dir) = &self.data_dir else {
            return Err(Error::new(
                ErrorCode::Unavailable,
                text!(
                    en: "there is no data directory for the recovery folder; memory and knowledge are not available",
                    ja: "復元用のデータフォルダーがないため、メモリとナレッジを利用できません"
                ),
            ));
        };
        let (settings, _) = self.memory_settings()?;
        let folder = self.folder();
        let memory = Memory::open(&folder, settings, data_dir, self.space().clock())?;
        Ok(memory.with_usage(Arc::new(Counts(Arc::clone(self.space())))))
    }

    /// The folder that the space is of: where `kiroku.toml` and the records lie.
    pub fn folder(&self) -> PathBuf {
        space_folder(&std::path::absolute(self.space().path()).unwrap_or_else(|_| self.space().path().to_owned()))
    }

    /// The settings under `[memory]` in the space's `kiroku.toml`, and what is wrong with them.
    pub fn memory_settings(&self) -> Result<(Settings, Vec<SettingsProblem>)> {
        let path = self.folder().join(SETTINGS_FILE);
        match std::fs::read_to_string(&path) {
            Ok(toml) => Ok(Settings::read(&toml)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok((Settings::default(), Vec::new())),
            Err(error) => {
                let path = path.display();
                Err(Error::io(text!(en: "reading {path}", ja: "{path} の読み込み"), &error))
            }
        }
    }

    /// Sets a count under `[memory]` in the space's `kiroku.toml`, which is made if it is not there. All else in it stays
    /// as it is. An error, and nothing changed, if there is no such setting or it can't have this value.
    pub fn set_memory_limit(&self, name: &str, value: u64) -> Result<()> {
        let path = self.folder().join(SETTINGS_FILE);
        let failed = |error: &std::io::Error| {
            let path = path.display();
            Error::io(
                text!(en: "changing {path}; nothing was changed", ja: "{path} の変更。何も変更していません"),
                error,
            )
        };
        let before = match std::fs::read_to_string(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            read => read.map_err(|error| failed(&error))?,
        };
        let refused = || {
            Error::invalid(text!(
                en: "`{name}` can't be {value}; nothing was changed",
                ja: "{name} を {value} にはできません。何も変更していません"
            ))
        };
        let count = i64::try_from(value).map_err(|_| refused())?;
        let after = set_setting(&before, name, &SettingValue::Int(count))?;
        // What was written is what is read: a value out of bounds would be told as a problem and do nothing.
        let holds = Settings::read(&after).0.limits().iter().any(|(known, now)| *known == name && *now as u64 == value);
        if !holds {
            return Err(refused());
        }
        let making = path.with_extension("toml.making");
        let written = std::fs::write(&making, &after).and_then(|()| std::fs::rename(&making, &path));
        written.map_err(|error| {
            let _ = std::fs::remove_file(&making);
            failed(&error)
        })
    }

    /// How often tools gave each record, the most used first.
    pub fn record_uses(&self) -> Result<Vec<RecordUse>> {
        let rows = self.space().read(&Cancel::new(), uses)?;
        Ok(rows.into_iter().map(|(kind, slug, count, last)| RecordUse { kind, slug, count, last }).collect())
    }
}

/// Keeps the counts in the space.
struct Counts(Arc<SpaceFile>);

impl UsageSink for Counts {
    fn used(&self, event: UsageEvent) {
        let RecordRef { kind, slug } = &event.record;
        // Counting must never fail a read: a space that is busy or full loses the count and nothing else.
        let _ = self.0.write(|tx| count_use(tx, kind.as_str(), slug.as_str(), event.at));
    }
}
