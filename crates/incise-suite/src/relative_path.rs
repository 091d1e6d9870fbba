//! Paths as seen from another folder.

use crate::error::SuiteError;
use std::path::{Component, Path, PathBuf};

/// The way from the folder `from` (which may not exist yet) to the existing file or folder `to`.
pub(super) fn relative_to(from: &Path, to: &Path) -> Result<String, SuiteError> {
    let from = real(&std::path::absolute(from)?);
    let to = to.canonicalize().map_err(|error| SuiteError::NotFound(to.to_owned(), error))?;
    let shared = from.components().zip(to.components()).take_while(|(left, right)| left == right).count();
    let mut way = PathBuf::new();
    way.extend(from.components().skip(shared).map(|_| Component::ParentDir));
    way.extend(to.components().skip(shared));
    if way.as_os_str().is_empty() {
        way.push(".");
    }
    way.into_os_string().into_string().map_err(|_| SuiteError::PathIsNoText(to))
}

/// A path without links, as far as it exists.
fn real(path: &Path) -> PathBuf {
    let existing = path.ancestors().find_map(|part| Some((part, part.canonicalize().ok()?)));
    match existing {
        Some((part, real)) => {
            real.join(path.strip_prefix(part).unwrap_or(Path::new(""))).components().collect()
        }
        None => path.to_owned(),
    }
}

/// Whether both lead to the same file.
pub(super) fn is_same_file(left: &Path, right: &Path) -> bool {
    left.canonicalize().is_ok_and(|left| right.canonicalize().is_ok_and(|right| left == right))
}

/// A path of the user, seen from the folder of the tests, from which `back` leads to where the user is.
pub(super) fn join(back: &str, path: &Path) -> String {
    Path::new(back).join(path).to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_back_leads_through_what_both_have_in_common() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir_all(at("a/b")).unwrap();
        std::fs::write(at("a/f.c"), "").unwrap();
        assert_eq!(relative_to(&at("a/tests"), &at("a")).unwrap(), "..");
        assert_eq!(relative_to(&at("tests"), &at("a/b")).unwrap(), "../a/b");
        assert_eq!(relative_to(&at("a"), &at("a")).unwrap(), ".");
        assert_eq!(relative_to(&at("new/inner"), &at("a/f.c")).unwrap(), "../../a/f.c");
        std::os::unix::fs::symlink("a", at("link")).unwrap();
        assert_eq!(relative_to(&at("link/new/inner"), &at("a/f.c")).unwrap(), "../../f.c");
        assert!(relative_to(&at("a"), &at("nothing")).is_err());
    }
}
