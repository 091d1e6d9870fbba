//! The functions that a directed exploration looks into, and what is affected in each of their activations.
//!
//! Rungta, Person and Branchaud, "A Change Impact Analysis to Characterize Evolving Program Behaviors" (ICSM 2012),
//! give each function one impact set for itself and one for each formal parameter, and put them together by the calling
//! context at run time. An [`Activation`] is that put together beforehand: a function with the set of its inputs that
//! carry impact when it is called. Each combination that occurs is analysed once. Where we differ:
//! - Impact also flows through global variables, through memory, and back through results and what a call writes; the
//!   paper leaves these out.
//! - What a removed statement wrote in the old version carries impact to whoever reads it after the call.
//!
//! A call is affected if something in the called function is, or if its arguments are. That a call is made at all
//! because of an affected condition does not make everything in the called function affected, as in the paper.

use crate::affected::{Affected, Back, Rule, Rules, Step};
use crate::components::Components;
use crate::flow::{Flow, NodeFlow};
use crate::function_facts::{FunctionFacts, fails};
use crate::proofs::HeldBack;
use crate::{Base, Effects, MemoryPlace, NodeId, NodeKind};
use incise_ir::{FunctionId, GlobalId, Program};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

/// The inputs of a function that carry impact when it is called.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Inputs {
    /// Parameters, from 0.
    pub parameters: BTreeSet<u32>,
    /// Global variables.
    pub globals: BTreeSet<GlobalId>,
    /// What pointers lead to, as the called function names it.
    pub memory: BTreeSet<MemoryPlace>,
}

impl Inputs {
    fn add(&mut self, other: &Self) {
        self.parameters.extend(&other.parameters);
        self.globals.extend(&other.globals);
        self.memory.extend(&other.memory);
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.parameters.is_empty() && self.globals.is_empty() && self.memory.is_empty()
    }
}

/// What of a function carries impact when it returns.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Outputs {
    /// Its result.
    pub result: bool,
    /// Global variables.
    pub globals: BTreeSet<GlobalId>,
    /// What pointers lead to, as the function names it.
    pub memory: BTreeSet<MemoryPlace>,
}

/// A function as it is called with certain inputs that carry impact.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ActivationId(u32);

impl ActivationId {
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// What is affected in a function that is called with certain inputs that carry impact.
#[derive(Clone, Debug)]
pub struct Activation {
    /// The function.
    pub function: FunctionId,
    /// The inputs.
    pub inputs: Inputs,
    /// The affected statements.
    pub affected: Affected,
    /// What carries impact back to the caller.
    pub outputs: Outputs,
    /// For each call of a function with something affected in it: the activation.
    pub calls: BTreeMap<(NodeId, FunctionId), ActivationId>,
    /// The statements that read the inputs.
    readers: Arc<[Step]>,
    /// Whether its callers are affected by it.
    hands_on: bool,
}

impl Activation {
    /// Whether something is affected in it. Where nothing is left that could be, what was removed still is.
    pub fn is_affected(&self) -> bool {
        !self.affected.steps.is_empty() || self.outputs != Outputs::default()
    }

    /// Whether a call of it is affected: something is in it, and it was not proved to do the same.
    pub(crate) fn hands_on(&self) -> bool {
        self.hands_on
    }
}

/// What is affected in a function in at least one of several activations.
#[derive(Clone, Debug)]
pub struct Together {
    /// The inputs that carry impact in at least one.
    pub inputs: Inputs,
    /// The affected statements, as one derivation.
    pub affected: Affected,
    /// For each call of a function with something affected in it: the activations, in order.
    pub calls: BTreeMap<(NodeId, FunctionId), Vec<ActivationId>>,
}

/// The functions in scope and their activations.
#[derive(Debug)]
pub struct Scope<'a> {
    /// The new version.
    pub program: &'a Program,
    /// The functions, each with what is known of it.
    pub functions: BTreeMap<FunctionId, FunctionFacts>,
    activations: Vec<Activation>,
    index: BTreeMap<(FunctionId, Inputs), ActivationId>,
    /// For each activation, those that call it.
    callers: Vec<BTreeSet<ActivationId>>,
    /// The functions with a change in them, or below them.
    dirty: BTreeSet<FunctionId>,
    /// For each function, a number that is higher than those of the functions that it calls, recursions aside.
    ranks: BTreeMap<FunctionId, u32>,
    /// How many contexts of a function are told apart.
    contexts: usize,
    /// For each function, how many contexts of it there are, and the activation that stands for those that are not told
    /// apart.
    joined: BTreeMap<FunctionId, (usize, Option<ActivationId>)>,
    /// What is affected in functions because of what code may call that nobody can see.
    call_seeds: BTreeMap<FunctionId, Vec<Step>>,
    /// What is affected in functions because of other threads.
    thread_seeds: BTreeMap<FunctionId, Vec<Step>>,
    /// Whether what a thread returns is affected.
    thread_results: bool,
    /// What functions are proved not to hand on.
    held_back: BTreeMap<FunctionId, HeldBack>,
    rules: Rules,
}

impl<'a> Scope<'a> {
    /// A scope of these functions. `dirty` are those in which, or below which, there is a change.
    pub fn new(
        program: &'a Program,
        effects: &Effects,
        mut functions: BTreeMap<FunctionId, FunctionFacts>,
        dirty: BTreeSet<FunctionId>,
        rules: Rules,
    ) -> Self {
        let ids: BTreeSet<FunctionId> = functions.keys().copied().collect();
        for facts in functions.values_mut() {
            for node in facts.graph.ids() {
                let calls = &facts.dependence.footprint(node).calls;
                facts.callees[node.index()] = in_scope(effects, &ids, calls);
            }
            facts.fails = fails(program, effects, &facts.graph, &ids);
        }
        let ranks = ranks(&functions);
        Self {
            program,
            functions,
            activations: Vec::new(),
            index: BTreeMap::new(),
            callers: Vec::new(),
            dirty,
            ranks,
            contexts: usize::MAX,
            joined: BTreeMap::new(),
            call_seeds: BTreeMap::new(),
            thread_seeds: BTreeMap::new(),
            thread_results: false,
            held_back: BTreeMap::new(),
            rules,
        }
    }

    /// The same functions, as if nothing had changed in them: for what an input alone affects.
    pub fn without_changes(mut self) -> Self {
        for facts in self.functions.values_mut() {
            facts.changes.fill(false);
            facts.gaps.clear();
            facts.seeds.clear();
            facts.lost = Outputs::default();
        }
        self.dirty.clear();
        self.begin_again();
        self
    }

    /// Forgets what was found so far, and what code that nobody can see may call.
    pub(crate) fn begin_again(&mut self) {
        self.call_seeds.clear();
        self.thread_seeds.clear();
        self.thread_results = false;
        self.forget();
    }

    /// Whether a statement is affected because of other threads, by what it reads itself.
    pub(crate) fn is_reached_by_threads(&self, function: FunctionId, node: NodeId) -> bool {
        let steps = self.thread_seeds.get(&function).into_iter().flatten();
        steps.into_iter().any(|step| step.node == node && step.rule != Rule::Competes)
    }

    /// Makes statements affected because of other threads. What was found so far is forgotten.
    pub(crate) fn add_thread_seeds(&mut self, seeds: impl IntoIterator<Item = (FunctionId, Step)>) {
        for (function, step) in seeds {
            self.thread_seeds.entry(function).or_default().push(step);
            self.dirty.insert(function);
        }
        self.make_callers_dirty();
        self.forget();
    }

    /// What threads return is affected. What was found so far is forgotten.
    pub(crate) fn add_thread_results(&mut self) {
        self.thread_results = true;
        let joining = self.functions.iter().filter(|(_, facts)| !facts.joins.is_empty());
        self.dirty.extend(joining.map(|(&id, _)| id));
        self.make_callers_dirty();
        self.forget();
    }

    /// There is a change below whoever calls a function with one.
    fn make_callers_dirty(&mut self) {
        loop {
            let calls_dirty = |(id, facts): &(&FunctionId, &FunctionFacts)| {
                !self.dirty.contains(id)
                    && facts.callees.iter().flatten().any(|callee| self.dirty.contains(callee))
            };
            let more: Vec<FunctionId> =
                self.functions.iter().filter(calls_dirty).map(|(&id, _)| id).collect();
            if more.is_empty() {
                return;
            }
            self.dirty.extend(more);
        }
    }

    /// What is affected in a function whoever calls it.
    pub(crate) fn seeds(&self, function: FunctionId) -> impl Iterator<Item = Step> + '_ {
        let called = self.call_seeds.get(&function).into_iter().flatten();
        let threads = self.thread_seeds.get(&function).into_iter().flatten();
        self.facts(function).seeds.iter().chain(called).chain(threads).copied()
    }

    /// Makes statements affected because of what code may call that nobody can see. What was found so far is forgotten.
    pub(crate) fn add_call_seeds(&mut self, sites: impl IntoIterator<Item = (FunctionId, NodeId)>) {
        for (function, node) in sites {
            let step = Step { node, rule: Rule::Calls, cause: None };
            self.call_seeds.entry(function).or_default().push(step);
        }
        self.forget();
    }

    fn forget(&mut self) {
        (self.activations, self.index, self.callers) = (Vec::new(), BTreeMap::new(), Vec::new());
        self.joined.clear();
    }

    /// Functions do not hand on what they are proved not to. What was found so far is forgotten.
    pub(crate) fn hold_back(&mut self, held_back: BTreeMap<FunctionId, HeldBack>) {
        self.held_back = held_back;
        self.forget();
    }

    /// Tells only so many contexts of each function apart; all further ones are one, with the inputs of all of them.
    /// Nothing is lost by that, but more may be affected than needs be.
    pub(crate) fn limit_contexts(&mut self, contexts: usize) {
        self.contexts = contexts;
    }

    /// What is known of a function in scope.
    pub fn facts(&self, function: FunctionId) -> &FunctionFacts {
        &self.functions[&function]
    }

    /// Whether there is a change in a function, or below it.
    pub fn is_dirty(&self, function: FunctionId) -> bool {
        self.dirty.contains(&function)
    }

    /// An activation.
    pub fn activation(&self, id: ActivationId) -> &Activation {
        &self.activations[id.index()]
    }

    /// All activations, in the order in which they were found.
    pub fn activations(&self) -> impl Iterator<Item = (ActivationId, &Activation)> {
        (0..).map(ActivationId).zip(&self.activations)
    }

    /// The activation of a function that is called with no input that carries impact; what it calls is found too.
    pub fn root(&mut self, function: FunctionId) -> ActivationId {
        self.activate(function, Inputs::default())
    }

    /// The activation of a function with certain inputs that carry impact; what it calls is found too.
    pub fn activate(&mut self, function: FunctionId, inputs: Inputs) -> ActivationId {
        let mut found = Vec::new();
        let id = self.intern(function, inputs, &mut found);
        // Called functions come first, so that most callers are looked at when all is known; those that call each other
        // take turns.
        let mut work: BTreeMap<u32, VecDeque<ActivationId>> = BTreeMap::new();
        let mut queued: BTreeSet<ActivationId> = BTreeSet::new();
        loop {
            for each in found.drain(..) {
                if queued.insert(each) {
                    let rank = self.ranks.get(&self.activation(each).function).copied().unwrap_or(0);
                    work.entry(rank).or_default().push_back(each);
                }
            }
            let Some(mut lowest) = work.first_entry() else { return id };
            let Some(next) = lowest.get_mut().pop_front() else {
                lowest.remove();
                continue;
            };
            queued.remove(&next);
            if self.analyse(next, &mut found) {
                found.extend(self.callers[next.index()].iter().copied());
            }
        }
    }

    /// The activations that calls lead to from these, themselves included, by their functions.
    pub fn reached(&self, roots: &[ActivationId]) -> BTreeMap<FunctionId, BTreeSet<ActivationId>> {
        let mut found: BTreeMap<FunctionId, BTreeSet<ActivationId>> = BTreeMap::new();
        let mut work = roots.to_vec();
        while let Some(id) = work.pop() {
            let activation = self.activation(id);
            if found.entry(activation.function).or_default().insert(id) {
                work.extend(activation.calls.values());
            }
        }
        found
    }

    /// What is affected in a function in at least one of these activations of it. Every rule takes one affected
    /// statement to another, so that one derivation from all that the activations begin with finds what theirs find one
    /// by one.
    pub fn together<'i>(
        &self,
        function: FunctionId,
        ids: impl IntoIterator<Item = &'i ActivationId>,
    ) -> Together {
        let mut inputs = Inputs::default();
        let mut calls: BTreeMap<(NodeId, FunctionId), Vec<ActivationId>> = BTreeMap::new();
        for &id in ids {
            let activation = self.activation(id);
            inputs.add(&activation.inputs);
            for (&call, &called) in &activation.calls {
                let known = calls.entry(call).or_default();
                if let Err(place) = known.binary_search(&called) {
                    known.insert(place, called);
                }
            }
        }
        let readers = self.input_seeds(self.facts(function), &inputs);
        let made = |wanted: &dyn Fn(FunctionId) -> bool| {
            let wanted = calls.iter().filter(|((_, callee), _)| wanted(*callee));
            let made = wanted.flat_map(|(&call, called)| called.iter().map(move |&id| (call, id)));
            self.affected(function, &readers, made)
        };
        let all = made(&|_| true);
        // A function where nothing changed is affected by what it is given: that it is called is a reason only if there
        // is no other.
        let own = made(&|callee| self.is_dirty(callee));
        let affected = if own.agrees_with(&all) { own } else { all };
        Together { inputs, affected, calls }
    }

    /// The inputs among these that a statement reads.
    pub fn inputs_read(&self, function: FunctionId, node: NodeId, inputs: &Inputs) -> Inputs {
        let facts = self.facts(function);
        let reads = |inputs: &Inputs| {
            let used = |&parameter: &u32| {
                facts.parameters.get(parameter as usize).is_some_and(|(_, users)| users.contains(&node))
            };
            let footprint = facts.dependence.footprint(node);
            inputs.parameters.iter().any(used)
                || footprint.own_reads.iter().any(|place| self.is_input(facts, inputs, node, place))
        };
        let parameter =
            |&each: &u32| reads(&Inputs { parameters: BTreeSet::from([each]), ..Inputs::default() });
        let global =
            |&each: &GlobalId| reads(&Inputs { globals: BTreeSet::from([each]), ..Inputs::default() });
        let memory =
            |&each: &MemoryPlace| reads(&Inputs { memory: BTreeSet::from([each]), ..Inputs::default() });
        Inputs {
            parameters: inputs.parameters.iter().copied().filter(parameter).collect(),
            globals: inputs.globals.iter().copied().filter(global).collect(),
            memory: inputs.memory.iter().copied().filter(memory).collect(),
        }
    }

    fn intern(&mut self, function: FunctionId, inputs: Inputs, work: &mut Vec<ActivationId>) -> ActivationId {
        if let Some(&known) = self.index.get(&(function, inputs.clone())) {
            return known;
        }
        let count = &mut self.joined.entry(function).or_default();
        count.0 += 1;
        if count.0 > self.contexts {
            return self.join(function, &inputs, work);
        }
        let id = self.push(function, inputs.clone(), work);
        self.index.insert((function, inputs), id);
        id
    }

    /// The activation that stands for all contexts beyond those that are told apart, with these inputs as well.
    fn join(&mut self, function: FunctionId, inputs: &Inputs, work: &mut Vec<ActivationId>) -> ActivationId {
        let Some((_, Some(id))) = self.joined.get(&function).copied() else {
            let id = self.push(function, inputs.clone(), work);
            self.joined.entry(function).or_default().1 = Some(id);
            return id;
        };
        let mut all = self.activation(id).inputs.clone();
        all.add(inputs);
        if all != self.activation(id).inputs {
            let readers = self.input_seeds(self.facts(function), &all).into();
            let activation = &mut self.activations[id.index()];
            (activation.inputs, activation.readers) = (all, readers);
            work.push(id);
        }
        id
    }

    fn push(&mut self, function: FunctionId, inputs: Inputs, work: &mut Vec<ActivationId>) -> ActivationId {
        let id = ActivationId(self.activations.len() as u32);
        let facts = &self.functions[&function];
        let affected = Affected::none(&facts.graph);
        let readers = self.input_seeds(facts, &inputs).into();
        self.activations.push(Activation {
            function,
            inputs,
            affected,
            outputs: Outputs::default(),
            calls: BTreeMap::new(),
            readers,
            hands_on: false,
        });
        self.callers.push(BTreeSet::new());
        work.push(id);
        id
    }

    /// Finds what is affected in an activation, as far as those that it calls are known. Says whether something came
    /// out that was not known before.
    fn analyse(&mut self, id: ActivationId, found: &mut Vec<ActivationId>) -> bool {
        let (function, inputs, readers) = {
            let activation = self.activation(id);
            (activation.function, activation.inputs.clone(), Arc::clone(&activation.readers))
        };
        let mut calls = self.activation(id).calls.clone();
        loop {
            let affected =
                self.affected(function, &readers, calls.iter().map(|(&call, &called)| (call, called)));
            let carried = self.all_carried(function, &inputs, &affected, &calls);
            let mut next = BTreeMap::new();
            let mut tells = false;
            for ((node, callee), carried) in carried {
                let called = self.intern(callee, carried, found);
                self.callers[called.index()].insert(id);
                tells |= calls.get(&(node, callee)) != Some(&called) && self.activation(called).hands_on;
                next.insert((node, callee), called);
            }
            // Calls of which nothing is known yet tell nothing; this one is looked at again when something is.
            if !tells {
                let mut outputs = self.outputs(function, &affected);
                // What was proved of equal inputs says nothing of others.
                let held_back = self.held_back.get(&function).filter(|_| inputs.is_empty());
                held_back.iter().for_each(|held| held.keep_back(&mut outputs));
                let held_all = held_back.is_some_and(|held| held.all);
                let activation = &mut self.activations[id.index()];
                // Callers see what comes out, and whether there is something at all.
                let handed_on = activation.hands_on;
                let same = activation.outputs == outputs;
                (activation.affected, activation.outputs, activation.calls) = (affected, outputs, next);
                activation.hands_on = activation.is_affected() && !held_all;
                return !same || activation.hands_on != handed_on;
            }
            calls = next;
        }
    }

    /// For each call that matters, the inputs of the called function that carry impact.
    fn all_carried(
        &self,
        function: FunctionId,
        inputs: &Inputs,
        affected: &Affected,
        calls: &BTreeMap<(NodeId, FunctionId), ActivationId>,
    ) -> Vec<((NodeId, FunctionId), Inputs)> {
        let facts = self.facts(function);
        let flow = Flow::new(self, facts, inputs, affected);
        let mut found = Vec::new();
        for node in facts.graph.ids() {
            let mut known = NodeFlow::default();
            for &callee in &facts.callees[node.index()] {
                let mut carried = flow.carried(node, callee, &mut known);
                // What was once found is not given up: a called function that is not yet analysed carries nothing back.
                let before = calls.get(&(node, callee));
                if let Some(before) = before {
                    carried.add(&self.activation(*before).inputs);
                }
                if !carried.is_empty() || self.is_dirty(callee) || before.is_some() {
                    found.push(((node, callee), carried));
                }
            }
        }
        found
    }

    /// The affected statements of a function whose inputs these statements read, with these calls.
    fn affected(
        &self,
        function: FunctionId,
        readers: &[Step],
        calls: impl IntoIterator<Item = ((NodeId, FunctionId), ActivationId)>,
    ) -> Affected {
        let facts = self.facts(function);
        let mut seeds: Vec<Step> = self.seeds(function).collect();
        seeds.extend(readers);
        // What calls carry back, by the statement that makes them.
        let mut back: BTreeMap<NodeId, Vec<Arc<Back>>> = BTreeMap::new();
        let mut called_nodes = BTreeSet::new();
        for ((node, callee), called) in calls {
            let activation = self.activation(called);
            // What a thread writes is found by all who may read it (`threads`), and what it returns where its end is
            // waited for.
            if activation.hands_on && !facts.is_started(node, callee) {
                called_nodes.insert(node);
                back.entry(node).or_default().push(facts.back(node, callee, &activation.outputs));
            }
        }
        for (node, places) in facts.joins.iter().filter(|_| self.thread_results) {
            called_nodes.insert(*node);
            let readers = facts.dependence.own_readers_of(*node, places);
            let places = places.clone();
            back.entry(*node).or_default().push(Arc::new(Back { places, readers, used: false }));
        }
        seeds.extend(called_nodes.into_iter().map(|node| Step { node, rule: Rule::Calls, cause: None }));
        Affected::with_calls(&facts.graph, &facts.dependence, seeds, self.rules, back)
    }

    /// The statements that read inputs which carry impact.
    fn input_seeds(&self, facts: &FunctionFacts, inputs: &Inputs) -> Vec<Step> {
        if inputs.is_empty() {
            return Vec::new();
        }
        let mut readers: BTreeSet<NodeId> = BTreeSet::new();
        for &parameter in &inputs.parameters {
            let Some((_, users)) = facts.parameters.get(parameter as usize) else { continue };
            readers.extend(users);
        }
        for node in facts.graph.ids() {
            let reads = &facts.dependence.footprint(node).own_reads;
            if reads.iter().any(|place| self.is_input(facts, inputs, node, place)) {
                readers.insert(node);
            }
        }
        readers.into_iter().map(|node| Step { node, rule: Rule::Input, cause: None }).collect()
    }

    /// Whether a place holds, or may still hold, an input that carries impact when a statement is executed.
    pub(crate) fn is_input(
        &self,
        facts: &FunctionFacts,
        inputs: &Inputs,
        node: NodeId,
        place: &MemoryPlace,
    ) -> bool {
        let places = facts.dependence.places();
        let parameter = inputs.parameters.iter().any(|&parameter| {
            let homes = facts.parameters.get(parameter as usize).into_iter().flat_map(|(homes, _)| homes);
            let mut homes = homes.into_iter().filter(|home| places.may_overlap(home, place));
            homes.any(|home| facts.dependence.is_from_start(home, node))
        });
        let global = |&global: &GlobalId| {
            places.may_overlap(&MemoryPlace { base: Base::Global(global), range: None }, place)
        };
        parameter
            || inputs.globals.iter().any(global)
            || inputs.memory.iter().any(|memory| places.may_overlap(memory, place))
    }

    /// What of a function carries impact when it returns.
    fn outputs(&self, function: FunctionId, affected: &Affected) -> Outputs {
        let facts = self.facts(function);
        let mut outputs = facts.lost.clone();
        for node in affected.nodes().filter(|&node| affected.is_forward(node)) {
            let returns = facts.graph.node(node).kind == NodeKind::Return;
            outputs.result |= returns && affected.is_forward_itself(node);
            outputs.add(facts, &affected.carried(node, &facts.dependence));
        }
        outputs.memory = few(std::mem::take(&mut outputs.memory));
        outputs
    }
}

impl Outputs {
    /// Adds what is written.
    pub(crate) fn add(&mut self, facts: &FunctionFacts, places: &[MemoryPlace]) {
        for place in places {
            match place.base {
                Base::Result(_) => {}
                // Whoever knows its address may read it in another call of the function.
                Base::Local(local) => self.memory.extend(facts.dependence.places().seen_local(local)),
                Base::Global(global) => {
                    self.globals.insert(global);
                }
                _ => {
                    self.memory.insert(*place);
                }
            }
        }
    }
}

/// More places of memory are taken as one, which is anywhere.
const PLACES: usize = 64;

/// The same places, by fewer if they are many.
fn few(places: BTreeSet<MemoryPlace>) -> BTreeSet<MemoryPlace> {
    let everything = MemoryPlace::whole(Base::Everything);
    if places.contains(&everything) {
        return BTreeSet::from([everything]);
    }
    if places.contains(&MemoryPlace::memory()) {
        return BTreeSet::from([MemoryPlace::memory()]);
    }
    if places.len() <= PLACES {
        return places;
    }
    let whole: BTreeSet<MemoryPlace> = places.iter().map(|place| MemoryPlace::whole(place.base)).collect();
    if whole.len() <= PLACES { whole } else { BTreeSet::from([MemoryPlace::memory()]) }
}

/// For each function, a number that is higher than those of the functions that it calls, recursions aside.
fn ranks(functions: &BTreeMap<FunctionId, FunctionFacts>) -> BTreeMap<FunctionId, u32> {
    let ids: Vec<FunctionId> = functions.keys().copied().collect();
    let number = |id: &FunctionId| ids.binary_search(id).ok().map(|number| number as u32);
    let calls: Vec<Vec<u32>> =
        functions.values().map(|facts| facts.callees.iter().flatten().filter_map(number).collect()).collect();
    let components = Components::new(ids.len(), |function| &calls[function as usize]);
    ids.iter().zip(components.of).map(|(&id, rank)| (id, rank)).collect()
}

/// The functions in scope that are called, directly or through functions that are not in scope.
fn in_scope(effects: &Effects, scope: &BTreeSet<FunctionId>, calls: &[FunctionId]) -> Vec<FunctionId> {
    let mut found = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut work: Vec<FunctionId> = calls.to_vec();
    while let Some(function) = work.pop() {
        if scope.contains(&function) {
            found.insert(function);
        } else if seen.insert(function) {
            work.extend(effects.callees(function));
        }
    }
    found.into_iter().collect()
}
