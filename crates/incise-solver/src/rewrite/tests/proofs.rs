//! Every rule on its own, for all values at small widths.

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::rules;
use super::Firing;
use super::generate::{Pool, Random};
use crate::concrete::mask;
use crate::evaluate::Evaluator;
use crate::expr::{
    BinaryOp, CompareOp, ExprId, ExprKind, Exprs, FloatBinary, FloatCompare, FloatFormat, SymbolId,
    SymbolKind,
};
use crate::model::Model;

/// Firings checked of one rule at one width; more of them look alike.
const MOST_PER_RULE: usize = 150;

/// Checks firings, and counts those of each rule.
struct Prover {
    checked: FxHashMap<(usize, u32), usize>,
    seen: FxHashSet<(usize, u64, ExprId)>,
    evaluator: Evaluator,
}

impl Prover {
    fn new() -> Self {
        Prover { checked: FxHashMap::default(), seen: FxHashSet::default(), evaluator: Evaluator::new() }
    }

    /// Checks what was logged in an arena, where all symbols are at most `bits` wide together; else on a sample of
    /// values.
    fn check(&mut self, exprs: &mut Exprs, bits: u32) {
        self.seen.clear();
        self.evaluator = Evaluator::new();
        for firing in exprs.rewriter.log.replace(Vec::new()).unwrap_or_default() {
            let key = (firing.rule, exprs.hash_of(&firing.kind, firing.width), firing.result);
            let count = self.checked.entry((firing.rule, firing.width)).or_default();
            if *count < MOST_PER_RULE && self.seen.insert(key) {
                *count += 1;
                self.prove(exprs, &firing, bits);
            }
        }
    }

    fn prove(&mut self, exprs: &mut Exprs, firing: &Firing, bits: u32) {
        let before = exprs.raw(firing.kind, firing.width);
        let set = exprs.symbol_set(before);
        let symbols: Vec<(SymbolId, u32)> =
            exprs.symbols_in(set).map(|s| (s, exprs.symbol_info(s).width)).collect();
        let total: u32 = symbols.iter().map(|&(_, width)| width).sum();
        for assignment in assignments(total, bits) {
            let mut rest = assignment;
            let values = symbols.iter().map(|&(symbol, width)| {
                let value = rest & mask(width);
                rest = rest.checked_shr(width).unwrap_or(0);
                (symbol, value)
            });
            let model = Model::new().with(values);
            let expected = self.evaluator.evaluate(exprs, before, &model);
            let found = self.evaluator.evaluate(exprs, firing.result, &model);
            let rule = rules().nth(firing.rule).map_or("", |rule| rule.name);
            assert_eq!(
                expected,
                found,
                "{rule}: {:?} of width {} became {:?}, symbols {symbols:?} = {assignment:#x}",
                firing.kind,
                firing.width,
                exprs.kind(firing.result)
            );
            let known = exprs.known_bits(before);
            assert!(
                found & known.zeros == 0 && found & known.ones == known.ones,
                "known bits of {:?}",
                firing.kind
            );
        }
    }

    fn count(&self, rule: usize) -> usize {
        self.checked.iter().filter(|((found, _), _)| *found == rule).map(|(_, count)| count).sum()
    }
}

/// All values of so many bits, or a sample if they are too many.
fn assignments(total: u32, most: u32) -> Vec<u128> {
    if total <= most {
        return (0..1u128 << total).collect();
    }
    let mut random = Random(5);
    (0..400).map(|_| (random.next() as u128) << 64 | random.value(64)).collect()
}

fn logging() -> Exprs {
    let mut exprs = Exprs::new();
    exprs.rewriter.log = Some(Vec::new());
    exprs
}

#[test]
fn every_rule_keeps_the_value_for_all_values_at_small_widths() {
    let mut prover = Prover::new();
    for seed in 0..1400u64 {
        let mut random = Random(seed);
        let width = 1 + (seed % 4) as u32;
        let mut pool = Pool::new(&[width, width, width, 1, width + 1, width * 2], false);
        pool.arenas[1].rewriter.log = Some(Vec::new());
        pool.symbol("x", width);
        pool.symbol("y", width);
        pool.symbol("p", 1);
        for _ in 0..60 {
            pool.step(&mut random);
        }
        prover.check(&mut pool.arenas[1], 9);
    }
    for width in 1..=4 {
        directed(&mut prover, width);
    }
    floats(&mut prover);
    let missing: Vec<&str> = rules()
        .enumerate()
        .filter(|&(number, _)| prover.count(number) == 0)
        .map(|(_, rule)| rule.name)
        .collect();
    assert!(missing.is_empty(), "no instance of {missing:?}");
}

/// Instances of rules that random expressions hardly meet.
fn directed(prover: &mut Prover, width: u32) {
    let mut e = logging();
    let (x, y) = (e.symbol("x", width, SymbolKind::Signed), e.symbol("y", width, SymbolKind::Signed));
    let p = e.symbol("p", 1, SymbolKind::Bool);
    bases(&mut e, x, y, p);
    constants(&mut e, x, y, p);
    for wide in [width + 1, width + 3, 8] {
        extensions(&mut e, x, y, p, wide);
    }
    arrays(&mut e, x, y, p);
    tables(&mut e, x);
    pairs(&mut e, x, y);
    ring(&mut e, x, y);
    prover.check(&mut e, 9);
}

/// An index that goes round a ring, by remainders and by a condition.
fn ring(e: &mut Exprs, x: ExprId, size: ExprId) {
    let one = e.constant(1, e.width(x));
    let mut index = e.binary(BinaryOp::URem, x, size);
    for _ in 0..4 {
        e.compare(CompareOp::Ult, index, size);
        let next = e.add(index, one);
        index = e.binary(BinaryOp::URem, next, size);
    }
}

/// Two symbols in both operands.
fn pairs(e: &mut Exprs, x: ExprId, y: ExprId) {
    let width = e.width(x);
    let difference = e.sub(x, y);
    e.add(difference, y);
    e.add(y, difference);
    let (not_x, not_y) = (e.not(x), e.not(y));
    e.eq(not_x, not_y);
    for quotient in [BinaryOp::UDiv, BinaryOp::SDiv] {
        let divided = e.binary(quotient, x, y);
        let product = e.binary(BinaryOp::Mul, divided, y);
        e.sub(x, product);
        e.eq(product, x);
    }
    for c in 0..1 << width {
        let (left, right) = (e.add_constant(x, c), e.add_constant(y, c / 2 + 1));
        e.eq(left, right);
    }
    let (zero, top) = (e.eq_constant(x, 0), e.eq_constant(x, 1 << (width - 1)));
    e.and(zero, top);
    for c in 1..width {
        let amount = e.constant(c as u128, width);
        let shifted = e.binary(BinaryOp::Shl, x, amount);
        let lost = e.extract(x, width - c, c);
        e.concat(lost, shifted);
    }
    let (wide_x, wide_y) = (e.zext(x, 16), e.zext(y, 16));
    e.binary(BinaryOp::Mul, wide_x, wide_y);
    let five = e.constant(5, 16);
    e.binary(BinaryOp::Mul, wide_x, five);
}

fn bases(e: &mut Exprs, x: ExprId, y: ExprId, p: ExprId) {
    let (i, j) = (e.zext(x, 64), e.sext(y, 64));
    let (near, k) = (e.base(0x2000), e.zext(y, 64));
    let (left, right) = (e.add(near, i), e.add(near, k));
    e.compare(CompareOp::Ult, left, right);
    for (b, c) in [(0x1000, 0x1000), (0x1000, 0xffff_ffff_ffff_f000), (16, 24)] {
        let (base, other) = (e.base(b), e.base(c));
        let (left, right) = (e.add(base, i), e.add(j, other));
        let number = e.constant(b as u128 + 3, 64);
        for a in [base, left, i] {
            for b in [other, right, j, number] {
                e.add(a, b);
                e.sub(a, b);
                e.sub(b, a);
                e.eq(a, b);
                e.ite(p, a, b);
                let more = e.add(a, number);
                e.eq(more, b);
                e.add(more, b);
                e.compare(CompareOp::Ult, a, b);
                e.binary(BinaryOp::And, b, number);
                e.extract(a, 3, 5);
            }
        }
    }
}

/// Every operation with every constant, on a few shapes of operands.
fn constants(e: &mut Exprs, x: ExprId, y: ExprId, p: ExprId) {
    let width = e.width(x);
    for c in 0..1u128 << width {
        let constant = e.constant(c, width);
        let choice = {
            let other = e.constant(c + 1, width);
            e.ite(p, constant, other)
        };
        let half_choice = e.ite(p, x, constant);
        for op in BinaryOp::ALL {
            let left = e.binary(op, x, constant);
            let right = e.binary(op, constant, x);
            for shape in [left, right, choice, half_choice] {
                e.not(shape);
                for d in 0..1u128 << width {
                    let d = e.constant(d, width);
                    for outer in BinaryOp::ALL {
                        e.binary(outer, shape, d);
                        e.binary(outer, d, shape);
                    }
                    for compare in [CompareOp::Eq, CompareOp::Ult, CompareOp::Slt] {
                        e.compare(compare, shape, d);
                        e.compare(compare, d, shape);
                    }
                }
                e.binary(op, shape, y);
                e.binary(op, y, shape);
                e.binary(op, shape, x);
                e.eq(shape, x);
                e.eq(shape, y);
            }
        }
    }
}

fn extensions(e: &mut Exprs, x: ExprId, y: ExprId, p: ExprId, wide: u32) {
    let width = e.width(x);
    let (zx, zy, sx, sy) = (e.zext(x, wide), e.zext(y, wide), e.sext(x, wide), e.sext(y, wide));
    let (px, qx) = (e.zext(p, wide), e.sext(p, wide));
    let zero = e.constant(0, wide - width);
    let high = e.constant(1, wide - width);
    let joined = [e.concat(high, x), e.concat(x, zero), e.concat(y, zero)];
    let mut shapes = vec![zx, zy, sx, sy, px, qx];
    shapes.extend(joined);
    for c in (0..1u128 << wide).step_by(if wide > 5 { 13 } else { 1 }) {
        shapes.push(e.constant(c, wide));
    }
    for &a in &shapes {
        for &b in &shapes {
            for op in BinaryOp::ALL {
                let result = e.binary(op, a, b);
                e.trunc(result, width);
                e.extract(result, width - 1, wide - width + 1);
                let wider = e.zext(result, wide + 4);
                e.extract(wider, 1, wide);
                let signed = e.sext(result, wide + 4);
                e.extract(signed, 1, wide + 2);
            }
            for compare in CompareOp::ALL {
                e.compare(compare, a, b);
            }
            let choice = e.ite(p, a, b);
            e.trunc(choice, width);
            e.extract(choice, width, wide - width);
            e.zext(choice, wide + 2);
            e.sext(choice, wide + 2);
            e.concat(choice, choice);
            e.concat(a, b);
        }
    }
    for (c, d) in (0..1u128 << (width + 1)).flat_map(|c| (0..1u128 << width).map(move |d| (c, d))) {
        let bound = e.constant(d, wide);
        for extended in [zx, sx] {
            for c in [c, c.wrapping_neg()] {
                let sum = e.add_constant(extended, c);
                e.compare(CompareOp::Ult, sum, bound);
                e.compare(CompareOp::Slt, sum, bound);
            }
        }
    }
    let top = e.extract(x, width - 1, 1);
    let copies = e.sext(top, 3);
    e.concat(copies, x);
    let sum = e.add(zx, zy);
    e.zext(sum, wide + 4);
}

fn arrays(e: &mut Exprs, x: ExprId, y: ExprId, p: ExprId) {
    let bytes = e.array_of_bytes(&[3, 1, 4, 1, 5]);
    let same = e.array_of_bytes(&[7, 7, 7]);
    let cell = e.zext(x, 8);
    let nine = e.constant(9, 8);
    let cells = e.array_of_cells(&[cell, nine, cell]);
    let same_cells = e.array_of_cells(&[cell, cell]);
    let (i, j) = (e.zext(x, 64), e.zext(y, 64));
    let [one, five, large] = [1, 5, u64::MAX as u128].map(|value| e.constant(value, 64));
    let next = e.add(i, one);
    let far = e.constant(64, 64);
    let outside = e.or(i, far);
    let choice = e.ite(p, one, large);
    for array in [bytes, same, cells, same_cells] {
        for at in [i, one, next, five] {
            let stored = e.array_store(array, at, nine);
            let twice = e.array_store(stored, j, cell);
            for read in [i, j, next, one, five, large, choice, outside] {
                e.select(array, read);
                e.select(stored, read);
                e.select(twice, read);
            }
        }
    }
}

/// Reads of one to three bytes, at the index, before it and at multiples of it, compared with what stands there and
/// with other constants.
fn tables(e: &mut Exprs, x: ExprId) {
    let table = e.array_of_bytes(&[3, 1, 4, 1, 5, 0, 0x82]);
    for index in [e.zext(x, 64), e.sext(x, 64)] {
        for (scale, plus) in [(1, 0), (2, 0), (3, 1), (2, -3i64)] {
            let factor = e.constant(scale, 64);
            let scaled = e.binary(BinaryOp::Mul, index, factor);
            let mut value = None;
            for byte in 0..3 {
                let at = e.add_constant(scaled, (plus + byte) as u64 as u128);
                let next = e.select(table, at);
                let value = *value.insert(value.map_or(next, |low| e.concat(next, low)));
                for c in [0, 1, 4, 5, 0x103, 0x104, 0x401, 0x5_0104, 0x82_0005, 0x300, 0x80] {
                    let constant = e.constant(c, e.width(value));
                    for compare in [CompareOp::Eq, CompareOp::Ult, CompareOp::Slt] {
                        e.compare(compare, value, constant);
                    }
                }
                e.extract(value, 7, 1);
                e.trunc(value, 1);
            }
        }
    }
}

/// Comparisons and conversions of halves, for all values of one operand.
fn floats(prover: &mut Prover) {
    let mut e = logging();
    let half = FloatFormat::Half;
    let x = e.symbol("x", 16, SymbolKind::Float(half));
    let y = e.symbol("y", 16, SymbolKind::Float(half));
    let n = e.symbol("n", 8, SymbolKind::Signed);
    let number = e.int_to_float(true, half, n);
    let one = e.constant(0x3c00, 16);
    let ops =
        [FloatCompare::Eq, FloatCompare::Lt, FloatCompare::Le, FloatCompare::Unordered, FloatCompare::Same];
    let single = FloatFormat::Single;
    let wide_x = e.float_to_float(half, single, x);
    let wide_y = e.float_to_float(half, single, y);
    let in_half = e.constant(1.5f32.to_bits() as u128, 32);
    let not_in_half = e.constant(1.1f32.to_bits() as u128, 32);
    for op in ops {
        for (a, b) in [(x, x), (x, one), (one, x), (number, x), (number, number), (number, one)] {
            e.float_compare(op, half, a, b);
        }
        for (a, b) in [(wide_x, wide_y), (wide_x, in_half), (in_half, wide_x), (wide_x, not_in_half)] {
            e.float_compare(op, single, a, b);
        }
    }
    let bytes: Vec<u8> =
        [0x3c00u16, 0xbc00, 0, 0x7e00, 0x3c00, 0x4000].iter().flat_map(|h| h.to_le_bytes()).collect();
    let table = e.array_of_bytes(&bytes);
    let wide = e.sext(n, 64);
    let even = e.add(wide, wide);
    let odd = e.add_constant(even, 1);
    let (low, high) = (e.select(table, even), e.select(table, odd));
    let element = e.concat(high, low);
    for op in ops {
        for (a, b) in [(element, one), (one, element), (element, element), (element, x)] {
            e.float_compare(op, half, a, b);
        }
    }
    for signed in [false, true] {
        let float = e.int_to_float(signed, half, n);
        e.float_to_int(half, signed, 8, float);
        e.float_to_int(half, !signed, 8, float);
    }
    prover.check(&mut e, 16);
    float_arithmetic(prover);
}

/// Sums, products, quotients and signs of halves, under comparisons and conversions.
fn float_arithmetic(prover: &mut Prover) {
    let mut e = logging();
    let half = FloatFormat::Half;
    let (x, y) = (e.symbol("x", 16, SymbolKind::Float(half)), e.symbol("y", 16, SymbolKind::Float(half)));
    let (minus_x, minus_y, magnitude) = (e.float_neg(half, x), e.float_neg(half, y), e.float_abs(half, x));
    let mut results = vec![x, minus_x, minus_y, magnitude];
    for constant in [0, 0x8000, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4200, 0x3800, 0x7e01, 0xfe01, 0x7c00] {
        let constant = e.constant(constant, 16);
        for op in [FloatBinary::Add, FloatBinary::Sub, FloatBinary::Mul, FloatBinary::Div] {
            let left = e.float_binary(op, half, x, constant);
            results.push(e.float_binary(op, half, left, constant));
            results.push(e.float_binary(op, half, constant, minus_x));
        }
        results.push(constant);
    }
    results.push(e.float_binary(FloatBinary::Add, half, x, x));
    for op in [FloatBinary::Add, FloatBinary::Mul] {
        results.push(e.float_binary(op, half, y, x));
        results.push(e.float_binary(op, half, x, y));
    }
    let ops =
        [FloatCompare::Eq, FloatCompare::Lt, FloatCompare::Le, FloatCompare::Unordered, FloatCompare::Same];
    for &a in &results {
        e.float_to_int(half, true, 8, a);
        for op in ops {
            for b in [x, minus_x, minus_y, results[results.len() - 5], magnitude] {
                e.float_compare(op, half, a, b);
                e.float_compare(op, half, b, a);
            }
        }
    }
    prover.check(&mut e, 16);
}

#[test]
fn names_of_rules_are_unique_and_say_what_they_do() {
    let mut names: Vec<&str> = rules().map(|rule| rule.name).collect();
    names.sort_unstable();
    let count = names.len();
    names.dedup();
    assert_eq!(names.len(), count);
    assert!(rules().all(|rule| rule.rewrites.contains("=>")));
}

#[test]
fn comparisons_are_reduced_correctly_without_rules() {
    let mut e = Exprs::without_rewriting();
    let (x, y) = (e.symbol("x", 3, SymbolKind::Signed), e.symbol("y", 3, SymbolKind::Signed));
    let ids = [x, y].map(|s| e.as_symbol(s).unwrap());
    let mut evaluator = Evaluator::new();
    for op in CompareOp::ALL {
        let compared = e.compare(op, x, y);
        for (a, b) in (0..64).map(|v| (v % 8, v / 8)) {
            let model = Model::new().with([(ids[0], a), (ids[1], b)]);
            let expected = crate::concrete::compare(op, a, b, 3) as u128;
            assert_eq!(evaluator.evaluate(&e, compared, &model), expected, "{op:?} {a} {b}");
        }
    }
    assert!(matches!(e.kind(x), ExprKind::Symbol(_)));
}
