//! Writes the reference pages in `docs/`.
#![allow(clippy::expect_used, reason = "a tool of the project: what it can't do, it says by ending")]

fn main() {
    for (path, text) in kiroku_tests::pages() {
        std::fs::write(kiroku_tests::repository().join(path), text).expect("a page is written");
        println!("{path}");
    }
}
