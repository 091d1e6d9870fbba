//! What the tests of the command line share: running the binary, and finding things in the repository.
#![allow(dead_code, reason = "each test uses a part of this")]

pub(crate) mod made;

use incise_testing::is_blessing;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository is there")
}

/// The binary under test.
pub(crate) fn incise() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_incise"));
    // What the terminal of whoever runs the tests says must not matter.
    command.env_remove("NO_COLOR").env_remove("GITHUB_ACTIONS").env("COLUMNS", "100");
    // Nor what earlier runs found out: a test that wants that says where.
    command.env("INCISE_STORE", "none");
    command
}

/// How a run ended and what it said.
pub(crate) struct Said {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Said {
    /// Runs a command to its end.
    pub(crate) fn by(command: &mut Command) -> Self {
        let Output { status, stdout, stderr } = command.output().expect("the binary runs");
        Self {
            status: status.code().unwrap_or(-1),
            stdout: String::from_utf8_lossy(&stdout).into_owned(),
            stderr: String::from_utf8_lossy(&stderr).into_owned(),
        }
    }

    /// Standard output as JSON.
    pub(crate) fn json(&self) -> Result<Value, String> {
        serde_json::from_str(&self.stdout)
            .map_err(|error| format!("no JSON ({error}); status {}, stderr: {}", self.status, self.stderr))
    }
}

/// Compares text with a blessed file; with `INCISE_BLESS=1` the file is written instead.
pub(crate) fn check_blessed(file: &Path, text: &str) -> Result<(), String> {
    if is_blessing() {
        std::fs::create_dir_all(file.parent().expect("a file is in a folder")).expect("a folder can be made");
        std::fs::write(file, text).expect("a blessed file can be written");
        return Ok(());
    }
    let blessed = std::fs::read_to_string(file).unwrap_or_default();
    if blessed == text {
        return Ok(());
    }
    Err(format!(
        "{} differs (`make bless` writes it anew)\n--- blessed\n{blessed}\n--- now\n{text}",
        file.display()
    ))
}

/// A folder with files in it, for one test.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    /// A new one.
    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let folder = Self(tempfile::tempdir().expect("a temporary folder"));
        for (name, text) in files {
            std::fs::write(folder.path(name), text).expect("a file can be written");
        }
        folder
    }

    /// A file in it.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The folder itself.
    pub(crate) fn root(&self) -> &Path {
        self.0.path()
    }

    /// Runs the binary there.
    pub(crate) fn run(&self, arguments: &[&str]) -> Said {
        Said::by(incise().current_dir(self.0.path()).args(arguments))
    }
}

/// The run fails as a user's mistake does: status 2, nothing on standard output, and words on standard error.
pub(crate) fn assert_fails(said: &Said, words: &[&str]) {
    assert_eq!(said.status, 2, "stdout: {}\nstderr: {}", said.stdout, said.stderr);
    assert_eq!(said.stdout, "", "data in spite of an error");
    for word in words {
        assert!(said.stderr.contains(word), "no {word:?} in: {}", said.stderr);
    }
    assert!(!said.stderr.contains("panicked") && !said.stderr.contains("internal error"), "{}", said.stderr);
}

/// The commands of a transcript in Markdown, each with the text that is shown for it.
pub(crate) fn transcript(text: &str, marker: &str) -> Vec<(String, String)> {
    let start = text.find(marker).expect("the transcript is there") + marker.len();
    let mut shown: Vec<(String, String)> = Vec::new();
    for line in text[start..].trim_start_matches('\n').lines() {
        match (line.strip_prefix("    "), line.is_empty()) {
            (None, false) => break,
            (line, _) => {
                let line = line.unwrap_or("");
                match (line.strip_prefix("$ "), shown.last_mut()) {
                    (Some(command), _) => shown.push((command.to_owned(), String::new())),
                    (None, Some((_, output))) => *output += &format!("{line}\n"),
                    (None, None) => panic!("no command before {line:?}"),
                }
            }
        }
    }
    shown
}

/// A command and what it said, as a block of Markdown.
pub(crate) fn indented(command: &str, output: &str) -> String {
    let mut text = format!("    $ {command}\n");
    for line in output.trim_end().lines() {
        text += format!("    {line}").trim_end();
        text.push('\n');
    }
    text.push('\n');
    text
}
