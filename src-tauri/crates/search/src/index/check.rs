//! Whether the index is what it should be: FTS5's own check against the docs' text (rank 1: the only one that sees ghost
//! entries), the docs against the comments, and the counts against the docs.

use super::{Generation, generations, rebuild};
use kiroku_model::Result;
use kiroku_store::{DbResult, SpaceFile, Tx};

/// The faults, one line each.
pub(crate) fn check(space: &SpaceFile) -> Result<Vec<String>> {
    // FTS5's check is an INSERT in form, though it writes nothing.
    space.write(|tx| {
        let mut faults = Vec::new();
        let all = generations(tx)?;
        if !all.iter().any(|generation| generation.live) {
            faults.push("there is no live index".to_owned());
        }
        for generation in &all {
            check_generation(tx, generation, &mut faults)?;
        }
        Ok(faults)
    })
}

fn check_generation(tx: &Tx<'_>, generation: &Generation, faults: &mut Vec<String>) -> Result<()> {
    let number = generation.number;
    let entries = tx.execute(
        &format!("INSERT INTO index_fts_{number} (index_fts_{number}, rank) VALUES ('integrity-check', 1)"),
        [],
    );
    if let Err(error) = entries {
        faults.push(format!("index {number}: its entries are not those of its docs ({error})"));
    }
    let count = |sql: &str| tx.query_row(sql, [], |row| row.get::<_, i64>(0)).or_sql();
    let orphans = count(&format!(
        "SELECT count(*) FROM index_doc_{number} d LEFT JOIN comment c ON c.id = d.comment AND c.task = d.task AND c.created = d.created
           AND c.withdrawn = 0 WHERE c.id IS NULL"
    ))?;
    if orphans > 0 {
        faults.push(format!("index {number}: {orphans} docs without their comment"));
    }
    // Also while another is being built: after a restore that was cut short the live one is empty.
    if generation.live {
        let without_doc = rebuild::read(
            tx,
            &format!(
                "c.withdrawn = 0 AND (c.kind IN ('request', 'interjection', 'result', 'ask', 'handoff')
                   OR (c.kind = 'progress' AND c.progress IN ('thinking', 'summary', 'tool')))
                 AND NOT EXISTS (SELECT 1 FROM index_doc_{number} d WHERE d.comment = c.id)
                 AND NOT EXISTS (SELECT 1 FROM index_pending p WHERE p.comment = c.id)"
            ),
            [],
        )?;
        let missing = without_doc.iter().filter(|row| row.source().folded().is_some()).count();
        if missing > 0 {
            faults.push(format!("index {number}: {missing} comments without their doc"));
        }
    }
    let (docs, late, length): (i64, i64, i64) = tx
        .query_row(
            &format!("SELECT count(*), coalesce(sum(late), 0), coalesce(sum(length), 0) FROM index_doc_{number}"),
            [],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
        )
        .or_sql()?;
    if (docs, late, length) != (generation.docs, generation.late, generation.length) {
        faults.push(format!("index {number}: its counts are not those of its docs"));
    }
    let disordered = count(&format!(
        "SELECT count(*) FROM (SELECT created, comment, lag(created) OVER w AS c, lag(comment) OVER w AS i
           FROM index_doc_{number} WHERE late = 0 WINDOW w AS (ORDER BY id)) WHERE (created, comment) < (c, i)"
    ))?;
    if disordered > 0 {
        faults.push(format!("index {number}: {disordered} docs out of order"));
    }
    Ok(())
}
