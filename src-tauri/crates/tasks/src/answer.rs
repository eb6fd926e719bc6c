//! What the tools answer: the contract's fields, and a text that says the same to whoever reads it: counts, ids, the
//! running item, what to do next.

use crate::rules::{self, Refusal};
use crate::{Item, Status, Summary};
use kiroku_model::{Lang, Text, Time, text};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// What `task_write`, `task_update` and `task_complete` answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TaskToolResult {
    /// For reading.
    pub content: String,
    /// The whole list as it stands now, with every id.
    pub tasks: Vec<Item>,
    /// Whether the call was refused; then nothing was changed.
    pub is_error: bool,
}

/// What `task_check` answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TaskCheckResult {
    /// For reading.
    pub content: String,
    /// The whole list as it stands now, with every id.
    pub tasks: Vec<Item>,
    /// What the list adds up to.
    pub summary: Summary,
    /// What is not done yet: the running item first, then those to do.
    pub incomplete_tasks: Vec<Item>,
    /// Whether the list could not be checked.
    pub is_error: bool,
    /// What people noted on items of the list, oldest first; left out when there is nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<ItemNote>,
    /// Ids of the items that a person has ticked as reviewed; left out when there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reviewed: Vec<String>,
}

/// A person's note on an item, for the agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ItemNote {
    /// The item's id.
    pub id: String,
    /// What it says.
    pub text: String,
    /// The member who wrote it.
    pub by: String,
    /// When, in RFC 3339.
    #[schemars(with = "String")]
    pub at: Time,
}

impl TaskToolResult {
    /// An accepted call: `headline` says what it did.
    pub(crate) fn accepted(headline: Text, items: Vec<Item>, lang: Lang) -> TaskToolResult {
        let content = format!("{}\n{}", headline.get(lang), describe(&items, lang));
        TaskToolResult { content, tasks: items, is_error: false }
    }

    /// A refused call: the list stays as it is.
    pub(crate) fn refused(refusal: &Refusal, items: Vec<Item>, lang: Lang) -> TaskToolResult {
        let content = format!("{}\n{}", refusal.message().get(lang), describe(&items, lang));
        TaskToolResult { content, tasks: items, is_error: true }
    }

    /// A call without a thread and a resource.
    pub(crate) fn without_memory(lang: Lang) -> TaskToolResult {
        TaskToolResult { content: no_memory().get(lang).to_owned(), tasks: Vec::new(), is_error: true }
    }
}

impl TaskCheckResult {
    /// A list, with what people left on its items.
    pub(crate) fn of(items: Vec<Item>, notes: Vec<ItemNote>, reviewed: Vec<String>, lang: Lang) -> TaskCheckResult {
        let mut content = describe(&items, lang);
        for ItemNote { id, text, by, at } in &notes {
            let note = text!(en: "Note by {by} on {id} ({at}): {text}", ja: "{id} への {by} のメモ ({at}): {text}");
            content.push('\n');
            content.push_str(note.get(lang));
        }
        if !reviewed.is_empty() {
            let ids = reviewed.join(", ");
            let ticked = text!(en: "Reviewed by a person: {ids}.", ja: "確認済み: {ids}。");
            content.push('\n');
            content.push_str(ticked.get(lang));
        }
        TaskCheckResult {
            content,
            summary: Summary::of(&items),
            incomplete_tasks: rules::incomplete(&items),
            tasks: items,
            is_error: false,
            notes,
            reviewed,
        }
    }

    /// A call without a thread and a resource.
    pub(crate) fn without_memory(lang: Lang) -> TaskCheckResult {
        TaskCheckResult {
            content: no_memory().get(lang).to_owned(),
            tasks: Vec::new(),
            summary: Summary::default(),
            incomplete_tasks: Vec::new(),
            is_error: true,
            notes: Vec::new(),
            reviewed: Vec::new(),
        }
    }
}

fn no_memory() -> Text {
    text!(
        en: "Task tracking needs a memory-backed thread: a thread and the resource that it belongs to, and this connection has none. Nothing was recorded. Start the server with --thread auto, or with --thread and --resource.",
        ja: "タスクの追跡には、メモリを利用するスレッド（スレッドとその resource）が必要ですが、この接続にはありません。何も記録していません。サーバーを --thread auto、または --thread と --resource を付けて起動してください。"
    )
}

/// The list in words: counts, one line an item, what to do next.
fn describe(items: &[Item], lang: Lang) -> String {
    let Summary { total, completed, in_progress, pending, .. } = Summary::of(items);
    let noun = if total == 1 { "item" } else { "items" };
    let counts = text!(
        en: "{total} {noun}: {completed} completed, {in_progress} in progress, {pending} pending.",
        ja: "全 {total} 件: 完了 {completed} 件、進行中 {in_progress} 件、未着手 {pending} 件。"
    );
    let mut said = counts.get(lang).to_owned();
    for Item { id, content, status, active_form } in items {
        // Writing to a text can't fail.
        let _ = write!(said, "\n[{}] {id}: {content}", status.as_str());
        if *status == Status::InProgress && active_form != content {
            let _ = write!(said, " ({active_form})");
        }
    }
    said.push('\n');
    said.push_str(next(items).get(lang));
    said
}

/// What to do next.
fn next(items: &[Item]) -> Text {
    let left = rules::incomplete(items);
    let Some(Item { id, status, active_form, .. }) = left.first() else {
        return if items.is_empty() {
            text!(
                en: "The list is empty: write the steps of the work with task_write.",
                ja: "リストは空です。作業の手順を task_write で書いてください。"
            )
        } else {
            text!(en: "Everything is completed.", ja: "すべて完了しました。")
        };
    };
    let ids = left.iter().map(|item| item.id.as_str()).collect::<Vec<_>>().join(", ");
    if *status == Status::InProgress {
        text!(
            en: "Running: {id} ({active_form}). Call task_complete when it is done. Incomplete: {ids}.",
            ja: "実行中: {id} ({active_form})。終わったら task_complete を呼んでください。未完了: {ids}。"
        )
    } else {
        text!(
            en: "Nothing is running. Start {id} with task_update (status in_progress). Incomplete: {ids}.",
            ja: "実行中の項目はありません。task_update (status: in_progress) で {id} を始めてください。未完了: {ids}。"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(id: &str, status: Status) -> Item {
        Item { id: id.to_owned(), content: format!("Do {id}"), status, active_form: format!("Doing {id}") }
    }

    #[test]
    fn texts_carry_the_facts() {
        let items = [item("a", Status::Completed), item("b", Status::Pending), item("c", Status::InProgress)];
        for lang in [Lang::En, Lang::Ja] {
            let said = describe(&items, lang);
            for fact in ["3", "[completed] a: Do a", "[in_progress] c: Do c (Doing c)", "task_complete", "c, b"] {
                assert!(said.contains(fact), "{fact:?} in {said}");
            }
            assert!(describe(&items[..2], lang).contains("task_update"));
            assert!(describe(&[], lang).contains("task_write"));
        }
        assert!(describe(&items[..1], Lang::En).ends_with(
            "1 item: 1 completed, 0 in progress, 0 pending.\n[completed] a: Do a\nEverything is completed."
        ));
    }

    #[test]
    fn notes_and_ticks_are_there_only_when_there_are_any() {
        let check = TaskCheckResult::of(vec![item("a", Status::Pending)], Vec::new(), Vec::new(), Lang::En);
        let json = serde_json::to_value(&check).unwrap();
        let names: Vec<&str> = json.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(names, ["content", "tasks", "summary", "incompleteTasks", "isError"]);
        let note = ItemNote { id: "a".into(), text: "先に型を".into(), by: "m1".into(), at: Time(0) };
        let check = TaskCheckResult::of(vec![item("a", Status::Pending)], vec![note], vec!["a".into()], Lang::Ja);
        assert!(check.content.contains("先に型を") && check.content.contains("確認済み: a"));
        let json = serde_json::to_value(&check).unwrap();
        assert_eq!(json["notes"][0]["at"], "1970-01-01T00:00:00Z");
        assert_eq!(json["reviewed"][0], "a");
    }
}
