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
/// Tasks whose docs may be listed, docs that tell how common a query's terms are, and how many docs FTS5 finds in the time
/// in which one is looked at by its number.
const LISTED_TASKS: usize = 4_000;
const SAMPLE: i64 = 200;
const COST_OF_DOC: f64 = 2.5;

/// A doc that matches.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Match {
    /// `(created, comment)`: what newest-first sorts by.
    pub position: Position,
    /// Its task.
    pub task: i64,
    /// Its length in characters.
    pub length: i64,
    /// Its id among the docs.
    pub doc: i64,
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

    /// Whether everything is within.
    pub(crate) fn is_none(&self) -> bool {
        self.facets.is_empty()
            && self.tasks.is_none()
            && self.not_task.is_none()
            && (self.since, self.until, self.after) == (i64::MIN, i64::MAX, None)
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
    let columns = "d.created, d.comment, d.task, d.late, d.length, d.id, d.folded";
    let top = bounds.highest_id(conn, generation)?;
    let mut gathered = Gathered { cap, late: BinaryHeap::new(), matches: Vec::new(), seen: 0, cancel };
    if let Some(ids) = docs_of_tasks(conn, question, &expression, cancel)? {
        let mut doc =
            conn.prepare_cached(&format!("SELECT {columns} FROM index_doc_{number} d WHERE d.id = ?1")).or_sql()?;
        for id in ids {
            let found = doc.query_row([id], |row| question.read(row, true)).or_sql()?;
            // Above the place where the stream begins only the late ones can be within.
            let found = if id > top { found.if_late() } else { found };
            if !gathered.take(found)? {
                break;
            }
        }
        return Ok(gathered.done());
    }
    // CROSS JOIN: FTS5 first, in its own descending order, and the doc by its id.
    let mut statement = conn
        .prepare_cached(&format!(
            "SELECT {columns} FROM index_fts_{number} f CROSS JOIN index_doc_{number} d ON d.id = f.rowid
             WHERE f.index_fts_{number} MATCH ?1 AND f.rowid BETWEEN ?2 AND ?3 ORDER BY f.rowid DESC"
        ))
        .or_sql()?;
    if top < i64::MAX && generation.late > 0 {
        let only_late = and([expression.clone(), quote(&facet('l', ""))]);
        let mut rows = statement.query(params![only_late, top + 1, i64::MAX]).or_sql()?;
        while let Some(row) = rows.next().or_sql()? {
            gathered.take(question.read(row, false).or_sql()?.if_late())?;
        }
    }
    let mut rows = statement.query(params![expression, 0, top]).or_sql()?;
    while let Some(row) = rows.next().or_sql()? {
        if !gathered.take(question.read(row, false).or_sql()?)? {
            break;
        }
    }
    Ok(gathered.done())
}

/// The docs of the tasks that the bounds name, highest id first, where looking at each of them is less work than at all
/// that FTS5 finds for the terms: few tasks and common terms. (FTS5 can't intersect with more than some of them.)
fn docs_of_tasks(
    conn: &Connection,
    question: &Question<'_>,
    expression: &str,
    cancel: &Cancel,
) -> Result<Option<Vec<i64>>> {
    let Question { generation, bounds, cap, .. } = *question;
    let Some(tasks) = bounds.tasks.as_ref().filter(|tasks| tasks.len() <= LISTED_TASKS) else { return Ok(None) };
    if !bounds.facets.is_empty() {
        return Ok(None);
    }
    let number = generation.number;
    let mut of_task = conn.prepare_cached(&format!("SELECT id FROM index_doc_{number} WHERE task = ?1")).or_sql()?;
    let mut ids: Vec<i64> = Vec::new();
    for task in tasks {
        cancel.check()?;
        let mut rows = of_task.query([task]).or_sql()?;
        while let Some(row) = rows.next().or_sql()? {
            ids.push(row.get(0).or_sql()?);
        }
    }
    // How common the terms are, by how near each other the newest few docs stand that FTS5 finds for them.
    let (found, oldest): (i64, Option<i64>) = conn
        .prepare_cached(&format!(
            "SELECT count(*), min(rowid) FROM (SELECT rowid FROM index_fts_{number} WHERE index_fts_{number} MATCH ?1 ORDER BY rowid DESC LIMIT ?2)"
        ))
        .and_then(|mut newest| newest.query_row(params![expression, SAMPLE], |row| Ok((row.get(0)?, row.get(1)?))))
        .or_sql()?;
    let last = last_id(conn, generation)? as f64;
    let Some(oldest) = oldest.filter(|_| found == SAMPLE) else { return Ok(None) };
    let density = found as f64 / (last - oldest as f64 + 1.0);
    let (named, cap) = (ids.len() as f64, cap as f64);
    let by_terms = (last * density).min(cap * last / named.max(1.0));
    let by_tasks = named.min(cap / density) * COST_OF_DOC;
    if by_tasks >= by_terms {
        return Ok(None);
    }
    ids.sort_unstable_by(|a, b| b.cmp(a));
    Ok(Some(ids))
}

/// What a stream has gathered, in exact order.
struct Gathered<'c> {
    cap: usize,
    /// Late docs wait here until an older one that isn't late comes: see `index`.
    late: BinaryHeap<Match>,
    matches: Vec<Match>,
    seen: usize,
    cancel: &'c Cancel,
}

impl Gathered<'_> {
    /// Takes what a doc turned out to be; answers whether more is wanted.
    fn take(&mut self, found: Candidate) -> Result<bool> {
        self.seen += 1;
        if self.seen.is_multiple_of(ROWS_BETWEEN_CHECKS) {
            self.cancel.check()?;
        }
        match found {
            Candidate::Other => {}
            Candidate::PastTheEnd => return Ok(false),
            Candidate::Match(found, true) => self.late.push(found),
            Candidate::Match(found, false) => {
                while self.late.peek().is_some_and(|waiting| waiting.position > found.position) {
                    self.matches.extend(self.late.pop());
                }
                self.matches.push(found);
            }
        }
        Ok(self.matches.len() <= self.cap)
    }

    fn done(mut self) -> Streamed {
        while self.matches.len() <= self.cap
            && let Some(waiting) = self.late.pop()
        {
            self.matches.push(waiting);
        }
        let complete = self.matches.len() <= self.cap;
        self.matches.truncate(self.cap);
        Streamed { matches: self.matches, complete }
    }
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

impl Candidate {
    /// Nothing, unless it is late.
    fn if_late(self) -> Candidate {
        match self {
            Candidate::Match(found, true) => Candidate::Match(found, true),
            _ => Candidate::Other,
        }
    }
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

    /// Looks at a doc's row; FTS5's word that it may hold the terms is there, or it is to be looked at in any case.
    fn read(&self, row: &Row<'_>, in_any_case: bool) -> rusqlite::Result<Candidate> {
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
        if in_any_case || self.counts || self.needles.iter().any(|needle| !needle.is_exact) {
            let text = row.get_ref(6)?.as_bytes()?;
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
        Ok(Candidate::Match(Match { position, task, length: row.get(4)?, doc: row.get(5)?, counts }, late))
    }
}

/// How many docs of the whole index hold a term: up to `cap` counted, beyond it reckoned from how many of the newest do.
/// Only if it need not be exact, after looking at a few times `cap` docs it is reckoned too.
pub(crate) fn document_frequency(
    conn: &Connection,
    generation: &Generation,
    needle: &Needle,
    cap: usize,
    is_exact: bool,
    cancel: &Cancel,
) -> Result<u64> {
    let number = generation.number;
    let is_gram = needle.is_exact;
    let table = if is_gram { String::new() } else { format!("CROSS JOIN index_doc_{number} d ON d.id = f.rowid") };
    let column = if is_gram { "NULL" } else { "d.folded" };
    let mut statement = conn
        .prepare_cached(&format!(
            "SELECT f.rowid, {column} FROM index_fts_{number} f {table} WHERE f.index_fts_{number} MATCH ?1 ORDER BY f.rowid DESC"
        ))
        .or_sql()?;
    let mut rows = statement.query([&needle.expression]).or_sql()?;
    let (mut found, mut seen) = (0_u64, 0_usize);
    let most = if is_exact { usize::MAX } else { 2 * cap };
    while let Some(row) = rows.next().or_sql()? {
        seen += 1;
        if seen.is_multiple_of(ROWS_BETWEEN_CHECKS) {
            cancel.check()?;
        }
        let text = row.get_ref(1).or_sql()?;
        let holds = is_gram || text.as_bytes().is_ok_and(|text| needle.is_in(text));
        found += u64::from(holds);
        if found > cap as u64 || seen > most {
            let oldest: i64 = row.get(0).or_sql()?;
            let last = last_id(conn, generation)? as f64;
            let reckoned = found as f64 * last / (last - oldest as f64 + 1.0);
            return Ok((reckoned as u64).clamp(found, generation.docs.max(1) as u64));
        }
    }
    Ok(found)
}
