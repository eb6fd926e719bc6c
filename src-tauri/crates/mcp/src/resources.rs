//! Resources: the state that an agent may want to see without calling for it.

use crate::identity::{is_member, may_see_thread};
use crate::uri::{KNOWLEDGE_TEMPLATE, Place, THREAD_TEMPLATE};
use kiroku_api::Workspace;
use kiroku_api::records::{RecordKind, RecordRef, resident_text};
use kiroku_api::tools::ToolContext;
use kiroku_model::{Error, ErrorCode, Lang, Result, Text, text};
use rmcp::model::{Resource, ResourceContents, ResourceTemplate};

const JSON: &str = "application/json";
const MARKDOWN: &str = "text/markdown";
const PLAIN: &str = "text/plain";

/// Threads on one page of the list.
const PAGE: usize = 100;

/// The place at an address, if this caller may see it; else there is none, and no word of why.
pub(crate) fn place(workspace: &Workspace, context: &ToolContext, uri: &str) -> Result<Place> {
    let place = Place::parse(uri);
    let seen = match &place {
        Some(Place::Thread(thread)) => may_see_thread(workspace, context, thread)?,
        Some(Place::Summary | Place::Resident | Place::Knowledge(_)) => is_member(workspace, &context.call.caller)?,
        None => false,
    };
    place.filter(|_| seen).ok_or_else(|| {
        Error::not_found(text!(en: "there is no resource {uri}", ja: "リソース {uri} はありません")).with("uri", uri)
    })
}

/// A page of the resources that this caller may see, and where the next one begins.
pub(crate) fn list(
    workspace: &Workspace,
    context: &ToolContext,
    cursor: Option<&str>,
) -> Result<(Vec<Resource>, Option<String>)> {
    let lang = context.call.lang;
    let offset = match cursor {
        None => 0,
        Some(cursor) => cursor.parse().map_err(|_| {
            Error::invalid(
                text!(en: "`{cursor}` is no cursor of this list", ja: "「{cursor}」はこの一覧のカーソルではありません"),
            )
        })?,
    };
    let own = context.thread.as_ref().map(|key| key.thread());
    let mut found = Vec::new();
    if offset == 0 {
        found.extend(own.map(|thread| list_of(thread, lang)));
        if is_member(workspace, &context.call.caller)? {
            found.extend(records(workspace, lang)?);
        }
    }
    if !may_see_thread(workspace, context, "")? {
        return Ok((found, None));
    }
    let board = workspace.lists().board(&context.call, offset, PAGE)?;
    let next = offset.saturating_add(board.threads.len());
    let more = !board.threads.is_empty() && (next as u64) < board.total;
    let others = board.threads.iter().filter(|glance| Some(glance.thread.as_str()) != own);
    found.extend(others.map(|glance| list_of(&glance.thread, lang)));
    Ok((found, more.then(|| next.to_string())))
}

fn list_of(thread: &str, lang: Lang) -> Resource {
    let said = text!(en: "Task list of {thread}", ja: "{thread} のタスクリスト");
    let place = Place::Thread(thread.to_owned());
    Resource::new(place.uri(), said.get(lang)).with_mime_type(JSON)
}

/// The memory resources that there are. A space without engine 2 has none.
fn records(workspace: &Workspace, lang: Lang) -> Result<Vec<Resource>> {
    let memory = match workspace.memory() {
        Err(error) if error.code() == ErrorCode::Unavailable => return Ok(Vec::new()),
        memory => memory?,
    };
    let resource = |place: Place, name: &str, mime| Resource::new(place.uri(), name).with_mime_type(mime);
    let mut found = Vec::new();
    if !memory.root().list(RecordKind::Summary)?.entries.is_empty() {
        let said = text!(en: "The memory's summary", ja: "メモリの要約");
        found.push(resource(Place::Summary, said.get(lang), MARKDOWN));
    }
    found.push(resource(Place::Resident, resident_title().get(lang), PLAIN));
    found.extend(memory.root().list(RecordKind::Knowledge)?.entries.into_iter().map(|entry| {
        let slug = entry.record.slug.as_str();
        resource(Place::Knowledge(slug.to_owned()), slug, MARKDOWN)
    }));
    Ok(found)
}

/// What the resident list is.
pub(crate) fn resident_title() -> Text {
    text!(en: "Knowledge to know of: slug and description", ja: "知っておくべきナレッジの一覧（slug と説明）")
}

/// The resident list.
pub(crate) fn resident(workspace: &Workspace) -> Result<String> {
    let (residents, _) = workspace.memory()?.resident()?;
    Ok(resident_text(&residents))
}

/// The forms of address that are not in the list one by one.
pub(crate) fn templates(lang: Lang) -> Vec<ResourceTemplate> {
    let template = |uri, name, said: Text, mime| {
        ResourceTemplate::new(uri, name).with_description(said.get(lang)).with_mime_type(mime)
    };
    vec![
        template(
            THREAD_TEMPLATE,
            "tasks",
            text!(en: "The task list of a thread, as it stands now", ja: "スレッドのタスクリストの現在の状態"),
            JSON,
        ),
        template(KNOWLEDGE_TEMPLATE, "knowledge", text!(en: "A knowledge record", ja: "ナレッジの記録"), MARKDOWN),
    ]
}

/// What stands at an address.
pub(crate) fn read(workspace: &Workspace, context: &ToolContext, uri: &str) -> Result<ResourceContents> {
    let (text, mime) = match place(workspace, context, uri)? {
        Place::Thread(thread) => {
            let list = workspace.lists().projection(&context.call, &thread)?;
            (serde_json::to_string(&list).map_err(Error::internal)?, JSON)
        }
        Place::Resident => (resident(workspace)?, PLAIN),
        Place::Summary => (record(workspace, RecordKind::Summary, None)?, MARKDOWN),
        Place::Knowledge(slug) => (record(workspace, RecordKind::Knowledge, Some(&slug))?, MARKDOWN),
    };
    Ok(ResourceContents::text(text, uri).with_mime_type(mime))
}

/// A record's text. A slug that can be none is a record that is not there.
fn record(workspace: &Workspace, kind: RecordKind, slug: Option<&str>) -> Result<String> {
    Ok(workspace.memory()?.read(&RecordRef::new(kind, slug)?)?.text)
}
