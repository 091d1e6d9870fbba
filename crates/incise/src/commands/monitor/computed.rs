//! Nodes that stand for what is computed from variables: an expression of the map.
//!
//! Where all of its variables are the same, so is what is computed from them. Otherwise the inputs that were found for
//! the variables decide: one on which the expression has another value in NEW than in OLD shows that it differs. Where
//! none does it may differ: it is not compared by itself.

use super::evidence;
use super::marks::Marked;
use super::plan::Plan;
use incise_monitor::{Expression, Number, state_of};
use incise_report::FoundPath;
use incise_report::monitor::NodeWitness;
use incise_report::verdict::{Comparison, Witness};
use incise_vocabulary::Mark;

/// A node, and what it stands for.
pub(super) struct Computed<'c> {
    pub(super) expression: &'c Expression,
    pub(super) plan: &'c Plan<'c>,
    pub(super) node: usize,
}

impl Computed<'_> {
    /// The mark, from those of the variables and the inputs that were found.
    pub(super) fn mark(&self, operands: Vec<Marked>, comparison: Option<&Comparison>) -> Marked {
        let names = self.expression.operands.join(", ");
        if operands.iter().all(|operand| operand.mark == Mark::Same) {
            let reason = format!("it is computed from {names}, nothing of which differs");
            return Marked { mark: Mark::Same, reasons: vec![reason], witness: None };
        }
        let differences = comparison.map_or(&[][..], |comparison| &comparison.differences);
        let mut shown: Vec<NodeWitness> = differences
            .iter()
            .enumerate()
            .filter(|(_, witness)| witness.replayed)
            .filter_map(|(number, witness)| self.witness(number, witness))
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

    fn witness(&self, number: usize, witness: &Witness) -> Option<NodeWitness> {
        let (old, new) = (self.value(&witness.old, &witness.new)?, self.value(&witness.new, &witness.old)?);
        if old == new {
            return None;
        }
        let states = self.state(old).zip(self.state(new));
        let values = (old.to_string(), new.to_string());
        Some(NodeWitness { number, part: None, values, states, replayed: witness.replayed })
    }

    /// The state or the value at the end of both versions.
    pub(super) fn cells(&self, witness: &Witness) -> (Option<String>, Option<String>) {
        let cell = |path: &FoundPath, other: &FoundPath| {
            let value = self.value(path, other)?;
            Some(self.state(value).unwrap_or_else(|| value.to_string()))
        };
        (cell(&witness.old, &witness.new), cell(&witness.new, &witness.old))
    }

    fn value(&self, path: &FoundPath, other: &FoundPath) -> Option<Number> {
        let numbers = self.plan.operands(self.node);
        self.expression.value(&|operand| {
            let observable = self.plan.named(*numbers.get(operand)?);
            evidence::exact(&evidence::value(path, other, observable)?)
        })
    }

    fn state(&self, value: Number) -> Option<String> {
        state_of(&self.plan.thresholds[self.node], value.real()).map(str::to_owned)
    }
}
