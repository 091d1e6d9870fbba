//! Circuits for words: additions, comparisons, multiplications, shifts. A word is a slice of bits, the lowest
//! first; operands of one operation have equal, non-zero length. Division has its own file.

use super::gates::{Bit, Gates};

/// The bits of a constant.
pub(super) fn constant(value: u128, width: usize) -> Vec<Bit> {
    (0..width).map(|position| Bit::constant(value >> position & 1 == 1)).collect()
}

/// The value of a word all of whose bits are constants.
pub(super) fn as_constant(word: &[Bit]) -> Option<u128> {
    let mut value = 0;
    for (position, bit) in word.iter().enumerate() {
        value |= u128::from(bit.as_constant()?) << position;
    }
    Some(value)
}

pub(super) fn complement(word: &[Bit]) -> Vec<Bit> {
    word.iter().map(|bit| !*bit).collect()
}

/// The bit of the sign. Words are never empty.
pub(super) fn sign(word: &[Bit]) -> Bit {
    word.last().copied().unwrap_or(Bit::FALSE)
}

/// The sum with a carry into the lowest bit, and the carry out of the highest.
pub(super) fn add(gates: &mut Gates, a: &[Bit], b: &[Bit], carry: Bit) -> (Vec<Bit>, Bit) {
    let mut carry = carry;
    let mut sum = Vec::with_capacity(a.len());
    for (&x, &y) in a.iter().zip(b) {
        let half = gates.xor(x, y);
        sum.push(gates.xor(half, carry));
        carry = gates.majority(x, y, carry);
    }
    (sum, carry)
}

pub(super) fn subtract(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> Vec<Bit> {
    add(gates, a, &complement(b), Bit::TRUE).0
}

pub(super) fn negate(gates: &mut Gates, word: &[Bit]) -> Vec<Bit> {
    let zero = constant(0, word.len());
    subtract(gates, &zero, word)
}

pub(super) fn mux(gates: &mut Gates, condition: Bit, then: &[Bit], otherwise: &[Bit]) -> Vec<Bit> {
    then.iter().zip(otherwise).map(|(&x, &y)| gates.mux(condition, x, y)).collect()
}

/// The absolute value in two's complement, as an unsigned word.
pub(super) fn magnitude(gates: &mut Gates, word: &[Bit]) -> Vec<Bit> {
    let negative = negate(gates, word);
    mux(gates, sign(word), &negative, word)
}

pub(super) fn less_unsigned(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> Bit {
    // From the lowest bit up: the highest difference decides, and on equal bits the lower ones do.
    a.iter().zip(b).fold(Bit::FALSE, |less, (&x, &y)| gates.majority(!x, y, less))
}

pub(super) fn less_signed(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> Bit {
    less_unsigned(gates, &flip_sign(a), &flip_sign(b))
}

/// Maps the order of two's complement to that of unsigned words.
fn flip_sign(word: &[Bit]) -> Vec<Bit> {
    let mut word = word.to_vec();
    if let Some(sign) = word.last_mut() {
        *sign = !*sign;
    }
    word
}

pub(super) fn equal(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> Bit {
    let mut same: Vec<Bit> = a.iter().zip(b).map(|(&x, &y)| !gates.xor(x, y)).collect();
    conjunction(gates, &mut same)
}

/// All of the bits, as a balanced tree. The list is used up.
pub(super) fn conjunction(gates: &mut Gates, bits: &mut Vec<Bit>) -> Bit {
    while bits.len() > 1 {
        let half = bits.len().div_ceil(2);
        for position in 0..half {
            bits[position] = match bits.get(2 * position + 1) {
                Some(&second) => gates.and(bits[2 * position], second),
                None => bits[2 * position],
            };
        }
        bits.truncate(half);
    }
    bits.first().copied().unwrap_or(Bit::TRUE)
}

pub(super) fn multiply(gates: &mut Gates, a: &[Bit], b: &[Bit]) -> Vec<Bit> {
    if let Some(factor) = as_constant(b) {
        return multiply_constant(gates, a, factor);
    }
    if let Some(factor) = as_constant(a) {
        return multiply_constant(gates, b, factor);
    }
    // One row for each bit of the multiplier that can be set, so the word with more zeros is the multiplier.
    let zeros = |word: &[Bit]| word.iter().filter(|bit| **bit == Bit::FALSE).count();
    let (word, multiplier) = if zeros(a) > zeros(b) { (b, a) } else { (a, b) };
    let width = word.len();
    let mut product = constant(0, width);
    for (position, &bit) in multiplier.iter().enumerate() {
        if bit != Bit::FALSE {
            let row: Vec<Bit> = word[..width - position].iter().map(|&x| gates.and(x, bit)).collect();
            let sum = add(gates, &product[position..], &row, Bit::FALSE).0;
            product[position..].copy_from_slice(&sum);
        }
    }
    product
}

/// Sums and differences of shifted words by the non-adjacent form of the factor, which has the fewest digits
/// that are not zero.
fn multiply_constant(gates: &mut Gates, word: &[Bit], factor: u128) -> Vec<Bit> {
    let width = word.len();
    let mut product = constant(0, width);
    let mut rest = factor;
    let mut position = 0;
    while rest != 0 && position < width {
        if rest & 1 == 1 {
            let mut shifted = constant(0, position);
            shifted.extend_from_slice(&word[..width - position]);
            if rest & 3 == 3 {
                product = subtract(gates, &product, &shifted);
                // May wrap around to zero, where only digits beyond the width are left.
                rest = rest.wrapping_add(1);
                if rest == 0 {
                    break;
                }
            } else {
                product = add(gates, &product, &shifted, Bit::FALSE).0;
                rest -= 1;
            }
        }
        rest >>= 1;
        position += 1;
    }
    product
}

/// The direction of a shift and what comes in.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Shift {
    Left,
    Right,
    /// To the right, with copies of the sign.
    RightSigned,
}

pub(super) fn shift(gates: &mut Gates, direction: Shift, word: &[Bit], amount: &[Bit]) -> Vec<Bit> {
    let width = word.len();
    let fill = if direction == Shift::RightSigned { sign(word) } else { Bit::FALSE };
    let mut result = word.to_vec();
    let mut past_width = Bit::FALSE;
    for (position, &bit) in amount.iter().enumerate() {
        let distance = 1usize.checked_shl(position as u32).filter(|distance| *distance < width);
        match distance {
            Some(distance) => {
                let shifted: Vec<Bit> = (0..width)
                    .map(|target| {
                        let source = match direction {
                            Shift::Left => target.checked_sub(distance),
                            _ => Some(target + distance),
                        };
                        source.and_then(|source| result.get(source).copied()).unwrap_or(fill)
                    })
                    .collect();
                result = mux(gates, bit, &shifted, &result);
            }
            None => past_width = gates.or(past_width, bit),
        }
    }
    mux(gates, past_width, &vec![fill; width], &result)
}
