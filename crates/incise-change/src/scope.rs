//! The functions that a directed exploration looks into, and what is affected in each of their activations.
//!
//! Rungta, Person and Branchaud, "A Change Impact Analysis to Characterize Evolving Program Behaviors" (ICSM 2012), give each function one impact set for itself and one for each
//! formal parameter, and put them together by the calling context at run time. An [`Activation`] is that put together beforehand: a function with the set of its inputs that carry impact when it is called. Each combination that
//! occurs is analysed once. Where we differ:
//! - Impact also flows through global variables, through memory, and back through results and what a call writes; the paper leaves these out.
//! - What a removed statement wrote in the old version carries impact to whoever reads it after the call.
//!
//! A call is affected if something in the called function is, or if its arguments are. That a call is made at all because of an affected condition does not make everything
//! in the called function affected, as in the paper.

use crate::affected::{Affected, Rule, Rules, Step};
use crate::arguments::{Argument, arguments};
use crate::dependence::Dependence;
use crate::facts::Facts;
use crate::{Base, Effects, Gap, NodeId, NodeKind, Place, StatementGraph};
use incise_ir::{Callee, FunctionId, GlobalId, Id, InstructionId, Op, Operand, Program, ValueId};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The inputs of a function that carry impact when it is called.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Inputs {
    /// Parameters, from 0.
    pub parameters: BTreeSet<u32>,
    /// Global variables.
    pub globals: BTreeSet<GlobalId>,
    /// What pointers lead to.
    pub memory: bool,
}

impl Inputs {
    fn add(&mut self, other: &Self) {
        self.parameters.extend(&other.parameters);
        self.globals.extend(&other.globals);
        self.memory |= other.memory;
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.parameters.is_empty() && self.globals.is_empty() && !self.memory
    }
}

/// What of a function carries impact when it returns.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Outputs {
    /// Its result.
    pub result: bool,
    /// Global variables.
    pub globals: BTreeSet<GlobalId>,
    /// What pointers lead to.
    pub memory: bool,
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
}

impl Activation {
    /// Whether something is affected in it. Where nothing is left that could be, what was removed still is.
    pub fn is_affected(&self) -> bool {
        !self.affected.steps.is_empty() || self.outputs != Outputs::default()
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

/// What is known of one function, whoever calls it.
#[derive(Debug)]
pub struct FunctionFacts {
    /// Its statements.
    pub graph: StatementGraph,
    /// What depends on what.
    pub dependence: Dependence,
    /// For each statement, whether the change is met there.
    pub changes: Vec<bool>,
    /// Where the change is met between two statements.
    pub gaps: BTreeSet<Gap>,
    /// What is affected whoever calls the function.
    pub seeds: Vec<Step>,
    /// For each statement, the functions in scope that it may call, in order.
    pub callees: Vec<Vec<FunctionId>>,
    /// For each statement, whether it may fail or leave the program by itself, what it calls in scope aside.
    pub fails: Vec<bool>,
    /// For each statement, whether it makes more than one call.
    pub several_calls: Vec<bool>,
    /// Whether the function may not return.
    pub may_stop: bool,
    /// What removed statements of the old version wrote.
    pub lost: Outputs,
    /// For each parameter, the places that it lives in and the statements that use its value itself.
    pub(crate) parameters: Vec<(Vec<Place>, Vec<NodeId>)>,
    /// For each statement and each function that it calls itself, the arguments.
    pub(crate) arguments: BTreeMap<(NodeId, FunctionId), Vec<Argument>>,
}

impl FunctionFacts {
    /// What is known of a function that did not change.
    pub fn unchanged(program: &Program, effects: &Effects, function: FunctionId) -> Self {
        Self::new(program, effects, StatementGraph::new(program, function))
    }

    /// What is known of a function, without a change.
    pub fn new(program: &Program, effects: &Effects, graph: StatementGraph) -> Self {
        let dependence = Dependence::new(program, effects, &graph);
        let count = graph.nodes.len();
        let parameters = parameters(program, &graph);
        let callees = |node: NodeId| dependence.footprint(node).calls.clone();
        let arguments = arguments(program, effects, &graph, callees);
        Self {
            arguments,
            dependence,
            changes: vec![false; count],
            gaps: BTreeSet::new(),
            seeds: Vec::new(),
            callees: vec![Vec::new(); count],
            fails: vec![true; count],
            several_calls: several_calls(program, &graph),
            may_stop: effects.summary(graph.function).may_stop,
            lost: Outputs::default(),
            parameters,
            graph,
        }
    }
}

impl FunctionFacts {
    /// The same, of a function that the old version does not have.
    pub(crate) fn all_added(mut self) -> Self {
        self.changes.fill(true);
        self.seeds = self.graph.ids().map(|node| Step { node, rule: Rule::Added, cause: None }).collect();
        self
    }
}

/// Where each parameter lives: the variables that the start of the function puts it into, and the statements that use the value itself.
fn parameters(program: &Program, graph: &StatementGraph) -> Vec<(Vec<Place>, Vec<NodeId>)> {
    let function = &program.functions[graph.function];
    let mut found = vec![(Vec::new(), BTreeSet::new()); function.parameters.len()];
    for (id, instruction) in function.instructions.iter() {
        let owner = graph.owners[id.index()];
        if let (None, Op::Store { value: Operand::Value(value), pointer: Operand::Value(pointer), .. }) =
            (owner, &instruction.op)
            && let Some((places, _)) = found.get_mut(value.index())
        {
            let base = base_of(function, *pointer);
            places.push(Place { base: Base::Local(base), range: None });
            continue;
        }
        instruction.op.for_each_operand(|operand| {
            if let (Operand::Value(value), Some(owner)) = (operand, owner)
                && let Some((_, users)) = found.get_mut(value.index())
            {
                users.insert(owner);
            }
        });
    }
    for (index, parameter) in function.parameters.iter().enumerate() {
        if parameter.by_value.is_some() {
            found[index].0.push(Place { base: Base::Local(ValueId::from_index(index)), range: None });
        }
    }
    found.into_iter().map(|(places, users)| (places, users.into_iter().collect())).collect()
}

/// The variable that an address is a part of.
fn base_of(function: &incise_ir::Function, mut pointer: ValueId) -> ValueId {
    for (_, instruction) in function.instructions.iter() {
        if instruction.result == Some(pointer)
            && let Op::ElementPointer { base: Operand::Value(base), .. } = instruction.op
        {
            pointer = base;
        }
    }
    pointer
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
        Self {
            program,
            functions,
            activations: Vec::new(),
            index: BTreeMap::new(),
            callers: Vec::new(),
            dirty,
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
        (self.activations, self.index, self.callers) = (Vec::new(), BTreeMap::new(), Vec::new());
        self.dirty.clear();
        self
    }

    /// Adds functions in scope that a statement may call, beside those that the program shows.
    pub(crate) fn add_callees(&mut self, function: FunctionId, node: NodeId, callees: &[FunctionId]) {
        let known: BTreeSet<FunctionId> = self.functions.keys().copied().collect();
        if let Some(facts) = self.functions.get_mut(&function) {
            let list = &mut facts.callees[node.index()];
            list.extend(callees.iter().filter(|callee| known.contains(callee)));
            list.sort_unstable();
            list.dedup();
        }
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
        let mut work = VecDeque::new();
        let id = self.intern(function, inputs, &mut work);
        let mut queued: BTreeSet<ActivationId> = work.iter().copied().collect();
        while let Some(next) = work.pop_front() {
            queued.remove(&next);
            let mut found = VecDeque::new();
            if self.analyse(next, &mut found) {
                found.extend(self.callers[next.index()].iter().copied());
            }
            for each in found {
                if queued.insert(each) {
                    work.push_back(each);
                }
            }
        }
        id
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

    /// What is affected in a function in at least one of these activations of it. Every rule takes one affected statement to another, so that one derivation from all that the activations
    /// begin with finds what theirs find one by one.
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
        let made = |wanted: &dyn Fn(FunctionId) -> bool| {
            let wanted = calls.iter().filter(|((_, callee), _)| wanted(*callee));
            let made = wanted.flat_map(|(&(node, _), called)| called.iter().map(move |&id| (node, id)));
            self.affected(function, &inputs, made)
        };
        let all = made(&|_| true);
        // A function where nothing changed is affected by what it is given: that it is called is a reason only if there is no other.
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
                || footprint.reads.iter().any(|place| self.is_input(facts, inputs, place))
        };
        let parameter =
            |&each: &u32| reads(&Inputs { parameters: BTreeSet::from([each]), ..Inputs::default() });
        let global =
            |&each: &GlobalId| reads(&Inputs { globals: BTreeSet::from([each]), ..Inputs::default() });
        Inputs {
            parameters: inputs.parameters.iter().copied().filter(parameter).collect(),
            globals: inputs.globals.iter().copied().filter(global).collect(),
            memory: inputs.memory && reads(&Inputs { memory: true, ..Inputs::default() }),
        }
    }

    fn intern(
        &mut self,
        function: FunctionId,
        inputs: Inputs,
        work: &mut VecDeque<ActivationId>,
    ) -> ActivationId {
        if let Some(&known) = self.index.get(&(function, inputs.clone())) {
            return known;
        }
        let id = ActivationId(self.activations.len() as u32);
        let facts = &self.functions[&function];
        let affected = Affected::new(&facts.graph, &facts.dependence, [], self.rules);
        self.activations.push(Activation {
            function,
            inputs: inputs.clone(),
            affected,
            outputs: Outputs::default(),
            calls: BTreeMap::new(),
        });
        self.callers.push(BTreeSet::new());
        self.index.insert((function, inputs), id);
        work.push_back(id);
        id
    }

    /// Finds what is affected in an activation, as far as those that it calls are known. Says whether something came out that was not known before.
    fn analyse(&mut self, id: ActivationId, found: &mut VecDeque<ActivationId>) -> bool {
        let (function, inputs) = {
            let activation = self.activation(id);
            (activation.function, activation.inputs.clone())
        };
        let mut calls = self.activation(id).calls.clone();
        loop {
            let affected =
                self.affected(function, &inputs, calls.iter().map(|(&(node, _), &called)| (node, called)));
            let mut next = BTreeMap::new();
            let nodes: Vec<NodeId> = self.facts(function).graph.ids().collect();
            for node in nodes {
                for callee in self.facts(function).callees[node.index()].clone() {
                    let mut carried = self.carried(function, &inputs, &affected, node, callee);
                    // What was once found is not given up: a called function that is not yet analysed carries nothing back.
                    if let Some(known) = calls.get(&(node, callee)) {
                        carried.add(&self.activation(*known).inputs);
                    }
                    if carried.is_empty() && !self.is_dirty(callee) && !calls.contains_key(&(node, callee)) {
                        continue;
                    }
                    let called = self.intern(callee, carried, found);
                    self.callers[called.index()].insert(id);
                    next.insert((node, callee), called);
                }
            }
            if next == calls {
                let outputs = self.outputs(function, &affected);
                let activation = &mut self.activations[id.index()];
                let same = activation.affected.steps == affected.steps
                    && activation.outputs == outputs
                    && activation.calls == calls;
                (activation.affected, activation.outputs, activation.calls) = (affected, outputs, calls);
                return !same;
            }
            calls = next;
        }
    }

    /// The affected statements of a function with these inputs and these calls.
    fn affected(
        &self,
        function: FunctionId,
        inputs: &Inputs,
        calls: impl IntoIterator<Item = (NodeId, ActivationId)>,
    ) -> Affected {
        let facts = self.facts(function);
        let mut seeds = facts.seeds.clone();
        seeds.extend(self.input_seeds(facts, inputs));
        // What calls carry back, by the statement that makes them.
        let mut back: BTreeMap<NodeId, Vec<Place>> = BTreeMap::new();
        for (node, called) in calls {
            let activation = self.activation(called);
            if !activation.is_affected() {
                continue;
            }
            seeds.push(Step { node, rule: Rule::Calls, cause: None });
            let places = carried_back(facts, node, &activation.outputs);
            back.entry(node).or_default().extend(places);
        }
        Affected::with_calls(&facts.graph, &facts.dependence, seeds, self.rules, &back)
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
            let reads = &facts.dependence.footprint(node).reads;
            if reads.iter().any(|place| self.is_input(facts, inputs, place)) {
                readers.insert(node);
            }
        }
        readers.into_iter().map(|node| Step { node, rule: Rule::Input, cause: None }).collect()
    }

    /// Whether a place holds, or may still hold, an input that carries impact.
    fn is_input(&self, facts: &FunctionFacts, inputs: &Inputs, place: &Place) -> bool {
        let places = facts.dependence.places();
        let parameter = inputs.parameters.iter().any(|&parameter| {
            let homes = facts.parameters.get(parameter as usize).into_iter().flat_map(|(homes, _)| homes);
            homes.into_iter().any(|home| places.may_overlap(home, place))
        });
        let global = |&global: &GlobalId| {
            places.may_overlap(&Place { base: Base::Global(global), range: None }, place)
        };
        parameter
            || inputs.globals.iter().any(global)
            || (inputs.memory && places.may_overlap(&Place { base: Base::Memory, range: None }, place))
    }

    /// The inputs of a called function that carry impact.
    fn carried(
        &self,
        function: FunctionId,
        inputs: &Inputs,
        affected: &Affected,
        node: NodeId,
        callee: FunctionId,
    ) -> Inputs {
        let facts = self.facts(function);
        let impacted = |places: &[Place]| {
            places.iter().any(|place| self.is_input(facts, inputs, place))
                || facts
                    .dependence
                    .writers_of(node, places)
                    .into_iter()
                    .any(|writer| affected.is_forward(writer))
        };
        let mut carried = Inputs::default();
        let changed = facts.changes[node.index()];
        let own = |argument: &Argument| {
            argument.parameters.intersection(&inputs.parameters).next().is_some()
                || (argument.own && affected.is_forward(node))
        };
        match facts.arguments.get(&(node, callee)) {
            Some(arguments) => {
                for (index, argument) in arguments.iter().enumerate() {
                    if changed || own(argument) || impacted(&argument.places) {
                        carried.parameters.insert(index as u32);
                    }
                }
            }
            // It is called by a function that is not in scope, with arguments that only that knows.
            None => {
                if changed || affected.is_forward(node) {
                    carried.parameters.extend(0..self.program.functions[callee].parameters.len() as u32);
                }
            }
        }
        let callee_facts = self.facts(callee);
        let mut read: BTreeSet<Base> = BTreeSet::new();
        for each in callee_facts.graph.ids() {
            read.extend(callee_facts.dependence.footprint(each).reads.iter().map(|place| place.base));
        }
        for base in read {
            match base {
                Base::Global(global) if !self.program.globals[global].constant => {
                    if impacted(&[Place { base, range: None }]) {
                        carried.globals.insert(global);
                    }
                }
                Base::Result(_) | Base::Local(_) | Base::Global(_) => {}
                _ => carried.memory |= impacted(&[Place { base: Base::Memory, range: None }]),
            }
        }
        carried
    }

    /// What of a function carries impact when it returns.
    fn outputs(&self, function: FunctionId, affected: &Affected) -> Outputs {
        let facts = self.facts(function);
        let mut outputs = facts.lost.clone();
        for node in affected.nodes().filter(|&node| affected.is_forward(node)) {
            outputs.result |= facts.graph.node(node).kind == NodeKind::Return;
            outputs.add(facts, &affected.carried(node, &facts.dependence));
        }
        outputs
    }
}

impl Outputs {
    /// Adds what is written.
    pub(crate) fn add(&mut self, facts: &FunctionFacts, places: &[Place]) {
        for place in places {
            match place.base {
                Base::Result(_) => {}
                Base::Local(_) => {
                    let memory = Place { base: Base::Memory, range: None };
                    self.memory |= facts.dependence.places().may_overlap(place, &memory);
                }
                Base::Global(global) => {
                    self.globals.insert(global);
                }
                _ => self.memory = true,
            }
        }
    }
}

/// The places of the caller that carry impact after a call, because of what is affected in the called function.
fn carried_back(facts: &FunctionFacts, node: NodeId, outputs: &Outputs) -> Vec<Place> {
    let by_result = outputs.result;
    let places = facts.dependence.places();
    let carries = |place: &&Place| match place.base {
        Base::Result(_) => by_result,
        Base::Local(_) => {
            let memory = Place { base: Base::Memory, range: None };
            by_result || (outputs.memory && places.may_overlap(place, &memory))
        }
        Base::Global(global) => by_result || outputs.memory || outputs.globals.contains(&global),
        _ => by_result || outputs.memory,
    };
    let mut found: Vec<Place> =
        facts.dependence.footprint(node).writes.iter().filter(carries).copied().collect();
    // What a removed statement wrote is not among what the call writes now.
    found.extend(outputs.globals.iter().map(|&global| Place { base: Base::Global(global), range: None }));
    found.extend(outputs.memory.then_some(Place { base: Base::Memory, range: None }));
    found
}

/// For each statement, whether it may fail or leave the program, calls of functions in scope aside.
fn fails(
    program: &Program,
    effects: &Effects,
    graph: &StatementGraph,
    scope: &BTreeSet<FunctionId>,
) -> Vec<bool> {
    let function = &program.functions[graph.function];
    let pointers = effects.pointers(program, graph.function);
    let mut found = vec![false; graph.nodes.len()];
    for (id, instruction) in function.instructions.iter() {
        let Some(node) = graph.owners[id.index()] else { continue };
        if let Op::Call(call) | Op::Invoke { call, .. } = &instruction.op
            && let Callee::Direct(callee) = call.callee
            && scope.contains(&callee)
        {
            continue;
        }
        let mut facts = Facts::default();
        effects.add_instruction(&pointers, id, &mut facts);
        let called = |callee: &FunctionId| !scope.contains(callee) && effects.summary(*callee).may_stop;
        found[node.index()] |= facts.may_stop || facts.unknown || facts.calls.iter().any(called);
    }
    found
}

/// For each statement, whether it makes more than one call.
fn several_calls(program: &Program, graph: &StatementGraph) -> Vec<bool> {
    let function = &program.functions[graph.function];
    let is_call = |id: &InstructionId| {
        let op = &function.instructions[*id].op;
        matches!(op, Op::Call(_) | Op::Invoke { .. })
    };
    graph.nodes.iter().map(|node| node.roots.iter().filter(|root| is_call(root)).count() > 1).collect()
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
