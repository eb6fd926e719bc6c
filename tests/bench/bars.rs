//! What is measured against the bars that the design sets, one line each, and how much slower a larger corpus is than a
//! smaller one of which the figures were kept. Nothing here fails a run: a figure is of a machine and its moment. On a busy
//! machine the processor's time says more than the wall's; both stand there.

use crate::measure::Measured;
use crate::stats::Times;
use serde_json::{Value, json};

/// A figure and its bar.
pub struct Bar {
    what: String,
    value: f64,
    most: f64,
    unit: &'static str,
    at_least: bool,
    /// The same of the processor, where it is a time and the work was a thread's of this process.
    cpu: Option<f64>,
}

impl Bar {
    /// So many of a hundred of these times at most so long.
    pub fn times(what: impl Into<String>, times: &Times, percent: usize, most: f64) -> Bar {
        let cpu = Some(times.cpu(percent)).filter(|cpu| cpu.is_finite());
        Bar { cpu, ..Bar::most(what, times.percentile(percent), most, " ms") }
    }

    /// At most so much.
    pub fn most(what: impl Into<String>, value: f64, most: f64, unit: &'static str) -> Bar {
        Bar { what: what.into(), value, most, unit, at_least: false, cpu: None }
    }

    /// At least so much.
    pub fn least(what: impl Into<String>, value: f64, least: f64, unit: &'static str) -> Bar {
        Bar { at_least: true, ..Bar::most(what, value, least, unit) }
    }

    fn is_met(&self) -> bool {
        if self.at_least { self.value >= self.most } else { self.value <= self.most }
    }

    /// The line.
    pub fn shown(&self) -> (String, String) {
        let Bar { value, most, unit, .. } = self;
        let sign = if self.at_least { "≥" } else { "≤" };
        let digits = if *most < 10.0 { 2 } else { usize::from(*most < 1_000.0) };
        let cpu = self.cpu.map_or_else(String::new, |cpu| format!(", processor {cpu:.digits$}{unit}"));
        let met = match self.cpu {
            _ if self.is_met() => "met",
            Some(cpu) if cpu <= *most => "met in processor time",
            _ => "NOT MET",
        };
        (self.what.clone(), format!("{value:.digits$}{unit}{cpu}  (bar: {sign} {most}{unit}) {met}"))
    }

    /// For JSON.
    pub fn json(&self) -> Value {
        json!({ "what": self.what, "value": self.value, "cpu": self.cpu, "bar": self.most, "met": self.is_met() })
    }
}

/// The bars of the classes: the slowest class of each kind is named.
pub fn of_classes(classes: &[Measured]) -> Vec<Bar> {
    let alone = |class: &&Measured| class.name.starts_with("1 character") || class.name.starts_with("2 characters");
    let (short, rest): (Vec<&Measured>, Vec<&Measured>) = classes.iter().partition(alone);
    let bar = |of: &[&Measured], percent: usize, what: &str, most| {
        let slowest =
            |a: &&&Measured, b: &&&Measured| a.ours.percentile(percent).total_cmp(&b.ours.percentile(percent));
        let class = of.iter().max_by(slowest)?;
        Some(Bar::times(format!("{what} ({})", class.name), &class.ours, percent, most))
    };
    let bars = [
        bar(&rest, 95, "search, p95", 20.0),
        bar(&rest, 100, "search, worst", 60.0),
        bar(&short, 95, "1-2 characters alone, p95", 5.0),
        bar(&short, 100, "1-2 characters alone, worst", 60.0),
    ];
    bars.into_iter().flatten().collect()
}

/// How many times the p95 of a class is what it was in figures that were written before; the class that grew most.
pub fn growth(classes: &[Measured], before: &Value) -> Option<Bar> {
    // Under half a millisecond it is the constant part that is compared.
    const LEAST: f64 = 0.5;
    let grown = classes.iter().filter_map(|class| {
        let all = before["classes"].as_array()?;
        let was = all.iter().find(|was| was["class"] == class.name)?["ours"]["p95_ms"].as_f64()?;
        Some((class.ours.percentile(95).max(LEAST) / was.max(LEAST), class.name))
    });
    let (times, name) = grown.max_by(|a, b| a.0.total_cmp(&b.0))?;
    let comments = &before["comments"];
    Some(Bar::most(format!("p95 over that of {comments} ({name})"), times, 4.0, " times"))
}
