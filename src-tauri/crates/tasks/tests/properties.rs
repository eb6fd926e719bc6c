//! What holds for every list whatever is called: ids are there and unique, at most one item runs, a refused call
//! changes nothing, and each row of history begins where the one before ended.
#![allow(clippy::unwrap_used, reason = "test code")]

mod common;

use common::{agent, call, chain, key, person, space};
use kiroku_tasks::input::{ItemInput, TaskUpdate, TaskWrite};
use kiroku_tasks::{Edit, Item, Status, rules};
use proptest::prelude::*;
use std::collections::HashSet;

#[derive(Clone, Debug)]
enum Act {
    Write(Vec<ItemInput>),
    Update(TaskUpdate),
    Hand(Edit),
}

fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => prop::sample::select(vec!["Write tests", "write_tests", "認証を直す", "item", "Write tests 2", "---"]).prop_map(String::from),
        1 => "\\PC{1,60}",
    ]
}

fn id() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["task_item", "task_write_tests", "task_write_tests_2", "task_item_2", "T1"])
        .prop_map(String::from)
}

fn status() -> impl Strategy<Value = Status> {
    prop::sample::select(vec![Status::Pending, Status::Pending, Status::Completed, Status::InProgress])
}

fn some_item() -> impl Strategy<Value = ItemInput> {
    (prop::option::of(id()), word(), status(), word()).prop_map(|(id, content, status, active_form)| ItemInput {
        id,
        content,
        status,
        active_form,
    })
}

fn act() -> impl Strategy<Value = Act> {
    let update = (id(), prop::option::of(word()), status()).prop_map(|(id, content, status)| {
        Act::Update(TaskUpdate { id, content, status: Some(status), active_form: None })
    });
    let hand =
        prop_oneof![
            (word(), prop::option::of(status()), prop::option::of(0..9usize))
                .prop_map(|(content, status, at)| Edit::Add { content, active_form: None, status, at }),
            id().prop_map(|id| Edit::Remove { id }),
            (id(), 0..9usize).prop_map(|(id, to)| Edit::Move { id, to }),
            prop::collection::vec(id(), 0..4).prop_map(|ids| Edit::Reorder { ids }),
        ];
    prop_oneof![
        2 => prop::collection::vec(some_item(), 0..8).prop_map(Act::Write),
        2 => update,
        1 => hand.prop_map(Act::Hand),
    ]
}

fn sound(list: &[Item]) {
    let ids: HashSet<&str> = list.iter().map(|item| item.id.as_str()).collect();
    assert_eq!(ids.len(), list.len(), "{list:?}");
    assert!(!ids.contains(""));
    assert!(list.iter().filter(|item| item.status == Status::InProgress).count() <= 1, "{list:?}");
}

proptest! {
    #[test]
    fn lists_stay_sound(acts in prop::collection::vec(act(), 1..20)) {
        let mut list: Vec<Item> = Vec::new();
        for act in acts {
            let before = list.clone();
            let outcome = match &act {
                Act::Write(items) => rules::write(&list, items),
                Act::Update(update) => rules::update(&list, &update.id, &update.change()),
                Act::Hand(edit) => edit.apply(&list),
            };
            let Ok(after) = outcome else { continue };
            sound(&after);
            match act {
                Act::Write(items) => {
                    let said: Vec<_> = items.iter().map(|item| (&item.content, item.status, &item.active_form)).collect();
                    let kept: Vec<_> = after.iter().map(|item| (&item.content, item.status, &item.active_form)).collect();
                    prop_assert_eq!(said, kept);
                    // Writing a list as it came out changes nothing.
                    let again: Vec<ItemInput> = after
                        .iter()
                        .map(|item| ItemInput {
                            id: Some(item.id.clone()),
                            content: item.content.clone(),
                            status: item.status,
                            active_form: item.active_form.clone(),
                        })
                        .collect();
                    prop_assert_eq!(&rules::write(&before, &again).unwrap(), &after);
                }
                Act::Update(_) => prop_assert_eq!(after.len(), before.len()),
                Act::Hand(Edit::Reorder { .. } | Edit::Move { .. }) => {
                    let set = |list: &[Item]| list.iter().cloned().collect::<HashSet<Item>>();
                    prop_assert_eq!(set(&after), set(&before));
                }
                Act::Hand(_) => {}
            }
            list = after;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]
    #[test]
    fn the_file_keeps_every_step(acts in prop::collection::vec(act(), 1..12)) {
        let (_dir, lists) = space();
        let thread = key("t");
        for act in acts {
            let before = lists.projection(&call(), "t").unwrap();
            let refused = match &act {
                Act::Write(items) => {
                    lists.task_write(&call(), Some(&thread), &agent(), &TaskWrite { tasks: items.clone() }).unwrap().is_error
                }
                Act::Update(update) => lists.task_update(&call(), Some(&thread), &agent(), update).unwrap().is_error,
                Act::Hand(edit) => {
                    lists.edit(&call(), &thread, before.version, std::slice::from_ref(edit), &person()).is_err()
                }
            };
            let after = lists.projection(&call(), "t").unwrap();
            sound(&after.items);
            if refused {
                prop_assert_eq!(&after, &before);
            }
        }
        chain(&lists, "t");
    }
}
