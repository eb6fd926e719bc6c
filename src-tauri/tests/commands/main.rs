//! The commands as the page calls them: through Tauri's own border, on a mock window, with a desktop that answers its
//! dialogs by itself.

#![allow(clippy::unwrap_used, reason = "clippy takes only the test functions themselves for tests")]

mod border;
mod bringing_in;
mod lists;
mod reading;
mod records;
mod spaces;

use kiroku_desktop::app::App;
use kiroku_desktop::bindings;
use kiroku_desktop::desk::{Desk, FileKind};
use kiroku_desktop::events::Told;
use kiroku_desktop::launch::{Location, Place};
use kiroku_model::{Error, Lang, Result, SystemClock};
use serde_json::{Value, json};
use std::collections::{HashMap, VecDeque};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tauri::test::{INVOKE_KEY, MockRuntime, get_ipc_response, mock_builder, mock_context, noop_assets};
use tauri::webview::InvokeRequest;
use tauri::{WebviewWindow, WebviewWindowBuilder};

/// What a test waits for at most; a test that passes waits far less.
const PATIENCE: Duration = Duration::from_secs(30);

/// A desktop that answers its dialogs with what the test put in, in order, and keeps what it was told.
struct FakeDesk {
    told: Mutex<Sender<Told>>,
    kept: Mutex<HashMap<String, Value>>,
    chosen: Mutex<VecDeque<PathBuf>>,
    opened: Mutex<Vec<String>>,
    /// What else happens when the page is told something.
    on_told: Mutex<Option<Hook>>,
}

type Hook = Box<dyn Fn(&Told) + Send>;

impl FakeDesk {
    fn choose(&self) -> Option<PathBuf> {
        self.chosen.lock().unwrap().pop_front()
    }
}

impl Desk for FakeDesk {
    fn tell(&self, told: Told) {
        if let Some(hook) = &*self.on_told.lock().unwrap() {
            hook(&told);
        }
        let _ = self.told.lock().unwrap().send(told);
    }
    fn remembered(&self, key: &str) -> Option<Value> {
        self.kept.lock().unwrap().get(key).cloned()
    }
    fn remember(&self, key: &str, value: Value) -> Result<()> {
        self.kept.lock().unwrap().insert(key.to_owned(), value);
        Ok(())
    }
    fn resource(&self, name: &str) -> Result<PathBuf> {
        Ok(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name))
    }
    fn choose_folder(&self, _title: &str) -> Option<PathBuf> {
        self.choose()
    }
    fn choose_files(&self, _title: &str, _kind: FileKind<'_>, _several: bool) -> Vec<PathBuf> {
        self.choose().into_iter().collect()
    }
    fn choose_place(&self, _: &str, _name: &str, _folder: Option<&Path>, _: FileKind<'_>) -> Option<PathBuf> {
        self.choose()
    }
    fn create(&self, path: &Path) -> std::io::Result<File> {
        File::create(path)
    }
    fn open_url(&self, url: &str) -> Result<()> {
        self.opened.lock().unwrap().push(url.to_owned());
        Ok(())
    }
    fn reveal(&self, path: &Path) -> Result<()> {
        if path.exists() { Ok(()) } else { Err(Error::not_found(kiroku_model::text!(en: "gone", ja: "ない"))) }
    }
    fn set_theme(&self, _theme: Option<tauri::Theme>) {}
    fn set_lang(&self, _lang: Lang) {}
}

/// A window with its shell, over a directory of its own.
struct Shell {
    app: App,
    desk: Arc<FakeDesk>,
    told: Receiver<Told>,
    window: WebviewWindow<MockRuntime>,
    dir: tempfile::TempDir,
    _tauri: tauri::App<MockRuntime>,
}

impl Shell {
    fn new() -> Shell {
        let dir = tempfile::tempdir().unwrap();
        let mount_table = dir.path().join("mounts");
        // A network drive below the directory, for what is said of places.
        let drive = dir.path().join("drive");
        std::fs::write(&mount_table, format!("/dev/sda1 / ext4 rw 0 0\nnas:/x {} nfs4 rw 0 0\n", drive.display()))
            .unwrap();
        let place = Place {
            data_dir: dir.path().join("data"),
            environment: kiroku_api::Environment { home: Some(dir.path().join("home")), ..Default::default() },
            system_lang: Lang::En,
            account: "sam".to_owned(),
            location: Some(Location::Link("kiroku://space/x/tasks".to_owned())),
            cli: "/opt/kiroku/kiroku".into(),
            mount_table: Some(mount_table),
        };
        let (sender, told) = channel();
        let desk = Arc::new(FakeDesk {
            told: Mutex::new(sender),
            kept: Mutex::default(),
            chosen: Mutex::default(),
            opened: Mutex::default(),
            on_told: Mutex::default(),
        });
        let app = App::new(place, Arc::new(SystemClock), Arc::clone(&desk) as Arc<dyn Desk>);
        let bindings = bindings::builder::<MockRuntime>();
        let tauri = mock_builder()
            .invoke_handler(bindings.invoke_handler())
            .manage(app.clone())
            .build(mock_context(noop_assets()))
            .unwrap();
        let window = WebviewWindowBuilder::new(&tauri, "main", Default::default()).build().unwrap();
        Shell { app, desk, told, window, dir, _tauri: tauri }
    }

    /// One with the sample space open.
    fn with_sample() -> Shell {
        let shell = Shell::new();
        shell.call("open_sample_space", json!({"work": "sample"})).unwrap();
        shell
    }

    /// Calls a command as the page does.
    fn call(&self, command: &str, args: Value) -> std::result::Result<Value, Value> {
        let request = InvokeRequest {
            cmd: command.to_owned(),
            callback: tauri::ipc::CallbackFn(0),
            error: tauri::ipc::CallbackFn(1),
            url: if cfg!(windows) { "http://tauri.localhost" } else { "tauri://localhost" }.parse().unwrap(),
            body: args.into(),
            headers: Default::default(),
            invoke_key: INVOKE_KEY.to_owned(),
        };
        get_ipc_response(&self.window, request).map(|body| body.deserialize().unwrap())
    }

    /// The code of the error that a command ends with.
    fn refusal(&self, command: &str, args: Value) -> String {
        let error = self.call(command, args).unwrap_err();
        error["code"].as_str().unwrap_or_default().to_owned()
    }

    /// What a dialog answers next.
    fn will_choose(&self, path: impl AsRef<Path>) {
        self.desk.chosen.lock().unwrap().push_back(path.as_ref().to_owned());
    }

    /// Waits for the first event that `wanted` takes.
    fn wait_for<T>(&self, mut wanted: impl FnMut(Told) -> Option<T>) -> T {
        let until = std::time::Instant::now() + PATIENCE;
        loop {
            let left = until.saturating_duration_since(std::time::Instant::now());
            let told = self.told.recv_timeout(left).unwrap();
            if let Some(found) = wanted(told) {
                return found;
            }
        }
    }

    fn path(&self, name: &str) -> String {
        self.dir.path().join(name).display().to_string()
    }
}
