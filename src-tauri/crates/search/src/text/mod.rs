//! From a comment to what is searched and what is shown of it: pure functions with no I/O.
//!
//! The order matters and is the contract's: the index text is *cleaned* of what can't be seen, *redacted* while it still
//! has its lines and its case, *shown* in the author's own characters on one line, and *folded* for matching. Texts and
//! terms are folded by the same function, and a comment matches a term if and only if the folded text contains the
//! folded term.

mod assigned;
mod clean;
mod excerpt;
mod fold;
mod readers;
mod redact;
mod rules;
mod split;
mod terms;
mod value;

pub use excerpt::{Excerpt, excerpt};
pub use fold::{FOLD_VERSION, Map, fold};
pub use redact::redact;
pub use rules::RULES_VERSION;
pub use split::split_compound;
pub use terms::{Term, terms};

use kiroku_model::{Attachment, Kind, ProgressType};
use std::borrow::Cow;

/// What of a comment is searched, before redaction: its body, or its tool's name, then its attachments' names, one a
/// line. `None` if comments of this kind are not indexed (the table "What is indexed" of the search contract).
pub fn index_text<'a>(
    kind: &Kind,
    progress: Option<&ProgressType>,
    tool: Option<&str>,
    body: &'a str,
    attachments: &[Attachment],
) -> Option<Cow<'a, str>> {
    let mut text = match (kind, progress) {
        (Kind::Request | Kind::Interjection | Kind::Result | Kind::Ask | Kind::Handoff, _)
        | (Kind::Progress, Some(ProgressType::Thinking | ProgressType::Summary)) => Cow::Borrowed(body),
        // A call of a tool that has no name holds nothing to find.
        (Kind::Progress, Some(ProgressType::Tool)) => Cow::Owned(format!("tool: {}", tool?)),
        (Kind::Comment | Kind::InterjectionAck | Kind::Other(_), _)
        | (Kind::Progress, None | Some(ProgressType::Other(_))) => return None,
    };
    for attachment in attachments {
        let text = text.to_mut();
        text.push('\n');
        text.push_str(&attachment.name);
    }
    Some(text)
}

/// An index text in the two forms that are kept apart: what people read, and what terms are compared with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexText {
    /// Cleaned, redacted, NFC, on one line; excerpts are cut from it. Empty if nothing is left.
    pub shown: String,
    /// `shown` folded ([`fold`]).
    pub folded: String,
}

/// Makes both forms of an index text.
pub fn prepare(text: &str) -> IndexText {
    let cleaned = clean::clean(text);
    let shown = one_line(&redact::redact_cleaned(&cleaned));
    let mut folded = String::with_capacity(shown.len());
    fold::fold_nfc(&shown, &mut folded);
    IndexText { shown, folded }
}

/// The folded form alone, as [`prepare`] makes it: word by word, so that a large text is in memory once and not three times.
pub fn prepare_folded(text: &str) -> String {
    let cleaned = clean::clean(text);
    let redacted = redact::redact_cleaned(&cleaned);
    let mut folded = String::with_capacity(redacted.len());
    for word in redacted.split_whitespace() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        fold::fold_nfc(&fold::nfc(Cow::Borrowed(word)), &mut folded);
    }
    folded
}

/// NFC, each run of white space and line ends as one space, none at either end.
fn one_line(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    match fold::nfc(Cow::Borrowed(&out)) {
        Cow::Owned(composed) => composed,
        Cow::Borrowed(_) => out,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(kind: &str, progress: Option<&str>) -> Option<String> {
        let names = [Attachment { name: "図.png".into(), ..Attachment::default() }];
        let progress = progress.map(ProgressType::from);
        index_text(&kind.into(), progress.as_ref(), Some("WebFetch"), "本文", &names).map(Cow::into_owned)
    }

    #[test]
    fn the_table_of_what_is_indexed() {
        for kind in ["request", "interjection", "result", "ask", "handoff"] {
            assert_eq!(index(kind, None).as_deref(), Some("本文\n図.png"));
            assert_eq!(index(kind, Some("tool")).as_deref(), Some("本文\n図.png"));
        }
        assert_eq!(index("progress", Some("thinking")).as_deref(), Some("本文\n図.png"));
        assert_eq!(index("progress", Some("summary")).as_deref(), Some("本文\n図.png"));
        assert_eq!(index("progress", Some("tool")).as_deref(), Some("tool: WebFetch\n図.png"));
        for (kind, progress) in
            [("comment", None), ("interjection_ack", None), ("progress", None), ("progress", Some("x")), ("y", None)]
        {
            assert_eq!(index(kind, progress), None);
        }
        assert_eq!(index_text(&Kind::Progress, Some(&ProgressType::Tool), None, "x", &[]), None);
    }

    #[test]
    fn shown_keeps_the_authors_characters() {
        for (given, shown, folded) in [
            ("（仮）①㍿", "（仮）①㍿", "(仮)1株式会社"),
            ("  a\u{3000}\t\r\n b\u{200b}c \n", "a bc", "a bc"),
            ("ﾛｸﾞｲﾝ Straße", "ﾛｸﾞｲﾝ Straße", "ログイン strasse"),
            ("e\u{301}", "é", "é"),
            ("か\u{3099}", "が", "が"),
            ("\0\u{200b} \n", "", ""),
            (
                "Ｐａｓｓｗｏｒｄ：ｈｕｎｔｅｒ２２\n次",
                "Ｐａｓｓｗｏｒｄ：[redacted:password] 次",
                "password:[redacted:password] 次",
            ),
        ] {
            assert_eq!(prepare(given), IndexText { shown: shown.into(), folded: folded.into() });
        }
    }

    #[test]
    fn a_line_end_is_still_one_when_rules_look() {
        let text = prepare("PASSWORD=letmein\nnext line");
        assert_eq!(text.shown, "PASSWORD=[redacted:password] next line");
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig { failure_persistence: None, ..Default::default() })]

        #[test]
        fn folded_is_shown_folded(text in "[\\PC\0-\u{1f}\u{80}-\u{9f}\u{200b}ﾛｸﾞか\u{3099}\u{301}´ ]{0,40}") {
            let made = prepare(&text);
            proptest::prop_assert_eq!(&fold(&made.shown), &made.folded);
            proptest::prop_assert_eq!(prepare_folded(&text), made.folded);
            proptest::prop_assert_eq!(made.shown.trim(), &made.shown);
            proptest::prop_assert!(!made.shown.contains("  ") && !made.shown.contains(['\n', '\r', '\t']));
        }
    }
}
