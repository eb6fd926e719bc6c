//! The addresses of resources: `kiroku://threads/ID/tasks`, `kiroku://memory/summary`, `kiroku://memory/resident` and
//! `kiroku://knowledge/SLUG`.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// What a resource shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// A thread's task list, by the thread's id.
    Thread(String),
    /// The memory's summary.
    Summary,
    /// The resident list: the knowledge that models are told of.
    Resident,
    /// A knowledge record, by its slug.
    Knowledge(String),
}

pub(crate) const THREAD_TEMPLATE: &str = "kiroku://threads/{id}/tasks";
pub(crate) const KNOWLEDGE_TEMPLATE: &str = "kiroku://knowledge/{slug}";

/// What may stand in one segment of a path as it is (RFC 3986, `pchar`), so that `task:12` stays readable.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b':')
    .remove(b'@')
    .remove(b'!')
    .remove(b'$')
    .remove(b'&')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')')
    .remove(b'*')
    .remove(b'+')
    .remove(b',')
    .remove(b';')
    .remove(b'=');

impl Place {
    /// The place at an address; `None`: there is no such place.
    pub(crate) fn parse(uri: &str) -> Option<Place> {
        let path = uri.strip_prefix("kiroku://")?;
        let decoded = |segment: &str| {
            let text = percent_decode_str(segment).decode_utf8().ok()?;
            (!segment.is_empty() && !segment.contains(['/', '?', '#'])).then(|| text.into_owned())
        };
        match path {
            "memory/summary" => Some(Place::Summary),
            "memory/resident" => Some(Place::Resident),
            _ => match path.strip_prefix("knowledge/") {
                Some(slug) => decoded(slug).map(Place::Knowledge),
                None => decoded(path.strip_prefix("threads/")?.strip_suffix("/tasks")?).map(Place::Thread),
            },
        }
    }

    /// Its address.
    pub(crate) fn uri(&self) -> String {
        match self {
            Place::Thread(id) => format!("kiroku://threads/{}/tasks", utf8_percent_encode(id, SEGMENT)),
            Place::Summary => "kiroku://memory/summary".to_owned(),
            Place::Resident => "kiroku://memory/resident".to_owned(),
            Place::Knowledge(slug) => format!("kiroku://knowledge/{}", utf8_percent_encode(slug, SEGMENT)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_leads_back_to_its_place() {
        for id in ["task:12", "会話/1", "a b%?#", "..", "/", "0198c2f0-aaaa-7000-8000-000000000000"] {
            let place = Place::Thread(id.into());
            assert_eq!(Place::parse(&place.uri()), Some(place), "{id}");
        }
        assert_eq!(Place::Thread("task:12".into()).uri(), "kiroku://threads/task:12/tasks");
        for place in [Place::Summary, Place::Resident, Place::Knowledge("tax-rounding".into())] {
            assert_eq!(Place::parse(&place.uri()), Some(place));
        }
    }

    #[test]
    fn other_addresses_are_none() {
        for uri in [
            "",
            "kiroku://",
            "kiroku://threads//tasks",
            "kiroku://threads/tasks",
            "kiroku://threads/a/b/tasks",
            "kiroku://threads/a",
            "kiroku://knowledge/",
            "kiroku://knowledge/a/b",
            "kiroku://memory/decisions",
            "kiroku://knowledge/%ff",
            "file:///etc/passwd",
            "kiroku://threads/a?x/tasks",
            "KIROKU://memory/summary",
        ] {
            assert_eq!(Place::parse(uri), None, "{uri}");
        }
    }
}
