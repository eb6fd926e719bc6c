//! The desktop program: everything is in the library, so that tests can reach it.

// A release build on Windows opens no console beside the window.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

fn main() -> std::process::ExitCode {
    kiroku_desktop::run()
}
