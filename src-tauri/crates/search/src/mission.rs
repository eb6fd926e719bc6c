//! MissionUpdate and MissionRead: the lasting facts of a task, pinned at its head.

use crate::conversation::{place_of, task_name};
use crate::types::{Mission, Pin};
use kiroku_model::{CommentId, Error, PinList, Result, TaskId, Time, new_uid, text};
use kiroku_store::{Changed, DbResult, Tx};
use rusqlite::{Connection, OptionalExtension, params};

/// A fact to be pinned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewPin {
    /// In which list.
    pub list: PinList,
    /// The fact.
    pub text: String,
    /// The comment that says so.
    pub comment: Option<CommentId>,
    /// Its uid and time, where it comes with them.
    pub imported: Option<(String, Time)>,
}

/// All pins of a task.
pub(crate) fn read(conn: &Connection, task: TaskId) -> Result<Mission> {
    task_name(conn, task)?;
    let mut mission = Mission { user_constraints: Vec::new(), decisions: Vec::new() };
    let mut rows =
        conn.prepare_cached("SELECT list, id, text, comment, created FROM pin WHERE task = ?1 ORDER BY id").or_sql()?;
    let pins: Vec<(String, Pin)> = rows
        .query_map([task.0], |row| {
            let comment: Option<i64> = row.get(3)?;
            let pin = Pin {
                id: row.get(1)?,
                text: row.get(2)?,
                reference: comment.map(|id| CommentId(id).to_string()),
                created: Time(row.get(4)?),
            };
            Ok((row.get(0)?, pin))
        })
        .and_then(Iterator::collect)
        .or_sql()?;
    for (list, pin) in pins {
        if list == PinList::Decisions.as_str() {
            mission.decisions.push(pin)
        } else {
            mission.user_constraints.push(pin)
        }
    }
    Ok(mission)
}

/// Pins and removes facts of a task; a text that its list already holds is not pinned again. A pin that is not the
/// task's, or a ref that is not the space's, is an error, and then nothing is changed. Answers how many are new.
pub fn update_mission(tx: &Tx<'_>, task: TaskId, add: &[NewPin], remove: &[i64], member: Option<&str>) -> Result<u64> {
    task_name(tx, task)?;
    let mut new = 0;
    for id in remove {
        let removed = tx.execute("DELETE FROM pin WHERE id = ?1 AND task = ?2", params![id, task.0]).or_sql()?;
        if removed == 0 {
            return Err(Error::not_found(text!(
                en: "{task} has no pin {id}; nothing was changed",
                ja: "{task} にピン {id} はありません。何も変更していません"
            )));
        }
        tx.changed(Changed::row("pin", task, *id));
    }
    for pin in add {
        if pin.text.trim().is_empty() {
            return Err(Error::invalid(text!(
                en: "a pin needs a text; nothing was changed",
                ja: "ピンには文が必要です。何も変更していません"
            )));
        }
        if let Some(comment) = pin.comment {
            place_of(tx, comment)?;
        }
        let (uid, created) = pin.imported.clone().unwrap_or_else(|| (new_uid(), tx.now()));
        let known: Option<i64> = tx
            .query_row(
                "SELECT id FROM pin WHERE (task = ?1 AND list = ?2 AND text = ?3) OR uid = ?4",
                params![task.0, pin.list.as_str(), pin.text, uid],
                |row| row.get(0),
            )
            .optional()
            .or_sql()?;
        if known.is_some() {
            continue;
        }
        tx.execute(
            "INSERT INTO pin (uid, task, list, text, comment, member, created) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            params![uid, task.0, pin.list.as_str(), pin.text, pin.comment.map(|id| id.0), member, created.0],
        )
        .or_sql()?;
        tx.changed(Changed::row("pin", task, tx.last_insert_rowid()));
        new += 1;
    }
    Ok(new)
}
