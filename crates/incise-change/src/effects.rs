//! What calling each function of a program may do: summaries from the leaves of the call graph up.
//!
//! A summary covers everything that happens until the function returns, in the functions that it calls as well.
//! Functions that call each other share one. What a function does to what its parameters point to is said so, and each
//! caller knows what it passes; other memory is told by the objects that pointers may point to in the whole program
//! ([`PointsTo`]). A call by address may mean the functions whose address comes there; where it may come from
//! elsewhere, every function whose address is used and whose parameters fit; if there is none, or the code of a called
//! function is not part of the program and not known by name, the summary says `unknown`, and everything may be read
//! and written.

use crate::bits::BitSet;
use crate::candidates::Candidates;
use crate::components::Components;
use crate::facts::{Facts, Surroundings, is_constant};
use crate::library;
use crate::places::{Base, MemoryPlace};
use crate::pointers::{Pointers, globals_in};
use crate::points_to::{ObjectId, ObjectKind, PointsTo, SparseSet, Targets};
use crate::synchronisation;
use incise_ir::{
    Call, Callee, Cfg, Function, FunctionId, GlobalId, Id, InstructionId, Linkage, Op, Program, Symbol,
};
use std::collections::BTreeSet;
use std::sync::Arc;

/// What calling a function may do.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// Whether it may read memory through a pointer, other than that of its own frame.
    pub reads_memory: bool,
    /// Whether it may write memory through a pointer, other than that of its own frame.
    pub writes_memory: bool,
    /// Whether it may not return: fail, leave the program, or run forever. Every loop may.
    pub may_stop: bool,
    /// Whether it may decide between several ways.
    pub decides: bool,
    /// Whether it may call code that nobody can see, and so may do everything.
    pub unknown: bool,
    /// What it may read outside of its own frame, in order; what its parameters point to as [`Base::Pointee`].
    /// Constants are left out.
    pub reads: Vec<MemoryPlace>,
    /// What it may write outside of its own frame, in order; what its parameters point to as [`Base::Pointee`].
    pub writes: Vec<MemoryPlace>,
    globals_read: BitSet,
    globals_written: BitSet,
}

/// What calling each function of a program may do.
#[derive(Debug)]
pub struct Effects {
    surroundings: Surroundings,
    points_to: Arc<PointsTo>,
    /// The global variables that can be written, in order: those that summaries tell of.
    variables: Vec<GlobalId>,
    /// For each global variable, its place in `variables`.
    numbers: Vec<Option<u32>>,
    /// For each global variable, whether pointers may point to it.
    exposed: Vec<bool>,
    /// For each function, those that it may call itself, in order.
    callees: Vec<Vec<FunctionId>>,
    /// For each function, the group of functions that call each other which it belongs to.
    groups: Vec<u32>,
    /// For each group, whether its functions may call themselves again.
    recursive: Vec<bool>,
    /// For each group, whether a function of it may be called before another call of it returns: it is recursive, or
    /// calls code that may call anything.
    reentrant: Vec<bool>,
    /// For each group, what calling its functions may do.
    summaries: Vec<Summary>,
}

impl Effects {
    /// The effects of all functions of a program, wherever execution begins.
    pub fn new(program: &Program) -> Self {
        Self::with_overflow_checks(program, false)
    }

    /// The effects of all functions of a program, wherever execution begins; `overflow` tells whether signed arithmetic
    /// that does not fit stops the program.
    pub fn with_overflow_checks(program: &Program, overflow: bool) -> Self {
        let is_entry = |function: &Function| function.is_definition() && !function.model;
        let functions = program.functions.iter().filter(|(_, function)| is_entry(function));
        Self::build(program, overflow, functions.map(|(id, _)| id).collect(), PointsTo::with_candidates)
    }

    /// The effects of the functions of a program in executions that begin in one of `entries`: more is known of where
    /// pointers point. Of functions that such executions do not call, less is known.
    pub fn for_entries(program: &Program, overflow: bool, entries: &[FunctionId]) -> Self {
        Self::build(program, overflow, entries.iter().copied().collect(), PointsTo::with_candidates)
    }

    /// The same, where nothing was executed before but entries: variables that only the program knows hold what it puts
    /// there.
    pub(crate) fn as_left_by_entries(program: &Program, overflow: bool, entries: &[FunctionId]) -> Self {
        Self::build(program, overflow, entries.iter().copied().collect(), PointsTo::as_left_by_entries)
    }

    fn build(
        program: &Program,
        overflow: bool,
        entries: BTreeSet<FunctionId>,
        points_to: fn(&Program, &BTreeSet<FunctionId>, &Candidates) -> PointsTo,
    ) -> Self {
        let variables: Vec<GlobalId> =
            program.globals.iter().filter(|(_, global)| !global.constant).map(|(id, _)| id).collect();
        let mut numbers = vec![None; program.globals.len()];
        for (number, global) in variables.iter().enumerate() {
            numbers[global.index()] = Some(number as u32);
        }
        let candidates = Candidates::new(program);
        let points_to = points_to(program, &entries, &candidates);
        let surroundings = Surroundings::new(program, candidates, overflow);
        let (callees, unknown): (Vec<_>, Vec<_>) =
            program.functions.ids().map(|id| find_callees(program, &surroundings, &points_to, id)).unzip();
        let mut effects = Self {
            surroundings,
            points_to: Arc::new(points_to),
            variables,
            numbers,
            exposed: exposed_by_declaration(program),
            callees,
            groups: Vec::new(),
            recursive: Vec::new(),
            reentrant: Vec::new(),
            summaries: Vec::new(),
        };
        effects.summarise(program, &unknown);
        effects
    }

    /// What calling a function may do.
    pub fn summary(&self, function: FunctionId) -> &Summary {
        &self.summaries[self.groups[function.index()] as usize]
    }

    /// The global variables that calling a function may read by name or through pointers that are known to point to
    /// them, in order. Those that are never written are left out.
    pub fn globals_read(&self, function: FunctionId) -> impl Iterator<Item = GlobalId> + '_ {
        self.summary(function).globals_read.iter().map(|number| self.variables[number])
    }

    /// The global variables that calling a function may write by name or through pointers that are known to point to
    /// them, in order.
    pub fn globals_written(&self, function: FunctionId) -> impl Iterator<Item = GlobalId> + '_ {
        self.summary(function).globals_written.iter().map(|number| self.variables[number])
    }

    /// The functions that a function may call itself, in order. What unknown code calls is not among them.
    pub fn callees(&self, function: FunctionId) -> &[FunctionId] {
        &self.callees[function.index()]
    }

    /// Whether calling `from` may lead to a call of `to`. A function leads to itself only if it is recursive.
    pub fn may_reach(&self, from: FunctionId, to: FunctionId) -> bool {
        let (source, target) = (self.groups[from.index()], self.groups[to.index()]);
        if source == target {
            return self.recursive[source as usize];
        }
        // A group has a higher number than those that it calls.
        source > target && self.walk(from, target).contains(to.index())
    }

    /// All functions that calling a function may lead to a call of, in order.
    pub fn reachable(&self, from: FunctionId) -> Vec<FunctionId> {
        self.walk(from, 0).iter().map(FunctionId::from_index).collect()
    }

    /// Whether a pointer may point to a global variable: its address is used as a value, or other modules can see it.
    pub fn is_exposed(&self, global: GlobalId) -> bool {
        self.exposed[global.index()]
    }

    /// Whether a function may be called again before it returns.
    pub fn is_recursive(&self, function: FunctionId) -> bool {
        self.recursive[self.groups[function.index()] as usize]
    }

    /// Where the pointers of the program may point.
    pub fn points_to(&self) -> &PointsTo {
        &self.points_to
    }

    /// The functions that a call may mean, those without a body included, and whether that is all; `None` for any other
    /// instruction.
    pub(crate) fn targets(
        &self,
        program: &Program,
        caller: FunctionId,
        at: InstructionId,
    ) -> Option<Targets> {
        let call = call_at(program, caller, at)?;
        self.surroundings.targets(program, &self.points_to, caller, at, call)
    }

    /// The functions that a call starts in new threads, or that the function it calls is given to call; `None` for
    /// other instructions.
    pub(crate) fn started(
        &self,
        program: &Program,
        caller: FunctionId,
        at: InstructionId,
    ) -> Option<Targets> {
        let call = call_at(program, caller, at)?;
        self.surroundings.inner_targets(program, &self.points_to, caller, at, call)
    }

    /// The functions that run when a function ends the program.
    pub(crate) fn exit_handlers(&self, name: &str) -> &[FunctionId] {
        self.surroundings.exit_handlers(name)
    }

    pub(crate) fn shared_points_to(&self) -> &Arc<PointsTo> {
        &self.points_to
    }

    /// The pointers of a function.
    pub(crate) fn pointers<'p>(&'p self, program: &'p Program, function: FunctionId) -> Pointers<'p> {
        let reentrant = self.reentrant[self.groups[function.index()] as usize];
        Pointers::new(program, &self.points_to, function, reentrant)
    }

    /// Adds what an instruction does, what it calls included.
    pub(crate) fn add_instruction(&self, pointers: &Pointers<'_>, id: InstructionId, facts: &mut Facts) {
        self.add_instruction_without(pointers, id, &|_| false, facts);
    }

    /// Adds what an instruction does, what functions do that it calls and that are left out aside.
    pub(crate) fn add_instruction_without(
        &self,
        pointers: &Pointers<'_>,
        id: InstructionId,
        left_out: &dyn Fn(FunctionId) -> bool,
        facts: &mut Facts,
    ) {
        let calls_before = facts.calls.len();
        self.surroundings.add(pointers, id, facts);
        let (Op::Call(call) | Op::Invoke { call, .. }) = &pointers.function.instructions[id].op else {
            return;
        };
        for index in calls_before..facts.calls.len() {
            let function = facts.calls[index];
            if !left_out(function) && pointers.program.functions[function].is_definition() {
                self.add_summary(pointers, call, function, facts);
            }
        }
    }

    /// Adds what a called function does.
    fn add_summary(&self, pointers: &Pointers<'_>, call: &Call, function: FunctionId, facts: &mut Facts) {
        let summary = self.summary(function);
        // A thread, and what is done once, get other arguments than the call that starts them.
        let inner = match call.callee {
            Callee::Direct(callee) if callee != function => {
                synchronisation::inner_call(pointers.program, call)
            }
            _ => None,
        };
        let call = inner.as_ref().unwrap_or(call);
        add_passed(pointers, call, &summary.reads, &mut facts.reads);
        let before = facts.writes.len();
        add_passed(pointers, call, &summary.writes, &mut facts.writes);
        let written = facts.writes.split_off(before);
        facts.writes.extend(written.into_iter().filter(|place| !is_constant(pointers.program, place)));
        facts.may_stop |= summary.may_stop;
        facts.decides |= summary.decides;
        facts.unknown |= summary.unknown;
    }

    /// The functions that are called below a function, those of groups below `limit` aside.
    fn walk(&self, from: FunctionId, limit: u32) -> BitSet {
        let mut found = BitSet::new(self.callees.len());
        let mut work = self.callees(from).to_vec();
        while let Some(function) = work.pop() {
            if self.groups[function.index()] >= limit && found.insert(function.index()) {
                work.extend(self.callees(function));
            }
        }
        found
    }

    /// Finds what calling each function does. `unknown` tells for each whether it calls code that nobody can see.
    fn summarise(&mut self, program: &Program, unknown: &[bool]) {
        let calls: Vec<Vec<u32>> = (self.callees.iter())
            .map(|callees| callees.iter().map(|callee| callee.index() as u32).collect())
            .collect();
        let components = Components::new(calls.len(), |function| &calls[function as usize]);
        self.recursive = components.cyclic;
        self.groups = components.of;
        let mut calls_unknown: Vec<bool> = Vec::with_capacity(components.members.len());
        for (group, members) in components.members.iter().enumerate() {
            let callees = members.iter().flat_map(|&member| &calls[member as usize]);
            let mut below = callees.map(|&callee| self.groups[callee as usize] as usize);
            let found = members.iter().any(|&member| unknown[member as usize])
                || below.any(|callee| callee != group && calls_unknown[callee]);
            calls_unknown.push(found);
            self.reentrant.push(found || self.recursive[group]);
        }
        for (group, members) in components.members.iter().enumerate() {
            let mut summary = Summary { may_stop: self.recursive[group], ..Summary::default() };
            let mut facts = Facts::default();
            let mut exposed = Vec::new();
            for &member in members {
                let id = FunctionId::from_index(member as usize);
                let function = &program.functions[id];
                match function.is_definition() {
                    true => {
                        self.add_function(program, id, group as u32, &mut summary, &mut facts, &mut exposed)
                    }
                    false => add_declaration(function, &mut summary, &mut facts),
                }
            }
            exposed.into_iter().for_each(|global: GlobalId| self.exposed[global.index()] = true);
            summary.may_stop |= facts.may_stop;
            summary.decides |= facts.decides;
            summary.unknown |= facts.unknown;
            (summary.reads, summary.globals_read) = self.compact(facts.reads);
            (summary.writes, summary.globals_written) = self.compact(facts.writes);
            summary.reads_memory = summary.reads.iter().any(is_memory);
            summary.writes_memory = summary.writes.iter().any(is_memory);
            self.summaries.push(summary);
        }
    }

    /// Adds what a function does until it returns, calls of its own group aside, to what the group does.
    fn add_function(
        &self,
        program: &Program,
        id: FunctionId,
        group: u32,
        summary: &mut Summary,
        facts: &mut Facts,
        exposed: &mut Vec<GlobalId>,
    ) {
        let pointers = self.pointers(program, id);
        let (mut reads, mut writes) = (std::mem::take(&mut facts.reads), std::mem::take(&mut facts.writes));
        let own_group = |callee: FunctionId| self.groups[callee.index()] == group;
        for (at, instruction) in pointers.function.instructions.iter() {
            self.add_instruction_without(&pointers, at, &own_group, facts);
            pointers.for_each_exposed(&instruction.op, |global| exposed.push(global));
            summary.decides |= has_several_ways(&instruction.op);
            facts.calls.clear();
        }
        summary.may_stop |= has_loop(pointers.function);
        for (list, all) in [(&mut facts.reads, &mut reads), (&mut facts.writes, &mut writes)] {
            list.sort_unstable();
            list.dedup();
            list.drain(..).for_each(|place| self.add_outside_of_frame(program, id, place, all));
        }
        (facts.reads, facts.writes) = (reads, writes);
    }

    /// Adds a place as callers see it, if it is outside of the frame.
    fn add_outside_of_frame(
        &self,
        program: &Program,
        id: FunctionId,
        place: MemoryPlace,
        all: &mut Vec<MemoryPlace>,
    ) {
        match place.base {
            Base::Local(_) | Base::Result(_) => {}
            Base::Global(global) if program.globals[global].constant => {}
            // Whoever calls one function of a group does not know what the others are given.
            Base::Pointee(parameter) if self.is_recursive(id) => {
                let view = self.points_to.view(id, parameter);
                if view.borrow().is_anything() {
                    all.push(MemoryPlace::memory());
                } else {
                    all.extend(view.outside.then_some(MemoryPlace::whole(Base::Outside)));
                    let objects = view.objects.iter().map(|number| ObjectId::from_index(number as usize));
                    all.extend(objects.map(|object| MemoryPlace::whole(self.base_of(object))));
                }
            }
            _ => all.push(place),
        }
    }

    /// How everybody names an object.
    pub(crate) fn base_of(&self, object: ObjectId) -> Base {
        match self.points_to.kind(object) {
            ObjectKind::Global(global) => Base::Global(global),
            _ => Base::Object(object),
        }
    }

    /// Brings places into order, the many into few, and tells the global variables among them.
    fn compact(&mut self, mut places: Vec<MemoryPlace>) -> (Vec<MemoryPlace>, BitSet) {
        places.sort_unstable();
        places.dedup();
        let mut found: Vec<MemoryPlace> = Vec::new();
        for same in places.chunk_by(|left, right| left.base == right.base) {
            add_ranges(same, &mut found);
        }
        let is_object =
            |place: &MemoryPlace| matches!(place.base, Base::Global(_) | Base::Object(_) | Base::Objects(_));
        if found.iter().filter(|place| is_object(place)).count() > NAMED_PLACES {
            let mut objects = SparseSet::default();
            for place in found.iter().filter(|place| is_object(place)) {
                self.add_objects(place.base, &mut objects);
            }
            found.retain(|place| !is_object(place));
            let set = Arc::get_mut(&mut self.points_to).map(|points_to| points_to.name_set(objects));
            found.push(MemoryPlace::whole(set.map_or(Base::Memory, Base::Objects)));
            found.sort_unstable();
        }
        let mut globals = BitSet::new(self.variables.len());
        let mut objects = SparseSet::default();
        found.iter().for_each(|place| self.add_objects(place.base, &mut objects));
        for number in objects.iter() {
            if let ObjectKind::Global(global) = self.points_to.kind(ObjectId::from_index(number as usize))
                && let Some(number) = self.numbers[global.index()]
            {
                globals.insert(number as usize);
            }
        }
        (found, globals)
    }

    /// Adds the objects that a base stands for.
    fn add_objects(&self, base: Base, objects: &mut SparseSet) {
        match base {
            Base::Global(global) => {
                if let Some(object) = self.points_to.object(ObjectKind::Global(global)) {
                    objects.insert(object.index() as u32);
                }
            }
            Base::Object(object) => {
                objects.insert(object.index() as u32);
            }
            Base::Objects(set) => {
                objects.extend(self.points_to.sets().get(set));
            }
            _ => {}
        }
    }
}

/// A summary that touches more objects names them as one set.
const NAMED_PLACES: usize = 48;

/// A summary that touches more ranges of one object touches all of it.
const RANGES: usize = 8;

/// Whether a place is reached through a pointer.
fn is_memory(place: &MemoryPlace) -> bool {
    !matches!(place.base, Base::Global(_) | Base::Local(_) | Base::Result(_))
}

/// Adds the places of one base, in order, with as few ranges as they need.
fn add_ranges(same: &[MemoryPlace], found: &mut Vec<MemoryPlace>) {
    let base = same[0].base;
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for place in same {
        let Some((start, end)) = place.range else { return found.push(MemoryPlace::whole(base)) };
        match ranges.last_mut() {
            Some(last) if start <= last.1 => last.1 = last.1.max(end),
            _ => ranges.push((start, end)),
        }
    }
    if ranges.len() > RANGES {
        return found.push(MemoryPlace::whole(base));
    }
    found.extend(ranges.into_iter().map(|range| MemoryPlace { base, range: Some(range) }));
}

/// Adds what a called function touches as its caller sees it.
fn add_passed(pointers: &Pointers<'_>, call: &Call, touched: &[MemoryPlace], places: &mut Vec<MemoryPlace>) {
    for place in touched {
        match place.base {
            Base::Pointee(parameter) => {
                if let Some(&argument) = call.arguments.get(parameter.index()) {
                    pointers.add_passed(argument, place.range, places);
                }
            }
            Base::Object(object) => {
                places.push(MemoryPlace { base: pointers.object_base(object), range: place.range });
            }
            _ => places.push(*place),
        }
    }
}

/// The functions that a function may call itself, in order, and whether it may call code that nobody can see.
fn find_callees(
    program: &Program,
    surroundings: &Surroundings,
    points_to: &PointsTo,
    id: FunctionId,
) -> (Vec<FunctionId>, bool) {
    let mut callees = BTreeSet::new();
    let mut unknown = false;
    for (at, instruction) in program.functions[id].instructions.iter() {
        let (Op::Call(call) | Op::Invoke { call, .. }) = &instruction.op else { continue };
        let Some(targets) = surroundings.targets(program, points_to, id, at, call) else {
            unknown |= matches!(call.callee, Callee::Assembly(_));
            continue;
        };
        unknown |= !targets.resolved;
        for function in targets.functions {
            callees.insert(function);
            let called = &program.functions[function];
            if !called.is_definition() {
                callees.extend(surroundings.exit_handlers(&called.name));
                unknown |= !library::is_known(&called.name);
            }
        }
    }
    (callees.into_iter().collect(), unknown)
}

/// What a call of a function without a body does depends on its arguments and is told where it stands. This is for
/// calls of which nothing is known.
fn add_declaration(function: &Function, summary: &mut Summary, facts: &mut Facts) {
    if !library::is_pure(&function.name) {
        facts.reads.push(MemoryPlace::memory());
        facts.writes.push(MemoryPlace::memory());
    }
    summary.unknown = !library::is_known(&function.name);
    (summary.may_stop, summary.decides) = (true, true);
}

/// For each global variable, whether its address is known before any code runs.
fn exposed_by_declaration(program: &Program) -> Vec<bool> {
    let mut exposed: Vec<bool> =
        program.globals.iter().map(|(_, global)| global.linkage != Linkage::Internal).collect();
    let initializers = program.globals.iter().filter_map(|(_, global)| global.initializer);
    let aliases = program.symbols.values().filter_map(|symbol| match symbol {
        Symbol::Alias(constant) => Some(*constant),
        _ => None,
    });
    for constant in initializers.chain(aliases) {
        globals_in(program, constant).into_iter().for_each(|global| exposed[global.index()] = true);
    }
    exposed
}

/// The call that an instruction is.
fn call_at(program: &Program, caller: FunctionId, at: InstructionId) -> Option<&incise_ir::Call> {
    match &program.functions[caller].instructions[at].op {
        Op::Call(call) | Op::Invoke { call, .. } => Some(call),
        _ => None,
    }
}

fn has_several_ways(op: &Op) -> bool {
    let mut first = None;
    let mut several = false;
    // Only the normal side of an invoke is executed.
    if !matches!(op, Op::Invoke { .. }) {
        op.for_each_successor(|target| several |= *first.get_or_insert(target) != target);
    }
    several
}

fn has_loop(function: &Function) -> bool {
    let cfg = Cfg::new(function);
    let is_backward =
        |&from: &incise_ir::BlockId| cfg.successors(from).iter().any(|&to| cfg.order(to) <= cfg.order(from));
    cfg.reverse_postorder().iter().any(is_backward)
}
