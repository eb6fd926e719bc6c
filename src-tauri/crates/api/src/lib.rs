//! The façade: what can be done with a space, each use case once. The desktop app's commands, the MCP tools and the
//! command line are thin callers of what is here, so that all three doors give the same answers.
//!
//! What joins two engines lives here as well: importing (readers of sessions and engine 1), the exchange format, doctor.

mod board;
mod doctor;
mod editing;
mod exchange;
mod found;
mod import;
mod memory;
mod results;
mod set_up;
pub mod tools;
mod transcript;
mod watch;

pub use board::{BoardItem, BoardPage, BoardThread, ThreadList, ThreadTask};
pub use doctor::{Finding, Health};
pub use editing::{
    FollowedRecord, KeptRecord, LineChange, MissingField, NewDraft, NewRecord, QuickFix, RecordAround, RecordDraft,
    RecordExcerpt, RecordField, RecordFields, RecordFinding, RecordHits, RecordList, RecordRow, RecordText,
    RecordsFound, RenamePreview, RenamedRecord, SaveResult, SearchTrouble, SourceFound, StrayFile, TextEdit, Theirs,
    Uses,
};
pub use exchange::{ExchangeReport, ExportOptions};
pub use found::{Exclusion, Exclusions, FoundSessions, is_exchange, open_input, sessions_at, sessions_in};
pub use import::{ImportOptions, ImportProgress, ImportReport, source_named, sources};
pub use kiroku_memory as records;
pub use kiroku_search::{
    Counts, Forget, Forgotten, FoundInTask, NewPin, TaskDetails, TaskPage, TaskQuery, TaskRow, TaskSort, ToolCall,
    agent_text, types,
};
pub use kiroku_sources::{Environment, SessionFile, Skipped, Source};
pub use kiroku_store::{Backup, Member, NewSpace, Risk, SpaceInfo, list_backups, location_risk};
pub use kiroku_tasks as lists;
pub use memory::{RecordUse, SETTINGS_FILE, data_dir};
pub use results::{MOST_RESULTS, ResultFormat};
pub use set_up::{AgentSetUp, set_up};
pub use transcript::TranscriptOptions;
pub use watch::{WatchEvent, WatchOptions};

use kiroku_model::{Call, Caller, Cancel, Clock, Result, Role, Time};
use kiroku_search::{Conversations, Step};
use kiroku_store::{Setup, SpaceFile};
use kiroku_tasks::TaskLists;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// An open space with its engines.
pub struct Workspace {
    space: Arc<SpaceFile>,
    conversations: Conversations,
    lists: TaskLists,
    /// Where the app keeps what is no space's; without it there is no engine 2.
    data_dir: Option<PathBuf>,
    /// Names this opening of the space to other processes, for work that one of them does at a time.
    holder: String,
}

fn setup(clock: Arc<dyn Clock>) -> Setup {
    Setup { clock, on_connect: kiroku_search::on_connect }
}

impl Workspace {
    /// Makes a new space at `path`; see [`SpaceFile::create`].
    pub fn create(path: &Path, new: &NewSpace, clock: Arc<dyn Clock>) -> Result<Workspace> {
        Workspace::over(SpaceFile::create(path, new, setup(clock))?)
    }

    /// Opens the space at `path`; see [`SpaceFile::open`].
    pub fn open(path: &Path, clock: Arc<dyn Clock>) -> Result<Workspace> {
        Workspace::over(SpaceFile::open(path, setup(clock))?)
    }

    fn over(space: SpaceFile) -> Result<Workspace> {
        let space = Arc::new(space);
        let conversations = Conversations::open(Arc::clone(&space))?;
        let lists = TaskLists::new(Arc::clone(&space));
        Ok(Workspace { space, conversations, lists, data_dir: None, holder: kiroku_model::new_uid() })
    }

    /// The same workspace with the app's data directory ([`data_dir`]), which engine 2 needs.
    #[must_use]
    pub fn with_data_dir(self, data_dir: Option<PathBuf>) -> Workspace {
        Workspace { data_dir, ..self }
    }

    /// Engine 1.
    pub fn conversations(&self) -> &Conversations {
        &self.conversations
    }

    /// Engine 3.
    pub fn lists(&self) -> &TaskLists {
        &self.lists
    }

    /// The space file.
    pub fn space(&self) -> &Arc<SpaceFile> {
        &self.space
    }

    /// The time now.
    pub fn now(&self) -> Time {
        self.space.now()
    }

    /// What the space says of itself.
    pub fn info(&self) -> Result<SpaceInfo> {
        self.space.info()
    }

    /// How much the space holds.
    pub fn counts(&self) -> Result<Counts> {
        self.conversations.counts()
    }

    /// All members.
    pub fn members(&self) -> Result<Vec<Member>> {
        self.space.read(&Cancel::new(), kiroku_store::members)
    }

    /// The space's first owner: whom the human commands act as by themselves.
    pub fn owner(&self) -> Result<Member> {
        self.space.read(&Cancel::new(), kiroku_store::owner)
    }

    /// Adds a member; only an owner may.
    pub fn add_member(&self, caller: &Caller, id: &str, name: &str, role: Role) -> Result<Member> {
        let member = Member { id: id.to_owned(), name: name.to_owned(), role };
        self.space.write(|tx| {
            kiroku_store::require_owner(tx, caller)?;
            kiroku_store::add_member(tx, &member, false)
        })?;
        Ok(member)
    }

    /// Removes a member; only an owner may.
    pub fn remove_member(&self, caller: &Caller, id: &str) -> Result<()> {
        self.space.write(|tx| {
            kiroku_store::require_owner(tx, caller)?;
            kiroku_store::remove_member(tx, id)
        })
    }

    /// Gives the space another name; only an owner may.
    pub fn rename(&self, caller: &Caller, name: &str) -> Result<()> {
        self.space.write(|tx| {
            kiroku_store::require_owner(tx, caller)?;
            kiroku_store::rename_space(tx, name)
        })
    }

    /// Removes a task, a comment or a passage for good.
    pub fn forget(&self, call: &Call, what: &Forget) -> Result<types::Answer<Forgotten>> {
        self.conversations.forget(call, what)
    }

    /// Does what the index still needs, in small steps, until it is done, another process does it, or `cancel` is used.
    /// `report` is told how far a rebuild is: docs done and about how many there are.
    pub fn maintain(&self, cancel: &Cancel, mut report: impl FnMut(u64, u64)) -> Result<()> {
        while !cancel.is_cancelled() {
            match self.conversations.maintain(&self.holder)? {
                Step::Done | Step::Elsewhere => return Ok(()),
                Step::More { done, total } => report(done, total),
            }
        }
        Ok(())
    }

    /// Makes a backup now.
    pub fn backup(&self) -> Result<Backup> {
        kiroku_store::backup_now(self.space.path(), self.now())
    }

    /// Makes a backup if the last one is a day old and something has changed since.
    pub fn daily_backup(&self) -> Result<Option<Backup>> {
        kiroku_store::daily_backup(&self.space)
    }
}

/// Puts a backup in the place of the space at `path`, and builds its index. Answers where the file that stood there is
/// kept, if there was one.
pub fn restore(path: &Path, backup: &Path, clock: Arc<dyn Clock>) -> Result<Option<PathBuf>> {
    let kept = kiroku_store::restore(path, backup, clock.now())?;
    Workspace::open(path, clock)?.maintain(&Cancel::new(), |_, _| {})?;
    Ok(kept)
}
