//! Session files as Claude Code writes them, made from a seed, to import: turns of a request, thinking, a text, a tool
//! call with its result, and the text that ends the turn. Every fifth session has a subagent in a file of its own; in
//! every second of those the subagent's clock runs before the session's, so that its file is read first.

use crate::Result;
use crate::random::Random;
use crate::words::Words;
use kiroku_model::{Time, derived_uid};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;

/// Comments that a turn becomes.
pub const PER_TURN: usize = 5;
/// When the first session begins.
const BEGIN: Time = Time(1_735_689_600_000);

/// What was written.
pub struct Sessions {
    /// Bytes in all files.
    pub bytes: usize,
    /// Comments that they become.
    pub comments: usize,
}

/// Writes so many sessions of so many turns below `folder`.
pub fn write(folder: &Path, words: &Words, random: &mut Random, sessions: usize, turns: usize) -> Result<Sessions> {
    let project = folder.join("-home-user-shop");
    let mut made = Sessions { bytes: 0, comments: 0 };
    let mut put = |path: &Path, text: &str| -> Result<()> {
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        made.bytes += text.len();
        Ok(std::fs::write(path, text)?)
    };
    let mut comments = 0;
    for number in 0..sessions {
        let id = derived_uid("sessions", &number.to_string());
        let begin = BEGIN.plus(number as i64 * 3_600_000);
        let mut session = Session { words, random, id: &id, agent: None, now: begin, lines: String::new(), said: 0 };
        session.turns(turns, number % 2 == 0)?;
        comments += turns * PER_TURN;
        put(&project.join(format!("{id}.jsonl")), &session.lines)?;
        if number % 5 == 4 {
            let early = if number % 10 == 4 { -60_000 } else { 60_000 };
            let agent = format!("a{number}");
            let now = begin.plus(early);
            let mut sub = Session { words, random, id: &id, agent: Some(&agent), now, lines: String::new(), said: 0 };
            sub.turns(1, number % 2 == 0)?;
            comments += PER_TURN;
            put(&project.join(format!("{id}/subagents/agent-{agent}.jsonl")), &sub.lines)?;
        }
    }
    made.comments = comments;
    Ok(made)
}

struct Session<'s> {
    words: &'s Words,
    random: &'s mut Random,
    id: &'s str,
    agent: Option<&'s str>,
    now: Time,
    lines: String,
    said: usize,
}

impl Session<'_> {
    fn turns(&mut self, turns: usize, japanese: bool) -> Result<()> {
        for turn in 0..turns {
            let mut text = |low, high| {
                let characters = self.random.between(low, high);
                if japanese {
                    self.words.japanese(self.random, characters)
                } else {
                    self.words.english(self.random, characters)
                }
            };
            let (request, thinking, between, result) = (text(40, 300), text(100, 900), text(30, 200), text(150, 900));
            let output = self.words.english(self.random, 400);
            let call = format!("toolu_{turn}_{}", self.agent.unwrap_or_default());
            self.user(json!(request))?;
            self.agent(turn, json!({"type": "thinking", "thinking": thinking, "signature": "c2ln"}))?;
            self.agent(turn, json!({"type": "text", "text": between}))?;
            self.agent(
                turn,
                json!({"type": "tool_use", "id": call, "name": "Bash", "input": {"command": "cargo test"}}),
            )?;
            self.user(json!([{"type": "tool_result", "tool_use_id": call, "content": output}]))?;
            self.agent(turn, json!({"type": "text", "text": result}))?;
        }
        Ok(())
    }

    fn user(&mut self, content: Value) -> Result<()> {
        self.line("user", json!({"role": "user", "content": content}))
    }

    fn agent(&mut self, turn: usize, block: Value) -> Result<()> {
        // The text that ends a turn is a message of its own.
        let message = format!("msg_{turn}_{}", block["type"] == "text" && self.said % 6 == 5);
        self.line("assistant", json!({"role": "assistant", "id": message, "model": "m", "content": [block]}))
    }

    fn line(&mut self, of: &str, message: Value) -> Result<()> {
        self.said += 1;
        self.now = self.now.plus(1_000);
        let key = format!("{}/{}/{}", self.id, self.agent.unwrap_or_default(), self.said);
        let mut line = json!({
            "type": of, "uuid": derived_uid("lines", &key), "sessionId": self.id, "timestamp": self.now,
            "cwd": "/home/user/shop", "version": "2.1.38", "isSidechain": self.agent.is_some(), "message": message,
        });
        if let Some(agent) = self.agent {
            line["agentId"] = json!(agent);
        }
        Ok(writeln!(self.lines, "{line}")?)
    }
}
