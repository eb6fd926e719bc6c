//! THE property of the search engine: whatever the record holds and however it came to hold it, the set, the total and the
//! order of the hits are those of a plain scan over the comments' folded index texts.
//!
//! The scan, the order and the scores below are written from the contract, not from the engine; only what a comment's
//! text folds to, what a query's terms are and how a compound is split are the engine's own definitions.

use crate::corpus::{Corpus, KINDS, MEMBERS, at, call, cut, ops, text};
use kiroku_api::types::{Filter, MatchMode, Note, Order, SearchQuery, SearchResults};
use kiroku_model::{Author, CommentId, ErrorCode, Kind, TaskId, TaskState, Time};
use kiroku_search::text::{index_text, prepare, split_compound, terms};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use std::collections::BTreeSet;

/// An indexed comment, as a scan sees it.
pub struct Doc {
    pub id: CommentId,
    task: TaskId,
    created: Time,
    author: Author,
    member: Option<String>,
    kind: Kind,
    folded: String,
}

pub fn docs(corpus: &Corpus) -> Vec<Doc> {
    let indexed = corpus.comments.iter().filter(|said| !said.withdrawn).filter_map(|said| {
        let new = &said.new;
        let text = index_text(&new.kind, new.progress.as_ref(), new.tool.as_deref(), &new.body, &new.attachments)?;
        Some(Doc {
            id: said.id,
            task: said.task,
            created: new.created,
            author: new.author,
            member: new.member.clone(),
            kind: new.kind.clone(),
            folded: prepare(&text).folded,
        })
    });
    indexed.filter(|doc| !doc.folded.is_empty()).collect()
}

/// A hit of the scan.
#[derive(Clone, Debug)]
pub struct Expected {
    pub id: CommentId,
    pub created: Time,
    counts: Vec<usize>,
    length: usize,
    score: f64,
}

/// Every hit of these folded terms within the filter, newest first, with the score that the contract gives it.
pub fn scan(
    corpus: &Corpus,
    docs: &[Doc],
    folded: &[&str],
    query: &SearchQuery,
    not_task: Option<TaskId>,
) -> Vec<Expected> {
    let count = |doc: &Doc, term: &str| doc.folded.matches(term).count();
    let number = docs.len() as f64;
    let average = docs.iter().map(|doc| doc.folded.chars().count()).sum::<usize>() as f64 / number.max(1.0);
    let idf: Vec<f64> = folded
        .iter()
        .map(|term| {
            let holding = docs.iter().filter(|doc| doc.folded.contains(term)).count() as f64;
            ((number - holding + 0.5) / (holding + 0.5)).ln().max(1e-6)
        })
        .collect();
    let filter = &query.filter;
    let state_of = |task: TaskId| corpus.tasks.iter().find(|it| it.id == task).map(|it| it.state);
    let mut hits: Vec<Expected> = docs
        .iter()
        .filter(|doc| {
            let matches = |term: &&str| doc.folded.contains(*term);
            not_task != Some(doc.task)
                && filter.kind.as_ref().is_none_or(|kind| *kind == doc.kind)
                && filter.author.is_none_or(|author| author == doc.author)
                && filter.member.as_ref().is_none_or(|id| doc.member.as_ref() == Some(id))
                && filter.task.is_none_or(|task| task == doc.task)
                && (filter.states.is_empty() || state_of(doc.task).is_some_and(|state| filter.states.contains(&state)))
                && filter.since.is_none_or(|since| doc.created >= since)
                && filter.until.is_none_or(|until| doc.created < until)
                && match query.match_mode {
                    MatchMode::Any => folded.iter().any(matches),
                    MatchMode::All => folded.iter().all(matches),
                }
        })
        .map(|doc| {
            let counts: Vec<usize> = folded.iter().map(|term| count(doc, term)).collect();
            let length = doc.folded.chars().count();
            // bm25 with k1 = 1.2, b = 0.75.
            let norm = 1.2 * (0.25 + 0.75 * length as f64 / average);
            let score =
                counts.iter().zip(&idf).map(|(count, idf)| idf * (*count as f64 * 2.2) / (*count as f64 + norm)).sum();
            Expected { id: doc.id, created: doc.created, counts, length, score }
        })
        .collect();
    hits.sort_by_key(|hit| std::cmp::Reverse((hit.created, hit.id)));
    hits
}

/// The order that the contract gives a query of these terms.
pub fn order_of(folded: &[&str], asked: Option<Order>) -> Order {
    if asked == Some(Order::Newest) || folded.iter().any(|term| term.chars().count() < 3) {
        Order::Newest
    } else {
        Order::Relevance
    }
}

/// Whether `got` is an order of `hits` by relevance, ties newest first. Scores that differ by less than floating point
/// can tell may stand either way, unless they are of equal counts and lengths.
pub fn check_relevance(hits: &[Expected], got: &[CommentId]) -> Result<(), String> {
    let find = |id: &CommentId| hits.iter().find(|hit| hit.id == *id).ok_or(format!("{id} is no hit"));
    for pair in got.windows(2) {
        let (first, second) = (find(&pair[0])?, find(&pair[1])?);
        let alike = first.counts == second.counts && first.length == second.length;
        let good = if alike {
            (first.created, first.id) > (second.created, second.id)
        } else {
            first.score >= second.score - 1e-9 * second.score.abs()
        };
        if !good {
            return Err(format!("{first:?} stands before {second:?}"));
        }
    }
    Ok(())
}

/// Every hit, page by page.
pub fn pages(corpus: &Corpus, query: &SearchQuery, not_task: Option<TaskId>) -> kiroku_model::Result<Pages> {
    let mut query = query.clone();
    let mut got = Pages { ids: Vec::new(), first: None };
    loop {
        let answer = corpus.workspace.conversations().search(&call(not_task), &query)?;
        let results = answer.body.expect("a member may search");
        assert!(results.hits.len() <= query.limit);
        for hit in &results.hits {
            let units = hit.excerpt.encode_utf16().count();
            assert!(!hit.matches.is_empty(), "{query:?}: nothing marked in {hit:?}");
            assert!(hit.matches.iter().all(|[start, end]| start < end && *end <= units), "{hit:?}");
            got.ids.push(CommentId::parse(&hit.reference).unwrap());
        }
        let last = got.ids.last().copied().filter(|_| results.hits.len() == query.limit);
        if let Some(first) = &got.first {
            assert_eq!(
                (first.total, first.total_is, first.order, first.ranked_among),
                (results.total, results.total_is, results.order, results.ranked_among),
                "another page, another word on the whole"
            );
        } else {
            got.first = Some(results);
        }
        match last {
            Some(last) => query.after = Some(last),
            None => return Ok(got),
        }
    }
}

pub struct Pages {
    pub ids: Vec<CommentId>,
    first: Option<SearchResults>,
}

impl Pages {
    pub fn first(&self) -> &SearchResults {
        self.first.as_ref().expect("there is a first page")
    }
}

/// A query before the corpus is known.
#[derive(Clone, Debug)]
struct Asked {
    pieces: Vec<(Piece, &'static str)>,
    all: bool,
    kind: Option<&'static str>,
    author: Option<bool>,
    member: Option<&'static str>,
    task: Option<Index>,
    states: Vec<TaskState>,
    since: Option<i64>,
    until: Option<i64>,
    own: Option<Index>,
    order: Option<Order>,
    limit: usize,
}

#[derive(Clone, Debug)]
enum Piece {
    /// Out of a comment of the corpus.
    Cut(Index, Index, usize),
    Text(String),
}

fn asked() -> impl Strategy<Value = Asked> {
    let piece = prop_oneof![
        4 => (any::<Index>(), any::<Index>(), prop_oneof![Just(1_usize), Just(2), Just(3), 4..9_usize])
            .prop_map(|(comment, from, length)| Piece::Cut(comment, from, length)),
        1 => text().prop_map(|text| Piece::Text(text.chars().take(8).collect())),
    ];
    let pieces = vec((piece, select(&[" ", "", "\u{3000}", "\n"][..])), 1..4);
    // A filter each about as often as not at all, so that most queries find something.
    let kind = option::weighted(0.2, select(&KINDS[..]));
    let who = (option::weighted(0.2, any::<bool>()), option::weighted(0.15, select(&MEMBERS[..])));
    let task = option::weighted(0.2, any::<Index>());
    let states = prop_oneof![4 => Just(Vec::new()), 1 => vec(select(&TaskState::ALL[..]), 1..3)];
    let times = (option::weighted(0.2, 0..14_i64), option::weighted(0.2, 1..16_i64));
    let own = option::weighted(0.3, any::<Index>());
    let order = prop_oneof![4 => Just(None), 1 => Just(Some(Order::Newest)), 1 => Just(Some(Order::Relevance))];
    ((pieces, any::<bool>()), kind, who, task, states, times, own, order, 1..9_usize).prop_map(
        |((pieces, all), kind, (author, member), task, states, (since, until), own, order, limit)| Asked {
            pieces,
            all,
            kind,
            author,
            member,
            task,
            states,
            since,
            until,
            own,
            order,
            limit,
        },
    )
}

impl Asked {
    fn query(&self, corpus: &Corpus) -> SearchQuery {
        let query = self.pieces.iter().map(|(piece, space)| {
            let text = match piece {
                Piece::Cut(comment, from, length) if !corpus.comments.is_empty() => {
                    let new = &comment.get(&corpus.comments).new;
                    let attached = new.attachments.first().map_or("", |attachment| &attachment.name);
                    cut(&format!("{}{attached}", new.body), *from, *length).unwrap_or_default()
                }
                Piece::Cut(..) => "a".to_owned(),
                Piece::Text(text) => text.clone(),
            };
            text + space
        });
        SearchQuery {
            query: query.collect(),
            match_mode: if self.all { MatchMode::All } else { MatchMode::Any },
            filter: Filter {
                kind: self.kind.map(Kind::from),
                author: self.author.map(|user| if user { Author::User } else { Author::Agent }),
                member: self.member.map(str::to_owned),
                task: self.task.map(|task| task.get(&corpus.tasks).id),
                states: self.states.clone(),
                since: self.since.map(at),
                until: self.until.map(at),
            },
            limit: self.limit,
            order: self.order,
            ..SearchQuery::default()
        }
    }
}

/// Holds the engine's answer to a query against the scan's.
fn check(corpus: &Corpus, docs: &[Doc], query: &SearchQuery, own: Option<TaskId>) -> Result<(), TestCaseError> {
    let got = pages(corpus, query, own);
    let asked = match terms(&query.query) {
        Ok(asked) => asked,
        Err(error) => {
            let refused = got.map(|_| ()).expect_err("the engine refuses what holds no term");
            prop_assert_eq!(refused.code(), ErrorCode::InvalidInput);
            prop_assert_eq!(refused.message(), error.message());
            return Ok(());
        }
    };
    let got = got.map_err(|error| TestCaseError::fail(format!("{query:?}: {error}")))?;
    let mut folded: Vec<String> = asked.iter().map(|term| term.folded.clone()).collect();

    let run = |folded: &[String]| {
        let folded: Vec<&str> = folded.iter().map(String::as_str).collect();
        scan(corpus, docs, &folded, query, own)
    };
    let mut hits = run(&folded);
    let mut split = None;
    if hits.is_empty()
        && query.match_mode == MatchMode::Any
        && let [term] = asked.as_slice()
        && let Some(parts) = split_compound(&term.original)
        && let Ok(again) = terms(&parts.join(" "))
    {
        let again: Vec<String> = again.into_iter().map(|term| term.folded).collect();
        let found = run(&again);
        if !found.is_empty() {
            (hits, folded, split) = (found, again, Some(parts));
        }
    }
    let folded: Vec<&str> = folded.iter().map(String::as_str).collect();
    let order = order_of(&folded, query.order);
    let first = got.first();
    prop_assert_eq!(first.total, hits.len() as u64, "total of {:?}", query);
    prop_assert_eq!(first.total_is, None);
    prop_assert_eq!(first.ranked_among, None);
    prop_assert_eq!(first.order, order, "{:?}", query);
    match (&first.note, &split) {
        (Some(Note::Split { terms }), Some(parts)) => prop_assert_eq!(terms, parts),
        (note, None) => prop_assert!(!matches!(note, Some(Note::Split { .. })), "{:?}", note),
        (note, parts) => prop_assert!(false, "{:?} instead of {:?}", note, parts),
    }
    let expected: Vec<CommentId> = hits.iter().map(|hit| hit.id).collect();
    if order == Order::Newest {
        prop_assert_eq!(&got.ids, &expected, "{:?}", query);
    } else {
        let set = |ids: &[CommentId]| ids.iter().copied().collect::<BTreeSet<_>>();
        prop_assert_eq!(set(&got.ids), set(&expected), "{:?}", query);
        prop_assert_eq!(got.ids.len(), expected.len(), "a hit twice: {:?}", query);
        if let Err(why) = check_relevance(&hits, &got.ids) {
            prop_assert!(false, "{}: {:?}", why, query);
        }
    }
    Ok(())
}

fn cases(usual: u32) -> ProptestConfig {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(usual);
    ProptestConfig { cases, failure_persistence: None, max_shrink_time: 20_000, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(cases(48))]

    #[test]
    fn the_engine_finds_what_a_scan_finds(ops in ops(), asked in vec(asked(), 24)) {
        let mut corpus = Corpus::new();
        for op in &ops {
            corpus.run(op);
        }
        let faults = corpus.workspace.conversations().check_index().unwrap();
        prop_assert!(faults.is_empty(), "{faults:?}");
        let docs = docs(&corpus);
        for asked in &asked {
            let own = asked.own.map(|own| own.get(&corpus.tasks).id);
            check(&corpus, &docs, &asked.query(&corpus), own)?;
        }
    }
}
