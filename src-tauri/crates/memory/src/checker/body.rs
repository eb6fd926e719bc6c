//! The rules about a record's body.

use super::{Check, FindingCode, Findings};
use crate::prose;
use kiroku_model::text;

pub(super) fn check(check: &Check<'_>, body: usize, found: &mut Findings<'_>) {
    let limit = check.settings.limit_for(check.kind);
    let text = &check.text[body..];
    let length = text.chars().count();
    if length > limit {
        found.error(
            FindingCode::BodyTooLong,
            body..body,
            text!(en: "the body has {length} characters: at most {limit} are allowed", ja: "本文が {length} 文字あります。{limit} 文字までです"),
        );
    }
    for mention in prose::mentions(check.text, body) {
        let own = mention.slug == *check.slug;
        if !own && !mention.doubtful() && check.existing.meant_by(&mention.slug).is_none() {
            let slug = mention.slug;
            found.warning(
                FindingCode::MentionUnknown,
                mention.span,
                text!(en: "`#{slug}` names no record", ja: "「#{slug}」という記録はありません"),
            );
            found.about(slug.as_str());
        }
    }
}
