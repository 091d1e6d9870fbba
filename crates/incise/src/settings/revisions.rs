//! What words on the command line mean: files, or revisions of a repository.

use crate::arguments::RevisionArguments;
use crate::settings::tools;
use anyhow::{Context, Result, bail};
use incise_repository::{Repository, RepositoryError};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// What versions are asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum AskedVersions {
    /// A single file or folder.
    One(PathBuf),
    /// Two files or folders.
    Two(PathBuf, PathBuf),
    /// Revisions of the repository, and the paths in it that count.
    Revisions { words: Vec<String>, paths: Vec<PathBuf> },
}

/// Nobody can interrupt before the command begins.
static GO_ON: AtomicBool = AtomicBool::new(false);

impl AskedVersions {
    /// What the words mean. `single` says that one version is asked for, which is no revision.
    pub(crate) fn of(arguments: &RevisionArguments, single: bool) -> Result<Self> {
        let RevisionArguments { words, paths } = arguments;
        if single {
            return match words.as_slice() {
                [only] if paths.is_empty() => Ok(Self::One(only.into())),
                [_, _, ..] if paths.is_empty() => {
                    Err(anyhow::anyhow!("one version is asked for, and {} are given", words.len()))
                }
                _ => bail!("a single FILE is asked for"),
            };
        }
        let ends_words = !paths.is_empty() || std::env::args_os().any(|word| word == "--");
        if ends_words {
            let words = words.iter().map(text).collect::<Result<_>>()?;
            return Ok(Self::Revisions { words, paths: paths.clone() });
        }
        let repository = repository();
        match words.as_slice() {
            [old, new] if is_file(old) && is_file(new) => {
                refuse_ambiguous(repository.as_ref().ok(), words)?;
                Ok(Self::Two(old.into(), new.into()))
            }
            // Without a repository nothing else can be meant, and what is wrong with the files is said.
            [old, new] if repository.is_err() || [old, new].iter().any(|word| looks_like_file(word)) => {
                Ok(Self::Two(old.into(), new.into()))
            }
            _ => match repository {
                Ok(repository) => in_repository(&repository, words),
                Err(error) => {
                    let given: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
                    let given = if given.is_empty() { "nothing".to_owned() } else { given.join(" ") };
                    bail!(
                        "two versions are compared: give OLD and NEW, or one FILE with --changed LINES or --with \
                         FUNCTION, and not {given}; {error}"
                    )
                }
            },
        }
    }
}

/// As git takes words: revisions first, then paths.
fn in_repository(repository: &Repository<'_>, words: &[OsString]) -> Result<AskedVersions> {
    let (mut revisions, mut paths) = (Vec::new(), Vec::new());
    for word in words {
        if !paths.is_empty() || is_file(word) {
            if !is_file(word) {
                let (name, hint) = (text(word)?, Some("paths stand behind revisions".to_owned()));
                return Err(RepositoryError::UnknownRevision { name, hint }.into());
            }
            refuse_ambiguous(Some(repository), std::slice::from_ref(word))?;
            paths.push(PathBuf::from(word));
        } else {
            revisions.push(text(word)?);
        }
    }
    Ok(AskedVersions::Revisions { words: revisions, paths })
}

/// The repository that the current folder is in.
fn repository() -> Result<Repository<'static>> {
    let here = std::env::current_dir().context("the current folder is gone")?;
    Ok(Repository::discover(&here, &tools(None).search_path, &GO_ON)?)
}

/// A name that is a file and a revision may mean either.
fn refuse_ambiguous(repository: Option<&Repository<'_>>, words: &[OsString]) -> Result<()> {
    let Some(repository) = repository else { return Ok(()) };
    for word in words.iter().filter(|word| !is_spelled_as_path(word)) {
        let Some(name) = word.to_str() else { continue };
        if repository.is_revision(name)? {
            return Err(RepositoryError::Ambiguous { name: name.to_owned() }.into());
        }
    }
    Ok(())
}

fn is_file(word: &OsString) -> bool {
    Path::new(word).exists()
}

/// Whether nothing but a path is spelled so.
fn is_spelled_as_path(word: &OsString) -> bool {
    let path = Path::new(word);
    path.is_absolute() || path.starts_with(".") || path.starts_with("..")
}

/// Whether a name that is not there is most likely that of a file.
fn looks_like_file(word: &OsString) -> bool {
    let endings = ["c", "i", "h", "ll", "bc"];
    Path::new(word).extension().is_some_and(|ending| endings.iter().any(|each| ending == *each))
}

fn text(word: &OsString) -> Result<String> {
    word.to_str().map(str::to_owned).with_context(|| format!("{} is no revision", word.display()))
}
