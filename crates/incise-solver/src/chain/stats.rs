//! What the solver did: counters for each stage, and how the cost of a call develops over a run.

use std::time::Duration;

/// The stages of the chain, from cheap to dear.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Stage {
    /// The condition is a constant.
    Constant,
    /// The condition holds in the state's own model.
    Model,
    /// The same question was answered before.
    Cache,
    /// The constraints rule the condition out by themselves, by the order of values, or by bounds.
    Contradiction,
    /// The state's model, changed in a few places.
    Repair,
    /// Gates and our own SAT solver.
    Gates,
    /// Bitwuzla.
    Bitwuzla,
    /// Another solver, asked when time was over.
    SecondOpinion,
}

impl Stage {
    /// All stages in order.
    pub const ALL: [Stage; 8] = [
        Stage::Constant,
        Stage::Model,
        Stage::Cache,
        Stage::Contradiction,
        Stage::Repair,
        Stage::Gates,
        Stage::Bitwuzla,
        Stage::SecondOpinion,
    ];

    /// A short name for tables.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Constant => "constant",
            Stage::Model => "model",
            Stage::Contradiction => "contradiction",
            Stage::Cache => "cache",
            Stage::Repair => "repair",
            Stage::Gates => "gates",
            Stage::Bitwuzla => "bitwuzla",
            Stage::SecondOpinion => "second opinion",
        }
    }
}

/// What one stage did.
#[derive(Copy, Clone, Default, PartialEq, Eq, Debug)]
pub struct StageCounters {
    /// How often it was asked.
    pub asked: u64,
    /// How often it found the conditions satisfiable.
    pub sat: u64,
    /// How often it found them contradictory.
    pub unsat: u64,
    /// How often it could not tell, so that the next stage was asked.
    pub unknown: u64,
    /// The time spent, in nanoseconds. The first two stages are too cheap to be timed.
    pub nanoseconds: u64,
}

/// What a solver did so far.
#[derive(Clone, Default, Debug)]
pub struct SolverStats {
    stages: [StageCounters; Stage::ALL.len()],
    calls: CallTimes,
    /// Conflicts of our own SAT solver.
    pub conflicts: u64,
    /// Decisions of our own SAT solver.
    pub decisions: u64,
    /// Values that our own SAT solver drew conclusions from.
    pub propagations: u64,
    /// Answers that validation compared with a fresh Bitwuzla.
    pub validated: u64,
    /// Answers that validation compared with the second opinion.
    pub second_opinions: u64,
    /// Answers that turned out wrong in validation.
    pub faults: u64,
    /// How many canonical models were asked for.
    pub canonical_models: u64,
    /// The time that canonical models took, in nanoseconds.
    pub canonical_nanoseconds: u64,
}

/// What was counted for each stage at some time.
pub(crate) struct Stages([StageCounters; Stage::ALL.len()]);

impl SolverStats {
    /// The counters of a stage.
    pub fn stage(&self, stage: Stage) -> &StageCounters {
        &self.stages[stage as usize]
    }

    /// All calls of `check`.
    pub fn checks(&self) -> u64 {
        self.stage(Stage::Constant).asked
    }

    /// The calls of `check` that neither folding nor the state's model answered.
    pub fn queries(&self) -> u64 {
        self.calls.count
    }

    /// The time of all queries together.
    pub fn query_time(&self) -> Duration {
        Duration::from_nanos(self.calls.nanoseconds)
    }

    /// The mean time of the first and of the last tenth of the queries. In a healthy run they are about equal.
    pub fn first_and_last_tenth(&self) -> (Duration, Duration) {
        self.calls.first_and_last_tenth()
    }

    pub(crate) fn record(&mut self, stage: Stage, outcome: StageOutcome, time: Duration) {
        let counters = &mut self.stages[stage as usize];
        counters.asked += 1;
        match outcome {
            StageOutcome::Sat => counters.sat += 1,
            StageOutcome::Unsat => counters.unsat += 1,
            StageOutcome::Unknown => counters.unknown += 1,
        }
        counters.nanoseconds += time.as_nanos() as u64;
    }

    /// A copy of what was counted for each stage.
    pub(crate) fn stages(&self) -> Stages {
        Stages(self.stages)
    }

    /// Forgets what was counted for each stage since then: the question will be asked again.
    pub(crate) fn restore(&mut self, stages: Stages) {
        self.stages = stages.0;
    }

    pub(crate) fn record_query(&mut self, time: Duration) {
        self.calls.record(time.as_nanos() as u64);
    }
}

/// How a stage ended, for the counters.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum StageOutcome {
    Sat,
    Unsat,
    Unknown,
}

/// The times of calls, summed in a bounded number of buckets of equally many calls each.
#[derive(Clone, Default, Debug)]
struct CallTimes {
    count: u64,
    nanoseconds: u64,
    /// Calls in each full bucket; doubles when there are too many buckets.
    bucket_size: u64,
    buckets: Vec<u64>,
    open: u64,
    open_count: u64,
}

/// An even number, so that buckets can be joined in pairs.
const MAXIMUM_BUCKETS: usize = 2000;

impl CallTimes {
    fn record(&mut self, nanoseconds: u64) {
        self.count += 1;
        self.nanoseconds += nanoseconds;
        self.open += nanoseconds;
        self.open_count += 1;
        if self.open_count < self.bucket_size.max(1) {
            return;
        }
        self.buckets.push(std::mem::take(&mut self.open));
        self.open_count = 0;
        if self.buckets.len() >= MAXIMUM_BUCKETS {
            self.buckets = self.buckets.chunks(2).map(|pair| pair.iter().sum()).collect();
            self.bucket_size = self.bucket_size.max(1) * 2;
        }
    }

    fn first_and_last_tenth(&self) -> (Duration, Duration) {
        let tenth = (self.buckets.len() / 10).max(1).min(self.buckets.len());
        let mean = |part: &[u64]| {
            let calls = part.len() as u64 * self.bucket_size.max(1);
            Duration::from_nanos(part.iter().sum::<u64>().checked_div(calls).unwrap_or(0))
        };
        (mean(&self.buckets[..tenth]), mean(&self.buckets[self.buckets.len() - tenth..]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tenths_are_right_with_few_and_with_many_calls() {
        let mut times = CallTimes::default();
        assert_eq!(times.first_and_last_tenth(), (Duration::ZERO, Duration::ZERO));
        times.record(7);
        assert_eq!(times.first_and_last_tenth(), (Duration::from_nanos(7), Duration::from_nanos(7)));
        let mut times = CallTimes::default();
        for call in 0..100_000u64 {
            times.record(if call < 20_000 {
                10
            } else if call >= 80_000 {
                30
            } else {
                1000
            });
        }
        assert_eq!(times.first_and_last_tenth(), (Duration::from_nanos(10), Duration::from_nanos(30)));
        assert!(times.buckets.len() < MAXIMUM_BUCKETS);
        assert_eq!(times.count, 100_000);
    }
}
