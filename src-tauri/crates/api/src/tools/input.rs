//! Reading what a tool was given: strict about names and ranges, and clear about what is wrong.

use kiroku_model::{Error, Result, TaskId, text};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A task as a caller may write it: `12`, `"12"` or `"task:12"`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum TaskNumber {
    /// `12`.
    Number(i64),
    /// `"12"` or `"task:12"`.
    Text(String),
}

impl TaskNumber {
    /// The task that it names.
    pub fn id(&self) -> Result<TaskId> {
        match self {
            TaskNumber::Number(number) => TaskId::parse(&number.to_string()),
            TaskNumber::Text(text) => TaskId::parse(text),
        }
    }
}

/// The input as its type. `null` stands for an absent parameter, at every level of the input's own parameters, and no
/// input at all for an empty one.
pub(super) fn parse<T: DeserializeOwned>(input: Value) -> Result<T> {
    let fields: serde_json::Map<String, Value> = match input {
        Value::Null => serde_json::Map::new(),
        Value::Object(fields) => fields.into_iter().filter(|(_, value)| !value.is_null()).collect(),
        _ => {
            return Err(Error::invalid(
                text!(en: "the input must be a JSON object", ja: "入力は JSON のオブジェクトにしてください"),
            ));
        }
    };
    serde_json::from_value(Value::Object(fields.clone())).map_err(|error| match at_fault::<T>(&fields) {
        Some(name) => {
            Error::invalid(text!(en: "`{name}` is not right: {error}", ja: "`{name}` が正しくありません: {error}"))
                .with("parameter", name)
        }
        None => Error::invalid(text!(en: "the input is not right: {error}", ja: "入力が正しくありません: {error}")),
    })
}

/// The parameter without which the input would be right: the parser names the type that it met, not where.
fn at_fault<T: DeserializeOwned>(fields: &serde_json::Map<String, Value>) -> Option<&str> {
    let is_right_without = |name: &&String| {
        let rest = fields.iter().filter(|(other, _)| other != name);
        let rest = rest.map(|(name, value)| (name.clone(), value.clone())).collect();
        serde_json::from_value::<T>(Value::Object(rest)).is_ok()
    };
    fields.keys().find(is_right_without).map(String::as_str)
}

/// A number that must lie in a range; `absent` if it isn't given.
pub(super) fn within(name: &str, given: Option<i64>, least: i64, most: i64, absent: i64) -> Result<usize> {
    let value = given.unwrap_or(absent);
    if !(least..=most).contains(&value) {
        return Err(Error::invalid(text!(
            en: "`{name}` must be from {least} to {most}, not {value}",
            ja: "`{name}` は {least} から {most} までです（{value} は指定できません）"
        ))
        .with("parameter", name));
    }
    usize::try_from(value).map_err(Error::internal)
}

/// Exactly one of `query` and `around_ref`.
pub(super) enum QueryOrAround {
    Query(String),
    Around(kiroku_model::CommentId),
}

pub(super) fn query_or_around(query: Option<String>, around_ref: Option<&str>) -> Result<QueryOrAround> {
    match (query, around_ref) {
        (Some(query), None) => Ok(QueryOrAround::Query(query)),
        (None, Some(around)) => kiroku_model::CommentId::parse(around).map(QueryOrAround::Around),
        (Some(_), Some(_)) => Err(Error::invalid(text!(
            en: "give either `query` or `around_ref`, not both",
            ja: "`query` と `around_ref` はどちらか一方だけを指定してください"
        ))),
        (None, None) => Err(Error::invalid(text!(
            en: "give either `query` or `around_ref`",
            ja: "`query` か `around_ref` のどちらかを指定してください"
        ))),
    }
}
