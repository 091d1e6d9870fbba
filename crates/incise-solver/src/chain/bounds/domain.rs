//! Intervals: the least and the greatest value of an expression, and what operations make of them.

use crate::concrete::{mask, signed};
use crate::expr::{BinaryOp, Relation};

/// The least and greatest value, both unsigned and signed. No value at all if a least one exceeds its greatest.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Bounds {
    pub(super) least: u128,
    pub(super) greatest: u128,
    pub(super) least_signed: i128,
    pub(super) greatest_signed: i128,
}

impl Bounds {
    pub(super) fn all(width: u32) -> Self {
        let half = 1i128 << (width - 1);
        Bounds { least: 0, greatest: mask(width), least_signed: -half, greatest_signed: half - 1 }
    }

    pub(super) fn constant(value: u128, width: u32) -> Self {
        Bounds {
            least: value,
            greatest: value,
            least_signed: signed(value, width),
            greatest_signed: signed(value, width),
        }
    }

    pub(super) fn unsigned(least: u128, greatest: u128, width: u32) -> Self {
        Bounds { least, greatest, ..Bounds::all(width) }.tightened(width)
    }

    pub(super) fn signed(least_signed: i128, greatest_signed: i128, width: u32) -> Self {
        Bounds { least_signed, greatest_signed, ..Bounds::all(width) }.tightened(width)
    }

    pub(super) fn as_constant(&self) -> Option<u128> {
        (self.least == self.greatest).then_some(self.least)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.least > self.greatest || self.least_signed > self.greatest_signed
    }

    pub(super) fn contains(&self, value: u128, width: u32) -> bool {
        (self.least..=self.greatest).contains(&value)
            && (self.least_signed..=self.greatest_signed).contains(&signed(value, width))
    }

    /// Whether a comparison holds for all values within these bounds.
    pub(super) fn imply(&self, comparison: Comparison, width: u32) -> bool {
        if comparison.relation == Relation::Eq && !comparison.holds {
            return !self.contains(comparison.value, width);
        }
        comparison.bounds(width).is_some_and(|other| {
            self.least >= other.least
                && self.greatest <= other.greatest
                && self.least_signed >= other.least_signed
                && self.greatest_signed <= other.greatest_signed
        })
    }

    pub(super) fn intersection(self, other: Bounds, width: u32) -> Self {
        Bounds {
            least: self.least.max(other.least),
            greatest: self.greatest.min(other.greatest),
            least_signed: self.least_signed.max(other.least_signed),
            greatest_signed: self.greatest_signed.min(other.greatest_signed),
        }
        .tightened(width)
    }

    pub(super) fn union(self, other: Bounds) -> Self {
        Bounds {
            least: self.least.min(other.least),
            greatest: self.greatest.max(other.greatest),
            least_signed: self.least_signed.min(other.least_signed),
            greatest_signed: self.greatest_signed.max(other.greatest_signed),
        }
    }

    /// Lets each kind of bounds profit from the other, where all values have the same sign.
    pub(super) fn tightened(mut self, width: u32) -> Self {
        if self.is_empty() {
            return self;
        }
        let half = 1u128 << (width - 1);
        if self.greatest < half || self.least >= half {
            self.least_signed = self.least_signed.max(signed(self.least, width));
            self.greatest_signed = self.greatest_signed.min(signed(self.greatest, width));
        }
        if self.least_signed >= 0 || self.greatest_signed < 0 {
            self.least = self.least.max(self.least_signed as u128 & mask(width));
            self.greatest = self.greatest.min(self.greatest_signed as u128 & mask(width));
        }
        self
    }
}

/// A comparison of something with a constant, or the negation of one.
#[derive(Copy, Clone)]
pub(super) struct Comparison {
    pub(super) relation: Relation,
    pub(super) value: u128,
    pub(super) constant_first: bool,
    pub(super) holds: bool,
}

impl Comparison {
    /// The bounds of what is compared, if the comparison gives any.
    pub(super) fn bounds(self, width: u32) -> Option<Bounds> {
        let all = Bounds::all(width);
        let value = self.value;
        let number = signed(value, width);
        let bounds = match (self.relation, self.constant_first, self.holds) {
            (Relation::Eq, _, true) => Bounds::constant(value, width),
            (Relation::Eq, _, false) if value == 0 && width > 1 => Bounds { least: 1, ..all },
            (Relation::Eq, _, false) => return None,
            // x < value, and value <= x.
            (Relation::Ult, false, true) => Bounds { greatest: value.checked_sub(1)?, ..all },
            (Relation::Ult, false, false) => Bounds { least: value, ..all },
            // value < x, and x <= value.
            (Relation::Ult, true, true) => Bounds { least: value + 1, ..all },
            (Relation::Ult, true, false) => Bounds { greatest: value, ..all },
            (Relation::Slt, false, true) => Bounds { greatest_signed: number - 1, ..all },
            (Relation::Slt, false, false) => Bounds { least_signed: number, ..all },
            (Relation::Slt, true, true) => Bounds { least_signed: number + 1, ..all },
            (Relation::Slt, true, false) => Bounds { greatest_signed: number, ..all },
        };
        Some(bounds.tightened(width))
    }
}

/// The truth of a comparison, if it is the same for all values.
pub(super) fn compare(relation: Relation, a: Bounds, b: Bounds) -> Option<bool> {
    let disjoint = a.greatest < b.least
        || b.greatest < a.least
        || a.greatest_signed < b.least_signed
        || b.greatest_signed < a.least_signed;
    match relation {
        Relation::Eq if disjoint => Some(false),
        Relation::Eq => (a.as_constant().is_some() && a.as_constant() == b.as_constant()).then_some(true),
        Relation::Ult if a.greatest < b.least => Some(true),
        Relation::Ult if a.least >= b.greatest => Some(false),
        Relation::Slt if a.greatest_signed < b.least_signed => Some(true),
        Relation::Slt if a.least_signed >= b.greatest_signed => Some(false),
        Relation::Ult | Relation::Slt => None,
    }
}

pub(super) fn binary(op: BinaryOp, a: Bounds, b: Bounds, width: u32) -> Bounds {
    let all = Bounds::all(width);
    if a.is_empty() || b.is_empty() {
        return all;
    }
    let of_unsigned = match op {
        BinaryOp::Add => wrapped((a.least + b.least) as i128, (a.greatest + b.greatest) as i128, width),
        BinaryOp::Sub => {
            wrapped(a.least as i128 - b.greatest as i128, a.greatest as i128 - b.least as i128, width)
        }
        BinaryOp::Mul => {
            let product =
                |x: u128, y: u128| x.checked_mul(y).and_then(|product| i128::try_from(product).ok());
            match (product(a.least, b.least), product(a.greatest, b.greatest)) {
                (Some(least), Some(greatest)) => wrapped(least, greatest, width),
                _ => None,
            }
        }
        BinaryOp::UDiv if b.least > 0 => Some((a.least / b.greatest, a.greatest / b.least)),
        BinaryOp::URem if b.least > 0 => Some((0, a.greatest.min(b.greatest - 1))),
        BinaryOp::And => Some((0, a.greatest.min(b.greatest))),
        BinaryOp::Or => Some((a.least.max(b.least), ones_below(a.greatest | b.greatest))),
        BinaryOp::Xor => Some((0, ones_below(a.greatest | b.greatest))),
        BinaryOp::LShr => match b.as_constant() {
            Some(distance) if distance < width.into() => Some((a.least >> distance, a.greatest >> distance)),
            _ => Some((0, a.greatest)),
        },
        BinaryOp::Shl => match b.as_constant() {
            Some(distance) if distance < width.into() => {
                let fits = a.greatest << distance <= mask(width);
                fits.then(|| (a.least << distance, a.greatest << distance))
            }
            _ => None,
        },
        _ => None,
    };
    let of_signed = match op {
        BinaryOp::Add => Some((a.least_signed + b.least_signed, a.greatest_signed + b.greatest_signed)),
        BinaryOp::Sub => Some((a.least_signed - b.greatest_signed, a.greatest_signed - b.least_signed)),
        BinaryOp::Mul => signed_product(a, b),
        _ => None,
    };
    // A signed result that may leave the range of the width says nothing.
    let of_signed =
        of_signed.filter(|(least, greatest)| *least >= all.least_signed && *greatest <= all.greatest_signed);
    let mut bounds = all;
    if let Some((least, greatest)) = of_unsigned {
        bounds = bounds.intersection(Bounds::unsigned(least, greatest, width), width);
    }
    if let Some((least, greatest)) = of_signed {
        bounds = bounds.intersection(Bounds::signed(least, greatest, width), width);
    }
    bounds
}

fn signed_product(a: Bounds, b: Bounds) -> Option<(i128, i128)> {
    let mut least = i128::MAX;
    let mut greatest = i128::MIN;
    for x in [a.least_signed, a.greatest_signed] {
        for y in [b.least_signed, b.greatest_signed] {
            let product = x.checked_mul(y)?;
            least = least.min(product);
            greatest = greatest.max(product);
        }
    }
    Some((least, greatest))
}

/// Bounds of a sum or difference modulo a power of two: known if all values wrap around equally often.
fn wrapped(least: i128, greatest: i128, width: u32) -> Option<(u128, u128)> {
    (least >> width == greatest >> width)
        .then(|| (least as u128 & mask(width), greatest as u128 & mask(width)))
}

/// All bits set up to the highest one of a value.
fn ones_below(value: u128) -> u128 {
    if value == 0 { 0 } else { u128::MAX >> value.leading_zeros() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// For all pairs of bounds of words of three bits and all values within them: the result is within the
    /// computed bounds.
    #[test]
    fn results_are_within_their_bounds() {
        let width = 3;
        let mut every: Vec<Bounds> = Vec::new();
        for least in 0..8 {
            for greatest in least..8 {
                every.push(Bounds::unsigned(least, greatest, width));
            }
        }
        for least in -4..4 {
            for greatest in least..4 {
                every.push(Bounds::signed(least, greatest, width));
            }
        }
        let contains = |bounds: &Bounds, value: u128| bounds.contains(value, width);
        for op in BinaryOp::ALL {
            for &a in &every {
                for &b in &every {
                    let bounds = binary(op, a, b, width);
                    for x in (0..8).filter(|x| contains(&a, *x)) {
                        for y in (0..8).filter(|y| contains(&b, *y)) {
                            let value = crate::concrete::binary(op, x, y, width);
                            assert!(
                                contains(&bounds, value),
                                "{op:?} {a:?} {b:?}: {x} {y} gives {value}, not in {bounds:?}"
                            );
                        }
                    }
                }
            }
        }
    }
}
