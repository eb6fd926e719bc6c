//! What goes on behind a person's back: an index is taken away bit by bit, and leaves neither tables nor texts behind; and a
//! text of any size is indexed in pieces, which nobody notices.

use crate::corpus::{Corpus, Draft, Op, call};
use kiroku_api::Forget;
use kiroku_api::types::{MatchMode, SearchQuery};
use kiroku_model::Cancel;
use kiroku_search::Step;

fn total(corpus: &Corpus, text: &str) -> u64 {
    let query = SearchQuery { query: text.to_owned(), match_mode: MatchMode::All, ..SearchQuery::default() };
    corpus.workspace.conversations().search(&call(None), &query).unwrap().body.unwrap().total
}

/// The tables of all indexes, and whether SQLite's own check finds the file whole.
fn tables(corpus: &Corpus) -> (Vec<String>, Vec<String>) {
    let read = |conn: &rusqlite::Connection| {
        let mut names = conn
            .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND (name GLOB 'index_fts_*' OR name GLOB 'index_doc_*')")
            .unwrap();
        let names = names.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
        Ok((names, kiroku_store::file_faults(conn)?.0))
    };
    corpus.workspace.space().read(&Cancel::new(), read).unwrap()
}

#[test]
fn an_index_that_was_replaced_is_swept_away() {
    let mut corpus = Corpus::new();
    let body = |nth| format!("認証 common secret{nth} {}", "filler ".repeat(60));
    corpus.run(&Op::Write((0..900).map(|nth| Draft::plain(nth, nth as i64, body(nth))).collect()));
    let engine = corpus.workspace.conversations().clone();
    let (of_one, faults) = tables(&corpus);
    assert_eq!(faults, Vec::<String>::new());
    // A half-built one that is begun anew, and a whole one that takes the place of the first.
    engine.rebuild_index().unwrap();
    engine.maintain("test").unwrap();
    engine.rebuild_index().unwrap();
    loop {
        let step = engine.maintain("test").unwrap();
        assert_eq!(tables(&corpus).1, Vec::<String>::new());
        assert_eq!(engine.check_index().unwrap(), Vec::<String>::new());
        assert_eq!(total(&corpus, "common 認証"), 900);
        if step == Step::Done {
            break;
        }
    }
    assert_eq!(tables(&corpus).0.len(), of_one.len());
    // And one of whose tables nothing has been swept when a text is forgotten.
    engine.rebuild_index().unwrap();
    while tables(&corpus).0.iter().filter(|name| name.starts_with("index_doc")).count() < 2 {
        engine.maintain("test").unwrap();
    }
    let forgotten = corpus.comments[450].id;
    corpus.workspace.forget(&call(None), &Forget::Comment(forgotten)).unwrap();
    corpus.workspace.maintain(&Cancel::new(), |_, _| {}).unwrap();
    corpus.workspace.space().truncate_wal().unwrap();
    let file = std::fs::read(corpus.workspace.space().path()).unwrap();
    let holds = |text: &str| memchr::memmem::find(&file, text.as_bytes()).is_some();
    assert!(holds("secret449 "));
    assert!(!holds("secret450 "));
}

#[test]
fn a_text_of_several_pieces_is_found_as_a_whole() {
    let mut corpus = Corpus::new();
    // No white space near the places where it is cut, and characters of three bytes across them.
    let body: String = (0..300_000).map(|nth| format!("境{nth:x}界")).collect();
    corpus.run(&Op::Write(vec![Draft::plain(0, 1, body), Draft::plain(1, 2, "something else".to_owned())]));
    for nth in (0..300_000).step_by(9_973).chain([299_999]) {
        assert_eq!(total(&corpus, &format!("界境{nth:x}界")), u64::from(nth > 0), "{nth}");
    }
    // FTS5's own check holds its entries against the grams of the whole text, those across a cut among them.
    let engine = corpus.workspace.conversations();
    assert_eq!(engine.check_index().unwrap(), Vec::<String>::new());
    let first = corpus.comments[0].id;
    corpus.workspace.forget(&call(None), &Forget::Passage(first, "境2a界".to_owned())).unwrap();
    assert_eq!(engine.check_index().unwrap(), Vec::<String>::new());
    assert_eq!((total(&corpus, "境2a界"), total(&corpus, "境2b界境2c界")), (0, 1));
    corpus.workspace.forget(&call(None), &Forget::Comment(first)).unwrap();
    assert_eq!(total(&corpus, "境2b界境2c界"), 0);
    assert_eq!(engine.check_index().unwrap(), Vec::<String>::new());
}

#[test]
fn the_write_ahead_log_is_bounded_among_readers() {
    let mut corpus = Corpus::new();
    let wal = std::path::PathBuf::from(format!("{}-wal", corpus.workspace.space().path().display()));
    let size = || std::fs::metadata(&wal).unwrap().len();
    let body = |nth: usize| format!("{nth} {}", "some text that fills a page or two ".repeat(200));
    let space = corpus.workspace.conversations().space().clone();
    // A reader that does not end keeps SQLite from beginning the log anew, and no writer from writing.
    let (begin, begun) = std::sync::mpsc::channel();
    let (end, ended) = std::sync::mpsc::channel::<()>();
    let reader = std::thread::spawn(move || {
        let read = |conn: &rusqlite::Connection| {
            let comments: i64 = conn.query_row("SELECT count(*) FROM comment", [], |row| row.get(0)).unwrap();
            begin.send(comments).unwrap();
            let _ = ended.recv();
            Ok(())
        };
        space.read(&Cancel::new(), read).unwrap();
    });
    assert_eq!(begun.recv().unwrap(), 0);
    let mut nth = 0;
    while size() < 40 << 20 {
        corpus.run(&Op::Write((0..100).map(|more| Draft::plain(nth + more, nth as i64, body(nth + more))).collect()));
        nth += 100;
    }
    drop(end);
    reader.join().unwrap();
    corpus.run(&Op::Write(vec![Draft::plain(0, nth as i64, "one more".to_owned())]));
    assert!(size() < 1 << 20, "{} bytes", size());
    // With statistics everything is still found.
    corpus.workspace.space().tend().unwrap();
    assert_eq!((total(&corpus, "one more"), total(&corpus, "fills")), (1, nth as u64));
}
