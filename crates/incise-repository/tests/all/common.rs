//! Repositories for tests, and what is in them to the last byte.

use incise_repository::{FileChange, LaidOut, Repository, Side, Sides, changes};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use tempfile::TempDir;

pub(crate) static GO_ON: AtomicBool = AtomicBool::new(false);

/// A repository in a temporary folder.
pub(crate) struct Made {
    pub(crate) folder: TempDir,
}

/// Runs git, whose settings are those of the test and of nobody else.
pub(crate) fn git(folder: &Path, words: &[&str]) -> String {
    let output = Command::new("git")
        .args(["-c", "user.name=T", "-c", "user.email=t@example.org", "-c", "protocol.file.allow=always"])
        .args(["-c", "init.defaultBranch=main", "-c", "commit.gpgSign=false", "-C"])
        .arg(folder)
        .args(words)
        .envs([("GIT_CONFIG_GLOBAL", "/dev/null"), ("GIT_CONFIG_SYSTEM", "/dev/null")])
        .output()
        .expect("git runs");
    assert!(output.status.success(), "git {words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

impl Made {
    pub(crate) fn new(options: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        git(folder.path(), &[&["init", "-q"], options].concat());
        Self { folder }
    }

    /// Where it lies, by its real name.
    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().canonicalize().expect("it is there")
    }

    pub(crate) fn write(&self, file: &str, text: impl AsRef<[u8]>) -> &Self {
        let path = self.path().join(file);
        std::fs::create_dir_all(path.parent().expect("in a folder")).expect("a folder is made");
        std::fs::write(path, text).expect("a file is written");
        self
    }

    pub(crate) fn git(&self, words: &[&str]) -> &Self {
        git(self.folder.path(), words);
        self
    }

    pub(crate) fn commit(&self, message: &str) -> &Self {
        self.git(&["add", "-A"]).git(&["commit", "-q", "--allow-empty", "-m", message])
    }

    pub(crate) fn open(&self) -> Repository<'static> {
        open(&self.path())
    }

    /// Both versions that words mean, and what changed between them.
    pub(crate) fn compare(&self, words: &[&str]) -> (LaidOut, LaidOut, Vec<FileChange>) {
        compare(&self.open(), words)
    }
}

pub(crate) fn search_path() -> Vec<PathBuf> {
    std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).collect()
}

pub(crate) fn open(folder: &Path) -> Repository<'static> {
    Repository::discover(folder, &search_path(), &GO_ON).expect("a repository")
}

pub(crate) fn sides(repository: &Repository<'_>, words: &[&str]) -> Result<Sides, String> {
    let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
    repository.sides(&words).map_err(|error| error.to_string())
}

pub(crate) fn compare(repository: &Repository<'_>, words: &[&str]) -> (LaidOut, LaidOut, Vec<FileChange>) {
    let Sides { old, new } = sides(repository, words).expect("they are revisions");
    let version = |side: &Side| repository.version(side).expect("its files are there");
    let (old, new) = (version(&old), version(&new));
    let found = changes(&old, &new);
    (old, new, found)
}

/// What changed, in short: `+added`, `-removed`, `changed`, `old>new`.
pub(crate) fn short(found: &[FileChange]) -> Vec<String> {
    let text = |path: &PathBuf| path.to_string_lossy().into_owned();
    let one = |change: &FileChange| match (&change.old, &change.new) {
        (Some(old), Some(new)) if old == new => text(old),
        (Some(old), Some(new)) => format!("{}>{}", text(old), text(new)),
        (Some(old), None) => format!("-{}", text(old)),
        (None, Some(new)) => format!("+{}", text(new)),
        (None, None) => unreachable!("a change has a name"),
    };
    found.iter().map(one).collect()
}

/// Everything below a folder, `.git` included: the bytes of files, where links lead, and when and how files may be
/// used.
pub(crate) fn everything(folder: &Path) -> BTreeMap<PathBuf, String> {
    use std::os::unix::fs::MetadataExt;
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(path) = open.pop() {
        let metadata = path.symlink_metadata().expect("it is there");
        let content = if metadata.is_symlink() {
            format!("{:?}", std::fs::read_link(&path))
        } else if metadata.is_dir() {
            open.extend(path.read_dir().expect("a folder").map(|entry| entry.expect("an entry").path()));
            String::new()
        } else {
            format!("{:?}", std::fs::read(&path).expect("a file"))
        };
        // Git marks the other half of an index as used whenever it reads it.
        let is_marked =
            path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("sharedindex."));
        let times = if is_marked { (0, 0) } else { (metadata.mtime(), metadata.mtime_nsec()) };
        found.insert(path, format!("{:o} {times:?} {content}", metadata.mode()));
    }
    found
}
