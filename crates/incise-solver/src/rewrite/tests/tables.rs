//! Comparisons of constant tables: random ones against evaluation, and what common code becomes.

use super::generate::Random;
use crate::concrete::mask;
use crate::evaluate::Evaluator;
use crate::expr::BinaryOp::{Add, And, Mul, Shl, Xor};
use crate::expr::{
    ArrayId, CompareOp, ExprId, ExprKind, Exprs, FloatCompare, FloatFormat, Relation, SymbolKind,
};
use crate::model::Model;
use crate::{Answer, Constraints, Solver, SolverConfig, Validate};
use std::sync::Arc;

/// A little-endian read of several bytes, as the engine makes it.
fn read(e: &mut Exprs, table: ArrayId, offset: ExprId, bytes: u32) -> ExprId {
    let mut value = e.select(table, offset);
    for byte in 1..bytes {
        let step = e.constant(byte as u128, 64);
        let at = e.add(offset, step);
        let next = e.select(table, at);
        value = e.concat(next, value);
    }
    value
}

/// An element of a table of the size, with a constant added to the offset.
fn element(e: &mut Exprs, table: ArrayId, index: ExprId, size: u32, plus: i64) -> ExprId {
    let scale = e.constant(size as u128, 64);
    let scaled = e.binary(Mul, index, scale);
    let plus = e.constant(plus as u64 as u128, 64);
    let offset = e.add(scaled, plus);
    read(e, table, offset, size)
}

fn table_of(e: &mut Exprs, elements: &[i32]) -> ArrayId {
    let bytes: Vec<u8> = elements.iter().flat_map(|element| element.to_le_bytes()).collect();
    e.array_of_bytes(&bytes)
}

#[track_caller]
fn check(e: &mut Exprs, op: CompareOp, value: ExprId, constant: i128, expected: &str) {
    let constant = e.constant(constant as u128, e.width(value));
    let compared = e.compare(op, value, constant);
    assert_eq!(e.display_c(compared), expected);
}

#[test]
fn an_element_that_occurs_once_or_twice_tells_the_index() {
    let mut e = Exprs::new();
    let i = e.symbol("i", 32, SymbolKind::Signed);
    let wide = e.sext(i, 64);
    let table = table_of(&mut e, &[10, 20, -30, 10, 0, 50]);
    let value = element(&mut e, table, wide, 4, 0);
    check(&mut e, CompareOp::Eq, value, 20, "i == 1");
    check(&mut e, CompareOp::Ne, value, 20, "i != 1");
    check(&mut e, CompareOp::Eq, value, -30, "i == 2");
    check(&mut e, CompareOp::Eq, value, 10, "i == 0 || i == 3");
    check(&mut e, CompareOp::Ne, value, 10, "i != 0 && i != 3");
    check(&mut e, CompareOp::Eq, value, 11, "0");
    check(&mut e, CompareOp::Slt, value, 0, "i == 2");
    check(&mut e, CompareOp::Sgt, value, 15, "i == 1 || i == 5");
    let next = element(&mut e, table, wide, 4, 4);
    check(&mut e, CompareOp::Eq, next, 20, "i == 0");
    let before = element(&mut e, table, wide, 4, -8);
    check(&mut e, CompareOp::Eq, before, 20, "i == 3");
}

/// Past the end a read gives zero, and a read that begins before the table or ends past it gives a part of it.
#[test]
fn reads_outside_count_as_what_they_give() {
    let mut e = Exprs::new();
    let i = e.symbol("i", 64, SymbolKind::Signed);
    let table = table_of(&mut e, &[1, 0, 3]);
    let value = element(&mut e, table, i, 1, 0);
    check(&mut e, CompareOp::Ne, value, 0, "i == 0 || i == 8");
    check(&mut e, CompareOp::Eq, value, 0, "i != 0 && i != 8");
    let pair = read(&mut e, table, i, 2);
    check(&mut e, CompareOp::Eq, pair, 0x100, "i == -1");
    check(&mut e, CompareOp::Eq, pair, 0x300, "i == 7");
    let bytes = e.array_of_bytes(&[5, 6, 7]);
    let last = read(&mut e, bytes, i, 2);
    check(&mut e, CompareOp::Eq, last, 7, "i == 2");
}

#[test]
fn functions_in_a_table_are_called_by_the_index() {
    let mut e = Exprs::new();
    let kind = e.symbol("kind", 32, SymbolKind::Signed);
    let wide = e.sext(kind, 64);
    let addresses: [u64; 4] = [0x4000_0040, 0x4000_0080, 0x4000_0040, 0x4000_00c0];
    let bytes: Vec<u8> = addresses.iter().flat_map(|address| address.to_le_bytes()).collect();
    let table = e.array_of_bytes(&bytes);
    let function = element(&mut e, table, wide, 8, 0);
    for (address, expected) in
        [(0x4000_0040, "kind == 0 || kind == 2"), (0x4000_0080, "kind == 1"), (0x4000_00c0, "kind == 3")]
    {
        let base = e.base(address);
        let same = e.eq(function, base);
        assert_eq!(e.display_c(same), expected);
        check(&mut e, CompareOp::Eq, function, address as i128, expected);
    }
    // The object that a pointer of the table is in.
    let start = e.constant(0x4000_0070, 64);
    let offset = e.sub(function, start);
    check(&mut e, CompareOp::Ult, offset, 0x20, "kind == 1");
}

#[test]
fn fields_of_structs_in_a_table_tell_the_index() {
    let mut e = Exprs::new();
    let i = e.symbol("i", 32, SymbolKind::Signed);
    let c = e.symbol("c", 8, SymbolKind::Unsigned);
    let table = table_of(&mut e, &[1, 70, 5, 2, 80, 6, 3, 70, 7, 1, 90, 8]);
    for (index, first, second) in [
        (e.sext(i, 64), "i == 0 || i == 2", "i == 3"),
        (e.zext(i, 64), "i == 0 || i == 2", "i == 3"),
        (e.zext(c, 64), "c == 0 || c == 2", "c == 3"),
    ] {
        let scale = e.constant(12, 64);
        let scaled = e.binary(Mul, index, scale);
        let four = e.constant(4, 64);
        let offset = e.add(scaled, four);
        let field = read(&mut e, table, offset, 4);
        check(&mut e, CompareOp::Eq, field, 70, first);
        check(&mut e, CompareOp::Eq, field, 90, second);
        check(&mut e, CompareOp::Eq, field, 2, "0");
    }
}

#[test]
fn ordered_comparisons_become_ranges_of_the_index() {
    let mut e = Exprs::new();
    let (i, c) = (e.symbol("i", 32, SymbolKind::Signed), e.symbol("c", 8, SymbolKind::Unsigned));
    let limits: Vec<i32> = (1..=10).map(|n| n * 10).collect();
    let table = table_of(&mut e, &limits);
    let wide = e.sext(i, 64);
    let value = element(&mut e, table, wide, 4, 0);
    check(&mut e, CompareOp::Sgt, value, 55, "i < 10 && i >= 5");
    let small = e.zext(c, 64);
    let value = element(&mut e, table, small, 4, 0);
    check(&mut e, CompareOp::Sgt, value, 95, "c == 9");
    // Every value of a byte is inside: one end of a range need not be said.
    let squares: Vec<i32> = (0..256).map(|n| n * n).collect();
    let table = table_of(&mut e, &squares);
    let value = element(&mut e, table, small, 4, 0);
    check(&mut e, CompareOp::Slt, value, 100, "c < 10");
    check(&mut e, CompareOp::Sge, value, 100, "c >= 10");
}

#[test]
fn tables_of_truth_values_and_flags_tell_the_index() {
    let mut e = Exprs::new();
    let i = e.symbol("i", 32, SymbolKind::Signed);
    let wide = e.sext(i, 64);
    let table = e.array_of_bytes(&[0, 1, 0, 0, 1, 0]);
    let value = e.select(table, wide);
    let set = e.trunc(value, 1);
    assert_eq!(e.display_c(set), "i == 1 || i == 4");
    let flags = e.array_of_bytes(&[0x10, 0x31, 0x22, 0x34]);
    let value = e.select(flags, wide);
    let sixteen = e.constant(0x30, 8);
    let masked = e.binary(And, value, sixteen);
    check(&mut e, CompareOp::Eq, masked, 0x20, "i == 2");
    check(&mut e, CompareOp::Eq, masked, 0x30, "i == 1 || i == 3");
}

#[test]
fn tables_of_floats_tell_the_index() {
    let mut e = Exprs::new();
    let i = e.symbol("i", 32, SymbolKind::Signed);
    let wide = e.sext(i, 64);
    let bytes: Vec<u8> =
        [0.5f64, 1.5, 2.5, f64::NAN].iter().flat_map(|number| number.to_le_bytes()).collect();
    let table = e.array_of_bytes(&bytes);
    let value = element(&mut e, table, wide, 8, 0);
    let one = e.constant(1f64.to_bits() as u128, 64);
    let above = e.float_compare(FloatCompare::Lt, FloatFormat::Double, one, value);
    assert_eq!(e.display_c(above), "i == 1 || i == 2");
    let below = e.float_compare(FloatCompare::Lt, FloatFormat::Double, value, one);
    assert_eq!(e.display_c(below), "i <= 0 || i >= 4");
    let nan = e.float_compare(FloatCompare::Unordered, FloatFormat::Double, value, value);
    assert_eq!(e.display_c(nan), "i == 3");
}

#[test]
fn what_would_take_many_comparisons_stays() {
    let mut e = Exprs::new();
    let i = e.symbol("i", 64, SymbolKind::Unsigned);
    let bytes: Vec<u8> = (0..64).map(|n| n % 3).collect();
    let table = e.array_of_bytes(&bytes);
    let value = e.select(table, i);
    let two = e.constant(2, 8);
    let equal = e.eq(value, two);
    let expected = e.raw(ExprKind::Compare(Relation::Eq, value, two), 1);
    assert_eq!(equal, expected);
    // What was stored on top may be anything.
    let few = e.array_of_bytes(&[1, 2]);
    let v = e.symbol("v", 8, SymbolKind::Unsigned);
    let j = e.symbol("j", 64, SymbolKind::Unsigned);
    let stored = e.array_store(few, j, v);
    let value = e.select(stored, i);
    let equal = e.eq(value, two);
    let expected = e.raw(ExprKind::Compare(Relation::Eq, value, two), 1);
    assert_eq!(equal, expected);
}

/// Random reads of random tables at every kind of index, compared by evaluation with what no rule touched.
struct Case {
    bytes: Vec<u8>,
    width: u32,
    signed: bool,
    /// The index before it is scaled: as it is, with a constant added, masked.
    shape: usize,
    scale: Option<u128>,
    shift: u128,
    plus: u64,
    size: u32,
    op: CompareOp,
    constant: u128,
    bit: bool,
}

impl Case {
    fn random(random: &mut Random) -> Self {
        let few = random.chance(2);
        let length = 1 + random.below(40);
        let bytes: Vec<u8> = (0..length)
            .map(|_| match random.below(4) {
                _ if few => random.below(3) as u8,
                0 => 0,
                1 => 0xff,
                _ => random.below(256) as u8,
            })
            .collect();
        let size = random.pick(&[1, 1, 2, 4, 8]);
        // Mostly what stands somewhere in the table, else it is never equal.
        let at = random.below(length);
        let there = (0..size as usize)
            .map(|i| (bytes.get(at + i).copied().unwrap_or(0) as u128) << (8 * i))
            .fold(0, |all, byte| all | byte);
        let constant = if random.chance(4) { random.value(8 * size) } else { there };
        let plus = match random.below(5) {
            0 => 0,
            1 => (random.below(24) as u64).wrapping_sub(12),
            2 => 1 << random.below(64),
            3 => (random.below(8) as u64).wrapping_sub(4).wrapping_add(1 << 63),
            _ => size as u64 * random.below(4) as u64,
        };
        Case {
            width: random.pick(&[3, 8, 16, 32, 61, 64]),
            signed: random.chance(2),
            shape: random.below(4),
            scale: random.chance(2).then(|| random.pick(&[1, 2, 3, 4, 5, 8, 12, 24, 1 << 33, 1 << 62])),
            shift: random.below(4) as u128,
            plus,
            size,
            op: random.pick(&[CompareOp::Eq, CompareOp::Eq, CompareOp::Ne, CompareOp::Ult, CompareOp::Sge]),
            constant,
            bit: random.chance(8),
            bytes,
        }
    }

    fn build(&self, e: &mut Exprs) -> ExprId {
        let (value, constant) = self.operands(e);
        if self.bit {
            return e.extract(value, self.constant as u32 % (8 * self.size), 1);
        }
        e.compare(self.op, value, constant)
    }

    /// What is read, and what it is compared with.
    fn operands(&self, e: &mut Exprs) -> (ExprId, ExprId) {
        let i = e.symbol("i", self.width, SymbolKind::Signed);
        let three = e.constant(3, self.width);
        let i = match self.shape {
            0 => e.binary(Add, i, three),
            1 => e.binary(And, i, three),
            _ => i,
        };
        let wide = if self.signed { e.sext(i, 64) } else { e.zext(i, 64) };
        let scaled = match self.scale {
            Some(scale) => {
                let scale = e.constant(scale, 64);
                e.binary(Mul, wide, scale)
            }
            None => {
                let shift = e.constant(self.shift, 64);
                e.binary(Shl, wide, shift)
            }
        };
        let plus = e.constant(self.plus as u128, 64);
        let offset = e.add(scaled, plus);
        let table = e.array_of_bytes(&self.bytes);
        let value = read(e, table, offset, self.size);
        (value, e.constant(self.constant, 8 * self.size))
    }

    /// Values of the index that bring the read near the table, and some others.
    fn values(&self, random: &mut Random) -> Vec<u128> {
        let scale = self.scale.unwrap_or(1 << self.shift) as i128;
        let plus = self.plus as i64 as i128;
        let mut values: Vec<i128> = (-10..=self.bytes.len() as i128 + 2)
            .flat_map(|position| {
                let value = (position - plus).div_euclid(scale);
                [value, value - 3, value + (1 << 64) / scale, value - (1 << 64) / scale]
            })
            .collect();
        values.extend((0..8).map(|n| n - 4));
        values.extend((0..20).map(|_| random.value(64) as i128));
        values.into_iter().map(|value| value as u128 & mask(self.width)).collect()
    }
}

#[test]
fn random_tables_are_read_the_same_with_and_without_rules() {
    let mut fired = 0;
    for seed in 0..6_000 {
        let mut random = Random(seed);
        let case = Case::random(&mut random);
        let mut arenas = [Exprs::without_rewriting(), Exprs::new()];
        let built = [0, 1].map(|at| case.build(&mut arenas[at]));
        fired += arenas[1]
            .rule_counts()
            .filter(|(rule, _)| rule.name.ends_with("-table"))
            .map(|(_, count)| count)
            .sum::<u64>();
        let symbol = arenas[0].symbols_of(built[0]).next().unwrap();
        let mut evaluators = [Evaluator::new(), Evaluator::new()];
        for value in case.values(&mut random) {
            let model = Model::new().with([(symbol, value)]);
            let [raw, rewritten] = [0, 1].map(|at| evaluators[at].evaluate(&arenas[at], built[at], &model));
            assert_eq!(
                raw,
                rewritten,
                "seed {seed}, i = {value:#x}: {} of {:?}",
                arenas[1].display_c(built[1]),
                case.bytes
            );
        }
    }
    assert!(fired > 3_000, "the rules fired {fired} times only");
}

/// For all values of the index: no value tells the comparison as it was asked for from what became of it, says
/// Bitwuzla.
#[test]
fn the_solver_finds_no_index_for_which_a_table_is_read_otherwise() {
    let config = SolverConfig { validate: Validate::Bitwuzla, ..SolverConfig::default() };
    let mut fired = 0;
    for seed in 0..250 {
        let mut random = Random(seed + 100_000);
        let case = Case { bit: false, op: CompareOp::Eq, ..Case::random(&mut random) };
        let mut e = Exprs::new();
        let (value, constant) = case.operands(&mut e);
        for relation in [Relation::Eq, Relation::Ult, Relation::Slt] {
            let rewritten = e.relation(relation, value, constant);
            let asked = e.raw(ExprKind::Compare(relation, value, constant), 1);
            if rewritten == asked {
                continue;
            }
            fired += 1;
            let different = e.raw(ExprKind::Binary(Xor, asked, rewritten), 1);
            let mut solver = Solver::new(config.clone(), Arc::default());
            let answer = solver.check(&mut e, &Constraints::new(), different, &Model::new());
            assert!(matches!(answer, Answer::Unsat), "seed {seed}: {}", e.display_c(rewritten));
            assert_eq!(solver.stats().faults, 0, "seed {seed}");
        }
    }
    assert!(fired > 300, "the rules fired {fired} times only");
}
