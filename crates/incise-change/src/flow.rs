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
    memory: Option<bool>,
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

    fn is_argument_impacted(&self, node: NodeId, argument: &Argument) -> bool {
        let dependence = &self.facts.dependence;
        let writers = argument.writers.get_or_init(|| dependence.writers_of(node, &argument.places).into());
        argument.parameters.intersection(&self.inputs.parameters).next().is_some()
            || (argument.own && self.affected.is_forward(node))
            || argument.places.iter().any(|place| self.scope.is_input(self.facts, self.inputs, place))
            || writers.iter().any(|&writer| self.affected.is_forward(writer))
    }

    fn is_global_impacted(&self, node: NodeId, global: GlobalId) -> bool {
        let writers = self.facts.global_writers(node, global);
        self.scope.is_input(self.facts, self.inputs, &MemoryPlace::whole(Base::Global(global)))
            || writers.iter().any(|&writer| self.affected.is_forward(writer))
    }

    fn is_memory_impacted(&self, node: NodeId) -> bool {
        let mut writers = self.facts.dependence.memory_writers(node).iter();
        self.scope.is_input(self.facts, self.inputs, &MemoryPlace::memory())
            || writers.any(|&writer| self.affected.is_forward(writer))
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
        let callee = self.scope.facts(callee);
        for &global in &callee.read_globals {
            if *known.globals.entry(global).or_insert_with(|| self.is_global_impacted(node, global)) {
                carried.globals.insert(global);
            }
        }
        if callee.reads_memory {
            carried.memory = *known.memory.get_or_insert_with(|| self.is_memory_impacted(node));
        }
        carried
    }
}
