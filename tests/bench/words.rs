//! The words that corpora are written with.
//!
//! The head of both lists comes from the texts of the repository's own sample space: English by words, Japanese by runs
//! of one script (`認証フローは` is `認証`, `フロー`, `は`), in the order of how often they stand there. That is a few
//! thousand; a real record has tens of thousands, most of them rare. So both lists go on with real words in a seeded
//! order, from the English and Japanese word lists that the crate `random_word` (MIT) ships, and among them, as agents
//! write them, identifiers (`cart_merge`, `cartMerge`) and compounds with a number. Texts draw from the lists by Zipf's law,
//! and Japanese ones hold a rare kanji now and then, as names do, by Zipf's law over all of them. This gives real
//! character statistics (which decide how common a gram is) and a real tail; it does not give grammar, and no query
//! needs any.

use crate::random::{Random, Zipf};
use random_word::Lang;
use std::collections::HashMap;

/// The sample space, in the exchange format.
const SAMPLE: &str = include_str!("../fixtures/sample-space.jsonl");
/// Words of each list, compounds included.
const VOCABULARY: usize = 60_000;
/// The block of kanji that rare ones come from, and how many it has.
const KANJI: u32 = 0x4e00;
const KANJIS: usize = 20_000;

/// What texts are made of.
pub struct Words {
    english: Vec<String>,
    /// Runs of kanji or katakana.
    japanese: Vec<String>,
    /// Runs of hiragana: what stands between those.
    between: Vec<String>,
    english_ranks: Zipf,
    japanese_ranks: Zipf,
    between_ranks: Zipf,
    kanji_ranks: Zipf,
}

/// The scripts that Japanese text is cut by.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    Latin,
    Hiragana,
    /// Kanji and katakana each; a change between them is a cut.
    Kanji,
    Katakana,
    Other,
}

fn script(c: char) -> Script {
    match c {
        'a'..='z' | 'A'..='Z' => Script::Latin,
        'ぁ'..='ゖ' => Script::Hiragana,
        'ァ'..='ー' => Script::Katakana,
        '一'..='鿿' | '々' => Script::Kanji,
        _ => Script::Other,
    }
}

/// Whether all of a text is kana.
pub fn is_kana(text: &str) -> bool {
    text.chars().all(|c| matches!(script(c), Script::Hiragana | Script::Katakana))
}

impl Words {
    /// The sample's words, and compounds by `random`.
    pub fn new(random: &mut Random) -> Words {
        let mut counts: HashMap<&str, (Script, usize)> = HashMap::new();
        let texts: Vec<serde_json::Value> = SAMPLE.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        for text in texts.iter().flat_map(|row| [&row["body"], &row["title"]]).filter_map(serde_json::Value::as_str) {
            let mut start = 0;
            let mut chars = text.char_indices().map(|(at, c)| (at, script(c))).peekable();
            while let Some((at, of)) = chars.next() {
                let end = chars.peek().map_or(text.len(), |(next, _)| *next);
                if chars.peek().is_some_and(|(_, next)| *next == of) {
                    continue;
                }
                if of != Script::Other {
                    counts.entry(&text[start..end]).or_insert((of, 0)).1 += 1;
                }
                start = end;
                debug_assert!(at < end);
            }
        }
        let list = |scripts: &[Script]| -> Vec<String> {
            let mut words: Vec<(&str, usize)> = counts
                .iter()
                .filter(|(_, (of, _))| scripts.contains(of))
                .map(|(word, (_, count))| (*word, *count))
                .collect();
            words.sort_by(|(a, x), (b, y)| y.cmp(x).then(a.cmp(b)));
            words.into_iter().map(|(word, _)| word.to_owned()).collect()
        };
        let mut english = list(&[Script::Latin]);
        let mut japanese = list(&[Script::Kanji, Script::Katakana]);
        let between = list(&[Script::Hiragana]);
        let of_sample = (english.len(), japanese.len());
        let mut listed = [Lang::En, Lang::Ja].map(|lang| of_list(lang, random).into_iter());
        while english.len() < VOCABULARY {
            let Some(word) = listed[0].next() else { break };
            let known = &english[random.below(of_sample.0)];
            english.push(match random.below(12) {
                0 => format!("{known}_{word}"),
                1 => format!("{}{}", known.to_lowercase(), capital(word)),
                2 => format!("{word}{}", random.below(10_000)),
                _ => word.to_owned(),
            });
        }
        while japanese.len() < VOCABULARY {
            let Some(word) = listed[1].next() else { break };
            japanese.push(match random.below(12) {
                0 => format!("{}{word}", japanese[random.below(of_sample.1)]),
                1 => format!("{word}{}", random.below(1_000)),
                _ => word.to_owned(),
            });
        }
        Words {
            english_ranks: Zipf::new(english.len()),
            japanese_ranks: Zipf::new(japanese.len()),
            between_ranks: Zipf::new(between.len()),
            kanji_ranks: Zipf::new(KANJIS),
            english,
            japanese,
            between,
        }
    }

    /// An English text of about so many characters.
    pub fn english(&self, random: &mut Random, characters: usize) -> String {
        let mut text = String::with_capacity(characters + 16);
        let mut new_sentence = true;
        while text.len() < characters {
            let word = &self.english[self.english_ranks.draw(random)];
            if new_sentence {
                text.push_str(&capital(word));
            } else {
                text.push_str(word);
            }
            new_sentence = random.chance(8);
            text.push_str(match (new_sentence, random.below(100)) {
                (true, 0..20) => ".\n",
                (true, _) => ". ",
                (false, 0..6) => ", ",
                _ => " ",
            });
        }
        text.truncate(text.trim_end().len());
        text
    }

    /// A Japanese text of about so many characters; an English word now and then, as in the record of any program.
    pub fn japanese(&self, random: &mut Random, characters: usize) -> String {
        let mut text = String::with_capacity(characters * 3 + 48);
        let mut written = 0;
        while written < characters {
            let from = text.len();
            if random.chance(6) {
                text.push(' ');
                text.push_str(&self.english[self.english_ranks.draw(random)]);
                text.push(' ');
            } else {
                text.push_str(&self.japanese[self.japanese_ranks.draw(random)]);
            }
            if random.below(500) == 0 {
                text.push(self.rare_kanji(random));
            }
            text.push_str(&self.between[self.between_ranks.draw(random)]);
            text.push_str(match random.below(100) {
                0..10 => "。",
                10..12 => "。\n",
                12..22 => "、",
                _ => "",
            });
            written += text[from..].chars().count();
        }
        text
    }

    /// A kanji such as names have.
    pub fn rare_kanji(&self, random: &mut Random) -> char {
        // A stride that is prime to the count, so that neighbours in the block are not neighbours in rank.
        let nth = self.kanji_ranks.draw(random).min(KANJIS - 1) * 7_919 % KANJIS;
        char::from_u32(KANJI + nth as u32).unwrap_or('龘')
    }

    /// A word by its frequency in the corpus.
    pub fn word(&self, random: &mut Random, japanese: bool) -> &str {
        if japanese {
            &self.japanese[self.japanese_ranks.draw(random)]
        } else {
            &self.english[self.english_ranks.draw(random)]
        }
    }

    /// Any word, each as likely as the other: most are rare.
    pub fn any_word(&self, random: &mut Random, japanese: bool) -> &str {
        let list = if japanese { &self.japanese } else { &self.english };
        &list[random.below(list.len())]
    }
}

/// A published list's words in random order: those of two to ten characters, in Japanese of kanji and kana alone. (Its
/// Japanese entries are `為替 [かわせ]`: the word, and how it is read.)
fn of_list(lang: Lang, random: &mut Random) -> Vec<&'static str> {
    let word = |entry: &'static str| entry.split(' ').next().unwrap_or(entry);
    let fits = |word: &&str| (2..=10).contains(&word.chars().count()) && !word.contains(|c| script(c) == Script::Other);
    let mut words: Vec<&str> = random_word::all(lang).iter().copied().map(word).filter(fits).collect();
    // In one order on every machine, whatever order the crate keeps.
    words.sort_unstable();
    words.dedup();
    random.shuffle(&mut words);
    words
}

fn capital(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
