//! The program's files and how they are compiled: the same for exploring and for running natively.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The program's files and how they are compiled.
#[derive(Clone, Debug)]
pub(crate) struct Sources {
    /// The files, as the user named them, from the current folder.
    pub(crate) files: Vec<PathBuf>,
    /// What the user passes to clang.
    pub(crate) flags: Vec<OsString>,
    /// The level that clang optimises at.
    pub(crate) optimisation: String,
    /// What compiles them.
    pub(crate) tools: Tools,
    /// What a comparison with another version adds.
    pub(crate) extra: Extra,
}

/// How C is compiled.
#[derive(Clone, Debug, Default)]
pub(crate) struct Compilation {
    /// What the user passes to clang.
    pub(crate) flags: Vec<OsString>,
    /// The level that clang optimises at.
    pub(crate) optimisation: String,
    /// What compiles.
    pub(crate) tools: Tools,
}

/// Where clang is found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tools {
    /// The clang that the user asked for.
    pub(crate) clang: Option<PathBuf>,
    /// The folders in which it is looked for otherwise.
    pub(crate) search_path: Vec<PathBuf>,
}

/// What a comparison with another version adds to how a program is compiled; no part of what is reported or written down.
#[derive(Clone, Debug, Default)]
pub(crate) struct Extra {
    /// More flags for clang.
    pub(crate) flags: Vec<OsString>,
    /// The files of folders that are left out if they do not compile; those below a folder that was named if nobody decided.
    pub(crate) may_fail: Option<BTreeSet<PathBuf>>,
    /// Files whose lines are numbered as in the other version, for `__LINE__`.
    pub(crate) moved: Vec<MovedFile>,
    /// Whether these numbers are in use, because they matter.
    pub(crate) renumbered: bool,
}

/// A file whose lines are numbered otherwise.
#[derive(Clone, Debug)]
pub(crate) struct MovedFile {
    pub(crate) path: PathBuf,
    /// Its text, with directives.
    pub(crate) text: String,
    /// The lines that have another number.
    pub(crate) lines: BTreeSet<u64>,
}

impl Sources {
    /// Files that are compiled in a way.
    pub(crate) fn new(files: &[PathBuf], compilation: &Compilation) -> Self {
        let Compilation { flags, optimisation, tools } = compilation.clone();
        Self { files: files.to_vec(), flags, optimisation, tools, extra: Extra::default() }
    }

    /// Whether a file is compiled code already.
    pub(crate) fn is_ir(file: &Path) -> bool {
        !file.extension().is_some_and(|extension| extension == "c" || extension == "i" || extension == "h")
    }

    /// Whether all files are C.
    pub(crate) fn all_c(&self) -> bool {
        !self.files.iter().any(|file| Self::is_ir(file))
    }

    /// All that is passed to clang.
    pub(crate) fn all_flags(&self) -> Vec<OsString> {
        self.flags.iter().chain(&self.extra.flags).cloned().collect()
    }

    /// The flags as text, for reports.
    pub(crate) fn flag_texts(&self) -> Vec<String> {
        self.flags.iter().map(|flag| flag.to_string_lossy().into_owned()).collect()
    }

    /// The files as text, for reports.
    pub(crate) fn file_texts(&self) -> Vec<String> {
        self.files.iter().map(|file| file.to_string_lossy().into_owned()).collect()
    }

    /// A hash of the files' bytes, in order (FNV-1a): tells whether tests are older than the code, no more.
    pub(crate) fn hash(&self) -> std::io::Result<String> {
        let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
        for file in &self.files {
            for byte in std::fs::read(file)?.into_iter().chain([0xff]) {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
        }
        Ok(format!("fnv1a64:{hash:016x}"))
    }
}
