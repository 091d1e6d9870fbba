//! The global variables that nothing but their initialisers write.
//!
//! Such a variable has its initial value wherever execution begins. Most of them are only ever read by their name,
//! which a look at the instructions tells; where an address goes further, the points-to analysis tells whether a write
//! may come to it. Code outside of the program is taken to write what it is given, and not what it could find by its
//! name. That is an assumption about variables that other files can see. One of them that is zero is there for others
//! to set, so that it counts as written; one that may be replaced as well. A lock or a condition variable with an
//! initialiser, which only functions of threads get, begins as that says: nobody holds it.

use crate::bits::BitSet;
use crate::candidates::Candidates;
use crate::entries::called;
use crate::facts::{Facts, Surroundings};
use crate::places::Base;
use crate::pointers::{Pointers, for_each_constant, globals_in};
use crate::points_to::{ObjectId, ObjectKind, PointsTo};
use crate::reachable::Reachable;
use incise_ir::{
    Callee, ConstantId, ConstantKind, Function, FunctionId, Global, GlobalId, Id, Linkage, Op, Operand,
    Program, Symbol, ThreadFunction, ValueId,
};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// The symbols of the variables that nothing but their initialisers write. Where several files have one of the same
/// name, it is among them if that is true of all.
pub fn initial_values(program: &Program) -> BTreeSet<String> {
    let unwritten = unwritten(program);
    let locks = locks(program);
    let mut found: BTreeMap<&str, bool> = BTreeMap::new();
    for (id, global) in program.globals.iter() {
        let left = is_left_to_others(program, id) && !locks.contains(id.index());
        let counts = unwritten.contains(id.index()) && !left;
        *found.entry(&global.name).or_insert(true) &= counts;
    }
    found.into_iter().filter(|(_, counts)| *counts).map(|(name, _)| name.to_owned()).collect()
}

/// The same for two versions: what either of them writes has no initial value in both. A variable that begins otherwise
/// is no longer there for others to set.
pub fn initial_values_of_versions(old: &Program, new: &Program) -> BTreeSet<String> {
    let mut names: BTreeMap<&str, (bool, bool)> = BTreeMap::new();
    for program in [old, new] {
        let (unwritten, locks) = (unwritten(program), locks(program));
        for (id, global) in program.globals.iter() {
            let (counts, left) = names.entry(&global.name).or_insert((true, true));
            *counts &= unwritten.contains(id.index());
            *left &= is_left_to_others(program, id) && !locks.contains(id.index());
        }
    }
    let names = names.into_iter().filter(|(_, (counts, left))| *counts && !left);
    names.map(|(name, _)| name.to_owned()).collect()
}

/// Those of some variables that other files can see, and that executions from a function can come to, by the names that
/// the source gives them: that they are not written elsewhere is an assumption.
pub fn assumed_initial(program: &Program, entry: FunctionId, initial: &BTreeSet<String>) -> Vec<String> {
    named_from(program, entry, |global| {
        global.linkage != Linkage::Internal && !global.constant && initial.contains(&global.name)
    })
}

/// Those of some variables that executions from a function can come to, by the names that the source gives them.
pub fn reached_variables(program: &Program, entry: FunctionId, symbols: &BTreeSet<String>) -> Vec<String> {
    named_from(program, entry, |global| symbols.contains(&global.name))
}

/// The names of the variables of a kind that functions which can be called from one of them name.
fn named_from(program: &Program, entry: FunctionId, is_wanted: impl Fn(&Global) -> bool) -> Vec<String> {
    let reachable = Reachable::new(program, [entry]);
    let mut named = BitSet::new(program.globals.len());
    for id in reachable.functions() {
        for (_, instruction) in program.functions[id].instructions.iter() {
            instruction.op.for_each_operand(|operand| {
                if let Operand::Constant(constant) = operand {
                    add(&mut named, globals_in(program, constant));
                }
            });
        }
    }
    let found = named.iter().map(GlobalId::from_index).filter(|id| is_wanted(&program.globals[*id]));
    let name = |id: GlobalId| {
        let global = &program.globals[id];
        global.source_name.clone().unwrap_or_else(|| global.name.clone())
    };
    found.map(name).collect::<BTreeSet<_>>().into_iter().collect()
}

/// Whether a variable is zero and known by its name to others, who have a reason to set it.
fn is_left_to_others(program: &Program, id: GlobalId) -> bool {
    let global = &program.globals[id];
    global.linkage != Linkage::Internal
        && global.initializer.is_none_or(|constant| is_zero(program, constant))
}

/// Whether it locks, unlocks, waits or wakes, and finds what it is given initialised.
fn is_locking(program: &Program, op: &Op) -> bool {
    let Op::Call(call) = op else { return false };
    let Callee::Direct(callee) = call.callee else { return false };
    let function = &program.functions[callee];
    (!function.is_definition() || function.model)
        && ThreadFunction::named(&function.name) == Some(ThreadFunction::Locks)
}

/// The variables that are locked, waited for or woken by their names.
fn locks(program: &Program) -> BitSet {
    let mut found = BitSet::new(program.globals.len());
    for (_, function) in program.functions.iter() {
        let locking =
            function.instructions.iter().filter(|(_, instruction)| is_locking(program, &instruction.op));
        for (_, instruction) in locking {
            instruction.op.for_each_operand(|operand| {
                if let Operand::Constant(constant) = operand {
                    add(&mut found, globals_in(program, constant));
                }
            });
        }
    }
    found
}

fn is_zero(program: &Program, constant: ConstantId) -> bool {
    let mut zero = true;
    for_each_constant(program, constant, |part| {
        zero &= match &program.constants[part].kind {
            ConstantKind::Integer(bits) | ConstantKind::Float(bits) => *bits == 0,
            ConstantKind::Bytes(bytes) => bytes.iter().all(|&byte| byte == 0),
            ConstantKind::Zero | ConstantKind::Null | ConstantKind::Undef | ConstantKind::Aggregate(_) => {
                true
            }
            _ => false,
        };
    });
    zero
}

/// The variables of the user's program that have an initial value, and that nothing writes.
fn unwritten(program: &Program) -> BitSet {
    let mut uses = Uses::new(program);
    program.functions.iter().for_each(|(_, function)| uses.add_function(program, function));
    uses.add_data(program);
    let counts = |id: GlobalId| {
        let global = &program.globals[id];
        global.initializer.is_some() && global.linkage != Linkage::Weak && !global.constant && !global.model
    };
    let is_open = |id: &GlobalId| {
        counts(*id) && uses.unclear.contains(id.index()) && !uses.written.contains(id.index())
    };
    let mut written = uses.written.clone();
    if program.globals.ids().any(|id| is_open(&id)) {
        let through_pointers = WrittenThroughPointers::new(program);
        let hit = |id: &GlobalId| is_open(id) && through_pointers.may_be(*id);
        add(&mut written, program.globals.ids().filter(hit));
    }
    let mut found = BitSet::new(program.globals.len());
    add(&mut found, program.globals.ids().filter(|&id| counts(id) && !written.contains(id.index())));
    found
}

/// What instructions do with variables that they name.
struct Uses {
    /// Those that are written by their name, or are said to change by themselves.
    written: BitSet,
    /// Those whose address is used for something else than reading.
    unclear: BitSet,
}

impl Uses {
    fn new(program: &Program) -> Self {
        Self { written: BitSet::new(program.globals.len()), unclear: BitSet::new(program.globals.len()) }
    }

    fn add_function(&mut self, program: &Program, function: &Function) {
        let addresses = addresses_within(program, function);
        for (_, instruction) in function.instructions.iter() {
            let named = |operand: Operand| within(program, &addresses, operand);
            match &instruction.op {
                Op::Load { pointer, volatile: false, .. } if is_plain(program, *pointer) => {}
                Op::Load { pointer, volatile: true, .. } => add(&mut self.written, named(*pointer)),
                Op::Store { value, pointer, .. } => {
                    add(&mut self.written, named(*pointer));
                    add(&mut self.unclear, named(*value));
                }
                Op::IntegerCompare { .. } => {}
                op if is_locking(program, op) => {}
                Op::ElementPointer { terms, .. } => {
                    terms.iter().for_each(|&(index, _)| add(&mut self.unclear, named(index)));
                }
                op => op.for_each_operand(|operand| add(&mut self.unclear, named(operand))),
            }
        }
    }

    /// Addresses that are known before any code runs.
    fn add_data(&mut self, program: &Program) {
        for constant in program.globals.iter().filter_map(|(_, global)| global.initializer) {
            add(&mut self.unclear, globals_in(program, constant));
        }
        for symbol in program.symbols.values() {
            if let Symbol::Alias(constant) = symbol {
                add(&mut self.written, globals_in(program, *constant));
            }
        }
    }
}

/// The values of a function that address arithmetic makes of the addresses of variables, and these.
type Addresses = FxHashMap<ValueId, Vec<GlobalId>>;

fn addresses_within(program: &Program, function: &Function) -> Addresses {
    let mut addresses = Addresses::default();
    // Blocks need not be in an order in which values come before their uses.
    loop {
        let before = addresses.len();
        for (_, instruction) in function.instructions.iter() {
            let (Op::ElementPointer { base, .. }, Some(result)) = (&instruction.op, instruction.result)
            else {
                continue;
            };
            let globals = within(program, &addresses, *base);
            if !globals.is_empty() {
                addresses.insert(result, globals);
            }
        }
        if addresses.len() == before {
            return addresses;
        }
    }
}

fn within(program: &Program, addresses: &Addresses, operand: Operand) -> Vec<GlobalId> {
    match operand {
        Operand::Constant(constant) => globals_in(program, constant),
        Operand::Value(value) => addresses.get(&value).cloned().unwrap_or_default(),
    }
}

/// Whether an address is within one variable and not chosen or computed, so that reading it is all that happens.
fn is_plain(program: &Program, pointer: Operand) -> bool {
    match pointer {
        Operand::Value(_) => true,
        Operand::Constant(constant) => globals_in(program, constant).len() <= 1,
    }
}

fn add(set: &mut BitSet, globals: impl IntoIterator<Item = GlobalId>) {
    for global in globals {
        set.insert(global.index());
    }
}

/// The variables that a write through some pointer may come to.
struct WrittenThroughPointers {
    points_to: PointsTo,
    written: BTreeSet<GlobalId>,
    /// Whether there is a pointer of which nothing is known.
    anything: bool,
}

impl WrittenThroughPointers {
    fn new(program: &Program) -> Self {
        let candidates = Candidates::new(program);
        let points_to = PointsTo::unnamed(program, &entries(program), &candidates);
        let surroundings = Surroundings::new(program, candidates, false);
        let mut found = Self { points_to, written: BTreeSet::new(), anything: false };
        let mut written: BTreeSet<(FunctionId, Base)> = BTreeSet::new();
        for (id, function) in program.functions.iter().filter(|(_, function)| function.is_definition()) {
            let pointers = Pointers::new(program, &found.points_to, id, true);
            for at in function.instructions.ids() {
                let mut facts = Facts::default();
                surroundings.add(&pointers, at, &mut facts);
                written.extend(facts.writes.into_iter().map(|place| (id, place.base)));
            }
        }
        written.into_iter().for_each(|(function, base)| found.add(function, base));
        found
    }

    /// What outside code knows it may write, at any time.
    fn may_be(&self, global: GlobalId) -> bool {
        let exposed = || {
            let object = self.points_to.object(ObjectKind::Global(global));
            object.is_none_or(|object| self.points_to.is_exposed(object))
        };
        self.anything || self.written.contains(&global) || exposed()
    }

    fn add(&mut self, function: FunctionId, base: Base) {
        let objects: Vec<_> = match base {
            Base::Local(_) | Base::Result(_) | Base::Outside => return,
            Base::Global(global) => {
                self.written.insert(global);
                return;
            }
            Base::Memory | Base::Everything => {
                self.anything = true;
                return;
            }
            Base::Object(object) => vec![object],
            Base::Objects(set) => self.points_to.members(set).collect(),
            Base::Pointee(parameter) => {
                let view = self.points_to.view(function, parameter);
                self.anything |= view.unknown;
                view.objects.iter().map(|number| ObjectId::from_index(number as usize)).collect()
            }
        };
        let kinds: Vec<ObjectKind> = objects.into_iter().map(|object| self.points_to.kind(object)).collect();
        for kind in kinds {
            if let ObjectKind::Global(global) = kind {
                self.written.insert(global);
            }
        }
    }
}

/// The functions that code outside of the program may call: those that it can see, and those that nobody else calls.
fn entries(program: &Program) -> BTreeSet<FunctionId> {
    let called = called(program);
    let is_entry = |id: &FunctionId, function: &Function| {
        function.is_definition()
            && !function.model
            && (function.linkage != Linkage::Internal || !called[id.index()])
    };
    program.functions.iter().filter(|(id, function)| is_entry(id, function)).map(|(id, _)| id).collect()
}
