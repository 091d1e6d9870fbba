//! Finds clang and llvm-dis among the folders that the caller gives.

use incise_children::run;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The oldest clang whose IR can be read: the first with opaque pointers.
pub const OLDEST_CLANG: u32 = 15;

/// The names that clang goes by, the preferred first.
const CANDIDATES: &[&str] = &[
    "clang-19", "clang", "clang-18", "clang-17", "clang-16", "clang-15", "clang-20", "clang-21", "clang-22",
];

/// A clang that can be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clang {
    /// Where it is.
    pub path: PathBuf,
    /// Its major version.
    pub version: u32,
}

/// Why there is no clang.
#[derive(Debug, thiserror::Error)]
pub enum ClangError {
    /// None is installed.
    #[error("clang was not found; install it with: apt-get install clang-19")]
    Missing,
    /// The one that was asked for is not there.
    #[error("there is no clang at '{}'; to install one: apt-get install clang-19", .0.display())]
    NotFound(PathBuf),
    /// Its IR has typed pointers.
    #[error("'{}' is clang {version}, but clang {OLDEST_CLANG} or newer is needed; to install one: apt-get install clang-19", path.display())]
    TooOld {
        /// Where it is.
        path: PathBuf,
        /// Its major version.
        version: u32,
    },
    /// What it says of itself is not what clang says.
    #[error("'{}' does not answer like clang to '--version'", .0.display())]
    NotClang(PathBuf),
}

impl Clang {
    /// Finds clang: the one given, or the best of those in the folders of `search_path`.
    pub fn find(explicit: Option<&Path>, search_path: &[PathBuf]) -> Result<Self, ClangError> {
        if let Some(explicit) = explicit {
            let path =
                locate(explicit, search_path).ok_or_else(|| ClangError::NotFound(explicit.to_owned()))?;
            return Self::at(path);
        }
        let mut first_problem = None;
        for name in CANDIDATES {
            let Some(path) = locate(Path::new(name), search_path) else { continue };
            // Debian's names tell the version, which saves asking.
            let told = name.strip_prefix("clang-").and_then(|version| version.parse().ok());
            match told
                .map_or_else(|| Self::at(path.clone()), |version| Ok(Self { path: path.clone(), version }))
            {
                Ok(clang) => return Ok(clang),
                Err(problem) => drop(first_problem.get_or_insert(problem)),
            }
        }
        Err(first_problem.unwrap_or(ClangError::Missing))
    }

    /// Asks the clang at a path for its version.
    fn at(path: PathBuf) -> Result<Self, ClangError> {
        let mut command = incise_children::command(&path);
        command.arg("--version");
        let never = AtomicBool::new(false);
        let Ok(finished) = run(&mut command, Some(Duration::from_secs(20)), &never) else {
            return Err(ClangError::NotClang(path));
        };
        match parse_version(&String::from_utf8_lossy(&finished.stdout)) {
            None => Err(ClangError::NotClang(path)),
            Some(version) if version < OLDEST_CLANG => Err(ClangError::TooOld { path, version }),
            Some(version) => Ok(Self { path, version }),
        }
    }
}

/// Finds a program by its name in the search path, or by its path.
pub(super) fn locate(program: &Path, search_path: &[PathBuf]) -> Option<PathBuf> {
    if program.components().count() > 1 {
        return is_executable(program).then(|| program.to_owned());
    }
    search_path.iter().map(|folder| folder.join(program)).find(|path| is_executable(path))
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file()
}

/// The major version in `Debian clang version 19.1.7 (3~deb12u1)`.
fn parse_version(text: &str) -> Option<u32> {
    let rest = &text[text.find("clang version ")? + "clang version ".len()..];
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    rest[..digits].parse().ok()
}

/// Finds the newest `llvm-dis`, which turns bitcode into text.
pub(super) fn find_disassembler(search_path: &[PathBuf]) -> Option<PathBuf> {
    let numbered = (OLDEST_CLANG..=22).rev().map(|version| format!("llvm-dis-{version}"));
    numbered.chain(["llvm-dis".to_owned()]).find_map(|name| locate(Path::new(&name), search_path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_found_in_what_clang_says() {
        assert_eq!(parse_version("Debian clang version 19.1.7 (3~deb12u1)\nTarget: x86_64"), Some(19));
        assert_eq!(parse_version("clang version 15.0.6"), Some(15));
        assert_eq!(parse_version("Apple clang version 14.0.0 (clang-1400.0.29.202)"), Some(14));
        assert_eq!(parse_version("gcc (Debian 12.2.0-14) 12.2.0"), None);
    }

    #[test]
    fn a_missing_clang_says_what_to_install() {
        let error = Clang::find(None, &[]).unwrap_err().to_string();
        assert!(error.contains("apt-get install clang-19"), "{error}");
        let error = Clang::find(Some(Path::new("/nowhere/clang")), &[]).unwrap_err().to_string();
        assert!(error.contains("/nowhere/clang"), "{error}");
    }

    #[test]
    fn something_else_is_not_taken_for_clang() {
        let path = [PathBuf::from("/bin"), PathBuf::from("/usr/bin")];
        assert!(matches!(Clang::find(Some(Path::new("true")), &path), Err(ClangError::NotClang(_))));
    }
}
