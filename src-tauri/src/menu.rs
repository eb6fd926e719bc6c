//! The native menu, in the window's language. What the app itself does (quit, copy, minimise) the system does; the rest
//! is told to the page, which knows how.

use crate::app::App;
use crate::events::{MenuChosen, MenuCommand, Told};
use kiroku_model::{Lang, Text, text};
use tauri::menu::{Menu, MenuBuilder, MenuEvent, MenuItemBuilder, MenuItemKind, SubmenuBuilder};
use tauri::{AppHandle, Manager, Runtime};

/// A line of the menu: what the page is told, the words, and the keys.
type Line = (MenuCommand, Text, &'static str);

/// The submenus. `None` is a line between groups.
fn submenus() -> [(Text, Vec<Option<Line>>); 3] {
    let line = |command, words, keys| Some((command, words, keys));
    [
        (
            text!(en: "File", ja: "ファイル"),
            vec![
                line(MenuCommand::NewSpace, text!(en: "New Space…", ja: "新しいスペース…"), "CmdOrCtrl+N"),
                line(MenuCommand::OpenSpace, text!(en: "Open…", ja: "開く…"), "CmdOrCtrl+O"),
                None,
                line(MenuCommand::Import, text!(en: "Import Sessions…", ja: "セッションの取り込み…"), ""),
                line(MenuCommand::Export, text!(en: "Export Space…", ja: "スペースの書き出し…"), ""),
                None,
                line(MenuCommand::Settings, text!(en: "Settings…", ja: "設定…"), "CmdOrCtrl+,"),
            ],
        ),
        (
            text!(en: "Go", ja: "移動"),
            vec![
                line(MenuCommand::Search, text!(en: "Search", ja: "検索"), "CmdOrCtrl+1"),
                line(MenuCommand::Tasks, text!(en: "Tasks", ja: "タスク"), "CmdOrCtrl+2"),
                line(MenuCommand::Board, text!(en: "Board", ja: "ボード"), "CmdOrCtrl+3"),
                line(MenuCommand::Memory, text!(en: "Memory", ja: "メモリ"), "CmdOrCtrl+4"),
                line(MenuCommand::Knowledge, text!(en: "Knowledge", ja: "ナレッジ"), "CmdOrCtrl+5"),
                None,
                line(MenuCommand::Back, text!(en: "Back", ja: "戻る"), "Alt+Left"),
                line(MenuCommand::Forward, text!(en: "Forward", ja: "進む"), "Alt+Right"),
            ],
        ),
        (
            text!(en: "Find", ja: "検索と実行"),
            vec![
                line(MenuCommand::Palette, text!(en: "Go to Anything…", ja: "何でも検索…"), "CmdOrCtrl+K"),
                line(MenuCommand::Find, text!(en: "Find in View", ja: "表示中を検索"), "CmdOrCtrl+F"),
            ],
        ),
    ]
}

/// Builds the menu.
pub fn build<R: Runtime>(app: &AppHandle<R>, lang: Lang) -> tauri::Result<Menu<R>> {
    let say = |text: Text| text.get(lang).to_owned();
    let mut menu = MenuBuilder::new(app);
    for (position, (words, lines)) in submenus().into_iter().enumerate() {
        let mut submenu = SubmenuBuilder::new(app, say(words));
        for line in lines {
            submenu = match line {
                None => submenu.separator(),
                Some((command, words, keys)) => {
                    let mut item = MenuItemBuilder::with_id(word(command), say(words));
                    if !keys.is_empty() {
                        item = item.accelerator(keys);
                    }
                    submenu.item(&item.build(app)?)
                }
            };
        }
        if position == 0 {
            submenu = submenu.separator().quit_with_text(say(text!(en: "Quit", ja: "終了")));
        }
        menu = menu.item(&submenu.build()?);
        if position == 0 {
            menu = menu.item(&edit(app, lang)?);
        }
    }
    menu.build()
}

fn edit<R: Runtime>(app: &AppHandle<R>, lang: Lang) -> tauri::Result<tauri::menu::Submenu<R>> {
    let say = |text: Text| text.get(lang).to_owned();
    SubmenuBuilder::new(app, say(text!(en: "Edit", ja: "編集")))
        .cut_with_text(say(text!(en: "Cut", ja: "切り取り")))
        .copy_with_text(say(text!(en: "Copy", ja: "コピー")))
        .paste_with_text(say(text!(en: "Paste", ja: "貼り付け")))
        .select_all_with_text(say(text!(en: "Select All", ja: "すべて選択")))
        .build()
}

/// Shows the menu in this language.
pub fn show<R: Runtime>(app: &AppHandle<R>, lang: Lang) {
    let shown = build(app, lang).and_then(|fresh| match app.menu() {
        // The lines stay and get other words: GTK complains of keys when a menu is exchanged.
        Some(menu) => reword(&menu.items()?, &fresh.items()?),
        None => app.set_menu(fresh).map(drop),
    });
    if let Err(error) = shown {
        log::warn!("the menu: {error}");
    }
}

fn reword<R: Runtime>(lines: &[MenuItemKind<R>], fresh: &[MenuItemKind<R>]) -> tauri::Result<()> {
    for pair in lines.iter().zip(fresh) {
        match pair {
            (MenuItemKind::Submenu(line), MenuItemKind::Submenu(fresh)) => {
                line.set_text(fresh.text()?)?;
                reword(&line.items()?, &fresh.items()?)?;
            }
            (MenuItemKind::MenuItem(line), MenuItemKind::MenuItem(fresh)) => line.set_text(fresh.text()?)?,
            (MenuItemKind::Predefined(line), MenuItemKind::Predefined(fresh)) => {
                // A line between groups has no words.
                let words = fresh.text()?;
                if !words.is_empty() {
                    line.set_text(words)?;
                }
            }
            _ => {}
        }
    }
    Ok(())
}

/// The person chose a line.
pub fn chosen<R: Runtime>(app: &AppHandle<R>, event: &MenuEvent) {
    let word = serde_json::Value::String(event.id().0.clone());
    // Lines that are the system's own have other ids.
    if let Ok(command) = serde_json::from_value(word) {
        app.state::<App>().desk().tell(Told::MenuChosen(MenuChosen { command }));
    }
}

/// The word of a command on the wire: the line's id.
fn word(command: MenuCommand) -> String {
    let word = serde_json::to_value(command).ok();
    word.as_ref().and_then(|word| word.as_str()).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_has_an_id_of_its_own_and_no_keys_twice() {
        let lines: Vec<Line> = submenus().into_iter().flat_map(|(_, lines)| lines.into_iter().flatten()).collect();
        let ids: std::collections::HashSet<String> = lines.iter().map(|(command, ..)| word(*command)).collect();
        assert_eq!(ids.len(), lines.len());
        assert!(!ids.contains(""));
        let keys: Vec<&str> = lines.iter().map(|(.., keys)| *keys).filter(|keys| !keys.is_empty()).collect();
        assert_eq!(keys.iter().collect::<std::collections::HashSet<_>>().len(), keys.len());
    }
}
