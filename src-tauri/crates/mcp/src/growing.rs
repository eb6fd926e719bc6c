//! The session that is growing in a folder now: how `--task auto` finds the conversation that it belongs to.

use kiroku_api::Workspace;
use kiroku_model::{Cancel, Ending, Error, RUNNING_FOR, Result, TaskId, TaskState, Time};
use std::path::Path;

/// The one session that works in `folder` and is growing now: it is running, and something was said in it within
/// [`RUNNING_FOR`]. `None` where there is none, or more than one: nothing tells whose call it is. Subtasks of a session
/// are no sessions of their own.
pub(crate) fn session_in(workspace: &Workspace, folder: &Path, cancel: &Cancel) -> Result<Option<TaskId>> {
    let now = workspace.now();
    // Agents write down the folder as they know it, which may be by way of a link.
    let real = std::fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    let names = [folder.display().to_string(), real.display().to_string()];
    let mut growing = workspace.space().read(cancel, |conn| {
        let rows = conn
            .prepare_cached(
                "SELECT id, state, ending, active FROM task
                 WHERE active > ?1 AND folder IN (?2, ?3) AND parent IS NULL",
            )
            .and_then(|mut rows| {
                let since = (now.0 - RUNNING_FOR).to_string();
                rows.query_map([since.as_str(), names[0].as_str(), names[1].as_str()], |row| {
                    let word = |text: Option<String>| text.unwrap_or_default();
                    Ok((row.get(0)?, word(row.get(1)?), word(row.get(2)?), row.get(3)?))
                })?
                .collect::<Result<Vec<(i64, String, String, i64)>, _>>()
            })
            .map_err(Error::internal)?;
        Ok(rows)
    })?;
    growing.retain(|(_, state, ending, active)| {
        let state = TaskState::from_word(state)
            .or_else(|| Ending::from_word(ending).map(|ending| ending.state(Time(*active), now)));
        state == Some(TaskState::Running)
    });
    Ok(match growing.as_slice() {
        [(id, ..)] => Some(TaskId(*id)),
        _ => None,
    })
}
