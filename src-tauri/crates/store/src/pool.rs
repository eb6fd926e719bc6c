//! An open space: one writer, a few readers, and the rules that hold on every connection.

use crate::changes::{self, Changed};
use crate::sqlite_error::DbResult;
use crate::{file, schema};
use kiroku_model::{Cancel, Clock, Error, ErrorCode, Result, Time, new_uid, text};
use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, OpenFlags, OptionalExtension, TransactionBehavior, params};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Readers that are open at once at most; a further one waits.
const READERS: usize = 4;
/// How long a writer waits for a writer of another process before it says that the space is busy.
const BUSY_TIMEOUT: Duration = Duration::from_secs(15);
/// The write-ahead log's size above which a writer empties it, in bytes. SQLite begins it anew by itself when no reader
/// needs it; among readers that always overlap there is no such moment.
const WAL_LIMIT: u64 = 32 << 20;
/// How long it then waits for the readers.
const WAL_PATIENCE: Duration = Duration::from_millis(20);
/// SQLite virtual-machine steps between two looks at the cancel token: some ten microseconds.
const STEPS_BETWEEN_CHECKS: i32 = 2000;

/// What an opened space needs from outside.
#[derive(Clone)]
pub struct Setup {
    /// Where "now" comes from.
    pub clock: Arc<dyn Clock>,
    /// Called on every new connection: engine 1 registers its tokenizer.
    pub on_connect: fn(&Connection) -> rusqlite::Result<()>,
}

/// What a new space is made of.
#[derive(Clone, Debug)]
pub struct NewSpace {
    /// The space's name.
    pub name: String,
    /// Id of the first member, who is its owner.
    pub owner: String,
    /// The owner's display name.
    pub owner_name: String,
}

/// What a space says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpaceInfo {
    /// Its uid, which it keeps for ever.
    pub uid: String,
    /// Its name.
    pub name: String,
    /// When it was made.
    pub created: Time,
}

/// An open space. Shared by reference between threads; readers run beside each other and beside the one writer.
pub struct SpaceFile {
    path: PathBuf,
    identity: (u64, u64),
    setup: Setup,
    writer: Mutex<Connection>,
    readers: Mutex<Readers>,
    reader_back: Condvar,
}

#[derive(Default)]
struct Readers {
    idle: Vec<Connection>,
    open: usize,
}

impl SpaceFile {
    /// Makes a new space at `path`, with its directory. An existing file is refused and left as it is.
    pub fn create(path: &Path, new: &NewSpace, setup: Setup) -> Result<SpaceFile> {
        let shown = path.display();
        if new.name.trim().is_empty() || new.owner.trim().is_empty() {
            return Err(Error::invalid(
                text!(en: "a space needs a name and an owner", ja: "スペースには名前とオーナーが必要です"),
            ));
        }
        if new.owner.trim().contains(char::is_whitespace) {
            return Err(crate::members::bad_id());
        }
        if let Some(dir) = path.parent().filter(|dir| !dir.as_os_str().is_empty()) {
            std::fs::create_dir_all(dir).map_err(|error| {
                Error::io(text!(en: "making the folder of {shown}", ja: "{shown} のフォルダーの作成"), &error)
            })?;
        }
        file::create_private(path).map_err(|error| match error.kind() {
            std::io::ErrorKind::AlreadyExists => Error::new(
                ErrorCode::Refused,
                text!(en: "there is already a file at {shown}; it was left as it is", ja: "{shown} にはすでにファイルがあります。触れていません"),
            ),
            _ => Error::io(text!(en: "making {shown}", ja: "{shown} の作成"), &error),
        })?;
        let made = fill_new(path, new, &setup);
        if let Err(error) = made {
            // It is ours, made a moment ago, and not yet a space: leave nothing half-made.
            for suffix in ["", "-wal", "-shm"] {
                let _ = std::fs::remove_file(file::beside(path, suffix));
            }
            return Err(error);
        }
        file::ignore_in_git(path);
        SpaceFile::open(path, setup)
    }

    /// Opens the space at `path` and brings its schema up to date, after a backup. Refuses what is no space, is newer
    /// than this build or is cut short, and then touches nothing.
    pub fn open(path: &Path, setup: Setup) -> Result<SpaceFile> {
        file::inspect(path)?;
        let mut writer = connect(path, &setup)?;
        let version: i32 = writer.pragma_query_value(None, "user_version", |row| row.get(0)).or_sql()?;
        file::check_version(version)?;
        if version < schema::SCHEMA_VERSION {
            crate::backup_now(path, setup.clock.now())?;
            schema::migrate(&mut writer, setup.clock.now())?;
        }
        let identity = file::identity(path)
            .map_err(|error| Error::io(text!(en: "opening the space", ja: "スペースを開けません"), &error))?;
        Ok(SpaceFile {
            path: path.to_owned(),
            identity,
            setup,
            writer: Mutex::new(writer),
            readers: Mutex::default(),
            reader_back: Condvar::new(),
        })
    }

    /// Where the file is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The clock that the space was opened with.
    pub fn clock(&self) -> Arc<dyn Clock> {
        Arc::clone(&self.setup.clock)
    }

    /// The time now, by the clock that the space was opened with.
    pub fn now(&self) -> Time {
        self.setup.clock.now()
    }

    /// What the space says of itself.
    pub fn info(&self) -> Result<SpaceInfo> {
        self.read(&Cancel::new(), |conn| {
            conn.query_row("SELECT uid, name, created FROM space", [], |row| {
                Ok(SpaceInfo { uid: row.get(0)?, name: row.get(1)?, created: Time(row.get(2)?) })
            })
            .or_sql()
        })
    }

    /// Runs `f` on a reader, inside one read transaction: it sees the space as it was at one moment. It is interrupted
    /// when `cancel` is used.
    pub fn read<T>(&self, cancel: &Cancel, f: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        self.check_in_place()?;
        cancel.check()?;
        let mut reader = self.borrow_reader()?;
        with_cancel(&mut reader, cancel, |conn| {
            let tx = conn.unchecked_transaction().or_sql()?;
            let value = f(&tx)?;
            tx.finish().or_sql()?;
            Ok(value)
        })
    }

    /// Runs `f` on the writer, inside one `BEGIN IMMEDIATE` transaction that is committed if `f` succeeds, together
    /// with the change feed's rows for what `f` said has changed. If `f` fails nothing is kept.
    pub fn write<T>(&self, f: impl FnOnce(&Tx<'_>) -> Result<T>) -> Result<T> {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        self.check_in_place()?;
        let value = {
            let tx = writer.transaction_with_behavior(TransactionBehavior::Immediate).or_sql()?;
            let tx = Tx { conn: tx, now: self.setup.clock.now(), changed: std::cell::RefCell::default() };
            let value = f(&tx)?;
            changes::record(&tx.conn, &tx.changed.borrow())?;
            tx.conn.commit().or_sql()?;
            value
        };
        self.bound_wal(&writer);
        Ok(value)
    }

    /// No failure of this is one of what was written; the next writer tries again.
    fn bound_wal(&self, writer: &Connection) {
        let wal = file::beside(&self.path, "-wal");
        if std::fs::metadata(wal).is_ok_and(|wal| wal.len() > WAL_LIMIT) {
            let _ = writer.busy_timeout(WAL_PATIENCE);
            let _ = writer.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
            let _ = writer.busy_timeout(BUSY_TIMEOUT);
        }
    }

    /// What SQLite wants done when nobody waits: statistics of tables that have changed much, from a sample of each.
    pub fn tend(&self) -> Result<()> {
        let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        self.check_in_place()?;
        // 0x10000: also of tables that this connection has not asked anything of.
        writer.execute_batch("PRAGMA optimize = 0x1fffe").or_sql()
    }

    /// Puts what the WAL holds into the file and empties it: after forgetting, so that nothing is left there.
    pub fn truncate_wal(&self) -> Result<()> {
        let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        writer.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).or_sql()
    }

    /// A number that changes when another connection (of this process or another) has written. Cheap; polled.
    pub fn data_version(&self) -> Result<DataVersion<'_>> {
        Ok(DataVersion(self.borrow_reader()?))
    }

    fn check_in_place(&self) -> Result<()> {
        if file::identity(&self.path).is_ok_and(|identity| identity == self.identity) {
            return Ok(());
        }
        let shown = self.path.display();
        Err(Error::new(
            ErrorCode::Damaged,
            text!(
                en: "the space file at {shown} was removed or replaced while it was open; nothing was written. Open the space again",
                ja: "開いている間に {shown} のスペースのファイルが削除されたか置き換えられました。何も書き込んでいません。スペースを開き直してください"
            ),
        ))
    }

    fn borrow_reader(&self) -> Result<Reader<'_>> {
        let mut readers = self.lock_readers();
        loop {
            if let Some(conn) = readers.idle.pop() {
                return Ok(Reader { conn: Some(conn), space: self });
            }
            if readers.open < READERS {
                readers.open += 1;
                drop(readers);
                let opened = connect(&self.path, &self.setup).and_then(|conn| {
                    conn.pragma_update(None, "query_only", true).or_sql()?;
                    Ok(conn)
                });
                return match opened {
                    Ok(conn) => Ok(Reader { conn: Some(conn), space: self }),
                    Err(error) => {
                        self.lock_readers().open -= 1;
                        Err(error)
                    }
                };
            }
            readers = self.reader_back.wait(readers).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn lock_readers(&self) -> MutexGuard<'_, Readers> {
        self.readers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A reader on loan; goes back to the pool when dropped.
struct Reader<'s> {
    conn: Option<Connection>,
    space: &'s SpaceFile,
}

impl Drop for Reader<'_> {
    fn drop(&mut self) {
        let mut readers = self.space.lock_readers();
        readers.idle.extend(self.conn.take());
        self.space.reader_back.notify_one();
    }
}

/// See [`SpaceFile::data_version`]. Holds one reader as long as it lives.
pub struct DataVersion<'s>(Reader<'s>);

impl DataVersion<'_> {
    /// The number now.
    pub fn get(&self) -> Result<i64> {
        let conn = self.0.conn.as_ref().ok_or_else(|| Error::internal("reader on loan twice"))?;
        conn.query_row("PRAGMA data_version", [], |row| row.get(0)).or_sql()
    }
}

/// A write transaction: a connection to write with, that also takes note of what has changed.
pub struct Tx<'c> {
    conn: rusqlite::Transaction<'c>,
    now: Time,
    changed: std::cell::RefCell<Vec<Changed>>,
}

impl Tx<'_> {
    /// The time of this transaction.
    pub fn now(&self) -> Time {
        self.now
    }

    /// Notes that something has changed, for the change feed; told of the same thing often, it keeps one row.
    pub fn changed(&self, change: Changed) {
        changes::merge(&mut self.changed.borrow_mut(), change);
    }
}

impl Deref for Tx<'_> {
    type Target = Connection;
    fn deref(&self) -> &Connection {
        &self.conn
    }
}

/// Gives the space another name.
pub fn rename_space(tx: &Tx<'_>, name: &str) -> Result<()> {
    if name.trim().is_empty() {
        return Err(Error::invalid(text!(en: "a space needs a name", ja: "スペースには名前が必要です")));
    }
    tx.execute("UPDATE space SET name = ?1", [name.trim()]).or_sql()?;
    tx.changed(Changed::whole("space"));
    Ok(())
}

/// What SQLite's own check finds wrong with the file, at most 20 lines, and how many references lead nowhere.
pub fn file_faults(conn: &Connection) -> Result<(Vec<String>, u64)> {
    let mut rows = conn.prepare("PRAGMA integrity_check(20)").or_sql()?;
    let mut faults: Vec<String> = rows.query_map([], |row| row.get(0)).and_then(Iterator::collect).or_sql()?;
    faults.retain(|fault| fault != "ok");
    let dangling: i64 =
        conn.query_row("SELECT count(*) FROM pragma_foreign_key_check", [], |row| row.get(0)).or_sql()?;
    Ok((faults, dangling as u64))
}

fn with_cancel<T>(reader: &mut Reader<'_>, cancel: &Cancel, f: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
    let conn = reader.conn.as_mut().ok_or_else(|| Error::internal("reader on loan twice"))?;
    let token = cancel.clone();
    conn.progress_handler(STEPS_BETWEEN_CHECKS, Some(move || token.is_cancelled())).or_sql()?;
    let value = f(conn);
    conn.progress_handler(0, None::<fn() -> bool>).or_sql()?;
    value
}

/// Opens a connection under the rules that hold for every ordinary one.
fn connect(path: &Path, setup: &Setup) -> Result<Connection> {
    let conn = connect_bare(path)?;
    conn.set_limit(Limit::SQLITE_LIMIT_ATTACHED, 0).or_sql()?;
    // Every connection reads the schema once here: a file that is no database fails now and not later.
    conn.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(())).optional().or_sql()?;
    (setup.on_connect)(&conn).or_sql()?;
    Ok(conn)
}

/// The rules that also hold for the maintenance connection, which may attach a file of our own.
pub(crate) fn connect_bare(path: &Path) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = Connection::open_with_flags(path, flags).or_sql()?;
    conn.busy_timeout(BUSY_TIMEOUT).or_sql()?;
    conn.set_prepared_statement_cache_capacity(64);
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true).or_sql()?;
    // A plan that does not look at bound values: else a statement on a partial index is prepared anew at each binding.
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).or_sql()?;
    conn.execute_batch(
        // FULL: what was acknowledged survives a power cut. The cache is small because the system has its own.
        "PRAGMA trusted_schema = OFF;
         PRAGMA foreign_keys = ON;
         PRAGMA synchronous = FULL;
         PRAGMA temp_store = MEMORY;
         PRAGMA cell_size_check = ON;
         PRAGMA cache_size = -16000;
         PRAGMA journal_size_limit = 67108864;",
    )
    .or_sql()?;
    Ok(conn)
}

fn fill_new(path: &Path, new: &NewSpace, setup: &Setup) -> Result<()> {
    let mut conn = connect_bare(path)?;
    // These three must stand before the first table is made.
    conn.pragma_update(None, "page_size", 4096).or_sql()?;
    conn.pragma_update(None, "auto_vacuum", "INCREMENTAL").or_sql()?;
    conn.pragma_update(None, "application_id", schema::APPLICATION_ID).or_sql()?;
    conn.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(())).or_sql()?;
    let now = setup.clock.now();
    schema::migrate(&mut conn, now)?;
    let tx = conn.transaction().or_sql()?;
    tx.execute(
        "INSERT INTO space (id, uid, name, created, generation) VALUES (1, ?1, ?2, ?3, ?4)",
        params![new_uid(), new.name.trim(), now.0, new_uid()],
    )
    .or_sql()?;
    tx.execute(
        "INSERT INTO member (id, name, role, created) VALUES (?1, ?2, 'owner', ?3)",
        params![new.owner.trim(), new.owner_name.trim(), now.0],
    )
    .or_sql()?;
    tx.commit().or_sql()?;
    // So that the header says what the file is, also to a program that does not read the WAL.
    conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())).or_sql()
}
