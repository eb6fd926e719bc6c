//! MemorySearch and KnowledgeSearch.

use super::Call;
use crate::search::{Found, Query, SearchProblem, search};
use crate::{RecordKind, RecordRef, Slug};
use kiroku_model::{Lang, Result};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The input of MemorySearch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MemorySearchInput {
    /// The text to find: a part of a line, in any case, in full or half width.
    pub query: String,
}

/// The input of KnowledgeSearch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KnowledgeSearchInput {
    /// The text to find: a part of a line, in any case, in full or half width.
    pub query: String,
    /// Only records whose frontmatter has this `kind`, exactly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
}

/// A line that MemorySearch found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryHit {
    /// The record's slug; `summary` for the summary.
    pub slug: Slug,
    /// The record kind.
    pub kind: RecordKind,
    /// The line, with some before and after it.
    pub excerpt: String,
    /// The input of MemoryRead for this record.
    #[serde(rename = "ref")]
    pub record: RecordRef,
}

/// A line that KnowledgeSearch found. What can't be read of the frontmatter is `null`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KnowledgeHit {
    /// The record's slug.
    pub slug: Slug,
    /// The `kind` in its frontmatter.
    pub kind: Option<String>,
    /// Its description.
    pub description: Option<String>,
    /// Whether models are told of it unasked.
    pub model_invokation: Option<bool>,
    /// The line, with some before and after it.
    pub excerpt: String,
    /// The input of MemoryRead for this record.
    #[serde(rename = "ref")]
    pub record: RecordRef,
}

/// A file that could not be searched, or not wholly.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Problem {
    /// The file under the content root.
    pub file: String,
    /// What is wrong with it.
    pub message: String,
}

/// The output of MemorySearch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemorySearchOutput {
    /// The hits: summary, decisions, requests; by file name; by line.
    pub hits: Vec<MemoryHit>,
    /// How many lines matched.
    pub total: usize,
    /// How many of them were left out because the limit was reached.
    pub left_out: usize,
    /// Files that could not be searched, or not wholly.
    pub problems: Vec<Problem>,
}

/// The output of KnowledgeSearch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct KnowledgeSearchOutput {
    /// The hits, by file name, by line.
    pub hits: Vec<KnowledgeHit>,
    /// How many lines matched.
    pub total: usize,
    /// How many of them were left out because the limit was reached.
    pub left_out: usize,
    /// Files that could not be searched, or not wholly.
    pub problems: Vec<Problem>,
}

/// Searches the summary, the decisions and the requests.
pub fn memory_search(call: &Call<'_>, input: &MemorySearchInput) -> Result<MemorySearchOutput> {
    let found = run(call, &input.query, &RecordKind::MEMORY, None)?;
    let problems = problems(&found.problems, call.lang);
    let left_out = found.total - found.hits.len();
    let hits = found
        .hits
        .into_iter()
        .map(|hit| MemoryHit {
            slug: hit.record.slug.clone(),
            kind: hit.record.kind,
            excerpt: hit.excerpt,
            record: hit.record,
        })
        .collect();
    Ok(MemorySearchOutput { hits, total: found.total, left_out, problems })
}

/// Searches the knowledge records.
pub fn knowledge_search(call: &Call<'_>, input: &KnowledgeSearchInput) -> Result<KnowledgeSearchOutput> {
    let found = run(call, &input.query, &[RecordKind::Knowledge], input.kind.as_deref())?;
    let problems = problems(&found.problems, call.lang);
    let left_out = found.total - found.hits.len();
    let hits = found
        .hits
        .into_iter()
        .map(|hit| KnowledgeHit {
            slug: hit.record.slug.clone(),
            kind: hit.about.kind,
            description: hit.about.description,
            model_invokation: hit.about.model_invokation,
            excerpt: hit.excerpt,
            record: hit.record,
        })
        .collect();
    Ok(KnowledgeSearchOutput { hits, total: found.total, left_out, problems })
}

fn run(call: &Call<'_>, query: &str, kinds: &[RecordKind], frontmatter_kind: Option<&str>) -> Result<Found> {
    call.member()?;
    let settings = &call.memory.settings;
    let query = Query {
        text: query,
        kinds,
        frontmatter_kind,
        limit: settings.search_hit_limit,
        around: settings.search_excerpt_lines,
    };
    search(&call.memory.root, &query, call.cancel)
}

fn problems(found: &[SearchProblem], lang: Lang) -> Vec<Problem> {
    found.iter().map(|bad| Problem { file: bad.file.clone(), message: bad.message.get(lang).to_owned() }).collect()
}

impl MemorySearchOutput {
    /// The output as an agent reads it.
    pub fn text(&self, lang: Lang) -> String {
        let hits = self.hits.iter().map(|hit| (hit.record.to_string(), String::new(), hit.excerpt.as_str()));
        list(hits, self.total, self.left_out, &self.problems, lang)
    }
}

impl KnowledgeSearchOutput {
    /// The output as an agent reads it.
    pub fn text(&self, lang: Lang) -> String {
        let hits = self.hits.iter().map(|hit| {
            let kind = hit.kind.as_ref().map(|kind| format!(" [{kind}]")).unwrap_or_default();
            let description = hit.description.as_ref().map(|text| format!(" {text}")).unwrap_or_default();
            (hit.record.to_string(), format!("{kind}{description}"), hit.excerpt.as_str())
        });
        list(hits, self.total, self.left_out, &self.problems, lang)
    }
}

fn list<'a>(
    hits: impl Iterator<Item = (String, String, &'a str)>,
    total: usize,
    left_out: usize,
    problems: &[Problem],
    lang: Lang,
) -> String {
    let mut shown = match (lang, total) {
        (Lang::En, 0) => "Nothing found.\n".to_owned(),
        (Lang::Ja, 0) => "見つかりませんでした。\n".to_owned(),
        (Lang::En, n) => format!("{n} matching lines.\n"),
        (Lang::Ja, n) => format!("{n} 行が一致しました。\n"),
    };
    for (record, about, excerpt) in hits {
        shown.push_str(&format!("\n## {record}{about}\n"));
        for line in excerpt.lines() {
            shown.push_str(&format!("  {line}\n"));
        }
    }
    if left_out > 0 {
        shown.push_str(&match lang {
            Lang::En => format!("\n{left_out} more were left out: narrow the query.\n"),
            Lang::Ja => format!("\nほかに {left_out} 件あります。検索語を絞ってください。\n"),
        });
    }
    for problem in problems {
        shown.push_str(&format!("\n! {}: {}\n", problem.file, problem.message));
    }
    shown
}
