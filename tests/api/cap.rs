//! More hits than are ranked: how the total is said, which of them are candidates, and that order and paging hold behind
//! the cap and while a new generation of the index is half built.

use crate::corpus::{Corpus, Draft, Op, call};
use crate::oracle::{Expected, check_relevance, docs, order_of, pages, scan};
use kiroku_api::types::{AtLeast, Filter, MatchMode, Order, SearchQuery};
use kiroku_model::{Author, Cancel, CommentId, TaskState};
use kiroku_search::text::terms;
use std::collections::BTreeSet;

/// The most hits that are counted exactly where they go newest first (by the contract at least this many), and that are
/// ranked for one term, for several each its share; the engine's own numbers.
const COUNTED: usize = 1_000;
const RANKED: usize = 4_000;
/// Comments that hold the common word.
const MANY: usize = 4_600;

fn cap(order: Order, terms: usize) -> usize {
    if order == Order::Newest { COUNTED } else { (RANKED / terms).max(COUNTED) }
}

/// A fixed sequence of numbers that look random.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }
}

/// A corpus of comments that all hold `common`; some hold `seldom` too, and the oldest few hold `common` and `ancient`.
/// They come in any order, so that nearly all are late in the index.
fn corpus() -> Corpus {
    let mut corpus = Corpus::new();
    let mut numbers = Numbers(7);
    let drafts: Vec<Draft> = (0..MANY)
        .map(|nth| {
            let second = numbers.below(2_000) as i64 + 100;
            let mut body = format!("common {}", "filler ".repeat(numbers.below(9) as usize));
            if nth % 13 == 0 {
                body += "seldom 稀 ";
            }
            body += &"common ".repeat(numbers.below(3) as usize);
            let second = if nth % 800 == 0 {
                body += "ancient";
                nth as i64 / 800
            } else {
                second
            };
            Draft::plain(nth, second, body)
        })
        .collect();
    corpus.run(&Op::Write(drafts));
    corpus
}

fn query(text: &str) -> SearchQuery {
    SearchQuery { query: text.to_owned(), limit: 200, ..SearchQuery::default() }
}

fn ids(hits: &[Expected]) -> Vec<CommentId> {
    hits.iter().map(|hit| hit.id).collect()
}

/// Holds the engine's answer against what the contract says of any number of hits.
fn check(corpus: &Corpus, query: &SearchQuery) {
    let docs = docs(corpus);
    let asked = terms(&query.query).unwrap();
    let folded: Vec<&str> = asked.iter().map(|term| term.folded.as_str()).collect();
    let hits = scan(corpus, &docs, &folded, query, None);
    let got = pages(corpus, query, None).unwrap();
    let first = got.first();
    let order = order_of(&folded, query.order);
    assert_eq!(first.order, order, "{query:?}");
    let cap = cap(order, folded.len());
    if hits.len() <= cap || query.count_all {
        assert_eq!((first.total, first.total_is, first.ranked_among), (hits.len() as u64, None, None), "{query:?}");
    } else {
        let among = (order == Order::Relevance).then_some(cap as u64);
        assert_eq!(
            (first.total, first.total_is, first.ranked_among),
            (cap as u64, Some(AtLeast::AtLeast), among),
            "{query:?}"
        );
    }
    if order == Order::Newest {
        assert_eq!(got.ids, ids(&hits), "newest first goes on behind the cap: {query:?}");
        return;
    }
    let most = if query.count_all { usize::MAX } else { cap };
    // The newest that match, and the newest that hold every term.
    let mut candidates: BTreeSet<CommentId> = ids(&hits).into_iter().take(most).collect();
    let every = SearchQuery { match_mode: MatchMode::All, ..query.clone() };
    candidates.extend(ids(&scan(corpus, &docs, &folded, &every, None)).into_iter().take(most));
    assert_eq!(got.ids.iter().copied().collect::<BTreeSet<_>>(), candidates, "{query:?}");
    assert_eq!(got.ids.len(), candidates.len());
    if folded.len() == 1 || hits.len() <= COUNTED {
        check_relevance(&hits, &got.ids).unwrap();
    }
}

fn check_all(corpus: &Corpus) {
    for text in [
        "common",
        "seldom",
        "ancient",
        "common ancient",
        "common seldom",
        "seldom ancient",
        "稀",
        "co",
        "common 稀",
        "nowhere",
    ] {
        for match_mode in [MatchMode::Any, MatchMode::All] {
            check(corpus, &SearchQuery { match_mode, ..query(text) });
        }
    }
    check(corpus, &SearchQuery { order: Some(Order::Newest), ..query("common") });
    check(corpus, &SearchQuery { count_all: true, ..query("common") });
    check(corpus, &SearchQuery { count_all: true, ..query("co") });
    let filters = [
        Filter { author: Some(Author::User), ..Filter::default() },
        Filter { task: Some(corpus.tasks[1].id), ..Filter::default() },
        Filter { since: Some(crate::corpus::at(900)), until: Some(crate::corpus::at(1_500)), ..Filter::default() },
        Filter { states: vec![corpus.tasks[2].state, corpus.tasks[4].state], ..Filter::default() },
    ];
    for filter in filters {
        for text in ["common", "co", "common ancient"] {
            check(corpus, &SearchQuery { filter: filter.clone(), ..query(text) });
        }
    }
}

#[test]
fn beyond_the_cap_and_across_generations() {
    let mut corpus = corpus();
    check_all(&corpus);
    // A comment with every word is found first, however old: the reference's promise.
    let found = corpus
        .workspace
        .conversations()
        .search(&call(None), &SearchQuery { limit: 10, ..query("common ancient") })
        .unwrap();
    let best: BTreeSet<String> = found.body.unwrap().hits.into_iter().take(6).map(|hit| hit.reference).collect();
    let old: BTreeSet<String> = corpus
        .comments
        .iter()
        .filter(|said| said.new.body.contains("ancient"))
        .map(|said| said.id.to_string())
        .collect();
    assert_eq!(best, old);
    // So many came out of order that a new generation is built; while it is half built, comments change on both sides of
    // the place that it has reached.
    let conversations = corpus.workspace.conversations().clone();
    let begun = conversations.maintain("test").unwrap();
    assert!(matches!(begun, kiroku_search::Step::More { .. }), "{begun:?}");
    conversations.maintain("test").unwrap();
    for nth in (0..MANY).step_by(41) {
        let second = (nth as i64 * 7) % 2_200;
        corpus.change(nth, Draft::plain(nth, second, format!("common changed{nth} 稀")));
    }
    for nth in (5..MANY).step_by(97) {
        corpus.withdraw(nth);
    }
    let more = (0..300).map(|nth| Draft::plain(nth, (nth as i64 * 11) % 2_200, format!("common seldom later{nth}")));
    corpus.run(&Op::Write(more.collect()));
    check_all(&corpus);
    corpus.workspace.maintain(&Cancel::new(), |_, _| {}).unwrap();
    assert_eq!(conversations.check_index().unwrap(), Vec::<String>::new());
    check_all(&corpus);
}

#[test]
fn a_total_is_exact_up_to_the_cap() {
    let mut corpus = Corpus::new();
    for cap in [COUNTED, RANKED] {
        let there = corpus.comments.len();
        let drafts = (there..cap).map(|nth| Draft::plain(nth, nth as i64, format!("exact {nth}")));
        corpus.run(&Op::Write(drafts.collect()));
        check(&corpus, &query("exact"));
        check(&corpus, &query("ex"));
        corpus.run(&Op::Write(vec![Draft::plain(0, 5, "exact one more".to_owned())]));
        check(&corpus, &query("exact"));
        check(&corpus, &query("ex"));
    }
}

#[test]
fn few_tasks_of_many_are_looked_through_by_themselves() {
    let mut corpus = Corpus::new();
    // More in that state than FTS5 is told by name, and a tenth of all.
    corpus.add_tasks(110, TaskState::Waiting);
    corpus.add_tasks(1_000, TaskState::Completed);
    let body = |nth: usize| format!("common 稀 {}", if nth.is_multiple_of(7) { "seldom" } else { "" });
    // Out of order too, so that some wait for their turn.
    let second = |nth: usize| if nth.is_multiple_of(50) { 3 } else { nth as i64 };
    let drafts = (0..2_500).map(|nth| Draft::plain(nth * 11, second(nth), body(nth)));
    corpus.run(&Op::Write(drafts.collect()));
    for states in [vec![TaskState::Waiting], vec![TaskState::Waiting, TaskState::Failed], vec![TaskState::Completed]] {
        for (since, until) in [(None, None), (Some(crate::corpus::at(400)), Some(crate::corpus::at(1_800)))] {
            let filter = Filter { states: states.clone(), since, until, ..Filter::default() };
            for text in ["common", "co", "seldom", "稀", "common seldom", "nowhere"] {
                check(&corpus, &SearchQuery { filter: filter.clone(), ..query(text) });
            }
        }
    }
}
