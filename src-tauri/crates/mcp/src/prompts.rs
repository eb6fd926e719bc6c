//! Prompts: what a person may hand to an agent by name.

use crate::identity::is_member;
use crate::resources::{resident, resident_title};
use kiroku_api::Workspace;
use kiroku_api::tools::ToolContext;
use kiroku_model::{Error, Lang, Result, text};
use rmcp::model::{GetPromptResult, Prompt, PromptMessage, Role};

/// The resident list, for clients that offer prompts and not resources.
const RESIDENT: &str = "resident";

/// All prompts; none takes an argument.
pub(crate) fn all(lang: Lang) -> Vec<Prompt> {
    vec![Prompt::new(RESIDENT, Some(resident_title().get(lang)), None)]
}

/// A prompt by its name.
pub(crate) fn get(workspace: &Workspace, context: &ToolContext, name: &str) -> Result<GetPromptResult> {
    if name != RESIDENT || !is_member(workspace, &context.call.caller)? {
        return Err(Error::invalid(text!(en: "there is no prompt `{name}`", ja: "プロンプト「{name}」はありません")));
    }
    let list = resident(workspace)?;
    let text = text!(
        en: "This workspace's knowledge records, as slug: description. Read one with MemoryRead when it bears on your work.\n\n{list}",
        ja: "このワークスペースのナレッジの一覧です（slug: 説明）。作業に関わるものは MemoryRead で読んでください。\n\n{list}"
    );
    let message = PromptMessage::new_text(Role::User, text.get(context.call.lang));
    Ok(GetPromptResult::new(vec![message]).with_description(resident_title().get(context.call.lang)))
}
