//! Steering: who decides which paths are worth exploring.

use crate::engine::state::State;
use crate::outcome::Outcome;
use incise_ir::{BlockId, FunctionId, InstructionId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The places in the program that a strategy has a say in, those it wants to be told of by the number it gave them.
#[derive(Clone, Debug, Default)]
pub struct Watches {
    points: FxHashMap<(FunctionId, InstructionId), u32>,
    edges: FxHashMap<(FunctionId, BlockId, BlockId), u32>,
    followed: FxHashSet<(FunctionId, InstructionId)>,
    pauses: FxHashSet<(FunctionId, BlockId)>,
    functions: FxHashSet<FunctionId>,
}

impl Watches {
    /// No place.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks to be told, as `point`, before the instruction is executed.
    pub fn add(&mut self, function: FunctionId, instruction: InstructionId, point: u32) {
        self.functions.insert(function);
        self.points.insert((function, instruction), point);
    }

    /// Asks to be told, as `point`, when control goes from one block to another.
    pub fn add_edge(&mut self, function: FunctionId, from: BlockId, to: BlockId, point: u32) {
        self.functions.insert(function);
        self.edges.insert((function, from, to), point);
    }

    /// Asks that a branch or switch is not explored: a state goes the way of its model there, and what that takes is a
    /// constraint that later decisions may give up again. The strategy promises that the branch has no influence on the
    /// decisions that are explored.
    pub fn follow(&mut self, function: FunctionId, instruction: InstructionId) {
        self.functions.insert(function);
        self.followed.insert((function, instruction));
    }

    /// Asks that a run of a state comes back at the start of a block, after its phi nodes.
    pub fn pause(&mut self, function: FunctionId, block: BlockId) {
        self.pauses.insert((function, block));
    }

    /// Asks that constraints and ends are attributed to this function, where it is active.
    pub fn trace(&mut self, function: FunctionId) {
        self.functions.insert(function);
    }

    pub(crate) fn pauses(&self, function: FunctionId, block: BlockId) -> bool {
        !self.pauses.is_empty() && self.pauses.contains(&(function, block))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.functions.is_empty()
    }

    pub(crate) fn traces(&self, function: FunctionId) -> bool {
        self.functions.contains(&function)
    }

    pub(crate) fn point(&self, function: FunctionId, instruction: InstructionId) -> Option<u32> {
        if self.points.is_empty() {
            return None;
        }
        self.points.get(&(function, instruction)).copied()
    }

    pub(crate) fn edge(&self, function: FunctionId, from: BlockId, to: BlockId) -> Option<u32> {
        if self.edges.is_empty() {
            return None;
        }
        self.edges.get(&(function, from, to)).copied()
    }

    pub(crate) fn follows(&self, function: FunctionId, instruction: InstructionId) -> bool {
        !self.followed.is_empty() && self.followed.contains(&(function, instruction))
    }
}

/// Whether a path goes on.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Visit {
    /// It does.
    Continue,
    /// It goes on to its end the way of its model, and nothing on the way is explored.
    Follow,
    /// It is of no further interest.
    Prune,
    /// The oracle says whether it does. Without one it does.
    Consult,
}

/// What a state remembers for the strategy. A fork copies it; a strategy with more to remember keeps it in an arena of
/// its own.
pub type Note = u64;

/// An instruction of a function.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Origin {
    /// The function.
    pub function: FunctionId,
    /// The instruction.
    pub instruction: InstructionId,
}

/// How and where a path ends.
#[derive(Copy, Clone)]
pub struct End<'a> {
    /// How.
    pub outcome: &'a Outcome,
    /// Where.
    pub stack: Stack<'a>,
}

/// The active functions that a strategy watches.
#[derive(Copy, Clone)]
pub struct Stack<'a> {
    state: &'a State,
    watches: &'a Watches,
}

impl<'a> Stack<'a> {
    pub(crate) fn new(state: &'a State, watches: &'a Watches) -> Self {
        Self { state, watches }
    }

    /// For each active function that the strategy watches, innermost first, the instruction that it executes: a call in
    /// all but the innermost.
    pub fn frames(&self) -> impl Iterator<Item = Origin> + use<'a> {
        let (state, watches) = (self.state, self.watches);
        let frames = std::iter::once(&state.thread.frame).chain(state.thread.below.iter_newest_first());
        frames.filter_map(move |frame| {
            let function = frame.code.function;
            if !watches.traces(function) {
                return None;
            }
            let instruction = *frame.code.origins.get(frame.pc.saturating_sub(1) as usize)?;
            Some(Origin { function, instruction })
        })
    }

    /// Whether only one function is active.
    pub fn is_flat(&self) -> bool {
        self.state.thread.below.is_empty()
    }
}

/// Steers an exploration.
///
/// The engine asks nothing else: full exploration is [`FullExploration`], which watches nothing and prunes nothing.
pub trait Strategy {
    /// The places to be told of.
    fn watches(&self) -> Watches;

    /// A state is about to execute a watched instruction, or went along a watched edge.
    fn reached(&mut self, note: &mut Note, point: u32, stack: &Stack<'_>) -> Visit;

    /// Whether a state with this note may be of interest beyond a watched edge: if not, the solver need not be asked
    /// whether it gets there. Must be true for conditions of loops, whose iterations are counted.
    fn wants(&mut self, _note: Note, _point: u32, _stack: &Stack<'_>) -> bool {
        true
    }

    /// Whether a constraint that a state gets here is one of those that the strategy is about.
    fn marks(&self, _stack: &Stack<'_>) -> bool {
        false
    }

    /// A path came to its end; false leaves it out of the result.
    fn finished(&mut self, note: &mut Note, end: &End<'_>) -> bool;
}

/// Explores every path.
#[derive(Copy, Clone, Debug, Default)]
pub struct FullExploration;

impl Strategy for FullExploration {
    fn watches(&self) -> Watches {
        Watches::new()
    }

    fn reached(&mut self, _note: &mut Note, _point: u32, _stack: &Stack<'_>) -> Visit {
        Visit::Continue
    }

    fn finished(&mut self, _note: &mut Note, _end: &End<'_>) -> bool {
        true
    }
}
