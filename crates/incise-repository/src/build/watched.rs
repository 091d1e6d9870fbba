//! Watches a build: which compilers it calls, where, and with what words.
//!
//! A small library is loaded into every program that the build starts (`watch.c`). It looks at what the program was
//! called with before that begins, and writes it down if sources are named. So nothing about the build is changed, no
//! wrapper stands in what CMake, Meson or configure remember, and it does not matter whether a compiler is called by
//! its name or by its path, from make, ninja, a script or another compiler. Programs that are linked statically, and
//! those that are started without the environment, are not seen.

use super::command_words::response_words;
use super::compiler_call::CompilerCall;
use super::flags::{Kept, whole};
use crate::error::RepositoryError;
use incise_children::{RunError, run};
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

const LIBRARY: &str = include_str!("watch.c");
/// How long clang may take to compile the library.
const TIME: Duration = Duration::from_secs(60);
/// What compilers are told if they are not to compile.
const NO_COMPILATION: [&str; 5] = ["-E", "-M", "-MM", "-fsyntax-only", "-###"];

/// A folder in which calls are written down.
pub struct BuildWatch {
    library: PathBuf,
    records: PathBuf,
}

/// A file that was compiled.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct CompiledFile {
    /// The file, from the root of the file system.
    pub file: PathBuf,
    /// Where the compiler ran.
    pub folder: PathBuf,
    /// The whole command.
    pub words: Vec<String>,
    /// What was made, if it is known.
    pub output: Option<PathBuf>,
}

/// What a build compiled.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WatchedBuild {
    /// The files that are still there, in their order; each way to compile one is there once.
    pub files: Vec<CompiledFile>,
    /// How many are gone: what configurations try, and what generators leave behind for a moment.
    pub gone: usize,
    /// What was made by compilers, of whatever, from the root of the file system.
    pub outputs: BTreeSet<PathBuf>,
}

impl BuildWatch {
    /// Makes the library in a folder.
    pub fn new(clang: &Path, folder: &Path, interrupt: &AtomicBool) -> Result<Self, RepositoryError> {
        let (source, library) = (folder.join("watch.c"), folder.join("watch.so"));
        let records = folder.join("records");
        std::fs::write(&source, LIBRARY).map_err(RepositoryError::io(&source))?;
        std::fs::create_dir(&records).map_err(RepositoryError::io(&records))?;
        let mut command = incise_children::command(clang);
        command.args(["-shared", "-fPIC", "-O1", "-w", "-o"]).arg(&library).arg(&source);
        let finished = run(&mut command, Some(TIME), interrupt).map_err(|error| match error {
            RunError::Io(error) => RepositoryError::Io { path: clang.to_owned(), error },
            RunError::Interrupted | RunError::TimedOut => RepositoryError::Interrupted,
        })?;
        if !finished.status.success() {
            let said = String::from_utf8_lossy(&finished.stderr).trim().to_owned();
            return Err(RepositoryError::NoWatch(said));
        }
        // Names in the list of libraries end at blanks and colons.
        if library.as_os_str().as_encoded_bytes().iter().any(|byte| b" :".contains(byte)) {
            let said = format!("'{}' has a blank or a colon in its name", folder.display());
            return Err(RepositoryError::NoWatch(said));
        }
        Ok(Self { library, records })
    }

    /// What the build has to find in its environment. `preloaded` are libraries that are loaded already.
    pub fn environment(&self, preloaded: Option<&OsStr>) -> [(&'static str, OsString); 2] {
        let mut libraries = self.library.clone().into_os_string();
        if let Some(others) = preloaded.filter(|others| !others.is_empty()) {
            libraries.push(":");
            libraries.push(others);
        }
        [("LD_PRELOAD", libraries), ("INCISE_BUILD_RECORD", self.records.clone().into_os_string())]
    }

    /// What was seen.
    pub fn seen(&self) -> Result<WatchedBuild, RepositoryError> {
        let mut build = WatchedBuild::default();
        let (mut files, mut gone) = (BTreeSet::new(), BTreeSet::new());
        let entries = std::fs::read_dir(&self.records).map_err(RepositoryError::io(&self.records))?;
        for entry in entries {
            let path = entry.map_err(RepositoryError::io(&self.records))?.path();
            let record = std::fs::read(&path).map_err(RepositoryError::io(&path))?;
            let Some((folder, words)) = read_record(&record) else { continue };
            for compiled in compiled_files(&folder, words, &mut build.outputs) {
                match compiled.file.is_file() {
                    true => _ = files.insert(compiled),
                    false => _ = gone.insert(compiled.file),
                }
            }
        }
        (build.files, build.gone) = (files.into_iter().collect(), gone.len());
        Ok(build)
    }
}

/// The folder and the words of a record, with those of response files in their places; `None` if it was cut.
fn read_record(record: &[u8]) -> Option<(PathBuf, Vec<String>)> {
    let (mut folder, mut words, mut rest) = (None, Vec::new(), record);
    while let Some((kind, behind)) = rest.split_first() {
        let colon = behind.iter().position(|byte| *byte == b':')?;
        let length: usize = std::str::from_utf8(&behind[..colon]).ok()?.parse().ok()?;
        let field = behind.get(colon + 1..)?.get(..length)?;
        let text = String::from_utf8_lossy(field).into_owned();
        match kind {
            b'd' => folder = Some(PathBuf::from(text)),
            b'a' => words.push(text),
            b'r' => {
                words.pop();
                words.extend(response_words(&text));
            }
            _ => return None,
        }
        rest = &behind[colon + 1 + length..];
    }
    Some((folder?, words))
}

/// The files of C that a command compiles. What it makes of any source is kept beside.
fn compiled_files(folder: &Path, words: Vec<String>, outputs: &mut BTreeSet<PathBuf>) -> Vec<CompiledFile> {
    let Some(call) = CompilerCall::of(&words).filter(|call| call.is_of_c() || call.is_of_cpp()) else {
        return Vec::new();
    };
    if call.words.iter().any(|word| NO_COMPILATION.contains(&word.as_str())) {
        return Vec::new();
    }
    let kept = Kept::of(&call.words, folder);
    let is_source = |name: &&String| {
        let ending = Path::new(name).extension().unwrap_or_default().to_string_lossy().into_owned();
        ["c", "i", "cc", "cpp", "cxx", "c++", "C", "s", "S", "m"].contains(&ending.as_str())
    };
    let sources: Vec<&String> = kept.inputs.iter().filter(is_source).collect();
    let compiles_only = call.words.iter().any(|word| word == "-c" || word == "-S");
    let mut found = Vec::new();
    for source in &sources {
        let usual = || Path::new(source).file_stem().map(|stem| Path::new(stem).with_extension("o"));
        let made = match kept.output.as_ref().filter(|_| compiles_only && sources.len() == 1) {
            Some(output) => Some(PathBuf::from(output)),
            None => usual().filter(|_| compiles_only),
        };
        let output = made.map(|made| whole(folder, made));
        outputs.extend(output.clone());
        found.push(CompiledFile {
            file: whole(folder, source),
            folder: folder.to_owned(),
            words: words.clone(),
            output,
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(words: &str) -> Vec<String> {
        let words = words.split(' ').map(str::to_owned).collect();
        let found = compiled_files(Path::new("/no/such/folder"), words, &mut BTreeSet::new());
        let shown = |each: &CompiledFile| {
            let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            format!("{} {}", name(&each.file), each.output.as_deref().map(name).unwrap_or_default())
        };
        found.iter().map(shown).collect()
    }

    #[test]
    fn files_of_a_command_are_found() {
        assert_eq!(files("cc -I x.c -c a.c -o b.o"), ["a.c b.o"]);
        assert_eq!(files("/usr/bin/ccache gcc-13 -c a.c"), ["a.c a.o"]);
        assert_eq!(files("gcc -O2 a.c b.c -o program"), ["a.c ", "b.c "], "compiled and linked at once");
        assert_eq!(files("gcc -MMD -MF a.d -MT a.c -c a.c"), ["a.c a.o"]);
        for other in
            ["gcc -E a.c", "gcc -M a.c", "sed s/a/b/ a.c", "cc1 -quiet a.c", "ld a.o", "gcc a.o -o x"]
        {
            assert_eq!(files(other), [""; 0], "{other}");
        }
    }

    #[test]
    fn records_are_read_and_those_that_were_cut_are_not() {
        let record = b"d2:/xa2:cca4:@argr8:-c 'a b'a3:d.c";
        let (folder, words) = read_record(record).expect("it is whole");
        assert_eq!((folder, words), ("/x".into(), ["cc", "-c", "a b", "d.c"].map(str::to_owned).to_vec()));
        assert_eq!(read_record(&record[..record.len() - 1]), None);
        assert_eq!(read_record(b""), None);
    }
}
