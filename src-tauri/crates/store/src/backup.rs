//! Backups of the truth, and the way back.
//!
//! A backup is a space file of its own without the index (which is the larger part and can be rebuilt), made from one
//! read transaction into a fresh file, checked, and only then given its name. Backups stand in `backups/` beside the
//! space; the newest five stay, as long as they fit.

use crate::file::{beside, create_private, inspect};
use crate::pool::{SpaceFile, connect_bare};
use crate::schema::APPLICATION_ID;
use crate::sqlite_error::{DbResult, damaged};
use kiroku_model::{Cancel, Error, Result, Time, new_uid, text};
use rusqlite::{Connection, OptionalExtension};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Backups that are kept.
const KEPT: usize = 5;
/// What they may take together, in bytes; the newest stays whatever its size (8 GiB).
const SIZE_LIMIT: u64 = 8 << 30;
/// How long nobody has written to a backup that nobody is making any more.
const ABANDONED: Duration = Duration::from_secs(60 * 60);
/// A day in milliseconds.
const DAY: i64 = 24 * 60 * 60 * 1000;

/// A backup on disk.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, specta::Type)]
pub struct Backup {
    /// Where it is.
    pub path: PathBuf,
    /// Its size in bytes.
    pub bytes: u64,
}

/// The backups of the space at `space`, newest first.
pub fn list_backups(space: &Path) -> Result<Vec<Backup>> {
    let dir = directory(space);
    let entries = match fs::read_dir(&dir) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(io(&dir, &error)),
    };
    let prefix = format!("{}-", stem(space));
    let mut found: Vec<Backup> = entries
        .flatten()
        .filter(|entry| {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            // Exactly PREFIX and a time: a space `team-x` beside a space `team` keeps its own.
            name.strip_prefix(&prefix).and_then(|rest| rest.strip_suffix(".db")).is_some_and(|time| {
                time.len() >= 16
                    && time.ends_with('Z')
                    && time.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'T' | b'Z' | b'.'))
            })
        })
        .filter_map(|entry| Some(Backup { path: entry.path(), bytes: entry.metadata().ok()?.len() }))
        .collect();
    found.sort_by(|a, b| b.path.cmp(&a.path));
    Ok(found)
}

/// Makes a backup of the space at `space` now, and drops those that are too many. Works on any schema, also one that
/// is about to be migrated.
pub fn backup_now(space: &Path, now: Time) -> Result<Backup> {
    inspect(space)?;
    let dir = directory(space);
    fs::create_dir_all(&dir).map_err(|error| io(&dir, &error))?;
    drop_abandoned(&dir);
    let time = now.to_string().replace(['-', ':'], "");
    let path = dir.join(format!("{}-{time}.db", stem(space)));
    let making = beside(&path, ".making");
    let _ = fs::remove_file(&making);
    create_private(&making).map_err(|error| io(&making, &error))?;
    let copied = copy_truth(space, &making).and_then(|()| check_whole(&making)).and_then(|()| {
        fs::File::open(&making)
            .and_then(|file| file.sync_all())
            .and_then(|()| fs::rename(&making, &path))
            .map_err(|error| io(&path, &error))
    });
    if let Err(error) = copied {
        let _ = fs::remove_file(&making);
        return Err(error);
    }
    sync_directory(&dir);
    drop_old(space)?;
    let bytes = fs::metadata(&path).map_err(|error| io(&path, &error))?.len();
    Ok(Backup { path, bytes })
}

/// Removes what a program that ended while it made a backup left behind. Another program may be making one at this moment,
/// so that only files go which nobody has written to for an hour.
fn drop_abandoned(dir: &Path) {
    let old = |entry: &fs::DirEntry| {
        let modified = entry.metadata().and_then(|metadata| metadata.modified()).ok();
        modified.and_then(|at| at.elapsed().ok()).is_some_and(|age| age > ABANDONED)
    };
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if (name.ends_with(".making") || name.ends_with(".making-journal")) && old(&entry) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Makes a backup if the last one is a day old and something has changed since; says whether it did.
pub fn daily_backup(space: &SpaceFile) -> Result<Option<Backup>> {
    let now = space.now();
    let (last, seq): (Option<String>, i64) = space.read(&Cancel::new(), |conn| {
        let last = conn
            .query_row("SELECT value FROM setting WHERE name = 'backup'", [], |row| row.get(0))
            .optional()
            .or_sql()?;
        let seq = conn.query_row("SELECT coalesce(max(seq), 0) FROM change", [], |row| row.get(0)).or_sql()?;
        Ok((last, seq))
    })?;
    // The setting holds the time and the change feed's end at the last backup.
    let (at, upto) = last
        .and_then(|value| value.split_once(' ').and_then(|(at, upto)| Some((at.parse().ok()?, upto.parse().ok()?))))
        .unwrap_or((i64::MIN, 0));
    if now.0.saturating_sub(at) < DAY || upto == seq {
        return Ok(None);
    }
    let made = backup_now(space.path(), now)?;
    space.write(|tx| {
        let value = format!("{} {seq}", now.0);
        tx.execute("INSERT OR REPLACE INTO setting (name, value) VALUES ('backup', ?1)", [value]).or_sql().map(drop)
    })?;
    Ok(Some(made))
}

/// Puts a backup in the space's place. The file that stood there is kept beside it, and its path is the answer (`None`
/// if there was none). Whoever has the space open is told at the next call that it was replaced.
pub fn restore(space: &Path, backup: &Path, now: Time) -> Result<Option<PathBuf>> {
    inspect(backup)?;
    let fresh = beside(space, ".restoring");
    let _ = fs::remove_file(&fresh);
    create_private(&fresh).map_err(|error| io(&fresh, &error))?;
    let prepared =
        fs::copy(backup, &fresh).map_err(|error| io(&fresh, &error)).and_then(|_| check_whole(&fresh)).and_then(|()| {
            let conn = connect_bare(&fresh)?;
            // Not WAL yet: the prepared file must be one file when it is renamed.
            conn.execute("UPDATE space SET generation = ?1", [new_uid()]).or_sql()?;
            conn.close().map_err(|(_, error)| crate::sql(&error))?;
            fs::File::open(&fresh).and_then(|file| file.sync_all()).map_err(|error| io(&fresh, &error))
        });
    if let Err(error) = prepared {
        let _ = fs::remove_file(&fresh);
        return Err(error);
    }
    let aside = beside(space, &format!(".replaced-{}", now.to_string().replace(['-', ':'], "")));
    let mut kept = None;
    for suffix in ["-shm", "-wal", ""] {
        let from = beside(space, suffix);
        if from.exists() {
            let to = beside(&aside, suffix);
            fs::rename(&from, &to).map_err(|error| io(&from, &error))?;
            if suffix.is_empty() {
                kept = Some(to);
            }
        }
    }
    fs::rename(&fresh, space).map_err(|error| io(space, &error))?;
    if let Some(dir) = space.parent() {
        sync_directory(dir);
    }
    let conn = connect_bare(space)?;
    conn.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(())).or_sql()?;
    Ok(kept)
}

/// Copies every table but the index, as it is in one read transaction, into the empty file `to`.
fn copy_truth(space: &Path, to: &Path) -> Result<()> {
    let conn = connect_bare(space)?;
    let pragma = |name: &str| conn.pragma_query_value(None, name, |row| row.get::<_, i32>(0)).or_sql();
    let tables: Vec<(String, String, String)> = {
        let mut rows = conn
            .prepare(
                "SELECT type, name, sql FROM sqlite_schema
                 WHERE sql IS NOT NULL AND tbl_name NOT LIKE 'index\\_%' ESCAPE '\\' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
                 ORDER BY type = 'table' DESC, rowid",
            )
            .or_sql()?;
        rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).and_then(Iterator::collect).or_sql()?
    };
    {
        let out = Connection::open(to).or_sql()?;
        out.pragma_update(None, "page_size", pragma("page_size")?).or_sql()?;
        out.pragma_update(None, "auto_vacuum", "INCREMENTAL").or_sql()?;
        out.pragma_update(None, "application_id", APPLICATION_ID).or_sql()?;
        out.pragma_update(None, "user_version", pragma("user_version")?).or_sql()?;
        for (_, _, sql) in &tables {
            out.execute_batch(sql).or_sql()?;
        }
    }
    conn.pragma_update(None, "foreign_keys", false).or_sql()?;
    conn.execute("ATTACH ?1 AS copy", [to.to_string_lossy()]).or_sql()?;
    // A copy that is not finished is thrown away, and one that is is synced before it gets its name.
    conn.execute_batch("PRAGMA copy.journal_mode = OFF; PRAGMA copy.synchronous = OFF").or_sql()?;
    let tx = conn.unchecked_transaction().or_sql()?;
    for (kind, name, _) in &tables {
        if kind == "table" {
            tx.execute_batch(&format!("INSERT INTO copy.\"{name}\" SELECT * FROM main.\"{name}\"")).or_sql()?;
        }
    }
    // Ids are never used again, not even after a restore.
    tx.execute_batch("DELETE FROM copy.sqlite_sequence; INSERT INTO copy.sqlite_sequence SELECT * FROM main.sqlite_sequence WHERE name NOT LIKE 'index\\_%' ESCAPE '\\'")
        .or_sql()?;
    tx.commit().or_sql()
}

/// Whether a file is a whole database with whole references.
fn check_whole(path: &Path) -> Result<()> {
    let conn = connect_bare(path)?;
    let verdict: String = conn.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0)).or_sql()?;
    let dangling: i64 =
        conn.query_row("SELECT count(*) FROM pragma_foreign_key_check", [], |row| row.get(0)).or_sql()?;
    if verdict == "ok" && dangling == 0 {
        return Ok(());
    }
    Err(damaged().with("cause", format!("{verdict}; {dangling} dangling references")))
}

fn drop_old(space: &Path) -> Result<()> {
    let mut room = SIZE_LIMIT;
    for (position, backup) in list_backups(space)?.into_iter().enumerate() {
        let fits = backup.bytes <= room;
        room = room.saturating_sub(backup.bytes);
        if position >= KEPT || (position > 0 && !fits) {
            fs::remove_file(&backup.path).map_err(|error| io(&backup.path, &error))?;
        }
    }
    Ok(())
}

fn directory(space: &Path) -> PathBuf {
    space.with_file_name("backups")
}

fn stem(space: &Path) -> String {
    space.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}

fn sync_directory(dir: &Path) {
    // Not every system can; the file itself is on disk already.
    let _ = fs::File::open(dir).and_then(|dir| dir.sync_all());
}

fn io(path: &Path, error: &std::io::Error) -> Error {
    let shown = path.display();
    Error::io(text!(en: "backup file {shown}", ja: "バックアップのファイル {shown}"), error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::SystemTime;

    #[test]
    fn what_nobody_makes_any_more_goes_and_the_rest_stays() {
        let dir = tempfile::tempdir().unwrap();
        let file = |name: &str, age: u64| {
            let path = dir.path().join(name);
            let file = fs::File::create(&path).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_secs(age)).unwrap();
            path
        };
        let gone = [file("space-1.db.making", 7_200), file("space-1.db.making-journal", 7_200)];
        let kept = [file("space-2.db.making", 5), file("space-3.db", 7_200)];
        drop_abandoned(dir.path());
        assert!(gone.iter().all(|path| !path.exists()));
        assert!(kept.iter().all(|path| path.exists()));
    }
}
