//! Repositories that tests make.

use super::{Said, incise};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

/// A repository in a temporary folder.
pub(crate) struct Made(tempfile::TempDir);

impl Made {
    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let made = Self(tempfile::tempdir().expect("a temporary folder"));
        made.git(&["init", "-q"]);
        made.write(files).commit();
        made
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.0.path().canonicalize().expect("it is there")
    }

    /// Writes files; `ROOT` in their texts is where the repository lies.
    pub(crate) fn write(&self, files: &[(&str, &str)]) -> &Self {
        for (name, text) in files {
            let path = self.root().join(name);
            std::fs::create_dir_all(path.parent().expect("in a folder")).expect("a folder is made");
            std::fs::write(path, text.replace("ROOT", &self.root().to_string_lossy()))
                .expect("a file is written");
        }
        self
    }

    pub(crate) fn git(&self, words: &[&str]) -> String {
        let output = Command::new("git")
            .args([
                "-c",
                "user.name=T",
                "-c",
                "user.email=t@example.org",
                "-c",
                "init.defaultBranch=main",
                "-C",
            ])
            .arg(self.0.path())
            .args(words)
            .envs([("GIT_CONFIG_GLOBAL", "/dev/null"), ("GIT_CONFIG_SYSTEM", "/dev/null")])
            .output()
            .expect("git runs");
        assert!(output.status.success(), "git {words:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    pub(crate) fn commit(&self) -> &Self {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", "a version"]);
        self
    }

    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = incise();
        command.current_dir(self.root()).arg("diff").args(words);
        command
    }

    /// Runs any command at the top.
    pub(crate) fn run(&self, words: &[&str]) -> Said {
        Said::by(incise().current_dir(self.root()).args(words))
    }

    pub(crate) fn diff(&self, words: &[&str]) -> Said {
        Said::by(&mut self.command(words))
    }

    /// The report, and the exit status.
    pub(crate) fn report(&self, words: &[&str]) -> (Value, i32) {
        let said = self.diff(&[&["--format", "json", "--no-native"], words].concat());
        let report = said.json().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(report["schema"], "incise-repository/1");
        (report, said.status)
    }

    /// All that is in the repository but for times.
    pub(crate) fn everything(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut found = BTreeMap::new();
        let mut open = vec![self.root()];
        while let Some(path) = open.pop() {
            let metadata = path.symlink_metadata().expect("it is there");
            if metadata.is_dir() {
                open.extend(path.read_dir().expect("a folder").map(|entry| entry.expect("an entry").path()));
                found.insert(path, Vec::new());
            } else {
                let content = std::fs::read(&path).expect("a file");
                found.insert(path, content);
            }
        }
        found
    }
}

/// The functions with their units and verdicts, in the order of the report.
pub(crate) fn functions(report: &Value) -> Vec<String> {
    let each = report["functions"].as_array().expect("a list").iter();
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    each.map(|one| format!("{} {} {}", text(&one["trouble"]), text(&one["name"]), text(&one["unit"])))
        .collect()
}

pub(crate) fn texts(list: &Value) -> String {
    let each = list.as_array().expect("a list").iter().map(|one| one.as_str().expect("a text").to_owned());
    each.collect::<Vec<_>>().join("\n")
}
