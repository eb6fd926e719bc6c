//! The contract as agents see it before they call anything: the tools' exact names and parameters.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "these are tests")]

mod documents;

use kiroku_api::tools::{tool, tools};
use kiroku_model::Lang;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The tools over conversations with their parameters, as the reference and the search contract name them.
const PARAMETERS: [(&str, &[&str]); 6] = [
    ("SearchWorkspaceTasks", &["query", "match_mode", "around_ref", "context", "limit", "kind", "author", "task_id"]),
    ("ListWorkspaceTasks", &["state", "limit"]),
    ("SearchTaskConversation", &["query", "match_mode", "around_ref", "context", "limit"]),
    ("ReadTaskConversation", &["offset", "limit", "around_ref", "context"]),
    ("MissionUpdate", &["user_constraints", "decisions", "remove"]),
    ("MissionRead", &[]),
];

#[test]
fn the_tools_take_just_what_the_contract_names() {
    for (name, parameters) in PARAMETERS {
        let schema = (tool(name).unwrap().input_schema)();
        assert_eq!(schema["type"], "object", "{name}");
        assert_eq!(schema["additionalProperties"], false, "{name}: an unknown parameter is an error");
        assert_eq!(schema.get("required").unwrap_or(&json!([])), &json!([]), "{name}: null is absent");
        let empty = serde_json::Map::new();
        let given = schema["properties"].as_object().unwrap_or(&empty);
        let given: BTreeSet<&str> = given.keys().map(String::as_str).collect();
        assert_eq!(given, parameters.iter().copied().collect(), "{name}");
    }
}

#[test]
fn the_ranges_stand_in_the_schemas() {
    let range = |tool_name: &str, parameter: &str| {
        let schema = (tool(tool_name).unwrap().input_schema)();
        let field = &schema["properties"][parameter];
        (field["minimum"].as_i64(), field["maximum"].as_i64())
    };
    for (name, parameter, expected) in [
        ("SearchWorkspaceTasks", "context", (Some(0), Some(5))),
        ("SearchWorkspaceTasks", "limit", (Some(1), Some(30))),
        ("ListWorkspaceTasks", "limit", (Some(1), Some(50))),
        ("SearchTaskConversation", "limit", (Some(1), Some(30))),
        ("ReadTaskConversation", "limit", (Some(1), Some(200))),
        ("ReadTaskConversation", "offset", (Some(0), None)),
    ] {
        assert_eq!(range(name, parameter), expected, "{name} {parameter}");
    }
}

#[test]
fn every_tool_is_described_in_both_languages() {
    let mut names = BTreeSet::new();
    for tool in tools() {
        assert!(names.insert(tool.name), "{} stands twice", tool.name);
        let (ja, en) = (tool.described(Lang::Ja), tool.described(Lang::En));
        assert!(ja.len() > 20 && en.len() > 20 && ja != en, "{}", tool.name);
        assert!(!(tool.read_only && tool.destructive), "{}", tool.name);
        for schema in [(tool.input_schema)(), (tool.output_schema)()] {
            assert!(
                refs(&schema).iter().all(|target| target.starts_with("#/")),
                "{}: a schema stands alone",
                tool.name
            );
        }
        described(tool.name, &(tool.input_schema)());
    }
}

/// Every parameter says what it is.
fn described(name: &str, schema: &Value) {
    for (parameter, field) in schema["properties"].as_object().into_iter().flatten() {
        assert!(field["description"].as_str().is_some_and(|said| said.len() > 5), "{name} {parameter}");
    }
}

fn refs(schema: &Value) -> Vec<String> {
    match schema {
        Value::Object(fields) => fields
            .iter()
            .flat_map(|(key, value)| match (key.as_str(), value) {
                ("$ref", Value::String(target)) => vec![target.clone()],
                _ => refs(value),
            })
            .collect(),
        Value::Array(items) => items.iter().flat_map(refs).collect(),
        _ => Vec::new(),
    }
}
