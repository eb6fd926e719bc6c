//! What the list tools of coding agents say, read without trust: whatever is malformed is passed over.
//!
//! | tool | input | what it does |
//! | --- | --- | --- |
//! | `TodoWrite`, `todowrite` | `{todos: [{id?, content, status, activeForm?, priority?}]}` | replaces the list |
//! | `update_plan` | `{explanation?, plan: [{step, status}]}` | replaces the list |
//! | `TaskCreate` | `{subject, description, activeForm?}` | adds an item; its id is in the output: `Task #1 created successfully: …`, or JSON with `id` or `taskId` or `task.id` |
//! | `TaskUpdate` | `{taskId, status?, subject?, activeForm?, …}` | changes an item; the status `deleted` removes it |
//!
//! The list that comes of it follows the rules of `task_write` and `task_update`: of several running items of one
//! call the first stays, and a status that is not known counts as to do.

use crate::input::ItemInput;
use crate::rules::{self, ItemChange, MAX_ITEMS};
use crate::{Item, Status};
use serde_json::{Map, Value};

/// The tools that [`read`] knows.
pub const TOOLS: [&str; 5] = ["TodoWrite", "todowrite", "update_plan", "TaskCreate", "TaskUpdate"];

/// A tool call of a session.
#[derive(Clone, Copy, Debug)]
pub struct ToolCall<'a> {
    /// The tool's name.
    pub tool: &'a str,
    /// What it was given, as JSON.
    pub input: &'a str,
    /// What it gave back, if that is known yet.
    pub output: Option<&'a str>,
}

/// What a call does to a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Write {
    /// Another list takes its place.
    Whole(Vec<ItemInput>),
    /// An item is added (or written anew, where its id is known).
    Created(Item),
    /// An item changes.
    Changed(String, ItemChange),
    /// An item is removed.
    Removed(String),
    /// An item is added once the output tells its id.
    Awaited,
}

/// What a call does, or `None` where it does nothing that can be read.
pub fn read(call: ToolCall<'_>) -> Option<Write> {
    let input = object(call.input)?;
    match call.tool {
        "TodoWrite" | "todowrite" => whole(input.get("todos")?, "content"),
        "update_plan" => whole(input.get("plan")?, "step"),
        "TaskCreate" => {
            let content = text(&input, "subject")?;
            let active_form = text(&input, "activeForm").unwrap_or_else(|| content.clone());
            let Some(output) = call.output else {
                return Some(Write::Awaited);
            };
            Some(Write::Created(Item { id: created_id(output)?, content, status: Status::Pending, active_form }))
        }
        "TaskUpdate" => {
            let id = id(input.get("taskId")?)?;
            let status = text(&input, "status");
            if status.as_deref().is_some_and(is_gone) {
                return Some(Write::Removed(id));
            }
            let change = ItemChange {
                content: text(&input, "subject"),
                active_form: text(&input, "activeForm"),
                status: status.as_deref().and_then(Status::from_word),
            };
            (change != ItemChange::default()).then_some(Write::Changed(id, change))
        }
        _ => None,
    }
}

impl Write {
    /// The list after it, or `None` where it does nothing to this list.
    pub fn apply(&self, list: &[Item]) -> Option<Vec<Item>> {
        match self {
            Write::Whole(items) => rules::write(list, items).ok(),
            Write::Created(item) => {
                let mut list = list.to_vec();
                match list.iter().position(|known| known.id == item.id) {
                    Some(place) => list[place] = item.clone(),
                    None if list.len() < MAX_ITEMS => list.push(item.clone()),
                    None => return None,
                }
                Some(list)
            }
            Write::Changed(id, change) => rules::update(list, id, change).ok(),
            Write::Removed(id) => {
                let left: Vec<Item> = list.iter().filter(|item| item.id != *id).cloned().collect();
                (left.len() < list.len()).then_some(left)
            }
            Write::Awaited => None,
        }
    }
}

/// A whole list; what of it can't be an item is left out.
fn whole(items: &Value, content: &str) -> Option<Write> {
    let items = items.as_array().filter(|items| items.len() <= MAX_ITEMS)?;
    let mut running = false;
    let list = items.iter().filter_map(|value| {
        let item = value.as_object()?;
        let content = text(item, content)?;
        let word = text(item, "status");
        if word.as_deref().is_some_and(is_gone) {
            return None;
        }
        let mut status = word.as_deref().and_then(Status::from_word).unwrap_or(Status::Pending);
        if status == Status::InProgress && std::mem::replace(&mut running, true) {
            status = Status::Pending;
        }
        let active_form = text(item, "activeForm").unwrap_or_else(|| content.clone());
        Some(ItemInput { id: item.get("id").and_then(id), content, status, active_form })
    });
    Some(Write::Whole(list.collect()))
}

/// Words for an item that is taken out.
fn is_gone(status: &str) -> bool {
    matches!(status, "deleted" | "cancelled")
}

/// The object that a text holds; some agents wrap the JSON of a call in a JSON text.
fn object(json: &str) -> Option<Map<String, Value>> {
    match serde_json::from_str(json).ok()? {
        Value::Object(map) => Some(map),
        Value::String(inner) => serde_json::from_str(&inner).ok(),
        _ => None,
    }
}

fn text(map: &Map<String, Value>, name: &str) -> Option<String> {
    map.get(name)?.as_str().filter(|text| !text.trim().is_empty()).map(str::to_owned)
}

/// An id, as a text or a number.
fn id(value: &Value) -> Option<String> {
    match value {
        Value::String(id) if !id.is_empty() => Some(id.clone()),
        Value::Number(id) => Some(id.to_string()),
        _ => None,
    }
}

/// The id that `TaskCreate` gave.
fn created_id(output: &str) -> Option<String> {
    if let Some(map) = object(output) {
        let inner = map.get("task").and_then(Value::as_object).unwrap_or(&map);
        return inner.get("id").or_else(|| inner.get("taskId")).and_then(id);
    }
    let rest = output.trim_start().strip_prefix("Task #")?;
    let end = rest.find(|c: char| c.is_whitespace() || c == ':').unwrap_or(rest.len());
    Some(rest[..end].to_owned()).filter(|id| !id.is_empty())
}
