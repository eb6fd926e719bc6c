//! Seeing what others change on disk, within half a second.
//!
//! The system's notices only say that it is time to look: what changed is found by comparing the directories with what
//! they held before. So a lost notice, an overflow, or a directory that was moved away and back is nothing special, and
//! where there are no notices (refused, or a remote disk) looking every two seconds does the same.

use crate::{ContentRoot, Memory, RecordKind, RecordRef};
use kiroku_model::{Text, text};
use notify_debouncer_full::notify::event::{AccessKind, AccessMode, ModifyKind, RemoveKind};
use notify_debouncer_full::notify::{
    Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher, recommended_watcher,
};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// After the first notice, how long it must be quiet before looking.
const QUIET: Duration = Duration::from_millis(50);
/// How long after the first notice it is looked at anyway.
const LATEST: Duration = Duration::from_millis(250);
/// How often it is looked where there are no notices.
const POLL: Duration = Duration::from_secs(2);

/// What happened to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// It is new.
    Made,
    /// It has other contents, or was replaced.
    Changed,
    /// It is gone.
    Removed,
}

/// A file that changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileChange {
    /// The file under the content root.
    pub file: String,
    /// The record that it holds; `None`: its name can be no record's.
    pub record: Option<RecordRef>,
    /// What happened.
    pub kind: ChangeKind,
}

/// What a watch tells.
#[derive(Clone, Debug)]
pub enum WatchEvent {
    /// Files changed: all that was found at one look.
    Changed(Vec<FileChange>),
    /// There are no notices from here on, so changes are seen only every two seconds. Told once.
    Polling(Text),
}

/// How to watch.
#[derive(Clone, Copy, Debug)]
pub struct WatchOptions {
    /// Do without the system's notices.
    pub poll: bool,
    /// How often to look where there are no notices (2 s).
    pub every: Duration,
}

impl Default for WatchOptions {
    fn default() -> WatchOptions {
        WatchOptions { poll: false, every: POLL }
    }
}

/// A watch, until it is dropped.
pub struct Watch {
    stop: Sender<Message>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.stop.send(Message::Stop);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

enum Message {
    Look,
    Stop,
}

impl Memory {
    /// Tells `sink` of changes to record files from now on, on a thread of its own. What is there now is not told.
    pub fn watch(&self, options: WatchOptions, sink: impl FnMut(WatchEvent) + Send + 'static) -> Watch {
        let root = self.root.clone();
        // Taken before this returns, so that a change right after is seen.
        let seen = snapshot(&root);
        let (stop, receive) = channel();
        let looker = Looker { root, seen, options, notices: None, watched: HashMap::new(), stale: Arc::default() };
        let notify = stop.clone();
        let (ready, is_ready) = channel::<()>();
        let thread = std::thread::spawn(move || looker.run(&receive, notify, ready, sink));
        // Until the notices are set up; a thread that died is a watch that tells nothing.
        let _ = is_ready.recv();
        Watch { stop, thread: Some(thread) }
    }
}

type Stamp = (u64, Option<std::time::SystemTime>, u64);

struct Looker {
    root: ContentRoot,
    seen: BTreeMap<String, Stamp>,
    options: WatchOptions,
    notices: Option<RecommendedWatcher>,
    watched: HashMap<PathBuf, u64>,
    /// Whether a directory may have gone and come back, under the same number even: then the system has dropped its watch.
    stale: Arc<AtomicBool>,
}

impl Looker {
    fn run(
        mut self,
        receive: &Receiver<Message>,
        notify: Sender<Message>,
        ready: Sender<()>,
        mut sink: impl FnMut(WatchEvent),
    ) {
        if !self.options.poll && !is_remote(self.root.path()) {
            let stale = self.stale.clone();
            self.notices = recommended_watcher(move |event: Result<Event, _>| {
                let kind = event.map_or(EventKind::Any, |event| event.kind);
                match kind {
                    EventKind::Access(kind) if kind != AccessKind::Close(AccessMode::Write) => return,
                    EventKind::Remove(RemoveKind::File) => {}
                    EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_)) | EventKind::Any => {
                        stale.store(true, Ordering::Relaxed);
                    }
                    _ => {}
                }
                let _ = notify.send(Message::Look);
            })
            .ok();
        }
        self.set_watches();
        let mut told = self.options.poll;
        drop(ready);
        loop {
            let links = self.notices.is_some() && self.any_link();
            if self.notices.is_none() && !std::mem::replace(&mut told, true) {
                sink(WatchEvent::Polling(text!(
                    en: "this folder gives no notices of changes: it is looked at every 2 seconds",
                    ja: "このフォルダーでは変更の通知を受け取れないため、2 秒ごとに確認します"
                )));
            }
            // A link's file may lie elsewhere, where nothing is watched.
            let wait = if self.notices.is_none() || links { self.options.every } else { Duration::from_secs(3600) };
            match receive.recv_timeout(wait) {
                Ok(Message::Stop) | Err(RecvTimeoutError::Disconnected) => return,
                Ok(Message::Look) => {
                    let first = Instant::now();
                    while first.elapsed() < LATEST {
                        match receive.recv_timeout(QUIET) {
                            Ok(Message::Look) => {}
                            Ok(Message::Stop) => return,
                            Err(_) => break,
                        }
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            // Watches first: what comes after is noticed, what came before is seen by looking.
            self.set_watches();
            let changes = self.look();
            if !changes.is_empty() {
                sink(WatchEvent::Changed(changes));
            }
        }
    }

    /// Watches the root, `memory/` and the four directories, as far as they are there; a directory that was made again
    /// is watched again. If the system refuses, there are no notices.
    fn set_watches(&mut self) {
        let Some(notices) = &mut self.notices else { return };
        let mut wanted = vec![self.root.path().to_owned()];
        wanted.extend(RecordKind::ALL.into_iter().filter_map(|kind| self.root.directory(kind).ok().flatten()));
        let stale = self.stale.swap(false, Ordering::Relaxed);
        self.watched.retain(|path, _| !stale && wanted.contains(path));
        for path in wanted {
            let Ok(meta) = std::fs::metadata(&path) else { continue };
            let identity = identity(&meta);
            if self.watched.get(&path) == Some(&identity) {
                continue;
            }
            let _ = notices.unwatch(&path);
            match notices.watch(&path, RecursiveMode::NonRecursive) {
                Ok(()) => {
                    self.watched.insert(path, identity);
                }
                Err(_) if path.exists() => {
                    self.notices = None;
                    return;
                }
                Err(_) => {}
            }
        }
    }

    fn any_link(&self) -> bool {
        self.seen.keys().any(|file| self.root.path().join(file).is_symlink())
    }

    fn look(&mut self) -> Vec<FileChange> {
        let now = snapshot(&self.root);
        let change = |file: &String, kind| FileChange { file: file.clone(), record: RecordRef::of_file(file), kind };
        let mut changes: Vec<FileChange> = now
            .iter()
            .filter_map(|(file, stamp)| match self.seen.get(file) {
                None => Some(change(file, ChangeKind::Made)),
                Some(before) if before != stamp => Some(change(file, ChangeKind::Changed)),
                Some(_) => None,
            })
            .collect();
        changes.extend(
            self.seen.keys().filter(|file| !now.contains_key(*file)).map(|file| change(file, ChangeKind::Removed)),
        );
        self.seen = now;
        changes
    }
}

fn snapshot(root: &ContentRoot) -> BTreeMap<String, Stamp> {
    let mut seen = BTreeMap::new();
    for kind in RecordKind::ALL {
        let Ok(listing) = root.list(kind) else { continue };
        let names = listing.entries.into_iter().map(|entry| entry.record.file());
        for file in names.chain(listing.problems.into_iter().map(|bad| bad.file)) {
            let stamp = std::fs::metadata(root.path().join(&file))
                .map_or((0, None, 0), |meta| (meta.len(), meta.modified().ok(), identity(&meta)));
            seen.insert(file, stamp);
        }
    }
    seen
}

#[cfg(unix)]
fn identity(meta: &std::fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(meta)
}

#[cfg(not(unix))]
fn identity(_: &std::fs::Metadata) -> u64 {
    0
}

/// Whether the folder is on a disk of another machine, which gives no notices of what others write there.
#[cfg(target_os = "linux")]
fn is_remote(path: &Path) -> bool {
    // NFS, SMB, CIFS, SMB2, 9P, AFS, Ceph, Coda and FUSE, as statfs(2) numbers them.
    const REMOTE: [u32; 9] =
        [0x6969, 0x517b, 0xff53_4d42, 0xfe53_4d42, 0x0102_1997, 0x5346_414f, 0x00c3_6400, 0x7375_7245, 0x6573_5546];
    rustix::fs::statfs(path).is_ok_and(|disk| {
        let number = u32::try_from(disk.f_type & 0xffff_ffff).unwrap_or(0);
        REMOTE.contains(&number)
    })
}

#[cfg(not(target_os = "linux"))]
fn is_remote(_: &Path) -> bool {
    false
}
