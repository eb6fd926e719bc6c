//! Which records there are, as far as the rules about a record look at others: a plain value, so that checking is a
//! function of what it is given.

use crate::{RecordKind, RecordRef, Slug, slug};
use std::collections::BTreeMap;

/// More slugs than these are not told as near: thousands that are numbered or dated are all near to each other.
pub const MOST_NEAR: usize = 5;

/// The records of a space by name, and which decision was replaced by which.
#[derive(Clone, Debug, Default)]
pub struct Existing {
    /// By kind, each slug with its letters (see [`slug::letters`]).
    slugs: BTreeMap<RecordKind, BTreeMap<Slug, u64>>,
    replaced_by: BTreeMap<Slug, Slug>,
}

impl Existing {
    /// No records.
    pub fn new() -> Existing {
        Existing::default()
    }

    /// Adds a record.
    pub fn add(&mut self, record: RecordRef) {
        let letters = slug::letters(record.slug.as_str());
        self.slugs.entry(record.kind).or_default().insert(record.slug, letters);
    }

    /// Takes a record out.
    pub fn remove(&mut self, record: &RecordRef) {
        if let Some(slugs) = self.slugs.get_mut(&record.kind) {
            slugs.remove(&record.slug);
        }
    }

    /// Says that a decision was replaced by another.
    pub fn replaced(&mut self, decision: Slug, by: Slug) {
        self.replaced_by.insert(decision, by);
    }

    /// What a decision was replaced by.
    pub fn replaced_by(&self, decision: &Slug) -> Option<&Slug> {
        self.replaced_by.get(decision)
    }

    /// Whether there is such a record.
    pub fn contains(&self, kind: RecordKind, slug: &Slug) -> bool {
        self.slugs.get(&kind).is_some_and(|slugs| slugs.contains_key(slug))
    }

    /// The record that a `#slug` means: a knowledge record, else a decision, else a request.
    pub fn meant_by(&self, slug: &Slug) -> Option<RecordKind> {
        [RecordKind::Knowledge, RecordKind::Decision, RecordKind::Request]
            .into_iter()
            .find(|kind| self.contains(*kind, slug))
    }

    /// The slugs of one kind, in order.
    pub fn slugs(&self, kind: RecordKind) -> impl Iterator<Item = &Slug> {
        self.slugs.get(&kind).into_iter().flat_map(BTreeMap::keys)
    }

    /// Other slugs of the same kind within edit distance 2, five of them at most.
    pub fn near(&self, kind: RecordKind, wanted: &Slug) -> Vec<&Slug> {
        let letters = slug::letters(wanted.as_str());
        self.slugs
            .get(&kind)
            .into_iter()
            .flatten()
            .filter(|(other, theirs)| {
                (letters ^ **theirs).count_ones() <= 4
                    && *other != wanted
                    && slug::distance(wanted.as_str(), other.as_str(), 2).is_some()
            })
            .map(|(other, _)| other)
            .take(MOST_NEAR)
            .collect()
    }
}
