//! The program's files and how they are compiled: the same for exploring and for running natively.

use crate::found_files::FoundFiles;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The program's files and how they are compiled.
#[derive(Clone, Debug)]
pub struct Sources {
    /// The files, as the user named them, from the current folder.
    pub files: Vec<PathBuf>,
    /// What the user passes to clang.
    pub flags: Vec<OsString>,
    /// What single files are compiled with, in front of that.
    pub own_flags: BTreeMap<PathBuf, Vec<OsString>>,
    /// The level that clang optimises at.
    pub optimisation: String,
    /// What compiles them.
    pub tools: Tools,
    /// What a comparison with another version adds.
    pub extra: VersionExtra,
}

/// How C is compiled.
#[derive(Clone, Debug, Default)]
pub struct Compilation {
    /// What the user passes to clang.
    pub flags: Vec<OsString>,
    /// The level that clang optimises at.
    pub optimisation: String,
    /// What compiles.
    pub tools: Tools,
}

/// Where clang is found.
#[derive(Clone, Debug, Default)]
pub struct Tools {
    /// The clang that the user asked for.
    pub clang: Option<PathBuf>,
    /// The folders in which it is looked for otherwise.
    pub search_path: Vec<PathBuf>,
}

/// What a comparison with another version adds to how a program is compiled; no part of what is reported or written
/// down.
#[derive(Clone, Debug, Default)]
pub struct VersionExtra {
    /// More flags for clang.
    pub flags: Vec<OsString>,
    /// The files of folders that are left out if they do not compile; those below a folder that was named if nobody
    /// decided.
    pub may_fail: Option<BTreeSet<PathBuf>>,
    /// Files whose lines are numbered as in the other version, for `__LINE__`.
    pub moved: Vec<MovedFile>,
    /// Whether these numbers are in use, because they matter.
    pub renumbered: bool,
    /// The tree that the version is a part of, if it is of a repository. Then flags speak of that tree already.
    pub tree: Option<VersionTree>,
}

/// The tree of a repository that a version is a part of.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct VersionTree {
    /// Its top: names of files in the program begin behind it.
    pub root: PathBuf,
    /// The files of the old tree that changed, with those of the new tree that they are.
    pub changed: Vec<(PathBuf, PathBuf)>,
}

/// A file whose lines are numbered otherwise.
#[derive(Clone, Debug)]
pub struct MovedFile {
    /// Which.
    pub path: PathBuf,
    /// Its text, with directives.
    pub text: String,
    /// The lines that have another number.
    pub lines: BTreeSet<u64>,
}

/// When a file was compiled, or written, is no part of what a program does: two versions, and what is explored and what
/// runs, have the same date. Who says otherwise comes later on the command line.
const STEADY: [&str; 4] = [
    "-Wno-builtin-macro-redefined",
    "-D__DATE__=\"Jan  1 1970\"",
    "-D__TIME__=\"00:00:00\"",
    "-D__TIMESTAMP__=\"Thu Jan  1 00:00:00 1970\"",
];

/// What newer clangs refuse and other compilers, and older ones, accept with a warning: a repository was built, and
/// what its compiler accepted is compared.
const AS_BUILT: [&str; 7] = [
    "-Wno-unknown-warning-option",
    "-Wno-implicit-function-declaration",
    "-Wno-implicit-int",
    "-Wno-int-conversion",
    "-Wno-incompatible-function-pointer-types",
    "-Wno-return-mismatch",
    "-Wno-return-type",
];

impl Sources {
    /// Files that are compiled in a way.
    pub fn new(files: &[PathBuf], compilation: &Compilation) -> Self {
        let Compilation { flags, optimisation, tools } = compilation.clone();
        let (own_flags, extra) = Default::default();
        Self { files: files.to_vec(), flags, own_flags, optimisation, tools, extra }
    }

    /// Files of a tree, each with the flags that it is compiled with there. Names of files begin behind the top, in the
    /// program and in what is said of it, wherever the tree lies and whoever asks from where.
    pub fn of_tree(files: &[(PathBuf, Vec<OsString>)], compilation: &Compilation, tree: VersionTree) -> Self {
        let names: Vec<PathBuf> = files.iter().map(|(file, _)| file.clone()).collect();
        let mut sources = Self::new(&names, compilation);
        sources.own_flags = files.iter().cloned().collect();
        let mut top = OsString::from("-fdebug-compilation-dir=");
        top.push(&tree.root);
        sources.extra.flags.push(top);
        sources.extra.flags.extend(AS_BUILT.map(OsString::from));
        sources.extra.flags.extend(named_as(&tree.root.join(""), Path::new("")));
        sources.extra.tree = Some(tree);
        sources
    }

    /// Whether a file is compiled code already.
    pub fn is_ir(file: &Path) -> bool {
        !file.extension().is_some_and(|extension| extension == "c" || extension == "i" || extension == "h")
    }

    /// Whether all files are C.
    pub fn all_c(&self) -> bool {
        !self.files.iter().any(|file| Self::is_ir(file))
    }

    /// All that is passed to clang for a file.
    pub fn flags_of(&self, file: &Path) -> Vec<OsString> {
        let own = self.own_flags.get(file).into_iter().flatten().cloned();
        own.chain(self.all_flags()).collect()
    }

    /// All that is passed to clang for every file.
    pub fn all_flags(&self) -> Vec<OsString> {
        let steady = STEADY.iter().map(OsString::from);
        steady.chain(self.flags.iter().chain(&self.extra.flags).cloned()).collect()
    }

    /// The flags as text, for reports.
    pub fn flag_texts(&self) -> Vec<String> {
        self.flags.iter().map(|flag| flag.to_string_lossy().into_owned()).collect()
    }

    /// The files as text, for reports.
    pub fn file_texts(&self) -> Vec<String> {
        let top = self.extra.tree.as_ref().map(|tree| tree.root.as_path());
        let here = Path::new(".").canonicalize().ok();
        // Where a tree was laid out is nobody's affair; what lies around here is found from here.
        let from = match (top, &here) {
            (Some(top), Some(here)) if here.starts_with(top) => Some(here.as_path()),
            _ => top,
        };
        let inner = |file: &PathBuf| {
            let inner = from.and_then(|from| file.strip_prefix(from).ok());
            inner.unwrap_or(file).to_string_lossy().into_owned()
        };
        self.files.iter().map(inner).collect()
    }

    /// A hash of the files' bytes, in order (FNV-1a): tells whether tests are older than the code, no more.
    pub fn hash(&self) -> std::io::Result<String> {
        // Before the program is read, a folder stands for its files.
        let files = FoundFiles::of(&self.files).map_or_else(|_| self.files.clone(), |found| found.files);
        let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
        for file in &files {
            for byte in std::fs::read(file)?.into_iter().chain([0xff]) {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
        }
        Ok(format!("fnv1a64:{hash:016x}"))
    }
}

/// The flag that gives files another name in the program; none if clang cannot be told.
pub(crate) fn named_as(from: &Path, to: &Path) -> Option<OsString> {
    // Clang splits at the first sign of equality, and takes an empty name for everything.
    let plain = !from.as_os_str().is_empty() && !from.to_string_lossy().contains('=');
    let mut flag = OsString::from("-fmacro-prefix-map=");
    flag.push(from);
    flag.push("=");
    flag.push(to);
    plain.then_some(flag)
}
