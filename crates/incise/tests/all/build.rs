//! `incise build`: small projects of several kinds are built, and it is looked at what was recorded.

use crate::common::made::{Made, functions};
use crate::common::{Said, assert_fails, incise};
use serde_json::Value;
use std::process::Command;

const ONE: &str = "#include \"config.h\"\nint one(int x) { return x + STEP; }\n";
const TWO: &str = "int two(int x) { return x - 2; }\n";

fn build(made: &Made, words: &[&str]) -> Said {
    Said::by(incise().current_dir(made.root()).arg("build").args(words))
}

/// The files of the database, each with how often it is there.
fn recorded(made: &Made, path: &str) -> Vec<String> {
    let text = std::fs::read(made.root().join(path)).expect("it is written");
    let value: Value = serde_json::from_slice(&text).expect("JSON");
    let root = format!("{}/", made.root().display());
    let entries = value.as_array().expect("a list").iter();
    entries.map(|entry| entry["file"].as_str().expect("a file").replace(&root, "")).collect()
}

/// Changes a function, and looks whether it is compared as the database says.
fn assert_usable(made: &Made, words: &[&str]) {
    made.write(&[("src/one.c", &ONE.replace("x + STEP", "STEP + x + 1"))]);
    let (report, _) = made.report(words);
    assert_eq!(functions(&report), ["differs one src/one.c"], "{report}");
    assert!(report["database"].is_string());
}

const MAKEFILE: &str = "CC = /usr/bin/cc\nprogram: src/one.o src/two.o\n\t$(CC) -o $@ $^ -nostartfiles -shared\n\
    src/one.o: src/one.c\n\tcd src && $(CC) -I../inc -DSTEP=1 -fPIC -c -o one.o one.c\n\
    src/two.o: src/two.c\n\tprintf '%s' '-fPIC -c src/two.c' > words\n\t$(CC) -o $@ @words\n\trm words\n";

fn made() -> Made {
    Made::with(&[
        ("Makefile", MAKEFILE),
        ("inc/config.h", "\n"),
        ("src/one.c", ONE),
        ("src/two.c", TWO),
        (".gitignore", "*.o\nprogram\ncompile_commands.json\nbuild/\n"),
    ])
}

#[test]
fn make_is_watched_also_where_it_calls_compilers_by_their_paths() {
    let made = made();
    let said = build(&made, &["--", "make", "-s"]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    assert!(said.stderr.contains("compile_commands.json: 2 compilations"), "{}", said.stderr);
    assert!(!said.stderr.contains("not seen"), "{}", said.stderr);
    assert_eq!(recorded(&made, "compile_commands.json"), ["src/one.c", "src/two.c"]);
    assert_usable(&made, &[]);
    // What was built already is not compiled again, and stays known.
    let said = build(&made, &["--", "make", "-s"]);
    assert!(said.stderr.contains("1 compilation, and 1 from before"), "{}", said.stderr);
    assert_eq!(recorded(&made, "compile_commands.json"), ["src/one.c", "src/two.c"]);
}

#[test]
fn a_build_that_fails_or_compiles_nothing_writes_nothing() {
    let made = made();
    assert_fails(
        &build(&made, &["--", "sh", "-c", "cc -c -Iinc -DSTEP=1 src/one.c; exit 3"]),
        &["the build failed", "3"],
    );
    assert_fails(&build(&made, &["--", "true"]), &["no call of a C compiler was seen", "clean it first"]);
    assert_fails(&build(&made, &["--", "/no/such/program"]), &["/no/such/program cannot be run"]);
    assert!(!made.root().join("compile_commands.json").exists());
    made.write(&[("compile_commands.json", "no JSON")]);
    assert_fails(&build(&made, &["--", "make", "-s"]), &["is no compilation database"]);
    assert_eq!(
        std::fs::read_to_string(made.root().join("compile_commands.json")).expect("it is there"),
        "no JSON"
    );
}

#[test]
fn what_a_configuration_tries_is_left_out_and_what_was_not_seen_is_said() {
    let made = made();
    let configure = "echo 'int main(void) { return 0; }' > conftest.c; cc conftest.c -o conftest && rm conftest.c conftest; \
        cc -E -Iinc src/two.c > /dev/null; cc -M src/two.c > /dev/null; \
        cc -c src/two.c -o src/two.o; (unset LD_PRELOAD; /usr/bin/cc -c -DSTEP=1 -Iinc src/one.c -o src/one.o)";
    let said = build(&made, &["-o", "build.json", "--", "sh", "-c", configure]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    assert_eq!(recorded(&made, "build.json"), ["src/two.c"]);
    assert!(said.stderr.contains("left out: 1 that are gone"), "{}", said.stderr);
    assert!(said.stderr.contains("it was not seen how these were made: src/one.o"), "{}", said.stderr);
}

#[test]
fn cmake_is_watched() {
    let made = made();
    let lists = "cmake_minimum_required(VERSION 3.10)\nproject(it C)\nadd_library(it src/one.c src/two.c)\n\
        target_include_directories(it PRIVATE inc)\ntarget_compile_definitions(it PRIVATE STEP=1)\n";
    made.write(&[("CMakeLists.txt", lists)]).commit();
    let words = "cmake -S . -B build > /dev/null && cmake --build build > /dev/null";
    let said = build(&made, &["-o", "compile_commands.json", "--", "sh", "-c", words]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    let files: Vec<String> = recorded(&made, "compile_commands.json");
    let own: Vec<&String> = files.iter().filter(|file| file.starts_with("src/")).collect();
    assert_eq!(own, ["src/one.c", "src/two.c"], "{files:?}");
    assert_usable(&made, &[]);
}

#[test]
fn meson_is_watched() {
    let made = made();
    let text = "project('it', 'c')\nstatic_library('it', 'src/one.c', 'src/two.c', include_directories: 'inc', \
        c_args: ['-DSTEP=1'])\n";
    made.write(&[("meson.build", text)]).commit();
    let words = "meson setup out > /dev/null && ninja -C out > /dev/null";
    let said = build(&made, &["--", "sh", "-c", words]);
    assert_eq!(said.status, 0, "{}", said.stderr);
    let files = recorded(&made, "compile_commands.json");
    let own: Vec<&String> = files.iter().filter(|file| file.starts_with("src/")).collect();
    assert_eq!(own, ["src/one.c", "src/two.c"], "{files:?}");
    std::fs::remove_dir_all(made.root().join("out")).expect("it is there");
    assert_usable(&made, &[]);
}

#[test]
fn a_build_that_is_interrupted_ends() {
    let made = made();
    let mut child = incise()
        .current_dir(made.root())
        .args(["build", "--", "sh", "-c", "touch begun; sleep 600"])
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("it runs");
    while !made.root().join("begun").exists() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    let status = child.wait().expect("it ends");
    assert!(matches!(status.code(), Some(2 | 3)), "{status}");
    assert!(!made.root().join("compile_commands.json").exists());
}
