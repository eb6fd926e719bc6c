//! Holds the sample space that ships with the program to its own format, and to being a record that makes sense.

use super::*;
use kiroku_model::{CommentId, Kind, TaskId, Time};
use std::collections::{HashMap, HashSet};

const FILE: &str = include_str!("../../../../../tests/fixtures/sample-space.jsonl");

fn rows() -> Vec<Row> {
    let mut reader = Reader::new(FILE.as_bytes());
    let rows: Vec<Row> = reader.by_ref().map(|line| line.unwrap().row.unwrap()).collect();
    assert_eq!(
        reader.counts(),
        Counts { rows: rows.len() as u64, ..Counts::default() },
        "nothing bad, nothing unknown"
    );
    rows
}

fn comments(rows: &[Row]) -> impl Iterator<Item = &Comment> {
    rows.iter().filter_map(|row| if let Row::Comment(comment) = row { Some(&**comment) } else { None })
}

#[test]
fn it_comes_back_from_an_export_as_it_went_in_and_in_the_order_of_the_page() {
    let rows = rows();
    let mut written = Vec::new();
    rows.iter().for_each(|row| write_row(&mut written, row).unwrap());
    let again: Vec<Row> = Reader::new(&written[..]).map(|line| line.unwrap().row.unwrap()).collect();
    assert_eq!(again, rows);
    let place = |row: &Row| match row {
        Row::Header(_) => 0,
        Row::Space(_) => 1,
        Row::Member(_) => 2,
        Row::Task(_) => 3,
        Row::Comment(_) => 4,
        Row::Pin(_) => 5,
        Row::List(_) => 6,
        Row::History(_) => 7,
        Row::Note(_) => 8,
        Row::Review(_) => 9,
        Row::Tombstone(_) => 10,
    };
    assert!(rows.is_sorted_by_key(place));
}

#[test]
fn ids_are_unique_and_what_is_named_is_there() {
    let rows = rows();
    let (mut members, mut tasks, mut uids) = (HashSet::new(), HashSet::new(), HashSet::new());
    for row in &rows {
        match row {
            Row::Member(member) => assert!(members.insert(&*member.id), "{}", member.id),
            Row::Task(task) => {
                assert!(task.parent.is_none_or(|parent| tasks.contains(&parent)), "{}: a parent comes first", task.id);
                assert!(tasks.insert(task.id), "{}", task.id);
                assert!(uids.insert(task.uid.clone().unwrap()));
                assert!(members.contains(task.owner.as_deref().unwrap()), "{}", task.id);
            }
            _ => {}
        }
    }
    let mut ids = HashSet::new();
    for comment in comments(&rows) {
        let id = comment.id.unwrap();
        assert!(ids.insert(id), "{id}");
        assert!(tasks.contains(&comment.task), "{id}");
        assert!(comment.member.as_deref().is_none_or(|member| members.contains(member)), "{id}");
        assert!(!matches!(comment.kind, Kind::Other(_)), "{id}");
        assert_eq!(comment.body.is_empty(), comment.tool.is_some(), "{id}: words or a tool");
    }
    assert!((36..=44).contains(&tasks.len()) && (600..=900).contains(&ids.len()), "{} {}", tasks.len(), ids.len());
    for row in &rows {
        let named = match row {
            Row::Pin(pin) => {
                assert!(pin.reference.is_none_or(|id| ids.contains(&id)), "{}", pin.text);
                Some(pin.task)
            }
            Row::List(list) => list.task,
            Row::History(history) => history.task,
            Row::Note(note) => note.task,
            Row::Review(review) => review.task,
            _ => None,
        };
        assert!(named.is_none_or(|task| tasks.contains(&task)), "{row:?}");
    }
}

#[test]
fn a_list_has_one_running_item_at_most_and_its_history_leads_to_it() {
    let rows = rows();
    let mut now: HashMap<TaskId, Vec<Item>> = HashMap::new();
    let mut last: HashMap<TaskId, Time> = HashMap::new();
    let one = |items: &[Item]| items.iter().filter(|item| item.status == ItemStatus::InProgress).count() <= 1;
    for row in &rows {
        if let Row::History(history) = row {
            let (task, at) = (history.task.unwrap(), history.at.unwrap());
            assert!(one(&history.after), "{task}");
            assert!(last.insert(task, at).is_none_or(|before| before < at), "{task}");
            assert_eq!(now.insert(task, history.after.clone()).unwrap_or_default(), history.before, "{task}");
        }
    }
    let mut lists = 0;
    for row in &rows {
        match row {
            Row::List(list) => {
                let ids: HashSet<&str> = list.items.iter().map(|item| &*item.id).collect();
                assert!(ids.len() == list.items.len() && one(&list.items));
                assert_eq!(now[&list.task.unwrap()], list.items);
                lists += 1;
            }
            Row::Note(Note { task, item, .. }) | Row::Review(Review { task, item, .. }) => {
                assert!(now[&task.unwrap()].iter().any(|there| there.id == *item), "{item}");
            }
            _ => {}
        }
    }
    assert_eq!(lists, now.len());
}

#[test]
fn time_never_goes_back_inside_a_task() {
    let rows = rows();
    let mut last: HashMap<TaskId, (Time, i64)> = HashMap::new();
    for comment in comments(&rows) {
        let (time, seq) = last.entry(comment.task).or_default();
        assert!(*time <= comment.created && *seq < comment.seq.unwrap(), "{:?}", comment.id);
        (*time, *seq) = (comment.created, comment.seq.unwrap());
    }
    for row in &rows {
        if let Row::Task(task) = row {
            let (created, updated) = (task.created.unwrap(), task.updated.unwrap());
            assert!(created <= updated && last[&task.id].0 <= updated, "{}", task.id);
        }
    }
}

/// The example of the search contract: which comments a drill-down from comment 88 shows, and what a search finds.
#[test]
fn the_example_of_the_search_contract_is_there() {
    let rows = rows();
    let of_12: Vec<&Comment> = comments(&rows).filter(|comment| comment.task == TaskId(12)).collect();
    let at = of_12.iter().position(|comment| comment.id == Some(CommentId(88))).unwrap();
    let told: Vec<String> = of_12[at - 1..=at + 1]
        .iter()
        .map(|c| format!("{} {}/{} {} {}", c.id.unwrap(), c.author.as_str(), c.kind.as_str(), c.created, c.body))
        .collect();
    assert_eq!(
        told,
        [
            "comment:86 user/comment 2026-06-20T09:55:00Z 質問なんですが、既存の認証部分は今回のスコープに入りますか?",
            "comment:88 user/request 2026-06-20T10:00:00Z 既存の認証フローは変更しないでください。UI 差し替えのみでお願いします。",
            "comment:90 agent/progress 2026-06-20T10:02:00Z 了解しました。認証ロジックには触れずに進めます。",
        ]
    );
    assert!(of_12[at + 1].progress.is_none());
    let result = of_12.iter().find(|comment| comment.id == Some(CommentId(95))).unwrap();
    assert_eq!((result.kind.as_str(), result.created.to_string().as_str()), ("result", "2026-06-20T11:30:00Z"));
    assert!(result.body.contains("認証まわりは touch せず、UI だけ差し替えました"));
    assert!((85..=96).all(|id| comments(&rows).all(|c| c.id != Some(CommentId(id)) || c.task == TaskId(12))));

    let tasks_with = |term: &str| -> HashSet<TaskId> {
        comments(&rows).filter(|comment| comment.body.contains(term)).map(|comment| comment.task).collect()
    };
    assert!(tasks_with("認証").len() >= 4);
    assert!(tasks_with("満月の周期の計算").is_empty());
    assert!(
        ["満月", "周期", "計算", "rate limit", "税率", "ＬＯＧＩＮ"].iter().all(|term| !tasks_with(term).is_empty())
    );
}
