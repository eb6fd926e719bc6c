//! The record that events make, as an importer would write it: the same key is the same comment.

// Each test binary uses its own part of it.
#![allow(dead_code)]

use kiroku_model::{Kind, NewComment};
use kiroku_sources::{Cursor, Event, SessionFile, Skipped, Source, TaskEvent, claude_code::ClaudeCode};
use std::collections::BTreeMap;
use std::path::Path;

#[derive(Debug, Default, PartialEq)]
pub struct Record {
    pub tasks: BTreeMap<String, (TaskEvent, Vec<NewComment>)>,
    pub lists: BTreeMap<String, String>,
    pub skipped: Vec<Skipped>,
    pub unknown: u64,
    pub mended: u64,
}

impl Record {
    /// Takes one event; a comment without its task, or news of a comment that was not told, fails the test.
    pub fn apply(&mut self, event: Event) {
        match event {
            Event::Task(task) => match self.tasks.get_mut(&task.key) {
                Some((known, _)) => *known = task,
                None => {
                    self.tasks.insert(task.key.clone(), (task, Vec::new()));
                }
            },
            Event::Comment { task, comment } => {
                let comments = &mut self.tasks.get_mut(&task).expect("its task comes first").1;
                match comments.iter_mut().find(|known| known.key == comment.key) {
                    Some(known) => *known = *comment,
                    None => comments.push(*comment),
                }
            }
            Event::Output { task, comment, output } => self.comment(&task, &comment).output = Some(output),
            Event::Kind { task, comment, kind, progress } => {
                let comment = self.comment(&task, &comment);
                (comment.kind, comment.progress) = (kind, progress);
            }
            Event::List { task, call, .. } => {
                self.lists.insert(task, call);
            }
            Event::Skipped(skipped) => self.skipped.push(skipped),
        }
    }

    fn comment(&mut self, task: &str, key: &str) -> &mut NewComment {
        let comments = &mut self.tasks.get_mut(task).expect("a known task").1;
        comments.iter_mut().find(|comment| comment.key == key).expect("a known comment")
    }

    /// The record as lines: `# key | title | parent | folder | ending`, then `author/kind body` with what belongs to it.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let one_line = |text: &str| text.replace('\n', "⏎");
        for (task, comments) in self.tasks.values() {
            lines.push(format!(
                "# {} | {} | {} | {} | {}",
                task.key,
                task.title,
                task.parent.as_deref().unwrap_or("-"),
                task.folder.as_ref().map_or("-".to_owned(), |folder| folder.display().to_string()),
                task.ending.as_str()
            ));
            for comment in comments {
                let kind = match (&comment.kind, &comment.progress) {
                    (Kind::Progress, Some(progress)) => progress.as_str(),
                    (kind, _) => kind.as_str(),
                };
                let mut line = format!("{}/{kind}", comment.author.as_str());
                if let Some(tool) = &comment.tool {
                    line += &format!(" [{tool}]");
                }
                if !comment.body.is_empty() {
                    line += &format!(" {}", one_line(&comment.body));
                }
                if let Some(input) = &comment.input {
                    line += &format!(" < {}", one_line(&input.text));
                }
                if let Some(output) = &comment.output {
                    line += &format!(" > {}", one_line(&output.text));
                }
                for file in &comment.attachments {
                    let bytes = file.bytes.map_or("?".to_owned(), |bytes| bytes.to_string());
                    line += &format!(" + {} {} {bytes}", file.name, file.media_type.as_deref().unwrap_or("?"));
                }
                lines.push(line);
            }
        }
        lines
    }
}

/// The session file at `path`.
pub fn session(path: &Path) -> SessionFile {
    SessionFile { path: path.to_owned(), folder: None, bytes: std::fs::metadata(path).unwrap().len() }
}

/// Reads at most `most` lines of `path` from `from` into `record`; the cursor goes through JSON, as the space keeps it.
pub fn read_some(path: &Path, from: Option<&Cursor>, most: usize, record: &mut Record) -> Cursor {
    read_some_of(&ClaudeCode, path, from, most, record)
}

/// [`read_some`] of another format.
pub fn read_some_of(
    source: &dyn Source,
    path: &Path,
    from: Option<&Cursor>,
    most: usize,
    record: &mut Record,
) -> Cursor {
    let mut reader = source.open(&session(path), from).unwrap();
    let mut events = Vec::new();
    for _ in 0..most {
        if !reader.next(&mut events).unwrap() {
            break;
        }
        events.drain(..).for_each(|event| record.apply(event));
    }
    assert!(events.is_empty());
    record.unknown += reader.unknown_lines();
    record.mended += reader.mended_times();
    serde_json::from_str(&serde_json::to_string(&reader.cursor()).unwrap()).unwrap()
}

/// Reads all of `path`.
pub fn read(path: &Path) -> Record {
    let mut record = Record::default();
    read_some(path, None, usize::MAX, &mut record);
    record
}
