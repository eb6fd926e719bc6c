//! The commands: each reads its arguments, makes one call, and prints the answer.

mod desktop;
mod export;
mod keep;
mod read;
mod search;
mod space;
mod tool;

pub use desktop::desktop;
pub use export::export;
pub use keep::{backup, doctor, forget, restore};
pub use read::{around, show, tasks};
pub use search::search;
pub use space::space;
pub use tool::tool;
