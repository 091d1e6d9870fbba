//! Two versions of one program: of files and folders as they are named, or of the units of a repository.
//!
//! Of a repository the units that the change concerns are the program, or those that the user names; they are linked if
//! they are several. What changed beside them is said.

use super::{Prepared, TreeQuestion};
use crate::arguments::{CompileArguments, EngineArguments, VersionArguments};
use crate::session::Session;
use crate::settings::{AskedVersions, configured, sources, version};
use anyhow::{Result, bail};
use incise_frontend::Sources;
use incise_repository::build::UnitPair;
use incise_repository::{Configuration, Side};

/// Which two versions of a program are asked for.
pub(crate) enum ComparedSettings {
    /// These.
    Files { old: Box<Sources>, new: Box<Sources> },
    /// Those of a repository; and what the user adds to how files are compiled.
    Repository { question: Box<TreeQuestion>, own: Box<Sources> },
}

/// Two versions of a program, for as long as this lives.
pub(crate) struct ComparedSources {
    pub(crate) old: Sources,
    pub(crate) new: Sources,
    trees: Option<Prepared>,
    /// What has to be said of which units are looked at.
    pub(crate) note: Option<String>,
}

impl ComparedSettings {
    /// What the command line says.
    pub(crate) fn of(arguments: &VersionArguments, compile: &CompileArguments) -> Result<Self> {
        let VersionArguments { versions, database, units } = arguments;
        Ok(match AskedVersions::of(versions, false)? {
            AskedVersions::Two(_, _) | AskedVersions::One(_) if database.is_some() || !units.is_empty() => {
                bail!("-p and --unit are about the units of a repository: give revisions instead of files")
            }
            AskedVersions::Two(old, new) => {
                Self::Files { old: Box::new(version(&old, compile)), new: Box::new(version(&new, compile)) }
            }
            AskedVersions::One(only) => bail!("two versions are compared, and not {}", only.display()),
            AskedVersions::Revisions { words, paths } => {
                let mut question = TreeQuestion::of(words, paths, database.as_deref())?;
                question.units.clone_from(units);
                Self::of_trees(question, compile)
            }
        })
    }

    /// Of a repository.
    pub(crate) fn of_trees(question: TreeQuestion, compile: &CompileArguments) -> Self {
        let mut own = sources(&[], compile);
        own.flags.splice(0..0, question.configuration.flags.iter().map(Into::into));
        Self::Repository { question: Box::new(question), own: Box::new(own) }
    }

    /// What the repository says of itself, if it is one.
    pub(crate) fn configuration(&self) -> Option<&Configuration> {
        match self {
            Self::Files { .. } => None,
            Self::Repository { question, .. } => Some(&question.configuration),
        }
    }

    /// What the engine is told, with what the repository says of it.
    pub(crate) fn configured(&self, arguments: &EngineArguments) -> Result<EngineArguments> {
        match self.configuration() {
            Some(said) => configured(arguments, said),
            None => Ok(arguments.clone()),
        }
    }

    /// Lays the versions out for tests, which name the files of NEW and how they are compiled.
    pub(crate) fn lay_out_for_tests(&self, session: &Session) -> Result<ComparedSources> {
        let mut sources = self.lay_out(session)?;
        let Some(trees) = &sources.trees else { return Ok(sources) };
        if trees.sides.new != Side::WorkTree {
            bail!(
                "tests name the files that they are for, and those of {} lie nowhere: check it out, and compare with \
                 one revision",
                trees.sides.new.name()
            );
        }
        for version in [&mut sources.old, &mut sources.new] {
            let mut own = std::mem::take(&mut version.own_flags).into_values();
            let first = own.next().unwrap_or_default();
            if own.any(|flags| flags != first) {
                bail!("the units are compiled with different flags: name one of them with --unit FILE");
            }
            version.flags.splice(0..0, first);
        }
        Ok(sources)
    }

    /// Lays the versions out, if they have to be.
    pub(crate) fn lay_out(&self, session: &Session) -> Result<ComparedSources> {
        let (question, own) = match self {
            Self::Files { old, new } => {
                let (old, new) = (old.as_ref().clone(), new.as_ref().clone());
                return Ok(ComparedSources { old, new, trees: None, note: None });
            }
            Self::Repository { question, own } => (question, own),
        };
        let prepared = Prepared::of(question, own, session)?;
        for missing in &prepared.planned.not_compared {
            session.warn(&format!("note: not looked at: {missing}"));
        }
        prepared.planned.notes.iter().for_each(|note| session.say(&format!("note: {note}")));
        let pairs: Vec<&UnitPair> = match question.units.is_empty() {
            true => prepared.planned.pairs.iter().collect(),
            false => prepared.planned.pairs.iter().filter(|pair| prepared.is_asked_for(pair)).collect(),
        };
        let (old, new) = (prepared.sides.old.name(), prepared.sides.new.name());
        if pairs.is_empty() {
            bail!(
                "nothing that the build compiles changed between {old} and {new}, or only one of them has it: \
                 --unit FILE names units that did not change"
            );
        }
        let names: Vec<&str> = pairs.iter().map(|pair| pair.name.as_str()).collect();
        let others = prepared.planned.pairs.len() - pairs.len();
        let left = if others == 0 { String::new() } else { format!(", and {others} more changed") };
        session.say(&format!(
            "note: the program is {}, of {old} and {new}{left}; --unit FILE names other units",
            names.join(", ")
        ));
        let note = format!(
            "other units than {} are not looked at, whoever calls what is in these",
            names.join(", ")
        );
        let (old, new) = prepared.sources(&pairs);
        Ok(ComparedSources { old, new, trees: Some(prepared), note: Some(note) })
    }
}
