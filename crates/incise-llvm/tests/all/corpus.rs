//! Reads what clang 15, 16 and 19 make of a corpus of C at all levels of optimisation, and what rustc makes of simple
//! functions. Everything must verify, and nothing may be unsupported but what is listed here.

use incise_ir::{ConstantKind, Op, Program, verify};
use incise_llvm::{Clang, CompileOptions, InputKind, ModuleText, link};
use incise_testing::{clang, search_path};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;

fn corpus() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let entries =
        folder.read_dir().expect("the corpus is there").map(|entry| entry.expect("an entry").path());
    let mut files: Vec<_> =
        entries.filter(|path| path.extension().is_some_and(|extension| extension == "c")).collect();
    files.sort();
    assert!(files.len() >= 8, "the corpus is there");
    files
}

/// The instructions and constants that cannot be executed.
fn unsupported(program: &Program) -> Vec<String> {
    let instructions = program.functions.iter().flat_map(|(_, function)| function.instructions.iter());
    let instructions = instructions.filter_map(|(_, instruction)| match &instruction.op {
        Op::Unsupported(text) | Op::UnsupportedTerminator(text) => Some(text.to_string()),
        _ => None,
    });
    let constants = program.constants.iter().filter_map(|(_, constant)| match &constant.kind {
        ConstantKind::Unsupported(text) if &**text != "metadata" => Some(text.to_string()),
        _ => None,
    });
    instructions.chain(constants).collect()
}

fn check_clang(name: &str) {
    let clang = Clang::find(Some(Path::new(name)), &search_path());
    let clang = clang.unwrap_or_else(|error| panic!("{error}; `make setup` installs what the tests need"));
    let interrupt = AtomicBool::new(false);
    for file in corpus() {
        for level in ["0", "1", "2", "3"] {
            let flags = vec!["-w".into()];
            let options =
                CompileOptions { optimization: level.to_owned(), flags, ..CompileOptions::default() };
            let compiled = clang.compile(&file, InputKind::C, &options, &interrupt);
            let text = compiled.unwrap_or_else(|error| panic!("{error}")).text;
            let place = format!("{name} -O{level} {}", file.display());
            let modules = [ModuleText { name: &place, text: &text }];
            let program = link(&modules).unwrap_or_else(|error| panic!("{place}: {error}"));
            verify(&program).unwrap_or_else(|error| panic!("{place}: {error}"));
            let rest: Vec<_> =
                unsupported(&program).into_iter().filter(|text| !text.starts_with("callbr")).collect();
            assert!(rest.is_empty(), "{place}: {rest:#?}");
            check_debug_information(&program, &place);
        }
    }
}

/// Every function of the corpus knows its file and line, and nearly all instructions a location.
fn check_debug_information(program: &Program, place: &str) {
    for (_, function) in program.functions.iter().filter(|(_, function)| function.is_definition()) {
        assert!(function.file.is_some() && function.line > 0, "{place}: {}", function.name);
        assert!(!function.debug_signature.is_empty(), "{place}: {}", function.name);
        let known = function.instructions.iter().any(|(_, instruction)| instruction.location.is_some());
        assert!(known, "{place}: {}", function.name);
    }
}

#[test]
fn clang_15() {
    check_clang("clang-15");
}

#[test]
fn clang_16() {
    check_clang("clang-16");
}

#[test]
fn clang_19() {
    check_clang("clang-19");
}

#[test]
fn clang_refuses_in_its_own_words() {
    let clang = clang();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let source = folder.path().join("wrong.c");
    std::fs::write(&source, "int f(void) { return undeclared_name; }\n").expect("a file is written");
    let interrupt = AtomicBool::new(false);
    let error = clang.compile(&source, InputKind::C, &CompileOptions::default(), &interrupt).unwrap_err();
    let message = error.to_string();
    assert!(message.contains("wrong.c:1:22: error:") && message.contains("undeclared_name"), "{message}");
}

#[test]
fn rustc_at_every_level() {
    let source = "
        pub enum Shape { Circle(f64), Square { side: u32 }, Empty }
        #[unsafe(no_mangle)] pub fn area(shape: &Shape) -> u64 {
            match shape { Shape::Circle(r) => (r * 3.0) as u64, Shape::Square { side } => u64::from(*side) * 2, Shape::Empty => 0 }
        }
        #[unsafe(no_mangle)] pub fn total(v: &[u16]) -> u32 { v.iter().map(|x| u32::from(*x)).sum() }
        #[unsafe(no_mangle)] pub fn wide(a: i128, b: u128) -> u128 { (a as u128).wrapping_mul(b).rotate_left(7) }
        #[unsafe(no_mangle)] pub fn words(text: &str) -> Vec<String> { text.split(' ').map(str::to_owned).collect() }
        #[unsafe(no_mangle)] pub fn safe(v: &[i32], i: usize) -> i32 { v[i].checked_add(1).unwrap_or(i32::MIN) }
    ";
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("simple.rs");
    std::fs::write(&path, source).expect("a file is written");
    for (level, debug) in [("0", "0"), ("0", "2"), ("2", "0"), ("3", "2")] {
        let output = folder.path().join("simple.ll");
        let status = Command::new("rustc")
            .args(["--edition=2024", "--crate-type=lib", "--emit=llvm-ir"])
            .args(["-C", &format!("opt-level={level}"), "-C", &format!("debuginfo={debug}"), "-o"])
            .arg(&output)
            .arg(&path)
            .status();
        assert!(status.is_ok_and(|status| status.success()), "rustc compiles");
        let text = std::fs::read(&output).expect("the text is read");
        let program =
            link(&[ModuleText { name: "simple.ll", text: &text }]).unwrap_or_else(|error| panic!("{error}"));
        verify(&program).unwrap_or_else(|error| panic!("{error}"));
        let rest = unsupported(&program);
        assert!(rest.is_empty(), "{rest:#?}");
        assert!(program.function_named("area").is_some_and(|id| program.functions[id].is_definition()));
    }
}
