//! Contradictions that follow from the order of values alone: the constraints' comparisons form a graph of
//! "at most" and "less", and a condition contradicts them if its opposite is a path in it.
//!
//! Sorting, searching and checking bounds ask little else: of all that is asked about an insertion sort only
//! this stage and repair are needed. The walk is linear in the number of constraints.

use crate::expr::{ExprId, ExprKind, Exprs, Relation};
use rustc_hash::FxHashMap;

/// What a comparison says of two expressions: `lesser` is at most, or is less than, `greater`.
struct Edge {
    greater: ExprId,
    strict: bool,
}

/// The comparisons of a slice, with memory that is used again.
#[derive(Default)]
pub(crate) struct Order {
    /// By expression: what it is at most.
    edges: FxHashMap<ExprId, Vec<Edge>>,
    spare: Vec<Vec<Edge>>,
    stack: Vec<(ExprId, bool)>,
    /// By expression: reached, and reached with a strict step.
    reached: FxHashMap<ExprId, bool>,
}

impl Order {
    /// Whether the comparisons among `conditions` contradict `query`. False if it is no comparison.
    pub(crate) fn contradicts(&mut self, exprs: &Exprs, conditions: &[ExprId], query: ExprId) -> bool {
        let Some((relation, a, b, holds)) = comparison(exprs, query) else { return false };
        // Comparisons with constants are a matter of bounds.
        if is_constant(exprs, a) || is_constant(exprs, b) {
            return false;
        }
        match relation {
            // Equality contradicts a strict order either way. Whether it is of signed or unsigned values does
            // not matter.
            Relation::Eq if holds => [Relation::Ult, Relation::Slt].into_iter().any(|order| {
                self.collect(exprs, conditions, order);
                self.leads(a, b, true) || self.leads(b, a, true)
            }),
            Relation::Eq => {
                self.collect(exprs, conditions, Relation::Ult);
                if self.leads(a, b, false) && self.leads(b, a, false) {
                    return true;
                }
                self.collect(exprs, conditions, Relation::Slt);
                self.leads(a, b, false) && self.leads(b, a, false)
            }
            _ => {
                self.collect(exprs, conditions, relation);
                // "Less" is contradicted by "at least", and "at least" by "less".
                if holds { self.leads(b, a, false) } else { self.leads(a, b, true) }
            }
        }
    }

    fn collect(&mut self, exprs: &Exprs, conditions: &[ExprId], order: Relation) {
        for (_, mut list) in self.edges.drain() {
            list.clear();
            self.spare.push(list);
        }
        for &condition in conditions {
            let Some((relation, a, b, holds)) = comparison(exprs, condition) else { continue };
            if is_constant(exprs, a) || is_constant(exprs, b) {
                continue;
            }
            if relation == order {
                let (lesser, greater) = if holds { (a, b) } else { (b, a) };
                self.add(lesser, greater, holds);
            } else if relation == Relation::Eq && holds {
                self.add(a, b, false);
                self.add(b, a, false);
            }
        }
    }

    fn add(&mut self, lesser: ExprId, greater: ExprId, strict: bool) {
        let spare = &mut self.spare;
        self.edges
            .entry(lesser)
            .or_insert_with(|| spare.pop().unwrap_or_default())
            .push(Edge { greater, strict });
    }

    /// Whether steps lead from one expression to another, one of them strict if that is asked for.
    fn leads(&mut self, from: ExprId, to: ExprId, strictly: bool) -> bool {
        self.reached.clear();
        self.stack.clear();
        self.stack.push((from, false));
        while let Some((at, strict)) = self.stack.pop() {
            for edge in self.edges.get(&at).into_iter().flatten() {
                let strict = strict || edge.strict;
                if edge.greater == to && (strict || !strictly) {
                    return true;
                }
                let better = self.reached.get(&edge.greater).is_none_or(|before| strict && !before);
                if better {
                    self.reached.insert(edge.greater, strict);
                    self.stack.push((edge.greater, strict));
                }
            }
        }
        false
    }
}

fn is_constant(exprs: &Exprs, expr: ExprId) -> bool {
    exprs.as_constant(expr).is_some()
}

/// A condition as a comparison and whether it holds.
fn comparison(exprs: &Exprs, condition: ExprId) -> Option<(Relation, ExprId, ExprId, bool)> {
    match *exprs.kind(condition) {
        ExprKind::Compare(relation, a, b) => Some((relation, a, b, true)),
        ExprKind::Not(inner) => match *exprs.kind(inner) {
            ExprKind::Compare(relation, a, b) => Some((relation, a, b, false)),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::testing::Random;
    use crate::expr::{CompareOp, SymbolKind};

    /// All random sets of comparisons over three words of two bits: what is called a contradiction has no
    /// model.
    #[test]
    fn what_is_called_a_contradiction_has_no_model() {
        let mut exprs = Exprs::new();
        let symbols = ["a", "b", "c"].map(|name| exprs.symbol(name, 2, SymbolKind::Unsigned));
        let ids = symbols.map(|symbol| exprs.as_symbol(symbol).expect("a symbol"));
        let mut random = Random::new(8);
        let mut order = Order::default();
        let mut found = 0;
        for _ in 0..3000 {
            let conditions: Vec<ExprId> = (0..4)
                .map(|_| {
                    let op = CompareOp::ALL[random.below(CompareOp::ALL.len())];
                    exprs.compare(op, symbols[random.below(3)], symbols[random.below(3)])
                })
                .collect();
            if order.contradicts(&exprs, &conditions[..3], conditions[3]) {
                found += 1;
                for values in 0..64u128 {
                    let values = ids.iter().enumerate().map(|(i, id)| (*id, values >> (2 * i) & 3));
                    let model = crate::model::Model::new().with(values);
                    let mut evaluator = crate::evaluate::Evaluator::new();
                    let all = conditions.iter().all(|condition| evaluator.holds(&exprs, *condition, &model));
                    assert!(!all, "{conditions:?} hold in {model:?}");
                }
            }
        }
        assert!(found > 100, "{found}");
    }

    #[test]
    fn a_chain_of_comparisons_contradicts_its_reversal() {
        let mut exprs = Exprs::new();
        let symbols: Vec<ExprId> =
            (0..5).map(|i| exprs.symbol(&format!("a{i}"), 32, SymbolKind::Signed)).collect();
        let chain: Vec<ExprId> =
            symbols.windows(2).map(|pair| exprs.compare(CompareOp::Sle, pair[0], pair[1])).collect();
        let reversed = exprs.compare(CompareOp::Slt, symbols[4], symbols[0]);
        let equal = exprs.compare(CompareOp::Eq, symbols[4], symbols[0]);
        let mut order = Order::default();
        assert!(order.contradicts(&exprs, &chain, reversed));
        assert!(!order.contradicts(&exprs, &chain, equal));
        assert!(!order.contradicts(&exprs, &chain[1..], reversed));
    }
}
