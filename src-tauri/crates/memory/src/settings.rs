//! The settings under `[memory]` in the space's `kiroku.toml`.
//!
//! Reading is tolerant: a setting that is wrong is told with its line and its default stands, and unknown ones are
//! left alone, since other parts of the program and later versions keep theirs in the same file. Changing one
//! replaces the bytes of that one value, so comments and everything else stay.

use kiroku_model::{Error, ErrorCode, Result, Text, text};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use toml_edit::{Document, Item, Value};

/// The settings' table.
const TABLE: &str = "memory";

/// The most hits and the most lines around a hit that may be set.
const MOST: i64 = 10_000;

/// How memory and knowledge behave in one space.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Settings {
    /// The content root, relative to the space's folder; `None`: found by looking.
    pub content_root: Option<String>,
    /// How many hits a search gives at most (20).
    pub search_hit_limit: usize,
    /// How many lines an excerpt has before and after the line that matched (3).
    pub search_excerpt_lines: usize,
    /// How many characters a summary's body may have (20,000).
    pub summary_body_limit: usize,
    /// How many characters another record's body may have (8,000).
    pub body_limit: usize,
    /// Whether `updated_at` is written when a person saves a change (true).
    pub touch_updated_at: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            content_root: None,
            search_hit_limit: 20,
            search_excerpt_lines: 3,
            summary_body_limit: 20_000,
            body_limit: 8_000,
            touch_updated_at: true,
        }
    }
}

/// A setting that can't be used, and where it stands.
#[derive(Clone, Debug)]
pub struct SettingsProblem {
    /// Line in `kiroku.toml`, from 1.
    pub line: usize,
    /// For a person.
    pub message: Text,
}

/// One setting's new value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum SettingValue {
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A text on one line.
    Text(String),
}

impl Settings {
    /// Reads the text of a `kiroku.toml`. What is wrong keeps its default and is told.
    pub fn read(toml: &str) -> (Settings, Vec<SettingsProblem>) {
        let mut settings = Settings::default();
        let mut problems = Vec::new();
        let document = match Document::parse(toml) {
            Ok(document) => document,
            Err(error) => {
                let line = line_of(toml, error.span());
                let why = error.message().lines().next().unwrap_or_default();
                let message = text!(en: "kiroku.toml, line {line}: {why}", ja: "kiroku.toml の {line} 行目: {why}");
                return (settings, vec![SettingsProblem { line, message }]);
            }
        };
        let Some(table) = document.get(TABLE) else {
            return (settings, problems);
        };
        let Some(table) = table.as_table_like() else {
            let line = line_of(toml, table.span());
            problems.push(SettingsProblem {
                line,
                message: text!(en: "kiroku.toml, line {line}: `memory` must be a table", ja: "kiroku.toml の {line} 行目: memory はテーブルでなければなりません"),
            });
            return (settings, problems);
        };
        for (key, item) in table.iter() {
            let set = match key {
                "content_root" => item
                    .as_str()
                    .filter(|path| !path.trim().is_empty())
                    .map(|path| settings.content_root = Some(path.to_owned())),
                "search_hit_limit" => number(item, 1).map(|n| settings.search_hit_limit = n),
                "search_excerpt_lines" => number(item, 0).map(|n| settings.search_excerpt_lines = n),
                "summary_body_limit" => limit(item).map(|n| settings.summary_body_limit = n),
                "body_limit" => limit(item).map(|n| settings.body_limit = n),
                "touch_updated_at" => item.as_bool().map(|on| settings.touch_updated_at = on),
                _ => Some(()),
            };
            if set.is_none() {
                let line = line_of(toml, item.span());
                let wanted = match key {
                    "content_root" => text!(en: "a path", ja: "パス"),
                    "touch_updated_at" => text!(en: "true or false", ja: "true か false"),
                    "search_hit_limit" => text!(en: "a whole number from 1 to {MOST}", ja: "1 から {MOST} までの整数"),
                    "search_excerpt_lines" => {
                        text!(en: "a whole number from 0 to {MOST}", ja: "0 から {MOST} までの整数")
                    }
                    _ => text!(en: "a whole number, 1 or more", ja: "1 以上の整数"),
                };
                let Text { en, ja } = wanted;
                problems.push(SettingsProblem {
                    line,
                    message: text!(
                        en: "kiroku.toml, line {line}: `{key}` must be {en}; the default is used",
                        ja: "kiroku.toml の {line} 行目: {key} は{ja}でなければなりません。既定値を使います"
                    ),
                });
            }
        }
        (settings, problems)
    }

    /// The settings that are counts, by their names in the file.
    pub fn limits(&self) -> [(&'static str, usize); 4] {
        [
            ("summary_body_limit", self.summary_body_limit),
            ("body_limit", self.body_limit),
            ("search_hit_limit", self.search_hit_limit),
            ("search_excerpt_lines", self.search_excerpt_lines),
        ]
    }

    /// The most characters that the body of a record of `kind` may have.
    pub fn limit_for(&self, kind: crate::RecordKind) -> usize {
        if kind == crate::RecordKind::Summary { self.summary_body_limit } else { self.body_limit }
    }
}

fn number(item: &Item, least: i64) -> Option<usize> {
    item.as_integer().filter(|n| (least..=MOST).contains(n)).and_then(|n| usize::try_from(n).ok())
}

fn limit(item: &Item) -> Option<usize> {
    item.as_integer().filter(|n| *n >= 1).and_then(|n| usize::try_from(n).ok())
}

fn line_of(toml: &str, span: Option<Range<usize>>) -> usize {
    let at = span.map_or(0, |span| span.start).min(toml.len());
    memchr::memchr_iter(b'\n', &toml.as_bytes()[..at]).count() + 1
}

/// The text of a `kiroku.toml` with one setting under `[memory]` changed, or put in. Nothing else changes. Refused if the
/// file can't be read as TOML, or if the value would not be what a setting of that name may be.
pub fn set_setting(toml: &str, key: &str, value: &SettingValue) -> Result<String> {
    let document = Document::parse(toml).map_err(|error| {
        let line = line_of(toml, error.span());
        Error::new(
            ErrorCode::Refused,
            text!(en: "kiroku.toml can't be read (line {line}): mend it first", ja: "kiroku.toml の {line} 行目が読めません。先に直してください"),
        )
        .with("line", line as u64)
    })?;
    let written = match value {
        SettingValue::Bool(value) => Value::from(*value),
        SettingValue::Int(value) => Value::from(*value),
        SettingValue::Text(value) if value.contains(['\n', '\r']) => {
            return Err(Error::invalid(text!(en: "a setting is one line", ja: "設定値は 1 行で書いてください")));
        }
        SettingValue::Text(value) => Value::from(value.as_str()),
    };
    let written = written.to_string();
    let eol = if toml.contains("\r\n") { "\r\n" } else { "\n" };
    let table = document.get(TABLE);
    let present = table.and_then(|table| table.get(key));
    let made = if let Some(span) = present.and_then(Item::span) {
        format!("{}{written}{}", &toml[..span.start], &toml[span.end..])
    } else if let Some(span) = table
        .and_then(Item::as_table)
        .filter(|table| !table.is_implicit() && !table.is_dotted())
        .and_then(toml_edit::Table::span)
    {
        // The span begins with the table's header; the new line comes right after it.
        let at = crate::frontmatter::line_end(toml, span.start);
        let gap = if toml[..at].ends_with('\n') { "" } else { eol };
        format!("{}{gap}{key} = {written}{eol}{}", &toml[..at], &toml[at..])
    } else {
        let gap = if toml.is_empty() {
            ""
        } else if toml.ends_with('\n') {
            eol
        } else if eol == "\n" {
            "\n\n"
        } else {
            "\r\n\r\n"
        };
        format!("{toml}{gap}[{TABLE}]{eol}{key} = {written}{eol}")
    };
    let (_, before) = Settings::read(toml);
    let (_, after) = Settings::read(&made);
    let known = |problems: &[SettingsProblem], made: &str| {
        let document = Document::parse(made).ok();
        let line = document
            .and_then(|d| d.get(TABLE).and_then(|t| t.get(key)).and_then(Item::span))
            .map(|span| line_of(made, Some(span)));
        problems.iter().find(|problem| Some(problem.line) == line).cloned()
    };
    if let Some(problem) = known(&after, &made) {
        return Err(Error::invalid(problem.message));
    }
    let reads = Document::parse(&made).ok().is_some_and(|d| d.get(TABLE).and_then(|t| t.get(key)).is_some());
    if !reads || after.len() > before.len() {
        return Err(Error::new(
            ErrorCode::Refused,
            text!(en: "`{key}` can't be set in this file: edit kiroku.toml as text", ja: "このファイルでは {key} を設定できません。kiroku.toml をテキストとして編集してください"),
        ));
    }
    Ok(made)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kiroku_model::Lang;

    #[test]
    fn tolerant_with_line_numbers() {
        let toml = "name = \"x\"\n[memory]\nsearch_hit_limit = 5\nsearch_excerpt_lines = \"two\"\nbody_limit = 0\nlater = [1]\ncontent_root = \"notes\"\n[other]\nsearch_hit_limit = \"no\"\n";
        let (settings, problems) = Settings::read(toml);
        assert_eq!(
            settings,
            Settings { search_hit_limit: 5, content_root: Some("notes".into()), ..Settings::default() }
        );
        assert_eq!(problems.iter().map(|p| p.line).collect::<Vec<_>>(), [4, 5]);
        assert!(problems[0].message.get(Lang::En).contains("line 4: `search_excerpt_lines`"));
        let (settings, problems) = Settings::read("a = 1\n[memory\nx");
        assert_eq!((settings, problems.len(), problems[0].line), (Settings::default(), 1, 2));
        assert_eq!(Settings::read("memory = 3").1[0].line, 1);
        assert!(Settings::read("").1.is_empty());
        assert_eq!(Settings::read("memory.body_limit = 9\n").0.body_limit, 9);
        assert_eq!(Settings::read("memory = {body_limit = 9}\n").0.body_limit, 9);
    }

    #[test]
    fn one_value_changes() {
        let toml = "# top\r\n[memory]  # here\r\nsearch_hit_limit   =  5   # few\r\n\r\n[z]\r\na=1";
        let set = set_setting(toml, "search_hit_limit", &SettingValue::Int(7)).unwrap();
        assert_eq!(set, toml.replace("=  5", "=  7"));
        let set = set_setting(toml, "touch_updated_at", &SettingValue::Bool(false)).unwrap();
        assert_eq!(set, toml.replace("# here\r\n", "# here\r\ntouch_updated_at = false\r\n"));
        let set = set_setting("[z]\na=1", "content_root", &SettingValue::Text("メモ \"x\"".into())).unwrap();
        assert_eq!(Settings::read(&set).0.content_root.as_deref(), Some("メモ \"x\""));
        assert!(set.starts_with("[z]\na=1\n\n[memory]\ncontent_root = "));
        assert_eq!(set_setting("", "body_limit", &SettingValue::Int(9)).unwrap(), "[memory]\nbody_limit = 9\n");
        assert_eq!(set_setting("[memory]", "body_limit", &SettingValue::Int(9)).unwrap(), "[memory]\nbody_limit = 9\n");
        assert_eq!(
            set_setting("memory.body_limit = 9\n", "body_limit", &SettingValue::Int(8)).unwrap(),
            "memory.body_limit = 8\n"
        );
    }

    #[test]
    fn what_can_not_be_is_refused() {
        for (toml, key, value, code) in [
            ("[memory", "body_limit", SettingValue::Int(9), ErrorCode::Refused),
            ("memory = 3\n", "body_limit", SettingValue::Int(9), ErrorCode::Refused),
            ("", "body_limit", SettingValue::Int(0), ErrorCode::InvalidInput),
            ("", "body_limit", SettingValue::Text("x".into()), ErrorCode::InvalidInput),
            ("", "content_root", SettingValue::Text("a\nb".into()), ErrorCode::InvalidInput),
            ("memory = {body_limit = 9}\n", "search_hit_limit", SettingValue::Int(9), ErrorCode::Refused),
        ] {
            assert_eq!(set_setting(toml, key, &value).unwrap_err().code(), code, "{toml} {key}");
        }
    }
}
