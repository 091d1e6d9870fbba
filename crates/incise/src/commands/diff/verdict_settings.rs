//! What `incise diff` is asked of the verdict.

use super::arguments::DiffArguments;
use super::parts::Parts;
use super::verdict_arguments::{FailOn, Observe};
use crate::arguments::EngineArguments;
use crate::commands::run::settings::schedules;
use crate::settings::{TestSettings, reading};
use incise_exec::{Config, Externals, Volatile};
use incise_incremental::differ::Watched;
use incise_reading::InputReading;
use incise_relate::Visible;
use std::collections::BTreeSet;
use std::time::Duration;

/// How often a loop is gone round in a comparison if the user does not say: pairs of paths are many.
const LOOP_ITERATIONS: u64 = 16;
/// How long the comparison of an entry may take if the user does not say.
const TIME: Duration = Duration::from_secs(60);
/// The same for several entries together.
const SHARED_TIME: Duration = Duration::from_secs(100);

/// What is asked of a verdict.
#[derive(Clone, Debug)]
pub(crate) struct VerdictSettings {
    /// What is looked at.
    pub(crate) visible: Visible,
    /// Whether errors are.
    pub(crate) errors: bool,
    /// What makes the command fail.
    pub(crate) fail_on: BTreeSet<FailOn>,
    /// Where witnesses are written to.
    pub(crate) witnesses: Option<TestSettings>,
    /// Whether the affected paths are left out.
    pub(crate) only: bool,
    /// Whether all ways to differ are looked for, as long as there is time.
    pub(crate) all_ways: bool,
    /// Whether loops may be gone round more often where inputs grow.
    pub(crate) loops_grow: bool,
    /// How inputs are read.
    pub(crate) reading: InputReading,
    /// How long the comparison of several entries may take.
    pub(crate) shared_time: Duration,
    /// Which orders of what threads do are explored.
    pub(crate) schedules: incise_exec::Schedules,
    /// The parts that each have to be decided, if that is wanted.
    pub(crate) watched: Option<Watched>,
    /// Whether witnesses are followed through both versions, for reports that show their ways.
    pub(crate) ways: bool,
    /// Where verdicts of parts are.
    pub(crate) parts: Parts,
    /// For the comparison; the entry is filled in for each.
    pub(crate) config: Config,
}

impl VerdictSettings {
    /// What the command line says. `config` is that of the exploration.
    pub(crate) fn of(arguments: &DiffArguments, config: &Config) -> anyhow::Result<Self> {
        let DiffArguments { verdict: arguments, engine, tests, .. } = arguments;
        let EngineArguments { inputs, limits, .. } = engine;
        let looks = |what: Observe| arguments.observe.is_empty() || arguments.observe.contains(&what);
        let config = comparing(engine, config);
        let fail_on: BTreeSet<FailOn> = match arguments.fail_on.is_empty() {
            true => [FailOn::Difference, FailOn::Undecided].into(),
            false => arguments.fail_on.iter().copied().collect(),
        };
        let decisive = fail_on.contains(&FailOn::Difference);
        Ok(Self {
            visible: Visible {
                result: looks(Observe::Result),
                globals: looks(Observe::Globals),
                memory: looks(Observe::Memory),
                output: looks(Observe::Output),
                calls: looks(Observe::Calls),
                float_tolerance: arguments.float_tolerance,
            },
            errors: looks(Observe::Errors),
            fail_on,
            witnesses: arguments.witnesses.clone().map(|directory| TestSettings {
                directory,
                c_tests: tests.c_tests,
                replay: false,
            }),
            only: arguments.verdict_only,
            // Whoever names a time wants it used; and where a difference is no failure, more must not be overlooked
            // for it.
            loops_grow: limits.max_loop.is_none(),
            all_ways: limits.max_time.is_some() || arguments.witnesses.is_some() || !decisive,
            reading: reading(inputs)?,
            shared_time: limits.max_time.unwrap_or(SHARED_TIME),
            schedules: schedules(arguments.schedules),
            watched: None,
            ways: false,
            parts: Parts::default(),
            config,
        })
    }

    /// For parts of what a function leaves behind, each of which has to be decided.
    pub(crate) fn watching(engine: &EngineArguments, config: &Config) -> anyhow::Result<Self> {
        let EngineArguments { inputs, limits, .. } = engine;
        Ok(Self {
            visible: Visible::default(),
            errors: true,
            fail_on: [FailOn::Difference, FailOn::Undecided].into(),
            witnesses: None,
            only: true,
            all_ways: true,
            loops_grow: limits.max_loop.is_none(),
            reading: reading(inputs)?,
            shared_time: limits.max_time.unwrap_or(SHARED_TIME),
            schedules: incise_exec::Schedules::Optimal,
            watched: None,
            ways: false,
            parts: Parts::default(),
            config: comparing(engine, config),
        })
    }
}

/// The settings of an exploration, with the limits of comparisons where the user does not say others.
fn comparing(engine: &EngineArguments, config: &Config) -> Config {
    let EngineArguments { exploration, limits, .. } = engine;
    let mut config = config.clone();
    if limits.max_loop.is_none() {
        config.limits.loop_iterations = LOOP_ITERATIONS;
    }
    match limits.max_time {
        None => config.limits.time = TIME,
        // Whoever gives more time wants more done with it.
        Some(time) => config.limits.patience = patience(time),
    }
    if exploration.externals.is_none() {
        config.externals = Externals::Recorded;
    }
    if exploration.volatile.is_none() {
        config.volatile = Volatile::Changing;
    }
    config
}

/// How many times as much work as usual a search is worth for whoever gives so much time.
fn patience(time: Duration) -> u32 {
    u32::try_from(time.as_secs() / TIME.as_secs()).unwrap_or(u32::MAX).max(1)
}
