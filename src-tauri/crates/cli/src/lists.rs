//! `kiroku list`: the task lists of agents' threads, to look at and to put right.

use crate::Session;
use crate::args::{ListCommand, ThreadArgs};
use crate::output::{DIM, NAME, json, page, print};
use crate::place::shown;
use kiroku_api::Workspace;
use kiroku_api::lists::{Item, MAX_PAGE, MAX_THREADS, Side, Status, ThreadKey};
use kiroku_model::{Call, Error, ErrorCode, Result, TaskId, text};
use std::fmt::Write as _;
use std::process::ExitCode;

pub fn list(session: &Session, command: ListCommand) -> Result<ExitCode> {
    let workspace = session.open()?;
    let call = session.call(&workspace)?;
    match command {
        ListCommand::Show { thread: None, json: as_json } => show_all(&workspace, &call, as_json),
        ListCommand::Show { thread: Some(thread), json: as_json } => show(&workspace, &call, &named(&thread)?, as_json),
        ListCommand::Check(args) => check(&workspace, &call, &args),
        ListCommand::History { args, limit } => history(&workspace, &call, &args, limit),
        ListCommand::Restore { args, row, before } => restore(&workspace, &call, &args, row, before),
    }
}

/// A thread as a person writes it: `task:12`, `12`, or another thread's id.
fn named(thread: &str) -> Result<String> {
    if thread.bytes().all(|byte| byte.is_ascii_digit()) {
        return Ok(TaskId::parse(thread)?.to_string());
    }
    Ok(thread.to_owned())
}

/// The mark of a status; the word stands beside it for whoever reads by ear.
fn mark(status: Status) -> &'static str {
    match status {
        Status::Pending => "[ ]",
        Status::InProgress => "[>]",
        Status::Completed => "[x]",
    }
}

fn write_items(out: &mut String, items: &[Item], indent: &str) {
    for item in items {
        let said = if item.status == Status::InProgress { &item.active_form } else { &item.content };
        let _ = writeln!(out, "{indent}{} {said}  {DIM}{}{DIM:#}", mark(item.status), item.id);
    }
}

fn show_all(workspace: &Workspace, call: &Call, as_json: bool) -> Result<ExitCode> {
    let mut threads = Vec::new();
    loop {
        let board = workspace.lists().board(call, threads.len(), MAX_THREADS)?;
        let more = !board.threads.is_empty();
        threads.extend(board.threads);
        if !more || threads.len() as u64 >= board.total {
            break;
        }
    }
    if as_json {
        json(&threads)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = String::new();
    for glance in &threads {
        let title = match glance.task {
            Some(task) => workspace.conversations().task(call, task)?.body.map(|task| task.summary.title),
            None => None,
        };
        let (done, total) = (glance.summary.completed, glance.summary.total);
        let running = glance.running.as_ref().map_or("", |item| &item.active_form);
        let _ = writeln!(
            out,
            "{NAME}{:<10}{NAME:#} {done}/{total}  {}  {}  {DIM}{running}{DIM:#}",
            glance.thread,
            shown(glance.updated),
            title.unwrap_or_default()
        );
    }
    if threads.is_empty() {
        let said = text!(
            en: "There are no task lists yet. They come with imported sessions, and from agents' task tools.",
            ja: "タスクリストはまだありません。取り込んだセッションや、エージェントのツールから作られます。"
        );
        let _ = writeln!(out, "{}", said.get(call.lang));
    }
    page(&out)?;
    Ok(ExitCode::SUCCESS)
}

fn show(workspace: &Workspace, call: &Call, thread: &str, as_json: bool) -> Result<ExitCode> {
    let list = workspace.lists().projection(call, thread)?;
    let marks = workspace.lists().marks(call, thread)?;
    if as_json {
        json(&serde_json::json!({ "list": list, "marks": marks }))?;
        return Ok(ExitCode::SUCCESS);
    }
    if list.version == 0 {
        return Err(no_list(thread));
    }
    let mut out = format!(
        "{NAME}{thread}{NAME:#}  {DIM}{} v{}{DIM:#}\n",
        list.resource.as_deref().unwrap_or_default(),
        list.version
    );
    for item in &list.items {
        write_items(&mut out, std::slice::from_ref(item), "  ");
        for note in marks.notes.iter().filter(|note| note.item == item.id) {
            let _ = writeln!(out, "        {DIM}{}: {}{DIM:#}", note.by, note.text);
        }
    }
    page(&out)?;
    Ok(ExitCode::SUCCESS)
}

fn no_list(thread: &str) -> Error {
    Error::not_found(text!(en: "{thread} has no task list", ja: "{thread} のタスクリストはありません"))
}

fn check(workspace: &Workspace, call: &Call, args: &ThreadArgs) -> Result<ExitCode> {
    let thread = named(&args.thread)?;
    let list = workspace.lists().projection(call, &thread)?;
    let resource = list.resource.ok_or_else(|| no_list(&thread))?;
    let answer = workspace.lists().task_check(call, Some(&ThreadKey::new(&thread, &resource)?))?;
    if args.json {
        json(&answer)?
    } else {
        print(&format!("{}\n", answer.content.trim_end()))?
    }
    Ok(ExitCode::SUCCESS)
}

fn history(workspace: &Workspace, call: &Call, args: &ThreadArgs, limit: usize) -> Result<ExitCode> {
    let thread = named(&args.thread)?;
    let (mut rows, mut before) = (Vec::new(), None);
    while rows.len() < limit {
        let page = workspace.lists().history(call, &thread, before, (limit - rows.len()).min(MAX_PAGE))?;
        rows.extend(page.rows);
        before = page.next;
        if before.is_none() {
            break;
        }
    }
    if args.json {
        json(&rows)?;
        return Ok(ExitCode::SUCCESS);
    }
    if rows.is_empty() {
        return Err(no_list(&thread));
    }
    let mut out = String::new();
    for row in &rows {
        let _ = writeln!(out, "{NAME}{}{NAME:#}  {}  {DIM}{} ({}){DIM:#}", row.id, shown(row.at), row.by, row.door);
        // Only what changed is shown: an item that is the same before and after says nothing.
        let gone: Vec<Item> = row.before.iter().filter(|item| !row.after.contains(item)).cloned().collect();
        let come: Vec<Item> = row.after.iter().filter(|item| !row.before.contains(item)).cloned().collect();
        write_items(&mut out, &gone, "  - ");
        write_items(&mut out, &come, "  + ");
    }
    page(&out)?;
    Ok(ExitCode::SUCCESS)
}

fn restore(workspace: &Workspace, call: &Call, args: &ThreadArgs, row: i64, before: bool) -> Result<ExitCode> {
    let thread = named(&args.thread)?;
    let list = workspace.lists().projection(call, &thread)?;
    let resource = list.resource.clone().ok_or_else(|| no_list(&thread))?;
    let side = if before { Side::Before } else { Side::After };
    let by = call.caller.member.as_deref().unwrap_or_default();
    let key = ThreadKey::new(&thread, &resource)?;
    let restored = workspace.lists().restore(call, &key, list.version, row, side, by)?;
    if args.json {
        json(&restored)?;
    } else if restored.version == list.version {
        let said = text!(en: "the list is just so already", ja: "リストはすでにその状態です");
        return Err(Error::new(ErrorCode::Refused, said));
    } else {
        let mut out = String::new();
        write_items(&mut out, &restored.items, "");
        page(&out)?;
    }
    Ok(ExitCode::SUCCESS)
}
