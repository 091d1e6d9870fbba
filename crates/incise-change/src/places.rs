//! What statements read and write.
//!
//! The footprint of a statement is that of the instructions that do something and of all that compute values for them,
//! wherever these stand; a value that another statement makes is read as its result. Calls count by their summaries
//! ([`Effects`]).
//!
//! Places are told apart by what the function itself shows (its variables, global variables by name, constant byte
//! ranges, what a parameter pointed to when the function was called) and, for all other pointers, by the objects that
//! they may point to in the whole program ([`PointsTo`]).

use crate::effects::Effects;
use crate::facts::Facts;
use crate::graph::{NodeId, StatementGraph};
use crate::pointers::Pointers;
use crate::points_to::{ObjectId, ObjectKind, ObjectSetId, PointsTo, View, ViewRef};
use incise_ir::{Callee, FunctionId, GlobalId, Id, InstructionId, Op, Operand, Program, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::sync::Arc;

/// What a place is a part of.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Base {
    /// A value that a statement makes and others use, without a variable in between.
    Result(ValueId),
    /// An object of the function's own: that of an `alloca`, or the copy behind a parameter that is passed by value.
    Local(ValueId),
    /// A global variable.
    Global(GlobalId),
    /// What this parameter pointed to when the function was called. The pointer itself is never changed.
    Pointee(ValueId),
    /// An object that pointers lead to: on the heap, a variable of another function, or one of this function in a call
    /// that has not returned.
    Object(ObjectId),
    /// One of many objects.
    Objects(ObjectSetId),
    /// What code outside of the program may know: inputs, and objects whose address got there.
    Outside,
    /// Anything whose address may be known to others.
    Memory,
    /// What unknown code may touch: memory, and also global variables that no pointer points to, because it may call
    /// back.
    Everything,
}

/// A place that is read or written.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MemoryPlace {
    /// What it is a part of.
    pub base: Base,
    /// Its bytes, from the first to one past the last, if they are constant. All of the base otherwise.
    pub range: Option<(u64, u64)>,
}

impl MemoryPlace {
    /// Somewhere in memory.
    pub(crate) fn memory() -> Self {
        Self { base: Base::Memory, range: None }
    }

    pub(crate) fn whole(base: Base) -> Self {
        Self { base, range: None }
    }
}

/// What a statement does to the rest of its function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Footprint {
    /// What it may read, in order.
    pub reads: Vec<MemoryPlace>,
    /// What it may write, in order.
    pub writes: Vec<MemoryPlace>,
    /// What of that it may read by itself, and not in functions that are looked at with their calls, in order.
    pub own_reads: Vec<MemoryPlace>,
    /// What of that it may write by itself, in order.
    pub own_writes: Vec<MemoryPlace>,
    /// Whether the program may stop in it: it fails, leaves the program, or calls what may run forever.
    pub may_stop: bool,
    /// Whether there may be several ways to go on from inside of it. The branch of a condition is not counted.
    pub decides: bool,
    /// The functions that it may call itself, in order, those without a body included.
    pub calls: Vec<FunctionId>,
    /// Whether code that nobody can see may be called, by it or further down.
    pub calls_unknown: bool,
    /// Whether it calls by an address: which function that is may be another.
    pub calls_by_address: bool,
}

/// What counts of the code that nobody can see.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Sight {
    /// Everything that it may do.
    All,
    /// What it does by what it returns, and to objects of the program that it is given.
    Program,
}

/// The footprints of the statements of a function.
#[derive(Clone, Debug)]
pub struct Places {
    function: FunctionId,
    /// Whether the function may run again before it returns.
    recursive: bool,
    points_to: Arc<PointsTo>,
    footprints: Vec<Footprint>,
    /// The objects of the function's own that others may know the address of.
    escaped: FxHashSet<ValueId>,
    /// The global variables among the places, and how they are known.
    globals: FxHashMap<GlobalId, Exposure>,
    /// For each parameter among the places, what it may point to.
    pointees: FxHashMap<ValueId, View>,
}

/// How far a global variable is known.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Exposure {
    /// It is never written.
    Constant,
    /// Only by its name.
    Named,
    /// Pointers may point to it.
    Pointed,
}

impl Places {
    /// The footprints of the statements of a graph.
    pub fn new(program: &Program, effects: &Effects, graph: &StatementGraph) -> Self {
        Self::apart(program, effects, graph, &BTreeSet::new(), Sight::All)
    }

    /// The same, where these functions are looked at with their calls.
    pub(crate) fn apart(
        program: &Program,
        effects: &Effects,
        graph: &StatementGraph,
        apart: &BTreeSet<FunctionId>,
        sight: Sight,
    ) -> Self {
        let points_to = Arc::clone(effects.shared_points_to());
        let pointers = effects.pointers(program, graph.function);
        let mut footprints = FootprintWalk::new(&pointers, effects, graph, apart, sight).footprints();
        add_results(&pointers, graph, &mut footprints);
        let mut globals = FxHashMap::default();
        let mut pointees = FxHashMap::default();
        for place in footprints.iter().flat_map(|footprint| footprint.reads.iter().chain(&footprint.writes)) {
            match place.base {
                Base::Global(global) => {
                    globals.entry(global).or_insert_with(|| match program.globals[global].constant {
                        true => Exposure::Constant,
                        false if effects.is_exposed(global) => Exposure::Pointed,
                        false => Exposure::Named,
                    });
                }
                Base::Pointee(value) => {
                    pointees.entry(value).or_insert_with(|| points_to.view(graph.function, value));
                }
                _ => {}
            }
        }
        let (function, escaped) = (graph.function, pointers.escaped());
        let recursive = pointers.recursive;
        Self { function, recursive, footprints, escaped, globals, pointees, points_to }
    }

    /// What a statement reads and writes.
    pub fn footprint(&self, node: NodeId) -> &Footprint {
        &self.footprints[node.index()]
    }

    /// Whether two places of this function's footprints may have a byte in common, one that may be written.
    pub fn may_overlap(&self, left: &MemoryPlace, right: &MemoryPlace) -> bool {
        (left.base == right.base || self.bases_overlap(left.base, right.base))
            && self.parts_overlap(left, right)
    }

    /// Whether two places whose bases overlap may have a byte in common.
    pub(crate) fn parts_overlap(&self, left: &MemoryPlace, right: &MemoryPlace) -> bool {
        left.base != right.base || ranges_overlap(left.range, right.range)
    }

    /// Whether two different bases may have a byte in common.
    pub(crate) fn bases_overlap(&self, left: Base, right: Base) -> bool {
        use Base::*;
        match (left, right) {
            (Result(_), _) | (_, Result(_)) => false,
            (Local(_), Pointee(_) | Global(_) | Local(_)) | (Pointee(_) | Global(_), Local(_)) => false,
            (Local(local), Memory | Everything) | (Memory | Everything, Local(local)) => {
                self.escaped.contains(&local)
            }
            (Local(local), other) | (other, Local(local)) => self.leads_to_local(other, local),
            (Global(_), Global(_)) => false,
            (Global(global), Everything) | (Everything, Global(global)) => {
                self.exposure(global) != Exposure::Constant
            }
            (Global(global), other) | (other, Global(global)) => self.leads_to_global(other, global),
            (Memory | Everything, _) | (_, Memory | Everything) => true,
            (Object(_), Object(_)) => false,
            (left, right) => self.with_view(left, |left| {
                self.with_view(right, |right| self.points_to.sets().overlap(left, right))
            }),
        }
    }

    /// How the function names an object.
    pub(crate) fn object_base(&self, object: ObjectId) -> Base {
        named_base(&self.points_to, object, self.function, self.recursive)
    }

    /// A variable of the function as others see it who have its address.
    pub(crate) fn seen_local(&self, local: ValueId) -> Option<MemoryPlace> {
        if !self.escaped.contains(&local) {
            return None;
        }
        let object = self.points_to.object(ObjectKind::Local(self.function, local));
        Some(object.map_or(MemoryPlace::memory(), |object| MemoryPlace::whole(Base::Object(object))))
    }

    /// Whether a base overlaps no other base.
    pub(crate) fn is_private(&self, base: Base) -> bool {
        match base {
            Base::Result(_) => true,
            Base::Local(local) => !self.escaped.contains(&local),
            Base::Global(global) => self.exposure(global) == Exposure::Constant,
            _ => false,
        }
    }

    fn leads_to_local(&self, base: Base, local: ValueId) -> bool {
        let object = self.points_to.object(ObjectKind::Local(self.function, local));
        let escaped = self.escaped.contains(&local);
        escaped && object.is_some_and(|object| self.leads_to(base, object))
    }

    fn leads_to_global(&self, base: Base, global: GlobalId) -> bool {
        let Some(object) = self.points_to.object(ObjectKind::Global(global)) else { return false };
        match self.exposure(global) {
            Exposure::Constant => false,
            Exposure::Pointed => self.leads_to(base, object),
            // A pointer that may point anywhere does not know a variable whose address is not used.
            Exposure::Named => self
                .with_view(base, |view| !view.is_anything() && self.points_to.sets().contains(view, object)),
        }
    }

    fn leads_to(&self, base: Base, object: ObjectId) -> bool {
        self.with_view(base, |view| self.points_to.sets().contains(view, object))
    }

    /// What a base that pointers lead to may be.
    fn with_view<T>(&self, base: Base, look: impl FnOnce(ViewRef<'_>) -> T) -> T {
        match base {
            Base::Pointee(value) => match self.pointees.get(&value) {
                Some(view) => look(view.borrow()),
                None => look(self.points_to.view(self.function, value).borrow()),
            },
            Base::Object(object) => look(View::of(object).borrow()),
            Base::Objects(set) => {
                let objects = self.points_to.sets().get(set);
                look(ViewRef { objects, outside: false, unknown: false, harmless: false })
            }
            Base::Outside => look(View { outside: true, ..View::default() }.borrow()),
            _ => look(View { unknown: true, ..View::default() }.borrow()),
        }
    }

    fn exposure(&self, global: GlobalId) -> Exposure {
        self.globals.get(&global).copied().unwrap_or(Exposure::Pointed)
    }
}

/// How a function names an object.
pub(crate) fn named_base(
    points_to: &PointsTo,
    object: ObjectId,
    function: FunctionId,
    recursive: bool,
) -> Base {
    match points_to.kind(object) {
        ObjectKind::Global(global) => Base::Global(global),
        // In a function that is called again meanwhile it may be that of another call.
        ObjectKind::Local(owner, value) if owner == function && !recursive => Base::Local(value),
        _ => Base::Object(object),
    }
}

/// Whether two ranges have a byte in common.
pub(crate) fn ranges_overlap(left: Option<(u64, u64)>, right: Option<(u64, u64)>) -> bool {
    match (left, right) {
        (Some((start, end)), Some((other_start, other_end))) => start < other_end && other_start < end,
        _ => true,
    }
}

/// Collects footprints statement by statement.
struct FootprintWalk<'w, 'p> {
    pointers: &'w Pointers<'p>,
    effects: &'w Effects,
    graph: &'w StatementGraph,
    /// For each instruction, the statement that it is a root of.
    root_of: Vec<Option<NodeId>>,
    /// For each instruction, the last walk that met it.
    met: Vec<u32>,
    walks: u32,
    /// The variable that holds the result until the function returns, which no statement reads.
    result_variable: Option<ValueId>,
    /// The functions that are looked at with their calls.
    apart: &'w BTreeSet<FunctionId>,
    sight: Sight,
}

impl<'w, 'p> FootprintWalk<'w, 'p> {
    fn new(
        pointers: &'w Pointers<'p>,
        effects: &'w Effects,
        graph: &'w StatementGraph,
        apart: &'w BTreeSet<FunctionId>,
        sight: Sight,
    ) -> Self {
        let count = pointers.function.instructions.len();
        let mut root_of = vec![None; count];
        for id in graph.ids() {
            for &root in &graph.node(id).roots {
                root_of[root.index()] = Some(id);
            }
        }
        let result_variable = result_variable(pointers, graph);
        Self {
            pointers,
            effects,
            graph,
            root_of,
            met: vec![0; count],
            walks: 0,
            result_variable,
            apart,
            sight,
        }
    }

    fn footprints(&mut self) -> Vec<Footprint> {
        self.graph.ids().map(|node| self.footprint(node)).collect()
    }

    fn footprint(&mut self, node: NodeId) -> Footprint {
        let (mut facts, mut own) = (Facts::default(), Facts::default());
        let is_phi =
            |root: &InstructionId| matches!(self.pointers.function.instructions[*root].op, Op::Phi(_));
        let (joins, others): (Vec<_>, Vec<_>) =
            self.graph.node(node).roots.iter().partition(|root| is_phi(root));
        // A join takes what was computed before, in an earlier turn of the loop by its own statement.
        self.walk(node, joins, true, &mut facts, &mut own);
        self.walk(node, others, false, &mut facts, &mut own);
        for facts in [&mut facts, &mut own] {
            if facts.unknown && self.sight == Sight::All {
                facts.reads.push(MemoryPlace::whole(Base::Everything));
                facts.writes.push(MemoryPlace::whole(Base::Everything));
            }
            if let Some(variable) = self.result_variable {
                facts.writes.retain(|place| place.base != Base::Local(variable));
            }
            for list in [&mut facts.reads, &mut facts.writes] {
                list.sort_unstable();
                list.dedup();
            }
        }
        facts.calls.sort_unstable();
        facts.calls.dedup();
        Footprint {
            reads: facts.reads,
            writes: facts.writes,
            own_reads: own.reads,
            own_writes: own.writes,
            may_stop: facts.may_stop,
            decides: facts.decides,
            calls: facts.calls,
            calls_unknown: facts.unknown,
            calls_by_address: self.calls_by_address(node),
        }
    }

    fn calls_by_address(&self, node: NodeId) -> bool {
        let by_address = |root: &InstructionId| match &self.pointers.function.instructions[*root].op {
            Op::Call(call) | Op::Invoke { call, .. } => matches!(call.callee, Callee::Indirect(_)),
            _ => false,
        };
        self.graph.node(node).roots.iter().any(by_address)
    }

    /// Adds what roots of a statement do, with all that computes values for them. `own_results` tells whether values of
    /// the statement's own roots are read.
    fn walk(
        &mut self,
        node: NodeId,
        roots: Vec<InstructionId>,
        own_results: bool,
        facts: &mut Facts,
        own: &mut Facts,
    ) {
        self.walks += 1;
        let mut work = roots;
        while let Some(id) = work.pop() {
            if std::mem::replace(&mut self.met[id.index()], self.walks) == self.walks {
                continue;
            }
            self.effects.add_instruction(self.pointers, id, facts);
            let left_out = |callee: FunctionId| self.apart.contains(&callee);
            self.effects.add_instruction_without(self.pointers, id, &left_out, own);
            self.pointers.function.instructions[id].op.for_each_operand(|operand| {
                let Operand::Value(value) = operand else { return };
                let Some((definition, _)) = self.pointers.definition(value) else { return };
                match self.root_of[definition.index()] {
                    None => work.push(definition),
                    Some(maker) if maker == node && !own_results => {}
                    Some(_) => {
                        facts.reads.push(MemoryPlace::whole(Base::Result(value)));
                        own.reads.push(MemoryPlace::whole(Base::Result(value)));
                    }
                }
            });
        }
    }
}

/// The variable that holds the result until the function returns, if returning is no statement of its own.
fn result_variable(pointers: &Pointers<'_>, graph: &StatementGraph) -> Option<ValueId> {
    let function = pointers.function;
    let reachable = function.blocks.ids().filter(|&block| graph.cfg.is_reachable(block));
    reachable.map(|block| function.terminator(block)).find_map(|id| {
        let Op::Return(Some(Operand::Value(value))) = function.instructions[id].op else { return None };
        if graph.owners[id.index()].is_some() {
            return None;
        }
        match pointers.definition(value)?.1.op {
            Op::Load { pointer: Operand::Value(variable), .. } => Some(variable),
            _ => None,
        }
    })
}

/// Adds the results that statements read to what the statements that make them write.
fn add_results(pointers: &Pointers<'_>, graph: &StatementGraph, footprints: &mut [Footprint]) {
    let read: FxHashSet<ValueId> = (footprints.iter())
        .flat_map(|footprint| &footprint.reads)
        .filter_map(|place| match place.base {
            Base::Result(value) => Some(value),
            _ => None,
        })
        .collect();
    for (footprint, node) in footprints.iter_mut().zip(&graph.nodes) {
        let results = node.roots.iter().filter_map(|&root| pointers.function.instructions[root].result);
        let used = results.filter(|value| read.contains(value));
        let used: Vec<MemoryPlace> = used.map(|value| MemoryPlace::whole(Base::Result(value))).collect();
        for writes in [&mut footprint.writes, &mut footprint.own_writes] {
            writes.extend(&used);
            writes.sort_unstable();
        }
    }
}
