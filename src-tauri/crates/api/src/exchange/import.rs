//! A space in: rows of the exchange format into the record, in small commits, each row once by its identity.

use crate::Workspace;
use crate::import::{ImportOptions, ImportReport};
use kiroku_model::{Cancel, CommentId, Error, Progress, ProgressSink, Result, Role, TaskId, Text, text};
use kiroku_search::record::{NewTask, Put, Record, write};
use kiroku_search::{EXCHANGE, NewPin, TITLE_TOMBSTONE, update_mission};
use kiroku_sources::Skipped;
use kiroku_sources::exchange::{Comment, Member, Pin, Reader, Row, Task, Tombstone};
use kiroku_store::{add_member, add_tombstone_at, is_forgotten, member};
use serde::Serialize;
use std::collections::HashMap;
use std::io::BufRead;
use std::path::Path;
use std::time::{Duration, Instant};

/// How long one commit may take, and rows in one at most.
const COMMIT: Duration = Duration::from_millis(40);
const ROWS: usize = 2048;

/// The detail by which an error says that a row belongs to a task that was forgotten.
const FORGOTTEN: &str = "forgotten";

/// What an import of the exchange format came to.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ExchangeReport {
    /// What it shares with an import of sessions.
    #[serde(flatten)]
    pub import: ImportReport,
    /// Rows that were read.
    pub rows: u64,
    /// Members that are new.
    pub members: u64,
    /// Pins that are new.
    pub pins: u64,
    /// Rows of types that this program does not know.
    pub unknown_rows: u64,
    /// Fields that this program does not know.
    pub unknown_fields: u64,
    /// Tasks whose number was taken, and which got another: (number in the file, number in the space).
    pub renumbered_tasks: Vec<(i64, i64)>,
    /// How many comments got another number than in the file.
    pub renumbered_comments: u64,
}

impl Workspace {
    /// Imports the exchange format. `name` is what the report calls the input; `options` says whose it becomes.
    /// Lines that can't be read are passed over and reported; another major version of the format is an error.
    pub fn import_exchange(
        &self,
        from: impl BufRead,
        name: &str,
        options: &ImportOptions,
        cancel: &Cancel,
        progress: &dyn ProgressSink,
    ) -> Result<ExchangeReport> {
        let mut import = Import {
            options,
            file_space: self.info()?.uid,
            tasks: HashMap::new(),
            identities: HashMap::new(),
            sources: HashMap::new(),
            comments: HashMap::new(),
            untimed: Vec::new(),
            report: ExchangeReport::default(),
        };
        let mut reader = Reader::new(from);
        let mut ended = false;
        while !ended {
            if cancel.is_cancelled() {
                import.report.import.cancelled = true;
                break;
            }
            ended = write(self.space(), |record| import.batch(record, &mut reader, name))?;
            progress.report(&Progress {
                what: name.to_owned(),
                done: reader.position(),
                total: None,
                made: import.report.import.comments,
            });
        }
        let untimed = std::mem::take(&mut import.untimed);
        write(self.space(), |record| untimed.iter().try_for_each(|task| record.times_from_comments(*task)))?;
        let counts = reader.counts();
        let mut report = import.report;
        report.rows = counts.rows;
        report.unknown_rows = counts.unknown_rows;
        report.unknown_fields = counts.unknown_fields;
        report.import.files = 1;
        Ok(report)
    }
}

pub(super) struct Import<'a> {
    pub(super) options: &'a ImportOptions,
    /// The space whose numbers the rows use.
    file_space: String,
    /// Tasks by their number in the file.
    tasks: HashMap<TaskId, TaskId>,
    /// Identities of tasks by their number in the file.
    pub(super) identities: HashMap<TaskId, String>,
    /// Sources and keys of tasks by their number in the file, as tombstones name them.
    sources: HashMap<TaskId, (String, String)>,
    /// Comments by their number in the file, where it is another one here.
    pub(super) comments: HashMap<CommentId, CommentId>,
    /// Tasks that came without times of their own.
    untimed: Vec<TaskId>,
    report: ExchangeReport,
}

impl Import<'_> {
    /// Writes rows until the time is up; whether that was the end.
    fn batch<R: BufRead>(&mut self, record: &mut Record<'_, '_>, reader: &mut Reader<R>, name: &str) -> Result<bool> {
        let start = Instant::now();
        for _ in 0..ROWS {
            let Some(line) = reader.next() else { return Ok(true) };
            let line = line?;
            let number = line.number;
            let lang = self.options.lang;
            let skip = |report: &mut ExchangeReport, why: Text| {
                report.import.skip(&Skipped { path: Path::new(name).to_owned(), line: Some(number), why }, lang);
            };
            match line.row {
                Err(why) => skip(&mut self.report, why),
                Ok(row) => match self.row(record, row) {
                    Err(error) if error.details().contains_key(FORGOTTEN) => self.report.import.forgotten += 1,
                    // The row is at fault, and nothing of it was written.
                    Err(error) if error.code().exit_status() == 2 => skip(&mut self.report, error.message().clone()),
                    other => other?,
                },
            }
            if start.elapsed() >= COMMIT {
                break;
            }
        }
        Ok(false)
    }

    fn row(&mut self, record: &mut Record<'_, '_>, row: Row) -> Result<()> {
        match row {
            Row::Header(header) => {
                // Files may be joined: numbers are those of the header before them.
                if let Some(space) = header.space
                    && space != self.file_space
                {
                    self.file_space = space;
                    self.tasks.clear();
                    self.identities.clear();
                    self.sources.clear();
                    self.comments.clear();
                }
                Ok(())
            }
            // Importing never renames a space.
            Row::Space(_) => Ok(()),
            Row::Member(member) => self.member(record, member),
            Row::Task(task) => self.task(record, &task),
            Row::Comment(comment) => self.comment(record, *comment),
            Row::Pin(pin) => self.pin(record, pin),
            Row::Tombstone(Tombstone { source, key, comment, at }) => {
                let at = at.unwrap_or(record.tx().now());
                add_tombstone_at(record.tx(), &source, &key, comment.as_deref().unwrap_or_default(), at)
            }
            Row::List(list) => self.list(record, list),
            Row::History(history) => self.history(record, history),
            Row::Note(note) => self.note(record, note),
            Row::Review(review) => self.review(record, review),
        }
    }

    fn member(&mut self, record: &Record<'_, '_>, new: Member) -> Result<()> {
        let name = new.name.unwrap_or_else(|| new.id.clone());
        let known = member(record.tx(), &new.id)?.is_some();
        add_member(record.tx(), &kiroku_store::Member { id: new.id, name, role: Role::Member }, true)?;
        self.report.members += u64::from(!known);
        Ok(())
    }

    fn task(&mut self, record: &mut Record<'_, '_>, task: &Task) -> Result<()> {
        let identity = task.identity(&self.file_space);
        self.identities.insert(task.id, identity.clone());
        let source = task.source.clone().zip(task.key.clone());
        let (name, key) = source.clone().unwrap_or_else(|| (EXCHANGE.to_owned(), identity.clone()));
        if is_forgotten(record.tx(), &name, &key, "")? {
            self.report.import.forgotten += 1;
            return Ok(());
        }
        let untitled = is_forgotten(record.tx(), &name, &key, TITLE_TOMBSTONE)?;
        self.sources.insert(task.id, (name, key));
        let parent = match task.parent {
            Some(parent) if parent != task.id => Some(self.task_here(record, parent)?),
            _ => None,
        };
        let now = record.tx().now();
        let put = record.put_task(&NewTask {
            uid: Some(identity),
            id: Some(task.id),
            source,
            title: if untitled { String::new() } else { task.title.clone() },
            piece: task.piece.clone(),
            state: task.state,
            ending: task.ending,
            folder: task.folder.clone(),
            owner: task.owner.clone(),
            parent,
            created: task.created.or(task.updated).unwrap_or(now),
            updated: task.updated.or(task.created).unwrap_or(now),
        })?;
        self.took_task(task.id, put, task.created.is_none() && task.updated.is_none());
        Ok(())
    }

    fn took_task(&mut self, in_file: TaskId, put: Put<TaskId>, untimed: bool) {
        let here = put.id();
        if let Put::New(_) = put {
            self.report.import.tasks += 1;
            if here != in_file {
                self.report.renumbered_tasks.push((in_file.0, here.0));
            }
        }
        if untimed && !matches!(put, Put::Same(_)) {
            self.untimed.push(here);
        }
        self.tasks.insert(in_file, here);
    }

    /// The task that a row names; one that has no row of its own gets one, with no title.
    pub(super) fn task_here(&mut self, record: &mut Record<'_, '_>, in_file: TaskId) -> Result<TaskId> {
        if let Some(here) = self.tasks.get(&in_file) {
            return Ok(*here);
        }
        if self.identities.contains_key(&in_file) {
            return Err(forgotten(in_file));
        }
        let bare = Task {
            id: in_file,
            uid: None,
            title: String::new(),
            piece: String::new(),
            state: None,
            ending: None,
            owner: None,
            parent: None,
            source: None,
            key: None,
            folder: None,
            created: None,
            updated: None,
        };
        self.task(record, &bare)?;
        self.tasks.get(&in_file).copied().ok_or_else(|| forgotten(in_file))
    }

    fn comment(&mut self, record: &mut Record<'_, '_>, comment: Comment) -> Result<()> {
        if self.identities.contains_key(&comment.task) && !self.tasks.contains_key(&comment.task) {
            self.report.import.forgotten += 1;
            return Ok(());
        }
        let task = self.task_here(record, comment.task)?;
        let identity = self.identities.get(&comment.task).cloned().unwrap_or_default();
        // A source's own key stays, so that importing the session itself later meets the same comment.
        let key = comment.key.clone().unwrap_or_else(|| comment.identity(&identity));
        let (in_file, seq, withdrawn) = (comment.id, comment.seq, comment.withdrawn);
        if let Some((source, task_key)) = self.sources.get(&comment.task)
            && is_forgotten(record.tx(), source, task_key, &key)?
        {
            self.report.import.forgotten += 1;
            return Ok(());
        }
        if withdrawn && let Some(here) = record.comment_of(task, &key)? {
            // It is here already, and what a source no longer has says nothing new.
            self.comments.extend(in_file.filter(|in_file| *in_file != here).map(|in_file| (in_file, here)));
            return Ok(());
        }
        let new = comment.into_new(key);
        let put = record.put_comment_at(task, &new, in_file, seq)?;
        let here = put.id();
        match put {
            Put::New(_) => {
                self.report.import.comments += 1;
                self.report.renumbered_comments += u64::from(in_file.is_some_and(|in_file| in_file != here));
            }
            Put::Changed(_) => self.report.import.changed += 1,
            Put::Same(_) => {}
        }
        if let Some(in_file) = in_file.filter(|in_file| *in_file != here) {
            self.comments.insert(in_file, here);
        }
        if withdrawn {
            record.withdraw(task, here)?;
        }
        Ok(())
    }

    fn pin(&mut self, record: &mut Record<'_, '_>, pin: Pin) -> Result<()> {
        let task = self.task_here(record, pin.task)?;
        let identity = self.identities.get(&pin.task).cloned().unwrap_or_default();
        let uid = pin.identity(&identity);
        let comment = pin.reference.map(|in_file| self.comments.get(&in_file).copied().unwrap_or(in_file));
        let created = pin.created.unwrap_or(record.tx().now());
        let new = NewPin { list: pin.list, text: pin.text, comment, imported: Some((uid, created)) };
        let member = pin.member.as_deref().unwrap_or(&self.options.owner);
        self.report.pins += update_mission(record.tx(), task, &[new], &[], Some(member))?;
        Ok(())
    }
}

pub(super) fn forgotten(task: TaskId) -> Error {
    Error::not_found(text!(en: "{task} was forgotten here", ja: "{task} はこのスペースで削除済みです"))
        .with(FORGOTTEN, true)
}
