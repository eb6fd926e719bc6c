//! Writing the record: tasks and comments, each change together with its place in the index.
//!
//! Everything here happens inside one write transaction, opened by [`write()`]; what a comment says, its tool data, its
//! attachments and its doc change together or not at all.

mod comments;
mod rewritten;
mod tasks;

use crate::index::write::IndexWriter;
use kiroku_model::{Ending, Result, TaskId, TaskState, Time};
use kiroku_store::{DbResult, SpaceFile, Tx};
use std::collections::HashMap;

/// A task to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewTask {
    /// Its uid, if it has one already.
    pub uid: Option<String>,
    /// The number that it would like; it gets it if it is free.
    pub id: Option<TaskId>,
    /// The importer's name and its own key.
    pub source: Option<(String, String)>,
    /// Title.
    pub title: String,
    /// The workflow or agent that it runs.
    pub piece: String,
    /// A stated state.
    pub state: Option<TaskState>,
    /// How its session's last line left it; the state follows from it if none is stated.
    pub ending: Option<Ending>,
    /// The folder in which it worked.
    pub folder: Option<String>,
    /// The member whose task it is.
    pub owner: Option<String>,
    /// The task whose subtask it is.
    pub parent: Option<TaskId>,
    /// When it began.
    pub created: Time,
    /// When it last changed.
    pub updated: Time,
}

/// What writing something came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Put<Id> {
    /// It is new.
    New(Id),
    /// It was there, and is changed.
    Changed(Id),
    /// It was there, just so.
    Same(Id),
}

impl<Id: Copy> Put<Id> {
    /// The row's number.
    pub fn id(self) -> Id {
        match self {
            Put::New(id) | Put::Changed(id) | Put::Same(id) => id,
        }
    }
}

/// Runs `f` in one write transaction.
pub fn write<T>(space: &SpaceFile, f: impl FnOnce(&mut Record<'_, '_>) -> Result<T>) -> Result<T> {
    space.write(|tx| {
        let mut record = Record::begin(tx)?;
        let value = f(&mut record)?;
        record.finish()?;
        Ok(value)
    })
}

/// The record, while a write transaction is open.
pub struct Record<'t, 'c> {
    pub(crate) tx: &'t Tx<'c>,
    pub(crate) index: IndexWriter<'t, 'c>,
    /// The last `seq` of the tasks written to.
    last_seq: HashMap<TaskId, i64>,
    /// The newest comment of the tasks written to.
    newest: HashMap<TaskId, i64>,
}

impl<'t, 'c> Record<'t, 'c> {
    pub(crate) fn begin(tx: &'t Tx<'c>) -> Result<Self> {
        Ok(Record { tx, index: IndexWriter::new(tx)?, last_seq: HashMap::new(), newest: HashMap::new() })
    }

    pub(crate) fn finish(self) -> Result<()> {
        for (task, newest) in self.newest {
            self.tx
                .prepare_cached("UPDATE task SET active = ?2 WHERE id = ?1 AND active < ?2")
                .and_then(|mut update| update.execute([task.0, newest]))
                .or_sql()?;
        }
        self.index.finish()
    }

    /// The transaction, for what stands in the same one (cursors, tombstones, lists).
    pub fn tx(&self) -> &'t Tx<'c> {
        self.tx
    }
}
