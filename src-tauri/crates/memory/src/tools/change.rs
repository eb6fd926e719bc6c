//! MemoryWrite, MemoryEdit and MemoryDelete: checked first, written under the lock, and nothing touched on an error.

use super::Call;
use crate::checker::{Finding, FindingCode, WireFinding};
use crate::memory::Base;
use crate::open::to_text;
use crate::{RecordKind, RecordRef};
use kiroku_model::{Error, ErrorCode, Lang, Result, text};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The input of MemoryWrite.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MemoryWriteInput {
    /// The record kind.
    pub kind: RecordKind,
    /// The record's slug; none for the summary.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slug: Option<String>,
    /// The whole file, frontmatter included.
    pub content: String,
    /// Refuse if the record is there already.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub create_only: Option<bool>,
    /// The hash of the text that the change was made from: if another is there, nothing is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
}

/// The output of MemoryWrite.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryWriteOutput {
    /// The record.
    #[serde(rename = "ref")]
    pub record: RecordRef,
    /// Whether the record is new; else it was overwritten.
    pub created: bool,
    /// The hash of what is there now.
    pub hash: String,
    /// The hash of the text that was overwritten, which is kept in the recovery folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replaced_hash: Option<String>,
    /// What the checker would have otherwise.
    pub warnings: Vec<WireFinding>,
}

/// The input of MemoryEdit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MemoryEditInput {
    /// The record kind.
    pub kind: RecordKind,
    /// The record's slug; none for the summary.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slug: Option<String>,
    /// The text to replace, exactly as it stands in the file, without line numbers.
    pub old_string: String,
    /// The text to put in its place.
    pub new_string: String,
    /// Replace every occurrence; else `old_string` must occur once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replace_all: Option<bool>,
    /// The hash of the text that the change was made from: if another is there, nothing is written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
}

/// The output of MemoryEdit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryEditOutput {
    /// The record.
    #[serde(rename = "ref")]
    pub record: RecordRef,
    /// How many places were replaced.
    pub replacements: usize,
    /// The hash of what is there now.
    pub hash: String,
    /// The hash of what was there.
    pub replaced_hash: String,
    /// What the checker would have otherwise.
    pub warnings: Vec<WireFinding>,
}

/// The input of MemoryDelete.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MemoryDeleteInput {
    /// The record kind.
    pub kind: RecordKind,
    /// The record's slug; none for the summary.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slug: Option<String>,
    /// Delete even while another record refers to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub force: Option<bool>,
    /// The hash of the text that was seen: if another is there, nothing is deleted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
}

/// The output of MemoryDelete.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryDeleteOutput {
    /// The record.
    #[serde(rename = "ref")]
    pub record: RecordRef,
    /// The entry in the recovery folder, from which it can be restored for 30 days.
    pub recovery: String,
}

fn base(hash: Option<&str>) -> Base<'_> {
    hash.map_or(Base::Present, Base::Hash)
}

/// Refuses findings with errors; gives the warnings.
fn accept(record: &RecordRef, findings: &[Finding], lang: Lang) -> Result<Vec<WireFinding>> {
    let errors: Vec<&Finding> = findings.iter().filter(|finding| finding.is_error()).collect();
    if errors.is_empty() {
        return Ok(findings.iter().map(|finding| finding.to_wire(lang)).collect());
    }
    let count = errors.len();
    let lines = |lang: Lang| {
        errors.iter().map(|f| format!("\n{}:{} {}", f.start.0, f.start.1, f.message.get(lang))).collect::<String>()
    };
    let (en, ja) = (lines(Lang::En), lines(Lang::Ja));
    let exists = errors.iter().any(|finding| finding.code == FindingCode::SlugExists);
    let code = if exists { ErrorCode::Refused } else { ErrorCode::InvalidInput };
    let wire: Vec<WireFinding> = findings.iter().map(|finding| finding.to_wire(lang)).collect();
    let wire = serde_json::to_value(wire).map_err(Error::internal)?;
    Err(Error::new(
        code,
        text!(
            en: "{record} was not written, the checker has {count} errors (line:column):{en}",
            ja: "{record} は書き込んでいません。検査で {count} 件のエラーがあります（行:列）:{ja}"
        ),
    )
    .with("findings", wire))
}

/// Writes a whole record.
pub fn memory_write(call: &Call<'_>, input: &MemoryWriteInput) -> Result<MemoryWriteOutput> {
    call.member()?;
    let record = RecordRef::new(input.kind, input.slug.as_deref())?;
    let creating = input.create_only == Some(true);
    if creating && input.base.is_some() {
        return Err(Error::invalid(
            text!(en: "`create_only` and `base` exclude each other", ja: "create_only と base は同時に指定できません"),
        ));
    }
    let _lock = call.memory.lock()?;
    let findings = call.memory.check(&record, &input.content, creating)?;
    let warnings = accept(&record, &findings, call.lang)?;
    let base = if creating { Base::New } else { base(input.base.as_deref()) };
    let written = call.memory.write_locked(&record, input.content.as_bytes(), base, true, findings)?;
    Ok(MemoryWriteOutput {
        record,
        created: written.replaced.is_none(),
        hash: written.hash,
        replaced_hash: written.replaced,
        warnings,
    })
}

/// Replaces a passage of a record. In a file whose lines all end with CRLF a plain line end in either string means that,
/// since MemoryRead does not show which it is.
pub fn memory_edit(call: &Call<'_>, input: &MemoryEditInput) -> Result<MemoryEditOutput> {
    call.member()?;
    let record = RecordRef::new(input.kind, input.slug.as_deref())?;
    if input.old_string.is_empty() {
        return Err(Error::invalid(text!(en: "`old_string` is empty", ja: "old_string が空です")));
    }
    if input.old_string == input.new_string {
        return Err(Error::invalid(
            text!(en: "`old_string` and `new_string` are the same", ja: "old_string と new_string が同じです"),
        ));
    }
    let _lock = call.memory.lock()?;
    let base = base(input.base.as_deref());
    let Some((_, bytes)) = call.memory.present(&record, base)? else { return Err(call.memory.root.missing(&record)) };
    let replaced_hash = crate::hash(&bytes);
    let present = to_text(bytes, &record.file())?;
    let crlf = present.contains('\n') && present.matches('\n').count() == present.matches("\r\n").count();
    let (old, new) = (line_ends(&input.old_string, crlf), line_ends(&input.new_string, crlf));
    let count = present.matches(&*old).count();
    let all = input.replace_all == Some(true);
    if count == 0 {
        return Err(Error::invalid(
            text!(en: "`old_string` does not occur in {record}", ja: "old_string は {record} の中にありません"),
        ));
    }
    if count > 1 && !all {
        return Err(Error::invalid(text!(
            en: "`old_string` occurs {count} times in {record}: give more of the text around it, or set `replace_all`",
            ja: "old_string は {record} の中に {count} か所あります。前後を含めて指定するか、replace_all を使ってください"
        ))
        .with("count", count));
    }
    let text = present.replace(&*old, &new);
    let findings = call.memory.check(&record, &text, false)?;
    let warnings = accept(&record, &findings, call.lang)?;
    let written = call.memory.write_locked(&record, text.as_bytes(), Base::Hash(&replaced_hash), false, findings)?;
    Ok(MemoryEditOutput { record, replacements: count, hash: written.hash, replaced_hash, warnings })
}

fn line_ends(text: &str, crlf: bool) -> Cow<'_, str> {
    if crlf && text.contains('\n') {
        Cow::Owned(text.replace("\r\n", "\n").replace('\n', "\r\n"))
    } else {
        Cow::Borrowed(text)
    }
}

/// Deletes a record; it can be restored from the recovery folder.
pub fn memory_delete(call: &Call<'_>, input: &MemoryDeleteInput) -> Result<MemoryDeleteOutput> {
    call.member()?;
    let record = RecordRef::new(input.kind, input.slug.as_deref())?;
    let _lock = call.memory.lock()?;
    let recovery = call.memory.delete_locked(&record, base(input.base.as_deref()), input.force == Some(true))?;
    Ok(MemoryDeleteOutput { record, recovery })
}

fn warned(warnings: &[WireFinding], lang: Lang) -> String {
    let mut shown = String::new();
    for warning in warnings {
        let word = match lang {
            Lang::En => "warning",
            Lang::Ja => "警告",
        };
        shown.push_str(&format!("{word} {}:{} {}\n", warning.line, warning.column, warning.message));
    }
    shown
}

impl MemoryWriteOutput {
    /// The output as an agent reads it.
    pub fn text(&self, lang: Lang) -> String {
        let Self { record, hash, .. } = self;
        let said = match (lang, &self.replaced_hash) {
            (Lang::En, None) => format!("Created {record} (hash {hash}).\n"),
            (Lang::Ja, None) => format!("{record} を作成しました（hash {hash}）。\n"),
            (Lang::En, Some(old)) => {
                format!("Overwrote {record} (hash {hash}, before {old}; the old text is kept for 30 days).\n")
            }
            (Lang::Ja, Some(old)) => {
                format!("{record} を上書きしました（hash {hash}、以前は {old}。元の内容は 30 日間保管します）。\n")
            }
        };
        said + &warned(&self.warnings, lang)
    }
}

impl MemoryEditOutput {
    /// The output as an agent reads it.
    pub fn text(&self, lang: Lang) -> String {
        let Self { record, hash, replacements, .. } = self;
        let said = match lang {
            Lang::En => format!("Edited {record}: {replacements} replaced (hash {hash}).\n"),
            Lang::Ja => format!("{record} を編集しました。{replacements} か所を置き換えました（hash {hash}）。\n"),
        };
        said + &warned(&self.warnings, lang)
    }
}

impl MemoryDeleteOutput {
    /// The output as an agent reads it.
    pub fn text(&self, lang: Lang) -> String {
        let Self { record, recovery } = self;
        match lang {
            Lang::En => format!("Deleted {record}; it can be restored for 30 days ({recovery}).\n"),
            Lang::Ja => format!("{record} を削除しました。30 日間は復元できます（{recovery}）。\n"),
        }
    }
}
