//! From the files that the user names to modules of IR text, several at a time.

use super::compile::{CompileError, CompileOptions, Compiled, disassemble};
use super::find::{Clang, ClangError, find_disassembler};
use super::input::{Input, InputError, InputKind, find_inputs};
use incise_children::Processors;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Where tools are found and how they are used.
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// The clang to use; otherwise the best one in the search path.
    pub clang: Option<PathBuf>,
    /// The folders that programs are looked for in.
    pub search_path: Vec<PathBuf>,
    /// How C is compiled.
    pub compile: CompileOptions,
    /// Flags of single files, in front of those of all.
    pub own_flags: BTreeMap<PathBuf, Vec<OsString>>,
    /// How many files are compiled at a time; 0 is one.
    pub parallel: usize,
    /// Files that are left out if they do not compile.
    pub may_fail: BTreeSet<PathBuf>,
    /// Files that are left out if they define what a file before them defines.
    pub may_repeat: BTreeSet<PathBuf>,
    /// Files that are left out if they define `main`, and a file before them does.
    pub may_be_programs: BTreeSet<PathBuf>,
}

/// A module as text.
#[derive(Clone, Debug)]
pub struct LoadedModule {
    /// The path of the input.
    pub name: String,
    /// The LLVM IR text.
    pub text: Vec<u8>,
}

/// All modules of a program.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The modules, in the order of the inputs.
    pub modules: Vec<LoadedModule>,
    /// The warnings of the tools, in their own words.
    pub diagnostics: String,
    /// The inputs that gave no module.
    pub left_out: Vec<LeftOut>,
}

/// An input that was left out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LeftOut {
    /// The file.
    pub path: PathBuf,
    /// Why, in words that follow its name.
    pub why: String,
}

/// Why the inputs give no modules.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// An input that cannot be taken.
    #[error(transparent)]
    Input(#[from] InputError),
    /// No clang that can be used.
    #[error(transparent)]
    Clang(#[from] ClangError),
    /// A source that does not compile.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// Bitcode, and nothing that turns it into text.
    #[error("'{}' is LLVM bitcode, which llvm-dis turns into text; install it with: apt-get install llvm-19", .0.display())]
    NoDisassembler(PathBuf),
}

/// Turns files and folders into modules of LLVM IR text. Setting `interrupt` stops at once.
pub fn load(paths: &[PathBuf], options: &LoadOptions, interrupt: &AtomicBool) -> Result<Loaded, LoadError> {
    let inputs = find_inputs(paths)?;
    let needs_clang =
        inputs.iter().any(|input| matches!(input.kind, InputKind::C | InputKind::PreprocessedC));
    let loader = Loader {
        options,
        interrupt,
        clang: if needs_clang {
            Some(Clang::find(options.clang.as_deref(), &options.search_path)?)
        } else {
            None
        },
        disassembler: find_disassembler_if_needed(&inputs, options)?,
    };
    let mut loaded = Loaded { modules: Vec::new(), diagnostics: String::new(), left_out: Vec::new() };
    let mut defined: BTreeMap<String, String> = BTreeMap::new();
    for (input, result) in inputs.iter().zip(loader.load_all(&inputs)) {
        let path = input.path.clone();
        let compiled = match result {
            Err(LoadError::Compile(CompileError::Rejected { diagnostics, .. }))
                if options.may_fail.contains(&path) =>
            {
                let why = format!("does not compile: {}", first_error(&diagnostics));
                loaded.left_out.push(LeftOut { path, why });
                continue;
            }
            result => result?,
        };
        let name = path.display().to_string();
        let names = match options.may_repeat.is_empty() && options.may_be_programs.is_empty() {
            true => Vec::new(),
            false => strong_definitions(&compiled.text),
        };
        let mut twice = names.iter().filter_map(|name| Some((name, defined.get(name)?)));
        let left_out = match options.may_repeat.contains(&path) {
            true => twice.next(),
            false => twice.find(|(name, _)| *name == "main" && options.may_be_programs.contains(&path)),
        };
        if let Some((symbol, first)) = left_out {
            let why = format!("defines {symbol}, and so does {first}");
            loaded.left_out.push(LeftOut { path, why });
            continue;
        }
        defined.extend(names.into_iter().map(|symbol| (symbol, name.clone())));
        loaded.diagnostics.push_str(&compiled.diagnostics);
        loaded.modules.push(LoadedModule { name, text: compiled.text });
    }
    Ok(loaded)
}

/// The first error in clang's words, without what surrounds it.
fn first_error(diagnostics: &str) -> &str {
    let error = |line: &&str| line.contains("error:");
    diagnostics.lines().find(error).or_else(|| diagnostics.lines().next()).unwrap_or_default()
}

/// The names that a module defines for all others.
fn strong_definitions(text: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(text);
    let mut names = Vec::new();
    for line in text.lines() {
        let (head, rest) = match line.strip_prefix("define ") {
            Some(rest) => match rest.split_once('@') {
                Some((head, name)) => (head, name.split('(').next()),
                None => continue,
            },
            None => match line.strip_prefix('@').and_then(|rest| rest.split_once(" = ")) {
                Some((name, what)) => {
                    let kind = ["global ", "constant "].iter().find_map(|kind| what.find(kind));
                    (&what[..kind.unwrap_or(0)], kind.map(|_| name))
                }
                None => continue,
            },
        };
        let weak = [
            "internal",
            "private",
            "weak",
            "linkonce",
            "common",
            "external",
            "available_externally",
            "appending",
        ];
        let is_weak = head.split(' ').any(|word| weak.iter().any(|weak| word.starts_with(weak)));
        if let (Some(name), false) = (rest, is_weak) {
            names.push(name.trim_matches('"').to_owned());
        }
    }
    names
}

fn find_disassembler_if_needed(
    inputs: &[Input],
    options: &LoadOptions,
) -> Result<Option<PathBuf>, LoadError> {
    match inputs.iter().find(|input| input.kind == InputKind::Bitcode) {
        None => Ok(None),
        Some(input) => match find_disassembler(&options.search_path) {
            Some(tool) => Ok(Some(tool)),
            None => Err(LoadError::NoDisassembler(input.path.clone())),
        },
    }
}

struct Loader<'a> {
    options: &'a LoadOptions,
    interrupt: &'a AtomicBool,
    clang: Option<Clang>,
    disassembler: Option<PathBuf>,
}

impl Loader<'_> {
    /// Loads all inputs, some at a time; the results are in the order of the inputs.
    fn load_all(&self, inputs: &[Input]) -> Vec<Result<Compiled, LoadError>> {
        let next = AtomicUsize::new(0);
        let slots: Vec<Mutex<Option<Result<Compiled, LoadError>>>> =
            inputs.iter().map(|_| Mutex::new(None)).collect();
        let work = |_| {
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(input) = inputs.get(index) else { return };
                let result = self.load_one(input);
                if let Ok(mut slot) = slots[index].lock() {
                    *slot = Some(result);
                }
            }
        };
        let helpers = self.options.parallel.min(inputs.len()).saturating_sub(1);
        Processors::ours().together(helpers, work);
        let interrupted = || Err(CompileError::Interrupted.into());
        slots.into_iter().map(|slot| slot.into_inner().ok().flatten().unwrap_or_else(interrupted)).collect()
    }

    fn load_one(&self, input: &Input) -> Result<Compiled, LoadError> {
        if self.interrupt.load(Ordering::Relaxed) {
            return Err(CompileError::Interrupted.into());
        }
        let compile = &self.options.compile;
        match (input.kind, &self.clang, &self.disassembler) {
            (InputKind::C | InputKind::PreprocessedC, Some(clang), _) => {
                let Some(own) = self.options.own_flags.get(&input.path) else {
                    return Ok(clang.compile(&input.path, input.kind, compile, self.interrupt)?);
                };
                let mut compile = compile.clone();
                compile.flags.splice(0..0, own.iter().cloned());
                Ok(clang.compile(&input.path, input.kind, &compile, self.interrupt)?)
            }
            (InputKind::Bitcode, _, Some(tool)) => {
                Ok(disassemble(tool, &input.path, compile.timeout, self.interrupt)?)
            }
            (InputKind::Bitcode, _, None) => Err(LoadError::NoDisassembler(input.path.clone())),
            (InputKind::C | InputKind::PreprocessedC, None, _) => Err(ClangError::Missing.into()),
            (InputKind::Text, ..) => read_text(&input.path),
        }
    }
}

fn read_text(path: &Path) -> Result<Compiled, LoadError> {
    match std::fs::read(path) {
        Ok(text) => Ok(Compiled { text, diagnostics: String::new() }),
        Err(error) => Err(InputError::Unreadable { path: path.to_owned(), error }.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_all_modules_see_can_be_defined_twice() {
        let text = b"@x = dso_local global i32 1, align 4\n@.str = private unnamed_addr constant [2 x i8] c\"a\\00\"\n\
            @y = external global i32\n@z = common global i32 0\n@t = internal global i32 3\n\
            define dso_local i32 @main(i32 noundef %argc) #0 !dbg !10 {\ndefine internal void @helper() {\n\
            define weak i32 @maybe() {\ndeclare void @other()\n";
        assert_eq!(strong_definitions(text), ["x", "main"]);
    }
}
