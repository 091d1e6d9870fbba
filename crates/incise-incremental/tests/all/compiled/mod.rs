//! Programs for tests, compiled by clang.

#![allow(dead_code, reason = "each test uses some of these")]

use incise_ir::Program;
use incise_llvm::{Clang, CompileOptions, InputKind, ModuleText};
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// The program of a text.
pub(crate) fn program(text: &str) -> Program {
    let folder = tempfile::tempdir().expect("a temporary folder");
    program_in(folder.path(), "program", text)
}

/// The program of a text that is written into a folder, under a name without an extension.
pub(crate) fn program_in(folder: &Path, name: &str, text: &str) -> Program {
    let file = folder.join(format!("{name}.c"));
    std::fs::write(&file, text).expect("the source");
    program_of(&file)
}

/// The program of a file.
pub(crate) fn program_of(file: &Path) -> Program {
    let search_path: Vec<_> = std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).collect();
    let clang = Clang::find(None, &search_path).expect("clang is there");
    let compiled = clang
        .compile(file, InputKind::C, &CompileOptions::default(), &AtomicBool::new(false))
        .expect("it compiles");
    let name = file.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    incise_llvm::link(&[ModuleText { name: &name, text: &compiled.text }]).expect("it links")
}
