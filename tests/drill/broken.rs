//! Space files that something else broke: cut off at any length, with bytes overwritten, of another program, or of a
//! newer version. Every command must end by itself with an answer or a clear error, a refused file must stay as it is byte
//! for byte, and the last backup must bring the record back.

use crate::kiroku::Kiroku;
use crate::random::Random;
use crate::{Result, input, kept, record};
use rusqlite::Connection;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Runs the drill.
pub fn drill(rounds: u32, seed: u64) -> Result<()> {
    let kiroku = Kiroku::build()?;
    let folder = tempfile::Builder::new().prefix("kiroku-broken-").tempdir()?;
    let whole = folder.path().join("whole/space.db");
    fs::create_dir_all(folder.path().join("whole"))?;
    let input = input::write_small(folder.path(), seed)?;
    kiroku.run(&whole, &["space", "new", "--name", "drill", "--member", "m1", "--anyway"])?;
    kiroku.run(&whole, &["import", input.to_str().ok_or("a temporary path that is not UTF-8")?])?;
    kiroku.run(&whole, &["backup"])?;
    Connection::open(&whole)?.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?;
    let bytes = fs::read(&whole)?;
    let expected = record::of_export(&kiroku.run(&whole, &["export"])?)?;
    let backup = fs::read_dir(folder.path().join("whole/backups"))?.next().ok_or("no backup was made")??.path();

    let mut random = Random::new(seed);
    let (mut refused, mut answered) = (0, 0);
    for round in 0..rounds {
        let (what, broken) = broken(&bytes, round, &mut random)?;
        let one = one(&kiroku, &folder.path().join("one"), &broken, &backup, &expected);
        match one {
            Ok(true) => refused += 1,
            Ok(false) => answered += 1,
            Err(error) => return Err(kept(folder, &format!("round {round}, {what}: {error}"))),
        }
    }
    println!(
        "{rounds} broken files: {refused} refused and left as they were, {answered} answered from what was whole; the \
         backup brought every one back"
    );
    Ok(())
}

/// A broken file, and what was done to it.
fn broken(whole: &[u8], round: u32, random: &mut Random) -> Result<(&'static str, Vec<u8>)> {
    let mut bytes = whole.to_vec();
    let length = bytes.len();
    Ok(match round % 6 {
        0 => {
            bytes.truncate(random.below(length));
            ("cut off", bytes)
        }
        1 => {
            // A newer schema, as SQLite keeps it (`user_version`).
            bytes[60..64].copy_from_slice(&(1_000 + round).to_be_bytes());
            ("of a newer version", bytes)
        }
        2 => {
            bytes[68..72].fill(0);
            ("another program's", bytes)
        }
        3 => {
            let at = random.below(length);
            let end = (at + 4096).min(bytes.len());
            bytes[at..end].fill(0);
            ("with a hole", bytes)
        }
        4 => {
            for _ in 0..100 {
                let at = random.below(length);
                bytes[at] = random.below(256) as u8;
            }
            ("with bytes overwritten", bytes)
        }
        _ => {
            let at = random.below(100);
            bytes[at] ^= 0xff;
            ("with a broken header", bytes)
        }
    })
}

/// Whether the file was refused. Commands that write are tried as well.
fn one(kiroku: &Kiroku, folder: &Path, broken: &[u8], backup: &Path, expected: &BTreeSet<String>) -> Result<bool> {
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder.join("backups"))?;
    let space = folder.join("space.db");
    fs::write(&space, broken)?;
    fs::copy(backup, folder.join("backups").join(backup.file_name().unwrap_or_default()))?;
    let mut refused = true;
    for args in [&["search", "の"][..], &["tasks", "--json"], &["export"], &["doctor"], &["space", "rename", "x"]] {
        let ended = kiroku.try_run(&space, args)?;
        match ended.status {
            Some(0) => refused = false,
            // 1 and 2 are errors that were told; a panic has 101, a signal none.
            Some(1 | 2) if ended.said.trim().len() > 10 => {}
            other => return Err(format!("`kiroku {}` ended with {other:?}: {}", args.join(" "), ended.said).into()),
        }
        if refused && fs::read(&space)? != broken {
            return Err(format!("`kiroku {}` refused the file and changed it", args.join(" ")).into());
        }
    }
    kiroku.run(&space, &["restore"])?;
    kiroku.run(&space, &["doctor"])?;
    let found = record::of_export(&kiroku.run(&space, &["export"])?)?;
    match record::difference(expected, &found) {
        Some(difference) => Err(format!("the backup did not bring the record back: {difference}").into()),
        None => Ok(refused),
    }
}
