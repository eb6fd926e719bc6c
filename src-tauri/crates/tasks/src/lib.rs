//! Engine 3: the task list of each agent thread, how it grew, and what people leave beside it.
//!
//! The contract is that of the four task tools of `@mastra/core`; [`rules`] are its rules on plain lists, [`input`]
//! and [`answer`] what the tools are given and answer. [`TaskLists`] keeps the lists of a space: the tools, the edits
//! that people make against the version that they saw, history and restore, notes and review ticks. [`replay`] brings
//! in the lists that agents kept in their own sessions; [`exchange`] reads and writes whole rows for export and import.
//!
//! A "task" is a conversation of the space; what a list holds are "items".

pub mod answer;
mod board;
mod differences;
mod edits;
pub mod exchange;
mod history;
pub mod input;
mod item;
mod lists;
mod marks;
pub mod replay;
mod rows;
pub mod rules;
mod thread;

pub use board::{Board, FoundItem, LastChange, MAX_THREADS, ThreadGlance};
pub use differences::{Difference, ListChange, ListChanges};
pub use edits::Edit;
pub use history::{HistoryPage, HistoryRow, MAX_PAGE, Side};
pub use item::{Item, Status, Summary};
pub use lists::TaskLists;
pub use marks::{Dropped, Marks, Note, Review};
pub use rows::Projection;
pub use thread::{AGENT, Door, ThreadKey, Writer, task_of};
