//! Engine work off the connection's own thread, cancelled with the request that asked for it.

use kiroku_model::{Cancel, Error, Result};
use std::pin::pin;
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

    /// Runs `job` on a thread where it may block. It is given a token that is used when `taken_back` is ready: the client
    /// cancelled the request, or the connection ends. A job that panics is an internal error, and ends nothing else.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        taken_back: impl Future<Output = ()>,
        job: impl FnOnce(&Cancel) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let mut taken_back = pin!(taken_back);
        let permit = tokio::select! {
            permit = Arc::clone(&self.0).acquire_owned() => permit.map_err(Error::internal)?,
            () = &mut taken_back => return Err(Error::cancelled()),
        };
        let cancel = Cancel::new();
        let token = cancel.clone();
        let mut job = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            job(&token)
        });
        let done = tokio::select! {
            done = &mut job => done,
            () = &mut taken_back => {
                cancel.cancel();
                job.await
            }
        };
        done.map_err(Error::internal)?
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kiroku_model::ErrorCode;
    use tokio::sync::oneshot;

    /// A job that works until it is cancelled, and says when it has begun.
    fn endless(begun: oneshot::Sender<()>) -> impl FnOnce(&Cancel) -> Result<()> + Send + 'static {
        move |cancel| {
            begun.send(()).unwrap();
            while !cancel.is_cancelled() {
                std::thread::yield_now();
            }
            cancel.check()
        }
    }

    async fn taken_back(when: oneshot::Receiver<()>) {
        when.await.unwrap();
    }

    #[tokio::test]
    async fn what_is_taken_back_stops_at_work_and_waiting() {
        let work = Work::new();
        let (mut stops, mut jobs) = (Vec::new(), tokio::task::JoinSet::new());
        // The last one finds no place to begin.
        for number in 0..=AT_ONCE {
            let ((begun, has_begun), (stop, stopped)) = (oneshot::channel(), oneshot::channel());
            let work = work.clone();
            jobs.spawn(async move { work.run(taken_back(stopped), endless(begun)).await });
            if number < AT_ONCE {
                has_begun.await.unwrap();
            }
            stops.push(stop);
        }
        assert!(jobs.try_join_next().is_none());
        for stop in stops.into_iter().rev() {
            stop.send(()).unwrap();
            let ended = jobs.join_next().await.unwrap().unwrap();
            assert_eq!(ended.unwrap_err().code(), ErrorCode::Cancelled);
        }
        assert_eq!(work.run(std::future::pending(), |_| Ok(1)).await.unwrap(), 1);
    }

    #[tokio::test]
    async fn a_panic_is_an_internal_error() {
        let work = Work::new();
        let failed = work.run(std::future::pending(), |_| -> Result<()> { panic!("expected by the test") }).await;
        assert_eq!(failed.unwrap_err().code(), ErrorCode::Internal);
        assert_eq!(work.run(std::future::pending(), |_| Ok(1)).await.unwrap(), 1);
    }
}
