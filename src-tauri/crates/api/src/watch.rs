//! Live sessions: what agents write to their session files is in the space within a second.
//!
//! The system's notices only say where to look: what is new is found by comparing files with what they were at the last
//! look, and read by an ordinary import from where the last one ended. So a lost notice, a file that was replaced, or a
//! folder that came later is nothing special; all files are compared every few seconds anyway, and where the system
//! gives no notices that is all there is.

use crate::found::{real, worked_in};
use crate::{ImportOptions, ImportProgress, ImportReport, Workspace};
use kiroku_model::{Cancel, ErrorCode, Result, Text, text};
use kiroku_search::Step;
use kiroku_sources::{SessionFile, Source};
use notify_debouncer_full::notify::event::{AccessKind, AccessMode};
use notify_debouncer_full::notify::{
    Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher, recommended_watcher,
};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant, SystemTime};

/// After a notice, how long it must be quiet before looking.
const QUIET: Duration = Duration::from_millis(50);
/// How long after the first notice it is looked at anyway.
const LATEST: Duration = Duration::from_millis(250);
/// How long a cancelled watch goes on at most.
const TICK: Duration = Duration::from_millis(100);
/// How often all files are compared although there are notices: for links, remote disks, and notices that were lost.
const SWEEP: Duration = Duration::from_secs(5);
/// Changed files that are looked at one by one; for more the folders are gone through, which puts them in order.
const FEW: usize = 32;

/// How to watch.
#[derive(Clone, Debug)]
pub struct WatchOptions {
    /// How what comes is imported.
    pub import: ImportOptions,
    /// Only sessions that worked in this folder or below it.
    pub folder: Option<PathBuf>,
    /// Do without the system's notices.
    pub poll: bool,
    /// How often files are compared where there are no notices (2 s).
    pub every: Duration,
}

impl WatchOptions {
    /// The usual ones: notices, and a look every two seconds without.
    pub fn new(import: ImportOptions, folder: Option<PathBuf>) -> WatchOptions {
        WatchOptions { import, folder, poll: false, every: Duration::from_secs(2) }
    }
}

/// What a watch tells.
#[derive(Clone, Debug)]
pub enum WatchEvent {
    /// How far an import is (of what was there at the start, or of what came since).
    Progress(ImportProgress),
    /// Files of a source were imported.
    Imported {
        /// The source's name.
        source: &'static str,
        /// What it came to.
        report: ImportReport,
    },
    /// What was there at the start is in, and from here on what comes is.
    Watching,
    /// There are no notices, so changes are seen only by comparing files now and then. Told once.
    Polling(Text),
}

impl Workspace {
    /// Imports the sessions at or below `roots`, and then what is written to them, until `cancel` is used. A root need not
    /// be there yet. What the space excludes is left out. An error is one of the space's, and ends the watch; what was
    /// imported stays.
    pub fn watch_sessions(
        &self,
        roots: &[(&'static dyn Source, PathBuf)],
        options: &WatchOptions,
        cancel: &Cancel,
        on_event: &mut dyn FnMut(WatchEvent),
    ) -> Result<()> {
        let (notify, receive) = channel();
        let mut watch = Watch {
            workspace: self,
            roots,
            folder: options.folder.as_deref().map(real),
            options,
            seen: HashMap::new(),
            notices: (!options.poll).then(|| notices(notify.clone())).flatten(),
            watched: HashSet::new(),
            // Kept, so that the channel stays open where there are no notices.
            _notify: notify,
        };
        watch.run(&receive, cancel, on_event)
    }
}

/// Paths of which the system says that something happened to them; none: something may have been missed.
type Notice = Vec<PathBuf>;

/// What tells whether a file has changed: size, time, and which file it is.
type Stamp = (u64, Option<SystemTime>, u64);

struct Watch<'w> {
    workspace: &'w Workspace,
    roots: &'w [(&'static dyn Source, PathBuf)],
    folder: Option<PathBuf>,
    options: &'w WatchOptions,
    /// The files at the last look, each with the places of the roots that it belongs to: one folder may hold the sessions of
    /// several sources.
    seen: HashMap<PathBuf, (Stamp, Vec<usize>)>,
    notices: Option<RecommendedWatcher>,
    /// Places of the roots that give notices.
    watched: HashSet<usize>,
    _notify: Sender<Notice>,
}

impl Watch<'_> {
    fn run(&mut self, receive: &Receiver<Notice>, cancel: &Cancel, on_event: &mut dyn FnMut(WatchEvent)) -> Result<()> {
        let (mut told_polling, mut told_watching) = (self.options.poll, false);
        let mut notice: Option<Notice> = None;
        let mut index_owes = true;
        while !cancel.is_cancelled() {
            // Watches first: what comes after is noticed, what came before is seen by looking.
            self.set_watches();
            let changed = match notice.take().filter(|paths| !paths.is_empty()) {
                Some(paths) if paths.iter().all(|path| self.seen.contains_key(path)) => self.look_at(paths),
                _ => self.sweep(cancel)?,
            };
            let looked = Instant::now();
            if !changed.is_empty() {
                match self.import(&changed, cancel, on_event) {
                    // Another process has the space; it is tried again at the next look.
                    Err(error) if error.code() == ErrorCode::Busy => self.forget(&changed),
                    done => done?,
                }
                index_owes = true;
            }
            if self.notices.is_none() && !std::mem::replace(&mut told_polling, true) {
                let seconds = self.options.every.as_secs_f32();
                on_event(WatchEvent::Polling(text!(
                    en: "the system gives no notices of changes here: files are compared every {seconds} seconds",
                    ja: "変更の通知を受け取れないため、{seconds} 秒ごとにファイルを確認します"
                )));
            }
            if !std::mem::replace(&mut told_watching, true) && !cancel.is_cancelled() {
                on_event(WatchEvent::Watching);
            }
            let every = if self.notices.is_some() { SWEEP } else { self.options.every };
            notice = loop {
                if cancel.is_cancelled() {
                    return Ok(());
                }
                // The index is tended while nothing comes, a small step at a time.
                let wait = if index_owes { Duration::ZERO } else { TICK };
                match receive.recv_timeout(wait) {
                    Ok(paths) => break Some(gather(paths, receive)),
                    Err(_) if looked.elapsed() >= every => break None,
                    Err(RecvTimeoutError::Timeout) if index_owes => index_owes = self.tend_index()?,
                    Err(_) => {}
                }
            };
        }
        Ok(())
    }

    /// Does a little of what the index needs. Whether there is more.
    fn tend_index(&self) -> Result<bool> {
        match self.workspace.conversations().maintain(&self.workspace.holder) {
            Ok(step) => Ok(matches!(step, Step::More { .. })),
            Err(error) if error.code() == ErrorCode::Busy => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Watches the roots that are there and not watched yet. If the system refuses, there are no notices.
    fn set_watches(&mut self) {
        for (place, (_, root)) in self.roots.iter().enumerate() {
            let Some(notices) = &mut self.notices else { return };
            if self.watched.contains(&place) {
                if !root.exists() {
                    let _ = notices.unwatch(root);
                    self.watched.remove(&place);
                }
                continue;
            }
            match notices.watch(root, RecursiveMode::Recursive) {
                Ok(()) => drop(self.watched.insert(place)),
                Err(_) if root.exists() => self.notices = None,
                Err(_) => {}
            }
        }
    }

    /// The files of these that have changed.
    fn look_at(&mut self, paths: Notice) -> BTreeSet<(usize, PathBuf)> {
        let mut changed = BTreeSet::new();
        for path in paths {
            if let Some((before, places)) = self.seen.get_mut(&path)
                && let Some(now) = stamp(&path)
                && *before != now
            {
                *before = now;
                changed.extend(places.iter().map(|place| (*place, path.clone())));
            }
        }
        changed
    }

    /// All files that are new or have changed. One that is gone is only forgotten: its record stays.
    fn sweep(&mut self, cancel: &Cancel) -> Result<BTreeSet<(usize, PathBuf)>> {
        let mut changed = BTreeSet::new();
        let mut now: HashMap<PathBuf, (Stamp, Vec<usize>)> = HashMap::new();
        for (place, (source, root)) in self.roots.iter().enumerate() {
            let files = match source.files(root, cancel) {
                Err(error) if error.code() == ErrorCode::Cancelled => return Ok(BTreeSet::new()),
                files => files?,
            };
            for path in files {
                let Some(stamp) = stamp(&path) else { continue };
                if self.seen.get(&path).is_none_or(|(before, places)| *before != stamp || !places.contains(&place)) {
                    changed.insert((place, path.clone()));
                }
                now.entry(path).or_insert((stamp, Vec::new())).1.push(place);
            }
        }
        self.seen = now;
        Ok(changed)
    }

    fn forget(&mut self, changed: &BTreeSet<(usize, PathBuf)>) {
        self.seen.retain(|path, _| !changed.iter().any(|(_, changed)| changed == path));
    }

    fn import(
        &mut self,
        changed: &BTreeSet<(usize, PathBuf)>,
        cancel: &Cancel,
        on_event: &mut dyn FnMut(WatchEvent),
    ) -> Result<()> {
        for (place, (source, root)) in self.roots.iter().enumerate() {
            let paths: HashSet<&Path> =
                changed.iter().filter(|(of, _)| *of == place).map(|(_, path)| path.as_path()).collect();
            if paths.is_empty() {
                continue;
            }
            let Some(mut files) = sessions(*source, root, &paths, cancel) else { return Ok(()) };
            if let Some(folder) = &self.folder {
                files.retain(|file| worked_in(file, folder));
            }
            if files.is_empty() {
                continue;
            }
            let told = &mut |at: &ImportProgress| on_event(WatchEvent::Progress(at.clone()));
            let report = self.workspace.import_with_pace(*source, &files, &self.options.import, cancel, told)?;
            on_event(WatchEvent::Imported { source: source.name(), report });
        }
        Ok(())
    }
}

/// The sessions in these files, in the order in which they are to be imported; what is none, or is gone again, is left
/// out. `None`: cancelled.
fn sessions(source: &dyn Source, root: &Path, paths: &HashSet<&Path>, cancel: &Cancel) -> Option<Vec<SessionFile>> {
    let mut files = Vec::new();
    if paths.len() > FEW {
        let found = source.find(root, cancel).ok();
        files.extend(found.into_iter().flat_map(|found| found.files));
        files.retain(|file| paths.contains(file.path.as_path()));
    } else {
        let found = paths.iter().filter_map(|path| source.find(path, cancel).ok());
        files.extend(found.flat_map(|found| found.files));
        // A session before its subagents.
        files.sort_by_key(|file| (file.path.components().count(), file.path.clone()));
    }
    (!cancel.is_cancelled()).then_some(files)
}

fn stamp(path: &Path) -> Option<Stamp> {
    let meta = std::fs::metadata(path).ok()?;
    Some((meta.len(), meta.modified().ok(), identity(&meta)))
}

#[cfg(unix)]
fn identity(meta: &std::fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(meta)
}

#[cfg(not(unix))]
fn identity(_: &std::fs::Metadata) -> u64 {
    0
}

/// The system's notices of changes, if it gives any.
fn notices(to: Sender<Notice>) -> Option<RecommendedWatcher> {
    recommended_watcher(move |event: Result<Event, _>| {
        let paths = match event {
            Ok(Event { kind: EventKind::Access(kind), .. }) if kind != AccessKind::Close(AccessMode::Write) => return,
            Ok(event) if !event.need_rescan() => event.paths,
            _ => Vec::new(),
        };
        // The watch may have ended.
        let _ = to.send(paths);
    })
    .ok()
}

/// The paths of a notice and of those that follow it closely; none if one of them names none.
fn gather(mut paths: Notice, receive: &Receiver<Notice>) -> Notice {
    let (first, mut whole) = (Instant::now(), paths.is_empty());
    while first.elapsed() < LATEST
        && let Ok(more) = receive.recv_timeout(QUIET)
    {
        whole |= more.is_empty();
        paths.extend(more);
    }
    if whole {
        return Vec::new();
    }
    paths.sort();
    paths.dedup();
    paths
}
