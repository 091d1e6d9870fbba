//! What carries impact into the functions that an activation calls.

use crate::affected::Affected;
use crate::arguments::Argument;
use crate::function_facts::FunctionFacts;
use crate::scope::{Inputs, Scope};
use crate::{Base, MemoryPlace, NodeId};
use incise_ir::{FunctionId, GlobalId};
use std::collections::BTreeMap;

/// What carries impact where in an activation.
pub(crate) struct Flow<'f, 'a> {
    scope: &'f Scope<'a>,
    facts: &'f FunctionFacts,
    inputs: &'f Inputs,
    affected: &'f Affected,
    /// Whether nothing does.
    nothing: bool,
}

/// What is known to carry impact to one statement, as far as it was asked for.
#[derive(Default)]
pub(crate) struct NodeFlow {
    globals: BTreeMap<GlobalId, bool>,
    memory: BTreeMap<MemoryPlace, bool>,
}

impl<'f, 'a> Flow<'f, 'a> {
    pub(crate) fn new(
        scope: &'f Scope<'a>,
        facts: &'f FunctionFacts,
        inputs: &'f Inputs,
        affected: &'f Affected,
    ) -> Self {
        let nothing = inputs.is_empty() && affected.steps.is_empty();
        Self { scope, facts, inputs, affected, nothing }
    }

    /// Whether a place carries impact before a statement.
    fn is_impacted(&self, node: NodeId, place: &MemoryPlace) -> bool {
        self.scope.is_input(self.facts, self.inputs, place)
            || self.facts.place_writers(node, place).iter().any(|&writer| self.hands_on(writer, place, node))
            || self.affected.backs().any(|(call, backs)| {
                self.comes_before(call, node) && backs.iter().any(|back| self.overlap(&back.places, place))
            })
    }

    /// Whether a statement that may write a place hands impact on there by itself, to another one.
    fn hands_on(&self, writer: NodeId, place: &MemoryPlace, to: NodeId) -> bool {
        self.affected.is_forward_in_full(writer)
            || self.affected.is_decided(writer, |decision| decision.is_common(to))
            || (self.affected.is_forward_itself(writer)
                && self.overlap(&self.facts.dependence.footprint(writer).own_writes, place))
    }

    /// Whether what a statement calls comes before what another one calls; they may be one statement.
    fn comes_before(&self, call: NodeId, node: NodeId) -> bool {
        (call == node && self.facts.several_calls[node.index()])
            || self.facts.dependence.reach().can_reach(call, node)
    }

    fn overlap(&self, places: &[MemoryPlace], place: &MemoryPlace) -> bool {
        let known = self.facts.dependence.places();
        places.iter().any(|each| known.may_overlap(each, place))
    }

    fn is_argument_impacted(&self, node: NodeId, argument: &Argument) -> bool {
        argument.parameters.intersection(&self.inputs.parameters).next().is_some()
            || (argument.own && self.affected.is_forward_itself(node))
            || argument.places.iter().any(|place| self.is_impacted(node, place))
    }

    /// The inputs of a called function that carry impact.
    pub(crate) fn carried(&self, node: NodeId, callee: FunctionId, known: &mut NodeFlow) -> Inputs {
        let mut carried = Inputs::default();
        let facts = self.facts;
        let changed = facts.changes[node.index()];
        if self.nothing && !changed {
            return carried;
        }
        match facts.arguments.get(&(node, callee)) {
            Some(arguments) => {
                for (index, argument) in arguments.iter().enumerate() {
                    if changed || self.is_argument_impacted(node, argument) {
                        carried.parameters.insert(index as u32);
                    }
                }
            }
            // It is called by a function that is not in scope, with arguments that only that knows.
            None => {
                if changed || self.affected.is_forward(node) {
                    let parameters = self.scope.program.functions[callee].parameters.len();
                    carried.parameters.extend(0..parameters as u32);
                }
            }
        }
        let called = self.scope.facts(callee);
        for &global in &called.read_globals {
            let place = MemoryPlace::whole(Base::Global(global));
            if *known.globals.entry(global).or_insert_with(|| self.is_impacted(node, &place)) {
                carried.globals.insert(global);
            }
        }
        for &place in &called.read_memory {
            let mut here = facts.passed(node, callee, &place).into_iter();
            let is_impacted =
                here.any(|here| *known.memory.entry(here).or_insert_with(|| self.is_impacted(node, &here)));
            if is_impacted {
                carried.memory.insert(place);
            }
        }
        carried
    }
}
