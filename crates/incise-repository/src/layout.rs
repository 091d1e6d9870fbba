//! Lays a tree out in a folder of its own, with an index of its own.
//!
//! Files get what a checkout would give them: ends of lines, encodings. Filters are programs: those that the user has
//! configured run for files that hold C, because without them the text may not be C at all (`git-crypt`), and for
//! nothing else. Those of LFS never run, because they download and write into the repository: pointers stay pointers.

use crate::error::RepositoryError;
use crate::git::{Git, items, path};
use crate::listing::Listing;
use crate::submodules::submodule_of_tree;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Submodules nest no deeper than this.
const DEEPEST: usize = 16;
/// As many names are passed to git at a time.
const AT_A_TIME: usize = 500;
/// What files begin with that stand for what LFS keeps elsewhere.
const POINTER: &[u8] = b"version https://git-lfs.github.com/spec/";

/// What is laid out where.
pub(crate) struct Place<'p, 'a> {
    pub(crate) git: &'p Git<'a>,
    pub(crate) git_folder: &'p Path,
    pub(crate) work_tree: Option<&'p Path>,
    pub(crate) root: &'p Path,
    pub(crate) index: &'p Path,
}

/// Lays a tree out with all submodules whose objects are here; tells its files, and what is missing.
pub(crate) fn lay_out(
    place: &Place<'_, '_>,
    name: &str,
    tree: &str,
) -> Result<(Listing, Vec<String>), RepositoryError> {
    lay_out_at_depth(place, name, tree, 0)
}

fn lay_out_at_depth(
    place: &Place<'_, '_>,
    name: &str,
    tree: &str,
    depth: usize,
) -> Result<(Listing, Vec<String>), RepositoryError> {
    std::fs::create_dir_all(place.root).map_err(RepositoryError::io(place.root))?;
    let git = place.git.about(place.git_folder, place.root).with_index(place.index);
    let missing = |error| match error {
        RepositoryError::Git { said, .. } => {
            RepositoryError::MissingObjects { revision: name.to_owned(), said }
        }
        error => error,
    };
    let (mut files, links) = Listing::of_tree(&git, tree).map_err(missing)?;
    git.ask(["read-tree", tree]).map_err(missing)?;
    let filters = Filters::of(&git)?;
    git.with_settings(&filters.off()).ask(["checkout-index", "-a", "-f", "-q"]).map_err(missing)?;
    let mut notes = filtered(&git, &filters, &files)?;
    notes.extend(pointers(place.root, &files));
    for link in links {
        let shown = link.path.display();
        let store = submodule_of_tree(
            &place.git.about(place.git_folder, place.work_tree.unwrap_or(place.git_folder)),
            place.git_folder,
            place.work_tree,
            (tree, &link.path),
        )?;
        let store = store.filter(|_| depth < DEEPEST);
        let Some(store) = store else {
            notes.push(format!(
                "the submodule {shown} of {name} is not here: get it with `git submodule update --init`"
            ));
            continue;
        };
        let inner = place.git.inner();
        let work_tree = place.work_tree.map(|root| root.join(&link.path));
        let index = place.index.with_file_name(format!("index-{depth}-{}", link.commit));
        let root = place.root.join(&link.path);
        let inside = Place {
            git: &inner,
            git_folder: &store,
            work_tree: work_tree.as_deref(),
            root: &root,
            index: &index,
        };
        let inner_name = format!("{shown} of {name}");
        match lay_out_at_depth(&inside, &inner_name, &format!("{}^{{tree}}", link.commit), depth + 1) {
            Ok((listed, said)) => {
                files.add_below(&link.path, listed);
                notes.extend(said);
            }
            Err(RepositoryError::MissingObjects { .. } | RepositoryError::Git { .. }) => notes.push(format!(
                "the submodule {shown} of {name} is not here as it was: get it with `git submodule update --init`, or `git fetch` in it"
            )),
            Err(error) => return Err(error),
        }
    }
    Ok((files, notes))
}

/// The filters that are configured.
struct Filters(BTreeSet<String>);

impl Filters {
    fn of(git: &Git<'_>) -> Result<Self, RepositoryError> {
        let words = ["config", "-z", "--name-only", "--get-regexp", r"^filter\."].map(OsString::from);
        let answer = git.try_ask(&words)?;
        let name = |key: &[u8]| {
            let key = String::from_utf8_lossy(key).into_owned();
            Some(key.strip_prefix("filter.")?.rsplit_once('.')?.0.to_owned())
        };
        let names = items(&answer.said).filter_map(name).filter(|name| !name.contains('='));
        Ok(Self(names.collect()))
    }

    /// Settings that switch all of them off.
    fn off(&self) -> Vec<String> {
        self.0.iter().flat_map(|name| Self::without(name)).collect()
    }

    /// Settings that switch one off.
    fn without(name: &str) -> [String; 4] {
        ["smudge=", "clean=", "process=", "required=false"].map(|each| format!("filter.{name}.{each}"))
    }
}

/// Runs the filters of files that hold C, but for those of LFS.
fn filtered(git: &Git<'_>, filters: &Filters, files: &Listing) -> Result<Vec<String>, RepositoryError> {
    const LARGE: &str = "lfs";
    if filters.0.iter().all(|name| name == LARGE) {
        return Ok(Vec::new());
    }
    let holds_c = |file: &&PathBuf| {
        file.extension()
            .is_some_and(|ending| ["c", "h", "inc", "def", "i"].iter().any(|each| ending == *each))
    };
    let names: Vec<&PathBuf> = files.0.keys().filter(holds_c).collect();
    let mut wanted: Vec<PathBuf> = Vec::new();
    for some in names.chunks(AT_A_TIME) {
        let words = ["check-attr", "--cached", "-z", "filter", "--"].map(OsString::from).into_iter();
        let said = git.ask(words.chain(some.iter().map(|file| file.as_os_str().to_owned())))?;
        let fields: Vec<&[u8]> = said.split(|&byte| byte == 0).collect();
        for field in fields.chunks_exact(3) {
            let value = String::from_utf8_lossy(field[2]).into_owned();
            if filters.0.contains(&value) && value != LARGE {
                wanted.push(path(field[0]));
            }
        }
    }
    let git = git.with_settings(&Filters::without(LARGE));
    for some in wanted.chunks(AT_A_TIME) {
        let words = ["checkout-index", "-f", "-q", "--"].map(OsString::from).into_iter();
        git.ask(words.chain(some.iter().map(|file| file.as_os_str().to_owned())))?;
    }
    Ok(match wanted.is_empty() {
        true => Vec::new(),
        false => vec![format!("{} files were laid out by filters that git is told to use", wanted.len())],
    })
}

/// Sources that LFS keeps elsewhere.
fn pointers(root: &Path, files: &Listing) -> Vec<String> {
    let is_source = |file: &&PathBuf| file.extension().is_some_and(|ending| ending == "c" || ending == "h");
    let is_pointer = |file: &&PathBuf| {
        let small = root.join(file).metadata().is_ok_and(|found| found.is_file() && found.len() < 1024);
        small && std::fs::read(root.join(file)).is_ok_and(|text| text.starts_with(POINTER))
    };
    let found = files.0.keys().filter(is_source).filter(is_pointer);
    found.map(|file| format!("{} is kept by LFS, and is not fetched", file.display())).collect()
}
