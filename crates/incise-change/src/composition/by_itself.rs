//! Which changed functions can be compared by themselves for every call that there can be, where they take pointers.
//!
//! What [`Composition`](super::Composition) asks of a function that works on numbers holds here too, but for what
//! pointers need:
//!
//! - *Nobody else's memory.* An exploration makes up an object for each pointer, and objects behind different pointers
//!   do not overlap there. In a call they may. So what is written has to be a variable of the program or what one
//!   parameter leads to, and nothing else that is read or written may lead to the same, as far as pointers of the whole
//!   program tell: that is what the impact of the change rests on, too. Where nothing is written, anything may be read.
//! - *Addresses are no numbers.* They may be compared with null, and with nothing else. Only variables of the function
//!   hold addresses that it writes. A result is a number.
//!
//! How large the object is, and how deep data goes, is for whoever explores: a limit that was met is no proof.

use super::{
    Body, CONCURRENT, Meaning, Object, Obstacle, ROUNDING, holds_integers, meaning, other_contents,
    says_integers, variable,
};
use crate::effects::Effects;
use crate::places::{Base, MemoryPlace};
use crate::{FunctionChange, Versions};
use incise_ir::{
    Call, Callee, CastOp, ConstantKind, Function, FunctionId, GlobalId, Op, Operand, Program, Type, TypeId,
};
use std::collections::BTreeSet;

/// What a function does for whoever calls it.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Effect {
    /// It returns a value.
    Result,
    /// It writes variables of the program.
    Variables,
    /// It writes what a parameter leads to.
    Memory,
}

/// A changed function that can be compared by itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ByItself {
    /// The function in the old version.
    pub old: FunctionId,
    /// The function in the new version.
    pub new: FunctionId,
    /// The variables of the program that it reads or writes in one of the versions, by the names of their symbols. They
    /// have any value where it is entered.
    pub variables: BTreeSet<String>,
    /// All that it may do in one of the versions.
    pub effects: BTreeSet<Effect>,
}

impl ByItself {
    /// Whether a function can be compared by itself, with the effects of both versions.
    pub fn new(
        (old, new): (&Program, &Program),
        effects: (&Effects, &Effects),
        versions: &Versions,
        (before, after): (FunctionId, FunctionId),
    ) -> Result<Self, Obstacle> {
        for program in [old, new] {
            if !program.constructors.is_empty() || !program.destructors.is_empty() {
                return Err(Obstacle::Surroundings);
            }
        }
        let name = || new.functions[after].name.clone();
        let pair = versions.functions.iter().find(|pair| (pair.old, pair.new) == (Some(before), Some(after)));
        match pair {
            Some(pair) if pair.signature_changed => return Err(Obstacle::Signature(name())),
            Some(pair) if pair.change == FunctionChange::Changed => {}
            _ => return Err(Obstacle::Name(name())),
        }
        let mut found =
            Self { old: before, new: after, variables: BTreeSet::new(), effects: BTreeSet::new() };
        for (program, effects, id) in [(old, effects.0, before), (new, effects.1, after)] {
            found.add(program, effects, id)?;
        }
        let others = other_contents((old, versions.old_symbols()), (new, versions.new_symbols()));
        if let Some(name) = others.iter().next().filter(|_| found.reads_pointers((old, before), (new, after)))
        {
            return Err(Obstacle::Content(name.clone()));
        }
        for name in &found.variables {
            if others.contains(name) {
                return Err(Obstacle::Content(name.clone()));
            }
            let same = variable(old, name).zip(variable(new, name)).is_some_and(|(one, other)| {
                let (before, after) = (versions.old_symbols(), versions.new_symbols());
                before.ty(old.globals[one].ty) == after.ty(new.globals[other].ty)
            });
            if !same {
                return Err(Obstacle::Variable(name.clone()));
            }
        }
        Ok(found)
    }

    /// Whether it is given a pointer in one of the versions.
    fn reads_pointers(&self, old: (&Program, FunctionId), new: (&Program, FunctionId)) -> bool {
        let pointer = |(program, id): (&Program, FunctionId)| {
            let mut parameters = program.functions[id].parameters.iter();
            parameters.any(|parameter| matches!(program.types.get(parameter.ty), Type::Pointer))
        };
        pointer(old) || pointer(new)
    }

    /// Adds what one version does.
    fn add(&mut self, program: &Program, effects: &Effects, id: FunctionId) -> Result<(), Obstacle> {
        let function = &program.functions[id];
        signature(program, id)?;
        let seen = Seen::of(program, id)?;
        let summary = effects.summary(id);
        if summary.unknown {
            return Err(Obstacle::Call(function.name.clone()));
        }
        if !apart(program, effects, id) {
            return Err(Obstacle::Memory(function.name.clone()));
        }
        for place in summary.reads.iter().chain(&summary.writes) {
            if let Base::Global(global) = place.base {
                self.variables.extend(any_value(program, global)?);
            }
        }
        let has = |names: &'static [&'static str]| {
            names.iter().find(|name| program.function_named(name).is_some()).copied()
        };
        let own = summary.reads.is_empty() && summary.writes.is_empty();
        let between = has(CONCURRENT).filter(|_| !own);
        if let Some(name) = between.or_else(|| has(ROUNDING).filter(|_| seen.floats)) {
            return Err(Obstacle::Concurrent(name.to_owned()));
        }
        if !matches!(program.types.get(function.result), Type::Void) {
            self.effects.insert(Effect::Result);
        }
        for place in &summary.writes {
            self.effects.insert(match place.base {
                Base::Global(_) => Effect::Variables,
                _ => Effect::Memory,
            });
        }
        Ok(())
    }
}

/// That a function takes numbers and pointers, and returns nothing or a number.
fn signature(program: &Program, id: FunctionId) -> Result<(), Obstacle> {
    let function = &program.functions[id];
    if program.function_named(&function.name) != Some(id) || function.name == "main" {
        return Err(Obstacle::Name(function.name.clone()));
    }
    let plain = function.parameters.iter().all(|parameter| {
        let apart = parameter.by_value.is_none() && !parameter.struct_return;
        let known = matches!(
            program.types.get(parameter.ty),
            Type::Integer(1..=128) | Type::Float(_) | Type::Pointer
        );
        // A struct that travels in registers, as the front end names them.
        known && apart && !parameter.name.contains(".coerce")
    });
    let result = matches!(program.types.get(function.result), Type::Void | Type::Integer(1..=128));
    match plain && result && !function.variadic {
        true => Ok(()),
        false => Err(Obstacle::Signature(function.name.clone())),
    }
}

/// That nothing that is written by one way can be reached by another: by another parameter, through a pointer that was
/// loaded from memory, or by name. What is written has to be a variable, or what one parameter leads to.
fn apart(program: &Program, effects: &Effects, id: FunctionId) -> bool {
    let summary = effects.summary(id);
    let used = || summary.reads.iter().chain(&summary.writes);
    let overlaps = |one: &MemoryPlace, other: &MemoryPlace| {
        one.base != other.base && effects.may_overlap(program, (id, one), (id, other))
    };
    let is_one_object = |place: &MemoryPlace| matches!(place.base, Base::Pointee(_) | Base::Global(_));
    used().all(|place| place.base != Base::Everything)
        && summary.writes.iter().all(|place| {
            let whole = MemoryPlace::whole(place.base);
            is_one_object(place) && !used().any(|other| overlaps(&whole, &MemoryPlace::whole(other.base)))
        })
}

/// The name of a variable that an exploration can give any value; `None` for a constant.
fn any_value(program: &Program, id: GlobalId) -> Result<Option<String>, Obstacle> {
    let global = &program.globals[id];
    if global.constant && global.initializer.is_some() {
        return Ok(None);
    }
    let plain = global.initializer.is_some()
        && !global.constant
        && !global.thread_local
        && !global.model
        && holds_integers(program, global.ty)
        && global.debug_type.is_none_or(|ty| says_integers(program, ty));
    match plain {
        true => Ok(Some(global.name.clone())),
        false => Err(Obstacle::Variable(global.name.clone())),
    }
}

/// What a function and those that it calls do, as far as that can be seen.
struct Seen<'a> {
    program: &'a Program,
    floats: bool,
    known: BTreeSet<FunctionId>,
    work: Vec<FunctionId>,
}

impl<'a> Seen<'a> {
    fn of(program: &'a Program, id: FunctionId) -> Result<Self, Obstacle> {
        let mut seen = Self { program, floats: false, known: BTreeSet::from([id]), work: vec![id] };
        while let Some(id) = seen.work.pop() {
            seen.add(&program.functions[id])?;
        }
        Ok(seen)
    }

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
        let done = match op {
            Op::Load { pointer, volatile: false, ordering: None, .. } => is_known(body, *pointer),
            Op::Store { value, pointer, volatile: false, ordering: None } => {
                // An address that is kept elsewhere would lead others there.
                let own = || matches!(body.base(*pointer), Some(Object::Own));
                is_known(body, *pointer) && (body.is_number(*value) && !is_float(body, *value) || own())
            }
            Op::ElementPointer { base, terms, .. } => {
                is_known(body, *base) && terms.iter().all(|(index, _)| body.is_number(*index))
            }
            Op::Call(call) => return self.call(body, call),
            Op::Alloca { count: None, .. } => true,
            Op::IntegerCompare { left, right, .. } => {
                let null = |operand: Operand| is_null(body, operand);
                body.is_number(*left) && body.is_number(*right) || null(*left) || null(*right)
            }
            Op::Cast { op, value } => {
                let between = matches!(
                    op,
                    CastOp::PointerToInteger
                        | CastOp::IntegerToPointer
                        | CastOp::Bitcast
                        | CastOp::AddressSpace
                );
                !between && body.is_number(*value)
            }
            Op::Binary { .. }
            | Op::FloatNegate(_)
            | Op::FloatCompare { .. }
            | Op::Select { .. }
            | Op::Phi(_)
            | Op::ExtractValue { .. }
            | Op::Return(_)
            | Op::Branch(_)
            | Op::ConditionalBranch { .. }
            | Op::Switch { .. }
            | Op::Unreachable => {
                let mut known = true;
                op.for_each_operand(|operand| known &= is_known(body, operand));
                known
            }
            _ => false,
        };
        match done {
            true => Ok(()),
            false => Err(Obstacle::Instruction(body.function.name.clone())),
        }
    }

    fn call(&mut self, body: &Body<'_>, call: &Call) -> Result<(), Obstacle> {
        let refused = || Err(Obstacle::Call(body.function.name.clone()));
        let known = call.arguments.iter().all(|&each| is_known(body, each)) && call.by_value.is_empty();
        match &call.callee {
            Callee::Direct(callee) if known => {
                if self.known.insert(*callee) {
                    self.work.push(*callee);
                }
                Ok(())
            }
            Callee::Intrinsic(intrinsic) => match meaning(intrinsic.kind) {
                Meaning::Nothing => Ok(()),
                Meaning::Number if known => Ok(()),
                // The last argument tells whether it is volatile.
                Meaning::Memory(_)
                    if known && call.arguments.last().is_some_and(|&last| body.is_zero(last)) =>
                {
                    Ok(())
                }
                Meaning::Number | Meaning::Memory(_) | Meaning::Other => refused(),
            },
            Callee::Direct(_) | Callee::Indirect(_) | Callee::Assembly(_) => refused(),
        }
    }
}

/// Whether an operand is a number, several, or an address, all of which are defined.
fn is_known(body: &Body<'_>, operand: Operand) -> bool {
    if body.is_number(operand) {
        return true;
    }
    if !matches!(body.program.types.get(body.program.operand_type(body.function, operand)), Type::Pointer) {
        return false;
    }
    match operand {
        Operand::Value(_) => true,
        Operand::Constant(_) => is_null(body, operand) || body.base(operand).is_some(),
    }
}

fn is_null(body: &Body<'_>, operand: Operand) -> bool {
    matches!(operand, Operand::Constant(constant)
        if matches!(body.program.constants[constant].kind, ConstantKind::Null | ConstantKind::Zero))
}

fn is_float(body: &Body<'_>, operand: Operand) -> bool {
    matches!(body.program.types.get(body.program.operand_type(body.function, operand)), Type::Float(_))
}
