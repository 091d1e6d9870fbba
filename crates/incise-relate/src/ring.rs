//! Whether two expressions are equal because sums and products are: as polynomials over what they are made of, with
//! coefficients modulo a power of two. A solver that looks at bits is slow at `a * (i + 1)` and `a * i + a`. What they
//! are made of may be sums of bits (`bits.rs`).

mod bits;

use bits::{Bit, BitSums};

use incise_exec::inside::mask;
use incise_solver::{BinaryOp, ExprId, ExprKind, Exprs, Relation};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Polynomials with more terms are not looked at.
const MOST_TERMS: usize = 160;
/// Nor those of expressions with more parts,
const MOST_NODES: usize = 1000;
/// nor those with terms of more factors.
const MOST_FACTORS: usize = 6;

/// The coefficient of each product of parts that are no sums and products themselves, or of their bits. None of them is
/// zero.
type Polynomial = BTreeMap<Vec<Factor>, u128>;

/// What is multiplied: an expression, or a bit of one.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Factor {
    Whole(ExprId),
    Bit(Bit),
}

/// What is known of expressions.
#[derive(Default)]
struct Known {
    polynomials: FxHashMap<ExprId, Polynomial>,
    sums: BitSums,
}

/// Whether a condition never holds because it says that two equal sums of products are not equal.
pub(super) fn never_holds(exprs: &Exprs, condition: ExprId) -> bool {
    let ExprKind::Not(equal) = *exprs.kind(condition) else { return false };
    match *exprs.kind(equal) {
        ExprKind::Compare(relation, one, other) => relation == Relation::Eq && same(exprs, one, other),
        _ => false,
    }
}

/// Whether two expressions of one width are the same polynomial. False tells nothing.
pub(super) fn same(exprs: &Exprs, one: ExprId, other: ExprId) -> bool {
    if one == other {
        return true;
    }
    let mut known = Known::default();
    match (polynomial(exprs, one, &mut known), polynomial(exprs, other, &mut known)) {
        (Some(one), Some(other)) => one == other,
        _ => false,
    }
}

/// A sum: how many times each part that is no sum itself, and a constant.
type Sum = (BTreeMap<ExprId, u128>, u128);

/// Two sums of one width without the parts that both have, if there are some. What is left is equal if and only if the
/// sums are, and asks less: a number that something unknown is added to has to do with all of its bits.
pub(super) fn without_common(exprs: &mut Exprs, one: ExprId, other: ExprId) -> Option<(ExprId, ExprId)> {
    let (mut mine, mut theirs) = (sum(exprs, one)?, sum(exprs, other)?);
    let before = mine.0.len();
    mine.0.retain(|part, times| match theirs.0.get(part) == Some(times) {
        true => theirs.0.remove(part).is_none(),
        false => true,
    });
    if mine.0.len() == before {
        return None;
    }
    let width = exprs.width(one);
    Some((summed(exprs, &mine, width), summed(exprs, &theirs, width)))
}

/// The parts of a sum; `None` if there are many.
fn sum(exprs: &Exprs, root: ExprId) -> Option<Sum> {
    let mask = mask(exprs.width(root));
    let (mut parts, mut constant) = (BTreeMap::<ExprId, u128>::new(), 0_u128);
    let (mut work, mut steps) = (vec![(root, 1_u128)], 0);
    while let Some((expr, times)) = work.pop() {
        steps += 1;
        if steps > MOST_NODES {
            return None;
        }
        let minus = times.wrapping_neg() & mask;
        if let Some(bits) = exprs.as_constant(expr) {
            constant = constant.wrapping_add(bits.wrapping_mul(times)) & mask;
            continue;
        }
        match *exprs.kind(expr) {
            ExprKind::Binary(BinaryOp::Add, a, b) => work.extend([(a, times), (b, times)]),
            ExprKind::Binary(BinaryOp::Sub, a, b) => work.extend([(a, times), (b, minus)]),
            ExprKind::Not(a) => {
                work.push((a, minus));
                constant = constant.wrapping_add(minus) & mask;
            }
            _ => {
                let known = parts.entry(expr).or_default();
                *known = known.wrapping_add(times) & mask;
            }
        }
    }
    parts.retain(|_, times| *times != 0);
    Some((parts, constant))
}

fn summed(exprs: &mut Exprs, (parts, constant): &Sum, width: u32) -> ExprId {
    let mut sum = exprs.constant(*constant, width);
    for (&part, &times) in parts {
        let factor = exprs.constant(times, width);
        let part = if times == 1 { part } else { exprs.binary(BinaryOp::Mul, part, factor) };
        sum = exprs.add(sum, part);
    }
    sum
}

/// The polynomial of an expression; `None` if it is large.
fn polynomial(exprs: &Exprs, root: ExprId, known: &mut Known) -> Option<Polynomial> {
    let mut work = vec![root];
    while let Some(&expr) = work.last() {
        if known.polynomials.contains_key(&expr) {
            work.pop();
            continue;
        }
        if known.polynomials.len() > MOST_NODES {
            return None;
        }
        let parts = parts(exprs, expr);
        let open: Vec<ExprId> =
            parts.into_iter().filter(|part| !known.polynomials.contains_key(part)).collect();
        if !open.is_empty() {
            work.extend(open);
            continue;
        }
        let found = combined(exprs, expr, known)?;
        known.polynomials.insert(expr, found);
        work.pop();
    }
    known.polynomials.get(&root).cloned()
}

/// What a sum or product is made of; nothing for all else.
fn parts(exprs: &Exprs, expr: ExprId) -> Vec<ExprId> {
    match *exprs.kind(expr) {
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, a, b) => vec![a, b],
        ExprKind::Binary(BinaryOp::Shl, a, by) if exprs.as_constant(by).is_some() => vec![a],
        ExprKind::Not(a) => vec![a],
        ExprKind::Extract { of, low: 0 } => vec![of],
        ExprKind::Ite(_, a, b) => vec![a, b],
        _ => Vec::new(),
    }
}

fn combined(exprs: &Exprs, expr: ExprId, known: &mut Known) -> Option<Polynomial> {
    let width = exprs.width(expr);
    let Known { polynomials, sums } = known;
    let of = |part: ExprId| &polynomials[&part];
    let minus = mask(width);
    if let Some(bits) = exprs.as_constant(expr) {
        return scaled(&Polynomial::from([(Vec::new(), 1)]), bits, width);
    }
    match *exprs.kind(expr) {
        ExprKind::Binary(BinaryOp::Add, a, b) => added(of(a), of(b), width),
        ExprKind::Binary(BinaryOp::Sub, a, b) => added(of(a), &scaled(of(b), minus, width)?, width),
        ExprKind::Binary(BinaryOp::Mul, a, b) => multiplied(of(a), of(b), width),
        ExprKind::Binary(BinaryOp::Shl, a, by) if exprs.as_constant(by).is_some() => {
            let by = exprs.as_constant(by).filter(|&by| by < u128::from(width))?;
            scaled(of(a), 1 << by, width)
        }
        // What has all bits inverted is minus one, and minus what it was.
        ExprKind::Not(a) => {
            added(&scaled(of(a), minus, width)?, &Polynomial::from([(Vec::new(), minus)]), width)
        }
        // The low bits of sums and products depend on low bits only.
        ExprKind::Extract { of: whole, low: 0 } => scaled(of(whole), 1, width),
        ExprKind::Ite(condition, a, b) => chosen(exprs, (condition, of(a), of(b)), width)
            .or_else(|| Some(Polynomial::from([(vec![Factor::Whole(expr)], 1)]))),
        _ => match sums.of(exprs, expr) {
            Some(sum) => of_bits(sum, width),
            None => Some(Polynomial::from([(vec![Factor::Whole(expr)], 1)])),
        },
    }
}

/// One of two numbers that are a constant apart: the second one, and as much more if the condition holds.
fn chosen(
    exprs: &Exprs,
    (condition, then, otherwise): (ExprId, &Polynomial, &Polynomial),
    width: u32,
) -> Option<Polynomial> {
    let minus = mask(width);
    let apart = added(then, &scaled(otherwise, minus, width)?, width)?;
    let times = match apart.len() {
        0 => 0,
        1 => *apart.get(&Vec::new())?,
        _ => return None,
    };
    // That something does not hold is one without that it holds.
    let holds = match *exprs.kind(condition) {
        ExprKind::Not(fails) => {
            let fails = Polynomial::from([(vec![Factor::Bit((fails, 0))], minus), (Vec::new(), 1)]);
            scaled(&fails, times, width)?
        }
        _ => Polynomial::from([(vec![Factor::Bit((condition, 0))], times)]),
    };
    added(otherwise, &holds, width)
}

/// A sum of bits as a polynomial.
fn of_bits(sum: &bits::BitSum, width: u32) -> Option<Polynomial> {
    let terms = sum.bits.iter().map(|(&bit, &times)| (vec![Factor::Bit(bit)], times as u128 & mask(width)));
    let constant = (Vec::new(), sum.constant as u128 & mask(width));
    let all: Polynomial = terms.chain([constant]).filter(|(_, times)| *times != 0).collect();
    (all.len() <= MOST_TERMS).then_some(all)
}

fn scaled(one: &Polynomial, by: u128, width: u32) -> Option<Polynomial> {
    let scaled = one.iter().map(|(factors, &times)| (factors.clone(), times.wrapping_mul(by) & mask(width)));
    Some(scaled.filter(|(_, times)| *times != 0).collect())
}

fn added(one: &Polynomial, other: &Polynomial, width: u32) -> Option<Polynomial> {
    let mut sum = one.clone();
    for (factors, &times) in other {
        let known = sum.entry(factors.clone()).or_default();
        *known = known.wrapping_add(times) & mask(width);
    }
    sum.retain(|_, times| *times != 0);
    (sum.len() <= MOST_TERMS).then_some(sum)
}

fn multiplied(one: &Polynomial, other: &Polynomial, width: u32) -> Option<Polynomial> {
    if one.len() * other.len() > MOST_TERMS {
        return None;
    }
    let mut product = Polynomial::new();
    for (mine, &one) in one {
        for (theirs, &other) in other {
            let mut factors = [&mine[..], &theirs[..]].concat();
            if factors.len() > MOST_FACTORS {
                return None;
            }
            factors.sort_unstable();
            let known = product.entry(factors).or_default();
            *known = known.wrapping_add(one.wrapping_mul(other)) & mask(width);
        }
    }
    product.retain(|_, times| *times != 0);
    Some(product)
}

#[cfg(test)]
mod tests {
    use super::*;
    use incise_solver::{CompareOp, SymbolKind};

    fn symbol(exprs: &mut Exprs, name: &str, width: u32) -> ExprId {
        exprs.symbol(name, width, SymbolKind::Unsigned)
    }

    #[test]
    fn products_of_unknowns_are_told_by_their_terms() {
        let mut exprs = Exprs::new();
        let [a, i] = ["a", "i"].map(|name| symbol(&mut exprs, name, 32));
        let one = exprs.constant(1, 32);
        let next = exprs.add(i, one);
        let product = exprs.binary(BinaryOp::Mul, a, next);
        let before = exprs.binary(BinaryOp::Mul, a, i);
        let sum = exprs.add(before, a);
        assert!(same(&exprs, product, sum));
        assert!(!same(&exprs, product, before));
    }

    #[test]
    fn bits_that_are_counted_in_parallel_are_a_sum() {
        let mut exprs = Exprs::new();
        let word = symbol(&mut exprs, "w", 32);
        let sum = symbol(&mut exprs, "sum", 32);
        let (mut one, mut other) = (sum, word);
        for bit in 0..32 {
            let (by, last) = (exprs.constant(bit, 32), exprs.constant(1, 32));
            let shifted = exprs.binary(BinaryOp::LShr, word, by);
            let masked = exprs.binary(BinaryOp::And, shifted, last);
            one = exprs.add(one, masked);
        }
        for (by, mask) in [(1, 0x5555_5555), (2, 0x3333_3333), (4, 0x0f0f_0f0f)] {
            let (by, mask) = (exprs.constant(by, 32), exprs.constant(mask, 32));
            let high = exprs.binary(BinaryOp::LShr, other, by);
            let [low, high] = [other, high].map(|part| exprs.binary(BinaryOp::And, part, mask));
            other = exprs.add(low, high);
        }
        let [all, ones, top] = [255, 0x0101_0101, 24].map(|bits| exprs.constant(bits, 32));
        let left = exprs.binary(BinaryOp::URem, other, all);
        let product = exprs.binary(BinaryOp::Mul, other, ones);
        let highest = exprs.binary(BinaryOp::LShr, product, top);
        for count in [left, highest] {
            let counted = exprs.add(sum, count);
            assert!(same(&exprs, one, counted));
            assert!(!same(&exprs, one, count));
        }
        // One mask is another one: the bits would carry over.
        let wrong = exprs.binary(BinaryOp::URem, word, all);
        assert!(!same(&exprs, one, wrong));
    }

    #[test]
    fn narrow_parts_of_wide_sums_are_sums() {
        let mut exprs = Exprs::new();
        let [a, b] = ["a", "b"].map(|name| symbol(&mut exprs, name, 64));
        let wide = exprs.add(a, b);
        let narrow = exprs.trunc(wide, 32);
        let (one, other) = (exprs.trunc(a, 32), exprs.trunc(b, 32));
        let sum = exprs.add(one, other);
        assert!(same(&exprs, narrow, sum));
    }

    #[test]
    fn what_both_sums_have_is_left_out() {
        let mut exprs = Exprs::new();
        let [a, b, c] = ["a", "b", "c"].map(|name| symbol(&mut exprs, name, 32));
        let seven = exprs.constant(7, 32);
        let one = exprs.add(a, b);
        let one = exprs.add(one, seven);
        let other = exprs.add(c, a);
        let left = exprs.add(seven, b);
        assert_eq!(without_common(&mut exprs, one, other), Some((left, c)));
        assert_eq!(without_common(&mut exprs, b, c), None);
    }

    /// What is told to be the same has the same value, whatever the rewriting of expressions did.
    #[test]
    fn the_same_polynomials_have_the_same_values() {
        let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
        let mut random = move |below: u64| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed % below
        };
        let (mut found, mut shorter) = (0, 0);
        for _ in 0..400 {
            let mut exprs = Exprs::without_rewriting();
            let mut pool: Vec<ExprId> = ["a", "b"].map(|name| symbol(&mut exprs, name, 8)).to_vec();
            pool.extend([1, 2, 255].map(|bits| exprs.constant(bits, 8)));
            for _ in 0..14 {
                let [a, b] = [0, 1].map(|_| pool[random(pool.len() as u64) as usize]);
                let number = exprs.constant(u128::from(random(9)), 8);
                pool.push(match random(11) {
                    6 => exprs.binary(BinaryOp::And, a, b),
                    7 => exprs.binary(BinaryOp::LShr, a, number),
                    8 => exprs.binary(BinaryOp::Shl, a, number),
                    9 => exprs.binary(BinaryOp::URem, a, number),
                    10 => {
                        let condition = exprs.compare(CompareOp::Ult, a, b);
                        let more = exprs.add(b, number);
                        exprs.ite(condition, more, b)
                    }
                    0 | 1 => exprs.add(a, b),
                    2 => exprs.sub(a, b),
                    3 => exprs.not(a),
                    4 => exprs.zext(a, 16),
                    _ => exprs.binary(BinaryOp::Mul, a, b),
                });
                let last = pool.len() - 1;
                pool[last] = exprs.trunc(pool[last], 8);
            }
            let mut solver = incise_solver::Solver::new(Default::default(), Default::default());
            let symbols = [pool[0], pool[1]].map(|expr| exprs.as_symbol(expr).expect("a symbol"));
            for &one in &pool[5..] {
                for &other in pool.iter().filter(|&&other| other != one) {
                    let values = symbols.map(|symbol| (symbol, u128::from(random(256))));
                    let model = incise_solver::Model::new().with(values);
                    if let Some(left) = without_common(&mut exprs, one, other) {
                        shorter += 1;
                        let [one, other] = [one, other].map(|each| solver.evaluate(&exprs, each, &model));
                        let left = [left.0, left.1].map(|each| solver.evaluate(&exprs, each, &model));
                        assert_eq!(one == other, left[0] == left[1]);
                    }
                    if !same(&exprs, one, other) {
                        continue;
                    }
                    found += 1;
                    for _ in 0..16 {
                        let values = symbols.map(|symbol| (symbol, u128::from(random(256))));
                        let model = incise_solver::Model::new().with(values);
                        let [one, other] = [one, other].map(|each| solver.evaluate(&exprs, each, &model));
                        assert_eq!(one, other);
                    }
                }
            }
        }
        assert!(found > 100, "only {found} were the same");
        assert!(shorter > 100, "only {shorter} had something in common");
    }
}
