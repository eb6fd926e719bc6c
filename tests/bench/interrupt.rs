//! How soon a search stops that nobody waits for any more: taken back at some moment of its run, as the next key press
//! takes it back. The slowest query of each class, and the same with every hit counted, which is the longest work there
//! is.

use crate::Result;
use crate::measure::{self, Measured};
use crate::queries::{Class, Query};
use crate::stats::Times;
use kiroku_model::{Call, Cancel, ErrorCode};
use kiroku_search::Conversations;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

/// The moments: parts of a hundred of the time that the query takes.
const MOMENTS: [u32; 4] = [10, 35, 60, 85];

/// What was measured.
#[derive(Default)]
pub struct Interrupts {
    /// From taking back to the answer "cancelled".
    pub stops: Times,
    /// The slowest.
    pub worst: String,
}

/// Takes searches back. `measured`: what the classes came to.
pub fn measure(engine: &Conversations, classes: &[Class], measured: &[Measured]) -> Result<Interrupts> {
    let mut found = Interrupts::default();
    let mut asked = Vec::new();
    for (class, measured) in classes.iter().zip(measured) {
        let Some(query) = measured.ours.worst().and_then(|(at, _)| class.queries.get(at)) else { continue };
        for count_all in [false, true] {
            let begun = Instant::now();
            run(engine, query, count_all, &Cancel::new())?;
            let whole = begun.elapsed();
            for part in MOMENTS {
                if let Some(took) = take_back(engine, query, count_all, whole * part / 100)? {
                    found.stops.push(took);
                    asked.push(format!("{}{}", query.shown(), if count_all { ", all counted" } else { "" }));
                }
            }
        }
    }
    found.worst = found.stops.worst().map(|(at, _)| asked[at].clone()).unwrap_or_default();
    Ok(found)
}

/// Takes a search back `after` it began; how long it then went on. `None` if it was done by then.
fn take_back(engine: &Conversations, query: &Query, count_all: bool, after: Duration) -> Result<Option<Duration>> {
    let cancel = Cancel::new();
    let (begin, begun) = channel();
    std::thread::scope(|scope| {
        let search = scope.spawn(|| {
            let _ = begin.send(());
            let stopped = run(engine, query, count_all, &cancel)?;
            Ok::<_, crate::Error>((stopped, Instant::now()))
        });
        begun.recv()?;
        std::thread::sleep(after);
        let taken_back = Instant::now();
        cancel.cancel();
        let (stopped, at) = search.join().map_err(|_| "the searching thread panicked")??;
        Ok(stopped.then(|| at.saturating_duration_since(taken_back)))
    })
}

/// Asks; answers whether it was stopped.
fn run(engine: &Conversations, query: &Query, count_all: bool, cancel: &Cancel) -> Result<bool> {
    let call = Call { cancel: cancel.clone(), ..measure::call() };
    let mut query = query.to_engine();
    query.count_all = count_all;
    match engine.search(&call, &query) {
        Ok(_) => Ok(false),
        Err(error) if error.code() == ErrorCode::Cancelled => Ok(true),
        Err(error) => Err(error.into()),
    }
}
