//! Programs for tests, compiled by clang. Without clang they fail, and say what to install.

use incise_ir::{Program, verify};
use incise_llvm::{Clang, CompileOptions, InputKind, Models, ModuleText, link, link_models};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, OnceLock};

/// The folders in which programs are looked for.
pub fn search_path() -> Vec<PathBuf> {
    std::env::var_os("PATH").map(|path| std::env::split_paths(&path).collect()).unwrap_or_default()
}

/// The clang of this machine.
pub fn clang() -> &'static Clang {
    static CLANG: OnceLock<Clang> = OnceLock::new();
    CLANG.get_or_init(|| Clang::find(None, &search_path()).unwrap_or_else(|error| panic!("{error}")))
}

/// The program of a text.
pub fn program(text: &str) -> Program {
    Compiler::default().programs(&[("program.c", text)])
}

/// The program of a text that is written into a folder, under a name without an extension.
pub fn program_in(folder: &Path, name: &str, text: &str) -> Program {
    let file = folder.join(format!("{name}.c"));
    std::fs::write(&file, text).expect("the source is written");
    program_of(&file)
}

/// The program of a file.
pub fn program_of(file: &Path) -> Program {
    Compiler::default().linked(&[file.to_owned()])
}

/// The program of a text, with `klee/klee.h` at hand and linked with the models of what it declares.
pub fn program_with_models(text: &str) -> Program {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::create_dir_all(folder.path().join("klee")).expect("a folder");
    std::fs::write(folder.path().join("klee/klee.h"), incise_libc::KLEE_HEADER).expect("the header");
    let file = folder.path().join("program.c");
    std::fs::write(&file, text).expect("the source is written");
    with_models(Compiler::default().linked(&[file]))
}

/// A program linked with the models of what it declares.
pub fn with_models(mut program: Program) -> Program {
    let declared = program.functions.iter().filter(|(_, function)| !function.is_definition());
    let missing: Vec<String> = declared.map(|(_, function)| function.name.clone()).collect();
    let models = incise_libc::select(missing.iter().map(String::as_str));
    if !models.is_empty() {
        let models = Models::scan("models", models.as_bytes()).expect("the models");
        link_models(&mut program, &models).expect("the models link");
    }
    program
}

/// How texts are compiled.
pub struct Compiler {
    /// The level of optimisation.
    pub level: &'static str,
    /// More options for clang.
    pub flags: Vec<&'static str>,
}

impl Default for Compiler {
    fn default() -> Self {
        Self { level: "0", flags: Vec::new() }
    }
}

impl Compiler {
    /// The program of a text.
    pub fn program(&self, text: &str) -> Program {
        self.programs(&[("test.c", text)])
    }

    /// The program of a text that is not asked for again.
    pub fn fresh(&self, text: &str) -> Program {
        self.compile(&[("test.c", text)])
    }

    /// The program of several files. Most are asked for more than once.
    pub fn programs(&self, files: &[(&str, &str)]) -> Program {
        static KNOWN: Mutex<BTreeMap<String, Program>> = Mutex::new(BTreeMap::new());
        let key = format!("{} {:?} {files:?}", self.level, self.flags);
        let known = KNOWN.lock().expect("no test fails here").get(&key).cloned();
        known.unwrap_or_else(|| {
            let program = self.compile(files);
            KNOWN.lock().expect("no test fails here").insert(key, program.clone());
            program
        })
    }

    fn compile(&self, files: &[(&str, &str)]) -> Program {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let written = files.iter().map(|(name, text)| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().expect("it has a folder")).expect("a folder");
            std::fs::write(&path, text).expect("the source is written");
            path
        });
        self.linked(&written.collect::<Vec<_>>())
    }

    /// The program of files that are there. What is included is looked for beside the first of them.
    fn linked(&self, files: &[PathBuf]) -> Program {
        let beside = files.first().and_then(|file| file.parent()).map(Path::to_owned);
        let options = CompileOptions {
            optimization: self.level.to_owned(),
            flags: ["-w"].iter().chain(&self.flags).map(Into::into).collect(),
            include_directories: beside.into_iter().collect(),
            ..CompileOptions::default()
        };
        let compiled: Vec<(String, Vec<u8>)> = files
            .iter()
            .map(|path| {
                let compiled = clang().compile(path, InputKind::C, &options, &AtomicBool::new(false));
                let text = || std::fs::read_to_string(path).unwrap_or_default();
                let compiled = compiled.unwrap_or_else(|error| panic!("{error}\n{}", text()));
                (path.display().to_string(), compiled.text)
            })
            .collect();
        let modules: Vec<_> = compiled.iter().map(|(name, text)| ModuleText { name, text }).collect();
        let program = link(&modules).unwrap_or_else(|error| panic!("{error}"));
        verify(&program).unwrap_or_else(|error| panic!("{error}"));
        program
    }
}
