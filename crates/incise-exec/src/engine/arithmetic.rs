//! Arithmetic that is symbolic, wide, floating-point, or can fail.

use crate::decisions::decider::Decider;
use crate::engine::code::{Register, Source, float_format};
use crate::engine::machine::Exit;
use crate::engine::memo::{Key, Memo};
use crate::engine::oddity::Oddity;
use crate::engine::state::State;
use crate::engine::value::Value;
use crate::outcome::{ErrorKind, Outcome, ProgramError};
use incise_ir::{CastOp, FloatKind, FloatPredicate};
use incise_solver::{BinaryOp, CompareOp, ExprId, Exprs, FloatBinary, FloatCompare, FloatFormat, concrete};

/// How a scalar changes its width.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Resize {
    /// Zeros above.
    Zero,
    /// Copies of the sign above.
    Sign,
    /// The low bits.
    Truncate,
}

/// The part of the machine that computes with values.
pub(crate) struct Calculator<'m, 'a> {
    /// Who says whether an operation can fail.
    pub(crate) decider: &'m mut Decider<'a>,
    /// What was computed lately.
    pub(crate) memo: &'m mut Memo,
}

impl Decider<'_> {
    /// The address of an object, or a place in it, as base plus offset; `None` if it is no such address.
    pub(crate) fn based(&mut self, state: &State, address: u64) -> Option<ExprId> {
        let base = state.memory.base_of(address)?;
        let start = self.exprs.base(base);
        let offset = self.exprs.constant(u128::from(address.wrapping_sub(base)), 64);
        Some(self.exprs.binary(BinaryOp::Add, start, offset))
    }

    /// `condition ? then : otherwise` for scalars; addresses of objects stay recognisable.
    pub(crate) fn select_values(
        &mut self,
        state: &mut State,
        width: u32,
        condition: ExprId,
        then: &Value,
        otherwise: &Value,
    ) -> Value {
        let mut side = |decider: &mut Self, value: &Value| {
            if let Value::Word(word) = value
                && width == 64
                && let Some(based) = decider.based(state, *word)
            {
                return based;
            }
            decider.expr(state, value, width)
        };
        let (then, otherwise) = (side(self, then), side(self, otherwise));
        let expr = self.exprs.ite(condition, then, otherwise);
        Value::from_expr(&self.exprs, expr)
    }
}

impl Calculator<'_, '_> {
    /// Integer arithmetic on two registers.
    pub(crate) fn binary(
        &mut self,
        state: &mut State,
        op: BinaryOp,
        width: u32,
        signed_overflow: bool,
        left: Source,
        right: Source,
    ) -> Result<Value, Exit> {
        // The distance of two pointers tells where one is beside the other.
        if op == BinaryOp::Sub && width == 64 {
            self.decider.inputs().note_compared(state, CompareOp::Ult, left, right);
        }
        let (left, right) = (state.get(left).clone(), state.get(right).clone());
        // Only what can neither fail nor be about addresses is remembered.
        let plain = matches!(
            op,
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor
        ) && !(signed_overflow && self.decider.config.checks.overflow)
            && width != 64;
        let key =
            if plain { Key::new(1 << 16 | (op as u64) << 8 | u64::from(width), &left, &right) } else { None };
        let value = match key.and_then(|key| self.memo.get(key)) {
            Some(value) => value,
            None => {
                let value = self.binary_values(state, op, width, signed_overflow, &left, &right)?;
                if let Some(key) = key {
                    self.memo.put(key, &value);
                }
                value
            }
        };
        let known = |value: &Value| !matches!(value, Value::Undefined | Value::Aggregate(_));
        if signed_overflow && self.decider.config.checks.note_overflow && known(&left) && known(&right) {
            let (left, right) =
                (self.decider.expr(state, &left, width), self.decider.expr(state, &right, width));
            state.odd.push(Oddity::Signed(op, left, right));
        }
        Ok(value)
    }

    /// Integer arithmetic on two scalars, with the checks that C needs.
    pub(crate) fn binary_values(
        &mut self,
        state: &mut State,
        op: BinaryOp,
        width: u32,
        signed_overflow: bool,
        left: &Value,
        right: &Value,
    ) -> Result<Value, Exit> {
        let (left, right) = (self.decider.expr(state, left, width), self.decider.expr(state, right, width));
        self.check_operands(state, op, width, left, right)?;
        if signed_overflow && self.decider.config.checks.overflow {
            self.check_overflow(state, op, width, left, right)?;
        }
        let (left, right) = self.keep_base(state, op, left, right);
        let result = self.decider.exprs.binary(op, left, right);
        Ok(Value::from_expr(&self.decider.exprs, result))
    }

    /// Address arithmetic on integers keeps the object it is about: a concrete address plus something symbolic becomes
    /// base plus offset.
    fn keep_base(&mut self, state: &State, op: BinaryOp, left: ExprId, right: ExprId) -> (ExprId, ExprId) {
        if self.decider.exprs.width(left) != 64 || !matches!(op, BinaryOp::Add | BinaryOp::Sub) {
            return (left, right);
        }
        match (self.decider.exprs.as_constant(left), self.decider.exprs.as_constant(right)) {
            (Some(address), None) => (self.decider.based(state, address as u64).unwrap_or(left), right),
            (None, Some(address)) if op == BinaryOp::Add => {
                (left, self.decider.based(state, address as u64).unwrap_or(right))
            }
            _ => (left, right),
        }
    }

    fn check_operands(
        &mut self,
        state: &mut State,
        op: BinaryOp,
        width: u32,
        left: ExprId,
        right: ExprId,
    ) -> Result<(), Exit> {
        match op {
            BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem => {
                let zero = self.decider.exprs.constant(0, width);
                let valid = self.decider.exprs.compare(CompareOp::Ne, right, zero);
                self.decider.require(state, valid, |_, _| ProgramError {
                    kind: ErrorKind::DivisionByZero,
                    message: "division by zero".into(),
                })?;
                if matches!(op, BinaryOp::SDiv | BinaryOp::SRem) {
                    let least = self.decider.exprs.constant(1 << (width - 1), width);
                    let minus_one = self.decider.exprs.constant(u128::MAX, width);
                    let left_fits = self.decider.exprs.compare(CompareOp::Ne, left, least);
                    let right_fits = self.decider.exprs.compare(CompareOp::Ne, right, minus_one);
                    let valid = self.decider.exprs.or(left_fits, right_fits);
                    self.decider.require(state, valid, |_, _| ProgramError {
                        kind: ErrorKind::SignedOverflow,
                        message: "the smallest number is divided by -1: the result does not fit".into(),
                    })?;
                }
            }
            BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => {
                let limit = self.decider.exprs.constant(u128::from(width), width.max(8));
                let amount = self.decider.exprs.zext(right, width.max(8));
                let valid = self.decider.exprs.compare(CompareOp::Ult, amount, limit);
                self.decider.require(state, valid, |_, _| ProgramError {
                    kind: ErrorKind::Overshift,
                    message: format!(
                        "shift of a {width}-bit value by {width} or more, or by a negative number"
                    ),
                })?;
            }
            _ => {}
        }
        Ok(())
    }

    fn check_overflow(
        &mut self,
        state: &mut State,
        op: BinaryOp,
        width: u32,
        left: ExprId,
        right: ExprId,
    ) -> Result<(), Exit> {
        let overflow = overflows(&mut self.decider.exprs, op, true, left, right);
        let valid = self.decider.exprs.not(overflow);
        self.decider.require(state, valid, |_, _| ProgramError {
            kind: ErrorKind::SignedOverflow,
            message: format!("signed {} does not fit into {width} bits", operation_name(op)),
        })
    }

    #[inline]
    pub(crate) fn compare(
        &mut self,
        state: &mut State,
        op: CompareOp,
        width: u32,
        to: Register,
        left: Source,
        right: Source,
    ) {
        let (left, right) = (state.get(left).clone(), state.get(right).clone());
        let key = Key::new(2 << 16 | (op as u64) << 8 | u64::from(width), &left, &right);
        if let Some(value) = key.and_then(|key| self.memo.get(key)) {
            return state.set(to, value);
        }
        let (left, right) = (self.decider.expr(state, &left, width), self.decider.expr(state, &right, width));
        let result = self.decider.exprs.compare(op, left, right);
        let value = Value::from_expr(&self.decider.exprs, result);
        if let Some(key) = key {
            self.memo.put(key, &value);
        }
        state.set(to, value);
    }

    /// Extends or truncates a scalar that is wide or symbolic.
    pub(crate) fn resize(
        &mut self,
        state: &mut State,
        how: Resize,
        (from, width): (u32, u32),
        to: Register,
        value: Source,
    ) {
        let value = state.get(value).clone();
        if let Some(bits) = value.as_concrete() {
            let bits = if how == Resize::Sign {
                crate::engine::value::sign_extend(bits, from) as u128
            } else {
                bits
            };
            return state.set(to, Value::concrete(bits, width));
        }
        let key = Key::new(
            (3 + how as u64) << 16 | u64::from(from) << 8 | u64::from(width),
            &value,
            &Value::Word(0),
        );
        if let Some(value) = key.and_then(|key| self.memo.get(key)) {
            return state.set(to, value);
        }
        let expr = self.decider.expr(state, &value, from);
        let expr = match how {
            Resize::Zero => self.decider.exprs.zext(expr, width),
            Resize::Sign => self.decider.exprs.sext(expr, width),
            Resize::Truncate => self.decider.exprs.trunc(expr, width),
        };
        let value = Value::from_expr(&self.decider.exprs, expr);
        if let Some(key) = key {
            self.memo.put(key, &value);
        }
        state.set(to, value);
    }

    pub(crate) fn select(
        &mut self,
        state: &mut State,
        width: u32,
        to: Register,
        condition: Source,
        then: Source,
        otherwise: Source,
    ) {
        let (condition, then, otherwise) =
            (state.get(condition).clone(), state.get(then).clone(), state.get(otherwise).clone());
        let condition = self.decider.expr(state, &condition, 1);
        let value = self.decider.select_values(state, width, condition, &then, &otherwise);
        state.set(to, value);
    }

    pub(crate) fn float_binary(
        &mut self,
        state: &mut State,
        op: FloatBinary,
        format: FloatFormat,
        to: Register,
        left: Source,
        right: Source,
    ) {
        let (left, right) = (state.get(left).clone(), state.get(right).clone());
        let value = self.float_binary_values(state, op, format, &left, &right);
        state.set(to, value);
    }

    pub(crate) fn float_binary_values(
        &mut self,
        state: &mut State,
        op: FloatBinary,
        format: FloatFormat,
        left: &Value,
        right: &Value,
    ) -> Value {
        let width = format.width();
        if let (Some(left), Some(right)) = (left.as_concrete(), right.as_concrete()) {
            return Value::concrete(concrete::float_binary(op, format, left, right), width);
        }
        let (left, right) = (self.decider.expr(state, left, width), self.decider.expr(state, right, width));
        let expr = self.decider.exprs.float_binary(op, format, left, right);
        Value::from_expr(&self.decider.exprs, expr)
    }

    pub(crate) fn float_compare(
        &mut self,
        state: &mut State,
        predicate: FloatPredicate,
        format: FloatFormat,
        to: Register,
        left: Source,
        right: Source,
    ) {
        let (left, right) = (state.get(left).clone(), state.get(right).clone());
        let value = self.float_compare_values(state, predicate, format, &left, &right);
        state.set(to, value);
    }

    pub(crate) fn float_compare_values(
        &mut self,
        state: &mut State,
        predicate: FloatPredicate,
        format: FloatFormat,
        left: &Value,
        right: &Value,
    ) -> Value {
        use FloatPredicate as P;
        let width = format.width();
        if let (Some(left), Some(right)) = (left.as_concrete(), right.as_concrete()) {
            return Value::Word(u64::from(holds(predicate, format, left, right)));
        }
        let (a, b) = (self.decider.expr(state, left, width), self.decider.expr(state, right, width));
        let exprs = &mut self.decider.exprs;
        let unordered = exprs.float_compare(FloatCompare::Unordered, format, a, b);
        // Each predicate is an ordered comparison, perhaps negated, perhaps with "or unordered".
        let result = match predicate {
            P::False => exprs.constant(0, 1),
            P::True => exprs.constant(1, 1),
            P::Ordered => exprs.not(unordered),
            P::Unordered => unordered,
            P::OrderedEqual | P::UnorderedNotEqual | P::UnorderedEqual | P::OrderedNotEqual => {
                let equal = exprs.float_compare(FloatCompare::Eq, format, a, b);
                match predicate {
                    P::OrderedEqual => equal,
                    P::UnorderedNotEqual => exprs.not(equal),
                    P::UnorderedEqual => exprs.or(equal, unordered),
                    _ => {
                        let either = exprs.or(equal, unordered);
                        exprs.not(either)
                    }
                }
            }
            P::OrderedLess => exprs.float_compare(FloatCompare::Lt, format, a, b),
            P::OrderedLessEqual => exprs.float_compare(FloatCompare::Le, format, a, b),
            P::OrderedGreater => exprs.float_compare(FloatCompare::Lt, format, b, a),
            P::OrderedGreaterEqual => exprs.float_compare(FloatCompare::Le, format, b, a),
            P::UnorderedLess => {
                let not_less = exprs.float_compare(FloatCompare::Le, format, b, a);
                exprs.not(not_less)
            }
            P::UnorderedLessEqual => {
                let greater = exprs.float_compare(FloatCompare::Lt, format, b, a);
                exprs.not(greater)
            }
            P::UnorderedGreater => {
                let not_greater = exprs.float_compare(FloatCompare::Le, format, a, b);
                exprs.not(not_greater)
            }
            P::UnorderedGreaterEqual => {
                let less = exprs.float_compare(FloatCompare::Lt, format, a, b);
                exprs.not(less)
            }
        };
        Value::from_expr(&self.decider.exprs, result)
    }

    /// A conversion between scalars that is not a plain extension or truncation of an integer.
    pub(crate) fn float_cast(
        &mut self,
        state: &mut State,
        op: CastOp,
        from: (Option<FloatKind>, u32),
        to: (Option<FloatKind>, u32),
        value: &Value,
    ) -> Result<Value, Exit> {
        if let Some(bits) = value.as_concrete()
            && let Some(converted) = converted(op, from, to, bits)
        {
            return Ok(Value::concrete(converted, to.1));
        }
        let expr = self.decider.expr(state, value, from.1);
        let result = match (op, from.0, to.0) {
            (CastOp::FloatTruncate | CastOp::FloatExtend, Some(from), Some(to)) => {
                self.decider.exprs.float_to_float(float_format(from), float_format(to), expr)
            }
            (CastOp::FloatToSigned, Some(from), None) => {
                self.decider.exprs.float_to_int(float_format(from), true, to.1, expr)
            }
            (CastOp::FloatToUnsigned, Some(from), None) => {
                self.decider.exprs.float_to_int(float_format(from), false, to.1, expr)
            }
            (CastOp::SignedToFloat, None, Some(to)) => {
                self.decider.exprs.int_to_float(true, float_format(to), expr)
            }
            (CastOp::UnsignedToFloat, None, Some(to)) => {
                self.decider.exprs.int_to_float(false, float_format(to), expr)
            }
            _ => return Err(Exit::End(Outcome::Unsupported(format!("conversion {op:?}")))),
        };
        Ok(Value::from_expr(&self.decider.exprs, result))
    }
}

/// Whether a comparison of two numbers holds.
fn holds(predicate: FloatPredicate, format: FloatFormat, left: u128, right: u128) -> bool {
    use FloatPredicate as P;
    let is = |op| concrete::float_compare(op, format, left, right);
    let unordered = is(FloatCompare::Unordered);
    match predicate {
        P::False => false,
        P::True => true,
        P::Ordered => !unordered,
        P::Unordered => unordered,
        P::OrderedEqual => is(FloatCompare::Eq),
        P::OrderedNotEqual => !unordered && !is(FloatCompare::Eq),
        P::UnorderedEqual => unordered || is(FloatCompare::Eq),
        P::UnorderedNotEqual => !is(FloatCompare::Eq),
        P::OrderedLess => is(FloatCompare::Lt),
        P::OrderedLessEqual => is(FloatCompare::Le),
        P::OrderedGreater => !unordered && !is(FloatCompare::Le),
        P::OrderedGreaterEqual => !unordered && !is(FloatCompare::Lt),
        P::UnorderedLess => unordered || is(FloatCompare::Lt),
        P::UnorderedLessEqual => unordered || is(FloatCompare::Le),
        P::UnorderedGreater => !is(FloatCompare::Le),
        P::UnorderedGreaterEqual => !is(FloatCompare::Lt),
    }
}

/// A number in another format; `None` if the conversion is none of numbers.
fn converted(
    op: CastOp,
    from: (Option<FloatKind>, u32),
    to: (Option<FloatKind>, u32),
    bits: u128,
) -> Option<u128> {
    let format = |kind: Option<FloatKind>| kind.map(float_format);
    Some(match (op, format(from.0), format(to.0)) {
        (CastOp::FloatTruncate | CastOp::FloatExtend, Some(from), Some(to)) if from == to => bits,
        (CastOp::FloatTruncate | CastOp::FloatExtend, Some(from), Some(to)) => {
            concrete::float_to_float(from, to, bits)
        }
        (CastOp::FloatToSigned, Some(from), None) => concrete::float_to_int(from, true, to.1, bits),
        (CastOp::FloatToUnsigned, Some(from), None) => concrete::float_to_int(from, false, to.1, bits),
        (CastOp::SignedToFloat, None, Some(to)) => concrete::int_to_float(true, to, bits, from.1),
        (CastOp::UnsignedToFloat, None, Some(to)) => concrete::int_to_float(false, to, bits, from.1),
        _ => return None,
    })
}

/// Whether an addition, subtraction or multiplication overflows.
pub fn overflows(exprs: &mut Exprs, op: BinaryOp, signed: bool, left: ExprId, right: ExprId) -> ExprId {
    let width = exprs.width(left);
    if op == BinaryOp::Mul && width > 64 {
        return wide_multiplication_overflows(exprs, signed, left, right);
    }
    let wide = if op == BinaryOp::Mul { 2 * width } else { (width + 1).min(128) };
    if wide == width {
        return widest_sum_overflows(exprs, op, signed, left, right);
    }
    let extend = |exprs: &mut Exprs, expr| {
        if signed { exprs.sext(expr, wide) } else { exprs.zext(expr, wide) }
    };
    let (wide_left, wide_right) = (extend(exprs, left), extend(exprs, right));
    let exact = exprs.binary(op, wide_left, wide_right);
    let wrapped = exprs.binary(op, left, right);
    let wrapped = extend(exprs, wrapped);
    exprs.compare(CompareOp::Ne, exact, wrapped)
}

/// Overflow of 128-bit addition and subtraction, by the signs or the carry.
fn widest_sum_overflows(
    exprs: &mut Exprs,
    op: BinaryOp,
    signed: bool,
    left: ExprId,
    right: ExprId,
) -> ExprId {
    let result = exprs.binary(op, left, right);
    if !signed {
        return match op {
            BinaryOp::Sub => exprs.compare(CompareOp::Ult, left, right),
            _ => exprs.compare(CompareOp::Ult, result, left),
        };
    }
    // The operands of an addition have one sign (of a subtraction two), and the result another.
    let mixed = exprs.binary(BinaryOp::Xor, left, right);
    let changed = exprs.binary(BinaryOp::Xor, left, result);
    let mixed = if op == BinaryOp::Add { exprs.not(mixed) } else { mixed };
    let both = exprs.and(mixed, changed);
    exprs.extract(both, exprs.width(left) - 1, 1)
}

/// Overflow of a multiplication of more than 64 bits, by dividing back.
fn wide_multiplication_overflows(exprs: &mut Exprs, signed: bool, left: ExprId, right: ExprId) -> ExprId {
    let width = exprs.width(left);
    let zero = exprs.constant(0, width);
    let product = exprs.binary(BinaryOp::Mul, left, right);
    let quotient = exprs.binary(if signed { BinaryOp::SDiv } else { BinaryOp::UDiv }, product, right);
    let differs = exprs.compare(CompareOp::Ne, quotient, left);
    let nonzero = exprs.compare(CompareOp::Ne, right, zero);
    let mut overflow = exprs.and(differs, nonzero);
    if signed {
        let minus_one = exprs.constant(u128::MAX, width);
        let least = exprs.constant(1 << (width - 1), width);
        let by_minus_one = exprs.compare(CompareOp::Eq, right, minus_one);
        let of_least = exprs.compare(CompareOp::Eq, left, least);
        let corner = exprs.and(by_minus_one, of_least);
        overflow = exprs.or(overflow, corner);
    }
    overflow
}

fn operation_name(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "addition",
        BinaryOp::Sub => "subtraction",
        _ => "multiplication",
    }
}
