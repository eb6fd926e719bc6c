//! Points in time: whole milliseconds UTC inside, RFC 3339 with `Z` on the wire.

use crate::{Error, Result, text};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A point in time, in milliseconds since 1970-01-01T00:00:00Z.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(pub i64);

impl Time {
    /// Earliest time that a record may carry (1970); what is earlier is absurd, and its reader says so.
    pub const MIN: Time = Time(0);
    /// Latest time that a record may carry (the end of 9999).
    pub const MAX: Time = Time(253_402_300_799_999);

    /// Reads RFC 3339 with a zone, such as `2026-06-20T10:00:00Z` or `2026-06-20T19:00:00.5+09:00`; finer than a
    /// millisecond is cut. A time outside [`Time::MIN`]..=[`Time::MAX`] is an error.
    pub fn parse(text: &str) -> Result<Time> {
        let bad = || {
            Error::invalid(
                text!(en: "`{text}` is not an RFC 3339 time", ja: "「{text}」は RFC 3339 の日時ではありません"),
            )
        };
        let time = Time(text.parse::<jiff::Timestamp>().map_err(|_| bad())?.as_millisecond());
        if (Time::MIN..=Time::MAX).contains(&time) { Ok(time) } else { Err(bad()) }
    }

    /// The time `millis` milliseconds later (earlier if negative), kept inside what can be told.
    #[must_use]
    pub fn plus(self, millis: i64) -> Time {
        Time(self.0.saturating_add(millis)).clamp(Time::MIN, Time::MAX)
    }
}

impl std::fmt::Display for Time {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match jiff::Timestamp::from_millisecond(self.0) {
            Ok(time) => time.fmt(f),
            Err(_) => f.write_str("1970-01-01T00:00:00Z"),
        }
    }
}

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Time, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(from)?;
        Time::parse(&text).map_err(serde::de::Error::custom)
    }
}

impl specta::Type for Time {
    fn definition(types: &mut specta::Types) -> specta::datatype::DataType {
        <str as specta::Type>::definition(types)
    }
}

/// Where "now" comes from; an argument, so that tests decide it.
pub trait Clock: Send + Sync {
    /// The time now.
    fn now(&self) -> Time;
}

/// The computer's own clock.
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Time {
        Time(jiff::Timestamp::now().as_millisecond()).clamp(Time::MIN, Time::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wire_form() {
        for (given, shown) in [
            ("2026-06-20T10:00:00Z", "2026-06-20T10:00:00Z"),
            ("2026-06-20T19:00:00.123456+09:00", "2026-06-20T10:00:00.123Z"),
            ("1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z"),
        ] {
            assert_eq!(Time::parse(given).unwrap().to_string(), shown);
        }
        for bad in ["", "2026-06-20", "2026-06-20T10:00:00", "1969-12-31T23:59:59Z", "+012026-01-01T00:00:00Z", "x"] {
            assert!(Time::parse(bad).is_err(), "{bad}");
        }
    }
}
