//! Reading on: `kiroku around`, `kiroku tasks` and `kiroku show`.

use crate::Session;
use crate::args::{AroundArgs, ShowArgs, StateArg, TasksArgs};
use crate::output::{DIM, NAME, json, page, unavailable};
use crate::place::shown;
use kiroku_api::Workspace;
use kiroku_api::types::{Comment, OpenOrClosed};
use kiroku_model::{Call, CommentId, Lang, Result, TaskId, text};
use std::fmt::Write as _;
use std::process::ExitCode;

/// Comments that `show` reads at a time.
const PAGE: usize = 500;

/// One comment, as a line that names it and its body indented.
pub fn print_comment(out: &mut String, comment: &Comment, indent: &str) {
    let kind = match &comment.progress {
        Some(progress) => format!("{}/{}", comment.kind.as_str(), progress.as_str()),
        None => comment.kind.as_str().to_owned(),
    };
    let target = if comment.is_target { " ←" } else { "" };
    let _ = writeln!(
        out,
        "{indent}{} {DIM}{} {kind} {}{DIM:#}{target}",
        comment.reference,
        comment.member.as_deref().unwrap_or(comment.author.as_str()),
        shown(comment.created)
    );
    if let Some(tool) = &comment.tool {
        let _ = writeln!(out, "{indent}  {DIM}tool: {tool}{DIM:#}");
    }
    for line in comment.body.lines() {
        let _ = writeln!(out, "{indent}  {line}");
    }
    for attachment in &comment.attachments {
        let _ = writeln!(out, "{indent}  {DIM}+ {}{DIM:#}", attachment.name);
    }
}

pub fn around(session: &Session, args: &AroundArgs) -> Result<ExitCode> {
    let workspace = session.open()?;
    let call = session.call(&workspace)?;
    let answer = workspace.conversations().around(&call, CommentId::parse(&args.comment)?, args.context.into())?;
    if args.json {
        json(&answer)?;
        return Ok(ExitCode::SUCCESS);
    }
    let Some(around) = &answer.body else {
        return unavailable(&answer);
    };
    let mut out = format!("{NAME}{}{NAME:#} {}\n", around.task.reference, around.task.title);
    let more = |count: u64, message: kiroku_model::Text| match count {
        0 => String::new(),
        _ => format!("  {DIM}{}{DIM:#}\n", message.get(session.lang)),
    };
    let (before, after) = (around.more_before, around.more_after);
    out.push_str(&more(before, text!(en: "… {before} before", ja: "… この前に {before} 件")));
    for comment in &around.comments {
        print_comment(&mut out, comment, "  ");
    }
    out.push_str(&more(after, text!(en: "… {after} after", ja: "… この後に {after} 件")));
    page(&out)?;
    Ok(ExitCode::SUCCESS)
}

pub fn tasks(session: &Session, args: &TasksArgs) -> Result<ExitCode> {
    let workspace = session.open()?;
    let call = session.call(&workspace)?;
    let which = args.state.map(|state| match state {
        StateArg::Open => OpenOrClosed::Open,
        StateArg::Closed => OpenOrClosed::Closed,
    });
    let answer = workspace.conversations().list(&call, which, args.limit)?;
    if args.json {
        json(&answer)?;
        return Ok(ExitCode::SUCCESS);
    }
    let Some(list) = &answer.body else {
        return unavailable(&answer);
    };
    let mut out = String::new();
    for task in &list.tasks {
        let title = if task.title.is_empty() { untitled(session.lang) } else { task.title.clone() };
        let _ = writeln!(
            out,
            "{NAME}{:<9}{NAME:#} {:<11} {}  {title} {DIM}{}{DIM:#}",
            task.reference,
            task.state.as_str(),
            shown(task.updated),
            task.piece
        );
    }
    let (count, total) = (list.tasks.len(), list.total);
    let summary = match total {
        0 => {
            text!(en: "There are no tasks yet. `kiroku import` brings in agents' sessions.", ja: "タスクはまだありません。`kiroku import` でエージェントのセッションを取り込めます。")
        }
        _ => text!(en: "{count} of {total}", ja: "{total} 件中 {count} 件"),
    };
    let _ = writeln!(out, "{DIM}{}{DIM:#}", summary.get(session.lang));
    page(&out)?;
    Ok(ExitCode::SUCCESS)
}

fn untitled(lang: Lang) -> String {
    text!(en: "(untitled)", ja: "（無題）").get(lang).to_owned()
}

pub fn show(session: &Session, args: &ShowArgs) -> Result<ExitCode> {
    let workspace = session.open()?;
    let call = session.call(&workspace)?;
    if args.what.starts_with("comment:") {
        return show_comment(&workspace, &call, args);
    }
    let task = TaskId::parse(&args.what)?;
    let details = workspace.conversations().task(&call, task)?;
    let Some(details) = &details.body else {
        return unavailable(&details);
    };
    let mut out = String::new();
    let title = if details.summary.title.is_empty() { untitled(session.lang) } else { details.summary.title.clone() };
    let _ = writeln!(out, "{NAME}{} {title}{NAME:#}", details.summary.reference);
    let fields = [
        Some(details.summary.state.as_str().to_owned()),
        Some(details.summary.piece.clone()),
        details.folder.clone(),
        details.parent.clone(),
    ];
    let _ = writeln!(
        out,
        "{DIM}{}{DIM:#}",
        fields.into_iter().flatten().filter(|field| !field.is_empty()).collect::<Vec<_>>().join("  ")
    );
    let mut comments = Vec::new();
    let mut offset = args.offset;
    let wanted = args.limit.unwrap_or(usize::MAX);
    while comments.len() < wanted {
        let page = workspace.conversations().conversation(&call, task, offset, PAGE.min(wanted - comments.len()))?;
        let Some(page) = page.body else { break };
        comments.extend(page.comments);
        match page.next_offset {
            Some(next) => offset = next,
            None => break,
        }
    }
    if args.json {
        json(&serde_json::json!({ "task": details, "comments": comments }))?;
        return Ok(ExitCode::SUCCESS);
    }
    for comment in &comments {
        print_comment(&mut out, comment, "  ");
    }
    page(&out)?;
    Ok(ExitCode::SUCCESS)
}

fn show_comment(workspace: &Workspace, call: &Call, args: &ShowArgs) -> Result<ExitCode> {
    let id = CommentId::parse(&args.what)?;
    let around = workspace.conversations().around(call, id, 0)?;
    let tool = workspace.conversations().tool_call(call, id)?;
    let (Some(around), Some(tool)) = (&around.body, &tool.body) else {
        return unavailable(&around);
    };
    if args.json {
        json(&serde_json::json!({ "task": around.task, "comment": around.comments.first(), "tool_call": tool }))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = format!("{NAME}{}{NAME:#} {}\n", around.task.reference, around.task.title);
    for comment in &around.comments {
        print_comment(&mut out, comment, "  ");
    }
    for (name, kept, whole) in [("input", &tool.input, tool.input_bytes), ("output", &tool.output, tool.output_bytes)] {
        let Some(kept) = kept else { continue };
        let _ = writeln!(out, "\n{NAME}{name}{NAME:#}\n{kept}");
        let left_out = whole.unwrap_or(0).saturating_sub(kept.len() as u64);
        if left_out > 0 {
            let said = text!(en: "({left_out} more bytes were not kept)", ja: "（以下 {left_out} バイトは保存されていません）");
            let _ = writeln!(out, "{DIM}{}{DIM:#}", said.get(call.lang));
        }
    }
    page(&out)?;
    Ok(ExitCode::SUCCESS)
}
