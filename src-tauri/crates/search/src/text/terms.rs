//! From a query to its terms: split on white space, folded as texts are, equal ones once.

use super::fold::fold;
use kiroku_model::{Error, Result, text};

/// One term of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// As it was typed.
    pub original: String,
    /// As texts are compared with it; never empty.
    pub folded: String,
}

/// The terms of a query, in its order; of terms that fold to the same, the first. No character is an operator.
///
/// An error if the query holds nothing but white space, or a term of which folding leaves nothing (a zero-width space).
pub fn terms(query: &str) -> Result<Vec<Term>> {
    let mut terms: Vec<Term> = Vec::new();
    let mut seen = std::collections::HashSet::new();
    for original in query.split_whitespace() {
        let folded = fold(original);
        if folded.is_empty() {
            let points: Vec<String> = original.chars().take(8).map(|c| format!("U+{:04X}", c as u32)).collect();
            let points = points.join(" ");
            return Err(Error::invalid(text!(
                en: "a search term holds only characters that can't be seen ({points}); leave it out",
                ja: "目に見えない文字だけの検索語があります ({points})。取り除いてください",
            )));
        }
        if seen.insert(folded.clone()) {
            terms.push(Term { original: original.to_owned(), folded });
        }
    }
    if terms.is_empty() {
        return Err(Error::invalid(text!(
            en: "the query is empty; give one word or a few to search for",
            ja: "検索する語がありません。1 語または数語を指定してください",
        )));
    }
    Ok(terms)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kiroku_model::ErrorCode;

    fn split(query: &str) -> Vec<(String, String)> {
        terms(query).unwrap().into_iter().map(|term| (term.original, term.folded)).collect()
    }

    #[test]
    fn splits_folds_and_keeps_once() {
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(split(" ログイン\u{3000}認証\n"), [pair("ログイン", "ログイン"), pair("認証", "認証")]);
        assert_eq!(split("ＬＯＧＩＮ login Login x"), [pair("ＬＯＧＩＮ", "login"), pair("x", "x")]);
        assert_eq!(split("AND \"a\" %_*"), [pair("AND", "and"), pair("\"a\"", "\"a\""), pair("%_*", "%_*")]);
        assert_eq!(split("a\u{200b}b"), [pair("a\u{200b}b", "ab")]);
    }

    #[test]
    fn nothing_to_search_for_is_an_error() {
        for query in ["", " \u{3000}\n", "\u{200b}", "ok \u{ad}\0"] {
            assert_eq!(terms(query).unwrap_err().code(), ErrorCode::InvalidInput);
        }
        assert!(terms("ok \u{ad}").unwrap_err().to_string().contains("U+00AD"));
    }
}
