//! `kiroku import --watch`: a plain line for what came in, until Ctrl-C.

use super::inputs::{of, this_folder};
use super::shown::Shown;
use crate::Session;
use crate::args::ImportArgs;
use crate::output::{json, print};
use crate::place::{absolute, environment};
use kiroku_api::{ImportOptions, ImportReport, Source, WatchEvent, WatchOptions, Workspace};
use kiroku_model::{Lang, Result, text};
use std::path::PathBuf;
use std::process::ExitCode;

pub fn watch(
    session: &Session,
    workspace: &Workspace,
    args: &ImportArgs,
    import: ImportOptions,
    shown: &Shown,
) -> Result<ExitCode> {
    let (sources, environment) = (of(args.from)?, environment());
    let (roots, folder): (Vec<(&'static dyn Source, PathBuf)>, _) = if args.paths.is_empty() {
        let homes =
            |source: &'static dyn Source| source.homes(&environment).into_iter().map(move |home| (source, home));
        (sources.into_iter().flat_map(homes).collect(), Some(this_folder(workspace)?))
    } else {
        let paths = args.paths.iter().map(|path| absolute(path));
        (paths.flat_map(|path| sources.iter().map(move |source| (*source, path.clone()))).collect(), None)
    };
    let mut said = Ok(());
    workspace.watch_sessions(&roots, &WatchOptions::new(import, folder), &session.cancel, &mut |event| {
        let told = told(session.lang, args.json, shown, event);
        if told.is_err() {
            // Nobody reads what is told any more.
            session.cancel.cancel();
            said = told;
        }
    })?;
    shown.end();
    said?;
    workspace.daily_backup()?;
    Ok(ExitCode::SUCCESS)
}

fn told(lang: Lang, as_json: bool, shown: &Shown, event: WatchEvent) -> Result<()> {
    match event {
        WatchEvent::Progress(at) => {
            shown.import(&at);
            Ok(())
        }
        WatchEvent::Imported { source, report } => {
            shown.end();
            match as_json {
                true => json(&serde_json::json!({ "source": source, "report": report })),
                false => line(lang, source, &report).map_or(Ok(()), |line| print(&line)),
            }
        }
        WatchEvent::Watching => {
            shown.end();
            note(text!(en: "watching; Ctrl-C ends", ja: "監視しています。Ctrl-C で終わります").get(lang));
            Ok(())
        }
        WatchEvent::Polling(why) => {
            note(why.get(lang));
            Ok(())
        }
    }
}

/// A remark, which is no answer, so it does not stand in standard output.
fn note(what: &str) {
    eprintln!("kiroku: {what}");
}

/// What came in, if anything did.
fn line(lang: Lang, source: &str, report: &ImportReport) -> Option<String> {
    let ImportReport { tasks, comments, changed, withdrawn, skipped, .. } = report;
    if [*tasks, *comments, *changed, *withdrawn, *skipped] == [0; 5] {
        return None;
    }
    let mut line = text!(
        en: "{source}: {comments} new comments, {changed} changed, {tasks} new tasks",
        ja: "{source}: 新しいコメント {comments} 件、変更 {changed} 件、新しいタスク {tasks} 件"
    );
    if *withdrawn > 0 {
        line.en += &format!(", {withdrawn} gone");
        line.ja += &format!("、消えたもの {withdrawn} 件");
    }
    for skip in &report.skips {
        let at = skip.line.map(|line| format!(":{line}")).unwrap_or_default();
        line.en += &format!("\n  {}{at}  {}", skip.path, skip.why);
        line.ja += &format!("\n  {}{at}  {}", skip.path, skip.why);
    }
    Some(format!("{}\n", line.get(lang)))
}
