//! Intrinsics of LLVM on scalars: counting and turning bits, sums that saturate or tell of overflow, floats.

use crate::engine::arithmetic::{Calculator, overflows};
use crate::engine::code::{CallCode, float_format};
use crate::engine::intrinsics::unsupported;
use crate::engine::machine::Exit;
use crate::engine::state::State;
use crate::engine::value::Value;
use crate::outcome::Outcome;
use incise_ir::{Intrinsic, IntrinsicKind as K, TypeId};
use incise_solver::{
    BinaryOp, CompareOp, ExprId, FloatBinary, FloatCompare, FloatFormat, FloatUnary, MathFunction,
};

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

impl Calculator<'_, '_> {
    pub(crate) fn scalar_intrinsic(
        &mut self,
        state: &mut State,
        intrinsic: &Intrinsic,
        ty: TypeId,
        arguments: &[Value],
        call: &CallCode,
    ) -> Result<Value, Exit> {
        if self.decider.float_kind(ty).is_some() {
            return self.float_intrinsic(state, intrinsic, ty, arguments);
        }
        let width = self.decider.scalar_width(ty)?;
        let argument = |index: usize| arguments.get(index).cloned().unwrap_or(Value::Undefined);
        if matches!(intrinsic.kind, K::FloatToSignedSaturate | K::FloatToUnsignedSaturate) {
            return self.saturating_conversion(state, intrinsic, call, &argument(0), width);
        }
        let a = self.decider.expr(state, &argument(0), width);
        let mut second = |machine: &mut Self| machine.decider.expr(state, &argument(1), width);
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
                let zero = self.decider.exprs.constant(0, width);
                let negative = self.decider.exprs.compare(CompareOp::Slt, a, zero);
                let negated = self.decider.exprs.neg(a);
                self.decider.exprs.ite(negative, negated, a)
            }
            K::SignedMax | K::SignedMin | K::UnsignedMax | K::UnsignedMin => {
                let b = second(self);
                let pick = match intrinsic.kind {
                    K::SignedMax => CompareOp::Sgt,
                    K::SignedMin => CompareOp::Slt,
                    K::UnsignedMax => CompareOp::Ugt,
                    _ => CompareOp::Ult,
                };
                let first = self.decider.exprs.compare(pick, a, b);
                self.decider.exprs.ite(first, a, b)
            }
            K::ThreeWaySigned | K::ThreeWayUnsigned => return Err(unsupported(intrinsic)),
            K::FunnelShiftLeft | K::FunnelShiftRight => {
                let b = second(self);
                let amount = self.decider.expr(state, &argument(2), width);
                self.funnel_shift(intrinsic.kind == K::FunnelShiftLeft, a, b, amount)
            }
            K::SignedAddSaturate | K::UnsignedAddSaturate | K::SignedSubSaturate | K::UnsignedSubSaturate => {
                let b = second(self);
                self.saturating_sum(intrinsic.kind, a, b)
            }
            _ => return Err(unsupported(intrinsic)),
        };
        Ok(Value::from_expr(&self.decider.exprs, result))
    }

    fn population_count(&mut self, value: ExprId) -> ExprId {
        let width = self.decider.exprs.width(value);
        let mut sum = self.decider.exprs.constant(0, width);
        for bit in 0..width {
            let bit = self.decider.exprs.extract(value, bit, 1);
            let bit = self.decider.exprs.zext(bit, width);
            sum = self.decider.exprs.binary(BinaryOp::Add, sum, bit);
        }
        sum
    }

    fn leading_zeros(&mut self, value: ExprId) -> ExprId {
        let width = self.decider.exprs.width(value);
        let mut result = self.decider.exprs.constant(u128::from(width), width);
        for bit in 0..width {
            let set = self.decider.exprs.extract(value, bit, 1);
            let count = self.decider.exprs.constant(u128::from(width - 1 - bit), width);
            result = self.decider.exprs.ite(set, count, result);
        }
        result
    }

    /// The parts of `step` bits in reverse order.
    fn reverse(&mut self, value: ExprId, step: u32) -> ExprId {
        let width = self.decider.exprs.width(value);
        let mut result = self.decider.exprs.extract(value, 0, step);
        let mut low = step;
        while low < width {
            let part = self.decider.exprs.extract(value, low, step);
            result = self.decider.exprs.concat(result, part);
            low += step;
        }
        result
    }

    fn funnel_shift(&mut self, left: bool, high: ExprId, low: ExprId, amount: ExprId) -> ExprId {
        let width = self.decider.exprs.width(high);
        let modulus = self.decider.exprs.constant(u128::from(width), width);
        let amount = self.decider.exprs.binary(BinaryOp::URem, amount, modulus);
        let back = self.decider.exprs.binary(BinaryOp::Sub, modulus, amount);
        // Shifting by the whole width gives zero here, as the funnel wants it for an amount of zero.
        let (a, b) = if left { (amount, back) } else { (back, amount) };
        let upper = self.decider.exprs.binary(BinaryOp::Shl, high, a);
        let lower = self.decider.exprs.binary(BinaryOp::LShr, low, b);
        self.decider.exprs.or(upper, lower)
    }

    pub(crate) fn saturating_sum(&mut self, kind: K, a: ExprId, b: ExprId) -> ExprId {
        let width = self.decider.exprs.width(a);
        let (op, signed) = match kind {
            K::SignedAddSaturate => (BinaryOp::Add, true),
            K::UnsignedAddSaturate => (BinaryOp::Add, false),
            K::SignedSubSaturate => (BinaryOp::Sub, true),
            _ => (BinaryOp::Sub, false),
        };
        let overflow = overflows(&mut self.decider.exprs, op, signed, a, b);
        let sum = self.decider.exprs.binary(op, a, b);
        let bound = if signed {
            let least = self.decider.exprs.constant(1 << (width - 1), width);
            let most = self.decider.exprs.not(least);
            let zero = self.decider.exprs.constant(0, width);
            let negative = self.decider.exprs.compare(CompareOp::Slt, a, zero);
            self.decider.exprs.ite(negative, least, most)
        } else if op == BinaryOp::Add {
            self.decider.exprs.constant(u128::MAX, width)
        } else {
            self.decider.exprs.constant(0, width)
        };
        self.decider.exprs.ite(overflow, bound, sum)
    }

    pub(crate) fn with_overflow(
        &mut self,
        state: &mut State,
        kind: K,
        ty: TypeId,
        left: &Value,
        right: &Value,
    ) -> Result<Value, Exit> {
        let Some(inner) = self.decider.program.types.element_type(ty, 0) else {
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
        if self.decider.program.types.element_count(inner).is_some() {
            return Err(Exit::End(Outcome::Unsupported("overflow arithmetic on vectors".into())));
        }
        let width = self.decider.scalar_width(inner)?;
        let (a, b) = (self.decider.expr(state, left, width), self.decider.expr(state, right, width));
        let overflow = overflows(&mut self.decider.exprs, op, signed, a, b);
        let result = self.decider.exprs.binary(op, a, b);
        let result = Value::from_expr(&self.decider.exprs, result);
        Ok(Value::aggregate([result, Value::from_expr(&self.decider.exprs, overflow)]))
    }

    pub(crate) fn float_intrinsic(
        &mut self,
        state: &mut State,
        intrinsic: &Intrinsic,
        ty: TypeId,
        arguments: &[Value],
    ) -> Result<Value, Exit> {
        let Some(kind) = self.decider.float_kind(ty) else { return Err(unsupported(intrinsic)) };
        let (format, width) = (float_format(kind), kind.bits());
        let argument = |index: usize| arguments.get(index).cloned().unwrap_or(Value::Undefined);
        let a = self.decider.expr(state, &argument(0), width);
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
            let operands: Vec<ExprId> = (0..function.arity())
                .map(|index| self.decider.expr(state, &argument(index), width))
                .collect();
            let result =
                self.decider.exprs.math(function, format, &operands).ok_or_else(|| unsupported(intrinsic))?;
            return Ok(Value::from_expr(&self.decider.exprs, result));
        }
        let result = match (operation, intrinsic.kind) {
            (Some(op), _) => self.decider.exprs.float_unary(op, format, a),
            (None, K::FloatAbsolute) => self.decider.exprs.float_abs(format, a),
            (None, K::CopySign) => {
                let b = self.decider.expr(state, &argument(1), width);
                let magnitude = self.decider.exprs.extract(a, 0, width - 1);
                let sign = self.decider.exprs.extract(b, width - 1, 1);
                self.decider.exprs.concat(sign, magnitude)
            }
            (None, K::FusedMultiplyAdd) => {
                let (b, c) = (
                    self.decider.expr(state, &argument(1), width),
                    self.decider.expr(state, &argument(2), width),
                );
                self.decider.exprs.float_fma(format, a, b, c)
            }
            // Without a fused instruction in the baseline target, the compiler multiplies and then adds.
            (None, K::MultiplyAdd) => {
                let (b, c) = (
                    self.decider.expr(state, &argument(1), width),
                    self.decider.expr(state, &argument(2), width),
                );
                let product = self.decider.exprs.float_binary(FloatBinary::Mul, format, a, b);
                self.decider.exprs.float_binary(FloatBinary::Add, format, product, c)
            }
            // The compiler's own sequence: the second if it is beyond the first, or if that is not a number. It differs
            // from the library's function in zeros of either sign and in signalling NaNs.
            (None, K::MinNumber | K::MaxNumber)
                if matches!(format, FloatFormat::Single | FloatFormat::Double) =>
            {
                let b = self.decider.expr(state, &argument(1), width);
                let (less, than) = if intrinsic.kind == K::MinNumber { (b, a) } else { (a, b) };
                let beyond = self.decider.exprs.float_compare(FloatCompare::Lt, format, less, than);
                let of_numbers = self.decider.exprs.ite(beyond, b, a);
                let no_number = self.decider.exprs.float_compare(FloatCompare::Unordered, format, a, a);
                self.decider.exprs.ite(no_number, b, of_numbers)
            }
            (None, K::MinNumber | K::MaxNumber) => {
                let b = self.decider.expr(state, &argument(1), width);
                let op = if intrinsic.kind == K::MinNumber { FloatBinary::Min } else { FloatBinary::Max };
                self.decider.exprs.float_binary(op, format, a, b)
            }
            _ => return Err(unsupported(intrinsic)),
        };
        Ok(Value::from_expr(&self.decider.exprs, result))
    }

    pub(crate) fn saturating_conversion(
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
        let value = self.decider.expr(state, value, kind.bits());
        let (least, most) = match (signed, width) {
            (true, width) => (1u128 << (width - 1), (1u128 << (width - 1)) - 1),
            (false, width) => (0, crate::engine::value::mask(width)),
        };
        let (least, most) =
            (self.decider.exprs.constant(least, width), self.decider.exprs.constant(most, width));
        let low = self.decider.exprs.int_to_float(signed, format, least);
        let high = self.decider.exprs.int_to_float(signed, format, most);
        let converted = self.decider.exprs.float_to_int(format, signed, width, value);
        let below = self.decider.exprs.float_compare(FloatCompare::Le, format, value, low);
        let above = self.decider.exprs.float_compare(FloatCompare::Le, format, high, value);
        let nan = self.decider.exprs.float_compare(FloatCompare::Unordered, format, value, value);
        let zero = self.decider.exprs.constant(0, width);
        let result = self.decider.exprs.ite(above, most, converted);
        let result = self.decider.exprs.ite(below, least, result);
        let result = self.decider.exprs.ite(nan, zero, result);
        Ok(Value::from_expr(&self.decider.exprs, result))
    }

    /// `llvm.is.fpclass`: tests the value against a set of classes.
    pub(crate) fn float_class(
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
        let value = self.decider.expr(state, value, width);
        let exprs = &mut self.decider.exprs;
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
        Ok(Value::from_expr(&self.decider.exprs, result))
    }
}
