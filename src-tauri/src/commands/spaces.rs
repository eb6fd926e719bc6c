//! Spaces: finding, making, opening, their members, exports, backups and health.

use super::Shell;
use crate::app::{Answered, App};
use crate::folder::{self, FolderView};
use crate::sample;
use crate::saving::save;
use crate::space::{OpenSpace, SpaceView};
use kiroku_api::{Backup, ExportOptions, NewSpace, Workspace, list_backups, location_risk};
use kiroku_model::{Caller, Error, ErrorCode, Result, Role, Time, text};
use serde::{Deserialize, Serialize};
use specta::Type;
use std::path::{Path, PathBuf};

/// What the dialogs of space files show.
const SPACE_FILES: (&str, &[&str]) = ("Kiroku", &["db"]);

/// A file that was written where the person chose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Type)]
pub struct Saved {
    /// Where.
    pub path: String,
    /// How many hits or rows it holds.
    pub count: u64,
}

/// What a new space is made of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct CreateSpace {
    /// Where its file goes.
    pub path: String,
    /// Its name.
    pub name: String,
    /// The id of its first member, who owns it.
    pub member: String,
    /// That member's name.
    pub member_name: String,
    /// Make it although the place is not safe.
    pub anyway: bool,
}

/// A backup on disk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Type)]
pub struct BackupView {
    /// Where it is.
    pub path: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// When it was made, as its name says.
    pub made: Option<Time>,
}

/// A space whose place a backup took.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Type)]
pub struct Restored {
    /// Where the file that stood there is kept, if there was one.
    pub kept: Option<String>,
    /// The space as it is now.
    pub space: SpaceView,
}

/// What was found wrong with a space.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Type)]
pub struct HealthView {
    /// What is wrong; nothing if the space is whole.
    pub findings: Vec<FindingView>,
    /// What was mended.
    pub fixed: u64,
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Type)]
pub struct FindingView {
    /// What.
    pub message: String,
    /// Whether it can be mended.
    pub fixable: bool,
}

/// The open space; `null`: none is.
#[tauri::command]
#[specta::specta]
pub async fn current_space(app: Shell<'_>) -> Answered<Option<SpaceView>> {
    app.blocking(|app| app.opened().map(|space| app.view(&space)).transpose()).await
}

/// Opens the space file at `path`, in the place of the one that is open.
#[tauri::command]
#[specta::specta]
pub async fn open_space(app: Shell<'_>, path: String) -> Answered<SpaceView> {
    app.blocking(move |app| {
        let _opening = app.opening();
        app.open(Path::new(&path))
    })
    .await
}

/// Closes the open space.
#[tauri::command]
#[specta::specta]
pub async fn close_space(app: Shell<'_>) -> Answered<()> {
    app.blocking(|app| {
        let _opening = app.opening();
        app.close();
        Ok(())
    })
    .await
}

/// Makes a new space and opens it. A place where its file may be damaged is refused with the reason (`details.risk`),
/// unless `anyway`. A file that is there is left as it is.
#[tauri::command]
#[specta::specta]
pub async fn create_space(app: Shell<'_>, space: CreateSpace) -> Answered<SpaceView> {
    app.blocking(move |app| create(app, &space)).await
}

fn create(app: &App, new: &CreateSpace) -> Result<SpaceView> {
    let path = PathBuf::from(&new.path);
    if !path.is_absolute() {
        return Err(Error::invalid(text!(en: "choose where the space goes", ja: "スペースの保存先を選んでください")));
    }
    if let Some(risk) = location_risk(&path, &app.place().mounts()).filter(|_| !new.anyway) {
        let said = risk.0.get(app.lang()).to_owned();
        return Err(Error::new(ErrorCode::Refused, risk.0).with("risk", said));
    }
    let _opening = app.opening();
    let made = NewSpace { name: new.name.clone(), owner: new.member.clone(), owner_name: new.member_name.clone() };
    let workspace = Workspace::create(&path, &made, app.clock())?;
    app.show(workspace, Some(new.member.clone()), false)
}

/// Makes the sample space if it is not there yet, which `WorkProgress` tells of under `work`, and opens it.
#[tauri::command]
#[specta::specta]
pub async fn open_sample_space(app: Shell<'_>, work: String) -> Answered<SpaceView> {
    let ticket = app.works().begin(&work, 0).map_err(|error| error.to_wire(app.lang()))?;
    app.blocking(move |app| {
        let _opening = app.opening();
        let workspace = sample::open(app, &work, ticket.cancel())?;
        app.show(workspace, None, true)
    })
    .await
}

/// Has the person choose a space file; `null`: they chose none.
#[tauri::command]
#[specta::specta]
pub async fn choose_space_file(app: Shell<'_>) -> Answered<Option<String>> {
    app.blocking(|app| {
        let title = text!(en: "Open a space", ja: "スペースを開く");
        Ok(app.desk().choose_files(title.get(app.lang()), SPACE_FILES, false).first().map(|path| shown(path)))
    })
    .await
}

/// Has the person choose where a new space's file goes; `null`: they chose no place.
#[tauri::command]
#[specta::specta]
pub async fn choose_new_space_file(app: Shell<'_>, name: String) -> Answered<Option<String>> {
    app.blocking(move |app| {
        let title = text!(en: "Where the space goes", ja: "スペースの保存先");
        let name = format!("{}.db", file_name(&name));
        Ok(app.desk().choose_place(title.get(app.lang()), &name, None, SPACE_FILES).as_deref().map(shown))
    })
    .await
}

/// Has the person choose a folder; `null`: they chose none.
#[tauri::command]
#[specta::specta]
pub async fn choose_folder(app: Shell<'_>) -> Answered<Option<String>> {
    app.blocking(|app| {
        let title = text!(en: "Open a folder", ja: "フォルダーを開く");
        Ok(app.desk().choose_folder(title.get(app.lang())).as_deref().map(shown))
    })
    .await
}

/// Where a space of this name goes when the person chose no place: a file that is not there yet.
#[tauri::command]
#[specta::specta]
pub async fn suggest_space_file(app: Shell<'_>, name: String) -> Answered<String> {
    app.blocking(move |app| {
        let (dir, name) = (app.place().data_dir.join("spaces"), file_name(&name));
        let nth = |n: u32| dir.join(if n == 1 { format!("{name}.db") } else { format!("{name} {n}.db") });
        let free = (1..=9999).map(nth).find(|path| !path.exists());
        Ok(shown(&free.unwrap_or_else(|| dir.join(kiroku_model::new_uid() + ".db"))))
    })
    .await
}

/// Why a space file at `path` would not be safe; `null`: it would be.
#[tauri::command]
#[specta::specta]
pub async fn space_risk(app: Shell<'_>, path: String) -> Answered<Option<String>> {
    app.blocking(move |app| {
        let risk = location_risk(Path::new(&path), &app.place().mounts());
        Ok(risk.map(|risk| risk.0.get(app.lang()).to_owned()))
    })
    .await
}

/// What a folder holds: a space, records, and the sessions that worked in it. May be taken back by `work`.
#[tauri::command]
#[specta::specta]
pub async fn look_into_folder(app: Shell<'_>, work: String, path: String) -> Answered<FolderView> {
    let ticket = app.works().begin(&work, 0).map_err(|error| error.to_wire(app.lang()))?;
    app.blocking(move |app| folder::look(app.place(), Path::new(&path), app.lang(), ticket.cancel())).await
}

/// Gives the space another name; only an owner may.
#[tauri::command]
#[specta::specta]
pub async fn rename_space(app: Shell<'_>, name: String) -> Answered<SpaceView> {
    change(app, move |space, caller| space.workspace().rename(caller, &name)).await
}

/// Adds a member; only an owner may.
#[tauri::command]
#[specta::specta]
pub async fn add_member(app: Shell<'_>, id: String, name: String, role: Role) -> Answered<SpaceView> {
    change(app, move |space, caller| space.workspace().add_member(caller, &id, &name, role).map(drop)).await
}

/// Removes a member, whose words stay; only an owner may.
#[tauri::command]
#[specta::specta]
pub async fn remove_member(app: Shell<'_>, id: String) -> Answered<SpaceView> {
    change(app, move |space, caller| space.workspace().remove_member(caller, &id)).await
}

/// Has the app act as this member of the open space from now on.
#[tauri::command]
#[specta::specta]
pub async fn act_as(app: Shell<'_>, id: String) -> Answered<SpaceView> {
    change(app, move |space, _| space.act_as(&id)).await
}

/// Changes the open space as the app's member, keeps it among the recent ones as it is now, and answers it.
async fn change(
    app: Shell<'_>,
    work: impl FnOnce(&OpenSpace, &Caller) -> Result<()> + Send + 'static,
) -> Answered<SpaceView> {
    app.blocking(move |app| {
        let space = app.open_space()?;
        work(&space, &Caller::member(space.member()))?;
        let view = app.view(&space)?;
        app.remember(&space, &view.name)?;
        Ok(view)
    })
    .await
}

/// Has the person choose a file and writes the whole space to it in the exchange format, without secrets if `redact`.
/// `null`: the person chose none.
#[tauri::command]
#[specta::specta]
pub async fn export_space(app: Shell<'_>, work: String, redact: bool) -> Answered<Option<Saved>> {
    app.cancellable(work, 0, move |app, space, call| {
        let title = text!(en: "Export the space", ja: "スペースの書き出し");
        let name = format!("{}.jsonl", file_name(&space.workspace().info()?.name));
        let options = ExportOptions { redact };
        save(app, &title, &name, None, |out| space.workspace().export(out, options, &call.cancel))
    })
    .await
}

/// The backups of the space at `path` (the open one, or one that can't be opened any more), newest first.
#[tauri::command]
#[specta::specta]
pub async fn backups(app: Shell<'_>, path: String) -> Answered<Vec<BackupView>> {
    app.blocking(move |_| Ok(list_backups(Path::new(&path))?.iter().map(BackupView::of).collect())).await
}

/// Makes a backup of the open space now.
#[tauri::command]
#[specta::specta]
pub async fn make_backup(app: Shell<'_>) -> Answered<BackupView> {
    app.read(|space, _| space.backup().map(|made| BackupView::of(&made))).await
}

/// Puts one of its backups in the place of the space at `path` and opens it. What stood there is kept beside it. Of the
/// open space only an owner may.
#[tauri::command]
#[specta::specta]
pub async fn restore_backup(app: Shell<'_>, path: String, backup: String) -> Answered<Restored> {
    app.blocking(move |app| restore(app, Path::new(&path), Path::new(&backup))).await
}

fn restore(app: &App, file: &Path, backup: &Path) -> Result<Restored> {
    let _opening = app.opening();
    if !list_backups(file)?.iter().any(|known| known.path == backup) {
        return Err(Error::not_found(
            text!(en: "this is no backup of the space", ja: "このスペースのバックアップではありません"),
        ));
    }
    let open = app.opened();
    if let Some(space) = open.as_ref().filter(|space| space.path() == file) {
        space.require_owner()?;
        app.close();
    }
    drop(open);
    let kept = kiroku_api::restore(file, backup, app.clock());
    // Whether it went well or not, the person has a space before them again.
    let space = app.open(file);
    let kept = kept?.as_deref().map(shown);
    Ok(Restored { kept, space: space? })
}

/// Looks whether the open space is whole; with `fix` mends what can be mended without losing anything.
#[tauri::command]
#[specta::specta]
pub async fn doctor(app: Shell<'_>, work: String, fix: bool) -> Answered<HealthView> {
    app.cancellable(work, 0, move |_, space, call| {
        let health = space.workspace().doctor(fix, &call.cancel)?;
        let findings = health.findings.iter().map(|finding| FindingView {
            message: finding.message.get(call.lang).to_owned(),
            fixable: finding.fixable,
        });
        Ok(HealthView { findings: findings.collect(), fixed: health.fixed })
    })
    .await
}

impl BackupView {
    fn of(backup: &Backup) -> BackupView {
        let Backup { path, bytes } = backup;
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        // The name ends in a time in the basic form, such as `20260620T100000.123Z`.
        let made = stem.rsplit_once('-').and_then(|(_, time)| {
            let (day, rest) = (time.get(..8)?, time.get(8..)?);
            let (hms, rest) = (rest.get(1..7)?, rest.get(7..)?);
            let part = |text: &str, at: usize| text.get(at..at + 2).map(str::to_owned);
            let date = format!("{}-{}-{}", day.get(..4)?, part(day, 4)?, part(day, 6)?);
            Time::parse(&format!("{date}T{}:{}:{}{rest}", part(hms, 0)?, part(hms, 2)?, part(hms, 4)?)).ok()
        });
        BackupView { path: shown(path), bytes: *bytes, made }
    }
}

/// A name that is a file's on every system.
pub(super) fn file_name(name: &str) -> String {
    let plain: String = name
        .trim()
        .chars()
        .map(|c| if c.is_control() || "/\\:*?\"<>|".contains(c) { '-' } else { c })
        .take(80)
        .collect();
    let plain = plain.trim_matches(['.', ' ']);
    if plain.is_empty() { "space".to_owned() } else { plain.to_owned() }
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}
