//! Sessions that come in by themselves while a space is open: a thread over the façade's watch, begun and ended at the
//! person's wish, and what the page is told of it. The wish is kept for each space, and the thread ends with the space.

use crate::desk::Desk;
use crate::events::Told;
use kiroku_api::{
    Environment, ImportOptions, ImportProgress, ImportReport, Source, WatchEvent, WatchOptions, Workspace,
};
use kiroku_model::{Cancel, Clock, Error, Lang, Result, Time, text};
use serde::{Deserialize, Serialize};
use specta::Type;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tauri_specta::Event;

/// Where the wishes are kept, by the uids of spaces.
const KEPT: &str = "watching";
/// After the space was opened: what the person looks at first comes first.
const FIRST: Duration = Duration::from_secs(2);
/// Between two words of how far it is.
const TOLD: Duration = Duration::from_millis(250);

/// Whether sessions are to come in by themselves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct WatchWish {
    /// Whether they are.
    pub on: bool,
    /// Those of every folder on this computer, and not only of the space's.
    pub everywhere: bool,
}

impl WatchWish {
    /// What is wished for a space; nothing by itself.
    pub fn read(desk: &dyn Desk, space: &str) -> WatchWish {
        all(desk).get(space).copied().unwrap_or_default()
    }

    /// Keeps it.
    pub fn write(self, desk: &dyn Desk, space: &str) -> Result<()> {
        let mut kept = all(desk);
        kept.insert(space.to_owned(), self);
        desk.remember(KEPT, serde_json::to_value(kept).map_err(Error::internal)?)
    }
}

fn all(desk: &dyn Desk) -> BTreeMap<String, WatchWish> {
    desk.remembered(KEPT).and_then(|kept| serde_json::from_value(kept).ok()).unwrap_or_default()
}

/// What becomes of a watch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub enum WatchPhase {
    /// Sessions do not come in by themselves.
    #[default]
    Off,
    /// What was there before is brought in first.
    CatchingUp,
    /// What agents write comes in within a second.
    Watching,
    /// It rests until the person says so.
    Paused,
    /// It ended by an error.
    Failed,
}

/// Whether sessions come in by themselves, and what they brought. Sent when it changes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, Type, Event)]
pub struct SessionsWatched {
    /// The space's uid.
    pub space: String,
    /// What is wished.
    pub wish: WatchWish,
    /// What becomes of it.
    pub phase: WatchPhase,
    /// While it catches up: the share that is done, from 0 to 1.
    pub done: Option<f64>,
    /// Why it failed, or what is to be known of how it watches.
    pub note: Option<String>,
    /// What came in last since the space was opened.
    pub last: Option<Brought>,
    /// Comments that came in since the space was opened.
    pub comments: u64,
}

/// What came in at one time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Type)]
pub struct Brought {
    /// When.
    pub at: Time,
    /// The source's name.
    pub source: String,
    /// Tasks that are new.
    pub tasks: u64,
    /// Comments that are new.
    pub comments: u64,
    /// Comments that are different now.
    pub changed: u64,
    /// Lines and files that could not be read.
    pub skipped: u64,
}

/// What a watch needs.
pub struct Watched {
    /// Whose sessions they become.
    pub owner: String,
    /// The space's folder.
    pub folder: PathBuf,
    /// Where agents' session files are.
    pub environment: Environment,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// The language of what is told.
    pub lang: Lang,
    /// Tells the page.
    pub tell: Arc<dyn Fn(Told) + Send + Sync>,
}

/// The watch of an open space.
pub struct SessionWatch {
    now: Arc<Mutex<SessionsWatched>>,
    thread: Mutex<Option<Thread>>,
    tell: Arc<dyn Fn(Told) + Send + Sync>,
}

struct Thread {
    cancel: Cancel,
    /// Ends the wait before it begins when it is dropped.
    end: Sender<()>,
    handle: JoinHandle<()>,
}

impl SessionWatch {
    /// One that does not watch yet.
    pub fn new(space: &str, tell: Arc<dyn Fn(Told) + Send + Sync>) -> SessionWatch {
        let now = SessionsWatched { space: space.to_owned(), ..SessionsWatched::default() };
        SessionWatch { now: Arc::new(Mutex::new(now)), thread: Mutex::default(), tell }
    }

    /// How it is now.
    pub fn now(&self) -> SessionsWatched {
        lock(&self.now).clone()
    }

    /// Does as is wished from now on. `soon`: at once, and not only when the window has had its time.
    pub fn wish(&self, wish: WatchWish, workspace: &Arc<Workspace>, of: Watched, soon: bool) -> Result<()> {
        self.stop();
        let phase = if wish.on { WatchPhase::CatchingUp } else { WatchPhase::Off };
        let done = wish.on.then_some(0.0);
        self.change(|now| *now = SessionsWatched { wish, phase, done, note: None, ..now.clone() });
        if !wish.on {
            return Ok(());
        }
        let (cancel, (end, wait)) = (Cancel::new(), channel::<()>());
        let (now, workspace, stop) = (Arc::clone(&self.now), Arc::clone(workspace), cancel.clone());
        let first = if soon { Duration::ZERO } else { FIRST };
        let handle = std::thread::Builder::new().name("sessions".to_owned()).spawn(move || {
            if wait.recv_timeout(first) == Err(RecvTimeoutError::Timeout) {
                watch(&now, wish, &workspace, &of, &stop);
            }
        });
        let handle = handle.map_err(|error| Error::io(text!(en: "starting a thread", ja: "スレッドの開始"), &error))?;
        *lock(&self.thread) = Some(Thread { cancel, end, handle });
        Ok(())
    }

    /// Rests.
    pub fn pause(&self) {
        self.stop();
        self.change(|now| {
            if now.wish.on {
                (now.phase, now.done) = (WatchPhase::Paused, None);
            }
        });
    }

    /// Ends the thread, and returns when it writes no more.
    pub fn stop(&self) {
        let thread = lock(&self.thread).take();
        if let Some(Thread { cancel, end, handle }) = thread {
            cancel.cancel();
            drop(end);
            // A panic in it went to the log.
            let _ = handle.join();
        }
    }

    fn change(&self, change: impl FnOnce(&mut SessionsWatched)) {
        (self.tell)(changed(&self.now, change));
    }
}

impl Drop for SessionWatch {
    fn drop(&mut self) {
        self.stop();
    }
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

fn changed(now: &Mutex<SessionsWatched>, change: impl FnOnce(&mut SessionsWatched)) -> Told {
    let mut now = lock(now);
    change(&mut now);
    Told::SessionsWatched(now.clone())
}

/// What the thread does until `stop` is used.
fn watch(now: &Mutex<SessionsWatched>, wish: WatchWish, workspace: &Workspace, of: &Watched, stop: &Cancel) {
    let homes = |source: &'static dyn Source| source.homes(&of.environment).into_iter().map(move |home| (source, home));
    let roots: Vec<_> = kiroku_api::sources().iter().flat_map(|source| homes(*source)).collect();
    let import = ImportOptions { owner: of.owner.clone(), lang: of.lang };
    let folder = (!wish.everywhere).then(|| of.folder.clone());
    let mut told: Option<Instant> = None;
    let tell = |change: &mut dyn FnMut(&mut SessionsWatched)| (of.tell)(changed(now, |now| change(now)));
    let ended = workspace.watch_sessions(&roots, &WatchOptions::new(import, folder), stop, &mut |event| match event {
        WatchEvent::Progress(at) => {
            let catching_up = lock(now).phase == WatchPhase::CatchingUp;
            if catching_up && told.is_none_or(|told| told.elapsed() >= TOLD) {
                told = Some(Instant::now());
                tell(&mut |now| now.done = Some(share(&at)));
            }
        }
        WatchEvent::Imported { source, report } => {
            if let Some(brought) = brought(source, &report, of.clock.now()) {
                tell(&mut |now| {
                    now.comments += brought.comments;
                    now.last = Some(brought.clone());
                });
            }
        }
        WatchEvent::Watching => tell(&mut |now| (now.phase, now.done) = (WatchPhase::Watching, None)),
        WatchEvent::Polling(why) => tell(&mut |now| now.note = Some(why.get(of.lang).to_owned())),
    });
    if let Err(error) = ended
        && !stop.is_cancelled()
    {
        log::warn!("watching sessions: {error}");
        let why = error.message().get(of.lang).to_owned();
        tell(&mut |now| (now.phase, now.done, now.note) = (WatchPhase::Failed, None, Some(why.clone())));
    }
}

fn share(at: &ImportProgress) -> f64 {
    if at.total_bytes == 0 { 1.0 } else { at.bytes as f64 / at.total_bytes as f64 }
}

/// What an import brought, if it brought anything.
fn brought(source: &str, report: &ImportReport, at: Time) -> Option<Brought> {
    let ImportReport { tasks, comments, changed, skipped, .. } = *report;
    let brought = Brought { at, source: source.to_owned(), tasks, comments, changed, skipped };
    ([tasks, comments, changed, skipped] != [0; 4]).then_some(brought)
}
