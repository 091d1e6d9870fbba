//! What a suite remembers of the program it was made from: a hash of the user's files, and the signature of the entry.

use crate::error::SuiteError;
use incise_children::RunError;
use incise_frontend::{Loaded, Sources};
use incise_ir::c_types::type_name;
use incise_ir::{FunctionId, Program};
use incise_report::suite::file_hash;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// A hash of the program's files and of the headers of the user that they include. Headers of the system are not part
/// of it: they are another matter on each machine.
pub fn program_hash(loaded: &Loaded) -> Result<String, SuiteError> {
    let mut bytes = Vec::new();
    for file in &loaded.sources.files {
        let files = if Sources::is_ir(file) { vec![file.clone()] } else { with_headers(loaded, file)? };
        for file in files {
            let content = std::fs::read(&file).map_err(|error| SuiteError::Unreadable(file, error))?;
            bytes.extend_from_slice(&(content.len() as u64).to_le_bytes());
            bytes.extend_from_slice(&content);
        }
    }
    Ok(file_hash(&bytes))
}

/// A C file and the headers that it includes, as clang finds them.
fn with_headers(loaded: &Loaded, file: &Path) -> Result<Vec<PathBuf>, SuiteError> {
    let mut command = incise_children::command(incise_frontend::clang(&loaded.sources)?);
    command.args(["-MM", "-MT", "it", "-w"]).args(&loaded.sources.flags);
    // The headers that we bring along are as those of the system.
    command.arg("-isystem").arg(loaded.headers.path()).arg(file);
    let output = match incise_children::run(&mut command, None, &AtomicBool::new(false)) {
        Ok(output) => output,
        Err(RunError::Io(error)) => return Err(SuiteError::ClangNotStarted(error)),
        Err(RunError::Interrupted | RunError::TimedOut) => return Err(SuiteError::Interrupted),
    };
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        return Err(SuiteError::HeadersUnknown { file: file.to_owned(), said });
    }
    Ok(dependencies(&String::from_utf8_lossy(&output.stdout)))
}

/// The files that a rule of make names behind its colon.
fn dependencies(rule: &str) -> Vec<PathBuf> {
    let rest = rule.split_once(": ").map_or("", |(_, rest)| rest);
    let mut files: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut characters = rest.chars().peekable();
    while let Some(character) = characters.next() {
        match (character, characters.peek()) {
            ('\\', Some('\n')) => {}
            // What make would take for something else is escaped.
            ('\\', Some(&next @ (' ' | '#'))) | ('$', Some(&next @ '$')) => {
                word.push(next);
                characters.next();
            }
            (blank, _) if blank.is_whitespace() => {
                files.extend((!word.is_empty()).then(|| std::mem::take(&mut word)))
            }
            (other, _) => word.push(other),
        }
    }
    files.extend((!word.is_empty()).then_some(word));
    files.into_iter().map(PathBuf::from).collect()
}

/// How the entry is declared, as far as a caller must know; empty without debug information.
pub(crate) fn signature(program: &Program, entry: FunctionId) -> String {
    let types = &program.functions[entry].debug_signature;
    let name = |ty: &Option<_>| match ty.and_then(|ty| program.resolve_debug_type(ty)) {
        Some(ty) => type_name(program, ty),
        None => "void".to_owned(),
    };
    let Some((result, parameters)) = types.split_first() else { return String::new() };
    let parameters: Vec<_> = parameters.iter().map(name).collect();
    let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
    format!("{} ({parameters})", name(result))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_of_make_are_read() {
        let rule = "it: a.c \\\n  inc/a\\ b.h x$$y.h \\\n z\\#1.h\n";
        let files: Vec<String> = dependencies(rule).iter().map(|file| file.display().to_string()).collect();
        assert_eq!(files, ["a.c", "inc/a b.h", "x$y.h", "z#1.h"]);
        assert!(dependencies("it:").is_empty());
    }
}
