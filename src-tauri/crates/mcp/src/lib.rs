//! The tools over MCP (the Model Context Protocol): `kiroku mcp` for any agent that speaks it.
//!
//! Nothing is decided here that another door would decide too: the tools, their schemas and what they answer are
//! `kiroku_api::tools`, and this crate carries them over the protocol. What is its own is what only MCP has: who a
//! connection is ([`ServeOptions`]), resources and their subscriptions, prompts and cancelling.
//! It is the only crate that knows `rmcp`.

mod growing;
mod identity;
mod prompts;
mod resources;
mod schema;
mod server;
mod stdio;
mod uri;
mod watch;
mod work;

pub use identity::{ServeOptions, TaskChoice, ThreadChoice};
pub use server::serve;
pub use stdio::serve_stdio;
