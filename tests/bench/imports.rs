//! Importing session files, as `kiroku import` does: reading, writing, index, all of it. In an empty space, before
//! anything else, so that what the process's memory grows by at most is the import's own. Then one more session with a
//! single large text, such as a pasted log: what that takes of memory.

use crate::random::Random;
use crate::stats::thread_cpu;
use crate::words::Words;
use crate::{Result, sessions, space};
use kiroku_api::{ImportOptions, source_named};
use kiroku_model::{Cancel, Lang, Progress, Time, derived_uid};
use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::{Duration, Instant};

/// What the import came to.
pub struct Imported {
    comments: u64,
    bytes: usize,
    took: Duration,
    /// Milliseconds of the processor.
    cpu: f64,
    peak: Option<u64>,
    /// With the large text, of how many bytes it is, and how long it took.
    large_peak: Option<u64>,
    large: usize,
    large_took: Duration,
}

/// Makes so many session files of so many turns and imports them, then one with a text of so many bytes.
pub fn measure(words: &Words, seed: u64, (files, turns): (usize, usize), large: usize) -> Result<Imported> {
    let held = memory("VmRSS:").unwrap_or_default();
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
    let grown = || memory("VmHWM:").map(|peak| peak.saturating_sub(held));
    let peak = grown();
    write_large(&projects.join("-home-user-shop"), words, &mut Random::new(seed), large)?;
    let begun = Instant::now();
    let found = source.find(&projects, &Cancel::new())?;
    let more = workspace.import_sessions(source, &found.files, &options, &Cancel::new(), &|_: &Progress| {})?;
    if more.comments != 1 || more.skipped > 0 {
        return Err(format!("the session with a large text became {} comments", more.comments).into());
    }
    let (large_peak, large_took) = (grown(), begun.elapsed());
    Ok(Imported { comments: report.comments, bytes: made.bytes, took, cpu, peak, large_peak, large, large_took })
}

/// Writes a session of one request of as many bytes as asked; a piece at a time, so that making it takes no memory.
fn write_large(folder: &Path, words: &Words, random: &mut Random, bytes: usize) -> Result<()> {
    let id = derived_uid("sessions", "large");
    let line = json!({
        "type": "user", "uuid": derived_uid("lines", "large"), "sessionId": id, "timestamp": Time(1_735_689_600_000),
        "cwd": "/home/user/shop", "version": "2.1.38", "isSidechain": false, "message": {"role": "user", "content": "TEXT"},
    });
    let line = line.to_string();
    let (head, tail) = line.split_once("TEXT").ok_or("a line without its text")?;
    let mut file = BufWriter::new(File::create(folder.join(format!("{id}.jsonl")))?);
    file.write_all(head.as_bytes())?;
    let mut written = 0;
    while written < bytes {
        let text = if random.chance(50) { words.japanese(random, 2_000) } else { words.english(random, 2_000) };
        let text = format!("{text}\n").replace('\n', "\\n");
        written += text.len();
        file.write_all(text.as_bytes())?;
    }
    Ok(writeln!(file, "{tail}")?)
}

/// A figure of this process's memory, in bytes, where the system tells: what it holds, or the most that it has held.
fn memory(what: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with(what))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kib| kib * 1024)
}

impl Imported {
    /// Comments a second.
    pub fn rate(&self) -> f64 {
        self.comments as f64 / self.took.as_secs_f64()
    }

    /// The most memory it took, the large text included.
    pub fn peak_megabytes(&self) -> Option<f64> {
        self.large_peak.map(|bytes| bytes as f64 / 1e6)
    }

    /// Lines of text.
    pub fn shown(&self) -> [(String, String); 2] {
        let (rate, speed) = (self.rate(), self.bytes as f64 / 1e6 / self.took.as_secs_f64());
        let peak = |peak: Option<u64>| {
            peak.map_or_else(String::new, |bytes| format!(", {} MB of memory at most", bytes / 1_000_000))
        };
        let cpu = self.comments as f64 * 1_000.0 / self.cpu;
        let rate = format!("{rate:.0} comments/s ({cpu:.0} a second of the processor), {speed:.1} MB/s");
        let (comments, took) = (self.comments, self.large_took.as_secs_f64());
        [
            ("import of session files".to_owned(), format!("{comments} comments, {rate}{}", peak(self.peak))),
            (format!("a text of {} MB", self.large / 1_000_000), format!("{took:.1} s{}", peak(self.large_peak))),
        ]
    }

    /// For JSON.
    pub fn json(&self) -> Value {
        json!({
            "comments": self.comments, "session_bytes": self.bytes, "seconds": self.took.as_secs_f64(), "cpu_seconds": self.cpu / 1_000.0,
            "comments_per_second": self.rate(), "peak_memory_bytes": self.peak,
            "large_text_peak_memory_bytes": self.large_peak, "large_text_seconds": self.large_took.as_secs_f64(),
        })
    }
}
