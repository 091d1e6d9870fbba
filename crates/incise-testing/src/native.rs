//! Programs that run on the machine itself.

use crate::compile::clang;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A C compiler for native runs: the clang that Incise would take too.
pub fn compiler() -> Command {
    Command::new(&clang().path)
}

/// For programs that record what they do: what is undefined and not caught by their own checks is a fault of the
/// generator.
pub(crate) const TRACED: [&str; 4] = ["-O0", "-DNATIVE", "-fsanitize=undefined", "-fsanitize-trap=undefined"];

/// A program that was compiled for this machine.
pub struct Native {
    program: PathBuf,
}

impl Native {
    /// Compiles a text in a folder, under a name that tells it from others there. Warnings are the generator's affair.
    pub fn build(folder: &Path, name: &str, flags: &[&str], text: &str) -> Result<Self, String> {
        let source = folder.join(format!("{name}.c"));
        std::fs::write(&source, text).map_err(|error| format!("{}: {error}", source.display()))?;
        let program = folder.join(name);
        let made = compiler()
            .args(["-w", "-o"])
            .args([&program, &source])
            .args(flags)
            .output()
            .map_err(|error| format!("{}: {error}", clang().path.display()))?;
        match made.status.success() {
            true => Ok(Self { program }),
            false => Err(format!("{}: {}", source.display(), String::from_utf8_lossy(&made.stderr))),
        }
    }

    /// Runs it to its end with these arguments and this on standard input. However it ends, that is no error here.
    pub fn run(&self, arguments: &[&str], input: &[u8]) -> Result<Output, String> {
        let fails = |error: std::io::Error| format!("{}: {error}", self.program.display());
        // A file, and not a pipe: a program that writes before it has read all would wait for a reader.
        let given = self.program.with_extension("in");
        std::fs::write(&given, input).map_err(fails)?;
        let stdin = std::fs::File::open(&given).map_err(fails)?;
        Command::new(&self.program)
            .args(arguments)
            .stdin(stdin)
            .stderr(Stdio::inherit())
            .output()
            .map_err(fails)
    }

    /// What it writes to standard output, if it ends well.
    pub fn output(&self, arguments: &[&str], input: &[u8]) -> Result<Vec<u8>, String> {
        let output = self.run(arguments, input)?;
        match output.status.success() {
            true => Ok(output.stdout),
            false => Err(format!("{} ended with {}", self.program.display(), output.status)),
        }
    }
}

/// What a command says on both streams; it must end well.
#[track_caller]
pub fn run_for_text(command: &mut Command) -> String {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().unwrap_or_else(|error| panic!("{}", missing(&name, &error)));
    let text =
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{command:?} failed:\n{text}");
    text
}

fn missing(name: impl AsRef<OsStr>, error: &std::io::Error) -> String {
    format!("{} does not start ({error}); `make setup` installs what the tests need", name.as_ref().display())
}
