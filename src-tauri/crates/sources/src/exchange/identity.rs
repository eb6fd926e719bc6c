//! What each row of the exchange format is identified by, so that importing a file twice adds nothing.

use super::rows::{Comment, History, Note, Pin, Task};
use kiroku_model::{NewComment, ToolData, derived_uid};
use serde::Serialize;

/// What a row says, as the key of a derived uid. JSON, so that it does not depend on this program's own types.
fn content(what: &str, said: &impl Serialize) -> String {
    let said = serde_json::to_string(said).unwrap_or_default(); // plain values: there is nothing that can fail
    format!("{what}:{said}")
}

impl Task {
    /// Its uid, or the one derived from its source and key, else from `space` (the file's space) and its number.
    pub fn identity(&self, space: &str) -> String {
        match (&self.uid, &self.source, &self.key) {
            (Some(uid), ..) => uid.clone(),
            (None, Some(source), Some(key)) => derived_uid(source, key),
            _ => derived_uid(space, &self.id.to_string()),
        }
    }
}

impl Comment {
    /// Its uid, or the one derived from its key, else its number, else what it says; `task` is its task's identity.
    pub fn identity(&self, task: &str) -> String {
        match (&self.uid, &self.key, self.id) {
            (Some(uid), ..) => uid.clone(),
            (None, Some(key), _) => derived_uid(task, &format!("key:{key}")),
            (None, None, Some(id)) => derived_uid(task, &id.to_string()),
            (None, None, None) => {
                let said = (self.created, self.author, &self.kind, &self.progress, &self.tool, &self.input, &self.body);
                derived_uid(task, &content("said", &said))
            }
        }
    }

    /// The comment as engine 1 writes it, under `key`; a too long input or output is cut, and the cut told.
    pub fn into_new(self, key: String) -> NewComment {
        let data = |text: Option<String>, whole: Option<u64>| {
            text.map(ToolData::new)
                .map(|data| ToolData { whole_bytes: data.whole_bytes.max(whole.unwrap_or(0)), ..data })
        };
        NewComment {
            key,
            author: self.author,
            member: self.member,
            kind: self.kind,
            progress: self.progress,
            tool: self.tool,
            input: data(self.input, self.input_bytes),
            output: data(self.output, self.output_bytes),
            movement: self.movement,
            body: self.body,
            created: self.created,
            attachments: self.attachments,
        }
    }
}

impl Pin {
    /// Its uid, or the one derived from its list and text (equal texts stand once in a list); `task` is its task's
    /// identity.
    pub fn identity(&self, task: &str) -> String {
        let (list, text) = (self.list.as_str(), &self.text);
        self.uid.clone().unwrap_or_else(|| derived_uid(task, &format!("pin:{list}:{text}")))
    }
}

impl History {
    /// Its uid, or the one derived from when it was, who did it and what came of it; `thread` is the identity of its
    /// thread's task, or the thread's own id.
    pub fn identity(&self, thread: &str) -> String {
        let what = (self.at, &self.by, &self.before, &self.after);
        self.uid.clone().unwrap_or_else(|| derived_uid(thread, &content("history", &what)))
    }
}

impl Note {
    /// Its uid, or the one derived from its item, text, author and time; `thread` as in [`History::identity`].
    pub fn identity(&self, thread: &str) -> String {
        let what = (&self.item, &self.text, &self.by, self.at);
        self.uid.clone().unwrap_or_else(|| derived_uid(thread, &content("note", &what)))
    }
}
