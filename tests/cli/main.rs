//! The command line as people and scripts meet it: every test runs the real `kiroku` in a home of its own.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "these are tests")]

mod example;
mod exchange;
mod import;
mod lists;
mod memory;
mod redaction;
mod scope;
mod search;
mod sessions;
mod space;
mod tools;
