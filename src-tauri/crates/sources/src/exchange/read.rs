//! Reads the exchange format a line at a time, in bounded memory.

use super::object::Object;
use super::rows::{List, Row, VERSION};
use kiroku_model::{Error, ErrorCode, Result, TaskId, Text, text};
use serde::Deserialize;
use std::io::BufRead;

/// The longest line that is read, in bytes without its line end (64 MiB).
pub const LINE_LIMIT: usize = 64 * 1024 * 1024;

/// A buffer larger than this is given back after its line (1 MiB).
const KEPT_BUFFER: usize = 1024 * 1024;

/// One line that says something.
#[derive(Debug)]
pub struct Line {
    /// Its number in the file, from 1.
    pub number: u64,
    /// The row, or why it can't be read.
    pub row: std::result::Result<Row, Text>,
}

/// What a reader has met so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Rows that were read.
    pub rows: u64,
    /// Lines that could not be read.
    pub bad_lines: u64,
    /// Rows of a type that this program does not know.
    pub unknown_rows: u64,
    /// Fields that this program does not know, in rows that it does.
    pub unknown_fields: u64,
}

/// Streams the rows of a file. What it yields:
/// - `Ok(Line)`: a row, or a line that was skipped, with the reason; empty lines and unknown rows are passed over;
/// - `Err`: reading can't go on, and nothing comes after it: the file could not be read, or it is of another major
///   version ([`ErrorCode::NewerSchema`]).
pub struct Reader<R> {
    from: R,
    buffer: Vec<u8>,
    limit: usize,
    line: u64,
    position: u64,
    counts: Counts,
    ended: bool,
}

impl<R: BufRead> Reader<R> {
    /// Reads `from` its beginning.
    pub fn new(from: R) -> Reader<R> {
        Reader::with_limit(from, LINE_LIMIT)
    }

    pub(super) fn with_limit(from: R, limit: usize) -> Reader<R> {
        Reader { from, buffer: Vec::new(), limit, line: 0, position: 0, counts: Counts::default(), ended: false }
    }

    /// What was met so far.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Bytes taken so far.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Takes the next line into the buffer; `None` at the end, `Some(false)` if it was too long and is gone.
    fn take_line(&mut self) -> std::io::Result<Option<bool>> {
        self.buffer.clear();
        self.buffer.shrink_to(KEPT_BUFFER);
        let most = self.limit as u64 + 2; // room for the line end
        let read = std::io::Read::take(&mut self.from, most).read_until(b'\n', &mut self.buffer)?;
        if read == 0 {
            return Ok(None);
        }
        self.line += 1;
        self.position += read as u64;
        if self.buffer.last() == Some(&b'\n') {
            self.buffer.pop();
            if self.buffer.last() == Some(&b'\r') {
                self.buffer.pop();
            }
        } else if read as u64 == most {
            self.position += self.from.skip_until(b'\n')? as u64;
        }
        Ok(Some(self.buffer.len() <= self.limit))
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Line>;

    fn next(&mut self) -> Option<Result<Line>> {
        while !self.ended {
            let fits = match self.take_line() {
                Ok(Some(fits)) => fits,
                Ok(None) => {
                    self.ended = true;
                    break;
                }
                Err(error) => {
                    self.ended = true;
                    return Some(Err(Error::io(text!(en: "reading the file", ja: "ファイルの読み込み"), &error)));
                }
            };
            let number = self.line;
            let row = if fits {
                let start = if number == 1 && self.buffer.starts_with(b"\xEF\xBB\xBF") { 3 } else { 0 };
                read_row(&self.buffer[start..], &mut self.counts)
            } else {
                let limit = self.limit;
                Err(text!(
                    en: "the line is longer than {limit} bytes and was skipped",
                    ja: "行が {limit} バイトを超えているため、読み飛ばしました"
                ))
            };
            match row {
                Ok(None) => continue,
                Ok(Some(Row::Header(header))) if header.version != VERSION => {
                    self.ended = true;
                    let version = header.version;
                    return Some(Err(Error::new(
                        ErrorCode::NewerSchema,
                        text!(
                            en: "the file is of version {version} of the exchange format, and this program reads version {VERSION}: nothing of it from line {number} on was read",
                            ja: "このファイルは交換形式の版 {version} で、このプログラムが読めるのは版 {VERSION} です。{number} 行目から先は読み込んでいません"
                        ),
                    )
                    .with("version", version)
                    .with("line", number)));
                }
                Ok(Some(row)) => {
                    self.counts.rows += 1;
                    return Some(Ok(Line { number, row: Ok(row) }));
                }
                Err(why) => {
                    self.counts.bad_lines += 1;
                    return Some(Ok(Line { number, row: Err(why) }));
                }
            }
        }
        None
    }
}

/// Reads one line; `None` if it says nothing to us.
fn read_row(line: &[u8], counts: &mut Counts) -> std::result::Result<Option<Row>, Text> {
    let line = std::str::from_utf8(line).map_err(|error| {
        let byte = error.valid_up_to() + 1;
        text!(en: "not UTF-8 at byte {byte}", ja: "{byte} バイト目が UTF-8 ではありません")
    })?;
    if line.trim().is_empty() {
        return Ok(None);
    }
    #[derive(Deserialize)]
    struct Typed {
        r#type: String,
    }
    let mut unknown = 0;
    let Typed { r#type: kind } = Object { line, unknown: &mut unknown }.read("")?;
    unknown = 0;
    let object = Object { line, unknown: &mut unknown };
    let row = match kind.as_str() {
        "kiroku" => Row::Header(object.read(&kind)?),
        "space" => Row::Space(object.read(&kind)?),
        "member" => Row::Member(object.read(&kind)?),
        "task" => Row::Task(object.read(&kind)?),
        "comment" => Row::Comment(object.read(&kind)?),
        "pin" => Row::Pin(object.read(&kind)?),
        "list" => {
            let mut list: List = object.read(&kind)?;
            one_thread(&mut list.task, &mut list.thread)?;
            Row::List(list)
        }
        "history" => {
            let mut history: super::History = object.read(&kind)?;
            one_thread(&mut history.task, &mut history.thread)?;
            Row::History(history)
        }
        "note" => {
            let mut note: super::Note = object.read(&kind)?;
            one_thread(&mut note.task, &mut note.thread)?;
            Row::Note(note)
        }
        "review" => {
            let mut review: super::Review = object.read(&kind)?;
            one_thread(&mut review.task, &mut review.thread)?;
            Row::Review(review)
        }
        "tombstone" => Row::Tombstone(object.read(&kind)?),
        _ => {
            counts.unknown_rows += 1;
            return Ok(None);
        }
    };
    counts.unknown_fields += unknown;
    Ok(Some(row))
}

/// Holds a row to exactly one of `task` and `thread`; the thread `task:12` is the task 12.
fn one_thread(task: &mut Option<TaskId>, thread: &mut Option<String>) -> std::result::Result<(), Text> {
    match (&task, &thread) {
        (None, None) => {
            Err(text!(en: "the field `task` or `thread` is missing", ja: "項目「task」か「thread」がありません"))
        }
        (Some(_), Some(_)) => Err(text!(
            en: "the fields `task` and `thread` exclude each other",
            ja: "項目「task」と「thread」は、どちらか一方だけにしてください"
        )),
        (None, Some(name)) if name.starts_with("task:") => {
            if let Ok(id) = TaskId::parse(name) {
                (*task, *thread) = (Some(id), None);
            }
            Ok(())
        }
        _ => Ok(()),
    }
}
