//! Sums with a base: the address of an object stays visible on the right of the outermost sum, so that a pointer tells
//! its object.

use super::Term;
use crate::expr::{ExprId, Exprs};

/// The base's value and the offset, zero for the base itself.
fn parts(e: &mut Exprs, x: ExprId) -> Option<(u64, ExprId)> {
    e.split_base(x)
}

fn with_base(e: &mut Exprs, offset: ExprId, base: u64) -> ExprId {
    let base = e.base(base);
    e.add(offset, base)
}

/// `(x + B) + (y + C)`: one base stays, the other becomes a number.
pub(super) fn add_bases(e: &mut Exprs, t: &Term) -> Option<ExprId> {
    if e.based(t.a).is_none() || e.based(t.b).is_none() {
        return None;
    }
    let ((kept, x), (other, y)) = (parts(e, t.a)?, parts(e, t.b)?);
    let sum = e.add(x, y);
    let offset = e.add_constant(sum, other as u128);
    Some(with_base(e, offset, kept))
}

/// `(x + B) + y`, also with the sides exchanged; a base alone on the right is in place already.
pub(super) fn add_base(e: &mut Exprs, t: &Term) -> Option<ExprId> {
    for (based, other) in [(t.a, t.b), (t.b, t.a)] {
        if let Some((base, Some(x))) = e.based(based) {
            let offset = e.add(x, other);
            return Some(with_base(e, offset, base));
        }
    }
    None
}

pub(super) fn sub_bases(e: &mut Exprs, t: &Term) -> Option<ExprId> {
    match (parts(e, t.a), parts(e, t.b)) {
        (None, None) => None,
        (Some((left, x)), Some((right, y))) => {
            let difference = e.sub(x, y);
            Some(e.add_constant(difference, (left as u128).wrapping_sub(right as u128)))
        }
        (Some((base, x)), None) => {
            let offset = e.sub(x, t.b);
            Some(with_base(e, offset, base))
        }
        (None, Some((base, y))) => {
            let difference = e.sub(t.a, y);
            Some(e.add_constant(difference, (base as u128).wrapping_neg()))
        }
    }
}

/// Equality where a side has a base: modulo 2^64 the bases can be taken off both sides.
pub(super) fn eq_bases(e: &mut Exprs, t: &Term) -> Option<ExprId> {
    match (e.based(t.a).is_some(), e.based(t.b).is_some()) {
        (true, true) => {
            let ((left, x), (right, y)) = (parts(e, t.a)?, parts(e, t.b)?);
            let x = e.add_constant(x, (left as u128).wrapping_sub(right as u128));
            Some(e.eq(x, y))
        }
        (true, false) => eq_base_number(e, t.a, t.b),
        (false, true) => eq_base_number(e, t.b, t.a),
        (false, false) => None,
    }
}

fn eq_base_number(e: &mut Exprs, based: ExprId, number: ExprId) -> Option<ExprId> {
    let (base, x) = parts(e, based)?;
    match e.as_constant(number) {
        Some(value) => Some(e.eq_constant(x, value.wrapping_sub(base as u128))),
        // Only a base alone becomes a number: a sum would be one node more.
        None if e.is_zero(x) => Some(e.eq_constant(number, base as u128)),
        None => None,
    }
}
