//! Git's own binary, asked so that it changes nothing: no locks, no hooks, no monitors, no downloads, no filters unless
//! they are asked for, and no index but the one that it is given.

use crate::error::RepositoryError;
use incise_children::{RunError, run};
use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;

/// What the environment must not say: whoever runs us from a hook or an alias has these set for something else.
const NOT_INHERITED: [&str; 9] = [
    "GIT_INDEX_FILE",
    "GIT_PREFIX",
    "GIT_EXTERNAL_DIFF",
    "GIT_DIFF_OPTS",
    "GIT_GLOB_PATHSPECS",
    "GIT_NOGLOB_PATHSPECS",
    "GIT_ICASE_PATHSPECS",
    "GIT_ATTR_SOURCE",
    "GIT_NAMESPACE",
];

/// What speaks of one repository, and not of another one inside of it.
const OF_ONE_REPOSITORY: [&str; 8] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_COMMON_DIR",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_SHALLOW_FILE",
    "GIT_GRAFT_FILE",
    "GIT_REPLACE_REF_BASE",
];

/// What is set for all commands. A hook runs when an index is written, whichever; a monitor is a process that stays;
/// a split index leaves a part in the repository.
const SETTINGS: [&str; 8] = [
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.untrackedCache=false",
    "core.splitIndex=false",
    "core.sparseCheckout=false",
    "index.sparse=false",
    "gc.auto=0",
    "maintenance.auto=false",
];

/// How git is called.
#[derive(Clone, Debug)]
pub(crate) struct Git<'a> {
    program: PathBuf,
    interrupt: &'a AtomicBool,
    /// Whether what the environment says of a repository is about another one.
    inner: bool,
    /// Where it is asked from, as words of the command line.
    place: Vec<OsString>,
    /// An index of our own.
    index: Option<PathBuf>,
    /// More settings.
    settings: Vec<OsString>,
}

impl<'a> Git<'a> {
    /// The first git in these folders.
    pub(crate) fn find(search_path: &[PathBuf], interrupt: &'a AtomicBool) -> Result<Self, RepositoryError> {
        let found = search_path.iter().map(|folder| folder.join("git")).find(|path| path.is_file());
        let program = found.ok_or(RepositoryError::NoGit)?;
        Ok(Self { program, interrupt, inner: false, place: Vec::new(), index: None, settings: Vec::new() })
    }

    /// Asked from a folder: git finds out which repository that is in.
    pub(crate) fn from(&self, folder: &Path) -> Self {
        Self { place: vec!["-C".into(), folder.into()], ..self.clone() }
    }

    /// About a repository, with its files at a place.
    pub(crate) fn about(&self, git_folder: &Path, work_tree: &Path) -> Self {
        let word = |name: &str, path: &Path| {
            let mut word = OsString::from(name);
            word.push(path);
            word
        };
        // From within, so that names of files are taken from there.
        let place = vec![
            "-C".into(),
            work_tree.into(),
            word("--git-dir=", git_folder),
            word("--work-tree=", work_tree),
        ];
        Self { place, ..self.clone() }
    }

    /// About a repository inside of the one that the environment may speak of.
    pub(crate) fn inner(&self) -> Self {
        Self { inner: true, ..self.clone() }
    }

    /// With an index of its own.
    pub(crate) fn with_index(&self, index: &Path) -> Self {
        Self { index: Some(index.to_owned()), ..self.clone() }
    }

    /// With settings, each as NAME=VALUE.
    pub(crate) fn with_settings(&self, settings: &[String]) -> Self {
        let mut all = self.settings.clone();
        all.extend(settings.iter().map(OsString::from));
        Self { settings: all, ..self.clone() }
    }

    /// What it writes, if it succeeds.
    pub(crate) fn ask<I, S>(&self, words: I) -> Result<Vec<u8>, RepositoryError>
    where
        I: IntoIterator<Item = S>,
        S: AsRef<OsStr>,
    {
        let words: Vec<OsString> = words.into_iter().map(|word| word.as_ref().to_owned()).collect();
        let answer = self.try_ask(&words)?;
        match answer.status {
            Some(0) => Ok(answer.said),
            _ => Err(answer.error(&words)),
        }
    }

    /// What it writes, and how it ends.
    pub(crate) fn try_ask(&self, words: &[OsString]) -> Result<Answer, RepositoryError> {
        let mut command = self.command();
        command.args(words);
        match run(&mut command, None, self.interrupt) {
            Ok(finished) => Ok(Answer {
                status: finished.status.code(),
                said: finished.stdout,
                complaint: String::from_utf8_lossy(&finished.stderr).trim().to_owned(),
            }),
            Err(RunError::Interrupted | RunError::TimedOut) => Err(RepositoryError::Interrupted),
            Err(RunError::Io(error)) if error.kind() == io::ErrorKind::NotFound => {
                Err(RepositoryError::NoGit)
            }
            Err(RunError::Io(error)) => Err(RepositoryError::Io { path: self.program.clone(), error }),
        }
    }

    fn command(&self) -> Command {
        let mut command = incise_children::command(&self.program);
        NOT_INHERITED.iter().for_each(|name| _ = command.env_remove(name));
        if self.inner {
            OF_ONE_REPOSITORY.iter().for_each(|name| _ = command.env_remove(name));
        }
        command.envs([
            ("GIT_OPTIONAL_LOCKS", "0"),
            ("GIT_TERMINAL_PROMPT", "0"),
            ("GIT_NO_LAZY_FETCH", "1"),
            ("GIT_LITERAL_PATHSPECS", "1"),
            ("GIT_PAGER", "cat"),
            ("LC_ALL", "C"),
        ]);
        if let Some(index) = &self.index {
            command.env("GIT_INDEX_FILE", index);
        }
        command.args(&self.place).arg("--no-pager");
        for setting in SETTINGS.iter().map(OsString::from).chain(self.settings.iter().cloned()) {
            command.arg("-c").arg(setting);
        }
        command
    }
}

/// What git answers.
pub(crate) struct Answer {
    pub(crate) status: Option<i32>,
    pub(crate) said: Vec<u8>,
    pub(crate) complaint: String,
}

impl Answer {
    /// That it failed.
    pub(crate) fn error(&self, words: &[OsString]) -> RepositoryError {
        let command = words.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
        let said = match self.complaint.as_str() {
            "" => format!("it ended with {:?}", self.status),
            complaint => complaint.to_owned(),
        };
        RepositoryError::Git { command, said }
    }
}

/// The text of a line that is an answer as a whole: a path may have blanks at its end, and even ends of lines.
pub(crate) fn line(said: &[u8]) -> OsString {
    OsStr::from_bytes(said.strip_suffix(b"\n").unwrap_or(said)).to_owned()
}

/// The items of a list that zeros end.
pub(crate) fn items(said: &[u8]) -> impl Iterator<Item = &[u8]> {
    said.split(|&byte| byte == 0).filter(|item| !item.is_empty())
}

/// A path in the bytes that git writes.
pub(crate) fn path(bytes: &[u8]) -> PathBuf {
    PathBuf::from(OsStr::from_bytes(bytes))
}
