//! Reading bytes of arrays.

use super::{Rule, Term, rule};
use crate::concrete::mask;
use crate::expr::BinaryOp::Add;
use crate::expr::{ArrayId, ArrayKind, CompareOp, ExprId, ExprKind, Exprs};

/// How many stores are looked through.
const MOST_STORES: usize = 64;

pub(super) const SELECT: &[Rule] = &[
    rule("select-store", "store(a, i, v)[j] => v if i is j, a[j] if they always differ", |e, t| {
        let mut array = array_of(t)?;
        let start = array;
        for _ in 0..MOST_STORES {
            let ArrayKind::Store { array: before, index, value } = e.array_kind(array) else { break };
            if index == t.a {
                return Some(value);
            }
            if !always_differ(e, index, t.a) {
                break;
            }
            array = before;
        }
        (array != start).then(|| e.select(array, t.a))
    }),
    rule("select-constant", "a[c] => the byte at c, zero past the end", |e, t| {
        let at = usize::try_from(e.as_constant(t.a)?).unwrap_or(usize::MAX);
        match e.array_kind(array_of(t)?) {
            ArrayKind::Bytes(bytes) => {
                let byte = bytes.get(at).copied().unwrap_or(0);
                Some(e.constant(byte as u128, 8))
            }
            ArrayKind::Cells(cells) => match cells.get(at).copied() {
                Some(cell) => Some(cell),
                None => Some(e.zero(8)),
            },
            ArrayKind::Store { .. } => None,
        }
    }),
    rule("select-equal", "a[i] => i < n ? v : 0, if all n bytes are v", |e, t| {
        let (length, value) = match e.array_kind(array_of(t)?) {
            ArrayKind::Bytes(bytes) => {
                let &first = bytes.first()?;
                if bytes.iter().any(|&byte| byte != first) {
                    return None;
                }
                (bytes.len(), Err(first))
            }
            ArrayKind::Cells(cells) => {
                let &first = cells.first()?;
                if cells.iter().any(|&cell| cell != first) {
                    return None;
                }
                (cells.len(), Ok(first))
            }
            ArrayKind::Store { .. } => return None,
        };
        let value = match value {
            Ok(cell) => cell,
            Err(byte) => e.constant(byte as u128, 8),
        };
        let (end, zero) = (e.constant(length as u128, 64), e.zero(8));
        let inside = e.compare(CompareOp::Ult, t.a, end);
        Some(e.ite(inside, value, zero))
    }),
    rule("select-past", "a[i] => 0, if i is always past the end", |e, t| {
        let length = match e.array_kind(array_of(t)?) {
            ArrayKind::Bytes(bytes) => bytes.len(),
            ArrayKind::Cells(cells) => cells.len(),
            ArrayKind::Store { .. } => return None,
        };
        (e.known_bits(t.a).least() >= length as u128).then(|| e.zero(8))
    }),
    rule(
        "select-choice",
        "a[c ? k : l] => c ? a[k] : a[l], for constants and an array without stores",
        |e, t| {
            let array = array_of(t)?;
            if matches!(e.array_kind(array), ArrayKind::Store { .. }) {
                return None;
            }
            let (condition, then, otherwise) = e.constant_choice(t.a)?;
            let (then, otherwise) = (e.constant(then, 64), e.constant(otherwise, 64));
            let (then, otherwise) = (e.select(array, then), e.select(array, otherwise));
            Some(e.ite(condition, then, otherwise))
        },
    ),
];

fn array_of(t: &Term) -> Option<ArrayId> {
    match t.kind {
        ExprKind::Select(array, _) => Some(array),
        _ => None,
    }
}

/// Whether two indices differ in a known bit, or by a constant from the same expression.
fn always_differ(e: &Exprs, i: ExprId, j: ExprId) -> bool {
    let (a, b) = (e.known_bits(i), e.known_bits(j));
    if (a.zeros & b.ones | a.ones & b.zeros) & mask(64) != 0 {
        return true;
    }
    let split = |x: ExprId| e.with_constant(x, Add).unwrap_or((x, 0));
    let ((x, c), (y, d)) = (split(i), split(j));
    x == y && c != d
}
