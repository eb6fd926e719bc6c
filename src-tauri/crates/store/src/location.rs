//! Places where an SQLite file can be damaged behind its back: network drives (locks and shared memory don't hold
//! there) and folders that another program synchronises file by file. Said before a space is made there.

use kiroku_model::{Text, text};
use std::path::Path;

/// Why a place is risky for a space.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Risk(pub Text);

/// File systems whose files live on another machine, as a mount table names them.
const NETWORK: &[&str] = &[
    "9p",
    "afs",
    "afpfs",
    "beegfs",
    "ceph",
    "cifs",
    "davfs",
    "fuse.davfs2",
    "fuse.gvfsd-fuse",
    "fuse.rclone",
    "fuse.s3fs",
    "fuse.sshfs",
    "glusterfs",
    "lustre",
    "ncpfs",
    "nfs",
    "nfs4",
    "smb2",
    "smb3",
    "smbfs",
    "sshfs",
    "webdav",
];

/// Directories that a synchronising program keeps, by the beginning of their name in lower case.
const SYNCED: &[&str] = &[
    "box sync",
    "cloudstation",
    "creative cloud files",
    "dropbox",
    "google drive",
    "googledrive",
    "icloud",
    "jottacloud",
    "mobile documents",
    "nextcloud",
    "onedrive",
    "owncloud",
    "pcloud",
    "sync.com",
    "synologydrive",
    "tresorit",
];

/// The risk of making a space at `path` (absolute), if there is one. `mounts` is the system's mount table in the form
/// of `/proc/self/mounts` (device, mount point, file system, …, with `\040` for a space); empty where there is none.
pub fn location_risk(path: &Path, mounts: &str) -> Option<Risk> {
    let point = |line: &str| {
        let mut words = line.split_ascii_whitespace().skip(1);
        let place = words.next()?.replace("\\040", " ").replace("\\011", "\t").replace("\\134", "\\");
        Some((place, words.next()?.to_owned()))
    };
    // The deepest mount that holds the path decides; of two at one place the later one covers the earlier.
    let mount = mounts
        .lines()
        .filter_map(point)
        .filter(|(place, _)| path.starts_with(place))
        .max_by_key(|(place, _)| place.len());
    if let Some((place, kind)) = mount.filter(|(_, kind)| NETWORK.contains(&kind.as_str())) {
        return Some(Risk(text!(
            en: "{place} is a network drive ({kind}), where an SQLite file can be damaged. Keep the space on a disk of this computer, and share it with `kiroku export`",
            ja: "{place} はネットワークドライブ（{kind}）です。SQLite のファイルが壊れることがあります。スペースはこのコンピューターのディスクに置き、共有には `kiroku export` を使ってください"
        )));
    }
    let synced = path.parent()?.components().find_map(|part| {
        let name = part.as_os_str().to_string_lossy();
        let lower = name.to_lowercase();
        SYNCED.iter().any(|prefix| lower.starts_with(prefix)).then(|| name.into_owned())
    })?;
    Some(Risk(text!(
        en: "“{synced}” is synchronised by another program, which can damage an SQLite file. Keep the space in a folder that is not synchronised, and share it with `kiroku export`",
        ja: "「{synced}」はほかのプログラムが同期しているフォルダーです。SQLite のファイルが壊れることがあります。スペースは同期されないフォルダーに置き、共有には `kiroku export` を使ってください"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTS: &str = "/dev/sda1 / ext4 rw 0 0\nserver:/home /home nfs4 rw 0 0\n/dev/sdb1 /home/local ext4 rw 0 0\n//nas/a /mnt/my\\040nas cifs rw 0 0\n";

    #[test]
    fn network_drives_and_synced_folders() {
        for (path, risky) in [
            ("/srv/space.db", false),
            ("/home/a/space.db", true),
            ("/home/local/space.db", false),
            ("/mnt/my nas/team/space.db", true),
            ("/srv/Dropbox/x/space.db", true),
            ("/srv/OneDrive - Company/space.db", true),
            ("/srv/dropbox.db", false),
        ] {
            assert_eq!(location_risk(Path::new(path), MOUNTS).is_some(), risky, "{path}");
        }
        assert_eq!(location_risk(Path::new("/srv/space.db"), ""), None);
    }
}
