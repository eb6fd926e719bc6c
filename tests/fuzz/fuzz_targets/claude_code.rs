//! Session files of any bytes, read as Claude Code's.
#![no_main]

use kiroku_sources::claude_code::ClaudeCode;

libfuzzer_sys::fuzz_target!(|data: &[u8]| kiroku_fuzz::read(&ClaudeCode, "s.jsonl", data));
