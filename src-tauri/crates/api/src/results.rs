//! What a search found, written out whole: as Markdown for a person, or as JSON for a program.

use crate::Workspace;
use crate::types::{Hit, SearchQuery, SearchResults};
use kiroku_model::{Call, Error, ErrorCode, Result, text};
use serde::{Deserialize, Serialize};
use std::io::Write;

/// Hits that are written at most: a file with more is no longer read by anybody.
pub const MOST_RESULTS: usize = 10_000;

/// How results are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "lowercase")]
pub enum ResultFormat {
    /// A heading a task, an item a hit.
    Markdown,
    /// An array of hits, as a search answers them.
    Json,
}

impl Workspace {
    /// Writes the hits of a query, in its order, [`MOST_RESULTS`] at most. Answers how many there were.
    pub fn write_results(
        &self,
        call: &Call,
        query: &SearchQuery,
        format: ResultFormat,
        to: &mut impl Write,
    ) -> Result<u64> {
        let query = SearchQuery { limit: MOST_RESULTS, after: None, count_all: true, ..query.clone() };
        let answer = self.conversations().search(call, &query)?;
        let Some(SearchResults { hits, .. }) = answer.body else {
            return Err(unavailable(answer.message));
        };
        match format {
            ResultFormat::Json => put(to, &(serde_json::to_string_pretty(&hits).map_err(Error::internal)? + "\n"))?,
            ResultFormat::Markdown => {
                let words = escaped(query.query.trim());
                put(to, &format!("# {}\n", text!(en: "Search: {words}", ja: "検索: {words}").get(call.lang)))?;
                let mut task = None;
                for hit in &hits {
                    put(to, &markdown(hit, &mut task))?;
                }
            }
        }
        Ok(hits.len() as u64)
    }
}

/// A hit as an item, under a heading where another task begins.
fn markdown(hit: &Hit, task: &mut Option<String>) -> String {
    let mut out = String::new();
    if task.as_ref() != Some(&hit.task.reference) {
        out = format!("\n## {} {}\n\n", hit.task.reference, escaped(&hit.task.title));
        *task = Some(hit.task.reference.clone());
    }
    let (author, kind) = (hit.author.as_str(), hit.kind.as_str());
    out + &format!("- `{}` {author}/{kind} {}: {}\n", hit.reference, hit.created, escaped(&hit.excerpt))
}

/// Text of a conversation is text here too, and never markup.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' => out.push(' '),
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' | '~' | '&' | '!' => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out
}

fn put(to: &mut impl Write, text: &str) -> Result<()> {
    to.write_all(text.as_bytes())
        .map_err(|error| Error::io(text!(en: "writing the results", ja: "検索結果の書き込み"), &error))
}

fn unavailable(message: Option<String>) -> Error {
    let message = message.unwrap_or_default();
    Error::new(ErrorCode::Unavailable, text!(en: "{message}", ja: "{message}"))
}
