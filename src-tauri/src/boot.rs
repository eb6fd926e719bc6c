//! What the page knows before its first paint, so that neither theme nor language flashes: a script that the webview
//! runs before any of the page's own.

use crate::app::App;
use crate::preferences::Theme;
use kiroku_model::{Error, Lang, Result};
use serde::Serialize;
use specta::Type;

/// `window.__KIROKU__`. The root element carries the same as `lang`, `data-theme` and `--font-size`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Type)]
pub struct Boot {
    /// The window's language.
    pub lang: Lang,
    /// What the person chose.
    pub theme: Theme,
    /// The size of text in CSS pixels.
    pub font_size: u8,
    /// `linux`, `macos` or `windows`.
    pub platform: String,
}

impl Boot {
    /// As things stand.
    pub fn of(app: &App) -> Boot {
        let preferences = app.preferences();
        Boot {
            lang: app.lang(),
            theme: preferences.theme,
            font_size: preferences.font_size,
            platform: std::env::consts::OS.to_owned(),
        }
    }

    /// The script.
    pub fn script(&self) -> Result<String> {
        let boot = serde_json::to_string(self).map_err(Error::internal)?;
        Ok(format!("{SCRIPT_HEAD}{boot}{SCRIPT_TAIL}"))
    }
}

const SCRIPT_HEAD: &str = "(() => {\n  const boot = Object.freeze(";
// The document may have no element yet when this runs.
const SCRIPT_TAIL: &str = r#");
  Object.defineProperty(window, '__KIROKU__', { value: boot });
  const dress = () => {
    const root = document.documentElement;
    if (!root) return false;
    root.lang = boot.lang;
    root.dataset.theme = boot.theme;
    root.style.setProperty('--font-size', `${boot.font_size}px`);
    return true;
  };
  if (!dress()) {
    new MutationObserver((_, observer) => dress() && observer.disconnect()).observe(document, { childList: true });
  }
})();
"#;
