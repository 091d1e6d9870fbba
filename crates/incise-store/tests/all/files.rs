//! Entries in a folder: room, many processes at once, and what is left of those that were killed.

use incise_store::{FileStore, Key, KeyBuilder, Store, StoreAccess, open, seal};
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

const ROOM: u64 = 1 << 20;

fn key(number: usize) -> Key {
    KeyBuilder::new("test").with("number", &number).key()
}

fn access(folder: &Path) -> StoreAccess {
    StoreAccess::new(vec![Arc::new(FileStore::new(folder.to_owned(), ROOM))])
}

/// All files in a folder and below.
fn files(folder: &Path) -> Vec<std::path::PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

#[test]
fn what_was_put_is_there_for_others() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("not/yet/there");
    assert_eq!(access(&place).get(&key(1)), None);
    assert!(!place.exists(), "who only asks writes nothing");
    access(&place).put(&key(1), b"one");
    access(&place).put(&key(1), b"another one");
    assert_eq!(access(&place).get(&key(1)).as_deref(), Some(&b"another one"[..]));
    assert_eq!(access(&place).get(&key(2)), None);
    let store = FileStore::new(place.clone(), ROOM);
    assert_eq!(store.size().expect("a size").entries, 1);
    std::fs::write(place.join("thesis.tex"), "years of work").expect("a file");
    assert_eq!(store.clear().expect("cleared").entries, 1);
    assert_eq!(store.size().expect("a size").bytes, 0);
    assert!(place.join("thesis.tex").exists(), "what is not ours stays");
}

#[test]
fn what_was_not_used_longest_goes() {
    let folder = tempfile::tempdir().expect("a folder");
    let content = vec![7; 1 << 15];
    let store = FileStore::new(folder.path().to_owned(), ROOM);
    let put = |number: usize| store.put(&key(number), &seal(&key(number), &content)).expect("put");
    for number in 0..31 {
        put(number);
    }
    // Long ago, one after the other; then the first is used again.
    for (age, number) in (0..31).rev().zip(0..) {
        let name = key(number).to_string();
        let file = std::fs::File::options().write(true).open(folder.path().join(&name[..2]).join(&name[2..]));
        let time = SystemTime::now() - Duration::from_secs(1000 + 60 * age);
        file.expect("an entry").set_modified(time).expect("a time");
    }
    assert!(store.get(&key(0)).expect("an answer").is_some());
    let other = FileStore::new(folder.path().to_owned(), ROOM);
    for number in 31..33 {
        // A process looks for room at its first entry.
        let other = if number == 31 { &store } else { &other };
        other.put(&key(number), &seal(&key(number), &content)).expect("put");
    }
    let there = |number: usize| store.get(&key(number)).expect("an answer").is_some();
    assert!(store.size().expect("a size").bytes <= ROOM);
    assert!(there(0) && there(30) && there(31) && there(32), "what was used is there");
    assert!(!there(1) && !there(2), "what was not used for longest is gone");
    // What is too large by itself makes no room for itself.
    let large = vec![1; ROOM as usize / 2];
    store.put(&key(99), &large).expect("not put");
    assert!(!there(99) && there(32));
}

#[test]
fn damaged_entries_are_not_taken_and_replaced() {
    let folder = tempfile::tempdir().expect("a folder");
    let access = access(folder.path());
    for damage in [&b""[..], b"x", &[0; 4096], &seal(&key(2), b"other")] {
        access.put(&key(1), b"one");
        let entry = files(folder.path()).into_iter().find(|path| !path.ends_with("lock")).expect("an entry");
        let whole = std::fs::read(&entry).expect("an entry");
        std::fs::write(&entry, damage).expect("damaged");
        assert_eq!(access.get(&key(1)), None);
        std::fs::write(&entry, &whole[..whole.len() - 1]).expect("truncated");
        assert_eq!(access.get(&key(1)), None);
        access.put(&key(1), b"one");
        assert_eq!(access.get(&key(1)).as_deref(), Some(&b"one"[..]));
    }
}

#[test]
fn a_place_that_cannot_be_used_costs_nothing_but_a_sentence() {
    let folder = tempfile::tempdir().expect("a folder");
    let blocked = folder.path().join("file");
    std::fs::write(&blocked, "no folder").expect("a file");
    let access = access(&blocked.join("below"));
    for number in 0..5 {
        assert_eq!(access.get(&key(number)), None);
        access.put(&key(number), b"one");
    }
    assert_eq!(access.troubles().len(), 1);
}

/// The number of a child process that writes without end.
const WRITER: &str = "INCISE_STORE_TEST_WRITER";
const KEYS: usize = 8;

fn content(number: usize, round: usize) -> Vec<u8> {
    format!("{number} {round} ").into_bytes().repeat(3_000)
}

/// Not a test of its own: what the next one starts many of.
#[test]
fn a_writer_for_other_tests() {
    let Ok(folder) = std::env::var(WRITER) else { return };
    let store = FileStore::new(folder.into(), ROOM);
    println!("begun");
    for round in 0.. {
        let number = round % KEYS;
        let _ = store.put(&key(number), &seal(&key(number), &content(number, round)));
    }
}

#[test]
fn writers_that_are_killed_leave_only_whole_entries() {
    let folder = tempfile::tempdir().expect("a folder");
    for _ in 0..6 {
        let writers: Vec<_> = (0..3)
            .map(|_| {
                let mut command = Command::new(std::env::current_exe().expect("this test"));
                command.args(["--exact", "files::a_writer_for_other_tests", "--nocapture"]);
                command.env(WRITER, folder.path()).stdout(Stdio::piped()).spawn().expect("a writer")
            })
            .collect();
        for mut writer in writers {
            let mut begun = [0; 64];
            let _ = writer.stdout.as_mut().expect("a pipe").read(&mut begun);
            let store = FileStore::new(folder.path().to_owned(), ROOM);
            for number in (0..KEYS).cycle().take(200) {
                let Some(entry) = store.get(&key(number)).expect("an answer") else { continue };
                let content = open(&key(number), &entry).expect("all of an entry");
                assert!(content.starts_with(format!("{number} ").as_bytes()));
            }
            writer.kill().expect("killed");
            writer.wait().expect("ended");
        }
    }
    // What they left unfinished goes once it is old.
    let left = || files(folder.path()).into_iter().filter(|path| path.to_string_lossy().contains("/.new-"));
    let forsaken = folder.path().join("00/.new-forsaken");
    std::fs::create_dir_all(folder.path().join("00")).expect("a folder");
    std::fs::write(&forsaken, "half").expect("a file");
    for path in left() {
        let file = std::fs::File::options().write(true).open(&path).expect("a file");
        file.set_modified(SystemTime::now() - Duration::from_secs(7200)).expect("a time");
    }
    assert!(left().next().is_some());
    access(folder.path()).put(&key(0), b"one");
    assert_eq!(left().count(), 0);
}
