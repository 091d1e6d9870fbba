//! How the program of a suite was explored: as the manifest has it, and as the engine takes it.

use crate::error::SuiteError;
use incise_exec::{
    ArgumentGroup, Checks, Config, Externals, InputConfig, Limits, SearcherKind, Sizes, SymbolicGlobals,
};
use incise_reading::{Evidence, Reading, Source, Taken};
use incise_report::suite::{SuiteFact, SuiteOptions, SuiteSizes};
use std::time::Duration;

/// How the program was explored, as far as the result depends on it.
pub(crate) fn options(config: &Config) -> SuiteOptions {
    let Config { inputs, limits, .. } = config;
    SuiteOptions {
        array: inputs.arrays.iter().cloned().collect(),
        concrete: inputs.concrete.iter().map(|(name, value)| (name.clone(), value.to_string())).collect(),
        symbolic_globals: match &inputs.globals {
            SymbolicGlobals::Default => "default".to_owned(),
            SymbolicGlobals::All => "all".to_owned(),
            SymbolicGlobals::None => "none".to_owned(),
            SymbolicGlobals::Named(names) => names.join(","),
        },
        pointer_depth: inputs.pointer_depth,
        no_null: !inputs.null_pointers,
        malloc_fails: inputs.malloc_fails,
        symbolic_arguments: plain_arguments(&inputs.arguments),
        argument_groups: argument_groups(&inputs.arguments),
        symbolic_stdin: inputs.stdin,
        symbolic_files: inputs.files.clone(),
        symbolic_environment: inputs.environment.clone(),
        arguments: inputs.given_arguments.clone(),
        closed: inputs.closed,
        check_overflow: config.checks.overflow,
        externals: match config.externals {
            Externals::Error => "error",
            // Noting the calls is for comparing two programs; what is explored is the same.
            Externals::Havoc | Externals::Recorded => "havoc",
        }
        .to_owned(),
        search: match config.searcher {
            SearcherKind::DepthFirst => "dfs",
            SearcherKind::BreadthFirst => "bfs",
            SearcherKind::RandomPath => "random-path",
            SearcherKind::CoverageFirst => "coverage",
        }
        .to_owned(),
        seed: config.seed,
        max_time_ms: limits.time.as_millis() as u64,
        max_memory: limits.memory,
        max_paths: limits.paths,
        max_depth: limits.depth,
        max_loop: limits.loop_iterations,
        max_instructions: limits.instructions,
        max_stack: limits.stack,
        solver_timeout_ms: config.solver.timeout.as_millis() as u64,
        any_inputs: inputs.any_size,
        taken: inputs.reading.parts.iter().map(fact).collect(),
        alike: match inputs.reading.parts.is_empty() {
            true => Default::default(),
            false => inputs.reading.repeats.clone(),
        },
        sizes: written_sizes(&inputs.sizes),
    }
}

/// A fact as the manifest has it: without a place, since places move.
/// The arguments, if they are so many of one length: as they have always been written.
fn plain_arguments(groups: &[ArgumentGroup]) -> Option<(u32, u32)> {
    match groups {
        [only] if only.least == only.most => Some((only.most, only.length)),
        _ => None,
    }
}

/// The arguments otherwise.
fn argument_groups(groups: &[ArgumentGroup]) -> Vec<(u32, u32, u32)> {
    let plain = plain_arguments(groups).is_some();
    let written = |group: &ArgumentGroup| (group.least, group.most, group.length);
    if plain { Vec::new() } else { groups.iter().map(written).collect() }
}

/// The symbolic arguments of `main` that options speak of.
pub fn arguments(options: &SuiteOptions) -> Vec<ArgumentGroup> {
    let plain = options.symbolic_arguments.map(|(number, length)| (number, number, length));
    let groups = plain.iter().chain(&options.argument_groups);
    groups.map(|&(least, most, length)| ArgumentGroup { least, most, length }).collect()
}

fn fact(taken: &Taken) -> SuiteFact {
    SuiteFact {
        contract: taken.line(),
        words: taken.to_string(),
        because: taken.evidence.words.clone(),
        source: taken.evidence.source.name().to_owned(),
        restricts: taken.what.restricts(),
    }
}

fn written_sizes(sizes: &Sizes) -> SuiteSizes {
    // Suites are made of one program, to which functions without a body give nothing back.
    let Sizes { elements, before, numbers, opened, same, ends, present, given_back: _ } = sizes.clone();
    SuiteSizes { elements, before, numbers, deeper: opened, same, ends, present }
}

/// What the inputs of a suite were taken to be.
pub fn reading(options: &SuiteOptions) -> Result<Reading, SuiteError> {
    let mut reading = Reading { repeats: options.alike.clone(), ..Reading::default() };
    for SuiteFact { contract, because, source, .. } in &options.taken {
        let Some(source) = Source::named(source) else {
            return Err(SuiteError::UnknownEvidence(source.clone()));
        };
        let evidence = Evidence { source, words: because.clone(), place: None };
        let taken = Taken::of_line(contract, evidence)
            .map_err(|error| SuiteError::NoFact(contract.clone(), error))?;
        reading.parts.push(taken);
    }
    Ok(reading)
}

/// The same, for the engine.
pub(crate) fn config(entry: &str, options: &SuiteOptions) -> Result<Config, SuiteError> {
    let mut config = Config::new(entry);
    let mut concrete = Vec::with_capacity(options.concrete.len());
    for (name, value) in &options.concrete {
        let value = value.parse().map_err(|source| SuiteError::NoValue {
            name: name.clone(),
            value: value.clone(),
            source,
        })?;
        concrete.push((name.clone(), value));
    }
    config.inputs = InputConfig {
        arrays: options.array.iter().map(|(name, &count)| (name.clone(), count)).collect(),
        concrete,
        globals: match options.symbolic_globals.as_str() {
            "default" => SymbolicGlobals::Default,
            "all" => SymbolicGlobals::All,
            "none" => SymbolicGlobals::None,
            names => SymbolicGlobals::Named(names.split(',').map(str::to_owned).collect()),
        },
        initial: Default::default(),
        pointer_depth: options.pointer_depth,
        null_pointers: !options.no_null,
        arguments: arguments(options),
        given_arguments: options.arguments.clone(),
        closed: options.closed,
        stdin: options.symbolic_stdin,
        malloc_fails: options.malloc_fails,
        files: options.symbolic_files.clone(),
        environment: options.symbolic_environment.clone(),
        parameter_names: Vec::new(),
        reading: reading(options)?,
        any_size: options.any_inputs,
        sizes: {
            let SuiteSizes { elements, before, numbers, deeper, same, ends, present } = options.sizes.clone();
            Sizes {
                elements,
                before,
                numbers,
                opened: deeper,
                same,
                ends,
                present,
                given_back: Default::default(),
            }
        },
        ..InputConfig::default()
    };
    config.limits = Limits {
        time: Duration::from_millis(options.max_time_ms),
        memory: options.max_memory,
        paths: options.max_paths,
        depth: options.max_depth,
        loop_iterations: options.max_loop,
        instructions: options.max_instructions,
        stack: options.max_stack,
        ..Limits::default()
    };
    config.searcher = match options.search.as_str() {
        "dfs" => SearcherKind::DepthFirst,
        "bfs" => SearcherKind::BreadthFirst,
        "random-path" => SearcherKind::RandomPath,
        "coverage" => SearcherKind::CoverageFirst,
        other => return Err(unknown("search", other)),
    };
    config.seed = options.seed;
    config.checks = Checks { overflow: options.check_overflow, ..Checks::default() };
    config.externals = match options.externals.as_str() {
        "error" => Externals::Error,
        "havoc" => Externals::Havoc,
        other => return Err(unknown("externals", other)),
    };
    config.solver.timeout = Duration::from_millis(options.solver_timeout_ms);
    // Where Z3 is not installed, there is no second opinion.
    config.second_opinion = Some("z3".into());
    // As `incise suite generate` does it.
    config.distinct_inputs = true;
    Ok(config)
}

fn unknown(option: &'static str, value: &str) -> SuiteError {
    SuiteError::UnknownOption { option, value: value.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_survive_both_ways() {
        let written = SuiteOptions {
            array: [("p".to_owned(), 3)].into(),
            concrete: [("n".to_owned(), "-4".to_owned())].into(),
            symbolic_globals: "a,b".to_owned(),
            pointer_depth: 1,
            no_null: true,
            closed: true,
            malloc_fails: true,
            symbolic_arguments: None,
            argument_groups: vec![(0, 1, 10), (2, 2, 3)],
            symbolic_stdin: 5,
            symbolic_files: vec![("b".to_owned(), 3), ("a".to_owned(), 4)],
            symbolic_environment: vec![("HOME".to_owned(), 2)],
            arguments: vec!["x".to_owned()],
            check_overflow: true,
            externals: "havoc".to_owned(),
            search: "bfs".to_owned(),
            seed: 6,
            max_time_ms: 7,
            max_memory: 8,
            max_paths: 9,
            max_depth: 10,
            max_loop: 11,
            max_instructions: 12,
            max_stack: 13,
            solver_timeout_ms: 14,
            any_inputs: true,
            taken: vec![SuiteFact {
                contract: "length to=room+1:bytes".to_owned(),
                words: "to has room for `room + 1` bytes".to_owned(),
                because: "it is passed on".to_owned(),
                source: "use".to_owned(),
                restricts: true,
            }],
            alike: [("list->next".to_owned(), "list".to_owned())].into(),
            sizes: SuiteSizes {
                elements: [("to".to_owned(), 8)].into(),
                before: [("p".to_owned(), 2)].into(),
                numbers: [("q".to_owned(), 8)].into(),
                deeper: [("list->next".to_owned(), 3)].into(),
                same: [("q".to_owned(), "p".to_owned())].into(),
                ends: [("end".to_owned(), "begin".to_owned())].into(),
                present: ["$LOG".to_owned()].into(),
            },
        };
        assert_eq!(options(&config("f", &written).unwrap()), written);
        assert!(config("f", &SuiteOptions { search: "best".to_owned(), ..written }).is_err());
    }
}
