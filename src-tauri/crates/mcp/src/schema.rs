//! The catalogue's schemas as MCP clients take them: an object at the root, and an output schema that holds for every
//! result of a tool, so that a client that checks results against it accepts all of them.

use rmcp::model::JsonObject;
use serde_json::{Value, json};

/// An input schema: `properties` stands there also when there are none, which some clients insist on.
pub(crate) fn input(schema: Value) -> JsonObject {
    let mut schema = object(schema);
    schema.entry("properties").or_insert_with(|| json!({}));
    schema
}

/// An output schema: what the tool answers, or `{"error": …}`, which is the structured content of a rejected call.
pub(crate) fn output(schema: Value) -> JsonObject {
    let mut answer = object(schema);
    let mut root = JsonObject::new();
    root.insert("type".to_owned(), json!("object"));
    // References inside point at the root's definitions.
    for shared in ["$schema", "$defs"] {
        root.extend(answer.remove_entry(shared));
    }
    let error = json!({
        "type": "object",
        "description": "Why the call was rejected; nothing was changed.",
        "properties": {
            "error": {
                "type": "object",
                "properties": {
                    "code": { "type": "string", "description": "What kind of failure, such as invalid_input, not_found or conflict." },
                    "message": { "type": "string", "description": "What is wrong." },
                    "details": { "type": "object", "description": "What the message names, as fields." }
                },
                "required": ["code", "message"]
            }
        },
        "required": ["error"]
    });
    root.insert("anyOf".to_owned(), json!([answer, error]));
    root
}

fn object(schema: Value) -> JsonObject {
    let Value::Object(mut schema) = plain(schema) else { return JsonObject::new() };
    // A root that is a choice among objects says so only in its branches.
    schema.entry("type").or_insert_with(|| json!("object"));
    schema
}

/// Without the names of Rust's number types, which are no formats of JSON Schema's and make validators complain.
fn plain(schema: Value) -> Value {
    match schema {
        Value::Object(fields) => {
            let numeric =
                |value: &Value| value.as_str().is_some_and(|name| name.starts_with("int") || name.starts_with("uint"));
            Value::Object(
                fields
                    .into_iter()
                    .filter(|(name, value)| name != "format" || !numeric(value))
                    .map(|(name, value)| (name, plain(value)))
                    .collect(),
            )
        }
        Value::Array(items) => Value::Array(items.into_iter().map(plain).collect()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_output_schema_keeps_its_definitions_at_the_root() {
        let made = output(json!({
            "$schema": "s", "$defs": { "A": {} }, "anyOf": [{ "$ref": "#/$defs/A" }], "properties": { "format": { "type": "string" } }
        }));
        assert_eq!((&made["type"], &made["$defs"]), (&json!("object"), &json!({ "A": {} })));
        assert_eq!(made["anyOf"][0]["type"], "object");
        assert_eq!(made["anyOf"][0]["properties"]["format"]["type"], "string");
        assert!(made["anyOf"][0].get("$defs").is_none());
        assert_eq!(made["anyOf"][1]["required"], json!(["error"]));
    }

    #[test]
    fn number_formats_are_left_out_and_others_are_not() {
        let made = input(
            json!({ "type": "object", "properties": { "n": { "format": "uint64" }, "t": { "format": "date-time" } } }),
        );
        assert_eq!(made["properties"], json!({ "n": {}, "t": { "format": "date-time" } }));
        assert_eq!(input(json!({ "type": "object" }))["properties"], json!({}));
    }
}
