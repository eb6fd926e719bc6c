//! How long work is watched and stopped.

use crate::{Error, Result};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A token that whoever started some work keeps, to take it back. Clones are the same token.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// A token that nobody has used yet.
    pub fn new() -> Cancel {
        Cancel::default()
    }

    /// Takes the work back; it stops at its next check.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the work was taken back.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// An error if the work was taken back: loops call this every 64 rows.
    pub fn check(&self) -> Result<()> {
        if self.is_cancelled() { Err(Error::cancelled()) } else { Ok(()) }
    }
}

/// How far some long work is. Units are the work's own: bytes for an import, comments for a rebuild.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    /// What is being worked on, such as a file's name.
    pub what: String,
    /// Units done.
    pub done: u64,
    /// Units in all, if known.
    pub total: Option<u64>,
    /// Things found or made so far (comments, for an import).
    pub made: u64,
}

/// Where progress goes. Called often: the receiver decides what to show.
pub trait ProgressSink: Sync {
    /// The work is this far.
    fn report(&self, progress: &Progress);
}

impl<F: Fn(&Progress) + Sync> ProgressSink for F {
    fn report(&self, progress: &Progress) {
        self(progress);
    }
}
