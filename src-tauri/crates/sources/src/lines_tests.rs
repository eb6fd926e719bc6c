//! What the line reader promises, one promise a test.

use super::*;
use proptest::prelude::*;
use std::io::Write;
use std::path::PathBuf;

fn file(bytes: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("f.jsonl");
    std::fs::write(&path, bytes).unwrap();
    (dir, path)
}

fn append(path: &Path, bytes: &[u8]) {
    std::fs::OpenOptions::new().append(true).open(path).unwrap().write_all(bytes).unwrap();
}

fn rest(lines: &mut Lines) -> Vec<Result<Vec<u8>, u64>> {
    let mut all = Vec::new();
    while let Some(line) = lines.next().unwrap() {
        all.push(match line {
            Line::Bytes(bytes) => Ok(bytes.to_vec()),
            Line::TooLong(length) => Err(length),
        });
    }
    all
}

#[test]
fn ends_of_lines_and_a_last_one_without() {
    let (_dir, path) = file(&["\u{feff}一\r\ntwo\n\n\u{feff}".as_bytes(), b"\xff"].concat());
    let mut lines = Lines::open(&path, None).unwrap();
    assert_eq!(rest(&mut lines), [Ok("一".into()), Ok(b"two".to_vec()), Ok(vec![])]);
    let cursor = lines.cursor(serde_json::Value::Null);
    assert_eq!((cursor.lines, cursor.offset), (3, 3 + 3 + 2 + 4 + 1));
    append(&path, b"!\nnot yet");
    let mut lines = Lines::open(&path, Some(&cursor)).unwrap();
    assert!(!lines.restarted());
    assert_eq!(rest(&mut lines), [Ok(b"\xef\xbb\xbf\xff!".to_vec())]);
    assert_eq!(lines.number(), 4);
}

#[test]
fn a_line_that_grows_while_it_is_read_comes_whole() {
    let (_dir, path) = file(b"a\nb");
    let mut lines = Lines::open(&path, None).unwrap();
    assert_eq!(rest(&mut lines), [Ok(b"a".to_vec())]);
    append(&path, b"c\n");
    assert_eq!(rest(&mut lines), [Ok(b"bc".to_vec())]);
}

#[test]
fn too_long_a_line_is_passed_over_and_counted() {
    let long = vec![b'x'; 3 * CHUNK];
    let (_dir, path) = file(&[b"a\n", &long[..], b"\nb\n", &long[..]].concat());
    let mut lines = Lines::open_with_limit(&path, None, CHUNK).unwrap();
    assert_eq!(rest(&mut lines), [Ok(b"a".to_vec()), Err(long.len() as u64 + 1), Ok(b"b".to_vec())]);
    assert!(lines.buffer.capacity() <= 3 * CHUNK);
    append(&path, b"\n");
    let cursor = lines.cursor(serde_json::Value::Null);
    for mut lines in [lines, Lines::open_with_limit(&path, Some(&cursor), CHUNK).unwrap()] {
        assert_eq!(rest(&mut lines), [Err(long.len() as u64 + 1)]);
        assert_eq!(lines.number(), 4);
        let cursor = lines.cursor(serde_json::Value::Null);
        let lines = Lines::open_with_limit(&path, Some(&cursor), CHUNK).unwrap();
        assert!(!lines.restarted());
    }
}

#[test]
fn rewritten_and_shortened_files_begin_anew() {
    let (_dir, path) = file(b"one\ntwo\nthree\n");
    let mut lines = Lines::open(&path, None).unwrap();
    lines.next().unwrap();
    lines.next().unwrap();
    let cursor = lines.cursor(serde_json::Value::Null);
    // Replaced as editors do it.
    let restarted = |bytes: &[u8]| {
        std::fs::remove_file(&path).unwrap();
        std::fs::write(&path, bytes).unwrap();
        let mut lines = Lines::open(&path, Some(&cursor)).unwrap();
        let first = bytes.split_inclusive(|byte| *byte == b'\n').next().unwrap().strip_suffix(b"\n");
        let begins = lines.next().unwrap() == first.map(Line::Bytes);
        assert_eq!(lines.restarted(), begins, "{bytes:?}");
        begins
    };
    assert!(!restarted(b"one\ntwo\nthree\nfour\n"));
    assert!(!restarted(b"ONE\ntwo\nthree\n"), "only the last line read is looked at");
    assert!(restarted(b"one\ntwo"));
    assert!(restarted(b"on\ntwo!\nthree\n"));
    assert!(restarted(b"onetwo\ntwo\n"));
    assert!(restarted(b"one1two\nthree\n"), "the line before must end where it ended");
    std::fs::write(&path, b"").unwrap();
    let mut lines = Lines::open(&path, Some(&cursor)).unwrap();
    assert!(lines.restarted() && lines.next().unwrap().is_none());
}

#[test]
fn a_file_that_shrinks_or_vanishes_while_it_is_read_is_no_error() {
    let (_dir, path) = file(&b"0123456789\n".repeat(100_000));
    let mut lines = Lines::open(&path, None).unwrap();
    lines.next().unwrap();
    std::fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(20).unwrap();
    assert!(rest(&mut lines).len() < 99_999);
    let mut lines = Lines::open(&path, None).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert_eq!(rest(&mut lines).len(), 1);
    assert_eq!(Lines::open(&path, None).err().unwrap().code(), ErrorCode::NotFound);
}

#[cfg(unix)]
#[test]
fn what_is_no_regular_file_is_refused_without_waiting() {
    let (dir, path) = file(b"a\n");
    let fifo = dir.path().join("fifo.jsonl");
    rustix::fs::mknodat(rustix::fs::CWD, &fifo, rustix::fs::FileType::Fifo, 0o600.into(), 0).unwrap();
    let link = dir.path().join("link.jsonl");
    std::os::unix::fs::symlink(&path, &link).unwrap();
    assert_eq!(rest(&mut Lines::open(&link, None).unwrap()).len(), 1);
    let looped = dir.path().join("loop.jsonl");
    std::os::unix::fs::symlink(&looped, &looped).unwrap();
    for bad in [&fifo, Path::new("/dev/zero"), dir.path()] {
        let error = Lines::open(bad, None).err().unwrap();
        assert_eq!(error.code(), ErrorCode::InvalidInput);
        assert!(error.message().en.contains("not a regular file"));
    }
    assert!(Lines::open(&looped, None).is_err());
}

proptest! {
    /// However the file comes in and however often reading stops, the lines are those of the whole.
    #[test]
    fn any_split_gives_the_same_lines(
        lines in prop::collection::vec("[ab\r]{0,40}", 0..12),
        cuts in prop::collection::vec(0usize..400, 0..6),
        limit in 5usize..60,
    ) {
        let whole: Vec<u8> = lines.iter().flat_map(|line| [line.as_bytes(), b"\n"].concat()).collect();
        let (_dir, path) = file(&whole);
        let expected = rest(&mut Lines::open_with_limit(&path, None, limit).unwrap());
        let (_dir, path) = file(b"");
        let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(whole.len())).chain([whole.len()]).collect();
        cuts.sort_unstable();
        let (mut found, mut cursor, mut done) = (Vec::new(), Cursor::default(), 0);
        for cut in cuts {
            append(&path, &whole[done..cut]);
            done = cut;
            let mut lines = Lines::open_with_limit(&path, Some(&cursor), limit).unwrap();
            prop_assert!(!lines.restarted());
            found.extend(rest(&mut lines));
            cursor = serde_json::from_value(serde_json::to_value(lines.cursor(serde_json::Value::Null)).unwrap()).unwrap();
        }
        prop_assert_eq!(found, expected);
    }
}
