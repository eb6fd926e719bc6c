//! Session files of any bytes, read as Codex's.
#![no_main]

use kiroku_sources::codex::Codex;

libfuzzer_sys::fuzz_target!(|data: &[u8]| kiroku_fuzz::read(&Codex, "rollout-2026-06-20T10-00-00-0b5d8c1e-0000-4000-8000-000000000001.jsonl", data));
