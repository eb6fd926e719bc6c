//! What a space holds, with everything in it that two spaces may differ in taken out: its numbers.
//!
//! `kiroku export` of two spaces that hold the same record differs in the space's own uid and in the numbers of tasks
//! and comments, which depend on the order in which things came. Here a task is named by its uid and a comment by its
//! task and its key.

use crate::Result;
use serde_json::{Value, json};
use std::collections::{BTreeSet, HashMap};

/// The record that an export tells of, a row an entry.
pub fn of_export(export: &str) -> Result<BTreeSet<String>> {
    let rows: Vec<Value> = export.lines().map(serde_json::from_str).collect::<std::result::Result<_, _>>()?;
    let mut tasks: HashMap<String, String> = HashMap::new();
    let mut comments: HashMap<String, String> = HashMap::new();
    for row in &rows {
        if row["type"] == "task" {
            tasks.insert(row["id"].to_string(), row["uid"].to_string());
        }
    }
    let task = |id: &Value| tasks.get(&id.to_string()).cloned().map(Value::from).unwrap_or_default();
    for row in rows.iter().filter(|row| row["type"] == "comment") {
        comments.insert(format!("\"comment:{}\"", row["id"]), format!("{} {}", task(&row["task"]), row["key"]));
    }
    let mut record = BTreeSet::new();
    for mut row in rows {
        if row["type"] == "kiroku" {
            continue;
        }
        for field in ["task", "parent"] {
            if !row[field].is_null() {
                row[field] = task(&row[field]);
            }
        }
        if !row["ref"].is_null() {
            row["ref"] = json!(comments.get(&row["ref"].to_string()));
        }
        if let Some(fields) = row.as_object_mut() {
            fields.remove("id").filter(|_| fields["type"] == "member").map(|id| fields.insert("id".to_owned(), id));
        }
        record.insert(row.to_string());
    }
    Ok(record)
}

/// What differs, a few lines of it; nothing if they are the same.
pub fn difference(expected: &BTreeSet<String>, found: &BTreeSet<String>) -> Option<String> {
    let some = |rows: Vec<&String>, sign: &str| -> Vec<String> {
        rows.iter().take(4).map(|row| format!("  {sign} {}", row.chars().take(300).collect::<String>())).collect()
    };
    let missing: Vec<&String> = expected.difference(found).collect();
    let extra: Vec<&String> = found.difference(expected).collect();
    if missing.is_empty() && extra.is_empty() {
        return None;
    }
    let counts = format!("{} rows are missing, {} should not be there", missing.len(), extra.len());
    Some([vec![counts], some(missing, "-"), some(extra, "+")].concat().join("\n"))
}
