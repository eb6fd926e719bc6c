//! Telling the page how far long work is: what the engines report often is told a few times a second, with the pace and
//! the time that is left.

use crate::app::App;
use crate::events::{Told, WorkProgress};
use kiroku_api::ImportProgress;
use kiroku_model::{Progress, ProgressSink};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Between two words of how far it is.
const TOLD: Duration = Duration::from_millis(100);
/// Before the time that is left can be told.
const SURE: Duration = Duration::from_secs(1);

/// An import of sessions as the page is told of it. It comes at a pace that can be told as it is.
pub fn of_import(work: &str, at: &ImportProgress) -> Told {
    Told::WorkProgress(WorkProgress {
        work: work.to_owned(),
        what: at.file.clone(),
        done: at.bytes,
        total: Some(at.total_bytes),
        files: at.files,
        total_files: at.total_files,
        comments: at.comments,
        rate: at.rate,
        seconds_left: at.seconds_left,
    })
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
