//! The corpus in a space file, written as an import writes: in transactions of about 40 ms, each comment with its index
//! text. Then what the index costs in bytes.

use crate::Result;
use crate::corpus::{Corpus, Item};
use crate::stats::Times;
use crate::truth::Truth;
use kiroku_api::{NewSpace, Workspace};
use kiroku_model::{Cancel, CommentId, SystemClock, TaskId};
use kiroku_search::record::{Put, write};
use kiroku_store::SpaceFile;
use rusqlite::{Connection, OpenFlags};
use serde_json::{Value, json};
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a transaction may take: what `kiroku import` allows itself.
const COMMIT: Duration = Duration::from_millis(40);

/// What building came to.
pub struct Built {
    /// Comments that were written.
    pub comments: usize,
    /// How long writing took, index included.
    pub wrote: Duration,
    /// How long the index was then maintained (put back in order after what came late).
    pub maintained: Duration,
    /// Each transaction.
    pub commits: Times,
}

/// Makes an empty space.
pub fn create(path: &Path) -> Result<Workspace> {
    let new = NewSpace { name: "bench".to_owned(), owner: "m1".to_owned(), owner_name: "m1".to_owned() };
    Ok(Workspace::create(path, &new, Arc::new(SystemClock))?)
}

/// Opens a space.
pub fn open(path: &Path) -> Result<Workspace> {
    Ok(Workspace::open(path, Arc::new(SystemClock))?)
}

/// Writes items of a corpus; makes their tasks as they come.
pub struct Writer<'w> {
    words: &'w crate::words::Words,
    tasks: HashSet<usize>,
}

impl<'w> Writer<'w> {
    /// One that has made no task yet.
    pub fn new(words: &'w crate::words::Words) -> Writer<'w> {
        Writer { words, tasks: HashSet::new() }
    }

    /// Writes as many of the items as one transaction may take; the numbers of those that were written.
    pub fn put_some(&mut self, space: &SpaceFile, items: &[Item]) -> Result<Vec<CommentId>> {
        let begun = Instant::now();
        let written = write(space, |record| {
            let mut written = Vec::new();
            for item in items {
                if self.tasks.insert(item.task) {
                    record.put_task(&Corpus::task(item.task, self.words, item.comment.created))?;
                }
                let task = TaskId(item.task as i64 + 1);
                written.push(record.put_comment(task, &item.comment).map(Put::id)?);
                if begun.elapsed() >= COMMIT {
                    break;
                }
            }
            Ok(written)
        })?;
        Ok(written)
    }

    /// Writes all items, in the order given, and tells `truth` of each; neither making them nor telling is counted in.
    pub fn fill(
        &mut self,
        workspace: &Workspace,
        items: impl Iterator<Item = Item>,
        truth: &mut Truth,
    ) -> Result<Built> {
        let mut commits = Times::default();
        let mut comments = 0;
        let mut items = items.peekable();
        while items.peek().is_some() {
            // Made before the clock runs: a corpus is generated where sessions are read.
            let batch: Vec<Item> = items.by_ref().take(512).collect();
            let mut rest = batch.as_slice();
            while !rest.is_empty() {
                let written = commits.of(|| self.put_some(workspace.space(), rest))?;
                for (item, id) in rest.iter().zip(&written) {
                    truth.add(id.0, item.task as i64 + 1, &item.comment);
                }
                comments += written.len();
                rest = &rest[written.len()..];
            }
            if comments >= 100_000 && comments % 100_000 < 512 {
                eprintln!("  {comments} comments written");
            }
        }
        let begun = Instant::now();
        workspace.maintain(&Cancel::new(), |_, _| {})?;
        Ok(Built {
            comments,
            wrote: Duration::from_secs_f64(commits.sum() / 1_000.0),
            maintained: begun.elapsed(),
            commits,
        })
    }
}

/// What the parts of the file take, in bytes: the index in all, of it the folded texts that it stores, and the whole file.
pub fn sizes(path: &Path) -> Result<Sizes> {
    let conn = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let mut rows = conn.prepare("SELECT name, pgsize FROM dbstat WHERE aggregate = TRUE ORDER BY pgsize DESC")?;
    let tables: Vec<(String, u64)> =
        rows.query_map([], |row| Ok((row.get(0)?, row.get::<_, i64>(1)? as u64)))?.collect::<rusqlite::Result<_>>()?;
    let index = tables.iter().filter(|(name, _)| name.starts_with("index_")).map(|(_, bytes)| bytes).sum();
    let file = tables.iter().map(|(_, bytes)| bytes).sum();
    Ok(Sizes { index, file, tables })
}

/// See [`sizes`].
pub struct Sizes {
    /// All tables of the index, FTS5's own included.
    pub index: u64,
    /// All tables.
    pub file: u64,
    /// Each, largest first.
    pub tables: Vec<(String, u64)>,
}

impl Sizes {
    /// The index over the size of the indexed texts, with the stored folded texts and without.
    pub fn ratios(&self, text: u64) -> (f64, f64) {
        (self.index as f64 / text as f64, self.index.saturating_sub(text) as f64 / text as f64)
    }

    /// For JSON.
    pub fn json(&self, text: u64) -> Value {
        let (with, without) = self.ratios(text);
        json!({
            "indexed_text_bytes": text, "index_bytes": self.index, "file_bytes": self.file,
            "index_over_text": with, "index_without_stored_text_over_text": without,
            "tables": self.tables.iter().take(12).collect::<Vec<_>>(),
        })
    }
}
