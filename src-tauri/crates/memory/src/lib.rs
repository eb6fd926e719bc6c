//! Engine 2: the memory and knowledge records of a space, which are Markdown files on disk.
//!
//! The files are the truth: nothing is derived from them, every search reads them. People and agents write the same
//! files at the same moment, in this program and outside it, so the two promises that shape everything here are that
//! bytes nobody edited do not change, and that no accepted word is lost.

pub mod checker;
mod existing;
pub mod fold;
pub mod frontmatter;
mod kind;
pub mod prose;
pub mod root;
pub mod search;
pub mod settings;
pub mod slug;
pub mod splice;
pub mod yaml;

pub use checker::{Check, Finding, FindingCode, Severity, WireFinding, check};
pub use existing::Existing;
pub use frontmatter::{FieldValue, Frontmatter, Source};
pub use kind::{RecordKind, RecordRef};
pub use root::{ContentRoot, Entry, FileProblem, Listing, space_folder};
pub use settings::{SettingValue, Settings, SettingsProblem, set_setting};
pub use slug::Slug;
pub use splice::{field_source, remove_field, set_field};
