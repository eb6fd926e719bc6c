//! Resources, their subscriptions and prompts, as a client of the protocol meets them.
#![allow(clippy::unwrap_used, clippy::panic, reason = "test code")]
#![allow(deprecated, reason = "clients of the protocol's versions until 2025-11-25 subscribe so")]

mod common;

use common::{Client, Space, member};
use kiroku_api::Workspace;
use kiroku_api::lists::input::TaskWrite;
use kiroku_api::lists::{Door, ThreadKey, Writer};
use kiroku_mcp::ServeOptions;
use rmcp::ServiceError;
use rmcp::model::{
    ErrorCode, GetPromptRequestParams, PaginatedRequestParams, ReadResourceRequestParams, ServerNotification,
    SubscribeRequestParams, SubscriptionFilter, UnsubscribeRequestParams,
};
use serde_json::{Value, json};

const KNOWLEDGE: &str = "---\nkind: procedure\ndescription: How tax is rounded\nmodel_invokation: true\nuser_invocable: true\nlast_sources: []\ncreated_at: 2026-06-20T10:00:00Z\nupdated_at: 2026-06-20T10:00:00Z\n---\n端数は税率ごとに一度だけ丸める。\n";

fn write_as_app(workspace: &Workspace, thread: &str, content: &str) {
    let key = ThreadKey::new(thread, "m1").unwrap();
    let input =
        TaskWrite::read(&json!({"tasks": [{"content": content, "status": "pending", "activeForm": "A"}]})).unwrap();
    let writer = Writer::new("m1", Door::App);
    assert!(!workspace.lists().task_write(&Default::default(), Some(&key), &writer, &input).unwrap().is_error);
}

async fn read(client: &Client, uri: &str) -> Result<String, ServiceError> {
    let read = client.peer().read_resource(ReadResourceRequestParams::new(uri)).await?;
    let contents = serde_json::to_value(&read.contents[0]).unwrap();
    assert_eq!(contents["uri"], uri);
    Ok(contents["text"].as_str().unwrap().to_owned())
}

async fn is_missing(client: &Client, uri: &str) -> bool {
    matches!(read(client, uri).await, Err(ServiceError::McpError(error)) if error.code == ErrorCode::RESOURCE_NOT_FOUND)
}

async fn listed(client: &Client) -> Vec<String> {
    client.peer().list_all_resources().await.unwrap().into_iter().map(|resource| resource.uri).collect()
}

#[tokio::test]
async fn a_member_finds_lists_and_records() {
    let space = Space::new();
    let root = space.dir.path();
    std::fs::create_dir_all(root.join("memory/decisions")).unwrap();
    std::fs::create_dir_all(root.join("knowledge")).unwrap();
    std::fs::write(root.join("memory/summary.md"), "---\nupdated_at: 2026-06-20T10:00:00Z\n---\n要約\n").unwrap();
    std::fs::write(root.join("knowledge/tax-rounding.md"), KNOWLEDGE).unwrap();
    let workspace = space.open();
    write_as_app(&workspace, "会話/1", "調べる");

    let client = space.connect(member("own")).await;
    let other = "kiroku://threads/%E4%BC%9A%E8%A9%B1%2F1/tasks";
    assert_eq!(
        listed(&client).await,
        [
            "kiroku://threads/own/tasks",
            "kiroku://memory/summary",
            "kiroku://memory/resident",
            "kiroku://knowledge/tax-rounding",
            other
        ]
    );
    let list: Value = serde_json::from_str(&read(&client, other).await.unwrap()).unwrap();
    assert_eq!((&list["thread"], &list["version"], &list["resource"]), (&json!("会話/1"), &json!(1), &json!("m1")));
    assert_eq!(list["items"][0]["content"], "調べる");
    let own: Value = serde_json::from_str(&read(&client, "kiroku://threads/own/tasks").await.unwrap()).unwrap();
    assert_eq!((&own["version"], &own["items"]), (&json!(0), &json!([])));
    assert!(read(&client, "kiroku://memory/summary").await.unwrap().contains("要約"));
    assert_eq!(read(&client, "kiroku://memory/resident").await.unwrap(), "tax-rounding: How tax is rounded\n");
    assert_eq!(read(&client, "kiroku://knowledge/tax-rounding").await.unwrap(), KNOWLEDGE);
    for missing in ["kiroku://knowledge/none-such", "kiroku://elsewhere", "file:///etc/passwd"] {
        assert!(is_missing(&client, missing).await, "{missing}");
    }
    let escape = read(&client, "kiroku://knowledge/..%2F..%2Fetc%2Fpasswd").await;
    assert!(matches!(escape, Err(ServiceError::McpError(_))), "{escape:?}");
    let templates = client.peer().list_all_resource_templates().await.unwrap();
    let forms: Vec<&str> = templates.iter().map(|template| template.uri_template.as_str()).collect();
    assert_eq!(forms, ["kiroku://threads/{id}/tasks", "kiroku://knowledge/{slug}"]);

    let prompts = client.peer().list_all_prompts().await.unwrap();
    assert_eq!(prompts.iter().map(|prompt| prompt.name.as_str()).collect::<Vec<_>>(), ["resident"]);
    let prompt = client.peer().get_prompt(GetPromptRequestParams::new("resident")).await.unwrap();
    assert!(serde_json::to_string(&prompt).unwrap().contains("tax-rounding: How tax is rounded"));
    assert!(client.peer().get_prompt(GetPromptRequestParams::new("none")).await.is_err());
    client.end().await;
}

#[tokio::test]
async fn others_see_their_own_list_alone() {
    let space = Space::new();
    write_as_app(&space.open(), "other", "secret");
    let stranger = ServeOptions { member: Some("m9".into()), ..member("own") };
    let subtask = ServeOptions { subtask: true, ..member("own") };
    for (options, memory) in [(stranger, false), (subtask, true)] {
        let client = space.connect(options).await;
        let found = listed(&client).await;
        assert_eq!(found[0], "kiroku://threads/own/tasks");
        assert!(!found.iter().any(|uri| uri.contains("other")), "{found:?}");
        assert_eq!(found.contains(&"kiroku://memory/resident".to_owned()), memory);
        assert!(read(&client, "kiroku://threads/own/tasks").await.is_ok());
        assert!(is_missing(&client, "kiroku://threads/other/tasks").await);
        assert_eq!(is_missing(&client, "kiroku://memory/resident").await, !memory);
        let refused = client.peer().subscribe(SubscribeRequestParams::new("kiroku://threads/other/tasks")).await;
        assert!(refused.is_err());
        client.end().await;
    }
    let nobody = space.connect(ServeOptions::default()).await;
    assert_eq!(listed(&nobody).await, [] as [&str; 0]);
    nobody.end().await;
}

#[tokio::test]
async fn a_long_list_of_threads_comes_in_pages() {
    let space = Space::new();
    let workspace = space.open();
    for number in 0..120 {
        write_as_app(&workspace, &format!("t{number}"), "a");
    }
    let client = space.connect(member("t60")).await;
    let mut found = listed(&client).await;
    found.retain(|uri| uri.starts_with("kiroku://threads/"));
    found.sort();
    let mut expected: Vec<String> = (0..120).map(|number| format!("kiroku://threads/t{number}/tasks")).collect();
    expected.sort();
    assert_eq!(found, expected);
    let bad = PaginatedRequestParams::default().with_cursor(Some("x".into()));
    assert!(client.peer().list_resources(Some(bad)).await.is_err());
    client.end().await;
}

#[tokio::test]
async fn a_subscriber_is_told_whichever_process_wrote() {
    let space = Space::new();
    let workspace = space.open();
    let mut client = space.connect(member("own")).await;
    let (own, other) = ("kiroku://threads/own/tasks", "kiroku://threads/task%3A7x/tasks");
    for uri in [own, other, own] {
        client.peer().subscribe(SubscribeRequestParams::new(uri)).await.unwrap();
    }
    // Another connection to the file, as another process has; then this very connection.
    write_as_app(&workspace, "own", "by the app");
    assert_eq!(client.updated().await, own);
    let input = json!({"tasks": [{"content": "by the agent", "status": "pending", "activeForm": "A"}]});
    client.answer("task_write", input).await;
    assert_eq!(client.updated().await, own);
    // The address comes back as it was written.
    write_as_app(&workspace, "task:7x", "a");
    assert_eq!(client.updated().await, other);
    // A list that nobody subscribed, and one that nobody subscribes any more, are not told.
    client.peer().unsubscribe(UnsubscribeRequestParams::new(own)).await.unwrap();
    write_as_app(&workspace, "unknown", "a");
    write_as_app(&workspace, "own", "unseen");
    write_as_app(&workspace, "task:7x", "b");
    assert_eq!(client.updated().await, other);
    assert!(client.is_quiet());
    // Subscribed again after everything had stopped.
    client.peer().unsubscribe(UnsubscribeRequestParams::new(other)).await.unwrap();
    client.peer().subscribe(SubscribeRequestParams::new(own)).await.unwrap();
    write_as_app(&workspace, "own", "seen again");
    assert_eq!(client.updated().await, own);
    assert!(client.peer().subscribe(SubscribeRequestParams::new("kiroku://nothing")).await.is_err());
    client.end().await;
}

#[tokio::test]
async fn a_subscriber_is_told_of_records() {
    let space = Space::new();
    let root = space.dir.path();
    for directory in ["memory/decisions", "memory/requests", "knowledge"] {
        std::fs::create_dir_all(root.join(directory)).unwrap();
    }
    let mut client = space.connect(member("own")).await;
    let (summary, slug) = ("kiroku://memory/summary", "kiroku://knowledge/tax-rounding");
    for uri in [summary, slug] {
        client.peer().subscribe(SubscribeRequestParams::new(uri)).await.unwrap();
    }
    std::fs::write(root.join("knowledge/tax-rounding.md"), KNOWLEDGE).unwrap();
    assert_eq!(client.updated().await, slug);
    std::fs::write(root.join("memory/summary.md"), "---\nupdated_at: 2026-06-20T10:00:00Z\n---\n要約\n").unwrap();
    // The first file's notice may come in two.
    while client.updated().await != summary {}
    client.end().await;
}

#[tokio::test]
async fn the_newest_protocol_subscribes_by_an_open_request() {
    let space = Space::new();
    let workspace = space.open();
    let client = space.connect_newest(member("own")).await;
    let own = "kiroku://threads/own/tasks";
    let filter = SubscriptionFilter::builder().resource_subscriptions([own, "kiroku://nothing"]).build();
    let mut subscription = client.peer().listen(filter).await.unwrap();
    let mut told = async || {
        let told = subscription.next().await.unwrap().unwrap();
        let ServerNotification::ResourceUpdatedNotification(update) = told else { panic!("{told:?}") };
        update.params.uri
    };
    // What was written before it was followed.
    assert_eq!(told().await, own);
    write_as_app(&workspace, "own", "by the app");
    assert_eq!(told().await, own);
    subscription.cancel().await.unwrap();
    let (value, _) = client.answer("task_check", json!({})).await;
    assert_eq!(value["tasks"][0]["content"], "by the app");
    client.end().await;
}
