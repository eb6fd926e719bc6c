//! The table that people read and the README quotes.

use crate::measure::Measured;

/// One aligned table, a line a class; `NaN`s are dashes.
pub fn table(classes: &[Measured]) -> String {
    let number = |value: f64| if value.is_finite() { format!("{value:.2}") } else { "-".to_owned() };
    let mut rows: Vec<Vec<String>> = vec![
        [
            "class",
            "queries",
            "hits",
            "p50 ms",
            "p95 ms",
            "max ms",
            "p95 cpu",
            "ref p95 ms",
            "ratio",
            "top 30 %",
            "slowest query",
        ]
        .map(str::to_owned)
        .to_vec(),
    ];
    for class in classes {
        let ours = |percent| number(class.ours.percentile(percent));
        rows.push(vec![
            class.name.to_owned(),
            class.ours.len().to_string(),
            class.hits.to_string(),
            ours(50),
            ours(95),
            ours(100),
            number(class.ours.cpu(95)),
            number(class.reference.percentile(95)),
            number(class.ratio()),
            class.overlap.map_or_else(|| "-".to_owned(), |percent| format!("{percent:.0}")),
            class.worst.clone(),
        ]);
    }
    let columns = rows[0].len();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default();
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut out = String::new();
    for row in &rows {
        for (column, cell) in row.iter().enumerate() {
            // Names to the left, numbers to the right; the last column is as long as it is.
            let pad = " ".repeat(widths[column] - cell.chars().count());
            match column {
                0 => out.extend([cell, pad.as_str()]),
                _ if column + 1 == columns => out.extend(["  ", cell]),
                _ => out.extend(["  ", pad.as_str(), cell]),
            }
        }
        out.push('\n');
    }
    out
}
