//! Holds every row to coming back as it was written, and every damage to staying in its line.

use super::tests::{read, written};
use super::*;
use kiroku_model::{Attachment, Author, CommentId, Ending, Kind, PinList, ProgressType, Role, TaskId, TaskState, Time};
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;

fn time() -> impl Strategy<Value = Time> {
    (Time::MIN.0..=Time::MAX.0).prop_map(Time)
}

fn task_id() -> impl Strategy<Value = TaskId> {
    (1i64..=1 << 53).prop_map(TaskId)
}

fn comment_id() -> impl Strategy<Value = CommentId> {
    (1i64..=1 << 53).prop_map(CommentId)
}

fn item() -> impl Strategy<Value = Item> {
    let status = prop_oneof![Just(ItemStatus::Pending), Just(ItemStatus::InProgress), Just(ItemStatus::Completed)];
    (any::<String>(), any::<String>(), status, any::<String>()).prop_map(|(id, content, status, active_form)| Item {
        id,
        content,
        status,
        active_form,
    })
}

/// Exactly one of a task and a thread that is no task's.
fn thread() -> impl Strategy<Value = (Option<TaskId>, Option<String>)> {
    let outside = any::<String>().prop_filter("a task's thread", |name| !name.starts_with("task:"));
    prop_oneof![task_id().prop_map(|id| (Some(id), None)), outside.prop_map(|name| (None, Some(name)))]
}

fn task() -> impl Strategy<Value = Row> {
    let words = (of(any::<String>()), any::<String>(), any::<String>(), of(any::<String>()));
    let source = (of(any::<String>()), of(any::<String>()), of(any::<String>()));
    let states = (of(prop::sample::select(&TaskState::ALL[..])), of(Just(Ending::MidTurn)));
    (task_id(), words, states, of(task_id()), source, of(time()), of(time())).prop_map(
        |(id, (uid, title, piece, owner), (state, ending), parent, (source, key, folder), created, updated)| {
            Row::Task(Box::new(Task {
                id,
                uid,
                title,
                piece,
                state,
                ending,
                owner,
                parent,
                source,
                key,
                folder,
                created,
                updated,
            }))
        },
    )
}

fn comment() -> impl Strategy<Value = Row> {
    let author = prop_oneof![Just(Author::User), Just(Author::Agent)];
    let kind = prop_oneof![
        prop::sample::select(Kind::WORDS).prop_map(Kind::from),
        any::<String>().prop_map(|word| Kind::from(&*word))
    ];
    let progress = of(prop_oneof![Just(ProgressType::Tool), any::<String>().prop_map(|w| ProgressType::from(&*w))]);
    let attachment = (any::<String>(), of(any::<u64>()), of(any::<String>()))
        .prop_map(|(name, bytes, media_type)| Attachment { name, bytes, media_type });
    let words = (of(any::<String>()), of(any::<String>()), of(any::<String>()), of(any::<String>()), any::<String>());
    let data = (of(any::<String>()), of(any::<String>()), of(any::<u64>()), of(any::<u64>()));
    let rest = (of(any::<String>()), time(), vec(attachment, 0..3), any::<bool>(), of(any::<i64>()));
    (of(comment_id()), task_id(), author, kind, progress, words, data, rest).prop_map(
        |(id, task, author, kind, progress, (uid, key, member, tool, body), data, rest)| {
            let (input, output, input_bytes, output_bytes) = data;
            let (movement, created, attachments, withdrawn, seq) = rest;
            Row::Comment(Box::new(Comment {
                id,
                uid,
                key,
                task,
                author,
                member,
                kind,
                progress,
                tool,
                movement,
                body,
                input,
                output,
                input_bytes,
                output_bytes,
                created,
                attachments,
                withdrawn,
                seq,
            }))
        },
    )
}

fn any_row() -> impl Strategy<Value = Row> {
    let text = any::<String>;
    let role = of(prop_oneof![Just(Role::Owner), Just(Role::Member)]);
    let list = prop_oneof![Just(PinList::UserConstraints), Just(PinList::Decisions)];
    let pin = (of(text()), task_id(), list, text(), of(comment_id()), of(text()), of(time())).prop_map(
        |(uid, task, list, text, reference, member, created)| {
            Row::Pin(Pin { uid, task, list, text, reference, member, created })
        },
    );
    let lists = (thread(), of(text()), vec(item(), 0..4), of(any::<u64>())).prop_map(
        |((task, thread), resource, items, version)| {
            let updated = version.map(|version| Time((version % 1_000_000) as i64));
            Row::List(List { task, thread, resource, items, version, updated })
        },
    );
    let history =
        (thread(), (of(text()), of(text()), of(text()), of(text())), of(time()), vec(item(), 0..3), vec(item(), 0..3))
            .prop_map(|((task, thread), (uid, resource, by, door), at, before, after)| {
                Row::History(History {
                    uid,
                    task,
                    thread,
                    resource,
                    at,
                    by,
                    door,
                    version: Some(before.len() as u64),
                    reference: at.map(|_| CommentId(7)),
                    before,
                    after,
                })
            });
    prop_oneof![
        of(text()).prop_map(|space| Row::Header(Header { version: VERSION, space })),
        text().prop_map(|name| Row::Space(Space { name })),
        (text(), of(text()), role).prop_map(|(id, name, role)| Row::Member(Member { id, name, role })),
        task(),
        comment(),
        pin,
        lists,
        history,
        (thread(), of(text()), text(), text(), of(text()), of(time())).prop_map(
            |((task, thread), uid, item, text, by, at)| Row::Note(Note { uid, task, thread, item, text, by, at })
        ),
        (thread(), text(), of(text()), of(time())).prop_map(|((task, thread), item, by, at)| Row::Review(Review {
            task,
            thread,
            item,
            by,
            at
        })),
        (text(), text(), of(text()), of(time())).prop_map(|(source, key, comment, at)| Row::Tombstone(Tombstone {
            source,
            key,
            comment,
            at
        })),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(512) })]

    #[test]
    fn what_is_written_comes_back(rows in vec(any_row(), 0..6)) {
        let (lines, counts) = read(written(&rows));
        let back: Vec<Row> = lines.into_iter().map(|(_, row)| row.unwrap()).collect();
        prop_assert_eq!(&back, &rows);
        prop_assert_eq!(counts, Counts { rows: rows.len() as u64, ..Counts::default() });
    }

    /// Cut, damaged and mixed lines are reported or read, never a panic, and never more lines than there are.
    #[test]
    fn damage_stays_in_its_line(
        rows in vec(any_row(), 1..4), at in any::<prop::sample::Index>(), byte in any::<u8>(), keep in any::<bool>()
    ) {
        let mut file = written(&rows);
        let at = at.index(file.len());
        if keep { file[at] = byte } else { file.truncate(at) }
        let most = file.iter().filter(|byte| **byte == b'\n').count() + 1;
        let mut reader = Reader::new(&file[..]);
        prop_assert!(reader.by_ref().count() <= most);
        prop_assert!(reader.position() <= file.len() as u64);
    }

    #[test]
    fn any_bytes_are_read_without_a_panic(file in vec(any::<u8>(), 0..200)) {
        let mut reader = Reader::new(&file[..]);
        let lines = reader.by_ref().count() as u64;
        prop_assert_eq!(lines, reader.counts().bad_lines + reader.counts().rows);
    }
}
