//! Arguments, resolved once into what the commands work with.

use crate::arguments::{Check, Externals, Format, OutputArguments, RunArguments, Search};
use crate::output;
use crate::sources::Sources;
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
    pub(crate) tests: Option<TestSettings>,
    pub(crate) output: OutputSettings,
}

/// What is written beside the report.
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
            },
            color_talk: output::color_talk(arguments.color),
        }
    }
}

impl RunSettings {
    /// What the command line says.
    pub(crate) fn of(arguments: &RunArguments) -> Self {
        let tests = arguments.tests.tests.clone().map(|directory| TestSettings {
            directory,
            c_tests: arguments.tests.c_tests,
            replay: arguments.tests.replay,
        });
        Self {
            sources: Sources::of(&arguments.files, &arguments.compile),
            entry: arguments.entry.clone(),
            config: config(arguments),
            tests,
            output: OutputSettings::of(&arguments.output, arguments.stats),
        }
    }
}

fn config(arguments: &RunArguments) -> Config {
    let exploration = &arguments.exploration;
    let limits = &arguments.limits;
    let mut config = Config::new("");
    config.inputs = inputs(arguments);
    config.limits = Limits {
        time: limits.max_time,
        memory: limits.max_memory,
        paths: limits.max_paths,
        depth: limits.max_depth,
        loop_iterations: limits.max_loop,
        instructions: limits.max_instructions,
        stack: limits.max_stack,
        ..Limits::default()
    };
    config.searcher = match exploration.search {
        Search::Dfs => SearcherKind::DepthFirst,
        Search::Bfs => SearcherKind::BreadthFirst,
        Search::RandomPath => SearcherKind::RandomPath,
        Search::Coverage => SearcherKind::CoverageFirst,
    };
    config.seed = exploration.seed;
    config.workers = usize::from(exploration.jobs);
    config.checks = Checks { overflow: exploration.check.contains(&Check::Overflow) };
    config.externals = match exploration.externals {
        Externals::Error => incise_exec::Externals::Error,
        Externals::Havoc => incise_exec::Externals::Havoc,
    };
    config.solver.timeout = limits.solver_timeout;
    // Where Z3 is not installed, there is no second opinion.
    config.second_opinion = Some("z3".into());
    if exploration.validate {
        config.solver.validate = Validate::BitwuzlaAndZ3Sample;
    }
    config
}

fn inputs(arguments: &RunArguments) -> InputConfig {
    let inputs = &arguments.inputs;
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
        pointer_depth: inputs.pointer_depth,
        null_pointers: !inputs.no_null,
        arguments: inputs.sym_args.as_ref().and_then(|pair| Some((*pair.first()?, *pair.get(1)?))),
        given_arguments: inputs.given.clone(),
        stdin: inputs.sym_stdin,
    }
}
