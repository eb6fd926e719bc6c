//! What becomes of files that vanish or are links, and of an import that is stopped.

use crate::place::{Place, named, owner, said, typed};
use kiroku_api::ImportProgress;
use kiroku_model::Cancel;
use serde_json::{Value, json};

fn session(turns: u32) -> Vec<Value> {
    let turn = |n: u32| {
        [
            typed("s1", &format!("u{n}"), n * 10, &format!("依頼 {n}")),
            said("s1", &format!("a{n}"), n * 10 + 1, json!({"type": "text", "text": format!("結果{n}番")})),
        ]
    };
    (0..turns).flat_map(turn).collect()
}

#[test]
fn a_file_that_vanishes_leaves_its_record() {
    let place = Place::new();
    let path = place.append("projects/p/s1.jsonl", &session(3));
    place.import();
    let file = named("claude-code").find(&path, &Cancel::new()).unwrap().files;
    std::fs::remove_file(&path).unwrap();
    let report = place.import();
    assert_eq!((report.files, report.withdrawn, place.counts()), (0, 0, (1, 6)));
    // Gone between being found and being read: told, and nothing else.
    let source = named("claude-code");
    let told = &mut |_: &ImportProgress| {};
    let report = place.workspace.import_with_pace(source, &file, &owner(), &Cancel::new(), told).unwrap();
    assert_eq!((report.skipped, place.counts()), (1, (1, 6)));
    // And back again, as it was.
    place.append("projects/p/s1.jsonl", &session(3));
    let report = place.import();
    assert_eq!((report.comments, report.changed, report.withdrawn), (0, 0, 0));
}

#[cfg(unix)]
#[test]
fn a_link_is_the_file_that_it_leads_to() {
    let place = Place::new();
    let path = place.append("elsewhere/s1.jsonl", &session(2));
    std::fs::create_dir_all(place.path("projects/p")).unwrap();
    std::os::unix::fs::symlink(&path, place.path("projects/p/s1.jsonl")).unwrap();
    assert_eq!((place.import().comments, place.counts()), (4, (1, 4)));
    place.append("elsewhere/s1.jsonl", &session(3)[4..]);
    assert_eq!((place.import().comments, place.counts()), (2, (1, 6)));
}

#[test]
fn what_was_committed_stays_when_it_is_stopped_and_the_next_goes_on_there() {
    let place = Place::new();
    let path = place.append("projects/p/s1.jsonl", &session(2000));
    let source = named("claude-code");
    let files = source.find(&path, &Cancel::new()).unwrap().files;
    let cancel = Cancel::new();
    let mut last = ImportProgress::default();
    let report = place.workspace.import_with_pace(source, &files, &owner(), &cancel, &mut |at| {
        last = at.clone();
        if at.comments > 0 {
            cancel.cancel();
        }
    });
    let report = report.unwrap();
    assert!(report.cancelled && report.comments > 0 && report.comments < 4000, "{report:?}");
    assert_eq!(place.counts().1 as u64, report.comments);
    assert_eq!((last.total_files, last.total_bytes, last.comments), (1, files[0].bytes, report.comments));
    let mut told = Vec::new();
    let rest = place
        .workspace
        .import_with_pace(source, &files, &owner(), &Cancel::new(), &mut |at| told.push(at.clone()))
        .unwrap();
    assert_eq!((rest.comments + report.comments, place.counts().1, rest.changed), (4000, 4000, 0));
    let end = told.last().unwrap();
    assert_eq!((end.files, end.bytes, end.comments), (1, files[0].bytes, rest.comments));
    assert!(end.rate > 0.0 && end.file.is_empty(), "{end:?}");
    assert!(told.windows(2).all(|two| two[0].bytes <= two[1].bytes));
    assert_eq!(place.found("結果1999番"), 1);
}
