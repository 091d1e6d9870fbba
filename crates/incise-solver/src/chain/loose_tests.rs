//! Products and quotients told loosely: nothing that is possible is ruled out, and much that is not is.

use super::gates::{GateLimits, Gates};
use super::query::{Decide, Query, Verdict};
use crate::concrete;
use crate::expr::{BinaryOp, CompareOp, ExprId, Exprs, SymbolKind};
use crate::work::Deadline;

#[test]
fn what_is_told_loosely_leaves_every_product_and_quotient_possible() {
    let interrupt = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let limits = GateLimits { conflicts: 10_000, hard_conflicts: 10_000, cone: 100_000, circuit: 1 << 20 };
    let mut loose = Gates::loose(limits, interrupt);
    for width in [16, 32, 64] {
        let mut exprs = Exprs::new();
        let [x, y] = ["x", "y"].map(|name| exprs.symbol(name, width, SymbolKind::Unsigned));
        let mut random = super::testing::Random::new(width.into());
        for op in [BinaryOp::Mul, BinaryOp::UDiv, BinaryOp::SDiv, BinaryOp::URem, BinaryOp::SRem] {
            for round in 0..24 {
                let a = random.value(width);
                let b = match round % 6 {
                    0 => 0,
                    1 => 1,
                    2 => a,
                    3 => a / 2 + 1,
                    _ => random.value(width),
                };
                let result = exprs.binary(op, x, y);
                let conditions: Vec<ExprId> = [(x, a), (y, b), (result, concrete::binary(op, a, b, width))]
                    .map(|(e, value)| {
                        let value = exprs.constant(value, width);
                        exprs.eq(e, value)
                    })
                    .into();
                let query = Query::new(&exprs, conditions, Deadline::default());
                let verdict = loose.decide(&exprs, &query);
                assert!(matches!(verdict, Verdict::Sat(_)), "{op:?} {a:x} {b:x}: {verdict:?}");
            }
        }
        loose = Gates::loose(limits, Default::default());
    }
}

#[test]
fn a_place_in_a_ring_needs_no_division() {
    let mut exprs = Exprs::new();
    let [head, count, size] =
        ["head", "count", "size"].map(|name| exprs.symbol(name, 64, SymbolKind::Unsigned));
    let half = exprs.constant(1 << 62, 64);
    let sum = exprs.add(head, count);
    let by_remainder = exprs.binary(BinaryOp::URem, sum, size);
    let less = exprs.sub(sum, size);
    let inside = exprs.compare(CompareOp::Ult, sum, size);
    let by_test = exprs.ite(inside, sum, less);
    let mut conditions = Vec::new();
    for (one, other) in [(head, size), (count, size), (size, half)] {
        conditions.push(exprs.compare(CompareOp::Ult, one, other));
    }
    conditions.push(exprs.compare(CompareOp::Ne, by_remainder, by_test));
    let (conflicts, cone) = (super::LOOSE_CONFLICTS, super::LOOSE_CONE);
    let limits = GateLimits { conflicts, hard_conflicts: 50, cone, circuit: 1 << 20 };
    let mut loose = Gates::loose(limits, Default::default());
    let query = Query::new(&exprs, conditions, Deadline::default());
    assert_eq!(loose.decide(&exprs, &query), Verdict::Unsat);
}
