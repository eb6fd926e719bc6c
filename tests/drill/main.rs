//! `cargo xtask drill`: what "nothing lost" means, tried with real processes that are really killed.
//!
//! `drill import` kills `kiroku import` again and again and looks whether what it had committed is all there and whole;
//! `drill writers` lets two processes with ten threads each write and read one space. With neither, both. A violation is
//! printed with the folder in which its space is kept, and the exit status is 1.

#[path = "../bench/random.rs"]
#[allow(dead_code)] // shared with the benchmark, which uses all of it
mod random;
#[path = "../bench/sessions.rs"]
mod sessions;
#[path = "../bench/words.rs"]
#[allow(dead_code)]
mod words;

mod input;
mod kills;
mod kiroku;
mod record;
mod writers;

use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

/// Whatever went wrong, for the person who runs it.
type Result<T, E = Box<dyn std::error::Error + Send + Sync>> = std::result::Result<T, E>;

/// Kills and crowds, and looks what is left.
#[derive(Parser)]
struct Options {
    #[command(subcommand)]
    drill: Option<Drill>,
    /// The short form of both
    #[arg(long)]
    short: bool,
}

#[derive(Subcommand)]
enum Drill {
    /// Kill an import at random moments
    Import {
        /// How often
        #[arg(long, default_value_t = 200)]
        kills: u32,
        /// What the files and the moments are made from
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Two processes, ten threads each, write and read one space
    Writers {
        /// Comments that each thread writes
        #[arg(long, default_value_t = 100)]
        comments: u32,
    },
    /// What one of those processes does
    #[command(hide = true)]
    Writer {
        /// The space
        space: PathBuf,
        /// The process's name
        name: String,
        /// Comments that each thread writes
        comments: u32,
    },
}

fn main() -> ExitCode {
    let options = Options::parse();
    let (kills, comments) = if options.short { (60, 20) } else { (200, 100) };
    let done = match options.drill {
        Some(Drill::Import { kills, seed }) => kills::drill(kills, seed),
        Some(Drill::Writers { comments }) => writers::drill(comments),
        Some(Drill::Writer { space, name, comments }) => writers::write(&space, &name, comments),
        None => kills::drill(kills, 1).and_then(|()| writers::drill(comments)),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("drill: {error}");
            ExitCode::FAILURE
        }
    }
}
