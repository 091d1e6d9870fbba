//! What an expression node is: identifiers, operators and the node itself. Nothing here allocates or rewrites.

/// An expression of an [`Exprs`](crate::Exprs) arena. Operands always have smaller ids than the expression that uses
/// them.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ExprId(pub(crate) u32);

/// An input of the program: a named bit-vector of unknown value.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SymbolId(pub(crate) u32);

/// A hash-consed array of bytes with 64-bit indices.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ArrayId(pub(crate) u32);

/// An interned set of symbols: equal sets have equal ids within one arena.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SymbolSetId(pub(crate) u32);

/// The place of a constant wider than 64 bits in the arena's table.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct WideId(pub(crate) u32);

macro_rules! index {
    ($($name:ident),*) => { $(
        impl $name {
            /// The dense index, for side tables of analyses.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )* };
}
index!(ExprId, SymbolId, ArrayId, SymbolSetId, WideId);

/// How a symbol came to be; only printing depends on it.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum SymbolKind {
    /// A signed integer.
    Signed,
    /// An unsigned integer.
    Unsigned,
    /// A character, compared with character literals.
    Char,
    /// A truth value.
    Bool,
    /// An address.
    Pointer,
    /// The bits of a floating-point number.
    Float(FloatFormat),
    /// Bytes without a known type.
    Bytes,
}

/// A symbol's name, width and kind.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Symbol {
    /// The name of the input in the source, such as `a` or `s[0]`.
    pub name: String,
    /// The width in bits, 1 to 128.
    pub width: u32,
    /// What it stands for.
    pub kind: SymbolKind,
}

/// A binary interchange format, held as its bits.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum FloatFormat {
    /// IEEE binary16.
    Half,
    /// The upper half of a binary32.
    BFloat,
    /// IEEE binary32.
    Single,
    /// IEEE binary64.
    Double,
    /// The 80-bit format of the x87 unit, with an explicit integer bit.
    X87,
    /// IEEE binary128.
    Quad,
}

impl FloatFormat {
    /// The width in bits.
    pub fn width(self) -> u32 {
        match self {
            FloatFormat::Half | FloatFormat::BFloat => 16,
            FloatFormat::Single => 32,
            FloatFormat::Double => 64,
            FloatFormat::X87 => 80,
            FloatFormat::Quad => 128,
        }
    }

    /// The width of the exponent field.
    pub fn exponent_bits(self) -> u32 {
        match self {
            FloatFormat::Half => 5,
            FloatFormat::BFloat | FloatFormat::Single => 8,
            FloatFormat::Double => 11,
            FloatFormat::X87 | FloatFormat::Quad => 15,
        }
    }

    /// The width of the stored significand, which for [`FloatFormat::X87`] includes the integer bit.
    pub fn significand_bits(self) -> u32 {
        self.width() - 1 - self.exponent_bits()
    }

    /// The significant digits, the integer bit included.
    pub fn precision(self) -> u32 {
        match self {
            FloatFormat::X87 => 64,
            _ => self.significand_bits() + 1,
        }
    }
}

/// Operations on two bit-vectors of one width, with the meaning of SMT-LIB: `x / 0` has all bits set, `x % 0` is `x`,
/// and a shift by the width or more leaves zeros (or sign bits for [`BinaryOp::AShr`]).
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    Shl,
    LShr,
    AShr,
    And,
    Or,
    Xor,
}

impl BinaryOp {
    /// All operators, in order.
    pub const ALL: [BinaryOp; 13] = [
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Mul,
        BinaryOp::UDiv,
        BinaryOp::SDiv,
        BinaryOp::URem,
        BinaryOp::SRem,
        BinaryOp::Shl,
        BinaryOp::LShr,
        BinaryOp::AShr,
        BinaryOp::And,
        BinaryOp::Or,
        BinaryOp::Xor,
    ];

    /// Whether the operands may be exchanged.
    #[inline]
    pub fn is_commutative(self) -> bool {
        matches!(self, BinaryOp::Add | BinaryOp::Mul | BinaryOp::And | BinaryOp::Or | BinaryOp::Xor)
    }
}

/// The comparisons of the program. The arena reduces them to a [`Relation`] and a negation.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum CompareOp {
    Eq,
    Ne,
    Ult,
    Ule,
    Ugt,
    Uge,
    Slt,
    Sle,
    Sgt,
    Sge,
}

impl CompareOp {
    /// All comparisons, in order.
    pub const ALL: [CompareOp; 10] = [
        CompareOp::Eq,
        CompareOp::Ne,
        CompareOp::Ult,
        CompareOp::Ule,
        CompareOp::Ugt,
        CompareOp::Uge,
        CompareOp::Slt,
        CompareOp::Sle,
        CompareOp::Sgt,
        CompareOp::Sge,
    ];
}

/// The comparisons that occur in nodes: the others are these with operands exchanged or negated.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Relation {
    /// Equal bits.
    Eq,
    /// Less, both operands unsigned.
    Ult,
    /// Less, both operands in two's complement.
    Slt,
}

/// Float operations on two operands, rounding to nearest, ties to even.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum FloatBinary {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Quotient.
    Div,
    /// C's `fmod`: the exact remainder of the truncated quotient.
    Rem,
    /// C's `fmin`. Never in a node: the arena makes it of comparisons.
    Min,
    /// C's `fmax`. Never in a node: the arena makes it of comparisons.
    Max,
}

/// Float operations on one operand.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum FloatUnary {
    /// Square root, to nearest even.
    Sqrt,
    /// To an integral value, downward.
    Floor,
    /// To an integral value, upward.
    Ceil,
    /// To an integral value, toward zero.
    Trunc,
    /// To the nearest integral value, ties to even: `rint`, `nearbyint`.
    RoundEven,
    /// To the nearest integral value, ties away from zero: `round`.
    RoundAway,
}

/// A function of math.h that only the C library of this machine computes; equal arguments give equal results.
pub use incise_libm::Function as MathFunction;

/// Float comparisons; all but the last two are false if an operand is not a number.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum FloatCompare {
    /// Equal; the two zeros are.
    Eq,
    /// Less.
    Lt,
    /// Less or equal.
    Le,
    /// At least one operand is not a number.
    Unordered,
    /// The same number, zeros of different signs being different, or both not a number.
    Same,
}

/// An expression node. The width of the result is kept beside it, see [`Exprs::width`](crate::Exprs::width).
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum ExprKind {
    /// A constant of at most 64 bits.
    Constant(u64),
    /// A constant of 65 to 128 bits; [`Exprs::as_constant`](crate::Exprs::as_constant) gives the value of either.
    WideConstant(WideId),
    /// The address of an object: a 64-bit constant that folding leaves alone.
    Base(u64),
    /// An input.
    Symbol(SymbolId),
    /// An operation on two operands of the width of the result.
    Binary(BinaryOp, ExprId, ExprId),
    /// A comparison of two operands of equal width; the result has width 1.
    Compare(Relation, ExprId, ExprId),
    /// All bits inverted.
    Not(ExprId),
    /// Zeros on the left up to the width of the node.
    ZeroExtend(ExprId),
    /// Copies of the sign bit on the left up to the width of the node.
    SignExtend(ExprId),
    /// As many bits as the node is wide, from bit `low` on.
    Extract {
        /// The wider operand.
        of: ExprId,
        /// The lowest bit taken.
        low: u32,
    },
    /// The first operand's bits above the second's.
    Concat(ExprId, ExprId),
    /// The second operand if the first (of width 1) is one, else the third.
    Ite(ExprId, ExprId, ExprId),
    /// The byte of an array at a 64-bit index.
    Select(ArrayId, ExprId),
    /// A float operation on two operands; never `Min` nor `Max`.
    FloatBinary(FloatBinary, FloatFormat, ExprId, ExprId),
    /// A float operation on one operand.
    FloatUnary(FloatUnary, FloatFormat, ExprId),
    /// First times second plus third, rounded once. Of several operands that are not numbers the result is the first:
    /// the factors are in the order in which the processor looks at them.
    FloatFma(FloatFormat, ExprId, ExprId, ExprId),
    /// A float comparison; the result has width 1.
    FloatCompare(FloatCompare, FloatFormat, ExprId, ExprId),
    /// From one format to another, to nearest even.
    FloatToFloat {
        /// The operand's format.
        from: FloatFormat,
        /// The result's format.
        to: FloatFormat,
        /// The operand.
        of: ExprId,
    },
    /// Toward zero, to an integer of the width of the node; see
    /// [`concrete::float_to_int`](crate::concrete::float_to_int).
    FloatToInt {
        /// The operand's format.
        from: FloatFormat,
        /// Whether the integer is signed.
        signed: bool,
        /// The operand.
        of: ExprId,
    },
    /// From an integer, to nearest even.
    IntToFloat {
        /// Whether the integer is signed.
        signed: bool,
        /// The result's format.
        to: FloatFormat,
        /// The operand.
        of: ExprId,
    },
    /// A function of the C library, of singles or doubles. If it takes one argument, both operands are that one.
    Math(MathFunction, FloatFormat, ExprId, ExprId),
}

impl ExprKind {
    /// The operands that are expressions, in order. The index of a [`ExprKind::Select`] is one, the array's parts are
    /// not.
    #[inline]
    pub fn operands(&self) -> Operands {
        let none = ExprId(u32::MAX);
        let (list, count) = match *self {
            ExprKind::Constant(_) | ExprKind::WideConstant(_) | ExprKind::Base(_) | ExprKind::Symbol(_) => {
                ([none; 3], 0)
            }
            ExprKind::Binary(_, a, b) | ExprKind::Compare(_, a, b) | ExprKind::Concat(a, b) => {
                ([a, b, none], 2)
            }
            ExprKind::FloatBinary(_, _, a, b) | ExprKind::FloatCompare(_, _, a, b) => ([a, b, none], 2),
            ExprKind::Not(a) | ExprKind::ZeroExtend(a) | ExprKind::SignExtend(a) => ([a, none, none], 1),
            ExprKind::Extract { of, .. }
            | ExprKind::FloatUnary(_, _, of)
            | ExprKind::FloatToFloat { of, .. } => ([of, none, none], 1),
            ExprKind::FloatToInt { of, .. } | ExprKind::IntToFloat { of, .. } => ([of, none, none], 1),
            ExprKind::Ite(a, b, c) | ExprKind::FloatFma(_, a, b, c) => ([a, b, c], 3),
            ExprKind::Select(_, index) => ([index, none, none], 1),
            ExprKind::Math(function, _, a, b) => ([a, b, none], function.arity() as u8),
        };
        Operands { list, count }
    }
}

/// Up to three operands, without an allocation. Dereferences to a slice.
#[derive(Copy, Clone, Debug)]
pub struct Operands {
    list: [ExprId; 3],
    count: u8,
}

impl std::ops::Deref for Operands {
    type Target = [ExprId];

    #[inline]
    fn deref(&self) -> &[ExprId] {
        &self.list[..self.count as usize]
    }
}

/// What a byte array is made of. Reading past the end of `Bytes` and `Cells` gives zero.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum ArrayKind<'a> {
    /// Constant bytes.
    Bytes(&'a [u8]),
    /// Expressions of width 8.
    Cells(&'a [ExprId]),
    /// Another array with one byte replaced.
    Store {
        /// The array before.
        array: ArrayId,
        /// The 64-bit index written.
        index: ExprId,
        /// The byte written.
        value: ExprId,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_is_small() {
        assert_eq!(std::mem::size_of::<ExprKind>(), 16);
    }
}
