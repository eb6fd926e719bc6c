//! The exchange format's two ways: a space out as JSON Lines, and back in. What the rows are is told in
//! [`kiroku_sources::exchange`]; here they are joined with what the engines keep.

mod export;
mod import;
mod lists;

pub use export::ExportOptions;
pub use import::ExchangeReport;
