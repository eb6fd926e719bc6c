//! Usage events: that a tool gave a record to an agent. One place where they arise, an interface for where they go.

use crate::RecordRef;
use kiroku_model::{TaskId, Time};

/// How a record was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// MemoryRead gave its text.
    Read,
    /// Its `#slug` was expanded.
    Expanded,
}

/// One use of a record by a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsageEvent {
    /// The record.
    pub record: RecordRef,
    /// How it was given.
    pub how: Use,
    /// When.
    pub at: Time,
    /// The member on whose behalf.
    pub member: Option<String>,
    /// The task in which.
    pub task: Option<TaskId>,
}

/// Where usage events go. Called on the thread of the tool: a sink that fails keeps it to itself, since counting must
/// never fail a read.
pub trait UsageSink: Send + Sync {
    /// A record was used.
    fn used(&self, event: UsageEvent);
}

/// The sink that keeps nothing.
pub struct NoUsage;

impl UsageSink for NoUsage {
    fn used(&self, _: UsageEvent) {}
}
