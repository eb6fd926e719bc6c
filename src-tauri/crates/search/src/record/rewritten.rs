//! What a source that was rewritten asks for: comments that are gone from it, and a new order of those that are not.

use super::Record;
use kiroku_model::{CommentId, Result, TaskId};
use kiroku_store::{Changed, DbResult};
use std::collections::HashMap;

impl Record<'_, '_> {
    /// Takes comments that are gone from their source out: one to which something refers is kept, marked as withdrawn;
    /// the others are deleted. Neither is found by a search. `kept` are the keys that the source still has.
    pub fn withdraw_others(&mut self, task: TaskId, kept: &std::collections::HashSet<String>) -> Result<u64> {
        let known: Vec<(i64, String)> = {
            let mut rows = self
                .tx
                .prepare_cached("SELECT id, key FROM comment WHERE task = ?1 AND withdrawn = 0 ORDER BY seq")
                .or_sql()?;
            rows.query_map([task.0], |row| Ok((row.get(0)?, row.get(1)?))).and_then(Iterator::collect).or_sql()?
        };
        let mut gone = 0;
        for (id, _) in known.iter().filter(|(_, key)| !kept.contains(key)) {
            let referred: bool = self
                .tx
                .prepare_cached(
                    "SELECT EXISTS (SELECT 1 FROM pin WHERE comment = ?1) OR EXISTS (SELECT 1 FROM list_history WHERE comment = ?1)",
                )
                .and_then(|mut row| row.query_row([id], |row| row.get(0)))
                .or_sql()?;
            if referred {
                self.withdraw(task, CommentId(*id))?;
            } else {
                self.index.remove(*id)?;
                self.tx
                    .prepare_cached("DELETE FROM comment WHERE id = ?1")
                    .and_then(|mut delete| delete.execute([id]))
                    .or_sql()?;
                self.tx.changed(Changed::row("comment", task, *id));
            }
            gone += 1;
        }
        Ok(gone)
    }

    /// Marks a comment as gone from its source: it can be read where something refers to it, and is not found.
    pub fn withdraw(&mut self, task: TaskId, id: CommentId) -> Result<()> {
        self.index.remove(id.0)?;
        self.tx
            .prepare_cached("UPDATE comment SET withdrawn = 1 WHERE id = ?1")
            .and_then(|mut update| update.execute([id.0]))
            .or_sql()?;
        self.tx.changed(Changed::row("comment", task, id.0));
        Ok(())
    }

    /// Puts a task's comments in the order of `keys`, the source's own after it was rewritten; those that are not named
    /// keep their order behind them.
    pub fn reorder(&mut self, task: TaskId, keys: &[String]) -> Result<()> {
        let wanted: HashMap<&str, usize> = keys.iter().enumerate().map(|(at, key)| (key.as_str(), at)).collect();
        let mut known: Vec<(i64, i64, String)> = {
            let mut rows =
                self.tx.prepare_cached("SELECT id, seq, key FROM comment WHERE task = ?1 ORDER BY seq").or_sql()?;
            rows.query_map([task.0], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
                .and_then(Iterator::collect)
                .or_sql()?
        };
        let before: Vec<i64> = known.iter().map(|(id, ..)| *id).collect();
        known.sort_by_key(|(_, seq, key)| (wanted.get(key.as_str()).copied().unwrap_or(usize::MAX), *seq));
        if known.iter().map(|(id, ..)| *id).eq(before) {
            return Ok(());
        }
        // In two passes, since `seq` is unique at every moment: first out of the way, then into place.
        for sign in [-1, 1] {
            for (at, (id, ..)) in known.iter().enumerate() {
                self.tx
                    .prepare_cached("UPDATE comment SET seq = ?2 WHERE id = ?1")
                    .and_then(|mut update| update.execute([*id, sign * (at as i64 + 1)]))
                    .or_sql()?;
            }
        }
        self.last_seq.remove(&task);
        self.tx.changed(Changed { entity: "comment", task: Some(task), first: None, last: None });
        Ok(())
    }
}
