//! The index over the conversations: which docs there are, and in which tables they stand.
//!
//! # Layout
//! A **generation** of the index is a pair of tables: `index_doc_N` with one row an indexed comment (what a query has
//! to know of it, and its folded text), and the FTS5 table `index_fts_N` over it (external content: it stores no text of
//! its own, `detail=none`: only which docs hold a gram). One generation is live and answers every query. A second one may
//! be under construction: for newer rules, or because too many docs came out of order (see [`rebuild`]); when it is
//! complete it takes the live one's place in one small transaction, and the old one's tables are emptied bit by bit (see
//! [`retire`]).
//!
//! # Order
//! Queries stream docs by descending id, and answers go newest first, so ids should grow with `(created, comment id)`.
//! A doc whose comment is older than one that already has a doc is marked `late`. From that follows what the stream
//! relies on: **a late doc with a lower id than some doc that isn't late is also older than it** (when the late one was
//! written, something newer was there with a lower id still, and docs that aren't late ascend). So a stream that holds
//! each late doc back until it meets an older doc that isn't late is in exact order, whatever order things came in.
//!
//! # Facets
//! Each doc also carries tokens for its task, kind, author and member, and for being late, so that FTS5 intersects filters
//! as it does grams.

pub(crate) mod check;
pub(crate) mod rebuild;
pub(crate) mod retire;
pub(crate) mod tokenizer;
pub(crate) mod write;

use crate::text;
use kiroku_model::{Error, ErrorCode, Result, text};
use kiroku_store::{DbResult, Tx};
use rusqlite::{Connection, OptionalExtension, Row, params};
use tokenizer::{FACET, GRAMS_VERSION};

/// What decides how a comment becomes a doc. The order of the fields is no rank: a generation is newer than this
/// program if any field is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Versions {
    pub rules: i64,
    pub fold: i64,
    pub grams: i64,
}

impl Versions {
    /// What this program makes.
    pub const OURS: Versions =
        Versions { rules: text::RULES_VERSION as i64, fold: text::FOLD_VERSION as i64, grams: GRAMS_VERSION };

    /// Whether a newer program made it.
    fn newer_than_ours(self) -> bool {
        self.rules > Versions::OURS.rules || self.fold > Versions::OURS.fold || self.grams > Versions::OURS.grams
    }
}

/// A position in the order of comments: `(created, comment id)`.
pub(crate) type Position = (i64, i64);

/// A generation of the index, as its row says.
#[derive(Clone, Debug)]
pub(crate) struct Generation {
    pub number: i64,
    pub live: bool,
    pub versions: Versions,
    /// Docs in it, and how many of them are late.
    pub docs: i64,
    pub late: i64,
    /// Sum of the docs' lengths in characters.
    pub length: i64,
    /// The newest comment that has a doc.
    pub top: Position,
    /// For one under construction: the last comment that was looked at.
    pub built: Position,
}

impl Generation {
    fn read(row: &Row<'_>) -> rusqlite::Result<Generation> {
        Ok(Generation {
            number: row.get(0)?,
            live: row.get(1)?,
            versions: Versions { rules: row.get(2)?, fold: row.get(3)?, grams: row.get(4)? },
            docs: row.get(5)?,
            late: row.get(6)?,
            length: row.get(7)?,
            top: (row.get(8)?, row.get(9)?),
            built: (row.get(10)?, row.get(11)?),
        })
    }

    pub(crate) fn store(&self, tx: &Tx<'_>) -> Result<()> {
        tx.prepare_cached(
            "UPDATE index_generation SET live = ?2, docs = ?3, late = ?4, length = ?5, top_created = ?6, top_comment = ?7,
               built_created = ?8, built_comment = ?9 WHERE number = ?1",
        )
        .and_then(|mut update| {
            update.execute(params![
                self.number, self.live, self.docs, self.late, self.length, self.top.0, self.top.1, self.built.0, self.built.1
            ])
        })
        .or_sql()
        .map(drop)
    }

    /// Average length of a doc in characters.
    pub(crate) fn average_length(&self) -> f64 {
        if self.docs > 0 { self.length as f64 / self.docs as f64 } else { 1.0 }
    }
}

const COLUMNS: &str =
    "number, live, rules, fold, grams, docs, late, length, top_created, top_comment, built_created, built_comment";

/// All generations, the live one first.
pub(crate) fn generations(conn: &Connection) -> Result<Vec<Generation>> {
    let mut rows =
        conn.prepare_cached(&format!("SELECT {COLUMNS} FROM index_generation ORDER BY live DESC, number")).or_sql()?;
    rows.query_map([], Generation::read).and_then(Iterator::collect).or_sql()
}

/// The generation that answers queries.
pub(crate) fn live(conn: &Connection) -> Result<Generation> {
    conn.prepare_cached(&format!("SELECT {COLUMNS} FROM index_generation WHERE live = 1"))
        .and_then(|mut row| row.query_row([], Generation::read).optional())
        .or_sql()?
        .ok_or_else(|| Error::new(
            ErrorCode::Damaged,
            text!(en: "the search index is missing; `kiroku doctor --fix` rebuilds it", ja: "検索の索引がありません。`kiroku doctor --fix` で作り直せます"),
        ))
}

/// Whether the index was made by a newer program: it answers queries, and we never write to it.
pub(crate) fn is_newer(generations: &[Generation]) -> bool {
    generations.iter().any(|generation| generation.versions.newer_than_ours())
}

/// A facet as it stands in the index: a letter for the field, and its value.
pub(crate) fn facet(field: char, value: impl std::fmt::Display) -> String {
    format!("{FACET}{field}{value}")
}

/// Makes the bookkeeping tables and, in a space that has no generation, an empty first one. In a space that already
/// holds comments (a restored backup) that one is a beginning: [`rebuild::step`] fills it.
pub(crate) fn ensure(tx: &Tx<'_>) -> Result<()> {
    tx.execute_batch(
        "CREATE TABLE IF NOT EXISTS index_generation (
           number INTEGER PRIMARY KEY, live INTEGER NOT NULL CHECK (live IN (0, 1)),
           rules INTEGER NOT NULL, fold INTEGER NOT NULL, grams INTEGER NOT NULL,
           docs INTEGER NOT NULL DEFAULT 0, late INTEGER NOT NULL DEFAULT 0, length INTEGER NOT NULL DEFAULT 0,
           top_created INTEGER NOT NULL DEFAULT -1, top_comment INTEGER NOT NULL DEFAULT -1,
           built_created INTEGER NOT NULL DEFAULT -1, built_comment INTEGER NOT NULL DEFAULT -1
         ) STRICT;
         CREATE UNIQUE INDEX IF NOT EXISTS index_generation_live ON index_generation (live) WHERE live = 1;
         -- Comments that a program older than the index wrote: a newer one gives them their docs.
         CREATE TABLE IF NOT EXISTS index_pending (comment INTEGER PRIMARY KEY) STRICT;
         -- Who rebuilds now, and until when the others leave it alone.
         CREATE TABLE IF NOT EXISTS index_lease (id INTEGER PRIMARY KEY CHECK (id = 1), holder TEXT NOT NULL, until INTEGER NOT NULL) STRICT;",
    )
    .or_sql()?;
    let known: i64 = tx.query_row("SELECT count(*) FROM index_generation", [], |row| row.get(0)).or_sql()?;
    if known > 0 {
        return Ok(());
    }
    let number = create_generation(tx)?;
    let comments: i64 = tx.query_row("SELECT EXISTS (SELECT 1 FROM comment)", [], |row| row.get(0)).or_sql()?;
    tx.execute("UPDATE index_generation SET live = 1 WHERE number = ?1", [number]).or_sql()?;
    if comments > 0 {
        // Queries find nothing in the empty live one until this one, built beside it, takes its place.
        create_generation(tx)?;
    }
    Ok(())
}

/// Makes the tables of a new, empty generation that is not live, and answers its number.
pub(crate) fn create_generation(tx: &Tx<'_>) -> Result<i64> {
    // A number that no table carries, not even one that is still to be swept away.
    let of_tables = retire::tables(tx)?.into_iter().map(|(_, number)| number);
    let number = of_tables.chain(generations(tx)?.iter().map(|generation| generation.number)).max().unwrap_or(0) + 1;
    let Versions { rules, fold, grams } = Versions::OURS;
    tx.execute(
        "INSERT INTO index_generation (number, live, rules, fold, grams) VALUES (?1, 0, ?2, ?3, ?4)",
        [number, rules, fold, grams],
    )
    .or_sql()?;
    // The columns that a query filters and sorts by stand before the text, so that reading them does not read it.
    // The facets are computed, not stored.
    tx.execute_batch(&format!(
        "CREATE TABLE index_doc_{number} (
           id INTEGER PRIMARY KEY, comment INTEGER NOT NULL, task INTEGER NOT NULL, created INTEGER NOT NULL,
           late INTEGER NOT NULL, length INTEGER NOT NULL, rules INTEGER NOT NULL,
           kind TEXT NOT NULL, author TEXT NOT NULL, member TEXT,
           folded TEXT NOT NULL,
           facets TEXT GENERATED ALWAYS AS (
             char(1) || 't' || task || ' ' || char(1) || 'k' || kind || ' ' || char(1) || 'a' || author
             || coalesce(' ' || char(1) || 'm' || member, '')
             || CASE late WHEN 1 THEN ' ' || char(1) || 'l' ELSE '' END) VIRTUAL
         ) STRICT;
         CREATE UNIQUE INDEX index_doc_{number}_comment ON index_doc_{number} (comment);
         CREATE INDEX index_doc_{number}_task ON index_doc_{number} (task);
         CREATE VIRTUAL TABLE index_fts_{number} USING fts5 (
           folded, facets, content = 'index_doc_{number}', content_rowid = 'id',
           tokenize = 'kiroku', detail = none, columnsize = 0);"
    ))
    .or_sql()?;
    Ok(number)
}
