//! What a change did to a list, as a person reads it: item by item, not two whole lists to compare by eye.

use crate::Item;
use crate::history::HistoryRow;
use kiroku_model::{CommentId, Time};
use serde::Serialize;
use std::collections::HashMap;

/// What a change did to one item; one of the two is there at least.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, specta::Type)]
pub struct Difference {
    /// The item before; `None`: it is new.
    pub before: Option<Item>,
    /// The item after; `None`: it was dropped.
    pub after: Option<Item>,
}

impl Difference {
    /// Whether it is about the item of this id.
    fn is_of(&self, id: &str) -> bool {
        self.before.iter().chain(&self.after).any(|item| item.id == id)
    }
}

/// The items in which two lists differ: first those of the later list in its order, then those that are gone.
pub fn differences(before: &[Item], after: &[Item]) -> Vec<Difference> {
    let mut earlier: HashMap<&str, &Item> = before.iter().map(|item| (item.id.as_str(), item)).collect();
    let mut found: Vec<Difference> = after
        .iter()
        .map(|item| (earlier.remove(item.id.as_str()), item))
        .filter(|(was, item)| *was != Some(*item))
        .map(|(was, item)| Difference { before: was.cloned(), after: Some(item.clone()) })
        .collect();
    let gone = before.iter().filter(|item| earlier.contains_key(item.id.as_str()));
    found.extend(gone.map(|item| Difference { before: Some(item.clone()), after: None }));
    found
}

/// Whether the items that both lists hold stand in another order.
pub fn reordered(before: &[Item], after: &[Item]) -> bool {
    let places: HashMap<&str, usize> = before.iter().enumerate().map(|(at, item)| (item.id.as_str(), at)).collect();
    let kept: Vec<usize> = after.iter().filter_map(|item| places.get(item.id.as_str()).copied()).collect();
    !kept.is_sorted()
}

/// A change of a list by what it did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, specta::Type)]
pub struct ListChange {
    /// The number of its row of history in this space.
    pub id: i64,
    /// The list's version that it made; 0 if it never became the list, because a later change already stood when it
    /// arrived.
    pub version: u64,
    /// When.
    pub at: Time,
    /// A member's id, or `agent`.
    pub by: String,
    /// A word of [`crate::Door`], or one that a later program wrote.
    pub door: String,
    /// The tool call in the conversation that made it, where that is known.
    pub comment: Option<CommentId>,
    /// What it did.
    pub differences: Vec<Difference>,
    /// Whether items that stayed stand in another order.
    pub reordered: bool,
    /// How many items the list had after it.
    pub length: usize,
}

impl ListChange {
    /// A row of history by what it did.
    pub fn of(row: HistoryRow) -> ListChange {
        ListChange {
            differences: differences(&row.before, &row.after),
            reordered: reordered(&row.before, &row.after),
            length: row.after.len(),
            id: row.id,
            version: row.version,
            at: row.at,
            by: row.by,
            door: row.door,
            comment: row.comment,
        }
    }

    /// The same with what it did to one item alone; nothing if that is nothing.
    pub(crate) fn only_item(mut self, id: &str) -> Option<ListChange> {
        self.differences.retain(|difference| difference.is_of(id));
        (!self.differences.is_empty()).then_some(self)
    }
}

/// A page of a list's changes, newest first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, specta::Type)]
pub struct ListChanges {
    /// The changes.
    pub changes: Vec<ListChange>,
    /// All changes of the list.
    pub total: u64,
    /// What to give as `before` for the next page; `None`: this is the last one.
    pub next: Option<i64>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Status;

    fn list(ids: &str) -> Vec<Item> {
        let item = |id: char| {
            let (id, content, active_form) = (id.to_lowercase().to_string(), "x".to_owned(), "…".to_owned());
            // A capital letter is an item that is done.
            let status = if ids.contains(&id) { Status::Pending } else { Status::Completed };
            Item { id, content, status, active_form }
        };
        ids.chars().map(item).collect()
    }

    #[test]
    fn what_differs_and_only_that() {
        let said = |before: &str, after: &str| -> String {
            let one = |item: Option<Item>| match item {
                Some(Item { id, status: Status::Completed, .. }) => id.to_uppercase(),
                Some(item) => item.id,
                None => "-".to_owned(),
            };
            let all = differences(&list(before), &list(after));
            all.into_iter().map(|it| format!("{}{} ", one(it.before), one(it.after))).collect()
        };
        assert_eq!(said("abc", "abc"), "");
        assert_eq!(said("abc", "cab"), "", "another order is no difference of an item");
        assert_eq!(said("abc", "aBcd"), "bB -d ");
        assert_eq!(said("abc", "C"), "cC a- b- ");
        assert_eq!(said("", "ab"), "-a -b ");
        for (before, after, moved) in [
            ("abc", "abc", false),
            ("abc", "acb", true),
            ("abc", "xac", false),
            ("abc", "cxa", true),
            ("", "ab", false),
        ] {
            assert_eq!(reordered(&list(before), &list(after)), moved, "{before} {after}");
        }
    }
}
