//! What rules look at: the shape of an operand, one level deep.

use crate::concrete::mask;
use crate::expr::{BinaryOp, ExprId, ExprKind, Exprs, Relation};

impl Exprs {
    /// The operands of a given operation.
    pub(super) fn binary_of(&self, e: ExprId, op: BinaryOp) -> Option<(ExprId, ExprId)> {
        match *self.kind(e) {
            ExprKind::Binary(found, a, b) if found == op => Some((a, b)),
            _ => None,
        }
    }

    /// `x` and `c` of an operation with a constant on the right.
    pub(super) fn with_constant(&self, e: ExprId, op: BinaryOp) -> Option<(ExprId, u128)> {
        let (x, c) = self.binary_of(e, op)?;
        Some((x, self.as_constant(c)?))
    }

    /// `c` and `x` of `c - x`.
    pub(super) fn constant_minus(&self, e: ExprId) -> Option<(u128, ExprId)> {
        let (c, x) = self.binary_of(e, BinaryOp::Sub)?;
        Some((self.as_constant(c)?, x))
    }

    pub(super) fn relation_of(&self, e: ExprId, relation: Relation) -> Option<(ExprId, ExprId)> {
        match *self.kind(e) {
            ExprKind::Compare(found, a, b) if found == relation => Some((a, b)),
            _ => None,
        }
    }

    pub(super) fn not_of(&self, e: ExprId) -> Option<ExprId> {
        match *self.kind(e) {
            ExprKind::Not(x) => Some(x),
            _ => None,
        }
    }

    pub(super) fn zext_of(&self, e: ExprId) -> Option<ExprId> {
        match *self.kind(e) {
            ExprKind::ZeroExtend(x) => Some(x),
            _ => None,
        }
    }

    pub(super) fn sext_of(&self, e: ExprId) -> Option<ExprId> {
        match *self.kind(e) {
            ExprKind::SignExtend(x) => Some(x),
            _ => None,
        }
    }

    /// What an extraction is of, and its lowest bit.
    pub(super) fn extract_of(&self, e: ExprId) -> Option<(ExprId, u32)> {
        match *self.kind(e) {
            ExprKind::Extract { of, low } => Some((of, low)),
            _ => None,
        }
    }

    pub(super) fn concat_of(&self, e: ExprId) -> Option<(ExprId, ExprId)> {
        match *self.kind(e) {
            ExprKind::Concat(high, low) => Some((high, low)),
            _ => None,
        }
    }

    /// Condition and values of an if-then-else between constants.
    pub(super) fn constant_choice(&self, e: ExprId) -> Option<(ExprId, u128, u128)> {
        let (condition, then, otherwise) = self.split_ite(e)?;
        Some((condition, self.as_constant(then)?, self.as_constant(otherwise)?))
    }

    pub(super) fn is_zero(&self, e: ExprId) -> bool {
        self.as_constant(e) == Some(0)
    }

    pub(super) fn is_ones(&self, e: ExprId) -> bool {
        self.as_constant(e) == Some(mask(self.width(e)))
    }

    pub(super) fn is_one(&self, e: ExprId) -> bool {
        self.as_constant(e) == Some(1)
    }

    /// Whether one operand is the inverse of the other.
    pub(super) fn are_inverse(&self, a: ExprId, b: ExprId) -> bool {
        self.not_of(a) == Some(b) || self.not_of(b) == Some(a)
    }

    pub(super) fn zero(&mut self, width: u32) -> ExprId {
        self.constant(0, width)
    }

    pub(super) fn ones(&mut self, width: u32) -> ExprId {
        self.constant(u128::MAX, width)
    }

    /// The bit length of a constant that is a power of two, less one.
    pub(super) fn power_of_two(&self, e: ExprId) -> Option<u32> {
        let value = self.as_constant(e)?;
        value.is_power_of_two().then(|| value.trailing_zeros())
    }

    pub(super) fn add_constant(&mut self, e: ExprId, value: u128) -> ExprId {
        let constant = self.constant(value, self.width(e));
        self.add(e, constant)
    }

    /// Of `(x / y) * y` and `x`: x, y, and the operation that gives the remainder. Division by zero has the meaning of
    /// SMT-LIB, for which it holds as well.
    pub(super) fn times_divisor(&self, product: ExprId, x: ExprId) -> Option<(ExprId, ExprId, BinaryOp)> {
        let (left, right) = self.binary_of(product, BinaryOp::Mul)?;
        [(left, right), (right, left)].into_iter().find_map(|(quotient, y)| {
            let kinds = [(BinaryOp::UDiv, BinaryOp::URem), (BinaryOp::SDiv, BinaryOp::SRem)];
            let found = kinds.into_iter().find(|&(op, _)| self.binary_of(quotient, op) == Some((x, y)));
            found.map(|(_, remainder)| (x, y, remainder))
        })
    }

    /// Equality with a constant, which is cut to the width.
    pub(super) fn eq_constant(&mut self, e: ExprId, value: u128) -> ExprId {
        let constant = self.constant(value, self.width(e));
        self.relation(Relation::Eq, e, constant)
    }

    /// Whether cutting `width` bits from bit `low` on out of the expression gives no new extraction: a constant, or a
    /// part of what it is made of.
    pub(super) fn cuts_freely(&self, e: ExprId, low: u32, width: u32) -> bool {
        match *self.kind(e) {
            ExprKind::Constant(_) | ExprKind::WideConstant(_) => true,
            ExprKind::ZeroExtend(x) | ExprKind::SignExtend(x) => low == 0 || low >= self.width(x),
            ExprKind::Extract { .. } => true,
            ExprKind::Concat(_, right) => {
                let split = self.width(right);
                low == 0 && width == split || low == split
            }
            _ => false,
        }
    }
}
