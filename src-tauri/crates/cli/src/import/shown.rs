//! How far an import is: a bar on a terminal, a plain line now and then elsewhere.

use indicatif::{ProgressBar, ProgressStyle};
use kiroku_api::ImportProgress;
use kiroku_model::{Lang, Progress, ProgressSink, text};
use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// How often a plain line is printed.
const PLAIN_EVERY: Duration = Duration::from_secs(5);

/// Where the progress is shown.
pub struct Shown {
    bar: Option<ProgressBar>,
    lang: Lang,
    /// When it began, and when a plain line was last printed.
    began: Instant,
    said: Mutex<Instant>,
}

impl Shown {
    pub fn new(lang: Lang) -> Shown {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::no_length();
            let style = ProgressStyle::with_template("{bar:24} {percent:>3}%  {msg}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar
        });
        Shown { bar, lang, began: Instant::now(), said: Mutex::new(Instant::now()) }
    }

    /// Takes the bar away; it comes back with the next news.
    pub fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
            bar.reset();
        }
    }

    /// An import of session files is this far.
    pub fn import(&self, at: &ImportProgress) {
        let ImportProgress { files, total_files, comments, .. } = at;
        let (rate, left) = (at.rate as u64, left(at.seconds_left));
        let message = text!(
            en: "{files}/{total_files} files, {comments} comments, {rate}/s{left}",
            ja: "ファイル {files}/{total_files}、{comments} コメント、毎秒 {rate}{left}"
        );
        self.show(at.bytes, Some(at.total_bytes), message.get(self.lang), &at.file);
    }

    fn show(&self, done: u64, total: Option<u64>, message: &str, what: &str) {
        if let Some(bar) = &self.bar {
            bar.set_length(total.unwrap_or(done));
            bar.set_position(done);
            bar.set_message(message.to_owned());
            return;
        }
        let mut said = self.said.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if said.elapsed() >= PLAIN_EVERY {
            *said = Instant::now();
            let percent = total.filter(|total| *total > 0).map(|total| format!("{}% ", done * 100 / total));
            eprintln!("{}{message}  {what}", percent.unwrap_or_default());
        }
    }
}

/// The time that is left, as `, -1:05`.
fn left(seconds: Option<f64>) -> String {
    let seconds = seconds.map(|seconds| seconds.round() as u64).filter(|seconds| *seconds > 0);
    seconds.map(|seconds| format!(", -{}:{:02}", seconds / 60, seconds % 60)).unwrap_or_default()
}

impl ProgressSink for Shown {
    fn report(&self, progress: &Progress) {
        let made = progress.made;
        let rate = (made as f64 / self.began.elapsed().as_secs_f64().max(0.001)) as u64;
        let message = text!(en: "{made} comments, {rate}/s", ja: "{made} コメント、毎秒 {rate}");
        self.show(progress.done, progress.total, message.get(self.lang), &progress.what);
    }
}
