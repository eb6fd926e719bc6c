//! The memory and knowledge records.
