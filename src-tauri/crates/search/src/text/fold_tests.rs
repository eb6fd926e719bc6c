//! Folding held against Unicode's definition over whole strings, and the map against the folded text.

use super::*;
use proptest::prelude::*;
use unicode_segmentation::UnicodeSegmentation;

/// toNFKC_Casefold over the whole string, with no pieces and no fast path.
fn reference(text: &str) -> String {
    let text: String = clean(text).nfc().collect();
    let mut mapped = Vec::new();
    text.chars().for_each(|c| casefold(c, &mut mapped));
    mapped.into_iter().nfc().collect()
}

#[test]
fn plain_characters_are_plain() {
    for c in '\0'..=char::MAX {
        if !is_plain(c) {
            continue;
        }
        let mut mapped = Vec::new();
        casefold(c, &mut mapped);
        let folded: String = mapped.into_iter().nfc().collect();
        assert_eq!(folded, c.to_ascii_lowercase().to_string());
        assert_eq!(canonical_combining_class(c), 0);
        assert_eq!(is_nfc_quick(std::iter::once(c)), IsNormalized::Yes);
    }
}

#[test]
fn spellings_meet() {
    for (one, other) in [
        ("ＬＯＧＩＮ", "login"),
        ("Login", "login"),
        ("ﾛｸﾞｲﾝ", "ログイン"),
        ("ﾊﾟｽﾜｰﾄﾞ", "パスワード"),
        ("カ\u{3099}", "ガ"),
        ("Straße", "STRASSE"),
        ("STRAẞE", "strasse"),
        ("㍿", "株式会社"),
        ("①", "1"),
        ("（仮）", "(仮)"),
        ("ﬃ", "FFI"),
        ("ΟΔΟΣ", "οδος"),
        ("οδός", "ΟΔΌΣ"),
        ("İ", "i\u{307}"),
        ("각", "\u{1100}\u{1161}\u{11a8}"),
        ("\u{fefb}", "لا"),
        ("e\u{301}", "É"),
        ("a\u{200b}b\u{ad}c", "ABC"),
        ("Ⅷ", "viii"),
        ("K", "k"),
        ("ſ", "s"),
        ("㌔", "キロ"),
    ] {
        assert_eq!(fold(one), fold(other), "{one} {other}");
    }
    assert_ne!(fold("か"), fold("が"));
    assert_ne!(fold("ı"), fold("i"));
    assert_eq!(fold("\u{200b}\u{ad}\0"), "");
}

#[test]
fn matches_lead_back_to_whole_graphemes() {
    for (shown, term, found) in [
        ("xLOGINy", "login", "LOGIN"),
        ("今日のﾛｸﾞｲﾝ画面", "グ", "ｸﾞ"),
        ("今日のﾛｸﾞｲﾝ画面", "ログ", "ﾛｸﾞ"),
        ("㍿記録", "会社", "㍿"),
        ("Straße 5", "ass", "aß"),
        ("eﬃe", "fi", "ﬃ"),
        ("x각y", "각", "각"),
        ("ΑΣ Β", "σ", "Σ"),
        ("aİb", "i", "İ"),
        ("x\u{fefb}y", "ل", "\u{fefb}"),
        ("q\u{331}n", "q", "q\u{331}"),
        ("🇯🇵!", "🇵", "🇯🇵"),
    ] {
        let (folded, term) = (fold(shown), fold(term));
        let at = folded.find(&term).unwrap();
        assert_eq!(&shown[Map::new(shown).shown(at..at + term.len())], found, "{shown} {term}");
    }
    let map = Map::new("abc");
    assert_eq!((map.shown(1..1), map.shown(2..99), map.shown(50..99)), (1..1, 2..3, 3..3));
}

/// Strings that are hard on normalisation, among arbitrary ones.
fn hard() -> impl Strategy<Value = String> {
    prop_oneof![
        "\\PC{0,20}",
        proptest::collection::vec(any::<char>(), 0..20).prop_map(String::from_iter),
        proptest::collection::vec(
            proptest::sample::select(
                "aZ漢かがﾊﾟﾞﾛｸㄱ각가\u{1100}\u{1161}\u{11a8}\u{ffc2}\u{3131}e\u{301}\u{323}\u{345}\u{3099}㍿①ﬃßẞİıΣς\u{fefb}\u{644}\u{627}ﷺ\u{300}\u{200b}\0 \u{3000}🇯🇵👨\u{200d}\u{1f3fd}\u{9be}\u{9c7}\u{0f73}\u{1e9b}\u{0344}"
                    .chars()
                    .collect::<Vec<_>>(),
            ),
            0..16,
        )
        .prop_map(String::from_iter),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pieces_joined_are_the_whole(text in hard()) {
        prop_assert_eq!(fold(&text), reference(&text));
    }

    #[test]
    fn folding_again_changes_nothing(text in hard()) {
        let folded = fold(&text);
        prop_assert_eq!(fold(&folded), folded);
    }

    #[test]
    fn the_map_covers_what_it_maps(text in hard(), a in 0usize..60, b in 0usize..60) {
        let shown = nfc(clean(&text)).into_owned();
        let folded = fold(&shown);
        let map = Map::new(&shown);
        let (a, b) = (folded.floor_char_boundary(a.min(b)), folded.ceil_char_boundary(a.max(b)));
        let range = map.shown(a..b);
        if a == b {
            prop_assert!(range.is_empty());
        } else {
            let edges: Vec<usize> =
                shown.grapheme_indices(true).map(|(at, _)| at).chain([shown.len()]).collect();
            prop_assert!(edges.contains(&range.start) && edges.contains(&range.end));
            // What was asked for stands within the folded form of the range that it leads to.
            prop_assert!(fold(&shown[range.clone()]).contains(&folded[a..b]), "{:?}", range);
            let (place, into) = shown_place(&shown, a);
            prop_assert!(place >= range.start && place < range.end);
            prop_assert_eq!(map.folded_place(place) + into, a);
        }
    }
}
