//! What an execution of one entry leaves behind for those that follow.
//!
//! Global variables are there for everybody. Memory is there for whoever gets at it: a later execution does so through
//! pointers that the program itself keeps in global variables; or because code hands it on that nobody can see, its
//! caller above all. [`Handing`] tells which of the two counts.

use crate::effects::Effects;
use crate::function_facts::FunctionFacts;
use crate::places::{Base, MemoryPlace};
use crate::points_to::ObjectId;
use crate::scope::{Inputs, Outputs};
use incise_ir::{CastOp, DebugType, DebugTypeId, Encoding, FunctionId, GlobalId, Op, Program};
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
        let function = facts.graph.function;
        let overlaps = |left: &MemoryPlace, right: &MemoryPlace| {
            effects.may_overlap(program, (function, left), (function, right))
        };
        let globals: Vec<MemoryPlace> =
            self.globals.iter().map(|&global| MemoryPlace::whole(Base::Global(global))).collect();
        let is_left =
            |place: &MemoryPlace| self.memory.iter().chain(&globals).any(|left| overlaps(left, place));
        let read = facts.read_globals.iter().copied();
        Inputs {
            parameters: BTreeSet::new(),
            globals: read
                .filter(|&global| {
                    self.globals.contains(&global) || is_left(&MemoryPlace::whole(Base::Global(global)))
                })
                .collect(),
            memory: facts.read_memory.iter().copied().filter(is_left).collect(),
        }
    }
}

/// Which functions get at memory that the program itself keeps from one execution to the next.
pub(crate) struct Keepers {
    /// The global variables that may hold the address of memory.
    globals: BTreeSet<GlobalId>,
}

impl Keepers {
    pub(crate) fn new(program: &Program) -> Self {
        let mut types = Addresses { program, numbers: makes_pointers(program), known: BTreeMap::new() };
        let globals = program.globals.iter().filter(|(_, global)| !global.constant && !global.model);
        let holds = globals.filter(|(_, global)| global.debug_type.is_none_or(|ty| types.may_hold(ty)));
        Self { globals: holds.map(|(id, _)| id).collect() }
    }

    /// Of what a function may find, what it comes to without being led there by code that nobody can see. What the C
    /// library keeps, its files above all, is not the program's.
    pub(crate) fn kept(
        &self,
        program: &Program,
        effects: &Effects,
        function: FunctionId,
        mut found: Inputs,
    ) -> Inputs {
        found.globals.retain(|&global| !program.globals[global].model);
        if !self.reach(effects, function) {
            found.memory.clear();
        }
        found
    }

    /// Whether a function, or one that it calls, may come to memory through what the program keeps.
    fn reach(&self, effects: &Effects, function: FunctionId) -> bool {
        effects.globals_read(function).any(|global| self.globals.contains(&global))
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
