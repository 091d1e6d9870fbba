//! Questions about functions of the C library, such as `sin`: which Bitwuzla knows next to nothing of, and we know at
//! single points.
//!
//! A contradiction that is found with unknown functions in their place is one. A model is evaluated with the real
//! functions; if it does not hold, Bitwuzla is told the values that the functions have where the model calls them, and
//! asked again (the refinement of an abstraction by counterexamples, after Clarke and others, 2000). Left to itself it
//! would walk from one tiny number to the next, so that models are also repaired, and for once calls are confined to a
//! few common arguments. After a number of rounds it stays unknown.
//!
//! What is learnt lives as long as the question: were it kept, answers would depend on what was asked before.

use super::bitwuzla::{Bitwuzla, Point, Refinement};
use super::query::{Query, Unknown, Verdict};
use super::repair::Repair;
use crate::concrete;
use crate::evaluate::Evaluator;
use crate::expr::{ArrayId, ArrayKind, ExprId, ExprKind, Exprs, FloatFormat, MathFunction};
use crate::model::Model;
use rustc_hash::FxHashSet;
use std::f64::consts::{FRAC_PI_2, PI};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

#[cfg(test)]
mod tests;

/// How often Bitwuzla is asked about one question.
const ROUNDS: usize = 24;
/// A model that does not hold is repaired in so many steps.
const REPAIR_STEPS: usize = 12;
/// Arguments for which functions are told in advance.
const ARGUMENTS: [f64; 16] =
    [0.0, 1.0, 0.5, 2.0, -1.0, 3.0, 10.0, -0.5, -2.0, 0.1, 100.0, -10.0, FRAC_PI_2, PI, 1000.0, 0.001];
/// So many of them are combined to pairs for functions of two arguments.
const PAIRED: usize = 6;

/// A call of a library function in a condition.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Call {
    pub(crate) expr: ExprId,
    function: MathFunction,
    format: FloatFormat,
    operands: [ExprId; 2],
}

/// The calls in conditions, in an order that depends on their structure alone. None in most programs, which costs
/// nothing to find out.
pub(crate) fn calls(exprs: &Exprs, conditions: &[ExprId]) -> Vec<Call> {
    let mut found = Vec::new();
    if !exprs.has_math() {
        return found;
    }
    let mut seen: FxHashSet<ExprId> = FxHashSet::default();
    let mut arrays: FxHashSet<ArrayId> = FxHashSet::default();
    let mut stack: Vec<ExprId> = conditions.to_vec();
    let mut pending: Vec<ArrayId> = Vec::new();
    while let Some(expr) = stack.pop() {
        if !seen.insert(expr) {
            continue;
        }
        let kind = *exprs.kind(expr);
        stack.extend(kind.operands().iter());
        match kind {
            ExprKind::Math(function, format, a, b) => {
                found.push(Call { expr, function, format, operands: [a, b] });
            }
            ExprKind::Select(array, _) => pending.push(array),
            _ => {}
        }
        while let Some(array) = pending.pop() {
            if !arrays.insert(array) {
                continue;
            }
            match exprs.array_kind(array) {
                ArrayKind::Bytes(_) => {}
                ArrayKind::Cells(cells) => stack.extend(cells),
                ArrayKind::Store { array, index, value } => {
                    stack.extend([index, value]);
                    pending.push(array);
                }
            }
        }
    }
    found.sort_by_key(|call| exprs.structural_hash(call.expr));
    found
}

/// Decides a question with calls.
pub(crate) fn decide(
    interrupt: &Arc<AtomicBool>,
    exprs: &Exprs,
    query: &Query,
    calls: &[Call],
    repair: &mut Repair,
) -> Verdict {
    let mut search = match Bitwuzla::refine(interrupt, exprs, query) {
        Ok(refinement) => Search { exprs, query, calls, repair, refinement, evaluator: Evaluator::new() },
        Err(verdict) => return verdict,
    };
    for round in 0..ROUNDS {
        match search.refinement.decide(exprs, query) {
            Verdict::Sat(values) => {
                if let Some(found) = search.judge(&Model::new().with(values)) {
                    return found;
                }
            }
            verdict => return verdict,
        }
        if round == 0
            && let Some(found) = search.confined()
        {
            return found;
        }
    }
    undecided(calls)
}

fn undecided(calls: &[Call]) -> Verdict {
    let mut names: Vec<&str> = calls.iter().map(|call| call.function.name()).collect();
    names.sort_unstable();
    names.dedup();
    Verdict::Unknown(Unknown::Unsupported(format!("the value of {}", names.join(", "))))
}

struct Search<'a> {
    exprs: &'a Exprs,
    query: &'a Query,
    calls: &'a [Call],
    repair: &'a mut Repair,
    refinement: Refinement,
    evaluator: Evaluator,
}

impl Search<'_> {
    /// Whether a model that Bitwuzla found holds, or one near it; if not, it learns why not.
    fn judge(&mut self, model: &Model) -> Option<Verdict> {
        // The results that Bitwuzla chose go together; arguments for them are ours to find.
        let mut results = Vec::with_capacity(self.calls.len());
        for call in self.calls {
            match self.refinement.value(call.expr) {
                Ok(value) => results.push((call.expr, value)),
                Err(verdict) => return Some(verdict),
            }
        }
        let conditions = &self.query.conditions;
        let near = self.repair.run(self.exprs, conditions, model, REPAIR_STEPS);
        let near =
            near.or_else(|| self.repair.run_toward(self.exprs, conditions, model, &results, REPAIR_STEPS));
        if let Some(model) = near {
            return Some(Verdict::Sat(self.query.values(&model)));
        }
        for call in self.calls {
            let arguments = call.operands.map(|operand| self.evaluator.evaluate(self.exprs, operand, model));
            let point = Point { function: call.function, format: call.format, arguments };
            if let Err(verdict) = self.refinement.learn(&point) {
                return Some(verdict);
            }
        }
        None
    }

    /// Looks for a model in which all calls are among those that are told in advance.
    fn confined(&mut self) -> Option<Verdict> {
        let mut told = FxHashSet::default();
        let mut places = Vec::with_capacity(self.calls.len());
        for call in self.calls {
            let points = common_points(call.function, call.format);
            if told.insert((call.function, call.format)) {
                for point in &points {
                    if let Err(verdict) = self.refinement.learn(point) {
                        return Some(verdict);
                    }
                }
            }
            places.push((call.expr, points));
        }
        match self.refinement.decide_at(self.exprs, self.query, &places) {
            Verdict::Sat(values) => self.judge(&Model::new().with(values)),
            Verdict::Unknown(why @ (Unknown::Interrupted | Unknown::Fault(_))) => Some(Verdict::Unknown(why)),
            // Nothing there, or not soon: it was worth a try.
            Verdict::Unsat | Verdict::Unknown(_) => None,
        }
    }
}

fn common_points(function: MathFunction, format: FloatFormat) -> Vec<Point> {
    let bits = |value: f64| concrete::bound(format, value);
    let point = |x: f64, y: f64| Point { function, format, arguments: [bits(x), bits(y)] };
    if function.arity() == 1 {
        return ARGUMENTS.iter().map(|&x| point(x, x)).collect();
    }
    let few = &ARGUMENTS[..PAIRED];
    few.iter().flat_map(|&x| few.iter().map(move |&y| (x, y))).map(|(x, y)| point(x, y)).collect()
}
