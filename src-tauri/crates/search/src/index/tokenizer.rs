//! The FTS5 tokenizer `kiroku`: every run of one, two and three characters between spaces is a token.
//!
//! SQLite's own trigram tokenizer can't match terms under three characters; with one- and two-character grams in the
//! same index a term of any length is answered by it. The tokenizer only cuts: the text comes folded. Grams never hold
//! a space, since a search term doesn't, which keeps about half of an English text's grams out of the index.
//!
//! A text that begins with U+0001 holds facets (`\u{1}t12 \u{1}kresult …`: see the index tables), each one token as it
//! stands. Folded text can't begin so: cleaning takes control characters out.
//!
//! A text that begins with U+0002 goes on from one that was given before: its first two characters are the end of that
//! one, whose grams are known, and only grams that end behind them are tokens.
//!
//! rusqlite has no safe door to FTS5's tokenizers, hence the `unsafe` here and nowhere else in the engine.

use rusqlite::{Connection, ffi};
use std::ffi::{c_char, c_int, c_void};
use std::ptr;

/// Changes when the same text would be cut into other tokens, or the tables hold them in another way.
pub(crate) const GRAMS_VERSION: i64 = 2;

/// The longest gram, in characters.
pub(crate) const LONGEST_GRAM: usize = 3;

/// Marks a facet token.
pub(crate) const FACET: char = '\u{1}';

/// Marks a text that goes on from another.
pub(crate) const CONTINUED: char = '\u{2}';

/// Calls `token` with the byte range of every token of a stored text.
fn cut(text: &str, mut token: impl FnMut(usize, usize) -> c_int) -> c_int {
    if text.starts_with(FACET) {
        let mut start = 0;
        for word in text.split(' ') {
            let code = token(start, start + word.len());
            if code != ffi::SQLITE_OK {
                return code;
            }
            start += word.len() + 1;
        }
        return ffi::SQLITE_OK;
    }
    // The starts of the last characters since a space; a character ends up to three grams.
    let mut starts = [0; LONGEST_GRAM];
    let mut known = 0;
    let (first, mut told) = if text.starts_with(CONTINUED) { (CONTINUED.len_utf8(), LONGEST_GRAM - 1) } else { (0, 0) };
    for (at, c) in text[first..].char_indices().map(|(at, c)| (first + at, c)) {
        let is_told = told > 0;
        told = told.saturating_sub(1);
        if c == ' ' {
            known = 0;
            continue;
        }
        if known == LONGEST_GRAM {
            starts.copy_within(1.., 0);
            known -= 1;
        }
        starts[known] = at;
        known += 1;
        if is_told {
            continue;
        }
        let end = at + c.len_utf8();
        for start in &starts[..known] {
            let code = token(*start, end);
            if code != ffi::SQLITE_OK {
                return code;
            }
        }
    }
    ffi::SQLITE_OK
}

/// FTS5's callback for a token.
type OnToken = unsafe extern "C" fn(*mut c_void, c_int, *const c_char, c_int, c_int, c_int) -> c_int;

unsafe extern "C" fn create(
    _context: *mut c_void,
    _args: *mut *const c_char,
    _count: c_int,
    out: *mut *mut ffi::Fts5Tokenizer,
) -> c_int {
    // The tokenizer has no state; FTS5 only wants a pointer that is not null.
    static STATELESS: u8 = 0;
    // SAFETY: FTS5 gives a place for the pointer.
    unsafe { *out = (&raw const STATELESS).cast_mut().cast() };
    ffi::SQLITE_OK
}

unsafe extern "C" fn delete(_tokenizer: *mut ffi::Fts5Tokenizer) {}

unsafe extern "C" fn tokenize(
    _tokenizer: *mut ffi::Fts5Tokenizer,
    context: *mut c_void,
    flags: c_int,
    text: *const c_char,
    bytes: c_int,
    on_token: Option<OnToken>,
) -> c_int {
    let (Some(on_token), Ok(len)) = (on_token, usize::try_from(bytes)) else {
        return ffi::SQLITE_ERROR;
    };
    if text.is_null() || len == 0 {
        return ffi::SQLITE_OK;
    }
    // SAFETY: FTS5 gives `bytes` bytes at `text` that live through this call.
    let slice = unsafe { std::slice::from_raw_parts(text.cast::<u8>(), len) };
    // Only our own code writes what is tokenized; bytes that are not text have no tokens.
    let Ok(text) = std::str::from_utf8(slice) else {
        return ffi::SQLITE_OK;
    };
    let token = |start: usize, end: usize| {
        let piece = &slice[start..end];
        // SAFETY: the callback takes a context of FTS5's own and a token that lives through the call; every length fits,
        // being at most `bytes`.
        unsafe { on_token(context, 0, piece.as_ptr().cast(), piece.len() as c_int, start as c_int, end as c_int) }
    };
    // A query gives one gram or facet a string: it is the token.
    if flags & ffi::FTS5_TOKENIZE_QUERY != 0 { token(0, len) } else { cut(text, token) }
}

/// Makes the tokenizer known to a connection.
pub(crate) fn register(conn: &Connection) -> rusqlite::Result<()> {
    let failure = |code: c_int| {
        rusqlite::Error::SqliteFailure(ffi::Error::new(code), Some("the fts5 tokenizer can't be registered".to_owned()))
    };
    // SAFETY: the handle is used within this call only, and the connection outlives it.
    let db = unsafe { conn.handle() };
    let mut api: *mut ffi::fts5_api = ptr::null_mut();
    let mut statement: *mut ffi::sqlite3_stmt = ptr::null_mut();
    // SAFETY: the documented way to FTS5's API (https://sqlite.org/fts5.html#extending_fts5): a statement
    // `SELECT fts5(?)` with a pointer of the type `fts5_api_ptr` bound to it, which fts5() fills when it runs.
    unsafe {
        let code = ffi::sqlite3_prepare_v2(db, c"SELECT fts5(?1)".as_ptr(), -1, &raw mut statement, ptr::null_mut());
        if code != ffi::SQLITE_OK {
            return Err(failure(code));
        }
        ffi::sqlite3_bind_pointer(statement, 1, (&raw mut api).cast(), c"fts5_api_ptr".as_ptr(), None);
        ffi::sqlite3_step(statement);
        ffi::sqlite3_finalize(statement);
    }
    if api.is_null() {
        return Err(failure(ffi::SQLITE_ERROR));
    }
    let mut tokenizer = ffi::fts5_tokenizer { xCreate: Some(create), xDelete: Some(delete), xTokenize: Some(tokenize) };
    // SAFETY: `api` is FTS5's own and lives as long as the connection; the struct is copied by the call.
    let code = unsafe {
        let Some(create_tokenizer) = (*api).xCreateTokenizer else {
            return Err(failure(ffi::SQLITE_ERROR));
        };
        create_tokenizer(api, c"kiroku".as_ptr(), ptr::null_mut(), &raw mut tokenizer, None)
    };
    if code == ffi::SQLITE_OK { Ok(()) } else { Err(failure(code)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grams(text: &str) -> Vec<&str> {
        let mut all = Vec::new();
        cut(text, |start, end| {
            all.push(&text[start..end]);
            ffi::SQLITE_OK
        });
        all
    }

    #[test]
    fn every_run_of_one_to_three_characters_between_spaces() {
        assert_eq!(grams("認証 ab"), ["認", "認証", "証", "a", "ab", "b"]);
        assert_eq!(grams("abcd"), ["a", "ab", "b", "abc", "bc", "c", "bcd", "cd", "d"]);
        assert_eq!(grams(""), [""; 0]);
        assert_eq!(grams(" "), [""; 0]);
    }

    #[test]
    fn a_text_that_goes_on_gives_the_rest_of_the_grams() {
        assert_eq!(grams("\u{2}abcd"), ["abc", "bc", "c", "bcd", "cd", "d"]);
        assert_eq!(grams("\u{2}a cd"), ["c", "cd", "d"]);
        assert_eq!(grams("\u{2}認 "), [""; 0]);
    }

    #[test]
    fn facets_are_tokens_as_they_stand() {
        assert_eq!(grams("\u{1}t12 \u{1}kresult"), ["\u{1}t12", "\u{1}kresult"]);
    }

    #[test]
    fn fts5_takes_it() {
        let conn = Connection::open_in_memory().unwrap();
        register(&conn).unwrap();
        conn.execute_batch(
            "CREATE VIRTUAL TABLE t USING fts5 (x, tokenize = 'kiroku', detail = none, columnsize = 0);
             INSERT INTO t VALUES ('認証フロー'), ('a\"b'), ('\u{1}t1 \u{1}t12');",
        )
        .unwrap();
        let found = |query: &str| -> Vec<i64> {
            let mut rows = conn.prepare("SELECT rowid FROM t WHERE t MATCH ?1 ORDER BY rowid DESC").unwrap();
            rows.query_map([query], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
        };
        assert_eq!(found("\"認\""), [1]);
        assert_eq!(found("\"証フ\" AND \"フロー\""), [1]);
        assert_eq!(found("\"a\"\"b\""), [2]);
        assert_eq!(found("\"\u{1}t1\""), [3]);
        assert_eq!(found("\"t1\""), [0; 0]);
    }
}
