//! Models near a given one: of its values, only those change that constraints do not allow.
//!
//! Constraints that the given model does not satisfy belong to parts that are independent of each other. In each such
//! part the given values are repaired; if that does not lead to an end, the part gets the values of its canonical
//! model, and then the given ones back where the others allow it. The order of conditions and symbols is that of their
//! structure. So the result depends on the constraints and on the given values alone, and not on what was asked before.
//!
//! Paths that have a part in common mostly have the values there in common, too: what was found is remembered by the
//! part and the given values.

use super::canonical::Canonical;
use super::query::{Unknown, Values};
use crate::constraints::{Constraints, Slice};
use crate::evaluate::Evaluator;
use crate::expr::{ExprId, Exprs, SymbolId};
use crate::model::Model;
use rustc_hash::FxHashMap;

/// So many conditions are evaluated at most to give values back in one part.
const MOST_EVALUATIONS: usize = 2_000;

/// Finds such models, and remembers what it found.
pub(crate) struct Near {
    known: FxHashMap<(u128, usize), NearPart>,
    /// How many conditions, symbols and values are stored, and how many may be before it starts anew.
    size: usize,
    limit: usize,
    evaluator: Evaluator,
}

/// The values of a part's symbols.
type PartValues = Box<[u128]>;

/// An independent part of constraints.
struct NearPart {
    /// As they are solved.
    conditions: Vec<ExprId>,
    /// In the order of their structure.
    symbols: Vec<SymbolId>,
    /// For given values of the symbols, those near them that satisfy the conditions.
    found: FxHashMap<PartValues, PartValues>,
}

impl NearPart {
    fn new(exprs: &Exprs, slice: &Slice) -> Self {
        let conditions = super::canonical::ordered(exprs, slice);
        let hash = |symbol: &SymbolId| exprs.structural_hash(exprs.symbol_expr(*symbol));
        let mut symbols: Vec<SymbolId> =
            conditions.iter().flat_map(|&condition| exprs.symbols_of(condition)).collect();
        symbols.sort_unstable();
        symbols.dedup();
        symbols.sort_by_cached_key(hash);
        NearPart { conditions, symbols, found: FxHashMap::default() }
    }

    fn values(&self, model: &Model) -> PartValues {
        self.symbols.iter().map(|&symbol| model.value(symbol)).collect()
    }

    /// The canonical values, with the given ones where the others allow it.
    fn given_back(
        &self,
        evaluator: &mut Evaluator,
        exprs: &Exprs,
        canonical: Values,
        given: &Model,
    ) -> Model {
        let mut model = given.with(canonical);
        let mut left = MOST_EVALUATIONS;
        for &symbol in &self.symbols {
            if model.value(symbol) == given.value(symbol) {
                continue;
            }
            if left < self.conditions.len() {
                break;
            }
            left -= self.conditions.len();
            let closer = model.with([(symbol, given.value(symbol))]);
            if self.conditions.iter().all(|&condition| evaluator.holds(exprs, condition, &closer)) {
                model = closer;
            }
        }
        model
    }
}

impl Near {
    pub(crate) fn new(cache_limit: usize) -> Self {
        Near { known: FxHashMap::default(), size: 0, limit: cache_limit, evaluator: Evaluator::new() }
    }

    /// A model of the constraints that differs from `given` only in the parts that `failing` belong to. In each part
    /// with constraints that `given` does not satisfy, at least one of them must be among these.
    pub(crate) fn model(
        &mut self,
        canonical: &mut Canonical,
        exprs: &Exprs,
        constraints: &Constraints,
        failing: &[ExprId],
        given: &Model,
    ) -> Result<Model, Unknown> {
        let mut slices: Vec<Slice> = Vec::new();
        let mut changes = Values::new();
        for &condition in failing {
            let slice = constraints.slice(exprs, condition);
            if slices.iter().all(|known| !known.is_same(&slice)) {
                self.change(canonical, exprs, &slice, given, &mut changes)?;
                slices.push(slice);
            }
        }
        Ok(given.with(changes))
    }

    /// Adds the values in one part to `changes`.
    fn change(
        &mut self,
        canonical: &mut Canonical,
        exprs: &Exprs,
        slice: &Slice,
        given: &Model,
        changes: &mut Values,
    ) -> Result<(), Unknown> {
        if self.size > self.limit {
            self.known.clear();
            self.size = 0;
        }
        let part = self.known.entry((slice.key(), slice.len())).or_insert_with(|| {
            let part = NearPart::new(exprs, slice);
            self.size += part.conditions.len() + part.symbols.len();
            part
        });
        let before = part.values(given);
        if let Some(found) = part.found.get(&before) {
            changes.extend(part.symbols.iter().copied().zip(found.iter().copied()));
            return Ok(());
        }
        let model = match canonical.repaired(exprs, &part.conditions, given) {
            Some(model) => model,
            None => {
                let values = canonical.values(exprs, slice)?;
                part.given_back(&mut self.evaluator, exprs, values, given)
            }
        };
        let found = part.values(&model);
        changes.extend(part.symbols.iter().copied().zip(found.iter().copied()));
        self.size += before.len() + found.len();
        part.found.insert(before, found);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::testing::{Generator, Profile};
    use crate::chain::{Solver, SolverConfig};
    use crate::expr::{CompareOp, SymbolKind};
    use std::sync::Arc;

    fn symbol(exprs: &mut Exprs, name: &str) -> (ExprId, SymbolId) {
        let expr = exprs.symbol(name, 32, SymbolKind::Signed);
        (expr, exprs.as_symbol(expr).expect("a symbol"))
    }

    #[test]
    fn only_what_the_constraints_demand_changes() {
        let mut exprs = Exprs::new();
        let [x, y, z, free] = ["x", "y", "z", "free"].map(|name| symbol(&mut exprs, name));
        let (eighteen, five) = (exprs.constant(18, 32), exprs.constant(5, 32));
        let over = exprs.compare(CompareOp::Sgt, x.0, eighteen);
        let under = exprs.compare(CompareOp::Slt, y.0, five);
        let ordered = exprs.compare(CompareOp::Slt, x.0, z.0);
        let mut constraints = Constraints::new();
        [under, over, ordered].into_iter().for_each(|each| constraints.push(&exprs, each));
        let given = Model::new().with([(x.1, 7), (y.1, 3), (z.1, 90), (free.1, 1000)]);
        let mut solver = Solver::new(SolverConfig::default(), Arc::default());
        let model = solver.model_near(&exprs, &constraints, &[over], &given).expect("there is one");
        assert_eq!([x, y, z, free].map(|each| model.value(each.1)), [19, 3, 90, 1000]);
        assert_eq!(solver.model_near(&exprs, &constraints, &[], &given), Ok(given.clone()));
        // What was found for these values is not what is found for others.
        let other = given.with([(x.1, 40), (z.1, 2)]);
        let model = solver.model_near(&exprs, &constraints, &[ordered], &other).expect("there is one");
        assert!(model.value(x.1) > 18 && model.value(x.1) < model.value(z.1), "{model:?}");
        assert_eq!([y, free].map(|each| model.value(each.1)), [3, 1000]);
    }

    #[test]
    fn canonical_values_give_way_to_those_that_were_given() {
        let mut exprs = Exprs::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| symbol(&mut exprs, name));
        let hundred = exprs.constant(100, 32);
        let conditions = [
            exprs.compare(CompareOp::Slt, x.0, y.0),
            exprs.compare(CompareOp::Slt, y.0, z.0),
            exprs.compare(CompareOp::Slt, y.0, hundred),
        ];
        let mut constraints = Constraints::new();
        conditions.iter().for_each(|&each| constraints.push(&exprs, each));
        let part = NearPart::new(&exprs, &constraints.whole());
        let given = Model::new().with([(x.1, 50), (y.1, 200), (z.1, 300)]);
        let canonical = vec![(x.1, 0), (y.1, 1), (z.1, 2)];
        let model = part.given_back(&mut Evaluator::new(), &exprs, canonical, &given);
        // 50 < 1 does not hold.
        assert_eq!([x, y, z].map(|each| model.value(each.1)), [0, 1, 300]);
    }

    /// The same path and the same values in two arenas, in the second after other expressions and questions: the values
    /// near them are equal by name. Parts in which everything holds keep their values.
    #[test]
    fn models_near_others_depend_on_the_constraints_and_the_values_alone() {
        let mut changed = 0;
        for seed in 0..60 {
            let profile = Profile { floats: false, arrays: true, widest_product: 8 };
            let run = |before: u64| {
                let mut exprs = Exprs::new();
                let mut solver = Solver::new(SolverConfig::default(), Arc::default());
                if before > 0 {
                    for name in ["s3", "s1", "other"] {
                        exprs.symbol(name, 32, SymbolKind::Unsigned);
                    }
                }
                let mut generator = Generator::new(seed, exprs, profile, &[8, 16, 8, 32, 8, 32]);
                let [target, given, other] = [(); 3].map(|()| generator.model());
                let mut constraints = Constraints::new();
                let mut evaluator = Evaluator::new();
                for _ in 0..4 {
                    generator.grow();
                    let condition = generator.condition();
                    let holds = evaluator.holds(&generator.exprs, condition, &target);
                    let side = if holds { condition } else { generator.exprs.not(condition) };
                    constraints.push(&generator.exprs, side);
                    if before > 0 {
                        let failing = constraints.iter_in_order();
                        solver
                            .model_near(&generator.exprs, &constraints, &failing, &other)
                            .expect("satisfiable");
                    }
                }
                let exprs = &generator.exprs;
                let all = constraints.iter_in_order();
                let fails = |condition: &ExprId| !Evaluator::new().holds(exprs, *condition, &given);
                let failing: Vec<ExprId> = all.iter().copied().filter(fails).collect();
                let model = solver.model_near(exprs, &constraints, &failing, &given).expect("satisfiable");
                for &condition in &all {
                    assert!(evaluator.holds(exprs, condition, &model), "seed {seed}");
                }
                for &symbol in &generator.symbols {
                    let part = constraints.slice(exprs, exprs.symbol_expr(symbol)).to_vec();
                    if !part.iter().any(|condition| failing.contains(condition)) {
                        assert_eq!(model.value(symbol), given.value(symbol), "seed {seed}");
                    }
                }
                let named = |symbol: &SymbolId| {
                    (exprs.symbol_info(*symbol).name.clone(), given.value(*symbol), model.value(*symbol))
                };
                let mut values: Vec<_> = generator.symbols.iter().map(named).collect();
                values.sort();
                values
            };
            let values = run(0);
            changed += values.iter().filter(|(_, given, found)| given != found).count();
            assert_eq!(values, run(seed + 1), "seed {seed}");
        }
        assert!(changed > 60, "{changed}");
    }
}
