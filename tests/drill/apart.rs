//! Drills in a place apart from the machine, which Linux gives a process that asks for it (namespaces): a disk that is
//! full, and a computer without any network. Where the system refuses that, the drill says that it could not be done.

use crate::kiroku::Kiroku;
use crate::random::Random;
use crate::{Result, input, kept, record};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// This program again, with `args`, in namespaces of its own; `false` if the system gives none.
fn apart(namespaces: &[&str], args: &[&str]) -> Result<bool> {
    // The superuser needs no namespace of users, and gets a real tmpfs more often without.
    for before in [&[][..], &["--user", "--map-root-user"]] {
        let unshare = || {
            let mut command = Command::new("unshare");
            command.args(before).args(namespaces).stdin(Stdio::null());
            command
        };
        let given = unshare().arg("true").stderr(Stdio::null()).status().is_ok_and(|status| status.success());
        if given {
            let status = unshare().arg(std::env::current_exe()?).args(args).status()?;
            return if status.success() { Ok(true) } else { Err(format!("it ended with {status}").into()) };
        }
    }
    Ok(false)
}

/// Fills disks of many sizes.
pub fn full_disk(rounds: u32, seed: u64) -> Result<()> {
    if !apart(&["--mount"], &["full-disk-inside", &rounds.to_string(), &seed.to_string()])? {
        println!("full disk: NOT done, this system gives no namespace to mount a small disk in");
    }
    Ok(())
}

/// What [`full_disk`] does inside.
pub fn full_disk_inside(rounds: u32, seed: u64) -> Result<()> {
    let kiroku = Kiroku::build()?;
    let folder = tempfile::Builder::new().prefix("kiroku-full-").tempdir()?;
    let input = input::write(folder.path(), seed)?;
    let calm = folder.path().join("calm.db");
    let new = ["space", "new", "--name", "drill", "--member", "m1", "--anyway"];
    kiroku.run(&calm, &new)?;
    let import = input.args()?;
    kiroku.run(&calm, &import)?;
    let expected = record::of_export(&kiroku.run(&calm, &["export"])?)?;
    let whole = usize::try_from(fs::metadata(&calm)?.len())?;
    let disk = folder.path().join("disk");
    fs::create_dir_all(&disk)?;
    let mut random = Random::new(seed);
    let mut filled = 0;
    for round in 1..=rounds {
        // From hardly room for an empty space to nearly enough, the WAL beside the file included.
        let size = 1_200_000 + random.below(whole + whole / 2);
        mount(&disk, &format!("size={size}"))?;
        let one = one_disk(&kiroku, &disk, &import, &expected);
        let unmounted = Command::new("umount").arg(&disk).status()?;
        match one {
            Ok(full) => filled += u32::from(full),
            Err(error) => return Err(kept(folder, &format!("round {round}, a disk of {size} bytes: {error}"))),
        }
        if !unmounted.success() {
            return Err("the small disk can't be unmounted".into());
        }
    }
    println!(
        "{rounds} small disks, {filled} of them filled by an import: each time said, nothing lost, and done with more room"
    );
    if filled == 0 { Err("no disk was filled".into()) } else { Ok(()) }
}

fn mount(at: &Path, options: &str) -> Result<()> {
    let status = Command::new("mount").args(["-t", "tmpfs", "-o", options, "kiroku-drill"]).arg(at).status()?;
    if status.success() { Ok(()) } else { Err("a tmpfs can't be mounted".into()) }
}

/// Whether the import filled the disk.
fn one_disk(kiroku: &Kiroku, disk: &Path, import: &[&str], expected: &BTreeSet<String>) -> Result<bool> {
    let space = disk.join("space.db");
    kiroku.run(&space, &["space", "new", "--name", "drill", "--member", "m1", "--anyway"])?;
    let ended = kiroku.try_run(&space, import)?;
    let full = ended.status != Some(0);
    if full && (ended.status != Some(1) || !ended.said.contains("full")) {
        return Err(format!("the import ended with {:?}: {}", ended.status, ended.said).into());
    }
    // A disk without a byte left, and nothing in the file may suffer from it.
    let ballast = disk.join("ballast");
    let _ = Command::new("dd")
        .arg("if=/dev/zero")
        .arg(format!("of={}", ballast.display()))
        .arg("bs=4k")
        .stderr(Stdio::null())
        .status()?;
    let ended = kiroku.try_run(&space, &["space", "rename", "no room"])?;
    if !matches!(ended.status, Some(0 | 1)) {
        return Err(format!("a write on the full disk ended with {:?}: {}", ended.status, ended.said).into());
    }
    fs::remove_file(&ballast)?;
    let status = Command::new("mount").args(["-o", "remount,size=256m"]).arg(disk).status()?;
    if !status.success() {
        return Err("the small disk can't be made larger".into());
    }
    kiroku.run(&space, &["doctor"])?;
    // What an import had committed before the disk was full is whole, and the rest comes with the next one.
    kiroku.run(&space, &["space", "rename", "drill"])?;
    kiroku.run(&space, import)?;
    kiroku.run(&space, &["doctor"])?;
    let found = record::of_export(&kiroku.run(&space, &["export"])?)?;
    match record::difference(expected, &found) {
        Some(difference) => Err(format!("not the record of an undisturbed import: {difference}").into()),
        None => Ok(full),
    }
}

/// Does the main work where there is no network, and looks at the system calls where `strace` is at hand.
pub fn network() -> Result<()> {
    if !apart(&["--net"], &["network-inside"])? {
        println!("no network: NOT done, this system gives no namespace without one");
    }
    Ok(())
}

/// What [`network`] does inside.
pub fn network_inside() -> Result<()> {
    let interfaces = fs::read_to_string("/proc/net/dev")?;
    let up: Vec<&str> = interfaces.lines().skip(2).filter(|line| !line.trim_start().starts_with("lo:")).collect();
    if !up.is_empty() {
        return Err(format!("there is a network here: {up:?}").into());
    }
    let kiroku = Kiroku::build()?;
    let folder = tempfile::Builder::new().prefix("kiroku-network-").tempdir()?;
    let input = input::write_small(folder.path(), 1)?;
    let input = input.to_str().ok_or("a temporary path that is not UTF-8")?;
    let space = folder.path().join("space.db");
    let commands: [&[&str]; 9] = [
        &["space", "new", "--name", "drill", "--member", "m1", "--anyway"],
        &["import", input],
        &["search", "の"],
        &["tasks"],
        &["export"],
        &["backup"],
        &["memory", "ls"],
        &["doctor"],
        &["mcp"],
    ];
    let traced = Command::new("strace").arg("-V").stdout(Stdio::null()).status().is_ok_and(|status| status.success());
    let trace = folder.path().join("trace");
    for args in commands {
        if !traced {
            kiroku.run(&space, args)?;
            continue;
        }
        let before = ["strace", "-f", "-qq", "-e", "trace=socket,connect,sendto", "-o"];
        let trace_path = trace.to_str().ok_or("a temporary path that is not UTF-8")?;
        kiroku.run_under(&[&before[..], &[trace_path]].concat(), &space, args)?;
        let calls = fs::read_to_string(&trace)?;
        let outward: Vec<&str> =
            calls.lines().filter(|line| line.contains("AF_INET") || line.contains("AF_NETLINK")).collect();
        if !outward.is_empty() {
            return Err(format!("`kiroku {}` asks for the network: {outward:?}", args.join(" ")).into());
        }
    }
    let looked = if traced {
        "none of their system calls asks for it"
    } else {
        "their system calls were NOT looked at, strace is not here"
    };
    println!("{} commands without a network: all do their work, and {looked}", commands.len());
    Ok(())
}
