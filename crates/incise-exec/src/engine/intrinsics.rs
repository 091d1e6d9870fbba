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
use incise_solver::{
    BinaryOp, CompareOp, ExprId, FloatBinary, FloatCompare, FloatFormat, FloatUnary, MathFunction,
};

fn unsupported(intrinsic: &Intrinsic) -> Exit {
    Exit::End(Outcome::Unsupported(format!("the intrinsic {}", intrinsic.name)))
}

/// The function of the C library that the compiler calls for an intrinsic.
fn library_function(kind: K) -> Option<MathFunction> {
    Some(match kind {
        K::Sine => MathFunction::Sin,
        K::Cosine => MathFunction::Cos,
        K::Tangent => MathFunction::Tan,
        K::ArcSine => MathFunction::Asin,
        K::ArcCosine => MathFunction::Acos,
        K::ArcTangent => MathFunction::Atan,
        K::ArcTangent2 => MathFunction::Atan2,
        K::HyperbolicSine => MathFunction::Sinh,
        K::HyperbolicCosine => MathFunction::Cosh,
        K::HyperbolicTangent => MathFunction::Tanh,
        K::Exponential => MathFunction::Exp,
        K::Exponential2 => MathFunction::Exp2,
        K::Exponential10 => MathFunction::Exp10,
        K::Logarithm => MathFunction::Log,
        K::Logarithm2 => MathFunction::Log2,
        K::Logarithm10 => MathFunction::Log10,
        K::Power => MathFunction::Pow,
        _ => return None,
    })
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
                let width = self.argument_width(call, 2);
                self.fill_bytes(state, &argument(0), &Fill::From(argument(1)), &argument(2), width)?;
                return Ok(None);
            }
            K::MemorySet | K::MemorySetInline => {
                let width = self.argument_width(call, 2);
                self.fill_bytes(state, &argument(0), &Fill::Byte(argument(1)), &argument(2), width)?;
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
                let holds = self.expr(state, &argument(0), 1);
                self.assume(state, holds)?;
                return Ok(None);
            }
            K::VaStart => {
                self.va_start(state, &argument(0))?;
                return Ok(None);
            }
            K::VaCopy => {
                let length = Value::Word(24);
                self.fill_bytes(state, &argument(0), &Fill::From(argument(1)), &length, 64)?;
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
                    (self.expr(state, &argument(0), 64), self.expr(state, &argument(1), 64));
                let masked = self.exprs.and(pointer, mask);
                Value::from_expr(&self.exprs, masked)
            }
            K::SignedAddOverflow
            | K::UnsignedAddOverflow
            | K::SignedSubOverflow
            | K::UnsignedSubOverflow
            | K::SignedMulOverflow
            | K::UnsignedMulOverflow => {
                self.with_overflow(state, intrinsic.kind, ty, &argument(0), &argument(1))?
            }
            K::IsFpClass => self.float_class(state, call, &argument(0), &argument(1), intrinsic)?,
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
                let value = self.expr(state, &argument(0), kind.bits());
                let mode = match intrinsic.kind {
                    K::LRound | K::LLRound => FloatUnary::RoundAway,
                    _ => FloatUnary::RoundEven,
                };
                let rounded = self.exprs.float_unary(mode, format, value);
                let result = self.exprs.float_to_int(format, true, call.result_width, rounded);
                Value::from_expr(&self.exprs, result)
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
        let inner = self.lane_type(ty);
        let Some(lanes) = lanes else {
            return self.scalar_intrinsic(state, intrinsic, inner, &references, call);
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
            results.push(self.scalar_intrinsic(state, intrinsic, inner, &values, call)?);
        }
        Ok(Value::aggregate(results))
    }

    fn scalar_intrinsic(
        &mut self,
        state: &mut State,
        intrinsic: &Intrinsic,
        ty: TypeId,
        arguments: &[Value],
        call: &CallCode,
    ) -> Result<Value, Exit> {
        if self.float_kind(ty).is_some() {
            return self.float_intrinsic(state, intrinsic, ty, arguments);
        }
        let width = self.scalar_width(ty)?;
        let argument = |index: usize| arguments.get(index).cloned().unwrap_or(Value::Undefined);
        if matches!(intrinsic.kind, K::FloatToSignedSaturate | K::FloatToUnsignedSaturate) {
            return self.saturating_conversion(state, intrinsic, call, &argument(0), width);
        }
        let a = self.expr(state, &argument(0), width);
        let mut second = |machine: &mut Self| machine.expr(state, &argument(1), width);
        let result = match intrinsic.kind {
            K::PopulationCount => self.population_count(a),
            K::LeadingZeros => self.leading_zeros(a),
            K::TrailingZeros => {
                let reversed = self.reverse(a, 1);
                self.leading_zeros(reversed)
            }
            K::ByteSwap => self.reverse(a, 8),
            K::BitReverse => self.reverse(a, 1),
            K::Absolute => {
                let zero = self.exprs.constant(0, width);
                let negative = self.exprs.compare(CompareOp::Slt, a, zero);
                let negated = self.exprs.neg(a);
                self.exprs.ite(negative, negated, a)
            }
            K::SignedMax | K::SignedMin | K::UnsignedMax | K::UnsignedMin => {
                let b = second(self);
                let pick = match intrinsic.kind {
                    K::SignedMax => CompareOp::Sgt,
                    K::SignedMin => CompareOp::Slt,
                    K::UnsignedMax => CompareOp::Ugt,
                    _ => CompareOp::Ult,
                };
                let first = self.exprs.compare(pick, a, b);
                self.exprs.ite(first, a, b)
            }
            K::ThreeWaySigned | K::ThreeWayUnsigned => return Err(unsupported(intrinsic)),
            K::FunnelShiftLeft | K::FunnelShiftRight => {
                let b = second(self);
                let amount = self.expr(state, &argument(2), width);
                self.funnel_shift(intrinsic.kind == K::FunnelShiftLeft, a, b, amount)
            }
            K::SignedAddSaturate | K::UnsignedAddSaturate | K::SignedSubSaturate | K::UnsignedSubSaturate => {
                let b = second(self);
                self.saturating_sum(intrinsic.kind, a, b)
            }
            _ => return Err(unsupported(intrinsic)),
        };
        Ok(Value::from_expr(&self.exprs, result))
    }

    fn population_count(&mut self, value: ExprId) -> ExprId {
        let width = self.exprs.width(value);
        let mut sum = self.exprs.constant(0, width);
        for bit in 0..width {
            let bit = self.exprs.extract(value, bit, 1);
            let bit = self.exprs.zext(bit, width);
            sum = self.exprs.binary(BinaryOp::Add, sum, bit);
        }
        sum
    }

    fn leading_zeros(&mut self, value: ExprId) -> ExprId {
        let width = self.exprs.width(value);
        let mut result = self.exprs.constant(u128::from(width), width);
        for bit in 0..width {
            let set = self.exprs.extract(value, bit, 1);
            let count = self.exprs.constant(u128::from(width - 1 - bit), width);
            result = self.exprs.ite(set, count, result);
        }
        result
    }

    /// The parts of `step` bits in reverse order.
    fn reverse(&mut self, value: ExprId, step: u32) -> ExprId {
        let width = self.exprs.width(value);
        let mut result = self.exprs.extract(value, 0, step);
        let mut low = step;
        while low < width {
            let part = self.exprs.extract(value, low, step);
            result = self.exprs.concat(result, part);
            low += step;
        }
        result
    }

    fn funnel_shift(&mut self, left: bool, high: ExprId, low: ExprId, amount: ExprId) -> ExprId {
        let width = self.exprs.width(high);
        let modulus = self.exprs.constant(u128::from(width), width);
        let amount = self.exprs.binary(BinaryOp::URem, amount, modulus);
        let back = self.exprs.binary(BinaryOp::Sub, modulus, amount);
        // Shifting by the whole width gives zero here, as the funnel wants it for an amount of zero.
        let (a, b) = if left { (amount, back) } else { (back, amount) };
        let upper = self.exprs.binary(BinaryOp::Shl, high, a);
        let lower = self.exprs.binary(BinaryOp::LShr, low, b);
        self.exprs.or(upper, lower)
    }

    fn saturating_sum(&mut self, kind: K, a: ExprId, b: ExprId) -> ExprId {
        let width = self.exprs.width(a);
        let (op, signed) = match kind {
            K::SignedAddSaturate => (BinaryOp::Add, true),
            K::UnsignedAddSaturate => (BinaryOp::Add, false),
            K::SignedSubSaturate => (BinaryOp::Sub, true),
            _ => (BinaryOp::Sub, false),
        };
        let overflow = self.overflows(op, signed, a, b);
        let sum = self.exprs.binary(op, a, b);
        let bound = if signed {
            let least = self.exprs.constant(1 << (width - 1), width);
            let most = self.exprs.not(least);
            let zero = self.exprs.constant(0, width);
            let negative = self.exprs.compare(CompareOp::Slt, a, zero);
            self.exprs.ite(negative, least, most)
        } else if op == BinaryOp::Add {
            self.exprs.constant(u128::MAX, width)
        } else {
            self.exprs.constant(0, width)
        };
        self.exprs.ite(overflow, bound, sum)
    }

    fn with_overflow(
        &mut self,
        state: &mut State,
        kind: K,
        ty: TypeId,
        left: &Value,
        right: &Value,
    ) -> Result<Value, Exit> {
        let Some(inner) = self.program.types.element_type(ty, 0) else {
            return Err(Exit::End(Outcome::Unsupported("overflow arithmetic".into())));
        };
        let (op, signed) = match kind {
            K::SignedAddOverflow => (BinaryOp::Add, true),
            K::UnsignedAddOverflow => (BinaryOp::Add, false),
            K::SignedSubOverflow => (BinaryOp::Sub, true),
            K::UnsignedSubOverflow => (BinaryOp::Sub, false),
            K::SignedMulOverflow => (BinaryOp::Mul, true),
            _ => (BinaryOp::Mul, false),
        };
        if self.program.types.element_count(inner).is_some() {
            return Err(Exit::End(Outcome::Unsupported("overflow arithmetic on vectors".into())));
        }
        let width = self.scalar_width(inner)?;
        let (a, b) = (self.expr(state, left, width), self.expr(state, right, width));
        let overflow = self.overflows(op, signed, a, b);
        let result = self.exprs.binary(op, a, b);
        let result = Value::from_expr(&self.exprs, result);
        Ok(Value::aggregate([result, Value::from_expr(&self.exprs, overflow)]))
    }

    fn float_intrinsic(
        &mut self,
        state: &mut State,
        intrinsic: &Intrinsic,
        ty: TypeId,
        arguments: &[Value],
    ) -> Result<Value, Exit> {
        let Some(kind) = self.float_kind(ty) else { return Err(unsupported(intrinsic)) };
        let (format, width) = (float_format(kind), kind.bits());
        let argument = |index: usize| arguments.get(index).cloned().unwrap_or(Value::Undefined);
        let a = self.expr(state, &argument(0), width);
        let operation = match intrinsic.kind {
            K::SquareRoot => Some(FloatUnary::Sqrt),
            K::Floor => Some(FloatUnary::Floor),
            K::Ceil => Some(FloatUnary::Ceil),
            K::Truncate => Some(FloatUnary::Trunc),
            K::Rint | K::NearbyInt | K::RoundEven => Some(FloatUnary::RoundEven),
            K::Round => Some(FloatUnary::RoundAway),
            _ => None,
        };
        if let Some(function) = library_function(intrinsic.kind) {
            let operands: Vec<ExprId> =
                (0..function.arity()).map(|index| self.expr(state, &argument(index), width)).collect();
            let result =
                self.exprs.math(function, format, &operands).ok_or_else(|| unsupported(intrinsic))?;
            return Ok(Value::from_expr(&self.exprs, result));
        }
        let result = match (operation, intrinsic.kind) {
            (Some(op), _) => self.exprs.float_unary(op, format, a),
            (None, K::FloatAbsolute) => self.exprs.float_abs(format, a),
            (None, K::CopySign) => {
                let b = self.expr(state, &argument(1), width);
                let magnitude = self.exprs.extract(a, 0, width - 1);
                let sign = self.exprs.extract(b, width - 1, 1);
                self.exprs.concat(sign, magnitude)
            }
            (None, K::FusedMultiplyAdd) => {
                let (b, c) = (self.expr(state, &argument(1), width), self.expr(state, &argument(2), width));
                self.exprs.float_fma(format, a, b, c)
            }
            // Without a fused instruction in the baseline target, the compiler multiplies and then adds.
            (None, K::MultiplyAdd) => {
                let (b, c) = (self.expr(state, &argument(1), width), self.expr(state, &argument(2), width));
                let product = self.exprs.float_binary(FloatBinary::Mul, format, a, b);
                self.exprs.float_binary(FloatBinary::Add, format, product, c)
            }
            // The compiler's own sequence: the second if it is beyond the first, or if that is not a number. It differs
            // from the library's function in zeros of either sign and in signalling NaNs.
            (None, K::MinNumber | K::MaxNumber)
                if matches!(format, FloatFormat::Single | FloatFormat::Double) =>
            {
                let b = self.expr(state, &argument(1), width);
                let (less, than) = if intrinsic.kind == K::MinNumber { (b, a) } else { (a, b) };
                let beyond = self.exprs.float_compare(FloatCompare::Lt, format, less, than);
                let of_numbers = self.exprs.ite(beyond, b, a);
                let no_number = self.exprs.float_compare(FloatCompare::Unordered, format, a, a);
                self.exprs.ite(no_number, b, of_numbers)
            }
            (None, K::MinNumber | K::MaxNumber) => {
                let b = self.expr(state, &argument(1), width);
                let op = if intrinsic.kind == K::MinNumber { FloatBinary::Min } else { FloatBinary::Max };
                self.exprs.float_binary(op, format, a, b)
            }
            _ => return Err(unsupported(intrinsic)),
        };
        Ok(Value::from_expr(&self.exprs, result))
    }

    fn saturating_conversion(
        &mut self,
        state: &mut State,
        intrinsic: &Intrinsic,
        call: &CallCode,
        value: &Value,
        width: u32,
    ) -> Result<Value, Exit> {
        let Some(crate::engine::code::ArgumentKind::Float(kind)) =
            call.arguments.first().map(|argument| argument.kind)
        else {
            return Err(unsupported(intrinsic));
        };
        let signed = intrinsic.kind == K::FloatToSignedSaturate;
        let format = float_format(kind);
        let value = self.expr(state, value, kind.bits());
        let (least, most) = match (signed, width) {
            (true, width) => (1u128 << (width - 1), (1u128 << (width - 1)) - 1),
            (false, width) => (0, crate::engine::value::mask(width)),
        };
        let (least, most) = (self.exprs.constant(least, width), self.exprs.constant(most, width));
        let low = self.exprs.int_to_float(signed, format, least);
        let high = self.exprs.int_to_float(signed, format, most);
        let converted = self.exprs.float_to_int(format, signed, width, value);
        let below = self.exprs.float_compare(FloatCompare::Le, format, value, low);
        let above = self.exprs.float_compare(FloatCompare::Le, format, high, value);
        let nan = self.exprs.float_compare(FloatCompare::Unordered, format, value, value);
        let zero = self.exprs.constant(0, width);
        let result = self.exprs.ite(above, most, converted);
        let result = self.exprs.ite(below, least, result);
        let result = self.exprs.ite(nan, zero, result);
        Ok(Value::from_expr(&self.exprs, result))
    }

    /// `llvm.is.fpclass`: tests the value against a set of classes.
    fn float_class(
        &mut self,
        state: &mut State,
        call: &CallCode,
        value: &Value,
        classes: &Value,
        intrinsic: &Intrinsic,
    ) -> Result<Value, Exit> {
        let (Some(crate::engine::code::ArgumentKind::Float(kind)), Some(classes)) =
            (call.arguments.first().map(|argument| argument.kind), classes.as_concrete())
        else {
            return Err(unsupported(intrinsic));
        };
        let format = float_format(kind);
        if matches!(kind, incise_ir::FloatKind::X87) {
            return Err(unsupported(intrinsic));
        }
        let (exponent_bits, width) = (format.exponent_bits(), kind.bits());
        let mantissa_bits = width - exponent_bits - 1;
        let value = self.expr(state, value, width);
        let exprs = &mut self.exprs;
        let mantissa = exprs.extract(value, 0, mantissa_bits);
        let exponent = exprs.extract(value, mantissa_bits, exponent_bits);
        let negative = exprs.extract(value, width - 1, 1);
        let positive = exprs.not(negative);
        let quiet = exprs.extract(value, mantissa_bits - 1, 1);
        let zero_mantissa = exprs.constant(0, mantissa_bits);
        let no_mantissa = exprs.compare(CompareOp::Eq, mantissa, zero_mantissa);
        let some_mantissa = exprs.not(no_mantissa);
        let all_ones = exprs.constant(u128::MAX, exponent_bits);
        let special = exprs.compare(CompareOp::Eq, exponent, all_ones);
        let zero_exponent = exprs.constant(0, exponent_bits);
        let tiny = exprs.compare(CompareOp::Eq, exponent, zero_exponent);
        let nan = exprs.and(special, some_mantissa);
        let signalling = exprs.not(quiet);
        let infinite = exprs.and(special, no_mantissa);
        let zero = exprs.and(tiny, no_mantissa);
        let subnormal = exprs.and(tiny, some_mantissa);
        let either = exprs.or(special, tiny);
        let normal = exprs.not(either);
        // The order of the bits is that of the language reference.
        let tests = [
            (nan, signalling),
            (nan, quiet),
            (infinite, negative),
            (normal, negative),
            (subnormal, negative),
            (zero, negative),
            (zero, positive),
            (subnormal, positive),
            (normal, positive),
            (infinite, positive),
        ];
        let mut result = exprs.constant(0, 1);
        for (bit, (class, sign)) in tests.into_iter().enumerate() {
            if classes >> bit & 1 == 1 {
                let member = exprs.and(class, sign);
                result = exprs.or(result, member);
            }
        }
        Ok(Value::from_expr(&self.exprs, result))
    }

    fn reduce(
        &mut self,
        state: &mut State,
        intrinsic: &Intrinsic,
        ty: TypeId,
        vector: &Value,
    ) -> Result<Value, Exit> {
        let width = self.scalar_width(ty)?;
        let Value::Aggregate(lanes) = vector else { return Ok(Value::Undefined) };
        let mut result: Option<ExprId> = None;
        for lane in lanes.iter() {
            let lane = self.expr(state, lane, width);
            result = Some(match result {
                None => lane,
                Some(sum) => match intrinsic.kind {
                    K::VectorReduceAdd => self.exprs.binary(BinaryOp::Add, sum, lane),
                    K::VectorReduceMul => self.exprs.binary(BinaryOp::Mul, sum, lane),
                    K::VectorReduceAnd => self.exprs.and(sum, lane),
                    K::VectorReduceOr => self.exprs.or(sum, lane),
                    K::VectorReduceXor => self.exprs.binary(BinaryOp::Xor, sum, lane),
                    kind => {
                        let pick = match kind {
                            K::VectorReduceSignedMax => CompareOp::Sgt,
                            K::VectorReduceSignedMin => CompareOp::Slt,
                            K::VectorReduceUnsignedMax => CompareOp::Ugt,
                            _ => CompareOp::Ult,
                        };
                        let keep = self.exprs.compare(pick, sum, lane);
                        self.exprs.ite(keep, sum, lane)
                    }
                },
            });
        }
        match result {
            Some(result) => Ok(Value::from_expr(&self.exprs, result)),
            None => Err(unsupported(intrinsic)),
        }
    }

    /// Fills a `va_list`: all registers count as used up, so that every argument is read from memory.
    fn va_start(&mut self, state: &mut State, list: &Value) -> Result<(), Exit> {
        let place = self.resolve(state, list, 24, crate::memory::access::Access::WRITE)?;
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
            let place = self.advance(place, offset);
            self.write_scalar(state, place, width, &Value::Word(value));
        }
    }
}
