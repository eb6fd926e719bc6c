//! MemoryRead.

use super::Call;
use crate::usage::Use;
use crate::{RecordKind, RecordRef};
use kiroku_model::{Error, Lang, Result, text};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How many lines are given unless the caller says otherwise.
const LIMIT: usize = 2_000;

/// The input of MemoryRead.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MemoryReadInput {
    /// `summary`, `decision`, `request` or `knowledge`. With a slug, any other word, or none, means knowledge, so that
    /// the `kind` of a KnowledgeSearch hit can be given as it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The record's slug; none for the summary.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slug: Option<String>,
    /// How many lines to leave out at the start. 0 if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offset: Option<usize>,
    /// How many lines to give at most. 2000 if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub limit: Option<usize>,
}

/// The output of MemoryRead.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryReadOutput {
    /// The record.
    #[serde(rename = "ref")]
    pub record: RecordRef,
    /// The lines, frontmatter included, each after its number and a tab.
    pub text: String,
    /// The hash of the whole record: what a change gives as its `base`.
    pub hash: String,
    /// How many lines the record has.
    pub total_lines: usize,
    /// How many lines there are after those given.
    pub more: usize,
}

impl MemoryReadInput {
    /// The record that the input names.
    pub fn record(&self) -> Result<RecordRef> {
        let slug = self.slug.as_deref();
        let kind = match self.kind.as_deref().map(|word| (word, RecordKind::from_word(word))) {
            Some((_, Some(kind))) => kind,
            _ if slug.is_some() => RecordKind::Knowledge,
            Some((word, None)) => {
                let shown: String = word.chars().take(80).collect();
                return Err(Error::invalid(text!(
                    en: "`{shown}` is no record kind: summary, decision, request or knowledge",
                    ja: "「{shown}」という種類の記録はありません。summary、decision、request、knowledge のどれかにしてください"
                )));
            }
            None => {
                return Err(Error::invalid(
                    text!(en: "`kind` is missing: summary, decision, request or knowledge", ja: "kind がありません。summary、decision、request、knowledge のどれかにしてください"),
                ));
            }
        };
        RecordRef::new(kind, slug)
    }
}

/// Gives a record's text.
pub fn memory_read(call: &Call<'_>, input: &MemoryReadInput) -> Result<MemoryReadOutput> {
    call.member()?;
    let record = input.record()?;
    let (offset, limit) = (input.offset.unwrap_or(0), input.limit.unwrap_or(LIMIT));
    if limit == 0 {
        return Err(Error::invalid(text!(en: "`limit` must be 1 or more", ja: "limit は 1 以上にしてください")));
    }
    let read = call.memory.read(&record)?;
    let mut shown = String::new();
    let (mut total_lines, mut given) = (0_usize, 0_usize);
    for (n, line) in read.text.lines().enumerate() {
        total_lines += 1;
        if n >= offset && given < limit {
            given += 1;
            shown.push_str(&format!("{:>6}\t{line}\n", n + 1));
        }
    }
    let more = total_lines.saturating_sub(offset.saturating_add(given));
    call.memory.used(call.caller, &record, Use::Read);
    Ok(MemoryReadOutput { record, text: shown, hash: read.hash, total_lines, more })
}

impl MemoryReadOutput {
    /// The output as an agent reads it.
    pub fn text(&self, lang: Lang) -> String {
        let Self { record, text, hash, total_lines, more } = self;
        let rest = match (lang, more) {
            (_, 0) => String::new(),
            (Lang::En, more) => format!("({more} more lines: read on with offset {})\n", total_lines - more),
            (Lang::Ja, more) => format!("（あと {more} 行あります。offset {} で続きを読めます）\n", total_lines - more),
        };
        match lang {
            Lang::En => format!("{record} ({total_lines} lines, hash {hash})\n{text}{rest}"),
            Lang::Ja => format!("{record}（{total_lines} 行、hash {hash}）\n{text}{rest}"),
        }
    }
}
