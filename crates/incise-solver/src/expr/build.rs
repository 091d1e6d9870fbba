//! Constructors of bit-vector expressions.

use super::arena::Exprs;
use super::kind::{BinaryOp, CompareOp, ExprId, ExprKind, Relation};

impl Exprs {
    /// An operation on two operands of one width.
    #[inline]
    pub fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
        debug_assert_eq!(self.width(a), self.width(b), "{op:?} of unequal widths");
        let (a, b) = if op.is_commutative() { self.in_order(a, b) } else { (a, b) };
        self.build(ExprKind::Binary(op, a, b), self.width(a))
    }

    /// A comparison of two operands of one width; the result has width 1.
    #[inline]
    pub fn compare(&mut self, op: CompareOp, a: ExprId, b: ExprId) -> ExprId {
        debug_assert_eq!(self.width(a), self.width(b), "{op:?} of unequal widths");
        match op {
            CompareOp::Eq => self.relation(Relation::Eq, a, b),
            CompareOp::Ult => self.relation(Relation::Ult, a, b),
            CompareOp::Ugt => self.relation(Relation::Ult, b, a),
            CompareOp::Slt => self.relation(Relation::Slt, a, b),
            CompareOp::Sgt => self.relation(Relation::Slt, b, a),
            CompareOp::Ne => self.negated(Relation::Eq, a, b),
            CompareOp::Ule => self.negated(Relation::Ult, b, a),
            CompareOp::Uge => self.negated(Relation::Ult, a, b),
            CompareOp::Sle => self.negated(Relation::Slt, b, a),
            CompareOp::Sge => self.negated(Relation::Slt, a, b),
        }
    }

    fn negated(&mut self, relation: Relation, a: ExprId, b: ExprId) -> ExprId {
        let positive = self.relation(relation, a, b);
        self.not(positive)
    }

    #[inline]
    pub(crate) fn relation(&mut self, relation: Relation, a: ExprId, b: ExprId) -> ExprId {
        let (a, b) = if relation == Relation::Eq { self.in_order(a, b) } else { (a, b) };
        self.build(ExprKind::Compare(relation, a, b), 1)
    }

    /// Whether two expressions are equal, of width 1.
    pub fn eq(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.compare(CompareOp::Eq, a, b)
    }

    /// Operands of a commutative operation in their fixed order: by structure, then constants, then bases.
    #[inline]
    pub(crate) fn in_order(&self, a: ExprId, b: ExprId) -> (ExprId, ExprId) {
        if !self.rewriter.is_enabled() {
            return (a, b);
        }
        let rank = |e: ExprId| match self.kind(e) {
            ExprKind::Constant(_) | ExprKind::WideConstant(_) => 1,
            ExprKind::Base(_) => 2,
            _ => 0,
        };
        let key = |e: ExprId| (rank(e), self.structural_hash(e), e);
        if key(a) <= key(b) { (a, b) } else { (b, a) }
    }

    /// All bits inverted.
    #[inline]
    pub fn not(&mut self, a: ExprId) -> ExprId {
        self.build(ExprKind::Not(a), self.width(a))
    }

    /// Zero minus the operand.
    pub fn neg(&mut self, a: ExprId) -> ExprId {
        let zero = self.constant(0, self.width(a));
        self.binary(BinaryOp::Sub, zero, a)
    }

    /// The sum.
    pub fn add(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(BinaryOp::Add, a, b)
    }

    /// The difference.
    pub fn sub(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(BinaryOp::Sub, a, b)
    }

    /// The conjunction, bit by bit.
    pub fn and(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(BinaryOp::And, a, b)
    }

    /// The disjunction, bit by bit.
    pub fn or(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.binary(BinaryOp::Or, a, b)
    }

    /// Zeros on the left up to `width`.
    #[inline]
    pub fn zext(&mut self, a: ExprId, width: u32) -> ExprId {
        debug_assert!(width >= self.width(a) && width <= 128);
        if width == self.width(a) { a } else { self.build(ExprKind::ZeroExtend(a), width) }
    }

    /// Copies of the sign bit on the left up to `width`.
    #[inline]
    pub fn sext(&mut self, a: ExprId, width: u32) -> ExprId {
        debug_assert!(width >= self.width(a) && width <= 128);
        if width == self.width(a) { a } else { self.build(ExprKind::SignExtend(a), width) }
    }

    /// The lowest `width` bits.
    pub fn trunc(&mut self, a: ExprId, width: u32) -> ExprId {
        self.extract(a, 0, width)
    }

    /// `width` bits from bit `low` on.
    #[inline]
    pub fn extract(&mut self, a: ExprId, low: u32, width: u32) -> ExprId {
        debug_assert!(width >= 1 && low + width <= self.width(a), "bits {low}+{width} of {}", self.width(a));
        if width == self.width(a) { a } else { self.build(ExprKind::Extract { of: a, low }, width) }
    }

    /// The bits of `high` above those of `low`.
    #[inline]
    pub fn concat(&mut self, high: ExprId, low: ExprId) -> ExprId {
        let width = self.width(high) + self.width(low);
        debug_assert!(width <= 128, "concatenation of {width} bits");
        self.build(ExprKind::Concat(high, low), width)
    }

    /// `then` where the condition (of width 1) is one, `els` where it is zero.
    #[inline]
    pub fn ite(&mut self, cond: ExprId, then: ExprId, els: ExprId) -> ExprId {
        debug_assert!(self.width(cond) == 1 && self.width(then) == self.width(els));
        self.build(ExprKind::Ite(cond, then, els), self.width(then))
    }

    /// The base address and the 64-bit offset, if the expression is a base or a base plus something.
    pub fn split_base(&mut self, e: ExprId) -> Option<(u64, ExprId)> {
        let (address, offset) = self.based(e)?;
        let offset = match offset {
            Some(offset) => offset,
            None => self.constant(0, 64),
        };
        Some((address, offset))
    }

    /// As [`Exprs::split_base`], without an offset for the base itself. The arena keeps a base on the right of the
    /// outermost sum.
    pub(crate) fn based(&self, e: ExprId) -> Option<(u64, Option<ExprId>)> {
        match *self.kind(e) {
            ExprKind::Base(address) => Some((address, None)),
            ExprKind::Binary(BinaryOp::Add, offset, base) => match *self.kind(base) {
                ExprKind::Base(address) => Some((address, Some(offset))),
                _ => None,
            },
            _ => None,
        }
    }
}
