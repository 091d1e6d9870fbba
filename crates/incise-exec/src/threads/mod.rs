//! Programs with several threads: every order of events that matters, once. See `docs/internals/threads.md`.
//!
//! A thread stops before each operation that others can see ([`visible`]). The explorer ([`explorer`]) says who goes
//! on; it keeps what every event touched ([`event`], [`history`]), and which orders are still to be explored
//! ([`reversal`], [`wakeup`]). What synchronises threads is done by native functions in `native/`.

mod alternatives;
mod awaits;
pub(crate) mod event;
mod executions;
mod explorer;
mod glance;
mod history;
pub(crate) mod life;
mod live;
pub(crate) mod native;
pub(crate) mod objects;
mod private;
mod races;
mod reversal;
mod schedule;
pub(crate) mod selection;
mod sites;
mod starts;
mod states;
mod stuck;
mod switches;
pub(crate) mod things;
pub(crate) mod visible;
mod waiting;
mod wakeup;

pub use executions::{Executions, Scheduled, explore_executions, gave_some_up, take_races, went_to_sleep};
pub use schedule::{Race, RaceAccess, Step};
pub use selection::OrderedInstructions;
pub use sites::Site;
pub use starts::starts_threads;
pub use things::Thing;

pub(crate) use explorer::{Flow, explore_threads};
pub(crate) use private::is_private;
pub(crate) use races::Found;

/// How programs with threads are explored.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct ThreadConfig {
    /// Which orders.
    pub schedules: Schedules,
    /// Only those in which a thread is interrupted so many times, although it could go on.
    pub preemptions: Option<u32>,
    /// What is done with data races.
    pub races: Races,
    /// How often each thread may wake at a condition variable although nobody woke it.
    pub spurious: u32,
    /// The steps of one thread; as many as turns of a loop, if nothing is said.
    pub steps: Option<u64>,
    /// Whether the order counts in which threads tell the rest of the world something, or ask it: output, standard
    /// input, calls of code that nobody can see. Else one order of these is explored, as it comes.
    pub world: bool,
}

impl Default for ThreadConfig {
    fn default() -> Self {
        Self {
            schedules: Schedules::Optimal,
            preemptions: None,
            races: Races::Error,
            spurious: 0,
            steps: None,
            world: false,
        }
    }
}

/// Which orders of events are explored.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Schedules {
    /// All.
    All,
    /// One at least for each trace: source sets and sleep sets.
    Dpor,
    /// Exactly one for each trace: source sets and wakeup trees.
    Optimal,
    /// One at least for each trace, but what follows a state is explored once: every error and every data race, and not
    /// every trace.
    States,
}

impl Schedules {
    /// Whether no order is left out because others lead to the same events.
    pub(crate) fn try_all(self) -> bool {
        matches!(self, Self::All | Self::States)
    }
}

/// What is done with data races.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Races {
    /// They are errors.
    Error,
    /// They are told.
    Warn,
    /// Nobody looks for them.
    Off,
}

/// The most threads of one path.
pub(crate) const MOST_THREADS: u32 = 1000;
