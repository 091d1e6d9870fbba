//! Compiles C texts.

use incise_ir::{Program, verify};
use incise_llvm::{Clang, CompileOptions, InputKind, ModuleText, link};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, OnceLock};

/// How texts are compiled.
pub(crate) struct Compiler {
    /// The level of optimisation.
    pub(crate) level: &'static str,
    /// More options for clang.
    pub(crate) flags: Vec<&'static str>,
}

impl Default for Compiler {
    fn default() -> Self {
        Self { level: "0", flags: Vec::new() }
    }
}

impl Compiler {
    /// The program of a text.
    pub(crate) fn program(&self, text: &str) -> Program {
        self.programs(&[("test.c", text)])
    }

    /// The program of several files. Most are asked for more than once.
    pub(crate) fn programs(&self, files: &[(&str, &str)]) -> Program {
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
        let folder = tempfile::tempdir().expect("a folder");
        let mut flags = vec!["-w"];
        flags.extend(&self.flags);
        let options = CompileOptions {
            optimization: self.level.to_owned(),
            flags: flags.into_iter().map(Into::into).collect(),
            ..CompileOptions::default()
        };
        let compiled: Vec<(String, Vec<u8>)> = files
            .iter()
            .map(|(name, text)| {
                let path = folder.path().join(name);
                std::fs::create_dir_all(path.parent().expect("it has a folder")).expect("a folder");
                std::fs::write(&path, text).expect("the source is written");
                let compiled = clang().compile(&path, InputKind::C, &options, &AtomicBool::new(false));
                (path.display().to_string(), compiled.unwrap_or_else(|error| panic!("{error}\n{text}")).text)
            })
            .collect();
        let modules: Vec<_> = compiled.iter().map(|(name, text)| ModuleText { name, text }).collect();
        let program = link(&modules).unwrap_or_else(|error| panic!("{error}"));
        verify(&program).unwrap_or_else(|error| panic!("{error}"));
        program
    }
}

fn clang() -> &'static Clang {
    static CLANG: OnceLock<Clang> = OnceLock::new();
    CLANG.get_or_init(|| {
        let path: Vec<PathBuf> =
            std::env::var_os("PATH").map(|path| std::env::split_paths(&path).collect()).unwrap_or_default();
        Clang::find(None, &path).expect("clang is installed")
    })
}
