//! From files to modules: what the user may give, and what is said when it is wrong.

use incise_llvm::{LoadOptions, ModuleText, link, load};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

fn options() -> LoadOptions {
    let path = std::env::var_os("PATH").unwrap_or_default();
    LoadOptions { search_path: std::env::split_paths(&path).collect(), parallel: 2, ..LoadOptions::default() }
}

/// Writes files into a fresh folder.
fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, content) in files {
        std::fs::write(folder.path().join(name), content).expect("a file is written");
    }
    folder
}

fn failure(paths: &[PathBuf], options: &LoadOptions) -> String {
    load(paths, options, &AtomicBool::new(false)).expect_err("this must fail").to_string()
}

#[test]
fn a_folder_of_sources_becomes_one_program() {
    let folder = folder(&[
        ("main.c", b"int helper(int); static int twice(int x) { return 2 * x; } int main(void) { return twice(helper(3)); }"),
        ("helper.c", b"#ifndef ADD\n#error no ADD\n#endif\nstatic int twice(int x) { return x + x; } int helper(int x) { return twice(x) + ADD; }"),
    ]);
    let mut options = options();
    options.compile.flags = vec!["-DADD=4".into()];
    let interrupt = AtomicBool::new(false);
    let loaded =
        load(&[folder.path().to_owned()], &options, &interrupt).unwrap_or_else(|error| panic!("{error}"));
    let modules: Vec<_> =
        loaded.modules.iter().map(|module| ModuleText { name: &module.name, text: &module.text }).collect();
    assert!(modules[0].name.ends_with("helper.c") && modules[1].name.ends_with("main.c"), "by name");
    let program = link(&modules).unwrap_or_else(|error| panic!("{error}"));
    let defined: Vec<_> = program.functions.iter().map(|(_, function)| function.is_definition()).collect();
    assert_eq!(defined, [true; 4]);
}

#[test]
fn text_needs_no_clang() {
    let folder = folder(&[("a.ll", b"@x = global i32 1\n")]);
    let loaded = load(&[folder.path().join("a.ll")], &LoadOptions::default(), &AtomicBool::new(false));
    assert_eq!(loaded.expect("it is loaded").modules[0].text, b"@x = global i32 1\n");
}

#[test]
fn c_without_clang_says_what_to_install() {
    let folder = folder(&[("a.c", b"int x;")]);
    let message = failure(&[folder.path().join("a.c")], &LoadOptions::default());
    assert_eq!(message, "clang was not found; install it with: apt-get install clang-19");
}

#[test]
fn bitcode_without_a_disassembler_says_what_to_install() {
    let folder = folder(&[("a.bc", b"BC\xC0\xDE\0\0\0\0")]);
    let message = failure(&[folder.path().join("a.bc")], &LoadOptions::default());
    assert!(message.contains("apt-get install llvm-19"), "{message}");
}

#[test]
fn wrong_inputs_are_named() {
    let folder =
        folder(&[("empty.c", b""), ("picture.png", b"\x89PNG\r\n\x1a\n"), ("program.cpp", b"class A {};")]);
    let path = |name: &str| folder.path().join(name);
    let said =
        |name: &str| failure(&[path(name)], &options()).replace(&folder.path().display().to_string(), "DIR");
    assert_eq!(said("missing.c"), "'DIR/missing.c' does not exist");
    assert_eq!(said("empty.c"), "'DIR/empty.c' is empty");
    for name in ["picture.png", "program.cpp"] {
        let expected =
            format!("'DIR/{name}' is not C: C sources end in '.c' or '.i', LLVM IR in '.ll' or '.bc'");
        assert_eq!(said(name), expected);
    }
    assert_eq!(
        failure(&[folder.path().to_owned()], &options()).replace(&folder.path().display().to_string(), "DIR"),
        "the folder 'DIR' holds no '.c' file, and neither do those below it",
        "an empty file is left out of a folder"
    );
}

#[test]
fn an_interrupt_stops_before_and_while_clang_runs() {
    let folder = folder(&[("a.c", b"int x;")]);
    match load(&[folder.path().join("a.c")], &options(), &AtomicBool::new(true)) {
        Err(error) => assert_eq!(error.to_string(), "interrupted"),
        Ok(_) => panic!("it was interrupted"),
    }
}
