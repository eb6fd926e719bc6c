//! The space file: one SQLite file that holds one space, chosen by the person.
//!
//! This crate is the only one that opens SQLite. It owns the file's life (making, opening, refusing, backups, restore),
//! the tables of the truth and their migrations, the pool of connections, and the change feed. What the rows mean is
//! the engines' business: they get a [`rusqlite::Connection`] to read with, or a [`Tx`] to write with.
//!
//! Tables whose names begin with `index_` are derived from the others: engine 1 makes them, backups leave them out, and
//! they can always be rebuilt.

mod backup;
mod changes;
mod file;
mod import_state;
mod location;
mod members;
mod pool;
mod schema;
mod sqlite_error;
mod usage;

pub use backup::{Backup, backup_now, daily_backup, list_backups, restore};
pub use changes::{Change, Changed, Feed, FeedPosition};
pub use import_state::{
    Tombstone, add_tombstone, add_tombstone_at, cursor, has_other_file, has_tombstone, is_forgotten, owe_list,
    owed_lists, paid_list, set_cursor, set_setting, setting, tombstones,
};
pub use location::{Risk, location_risk};
pub use members::{Member, add_member, member, members, owner, remove_member, require_owner};
pub use pool::{NewSpace, Setup, SpaceFile, SpaceInfo, Tx, file_faults, rename_space};
pub use rusqlite::Connection;
pub use schema::SCHEMA_VERSION;
pub use sqlite_error::{DbResult, sql};
pub use usage::{count_use, uses};
