//! Printing: JSON, text with colours where there is a terminal, and errors.

use crate::Session;
use anstyle::{AnsiColor, Style};
use kiroku_api::types::Answer;
use kiroku_model::{Error, Lang, Result, text};
use serde::Serialize;
use std::io::{IsTerminal, Write};
use std::process::{Command, ExitCode, Stdio};

/// Marks what matters least, names, and matches.
pub const DIM: Style = Style::new().dimmed();
pub const NAME: Style = Style::new().bold();
pub const MATCH: Style = Style::new().bold().fg_color(Some(anstyle::Color::Ansi(AnsiColor::Yellow)));

/// Prints a value as JSON, on one line.
pub fn json(value: &impl Serialize) -> Result<()> {
    let line = serde_json::to_string(value).map_err(Error::internal)?;
    print(&format!("{line}\n"))
}

/// Prints text (colours are taken out where standard output is no terminal).
pub fn print(text: &str) -> Result<()> {
    let mut out = anstream::stdout();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|error| write_error(&error))
}

/// Prints a text that may be long: on a terminal that is too low for it, through the person's pager.
pub fn page(text: &str) -> Result<()> {
    let long = text.lines().count() > 40;
    if !long || !std::io::stdout().is_terminal() || std::env::var_os("NO_PAGER").is_some() {
        return print(text);
    }
    let pager =
        std::env::var("PAGER").ok().filter(|pager| !pager.trim().is_empty()).unwrap_or_else(|| "less".to_owned());
    let mut words = pager.split_whitespace();
    let started = Command::new(words.next().unwrap_or("less"))
        .args(words)
        // Less shows colours, and ends by itself when all fits.
        .env("LESS", std::env::var("LESS").unwrap_or_else(|_| "FRX".to_owned()))
        .stdin(Stdio::piped())
        .spawn();
    let Ok(mut child) = started else { return print(text) };
    if let Some(mut input) = child.stdin.take() {
        // The person may close the pager before the end.
        let _ = input.write_all(text.as_bytes());
    }
    let _ = child.wait();
    Ok(())
}

fn write_error(error: &std::io::Error) -> Error {
    Error::io(text!(en: "writing", ja: "書き込み"), error).with("os", format!("{:?}", error.kind()))
}

/// Whether the reader of our output has gone, which is no failure of ours.
pub fn is_broken_pipe(error: &Error) -> bool {
    error.details().get("os").is_some_and(|kind| kind == "BrokenPipe")
}

/// Says what failed: for a person on standard error, for a program as JSON on standard output. Answers the exit status.
pub fn failed(error: &Error, lang: Lang, as_json: bool) -> ExitCode {
    let code = ExitCode::from(error.code().exit_status());
    if as_json {
        let _ = json(&serde_json::json!({ "error": error.to_wire(lang) }));
    } else {
        let message = error.message().get(lang);
        let _ = writeln!(anstream::stderr(), "kiroku: {message}");
    }
    code
}

/// Prints a message, and ends well.
pub fn say(session: &Session, message: kiroku_model::Text) -> Result<ExitCode> {
    print(&format!("{}\n", message.get(session.lang)))?;
    Ok(ExitCode::SUCCESS)
}

/// Prints why there is no answer, which is an answer too.
pub fn unavailable<T>(answer: &Answer<T>) -> Result<ExitCode> {
    print(&format!("{}\n", answer.message.as_deref().unwrap_or_default()))?;
    Ok(ExitCode::SUCCESS)
}
