//! `cargo xtask bench`: how fast engine 1 is, beside a plain FTS5 plan on the same texts in the same run, and whether its
//! answers are right.
//!
//! It builds a seeded corpus through the real engine, asks classes of queries chosen by a scan, and holds every answer
//! against that scan: a wrong answer fails the run, a slow one never does (times are read by people, on their machine).
//! Search times are for the whole answer with its excerpts, after one warming pass, 30 hits each.
//! Where things are: `words`, `corpus` make the texts; `space` writes them; `truth` scans; `queries` are the classes;
//! `reference` is the other plan; `measure`, `fresh`, `writes`, `upkeep`, `interrupt`, `imports`, `records` measure; `report`
//! prints, and `bars` says which bars are met.

mod bars;
mod beside;
mod corpus;
mod fresh;
mod imports;
mod interrupt;
mod measure;
mod queries;
mod random;
mod records;
mod reference;
mod report;
mod sessions;
mod space;
mod stats;
mod truth;
mod upkeep;
mod words;
mod writes;

use bars::Bar;
use clap::Parser;
use corpus::Corpus;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};
use truth::Truth;
use words::Words;

/// Whatever went wrong, for the person who runs it.
type Error = Box<dyn std::error::Error + Send + Sync>;
type Result<T, E = Error> = std::result::Result<T, E>;

/// Measures the search engine, beside a plain FTS5 plan on the same texts.
#[derive(Parser)]
struct Options {
    /// Comments in the corpus
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(1_000..=5_000_000))]
    comments: u32,
    /// Few queries: only whether everything runs and every answer is right
    #[arg(long)]
    smoke: bool,
    /// What the corpus and the queries are made from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Keep the corpus in target/bench/, and use one that is there
    #[arg(long)]
    keep: bool,
    /// Write everything that was measured to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Figures of a smaller corpus, written by --json: how much slower is this one?
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
    /// Open this space, ask one query, end: what `fresh` measures
    #[arg(long, value_name = "SPACE", hide = true)]
    first_search: Option<PathBuf>,
    /// The terms of that query
    #[arg(hide = true)]
    terms: Vec<String>,
}

fn main() -> ExitCode {
    let options = Options::parse();
    let done = match &options.first_search {
        Some(path) => fresh::first_search(path, &options.terms).map(|()| Vec::new()),
        None => run(&options),
    };
    match done {
        Ok(wrong) if wrong.is_empty() => ExitCode::SUCCESS,
        Ok(wrong) => {
            eprintln!("\n{} answers are wrong:", wrong.len());
            wrong.iter().take(20).for_each(|fault| eprintln!("  {fault}"));
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("bench: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Measures everything; the answers that were wrong.
fn run(options: &Options) -> Result<Vec<String>> {
    let smoke = options.smoke;
    let comments = options.comments as usize;
    let words = Words::new(&mut random::Random::new(options.seed));
    let mut all = json!({ "comments": comments, "seed": options.seed, "smoke": smoke });
    println!("{comments} comments in about {} tasks, seed {}", comments / corpus::PER_TASK, options.seed);

    if let Some(load) = load() {
        line("load before it began", &load);
        all["load"] = json!(load);
    }
    let (sessions, large) = if smoke { ((20, 10), 1_500_000) } else { ((200, 30), 30_000_000) };
    let imported = imports::measure(&words, options.seed, sessions, large)?;
    for (what, shown) in imported.shown() {
        line(&what, &shown);
    }
    all["import"] = imported.json();
    let mut wrong = Vec::new();
    let records = records::measure(&words, options.seed, if smoke { 500 } else { 10_000 }, &mut wrong)?;
    for (what, shown) in records.shown() {
        line(&what, &shown);
    }
    all["records"] = records.json();

    let folder = folder(options)?;
    let path = folder.join("space.db");
    let mut truth = Truth::default();
    all["build"] = build(options, &words, &path, &mut truth)?;
    let text = truth.bytes() as u64;
    let sizes = space::sizes(&path)?;
    let (with, without) = sizes.ratios(text);
    let (megabytes, index) = (text / 1_000_000, sizes.index / 1_000_000);
    line(
        "index over indexed text",
        &format!("{with:.2}, without its stored text {without:.2} ({index} MB over {megabytes} MB)"),
    );
    all["size"] = sizes.json(text);

    let each = if smoke { 8 } else { 40 };
    let classes = queries::classes(&mut truth, &words, options.seed, each)?;
    let reference = reference::Reference::open(&folder.join("reference.db"), &truth)?;
    let reference_ratio = reference.index_bytes()? as f64 / text as f64;
    line("the reference's index over it", &format!("{reference_ratio:.2}, its text not counted"));
    all["reference_index_over_text"] = json!(reference_ratio);

    let budget = Duration::from_secs(if smoke { 1 } else { 10 });
    let workspace = space::open(&path)?;
    let mut measured = Vec::new();
    for class in &classes {
        let reference = Some((&reference, budget));
        measured.push(measure::measure(class, workspace.conversations(), &truth, reference, &mut wrong)?);
    }
    let interrupts = interrupt::measure(workspace.conversations(), &classes, &measured)?;
    drop(workspace);
    drop(reference);

    let first: Vec<_> = classes
        .iter()
        .filter(|class| class.name.starts_with("3+"))
        .filter_map(|class| class.queries.first().cloned())
        .collect();
    let fresh = fresh::measure(&path, &first, if smoke { 0 } else { first.len() })?;
    let bulk = (comments / 20).clamp(2_000, 30_000);
    let amounts = if smoke {
        writes::Amounts { one_by_one: 100, bulk: 1_000, rebuild: Duration::from_secs(3) }
    } else {
        writes::Amounts { one_by_one: 3_000, bulk, rebuild: Duration::from_secs(30) }
    };
    let again = queries::after_late_import(&classes);
    truth.keep_only(&again.iter().flat_map(|class| &class.queries).flat_map(|query| query.terms.clone()).collect());
    let writes = writes::measure(&path, &words, &classes, &again, &mut truth, &amounts, &mut wrong)?;
    measured.extend(writes.late);

    println!("\n{}", report::table(&measured));
    line(&format!("fresh process, {}", fresh.program), &fresh.warm.shown());
    if fresh.cold.len() > 0 {
        line("the same, system cache emptied", &fresh.cold.shown());
    }
    let searched = |times: &stats::Times, worst: &str| format!("{}; slowest: {worst}", times.shown());
    line("a search taken back, till it ends", &searched(&interrupts.stops, &interrupts.worst));
    line("one comment written", &writes.one.shown());
    line("searches during an import", &searched(&writes.searches, &writes.worst));
    line("that import", &format!("{} comments, {:.0} comments/s", writes.imported, writes.rate));
    line("a transaction of it", &writes.commits.shown());
    let upkeep = &writes.upkeep;
    line("searches during a rebuild", &searched(&upkeep.searches, &upkeep.worst));
    line("a step of it", &format!("{}; {} docs", upkeep.steps.shown(), upkeep.docs));
    line("a step that sweeps the old away", &upkeep.sweeps.shown());
    line("most that the WAL took", &format!("{:.1} MB", writes.wal as f64 / 1e6));
    println!();
    let mut bars = bars::of_classes(&measured);
    if let Some(before) = &options.against {
        bars.extend(bars::growth(&measured, &serde_json::from_str(&std::fs::read_to_string(before)?)?));
    }
    bars.push(Bar::times("a fresh process, worst", &fresh.warm, 100, 100.0));
    if fresh.cold.len() > 0 {
        bars.push(Bar::times("the same from a cold start, worst", &fresh.cold, 100, 200.0));
    }
    bars.push(Bar::times("a search taken back, worst", &interrupts.stops, 100, 20.0));
    bars.push(Bar::times("one comment written, p95", &writes.one, 95, 5.0));
    bars.push(Bar::times("searches during an import, p95", &writes.searches, 95, 20.0));
    bars.push(Bar::times("searches during a rebuild, p95", &upkeep.searches, 95, 20.0));
    bars.push(Bar::times("the longest write of one comment", &writes.one, 100, 100.0));
    bars.push(Bar::times("the longest transaction of an import", &writes.commits, 100, 100.0));
    bars.push(Bar::times("the longest step of a rebuild", &upkeep.steps, 100, 100.0));
    bars.push(Bar::times("the longest step that sweeps", &upkeep.sweeps, 100, 100.0));
    bars.push(Bar::times("a step of a rebuild, p95", &upkeep.steps, 95, 50.0));
    bars.push(Bar::most("index over indexed text", without, 1.5, ""));
    bars.push(Bar::least("import, comments/s", imported.rate(), 3_000.0, ""));
    bars.extend(imported.peak_megabytes().map(|peak| Bar::most("import, peak memory", peak, 200.0, " MB")));
    let (ours, rg) = records.p95();
    bars.extend(rg.map(|rg| Bar::most("memory search over rg, p95", ours / rg, 1.0, "")));
    for bar in &bars {
        let (what, shown) = bar.shown();
        println!("{what:<60} {shown}");
    }
    let queries: usize = measured.iter().map(|class| class.ours.len()).sum();
    println!("\n{queries} queries, {} wrong answers", wrong.len());
    all["classes"] = measured.iter().map(measure::Measured::json).collect();
    all["fresh"] = json!({ "program": fresh.program, "warm": fresh.warm.json(), "cold": fresh.cold.json() });
    all["interrupts"] = json!({ "stops": interrupts.stops.json(), "worst": interrupts.worst });
    all["writes"] = json!({
        "one": writes.one.json(), "searches_during_import": writes.searches.json(), "worst_search": writes.worst,
        "import_comments_per_second": writes.rate, "import_comments": writes.imported,
        "import_transactions": writes.commits.json(), "wal_bytes": writes.wal,
    });
    all["upkeep"] = json!({
        "steps": upkeep.steps.json(), "docs": upkeep.docs, "sweeps": upkeep.sweeps.json(),
        "searches": upkeep.searches.json(), "worst_search": upkeep.worst,
    });
    all["bars"] = bars.iter().map(Bar::json).collect();
    all["wrong"] = json!(wrong);
    if let Some(file) = &options.json {
        std::fs::write(file, serde_json::to_string_pretty(&all)?)?;
    }
    if !options.keep {
        std::fs::remove_dir_all(&folder)?;
    }
    Ok(wrong)
}

/// Where the corpus is; empty unless it is kept.
fn folder(options: &Options) -> Result<PathBuf> {
    let target = std::env::current_exe()?.ancestors().nth(2).map(Path::to_owned).ok_or("no target directory")?;
    let name = format!("{}-{}{}", options.comments, options.seed, if options.keep { "" } else { "-once" });
    let folder = target.join("bench").join(name);
    if !options.keep && folder.exists() {
        std::fs::remove_dir_all(&folder)?;
    }
    std::fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// Builds the space, or takes the one that is there; either way `truth` learns its comments.
fn build(options: &Options, words: &Words, path: &Path, truth: &mut Truth) -> Result<Value> {
    let corpus = Corpus::new(words, options.seed, options.comments as usize);
    if path.exists() {
        // The engine numbers comments in the order in which they are written.
        for (number, item) in corpus.in_import_order().enumerate() {
            truth.add(number as i64 + 1, item.task as i64 + 1, &item.comment);
        }
        line("corpus", "the one that was kept");
        return Ok(Value::Null);
    }
    // Built under another name, so that one that was interrupted is never taken for a whole one.
    let unfinished = path.with_file_name("unfinished.db");
    beside::remove(&unfinished)?;
    let begun = Instant::now();
    let workspace = space::create(&unfinished)?;
    let built = space::Writer::new(words).fill(&workspace, corpus.in_import_order(), truth)?;
    workspace.space().truncate_wal()?;
    drop(workspace);
    std::fs::rename(&unfinished, path)?;
    let rate = built.comments as f64 / built.wrote.as_secs_f64();
    let cpu_rate = built.comments as f64 * 1_000.0 / built.commits.cpu_sum();
    let (maintained, whole) = (built.maintained.as_secs_f64(), begun.elapsed().as_secs_f64());
    line(
        "corpus written",
        &format!(
            "{rate:.0} comments/s ({cpu_rate:.0} a second of the processor), index included; maintained in {maintained:.1} s; {whole:.0} s in all"
        ),
    );
    line("a transaction of it", &built.commits.shown());
    Ok(
        json!({ "comments_per_second": rate, "comments_per_cpu_second": cpu_rate, "maintained_seconds": maintained, "commits": built.commits.json() }),
    )
}

/// How busy the machine is (runnable processes over the last minute, and processors), where the system tells: figures
/// of a busy machine say little.
fn load() -> Option<String> {
    let averages = std::fs::read_to_string("/proc/loadavg").ok()?;
    let processors = std::thread::available_parallelism().ok()?;
    Some(format!("{} on {processors} processors", averages.split(' ').next()?))
}

fn line(what: &str, value: &str) {
    println!("{what:<32} {value}");
}
