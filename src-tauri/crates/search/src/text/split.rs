//! The second try at a term that finds nothing: a Japanese phrase is one term, since it has no spaces, though its
//! words may stand apart in the record. It is cut at punctuation, symbols and particles.
//!
//! The rule is the contract's, read to the letter: a particle cuts only where it directly follows a character that is
//! not hiragana, so `はがき` and `ひらがな` stay whole, and the second half of `では` or `への` does not cut
//! (`会議への参加` gives `会議` and `の参加`, which the record is likely to hold as well). Two things the contract leaves
//! open: a piece that is nothing but a particle is dropped, since it would find every comment; and equal pieces are
//! those that fold to the same.

use super::clean::clean;
use super::fold::{fold, nfc};
use regex::Regex;
use std::sync::LazyLock;

/// Longest first.
const PARTICLES: [&str; 12] = ["から", "まで", "より", "の", "は", "が", "を", "に", "へ", "と", "で", "も"];

static SIGNS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"[\p{P}\p{S}]").ok());

/// The pieces of a term by the contract's rule, each once, in order; `None` if there are not at least two.
pub fn split_compound(term: &str) -> Option<Vec<String>> {
    let term = nfc(clean(term));
    let signs = SIGNS.as_ref()?;
    let (mut pieces, mut start, mut at) = (Vec::new(), 0, 0);
    let mut before = None;
    while let Some(c) = term[at..].chars().next() {
        let len = c.len_utf8();
        let particle =
            before.is_some_and(|c| !is_hiragana(c)).then(|| PARTICLES.iter().find(|it| term[at..].starts_with(**it)));
        let cut = match particle.flatten() {
            Some(particle) => particle.len(),
            None if c.is_whitespace() || signs.is_match(&term[at..at + len]) => len,
            None => 0,
        };
        if cut > 0 {
            pieces.push(&term[start..at]);
            start = at + cut;
        }
        at += cut.max(len);
        before = term[..at].chars().next_back();
    }
    pieces.push(&term[start..]);
    let mut seen = std::collections::HashSet::new();
    pieces.retain(|piece| !piece.is_empty() && !PARTICLES.contains(piece) && seen.insert(fold(piece)));
    (pieces.len() > 1).then(|| pieces.into_iter().map(str::to_owned).collect())
}

fn is_hiragana(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{3096}' | '\u{3099}'..='\u{309f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_and_their_pieces() {
        for (term, pieces) in [
            ("満月の周期の計算", "満月 周期 計算"),
            ("はがき", ""),
            ("絵はがき", "絵 がき"),
            ("ひらがなのまま", ""),
            ("がん治療", ""),
            ("ログイン画面", ""),
            ("ログイン画面の改修", "ログイン画面 改修"),
            ("東京から大阪まで", "東京 大阪"),
            ("AからBまで", "A B"),
            ("会議への参加", "会議 の参加"),
            ("東京では雨", "東京 は雨"),
            ("私よりも", ""),
            ("計算の", ""),
            ("の計算", ""),
            ("認証・認可", "認証 認可"),
            ("認証／認可、監査。", "認証 認可 監査"),
            ("foo-bar_baz", "foo bar baz"),
            ("src/lib.rs", "src lib rs"),
            ("C++", ""),
            ("a+a", ""),
            ("Login/ＬＯＧＩＮ", ""),
            ("★★", ""),
            ("「夜」の月", "夜 月"),
            ("データとモデル", "データ モデル"),
            ("サーバーが停止", "サーバー 停止"),
            ("検索を速く", "検索 速く"),
            ("品川に行く", "品川 行く"),
            ("1月も2月も", "1月 2月"),
            ("今日はいい天気", "今日 いい天気"),
            ("雨より雪", "雨 雪"),
            ("ヘへへ", ""),
            ("か\u{3099}くせいの計算", ""),
            ("学生か\u{3099}計算", "学生 計算"),
            ("々の々", ""),
            ("日々の記録", "日々 記録"),
            ("", ""),
            ("\u{200b}の\u{200b}", ""),
            ("数値→文字列", "数値 文字列"),
            ("100円", ""),
            ("10,000円", "10 000円"),
        ] {
            let got = split_compound(term).map(|pieces| pieces.join(" ")).unwrap_or_default();
            assert_eq!(got, pieces, "{term}");
        }
    }
}
