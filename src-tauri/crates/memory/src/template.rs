//! What a new record begins with, and how times are written into records.

use crate::{RecordKind, Source};
use jiff::Timestamp;
use jiff::tz::{Offset, TimeZone};
use kiroku_model::Time;

/// The text of a new record of `kind`: every required field, with `sources` filled in where they are known. A knowledge
/// record starts hidden from models until somebody decides otherwise.
pub fn template(kind: RecordKind, now: Time, sources: &[Source]) -> String {
    let at = time_like(now, "Z");
    let list = |name: &str| {
        let text = format!("---\n{name}: []\n---\n");
        let set = crate::set_field(&text, name, &crate::FieldValue::Sources(sources.to_vec())).unwrap_or(text);
        set.trim_start_matches("---\n").trim_end_matches("---\n").to_owned()
    };
    let fields = match kind {
        RecordKind::Summary => format!("updated_at: {at}\n"),
        RecordKind::Decision => format!("created_at: {at}\nupdated_at: {at}\n{}status: open\n", list("sources")),
        RecordKind::Request => format!("created_at: {at}\nupdated_at: {at}\n{}", list("sources")),
        RecordKind::Knowledge => format!(
            "kind: note\ndescription: \"\"\nmodel_invokation: false\nuser_invocable: true\n{}created_at: {at}\nupdated_at: {at}\n",
            list("last_sources")
        ),
    };
    format!("---\n{fields}---\n\n")
}

/// A time to the second, in the zone that `like` is written in.
pub(crate) fn time_like(time: Time, like: &str) -> String {
    let minutes = like.get(like.len().saturating_sub(6)..).and_then(|zone| {
        let sign = match zone.as_bytes().first()? {
            b'+' => 1,
            b'-' => -1,
            _ => return None,
        };
        let (hours, minutes) = zone[1..].split_once(':')?;
        Some(sign * (hours.parse::<i32>().ok()? * 60 + minutes.parse::<i32>().ok()?))
    });
    let offset = minutes.and_then(|minutes| Offset::from_seconds(minutes * 60).ok());
    let Ok(at) = Timestamp::from_second(time.0.div_euclid(1000)) else {
        return time.to_string();
    };
    match offset {
        Some(offset) => at.to_zoned(TimeZone::fixed(offset)).strftime("%Y-%m-%dT%H:%M:%S%:z").to_string(),
        None => at.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Existing, Slug, check};

    #[test]
    fn templates_have_no_findings() {
        let sources = [Source { session_id: "a: b".into(), range: [1, 2], segment: false }];
        for kind in RecordKind::ALL {
            for sources in [&sources[..], &[]] {
                let text = template(kind, Time(1_800_000_000_000), sources);
                assert!(check(kind, &Slug::parse("x").unwrap(), &text, &Existing::new()).is_empty(), "{text}");
            }
        }
    }

    #[test]
    fn zones_stay() {
        let now = Time::parse("2026-06-20T10:00:00.5Z").unwrap();
        for (like, shown) in [
            ("2020-01-01T00:00:00Z", "2026-06-20T10:00:00Z"),
            ("2020-01-01T00:00:00+09:00", "2026-06-20T19:00:00+09:00"),
            ("2020-01-01T00:00:00.25-03:30", "2026-06-20T06:30:00-03:30"),
            ("", "2026-06-20T10:00:00Z"),
            ("日本", "2026-06-20T10:00:00Z"),
        ] {
            assert_eq!(time_like(now, like), shown);
        }
    }
}
