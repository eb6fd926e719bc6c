//! Small writes, killed (SIGKILL) at random moments: comments, a task list and a memory record, written one after the
//! other by a process that says on its standard output what was acknowledged.
//!
//! After each kill everything acknowledged must be there, once and whole; the one write that was under way may be there
//! whole, or not at all; and the space and its index must be whole (`kiroku doctor`).

use crate::kiroku::{Kill, Kiroku};
use crate::random::Random;
use crate::{Result, kept};
use kiroku_api::lists::{Door, ThreadKey};
use kiroku_api::tools::{ToolContext, tool};
use kiroku_api::{NewSpace, Workspace};
use kiroku_model::{Author, Call, Caller, Kind, NewComment, SystemClock, TaskId, Time};
use kiroku_search::record::{NewTask, write as write_record};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

const TASK: TaskId = TaskId(1);
/// Characters of a record's body, so that writing it is more than one block.
const RECORD: usize = 7_000;

/// The last number of each kind that is there.
#[derive(Clone, Copy, Debug, Default)]
struct Done {
    comment: u64,
    list: u64,
    record: u64,
}

/// Runs the drill.
pub fn drill(kills: u32, seed: u64) -> Result<()> {
    let kiroku = Kiroku::build()?;
    let folder = tempfile::Builder::new().prefix("kiroku-writes-").tempdir()?;
    let space = folder.path().join("work/.kiroku/space.db");
    std::fs::create_dir_all(space.parent().unwrap_or(&space))?;
    let new = NewSpace { name: "drill".to_owned(), owner: "m1".to_owned(), owner_name: "m1".to_owned() };
    let workspace = Workspace::create(&space, &new, Arc::new(SystemClock))?;
    write_record(workspace.space(), |record| record.put_task(&task()))?;
    drop(workspace);

    let mut random = Random::new(seed);
    let (mut done, mut under_way, mut acknowledged) = (Done::default(), 0_u32, 0);
    for kill in 1..=kills {
        let before = done;
        let said = write_and_kill(&space, done, Duration::from_micros(random.below(60_000) as u64))?;
        match check(&kiroku, &space, said) {
            Ok(now) => done = now,
            Err(error) => return Err(kept(folder, &format!("kill {kill}: {error}"))),
        }
        acknowledged += (said.comment - before.comment) + (said.list - before.list) + (said.record - before.record);
        under_way += u32::from((done.comment, done.list, done.record) != (said.comment, said.list, said.record));
    }
    println!(
        "{kills} kills among {acknowledged} acknowledged writes of comments, lists and records, {under_way} of them \
         between a write and its acknowledgement: nothing was lost, nothing was half"
    );
    Ok(())
}

/// Starts the writer, lets it acknowledge at least one write, kills it a while later, and says what was acknowledged.
fn write_and_kill(space: &Path, from: Done, moment: Duration) -> Result<Done> {
    let mut child = Kill(
        Command::new(std::env::current_exe()?)
            .arg("scribble")
            .arg(space)
            .args([from.comment, from.list, from.record].map(|number| number.to_string()))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()?,
    );
    let out = child.0.stdout.take().ok_or("the writer has no standard output")?;
    let mut lines = BufReader::new(out).lines();
    let mut said = from;
    let mut hear = |line: std::io::Result<String>| -> Result<()> {
        let line = line?;
        match line.trim_end_matches(" .").split_once(' ') {
            Some(("comment", number)) => said.comment = number.parse()?,
            Some(("list", number)) => said.list = number.parse()?,
            Some(("record", number)) => said.record = number.parse()?,
            _ => return Err(format!("the writer said `{line}`").into()),
        }
        Ok(())
    };
    hear(lines.next().ok_or("the writer ended by itself")?)?;
    // A wait that hears nothing on purpose: what it writes meanwhile waits in the pipe, which a kill does not empty.
    std::thread::sleep(moment);
    if let Some(status) = child.0.try_wait()? {
        return Err(format!("the writer ended by itself with {status}").into());
    }
    drop(child);
    // The last line may be half: then it was not said.
    let rest: Vec<_> = lines.map_while(std::result::Result::ok).collect();
    rest.into_iter().filter(|line| line.ends_with('.')).try_for_each(|line| hear(Ok(line)))?;
    Ok(said)
}

/// What the writer does, until it is killed.
pub fn scribble(space: &Path, comment: u64, list: u64, record: u64) -> Result<()> {
    let data = data_dir(space)?;
    let workspace = Workspace::open(space, Arc::new(SystemClock))?.with_data_dir(Some(data));
    let mut out = std::io::stdout().lock();
    let mut say = |what: &str, number: u64| -> Result<()> {
        writeln!(out, "{what} {number} .")?;
        Ok(out.flush()?)
    };
    for nth in 1.. {
        write_record(workspace.space(), |record| record.put_comment(TASK, &new_comment(comment + nth)))?;
        say("comment", comment + nth)?;
        call(&workspace, "task_write", items(list + nth))?;
        say("list", list + nth)?;
        let content = record_text(record + nth);
        call(&workspace, "MemoryWrite", json!({"kind": "knowledge", "slug": "drill", "content": content}))?;
        say("record", record + nth)?;
    }
    Ok(())
}

/// What is there after a kill: at least what was acknowledged, at most one write more of each kind.
fn check(kiroku: &Kiroku, space: &Path, said: Done) -> Result<Done> {
    kiroku.run(space, &["doctor", "--json"])?;
    let workspace = Workspace::open(space, Arc::new(SystemClock))?.with_data_dir(Some(data_dir(space)?));
    let comment = comments(&workspace)?;
    within("comments", comment, said.comment)?;
    let checked = call(&workspace, "task_check", json!({}))?;
    let list = number_of(&checked["tasks"][0]["content"])?;
    within("lists", list, said.list)?;
    let found: Vec<&Value> = checked["tasks"].as_array().into_iter().flatten().map(|item| &item["content"]).collect();
    let wanted = items(list);
    let wanted: Vec<&Value> = wanted["tasks"].as_array().into_iter().flatten().map(|item| &item["content"]).collect();
    if list > 0 && found != wanted {
        return Err(format!("the list is half written: {found:?}").into());
    }
    let path = workspace.folder().join("knowledge/drill.md");
    let record = match std::fs::read_to_string(&path) {
        Ok(text) => {
            let number = number_of(&Value::from(text.lines().nth(2).unwrap_or_default()))?;
            if text != record_text(number) {
                return Err(format!("the record is half written: {} bytes", text.len()).into());
            }
            number
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => 0,
        Err(error) => return Err(error.into()),
    };
    within("records", record, said.record)?;
    Ok(Done { comment, list, record })
}

fn within(what: &str, there: u64, said: u64) -> Result<()> {
    if (said..=said + 1).contains(&there) {
        return Ok(());
    }
    Err(format!("{what}: {said} were acknowledged, {there} are there").into())
}

/// The comments, which must be 1, 2, 3 … with their whole text.
fn comments(workspace: &Workspace) -> Result<u64> {
    let (mut offset, mut last) = (0, 0);
    loop {
        let page = workspace.conversations().conversation(&member(), TASK, offset, 200)?;
        let page = page.body.ok_or("the conversation is not available")?;
        for comment in &page.comments {
            last += 1;
            if comment.body != new_comment(last).body {
                return Err(format!("comment {last} is `{}`", comment.body).into());
            }
        }
        match page.next_offset {
            Some(next) => offset = next,
            None => return Ok(last),
        }
    }
}

/// The number at the end of a text; 0 if there is no text.
fn number_of(text: &Value) -> Result<u64> {
    match text.as_str().and_then(|text| text.rsplit(' ').next()) {
        Some(number) => Ok(number.parse().map_err(|_| format!("no number ends `{text}`"))?),
        None => Ok(0),
    }
}

fn call(workspace: &Workspace, name: &str, input: Value) -> Result<Value> {
    let thread = Some(ThreadKey::of_task(TASK, "m1")?);
    let context = ToolContext { call: member(), thread, door: Door::Mcp };
    let answer = tool(name)?.call(workspace, &context, input)?;
    if answer.is_error {
        return Err(format!("{name}: {}", answer.text).into());
    }
    Ok(answer.value)
}

fn member() -> Call {
    Call { caller: Caller::member("m1"), ..Call::default() }
}

fn data_dir(space: &Path) -> Result<PathBuf> {
    Ok(space.ancestors().nth(3).ok_or("the space stands too high")?.join("data"))
}

fn items(number: u64) -> Value {
    let item = |name: &str| json!({"id": format!("task_{name}"), "content": format!("{name} 手順 {number}"), "status": "pending", "activeForm": name});
    json!({"tasks": [item("a"), item("b"), item("c")]})
}

fn record_text(number: u64) -> String {
    let line = format!("記録 {number}\n");
    let body = line.repeat(RECORD / line.chars().count());
    format!(
        "---\nkind: rule\ndescription: drill {number}\nmodel_invokation: true\nuser_invocable: true\nlast_sources:\n  \
         - session_id: drill\n    range: [1, 1]\ncreated_at: 2026-05-18T11:10:00Z\nupdated_at: 2026-05-18T11:10:00Z\n\
         ---\n\n{body}"
    )
}

fn task() -> NewTask {
    NewTask {
        uid: None,
        id: Some(TASK),
        source: None,
        title: "drill".to_owned(),
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

fn new_comment(number: u64) -> NewComment {
    NewComment {
        key: number.to_string(),
        author: Author::Agent,
        member: None,
        kind: Kind::Result,
        progress: None,
        tool: None,
        input: None,
        output: None,
        movement: None,
        body: format!("書き込み {number}"),
        created: Time(1_750_000_000_000).plus(number as i64),
        attachments: Vec::new(),
    }
}
