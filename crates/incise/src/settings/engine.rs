//! What the engine is told.

use crate::arguments::values::Number;
use crate::arguments::{Check, EngineArguments, Externals, InputArguments, Search, Volatile};
use incise_exec::{ArgumentGroup, Checks, Config, InputConfig, Limits, SearcherKind, SymbolicGlobals};
use incise_solver::Validate;

/// How much memory and how many paths there are if nobody says.
const MEMORY: u64 = 4 << 30;
const PATHS: u64 = 1_000_000;

/// What the engine is told of inputs, exploration and limits; the entry is filled in once it is known.
pub(crate) fn config(arguments: &EngineArguments) -> Config {
    let EngineArguments { inputs, exploration, limits } = arguments;
    let mut config = Config::new("");
    config.inputs = input_config(inputs);
    let defaults = Limits::default();
    config.limits = Limits {
        time: limits.max_time.unwrap_or(defaults.time),
        memory: limits.max_memory.unwrap_or(MEMORY),
        paths: limits.max_paths.unwrap_or(PATHS),
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
    config.workers = exploration.jobs.map_or(1, usize::from);
    config.checks = Checks { overflow: exploration.check.contains(&Check::Overflow), ..Checks::default() };
    config.externals = match exploration.externals {
        None | Some(Externals::Error) => incise_exec::Externals::Error,
        Some(Externals::Havoc) => incise_exec::Externals::Havoc,
    };
    config.volatile = match exploration.volatile {
        None | Some(Volatile::Program) => incise_exec::Volatile::Memory,
        Some(Volatile::Others) => incise_exec::Volatile::Changing,
    };
    config.solver.timeout = limits.solver_timeout;
    // Where Z3 is not installed, there is no second opinion.
    config.second_opinion = Some("z3".into());
    if exploration.validate {
        config.solver.validate = Validate::BitwuzlaAndZ3Sample;
    }
    config
}

/// The symbolic arguments: each time how many, and of what length.
fn argument_groups(words: &[Number]) -> Vec<ArgumentGroup> {
    let group =
        |pair: &[Number]| ArgumentGroup { least: pair[0].least, most: pair[0].most, length: pair[1].most };
    words.chunks_exact(2).map(group).collect()
}

/// The files that have a name, and then those that are only counted: A, B, C...
fn files(inputs: &InputArguments) -> Vec<(String, u32)> {
    let counted = inputs.sym_files.chunks_exact(2).flat_map(|pair| (0..pair[0]).map(|_| pair[1]));
    let names = ('A'..='Z').map(String::from);
    inputs.sym_file.iter().cloned().chain(names.zip(counted)).collect()
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
        arguments: argument_groups(&inputs.sym_args),
        given_arguments: inputs.given.clone(),
        stdin: inputs.sym_stdin,
        malloc_fails: inputs.malloc_fails,
        files: files(inputs),
        environment: {
            // As a native run finds them.
            let mut variables = inputs.sym_env.clone();
            variables.sort();
            variables
        },
        closed: inputs.closed,
        parameter_names: Vec::new(),
        ..InputConfig::default()
    }
}
