//! Floats for Bitwuzla. Its numbers have one NaN and no way back to bits, while our expressions are bits, of
//! which x86-64 makes particular ones for results that are not numbers (see [`crate::concrete`]).
//!
//! So the bits of a result are a fresh constant that is *defined* to be the bits of the number, or, if that
//! is not a number, the bits that the rules of the processor give. Chains of operations pass numbers along
//! without going through bits.
//!
//! The 80-bit format of the x87 unit has an explicit integer bit: its numbers are those of a format of 15
//! exponent bits and 63 fraction bits; an exponent of zero with the integer bit is the same as an exponent of
//! one; an exponent above zero without it is no number.

use super::translate::{Task, Translator, float_result};
use crate::concrete;
use crate::expr::{ExprId, ExprKind, Exprs, FloatBinary, FloatCompare, FloatFormat, FloatUnary};
use incise_bitwuzla::{Error, Kind, RoundingMode, Sort, Term};

/// The bits of a float result, and what must be asserted wherever they are used.
pub(super) struct Definition {
    pub(super) bits: Term,
    pub(super) definition: Term,
}

/// The fraction bits of the x87 format, without the integer bit.
const X87_FRACTION: u32 = 63;

impl Translator {
    /// An expression as a number. Its parts are translated.
    pub(super) fn build_float(
        &mut self,
        exprs: &Exprs,
        expr: ExprId,
        format: FloatFormat,
    ) -> Result<Term, Error> {
        let nearest = self.manager.rounding_mode(RoundingMode::NearestEven)?;
        let number = |translator: &Self, operand: ExprId| translator.term(Task::Float(operand, format));
        match *exprs.kind(expr) {
            ExprKind::FloatBinary(op, own, a, b) if own == format => {
                let (a, b) = (number(self, a)?, number(self, b)?);
                match op {
                    FloatBinary::Add => self.make(Kind::FpAdd, &[nearest, a, b]),
                    FloatBinary::Sub => self.make(Kind::FpSub, &[nearest, a, b]),
                    FloatBinary::Mul => self.make(Kind::FpMul, &[nearest, a, b]),
                    FloatBinary::Div => self.make(Kind::FpDiv, &[nearest, a, b]),
                    FloatBinary::Rem | FloatBinary::Min | FloatBinary::Max => {
                        self.truncated_remainder(nearest, a, b)
                    }
                }
            }
            ExprKind::FloatUnary(op, own, a) if own == format => {
                let a = number(self, a)?;
                let (kind, mode) = match op {
                    FloatUnary::Sqrt => (Kind::FpSqrt, RoundingMode::NearestEven),
                    FloatUnary::Floor => (Kind::FpRti, RoundingMode::TowardNegative),
                    FloatUnary::Ceil => (Kind::FpRti, RoundingMode::TowardPositive),
                    FloatUnary::Trunc => (Kind::FpRti, RoundingMode::TowardZero),
                    FloatUnary::RoundEven => (Kind::FpRti, RoundingMode::NearestEven),
                    FloatUnary::RoundAway => (Kind::FpRti, RoundingMode::NearestAway),
                };
                let mode = self.manager.rounding_mode(mode)?;
                self.make(kind, &[mode, a])
            }
            ExprKind::FloatFma(own, a, b, c) if own == format => {
                let (a, b, c) = (number(self, a)?, number(self, b)?, number(self, c)?);
                self.make(Kind::FpFma, &[nearest, a, b, c])
            }
            ExprKind::FloatToFloat { from, to, of } if to == format => {
                let mut of = self.term(Task::Float(of, from))?;
                if is_mixed(from, to) {
                    // The way around is exact, and rounds once all the same.
                    of = self.manager.mk_term(
                        Kind::FpToFpFromFp,
                        &[nearest, of],
                        &indices(FloatFormat::Single),
                    )?;
                }
                self.manager.mk_term(Kind::FpToFpFromFp, &[nearest, of], &indices(format))
            }
            ExprKind::IntToFloat { signed, to, of } if to == format => {
                let of = self.bits(exprs, of)?;
                self.number_of_integer(format, signed, of)
            }
            ExprKind::Ite(condition, then, otherwise) => {
                let condition = self.term(Task::Bits(condition))?;
                let (then, otherwise) = (number(self, then)?, number(self, otherwise)?);
                self.make(Kind::Ite, &[condition, then, otherwise])
            }
            _ => {
                let bits = self.bits(exprs, expr)?;
                self.number_of_bits(format, bits)
            }
        }
    }

    /// C's `fmod` out of IEEE's remainder, which rounds the quotient: of the magnitudes it is either right or
    /// too small by the divisor.
    fn truncated_remainder(&mut self, nearest: Term, a: Term, b: Term) -> Result<Term, Error> {
        let (x, y) = (self.make(Kind::FpAbs, &[a])?, self.make(Kind::FpAbs, &[b])?);
        let rounded = self.make(Kind::FpRem, &[x, y])?;
        let negative = self.make(Kind::FpIsNeg, &[rounded])?;
        let zero = self.make(Kind::FpIsZero, &[rounded])?;
        let not_zero = self.make(Kind::Not, &[zero])?;
        let too_small = self.make(Kind::And, &[negative, not_zero])?;
        // The true result has no more digits than the operands, so this sum is exact.
        let corrected = self.make(Kind::FpAdd, &[nearest, rounded, y])?;
        let chosen = self.make(Kind::Ite, &[too_small, corrected, rounded])?;
        let magnitude = self.make(Kind::FpAbs, &[chosen])?;
        let negated = self.make(Kind::FpNeg, &[magnitude])?;
        let minus = self.make(Kind::FpIsNeg, &[a])?;
        self.make(Kind::Ite, &[minus, negated, magnitude])
    }

    fn number_of_integer(&self, format: FloatFormat, signed: bool, integer: Term) -> Result<Term, Error> {
        let nearest = self.manager.rounding_mode(RoundingMode::NearestEven)?;
        let kind = if signed { Kind::FpToFpFromSbv } else { Kind::FpToFpFromUbv };
        // A signed integer of one bit confuses no one when it has two.
        let integer = if integer.sort() == Sort::BitVector(1) {
            let extend = if signed { Kind::BvSignExtend } else { Kind::BvZeroExtend };
            self.manager.mk_term(extend, &[integer], &[1])?
        } else {
            integer
        };
        self.manager.mk_term(kind, &[nearest, integer], &indices(format))
    }

    pub(super) fn number_of_bits(&self, format: FloatFormat, bits: Term) -> Result<Term, Error> {
        if format != FloatFormat::X87 {
            return self.manager.mk_term(Kind::FpToFpFromBv, &[bits], &indices(format));
        }
        let sign = self.extract(bits, 79, 1)?;
        let exponent = self.extract(bits, 64, 15)?;
        let fraction = self.extract(bits, 0, X87_FRACTION)?;
        let integer = self.is_set(bits, X87_FRACTION)?;
        let (zero, one) = (self.manager.bit_vector(0, 15)?, self.manager.bit_vector(1, 15)?);
        let least = self.make(Kind::Equal, &[exponent, zero])?;
        let normal = self.make(Kind::Ite, &[integer, one, zero])?;
        let exponent = self.make(Kind::Ite, &[least, normal, exponent])?;
        let packed = self.make(Kind::BvConcat, &[sign, exponent])?;
        let packed = self.make(Kind::BvConcat, &[packed, fraction])?;
        let number = self.manager.mk_term(Kind::FpToFpFromBv, &[packed], &indices(format))?;
        let not_a_number = self.manager.bit_vector((1 << 78) - 1, 79)?;
        let not_a_number = self.manager.mk_term(Kind::FpToFpFromBv, &[not_a_number], &indices(format))?;
        let refused = self.is_refused(bits)?;
        self.make(Kind::Ite, &[refused, not_a_number, number])
    }

    /// Whether the bits are an encoding that the x87 unit refuses: an exponent above zero without the integer
    /// bit.
    fn is_refused(&self, bits: Term) -> Result<Term, Error> {
        let zero = self.manager.bit_vector(0, 15)?;
        let exponent = self.extract(bits, 64, 15)?;
        let least = self.make(Kind::Equal, &[exponent, zero])?;
        let integer = self.is_set(bits, X87_FRACTION)?;
        let accepted = self.make(Kind::Or, &[least, integer])?;
        self.make(Kind::Not, &[accepted])
    }

    fn is_set(&self, bits: Term, position: u32) -> Result<Term, Error> {
        let bit = self.extract(bits, position, 1)?;
        let one = self.manager.bit_vector(1, 1)?;
        self.make(Kind::Equal, &[bit, one])
    }

    /// The bits of the result of a float operation, whose number is translated.
    pub(super) fn bits_of_float(&mut self, exprs: &Exprs, expr: ExprId) -> Result<Definition, Error> {
        let format = float_result(exprs.kind(expr)).ok_or(Error::ForeignTerm)?;
        let number = self.term(Task::Float(expr, format))?;
        let packed_width = format.exponent_bits() + format.precision();
        let packed =
            self.manager.constant(Sort::BitVector(packed_width), &format!("float:{}", expr.index()))?;
        let same = self.manager.mk_term(Kind::FpToFpFromBv, &[packed], &indices(format))?;
        let definition = self.make(Kind::Equal, &[same, number])?;
        let of_number = if format == FloatFormat::X87 { self.with_integer_bit(packed)? } else { packed };
        let is_nan = self.make(Kind::FpIsNan, &[number])?;
        let of_nan = self.bits_of_nan(exprs, expr, format)?;
        let bits = self.make(Kind::Ite, &[is_nan, of_nan, of_number])?;
        Ok(Definition { bits, definition })
    }

    fn with_integer_bit(&self, packed: Term) -> Result<Term, Error> {
        let upper = self.extract(packed, X87_FRACTION, 16)?;
        let exponent = self.extract(packed, X87_FRACTION, 15)?;
        let fraction = self.extract(packed, 0, X87_FRACTION)?;
        let zero = self.manager.bit_vector(0, 15)?;
        let least = self.make(Kind::Equal, &[exponent, zero])?;
        let (clear, set) = (self.manager.bit_vector(0, 1)?, self.manager.bit_vector(1, 1)?);
        let integer = self.make(Kind::Ite, &[least, clear, set])?;
        let lower = self.make(Kind::BvConcat, &[integer, fraction])?;
        self.make(Kind::BvConcat, &[upper, lower])
    }

    /// The bits of a result that is known not to be a number.
    fn bits_of_nan(&mut self, exprs: &Exprs, expr: ExprId, format: FloatFormat) -> Result<Term, Error> {
        let default = self.manager.bit_vector(concrete::default_nan(format), format.width())?;
        match *exprs.kind(expr) {
            ExprKind::FloatBinary(_, _, a, b) => self.propagated(exprs, format, a, b, default),
            ExprKind::FloatUnary(_, _, a) => self.quiet_or(exprs, format, a, default),
            ExprKind::FloatFma(_, a, b, c) => {
                let otherwise = self.quiet_or(exprs, format, c, default)?;
                self.propagated(exprs, format, a, b, otherwise)
            }
            ExprKind::FloatToFloat { from, to, of } => {
                let bits = self.bits(exprs, of)?;
                let quiet = self.quiet(from, bits)?;
                if from == to { Ok(quiet) } else { self.convert_nan(from, to, quiet) }
            }
            _ => Ok(default),
        }
    }

    /// The first operand that is not a number, made quiet, or else `otherwise`; with the rules of the x87
    /// unit if both are not.
    fn propagated(
        &mut self,
        exprs: &Exprs,
        format: FloatFormat,
        a: ExprId,
        b: ExprId,
        otherwise: Term,
    ) -> Result<Term, Error> {
        let second = self.quiet_or(exprs, format, b, otherwise)?;
        let first = self.quiet_or(exprs, format, a, second)?;
        if format != FloatFormat::X87 {
            return Ok(first);
        }
        let (number_a, number_b) = (self.term(Task::Float(a, format))?, self.term(Task::Float(b, format))?);
        let (nan_a, nan_b) = (self.make(Kind::FpIsNan, &[number_a])?, self.make(Kind::FpIsNan, &[number_b])?);
        let both = self.make(Kind::And, &[nan_a, nan_b])?;
        let (a, b) = (self.bits(exprs, a)?, self.bits(exprs, b)?);
        let of_both = self.propagated_by_x87(a, b)?;
        self.make(Kind::Ite, &[both, of_both, first])
    }

    /// Of two that are not numbers: a quiet one before a signalling one, else the larger significand; the
    /// default if one is refused.
    fn propagated_by_x87(&mut self, a: Term, b: Term) -> Result<Term, Error> {
        let format = FloatFormat::X87;
        let quiet_position = format.precision() - 2;
        let (quiet_a, quiet_b) = (self.is_set(a, quiet_position)?, self.is_set(b, quiet_position)?);
        let (significand_a, significand_b) = (self.extract(a, 0, 64)?, self.extract(b, 0, 64)?);
        let larger = self.make(Kind::BvUgt, &[significand_a, significand_b])?;
        let same = self.make(Kind::Equal, &[significand_a, significand_b])?;
        let above = self.make(Kind::BvUgt, &[b, a])?;
        let tie = self.make(Kind::And, &[same, above])?;
        let wins = self.make(Kind::Or, &[larger, tie])?;
        let alike = self.make(Kind::Equal, &[quiet_a, quiet_b])?;
        let first = self.make(Kind::Ite, &[alike, wins, quiet_a])?;
        let (of_a, of_b) = (self.quiet(format, a)?, self.quiet(format, b)?);
        let chosen = self.make(Kind::Ite, &[first, of_a, of_b])?;
        let (refused_a, refused_b) = (self.is_refused(a)?, self.is_refused(b)?);
        let refused = self.make(Kind::Or, &[refused_a, refused_b])?;
        let default = self.manager.bit_vector(concrete::default_nan(format), format.width())?;
        self.make(Kind::Ite, &[refused, default, chosen])
    }

    fn quiet_or(
        &mut self,
        exprs: &Exprs,
        format: FloatFormat,
        operand: ExprId,
        otherwise: Term,
    ) -> Result<Term, Error> {
        let number = self.term(Task::Float(operand, format))?;
        let is_nan = self.make(Kind::FpIsNan, &[number])?;
        let bits = self.bits(exprs, operand)?;
        let quiet = self.quiet(format, bits)?;
        self.make(Kind::Ite, &[is_nan, quiet, otherwise])
    }

    /// The bits of something that is not a number, made quiet.
    fn quiet(&self, format: FloatFormat, bits: Term) -> Result<Term, Error> {
        let quiet_bit = self.manager.bit_vector(1 << (format.precision() - 2), format.width())?;
        let quiet = self.make(Kind::BvOr, &[bits, quiet_bit])?;
        if format != FloatFormat::X87 {
            return Ok(quiet);
        }
        let default = self.manager.bit_vector(concrete::default_nan(format), format.width())?;
        let refused = self.is_refused(bits)?;
        self.make(Kind::Ite, &[refused, default, quiet])
    }

    /// A quiet one in another format: the highest bits of the fraction are kept.
    fn convert_nan(&self, from: FloatFormat, to: FloatFormat, bits: Term) -> Result<Term, Error> {
        let (old, new) = (from.precision() - 1, to.precision() - 1);
        let sign = self.extract(bits, from.width() - 1, 1)?;
        let fraction = if new >= old {
            let fraction = self.extract(bits, 0, old)?;
            if new == old {
                fraction
            } else {
                let zeros = self.manager.bit_vector(0, new - old)?;
                self.make(Kind::BvConcat, &[fraction, zeros])?
            }
        } else {
            self.extract(bits, old - new, new)?
        };
        let between = to.width() - 1 - new;
        let ones = self.manager.bit_vector((1 << between) - 1, between)?;
        let upper = self.make(Kind::BvConcat, &[sign, ones])?;
        self.make(Kind::BvConcat, &[upper, fraction])
    }

    /// A comparison as a Boolean.
    pub(super) fn float_compare(
        &mut self,
        op: FloatCompare,
        format: FloatFormat,
        a: ExprId,
        b: ExprId,
    ) -> Result<Term, Error> {
        let (a, b) = (self.term(Task::Float(a, format))?, self.term(Task::Float(b, format))?);
        match op {
            FloatCompare::Eq => self.make(Kind::FpEqual, &[a, b]),
            FloatCompare::Lt => self.make(Kind::FpLt, &[a, b]),
            FloatCompare::Le => self.make(Kind::FpLeq, &[a, b]),
            FloatCompare::Same => self.make(Kind::Equal, &[a, b]),
            FloatCompare::Unordered => {
                let operands = [self.make(Kind::FpIsNan, &[a])?, self.make(Kind::FpIsNan, &[b])?];
                self.make(Kind::Or, &operands)
            }
        }
    }

    /// An integer toward zero, as a bit-vector; out of range as [`concrete::float_to_int`] has it.
    pub(super) fn float_to_int(
        &mut self,
        from: FloatFormat,
        signed: bool,
        width: u32,
        of: ExprId,
    ) -> Result<Term, Error> {
        let number = self.term(Task::Float(of, from))?;
        let result = match (signed, width) {
            (true, ..=32) | (false, ..=16) => self.convert_instruction(from, number, 32)?,
            (true, ..=64) | (false, ..=32) => self.convert_instruction(from, number, 64)?,
            (true, _) => self.convert_instruction(from, number, 128)?,
            (false, ..=64) => self.to_unsigned_64(from, number)?,
            (false, _) => self.to_unsigned_128(from, number)?,
        };
        if result.sort() == Sort::BitVector(width) { Ok(result) } else { self.extract(result, 0, width) }
    }

    /// What the instruction for `width` bits gives: the least integer for what does not fit.
    fn convert_instruction(&self, from: FloatFormat, number: Term, width: u32) -> Result<Term, Error> {
        let toward_zero = self.manager.rounding_mode(RoundingMode::TowardZero)?;
        let integral = self.make(Kind::FpRti, &[toward_zero, number])?;
        let least = self.manager.bit_vector(1 << (width - 1), width)?;
        // Bounds that the format cannot hold become infinite, hence the separate question for infinity.
        let lower = self.number_of_integer(from, true, least)?;
        let upper = self.number_of_integer(from, false, least)?;
        let above = self.make(Kind::FpGeq, &[integral, lower])?;
        let below = self.make(Kind::FpLt, &[integral, upper])?;
        let infinite = self.make(Kind::FpIsInf, &[number])?;
        let finite = self.make(Kind::Not, &[infinite])?;
        let fits = self.make(Kind::And, &[above, below])?;
        let fits = self.make(Kind::And, &[fits, finite])?;
        let converted = self.manager.mk_term(Kind::FpToSbv, &[toward_zero, number], &[u64::from(width)])?;
        self.make(Kind::Ite, &[fits, converted, least])
    }

    /// Clang's sequence: one conversion, and one of the difference to 2^63 that counts if the first is
    /// negative.
    fn to_unsigned_64(&self, from: FloatFormat, number: Term) -> Result<Term, Error> {
        let first = self.convert_instruction(from, number, 64)?;
        let nearest = self.manager.rounding_mode(RoundingMode::NearestEven)?;
        let half = self.manager.bit_vector(1 << 63, 64)?;
        let half = self.number_of_integer(from, false, half)?;
        let above = self.make(Kind::FpSub, &[nearest, number, half])?;
        let second = self.convert_instruction(from, above, 64)?;
        let negative = self.is_set(first, 63)?;
        let zero = self.manager.bit_vector(0, 64)?;
        let upper = self.make(Kind::Ite, &[negative, second, zero])?;
        self.make(Kind::BvOr, &[first, upper])
    }

    /// Zero below zero and for what is not a number, all ones above the range.
    fn to_unsigned_128(&self, from: FloatFormat, number: Term) -> Result<Term, Error> {
        let toward_zero = self.manager.rounding_mode(RoundingMode::TowardZero)?;
        let zero = self.manager.bit_vector(0, 128)?;
        let ones = self.manager.bit_vector(u128::MAX, 128)?;
        let number_zero = self.number_of_integer(from, false, zero)?;
        let bound = self.manager.bit_vector(1 << 127, 128)?;
        let one_bit = self.manager.bit_vector(0, 1)?;
        let bound = self.make(Kind::BvConcat, &[bound, one_bit])?;
        let bound = self.number_of_integer(from, false, bound)?;
        let at_least_zero = self.make(Kind::FpGeq, &[number, number_zero])?;
        let below = self.make(Kind::FpLt, &[number, bound])?;
        let converted = self.manager.mk_term(Kind::FpToUbv, &[toward_zero, number], &[128])?;
        let of_positive = self.make(Kind::Ite, &[below, converted, ones])?;
        self.make(Kind::Ite, &[at_least_zero, of_positive, zero])
    }
}

/// Whether a conversion has fewer bits of exponent and more of significand. The circuit that Bitwuzla 0.8 makes for it
/// is wrong.
fn is_mixed(from: FloatFormat, to: FloatFormat) -> bool {
    to.exponent_bits() < from.exponent_bits() && to.precision() > from.precision()
}

/// The widths of exponent and significand, the latter with the hidden bit.
fn indices(format: FloatFormat) -> [u64; 2] {
    [u64::from(format.exponent_bits()), u64::from(format.precision())]
}
