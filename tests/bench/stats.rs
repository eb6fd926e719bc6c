//! Times as they are told: half, nearly all, the worst.

use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Milliseconds of one kind of work.
#[derive(Clone, Default)]
pub struct Times(Vec<f64>);

impl Times {
    /// Runs `work`, takes note of how long it took, and gives its value on.
    pub fn of<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let begun = Instant::now();
        let value = work();
        self.push(begun.elapsed());
        value
    }

    /// Runs `work` three times and takes note of the middle time; an error ends it.
    pub fn middle_of_three<T, E>(&mut self, work: impl Fn() -> Result<T, E>) -> Result<(), E> {
        let mut three = Times::default();
        for _ in 0..3 {
            three.of(&work)?;
        }
        self.0.push(three.percentile(50));
        Ok(())
    }

    /// Takes note of one.
    pub fn push(&mut self, took: Duration) {
        self.0.push(took.as_secs_f64() * 1_000.0);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// All together.
    pub fn sum(&self) -> f64 {
        self.0.iter().sum()
    }

    /// The time that so many of a hundred do not pass (the nearest rank); `NaN` if there is none.
    pub fn percentile(&self, percent: usize) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_by(f64::total_cmp);
        let rank = (sorted.len() * percent).div_ceil(100).max(1);
        sorted.get(rank - 1).copied().unwrap_or(f64::NAN)
    }

    /// The longest, with its number.
    pub fn worst(&self) -> Option<(usize, f64)> {
        self.0.iter().copied().enumerate().max_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// For JSON: count, and milliseconds rounded to a microsecond.
    pub fn json(&self) -> Value {
        let round = |ms: f64| (ms * 1_000.0).round() / 1_000.0;
        json!({
            "n": self.len(),
            "p50_ms": round(self.percentile(50)),
            "p95_ms": round(self.percentile(95)),
            "max_ms": round(self.percentile(100)),
        })
    }

    /// For a line of text.
    pub fn shown(&self) -> String {
        let [p50, p95, max] = [50, 95, 100].map(|percent| self.percentile(percent));
        format!("p50 {p50:.2} ms, p95 {p95:.2} ms, max {max:.2} ms ({} times)", self.len())
    }
}
