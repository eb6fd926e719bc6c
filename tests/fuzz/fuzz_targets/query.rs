//! Queries of any text, against a plain scan of a small space; and any text as a comment: what is shown of it and what
//! is searched. The first byte chooses how.
#![no_main]

use kiroku_api::types::{MatchMode, Order, SearchQuery};
use kiroku_fuzz::{BODIES, Space};
use kiroku_model::{Call, Caller};
use kiroku_search::text::{excerpt, prepare, terms};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((how, text)) = data.split_first() else { return };
    let text = String::from_utf8_lossy(text);
    as_a_comment(&text);
    as_a_query(*how, &text);
});

fn as_a_comment(text: &str) {
    let prepared = prepare(text);
    // What was made ready once is ready.
    assert_eq!(prepare(&prepared.shown).folded, prepared.folded, "{:?}", prepared.shown);
    let some: Vec<String> = prepared.folded.split_whitespace().take(3).map(str::to_owned).collect();
    let some: Vec<&str> = some.iter().map(String::as_str).collect();
    let cut = excerpt(&prepared.shown, &some, 60);
    let units = cut.text.encode_utf16().count();
    let mut last = 0;
    for [from, to] in cut.matches {
        assert!(last <= from && from < to && to <= units, "{from}..{to} of {units}");
        last = to;
    }
}

fn as_a_query(how: u8, text: &str) {
    let all = how & 1 != 0;
    let query = SearchQuery {
        query: text.to_owned(),
        match_mode: if all { MatchMode::All } else { MatchMode::Any },
        limit: 20,
        context: usize::from(how >> 6),
        order: (how & 2 != 0).then_some(Order::Newest),
        count_all: how & 4 != 0,
        ..SearchQuery::default()
    };
    let call = Call { caller: Caller::member("m1"), ..Call::default() };
    let answer = Space::with(|space| space.workspace.conversations().search(&call, &query));
    let Ok(asked) = terms(text) else {
        assert!(answer.is_err());
        return;
    };
    let Ok(answer) = answer else { return };
    let found = answer.body.expect("a member may search");
    let holds = |body: &&&str| {
        let folded = prepare(body).folded;
        let mut asked = asked.iter().map(|term| folded.contains(&term.folded));
        if all { asked.all(|holds| holds) } else { asked.any(|holds| holds) }
    };
    let expected = BODIES.iter().filter(holds).count();
    // A word in which nothing was found is looked for by its parts.
    if expected > 0 {
        assert_eq!(found.total, expected as u64, "{text:?}");
    }
}
