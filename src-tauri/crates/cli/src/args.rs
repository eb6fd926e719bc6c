//! What the command line takes. The help texts here are the reference of the commands.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Kiroku (記録): the record that AI agents leave, to search, read and keep.
#[derive(Parser)]
#[command(name = "kiroku", version, propagate_version = true, max_term_width = 100)]
pub struct Cli {
    #[command(flatten)]
    pub common: Common,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Args)]
pub struct Common {
    /// The space file; by itself .kiroku/space.db in this folder or the nearest one above that has it
    #[arg(long, global = true, value_name = "FILE")]
    pub space: Option<PathBuf>,
    /// Act as this member; by itself the space's owner (kiroku tool and kiroku mcp: nobody)
    #[arg(long = "as", global = true, value_name = "MEMBER")]
    pub member: Option<String>,
    /// Language of messages; by itself the system's
    #[arg(long, global = true, value_enum)]
    pub lang: Option<LangArg>,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum LangArg {
    /// 日本語
    Ja,
    /// English
    En,
}

#[derive(Subcommand)]
pub enum Command {
    /// Make a space, say what it is, tend its members
    #[command(subcommand)]
    Space(SpaceCommand),
    /// Bring in agents' sessions, or a file in the exchange format
    Import(ImportArgs),
    /// Write everything that the space holds, in the exchange format
    Export(ExportArgs),
    /// Search the conversations of all tasks by parts of words
    Search(SearchArgs),
    /// Read the raw conversation around a comment
    Around(AroundArgs),
    /// List the tasks, newest update first
    Tasks(TasksArgs),
    /// Read a task with its conversation, or a comment with its tool call
    Show(ShowArgs),
    /// Look at agents' task lists, their history, and put an earlier one back
    #[command(subcommand)]
    List(ListCommand),
    /// Search, read, check and change the memory records
    #[command(subcommand)]
    Memory(MemoryCommand),
    /// Search the knowledge records
    #[command(subcommand)]
    Knowledge(KnowledgeCommand),
    /// Remove a task, a comment or a passage for good
    Forget(ForgetArgs),
    /// Make a backup now, or list them
    Backup(BackupArgs),
    /// Put a backup in the space's place
    Restore(RestoreArgs),
    /// Check the space, and mend what can be mended
    Doctor(DoctorArgs),
    /// Call one of the agents' tools: JSON in on standard input, JSON out
    Tool(ToolArgs),
    /// Serve the tools to an agent over MCP, on standard input and output
    Mcp(McpArgs),
    /// Open the desktop app, on the space that --space names
    Desktop,
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

#[derive(Subcommand)]
pub enum SpaceCommand {
    /// Make a new space
    New(SpaceNewArgs),
    /// Say what the space is and how much it holds
    Info {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Give the space another name
    Rename {
        /// The new name
        name: String,
    },
    /// List, add and remove members
    #[command(subcommand)]
    Members(MembersCommand),
}

#[derive(Args)]
pub struct SpaceNewArgs {
    /// The space's name
    #[arg(long)]
    pub name: String,
    /// Id of its first member, who is the owner
    #[arg(long, value_name = "ID")]
    pub member: String,
    /// The owner's display name; by itself the id
    #[arg(long, value_name = "NAME")]
    pub member_name: Option<String>,
    /// Make it even on a network drive or in a folder that is synchronised
    #[arg(long)]
    pub anyway: bool,
}

#[derive(Subcommand)]
pub enum MembersCommand {
    /// List them
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Add one
    Add {
        /// The id by which calls name the member
        id: String,
        /// Display name; by itself the id
        #[arg(long)]
        name: Option<String>,
        /// Make the member an owner
        #[arg(long)]
        owner: bool,
    },
    /// Remove one; what the member wrote stays
    Remove {
        /// The member's id
        id: String,
    },
}

#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct ImportArgs {
    #[command(subcommand)]
    pub command: Option<ImportCommand>,
    /// Session files or folders of them, or - for standard input (exchange format); by itself the sessions that agents
    /// had in this folder
    pub paths: Vec<PathBuf>,
    /// The format; by itself it is told from the file
    #[arg(long, value_enum)]
    pub from: Option<FromArg>,
    /// Then go on importing what agents write, until Ctrl-C
    #[arg(long)]
    pub watch: bool,
    /// Leave this folder (or source) out, now and from now on
    #[arg(long, value_name = "PATH")]
    pub exclude: Vec<PathBuf>,
    /// Print the report as JSON (with --watch: one a line)
    #[arg(long)]
    pub json: bool,
}

impl ImportArgs {
    pub fn wants_json(&self) -> bool {
        let listed = |command: &ImportCommand| {
            matches!(command, ImportCommand::Exclusions(ExclusionsCommand::List { json: true }))
        };
        self.json || self.command.as_ref().is_some_and(listed)
    }
}

#[derive(Subcommand)]
pub enum ImportCommand {
    /// List, add and take back what is left out of importing
    #[command(subcommand)]
    Exclusions(ExclusionsCommand),
}

#[derive(Subcommand)]
pub enum ExclusionsCommand {
    /// List them
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Leave out what worked in a folder, or a whole source; what was imported of it stays
    Add {
        /// A folder, or a source: claude-code, codex
        what: PathBuf,
    },
    /// Let it in again
    Remove {
        /// The folder, or the source
        what: PathBuf,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FromArg {
    /// Session files of Claude Code
    ClaudeCode,
    /// Session files of Codex
    Codex,
    /// Kiroku's own exchange format
    Kiroku,
}

#[derive(Args)]
pub struct ExportArgs {
    /// Take secrets out of every text
    #[arg(long)]
    pub redact: bool,
    /// Write to this file, made new, instead of standard output
    #[arg(long, short, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Args)]
pub struct SearchArgs {
    /// The words; part of a word is enough
    #[arg(required = true)]
    pub query: Vec<String>,
    /// Only comments with every word
    #[arg(long)]
    pub all: bool,
    /// Comments to show before and after each hit
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=5))]
    pub context: u8,
    /// Hits at most
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub limit: u16,
    /// Only this kind: request, interjection, result, ask, progress, handoff
    #[arg(long, value_name = "K")]
    pub kind: Option<String>,
    /// Only what user, agent, or this member said
    #[arg(long, value_name = "A")]
    pub author: Option<String>,
    /// Only this task
    #[arg(long, value_name = "N")]
    pub task: Option<String>,
    /// Only tasks in this state: queued, running, waiting, completed, failed, interrupted
    #[arg(long, value_name = "S")]
    pub state: Vec<String>,
    /// Only since this day or time, such as 2026-06-20 or 2026-06-20T10:00:00Z
    #[arg(long, value_name = "D")]
    pub since: Option<String>,
    /// Only before this day or time
    #[arg(long, value_name = "D")]
    pub until: Option<String>,
    /// Newest first, whatever the words are
    #[arg(long)]
    pub newest: bool,
    /// Go on after this hit (comment:ID)
    #[arg(long, value_name = "REF")]
    pub after: Option<String>,
    /// Count every hit, however many
    #[arg(long)]
    pub count_all: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct AroundArgs {
    /// The comment, as comment:ID
    pub comment: String,
    /// Comments before and after it
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub context: u16,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct TasksArgs {
    /// Only open or closed ones
    #[arg(long, value_enum)]
    pub state: Option<StateArg>,
    /// Tasks at most
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub limit: usize,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum StateArg {
    /// Queued, running or waiting
    Open,
    /// Completed, failed or interrupted
    Closed,
}

#[derive(Args)]
pub struct ShowArgs {
    /// task:ID or comment:ID
    pub what: String,
    /// Comments to pass over from the start
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub offset: u64,
    /// Comments at most; by itself all
    #[arg(long, value_name = "N")]
    pub limit: Option<usize>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct RecordArgs {
    /// summary, decision, request or knowledge
    pub kind: String,
    /// The record's slug; none for the summary
    pub slug: Option<String>,
}

#[derive(Subcommand)]
pub enum MemoryCommand {
    /// List all records, with how many faults each has
    Ls {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Search summary, decisions and requests for lines that hold a text
    Search {
        /// The text
        #[arg(required = true)]
        query: Vec<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Print a record
    Read {
        #[command(flatten)]
        record: RecordArgs,
        /// Print JSON, with the hash
        #[arg(long)]
        json: bool,
    },
    /// Write a whole record from standard input
    Write {
        #[command(flatten)]
        record: RecordArgs,
        /// Refuse if the record is there already
        #[arg(long)]
        create: bool,
        /// Save it even with errors
        #[arg(long)]
        anyway: bool,
        /// The hash of what the change was made from; by itself what is there now
        #[arg(long, value_name = "HASH", conflicts_with = "create")]
        base: Option<String>,
    },
    /// Replace a text in a record
    Edit {
        #[command(flatten)]
        record: RecordArgs,
        /// The text to be replaced, exactly
        #[arg(long)]
        old: String,
        /// What stands there then
        #[arg(long)]
        new: String,
        /// Replace it everywhere, not just once
        #[arg(long)]
        all: bool,
    },
    /// Set fields of a record's frontmatter; no other line changes
    Set {
        /// summary, decision, request or knowledge
        kind: String,
        /// The slug (but for the summary), then FIELD=VALUE …; an empty VALUE takes the field out
        #[arg(required = true, value_name = "SLUG FIELD=VALUE")]
        rest: Vec<String>,
        /// Save it even with errors
        #[arg(long)]
        anyway: bool,
    },
    /// Delete a record; it can be brought back for 30 days
    Rm {
        #[command(flatten)]
        record: RecordArgs,
        /// Even while another record refers to it
        #[arg(long)]
        force: bool,
    },
    /// Bring back what was deleted or overwritten, or list it
    Restore {
        /// The entry's id
        id: Option<String>,
    },
    /// Give a record another slug; references follow
    Rename {
        #[command(flatten)]
        record: RecordArgs,
        /// The new slug
        #[arg(long)]
        to: String,
    },
    /// Check all records
    Check {
        /// Print JSON
        #[arg(long)]
        json: bool,
        /// Fail on warnings too
        #[arg(long)]
        warnings_as_errors: bool,
    },
    /// Have git check the records before each commit
    Hook {
        /// Replace a hook that is there
        #[arg(long)]
        force: bool,
    },
}

#[derive(Subcommand)]
pub enum KnowledgeCommand {
    /// Search the knowledge records for lines that hold a text
    Search {
        /// The text
        #[arg(required = true)]
        query: Vec<String>,
        /// Only records whose frontmatter has just this kind
        #[arg(long)]
        kind: Option<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

#[derive(Subcommand)]
pub enum ListCommand {
    /// Show every thread's list at a glance, or one list with its notes
    Show {
        /// task:ID or another thread's id
        thread: Option<String>,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Say how far a list is, as the agent's task_check does
    Check(ThreadArgs),
    /// Show how a list grew, newest first
    History {
        #[command(flatten)]
        args: ThreadArgs,
        /// Changes at most
        #[arg(long, value_name = "N", default_value_t = 20)]
        limit: usize,
    },
    /// Make an earlier list the list again
    Restore {
        #[command(flatten)]
        args: ThreadArgs,
        /// The row of the history
        row: i64,
        /// The list as it was before that change, not after it
        #[arg(long)]
        before: bool,
    },
}

#[derive(Args)]
pub struct ThreadArgs {
    /// task:ID or another thread's id
    pub thread: String,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct ForgetArgs {
    /// task:ID or comment:ID
    pub what: String,
    /// Of the comment, remove only this text, wherever it stands
    #[arg(long, value_name = "TEXT")]
    pub passage: Option<String>,
    /// Do not ask
    #[arg(long, short)]
    pub yes: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct BackupArgs {
    /// Only list the backups that there are
    #[arg(long)]
    pub list: bool,
}

#[derive(Args)]
pub struct RestoreArgs {
    /// The backup; by itself the newest one
    pub backup: Option<PathBuf>,
}

#[derive(Args)]
pub struct DoctorArgs {
    /// Mend what can be mended
    #[arg(long)]
    pub fix: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct ToolArgs {
    /// The tool's exact name
    pub name: String,
    /// The caller's current task
    #[arg(long, value_name = "N")]
    pub task: Option<String>,
    /// The caller runs as a subtask
    #[arg(long)]
    pub subtask: bool,
    /// The thread whose task list the caller keeps; by itself its current task's
    #[arg(long, value_name = "ID")]
    pub thread: Option<String>,
    /// The agent or person that the thread belongs to
    #[arg(long, value_name = "ID")]
    pub resource: Option<String>,
    /// Print the text for agents instead of JSON
    #[arg(long)]
    pub text: bool,
}

#[derive(Args)]
pub struct McpArgs {
    #[command(subcommand)]
    pub command: Option<McpCommand>,
    /// The caller's current task; auto: the one session that is growing in this folder now
    #[arg(long, value_name = "N|auto")]
    pub task: Option<String>,
    /// The thread whose task list the caller keeps; auto: a new one for this connection
    #[arg(long, value_name = "ID|auto")]
    pub thread: Option<String>,
    /// The agent or person that the thread belongs to
    #[arg(long, value_name = "ID")]
    pub resource: Option<String>,
    /// The caller runs as a subtask
    #[arg(long)]
    pub subtask: bool,
}

#[derive(Subcommand)]
pub enum McpCommand {
    /// Print what sets common agents up to use this space
    Install,
}
