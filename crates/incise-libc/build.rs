//! Compiles the models in `c/` to LLVM IR text and cuts the text into pieces by symbol.
//!
//! The optimiser stays off (-O0): it turns a branch over two pointers into a select, and the
//! executor would then carry a symbolic pointer along where a fork keeps each path's position concrete.
//! Where fewer forks are better, the sources say so themselves. `-fno-builtin` keeps clang from
//! recognising a model as the function that it models.

#[path = "build/pieces.rs"]
mod pieces;

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

const COMPILERS: [&str; 6] = ["clang-19", "clang-18", "clang-17", "clang-16", "clang-15", "clang"];

const FLAGS: [&str; 15] = [
    "-std=gnu11",
    "--target=x86_64-linux-gnu",
    "-S",
    "-emit-llvm",
    "-O0",
    "-Xclang",
    "-disable-O0-optnone",
    "-ffreestanding",
    "-fno-builtin",
    "-nostdlibinc",
    "-fwrapv",
    "-fno-strict-aliasing",
    "-fno-stack-protector",
    "-U_FORTIFY_SOURCE",
    "-g0",
];

fn main() -> ExitCode {
    println!("cargo::rerun-if-changed=c");
    println!("cargo::rerun-if-changed=build");
    match build() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            println!("cargo::error={message}");
            ExitCode::FAILURE
        }
    }
}

fn build() -> Result<(), String> {
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("OUT_DIR is not set; run through cargo")?);
    let ir_path = out.join("compiled.ll");
    compile(Path::new("c/models.c"), &ir_path)?;
    let compiled = read(&ir_path)?;
    let module = pieces::Module::parse(&compiled)?;
    write(&out.join("models.ll"), &module.text())?;
    write(&out.join("pieces.rs"), &module.rust_tables())
}

/// Runs the first clang that there is.
fn compile(source: &Path, target: &Path) -> Result<(), String> {
    for compiler in COMPILERS {
        let Ok(output) = Command::new(compiler).args(FLAGS).arg(source).arg("-o").arg(target).output() else {
            continue;
        };
        if output.status.success() {
            return Ok(());
        }
        let words = String::from_utf8_lossy(&output.stderr).replace('\n', " | ");
        return Err(format!("{compiler} does not compile {}: {words}", source.display()));
    }
    Err(format!(
        "no clang found to compile the models of the C library (looked for {}): run `make setup`",
        COMPILERS.join(", ")
    ))
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("cannot write {}: {error}", path.display()))
}
