//! `kiroku memory` and `kiroku knowledge`: the records by hand. Changes made here are a person's: they are checked first
//! and refused with errors, as a tool's are, unless `--anyway` says to save them all the same.

use crate::Session;
use crate::args::{KnowledgeCommand, MemoryCommand, RecordArgs};
use crate::output::{DIM, NAME, json, page, print};
use crate::place::{here, shown};
use kiroku_api::records::tools::{
    Call as ToolCall, KnowledgeSearchInput, MemoryEditInput, MemorySearchInput, knowledge_search, memory_edit,
    memory_search,
};
use kiroku_api::records::{
    FieldValue, Finding, HOOK_MARK, Memory, RecordKind, RecordRef, Severity, Slug, WireFinding, hook_script,
    remove_field, set_field,
};
use kiroku_model::{Call, Error, ErrorCode, Lang, Result, text};
use serde::Serialize;
use std::fmt::Write as _;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

pub fn memory(session: &Session, command: MemoryCommand) -> Result<ExitCode> {
    if let MemoryCommand::Hook { force } = command {
        return install_hook(session, force);
    }
    let workspace = session.open()?;
    let call = session.call(&workspace)?;
    let memory = workspace.memory()?;
    for problem in workspace.memory_settings()?.1 {
        eprintln!("kiroku: {}:{}: {}", kiroku_api::SETTINGS_FILE, problem.line, problem.message.get(session.lang));
    }
    match command {
        MemoryCommand::Ls { json: as_json } => ls(&memory, session.lang, as_json),
        MemoryCommand::Search { query, json: as_json } => {
            let found = memory_search(&tool_call(&memory, &call), &MemorySearchInput { query: query.join(" ") })?;
            answer(&found, &found.text(session.lang), as_json)
        }
        MemoryCommand::Read { record, json: as_json } => {
            let record = named(&record)?;
            let read = memory.read(&record)?;
            if as_json {
                json(&serde_json::json!({ "ref": record, "text": read.text, "hash": read.hash }))?;
            } else {
                page(&read.text)?;
            }
            Ok(ExitCode::SUCCESS)
        }
        MemoryCommand::Write { record, create, anyway, base } => {
            let record = named(&record)?;
            let text = standard_input()?;
            let base = match (create, base) {
                (true, _) => None,
                (false, Some(base)) => Some(base),
                (false, None) => hash_of(&memory, &record)?,
            };
            save(session, &memory, &record, &text, base.as_deref(), anyway)
        }
        MemoryCommand::Edit { record, old, new, all } => {
            let RecordRef { kind, slug } = named(&record)?;
            let slug = (kind != RecordKind::Summary).then(|| slug.as_str().to_owned());
            let input =
                MemoryEditInput { kind, slug, old_string: old, new_string: new, replace_all: Some(all), base: None };
            let edited = memory_edit(&tool_call(&memory, &call), &input)?;
            answer(&edited, &edited.text(session.lang), false)
        }
        MemoryCommand::Set { kind, mut rest, anyway } => {
            // The summary has no slug; every other record's comes before what is set.
            let slug = (kind != RecordKind::Summary.as_str()).then(|| rest.remove(0));
            set(session, &memory, &RecordArgs { kind, slug }, &rest, anyway)
        }
        MemoryCommand::Rm { record, force } => {
            let record = named(&record)?;
            let read = memory.read(&record)?;
            let id = memory.delete_as_person(&record, &read.hash, force)?;
            say(
                session.lang,
                &text!(
                    en: "deleted {record}; `kiroku memory restore {id}` brings it back within 30 days",
                    ja: "{record} を削除しました。30 日以内なら `kiroku memory restore {id}` で戻せます"
                ),
            )
        }
        MemoryCommand::Restore { id: None } => recoverable(&memory, session.lang),
        MemoryCommand::Restore { id: Some(id) } => {
            let record = memory.restore(&id)?.record;
            say(session.lang, &text!(en: "brought back {record}", ja: "{record} を戻しました"))
        }
        MemoryCommand::Rename { record, to } => {
            let record = named(&record)?;
            let renamed = memory.rename(&record, &Slug::parse(&to)?, None)?;
            let (to, references) = (renamed.record, renamed.changed.len());
            say(
                session.lang,
                &text!(
                    en: "renamed {record} to {to}; references in {references} records followed",
                    ja: "{record} を {to} に変えました。{references} 件の記録の参照も直しました"
                ),
            )
        }
        MemoryCommand::Check { json: as_json, warnings_as_errors } => {
            check(&memory, session.lang, as_json, warnings_as_errors)
        }
        MemoryCommand::Hook { .. } => Ok(ExitCode::SUCCESS),
    }
}

pub fn knowledge(session: &Session, command: KnowledgeCommand) -> Result<ExitCode> {
    let KnowledgeCommand::Search { query, kind, json: as_json } = command;
    let workspace = session.open()?;
    let call = session.call(&workspace)?;
    let memory = workspace.memory()?;
    let found = knowledge_search(&tool_call(&memory, &call), &KnowledgeSearchInput { query: query.join(" "), kind })?;
    answer(&found, &found.text(session.lang), as_json)
}

fn tool_call<'a>(memory: &'a Memory, call: &'a Call) -> ToolCall<'a> {
    ToolCall { memory, caller: &call.caller, lang: call.lang, cancel: &call.cancel }
}

fn answer(value: &impl Serialize, text: &str, as_json: bool) -> Result<ExitCode> {
    if as_json {
        json(value)?
    } else {
        page(&format!("{}\n", text.trim_end()))?
    }
    Ok(ExitCode::SUCCESS)
}

fn say(lang: Lang, message: &kiroku_model::Text) -> Result<ExitCode> {
    print(&format!("{}\n", message.get(lang)))?;
    Ok(ExitCode::SUCCESS)
}

fn named(args: &RecordArgs) -> Result<RecordRef> {
    let kind = RecordKind::from_word(&args.kind).ok_or_else(|| {
        let (word, known) = (&args.kind, RecordKind::ALL.map(RecordKind::as_str).join(", "));
        Error::invalid(text!(en: "`{word}` is no kind of record; the kinds are {known}", ja: "「{word}」という記録の種類はありません。使えるのは {known} です"))
    })?;
    RecordRef::new(kind, args.slug.as_deref())
}

fn standard_input() -> Result<String> {
    let mut text = String::new();
    std::io::stdin()
        .read_to_string(&mut text)
        .map_err(|error| Error::invalid(text!(en: "standard input: {error}", ja: "標準入力: {error}")))?;
    Ok(text)
}

fn hash_of(memory: &Memory, record: &RecordRef) -> Result<Option<String>> {
    match memory.read(record) {
        Ok(read) => Ok(Some(read.hash)),
        Err(error) if error.code() == ErrorCode::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Saves what a person wrote; with errors only `anyway`.
fn save(
    session: &Session,
    memory: &Memory,
    record: &RecordRef,
    text: &str,
    base: Option<&str>,
    anyway: bool,
) -> Result<ExitCode> {
    let findings = memory.check(record, text, base.is_none())?;
    let errors = findings.iter().filter(|finding| finding.is_error()).count();
    if errors > 0 && !anyway {
        let lines = |lang: Lang| findings.iter().map(|finding| line(record, finding, lang)).collect::<String>();
        let (en, ja) = (lines(Lang::En), lines(Lang::Ja));
        return Err(Error::invalid(text!(
            en: "{record} was not saved, it has {errors} errors (--anyway saves it all the same):\n{en}",
            ja: "{record} は保存していません。エラーが {errors} 件あります（--anyway でそのまま保存できます）:\n{ja}"
        )));
    }
    let written = memory.save_as_person(record, text, base)?;
    let mut out = String::new();
    for finding in &written.findings {
        out.push_str(&line(record, finding, session.lang));
    }
    let saved = match written.replaced {
        None => text!(en: "created {record}", ja: "{record} を作りました"),
        Some(_) => text!(en: "saved {record}", ja: "{record} を保存しました"),
    };
    let _ = writeln!(out, "{}", saved.get(session.lang));
    print(&out)?;
    Ok(ExitCode::SUCCESS)
}

fn set(
    session: &Session,
    memory: &Memory,
    args: &RecordArgs,
    assignments: &[String],
    anyway: bool,
) -> Result<ExitCode> {
    let record = named(args)?;
    let read = memory.read(&record)?;
    let mut text = read.text;
    for assignment in assignments {
        let (field, value) = assignment.split_once('=').ok_or_else(|| {
            Error::invalid(
                text!(en: "`{assignment}` is not FIELD=VALUE", ja: "「{assignment}」は FIELD=VALUE の形ではありません"),
            )
        })?;
        text = match value {
            "" => remove_field(&text, field)?,
            "true" => set_field(&text, field, &FieldValue::Bool(true))?,
            "false" => set_field(&text, field, &FieldValue::Bool(false))?,
            // A list or a map is given as one line of YAML; anything else is a text.
            yaml if yaml.starts_with(['[', '{']) => set_field(&text, field, &FieldValue::Yaml(yaml.to_owned()))?,
            plain => set_field(&text, field, &FieldValue::Text(plain.to_owned()))?,
        };
    }
    save(session, memory, &record, &text, Some(&read.hash), anyway)
}

/// A record in a listing.
#[derive(Serialize)]
struct Listed {
    #[serde(rename = "ref")]
    record: RecordRef,
    file: String,
    errors: usize,
    warnings: usize,
}

fn ls(memory: &Memory, lang: Lang, as_json: bool) -> Result<ExitCode> {
    let (checked, problems) = memory.check_all()?;
    let count = |findings: &[Finding], severity: Severity| {
        findings.iter().filter(|finding| finding.severity == severity).count()
    };
    let listed: Vec<Listed> = checked
        .into_iter()
        .map(|checked| {
            let (errors, warnings) = match &checked.findings {
                Ok(findings) => (count(findings, Severity::Error), count(findings, Severity::Warning)),
                Err(_) => (1, 0),
            };
            Listed { file: checked.record.file(), record: checked.record, errors, warnings }
        })
        .collect();
    if as_json {
        json(&listed)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = String::new();
    for Listed { record, errors, warnings, .. } in &listed {
        let said = match (errors, warnings) {
            (0, 0) => String::new(),
            _ => text!(en: "  {errors} errors, {warnings} warnings", ja: "  エラー {errors}、警告 {warnings}")
                .get(lang)
                .to_owned(),
        };
        let _ = writeln!(out, "{NAME}{record}{NAME:#}{DIM}{said}{DIM:#}");
    }
    for problem in &problems {
        let _ = writeln!(out, "{DIM}{}: {}{DIM:#}", problem.file, problem.message.get(lang));
    }
    if listed.is_empty() && problems.is_empty() {
        let root = memory.root().path().display();
        let said = text!(en: "There are no records at {root} yet.", ja: "{root} に記録はまだありません。");
        let _ = writeln!(out, "{}", said.get(lang));
    }
    page(&out)?;
    Ok(ExitCode::SUCCESS)
}

fn recoverable(memory: &Memory, lang: Lang) -> Result<ExitCode> {
    let mut out = String::new();
    for entry in memory.recovery().list() {
        let _ = writeln!(out, "{NAME}{}{NAME:#}  {}  {}", entry.id, entry.record, shown(entry.at));
    }
    if out.is_empty() {
        out = format!("{}\n", text!(en: "Nothing to bring back.", ja: "戻せるものはありません。").get(lang));
    }
    page(&out)?;
    Ok(ExitCode::SUCCESS)
}

/// One finding as editors and pagers know it: file:line:column.
fn line(record: &RecordRef, finding: &Finding, lang: Lang) -> String {
    let severity = match finding.severity {
        Severity::Error => text!(en: "error", ja: "エラー"),
        Severity::Warning => text!(en: "warning", ja: "警告"),
    };
    let (line, column) = finding.start;
    format!("{}:{line}:{column}: {}: {}\n", record.file(), severity.get(lang), finding.message.get(lang))
}

/// What the checker says of one file, for JSON.
#[derive(Serialize)]
struct CheckedFile {
    file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    findings: Vec<WireFinding>,
}

fn check(memory: &Memory, lang: Lang, as_json: bool, warnings_as_errors: bool) -> Result<ExitCode> {
    let (checked, problems) = memory.check_all()?;
    let (mut out, mut files, mut errors, mut warnings) = (String::new(), Vec::new(), 0, 0);
    let records = checked.len();
    for checked in checked {
        let file = checked.record.file();
        match checked.findings {
            Ok(findings) if findings.is_empty() => {}
            Ok(findings) => {
                errors += findings.iter().filter(|finding| finding.is_error()).count();
                warnings += findings.iter().filter(|finding| !finding.is_error()).count();
                findings.iter().for_each(|finding| out.push_str(&line(&checked.record, finding, lang)));
                let findings = findings.iter().map(|finding| finding.to_wire(lang)).collect();
                files.push(CheckedFile { file, message: None, findings });
            }
            Err(error) => {
                errors += 1;
                let message = error.message().get(lang).to_owned();
                let _ = writeln!(out, "{file}: {message}");
                files.push(CheckedFile { file, message: Some(message), findings: Vec::new() });
            }
        }
    }
    for problem in problems {
        warnings += 1;
        let message = problem.message.get(lang).to_owned();
        let _ = writeln!(out, "{}: {message}", problem.file);
        files.push(CheckedFile { file: problem.file, message: Some(message), findings: Vec::new() });
    }
    if as_json {
        json(&serde_json::json!({ "records": records, "errors": errors, "warnings": warnings, "files": files }))?;
    } else {
        let said = text!(
            en: "{records} records: {errors} errors, {warnings} warnings",
            ja: "記録 {records} 件: エラー {errors} 件、警告 {warnings} 件"
        );
        let _ = writeln!(out, "{}", said.get(lang));
        page(&out)?;
    }
    let failed = errors > 0 || (warnings_as_errors && warnings > 0);
    Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Puts the hook into the git repository of this folder.
fn install_hook(session: &Session, force: bool) -> Result<ExitCode> {
    let hooks = git_hooks(&here()?)?;
    let path = hooks.join("pre-commit");
    let shown = path.display();
    let present = std::fs::read_to_string(&path).ok();
    if let Some(present) = present.as_deref().filter(|present| !present.is_empty() && !present.contains(HOOK_MARK))
        && !force
    {
        let lines = present.lines().count();
        return Err(Error::new(
            ErrorCode::Refused,
            text!(
                en: "{shown} is there already ({lines} lines) and was left as it is; call `kiroku memory check` from it, or replace it with --force",
                ja: "{shown} はすでにあります（{lines} 行）。触れていません。その中から `kiroku memory check` を呼ぶか、--force で置き換えてください"
            ),
        ));
    }
    let failed = |error: std::io::Error| Error::io(text!(en: "writing {shown}", ja: "{shown} への書き込み"), &error);
    std::fs::create_dir_all(&hooks).map_err(failed)?;
    let kiroku = std::env::current_exe().ok().filter(|path| path.is_file());
    let kiroku = kiroku.map_or_else(|| "kiroku".to_owned(), |path| path.display().to_string());
    std::fs::write(&path, hook_script(&kiroku)).map_err(failed)?;
    #[cfg(unix)]
    std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).map_err(failed)?;
    say(
        session.lang,
        &text!(
            en: "{shown} checks the records before each commit now",
            ja: "コミットのたびに {shown} が記録を検査します"
        ),
    )
}

/// The hooks directory, as git itself says it: it may be set elsewhere, and a work tree's is its main repository's.
fn git_hooks(folder: &Path) -> Result<PathBuf> {
    let output = Command::new("git").args(["rev-parse", "--git-path", "hooks"]).current_dir(folder).output().map_err(
        |error| {
            Error::new(
                ErrorCode::Unavailable,
                text!(en: "git can't be started: {error}", ja: "git を起動できません: {error}"),
            )
        },
    )?;
    if !output.status.success() {
        let folder = folder.display();
        return Err(Error::not_found(text!(
            en: "{folder} is in no git repository",
            ja: "{folder} は git のリポジトリーの中にありません"
        )));
    }
    let path = String::from_utf8_lossy(&output.stdout);
    Ok(folder.join(path.trim_end_matches(['\n', '\r'])))
}
