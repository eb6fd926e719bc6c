//! Where things are on this machine: the only file of the command line that reads the environment.

use kiroku_api::Environment;
use kiroku_model::{Error, Lang, Result, Time, text};
use std::path::{Path, PathBuf};

/// The system's language, from the locale.
pub fn system_lang() -> Lang {
    let named = ["LC_ALL", "LC_MESSAGES", "LANG"]
        .iter()
        .find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
    Lang::of_locale(&named.unwrap_or_default())
}

/// This folder.
pub fn here() -> Result<PathBuf> {
    std::env::current_dir().map_err(|error| Error::io(text!(en: "the current folder", ja: "現在のフォルダー"), &error))
}

/// `.kiroku/space.db` in this folder or the nearest one above that has it.
pub fn nearest_space() -> Result<PathBuf> {
    let here = here()?;
    here.ancestors().map(|dir| dir.join(".kiroku/space.db")).find(|path| path.is_file()).ok_or_else(|| {
        Error::not_found(text!(
            en: "there is no .kiroku/space.db here or above; name a space with --space FILE, or make one: kiroku space new --name NAME --member ID",
            ja: "このフォルダーとその上に .kiroku/space.db がありません。--space FILE で指定するか、kiroku space new --name 名前 --member ID で作ってください"
        ))
    })
}

/// Where a new space goes when no file was named.
pub fn new_space() -> Result<PathBuf> {
    Ok(here()?.join(".kiroku/space.db"))
}

/// Where agents' directories are.
pub fn environment() -> Environment {
    let path = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    Environment {
        home: std::env::home_dir(),
        claude_config_dir: path("CLAUDE_CONFIG_DIR"),
        codex_home: path("CODEX_HOME"),
    }
}

/// Where the app keeps what is no space's; see [`kiroku_api::data_dir`].
pub fn data_dir() -> Option<PathBuf> {
    let name = if cfg!(windows) { "APPDATA" } else { "XDG_DATA_HOME" };
    let set = std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    kiroku_api::data_dir(std::env::home_dir().as_deref(), set.as_deref())
}

/// The system's mount table; empty where it has none to read.
pub fn mounts() -> String {
    std::fs::read_to_string("/proc/self/mounts").unwrap_or_default()
}

/// A path with nothing relative in it.
pub fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// A day (its first moment, in this computer's time zone) or a time.
pub fn day_or_time(text: &str) -> Result<Time> {
    if let Ok(date) = text.parse::<jiff::civil::Date>()
        && let Ok(start) = date.to_zoned(jiff::tz::TimeZone::system())
    {
        return Ok(Time(start.timestamp().as_millisecond()));
    }
    Time::parse(text)
}

/// A time as a person here reads it: to the minute, in this computer's time zone.
pub fn shown(time: Time) -> String {
    match jiff::Timestamp::from_millisecond(time.0) {
        Ok(timestamp) => timestamp.to_zoned(jiff::tz::TimeZone::system()).strftime("%Y-%m-%d %H:%M").to_string(),
        Err(_) => time.to_string(),
    }
}
