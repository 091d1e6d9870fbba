//! What a folder stands for: the C files in it and in the folders below.
//!
//! What a build left behind and what is hidden is not looked into. Whatever holds code and is not taken is listed, so
//! that nobody takes silence for "there was nothing".

use super::input::InputError;
use std::path::{Path, PathBuf};

/// Folders nest no deeper than this, unless links go round in circles.
const DEEPEST: usize = 64;

/// The files of a folder that hold code, each list with what lies nearer to the top first and then by name.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FolderFiles {
    /// C sources.
    pub sources: Vec<PathBuf>,
    /// What C sources may include.
    pub headers: Vec<PathBuf>,
    /// Code in other languages.
    pub others: Vec<PathBuf>,
    /// C sources that are not taken, because they are hidden or a build made them; also links to folders.
    pub skipped: Vec<PathBuf>,
}

impl FolderFiles {
    /// Lists a folder and those below it.
    pub fn of(folder: &Path) -> Result<Self, InputError> {
        let mut found = Self::default();
        found.walk(folder, false, 0)?;
        for list in [&mut found.sources, &mut found.headers, &mut found.others, &mut found.skipped] {
            list.sort_by_cached_key(|path| (path.components().count(), path.clone()));
        }
        Ok(found)
    }

    fn walk(&mut self, folder: &Path, skipped: bool, depth: usize) -> Result<(), InputError> {
        let unreadable = |error| InputError::Unreadable { path: folder.to_owned(), error };
        for entry in folder.read_dir().map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            let (path, kind) = (entry.path(), entry.file_type().map_err(unreadable)?);
            if kind.is_symlink() && path.is_dir() {
                self.skipped.push(path);
            } else if kind.is_dir() {
                // What cannot be read was left out anyway if it is not to be looked into.
                let skip = skipped || is_junk(&path) || depth >= DEEPEST;
                match self.walk(&path, skip, depth + 1) {
                    Err(_) if skip => {}
                    result => result?,
                }
            } else if path.is_file() {
                self.add(path, skipped);
            }
        }
        Ok(())
    }

    fn add(&mut self, path: PathBuf, skipped: bool) {
        let list = match path.extension().and_then(|extension| extension.to_str()) {
            // A file without anything in it is no source of anything.
            Some("c") if path.metadata().is_ok_and(|file| file.len() == 0) => return,
            Some("c") if skipped => &mut self.skipped,
            Some("c") => &mut self.sources,
            Some("h" | "inc" | "def") if !skipped => &mut self.headers,
            Some("cc" | "cpp" | "cxx" | "c++" | "C" | "m" | "mm" | "s" | "S" | "asm" | "rs") if !skipped => {
                &mut self.others
            }
            _ => return,
        };
        list.push(path);
    }
}

/// Whether a folder is hidden, or holds what a build made.
fn is_junk(folder: &Path) -> bool {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with('.')
        || name == "CMakeFiles"
        || folder.join("CMakeCache.txt").exists()
        || folder.join("build.ninja").exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_of_all_folders_are_found_and_what_a_build_made_is_not() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let files = [
            "z.c",
            "sub/deep/b.c",
            "sub/a.c",
            "sub/a.h",
            "asm.S",
            "notes.txt",
            ".git/x.c",
            "out/CMakeCache.txt",
            "out/made.c",
            "CMakeFiles/id.c",
        ];
        for file in files {
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().expect("in a folder")).expect("a folder is made");
            std::fs::write(path, "int x;").expect("a file is written");
        }
        std::fs::write(folder.path().join("empty.c"), "").expect("a file is written");
        let found = FolderFiles::of(folder.path()).expect("a folder that can be read");
        let names = |list: &[PathBuf]| -> Vec<String> {
            let relative =
                |path: &PathBuf| path.strip_prefix(folder.path()).expect("below").display().to_string();
            list.iter().map(relative).collect()
        };
        assert_eq!(names(&found.sources), ["z.c", "sub/a.c", "sub/deep/b.c"]);
        assert_eq!(names(&found.headers), ["sub/a.h"]);
        assert_eq!(names(&found.others), ["asm.S"]);
        assert_eq!(names(&found.skipped), [".git/x.c", "CMakeFiles/id.c", "out/made.c"]);
    }
}
