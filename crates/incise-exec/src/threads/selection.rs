//! Of which instructions the order among threads counts.
//!
//! What does not count is executed all the same, together with what its thread did before: no order of it and of what
//! other threads do is explored. A lock that is not free is waited for whether it counts or not.

use crate::decisions::decider::Decider;
use crate::engine::state::State;
use incise_ir::{FunctionId, InstructionId};
use std::fmt::Debug;

/// Tells of which instructions the order among threads is explored.
pub trait OrderedInstructions: Debug + Send + Sync {
    /// Whether it is explored in which order other threads and this instruction access memory.
    fn counts(&self, function: FunctionId, instruction: InstructionId) -> bool;
}

impl Decider<'_> {
    /// Whether the order counts of what the running thread is about to do. A model of the C library does what the
    /// program does where it calls it.
    pub(super) fn order_counts(&self, state: &State) -> bool {
        let Some(ordered) = &self.config.ordered else { return true };
        if state.concurrency.as_ref().is_some_and(|concurrency| concurrency.alone.is_some()) {
            return true;
        }
        let mut frames = std::iter::once(&state.thread.frame).chain(state.thread.below.iter_newest_first());
        let Some(frame) = frames.find(|frame| !frame.code.model) else { return true };
        let origin = frame.code.origins.get(frame.pc.saturating_sub(1) as usize);
        origin.is_none_or(|&origin| ordered.counts(frame.code.function, origin))
    }
}
