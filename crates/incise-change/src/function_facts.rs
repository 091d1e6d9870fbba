//! What is known of one function, whoever calls it: its statements, what depends on what, and answers that its
//! activations ask for again and again.

use crate::affected::{Back, Rule, Step};
use crate::arguments::{Argument, arguments};
use crate::dependence::Dependence;
use crate::facts::Facts;
use crate::places::Sight;
use crate::scope::Outputs;
use crate::synchronisation::Synchronisation;
use crate::threads::synchronising;
use crate::{Base, Effects, Gap, MemoryPlace, NodeId, StatementGraph};
use incise_ir::{Callee, FunctionId, GlobalId, Id, InstructionId, Op, Operand, Program, ValueId};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

/// Answers that were found and may be asked for again.
type Answers<K, V> = Mutex<FxHashMap<K, V>>;

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
    /// The global variables that it reads, what it calls included, constants aside.
    pub(crate) read_globals: BTreeSet<GlobalId>,
    /// What it reads through pointers, what it calls included.
    pub(crate) read_memory: Vec<MemoryPlace>,
    /// What carries impact after a call with certain outputs, as far as it was asked for.
    pub(crate) backs: Answers<(NodeId, FunctionId, Outputs), Arc<Back>>,
    /// For places, who may write there, as far as it was asked for.
    pub(crate) place_writers: Answers<MemoryPlace, Arc<[NodeId]>>,
    /// For each parameter, the places that it lives in and the statements that use its value itself.
    pub(crate) parameters: Vec<(Vec<MemoryPlace>, Vec<NodeId>)>,
    /// For each statement and each function that it calls itself, the arguments.
    pub(crate) arguments: BTreeMap<(NodeId, FunctionId), Vec<Argument>>,
    /// The functions that statements start in new threads, and do not call.
    pub(crate) started: BTreeSet<(NodeId, FunctionId)>,
    /// The statements that wait for the end of a thread, and where they put what it returned.
    pub(crate) joins: Vec<(NodeId, Vec<MemoryPlace>)>,
}

impl FunctionFacts {
    /// What is known of a function that did not change, where the functions of `scope` are looked at with their calls.
    pub(crate) fn unchanged(
        program: &Program,
        effects: &Effects,
        function: FunctionId,
        scope: &BTreeSet<FunctionId>,
        sight: Sight,
    ) -> Self {
        Self::new(program, effects, StatementGraph::new(program, function), scope, sight)
    }

    /// What is known of a function, without a change, where the functions of `scope` are looked at with their calls.
    pub(crate) fn new(
        program: &Program,
        effects: &Effects,
        graph: StatementGraph,
        scope: &BTreeSet<FunctionId>,
        sight: Sight,
    ) -> Self {
        let dependence = Dependence::apart(program, effects, &graph, scope, sight);
        let count = graph.nodes.len();
        let parameters = parameters(program, &graph);
        let callees = |node: NodeId| dependence.footprint(node).calls.clone();
        let arguments = arguments(program, effects, &graph, callees);
        let (started, joins) = (started(program, effects, &graph), joins(program, effects, &graph));
        let (mut read_globals, mut read_memory) = (BTreeSet::new(), BTreeSet::new());
        for &place in graph.ids().flat_map(|node| &dependence.footprint(node).reads) {
            match place.base {
                Base::Global(global) if !program.globals[global].constant => {
                    read_globals.insert(global);
                }
                Base::Result(_) | Base::Global(_) => {}
                // What an earlier call left in a variable of that name is another variable; one of a call that has not
                // returned is an object.
                Base::Local(_) => {}
                _ => {
                    read_memory.insert(place);
                }
            }
        }
        Self {
            arguments,
            started,
            joins,
            read_globals,
            read_memory: few_places(read_memory),
            backs: Mutex::default(),
            place_writers: Mutex::default(),
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
    /// Whether a statement starts a function in a new thread, and does not call it.
    pub(crate) fn is_started(&self, node: NodeId, callee: FunctionId) -> bool {
        self.started.contains(&(node, callee))
    }

    /// What carries impact after a call of a function with such outputs.
    pub(crate) fn back(&self, node: NodeId, callee: FunctionId, outputs: &Outputs) -> Arc<Back> {
        let mut known = self.backs.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (node, callee, outputs.clone());
        if let Some(back) = known.get(&key) {
            return Arc::clone(back);
        }
        let mut places: Vec<MemoryPlace> =
            outputs.globals.iter().map(|&global| MemoryPlace::whole(Base::Global(global))).collect();
        places.extend(outputs.memory.iter().flat_map(|place| self.passed(node, callee, place)));
        places.sort_unstable();
        places.dedup();
        let readers = self.dependence.own_readers_of(node, &places);
        let own = &self.dependence.footprint(node).own_reads;
        let overlaps = |place| places.iter().any(|each| self.dependence.places().may_overlap(each, place));
        let used = outputs.result || own.iter().any(overlaps);
        let back = Arc::new(Back { places, readers, used });
        known.insert(key, Arc::clone(&back));
        back
    }

    /// The statements that may write a place.
    pub(crate) fn place_writers(&self, place: &MemoryPlace) -> Arc<[NodeId]> {
        let mut known = self.place_writers.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(known.entry(*place).or_insert_with(|| self.dependence.all_writers_of(place).into()))
    }

    /// What a place of a function is for a statement that calls it.
    pub(crate) fn passed(&self, node: NodeId, callee: FunctionId, place: &MemoryPlace) -> Vec<MemoryPlace> {
        match place.base {
            Base::Pointee(parameter) => {
                let argument = self.arguments.get(&(node, callee)).and_then(|all| all.get(parameter.index()));
                match argument {
                    Some(argument) => {
                        argument.targets.iter().map(|target| target.place(place.range)).collect()
                    }
                    // Only the function in between knows what it passes.
                    None => vec![MemoryPlace::memory()],
                }
            }
            Base::Object(object) => {
                vec![MemoryPlace { base: self.dependence.places().object_base(object), ..*place }]
            }
            _ => vec![*place],
        }
    }

    /// The same, of a function that the old version does not have.
    pub(crate) fn all_added(mut self) -> Self {
        self.changes.fill(true);
        self.seeds = self.graph.ids().map(|node| Step { node, rule: Rule::Added, cause: None }).collect();
        self
    }
}

/// The functions that statements start in new threads, and do not call.
fn started(program: &Program, effects: &Effects, graph: &StatementGraph) -> BTreeSet<(NodeId, FunctionId)> {
    let mut started = BTreeSet::new();
    let starting: BTreeSet<InstructionId> = synchronising(program, graph)
        .filter(|each| each.how == Synchronisation::Starts)
        .map(|each| {
            let targets = effects.started(program, graph.function, each.instruction);
            let targets = targets.map(|targets| targets.functions).unwrap_or_default();
            started.extend(targets.into_iter().map(|target| (each.node, target)));
            each.instruction
        })
        .collect();
    if started.is_empty() {
        return started;
    }
    for node in graph.ids() {
        for &root in graph.node(node).roots.iter().filter(|root| !starting.contains(root)) {
            let called = effects.targets(program, graph.function, root);
            called.into_iter().flat_map(|called| called.functions).for_each(|callee| {
                started.remove(&(node, callee));
            });
        }
    }
    started
}

/// The statements that wait for the end of a thread, and where they put what it returned.
fn joins(program: &Program, effects: &Effects, graph: &StatementGraph) -> Vec<(NodeId, Vec<MemoryPlace>)> {
    let calls: Vec<_> =
        synchronising(program, graph).filter(|each| each.how == Synchronisation::Joins).collect();
    if calls.is_empty() {
        return Vec::new();
    }
    let pointers = effects.pointers(program, graph.function);
    let places = |call: &incise_ir::Call| {
        let result = call.arguments.get(1).filter(|&&to| pointers.constant_integer(to) != Some(0));
        result.map_or_else(Vec::new, |&to| pointers.access(to, Some(8), true).places)
    };
    calls.iter().map(|each| (each.node, places(each.call))).filter(|(_, places)| !places.is_empty()).collect()
}

/// Where each parameter lives: the variables that the start of the function puts it into, and the statements that use
/// the value itself.
fn parameters(program: &Program, graph: &StatementGraph) -> Vec<(Vec<MemoryPlace>, Vec<NodeId>)> {
    let function = &program.functions[graph.function];
    let mut found = vec![(Vec::new(), BTreeSet::new()); function.parameters.len()];
    for (id, instruction) in function.instructions.iter() {
        let owner = graph.owners[id.index()];
        if let (None, Op::Store { value: Operand::Value(value), pointer: Operand::Value(pointer), .. }) =
            (owner, &instruction.op)
            && let Some((places, _)) = found.get_mut(value.index())
        {
            let base = base_of(function, *pointer);
            places.push(MemoryPlace { base: Base::Local(base), range: None });
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
            found[index].0.push(MemoryPlace { base: Base::Local(ValueId::from_index(index)), range: None });
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

/// Places that are read are told apart up to so many.
const READ_PLACES: usize = 64;

/// The same places, by fewer if they are many.
fn few_places(places: BTreeSet<MemoryPlace>) -> Vec<MemoryPlace> {
    let (everything, memory) = (MemoryPlace::whole(Base::Everything), MemoryPlace::memory());
    if places.contains(&everything) || places.contains(&memory) {
        return vec![memory];
    }
    if places.len() <= READ_PLACES {
        return places.into_iter().collect();
    }
    let whole: BTreeSet<MemoryPlace> = places.iter().map(|place| MemoryPlace::whole(place.base)).collect();
    if whole.len() <= READ_PLACES { whole.into_iter().collect() } else { vec![memory] }
}

/// For each statement, whether it may fail or leave the program, calls of functions in scope aside.
pub(crate) fn fails(
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
