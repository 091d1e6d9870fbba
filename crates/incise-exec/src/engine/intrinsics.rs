//! The compiler's own functions (`llvm.*`).

use crate::engine::code::{CallCode, float_format};
use crate::engine::machine::{Exit, Machine};
use crate::engine::slow::element;
use crate::engine::state::State;
use crate::engine::value::Value;
use crate::memory::Memory;
use crate::memory::bytes::Fill;
use crate::outcome::{ErrorKind, Outcome, ProgramError};
use incise_ir::{Intrinsic, IntrinsicKind as K, Type, TypeId};
use incise_solver::{BinaryOp, CompareOp, ExprId, FloatUnary};

pub(crate) fn unsupported(intrinsic: &Intrinsic) -> Exit {
    Exit::End(Outcome::Unsupported(format!("the intrinsic {}", intrinsic.name)))
}

impl Machine<'_> {
    pub(crate) fn intrinsic(
        &mut self,
        state: &mut State,
        intrinsic: &Intrinsic,
        arguments: &[Value],
        call: &CallCode,
    ) -> Result<Option<Value>, Exit> {
        let argument = |index: usize| arguments.get(index).cloned().unwrap_or(Value::Undefined);
        let ty = call.result_type;
        let value = match intrinsic.kind {
            K::MemoryCopy | K::MemoryMove | K::MemoryCopyInline => {
                self.require_unshared(state, &argument(3), &[&argument(0), &argument(1)])?;
                let width = self.argument_width(call, 2);
                if intrinsic.kind != K::MemoryMove {
                    let places = (&argument(0), &argument(1));
                    self.memory().require_apart(state, places, &argument(2), width)?;
                }
                self.memory().fill_bytes(
                    state,
                    &argument(0),
                    &Fill::From(argument(1)),
                    &argument(2),
                    width,
                )?;
                return Ok(None);
            }
            K::MemorySet | K::MemorySetInline => {
                self.require_unshared(state, &argument(3), &[&argument(0)])?;
                let width = self.argument_width(call, 2);
                self.memory().fill_bytes(
                    state,
                    &argument(0),
                    &Fill::Byte(argument(1)),
                    &argument(2),
                    width,
                )?;
                return Ok(None);
            }
            K::LifetimeStart
            | K::LifetimeEnd
            | K::InvariantEnd
            | K::NoAliasScope
            | K::Prefetch
            | K::VarAnnotation
            | K::DebugDeclare
            | K::DebugValue
            | K::DebugLabel
            | K::DebugAssign
            | K::VaEnd
            | K::StackRestore
            | K::SideEffect
            | K::DoNothing => return Ok(None),
            K::Assume => {
                let holds = self.decider.expr(state, &argument(0), 1);
                self.decider.assume(state, holds)?;
                return Ok(None);
            }
            K::VaStart => {
                self.va_start(state, &argument(0))?;
                return Ok(None);
            }
            K::VaCopy => {
                let length = Value::Word(24);
                self.memory().fill_bytes(state, &argument(0), &Fill::From(argument(1)), &length, 64)?;
                return Ok(None);
            }
            K::Trap | K::DebugTrap | K::UbsanTrap => {
                return Err(Exit::End(Outcome::Error(ProgramError {
                    kind: ErrorKind::Abort,
                    message: "the program traps".into(),
                })));
            }
            K::Expect
            | K::ExpectWithProbability
            | K::Annotation
            | K::PtrAnnotation
            | K::LaunderInvariant
            | K::StripInvariant
            | K::SsaCopy => argument(0),
            K::ThreadLocalAddress => self.thread_local_address(state, argument(0)),
            K::StackSave | K::ReturnAddress | K::FrameAddress => Value::Word(0),
            K::InvariantStart => argument(1),
            // What the compiler answers without optimisation, once the front end has left the question open.
            K::IsConstant => Value::Word(u64::from(
                call.arguments.first().is_some_and(|argument| argument.source.is_constant()),
            )),
            K::ObjectSize => {
                let unknown = if argument(1).as_concrete() == Some(1) { 0 } else { u128::MAX };
                Value::concrete(unknown, call.result_width)
            }
            K::PtrMask => {
                let (pointer, mask) =
                    (self.decider.expr(state, &argument(0), 64), self.decider.expr(state, &argument(1), 64));
                let masked = self.decider.exprs.and(pointer, mask);
                Value::from_expr(&self.decider.exprs, masked)
            }
            K::SignedAddOverflow
            | K::UnsignedAddOverflow
            | K::SignedSubOverflow
            | K::UnsignedSubOverflow
            | K::SignedMulOverflow
            | K::UnsignedMulOverflow => {
                self.calculator().with_overflow(state, intrinsic.kind, ty, &argument(0), &argument(1))?
            }
            K::IsFpClass => {
                self.calculator().float_class(state, call, &argument(0), &argument(1), intrinsic)?
            }
            K::VectorReduceAdd
            | K::VectorReduceMul
            | K::VectorReduceAnd
            | K::VectorReduceOr
            | K::VectorReduceXor
            | K::VectorReduceSignedMax
            | K::VectorReduceSignedMin
            | K::VectorReduceUnsignedMax
            | K::VectorReduceUnsignedMin => self.reduce(state, intrinsic, ty, &argument(0))?,
            K::LRound | K::LLRound | K::LRint | K::LLRint => {
                let crate::engine::code::ArgumentKind::Float(kind) = call.arguments[0].kind else {
                    return Err(unsupported(intrinsic));
                };
                let format = float_format(kind);
                let value = self.decider.expr(state, &argument(0), kind.bits());
                let mode = match intrinsic.kind {
                    K::LRound | K::LLRound => FloatUnary::RoundAway,
                    _ => FloatUnary::RoundEven,
                };
                let rounded = self.decider.exprs.float_unary(mode, format, value);
                let result = self.decider.exprs.float_to_int(format, true, call.result_width, rounded);
                Value::from_expr(&self.decider.exprs, result)
            }
            _ => self.lanewise(state, intrinsic, ty, arguments, call)?,
        };
        Ok(Some(value))
    }

    fn argument_width(&self, call: &CallCode, index: usize) -> u32 {
        match call.arguments.get(index).map(|argument| argument.kind) {
            Some(crate::engine::code::ArgumentKind::Integer(width)) => width,
            _ => 64,
        }
    }

    /// Intrinsics that work on scalars, and on vectors lane by lane.
    fn lanewise(
        &mut self,
        state: &mut State,
        intrinsic: &Intrinsic,
        ty: TypeId,
        arguments: &[Value],
        call: &CallCode,
    ) -> Result<Value, Exit> {
        // Flags and the like stay as they are for every lane.
        let references: Vec<Value> = arguments.to_vec();
        let lanes = match self.program.types.get(ty) {
            Type::Vector { length, .. } => Some(*length as usize),
            _ => None,
        };
        let inner = self.decider.lane_type(ty);
        let Some(lanes) = lanes else {
            return self.calculator().scalar_intrinsic(state, intrinsic, inner, &references, call);
        };
        let mut results = Vec::with_capacity(lanes);
        for lane in 0..lanes {
            let values: Vec<Value> = references
                .iter()
                .map(|value| match value {
                    Value::Aggregate(_) => element(value, lane),
                    other => other.clone(),
                })
                .collect();
            results.push(self.calculator().scalar_intrinsic(state, intrinsic, inner, &values, call)?);
        }
        Ok(Value::aggregate(results))
    }

    fn reduce(
        &mut self,
        state: &mut State,
        intrinsic: &Intrinsic,
        ty: TypeId,
        vector: &Value,
    ) -> Result<Value, Exit> {
        let width = self.decider.scalar_width(ty)?;
        let Value::Aggregate(lanes) = vector else { return Ok(Value::Undefined) };
        let mut result: Option<ExprId> = None;
        for lane in lanes.iter() {
            let lane = self.decider.expr(state, lane, width);
            result = Some(match result {
                None => lane,
                Some(sum) => match intrinsic.kind {
                    K::VectorReduceAdd => self.decider.exprs.binary(BinaryOp::Add, sum, lane),
                    K::VectorReduceMul => self.decider.exprs.binary(BinaryOp::Mul, sum, lane),
                    K::VectorReduceAnd => self.decider.exprs.and(sum, lane),
                    K::VectorReduceOr => self.decider.exprs.or(sum, lane),
                    K::VectorReduceXor => self.decider.exprs.binary(BinaryOp::Xor, sum, lane),
                    kind => {
                        let pick = match kind {
                            K::VectorReduceSignedMax => CompareOp::Sgt,
                            K::VectorReduceSignedMin => CompareOp::Slt,
                            K::VectorReduceUnsignedMax => CompareOp::Ugt,
                            _ => CompareOp::Ult,
                        };
                        let keep = self.decider.exprs.compare(pick, sum, lane);
                        self.decider.exprs.ite(keep, sum, lane)
                    }
                },
            });
        }
        match result {
            Some(result) => Ok(Value::from_expr(&self.decider.exprs, result)),
            None => Err(unsupported(intrinsic)),
        }
    }

    /// Fills a `va_list`: all registers count as used up, so that every argument is read from memory.
    fn va_start(&mut self, state: &mut State, list: &Value) -> Result<(), Exit> {
        let place = self.memory().resolve(state, list, 24, crate::memory::access::Access::WRITE)?;
        let slot = self.variable_arguments(state)?;
        self.fill_va_list(state, place, slot);
        Ok(())
    }

    /// Writes a `va_list` that reads its arguments from an object.
    pub(crate) fn fill_va_list(
        &mut self,
        state: &mut State,
        place: crate::memory::access::ObjectPlace,
        arguments: u64,
    ) {
        let fields = [(0, 32, 48), (4, 32, 176), (8, 64, Memory::address(arguments)), (16, 64, 0)];
        for (offset, width, value) in fields {
            let place = self.memory().advance(place, offset);
            self.memory().write_scalar(state, place, width, &Value::Word(value));
        }
    }
}
