//! Writing to a space that is in use: one comment at a time; searches while an import runs, and while the index is built
//! anew; and old comments after new ones, which leaves documents out of order. On a copy of the space, so that the
//! corpus stays as it was built.

use crate::corpus::{Corpus, Item};
use crate::measure;
use crate::queries::Class;
use crate::random::Random;
use crate::space::{self, Writer};
use crate::stats::Times;
use crate::truth::Truth;
use crate::upkeep::{self, Upkeep};
use crate::words::Words;
use crate::{Result, beside};
use kiroku_model::Time;
use std::path::Path;
use std::time::{Duration, Instant};

/// Old comments that are written last: fewer than the engine puts back in order at once.
const LATE: usize = 1_000;

/// What was measured.
pub struct Writes {
    /// One comment in one transaction.
    pub one: Times,
    /// Searches while an import ran, and what it imported.
    pub searches: Times,
    /// The slowest of them.
    pub worst: String,
    /// Comments that the import wrote, and how many in a second.
    pub imported: usize,
    /// See `imported`.
    pub rate: f64,
    /// Each of the import's transactions.
    pub commits: Times,
    /// The most that the write-ahead log took, in bytes.
    pub wal: u64,
    /// The index built anew meanwhile.
    pub upkeep: Upkeep,
    /// The classes that were asked again with old comments written last.
    pub late: Vec<measure::Measured>,
}

/// How much is written.
pub struct Amounts {
    /// Comments one by one.
    pub one_by_one: usize,
    /// Comments in one import.
    pub bulk: usize,
    /// How long the index is built anew.
    pub rebuild: Duration,
}

/// Measures on a copy of the space at `path`.
pub fn measure(
    path: &Path,
    words: &Words,
    classes: &[Class],
    again: &[Class],
    truth: &mut Truth,
    amounts: &Amounts,
    wrong: &mut Vec<String>,
) -> Result<Writes> {
    let Amounts { one_by_one, bulk, rebuild } = *amounts;
    let copy = path.with_file_name("writes.db");
    beside::remove(&copy)?;
    std::fs::copy(path, &copy)?;
    let workspace = space::open(&copy)?;
    let space = workspace.space();
    let last = truth.docs().iter().map(|doc| doc.created).max().unwrap_or_default();
    let newest = |after: i64| Some(Time(last + after));
    let first_task = truth.docs().iter().map(|doc| doc.task).max().unwrap_or_default() as usize + 1_000;
    let mut writer = Writer::new(words);
    let mut wal = beside::Wal::of(&copy);
    let written = |truth: &mut Truth, items: &[Item], ids: &[kiroku_model::CommentId]| {
        for (item, id) in items.iter().zip(ids) {
            truth.add(id.0, item.task as i64 + 1, &item.comment);
        }
    };

    let mut one = Times::default();
    let items: Vec<Item> = Corpus::new(words, 1, one_by_one).later(first_task, newest(1)).collect();
    for item in &items {
        let item = std::slice::from_ref(item);
        let ids = one.of(|| writer.put_some(space, item))?;
        written(truth, item, &ids);
        wal.look();
    }

    let items: Vec<Item> = Corpus::new(words, 2, bulk).later(first_task + 10_000, newest(1_000_000_000)).collect();
    let queries: Vec<_> = classes.iter().flat_map(|class| &class.queries).collect();
    let mut searches = Times::default();
    let mut asked = Vec::new();
    let begun = Instant::now();
    let (ids, commits, rate) = std::thread::scope(|scope| -> Result<_> {
        let import = scope.spawn(|| -> Result<_> {
            let mut writer = Writer::new(words);
            let (mut ids, mut commits) = (Vec::new(), Times::default());
            while ids.len() < items.len() {
                ids.extend(commits.of(|| writer.put_some(space, &items[ids.len()..]))?);
            }
            Ok((ids, commits, items.len() as f64 / begun.elapsed().as_secs_f64()))
        });
        let mut random = Random::new(3);
        while !import.is_finished() {
            let Some(query) = random.pick(&queries) else { break };
            searches.of(|| measure::search(workspace.conversations(), query))?;
            asked.push(*query);
            wal.look();
        }
        import.join().map_err(|_| "the importing thread panicked")?
    })?;
    written(truth, &items, &ids);

    let items: Vec<Item> = Corpus::new(words, 4, LATE).later(first_task + 20_000, None).collect();
    let mut done = 0;
    while done < items.len() {
        let ids = writer.put_some(space, &items[done..])?;
        written(truth, &items[done..], &ids);
        done += ids.len();
    }
    let late = again
        .iter()
        .map(|class| measure::measure(class, workspace.conversations(), truth, None, wrong))
        .collect::<Result<_>>()?;
    let upkeep = upkeep::measure(&workspace, &queries, rebuild)?;
    wal.look();
    drop(workspace);
    beside::remove(&copy)?;
    Ok(Writes {
        one,
        worst: searches.worst().map(|(at, _)| asked[at].shown()).unwrap_or_default(),
        searches,
        imported: bulk,
        rate,
        commits,
        wal: wal.most,
        upkeep,
        late,
    })
}
