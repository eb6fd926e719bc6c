//! A space on disk for tests: a folder, an app data folder, a clock that stands still.

#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::panic,
    reason = "each suite uses a part of it, and it is a test's own"
)]

use kiroku_memory::tools::Call;
use kiroku_memory::{Memory, RecordKind, RecordRef, Settings, UsageEvent, UsageSink};
use kiroku_model::{Caller, Cancel, Clock, Lang, Time};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock};
use tempfile::TempDir;

/// A clock that tests set.
pub struct Fixed(pub Mutex<Time>);

impl Clock for Fixed {
    fn now(&self) -> Time {
        *self.0.lock().unwrap()
    }
}

/// Usage events, kept.
#[derive(Default)]
pub struct Uses(pub Mutex<Vec<UsageEvent>>);

impl UsageSink for Uses {
    fn used(&self, event: UsageEvent) {
        self.0.lock().unwrap().push(event);
    }
}

pub struct Space {
    pub folder: TempDir,
    pub data: TempDir,
    pub clock: Arc<Fixed>,
    pub uses: Arc<Uses>,
    pub settings: Settings,
}

impl Space {
    pub fn new() -> Space {
        let clock = Arc::new(Fixed(Mutex::new(Time::parse("2026-07-01T00:00:00Z").unwrap())));
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("memory")).unwrap();
        Space { folder, data: tempfile::tempdir().unwrap(), clock, uses: Arc::default(), settings: Settings::default() }
    }

    pub fn memory(&self) -> Memory {
        Memory::open(self.folder.path(), self.settings.clone(), self.data.path(), self.clock.clone())
            .unwrap()
            .with_usage(self.uses.clone())
    }

    pub fn path(&self, file: &str) -> PathBuf {
        self.folder.path().join(file)
    }

    pub fn put(&self, file: &str, text: impl AsRef<[u8]>) {
        let path = self.path(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub fn get(&self, file: &str) -> String {
        std::fs::read_to_string(self.path(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
    }

    /// Every file under the folder with its bytes.
    pub fn all(&self) -> Vec<(PathBuf, Vec<u8>)> {
        fn walk(folder: &std::path::Path, found: &mut Vec<(PathBuf, Vec<u8>)>) {
            for entry in std::fs::read_dir(folder).unwrap().flatten() {
                let kind = entry.file_type().unwrap();
                if kind.is_dir() {
                    walk(&entry.path(), found);
                } else if kind.is_file() {
                    found.push((entry.path(), std::fs::read(entry.path()).unwrap()));
                }
            }
        }
        let mut found = Vec::new();
        walk(self.folder.path(), &mut found);
        found.sort();
        found
    }
}

pub fn member() -> &'static Caller {
    static CALLER: OnceLock<Caller> = OnceLock::new();
    CALLER.get_or_init(|| Caller::member("tester"))
}

pub fn call(memory: &Memory) -> Call<'_> {
    static CANCEL: OnceLock<Cancel> = OnceLock::new();
    Call { memory, caller: member(), lang: Lang::En, cancel: CANCEL.get_or_init(Cancel::new) }
}

pub fn record(kind: RecordKind, slug: &str) -> RecordRef {
    RecordRef::new(kind, Some(slug)).unwrap()
}

pub fn decision(body: &str) -> String {
    format!(
        "---\ncreated_at: 2026-06-20T10:00:00Z\nupdated_at: 2026-06-20T10:00:00Z\nsources: []\nstatus: open\n---\n{body}"
    )
}

pub fn request(body: &str) -> String {
    format!("---\ncreated_at: 2026-06-20T10:00:00Z\nupdated_at: 2026-06-20T10:00:00Z\nsources: []\n---\n{body}")
}

pub fn knowledge(kind: &str, description: &str, model: bool, body: &str) -> String {
    format!(
        "---\nkind: {kind}\ndescription: {description}\nmodel_invokation: {model}\nuser_invocable: true\nlast_sources: []\ncreated_at: 2026-06-20T10:00:00Z\nupdated_at: 2026-06-20T10:00:00Z\n---\n{body}"
    )
}

pub fn summary(body: &str) -> String {
    format!("---\nupdated_at: 2026-06-20T10:00:00Z\n---\n{body}")
}
