//! The engine's answers as text for agents, in the layout of the reference tool. What is fixed there (headings, the one
//! line a hit) is the same in both languages; sentences follow the caller's.

use crate::types::{
    Answer, Around, Comment, ConversationPage, Hit, Mission, Note, SearchOrAround, SearchResults, TaskList,
};
use kiroku_model::{Lang, text};
use std::fmt::Write;

/// A body longer than this is cut in the text form, which says how much it left out.
const LONGEST_BODY: usize = 20_000;

/// An answer as text: what it says, or why there is none.
pub fn answer<T>(answer: &Answer<T>, say: impl FnOnce(&T) -> String) -> String {
    match &answer.body {
        Some(body) => say(body),
        None => answer.message.clone().unwrap_or_default(),
    }
}

/// SearchWorkspaceTasks: `query` is as the caller gave it.
pub fn workspace_search(results: &SearchOrAround, query: &str, lang: Lang) -> String {
    match results {
        SearchOrAround::Search(results) => hits(results, "Workspace Task Search Results", query, lang),
        SearchOrAround::Around(results) => around(results, "Workspace Task Search", lang),
    }
}

/// SearchTaskConversation.
pub fn conversation_search(results: &SearchOrAround, query: &str, lang: Lang) -> String {
    match results {
        SearchOrAround::Search(results) => hits(results, "Task Conversation Search Results", query, lang),
        SearchOrAround::Around(results) => around(results, "Task Conversation", lang),
    }
}

fn hits(results: &SearchResults, heading: &str, query: &str, lang: Lang) -> String {
    let plus = if results.total_is.is_some() { "+" } else { "" };
    let mut out = String::new();
    let mut line = |text: &str| {
        out.push_str(text);
        out.push('\n');
    };
    match &results.note {
        Some(Note::Split { terms }) => {
            let words = terms.join(" ");
            line(
                text!(
                    en: "Nothing matched the whole query, so it was split and searched again: {words}",
                    ja: "そのままでは見つからなかったため、分割して再検索しました: {words}"
                )
                .get(lang),
            );
            line("");
        }
        Some(Note::Indexing { done, total }) => {
            line(
                text!(
                    en: "The index is being built ({done} of {total}); what has no entry yet is not found.",
                    ja: "索引を作成中です（{total} 件中 {done} 件）。まだ索引にないものは見つかりません。"
                )
                .get(lang),
            );
            line("");
        }
        None => {}
    }
    let total = results.total;
    line(&format!("## {heading} (query: \"{query}\", {total}{plus} hit(s))"));
    if let Some(among) = results.ranked_among {
        line(text!(en: "(ranked among the newest {among})", ja: "（新しい順に {among} 件の中での関連度順）").get(lang));
    }
    line("");
    for hit in &results.hits {
        line(&one_hit(hit, lang));
    }
    let next = if results.hits.is_empty() {
        text!(
            en: "Nothing was found. Try one shorter word, fewer filters, or match_mode: \"any\".",
            ja: "見つかりませんでした。短い 1 語にする、絞り込みを減らす、match_mode: \"any\" にするなどをお試しください。"
        )
    } else {
        text!(
            en: "To read more of the context, give around_ref: \"comment:<id>\".",
            ja: "前後の文脈をさらに確認するには around_ref: \"comment:<id>\" を指定してください。"
        )
    };
    line(next.get(lang));
    out
}

fn one_hit(hit: &Hit, lang: Lang) -> String {
    let Hit { reference, task, author, kind, created, excerpt, before, after, .. } = hit;
    let mut out = format!(
        "- {} \"{}\" / {reference} {}/{} {created}\n  {excerpt}\n",
        task.reference,
        task.title,
        author.as_str(),
        kind.as_str()
    );
    for neighbour in before.iter().chain(after).flatten() {
        for line in comment(neighbour, lang).lines() {
            let _ = writeln!(out, "  {line}");
        }
    }
    out
}

fn around(around: &Around, heading: &str, lang: Lang) -> String {
    let target = around.comments.iter().find(|comment| comment.is_target).map_or("", |comment| &comment.reference);
    let neighbours = around.comments.len().saturating_sub(1);
    let count = text!(en: "{target}, {neighbours} around it", ja: "{target} 前後 {neighbours} 件");
    let mut out =
        format!("## {heading} — {} \"{}\" ({})\n\n", around.task.reference, around.task.title, count.get(lang));
    for one in &around.comments {
        out.push_str(&comment(one, lang));
    }
    let (before, after) = (around.more_before, around.more_after);
    if before + after > 0 {
        let more = text!(en: "({before} more before, {after} more after)", ja: "（この前に {before} 件、後に {after} 件あります）");
        let _ = writeln!(out, "\n{}", more.get(lang));
    }
    out
}

/// ReadTaskConversation.
pub fn conversation(page: &ConversationPage, lang: Lang) -> String {
    let shown = page.comments.len();
    let total = page.total;
    let count = text!(en: "{shown} of {total}", ja: "{total} 件中 {shown} 件");
    let mut out =
        format!("## Task Conversation — {} \"{}\" ({})\n\n", page.task.reference, page.task.title, count.get(lang));
    for one in &page.comments {
        out.push_str(&comment(one, lang));
    }
    if let Some(next) = page.next_offset {
        let more =
            text!(en: "To read on, give offset: {next}.", ja: "続きを読むには offset: {next} を指定してください。");
        let _ = writeln!(out, "\n{}", more.get(lang));
    }
    out
}

/// One comment: a line that names it, and its body indented.
fn comment(comment: &Comment, lang: Lang) -> String {
    let mark = if comment.is_target { " ←" } else { "" };
    let mut out = format!(
        "- {} {}/{} {}{mark}\n",
        comment.reference,
        comment.author.as_str(),
        comment.kind.as_str(),
        comment.created
    );
    if let Some(tool) = &comment.tool {
        let _ = writeln!(out, "  tool: {tool}");
    }
    let (body, left_out) = cut(&comment.body);
    for line in body.lines() {
        let _ = writeln!(out, "  {line}");
    }
    if left_out > 0 {
        let said = text!(en: "({left_out} more characters left out)", ja: "（以下 {left_out} 文字を省略）");
        let _ = writeln!(out, "  {}", said.get(lang));
    }
    if !comment.attachments.is_empty() {
        let names =
            comment.attachments.iter().map(|attachment| attachment.name.as_str()).collect::<Vec<_>>().join(", ");
        let said = text!(en: "[attached: {names}]", ja: "[添付: {names}]");
        let _ = writeln!(out, "  {}", said.get(lang));
    }
    out
}

/// The beginning of a long body, and how many characters are left out.
fn cut(body: &str) -> (&str, usize) {
    match body.char_indices().nth(LONGEST_BODY) {
        Some((at, _)) => (&body[..at], body[at..].chars().count()),
        None => (body, 0),
    }
}

/// ListWorkspaceTasks.
pub fn task_list(list: &TaskList, lang: Lang) -> String {
    let (shown, total) = (list.tasks.len(), list.total);
    let mut out = format!("## Workspace Tasks ({total} task(s))\n\n");
    for task in &list.tasks {
        let piece = if task.piece.is_empty() { String::new() } else { format!(" [{}]", task.piece) };
        let _ =
            writeln!(out, "- {} {} \"{}\"{piece} {}", task.reference, task.state.as_str(), task.title, task.updated);
    }
    if (shown as u64) < total {
        let said = text!(en: "({shown} of {total} shown)", ja: "（{total} 件中 {shown} 件を表示）");
        let _ = writeln!(out, "\n{}", said.get(lang));
    }
    out
}

/// MissionRead and MissionUpdate.
pub fn mission(mission: &Mission, lang: Lang) -> String {
    let mut out = String::from("## Mission\n");
    for (name, pins) in [("user_constraints", &mission.user_constraints), ("decisions", &mission.decisions)] {
        let _ = writeln!(out, "\n### {name}");
        if pins.is_empty() {
            let _ = writeln!(out, "{}", text!(en: "(none)", ja: "（なし）").get(lang));
        }
        for pin in pins {
            let reference = pin.reference.as_ref().map(|reference| format!(" ({reference})")).unwrap_or_default();
            let _ = writeln!(out, "- {}: {}{reference}", pin.id, pin.text);
        }
    }
    out
}
