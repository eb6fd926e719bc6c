//! Lines of a growing file, read by streaming: what every JSONL format shares.
//!
//! A session file is written by somebody else while it is read. So a last line without its end is left for the next
//! time; a file that is shorter than it was, or in which the last line read stands elsewhere, was rewritten and is
//! begun anew; a line over [`LINE_LIMIT`] is passed over without ever being held; and anything but a regular file
//! (a FIFO, a device, a directory) is refused without waiting on it. Memory is bounded by the longest line kept.

use crate::Cursor;
use kiroku_model::{Error, ErrorCode, Result, text};
use std::fs::{File, Metadata};
use std::io::{BufReader, ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The longest line that is read, in bytes (64 MiB); a longer one is told as [`Line::TooLong`].
pub const LINE_LIMIT: usize = 64 << 20;

/// How much is read at a time, in bytes.
const CHUNK: usize = 256 << 10;

/// One whole line.
#[derive(Debug, PartialEq, Eq)]
pub enum Line<'a> {
    /// Its bytes, without the line end (LF or CR LF) and without a byte order mark; they need not be UTF-8.
    Bytes(&'a [u8]),
    /// It was longer than the limit and was not kept; its length in bytes.
    TooLong(u64),
}

/// The last whole line taken: what a cursor says of it.
enum Last {
    /// No line was taken, in this reading or an earlier one.
    None,
    /// It lies in the buffer, from here, so long.
    Kept(usize, usize),
    /// Its mark, as [`mark`] writes it.
    Marked(String),
}

/// Reads a file line by line from a cursor on.
pub struct Lines {
    file: Content,
    name: String,
    limit: usize,
    bytes: u64,
    modified: i64,
    restarted: bool,
    /// What was read and not given yet is `buffer[start..]`, which stands at `offset` in the file.
    buffer: Vec<u8>,
    start: usize,
    /// Bytes of `buffer[start..]` in which there is no line end.
    searched: usize,
    offset: u64,
    number: u64,
    last: Last,
}

impl Lines {
    /// Opens `path` where `from` left it, or at its beginning if there is no cursor, or if the file is not the one
    /// that the cursor speaks of ([`Lines::restarted`]). Errors: not there, not readable, not a regular file.
    pub fn open(path: &Path, from: Option<&Cursor>) -> Result<Lines> {
        Lines::open_with_limit(path, from, LINE_LIMIT)
    }

    /// [`Lines::open`] with another limit for one line, in bytes.
    pub fn open_with_limit(path: &Path, from: Option<&Cursor>, limit: usize) -> Result<Lines> {
        let (file, metadata) = open_regular(path)?;
        let name = path.display().to_string();
        let file = Content::new(path, file).map_err(|error| reading(&name, &error))?;
        let mut lines = Lines {
            file,
            name,
            limit,
            bytes: metadata.len(),
            modified: modified(&metadata),
            restarted: false,
            buffer: Vec::new(),
            start: 0,
            searched: 0,
            offset: 0,
            number: 0,
            last: Last::None,
        };
        if let Some(from) = from.filter(|from| from.offset > 0) {
            if lines.stands(from)? {
                lines.offset = from.offset;
                lines.number = from.lines;
                lines.last = Last::Marked(from.line_hash.clone());
            } else {
                lines.restarted = true;
            }
            lines.file.go_to(lines.offset).map_err(|error| reading(&lines.name, &error))?;
        }
        Ok(lines)
    }

    /// Begins anew at the start of the file, as if it had been rewritten: for a format that cannot use a cursor's state.
    pub fn restart(&mut self) -> Result<()> {
        self.file.go_to(0).map_err(|error| reading(&self.name, &error))?;
        (self.start, self.searched, self.offset, self.number) = (0, 0, 0, 0);
        self.buffer.clear();
        self.last = Last::None;
        self.restarted = true;
        Ok(())
    }

    /// The next whole line, or `None` at the end of what is there.
    pub fn next(&mut self) -> Result<Option<Line<'_>>> {
        loop {
            let unsearched = &self.buffer[self.start + self.searched..];
            if let Some(end) = memchr::memchr(b'\n', unsearched) {
                let (from, length) = (self.start, self.searched + end + 1);
                self.take(length as u64);
                self.start += length;
                self.searched = 0;
                self.last = Last::Kept(from, length);
                if length > self.limit {
                    return Ok(Some(Line::TooLong(length as u64)));
                }
                return Ok(Some(Line::Bytes(self.trimmed(from, length))));
            }
            self.searched = self.buffer.len() - self.start;
            if self.searched > self.limit {
                return self.pass_over();
            }
            if self.fill()? == 0 {
                return Ok(None);
            }
        }
    }

    /// The number of lines taken, so the number (from 1) of the last one.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The offset behind the last whole line taken, in bytes.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Whether the file was rewritten or shortened since the cursor was made, so that reading began anew.
    pub fn restarted(&self) -> bool {
        self.restarted
    }

    /// When the file was last changed when it was opened, in milliseconds since 1970.
    pub fn modified(&self) -> i64 {
        self.modified
    }

    /// Where the reader stands, with the format's own `state`.
    pub fn cursor(&self, state: serde_json::Value) -> Cursor {
        Cursor {
            bytes: self.bytes,
            modified: self.modified,
            offset: self.offset,
            line_hash: match &self.last {
                Last::None => String::new(),
                Last::Kept(from, length) => mark(blake3::hash(&self.buffer[*from..from + length]), *length as u64),
                Last::Marked(mark) => mark.clone(),
            },
            lines: self.number,
            state,
        }
    }

    fn take(&mut self, length: u64) {
        self.offset += length;
        self.number += 1;
    }

    /// The line at `from` in the buffer without its end, and without a byte order mark if it is the file's first.
    fn trimmed(&self, from: usize, length: usize) -> &[u8] {
        let line = &self.buffer[from..from + length - 1];
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if self.number == 1 { line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line) } else { line }
    }

    /// Reads more behind what is in the buffer. 0 at the end of the file.
    fn fill(&mut self) -> Result<usize> {
        if let Last::Kept(from, length) = self.last {
            self.last = Last::Marked(mark(blake3::hash(&self.buffer[from..from + length]), length as u64));
        }
        self.buffer.drain(..self.start);
        self.start = 0;
        // One long line must not leave its buffer behind for the rest of the file.
        if self.buffer.len() < CHUNK && self.buffer.capacity() > 16 * CHUNK {
            self.buffer.shrink_to(2 * CHUNK);
        }
        let length = self.buffer.len();
        self.buffer.reserve_exact(CHUNK);
        self.buffer.resize(length + CHUNK, 0);
        let read = retry(|| self.file.read(&mut self.buffer[length..]));
        self.buffer.truncate(length + *read.as_ref().unwrap_or(&0));
        read.map_err(|error| reading(&self.name, &error))
    }

    /// Passes over the line that begins in the buffer and is longer than the limit. If its end is not there yet, the
    /// reader stays before it.
    fn pass_over(&mut self) -> Result<Option<Line<'_>>> {
        let mut hash = blake3::Hasher::new();
        let mut length = 0u64;
        loop {
            let unread = &self.buffer[self.start..];
            let (used, ended) = memchr::memchr(b'\n', unread).map_or((unread.len(), false), |end| (end + 1, true));
            hash.update(&unread[..used]);
            length += used as u64;
            self.start += used;
            if ended {
                break;
            }
            if self.fill()? == 0 {
                self.file.go_to(self.offset).map_err(|error| reading(&self.name, &error))?;
                (self.start, self.searched) = (0, 0);
                self.buffer = Vec::new();
                return Ok(None);
            }
        }
        self.take(length);
        self.searched = 0;
        self.last = Last::Marked(mark(hash.finalize(), length));
        Ok(Some(Line::TooLong(length)))
    }

    /// Whether the line that `from` marks still ends at its offset.
    fn stands(&mut self, from: &Cursor) -> Result<bool> {
        let Some(length) = from.line_hash.split('-').next().and_then(|length| length.parse::<u64>().ok()) else {
            return Ok(false);
        };
        let plain = matches!(self.file, Content::Plain(_));
        if (plain && from.offset > self.bytes) || length == 0 || length > from.offset {
            return Ok(false);
        }
        // With the byte before it, which must be the end of the line before.
        let begin = from.offset - length;
        let before = begin.min(1);
        self.file.go_to(begin - before).map_err(|error| reading(&self.name, &error))?;
        let mut hash = blake3::Hasher::new();
        let mut chunk = vec![0; CHUNK.min((length + before) as usize)];
        let (mut left, mut first) = (length + before, before == 1);
        while left > 0 {
            let want = chunk.len().min(usize::try_from(left).unwrap_or(usize::MAX));
            let read = retry(|| self.file.read(&mut chunk[..want])).map_err(|error| reading(&self.name, &error))?;
            if read == 0 || (first && chunk[0] != b'\n') {
                return Ok(false);
            }
            hash.update(&chunk[usize::from(first)..read]);
            left -= read as u64;
            first = false;
        }
        Ok(mark(hash.finalize(), length) == from.line_hash)
    }

    /// How much of the file was read, of the size that it has on the disk, in bytes.
    pub fn position(&self) -> u64 {
        match &self.file {
            Content::Plain(_) => self.offset,
            Content::Packed(_, _, read) => read.load(Ordering::Relaxed),
        }
    }
}

fn reading(name: &str, error: &std::io::Error) -> Error {
    Error::io(text!(en: "reading {name}", ja: "{name} の読み込み"), error)
}

/// A file's content: as it stands, or what was packed in a `.zst`. Offsets are those of the content.
enum Content {
    Plain(File),
    Packed(PathBuf, Box<zstd::Decoder<'static, BufReader<Counted>>>, Arc<AtomicU64>),
}

/// Counts the bytes that are read of a file.
struct Counted(File, Arc<AtomicU64>);

impl Read for Counted {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        let read = self.0.read(into)?;
        self.1.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

impl Content {
    fn new(path: &Path, file: File) -> std::io::Result<Content> {
        if path.extension().is_none_or(|ending| ending != "zst") {
            return Ok(Content::Plain(file));
        }
        let read = Arc::new(AtomicU64::new(0));
        let mut decoder = zstd::Decoder::new(Counted(file, read.clone()))?;
        // What the decoder may keep in memory, whatever the file asks for: 32 MiB, four times what zstd asks for unless told otherwise.
        decoder.window_log_max(25)?;
        Ok(Content::Packed(path.to_owned(), Box::new(decoder), read))
    }

    fn go_to(&mut self, offset: u64) -> std::io::Result<()> {
        match self {
            Content::Plain(file) => file.seek(SeekFrom::Start(offset)).map(|_| ()),
            Content::Packed(path, ..) => {
                let path = path.clone();
                let file = open_regular(&path).map_err(std::io::Error::other)?.0;
                *self = Content::new(&path, file)?;
                std::io::copy(&mut self.take(offset), &mut std::io::sink()).map(|_| ())
            }
        }
    }
}

impl Read for Content {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        match self {
            Content::Plain(file) => file.read(into),
            Content::Packed(_, decoder, _) => decoder.read(into),
        }
    }
}

/// Opens a file for reading, if it is a regular one: never waits on a FIFO or a device, and follows links.
pub fn open_regular(path: &Path) -> Result<(File, Metadata)> {
    let name = path.display().to_string();
    let failed = |error: std::io::Error| Error::io(text!(en: "opening {name}", ja: "{name} を開く"), &error);
    let refused = || {
        Error::new(
            ErrorCode::InvalidInput,
            text!(en: "{name} is not a regular file, so it was not read", ja: "{name} は通常のファイルではないため、読み込みませんでした"),
        )
    };
    // Before opening, because opening some devices does something; and after, because it may have been exchanged.
    if !std::fs::metadata(path).map_err(failed)?.is_file() {
        return Err(refused());
    }
    let mut options = std::fs::OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags((OFlags::NONBLOCK | OFlags::NOCTTY).bits() as i32);
    }
    let file = options.open(path).map_err(failed)?;
    let metadata = file.metadata().map_err(failed)?;
    if metadata.is_file() { Ok((file, metadata)) } else { Err(refused()) }
}

/// When a file was last changed, in milliseconds since 1970.
pub fn modified(metadata: &Metadata) -> i64 {
    let since = metadata.modified().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    since.and_then(|since| i64::try_from(since.as_millis()).ok()).unwrap_or(0)
}

/// How a cursor marks a line: its length in bytes and its hash, so that it can be found again from its end.
fn mark(hash: blake3::Hash, length: u64) -> String {
    let hex = hash.to_hex();
    format!("{length}-{}", &hex[..32])
}

fn retry<T>(mut read: impl FnMut() -> std::io::Result<T>) -> std::io::Result<T> {
    loop {
        match read() {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}

#[cfg(test)]
#[path = "lines_tests.rs"]
mod tests;
