//! What is wrong with a record: one pure function from its kind, slug, text and the records that exist to findings, used
//! before every write by a tool, while a person types, by `kiroku memory check` and by the hook before a commit.
//! It gives all findings at once.

mod body;
mod fields;
mod finding;
mod fix;

pub use finding::{Finding, FindingCode, Severity, WireFinding};
pub use fix::Fix;

use crate::existing::Existing;
use crate::frontmatter::{self, Frontmatter};
use crate::{RecordKind, Settings, Slug};
use finding::Findings;
use kiroku_model::text;

/// The fields of a kind that have a meaning, and whether each is required.
pub fn fields_of(kind: RecordKind) -> impl Iterator<Item = (&'static str, bool)> {
    fields::schema(kind).iter().map(|(name, _, required)| (*name, *required))
}

/// A record to be checked, and what it is checked against.
#[derive(Clone, Copy, Debug)]
pub struct Check<'a> {
    /// The record kind.
    pub kind: RecordKind,
    /// The slug.
    pub slug: &'a Slug,
    /// The whole file.
    pub text: &'a str,
    /// The records that exist; the one that is checked may be among them.
    pub existing: &'a Existing,
    /// The limits.
    pub settings: &'a Settings,
    /// Whether the record is to be made new, so that one of this name must not be there.
    pub creating: bool,
}

/// Checks a record against the usual limits.
pub fn check(kind: RecordKind, slug: &Slug, text: &str, existing: &Existing) -> Vec<Finding> {
    Check { kind, slug, text, existing, settings: &Settings::default(), creating: false }.findings()
}

impl Check<'_> {
    /// All that is wrong, in the order of the text.
    pub fn findings(&self) -> Vec<Finding> {
        let mut found = Findings::new(self.text);
        if self.creating && self.existing.contains(self.kind, self.slug) {
            let (kind, slug) = (self.kind, self.slug);
            found.error(
                FindingCode::SlugExists,
                0..0,
                text!(en: "a {kind} `{slug}` is there already", ja: "{kind}「{slug}」はすでにあります"),
            );
        }
        let parts = frontmatter::split(self.text);
        let body = parts.as_ref().map_or(0, frontmatter::Parts::body);
        match Frontmatter::parse(self.text) {
            Ok(read) => fields::check(self, &read, &mut found),
            Err(bad) => {
                let code =
                    if bad.missing { FindingCode::FrontmatterMissing } else { FindingCode::FrontmatterMalformed };
                found.error(code, bad.span, bad.message);
            }
        }
        if let Ok(parts) = &parts {
            self.reference_runtime(parts, &mut found);
        }
        body::check(self, body, &mut found);
        let near = self.existing.near(self.kind, self.slug);
        if !near.is_empty() {
            let names: Vec<String> = near.iter().map(|slug| format!("`{slug}`")).collect();
            let names = names.join(", ");
            found.warning(
                FindingCode::NearSlugs,
                0..0,
                text!(en: "the name is very near to {names}: should they be merged?", ja: "名前が {names} とよく似ています。まとめられないか確かめてください"),
            );
        }
        found.done()
    }

    /// What we read and the reference runtime does not.
    fn reference_runtime(&self, parts: &frontmatter::Parts, found: &mut Findings<'_>) {
        let mut warn = |span, en: &str, ja: &str| {
            found.warning(
                FindingCode::ReferenceCannotRead,
                span,
                text!(en: "{en}: other programs can't read this record", ja: "{ja}。ほかのプログラムでは読めません"),
            );
        };
        if parts.bom {
            warn(0..'\u{feff}'.len_utf8(), "a byte order mark stands first", "先頭に BOM があります");
        }
        if parts.leading_blank {
            warn(0..parts.open.start, "blank lines stand before the first `---`", "最初の「---」の前に空行があります");
        }
        for fence in [&parts.open, &parts.close] {
            let line = self.text[fence.clone()].trim_end_matches(['\r', '\n']);
            if line != "---" {
                warn(fence.clone(), "blanks stand after `---`", "「---」の後に空白があります");
            }
        }
    }
}
