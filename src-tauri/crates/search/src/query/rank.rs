//! bm25 by FTS5's own formula, reckoned here: FTS5's native rank visits every hit, however many there are.

use super::stream::Match;

const K1: f64 = 1.2;
const B: f64 = 0.75;

/// What the scores of one query share.
pub(crate) struct Bm25 {
    idf: Vec<f64>,
    average_length: f64,
}

impl Bm25 {
    /// `docs`: docs in the index; `frequencies`: for each term how many of them hold it; `average_length` in characters.
    pub(crate) fn new(docs: u64, frequencies: &[u64], average_length: f64) -> Bm25 {
        let idf = |frequency: &u64| {
            let frequency = *frequency as f64;
            let idf = ((docs as f64 - frequency + 0.5) / (frequency + 0.5)).ln();
            // A term that most docs hold still counts for a little, as in FTS5.
            idf.max(1e-6)
        };
        Bm25 { idf: frequencies.iter().map(idf).collect(), average_length }
    }

    /// The higher the better.
    fn score(&self, found: &Match) -> f64 {
        let norm = K1 * (1.0 - B + B * found.length as f64 / self.average_length);
        let of_term = |(count, idf): (&u32, &f64)| idf * (f64::from(*count) * (K1 + 1.0)) / (f64::from(*count) + norm);
        found.counts.iter().zip(&self.idf).map(of_term).sum()
    }

    /// Sorts best first, ties newest first.
    pub(crate) fn sort(&self, matches: &mut Vec<Match>) {
        let mut scored: Vec<(f64, Match)> = matches.drain(..).map(|found| (self.score(&found), found)).collect();
        scored.sort_by(|(a, x), (b, y)| b.total_cmp(a).then_with(|| y.position.cmp(&x.position)));
        matches.extend(scored.into_iter().map(|(_, found)| found));
    }
}
