//! `kiroku import`, killed (SIGKILL) at random moments, until it has been killed as often as was asked.
//!
//! Beside each import runs a reader, which notes what it sees committed: how many comments there are up to the highest
//! number, their text, and how far each session file was read. After the kill all of that must still be there, the file
//! whole (`PRAGMA integrity_check`), and the index whole (`kiroku doctor`, which has FTS5 compare itself with the stored
//! texts). When an import comes through, the record must be that of an import that nobody disturbed; then a new space is
//! begun.

use crate::input::Input;
use crate::kiroku::{Kill, Kiroku};
use crate::random::Random;
use crate::{Result, input, kept, record};
use rusqlite::{Connection, OpenFlags};
use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::time::{Duration, Instant};

/// What was seen committed.
#[derive(Clone, Debug, Default, PartialEq)]
struct Seen {
    /// Highest number of a comment.
    highest: i64,
    /// Comments up to it, and the characters in their bodies.
    comments: i64,
    characters: i64,
    tasks: i64,
    pins: i64,
    /// How far each file was read, in bytes.
    files: HashMap<String, i64>,
}

/// Runs the drill.
pub fn drill(kills: u32, seed: u64) -> Result<()> {
    let kiroku = Kiroku::build()?;
    let folder = tempfile::Builder::new().prefix("kiroku-kills-").tempdir()?;
    let input = input::write(folder.path(), seed)?;
    let mut random = Random::new(seed);

    // Undisturbed: what must come out, and how long it takes.
    let calm = folder.path().join("calm.db");
    new_space(&kiroku, &calm)?;
    let begun = Instant::now();
    import(&kiroku, &calm, &input)?;
    let whole = begun.elapsed();
    let expected = record::of_export(&kiroku.run(&calm, &["export"])?)?;
    println!("an import of {} rows takes {:.1} s undisturbed", expected.len(), whole.as_secs_f64());

    let (mut killed, mut spaces, mut seen_any) = (0, 0, 0_u32);
    while killed < kills {
        spaces += 1;
        let space = folder.path().join(format!("space-{spaces}.db"));
        new_space(&kiroku, &space)?;
        let mut before = Seen::default();
        // Each time a shorter while, so that a space is killed some five to ten times before it is complete.
        while killed < kills {
            let moment = whole.mul_f64(0.3 * random.unit());
            let Some((seen, reads)) = import_and_kill(&kiroku, &space, &input, moment)? else { break };
            killed += 1;
            seen_any += u32::from(seen != before && reads > 0);
            if let Err(error) = check(&kiroku, &space, &seen) {
                return Err(kept(folder, &format!("space {spaces}, kill {killed}: {error}")));
            }
            before = read(&open(&space)?, None)?;
        }
        import(&kiroku, &space, &input)?;
        let found = match compare(&kiroku, &space, &expected) {
            Ok(()) => check(&kiroku, &space, &before),
            wrong => wrong,
        };
        if let Err(error) = found {
            return Err(kept(folder, &format!("space {spaces}, complete after kill {killed}: {error}")));
        }
        std::fs::remove_file(&space)?;
    }
    println!(
        "{killed} kills in {spaces} spaces, {seen_any} of them right after a commit that a reader had seen: nothing was lost"
    );
    Ok(())
}

fn new_space(kiroku: &Kiroku, space: &Path) -> Result<()> {
    kiroku.run(space, &["space", "new", "--name", "drill", "--member", "m1", "--anyway"]).map(drop)
}

fn import(kiroku: &Kiroku, space: &Path, input: &Input) -> Result<()> {
    kiroku.run(space, &input.args()?).map(drop)
}

/// Starts an import and kills it at `moment`; what a reader had seen by then, and how often it had looked. `None`: the
/// import was done before.
fn import_and_kill(kiroku: &Kiroku, space: &Path, input: &Input, moment: Duration) -> Result<Option<(Seen, u32)>> {
    let reader = open(space)?;
    let mut seen = Seen::default();
    let mut reads = 0;
    let mut child = Kill(kiroku.start(space, &input.args()?)?);
    let begun = Instant::now();
    while begun.elapsed() < moment {
        seen = read(&reader, None)?;
        reads += 1;
        if let Some(status) = child.0.try_wait()? {
            return if status.success() {
                Ok(None)
            } else {
                Err(format!("the import ended by itself with {status}").into())
            };
        }
        std::thread::yield_now();
    }
    drop(child);
    Ok(Some((seen, reads)))
}

fn open(space: &Path) -> Result<Connection> {
    let conn = Connection::open_with_flags(space, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    conn.busy_timeout(Duration::from_secs(15))?;
    Ok(conn)
}

/// What is committed now, of comments only those up to `highest`, if it is given.
fn read(conn: &Connection, highest: Option<i64>) -> Result<Seen> {
    let tx = conn.unchecked_transaction()?;
    let mut seen = tx.query_row(
        "SELECT coalesce(max(id), 0), count(*), coalesce(sum(length(body)), 0), (SELECT count(*) FROM task), (SELECT count(*) FROM pin)
         FROM comment WHERE id <= ?1",
        [highest.unwrap_or(i64::MAX)],
        |row| {
            Ok(Seen {
                highest: row.get(0)?,
                comments: row.get(1)?,
                characters: row.get(2)?,
                tasks: row.get(3)?,
                pins: row.get(4)?,
                files: HashMap::new(),
            })
        },
    )?;
    let mut rows = tx.prepare_cached("SELECT path, value ->> 'offset' FROM cursor")?;
    seen.files = rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<rusqlite::Result<_>>()?;
    Ok(seen)
}

/// Whether what was seen is there, and the file and its index are whole.
fn check(kiroku: &Kiroku, space: &Path, seen: &Seen) -> Result<()> {
    // The first to open it after the kill is the program itself, which has to recover it.
    kiroku.run(space, &["doctor", "--json"])?;
    let conn = open(space)?;
    let whole: String = conn.query_row("PRAGMA integrity_check", [], |row| row.get(0))?;
    if whole != "ok" {
        return Err(format!("integrity_check: {whole}").into());
    }
    let now = read(&conn, Some(seen.highest))?;
    let files_kept = seen.files.iter().all(|(path, offset)| now.files.get(path).is_some_and(|now| now >= offset));
    let same = (now.highest, now.comments, now.characters) == (seen.highest, seen.comments, seen.characters);
    if !same || now.tasks < seen.tasks || now.pins < seen.pins || !files_kept {
        return Err(format!("something that was committed is gone: {seen:?} was seen, now it is {now:?}").into());
    }
    Ok(())
}

fn compare(kiroku: &Kiroku, space: &Path, expected: &BTreeSet<String>) -> Result<()> {
    let found = record::of_export(&kiroku.run(space, &["export"])?)?;
    record::difference(expected, &found).map_or(Ok(()), |difference| {
        Err(format!("the record is not that of an undisturbed import: {difference}").into())
    })
}
