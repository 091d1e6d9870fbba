//! Nodes that stand for what is computed from variables: an expression of the map.
//!
//! Where all of its variables are the same, so is what is computed from them. Otherwise the inputs that were found for
//! the variables decide: one on which the expression has another value in NEW than in OLD shows that it differs. Where
//! none does it may differ: it is not compared by itself.

use super::evidence::{self, Held};
use super::marks::Marked;
use super::plan::Plan;
use incise_monitor::{Expression, Number, state_of};
use incise_report::monitor::NodeWitness;
use incise_report::verdict::Comparison;
use incise_vocabulary::Mark;

/// A node, and what it stands for.
pub(super) struct Computed<'c> {
    pub(super) expression: &'c Expression,
    pub(super) plan: &'c Plan<'c>,
    pub(super) node: usize,
}

impl Computed<'_> {
    /// The mark, from those of the variables and the inputs that were found.
    pub(super) fn mark(
        &self,
        operands: Vec<Marked>,
        comparison: Option<&Comparison>,
        held: &[[Held<'_>; 2]],
    ) -> Marked {
        let names = self.expression.operands.join(", ");
        if operands.iter().all(|operand| operand.mark == Mark::Same) {
            let reason = format!("it is computed from {names}, nothing of which differs");
            return Marked { mark: Mark::Same, reasons: vec![reason], witness: None };
        }
        let differences = comparison.map_or(&[][..], |comparison| &comparison.differences);
        let mut shown: Vec<NodeWitness> = differences
            .iter()
            .zip(held)
            .enumerate()
            .filter(|(_, (witness, _))| witness.replayed)
            .filter_map(|(number, (_, held))| self.witness(number, held))
            .collect();
        // Another state says more than another value.
        shown.sort_by_key(|witness| witness.states.as_ref().is_some_and(|(old, new)| old == new));
        if let Some(witness) = shown.into_iter().next() {
            return Marked { mark: Mark::Differs, reasons: Vec::new(), witness: Some(witness) };
        }
        let mut reasons =
            vec![format!("it is computed from {names}, and no input that was found gives it another value")];
        for reason in operands.into_iter().flat_map(|operand| operand.reasons) {
            if !reasons.contains(&reason) {
                reasons.push(reason);
            }
        }
        Marked { mark: Mark::MayDiffer, reasons, witness: None }
    }

    /// A difference on an input that was run.
    fn witness(&self, number: usize, [old, new]: &[Held<'_>; 2]) -> Option<NodeWitness> {
        let (old, new) = (self.value(old)?, self.value(new)?);
        if old == new {
            return None;
        }
        let states = self.state(old).zip(self.state(new));
        let values = (old.to_string(), new.to_string());
        Some(NodeWitness { number, part: None, values, states, replayed: true })
    }

    /// The state or the value at the end of both versions.
    pub(super) fn cells(&self, held: &[Held<'_>; 2]) -> (Option<String>, Option<String>) {
        let cell = |held: &Held<'_>| {
            let value = self.value(held)?;
            Some(self.state(value).unwrap_or_else(|| value.to_string()))
        };
        (cell(&held[0]), cell(&held[1]))
    }

    fn value(&self, held: &Held<'_>) -> Option<Number> {
        let numbers = self.plan.operands(self.node);
        self.expression.value(&|operand| {
            let observable = self.plan.named(*numbers.get(operand)?);
            evidence::exact(&held.value(observable)?)
        })
    }

    fn state(&self, value: Number) -> Option<String> {
        state_of(&self.plan.thresholds[self.node], value.real()).map(str::to_owned)
    }
}
