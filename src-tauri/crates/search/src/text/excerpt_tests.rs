//! Excerpts held against a plain reading of the rule, on ordinary, hard and very large texts.

use super::super::{fold, prepare};
use super::*;
use proptest::prelude::*;

fn cut(text: &str, query: &str, budget: usize) -> (String, Vec<String>) {
    let terms: Vec<String> = query.split_whitespace().map(fold).collect();
    let terms: Vec<&str> = terms.iter().map(String::as_str).collect();
    let made = excerpt(&prepare(text).shown, &terms, budget);
    let marked = made.matches.iter().map(|range| units(&made.text, *range)).collect();
    (made.text, marked)
}

/// The stretch of `text` that a range of UTF-16 units stands for.
fn units(text: &str, [start, end]: [usize; 2]) -> String {
    let all: Vec<u16> = text.encode_utf16().collect();
    String::from_utf16(&all[start..end]).unwrap()
}

#[test]
fn cuts_around_the_match() {
    for (text, query, budget, shown, marked) in [
        ("short text", "text", 120, "short text", &["text"][..]),
        ("0123456789LOGINabcdefghij", "login", 9, "…89LOGINab…", &["LOGIN"]),
        ("LOGINabcdefghij", "login", 9, "LOGINabcd…", &["LOGIN"]),
        ("0123456789LOGIN", "login", 9, "…6789LOGIN", &["LOGIN"]),
        ("あいうえおﾛｸﾞｲﾝかきくけこ", "ログイン", 8, "…えおﾛｸﾞｲﾝかき…", &["ﾛｸﾞｲﾝ"]),
        ("😀😀😀x😀x😀😀😀", "x", 5, "…😀😀x😀x…", &["x", "x"]),
        ("a1 ------------ a1 b2 ------", "a1 b2", 9, "…- a1 b2 -…", &["a1", "b2"]),
        ("b2 --- a1 ------ a1 b2 -- a1 b2", "a1 b2", 5, "…a1 b2…", &["a1", "b2"]),
        ("aaaa", "aa", 10, "aaaa", &["aaaa"]),
        ("nothing here", "zzz", 7, "nothing…", &[]),
        ("（仮）㍿ｶﾞ", "会社 ガ", 120, "（仮）㍿ｶﾞ", &["㍿ｶﾞ"]),
        ("abcdefghijkl", "bcdefghijk", 4, "…bcde…", &["bcde"]),
        ("the uncommon word is here", "word", 14, "…word is h…", &["word"]),
        ("", "x", 5, "", &[]),
    ] {
        let (got, found) = cut(text, query, budget);
        assert_eq!(
            (got.as_str(), found.iter().map(String::as_str).collect::<Vec<_>>().as_slice()),
            (shown, marked),
            "{text}"
        );
    }
}

#[test]
fn the_tightest_of_the_fullest_clusters_is_taken_then_the_earliest() {
    let text =
        format!("alpha {} alpha beta {} beta alpha {} alpha x beta", "-".repeat(200), "+".repeat(200), "*".repeat(200));
    let (got, found) = cut(&text, "alpha beta", 40);
    assert!(got.contains("- alpha beta +"), "{got}");
    assert_eq!(found, ["alpha", "beta"]);
}

#[test]
fn large_texts_and_giant_graphemes_are_bounded() {
    let terms = ["needle", "a", "the"];
    for text in [
        format!("{} needle {}", "the quick a ".repeat(25_000), "b".repeat(200_000)),
        format!("{}needle{}", "漢字かな".repeat(20_000), "㍿".repeat(20_000)),
        format!("x{}needle", "\u{301}".repeat(100_000)),
        format!("{}needle", "🇯".repeat(40_000)),
        "a".repeat(400_000),
        "ﾞ".repeat(100_000),
    ] {
        let made = excerpt(&prepare(&text).shown, &terms, 120);
        assert!(made.text.len() <= 120 * BYTES_EACH + 6);
        if text.contains("needle") {
            assert!(made.matches.iter().any(|range| units(&made.text, *range).starts_with("needle")), "{}", &made.text);
        }
    }
}

fn letters() -> impl Strategy<Value = String> {
    proptest::collection::vec(
        proptest::sample::select(
            "abAB  漢かｶﾞガ\u{3099}㍿ﬃß😀🇯🇵👨e\u{301}각ㄱ\u{1161}\u{11a8}İ\0\u{200b}\n①".chars().collect::<Vec<_>>(),
        ),
        0..60,
    )
    .prop_map(String::from_iter)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn excerpts_keep_the_rule(
        text in prop_oneof![letters(), "\\PC{0,60}"],
        terms in proptest::collection::vec(prop_oneof!["[abｶガß株e漢]{1,2}", "\\PC{1,2}"], 0..4),
        budget in 0usize..30,
        pad in prop_oneof![Just(0usize), Just(5_000)],
    ) {
        // Without the mark of a cut in it, so that the test can take the marks off again.
        let text = format!("{}{}{}", "z ".repeat(pad), text.replace('…', ""), " z".repeat(pad));
        let shown = prepare(&text).shown;
        let terms: Vec<String> = terms.iter().map(|term| fold(term)).filter(|term| !term.is_empty()).collect();
        let terms: Vec<&str> = terms.iter().map(String::as_str).collect();
        let made = excerpt(&shown, &terms, budget);
        // A stretch of the text, on grapheme boundaries, of no more than the budget.
        let inner = made.text.trim_matches('…');
        prop_assert!(shown.contains(inner));
        prop_assert!(inner.graphemes(true).count() <= budget);
        let edges: Vec<usize> = shown.grapheme_indices(true).map(|(at, _)| at).chain([shown.len()]).collect();
        prop_assert!(shown.match_indices(inner).any(|(at, _)| edges.contains(&at) && edges.contains(&(at + inner.len()))));
        // Matches: sorted, apart, inside; each holds a term or is cut by the end of the window.
        let total = made.text.encode_utf16().count();
        let mut before = None;
        for &[start, end] in &made.matches {
            prop_assert!(start < end && end <= total && before.is_none_or(|before| before < start));
            before = Some(end);
            let marked = fold(&units(&made.text, [start, end]));
            prop_assert!(terms.iter().any(|term| marked.contains(term) || term.contains(&marked) || term.starts_with(&marked)),
                "{:?} {:?}", marked, made);
        }
        // If a term occurs and the budget allows it whole, one is marked.
        let folded = fold(&shown);
        if terms.iter().any(|term| folded.contains(term) && term.chars().count() * 4 <= budget) {
            prop_assert!(!made.matches.is_empty());
        }
    }
}
