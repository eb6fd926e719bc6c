//! What the targets share. A panic, a hang, or more memory than libFuzzer allows fails in each of them; what else must
//! hold stands in the target.

mod sessions;
mod space;

pub use sessions::read;
pub use space::{BODIES, Space};
