//! The tables of the truth, as a list of migrations. A migration and its record are one transaction; what has been
//! released never changes here, a change is a new entry at the end.

use crate::sqlite_error::DbResult;
use kiroku_model::{Result, Time};
use rusqlite::{Connection, TransactionBehavior, params};

/// Marks a SQLite file as a space (`PRAGMA application_id`; the letters `KIRK`).
pub(crate) const APPLICATION_ID: i32 = 0x4b49_524b;

/// The newest schema that this build knows (`PRAGMA user_version`).
pub const SCHEMA_VERSION: i32 = MIGRATIONS.len() as i32;

/// Times are milliseconds UTC, words are those of the wire, uids are UUIDs.
const MIGRATIONS: &[&str] = &[r"
CREATE TABLE migration (version INTEGER PRIMARY KEY, at INTEGER NOT NULL, program TEXT NOT NULL) STRICT;

-- `generation` changes when the file is replaced by a backup, so that readers of the change feed begin anew.
CREATE TABLE space (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  uid TEXT NOT NULL, name TEXT NOT NULL, created INTEGER NOT NULL, generation TEXT NOT NULL
) STRICT;

CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE member (
  id TEXT PRIMARY KEY CHECK (id <> ''), name TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('owner', 'member')), created INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- A task has a stated `state`, or an `ending` from which its state follows on reading, or both (the stated one wins).
-- `awaits` is the source's key of the parent, while that is not here yet.
-- `active` is the later of `updated` and the newest comment's time: the order of the task list.
CREATE TABLE task (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uid TEXT NOT NULL UNIQUE,
  title TEXT NOT NULL DEFAULT '', piece TEXT NOT NULL DEFAULT '',
  state TEXT, ending TEXT, folder TEXT,
  owner TEXT, parent INTEGER REFERENCES task (id) ON DELETE SET NULL,
  source TEXT, source_key TEXT, awaits TEXT,
  created INTEGER NOT NULL, updated INTEGER NOT NULL, active INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX task_source ON task (source, source_key) WHERE source IS NOT NULL;
CREATE INDEX task_active ON task (active DESC, id DESC);
CREATE INDEX task_parent ON task (parent) WHERE parent IS NOT NULL;
CREATE INDEX task_awaits ON task (source, awaits) WHERE awaits IS NOT NULL;

-- `seq` is the order within the task, the source's own. `key` is the source's key for the comment.
-- A withdrawn comment is gone from its source and kept because something refers to it.
CREATE TABLE comment (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  task INTEGER NOT NULL REFERENCES task (id) ON DELETE CASCADE,
  seq INTEGER NOT NULL, key TEXT NOT NULL,
  author TEXT NOT NULL CHECK (author IN ('user', 'agent')), member TEXT,
  kind TEXT NOT NULL, progress TEXT, tool TEXT, movement TEXT,
  created INTEGER NOT NULL, withdrawn INTEGER NOT NULL DEFAULT 0 CHECK (withdrawn IN (0, 1)),
  body TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX comment_seq ON comment (task, seq);
CREATE UNIQUE INDEX comment_key ON comment (key, task);
CREATE INDEX comment_created ON comment (created);

-- What a tool was given and gave back; `*_bytes` is the whole size, more than the text's if it was cut.
CREATE TABLE tool_data (
  comment INTEGER PRIMARY KEY REFERENCES comment (id) ON DELETE CASCADE,
  input TEXT, input_bytes INTEGER, output TEXT, output_bytes INTEGER
) STRICT;

CREATE TABLE attachment (
  comment INTEGER NOT NULL REFERENCES comment (id) ON DELETE CASCADE, position INTEGER NOT NULL,
  name TEXT NOT NULL, bytes INTEGER, media_type TEXT,
  PRIMARY KEY (comment, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE pin (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  uid TEXT NOT NULL UNIQUE,
  task INTEGER NOT NULL REFERENCES task (id) ON DELETE CASCADE,
  list TEXT NOT NULL CHECK (list IN ('user_constraints', 'decisions')),
  text TEXT NOT NULL, comment INTEGER REFERENCES comment (id) ON DELETE SET NULL,
  member TEXT, created INTEGER NOT NULL
) STRICT;
CREATE INDEX pin_task ON pin (task, id);
CREATE INDEX pin_comment ON pin (comment) WHERE comment IS NOT NULL;

-- Where an importer stopped reading a file.
CREATE TABLE cursor (
  source TEXT NOT NULL, path TEXT NOT NULL, value TEXT NOT NULL, at INTEGER NOT NULL,
  PRIMARY KEY (source, path)
) STRICT, WITHOUT ROWID;

-- What was forgotten and must not be imported again; an empty `comment` stands for the whole task.
CREATE TABLE tombstone (
  source TEXT NOT NULL, task TEXT NOT NULL, comment TEXT NOT NULL DEFAULT '', at INTEGER NOT NULL,
  PRIMARY KEY (source, task, comment)
) STRICT, WITHOUT ROWID;

-- A thread's task list; `resource` is the agent or person that the thread belongs to, `version` grows with each
-- accepted write.
CREATE TABLE list (
  thread TEXT PRIMARY KEY, resource TEXT NOT NULL, version INTEGER NOT NULL, updated INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE list_item (
  thread TEXT NOT NULL REFERENCES list (thread) ON DELETE CASCADE, position INTEGER NOT NULL,
  id TEXT NOT NULL, content TEXT NOT NULL, status TEXT NOT NULL CHECK (status IN ('pending', 'in_progress', 'completed')),
  active_form TEXT NOT NULL,
  PRIMARY KEY (thread, position)
) STRICT, WITHOUT ROWID;
-- `before` and `after` are the whole list as JSON; `door` is the way the write came (a tool, the app, an import, a
-- restore), `comment` the tool call that made it, where it is known.
CREATE TABLE list_history (
  id INTEGER PRIMARY KEY AUTOINCREMENT, uid TEXT NOT NULL UNIQUE,
  thread TEXT NOT NULL, resource TEXT NOT NULL, version INTEGER NOT NULL,
  at INTEGER NOT NULL, by TEXT NOT NULL, door TEXT NOT NULL, comment INTEGER REFERENCES comment (id) ON DELETE SET NULL,
  before TEXT NOT NULL, after TEXT NOT NULL
) STRICT;
CREATE INDEX list_history_thread ON list_history (thread, id);
CREATE INDEX list_history_comment ON list_history (comment) WHERE comment IS NOT NULL;
CREATE TABLE list_note (
  id INTEGER PRIMARY KEY AUTOINCREMENT, uid TEXT NOT NULL UNIQUE,
  thread TEXT NOT NULL, item TEXT NOT NULL, text TEXT NOT NULL, by TEXT NOT NULL, at INTEGER NOT NULL
) STRICT;
CREATE INDEX list_note_thread ON list_note (thread, id);
CREATE TABLE list_review (
  thread TEXT NOT NULL, item TEXT NOT NULL, by TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (thread, item)
) STRICT, WITHOUT ROWID;

-- Tasks whose conversation has calls of list tools that were not brought into its list yet; `whole`: look through all.
CREATE TABLE list_owed (
  task INTEGER PRIMARY KEY REFERENCES task (id) ON DELETE CASCADE, whole INTEGER NOT NULL CHECK (whole IN (0, 1))
) STRICT;

-- How often a record was read by a tool (engine 2's usage events).
CREATE TABLE record_usage (
  kind TEXT NOT NULL, slug TEXT NOT NULL, count INTEGER NOT NULL, last INTEGER NOT NULL,
  PRIMARY KEY (kind, slug)
) STRICT, WITHOUT ROWID;

-- One row a transaction and task: what to read again.
CREATE TABLE change (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, entity TEXT NOT NULL, task INTEGER, first_id INTEGER, last_id INTEGER
) STRICT;
"];

/// Brings the file to [`SCHEMA_VERSION`], a migration a transaction.
pub(crate) fn migrate(conn: &mut Connection, now: Time) -> Result<()> {
    loop {
        let tx = conn.transaction_with_behavior(TransactionBehavior::Immediate).or_sql()?;
        // Read inside the transaction: another process may have migrated while this one waited.
        let version: i32 = tx.pragma_query_value(None, "user_version", |row| row.get(0)).or_sql()?;
        let Some(sql) = usize::try_from(version).ok().and_then(|version| MIGRATIONS.get(version)) else {
            return Ok(());
        };
        tx.execute_batch(sql).or_sql()?;
        tx.execute(
            "INSERT INTO migration (version, at, program) VALUES (?1, ?2, ?3)",
            params![version + 1, now.0, env!("CARGO_PKG_VERSION")],
        )
        .or_sql()?;
        tx.pragma_update(None, "user_version", version + 1).or_sql()?;
        tx.commit().or_sql()?;
    }
}
