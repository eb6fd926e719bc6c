//! What a run of the binary came to, and short ways to expect something of it.

use serde_json::Value;
use std::process::Output;

/// A run that has ended.
#[derive(Debug)]
pub struct Ran {
    /// The command, for messages.
    pub command: String,
    /// Its exit status; `None` if a signal ended it.
    pub status: Option<i32>,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl Ran {
    pub(crate) fn new(command: String, output: Output) -> Ran {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8 is printed");
        Ran { command, status: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }

    /// The same, which must have ended with this exit status.
    #[track_caller]
    pub fn ended(self, status: i32) -> Ran {
        assert_eq!(self.status, Some(status), "{}\nout: {}\nerr: {}", self.command, self.out, self.err);
        self
    }

    /// The same, which must have succeeded.
    #[track_caller]
    pub fn ok(self) -> Ran {
        self.ended(0)
    }

    /// Standard output of a run that succeeded, as JSON.
    #[track_caller]
    pub fn json(self) -> Value {
        let ran = self.ok();
        serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{}: {error}\n{}", ran.command, ran.out))
    }

    /// The `error` object that a failed run with JSON output printed; its `code` must be this one.
    #[track_caller]
    pub fn error(self, status: i32, code: &str) -> Value {
        let ran = self.ended(status);
        let printed: Value =
            serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{}: {error}\n{}", ran.command, ran.out));
        assert_eq!(printed["error"]["code"], code, "{}: {printed}", ran.command);
        assert!(printed["error"]["message"].as_str().is_some_and(|said| !said.is_empty()), "{printed}");
        printed["error"].clone()
    }

    /// The same, whose output and errors together must hold these words.
    #[track_caller]
    pub fn says(self, words: &[&str]) -> Ran {
        let all = format!("{}{}", self.out, self.err);
        for word in words {
            assert!(all.contains(word), "{}: no `{word}` in\n{all}", self.command);
        }
        self
    }

    /// The same, whose output and errors must not hold these words.
    #[track_caller]
    pub fn keeps_quiet_of(self, words: &[&str]) -> Ran {
        let all = format!("{}{}", self.out, self.err);
        for word in words {
            assert!(!all.contains(word), "{}: `{word}` in\n{all}", self.command);
        }
        self
    }
}
