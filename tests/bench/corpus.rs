//! The corpus: a record as a team's agents would leave it, made from a seed.
//!
//! Tasks run beside each other (some forty at a time) and are about 25 comments long; half of them are in Japanese.
//! A task begins with a request, then come thinking, tool calls, summaries, at times a question or an interjection,
//! and results. Comments follow each other in time, some in the same millisecond. In every twelfth task of the
//! oldest twentieth the comments are **late**: they are imported after all others, as old sessions of a second machine
//! are; few enough that the engine leaves them where they are and its answers have to put them in order.

use crate::random::Random;
use crate::words::Words;
use kiroku_model::{Attachment, Author, Kind, NewComment, ProgressType, TaskId, TaskState, Time, ToolData};
use kiroku_search::record::NewTask;

/// Average comments in a task.
pub const PER_TASK: usize = 25;
/// Tasks that run at the same time.
const AT_ONCE: usize = 40;
/// When the record begins.
const BEGIN: Time = Time(1_704_067_200_000);
/// The member whose comments are few.
pub const RARE_MEMBER: &str = "m5";

/// A comment of the corpus, with the number of its task.
pub struct Item {
    /// Its task: an index into [`Corpus::task`].
    pub task: usize,
    /// Whether it is imported late.
    pub late: bool,
    /// The comment.
    pub comment: NewComment,
}

/// Makes the corpus, a comment at a time, in the order of time.
pub struct Corpus<'w> {
    words: &'w Words,
    random: Random,
    comments: usize,
    made: usize,
    now: Time,
    running: Vec<Running>,
    tasks: usize,
    first_task: usize,
}

/// A task that is not at its end.
struct Running {
    task: usize,
    said: usize,
    left: usize,
    japanese: bool,
    late: bool,
}

impl<'w> Corpus<'w> {
    /// A corpus of so many comments.
    pub fn new(words: &'w Words, seed: u64, comments: usize) -> Corpus<'w> {
        Corpus {
            words,
            random: Random::new(seed ^ 0xc0_4b05),
            comments,
            made: 0,
            now: BEGIN,
            running: Vec::new(),
            tasks: 0,
            first_task: 0,
        }
    }

    /// The same with its tasks numbered from `first`, beginning after `time` (by itself where every corpus begins).
    pub fn later(self, first: usize, time: Option<Time>) -> Corpus<'w> {
        Corpus { tasks: first, first_task: first, now: time.unwrap_or(BEGIN), ..self }
    }

    /// The corpus in the order in which it is imported: what is late stands at the end.
    pub fn in_import_order(self) -> impl Iterator<Item = Item> {
        let mut corpus = self;
        let mut late = Vec::new();
        let mut rest: Option<std::vec::IntoIter<Item>> = None;
        std::iter::from_fn(move || {
            loop {
                if let Some(rest) = &mut rest {
                    return rest.next();
                }
                match corpus.next() {
                    Some(item) if item.late => late.push(item),
                    Some(item) => return Some(item),
                    None => rest = Some(std::mem::take(&mut late).into_iter()),
                }
            }
        })
    }

    /// The row of a task; a function of its number alone.
    pub fn task(task: usize, words: &Words, created: Time) -> NewTask {
        let mut random = Random::new(task as u64);
        let japanese = is_japanese(task);
        let title = if japanese { words.japanese(&mut random, 20) } else { words.english(&mut random, 40) };
        NewTask {
            uid: Some(kiroku_model::derived_uid("bench", &task.to_string())),
            id: Some(TaskId(task as i64 + 1)),
            source: None,
            title,
            piece: "default".to_owned(),
            state: Some(state(task)),
            ending: None,
            folder: None,
            owner: Some(member(task).to_owned()),
            parent: None,
            created,
            updated: created,
        }
    }

    fn begin_task(&mut self) -> Running {
        let task = self.tasks;
        self.tasks += 1;
        Running {
            task,
            said: 0,
            left: self.random.between(5, 2 * PER_TASK - 5),
            japanese: is_japanese(task),
            late: self.first_task == 0 && task % 12 == 7 && self.made < self.comments / 20,
        }
    }

    fn text(&mut self, japanese: bool) -> String {
        let characters = match self.random.below(10) {
            0..4 => self.random.between(30, 120),
            4..8 => self.random.between(150, 600),
            _ => self.random.between(700, 2_000),
        };
        if japanese {
            self.words.japanese(&mut self.random, characters)
        } else {
            self.words.english(&mut self.random, characters)
        }
    }

    fn comment(&mut self, task: usize, japanese: bool, first: bool, last: bool) -> NewComment {
        use Author::{Agent, User};
        let (author, kind, progress) = match self.random.below(100) {
            _ if first => (User, Kind::Request, None),
            _ if last => (Agent, Kind::Result, None),
            0..8 => (User, Kind::Request, None),
            8..11 => (User, Kind::Interjection, None),
            11..12 => (Agent, Kind::InterjectionAck, None),
            12..24 => (Agent, Kind::Result, None),
            24..26 => (Agent, Kind::Ask, None),
            26..50 => (Agent, Kind::Progress, Some(ProgressType::Thinking)),
            50..74 => (Agent, Kind::Progress, Some(ProgressType::Summary)),
            74..94 => (Agent, Kind::Progress, Some(ProgressType::Tool)),
            94..95 => (Agent, Kind::Handoff, None),
            _ => (Agent, Kind::Comment, None),
        };
        let is_tool = progress == Some(ProgressType::Tool);
        const TOOLS: [&str; 8] = ["Bash", "Read", "Edit", "Grep", "Write", "WebFetch", "TodoWrite", "Task"];
        let tool = is_tool.then(|| TOOLS[self.random.below(TOOLS.len())].to_owned());
        let data = |given: bool, corpus: &mut Self| {
            given.then(|| {
                let characters = corpus.random.between(20, 200);
                ToolData::new(corpus.words.english(&mut corpus.random, characters))
            })
        };
        let (input, output) = (data(is_tool, self), data(is_tool, self));
        let attachments = if author == User && self.random.chance(5) {
            let name = format!("{}.png", self.words.word(&mut self.random, japanese));
            vec![Attachment { name, ..Attachment::default() }]
        } else {
            Vec::new()
        };
        let body = if is_tool { String::new() } else { self.text(japanese) };
        NewComment {
            key: self.made.to_string(),
            author,
            member: (author == User).then(|| member(task).to_owned()),
            kind,
            progress,
            tool,
            input,
            output,
            movement: None,
            body,
            created: self.now,
            attachments,
        }
    }
}

impl Iterator for Corpus<'_> {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        if self.made == self.comments {
            return None;
        }
        while self.running.len() < AT_ONCE {
            let task = self.begin_task();
            self.running.push(task);
        }
        let at = self.random.below(self.running.len());
        // One in twenty in the same millisecond as the one before: ties are part of the order.
        let step = if self.random.chance(5) { 0 } else { self.random.between(1, 40_000) };
        self.now = self.now.plus(step as i64);
        let running = &mut self.running[at];
        let (task, japanese, late) = (running.task, running.japanese, running.late);
        let (first, last) = (running.said == 0, running.left == 1);
        running.said += 1;
        running.left -= 1;
        let comment = self.comment(task, japanese, first, last);
        if last {
            self.running.swap_remove(at);
        }
        self.made += 1;
        Some(Item { task, late, comment })
    }
}

fn is_japanese(task: usize) -> bool {
    task.is_multiple_of(2)
}

/// The state of a task: most are done, a few wait.
pub fn state(task: usize) -> TaskState {
    match task % 50 {
        3 => TaskState::Waiting,
        11 | 29 => TaskState::Failed,
        17 | 41 => TaskState::Interrupted,
        _ => TaskState::Completed,
    }
}

/// Whose task it is.
fn member(task: usize) -> &'static str {
    match task % 100 {
        0..60 => "m1",
        60..80 => "m2",
        80..90 => "m3",
        90..99 => "m4",
        _ => RARE_MEMBER,
    }
}
