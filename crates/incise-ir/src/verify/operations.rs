//! Checks of instructions: the types of operands and results fit each other.

use super::{Verifier, VerifyError};
use crate::{BinaryOp, Call, Callee, CastOp, InstructionId, Op, Operand, Type, TypeId, Types};

/// A type without the vector around it, and the number of lanes.
fn lanes(types: &Types, ty: TypeId) -> (&Type, Option<u32>) {
    match types.get(ty) {
        Type::Vector { element, length } => (types.get(*element), Some(*length)),
        plain => (plain, None),
    }
}

fn is_float_op(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul | BinaryOp::FDiv | BinaryOp::FRem)
}

/// Whether a conversion goes from one type to the other.
pub(super) fn cast_fits(types: &Types, op: CastOp, from: TypeId, to: TypeId) -> bool {
    let ((from_lane, from_count), (to_lane, to_count)) = (lanes(types, from), lanes(types, to));
    if op == CastOp::Bitcast {
        return types.store_size(from) == types.store_size(to);
    }
    let kinds = match (op, from_lane, to_lane) {
        (CastOp::Truncate, Type::Integer(from), Type::Integer(to)) => from > to,
        (CastOp::ZeroExtend | CastOp::SignExtend, Type::Integer(from), Type::Integer(to)) => from < to,
        (CastOp::FloatTruncate, Type::Float(from), Type::Float(to)) => from.bits() > to.bits(),
        (CastOp::FloatExtend, Type::Float(from), Type::Float(to)) => from.bits() < to.bits(),
        (CastOp::FloatToSigned | CastOp::FloatToUnsigned, Type::Float(_), Type::Integer(_)) => true,
        (CastOp::SignedToFloat | CastOp::UnsignedToFloat, Type::Integer(_), Type::Float(_)) => true,
        (CastOp::PointerToInteger, Type::Pointer, Type::Integer(_)) => true,
        (CastOp::IntegerToPointer, Type::Integer(_), Type::Pointer) => true,
        (CastOp::AddressSpace, Type::Pointer, Type::Pointer) => true,
        _ => false,
    };
    kinds && from_count == to_count
}

impl Verifier<'_> {
    /// Checks the types of an instruction.
    pub(super) fn operation(&self, id: InstructionId) -> Result<(), VerifyError> {
        let instruction = &self.function.instructions[id];
        let result = instruction.result.map(|value| self.function.values[value].ty);
        match self.operation_fits(&instruction.op, result) {
            Ok(()) => Ok(()),
            Err(message) => self.fail(Some(id), message),
        }
    }

    fn operation_fits(&self, op: &Op, result: Option<TypeId>) -> Result<(), &'static str> {
        let types = &self.program.types;
        let ty = |operand: Operand| self.type_of(operand);
        let lane = |operand: Operand| lanes(types, self.type_of(operand)).0;
        let is_integer = |operand: Operand| matches!(types.get(ty(operand)), Type::Integer(_));
        let is_pointer = |operand: Operand| *types.get(ty(operand)) == Type::Pointer;
        let require = |condition: bool, message: &'static str| if condition { Ok(()) } else { Err(message) };
        match op {
            Op::Binary { op, left, right, .. } => {
                let fits = match lane(*left) {
                    Type::Integer(_) => !is_float_op(*op),
                    Type::Float(_) => is_float_op(*op),
                    _ => false,
                };
                require(
                    fits && ty(*left) == ty(*right) && result == Some(ty(*left)),
                    "arithmetic on types that do not fit",
                )
            }
            Op::FloatNegate(value) => require(
                matches!(lane(*value), Type::Float(_)) && result == Some(ty(*value)),
                "a negation of no float",
            ),
            Op::IntegerCompare { left, right, .. } => {
                let fits = matches!(lane(*left), Type::Integer(_) | Type::Pointer);
                require(
                    fits && ty(*left) == ty(*right) && self.is_truth_of(result, ty(*left)),
                    "a comparison of types that do not fit",
                )
            }
            Op::FloatCompare { left, right, .. } => {
                let fits = matches!(lane(*left), Type::Float(_));
                require(
                    fits && ty(*left) == ty(*right) && self.is_truth_of(result, ty(*left)),
                    "a comparison of types that do not fit",
                )
            }
            Op::Cast { op, value } => {
                let fits = result.is_some_and(|result| cast_fits(types, *op, ty(*value), result));
                require(fits, "a conversion between types that do not fit")
            }
            Op::Alloca { count, align, .. } => {
                let fits =
                    count.is_none_or(is_integer) && align.is_power_of_two() && self.is_pointer_type(result);
                require(fits, "an alloca gives a pointer to a number of elements")
            }
            Op::Load { ty: loaded, pointer, .. } => {
                require(is_pointer(*pointer) && result == Some(*loaded), "a load reads from a pointer")
            }
            Op::Store { pointer, .. } => {
                require(is_pointer(*pointer) && result.is_none(), "a store writes to a pointer")
            }
            Op::AtomicReadModifyWrite { pointer, value, .. } => require(
                is_pointer(*pointer) && result == Some(ty(*value)),
                "an atomic operation works on a pointer",
            ),
            Op::CompareExchange { pointer, expected, replacement, .. } => {
                let pair = result.and_then(|result| types.element_type(result, 0));
                let fits = ty(*expected) == ty(*replacement) && pair == Some(ty(*expected));
                require(
                    is_pointer(*pointer) && fits,
                    "a compare-exchange works on a pointer and two equal types",
                )
            }
            Op::Fence { .. } => require(result.is_none(), "a fence has no value"),
            Op::ElementPointer { base, terms, .. } => {
                let fits = is_pointer(*base) && terms.iter().all(|&(index, _)| is_integer(index));
                require(fits && self.is_pointer_type(result), "address arithmetic on types that do not fit")
            }
            Op::Select { condition, then, otherwise } => {
                let (truth, count) = lanes(types, ty(*condition));
                let fits =
                    *truth == Type::Integer(1) && (count.is_none() || count == lanes(types, ty(*then)).1);
                require(
                    fits && ty(*then) == ty(*otherwise) && result == Some(ty(*then)),
                    "a select between types that do not fit",
                )
            }
            Op::Phi(incoming) => require(
                incoming.iter().all(|&(_, value)| result == Some(ty(value))),
                "a phi of values of different types",
            ),
            Op::Call(call) => self.call_fits(call, result),
            Op::Invoke { call, .. } => self.call_fits(call, result),
            Op::ExtractValue { aggregate, indices } => require(
                self.element(ty(*aggregate), indices) == result,
                "an element that the value does not have",
            ),
            Op::InsertValue { aggregate, value, indices } => {
                let fits = self.element(ty(*aggregate), indices) == Some(ty(*value));
                require(fits && result == Some(ty(*aggregate)), "an element that the value does not have")
            }
            Op::ExtractElement { vector, index } => require(
                types.element_type(ty(*vector), 0) == result && is_integer(*index),
                "a lane of no vector",
            ),
            Op::InsertElement { vector, value, index } => {
                let fits = types.element_type(ty(*vector), 0) == Some(ty(*value)) && is_integer(*index);
                require(fits && result == Some(ty(*vector)), "a lane of no vector")
            }
            Op::ShuffleVector { left, right, mask } => {
                let (_, count) = lanes(types, ty(*left));
                let bound = count.unwrap_or(0).saturating_mul(2);
                let fits = ty(*left) == ty(*right) && mask.iter().flatten().all(|&lane| lane < bound);
                let length = result.and_then(|result| types.element_count(result));
                require(fits && length == Some(mask.len() as u64), "a shuffle of vectors that do not fit")
            }
            Op::VaArg { list } => {
                require(is_pointer(*list) && result.is_some(), "variable arguments of no list")
            }
            Op::Freeze(value) => require(result == Some(ty(*value)), "a freeze to another type"),
            Op::LandingPad => require(result.is_some(), "a landing pad has a value"),
            Op::Unsupported(_) | Op::UnsupportedTerminator(_) => Ok(()),
            Op::Return(value) => {
                let expected = Some(self.function.result).filter(|&result| *types.get(result) != Type::Void);
                require(value.map(ty) == expected, "a return of another type than the function's")
            }
            Op::ConditionalBranch { condition, .. } => require(
                *types.get(ty(*condition)) == Type::Integer(1),
                "a branch on something other than a truth value",
            ),
            Op::Switch { value, cases, .. } => {
                let bits = types.scalar_bits(ty(*value)).unwrap_or(0);
                let fits = cases.iter().all(|&(case, _)| bits >= 128 || case >> bits == 0);
                require(is_integer(*value) && fits, "a switch on something other than an integer")
            }
            Op::IndirectBranch { address, .. } => require(is_pointer(*address), "a branch to no address"),
            Op::Branch(_) | Op::Unreachable | Op::Resume => require(result.is_none(), "a jump has no value"),
        }
    }

    fn is_pointer_type(&self, ty: Option<TypeId>) -> bool {
        ty.is_some_and(|ty| *self.program.types.get(ty) == Type::Pointer)
    }

    /// Whether `truth` is `i1`, or as many `i1` as `of` has lanes.
    fn is_truth_of(&self, truth: Option<TypeId>, of: TypeId) -> bool {
        let types = &self.program.types;
        truth.is_some_and(|truth| {
            let (lane, count) = lanes(types, truth);
            *lane == Type::Integer(1) && count == lanes(types, of).1
        })
    }

    fn element(&self, mut ty: TypeId, indices: &[u32]) -> Option<TypeId> {
        for &index in indices {
            ty = self.program.types.element_type(ty, u64::from(index))?;
        }
        Some(ty)
    }

    fn call_fits(&self, call: &Call, result: Option<TypeId>) -> Result<(), &'static str> {
        let expected = Some(call.result).filter(|&result| *self.program.types.get(result) != Type::Void);
        if result != expected {
            return Err("a call has a value of another type than it returns");
        }
        let copies = call.by_value.iter().all(|&(argument, _)| {
            call.arguments
                .get(argument as usize)
                .is_some_and(|&argument| self.is_pointer_type(Some(self.type_of(argument))))
        });
        if !copies {
            return Err("a copied argument is no pointer");
        }
        match &call.callee {
            Callee::Direct(function) if self.program.functions.get(*function).is_none() => {
                Err("a call to a function that does not exist")
            }
            Callee::Indirect(address) if !self.is_pointer_type(Some(self.type_of(*address))) => {
                Err("a call to something that is no pointer")
            }
            _ => Ok(()),
        }
    }
}
