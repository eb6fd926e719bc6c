//! Importing: what readers of sessions give goes into the record, in small commits, each with the place in the file up to
//! which it was read. So an import can be stopped at any moment, by the person or by a power cut, and the next one goes
//! on where this one ended.

mod batch;
mod pace;
mod write;

pub use pace::ImportProgress;

use crate::Workspace;
use batch::{Batch, Rewritten};
use kiroku_model::{Cancel, Error, Lang, Progress, ProgressSink, Result, TaskId, Time};
use kiroku_search::record::write;
use kiroku_sources::claude_code::ClaudeCode;
use kiroku_sources::codex::Codex;
use kiroku_sources::{Cursor, Event, SessionFile, Skipped, Source, TaskEvent};
use kiroku_store::cursor;
use pace::Pace;
use serde::Serialize;
use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

/// How long one commit may take; the next batch is made larger or smaller by how long the last one took.
const COMMIT: Duration = Duration::from_millis(40);
/// Events in the first batch, and in any at most.
const BATCH: usize = 128;
const LARGEST_BATCH: usize = 4096;
/// Events in any batch at least: a busy machine must not make each comment a commit of its own.
const SMALLEST_BATCH: usize = 64;
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
    /// The language in which the report says why something was left out.
    pub lang: Lang,
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
    /// Sessions that were left out because the space excludes their folder or their source.
    pub excluded: u64,
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
    /// Why, in the language of the import.
    pub why: String,
}

impl ImportReport {
    /// Takes note of something that could not be read, in the language of the import.
    pub fn skip(&mut self, skipped: &Skipped, lang: Lang) {
        self.skipped += 1;
        if self.skips.len() < NAMED {
            self.skips.push(SkippedLine {
                path: skipped.path.display().to_string(),
                line: skipped.line,
                why: skipped.why.get(lang).to_owned(),
            });
        }
    }
}

impl Workspace {
    /// Imports session files of one source, in the order given (oldest first is best). Files and lines that can't be
    /// read are passed over and reported, what the space excludes is left out and counted; an error is one of the space's.
    pub fn import_sessions(
        &self,
        source: &dyn Source,
        files: &[SessionFile],
        options: &ImportOptions,
        cancel: &Cancel,
        progress: &dyn ProgressSink,
    ) -> Result<ImportReport> {
        self.import_with_pace(source, files, options, cancel, &mut |at: &ImportProgress| {
            progress.report(&Progress {
                what: at.file.clone(),
                done: at.bytes,
                total: Some(at.total_bytes),
                made: at.comments,
            });
        })
    }

    /// [`Workspace::import_sessions`], told as it goes of files, bytes, comments, rate and time left.
    pub fn import_with_pace(
        &self,
        source: &dyn Source,
        files: &[SessionFile],
        options: &ImportOptions,
        cancel: &Cancel,
        progress: &mut dyn FnMut(&ImportProgress),
    ) -> Result<ImportReport> {
        let exclusions = self.exclusions()?;
        let wanted: Vec<&SessionFile> = files.iter().filter(|file| !exclusions.excludes(source.name(), file)).collect();
        let mut import = Import {
            workspace: self,
            source: source.name(),
            options,
            report: ImportReport { excluded: (files.len() - wanted.len()) as u64, ..ImportReport::default() },
            batch: Batch::default(),
            batch_size: BATCH,
            tasks: HashMap::new(),
            unwritten: HashMap::new(),
            lists: Vec::new(),
            guarded: HashSet::new(),
        };
        let mut pace = Pace::new(&wanted, progress);
        for (nth, file) in wanted.into_iter().enumerate() {
            if let Some(error) = import.file(source, nth, file, cancel, &mut pace)? {
                let why = error.message().clone();
                import.report.skip(&Skipped { path: file.path.clone(), line: None, why }, options.lang);
            }
            if cancel.is_cancelled() {
                import.report.cancelled = true;
                break;
            }
            pace.ended(file, import.report.comments);
        }
        import.flush()?;
        import.replay_lists(cancel)?;
        import.write_lists()?;
        pace.done(import.report.comments);
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
    /// Tasks of which no comment was kept yet: without one (a resumed session that only repeats another) there is no task.
    unwritten: HashMap<String, TaskEvent>,
    /// Lists that stand in files of their own, for the end, when the sessions that they are of are there.
    lists: Vec<List>,
    /// Files of which something was forgotten: they keep no cursor, since a reader's state may hold texts of the session.
    guarded: HashSet<usize>,
}

/// A task list that stands in a file of its own.
struct List {
    path: String,
    cursor: Cursor,
    task: String,
    at: Time,
    tool: &'static str,
    call: String,
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
        pace: &mut Pace<'_>,
    ) -> Result<Option<Error>> {
        let path = file.path.display().to_string();
        let stored = self.workspace.space().read(&Cancel::new(), |conn| cursor(conn, self.source, &path))?;
        let from: Option<Cursor> = stored.and_then(|value| serde_json::from_str(&value).ok());
        let mut reader = match source.open(file, from.as_ref()) {
            Ok(reader) => reader,
            Err(error) => return Ok(Some(error)),
        };
        pace.began(file, reader.position());
        let mut keys: HashMap<String, Vec<String>> = HashMap::new();
        let mut events = Vec::new();
        loop {
            let more = reader.next(&mut events);
            let any = !events.is_empty();
            for event in events.drain(..) {
                match event {
                    Event::Skipped(skipped) => self.report.skip(&skipped, self.options.lang),
                    Event::List { task, at, tool, call } => {
                        self.report.files += 1;
                        self.lists.push(List { path, cursor: reader.cursor(), task, at, tool, call });
                        return Ok(None);
                    }
                    Event::Comment { ref task, ref comment } if reader.restarted() => {
                        keys.entry(task.clone()).or_default().push(comment.key.clone());
                        self.batch.push(nth, event);
                    }
                    event => self.batch.push(nth, event),
                }
            }
            let ended = !matches!(more, Ok(true));
            let full =
                self.batch.events.len() >= self.batch_size || self.batch.bytes >= BATCH_BYTES || cancel.is_cancelled();
            // A file that was rewritten is read in one go or again: only at its end is it known what is gone from it.
            if ended || (full && !reader.restarted()) {
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
                pace.at(reader.position(), self.report.comments);
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
            self.batch_size = (self.batch_size / 2).max(SMALLEST_BATCH);
        } else if took < COMMIT / 2 && size >= self.batch_size {
            self.batch_size = (self.batch_size * 2).min(LARGEST_BATCH);
        }
        Ok(())
    }
}
