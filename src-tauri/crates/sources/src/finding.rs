//! Finding session files of any format, cheaply: only the head of each file is read.

use crate::json::readable;
use crate::lines::{Line, Lines, open_regular};
use crate::{Found, SessionFile, Skipped};
use kiroku_model::{Cancel, Error, Result, Time, text};
use std::path::{Path, PathBuf};

/// How deep below the given directory sessions are looked for: `DIR/SESSION/subagents/workflows/RUN/agent-ID.jsonl`.
const DEPTH: usize = 8;
/// How much of a file is looked at: lines, and bytes.
const HEAD_LINES: u64 = 200;
const HEAD_BYTES: u64 = 1 << 20;

/// What a file's head says.
#[derive(Default)]
pub struct Head {
    pub folder: Option<PathBuf>,
    pub first: Option<Time>,
    /// Whether a line is one of an agent's session.
    pub session: bool,
    /// Whether there is a whole line.
    pub lines: bool,
}

/// What tells one format's files.
pub struct Format {
    /// The agent's name for people.
    pub agent: &'static str,
    /// Whether a file in a directory is to be looked at.
    pub named: fn(&Path) -> bool,
    /// Adds to the head what a line says.
    pub line: fn(&mut Head, &str),
    /// What is known of a file that is one of the agent's, and not read line by line.
    pub whole: fn(&Path) -> Option<Head>,
}

/// Every session file at or below `path`. Links to files are followed, links to directories only if `path` itself is one, so
/// that there are no loops. A file whose head holds no line of a session is told as skipped; one without a whole
/// line yet is kept, since its first line may just be written.
pub fn find(path: &Path, format: &Format, cancel: &Cancel) -> Result<Found> {
    let (mut found, agent) = (Found::default(), format.agent);
    let name = path.display();
    let metadata = std::fs::metadata(path).map_err(|error| {
        Error::io(text!(en: "looking for sessions in {name}", ja: "{name} でのセッションの検索"), &error)
    })?;
    let mut files = Vec::new();
    if metadata.is_dir() {
        walk(path, 0, format.named, cancel, &mut files, &mut found.skipped)?;
    } else {
        files.push(path.to_owned());
    }
    let mut sessions = Vec::new();
    for path in files {
        cancel.check()?;
        match look(&path, format) {
            Ok((head, bytes)) if head.session || !head.lines => {
                let order = (head.first.unwrap_or(Time::MAX), path.components().count());
                sessions.push((order, SessionFile { path, folder: head.folder, bytes }));
            }
            Ok(_) => found.skipped.push(Skipped {
                path,
                line: None,
                why: text!(en: "no session of {agent}", ja: "{agent} のセッションではありません"),
            }),
            Err(error) => found.skipped.push(Skipped { path, line: None, why: error.message().clone() }),
        }
    }
    // A session before its subagents, when both begin at once.
    sessions.sort_by(|(a, file), (b, other)| a.cmp(b).then_with(|| file.path.cmp(&other.path)));
    found.files = sessions.into_iter().map(|(_, file)| file).collect();
    found.skipped.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}

/// Every file at or below `path` whose name may be a session's, in no order; what can't be looked at is left out.
pub fn files(path: &Path, format: &Format, cancel: &Cancel) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    if path.is_dir() {
        walk(path, 0, format.named, cancel, &mut files, &mut Vec::new())?;
    } else if path.is_file() && (format.named)(path) {
        files.push(path.to_owned());
    }
    Ok(files)
}

fn walk(
    dir: &Path,
    depth: usize,
    named: fn(&Path) -> bool,
    cancel: &Cancel,
    files: &mut Vec<PathBuf>,
    skipped: &mut Vec<Skipped>,
) -> Result<()> {
    cancel.check()?;
    let entries = match std::fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(error) => {
            skipped.push(Skipped {
                path: dir.to_owned(),
                line: None,
                why: text!(en: "this directory can't be read: {error}", ja: "このフォルダは読めません: {error}"),
            });
            return Ok(());
        }
    };
    for entry in entries.flatten() {
        let path = entry.path();
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() {
            if depth < DEPTH {
                walk(&path, depth + 1, named, cancel, files, skipped)?;
            }
        } else if named(&path) {
            files.push(path);
        } else if kind.is_symlink() && path.is_dir() {
            skipped.push(Skipped {
                path,
                line: None,
                why: text!(
                    en: "a link to a directory is not followed; name the directory itself",
                    ja: "フォルダへのリンクはたどりません。元のフォルダを指定してください"
                ),
            });
        }
    }
    Ok(())
}

/// Looks at a file's head, and its size.
fn look(path: &Path, format: &Format) -> Result<(Head, u64)> {
    let (_, metadata) = open_regular(path)?;
    let head = match (format.whole)(path) {
        Some(head) => head,
        None => head(path, format)?,
    };
    Ok((head, metadata.len()))
}

/// What the first lines of a file say.
pub fn head(path: &Path, format: &Format) -> Result<Head> {
    let mut lines = Lines::open_with_limit(path, None, HEAD_BYTES as usize)?;
    let mut head = Head::default();
    while lines.number() < HEAD_LINES
        && lines.offset() < HEAD_BYTES
        && (head.folder.is_none() || head.first.is_none() || !head.session)
        && let Some(line) = lines.next()?
    {
        head.lines = true;
        match line {
            Line::Bytes(line) => (format.line)(&mut head, &readable(line)),
            // Too long to look at, so it may well be one.
            Line::TooLong(_) => head.session = true,
        }
    }
    Ok(head)
}
