//! What the arguments of calls are computed from.

use crate::effects::Effects;
use crate::facts::Facts;
use crate::pointers::Pointers;
use crate::synchronisation;
use crate::{Base, MemoryPlace, NodeId, StatementGraph};
use incise_ir::{Call, Callee, FunctionId, Id, Op, Operand, Program};
use std::collections::{BTreeMap, BTreeSet};

/// What one argument is computed from.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Argument {
    /// What is read for it.
    pub(crate) places: Vec<MemoryPlace>,
    /// The parameters of the calling function that are used for it as they came.
    pub(crate) parameters: BTreeSet<u32>,
    /// Whether it needs a value that the same statement makes, by another call.
    pub(crate) own: bool,
    /// Where it may point.
    pub(crate) targets: Vec<Target>,
}

/// Where an argument may point.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Target {
    pub(crate) base: Base,
    /// The distance from the start of the base, if it is constant.
    pub(crate) offset: Option<i64>,
}

impl Target {
    /// The place of which a called function accesses a range.
    pub(crate) fn place(&self, range: Option<(u64, u64)>) -> MemoryPlace {
        let moved = |at: u64| u64::try_from(self.offset?.checked_add(i64::try_from(at).ok()?)?).ok();
        let range = range.and_then(|(start, end)| Some((moved(start)?, moved(end)?)));
        MemoryPlace { base: self.base, range }
    }
}

impl Argument {
    fn add(&mut self, other: Self) {
        self.places.extend(other.places);
        self.parameters.extend(other.parameters);
        self.own |= other.own;
        self.targets.extend(other.targets);
        self.targets.sort_unstable();
        self.targets.dedup();
    }
}

/// For each statement and each function that it may call itself: the arguments, those of several calls together.
pub(crate) fn arguments(
    program: &Program,
    effects: &Effects,
    graph: &StatementGraph,
    callees: impl Fn(NodeId) -> Vec<FunctionId>,
) -> BTreeMap<(NodeId, FunctionId), Vec<Argument>> {
    let function = &program.functions[graph.function];
    let pointers = effects.pointers(program, graph.function);
    let mut roots: Vec<Option<NodeId>> = vec![None; function.instructions.len()];
    for node in graph.ids() {
        for root in &graph.node(node).roots {
            roots[root.index()] = Some(node);
        }
    }
    let mut found: BTreeMap<(NodeId, FunctionId), Vec<Argument>> = BTreeMap::new();
    for node in graph.ids() {
        for &root in &graph.node(node).roots {
            let (Op::Call(call) | Op::Invoke { call, .. }) = &function.instructions[root].op else {
                continue;
            };
            let called = match &call.callee {
                Callee::Direct(callee) => vec![*callee],
                Callee::Indirect(_) => callees(node),
                Callee::Intrinsic(_) | Callee::Assembly(_) => continue,
            };
            let walk = ArgumentWalk { effects, pointers: &pointers, roots: &roots, node };
            let mut add = |call: &Call, called: Vec<FunctionId>| {
                let arguments: Vec<Argument> =
                    (0..call.arguments.len()).map(|index| walk.argument(program, call, index)).collect();
                for callee in called {
                    let known = found.entry((node, callee)).or_default();
                    known.resize(known.len().max(arguments.len()), Argument::default());
                    for (known, argument) in known.iter_mut().zip(&arguments) {
                        known.add(argument.clone());
                    }
                }
            };
            add(call, called);
            if let Some(inner) = synchronisation::inner_call(program, call) {
                let started = effects.started(program, graph.function, root);
                add(&inner, started.map(|targets| targets.functions).unwrap_or_default());
            }
        }
    }
    found
}

struct ArgumentWalk<'w> {
    effects: &'w Effects,
    pointers: &'w Pointers<'w>,
    roots: &'w [Option<NodeId>],
    node: NodeId,
}

impl ArgumentWalk<'_> {
    fn argument(&self, program: &Program, call: &Call, index: usize) -> Argument {
        let mut argument = Argument::default();
        let mut facts = Facts::default();
        let operand = call.arguments[index];
        if let Some((_, ty)) = call.by_value.iter().find(|(number, _)| *number as usize == index) {
            facts.read(self.pointers, operand, Some(program.types.size_of(*ty)));
        }
        let mut seen = BTreeSet::new();
        let mut work = vec![operand];
        while let Some(operand) = work.pop() {
            let Operand::Value(value) = operand else { continue };
            if value.index() < self.pointers.function.parameters.len() {
                argument.parameters.insert(value.index() as u32);
                continue;
            }
            let Some((definition, instruction)) = self.pointers.definition(value) else { continue };
            if !seen.insert(definition) {
                continue;
            }
            if let Some(maker) = self.roots[definition.index()] {
                argument.own |= maker == self.node;
                facts.reads.push(MemoryPlace { base: Base::Result(value), range: None });
                continue;
            }
            self.effects.add_instruction(self.pointers, definition, &mut facts);
            instruction.op.for_each_operand(|operand| work.push(operand));
        }
        argument.places = facts.reads;
        argument.targets = self.pointers.targets(call.arguments[index]);
        argument
    }
}
