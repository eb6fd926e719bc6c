//! The `kiroku` command line: scripts' and terminals' door to a space, and the only one on a machine with no display.
//! Every command is a thin caller of `kiroku_api`; what is here is reading arguments and printing answers.

mod args;
mod commands;
mod import;
mod lists;
mod mcp;
mod memory;
mod output;
mod place;

use args::{Cli, Command, Common, LangArg};
use clap::Parser;
use kiroku_api::Workspace;
use kiroku_model::{Call, Caller, Cancel, Error, Lang, Result, SystemClock, text};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

/// What every command is given.
pub struct Session {
    lang: Lang,
    space: Option<PathBuf>,
    member: Option<String>,
    cancel: Cancel,
}

impl Session {
    fn new(common: Common) -> Session {
        let lang = match common.lang {
            Some(LangArg::Ja) => Lang::Ja,
            Some(LangArg::En) => Lang::En,
            None => place::system_lang(),
        };
        Session { lang, space: common.space, member: common.member, cancel: Cancel::new() }
    }

    /// The space file that this command is about.
    fn path(&self) -> Result<PathBuf> {
        match &self.space {
            Some(path) => Ok(path.clone()),
            None => place::nearest_space(),
        }
    }

    /// Opens the space.
    fn open(&self) -> Result<Workspace> {
        Ok(Workspace::open(&self.path()?, Arc::new(SystemClock))?.with_data_dir(place::data_dir()))
    }

    /// Acts as the member that was named, else as the space's owner. A name that is no member's is an error here: a
    /// person who mistyped it wants to know.
    fn call(&self, workspace: &Workspace) -> Result<Call> {
        let id = match &self.member {
            Some(id) if workspace.members()?.iter().any(|member| member.id == *id) => id.clone(),
            Some(id) => {
                return Err(Error::invalid(text!(
                    en: "`{id}` is no member of this space",
                    ja: "「{id}」はこのスペースのメンバーではありません"
                )));
            }
            None => workspace.owner()?.id,
        };
        Ok(Call { caller: Caller::member(id), lang: self.lang, cancel: self.cancel.clone() })
    }
}

fn main() -> ExitCode {
    let Cli { common, command } = Cli::parse();
    let session = Session::new(common);
    let cancel = session.cancel.clone();
    // The first Ctrl-C takes the work back, which keeps what is committed; the second ends the program. A server has no
    // work of its own to take back, and ends with the first.
    if !matches!(command, Command::Mcp(_)) {
        let on_interrupt = ctrlc::set_handler(move || {
            if cancel.is_cancelled() {
                std::process::exit(130);
            }
            cancel.cancel();
        });
        drop(on_interrupt);
    }
    let json = wants_json(&command);
    match run(&session, command) {
        Ok(code) => code,
        Err(error) if output::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => output::failed(&error, session.lang, json),
    }
}

fn wants_json(command: &Command) -> bool {
    match command {
        Command::Tool(_) => true,
        Command::Search(args) => args.json,
        Command::Around(args) => args.json,
        Command::Tasks(args) => args.json,
        Command::Show(args) => args.json,
        Command::Import(args) => args.wants_json(),
        Command::List(
            args::ListCommand::Show { json, .. }
            | args::ListCommand::Check(args::ThreadArgs { json, .. })
            | args::ListCommand::History { args: args::ThreadArgs { json, .. }, .. }
            | args::ListCommand::Restore { args: args::ThreadArgs { json, .. }, .. },
        ) => *json,
        Command::Memory(
            args::MemoryCommand::Ls { json }
            | args::MemoryCommand::Search { json, .. }
            | args::MemoryCommand::Read { json, .. }
            | args::MemoryCommand::Check { json, .. },
        )
        | Command::Knowledge(args::KnowledgeCommand::Search { json, .. }) => *json,
        Command::Forget(args) => args.json,
        Command::Doctor(args) => args.json,
        Command::Space(
            args::SpaceCommand::Info { json } | args::SpaceCommand::Members(args::MembersCommand::List { json }),
        ) => *json,
        _ => false,
    }
}

fn run(session: &Session, command: Command) -> Result<ExitCode> {
    match command {
        Command::Space(command) => commands::space(session, command),
        Command::Import(args) => import::import(session, &args),
        Command::Export(args) => commands::export(session, &args),
        Command::Search(args) => commands::search(session, &args),
        Command::Around(args) => commands::around(session, &args),
        Command::Tasks(args) => commands::tasks(session, &args),
        Command::Show(args) => commands::show(session, &args),
        Command::List(command) => lists::list(session, command),
        Command::Memory(command) => memory::memory(session, command),
        Command::Knowledge(command) => memory::knowledge(session, command),
        Command::Forget(args) => commands::forget(session, &args),
        Command::Backup(args) => commands::backup(session, &args),
        Command::Restore(args) => commands::restore(session, &args),
        Command::Doctor(args) => commands::doctor(session, &args),
        Command::Tool(args) => commands::tool(session, &args),
        Command::Desktop => commands::desktop(session),
        Command::Mcp(args) => mcp::mcp(session, &args),
        Command::Completions { shell } => {
            let mut command = <Cli as clap::CommandFactory>::command();
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut command, "kiroku", &mut script);
            output::print(&String::from_utf8_lossy(&script))?;
            Ok(ExitCode::SUCCESS)
        }
    }
}
