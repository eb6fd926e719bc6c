//! `kiroku export`: everything that a space holds, as JSON Lines.

use crate::Session;
use crate::args::ExportArgs;
use crate::output::say;
use kiroku_api::ExportOptions;
use kiroku_model::{Error, Result, text};
use std::io::{BufWriter, Write};
use std::process::ExitCode;

/// Writes on, and remembers whether the reader of a pipe has gone.
struct Piped<W> {
    to: W,
    broken: bool,
}

impl<W> Piped<W> {
    fn seen<T>(&mut self, result: std::io::Result<T>) -> std::io::Result<T> {
        self.broken |= result.as_ref().is_err_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe);
        result
    }
}

impl<W: Write> Write for Piped<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let written = self.to.write(bytes);
        self.seen(written)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        let flushed = self.to.flush();
        self.seen(flushed)
    }
}

pub fn export(session: &Session, args: &ExportArgs) -> Result<ExitCode> {
    let workspace = session.open()?;
    let options = ExportOptions { redact: args.redact };
    let Some(path) = &args.output else {
        let mut out = Piped { to: BufWriter::new(std::io::stdout().lock()), broken: false };
        let written = workspace
            .export(&mut out, options, &session.cancel)
            .and_then(|_| out.flush().map_err(|error| Error::io(text!(en: "writing", ja: "書き込み"), &error)));
        // Whoever reads may stop reading.
        return if out.broken { Ok(ExitCode::SUCCESS) } else { written.map(|()| ExitCode::SUCCESS) };
    };
    let failed = |error: &std::io::Error| {
        let path = path.display();
        Error::io(text!(en: "writing {path}", ja: "{path} への書き込み"), error)
    };
    // Made new, and only for this user's eyes: it holds whole conversations.
    let mut open = std::fs::OpenOptions::new();
    open.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut open, 0o600);
    let mut out = BufWriter::new(open.open(path).map_err(|error| failed(&error))?);
    let written = workspace.export(&mut out, options, &session.cancel).and_then(|rows| {
        out.flush().and_then(|()| out.get_ref().sync_all()).map_err(|error| failed(&error))?;
        Ok(rows)
    });
    match written {
        Ok(rows) => {
            let path = path.display();
            say(session, text!(en: "wrote {rows} rows to {path}", ja: "{path} に {rows} 行を書き出しました"))
        }
        Err(error) => {
            let _ = std::fs::remove_file(path);
            Err(error)
        }
    }
}
