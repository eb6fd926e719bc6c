//! `kiroku desktop`: opens the app, which is a program of its own so that the command line needs no webview.

use crate::Session;
use kiroku_model::{Error, ErrorCode, Result, text};
use std::process::{Command, ExitCode, Stdio};

/// The app's program; it stands beside this one, or on the path.
const APP: &str = "kiroku-desktop";

pub fn desktop(session: &Session) -> Result<ExitCode> {
    let beside = std::env::current_exe().ok().and_then(|program| {
        let app = program.parent()?.join(format!("{APP}{}", std::env::consts::EXE_SUFFIX));
        app.is_file().then_some(app)
    });
    let mut command = Command::new(beside.unwrap_or_else(|| APP.into()));
    // A space that was named is opened; otherwise the app goes where it was.
    command.args(session.space.as_deref().map(crate::place::absolute));
    command.stdin(Stdio::null()).spawn().map_err(|error| {
        Error::new(
            ErrorCode::Unavailable,
            text!(
                en: "the desktop app ({APP}) can't be started: {error}",
                ja: "デスクトップアプリ（{APP}）を起動できません: {error}"
            ),
        )
    })?;
    Ok(ExitCode::SUCCESS)
}
