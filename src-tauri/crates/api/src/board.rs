//! The board: the lists of all threads with what engine 1 knows of the tasks whose conversations they are, and one
//! list as a person works on it. What a person does here is done through the app's door, in the member's name.

use crate::Workspace;
use kiroku_model::{Call, Error, ErrorCode, Result, TaskState, Time, text};
use kiroku_search::text::fold;
use kiroku_tasks::{
    AGENT, Door, Edit, FoundItem, Marks, Note, Projection, Side, ThreadGlance, ThreadKey, Writer, task_of,
};
use serde::Serialize;
use specta::Type;

/// The task whose conversation a thread is.
#[derive(Clone, Debug, PartialEq, Serialize, Type)]
pub struct ThreadTask {
    /// Its title.
    pub title: String,
    /// How it stands.
    pub state: TaskState,
    /// When something was last said in it, or it was changed.
    pub heard: Time,
}

/// A thread on the board.
#[derive(Clone, Debug, PartialEq, Serialize, Type)]
pub struct BoardThread {
    /// Its list.
    pub list: ThreadGlance,
    /// Its task, if it is one's conversation.
    pub task: Option<ThreadTask>,
}

/// A page of the board.
#[derive(Clone, Debug, PartialEq, Serialize, Type)]
pub struct BoardPage {
    /// The threads, the one whose list changed last first.
    pub threads: Vec<BoardThread>,
    /// All threads that have a list.
    pub total: u64,
}

/// One thread's list, with everything that stands beside it.
#[derive(Clone, Debug, PartialEq, Serialize, Type)]
pub struct ThreadList {
    /// The list.
    pub list: Projection,
    /// What people left beside it.
    pub marks: Marks,
    /// Its task, if it is one's conversation.
    pub task: Option<ThreadTask>,
}

/// An item that was looked for, with its thread's task.
#[derive(Clone, Debug, PartialEq, Serialize, Type)]
pub struct BoardItem {
    /// The item, and the thread whose list holds it.
    pub found: FoundItem,
    /// That thread's task, if it is one's conversation.
    pub task: Option<ThreadTask>,
}

impl Workspace {
    /// The threads that have a list, the one that changed last first: at most `limit` (and
    /// [`kiroku_tasks::MAX_THREADS`]) of them, leaving out the first `offset`.
    pub fn board(&self, call: &Call, offset: usize, limit: usize) -> Result<BoardPage> {
        let board = self.lists.board(call, offset, limit)?;
        let thread = |list: ThreadGlance| -> Result<BoardThread> {
            Ok(BoardThread { task: self.thread_task(call, &list.thread)?, list })
        };
        Ok(BoardPage { threads: board.threads.into_iter().map(thread).collect::<Result<_>>()?, total: board.total })
    }

    /// A thread's list. A task's that was never written is empty; a thread that is no task's and has no list is not
    /// there.
    pub fn thread_list(&self, call: &Call, thread: &str) -> Result<ThreadList> {
        let task = self.thread_task(call, thread)?;
        let list = self.lists.projection(call, thread)?;
        if list.version == 0 && task.is_none() {
            return Err(Error::not_found(text!(
                en: "{thread} has no task list in this space",
                ja: "このスペースに {thread} のタスクリストはありません"
            )));
        }
        Ok(ThreadList { marks: self.lists.marks(call, thread)?, list, task })
    }

    /// Makes a person's edits to a thread's list, all of them or none; see [`kiroku_tasks::TaskLists::edit`].
    pub fn edit_list(&self, call: &Call, thread: &str, base: u64, edits: &[Edit]) -> Result<Projection> {
        let key = self.key_of(call, thread)?;
        self.lists.edit(call, &key, base, edits, &Writer::new(member(call), Door::App))
    }

    /// Makes an earlier list of a thread its list again; see [`kiroku_tasks::TaskLists::restore`].
    pub fn restore_list(&self, call: &Call, thread: &str, base: u64, row: i64, side: Side) -> Result<Projection> {
        let key = self.key_of(call, thread)?;
        self.lists.restore(call, &key, base, row, side, member(call))
    }

    /// Leaves a note in the member's name on an item of a thread's list.
    pub fn add_list_note(&self, call: &Call, thread: &str, item: &str, note: &str) -> Result<Note> {
        self.lists.add_note(call, thread, item, note, member(call))
    }

    /// Ticks an item as reviewed in the member's name, or takes the tick away.
    pub fn set_item_reviewed(&self, call: &Call, thread: &str, item: &str, reviewed: bool) -> Result<()> {
        self.lists.set_reviewed(call, thread, item, reviewed, member(call))
    }

    /// The items that hold every one of these words, part of a word being enough: those of the list that changed last
    /// first, at most `limit`. No words find nothing.
    pub fn find_items(&self, call: &Call, words: &str, limit: usize) -> Result<Vec<BoardItem>> {
        let words: Vec<String> = words.split_whitespace().map(fold).filter(|word| !word.is_empty()).collect();
        if words.is_empty() {
            return Ok(Vec::new());
        }
        let holds = |text: &str| {
            let text = fold(text);
            words.iter().all(|word| text.contains(word))
        };
        let found = self.lists.find_items(call, limit, &holds)?;
        let with_task = |found: FoundItem| -> Result<BoardItem> {
            Ok(BoardItem { task: self.thread_task(call, &found.thread)?, found })
        };
        found.into_iter().map(with_task).collect()
    }

    /// What engine 1 says of the task whose conversation a thread is; nothing if it is none's, or none that is there.
    fn thread_task(&self, call: &Call, thread: &str) -> Result<Option<ThreadTask>> {
        let Some(task) = task_of(thread) else { return Ok(None) };
        let answer = match self.conversations.task(call, task) {
            Err(error) if error.code() == ErrorCode::NotFound => return Ok(None),
            answer => answer?,
        };
        let summary = answer.body.map(|details| details.summary);
        Ok(summary.map(|task| ThreadTask { title: task.title, state: task.state, heard: task.updated }))
    }

    /// A thread with the resource that its list belongs to; a list that is begun by hand belongs to the member.
    fn key_of(&self, call: &Call, thread: &str) -> Result<ThreadKey> {
        let resource = self.lists.projection(call, thread)?.resource;
        ThreadKey::new(thread, resource.as_deref().unwrap_or(member(call)))
    }
}

/// In whose name a person's change is made.
fn member(call: &Call) -> &str {
    call.caller.member.as_deref().unwrap_or(AGENT)
}
