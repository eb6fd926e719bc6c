//! What each tool does to a list, as functions from a list to a list. They read and write nothing, so that the tools,
//! people's edits and the replay of sessions all go by the same rules.

use crate::input::ItemInput;
use crate::{Item, Status};
use kiroku_model::{Error, Text, text};
use std::collections::{HashMap, HashSet};

/// The most items of one list. The contract names no bound; this one is far above any list that somebody reads, and
/// keeps one call from filling the history.
pub const MAX_ITEMS: usize = 5_000;

/// How long the part of a made id is that comes from the content, in characters.
const SLUG: usize = 48;

/// The list after a call, or why the call was refused and the list stays as it is.
pub type Outcome = Result<Vec<Item>, Refusal>;

/// Why a call was refused: its answer has `isError: true`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// More than one item was to be `in_progress`; the contents of those.
    SeveralRunning(Vec<String>),
    /// The list has no item of this id.
    UnknownId {
        /// The id that was asked for.
        id: String,
        /// The ids that there are, in the list's order.
        known: Vec<String>,
    },
}

impl Refusal {
    /// What happened and what can be done, for whoever called.
    pub fn message(&self) -> Text {
        match self {
            Refusal::SeveralRunning(contents) => {
                let (count, shown) = (contents.len(), contents.join(" / "));
                text!(
                    en: "Only one item can be in_progress at a time, and {count} are: {shown}. Nothing was stored. Leave one of them in_progress and send the list again.",
                    ja: "in_progress にできる項目は一度に 1 件ですが、{count} 件あります: {shown}。何も保存していません。1 件だけを in_progress にして、リストを送り直してください。"
                )
            }
            Refusal::UnknownId { id, known } if known.is_empty() => text!(
                en: "There is no item `{id}`: the list is empty. Nothing was changed. Write a list with task_write first.",
                ja: "項目「{id}」はありません。リストは空です。何も変更していません。先に task_write でリストを書いてください。"
            ),
            Refusal::UnknownId { id, known } => {
                let known = known.join(", ");
                text!(
                    en: "There is no item `{id}`. Nothing was changed. The ids are: {known}.",
                    ja: "項目「{id}」はありません。何も変更していません。ある ID: {known}。"
                )
            }
        }
    }
}

/// `task_write`: the list that replaces `stored`. Who gets which id is the contract's rule, in three rounds: explicit
/// ids, ids of stored items that are clearly meant, and new ones made from the content.
pub fn write(stored: &[Item], new: &[ItemInput]) -> Outcome {
    let running: Vec<&ItemInput> = new.iter().filter(|item| item.status == Status::InProgress).collect();
    if running.len() > 1 {
        return Err(Refusal::SeveralRunning(running.iter().map(|item| item.content.clone()).collect()));
    }
    let mut taken: HashSet<String> = HashSet::new();
    let mut ids: Vec<Option<String>> =
        new.iter().map(|item| item.id.clone().filter(|id| taken.insert(id.clone()))).collect();
    reuse(stored, new, &mut ids, &mut taken);

    let mut nth: HashMap<&str, usize> = HashMap::new();
    // Where the search for a free number after an id goes on: what was taken once stays taken in this call.
    let mut next: HashMap<String, usize> = HashMap::new();
    let list = new.iter().zip(ids).map(|(item, id)| {
        let nth = nth.entry(&item.content).or_default();
        *nth += 1;
        let id = id.unwrap_or_else(|| {
            let mut base = format!("task_{}", slug(&item.content));
            if *nth > 1 {
                base = format!("{base}_{nth}");
            }
            if taken.insert(base.clone()) {
                return base;
            }
            let number = next.entry(base.clone()).or_insert(2);
            loop {
                let id = format!("{base}_{number}");
                *number += 1;
                if taken.insert(id.clone()) {
                    return id;
                }
            }
        });
        Item { id, content: item.content.clone(), status: item.status, active_form: item.active_form.clone() }
    });
    Ok(list.collect())
}

/// Gives an item without an id the id of a stored one, where exactly one of each has its content. One that repeats an
/// explicit id is no such item: it always gets a new one.
fn reuse(stored: &[Item], new: &[ItemInput], ids: &mut [Option<String>], taken: &mut HashSet<String>) {
    let mut wanting: HashMap<&str, usize> = HashMap::new();
    for item in new.iter().filter(|item| item.id.is_none()) {
        *wanting.entry(&item.content).or_default() += 1;
    }
    // `None`: more than one has this content.
    let mut free: HashMap<&str, Option<&str>> = HashMap::new();
    for item in stored.iter().filter(|item| !taken.contains(&item.id)) {
        free.entry(&item.content).and_modify(|id| *id = None).or_insert(Some(&item.id));
    }
    for (item, id) in new.iter().zip(ids).filter(|(item, _)| item.id.is_none()) {
        let content = item.content.as_str();
        if wanting.get(content) == Some(&1)
            && let Some(Some(found)) = free.get(content)
        {
            taken.insert((*found).to_owned());
            *id = Some((*found).to_owned());
        }
    }
}

/// The part of a made id that comes from the content.
fn slug(content: &str) -> String {
    let mut slug = String::new();
    for c in content.to_lowercase().chars() {
        if c.is_ascii_lowercase() || c.is_ascii_digit() {
            slug.push(c);
        } else if !slug.is_empty() && !slug.ends_with('_') {
            slug.push('_');
        }
    }
    // The trailing one goes before the cut, so that the cut itself may leave one.
    slug.truncate(slug.trim_end_matches('_').len());
    slug.truncate(SLUG);
    if slug.is_empty() { "item".to_owned() } else { slug }
}

/// What changes in one item; `None` stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ItemChange {
    /// What to do.
    pub content: Option<String>,
    /// How it stands.
    pub status: Option<Status>,
    /// What is shown while it runs.
    pub active_form: Option<String>,
}

/// `task_update`: the list with one item changed. When that one begins to run, any other that runs goes back to
/// `pending`.
pub fn update(stored: &[Item], id: &str, change: &ItemChange) -> Outcome {
    let mut list = stored.to_vec();
    let Some(place) = list.iter().position(|item| item.id == id) else {
        let known = stored.iter().map(|item| item.id.clone()).collect();
        return Err(Refusal::UnknownId { id: id.to_owned(), known });
    };
    if change.status == Some(Status::InProgress) {
        for other in list.iter_mut().filter(|other| other.id != id && other.status == Status::InProgress) {
            other.status = Status::Pending;
        }
    }
    let item = &mut list[place];
    item.content = change.content.clone().unwrap_or_else(|| std::mem::take(&mut item.content));
    item.active_form = change.active_form.clone().unwrap_or_else(|| std::mem::take(&mut item.active_form));
    item.status = change.status.unwrap_or(item.status);
    Ok(list)
}

/// `task_complete`: the list with one item done.
pub fn complete(stored: &[Item], id: &str) -> Outcome {
    update(stored, id, &ItemChange { status: Some(Status::Completed), ..ItemChange::default() })
}

/// `task_check`: the items that are not done, the running one first.
pub fn incomplete(items: &[Item]) -> Vec<Item> {
    let of = |status| items.iter().filter(move |item| item.status == status);
    of(Status::InProgress).chain(of(Status::Pending)).cloned().collect()
}

/// Whether these items could be a list: what comes from a file, or from a person's hand, is held to it before it is
/// kept.
pub fn validate(items: &[Item]) -> kiroku_model::Result<()> {
    check_length(items.len())?;
    let mut ids = HashSet::new();
    for Item { id, content, active_form, .. } in items {
        if id.is_empty() || content.is_empty() || active_form.is_empty() {
            return Err(Error::invalid(text!(
                en: "an item of a list needs an id, a content and an activeForm that are not empty",
                ja: "リストの項目には、空でない id、content、activeForm が必要です"
            )));
        }
        if !ids.insert(id) {
            return Err(Error::invalid(text!(
                en: "the id `{id}` stands twice in the list",
                ja: "リストの中に ID「{id}」が 2 回あります"
            )));
        }
    }
    let running: Vec<String> =
        items.iter().filter(|item| item.status == Status::InProgress).map(|item| item.content.clone()).collect();
    if running.len() > 1 {
        return Err(Error::invalid(Refusal::SeveralRunning(running).message()));
    }
    Ok(())
}

/// An error if a list of `length` items is too long.
pub fn check_length(length: usize) -> kiroku_model::Result<()> {
    if length <= MAX_ITEMS {
        return Ok(());
    }
    Err(Error::invalid(text!(
        en: "a list holds at most {MAX_ITEMS} items, and this one has {length}; nothing was stored",
        ja: "リストの項目は {MAX_ITEMS} 件までですが、{length} 件あります。何も保存していません"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn new(id: Option<&str>, content: &str) -> ItemInput {
        let (content, active_form) = (content.to_owned(), "…".to_owned());
        ItemInput { id: id.map(str::to_owned), content, status: Status::Pending, active_form }
    }

    fn ids(stored: &[ItemInput], items: &[ItemInput]) -> Vec<String> {
        let stored = write(&[], stored).unwrap();
        write(&stored, items).unwrap().into_iter().map(|item| item.id).collect()
    }

    #[test]
    fn who_gets_which_id() {
        let stored = [new(Some("a"), "Ship"), new(None, "Test")];
        assert_eq!(ids(&stored, &[new(None, "Test"), new(None, "Ship")]), ["task_test", "a"]);
        // Two without an id: neither is clearly the stored one.
        assert_eq!(ids(&stored, &[new(None, "Ship"), new(None, "Ship")]), ["task_ship", "task_ship_2"]);
        // A repeat of an explicit id does not stand in the way of one that has none, nor takes its place.
        let repeat = [new(Some("b"), "Else"), new(Some("b"), "Ship"), new(None, "Ship")];
        assert_eq!(ids(&stored, &repeat), ["b", "task_ship", "a"]);
        // What an explicit id claims is not re-used.
        assert_eq!(ids(&stored, &[new(Some("a"), "Else"), new(None, "Ship")]), ["a", "task_ship"]);
        // Ids that come later in the call are reserved too.
        let later = [new(None, "Go"), new(None, "Go"), new(Some("task_go"), "x"), new(Some("task_go_2"), "y")];
        assert_eq!(ids(&[], &later), ["task_go_3", "task_go_2_2", "task_go", "task_go_2"]);
    }

    #[test]
    fn slugs() {
        let long = "x".repeat(47);
        for (content, slug_of) in [
            ("Deploy v2.0 (prod)", "deploy_v2_0_prod"),
            ("  _Fix__it_ ", "fix_it"),
            ("認証", "item"),
            ("İstanbul", "i_stanbul"),
            (&format!("{long} y"), &format!("{long}_")),
            (&format!("{long} "), &long),
        ] {
            assert_eq!(slug(content), slug_of);
        }
    }

    #[test]
    fn a_long_list_of_one_slug_takes_no_time_to_name() {
        let items: Vec<ItemInput> = (0..MAX_ITEMS).map(|n| new(None, &"字".repeat(n % 90 + 1))).collect();
        let list = write(&[], &items).unwrap();
        validate(&list).unwrap();
        let other: Vec<ItemInput> =
            (0..MAX_ITEMS).map(|n| new(None, &format!("字{}", char::from_u32(0x4e00 + n as u32).unwrap()))).collect();
        let list = write(&list, &other).unwrap();
        validate(&list).unwrap();
        assert_eq!(list[MAX_ITEMS - 1].id, format!("task_item_{MAX_ITEMS}"));
    }
}
