//! `cargo xtask supply`: what the programs are made of. Everything here works offline, from the lock files and the
//! packages that a build has brought in already; `cargo deny` adds the advisories where it can be had.

mod cargo;
mod licence;
mod notices;
mod npm;

use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

/// Whatever went wrong, for the person who runs it.
type Result<T, E = Box<dyn std::error::Error + Send + Sync>> = std::result::Result<T, E>;

/// Looks at the licences and the integrity of all dependencies.
#[derive(Parser)]
struct Options {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Every package has a licence of the list in deny.toml, and every npm package is fixed by its hash
    Check,
    /// Write the licences of everything that is compiled into the programs
    Notices {
        /// The file
        file: PathBuf,
    },
}

fn main() -> ExitCode {
    let done = match Options::parse().command {
        Command::Check => check(),
        Command::Notices { file } => notices::write(&file),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("supply: {error}");
            ExitCode::FAILURE
        }
    }
}

fn check() -> Result<()> {
    let allowed = licence::allowed()?;
    let mut faults = Vec::new();
    let crates = cargo::packages()?;
    for package in &crates {
        match &package.licence {
            Some(licence) if licence::allows(licence, &allowed) => {}
            Some(licence) => faults.push(format!("{}: the licence {licence} is not in deny.toml", package.named())),
            None => faults.push(format!("{}: no licence is named", package.named())),
        }
    }
    let mut modules = 0;
    for lock in npm::LOCKS {
        let locked = npm::locked(lock)?;
        modules += locked.len();
        for package in locked {
            match &package.licence {
                Some(licence) if licence::allows(licence, &allowed) => {}
                other => faults.push(format!("{lock}: {}: the licence {other:?} is not in deny.toml", package.name)),
            }
            if !package.fixed {
                faults.push(format!("{lock}: {} is not fixed by a SHA-512 hash", package.name));
            }
        }
    }
    if faults.is_empty() {
        println!(
            "{} crates and {modules} npm packages: every licence is allowed, every npm package fixed by its hash",
            crates.len()
        );
        return Ok(());
    }
    Err(format!("{} faults\n{}", faults.len(), faults.join("\n")).into())
}
