//! Searching 10,000 memory records, which are Markdown files, beside `rg -i -F -C3` over the same files where the system
//! has it. Both warm, both with three lines around each match; `rg` as a process of its own, which is how it is used (its
//! start is a few milliseconds of its time), and its output read to the end.

use crate::Result;
use crate::random::Random;
use crate::stats::Times;
use crate::words::Words;
use kiroku_memory::search::{Found, Query, search};
use kiroku_memory::{ContentRoot, RecordKind};
use kiroku_model::Cancel;
use serde_json::{Value, json};
use std::path::Path;
use std::process::{Command, Stdio};

/// Words that are searched for.
const QUERIES: usize = 24;
const HITS: usize = 30;

/// What was measured.
pub struct Records {
    files: usize,
    bytes: usize,
    ours: Times,
    /// `None` where there is no `rg`.
    rg: Option<Times>,
    worst: String,
}

/// Writes so many records and searches them. Faults in answers are appended to `wrong`.
pub fn measure(words: &Words, seed: u64, files: usize, wrong: &mut Vec<String>) -> Result<Records> {
    let folder = tempfile::tempdir()?;
    let root = ContentRoot::at(folder.path())?;
    root.create_directories()?;
    let directory = folder.path().join(RecordKind::Knowledge.folder());
    let mut random = Random::new(seed ^ 0x03ec_04d5);
    let mut texts = Vec::new();
    for number in 0..files {
        let text = record(words, &mut random, number);
        std::fs::write(directory.join(format!("note-{number:05}.md")), &text)?;
        texts.push(text.to_lowercase());
    }
    let mut asked = Vec::new();
    while asked.len() < QUERIES {
        let word = words.word(&mut random, asked.len() % 2 == 0).to_lowercase();
        if word.chars().count() >= 2 && !asked.contains(&word) {
            asked.push(word);
        }
    }
    let (mut ours, mut rg) = (Times::default(), Some(Times::default()));
    for word in &asked {
        let lines: usize = texts.iter().map(|text| text.lines().filter(|line| line.contains(word)).count()).sum();
        let found = ask(&root, word)?;
        if found.total != lines || found.hits.len() != lines.min(HITS) || !found.problems.is_empty() {
            let (total, hits) = (found.total, found.hits.len());
            wrong.push(format!("memory search: {word}: {total} lines and {hits} hits, the scan finds {lines}"));
        }
        ours.middle_of_three(|| ask(&root, word))?;
        rg = rg.and_then(|mut times| times.middle_of_three(|| run_rg(&directory, word)).is_ok().then_some(times));
    }
    let worst = ours.worst().map(|(at, _)| asked[at].clone()).unwrap_or_default();
    Ok(Records { files, bytes: texts.iter().map(String::len).sum(), ours, rg, worst })
}

/// A record as agents keep them: a head, then some dozen short paragraphs.
fn record(words: &Words, random: &mut Random, number: usize) -> String {
    let japanese = number.is_multiple_of(2);
    let mut line = |low, high| {
        let characters = random.between(low, high);
        let text = if japanese { words.japanese(random, characters) } else { words.english(random, characters) };
        text.replace('\n', " ")
    };
    let description = line(20, 60).replace(['"', '\\'], "");
    let mut text = format!("---\nkind: reference\ndescription: \"{description}\"\n---\n\n# {}\n", line(10, 30));
    for _ in 0..12 {
        text.push('\n');
        text.push_str(&line(40, 200));
        text.push('\n');
    }
    text
}

fn ask(root: &ContentRoot, word: &str) -> Result<Found> {
    let kinds = [RecordKind::Knowledge];
    let query = Query { text: word, kinds: &kinds, frontmatter_kind: None, limit: HITS, around: 3 };
    Ok(search(root, &query, &Cancel::new())?)
}

fn run_rg(directory: &Path, word: &str) -> Result<()> {
    let mut rg = Command::new("rg");
    rg.args(["-i", "-F", "-C3", "--", word]).arg(directory).stdin(Stdio::null()).stderr(Stdio::null());
    match rg.output()?.status.code() {
        // 1: nothing was found.
        Some(0 | 1) => Ok(()),
        code => Err(format!("`rg` ended with {code:?}").into()),
    }
}

impl Records {
    /// Lines of text.
    pub fn shown(&self) -> [(String, String); 2] {
        let rg = self.rg.as_ref().map_or_else(|| "there is no `rg` here".to_owned(), Times::shown);
        let megabytes = self.bytes as f64 / 1e6;
        let ours = format!("{}; slowest: {}", self.ours.shown(), self.worst);
        [(format!("{} records ({megabytes:.0} MB) searched", self.files), ours), ("rg over the same".to_owned(), rg)]
    }

    /// p95 of ours and of `rg`, in milliseconds.
    pub fn p95(&self) -> (f64, Option<f64>) {
        (self.ours.percentile(95), self.rg.as_ref().map(|times| times.percentile(95)))
    }

    /// For JSON.
    pub fn json(&self) -> Value {
        json!({
            "files": self.files, "bytes": self.bytes, "ours": self.ours.json(),
            "rg": self.rg.as_ref().map(Times::json), "worst": self.worst,
        })
    }
}
