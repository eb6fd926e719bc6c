//! Search: every file is read, every time. There is no index that could be stale.
//!
//! Two passes. The first counts matching lines of all files in parallel; a file is lowered in place and searched as one
//! block where folding can do no more than that, and line by line where it can. The second reads the few files again
//! whose hits are given, and cuts the excerpts. The order of hits is that of the files' names, whatever finished first.

use crate::fold::{fold, fold_lines};
use crate::open::Directory;
use crate::{ContentRoot, Entry, Frontmatter, RecordKind, RecordRef};
use kiroku_model::{Cancel, Error, ErrorCode, Result, Text, text};
use memchr::memmem::Finder;
use rayon::prelude::*;
use std::collections::HashMap;

/// The most characters of one line that an excerpt gives (20,000: the longest body that is allowed); a longer line is
/// cut around its match.
const LONGEST_LINE: usize = 20_000;

/// What to search for, and where.
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    /// The text to find, as given; blank is an error.
    pub text: &'a str,
    /// The kinds of record to look through, in this order.
    pub kinds: &'a [RecordKind],
    /// Only files whose frontmatter says this `kind`, exactly.
    pub frontmatter_kind: Option<&'a str>,
    /// How many hits to give at most.
    pub limit: usize,
    /// How many lines to give before and after the one that matched.
    pub around: usize,
}

/// One matching line.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// The record.
    pub record: RecordRef,
    /// The line that matched, from 1.
    pub line: usize,
    /// The first line of the excerpt, from 1.
    pub first_line: usize,
    /// The lines, without their line ends, joined by `\n`.
    pub excerpt: String,
    /// What the record's frontmatter says.
    pub about: About,
}

/// What a knowledge record's frontmatter says of it; `None` where it can't be read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct About {
    /// `kind`.
    pub kind: Option<String>,
    /// `description`.
    pub description: Option<String>,
    /// `model_invokation`.
    pub model_invokation: Option<bool>,
    /// `user_invocable`.
    pub user_invocable: Option<bool>,
}

impl About {
    /// Reads it from a record's text.
    pub fn of(text: &str) -> About {
        let Ok(read) = Frontmatter::parse(text) else {
            return About::default();
        };
        About {
            kind: read.str("kind").map(str::to_owned),
            description: read.str("description").map(str::to_owned),
            model_invokation: read.bool("model_invokation"),
            user_invocable: read.bool("user_invocable"),
        }
    }
}

/// A file that could not be searched, or not wholly.
#[derive(Clone, Debug)]
pub struct SearchProblem {
    /// The file under the content root.
    pub file: String,
    /// What is wrong with it.
    pub message: Text,
}

/// What a search found.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The hits, by kind, file name, line; at most the limit.
    pub hits: Vec<Hit>,
    /// How many lines matched.
    pub total: usize,
    /// What could not be searched.
    pub problems: Vec<SearchProblem>,
}

/// Searches the records of `root`.
pub fn search(root: &ContentRoot, query: &Query<'_>, cancel: &Cancel) -> Result<Found> {
    let needle = fold(query.text);
    if needle.trim().is_empty() {
        return Err(Error::invalid(
            text!(en: "`query` is blank: write what to look for", ja: "query が空です。探す語を書いてください"),
        ));
    }
    let mut found = Found::default();
    let mut entries = Vec::new();
    let listings: Vec<_> = query.kinds.par_iter().map(|kind| (kind, root.list(*kind))).collect();
    for (kind, listing) in listings {
        match listing {
            Ok(listing) => {
                entries.extend(listing.entries);
                let bad =
                    listing.problems.into_iter().map(|bad| SearchProblem { file: bad.file, message: bad.message });
                found.problems.extend(bad);
            }
            Err(error) => found.problems.push(problem(kind.folder().to_owned(), &error)),
        }
    }
    // A line has no line end, so that nothing which holds one can be in it.
    if needle.contains('\n') {
        return Ok(found);
    }
    let scan = Scan { finder: Finder::new(&needle), by_line: needle.contains('\r') };
    let directories: HashMap<RecordKind, Directory> =
        query.kinds.iter().filter_map(|kind| Some((*kind, Directory::open(&root.directory(*kind).ok()??)?))).collect();
    let counted: Vec<Counted> = entries
        .par_iter()
        .with_min_len(32)
        .map_init(Buffers::default, |buffers, entry| {
            if cancel.is_cancelled() {
                Counted::default()
            } else {
                scan.count(root, directories.get(&entry.record.kind), entry, query, buffers)
            }
        })
        .collect();
    cancel.check()?;
    let mut bytes = Vec::new();
    for (entry, counted) in entries.iter().zip(counted) {
        found.problems.extend(counted.problem);
        let mut lines = counted.lines;
        if lines > 0 && found.hits.len() < query.limit {
            let read = root.read_entry(entry, &mut bytes);
            lines = match read {
                Ok(()) => scan.excerpts(entry, &String::from_utf8_lossy(&bytes), query, &mut found.hits),
                Err(_) => 0,
            };
        }
        found.total += lines;
    }
    Ok(found)
}

/// The hits of one record, joined: the record, how many lines match, and the excerpts, each with the number of its first
/// line; those that overlap or touch are one.
pub type Joined = (RecordRef, usize, Vec<(usize, String)>);

/// Joins the hits of each record, which are in the order of a search.
pub fn joined(hits: Vec<Hit>) -> Vec<Joined> {
    /// An excerpt: the number of its first line, and its lines.
    type Excerpt = (usize, Vec<String>);
    let mut records: Vec<(RecordRef, usize, Vec<Excerpt>)> = Vec::new();
    for hit in hits {
        let lines: Vec<String> = hit.excerpt.split('\n').map(str::to_owned).collect();
        if records.last().is_none_or(|(record, ..)| *record != hit.record) {
            records.push((hit.record, 0, Vec::new()));
        }
        let Some((_, count, excerpts)) = records.last_mut() else { continue };
        *count += 1;
        match excerpts.last_mut() {
            Some((first, shown)) if hit.first_line <= *first + shown.len() => {
                let known = *first + shown.len() - hit.first_line;
                // A very long line shows its match only in the excerpt that is about it.
                if let Some(line) = shown.get_mut(hit.line - *first) {
                    line.clone_from(&lines[hit.line - hit.first_line]);
                }
                shown.extend(lines.into_iter().skip(known));
            }
            _ => excerpts.push((hit.first_line, lines)),
        }
    }
    let text = |(first, lines): Excerpt| (first, lines.join("\n"));
    records
        .into_iter()
        .map(|(record, count, excerpts)| (record, count, excerpts.into_iter().map(text).collect()))
        .collect()
}

fn problem(file: String, error: &Error) -> SearchProblem {
    SearchProblem { file, message: error.message().clone() }
}

#[derive(Default)]
struct Counted {
    lines: usize,
    problem: Option<SearchProblem>,
}

#[derive(Default)]
struct Buffers {
    bytes: Vec<u8>,
    folded: Vec<u8>,
}

struct Scan<'a> {
    finder: Finder<'a>,
    /// Whether only the slow way is right: the query holds a carriage return, which may be part of a line end.
    by_line: bool,
}

impl Scan<'_> {
    /// How many lines of a file match.
    fn count(
        &self,
        root: &ContentRoot,
        directory: Option<&Directory>,
        entry: &Entry,
        query: &Query<'_>,
        buffers: &mut Buffers,
    ) -> Counted {
        let Buffers { bytes, folded } = buffers;
        if let Err(error) = root.read_in(directory, entry, bytes) {
            // Deleted since it was listed: then it is not there.
            let gone = error.code() == ErrorCode::NotFound;
            return Counted { lines: 0, problem: (!gone).then(|| problem(entry.record.file(), &error)) };
        }
        bytes.make_ascii_lowercase();
        let mut counted = Counted::default();
        if bytes.is_ascii() && !self.by_line {
            counted.lines = self.count_lines(bytes);
        } else {
            match fold_lines(bytes, folded) {
                Ok(()) if !self.by_line => counted.lines = self.count_lines(folded),
                told => {
                    counted.lines = String::from_utf8_lossy(bytes).lines().filter(|line| self.matches(line)).count();
                    counted.problem = told.err().map(|at| SearchProblem {
                        file: entry.record.file(),
                        message: text!(
                            en: "not UTF-8 (byte {at}): searched as far as it can be read",
                            ja: "UTF-8 ではないところがあります（{at} バイト目）。読める部分だけを検索しました"
                        ),
                    });
                }
            }
        }
        if counted.lines > 0
            && let Some(kind) = query.frontmatter_kind
        {
            // The text was lowered: what its frontmatter says has to be read again.
            let again = root.read_entry(entry, bytes).is_ok();
            let about = if again { About::of(&String::from_utf8_lossy(bytes)) } else { About::default() };
            if about.kind.as_deref() != Some(kind) {
                counted.lines = 0;
            }
        }
        counted
    }

    /// Matching lines of a folded text.
    fn count_lines(&self, text: &[u8]) -> usize {
        let (mut lines, mut at) = (0, 0);
        while let Some(n) = self.finder.find(&text[at..]) {
            lines += 1;
            match memchr::memchr(b'\n', &text[at + n..]) {
                Some(end) => at += n + end + 1,
                None => break,
            }
        }
        lines
    }

    fn matches(&self, line: &str) -> bool {
        self.finder.find(fold(line).as_bytes()).is_some()
    }

    /// Adds a file's hits, up to the limit; gives how many lines match in all.
    fn excerpts(&self, entry: &Entry, text: &str, query: &Query<'_>, hits: &mut Vec<Hit>) -> usize {
        let lines: Vec<&str> = text.lines().collect();
        let about = About::of(text);
        let mut total = 0;
        for (n, line) in lines.iter().enumerate() {
            if !self.matches(line) {
                continue;
            }
            total += 1;
            if hits.len() == query.limit {
                continue;
            }
            let from = n.saturating_sub(query.around);
            let to = (n + query.around + 1).min(lines.len());
            let mut excerpt = String::new();
            for (at, shown) in lines.iter().enumerate().take(to).skip(from) {
                if at > from {
                    excerpt.push('\n');
                }
                excerpt.push_str(if at == n { self.window(shown) } else { head(shown) });
            }
            let record = entry.record.clone();
            hits.push(Hit { record, line: n + 1, first_line: from + 1, excerpt, about: about.clone() });
        }
        total
    }

    /// The line, or the part of a very long one that holds the match.
    fn window<'t>(&self, line: &'t str) -> &'t str {
        if line.len() <= LONGEST_LINE {
            return line;
        }
        let starts: Vec<usize> = line.char_indices().map(|(at, _)| at).step_by(LONGEST_LINE / 2).collect();
        let windows = starts.iter().map(|at| head(&line[*at..]));
        windows.into_iter().find(|part| self.matches(part)).unwrap_or(head(line))
    }
}

fn head(line: &str) -> &str {
    line.char_indices().nth(LONGEST_LINE).map_or(line, |(end, _)| &line[..end])
}
