//! What is right: every index text of the corpus in memory, looked through from end to end.
//!
//! It shares one thing with the engine, on purpose: the function that makes the index text of a comment and the one that
//! folds a term, which the contract calls the only truth. Which documents hold a term it finds by looking through all
//! texts (Aho–Corasick, all terms at once), and it ranks over all hits, with no index and no cap.
//! It takes about a gigabyte for a million comments.

use crate::queries::Query;
use kiroku_model::{Author, Kind, NewComment, TaskState};
use kiroku_search::text;
use kiroku_search::types::MatchMode;
use std::borrow::Cow;
use std::collections::HashMap;

/// A comment that can be found.
pub struct Doc {
    /// Its number in the space.
    pub comment: i64,
    /// Its task's number in the space.
    pub task: i64,
    /// When it was made, in milliseconds.
    pub created: i64,
    /// Its kind.
    pub kind: Kind,
    /// Who spoke.
    pub author: Author,
    /// The member behind it.
    pub member: Option<String>,
    /// Length of its folded text in characters.
    pub length: usize,
    start: usize,
    end: usize,
}

/// A set of documents, a bit each.
pub type Bits = Vec<u64>;

/// Every document, and which hold the terms that were asked for.
#[derive(Default)]
pub struct Truth {
    texts: String,
    docs: Vec<Doc>,
    /// Sum of the documents' lengths in characters.
    characters: usize,
    holders: HashMap<String, Bits>,
}

impl Truth {
    /// Takes in a comment that was written; one that has no index text is left out.
    pub fn add(&mut self, comment: i64, task: i64, new: &NewComment) {
        let indexed =
            text::index_text(&new.kind, new.progress.as_ref(), new.tool.as_deref(), &new.body, &new.attachments);
        let folded = indexed.map(|text| text::prepare(&text).folded).unwrap_or_default();
        if folded.is_empty() {
            return;
        }
        let start = self.texts.len();
        self.texts.push_str(&folded);
        let length = folded.chars().count();
        self.characters += length;
        self.docs.push(Doc {
            comment,
            task,
            created: new.created.0,
            kind: new.kind.clone(),
            author: new.author,
            member: new.member.clone(),
            length,
            start,
            end: self.texts.len(),
        });
        // What was learnt of the terms holds for the new text too.
        let (word, bit) = place(self.docs.len() - 1);
        for (term, holders) in &mut self.holders {
            holders.resize(word + 1, 0);
            if folded.contains(term.as_str()) {
                holders[word] |= bit;
            }
        }
    }

    /// The documents.
    pub fn docs(&self) -> &[Doc] {
        &self.docs
    }

    /// The size of all index texts in bytes.
    pub fn bytes(&self) -> usize {
        self.texts.len()
    }

    /// The folded index text of a document.
    pub fn text(&self, doc: usize) -> &str {
        &self.texts[self.docs[doc].start..self.docs[doc].end]
    }

    /// Finds the documents that hold each of these folded terms, in one go over all texts.
    pub fn learn(&mut self, terms: impl IntoIterator<Item = String>) -> Result<(), aho_corasick::BuildError> {
        let terms: Vec<String> = terms.into_iter().filter(|term| !term.is_empty()).collect();
        let automaton = aho_corasick::AhoCorasick::new(&terms)?;
        let words = self.docs.len().div_ceil(64);
        let mut holders = vec![vec![0_u64; words]; terms.len()];
        for doc in 0..self.docs.len() {
            let (word, bit) = place(doc);
            for found in automaton.find_overlapping_iter(self.text(doc)) {
                holders[found.pattern().as_usize()][word] |= bit;
            }
        }
        self.holders.extend(terms.into_iter().zip(holders));
        Ok(())
    }

    /// Forgets all terms but these: each takes memory.
    pub fn keep_only(&mut self, terms: &std::collections::HashSet<String>) {
        self.holders.retain(|term, _| terms.contains(term));
    }

    /// The documents that hold a folded term.
    pub fn holders(&self, term: &str) -> Cow<'_, Bits> {
        if let Some(known) = self.holders.get(term) {
            return Cow::Borrowed(known);
        }
        let mut holders = vec![0; self.docs.len().div_ceil(64)];
        for doc in (0..self.docs.len()).filter(|doc| self.text(*doc).contains(term)) {
            let (word, bit) = place(doc);
            holders[word] |= bit;
        }
        Cow::Owned(holders)
    }

    /// How many documents hold a folded term.
    pub fn frequency(&self, term: &str) -> usize {
        count(&self.holders(term))
    }

    /// The documents that a query finds with these terms (its own, or those that the answer says it was split into).
    pub fn hits(&self, query: &Query, terms: &[String]) -> Vec<usize> {
        let mut terms = terms.iter().map(|term| self.holders(term));
        let mut all = terms.next().map(Cow::into_owned).unwrap_or_default();
        for holders in terms {
            for (sum, more) in all.iter_mut().zip(holders.iter()) {
                match query.mode {
                    MatchMode::Any => *sum |= more,
                    MatchMode::All => *sum &= more,
                }
            }
        }
        members(&all).filter(|doc| is_within(&self.docs[*doc], query)).collect()
    }

    /// The newest of these hits, as comment numbers.
    pub fn newest(&self, hits: &[usize], limit: usize) -> Vec<i64> {
        let mut positions: Vec<(i64, i64)> =
            hits.iter().map(|doc| (self.docs[*doc].created, self.docs[*doc].comment)).collect();
        positions.sort_unstable_by(|a, b| b.cmp(a));
        positions.into_iter().take(limit).map(|(_, comment)| comment).collect()
    }

    /// The best of these hits by bm25 over all of them, as comment numbers: FTS5's formula, in which the frequency of a
    /// term is that of the whole index.
    pub fn best(&self, hits: &[usize], terms: &[String], limit: usize) -> Vec<i64> {
        const K1: f64 = 1.2;
        const B: f64 = 0.75;
        let docs = self.docs.len() as f64;
        let average = self.characters as f64 / docs.max(1.0);
        let weights: Vec<f64> = terms
            .iter()
            .map(|term| {
                let frequency = self.frequency(term) as f64;
                ((docs - frequency + 0.5) / (frequency + 0.5)).ln().max(1e-6)
            })
            .collect();
        let finders: Vec<_> = terms.iter().map(memchr::memmem::Finder::new).collect();
        let mut scored: Vec<(f64, i64, i64)> = hits
            .iter()
            .map(|hit| {
                let doc = &self.docs[*hit];
                let norm = K1 * (1.0 - B + B * doc.length as f64 / average);
                let of_term = |(finder, weight): (&memchr::memmem::Finder<'_>, &f64)| {
                    let times = finder.find_iter(self.text(*hit).as_bytes()).count() as f64;
                    weight * times * (K1 + 1.0) / (times + norm)
                };
                let score = finders.iter().zip(&weights).map(of_term).sum();
                (score, doc.created, doc.comment)
            })
            .collect();
        scored.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then_with(|| (b.1, b.2).cmp(&(a.1, a.2))));
        scored.into_iter().take(limit).map(|(.., comment)| comment).collect()
    }
}

/// Whether a document is among those that a query's filter looks at.
fn is_within(doc: &Doc, query: &Query) -> bool {
    let filter = &query.filter;
    let state: TaskState = crate::corpus::state(doc.task as usize - 1);
    filter.kind.as_ref().is_none_or(|kind| *kind == doc.kind)
        && filter.author.is_none_or(|author| author == doc.author)
        && filter.member.as_ref().is_none_or(|member| Some(member) == doc.member.as_ref())
        && filter.task.is_none_or(|task| task.0 == doc.task)
        && (filter.states.is_empty() || filter.states.contains(&state))
        && filter.since.is_none_or(|since| doc.created >= since.0)
        && filter.until.is_none_or(|until| doc.created < until.0)
}

/// How many documents are in a set.
pub fn count(bits: &Bits) -> usize {
    bits.iter().map(|word| word.count_ones() as usize).sum()
}

fn place(doc: usize) -> (usize, u64) {
    (doc / 64, 1 << (doc % 64))
}

fn members(bits: &Bits) -> impl Iterator<Item = usize> + '_ {
    bits.iter().enumerate().flat_map(|(at, word)| {
        let mut left = *word;
        std::iter::from_fn(move || {
            let bit = left.trailing_zeros() as usize;
            left &= left.wrapping_sub(1);
            (bit < 64).then_some(at * 64 + bit)
        })
    })
}
