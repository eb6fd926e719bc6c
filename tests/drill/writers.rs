//! Two processes with ten threads each, writing comments to one space, each in a transaction of its own, and reading it
//! between: every write is there afterwards, once, in order and indexed, and nobody was told that the space is busy.

use crate::Result;
use kiroku_api::types::SearchQuery;
use kiroku_api::{NewSpace, Workspace};
use kiroku_model::{Author, Call, Caller, Kind, NewComment, SystemClock, TaskId, Time};
use kiroku_search::record::{NewTask, write as write_record};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Instant;

const PROCESSES: [&str; 2] = ["left", "right"];
const THREADS: u32 = 10;
/// The task that all of them write to.
const TASK: TaskId = TaskId(1);

/// Runs the drill.
pub fn drill(comments: u32) -> Result<()> {
    let folder = tempfile::Builder::new().prefix("kiroku-writers-").tempdir()?;
    let path = folder.path().join("space.db");
    let new = NewSpace { name: "drill".to_owned(), owner: "m1".to_owned(), owner_name: "m1".to_owned() };
    let workspace = Workspace::create(&path, &new, Arc::new(SystemClock))?;
    write_record(workspace.space(), |record| record.put_task(&task()))?;
    let begun = Instant::now();
    let program = std::env::current_exe()?;
    let started = PROCESSES.map(|name| {
        Command::new(&program).arg("writer").arg(&path).args([name, &comments.to_string()]).stdin(Stdio::null()).spawn()
    });
    let mut failed = Vec::new();
    for (name, child) in PROCESSES.iter().zip(started) {
        let status = child?.wait()?;
        if !status.success() {
            failed.push(format!("the process `{name}` ended with {status}"));
        }
    }
    let took = begun.elapsed().as_secs_f64();
    failed.extend(faults(&workspace, comments)?);
    if !failed.is_empty() {
        drop(workspace);
        let kept = folder.keep();
        return Err(format!("{}\nkept in {}", failed.join("\n"), kept.display()).into());
    }
    let all = PROCESSES.len() as u32 * THREADS * comments;
    println!(
        "{all} comments by two processes with ten threads each in {took:.1} s: none lost, none twice, nobody told to wait"
    );
    Ok(())
}

/// What is wrong with the space.
fn faults(workspace: &Workspace, comments: u32) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    let health = workspace.doctor(false, &kiroku_model::Cancel::new())?;
    faults.extend(health.findings.iter().map(|finding| finding.message.en.clone()));
    let mut found = std::collections::HashMap::new();
    let (mut offset, mut last) = (0, 0);
    loop {
        let page = workspace.conversations().conversation(&call(), TASK, offset, 200)?;
        let page = page.body.ok_or("the conversation is not available")?;
        for comment in &page.comments {
            *found.entry(comment.body.clone()).or_insert(0) += 1;
            last += 1;
        }
        match page.next_offset {
            Some(next) => offset = next,
            None => break,
        }
    }
    for process in PROCESSES {
        for thread in 0..THREADS {
            for nth in 0..comments {
                let times = found.remove(&body(process, thread, nth)).unwrap_or(0);
                if times != 1 {
                    faults.push(format!("`{}` is there {times} times", body(process, thread, nth)));
                }
            }
            let hits = search(workspace, &marker(process, thread))?;
            if hits != u64::from(comments) {
                faults.push(format!("a search for `{}` finds {hits} of {comments}", marker(process, thread)));
            }
        }
    }
    if !found.is_empty() {
        faults.push(format!("{} comments of {last} are nobody's", found.len()));
    }
    Ok(faults)
}

/// What each of the processes does.
pub fn write(path: &Path, name: &str, comments: u32) -> Result<()> {
    let workspace = Workspace::open(path, Arc::new(SystemClock))?;
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS)
            .map(|thread| {
                let workspace = &workspace;
                scope.spawn(move || one_thread(workspace, name, thread, comments))
            })
            .collect();
        threads.into_iter().try_for_each(|thread| thread.join().map_err(|_| "a thread panicked")?)
    })
}

fn one_thread(workspace: &Workspace, name: &str, thread: u32, comments: u32) -> Result<()> {
    for nth in 0..comments {
        write_record(workspace.space(), |record| record.put_comment(TASK, &comment(name, thread, nth)))?;
        // What was acknowledged is seen at once, by its writer too.
        if nth % 5 == 4 {
            let hits = search(workspace, &marker(name, thread))?;
            if hits != u64::from(nth) + 1 {
                return Err(format!("{name} {thread} wrote {} and finds {hits}", nth + 1).into());
            }
        }
    }
    Ok(())
}

fn search(workspace: &Workspace, term: &str) -> Result<u64> {
    let query = SearchQuery { query: term.to_owned(), limit: 10, ..SearchQuery::default() };
    let answer = workspace.conversations().search(&call(), &query)?;
    Ok(answer.body.ok_or("the search is not available")?.total)
}

fn call() -> Call {
    Call { caller: Caller::member("m1"), ..Call::default() }
}

fn marker(process: &str, thread: u32) -> String {
    format!("{process}-thread-{thread}-")
}

fn body(process: &str, thread: u32, nth: u32) -> String {
    format!("{} 書き込み {nth}.", marker(process, thread))
}

fn task() -> NewTask {
    NewTask {
        uid: None,
        id: Some(TASK),
        source: None,
        title: "crowd".to_owned(),
        piece: String::new(),
        state: None,
        ending: None,
        folder: None,
        owner: None,
        parent: None,
        created: Time(1_750_000_000_000),
        updated: Time(1_750_000_000_000),
    }
}

fn comment(process: &str, thread: u32, nth: u32) -> NewComment {
    NewComment {
        key: format!("{process}/{thread}/{nth}"),
        author: Author::Agent,
        member: None,
        kind: Kind::Result,
        progress: None,
        tool: None,
        input: None,
        output: None,
        movement: None,
        body: body(process, thread, nth),
        // Out of order on purpose: threads of two processes do not agree on the time.
        created: Time(1_750_000_000_000 + i64::from(nth * 977 % 101) * 1_000),
        attachments: Vec::new(),
    }
}
