//! The operations that terms are made of. Their meaning is that of SMT-LIB.

/// Declares the kinds with their numbers in Bitwuzla's C interface, and the names by which a test can check the
/// numbers.
macro_rules! kinds {
    ($($(#[doc = $doc:literal])* $name:ident = $number:literal, $c_name:literal;)*) => {
        /// The operation of a term.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(i32)]
        pub enum Kind {
            $($(#[doc = $doc])* $name = $number,)*
        }

        #[cfg(test)]
        const NAMES: &[(Kind, &str)] = &[$((Kind::$name, $c_name),)*];
    };
}

kinds! {
    /// Conjunction of Booleans.
    And = 4, "AND";
    /// Pairwise inequality.
    Distinct = 5, "DISTINCT";
    /// Equality of terms of one sort.
    Equal = 6, "EQUAL";
    /// Implication.
    Implies = 8, "IMPLIES";
    /// Negation of a Boolean.
    Not = 9, "NOT";
    /// Disjunction of Booleans.
    Or = 10, "OR";
    /// Exclusive disjunction of Booleans.
    Xor = 11, "XOR";
    /// A Boolean condition, then one of two terms of one sort.
    Ite = 12, "ITE";
    /// The element of an array at an index.
    ArraySelect = 17, "SELECT";
    /// An array with the element at an index replaced.
    ArrayStore = 18, "STORE";
    /// Sum.
    BvAdd = 19, "BV_ADD";
    /// Bitwise and.
    BvAnd = 20, "BV_AND";
    /// Arithmetic shift to the right.
    BvAshr = 21, "BV_ASHR";
    /// Equality as one bit.
    BvComp = 22, "BV_COMP";
    /// Concatenation, the high part first.
    BvConcat = 23, "BV_CONCAT";
    /// Minus one.
    BvDec = 24, "BV_DEC";
    /// Plus one.
    BvInc = 25, "BV_INC";
    /// Product.
    BvMul = 26, "BV_MUL";
    /// Bitwise not-and.
    BvNand = 27, "BV_NAND";
    /// Negation in two's complement.
    BvNeg = 28, "BV_NEG";
    /// Whether the negation overflows.
    BvNegOverflow = 29, "BV_NEGO";
    /// Bitwise not-or.
    BvNor = 30, "BV_NOR";
    /// Bitwise not.
    BvNot = 31, "BV_NOT";
    /// Bitwise or.
    BvOr = 32, "BV_OR";
    /// One bit: are all bits set?
    BvRedand = 33, "BV_REDAND";
    /// One bit: is any bit set?
    BvRedor = 34, "BV_REDOR";
    /// One bit: the parity.
    BvRedxor = 35, "BV_REDXOR";
    /// Rotation to the left by a term.
    BvRol = 36, "BV_ROL";
    /// Rotation to the right by a term.
    BvRor = 37, "BV_ROR";
    /// Whether the signed sum overflows.
    BvSaddOverflow = 38, "BV_SADDO";
    /// Whether the signed quotient overflows.
    BvSdivOverflow = 39, "BV_SDIVO";
    /// Signed quotient, truncated; by zero: one for a negative dividend, else all ones.
    BvSdiv = 40, "BV_SDIV";
    /// Signed at least.
    BvSge = 41, "BV_SGE";
    /// Signed greater.
    BvSgt = 42, "BV_SGT";
    /// Shift to the left.
    BvShl = 43, "BV_SHL";
    /// Logical shift to the right.
    BvShr = 44, "BV_SHR";
    /// Signed at most.
    BvSle = 45, "BV_SLE";
    /// Signed less.
    BvSlt = 46, "BV_SLT";
    /// Signed remainder with the sign of the divisor.
    BvSmod = 47, "BV_SMOD";
    /// Whether the signed product overflows.
    BvSmulOverflow = 48, "BV_SMULO";
    /// Signed remainder with the sign of the dividend.
    BvSrem = 49, "BV_SREM";
    /// Whether the signed difference overflows.
    BvSsubOverflow = 50, "BV_SSUBO";
    /// Difference.
    BvSub = 51, "BV_SUB";
    /// Whether the unsigned sum overflows.
    BvUaddOverflow = 52, "BV_UADDO";
    /// Unsigned quotient; by zero: all ones.
    BvUdiv = 53, "BV_UDIV";
    /// Unsigned at least.
    BvUge = 54, "BV_UGE";
    /// Unsigned greater.
    BvUgt = 55, "BV_UGT";
    /// Unsigned at most.
    BvUle = 56, "BV_ULE";
    /// Unsigned less.
    BvUlt = 57, "BV_ULT";
    /// Whether the unsigned product overflows.
    BvUmulOverflow = 58, "BV_UMULO";
    /// Unsigned remainder; by zero: the dividend.
    BvUrem = 59, "BV_UREM";
    /// Whether the unsigned difference overflows.
    BvUsubOverflow = 60, "BV_USUBO";
    /// Bitwise equality.
    BvXnor = 61, "BV_XNOR";
    /// Bitwise exclusive or.
    BvXor = 62, "BV_XOR";
    /// Bits of a term; indices: the highest and the lowest bit, both included.
    BvExtract = 63, "BV_EXTRACT";
    /// Copies side by side; index: how many.
    BvRepeat = 64, "BV_REPEAT";
    /// Rotation to the left; index: by how many bits.
    BvRoli = 65, "BV_ROLI";
    /// Rotation to the right; index: by how many bits.
    BvRori = 66, "BV_RORI";
    /// Extension with the sign; index: the number of bits added.
    BvSignExtend = 67, "BV_SIGN_EXTEND";
    /// Extension with zeros; index: the number of bits added.
    BvZeroExtend = 68, "BV_ZERO_EXTEND";
    /// Absolute value.
    FpAbs = 69, "FP_ABS";
    /// Sum; the rounding mode comes first.
    FpAdd = 70, "FP_ADD";
    /// Quotient; the rounding mode comes first.
    FpDiv = 71, "FP_DIV";
    /// IEEE equality: no NaN equals anything, and both zeros are equal.
    FpEqual = 72, "FP_EQUAL";
    /// Product of two plus a third, rounded once; the rounding mode comes first.
    FpFma = 73, "FP_FMA";
    /// A number from three bit-vectors: sign, exponent, significand without the hidden bit.
    FpFp = 74, "FP_FP";
    /// IEEE at least.
    FpGeq = 75, "FP_GEQ";
    /// IEEE greater.
    FpGt = 76, "FP_GT";
    /// Whether it is infinite.
    FpIsInf = 77, "FP_IS_INF";
    /// Whether it is not a number.
    FpIsNan = 78, "FP_IS_NAN";
    /// Whether it is negative (minus zero is, NaN is not).
    FpIsNeg = 79, "FP_IS_NEG";
    /// Whether it is normal.
    FpIsNormal = 80, "FP_IS_NORMAL";
    /// Whether it is positive (plus zero is, NaN is not).
    FpIsPos = 81, "FP_IS_POS";
    /// Whether it is subnormal.
    FpIsSubnormal = 82, "FP_IS_SUBNORMAL";
    /// Whether it is plus or minus zero.
    FpIsZero = 83, "FP_IS_ZERO";
    /// IEEE at most.
    FpLeq = 84, "FP_LEQ";
    /// IEEE less.
    FpLt = 85, "FP_LT";
    /// The greater one; NaN loses against a number.
    FpMax = 86, "FP_MAX";
    /// The lesser one; NaN loses against a number.
    FpMin = 87, "FP_MIN";
    /// Product; the rounding mode comes first.
    FpMul = 88, "FP_MUL";
    /// Negation.
    FpNeg = 89, "FP_NEG";
    /// IEEE remainder, with the quotient rounded to nearest even.
    FpRem = 90, "FP_REM";
    /// Rounding to an integer; the rounding mode comes first.
    FpRti = 91, "FP_RTI";
    /// Square root; the rounding mode comes first.
    FpSqrt = 92, "FP_SQRT";
    /// Difference; the rounding mode comes first.
    FpSub = 93, "FP_SUB";
    /// A number from its IEEE bits; indices: widths of exponent and significand.
    FpToFpFromBv = 94, "FP_TO_FP_FROM_BV";
    /// A number from one of another format; rounding mode first; indices: widths of exponent and significand.
    FpToFpFromFp = 95, "FP_TO_FP_FROM_FP";
    /// A number from a signed integer; rounding mode first; indices: widths of exponent and significand.
    FpToFpFromSbv = 96, "FP_TO_FP_FROM_SBV";
    /// A number from an unsigned integer; rounding mode first; indices: widths of exponent and significand.
    FpToFpFromUbv = 97, "FP_TO_FP_FROM_UBV";
    /// A signed integer from a number; rounding mode first; index: its width. Anything when out of range.
    FpToSbv = 98, "FP_TO_SBV";
    /// An unsigned integer from a number; rounding mode first; index: its width. Anything when out of range.
    FpToUbv = 99, "FP_TO_UBV";
}

#[cfg(test)]
mod tests {
    use super::NAMES;
    use crate::ffi;

    #[test]
    fn numbers_are_those_of_the_library() {
        for &(kind, name) in NAMES {
            // SAFETY: the number is below that of kinds, and the string is copied before the next call.
            let text = unsafe { ffi::copy_string(ffi::bitwuzla_kind_to_string(kind as i32)) };
            assert_eq!(text.trim_start_matches("BITWUZLA_KIND_"), name);
        }
    }
}
