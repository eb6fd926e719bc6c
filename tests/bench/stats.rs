//! Times as they are told: half, nearly all, the worst.
//!
//! Each is taken by the clock on the wall and by the processor time of the thread that worked. On a quiet machine both are
//! the same but for waiting for the disk; on a busy one the wall's also tells of the neighbours.

use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Milliseconds of one kind of work: by the wall, and of the processor.
#[derive(Clone, Default)]
pub struct Times(Vec<(f64, f64)>);

impl Times {
    /// Runs `work`, takes note of how long it took, and gives its value on.
    pub fn of<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let (begun, cpu) = (Instant::now(), thread_cpu());
        let value = work();
        self.0.push((begun.elapsed().as_secs_f64() * 1_000.0, thread_cpu() - cpu));
        value
    }

    /// Takes note of work that another process did: only the wall tells of it.
    pub fn push(&mut self, took: Duration) {
        self.0.push((took.as_secs_f64() * 1_000.0, f64::NAN));
    }

    /// Runs `work` three times and takes note of the middle times; an error ends it.
    pub fn middle_of_three<T, E>(&mut self, work: impl Fn() -> Result<T, E>) -> Result<(), E> {
        let mut three = Times::default();
        for _ in 0..3 {
            three.of(&work)?;
        }
        self.0.push((three.percentile(50), three.cpu(50)));
        Ok(())
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// All together, by the wall.
    pub fn sum(&self) -> f64 {
        self.0.iter().map(|(wall, _)| wall).sum()
    }

    /// All together, of the processor.
    pub fn cpu_sum(&self) -> f64 {
        self.0.iter().map(|(_, cpu)| cpu).sum()
    }

    /// The time that so many of a hundred do not pass (the nearest rank); `NaN` if there is none.
    pub fn percentile(&self, percent: usize) -> f64 {
        nearest_rank(self.0.iter().map(|(wall, _)| *wall), percent)
    }

    /// The same of processor time.
    pub fn cpu(&self, percent: usize) -> f64 {
        nearest_rank(self.0.iter().map(|(_, cpu)| *cpu), percent)
    }

    /// The longest, with its number.
    pub fn worst(&self) -> Option<(usize, f64)> {
        let times = self.0.iter().map(|(wall, _)| *wall).enumerate();
        times.max_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// For JSON: count, and milliseconds rounded to a microsecond.
    pub fn json(&self) -> Value {
        let round = |ms: f64| (ms * 1_000.0).round() / 1_000.0;
        json!({
            "n": self.len(),
            "p50_ms": round(self.percentile(50)),
            "p95_ms": round(self.percentile(95)),
            "max_ms": round(self.percentile(100)),
            "cpu_p50_ms": round(self.cpu(50)),
            "cpu_p95_ms": round(self.cpu(95)),
        })
    }

    /// For a line of text.
    pub fn shown(&self) -> String {
        let [p50, p95, max] = [50, 95, 100].map(|percent| self.percentile(percent));
        let cpu = self.cpu(95);
        let cpu = if cpu.is_finite() { format!(" (processor {cpu:.2})") } else { String::new() };
        format!("p50 {p50:.2} ms, p95 {p95:.2} ms{cpu}, max {max:.2} ms ({} times)", self.len())
    }
}

fn nearest_rank(times: impl Iterator<Item = f64>, percent: usize) -> f64 {
    let mut sorted: Vec<f64> = times.collect();
    sorted.sort_by(f64::total_cmp);
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted.get(rank - 1).copied().unwrap_or(f64::NAN)
}

/// Processor time of this thread in milliseconds; `NaN` where the system does not tell.
pub fn thread_cpu() -> f64 {
    #[cfg(unix)]
    {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
        time.tv_sec as f64 * 1_000.0 + time.tv_nsec as f64 / 1_000_000.0
    }
    #[cfg(not(unix))]
    f64::NAN
}
