//! What other runs found out is taken from the store, and makes no difference to what is told.

use crate::common::{Folder, Said, assert_fails, incise};
use incise_testing::{Features, Pair, batch, is_long};
use std::path::Path;

const OLD: &str = "\
int limit = 10;
static int clamp(int x) { if (x > limit) return limit; if (x < 0) return 0; return x; }
int twice(int x) { return clamp(x) + clamp(x); }
int count;
int sum(const int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; count = n; return s; }
";
const NEW: &str = "\
int limit = 10;
static int clamp(int x) { if (x > limit) return limit; if (x < 0) return 0; return x; }
int twice(int x) { int y = clamp(x); return y + y; }
int count;
int sum(const int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; count = n + (n == 3); return s; }
";

/// Compares two files with a store in a folder.
fn diff(folder: &Folder, words: &[&str]) -> Said {
    let mut command = incise();
    command.current_dir(folder.root()).args(["diff", "old.c", "new.c", "--store", "store"]).args(words);
    Said::by(&mut command)
}

/// How many verdicts were taken.
fn taken(said: &Said) -> usize {
    let line =
        said.stderr.lines().find(|line| line.starts_with("note: ") && line.contains("taken from the store"));
    let number = line.and_then(|line| line.trim_start_matches("note: ").split(' ').next()?.parse().ok());
    number.unwrap_or(0)
}

/// What is told, without times.
fn told(said: &Said) -> String {
    let timeless = |line: &str| {
        let mut line = line.to_owned();
        while let Some(start) = line.find("_ms\":") {
            let end = line[start + 5..].find([',', '}']).map_or(line.len(), |at| start + 5 + at);
            line.replace_range(start..end, "");
        }
        line
    };
    let has_time =
        |line: &&str| !line.starts_with(['{', '}', ' ']) && (line.contains(" ms") || line.contains(" s,"));
    said.stdout.lines().filter(|line| !has_time(line)).map(timeless).collect::<Vec<_>>().join("\n")
}

fn pair() -> Folder {
    Folder::with(&[("old.c", OLD), ("new.c", NEW)])
}

#[test]
fn the_second_run_answers_from_the_store_with_the_same_report() {
    for words in
        [&[][..], &["--verdict-only"], &["--verdict-only", "--format", "json"], &["--entry", "twice"]]
    {
        let folder = pair();
        let without = {
            let mut command = incise();
            command.current_dir(folder.root()).args(["diff", "old.c", "new.c", "--no-store"]).args(words);
            Said::by(&mut command)
        };
        let first = diff(&folder, words);
        let second = diff(&folder, words);
        assert_eq!((taken(&without), taken(&first)), (0, 0), "{}{}", without.stderr, first.stderr);
        assert!(taken(&second) >= 1, "{words:?}: {}", second.stderr);
        for said in [&first, &second] {
            assert_eq!((said.status, told(said)), (without.status, told(&without)), "{words:?}");
        }
    }
}

#[test]
fn a_store_and_none_contradict_each_other() {
    assert_fails(&diff(&pair(), &["--no-store"]), &["--no-store"]);
}

#[test]
fn everything_that_a_verdict_follows_from_counts() {
    let folder = pair();
    let asked = ["--verdict-only"];
    assert_eq!(taken(&diff(&folder, &asked)), 0);
    assert_eq!(taken(&diff(&folder, &asked)), 2);
    let other_words: [&[&str]; 8] = [
        &["--max-loop", "3"],
        &["--observe", "result"],
        &["--no-native"],
        &["--inputs", "any"],
        &["--check", "overflow"],
        &["-O1"],
        &["-DX=1"],
        &["--solver-timeout", "3s"],
    ];
    for words in other_words {
        assert_eq!(taken(&diff(&folder, &[&asked, words].concat())), 0, "{words:?}");
        assert_eq!(taken(&diff(&folder, &asked)), 2, "{words:?}");
    }
    // In the callee, in a variable, in its first value, in a caller, in a type, and in a line of a position.
    let changes = [
        ("return 0; return x", "return 1; return x"),
        ("int limit = 10", "long limit = 10"),
        ("int limit = 10", "int limit = 11"),
        ("int count;", "int count;\nint caller(void) { int a[2] = {1, 2}; return sum(a, 2); }"),
        ("int count;", "short count;"),
        ("int count;", "\nint count;"),
    ];
    for (before, after) in changes {
        for file in ["old.c", "new.c"] {
            let folder = pair();
            assert_eq!(taken(&diff(&folder, &asked)), 0);
            let text = if file == "old.c" { OLD } else { NEW };
            assert!(text.contains(before));
            // A function before another one has to be declared.
            let text = format!("int sum(const int *, int);\n{}", text.replace(before, after));
            std::fs::write(folder.path(file), text).expect("a file");
            let said = diff(&folder, &asked);
            assert!(said.status < 2 || said.status == 3, "{}", said.stderr);
            assert_eq!(taken(&said), 0, "{file}: {after}");
        }
    }
}

#[test]
fn what_rests_on_a_clock_is_not_kept() {
    // Too much for the time that there is, or it does not end natively.
    let hard = "unsigned f(unsigned a, unsigned b, unsigned c) { return (a * b) % (c | 1u) == 77u ? a * c : b SIGN 0u; }\n";
    let folder =
        Folder::with(&[("old.c", &hard.replace("SIGN", "+")), ("new.c", &hard.replace("SIGN", "*"))]);
    let stopped = ["--verdict-only", "--max-time", "1s"];
    let first = diff(&folder, &stopped);
    if first.status == 3 {
        assert_eq!(taken(&diff(&folder, &stopped)), 0);
    }
    let endless = "int f(int x) { while (x == 5) { WAIT } return x; }\n";
    let folder = Folder::with(&[
        ("old.c", &endless.replace("WAIT", "x = 6;")),
        ("new.c", &endless.replace("WAIT", "")),
    ]);
    let first = diff(&folder, &["--verdict-only"]);
    assert_eq!(first.status, 1, "{}{}", first.stdout, first.stderr);
    assert_eq!(taken(&diff(&folder, &["--verdict-only"])), 0);
}

#[test]
fn damaged_entries_cost_nothing_but_time() {
    let folder = pair();
    let first = diff(&folder, &["--verdict-only"]);
    let entries = || files(&folder.path("store")).into_iter().filter(|path| !path.ends_with("lock"));
    assert_eq!(entries().count(), 2);
    for damage in ["", "garbage", "incise-store/1\n"] {
        entries().for_each(|entry| std::fs::write(entry, damage).expect("damaged"));
        let said = diff(&folder, &["--verdict-only"]);
        assert_eq!((said.status, told(&said), taken(&said)), (first.status, told(&first), 0));
        assert_eq!(taken(&diff(&folder, &["--verdict-only"])), 2);
    }
}

/// An entry that is whole, and is not true: who can write to a store can put it there.
#[test]
fn an_entry_that_is_not_true_is_found_when_it_is_checked() {
    let folder = pair();
    let first = diff(&folder, &["--verdict-only"]);
    for entry in files(&folder.path("store")).into_iter().filter(|path| !path.ends_with("lock")) {
        let bytes = std::fs::read(&entry).expect("an entry");
        let key: String = [entry.parent().and_then(Path::file_name), entry.file_name()]
            .map(|name| name.expect("a name").to_string_lossy().into_owned())
            .concat();
        let text = String::from_utf8_lossy(&bytes[56..]).replace("\"Differs\"", "\"Same\"");
        std::fs::write(&entry, sealed(&key, text.as_bytes())).expect("a lie");
    }
    let believed = diff(&folder, &["--verdict-only", "--check-store"]);
    assert_eq!((believed.status, told(&believed)), (first.status, told(&first)));
    assert!(believed.stderr.contains("is not used any more"), "{}", believed.stderr);
}

fn sealed(key: &str, content: &[u8]) -> Vec<u8> {
    use sha2::{Digest, Sha256};
    let digit = |at: usize| u8::from_str_radix(&key[at..at + 2], 16).expect("a key");
    let mut hash = Sha256::new();
    hash.update((0..key.len()).step_by(2).map(digit).collect::<Vec<u8>>());
    hash.update(content);
    let mut entry = b"incise-store/1\n\0".to_vec();
    entry.extend_from_slice(&(content.len() as u64).to_le_bytes());
    entry.extend_from_slice(&hash.finalize());
    entry.extend_from_slice(content);
    entry
}

#[test]
fn a_place_that_cannot_be_used_costs_a_sentence() {
    let folder = pair();
    let first = diff(&folder, &["--verdict-only"]);
    std::fs::write(folder.path("file"), "").expect("a file");
    let mut command = incise();
    command.current_dir(folder.root());
    command.args(["diff", "old.c", "new.c", "--verdict-only", "--store", "file/below"]);
    let said = Said::by(&mut command);
    assert_eq!((said.status, told(&said)), (first.status, told(&first)));
    assert_eq!(said.stderr.matches("is not used any more").count(), 1, "{}", said.stderr);
    // A file may not grow: the disk is full.
    let mut command = std::process::Command::new("prlimit");
    command.current_dir(folder.root()).arg("--fsize=100").arg(env!("CARGO_BIN_EXE_incise"));
    command.args(["diff", "old.c", "new.c", "--verdict-only", "--no-native", "--store", "small", "--quiet"]);
    let said = Said::by(&mut command);
    // clang writes files, too: whatever becomes of the run, nothing half written is taken later.
    assert_eq!(taken(&said), 0);
    for entry in files(&folder.path("small")) {
        assert!(std::fs::metadata(&entry).expect("a file").len() <= 100);
    }
    let mut command = incise();
    command.current_dir(folder.root());
    command.args(["diff", "old.c", "new.c", "--verdict-only", "--store", "small"]);
    let said = Said::by(&mut command);
    assert_eq!((said.status, told(&said), taken(&said)), (first.status, told(&first), 0));
}

#[test]
fn many_runs_at_once_share_a_store() {
    let folder = pair();
    let first = told(&diff(&pair(), &["--verdict-only"]));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..2 {
                    assert_eq!(told(&diff(&folder, &["--verdict-only"])), first);
                }
            });
        }
    });
}

/// Random pairs with one store for all of them: what is told is what is told without.
#[test]
fn random_pairs_have_the_same_verdicts_with_a_store() {
    let seeds = if is_long() { 40 } else { 2 };
    let folder = Folder::with(&[]);
    let run = |words: &[&str]| {
        let mut command = incise();
        command.current_dir(folder.root()).args([
            "diff",
            "old.c",
            "new.c",
            "--verdict-only",
            "--format",
            "json",
        ]);
        Said::by(command.args(["--cflags=-w -fwrapv", "--no-native", "--max-loop", "4"]).args(words))
    };
    let (mut all, mut answered) = (0, 0);
    for seed in 0..seeds {
        let made = batch(&Features::few_inputs(), seed, 6);
        // One program of several is another one at a time, so that most of the code is the same.
        let lines: Vec<&str> = made.old.lines().collect();
        let one_changed = |pair: &Pair| {
            let (start, end) = (*pair.old_lines.start() as usize - 1, *pair.old_lines.end() as usize);
            [&lines[..start].join("\n"), pair.new_text.trim_end(), &lines[end..].join("\n")].join("\n")
        };
        let versions = made.pairs.iter().map(one_changed).chain([made.new.clone()]);
        for new in versions {
            std::fs::write(folder.path("old.c"), &made.old).expect("a file");
            std::fs::write(folder.path("new.c"), new).expect("a file");
            let without = run(&["--no-store"]);
            let with = run(&["--store", "store"]);
            let again = run(&["--store", "store"]);
            for said in [&with, &again] {
                assert_eq!((said.status, told(said)), (without.status, told(&without)), "seed {seed}");
            }
            let judged = without.json().expect("a document")["verdicts"].to_string();
            all += judged.matches("\"verdict\"").count();
            answered += taken(&again);
        }
    }
    println!("{answered} verdicts were taken from the store, of {all}");
    assert!(answered > 0);
}

#[test]
fn what_is_kept_is_shown_and_removed() {
    let folder = pair();
    diff(&folder, &["--verdict-only"]);
    let cache = |words: &[&str]| {
        let mut command = incise();
        command.current_dir(folder.root()).env_remove("INCISE_STORE").env("XDG_CACHE_HOME", folder.root());
        Said::by(command.arg("cache").args(words))
    };
    let size = cache(&["size", "--store", "store"]);
    assert!(size.stdout.starts_with("kept: 2 entries, "), "{}", size.stdout);
    let document = cache(&["size", "--store", "store", "--format", "json"]).json().expect("a document");
    assert_eq!((&document["schema"], &document["kept"]["entries"]), (&"incise-cache/1".into(), &2.into()));
    assert!(cache(&["clear", "--store", "store"]).stdout.starts_with("removed: 2 entries, "));
    assert!(cache(&["size", "--store", "store"]).stdout.starts_with("kept: 0 entries, 0 bytes"));
    let path = cache(&["path"]);
    assert_eq!(path.stdout.trim_end(), folder.root().join("incise/store").display().to_string());
    // Where nothing is kept there is nothing to show.
    let mut command = incise();
    let said = Said::by(command.current_dir(folder.root()).args(["cache", "size"]));
    assert_fails(&said, &["nothing is kept"]);
}

#[test]
fn places_that_make_no_sense_are_told_without_secrets() {
    let folder = pair();
    for (place, word) in [
        ("ftp://me:hunter2@host", "begins with redis://"),
        ("redis://me:hunter2@/", "names a server"),
        ("s3://me:hunter2@bucket?color=red", "the option 'color'"),
    ] {
        let mut command = incise();
        command.current_dir(folder.root()).args(["diff", "old.c", "new.c", "--store", place]);
        let said = Said::by(&mut command);
        assert_fails(&said, &[word]);
        assert!(!said.stderr.contains("hunter2"), "{}", said.stderr);
    }
    std::fs::write(folder.path("incise.toml"), "store.place = \"redis://me:hunter2@host\"\n")
        .expect("a file");
    let mut command = incise();
    command.current_dir(folder.root()).env_remove("INCISE_STORE").args(["diff", "old.c", "new.c"]);
    let said = Said::by(&mut command);
    assert_fails(&said, &["INCISE_STORE"]);
    assert!(!said.stderr.contains("hunter2"), "{}", said.stderr);
    std::fs::write(folder.path("incise.toml"), "[store]\nplace = \"here\"\nlimit = \"5M\"\n")
        .expect("a file");
    let mut command = incise();
    command.current_dir(folder.root()).env_remove("INCISE_STORE").args(["diff", "old.c", "new.c"]);
    Said::by(command.arg("--verdict-only"));
    assert_eq!(files(&folder.path("here")).len(), 3, "two entries and the lock");
}

/// In a repository trees lie elsewhere each time.
#[test]
fn verdicts_on_revisions_are_found_again() {
    let folder = Folder::with(&[("sum.c", OLD)]);
    let git = |words: &[&str]| {
        let mut command = std::process::Command::new("git");
        command.current_dir(folder.root()).args(["-c", "user.name=a", "-c", "user.email=a@b"]).args(words);
        assert!(command.output().expect("git runs").status.success(), "{words:?}");
    };
    git(&["init", "-q"]);
    git(&["add", "sum.c"]);
    git(&["commit", "-qm", "one"]);
    std::fs::write(folder.path("sum.c"), NEW).expect("a file");
    git(&["commit", "-qam", "two"]);
    let run = |words: &[&str]| {
        let mut command = incise();
        command.current_dir(folder.root()).args(["diff", "HEAD~1", "HEAD", "--format", "json"]);
        Said::by(command.args(["--store", ".store"]).args(words))
    };
    let (first, second) = (run(&[]), run(&[]));
    assert_eq!((first.status, told(&first)), (second.status, told(&second)));
    assert_eq!((taken(&first), taken(&second)), (0, 2), "{}", second.stderr);
}

/// Two machines, each with a folder of its own, and a server that both use; then it is killed.
#[cfg(feature = "shared-store")]
#[test]
fn machines_share_what_they_found_out() {
    let folder = pair();
    let free = std::net::TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    let port = free.expect("a free port").port();
    let mut server = std::process::Command::new("redis-server");
    server.args([
        "--port",
        &port.to_string(),
        "--bind",
        "127.0.0.1",
        "--save",
        "",
        "--requirepass",
        "hunter2",
    ]);
    server.current_dir(folder.root()).stdout(std::process::Stdio::null());
    let mut server = server.spawn().expect("redis-server (`make setup` installs it)");
    while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(server.try_wait().expect("a server").is_none(), "the server ends at once");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let run = |machine: &str| {
        let mut command = incise();
        command.env("INCISE_STORE", format!("redis://:hunter2@127.0.0.1:{port}/2/team"));
        command.env("INCISE_LOG", "trace").env("XDG_CACHE_HOME", folder.path(machine));
        Said::by(command.current_dir(folder.root()).args(["diff", "old.c", "new.c", "--verdict-only"]))
    };
    let (first, second) = (run("one"), run("two"));
    let gone = {
        server.kill().and_then(|()| server.wait()).expect("killed");
        run("three")
    };
    let nearby = run("two");
    for said in [&first, &second, &gone, &nearby] {
        assert_eq!((said.status, told(said)), (first.status, told(&first)));
        assert!(!said.stderr.contains("hunter2"), "a secret is told");
    }
    assert_eq!([&first, &second, &gone, &nearby].map(taken), [0, 2, 0, 2]);
    assert_eq!(gone.stderr.matches("is not used any more").count(), 1);
}

/// A build without shared stores says so.
#[cfg(not(feature = "shared-store"))]
#[test]
fn a_build_without_shared_stores_says_so() {
    let folder = pair();
    let mut command = incise();
    command.current_dir(folder.root()).args(["diff", "old.c", "new.c", "--store", "redis://me:hunter2@host"]);
    let said = Said::by(&mut command);
    assert_fails(&said, &["no shared stores", "make build"]);
    assert!(!said.stderr.contains("hunter2"), "{}", said.stderr);
}

fn files(folder: &Path) -> Vec<std::path::PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}
