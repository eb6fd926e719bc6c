//! `cargo xtask drill`: what "nothing lost" means, tried with real processes, real kills and real disks.
//!
//! Each drill prints what it did and how often; without a name all of them run. A violation is printed with the folder in
//! which its space is kept, and the exit status is 1.

#[path = "../bench/random.rs"]
#[allow(dead_code)] // shared with the benchmark, which uses all of it
mod random;
#[path = "../bench/sessions.rs"]
mod sessions;
#[path = "../bench/words.rs"]
#[allow(dead_code)]
mod words;

mod apart;
mod broken;
mod gone;
mod input;
mod kills;
mod kiroku;
mod record;
mod writers;
mod writes;

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
    /// The short form of all
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
    /// Kill a writer of comments, lists and records at random moments
    Writes {
        /// How often
        #[arg(long, default_value_t = 200)]
        kills: u32,
        /// What the moments are made from
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Two processes, ten threads each, write and read one space
    Writers {
        /// Comments that each thread writes
        #[arg(long, default_value_t = 100)]
        comments: u32,
    },
    /// Fill small disks by an import
    FullDisk {
        /// How many disks
        #[arg(long, default_value_t = 20)]
        rounds: u32,
        /// What their sizes are made from
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Break the space's file in every way, use it, and restore it
    Broken {
        /// How many files
        #[arg(long, default_value_t = 120)]
        rounds: u32,
        /// What the faults are made from
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Remove and replace the file while it is open
    Gone {
        /// How often
        #[arg(long, default_value_t = 20)]
        rounds: u32,
    },
    /// Work where there is no network
    Network,
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
    /// The writer that is killed
    #[command(hide = true)]
    Scribble {
        /// The space
        space: PathBuf,
        /// Last comment, list and record that are there
        from: Vec<u64>,
    },
    #[command(hide = true)]
    FullDiskInside { rounds: u32, seed: u64 },
    #[command(hide = true)]
    NetworkInside,
}

fn main() -> ExitCode {
    let options = Options::parse();
    let done = match options.drill {
        Some(Drill::Import { kills, seed }) => kills::drill(kills, seed),
        Some(Drill::Writes { kills, seed }) => writes::drill(kills, seed),
        Some(Drill::Writers { comments }) => writers::drill(comments),
        Some(Drill::FullDisk { rounds, seed }) => apart::full_disk(rounds, seed),
        Some(Drill::Broken { rounds, seed }) => broken::drill(rounds, seed),
        Some(Drill::Gone { rounds }) => gone::drill(rounds),
        Some(Drill::Network) => apart::network(),
        Some(Drill::Writer { space, name, comments }) => writers::write(&space, &name, comments),
        Some(Drill::Scribble { space, from }) => match from[..] {
            [comment, list, record] => writes::scribble(&space, comment, list, record),
            _ => Err("three numbers are needed".into()),
        },
        Some(Drill::FullDiskInside { rounds, seed }) => apart::full_disk_inside(rounds, seed),
        Some(Drill::NetworkInside) => apart::network_inside(),
        None => all(options.short),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("drill: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Every drill, one after the other; those of the suite are the short ones.
fn all(short: bool) -> Result<()> {
    let or = |long: u32, brief: u32| if short { brief } else { long };
    kills::drill(or(200, 30), 1)?;
    writes::drill(or(200, 30), 1)?;
    writers::drill(or(100, 20))?;
    apart::full_disk(or(20, 2), 1)?;
    broken::drill(or(120, 12), 1)?;
    gone::drill(or(20, 2))?;
    apart::network()
}

/// The failure; what it is about stays where it is.
fn kept(folder: tempfile::TempDir, error: &str) -> Box<dyn std::error::Error + Send + Sync> {
    format!("{error}\nkept in {}", folder.keep().display()).into()
}
