//! Compiles C texts, and writes down what is taken of the inputs of a function.

use incise_ir::{Program, verify};
use incise_llvm::{Clang, CompileOptions, InputKind, ModuleText, link};
use incise_reading::{Reading, infer};
use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

/// The program of a text.
pub(crate) fn program(text: &str) -> Program {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("test.c");
    std::fs::write(&path, text.strip_prefix('\n').unwrap_or(text)).expect("the source is written");
    let options = CompileOptions {
        optimization: "0".to_owned(),
        flags: vec!["-w".into()],
        ..CompileOptions::default()
    };
    let compiled = clang().compile(&path, InputKind::C, &options, &AtomicBool::new(false));
    let compiled = compiled.unwrap_or_else(|error| panic!("{error}\n{text}"));
    let modules = [ModuleText { name: "test.c", text: &compiled.text }];
    let program = link(&modules).unwrap_or_else(|error| panic!("{error}"));
    verify(&program).unwrap_or_else(|error| panic!("{error}"));
    program
}

/// The reading of a function of a text.
pub(crate) fn reading(text: &str, entry: &str) -> Reading {
    let program = program(text);
    let entry = program.function_named(entry).unwrap_or_else(|| panic!("{entry} is not there"));
    infer(&program, entry)
}

/// What is taken of the inputs of the function `f`, one fact a line, and what is compared with null.
pub(crate) fn taken(text: &str) -> Vec<String> {
    let reading = reading(text, "f");
    let mut lines: Vec<String> = reading.parts.iter().map(ToString::to_string).collect();
    lines.extend(reading.checked.iter().map(|input| format!("{input} may be null")));
    lines
}

/// Asserts what is taken of the inputs of the function `f`, in any order.
#[track_caller]
pub(crate) fn check(text: &str, expected: &[&str]) {
    let mut found = taken(text);
    let mut expected: Vec<String> = expected.iter().map(|&line| line.to_owned()).collect();
    found.sort();
    expected.sort();
    assert_eq!(found, expected, "{text}");
}

fn clang() -> &'static Clang {
    static CLANG: OnceLock<Clang> = OnceLock::new();
    CLANG.get_or_init(|| {
        let path: Vec<PathBuf> =
            std::env::var_os("PATH").map(|path| std::env::split_paths(&path).collect()).unwrap_or_default();
        Clang::find(None, &path).expect("clang is installed")
    })
}
