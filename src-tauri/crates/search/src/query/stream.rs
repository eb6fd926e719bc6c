//! Docs that match, newest first, in exact order, as many as are asked for.

use super::needle::{Needle, and, last_id, or, quote};
use crate::index::{Generation, Position, facet};
use crate::types::{Filter, MatchMode};
use kiroku_model::{Cancel, Ending, Result, TaskId, TaskState, Time};
use kiroku_store::DbResult;
use rusqlite::{Connection, Row, params};
use std::collections::{BinaryHeap, HashSet};

/// Rows between two looks at the cancel token.
const ROWS_BETWEEN_CHECKS: usize = 64;
/// Tasks that a state filter may name to FTS5; with more, each row's task is looked up instead.
const NAMED_TASKS: usize = 100;

/// A doc that matches.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Match {
    /// `(created, comment)`: what newest-first sorts by.
    pub position: Position,
    /// Its task.
    pub task: i64,
    /// Its length in characters.
    pub length: i64,
    /// How often it holds each term, if that was asked for.
    pub counts: Vec<u32>,
}

/// What a stream found.
pub(crate) struct Streamed {
    /// Newest first.
    pub matches: Vec<Match>,
    /// Whether these are all.
    pub complete: bool,
}

/// The rows that a query looks at, beside its terms.
#[derive(Clone)]
pub(crate) struct Bounds {
    facets: Vec<String>,
    tasks: Option<HashSet<i64>>,
    not_task: Option<TaskId>,
    since: i64,
    until: i64,
    after: Option<Position>,
}

impl Bounds {
    /// Bounds that everything is within.
    pub(crate) fn none() -> Bounds {
        Bounds { facets: Vec::new(), tasks: None, not_task: None, since: i64::MIN, until: i64::MAX, after: None }
    }

    /// The bounds of a filter, the caller's own task left out.
    pub(crate) fn new(conn: &Connection, filter: &Filter, not_task: Option<TaskId>, now: Time) -> Result<Bounds> {
        let mut bounds = Bounds { not_task, ..Bounds::none() };
        bounds.since = filter.since.map_or(i64::MIN, |time| time.0);
        bounds.until = filter.until.map_or(i64::MAX, |time| time.0);
        bounds.facets.extend(filter.task.map(|task| quote(&facet('t', task.0))));
        bounds.facets.extend(filter.kind.as_ref().map(|kind| quote(&facet('k', kind.as_str()))));
        bounds.facets.extend(filter.author.map(|author| quote(&facet('a', author.as_str()))));
        bounds.facets.extend(filter.member.as_ref().map(|member| quote(&facet('m', member))));
        if !filter.states.is_empty() {
            let tasks = tasks_in(conn, &filter.states, now)?;
            if (1..=NAMED_TASKS).contains(&tasks.len()) {
                bounds.facets.push(or(tasks.iter().map(|task| quote(&facet('t', task)))));
            } else {
                bounds.tasks = Some(tasks);
            }
        }
        Ok(bounds)
    }

    /// Only what comes after this in newest-first order.
    pub(crate) fn after(self, after: Position) -> Bounds {
        Bounds { after: Some(after), ..self }
    }

    fn holds(&self, position: Position, task: i64) -> bool {
        self.not_task.is_none_or(|not| not.0 != task)
            && position.0 >= self.since
            && position.0 < self.until
            && self.after.is_none_or(|after| position < after)
            && self.tasks.as_ref().is_none_or(|tasks| tasks.contains(&task))
    }

    /// The highest id of a doc that isn't late and can be within: where paging and old dates begin.
    fn highest_id(&self, conn: &Connection, generation: &Generation) -> Result<i64> {
        let below = self.after.unwrap_or((i64::MAX, i64::MAX)).min((self.until, i64::MIN));
        if below.0 == i64::MAX {
            return Ok(i64::MAX);
        }
        let number = generation.number;
        let mut at_or_below = conn
            .prepare_cached(&format!(
                "SELECT id, created, comment FROM index_doc_{number} WHERE id <= ?1 AND late = 0 ORDER BY id DESC LIMIT 1"
            ))
            .or_sql()?;
        // Positions ascend with the ids of docs that aren't late, though ids have gaps.
        let (mut low, mut high) = (0, last_id(conn, generation)?);
        while low < high {
            let middle = low + (high - low + 1) / 2;
            let found: Option<(i64, Position)> = rusqlite::OptionalExtension::optional(
                at_or_below.query_row([middle], |row| Ok((row.get(0)?, (row.get(1)?, row.get(2)?)))),
            )
            .or_sql()?;
            match found {
                Some((id, position)) if position >= below => high = (id - 1).max(low),
                _ => low = middle,
            }
        }
        Ok(low)
    }
}

/// The tasks that are in one of these states now.
fn tasks_in(conn: &Connection, states: &[TaskState], now: Time) -> Result<HashSet<i64>> {
    let mut rows = conn.prepare_cached("SELECT id, state, ending, active FROM task").or_sql()?;
    let mut rows = rows.query([]).or_sql()?;
    let mut tasks = HashSet::new();
    while let Some(row) = rows.next().or_sql()? {
        let read = || -> rusqlite::Result<(i64, TaskState)> {
            Ok((
                row.get(0)?,
                state_of(row.get_ref(1)?.as_str_or_null()?, row.get_ref(2)?.as_str_or_null()?, Time(row.get(3)?), now),
            ))
        };
        let (task, state) = read().or_sql()?;
        if states.contains(&state) {
            tasks.insert(task);
        }
    }
    Ok(tasks)
}

/// A task's state: the stated one, else what follows from its ending; a task of which neither is known is done.
pub(crate) fn state_of(state: Option<&str>, ending: Option<&str>, active: Time, now: Time) -> TaskState {
    state
        .and_then(TaskState::from_word)
        .or_else(|| ending.and_then(Ending::from_word).map(|ending| ending.state(active, now)))
        .unwrap_or(TaskState::Completed)
}

/// What one stream is asked.
pub(crate) struct Question<'q> {
    /// The generation that answers.
    pub generation: &'q Generation,
    /// The terms.
    pub needles: &'q [Needle],
    /// How they are matched.
    pub mode: MatchMode,
    /// What else must hold.
    pub bounds: &'q Bounds,
    /// Whether each term is to be counted.
    pub counts: bool,
    /// Matches wanted at most.
    pub cap: usize,
}

/// Streams the matches, newest first.
pub(crate) fn stream(conn: &Connection, question: &Question<'_>, cancel: &Cancel) -> Result<Streamed> {
    let Question { generation, bounds, cap, .. } = *question;
    let expression = question.expression();
    let number = generation.number;
    // CROSS JOIN: FTS5 first, in its own descending order, and the doc by its id.
    let mut statement = conn
        .prepare_cached(&format!(
            "SELECT d.created, d.comment, d.task, d.late, d.length, d.folded
             FROM index_fts_{number} f CROSS JOIN index_doc_{number} d ON d.id = f.rowid
             WHERE f.index_fts_{number} MATCH ?1 AND f.rowid BETWEEN ?2 AND ?3 ORDER BY f.rowid DESC"
        ))
        .or_sql()?;
    // Late docs wait here until an older one that isn't late comes: see `index`.
    let mut late: BinaryHeap<Match> = BinaryHeap::new();
    let top = bounds.highest_id(conn, generation)?;
    if top < i64::MAX && generation.late > 0 {
        // Above the place where the stream begins only the late ones can be within.
        let only_late = and([expression.clone(), quote(&facet('l', ""))]);
        let mut rows = statement.query(params![only_late, top + 1, i64::MAX]).or_sql()?;
        let mut seen = 0;
        while let Some(row) = rows.next().or_sql()? {
            check_now_and_then(&mut seen, cancel)?;
            if let Candidate::Match(found, _) = question.read(row).or_sql()? {
                late.push(found);
            }
        }
    }
    let mut rows = statement.query(params![expression, 0, top]).or_sql()?;
    let mut matches: Vec<Match> = Vec::new();
    let mut seen = 0;
    while let Some(row) = rows.next().or_sql()? {
        check_now_and_then(&mut seen, cancel)?;
        match question.read(row).or_sql()? {
            Candidate::Other => {}
            Candidate::PastTheEnd => break,
            Candidate::Match(found, true) => late.push(found),
            Candidate::Match(found, false) => {
                while late.peek().is_some_and(|waiting| waiting.position > found.position) {
                    matches.extend(late.pop());
                }
                matches.push(found);
            }
        }
        if matches.len() > cap {
            matches.truncate(cap);
            return Ok(Streamed { matches, complete: false });
        }
    }
    while matches.len() <= cap
        && let Some(waiting) = late.pop()
    {
        matches.push(waiting);
    }
    let complete = matches.len() <= cap;
    matches.truncate(cap);
    Ok(Streamed { matches, complete })
}

fn check_now_and_then(seen: &mut usize, cancel: &Cancel) -> Result<()> {
    *seen += 1;
    if seen.is_multiple_of(ROWS_BETWEEN_CHECKS) { cancel.check() } else { Ok(()) }
}

/// What a doc that FTS5 gave turned out to be.
enum Candidate {
    /// It matches; whether it is late.
    Match(Match, bool),
    /// It doesn't match, or isn't within the bounds.
    Other,
    /// It and all that come behind it are too old.
    PastTheEnd,
}

impl Question<'_> {
    /// What FTS5 is asked.
    fn expression(&self) -> String {
        let each = self.needles.iter().map(|needle| needle.expression.clone());
        let terms = match self.mode {
            MatchMode::All => and(each),
            MatchMode::Any => or(each),
        };
        and(std::iter::once(terms).chain(self.bounds.facets.iter().cloned()))
    }

    /// Looks at a doc's row.
    fn read(&self, row: &Row<'_>) -> rusqlite::Result<Candidate> {
        let position: Position = (row.get(0)?, row.get(1)?);
        let task = row.get(2)?;
        let late: bool = row.get(3)?;
        if !late && position.0 < self.bounds.since {
            return Ok(Candidate::PastTheEnd);
        }
        if !self.bounds.holds(position, task) {
            return Ok(Candidate::Other);
        }
        let mut counts = Vec::new();
        // FTS5's word is enough for a match if every term is a gram, and no counts are wanted.
        if self.counts || self.needles.iter().any(|needle| !needle.is_exact) {
            let text = row.get_ref(5)?.as_bytes()?;
            if self.counts {
                counts.extend(self.needles.iter().map(|needle| needle.count_in(text)));
            }
            let is_match = match (self.counts, self.mode) {
                (true, MatchMode::All) => counts.iter().all(|count| *count > 0),
                (true, MatchMode::Any) => counts.iter().any(|count| *count > 0),
                (false, MatchMode::All) => self.needles.iter().all(|needle| needle.is_in(text)),
                (false, MatchMode::Any) => self.needles.iter().any(|needle| needle.is_in(text)),
            };
            if !is_match {
                return Ok(Candidate::Other);
            }
        }
        Ok(Candidate::Match(Match { position, task, length: row.get(4)?, counts }, late))
    }
}

/// How many docs of the whole index hold a term: exact up to `cap`, beyond it reckoned from how many of the newest do.
pub(crate) fn document_frequency(
    conn: &Connection,
    generation: &Generation,
    needle: &Needle,
    cap: usize,
    cancel: &Cancel,
) -> Result<u64> {
    let number = generation.number;
    let exact = needle.is_exact;
    let table = if exact { String::new() } else { format!("CROSS JOIN index_doc_{number} d ON d.id = f.rowid") };
    let column = if exact { "NULL" } else { "d.folded" };
    let mut statement = conn
        .prepare_cached(&format!(
            "SELECT f.rowid, {column} FROM index_fts_{number} f {table} WHERE f.index_fts_{number} MATCH ?1 ORDER BY f.rowid DESC"
        ))
        .or_sql()?;
    let mut rows = statement.query([&needle.expression]).or_sql()?;
    let (mut found, mut seen) = (0_u64, 0_usize);
    while let Some(row) = rows.next().or_sql()? {
        seen += 1;
        if seen.is_multiple_of(ROWS_BETWEEN_CHECKS) {
            cancel.check()?;
        }
        let text = row.get_ref(1).or_sql()?;
        let holds = exact || text.as_bytes().is_ok_and(|text| needle.is_in(text));
        found += u64::from(holds);
        if found > cap as u64 {
            let oldest: i64 = row.get(0).or_sql()?;
            let last = last_id(conn, generation)? as f64;
            let reckoned = found as f64 * last / (last - oldest as f64 + 1.0);
            return Ok((reckoned as u64).clamp(found, generation.docs.max(1) as u64));
        }
    }
    Ok(found)
}
