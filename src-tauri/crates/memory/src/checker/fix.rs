//! Mechanical ways to put a finding right, for a person to choose. Each is one replacement in the text, tried before it is
//! offered: what can't be done by itself is not.

use super::fields::{Shape, schema};
use super::{Check, Finding, FindingCode};
use crate::frontmatter::{FieldValue, Frontmatter, line_end, line_start};
use crate::{RecordKind, remove_field, set_field, slug, template};
use kiroku_model::{Text, Time, text};
use std::ops::Range;

/// One replacement in a text, and what it is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// As a button says it.
    pub label: Text,
    /// Byte range in the text.
    pub span: Range<usize>,
    /// What comes there.
    pub insert: String,
}

impl Check<'_> {
    /// The ways to put `finding` right, the most likely first; none where only a person can. `now` is the time to write.
    pub fn fixes(&self, finding: &Finding, now: Time) -> Vec<Fix> {
        let about = finding.about.as_deref().unwrap_or_default();
        let made = match finding.code {
            FindingCode::FrontmatterMissing => vec![self.begin(now)],
            FindingCode::FrontmatterMalformed => vec![self.quote_line(finding.span.start)],
            FindingCode::FieldMissing => vec![self.add(about, now)],
            FindingCode::FieldType => self.retype(about, now),
            FindingCode::FieldDuplicate => vec![self.cut(
                line_start(self.text, finding.span.start)..self.field_end(finding.span.start),
                text!(en: "Remove this one", ja: "こちらを取り除く"),
            )],
            FindingCode::FieldMisspelt => vec![self.respell(finding)],
            FindingCode::StatusUnknown => ["open", "resolved"].map(|word| self.set("status", word)).to_vec(),
            FindingCode::ReplacedWithoutTarget => ["resolved", "open"].map(|word| self.set("status", word)).to_vec(),
            FindingCode::ReplacedByUnknown => self.near_decisions(about),
            FindingCode::ReplacedBySelf | FindingCode::ReplacedByCycle => vec![self.edit(
                remove_field(self.text, "replaced_by").ok(),
                text!(en: "Remove replaced_by", ja: "replaced_by を取り除く"),
            )],
            FindingCode::DescriptionTooLong => vec![self.edit(
                set_field(self.text, "model_invokation", &FieldValue::Bool(false)).ok(),
                text!(en: "Don't show it to models", ja: "モデルに見せないようにする"),
            )],
            FindingCode::MentionUnknown => self.near_records(about, &finding.span),
            FindingCode::UpdatedBeforeCreated => vec![self.add("updated_at", now)],
            FindingCode::ReferenceCannotRead => vec![self.tidy(finding)],
            FindingCode::CutSilently => vec![self.quote_field(about)],
            FindingCode::BodyTooLong
            | FindingCode::KindIsRecordKind
            | FindingCode::SlugExists
            | FindingCode::CouldBeShorter
            | FindingCode::ManySources
            | FindingCode::NearSlugs => Vec::new(),
        };
        made.into_iter().flatten().collect()
    }

    /// The one replacement that makes `new` of the text.
    fn edit(&self, new: Option<String>, label: Text) -> Option<Fix> {
        let (old, new) = (self.text, new?);
        let start = old.char_indices().zip(new.chars()).find(|((_, a), b)| a != b).map(|((at, _), _)| at);
        let start = start.unwrap_or(old.len().min(new.len()));
        let tail = old[start..].chars().rev().zip(new[start..].chars().rev()).take_while(|(a, b)| a == b);
        let tail: usize = tail.map(|(c, _)| c.len_utf8()).sum();
        let fix = Fix { label, span: start..old.len() - tail, insert: new[start..new.len() - tail].to_owned() };
        (!fix.span.is_empty() || !fix.insert.is_empty()).then_some(fix)
    }

    fn cut(&self, span: Range<usize>, label: Text) -> Option<Fix> {
        (!span.is_empty()).then(|| Fix { label, span, insert: String::new() })
    }

    fn set(&self, field: &str, word: &str) -> Option<Fix> {
        let made = set_field(self.text, field, &FieldValue::Text(word.to_owned())).ok();
        self.edit(made, text!(en: "{field}: {word}", ja: "{field}: {word}"))
    }

    /// A whole frontmatter before a text that has none.
    fn begin(&self, now: Time) -> Option<Fix> {
        let at = if self.text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let label = text!(en: "Insert frontmatter", ja: "frontmatter を入れる");
        Some(Fix { label, span: at..at, insert: template(self.kind, now, &[]) })
    }

    /// The field with the value that a new record has in it.
    fn add(&self, field: &str, now: Time) -> Option<Fix> {
        let new = template(self.kind, now, &[]);
        let read = Frontmatter::parse(&new).ok()?;
        let value = FieldValue::of(&new, read.field(field)?);
        let label = match Frontmatter::parse(self.text).ok()?.field(field) {
            Some(_) if field.ends_with("_at") => text!(en: "Set {field} to now", ja: "{field} を現在の日時にする"),
            _ => text!(en: "Add {field}", ja: "{field} を加える"),
        };
        self.edit(set_field(self.text, field, &value).ok(), label)
    }

    fn retype(&self, field: &str, now: Time) -> Vec<Option<Fix>> {
        let shape = schema(self.kind).iter().find(|(name, ..)| *name == field).map(|(_, shape, _)| shape);
        match shape {
            Some(Shape::Time) => vec![self.add(field, now)],
            Some(Shape::Bool) => [true, false]
                .map(|value| {
                    let made = set_field(self.text, field, &FieldValue::Bool(value)).ok();
                    self.edit(made, text!(en: "{field}: {value}", ja: "{field}: {value}"))
                })
                .to_vec(),
            Some(Shape::Text) => vec![self.quote_field(field)],
            _ => Vec::new(),
        }
    }

    fn respell(&self, finding: &Finding) -> Option<Fix> {
        let label = text!(en: "Spell it model_invokation", ja: "model_invokation に直す");
        Some(Fix { label, span: finding.span.clone(), insert: "model_invokation".to_owned() })
    }

    /// The value of a field, with what stands after it on its line, as one text in quotes.
    fn quote_field(&self, field: &str) -> Option<Fix> {
        let read = Frontmatter::parse(self.text).ok()?;
        let field = read.field(field)?;
        let end = line_end(self.text, field.source.end);
        let span = field.source.start..field.source.start + self.text[field.source.start..end].trim_end().len();
        self.quote(span)
    }

    /// The line `name: value` at `at`, whose value can't be read, with the value in quotes; only if that helps.
    fn quote_line(&self, at: usize) -> Option<Fix> {
        let (start, end) = (line_start(self.text, at), line_end(self.text, at));
        let line = self.text[start..end].trim_end();
        let colon = line.find(": ")?;
        let value = line[colon + 1..].trim_start();
        let from = start + line.len() - value.len();
        let fix = self.quote(from..start + line.len()).filter(|_| !value.starts_with(['"', '\'', '|', '>']))?;
        let made = format!("{}{}{}", &self.text[..fix.span.start], fix.insert, &self.text[fix.span.end..]);
        match Frontmatter::parse(&made) {
            Ok(_) => Some(fix),
            Err(bad) => (bad.span.start >= end).then_some(fix),
        }
    }

    fn quote(&self, span: Range<usize>) -> Option<Fix> {
        let value = &self.text[span.clone()];
        let insert = crate::splice::double(value);
        let label = text!(en: "Put it in quotes", ja: "引用符で囲む");
        (!value.is_empty() && !value.contains('\n')).then_some(Fix { label, span, insert })
    }

    /// Where the lines of the field whose name stands at `at` end.
    fn field_end(&self, at: usize) -> usize {
        let read = Frontmatter::parse(self.text).ok();
        let field = read.and_then(|read| read.fields.into_iter().find(|field| field.key_span.start == at));
        field.map_or(at, |field| field.lines.end)
    }

    fn near_decisions(&self, wanted: &str) -> Vec<Option<Fix>> {
        let all = self.existing.slugs(RecordKind::Decision).filter(|slug| *slug != self.slug);
        slug::near(wanted, all).into_iter().map(|slug| self.set("replaced_by", slug.as_str())).collect()
    }

    fn near_records(&self, wanted: &str, span: &Range<usize>) -> Vec<Option<Fix>> {
        let kinds = [RecordKind::Knowledge, RecordKind::Decision, RecordKind::Request];
        let near = slug::near(wanted, kinds.into_iter().flat_map(|kind| self.existing.slugs(kind)));
        let fix = |slug: &crate::Slug| {
            let insert = format!("#{slug}");
            Some(Fix { label: text!(en: "{insert}", ja: "{insert}"), span: span.clone(), insert })
        };
        near.into_iter().map(fix).collect()
    }

    /// What the reference runtime stumbles over, taken out.
    fn tidy(&self, finding: &Finding) -> Option<Fix> {
        let label = text!(en: "Take it out", ja: "取り除く");
        let parts = crate::frontmatter::split(self.text).ok()?;
        if self.text[finding.span.clone()].starts_with("---") {
            return self.cut(finding.span.start + "---".len()..finding.span.end, label);
        }
        let bom = if parts.bom { '\u{feff}'.len_utf8() } else { 0 };
        match finding.span.end == bom && parts.bom {
            true => self.cut(0..bom, label),
            false => self.cut(bom..parts.open.start, label),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Existing, RecordRef, Settings, Slug};

    const NOW: Time = Time(1_800_000_000_000);

    fn mended(kind: RecordKind, text: &str, existing: &Existing) -> Vec<(FindingCode, Vec<String>)> {
        let slug = Slug::parse("this").unwrap();
        let settings = Settings::default();
        let check = Check { kind, slug: &slug, text, existing, settings: &settings, creating: false };
        let apply = |fix: Fix| format!("{}{}{}", &text[..fix.span.start], fix.insert, &text[fix.span.end..]);
        let findings = check.findings();
        findings.iter().map(|one| (one.code, check.fixes(one, NOW).into_iter().map(apply).collect())).collect()
    }

    #[test]
    fn the_first_fix_of_each_finding_takes_it_away() {
        let mut existing = Existing::new();
        for name in ["decision:near-one", "decision:this", "knowledge:tax-rounding"] {
            existing.add(RecordRef::from_name(name).unwrap());
        }
        let times = "created_at: 2026-01-01T00:00:00Z\nupdated_at: 2026-01-02T00:00:00Z\n";
        let about = "kind: a\ndescription: b\nmodel_invokation: true\nuser_invocable: true\nlast_sources: []\n";
        let decision = RecordKind::Decision;
        let knowledge = RecordKind::Knowledge;
        for (kind, text) in [
            (decision, "body".to_owned()),
            (decision, format!("---\n{times}sources: []\nstatus: done\n---\n")),
            (decision, format!("---\n{times}sources: []\n---\n")),
            (decision, format!("---\n{times}sources: []\nstatus: replaced\n---\n")),
            (decision, format!("---\n{times}sources: []\nstatus: replaced\nreplaced_by: near-two\n---\n")),
            (decision, format!("---\n{times}sources: []\nstatus: replaced\nreplaced_by: near-ones\n---\n")),
            (decision, format!("---\n{times}sources: []\nstatus: open\nreplaced_by: this\n---\n")),
            (decision, format!("---\n{times}sources: []\nstatus: open\nstatus: open\n---\n")),
            (knowledge, format!("---\n{times}{}---\n", about.replace("invokation", "invocation"))),
            (knowledge, format!("---\n{times}{}---\n", about.replace("true\nuser", "yes please\nuser"))),
            (knowledge, format!("---\n{times}{}---\n", about.replace("kind: a", "kind: 5"))),
            (knowledge, format!("---\n{times}{}---\n", about.replace(": b", ": see #3 and more"))),
            (knowledge, format!("---\n{times}{}---\n", about.replace(": b", ": one: two \"three\""))),
            (knowledge, format!("---\n{times}{about}---\nsee #tax-roundin\n")),
            (knowledge, format!("---\n{}{about}---\n", times.replace("2026-01-02", "2025-01-02"))),
            (knowledge, format!("---\n{}{about}---\n", times.replace("2026-01-02T00:00:00Z", "yesterday"))),
            (knowledge, format!("\u{feff}---\n{times}{about}---\n")),
            (knowledge, format!("\n\n---\n{times}{about}---\n")),
            (knowledge, format!("---\n{times}{about}---  \n")),
        ] {
            let found = mended(kind, &text, &existing);
            let (code, fixed) = found.iter().find(|(_, fixed)| !fixed.is_empty()).expect(&text);
            let left = mended(kind, &fixed[0], &existing);
            assert!(left.iter().all(|(other, _)| other != code), "{text}\n{fixed:?}\n{left:?}");
            assert!(left.len() < found.len(), "{text}\n{left:?}");
        }
    }

    #[test]
    fn what_no_quote_can_mend_is_not_offered() {
        let existing = Existing::new();
        for text in ["---\n- a\n- b\n---\n", "---\nkind: |\n a\nb\n---\n", "---\na: 1\n"] {
            let found = mended(RecordKind::Knowledge, text, &existing);
            assert!(found.iter().all(|(_, fixed)| fixed.is_empty()), "{text} {found:?}");
        }
    }
}
