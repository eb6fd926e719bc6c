//! What the person chose for the app itself, and which spaces were open lately. It is kept by the store plugin in the
//! app's own directory, and nothing of a space stands in it but names and paths.

use crate::desk::Desk;
use kiroku_model::{Lang, Result, Time};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use specta::Type;
use std::path::Path;

/// Spaces that are remembered.
const RECENT: usize = 12;
/// The smallest and the largest size of text, in CSS pixels.
pub const FONT_SIZES: std::ops::RangeInclusive<u8> = 11..=22;

/// What the person chose.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct Preferences {
    /// The language of the app.
    pub language: Language,
    /// Light or dark.
    pub theme: Theme,
    /// The size of text in CSS pixels, 11 to 22; 13 by itself.
    pub font_size: u8,
    /// The id that the person goes by in new spaces; `None`: that of the computer's account.
    pub member: Option<String>,
    /// The name that is shown with it.
    pub member_name: Option<String>,
}

/// The language of the app.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// The computer's.
    #[default]
    System,
    /// 日本語
    Ja,
    /// English
    En,
}

/// Light or dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "lowercase")]
pub enum Theme {
    /// The computer's.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

impl Theme {
    /// The theme of the window's frame; `None`: the computer's.
    pub fn of_window(self) -> Option<tauri::Theme> {
        match self {
            Theme::System => None,
            Theme::Light => Some(tauri::Theme::Light),
            Theme::Dark => Some(tauri::Theme::Dark),
        }
    }
}

/// A space that was open lately.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct RecentSpace {
    /// Where its file is.
    pub path: String,
    /// Its uid.
    pub uid: String,
    /// Its name when it was open.
    pub name: String,
    /// The member that the app acted as; `None`: its first owner.
    pub member: Option<String>,
    /// When it was opened.
    pub opened: Time,
    /// Whether it is the sample space.
    pub sample: bool,
    /// Whether its file is there now.
    pub present: bool,
}

impl Default for Preferences {
    fn default() -> Preferences {
        Preferences { language: Language::System, theme: Theme::System, font_size: 13, member: None, member_name: None }
    }
}

impl Preferences {
    /// The preferences as they were kept. A field that is missing or no longer understood is as it is by itself.
    pub fn read(desk: &dyn Desk) -> Preferences {
        let kept = desk.remembered("preferences").unwrap_or_default();
        let own = Preferences::default();
        Preferences {
            language: field(&kept, "language").unwrap_or_default(),
            theme: field(&kept, "theme").unwrap_or_default(),
            font_size: field(&kept, "font_size").filter(|size| FONT_SIZES.contains(size)).unwrap_or(own.font_size),
            member: field(&kept, "member"),
            member_name: field(&kept, "member_name"),
        }
    }

    /// Keeps them.
    pub fn write(&self, desk: &dyn Desk) -> Result<()> {
        desk.remember("preferences", serde_json::to_value(self).map_err(kiroku_model::Error::internal)?)
    }

    /// The language that follows from them, `system` being the computer's.
    pub fn lang(&self, system: Lang) -> Lang {
        match self.language {
            Language::System => system,
            Language::Ja => Lang::Ja,
            Language::En => Lang::En,
        }
    }
}

fn field<T: serde::de::DeserializeOwned>(kept: &Value, name: &str) -> Option<T> {
    kept.get(name).and_then(|value| serde_json::from_value(value.clone()).ok())
}

/// The spaces that were open lately, the last one first.
pub fn recent(desk: &dyn Desk) -> Vec<RecentSpace> {
    let kept = desk.remembered("recent").unwrap_or_default();
    let entries = kept.as_array().into_iter().flatten();
    let entries = entries.filter_map(|entry| serde_json::from_value::<RecentSpace>(entry.clone()).ok());
    entries.map(|space| RecentSpace { present: Path::new(&space.path).is_file(), ..space }).collect()
}

/// Puts a space at the head of those that were open lately.
pub fn remember_recent(desk: &dyn Desk, space: RecentSpace) -> Result<()> {
    let mut all = recent(desk);
    all.retain(|known| known.path != space.path);
    all.insert(0, space);
    all.truncate(RECENT);
    keep_recent(desk, &all)
}

/// Takes a space off that list; its file stays.
pub fn forget_recent(desk: &dyn Desk, path: &str) -> Result<()> {
    let mut all = recent(desk);
    all.retain(|known| known.path != path);
    keep_recent(desk, &all)
}

fn keep_recent(desk: &dyn Desk, all: &[RecentSpace]) -> Result<()> {
    desk.remember("recent", serde_json::to_value(all).map_err(kiroku_model::Error::internal)?)
}
