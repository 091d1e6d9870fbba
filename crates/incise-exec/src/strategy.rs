//! Steering: who decides which paths are worth exploring.

use incise_ir::{FunctionId, InstructionId};
use rustc_hash::FxHashMap;

/// A place in the program that a strategy wants to be told of, by the number it gave it.
#[derive(Clone, Debug, Default)]
pub struct Watches {
    points: FxHashMap<(FunctionId, InstructionId), u32>,
}

impl Watches {
    /// No place.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks to be told, as `point`, before the instruction is executed.
    pub fn add(&mut self, function: FunctionId, instruction: InstructionId, point: u32) {
        self.points.insert((function, instruction), point);
    }

    pub(crate) fn point(&self, function: FunctionId, instruction: InstructionId) -> Option<u32> {
        if self.points.is_empty() {
            return None;
        }
        self.points.get(&(function, instruction)).copied()
    }
}

/// Whether a path goes on.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Visit {
    /// It does.
    Continue,
    /// It is of no further interest.
    Prune,
}

/// What a state remembers for the strategy. A fork copies it; a strategy with more to remember keeps it in an arena of its own.
pub type Note = u64;

/// Steers an exploration.
///
/// The engine asks nothing else: full exploration is [`FullExploration`], which watches nothing and prunes nothing.
pub trait Strategy {
    /// The places to be told of.
    fn watches(&self) -> Watches;

    /// A state is about to execute a watched instruction.
    fn reached(&mut self, note: &mut Note, point: u32) -> Visit;

    /// A path came to its end; false leaves it out of the result.
    fn finished(&mut self, note: Note) -> bool;
}

/// Explores every path.
#[derive(Copy, Clone, Debug, Default)]
pub struct FullExploration;

impl Strategy for FullExploration {
    fn watches(&self) -> Watches {
        Watches::new()
    }

    fn reached(&mut self, _note: &mut Note, _point: u32) -> Visit {
        Visit::Continue
    }

    fn finished(&mut self, _note: Note) -> bool {
        true
    }
}
