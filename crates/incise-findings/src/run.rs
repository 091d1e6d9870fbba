//! Explorations: their paths, bounds, effort, and what inputs were taken to be.

use crate::path::{path, place};
use incise_exec::{Exploration, Outcome};
use incise_reading::{Reading, Taken};
use incise_report::verdict::TakenInput;
use incise_report::{Coverage, Effort, Run, Stage};

/// The finding model of an exploration.
pub fn run(identity: incise_report::ProgramIdentity, mut exploration: Exploration) -> Run {
    let complete = exploration.complete();
    let counters = &exploration.counters;
    let effort = Effort {
        states: counters.states,
        forks: counters.forks,
        instructions: counters.instructions,
        queries: counters.queries,
        solver_ms: counters.solver_time.as_secs_f64() * 1e3,
        tenths_us: {
            let (first, last) = counters.first_and_last_tenth;
            (first.as_secs_f64() * 1e6, last.as_secs_f64() * 1e6)
        },
        time_ms: counters.time.as_secs_f64() * 1e3,
        peak_memory: counters.peak_memory,
        peak_states: counters.peak_states,
        stages: counters
            .stages
            .iter()
            .map(|stage| Stage {
                name: stage.name.clone(),
                asked: stage.asked,
                answered: stage.answered,
                time_ms: stage.time.as_secs_f64() * 1e3,
            })
            .collect(),
    };
    let coverage = Coverage {
        lines: exploration.coverage.lines,
        branches: exploration.coverage.branches.into_iter().map(|(at, taken)| (place(&at), taken)).collect(),
    };
    // A path that an assumption cut is no path of the program.
    exploration.paths.retain(|path| path.outcome != Outcome::Discarded);
    Run {
        program: identity,
        paths: exploration.paths.into_iter().zip(1..).map(|(found, id)| path(found, id)).collect(),
        taken: Vec::new(),
        bounds: exploration.needs.bounds(),
        others: Vec::new(),
        limits: exploration.limits.iter().copied().collect(),
        concretised: exploration.concretised.into_iter().collect(),
        initial: Vec::new(),
        abandoned_states: exploration.abandoned_states,
        threads: exploration.threads,
        blocked: exploration.blocked,
        races: exploration.races.into_iter().map(crate::threads::race).collect(),
        races_are_errors: false,
        complete,
        coverage,
        effort,
    }
}

/// What inputs were taken to be.
pub fn taken(reading: &Reading) -> Vec<TakenInput> {
    let fact = |taken: &Taken| TakenInput {
        input: taken.input.clone(),
        kind: taken.what.name().to_owned(),
        words: taken.to_string(),
        because: taken.evidence.words.clone(),
        source: taken.evidence.source.name().to_owned(),
        place: taken.evidence.place.as_ref().map(place),
        restricts: taken.what.restricts(),
    };
    reading.parts.iter().map(fact).collect()
}
