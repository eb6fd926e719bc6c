//! `kiroku tool`: one door to every agents' tool, for scripts.

use crate::Session;
use crate::args::ToolArgs;
use crate::output::{json, print};
use kiroku_api::lists::Door;
use kiroku_api::tools::{self, ToolContext};
use kiroku_model::{Call, Caller, Error, Result, TaskId, text};
use std::io::Read;
use std::process::ExitCode;

pub fn tool(session: &Session, args: &ToolArgs) -> Result<ExitCode> {
    let tool = tools::tool(&args.name)?;
    let workspace = session.open()?;
    let task = args.task.as_deref().map(TaskId::parse).transpose()?;
    let caller = Caller { member: session.member.clone(), task, subtask: args.subtask };
    let mut input = String::new();
    std::io::stdin()
        .read_to_string(&mut input)
        .map_err(|error| Error::invalid(text!(en: "standard input: {error}", ja: "標準入力: {error}")))?;
    let input = if input.trim().is_empty() {
        serde_json::Value::Null
    } else {
        serde_json::from_str(&input).map_err(|error| {
            Error::invalid(
                text!(en: "standard input is not JSON: {error}", ja: "標準入力が JSON ではありません: {error}"),
            )
        })?
    };
    let thread = tools::thread_of(args.thread.as_deref(), args.resource.as_deref(), &caller)?;
    let call = Call { caller, lang: session.lang, cancel: session.cancel.clone() };
    let context = ToolContext { call, thread, door: Door::Cli };
    let answer = tool.call(&workspace, &context, input)?;
    if args.text {
        print(answer.text.trim_end())?;
        print("\n")?;
    } else {
        json(&answer.value)?;
    }
    Ok(if answer.is_error { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
