//! A repository: where it lies, and the versions of its files.

use crate::error::RepositoryError;
use crate::git::{Git, line};
use crate::layout::lay_out;
use crate::listing::Listing;
use crate::revisions::Side;
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::AtomicBool;
use tempfile::TempDir;

/// A repository.
pub struct Repository<'a> {
    git: Git<'a>,
    git_folder: PathBuf,
    work_tree: Option<PathBuf>,
}

/// A version whose files lie somewhere.
pub struct LaidOut {
    /// Where.
    pub root: PathBuf,
    /// What it is made of.
    pub files: Listing,
    /// What has to be said of it.
    pub notes: Vec<String>,
    /// The folder that goes away with it, if it was laid out.
    _folder: Option<TempDir>,
}

impl<'a> Repository<'a> {
    /// The repository that a folder is in. Programs are looked for in the search path.
    pub fn discover(
        folder: &Path,
        search_path: &[PathBuf],
        interrupt: &'a AtomicBool,
    ) -> Result<Self, RepositoryError> {
        let git = Git::find(search_path, interrupt)?;
        let here = git.from(folder);
        let words = ["rev-parse", "--absolute-git-dir"].map(OsString::from);
        let answer = here.try_ask(&words)?;
        if answer.status != Some(0) {
            return Err(match answer.complaint.as_str() {
                said if said.contains("not a git repository") => {
                    RepositoryError::NotARepository(folder.to_owned())
                }
                said if said.contains("dubious ownership") => RepositoryError::NotTrusted(said.to_owned()),
                _ => answer.error(&words),
            });
        }
        let git_folder = PathBuf::from(line(&answer.said));
        let words = ["rev-parse", "--show-toplevel"].map(OsString::from);
        let answer = here.try_ask(&words)?;
        let work_tree = (answer.status == Some(0)).then(|| PathBuf::from(line(&answer.said)));
        let work_tree = work_tree.filter(|path| !path.as_os_str().is_empty());
        Ok(Self { git, git_folder, work_tree })
    }

    /// Where its files lie; none if it is bare.
    pub fn work_tree(&self) -> Option<&Path> {
        self.work_tree.as_deref()
    }

    /// The files that change when another commit is checked out or made.
    pub fn files_of_head(&self) -> Vec<PathBuf> {
        ["HEAD", "logs/HEAD"].map(|name| self.git_folder.join(name)).into()
    }

    /// Git, asked about it.
    pub(crate) fn git(&self) -> Git<'a> {
        self.git.about(&self.git_folder, self.work_tree.as_deref().unwrap_or(&self.git_folder))
    }

    /// Whether a part of the history is not here.
    pub(crate) fn is_shallow(&self) -> Result<bool, RepositoryError> {
        Ok(line(&self.git().ask(["rev-parse", "--is-shallow-repository"])?) == "true")
    }

    /// The files of a version: where they are, or laid out beside.
    pub fn version(&self, side: &Side) -> Result<LaidOut, RepositoryError> {
        match (side, &self.work_tree) {
            (Side::WorkTree, None) => Err(RepositoryError::NoWorkTree),
            (Side::WorkTree, Some(root)) => {
                let (files, notes) = Listing::of_work_tree(&self.git, &self.git_folder, root)?;
                Ok(LaidOut { root: root.clone(), files, notes, _folder: None })
            }
            (Side::Revision { name, tree }, _) => {
                let folder = tempfile::Builder::new().prefix("incise-tree-").tempdir();
                let folder = folder.map_err(RepositoryError::NoTemporaryFolder)?;
                let whole = folder.path().canonicalize().map_err(RepositoryError::io(folder.path()))?;
                let root = whole.join("tree");
                let place = crate::layout::Place {
                    git: &self.git,
                    git_folder: &self.git_folder,
                    work_tree: self.work_tree.as_deref(),
                    root: &root,
                    index: &whole.join("index"),
                };
                let (files, notes) = lay_out(&place, name, tree)?;
                Ok(LaidOut { root, files, notes, _folder: Some(folder) })
            }
        }
    }

    /// A path that the user named, from the top of the repository; `here` is the folder that it is named from.
    pub fn within(&self, path: &Path, here: &Path) -> Result<PathBuf, RepositoryError> {
        let root = self.work_tree.as_deref().ok_or(RepositoryError::NoWorkTree)?;
        let whole = clean(&here.join(path));
        // The folder may be known by another name.
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let found = whole.strip_prefix(root).map(Path::to_owned).or_else(|_| {
            let folder = whole.parent().map(real).unwrap_or_default();
            let whole = whole.file_name().map_or_else(|| real(&whole), |name| folder.join(name));
            let whole = if whole.is_dir() { real(&whole) } else { whole };
            whole.strip_prefix(root).map(Path::to_owned)
        });
        found.map_err(|_| RepositoryError::Outside { path: path.to_owned(), root: root.to_owned() })
    }
}

/// A path without `.` and `..`, as it is written.
pub(crate) fn clean(path: &Path) -> PathBuf {
    let mut result = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => _ = result.pop(),
            _ => result.push(part),
        }
    }
    result
}
