//! The text that sets an agent up to use the tools over MCP, for the agents that many people have. It is printed to be copied:
//! no agent's own files are touched.

use kiroku_model::{Lang, text};
use serde::Serialize;
use serde_json::{Value, json};
use std::path::Path;

/// How one agent is set up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, specta::Type)]
pub struct AgentSetUp {
    /// The agent.
    pub agent: &'static str,
    /// What to do with the text: a file that it belongs into, or that it is a command.
    pub place: String,
    /// The text.
    pub text: String,
}

/// How agents start the MCP server: each connection is a thread of its own, and joins the session that is growing in its
/// folder. `program` is the command line's binary, `space` the space file, `member` whom the agents work for.
pub fn set_up(program: &Path, space: &Path, member: &str, lang: Lang) -> Vec<AgentSetUp> {
    let program = program.display().to_string();
    let space = space.display().to_string();
    let args = ["mcp", "--space", &space, "--as", member, "--thread", "auto", "--task", "auto"];
    let server = json!({ "command": program, "args": args });
    let listed = |key: &str, server: &Value| pretty(&json!({ key: { "kiroku": server } }));
    let into = |file: &str| text!(en: "put into {file}", ja: "{file} に書きます").get(lang).to_owned();
    let run = text!(en: "run", ja: "次のコマンドを実行します").get(lang).to_owned();
    let typed = json!({ "type": "stdio", "command": program, "args": args });
    let words: Vec<String> = std::iter::once(program.as_str()).chain(args).map(quoted).collect();
    let toml =
        format!("[mcp_servers.kiroku]\ncommand = {}\nargs = [{}]", toml_text(&program), args.map(toml_text).join(", "));
    vec![
        AgentSetUp { agent: "Claude Code", place: run, text: format!("claude mcp add kiroku -- {}", words.join(" ")) },
        AgentSetUp { agent: "Codex", place: into("~/.codex/config.toml"), text: toml },
        AgentSetUp { agent: "Cursor", place: into("~/.cursor/mcp.json"), text: listed("mcpServers", &server) },
        AgentSetUp { agent: "VS Code", place: into(".vscode/mcp.json"), text: listed("servers", &typed) },
        AgentSetUp { agent: "Gemini CLI", place: into("~/.gemini/settings.json"), text: listed("mcpServers", &server) },
        AgentSetUp {
            agent: "Claude Desktop",
            place: into("claude_desktop_config.json"),
            text: listed("mcpServers", &server),
        },
    ]
}

fn pretty(value: &Value) -> String {
    format!("{value:#}")
}

/// A basic string of TOML, whose escapes are JSON's.
fn toml_text(text: &str) -> String {
    Value::from(text).to_string()
}

/// A word for a POSIX shell.
fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./:@%+=,".contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_agent_is_told_the_same_command() {
        let all = set_up(Path::new("/opt/ki roku"), Path::new("/home/a/記録/space.db"), "o'neil \"m\"", Lang::En);
        let args = json!([
            "mcp",
            "--space",
            "/home/a/記録/space.db",
            "--as",
            "o'neil \"m\"",
            "--thread",
            "auto",
            "--task",
            "auto"
        ]);
        assert!(all.len() >= 5);
        for AgentSetUp { agent, text, .. } in &all {
            match *agent {
                "Claude Code" => assert_eq!(
                    text,
                    r#"claude mcp add kiroku -- '/opt/ki roku' mcp --space '/home/a/記録/space.db' --as 'o'\''neil "m"' --thread auto --task auto"#
                ),
                "Codex" => {
                    assert!(text.contains(r#"command = "/opt/ki roku""#), "{text}");
                    assert!(text.contains(r#""--as", "o'neil \"m\"", "--thread", "auto""#), "{text}");
                }
                _ => {
                    let read: Value = serde_json::from_str(text).unwrap();
                    let servers = read.get("mcpServers").or(read.get("servers")).unwrap();
                    assert_eq!(
                        (&servers["kiroku"]["command"], &servers["kiroku"]["args"]),
                        (&json!("/opt/ki roku"), &args),
                        "{agent}"
                    );
                }
            }
        }
    }
}
