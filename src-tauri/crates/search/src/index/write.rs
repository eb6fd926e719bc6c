//! Docs in and out of the index, in the same transaction as the comment that they are of.

use super::tokenizer::{CONTINUED, LONGEST_GRAM};
use super::{Generation, Versions, generations, is_newer};
use crate::text;
use kiroku_model::{Attachment, Author, Error, ErrorCode, Kind, ProgressType, Result, text};
use kiroku_store::{DbResult, Tx};
use rusqlite::{OptionalExtension, params};

/// What of a comment decides its doc.
pub(crate) struct Source<'a> {
    pub comment: i64,
    pub task: i64,
    pub created: i64,
    pub author: Author,
    pub member: Option<&'a str>,
    pub kind: &'a Kind,
    pub progress: Option<&'a ProgressType>,
    pub tool: Option<&'a str>,
    pub body: &'a str,
    pub attachments: &'a [Attachment],
}

impl Source<'_> {
    /// What of the comment is searched; nothing if it has no doc.
    pub(crate) fn folded(&self) -> Option<String> {
        let text = text::index_text(self.kind, self.progress, self.tool, self.body, self.attachments)?;
        Some(text::prepare_folded(&text)).filter(|folded| !folded.is_empty())
    }
}

/// Bytes of a doc that FTS5 is given at once.
const PIECE: usize = 1 << 20;

/// Writes docs in one transaction. [`IndexWriter::finish`] must be called before the transaction commits: it stores the
/// generations' counts.
pub(crate) struct IndexWriter<'t, 'c> {
    tx: &'t Tx<'c>,
    generations: Vec<Generation>,
    newer: bool,
    /// Whether an entry was deleted since FTS5 last wrote what it gathers. With an insert at the same id gathered behind
    /// it, a later secure deletion of that entry leaves a page that FTS5's own check calls corrupt (`detail=none`,
    /// SQLite 3.54): so nothing is inserted behind a deletion before that is written.
    deleted: bool,
}

impl<'t, 'c> IndexWriter<'t, 'c> {
    pub(crate) fn new(tx: &'t Tx<'c>) -> Result<Self> {
        let generations = generations(tx)?;
        Ok(IndexWriter { tx, newer: is_newer(&generations), generations, deleted: false })
    }

    /// Makes the comment's doc what it should be: new, changed, or none. `existed` says whether the comment may have a
    /// doc already.
    pub(crate) fn put(&mut self, source: &Source<'_>, existed: bool) -> Result<()> {
        if self.newer {
            return self.mark_pending(source.comment);
        }
        let folded = source.folded();
        let position = (source.created, source.comment);
        for generation in &mut self.generations {
            let place = if existed { remove_doc(self.tx, generation, source.comment)? } else { None };
            self.deleted |= place.is_some();
            let reached = generation.live || position <= generation.built;
            if let Some(folded) = folded.as_deref().filter(|_| reached) {
                if std::mem::take(&mut self.deleted) {
                    flush(self.tx)?;
                }
                insert_doc(self.tx, generation, place.filter(|place| place.created == source.created), source, folded)?;
            }
        }
        Ok(())
    }

    /// Takes the comment's doc out.
    pub(crate) fn remove(&mut self, comment: i64) -> Result<()> {
        if self.newer {
            return self.mark_pending(comment);
        }
        for generation in &mut self.generations {
            self.deleted |= remove_doc(self.tx, generation, comment)?.is_some();
        }
        Ok(())
    }

    /// An error if the index is newer than this program, which then can't take a text out of it for good.
    pub(crate) fn require_ours(&self) -> Result<()> {
        if !self.newer {
            return Ok(());
        }
        Err(Error::new(
            ErrorCode::NewerSchema,
            text!(
                en: "the search index was made by a newer Kiroku, and only that one can take something out of it for good; nothing was removed. Update Kiroku first",
                ja: "検索の索引は新しい Kiroku で作られていて、完全に取り除けるのはその Kiroku だけです。何も削除していません。先に Kiroku を更新してください"
            ),
        ))
    }

    /// Has FTS5 take deleted entries out of its pages at once, or (the rule) mark them and drop them in later merges.
    pub(crate) fn secure_delete(&mut self, on: bool) -> Result<()> {
        // What FTS5 has gathered is written by the rule that stood when it was gathered.
        flush(self.tx)?;
        for generation in &self.generations {
            let number = generation.number;
            self.tx
                .execute(
                    &format!("INSERT INTO index_fts_{number} (index_fts_{number}, rank) VALUES ('secure-delete', ?1)"),
                    [i64::from(on)],
                )
                .or_sql()?;
        }
        Ok(())
    }

    /// Stores the generations' counts.
    pub(crate) fn finish(self) -> Result<()> {
        self.generations.iter().filter(|_| !self.newer).try_for_each(|generation| generation.store(self.tx))
    }

    fn mark_pending(&self, comment: i64) -> Result<()> {
        self.tx
            .prepare_cached("INSERT OR IGNORE INTO index_pending (comment) VALUES (?1)")
            .and_then(|mut insert| insert.execute([comment]))
            .or_sql()
            .map(drop)
    }
}

/// Has FTS5 write what it has gathered in this transaction, which it does at a savepoint.
fn flush(tx: &Tx<'_>) -> Result<()> {
    tx.execute_batch("SAVEPOINT index_flush; RELEASE index_flush").or_sql()
}

/// Where a doc stood in a generation.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    id: i64,
    created: i64,
    late: bool,
}

/// Takes a comment's doc out of a generation; answers where it stood.
fn remove_doc(tx: &Tx<'_>, generation: &mut Generation, comment: i64) -> Result<Option<Place>> {
    let number = generation.number;
    let found = tx
        .prepare_cached(&format!(
            "SELECT id, created, late, length, folded, facets FROM index_doc_{number} WHERE comment = ?1"
        ))
        .and_then(|mut row| {
            row.query_row([comment], |row| {
                let place = Place { id: row.get(0)?, created: row.get(1)?, late: row.get(2)? };
                Ok((place, row.get::<_, i64>(3)?, row.get::<_, String>(4)?, row.get::<_, String>(5)?))
            })
            .optional()
        })
        .or_sql()?;
    let Some((place, length, folded, facets)) = found else {
        return Ok(None);
    };
    // FTS5 must be given exactly what it was given at the insert, so the stored text, not one made anew: with any other
    // it would leave entries behind in silence.
    let delete = format!(
        "INSERT INTO index_fts_{number} (index_fts_{number}, rowid, folded, facets) VALUES ('delete', ?1, ?2, ?3)"
    );
    in_pieces(tx, &delete, place.id, &folded, &facets)?;
    tx.prepare_cached(&format!("DELETE FROM index_doc_{number} WHERE id = ?1"))
        .and_then(|mut delete| delete.execute([place.id]))
        .or_sql()?;
    generation.docs -= 1;
    generation.late -= i64::from(place.late);
    generation.length -= length;
    Ok(Some(place))
}

/// Puts a doc into a generation: at the place that it had, if its position is still the same (then it is late there if
/// it was), else at the end.
pub(crate) fn insert_doc(
    tx: &Tx<'_>,
    generation: &mut Generation,
    place: Option<Place>,
    source: &Source<'_>,
    folded: &str,
) -> Result<()> {
    let number = generation.number;
    let position = (source.created, source.comment);
    let (id, late) = match place {
        Some(place) => (place.id, place.late),
        None => {
            let last: i64 = tx
                .prepare_cached(&format!("SELECT coalesce(max(id), 0) FROM index_doc_{number}"))
                .and_then(|mut row| row.query_row([], |row| row.get(0)))
                .or_sql()?;
            (last + 1, position < generation.top)
        }
    };
    let length = folded.chars().count() as i64;
    tx.prepare_cached(&format!(
        "INSERT INTO index_doc_{number} (id, comment, task, created, late, length, rules, kind, author, member, folded)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)"
    ))
    .and_then(|mut insert| {
        insert.execute(params![
            id,
            source.comment,
            source.task,
            source.created,
            late,
            length,
            Versions::OURS.rules,
            source.kind.as_str(),
            source.author.as_str(),
            source.member,
            folded
        ])
    })
    .or_sql()?;
    // The facets as the table computes them. Not `INSERT … SELECT`: for a statement of several rows SQLite opens a
    // savepoint, and at each savepoint FTS5 writes what it has gathered as a segment of its own, to be merged later.
    let facets: String = tx
        .prepare_cached(&format!("SELECT facets FROM index_doc_{number} WHERE id = ?1"))
        .and_then(|mut row| row.query_row([id], |row| row.get(0)))
        .or_sql()?;
    let insert = format!("INSERT INTO index_fts_{number} (rowid, folded, facets) VALUES (?1, ?2, ?3)");
    in_pieces(tx, &insert, id, folded, &facets)?;
    generation.docs += 1;
    generation.late += i64::from(late);
    generation.length += length;
    generation.top = generation.top.max(position);
    Ok(())
}

/// Gives FTS5 a doc, in pieces if it is large: it holds every gram of a piece in memory, and of several pieces under one
/// id it writes one after the other, to the same effect. Each is written by itself also where it is taken out again: a
/// gram may stand in the pages once for each piece that holds it, and a secure deletion finds one of those. A piece that
/// is not the first begins with the characters that its first grams reach back to.
fn in_pieces(tx: &Tx<'_>, sql: &str, id: i64, folded: &str, facets: &str) -> Result<()> {
    let mut statement = tx.prepare_cached(sql).or_sql()?;
    let mut end = folded.floor_char_boundary(PIECE);
    statement.execute(params![id, &folded[..end], facets]).or_sql()?;
    while end < folded.len() {
        let before = folded[..end].char_indices().rev().nth(LONGEST_GRAM - 2).map_or(0, |(at, _)| at);
        end = folded.floor_char_boundary(end + PIECE);
        flush(tx)?;
        statement.execute(params![id, format!("{CONTINUED}{}", &folded[before..end]), ""]).or_sql()?;
    }
    Ok(())
}
