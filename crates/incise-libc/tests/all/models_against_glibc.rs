//! Each model, compiled natively under another name, gives what the C library of this machine gives.

use incise_testing::{compiler, run_for_text};
use std::{
    fmt::Write,
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::OnceLock,
};

const SOURCES: [&str; 18] = [
    "main",
    "strings",
    "ctype",
    "numbers",
    "floats",
    "math",
    "stdlib",
    "format",
    "scan",
    "stdio",
    "options",
    "files",
    "environment",
    "clock",
    "messages",
    "locales",
    "wide",
    "system",
];

/// Functions of the engine that models call and that look into streams of the models, or do not come back: `main.c`
/// stands in for them.
const ENGINE: [&str; 4] = ["fprintf", "vfprintf", "fputs", "exit"];

/// Builds the comparison program once for all tests.
fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let renames = folder.join("renames.h");
        let mut text = String::new();
        for name in incise_libc::names().filter(|name| !name.starts_with("__incise_")) {
            let _ = writeln!(text, "#define {name} model_{name}");
        }
        fs::write(&renames, text).expect("the renaming header is written");
        let models = folder.join("models.o");
        run_for_text(
            compiler()
                .args([
                    "-std=gnu11",
                    "-O1",
                    "-ffreestanding",
                    "-fno-builtin",
                    "-fwrapv",
                    "-fno-strict-aliasing",
                ])
                .args(ENGINE.map(|name| format!("-D{name}=engine_{name}")))
                .args(["-Wall", "-Wextra", "-Werror", "-include"])
                .arg(&renames)
                .args(["-c", "c/models.c", "-o"])
                .arg(&models),
        );
        let program = folder.join("models_against_glibc");
        let mut link = compiler();
        link.args(["-std=gnu11", "-O1", "-fno-builtin", "-D__NO_CTYPE", "-o"]).arg(&program).arg(&models);
        for source in SOURCES {
            link.arg(format!("tests/native/{source}.c"));
        }
        run_for_text(link.arg("-lm"));
        program
    })
}

fn check(name: &str) {
    run_for_text(Command::new(program()).arg(name));
}

#[test]
fn strings() {
    check("strings");
}

#[test]
fn ctype() {
    check("ctype");
}

#[test]
fn numbers() {
    check("numbers");
}

#[test]
fn floats() {
    check("floats");
}

#[test]
fn math() {
    check("math");
}

#[test]
fn stdlib() {
    check("stdlib");
}

#[test]
fn format() {
    check("format");
}

#[test]
fn scan() {
    check("scan");
}

#[test]
fn stdio() {
    check("stdio");
}

#[test]
fn options() {
    check("options");
}

#[test]
fn files() {
    check("files");
}

#[test]
fn environment() {
    check("environment");
}

#[test]
fn clock() {
    check("clock");
}

#[test]
fn messages() {
    check("messages");
}

#[test]
fn locales() {
    check("locales");
}

#[test]
fn wide() {
    check("wide");
}

#[test]
fn system() {
    check("system");
}

#[test]
fn clang_accepts_the_module_and_a_selection() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    for (name, text) in [
        ("all.ll", incise_libc::IR.to_owned()),
        ("some.ll", incise_libc::select(["sscanf", "qsort", "stdout"])),
        ("without_files.ll", incise_libc::select(["getc", "fclose", "read", "isatty"])),
        ("with_files.ll", incise_libc::select(["getc", "fopen"])),
    ] {
        let path = folder.join(name);
        fs::write(&path, text).expect("the module is written");
        run_for_text(
            compiler()
                .args(["-x", "ir", "-c", "-Wno-override-module", "-o"])
                .arg(folder.join("module.o"))
                .arg(&path),
        );
    }
}
