//! One search term: how the index is asked for it, and how a candidate is verified.
//!
//! A term of up to three characters is a gram itself: FTS5's answer is exact. A longer one is asked for by the rarest of
//! its grams, and each candidate's folded text is looked at. Which grams are asked for changes the speed, never the
//! answer.

use crate::index::Generation;
use crate::index::tokenizer::LONGEST_GRAM;
use kiroku_model::Result;
use kiroku_store::DbResult;
use memchr::memmem;
use rusqlite::{Connection, params};

/// Grams of one term that are tried for their rarity, and rows that each try looks at.
const TRIED: usize = 12;
const SAMPLE: i64 = 40;
/// Grams of one term that are asked for together, and how many more where even the rarest is in many docs: one more gram
/// costs less than the texts that it spares from being read.
const ASKED: usize = 3;
const ASKED_OF_COMMON: usize = 8;
/// So many docs are many.
const MANY: f64 = 2_000.0;

/// A term, ready to be matched.
pub(crate) struct Needle {
    finder: memmem::Finder<'static>,
    /// The FTS5 expression for docs that may hold the term.
    pub expression: String,
    /// Whether those are just the docs that hold it.
    pub is_exact: bool,
}

impl Needle {
    /// `folded` is the folded term, not empty.
    pub(crate) fn new(conn: &Connection, generation: &Generation, folded: &str) -> Result<Needle> {
        let mut asked = grams(folded);
        if asked.len() > 1 {
            asked = rarest(conn, generation, &asked)?;
        }
        Ok(Needle {
            finder: memmem::Finder::new(folded).into_owned(),
            expression: and(asked.iter().map(|gram| quote(gram))),
            is_exact: is_gram(folded),
        })
    }

    /// Whether a folded text contains the term: the one truth.
    pub(crate) fn is_in(&self, text: &[u8]) -> bool {
        self.finder.find(text).is_some()
    }

    /// How often a folded text contains the term; occurrences don't overlap.
    pub(crate) fn count_in(&self, text: &[u8]) -> u32 {
        self.finder.find_iter(text).count() as u32
    }
}

/// Whether a term is a gram itself. (Folding can put a space into a term, such as that of `´`; no gram holds one.)
fn is_gram(folded: &str) -> bool {
    !folded.contains(' ') && is_short(folded, LONGEST_GRAM)
}

/// Whether a text has `most` characters or fewer.
pub(crate) fn is_short(text: &str, most: usize) -> bool {
    text.chars().nth(most).is_none()
}

/// A term's longest grams, each once.
fn grams(folded: &str) -> Vec<&str> {
    let mut grams = Vec::new();
    for piece in folded.split(' ').filter(|piece| !piece.is_empty()) {
        let bounds: Vec<usize> = piece.char_indices().map(|(at, _)| at).chain([piece.len()]).collect();
        let length = LONGEST_GRAM.min(bounds.len() - 1);
        for (start, end) in bounds.iter().zip(&bounds[length..]) {
            let gram = &piece[*start..*end];
            if !grams.contains(&gram) {
                grams.push(gram);
            }
        }
    }
    grams
}

/// The grams to ask for: the few that the newest docs hold least often.
fn rarest<'g>(conn: &Connection, generation: &Generation, grams: &[&'g str]) -> Result<Vec<&'g str>> {
    let number = generation.number;
    let mut newest = conn
        .prepare_cached(&format!(
            "SELECT count(*), min(rowid) FROM (SELECT rowid FROM index_fts_{number} WHERE index_fts_{number} MATCH ?1 ORDER BY rowid DESC LIMIT ?2)"
        ))
        .or_sql()?;
    let last: i64 = last_id(conn, generation)?;
    let every = grams.len().div_ceil(TRIED);
    let mut tried: Vec<(f64, &str)> = Vec::new();
    for gram in grams.iter().step_by(every) {
        let found: (i64, Option<i64>) =
            newest.query_row(params![quote(gram), SAMPLE], |row| Ok((row.get(0)?, row.get(1)?))).or_sql()?;
        let (count, Some(oldest)) = found else {
            // No doc holds this gram, so none holds the term.
            return Ok(vec![gram]);
        };
        let span = if count < SAMPLE { last } else { last - oldest + 1 };
        tried.push((count as f64 / span as f64, gram));
    }
    tried.sort_by(|a, b| a.0.total_cmp(&b.0));
    let rarest = tried.first().map_or(0.0, |(density, _)| density * last as f64);
    tried.truncate(if rarest > MANY { ASKED_OF_COMMON } else { ASKED });
    Ok(tried.into_iter().map(|(_, gram)| gram).collect())
}

/// The highest id of a doc.
pub(crate) fn last_id(conn: &Connection, generation: &Generation) -> Result<i64> {
    conn.prepare_cached(&format!("SELECT coalesce(max(id), 0) FROM index_doc_{}", generation.number))
        .and_then(|mut row| row.query_row([], |row| row.get(0)))
        .or_sql()
}

/// An FTS5 string: nothing in it is an operator.
pub(crate) fn quote(token: &str) -> String {
    format!("\"{}\"", token.replace('"', "\"\""))
}

/// All of these.
pub(crate) fn and(expressions: impl IntoIterator<Item = String>) -> String {
    joined(expressions, " AND ")
}

/// Any of these.
pub(crate) fn or(expressions: impl IntoIterator<Item = String>) -> String {
    joined(expressions, " OR ")
}

fn joined(expressions: impl IntoIterator<Item = String>, by: &str) -> String {
    format!("({})", expressions.into_iter().collect::<Vec<_>>().join(by))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grams_of_a_term() {
        for (term, grams) in [
            ("a", vec!["a"]),
            ("ab", vec!["ab"]),
            ("abc", vec!["abc"]),
            ("abcde", vec!["abc", "bcd", "cde"]),
            ("認証フロー", vec!["認証フ", "証フロ", "フロー"]),
            ("aaaaaa", vec!["aaa"]),
            (" \u{301}", vec!["\u{301}"]),
            ("ab cdef", vec!["ab", "cde", "def"]),
        ] {
            assert_eq!(super::grams(term), grams, "{term}");
        }
    }

    #[test]
    fn only_whole_grams_are_exact() {
        assert!(is_gram("認証フ"));
        assert!(!is_gram("認証フロ"));
        assert!(!is_gram(" \u{301}"));
    }
}
