//! The inputs of a path that no given seed takes: those of the nearest seed, but for what the path demands otherwise.
//!
//! The nearest seed is the first of those that satisfy the longest part of the path condition, from its start on. It
//! depends on the path and the given seeds alone: derived seeds do not count, since workers derive others. Neither do
//! values count that a seed got for inputs on its own path beyond the place where this path left it.

use super::{Followers, NONE, Seeding, SetId, followers};
use incise_exec::inside::{Decider, InputObject, PathConstraint, State, bits_at, invert};
use incise_solver::{ExprId, Exprs, Model, SymbolId};
use std::rc::Rc;

/// The nearest seed of a state that no given seed takes any more.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct Nearest {
    pub(super) seed: u32,
    /// So many conjuncts of the path condition it satisfies before the first that it does not.
    pub(super) conjuncts: u32,
    /// So many inputs had been made by then.
    pub(super) inputs: u32,
}

impl Seeding<'_> {
    /// The values of a seed for inputs that were made after it was left. What it does not have is zero.
    fn later_values(&self, exprs: &Exprs, seed: u32, inputs: &[&Rc<InputObject>]) -> Vec<(SymbolId, u128)> {
        let mut values = Vec::new();
        for input in inputs {
            let bytes = self.seed(seed).bytes(&input.name, 0);
            let bytes = bytes.filter(|bytes| bytes.len() as u64 == input.size).unwrap_or_default();
            for leaf in &input.leaves {
                invert(exprs, leaf.expr, bits_at(bytes, leaf.offset, leaf.bytes, false), &mut values);
            }
        }
        values
    }
}

impl Seeding<'_> {
    /// Notes the nearest seed where the last given ones leave a state. `before` are its seeds without the last
    /// conjunct, `after` those with it, neither of them derived for it.
    pub(super) fn leave_nearest(&self, state: &mut State, before: SetId, after: SetId) {
        let there = followers(state);
        if after != NONE || there.nearest.is_some() {
            return;
        }
        let nearest = self.set(before).first().map(|&seed| Nearest {
            seed,
            conjuncts: state.path.len() as u32 - 1,
            inputs: state.inputs.len() as u32,
        });
        state.ticket = Followers { nearest, ..there }.into();
    }

    /// Values for a path that ended and that no given seed takes, near those of a seed. None if there is no seed to
    /// begin with, or no way from there.
    pub(super) fn nearest_model(&mut self, decider: &mut Decider<'_>, state: &State) -> Option<Model> {
        let (exprs, solver) = (&decider.exprs, &mut decider.solver);
        let Followers { seeds, nearest, .. } = followers(state);
        let Some(Nearest { seed, conjuncts, inputs }) = nearest else {
            // A seed that lacks a value came all the way.
            return self.set(seeds).first().map(|&seed| self.model(seed).clone());
        };
        let mut given = self.model(seed).clone();
        let later = state.inputs.len() - inputs as usize;
        if later > 0 {
            let mut made: Vec<&Rc<InputObject>> = state.inputs.iter_newest_first().take(later).collect();
            made.reverse();
            given = given.with(self.later_values(exprs, seed, &made));
        }
        let later = state.path.len() - conjuncts as usize;
        let latest = state.path.iter_newest_first().take(later).map(|constraint| constraint.condition);
        let near = &mut self.near;
        let mut failing: Vec<ExprId> =
            latest.filter(|&condition| !near.holds(exprs, condition, &given)).collect();
        failing.reverse();
        let model = solver.model_near(exprs, &state.constraints, &failing, &given).ok()?;
        let changes = |symbol: SymbolId| model.value(symbol) != given.value(symbol);
        let holds = |constraint: &PathConstraint| {
            let condition = constraint.condition;
            // What no change concerns is as it was, and that is known of other paths.
            if !exprs.symbols_of(condition).any(changes) {
                let holds = near.holds(exprs, condition, &given);
                debug_assert_eq!(holds, solver.evaluate(exprs, condition, &model) != 0);
                return holds;
            }
            solver.evaluate(exprs, condition, &model) != 0
        };
        state.path.iter_newest_first().all(holds).then_some(model)
    }
}
