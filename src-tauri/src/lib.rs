//! The desktop shell: the only package that knows Tauri. It opens one window on the page in `ui/`, which asks through
//! [`commands`] and is told by [`events`]; what they do is done by the façade, `kiroku_api`.
//!
//! The window shows at once; the page opens the last space after its first paint.

pub mod app;
pub mod bindings;
pub mod boot;
pub mod commands;
pub mod desk;
pub mod events;
pub mod feed;
pub mod folder;
pub mod launch;
mod logging;
mod menu;
pub mod preferences;
pub mod records_feed;
mod sample;
mod saving;
pub mod space;
mod upkeep;
pub mod watching;
pub mod work;
pub mod works;

use app::App;
use boot::Boot;
use desk::TauriDesk;
use events::{Navigate, Told};
use kiroku_model::{Error, ErrorCode, Result, SystemClock, text};
use launch::{Arguments, Place};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use tauri::{AppHandle, Manager, RunEvent, WebviewWindowBuilder, Window, WindowEvent, Wry};

/// Opens the window and returns when it is closed: 0, or 1 or 2 after one line on standard error saying why not.
pub fn run() -> ExitCode {
    match open() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => ExitCode::from(said(&error)),
    }
}

/// Says on standard error why the program ends, and answers with which status.
fn said(error: &Error) -> u8 {
    eprintln!("kiroku-desktop: {}", error.message().get(launch::lang()));
    error.code().exit_status()
}

fn open() -> Result<()> {
    let arguments = launch::arguments()?;
    let place = launch::place(&arguments)?;
    if !launch::display_at_hand() {
        return Err(Error::new(
            ErrorCode::Unavailable,
            text!(
                en: "there is no display here; the `kiroku` command works without one",
                ja: "画面のない環境です。`kiroku` コマンドは画面なしで使えます"
            ),
        ));
    }
    let bindings = bindings::builder::<Wry>();
    let mut builder = tauri::Builder::default();
    // A second start brings the first one's window forward, unless it was given a directory of its own.
    if arguments.data_dir.is_none() {
        builder = builder.plugin(tauri_plugin_single_instance::init(|app, args, folder| again(app, args, &folder)));
    }
    let app = builder
        .plugin(logging::plugin(&place))
        .plugin(tauri_plugin_fs::init())
        .plugin(tauri_plugin_dialog::init())
        .plugin(tauri_plugin_opener::Builder::new().open_js_links_on_click(false).build())
        .plugin(tauri_plugin_store::Builder::new().build())
        .plugin(window_state(&place))
        .invoke_handler(bindings.invoke_handler())
        .on_menu_event(|app, event| menu::chosen(app, &event))
        .on_window_event(window_event)
        .setup(move |tauri| {
            bindings.mount_events(tauri);
            // Tauri answers an error here with a panic.
            if let Err(error) = set_up(tauri.handle(), place) {
                std::process::exit(said(&error).into());
            }
            Ok(())
        })
        .build(tauri::generate_context!())
        .map_err(no_window)?;
    app.run(|tauri, event| {
        if matches!(event, RunEvent::Exit) {
            tauri.state::<App>().close();
        }
    });
    Ok(())
}

fn no_window(error: impl std::fmt::Display) -> Error {
    Error::new(
        ErrorCode::Unavailable,
        text!(en: "the window could not be opened: {error}", ja: "ウィンドウを開けませんでした: {error}"),
    )
}

/// Makes the state and opens the window.
fn set_up(tauri: &AppHandle<Wry>, place: Place) -> Result<()> {
    let webview_dir = place.data_dir.join("webview");
    let desk = TauriDesk::new(tauri.clone(), &place.data_dir.join("preferences.json"))?;
    let app = App::new(place, Arc::new(SystemClock), Arc::new(desk));
    tauri.manage(app.clone());
    app.desk().set_theme(app.preferences().theme.of_window());
    app.desk().set_lang(app.lang());
    let config = tauri.config().app.windows.first().ok_or_else(|| Error::internal("no window is configured"))?;
    WebviewWindowBuilder::from_config(tauri, config)
        .map_err(no_window)?
        .initialization_script(Boot::of(&app).script()?)
        .data_directory(webview_dir)
        .build()
        .map_err(no_window)?;
    Ok(())
}

/// The window's place and size are kept with everything else.
fn window_state(place: &Place) -> tauri::plugin::TauriPlugin<Wry> {
    let file = place.data_dir.join("window.json").display().to_string();
    tauri_plugin_window_state::Builder::new().with_filename(file).build()
}

/// While nobody sees the window the change feed is looked at less often.
fn window_event(window: &Window<Wry>, event: &WindowEvent) {
    if matches!(event, WindowEvent::Focused(_) | WindowEvent::Resized(_)) {
        let seen = window.is_visible().unwrap_or(true) && !window.is_minimized().unwrap_or(false);
        if let Some(app) = window.try_state::<App>() {
            app.set_unseen(!seen);
        }
    }
}

/// The program was started again, in `folder`: its window comes forward, and the page goes where it was asked to.
fn again(tauri: &AppHandle<Wry>, args: Vec<String>, folder: &str) {
    let absolute = |arg: String| match arg.starts_with('-') || arg.contains("://") {
        true => arg,
        false => Path::new(folder).join(arg).display().to_string(),
    };
    let asked = Arguments::read(args.into_iter().skip(1).map(|arg| absolute(arg).into()));
    if let Some(location) = asked.ok().and_then(|asked| asked.location) {
        tauri.state::<App>().desk().tell(Told::Navigate(Navigate { location }));
    }
    if let Some(window) = tauri.get_webview_window("main") {
        // A window system may refuse; the page has been told all the same.
        let _ = window.unminimize().and_then(|()| window.set_focus());
    }
}
