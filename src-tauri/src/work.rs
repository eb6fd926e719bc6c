//! Telling the page how far long work is: what the engines report often is told a few times a second, with the pace and
//! the time that is left.

use crate::app::App;
use crate::events::{Told, WorkProgress};
use kiroku_api::{FoundSessions, ImportProgress, SessionFile};
use kiroku_model::{Progress, ProgressSink};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Between two words of how far it is.
const TOLD: Duration = Duration::from_millis(100);
/// Before the time that is left can be told.
const SURE: Duration = Duration::from_secs(1);

/// An import of the sessions of several sources, one after the other, as one piece of work.
pub struct Whole {
    work: String,
    total: u64,
    total_files: u64,
    /// What the sources before this one came to.
    bytes: u64,
    files: u64,
    comments: u64,
    began: Instant,
}

impl Whole {
    /// All of what was found, as the work that the page calls `work`.
    pub fn of(work: &str, found: &[FoundSessions]) -> Whole {
        let files = || found.iter().flat_map(|of_source| &of_source.files);
        Whole {
            work: work.to_owned(),
            total: files().map(|file| file.bytes).sum(),
            total_files: files().count() as u64,
            bytes: 0,
            files: 0,
            comments: 0,
            began: Instant::now(),
        }
    }

    /// How far it is, when one source is so far.
    pub fn at(&self, at: &ImportProgress) -> Told {
        let comments = self.comments + at.comments;
        let done = self.bytes + at.bytes;
        // What comes after this source goes at its pace.
        let after = self.total.saturating_sub(self.bytes + at.total_bytes) as f64;
        let left_here = at.total_bytes.saturating_sub(at.bytes).max(1) as f64;
        Told::WorkProgress(WorkProgress {
            work: self.work.clone(),
            what: at.file.clone(),
            done,
            total: Some(self.total),
            files: self.files + at.files,
            total_files: self.total_files,
            comments,
            rate: comments as f64 / self.began.elapsed().as_secs_f64().max(0.001),
            seconds_left: at.seconds_left.map(|seconds| seconds * (left_here + after) / left_here),
        })
    }

    /// A source was read to its end.
    pub fn ended(&mut self, files: &[SessionFile], comments: u64) {
        self.bytes += files.iter().map(|file| file.bytes).sum::<u64>();
        self.files += files.len() as u64;
        self.comments += comments;
    }
}

/// Tells the page of the progress of one work over one file.
pub struct Report {
    app: App,
    work: String,
    began: Instant,
    told: Mutex<Option<Instant>>,
}

/// The progress of the work that the page calls `work`.
pub fn report_to(app: &App, work: &str) -> Report {
    Report { app: app.clone(), work: work.to_owned(), began: Instant::now(), told: Mutex::default() }
}

impl ProgressSink for Report {
    fn report(&self, progress: &Progress) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if told.is_some_and(|told| told.elapsed() < TOLD) {
            return;
        }
        *told = Some(Instant::now());
        let seconds = self.began.elapsed().as_secs_f64().max(0.001);
        let pace = progress.done as f64 / seconds;
        let left = progress.total.map(|total| total.saturating_sub(progress.done) as f64 / pace.max(f64::EPSILON));
        let sure = self.began.elapsed() >= SURE && progress.done > 0;
        self.app.desk().tell(Told::WorkProgress(WorkProgress {
            work: self.work.clone(),
            what: progress.what.clone(),
            done: progress.done,
            total: progress.total,
            files: 0,
            total_files: 1,
            comments: progress.made,
            rate: progress.made as f64 / seconds,
            seconds_left: left.filter(|_| sure),
        }));
    }
}
