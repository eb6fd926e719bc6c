//! Keeping the index as it should be, in the background: docs for comments that still need one, and a new generation
//! when the live one was made by older rules or holds too many docs out of order.
//!
//! The work is done in steps of at most 50 ms, each a transaction of its own that says how far it came, by the one
//! process that holds the lease; whoever comes later, in whatever process, goes on there. What the old generation leaves
//! is swept away in the same steps.

use super::retire::{is_left, retire, sweep};
use super::write::{IndexWriter, Source, insert_doc};
use super::{Generation, Position, Versions, create_generation, generations, is_newer};
use kiroku_model::{Attachment, Author, Kind, ProgressType, Result};
use kiroku_store::{DbResult, SpaceFile, Tx};
use rusqlite::{OptionalExtension, Row, params};
use std::time::{Duration, Instant};

/// How long one step works; what it has gathered is then written at the commit, which takes about half as long again.
const STEP: Duration = Duration::from_millis(25);
/// How long a lease holds without being renewed, in milliseconds.
const LEASE: i64 = 30_000;
/// Comments that are read at once while building.
const CHUNK: usize = 64;

/// What a step came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Nothing is left to do.
    Done,
    /// Another process is doing it.
    Elsewhere,
    /// There is more; so far `done` of about `total` docs are in the new generation.
    More {
        /// Docs built.
        done: u64,
        /// Docs that the live generation holds.
        total: u64,
    },
}

/// Does one step of what is to do. `holder` names this process and its start: whoever holds the lease.
pub(crate) fn step(space: &SpaceFile, holder: &str) -> Result<Step> {
    if !space.read(&kiroku_model::Cancel::new(), is_needed)? {
        return Ok(Step::Done);
    }
    space.write(|tx| {
        // Again, inside the transaction: another process may have done it meanwhile.
        if !is_needed(tx)? {
            return Ok(Step::Done);
        }
        if !take_lease(tx, holder)? {
            return Ok(Step::Elsewhere);
        }
        let until = Instant::now() + STEP;
        write_pending(tx, until)?;
        let all = generations(tx)?;
        let Some(live) = all.iter().find(|generation| generation.live) else {
            return Ok(Step::Done);
        };
        let current = |generation: &&Generation| !generation.live && generation.versions == Versions::OURS;
        for stale in all.iter().filter(|generation| !generation.live && !current(generation)) {
            retire(tx, stale.number)?;
        }
        let more = |done| Step::More { done, total: live.docs.max(done as i64) as u64 };
        if !sweep(tx, until)? {
            return Ok(Step::More { done: 0, total: 0 });
        }
        match all.iter().find(current) {
            Some(building) => build(tx, live, building.clone(), until).map(more),
            None if wants_new(live) => create_generation(tx).map(|_| more(0)),
            None if is_needed(tx)? => Ok(Step::More { done: 0, total: 0 }),
            None => {
                tx.execute("DELETE FROM index_lease", []).or_sql()?;
                Ok(Step::Done)
            }
        }
    })
}

/// Sweeps for the time of a step; answers whether all is gone.
pub(crate) fn sweep_some(tx: &Tx<'_>) -> Result<bool> {
    let newer = is_newer(&generations(tx)?);
    Ok(newer || sweep(tx, Instant::now() + STEP)?)
}

/// Has a new generation built even if nothing calls for it: `kiroku doctor --fix`.
pub(crate) fn start_anew(tx: &Tx<'_>) -> Result<()> {
    for old in generations(tx)?.iter().filter(|generation| !generation.live) {
        retire(tx, old.number)?;
    }
    create_generation(tx).map(drop)
}

fn is_needed(conn: &rusqlite::Connection) -> Result<bool> {
    let all = generations(conn)?;
    if is_newer(&all) {
        return Ok(false);
    }
    let pending: bool = conn.query_row("SELECT EXISTS (SELECT 1 FROM index_pending)", [], |row| row.get(0)).or_sql()?;
    Ok(pending || all.len() > 1 || all.iter().any(wants_new) || is_left(conn)?)
}

/// A live generation that should be replaced: of older versions, or with so many late docs that queries would hold
/// back too many.
fn wants_new(live: &Generation) -> bool {
    live.versions != Versions::OURS || live.late > 2_000 + live.docs / 200
}

fn take_lease(tx: &Tx<'_>, holder: &str) -> Result<bool> {
    let now = tx.now().0;
    let other: Option<String> = tx
        .query_row("SELECT holder FROM index_lease WHERE holder <> ?1 AND until > ?2", params![holder, now], |row| {
            row.get(0)
        })
        .optional()
        .or_sql()?;
    if other.is_some() {
        return Ok(false);
    }
    tx.execute(
        "INSERT OR REPLACE INTO index_lease (id, holder, until) VALUES (1, ?1, ?2)",
        params![holder, now + LEASE],
    )
    .or_sql()?;
    Ok(true)
}

/// Gives docs to comments that an older program wrote.
fn write_pending(tx: &Tx<'_>, until: Instant) -> Result<()> {
    let mut writer = IndexWriter::new(tx)?;
    while Instant::now() < until {
        let next: Option<i64> =
            tx.query_row("SELECT comment FROM index_pending LIMIT 1", [], |row| row.get(0)).optional().or_sql()?;
        let Some(comment) = next else { break };
        match read(tx, "c.id = ?1 AND c.withdrawn = 0", params![comment])?.pop() {
            Some(row) => writer.put(&row.source(), true)?,
            None => writer.remove(comment)?,
        }
        tx.execute("DELETE FROM index_pending WHERE comment = ?1", [comment]).or_sql()?;
    }
    writer.finish()
}

/// Adds docs to the generation under construction until the time is up, or it is complete and takes the live one's
/// place. Answers how many docs it has.
fn build(tx: &Tx<'_>, live: &Generation, mut building: Generation, until: Instant) -> Result<u64> {
    loop {
        let rows = next_rows(tx, building.built)?;
        for row in &rows {
            let source = row.source();
            if let Some(folded) = source.folded() {
                insert_doc(tx, &mut building, None, &source, &folded)?;
            }
            building.built = (row.created, row.id);
        }
        let complete = rows.len() < CHUNK;
        if complete {
            // The old one first: only one may be live.
            retire(tx, live.number)?;
            building.live = true;
        }
        if complete || Instant::now() >= until {
            building.store(tx)?;
            return Ok(building.docs as u64);
        }
    }
}

/// A comment's row with what its doc is made of.
pub(crate) struct CommentRow {
    id: i64,
    task: i64,
    created: i64,
    author: Author,
    member: Option<String>,
    kind: Kind,
    progress: Option<ProgressType>,
    tool: Option<String>,
    body: String,
    attachments: Vec<Attachment>,
}

impl CommentRow {
    /// The row as the writer takes it.
    pub(crate) fn source(&self) -> Source<'_> {
        Source {
            comment: self.id,
            task: self.task,
            created: self.created,
            author: self.author,
            member: self.member.as_deref(),
            kind: &self.kind,
            progress: self.progress.as_ref(),
            tool: self.tool.as_deref(),
            body: &self.body,
            attachments: &self.attachments,
        }
    }
}

fn next_rows(tx: &Tx<'_>, after: Position) -> Result<Vec<CommentRow>> {
    // Two conditions, so that SQLite walks the index on `created` from the right place.
    read(
        tx,
        "c.created >= ?1 AND (c.created, c.id) > (?1, ?2) AND c.withdrawn = 0 ORDER BY c.created, c.id LIMIT ?3",
        params![after.0, after.1, CHUNK as i64],
    )
}

/// Reads comments for indexing by a condition.
pub(crate) fn read(
    conn: &rusqlite::Connection,
    condition: &str,
    given: impl rusqlite::Params,
) -> Result<Vec<CommentRow>> {
    let mut rows = conn
        .prepare_cached(&format!(
            "SELECT c.id, c.task, c.created, c.author, c.member, c.kind, c.progress, c.tool, c.body FROM comment c WHERE {condition}"
        ))
        .or_sql()?;
    let mut found: Vec<CommentRow> = rows.query_map(given, comment_row).and_then(Iterator::collect).or_sql()?;
    for row in &mut found {
        row.attachments = attachments(conn, row.id)?;
    }
    Ok(found)
}

fn comment_row(row: &Row<'_>) -> rusqlite::Result<CommentRow> {
    Ok(CommentRow {
        id: row.get(0)?,
        task: row.get(1)?,
        created: row.get(2)?,
        author: if row.get_ref(3)?.as_str()? == Author::User.as_str() { Author::User } else { Author::Agent },
        member: row.get(4)?,
        kind: Kind::from(row.get_ref(5)?.as_str()?),
        progress: row.get_ref(6)?.as_str_or_null()?.map(ProgressType::from),
        tool: row.get(7)?,
        body: row.get(8)?,
        attachments: Vec::new(),
    })
}

/// A comment's attachments, in order.
pub(crate) fn attachments(conn: &rusqlite::Connection, comment: i64) -> Result<Vec<Attachment>> {
    let mut rows = conn
        .prepare_cached("SELECT name, bytes, media_type FROM attachment WHERE comment = ?1 ORDER BY position")
        .or_sql()?;
    rows.query_map([comment], |row| {
        Ok(Attachment {
            name: row.get(0)?,
            bytes: row.get::<_, Option<i64>>(1)?.and_then(|bytes| u64::try_from(bytes).ok()),
            media_type: row.get(2)?,
        })
    })
    .and_then(Iterator::collect)
    .or_sql()
}
