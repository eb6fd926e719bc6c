//! The engine: the four tools over the threads of a space. Each call that changes something is one transaction, so
//! that it is there whole or not at all, and two at once come one after the other.

use crate::answer::{ItemNote, TaskCheckResult, TaskToolResult};
use crate::input::{TaskComplete, TaskUpdate, TaskWrite};
use crate::rows::{self, Projection};
use crate::rules::{self, Outcome};
use crate::thread::{ThreadKey, Writer};
use crate::{Item, marks};
use kiroku_model::{Call, Result, Text, text};
use kiroku_store::SpaceFile;
use std::collections::HashSet;
use std::sync::Arc;

/// The task lists of an open space. Every method may be called from any thread.
///
/// `thread: None` is an agent without memory: the tools answer `isError: true` and record nothing.
#[derive(Clone)]
pub struct TaskLists {
    pub(crate) space: Arc<SpaceFile>,
}

impl TaskLists {
    /// The engine over a space.
    pub fn new(space: Arc<SpaceFile>) -> TaskLists {
        TaskLists { space }
    }

    /// The space.
    pub fn space(&self) -> &Arc<SpaceFile> {
        &self.space
    }

    /// `task_write`: replaces the thread's whole list.
    pub fn task_write(
        &self,
        call: &Call,
        thread: Option<&ThreadKey>,
        writer: &Writer,
        input: &TaskWrite,
    ) -> Result<TaskToolResult> {
        rules::check_length(input.tasks.len())?;
        let said = text!(en: "The list is written.", ja: "リストを書きました。");
        self.change(call, thread, writer, said, |stored| rules::write(stored, &input.tasks))
    }

    /// `task_update`: changes one item.
    pub fn task_update(
        &self,
        call: &Call,
        thread: Option<&ThreadKey>,
        writer: &Writer,
        input: &TaskUpdate,
    ) -> Result<TaskToolResult> {
        let TaskUpdate { id, .. } = input;
        let said = text!(en: "{id} is updated.", ja: "{id} を更新しました。");
        self.change(call, thread, writer, said, |stored| rules::update(stored, id, &input.change()))
    }

    /// `task_complete`: one item is done.
    pub fn task_complete(
        &self,
        call: &Call,
        thread: Option<&ThreadKey>,
        writer: &Writer,
        input: &TaskComplete,
    ) -> Result<TaskToolResult> {
        let TaskComplete { id } = input;
        let said = text!(en: "{id} is completed.", ja: "{id} を完了にしました。");
        self.change(call, thread, writer, said, |stored| rules::complete(stored, id))
    }

    fn change(
        &self,
        call: &Call,
        thread: Option<&ThreadKey>,
        writer: &Writer,
        said: Text,
        rule: impl FnOnce(&[Item]) -> Outcome,
    ) -> Result<TaskToolResult> {
        call.cancel.check()?;
        let Some(key) = thread else {
            return Ok(TaskToolResult::without_memory(call.lang));
        };
        self.space.write(|tx| {
            let stored = rows::projection(tx, key.thread())?;
            Ok(match rule(&stored.items) {
                Ok(items) => {
                    let next = rows::accept(tx, key, writer, &stored, items)?;
                    TaskToolResult::accepted(said, next.items, call.lang)
                }
                Err(refusal) => TaskToolResult::refused(&refusal, stored.items, call.lang),
            })
        })
    }

    /// `task_check`: the list, what it adds up to, and what people left on its items.
    pub fn task_check(&self, call: &Call, thread: Option<&ThreadKey>) -> Result<TaskCheckResult> {
        let Some(key) = thread else {
            return Ok(TaskCheckResult::without_memory(call.lang));
        };
        self.space.read(&call.cancel, |conn| {
            let items = rows::projection(conn, key.thread())?.items;
            let held: HashSet<&str> = items.iter().map(|item| item.id.as_str()).collect();
            let notes = marks::notes(conn, key.thread())?
                .into_iter()
                .filter(|note| held.contains(note.item.as_str()))
                .map(|note| ItemNote { id: note.item, text: note.text, by: note.by, at: note.at })
                .collect();
            let ticked: HashSet<String> =
                marks::reviews(conn, key.thread())?.into_iter().map(|review| review.item).collect();
            let reviewed = items.iter().map(|item| &item.id).filter(|id| ticked.contains(*id)).cloned().collect();
            Ok(TaskCheckResult::of(items, notes, reviewed, call.lang))
        })
    }

    /// A thread's list as it stands. One that was never written is empty, of version 0.
    pub fn projection(&self, call: &Call, thread: &str) -> Result<Projection> {
        self.space.read(&call.cancel, |conn| rows::projection(conn, thread))
    }
}
