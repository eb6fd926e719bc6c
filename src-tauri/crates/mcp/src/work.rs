//! Engine work off the connection's own thread, cancelled with the request that asked for it.

use kiroku_model::{Cancel, Error, Result};
use rmcp::RoleServer;
use rmcp::service::RequestContext;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// Calls at work at once at most: several times what the space's readers serve, so that one long call holds up none.
const AT_ONCE: usize = 16;

/// Where engine work is done.
#[derive(Clone)]
pub(crate) struct Work(Arc<Semaphore>);

impl Work {
    pub(crate) fn new() -> Work {
        Work(Arc::new(Semaphore::new(AT_ONCE)))
    }

    /// Runs `job` on a thread where it may block. It is given a token that is used when the client takes the request
    /// back, or the connection ends. A job that panics is an internal error, and ends nothing else.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        request: &RequestContext<RoleServer>,
        job: impl FnOnce(&Cancel) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let permit = tokio::select! {
            permit = Arc::clone(&self.0).acquire_owned() => permit.map_err(Error::internal)?,
            () = request.ct.cancelled() => return Err(Error::cancelled()),
        };
        let cancel = Cancel::new();
        let token = cancel.clone();
        let mut job = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            job(&token)
        });
        let done = tokio::select! {
            done = &mut job => done,
            () = request.ct.cancelled() => {
                cancel.cancel();
                job.await
            }
        };
        done.map_err(Error::internal)?
    }
}
