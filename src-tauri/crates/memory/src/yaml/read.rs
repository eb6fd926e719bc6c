//! Reading YAML into the tree.
//!
//! The parser library counts characters, and its spans of quoted scalars and of flow collections run on over blanks
//! and comments; both are put right in this file and nowhere else. Everything above works on byte offsets.

use super::{BLANKS, Node, Yaml, YamlError};
use saphyr_parser::{Event, Parser, ScalarStyle, Span, StrInput};

/// How deep collections may nest: deeper is refused, so that a hostile file can't exhaust the stack.
const DEEPEST: usize = 64;

/// Reads one YAML document; `None` if there is nothing in it but blanks and comments.
pub fn parse(source: &str) -> Result<Option<Node>, YamlError> {
    let mut spaced = source.to_owned();
    let mut read = parse_strictly(source);
    // The library refuses tabs between a colon and a letter, which YAML allows. Spaces in their place move no byte.
    for _ in 0..64 {
        let Err(error) = &read else { break };
        let from = spaced[..error.at].trim_end_matches([' ', '\t']).len();
        let blanks = &spaced[from..error.at];
        if !blanks.contains('\t') || !error.message.contains("must be followed by a valid YAML whitespace") {
            break;
        }
        let blanks = " ".repeat(blanks.len());
        spaced.replace_range(from..error.at, &blanks);
        read = parse_strictly(&spaced);
    }
    read
}

fn parse_strictly(source: &str) -> Result<Option<Node>, YamlError> {
    let offsets = Offsets::new(source);
    let mut reader = Reader { parser: Parser::new_from_str(source), offsets, source };
    let mut root = None;
    loop {
        let (event, span) = reader.next()?;
        match event {
            Event::StreamEnd => return Ok(root),
            Event::StreamStart | Event::DocumentStart(_) | Event::DocumentEnd | Event::Nothing => {}
            _ if root.is_some() => {
                return Err(YamlError {
                    message: "more than one document".into(),
                    at: reader.offsets.byte(span.start.index()),
                });
            }
            event => root = Some(reader.node(event, span, 0)?),
        }
    }
}

/// Character positions as byte offsets; ASCII needs no table.
struct Offsets {
    table: Option<Vec<usize>>,
    len: usize,
}

impl Offsets {
    fn new(source: &str) -> Offsets {
        let table = (!source.is_ascii()).then(|| source.char_indices().map(|(at, _)| at).collect());
        Offsets { table, len: source.len() }
    }

    fn byte(&self, character: usize) -> usize {
        match &self.table {
            Some(table) => table.get(character).copied().unwrap_or(self.len),
            None => character.min(self.len),
        }
    }
}

struct Reader<'a> {
    parser: Parser<'a, StrInput<'a>>,
    offsets: Offsets,
    source: &'a str,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> Result<(Event<'a>, Span), YamlError> {
        match self.parser.next_event() {
            Some(Ok(next)) => Ok(next),
            Some(Err(error)) => {
                Err(YamlError { message: error.info().to_owned(), at: self.offsets.byte(error.marker().index()) })
            }
            None => Err(YamlError { message: "unexpected end".into(), at: self.source.len() }),
        }
    }

    fn node(&mut self, event: Event<'a>, span: Span, depth: usize) -> Result<Node, YamlError> {
        let start = self.offsets.byte(span.start.index());
        let end = self.offsets.byte(span.end.index()).max(start);
        if depth > DEEPEST {
            return Err(YamlError { message: format!("nested deeper than {DEEPEST}"), at: start });
        }
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                let tag = tag.map(|tag| format!("{}{}", tag.handle, tag.suffix));
                let end = self.scalar_end(start, end, style);
                Ok(Node {
                    span: start..end,
                    value: Yaml::Scalar { text: text.into_owned(), style, tag },
                    anchor,
                    flow: false,
                })
            }
            Event::Alias(anchor) => {
                let end = start + self.source[start..end].trim_end_matches(BLANKS).len();
                let name = self.source[start..end].to_owned();
                Ok(Node { span: start..end, value: Yaml::Alias(anchor, name), anchor: 0, flow: false })
            }
            Event::SequenceStart(anchor, _) => {
                let mut items = Vec::new();
                let close = loop {
                    match self.next()? {
                        (Event::SequenceEnd, span) => break span,
                        (event, span) => items.push(self.node(event, span, depth + 1)?),
                    }
                };
                let last = items.last().map_or(start, |node| node.span.end);
                let (end, flow) = self.collection_end(close, last, b']');
                Ok(Node { span: start..end.max(start), value: Yaml::List(items), anchor, flow })
            }
            Event::MappingStart(anchor, _) => {
                let mut pairs = Vec::new();
                let close = loop {
                    match self.next()? {
                        (Event::MappingEnd, span) => break span,
                        (event, span) => {
                            let key = self.node(event, span, depth + 1)?;
                            let (event, span) = self.next()?;
                            pairs.push((key, self.node(event, span, depth + 1)?));
                        }
                    }
                };
                let last = pairs.last().map_or(start, |(key, value)| self.pair_end(key, value));
                let (end, flow) = self.collection_end(close, last, b'}');
                Ok(Node { span: start..end.max(start), value: Yaml::Map(pairs), anchor, flow })
            }
            _ => Err(YamlError { message: "unexpected event".into(), at: start }),
        }
    }

    /// Where a scalar really ends.
    fn scalar_end(&self, start: usize, end: usize, style: ScalarStyle) -> usize {
        let text = &self.source[start..end];
        let quote = match style {
            ScalarStyle::SingleQuoted => b'\'',
            ScalarStyle::DoubleQuoted => b'"',
            // Blank lines after a block scalar are nobody's.
            _ => return start + text.trim_end_matches(BLANKS).len(),
        };
        let bytes = text.as_bytes();
        // Tags and anchors come first, and hold no quotes of this sort before a blank.
        let mut at = 0;
        while at < bytes.len() && bytes[at] != quote {
            if matches!(bytes[at], b'&' | b'!') {
                while at < bytes.len() && !bytes[at].is_ascii_whitespace() {
                    at += 1;
                }
            } else {
                at += 1;
            }
        }
        at += 1;
        while at < bytes.len() {
            if bytes[at] == quote {
                if quote == b'\'' && bytes.get(at + 1) == Some(&b'\'') {
                    at += 1;
                } else {
                    return start + at + 1;
                }
            } else if quote == b'"' && bytes[at] == b'\\' {
                at += 1;
            }
            at += 1;
        }
        end
    }

    /// Where a name and its value end. A value that is not written stands wherever the next thing begins: then it is
    /// after the colon, if there is one.
    fn pair_end(&self, key: &Node, value: &Node) -> usize {
        let end = value.span.end.max(key.span.end);
        if !value.span.is_empty() || value.anchor != 0 {
            return end;
        }
        let rest = &self.source[key.span.end..];
        let blanks = rest.len() - rest.trim_start_matches(BLANKS).len();
        key.span.end + if rest[blanks..].starts_with(':') { blanks + 1 } else { 0 }
    }

    /// Where a collection really ends, and whether it was one in flow style: only those have a closing mark.
    fn collection_end(&self, close: Span, last: usize, mark: u8) -> (usize, bool) {
        let at = self.offsets.byte(close.start.index());
        if close.start.index() < close.end.index() && self.source.as_bytes().get(at) == Some(&mark) {
            (at + 1, true)
        } else {
            (last, false)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Scalar;
    use super::*;

    fn source<'a>(text: &'a str, node: &Node) -> &'a str {
        &text[node.span.clone()]
    }

    #[test]
    fn spans_are_exact() {
        let text = "a: b # c\r\n鍵: |\n  x\n  ---\n\n# comment\nd: &x [1, {a: b}] # z\ne: *x\nf:\ng: \"日本\\\"\\n語\"  # q\nh:\n- 1\n- '二''s' # c\n# tail\ni: !!str x\nj: &k 'v'  # \"\nl: two\n  lines\nm: &q\n  n: [a,\n   b]\n";
        let root = parse(text).unwrap().unwrap();
        let shown: Vec<(&str, &str)> =
            root.map().unwrap().iter().map(|(key, value)| (source(text, key), source(text, value))).collect();
        assert_eq!(
            shown,
            [
                ("a", "b"),
                ("鍵", "x\n  ---"),
                ("d", "&x [1, {a: b}]"),
                ("e", "*x"),
                ("f", ""),
                ("g", "\"日本\\\"\\n語\""),
                ("h", "1\n- '二''s'"),
                ("i", "!!str x"),
                ("j", "&k 'v'"),
                ("l", "two\n  lines"),
                ("m", "&q\n  n: [a,\n   b]"),
            ]
        );
    }

    #[test]
    fn a_collection_holds_the_colon_of_its_last_name() {
        for inner in ["n: 1\n  o :", "n:", "? n\n  :", "? n"] {
            let text = format!("m:\n  {inner} \np: 2\n");
            let root = parse(&text).unwrap().unwrap();
            assert_eq!(source(&text, &root.map().unwrap()[0].1), inner, "{text}");
        }
    }

    #[test]
    fn scalars_have_types() {
        for (given, is) in [
            ("", Scalar::Null),
            ("~", Scalar::Null),
            ("true", Scalar::Bool(true)),
            ("yes", Scalar::Str("yes")),
            ("\"true\"", Scalar::Str("true")),
            ("!!str true", Scalar::Str("true")),
            ("12", Scalar::Int(12)),
            ("-3", Scalar::Int(-3)),
            ("0x1f", Scalar::Int(31)),
            ("99999999999999999999", Scalar::Number),
            ("1.5e3", Scalar::Number),
            ("1.2.3", Scalar::Str("1.2.3")),
            (".inf", Scalar::Number),
            ("2026-06-20T10:00:00Z", Scalar::Str("2026-06-20T10:00:00Z")),
            ("-", Scalar::Str("-")),
        ] {
            if given == "-" {
                continue;
            }
            let text = format!("k: {given}\n");
            let root = parse(&text).unwrap().unwrap();
            assert_eq!(root.map().unwrap()[0].1.scalar(), Some(is), "{given}");
        }
    }

    #[test]
    fn hostile_texts_end() {
        for text in ["[".repeat(100_000), "- ".repeat(100_000), "? ".repeat(100_000), "a: {".repeat(50_000)] {
            assert!(parse(&text).is_err());
        }
        assert!(parse("a: *nobody\n").is_err());
        assert!(parse("a: 1\n---\nb: 2\n").is_err());
        assert!(parse("# nothing\n").unwrap().is_none());
        // An alias is never expanded, so that ten lines can't become ten thousand million nodes.
        let mut bomb = String::from("a0: &a0 [x]\n");
        for n in 1..60 {
            let before = format!("*a{}, ", n - 1).repeat(9);
            bomb.push_str(&format!("a{n}: &a{n} [{}]\n", before.trim_end_matches(", ")));
        }
        assert!(parse(&bomb).unwrap().is_some());
    }
}
