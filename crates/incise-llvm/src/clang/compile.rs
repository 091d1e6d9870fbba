//! Compiles C to LLVM IR text.

use super::find::Clang;
use super::input::InputKind;
use incise_children::{RunError, run};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How C is compiled.
#[derive(Clone, Debug)]
pub struct CompileOptions {
    /// The level of optimisation: `0` keeps every statement of the source visible.
    pub optimization: String,
    /// What the user passes to clang: `-DN=3`, `-Iinclude`, `-std=c11`...
    pub flags: Vec<OsString>,
    /// The folders of headers that are searched after the user's own.
    pub include_directories: Vec<PathBuf>,
    /// Whether clang's messages are coloured.
    pub color: bool,
    /// How long clang may take for a file.
    pub timeout: Option<Duration>,
}

impl Default for CompileOptions {
    fn default() -> Self {
        Self {
            optimization: "0".to_owned(),
            flags: Vec::new(),
            include_directories: Vec::new(),
            color: false,
            timeout: Some(Duration::from_secs(600)),
        }
    }
}

/// What clang made of a source.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The LLVM IR text.
    pub text: Vec<u8>,
    /// The warnings, in clang's words; empty if there are none.
    pub diagnostics: String,
}

/// Why a file gives no IR.
#[derive(Debug, thiserror::Error)]
pub enum CompileError {
    /// Clang refuses the source; its own words say why.
    #[error("'{}' does not compile:\n{}", path.display(), diagnostics.trim_end())]
    Rejected {
        /// The source.
        path: PathBuf,
        /// What clang says.
        diagnostics: String,
    },
    /// The tool cannot be run.
    #[error("'{}' cannot be run: {error}", tool.display())]
    CannotRun {
        /// The tool.
        tool: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// The user interrupted.
    #[error("interrupted")]
    Interrupted,
    /// The tool took longer than allowed.
    #[error("compiling '{}' took longer than {} s", path.display(), seconds)]
    TimedOut {
        /// The source.
        path: PathBuf,
        /// How long it was allowed to take.
        seconds: u64,
    },
}

impl Clang {
    /// Compiles a C source to LLVM IR text. Setting `interrupt` kills clang.
    pub fn compile(
        &self,
        source: &Path,
        kind: InputKind,
        options: &CompileOptions,
        interrupt: &AtomicBool,
    ) -> Result<Compiled, CompileError> {
        let mut command = incise_children::command(&self.path);
        command.args(["-S", "-emit-llvm"]).arg(format!("-O{}", options.optimization));
        // Without this, functions at -O0 are marked so that later passes leave them alone; no pass follows, but the
        // mark would also keep other tools from working on our IR.
        command.args(["-Xclang", "-disable-O0-optnone", "-g", "-fno-discard-value-names"]);
        // glibc's <ctype.h> then calls functions, which have models, instead of looking into the tables of the locale.
        command.arg("-D__NO_CTYPE");
        command.arg(if options.color { "-fcolor-diagnostics" } else { "-fno-color-diagnostics" });
        command.args(&options.flags);
        for folder in &options.include_directories {
            command.arg("-I").arg(folder);
        }
        command.args(["-x", if kind == InputKind::PreprocessedC { "cpp-output" } else { "c" }]);
        command.arg(plain_path(source)).args(["-o", "-"]);
        execute(&mut command, &self.path, source, options.timeout, interrupt)
    }
}

impl Clang {
    /// What the preprocessor leaves of a C source, comments included, with the lines that it comes from.
    pub fn preprocess(
        &self,
        source: &Path,
        options: &CompileOptions,
        interrupt: &AtomicBool,
    ) -> Result<Vec<u8>, CompileError> {
        let mut command = incise_children::command(&self.path);
        command.args(["-E", "-C", "-D__NO_CTYPE", "-w"]).args(&options.flags);
        for folder in &options.include_directories {
            command.arg("-I").arg(folder);
        }
        command.args(["-x", "c"]).arg(plain_path(source)).args(["-o", "-"]);
        Ok(execute(&mut command, &self.path, source, options.timeout, interrupt)?.text)
    }
}

/// Turns bitcode into text.
pub(super) fn disassemble(
    tool: &Path,
    bitcode: &Path,
    timeout: Option<Duration>,
    interrupt: &AtomicBool,
) -> Result<Compiled, CompileError> {
    let mut command = incise_children::command(tool);
    command.arg(plain_path(bitcode)).args(["-o", "-"]);
    execute(&mut command, tool, bitcode, timeout, interrupt)
}

fn execute(
    command: &mut Command,
    tool: &Path,
    source: &Path,
    timeout: Option<Duration>,
    interrupt: &AtomicBool,
) -> Result<Compiled, CompileError> {
    let path = source.to_owned();
    match run(command, timeout, interrupt) {
        Ok(finished) => {
            let diagnostics = String::from_utf8_lossy(&finished.stderr).into_owned();
            if finished.status.success() {
                return Ok(Compiled { text: finished.stdout, diagnostics });
            }
            let diagnostics = match diagnostics.trim() {
                "" => format!("{} ended with {}", tool.display(), finished.status),
                _ => diagnostics,
            };
            Err(CompileError::Rejected { path, diagnostics })
        }
        Err(RunError::Io(error)) => Err(CompileError::CannotRun { tool: tool.to_owned(), error }),
        Err(RunError::Interrupted) => Err(CompileError::Interrupted),
        Err(RunError::TimedOut) => {
            Err(CompileError::TimedOut { path, seconds: timeout.unwrap_or_default().as_secs() })
        }
    }
}

/// A path that no tool takes for an option.
fn plain_path(path: &Path) -> PathBuf {
    if path.as_os_str().as_encoded_bytes().starts_with(b"-") {
        Path::new(".").join(path)
    } else {
        path.to_owned()
    }
}
