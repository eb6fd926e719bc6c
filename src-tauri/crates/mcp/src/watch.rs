//! Subscriptions: telling the client that a resource has changed, whichever process changed it.
//!
//! While a thread's list is subscribed, one thread looks every 150 ms whether anything was written to the space, and if
//! so whether a subscribed list has another version; while a memory resource is, engine 2's own watch runs. Nothing
//! runs while nothing is subscribed.

use crate::uri::Place;
use kiroku_api::Workspace;
use kiroku_api::records::{FileChange, RecordKind, Watch, WatchEvent, WatchOptions};
use kiroku_model::{Call, Error, ErrorCode, Result, Time, text};
use rmcp::RoleServer;
use rmcp::model::{RequestId, ResourceUpdatedNotificationParam};
use rmcp::service::{Peer, SubscriptionSink};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

/// How often it is looked.
const EVERY: Duration = Duration::from_millis(150);
/// Subscriptions of one connection at most.
const MOST: usize = 1000;

/// Where a subscription's notices go.
#[derive(Clone)]
pub(crate) enum Sink {
    /// To the connection (`resources/subscribe`, until 2025-11-25).
    Connection(Peer<RoleServer>),
    /// To one open request (`subscriptions/listen`, from 2026-07-28).
    Request(SubscriptionSink),
}

impl Sink {
    /// What the request of a subscription is called; `None`: it is the connection's.
    fn request(&self) -> Option<&RequestId> {
        match self {
            Sink::Connection(_) => None,
            Sink::Request(sink) => Some(sink.id()),
        }
    }

    /// Tells the client. That it has gone is no failure: its connection is about to end.
    async fn send(&self, uri: String) {
        match self {
            Sink::Connection(peer) => {
                drop(peer.notify_resource_updated(ResourceUpdatedNotificationParam::new(uri)).await);
            }
            Sink::Request(sink) => drop(sink.notify_resource_updated(uri).await),
        }
    }
}

/// The subscriptions of a connection.
#[derive(Clone)]
pub(crate) struct Subscriptions(Arc<Shared>);

struct Shared {
    workspace: Arc<Workspace>,
    state: Mutex<State>,
    woken: Condvar,
}

#[derive(Default)]
struct State {
    all: Vec<Subscription>,
    /// Whether a thread looks at the space.
    looking: bool,
    /// Engine 2's watch, while a memory resource is subscribed.
    records: Option<Watch>,
    closed: bool,
}

struct Subscription {
    /// As the client wrote it.
    uri: String,
    place: Place,
    /// The version of the list that the client can know of.
    seen: Version,
    sink: Sink,
}

type Version = (u64, Option<Time>);

impl Subscriptions {
    pub(crate) fn new(workspace: Arc<Workspace>) -> Subscriptions {
        Subscriptions(Arc::new(Shared { workspace, state: Mutex::default(), woken: Condvar::new() }))
    }

    /// Subscribes `uri`, which is the address of `place`. Whatever is written after this returns is told. Blocks; call it
    /// where that is allowed. `runtime` is where notices are sent from.
    pub(crate) fn add(&self, uri: String, place: Place, sink: Sink, runtime: &tokio::runtime::Handle) -> Result<()> {
        let mut state = self.0.lock();
        let same = |known: &Subscription| known.uri == uri && known.sink.request() == sink.request();
        if state.closed || state.all.iter().any(same) {
            return Ok(());
        }
        if state.all.len() >= MOST {
            return Err(Error::new(
                ErrorCode::Refused,
                text!(en: "no more than {MOST} resources can be subscribed", ja: "購読できるリソースは {MOST} 件までです"),
            ));
        }
        // Read under the lock: a look at the lists comes wholly before this, or sees the subscription.
        let seen = self.0.version(&place)?;
        state.all.push(Subscription { uri, place, seen, sink });
        let started = self.0.run(&mut state, runtime);
        if started.is_err() {
            state.all.pop();
        }
        started
    }

    /// Ends a subscription of the connection.
    pub(crate) fn remove(&self, uri: &str) {
        self.retain(|known| known.uri != uri || known.sink.request().is_some());
    }

    /// Ends all subscriptions of an open request.
    pub(crate) fn remove_request(&self, request: &RequestId) {
        self.retain(|known| known.sink.request() != Some(request));
    }

    /// Ends all of them, for good.
    pub(crate) fn close(&self) {
        self.0.lock().closed = true;
        self.retain(|_| false);
    }

    fn retain(&self, keep: impl FnMut(&Subscription) -> bool) {
        let mut state = self.0.lock();
        state.all.retain(keep);
        let records = if state.watches_records() { None } else { state.records.take() };
        drop(state);
        self.0.woken.notify_all();
        // It waits for its thread, which may be waiting for the lock.
        drop(records);
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The version of a thread's list; other places have none.
    fn version(&self, place: &Place) -> Result<Version> {
        let Place::Thread(thread) = place else { return Ok((0, None)) };
        let list = self.workspace.lists().projection(&Call::default(), thread)?;
        Ok((list.version, list.updated))
    }

    /// Starts what there is to look for and nothing looks for yet.
    fn run(self: &Arc<Shared>, state: &mut State, runtime: &tokio::runtime::Handle) -> Result<()> {
        if state.records.is_none() && state.watches_records() {
            let (shared, runtime) = (Arc::downgrade(self), runtime.clone());
            let watch = self.workspace.memory()?.watch(WatchOptions::default(), move |event| match event {
                WatchEvent::Changed(changes) => records_changed(&shared, &changes, &runtime),
                WatchEvent::Polling(why) => tracing::warn!("{}", why.en),
            });
            state.records = Some(watch);
        }
        if state.looking || !state.looks_for_lists() {
            return Ok(());
        }
        let (shared, runtime) = (Arc::clone(self), runtime.clone());
        std::thread::Builder::new()
            .name("subscriptions".to_owned())
            .spawn(move || shared.look_until_done(&runtime))
            .map_err(|error| Error::io(text!(en: "starting a thread", ja: "スレッドの開始"), &error))?;
        state.looking = true;
        Ok(())
    }

    fn look_until_done(&self, runtime: &tokio::runtime::Handle) {
        if let Err(error) = self.look(runtime) {
            tracing::error!(%error, "subscriptions of task lists are no longer followed");
            // Whoever reads again is told what is wrong.
            let all: Vec<_> = {
                let mut state = self.lock();
                state.looking = false;
                let lists = |known: &&Subscription| matches!(known.place, Place::Thread(_));
                state.all.iter().filter(lists).map(Subscription::notice).collect()
            };
            tell(runtime, all);
        }
    }

    fn look(&self, runtime: &tokio::runtime::Handle) -> Result<()> {
        let version = self.workspace.space().data_version()?;
        let mut last = None;
        loop {
            let now = Some(version.get()?);
            if now != last {
                last = now;
                tell(runtime, self.changed()?);
            }
            let state = self.lock();
            let (mut state, _) = self.woken.wait_timeout(state, EVERY).unwrap_or_else(PoisonError::into_inner);
            if !state.looks_for_lists() {
                state.looking = false;
                return Ok(());
            }
        }
    }

    /// The subscriptions whose list has another version than when they were last told.
    fn changed(&self) -> Result<Vec<(Sink, String)>> {
        let mut state = self.lock();
        let mut changed = Vec::new();
        for known in &mut state.all {
            let version = self.version(&known.place)?;
            if version != known.seen {
                known.seen = version;
                changed.push(known.notice());
            }
        }
        Ok(changed)
    }
}

impl State {
    fn watches_records(&self) -> bool {
        self.all.iter().any(|known| !matches!(known.place, Place::Thread(_)))
    }

    fn looks_for_lists(&self) -> bool {
        self.all.iter().any(|known| matches!(known.place, Place::Thread(_)))
    }
}

fn records_changed(shared: &Weak<Shared>, changes: &[FileChange], runtime: &tokio::runtime::Handle) {
    let Some(shared) = shared.upgrade() else { return };
    let changed = |place: &Place| {
        let mut records = changes.iter().filter_map(|change| change.record.as_ref());
        match place {
            Place::Thread(_) => false,
            Place::Summary => records.any(|record| record.kind == RecordKind::Summary),
            Place::Resident => records.any(|record| record.kind == RecordKind::Knowledge),
            Place::Knowledge(slug) => {
                records.any(|record| record.kind == RecordKind::Knowledge && record.slug.as_str() == slug)
            }
        }
    };
    let notices = shared.lock().all.iter().filter(|known| changed(&known.place)).map(Subscription::notice).collect();
    tell(runtime, notices);
}

impl Subscription {
    fn notice(&self) -> (Sink, String) {
        (self.sink.clone(), self.uri.clone())
    }
}

fn tell(runtime: &tokio::runtime::Handle, notices: Vec<(Sink, String)>) {
    for (sink, uri) in notices {
        runtime.block_on(sink.send(uri));
    }
}
