//! From files to a program: clang, the reader, and the models of the C library that the program needs.

use crate::declared_sizes::declared_sizes;
use crate::error::FrontendError;
use crate::found_files::FoundFiles;
use crate::line_numbers::number_lines;
use crate::models::add_models;
use crate::sources::Sources;
use incise_ir::Program;
use incise_llvm::{Clang, CompileOptions, LeftOut, LoadOptions, ModuleText};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use tempfile::TempDir;

/// The stack of a thread that deep structures do not exhaust: our code does not recurse over them, but libraries may.
pub const DEEP_STACK: usize = 512 << 20;

/// A program that was read, and what is needed to build it again.
pub struct Loaded {
    /// The program.
    pub program: Program,
    /// Its files, and how they are compiled.
    pub sources: Sources,
    /// The folder with our `klee/klee.h`, for as long as the program is in use.
    pub headers: TempDir,
    /// What lies in the folders that were named, and is not looked at.
    pub unseen: Vec<Unseen>,
    /// What changed and is not looked at, in words, if it was compared with another version.
    pub not_compared: Vec<String>,
    /// The names of its modules and their LLVM IR, if that was asked for.
    pub(crate) texts: Vec<(String, String)>,
}

impl Loaded {
    /// The names of its modules and their LLVM IR, if that was asked for.
    pub fn texts(&self) -> &[(String, String)] {
        &self.texts
    }
}

/// A program that can be built natively.
#[derive(Copy, Clone)]
pub struct NativeSource<'a> {
    /// The program as it was read.
    pub program: &'a Program,
    /// Its files, and how they are compiled.
    pub sources: &'a Sources,
    /// The folder with our `klee/klee.h`.
    pub headers: &'a Path,
    /// A folder for what does not depend on the version: that of another one, where two are compared.
    pub shared: &'a Path,
}

impl<'a> NativeSource<'a> {
    /// A program that was read.
    pub fn of(loaded: &'a Loaded) -> Self {
        let headers = loaded.headers.path();
        Self { program: &loaded.program, sources: &loaded.sources, headers, shared: headers }
    }
}

/// How programs are read.
#[derive(Copy, Clone)]
pub struct Loading<'a> {
    /// Whether clang colours what it says.
    pub color: bool,
    /// Whether clang's warnings are passed on.
    pub warnings: bool,
    /// Ends clang once it is set.
    pub interrupt: &'a AtomicBool,
    /// The model that the engine calls by itself where a program calls a function.
    pub required_model: fn(&str) -> Option<&'static str>,
    /// Whether the LLVM IR is kept, for [`watched`](crate::watched()).
    pub keep_text: bool,
}

/// A file that is not looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unseen {
    /// Where it is.
    pub path: PathBuf,
    /// Why, in words that follow its name.
    pub why: String,
    /// Whether it is no part of the source.
    pub made: bool,
}

/// Compiles and reads the files, and links the models that they need. Clang's warnings go to `talk`, and so does what
/// is not looked at.
pub fn load(
    sources: Sources,
    loading: Loading<'_>,
    talk: &mut dyn FnMut(&str),
) -> Result<Loaded, FrontendError> {
    let loaded = load_part(sources, loading, talk)?;
    for each in &loaded.unseen {
        talk(&format!("note: not looked at: {} ({})", each.path.display(), each.why));
    }
    Ok(loaded)
}

/// The same for one of two versions: what is not looked at is told when both are known.
pub(crate) fn load_part(
    mut sources: Sources,
    loading: Loading<'_>,
    talk: &mut dyn FnMut(&str),
) -> Result<Loaded, FrontendError> {
    let Loading { color, warnings, interrupt, required_model, keep_text } = loading;
    let mut found = FoundFiles::of(&sources.files)?;
    sources.files = found.files;
    let headers = headers()?;
    let mut options = LoadOptions {
        clang: sources.tools.clang.clone(),
        search_path: sources.tools.search_path.clone(),
        compile: CompileOptions {
            optimization: sources.optimisation.clone(),
            flags: sources.all_flags(),
            include_directories: vec![headers.path().to_owned()],
            color,
            ..CompileOptions::default()
        },
        own_flags: sources.own_flags.clone(),
        parallel: std::thread::available_parallelism().map_or(1, usize::from),
        may_fail: sources.extra.may_fail.clone().unwrap_or_else(|| found.below.clone()),
        may_repeat: found.below,
        may_be_programs: found.in_folders,
    };
    let mut loaded = incise_llvm::load(&sources.files, &options, interrupt)?;
    for LeftOut { path, why } in std::mem::take(&mut loaded.left_out) {
        sources.files.retain(|file| *file != path);
        found.unseen.push(Unseen { path, why, made: false });
    }
    if let Some(flags) = number_lines(&mut loaded.modules, &sources, &mut options, headers.path(), interrupt)?
    {
        sources.extra.flags.extend(flags);
        sources.extra.renumbered = true;
    }
    let said = if warnings { each_once(&loaded.diagnostics) } else { String::new() };
    if !said.is_empty() {
        talk(&said);
    }
    let modules: Vec<_> =
        loaded.modules.iter().map(|module| ModuleText { name: &module.name, text: &module.text }).collect();
    let mut program = incise_llvm::link(&modules)?;
    // Those of the models are ours.
    program.declared = declared_sizes(&program);
    add_models(&mut program, required_model)?;
    let texts = match keep_text {
        true => {
            let text = |text: Vec<u8>| String::from_utf8_lossy(&text).into_owned();
            loaded.modules.into_iter().map(|module| (module.name, text(module.text))).collect()
        }
        false => Vec::new(),
    };
    Ok(Loaded { program, sources, headers, unseen: found.unseen, not_compared: Vec::new(), texts })
}

/// What clang says without what it has said before: a header's warnings come with each file that includes it.
fn each_once(diagnostics: &str) -> String {
    let mut pieces: Vec<String> = Vec::new();
    let mut leads = false;
    for line in diagnostics.lines() {
        let included = line.contains("In file included from ") || line.trim_start().starts_with("from ");
        let begins = included || line.contains("warning: ");
        match pieces.last_mut() {
            Some(piece) if !begins || leads => *piece += &format!("\n{line}"),
            _ => pieces.push(line.to_owned()),
        }
        leads = included;
    }
    let mut said = BTreeSet::new();
    let counts =
        |piece: &str| piece.ends_with("warning generated.") || piece.ends_with("warnings generated.");
    // The count at the end belongs to the last piece.
    let pieces = pieces.into_iter().map(|piece| match piece.rsplit_once('\n') {
        Some((rest, last)) if counts(last) => rest.to_owned(),
        _ => piece,
    });
    // Which file includes a header makes no difference.
    let itself =
        |piece: &str| piece[piece.find("warning: ").map_or(0, |at| line_start(piece, at))..].to_owned();
    let fresh = pieces.filter(|piece| !piece.trim().is_empty() && said.insert(itself(piece)));
    fresh.collect::<Vec<_>>().join("\n")
}

/// Where the line of a place in a text begins.
fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |end| end + 1)
}

/// A folder with our headers.
pub(crate) fn headers() -> Result<TempDir, FrontendError> {
    let folder = tempfile::Builder::new().prefix("incise-headers-").tempdir();
    let folder = folder.map_err(FrontendError::NoTemporaryFolder)?;
    std::fs::create_dir(folder.path().join("klee"))?;
    std::fs::write(folder.path().join("klee/klee.h"), incise_libc::KLEE_HEADER)?;
    Ok(folder)
}

/// The clang to build native programs with.
pub fn clang(sources: &Sources) -> Result<PathBuf, FrontendError> {
    Ok(Clang::find(sources.tools.clang.as_deref(), &sources.tools.search_path)?.path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warning_of_a_header_is_said_once() {
        let header = "h.h:1:5: warning: odd [-Wodd]\n    1 | int x\n      |     ^\nh.h:1:5: note: why";
        let other = "b.c:9:1: warning: other";
        let text = format!(
            "In file included from a.c:1:\n{header}\n1 warning generated.\nIn file included from b.c:1:\n{header}\n{other}\n2 warnings generated.\n"
        );
        assert_eq!(each_once(&text), format!("In file included from a.c:1:\n{header}\n{other}"));
        assert_eq!(each_once("\n"), "");
    }
}
