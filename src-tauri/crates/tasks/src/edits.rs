//! What a person does to a list by hand: the board's moves. An edit is made against the version that the person saw;
//! when the list has changed since, it is refused with the newer list in hand, and nothing is lost.

use crate::input::ItemInput;
use crate::lists::TaskLists;
use crate::rows::{self, Projection};
use crate::rules::{self, ItemChange, Outcome, Refusal};
use crate::thread::{ThreadKey, Writer};
use crate::{Item, Status, history};
use kiroku_model::{Call, Error, ErrorCode, Result, text};
use rusqlite::Connection;
use serde::{Deserialize, Serialize};

/// One thing that a person does to a list. Places count from 0; one beyond the end is the end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(tag = "do", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Edit {
    /// A new item; it gets its id as by `task_write`.
    Add {
        /// What to do.
        content: String,
        /// What is shown while it runs; the content, if nothing is said.
        #[serde(default)]
        active_form: Option<String>,
        /// How it stands; to do, if nothing is said.
        #[serde(default)]
        status: Option<Status>,
        /// Its place; the end, if nothing is said.
        #[serde(default)]
        at: Option<usize>,
    },
    /// Another content, active form or status. Beginning to run sends any other running item back to `pending`.
    Change {
        /// The item.
        id: String,
        /// What to do from now on.
        #[serde(default)]
        content: Option<String>,
        /// What is shown while it runs.
        #[serde(default)]
        active_form: Option<String>,
        /// How it stands now.
        #[serde(default)]
        status: Option<Status>,
    },
    /// Takes an item out.
    Remove {
        /// The item.
        id: String,
    },
    /// Puts an item elsewhere.
    Move {
        /// The item.
        id: String,
        /// Its place in the list without it.
        to: usize,
    },
    /// Puts the items in another order: those that are named first, in this order, then the others as they stood.
    Reorder {
        /// Ids, each at most once.
        ids: Vec<String>,
    },
    /// Another list altogether, by the rules of `task_write`.
    Replace {
        /// Its items.
        items: Vec<ItemInput>,
    },
}

impl Edit {
    /// The list after the edit.
    pub fn apply(&self, list: &[Item]) -> Outcome {
        match self {
            Edit::Add { content, active_form, status, at } => {
                let at = at.unwrap_or(list.len()).min(list.len());
                let mut inputs: Vec<ItemInput> = list.iter().map(as_input).collect();
                inputs.insert(
                    at,
                    ItemInput {
                        id: None,
                        content: content.clone(),
                        status: Status::Pending,
                        active_form: active_form.clone().unwrap_or_else(|| content.clone()),
                    },
                );
                let list = rules::write(list, &inputs)?;
                let id = list[at].id.clone();
                rules::update(&list, &id, &ItemChange { status: *status, ..ItemChange::default() })
            }
            Edit::Change { id, content, active_form, status } => {
                let change = ItemChange { content: content.clone(), status: *status, active_form: active_form.clone() };
                rules::update(list, id, &change)
            }
            Edit::Remove { id } => {
                let mut list = list.to_vec();
                let place = place(&list, id)?;
                list.remove(place);
                Ok(list)
            }
            Edit::Move { id, to } => {
                let mut list = list.to_vec();
                let place = place(&list, id)?;
                let item = list.remove(place);
                list.insert((*to).min(list.len()), item);
                Ok(list)
            }
            Edit::Reorder { ids } => {
                let mut rest = list.to_vec();
                let mut named = Vec::with_capacity(list.len());
                for id in ids {
                    let place = place(&rest, id)?;
                    named.push(rest.remove(place));
                }
                named.append(&mut rest);
                Ok(named)
            }
            Edit::Replace { items } => rules::write(list, items),
        }
    }
}

fn place(list: &[Item], id: &str) -> Result<usize, Refusal> {
    list.iter().position(|item| item.id == id).ok_or_else(|| Refusal::UnknownId {
        id: id.to_owned(),
        known: list.iter().map(|item| item.id.clone()).collect(),
    })
}

fn as_input(item: &Item) -> ItemInput {
    ItemInput {
        id: Some(item.id.clone()),
        content: item.content.clone(),
        status: item.status,
        active_form: item.active_form.clone(),
    }
}

impl TaskLists {
    /// Makes all of `edits`, one after another, as one change of the list, or none of them. `base` is the version of
    /// the list that the person saw (0 where there is none): when it is another by now, the error has code `conflict`
    /// and carries the newer list ([`Projection`]) in `details.list`. Edits that change nothing add nothing.
    pub fn edit(&self, call: &Call, key: &ThreadKey, base: u64, edits: &[Edit], writer: &Writer) -> Result<Projection> {
        call.cancel.check()?;
        self.space.write(|tx| {
            let stored = rows::projection(tx, key.thread())?;
            check_base(tx, &stored, base)?;
            let mut items = stored.items.clone();
            for edit in edits {
                items = edit.apply(&items).map_err(|refusal| {
                    let code = match refusal {
                        Refusal::UnknownId { .. } => ErrorCode::NotFound,
                        Refusal::SeveralRunning(_) => ErrorCode::InvalidInput,
                    };
                    Error::new(code, refusal.message())
                })?;
            }
            rules::validate(&items)?;
            if items == stored.items {
                return Ok(stored);
            }
            rows::accept(tx, key, writer, &stored, items)
        })
    }
}

/// A conflict unless the list is at the version that the person saw.
pub(crate) fn check_base(conn: &Connection, stored: &Projection, base: u64) -> Result<()> {
    let version = stored.version;
    if version == base {
        return Ok(());
    }
    let by = history::newest(conn, &stored.thread)?.map_or_else(|| "?".to_owned(), |newest| newest.by);
    let list = serde_json::to_value(stored).map_err(Error::internal)?;
    Err(Error::new(
        ErrorCode::Conflict,
        text!(
            en: "the list was changed meanwhile (last by {by}; version {base} is now {version}). Your change was not made: look at the newer list and make it again",
            ja: "この間にリストが変更されました（最後の変更: {by}、版 {base} → {version}）。今回の変更は行っていません。新しいリストを確認して、もう一度変更してください"
        ),
    )
    .with("list", list))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn after(edits: serde_json::Value) -> String {
        let mut list: Vec<Item> = ["a", "b", "c"]
            .map(|id| Item {
                id: id.into(),
                content: format!("Do {id}"),
                status: Status::Pending,
                active_form: "…".into(),
            })
            .to_vec();
        list[1].status = Status::InProgress;
        for edit in serde_json::from_value::<Vec<Edit>>(edits).unwrap() {
            list = match edit.apply(&list) {
                Ok(list) => list,
                Err(refusal) => return refusal.message().en,
            };
        }
        list.iter().map(|item| format!("{}:{} ", item.id, &item.status.as_str()[..1])).collect()
    }

    #[test]
    fn every_edit() {
        assert_eq!(after(json!([{"do": "add", "content": "Do x"}])), "a:p b:i c:p task_do_x:p ");
        assert_eq!(
            after(json!([{"do": "add", "content": "Do a", "activeForm": "Doing", "status": "in_progress", "at": 1}])),
            "a:p task_do_a_2:i b:p c:p "
        );
        assert_eq!(after(json!([{"do": "change", "id": "c", "status": "in_progress"}])), "a:p b:p c:i ");
        assert_eq!(after(json!([{"do": "remove", "id": "b"}])), "a:p c:p ");
        assert_eq!(after(json!([{"do": "move", "id": "a", "to": 1}])), "b:i a:p c:p ");
        assert_eq!(after(json!([{"do": "move", "id": "a", "to": 99}])), "b:i c:p a:p ");
        assert_eq!(after(json!([{"do": "reorder", "ids": ["c", "a"]}])), "c:p a:p b:i ");
        let item = json!({"content": "Do c", "status": "completed", "activeForm": "x"});
        assert_eq!(after(json!([{"do": "replace", "items": [item]}])), "c:c ");
        let moved = json!([{"do": "change", "id": "a", "status": "completed"}, {"do": "move", "id": "a", "to": 2}]);
        assert_eq!(after(moved), "b:i c:p a:c ");
        for unknown in ["change", "remove"] {
            assert!(after(json!([{"do": unknown, "id": "z"}])).contains("`z`"));
        }
        assert!(after(json!([{"do": "reorder", "ids": ["a", "a"]}])).contains("`a`"));
        assert!(serde_json::from_value::<Edit>(json!({"do": "replace", "items": [{"content": ""}]})).is_err());
    }
}
