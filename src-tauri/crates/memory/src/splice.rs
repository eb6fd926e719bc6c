//! Changing one field of a record's frontmatter by cutting out and putting in that field's bytes alone.
//!
//! Everything else stays byte for byte: comments, order, quoting, unknown fields, line ends, a BOM. After the cut both
//! texts are read again, and if anything but the field meant has changed the edit is refused: the file is then for
//! its text to be edited by hand, never to be guessed at.

use crate::Slug;
use crate::frontmatter::{Field, FieldValue, Frontmatter, Source, line_end, line_start, source};
use crate::yaml::{self, Scalar, Yaml};
use kiroku_model::{Error, ErrorCode, Result, Text, text};
use saphyr_parser::ScalarStyle;

/// The text with `field` set to `value`; a field that is absent is added at the end of the frontmatter.
pub fn set_field(text: &str, field: &str, value: &FieldValue) -> Result<String> {
    let read = read(text)?;
    let present = one(&read, field)?;
    let attempt = |flow: bool| {
        let made = match present {
            Some(present) => replace(text, present, value, flow)?,
            None => insert(text, &read, field, value)?,
        };
        verify(text, &read, &made, field, Some(value))?;
        Ok(made)
    };
    // A list that can't stand below its name (a name written with `?`) may stand beside it.
    attempt(false).or_else(|error| if matches!(value, FieldValue::Sources(_)) { attempt(true) } else { Err(error) })
}

/// The text without `field`; unchanged if it is not there.
pub fn remove_field(text: &str, field: &str) -> Result<String> {
    let read = read(text)?;
    let Some(present) = one(&read, field)? else {
        return Ok(text.to_owned());
    };
    let made = format!("{}{}", &text[..present.lines.start], &text[present.lines.end..]);
    verify(text, &read, &made, field, None)?;
    Ok(made)
}

/// The text of a decision with its status set, and `replaced_by` with it: the slug in `by`, else the field goes.
pub fn set_status(text: &str, status: &str, by: Option<&Slug>) -> Result<String> {
    let set = set_field(text, "status", &FieldValue::Text(status.to_owned()))?;
    match by {
        Some(by) => set_field(&set, "replaced_by", &FieldValue::Text(by.to_string())),
        None => remove_field(&set, "replaced_by"),
    }
}

/// How the value of `field` is written in `text`: given back as [`FieldValue::Yaml`], it restores a one-line value
/// byte for byte. `None` if the field is absent.
pub fn field_source(text: &str, field: &str) -> Result<Option<String>> {
    let read = read(text)?;
    Ok(one(&read, field)?.map(|present| text[present.source.clone()].to_owned()))
}

fn refuse(why: Text) -> Error {
    let Text { en, ja } = why;
    Error::new(
        ErrorCode::Refused,
        text!(en: "{en}; edit the file as text instead", ja: "{ja}。ファイルをテキストとして編集してください"),
    )
}

fn read(text: &str) -> Result<Frontmatter> {
    let read = Frontmatter::parse(text).map_err(|bad| refuse(bad.message))?;
    if read.block {
        return Ok(read);
    }
    Err(refuse(text!(en: "the frontmatter is written in braces", ja: "frontmatter が波かっこで書かれています")))
}

fn one<'a>(read: &'a Frontmatter, field: &str) -> Result<Option<&'a Field>> {
    let mut all = read.fields.iter().filter(|present| present.key == field);
    let first = all.next();
    if all.next().is_some() {
        return Err(refuse(
            text!(en: "`{field}` stands there more than once", ja: "「{field}」が 2 回以上書かれています"),
        ));
    }
    Ok(first)
}

fn eol(line: &str) -> &'static str {
    if line.ends_with("\r\n") { "\r\n" } else { "\n" }
}

fn replace(text: &str, field: &Field, value: &FieldValue, flow: bool) -> Result<String> {
    let written = &text[field.source.clone()];
    let head = line_start(text, field.key_span.start);
    let colon = field.colon;
    let one_line =
        !text[head..field.source.end].trim_end_matches(yaml::BLANKS).contains('\n') && !is_block_scalar(field);
    let (before, after) = (&text[..field.lines.start], &text[field.lines.end..]);
    let lines = &text[field.lines.clone()];
    let eol = eol(lines);
    if let FieldValue::Sources(sources) = value {
        let flow_line = flow || one_line && written.starts_with('[') && written.len() > 2 && !sources.is_empty();
        if !sources.is_empty() && !flow_line {
            return Ok(format!("{before}{}{after}", block_sources(text, field, sources, one_line, eol)));
        }
    }
    let made = inline(value, Some(field), written)?;
    if !one_line {
        // What stood over several lines becomes one; a comment on the name's own line stays.
        let first = line_end(text, colon);
        let rest = text[colon..first].trim_matches(yaml::BLANKS);
        let comment = if rest.starts_with('#') { format!(" {rest}") } else { String::new() };
        return Ok(format!("{}{}{comment}{eol}{after}", &text[..colon], spaced(&made)));
    }
    let tail = &text[field.source.end..];
    if made.is_empty() {
        return Ok(format!("{}{tail}", &text[..colon]));
    }
    if written.is_empty() {
        return Ok(format!("{}{}{tail}", &text[..colon], spaced(&made)));
    }
    Ok(format!("{}{made}{tail}", &text[..field.source.start]))
}

fn spaced(value: &str) -> String {
    if value.is_empty() { String::new() } else { format!(" {value}") }
}

fn is_block_scalar(field: &Field) -> bool {
    matches!(&field.value.value, Yaml::Scalar { style: ScalarStyle::Literal | ScalarStyle::Folded, .. })
}

fn insert(text: &str, read: &Frontmatter, key: &str, value: &FieldValue) -> Result<String> {
    let eol = eol(&text[read.parts.open.clone()]);
    let first = read.fields.first().map_or("", |first| &text[first.lines.clone()]);
    let indent = &first[..first.len() - first.trim_start_matches([' ', '\t']).len()];
    let at = read.parts.yaml.end;
    let lines = match value {
        FieldValue::Sources(sources) if !sources.is_empty() => {
            let items: String = sources.iter().map(|source| item(source, &format!("{indent}  "), eol)).collect();
            format!("{indent}{key}:{eol}{items}")
        }
        _ => format!("{indent}{key}:{}{eol}", spaced(&inline(value, None, "")?)),
    };
    Ok(format!("{}{lines}{}", &text[..at], &text[at..]))
}

/// A value on one line. `written` is how the present value is written: a text keeps its sort of quotes.
fn inline(value: &FieldValue, field: Option<&Field>, written: &str) -> Result<String> {
    Ok(match value {
        FieldValue::Null => "null".into(),
        FieldValue::Bool(value) => value.to_string(),
        FieldValue::Int(value) => value.to_string(),
        FieldValue::Range([from, to]) => format!("[{from}, {to}]"),
        FieldValue::Sources(sources) => {
            let items: Vec<String> = sources
                .iter()
                .map(|s| {
                    format!(
                        "{{{}: {}, range: [{}, {}]}}",
                        id_key(s),
                        flow_scalar(&s.session_id),
                        s.range[0],
                        s.range[1]
                    )
                })
                .collect();
            format!("[{}]", items.join(", "))
        }
        FieldValue::Yaml(source) if source.contains(['\n', '\r']) => {
            return Err(Error::invalid(
                text!(en: "a value given as YAML must be one line", ja: "YAML で渡す値は 1 行でなければなりません"),
            ));
        }
        FieldValue::Yaml(source) => source.trim_matches(yaml::BLANKS).to_owned(),
        FieldValue::Text(value) => {
            let quoted =
                field.is_some_and(|field| field.value.str().is_some()).then(|| written.chars().next()).flatten();
            scalar(value, quoted)
        }
    })
}

fn id_key(source: &Source) -> &'static str {
    if source.segment { "segment_id" } else { "session_id" }
}

/// A text as a scalar on one line, in the quotes that stand there now if they can hold it, else plain, else quoted.
fn scalar(value: &str, quote: Option<char>) -> String {
    let odd = value.chars().any(|c| {
        c.is_control() || matches!(c, '\u{feff}' | '\u{85}' | '\u{2028}' | '\u{2029}' | '\u{fffe}' | '\u{ffff}')
    });
    match quote {
        Some('\'') if !odd => format!("'{}'", value.replace('\'', "''")),
        Some('"') => double(value),
        _ if !odd && reads_plain(&format!("k: {value}\n"), value) => value.to_owned(),
        _ => double(value),
    }
}

fn flow_scalar(value: &str) -> String {
    // In braces a few more characters end a plain scalar.
    if value.contains([',', '[', ']', '{', '}']) { double(value) } else { scalar(value, None) }
}

/// Whether the text of a field, written plain, reads back as just that.
fn reads_plain(line: &str, value: &str) -> bool {
    match yaml::parse(line) {
        Ok(Some(root)) => root.map().is_some_and(|pairs| {
            pairs.len() == 1
                && pairs[0].1.scalar() == Some(Scalar::Str(value))
                && matches!(&pairs[0].1.value, Yaml::Scalar { style: ScalarStyle::Plain, tag: None, .. })
                && pairs[0].1.anchor == 0
        }),
        _ => false,
    }
}

pub(crate) fn double(value: &str) -> String {
    let mut made = String::with_capacity(value.len() + 2);
    made.push('"');
    for c in value.chars() {
        match c {
            '"' => made.push_str("\\\""),
            '\\' => made.push_str("\\\\"),
            '\n' => made.push_str("\\n"),
            '\r' => made.push_str("\\r"),
            '\t' => made.push_str("\\t"),
            c if (c as u32) < 0x100 && c.is_control() => made.push_str(&format!("\\x{:02x}", c as u32)),
            '\u{feff}' | '\u{2028}' | '\u{2029}' | '\u{fffe}' | '\u{ffff}' => {
                made.push_str(&format!("\\u{:04x}", c as u32))
            }
            c => made.push(c),
        }
    }
    made.push('"');
    made
}

fn item(source: &Source, indent: &str, eol: &str) -> String {
    let [from, to] = source.range;
    format!(
        "{indent}- {}: {}{eol}{indent}  range: [{from}, {to}]{eol}",
        id_key(source),
        scalar(&source.session_id, None)
    )
}

/// The field's lines with `sources` as a block list; an entry that stands there already keeps its own lines.
fn block_sources(text: &str, field: &Field, sources: &[Source], one_line: bool, eol: &str) -> String {
    let key_indent = &text[field.lines.start..field.key_span.start];
    let items = field.value.list().unwrap_or_default();
    if one_line || field.value.flow || items.is_empty() {
        let rest = if one_line { text[field.source.end..field.lines.end].trim() } else { "" };
        let indent = format!("{key_indent}  ");
        let lines: String = sources.iter().map(|source| item(source, &indent, eol)).collect();
        return format!("{}{}{eol}{lines}", &text[field.lines.start..field.colon], spaced(rest));
    }
    // Spans inside a value count from the start of the YAML; the value's own end is known in both counts.
    let base = field.source.end - field.value.span.end;
    let mut starts: Vec<usize> = items.iter().map(|node| dash_line(text, base + node.span.start)).collect();
    let first = starts[0];
    let dash = text[first..].find('-').unwrap_or(0);
    let indent = text[first..first + dash].to_owned();
    starts.push(field.lines.end);
    let mut present: Vec<(Option<Source>, &str)> =
        items.iter().zip(starts.windows(2)).map(|(node, at)| (source(node), &text[at[0]..at[1]])).collect();
    let mut made = text[field.lines.start..first].to_owned();
    for wanted in sources {
        match present.iter().position(|(have, _)| have.as_ref() == Some(wanted)) {
            Some(at) => made.push_str(present.remove(at).1),
            None => made.push_str(&item(wanted, &indent, eol)),
        }
    }
    made
}

/// The start of the line whose dash opens the item at `at`.
fn dash_line(text: &str, at: usize) -> usize {
    let mut line = line_start(text, at);
    while line > 0 && !text[line..].trim_start_matches([' ', '\t']).starts_with('-') {
        line = line_start(text, line - 1);
    }
    line
}

/// Reads both texts again: nothing but the field meant may have changed, and it must have become what was meant.
fn verify(old: &str, before: &Frontmatter, new: &str, key: &str, value: Option<&FieldValue>) -> Result<()> {
    let spread =
        || refuse(text!(en: "`{key}` can't be changed by itself", ja: "「{key}」だけを変えることができません"));
    let after = Frontmatter::parse(new).map_err(|_| spread())?;
    let others =
        |read: &Frontmatter| read.fields.iter().filter(|field| field.key != key).cloned().collect::<Vec<Field>>();
    let (was, is) = (others(before), others(&after));
    let kept = was.len() == is.len() && was.iter().zip(&is).all(|(a, b)| a.key == b.key && a.value.same(&b.value));
    let body = old[before.parts.body()..] == new[after.parts.body()..];
    let linked = linked(before, key) || linked(&after, key);
    let meant = match (value, after.field(key)) {
        (None, None) | (Some(FieldValue::Yaml(_)), Some(_)) => true,
        // An empty list is both a range of nothing and sources of nothing.
        (Some(FieldValue::Sources(sources)), Some(field)) if sources.is_empty() => {
            field.value.list().is_some_and(<[_]>::is_empty)
        }
        (Some(value), Some(field)) => FieldValue::of(new, field) == *value,
        _ => false,
    };
    if kept && body && !linked && meant && after.block { Ok(()) } else { Err(spread()) }
}

/// Whether another field points at an anchor inside this one, so that changing this one would change the other too.
fn linked(read: &Frontmatter, key: &str) -> bool {
    let mut inside = Vec::new();
    for field in read.fields.iter().filter(|field| field.key == key) {
        field.value.each(&mut |node| inside.push(node.anchor));
    }
    let mut found = false;
    for field in read.fields.iter().filter(|field| field.key != key) {
        field.value.each(&mut |node| found |= matches!(node.value, Yaml::Alias(anchor, _) if inside.contains(&anchor)));
    }
    found
}
