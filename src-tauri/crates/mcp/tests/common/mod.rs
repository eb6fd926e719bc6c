//! A space and clients of it, in memory: the protocol without a process.
#![allow(dead_code, reason = "each test file uses a part")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "test code")]

use kiroku_api::{ImportOptions, NewSpace, Workspace};
use kiroku_mcp::{ServeOptions, ThreadChoice, serve};
use kiroku_model::{Cancel, Lang, Progress, SystemClock};
use rmcp::model::{CallToolRequestParams, CallToolResult, ProtocolVersion, ResourceUpdatedNotificationParam};
use rmcp::service::{NotificationContext, RunningService};
use rmcp::{ClientHandler, ClientLifecycleMode, ClientServiceExt, RoleClient};
use serde_json::Value;
use std::sync::Arc;
use tempfile::TempDir;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;

/// A space in a directory of its own.
pub struct Space {
    pub dir: TempDir,
}

impl Space {
    /// An empty one, of the owner `m1`.
    pub fn new() -> Space {
        let space = Space { dir: tempfile::tempdir().unwrap() };
        let new = NewSpace { name: "開発".into(), owner: "m1".into(), owner_name: "代表".into() };
        Workspace::create(&space.dir.path().join("space.db"), &new, Arc::new(SystemClock)).unwrap();
        space
    }

    /// One with these rows of the exchange format.
    pub fn with(rows: &[Value]) -> Space {
        let space = Space::new();
        let mut text =
            String::from("{\"type\":\"kiroku\",\"version\":1,\"space\":\"0197f3a2-6c10-7b54-9d2e-4b1f0c6a8e31\"}\n");
        for row in rows {
            text.push_str(&format!("{row}\n"));
        }
        let owner = ImportOptions { owner: "m1".into(), lang: Lang::En };
        space.open().import_exchange(text.as_bytes(), "test", &owner, &Cancel::new(), &|_: &Progress| {}).unwrap();
        space
    }

    /// Opens it once more, as another process would.
    pub fn open(&self) -> Arc<Workspace> {
        let data = self.dir.path().join("data");
        let space = Workspace::open(&self.dir.path().join("space.db"), Arc::new(SystemClock)).unwrap();
        Arc::new(space.with_data_dir(Some(data)))
    }

    /// A client of a server of its own.
    pub async fn connect(&self, options: ServeOptions) -> Client {
        connect(self.open(), options, ClientLifecycleMode::Initialize).await
    }

    /// The same by the newest version of the protocol, which begins without a handshake.
    pub async fn connect_newest(&self, options: ServeOptions) -> Client {
        let preferred_versions = vec![ProtocolVersion::V_2026_07_28];
        connect(self.open(), options, ClientLifecycleMode::Discover { preferred_versions }).await
    }
}

/// The options of a member with a thread.
pub fn member(thread: &str) -> ServeOptions {
    ServeOptions {
        member: Some("m1".into()),
        thread: ThreadChoice::This(thread.into()),
        resource: Some("m1".into()),
        ..ServeOptions::default()
    }
}

struct Handler(UnboundedSender<String>);

impl ClientHandler for Handler {
    async fn on_resource_updated(&self, update: ResourceUpdatedNotificationParam, _: NotificationContext<RoleClient>) {
        // Nobody waits for it any more at a test's end.
        drop(self.0.send(update.uri));
    }
}

/// A connected client.
pub struct Client {
    running: RunningService<RoleClient, Handler>,
    updates: UnboundedReceiver<String>,
    server: JoinHandle<kiroku_model::Result<()>>,
}

async fn connect(workspace: Arc<Workspace>, options: ServeOptions, lifecycle: ClientLifecycleMode) -> Client {
    let (theirs, ours) = tokio::io::duplex(1 << 16);
    let server = tokio::spawn(serve(workspace, options, theirs));
    let (sender, updates) = unbounded_channel();
    let running = Handler(sender).serve_with_lifecycle(ours, lifecycle).await.unwrap();
    Client { running, updates, server }
}

impl Client {
    /// The client's side of the protocol.
    pub fn peer(&self) -> &rmcp::Peer<RoleClient> {
        self.running.peer()
    }

    /// Calls a tool; a fault of the protocol fails the test.
    pub async fn call(&self, tool: &'static str, input: Value) -> CallToolResult {
        let Value::Object(input) = input else { panic!("{input}") };
        self.peer().call_tool(CallToolRequestParams::new(tool).with_arguments(input)).await.unwrap()
    }

    /// The structured content of a call, and whether it says that something went wrong.
    pub async fn answer(&self, tool: &'static str, input: Value) -> (Value, bool) {
        let result = self.call(tool, input).await;
        (result.structured_content.unwrap(), result.is_error.unwrap())
    }

    /// The next address that the server says was updated; that none comes for a minute fails the test.
    pub async fn updated(&mut self) -> String {
        tokio::time::timeout(std::time::Duration::from_secs(60), self.updates.recv()).await.unwrap().unwrap()
    }

    /// Whether the server has said nothing more.
    pub fn is_quiet(&mut self) -> bool {
        self.updates.try_recv().is_err()
    }

    /// Ends the connection; the server must end by itself and without an error.
    pub async fn end(self) {
        self.running.cancel().await.unwrap();
        self.server.await.unwrap().unwrap();
    }
}
