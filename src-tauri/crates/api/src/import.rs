//! Importing: what readers of sessions give goes into the record, in small commits, each with the place in the file up to
//! which it was read. So an import can be stopped at any moment, by the person or by a power cut, and the next one goes
//! on where this one ended.

use crate::Workspace;
use kiroku_model::{Call, Cancel, Error, NewComment, Progress, ProgressSink, Result, TaskId};
use kiroku_search::TITLE_TOMBSTONE;
use kiroku_search::record::{NewTask, Put, Record, write};
use kiroku_sources::claude_code::ClaudeCode;
use kiroku_sources::codex::Codex;
use kiroku_sources::{Cursor, Event, SessionFile, Skipped, Source, TaskEvent};
use kiroku_store::{cursor, has_other_file, is_forgotten, owe_list, owed_lists, paid_list, set_cursor};
use kiroku_tasks::replay::{Extent, TOOLS};
use serde::Serialize;
use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

/// How long one commit may take; the next batch is made larger or smaller by how long the last one took.
const COMMIT: Duration = Duration::from_millis(40);
/// Events in the first batch, and in any at most.
const BATCH: usize = 128;
const LARGEST_BATCH: usize = 4096;
/// Bytes of text in a batch at most.
const BATCH_BYTES: usize = 4 << 20;
/// Lines and files that a report names at most; the rest is only counted.
const NAMED: usize = 200;

/// Every source that can be imported, by itself or by name. The one list of them.
pub fn sources() -> &'static [&'static dyn Source] {
    &[&ClaudeCode, &Codex]
}

/// The source with this name.
pub fn source_named(name: &str) -> Option<&'static dyn Source> {
    sources().iter().copied().find(|source| source.name() == name)
}

/// How an import is done.
#[derive(Clone, Debug)]
pub struct ImportOptions {
    /// The member whose sessions they are.
    pub owner: String,
}

/// What an import came to.
#[derive(Clone, Debug, Default, Serialize, specta::Type)]
pub struct ImportReport {
    /// Files that were read to their end.
    pub files: u64,
    /// Files in which nothing was new.
    pub unchanged: u64,
    /// Tasks that are new.
    pub tasks: u64,
    /// Comments that are new.
    pub comments: u64,
    /// Comments that are different now.
    pub changed: u64,
    /// Comments that are gone from their source.
    pub withdrawn: u64,
    /// Comments that were left out because another session of the same source holds them: forks and resumes.
    pub repeated: u64,
    /// Comments that were left out because they were forgotten.
    pub forgotten: u64,
    /// Lines of kinds that this program does not know, left out.
    pub unknown_lines: u64,
    /// Lines with a missing or absurd time, which got that of the line before.
    pub mended_times: u64,
    /// Lines and files that could not be read.
    pub skipped: u64,
    /// The first of those.
    pub skips: Vec<SkippedLine>,
    /// Whether it was taken back before the end; what was committed stays.
    pub cancelled: bool,
}

/// Something that could not be read.
#[derive(Clone, Debug, Serialize, specta::Type)]
pub struct SkippedLine {
    /// The file.
    pub path: String,
    /// The line, from 1, if it was one line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// Why.
    #[serde(serialize_with = "english")]
    pub why: kiroku_model::Text,
}

fn english<S: serde::Serializer>(text: &kiroku_model::Text, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&text.en)
}

impl ImportReport {
    /// Takes note of something that could not be read.
    pub fn skip(&mut self, skipped: &Skipped) {
        self.skipped += 1;
        if self.skips.len() < NAMED {
            self.skips.push(SkippedLine {
                path: skipped.path.display().to_string(),
                line: skipped.line,
                why: skipped.why.clone(),
            });
        }
    }
}

impl Workspace {
    /// Imports session files of one source, in the order given (oldest first is best). Files and lines that can't be
    /// read are passed over and reported; an error is one of the space's.
    pub fn import_sessions(
        &self,
        source: &dyn Source,
        files: &[SessionFile],
        options: &ImportOptions,
        cancel: &Cancel,
        progress: &dyn ProgressSink,
    ) -> Result<ImportReport> {
        let mut import = Import {
            workspace: self,
            source: source.name(),
            options,
            report: ImportReport::default(),
            batch: Batch::default(),
            batch_size: BATCH,
            tasks: HashMap::new(),
            orphans: Vec::new(),
            guarded: HashSet::new(),
        };
        let total: u64 = files.iter().map(|file| file.bytes).sum();
        let mut done = 0;
        for (nth, file) in files.iter().enumerate() {
            let mut report = |position, made| {
                progress.report(&Progress {
                    what: file.path.display().to_string(),
                    done: done + position,
                    total: Some(total),
                    made,
                });
            };
            if let Some(error) = import.file(source, nth, file, cancel, &mut report)? {
                let why = error.message().clone();
                import.report.skip(&Skipped { path: file.path.clone(), line: None, why });
            }
            done += file.bytes;
            if cancel.is_cancelled() {
                import.report.cancelled = true;
                break;
            }
        }
        import.flush()?;
        import.adopt_orphans()?;
        import.replay_lists(cancel)?;
        progress.report(&Progress { what: String::new(), done, total: Some(total), made: import.report.comments });
        Ok(import.report)
    }
}

struct Import<'w> {
    workspace: &'w Workspace,
    source: &'static str,
    options: &'w ImportOptions,
    report: ImportReport,
    batch: Batch,
    batch_size: usize,
    /// Tasks by their key; `None`: forgotten.
    tasks: HashMap<String, Option<TaskId>>,
    /// Subtasks whose parent was not there yet: (key, parent's key).
    orphans: Vec<(String, String)>,
    /// Files of which something was forgotten: they keep no cursor, since a reader's state may hold texts of the session.
    guarded: HashSet<usize>,
}

/// What was read and not written yet.
#[derive(Default)]
struct Batch {
    events: Vec<(usize, Event)>,
    bytes: usize,
    /// Where each comment of the batch stands in `events`, so that what is said of it later is said at once.
    comments: HashMap<(String, String), usize>,
    /// Likewise each task: a reader tells of it after nearly every line.
    tasks: HashMap<String, usize>,
    cursors: Vec<(usize, String, Cursor)>,
    rewritten: Vec<Rewritten>,
}

/// A file that was read anew to its end: the comments that its tasks have now, in order.
struct Rewritten {
    path: String,
    keys: HashMap<String, Vec<String>>,
}

impl Import<'_> {
    /// Reads one file. What is wrong with the file is the answer, and the others are imported; what is wrong with the
    /// space is the error, and ends the import.
    fn file(
        &mut self,
        source: &dyn Source,
        nth: usize,
        file: &SessionFile,
        cancel: &Cancel,
        progress: &mut dyn FnMut(u64, u64),
    ) -> Result<Option<Error>> {
        let path = file.path.display().to_string();
        let stored = self.workspace.space().read(&Cancel::new(), |conn| cursor(conn, self.source, &path))?;
        let from: Option<Cursor> = stored.and_then(|value| serde_json::from_str(&value).ok());
        let mut reader = match source.open(file, from.as_ref()) {
            Ok(reader) => reader,
            Err(error) => return Ok(Some(error)),
        };
        let mut keys: HashMap<String, Vec<String>> = HashMap::new();
        let mut events = Vec::new();
        loop {
            let more = reader.next(&mut events);
            let any = !events.is_empty();
            for event in events.drain(..) {
                if let Event::Comment { task, comment } = &event
                    && reader.restarted()
                {
                    keys.entry(task.clone()).or_default().push(comment.key.clone());
                }
                self.batch.push(nth, event, &mut self.report);
            }
            let ended = !matches!(more, Ok(true));
            let full =
                self.batch.events.len() >= self.batch_size || self.batch.bytes >= BATCH_BYTES || cancel.is_cancelled();
            // A file that was rewritten is read in one go or again: only at its end is it known what is gone from it.
            if (ended || full) && (ended || !reader.restarted()) {
                let at = reader.cursor();
                if from.as_ref() != Some(&at) {
                    self.batch.cursors.retain(|(known, ..)| *known != nth);
                    self.batch.cursors.push((nth, path.clone(), at));
                } else if !any {
                    self.report.unchanged += 1;
                }
            }
            if full {
                self.flush()?;
                progress(reader.position(), self.report.comments);
            }
            match more {
                Err(error) => return Ok(Some(error)),
                Ok(false) => break,
                Ok(true) if cancel.is_cancelled() => return Ok(None),
                Ok(true) => {}
            }
        }
        self.report.files += 1;
        self.report.unknown_lines += reader.unknown_lines();
        self.report.mended_times += reader.mended_times();
        if reader.restarted() {
            self.batch.rewritten.push(Rewritten { path, keys });
        }
        Ok(None)
    }

    /// Writes what was read, in one commit with the cursors up to which it was read.
    fn flush(&mut self) -> Result<()> {
        if self.batch.events.is_empty() && self.batch.cursors.is_empty() && self.batch.rewritten.is_empty() {
            return Ok(());
        }
        let batch = std::mem::take(&mut self.batch);
        let size = batch.events.len();
        let start = Instant::now();
        let space = std::sync::Arc::clone(self.workspace.space());
        write(&space, |record| self.write(record, batch))?;
        let took = start.elapsed();
        if took > COMMIT {
            self.batch_size = (self.batch_size / 2).max(16);
        } else if took < COMMIT / 2 && size >= self.batch_size {
            self.batch_size = (self.batch_size * 2).min(LARGEST_BATCH);
        }
        Ok(())
    }

    fn write(&mut self, record: &mut Record<'_, '_>, batch: Batch) -> Result<()> {
        for (file, event) in batch.events {
            self.write_event(record, file, event)?;
        }
        for rewritten in batch.rewritten {
            self.reconcile(record, rewritten)?;
        }
        for (file, path, cursor) in batch.cursors {
            if self.guarded.contains(&file) {
                continue;
            }
            let value = serde_json::to_string(&cursor).map_err(Error::internal)?;
            set_cursor(record.tx(), self.source, &path, &value)?;
        }
        Ok(())
    }

    fn write_event(&mut self, record: &mut Record<'_, '_>, file: usize, event: Event) -> Result<()> {
        match event {
            Event::Task(task) => self.write_task(record, file, &task),
            Event::Comment { task, comment } => match self.task(record, &task)? {
                Some(id) => self.write_comment(record, file, &task, id, *comment),
                None => {
                    self.report.forgotten += 1;
                    Ok(())
                }
            },
            Event::Output { task, comment, output } => {
                if let Some(id) = self.task(record, &task)?
                    && !self.is_forgotten(record, &task, &comment)?
                {
                    let changed = record.put_output(id, &comment, &output)?;
                    self.report.changed += u64::from(changed);
                    // What a list tool made may stand in its output, and this may be one.
                    if changed {
                        owe_list(record.tx(), id, false)?;
                    }
                }
                Ok(())
            }
            Event::Kind { task, comment, kind, progress } => {
                if let Some(id) = self.task(record, &task)?
                    && !self.is_forgotten(record, &task, &comment)?
                {
                    self.report.changed += u64::from(record.put_kind(id, &comment, &kind, progress.as_ref())?);
                }
                Ok(())
            }
            Event::Skipped(skipped) => {
                self.report.skip(&skipped);
                Ok(())
            }
        }
    }

    fn write_task(&mut self, record: &mut Record<'_, '_>, file: usize, task: &TaskEvent) -> Result<()> {
        if self.is_forgotten(record, &task.key, "")? {
            self.guarded.insert(file);
            self.tasks.insert(task.key.clone(), None);
            return Ok(());
        }
        let parent = match &task.parent {
            Some(key) => {
                let parent = record.task_of(self.source, key)?;
                if parent.is_none() {
                    self.orphans.push((task.key.clone(), key.clone()));
                }
                parent
            }
            None => None,
        };
        if let Some(known) = record.task_of(self.source, &task.key)?
            && record.updated(known)? > task.updated
        {
            // A file may hold a few older lines of another session, and knows less of it than is known already.
            self.tasks.insert(task.key.clone(), Some(known));
            return Ok(());
        }
        let untitled = self.is_forgotten(record, &task.key, TITLE_TOMBSTONE)?;
        let put = record.put_task(&NewTask {
            uid: None,
            id: None,
            source: Some((self.source.to_owned(), task.key.clone())),
            title: if untitled { String::new() } else { task.title.clone() },
            piece: task.piece.clone(),
            state: None,
            ending: Some(task.ending),
            folder: task.folder.as_ref().map(|folder| folder.display().to_string()),
            owner: Some(self.options.owner.clone()),
            parent,
            created: task.created,
            updated: task.updated,
        })?;
        self.report.tasks += u64::from(matches!(put, Put::New(_)));
        self.tasks.insert(task.key.clone(), Some(put.id()));
        Ok(())
    }

    fn write_comment(
        &mut self,
        record: &mut Record<'_, '_>,
        file: usize,
        task: &str,
        id: TaskId,
        mut comment: NewComment,
    ) -> Result<()> {
        if self.is_forgotten(record, task, &comment.key)? {
            self.guarded.insert(file);
            self.report.forgotten += 1;
            return Ok(());
        }
        if record.is_elsewhere(id, &comment.key)? {
            self.report.repeated += 1;
            return Ok(());
        }
        if comment.author == kiroku_model::Author::User && comment.member.is_none() {
            comment.member = Some(self.options.owner.clone());
        }
        let is_list_call = comment.tool.as_deref().is_some_and(|tool| TOOLS.contains(&tool));
        let put = record.put_comment(id, &comment)?;
        if is_list_call && !matches!(put, Put::Same(_)) {
            owe_list(record.tx(), id, false)?;
        }
        match put {
            Put::New(_) => self.report.comments += 1,
            Put::Changed(_) => self.report.changed += 1,
            Put::Same(_) => {}
        }
        Ok(())
    }

    /// What a file that was rewritten no longer holds is withdrawn, unless the task's lines come from other files too.
    fn reconcile(&mut self, record: &mut Record<'_, '_>, rewritten: Rewritten) -> Result<()> {
        for (key, keys) in rewritten.keys {
            let Some(task) = self.task(record, &key)? else { continue };
            if has_other_file(record.tx(), self.source, &rewritten.path, &key)? {
                continue;
            }
            record.reorder(task, &keys)?;
            self.report.withdrawn += record.withdraw_others(task, &keys.into_iter().collect())?;
            owe_list(record.tx(), task, true)?;
        }
        Ok(())
    }

    /// The task with this key; `None` if it was forgotten (or never told of, which a reader doesn't do).
    fn task(&mut self, record: &Record<'_, '_>, key: &str) -> Result<Option<TaskId>> {
        if let Some(known) = self.tasks.get(key) {
            return Ok(*known);
        }
        let found = record.task_of(self.source, key)?;
        self.tasks.insert(key.to_owned(), found);
        Ok(found)
    }

    fn is_forgotten(&self, record: &Record<'_, '_>, task: &str, comment: &str) -> Result<bool> {
        is_forgotten(record.tx(), self.source, task, comment)
    }

    /// Brings the task lists up to date that the sessions kept by tools of their own.
    fn replay_lists(&mut self, cancel: &Cancel) -> Result<()> {
        let call = Call { cancel: cancel.clone(), ..Call::default() };
        for (task, whole) in self.workspace.space().read(&Cancel::new(), owed_lists)? {
            if cancel.is_cancelled() {
                break;
            }
            self.workspace.lists().replay(&call, task, if whole { Extent::Whole } else { Extent::Grown })?;
            self.workspace.space().write(|tx| paid_list(tx, task))?;
        }
        Ok(())
    }

    /// Gives subtasks that were read before their parent their parent.
    fn adopt_orphans(&mut self) -> Result<()> {
        if self.orphans.is_empty() {
            return Ok(());
        }
        let orphans = std::mem::take(&mut self.orphans);
        write(self.workspace.space(), |record| {
            for (key, parent) in &orphans {
                if let (Some(task), Some(parent)) =
                    (record.task_of(self.source, key)?, record.task_of(self.source, parent)?)
                {
                    record.set_parent(task, parent)?;
                }
            }
            Ok(())
        })
    }
}

impl Batch {
    /// Adds an event; what changes a comment that is in the batch already is said in its place.
    fn push(&mut self, file: usize, event: Event, report: &mut ImportReport) {
        let place = match &event {
            Event::Comment { task, comment } => Some((task.clone(), comment.key.clone())),
            Event::Output { task, comment, .. } | Event::Kind { task, comment, .. } => {
                Some((task.clone(), comment.clone()))
            }
            Event::Task(_) => None,
            Event::Skipped(skipped) => {
                report.skip(skipped);
                return;
            }
        };
        if let Event::Task(task) = &event
            && let Some(at) = self.tasks.get(&task.key)
            && let Some((_, waiting)) = self.events.get_mut(*at)
        {
            *waiting = event;
            return;
        }
        self.bytes += weight(&event);
        let known = place.as_ref().and_then(|place| self.comments.get(place)).copied();
        let waiting = known.and_then(|at| self.events.get_mut(at)).map(|(_, event)| event);
        match (event, waiting) {
            (Event::Comment { comment, .. }, Some(Event::Comment { comment: waiting, .. })) => {
                let earlier = std::mem::replace(waiting, comment);
                waiting.output = waiting.output.take().or(earlier.output);
            }
            (Event::Output { output, .. }, Some(Event::Comment { comment, .. })) => comment.output = Some(output),
            (Event::Kind { kind, progress, .. }, Some(Event::Comment { comment, .. })) => {
                comment.kind = kind;
                comment.progress = progress;
            }
            (event, _) => {
                if let Event::Task(task) = &event {
                    self.tasks.insert(task.key.clone(), self.events.len());
                }
                if let (Event::Comment { .. }, Some(place)) = (&event, place) {
                    self.comments.insert(place, self.events.len());
                }
                self.events.push((file, event));
            }
        }
    }
}

/// About how many bytes an event holds.
fn weight(event: &Event) -> usize {
    match event {
        Event::Comment { comment, .. } => {
            let data = |data: &Option<kiroku_model::ToolData>| data.as_ref().map_or(0, |data| data.text.len());
            comment.body.len() + data(&comment.input) + data(&comment.output)
        }
        Event::Output { output, .. } => output.text.len(),
        Event::Task(_) | Event::Kind { .. } | Event::Skipped(_) => 0,
    }
}
