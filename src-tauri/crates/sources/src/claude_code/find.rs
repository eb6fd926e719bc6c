//! Finding session files, and what their names, their heads and the files beside them say.

use super::{Origin, parse};
use crate::lines::{Line, Lines, open_regular};
use crate::{Found, SessionFile, Skipped};
use kiroku_model::{Cancel, Error, Result, Time, text};
use std::io::Read;
use std::path::{Path, PathBuf};

/// How deep below the given directory sessions are looked for: `DIR/SESSION/subagents/workflows/RUN/agent-ID.jsonl`.
const DEPTH: usize = 8;
/// How much of a file is looked at: lines, and bytes.
const HEAD_LINES: u64 = 200;
const HEAD_BYTES: u64 = 1 << 20;
/// The largest `agent-ID.meta.json` that is read, in bytes.
const META_BYTES: u64 = 1 << 20;

/// What a file's head says.
#[derive(Default)]
struct Head {
    folder: Option<PathBuf>,
    first: Option<Time>,
    /// Whether a line is one of an agent's session.
    session: bool,
    /// Whether there is a whole line.
    lines: bool,
}

/// Every session file at or below `path`. Links to files are followed, links to directories only if `path` itself is one, so
/// that there are no loops. A file whose head holds no line of a session is told as skipped; one without a whole
/// line yet is kept, since its first line may just be written.
pub fn find(path: &Path, cancel: &Cancel) -> Result<Found> {
    let mut found = Found::default();
    let name = path.display();
    let metadata = std::fs::metadata(path).map_err(|error| {
        Error::io(
            text!(en: "looking for sessions in {name}", ja: "{name} でのセッションの検索"),
            &error,
        )
    })?;
    let mut files = Vec::new();
    if metadata.is_dir() {
        walk(path, 0, cancel, &mut files, &mut found.skipped)?;
    } else {
        files.push(path.to_owned());
    }
    let mut sessions = Vec::new();
    for path in files {
        cancel.check()?;
        match look(&path) {
            Ok((head, bytes)) if head.session || !head.lines => {
                let order = (head.first.unwrap_or(Time::MAX), path.components().count());
                sessions.push((
                    order,
                    SessionFile {
                        path,
                        folder: head.folder,
                        bytes,
                    },
                ));
            }
            Ok(_) => found.skipped.push(Skipped {
                path,
                line: None,
                why: text!(en: "no session of Claude Code", ja: "Claude Code のセッションではありません"),
            }),
            Err(error) => found.skipped.push(Skipped {
                path,
                line: None,
                why: error.message().clone(),
            }),
        }
    }
    // A session before its subagents, when both begin at once.
    sessions.sort_by(|(a, file), (b, other)| a.cmp(b).then_with(|| file.path.cmp(&other.path)));
    found.files = sessions.into_iter().map(|(_, file)| file).collect();
    found.skipped.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}

fn walk(dir: &Path, depth: usize, cancel: &Cancel, files: &mut Vec<PathBuf>, skipped: &mut Vec<Skipped>) -> Result<()> {
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
        let jsonl = path.extension().is_some_and(|ending| ending == "jsonl");
        if kind.is_dir() {
            if depth < DEPTH {
                walk(&path, depth + 1, cancel, files, skipped)?;
            }
        } else if jsonl && !internal(&path) {
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

/// Whether it is a workflow's journal, or what the program asked the model for itself: to sum up a whole session, or to
/// guess the next prompt. Nobody wrote or reads those.
fn internal(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with("agent-acompact-")
        || name.starts_with("agent-aprompt_suggestion-")
        || (name == "journal.jsonl" && path.components().any(|part| part.as_os_str() == "workflows"))
}

/// Looks at a file's head, and its size.
fn look(path: &Path) -> Result<(Head, u64)> {
    let (file, metadata) = open_regular(path)?;
    drop(file);
    Ok((head(path)?, metadata.len()))
}

fn head(path: &Path) -> Result<Head> {
    let mut lines = Lines::open_with_limit(path, None, HEAD_BYTES as usize)?;
    let mut head = Head::default();
    while lines.number() < HEAD_LINES
        && lines.offset() < HEAD_BYTES
        && (head.folder.is_none() || head.first.is_none() || !head.session)
        && let Some(line) = lines.next()?
    {
        head.lines = true;
        let Line::Bytes(line) = line else {
            // Too long to look at, so it may well be one.
            head.session = true;
            continue;
        };
        let line = crate::json::readable(line);
        let Ok(entry) = parse(&line) else { continue };
        let named = entry.session_id.id().is_some() || entry.leaf_uuid.id().is_some() || entry.uuid.id().is_some();
        head.session |= entry
            .kind
            .get()
            .is_some_and(|kind| named || kind == "file-history-snapshot");
        head.folder = head.folder.or_else(|| entry.cwd.id().map(PathBuf::from));
        head.first = head
            .first
            .or_else(|| entry.timestamp.get().and_then(|stamp| Time::parse(stamp).ok()));
    }
    Ok(head)
}

/// What is known of the session in `path` from outside its lines.
pub fn origin(path: &Path) -> Origin {
    let stem = path
        .file_stem()
        .map(|stem| stem.to_string_lossy().into_owned())
        .unwrap_or_default();
    let agent = stem
        .strip_prefix("agent-")
        .filter(|agent| !agent.is_empty())
        .map(str::to_owned);
    let above = path
        .ancestors()
        .find(|above| above.file_name().is_some_and(|name| name == "subagents"));
    let session = above
        .and_then(|above| above.parent()?.file_name())
        .map(|name| name.to_string_lossy().into_owned());
    Origin {
        session: session.filter(|_| agent.is_some()).unwrap_or(stem),
        title: agent
            .as_ref()
            .and_then(|_| described(&path.with_extension("meta.json"))),
        agent,
        first: head(path).ok().and_then(|head| head.first),
        path: path.to_owned(),
    }
}

/// The `description` in a subagent's `agent-ID.meta.json`.
fn described(path: &Path) -> Option<String> {
    let (file, _) = open_regular(path).ok()?;
    let mut text = String::new();
    file.take(META_BYTES).read_to_string(&mut text).ok()?;
    let meta: super::wire::Details<'_> = serde_json::from_str(&text).ok()?;
    meta.description.get().map(str::to_owned)
}
