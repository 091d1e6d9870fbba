//! When versions of a program can be compared function by function: a function that does the same by itself does the
//! same wherever it is called.
//!
//! Let an entry, and all that it reaches without going through a changed function, be unchanged. If each changed
//! function that it comes to does the same in both versions *for all that a caller can pass it*, then both versions of
//! the entry go the same way, call by call, and nothing needs to be explored from the entry. This is the proof rule of
//! Godlin and Strichman ("Regression verification", 2013) for the calls of equal functions. [`Composition`] finds the
//! changed functions and says whether judging them by themselves is enough; whoever explores them has to compare
//! everything, and to come to an end without a limit, an error or a doubt. That is so only for functions whose inputs
//! and effects are all in sight, and which an exploration that begins there sees as any caller may leave them:
//!
//! - *Numbers only.* Parameters are integers or floating-point numbers, the result is an integer or nothing. A pointer
//!   could lead to an object of another size than an exploration makes up, or to one that another pointer leads to as
//!   well. Of a struct in registers an exploration does not make up the padding, and the bits of a NaN are not
//!   compared.
//! - *Own variables, and variables of the program by their name.* What is read and written is a local variable, a
//!   constant, or a global variable that holds nothing but integers, is the same in both versions, and is told by its
//!   name alone; it has any value where the function is entered, and not its initial one. No address becomes a number
//!   or is compared.
//! - *All in sight.* Everything that is called has a body, and is called by its name. No assembly, nothing volatile or
//!   atomic, no assumptions, no undefined values, nothing that depends on who calls. So there is neither output nor a
//!   call that could differ.
//! - *Nothing in between.* No other thread and no signal handler sees global variables while they are written, and
//!   nobody sets the rounding of floating-point numbers. Constructors would run before an exploration of the function
//!   alone.
//!
//! Functions that only one version has must be out of sight of unchanged code, and variables that both versions have
//! must begin with the same content. What is refused here is not different: it has to be explored.

mod by_itself;

use crate::hash::{Fingerprint, Mixer};
use crate::reachable::Reachable;
use crate::symbols::is_compiler_made;
use crate::{FunctionChange, Symbols, Versions};
pub use by_itself::{ByItself, Effect};
use incise_ir::{
    Call, Callee, ConstantId, ConstantKind, DebugType, DebugTypeId, Encoding, Function, FunctionId, GlobalId,
    InstructionId, IntrinsicKind, Op, Operand, Program, Type, TypeId, ValueId,
};
use std::collections::{BTreeMap, BTreeSet};

/// What begins other threads or runs between any two steps of a program.
const CONCURRENT: &[&str] = &["pthread_create", "thrd_create", "clone", "signal", "bsd_signal", "sigaction"];

/// What sets the rounding of floating-point numbers.
const ROUNDING: &[&str] = &["fesetround", "fesetenv", "feupdateenv", "_controlfp"];

/// Another name for a type of another name..., so often at most.
const MOST_NAMES: usize = 64;

/// Why functions have to be looked at together with who calls them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Obstacle {
    /// The entry itself changed, or is another function.
    Entry,
    /// A function that only one version has is reached from unchanged code.
    Lone(String),
    /// Functions run before or after the entry.
    Surroundings,
    /// A variable of both versions begins with another content.
    Content(String),
    /// A function is not the only one of its name.
    Name(String),
    /// A function takes or returns something else than numbers, or not the same in both versions.
    Signature(String),
    /// A function touches memory other than its own variables and variables of the program that hold integers.
    Memory(String),
    /// A variable of the program does not hold integers only, or is not the same variable in both versions for sure.
    Variable(String),
    /// A function does something that depends on more than its inputs, or does more than compute.
    Instruction(String),
    /// A function calls what has no body, or what is not known.
    Call(String),
    /// Something may happen between two steps of a function, or changes what arithmetic does.
    Concurrent(String),
}

/// The changed functions that stand between an entry and the same behaviour in both versions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Composition {
    /// What has to be compared by itself, in the order of the new version.
    pub changed: Vec<ComposedFunction>,
}

/// A changed function that can be judged by itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ComposedFunction {
    /// The function in the old version.
    pub old: FunctionId,
    /// The function in the new version.
    pub new: FunctionId,
    /// The variables of the program that it reads or writes in one of the versions, by the names of their symbols. They
    /// have any value where it is entered.
    pub variables: BTreeSet<String>,
}

impl Composition {
    /// What of a change has to be compared for the old and the new version of an entry to do the same.
    pub fn new(
        (old, new): (&Program, &Program),
        versions: &Versions,
        entries: (FunctionId, FunctionId),
    ) -> Result<Self, Obstacle> {
        for program in [old, new] {
            if !program.constructors.is_empty() || !program.destructors.is_empty() {
                return Err(Obstacle::Surroundings);
            }
        }
        // Functions of one name need not belong together.
        let together =
            |pair: &crate::FunctionPair| (pair.old, pair.new) == (Some(entries.0), Some(entries.1));
        if !versions.functions.iter().any(together) {
            return Err(Obstacle::Entry);
        }
        let others = other_contents((old, versions.old_symbols()), (new, versions.new_symbols()));
        if let Some(name) = others.into_iter().next() {
            return Err(Obstacle::Content(name));
        }
        let mut changed: BTreeSet<(FunctionId, FunctionId)> = BTreeSet::new();
        changed.extend(frontier(old, versions, entries.0, WhichVersion::Old)?);
        changed.extend(frontier(new, versions, entries.1, WhichVersion::New)?);
        let mut parts = Vec::new();
        for (before, after) in changed {
            let pair = versions.functions.iter().find(|pair| pair.new == Some(after));
            if pair.is_none_or(|pair| pair.signature_changed) {
                return Err(Obstacle::Signature(new.functions[after].name.clone()));
            }
            let mut variables = BTreeSet::new();
            for (program, id) in [(old, before), (new, after)] {
                variables.extend(Closed::new(program, id)?.variables);
            }
            for name in &variables {
                let same = variable(old, name).zip(variable(new, name)).is_some_and(|(one, other)| {
                    let (before, after) = (versions.old_symbols(), versions.new_symbols());
                    before.ty(old.globals[one].ty) == after.ty(new.globals[other].ty)
                });
                if !same {
                    return Err(Obstacle::Variable(name.clone()));
                }
            }
            parts.push(ComposedFunction { old: before, new: after, variables });
        }
        parts.sort_by_key(|part| part.new);
        Ok(Self { changed: parts })
    }
}

#[derive(Copy, Clone, PartialEq, Eq)]
enum WhichVersion {
    Old,
    New,
}

/// The changed functions that an entry comes to through unchanged code, in both versions.
fn frontier(
    program: &Program,
    versions: &Versions,
    entry: FunctionId,
    side: WhichVersion,
) -> Result<Vec<(FunctionId, FunctionId)>, Obstacle> {
    let own = |pair: &crate::FunctionPair| if side == WhichVersion::Old { pair.old } else { pair.new };
    let pairs: BTreeMap<FunctionId, &crate::FunctionPair> =
        versions.functions.iter().filter_map(|pair| Some((own(pair)?, pair))).collect();
    let change = |id: FunctionId| pairs.get(&id).map(|pair| pair.change);
    if change(entry) != Some(FunctionChange::Unchanged) {
        return Err(Obstacle::Entry);
    }
    let reached = Reachable::up_to(program, [entry], |id| change(id) == Some(FunctionChange::Changed));
    let mut found = Vec::new();
    for id in reached.functions() {
        match change(id) {
            // What is declared, and models of the library, are the same in both versions.
            None | Some(FunctionChange::Unchanged) => {}
            Some(FunctionChange::Changed) => {
                found.extend(pairs[&id].old.zip(pairs[&id].new));
            }
            Some(FunctionChange::Added | FunctionChange::Removed) => {
                return Err(Obstacle::Lone(program.functions[id].name.clone()));
            }
        }
    }
    Ok(found)
}

/// The symbols of the variables that may be written and that both versions have with another type, or that begin with
/// another content in one of them.
pub fn begin_otherwise(old: &Program, new: &Program) -> BTreeSet<String> {
    let (own, theirs) = Symbols::pair(new, old);
    let mut names = other_contents((old, &theirs), (new, &own));
    let written = |name: &String| {
        let variables = [old, new].map(|program| program.global_named(name).map(|id| &program.globals[id]));
        variables.into_iter().flatten().any(|global| !global.constant && global.initializer.is_some())
    };
    names.retain(written);
    names
}

/// The variables of both versions that have another type in one of them, or begin with another content.
fn other_contents(old: (&Program, &Symbols), new: (&Program, &Symbols)) -> BTreeSet<String> {
    let mut contents: BTreeMap<&str, [Vec<Fingerprint>; 2]> = BTreeMap::new();
    for (side, (program, symbols)) in [old, new].into_iter().enumerate() {
        for (id, global) in program.globals.iter() {
            if global.model || is_compiler_made(program, id) {
                continue;
            }
            let mut mixer = Mixer::new("content");
            mixer.fingerprint(symbols.ty(global.ty));
            mixer.word(u64::from(global.constant) | u64::from(global.thread_local) << 1);
            mixer.word(u64::from(global.initializer.is_some()));
            global.initializer.iter().for_each(|&content| mixer.fingerprint(symbols.place(content)));
            contents.entry(&global.name).or_default()[side].push(mixer.done());
        }
    }
    let is_other = |[before, after]: &mut [Vec<Fingerprint>; 2]| {
        before.sort_unstable();
        after.sort_unstable();
        !before.is_empty() && !after.is_empty() && before != after
    };
    contents.retain(|_, each| is_other(each));
    contents.into_keys().map(str::to_owned).collect()
}

/// The only variable with a symbol of this name, if no other variable has its name in the source.
fn variable(program: &Program, name: &str) -> Option<GlobalId> {
    let source = |id: GlobalId| {
        let global = &program.globals[id];
        global.source_name.as_ref().unwrap_or(&global.name)
    };
    let mut named = program.globals.ids().filter(|&id| program.globals[id].name == name);
    let found = named.next().filter(|_| named.next().is_none())?;
    let alike = program.globals.ids().filter(|&id| source(id) == source(found)).count();
    (alike == 1).then_some(found)
}

/// A function all of whose inputs and effects are in sight.
struct Closed<'a> {
    program: &'a Program,
    /// The variables of the program that it and what it calls read or write, constants aside.
    variables: BTreeSet<String>,
    floats: bool,
    seen: BTreeSet<FunctionId>,
    work: Vec<FunctionId>,
}

impl<'a> Closed<'a> {
    fn new(program: &'a Program, id: FunctionId) -> Result<Self, Obstacle> {
        let function = &program.functions[id];
        let name = || function.name.clone();
        if program.function_named(&function.name) != Some(id) || function.name == "main" {
            return Err(Obstacle::Name(name()));
        }
        let number = |ty: TypeId| matches!(program.types.get(ty), Type::Integer(1..=128) | Type::Float(_));
        let plain = function.parameters.iter().all(|parameter| {
            let apart = parameter.by_value.is_none() && !parameter.struct_return;
            // A struct that travels in registers, as the front end names them.
            number(parameter.ty) && apart && !parameter.name.contains(".coerce")
        });
        let result = matches!(program.types.get(function.result), Type::Void | Type::Integer(1..=128));
        if !plain || !result || function.variadic {
            return Err(Obstacle::Signature(name()));
        }
        let mut closed = Self {
            program,
            variables: BTreeSet::new(),
            floats: false,
            seen: BTreeSet::from([id]),
            work: vec![id],
        };
        while let Some(id) = closed.work.pop() {
            closed.add(&program.functions[id])?;
        }
        let has = |names: &'static [&'static str]| {
            names.iter().find(|name| program.function_named(name).is_some()).copied()
        };
        let between = has(CONCURRENT).filter(|_| !closed.variables.is_empty());
        match between.or_else(|| has(ROUNDING).filter(|_| closed.floats)) {
            Some(name) => Err(Obstacle::Concurrent(name.to_owned())),
            None => Ok(closed),
        }
    }

    /// Adds what a function does, without what it calls.
    fn add(&mut self, function: &'a Function) -> Result<(), Obstacle> {
        if !function.is_definition() || function.variadic {
            return Err(Obstacle::Call(function.name.clone()));
        }
        let float = |ty: TypeId| matches!(self.program.types.get(ty), Type::Float(_));
        self.floats |= function.values.iter().any(|(_, value)| float(value.ty));
        let body = Body::new(self.program, function);
        for (_, instruction) in function.instructions.iter() {
            self.instruction(&body, &instruction.op)?;
        }
        Ok(())
    }

    fn instruction(&mut self, body: &Body<'_>, op: &Op) -> Result<(), Obstacle> {
        let refused = || Err(Obstacle::Instruction(body.function.name.clone()));
        match op {
            Op::Load { pointer, volatile: false, ordering: None, .. } => return self.access(body, *pointer),
            Op::Store { value, pointer, volatile: false, ordering: None } => {
                self.access(body, *pointer)?;
                return if body.is_number(*value) { Ok(()) } else { refused() };
            }
            // An address is only looked at where something is read or written.
            Op::ElementPointer { terms, .. } => {
                return if terms.iter().all(|(index, _)| body.is_number(*index)) {
                    Ok(())
                } else {
                    refused()
                };
            }
            Op::Call(call) => return self.call(body, call),
            Op::Alloca { count: None, .. } => return Ok(()),
            // Addresses are no numbers: they are neither compared nor converted. What a number is converted to leads to
            // nothing in sight.
            Op::Binary { .. }
            | Op::FloatNegate(_)
            | Op::IntegerCompare { .. }
            | Op::FloatCompare { .. }
            | Op::Cast { .. }
            | Op::Select { .. }
            | Op::Phi(_)
            | Op::ExtractValue { .. }
            | Op::Return(_)
            | Op::Branch(_)
            | Op::ConditionalBranch { .. }
            | Op::Switch { .. }
            | Op::Unreachable => {}
            _ => return refused(),
        }
        let mut numbers = true;
        op.for_each_operand(|operand| numbers &= body.is_number(operand));
        if numbers { Ok(()) } else { refused() }
    }

    fn call(&mut self, body: &Body<'_>, call: &Call) -> Result<(), Obstacle> {
        let refused = || Err(Obstacle::Call(body.function.name.clone()));
        match &call.callee {
            Callee::Direct(callee) => {
                if !call.by_value.is_empty() || !call.arguments.iter().all(|&each| body.is_number(each)) {
                    return refused();
                }
                if self.seen.insert(*callee) {
                    self.work.push(*callee);
                }
                Ok(())
            }
            Callee::Intrinsic(intrinsic) => match meaning(intrinsic.kind) {
                Meaning::Nothing => Ok(()),
                Meaning::Number if call.arguments.iter().all(|&each| body.is_number(each)) => Ok(()),
                Meaning::Memory(pointers) => {
                    let (pointers, numbers) = call.arguments.split_at(pointers.min(call.arguments.len()));
                    pointers.iter().try_for_each(|&pointer| self.access(body, pointer))?;
                    // The last one tells whether it is volatile.
                    let volatile = numbers.last().is_none_or(|&last| !body.is_zero(last));
                    if volatile || !numbers.iter().all(|&each| body.is_number(each)) {
                        return refused();
                    }
                    Ok(())
                }
                Meaning::Number | Meaning::Other => refused(),
            },
            Callee::Indirect(_) | Callee::Assembly(_) => refused(),
        }
    }

    /// Something is read or written: what belongs to the frame, a constant, or a variable that is noted.
    fn access(&mut self, body: &Body<'_>, pointer: Operand) -> Result<(), Obstacle> {
        match body.base(pointer) {
            Some(Object::Own) => Ok(()),
            Some(Object::Global(id)) => {
                let global = &self.program.globals[id];
                if global.constant && global.initializer.is_some() {
                    return Ok(());
                }
                let plain = global.initializer.is_some()
                    && !global.constant
                    && !global.thread_local
                    && !global.model
                    && holds_integers(self.program, global.ty)
                    && global.debug_type.is_none_or(|ty| says_integers(self.program, ty));
                if !plain {
                    return Err(Obstacle::Variable(global.name.clone()));
                }
                self.variables.insert(global.name.clone());
                Ok(())
            }
            None => Err(Obstacle::Memory(body.function.name.clone())),
        }
    }
}

/// What an address leads to.
enum Object {
    /// A variable of the function.
    Own,
    Global(GlobalId),
}

/// A function, and who makes its values.
struct Body<'a> {
    program: &'a Program,
    function: &'a Function,
    makers: BTreeMap<ValueId, InstructionId>,
}

impl<'a> Body<'a> {
    fn new(program: &'a Program, function: &'a Function) -> Self {
        let instructions = function.instructions.iter();
        let makers = instructions.filter_map(|(id, instruction)| Some((instruction.result?, id))).collect();
        Self { program, function, makers }
    }

    /// The object that an address was computed from, if that is in sight.
    fn base(&self, pointer: Operand) -> Option<Object> {
        let mut at = pointer;
        // A value is made of earlier ones, except by phis, which are not looked through.
        loop {
            match at {
                Operand::Value(value) => match &self.function.instructions[*self.makers.get(&value)?].op {
                    Op::Alloca { .. } => return Some(Object::Own),
                    Op::ElementPointer { base, .. } => at = *base,
                    _ => return None,
                },
                Operand::Constant(constant) => return self.constant_base(constant),
            }
        }
    }

    fn constant_base(&self, mut constant: ConstantId) -> Option<Object> {
        loop {
            match self.program.constants[constant].kind {
                ConstantKind::Global(global) => return Some(Object::Global(global)),
                ConstantKind::Offset { base, .. } => constant = base,
                _ => return None,
            }
        }
    }

    /// Whether an operand is a number, or several, all of which are defined.
    fn is_number(&self, operand: Operand) -> bool {
        let ty = self.program.operand_type(self.function, operand);
        if let Operand::Constant(constant) = operand
            && !matches!(
                self.program.constants[constant].kind,
                ConstantKind::Integer(_) | ConstantKind::Float(_) | ConstantKind::Zero
            )
        {
            return false;
        }
        match self.program.types.get(ty) {
            Type::Integer(1..=128) | Type::Float(_) => true,
            // What an arithmetic operation and its overflow make.
            Type::Struct { fields, .. } => {
                let number =
                    |field: &TypeId| matches!(self.program.types.get(*field), Type::Integer(1..=128));
                matches!(operand, Operand::Value(_)) && fields.iter().all(number)
            }
            _ => false,
        }
    }

    fn is_zero(&self, operand: Operand) -> bool {
        matches!(operand, Operand::Constant(constant)
            if matches!(self.program.constants[constant].kind, ConstantKind::Integer(0) | ConstantKind::Zero))
    }
}

/// What an intrinsic function is for.
enum Meaning {
    /// It does nothing.
    Nothing,
    /// It makes a number of numbers.
    Number,
    /// It reads and writes what its first arguments, so many, point to.
    Memory(usize),
    /// Anything else.
    Other,
}

fn meaning(kind: IntrinsicKind) -> Meaning {
    use IntrinsicKind::*;
    match kind {
        DebugDeclare | DebugValue | DebugLabel | DebugAssign | LifetimeStart | LifetimeEnd | DoNothing => {
            Meaning::Nothing
        }
        SignedAddOverflow
        | UnsignedAddOverflow
        | SignedSubOverflow
        | UnsignedSubOverflow
        | SignedMulOverflow
        | UnsignedMulOverflow
        | SignedAddSaturate
        | UnsignedAddSaturate
        | SignedSubSaturate
        | UnsignedSubSaturate
        | SignedShlSaturate
        | UnsignedShlSaturate
        | PopulationCount
        | LeadingZeros
        | TrailingZeros
        | ByteSwap
        | BitReverse
        | FunnelShiftLeft
        | FunnelShiftRight
        | Absolute
        | SignedMax
        | SignedMin
        | UnsignedMax
        | UnsignedMin
        | ThreeWaySigned
        | ThreeWayUnsigned
        | Expect
        | ExpectWithProbability
        | FloatAbsolute
        | SquareRoot
        | Floor
        | Ceil
        | Truncate
        | Round
        | RoundEven
        | LRound
        | LLRound
        | CopySign
        | FusedMultiplyAdd => Meaning::Number,
        MemoryCopy | MemoryMove => Meaning::Memory(2),
        MemorySet => Meaning::Memory(1),
        _ => Meaning::Other,
    }
}

/// Whether a variable of a type holds integers and nothing else.
fn holds_integers(program: &Program, ty: TypeId) -> bool {
    let mut at = ty;
    loop {
        match program.types.get(at) {
            Type::Integer(8 | 16 | 32 | 64 | 128) => return true,
            Type::Array { element, .. } => at = *element,
            _ => return false,
        }
    }
}

/// Whether the source says the same, and no value of them is left out: a `_Bool` is taken to be 0 or 1.
fn says_integers(program: &Program, ty: DebugTypeId) -> bool {
    let mut at = ty;
    for _ in 0..MOST_NAMES {
        let next = match &program.debug_types[at] {
            DebugType::Basic { encoding, .. } => {
                use Encoding::{Signed, SignedChar, Unsigned, UnsignedChar};
                return matches!(encoding, Signed | Unsigned | SignedChar | UnsignedChar);
            }
            DebugType::Enumeration { .. } => return true,
            DebugType::Array { element, .. } => Some(*element),
            DebugType::Typedef { target, .. } | DebugType::Qualified { target, .. } => *target,
            _ => None,
        };
        match next {
            Some(next) => at = next,
            None => return false,
        }
    }
    false
}
