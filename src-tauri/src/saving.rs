//! Writing a file where the person chose: beside its place first, and into it only when it is whole, so that what stood
//! there is not lost to a full disk.

use crate::app::App;
use crate::commands::spaces::Saved;
use kiroku_model::{Error, Result, Text, text};
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Has the person choose a place and writes there what `write` writes; `None`: the person chose none.
pub fn save(
    app: &App,
    title: &Text,
    name: &str,
    folder: Option<&Path>,
    write: impl FnOnce(&mut BufWriter<File>) -> Result<u64>,
) -> Result<Option<Saved>> {
    let end = Path::new(name).extension().map(|end| end.to_string_lossy().into_owned()).unwrap_or_default();
    let Some(path) = app.desk().choose_place(title.get(app.lang()), name, folder, (&end, &[&end])) else {
        return Ok(None);
    };
    let making = making(&path);
    let failed = |error: &std::io::Error| {
        let shown = path.display();
        Error::io(text!(en: "writing {shown}", ja: "{shown} への書き込み"), error)
    };
    let mut out = BufWriter::new(app.desk().create(&making).map_err(|error| failed(&error))?);
    let written = write(&mut out).and_then(|count| {
        out.flush().and_then(|()| out.get_ref().sync_all()).map_err(|error| failed(&error))?;
        close_to_others(&making).map_err(|error| failed(&error))?;
        fs::rename(&making, &path).map_err(|error| failed(&error))?;
        Ok(count)
    });
    if written.is_err() {
        let _ = fs::remove_file(&making);
    }
    written.map(|count| Some(Saved { path: path.display().to_string(), count }))
}

fn making(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".making");
    PathBuf::from(name)
}

/// Whole conversations may stand in it: it is for its owner's eyes.
#[cfg(unix)]
fn close_to_others(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o600))
}

#[cfg(not(unix))]
fn close_to_others(_path: &Path) -> std::io::Result<()> {
    Ok(())
}
