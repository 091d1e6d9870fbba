//! What calling each function of a program may do: summaries from the leaves of the call graph up.
//!
//! A summary covers everything that happens until the function returns, in the functions that it calls as well. Functions that call each other share one.
//! A call by address may mean every function whose address is used and whose parameters fit; if there is none, or the code of a called function
//! is not part of the program and not known by name, the summary says `unknown`, and everything may be read and written.
//! Summaries do not tell objects in memory apart: what is reached through a pointer is memory.

use crate::bits::BitSet;
use crate::components::Components;
use crate::facts::{Facts, Surroundings};
use crate::library;
use crate::places::{Base, Place};
use crate::pointers::{Pointers, globals_in};
use incise_ir::{Cfg, Function, FunctionId, GlobalId, Id, InstructionId, Linkage, Op, Program, Symbol};

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
    globals_read: BitSet,
    globals_written: BitSet,
}

impl Summary {
    fn new(globals: usize) -> Self {
        Self { globals_read: BitSet::new(globals), globals_written: BitSet::new(globals), ..Self::default() }
    }

    fn add(&mut self, other: &Self) {
        self.reads_memory |= other.reads_memory;
        self.writes_memory |= other.writes_memory;
        self.may_stop |= other.may_stop;
        self.decides |= other.decides;
        self.unknown |= other.unknown;
        self.globals_read.extend(&other.globals_read);
        self.globals_written.extend(&other.globals_written);
    }
}

/// What calling each function of a program may do.
#[derive(Debug)]
pub struct Effects {
    surroundings: Surroundings,
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
    /// For each group, what calling its functions may do.
    summaries: Vec<Summary>,
}

impl Effects {
    /// The effects of all functions of a program.
    pub fn new(program: &Program) -> Self {
        Self::with_overflow_checks(program, false)
    }

    /// The effects of all functions of a program; `overflow` tells whether signed arithmetic that does not fit stops the program.
    pub fn with_overflow_checks(program: &Program, overflow: bool) -> Self {
        let variables: Vec<GlobalId> =
            program.globals.iter().filter(|(_, global)| !global.constant).map(|(id, _)| id).collect();
        let mut numbers = vec![None; program.globals.len()];
        for (number, global) in variables.iter().enumerate() {
            numbers[global.index()] = Some(number as u32);
        }
        let mut effects = Self {
            surroundings: Surroundings::new(program, overflow),
            variables,
            numbers,
            exposed: exposed_by_declaration(program),
            callees: Vec::with_capacity(program.functions.len()),
            groups: Vec::new(),
            recursive: Vec::new(),
            summaries: Vec::new(),
        };
        let own: Vec<Summary> =
            program.functions.iter().map(|(_, function)| effects.add_function(program, function)).collect();
        effects.summarise(program, &own);
        effects
    }

    /// What calling a function may do.
    pub fn summary(&self, function: FunctionId) -> &Summary {
        &self.summaries[self.groups[function.index()] as usize]
    }

    /// The global variables that calling a function may read by name, in order. Those that are never written are left out.
    pub fn globals_read(&self, function: FunctionId) -> impl Iterator<Item = GlobalId> + '_ {
        self.summary(function).globals_read.iter().map(|number| self.variables[number])
    }

    /// The global variables that calling a function may write by name, in order.
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

    /// Adds what an instruction does, what it calls included.
    pub(crate) fn add_instruction(&self, pointers: &Pointers<'_>, id: InstructionId, facts: &mut Facts) {
        let calls_before = facts.calls.len();
        self.surroundings.add(pointers, id, facts);
        for index in calls_before..facts.calls.len() {
            let function = facts.calls[index];
            if pointers.program.functions[function].is_definition() {
                self.add_summary(function, facts);
            }
        }
    }

    fn add_summary(&self, function: FunctionId, facts: &mut Facts) {
        let summary = self.summary(function);
        let whole = |global| Place { base: Base::Global(global), range: None };
        facts.reads.extend(self.globals_read(function).map(whole));
        facts.writes.extend(self.globals_written(function).map(whole));
        facts.reads.extend(summary.reads_memory.then(Place::memory));
        facts.writes.extend(summary.writes_memory.then(Place::memory));
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

    /// What a function does itself; notes whom it calls and which variables it exposes.
    fn add_function(&mut self, program: &Program, function: &Function) -> Summary {
        let mut summary = Summary::new(self.variables.len());
        if !function.is_definition() {
            // What a call does depends on its arguments and is told where it stands. This is for calls of which nothing is known.
            let touches_nothing = library::is_pure(&function.name);
            summary.unknown = !library::is_known(&function.name);
            (summary.reads_memory, summary.writes_memory) = (!touches_nothing, !touches_nothing);
            (summary.may_stop, summary.decides) = (true, true);
            self.callees.push(Vec::new());
            return summary;
        }
        let pointers = Pointers::new(program, function);
        let mut callees = Vec::new();
        let mut facts = Facts::default();
        for (id, instruction) in function.instructions.iter() {
            self.surroundings.add(&pointers, id, &mut facts);
            pointers.for_each_exposed(&instruction.op, |global| self.exposed[global.index()] = true);
            summary.decides |= has_several_ways(&instruction.op);
            callees.append(&mut facts.calls);
            self.add_places(&mut summary, &mut facts);
        }
        summary.may_stop |= facts.may_stop || has_loop(function);
        summary.decides |= facts.decides;
        summary.unknown |= facts.unknown;
        callees.sort_unstable();
        callees.dedup();
        self.callees.push(callees);
        summary
    }

    /// Moves what is read and written outside of the frame into a summary.
    fn add_places(&self, summary: &mut Summary, facts: &mut Facts) {
        let add = |place: Place, memory: &mut bool, globals: &mut BitSet| match place.base {
            Base::Local(_) | Base::Result(_) => {}
            Base::Global(global) => {
                if let Some(number) = self.numbers[global.index()] {
                    globals.insert(number as usize);
                }
            }
            Base::Pointee(_) | Base::Memory | Base::Everything => *memory = true,
        };
        for place in facts.reads.drain(..) {
            add(place, &mut summary.reads_memory, &mut summary.globals_read);
        }
        for place in facts.writes.drain(..) {
            add(place, &mut summary.writes_memory, &mut summary.globals_written);
        }
    }

    /// Adds to what each function does itself what those do that it calls.
    fn summarise(&mut self, program: &Program, own: &[Summary]) {
        let calls: Vec<Vec<u32>> = (self.callees.iter())
            .map(|callees| callees.iter().map(|callee| callee.index() as u32).collect())
            .collect();
        let components = Components::new(calls.len(), |function| &calls[function as usize]);
        for (group, members) in components.members.iter().enumerate() {
            let mut summary = Summary::new(self.variables.len());
            summary.may_stop = components.cyclic[group];
            for &member in members {
                summary.add(&own[member as usize]);
                for &callee in &calls[member as usize] {
                    let below = components.of[callee as usize] as usize;
                    // What a call of a function without a body does was added where the call stands.
                    let callee = FunctionId::from_index(callee as usize);
                    if below != group && program.functions[callee].is_definition() {
                        summary.add(&self.summaries[below]);
                    }
                }
            }
            self.summaries.push(summary);
        }
        self.recursive = components.cyclic;
        self.groups = components.of;
    }
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
