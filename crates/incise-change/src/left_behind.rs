//! What an execution of one entry leaves behind for those that follow.
//!
//! Global variables are there for everybody. Memory is there for whoever gets at it: a later execution does so through
//! pointers that the program itself keeps in global variables; or because code hands it on that nobody can see, its
//! caller above all. [`Handing`] tells which of the two counts.

use crate::effects::Effects;
use crate::function_facts::FunctionFacts;
use crate::places::{Base, MemoryPlace};
use crate::pointers::globals_in;
use crate::points_to::{ObjectId, ObjectKind, View};
use crate::scope::{Inputs, Outputs};
use incise_ir::{
    CastOp, ConstantId, DebugType, DebugTypeId, Encoding, FunctionId, GlobalId, Op, Operand, Program,
};
use std::collections::{BTreeMap, BTreeSet};

/// Who leads a later execution to memory that carries impact.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Handing {
    /// Only what the program itself keeps.
    Kept,
    /// Also code that nobody can see: whoever calls its entries, and what these call.
    Unseen,
}

/// What carries impact after executions of some entries.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct LeftBehind {
    globals: BTreeSet<GlobalId>,
    /// Memory, as the whole program names it.
    memory: BTreeSet<MemoryPlace>,
}

impl LeftBehind {
    /// Adds what carries impact out of a function.
    pub(crate) fn add(&mut self, effects: &Effects, function: FunctionId, outputs: &Outputs) {
        self.globals.extend(&outputs.globals);
        for place in &outputs.memory {
            self.memory.extend(effects.seen_places(function, place));
        }
    }

    /// What of it a function can read, whoever leads it there.
    pub(crate) fn found_by(&self, program: &Program, effects: &Effects, facts: &FunctionFacts) -> Inputs {
        let globals = self.globals.iter().map(|&global| MemoryPlace::whole(Base::Global(global)));
        let left: BTreeSet<MemoryPlace> = self.memory.iter().copied().chain(globals).collect();
        let memory = read_of(program, effects, facts, &left);
        Inputs { memory, ..self.globals_found_by(program, effects, facts) }
    }

    /// The same, where nobody leads it to memory but what the program itself keeps.
    pub(crate) fn kept_for(
        &self,
        program: &Program,
        effects: &Effects,
        facts: &FunctionFacts,
        keepers: &Keepers,
    ) -> Inputs {
        let function = facts.graph.function;
        let led = keepers.led_to(program, effects, function);
        // What the C library keeps, its files above all, is not the program's.
        let globals = self.globals.iter().filter(|&&global| !program.globals[global].model);
        let globals = globals.map(|&global| MemoryPlace::whole(Base::Global(global)));
        let left: Vec<MemoryPlace> = self.memory.iter().copied().chain(globals).collect();
        let part = |place| effects.part_led_to(program, &led, (function, place));
        let memory: BTreeSet<MemoryPlace> = left.iter().flat_map(part).collect();
        let mut found = self.globals_found_by(program, effects, facts);
        // A variable that the program only reads is written by those whose callers hand them its address.
        let is_kept =
            |global: &GlobalId| self.globals.contains(global) || keepers.used.is_written(program, *global);
        found.globals.retain(|global| !program.globals[*global].model && is_kept(global));
        Inputs { memory: read_of(program, effects, facts, &memory), ..found }
    }

    /// The global variables among it that a function can read.
    fn globals_found_by(&self, program: &Program, effects: &Effects, facts: &FunctionFacts) -> Inputs {
        let function = facts.graph.function;
        let is_left = |global: GlobalId| {
            let place = MemoryPlace::whole(Base::Global(global));
            let overlaps = |left| effects.may_overlap(program, (function, left), (function, &place));
            self.globals.contains(&global) || self.memory.iter().any(overlaps)
        };
        let globals = facts.read_globals.iter().copied().filter(|&global| is_left(global)).collect();
        Inputs { globals, ..Inputs::default() }
    }
}

/// What a function reads through pointers that may be a part of some places, as it names it.
fn read_of(
    program: &Program,
    effects: &Effects,
    facts: &FunctionFacts,
    left: &BTreeSet<MemoryPlace>,
) -> BTreeSet<MemoryPlace> {
    let function = facts.graph.function;
    let is_left = |place: &MemoryPlace| {
        left.iter().any(|left| effects.may_overlap(program, (function, left), (function, place)))
    };
    facts.read_memory.iter().copied().filter(is_left).collect()
}

/// Where the program itself keeps memory from one execution to the next.
pub(crate) struct Keepers {
    /// The global variables and constants that may hold the address of memory, and what it leads to.
    globals: BTreeMap<GlobalId, View>,
    used: UsedGlobals,
}

impl Keepers {
    pub(crate) fn new(program: &Program, effects: &Effects) -> Self {
        let mut types = Addresses { program, numbers: makes_pointers(program), known: BTreeMap::new() };
        let anything = || View { unknown: true, ..View::default() };
        let used = UsedGlobals::new(program);
        let mut found = Self { globals: BTreeMap::new(), used };
        let own = || program.globals.iter().filter(|(_, global)| !global.model);
        for (id, global) in own().filter(|(id, _)| found.used.is_written(program, *id)) {
            if global.debug_type.is_none_or(|ty| types.may_hold(ty)) {
                let reached = effects.points_to().reached_from(id).cloned().unwrap_or_else(anything);
                found.globals.insert(id, reached);
            }
        }
        let unwritten: Vec<(GlobalId, View)> = own()
            .filter(|(id, _)| !found.used.is_written(program, *id))
            .filter_map(|(id, global)| {
                Some((id, found.held_from_start(program, effects, global.initializer)?))
            })
            .collect();
        found.globals.extend(unwritten);
        found
    }

    /// What a constant, or a variable that the program does not write, leads to by its initial value, if anything. What
    /// others put there is what they hand on.
    fn held_from_start(
        &self,
        program: &Program,
        effects: &Effects,
        initial: Option<ConstantId>,
    ) -> Option<View> {
        let mut all = nothing();
        let mut seen = BTreeSet::new();
        let mut work: Vec<GlobalId> =
            initial.into_iter().flat_map(|each| globals_in(program, each)).collect();
        while let Some(id) = work.pop() {
            if !seen.insert(id) {
                continue;
            }
            let global = &program.globals[id];
            if global.constant {
                work.extend(global.initializer.into_iter().flat_map(|each| globals_in(program, each)));
                continue;
            }
            let object = effects.points_to().object(ObjectKind::Global(id));
            object.into_iter().for_each(|object| add_view(&mut all, &View::of(object)));
            self.globals.get(&id).into_iter().for_each(|view| add_view(&mut all, view));
        }
        (!all.objects.is_empty()).then_some(all)
    }

    /// What a function, or one that it calls, may come to through what the program keeps.
    fn led_to(&self, program: &Program, effects: &Effects, function: FunctionId) -> View {
        let mut all = nothing();
        let read = effects.globals_read(function).filter_map(|global| self.globals.get(&global));
        read.for_each(|view| add_view(&mut all, view));
        let mut constants = self.globals.iter().filter(|(id, _)| program.globals[**id].constant).peekable();
        if constants.peek().is_some() {
            let mut run: BTreeSet<FunctionId> = effects.reachable(function).into_iter().collect();
            run.insert(function);
            let is_named = |id| self.used.named.get(id).is_some_and(|by| !by.is_disjoint(&run));
            constants.filter(|(id, _)| is_named(id)).for_each(|(_, view)| add_view(&mut all, view));
        }
        all
    }
}

/// What pointers lead to that point nowhere.
fn nothing() -> View {
    View { harmless: true, ..View::default() }
}

fn add_view(all: &mut View, view: &View) {
    all.objects.extend(&view.objects);
    all.outside |= view.outside;
    all.unknown |= view.unknown;
}

/// What a program does with its global variables.
struct UsedGlobals {
    /// Those that it writes by their names, or uses the address of.
    written: BTreeSet<GlobalId>,
    /// For each constant, the functions that name it, themselves or by other constants.
    named: BTreeMap<GlobalId, BTreeSet<FunctionId>>,
}

impl UsedGlobals {
    fn new(program: &Program) -> Self {
        let mut found = Self { written: BTreeSet::new(), named: BTreeMap::new() };
        for (id, function) in program.functions.iter() {
            for (_, instruction) in function.instructions.iter() {
                let reads = matches!(instruction.op, Op::Load { .. });
                instruction.op.for_each_operand(|operand| {
                    if let Operand::Constant(constant) = operand {
                        found.note(program, id, constant, reads);
                    }
                });
            }
        }
        for constant in program.globals.iter().filter_map(|(_, global)| global.initializer) {
            found.written.extend(globals_in(program, constant));
        }
        found
    }

    /// Notes what a function does with the global variables that a constant names.
    fn note(&mut self, program: &Program, function: FunctionId, constant: ConstantId, reads: bool) {
        let mut work = globals_in(program, constant);
        if !reads {
            self.written.extend(&work);
        }
        while let Some(global) = work.pop() {
            let each = &program.globals[global];
            if each.constant && self.named.entry(global).or_default().insert(function) {
                work.extend(each.initializer.into_iter().flat_map(|constant| globals_in(program, constant)));
            }
        }
    }

    /// Whether the program itself may write a variable.
    fn is_written(&self, program: &Program, global: GlobalId) -> bool {
        self.written.contains(&global) && !program.globals[global].constant
    }
}

/// Whether a program makes pointers from numbers.
fn makes_pointers(program: &Program) -> bool {
    let makes = |op: &Op| matches!(op, Op::Cast { op: CastOp::IntegerToPointer, .. });
    let functions = program.functions.iter().filter(|(_, function)| !function.model);
    functions.flat_map(|(_, function)| function.instructions.iter()).any(|(_, each)| makes(&each.op))
}

/// Which types of the source may hold the address of memory.
struct Addresses<'p> {
    program: &'p Program,
    /// Whether numbers may.
    numbers: bool,
    known: BTreeMap<DebugTypeId, bool>,
}

impl Addresses<'_> {
    fn may_hold(&mut self, ty: DebugTypeId) -> bool {
        if let Some(&known) = self.known.get(&ty) {
            return known;
        }
        // A type contains itself only through pointers, which are not followed.
        self.known.insert(ty, true);
        let found = match &self.program.debug_types[ty] {
            DebugType::Basic { bits, encoding, .. } => {
                let number = matches!(encoding, Encoding::Signed | Encoding::Unsigned);
                number && *bits >= 64 && self.numbers
            }
            DebugType::Pointer(target) => !target.is_some_and(|target| self.is_function(target)),
            DebugType::Composite { members, .. } => {
                members.is_empty() || members.iter().any(|member| self.may_hold(member.ty))
            }
            // Bytes may be those of anything.
            DebugType::Array { element, counts } => {
                (self.is_byte(*element) && counts.iter().any(|count| count.is_none_or(|count| count >= 8)))
                    || self.may_hold(*element)
            }
            DebugType::Enumeration { .. } | DebugType::Function(_) => false,
            DebugType::Typedef { target, .. } | DebugType::Qualified { target, .. } => {
                target.is_none_or(|target| self.may_hold(target))
            }
            DebugType::Unknown => true,
        };
        self.known.insert(ty, found);
        found
    }

    /// The type behind its names.
    fn plain(&self, mut ty: DebugTypeId) -> Option<&DebugType> {
        for _ in 0..self.program.debug_types.len() {
            match &self.program.debug_types[ty] {
                DebugType::Typedef { target, .. } | DebugType::Qualified { target, .. } => ty = (*target)?,
                found => return Some(found),
            }
        }
        None
    }

    fn is_function(&self, ty: DebugTypeId) -> bool {
        matches!(self.plain(ty), Some(DebugType::Function(_)))
    }

    fn is_byte(&self, ty: DebugTypeId) -> bool {
        matches!(self.plain(ty), Some(DebugType::Basic { bits: 8, .. }))
    }
}

impl Effects {
    /// A place of a function as the whole program names it.
    fn seen_places(&self, function: FunctionId, place: &MemoryPlace) -> Vec<MemoryPlace> {
        let Base::Pointee(parameter) = place.base else { return vec![*place] };
        let view = self.points_to().view(function, parameter);
        if view.borrow().is_anything() {
            return vec![MemoryPlace { base: Base::Memory, range: None }];
        }
        let objects = view.objects.iter().map(|number| ObjectId::from_index(number as usize));
        let outside = view.outside.then_some(Base::Outside);
        let bases = outside.into_iter().chain(objects.map(|object| self.base_of(object)));
        bases.map(|base| MemoryPlace { base, range: None }).collect()
    }
}
