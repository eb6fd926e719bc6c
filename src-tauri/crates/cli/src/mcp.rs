//! `kiroku mcp`: serves the space's tools to an agent, and prints what sets an agent up for that.

use crate::args::{McpArgs, McpCommand};
use crate::{Session, output, place};
use kiroku_api::{AgentSetUp, Workspace};
use kiroku_mcp::{ServeOptions, TaskChoice, ThreadChoice};
use kiroku_model::{Error, Result, TaskId, text};
use std::fmt::Write;
use std::process::ExitCode;
use std::sync::Arc;

/// The word for "find it out".
const AUTO: &str = "auto";

pub fn mcp(session: &Session, args: &McpArgs) -> Result<ExitCode> {
    match &args.command {
        Some(McpCommand::Install) => install(session)?,
        None => {
            let workspace = Arc::new(session.open()?);
            keep_well(session, &workspace);
            kiroku_mcp::serve_stdio(workspace, options(session, args)?)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Does what the space needs from time to time, beside the answers: a space that only agents use has no other door that
/// would. The program's end takes it back at its next step; another process, or the next one, goes on there.
fn keep_well(session: &Session, workspace: &Arc<Workspace>) {
    let (workspace, cancel) = (Arc::clone(workspace), session.cancel.clone());
    std::thread::spawn(move || {
        let kept = workspace.maintain(&cancel, |_, _| {}).and_then(|()| workspace.daily_backup());
        if let Err(error) = kept {
            eprintln!("kiroku: {error}");
        }
    });
}

fn options(session: &Session, args: &McpArgs) -> Result<ServeOptions> {
    let task = match args.task.as_deref() {
        None => TaskChoice::None,
        Some(AUTO) => TaskChoice::Growing(place::here()?),
        Some(task) => TaskChoice::This(TaskId::parse(task)?),
    };
    let thread = match args.thread.as_deref() {
        None => ThreadChoice::None,
        Some(AUTO) => ThreadChoice::New,
        Some(thread) => ThreadChoice::This(thread.to_owned()),
    };
    Ok(ServeOptions {
        // An agent that nobody vouches for is a stranger, and not the owner.
        member: session.member.clone(),
        lang: session.lang,
        task,
        thread,
        resource: args.resource.clone(),
        subtask: args.subtask,
    })
}

fn install(session: &Session) -> Result<()> {
    let space = place::absolute(&session.path()?);
    let call = session.call(&session.open()?)?;
    let member = call.caller.member.unwrap_or_default();
    let program = std::env::current_exe()
        .map_err(|error| Error::io(text!(en: "the path of this program", ja: "このプログラムの場所"), &error))?;
    let mut shown = String::new();
    for AgentSetUp { agent, place, text } in kiroku_api::set_up(&program, &space, &member, session.lang) {
        let (name, dim) = (output::NAME, output::DIM);
        // Writing to a string can't fail.
        let _ = writeln!(shown, "{name}{agent}{name:#} {dim}({place}){dim:#}\n{text}\n");
    }
    output::print(&shown)
}
