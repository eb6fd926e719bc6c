//! The queries, class by class, as `quality.md` of the design names them. Terms are chosen by how many documents really
//! hold them, counted by the scan: *rare* at most one in ten thousand (or ten), *mid* one in a thousand to one in a
//! hundred, *common* at least one in twenty.

use crate::corpus::RARE_MEMBER;
use crate::random::Random;
use crate::truth::{Truth, count};
use crate::words::{Words, is_kana};
use kiroku_model::{Author, Kind, TaskId, TaskState, Time};
use kiroku_search::text::fold;
use kiroku_search::types::{Filter, MatchMode, SearchQuery};
use std::collections::{BTreeSet, HashSet};

/// Hits that each query asks for.
pub const LIMIT: usize = 30;

/// One query.
#[derive(Clone, Default)]
pub struct Query {
    /// Its terms, folded.
    pub terms: Vec<String>,
    /// How they are matched.
    pub mode: MatchMode,
    /// What else must hold.
    pub filter: Filter,
}

impl Query {
    /// The query as the engine takes it.
    pub fn to_engine(&self) -> SearchQuery {
        SearchQuery {
            query: self.terms.join(" "),
            match_mode: self.mode,
            filter: self.filter.clone(),
            limit: LIMIT,
            ..SearchQuery::default()
        }
    }

    /// The query in a table.
    pub fn shown(&self) -> String {
        let Filter { kind, author, member, task, states, since, until } = &self.filter;
        let by = if self.mode == MatchMode::All { " AND " } else { " OR " };
        let mut shown = self.terms.join(by);
        let mut add = |name: &str, value: Option<String>| shown.extend(value.map(|value| format!(" {name}={value}")));
        add("kind", kind.as_ref().map(|kind| kind.as_str().to_owned()));
        add("author", author.map(|author| author.as_str().to_owned()));
        add("member", member.clone());
        add("task", task.map(|task| task.0.to_string()));
        add("state", states.first().map(|state| state.as_str().to_owned()));
        add("since", since.map(|time| time.to_string()));
        add("until", until.map(|time| time.to_string()));
        shown
    }
}

/// Queries of one kind.
pub struct Class {
    /// What they have in common.
    pub name: &'static str,
    /// They.
    pub queries: Vec<Query>,
}

/// Terms of one kind by how common they are.
#[derive(Default)]
struct Bands {
    rare: Vec<String>,
    mid: Vec<String>,
    common: Vec<String>,
}

/// Terms to choose from.
struct Candidates {
    japanese: Vec<String>,
    english: Vec<String>,
    kana: Vec<String>,
    long: Vec<String>,
    one: Vec<String>,
    two: Vec<String>,
    absent: Vec<String>,
}

/// Makes the classes, `each` queries in each; `truth` learns their terms on the way.
pub fn classes(
    truth: &mut Truth,
    words: &Words,
    seed: u64,
    each: usize,
) -> Result<Vec<Class>, aho_corasick::BuildError> {
    let mut random = Random::new(seed ^ 0x9e_e51e5);
    let candidates = candidates(truth, words, &mut random);
    let Candidates { japanese, english, kana, long, one, two, absent } = &candidates;
    let all: BTreeSet<String> =
        [japanese, english, kana, long, one, two, absent].into_iter().flatten().cloned().collect();
    truth.learn(all)?;
    let truth_ref: &Truth = truth;
    let ja = bands(truth_ref, japanese);
    let en = bands(truth_ref, english);
    let one = bands(truth_ref, one);
    let two = bands(truth_ref, two);
    let both = |a: &[String], b: &[String]| -> Vec<String> {
        a.iter().zip(b).flat_map(|(a, b)| [a.clone(), b.clone()]).collect()
    };
    let (rare, mid, common) = (both(&ja.rare, &en.rare), both(&ja.mid, &en.mid), both(&ja.common, &en.common));
    let absent: Vec<String> = candidates.absent.iter().filter(|term| truth_ref.frequency(term) == 0).cloned().collect();
    let mut make = Make { random, each };
    let kinds = [Kind::Request, Kind::Result, Kind::Ask, Kind::Progress];
    let filtered = |query: &mut Query, change: &mut dyn FnMut(&mut Filter)| change(&mut query.filter);
    let mut classes = vec![
        make.one("3+ rare, Japanese", &ja.rare),
        make.one("3+ rare, English", &en.rare),
        make.one("3+ mid, Japanese", &ja.mid),
        make.one("3+ mid, English", &en.mid),
        make.one("3+ common, Japanese", &ja.common),
        make.one("3+ common, English", &en.common),
        make.several("OR of 2-3", MatchMode::Any, &[&common, &mid, &rare]),
        make.several("AND of 2-3", MatchMode::All, &[&common, &common, &mid]),
        few_joint(truth_ref, &mut make, &en, &ja),
        make.one("phrase, one long term", &candidates.long),
        make.one("kana phrase", &candidates.kana),
        make.one("nothing found", &absent),
    ];
    let docs = truth_ref.docs();
    let mut with_filter = |name, terms: &[String], change: &mut dyn FnMut(&mut Random, &mut Filter, &str)| {
        let mut class = make.one(name, terms);
        for query in &mut class.queries {
            let term = query.terms.first().cloned().unwrap_or_default();
            filtered(query, &mut |filter| change(&mut make.random, filter, &term));
        }
        classes.push(class);
    };
    let busy = both(&common, &mid);
    with_filter("with filter: a task", &busy, &mut |random, filter, term| {
        // A task in which something is found.
        let found = Query { terms: vec![term.to_owned()], ..Query::default() };
        let hits = truth_ref.hits(&found, &found.terms);
        filter.task = random.pick(&hits).map(|hit| TaskId(docs[*hit].task));
    });
    with_filter("with filter: a kind", &busy, &mut |random, filter, _| filter.kind = random.pick(&kinds).cloned());
    with_filter("with filter: author", &busy, &mut |random, filter, _| {
        filter.author = Some(if random.chance(50) { Author::User } else { Author::Agent });
    });
    with_filter("with filter: a rare member", &busy, &mut |_, filter, _| filter.member = Some(RARE_MEMBER.to_owned()));
    with_filter("with filter: old dates", &busy, &mut |random, filter, _| {
        (filter.since, filter.until) = old_dates(random, truth_ref)
    });
    with_filter("with filter: a rare state", &busy, &mut |_, filter, _| filter.states = vec![TaskState::Waiting]);
    with_filter("with filter: a common state", &busy, &mut |_, filter, _| filter.states = vec![TaskState::Completed]);
    let Bands { rare: one_rare, common: one_common, .. } = one;
    let (two_rare, two_common) = (two.rare, two.common);
    classes.extend([
        make.one("1 character, rare", &one_rare),
        make.one("1 character, common", &one_common),
        make.one("2 characters, rare", &two_rare),
        make.one("2 characters, common", &two_common),
        make.several("short and long, any", MatchMode::Any, &[&two_common, &mid, &one_rare]),
        make.several("short and long, all", MatchMode::All, &[&two_common, &mid, &one_common]),
    ]);
    let used: HashSet<String> =
        classes.iter().flat_map(|class| &class.queries).flat_map(|query| query.terms.clone()).collect();
    truth.keep_only(&used);
    Ok(classes)
}

/// The classes that are asked again when older comments were imported after newer ones.
pub fn after_late_import(classes: &[Class]) -> Vec<Class> {
    let pairs = [
        ("3+ common, English", "late docs: 3+ common"),
        ("with filter: old dates", "late docs: old dates"),
        ("1 character, common", "late docs: 1 character"),
    ];
    let again = |(name, new_name)| {
        let class = classes.iter().find(|class| class.name == name)?;
        Some(Class { name: new_name, queries: class.queries.clone() })
    };
    pairs.into_iter().filter_map(again).collect()
}

/// A stretch of a twentieth of the record, in its older half.
fn old_dates(random: &mut Random, truth: &Truth) -> (Option<Time>, Option<Time>) {
    let times = truth.docs().iter().map(|doc| doc.created);
    let (first, last) = (times.clone().min().unwrap_or_default(), times.max().unwrap_or_default());
    let length = (last - first) / 20;
    let since = first + random.below((last - first) as usize / 2) as i64;
    (Some(Time(since)), Some(Time(since + length)))
}

/// AND of a common and a mid word of the same language that seldom stand together.
fn few_joint(truth: &Truth, make: &mut Make, english: &Bands, japanese: &Bands) -> Class {
    let mut pairs = Vec::new();
    for bands in [english, japanese] {
        for _ in 0..make.each * 5 {
            if let (Some(common), Some(mid)) = (make.random.pick(&bands.common), make.random.pick(&bands.mid)) {
                let (a, b) = (truth.holders(common), truth.holders(mid));
                let joint: crate::truth::Bits = a.iter().zip(b.iter()).map(|(a, b)| a & b).collect();
                pairs.push((count(&joint), vec![common.clone(), mid.clone()]));
            }
        }
    }
    pairs.sort();
    pairs.dedup();
    let queries =
        pairs.into_iter().take(make.each).map(|(_, terms)| Query { terms, mode: MatchMode::All, ..Query::default() });
    Class { name: "AND, few joint hits", queries: queries.collect() }
}

struct Make {
    random: Random,
    each: usize,
}

impl Make {
    /// Queries of one term.
    fn one(&mut self, name: &'static str, terms: &[String]) -> Class {
        let mut terms: Vec<String> = terms.to_vec();
        terms.sort();
        terms.dedup();
        self.random.shuffle(&mut terms);
        terms.truncate(self.each);
        let queries = terms.into_iter().map(|term| Query { terms: vec![term], ..Query::default() });
        Class { name, queries: queries.collect() }
    }

    /// Queries of a term of each of the first two lists, and now and then of the third.
    fn several(&mut self, name: &'static str, mode: MatchMode, from: &[&[String]; 3]) -> Class {
        let mut queries = Vec::new();
        for _ in 0..self.each {
            let lists = if self.random.chance(50) { &from[..] } else { &from[..2] };
            let mut terms: Vec<String> = Vec::new();
            for list in lists {
                terms.extend(self.random.pick(list).cloned());
            }
            let mut seen = HashSet::new();
            terms.retain(|term| seen.insert(term.clone()));
            if !terms.is_empty() {
                queries.push(Query { terms, mode, ..Query::default() });
            }
        }
        Class { name, queries }
    }
}

fn bands(truth: &Truth, terms: &[String]) -> Bands {
    let docs = truth.docs().len();
    let mut bands = Bands::default();
    for term in terms {
        let frequency = truth.frequency(term);
        if (1..=10.max(docs / 10_000)).contains(&frequency) {
            bands.rare.push(term.clone());
        } else if (docs / 1_000..=docs / 100).contains(&frequency) {
            bands.mid.push(term.clone());
        } else if frequency >= docs / 20 {
            bands.common.push(term.clone());
        }
    }
    bands
}

fn candidates(truth: &Truth, words: &Words, random: &mut Random) -> Candidates {
    let mut found = Candidates {
        japanese: Vec::new(),
        english: Vec::new(),
        kana: Vec::new(),
        long: Vec::new(),
        one: Vec::new(),
        two: Vec::new(),
        absent: Vec::new(),
    };
    let many = 900;
    for nth in 0..many {
        for (japanese, list) in [(true, &mut found.japanese), (false, &mut found.english)] {
            let word = if nth % 2 == 0 { words.word(random, japanese) } else { words.any_word(random, japanese) };
            let word = fold(word);
            if word.chars().count() >= 3 && list.len() < many {
                list.push(word);
            }
        }
        let doc = random.below(truth.docs().len());
        let pieces: Vec<&str> = truth.text(doc).split(' ').collect();
        let Some(piece) = random.pick(&pieces) else { continue };
        let characters: Vec<char> = piece.chars().collect();
        let cut = |random: &mut Random, low: usize, high: usize| -> Option<String> {
            let length = random.between(low, high);
            let places = (characters.len() + 1).checked_sub(length).filter(|places| *places > 0)?;
            let from = random.below(places);
            Some(characters[from..from + length].iter().collect())
        };
        found.one.extend(cut(random, 1, 1));
        found.one.push(words.rare_kanji(random).to_string());
        found.two.extend(cut(random, 2, 2));
        found.long.extend(cut(random, 12, 30));
        found.kana.extend((0..6).filter_map(|_| cut(random, 5, 9)).find(|phrase| is_kana(phrase)));
        // Where two words meet: most such pairs of characters are rare.
        let meeting = [words.any_word(random, nth % 2 == 0), words.any_word(random, nth % 2 == 0)].map(fold);
        found.two.extend(meeting[0].chars().next_back().zip(meeting[1].chars().next()).map(|(a, b)| format!("{a}{b}")));
        // Two words that stand side by side nowhere, of grams that stand everywhere; and what nobody writes.
        let japanese = nth % 2 == 0;
        let (first, second) = (words.word(random, japanese), words.word(random, japanese));
        found.absent.push(fold(&if nth % 4 < 3 {
            format!("{first}{second}{first}")
        } else {
            format!("zq{nth}xj{second}")
        }));
    }
    // Japanese words of three characters and more that are common are few among the drawn: hiragana runs are among them.
    found.japanese.extend(found.kana.iter().map(|phrase| phrase.chars().take(3).collect()));
    found
}
