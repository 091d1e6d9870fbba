//! Calls of functions that nobody can see into: those with neither a body nor a model, and those that an input points
//! to.
//!
//! What such a call does depends on [`Externals`]. Where two programs are compared (`Recorded`) nothing is assumed of
//! the function but that it is one: called alike, in a world that it finds alike, it does the same. So its result is
//! any value; what its arguments lead to (`reach.rs`), and what else outsiders know of, holds any values afterwards
//! (`written.rs`), named after the number of the call and the way there, so that both programs have the same symbols;
//! and the call is noted with what it could see, to be compared with the other program's (`relate/leaves/calls.rs`). A
//! function that is declared to depend on its arguments alone is no event at all (`constant.rs`). What is read from and
//! written to devices is an event of the same kind (`device.rs`), and so are, if others change
//! them, accesses of volatile variables (`volatile.rs`).
//!
//! Not covered: that an outsider calls functions of the program, frees what it is given, or knows of inputs that nobody
//! gave it.

mod callback;
mod constant;
mod device;
mod given_back;
pub(crate) mod reach;
mod volatile;
mod written;

pub(crate) use callback::Called;
pub(crate) use constant::{ConstantCall, ConstantCalls};
pub(crate) use device::VolatilePlace;
pub use device::access_text;
pub use given_back::is_maker;
pub(crate) use given_back::{KnownBefore, TakenApart};
pub use reach::bases;
pub(crate) use reach::{KnownObject, Sight};
pub(crate) use written::Wrote;

use crate::config::Externals;
use crate::engine::code::CallCode;
use crate::engine::machine::{Exit, Machine};
use crate::engine::state::{ExternalCall, State};
use crate::engine::value::Value;
use crate::inputs::input::{InputObject, Leaf};
use crate::inputs::shape::Shape;
use crate::outcome::{LimitKind, Outcome};
use crate::result::InputOrigin;
use incise_ir::{
    DebugTypeId, FunctionId, Id, InstructionId, LocalVariable, MemoryUse, Op, Operand, Type, TypeId, ValueId,
};
use incise_solver::SymbolKind;
use std::rc::Rc;

/// A variable that takes the result of a call does so within so many instructions.
const TAKEN_WITHIN: usize = 4;

/// How the way to what a call returned a pointer to begins.
const RESULT: &str = "result";

/// What the pointers lead to that an outsider gives.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Gives {
    /// To what it knows, or to something new.
    Known,
    /// To something new, as its name says.
    New,
    /// To something new that nobody else knows, as an attribute says.
    Unshared,
}

/// Somebody outside of the program who is called.
pub(crate) struct Outsider {
    /// What people call it, and its calls are noted under.
    pub(crate) name: String,
    /// What its results are called.
    pub(crate) results: String,
    pub(crate) origin: InputOrigin,
    /// The types of its result and parameters in the source, where known.
    pub(crate) signature: Vec<Option<DebugTypeId>>,
    pub(crate) memory: MemoryUse,
    pub(crate) no_return: bool,
    pub(crate) gives: Gives,
    /// Whether it is an input that points to it: there is no function to give the source of.
    pub(crate) callback: bool,
}

/// An input that is tried, or was given, is not followed beyond so many inputs that calls made.
const MOST_TRACED: usize = 8192;
/// A path does not make more calls that are noted: what each of them may have written is one more case in all that is
/// read afterwards, so that a loop whose turns inputs do not limit would never come to its end.
const MOST_NOTED: u32 = 1024;
/// Nor do its calls see more objects, all of them together: who is given a list and returns its nodes, each with
/// pointers to others, has more to write to with every call.
const MOST_SEEN: usize = 16_384;
/// Nor more calls of functions of their arguments alone, each of which is related to all before it.
const MOST_CONSTANT: usize = 256;

impl Machine<'_> {
    /// A function of the program that has neither a body nor a model.
    pub(crate) fn outsider(&self, function: FunctionId) -> Outsider {
        let declared = &self.program.functions[function];
        Outsider {
            name: declared.name.clone(),
            results: declared.name.clone(),
            origin: InputOrigin::External { function: declared.name.clone() },
            signature: declared.debug_signature.clone(),
            memory: match declared.memory {
                MemoryUse::None if !declared.is_constant(&self.program.types) => MemoryUse::Reads,
                memory => memory,
            },
            no_return: declared.no_return,
            gives: match () {
                _ if declared.unshared_result => Gives::Unshared,
                _ if is_maker(&declared.name) => Gives::New,
                _ => Gives::Known,
            },
            callback: false,
        }
    }

    /// Calls somebody outside of the program.
    pub(crate) fn call_outside(
        &mut self,
        state: &mut State,
        who: &Outsider,
        call: &CallCode,
        arguments: Vec<Value>,
    ) -> Result<Option<Value>, Exit> {
        // Each call makes inputs, and the more there are the longer that takes: a loop that never ends must not wait
        // for as many blocks as another, and where an input is merely tried it is not worth the time.
        if self.decider.stop.check_clock() {
            return Err(Exit::Stop);
        }
        let many = self.decider.tracing.is_some() && state.inputs.len() > MOST_TRACED;
        let noted = state.outside.calls > MOST_NOTED
            || state.outside.seen > MOST_SEEN
            || state.outside.constant.len() > MOST_CONSTANT;
        if many || noted {
            return Err(Exit::End(Outcome::Limit(LimitKind::Loop)));
        }
        let result = match self.config.externals {
            Externals::Error if !who.callback => {
                return Err(Exit::End(Outcome::External { function: who.name.clone() }));
            }
            Externals::Recorded => {
                if !self.decider.sink.recorded.contains(&who.name) {
                    self.decider.sink.recorded.insert(who.name.clone());
                }
                match who.memory {
                    MemoryUse::None => self.constant_call(state, who, call, arguments)?,
                    _ => self.noted_call(state, who, call, arguments)?,
                }
            }
            Externals::Error | Externals::Havoc => {
                let what = if who.callback { "callback" } else { "external function" };
                self.decider.sink.concretised.insert(format!(
                    "the {what} {} is taken to return any value and to leave memory alone",
                    who.name
                ));
                self.any_result(state, who, call)
            }
        };
        if who.no_return {
            return Err(Exit::End(Outcome::Exited { status: 0 }));
        }
        Ok(result)
    }

    /// A call that is noted with what it could see. It returns any value, and leaves any values behind.
    fn noted_call(
        &mut self,
        state: &mut State,
        who: &Outsider,
        call: &CallCode,
        arguments: Vec<Value>,
    ) -> Result<Option<Value>, Exit> {
        let sight = self.reach().sight(state, who, call, &arguments)?;
        state.outside.calls += 1;
        state.outside.seen += sight.reached.len();
        let number = state.outside.calls;
        let known = match who.gives {
            Gives::Known => given_back::known_before(&sight),
            Gives::New | Gives::Unshared => Rc::default(),
        };
        let first = state.memory.slots();
        self.decider.made.known_before = known.clone();
        let result = self.any_result(state, who, call);
        let wrote = match who.memory {
            MemoryUse::Any => {
                state.outside.known = sight.known(number);
                self.written_outside(state, who, number, &sight)
            }
            _ => Vec::new(),
        };
        self.decider.made.known_before = Rc::default();
        // What it returned a pointer to it may well keep.
        if let Some(result) = result.as_ref().filter(|_| who.gives != Gives::Unshared) {
            let own = given_back::objects_of(
                &self.decider.exprs,
                state,
                result,
                first,
                &format!("#{number}:{RESULT}"),
            );
            state.outside.learn(own);
        }
        self.decider.take_apart(state, first, &known);
        state.calls.push(ExternalCall {
            function: who.name.clone(),
            arguments: arguments.into(),
            result: result.clone(),
            sight: Some(Rc::new(sight)),
            wrote: wrote.into(),
            device: None,
        });
        Ok(result)
    }

    /// Any value, as the result of a call.
    pub(crate) fn any_result(&mut self, state: &mut State, who: &Outsider, call: &CallCode) -> Option<Value> {
        call.to?;
        let name = crate::inputs::input::unique_name(state, &who.results);
        let path = if who.callback { name.clone() } else { crate::inputs::input::path_root(&name) };
        let mut declared = who.signature.first().copied().flatten();
        if declared.is_none() && matches!(self.program.types.get(call.result_type), Type::Pointer) {
            declared = self.type_of_taker(state);
        }
        let program = self.program;
        let shape = declared.and_then(|ty| Shape::of_debug_type(program, ty));
        let place = state.inputs.len();
        let mut leaves = Vec::new();
        let value = match (program.types.get(call.result_type), &shape) {
            (Type::Pointer, shape) => {
                let (target, function) = match shape {
                    Some(Shape::Pointer { target, function }) => (*target, *function),
                    _ => (None, false),
                };
                let expr = self.decider.inputs().pointer_input(state, &path, target, function, 0);
                leaves.push(Leaf { offset: 0, bytes: 8, expr });
                self.decider.inputs().pointer_value(expr)
            }
            _ => self.any_value(&path, call.result_type, shape.as_ref(), 0, &mut leaves),
        };
        let size = program.types.store_size(call.result_type);
        let shape = shape
            .filter(|shape| shape.size() == size)
            .unwrap_or_else(|| Shape::of_type(program, call.result_type));
        let input = InputObject::plain(name, who.origin.clone(), shape, size, leaves, None);
        self.decider.inputs().give(state, &input, None);
        crate::inputs::input::insert_at(&mut state.inputs, place, Rc::new(input));
        Some(value)
    }

    /// The type in the source of the variable that takes the result of the call that is being executed, or of what the
    /// function returns if that takes it. Declarations have no types in the debug information of unoptimised code.
    fn type_of_taker(&self, state: &State) -> Option<DebugTypeId> {
        let code = &state.thread.frame.code;
        let function = &self.program.functions[code.function];
        let call = *code.origins.get(state.thread.frame.pc.checked_sub(1)? as usize)?;
        let result = function.instructions[call].result?;
        let is_result = |operand: Operand| operand == Operand::Value(result);
        let next = (call.index() + 1..function.instructions.len()).take(TAKEN_WITHIN);
        for at in next.map(InstructionId::from_index) {
            match &function.instructions[at].op {
                Op::Store { value, pointer, .. } if is_result(*value) => {
                    let holds = |variable: &&LocalVariable| variable.storage == Some(*pointer);
                    let variable = function.variables.iter().find(holds);
                    return match variable {
                        Some(variable) => variable.ty.filter(|_| variable.by_address),
                        None => function.debug_signature.first().copied().flatten().filter(|_| {
                            let named = |id: ValueId| &*function.values[id].name == "retval";
                            matches!(pointer, Operand::Value(id) if named(*id))
                        }),
                    };
                }
                Op::Return(Some(value)) if is_result(*value) => {
                    return function.debug_signature.first().copied().flatten();
                }
                _ => {}
            }
        }
        None
    }

    /// Any value of a type, with its leaves. Types nest only as deep as the reader lets them.
    fn any_value(
        &mut self,
        path: &str,
        ty: TypeId,
        shape: Option<&Shape>,
        offset: u64,
        leaves: &mut Vec<Leaf>,
    ) -> Value {
        let types = &self.program.types;
        let count = match types.get(ty) {
            Type::Struct { fields, .. } => fields.len() as u64,
            Type::Array { length, .. } => *length,
            Type::Vector { length, .. } => u64::from(*length),
            _ => {
                let Some(width) = types.scalar_bits(ty).filter(|width| (1..=128).contains(width)) else {
                    return Value::Undefined;
                };
                let own = Shape::of_type(self.program, ty);
                let kind = match shape.unwrap_or(&own) {
                    Shape::Scalar { kind, bits } if *bits == width || width == 1 => {
                        crate::inputs::input::symbol_kind(kind)
                    }
                    _ => SymbolKind::Signed,
                };
                let expr = self.decider.inputs().leaf_symbol(path, width, kind);
                let bytes = width.div_ceil(8);
                let whole = self.decider.exprs.zext(expr, bytes * 8);
                leaves.push(Leaf { offset, bytes, expr: whole });
                return Value::from_expr(&self.decider.exprs, expr);
            }
        };
        let mut elements = Vec::new();
        for index in 0..count {
            let inner = types.element_type(ty, index).zip(types.offset_of(ty, index));
            elements.push(match inner {
                Some((inner, at)) => {
                    let path = format!("{path}.field{index}");
                    self.any_value(&path, inner, None, offset + at, leaves)
                }
                None => Value::Undefined,
            });
        }
        Value::aggregate(elements)
    }
}
