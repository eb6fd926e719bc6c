//! The outline of a conversation: what was asked and what came of it, without the work between, to be jumped by.

use crate::text;
use crate::types::{Outline, OutlineEntry};
use kiroku_model::{Author, Cancel, CommentId, Kind, Result, TaskId, Time};
use kiroku_store::DbResult;
use rusqlite::Connection;

/// Entries of one outline at most.
const MOST: usize = 20_000;
/// Characters of an entry's line at most, and of the body's beginning that are looked through for it.
const LINE: usize = 100;

/// The outline of a task's conversation.
pub(crate) fn outline(conn: &Connection, task: TaskId, cancel: &Cancel) -> Result<Outline> {
    let mut rows = conn
        .prepare_cached(
            "SELECT id, kind, author, member, created,
               CASE WHEN kind IN ('request', 'interjection', 'ask', 'result', 'handoff') THEN substr(body, 1, 600) END
             FROM comment WHERE task = ?1 ORDER BY seq",
        )
        .or_sql()?;
    let mut rows = rows.query([task.0]).or_sql()?;
    let mut outline = Outline { total: 0, entries: Vec::new() };
    let mut place = 0;
    while let Some(row) = rows.next().or_sql()? {
        cancel.check()?;
        if let Some(body) = row.get_ref(5).or_sql()?.as_str_or_null().unwrap_or_default() {
            outline.total += 1;
            if outline.entries.len() < MOST {
                outline.entries.push(OutlineEntry {
                    place,
                    reference: CommentId(row.get(0).or_sql()?).to_string(),
                    kind: Kind::from(row.get_ref(1).or_sql()?.as_str().unwrap_or_default()),
                    author: match row.get_ref(2).or_sql()?.as_str() {
                        Ok(word) if word == Author::User.as_str() => Author::User,
                        _ => Author::Agent,
                    },
                    member: row.get(3).or_sql()?,
                    created: Time(row.get(4).or_sql()?),
                    line: line(body),
                });
            }
        }
        place += 1;
    }
    Ok(outline)
}

/// The first line that says something, without the marks of Markdown.
fn line(body: &str) -> String {
    let shown = body
        .lines()
        .map(|line| line.trim_start_matches(['#', '>', '*', '-', '`', '~', ' ', '\t', '\u{3000}']).trim_end())
        .find(|line| !line.is_empty())
        .unwrap_or_default();
    let line = text::prepare(&shown.replace("**", "").replace('`', "")).shown;
    match line.char_indices().nth(LINE) {
        Some((at, _)) => format!("{}…", line[..at].trim_end()),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::line;

    #[test]
    fn the_line_is_the_first_that_says_something() {
        assert_eq!(line("\n\n## **認証**を`直す`\n続き"), "認証を直す");
        assert_eq!(line("```\nfoo"), "foo");
        assert_eq!(line(""), "");
        assert_eq!(line(&"長".repeat(200)).chars().count(), 101);
    }
}
