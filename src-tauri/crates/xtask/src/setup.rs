//! Set-up of a machine that has only Rust and Node.js: what each kind of step needs, brought in once and passed over
//! at once from then on. The only list of system packages is here.

use crate::Places;
use crate::command::{Cmd, Failure};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

/// Debian's packages, each for what it is here. `.ci/run` and a person's machine get the same ones.
const SYSTEM_PACKAGES: [&str; 9] = [
    // SQLite is compiled from its source, and Rust links with this.
    "build-essential",
    // Finds the libraries below.
    "pkg-config",
    // The app's webview, and what draws its icons.
    "libwebkit2gtk-4.1-dev",
    "librsvg2-dev",
    // Tests of the window: a display without a screen, the webview's driver, letters and a locale for Japanese.
    "xvfb",
    "webkit2gtk-driver",
    "fonts-noto-cjk",
    "locales",
    // Tests of the page without its shell.
    "chromium",
];

/// What a step can't do without, from least to most: each holds what stands before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Needs {
    /// Rust alone.
    Rust,
    /// The packages from npm: the page's, and the MCP client's that tests drive.
    Npm,
    /// System libraries and the built page, which the app takes in.
    App,
}

/// Everything, for a person who wants to be ready.
pub fn all(places: &Places) -> Result<(), Failure> {
    rust_tools(places)?;
    upto(places, Needs::App)?;
    println!("  everything is in place");
    Ok(())
}

/// Brings in what `needs` says, and nothing that is here already.
pub fn upto(places: &Places, needs: Needs) -> Result<(), Failure> {
    if needs >= Needs::App {
        system_packages()?;
    }
    if needs >= Needs::Npm {
        npm_packages(places)?;
    }
    if needs >= Needs::App {
        page(places)?;
    }
    Ok(())
}

/// rustfmt and clippy, which a minimal Rust lacks.
pub fn rust_tools(places: &Places) -> Result<(), Failure> {
    let missing = [("fmt", "rustfmt"), ("clippy", "clippy")]
        .into_iter()
        .filter(|(command, _)| !places.cargo().args([command, "--version"]).works())
        .map(|(_, component)| component);
    let missing: Vec<&str> = missing.collect();
    if missing.is_empty() {
        return Ok(());
    }
    places.cmd("rustup").args(["component", "add"]).args(missing).run()
}

fn system_packages() -> Result<(), Failure> {
    if !cfg!(target_os = "linux") {
        return Ok(());
    }
    let query = Cmd::new("dpkg-query").args(["--show", "--showformat", "${db:Status-Status} ${Package}\n"]);
    if !Cmd::new("dpkg-query").args(["--version"]).works() {
        println!("  this is no Debian: have what these packages hold: {}", SYSTEM_PACKAGES.join(" "));
        return Ok(());
    }
    let installed = query.output()?;
    let missing = missing(&installed);
    if missing.is_empty() {
        return Ok(());
    }
    let Some(root) = as_root() else {
        let names = missing.join(" ");
        return Err(Failure(format!(
            "these system packages are missing, and only root may install them:\n  sudo apt-get install --no-install-recommends {names}"
        )));
    };
    let apt = |args: &[&str]| {
        let (program, before) = root.split_first().unwrap_or((&"env", &[]));
        // Another installation may be running: wait for it rather than fail.
        let quiet = ["apt-get", "-qq", "-o", "DPkg::Lock::Timeout=300", "-o", "Dpkg::Use-Pty=0"];
        Cmd::new(program).args(before).args(["DEBIAN_FRONTEND=noninteractive"]).args(quiet).args(args)
    };
    apt(&["update"]).run()?;
    apt(&["install", "-y", "--no-install-recommends"]).args(missing).run()
}

/// Those of ours that are not in what dpkg says is installed.
fn missing(installed: &str) -> Vec<&'static str> {
    let here = |name: &str| installed.lines().any(|line| line.strip_prefix("installed ") == Some(name));
    SYSTEM_PACKAGES.into_iter().filter(|name| !here(name)).collect()
}

/// The beginning of a command that root runs with an environment of its own, if we can be root without a password.
fn as_root() -> Option<&'static [&'static str]> {
    let is_root = Cmd::new("id").args(["-u"]).output().is_ok_and(|id| id.trim() == "0");
    if is_root {
        Some(&["env"])
    } else {
        Cmd::new("sudo").args(["-n", "true"]).works().then_some(&["sudo", "-n", "env"])
    }
}

fn npm_packages(places: &Places) -> Result<(), Failure> {
    npm_ci(places, "npm", &places.page())?;
    npm_ci(places, "npm-mcp-client", &places.root.join("tests/mcp/client"))
}

fn npm_ci(places: &Places, name: &str, folder: &Path) -> Result<(), Failure> {
    let sources = ["package.json", "package-lock.json", ".npmrc"].map(|file| folder.join(file));
    let stamp = Stamp::of(places, name, &sources)?;
    if stamp.is_fresh() && folder.join("node_modules/.package-lock.json").exists() {
        return Ok(());
    }
    node_is_new_enough()?;
    Cmd::new("npm").args(["ci", "--no-audit", "--no-fund"]).dir(folder).run()?;
    stamp.set()
}

fn node_is_new_enough() -> Result<(), Failure> {
    let wanted = "Node.js 20.19 or newer, with npm, is needed (https://nodejs.org)";
    let version = Cmd::new("node").args(["--version"]).output().map_err(|_| Failure(wanted.to_owned()))?;
    if node_version(&version) >= Some((20, 19)) {
        Ok(())
    } else {
        Err(Failure(format!("{wanted}; here is {}", version.trim())))
    }
}

/// Major and minor number of `v20.19.2`.
fn node_version(text: &str) -> Option<(u32, u32)> {
    let mut numbers = text.trim().strip_prefix('v')?.split('.').map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

/// Builds the page, unless nothing that it is made of has changed.
pub fn page(places: &Places) -> Result<(), Failure> {
    let page = places.page();
    let mut sources = vec![places.root.join("src-tauri/icons/icon.svg")];
    files_under(&page, &mut sources)?;
    let stamp = Stamp::of(places, "page", &sources)?;
    if stamp.is_fresh() && page.join("dist/index.html").exists() {
        return Ok(());
    }
    Cmd::new("npm").args(["run", "--silent", "build"]).dir(&page).run()?;
    stamp.set()
}

/// All files in a folder of ours, sorted, without what was brought in or made.
fn files_under(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let unread = |error| Failure(format!("{}: {error}", folder.display()));
    let entries = fs::read_dir(folder).map_err(unread)?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>().map_err(unread)?;
    paths.sort();
    for path in paths {
        if !path.is_dir() {
            files.push(path);
        } else if !path.ends_with("node_modules") && !path.ends_with("dist") {
            files_under(&path, files)?;
        }
    }
    Ok(())
}

/// A note in `target/xtask/` that a piece of set-up was done from files of this content.
struct Stamp {
    file: PathBuf,
    content: String,
}

impl Stamp {
    fn of(places: &Places, name: &str, sources: &[PathBuf]) -> Result<Stamp, Failure> {
        let mut hash = DefaultHasher::new();
        for path in sources {
            path.hash(&mut hash);
            fs::read(path).map_err(|error| Failure(format!("{}: {error}", path.display())))?.hash(&mut hash);
        }
        Ok(Stamp { file: places.target.join("xtask").join(name), content: format!("{:016x}\n", hash.finish()) })
    }

    fn is_fresh(&self) -> bool {
        fs::read_to_string(&self.file).is_ok_and(|content| content == self.content)
    }

    fn set(&self) -> Result<(), Failure> {
        let folder = self.file.parent().unwrap_or(&self.file);
        fs::create_dir_all(folder)
            .and_then(|()| fs::write(&self.file, &self.content))
            .map_err(|error| Failure(format!("{}: {error}", self.file.display())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_that_was_removed_but_left_settings_is_missing() {
        let all: String = SYSTEM_PACKAGES.iter().map(|name| format!("installed {name}\n")).collect();
        assert_eq!(missing(&all), Vec::<&str>::new());
        assert_eq!(missing(&all.replace("installed xvfb", "config-files xvfb")), ["xvfb"]);
    }

    #[test]
    fn node_versions_are_compared_as_numbers() {
        assert!(node_version("v20.20.2\n") > node_version("v20.9.0"));
        assert_eq!(node_version("20"), None);
    }

    #[test]
    fn a_stamp_is_fresh_until_a_source_changes() {
        let folder = std::env::temp_dir().join(format!("kiroku-xtask-stamp-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let places = Places { root: folder.clone(), target: folder.join("target") };
        let source = folder.join("source");
        let stamp = |content: &str| {
            fs::write(&source, content).unwrap();
            Stamp::of(&places, "name", std::slice::from_ref(&source)).unwrap()
        };
        let first = stamp("one");
        assert!(!first.is_fresh());
        first.set().unwrap();
        assert!(stamp("one").is_fresh());
        assert!(!stamp("two").is_fresh());
        fs::remove_dir_all(&folder).unwrap();
    }
}
