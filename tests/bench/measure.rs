//! Asks the queries: once to warm up and to hold each answer against the scan, then three times by the clock, of which the
//! middle one counts (what else the machine does is not the query's time). The reference is asked in the same way.

use crate::Result;
use crate::queries::{Class, LIMIT, Query};
use crate::reference::Reference;
use crate::stats::Times;
use crate::truth::Truth;
use kiroku_model::{Call, Caller};
use kiroku_search::Conversations;
use kiroku_search::types::{Note, Order, SearchResults};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Hits up to which a total must be exact (the search contract: "at least 1,000").
const EXACT_TO: usize = 1_000;

/// What a class came to.
pub struct Measured {
    /// The class.
    pub name: &'static str,
    /// The hits of its queries, the middle one.
    pub hits: usize,
    /// Ours.
    pub ours: Times,
    /// The reference's, for the first queries of the class.
    pub reference: Times,
    /// How many of the best 30 by bm25 over all hits are among our 30, in percent; for classes ordered by relevance.
    pub overlap: Option<f64>,
    /// The slowest query.
    pub worst: String,
}

impl Measured {
    /// How many times the reference's p95 is ours.
    pub fn ratio(&self) -> f64 {
        self.reference.percentile(95) / self.ours.percentile(95)
    }

    /// For JSON.
    pub fn json(&self) -> Value {
        json!({
            "class": self.name, "median_hits": self.hits, "ours": self.ours.json(), "worst": self.worst,
            "reference": (self.reference.len() > 0).then(|| self.reference.json()),
            "ratio_p95": (self.reference.len() > 0).then(|| self.ratio()),
            "overlap_percent": self.overlap,
        })
    }
}

/// The member as whom all searches are made.
pub fn call() -> Call {
    Call { caller: Caller::member("m1"), ..Call::default() }
}

/// One search, with its whole answer.
pub fn search(engine: &Conversations, query: &Query) -> Result<SearchResults> {
    let answer = engine.search(&call(), &query.to_engine())?;
    answer.body.ok_or_else(|| format!("no answer: {}", answer.message.unwrap_or_default()).into())
}

/// Asks a class. Faults in answers are appended to `wrong`. `budget`: how long the reference may be asked.
pub fn measure(
    class: &Class,
    engine: &Conversations,
    truth: &Truth,
    reference: Option<(&Reference, Duration)>,
    wrong: &mut Vec<String>,
) -> Result<Measured> {
    let mut hits = Vec::new();
    let mut overlaps = Vec::new();
    for query in &class.queries {
        let answer = search(engine, query)?;
        let checked = check(query, &answer, truth);
        if let Err(fault) = &checked.right {
            wrong.push(format!("{}: {}: {fault}", class.name, query.shown()));
        }
        hits.push(checked.hits);
        overlaps.extend(checked.overlap);
    }
    let mut ours = Times::default();
    for query in &class.queries {
        ours.middle_of_three(|| search(engine, query))?;
    }
    let mut theirs = Times::default();
    if let Some((reference, budget)) = reference {
        let begun = Instant::now();
        for query in &class.queries {
            // At least five, then as many as the time allows.
            if theirs.len() >= 5 && begun.elapsed() > budget {
                break;
            }
            theirs.middle_of_three(|| reference.search(query))?;
        }
    }
    hits.sort_unstable();
    Ok(Measured {
        name: class.name,
        hits: hits.get(hits.len() / 2).copied().unwrap_or_default(),
        worst: ours.worst().map(|(at, _)| class.queries[at].shown()).unwrap_or_default(),
        ours,
        reference: theirs,
        overlap: (!overlaps.is_empty()).then(|| overlaps.iter().sum::<f64>() / overlaps.len() as f64),
    })
}

struct Checked {
    right: std::result::Result<(), String>,
    hits: usize,
    overlap: Option<f64>,
}

/// Holds an answer against the scan: the total; that every hit is one; newest first, the very rows and their order;
/// by relevance over all hits, the very rows (their order may differ where scores are equal to the last bit), unless the
/// query has several terms of which one is so common that the engine reckons its frequency: then scores differ a little.
fn check(query: &Query, answer: &SearchResults, truth: &Truth) -> Checked {
    let terms = match &answer.note {
        Some(Note::Split { terms }) => terms.iter().map(|term| kiroku_search::text::fold(term)).collect(),
        _ => query.terms.clone(),
    };
    let hits = truth.hits(query, &terms);
    let ours: Vec<i64> =
        answer.hits.iter().filter_map(|hit| hit.reference.strip_prefix("comment:")?.parse().ok()).collect();
    let by_relevance = answer.order == Order::Relevance;
    let best = if by_relevance { truth.best(&hits, &terms, LIMIT) } else { truth.newest(&hits, LIMIT) };
    let same = ours.iter().filter(|comment| best.contains(comment)).count();
    let overlap = (by_relevance && !best.is_empty()).then(|| same as f64 * 100.0 / best.len() as f64);
    let right = || {
        let total = answer.total as usize;
        match answer.total_is {
            None if total != hits.len() => return Err(format!("total {total}, the scan finds {}", hits.len())),
            Some(_) if total > hits.len() => return Err(format!("at least {total}, the scan finds {}", hits.len())),
            Some(_) if total < EXACT_TO => return Err(format!("at least {total}: not exact below {EXACT_TO}")),
            _ => {}
        }
        if ours.len() != hits.len().min(LIMIT) {
            return Err(format!("{} hits shown of {}", ours.len(), hits.len()));
        }
        let docs = truth.docs();
        let is_hit = |comment: &&i64| hits.iter().any(|hit| docs[*hit].comment == **comment);
        if let Some(comment) = ours.iter().find(|comment| !is_hit(comment)) {
            return Err(format!("comment:{comment} is no hit"));
        }
        if !by_relevance && ours != best {
            return Err("not the newest, or not newest first".to_owned());
        }
        let counted = || terms.len() == 1 || terms.iter().all(|term| truth.frequency(term) <= EXACT_TO);
        if by_relevance && answer.ranked_among.is_none() && same != best.len() && counted() {
            return Err(format!("ranked over all hits, but only {same} of the best {} are shown", best.len()));
        }
        Ok(())
    };
    Checked { right: right(), hits: hits.len(), overlap }
}
