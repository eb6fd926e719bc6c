//! SearchWorkspaceTasks' `query`: from the words to the hits.
//!
//! The terms are folded and asked of the index ([`needle`]), the matches are streamed newest first up to a cap
//! ([`stream`]), and ranked if every term is long enough ([`rank`]); then the few that are answered are read whole.

mod needle;
mod rank;
mod stream;

pub(crate) use stream::state_of;

use crate::conversation;
use crate::index::{self, Generation};
use crate::text::{self, Term};
use crate::types::{AtLeast, Hit, MatchMode, Note, Order, SearchQuery, SearchResults};
use kiroku_model::{Cancel, CommentId, Error, Kind, Result, TaskId, Time, text};
use kiroku_store::DbResult;
use needle::{Needle, is_short, last_id};
use rank::Bm25;
use rusqlite::{Connection, OptionalExtension};
use stream::{Bounds, Match, Question, Streamed, document_frequency, stream};

/// Up to this many hits are counted exactly where they go newest first; and up to this many of one term are all ranked,
/// beyond it the newest so many, of several terms each its share: what can be read and ranked while nobody waits.
const COUNTED: usize = 1_000;
const RANKED: usize = 4_000;
/// Terms of one query at most: more is no search but a text pasted into the field.
const TERMS: usize = 64;
/// Characters in an excerpt.
pub(crate) const EXCERPT: usize = 120;

/// The hits of a query that isn't about `not_task`, as things are at `now`.
pub(crate) fn search(
    conn: &Connection,
    query: &SearchQuery,
    not_task: Option<TaskId>,
    now: Time,
    cancel: &Cancel,
) -> Result<SearchResults> {
    let terms = text::terms(&query.query)?;
    if terms.len() > TERMS {
        return Err(Error::invalid(text!(
            en: "a search has at most {TERMS} words",
            ja: "検索できる語は {TERMS} 個までです"
        )));
    }
    let generation = index::live(conn)?;
    let folded: Vec<&str> = terms.iter().map(|term| term.folded.as_str()).collect();
    let mut found = find(conn, &generation, query, &folded, not_task, now, cancel)?;
    let mut note = None;
    let mut shown: Vec<Term> = terms;
    if found.total == 0
        && query.match_mode == MatchMode::Any
        && let [term] = shown.as_slice()
        && let Some(parts) = text::split_compound(&term.original)
        && let Ok(split) = text::terms(&parts.join(" "))
    {
        let folded: Vec<&str> = split.iter().map(|term| term.folded.as_str()).collect();
        let again = find(conn, &generation, query, &folded, not_task, now, cancel)?;
        if again.total > 0 {
            found = again;
            note = Some(Note::Split { terms: parts });
            shown = split;
        }
    }
    let indexing = indexing(conn, &generation)?;
    let folded: Vec<&str> = shown.iter().map(|term| term.folded.as_str()).collect();
    let hits = found
        .page
        .iter()
        .map(|found| {
            cancel.check()?;
            hit(conn, found, &folded, query.context)
        })
        .collect::<Result<_>>()?;
    Ok(SearchResults {
        total: found.total,
        total_is: (!found.exact).then_some(AtLeast::AtLeast),
        order: found.order,
        ranked_among: found.ranked_among,
        note: note.or(indexing),
        hits,
    })
}

/// The matches that are answered, and what is said of all.
struct Found {
    page: Vec<Match>,
    total: u64,
    exact: bool,
    order: Order,
    ranked_among: Option<u64>,
}

fn find(
    conn: &Connection,
    generation: &Generation,
    query: &SearchQuery,
    terms: &[&str],
    not_task: Option<TaskId>,
    now: Time,
    cancel: &Cancel,
) -> Result<Found> {
    let short = terms.iter().any(|term| is_short(term, 2));
    let order = match query.order {
        Some(Order::Newest) => Order::Newest,
        _ if short => Order::Newest,
        _ => Order::Relevance,
    };
    let nothing = Found { page: Vec::new(), total: 0, exact: true, order, ranked_among: None };
    if query.filter.kind == Some(Kind::Comment) {
        return Ok(nothing);
    }
    let needles: Vec<Needle> = terms.iter().map(|term| Needle::new(conn, generation, term)).collect::<Result<_>>()?;
    let bounds = Bounds::new(conn, &query.filter, not_task, now)?;
    let after = query.after.map(|after| position_of(conn, after)).transpose()?;
    let cap = match order {
        _ if query.count_all => usize::MAX - 1,
        Order::Newest => COUNTED,
        Order::Relevance => (RANKED / needles.len().max(1)).max(COUNTED),
    };
    let question = Question {
        generation,
        needles: &needles,
        mode: query.match_mode,
        bounds: &bounds,
        counts: order == Order::Relevance,
        cap,
    };
    let mut streamed = stream(conn, &question, cancel)?;
    let total = streamed.matches.len() as u64;
    let exact = streamed.complete;
    let mut found = Found { total, exact, ..nothing };
    if order == Order::Newest {
        if let Some(after) = after {
            // The next page is streamed on its own: it may lie beyond the cap.
            let bounds = bounds.clone().after(after);
            streamed = stream(conn, &Question { bounds: &bounds, cap: query.limit, ..question }, cancel)?;
        }
        found.page = streamed.matches;
    } else {
        found.ranked_among = (!exact).then_some(total);
        let candidates = ranked(conn, &question, streamed, cancel)?;
        let from = match query.after {
            // A hit that is no longer among the candidates: there is nothing behind it.
            Some(after) => {
                candidates.iter().position(|found| found.position.1 == after.0).map_or(candidates.len(), |at| at + 1)
            }
            None => 0,
        };
        found.page = candidates.into_iter().skip(from).collect();
    }
    found.page.truncate(query.limit);
    Ok(found)
}

/// The matches by relevance. Where the stream was cut short and several terms may match, the comments that hold every
/// term are candidates too, however old.
fn ranked(conn: &Connection, question: &Question<'_>, streamed: Streamed, cancel: &Cancel) -> Result<Vec<Match>> {
    let complete = streamed.complete;
    let mut candidates = streamed.matches;
    let streamed_to = candidates.len();
    if !complete && question.mode == MatchMode::Any && question.needles.len() > 1 {
        let every = stream(conn, &Question { mode: MatchMode::All, ..*question }, cancel)?;
        let known: std::collections::HashSet<i64> = candidates.iter().map(|found| found.position.1).collect();
        candidates.extend(every.matches.into_iter().filter(|found| !known.contains(&found.position.1)));
    }
    let frequencies: Vec<u64> = match question.needles {
        // With one term its rarity is the same for every hit and decides nothing.
        [_] => vec![1],
        several => {
            let told = told_by(question, &candidates[..streamed_to], complete, last_id(conn, question.generation)?);
            let frequency = |(needle, told): (_, Option<u64>)| match told {
                Some(frequency) => Ok(frequency),
                None => document_frequency(conn, question.generation, needle, COUNTED, complete, cancel),
            };
            several.iter().zip(told).map(frequency).collect::<Result<_>>()?
        }
    };
    let docs = question.generation.docs.max(0) as u64;
    Bm25::new(docs, &frequencies, question.generation.average_length()).sort(&mut candidates);
    Ok(candidates)
}

/// How many docs of the whole index hold each term, as far as a stream for any of them tells: it met every doc that holds
/// one, down to its end. Not where a filter left docs out, nor of a term that it met too seldom to reckon by.
fn told_by(question: &Question<'_>, met: &[Match], complete: bool, last: i64) -> Vec<Option<u64>> {
    const SELDOM: usize = 50;
    let tells = question.mode == MatchMode::Any && question.bounds.is_none();
    let down_to = met.iter().map(|found| found.doc).min().unwrap_or(0);
    let part = if complete { 1.0 } else { (last - down_to + 1) as f64 / last.max(1) as f64 };
    let of_term = |term: usize| {
        let holding = met.iter().filter(|found| found.counts[term] > 0).count();
        (tells && (complete || holding >= SELDOM)).then(|| (holding as f64 / part) as u64)
    };
    (0..question.needles.len()).map(of_term).collect()
}

/// Where a comment stands in newest-first order.
fn position_of(conn: &Connection, comment: CommentId) -> Result<index::Position> {
    conn.prepare_cached("SELECT created, id FROM comment WHERE id = ?1")
        .and_then(|mut row| row.query_row([comment.0], |row| Ok((row.get(0)?, row.get(1)?))).optional())
        .or_sql()?
        .ok_or_else(|| {
            Error::not_found(
                text!(en: "there is no {comment} in this space", ja: "{comment} はこのスペースにありません"),
            )
        })
}

/// Says so while a first index is being built.
fn indexing(conn: &Connection, live: &Generation) -> Result<Option<Note>> {
    if live.docs > 0 || live.top.0 >= 0 {
        return Ok(None);
    }
    let all = index::generations(conn)?;
    let Some(building) = all.iter().find(|generation| !generation.live) else {
        return Ok(None);
    };
    let total: i64 = conn.query_row("SELECT count(*) FROM comment", [], |row| row.get(0)).or_sql()?;
    Ok(Some(Note::Indexing { done: building.docs as u64, total: total as u64 }))
}

/// Reads a hit whole: its excerpt is cut from the text as it is redacted now.
fn hit(conn: &Connection, found: &Match, terms: &[&str], context: usize) -> Result<Hit> {
    let id = CommentId(found.position.1);
    let row = index::rebuild::read(conn, "c.id = ?1", [id.0])?
        .pop()
        .ok_or_else(|| Error::internal(format!("{id} is in the index and not in the space")))?;
    let source = row.source();
    let indexed = text::index_text(source.kind, source.progress, source.tool, source.body, source.attachments);
    let shown = indexed.map(|text| text::prepare(&text).shown).unwrap_or_default();
    let excerpt = text::excerpt(&shown, terms, EXCERPT);
    let task = TaskId(found.task);
    let (before, after) = if context > 0 {
        let (before, after) = conversation::neighbours(conn, task, id, context)?;
        (Some(before), Some(after))
    } else {
        (None, None)
    };
    Ok(Hit {
        reference: id.to_string(),
        task: conversation::task_name(conn, task)?,
        author: source.author,
        member: source.member.map(str::to_owned),
        kind: source.kind.clone(),
        created: Time(found.position.0),
        excerpt: excerpt.text,
        matches: excerpt.matches,
        before,
        after,
    })
}
