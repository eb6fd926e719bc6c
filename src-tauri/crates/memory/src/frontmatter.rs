//! A record's text taken apart: the fences, the frontmatter's fields with the bytes that each stands in, the body.
//! Reading is tolerant (a BOM, leading blank lines, CRLF, blanks after a fence); the checker says what is wrong with it.

use crate::yaml::{self, Node, Scalar, Yaml};
use kiroku_model::{Text, text};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The most bytes of frontmatter that are parsed (256 KiB); more is malformed.
pub const LARGEST: usize = 256 * 1024;

/// Where the parts of a record's text stand, as byte offsets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts {
    /// Whether the text begins with a byte order mark.
    pub bom: bool,
    /// Whether blank lines stand before the opening fence.
    pub leading_blank: bool,
    /// The opening `---`, with its line end.
    pub open: Range<usize>,
    /// The YAML between the fences, with its last line end.
    pub yaml: Range<usize>,
    /// The closing `---`, with its line end if there is one.
    pub close: Range<usize>,
}

impl Parts {
    /// Where the body begins.
    pub fn body(&self) -> usize {
        self.close.end
    }
}

/// Why a text has no frontmatter that can be read, and where.
#[derive(Clone, Debug)]
pub struct Malformed {
    /// Whether there is no opening fence at all.
    pub missing: bool,
    /// For a person.
    pub message: Text,
    /// Byte range in the text.
    pub span: Range<usize>,
}

/// Finds the fences: lines that hold `---` and blanks alone.
pub fn split(text: &str) -> Result<Parts, Malformed> {
    let bom = text.starts_with('\u{feff}');
    let mut at = if bom { '\u{feff}'.len_utf8() } else { 0 };
    let first = at;
    let missing = || Malformed {
        missing: true,
        message: text!(en: "the frontmatter is missing: the first line must be `---`", ja: "frontmatter がありません。最初の行は「---」でなければなりません"),
        span: first..line_end(text, first),
    };
    while at < text.len() && text[at..line_end(text, at)].trim().is_empty() {
        at = line_end(text, at);
    }
    let open = at..line_end(text, at);
    if !is_fence(&text[open.clone()]) {
        return Err(missing());
    }
    let mut at = open.end;
    while at < text.len() {
        let end = line_end(text, at);
        if is_fence(&text[at..end]) {
            return Ok(Parts { bom, leading_blank: open.start > first, yaml: open.end..at, close: at..end, open });
        }
        at = end;
    }
    Err(Malformed {
        missing: false,
        message: text!(en: "the frontmatter is not closed: a second line `---` is missing", ja: "frontmatter が閉じられていません。2 つめの「---」の行がありません"),
        span: open,
    })
}

fn is_fence(line: &str) -> bool {
    line.strip_prefix("---").is_some_and(|rest| rest.bytes().all(|b| b.is_ascii_whitespace()))
}

/// The end of the line that `at` is in, after its line end.
pub(crate) fn line_end(text: &str, at: usize) -> usize {
    memchr::memchr(b'\n', &text.as_bytes()[at..]).map_or(text.len(), |n| at + n + 1)
}

/// The start of the line that `at` is in.
pub(crate) fn line_start(text: &str, at: usize) -> usize {
    memchr::memrchr(b'\n', &text.as_bytes()[..at]).map_or(0, |n| n + 1)
}

/// One field of the frontmatter. All ranges are byte offsets in the whole text.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name.
    pub key: String,
    /// Where its name stands.
    pub key_span: Range<usize>,
    /// Its value; spans inside count from the start of the YAML.
    pub value: Node,
    /// The offset right after its colon.
    pub colon: usize,
    /// Where its value is written: from the first character after the colon (a `|`, an anchor, a quote) to the last.
    /// Empty, right after the colon, if nothing is written.
    pub source: Range<usize>,
    /// Its lines, with the last line end; comments and blank lines after it are not its own.
    pub lines: Range<usize>,
}

/// A record's frontmatter, read.
#[derive(Clone, Debug)]
pub struct Frontmatter {
    /// Where the parts of the text stand.
    pub parts: Parts,
    /// The fields in order, duplicates kept.
    pub fields: Vec<Field>,
    /// Whether it is written in block style, one field to a line: only that can be edited field by field.
    pub block: bool,
}

impl Frontmatter {
    /// Reads the frontmatter of a record's text.
    pub fn parse(text: &str) -> Result<Frontmatter, Malformed> {
        let parts = split(text)?;
        let start = parts.yaml.start;
        let source = &text[parts.yaml.clone()];
        if source.len() > LARGEST {
            return Err(Malformed {
                missing: false,
                message: text!(en: "the frontmatter is larger than {LARGEST} bytes", ja: "frontmatter が {LARGEST} バイトを超えています"),
                span: parts.open,
            });
        }
        let root = yaml::parse(source).map_err(|error| {
            let at = start + source.floor_char_boundary(error.at.min(source.len().saturating_sub(1)));
            let line = line_start(text, at);
            let number = memchr::memchr_iter(b'\n', &text.as_bytes()[..line]).count() + 1;
            let why = error.message;
            Malformed {
                missing: false,
                message: text!(
                    en: "the frontmatter is not valid YAML (line {number}: {why}); text that holds `: ` or ` #` must be quoted",
                    ja: "frontmatter が YAML として読めません（{number} 行目: {why}）。「: 」や「 #」を含む文字列は引用符で囲んでください"
                ),
                span: at..line_end(text, at).max(at),
            }
        })?;
        let Some(root) = root else {
            return Ok(Frontmatter { parts, fields: Vec::new(), block: true });
        };
        let block = !root.flow;
        let fields = match root.value {
            Yaml::Map(pairs) => {
                pairs.into_iter().map(|(key, value)| Field::new(text, start, parts.yaml.end, key, value)).collect()
            }
            Yaml::Scalar { .. } if root.scalar() == Some(Scalar::Null) => Vec::new(),
            _ => {
                return Err(Malformed {
                    missing: false,
                    message: text!(en: "the frontmatter is not a list of `name: value` fields", ja: "frontmatter が「名前: 値」の並びになっていません"),
                    span: start + root.span.start..start + root.span.end,
                });
            }
        };
        Ok(Frontmatter { parts, fields, block })
    }

    /// The first field of that name.
    pub fn field(&self, key: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.key == key)
    }

    /// The value of a field, or `None` if it is absent, null, or no text.
    pub fn str(&self, key: &str) -> Option<&str> {
        self.field(key)?.value.str()
    }

    /// The value of a field, or `None` if it is absent or no truth value.
    pub fn bool(&self, key: &str) -> Option<bool> {
        match self.field(key)?.value.scalar() {
            Some(Scalar::Bool(value)) => Some(value),
            _ => None,
        }
    }
}

impl Field {
    fn new(text: &str, start: usize, end: usize, key: Node, value: Node) -> Field {
        let key_span = start + key.span.start..start + key.span.end;
        let name = match &key.value {
            Yaml::Scalar { text, .. } => text.clone(),
            // A collection or an alias as a name: kept as it is written, and never equal to a name that we know.
            _ => format!("? {}", &text[key_span.clone()]),
        };
        let colon = memchr::memchr(b':', &text.as_bytes()[key_span.end..end]).map_or(end, |n| key_span.end + n + 1);
        let value_end = (start + value.span.end).max(colon);
        let nothing = value.scalar() == Some(Scalar::Null) && value.span.is_empty() && value.anchor == 0;
        let source = if nothing { colon..colon } else { colon + lead(&text[colon..value_end])..value_end };
        let lines = line_start(text, key_span.start)..line_end(text, source.end);
        Field { key: name, key_span, colon, value, source, lines }
    }
}

/// How many bytes of blanks, comments and line ends stand before a value that begins after a colon.
fn lead(text: &str) -> usize {
    let mut at = 0;
    loop {
        at += text[at..].len() - text[at..].trim_start_matches(yaml::BLANKS).len();
        if !text[at..].starts_with('#') {
            return at;
        }
        at = line_end(text, at);
    }
}

/// Where a record's words come from: part of a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, specta::Type)]
pub struct Source {
    /// The source's own session id, else the task's uid.
    pub session_id: String,
    /// First and last `seq` in it.
    pub range: [i64; 2],
    /// Whether the file names the session by `segment_id`; whichever stands is kept.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub segment: bool,
}

/// `[from, to]`, two whole numbers that are not negative.
pub(crate) fn range(node: &Node) -> Option<[i64; 2]> {
    let whole = |node: &Node| match node.scalar() {
        Some(Scalar::Int(n)) if n >= 0 => Some(n),
        _ => None,
    };
    match node.list()? {
        [from, to] => Some([whole(from)?, whole(to)?]),
        _ => None,
    }
}

/// One entry of `sources`, if it is as it should be.
pub(crate) fn source(node: &Node) -> Option<Source> {
    let pairs = node.map()?;
    let mut id = None;
    let mut found = None;
    for (key, value) in pairs {
        let twice = match key.str() {
            Some(name @ ("session_id" | "segment_id")) => id.replace((value.str()?, name == "segment_id")).is_some(),
            Some("range") => found.replace(range(value)?).is_some(),
            _ => false,
        };
        if twice {
            return None;
        }
    }
    let (session_id, segment) = id?;
    Some(Source { session_id: session_id.to_owned(), range: found?, segment })
}

/// A field's value as the app's form shows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, specta::Type)]
#[serde(tag = "type", content = "value", rename_all = "snake_case")]
pub enum FieldValue {
    /// Nothing, or `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A text.
    Text(String),
    /// `[from, to]`.
    Range([i64; 2]),
    /// `sources` or `last_sources`.
    Sources(Vec<Source>),
    /// One line of YAML, as it stands in the file: any other shape, and how a value is put back byte for byte.
    Yaml(String),
}

impl FieldValue {
    /// The value of `field` in `text`.
    pub fn of(text: &str, field: &Field) -> FieldValue {
        let node = &field.value;
        match node.scalar() {
            Some(Scalar::Null) => return FieldValue::Null,
            Some(Scalar::Bool(value)) => return FieldValue::Bool(value),
            Some(Scalar::Int(value)) => return FieldValue::Int(value),
            Some(Scalar::Str(value)) => return FieldValue::Text(value.to_owned()),
            Some(Scalar::Number) | None => {}
        }
        if let Some(range) = range(node) {
            return FieldValue::Range(range);
        }
        if let Some(items) = node.list()
            && let Some(sources) = items.iter().map(source).collect::<Option<Vec<Source>>>()
        {
            return FieldValue::Sources(sources);
        }
        FieldValue::Yaml(text[field.source.clone()].to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tolerant_reading() {
        for (given, bom, blank, body) in [
            ("---\na: 1\n---\nbody", false, false, "body"),
            ("\u{feff}---\na: 1\n---\nbody", true, false, "body"),
            ("\n  \r\n---  \r\na: 1\r\n---\t\r\nbody\r\n", false, true, "body\r\n"),
            ("---\n---", false, false, ""),
            ("---\na: |\n  ---\n---\n---\n", false, false, "---\n"),
        ] {
            let parts = split(given).unwrap();
            assert_eq!((parts.bom, parts.leading_blank, &given[parts.body()..]), (bom, blank, body), "{given:?}");
        }
        for bad in ["", "\n", "body", "--- x\n---\n", "----\n---\n", "a\n---\n---\n", " ---\n---\n"] {
            assert!(split(bad).unwrap_err().missing, "{bad:?}");
        }
        assert!(!split("---\na: 1\n").unwrap_err().missing);
    }

    #[test]
    fn fields_know_their_bytes() {
        let text = "\u{feff}---\r\n# 頭\r\na: 'x' # c\r\n\"b\" :  |+ # head\r\n  one\r\n\r\n\r\n# after\r\nc:\r\nd:  # list\r\n- 1\r\n\r\n# tail\r\n- 2\r\n\r\n? e\r\n: &k\r\n  - 3\r\n---\r\nbody";
        let read = Frontmatter::parse(text).unwrap();
        let shown: Vec<(&str, &str, &str)> =
            read.fields.iter().map(|f| (f.key.as_str(), &text[f.source.clone()], &text[f.lines.clone()])).collect();
        assert_eq!(
            shown,
            [
                ("a", "'x'", "a: 'x' # c\r\n"),
                ("b", "|+ # head\r\n  one", "\"b\" :  |+ # head\r\n  one\r\n"),
                ("c", "", "c:\r\n"),
                ("d", "- 1\r\n\r\n# tail\r\n- 2", "d:  # list\r\n- 1\r\n\r\n# tail\r\n- 2\r\n"),
                ("e", "&k\r\n  - 3", "? e\r\n: &k\r\n  - 3\r\n"),
            ]
        );
    }

    #[test]
    fn empty_and_odd() {
        for empty in ["---\n---\n", "---\n# nothing\n---\n", "---\nnull\n---\n"] {
            assert!(Frontmatter::parse(empty).unwrap().fields.is_empty(), "{empty:?}");
        }
        for bad in [
            "---\n- a\n---\n",
            "---\ntext\n---\n",
            "---\na: b: c\n---\n",
            "---\na: \"x\n---\n",
            "---\na: 1\n...\nb: 2\n---\n",
        ] {
            assert!(!Frontmatter::parse(bad).unwrap_err().missing, "{bad:?}");
        }
        assert!(!Frontmatter::parse("---\n{a: 1}\n---\n").unwrap().block);
        let large = format!("---\na: {}\n---\n", "x".repeat(LARGEST));
        assert!(Frontmatter::parse(&large).is_err());
    }
}
