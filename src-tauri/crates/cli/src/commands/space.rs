//! `kiroku space`: making a space, and what it is.

use crate::Session;
use crate::args::{MembersCommand, SpaceCommand, SpaceNewArgs};
use crate::output::{DIM, NAME, json, print, say};
use crate::place::{absolute, mounts, new_space, shown};
use kiroku_api::{NewSpace, Workspace, location_risk};
use kiroku_model::{Error, ErrorCode, Result, Role, SystemClock, text};
use std::fmt::Write as _;
use std::process::ExitCode;
use std::sync::Arc;

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
