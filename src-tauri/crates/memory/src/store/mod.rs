//! How records reach the disk: under a lock among our own processes, by an exchange that shows what was replaced, with a
//! recovery folder behind it.

mod lock;
mod recovery;
mod rename;
mod replace;

pub use recovery::{Recovered, Recovery, Why};
pub use rename::{Followed, RenamePreview, Renamed};

pub(crate) use lock::Lock;
pub(crate) use replace::{conflict, create, remove, replace, sweep};

/// The hash that names a version of a record: the first 32 hexadecimal digits of BLAKE3 over its bytes.
pub fn hash(bytes: &[u8]) -> String {
    let mut hex = blake3::hash(bytes).to_hex().to_string();
    hex.truncate(32);
    hex
}
