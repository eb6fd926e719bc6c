//! What is compared with: the plan that anybody would begin with, on the same texts in the same run.
//!
//! A SQLite file of its own: FTS5's stock `trigram` tokenizer over external content, `ORDER BY rank LIMIT 30`; and for a
//! query with a term under three characters, which that index can't answer, `LIKE` over the table, newest first. It is
//! built by one `rebuild`, which leaves it better merged than growing would, and it is spared the excerpts: its answer
//! is the stored folded text. The SQLite is the one that Kiroku is built with.

use crate::Result;
use crate::queries::{LIMIT, Query};
use crate::truth::Truth;
use kiroku_search::types::MatchMode;
use rusqlite::types::Value;
use rusqlite::{Connection, params, params_from_iter};
use std::path::Path;

/// The reference's file, open.
pub struct Reference {
    conn: Connection,
}

impl Reference {
    /// Makes the file, or opens the one that is there.
    pub fn open(path: &Path, truth: &Truth) -> Result<Reference> {
        let there = path.exists();
        let mut conn = Connection::open(path)?;
        conn.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16000;")?;
        if !there {
            fill(&mut conn, truth)?;
        }
        Ok(Reference { conn })
    }

    /// Asks it; answers how many rows came.
    pub fn search(&self, query: &Query) -> Result<usize> {
        let short = query.terms.iter().any(|term| term.chars().nth(2).is_none());
        let mut values: Vec<Value> = Vec::new();
        let mut bind = |value: Value| {
            values.push(value);
            format!("?{}", values.len())
        };
        let mut tests: Vec<String> = Vec::new();
        let by = if query.mode == MatchMode::All { " AND " } else { " OR " };
        let each: Vec<String> = query
            .terms
            .iter()
            .map(|term| {
                if short {
                    let escaped = term.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_");
                    format!("d.folded LIKE {} ESCAPE '\\'", bind(format!("%{escaped}%").into()))
                } else {
                    format!("\"{}\"", term.replace('"', "\"\""))
                }
            })
            .collect();
        let terms = each.join(by);
        tests.push(if short { format!("({terms})") } else { format!("fts MATCH {}", bind(terms.into())) });
        let filter = &query.filter;
        let mut test = |column: &str, value: Option<Value>| {
            tests.extend(value.map(|value| format!("d.{column} {}", bind(value))));
        };
        test("task =", filter.task.map(|task| task.0.into()));
        test("kind =", filter.kind.as_ref().map(|kind| kind.as_str().to_owned().into()));
        test("author =", filter.author.map(|author| author.as_str().to_owned().into()));
        test("member =", filter.member.clone().map(Into::into));
        test("state =", filter.states.first().map(|state| state.as_str().to_owned().into()));
        test("created >=", filter.since.map(|time| time.0.into()));
        test("created <", filter.until.map(|time| time.0.into()));
        let tests = tests.join(" AND ");
        let sql = if short {
            format!(
                "SELECT d.comment, d.folded FROM doc d WHERE {tests} ORDER BY d.created DESC, d.comment DESC LIMIT {LIMIT}"
            )
        } else {
            format!(
                "SELECT d.comment, d.folded FROM fts JOIN doc d ON d.id = fts.rowid WHERE {tests} ORDER BY rank LIMIT {LIMIT}"
            )
        };
        let mut statement = self.conn.prepare_cached(&sql)?;
        let mut rows = statement.query(params_from_iter(values))?;
        let mut count = 0;
        while let Some(row) = rows.next()? {
            row.get_ref(1)?.as_str()?;
            count += 1;
        }
        Ok(count)
    }

    /// The size of its index in bytes, without the texts.
    pub fn index_bytes(&self) -> Result<u64> {
        let sql = "SELECT coalesce(sum(pgsize), 0) FROM dbstat WHERE aggregate = TRUE AND name LIKE 'fts%'";
        Ok(self.conn.query_row(sql, [], |row| row.get::<_, i64>(0))? as u64)
    }
}

fn fill(conn: &mut Connection, truth: &Truth) -> Result<()> {
    let tx = conn.transaction()?;
    tx.execute_batch(
        "CREATE TABLE doc (id INTEGER PRIMARY KEY, comment INTEGER, task INTEGER, created INTEGER, kind TEXT, author TEXT,
           member TEXT, state TEXT, folded TEXT);
         CREATE VIRTUAL TABLE fts USING fts5 (folded, content = 'doc', content_rowid = 'id', tokenize = 'trigram');",
    )?;
    {
        let mut insert = tx.prepare("INSERT INTO doc VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)")?;
        for (number, doc) in truth.docs().iter().enumerate() {
            let state = crate::corpus::state(doc.task as usize - 1);
            insert.execute(params![
                number as i64 + 1,
                doc.comment,
                doc.task,
                doc.created,
                doc.kind.as_str(),
                doc.author.as_str(),
                doc.member,
                state.as_str(),
                truth.text(number)
            ])?;
        }
    }
    tx.execute_batch(
        "CREATE INDEX doc_created ON doc (created, comment);
         CREATE INDEX doc_task ON doc (task);
         INSERT INTO fts (fts) VALUES ('rebuild');",
    )?;
    tx.commit()?;
    conn.execute_batch("PRAGMA wal_checkpoint(TRUNCATE); ANALYZE;")?;
    Ok(())
}
