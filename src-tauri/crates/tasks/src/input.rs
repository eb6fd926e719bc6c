//! What the tools are given. The types are read by hand from JSON, so that a refusal names the place and the rule in
//! both languages; the schemas that agents see come from the same types. Unknown fields are passed over, as in the
//! reference; an empty text, `null` or another type is refused.

use crate::Status;
use crate::rules::{ItemChange, check_length};
use kiroku_model::{Error, Result, text};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

/// What `task_write` is given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TaskWrite {
    /// The complete new list, in order. It replaces the list that is there, so send every item each time.
    pub tasks: Vec<ItemInput>,
}

/// An item as a caller writes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema, specta::Type)]
#[serde(rename_all = "camelCase")]
pub struct ItemInput {
    /// The item's stable id (such as `task_investigate_tests`). Keep it the same over all writes; leave it out for a
    /// new item, and one is made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1))]
    pub id: Option<String>,
    /// What to do, as an imperative (such as "Fix authentication bug").
    #[schemars(length(min = 1))]
    pub content: String,
    /// How it stands. At most one item may be `in_progress`.
    pub status: Status,
    /// The present continuous form that is shown while it runs (such as "Fixing authentication bug").
    #[schemars(length(min = 1))]
    pub active_form: String,
}

/// What `task_update` is given: an id, and at least one field that changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct TaskUpdate {
    /// The id of the item to change.
    #[schemars(length(min = 1))]
    pub id: String,
    /// What to do from now on. At least one of content, status and activeForm is needed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1))]
    pub content: Option<String>,
    /// How it stands now. `in_progress` sends any other running item back to `pending`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Status")]
    pub status: Option<Status>,
    /// What is shown while it runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1))]
    pub active_form: Option<String>,
}

impl TaskUpdate {
    /// What changes in the item.
    pub fn change(&self) -> ItemChange {
        ItemChange { content: self.content.clone(), status: self.status, active_form: self.active_form.clone() }
    }
}

/// What `task_complete` is given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TaskComplete {
    /// The id of the item that is done.
    #[schemars(length(min = 1))]
    pub id: String,
}

/// What `task_check` is given: nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TaskCheck {}

impl TaskWrite {
    /// Reads the tool's input; an error of code `invalid_input` names what is wrong where.
    pub fn read(input: &Value) -> Result<TaskWrite> {
        let fields = Fields::of(input, String::new())?;
        let Some(Value::Array(tasks)) = fields.map.get("tasks") else {
            return Err(Error::invalid(text!(
                en: "`tasks` must be a list of items {{id?, content, status, activeForm}}",
                ja: "`tasks` は項目 {{id?, content, status, activeForm}} のリストにしてください"
            )));
        };
        check_length(tasks.len())?;
        let item = |(place, value)| ItemInput::read_at(value, format!("tasks[{place}]"));
        Ok(TaskWrite { tasks: tasks.iter().enumerate().map(item).collect::<Result<_>>()? })
    }
}

impl ItemInput {
    /// Reads an item; an error of code `invalid_input` names what is wrong.
    pub fn read(input: &Value) -> Result<ItemInput> {
        ItemInput::read_at(input, String::new())
    }

    fn read_at(input: &Value, place: String) -> Result<ItemInput> {
        let fields = Fields::of(input, place)?;
        Ok(ItemInput {
            id: fields.text("id")?,
            content: fields.needed("content", Fields::text)?,
            status: fields.needed("status", Fields::status)?,
            active_form: fields.needed("activeForm", Fields::text)?,
        })
    }
}

impl TaskUpdate {
    /// Reads the tool's input; an error of code `invalid_input` names what is wrong where.
    pub fn read(input: &Value) -> Result<TaskUpdate> {
        let fields = Fields::of(input, String::new())?;
        let update = TaskUpdate {
            id: fields.needed("id", Fields::text)?,
            content: fields.text("content")?,
            status: fields.status("status")?,
            active_form: fields.text("activeForm")?,
        };
        if update.change() == ItemChange::default() {
            return Err(Error::invalid(text!(
                en: "give at least one of `content`, `status` and `activeForm`: what is to change",
                ja: "`content`、`status`、`activeForm` のうち、変更するものを 1 つ以上指定してください"
            )));
        }
        Ok(update)
    }
}

impl TaskComplete {
    /// Reads the tool's input; an error of code `invalid_input` names what is wrong where.
    pub fn read(input: &Value) -> Result<TaskComplete> {
        Ok(TaskComplete { id: Fields::of(input, String::new())?.needed("id", Fields::text)? })
    }
}

impl TaskCheck {
    /// Reads the tool's input: any object will do.
    pub fn read(input: &Value) -> Result<TaskCheck> {
        Fields::of(input, String::new()).map(|_| TaskCheck {})
    }
}

macro_rules! deserialize_by_read {
    ($($name:ident),*) => { $(
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(from: D) -> std::result::Result<$name, D::Error> {
                $name::read(&Value::deserialize(from)?).map_err(serde::de::Error::custom)
            }
        }
    )* };
}

deserialize_by_read!(TaskWrite, ItemInput, TaskUpdate, TaskComplete, TaskCheck);

/// The fields of an object, and where it stands in the input.
struct Fields<'v> {
    map: &'v Map<String, Value>,
    place: String,
}

impl<'v> Fields<'v> {
    fn of(value: &'v Value, place: String) -> Result<Fields<'v>> {
        if let Value::Object(map) = value {
            return Ok(Fields { map, place });
        }
        Err(if place.is_empty() {
            Error::invalid(text!(en: "the input must be a JSON object", ja: "入力は JSON のオブジェクトにしてください"))
        } else {
            Error::invalid(text!(en: "`{place}` must be an object", ja: "`{place}` はオブジェクトにしてください"))
        })
    }

    fn path(&self, name: &str) -> String {
        if self.place.is_empty() { name.to_owned() } else { format!("{}.{name}", self.place) }
    }

    fn text(&self, name: &str) -> Result<Option<String>> {
        match self.map.get(name) {
            None => Ok(None),
            Some(Value::String(text)) if !text.is_empty() => Ok(Some(text.clone())),
            Some(_) => {
                let path = self.path(name);
                Err(Error::invalid(text!(
                    en: "`{path}` must be a text that is not empty",
                    ja: "`{path}` は空でない文字列にしてください"
                ))
                .with("field", path))
            }
        }
    }

    fn status(&self, name: &str) -> Result<Option<Status>> {
        let Some(value) = self.map.get(name) else {
            return Ok(None);
        };
        value.as_str().and_then(Status::from_word).map(Some).ok_or_else(|| {
            let path = self.path(name);
            Error::invalid(text!(
                en: "`{path}` must be `pending`, `in_progress` or `completed`",
                ja: "`{path}` は `pending`、`in_progress`、`completed` のいずれかにしてください"
            ))
            .with("field", path)
        })
    }

    fn needed<T>(&self, name: &str, read: impl FnOnce(&Self, &str) -> Result<Option<T>>) -> Result<T> {
        read(self, name)?.ok_or_else(|| {
            let path = self.path(name);
            Error::invalid(text!(en: "`{path}` is missing", ja: "`{path}` がありません")).with("field", path)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kiroku_model::ErrorCode;
    use serde_json::json;

    #[test]
    fn bad_input_is_named() {
        let item = |field: &str, value: Value| {
            let mut item = json!({"content": "a", "status": "pending", "activeForm": "b", "priority": 3});
            item[field] = value;
            TaskWrite::read(&json!({"tasks": [item]}))
        };
        assert!(item("note", json!(null)).is_ok(), "unknown fields are passed over");
        for (field, value) in [
            ("id", json!("")),
            ("id", json!(null)),
            ("id", json!(1)),
            ("content", json!("")),
            ("status", json!("done")),
            ("status", json!(null)),
            ("activeForm", json!(["x"])),
        ] {
            let error = item(field, value).unwrap_err();
            assert_eq!(error.code(), ErrorCode::InvalidInput);
            assert_eq!(error.details()["field"], format!("tasks[0].{field}"));
            assert!(error.message().ja.contains(&format!("tasks[0].{field}")), "{error}");
        }
        let missing = TaskWrite::read(&json!({"tasks": [{"content": "a", "status": "pending"}]})).unwrap_err();
        assert_eq!(missing.to_string(), "`tasks[0].activeForm` is missing");
        for bad in [json!({}), json!([]), json!(null), json!({"tasks": {}}), json!({"tasks": ["a"]})] {
            assert_eq!(TaskWrite::read(&bad).unwrap_err().code(), ErrorCode::InvalidInput, "{bad}");
        }
        for bad in [json!({"id": "a"}), json!({"status": "pending"}), json!({"id": "a", "status": "blocked"})] {
            assert_eq!(TaskUpdate::read(&bad).unwrap_err().code(), ErrorCode::InvalidInput, "{bad}");
        }
        assert!(TaskComplete::read(&json!({"id": ""})).is_err());
        assert!(TaskCheck::read(&json!({"anything": 1})).is_ok());
        assert!(TaskCheck::read(&json!("x")).is_err());
        let many = json!({"tasks": vec![json!({}); crate::rules::MAX_ITEMS + 1]});
        assert!(TaskWrite::read(&many).unwrap_err().to_string().contains("at most"));
    }

    #[test]
    fn serde_reads_by_the_same_rules() {
        let said = r#"{"tasks":[{"content":"a","status":"pending","activeForm":"b","x":1}]}"#;
        let read: TaskWrite = serde_json::from_str(said).unwrap();
        assert_eq!(
            serde_json::to_string(&read).unwrap(),
            r#"{"tasks":[{"content":"a","status":"pending","activeForm":"b"}]}"#
        );
        assert!(serde_json::from_str::<TaskUpdate>(r#"{"id":"a"}"#).is_err());
    }

    #[test]
    fn schemas_say_what_is_needed() {
        let schema = serde_json::to_value(schemars::schema_for!(TaskWrite)).unwrap();
        let item = &schema["$defs"]["ItemInput"];
        assert_eq!(item["required"], json!(["content", "status", "activeForm"]));
        assert_eq!(item["properties"]["id"]["type"], "string");
        assert_eq!(item["properties"]["id"]["minLength"], 1);
        assert_eq!(item["properties"]["status"]["enum"], json!(["pending", "in_progress", "completed"]));
        let update = serde_json::to_value(schemars::schema_for!(TaskUpdate)).unwrap();
        assert_eq!(update["required"], json!(["id"]));
        for (name, property) in update["properties"].as_object().unwrap() {
            assert_eq!(property["type"], "string", "{name}");
            assert!(property["description"].is_string() && property.get("default").is_none(), "{name}: {property}");
        }
    }
}
