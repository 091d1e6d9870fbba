//! Sorts and rounding modes as plain data: they belong to no manager, so that they cannot be mixed up.

/// The widest bit-vector that the wrapper makes; wider ones could only come from a mistake, and would eat up the
/// memory.
pub const MAXIMUM_WIDTH: u32 = 65_536;

/// The sort of a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sort {
    /// True or false.
    Boolean,
    /// A bit-vector of so many bits.
    BitVector(u32),
    /// An array from bit-vectors to bit-vectors.
    Array {
        /// The width of an index.
        index: u32,
        /// The width of an element.
        element: u32,
    },
    /// A floating-point number as IEEE 754 has them.
    Float {
        /// The number of bits of the exponent.
        exponent: u32,
        /// The number of bits of the significand, with the hidden bit counted: 24 for C's `float`.
        significand: u32,
    },
    /// The sort of rounding modes.
    RoundingMode,
}

impl Sort {
    /// Whether Bitwuzla has such a sort, within the bounds of the wrapper.
    pub(crate) fn is_possible(self) -> bool {
        let wide = 1..=MAXIMUM_WIDTH;
        match self {
            Sort::Boolean | Sort::RoundingMode => true,
            Sort::BitVector(width) => wide.contains(&width),
            Sort::Array { index, element } => wide.contains(&index) && wide.contains(&element),
            // Bitwuzla holds exponents in machine words, and needs two bits of each part.
            Sort::Float { exponent, significand } => {
                (2..=30).contains(&exponent) && (2..=MAXIMUM_WIDTH).contains(&significand)
            }
        }
    }
}

/// How the result of a floating-point operation is rounded. The numbers are those of Bitwuzla's C interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(i32)]
pub enum RoundingMode {
    /// To the nearest, to the even one of two neighbours: C's default.
    NearestEven = 0,
    /// To the nearest, away from zero between two neighbours.
    NearestAway = 1,
    /// Toward minus infinity.
    TowardNegative = 2,
    /// Toward plus infinity.
    TowardPositive = 3,
    /// Toward zero.
    TowardZero = 4,
}
