//! The reference, made from what the programs themselves say: the catalogue of tools, the help of each command, the
//! description of the exchange format, the settings, and the keys. `docs/reference.md` and `docs/exchange-format.md` are
//! what is written here, and a contract test says when they are stale.

use crate::{Home, kiroku, repository};
use kiroku_api::records::Settings;
use kiroku_api::tools::{Tool, tools};
use kiroku_model::Lang;
use serde_json::Value;
use std::fmt::Write;

/// The files that are made: their path from the repository's top, and their text.
pub fn pages() -> [(&'static str, String); 2] {
    [("docs/reference.md", reference()), ("docs/exchange-format.md", exchange_format())]
}

const HEAD: &str = "<!-- Made by `cargo run -p kiroku-tests --bin reference`; change what it is made from. -->\n\n";

fn reference() -> String {
    let mut out = format!("{HEAD}# Reference\n\n");
    out.push_str(
        "- [Tools](#tools) for agents, over MCP (`kiroku mcp`) and `kiroku tool`\n\
         - [Command line](#command-line)\n- [Settings](#settings)\n- [Keyboard](#keyboard)\n\
         - [Exchange format](exchange-format.md)\n\n## Tools\n",
    );
    tools().for_each(|tool| put_tool(&mut out, tool));
    out.push_str("\n## Command line\n");
    put_command(&mut out, &mut Vec::new());
    put_settings(&mut out);
    put_keys(&mut out);
    out
}

fn put_tool(out: &mut String, tool: &Tool) {
    let note = match (tool.read_only, tool.destructive) {
        (true, _) => "Changes nothing.",
        (_, true) => "Changes the record, and may take something away.",
        _ => "Changes the record.",
    };
    let described = tool.described(Lang::En);
    out.push_str(&format!("\n### `{}`\n\n{}\n\n{note}\n", tool.name, described.trim()));
    let schema = (tool.input_schema)();
    let Some(fields) = schema["properties"].as_object().filter(|fields| !fields.is_empty()) else {
        out.push_str("\nIt takes no parameters.\n");
        return;
    };
    out.push_str("\n| parameter | type | what it is |\n| --- | --- | --- |\n");
    let required = schema["required"].as_array();
    for (name, field) in fields {
        let must = required.is_some_and(|all| all.iter().any(|one| one == name));
        let what = field["description"].as_str().unwrap_or_default().replace('\n', " ").replace('|', "\\|");
        let must = if must { " (must be there)" } else { "" };
        out.push_str(&format!("| `{name}` | {} | {what}{must} |\n", type_of(&schema, field)));
    }
}

/// A field's type in a few words.
fn type_of(schema: &Value, field: &Value) -> String {
    if let Some(target) = field["$ref"].as_str().and_then(|target| target.strip_prefix('#')) {
        return type_of(schema, schema.pointer(target).unwrap_or(&Value::Null));
    }
    for choice in ["anyOf", "oneOf"] {
        if let Some(all) = field[choice].as_array() {
            let words: Vec<String> = all.iter().map(|one| type_of(schema, one)).filter(|word| word != "null").collect();
            return words.join(" or ");
        }
    }
    if let Some(words) = field["enum"].as_array() {
        let words: Vec<String> = words.iter().filter_map(Value::as_str).map(|word| format!("`{word}`")).collect();
        return words.join(", ");
    }
    if let Some(word) = field["const"].as_str() {
        return format!("`{word}`");
    }
    let name = match &field["type"] {
        Value::Array(all) => {
            all.iter().filter_map(Value::as_str).filter(|word| *word != "null").collect::<Vec<_>>().join(" or ")
        }
        one => one.as_str().unwrap_or("any").to_owned(),
    };
    match (name.as_str(), field["minimum"].as_i64(), field["maximum"].as_i64()) {
        ("array", ..) => format!("list of {}", type_of(schema, &field["items"])),
        (_, Some(least), Some(most)) => format!("{name}, {least} to {most}"),
        (_, Some(least), None) => format!("{name}, {least} or more"),
        _ => name,
    }
}

/// A command's help, and those of its subcommands, as the program prints them where nothing says how wide a line is.
fn put_command(out: &mut String, path: &mut Vec<String>) {
    let home = Home::bare();
    let words: Vec<&str> = path.iter().map(String::as_str).chain(["--help"]).collect();
    let mut command = home.command_of(kiroku(), &words);
    command.env("COLUMNS", "100");
    let help = home.finish(command).ok().out;
    let title = ["kiroku"].into_iter().chain(path.iter().map(String::as_str)).collect::<Vec<_>>().join(" ");
    out.push_str(&format!("\n### `{title}`\n\n```text\n{}\n```\n", trimmed(&help)));
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    for line in listed {
        // A name stands two blanks in; what is further in goes on with the line above.
        let name =
            line.strip_prefix("  ").filter(|rest| !rest.starts_with(' ')).and_then(|rest| rest.split(' ').next());
        if let Some(name) = name.filter(|name| *name != "help") {
            path.push(name.to_owned());
            put_command(out, path);
            path.pop();
        }
    }
}

/// Lines with nothing at their ends.
fn trimmed(text: &str) -> String {
    text.trim().lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

fn put_settings(out: &mut String) {
    out.push_str(
        "\n## Settings\n\nThe app's own settings (language, theme, font size, your name) stand in its Settings, and in \
         `preferences.json` in its data directory.\n\nA space's settings stand in `kiroku.toml` in the space's folder, in \
         the table `[memory]`. A setting that is wrong is told with its line, and its default stands.\n\n\
         | setting | by itself | what it is |\n| --- | --- | --- |\n",
    );
    let schema = serde_json::to_value(schemars::schema_for!(Settings)).expect("a schema is JSON");
    let defaults = serde_json::to_value(Settings::default()).expect("settings are JSON");
    for (name, field) in schema["properties"].as_object().expect("settings have fields") {
        let what = field["description"].as_str().unwrap_or_default();
        // The default stands in the text for those who read the source, and in a column here.
        let what = what.rsplit_once(" (").filter(|(_, rest)| rest.ends_with(").")).map_or(what, |(text, _)| text);
        let default = match &defaults[name] {
            Value::Null => "found by looking".to_owned(),
            value => format!("`{value}`"),
        };
        writeln!(out, "| `{name}` | {default} | {} |", what.trim_end_matches('.')).expect("text is written");
    }
}

/// The keys that hold everywhere. Those of each view stand in the app alone, where the list is made from what is there.
fn put_keys(out: &mut String) {
    out.push_str(
        "\n## Keyboard\n\n`?` in the app shows all keys, view by view. On macOS `⌘` takes the place of `Ctrl`.\n\n\
         | key | what it does |\n| --- | --- |\n\
         | `Ctrl+K` | the palette: go to a task or a record, or do something |\n\
         | `Ctrl+1` … `Ctrl+5` | Search, Tasks, Board, Memory, Knowledge |\n\
         | `/`, `Ctrl+F` | to the field |\n\
         | `↑`, `↓`, `Enter` | move in a list, open |\n\
         | `Esc` | back to the list, then to the field |\n\
         | `Alt+←`, `Alt+→` (macOS: `⌘[`, `⌘]`) | back, forward |\n\
         | `Ctrl+,` | settings |\n",
    );
}

/// The description of the exchange format stands in its source, where its readers are.
fn exchange_format() -> String {
    let source = read("src-tauri/crates/sources/src/exchange/mod.rs");
    let lines = source.lines().take_while(|line| line.starts_with("//!"));
    let text: Vec<&str> = lines.map(|line| line.trim_start_matches("//!").strip_prefix(' ').unwrap_or("")).collect();
    // Its headings stand one below the page's; names of types are no links here.
    let text = text.join("\n").replace("\n# ", "\n## ").replace("[`", "`").replace("`]", "`");
    format!("{HEAD}# The exchange format\n\n{text}\n")
}

fn read(path: &str) -> String {
    std::fs::read_to_string(repository().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}
