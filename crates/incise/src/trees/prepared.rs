//! From revisions to pairs of units: both trees, the files that changed, and how they are compiled.

use super::TreeQuestion;
use crate::commands::diff::reports::SourcePlaces;
use crate::session::Session;
use anyhow::{Context, Result, bail};
use incise_children::RunError;
use incise_frontend::{Compilation, Sources, VersionTree, clang};
use incise_repository::build::{
    Database, DatabasePlace, KnownIncludes, Plan, Planned, Unit, UnitPair, guessed, known_to_clang,
};
use incise_repository::{
    Configuration, FileChange, LaidOut, LeftOut, LeftOutKind, Listing, Repository, RepositoryError, Side,
    Sides, changes,
};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What is said if nobody knows how files are compiled.
const GUESSED: &str = "there is no compile_commands.json: each C file is compiled with the folders of the headers that it \
    includes, and -D, -I and --cflags say more; CMake writes one with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, Meson always, and \
    `incise build -- make` records what make calls";

/// Two versions of a repository, ready to be compared.
pub(crate) struct Prepared {
    pub(crate) sides: Sides,
    pub(crate) old: Arc<LaidOut>,
    pub(crate) new: LaidOut,
    pub(crate) planned: Planned,
    /// Where the database is; none if there is none.
    pub(crate) database: Option<PathBuf>,
    /// What is left out because the repository says so.
    pub(crate) left_out: Vec<String>,
    pub(crate) configuration: Configuration,
    /// The files of OLD that changed, with those of NEW that they are.
    changed: Vec<(PathBuf, PathBuf)>,
    /// All files that changed, by their names in OLD and NEW.
    changed_names: Vec<(Option<PathBuf>, Option<PathBuf>)>,
    /// The files that change when another commit is checked out or made.
    pub(crate) head: Vec<PathBuf>,
    /// The units that the user names, from the top.
    wanted: BTreeSet<PathBuf>,
    /// What the user adds to how files are compiled.
    own: Sources,
}

impl Prepared {
    /// Lays out what is asked for, and finds out what is compared.
    pub(crate) fn of(question: &TreeQuestion, own: &Sources, session: &Session) -> Result<Self> {
        Self::again(question, own, session, (None, &KnownIncludes::default()))
    }

    /// The same, with what was laid out before, if that is the same version, and what is known of units.
    pub(crate) fn again(
        question: &TreeQuestion,
        own: &Sources,
        session: &Session,
        (before, known): (Option<(&Side, &Arc<LaidOut>)>, &KnownIncludes),
    ) -> Result<Self> {
        let here = std::env::current_dir().context("the current folder is gone")?;
        let repository = Repository::discover(&here, &own.tools.search_path, session.interrupt())?;
        let sides = repository.sides(&question.words)?;
        let old = match before {
            Some((side, laid_out)) if *side == sides.old && *side != Side::WorkTree => Arc::clone(laid_out),
            _ => Arc::new(repository.version(&sides.old)?),
        };
        let new = repository.version(&sides.new)?;
        let changes = narrowed(changes(&old, &new), question, &repository, (&old, &new), &here)?;
        let wanted = question.units.iter().map(|unit| repository.within(unit, &here));
        let wanted = wanted.collect::<Result<BTreeSet<PathBuf>, RepositoryError>>()?;
        let (changes, mut left_out) = without_left_out(changes, &question.configuration.left_out);
        // The build is that of the working tree, if there is one.
        let elsewhere = match (&sides.new, repository.work_tree()) {
            (Side::Revision { .. }, Some(root)) => {
                Some((root.to_owned(), repository.version(&Side::WorkTree)?.files))
            }
            _ => None,
        };
        let home: (&Path, &Listing) = match &elsewhere {
            Some((root, files)) => (root, files),
            None => (&new.root, &new.files),
        };
        let compiler = clang(own)?;
        let builds = Builds::find(question, own, (&old, &new), home)?;
        let mut database = builds.new;
        let unknown = known_to_clang(&compiler, &database.all_flags(), session.interrupt());
        database.without(&unknown.map_err(|error| failed(error, &compiler))?);
        let plan = Plan {
            old: &old,
            new: &new,
            changes: &changes,
            wanted: &wanted,
            home,
            database: &database,
            old_database: builds.old.as_ref(),
            known,
            clang: &compiler,
            interrupt: session.interrupt(),
        };
        let mut planned = plan.make()?;
        leave_units_out(&mut planned, &question.configuration.left_out, &mut left_out);
        planned.notes.splice(0..0, builds.notes);
        if !question.paths.is_empty() {
            planned
                .notes
                .push("units that the change of these paths concerns are compared as a whole".to_owned());
        }
        planned.notes.extend(old.notes.iter().chain(&new.notes).cloned());
        if !database.dropped.is_empty() {
            let names: Vec<&str> = database.dropped.iter().map(String::as_str).collect();
            planned.notes.push(format!("flags that are not passed on to clang: {}", names.join(" ")));
        }
        let both = |change: &FileChange| {
            Some((old.root.join(change.old.as_ref()?), new.root.join(change.new.as_ref()?)))
        };
        let changed = changes.iter().filter_map(both).collect();
        let changed_names = changes.iter().map(|change| (change.old.clone(), change.new.clone())).collect();
        let (configuration, own) = (question.configuration.clone(), own.clone());
        let unknown = wanted.iter().find(|unit| !planned.pairs.iter().any(|pair| is_of(pair, &new, unit)));
        if let Some(unknown) = unknown {
            bail!("'{}' is no unit that the build compiles in both versions", unknown.display());
        }
        let (database, head) = (builds.path, repository.files_of_head());
        Ok(Self {
            sides,
            head,
            database,
            changed,
            changed_names,
            own,
            old,
            new,
            planned,
            left_out,
            configuration,
            wanted,
        })
    }

    /// Whether the user named a unit.
    pub(crate) fn is_asked_for(&self, pair: &UnitPair) -> bool {
        self.wanted.iter().any(|unit| is_of(pair, &self.new, unit))
    }

    /// The files that changed and may be a part of units: those of other units are none, unless they are included. Of
    /// a thousand units that changed each is read once, and not for each of the others.
    fn changed_in(&self, pairs: &[&UnitPair]) -> Vec<(PathBuf, PathBuf)> {
        let included: Option<Vec<_>> =
            pairs.iter().map(|pair| self.planned.included.get(&pair.name)).collect();
        let Some(included) = included else { return self.changed.clone() };
        let own: BTreeSet<&Path> = pairs.iter().map(|pair| pair.new.file.as_path()).collect();
        let units: BTreeSet<&Path> = self.planned.pairs.iter().map(|pair| pair.new.file.as_path()).collect();
        let is_of_these = |new: &PathBuf| {
            let other = units.contains(new.as_path()) && !own.contains(new.as_path());
            !other || included.iter().any(|files| files.contains(new))
        };
        self.changed.iter().filter(|(_, new)| is_of_these(new)).cloned().collect()
    }

    /// Pairs of units as versions of a program.
    pub(crate) fn sources(&self, pairs: &[&UnitPair]) -> (Sources, Sources) {
        let mut changed = self.changed_in(pairs);
        for UnitPair { old, new, .. } in pairs {
            // A function that moved to another file is compared as if that one had been its file before.
            if old.file.strip_prefix(&self.old.root) != new.file.strip_prefix(&self.new.root) {
                changed.retain(|(one, _)| *one != old.file);
                changed.push((old.file.clone(), new.file.clone()));
            }
        }
        let compilation = Compilation {
            flags: self.own.flags.clone(),
            optimisation: self.own.optimisation.clone(),
            tools: self.own.tools.clone(),
        };
        let version = |unit: fn(&UnitPair) -> &Unit, version: &LaidOut| {
            let files = pairs.iter().map(|pair| (unit(pair).file.clone(), unit(pair).flags.clone()));
            let tree = VersionTree { root: version.root.clone(), changed: changed.clone() };
            Sources::of_tree(&files.collect::<Vec<_>>(), &compilation, tree)
        };
        (version(|pair| &pair.old, &self.old), version(|pair| &pair.new, &self.new))
    }

    /// Where the sources are that reports show.
    pub(crate) fn places(&self) -> SourcePlaces {
        SourcePlaces::of_trees((self.old.root.clone(), self.new.root.clone()), self.changed_names.clone())
    }

    /// Leaves out where trees lie, so that files are named from the top of the repository.
    pub(crate) fn rename(&self, text: &mut String) {
        for root in [&self.old.root, &self.new.root] {
            let prefix = format!("{}/", root.display());
            if text.contains(&prefix) {
                *text = text.replace(&prefix, "");
            }
        }
    }
}

/// Whether a unit is that of a file, from the top.
fn is_of(pair: &UnitPair, new: &LaidOut, file: &Path) -> bool {
    pair.new.file.strip_prefix(&new.root).is_ok_and(|inner| inner == file)
}

/// How both versions are compiled.
struct Builds {
    new: Database,
    old: Option<Database>,
    path: Option<PathBuf>,
    notes: Vec<String>,
}

impl Builds {
    fn find(
        question: &TreeQuestion,
        own: &Sources,
        (old, new): (&LaidOut, &LaidOut),
        (home, _): (&Path, &Listing),
    ) -> Result<Self> {
        // A database that a revision has itself speaks of its own tree.
        let tracked = |version: &LaidOut| -> Result<Option<Database>> {
            let found = match version.root == home {
                true => None,
                false => Database::find(DatabasePlace::Around(&version.root))?,
            };
            Ok(found.map(|database| rebased(database, &version.root, home)))
        };
        let mut notes = Vec::new();
        let found = match &question.database {
            Some(place) => Database::find(DatabasePlace::Given(place))?,
            None => match tracked(new)? {
                Some(database) => Some(database),
                None => Database::find(DatabasePlace::Around(home))?,
            },
        };
        let old_database = if question.database.is_some() { None } else { tracked(old)? };
        let path = found.as_ref().map(|database| database.path.clone());
        let database = match found {
            Some(database) if database.units.is_empty() => {
                bail!("'{}' compiles no C file", database.path.display())
            }
            Some(database) => database,
            None => {
                notes.push(GUESSED.to_owned());
                // What the user says of all files stands in front of what is guessed.
                let _ = own;
                rebased(guessed(new, &[]), &new.root, home)
            }
        };
        if path.is_some() && new.root != home {
            notes.push("NEW is compiled as the build of the working tree compiles it".to_owned());
        }
        Ok(Self { new: database, old: old_database, path, notes })
    }
}

/// A database that speaks of another tree.
fn rebased(mut database: Database, from: &Path, to: &Path) -> Database {
    for unit in &mut database.units {
        if let Ok(inner) = unit.file.strip_prefix(from).map(|inner| to.join(inner)) {
            *unit = unit.moved(from, to, &inner);
        }
    }
    database
}

/// Whether a path is left out, and why.
fn left_out_by<'l>(file: &Path, left_out: &'l [LeftOut]) -> Option<&'l str> {
    let by = |each: &&LeftOut| matches!(&each.what, LeftOutKind::Path(path) if file.starts_with(path));
    left_out.iter().find(by).map(|each| each.reason.as_str())
}

/// The changes that are not left out, and what is, in words.
fn without_left_out(changes: Vec<FileChange>, left_out: &[LeftOut]) -> (Vec<FileChange>, Vec<String>) {
    let (mut kept, mut said) = (Vec::new(), Vec::new());
    for change in changes {
        let file = change.new.as_ref().or(change.old.as_ref());
        match file.and_then(|file| Some((file, left_out_by(file, left_out)?))) {
            Some((file, reason)) => said.push(format!("{} ({reason})", file.display())),
            None => kept.push(change),
        }
    }
    (kept, said)
}

/// Leaves units out that include what changed.
fn leave_units_out(planned: &mut Planned, left_out: &[LeftOut], said: &mut Vec<String>) {
    planned.pairs.retain(|pair| match left_out_by(Path::new(&pair.name), left_out) {
        Some(reason) => {
            said.push(format!("{} ({reason})", pair.name));
            false
        }
        None => true,
    });
}

/// The changes that count.
fn narrowed(
    changes: Vec<FileChange>,
    question: &TreeQuestion,
    repository: &Repository<'_>,
    (old, new): (&LaidOut, &LaidOut),
    here: &Path,
) -> Result<Vec<FileChange>> {
    if question.paths.is_empty() {
        return Ok(changes);
    }
    let mut inner = Vec::new();
    for path in &question.paths {
        let found = repository.within(path, here)?;
        let has = |version: &LaidOut| version.files.0.keys().any(|file| file.starts_with(&found));
        if !has(old) && !has(new) {
            return Err(RepositoryError::NoSuchPath(path.clone()).into());
        }
        inner.push(found);
    }
    let counts = |file: &Option<PathBuf>| {
        file.as_ref().is_some_and(|file| inner.iter().any(|path| file.starts_with(path)))
    };
    Ok(changes.into_iter().filter(|change| counts(&change.old) || counts(&change.new)).collect())
}

fn failed(error: RunError, compiler: &Path) -> anyhow::Error {
    match error {
        RunError::Io(error) => RepositoryError::Io { path: compiler.to_owned(), error }.into(),
        RunError::Interrupted | RunError::TimedOut => RepositoryError::Interrupted.into(),
    }
}
