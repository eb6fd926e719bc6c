//! The process around the server: standard input and output for the protocol, standard error for the log, and an end
//! when the input ends.

use crate::{ServeOptions, serve};
use kiroku_api::Workspace;
use kiroku_model::{Error, Result, text};
use std::sync::Arc;
use std::time::Duration;

/// How long work that was cancelled at the end may take to stop.
const GRACE: Duration = Duration::from_secs(5);

/// Serves the space over standard input and output until the input ends. Nothing but the protocol is written to
/// standard output; warnings go to standard error.
pub fn serve_stdio(workspace: Arc<Workspace>, options: ServeOptions) -> Result<()> {
    let log = tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .with_max_level(tracing::Level::WARN)
        .with_ansi(false)
        .finish();
    // One that is set already is as good.
    drop(tracing::subscriber::set_global_default(log));
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|error| Error::io(text!(en: "starting the server", ja: "サーバーの起動"), &error))?;
    let served = runtime.block_on(async { serve(workspace, options, rmcp::transport::io::stdio_pipes()).await });
    runtime.shutdown_timeout(GRACE);
    served
}
