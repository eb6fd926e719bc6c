//! Export and import of whole rows: a thread comes out as it went in, and putting it twice adds nothing.
#![allow(clippy::unwrap_used, reason = "test code")]

mod common;

use common::*;
use kiroku_model::{ErrorCode, Time};
use kiroku_tasks::exchange::{self, ChangeRow, ListRow};
use kiroku_tasks::{Edit, HistoryRow, Item, Note, Projection, Review, Status, TaskLists, ThreadKey};
use serde_json::json;

type Whole = (Projection, Vec<HistoryRow>, Vec<Note>, Vec<Review>);

fn everything(lists: &TaskLists, thread: &str) -> Whole {
    lists
        .space()
        .read(&call().cancel, |conn| {
            let mut history = Vec::new();
            exchange::each_history(conn, thread, |row| {
                history.push(row);
                Ok(())
            })?;
            Ok((
                exchange::list(conn, thread)?,
                history,
                exchange::notes(conn, thread)?,
                exchange::reviews(conn, thread)?,
            ))
        })
        .unwrap()
}

/// Puts everything of a thread; `versions`: the file tells them. How many rows were new.
fn put(lists: &TaskLists, (list, history, notes, reviews): &Whole, versions: bool) -> usize {
    let version = |version: u64| versions.then_some(version);
    let key = ThreadKey::new(&list.thread, list.resource.as_deref().unwrap()).unwrap();
    lists
        .space()
        .write(|tx| {
            let row = ListRow { key: &key, items: &list.items, version: version(list.version), updated: list.updated };
            let mut new = usize::from(exchange::put_list(tx, &row)?);
            for row in history {
                let key = ThreadKey::new(&row.thread, &row.resource)?;
                new += usize::from(exchange::put_history(
                    tx,
                    &ChangeRow {
                        uid: &row.uid,
                        key: &key,
                        version: version(row.version),
                        at: row.at,
                        by: &row.by,
                        door: &row.door,
                        comment: None,
                        before: &row.before,
                        after: &row.after,
                    },
                )?);
            }
            for note in notes {
                new += usize::from(exchange::put_note(tx, &key, &note.uid, &note.item, &note.text, &note.by, note.at)?);
            }
            for review in reviews {
                new += usize::from(exchange::put_review(tx, &key, &review.item, &review.by, review.at)?);
            }
            Ok(new)
        })
        .unwrap()
}

fn filled(lists: &TaskLists) {
    write(lists, "t", &["読む", "Write"]);
    lists.add_note(&call(), "t", "task_write", "丁寧に", "m1").unwrap();
    lists.set_reviewed(&call(), "t", "task_item", true, "m1").unwrap();
    write(lists, "t", &["読む", "Ship"]);
}

#[test]
fn a_thread_comes_out_as_it_went_in() {
    let (_dir, from) = space();
    filled(&from);
    let whole = everything(&from, "t");
    for versions in [true, false] {
        let (_dir, to) = space();
        // An uneven beginning, so that numbers of the file and of this space differ.
        write(&to, "other", &["x"]);
        assert_eq!(put(&to, &whole, versions), 1 + 2 + 1 + 1);
        assert_eq!(put(&to, &whole, versions), 0);
        let mut came = everything(&to, "t");
        for (row, was) in came.1.iter_mut().zip(&whole.1) {
            row.id = was.id;
        }
        if !versions {
            came.0.version = whole.0.version;
        }
        assert_eq!(came, whole);
        chain(&to, "t");
        let threads = to.space().read(&call().cancel, exchange::threads).unwrap();
        assert_eq!(threads, ["other", "t"]);
        // The list goes on from there.
        write(&to, "t", &["Next"]);
        assert_eq!(chain(&to, "t").len(), 3);
    }
}

#[test]
fn a_list_that_is_here_stays_unless_the_files_is_newer() {
    let (_dir, from) = space();
    filled(&from);
    let (_dir, to) = space();
    let first = everything(&from, "t");
    put(&to, &first, true);
    // A person goes on here; the same file again does not take that back, whatever it tells.
    let edit: Edit = serde_json::from_value(json!({"do": "add", "content": "手で"})).unwrap();
    let edited = to.edit(&call(), &key("t"), 2, &[edit], &person()).unwrap();
    assert_eq!((put(&to, &first, true), put(&to, &first, false)), (0, 0));
    assert_eq!(to.projection(&call(), "t").unwrap(), edited);
    // The list went on there too, and further: it takes its place, and what stood here is in the history.
    for n in 0..3 {
        write(&from, "t", &[&format!("later {n}")]);
    }
    let second = everything(&from, "t");
    assert_eq!(put(&to, &second, true), 1 + 3);
    assert_eq!(put(&to, &second, true), 0);
    assert_eq!(contents(&to.projection(&call(), "t").unwrap().items), ["later 2"]);
    let rows = to.history(&call(), "t", None, 50).unwrap().rows;
    assert!(rows.iter().any(|row| row.door == "import" && row.before == edited.items));
    assert_eq!(rows.len(), 2 + 1 + 1 + 3);
}

#[test]
fn what_can_not_be_a_list_is_refused() {
    let (_dir, lists) = space();
    let item = |id: &str, status| Item { id: id.into(), content: "a".into(), status, active_form: "b".into() };
    let (p, r) = (Status::Pending, Status::InProgress);
    for items in [vec![item("x", p), item("x", p)], vec![item("x", r), item("y", r)], vec![item("", p)]] {
        let row = ListRow { key: &key("t"), items: &items, version: None, updated: None };
        let refused = lists.space().write(|tx| exchange::put_list(tx, &row)).unwrap_err();
        assert_eq!(refused.code(), ErrorCode::InvalidInput);
    }
    let huge = ListRow { key: &key("t"), items: &[], version: Some(u64::MAX), updated: None };
    assert!(lists.space().write(|tx| exchange::put_list(tx, &huge)).is_err());
    let note = lists.space().write(|tx| exchange::put_note(tx, &key("t"), "", "x", "y", "m1", Time(0)));
    assert_eq!(note.unwrap_err().code(), ErrorCode::InvalidInput);
    assert_eq!(version(&lists, "t"), 0);
}
