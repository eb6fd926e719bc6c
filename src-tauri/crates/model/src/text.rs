//! Text for people, in both of the program's languages.
//!
//! A message is written where it arises, in Japanese and English side by side, and the border that shows it picks
//! one. There is no catalogue to keep in step, and a missing translation does not compile.

use serde::{Deserialize, Serialize};

/// A language that the program speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, specta::Type)]
#[serde(rename_all = "lowercase")]
pub enum Lang {
    /// 日本語
    Ja,
    /// English
    #[default]
    En,
}

impl Lang {
    /// The language of a locale name such as `ja_JP.UTF-8`: Japanese if it begins with `ja`, else English.
    pub fn of_locale(name: &str) -> Lang {
        if name.starts_with("ja") { Lang::Ja } else { Lang::En }
    }
}

/// One message in both languages; make it with [`text!`](crate::text).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// English.
    pub en: String,
    /// Japanese.
    pub ja: String,
}

impl Text {
    /// The message in one language.
    pub fn get(&self, lang: Lang) -> &str {
        match lang {
            Lang::Ja => &self.ja,
            Lang::En => &self.en,
        }
    }
}

/// A message in both languages; each literal is a `format!` string that captures what is in scope.
///
/// ```
/// # use kiroku_model::{text, Lang};
/// let id = 12;
/// let message = text!(en: "task:{id} is not here", ja: "task:{id} はありません");
/// assert_eq!(message.get(Lang::En), "task:12 is not here");
/// ```
#[macro_export]
macro_rules! text {
    (en: $en:literal, ja: $ja:literal $(,)?) => {
        $crate::Text { en: format!($en), ja: format!($ja) }
    };
}
