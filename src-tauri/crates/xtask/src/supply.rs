//! `cargo xtask supply`: the licences and the integrity of everything that we take in, offline; and, where `cargo deny`
//! and its database of advisories can be had, what is known against any of it.

use crate::Places;
use crate::command::Failure;
use std::env;
use std::path::PathBuf;

/// `cargo xtask supply`.
pub fn supply(places: &Places) -> Result<(), Failure> {
    places.cargo().args(["run", "--quiet", "--package", "kiroku-tests", "--bin", "supply", "--", "check"]).run()?;
    if !places.cargo().args(["deny", "--version"]).works() {
        println!("  advisories were NOT looked at: cargo-deny is not installed (cargo install cargo-deny)");
        return Ok(());
    }
    places.cargo().args(["deny", "--log-level", "error", "check", "licenses", "bans", "sources"]).run()?;
    if !places.cargo().args(["deny", "fetch", "db"]).works() {
        if !has_database() {
            println!("  advisories were NOT looked at: their database can't be reached, and there is no copy here");
            return Ok(());
        }
        println!("  the database of advisories can't be reached: this machine's copy is used, which may be old");
    }
    // What was fetched just now is read without asking again.
    places.cargo().args(["deny", "--offline", "--log-level", "error", "check", "advisories"]).run()
}

/// Whether cargo-deny keeps a copy of the advisories here.
fn has_database() -> bool {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(env::home_dir()?.join(".cargo")));
    let copies = home.and_then(|home| home.join("advisory-dbs").read_dir().ok());
    copies.is_some_and(|copies| copies.flatten().any(|entry| entry.path().is_dir()))
}
