//! A line of the exchange format as an object: looked at where it stands, and only the fields that its row knows are
//! ever copied out of it, so that a long line of anything else costs no memory; what does not fit is named.
//! Serde's own derived readers can say what is wrong, but not in which field, nor in two languages.

use super::values::expected;
use kiroku_model::{Text, text};
use serde::Deserialize;
use serde::de::{self, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;

/// A line as one flat object, of which only the fields that the row knows are kept, as slices of the line.
pub(super) struct Object<'de, 'n> {
    pub line: &'de str,
    pub unknown: &'n mut u64,
}

impl<'de> Object<'de, '_> {
    /// The row, or what is wrong with the line; unknown fields are added to `unknown`.
    pub fn read<T: Deserialize<'de>>(self, row: &str) -> std::result::Result<T, Text> {
        T::deserialize(self).map_err(|fault| fault.told(row))
    }
}

/// What is wrong with a line.
#[derive(Debug)]
pub(super) enum Fault {
    Json(serde_json::Error),
    Missing(&'static str),
    Twice(&'static str),
    Value(&'static str, String),
}

impl Fault {
    fn told(self, row: &str) -> Text {
        match self {
            Fault::Json(error) if error.is_data() => {
                text!(en: "not a JSON object", ja: "JSON のオブジェクトではありません")
            }
            Fault::Json(error) => {
                let byte = error.column();
                text!(en: "not valid JSON, at byte {byte}", ja: "{byte} バイト目で JSON として読めなくなりました")
            }
            Fault::Missing(field) => {
                text!(en: "the field `{field}` is missing", ja: "項目「{field}」がありません")
            }
            Fault::Twice(field) => {
                text!(en: "the field `{field}` stands there twice", ja: "項目「{field}」が二度書かれています")
            }
            Fault::Value(field, value) => {
                let Text { en, ja } = expected(row, field);
                text!(en: "the field `{field}` must be {en}, not {value}", ja: "項目「{field}」は{ja}でなければなりません（いまの値: {value}）")
            }
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

impl std::error::Error for Fault {}

impl de::Error for Fault {
    fn custom<T: fmt::Display>(message: T) -> Fault {
        Fault::Json(de::Error::custom(message))
    }

    fn missing_field(field: &'static str) -> Fault {
        Fault::Missing(field)
    }
}

impl<'de> Deserializer<'de> for Object<'de, '_> {
    type Error = Fault;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> std::result::Result<V::Value, Fault> {
        let collect = Collect { fields, found: Vec::new(), twice: None, unknown: self.unknown };
        let mut json = serde_json::Deserializer::from_str(self.line);
        let (found, twice) = json.deserialize_map(collect).map_err(Fault::Json)?;
        json.end().map_err(Fault::Json)?;
        match twice {
            Some(field) => Err(Fault::Twice(field)),
            None => visitor.visit_map(Fields { rest: found.into_iter(), now: None }),
        }
    }

    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> std::result::Result<V::Value, Fault> {
        Err(de::Error::custom("a row is a struct"))
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

type Found<'de> = Vec<(&'static str, &'de RawValue)>;

/// Takes the known fields out of an object, and counts the others.
struct Collect<'de, 'n> {
    fields: &'static [&'static str],
    found: Found<'de>,
    twice: Option<&'static str>,
    unknown: &'n mut u64,
}

impl<'de> Visitor<'de> for Collect<'de, '_> {
    type Value = (Found<'de>, Option<&'static str>);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> std::result::Result<Self::Value, A::Error> {
        while let Some(name) = map.next_key::<String>()? {
            let Some(name) = self.fields.iter().copied().find(|field| *field == name) else {
                map.next_value::<de::IgnoredAny>()?;
                *self.unknown += u64::from(name != "type");
                continue;
            };
            let value: &'de RawValue = map.next_value()?;
            if self.found.iter().any(|(found, _)| *found == name) {
                self.twice = Some(name);
            } else {
                self.found.push((name, value));
            }
        }
        self.found.retain(|(_, value)| value.get() != "null");
        Ok((self.found, self.twice))
    }
}

/// Hands the fields to the row's own `Deserialize`, and names the one that does not fit.
struct Fields<'de> {
    rest: std::vec::IntoIter<(&'static str, &'de RawValue)>,
    now: Option<(&'static str, &'de RawValue)>,
}

impl<'de> MapAccess<'de> for Fields<'de> {
    type Error = Fault;

    fn next_key_seed<K: de::DeserializeSeed<'de>>(&mut self, seed: K) -> std::result::Result<Option<K::Value>, Fault> {
        self.now = self.rest.next();
        self.now.map(|(name, _)| seed.deserialize(de::value::BorrowedStrDeserializer::new(name))).transpose()
    }

    fn next_value_seed<V: de::DeserializeSeed<'de>>(&mut self, seed: V) -> std::result::Result<V::Value, Fault> {
        let Some((name, value)) = self.now.take() else {
            return Err(de::Error::custom("a value before its key"));
        };
        seed.deserialize(&mut serde_json::Deserializer::from_str(value.get()))
            .map_err(|_| Fault::Value(name, shortened(value.get())))
    }
}

/// A value as a report shows it.
fn shortened(value: &str) -> String {
    const SHOWN: usize = 40;
    match value.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &value[..end]),
        None => value.to_owned(),
    }
}
