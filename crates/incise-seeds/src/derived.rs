//! Seeds that are derived from others.
//!
//! The solver found an input for a side that no seed goes to. What it changed in the input at hand is changed in the
//! other seeds of the state as well: where a boundary moved, many tests sit on the boundary, and one step brings all of
//! them to the other side. Those that satisfy all constraints go on there, and their paths need no solver. A derived
//! seed is an input like any other, but it is no test: a path that only derived seeds take is reported as one without.

use super::{KnownSeed, Seeding, SetId, followers};
use incise_exec::inside::{Decider, State, mask};
use incise_solver::{ExprId, Exprs, Model, SymbolId};
use rustc_hash::FxHashSet;

/// For each seed that was given so many are derived at most, on average. Beyond that, seeds cost more than they spare.
const PER_SEED: usize = 8;
/// So many are derived in any case.
const AT_LEAST: usize = 4096;

/// What a set of seeds was derived for: the seeds, the length of the path condition, and what is decided then.
type SplitSide = (SetId, u32, ExprId);

/// The derived seeds that no state has taken yet, and how many more there may be.
pub(super) struct Derived {
    waiting: Vec<(SplitSide, SetId)>,
    room: usize,
}

impl Derived {
    pub(super) fn for_seeds(count: usize) -> Self {
        Self { waiting: Vec::new(), room: PER_SEED * count + AT_LEAST }
    }

    /// The seeds that were derived for a side.
    pub(super) fn take(&mut self, side: (SetId, u32, ExprId)) -> Option<SetId> {
        // The constraint is already there when seeds are split by it.
        let side = (side.0, side.1.saturating_sub(1), side.2);
        let at = self.waiting.iter().position(|(known, _)| *known == side)?;
        Some(self.waiting.swap_remove(at).1)
    }
}

/// How a seed may be changed: each of these is tried.
struct Change {
    /// The symbols of the condition, with their values in the model that was found, and how far these are from the
    /// values before.
    own: Vec<(SymbolId, u128, u128)>,
    /// All symbols that changed.
    all: Vec<(SymbolId, u128)>,
}

impl Change {
    fn between(exprs: &Exprs, before: &Model, after: &Model, condition: ExprId) -> Self {
        let mut symbols: Vec<SymbolId> =
            before.iter().chain(after.iter()).map(|(symbol, _)| symbol).collect();
        symbols.sort_unstable();
        symbols.dedup();
        symbols.retain(|&symbol| before.value(symbol) != after.value(symbol));
        let all: Vec<_> = symbols.into_iter().map(|symbol| (symbol, after.value(symbol))).collect();
        let read: FxHashSet<SymbolId> = exprs.symbols_of(condition).collect();
        let own = all.iter().filter(|(symbol, _)| read.contains(symbol));
        let own = own.map(|&(symbol, value)| (symbol, value, value.wrapping_sub(before.value(symbol))));
        Self { own: own.collect(), all }
    }

    /// A seed with the change, in the order in which they are tried.
    fn applied(&self, exprs: &Exprs, seed: &Model) -> Vec<Model> {
        let same = seed.with(self.own.iter().map(|&(symbol, value, _)| (symbol, value)));
        let moved = self.own.iter().map(|&(symbol, _, step)| {
            let mask = mask(exprs.symbol_info(symbol).width);
            (symbol, seed.value(symbol).wrapping_add(step) & mask)
        });
        let mut tries = vec![same, seed.with(moved)];
        if self.all.len() > self.own.len() {
            tries.push(seed.with(self.all.iter().copied()));
        }
        tries
    }
}

impl Seeding<'_> {
    /// Keeps seeds that were derived from `origins`.
    fn keep_derived(&mut self, side: SplitSide, found: Vec<(u32, Model)>) {
        let first = self.seeds.len() as u32;
        self.derived.room -= found.len();
        let known = found.into_iter().map(|(seed, model)| (self.seeds[seed as usize].origin, model));
        let known: Vec<KnownSeed> = known.map(|(origin, model)| KnownSeed { origin, model }).collect();
        self.seeds.extend(known);
        let all = self.sets.add(first..self.seeds.len() as u32);
        // What was derived for another decision was not taken: its state came to an end.
        self.derived.waiting.retain(|(known, _)| (known.0, known.1) == (side.0, side.1));
        self.derived.waiting.push((side, all));
    }
}

impl Seeding<'_> {
    /// Derives seeds for a condition that no seed of a state satisfies, but this model does.
    pub(super) fn derive_seeds(
        &mut self,
        decider: &mut Decider<'_>,
        state: &State,
        condition: ExprId,
        model: &Model,
    ) {
        let (exprs, solver) = (&decider.exprs, &mut decider.solver);
        let seeds = self.set(followers(state).seeds);
        // A single one would become the model that is known already.
        if seeds.len() < 2 || seeds.len() > self.derived.room {
            return;
        }
        let change = Change::between(exprs, &state.model, model, condition);
        let mut constraints = state.constraints.slice(exprs, condition).to_vec();
        constraints.push(condition);
        let mut found: Vec<(u32, Model)> = Vec::new();
        for &seed in seeds.iter() {
            let mut tries = change.applied(exprs, self.model(seed)).into_iter();
            let fits = |model: &Model| {
                let mut all = constraints.iter().rev();
                all.all(|&constraint| solver.evaluate(exprs, constraint, model) != 0)
            };
            if let Some(model) = tries.find(fits) {
                found.push((seed, model));
            }
        }
        if !found.is_empty() {
            self.keep_derived((followers(state).seeds, state.path.len() as u32, condition), found);
        }
    }
}
