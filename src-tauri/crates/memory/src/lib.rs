//! Engine 2: the memory and knowledge records of a space, which are Markdown files on disk.
//!
//! The files are the truth: nothing is derived from them, every search reads them. People and agents write the same
//! files at the same moment, in this program and outside it, so the two promises that shape everything here are that
//! bytes nobody edited do not change, and that no accepted word is lost.

pub mod checker;
mod existing;
mod expand;
pub mod fold;
pub mod frontmatter;
mod hook;
mod kind;
mod line_ends;
mod memory;
mod merge;
mod open;
mod overview;
pub mod prose;
pub mod root;
pub mod search;
pub mod settings;
pub mod slug;
pub mod splice;
pub mod store;
pub mod template;
pub mod tools;
pub mod usage;
pub mod watch;
pub mod yaml;

pub use checker::{Check, Finding, FindingCode, Fix, Severity, WireFinding, check, fields_of};
pub use existing::Existing;
pub use expand::{Expansion, Resident, Writer, resident_text};
pub use frontmatter::{FieldValue, Frontmatter, Source};
pub use hook::{HOOK_MARK, hook_script};
pub use kind::{RecordKind, RecordRef};
pub use line_ends::{LineEnds, unified, with_ends_of};
pub use memory::{Checked, Memory, Record, Saved, Written};
pub use merge::{MergeConflict, Merged, merge};
pub use overview::{Overview, about};
pub use root::{ContentRoot, Entry, FileProblem, Listing, space_folder};
pub use settings::{SettingValue, Settings, SettingsProblem, set_setting};
pub use slug::Slug;
pub use splice::{field_source, remove_field, set_field, set_status};
pub use store::{Followed, Recovered, Recovery, RenamePreview, Renamed, Why, hash};
pub use template::template;
pub use usage::{UsageEvent, UsageSink, Use};
pub use watch::{ChangeKind, FileChange, Watch, WatchEvent, WatchOptions};
