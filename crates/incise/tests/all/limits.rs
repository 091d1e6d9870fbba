//! Limits hold whatever runs, signals end a command with what was found, and no child outlives its parent.
//!
//! Times are not asserted but for factors that no busy machine reaches: without the limit these commands go on for
//! minutes.

use crate::common::{Folder, incise};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

/// Nothing here takes longer, unless a limit does not hold.
const LONG: Duration = Duration::from_secs(60);

/// A key schedule: reads and writes of a table at places that depend on what was read before. Bitwuzla reasons about
/// such arrays for minutes.
const TABLE: &str = "unsigned f(unsigned char key[32], unsigned char out[64]) {
  unsigned char S[256]; unsigned i, j = 0;
  for (i = 0; i < 256; i++) S[i] = i;
  for (i = 0; i < 256; i++) { j = (j + S[i] + key[i & 31]) & 255; unsigned char x = S[i]; S[i] = S[j]; S[j] = x; }
  i = j = 0;
  for (unsigned k = 0; k < 64; k++) {
    i = (i + 1) & 255; j = (j + S[i]) & 255;
    unsigned char x = S[i]; S[i] = S[j]; S[j] = x;
    out[k] = S[(S[i] + S[j]) & 255] ^ 1;
  }
  if (out[3] == 7 && out[9] == 99 && (out[5] ^ out[8]) == 31) return 4;
  return out[0] | out[1] << 8;
}
";

/// Remainders of products: true, and nobody proves it in time.
const REMAINDERS: &str = "int f(unsigned a, unsigned b, unsigned c) {
  if (c < 2) return 0;
  unsigned long x = (unsigned long)a * b % c, y = (unsigned long)(a % c) * (b % c) % c;
  if (x != y) return 1;
  return 2;
}
";

/// An easy function and a hard one.
fn hard_pair() -> Folder {
    let easy = "int easy(int x) { return x + 1; }\n";
    let old = format!("{easy}{TABLE}");
    let new = old.replace("x + 1", "x + 2").replace("^ 1;", "+ 1;");
    Folder::with(&[("old.c", &old), ("new.c", &new)])
}

fn start(folder: &Folder, words: &[&str]) -> Child {
    let mut command = incise();
    command.current_dir(folder.root()).args(words).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the binary runs")
}

fn end(child: Child) -> Output {
    let id = child.id().to_string();
    let (ended, watched) = std::sync::mpsc::channel::<()>();
    // Who goes on for minutes is ended from outside.
    let watch = std::thread::spawn(move || {
        let hangs = watched.recv_timeout(LONG) == Err(RecvTimeoutError::Timeout);
        hangs && Command::new("kill").args(["-KILL", &id]).status().is_ok()
    });
    let output = child.wait_with_output().expect("it ends");
    drop(ended);
    assert!(!watch.join().expect("the watch ends"), "a limit does not hold");
    output
}

fn document(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!("no whole report ({error}): {}", String::from_utf8_lossy(&output.stderr))
    })
}

fn signal(name: &str, child: &Child) {
    let sent = Command::new("kill").args([name, &child.id().to_string()]).status();
    assert!(sent.expect("kill runs").success(), "it ended before it was signalled");
}

/// The processes below one, by what the kernel says.
fn below(id: u32) -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    let mut open = vec![id];
    while let Some(id) = open.pop() {
        let tasks = std::fs::read_dir(format!("/proc/{id}/task")).into_iter().flatten().flatten();
        for task in tasks {
            let text = std::fs::read_to_string(task.path().join("children")).unwrap_or_default();
            let ids = text.split_whitespace().filter_map(|word| word.parse().ok());
            open.extend(ids.filter(|&id| found.insert(id)));
        }
    }
    found
}

fn name_of(id: u32) -> String {
    std::fs::read_to_string(format!("/proc/{id}/comm")).unwrap_or_default().trim().to_owned()
}

/// Whether a process is there and no zombie, which only waits to be noticed.
fn runs(id: u32) -> bool {
    let text = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    text.rsplit(')').next().is_some_and(|rest| !rest.trim().is_empty() && !rest.trim().starts_with('Z'))
}

/// Waits until something is the case.
fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    for _ in 0..12_000 {
        if let Some(found) = look() {
            return found;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("waited too long: {what}");
}

/// Waits until a command has a child of that name.
fn child_named(name: &str, command: &mut Child) -> u32 {
    let id = command.id();
    wait_for(&format!("{name} runs"), || {
        assert!(command.try_wait().expect("it is ours").is_none(), "it ended without {name}");
        below(id).into_iter().find(|&id| name_of(id) == name)
    })
}

#[test]
fn a_hard_question_does_not_outlast_the_time() {
    let folder = hard_pair();
    let words = ["diff", "old.c", "new.c", "--verdict-only", "--max-time", "4s", "--format", "json"];
    let output = end(start(&folder, &words));
    let document = document(&output);
    // On a busy machine there may be no time to run the difference of the easy one natively.
    assert!(matches!(output.status.code(), Some(1 | 3)), "{document:#}");
    let of = |name: &str| {
        let all = document["entries"].as_array().unwrap().iter();
        all.clone().find(|entry| entry["name"] == name).cloned().unwrap_or_else(|| panic!("{document:#}"))
    };
    assert!(of("easy")["verdict"] != "same" && of("f")["verdict"] != "same", "{document:#}");
}

#[test]
fn a_signal_in_the_middle_of_a_hard_question_ends_it_with_a_report() {
    for name in ["-TERM", "-INT"] {
        let folder = hard_pair();
        let child = start(
            &folder,
            &["diff", "old.c", "new.c", "--verdict-only", "--max-time", "10m", "--format", "json"],
        );
        std::thread::sleep(Duration::from_secs(3));
        signal(name, &child);
        let document = document(&end(child));
        assert_eq!(document["entries"].as_array().map(Vec::len), Some(2), "{document:#}");
        assert!(document["verdict"] != "same", "{document:#}");
    }
}

#[test]
fn memory_that_does_not_suffice_is_said() {
    let folder = hard_pair();
    let words = [
        "diff",
        "old.c",
        "new.c",
        "--verdict-only",
        "--max-time",
        "5m",
        "--max-memory",
        "60M",
        "--format",
        "json",
    ];
    let output = end(start(&folder, &words));
    let document = document(&output);
    assert!(document.to_string().contains("max-memory"), "{document:#}");
    assert!(document["verdict"] != "same", "{document:#}");
}

#[test]
fn inputs_that_do_not_fit_into_memory_are_cut() {
    let large = "static char table[1 << 24]; int f(int i) { table[i & 1023] = 1; return table[5]; }\n";
    let folder = Folder::with(&[("f.c", large)]);
    let words = ["run", "f.c", "--max-time", "10m", "--max-memory", "250M", "--format", "json"];
    let output = end(start(&folder, &words));
    let document = document(&output);
    assert_eq!((output.status.code(), &document["summary"]["limits"]), (Some(3), &json!(["max-memory"])));
}

#[test]
fn every_command_keeps_to_no_time_at_all() {
    let folder = hard_pair();
    let generated = folder.run(&["suite", "generate", "old.c", "--entry", "easy", "-o", "suite"]);
    assert_eq!(generated.status, 0, "{}", generated.stderr);
    assert_eq!(folder.run(&["run", "old.c", "--entry", "easy", "--tests", "tests"]).status, 0);
    for words in [
        &["diff", "old.c", "new.c"][..],
        &["run", "old.c", "--entry", "f"],
        &["impact", "old.c", "new.c"],
        &["cover", "old.c", "new.c", "--tests", "suite"],
        &["explain", "old.c", "new.c", "--test", "tests/test000001"],
        &["suite", "update", "old.c", "new.c", "--suite", "suite", "-o", "updated"],
        &["suite", "select", "old.c", "new.c", "--suite", "suite"],
        &["suite", "check", "--suite", "suite"],
        &["replay", "tests"],
    ] {
        let words: Vec<&str> = words.iter().chain(&["--max-time", "1ms"]).copied().collect();
        let said = folder.run(&words);
        assert_eq!(said.status, 3, "{words:?}\n{}\n{}", said.stdout, said.stderr);
        let all = format!("{}{}", said.stdout, said.stderr);
        assert!(all.contains("--max-time") || all.contains("time limit"), "{words:?}\n{all}");
    }
}

#[test]
fn a_report_in_a_hurry_is_a_document() {
    let folder = hard_pair();
    for words in
        [&["diff", "old.c", "new.c"][..], &["run", "old.c", "--entry", "f"], &["impact", "old.c", "new.c"]]
    {
        let words: Vec<&str> =
            words.iter().chain(&["--max-time", "1ms", "--format", "json"]).copied().collect();
        let output = end(start(&folder, &words));
        let document = document(&output);
        assert!(document["schema"].is_string() || document["schema"].is_number(), "{document:#}");
        assert!(document.to_string().contains("max-time"), "{words:?} {document:#}");
    }
}

#[test]
fn no_child_outlives_a_parent_that_is_killed() {
    // Z3 is asked when Bitwuzla has had its time.
    let folder = Folder::with(&[("f.c", REMAINDERS)]);
    let mut parent = start(&folder, &["run", "f.c", "--solver-timeout", "2s", "--max-time", "10m"]);
    let child = child_named("z3", &mut parent);
    parent.kill().expect("it is ours");
    parent.wait().expect("it ends");
    wait_for("z3 ends", || (!runs(child)).then_some(()));
}

#[test]
fn no_native_run_outlives_a_parent_that_is_killed() {
    let endless = "int f(int x) { if (x == 3) for (volatile int i = 0;; i ^= 1) ; return x; }\n";
    let folder = Folder::with(&[("f.c", "int f(int x) { if (x == 3) return 1; return x; }\n")]);
    assert_eq!(folder.run(&["run", "f.c", "--tests", "tests"]).status, 0);
    std::fs::write(folder.path("g.c"), endless).unwrap();
    let mut parent = start(&folder, &["replay", "tests", "--on", "g.c", "--timeout", "10m"]);
    let child = child_named("program", &mut parent);
    parent.kill().expect("it is ours");
    parent.wait().expect("it ends");
    wait_for("the native run ends", || (!runs(child)).then_some(()));
}

#[test]
fn nothing_is_left_after_the_end() {
    let folder = Folder::with(&[("f.c", REMAINDERS)]);
    let scratch = folder.path("scratch");
    std::fs::create_dir(&scratch).unwrap();
    for signalled in [false, true] {
        let mut command = incise();
        command.current_dir(folder.root()).env("TMPDIR", &scratch);
        command.args(["run", "f.c", "--solver-timeout", "2s", "--max-time", "6s"]);
        let mut parent = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut seen = BTreeSet::from([child_named("z3", &mut parent)]);
        if signalled {
            signal("-TERM", &parent);
        }
        while parent.try_wait().unwrap().is_none() {
            seen.extend(below(parent.id()));
            std::thread::sleep(Duration::from_millis(2));
        }
        assert!(!seen.iter().any(|&id| runs(id)), "{seen:?}");
        assert_eq!(std::fs::read_dir(&scratch).unwrap().count(), 0, "temporary files are left");
    }
}
