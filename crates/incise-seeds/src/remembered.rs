//! What the solver told of a condition, for the other states that come to it.
//!
//! A change at the end of a function is met on every path, each time by a state with other seeds, and each time the
//! same question is open: can the condition that nobody decided before hold? What was found out about it once is used
//! again:
//! - *Possible*: the values that the solver found are put into the seeds of the other state, as `derived.rs` does with
//!   the other seeds of one state. What satisfies all constraints there shows that the condition can hold.
//! - *Impossible*: the constraints that rule the condition out do so wherever they hold, whatever else does.
//!
//! Both are matters of logic and evaluation: nothing is taken for granted because it was so elsewhere.
//!
//! The cache of the solver chain knows only questions with exactly the same constraints. Here part of the constraints
//! is enough to rule a condition out, and an input is tried under any others.

use super::{Seeding, followers};
use incise_exec::inside::{Decider, OracleAnswer, State};
use incise_solver::{ExprId, Exprs, Model, Solver, SymbolId};
use rustc_hash::FxHashMap;

/// So many inputs are kept for a condition, the most useful first.
const INPUTS: usize = 8;
/// They are put into so many seeds of a state.
const SEEDS_TRIED: usize = 4;
/// So many sets of constraints are kept for a condition.
const REFUTATIONS: usize = 64;
/// Beyond so many constraints, going through them costs more than the solver, which knows what they have in common.
const CONSTRAINTS: usize = 128;
/// So many constraints are kept in all sets together.
const ROOM: usize = 1 << 22;

/// What is remembered of each condition.
#[derive(Default)]
pub(super) struct Remembered {
    conditions: FxHashMap<ExprId, Notes>,
    /// How many constraints are kept.
    kept: usize,
}

#[derive(Default)]
struct Notes {
    /// Inputs that satisfy the condition.
    inputs: Vec<Model>,
    /// Sets of constraints that rule it out, each in the order of ids.
    refuted_by: Vec<Box<[ExprId]>>,
}

impl Notes {
    /// Whether some of these constraints, which are in the order of ids, are known to rule the condition out.
    fn rule_out(&self, constraints: &[ExprId]) -> bool {
        let has = |constraint: &ExprId| constraints.binary_search(constraint).is_ok();
        self.refuted_by.iter().any(|known| known.iter().all(has))
    }
}

/// A condition, and the constraints of a state that have to do with it.
struct Question {
    condition: ExprId,
    constraints: Vec<ExprId>,
}

impl Question {
    /// None if there are too many constraints.
    fn about(exprs: &Exprs, state: &State, condition: ExprId) -> Option<Self> {
        let slice = state.constraints.slice(exprs, condition);
        (slice.len() <= CONSTRAINTS).then(|| Self { condition, constraints: slice.to_vec() })
    }

    fn holds(&self, exprs: &Exprs, solver: &mut Solver, model: &Model) -> bool {
        let mut holds = |&each: &ExprId| solver.evaluate(exprs, each, model) != 0;
        // What was added last is most at odds with it.
        holds(&self.condition) && self.constraints.iter().rev().all(holds)
    }

    /// Values for the condition's own symbols, or for all that have to do with it.
    fn values(&self, exprs: &Exprs, input: &Model, all: bool) -> Vec<(SymbolId, u128)> {
        let constraints = self.constraints.iter().filter(|_| all);
        let symbols = constraints.chain([&self.condition]).flat_map(|&each| exprs.symbols_of(each));
        symbols.map(|symbol| (symbol, input.value(symbol))).collect()
    }
}

impl Seeding<'_> {
    /// A seed of a state with the condition's own values of an input put in, or the values of all that has to do with
    /// it, if that satisfies the condition and the constraints.
    fn with_input(
        &self,
        exprs: &Exprs,
        solver: &mut Solver,
        state: &State,
        question: &Question,
        input: &Model,
    ) -> Option<Model> {
        let own = question.values(exprs, input, false);
        let seeds = self.set(followers(state).seeds).iter().skip(1).take(SEEDS_TRIED - 1);
        let models = std::iter::once(&state.model).chain(seeds.map(|&seed| self.model(seed)));
        let changed = models.map(|model| model.with(own.iter().copied()));
        let replaced = std::iter::once_with(|| state.model.with(question.values(exprs, input, true)));
        changed.chain(replaced).find(|model| question.holds(exprs, solver, model))
    }
}

impl Seeding<'_> {
    /// What is remembered of a condition tells of it in a state.
    pub(super) fn recall(
        &mut self,
        decider: &mut Decider<'_>,
        state: &State,
        condition: ExprId,
    ) -> OracleAnswer {
        let (exprs, solver) = (&decider.exprs, &mut decider.solver);
        let Some(notes) = self.remembered.conditions.get(&condition) else { return OracleAnswer::Nothing };
        let Some(question) = Question::about(&decider.exprs, state, condition) else {
            return OracleAnswer::Nothing;
        };
        let mut sorted = question.constraints.clone();
        sorted.sort_unstable();
        if notes.rule_out(&sorted) {
            return OracleAnswer::Impossible;
        }
        let mut inputs = notes.inputs.iter().enumerate();
        let found = inputs.find_map(|(at, input)| {
            let found = self.with_input(exprs, solver, state, &question, input);
            found.map(|model| (at, model))
        });
        match found {
            Some((at, model)) => {
                if let Some(notes) = self.remembered.conditions.get_mut(&condition) {
                    notes.inputs[..=at].rotate_right(1);
                }
                OracleAnswer::Possible(model)
            }
            None => OracleAnswer::Nothing,
        }
    }

    /// Remembers that a condition can hold in a state.
    pub(super) fn remember_possible(&mut self, condition: ExprId, model: &Model) {
        let notes = self.remembered.conditions.entry(condition).or_default();
        notes.inputs.truncate(INPUTS - 1);
        notes.inputs.insert(0, model.clone());
    }

    /// Remembers that the constraints of a state rule a condition out.
    pub(super) fn remember_impossible(&mut self, decider: &Decider<'_>, state: &State, condition: ExprId) {
        let Some(question) = Question::about(&decider.exprs, state, condition) else { return };
        let mut constraints = question.constraints;
        let remembered = &mut self.remembered;
        let notes = remembered.conditions.entry(condition).or_default();
        if notes.refuted_by.len() < REFUTATIONS && remembered.kept + constraints.len() <= ROOM {
            remembered.kept += constraints.len();
            constraints.sort_unstable();
            notes.refuted_by.push(constraints.into());
        }
    }
}
