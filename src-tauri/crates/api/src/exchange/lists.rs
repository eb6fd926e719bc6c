//! Rows of task lists, both ways: engine 3's own and those of the exchange format.

use super::import::{Import, forgotten};
use kiroku_model::{Cancel, Result, TaskId};
use kiroku_search::record::Record;
use kiroku_sources::exchange::{History, Item, ItemStatus, List, Note, Review, Row};
use kiroku_store::Connection;
use kiroku_tasks::exchange::{
    ChangeRow, ListRow, each_history, list, notes, put_history, put_list, put_note, put_review, reviews, threads,
};
use kiroku_tasks::{AGENT, Door, Status, ThreadKey, task_of};

/// Gives `out` every row of every thread's list: all lists, then all history, then notes, then reviews.
pub(super) fn export(
    conn: &Connection,
    text: &dyn Fn(String) -> String,
    cancel: &Cancel,
    out: &mut dyn FnMut(&Row) -> Result<()>,
) -> Result<()> {
    let all = threads(conn)?;
    // A thread is named by its task, or by itself.
    let named = |thread: &str| match task_of(thread) {
        Some(task) => (Some(task), None),
        None => (None, Some(thread.to_owned())),
    };
    let items = |items: Vec<kiroku_tasks::Item>| items.into_iter().map(|item| outward(item, text)).collect::<Vec<_>>();
    for thread in &all {
        let found = list(conn, thread)?;
        if found.version > 0 {
            let (task, thread) = named(thread);
            let (resource, items, version) = (found.resource, items(found.items), Some(found.version));
            out(&Row::List(List { task, thread, resource, items, version, updated: found.updated }))?;
        }
    }
    for thread in &all {
        cancel.check()?;
        each_history(conn, thread, |row| {
            let (task, thread) = named(&row.thread);
            out(&Row::History(History {
                uid: Some(row.uid),
                task,
                thread,
                resource: Some(row.resource),
                at: Some(row.at),
                by: Some(row.by),
                door: Some(row.door),
                version: Some(row.version),
                reference: row.comment,
                before: items(row.before),
                after: items(row.after),
            }))
        })?;
    }
    for thread in &all {
        for note in notes(conn, thread)? {
            let (task, thread) = named(thread);
            let (uid, by, at) = (Some(note.uid), Some(note.by), Some(note.at));
            out(&Row::Note(Note { uid, task, thread, item: note.item, text: text(note.text), by, at }))?;
        }
    }
    for thread in &all {
        for review in reviews(conn, thread)? {
            let (task, thread) = named(thread);
            out(&Row::Review(Review { task, thread, item: review.item, by: Some(review.by), at: Some(review.at) }))?;
        }
    }
    Ok(())
}

fn outward(item: kiroku_tasks::Item, text: &dyn Fn(String) -> String) -> Item {
    let status = match item.status {
        Status::Pending => ItemStatus::Pending,
        Status::InProgress => ItemStatus::InProgress,
        Status::Completed => ItemStatus::Completed,
    };
    Item { id: item.id, content: text(item.content), status, active_form: text(item.active_form) }
}

fn inward(items: Vec<Item>) -> Vec<kiroku_tasks::Item> {
    let one = |item: Item| {
        let status = match item.status {
            ItemStatus::Pending => Status::Pending,
            ItemStatus::InProgress => Status::InProgress,
            ItemStatus::Completed => Status::Completed,
        };
        kiroku_tasks::Item { id: item.id, content: item.content, status, active_form: item.active_form }
    };
    items.into_iter().map(one).collect()
}

impl Import<'_> {
    pub(super) fn list(&mut self, record: &mut Record<'_, '_>, list: List) -> Result<()> {
        let (key, _) = self.thread(record, list.task, list.thread, list.resource)?;
        let items = inward(list.items);
        put_list(record.tx(), &ListRow { key: &key, items: &items, version: list.version, updated: list.updated })?;
        Ok(())
    }

    pub(super) fn history(&mut self, record: &mut Record<'_, '_>, history: History) -> Result<()> {
        let (task, thread, resource) = (history.task, history.thread.clone(), history.resource.clone());
        let (key, identity) = self.thread(record, task, thread, resource)?;
        let uid = history.identity(&identity);
        let comment = history.reference.map(|in_file| self.comments.get(&in_file).copied().unwrap_or(in_file));
        let known = comment.map(|id| record.has_comment(id)).transpose()?.unwrap_or_default();
        let row = ChangeRow {
            uid: &uid,
            key: &key,
            version: history.version,
            at: history.at.unwrap_or(record.tx().now()),
            by: history.by.as_deref().unwrap_or(&self.options.owner),
            door: history.door.as_deref().unwrap_or(Door::Import.as_str()),
            // A call that was forgotten leaves its row without one.
            comment: comment.filter(|_| known),
            before: &inward(history.before),
            after: &inward(history.after),
        };
        put_history(record.tx(), &row).map(drop)
    }

    pub(super) fn note(&mut self, record: &mut Record<'_, '_>, note: Note) -> Result<()> {
        let (key, identity) = self.thread(record, note.task, note.thread.clone(), None)?;
        let uid = note.identity(&identity);
        let by = note.by.as_deref().unwrap_or(&self.options.owner);
        let at = note.at.unwrap_or(record.tx().now());
        put_note(record.tx(), &key, &uid, &note.item, &note.text, by, at).map(drop)
    }

    pub(super) fn review(&mut self, record: &mut Record<'_, '_>, review: Review) -> Result<()> {
        let (key, _) = self.thread(record, review.task, review.thread, None)?;
        let by = review.by.as_deref().unwrap_or(&self.options.owner);
        put_review(record.tx(), &key, &review.item, by, review.at.unwrap_or(record.tx().now())).map(drop)
    }

    /// The thread that a row names, as it is called here, and its identity: its task's, or its own id. Its resource by
    /// itself is the task's owner, else `agent`.
    fn thread(
        &mut self,
        record: &mut Record<'_, '_>,
        task: Option<TaskId>,
        thread: Option<String>,
        resource: Option<String>,
    ) -> Result<(ThreadKey, String)> {
        let Some(in_file) = task else {
            let thread = thread.unwrap_or_default();
            return Ok((ThreadKey::new(&thread, resource.as_deref().unwrap_or(AGENT))?, thread));
        };
        let here = self.task_here(record, in_file)?;
        let identity = self.identities.get(&in_file).cloned().ok_or_else(|| forgotten(in_file))?;
        let owner: Option<String> = match resource {
            Some(resource) => Some(resource),
            None => record.owner_of(here)?,
        };
        Ok((ThreadKey::of_task(here, owner.as_deref().unwrap_or(AGENT))?, identity))
    }
}
