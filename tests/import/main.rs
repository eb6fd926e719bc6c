//! Importing as the desktop app and the command line do it: sessions that repeat each other, lists in files of their own,
//! what is left out, what is stopped half-way, and what comes while it is watched.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "these are tests")]

mod excluded;
mod files;
mod lists;
mod place;
mod repeated;
mod watched;
