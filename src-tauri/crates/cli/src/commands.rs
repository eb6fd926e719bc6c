//! The commands, but for importing: each reads its arguments, makes one call, and prints the answer.

use crate::Session;
use crate::args::{
    AroundArgs, BackupArgs, DoctorArgs, ExportArgs, ForgetArgs, MembersCommand, RestoreArgs, SearchArgs, ShowArgs,
    SpaceCommand, SpaceNewArgs, StateArg, TasksArgs, ToolArgs,
};
use crate::output::{DIM, MATCH, NAME, json, page, print};
use crate::place::{absolute, day_or_time, mounts, new_space, shown};
use kiroku_api::lists::Door;
use kiroku_api::tools::{self, ToolContext};
use kiroku_api::types::{Answer, Comment, Filter, Hit, MatchMode, Note, OpenOrClosed, Order, SearchQuery};
use kiroku_api::{ExportOptions, Forget, NewSpace, Workspace, list_backups, location_risk};
use kiroku_model::{
    Call, Caller, CommentId, Error, ErrorCode, Kind, Lang, Result, Role, SystemClock, TaskId, TaskState, text,
};
use std::fmt::Write as _;
use std::io::{BufWriter, IsTerminal, Read, Write};
use std::process::ExitCode;
use std::sync::Arc;

/// Comments that `show` reads at a time.
const PAGE: usize = 500;

pub fn space(session: &Session, command: SpaceCommand) -> Result<ExitCode> {
    match command {
        SpaceCommand::New(args) => new(session, &args),
        SpaceCommand::Info { json: as_json } => info(session, as_json),
        SpaceCommand::Rename { name } => {
            let workspace = session.open()?;
            workspace.rename(&session.call(&workspace)?.caller, &name)?;
            say(session, text!(en: "the space is called “{name}” now", ja: "スペースの名前を「{name}」にしました"))
        }
        SpaceCommand::Members(command) => members(session, command),
    }
}

fn say(session: &Session, message: kiroku_model::Text) -> Result<ExitCode> {
    print(&format!("{}\n", message.get(session.lang)))?;
    Ok(ExitCode::SUCCESS)
}

fn new(session: &Session, args: &SpaceNewArgs) -> Result<ExitCode> {
    let path = session.space.clone().map_or_else(new_space, Ok)?;
    if let Some(risk) = location_risk(&absolute(&path), &mounts()) {
        if !args.anyway {
            let kiroku_model::Text { en, ja } = risk.0;
            return Err(Error::new(
                ErrorCode::Refused,
                text!(en: "{en}. (--anyway makes it all the same)", ja: "{ja}（それでも作るには --anyway を付けてください）"),
            ));
        }
        eprintln!("kiroku: {}", risk.0.get(session.lang));
    }
    let new = NewSpace {
        name: args.name.clone(),
        owner: args.member.clone(),
        owner_name: args.member_name.clone().unwrap_or_else(|| args.member.clone()),
    };
    let workspace = Workspace::create(&path, &new, Arc::new(SystemClock))?;
    let (name, path) = (workspace.info()?.name, path.display());
    say(
        session,
        text!(
            en: "made the space “{name}” at {path}\nWhat is imported is copied into this file whole, with any secret in it; only you can read it (mode 0600). `kiroku export --redact` writes a copy without secrets.",
            ja: "スペース「{name}」を {path} に作りました\n取り込んだ会話は、含まれる秘密情報も含めてこのファイルに丸ごと複製されます。読めるのはあなただけです（モード 0600）。秘密情報を除いた写しは `kiroku export --redact` で書き出せます。"
        ),
    )
}

fn info(session: &Session, as_json: bool) -> Result<ExitCode> {
    let workspace = session.open()?;
    let (info, counts, members) = (workspace.info()?, workspace.counts()?, workspace.members()?);
    if as_json {
        json(&serde_json::json!({
            "uid": info.uid, "name": info.name, "created": info.created, "path": workspace.space().path(),
            "tasks": counts.tasks, "comments": counts.comments, "pins": counts.pins, "members": members,
        }))?;
        return Ok(ExitCode::SUCCESS);
    }
    let path = workspace.space().path().display();
    let (name, tasks, comments, members) = (info.name, counts.tasks, counts.comments, members.len());
    let created = shown(info.created);
    say(
        session,
        text!(
            en: "{name}\n  file      {path}\n  made      {created}\n  members   {members}\n  tasks     {tasks}\n  comments  {comments}",
            ja: "{name}\n  ファイル    {path}\n  作成        {created}\n  メンバー    {members}\n  タスク      {tasks}\n  コメント    {comments}"
        ),
    )
}

fn members(session: &Session, command: MembersCommand) -> Result<ExitCode> {
    let workspace = session.open()?;
    match command {
        MembersCommand::List { json: true } => json(&workspace.members()?)?,
        MembersCommand::List { json: false } => {
            let mut out = String::new();
            for member in workspace.members()? {
                let role = match member.role {
                    Role::Owner => text!(en: "owner", ja: "オーナー"),
                    Role::Member => text!(en: "member", ja: "メンバー"),
                };
                let _ = writeln!(
                    out,
                    "{NAME}{}{NAME:#}  {}  {DIM}{}{DIM:#}",
                    member.id,
                    member.name,
                    role.get(session.lang)
                );
            }
            print(&out)?;
        }
        MembersCommand::Add { id, name, owner } => {
            let role = if owner { Role::Owner } else { Role::Member };
            let name = name.unwrap_or_else(|| id.clone());
            workspace.add_member(&session.call(&workspace)?.caller, &id, &name, role)?;
            return say(session, text!(en: "added {id}", ja: "{id} を追加しました"));
        }
        MembersCommand::Remove { id } => {
            workspace.remove_member(&session.call(&workspace)?.caller, &id)?;
            return say(session, text!(en: "removed {id}", ja: "{id} を外しました"));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes on, and remembers whether the reader of a pipe has gone.
struct Piped<W> {
    to: W,
    broken: bool,
}

impl<W> Piped<W> {
    fn seen<T>(&mut self, result: std::io::Result<T>) -> std::io::Result<T> {
        self.broken |= result.as_ref().is_err_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe);
        result
    }
}

impl<W: Write> Write for Piped<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let written = self.to.write(bytes);
        self.seen(written)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        let flushed = self.to.flush();
        self.seen(flushed)
    }
}

pub fn export(session: &Session, args: &ExportArgs) -> Result<ExitCode> {
    let workspace = session.open()?;
    let options = ExportOptions { redact: args.redact };
    let Some(path) = &args.output else {
        let mut out = Piped { to: BufWriter::new(std::io::stdout().lock()), broken: false };
        let written = workspace.export(&mut out, options, &session.cancel).and_then(|_| {
            out.flush().map_err(|error| Error::io(text!(en: "writing", ja: "書き込み"), &error))
        });
        // Whoever reads may stop reading.
        return if out.broken { Ok(ExitCode::SUCCESS) } else { written.map(|()| ExitCode::SUCCESS) };
    };
    let failed = |error: &std::io::Error| {
        let path = path.display();
        Error::io(text!(en: "writing {path}", ja: "{path} への書き込み"), error)
    };
    // Made new, and only for this user's eyes: it holds whole conversations.
    let mut open = std::fs::OpenOptions::new();
    open.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut open, 0o600);
    let mut out = BufWriter::new(open.open(path).map_err(|error| failed(&error))?);
    let written = workspace.export(&mut out, options, &session.cancel).and_then(|rows| {
        out.flush().and_then(|()| out.get_ref().sync_all()).map_err(|error| failed(&error))?;
        Ok(rows)
    });
    match written {
        Ok(rows) => {
            let path = path.display();
            say(session, text!(en: "wrote {rows} rows to {path}", ja: "{path} に {rows} 行を書き出しました"))
        }
        Err(error) => {
            let _ = std::fs::remove_file(path);
            Err(error)
        }
    }
}

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

fn print_comment(out: &mut String, comment: &Comment, indent: &str) {
    let kind = match &comment.progress {
        Some(progress) => format!("{}/{}", comment.kind.as_str(), progress.as_str()),
        None => comment.kind.as_str().to_owned(),
    };
    let target = if comment.is_target { " ←" } else { "" };
    let _ = writeln!(
        out,
        "{indent}{} {DIM}{} {kind} {}{DIM:#}{target}",
        comment.reference,
        comment.member.as_deref().unwrap_or(comment.author.as_str()),
        shown(comment.created)
    );
    if let Some(tool) = &comment.tool {
        let _ = writeln!(out, "{indent}  {DIM}tool: {tool}{DIM:#}");
    }
    for line in comment.body.lines() {
        let _ = writeln!(out, "{indent}  {line}");
    }
    for attachment in &comment.attachments {
        let _ = writeln!(out, "{indent}  {DIM}+ {}{DIM:#}", attachment.name);
    }
}

fn unavailable<T>(answer: &Answer<T>) -> Result<ExitCode> {
    print(&format!("{}\n", answer.message.as_deref().unwrap_or_default()))?;
    Ok(ExitCode::SUCCESS)
}

pub fn around(session: &Session, args: &AroundArgs) -> Result<ExitCode> {
    let workspace = session.open()?;
    let call = session.call(&workspace)?;
    let answer = workspace.conversations().around(&call, CommentId::parse(&args.comment)?, args.context.into())?;
    if args.json {
        json(&answer)?;
        return Ok(ExitCode::SUCCESS);
    }
    let Some(around) = &answer.body else {
        return unavailable(&answer);
    };
    let mut out = format!("{NAME}{}{NAME:#} {}\n", around.task.reference, around.task.title);
    let more = |count: u64, message: kiroku_model::Text| match count {
        0 => String::new(),
        _ => format!("  {DIM}{}{DIM:#}\n", message.get(session.lang)),
    };
    let (before, after) = (around.more_before, around.more_after);
    out.push_str(&more(before, text!(en: "… {before} before", ja: "… この前に {before} 件")));
    for comment in &around.comments {
        print_comment(&mut out, comment, "  ");
    }
    out.push_str(&more(after, text!(en: "… {after} after", ja: "… この後に {after} 件")));
    page(&out)?;
    Ok(ExitCode::SUCCESS)
}

pub fn tasks(session: &Session, args: &TasksArgs) -> Result<ExitCode> {
    let workspace = session.open()?;
    let call = session.call(&workspace)?;
    let which = args.state.map(|state| match state {
        StateArg::Open => OpenOrClosed::Open,
        StateArg::Closed => OpenOrClosed::Closed,
    });
    let answer = workspace.conversations().list(&call, which, args.limit)?;
    if args.json {
        json(&answer)?;
        return Ok(ExitCode::SUCCESS);
    }
    let Some(list) = &answer.body else {
        return unavailable(&answer);
    };
    let mut out = String::new();
    for task in &list.tasks {
        let title = if task.title.is_empty() { untitled(session.lang) } else { task.title.clone() };
        let _ = writeln!(
            out,
            "{NAME}{:<9}{NAME:#} {:<11} {}  {title} {DIM}{}{DIM:#}",
            task.reference,
            task.state.as_str(),
            shown(task.updated),
            task.piece
        );
    }
    let (count, total) = (list.tasks.len(), list.total);
    let summary = match total {
        0 => {
            text!(en: "There are no tasks yet. `kiroku import` brings in agents' sessions.", ja: "タスクはまだありません。`kiroku import` でエージェントのセッションを取り込めます。")
        }
        _ => text!(en: "{count} of {total}", ja: "{total} 件中 {count} 件"),
    };
    let _ = writeln!(out, "{DIM}{}{DIM:#}", summary.get(session.lang));
    page(&out)?;
    Ok(ExitCode::SUCCESS)
}

fn untitled(lang: Lang) -> String {
    text!(en: "(untitled)", ja: "（無題）").get(lang).to_owned()
}

pub fn show(session: &Session, args: &ShowArgs) -> Result<ExitCode> {
    let workspace = session.open()?;
    let call = session.call(&workspace)?;
    if args.what.starts_with("comment:") {
        return show_comment(&workspace, &call, args);
    }
    let task = TaskId::parse(&args.what)?;
    let details = workspace.conversations().task(&call, task)?;
    let Some(details) = &details.body else {
        return unavailable(&details);
    };
    let mut out = String::new();
    let title = if details.summary.title.is_empty() { untitled(session.lang) } else { details.summary.title.clone() };
    let _ = writeln!(out, "{NAME}{} {title}{NAME:#}", details.summary.reference);
    let fields = [
        Some(details.summary.state.as_str().to_owned()),
        Some(details.summary.piece.clone()),
        details.folder.clone(),
        details.parent.clone(),
    ];
    let _ = writeln!(
        out,
        "{DIM}{}{DIM:#}",
        fields.into_iter().flatten().filter(|field| !field.is_empty()).collect::<Vec<_>>().join("  ")
    );
    let mut comments = Vec::new();
    let mut offset = args.offset;
    let wanted = args.limit.unwrap_or(usize::MAX);
    while comments.len() < wanted {
        let page = workspace.conversations().conversation(&call, task, offset, PAGE.min(wanted - comments.len()))?;
        let Some(page) = page.body else { break };
        comments.extend(page.comments);
        match page.next_offset {
            Some(next) => offset = next,
            None => break,
        }
    }
    if args.json {
        json(&serde_json::json!({ "task": details, "comments": comments }))?;
        return Ok(ExitCode::SUCCESS);
    }
    for comment in &comments {
        print_comment(&mut out, comment, "  ");
    }
    page(&out)?;
    Ok(ExitCode::SUCCESS)
}

fn show_comment(workspace: &Workspace, call: &Call, args: &ShowArgs) -> Result<ExitCode> {
    let id = CommentId::parse(&args.what)?;
    let around = workspace.conversations().around(call, id, 0)?;
    let tool = workspace.conversations().tool_call(call, id)?;
    let (Some(around), Some(tool)) = (&around.body, &tool.body) else {
        return unavailable(&around);
    };
    if args.json {
        json(&serde_json::json!({ "task": around.task, "comment": around.comments.first(), "tool_call": tool }))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = format!("{NAME}{}{NAME:#} {}\n", around.task.reference, around.task.title);
    for comment in &around.comments {
        print_comment(&mut out, comment, "  ");
    }
    for (name, kept, whole) in [("input", &tool.input, tool.input_bytes), ("output", &tool.output, tool.output_bytes)] {
        let Some(kept) = kept else { continue };
        let _ = writeln!(out, "\n{NAME}{name}{NAME:#}\n{kept}");
        let left_out = whole.unwrap_or(0).saturating_sub(kept.len() as u64);
        if left_out > 0 {
            let said = text!(en: "({left_out} more bytes were not kept)", ja: "（以下 {left_out} バイトは保存されていません）");
            let _ = writeln!(out, "{DIM}{}{DIM:#}", said.get(call.lang));
        }
    }
    page(&out)?;
    Ok(ExitCode::SUCCESS)
}

pub fn forget(session: &Session, args: &ForgetArgs) -> Result<ExitCode> {
    let workspace = session.open()?;
    let call = session.call(&workspace)?;
    let what = match (&args.passage, args.what.starts_with("comment:")) {
        (None, false) => Forget::Task(TaskId::parse(&args.what)?),
        (None, true) => Forget::Comment(CommentId::parse(&args.what)?),
        (Some(passage), true) => Forget::Passage(CommentId::parse(&args.what)?, passage.clone()),
        (Some(_), false) => {
            return Err(Error::invalid(
                text!(en: "--passage goes with a comment:ID", ja: "--passage は comment:番号 と一緒に指定してください"),
            ));
        }
    };
    if !args.yes && !confirmed(session, &args.what)? {
        return say(session, text!(en: "nothing was removed", ja: "何も削除していません"));
    }
    let answer = workspace.forget(&call, &what)?;
    if args.json {
        json(&answer)?;
        return Ok(ExitCode::SUCCESS);
    }
    let Some(gone) = &answer.body else {
        return unavailable(&answer);
    };
    let (tasks, comments) = (gone.tasks, gone.comments);
    let mut out = text!(
        en: "removed for good: {tasks} tasks, {comments} comments; importing will not bring them back\n",
        ja: "完全に削除しました（タスク {tasks} 件、コメント {comments} 件）。取り込み直しても戻りません\n"
    )
    .get(session.lang)
    .to_owned();
    if !gone.held_by.is_empty() {
        let said = text!(en: "These backups were made before and still hold it:", ja: "次のバックアップは削除前のもので、まだ含んでいます:");
        let _ = writeln!(out, "{}", said.get(session.lang));
        for path in &gone.held_by {
            let _ = writeln!(out, "  {}", path.display());
        }
    }
    print(&out)?;
    Ok(ExitCode::SUCCESS)
}

/// What can't be undone is asked first; where nobody can answer, it must be said with --yes.
fn confirmed(session: &Session, what: &str) -> Result<bool> {
    if !std::io::stdin().is_terminal() {
        return Err(Error::invalid(text!(
            en: "removing {what} can't be undone: add --yes",
            ja: "{what} の削除は取り消せません。--yes を付けてください"
        )));
    }
    let question = text!(en: "Remove {what} for good? This can't be undone. [y/N] ", ja: "{what} を完全に削除しますか。取り消せません。[y/N] ");
    print(question.get(session.lang))?;
    let mut line = String::new();
    std::io::stdin()
        .read_line(&mut line)
        .map_err(|error| Error::io(text!(en: "reading the answer", ja: "回答の読み取り"), &error))?;
    Ok(matches!(line.trim(), "y" | "Y" | "yes"))
}

pub fn backup(session: &Session, args: &BackupArgs) -> Result<ExitCode> {
    let workspace = session.open()?;
    if args.list {
        let mut out = String::new();
        for backup in list_backups(workspace.space().path())? {
            let _ = writeln!(out, "{}  {DIM}{} KiB{DIM:#}", backup.path.display(), backup.bytes.div_ceil(1024));
        }
        print(&out)?;
        return Ok(ExitCode::SUCCESS);
    }
    let made = workspace.backup()?;
    let path = made.path.display();
    say(session, text!(en: "made {path}", ja: "{path} を作りました"))
}

pub fn restore(session: &Session, args: &RestoreArgs) -> Result<ExitCode> {
    let path = session.path()?;
    let backup = match &args.backup {
        Some(backup) => backup.clone(),
        None => list_backups(&path)?.into_iter().next().map(|backup| backup.path).ok_or_else(|| {
            let shown = path.display();
            Error::not_found(text!(en: "{shown} has no backups", ja: "{shown} のバックアップはありません"))
        })?,
    };
    let kept = kiroku_api::restore(&path, &backup, Arc::new(SystemClock))?;
    let backup = backup.display();
    let mut said = text!(en: "restored {backup}", ja: "{backup} から戻しました");
    if let Some(kept) = kept {
        let kept = kept.display();
        said.en += &format!("; what stood there is kept at {kept}");
        said.ja += &format!("。元のファイルは {kept} に残しています");
    }
    say(session, said)
}

pub fn doctor(session: &Session, args: &DoctorArgs) -> Result<ExitCode> {
    let workspace = session.open()?;
    let health = workspace.doctor(args.fix, &session.cancel)?;
    let whole = health.findings.is_empty() || (args.fix && health.findings.iter().all(|finding| finding.fixable));
    let status = if whole { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    if args.json {
        json(&serde_json::json!({ "findings": health.lines(session.lang), "fixed": health.fixed }))?;
        return Ok(status);
    }
    let mut out = String::new();
    for finding in &health.findings {
        let _ = writeln!(out, "- {}", finding.message.get(session.lang));
    }
    let fixed = health.fixed;
    let summary = match (health.findings.is_empty(), args.fix) {
        (true, _) => text!(en: "the space is whole", ja: "スペースに問題はありません"),
        (false, true) => text!(en: "{fixed} mended", ja: "{fixed} 件を直しました"),
        (false, false) if health.findings.iter().any(|finding| finding.fixable) => {
            text!(en: "`kiroku doctor --fix` mends what can be mended", ja: "`kiroku doctor --fix` で直せるものがあります")
        }
        (false, false) => {
            text!(en: "`kiroku restore` brings back a backup", ja: "`kiroku restore` でバックアップから戻せます")
        }
    };
    let _ = writeln!(out, "{}", summary.get(session.lang));
    print(&out)?;
    Ok(status)
}

pub fn tool(session: &Session, args: &ToolArgs) -> Result<ExitCode> {
    let tool = tools::tool(&args.name)?;
    let workspace = session.open()?;
    let task = args.task.as_deref().map(TaskId::parse).transpose()?;
    let caller = Caller { member: session.member.clone(), task, subtask: args.subtask };
    let mut input = String::new();
    std::io::stdin()
        .read_to_string(&mut input)
        .map_err(|error| Error::invalid(text!(en: "standard input: {error}", ja: "標準入力: {error}")))?;
    let input = if input.trim().is_empty() {
        serde_json::Value::Null
    } else {
        serde_json::from_str(&input).map_err(|error| {
            Error::invalid(
                text!(en: "standard input is not JSON: {error}", ja: "標準入力が JSON ではありません: {error}"),
            )
        })?
    };
    let thread = tools::thread_of(args.thread.as_deref(), args.resource.as_deref(), &caller)?;
    let call = Call { caller, lang: session.lang, cancel: session.cancel.clone() };
    let context = ToolContext { call, thread, door: Door::Cli };
    let answer = tool.call(&workspace, &context, input)?;
    if args.text {
        print(answer.text.trim_end())?;
        print("\n")?;
    } else {
        json(&answer.value)?;
    }
    Ok(if answer.is_error { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
