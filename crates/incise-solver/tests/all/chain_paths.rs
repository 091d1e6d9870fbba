//! Small programs explored through the public interface, with every answer validated: the numbers of paths
//! are known.

#[path = "../../examples/chain_traces/explorer.rs"]
mod explorer;
#[path = "../../examples/chain_traces/programs.rs"]
mod programs;

use explorer::Explorer;
use incise_solver::{Exprs, Solver, SolverConfig, Stage, Validate, Z3Process};
use std::sync::Arc;

fn explore(name: &str, validate: Validate) -> Explorer {
    let program =
        programs::programs().into_iter().find(|program| program.name == name).expect("a known program");
    let config = SolverConfig { validate, ..SolverConfig::default() };
    let mut solver = Solver::new(config, Arc::default());
    solver.set_second_opinion(Box::new(Z3Process::new("z3", Arc::default())));
    let mut explorer = Explorer::new(Exprs::new(), solver);
    let paths = explorer.explore(&program.run);
    assert_eq!(paths, program.paths, "{name}");
    assert_eq!(explorer.undecided, 0, "{name}");
    explorer
}

#[test]
fn validated_exploration_finds_no_fault_and_the_known_paths() {
    for name in ["sort-4", "parse_int-3", "glob-2", "table-64"] {
        let explorer = explore(name, Validate::BitwuzlaAndZ3Sample);
        let stats = explorer.solver.stats();
        assert_eq!(stats.faults, 0, "{name}");
        assert!(stats.validated >= stats.queries(), "{name}");
        assert!(stats.second_opinions > 0, "{name}");
    }
}

#[test]
fn the_numbers_of_paths_are_those_of_klee() {
    for name in ["sort-6", "sort-6-bytes", "parse_int-5", "glob-6"] {
        explore(name, Validate::Off);
    }
}

#[test]
fn the_cheap_stages_answer_nearly_everything_of_a_parser() {
    let explorer = explore("parse_int-5", Validate::Off);
    let stats = explorer.solver.stats();
    let dear = stats.stage(Stage::Gates).asked + stats.stage(Stage::Bitwuzla).asked;
    assert!(dear * 20 < stats.queries(), "{dear} of {}", stats.queries());
}
