//! Asks the solver chain what a symbolic executor asks, along a depth-first search of a few small programs,
//! and prints what each stage answered and the mean time of a query.
//!
//!     cargo run --release -p incise-solver --example chain_traces [-- NAME...]

mod explorer;
mod programs;

use explorer::Explorer;
use incise_solver::{Exprs, Solver, SolverConfig, Stage};
use std::sync::Arc;
use std::time::{Duration, Instant};

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    for program in programs::programs() {
        if !wanted.is_empty() && !wanted.iter().any(|name| name == program.name) {
            continue;
        }
        let solver = Solver::new(SolverConfig::default(), Arc::default());
        let mut explorer = Explorer::new(Exprs::new(), solver);
        let (start, cpu) = (Instant::now(), cpu_time());
        let paths = explorer.explore(&program.run);
        if paths != program.paths {
            println!("{}: expected {} paths", program.name, program.paths);
        }
        report(program.name, paths, start.elapsed(), cpu_time().saturating_sub(cpu), &explorer);
    }
}

/// The time that this process ran on a processor, as Linux counts it. On a busy machine the clock on the wall
/// says little.
fn cpu_time() -> Duration {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    Duration::from_nanos(text.split_whitespace().next().and_then(|word| word.parse().ok()).unwrap_or(0))
}

fn report(name: &str, paths: usize, time: Duration, cpu: Duration, explorer: &Explorer) {
    let stats = explorer.solver.stats();
    let mean = |time: Duration, count: u64| time.as_secs_f64() * 1e6 / count.max(1) as f64;
    let (first, last) = stats.first_and_last_tenth();
    println!(
        "{name}: {paths} paths, {} checks, {} queries, {:.2} us each (first tenth {:.2}, last {:.2}); mean over all checks {:.2} us; \
         canonical {:.2} us; {:.1} ms in all, {:.1} ms on a processor; undecided {}",
        stats.checks(),
        stats.queries(),
        mean(stats.query_time(), stats.queries()),
        mean(first, 1),
        mean(last, 1),
        mean(stats.query_time(), stats.checks()),
        mean(Duration::from_nanos(stats.canonical_nanoseconds), stats.canonical_models),
        time.as_secs_f64() * 1e3,
        cpu.as_secs_f64() * 1e3,
        explorer.undecided,
    );
    println!(
        "    conflicts {}, decisions {}, propagations {}",
        stats.conflicts, stats.decisions, stats.propagations
    );
    for stage in Stage::ALL {
        let counters = stats.stage(stage);
        if counters.asked > 0 {
            println!(
                "    {:14} asked {:7}  sat {:6}  unsat {:6}  unknown {:7}  {:9.2} us each",
                stage.name(),
                counters.asked,
                counters.sat,
                counters.unsat,
                counters.unknown,
                mean(Duration::from_nanos(counters.nanoseconds), counters.asked),
            );
        }
    }
}
