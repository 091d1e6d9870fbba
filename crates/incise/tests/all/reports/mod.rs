//! Reports of `incise diff` that are files: what is in them, that they agree, and that others can read them.

mod browser;
mod cdp;
mod files;
mod recipes;
mod schema;

use crate::common::{Said, incise};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A repository with a change in its work tree.
pub(super) struct Changed(tempfile::TempDir);

impl Changed {
    /// Files as they were, committed, and as they are.
    pub(super) fn new(old: &[(&str, &[u8])], new: &[(&str, &[u8])]) -> Self {
        let changed = Self(tempfile::tempdir().expect("a temporary folder"));
        changed.git(&["init", "-q", "-b", "main"]);
        changed.write(old);
        changed.git(&["add", "-A"]);
        changed.git(&["commit", "-q", "-m", "before"]);
        changed.write(new);
        changed
    }

    pub(super) fn root(&self) -> &Path {
        self.0.path()
    }

    pub(super) fn write(&self, files: &[(&str, &[u8])]) {
        for (name, text) in files {
            let path = self.root().join(name);
            std::fs::create_dir_all(path.parent().expect("in a folder")).expect("a folder is made");
            std::fs::write(path, text).expect("a file is written");
        }
    }

    pub(super) fn git(&self, words: &[&str]) -> String {
        let mut command = Command::new("git");
        command.arg("-C").arg(self.root()).args(["-c", "user.name=T", "-c", "user.email=t@example.org"]);
        let output = command.args(words).output().expect("git runs");
        assert!(output.status.success(), "git {words:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    pub(super) fn diff(&self, words: &[&str]) -> Said {
        Said::by(incise().current_dir(self.root()).arg("diff").args(words))
    }

    /// A file that was written beside the repository.
    pub(super) fn read(&self, name: &str) -> String {
        let path = self.root().join(name);
        let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        String::from_utf8(bytes).expect("reports are UTF-8")
    }

    pub(super) fn json(&self, name: &str) -> Value {
        serde_json::from_str(&self.read(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }
}

const OLD: &[u8] = b"int total;
static int scale(int x) { return x > 100 ? 100 : x; }
int f(int a, int b) {
    if (a > 10)
        total = a;
    if (b == 0)
        return -1;
    return scale(a) / b;
}
int twice(int x) { return x + x; }
int caller(int x) { return f(x, 2) + 1; }
";

const NEW: &[u8] = b"int total;
static int scale(int x) { return x > 99 ? 100 : x + 1; }
int f(int a, int b) {
    if (a > 10)
        total = a;
    if (b < 0)
        return -1;
    return scale(a) / b;
}
int twice(int x) { return 2 * x; }
int caller(int x) { return f(x, 2) + 1; }
";

/// One with an error that is introduced, a difference, and a function that does the same; and a file that is not C.
pub(super) fn usual() -> Changed {
    Changed::new(
        &[("src/a.c", OLD), ("src/odd.cc", b"int x;\n")],
        &[("src/a.c", NEW), ("src/odd.cc", b"int y;\n")],
    )
}

/// All options that write files, into files of these names.
pub(super) fn all_files() -> Vec<String> {
    let files = ["--html=r.html", "--sarif=r.sarif", "--markdown=r.md", "--gitlab=r.json", "--junit=r.xml"];
    files.map(str::to_owned).to_vec()
}

/// The top of this repository.
pub(super) fn top() -> PathBuf {
    crate::common::root()
}
