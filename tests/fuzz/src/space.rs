//! A small space for the targets whose input goes through an engine. What an input writes stays for the next ones, so
//! after a few hundred the space is made anew.

use kiroku_api::{NewSpace, Workspace};
use kiroku_model::{Author, Kind, NewComment, SystemClock, TaskId, Time};
use kiroku_search::record::{NewTask, write};
use std::cell::RefCell;
use std::sync::Arc;
use tempfile::TempDir;

/// What the comments of its one task say.
pub const BODIES: [&str; 8] = [
    "ログインの認証がタイムアウトする。ＪＷＴの署名を確認してください。",
    "The login flow times out; check the JWT signature and the straße test.",
    "㍿ﾛｸﾞｲﾝ①（仮）の修正、端数は切り捨て。",
    "aaaaaaaaaaaaaaaa bbbbbbbb abababab",
    "password: hunter22 and AKIAIOSFODNN7EXAMPLE",
    "が か\u{3099} e\u{301} é Ｋ K ß SS ſ",
    "😀👨‍👩‍👧 emoji と 結合文字",
    "x",
];

/// Inputs that one space takes.
const INPUTS: u32 = 400;

/// The space, in a directory of its own.
pub struct Space {
    /// The open space.
    pub workspace: Arc<Workspace>,
    _dir: TempDir,
}

impl Space {
    fn new() -> Space {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let folder = dir.path().join("work/.kiroku");
        std::fs::create_dir_all(&folder).expect("a directory");
        let new = NewSpace { name: "fuzz".to_owned(), owner: "m1".to_owned(), owner_name: "One".to_owned() };
        let workspace = Workspace::create(&folder.join("space.db"), &new, Arc::new(SystemClock))
            .expect("a new space")
            .with_data_dir(Some(dir.path().join("data")));
        write(workspace.space(), |record| {
            record.put_task(&task())?;
            BODIES.iter().enumerate().try_for_each(|(nth, body)| {
                record.put_comment(TaskId(1), &comment(nth, body)).map(drop)
            })
        })
        .expect("its record");
        Space { workspace: Arc::new(workspace), _dir: dir }
    }

    /// Gives the space of this process to `work`, a new one now and then.
    pub fn with<T>(work: impl FnOnce(&Space) -> T) -> T {
        thread_local! {
            static SPACE: RefCell<Option<(Space, u32)>> = const { RefCell::new(None) };
        }
        SPACE.with_borrow_mut(|kept| {
            if kept.as_ref().is_none_or(|(_, used)| *used >= INPUTS) {
                *kept = Some((Space::new(), 0));
            }
            let (space, used) = kept.as_mut().expect("it was just made");
            *used += 1;
            work(space)
        })
    }
}

fn task() -> NewTask {
    NewTask {
        uid: None,
        id: Some(TaskId(1)),
        source: None,
        title: "一".to_owned(),
        piece: String::new(),
        state: None,
        ending: None,
        folder: None,
        owner: None,
        parent: None,
        created: Time(1_750_000_000_000),
        updated: Time(1_750_000_000_000),
    }
}

fn comment(nth: usize, body: &str) -> NewComment {
    NewComment {
        key: nth.to_string(),
        author: Author::Agent,
        member: None,
        kind: Kind::Result,
        progress: None,
        tool: None,
        input: None,
        output: None,
        movement: None,
        body: body.to_owned(),
        created: Time(1_750_000_000_000 + nth as i64 * 1_000),
        attachments: Vec::new(),
    }
}
