//! The first search of a fresh process: from its start to its end, as a person at a terminal waits for it. Warm (the file
//! is in the system's cache) and, where the system lets us empty that cache, cold.
//!
//! The process is `kiroku search` where the program stands beside this one (`cargo build --release -p kiroku-cli`), else
//! this program itself with `--first-search`, which opens the space and asks one query.

use crate::measure;
use crate::queries::Query;
use crate::stats::Times;
use crate::{Result, space};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

const DROP_CACHES: &str = "/proc/sys/vm/drop_caches";

/// What was measured.
pub struct Fresh {
    /// The program that searched.
    pub program: &'static str,
    /// With the file in the system's cache.
    pub warm: Times,
    /// Without.
    pub cold: Times,
}

/// Runs each query in a process of its own: all of them warm, the first `cold` of them cold.
pub fn measure(path: &Path, queries: &[Query], cold: usize) -> Result<Fresh> {
    let ours = std::env::current_exe()?;
    let kiroku = ours.with_file_name(format!("kiroku{}", std::env::consts::EXE_SUFFIX));
    let program = if kiroku.exists() { "kiroku search" } else { "bench --first-search" };
    let run = |query: &Query, times: &mut Times| -> Result<()> {
        let mut command = if kiroku.exists() {
            let mut command = Command::new(&kiroku);
            command.args(["search", "--json", "--limit", "30", "--space"]).arg(path).arg("--");
            command
        } else {
            let mut command = Command::new(&ours);
            command.arg("--first-search").arg(path).arg("--");
            command
        };
        command.args(&query.terms).stdin(Stdio::null()).stdout(Stdio::null());
        let begun = Instant::now();
        let status = command.status()?;
        times.push(begun.elapsed());
        if !status.success() {
            return Err(format!("`{program}` ended with {status}").into());
        }
        Ok(())
    };
    let mut fresh = Fresh { program, warm: Times::default(), cold: Times::default() };
    for query in queries {
        run(query, &mut fresh.warm)?;
    }
    for query in queries.iter().take(cold) {
        // What is written must be on the disk, or emptying the cache leaves it there.
        let synced = Command::new("sync").status().is_ok_and(|status| status.success());
        if !synced || std::fs::write(DROP_CACHES, "3").is_err() {
            break;
        }
        run(query, &mut fresh.cold)?;
    }
    Ok(fresh)
}

/// What the process does when it is this program.
pub fn first_search(path: &Path, terms: &[String]) -> Result<()> {
    let workspace = space::open(path)?;
    let query = Query { terms: terms.to_vec(), ..Query::default() };
    println!("{}", measure::search(workspace.conversations(), &query)?.total);
    Ok(())
}
