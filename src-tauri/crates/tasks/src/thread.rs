//! Whose list it is, and who changes it through which door.

use kiroku_model::{Error, Result, TaskId, text};
use serde::{Deserialize, Serialize};

/// The longest id of a thread or resource, in bytes.
const LONGEST: usize = 1024;

/// A thread and the resource that it belongs to: what a task list needs. An agent's connection without either has no
/// memory, and the tools say so.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ThreadKey {
    thread: String,
    resource: String,
}

impl ThreadKey {
    /// A thread by its id, `task:12` for a task's conversation, and its resource: the agent or person that it belongs
    /// to. Either being empty or very long is an error. `task:012` is `task:12`.
    pub fn new(thread: &str, resource: &str) -> Result<ThreadKey> {
        for (name, id) in [("thread", thread), ("resource", resource)] {
            if id.trim().is_empty() || id.len() > LONGEST || id.contains('\0') {
                return Err(Error::invalid(text!(
                    en: "the {name} needs an id of 1 to {LONGEST} bytes",
                    ja: "{name} には 1 から {LONGEST} バイトの ID が必要です"
                )));
            }
        }
        let task = task_of(thread);
        let thread = task.map_or_else(|| thread.to_owned(), |task| task.to_string());
        Ok(ThreadKey { thread, resource: resource.to_owned() })
    }

    /// The thread of a task's conversation.
    pub fn of_task(task: TaskId, resource: &str) -> Result<ThreadKey> {
        ThreadKey::new(&task.to_string(), resource)
    }

    /// The thread's id.
    pub fn thread(&self) -> &str {
        &self.thread
    }

    /// The agent or person that it belongs to.
    pub fn resource(&self) -> &str {
        &self.resource
    }

    /// The task whose conversation it is, if it is one's.
    pub fn task(&self) -> Option<TaskId> {
        task_of(&self.thread)
    }
}

/// The task whose conversation a thread is: `task:12`, and no other form.
pub fn task_of(thread: &str) -> Option<TaskId> {
    // Parsed with its prefix, which is then taken off once and not twice.
    thread.strip_prefix("task:").and_then(|_| TaskId::parse(thread).ok())
}

/// The way a change came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Door {
    /// The desktop app.
    App,
    /// A tool, over MCP.
    Mcp,
    /// The command line.
    Cli,
    /// An agent's session file, or an exchange file.
    Import,
    /// A person brought an earlier list back.
    Restore,
}

impl Door {
    /// The word in the space file.
    pub fn as_str(self) -> &'static str {
        match self {
            Door::App => "app",
            Door::Mcp => "mcp",
            Door::Cli => "cli",
            Door::Import => "import",
            Door::Restore => "restore",
        }
    }
}

/// Who makes a change, and through which door.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Writer {
    /// A member's id, or `agent`.
    pub by: String,
    /// The way it came.
    pub door: Door,
}

impl Writer {
    /// A writer by id and door.
    pub fn new(by: impl Into<String>, door: Door) -> Writer {
        Writer { by: by.into(), door }
    }
}

/// Who writes where no member is known.
pub const AGENT: &str = "agent";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thread_has_one_name() {
        let key = ThreadKey::new("task:012", "m1").unwrap();
        assert_eq!((key.thread(), key.task()), ("task:12", Some(TaskId(12))));
        for other in ["12", "task:", "task:x", "task:task:12", "Task:12", "会話"] {
            let key = ThreadKey::new(other, "m1").unwrap();
            assert_eq!((key.thread(), key.task()), (other, None));
        }
        let long = "x".repeat(LONGEST + 1);
        for (thread, resource) in [("", "m1"), (" ", "m1"), ("t", ""), (long.as_str(), "m1"), ("a\0", "m1")] {
            assert!(ThreadKey::new(thread, resource).is_err());
        }
    }
}
