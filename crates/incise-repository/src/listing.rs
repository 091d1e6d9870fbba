//! The files of a version with what is in them, so that versions can be compared without reading all of them.

use crate::error::RepositoryError;
use crate::git::{Git, items, path};
use crate::submodules::submodule_in_work_tree;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What is in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    /// What git has under an id.
    Object(String),
    /// What lies there: git has not looked at it.
    OnDisk,
    /// The same, and git does not know the file.
    Untracked,
}

/// The files of a version, by their paths from its top.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Listing(pub BTreeMap<PathBuf, Content>);

/// Another repository inside of one.
pub(crate) struct Link {
    pub(crate) path: PathBuf,
    pub(crate) commit: String,
}

impl Listing {
    /// Whether a version has a file.
    pub fn has(&self, file: &Path) -> bool {
        self.0.contains_key(file)
    }

    /// The files of a tree, and other repositories in it.
    pub(crate) fn of_tree(git: &Git<'_>, tree: &str) -> Result<(Self, Vec<Link>), RepositoryError> {
        let said = git.ask(["ls-tree", "-r", "-z", "--full-tree", tree])?;
        let (mut files, mut links) = (Self::default(), Vec::new());
        for item in items(&said) {
            let Some((mode, id, name)) = tree_entry(item) else { continue };
            files.add(&mut links, mode, id, path(name));
        }
        Ok((files, links))
    }

    /// The files of a work tree: those that git knows as they lie there, and those that it does not know and is not
    /// told to ignore. Also what has to be said of it.
    pub(crate) fn of_work_tree(
        git: &Git<'_>,
        git_folder: &Path,
        root: &Path,
    ) -> Result<(Self, Vec<String>), RepositoryError> {
        let git = git.about(git_folder, root);
        let (mut files, mut links, mut notes) = (Self::default(), Vec::new(), Vec::new());
        let mut unsure = BTreeSet::new();
        let said = git.ask(["ls-files", "-z", "-s", "-v"])?;
        for item in items(&said) {
            let Some((mark, item)) = item.split_first() else { continue };
            let Some((mode, id, name)) = tree_entry(item.trim_ascii_start()) else { continue };
            // Git was told not to look at files with small letters, and M is half of a merge.
            if mark.is_ascii_lowercase() || *mark == b'M' {
                unsure.insert(path(name));
            }
            files.add(&mut links, mode, id, path(name));
        }
        let touched =
            git.ask(["diff-files", "-z", "--name-only", "--no-ext-diff", "--ignore-submodules=all"])?;
        unsure.extend(items(&touched).map(path));
        let untracked = git.ask(["ls-files", "-z", "-o", "--exclude-standard"])?;
        // A repository that nobody knows of is listed as a folder.
        let untracked = items(&untracked).filter(|item| !item.ends_with(b"/")).map(path);
        let unsure = unsure.into_iter().map(|file| (file, Content::OnDisk));
        for (file, content) in unsure.chain(untracked.map(|file| (file, Content::Untracked))) {
            match root.join(&file).symlink_metadata() {
                Ok(found) if found.is_dir() => {}
                Ok(_) => _ = files.0.insert(file, content),
                Err(_) => _ = files.0.remove(&file),
            }
        }
        for link in links {
            match submodule_in_work_tree(&git, &root.join(&link.path))? {
                Some(inner) => {
                    let place = root.join(&link.path);
                    let (inside, said) = Self::of_work_tree(&git.inner(), &inner, &place)?;
                    files.add_below(&link.path, inside);
                    notes.extend(said);
                }
                None => notes.push(format!("the submodule {} is not checked out", link.path.display())),
            }
        }
        Ok((files, notes))
    }

    fn add(&mut self, links: &mut Vec<Link>, mode: &[u8], id: &[u8], path: PathBuf) {
        let id = String::from_utf8_lossy(id).into_owned();
        match mode {
            b"160000" => links.push(Link { path, commit: id }),
            _ => _ = self.0.insert(path, Content::Object(id)),
        }
    }

    /// Adds the files of another repository that lies in a folder of this one.
    pub(crate) fn add_below(&mut self, folder: &Path, inside: Self) {
        self.0.extend(inside.0.into_iter().map(|(path, content)| (folder.join(path), content)));
    }
}

/// The mode, the id and the name in a line of a list: `100644 blob ID\tNAME` or `100644 ID 0\tNAME`.
fn tree_entry(item: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let tab = item.iter().position(|&byte| byte == b'\t')?;
    let (head, name) = (&item[..tab], &item[tab + 1..]);
    let words: Vec<&[u8]> = head.split(|&byte| byte == b' ').collect();
    match words.as_slice() {
        [mode, kind, id] if kind.iter().all(u8::is_ascii_lowercase) && kind.len() < 10 => {
            Some((mode, id, name))
        }
        [mode, id, _stage] => Some((mode, id, name)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_both_lists_are_read() {
        let id = "0123456789abcdef0123456789abcdef01234567".as_bytes();
        let tree = [b"100644 blob ", id, b"\ta b\n.c"].concat();
        assert_eq!(tree_entry(&tree), Some((&b"100644"[..], id, &b"a b\n.c"[..])));
        let index = [b"160000 ", id, b" 0\tsub"].concat();
        assert_eq!(tree_entry(&index), Some((&b"160000"[..], id, &b"sub"[..])));
    }
}
