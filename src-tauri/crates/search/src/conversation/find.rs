//! Finding in one conversation, as a person does in what they read: the words as they stand, spaces and all, in every
//! comment that the conversation shows and in what its tools were given and gave back.

use crate::text;
use kiroku_model::{Cancel, Error, Result, TaskId, text};
use kiroku_store::DbResult;
use rusqlite::Connection;
use serde::Serialize;

/// Where something stands in a conversation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, specta::Type)]
pub struct FoundInTask {
    /// The places of the comments that hold it, counted from 0, in the conversation's order.
    pub places: Vec<u32>,
    /// Which of these hold it in a tool's data alone.
    pub in_tools: Vec<u32>,
}

/// The comments that hold `words`.
pub(crate) fn find(conn: &Connection, task: TaskId, words: &str, cancel: &Cancel) -> Result<FoundInTask> {
    let wanted = spaced(text::fold(words.trim()));
    if wanted.is_empty() {
        return Err(Error::invalid(text!(en: "there is nothing to find", ja: "探す語がありません")));
    }
    let holds = |part: Option<&str>| part.is_some_and(|part| spaced(text::fold(part)).contains(&wanted));
    let mut rows = conn
        .prepare_cached(
            "SELECT c.body, c.tool, d.input, d.output,
               (SELECT group_concat(name, char(10)) FROM attachment a WHERE a.comment = c.id)
             FROM comment c LEFT JOIN tool_data d ON d.comment = c.id WHERE c.task = ?1 ORDER BY c.seq",
        )
        .or_sql()?;
    let mut rows = rows.query([task.0]).or_sql()?;
    let mut found = FoundInTask::default();
    let mut place = 0;
    while let Some(row) = rows.next().or_sql()? {
        cancel.check()?;
        let part = |column| row.get_ref(column).map(|value| value.as_str_or_null().unwrap_or_default());
        if holds(part(0).or_sql()?) || holds(part(1).or_sql()?) || holds(part(4).or_sql()?) {
            found.places.push(place);
        } else if holds(part(2).or_sql()?) || holds(part(3).or_sql()?) {
            found.places.push(place);
            found.in_tools.push(place);
        }
        place += 1;
    }
    Ok(found)
}

/// Each stretch of white space as one space: a line end is no other place than a space to who reads.
fn spaced(text: String) -> String {
    if !text.contains(|c: char| c.is_whitespace() && c != ' ') && !text.contains("  ") {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        let c = if c.is_whitespace() { ' ' } else { c };
        if c != ' ' || !out.ends_with(' ') {
            out.push(c);
        }
    }
    out
}
