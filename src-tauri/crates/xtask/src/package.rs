//! `cargo xtask package`: the Debian package of the app and the `kiroku` command, made and then looked through.
//!
//! What never changes stands in `tauri.conf.json`; what has to be built first (the command, its completions, the
//! licences of what is compiled in) is laid in `target/package/` and named to Tauri's bundler from there.

use crate::Places;
use crate::command::{Failure, arg};
use crate::setup::{self, Needs};
use std::fs;
use std::path::{Path, PathBuf};

/// What is laid ready: the place in the package, and the file's name in `target/package/`.
const LAID: [(&str, &str); 5] = [
    ("/usr/bin/kiroku", "kiroku"),
    ("/usr/share/bash-completion/completions/kiroku", "kiroku.bash"),
    ("/usr/share/zsh/vendor-completions/_kiroku", "kiroku.zsh"),
    ("/usr/share/fish/vendor_completions.d/kiroku.fish", "kiroku.fish"),
    ("/usr/share/doc/kiroku/third-party.txt", "third-party.txt"),
];

/// What a package must hold beside that: a bundler's new version could leave any of it out without a word.
const EXPECTED: [&str; 10] = [
    "/usr/bin/kiroku-desktop",
    "/usr/share/applications/Kiroku.desktop",
    "/usr/share/metainfo/app.kiroku.desktop.metainfo.xml",
    "/usr/share/icons/hicolor/16x16/apps/kiroku-desktop.png",
    "/usr/share/icons/hicolor/512x512/apps/kiroku-desktop.png",
    "/usr/share/icons/hicolor/scalable/apps/kiroku-desktop.svg",
    "/usr/share/doc/kiroku/copyright",
    "/usr/share/doc/kiroku/CHANGELOG.md",
    "/usr/lib/Kiroku/sample-space.jsonl",
    "/usr/lib/Kiroku/sample-space/memory/summary.md",
];

/// `cargo xtask package`.
pub fn package(places: &Places, args: &[String]) -> Result<(), Failure> {
    if let Some(other) = args.first() {
        return Err(Failure(format!("`package` takes nothing, not `{other}`")));
    }
    if !cfg!(target_os = "linux") {
        return Err(Failure(
            "only the Debian package has been tried; on macOS and Windows `npm --prefix ui exec -- tauri build` makes \
             what tauri.conf.json says, without the kiroku command"
                .to_owned(),
        ));
    }
    setup::upto(places, Needs::App)?;
    places.cargo().args(["build", "--release", "--package", "kiroku-cli"]).run()?;
    let laid = places.target.join("package");
    lay(places, &laid)?;
    let tauri = |command: &str| {
        // The CLI looks for the app from where it stands, which is the repository.
        places.cmd("npm").args(["--prefix", "ui", "exec", "--", "tauri", command, "--ci"]).env("CI", "true")
    };
    tauri("build").args(["--no-bundle"]).run()?;
    // Line tables are for our own profiling; they are several times what runs.
    let release = places.target.join("release");
    for program in [release.join("kiroku-desktop"), laid.join("kiroku")] {
        places.cmd("strip").args(["--strip-debug", &arg(&program)?]).run()?;
    }
    let bundles = release.join("bundle/deb");
    if bundles.exists() {
        fs::remove_dir_all(&bundles).map_err(|error| failed(&bundles, &error))?;
    }
    tauri("bundle").args(["--bundles", "deb", "--config", &overlay(&laid)?]).run()?;
    let made = only_deb(&bundles)?;
    look_through(places, &made)?;
    println!("\nthe package is {}", made.strip_prefix(&places.root).unwrap_or(&made).display());
    println!("to install it: sudo apt install {}", made.display());
    Ok(())
}

/// Lays what was built where the bundler is told to take it from.
fn lay(places: &Places, laid: &Path) -> Result<(), Failure> {
    fs::create_dir_all(laid).map_err(|error| failed(laid, &error))?;
    let built = places.target.join("release/kiroku");
    let program = laid.join("kiroku");
    fs::copy(&built, &program).map_err(|error| failed(&built, &error))?;
    for shell in ["bash", "zsh", "fish"] {
        let script = places.cmd(&arg(&program)?).args(["completions", shell]).output()?;
        let file = laid.join(format!("kiroku.{shell}"));
        fs::write(&file, script).map_err(|error| failed(&file, &error))?;
    }
    let notices = arg(laid.join("third-party.txt"))?;
    places
        .cargo()
        .args(["run", "--quiet", "--package", "kiroku-tests", "--bin", "supply", "--", "notices", &notices])
        .run()
}

/// What `tauri.conf.json` can't say: where the laid files are.
fn overlay(laid: &Path) -> Result<String, Failure> {
    let files: Vec<String> = LAID
        .iter()
        .map(|(place, name)| Ok(format!("{}:{}", json(place), json(&arg(laid.join(name))?))))
        .collect::<Result<_, Failure>>()?;
    Ok(format!(r#"{{"bundle":{{"linux":{{"deb":{{"files":{{{}}}}}}}}}}}"#, files.join(",")))
}

/// `text` as a JSON string.
fn json(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', r"\\").replace('"', "\\\""))
}

fn only_deb(bundles: &Path) -> Result<PathBuf, Failure> {
    let entries = fs::read_dir(bundles).map_err(|error| failed(bundles, &error))?;
    let mut debs = entries.flatten().map(|entry| entry.path()).filter(|path| path.extension() == Some("deb".as_ref()));
    match (debs.next(), debs.next()) {
        (Some(deb), None) => Ok(deb),
        _ => Err(Failure(format!("{} should hold one .deb", bundles.display()))),
    }
}

/// Whether the package holds everything, and nothing that others may write.
fn look_through(places: &Places, deb: &Path) -> Result<(), Failure> {
    let listed = places.cmd("dpkg-deb").args(["--contents", &arg(deb)?]).output()?;
    let missing = missing(&listed);
    if !missing.is_empty() {
        return Err(Failure(format!("the package lacks {}", missing.join(", "))));
    }
    let loose: Vec<&str> = listed.lines().filter(|line| line.as_bytes().get(8) == Some(&b'w')).collect();
    if !loose.is_empty() {
        return Err(Failure(format!("others may write in the package:\n{}", loose.join("\n"))));
    }
    println!("{}", places.cmd("dpkg-deb").args(["--field", &arg(deb)?]).output()?.trim_end());
    Ok(())
}

/// Which expected files a listing of `dpkg-deb --contents` lacks.
fn missing(listed: &str) -> Vec<&'static str> {
    let held: Vec<&str> =
        listed.lines().filter_map(|line| line.rsplit(' ').next()).map(|path| path.trim_start_matches('.')).collect();
    let laid = LAID.iter().map(|(place, _)| *place);
    let is = |place: &&str| held.iter().any(|path| path.trim_start_matches('/') == place.trim_start_matches('/'));
    laid.chain(EXPECTED).filter(|place| !is(place)).collect()
}

fn failed(path: &Path, error: &std::io::Error) -> Failure {
    Failure(format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listing_is_looked_through_for_every_file() {
        let line = |place: &str| format!("-rw-r--r-- 0/0      12 2026-06-20 10:00 .{place}\n");
        let all: String = LAID.iter().map(|(place, _)| *place).chain(EXPECTED).map(line).collect();
        assert_eq!(missing(&all), Vec::<&str>::new());
        assert_eq!(missing(&all.replace("/usr/bin/kiroku\n", "/usr/bin/kirok\n")), ["/usr/bin/kiroku"]);
    }

    #[test]
    fn the_overlay_is_json_whatever_the_path() {
        let overlay = overlay(Path::new("/home/\"me\"/記録")).unwrap();
        assert!(
            overlay.starts_with(r#"{"bundle":{"linux":{"deb":{"files":{"/usr/bin/kiroku":"/home/\"me\"/記録/kiroku","#)
        );
        assert_eq!(overlay.matches('{').count(), overlay.matches('}').count());
    }
}
