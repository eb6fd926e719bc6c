//! Merging three texts by lines, for a person whose draft was overtaken: what they began from, their draft, what is there
//! now. Changes to different lines come together; where both changed the same lines, both stand there, marked.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use similar::{Algorithm, ConflictStyle, TextMergeConfig};

/// Three texts, merged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, specta::Type)]
pub struct Merged {
    /// The merged text; conflicts stand in it between `<<<<<<<`, `|||||||`, `=======` and `>>>>>>>`.
    pub text: String,
    /// The conflicts, in order; none: the text is whole.
    pub conflicts: Vec<MergeConflict>,
}

/// Lines that both changed. Each pair is the first line, from 0, and the line after the last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, specta::Type)]
pub struct MergeConflict {
    /// In what both began from.
    pub base: (usize, usize),
    /// In the draft.
    pub draft: (usize, usize),
    /// In what is there now.
    pub present: (usize, usize),
}

/// Merges a draft, begun from `base`, with what is there at `present`.
pub fn merge(base: &str, draft: &str, present: &str) -> Merged {
    let mut merged = TextMergeConfig::new().algorithm(Algorithm::Patience).merge_lines(base, draft, present);
    merged.conflict_style(ConflictStyle::Diff3).labels("base", "draft", "present");
    let conflicts = merged
        .conflicts()
        .map(|region| {
            let (base, draft, present) = (region.base_range(), region.ours_range(), region.theirs_range());
            MergeConflict {
                base: (base.start, base.end),
                draft: (draft.start, draft.end),
                present: (present.start, present.end),
            }
        })
        .collect();
    Merged { text: merged.to_string(), conflicts }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn apart_and_together() {
        let base = "---\r\na: 1\r\n---\r\none\r\ntwo\r\nthree";
        let merged = merge(base, &base.replace("a: 1", "a: 2"), &base.replace("three", "3"));
        assert_eq!(merged, Merged { text: base.replace("a: 1", "a: 2").replace("three", "3"), conflicts: vec![] });
        let merged = merge("a\nb\nc\n", "a\nx\nc\n", "a\ny\nc\n");
        assert_eq!(merged.conflicts, [MergeConflict { base: (1, 2), draft: (1, 2), present: (1, 2) }]);
        assert_eq!(merged.text, "a\n<<<<<<< draft\nx\n||||||| base\nb\n=======\ny\n>>>>>>> present\nc\n");
        assert_eq!(merge("a\n", "b\n", "b\n").text, "b\n");
    }

    #[test]
    fn large_texts_that_have_nothing_in_common_end() {
        let lines = |word: &str| (0..20_000).map(|n| format!("{word} {n}\n")).collect::<String>();
        assert_eq!(merge(&lines("a"), &lines("b"), &lines("c")).conflicts.len(), 1);
    }

    proptest! {
        #[test]
        fn one_side_alone_is_taken_whole(base in "[ab\n]{0,20}", other in "[abc\n]{0,20}") {
            prop_assert_eq!(merge(&base, &other, &base).text, other.clone());
            prop_assert_eq!(merge(&base, &base, &other).text, other.clone());
            prop_assert_eq!(merge(&base, &other, &other), Merged { text: other, conflicts: vec![] });
        }
    }
}
