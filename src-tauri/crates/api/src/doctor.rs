//! `kiroku doctor`: whether a space is whole, and mending what can be mended without losing anything.

use crate::Workspace;
use kiroku_model::{Cancel, Result, Text, text};
use serde::Serialize;

/// One thing that was looked at and is not as it should be.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What is wrong.
    pub message: Text,
    /// Whether `--fix` mends it.
    pub fixable: bool,
}

/// What doctor found.
#[derive(Clone, Debug, Default)]
pub struct Health {
    /// What is wrong; nothing if the space is whole.
    pub findings: Vec<Finding>,
    /// What was mended.
    pub fixed: u64,
}

/// A finding as it is printed.
#[derive(Serialize)]
pub struct FindingLine<'a> {
    message: &'a str,
    fixable: bool,
}

impl Health {
    /// The findings in one language, for JSON.
    pub fn lines(&self, lang: kiroku_model::Lang) -> Vec<FindingLine<'_>> {
        self.findings
            .iter()
            .map(|finding| FindingLine { message: finding.message.get(lang), fixable: finding.fixable })
            .collect()
    }
}

impl Workspace {
    /// Checks the file, its references, and the index; with `fix` the index is built anew if it is at fault, and a file
    /// that others may read is closed to them.
    pub fn doctor(&self, fix: bool, cancel: &Cancel) -> Result<Health> {
        let mut health = Health::default();
        let (faults, dangling) = self.space().read(cancel, kiroku_store::file_faults)?;
        for fault in &faults {
            // A fault inside the index is told again by its own check, and is mended by building it anew.
            let fixable = fault.contains("index_");
            health.findings.push(Finding { message: text!(en: "file: {fault}", ja: "ファイル: {fault}"), fixable });
        }
        if dangling > 0 {
            health.findings.push(Finding {
                message: text!(en: "{dangling} references lead nowhere", ja: "参照先のない行が {dangling} 件あります"),
                fixable: false,
            });
        }
        let index = self.conversations().check_index()?;
        for fault in &index {
            health.findings.push(Finding { message: text!(en: "{fault}", ja: "索引: {fault}"), fixable: true });
        }
        if is_open_to_others(self.space().path()) {
            health.findings.push(Finding {
                message: text!(
                    en: "other users of this computer can read the space file",
                    ja: "このコンピューターのほかの利用者がスペースのファイルを読める状態です"
                ),
                fixable: true,
            });
            if fix {
                close_to_others(self.space().path())?;
                health.fixed += 1;
            }
        }
        let index_at_fault = !index.is_empty() || faults.iter().any(|fault| fault.contains("index_"));
        if fix && index_at_fault {
            self.conversations().rebuild_index()?;
            self.maintain(cancel, |_, _| {})?;
            health.fixed += 1;
        }
        Ok(health)
    }
}

#[cfg(unix)]
fn is_open_to_others(path: &std::path::Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(path).is_ok_and(|meta| meta.permissions().mode() & 0o077 != 0)
}

#[cfg(unix)]
fn close_to_others(path: &std::path::Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let shown = path.display();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600)).map_err(|error| {
        kiroku_model::Error::io(text!(en: "closing {shown} to others", ja: "{shown} の権限の変更"), &error)
    })
}

#[cfg(not(unix))]
fn is_open_to_others(_path: &std::path::Path) -> bool {
    false
}

#[cfg(not(unix))]
fn close_to_others(_path: &std::path::Path) -> Result<()> {
    Ok(())
}
