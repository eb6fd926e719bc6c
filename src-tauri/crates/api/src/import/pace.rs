//! How far an import is and how fast it goes: files, bytes, comments, rate, and the time that is left.

use kiroku_sources::SessionFile;
use serde::Serialize;
use std::time::{Duration, Instant};

/// How often it is told at most.
const EVERY: Duration = Duration::from_millis(50);

/// How far an import is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, specta::Type)]
pub struct ImportProgress {
    /// The file that is being read; empty at the end.
    pub file: String,
    /// Files that were read to their end.
    pub files: u64,
    /// Files in all.
    pub total_files: u64,
    /// Bytes that were read, in this import or an earlier one.
    pub bytes: u64,
    /// Bytes in all.
    pub total_bytes: u64,
    /// Comments that are new.
    pub comments: u64,
    /// New comments a second so far.
    pub rate: f64,
    /// Seconds that are left at the pace so far; `None` while that can't be told.
    pub seconds_left: Option<f64>,
}

/// Keeps the pace of one import.
pub struct Pace<'a> {
    to: &'a mut dyn FnMut(&ImportProgress),
    now: ImportProgress,
    began: Instant,
    told: Option<Instant>,
    /// Bytes of the files before this one.
    before: u64,
    /// Bytes that an earlier import had read, so that they say nothing of the pace.
    known: u64,
}

impl<'a> Pace<'a> {
    pub fn new(files: &[&SessionFile], to: &'a mut dyn FnMut(&ImportProgress)) -> Pace<'a> {
        let now = ImportProgress {
            total_files: files.len() as u64,
            total_bytes: files.iter().map(|file| file.bytes).sum(),
            ..ImportProgress::default()
        };
        Pace { to, now, began: Instant::now(), told: None, before: 0, known: 0 }
    }

    /// A file is opened, of which so much was read before.
    pub fn began(&mut self, file: &SessionFile, position: u64) {
        self.now.file = file.path.display().to_string();
        self.known += position;
    }

    /// The file is read up to here. A file may have grown since it was found.
    pub fn at(&mut self, position: u64, comments: u64) {
        self.now.bytes = (self.before + position).min(self.now.total_bytes);
        self.now.comments = comments;
        if self.told.is_none_or(|told| told.elapsed() >= EVERY) {
            self.tell();
        }
    }

    /// The file was read to its end, or can't be read.
    pub fn ended(&mut self, file: &SessionFile, comments: u64) {
        self.before += file.bytes;
        self.now.files += 1;
        self.at(0, comments);
    }

    /// The import has ended.
    pub fn done(&mut self, comments: u64) {
        self.now.file.clear();
        self.now.comments = comments;
        self.tell();
    }

    fn tell(&mut self) {
        let seconds = self.began.elapsed().as_secs_f64();
        let read = self.now.bytes.saturating_sub(self.known) as f64;
        let left = self.now.total_bytes.saturating_sub(self.now.bytes) as f64;
        self.now.rate = if seconds > 0.0 { self.now.comments as f64 / seconds } else { 0.0 };
        self.now.seconds_left = (read > 0.0).then(|| left * seconds / read);
        (self.to)(&self.now);
        self.told = Some(Instant::now());
    }
}
