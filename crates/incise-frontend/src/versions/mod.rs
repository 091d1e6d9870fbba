//! Two versions of a program, read side by side.

mod left_out_lines;
pub(crate) mod line_constants;
mod moved_lines;
mod renamed;
mod version_files;
mod version_place;

use crate::error::FrontendError;
use crate::load::{DEEP_STACK, Loaded, Loading, NativeSource, load, load_part};
use crate::models::share_errno;
use crate::sources::Sources;
use incise_change::{FunctionPair, Versions};
use incise_children::Processors;
use incise_ir::Program;
use tempfile::TempDir;
use version_files::NotSeen;

/// How many functions a message names.
const SHOWN: usize = 5;

/// The old version: what is compared with.
pub struct OldVersion {
    /// The program.
    pub program: Program,
    /// Its files, and how they are compiled.
    pub sources: Sources,
    /// The folder with our headers; `None` if it is that of the new version, because both are the same files.
    headers: Option<TempDir>,
}

impl From<Loaded> for OldVersion {
    fn from(loaded: Loaded) -> Self {
        let Loaded { program, sources, headers, .. } = loaded;
        Self { program, sources, headers: Some(headers) }
    }
}

impl OldVersion {
    /// What is needed to build it natively.
    pub fn native<'a>(&'a self, new: &'a Loaded) -> NativeSource<'a> {
        let headers = self.headers.as_ref().unwrap_or(&new.headers).path();
        NativeSource { program: &self.program, sources: &self.sources, headers, shared: new.headers.path() }
    }
}

/// Reads both versions at once. Of clang's warnings only those of the new version are passed on: the old ones were
/// seen before. The old version is read as if it lay where the new one does.
pub fn load_versions(
    old: Sources,
    new: Sources,
    loading: Loading<'_>,
    talk: &mut dyn FnMut(&str),
) -> Result<(OldVersion, Loaded), FrontendError> {
    let old = in_place(old, &new);
    let (old, new) = load_both(old, new, loading, talk)?;
    let old = match old {
        Some(Loaded { program, sources, headers, .. }) => {
            OldVersion { program, sources, headers: Some(headers) }
        }
        None => OldVersion { program: new.program.clone(), sources: new.sources.clone(), headers: None },
    };
    Ok((old, new))
}

/// The same with all that belongs to each of them, also if both are the same files.
pub fn load_each(
    old: Sources,
    new: Sources,
    loading: Loading<'_>,
    talk: &mut dyn FnMut(&str),
) -> Result<(Loaded, Loaded), FrontendError> {
    let old = in_place(old, &new);
    let again = old.clone();
    let (old, new) = load_both(old, new, loading, talk)?;
    let old = old.map_or_else(|| load(again, loading, &mut |_| {}), Ok)?;
    Ok((old, new))
}

/// The old version as if it lay where the new one does.
fn in_place(mut old: Sources, new: &Sources) -> Sources {
    if !is_same(&old, new) {
        version_files::as_if_in_place(&mut old, new);
    }
    old
}

/// Reads both versions with all that belongs to them; no old one if both are the same files.
pub fn load_both(
    mut old: Sources,
    mut new: Sources,
    loading: Loading<'_>,
    talk: &mut dyn FnMut(&str),
) -> Result<(Option<Loaded>, Loaded), FrontendError> {
    if is_same(&old, &new) {
        return Ok((None, load(new, loading, talk)?));
    }
    for note in version_place::own_headers(&mut old, &mut new) {
        talk(&note);
    }
    version_files::spare_unchanged(&mut old, &mut new);
    let named = (old.files.clone(), new.files.clone());
    let changed = left_out_lines::ChangedFiles::of(&old, &new);
    let mut plain = (old.clone(), new.clone());
    let load_old = || load_part(old, loading, &mut |_| {});
    let (old, new) = Processors::ours().both(DEEP_STACK, load_old, || load_part(new, loading, talk));
    // The old version comes first on the command line, and so do its errors.
    let (mut old, mut new) = (old?, new?);
    if old.sources.extra.renumbered {
        talk("note: lines moved: __LINE__ in OLD is taken to be what it is in NEW");
    }
    for (name, other) in call_alike(&mut old, &new, loading) {
        talk(&format!("note: {name} is called {other} in NEW: __func__ in OLD is taken to say so"));
    }
    (plain.0.files, plain.1.files) = (old.sources.files.clone(), new.sources.files.clone());
    // Lines that were numbered anew are not those of the files.
    let read = [&old, &new].map(|each| (!each.sources.extra.renumbered).then_some(&each.program));
    if let Some(note) = left_out_lines::note(&changed, (&plain.0, &plain.1), read, loading) {
        talk(&note);
    }
    share_errno((&mut old.program, &mut new.program), loading.required_model)?;
    let unseen = NotSeen::of((&named.0, &old), (&named.1, &new));
    unseen.notes.iter().for_each(|note| talk(note));
    new.not_compared = unseen.reasons;
    Ok((Some(old), new))
}

/// Has OLD compiled with the names that its functions have in NEW, where only these changed and the functions speak of
/// them; says which.
fn call_alike(old: &mut Loaded, new: &Loaded, loading: Loading<'_>) -> Vec<(String, String)> {
    let renamed = renamed::renamed(old, new);
    if renamed.is_empty() {
        return renamed;
    }
    let mut sources = old.sources.clone();
    let flags = renamed.iter().map(|(name, other)| format!("-D{name}={other}").into());
    sources.extra.flags.extend(flags);
    // Where that does not compile, names are what they are.
    match load_part(sources, loading, &mut |_| {}) {
        Ok(again) => {
            *old = again;
            renamed
        }
        Err(_) => Vec::new(),
    }
}

/// Whether both versions are the same files, so that compiling them once is enough.
fn is_same(old: &Sources, new: &Sources) -> bool {
    let same = |(left, right): (&std::path::PathBuf, &std::path::PathBuf)| {
        left.canonicalize().is_ok_and(|left| right.canonicalize().is_ok_and(|right| left == right))
    };
    // A generated file is the same in two trees of a repository, and includes other files in each.
    let in_trees = old.extra.tree.is_some() || new.extra.tree.is_some();
    !in_trees && old.files.len() == new.files.len() && old.files.iter().zip(&new.files).all(same)
}

/// Versions without a common function are no versions of one program.
pub fn refuse_strangers(versions: &Versions) -> Result<(), FrontendError> {
    if versions.functions.iter().any(|pair| pair.old.is_some() && pair.new.is_some()) {
        return Ok(());
    }
    let names = |has: fn(&FunctionPair) -> bool| {
        let all: Vec<&str> =
            versions.functions.iter().filter(|pair| has(pair)).map(|pair| pair.name.as_str()).collect();
        match all.len() {
            0 => "no function with a body".to_owned(),
            count if count > SHOWN => format!("{} and {} more", all[..SHOWN].join(", "), count - SHOWN),
            _ => all.join(", "),
        }
    };
    Err(FrontendError::NothingInCommon {
        old: names(|pair| pair.old.is_some()),
        new: names(|pair| pair.new.is_some()),
    })
}
