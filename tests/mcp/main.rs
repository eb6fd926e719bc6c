//! The MCP server as agents meet it: the real `kiroku mcp` over standard input and output, driven by the official
//! TypeScript SDK's client, and by hand where a client would not go.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "these are tests")]

mod raw;
mod sdk;
