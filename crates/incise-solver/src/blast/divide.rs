//! Circuits for division and remainder by restoring long division, with SMT-LIB's results for a zero divisor:
//! all ones, and the dividend. Where division is only to be told loosely, no more than these is known of it: what comes
//! out if the quotient is none, zero or one, and that a remainder is less than the divisor.

use super::gates::{Bit, Gates};
use super::words;
use rustc_hash::FxHashMap;

/// Quotient and remainder.
type Division = (Vec<Bit>, Vec<Bit>);

/// The divisions made so far, so that `a / b` and `a % b` are one circuit.
#[derive(Default)]
pub(super) struct Divisions {
    known: FxHashMap<(Vec<Bit>, Vec<Bit>), Division>,
    /// Whether the next divisions are told loosely.
    pub(super) loosely: bool,
}

impl Divisions {
    pub(super) fn unsigned(&mut self, gates: &mut Gates, dividend: &[Bit], divisor: &[Bit]) -> Division {
        let key = (dividend.to_vec(), divisor.to_vec());
        if let Some(division) = self.known.get(&key) {
            return division.clone();
        }
        let division = match self.loosely {
            true => divide_loosely(gates, dividend, divisor),
            false => divide(gates, dividend, divisor),
        };
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

/// Quotient and remainder as unknowns of which only a little is told: every division is among what they can be.
fn divide_loosely(gates: &mut Gates, dividend: &[Bit], divisor: &[Bit]) -> Division {
    let width = dividend.len();
    let (zero, one, ones) =
        (words::constant(0, width), words::constant(1, width), words::constant(u128::MAX, width));
    let quotient: Vec<Bit> = (0..width).map(|_| gates.input()).collect();
    let any: Vec<Bit> = (0..width).map(|_| gates.input()).collect();
    let inside = words::less_unsigned(gates, &any, divisor);
    let remainder = words::mux(gates, inside, &any, &zero);
    // Once: the dividend is at least the divisor, and what is left is less.
    let left = words::subtract(gates, dividend, divisor);
    let once = words::less_unsigned(gates, &left, divisor);
    let (quotient, remainder) =
        (words::mux(gates, once, &one, &quotient), words::mux(gates, once, &left, &remainder));
    let less = words::less_unsigned(gates, dividend, divisor);
    let (quotient, remainder) =
        (words::mux(gates, less, &zero, &quotient), words::mux(gates, less, dividend, &remainder));
    let by_zero = words::equal(gates, divisor, &zero);
    (words::mux(gates, by_zero, &ones, &quotient), words::mux(gates, by_zero, dividend, &remainder))
}

/// A product as an unknown of which only is told what nothing and one make of the other factor.
pub(super) fn multiply_loosely(gates: &mut Gates, one: &[Bit], other: &[Bit]) -> Vec<Bit> {
    let width = one.len();
    let (zero, unit) = (words::constant(0, width), words::constant(1, width));
    let mut product: Vec<Bit> = (0..width).map(|_| gates.input()).collect();
    for (factor, left) in [(one, other), (other, one)] {
        let is_one = words::equal(gates, factor, &unit);
        product = words::mux(gates, is_one, left, &product);
    }
    for factor in [one, other] {
        let is_zero = words::equal(gates, factor, &zero);
        product = words::mux(gates, is_zero, &zero, &product);
    }
    product
}
