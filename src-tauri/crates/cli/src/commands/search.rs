//! `kiroku search`: the hits of a query, for a person or as JSON.

use super::read::print_comment;
use crate::Session;
use crate::args::SearchArgs;
use crate::output::{DIM, MATCH, NAME, json, page, unavailable};
use crate::place::{day_or_time, shown};
use kiroku_api::Workspace;
use kiroku_api::tools;
use kiroku_api::types::{Filter, Hit, MatchMode, Note, Order, SearchQuery};
use kiroku_model::{CommentId, Error, Kind, Result, TaskId, TaskState, text};
use std::fmt::Write as _;
use std::process::ExitCode;

pub fn search(session: &Session, args: &SearchArgs) -> Result<ExitCode> {
    let workspace = session.open()?;
    let call = session.call(&workspace)?;
    let query = query(&workspace, args)?;
    let answer = workspace.conversations().search(&call, &query)?;
    if args.json {
        json(&answer)?;
        return Ok(ExitCode::SUCCESS);
    }
    let Some(results) = &answer.body else {
        return unavailable(&answer);
    };
    let lang = session.lang;
    let mut out = String::new();
    match &results.note {
        Some(Note::Split { terms }) => {
            let words = terms.join(" ");
            let said = text!(
                en: "Nothing matched the whole; searched for its parts: {words}",
                ja: "そのままでは見つからなかったため、分割して検索しました: {words}"
            );
            let _ = writeln!(out, "{}\n", said.get(lang));
        }
        Some(Note::Indexing { done, total }) => {
            let said = text!(en: "The index is being built: {done} of {total}", ja: "索引を作成中です: {total} 件中 {done} 件");
            let _ = writeln!(out, "{}\n", said.get(lang));
        }
        None => {}
    }
    let mut task = None;
    for hit in &results.hits {
        if task != Some(&hit.task.reference) {
            let _ = writeln!(out, "{NAME}{}{NAME:#} {}", hit.task.reference, hit.task.title);
            task = Some(&hit.task.reference);
        }
        print_hit(&mut out, hit);
    }
    let (total, plus) = (results.total, if results.total_is.is_some() { "+" } else { "" });
    let shown = results.hits.len();
    let mut summary = match (total, shown) {
        (0, _) => text!(
            en: "Nothing found. Try a shorter part of the word, fewer words or filters.",
            ja: "見つかりませんでした。語を短くする、語や絞り込みを減らすなどをお試しください。"
        ),
        _ => text!(en: "{shown} of {total}{plus}", ja: "{total}{plus} 件中 {shown} 件"),
    };
    if let Some(among) = results.ranked_among {
        let kiroku_model::Text { en, ja } = summary;
        summary = text!(en: "{en}, the best of the newest {among}", ja: "{ja}（新しい {among} 件の中の関連度順）");
    }
    let _ = writeln!(out, "{DIM}{}{DIM:#}", summary.get(lang));
    page(&out)?;
    Ok(ExitCode::SUCCESS)
}

fn query(workspace: &Workspace, args: &SearchArgs) -> Result<SearchQuery> {
    let mut filter = Filter { kind: args.kind.as_deref().map(kind).transpose()?, ..Filter::default() };
    if let Some(author) = &args.author {
        tools::set_author(workspace, &mut filter, author)?;
    }
    filter.task = args.task.as_deref().map(TaskId::parse).transpose()?;
    filter.states = args.state.iter().map(|word| state(word)).collect::<Result<_>>()?;
    filter.since = args.since.as_deref().map(day_or_time).transpose()?;
    filter.until = args.until.as_deref().map(day_or_time).transpose()?;
    Ok(SearchQuery {
        query: args.query.join(" "),
        match_mode: if args.all { MatchMode::All } else { MatchMode::Any },
        filter,
        limit: args.limit.into(),
        context: args.context.into(),
        order: args.newest.then_some(Order::Newest),
        after: args.after.as_deref().map(CommentId::parse).transpose()?,
        count_all: args.count_all,
    })
}

fn kind(word: &str) -> Result<Kind> {
    if Kind::WORDS.contains(&word) {
        return Ok(Kind::from(word));
    }
    let known = Kind::WORDS.join(", ");
    Err(Error::invalid(
        text!(en: "`{word}` is no kind; the kinds are {known}", ja: "「{word}」という種別はありません。使えるのは {known} です"),
    ))
}

fn state(word: &str) -> Result<TaskState> {
    TaskState::from_word(word).ok_or_else(|| {
        let known = TaskState::ALL.map(TaskState::as_str).join(", ");
        Error::invalid(text!(en: "`{word}` is no state; the states are {known}", ja: "「{word}」という状態はありません。使えるのは {known} です"))
    })
}

fn print_hit(out: &mut String, hit: &Hit) {
    for comment in hit.before.iter().flatten() {
        print_comment(out, comment, "    ");
    }
    let _ = writeln!(
        out,
        "  {} {DIM}{}/{} {}{DIM:#}\n    {}",
        hit.reference,
        hit.author.as_str(),
        hit.kind.as_str(),
        shown(hit.created),
        marked(&hit.excerpt, &hit.matches)
    );
    for comment in hit.after.iter().flatten() {
        print_comment(out, comment, "    ");
    }
}

/// The excerpt with its matches in colour; `matches` are in UTF-16 units.
fn marked(excerpt: &str, matches: &[[usize; 2]]) -> String {
    let mut out = String::new();
    let mut unit = 0;
    for c in excerpt.chars() {
        if matches.iter().any(|[start, _]| *start == unit) {
            let _ = write!(out, "{MATCH}");
        }
        out.push(c);
        unit += c.len_utf16();
        if matches.iter().any(|[_, end]| *end == unit) {
            let _ = write!(out, "{MATCH:#}");
        }
    }
    out
}
