//! Ends of paths that are kept as states, for whoever goes on from there.

use crate::decisions::strategy::Note;
use crate::engine::state::State;
use crate::outcome::Outcome;

/// Where a path came to its end.
pub struct Ended {
    /// As it was left.
    pub state: Box<State>,
    /// How it ended.
    pub outcome: Outcome,
    /// What the strategy noted on it.
    pub note: Note,
}

impl Ended {
    /// The same end once more.
    pub fn copy(&self) -> Self {
        Self { state: Box::new(self.state.fork()), outcome: self.outcome.clone(), note: self.note }
    }
}
