//! The work that goes on behind a person's back: the index built anew beside the one that answers, and what is left of an
//! old one swept away. How long each step holds the writer, and what searches meanwhile take.

use crate::measure;
use crate::queries::Query;
use crate::random::Random;
use crate::stats::Times;
use crate::{Error, Result};
use kiroku_api::Workspace;
use kiroku_search::Step;
use std::time::{Duration, Instant};

/// What was measured.
#[derive(Default)]
pub struct Upkeep {
    /// Steps that built.
    pub steps: Times,
    /// Docs that they built.
    pub docs: u64,
    /// Steps that swept, and how many bytes of tables they swept away.
    pub sweeps: Times,
    /// Searches meanwhile, and the slowest of them.
    pub searches: Times,
    /// See `searches`.
    pub worst: String,
}

/// Has the index built anew for so long; then anew again, so that what is half built is to be swept away.
pub fn measure(workspace: &Workspace, queries: &[&Query], budget: Duration) -> Result<Upkeep> {
    let engine = workspace.conversations();
    let mut upkeep = Upkeep::default();
    let mut asked = Vec::new();
    std::thread::scope(|scope| -> Result<()> {
        let work = scope.spawn(|| -> Result<_> {
            let mut built = Upkeep::default();
            engine.rebuild_index()?;
            let begun = Instant::now();
            while begun.elapsed() < budget {
                match built.steps.of(|| engine.maintain("bench"))? {
                    Step::More { done, .. } => built.docs = built.docs.max(done),
                    Step::Done | Step::Elsewhere => break,
                }
            }
            // Begins by taking the half-built one away; the first step that builds again has nothing left to sweep.
            engine.rebuild_index()?;
            while let Step::More { done: 0, .. } = built.sweeps.of(|| engine.maintain("bench"))? {}
            Ok::<_, Error>(built)
        });
        let mut random = Random::new(5);
        let mut searches = Times::default();
        while !work.is_finished() {
            let Some(query) = random.pick(queries) else { break };
            searches.of(|| measure::search(engine, query))?;
            asked.push(*query);
        }
        upkeep = work.join().map_err(|_| "the thread of the upkeep panicked")??;
        upkeep.searches = searches;
        Ok(())
    })?;
    upkeep.worst = upkeep.searches.worst().map(|(at, _)| asked[at].shown()).unwrap_or_default();
    Ok(upkeep)
}
