//! Who a connection is: its member, its current task, its thread. An agent's set-up is static while threads and tasks
//! are not, so two of them can be found out by the connection itself (`auto`).

use crate::growing;
use kiroku_api::Workspace;
use kiroku_api::lists::{AGENT, Door, ThreadKey};
use kiroku_api::tools::{ToolContext, thread_of};
use kiroku_model::{Call, Caller, Cancel, Lang, Result, TaskId, new_uid};
use std::path::PathBuf;

/// Who a connection is, as the command line says it. By itself it is nobody, with no task and no memory.
#[derive(Clone, Debug, Default)]
pub struct ServeOptions {
    /// The member that calls; `None` or an id that is no member's: a stranger.
    pub member: Option<String>,
    /// The language of descriptions, messages and texts.
    pub lang: Lang,
    /// The caller's current task.
    pub task: TaskChoice,
    /// The thread whose task list the caller keeps.
    pub thread: ThreadChoice,
    /// The agent or person that the thread belongs to.
    pub resource: Option<String>,
    /// Whether the caller runs as a subtask.
    pub subtask: bool,
}

/// The current task of a connection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum TaskChoice {
    /// None.
    #[default]
    None,
    /// This one.
    This(TaskId),
    /// The one session that is growing in this folder now, looked up at each call; none where there is not exactly one.
    Growing(PathBuf),
}

/// The thread of a connection.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ThreadChoice {
    /// None of its own: its current task's, if it has one.
    #[default]
    None,
    /// The one with this id; without a resource it is no memory.
    This(String),
    /// A new one for each connection, which belongs to the resource that is given, else to the member, else to `agent`.
    New,
}

/// A connection's identity, settled when it begins.
pub(crate) struct Identity {
    caller: Caller,
    lang: Lang,
    growing: Option<PathBuf>,
    thread: Option<String>,
    resource: Option<String>,
}

impl Identity {
    /// Settles who a connection is; a thread or resource that can't be one is an error.
    pub(crate) fn new(options: ServeOptions) -> Result<Identity> {
        let ServeOptions { member, lang, task, thread, resource, subtask } = options;
        let (task, growing) = match task {
            TaskChoice::None => (None, None),
            TaskChoice::This(task) => (Some(task), None),
            TaskChoice::Growing(folder) => (None, Some(folder)),
        };
        let (thread, resource) = match thread {
            ThreadChoice::None => (None, resource),
            ThreadChoice::This(thread) => (Some(thread), resource),
            ThreadChoice::New => {
                let resource = resource.or_else(|| member.clone()).unwrap_or_else(|| AGENT.to_owned());
                (Some(new_uid()), Some(resource))
            }
        };
        let caller = Caller { member, task, subtask };
        thread_of(thread.as_deref(), resource.as_deref(), &caller)?;
        Ok(Identity { caller, lang, growing, thread, resource })
    }

    /// The language of what it is told.
    pub(crate) fn lang(&self) -> Lang {
        self.lang
    }

    /// From where a call of this connection comes, now.
    pub(crate) fn context(&self, workspace: &Workspace, cancel: &Cancel) -> Result<ToolContext> {
        let mut caller = self.caller.clone();
        if let Some(folder) = &self.growing {
            caller.task = growing::session_in(workspace, folder, cancel)?;
        }
        let thread = thread_of(self.thread.as_deref(), self.resource.as_deref(), &caller)?;
        let call = Call { caller, lang: self.lang, cancel: cancel.clone() };
        Ok(ToolContext { call, thread, door: Door::Mcp })
    }
}

/// Whether the caller is a member of the space: what memory and other threads' lists are shown to.
pub(crate) fn is_member(workspace: &Workspace, caller: &Caller) -> Result<bool> {
    let Some(id) = &caller.member else { return Ok(false) };
    Ok(workspace.members()?.iter().any(|member| member.id == *id))
}

/// Whether the caller may see this thread's list: its own, or any if it is a member that does not run as a subtask.
pub(crate) fn may_see_thread(workspace: &Workspace, context: &ToolContext, thread: &str) -> Result<bool> {
    let own = context.thread.as_ref().map(ThreadKey::thread) == Some(thread);
    Ok(own || (!context.call.caller.subtask && is_member(workspace, &context.call.caller)?))
}
