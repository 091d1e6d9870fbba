//! Repositories inside of a repository: where git keeps what they hold.

use crate::error::RepositoryError;
use crate::git::{Git, line};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Where git keeps what a submodule holds that is checked out at a place.
pub(crate) fn submodule_in_work_tree(
    git: &Git<'_>,
    place: &Path,
) -> Result<Option<PathBuf>, RepositoryError> {
    if place.join(".git").symlink_metadata().is_err() {
        return Ok(None);
    }
    let words = ["rev-parse", "--absolute-git-dir"].map(OsString::from);
    let answer = git.inner().from(place).try_ask(&words)?;
    Ok((answer.status == Some(0)).then(|| PathBuf::from(line(&answer.said))))
}

/// Where git keeps what a submodule holds, checked out or not. `tree` is the one that has it at `path`.
pub(crate) fn submodule_of_tree(
    git: &Git<'_>,
    git_folder: &Path,
    work_tree: Option<&Path>,
    (tree, path): (&str, &Path),
) -> Result<Option<PathBuf>, RepositoryError> {
    if let Some(found) =
        work_tree.map(|root| submodule_in_work_tree(git, &root.join(path))).transpose()?.flatten()
    {
        return Ok(Some(found));
    }
    let Some(name) = submodule_name(git, tree, path)? else { return Ok(None) };
    let common = git.ask(["rev-parse", "--git-common-dir"])?;
    let common = work_tree.unwrap_or(git_folder).join(line(&common));
    let places = [git_folder.join("modules").join(&name), common.join("modules").join(&name)];
    Ok(places.into_iter().find(|place| place.join("HEAD").exists()))
}

/// What the submodule at a path is called.
fn submodule_name(git: &Git<'_>, tree: &str, path: &Path) -> Result<Option<String>, RepositoryError> {
    let blob = format!("--blob={tree}:.gitmodules");
    let words = ["config", "-z", &blob, "--get-regexp", r"^submodule\..*\.path$"].map(OsString::from);
    let answer = git.try_ask(&words)?;
    let text = String::from_utf8_lossy(&answer.said).into_owned();
    let pairs = text.split('\0').filter_map(|pair| pair.split_once('\n'));
    let found = pairs
        .filter(|(_, value)| Path::new(value) == path)
        .find_map(|(key, _)| key.strip_prefix("submodule.")?.strip_suffix(".path").map(str::to_owned));
    // A name is a part of a path in the repository, and must not lead out of it.
    Ok(found.filter(|name| !Path::new(name).components().any(|part| part.as_os_str() == "..")))
}
