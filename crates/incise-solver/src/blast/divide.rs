//! Circuits for division and remainder by restoring long division, with SMT-LIB's results for a zero divisor:
//! all ones, and the dividend.

use super::gates::{Bit, Gates};
use super::words;
use rustc_hash::FxHashMap;

/// Quotient and remainder.
type Division = (Vec<Bit>, Vec<Bit>);

/// The divisions made so far, so that `a / b` and `a % b` are one circuit.
#[derive(Default)]
pub(super) struct Divisions {
    known: FxHashMap<(Vec<Bit>, Vec<Bit>), Division>,
}

impl Divisions {
    pub(super) fn unsigned(&mut self, gates: &mut Gates, dividend: &[Bit], divisor: &[Bit]) -> Division {
        let key = (dividend.to_vec(), divisor.to_vec());
        if let Some(division) = self.known.get(&key) {
            return division.clone();
        }
        let division = divide(gates, dividend, divisor);
        self.known.insert(key, division.clone());
        division
    }

    /// Rounds toward zero; the remainder has the sign of the dividend. The unsigned results for zero come out
    /// right for signed operands too: one or minus one as the quotient, the dividend as the remainder.
    pub(super) fn signed(&mut self, gates: &mut Gates, dividend: &[Bit], divisor: &[Bit]) -> Division {
        let (a, b) = (words::magnitude(gates, dividend), words::magnitude(gates, divisor));
        let (quotient, remainder) = self.unsigned(gates, &a, &b);
        let (sign_a, sign_b) = (words::sign(dividend), words::sign(divisor));
        let differ = gates.xor(sign_a, sign_b);
        let negative_quotient = words::negate(gates, &quotient);
        let negative_remainder = words::negate(gates, &remainder);
        (
            words::mux(gates, differ, &negative_quotient, &quotient),
            words::mux(gates, sign_a, &negative_remainder, &remainder),
        )
    }
}

fn divide(gates: &mut Gates, dividend: &[Bit], divisor: &[Bit]) -> Division {
    let width = dividend.len();
    let remainder_width = match words::as_constant(divisor) {
        Some(value) if value != 0 => (u128::BITS - value.leading_zeros()) as usize,
        _ => width,
    };
    let mut quotient = words::constant(0, width);
    let mut remainder = words::constant(0, width);
    let mut negated_divisor = words::complement(divisor);
    negated_divisor.push(Bit::TRUE);
    for position in (0..width).rev() {
        let mut shifted = Vec::with_capacity(width + 1);
        shifted.push(dividend[position]);
        shifted.extend_from_slice(&remainder);
        let (difference, fits) = words::add(gates, &shifted, &negated_divisor, Bit::TRUE);
        quotient[position] = fits;
        remainder = words::mux(gates, fits, &difference[..width], &shifted[..width]);
        // The remainder is less than a constant divisor, which the gates do not see by themselves.
        remainder[remainder_width..].fill(Bit::FALSE);
    }
    (quotient, remainder)
}
