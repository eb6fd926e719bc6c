//! The tools over the space's conversations: SearchWorkspaceTasks, ListWorkspaceTasks, SearchTaskConversation,
//! ReadTaskConversation, MissionUpdate and MissionRead.

use super::input::{QueryOrAround, TaskNumber, parse, query_or_around, within};
use super::{Tool, ToolAnswer, ToolContext, answered, schema};
use crate::Workspace;
use crate::types::{
    Answer, Around, ConversationPage, Filter, MatchMode, Mission, OpenOrClosed, SearchOrAround, SearchQuery,
    SearchResults, TaskList,
};
use kiroku_model::{Author, CommentId, Error, Kind, PinList, Result, text};
use kiroku_search::{NewPin, agent_text, scope};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub(super) const TOOLS: &[Tool] = &[
    Tool {
        name: "SearchWorkspaceTasks",
        description: || {
            text!(
                en: "Searches the conversations of the other tasks in this workspace by part of a word, in any language, to recall what was asked, decided or done before. Answers excerpts; read the whole context of a hit with around_ref. Give one word or a few; several words match any of them unless match_mode is all.",
                ja: "同じワークスペースの他タスクの会話を、語の一部でも横断検索します。以前に何を頼まれ、何を決め、どう進めたかを思い出すためのツールです。答えは抜粋で、前後の全文は around_ref で読みます。キーワードは 1 語か少数の語にしてください。複数の語は既定でいずれかに一致し、match_mode: all ですべてに一致します。"
            )
        },
        input_schema: schema::<SearchWorkspaceTasksInput>,
        output_schema: schema::<Answer<SearchOrAround>>,
        read_only: true,
        destructive: false,
        run: search_workspace_tasks,
    },
    Tool {
        name: "ListWorkspaceTasks",
        description: || {
            text!(
                en: "Lists the other tasks in this workspace, newest update first: id, state, title, piece, last update. To search in one, give its id to SearchWorkspaceTasks as task_id.",
                ja: "同じワークスペースの他タスクを、更新の新しい順に一覧します（ID・状態・タイトル・piece・最終更新）。中身は SearchWorkspaceTasks に task_id を渡して検索します。"
            )
        },
        input_schema: schema::<ListWorkspaceTasksInput>,
        output_schema: schema::<Answer<TaskList>>,
        read_only: true,
        destructive: false,
        run: list_workspace_tasks,
    },
    Tool {
        name: "SearchTaskConversation",
        description: || {
            text!(
                en: "Searches the conversation of your own current task: every comment, and the inputs and outputs of tools. Reaches no other task.",
                ja: "現在のタスク自身の会話を検索します。すべてのコメントと、ツールの入力・出力が対象です。他タスクには届きません。"
            )
        },
        input_schema: schema::<SearchTaskConversationInput>,
        output_schema: schema::<Answer<SearchOrAround>>,
        read_only: true,
        destructive: false,
        run: search_task_conversation,
    },
    Tool {
        name: "ReadTaskConversation",
        description: || {
            text!(
                en: "Reads the conversation of your own current task, in pages from the start, or around one comment.",
                ja: "現在のタスク自身の会話を、先頭からページごとに、または 1 つのコメントの前後を読みます。"
            )
        },
        input_schema: schema::<ReadTaskConversationInput>,
        output_schema: schema::<Answer<PageOrAround>>,
        read_only: true,
        destructive: false,
        run: read_task_conversation,
    },
    Tool {
        name: "MissionUpdate",
        description: || {
            text!(
                en: "Pins lasting facts to your own current task, so that they are not lost: constraints that the user set, and decisions. Also removes pins. Answers all pins.",
                ja: "見失ってはならない事実（ユーザーの制約・決定）を現在のタスクにピン留めします。ピンの削除もできます。答えはすべてのピンです。"
            )
        },
        input_schema: schema::<MissionUpdateInput>,
        output_schema: schema::<Answer<Mission>>,
        read_only: false,
        destructive: true,
        run: mission_update,
    },
    Tool {
        name: "MissionRead",
        description: || text!(en: "Reads the facts pinned to your own current task.", ja: "現在のタスクにピン留めされた事実を読みます。"),
        input_schema: schema::<MissionReadInput>,
        output_schema: schema::<Answer<Mission>>,
        read_only: true,
        destructive: false,
        run: mission_read,
    },
];

/// Input of SearchWorkspaceTasks: exactly one of `query` and `around_ref`.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SearchWorkspaceTasksInput {
    /// One word, or a few separated by spaces; part of a word is enough.
    pub query: Option<String>,
    /// How several words are matched: any of them (the default), or all.
    pub match_mode: Option<MatchMode>,
    /// `comment:<id>`: read the raw conversation around this comment instead of searching.
    pub around_ref: Option<String>,
    /// Comments before and after each hit (default 0), or around the ref (default 2).
    #[schemars(range(min = 0, max = 5))]
    pub context: Option<i64>,
    /// Hits at most, with `query`; default 10.
    #[schemars(range(min = 1, max = 30))]
    pub limit: Option<i64>,
    /// Only comments of this kind: request, comment, interjection, result, ask, progress or handoff.
    pub kind: Option<String>,
    /// Only what `user`, `agent`, or the member with this id said.
    pub author: Option<String>,
    /// Only this task: a number, or `task:<id>`.
    pub task_id: Option<TaskNumber>,
}

/// The kinds that the tool filters by.
const KINDS: [Kind; 7] =
    [Kind::Request, Kind::Comment, Kind::Interjection, Kind::Result, Kind::Ask, Kind::Progress, Kind::Handoff];

fn search_workspace_tasks(workspace: &Workspace, context: &ToolContext, input: Value) -> Result<ToolAnswer> {
    let call = &context.call;
    let allowed = workspace.space().read(&call.cancel, |conn| scope::may_see_space(conn, &call.caller))?;
    if !allowed {
        return unavailable::<SearchOrAround>(context);
    }
    let input: SearchWorkspaceTasksInput = parse(input)?;
    let filter = filter(workspace, &input)?;
    let limit = within("limit", input.limit, 1, 30, 10)?;
    let asked = query_or_around(input.query, input.around_ref.as_deref())?;
    let default_context = if matches!(asked, QueryOrAround::Query(_)) { 0 } else { 2 };
    let around = within("context", input.context, 0, 5, default_context)?;
    let conversations = workspace.conversations();
    let (answer, query) = match asked {
        QueryOrAround::Query(query) => {
            let asked = SearchQuery {
                query: query.clone(),
                match_mode: input.match_mode.unwrap_or_default(),
                filter,
                limit,
                context: around,
                ..SearchQuery::default()
            };
            (conversations.search(call, &asked)?.map(for_tool), query)
        }
        QueryOrAround::Around(comment) => {
            (conversations.around(call, comment, around)?.map(SearchOrAround::Around), String::new())
        }
    };
    let text = agent_text::answer(&answer, |results| agent_text::workspace_search(results, &query, call.lang));
    answered(&answer, text)
}

/// A search as the contract writes it for tools: who of the members spoke is for the app.
fn for_tool(mut results: SearchResults) -> SearchOrAround {
    results.hits.iter_mut().for_each(|hit| hit.member = None);
    SearchOrAround::Search(results)
}

fn filter(workspace: &Workspace, input: &SearchWorkspaceTasksInput) -> Result<Filter> {
    let mut filter = Filter::default();
    if let Some(word) = &input.kind {
        let kind = Kind::from(word.as_str());
        if !KINDS.contains(&kind) {
            let known = KINDS.iter().map(Kind::as_str).collect::<Vec<_>>().join(", ");
            return Err(Error::invalid(text!(
                en: "`{word}` is no kind; the kinds are {known}",
                ja: "「{word}」という種別はありません。使えるのは {known} です"
            )));
        }
        filter.kind = Some(kind);
    }
    if let Some(author) = &input.author {
        set_author(workspace, &mut filter, author)?;
    }
    filter.task = input.task_id.as_ref().map(TaskNumber::id).transpose()?;
    Ok(filter)
}

/// Sets the author filter from `user`, `agent` or a member's id; another word is an error that lists the known ones.
pub fn set_author(workspace: &Workspace, filter: &mut Filter, author: &str) -> Result<()> {
    match author {
        "user" => filter.author = Some(Author::User),
        "agent" => filter.author = Some(Author::Agent),
        id => {
            let members = workspace.members()?;
            if !members.iter().any(|member| member.id == id) {
                let known = members.iter().map(|member| member.id.as_str()).collect::<Vec<_>>().join(", ");
                return Err(Error::invalid(text!(
                    en: "`{id}` is no author: give user, agent, or a member ({known})",
                    ja: "「{id}」という発言者はいません。user、agent、またはメンバー（{known}）を指定してください"
                )));
            }
            filter.member = Some(id.to_owned());
        }
    }
    Ok(())
}

/// Input of ListWorkspaceTasks.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ListWorkspaceTasksInput {
    /// Only `open` tasks (queued, running, waiting) or `closed` ones (completed, failed, interrupted).
    pub state: Option<OpenOrClosed>,
    /// Tasks at most; default 20.
    #[schemars(range(min = 1, max = 50))]
    pub limit: Option<i64>,
}

fn list_workspace_tasks(workspace: &Workspace, context: &ToolContext, input: Value) -> Result<ToolAnswer> {
    let call = &context.call;
    let allowed = workspace.space().read(&call.cancel, |conn| scope::may_see_space(conn, &call.caller))?;
    if !allowed {
        return unavailable::<TaskList>(context);
    }
    let input: ListWorkspaceTasksInput = parse(input)?;
    let answer = workspace.conversations().list(call, input.state, within("limit", input.limit, 1, 50, 20)?)?;
    let text = agent_text::answer(&answer, |list| agent_text::task_list(list, call.lang));
    answered(&answer, text)
}

/// Input of SearchTaskConversation: exactly one of `query` and `around_ref`.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SearchTaskConversationInput {
    /// One word, or a few separated by spaces; part of a word is enough.
    pub query: Option<String>,
    /// How several words are matched: any of them (the default), or all.
    pub match_mode: Option<MatchMode>,
    /// `comment:<id>`: read the raw conversation around this comment instead of searching.
    pub around_ref: Option<String>,
    /// Comments before and after each hit (default 0), or around the ref (default 2).
    #[schemars(range(min = 0, max = 5))]
    pub context: Option<i64>,
    /// Hits at most; default 10.
    #[schemars(range(min = 1, max = 30))]
    pub limit: Option<i64>,
}

fn search_task_conversation(workspace: &Workspace, context: &ToolContext, input: Value) -> Result<ToolAnswer> {
    let call = &context.call;
    if !has_own_task(workspace, context)? {
        return unavailable::<SearchOrAround>(context);
    }
    let input: SearchTaskConversationInput = parse(input)?;
    let limit = within("limit", input.limit, 1, 30, 10)?;
    let asked = query_or_around(input.query, input.around_ref.as_deref())?;
    let default_context = if matches!(asked, QueryOrAround::Query(_)) { 0 } else { 2 };
    let around = within("context", input.context, 0, 5, default_context)?;
    let conversations = workspace.conversations();
    let (answer, query) = match asked {
        QueryOrAround::Query(query) => {
            let mode = input.match_mode.unwrap_or_default();
            (conversations.search_own(call, &query, mode, limit, around)?.map(for_tool), query)
        }
        QueryOrAround::Around(comment) => {
            (conversations.around_own(call, comment, around)?.map(SearchOrAround::Around), String::new())
        }
    };
    let text = agent_text::answer(&answer, |results| agent_text::conversation_search(results, &query, call.lang));
    answered(&answer, text)
}

/// Input of ReadTaskConversation: a page, or with `around_ref` what stands around a comment.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ReadTaskConversationInput {
    /// Comments to pass over from the start; default 0.
    #[schemars(range(min = 0))]
    pub offset: Option<i64>,
    /// Comments at most; default 50.
    #[schemars(range(min = 1, max = 200))]
    pub limit: Option<i64>,
    /// `comment:<id>`: read around this comment instead.
    pub around_ref: Option<String>,
    /// Comments before and after the ref; default 2.
    #[schemars(range(min = 0, max = 5))]
    pub context: Option<i64>,
}

/// Both answers of ReadTaskConversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum PageOrAround {
    /// A page.
    Page(ConversationPage),
    /// What stands around an `around_ref`.
    Around(Around),
}

fn read_task_conversation(workspace: &Workspace, context: &ToolContext, input: Value) -> Result<ToolAnswer> {
    let call = &context.call;
    if !has_own_task(workspace, context)? {
        return unavailable::<PageOrAround>(context);
    }
    let input: ReadTaskConversationInput = parse(input)?;
    let offset = within("offset", input.offset, 0, i64::MAX, 0)?;
    let limit = within("limit", input.limit, 1, 200, 50)?;
    let around = within("context", input.context, 0, 5, 2)?;
    let conversations = workspace.conversations();
    let answer = match &input.around_ref {
        Some(reference) => {
            conversations.around_own(call, CommentId::parse(reference)?, around)?.map(PageOrAround::Around)
        }
        None => conversations.read_own(call, offset as u64, limit)?.map(PageOrAround::Page),
    };
    let text = agent_text::answer(&answer, |read| match read {
        PageOrAround::Page(page) => agent_text::conversation(page, call.lang),
        PageOrAround::Around(around) => {
            agent_text::conversation_search(&SearchOrAround::Around(around.clone()), "", call.lang)
        }
    });
    answered(&answer, text)
}

/// A fact to be pinned.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewPinInput {
    /// The fact, in a sentence.
    pub text: String,
    /// The comment that says so, as `comment:<id>`.
    #[serde(default, rename = "ref")]
    pub reference: Option<String>,
}

/// Input of MissionUpdate.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct MissionUpdateInput {
    /// What the user demands, to be pinned.
    pub user_constraints: Option<Vec<NewPinInput>>,
    /// What was decided, to be pinned.
    pub decisions: Option<Vec<NewPinInput>>,
    /// Ids of pins to be removed.
    pub remove: Option<Vec<i64>>,
}

fn mission_update(workspace: &Workspace, context: &ToolContext, input: Value) -> Result<ToolAnswer> {
    let call = &context.call;
    if !has_own_task(workspace, context)? {
        return unavailable::<Mission>(context);
    }
    let input: MissionUpdateInput = parse(input)?;
    if input.user_constraints.is_none() && input.decisions.is_none() && input.remove.is_none() {
        return Err(Error::invalid(text!(
            en: "give user_constraints, decisions or remove",
            ja: "user_constraints、decisions、remove のいずれかを指定してください"
        )));
    }
    let lists = [(PinList::UserConstraints, input.user_constraints), (PinList::Decisions, input.decisions)];
    let add = lists
        .into_iter()
        .flat_map(|(list, pins)| pins.unwrap_or_default().into_iter().map(move |pin| (list, pin)))
        .map(|(list, pin)| {
            let comment = pin.reference.as_deref().map(CommentId::parse).transpose()?;
            Ok(NewPin { list, text: pin.text, comment, imported: None })
        })
        .collect::<Result<Vec<_>>>()?;
    let answer = workspace.conversations().update_mission(call, &add, &input.remove.unwrap_or_default())?;
    let text = agent_text::answer(&answer, |mission| agent_text::mission(mission, call.lang));
    answered(&answer, text)
}

/// Input of MissionRead: none.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MissionReadInput {}

fn mission_read(workspace: &Workspace, context: &ToolContext, input: Value) -> Result<ToolAnswer> {
    let call = &context.call;
    if !has_own_task(workspace, context)? {
        return unavailable::<Mission>(context);
    }
    let MissionReadInput {} = parse(input)?;
    let answer = workspace.conversations().mission(call)?;
    let text = agent_text::answer(&answer, |mission| agent_text::mission(mission, call.lang));
    answered(&answer, text)
}

fn has_own_task(workspace: &Workspace, context: &ToolContext) -> Result<bool> {
    let call = &context.call;
    workspace.space().read(&call.cancel, |conn| scope::own_task(conn, &call.caller)).map(|task| task.is_some())
}

fn unavailable<T: Serialize>(context: &ToolContext) -> Result<ToolAnswer> {
    let answer: Answer<T> = Answer::not_in_this_context(context.call.lang);
    answered(&answer, agent_text::answer(&answer, |_| String::new()))
}
