//! What one instruction does by itself: where it reads and writes, whom it calls, whether it can fail.

use crate::library;
use crate::places::{Base, Place};
use crate::pointers::Pointers;
use incise_ir::{
    BinaryOp, Call, Callee, ConstantKind, FunctionId, GlobalId, InstructionId, Intrinsic, IntrinsicKind, Op,
    Operand, Program, TypeId,
};
use rustc_hash::FxHashMap;

/// What an instruction, or several together, do. What called functions with a body do is not part of it.
#[derive(Default, Debug)]
pub(crate) struct Facts {
    pub(crate) reads: Vec<Place>,
    pub(crate) writes: Vec<Place>,
    /// Whether the program may stop here.
    pub(crate) may_stop: bool,
    /// Whether there may be more than one way to go on, branches aside.
    pub(crate) decides: bool,
    /// Whether code is called that nobody can see.
    pub(crate) unknown: bool,
    /// The functions that may be called, those without a body included.
    pub(crate) calls: Vec<FunctionId>,
}

impl Facts {
    /// The instruction can fail, and the way on is one where it did not.
    pub(crate) fn may_fail(&mut self) {
        self.may_stop = true;
        self.decides = true;
    }

    pub(crate) fn read(&mut self, pointers: &Pointers<'_>, pointer: Operand, size: Option<u64>) {
        let access = pointers.access(pointer, size, false);
        self.may_stop |= !access.safe;
        self.decides |= !access.safe || access.places.len() > 1;
        self.reads.extend(access.places);
    }

    pub(crate) fn write(&mut self, pointers: &Pointers<'_>, pointer: Operand, size: Option<u64>) {
        let access = pointers.access(pointer, size, true);
        self.may_stop |= !access.safe;
        self.decides |= !access.safe || access.places.len() > 1;
        self.writes.extend(access.places.into_iter().filter(|place| !is_constant(pointers.program, place)));
    }
}

/// Whether a place is never written.
fn is_constant(program: &Program, place: &Place) -> bool {
    matches!(place.base, Base::Global(global) if program.globals[global].constant)
}

/// What is needed to tell what an instruction does, beyond its own function.
#[derive(Clone, Debug)]
pub(crate) struct Surroundings {
    /// The functions whose address is used, by the types of their parameters, in order.
    by_parameters: FxHashMap<Box<[TypeId]>, Vec<FunctionId>>,
    /// Those that take more arguments than their parameters, in order.
    variadic: Vec<(Box<[TypeId]>, FunctionId)>,
    /// The functions that may run when the program exits, in order.
    at_exit: Vec<FunctionId>,
    /// Where the models of the C library keep `errno`.
    pub(crate) errno: Option<GlobalId>,
    /// Whether signed arithmetic is checked for overflow.
    overflow: bool,
}

impl Surroundings {
    pub(crate) fn new(program: &Program, overflow: bool) -> Self {
        let mut found = Self {
            by_parameters: FxHashMap::default(),
            variadic: Vec::new(),
            at_exit: program.destructors.clone(),
            errno: program.global_named("__incise_errno"),
            overflow,
        };
        // A call by name does not use the function's address as a constant.
        let mut taken: Vec<FunctionId> = (program.constants.iter())
            .filter_map(|(_, constant)| match constant.kind {
                ConstantKind::Function(function) => Some(function),
                _ => None,
            })
            .collect();
        taken.sort_unstable();
        taken.dedup();
        let registers_handlers = program.function_named("atexit").is_some();
        for id in taken {
            let function = &program.functions[id];
            let parameters: Box<[TypeId]> = function.parameters.iter().map(|each| each.ty).collect();
            if registers_handlers && parameters.is_empty() {
                found.at_exit.push(id);
            }
            if function.variadic {
                found.variadic.push((parameters.clone(), id));
            }
            found.by_parameters.entry(parameters).or_default().push(id);
        }
        found.at_exit.sort_unstable();
        found.at_exit.dedup();
        found
    }

    /// The functions that a call by address with these arguments may mean, in order.
    fn candidates(&self, arguments: &[TypeId]) -> Vec<FunctionId> {
        let exact = self.by_parameters.get(arguments).into_iter().flatten().copied();
        let variadic = (self.variadic.iter())
            .filter(|(parameters, _)| arguments.starts_with(parameters))
            .map(|&(_, function)| function);
        let mut found: Vec<FunctionId> = exact.chain(variadic).collect();
        if found.is_empty() {
            // A call with more arguments than the function takes is wrong in C, and works.
            let shorter = (0..arguments.len()).filter_map(|end| self.by_parameters.get(&arguments[..end]));
            found.extend(shorter.flatten());
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Adds what an instruction does.
    pub(crate) fn add(&self, pointers: &Pointers<'_>, id: InstructionId, facts: &mut Facts) {
        let (program, function) = (pointers.program, pointers.function);
        let instruction = &function.instructions[id];
        match &instruction.op {
            Op::Binary { op, right, flags, .. } => {
                let checked = self.overflow
                    && flags.no_signed_wrap
                    && matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul);
                if checked || may_fail(pointers, *op, *right) {
                    facts.may_fail();
                }
            }
            Op::Load { ty, pointer, .. } => {
                facts.read(pointers, *pointer, Some(program.types.store_size(*ty)));
            }
            Op::Store { value, pointer, .. } => {
                let ty = program.operand_type(function, *value);
                facts.write(pointers, *pointer, Some(program.types.store_size(ty)));
            }
            Op::AtomicReadModifyWrite { pointer, value, .. }
            | Op::CompareExchange { pointer, replacement: value, .. } => {
                let size = program.types.store_size(program.operand_type(function, *value));
                facts.read(pointers, *pointer, Some(size));
                facts.write(pointers, *pointer, Some(size));
            }
            Op::VaArg { list } => {
                facts.read(pointers, *list, Some(VA_LIST));
                facts.write(pointers, *list, Some(VA_LIST));
                facts.reads.push(Place::memory());
                facts.may_fail();
            }
            Op::ExtractElement { index, .. } | Op::InsertElement { index, .. }
                if pointers.constant_integer(*index).is_none() =>
            {
                facts.may_fail();
            }
            Op::Alloca { count: Some(_), .. } | Op::IndirectBranch { .. } => facts.may_fail(),
            Op::LandingPad
            | Op::Unsupported(_)
            | Op::UnsupportedTerminator(_)
            | Op::Resume
            | Op::Unreachable => facts.may_stop = true,
            Op::Call(call) | Op::Invoke { call, .. } => self.add_call(pointers, call, facts),
            _ => {}
        }
    }

    fn add_call(&self, pointers: &Pointers<'_>, call: &Call, facts: &mut Facts) {
        let program = pointers.program;
        for &(number, ty) in &call.by_value {
            if let Some(&argument) = call.arguments.get(number as usize) {
                facts.read(pointers, argument, Some(program.types.size_of(ty)));
            }
        }
        match &call.callee {
            Callee::Direct(function) => self.add_callee(pointers, *function, call, facts),
            Callee::Indirect(_) => {
                let types: Vec<TypeId> = (call.arguments.iter())
                    .map(|&argument| program.operand_type(pointers.function, argument))
                    .collect();
                let candidates = self.candidates(&types);
                // The address may be that of no function at all.
                facts.may_fail();
                facts.unknown |= candidates.is_empty();
                for function in candidates {
                    self.add_callee(pointers, function, call, facts);
                }
            }
            Callee::Intrinsic(intrinsic) => add_intrinsic(pointers, intrinsic, call, facts),
            Callee::Assembly(template) => {
                if !template.trim().is_empty() {
                    facts.unknown = true;
                    facts.may_fail();
                }
            }
        }
    }

    fn add_callee(&self, pointers: &Pointers<'_>, id: FunctionId, call: &Call, facts: &mut Facts) {
        let function = &pointers.program.functions[id];
        facts.calls.push(id);
        facts.may_stop |= function.no_return;
        if function.is_definition() {
            // Fewer arguments than parameters stop the program.
            facts.may_stop |= call.arguments.len() < function.parameters.len();
            return;
        }
        if !library::add_call(pointers, self, &function.name, call, facts) {
            facts.unknown = true;
            facts.may_fail();
        }
        if library::runs_exit_handlers(&function.name) {
            facts.calls.extend(&self.at_exit);
        }
    }
}

/// The size of a `va_list`.
const VA_LIST: u64 = 24;

/// Whether arithmetic can fail for some left operand.
fn may_fail(pointers: &Pointers<'_>, op: BinaryOp, right: Operand) -> bool {
    use BinaryOp::*;
    let right_type = pointers.program.operand_type(pointers.function, right);
    let constant = pointers.constant_integer(right);
    match op {
        UDiv | URem => constant.is_none_or(|right| right == 0),
        // The smallest number divided by -1 does not fit.
        SDiv | SRem => constant.is_none_or(|right| right == 0 || right == -1),
        Shl | LShr | AShr => {
            let width = pointers.program.types.scalar_bits(right_type);
            match (constant, width) {
                (Some(amount), Some(width)) => !(0..i64::from(width)).contains(&amount),
                _ => true,
            }
        }
        _ => false,
    }
}

fn add_intrinsic(pointers: &Pointers<'_>, intrinsic: &Intrinsic, call: &Call, facts: &mut Facts) {
    use IntrinsicKind::*;
    let argument = |index: usize| call.arguments.get(index).copied();
    let length = || argument(2).and_then(|length| pointers.constant_integer(length));
    let length = || length().and_then(|length| u64::try_from(length).ok());
    match intrinsic.kind {
        MemoryCopy | MemoryCopyInline | MemoryMove => {
            argument(1).into_iter().for_each(|from| facts.read(pointers, from, length()));
            argument(0).into_iter().for_each(|to| facts.write(pointers, to, length()));
        }
        MemorySet | MemorySetInline => {
            argument(0).into_iter().for_each(|to| facts.write(pointers, to, length()));
        }
        VaStart => argument(0).into_iter().for_each(|list| facts.write(pointers, list, Some(VA_LIST))),
        VaCopy => {
            argument(1).into_iter().for_each(|from| facts.read(pointers, from, Some(VA_LIST)));
            argument(0).into_iter().for_each(|to| facts.write(pointers, to, Some(VA_LIST)));
        }
        MaskedLoad | LoadRelative => {
            argument(0).into_iter().for_each(|from| facts.read(pointers, from, None));
        }
        MaskedStore => argument(1).into_iter().for_each(|to| facts.write(pointers, to, None)),
        Trap | DebugTrap | UbsanTrap => facts.may_stop = true,
        Unknown => {
            facts.unknown = true;
            facts.may_fail();
        }
        _ => {}
    }
}
