//! `kiroku import`: which files, from which source, with a progress bar on a terminal and plain lines elsewhere.

use crate::Session;
use crate::args::{FromArg, ImportArgs};
use crate::output::{DIM, json, print};
use crate::place::{absolute, environment, here};
use indicatif::{ProgressBar, ProgressStyle};
use kiroku_api::{ImportOptions, ImportReport, SessionFile, Source, Workspace, source_named, sources};
use kiroku_model::{Error, Lang, Progress, ProgressSink, Result, text};
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// How often a plain line says how far the import is.
const PLAIN_EVERY: Duration = Duration::from_secs(5);
/// Skipped lines and files that are printed one by one.
const PRINTED_SKIPS: usize = 20;

pub fn import(session: &Session, args: &ImportArgs) -> Result<ExitCode> {
    let workspace = session.open()?;
    let owner = session.call(&workspace)?.caller.member.unwrap_or_default();
    let shown = Shown::new(session.lang);
    let mut reports = Vec::new();
    let inputs = if args.paths.is_empty() { found_here(session, &workspace)? } else { named(session, args)? };
    for input in inputs {
        if session.cancel.is_cancelled() {
            break;
        }
        let report = match input {
            Input::Sessions { source, files, skipped } => {
                let options = ImportOptions { owner: owner.clone() };
                let mut report = workspace.import_sessions(source, &files, &options, &session.cancel, &shown)?;
                skipped.iter().for_each(|skipped| report.skip(skipped));
                serde_json::to_value(&report).map(|value| (report, value))
            }
            Input::Exchange { name, from } => {
                let report = workspace.import_exchange(from, &name, &owner, &session.cancel, &shown)?;
                serde_json::to_value(&report).map(|value| (report.import, value))
            }
        };
        reports.push(report.map_err(Error::internal)?);
    }
    workspace.maintain(&session.cancel, |done, total| {
        let what = text!(en: "building the index", ja: "索引を作成中").get(session.lang).to_owned();
        shown.report(&Progress { what, done, total: Some(total), made: done });
    })?;
    shown.end();
    workspace.daily_backup()?;
    if args.json {
        let values: Vec<_> = reports.iter().map(|(_, value)| value).collect();
        match values.as_slice() {
            [one] => json(one)?,
            all => json(&all)?,
        }
    } else {
        print(&summary(session.lang, reports.iter().map(|(report, _)| report)))?;
    }
    let cancelled = reports.iter().any(|(report, _)| report.cancelled);
    Ok(if cancelled { ExitCode::from(130) } else { ExitCode::SUCCESS })
}

/// One thing to import.
enum Input {
    Sessions { source: &'static dyn Source, files: Vec<SessionFile>, skipped: Vec<kiroku_api::Skipped> },
    Exchange { name: String, from: Box<dyn BufRead> },
}

/// What the arguments name.
fn named(session: &Session, args: &ImportArgs) -> Result<Vec<Input>> {
    let mut inputs = Vec::new();
    for path in &args.paths {
        if path.as_os_str() == "-" {
            if args.from == Some(FromArg::ClaudeCode) {
                return Err(Error::invalid(text!(
                    en: "standard input is read in the exchange format only; name session files by their path",
                    ja: "標準入力から読めるのは交換形式だけです。セッションのファイルはパスで指定してください"
                )));
            }
            inputs.push(Input::Exchange { name: "-".to_owned(), from: Box::new(BufReader::new(std::io::stdin())) });
            continue;
        }
        let from = match args.from {
            Some(from) => from,
            None if is_exchange(path) => FromArg::Kiroku,
            None => FromArg::ClaudeCode,
        };
        inputs.push(match from {
            FromArg::Kiroku => {
                Input::Exchange { name: path.display().to_string(), from: Box::new(BufReader::new(open(path)?)) }
            }
            FromArg::ClaudeCode => {
                let source = source_named("claude-code").ok_or_else(|| Error::internal("no such source"))?;
                // Absolute, so that the place where reading stopped is found again from any folder.
                let found = source.find(&absolute(path), &session.cancel)?;
                Input::Sessions { source, files: found.files, skipped: found.skipped }
            }
        });
    }
    Ok(inputs)
}

fn open(path: &Path) -> Result<std::fs::File> {
    let shown = path.display();
    let file = std::fs::metadata(path).and_then(|meta| {
        if meta.is_file() { std::fs::File::open(path) } else { Err(std::io::ErrorKind::InvalidInput.into()) }
    });
    file.map_err(|error| match error.kind() {
        std::io::ErrorKind::InvalidInput => {
            Error::invalid(text!(en: "{shown} is not a regular file", ja: "{shown} は通常のファイルではありません"))
        }
        _ => Error::io(text!(en: "opening {shown}", ja: "{shown} を開けません"), &error),
    })
}

/// Whether a file is in the exchange format: its first line is a row of it.
fn is_exchange(path: &Path) -> bool {
    let Ok(file) = open(path) else { return false };
    let mut first = Vec::new();
    let read = std::io::Read::take(BufReader::new(file), 1 << 20).read_until(b'\n', &mut first);
    let row: Option<serde_json::Value> = read.ok().and_then(|_| serde_json::from_slice(first.trim_ascii()).ok());
    const ROWS: [&str; 6] = ["kiroku", "space", "member", "task", "comment", "list"];
    let kind = row.as_ref().and_then(|row| row.get("type")).and_then(serde_json::Value::as_str);
    kind.is_some_and(|kind| ROWS.contains(&kind))
}

/// The sessions that agents had in this folder or below it.
fn found_here(session: &Session, workspace: &Workspace) -> Result<Vec<Input>> {
    let here = here()?;
    let space = absolute(workspace.space().path());
    // In a space of its own (`.kiroku/space.db`), "this folder" is the space's, wherever in it the command was given.
    let folder = match space.parent() {
        Some(dir) if dir.ends_with(".kiroku") && here.starts_with(dir.parent().unwrap_or(dir)) => {
            dir.parent().unwrap_or(dir).to_owned()
        }
        _ => here,
    };
    let folder = folder.canonicalize().unwrap_or(folder);
    let (mut inputs, mut looked) = (Vec::new(), Vec::new());
    for source in sources() {
        let (mut files, mut skipped) = (Vec::new(), Vec::new());
        for home in source.homes(&environment()).into_iter().filter(|home| home.is_dir()) {
            let found = source.find(&home, &session.cancel)?;
            files.extend(found.files.into_iter().filter(|file| worked_in(file, &folder)));
            skipped.extend(found.skipped);
            looked.push(home.display().to_string());
        }
        if !files.is_empty() {
            inputs.push(Input::Sessions { source: *source, files, skipped });
        }
    }
    if inputs.is_empty() {
        let (folder, looked) = (folder.display(), looked.join(", "));
        return Err(Error::not_found(text!(
            en: "no sessions that worked in {folder} were found (looked in: {looked}); name session files or folders to import others",
            ja: "{folder} で作業したセッションは見つかりませんでした（探した場所: {looked}）。ほかを取り込むには、ファイルかフォルダーを指定してください"
        )));
    }
    Ok(inputs)
}

fn worked_in(file: &SessionFile, folder: &Path) -> bool {
    let real = |path: &PathBuf| path.canonicalize().unwrap_or_else(|_| path.clone());
    file.folder.as_ref().is_some_and(|worked| real(worked).starts_with(folder))
}

/// Where the progress is shown.
struct Shown {
    bar: Option<ProgressBar>,
    lang: Lang,
    /// When it began, and when a plain line was last printed.
    began: Instant,
    said: Mutex<Instant>,
}

impl Shown {
    fn new(lang: Lang) -> Shown {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::no_length();
            let style = ProgressStyle::with_template("{bar:24} {percent:>3}%  {msg}  {eta_precise}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar
        });
        Shown { bar, lang, began: Instant::now(), said: Mutex::new(Instant::now()) }
    }

    fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

impl ProgressSink for Shown {
    fn report(&self, progress: &Progress) {
        let made = progress.made;
        let rate = (made as f64 / self.began.elapsed().as_secs_f64().max(0.001)) as u64;
        let message = text!(en: "{made} comments, {rate}/s", ja: "{made} コメント、毎秒 {rate}");
        let message = message.get(self.lang);
        if let Some(bar) = &self.bar {
            bar.set_length(progress.total.unwrap_or(progress.done));
            bar.set_position(progress.done);
            bar.set_message(message.to_owned());
            return;
        }
        let mut said = self.said.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if said.elapsed() >= PLAIN_EVERY {
            *said = Instant::now();
            let percent =
                progress.total.filter(|total| *total > 0).map(|total| format!("{}% ", progress.done * 100 / total));
            eprintln!("{}{message}  {}", percent.unwrap_or_default(), progress.what);
        }
    }
}

/// What came of it, for a person.
fn summary<'r>(lang: Lang, reports: impl Iterator<Item = &'r ImportReport>) -> String {
    let mut out = String::new();
    for report in reports {
        let ImportReport { files, tasks, comments, changed, .. } = report;
        let line = text!(
            en: "{files} files: {tasks} new tasks, {comments} new comments, {changed} changed",
            ja: "ファイル {files} 件: 新しいタスク {tasks} 件、新しいコメント {comments} 件、変更 {changed} 件"
        );
        let _ = writeln!(out, "{}", line.get(lang));
        let counted = [
            (report.withdrawn, text!(en: "gone from their source", ja: "元のファイルから消えたもの")),
            (
                report.repeated,
                text!(en: "repeated from another session, counted once", ja: "別のセッションと重複（1 度だけ数えます）"),
            ),
            (report.forgotten, text!(en: "forgotten before, left out", ja: "以前に削除したため除外")),
            (
                report.unknown_lines,
                text!(en: "lines of kinds not known to this version, left out", ja: "この版の知らない種類の行（除外）"),
            ),
            (
                report.mended_times,
                text!(en: "times missing or absurd, taken from the line before", ja: "日時がないか不正（前の行の日時を使用）"),
            ),
            (report.skipped, text!(en: "could not be read:", ja: "読めなかったもの:")),
        ];
        for (count, what) in counted.iter().filter(|(count, _)| *count > 0) {
            let _ = writeln!(out, "  {count} {}", what.get(lang));
        }
        for skip in report.skips.iter().take(PRINTED_SKIPS) {
            let line = skip.line.map(|line| format!(":{line}")).unwrap_or_default();
            let _ = writeln!(out, "    {DIM}{}{line}{DIM:#}  {}", skip.path, skip.why.get(lang));
        }
        let unprinted = report.skipped.saturating_sub(PRINTED_SKIPS as u64);
        if unprinted > 0 {
            let _ = writeln!(out, "    {}", text!(en: "and {unprinted} more", ja: "ほか {unprinted} 件").get(lang));
        }
        if report.cancelled {
            let said = text!(
                en: "Stopped before the end. What was imported is kept; the same command goes on from here.",
                ja: "途中で止めました。取り込んだ分は残っています。同じコマンドで続きから再開できます。"
            );
            let _ = writeln!(out, "{}", said.get(lang));
        }
    }
    out
}
