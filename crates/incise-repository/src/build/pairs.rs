//! Which units a change concerns, in both versions: those whose text changed, and those that include what changed.
//!
//! A build is that of the working tree: its database says how files are compiled, and what it generated is taken for
//! both versions. Whatever changed and is in no unit that is compared is told, so that nobody takes silence for
//! sameness.

use super::database::{Database, Unit};
use super::dependencies::{dependencies, includes};
use super::kinds::{FileKind, is_made_by_build, kind};
use super::known_includes::KnownIncludes;
use crate::changes::FileChange;
use crate::error::RepositoryError;
use crate::listing::{Content, Listing};
use crate::repository::LaidOut;
use incise_children::{Processors, RunError};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// What builds leave in their folders.
const TRACES: [&str; 4] = ["CMakeCache.txt", "build.ninja", "config.status", "meson-info"];
/// How many names a note has.
const SHOWN: usize = 5;

/// A unit of both versions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnitPair {
    /// What it is called: its path in NEW from the top, and what tells it from others of that path.
    pub name: String,
    /// As it was.
    pub old: Unit,
    /// As it is.
    pub new: Unit,
}

/// What is compared, and what is not.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Planned {
    /// The units that the change concerns, in the order of their names.
    pub pairs: Vec<UnitPair>,
    /// Units that only NEW has, with their names.
    pub added_units: Vec<(String, Unit)>,
    /// Files of C that only OLD has, with how they may have been compiled.
    pub removed_units: Vec<(String, Unit)>,
    /// What the units of NEW are made of, by their names; those of which clang cannot tell are not there.
    pub included: BTreeMap<String, BTreeSet<PathBuf>>,
    /// What changed and is not compared, in words.
    pub not_compared: Vec<String>,
    /// What has to be said.
    pub notes: Vec<String>,
}

/// What a plan is made from.
pub struct Plan<'p> {
    /// The old version.
    pub old: &'p LaidOut,
    /// The new version.
    pub new: &'p LaidOut,
    /// What changed between them.
    pub changes: &'p [FileChange],
    /// Units that are wanted whether the change concerns them or not, by their paths in NEW from the top.
    pub wanted: &'p BTreeSet<PathBuf>,
    /// Where the build is: the working tree, and its files. Databases speak of it.
    pub home: (&'p Path, &'p Listing),
    /// How the files of NEW are compiled.
    pub database: &'p Database,
    /// How those of OLD are, if the revision says so itself.
    pub old_database: Option<&'p Database>,
    /// What is known of units from another time.
    pub known: &'p KnownIncludes,
    /// What lists what files include.
    pub clang: &'p Path,
    /// Ends clang once it is set.
    pub interrupt: &'p AtomicBool,
}

/// The files that a unit is made of; none if clang cannot tell.
type Included = Option<BTreeSet<PathBuf>>;

/// A unit of NEW by its path from the top.
struct Known {
    inner: PathBuf,
    unit: Unit,
    /// The same where the build is.
    at_home: Unit,
}

impl Plan<'_> {
    /// Finds out what is compared.
    pub fn make(&self) -> Result<Planned, RepositoryError> {
        let mut planned = Planned::default();
        let known = self.known(&mut planned);
        let changed: BTreeSet<&Path> = self.changes.iter().filter_map(|each| each.new.as_deref()).collect();
        let before: BTreeMap<&Path, Option<&Path>> = self
            .changes
            .iter()
            .filter_map(|each| Some((each.new.as_deref()?, each.old.as_deref())))
            .collect();
        let candidates = self.candidates(&known, &changed);
        let at_home = self.included(candidates.iter().map(|unit| &unit.at_home).collect())?;
        let generated = self.generated(&at_home);
        self.link(&generated)?;
        let included = match self.home.0 == self.new.root {
            true => at_home,
            false => self.included(candidates.iter().map(|unit| &unit.unit).collect())?,
        };
        let mut seen: BTreeSet<PathBuf> = BTreeSet::new();
        for (known, included) in candidates.iter().zip(included) {
            let inner: Option<BTreeSet<PathBuf>> = included.as_ref().map(|files| {
                files
                    .iter()
                    .filter_map(|file| Some(file.strip_prefix(&self.new.root).ok()?.to_owned()))
                    .collect()
            });
            let concerned = self.wanted.contains(&known.inner)
                || changed.contains(known.inner.as_path())
                || inner
                    .as_ref()
                    .is_none_or(|files| files.iter().any(|file| changed.contains(file.as_path())));
            if !concerned {
                continue;
            }
            seen.insert(known.inner.clone());
            seen.extend(inner.into_iter().flatten());
            let old = before.get(known.inner.as_path()).copied().unwrap_or(Some(&known.inner));
            let name = self.add(&mut planned, known, old, generated.contains(&known.inner));
            planned.included.extend(included.map(|files| (name, files)));
        }
        planned.pairs.sort_by(|one, other| one.name.cmp(&other.name));
        self.tell_rest(&mut planned, &known, &seen);
        if !generated.is_empty() {
            let names: Vec<String> = generated.iter().map(|file| file.display().to_string()).collect();
            planned.notes.push(format!(
                "generated files are those of the build, for both versions: {}",
                listed(&names)
            ));
        }
        Ok(planned)
    }

    /// The units of NEW that lie in the repository.
    fn known(&self, planned: &mut Planned) -> Vec<Known> {
        let (home, tracked) = self.home;
        let (mut known, mut outside) = (Vec::new(), Vec::new());
        for unit in &self.database.units {
            let Ok(inner) = unit.file.strip_prefix(home) else {
                outside.push(unit.file.display().to_string());
                continue;
            };
            let is_generated = !tracked.has(inner) && unit.file.exists();
            if !self.new.files.has(inner) && !is_generated {
                continue;
            }
            let moved = unit.moved(home, &self.new.root, &self.new.root.join(inner));
            known.push(Known { inner: inner.to_owned(), unit: moved, at_home: unit.clone() });
        }
        if !outside.is_empty() {
            planned
                .notes
                .push(format!("the build compiles files outside of the repository: {}", listed(&outside)));
        }
        known
    }

    /// The units that may include something that changed: by names in their texts, so that clang need not be asked
    /// about all others.
    fn candidates<'k>(&self, known: &'k [Known], changed: &BTreeSet<&Path>) -> Vec<&'k Known> {
        let name = |path: &Path| path.file_name().unwrap_or_default().to_owned();
        // Sources are included, too: some programs are compiled as one file.
        let mut names: BTreeSet<OsString> = changed.iter().map(|path| name(path)).collect();
        let mut texts: BTreeMap<PathBuf, (BTreeSet<OsString>, bool)> = BTreeMap::new();
        if !names.is_empty() {
            for file in self.new.files.0.keys().filter(|file| kind(file).holds_c()) {
                let text = std::fs::read(self.new.root.join(file)).unwrap_or_default();
                texts.insert(file.clone(), includes(&text));
            }
        }
        let mut reached: BTreeSet<PathBuf> = changed.iter().map(|path| path.to_path_buf()).collect();
        loop {
            let fresh: Vec<PathBuf> = texts
                .iter()
                .filter(|(file, (included, computed))| {
                    !reached.contains(*file)
                        && (*computed || included.iter().any(|each| names.contains(each)))
                })
                .map(|(file, _)| file.clone())
                .collect();
            if fresh.is_empty() {
                break;
            }
            names.extend(fresh.iter().map(|file| name(file)));
            reached.extend(fresh);
        }
        let by_flag =
            |unit: &Known| unit.unit.flags.iter().any(|flag| names.contains(&name(Path::new(flag))));
        let generated = |unit: &Known| !self.new.files.has(&unit.inner) && !names.is_empty();
        known
            .iter()
            .filter(|unit| {
                self.wanted.contains(&unit.inner)
                    || reached.contains(&unit.inner)
                    || by_flag(unit)
                    || generated(unit)
            })
            .collect()
    }

    /// What units are made of, in the order of the units.
    fn included(&self, units: Vec<&Unit>) -> Result<Vec<Included>, RepositoryError> {
        let next = AtomicUsize::new(0);
        let slots: Vec<Mutex<Option<Result<Included, RunError>>>> =
            units.iter().map(|_| Mutex::new(None)).collect();
        let look = self.known.look(&self.new.files);
        let work = |_| loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(unit) = units.get(index) else { return };
            let found = match look.files(unit) {
                Some(files) => Ok(Some(files)),
                None => dependencies(self.clang, unit, self.interrupt),
            };
            if let Ok(Some(files)) = &found {
                look.keep(unit, files);
            }
            if let Ok(mut slot) = slots[index].lock() {
                *slot = Some(found);
            }
        };
        let helpers = std::thread::available_parallelism().map_or(1, usize::from).min(units.len());
        Processors::ours().together(helpers.saturating_sub(1), work);
        let found = |slot: Mutex<Option<Result<_, RunError>>>| match slot.into_inner().ok().flatten() {
            Some(Ok(files)) => Ok(files),
            Some(Err(RunError::Io(error))) => Err(RepositoryError::Io { path: self.clang.to_owned(), error }),
            _ => Err(RepositoryError::Interrupted),
        };
        slots.into_iter().map(found).collect()
    }

    /// The files that the build made and units include, from the top.
    fn generated(&self, included: &[Included]) -> BTreeSet<PathBuf> {
        let (home, tracked) = self.home;
        let is_generated = |file: &&Path| match tracked.0.get(*file) {
            None => true,
            Some(Content::Untracked) => self.is_made(file),
            Some(_) => false,
        };
        let inner = included.iter().flatten().flatten().filter_map(|file| file.strip_prefix(home).ok());
        inner.filter(is_generated).map(Path::to_owned).collect()
    }

    /// Whether a file that git does not know, and is not told to ignore, was made by the build. A header that somebody
    /// moved and did not add must not be taken for one: OLD would be compiled with the header of NEW. So no version may
    /// have a file of its name, or else it lies where a build left its traces and no file of that name is gone.
    fn is_made(&self, file: &Path) -> bool {
        let (home, tracked) = self.home;
        let laid_out = || [self.old, self.new].into_iter().filter(|version| version.root != home);
        let same_name = || {
            let files = laid_out().flat_map(|version| version.files.0.keys());
            files.filter(|each| each.file_name() == file.file_name())
        };
        let is_trace = |path: PathBuf| {
            let known = matches!(tracked.0.get(&path), Some(Content::Object(_) | Content::OnDisk));
            !known && home.join(path).exists()
        };
        let has_traces = |folder: &Path| TRACES.iter().any(|name| is_trace(folder.join(name)));
        kind(file) != FileKind::Source
            && (same_name().next().is_none()
                || same_name().all(|each| tracked.has(each)) && file.ancestors().skip(1).any(has_traces))
    }

    /// Puts links to generated files into versions that are laid out, where they have no file of that name.
    fn link(&self, generated: &BTreeSet<PathBuf>) -> Result<(), RepositoryError> {
        for version in [self.old, self.new].into_iter().filter(|version| version.root != self.home.0) {
            for file in generated {
                let place = version.root.join(file);
                if place.symlink_metadata().is_ok() {
                    continue;
                }
                let folder = place.parent().unwrap_or(&version.root);
                std::fs::create_dir_all(folder).map_err(RepositoryError::io(folder))?;
                std::os::unix::fs::symlink(self.home.0.join(file), &place)
                    .map_err(RepositoryError::io(&place))?;
            }
        }
        Ok(())
    }

    /// Adds a unit with its counterpart in OLD, and tells its name.
    fn add(&self, planned: &mut Planned, known: &Known, old: Option<&Path>, is_generated: bool) -> String {
        let variant = match known.unit.variant.as_str() {
            "" => String::new(),
            // Where the repository lies on this machine is no part of a name that reports and checks rest on.
            variant => format!(
                " ({})",
                Path::new(variant).strip_prefix(self.home.0).unwrap_or(variant.as_ref()).display()
            ),
        };
        let name = format!("{}{variant}", known.inner.display());
        let Some(old) = old.filter(|old| self.old.files.has(old) || is_generated) else {
            planned.added_units.push((name.clone(), known.unit.clone()));
            return name;
        };
        let own = self.old_database.and_then(|database| {
            let file = self.home.0.join(old);
            let mut same = database
                .units
                .iter()
                .filter(|unit| unit.file == file || unit.file == self.old.root.join(old));
            let first = same.next()?;
            // Of several only the one with the same name is its counterpart.
            let unit = std::iter::once(first)
                .chain(same)
                .find(|unit| unit.variant == known.unit.variant)
                .unwrap_or(first);
            Some(unit.moved(self.home.0, &self.old.root, &self.old.root.join(old)))
        });
        let moved = || known.unit.moved(&self.new.root, &self.old.root, &self.old.root.join(old));
        let old = own.unwrap_or_else(moved);
        planned.pairs.push(UnitPair { name: name.clone(), old, new: known.unit.clone() });
        name
    }

    /// A file of OLD as it was compiled: as the revision says, or else as what lies nearest to it is now.
    fn removed_unit(&self, file: &Path, known: &[Known]) -> Unit {
        let place = self.old.root.join(file);
        let at_home = self.home.0.join(file);
        let own =
            self.old_database.and_then(|database| database.units.iter().find(|unit| unit.file == at_home));
        if let Some(unit) = own {
            return unit.moved(self.home.0, &self.old.root, &place);
        }
        let common = |unit: &&Known| {
            unit.inner.components().zip(file.components()).take_while(|(a, b)| a == b).count()
        };
        match known.iter().max_by_key(common) {
            Some(nearest) => nearest.unit.moved(&self.new.root, &self.old.root, &place),
            None => Unit { file: place, flags: Vec::new(), variant: String::new() },
        }
    }

    /// Says what changed and is in no unit that is compared.
    fn tell_rest(&self, planned: &mut Planned, known: &[Known], seen: &BTreeSet<PathBuf>) {
        let others: BTreeSet<PathBuf> = self
            .database
            .others
            .iter()
            .filter_map(|file| Some(file.strip_prefix(self.home.0).ok()?.to_owned()))
            .collect();
        let units: BTreeSet<&Path> = known.iter().map(|unit| unit.inner.as_path()).collect();
        let mut built = Vec::new();
        for change in self.changes {
            let Some(file) = change.new.as_ref().or(change.old.as_ref()) else { continue };
            let shown = file.display();
            let (was, is) = (change.old.is_some(), change.new.is_some());
            if seen.contains(file) && is || is_made_by_build(file) {
                continue;
            }
            match kind(file) {
                FileKind::Source if !was && units.contains(file.as_path()) => {}
                FileKind::Source if !was => {
                    planned.notes.push(format!("{shown} is new, and the build does not compile it"));
                }
                FileKind::Source if !is => {
                    let unit = self.removed_unit(file, known);
                    planned.removed_units.push((shown.to_string(), unit));
                }
                FileKind::Source if others.contains(file) => {
                    planned.not_compared.push(format!("{shown} changed, and is not compiled as C"));
                }
                FileKind::Source => {
                    planned.not_compared.push(format!("{shown} changed, and the build does not compile it"));
                }
                FileKind::Header if was && is => planned
                    .not_compared
                    .push(format!("{shown} changed, and nothing that the build compiles includes it")),
                FileKind::Other if was && is => {
                    planned.not_compared.push(format!("{shown} changed, and is not C"))
                }
                FileKind::Template if was && is => planned
                    .not_compared
                    .push(format!("{shown} changed, and what is made from it is taken from one build")),
                FileKind::Build => built.push(shown.to_string()),
                _ => {}
            }
        }
        if !built.is_empty() && self.old_database.is_none() {
            planned.notes.push(format!(
                "how it is built changed ({}): OLD is compiled as the build compiles NEW",
                listed(&built)
            ));
        }
    }
}

/// The first of some names.
fn listed(names: &[String]) -> String {
    let shown = names.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
