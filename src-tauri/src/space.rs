//! The space that the window shows: its workspace, the member that the app acts as, and the threads that go with it.
//! When the last holder drops it the threads end.

use crate::events::Told;
use crate::feed::{self, Watching};
use crate::records_feed;
use crate::upkeep;
use crate::watching::{SessionWatch, WatchWish, Watched};
use kiroku_api::{Counts, Member, Workspace, location_risk};
use kiroku_model::{Call, Caller, Cancel, Error, ErrorCode, Lang, Result, Role, Time, text};
use kiroku_store::FeedPosition;
use serde::Serialize;
use specta::Type;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, PoisonError, RwLock};
use std::thread;

/// The open space, for the page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Type)]
pub struct SpaceView {
    /// Its uid, which it keeps for ever: the UUID of `kiroku://space/UUID`.
    pub uid: String,
    /// Its name.
    pub name: String,
    /// When it was made.
    pub created: Time,
    /// Where its file is.
    pub path: String,
    /// The folder that it belongs to: the parent of its `.kiroku` directory, else the file's own.
    pub folder: String,
    /// Whether it is the sample space.
    pub sample: bool,
    /// The member that the app acts as.
    pub member: Member,
    /// All members, owners first.
    pub members: Vec<Member>,
    /// How much it holds.
    pub counts: Counts,
    /// Why its file is not safe where it is, if it is not.
    pub risk: Option<String>,
}

/// The space that the window shows.
pub struct OpenSpace {
    workspace: Arc<Workspace>,
    uid: String,
    sample: bool,
    member: RwLock<String>,
    cancel: Cancel,
    watch: SessionWatch,
    /// The threads end when these are dropped.
    _threads: [Sender<()>; 3],
}

/// What the threads of an open space need.
pub struct Around {
    /// Tells the page.
    pub tell: Arc<dyn Fn(Told) + Send + Sync>,
    /// Whether nobody sees the window.
    pub unseen: Arc<AtomicBool>,
    /// The window's language.
    pub lang: Arc<dyn Fn() -> Lang + Send + Sync>,
}

impl OpenSpace {
    /// Takes an opened workspace in and begins to watch it. `member`: whom the app acts as, if that is a member; else
    /// the first owner.
    pub fn new(workspace: Workspace, member: Option<&str>, sample: bool, around: &Around) -> Result<OpenSpace> {
        let members = workspace.members()?;
        let acts_as = match member.filter(|id| members.iter().any(|member| member.id == *id)) {
            Some(id) => id.to_owned(),
            None => workspace.owner()?.id,
        };
        let uid = workspace.info()?.uid;
        let workspace = Arc::new(workspace);
        let cancel = Cancel::new();
        let (watch_end, end) = channel();
        let watching = Watching {
            workspace: Arc::clone(&workspace),
            space: uid.clone(),
            from: workspace.space().read(&cancel, FeedPosition::now)?,
            unseen: Arc::clone(&around.unseen),
            end,
            lang: Arc::clone(&around.lang),
        };
        let tell = Arc::clone(&around.tell);
        spawn("feed", move || feed::watch(&watching, &*tell))?;
        let (records_end, end) = channel();
        let (watched, space, tell) = (Arc::clone(&workspace), uid.clone(), Arc::clone(&around.tell));
        spawn("records", move || records_feed::watch(&watched, &space, &end, &tell))?;
        let (upkeep_end, end) = channel();
        let (kept, space, tell, stop) = (Arc::clone(&workspace), uid.clone(), Arc::clone(&around.tell), cancel.clone());
        spawn("upkeep", move || upkeep::keep_up(&kept, &space, &stop, &end, &*tell))?;
        let watch = SessionWatch::new(&uid, Arc::clone(&around.tell));
        Ok(OpenSpace {
            workspace,
            uid,
            sample,
            member: RwLock::new(acts_as),
            cancel,
            watch,
            _threads: [watch_end, records_end, upkeep_end],
        })
    }

    /// The engines.
    pub fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    /// The watch of agents' sessions.
    pub fn watch(&self) -> &SessionWatch {
        &self.watch
    }

    /// Has sessions come in by themselves, or no longer. `soon`: at once.
    pub fn watch_sessions(&self, wish: WatchWish, of: Watched, soon: bool) -> Result<()> {
        self.watch.wish(wish, &self.workspace, of, soon)
    }

    /// Where its file is.
    pub fn path(&self) -> &Path {
        self.workspace.space().path()
    }

    /// Its uid.
    pub fn uid(&self) -> &str {
        &self.uid
    }

    /// Whether it is the sample space.
    pub fn is_sample(&self) -> bool {
        self.sample
    }

    /// The id of the member that the app acts as.
    pub fn member(&self) -> String {
        self.member.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Has the app act as another member.
    pub fn act_as(&self, id: &str) -> Result<()> {
        if !self.workspace.members()?.iter().any(|member| member.id == id) {
            return Err(Error::not_found(text!(
                en: "`{id}` is no member of this space",
                ja: "「{id}」はこのスペースのメンバーではありません"
            )));
        }
        *self.member.write().unwrap_or_else(PoisonError::into_inner) = id.to_owned();
        Ok(())
    }

    /// An error unless the member that the app acts as is an owner.
    pub fn require_owner(&self) -> Result<()> {
        let id = self.member();
        match self.workspace.members()?.iter().any(|member| member.id == id && member.role == Role::Owner) {
            true => Ok(()),
            false => Err(Error::new(
                ErrorCode::Refused,
                text!(en: "only an owner of the space can do this", ja: "この操作はスペースのオーナーだけができます"),
            )),
        }
    }

    /// How the app calls: as its member, with no current task.
    pub fn call(&self, lang: Lang, cancel: &Cancel) -> Call {
        Call { caller: Caller::member(self.member()), lang, cancel: cancel.clone() }
    }

    /// What the page is told of it. `mounts` is the system's mount table.
    pub fn view(&self, lang: Lang, mounts: &str) -> Result<SpaceView> {
        let info = self.workspace.info()?;
        let members = self.workspace.members()?;
        let acts_as = self.member();
        // A member that was removed meanwhile leaves the app to the first owner.
        let member = match members.iter().find(|member| member.id == acts_as) {
            Some(member) => member.clone(),
            None => self.workspace.owner()?,
        };
        Ok(SpaceView {
            uid: info.uid,
            name: info.name,
            created: info.created,
            path: self.path().display().to_string(),
            folder: folder_of(self.path()).display().to_string(),
            sample: self.sample,
            member,
            members,
            counts: self.workspace.counts()?,
            risk: location_risk(self.path(), mounts).map(|risk| risk.0.get(lang).to_owned()),
        })
    }
}

impl Drop for OpenSpace {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

/// The folder that a space file belongs to.
pub fn folder_of(path: &Path) -> PathBuf {
    let own = path.parent().unwrap_or(path);
    match own.file_name() {
        Some(name) if name == ".kiroku" => own.parent().unwrap_or(own).to_owned(),
        _ => own.to_owned(),
    }
}

/// A command that needs a space came while none is open.
pub fn none_open() -> Error {
    Error::new(ErrorCode::NotFound, text!(en: "no space is open", ja: "スペースが開かれていません"))
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> Result<()> {
    let spawned = thread::Builder::new().name(name.to_owned()).spawn(work);
    spawned.map(drop).map_err(|error| Error::io(text!(en: "starting a thread", ja: "スレッドの開始"), &error))
}
