//! What words mean as revisions, as git's own `diff` takes them: nothing, `REV`, `A B`, `A..B`, `A...B`, `A^!`.

use crate::error::RepositoryError;
use crate::git::line;
use crate::repository::Repository;
use std::ffi::OsString;

/// One side of a comparison.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Side {
    /// The files as they lie there, committed or not.
    WorkTree,
    /// A tree in the repository.
    Revision {
        /// What the user called it.
        name: String,
        /// The id of its tree.
        tree: String,
    },
}

impl Side {
    /// What it is called in words.
    pub fn name(&self) -> &str {
        match self {
            Self::WorkTree => "the working tree",
            Self::Revision { name, .. } => name,
        }
    }
}

/// Two sides that are compared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sides {
    /// What was.
    pub old: Side,
    /// What is.
    pub new: Side,
}

impl Repository<'_> {
    /// What words mean; at most two.
    pub fn sides(&self, words: &[String]) -> Result<Sides, RepositoryError> {
        match words {
            [] => self.since("HEAD"),
            [word] => self.one(word),
            [old, new] => Ok(Sides { old: self.revision(old)?, new: self.revision(new)? }),
            _ => Err(RepositoryError::NotUnderstood(format!(
                "two versions are compared, and these are {}: {}",
                words.len(),
                words.join(" ")
            ))),
        }
    }

    fn one(&self, word: &str) -> Result<Sides, RepositoryError> {
        let or_head = |name: &str| if name.is_empty() { "HEAD".to_owned() } else { name.to_owned() };
        if let Some((old, new)) = word.split_once("...") {
            let (old, new) = (or_head(old), or_head(new));
            let base = self.merge_base(&old, &new)?;
            let old = Side::Revision { name: format!("{} ({word})", short(&base)), tree: self.tree(&base)? };
            return Ok(Sides { old, new: self.revision(&new)? });
        }
        if let Some((old, new)) = word.split_once("..") {
            return Ok(Sides { old: self.revision(&or_head(old))?, new: self.revision(&or_head(new))? });
        }
        if let Some(commit) = word.strip_suffix("^!") {
            return Ok(Sides { old: self.revision(&format!("{commit}^"))?, new: self.revision(commit)? });
        }
        self.since(word)
    }

    /// What changed since a revision, committed or not.
    fn since(&self, name: &str) -> Result<Sides, RepositoryError> {
        let old = self.revision(name)?;
        if self.work_tree().is_none() {
            return Err(RepositoryError::NoWorkTree);
        }
        Ok(Sides { old, new: Side::WorkTree })
    }

    fn revision(&self, name: &str) -> Result<Side, RepositoryError> {
        Ok(Side::Revision { name: name.to_owned(), tree: self.tree(name)? })
    }

    /// Whether a word names a revision, or a range of them.
    pub fn is_revision(&self, word: &str) -> Result<bool, RepositoryError> {
        let parts: Vec<&str> = match word.split_once("...").or_else(|| word.split_once("..")) {
            // `..` alone is a folder, as it is for git.
            Some(("", "")) => return Ok(false),
            Some((old, new)) => [old, new].into_iter().filter(|part| !part.is_empty()).collect(),
            None => vec![word.strip_suffix("^!").unwrap_or(word)],
        };
        for part in parts {
            if self.id(&format!("{part}^{{tree}}"))?.is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn tree(&self, name: &str) -> Result<String, RepositoryError> {
        match self.id(&format!("{name}^{{tree}}"))? {
            Some(tree) => Ok(tree),
            None => Err(self.unknown(name)?),
        }
    }

    /// The id of an object, if there is one of that name.
    fn id(&self, name: &str) -> Result<Option<String>, RepositoryError> {
        if name.starts_with('-') || name.contains('\0') {
            return Ok(None);
        }
        let words = ["rev-parse", "--verify", "--quiet", "--end-of-options", name].map(OsString::from);
        let answer = self.git().try_ask(&words)?;
        let id = line(&answer.said).to_string_lossy().into_owned();
        // Some versions of git repeat the word that ends the options.
        let id = id.lines().last().unwrap_or_default().to_owned();
        Ok((answer.status == Some(0) && !id.is_empty()).then_some(id))
    }

    /// Why a name means nothing.
    fn unknown(&self, name: &str) -> Result<RepositoryError, RepositoryError> {
        if self.id("HEAD^{commit}")?.is_none() && name.starts_with("HEAD") {
            return Ok(RepositoryError::NoCommits);
        }
        let hint = if self.is_shallow()? {
            Some(
                "this is a shallow clone, and it may lie beyond; get it with `git fetch --unshallow`"
                    .to_owned(),
            )
        } else if self.id(&format!("origin/{name}^{{tree}}"))?.is_some() {
            Some(format!("there is an origin/{name}"))
        } else {
            Some(
                "`git fetch` gets what others have, and `git log` and `git branch -a` list what is here"
                    .to_owned(),
            )
        };
        Ok(RepositoryError::UnknownRevision { name: name.to_owned(), hint })
    }

    fn merge_base(&self, old: &str, new: &str) -> Result<String, RepositoryError> {
        let commit = |name: &str| match self.id(&format!("{name}^{{commit}}"))? {
            Some(id) => Ok(id),
            None => Err(self.unknown(name)?),
        };
        let words = [OsString::from("merge-base"), commit(old)?.into(), commit(new)?.into()];
        let answer = self.git().try_ask(&words)?;
        match answer.status {
            Some(0) => Ok(line(&answer.said).to_string_lossy().into_owned()),
            Some(1) => {
                let (old, new) = (old.to_owned(), new.to_owned());
                Err(RepositoryError::NoCommonAncestor { old, new, shallow: self.is_shallow()? })
            }
            _ => Err(answer.error(&words)),
        }
    }
}

/// As much of an id as people read.
fn short(id: &str) -> &str {
    &id[..id.len().min(10)]
}
