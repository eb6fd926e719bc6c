//! How often tools gave each record of engine 2.

use crate::pool::Tx;
use crate::sqlite_error::DbResult;
use kiroku_model::{Result, Time};
use rusqlite::{Connection, params};

/// Counts one more use of a record.
pub fn count_use(tx: &Tx<'_>, kind: &str, slug: &str, at: Time) -> Result<()> {
    tx.prepare_cached(
        "INSERT INTO record_usage (kind, slug, count, last) VALUES (?1, ?2, 1, ?3)
         ON CONFLICT DO UPDATE SET count = count + 1, last = max(last, ?3)",
    )
    .and_then(|mut insert| insert.execute(params![kind, slug, at.0]))
    .or_sql()
    .map(drop)
}

/// Kind, slug, count and last use of every record that was used, the most used first.
pub fn uses(conn: &Connection) -> Result<Vec<(String, String, u64, Time)>> {
    let mut rows = conn
        .prepare_cached("SELECT kind, slug, count, last FROM record_usage ORDER BY count DESC, last DESC, kind, slug")
        .or_sql()?;
    rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get::<_, i64>(2)?.unsigned_abs(), Time(row.get(3)?))))
        .and_then(Iterator::collect)
        .or_sql()
}
