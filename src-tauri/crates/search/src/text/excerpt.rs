//! The few words around a match that a hit shows.
//!
//! A body may be of any size, so the work is: one folding, one search a term, then all else within a region of a few
//! kilobytes around the best cluster of matches.

use super::fold::{Map, fold_nfc, is_plain, shown_place};
use memchr::memmem::Finder;
use std::cmp::Reverse;
use std::collections::VecDeque;
use std::ops::Range;
use unicode_segmentation::UnicodeSegmentation;

/// What a hit shows of its text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Excerpt {
    /// A stretch of the shown text, with `…` where it was cut.
    pub text: String,
    /// Where the terms stand in `text`: start and end in UTF-16 units, in order, apart from each other.
    pub matches: Vec<[usize; 2]>,
}

/// The most bytes of text for each grapheme of the budget: a grapheme can be of any size.
const BYTES_EACH: usize = 32;

/// The stretch of `shown` (an [`IndexText`](super::IndexText)'s) of at most `budget` graphemes around the best cluster
/// of the folded `terms`: the one with most different terms within the budget, of these the tightest in folded
/// characters, of these the earliest. All occurrences of all terms that are whole within it are marked. From the start
/// if no term occurs.
pub fn excerpt(shown: &str, terms: &[&str], budget: usize) -> Excerpt {
    let mut folded = String::with_capacity(shown.len());
    fold_nfc(shown, &mut folded);
    let terms: Vec<&str> = terms.iter().copied().filter(|term| !term.is_empty()).collect();
    let limit = budget.saturating_mul(BYTES_EACH);
    let best = cluster(&folded, &terms, budget);
    // A region around the cluster that holds more than any excerpt, and begins where nothing joins across.
    let (from, into) = best.as_ref().map_or((0, 0), |best| shown_place(shown, best.start));
    let start = quiet_place(shown, from.saturating_sub(limit));
    let end = shown.floor_char_boundary(from.saturating_add(limit.saturating_mul(2)).min(shown.len()));
    let region = &shown[start..end];
    let map = Map::new(region);
    let mut folded_region = String::with_capacity(region.len());
    fold_nfc(region, &mut folded_region);

    let focus = best.map(|best| {
        // The same cluster by its own length, found where the region's folded text begins.
        let at = map.folded_place(from - start) + into;
        map.shown(at..at + best.len())
    });
    let window = window(region, focus.clone().unwrap_or(0..0), budget, limit);
    let mut ranges: Vec<Range<usize>> = occurrences(&folded_region, &terms)
        .map(|found| map.shown(found))
        .filter(|range| window.start <= range.start && range.start < window.end)
        // One that is longer than any window is marked as far as it is shown.
        .filter(|range| {
            range.end <= window.end
                || range.len() > window.len()
                || Some(range.start) == focus.as_ref().map(|it| it.start)
        })
        .map(|range| range.start..range.end.min(window.end))
        .collect();
    ranges.sort_by_key(|range| range.start);
    let mut merged: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match merged.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    let cut_before = start + window.start > 0;
    let cut_after = start + window.end < shown.len();
    let text = format!("{}{}{}", mark(cut_before), &region[window.clone()], mark(cut_after));
    // In UTF-16 units, counted on from each match to the next.
    let (mut units, mut at) = (usize::from(cut_before), window.start);
    let mut count = |to: usize| {
        units += region[at..to].chars().map(char::len_utf16).sum::<usize>();
        at = to;
        units
    };
    let matches = merged.into_iter().map(|range| [count(range.start), count(range.end)]).collect();
    Excerpt { text, matches }
}

fn mark(cut: bool) -> &'static str {
    if cut { "…" } else { "" }
}

/// The best cluster's range in the folded text.
fn cluster(folded: &str, terms: &[&str], budget: usize) -> Option<Range<usize>> {
    if let [term] = terms {
        return Finder::new(term).find(folded.as_bytes()).map(|at| at..at + term.len());
    }
    let finders: Vec<Finder> = terms.iter().map(Finder::new).collect();
    let mut found: Vec<_> = finders.iter().map(|finder| finder.find_iter(folded.as_bytes()).peekable()).collect();
    let lens: Vec<usize> = terms.iter().map(|term| term.chars().count()).collect();
    // Occurrences within the budget, by start: (place, its character's number, term); and each term's latest end.
    let mut near: VecDeque<(usize, usize, usize)> = VecDeque::new();
    let mut held = vec![0usize; terms.len()];
    let mut ends = vec![(0, 0); terms.len()];
    let (mut distinct, mut counted, mut chars) = (0, 0, 0);
    let (mut best, mut best_rank) = (None, (0, Reverse(usize::MAX)));
    while let Some((at, term)) =
        found.iter_mut().enumerate().filter_map(|(term, it)| it.peek().map(|&at| (at, term))).min()
    {
        found[term].next();
        chars += count_chars(&folded.as_bytes()[counted..at]);
        counted = at;
        near.push_back((at, chars, term));
        ends[term] = (chars + lens[term], at + terms[term].len());
        distinct += usize::from(held[term] == 0);
        held[term] += 1;
        // From the front goes what is out of reach, or stands again further on.
        let (from, first, (end_number, end)) = loop {
            let &(from, first, front) = near.front()?;
            let end =
                ends.iter().zip(&held).filter(|(_, held)| **held > 0).map(|(end, _)| *end).max().unwrap_or_default();
            if near.len() == 1 || held[front] == 1 && end.0 - first <= budget {
                break (from, first, end);
            }
            near.pop_front();
            held[front] -= 1;
            distinct -= usize::from(held[front] == 0);
        };
        let rank = (distinct, Reverse(end_number - first));
        if rank > best_rank {
            (best, best_rank) = (Some(from..end), rank);
        }
    }
    best
}

fn count_chars(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| (byte as i8) >= -0x40).count()
}

/// All occurrences of all terms, overlapping ones too.
fn occurrences<'a>(folded: &'a str, terms: &'a [&str]) -> impl Iterator<Item = Range<usize>> + 'a {
    terms.iter().flat_map(move |term| {
        let (finder, mut from) = (Finder::new(term), 0);
        std::iter::from_fn(move || {
            let at = from + finder.find(&folded.as_bytes()[from..])?;
            from = at + folded[at..].chars().next().map_or(1, char::len_utf8);
            Some(at..at + term.len())
        })
    })
}

/// The last place at or before `at` with plain characters on both sides: nothing joins across it, in graphemes or in
/// folding. A character boundary, if there is none within reach.
fn quiet_place(shown: &str, at: usize) -> usize {
    const REACH: usize = 4096;
    let at = shown.floor_char_boundary(at);
    let from = shown.ceil_char_boundary(at.saturating_sub(REACH));
    let mut after = shown[at..].chars().next();
    for (place, c) in shown[from..at].char_indices().rev() {
        let here = from + place + c.len_utf8();
        // Not between the jamo of a syllable, nor within a line end.
        if is_plain(c) && after.is_some_and(|after| is_plain(after) && after > ' ') {
            return here;
        }
        after = Some(c);
    }
    if from == 0 { 0 } else { at }
}

/// What of the region is shown: the graphemes of `focus` and as many around it as the budget leaves, half on each
/// side; what one side does not need, the other has.
fn window(region: &str, focus: Range<usize>, budget: usize, limit: usize) -> Range<usize> {
    let edges: Vec<usize> = region.grapheme_indices(true).map(|(at, _)| at).chain([region.len()]).collect();
    let last = edges.len() - 1;
    let first = edges.partition_point(|&edge| edge <= focus.start).saturating_sub(1);
    let end = edges.partition_point(|&edge| edge < focus.end).clamp(first, first.saturating_add(budget)).min(last);
    let spare = budget - (end - first);
    let after = (spare - (spare / 2).min(first)).min(last - end);
    let before = (spare - after).min(first);
    let window = word_start(region, &edges[first - before..=first])..edges[end + after];
    if window.len() <= limit {
        return window;
    }
    // Graphemes of a size that nobody writes: what fits from the focus on, cut inside one if it must be.
    let most = region.floor_char_boundary(edges[first].saturating_add(limit).min(window.end));
    let whole = edges[edges.partition_point(|&edge| edge <= most) - 1];
    edges[first]..if whole > edges[first] { whole } else { most }
}

/// Where an excerpt begins that may begin at the first of these places and reaches the last: not inside a word of Latin
/// letters, if the next word is near.
fn word_start(region: &str, places: &[usize]) -> usize {
    const NEAR: usize = 24;
    let (Some(&first), Some(&last)) = (places.first(), places.last()) else { return 0 };
    let bytes = region.as_bytes();
    let within = first > 0
        && bytes[first - 1].is_ascii_alphanumeric()
        && bytes[first..last].first().is_some_and(u8::is_ascii_alphanumeric);
    let next = places.iter().take(NEAR).copied().find(|&place| place > first && bytes[place - 1] == b' ');
    next.filter(|_| within).unwrap_or(first)
}

#[cfg(test)]
#[path = "excerpt_tests.rs"]
mod tests;
