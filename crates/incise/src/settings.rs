//! Arguments, resolved once into what the commands work with.

use crate::arguments::{
    Check, ExplorationArguments, Externals, Format, InputArguments, LimitArguments, OutputArguments,
    RunArguments, Search, TestArguments,
};
use crate::change::changed_lines::LineRanges;
use crate::commands::diff::arguments::{DiffArguments, GraphForm, ImpactArguments, RuleSet, Strategy};
use crate::commands::diff::verdict_arguments::{VerdictArguments, VerdictSettings};
use crate::commands::explain::arguments::{ExplainArguments, GivenInput};
use crate::inputs::InputReading;
use crate::session::output;
use crate::sources::Sources;
use anyhow::{Result, bail};
use incise_exec::{Checks, Config, InputConfig, Limits, SearcherKind, SymbolicGlobals};
use incise_report::text::TextOptions;
use incise_solver::Validate;
use std::path::PathBuf;

/// What `incise run` is asked to do.
pub(crate) struct RunSettings {
    pub(crate) sources: Sources,
    pub(crate) entry: Option<String>,
    /// For the engine; the entry is filled in once it is known.
    pub(crate) config: Config,
    /// How inputs are read.
    pub(crate) reading: InputReading,
    pub(crate) tests: Option<TestSettings>,
    pub(crate) output: OutputSettings,
}

/// What is written beside the report.
#[derive(Clone, Debug)]
pub(crate) struct TestSettings {
    pub(crate) directory: PathBuf,
    pub(crate) c_tests: bool,
    pub(crate) replay: bool,
}

/// How results are shown.
#[derive(Clone, Debug)]
pub(crate) struct OutputSettings {
    pub(crate) format: Format,
    pub(crate) text: TextOptions,
    pub(crate) color_talk: bool,
}

impl OutputSettings {
    /// What the command line says, beside what standard output and error are.
    pub(crate) fn of(arguments: &OutputArguments, statistics: bool) -> Self {
        Self {
            format: arguments.format,
            text: TextOptions {
                color: output::color_output(arguments.color),
                quiet: arguments.quiet,
                statistics,
                ..TextOptions::default()
            },
            color_talk: output::color_talk(arguments.color),
        }
    }
}

impl RunSettings {
    /// What the command line says, if that makes sense as a whole.
    pub(crate) fn of(arguments: &RunArguments) -> Result<Self> {
        if arguments.tests.c_tests && arguments.tests.tests.is_none() {
            bail!("--c-tests says in which form tests are written: say where with --tests DIR");
        }
        Ok(Self {
            sources: Sources::of(&arguments.files, &arguments.compile),
            entry: arguments.entry.clone(),
            config: config(&arguments.inputs, &arguments.exploration, &arguments.limits),
            reading: InputReading::of(&arguments.inputs)?,
            tests: tests(&arguments.tests),
            output: {
                let mut output = OutputSettings::of(&arguments.output, arguments.stats);
                output.text.all = arguments.all;
                output
            },
        })
    }
}

/// What `incise impact` is asked to do.
pub(crate) struct ImpactSettings {
    pub(crate) old: Sources,
    pub(crate) new: Sources,
    pub(crate) rules: RuleSet,
    pub(crate) why: bool,
    /// The functions to show; all if there are none.
    pub(crate) functions: Vec<String>,
    /// Where executions begin; as the program tells if there are none.
    pub(crate) entries: Vec<String>,
    /// Whether the change is followed through the program.
    pub(crate) across: bool,
    /// Whether to show the call graph, and how.
    pub(crate) call_graph: Option<GraphForm>,
    /// Whether to count what a plain slice would mark.
    pub(crate) precision: bool,
    pub(crate) output: OutputSettings,
}

impl ImpactSettings {
    /// What the command line says, if that makes sense as a whole.
    pub(crate) fn of(arguments: &ImpactArguments) -> Result<Self> {
        let version = |path: &PathBuf| Sources::of(std::slice::from_ref(path), &arguments.compile);
        let json = arguments.output.format == Format::Json;
        if arguments.callgraph == Some(GraphForm::Dot) && json {
            bail!("--callgraph=dot is a format of its own: leave out --format json, or say --callgraph");
        }
        Ok(Self {
            old: version(&arguments.old),
            new: version(&arguments.new),
            rules: arguments.rules.unwrap_or(match arguments.callgraph {
                // The second paper's Figure 2(b).
                Some(_) => RuleSet::Idise,
                None => RuleSet::Complete,
            }),
            why: arguments.why,
            functions: arguments.function.clone(),
            entries: arguments.entry.clone(),
            across: !arguments.intra,
            call_graph: arguments.callgraph,
            precision: (arguments.precision || json) && !arguments.intra,
            output: OutputSettings::of(&arguments.output, false),
        })
    }
}

/// Where the change is.
pub(crate) enum Change {
    /// Between two versions.
    Versions {
        /// The old one.
        old: Sources,
    },
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
    pub(crate) strategy: Strategy,
    pub(crate) rules: RuleSet,
    /// Whether the change is followed into calls.
    pub(crate) across: bool,
    /// Whether the old version is explored as well.
    pub(crate) both: bool,
    pub(crate) trace: bool,
    /// Whether to explore in full as well.
    pub(crate) compare: bool,
    /// What has to be covered, if paths are looked for that do.
    pub(crate) cover: Option<incise_incremental::Criterion>,
    /// For the engine; the entry is filled in for each exploration.
    pub(crate) config: Config,
    /// How inputs are read.
    pub(crate) reading: InputReading,
    pub(crate) tests: Option<TestSettings>,
    pub(crate) output: OutputSettings,
}

impl DiffSettings {
    /// What the command line says, if that makes sense as a whole.
    pub(crate) fn of(arguments: &DiffArguments) -> Result<Self> {
        let version = |path: &PathBuf| Sources::of(std::slice::from_ref(path), &arguments.compile);
        let (new, change) = match (&arguments.new, &arguments.changed) {
            (None, None) if arguments.with.is_some() => (version(&arguments.old), Change::Functions),
            (Some(new), None) => (version(new), Change::Versions { old: version(&arguments.old) }),
            (None, Some(lines)) => (version(&arguments.old), Change::Lines(lines.clone())),
            (Some(_), Some(_)) => {
                bail!("--changed says which lines of a single FILE changed: give one version, not two")
            }
            (None, None) => {
                bail!(
                    "incise diff compares two versions: give OLD and NEW, or one FILE with --changed LINES or --with FUNCTION"
                )
            }
        };
        if arguments.trace && arguments.strategy != Strategy::Paper {
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
        let across = !arguments.intra && arguments.strategy != Strategy::Paper;
        let default_rules = match arguments.strategy {
            Strategy::Paper => RuleSet::Paper,
            Strategy::Exact | Strategy::Full => RuleSet::Complete,
        };
        let mut config = config(&arguments.inputs, &arguments.exploration, &arguments.limits);
        // What was explored decides about what is explored next: that takes one worker, and the paper's algorithm its order.
        config.workers = 1;
        if arguments.strategy == Strategy::Paper {
            config.searcher = SearcherKind::DepthFirst;
        }
        let (old_entry, entry) = entry_names(arguments)?;
        let verdict = verdict(arguments, &change, old_entry.is_some(), &config)?;
        Ok(Self {
            new,
            change,
            entry,
            old_entry,
            verdict,
            strategy: arguments.strategy,
            rules: arguments.rules.unwrap_or(default_rules),
            across,
            both: arguments.both,
            trace: arguments.trace,
            compare: arguments.compare.is_some(),
            cover: arguments.cover.map(Into::into),
            config,
            reading: InputReading::of(&arguments.inputs)?,
            tests: tests(&arguments.tests),
            output: {
                let mut output = OutputSettings::of(&arguments.output, arguments.stats);
                output.text.all = arguments.verdict.all;
                output.text.invalid = arguments.verdict.show_invalid;
                output
            },
        })
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
        _ if arguments.strategy == Strategy::Paper => Some("--strategy paper shows the paper's algorithm"),
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

/// What `incise explain` is asked to do.
pub(crate) struct ExplainSettings {
    pub(crate) old: Sources,
    pub(crate) new: Sources,
    /// The test to read.
    pub(crate) test: Option<PathBuf>,
    /// Values for inputs.
    pub(crate) inputs: Vec<GivenInput>,
    pub(crate) entry: Option<String>,
    /// Whether all conditions are looked at.
    pub(crate) all: bool,
    /// Whether inputs are run natively.
    pub(crate) replay: bool,
    /// For the engine; the entry is filled in once it is known.
    pub(crate) config: Config,
    /// How inputs are read.
    pub(crate) reading: InputReading,
    pub(crate) output: OutputSettings,
}

impl ExplainSettings {
    /// What the command line says.
    pub(crate) fn of(arguments: &ExplainArguments) -> Result<Self> {
        let version = |path: &PathBuf| Sources::of(std::slice::from_ref(path), &arguments.compile);
        Ok(Self {
            old: version(&arguments.old),
            new: version(&arguments.new),
            test: arguments.test.clone(),
            inputs: arguments.input.clone(),
            entry: arguments.entry.clone(),
            all: arguments.all_conditions,
            replay: !arguments.no_replay,
            config: config(&arguments.inputs, &arguments.exploration, &arguments.limits),
            reading: InputReading::of(&arguments.inputs)?,
            output: OutputSettings::of(&arguments.output, false),
        })
    }
}

fn tests(arguments: &TestArguments) -> Option<TestSettings> {
    let directory = arguments.tests.clone()?;
    Some(TestSettings { directory, c_tests: arguments.c_tests, replay: arguments.replay })
}

/// What the engine is told of inputs, exploration and limits; the entry is filled in once it is known.
pub(crate) fn config(
    inputs: &InputArguments,
    exploration: &ExplorationArguments,
    limits: &LimitArguments,
) -> Config {
    let mut config = Config::new("");
    config.inputs = input_config(inputs);
    let defaults = Limits::default();
    config.limits = Limits {
        time: limits.max_time.unwrap_or(defaults.time),
        memory: limits.max_memory,
        paths: limits.max_paths,
        depth: limits.max_depth,
        loop_iterations: limits.max_loop.unwrap_or(defaults.loop_iterations),
        instructions: limits.max_instructions,
        stack: limits.max_stack,
        ..defaults
    };
    config.searcher = match exploration.search {
        Search::Dfs => SearcherKind::DepthFirst,
        Search::Bfs => SearcherKind::BreadthFirst,
        Search::RandomPath => SearcherKind::RandomPath,
        Search::Coverage => SearcherKind::CoverageFirst,
    };
    config.seed = exploration.seed;
    config.workers = usize::from(exploration.jobs);
    config.checks = Checks { overflow: exploration.check.contains(&Check::Overflow), ..Checks::default() };
    config.externals = match exploration.externals {
        None | Some(Externals::Error) => incise_exec::Externals::Error,
        Some(Externals::Havoc) => incise_exec::Externals::Havoc,
    };
    config.solver.timeout = limits.solver_timeout;
    // Where Z3 is not installed, there is no second opinion.
    config.second_opinion = Some("z3".into());
    if exploration.validate {
        config.solver.validate = Validate::BitwuzlaAndZ3Sample;
    }
    config
}

fn input_config(inputs: &InputArguments) -> InputConfig {
    InputConfig {
        arrays: inputs.array.clone(),
        concrete: inputs.concrete.clone(),
        globals: match inputs.symbolic_globals.as_deref() {
            None => SymbolicGlobals::Default,
            Some("all") => SymbolicGlobals::All,
            Some("none") => SymbolicGlobals::None,
            Some(names) => {
                SymbolicGlobals::Named(names.split(',').map(|name| name.trim().to_owned()).collect())
            }
        },
        initial: Default::default(),
        pointer_depth: inputs.pointer_depth,
        null_pointers: !inputs.no_null,
        arguments: inputs.sym_args.as_ref().and_then(|pair| Some((*pair.first()?, *pair.get(1)?))),
        given_arguments: inputs.given.clone(),
        stdin: inputs.sym_stdin,
        malloc_fails: inputs.malloc_fails,
        files: inputs.sym_file.clone(),
        environment: {
            // As a native run finds them.
            let mut variables = inputs.sym_env.clone();
            variables.sort();
            variables
        },
        parameter_names: Vec::new(),
        ..InputConfig::default()
    }
}
