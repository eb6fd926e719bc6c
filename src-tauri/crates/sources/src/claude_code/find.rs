//! What names, heads and files beside them say of Claude Code's session files.

use super::{Origin, parse, todos};
use crate::finding::{Format, Head, head};
use crate::lines::open_regular;
use kiroku_model::Time;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The largest `agent-ID.meta.json` that is read, in bytes.
const META_BYTES: u64 = 1 << 20;

/// How its files are told.
pub const FORMAT: Format = Format { agent: "Claude Code", named, line, whole: todos::look };

fn named(path: &Path) -> bool {
    (path.extension().is_some_and(|ending| ending == "jsonl") && !internal(path)) || todos::is_todos(path)
}

fn line(head: &mut Head, line: &str) {
    let Ok(entry) = parse(line) else { return };
    let named = entry.session_id.id().is_some() || entry.leaf_uuid.id().is_some() || entry.uuid.id().is_some();
    head.session |= entry.kind.get().is_some_and(|kind| named || kind == "file-history-snapshot");
    head.folder = head.folder.take().or_else(|| entry.cwd.id().map(PathBuf::from));
    head.first = head.first.or_else(|| entry.timestamp.get().and_then(|stamp| Time::parse(stamp).ok()));
}

/// Whether it is a workflow's journal, or what the program asked the model for itself: to sum up a whole session, or to
/// guess the next prompt. Nobody wrote or reads those.
fn internal(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with("agent-acompact-")
        || name.starts_with("agent-aprompt_suggestion-")
        || (name == "journal.jsonl" && path.components().any(|part| part.as_os_str() == "workflows"))
}

/// What is known of the session in `path` from outside its lines.
pub fn origin(path: &Path) -> Origin {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let agent = stem.strip_prefix("agent-").filter(|agent| !agent.is_empty()).map(str::to_owned);
    let above = path.ancestors().find(|above| above.file_name().is_some_and(|name| name == "subagents"));
    let session = above.and_then(|above| above.parent()?.file_name()).map(|name| name.to_string_lossy().into_owned());
    Origin {
        session: session.filter(|_| agent.is_some()).unwrap_or(stem),
        title: agent.as_ref().and_then(|_| described(&path.with_extension("meta.json"))),
        agent,
        first: head(path, &FORMAT).ok().and_then(|head| head.first),
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
