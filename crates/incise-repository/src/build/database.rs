//! Compilation databases: `compile_commands.json`, as CMake, Meson and recorders write it.

use super::command_words::shell_words;
use super::compiler_call::CompilerCall;
use super::flags::{Kept, moved_flag, whole};
use super::response::with_responses;
use crate::error::RepositoryError;
use serde_json::Value;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What such a file is called.
const NAME: &str = "compile_commands.json";
/// Where it is looked for, from the top.
const PLACES: [&str; 6] = ["", "build", "builddir", "_build", "out", "cmake-build-debug"];

/// A file as it is compiled once.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Unit {
    /// The file.
    pub file: PathBuf,
    /// What clang is given; paths in it are whole.
    pub flags: Vec<OsString>,
    /// What tells it from other compilations of the same file; empty if there are none.
    pub variant: String,
}

/// Where a database is looked for.
#[derive(Copy, Clone, Debug)]
pub enum DatabasePlace<'p> {
    /// In this folder, or it is this file: the user says so.
    Given(&'p Path),
    /// Around the top of a version.
    Around(&'p Path),
}

/// How the files of a version are compiled.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Database {
    /// Where it was found.
    pub path: PathBuf,
    /// The units of C, in the order of their names.
    pub units: Vec<Unit>,
    /// What was left out of command lines and may mean something.
    pub dropped: BTreeSet<String>,
    /// Files in other languages, and entries that compile nothing.
    pub others: BTreeSet<PathBuf>,
}

impl Database {
    /// Finds a database, and reads it.
    pub fn find(place: DatabasePlace<'_>) -> Result<Option<Self>, RepositoryError> {
        match place {
            DatabasePlace::Given(path) if path.is_file() => Self::read(path).map(Some),
            DatabasePlace::Given(folder) => match folder.join(NAME) {
                path if path.is_file() => Self::read(&path).map(Some),
                _ => Err(RepositoryError::NoDatabase(folder.to_owned())),
            },
            DatabasePlace::Around(root) => {
                let mut places = PLACES.iter().map(|folder| root.join(folder).join(NAME));
                places.find(|path| path.is_file()).map(|path| Self::read(&path)).transpose()
            }
        }
    }

    /// Reads a database.
    pub fn read(path: &Path) -> Result<Self, RepositoryError> {
        let text = std::fs::read(path).map_err(RepositoryError::io(path))?;
        let wrong = |why: String| RepositoryError::Database { path: path.to_owned(), why };
        let value: Value =
            serde_json::from_slice(&text).map_err(|error| wrong(format!("no JSON: {error}")))?;
        let entries = value.as_array().ok_or_else(|| wrong("it is not a list of commands".to_owned()))?;
        let home = path.parent().unwrap_or(Path::new("."));
        let home = home.canonicalize().map_err(RepositoryError::io(home))?;
        let mut database = Self { path: path.to_owned(), ..Self::default() };
        for (number, entry) in entries.iter().enumerate() {
            let wrong = |why: String| wrong(format!("entry {}: {why}", number + 1));
            database.add(entry, &home).map_err(wrong)?;
        }
        database.tell_apart();
        Ok(database)
    }

    fn add(&mut self, entry: &Value, home: &Path) -> Result<(), String> {
        let text = |name: &str| entry.get(name).and_then(Value::as_str);
        let file = text("file").ok_or("there is no \"file\"")?;
        // Folders are whole in databases; those that people write may be relative to it.
        let folder = whole(home, text("directory").unwrap_or("."));
        let words: Vec<String> = match (entry.get("arguments").and_then(Value::as_array), text("command")) {
            (Some(words), _) => words.iter().filter_map(|word| word.as_str().map(str::to_owned)).collect(),
            (None, Some(command)) => shell_words(command).ok_or("a quote in \"command\" does not end")?,
            (None, None) => return Err("there is neither \"arguments\" nor \"command\"".to_owned()),
        };
        let output = text("output").map(str::to_owned);
        self.add_call(file, &words, &folder, output);
        Ok(())
    }

    /// Adds a call of a compiler for a file.
    fn add_call(&mut self, file: &str, words: &[String], folder: &Path, output: Option<String>) {
        let file = whole(folder, file);
        let call = CompilerCall::of(words);
        let Some(call) = call.filter(|call| !call.is_of_cpp()) else {
            self.others.insert(file);
            return;
        };
        let kept = Kept::of(&with_responses(call.words, folder), folder);
        let language = kept.language.as_deref();
        let is_c = match language {
            Some(language) => language == "c" || language == "cpp-output",
            None => file.extension().is_some_and(|ending| ending == "c" || ending == "i"),
        };
        if !is_c || !kept.compiles {
            self.others.insert(file);
            return;
        }
        self.dropped.extend(kept.dropped);
        let variant = output.or(kept.output).unwrap_or_default();
        self.units.push(Unit { file, flags: kept.flags, variant });
    }

    /// Orders the units, and keeps one of those that are the same. What they are compiled to is a name only for those
    /// that are not.
    fn tell_apart(&mut self) {
        self.units.sort();
        let mut seen = BTreeSet::new();
        self.units.retain(|unit| seen.insert((unit.file.clone(), unit.flags.clone())));
        for same in self.units.chunk_by_mut(|one, other| one.file == other.file) {
            if let [single] = same {
                single.variant.clear();
            }
        }
    }

    /// Leaves flags out that clang does not know, and remembers them.
    pub fn without(&mut self, unknown: &BTreeSet<OsString>) {
        for unit in &mut self.units {
            unit.flags.retain(|flag| !unknown.contains(flag));
        }
        self.dropped.extend(unknown.iter().map(|flag| flag.to_string_lossy().into_owned()));
    }

    /// All flags of all units.
    pub fn all_flags(&self) -> BTreeSet<OsString> {
        self.units.iter().flat_map(|unit| unit.flags.iter().cloned()).collect()
    }
}

impl Unit {
    /// The same unit of a version that lies elsewhere: everything below one top is below the other.
    pub fn moved(&self, from: &Path, to: &Path, file: &Path) -> Self {
        let flags = self.flags.iter().map(|flag| moved_flag(flag, from, to)).collect();
        Self { file: file.to_owned(), flags, variant: self.variant.clone() }
    }
}
