//! What common code becomes.

use crate::expr::BinaryOp::{Add, LShr, Mul, SRem, Shl, URem, Xor};
use crate::expr::{CompareOp, ExprId, Exprs, SymbolKind};

fn arena() -> (Exprs, ExprId, ExprId) {
    let mut e = Exprs::new();
    let (x, y) = (e.symbol("x", 32, SymbolKind::Signed), e.symbol("y", 32, SymbolKind::Signed));
    (e, x, y)
}

#[test]
fn a_comparison_through_an_int_is_the_comparison() {
    let (mut e, x, y) = arena();
    let below = e.compare(CompareOp::Slt, x, y);
    let as_int = e.zext(below, 32);
    let zero = e.constant(0, 32);
    assert_eq!(e.compare(CompareOp::Ne, as_int, zero), below);
    let not = e.not(below);
    assert_eq!(e.compare(CompareOp::Eq, as_int, zero), not);
    let one = e.constant(1, 32);
    let toggled = e.binary(Xor, as_int, one);
    assert_eq!(e.compare(CompareOp::Ne, toggled, zero), not);
}

#[test]
fn a_pointer_keeps_its_base_through_sums() {
    let (mut e, x, _) = arena();
    let base = e.base(0x4000);
    let index = e.sext(x, 64);
    let four = e.constant(4, 64);
    let scaled = e.binary(Mul, index, four);
    let mut pointer = e.add(base, scaled);
    for offset in [16u128, 8, (-4i64) as u64 as u128] {
        let offset = e.constant(offset, 64);
        pointer = e.add(offset, pointer);
    }
    let twenty = e.constant(20, 64);
    let expected = e.add(scaled, twenty);
    assert_eq!(e.split_base(pointer), Some((0x4000, expected)));
    assert_eq!(e.sub(pointer, base), expected);
    let back = e.sub(pointer, expected);
    assert_eq!(back, base);
    let zero = e.constant(0, 64);
    assert_eq!(e.split_base(base), Some((0x4000, zero)));
    assert_eq!(e.split_base(index), None);
    let other = e.add(base, four);
    let same = e.compare(CompareOp::Eq, pointer, other);
    let offsets = e.eq(expected, four);
    assert_eq!(same, offsets);
    assert_eq!(e.as_constant(base), None);
}

#[test]
fn the_alignment_of_a_pointer_is_known() {
    let (mut e, x, _) = arena();
    let base = e.base(0x4000);
    let index = e.sext(x, 64);
    let eight = e.constant(8, 64);
    let scaled = e.binary(Mul, index, eight);
    let pointer = e.add(base, scaled);
    let seven = e.constant(7, 64);
    let low = e.and(pointer, seven);
    assert_eq!(e.as_constant(low), Some(0));
}

#[test]
fn an_index_in_a_ring_is_the_same_by_a_remainder_and_by_a_condition() {
    let (mut e, x, size) = arena();
    let (zero, one) = (e.constant(0, 32), e.constant(1, 32));
    let mut by_remainder = e.binary(URem, x, size);
    let mut by_condition = by_remainder;
    for _ in 0..20 {
        let next = e.add(by_remainder, one);
        by_remainder = e.binary(URem, next, size);
        let next = e.add(by_condition, one);
        let wraps = e.eq(next, size);
        by_condition = e.ite(wraps, zero, next);
        assert_eq!(by_remainder, by_condition);
        let (inside, none) = (e.compare(CompareOp::Ult, by_condition, size), e.eq_constant(size, 0));
        assert_eq!(inside, e.not(none));
    }
}

#[test]
fn bit_fields_are_read_back_as_written() {
    let (mut e, x, y) = arena();
    // A field of three bits at bit 4, as clang updates and reads it.
    let [hole, three_bits, four] = [!0x70u32 as u128, 7, 4].map(|value| e.constant(value, 32));
    let cleared = e.and(x, hole);
    let value = e.and(y, three_bits);
    let moved = e.binary(Shl, value, four);
    let updated = e.or(cleared, moved);
    let shifted = e.binary(LShr, updated, four);
    let read = e.and(shifted, three_bits);
    assert_eq!(read, value);
    // The bits around it are those of before.
    let fifteen = e.constant(15, 32);
    let (around, before) = (e.and(updated, fifteen), e.and(x, fifteen));
    assert_eq!(around, before);
    let one = e.constant(1, 32);
    let eight_mask = e.constant(!7u32 as u128, 32);
    let with_one = {
        let upper = e.and(x, eight_mask);
        e.or(upper, one)
    };
    let low = e.and(with_one, three_bits);
    assert_eq!(e.as_constant(low), Some(1));
}

#[test]
fn bytes_put_together_by_shifts_are_the_value() {
    let (mut e, x, _) = arena();
    let mut sum = e.constant(0, 32);
    for i in 0..4u32 {
        let byte = e.extract(x, 8 * i, 8);
        let wide = e.zext(byte, 32);
        let amount = e.constant(8 * i as u128, 32);
        let shifted = e.binary(Shl, wide, amount);
        sum = if i % 2 == 0 { e.or(sum, shifted) } else { e.add(sum, shifted) };
    }
    assert_eq!(sum, x);
}

#[test]
fn constants_are_merged_in_sums() {
    let (mut e, x, y) = arena();
    let [two, three, five] = [2, 3, 5].map(|value| e.constant(value, 32));
    let left = e.add(x, two);
    let right = e.add(three, y);
    let sum = e.add(left, right);
    let plain = e.add(x, y);
    assert_eq!(sum, e.add(plain, five));
    let minus = e.sub(sum, five);
    assert_eq!(minus, plain);
    let negative = e.neg(x);
    assert_eq!(e.binary(Add, negative, x), e.constant(0, 32));
}

#[test]
fn comparisons_with_characters_are_narrow() {
    let mut e = Exprs::new();
    let c = e.symbol("c", 8, SymbolKind::Char);
    let wide = e.sext(c, 32);
    let [dash, zero, nine] = [b'-', b'0', b'9'].map(|byte| e.constant(byte as u128, 32));
    let narrow_dash = e.constant(b'-' as u128, 8);
    let narrow = e.eq(c, narrow_dash);
    assert_eq!(e.eq(wide, dash), narrow);
    let digit = e.compare(CompareOp::Sge, wide, zero);
    let narrow_zero = e.constant(b'0' as u128, 8);
    assert_eq!(digit, e.compare(CompareOp::Sge, c, narrow_zero));
    let above = e.compare(CompareOp::Sgt, wide, nine);
    let narrow_nine = e.constant(b'9' as u128, 8);
    assert_eq!(above, e.compare(CompareOp::Sgt, c, narrow_nine));
    let thousand = e.constant(1000, 32);
    assert_eq!(e.compare(CompareOp::Slt, wide, thousand), Exprs::TRUE);
}

#[test]
fn tests_of_digits_are_narrow() {
    let mut e = Exprs::new();
    let c = e.symbol("c", 8, SymbolKind::Char);
    let wide = e.sext(c, 32);
    let minus = e.constant(-48i128 as u128, 32);
    let digit = e.add(wide, minus);
    let [zero, ten] = [0, 10].map(|value| e.constant(value, 32));
    let below = e.compare(CompareOp::Slt, digit, ten);
    let colon = e.constant(b':' as u128, 8);
    assert_eq!(below, e.compare(CompareOp::Slt, c, colon));
    let not_negative = e.compare(CompareOp::Sge, digit, zero);
    let narrow_zero = e.constant(b'0' as u128, 8);
    assert_eq!(not_negative, e.compare(CompareOp::Sge, c, narrow_zero));
    let at_once = e.compare(CompareOp::Ult, digit, ten);
    let narrow_minus = e.constant(-48i128 as u128, 8);
    let narrow_digit = e.add(c, narrow_minus);
    let narrow_ten = e.constant(10, 8);
    assert_eq!(at_once, e.compare(CompareOp::Ult, narrow_digit, narrow_ten));
}

#[test]
fn being_even_is_one_bit() {
    let (mut e, x, _) = arena();
    let two = e.constant(2, 32);
    let remainder = e.binary(SRem, x, two);
    let zero = e.constant(0, 32);
    let even = e.eq(remainder, zero);
    let bit = e.extract(x, 0, 1);
    assert_eq!(even, e.not(bit));
}

#[test]
fn a_negated_condition_is_a_mask() {
    let (mut e, x, _) = arena();
    let bit = e.extract(x, 0, 1);
    let wide = e.zext(bit, 32);
    let mask = e.neg(wide);
    assert_eq!(mask, e.sext(bit, 32));
    let (polynomial, zero) = (e.constant(0xedb8_8320, 32), e.constant(0, 32));
    let masked = e.and(mask, polynomial);
    assert_eq!(masked, e.ite(bit, polynomial, zero));
}

#[test]
fn stores_at_other_places_are_looked_through() {
    let mut e = Exprs::new();
    let i = e.symbol("i", 64, SymbolKind::Unsigned);
    let v = e.symbol("v", 8, SymbolKind::Unsigned);
    let one = e.constant(1, 64);
    let next = e.add(i, one);
    let table = e.array_of_bytes(&[1, 2, 3]);
    let first = e.array_store(table, i, v);
    let zero = e.constant(0, 8);
    let second = e.array_store(first, next, zero);
    assert_eq!(e.select(second, i), v);
    assert_eq!(e.select(second, next), zero);
    let again = e.array_store(second, next, v);
    assert_eq!(again, e.array_store(first, next, v));
}

#[test]
fn a_dividend_less_its_quotient_times_the_divisor_is_the_remainder() {
    use crate::evaluate::Evaluator;
    use crate::expr::BinaryOp::{SDiv, UDiv, URem};
    use crate::model::Model;
    for (quotient, remainder) in [(UDiv, URem), (SDiv, SRem)] {
        let mut e = Exprs::new();
        let (x, y) = (e.symbol("x", 5, SymbolKind::Signed), e.symbol("y", 5, SymbolKind::Signed));
        let divided = e.binary(quotient, x, y);
        let product = e.binary(Mul, y, divided);
        let rest = e.binary(remainder, x, y);
        let zero = e.constant(0, 5);
        let (divides, equal) = (e.eq(rest, zero), e.eq(product, x));
        assert_eq!(equal, divides);
        assert_eq!(e.sub(x, product), rest);
        let (x, y) = (e.as_symbol(x).expect("a symbol"), e.as_symbol(y).expect("a symbol"));
        // The product itself is not rewritten, so that it can be judged by.
        let mut evaluator = Evaluator::new();
        for values in 0..1024u128 {
            let model = Model::new().with([(x, values & 31), (y, values >> 5)]);
            let of = |evaluator: &mut Evaluator, expr| evaluator.evaluate(&e, expr, &model);
            let product = of(&mut evaluator, product);
            assert_eq!((values & 31).wrapping_sub(product) & 31, of(&mut evaluator, rest), "{values}");
            assert_eq!(u128::from(product == values & 31), of(&mut evaluator, divides), "{values}");
        }
    }
}
