//! What was compared of programs with threads, as plain data.

use crate::Race;

/// That only one version can end in some way on an input, whatever the order of the other's threads.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Only {
    /// Whether it is the new version.
    pub new: bool,
    /// How many executions the other version has on that input: all were explored, and none ends that way.
    pub executions: u64,
    /// In how many ways these end.
    pub outcomes: u64,
}

impl Only {
    /// The stable name of the version that can.
    pub fn version(&self) -> &'static str {
        if self.new { "new" } else { "old" }
    }
}

/// What was found of threads.
#[derive(Clone, Debug, Default)]
pub struct ComparedThreads {
    /// The executions of the old and of the new version, one for each order of events that matters.
    pub executions: (u64, u64),
    /// The ways in which they end.
    pub outcomes: (u64, u64),
    /// Data races that only the new version has.
    pub introduced: Vec<RaceChange>,
    /// Data races that only the old version has.
    pub fixed: Vec<RaceChange>,
    /// Data races of both versions.
    pub preexisting: Vec<RaceChange>,
}

/// A data race that came, went or stayed.
#[derive(Clone, Debug, Default)]
pub struct RaceChange {
    /// The race, in the version that has it.
    pub race: Race,
    /// Whether both threads came to their accesses in a native run.
    pub replayed: bool,
    /// What the native run did instead, or why there was none.
    pub replay_note: Option<String>,
}
