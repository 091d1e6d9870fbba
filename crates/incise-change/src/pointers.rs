//! What the pointers of one function point to, and which of its objects others may know.
//!
//! A pointer is followed back through address arithmetic, casts, choices, joins, and variables that are written once
//! and whose own address goes nowhere (as clang keeps parameters). It ends at an object, at what a parameter pointed to
//! when the function was called, or at a value of which the function itself does not tell more: then the points-to
//! analysis of the whole program does.

use crate::arguments::Target;
use crate::library;
use crate::places::{Base, MemoryPlace, named_base};
use crate::points_to::{Location, ObjectId, ObjectKind, PointsTo};
use incise_ir::{
    Call, Callee, CastOp, ConstantId, ConstantKind, Function, FunctionId, GlobalId, Id, Instruction,
    InstructionId, IntrinsicKind, Op, Operand, Program, Type, ValueId,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// The pointers of a function.
pub(crate) struct Pointers<'p> {
    pub(crate) program: &'p Program,
    pub(crate) points_to: &'p PointsTo,
    pub(crate) id: FunctionId,
    pub(crate) function: &'p Function,
    /// Whether the function may run again before it returns.
    pub(crate) recursive: bool,
    definitions: Vec<Option<InstructionId>>,
    /// For each pointer variable that is written once and whose address goes nowhere, what is written.
    written_once: FxHashMap<ValueId, Operand>,
}

/// Where a pointer may point: where it begins, and the distance from there, if it is constant.
type Reference = (Origin, Option<i64>);

/// Where a pointer begins.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Origin {
    Base(Base),
    /// A value of which the function does not tell more.
    Value(ValueId),
}

/// What an access through a pointer touches.
#[derive(Debug)]
pub(crate) struct Access {
    pub(crate) places: Vec<MemoryPlace>,
    /// Whether it cannot fail.
    pub(crate) safe: bool,
}

impl<'p> Pointers<'p> {
    pub(crate) fn new(
        program: &'p Program,
        points_to: &'p PointsTo,
        id: FunctionId,
        recursive: bool,
    ) -> Self {
        let function = &program.functions[id];
        let mut definitions = vec![None; function.values.len()];
        for (id, instruction) in function.instructions.iter() {
            if let Some(result) = instruction.result {
                definitions[result.index()] = Some(id);
            }
        }
        let written_once = FxHashMap::default();
        let mut pointers = Self { program, points_to, id, function, recursive, definitions, written_once };
        pointers.find_variables_written_once();
        pointers
    }

    /// The instruction that defines a value; `None` for a parameter.
    pub(crate) fn definition(&self, value: ValueId) -> Option<(InstructionId, &'p Instruction)> {
        let id = (*self.definitions.get(value.index())?)?;
        Some((id, &self.function.instructions[id]))
    }

    fn find_variables_written_once(&mut self) {
        let is_variable = |instruction: &Instruction| match instruction.op {
            Op::Alloca { ty, count: None, .. } => matches!(self.program.types.get(ty), Type::Pointer),
            _ => false,
        };
        let variables = self.function.instructions.iter().map(|(_, instruction)| instruction);
        let mut variables: FxHashMap<ValueId, Option<Operand>> = variables
            .filter(|instruction| is_variable(instruction))
            .filter_map(|instruction| Some((instruction.result?, None)))
            .collect();
        for (_, instruction) in self.function.instructions.iter() {
            let mut disqualify = |operand: Operand| {
                if let Operand::Value(value) = operand {
                    variables.remove(&value);
                }
            };
            match &instruction.op {
                Op::Load { .. } => {}
                Op::Call(call) if is_marker(call) => {}
                Op::Store { value, pointer: Operand::Value(pointer), .. } => {
                    disqualify(*value);
                    let ty = self.program.operand_type(self.function, *value);
                    let is_pointer = matches!(self.program.types.get(ty), Type::Pointer);
                    match variables.get_mut(pointer) {
                        Some(written @ None) if is_pointer => *written = Some(*value),
                        _ => drop(variables.remove(pointer)),
                    }
                }
                op => op.for_each_operand(disqualify),
            }
        }
        self.written_once =
            variables.into_iter().filter_map(|(value, written)| Some((value, written?))).collect();
    }

    /// What an access of `size` bytes through a pointer touches.
    pub(crate) fn access(&self, pointer: Operand, size: Option<u64>, writes: bool) -> Access {
        let mut references = Vec::new();
        let known = self.follow(pointer, &mut references);
        let safe = known && references.iter().all(|&reference| self.is_safe(reference, size, writes));
        let mut places = Vec::with_capacity(references.len());
        references.into_iter().for_each(|reference| self.add_places(reference, size, &mut places));
        places.sort_unstable();
        places.dedup();
        Access { places, safe }
    }

    /// Adds the places that a function touches which gets an argument and accesses a range of what it points to.
    pub(crate) fn add_passed(
        &self,
        argument: Operand,
        range: Option<(u64, u64)>,
        places: &mut Vec<MemoryPlace>,
    ) {
        let mut references = Vec::new();
        self.follow(argument, &mut references);
        let start = range.and_then(|(start, _)| i64::try_from(start).ok());
        let size = range.map(|(start, end)| end - start);
        for (origin, offset) in references {
            let offset = offset.and_then(|offset| offset.checked_add(start?));
            self.add_places((origin, offset), size, places);
        }
    }

    /// Where an argument may point.
    pub(crate) fn targets(&self, argument: Operand) -> Vec<Target> {
        let mut references = Vec::new();
        self.follow(argument, &mut references);
        let mut targets = Vec::new();
        for (origin, offset) in references {
            let value = match origin {
                Origin::Base(Base::Memory) => {
                    targets.push(Target { base: Base::Memory, offset: None });
                    continue;
                }
                Origin::Base(base) => {
                    targets.push(Target { base, offset });
                    continue;
                }
                Origin::Value(value) => value,
            };
            self.add_targets(value, offset, &mut targets);
        }
        targets.sort_unstable();
        targets.dedup();
        targets
    }

    /// Adds where a value may point of which the function does not tell more.
    fn add_targets(&self, value: ValueId, offset: Option<i64>, targets: &mut Vec<Target>) {
        let found = self.points_to.lookup(self.id, value);
        let before = targets.len();
        if found.unknown {
            return targets.push(Target { base: Base::Memory, offset: None });
        }
        if found.outside {
            targets.push(Target { base: Base::Outside, offset: None });
        }
        match found.many {
            Some(set) => targets.push(Target { base: Base::Objects(set), offset: None }),
            None => targets.extend(found.locations().map(|location| {
                let offset = offset.filter(|_| location.modulus == 0);
                let offset = offset.and_then(|offset| location.offset.checked_add(offset));
                Target { base: self.object_base(location.object), offset }
            })),
        }
        if targets.len() == before && !found.harmless() && !self.points_to.are_targets_known() {
            // Nothing is known to be there: null, or what the analysis does not see.
            targets.push(Target { base: Base::Memory, offset: None });
        }
    }

    /// Adds the places that an access of `size` bytes touches.
    fn add_places(&self, (origin, offset): Reference, size: Option<u64>, places: &mut Vec<MemoryPlace>) {
        let value = match origin {
            // Distances are from where each pointer points, which is not one place.
            Origin::Base(Base::Memory) => return places.push(MemoryPlace::memory()),
            Origin::Base(base) => return places.push(MemoryPlace { base, range: range(offset, size) }),
            Origin::Value(value) => value,
        };
        let found = self.points_to.lookup(self.id, value);
        if found.unknown {
            return places.push(MemoryPlace::memory());
        }
        let before = places.len();
        if found.outside {
            places.push(MemoryPlace { base: Base::Outside, range: None });
        }
        match found.many {
            Some(set) => places.push(MemoryPlace { base: Base::Objects(set), range: None }),
            None => {
                let inside = found.locations().filter_map(|location| self.place_at(location, offset, size));
                places.extend(inside);
            }
        }
        if places.len() == before && !found.harmless() && !self.points_to.are_targets_known() {
            // Nothing is known to be there: null, or what the analysis does not see.
            places.push(MemoryPlace::memory());
        }
    }

    /// The bytes at a distance from a location; `None` if they are not part of the object.
    fn place_at(&self, location: Location, offset: Option<i64>, size: Option<u64>) -> Option<MemoryPlace> {
        let base = self.object_base(location.object);
        if location.modulus != 0 && self.points_to.element(location.object) == Some(location.modulus) {
            return Some(MemoryPlace { base, range: element_range(location, offset, size) });
        }
        let Some(offset) = offset.filter(|_| location.modulus == 0) else {
            return Some(MemoryPlace { base, range: None });
        };
        let start = location.offset.checked_add(offset).and_then(|start| u64::try_from(start).ok())?;
        if self.points_to.size(location.object).is_some_and(|size| start >= size) {
            return None;
        }
        let range = size.and_then(|size| Some((start, start.checked_add(size)?)));
        Some(MemoryPlace { base, range })
    }

    /// How this function names an object.
    pub(crate) fn object_base(&self, object: ObjectId) -> Base {
        named_base(self.points_to, object, self.id, self.recursive)
    }

    /// What an allocating call makes.
    pub(crate) fn heap_object(&self, call: InstructionId) -> Option<MemoryPlace> {
        let object = self.points_to.object(ObjectKind::Heap(self.id, call))?;
        Some(MemoryPlace { base: Base::Object(object), range: None })
    }

    /// The objects that a value, or what it holds, may be the address of.
    pub(crate) fn bases(&self, value: Operand) -> Vec<Base> {
        let mut references = Vec::new();
        self.follow(value, &mut references);
        let mut bases: Vec<Base> = (references.into_iter())
            .map(|(origin, _)| match origin {
                Origin::Base(base) => base,
                Origin::Value(_) => Base::Memory,
            })
            .collect();
        if let Operand::Constant(constant) = value {
            bases.extend(globals_in(self.program, constant).into_iter().map(Base::Global));
        }
        bases.sort_unstable();
        bases.dedup();
        bases
    }

    fn is_safe(&self, (origin, offset): Reference, size: Option<u64>, writes: bool) -> bool {
        let object_size = match origin {
            Origin::Base(Base::Local(value)) => self.object_size(value),
            Origin::Base(Base::Global(global)) => {
                let global = &self.program.globals[global];
                let there = global.initializer.is_some() && !(writes && global.constant);
                there.then(|| self.program.types.size_of(global.ty))
            }
            _ => None,
        };
        let (Some(limit), Some((_, end))) = (object_size, range(offset, size)) else { return false };
        end <= limit
    }

    /// The size of an object of the frame; `None` if it is not constant.
    fn object_size(&self, value: ValueId) -> Option<u64> {
        match self.definition(value) {
            Some((_, instruction)) => match instruction.op {
                Op::Alloca { ty, count: None, .. } => Some(self.program.types.size_of(ty)),
                _ => None,
            },
            None => {
                let copied = self.function.parameters.get(value.index())?.by_value?;
                Some(self.program.types.size_of(copied))
            }
        }
    }

    /// Finds where a pointer may point. Tells whether it always points somewhere: a null pointer adds nothing.
    fn follow(&self, pointer: Operand, found: &mut Vec<Reference>) -> bool {
        let mut somewhere = true;
        let mut work = vec![(pointer, Some(0))];
        // The distances that values were met with where ways join. One that is met with two distances has no constant
        // one.
        let mut met: FxHashMap<ValueId, Option<i64>> = FxHashMap::default();
        while let Some((operand, offset)) = work.pop() {
            let value = match operand {
                Operand::Constant(constant) => {
                    somewhere &= self.follow_constant(constant, offset, found);
                    continue;
                }
                Operand::Value(value) => value,
            };
            let Some((_, instruction)) = self.definition(value) else {
                found.push((Origin::Base(self.parameter_base(value)), offset));
                continue;
            };
            let joins = match &instruction.op {
                Op::Phi(_) | Op::Select { .. } => true,
                Op::Load { pointer: Operand::Value(from), .. } => self.written_once.contains_key(from),
                _ => false,
            };
            let mut offset = offset;
            if joins {
                match met.get(&value) {
                    Some(known) if known.is_none() || *known == offset => continue,
                    Some(_) => offset = None,
                    None => {}
                }
                met.insert(value, offset);
            }
            if !self.step(instruction, value, offset, &mut work) {
                found.push((origin(instruction, value), offset));
            }
        }
        somewhere
    }

    /// Adds what a pointer was made of; false if it is not made of another pointer.
    fn step(
        &self,
        instruction: &Instruction,
        value: ValueId,
        offset: Option<i64>,
        work: &mut Vec<(Operand, Option<i64>)>,
    ) -> bool {
        match &instruction.op {
            Op::ElementPointer { base, offset: constant, terms, .. } => {
                let moved = offset.and_then(|offset| offset.checked_add(*constant));
                let moved = terms.iter().fold(moved, |moved, &(index, stride)| {
                    let index = self.constant_integer(index)?;
                    moved?.checked_add(index.checked_mul(stride)?)
                });
                work.push((*base, moved));
            }
            Op::Cast { op: CastOp::Bitcast | CastOp::AddressSpace, value } | Op::Freeze(value) => {
                work.push((*value, offset));
            }
            // Address arithmetic may make several addresses at once.
            Op::ExtractElement { vector, .. } => work.push((*vector, None)),
            Op::Select { then, otherwise, .. } => work.extend([(*otherwise, offset), (*then, offset)]),
            Op::Phi(incoming) => {
                let others = incoming.iter().filter(|(_, from)| *from != Operand::Value(value));
                work.extend(others.map(|&(_, from)| (from, offset)));
            }
            Op::Load { ty, pointer: Operand::Value(from), .. }
                if matches!(self.program.types.get(*ty), Type::Pointer) =>
            {
                match self.written_once.get(from) {
                    Some(&written) => work.push((written, offset)),
                    None => return false,
                }
            }
            Op::Call(call) => match self.returned_argument(call) {
                Some((argument, exact)) => work.push((argument, offset.filter(|_| exact))),
                None => return false,
            },
            _ => return false,
        }
        true
    }

    /// The pointer that a call returns again, and whether it is exactly that.
    fn returned_argument(&self, call: &Call) -> Option<(Operand, bool)> {
        use IntrinsicKind::*;
        let exact = match &call.callee {
            Callee::Intrinsic(intrinsic) => match intrinsic.kind {
                LaunderInvariant
                | StripInvariant
                | SsaCopy
                | PtrAnnotation
                | ThreadLocalAddress
                | Expect
                | ExpectWithProbability => true,
                PtrMask => false,
                _ => return None,
            },
            Callee::Direct(function) => {
                let function = &self.program.functions[*function];
                if function.is_definition() || !library::returns_first_argument(&function.name) {
                    return None;
                }
                true
            }
            _ => return None,
        };
        Some((*call.arguments.first()?, exact))
    }

    fn follow_constant(&self, constant: ConstantId, offset: Option<i64>, found: &mut Vec<Reference>) -> bool {
        let mut somewhere = true;
        let mut seen = FxHashSet::default();
        let mut work = vec![(constant, offset)];
        while let Some((constant, offset)) = work.pop() {
            if !seen.insert((constant, offset)) {
                continue;
            }
            match &self.program.constants[constant].kind {
                ConstantKind::Global(global) => found.push((Origin::Base(Base::Global(*global)), offset)),
                ConstantKind::Offset { base, offset: more } => {
                    work.push((*base, offset.and_then(|offset| offset.checked_add(*more))));
                }
                ConstantKind::Cast { op: CastOp::Bitcast | CastOp::AddressSpace, value } => {
                    work.push((*value, offset));
                }
                ConstantKind::Select { then, otherwise, .. } => {
                    work.extend([(*then, offset), (*otherwise, offset)]);
                }
                ConstantKind::Null | ConstantKind::Zero => somewhere = false,
                _ => found.push((Origin::Base(Base::Memory), None)),
            }
        }
        somewhere
    }

    /// What a parameter points to.
    fn parameter_base(&self, value: ValueId) -> Base {
        match self.function.parameters.get(value.index()) {
            // The callee has a copy of its own.
            Some(parameter) if parameter.by_value.is_some() => Base::Local(value),
            Some(_) => Base::Pointee(value),
            None => Base::Memory,
        }
    }

    /// The value of a constant, sign-extended.
    pub(crate) fn constant_integer(&self, operand: Operand) -> Option<i64> {
        constant_integer(self.program, operand)
    }

    /// Calls `visit` with each operand of an instruction whose address others know afterwards, if it is one.
    pub(crate) fn for_each_escaping(&self, op: &Op, mut visit: impl FnMut(Operand)) {
        match op {
            Op::Store { value, .. }
            | Op::AtomicReadModifyWrite { value, .. }
            | Op::Cast { op: CastOp::PointerToInteger, value }
            | Op::Return(Some(value))
            | Op::InsertValue { value, .. }
            | Op::InsertElement { value, .. } => visit(*value),
            Op::CompareExchange { expected, replacement, .. } => {
                visit(*expected);
                visit(*replacement);
            }
            Op::Call(call) | Op::Invoke { call, .. } => self.for_each_escaping_argument(call, visit),
            _ => {}
        }
    }

    fn for_each_escaping_argument(&self, call: &Call, mut visit: impl FnMut(Operand)) {
        let keeps = match &call.callee {
            Callee::Intrinsic(intrinsic) => intrinsic.kind == IntrinsicKind::Unknown,
            Callee::Direct(function) => {
                let function = &self.program.functions[*function];
                function.is_definition() || !library::touches_only_its_arguments(&function.name)
            }
            Callee::Indirect(_) | Callee::Assembly(_) => true,
        };
        if !keeps {
            return;
        }
        for (index, &argument) in call.arguments.iter().enumerate() {
            // Of an argument by value the callee gets a copy.
            if !call.by_value.iter().any(|&(number, _)| number as usize == index) {
                visit(argument);
            }
        }
    }

    /// The objects of the frame that others may know the address of.
    pub(crate) fn escaped(&self) -> FxHashSet<ValueId> {
        let mut escaped = FxHashSet::default();
        for (_, instruction) in self.function.instructions.iter() {
            self.for_each_escaping(&instruction.op, |operand| {
                if self.may_be_address(operand) {
                    escaped.extend(self.bases(operand).into_iter().filter_map(|base| match base {
                        Base::Local(value) => Some(value),
                        _ => None,
                    }));
                }
            });
        }
        escaped
    }

    /// Calls `visit` with each global variable whose address an instruction lets others know.
    pub(crate) fn for_each_exposed(&self, op: &Op, mut visit: impl FnMut(GlobalId)) {
        self.for_each_escaping(op, |operand| {
            if self.may_be_address(operand) {
                self.bases(operand).into_iter().for_each(|base| {
                    if let Base::Global(global) = base {
                        visit(global);
                    }
                });
            }
        });
        // Addresses inside of numbers, structs and vectors are not followed.
        op.for_each_operand(|operand| {
            if let Operand::Constant(constant) = operand
                && matches!(
                    self.program.constants[constant].kind,
                    ConstantKind::Aggregate(_)
                        | ConstantKind::Cast { .. }
                        | ConstantKind::Binary { .. }
                        | ConstantKind::Select { .. }
                )
            {
                globals_in(self.program, constant).into_iter().for_each(&mut visit);
            }
        });
    }

    /// Whether a value is, or holds, an address: numbers do not, because making them is letting others know.
    fn may_be_address(&self, operand: Operand) -> bool {
        let ty = self.program.operand_type(self.function, operand);
        !matches!(self.program.types.get(ty), Type::Integer(_) | Type::Float(_))
    }
}

/// The value of a constant, sign-extended.
pub(crate) fn constant_integer(program: &Program, operand: Operand) -> Option<i64> {
    let Operand::Constant(constant) = operand else { return None };
    let constant = &program.constants[constant];
    match constant.kind {
        ConstantKind::Integer(bits) => {
            let width = program.types.scalar_bits(constant.ty).filter(|width| (1..=64).contains(width))?;
            Some(((bits as u64) << (64 - width)) as i64 >> (64 - width))
        }
        ConstantKind::Zero => Some(0),
        _ => None,
    }
}

/// Whether a call only tells the compiler something about a variable.
pub(crate) fn is_marker(call: &Call) -> bool {
    use IntrinsicKind::*;
    match &call.callee {
        Callee::Intrinsic(intrinsic) => matches!(
            intrinsic.kind,
            LifetimeStart
                | LifetimeEnd
                | InvariantStart
                | InvariantEnd
                | DebugDeclare
                | DebugValue
                | DebugAssign
        ),
        _ => false,
    }
}

/// Where a pointer that is not made of another pointer begins.
fn origin(instruction: &Instruction, value: ValueId) -> Origin {
    match instruction.op {
        Op::Alloca { .. } => Origin::Base(Base::Local(value)),
        _ => Origin::Value(value),
    }
}

/// The bytes of an element at a distance from a location, if they are a part of one.
fn element_range(location: Location, offset: Option<i64>, size: Option<u64>) -> Option<(u64, u64)> {
    let element = i64::try_from(location.modulus).ok()?;
    let start = location.offset.checked_add(offset?)?.rem_euclid(element) as u64;
    let end = start.checked_add(size?)?;
    (end <= location.modulus).then_some((start, end))
}

fn range(offset: Option<i64>, size: Option<u64>) -> Option<(u64, u64)> {
    let start = u64::try_from(offset?).ok()?;
    Some((start, start.checked_add(size?)?))
}

/// The global variables that a constant holds the address of, in order.
pub(crate) fn globals_in(program: &Program, constant: ConstantId) -> Vec<GlobalId> {
    let mut globals = Vec::new();
    for_each_constant(program, constant, |part| {
        if let ConstantKind::Global(global) = program.constants[part].kind {
            globals.push(global);
        }
    });
    globals.sort_unstable();
    globals.dedup();
    globals
}

/// Calls `visit` with a constant and all that it is made of, each once.
pub(crate) fn for_each_constant(program: &Program, constant: ConstantId, mut visit: impl FnMut(ConstantId)) {
    let mut seen = FxHashSet::default();
    let mut work = vec![constant];
    while let Some(constant) = work.pop() {
        if !seen.insert(constant) {
            continue;
        }
        visit(constant);
        match &program.constants[constant].kind {
            ConstantKind::Offset { base: one, .. } | ConstantKind::Cast { value: one, .. } => work.push(*one),
            ConstantKind::Binary { left, right, .. } | ConstantKind::Compare { left, right, .. } => {
                work.extend([*left, *right]);
            }
            ConstantKind::Select { condition, then, otherwise } => {
                work.extend([*condition, *then, *otherwise]);
            }
            ConstantKind::Aggregate(elements) => work.extend(elements.iter()),
            _ => {}
        }
    }
}
