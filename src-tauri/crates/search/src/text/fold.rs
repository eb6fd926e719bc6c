//! Folding: the form in which a text and a term are compared, and the way back from it to what is shown.
//!
//! The form is Unicode's toNFKC_Casefold, so that `ＬＯＧＩＮ` meets `login`, `ﾛｸﾞｲﾝ` meets `ログイン` and `Straße` meets
//! `STRASSE`. It is made piece by piece, and each piece begins at a normalisation boundary: a place across which
//! nothing composes or changes order. So pieces can be folded alone, and the same walk that folds also leads back.

use super::clean::{clean, is_ignorable};
use caseless::Caseless;
use std::borrow::Cow;
use std::ops::Range;
use unicode_normalization::char::{canonical_combining_class, decompose_compatible};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};
use unicode_segmentation::GraphemeCursor;

/// The version of the folding: what an index stores, to know that it must be rebuilt. Higher is newer. Its digits are
/// our own count, then the Unicode versions that normalisation and case folding come from: `1_018_016`.
pub const FOLD_VERSION: u32 =
    1_000_000 + 1_000 * unicode_normalization::UNICODE_VERSION.0 as u32 + caseless::UNICODE_VERSION.0 as u32;

/// `text` in the form in which texts and terms are compared: cleaned, NFC, then Unicode's toNFKC_Casefold. White space
/// stays as it is. Empty if nothing is left, as of a lone zero-width space.
pub fn fold(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    fold_nfc(&nfc(clean(text)), &mut out);
    out
}

/// NFC, without a copy where `text` is in it already.
pub(super) fn nfc(text: Cow<'_, str>) -> Cow<'_, str> {
    // Leaving plain starters out can only make the quick check stricter, never laxer.
    if text.is_ascii() || is_nfc_quick(text.chars().filter(|&c| !is_plain(c))) == IsNormalized::Yes {
        text
    } else {
        Cow::Owned(text.nfc().collect())
    }
}

/// Appends the folded form of a cleaned text in NFC.
pub(super) fn fold_nfc(shown: &str, out: &mut String) {
    walk(shown, |range, folded| {
        match folded {
            Some(folded) => out.push_str(folded),
            None => {
                let from = out.len();
                out.push_str(&shown[range]);
                out[from..].make_ascii_lowercase();
            }
        }
        true
    });
}

/// Walks over `shown` in pieces that fold alone, in order, until `piece` answers false. A piece is a run of characters
/// that fold to themselves or to their ASCII lower case, byte for byte (`None`), or its folded form is given.
fn walk(shown: &str, mut piece: impl FnMut(Range<usize>, Option<&str>) -> bool) {
    let (mut folded, mut mapped, mut scratch) = (String::new(), Vec::new(), Vec::new());
    let mut start = 0;
    while start < shown.len() {
        // A run of plain characters, less its last one if what follows may join with it.
        let mut run = plain_run(shown, start);
        if shown[run..].chars().next().is_some_and(|next| !is_boundary(next, &mut scratch)) {
            run = shown[start..run].char_indices().next_back().map_or(start, |(at, _)| start + at);
        }
        if run > start && !piece(start..run, None) || run == shown.len() {
            return;
        }
        // Then one piece by the rules: a character and all that may join with it.
        mapped.clear();
        start = run;
        for c in shown[run..].chars() {
            if start > run && is_boundary(c, &mut scratch) {
                break;
            }
            casefold(c, &mut mapped);
            start += c.len_utf8();
        }
        folded.clear();
        folded.extend(mapped.iter().copied().nfc());
        if !piece(run..start, Some(&folded)) {
            return;
        }
    }
}

/// Where the run of plain characters that begins at `start` ends.
fn plain_run(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = start;
    while let Some(&byte) = bytes.get(at) {
        if byte < 0x80 {
            at += 1;
        } else if let Some(c) = text[at..].chars().next().filter(|&c| is_plain(c)) {
            at += c.len_utf8();
        } else {
            break;
        }
    }
    at
}

/// Characters that fold to themselves (ASCII: to lower case), never join with what is before them, and make up most
/// texts: a fast path for them. A test holds this list against the definition.
pub(super) fn is_plain(c: char) -> bool {
    matches!(c,
        '\0'..='\u{7f}' | '\u{3001}'..='\u{3029}' | '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fc}'
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}')
}

/// Whether nothing composes or changes order across the place before `c`, folded. `scratch` is overwritten.
fn is_boundary(c: char, scratch: &mut Vec<char>) -> bool {
    if is_plain(c) {
        return true;
    }
    scratch.clear();
    casefold(c, scratch);
    scratch.first().is_some_and(|&first| {
        canonical_combining_class(first) == 0 && is_nfc_quick(std::iter::once(first)) == IsNormalized::Yes
    })
}

/// Appends NFKC_Casefold of one character, decomposed: decomposition, case folding and the loss of ignorable
/// characters, again until nothing changes (DerivedNormalizationProps.txt).
fn casefold(c: char, out: &mut Vec<char>) {
    // Most characters are what they fold to: tried first, without a list.
    let (mut parts, mut whole) = (0, true);
    decompose_compatible(c, |d| (parts, whole) = (parts + 1, whole && d == c));
    if parts == 1 && whole && !is_ignorable(c) && std::iter::once(c).default_case_fold().eq([c]) {
        out.push(c);
        return;
    }
    let from = out.len();
    out.push(c);
    loop {
        let before: Vec<char> = out.drain(from..).collect();
        let mut decomposed = Vec::with_capacity(before.len());
        for &c in &before {
            decompose_compatible(c, |d| decomposed.push(d));
        }
        out.extend(decomposed.into_iter().default_case_fold().filter(|&c| !is_ignorable(c)));
        if out[from..] == before {
            return;
        }
    }
}

/// The way from places in a folded text back to the text that is shown. Made for the rows that are shown only.
pub struct Map<'a> {
    shown: &'a str,
    /// Where each piece begins, and whether it runs byte for byte; the last marks the ends.
    pieces: Vec<Piece>,
}

struct Piece {
    folded: usize,
    shown: usize,
    plain: bool,
}

impl<'a> Map<'a> {
    /// The map of a `shown` text, as [`IndexText`](super::IndexText) holds it (cleaned and in NFC).
    pub fn new(shown: &'a str) -> Map<'a> {
        let (mut pieces, mut at) = (Vec::new(), 0);
        walk(shown, |range, folded| {
            pieces.push(Piece { folded: at, shown: range.start, plain: folded.is_none() });
            at += folded.map_or(range.len(), str::len);
            true
        });
        pieces.push(Piece { folded: at, shown: shown.len(), plain: false });
        Map { shown, pieces }
    }

    /// The range of the shown text, in bytes, that a byte range of the folded text comes from, widened to whole
    /// grapheme clusters. A range that leaves the folded text is cut to it; an empty one gives an empty one.
    pub fn shown(&self, folded: Range<usize>) -> Range<usize> {
        let start = self.place(folded.start, false);
        if folded.is_empty() {
            return start..start;
        }
        self.grapheme_before(start)..self.grapheme_after(self.place(folded.end, true))
    }

    /// The place that a folded place comes from; inside a piece that folds as one, its start or its end.
    fn place(&self, folded: usize, end: bool) -> usize {
        let after = self.pieces.partition_point(|piece| piece.folded < folded + usize::from(!end));
        let Some(piece) = after.checked_sub(1).map(|at| &self.pieces[at]) else {
            return 0;
        };
        let next = self.pieces.get(after).map_or(self.shown.len(), |next| next.shown);
        match (piece.plain, end) {
            (true, _) => (piece.shown + (folded - piece.folded)).min(next),
            (false, true) => next,
            (false, false) => piece.shown,
        }
    }

    /// The folded place of the piece, or within a plain piece of the character, that begins at `shown`.
    pub(super) fn folded_place(&self, shown: usize) -> usize {
        let after = self.pieces.partition_point(|piece| piece.shown <= shown);
        let Some(piece) = after.checked_sub(1).map(|at| &self.pieces[at]) else {
            return 0;
        };
        piece.folded + if piece.plain { shown - piece.shown } else { 0 }
    }

    fn grapheme_before(&self, place: usize) -> usize {
        let place = self.shown.floor_char_boundary(place);
        let mut cursor = GraphemeCursor::new(place, self.shown.len(), true);
        match cursor.is_boundary(self.shown, 0) {
            Ok(false) => cursor.prev_boundary(self.shown, 0).ok().flatten().unwrap_or(0),
            _ => place,
        }
    }

    fn grapheme_after(&self, place: usize) -> usize {
        let place = self.shown.ceil_char_boundary(place);
        let mut cursor = GraphemeCursor::new(place, self.shown.len(), true);
        match cursor.is_boundary(self.shown, 0) {
            Ok(false) => cursor.next_boundary(self.shown, 0).ok().flatten().unwrap_or(self.shown.len()),
            _ => place,
        }
    }
}

/// The place in `shown` where the piece begins, or within a plain piece the character, that the folded byte `folded`
/// comes from, and how far into that piece's folded form it is. Without a map's memory: for one place in a text of any
/// size.
pub(super) fn shown_place(shown: &str, folded: usize) -> (usize, usize) {
    let (mut at, mut place) = (0, (shown.len(), 0));
    walk(shown, |range, text| {
        let len = text.map_or(range.len(), str::len);
        if folded < at + len {
            let into = folded - at;
            place = if text.is_none() { (range.start + into, 0) } else { (range.start, into) };
            return false;
        }
        at += len;
        true
    });
    place
}

#[cfg(test)]
#[path = "fold_tests.rs"]
mod tests;
