//! What `incise diff` is asked to do.

use super::arguments::{Compare, DiffArguments, Strategy};
use super::parts::Parts;
use super::reports::{ReportFiles, SourcePlaces};
use super::repository::settings::{RepositoryQuestion, is_of_program};
use super::verdict_arguments::VerdictArguments;
use super::verdict_settings::VerdictSettings;
use crate::arguments::BuildArguments;
use crate::change::changed_lines::LineRanges;
use crate::change::rules::RuleSet;
use crate::commands::run::settings::schedules;
use crate::settings::{
    AskedVersions, OutputSettings, TestSettings, config, configured, reading, sources, version,
};
use crate::trees::{ComparedSettings, TreeQuestion};
use anyhow::{Context, Result, bail};
use incise_exec::{Config, SearcherKind};
use incise_frontend::Sources;
use incise_reading::InputReading;
use std::path::PathBuf;

/// Each worker needs memory of its own: so many are begun unasked at most.
const MOST_USUAL_JOBS: usize = 4;

/// Where the change is.
pub(crate) enum Change {
    /// Between two versions.
    Versions {
        /// The old one.
        old: Sources,
    },
    /// Between two revisions of a program in a repository.
    Program(Box<ComparedSettings>),
    /// Between two revisions of a repository, function by function.
    Repository(RepositoryQuestion),
    /// On these lines of a single version.
    Lines(LineRanges),
    /// Between two functions of a single version.
    Functions,
}

/// What `incise diff` is asked to do.
pub(crate) struct DiffSettings {
    /// The version that is explored.
    pub(crate) new: Sources,
    pub(crate) change: Change,
    pub(crate) entry: Option<String>,
    /// What the entry is called in the old version, if that is another name.
    pub(crate) old_entry: Option<String>,
    /// What is asked of the verdict, if there is to be one.
    pub(crate) verdict: Option<VerdictSettings>,
    /// Whether it answers again when files are saved.
    pub(crate) watch: bool,
    /// How many functions are compared at once.
    pub(crate) jobs: Option<usize>,
    pub(crate) strategy: Strategy,
    /// Whether the affected executions of threads are explored as well.
    pub(crate) executions: bool,
    /// Which orders of what threads do are explored.
    pub(crate) schedules: incise_exec::Schedules,
    pub(crate) rules: RuleSet,
    /// Whether the change is followed into calls.
    pub(crate) across: bool,
    /// Whether the old version is explored as well.
    pub(crate) both: bool,
    pub(crate) trace: bool,
    /// Whether to explore in full as well.
    pub(crate) compare: bool,
    /// The strategies for threads that are compared.
    pub(crate) compared: Vec<Strategy>,
    /// What has to be covered, if paths are looked for that do.
    pub(crate) cover: Option<incise_incremental::Criterion>,
    /// For the engine; the entry is filled in for each exploration.
    pub(crate) config: Config,
    /// How inputs are read.
    pub(crate) reading: InputReading,
    pub(crate) tests: Option<TestSettings>,
    pub(crate) output: OutputSettings,
    /// The reports that are files, and where the sources are that they show.
    pub(crate) reports: ReportFiles,
    pub(crate) places: SourcePlaces,
}

impl DiffSettings {
    /// Refuses what cannot be done with programs that have threads.
    pub(crate) fn refuse_for_threads(&self) -> Result<()> {
        let refuse = |what: &str| {
            bail!("{what} is not possible yet for programs with threads: their outcomes are compared")
        };
        match &self.change {
            Change::Lines(_) => return refuse("--changed"),
            Change::Versions { .. } | Change::Program(_) | Change::Repository(_) | Change::Functions => {}
        }
        if self.cover.is_some() {
            return refuse("--cover");
        }
        if self.executions && self.strategy == Strategy::Paper {
            return refuse("--strategy paper");
        }
        if self.executions && !self.across {
            return refuse("--intra");
        }
        if self.executions && self.rules != RuleSet::Complete {
            return refuse("exploring executions by the rules of the paper");
        }
        match self.both {
            true => refuse("--both"),
            false => Ok(()),
        }
    }

    /// What the command line says, if that makes sense as a whole.
    pub(crate) fn of(arguments: &DiffArguments) -> Result<Self> {
        let (new, change) = change(arguments)?;
        let arguments = &with_configuration(arguments, &change)?;
        if arguments.build.watch && !matches!(change, Change::Repository(_)) {
            bail!(
                "--watch looks at the functions of a repository: give one revision or none, and no options about paths"
            );
        }
        if arguments.trace && arguments.strategy() != Strategy::Paper {
            bail!("--trace shows the steps of the paper's algorithm: use it with --strategy paper");
        }
        if arguments.both && arguments.changed.is_some() {
            bail!("--both explores both versions: give OLD and NEW instead of --changed");
        }
        if arguments.both && arguments.cover.is_some() {
            bail!("--cover is about what tests of NEW have to cover: leave out --both");
        }
        let folders = [&arguments.tests.tests, &arguments.verdict.witnesses];
        if arguments.tests.c_tests && folders.iter().all(|folder| folder.is_none()) {
            bail!(
                "--c-tests says in which form tests are written: say where with --tests or --witnesses DIR"
            );
        }
        if let [Some(tests), Some(witnesses)] = folders
            && tests == witnesses
        {
            bail!("--tests and --witnesses name the same folder: each needs one of its own");
        }
        let across = !arguments.intra && arguments.strategy() != Strategy::Paper;
        let default_rules = match arguments.strategy() {
            Strategy::Paper => RuleSet::Paper,
            _ => RuleSet::Complete,
        };
        let mut config = config(&arguments.engine);
        if let Change::Repository(question) = &change {
            config.limits.time = question.budget;
        }
        // What was explored decides about what is explored next: that takes one worker, and the paper's algorithm its
        // order.
        let jobs = match (&change, arguments.engine.exploration.jobs) {
            (Change::Repository(_), None) => Some(usual_jobs()),
            (Change::Repository(_), Some(_)) => Some(config.workers),
            _ => None,
        };
        config.workers = 1;
        if arguments.strategy() == Strategy::Paper {
            config.searcher = SearcherKind::DepthFirst;
        }
        let (old_entry, entry) = entry_names(arguments)?;
        let mut verdict = verdict(arguments, &change, old_entry.is_some(), &config)?;
        if let (Change::Repository(question), Some(verdict)) = (&change, &mut verdict) {
            question.apply(arguments, verdict)?;
        }
        let reports = ReportFiles::of(&arguments.reports)?;
        if let (Some(option), None) = (reports.asked(), &verdict) {
            bail!(
                "{option} reports a verdict on OLD and NEW, and there is none here: leave out what explores only one version"
            );
        }
        let parts = parts(arguments, &change, &reports)?;
        if let Some(verdict) = &mut verdict {
            // What a part keeps is for any report.
            verdict.ways = reports.any() || parts.any();
            verdict.parts = parts;
        }
        Ok(Self {
            places: places(&change, &new),
            reports,
            new,
            change,
            entry,
            old_entry,
            verdict,
            watch: arguments.build.watch,
            jobs,
            strategy: arguments.strategy(),
            executions: arguments.strategy.is_some()
                || arguments.verdict.no_verdict
                || !arguments.compare.is_empty()
                || arguments.tests.tests.is_some(),
            schedules: schedules(arguments.verdict.schedules),
            rules: arguments.rules.unwrap_or(default_rules),
            across,
            both: arguments.both,
            trace: arguments.trace,
            compare: !arguments.compare.is_empty(),
            compared: Compare::strategies(&arguments.compare),
            cover: arguments.cover.map(Into::into),
            config,
            reading: reading(&arguments.engine.inputs)?,
            tests: TestSettings::of(&arguments.tests),
            output: {
                let mut output = OutputSettings::of(&arguments.output, arguments.stats);
                output.text.all = arguments.verdict.all;
                output.text.invalid = arguments.verdict.show_invalid;
                output
            },
        })
    }
}

/// How many functions of a repository are compared at once if the user does not say.
fn usual_jobs() -> usize {
    std::thread::available_parallelism().map_or(1, |count| usize::from(count).min(MOST_USUAL_JOBS))
}

/// What is asked of parts of a comparison.
fn parts(arguments: &DiffArguments, change: &Change, reports: &ReportFiles) -> Result<Parts> {
    let BuildArguments { shard, part, merge, watch, .. } = &arguments.build;
    if shard.is_none() && merge.is_empty() {
        return Ok(Parts::default());
    }
    let option = if shard.is_some() { "--shard" } else { "--merge" };
    if *watch || !matches!(change, Change::Repository(_)) {
        bail!("{option} is about the functions of a repository: give revisions, and no options about paths");
    }
    if let (Some(_), Some(asked)) = (shard, reports.asked()) {
        bail!("{asked} reports a whole comparison: give it with --merge");
    }
    Parts::of(*shard, part.as_deref(), merge)
}

/// What the repository says counts where the command line says nothing.
fn with_configuration(arguments: &DiffArguments, change: &Change) -> Result<DiffArguments> {
    let mut arguments = arguments.clone();
    let said = match change {
        Change::Repository(question) => &question.trees.configuration,
        Change::Program(program) => program.configuration().context("a repository is asked for")?,
        _ => return Ok(arguments),
    };
    arguments.engine = configured(&arguments.engine, said)?;
    Ok(arguments)
}

/// Where the change is, and the version that is explored.
fn change(arguments: &DiffArguments) -> Result<(Sources, Change)> {
    let version = |path: &PathBuf| version(path, &arguments.compile);
    let given = arguments.versions.words.len();
    if arguments.changed.is_some() && given > 1 {
        bail!("--changed says which lines of a single FILE changed: give one version, not two");
    }
    let single = arguments.changed.is_some() || arguments.with.is_some();
    Ok(match (AskedVersions::of(&arguments.versions, single)?, &arguments.changed) {
        (AskedVersions::One(file), Some(lines)) => (version(&file), Change::Lines(lines.clone())),
        (AskedVersions::One(file), None) => (version(&file), Change::Functions),
        (AskedVersions::Two(old, new), _) => (version(&new), Change::Versions { old: version(&old) }),
        (AskedVersions::Revisions { words, paths }, _) => {
            let mut trees = TreeQuestion::of(words, paths, arguments.build.database.as_deref())?;
            let mut sources = sources(&[], &arguments.compile);
            if is_of_program(arguments) {
                trees.units.clone_from(&arguments.build.units);
                if arguments.build.budget.is_some() {
                    bail!(
                        "--budget is for all functions of a change: give --max-time for paths and tests of one program"
                    );
                }
                let program = ComparedSettings::of_trees(trees, &arguments.compile);
                return Ok((sources, Change::Program(Box::new(program))));
            }
            let question = RepositoryQuestion::of(arguments, trees)?;
            let said = question.trees.configuration.flags.iter().map(Into::into);
            sources.flags.splice(0..0, said);
            (sources, Change::Repository(question))
        }
    })
}

/// Where the sources are that reports show.
fn places(change: &Change, new: &Sources) -> SourcePlaces {
    match (change, new.files.first()) {
        (Change::Versions { old }, Some(new)) => {
            old.files.first().map_or_else(SourcePlaces::default, |old| SourcePlaces::of_versions(old, new))
        }
        _ => SourcePlaces::default(),
    }
}

/// The names of the entry: in the old version if that is another one, and in the new version.
fn entry_names(arguments: &DiffArguments) -> Result<(Option<String>, Option<String>)> {
    let entry = arguments.entry.clone();
    if let Some(with) = &arguments.with {
        return Ok((entry, Some(with.clone())));
    }
    let Some((old, new)) = arguments.entry.as_deref().and_then(|entry| entry.split_once(':')) else {
        return Ok((None, entry));
    };
    if old.is_empty() || new.is_empty() {
        bail!("--entry OLD_NAME:NEW_NAME takes two names: {old:?} and {new:?} are given");
    }
    if arguments.changed.is_some() {
        bail!("--entry OLD_NAME:NEW_NAME is about two versions: give OLD and NEW instead of --changed");
    }
    Ok(((old != new).then(|| old.to_owned()), Some(new.to_owned())))
}

/// What is asked of the verdict. There is none for a single version, and none where something else is asked for.
fn verdict(
    arguments: &DiffArguments,
    change: &Change,
    renamed: bool,
    config: &Config,
) -> Result<Option<VerdictSettings>> {
    let VerdictArguments { no_verdict, verdict_only, witnesses, observe, float_tolerance, fail_on, .. } =
        &arguments.verdict;
    let asked = *verdict_only
        || witnesses.is_some()
        || !observe.is_empty()
        || float_tolerance.is_some()
        || !fail_on.is_empty()
        || renamed;
    let obstacle = match change {
        Change::Lines(_) => Some("--changed has one version only"),
        _ if arguments.cover.is_some() => Some("--cover looks for tests of NEW"),
        _ if arguments.strategy() == Strategy::Paper => Some("--strategy paper shows the paper's algorithm"),
        _ => None,
    };
    if let (Some(obstacle), true) = (obstacle, asked) {
        bail!("a verdict is about OLD and NEW, and {obstacle}: leave out one or the other");
    }
    if *no_verdict && renamed {
        bail!("functions of two names are compared, and have no affected paths: leave out --no-verdict");
    }
    if obstacle.is_some() || *no_verdict {
        return Ok(None);
    }
    Ok(Some(VerdictSettings::of(arguments, config)?))
}
