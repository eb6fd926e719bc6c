//! Taking a generation away. `DROP TABLE` reads and frees every page of a table in one write, which takes seconds for the
//! index of a million comments, and nobody else could write meanwhile. So a generation is none any more when its row is
//! gone, and its tables, which nothing reads then, are emptied in small steps ([`sweep`]). They carry its number in their
//! names, so whatever process comes by goes on.
//!
//! FTS5's own tables can't be emptied while they are FTS5's: SQLite's defensive mode forbids it, and its integrity check
//! would call what is half empty damaged. So the virtual table is taken out of the schema first, which leaves what it
//! stored behind as ordinary tables.

use kiroku_model::Result;
use kiroku_store::{DbResult, Tx};
use rusqlite::Connection;
use rusqlite::config::DbConfig;
use std::time::Instant;

/// How the names of a generation's tables begin.
const FTS: &str = "index_fts_";
const DOC: &str = "index_doc_";
/// Rows that are deleted at once: some 256 KiB.
const ROWS: usize = 64;

/// Makes a generation none. Its tables are left to [`sweep`].
pub(crate) fn retire(tx: &Tx<'_>, number: i64) -> Result<()> {
    tx.execute("DELETE FROM index_generation WHERE number = ?1", [number]).or_sql().map(drop)
}

/// Whether a retired generation's tables are left.
pub(crate) fn is_left(conn: &Connection) -> Result<bool> {
    left(conn).map(|left| left.is_some())
}

/// Empties what retired generations have left until the time is up; answers whether it is all gone. What is freed is
/// overwritten: it holds texts, and a text that is forgotten tomorrow must not stand in a free page.
pub(crate) fn sweep(tx: &Tx<'_>, until: Instant) -> Result<bool> {
    tx.pragma_update(None, "secure_delete", true).or_sql()?;
    let swept = sweep_until(tx, until);
    tx.pragma_update(None, "secure_delete", false).or_sql()?;
    swept
}

fn sweep_until(tx: &Tx<'_>, until: Instant) -> Result<bool> {
    while let Some(table) = left(tx)? {
        if table.ends_with(|last: char| last.is_ascii_digit()) && table.starts_with(FTS) {
            // A step of its own: the next one finds the schema as it then is.
            return detach(tx, &table).map(|()| false);
        }
        // The others are small.
        if table.starts_with(DOC) || table.ends_with("_data") {
            let mut some = tx
                .prepare(&format!("DELETE FROM {table} WHERE rowid IN (SELECT rowid FROM {table} LIMIT {ROWS})"))
                .or_sql()?;
            while some.execute([]).or_sql()? > 0 {
                if Instant::now() >= until {
                    return Ok(false);
                }
            }
        }
        tx.execute_batch(&format!("DROP TABLE {table}")).or_sql()?;
    }
    Ok(true)
}

/// Takes a virtual table out of the schema; what it stores stays, as ordinary tables.
fn detach(tx: &Tx<'_>, table: &str) -> Result<()> {
    let forget = || -> rusqlite::Result<()> {
        tx.pragma_update(None, "writable_schema", true)?;
        tx.execute("DELETE FROM sqlite_schema WHERE name = ?1", [table])?;
        // Every connection, this one too, reads the schema anew when its version has changed.
        let version: i64 = tx.pragma_query_value(None, "schema_version", |row| row.get(0))?;
        tx.pragma_update(None, "schema_version", version + 1)
    };
    tx.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, false).or_sql()?;
    let forgotten = forget();
    tx.pragma_update(None, "writable_schema", false).or_sql()?;
    tx.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true).or_sql()?;
    forgotten.or_sql()
}

/// The name of a table of a generation that is none any more; the virtual one before what it stores.
fn left(conn: &Connection) -> Result<Option<String>> {
    let known = super::generations(conn)?;
    let is_left = |(_, number): &(String, i64)| known.iter().all(|generation| generation.number != *number);
    Ok(tables(conn)?.into_iter().find(is_left).map(|(name, _)| name))
}

/// The tables of all generations, those that are none any more too, with the number of each.
pub(crate) fn tables(conn: &Connection) -> Result<Vec<(String, i64)>> {
    let mut names = conn
        .prepare_cached(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND (name GLOB 'index_fts_[0-9]*' OR name GLOB 'index_doc_[0-9]*')
             ORDER BY name GLOB 'index_doc_*', name",
        )
        .or_sql()?;
    let names: Vec<String> = names.query_map([], |row| row.get(0)).and_then(Iterator::collect).or_sql()?;
    Ok(names
        .into_iter()
        .filter_map(|name| {
            let number = name.split('_').nth(2)?.parse().ok()?;
            Some((name, number))
        })
        .collect())
}
