//! `kiroku import`: what is brought in, and what came of it. With `--watch` it goes on with what agents write.

mod exclusions;
mod inputs;
mod shown;
mod watch;

use crate::Session;
use crate::args::{ImportArgs, ImportCommand};
use crate::output::{DIM, json, print};
use inputs::Input;
use kiroku_api::{ExchangeReport, ImportOptions, ImportReport, Skipped};
use kiroku_model::{Error, Lang, Progress, ProgressSink, Result, Text, text};
use shown::Shown;
use std::fmt::Write as _;
use std::process::ExitCode;

/// Skipped lines and files that are printed one by one.
const PRINTED_SKIPS: usize = 20;

pub fn import(session: &Session, args: &ImportArgs) -> Result<ExitCode> {
    let workspace = session.open()?;
    if let Some(ImportCommand::Exclusions(command)) = &args.command {
        return exclusions::exclusions(session, &workspace, command);
    }
    let owner = session.call(&workspace)?.caller.member.unwrap_or_default();
    let options = ImportOptions { owner, lang: session.lang };
    for what in &args.exclude {
        workspace.exclude(&exclusions::exclusion(what))?;
    }
    let shown = Shown::new(session.lang);
    if args.watch {
        return watch::watch(session, &workspace, args, options, &shown);
    }
    let (mut reports, mut notes) = (Vec::new(), Vec::new());
    let inputs =
        if args.paths.is_empty() { inputs::found_here(session, &workspace)? } else { inputs::named(session, args)? };
    let (mut unread, mut status) = (Vec::new(), ExitCode::SUCCESS);
    for input in &inputs {
        if let Input::Unreadable { path, error } = input {
            unread.push(Skipped { path: path.clone(), line: None, why: error.message().clone() });
            status = ExitCode::from(error.code().exit_status());
            if unread.len() == inputs.len() {
                return Err(error.clone());
            }
        }
    }
    for input in inputs {
        if session.cancel.is_cancelled() {
            break;
        }
        let report = match input {
            Input::Sessions { source, files, skipped, excluded } => {
                let told = &mut |at: &_| shown.import(at);
                let mut report = workspace.import_with_pace(source, &files, &options, &session.cancel, told)?;
                unread.drain(..).chain(skipped).for_each(|skipped| report.skip(&skipped, session.lang));
                report.excluded += excluded;
                serde_json::to_value(&report).map(|value| (report, value))
            }
            Input::Exchange { name, from } => {
                let mut report = workspace.import_exchange(from, &name, &options, &session.cancel, &shown)?;
                unread.drain(..).for_each(|skipped| report.import.skip(&skipped, session.lang));
                notes.extend(renumbered(&report));
                serde_json::to_value(&report).map(|value| (report.import, value))
            }
            Input::Unreadable { .. } => continue,
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
        for note in notes {
            print(&format!("  {}\n", note.get(session.lang)))?;
        }
    }
    let cancelled = reports.iter().any(|(report, _)| report.cancelled);
    Ok(if cancelled { ExitCode::from(130) } else { status })
}

/// Says which numbers were taken, so that a person who knows a task by its number finds it again.
fn renumbered(report: &ExchangeReport) -> Option<Text> {
    const NAMED: usize = 10;
    let (tasks, comments) = (report.renumbered_tasks.len(), report.renumbered_comments);
    if tasks == 0 && comments == 0 {
        return None;
    }
    let pairs = report.renumbered_tasks.iter().take(NAMED).map(|(was, is)| format!("task:{was} → task:{is}"));
    let pairs = pairs.collect::<Vec<_>>().join(", ");
    let more = if tasks > NAMED { ", …" } else { "" };
    Some(text!(
        en: "numbers already in use were changed: {tasks} tasks ({pairs}{more}), {comments} comments",
        ja: "使われていた番号を付け替えました: タスク {tasks} 件（{pairs}{more}）、コメント {comments} 件"
    ))
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
            (
                report.excluded,
                text!(en: "sessions excluded in this space, left out", ja: "このスペースで除外しているセッション"),
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
            let _ = writeln!(out, "    {DIM}{}{line}{DIM:#}  {}", skip.path, skip.why);
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
