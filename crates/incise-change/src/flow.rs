//! What carries impact into the functions that an activation calls.

use crate::affected::{Affected, Back};
use crate::arguments::Argument;
use crate::function_facts::FunctionFacts;
use crate::scope::{Inputs, Scope};
use crate::{Base, MemoryPlace, NodeId};
use incise_ir::{FunctionId, GlobalId};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// What carries impact where in an activation.
pub(crate) struct Flow<'f, 'a> {
    scope: &'f Scope<'a>,
    facts: &'f FunctionFacts,
    inputs: &'f Inputs,
    affected: &'f Affected,
    /// Whether nothing does.
    nothing: bool,
    /// For each place that was asked about, what carries impact there.
    carriers: RefCell<FxHashMap<MemoryPlace, Rc<Carriers>>>,
}

/// What carries impact to a place.
struct Carriers {
    /// Whether it came with the inputs.
    input: bool,
    /// The statements that hand it on by what they write.
    writers: Vec<NodeId>,
    /// The statements that hand it on by what they call.
    calls: Vec<NodeId>,
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
        Self { scope, facts, inputs, affected, nothing, carriers: RefCell::default() }
    }

    /// Whether a place carries impact before a statement.
    fn is_impacted(&self, node: NodeId, place: &MemoryPlace) -> bool {
        if self.facts.dependence.is_told(place) {
            // Nothing but the function itself writes it.
            let mut writers = self.facts.dependence.writers_of(node, &[*place]).into_iter();
            return self.scope.is_input(self.facts, self.inputs, node, place)
                || writers.any(|writer| self.hands_on(writer, place));
        }
        let carriers = self.carriers(node, place);
        let reach = self.facts.dependence.reach();
        carriers.input
            || carriers.writers.iter().any(|&writer| reach.can_reach(writer, node))
            || carriers.calls.iter().any(|&call| self.comes_before(call, node))
    }

    /// What carries impact to a place, whatever the statement is that reads it.
    fn carriers(&self, node: NodeId, place: &MemoryPlace) -> Rc<Carriers> {
        if let Some(known) = self.carriers.borrow().get(place) {
            return Rc::clone(known);
        }
        let writers = self.facts.place_writers(place);
        let backs = self.affected.backs();
        let is_back = |backs: &[Arc<Back>]| backs.iter().any(|back| self.overlap(&back.places, place));
        let carriers = Rc::new(Carriers {
            input: self.scope.is_input(self.facts, self.inputs, node, place),
            writers: writers.iter().copied().filter(|&writer| self.hands_on(writer, place)).collect(),
            calls: backs.filter(|(_, backs)| is_back(backs)).map(|(call, _)| call).collect(),
        });
        self.carriers.borrow_mut().insert(*place, Rc::clone(&carriers));
        carriers
    }

    /// Whether a statement that may write a place hands impact on there by itself.
    fn hands_on(&self, writer: NodeId, place: &MemoryPlace) -> bool {
        self.affected.is_forward_in_full(writer)
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
        // What other threads write may be among what arguments are computed from.
        let by_threads = self.scope.is_reached_by_threads(facts.graph.function, node);
        let is_shared = |argument: &Argument| {
            argument.places.iter().any(|place| !facts.dependence.places().is_private(place.base))
        };
        match facts.arguments.get(&(node, callee)) {
            Some(arguments) => {
                for (index, argument) in arguments.iter().enumerate() {
                    let shared = by_threads && is_shared(argument);
                    if changed || shared || self.is_argument_impacted(node, argument) {
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
