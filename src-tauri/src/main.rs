//! shell
fn main() {}
