//! Random records for the oracle: what is written, changed and forgotten is done to a real space and, beside it, to a plain
//! list in memory, from which the expected answers are reckoned.

use kiroku_api::{Forget, NewSpace, Workspace};
use kiroku_model::{
    Attachment, Author, Call, Caller, Cancel, Clock, CommentId, Ending, ErrorCode, Kind, NewComment, ProgressType,
    TaskId, TaskState, Time,
};
use kiroku_search::record::{NewTask, Put, Record, write};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use std::sync::Arc;
use tempfile::TempDir;

/// Later than every comment by more than a session counts as running.
const NOW: Time = Time(4_000_000_000_000);
/// Where the comments' times begin; they lie a second apart, and many are equal.
const BEGIN: i64 = 1_780_000_000_000;

pub const MEMBERS: [&str; 4] = ["m1", "m2", "日本", "m\"1"];
pub const KINDS: [&str; 9] =
    ["request", "comment", "interjection", "interjection_ack", "result", "ask", "progress", "handoff", "memo"];
const PROGRESS: [&str; 4] = ["thinking", "summary", "tool", "odd"];

/// Pieces of texts, chosen so that they meet each other under folding, look like operators, or stand at borders of it.
const WORDS: &[&str] = &[
    "認証",
    "ログイン",
    "ﾛｸﾞｲﾝ",
    "ＬＯＧＩＮ",
    "login",
    "Login",
    "Straße",
    "STRASSE",
    "e\u{301}",
    "é",
    "か\u{3099}",
    "が",
    "ｶﾞ",
    "\u{1F469}\u{200D}\u{1F4BB}",
    "🇯🇵",
    "🎌",
    "\u{200b}",
    "\u{ad}",
    "\0",
    "%",
    "_",
    "%%",
    "\"",
    "'",
    "\\",
    "AND",
    "OR",
    "NEAR",
    "NOT",
    "*",
    "^",
    "(",
    ")",
    "-",
    ":",
    ";",
    "´",
    "¨",
    "ﷺ",
    "㍿",
    "①",
    "（仮）",
    " ",
    "\u{3000}",
    "\n",
    "\t",
    "の",
    "は",
    "満月",
    "周期",
    "計算",
    "満月の周期の計算",
    "tool:",
    "tool: ",
    "password=hunter22x ",
    "ſ",
    "İ",
    "ı",
    "ß",
    "ﬁ",
    "\u{1100}\u{1161}\u{11a8}",
    "각",
    "\u{301}",
    "\u{1}t1",
    "\u{1}krequest",
    "a",
    "aa",
    "ab",
    "aaa",
    "aba",
    "b",
    "ba",
    "abc",
    "ǅ",
    "Σ",
    "ς",
    "σ",
    "\u{fe0f}",
    "☺",
    "\u{345}",
];

#[derive(Clone, Debug)]
pub struct Draft {
    /// Which of the tasks that there are, counted round.
    task: usize,
    user: bool,
    member: Option<&'static str>,
    kind: &'static str,
    progress: Option<&'static str>,
    tool: Option<&'static str>,
    body: String,
    names: Vec<String>,
    second: i64,
}

#[derive(Clone, Debug)]
pub enum Op {
    Write(Vec<Draft>),
    /// Says a comment anew, with its key.
    Change(Index, Draft),
    Kind(Index, &'static str, Option<&'static str>),
    Withdraw(Index),
    ForgetComment(Index),
    ForgetTask(Index),
    /// From a character of a comment on, so many.
    ForgetPassage(Index, Index, usize),
    /// Has a new generation begun.
    Rebuild,
    Maintain,
}

impl Draft {
    /// A result of the `nth` task, a person's every third time.
    pub fn plain(nth: usize, second: i64, body: String) -> Draft {
        Draft {
            task: nth,
            user: nth.is_multiple_of(3),
            member: None,
            kind: "result",
            progress: None,
            tool: None,
            body,
            names: Vec::new(),
            second,
        }
    }
}

pub fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        12 => select(WORDS).prop_map(str::to_owned),
        2 => "[a-c ]{1,5}",
        1 => "[ぁ-ん漢字計算]{1,4}",
        1 => any::<char>().prop_map(String::from),
    ];
    vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

fn draft() -> impl Strategy<Value = Draft> {
    let who = (any::<bool>(), option::of(select(&MEMBERS[..])));
    let what =
        (select(&KINDS[..]), option::of(select(&PROGRESS[..])), option::of(select(&["WebFetch", "Bash", "ﾂｰﾙ"][..])));
    let names = vec(text(), 0..2);
    (0..60_usize, who, what, text(), names, 0..14_i64).prop_map(
        |(task, (user, member), (kind, progress, tool), body, names, second)| Draft {
            task,
            user,
            member,
            kind,
            progress,
            tool,
            body,
            names,
            second,
        },
    )
}

pub fn ops() -> impl Strategy<Value = Vec<Op>> {
    let op = prop_oneof![
        6 => vec(draft(), 1..14).prop_map(Op::Write),
        4 => (any::<Index>(), draft()).prop_map(|(at, draft)| Op::Change(at, draft)),
        2 => (any::<Index>(), select(&KINDS[..]), option::of(select(&PROGRESS[..]))).prop_map(|(at, kind, progress)| Op::Kind(at, kind, progress)),
        1 => any::<Index>().prop_map(Op::Withdraw),
        1 => any::<Index>().prop_map(Op::ForgetComment),
        1 => any::<Index>().prop_map(Op::ForgetTask),
        2 => (any::<Index>(), any::<Index>(), 1..5_usize).prop_map(|(at, from, length)| Op::ForgetPassage(at, from, length)),
        2 => Just(Op::Rebuild),
        2 => Just(Op::Maintain),
    ];
    (vec(draft(), 1..20), vec(op, 0..10))
        .prop_map(|(first, then)| std::iter::once(Op::Write(first)).chain(then).collect())
}

/// A task as it is known beside the space.
#[derive(Clone, Debug)]
pub struct Task {
    pub id: TaskId,
    parent: Option<TaskId>,
    pub state: TaskState,
}

/// A comment as it is known beside the space.
#[derive(Clone, Debug)]
pub struct Said {
    pub id: CommentId,
    pub task: TaskId,
    pub new: NewComment,
    pub withdrawn: bool,
}

/// A space, and what must be in it.
pub struct Corpus {
    pub workspace: Workspace,
    pub tasks: Vec<Task>,
    pub comments: Vec<Said>,
    keys: u64,
    _dir: TempDir,
}

struct Fixed;

impl Clock for Fixed {
    fn now(&self) -> Time {
        NOW
    }
}

/// A moment of the corpus.
pub fn at(second: i64) -> Time {
    Time(BEGIN + second * 1000)
}

pub fn call(task: Option<TaskId>) -> Call {
    Call { caller: Caller { task, ..Caller::member("m1") }, ..Call::default() }
}

fn new_task(
    source: Option<usize>,
    state: Option<TaskState>,
    ending: Option<Ending>,
    parent: Option<TaskId>,
) -> NewTask {
    NewTask {
        uid: None,
        id: None,
        source: source.map(|nth| ("test".to_owned(), format!("session-{nth}"))),
        title: String::new(),
        piece: String::new(),
        state,
        ending,
        folder: None,
        owner: None,
        parent,
        created: at(0),
        updated: at(0),
    }
}

impl Corpus {
    /// An empty space with seven tasks, one in each state and one below another.
    pub fn new() -> Corpus {
        // Whether it survives a power cut is not asked here: in memory, where there is such a place.
        let dir = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
        let new = NewSpace { name: "oracle".into(), owner: "m1".into(), owner_name: "One".into() };
        let workspace = Workspace::create(&dir.path().join("space.db"), &new, Arc::new(Fixed)).unwrap();
        let mut corpus = Corpus { workspace, tasks: Vec::new(), comments: Vec::new(), keys: 0, _dir: dir };
        let states = [
            (Some(TaskState::Queued), None, TaskState::Queued),
            (Some(TaskState::Running), Some(Ending::TurnEnded), TaskState::Running),
            (None, Some(Ending::Asked), TaskState::Waiting),
            (None, None, TaskState::Completed),
            (None, Some(Ending::Error), TaskState::Failed),
            (None, Some(Ending::MidTurn), TaskState::Interrupted),
            (None, Some(Ending::TurnEnded), TaskState::Completed),
        ];
        for (nth, (state, ending, follows)) in states.into_iter().enumerate() {
            let parent = (nth == 6).then(|| corpus.tasks[0].id);
            let new = new_task((nth % 2 == 0).then_some(nth), state, ending, parent);
            let id = write(corpus.workspace.space(), |record| record.put_task(&new)).unwrap().id();
            corpus.tasks.push(Task { id, parent, state: follows });
        }
        corpus
    }

    /// Adds so many tasks in one state.
    pub fn add_tasks(&mut self, count: usize, state: TaskState) {
        let new = new_task(None, Some(state), None, None);
        let put = |record: &mut Record<'_, '_>| (0..count).map(|_| record.put_task(&new).map(Put::id)).collect();
        let ids: Vec<TaskId> = write(self.workspace.space(), put).unwrap();
        self.tasks.extend(ids.into_iter().map(|id| Task { id, parent: None, state }));
    }

    pub fn run(&mut self, op: &Op) {
        match op {
            Op::Write(drafts) => self.write(drafts),
            Op::Change(which, draft) => {
                if let Some(at) = self.pick(*which) {
                    self.change(at, draft.clone());
                }
            }
            Op::Kind(which, kind, progress) => {
                // What is gone from its source is not spoken of by it again.
                let Some(at) = self.pick(*which).filter(|at| !self.comments[*at].withdrawn) else {
                    return;
                };
                let said = &mut self.comments[at];
                (said.new.kind, said.new.progress) = (Kind::from(*kind), progress.map(ProgressType::from));
                write(self.workspace.space(), |record| {
                    record.put_kind(said.task, &said.new.key, &said.new.kind, said.new.progress.as_ref())
                })
                .unwrap();
            }
            Op::Withdraw(which) => {
                if let Some(at) = self.pick(*which) {
                    self.withdraw(at);
                }
            }
            Op::ForgetComment(which) => {
                let Some(at) = self.pick(*which) else { return };
                let said = self.comments.remove(at);
                self.workspace.forget(&call(None), &Forget::Comment(said.id)).unwrap();
            }
            Op::ForgetTask(which) => {
                if self.tasks.len() < 3 {
                    return;
                }
                let gone = which.get(&self.tasks).id;
                self.workspace.forget(&call(None), &Forget::Task(gone)).unwrap();
                let below =
                    |task: TaskId| task == gone || self.tasks.iter().any(|it| it.id == task && it.parent == Some(gone));
                self.comments.retain(|said| !below(said.task));
                self.tasks.retain(|task| task.id != gone && task.parent != Some(gone));
            }
            Op::ForgetPassage(which, from, length) => self.forget_passage(*which, *from, *length),
            Op::Rebuild => self.workspace.conversations().rebuild_index().unwrap(),
            Op::Maintain => self.workspace.maintain(&Cancel::new(), |_, _| {}).unwrap(),
        }
    }

    /// Says the comment at this place of the list anew, with its key.
    pub fn change(&mut self, at: usize, draft: Draft) {
        let said = &mut self.comments[at];
        said.new = comment(&draft, said.new.key.clone());
        said.withdrawn = false;
        write(self.workspace.space(), |record| record.put_comment(said.task, &said.new)).unwrap();
    }

    pub fn withdraw(&mut self, at: usize) {
        let said = &mut self.comments[at];
        said.withdrawn = true;
        write(self.workspace.space(), |record| record.withdraw(said.task, said.id)).unwrap();
    }

    fn write(&mut self, drafts: &[Draft]) {
        let (tasks, keys) = (&self.tasks, &mut self.keys);
        let made: Vec<Said> = write(self.workspace.space(), |record| {
            drafts
                .iter()
                .map(|draft| {
                    let task = tasks[draft.task % tasks.len()].id;
                    *keys += 1;
                    let new = comment(draft, format!("key-{keys}"));
                    let id = record.put_comment(task, &new)?.id();
                    Ok(Said { id, task, new, withdrawn: false })
                })
                .collect()
        })
        .unwrap();
        self.comments.extend(made);
    }

    fn forget_passage(&mut self, which: Index, from: Index, length: usize) {
        let Some(at) = self.pick(which) else { return };
        let said = &mut self.comments[at];
        let Some(passage) = cut(&said.new.body, from, length) else { return };
        let what = Forget::Passage(said.id, passage.clone());
        // NUL at its beginning is no part of a passage.
        let passage = passage.trim_start_matches('\0');
        match self.workspace.forget(&call(None), &what) {
            Ok(_) => said.new.body = said.new.body.replace(passage, "[forgotten]"),
            Err(error) => {
                assert_eq!(error.code(), ErrorCode::InvalidInput, "{error}");
                assert!(passage.trim().is_empty(), "{error}");
            }
        }
    }

    fn pick(&self, which: Index) -> Option<usize> {
        (!self.comments.is_empty()).then(|| which.index(self.comments.len()))
    }
}

fn comment(draft: &Draft, key: String) -> NewComment {
    let attachments = draft.names.iter().map(|name| Attachment { name: name.clone(), ..Attachment::default() });
    NewComment {
        key,
        author: if draft.user { Author::User } else { Author::Agent },
        member: draft.member.map(str::to_owned),
        kind: Kind::from(draft.kind),
        progress: draft.progress.map(ProgressType::from),
        tool: draft.tool.map(str::to_owned),
        input: None,
        output: None,
        movement: None,
        body: draft.body.clone(),
        created: at(draft.second),
        attachments: attachments.collect(),
    }
}

/// So many characters of a text from one of them on.
pub fn cut(text: &str, from: Index, length: usize) -> Option<String> {
    let count = text.chars().count();
    (count > 0).then(|| text.chars().skip(from.index(count)).take(length).collect())
}
