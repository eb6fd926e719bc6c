//! Watching: what is written to a session is in the space soon after, with and without the system's notices, and Ctrl-C
//! ends it cleanly.

use crate::place::{Place, named, owner, text, typed};
use kiroku_api::{WatchEvent, WatchOptions};
use kiroku_model::Cancel;
use kiroku_tests::Home;
use serde_json::json;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// Far more than it takes: a test that waits so long has failed.
const LONGEST: Duration = Duration::from_secs(60);

/// Waits for an import that brought so many comments in.
fn brought(events: &Receiver<WatchEvent>) -> u64 {
    loop {
        match events.recv_timeout(LONGEST).expect("something comes") {
            WatchEvent::Imported { report, .. } if report.comments > 0 => return report.comments,
            _ => {}
        }
    }
}

fn watched(poll: bool) {
    let place = Place::new();
    place.append("claude/projects/p/s1.jsonl", &[typed("s1", "u1", 0, "最初の依頼")]);
    // A root that is not there yet is watched once it is, and one folder may hold the sessions of two sources.
    let both = place.path("claude/projects");
    let roots =
        [(named("claude-code"), both.clone()), (named("codex"), both), (named("codex"), place.path("codex/sessions"))];
    let options = WatchOptions { poll, every: Duration::from_millis(20), ..WatchOptions::new(owner(), None) };
    let (tell, events) = channel();
    let cancel = Cancel::new();
    std::thread::scope(|scope| {
        let watch = scope
            .spawn(|| place.workspace.watch_sessions(&roots, &options, &cancel, &mut |event| drop(tell.send(event))));
        assert_eq!(brought(&events), 1);
        while !matches!(events.recv_timeout(LONGEST).expect("it begins"), WatchEvent::Watching) {}
        place.append("claude/projects/p/s1.jsonl", &[typed("s1", "u2", 1, "次の依頼")]);
        assert_eq!((brought(&events), place.found("次の依頼")), (1, 1));
        // A new session in a new folder.
        place.append("claude/projects/q/s2.jsonl", &[typed("s2", "v1", 2, "別の依頼")]);
        assert_eq!((brought(&events), place.found("別の依頼")), (1, 1));
        // Half a line says nothing until its end comes.
        let line = text(&[typed("s2", "v2", 3, "長い依頼")]);
        let (half, rest) = line.split_at(20);
        let mut file = std::fs::OpenOptions::new().append(true).open(place.path("claude/projects/q/s2.jsonl")).unwrap();
        file.write_all(half.as_bytes()).unwrap();
        file.write_all(rest.as_bytes()).unwrap();
        assert_eq!((brought(&events), place.found("長い依頼")), (1, 1));
        let message =
            json!({"type": "message", "role": "user", "content": [{"type": "input_text", "text": "在庫の依頼"}]});
        place.append(
            "codex/sessions/2026/rollout-x.jsonl",
            &[
                json!({"timestamp": "2026-06-20T10:00:00Z", "type": "session_meta", "payload": {"id": "x"}}),
                json!({"timestamp": "2026-06-20T10:00:00Z", "type": "response_item", "payload": message}),
            ],
        );
        assert_eq!((brought(&events), place.found("在庫の依頼")), (1, 1));
        cancel.cancel();
        watch.join().unwrap().unwrap();
    });
    assert_eq!(place.counts(), (3, 5));
}

#[test]
fn by_notices() {
    watched(false);
}

#[test]
fn by_looking() {
    watched(true);
}

/// `kiroku import --watch` on a folder, with what it prints.
struct Watching {
    child: std::process::Child,
    out: Receiver<String>,
    /// Lines that nobody waited for yet: its two streams come in any order.
    waiting: Vec<String>,
}

fn watching(home: &Home, path: &str) -> Watching {
    let mut command = home.command(&["import", "--watch", path]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (tell, out) = channel();
    let streams: [Box<dyn std::io::Read + Send>; 2] =
        [Box::new(child.stdout.take().unwrap()), Box::new(child.stderr.take().unwrap())];
    for stream in streams {
        let tell = tell.clone();
        std::thread::spawn(move || {
            for line in BufReader::new(stream).lines().map_while(Result::ok) {
                let _ = tell.send(line);
            }
        });
    }
    Watching { child, out, waiting: Vec::new() }
}

impl Watching {
    /// Waits for a line with these words.
    fn says(&mut self, words: &str) {
        while !self.waiting.iter().any(|line| line.contains(words)) {
            self.waiting.push(self.out.recv_timeout(LONGEST).expect("it says something"));
        }
        let said = self.waiting.iter().position(|line| line.contains(words));
        said.map(|at| self.waiting.remove(at));
    }

    /// Ctrl-C; answers the exit status.
    #[cfg(unix)]
    fn interrupt(mut self) -> Option<i32> {
        let kill = std::process::Command::new("kill").args(["-INT", &self.child.id().to_string()]).status();
        assert!(kill.unwrap().success());
        self.child.wait().unwrap().code()
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(unix)]
#[test]
fn the_command_line_tells_what_came_in_and_ends_cleanly() {
    let home = Home::new();
    let line = |nth: u32, text: &str| format!("{}\n", typed("s1", &format!("u{nth}"), nth, text));
    let path: PathBuf = home.write("claude/projects/p/s1.jsonl", line(0, "最初の依頼"));
    let mut watch = watching(&home, home.path("claude").to_str().unwrap());
    watch.says("claude-code: 1 new comments");
    watch.says("watching");
    let begun = Instant::now();
    let mut file = std::fs::OpenOptions::new().append(true).open(&path).unwrap();
    file.write_all(line(1, "見張られた依頼").as_bytes()).unwrap();
    let found = || home.run(&["search", "見張られた", "--json"]).json()["total"] == 1;
    while !found() {
        assert!(begun.elapsed() < LONGEST, "it was never found");
    }
    println!("from write to found: {} ms", begun.elapsed().as_millis());
    watch.says("claude-code: 1 new comments");
    assert_eq!(watch.interrupt(), Some(0));
    assert_eq!(home.run(&["import", path.to_str().unwrap(), "--json"]).json()["unchanged"], 1);
}
