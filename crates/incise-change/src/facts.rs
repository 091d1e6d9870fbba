//! What one instruction does by itself: where it reads and writes, whom it calls, whether it can fail.

use crate::candidates::Candidates;
use crate::library;
use crate::places::{Base, MemoryPlace};
use crate::pointers::Pointers;
use crate::points_to::{PointsTo, Targets};
use crate::synchronisation;
use incise_ir::{
    BinaryOp, Call, Callee, FunctionId, GlobalId, InstructionId, Intrinsic, IntrinsicKind, Op, Operand,
    Program,
};

/// What an instruction, or several together, do. What called functions with a body do is not part of it.
#[derive(Default, Debug)]
pub(crate) struct Facts {
    pub(crate) reads: Vec<MemoryPlace>,
    pub(crate) writes: Vec<MemoryPlace>,
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

    /// Code is called that nobody can see. It may do everything; the objects of the program that it is given are named
    /// as well, because they count where the rest does not.
    pub(crate) fn calls_unknown(&mut self, pointers: &Pointers<'_>, call: &Call) {
        self.unknown = true;
        let targets = call.arguments.iter().flat_map(|&argument| pointers.targets(argument));
        let is_object = |base: &Base| {
            matches!(base, Base::Local(_) | Base::Global(_) | Base::Object(_) | Base::Objects(_))
        };
        let objects = targets.map(|target| target.base).filter(is_object).map(MemoryPlace::whole);
        for place in objects.collect::<Vec<_>>() {
            self.reads.push(place);
            if !is_constant(pointers.program, &place) {
                self.writes.push(place);
            }
        }
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

/// Whether a volatile access of these places may lead to a device, and not only to objects of the program: what that
/// does nobody can see.
fn may_be_device(places: &[MemoryPlace]) -> bool {
    let is_object = |place: &MemoryPlace| {
        matches!(place.base, Base::Local(_) | Base::Global(_) | Base::Object(_) | Base::Objects(_))
    };
    places.is_empty() || !places.iter().all(is_object)
}

/// Whether a place is never written.
pub(crate) fn is_constant(program: &Program, place: &MemoryPlace) -> bool {
    matches!(place.base, Base::Global(global) if program.globals[global].constant)
}

/// What is needed to tell what an instruction does, beyond its own function.
#[derive(Clone, Debug)]
pub(crate) struct Surroundings {
    candidates: Candidates,
    /// The functions that may run when the program exits, in order.
    at_exit: Vec<FunctionId>,
    /// Where the models of the C library keep `errno`.
    pub(crate) errno: Option<GlobalId>,
    /// Whether signed arithmetic is checked for overflow.
    overflow: bool,
}

impl Surroundings {
    pub(crate) fn new(program: &Program, candidates: Candidates, overflow: bool) -> Self {
        let mut at_exit = program.destructors.clone();
        if program.function_named("atexit").is_some() {
            let handlers = candidates.all.iter().filter(|&&id| program.functions[id].parameters.is_empty());
            at_exit.extend(handlers);
        }
        at_exit.sort_unstable();
        at_exit.dedup();
        let errno = program.global_named("__incise_errno");
        Self { candidates, at_exit, errno, overflow }
    }

    /// The functions that a call may mean, those without a body included; `None` for intrinsics and assembly.
    pub(crate) fn targets(
        &self,
        program: &Program,
        points_to: &PointsTo,
        caller: FunctionId,
        at: InstructionId,
        call: &Call,
    ) -> Option<Targets> {
        match &call.callee {
            Callee::Direct(function) => {
                let mut targets = Targets { functions: vec![*function], resolved: true };
                if let Some(inner) = self.inner_targets(program, points_to, caller, at, call) {
                    targets.functions.extend(inner.functions);
                    targets.functions.sort_unstable();
                    targets.functions.dedup();
                    targets.resolved = inner.resolved;
                }
                Some(targets)
            }
            Callee::Indirect(_) => Some(self.by_address(program, points_to, caller, at, call)),
            Callee::Intrinsic(_) | Callee::Assembly(_) => None,
        }
    }

    /// The functions that a call starts in new threads, or that the function it calls is given to call; `None` for
    /// other calls.
    pub(crate) fn inner_targets(
        &self,
        program: &Program,
        points_to: &PointsTo,
        caller: FunctionId,
        at: InstructionId,
        call: &Call,
    ) -> Option<Targets> {
        let inner = synchronisation::inner_call(program, call)?;
        Some(self.by_address(program, points_to, caller, at, &inner))
    }

    fn by_address(
        &self,
        program: &Program,
        points_to: &PointsTo,
        caller: FunctionId,
        at: InstructionId,
        call: &Call,
    ) -> Targets {
        let known = points_to.targets(caller, at).filter(|known| !known.functions.is_empty());
        known.cloned().unwrap_or_else(|| Targets {
            functions: self.candidates.of_call(program, &program.functions[caller], call),
            resolved: false,
        })
    }

    /// The functions that run when a function is called that ends the program.
    pub(crate) fn exit_handlers(&self, name: &str) -> &[FunctionId] {
        if library::runs_exit_handlers(name) { &self.at_exit } else { &[] }
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
            Op::Load { ty, pointer, volatile, .. } => {
                let before = facts.reads.len();
                facts.read(pointers, *pointer, Some(program.types.store_size(*ty)));
                facts.unknown |= *volatile && may_be_device(&facts.reads[before..]);
            }
            Op::Store { value, pointer, volatile, .. } => {
                let ty = program.operand_type(function, *value);
                let before = facts.writes.len();
                facts.write(pointers, *pointer, Some(program.types.store_size(ty)));
                facts.unknown |= *volatile && may_be_device(&facts.writes[before..]);
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
                facts.reads.push(MemoryPlace::memory());
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
            Op::Call(call) | Op::Invoke { call, .. } => self.add_call(pointers, id, call, facts),
            _ => {}
        }
    }

    fn add_call(&self, pointers: &Pointers<'_>, at: InstructionId, call: &Call, facts: &mut Facts) {
        let program = pointers.program;
        for &(number, ty) in &call.by_value {
            if let Some(&argument) = call.arguments.get(number as usize) {
                facts.read(pointers, argument, Some(program.types.size_of(ty)));
            }
        }
        match &call.callee {
            Callee::Direct(function) => {
                self.add_callee(pointers, at, *function, call, facts);
                if let Some(inner) = synchronisation::inner_call(program, call) {
                    let targets = self.by_address(program, pointers.points_to, pointers.id, at, &inner);
                    if targets.functions.is_empty() {
                        facts.calls_unknown(pointers, call);
                    }
                    for function in targets.functions {
                        self.add_callee(pointers, at, function, &inner, facts);
                    }
                }
            }
            Callee::Indirect(_) => {
                let targets = self.targets(program, pointers.points_to, pointers.id, at, call);
                let functions = targets.map(|targets| targets.functions).unwrap_or_default();
                // The address may be that of no function at all.
                facts.may_fail();
                if functions.is_empty() {
                    facts.calls_unknown(pointers, call);
                }
                for function in functions {
                    self.add_callee(pointers, at, function, call, facts);
                }
            }
            Callee::Intrinsic(intrinsic) => add_intrinsic(pointers, intrinsic, call, facts),
            Callee::Assembly(template) => {
                if !template.trim().is_empty() {
                    facts.calls_unknown(pointers, call);
                    facts.may_fail();
                }
            }
        }
    }

    fn add_callee(
        &self,
        pointers: &Pointers<'_>,
        at: InstructionId,
        id: FunctionId,
        call: &Call,
        facts: &mut Facts,
    ) {
        let function = &pointers.program.functions[id];
        facts.calls.push(id);
        facts.may_stop |= function.no_return;
        if function.is_definition() {
            // Fewer arguments than parameters stop the program.
            facts.may_stop |= call.arguments.len() < function.parameters.len();
            return;
        }
        // Where such a function is itself called by its address, what it calls is not followed.
        let hidden = !matches!(call.callee, Callee::Direct(_))
            && synchronisation::calls_argument(&function.name).is_some();
        if hidden || !library::add_call(pointers, self, &function.name, at, call, facts) {
            facts.calls_unknown(pointers, call);
            facts.may_fail();
        }
        facts.calls.extend(self.exit_handlers(&function.name));
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
            facts.calls_unknown(pointers, call);
            facts.may_fail();
        }
        _ => {}
    }
}
