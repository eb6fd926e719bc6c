//! Files of any bytes, read as Kiroku's exchange format: what was read is written and read again, and is the same.
#![no_main]

use kiroku_sources::exchange::{Reader, Row, write_row};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let rows = read(data);
    let mut written = Vec::new();
    for row in &rows {
        write_row(&mut written, row).expect("a row is written to memory");
    }
    assert_eq!(read(&written), rows);
});

fn read(file: &[u8]) -> Vec<Row> {
    // A file of another version ends the reading, with what stood before it read.
    Reader::new(file).map_while(Result::ok).filter_map(|line| line.row.ok()).collect()
}
