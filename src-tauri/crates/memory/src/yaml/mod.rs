//! YAML as a tree in which every node knows the exact bytes that it was read from.

mod read;

pub use read::parse;

use saphyr_parser::ScalarStyle;
use std::ops::Range;

/// What YAML takes for blank; Unicode has more, and those are text.
pub(crate) const BLANKS: [char; 4] = [' ', '\t', '\r', '\n'];

/// What a node is.
#[derive(Clone, Debug)]
pub enum Yaml {
    /// A scalar, as text; [`Node::scalar`] tells its type.
    Scalar {
        /// The text, unescaped and unfolded.
        text: String,
        /// Plain, quoted or block.
        style: ScalarStyle,
        /// An explicit tag such as `tag:yaml.org,2002:str`.
        tag: Option<String>,
    },
    /// A sequence.
    List(Vec<Node>),
    /// A mapping, in order, duplicates kept.
    Map(Vec<(Node, Node)>),
    /// `*name`: the number of the anchor that it points at, and its text.
    Alias(usize, String),
}

/// A node and where it stands.
#[derive(Clone, Debug)]
pub struct Node {
    /// Byte range in the parsed text, from the first tag, anchor or character to the last character.
    pub span: Range<usize>,
    /// What it is.
    pub value: Yaml,
    /// The number of its anchor; 0: none.
    pub anchor: usize,
    /// Whether it is a collection in flow style (`[…]`, `{…}`).
    pub flow: bool,
}

/// A scalar's type by the core schema of YAML 1.2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar<'a> {
    /// Nothing, `~` or `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number that fits.
    Int(i64),
    /// Any other number.
    Number,
    /// Text.
    Str(&'a str),
}

/// Why a text is no YAML, and where (a byte offset).
#[derive(Clone, Debug)]
pub struct YamlError {
    /// The parser's words.
    pub message: String,
    /// Byte offset in the parsed text.
    pub at: usize,
}

impl Node {
    /// The type and value of a scalar; `None` for anything else.
    pub fn scalar(&self) -> Option<Scalar<'_>> {
        let Yaml::Scalar { text, style, tag } = &self.value else {
            return None;
        };
        if *style != ScalarStyle::Plain || tag.as_deref().is_some_and(|tag| tag.ends_with(":str") || tag == "!") {
            return Some(Scalar::Str(text));
        }
        Some(match text.as_str() {
            "" | "~" | "null" | "Null" | "NULL" => Scalar::Null,
            "true" | "True" | "TRUE" => Scalar::Bool(true),
            "false" | "False" | "FALSE" => Scalar::Bool(false),
            other => number(other).unwrap_or(Scalar::Str(other)),
        })
    }

    /// The text of a string scalar.
    pub fn str(&self) -> Option<&str> {
        match self.scalar() {
            Some(Scalar::Str(text)) => Some(text),
            _ => None,
        }
    }

    /// The items of a list.
    pub fn list(&self) -> Option<&[Node]> {
        match &self.value {
            Yaml::List(items) => Some(items),
            _ => None,
        }
    }

    /// The pairs of a mapping.
    pub fn map(&self) -> Option<&[(Node, Node)]> {
        match &self.value {
            Yaml::Map(pairs) => Some(pairs),
            _ => None,
        }
    }

    /// Whether two nodes say the same: types, texts, order; an alias is the same as an alias of the same name.
    /// Where they stand and how they are quoted does not matter, but plain `1` and `"1"` differ.
    pub fn same(&self, other: &Node) -> bool {
        match (&self.value, &other.value) {
            (Yaml::Scalar { text: a, tag: ta, .. }, Yaml::Scalar { text: b, tag: tb, .. }) => {
                ta == tb && self.scalar() == other.scalar() && (self.scalar() != Some(Scalar::Number) || a == b)
            }
            (Yaml::List(a), Yaml::List(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same(b)),
            (Yaml::Map(a), Yaml::Map(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.0.same(&b.0) && a.1.same(&b.1))
            }
            (Yaml::Alias(_, a), Yaml::Alias(_, b)) => a == b,
            _ => false,
        }
    }

    /// Calls `f` with this node and every node below it.
    pub fn each(&self, f: &mut impl FnMut(&Node)) {
        f(self);
        match &self.value {
            Yaml::List(items) => items.iter().for_each(|item| item.each(f)),
            Yaml::Map(pairs) => pairs.iter().for_each(|(key, value)| {
                key.each(f);
                value.each(f);
            }),
            _ => {}
        }
    }
}

fn number(text: &str) -> Option<Scalar<'static>> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    if let Some(hex) =
        text.strip_prefix("0x").filter(|hex| !hex.is_empty() && hex.bytes().all(|b| b.is_ascii_hexdigit()))
    {
        return Some(i64::from_str_radix(hex, 16).map_or(Scalar::Number, Scalar::Int));
    }
    if let Some(oct) =
        text.strip_prefix("0o").filter(|oct| !oct.is_empty() && oct.bytes().all(|b| (b'0'..=b'7').contains(&b)))
    {
        return Some(i64::from_str_radix(oct, 8).map_or(Scalar::Number, Scalar::Int));
    }
    if !unsigned.is_empty() && unsigned.bytes().all(|b| b.is_ascii_digit()) {
        return Some(text.parse().map_or(Scalar::Number, Scalar::Int));
    }
    let named = matches!(unsigned, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN");
    let digits = unsigned.starts_with(|c: char| c.is_ascii_digit())
        || (unsigned.starts_with('.') && unsigned[1..].starts_with(|c: char| c.is_ascii_digit()));
    let float =
        digits && unsigned.bytes().all(|b| b.is_ascii_digit() || b".eE+-".contains(&b)) && text.parse::<f64>().is_ok();
    (named || float).then_some(Scalar::Number)
}
