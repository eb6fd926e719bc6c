//! The members of a space and their roles. Roles guard against mistakes, not against who can read the file.

use crate::changes::Changed;
use crate::pool::Tx;
use crate::sqlite_error::DbResult;
use kiroku_model::{Caller, Error, ErrorCode, Result, Role, text};
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::Serialize;

/// A member of the space.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, specta::Type)]
pub struct Member {
    /// The id by which calls name the member.
    pub id: String,
    /// The name that is shown.
    pub name: String,
    /// The role.
    pub role: Role,
}

fn read(row: &Row<'_>) -> rusqlite::Result<Member> {
    let role: String = row.get(2)?;
    let role = if role == Role::Owner.as_str() { Role::Owner } else { Role::Member };
    Ok(Member { id: row.get(0)?, name: row.get(1)?, role })
}

/// All members, owners first, then by id.
pub fn members(conn: &Connection) -> Result<Vec<Member>> {
    let mut rows = conn.prepare_cached("SELECT id, name, role FROM member ORDER BY role = 'member', id").or_sql()?;
    rows.query_map([], read).and_then(Iterator::collect).or_sql()
}

/// The member with this id, if there is one.
pub fn member(conn: &Connection, id: &str) -> Result<Option<Member>> {
    conn.prepare_cached("SELECT id, name, role FROM member WHERE id = ?1")
        .and_then(|mut row| row.query_row([id], read).optional())
        .or_sql()
}

/// The first owner: whom the human commands act as when they are not told.
pub fn owner(conn: &Connection) -> Result<Member> {
    conn.query_row("SELECT id, name, role FROM member WHERE role = 'owner' ORDER BY created, id LIMIT 1", [], read)
        .or_sql()
}

/// An error unless the caller is an owner.
pub fn require_owner(conn: &Connection, caller: &Caller) -> Result<()> {
    let known = caller.member.as_deref().map(|id| member(conn, id)).transpose()?.flatten();
    if known.is_some_and(|member| member.role == Role::Owner) {
        return Ok(());
    }
    Err(Error::new(
        ErrorCode::Refused,
        text!(en: "only an owner of the space can do this", ja: "この操作はスペースのオーナーだけができます"),
    ))
}

/// Adds a member. An id that is there is refused unless `keep_present`, which leaves that member as it is.
pub fn add_member(tx: &Tx<'_>, new: &Member, keep_present: bool) -> Result<()> {
    let Member { id, name, role } = new;
    if id.trim().is_empty() || id.contains(char::is_whitespace) {
        return Err(bad_id());
    }
    let added = tx
        .execute(
            "INSERT INTO member (id, name, role, created) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING",
            params![id, name, role.as_str(), tx.now().0],
        )
        .or_sql()?;
    if added == 0 && !keep_present {
        return Err(Error::new(
            ErrorCode::Refused,
            text!(en: "there is already a member `{id}`", ja: "メンバー「{id}」はすでにいます"),
        ));
    }
    if added > 0 {
        tx.changed(Changed::whole("member"));
    }
    Ok(())
}

/// Says what a member's id may be.
pub(crate) fn bad_id() -> Error {
    Error::invalid(text!(
        en: "a member's id must not be empty or hold white space",
        ja: "メンバーの ID は空にできず、空白を含められません"
    ))
}

/// Removes a member; what the member wrote stays. The last owner can't be removed.
pub fn remove_member(tx: &Tx<'_>, id: &str) -> Result<()> {
    let Some(leaving) = member(tx, id)? else {
        return Err(Error::not_found(text!(en: "there is no member `{id}`", ja: "メンバー「{id}」はいません")));
    };
    let owners: i64 =
        tx.query_row("SELECT count(*) FROM member WHERE role = 'owner'", [], |row| row.get(0)).or_sql()?;
    if leaving.role == Role::Owner && owners == 1 {
        return Err(Error::new(
            ErrorCode::Refused,
            text!(
                en: "`{id}` is the only owner; make another member an owner first",
                ja: "「{id}」はただ一人のオーナーです。先に別のメンバーをオーナーにしてください"
            ),
        ));
    }
    tx.execute("DELETE FROM member WHERE id = ?1", [id]).or_sql()?;
    tx.changed(Changed::whole("member"));
    Ok(())
}
