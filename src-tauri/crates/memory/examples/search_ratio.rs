//! Memory search beside `rg -i -F -C3` over the same 10,000 files, in one run, turn and turn about.
//!
//! `cargo run --release -p kiroku-memory --example search_ratio [FILES]`

use kiroku_memory::search::{Query, search};
use kiroku_memory::{ContentRoot, RecordKind};
use kiroku_model::Cancel;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

fn main() -> Outcome<()> {
    let files: usize = std::env::args().nth(1).map_or(Ok(10_000), |n| n.parse())?;
    let folder = tempfile::tempdir()?;
    let bytes = write_tree(folder.path(), files)?;
    let root = ContentRoot::at(folder.path())?;
    println!("{files} files, {:.1} MB", bytes as f64 / 1e6);
    println!("{:28} {:>8} {:>10} {:>10} {:>7}", "query", "lines", "ours p50", "rg p50", "ratio");
    for query in ["zyzzyva", "lantern", "the", "Cache Token", "e", "検索", "の", "エンジン", "nothing at all here"]
    {
        let (mut ours, mut theirs, mut total) = (Vec::new(), Vec::new(), 0);
        for _ in 0..21 {
            let start = Instant::now();
            let asked = Query { text: query, kinds: &RecordKind::ALL, frontmatter_kind: None, limit: 20, around: 3 };
            total = search(&root, &asked, &Cancel::new())?.total;
            ours.push(start.elapsed());
            let start = Instant::now();
            Command::new("rg")
                .args(["-i", "-F", "-C3", "--no-config", "--", query])
                .arg(folder.path())
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .status()?;
            theirs.push(start.elapsed());
        }
        let (a, b) = (middle(&mut ours), middle(&mut theirs));
        println!("{query:28} {total:>8} {:>8.1}ms {:>8.1}ms {:>7.2}", ms(a), ms(b), ms(a) / ms(b));
    }
    Ok(())
}

fn middle(times: &mut [Duration]) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Records in Japanese and English, of about two kilobytes, from a fixed seed.
fn write_tree(root: &Path, files: usize) -> Outcome<u64> {
    const WORDS: [&str; 24] = [
        "the",
        "of",
        "token",
        "cache",
        "search",
        "index",
        "file",
        "write",
        "Cache Token",
        "lock",
        "検索",
        "索引",
        "記録",
        "の",
        "は",
        "エンジン",
        "トークン（仮）",
        "読み込み、",
        "決定。",
        "ＩＤ",
        "memory",
        "knowledge",
        "request",
        "decision",
    ];
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = move || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed
    };
    let mut bytes = 0;
    for folder in ["memory/decisions", "memory/requests", "knowledge"] {
        std::fs::create_dir_all(root.join(folder))?;
    }
    for n in 0..files {
        let folder = ["memory/decisions", "memory/requests", "knowledge"][n % 3];
        let mut text = format!(
            "---\ncreated_at: 2026-06-20T10:00:00Z\nkind: rule\ndescription: record {n}\nsources:\n  - session_id: abc{n}\n    range: [1, 2]\n---\n"
        );
        let japanese = n % 2 == 0;
        for _ in 0..30 {
            for _ in 0..10 {
                let word = if japanese { WORDS[(next() % 24) as usize] } else { WORDS[(next() % 10) as usize] };
                text.push_str(word);
                text.push(' ');
            }
            if next() % 3000 == 0 {
                text.push_str("Lantern");
            }
            text.push('\n');
        }
        bytes += text.len() as u64;
        std::fs::write(root.join(folder).join(format!("record-{n}.md")), text)?;
    }
    Ok(bytes)
}
