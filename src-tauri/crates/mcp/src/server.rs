//! The server: what each request of the protocol is answered with.

use crate::identity::Identity;
use crate::uri::Place;
use crate::watch::{Sink, Subscriptions};
use crate::work::Work;
use crate::{ServeOptions, prompts, resources, schema};
use kiroku_api::Workspace;
use kiroku_api::tools::{self, ToolAnswer, ToolContext};
use kiroku_model::{Error, ErrorCode, Lang, Result, text};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData, GetPromptRequestParams,
    GetPromptResponse, Implementation, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult,
    ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult,
    ServerCapabilities, ServerConfig, SubscribeRequestParams, SubscriptionFilter, Tool, ToolAnnotations,
    UnsubscribeRequestParams,
};
use rmcp::service::{RequestContext, ServerInitializeError, SubscriptionContext};
use rmcp::transport::IntoTransport;
use rmcp::{RoleServer, ServerHandler, ServiceExt};
use serde_json::{Value, json};
use std::sync::Arc;

/// Serves one connection until its input ends. Calls are answered beside each other; those that are still at work when
/// the input ends have a few seconds to be answered. A connection that ends before it has begun is no error; one that
/// does not begin as the protocol says is.
pub async fn serve<T, E, A>(workspace: Arc<Workspace>, options: ServeOptions, transport: T) -> Result<()>
where
    T: IntoTransport<RoleServer, E, A>,
    E: std::error::Error + Send + Sync + 'static,
{
    let server = Server::new(workspace, options)?;
    let subscriptions = server.subscriptions.clone();
    let running = match server.serve(transport).await {
        Ok(running) => running,
        Err(ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => {
            return Err(Error::invalid(text!(
                en: "the client does not speak MCP: {error}",
                ja: "クライアントとの MCP の通信を始められません: {error}"
            )));
        }
    };
    let ended = running.waiting().await;
    tokio::task::spawn_blocking(move || subscriptions.close()).await.map_err(Error::internal)?;
    ended.map(drop).map_err(Error::internal)
}

struct Server {
    workspace: Arc<Workspace>,
    identity: Arc<Identity>,
    subscriptions: Subscriptions,
    work: Work,
    tools: Vec<Tool>,
}

impl Server {
    fn new(workspace: Arc<Workspace>, options: ServeOptions) -> Result<Server> {
        let identity = Arc::new(Identity::new(options)?);
        let tools = tools::tools().map(|tool| described(tool, identity.lang())).collect();
        let subscriptions = Subscriptions::new(Arc::clone(&workspace));
        Ok(Server { workspace, identity, subscriptions, work: Work::new(), tools })
    }

    /// Runs `job` as this connection, where it may block.
    async fn run<T: Send + 'static>(
        &self,
        request: &RequestContext<RoleServer>,
        job: impl FnOnce(&Workspace, &ToolContext) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let (workspace, identity) = (Arc::clone(&self.workspace), Arc::clone(&self.identity));
        self.work
            .run(request.ct.cancelled(), move |cancel| job(&workspace, &identity.context(&workspace, cancel)?))
            .await
    }

    /// [`Server::run`] for the requests whose failures are the protocol's.
    async fn ask<T: Send + 'static>(
        &self,
        request: &RequestContext<RoleServer>,
        job: impl FnOnce(&Workspace, &ToolContext) -> Result<T> + Send + 'static,
    ) -> Result<T, ErrorData> {
        self.run(request, job).await.map_err(|error| self.fault(&error))
    }

    fn fault(&self, error: &Error) -> ErrorData {
        let wire = error.to_wire(self.identity.lang());
        let data = Some(json!({ "error": wire }));
        match error.code() {
            ErrorCode::NotFound => ErrorData::resource_not_found(wire.message, data),
            ErrorCode::InvalidInput => ErrorData::invalid_params(wire.message, data),
            _ => ErrorData::internal_error(wire.message, data),
        }
    }

    /// Subscribes addresses, if each is a place that this connection may see.
    async fn follow(
        &self,
        request: &RequestContext<RoleServer>,
        uris: Vec<String>,
        sink: Sink,
    ) -> Result<(), ErrorData> {
        let (subscriptions, runtime) = (self.subscriptions.clone(), tokio::runtime::Handle::current());
        self.ask(request, move |workspace, context| {
            for uri in uris {
                let place = resources::place(workspace, context, &uri)?;
                subscriptions.add(uri, place, sink.clone(), &runtime)?;
            }
            Ok(())
        })
        .await
    }
}

/// A tool of the catalogue as MCP describes it.
fn described(tool: &tools::Tool, lang: Lang) -> Tool {
    let annotations = ToolAnnotations::new().read_only(tool.read_only).destructive(tool.destructive).open_world(false);
    Tool::new(tool.name, tool.described(lang), schema::input((tool.input_schema)()))
        .with_raw_output_schema(Arc::new(schema::output((tool.output_schema)())))
        .with_annotations(annotations)
}

/// What a tool answered, or why it rejected the call: the caller can mend its input, so that is a result too.
fn result(answer: Result<ToolAnswer>, lang: Lang) -> CallToolResult {
    let (text, value, is_error) = match answer {
        Ok(ToolAnswer { value, text, is_error }) => (text, value, is_error),
        Err(error) => {
            if error.code() == ErrorCode::Internal {
                tracing::error!(%error, "a tool failed");
            }
            let wire = error.to_wire(lang);
            (wire.message.clone(), json!({ "error": wire }), true)
        }
    };
    let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
    result.structured_content = Some(value);
    result.is_error = Some(is_error);
    result
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let instructions = text!(
            en: "Kiroku is this workspace's record. Before you begin, search it for what was asked, decided or done before (SearchWorkspaceTasks, MemorySearch, KnowledgeSearch). Keep your task list with task_write while you work: people see it. Write down what lasts with MemoryWrite and MissionUpdate.",
            ja: "Kiroku はこのワークスペースの記録です。始める前に、以前の依頼・決定・経緯を検索してください（SearchWorkspaceTasks、MemorySearch、KnowledgeSearch）。作業中は task_write でタスクリストを保ってください。人が見ています。残すべきことは MemoryWrite と MissionUpdate で書き留めてください。"
        );
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .enable_resources_subscribe()
            .enable_prompts()
            .build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("kiroku", env!("CARGO_PKG_VERSION")))
            .with_instructions(instructions.get(self.identity.lang()))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools.clone()))
    }

    async fn call_tool(
        &self,
        called: CallToolRequestParams,
        request: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let tool = tools::tool(&called.name).map_err(|error| self.fault(&error))?;
        let input = called.arguments.map_or(Value::Null, Value::Object);
        let answer = self.run(&request, move |workspace, context| tool.call(workspace, context, input)).await;
        Ok(result(answer, self.identity.lang()).into())
    }

    async fn list_resources(
        &self,
        page: Option<PaginatedRequestParams>,
        request: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let cursor = page.and_then(|page| page.cursor);
        let (found, next) = self
            .ask(&request, move |workspace, context| resources::list(workspace, context, cursor.as_deref()))
            .await?;
        let mut result = ListResourcesResult::with_all_items(found);
        result.next_cursor = next;
        Ok(result)
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(resources::templates(self.identity.lang())))
    }

    async fn read_resource(
        &self,
        read: ReadResourceRequestParams,
        request: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let contents =
            self.ask(&request, move |workspace, context| resources::read(workspace, context, &read.uri)).await?;
        Ok(ReadResourceResult::new(vec![contents]).into())
    }

    #[allow(deprecated, reason = "clients of the protocol's versions until 2025-11-25 subscribe so")]
    async fn subscribe(
        &self,
        params: SubscribeRequestParams,
        request: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let sink = Sink::Connection(request.peer.clone());
        self.follow(&request, vec![params.uri], sink).await
    }

    #[allow(deprecated, reason = "clients of the protocol's versions until 2025-11-25 subscribe so")]
    async fn unsubscribe(
        &self,
        params: UnsubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        let subscriptions = self.subscriptions.clone();
        tokio::task::spawn_blocking(move || subscriptions.remove(&params.uri))
            .await
            .map_err(|error| self.fault(&Error::internal(error)))
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        let known = requested.resource_subscriptions.iter().flatten().filter(|uri| Place::parse(uri).is_some());
        Some(SubscriptionFilter::builder().resource_subscriptions(known.cloned()).build())
    }

    async fn listen(&self, context: SubscriptionContext) -> Result<(), ErrorData> {
        let request = context.request_context();
        let uris = context.accepted().resource_subscriptions.clone().unwrap_or_default();
        let followed = self.follow(request, uris.clone(), Sink::Request(context.sink().clone())).await;
        if followed.is_ok() {
            // The request was acknowledged before it was followed: what was written in between is told here.
            for uri in uris {
                drop(context.sink().notify_resource_updated(uri).await);
            }
            context.cancelled().await;
        }
        let (subscriptions, id) = (self.subscriptions.clone(), request.id.clone());
        tokio::task::spawn_blocking(move || subscriptions.remove_request(&id))
            .await
            .map_err(|error| self.fault(&Error::internal(error)))?;
        followed
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(prompts::all(self.identity.lang())))
    }

    async fn get_prompt(
        &self,
        asked: GetPromptRequestParams,
        request: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let prompt =
            self.ask(&request, move |workspace, context| prompts::get(workspace, context, &asked.name)).await?;
        Ok(prompt.into())
    }
}
