//! Texts that were typed and not saved, kept in the app's own data so that they survive the end of the program, however
//! that comes. Never beside the records: a draft is nobody's file until it is saved.

use crate::Workspace;
use kiroku_model::{Call, Clock, Error, ErrorCode, Result, Time, text};
use serde::{Deserialize, Serialize};
use specta::Type;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

/// What is kept of a text that is typed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct NewDraft {
    /// The text.
    pub text: String,
    /// What it began from, for the merge.
    pub base: String,
    /// The version of that.
    pub base_hash: String,
}

/// A text that was typed and not saved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct RecordDraft {
    /// The record's name.
    #[serde(rename = "ref")]
    pub name: String,
    /// The text.
    pub text: String,
    /// What it began from.
    pub base: String,
    /// The version of that.
    pub base_hash: String,
    /// When it was kept.
    pub at: Time,
}

/// The drafts of one space.
pub(super) struct Drafts {
    folder: PathBuf,
    clock: Arc<dyn Clock>,
}

impl Workspace {
    /// Keeps what is typed in a record; a later draft of it takes its place.
    pub fn save_draft(&self, _: &Call, name: &str, draft: NewDraft) -> Result<()> {
        let drafts = self.drafts()?;
        let NewDraft { text, base, base_hash } = draft;
        drafts.put(&RecordDraft { name: name.to_owned(), text, base, base_hash, at: drafts.clock.now() })
    }

    /// Forgets the draft of a record, if there is one.
    pub fn drop_draft(&self, _: &Call, name: &str) -> Result<()> {
        self.drafts()?.drop(name)
    }

    /// The drafts of this space, newest first.
    pub fn record_drafts(&self, _: &Call) -> Result<Vec<RecordDraft>> {
        Ok(self.drafts()?.all())
    }

    pub(super) fn drafts(&self) -> Result<Drafts> {
        let Some(data_dir) = &self.data_dir else {
            return Err(Error::new(
                ErrorCode::Unavailable,
                text!(en: "there is no data directory to keep drafts in", ja: "下書きを保管するデータフォルダーがありません"),
            ));
        };
        let folder = data_dir.join("drafts").join(self.info()?.uid);
        Ok(Drafts { folder, clock: self.space().clock() })
    }
}

impl Drafts {
    /// A name may hold anything; its hash is a file name everywhere.
    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{}.json", kiroku_memory::hash(name.as_bytes())))
    }

    fn put(&self, draft: &RecordDraft) -> Result<()> {
        let io = |error: std::io::Error| Error::io(text!(en: "keeping the draft", ja: "下書きの保管"), &error);
        std::fs::create_dir_all(&self.folder).map_err(io)?;
        let path = self.path(&draft.name);
        let making = path.with_extension("making");
        let mut options = std::fs::OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&making).map_err(io)?;
        file.write_all(&serde_json::to_vec(draft).map_err(Error::internal)?).map_err(io)?;
        file.sync_all().map_err(io)?;
        std::fs::rename(making, path).map_err(io)
    }

    fn drop(&self, name: &str) -> Result<()> {
        match std::fs::remove_file(self.path(name)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(Error::io(text!(en: "removing the draft", ja: "下書きの削除"), &error))
            }
            _ => Ok(()),
        }
    }

    /// The draft of a record that has another name now.
    pub(super) fn rename(&self, from: &str, to: &str) -> Result<()> {
        let Some(draft) = self.all().into_iter().find(|draft| draft.name == from && from != to) else {
            return Ok(());
        };
        self.put(&RecordDraft { name: to.to_owned(), ..draft })?;
        self.drop(from)
    }

    fn all(&self) -> Vec<RecordDraft> {
        let files = std::fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut drafts: Vec<RecordDraft> = files
            .map(|file| file.path())
            .filter(|path| path.extension().is_some_and(|end| end == "json"))
            .filter_map(|path| serde_json::from_slice(&std::fs::read(path).ok()?).ok())
            .collect();
        drafts.sort_by(|a, b| (b.at, &a.name).cmp(&(a.at, &b.name)));
        drafts
    }
}
