//! What the engine is told.

use crate::arguments::{Check, EngineArguments, Externals, InputArguments, Search};
use incise_exec::{Checks, Config, InputConfig, Limits, SearcherKind, SymbolicGlobals};
use incise_solver::Validate;

/// What the engine is told of inputs, exploration and limits; the entry is filled in once it is known.
pub(crate) fn config(arguments: &EngineArguments) -> Config {
    let EngineArguments { inputs, exploration, limits } = arguments;
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
