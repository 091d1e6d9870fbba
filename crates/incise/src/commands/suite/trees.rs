//! The program of a suite in two versions of a repository.
//!
//! A suite names the files that it was made from and how they are compiled. These are looked for in both versions, with
//! the headers of each. A suite that is brought over names the files of NEW, so that NEW is the working tree.

use crate::session::Session;
use anyhow::{Context, Result, bail};
use incise_frontend::Sources;
use incise_repository::build::Unit;
use incise_repository::{FileChange, LaidOut, Repository, Side, changes};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Flags behind which a path stands as a word of its own.
const NAMING: [&str; 4] = ["-I", "-include", "-isystem", "-iquote"];

/// Both versions of the program, for as long as this lives.
pub(super) struct SuiteTrees {
    pub(super) old: Sources,
    pub(super) new: Sources,
    _trees: LaidOut,
}

impl SuiteTrees {
    /// The program of a suite as revisions have it.
    pub(super) fn of(words: &[String], program: &Sources, session: &Session) -> Result<Self> {
        let here = std::env::current_dir().context("the current folder is gone")?;
        let repository = Repository::discover(&here, &program.tools.search_path, session.interrupt())?;
        let sides = repository.sides(words)?;
        if sides.new != Side::WorkTree {
            bail!(
                "a suite names the files that it is for, and those of {} lie nowhere: check it out, and compare \
                 with one revision",
                sides.new.name()
            );
        }
        let (old, new) = (repository.version(&sides.old)?, repository.version(&sides.new)?);
        let both = |change: &FileChange| {
            Some((old.root.join(change.old.as_ref()?), new.root.join(change.new.as_ref()?)))
        };
        let changed: Vec<(PathBuf, PathBuf)> = changes(&old, &new).iter().filter_map(both).collect();
        let mut before = program.clone();
        let first =
            unit(program.files.first().context("the suite names no file")?, program, &repository, &here)?;
        before.flags = first.moved(&new.root, &old.root, &first.file).flags;
        for file in &mut before.files {
            let is = new.root.join(repository.within(file, &here)?);
            // A file that moved is found where it was.
            let was = changed.iter().find(|(_, after)| *after == is).map(|(was, _)| was.clone());
            let inner = is.strip_prefix(&new.root).unwrap_or(&is);
            *file = was.unwrap_or_else(|| old.root.join(inner));
            if !file.exists() {
                bail!(
                    "'{}' is not in {}: the suite is for another program",
                    inner.display(),
                    sides.old.name()
                );
            }
        }
        Ok(Self { old: before, new: program.clone(), _trees: old })
    }
}

/// A file of the suite's program, with paths from the root of the file system.
fn unit(file: &Path, program: &Sources, repository: &Repository<'_>, here: &Path) -> Result<Unit> {
    let root = repository.work_tree().context("a suite is for files, and the repository is bare")?;
    let file = root.join(repository.within(file, here)?);
    let whole = |path: &str| here.join(path).canonicalize().unwrap_or_else(|_| here.join(path));
    let mut flags: Vec<OsString> = Vec::new();
    for flag in &program.flags {
        let text = flag.to_string_lossy();
        let names = flags.last().is_some_and(|last| NAMING.iter().any(|name| last == name));
        flags.push(match text.strip_prefix("-I") {
            Some(folder) if !folder.is_empty() => {
                let mut flag = OsString::from("-I");
                flag.push(whole(folder));
                flag
            }
            _ if names && here.join(&*text).exists() => whole(&text).into_os_string(),
            _ => flag.clone(),
        });
    }
    Ok(Unit { file, flags, variant: String::new() })
}
