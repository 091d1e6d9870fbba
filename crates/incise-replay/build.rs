//! Compiles the driver in `runtime/` that runs tests: once for plain programs and once for those with sanitizers, so
//! that a replay only compiles the program under test.

use std::{
    env,
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

const COMPILERS: [&str; 6] = ["clang-19", "clang-18", "clang-17", "clang-16", "clang-15", "clang"];

const PARTS: [&str; 7] = ["device", "driver", "inputs", "malloc", "schedule", "sync", "world"];

/// The variants of each part. The driver itself is never instrumented: it looks at memory that the program may have
/// given back.
const VARIANTS: [(&str, &[&str]); 2] = [("plain", &[]), ("sanitized", &["-DINCISE_SANITIZED"])];

fn main() -> ExitCode {
    println!("cargo::rerun-if-changed=runtime");
    println!("cargo::rerun-if-changed=build.rs");
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
    for part in PARTS {
        let source = format!("runtime/incise_{part}.c");
        for (variant, flags) in VARIANTS {
            compile(Path::new(&source), flags, &out.join(format!("incise_{part}_{variant}.o")))?;
        }
    }
    Ok(())
}

/// Runs the first clang that there is.
fn compile(source: &Path, flags: &[&str], object: &Path) -> Result<(), String> {
    for compiler in COMPILERS {
        let mut command = Command::new(compiler);
        command.args(["-c", "-w", "-g0", "-O0", "-fno-pie"]).args(flags).arg(source).arg("-o").arg(object);
        let Ok(output) = command.output() else { continue };
        if output.status.success() {
            return Ok(());
        }
        let words = String::from_utf8_lossy(&output.stderr).replace('\n', " | ");
        return Err(format!("{compiler} does not compile {}: {words}", source.display()));
    }
    Err(format!(
        "no clang found to compile the driver of native runs (looked for {}): run `make setup`",
        COMPILERS.join(", ")
    ))
}
