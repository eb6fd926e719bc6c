//! Importing session files, as `kiroku import` does: reading, writing, index, all of it. In an empty space, before
//! anything else, so that the process's peak memory is the import's own.

use crate::random::Random;
use crate::stats::thread_cpu;
use crate::words::Words;
use crate::{Result, sessions, space};
use kiroku_api::{ImportOptions, source_named};
use kiroku_model::{Cancel, Lang, Progress};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// What the import came to.
pub struct Imported {
    comments: u64,
    bytes: usize,
    took: Duration,
    /// Milliseconds of the processor.
    cpu: f64,
    peak: Option<u64>,
}

/// Makes so many session files of so many turns and imports them.
pub fn measure(words: &Words, seed: u64, files: usize, turns: usize) -> Result<Imported> {
    let folder = tempfile::tempdir()?;
    let projects = folder.path().join("projects");
    let made = sessions::write(&projects, words, &mut Random::new(seed), files, turns)?;
    let workspace = space::create(&folder.path().join("space.db"))?;
    let source = source_named("claude-code").ok_or("there is no source `claude-code`")?;
    let options = ImportOptions { owner: "m1".to_owned(), lang: Lang::En };
    let (begun, cpu) = (Instant::now(), thread_cpu());
    let found = source.find(&projects, &Cancel::new())?;
    let report = workspace.import_sessions(source, &found.files, &options, &Cancel::new(), &|_: &Progress| {})?;
    let (took, cpu) = (begun.elapsed(), thread_cpu() - cpu);
    if report.comments != made.comments as u64 || report.skipped > 0 {
        let (comments, skipped) = (report.comments, report.skipped);
        return Err(format!("of {} comments {comments} came in, {skipped} lines were skipped", made.comments).into());
    }
    Ok(Imported { comments: report.comments, bytes: made.bytes, took, cpu, peak: peak_memory() })
}

/// The most memory that this process has had, in bytes, where the system tells.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kib| kib * 1024)
}

impl Imported {
    fn rate(&self) -> f64 {
        self.comments as f64 / self.took.as_secs_f64()
    }

    /// A line of text.
    pub fn shown(&self) -> String {
        let (rate, speed) = (self.rate(), self.bytes as f64 / 1e6 / self.took.as_secs_f64());
        let peak = self.peak.map_or_else(String::new, |bytes| format!(", peak memory {} MB", bytes / 1_000_000));
        let cpu = self.comments as f64 * 1_000.0 / self.cpu;
        format!(
            "{} comments, {rate:.0} comments/s ({cpu:.0} a second of the processor), {speed:.1} MB/s{peak}",
            self.comments
        )
    }

    /// For JSON.
    pub fn json(&self) -> Value {
        json!({
            "comments": self.comments, "session_bytes": self.bytes, "seconds": self.took.as_secs_f64(), "cpu_seconds": self.cpu / 1_000.0,
            "comments_per_second": self.rate(), "peak_memory_bytes": self.peak,
        })
    }
}
