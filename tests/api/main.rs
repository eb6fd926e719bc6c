//! The engines behind the façade, held against plain definitions of what they must answer.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "these are tests")]

mod cap;
mod corpus;
mod files;
mod oracle;
mod upkeep;
