//! Prints the record that a session file, or every session below a directory, becomes: to read beside the file.
//!
//! `cargo run -p kiroku-sources --example session -- PATH [--codex] [--quiet]`

use kiroku_model::{Cancel, Kind};
use kiroku_sources::{Event, Source, claude_code::ClaudeCode, codex::Codex};
use std::path::Path;

/// One line of at most so many characters.
fn short(text: &str, most: usize) -> String {
    let line = text.replace('\n', "⏎");
    let cut = line.chars().take(most).collect::<String>();
    if cut.len() < line.len() { format!("{cut}…({} bytes)", text.len()) } else { cut }
}

fn main() -> Result<(), kiroku_model::Error> {
    let mut args = std::env::args().skip(1);
    let path = args.next().unwrap_or_default();
    let options: Vec<String> = args.collect();
    let quiet = options.iter().any(|option| option == "--quiet");
    let source: &dyn Source = if options.iter().any(|option| option == "--codex") { &Codex } else { &ClaudeCode };
    let begin = std::time::Instant::now();
    let found = source.find(Path::new(&path), &Cancel::new())?;
    eprintln!("found {} files in {:?}", found.files.len(), begin.elapsed());
    for skipped in found.skipped {
        println!("skipped {}: {}", skipped.path.display(), skipped.why.en);
    }
    let (begin, mut lines, mut comments, mut bytes) = (std::time::Instant::now(), 0u64, 0u64, 0u64);
    for file in found.files {
        println!("\n===== {} ({:?}, {} bytes)", file.path.display(), file.folder, file.bytes);
        let mut reader = source.open(&file, None)?;
        let mut events = Vec::new();
        while reader.next(&mut events)? {
            lines += 1;
            for event in events.drain(..) {
                comments += u64::from(matches!(event, Event::Comment { .. }));
                if !quiet {
                    show(event);
                }
            }
        }
        bytes += reader.position();
        let state = reader.cursor().state.to_string().len();
        println!("-- unknown {}, times mended {}, state {state} bytes", reader.unknown_lines(), reader.mended_times());
    }
    let seconds = begin.elapsed().as_secs_f64();
    eprintln!(
        "{lines} lines, {comments} comments, {bytes} bytes in {seconds:.2} s: {:.0} lines/s, {:.0} MB/s",
        lines as f64 / seconds,
        bytes as f64 / 1e6 / seconds
    );
    Ok(())
}

fn show(event: Event) {
    match event {
        Event::Task(task) => println!(
            "    [{} | {} | {} | {:?} | {} – {}]",
            short(&task.key, 60),
            short(&task.title, 60),
            task.parent.as_deref().unwrap_or("-"),
            task.ending,
            task.created,
            task.updated
        ),
        Event::Comment { task, comment } => {
            let kind = match (&comment.kind, &comment.progress) {
                (Kind::Progress, Some(progress)) => progress.as_str(),
                (kind, _) => kind.as_str(),
            };
            let sub = if task.contains('/') { "      ↳ " } else { "" };
            println!(
                "{sub}{} {}/{kind} {} {}",
                comment.created,
                comment.author.as_str(),
                comment.key,
                short(&comment.body, 200)
            );
            for file in &comment.attachments {
                println!("{sub}    + {file:?}");
            }
            if let Some(input) = &comment.input {
                println!("{sub}    {} < {}", comment.tool.as_deref().unwrap_or(""), short(&input.text, 120));
            }
        }
        Event::Output { comment, output, .. } => println!("    {comment} > {}", short(&output.text, 160)),
        Event::Kind { comment, kind, progress, .. } => println!("    {comment} is {}/{:?}", kind.as_str(), progress),
        Event::List { task, at, call, .. } => println!("list of {task} at {at}: {}", short(&call, 200)),
        Event::Skipped(skipped) => println!("    skipped line {:?}: {}", skipped.line, skipped.why.en),
    }
}
