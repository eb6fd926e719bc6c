//! Engine 1: the conversations of a space's tasks. It writes them with their index text, searches them, and drills down.
//!
//! The contract is the workspace-search tool's; [`types`] are its typed results and [`agent_text`] its text layout.
//! Where things are: [`mod@text`] turns a comment into what is searched (redacted, folded) and shown; `index` keeps that in
//! FTS5; `query` searches; [`record`] writes; [`Forget`] says what is removed for good.

pub mod agent_text;
mod conversation;
pub mod dump;
mod forget;
mod index;
mod mission;
mod query;
pub mod record;
pub mod scope;
mod sessions;
mod tasks;
pub mod text;
pub mod types;

pub use conversation::{FoundInTask, ToolCall};
pub use forget::{EXCHANGE, Forget, Forgotten, TITLE as TITLE_TOMBSTONE};
pub use index::rebuild::Step;
pub use mission::{NewPin, update_mission};
pub use sessions::{SessionPart, SessionPlace};
pub use tasks::{TaskDetails, TaskPage, TaskQuery, TaskRow, TaskSort};

use kiroku_model::{Call, CommentId, Result, TaskId};
use kiroku_store::{DbResult, SpaceFile};
use rusqlite::Connection;
use std::sync::Arc;
use types::{
    Answer, Around, AtLeast, ConversationPage, Hit, MatchMode, Mission, OpenOrClosed, Order, Outline, SearchQuery,
    SearchResults, TaskList,
};

/// Makes the engine's tokenizer known to a connection: [`kiroku_store::Setup::on_connect`]. A SQLite without FTS5 is
/// no failure here: the space opens, and only searching is unavailable.
pub fn on_connect(conn: &Connection) -> rusqlite::Result<()> {
    let has_fts5: bool =
        conn.query_row("SELECT EXISTS (SELECT 1 FROM pragma_module_list WHERE name = 'fts5')", [], |row| row.get(0))?;
    if has_fts5 { index::tokenizer::register(conn) } else { Ok(()) }
}

/// The engine over one open space. Every method may be called from any thread.
#[derive(Clone)]
pub struct Conversations {
    space: Arc<SpaceFile>,
    searchable: bool,
}

impl Conversations {
    /// The engine over a space; makes its index tables if there are none.
    pub fn open(space: Arc<SpaceFile>) -> Result<Conversations> {
        let searchable = space.read(&kiroku_model::Cancel::new(), |conn| {
            conn.query_row("SELECT EXISTS (SELECT 1 FROM pragma_module_list WHERE name = 'fts5')", [], |row| row.get(0))
                .or_sql()
        })?;
        let conversations = Conversations { space, searchable };
        if searchable && !conversations.has_index()? {
            conversations.space.write(index::ensure)?;
        }
        Ok(conversations)
    }

    fn has_index(&self) -> Result<bool> {
        self.space.read(&kiroku_model::Cancel::new(), |conn| {
            let table: bool = conn
                .query_row("SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'index_lease')", [], |row| {
                    row.get(0)
                })
                .or_sql()?;
            Ok(table && index::generations(conn)?.iter().any(|generation| generation.live))
        })
    }

    /// How much the space holds.
    pub fn counts(&self) -> Result<Counts> {
        self.space.read(&kiroku_model::Cancel::new(), |conn| {
            conn.query_row(
                "SELECT (SELECT count(*) FROM task), (SELECT count(*) FROM comment), (SELECT count(*) FROM pin)",
                [],
                |row| Ok(Counts { tasks: row.get(0)?, comments: row.get(1)?, pins: row.get(2)? }),
            )
            .or_sql()
        })
    }

    /// The space.
    pub fn space(&self) -> &Arc<SpaceFile> {
        &self.space
    }

    /// Reads for a caller that may see the space.
    fn for_member<T>(&self, call: &Call, read: impl FnOnce(&Connection) -> Result<T>) -> Result<Answer<T>> {
        self.space.read(&call.cancel, |conn| {
            if !scope::may_see_space(conn, &call.caller)? {
                return Ok(Answer::not_in_this_context(call.lang));
            }
            read(conn).map(Answer::of)
        })
    }

    /// Reads for a caller that has a task of its own.
    fn for_own_task<T>(&self, call: &Call, read: impl FnOnce(&Connection, TaskId) -> Result<T>) -> Result<Answer<T>> {
        self.space.read(&call.cancel, |conn| match scope::own_task(conn, &call.caller)? {
            Some(task) => read(conn, task).map(Answer::of),
            None => Ok(Answer::not_in_this_context(call.lang)),
        })
    }

    /// SearchWorkspaceTasks by `query`: over all tasks but the caller's current one.
    pub fn search(&self, call: &Call, query: &SearchQuery) -> Result<Answer<SearchResults>> {
        self.space.read(&call.cancel, |conn| {
            if !scope::may_see_space(conn, &call.caller)? {
                return Ok(Answer::not_in_this_context(call.lang));
            }
            if !self.searchable {
                return Ok(Answer::no_search(call.lang));
            }
            query::search(conn, query, call.caller.task, self.space.now(), &call.cancel).map(Answer::of)
        })
    }

    /// SearchWorkspaceTasks by `around_ref`: the raw conversation around a comment of another task.
    pub fn around(&self, call: &Call, comment: CommentId, context: usize) -> Result<Answer<Around>> {
        self.for_member(call, |conn| conversation::around(conn, comment, context, None, call.caller.task))
    }

    /// ListWorkspaceTasks: the tasks but the caller's current one, newest update first.
    pub fn list(&self, call: &Call, which: Option<OpenOrClosed>, limit: usize) -> Result<Answer<TaskList>> {
        self.for_member(call, |conn| tasks::list(conn, which, limit, call.caller.task, self.space.now()))
    }

    /// A page of the tasks, by title, state and place in the tree of subtasks, for a member.
    pub fn tasks(&self, call: &Call, query: &TaskQuery) -> Result<Answer<TaskPage>> {
        self.for_member(call, |conn| tasks::page(conn, query, self.space.now(), &call.cancel))
    }

    /// A task with what is known of it, for a member.
    pub fn task(&self, call: &Call, task: TaskId) -> Result<Answer<TaskDetails>> {
        self.for_member(call, |conn| tasks::details(conn, task, self.space.now()))
    }

    /// A page of any task's conversation, for a member.
    pub fn conversation(
        &self,
        call: &Call,
        task: TaskId,
        offset: u64,
        limit: usize,
    ) -> Result<Answer<ConversationPage>> {
        self.for_member(call, |conn| conversation::page(conn, task, offset, limit))
    }

    /// What was asked in any task's conversation and what came of it, for a member.
    pub fn outline(&self, call: &Call, task: TaskId) -> Result<Answer<Outline>> {
        self.for_member(call, |conn| conversation::outline(conn, task, &call.cancel))
    }

    /// Where words stand in any task's conversation, for a member.
    pub fn find(&self, call: &Call, task: TaskId, words: &str) -> Result<Answer<FoundInTask>> {
        self.for_member(call, |conn| conversation::find(conn, task, words, &call.cancel))
    }

    /// The part of a session (by the source's own id, else the task's uid) from one `seq` to another, its first `limit`
    /// comments, for a member; `None` if the space does not hold the session.
    pub fn session_part(
        &self,
        call: &Call,
        session: &str,
        range: [i64; 2],
        limit: usize,
    ) -> Result<Answer<Option<SessionPart>>> {
        self.for_member(call, |conn| sessions::part(conn, session, range, limit))
    }

    /// Where comments stand in their sessions, for a member.
    pub fn session_places(&self, call: &Call, comments: &[CommentId]) -> Result<Answer<Vec<SessionPlace>>> {
        self.for_member(call, |conn| comments.iter().map(|comment| sessions::place(conn, *comment)).collect())
    }

    /// What a tool call was given and gave back, for a member.
    pub fn tool_call(&self, call: &Call, comment: CommentId) -> Result<Answer<ToolCall>> {
        self.for_member(call, |conn| {
            conversation::place_of(conn, comment)?;
            conversation::tool_call(conn, comment)
        })
    }

    /// SearchTaskConversation by `query`: a scan over everything in the caller's own task. Newest first.
    pub fn search_own(
        &self,
        call: &Call,
        query: &str,
        mode: MatchMode,
        limit: usize,
        context: usize,
    ) -> Result<Answer<SearchResults>> {
        self.space.read(&call.cancel, |conn| {
            let Some(task) = scope::own_task(conn, &call.caller)? else {
                return Ok(Answer::not_in_this_context(call.lang));
            };
            let terms = text::terms(query)?;
            let folded: Vec<&str> = terms.iter().map(|term| term.folded.as_str()).collect();
            let (found, total) = conversation::scan(conn, task, &folded, mode, limit, &call.cancel)?;
            let name = conversation::task_name(conn, task)?;
            let hits = found
                .into_iter()
                .map(|found| {
                    let excerpt = text::excerpt(&text::prepare(&found.text).shown, &folded, query::EXCERPT);
                    let around =
                        (context > 0).then(|| conversation::neighbours(conn, task, found.id, context)).transpose()?;
                    let (before, after) = around.unzip();
                    Ok(Hit {
                        reference: found.id.to_string(),
                        task: name.clone(),
                        author: found.author,
                        member: found.member,
                        kind: found.kind,
                        created: found.created,
                        excerpt: excerpt.text,
                        matches: excerpt.matches,
                        before,
                        after,
                    })
                })
                .collect::<Result<_>>()?;
            let total_is: Option<AtLeast> = None;
            Ok(Answer::of(SearchResults {
                total,
                total_is,
                order: Order::Newest,
                ranked_among: None,
                note: None,
                hits,
            }))
        })
    }

    /// SearchTaskConversation and ReadTaskConversation by `around_ref`: in the caller's own task.
    pub fn around_own(&self, call: &Call, comment: CommentId, context: usize) -> Result<Answer<Around>> {
        self.for_own_task(call, |conn, task| conversation::around(conn, comment, context, Some(task), None))
    }

    /// ReadTaskConversation: a page of the caller's own task.
    pub fn read_own(&self, call: &Call, offset: u64, limit: usize) -> Result<Answer<ConversationPage>> {
        self.for_own_task(call, |conn, task| conversation::page(conn, task, offset, limit))
    }

    /// MissionRead: the pins of the caller's own task.
    pub fn mission(&self, call: &Call) -> Result<Answer<Mission>> {
        self.for_own_task(call, mission::read)
    }

    /// MissionUpdate: pins and removes facts of the caller's own task, and answers all pins.
    pub fn update_mission(&self, call: &Call, add: &[NewPin], remove: &[i64]) -> Result<Answer<Mission>> {
        self.space.write(|tx| match scope::own_task(tx, &call.caller)? {
            Some(task) => {
                update_mission(tx, task, add, remove, call.caller.member.as_deref())?;
                mission::read(tx, task).map(Answer::of)
            }
            None => Ok(Answer::not_in_this_context(call.lang)),
        })
    }

    /// Removes a task, a comment or a passage for good, for a member.
    pub fn forget(&self, call: &Call, what: &Forget) -> Result<Answer<Forgotten>> {
        let allowed = self.space.read(&call.cancel, |conn| scope::may_see_space(conn, &call.caller))?;
        if !allowed {
            return Ok(Answer::not_in_this_context(call.lang));
        }
        forget::forget(&self.space, what).map(Answer::of)
    }

    /// Does one step (at most 50 ms of the writer) of what the index still needs: docs that are owed, a generation of
    /// newer rules, docs back in order. `holder` names this process: one process at a time does it.
    pub fn maintain(&self, holder: &str) -> Result<Step> {
        if !self.searchable {
            return Ok(Step::Done);
        }
        index::rebuild::step(&self.space, holder)
    }

    /// What is wrong with the index, one line a fault; nothing if it is whole.
    pub fn check_index(&self) -> Result<Vec<String>> {
        if !self.searchable {
            return Ok(Vec::new());
        }
        index::check::check(&self.space)
    }

    /// Has the index built anew, beside the one that answers; [`Conversations::maintain`] does the work.
    pub fn rebuild_index(&self) -> Result<()> {
        self.space.write(|tx| {
            index::ensure(tx)?;
            index::rebuild::start_anew(tx)
        })
    }
}

/// How much a space holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, specta::Type)]
pub struct Counts {
    /// Tasks.
    pub tasks: i64,
    /// Comments.
    pub comments: i64,
    /// Mission pins.
    pub pins: i64,
}
