//! The desktop shell: the only package that knows Tauri. It opens one window on the page in `ui/`, which asks the
//! shell for nothing yet: `src-tauri/capabilities/main.json` grants it no command.

use kiroku_model::{Error, ErrorCode, Lang, text};
use std::env;
use std::process::ExitCode;

/// Opens the window and returns when it is closed: 0, or 1 after one line on standard error saying why not.
pub fn run() -> ExitCode {
    match open() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("kiroku-desktop: {}", error.message().get(language()));
            ExitCode::from(error.code().exit_status())
        }
    }
}

fn open() -> kiroku_model::Result<()> {
    if !display_at_hand() {
        return Err(Error::new(
            ErrorCode::Unavailable,
            text!(
                en: "there is no display here; the `kiroku` command works without one",
                ja: "画面のない環境です。`kiroku` コマンドは画面なしで使えます"
            ),
        ));
    }
    tauri::Builder::default()
        .run(tauri::generate_context!())
        .map_err(|error| {
            Error::new(
                ErrorCode::Unavailable,
                text!(en: "the window could not be opened: {error}", ja: "ウィンドウを開けませんでした: {error}"),
            )
        })
}

/// GTK ends the process with a panic when there is no display, so we look first.
fn display_at_hand() -> bool {
    cfg!(not(target_os = "linux")) || set("DISPLAY") || set("WAYLAND_DISPLAY")
}

fn set(name: &str) -> bool {
    env::var_os(name).is_some_and(|value| !value.is_empty())
}

/// The language of messages that come before there is a window, by the order that POSIX gives these variables.
fn language() -> Lang {
    let names = ["LC_ALL", "LC_MESSAGES", "LANG"];
    let locale = names
        .into_iter()
        .find(|name| set(name))
        .and_then(|name| env::var(name).ok());
    Lang::of_locale(&locale.unwrap_or_default())
}
