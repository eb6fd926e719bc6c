//! What keeps a space well: `kiroku forget`, `backup`, `restore` and `doctor`.

use crate::Session;
use crate::args::{BackupArgs, DoctorArgs, ForgetArgs, RestoreArgs};
use crate::output::{DIM, json, print, say, unavailable};
use kiroku_api::{Forget, list_backups};
use kiroku_model::{CommentId, Error, Result, SystemClock, TaskId, text};
use std::fmt::Write as _;
use std::io::IsTerminal;
use std::process::ExitCode;
use std::sync::Arc;

pub fn forget(session: &Session, args: &ForgetArgs) -> Result<ExitCode> {
    let workspace = session.open()?;
    let call = session.call(&workspace)?;
    let what = match (&args.passage, args.what.starts_with("comment:")) {
        (None, false) => Forget::Task(TaskId::parse(&args.what)?),
        (None, true) => Forget::Comment(CommentId::parse(&args.what)?),
        (Some(passage), true) => Forget::Passage(CommentId::parse(&args.what)?, passage.clone()),
        (Some(_), false) => {
            return Err(Error::invalid(
                text!(en: "--passage goes with a comment:ID", ja: "--passage は comment:番号 と一緒に指定してください"),
            ));
        }
    };
    if !args.yes && !confirmed(session, &args.what)? {
        return say(session, text!(en: "nothing was removed", ja: "何も削除していません"));
    }
    let answer = workspace.forget(&call, &what)?;
    if args.json {
        json(&answer)?;
        return Ok(ExitCode::SUCCESS);
    }
    let Some(gone) = &answer.body else {
        return unavailable(&answer);
    };
    let (tasks, comments) = (gone.tasks, gone.comments);
    let mut out = text!(
        en: "removed for good: {tasks} tasks, {comments} comments; importing will not bring them back\n",
        ja: "完全に削除しました（タスク {tasks} 件、コメント {comments} 件）。取り込み直しても戻りません\n"
    )
    .get(session.lang)
    .to_owned();
    if !gone.held_by.is_empty() {
        let said = text!(en: "These backups were made before and still hold it:", ja: "次のバックアップは削除前のもので、まだ含んでいます:");
        let _ = writeln!(out, "{}", said.get(session.lang));
        for path in &gone.held_by {
            let _ = writeln!(out, "  {}", path.display());
        }
    }
    print(&out)?;
    Ok(ExitCode::SUCCESS)
}

/// What can't be undone is asked first; where nobody can answer, it must be said with --yes.
fn confirmed(session: &Session, what: &str) -> Result<bool> {
    if !std::io::stdin().is_terminal() {
        return Err(Error::invalid(text!(
            en: "removing {what} can't be undone: add --yes",
            ja: "{what} の削除は取り消せません。--yes を付けてください"
        )));
    }
    let question = text!(en: "Remove {what} for good? This can't be undone. [y/N] ", ja: "{what} を完全に削除しますか。取り消せません。[y/N] ");
    print(question.get(session.lang))?;
    let mut line = String::new();
    std::io::stdin()
        .read_line(&mut line)
        .map_err(|error| Error::io(text!(en: "reading the answer", ja: "回答の読み取り"), &error))?;
    Ok(matches!(line.trim(), "y" | "Y" | "yes"))
}

pub fn backup(session: &Session, args: &BackupArgs) -> Result<ExitCode> {
    let workspace = session.open()?;
    if args.list {
        let mut out = String::new();
        for backup in list_backups(workspace.space().path())? {
            let _ = writeln!(out, "{}  {DIM}{} KiB{DIM:#}", backup.path.display(), backup.bytes.div_ceil(1024));
        }
        print(&out)?;
        return Ok(ExitCode::SUCCESS);
    }
    let made = workspace.backup()?;
    let path = made.path.display();
    say(session, text!(en: "made {path}", ja: "{path} を作りました"))
}

pub fn restore(session: &Session, args: &RestoreArgs) -> Result<ExitCode> {
    let path = session.path()?;
    let backup = match &args.backup {
        Some(backup) => backup.clone(),
        None => list_backups(&path)?.into_iter().next().map(|backup| backup.path).ok_or_else(|| {
            let shown = path.display();
            Error::not_found(text!(en: "{shown} has no backups", ja: "{shown} のバックアップはありません"))
        })?,
    };
    let kept = kiroku_api::restore(&path, &backup, Arc::new(SystemClock))?;
    let backup = backup.display();
    let mut said = text!(en: "restored {backup}", ja: "{backup} から戻しました");
    if let Some(kept) = kept {
        let kept = kept.display();
        said.en += &format!("; what stood there is kept at {kept}");
        said.ja += &format!("。元のファイルは {kept} に残しています");
    }
    say(session, said)
}

pub fn doctor(session: &Session, args: &DoctorArgs) -> Result<ExitCode> {
    let workspace = session.open()?;
    let health = workspace.doctor(args.fix, &session.cancel)?;
    let whole = health.findings.is_empty() || (args.fix && health.findings.iter().all(|finding| finding.fixable));
    let status = if whole { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    if args.json {
        json(&serde_json::json!({ "findings": health.lines(session.lang), "fixed": health.fixed }))?;
        return Ok(status);
    }
    let mut out = String::new();
    for finding in &health.findings {
        let _ = writeln!(out, "- {}", finding.message.get(session.lang));
    }
    let fixed = health.fixed;
    let summary = match (health.findings.is_empty(), args.fix) {
        (true, _) => text!(en: "the space is whole", ja: "スペースに問題はありません"),
        (false, true) => text!(en: "{fixed} mended", ja: "{fixed} 件を直しました"),
        (false, false) if health.findings.iter().any(|finding| finding.fixable) => {
            text!(en: "`kiroku doctor --fix` mends what can be mended", ja: "`kiroku doctor --fix` で直せるものがあります")
        }
        (false, false) => {
            text!(en: "`kiroku restore` brings back a backup", ja: "`kiroku restore` でバックアップから戻せます")
        }
    };
    let _ = writeln!(out, "{}", summary.get(session.lang));
    print(&out)?;
    Ok(status)
}
