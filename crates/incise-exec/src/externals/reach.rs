//! What code that nobody can see finds when it is called: the objects that its arguments lead to, the global variables
//! that it can name, what it was given before, and all that pointers in these lead to.
//!
//! An object is known by the way to it, which does not depend on where a program keeps its objects: if two programs
//! call alike, the same ways lead to the objects that stand for each other.

use super::Outsider;
use crate::config::Config;
use crate::engine::code::{ArgumentKind, CallCode};
use crate::engine::constants::Constants;
use crate::engine::machine::{Exit, Machine};
use crate::engine::state::{Outside, State};
use crate::engine::value::Value;
use crate::inputs::parts::pointer_parts;
use crate::inputs::shape::Shape;
use crate::memory::{AddressTarget, Byte, Memory, Object, ObjectKind, Slot};
use crate::outcome::Outcome;
use incise_ir::{
    Callee, ConstantId, ConstantKind, DebugType, DebugTypeId, FunctionId, GlobalId, Linkage, Op, Operand,
    Program,
};
use incise_solver::{ArrayKind, ExprId, ExprKind, Exprs};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

/// More objects than this are not looked into for one call.
const MOST_OBJECTS: usize = 4096;
/// In an object up to this size a pointer may lie anywhere, in a larger one where pointers usually do.
const SMALL: u64 = 256;
/// So many parts of an expression are looked at for addresses.
const MOST_PARTS: usize = 1 << 16;

/// An object that a call can get at.
#[derive(Clone, Debug)]
pub struct Reached {
    pub slot: Slot,
    pub way: String,
    /// Whether it may be written: there is a way to it on which no type says `const`.
    pub(crate) writable: bool,
}

/// An object that outsiders know of, and the way on which they came to know it.
#[derive(Clone, Debug)]
pub(crate) struct KnownObject {
    pub(crate) slot: Slot,
    pub(crate) way: String,
}

impl Outside {
    /// The objects that outsiders know of here and did not know of before, with the ways on which they came to.
    pub fn known_beyond(&self, before: &Self) -> Vec<(Slot, String)> {
        let is_new = |known: &&KnownObject| before.known.iter().all(|other| other.slot != known.slot);
        self.known.iter().filter(is_new).map(|known| (known.slot, known.way.clone())).collect()
    }

    /// Lets outsiders know of more objects. Ways begin with `#`.
    pub fn learn(&mut self, objects: impl IntoIterator<Item = (Slot, String)>) {
        let more = objects.into_iter().map(|(slot, way)| KnownObject { slot, way });
        self.known = self.known.iter().cloned().chain(more).collect();
    }
}

impl State {
    /// Ends the lives of objects that nothing leads to any more, for the program and for outsiders.
    pub fn leave_behind(&mut self, slots: &BTreeSet<Slot>) {
        slots.iter().for_each(|&slot| self.memory.remove(slot));
        self.outside.known =
            self.outside.known.iter().filter(|known| !slots.contains(&known.slot)).cloned().collect();
    }
}

/// The addresses that what is in an object may be.
pub fn addresses_in(exprs: &mut Exprs, object: &Object) -> Vec<u64> {
    if let Some(array) = object.array_contents() {
        return array_bases(exprs, array);
    }
    let (mut found, mut last) = (Vec::new(), None);
    for offset in 0..object.size {
        found.extend(object.read_word(offset, 8).filter(|&word| word != 0));
        if let Byte::Part { expr, .. } = object.read_byte(exprs, offset)
            && last != Some(expr)
        {
            last = Some(expr);
            found.extend(bases(exprs, expr));
        }
    }
    found
}

/// What a call could see.
pub struct Sight {
    /// Memory as it was.
    pub memory: Memory,
    pub reached: Vec<Reached>,
}

impl Sight {
    /// What outsiders know after call `number`.
    pub(super) fn known(&self, number: u32) -> Rc<[KnownObject]> {
        let known = self.reached.iter().map(|reached| KnownObject {
            slot: reached.slot,
            way: match reached.way.starts_with('#') {
                true => reached.way.clone(),
                false => format!("#{number}:{}", reached.way),
            },
        });
        known.collect()
    }
}

/// A place that is still to be looked at.
struct Lead {
    address: u64,
    /// How far the pointer leads into the object from there, if that is certain.
    certain: bool,
    way: String,
    writable: bool,
}

/// What of a machine it takes to find out what a call can see.
pub(crate) struct Reach<'m> {
    program: &'m Program,
    config: &'m Config,
    constants: &'m Constants,
    exprs: &'m mut Exprs,
    nameable: &'m mut Option<Rc<[incise_ir::GlobalId]>>,
}

impl Machine<'_> {
    /// The part that knows what calls can see.
    pub(crate) fn reach(&mut self) -> Reach<'_> {
        Reach {
            program: self.program,
            config: self.config,
            constants: &self.decider.constants,
            exprs: &mut self.decider.exprs,
            nameable: &mut self.nameable,
        }
    }
}

impl Reach<'_> {
    /// What a call can see.
    pub(super) fn sight(
        &mut self,
        state: &mut State,
        who: &Outsider,
        call: &CallCode,
        arguments: &[Value],
    ) -> Result<Sight, Exit> {
        let mut leads = VecDeque::new();
        for (index, argument) in arguments.iter().enumerate() {
            let kind = call.arguments.get(index).map(|argument| argument.kind);
            let declared = who.signature.get(index + 1).copied().flatten();
            // A struct that is passed by value is a copy, and a type may say that it is only read.
            let writable = !matches!(kind, Some(ArgumentKind::ByValue { .. })) && !self.is_constant(declared);
            self.leads_of(state, argument, &format!("arg{}", index + 1), writable, &mut leads);
        }
        for &global in self.nameable().iter() {
            let way = format!("@{}", self.program.globals[global].name);
            let address = self.constants.global_address(global);
            leads.push_back(Lead { address, certain: true, way, writable: true });
        }
        for known in state.outside.known.iter() {
            let address = Memory::address(known.slot);
            leads.push_back(Lead { address, certain: true, way: known.way.clone(), writable: true });
        }
        let mut reached: Vec<Reached> = Vec::new();
        let mut places: BTreeMap<Slot, usize> = BTreeMap::new();
        let mut ways: BTreeSet<String> = BTreeSet::new();
        while let Some(lead) = leads.pop_front() {
            let AddressTarget::Live(slot, object, offset) = state.memory.target(lead.address) else {
                continue;
            };
            if matches!(object.info.kind, ObjectKind::BeyondDepth | ObjectKind::Callback) {
                continue;
            }
            let writable = lead.writable && !object.info.read_only;
            if let Some(&place) = places.get(&slot) {
                reached[place].writable |= writable;
                continue;
            }
            if reached.len() >= MOST_OBJECTS {
                let what = format!("{}, which can get at more than {MOST_OBJECTS} objects", who.name);
                return Err(Exit::End(Outcome::Unsupported(what)));
            }
            let mut way = lead.way;
            if !lead.certain {
                way.push('~');
            } else if offset != 0 {
                way = format!("{way}-{offset}");
            }
            // A pointer on a way that was gone before may have been set since: these are two objects.
            while !ways.insert(way.clone()) {
                way.push('+');
            }
            places.insert(slot, reached.len());
            let object = object.clone();
            self.leads_in(state, &object, &way, &mut leads);
            reached.push(Reached { slot, way, writable });
        }
        Ok(Sight { memory: state.memory.clone(), reached })
    }

    /// Whether a pointer of that type points to something that is only read.
    fn is_constant(&self, pointer: Option<DebugTypeId>) -> bool {
        let target = pointer.and_then(|ty| self.program.resolve_debug_type(ty)).and_then(|id| {
            match &self.program.debug_types[id] {
                DebugType::Pointer(target) => *target,
                _ => None,
            }
        });
        self.is_read_only(target)
    }

    /// Whether a type, which qualifiers and other names may stand before, is `const`.
    fn is_read_only(&self, mut target: Option<DebugTypeId>) -> bool {
        // Bounded, because broken debug information may hold a cycle.
        for _ in 0..64 {
            let Some(id) = target else { return false };
            target = match &self.program.debug_types[id] {
                DebugType::Qualified { constant: true, .. } => return true,
                DebugType::Qualified { target, .. } | DebugType::Typedef { target, .. } => *target,
                _ => return false,
            };
        }
        false
    }

    /// Where a value leads, if it is an address or made of some.
    fn leads_of(
        &mut self,
        state: &State,
        value: &Value,
        way: &str,
        writable: bool,
        leads: &mut VecDeque<Lead>,
    ) {
        match value {
            Value::Word(address) => {
                leads.push_back(Lead { address: *address, certain: true, way: way.to_owned(), writable });
            }
            Value::Symbolic(expr) => {
                let found = bases(self.exprs, *expr);
                let live = |address: &u64| matches!(state.memory.target(*address), AddressTarget::Live(..));
                let found: Vec<u64> = found.into_iter().filter(live).collect();
                let certain = found.len() == 1 && self.leads_to_start(*expr);
                for (index, address) in found.into_iter().enumerate() {
                    let way = if certain || index == 0 { way.to_owned() } else { format!("{way}'{index}") };
                    leads.push_back(Lead { address, certain, way, writable });
                }
            }
            Value::Aggregate(elements) => {
                for (index, element) in elements.iter().enumerate() {
                    self.leads_of(state, element, &format!("{way}.{index}"), writable, leads);
                }
            }
            Value::Wide(_) | Value::Undefined => {}
        }
    }

    /// Whether a pointer is null or leads to the very start of an object.
    fn leads_to_start(&mut self, mut pointer: ExprId) -> bool {
        loop {
            if let Some((_, offset)) = self.exprs.split_base(pointer) {
                return self.exprs.as_constant(offset) == Some(0);
            }
            let Some((_, then, otherwise)) = self.exprs.split_ite(pointer) else { return false };
            pointer = match (self.exprs.as_constant(then), self.exprs.as_constant(otherwise)) {
                (_, Some(0)) => then,
                (Some(0), _) => otherwise,
                _ => return false,
            };
        }
    }

    /// Where the pointers in an object lead.
    fn leads_in(&mut self, state: &State, object: &Object, way: &str, leads: &mut VecDeque<Lead>) {
        let shape = shape_of(self.program, state, object);
        let typed = if shape.is_large() { Vec::new() } else { pointer_parts(&shape) };
        let only_read: BTreeSet<u64> = typed
            .into_iter()
            .filter(|(_, target)| self.is_read_only(*target))
            .map(|(offset, _)| offset)
            .collect();
        if let Some(array) = object.array_contents() {
            for (index, address) in array_bases(self.exprs, array).into_iter().enumerate() {
                let way = format!("{way}:?{index}");
                leads.push_back(Lead { address, certain: false, way, writable: true });
            }
        }
        let step = if object.size <= SMALL { 1 } else { 8 };
        let mut offset = 0;
        while offset + 8 <= object.size {
            let value = match object.read_word(offset, 8) {
                Some(word) => Some(Value::Word(word)),
                None => match object.read_byte(self.exprs, offset) {
                    Byte::Part { expr, byte: 0 } if self.exprs.width(expr) == 64 => {
                        Some(Value::Symbolic(expr))
                    }
                    _ => None,
                },
            };
            if let Some(value) = value {
                let writable = !only_read.contains(&offset);
                self.leads_of(state, &value, &format!("{way}:{offset}"), writable, leads);
            }
            offset += step;
        }
    }

    /// The global variables that other code can name and that code below the entry uses.
    fn nameable(&mut self) -> Rc<[GlobalId]> {
        if let Some(known) = &self.nameable {
            return known.clone();
        }
        let nameable = self.named();
        *self.nameable = Some(nameable.clone());
        nameable
    }

    fn named(&self) -> Rc<[GlobalId]> {
        let mut used = used_globals(self.program, &self.config.entry);
        // Whatever is called may set it.
        let errno = self.program.globals.iter().filter(|(_, global)| global.is_errno_of_program());
        used.extend(errno.map(|(id, _)| id));
        let nameable = used.into_iter().filter(|&id| {
            let global = &self.program.globals[id];
            let own = !global.model || global.is_errno_of_program();
            global.linkage != Linkage::Internal && !global.constant && own
        });
        nameable.collect()
    }
}

impl Machine<'_> {
    /// The global variables that functions without a body may write, by their symbols.
    pub fn named_outside(&mut self) -> BTreeSet<String> {
        let program = self.program;
        self.reach().nameable().iter().map(|&id| program.globals[id].name.clone()).collect()
    }

    /// Lets functions without a body write these as well: another version of the program uses them.
    pub fn add_named_outside(&mut self, symbols: &BTreeSet<String>) {
        let mut all: BTreeSet<GlobalId> = self.reach().nameable().iter().copied().collect();
        let others = symbols.iter().filter_map(|symbol| self.program.global_named(symbol));
        all.extend(others.filter(|&id| {
            let global = &self.program.globals[id];
            global.linkage != Linkage::Internal && !global.constant && !global.model
        }));
        self.nameable = Some(all.into_iter().collect());
    }
}

/// The global variables that a function or one below it uses, in the order of the program.
fn used_globals(program: &Program, entry: &str) -> BTreeSet<GlobalId> {
    let mut functions: Vec<FunctionId> = program.function_named(entry).into_iter().collect();
    let (mut seen, mut constants) = (BTreeSet::new(), BTreeSet::new());
    let mut globals = BTreeSet::new();
    while let Some(id) = functions.pop() {
        if !seen.insert(id) {
            continue;
        }
        let mut work: Vec<ConstantId> = Vec::new();
        for (_, instruction) in program.functions[id].instructions.iter() {
            instruction.op.for_each_operand(|operand| {
                if let Operand::Constant(constant) = operand {
                    work.push(constant);
                }
            });
            if let Op::Call(call) | Op::Invoke { call, .. } = &instruction.op
                && let Callee::Direct(callee) = call.callee
            {
                functions.push(callee);
            }
        }
        while let Some(constant) = work.pop() {
            if !constants.insert(constant) {
                continue;
            }
            match &program.constants[constant].kind {
                ConstantKind::Function(function) => functions.push(*function),
                ConstantKind::Global(global) => {
                    globals.insert(*global);
                    work.extend(program.globals[*global].initializer);
                }
                ConstantKind::Aggregate(parts) => work.extend(parts.iter().copied()),
                ConstantKind::Offset { base: part, .. } | ConstantKind::Cast { value: part, .. } => {
                    work.push(*part);
                }
                ConstantKind::Binary { left, right, .. } | ConstantKind::Compare { left, right, .. } => {
                    work.extend([*left, *right]);
                }
                _ => {}
            }
        }
    }
    globals
}

/// The addresses of objects that an expression is made of, in the order in which they stand there.
pub fn bases(exprs: &Exprs, expr: ExprId) -> Vec<u64> {
    let mut found = Vec::new();
    let mut add = |address: u64| {
        if !found.contains(&address) {
            found.push(address);
        }
    };
    let mut work = vec![expr];
    let mut seen = BTreeSet::new();
    while let Some(expr) = work.pop() {
        if !seen.insert(expr) || seen.len() > MOST_PARTS {
            continue;
        }
        match *exprs.kind(expr) {
            ExprKind::Base(address) => add(address),
            // What is compared with an address is none.
            ExprKind::Compare(..) => {}
            ExprKind::Ite(_, then, otherwise) => work.extend([otherwise, then]),
            ref kind => {
                if let Some(address) = exprs.as_constant(expr).filter(|_| exprs.width(expr) == 64) {
                    add(address as u64);
                }
                if let ExprKind::Select(array, _) = kind {
                    array_bases(exprs, *array).into_iter().for_each(&mut add);
                }
                work.extend(kind.operands().iter().copied());
            }
        }
    }
    found
}

/// The same of an array.
fn array_bases(exprs: &Exprs, mut array: incise_solver::ArrayId) -> Vec<u64> {
    let mut found = Vec::new();
    let mut cells = Vec::new();
    loop {
        match exprs.array_kind(array) {
            ArrayKind::Bytes(bytes) => {
                let words = bytes
                    .windows(8)
                    .map(|word| word.iter().rev().fold(0, |all, &byte| all << 8 | u64::from(byte)));
                found.extend(words);
                break;
            }
            ArrayKind::Cells(all) => {
                cells.extend_from_slice(all);
                break;
            }
            ArrayKind::Store { array: before, value, .. } => {
                cells.push(value);
                array = before;
            }
        }
    }
    for cell in cells {
        // The bytes of an address are parts of one expression.
        let mut whole = cell;
        while let ExprKind::Extract { of, .. } | ExprKind::ZeroExtend(of) = *exprs.kind(whole) {
            whole = of;
        }
        if !matches!(exprs.kind(whole), ExprKind::Select(..)) {
            found.extend(bases(exprs, whole));
        }
    }
    found
}

/// How an object is laid out, as far as that is known.
pub fn shape_of(program: &Program, state: &State, object: &Object) -> Shape {
    let input = state.inputs.iter_newest_first().find(|input| {
        let same =
            |slot| state.memory.object(slot).is_some_and(|known| Rc::ptr_eq(&known.info, &object.info));
        input.slot.is_some_and(same)
    });
    let declared = || {
        let declared = object.info.debug_type.and_then(|ty| Shape::of_debug_type(program, ty));
        declared.or_else(|| Some(Shape::of_type(program, object.info.ty?)))
    };
    let shape = input.map(|input| input.shape.clone()).or_else(declared);
    crate::inputs::parts::fitted(shape.unwrap_or(Shape::Bytes(object.size)), object.size)
}
