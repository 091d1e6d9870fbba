//! Values taken apart into bytes and put together again.

use super::generate::{Pool, Random};
use crate::expr::{BinaryOp, ExprId, Exprs, SymbolKind};

fn bytes(e: &mut Exprs, value: ExprId) -> Vec<ExprId> {
    (0..e.width(value) / 8).map(|i| e.extract(value, 8 * i, 8)).collect()
}

/// From the lowest byte up, from the highest down, and in halves.
fn loads(e: &mut Exprs, bytes: &[ExprId]) -> [ExprId; 3] {
    let up = bytes.iter().copied().reduce(|low, high| e.concat(high, low)).unwrap();
    let down = bytes.iter().rev().copied().reduce(|high, low| e.concat(high, low)).unwrap();
    let mut parts = bytes.to_vec();
    while parts.len() > 1 {
        parts = parts
            .chunks(2)
            .map(|pair| if let [low, high] = *pair { e.concat(high, low) } else { pair[0] })
            .collect();
    }
    [up, down, parts[0]]
}

#[test]
fn symbols_survive_memory() {
    let mut e = Exprs::new();
    for width in [16, 24, 32, 48, 64, 80, 128] {
        let x = e.symbol("x", width, SymbolKind::Signed);
        let parts = bytes(&mut e, x);
        assert_eq!(loads(&mut e, &parts), [x; 3], "width {width}");
        let halves = [e.extract(x, 0, 8), e.extract(x, 8, width - 8)];
        assert_eq!(e.concat(halves[1], halves[0]), x);
    }
}

#[test]
fn what_code_computes_survives_memory() {
    let mut e = Exprs::new();
    let c = e.symbol("c", 8, SymbolKind::Char);
    let x = e.symbol("x", 32, SymbolKind::Signed);
    let y = e.symbol("y", 32, SymbolKind::Signed);
    let p = e.symbol("p", 1, SymbolKind::Bool);
    let mut values = vec![x];
    for wide in [e.sext(c, 32), e.zext(c, 32)] {
        let minus = e.constant((-48i32) as u128, 32);
        let digit = e.add(wide, minus);
        let ten = e.constant(10, 32);
        let product = e.binary(BinaryOp::Mul, x, ten);
        let three = e.constant(3, 32);
        values.extend([
            wide,
            digit,
            e.add(product, digit),
            e.binary(BinaryOp::Shl, wide, three),
            e.add(wide, wide),
        ]);
        values.extend([
            e.ite(p, wide, x),
            e.ite(p, wide, minus),
            e.ite(p, digit, wide),
            e.not(wide),
            e.sub(x, wide),
        ]);
        let mask = e.constant(0xff00, 32);
        values.extend([e.and(x, mask), e.or(wide, x), e.and(wide, y), e.binary(BinaryOp::Xor, wide, x)]);
    }
    let [three, mask, sign, odd] =
        [3, !7u32 as u128, 1 << 31, 0x5a5a_1234].map(|value| e.constant(value, 32));
    for op in BinaryOp::ALL {
        values.extend([
            e.binary(op, x, y),
            e.binary(op, x, three),
            e.binary(op, x, mask),
            e.binary(op, x, odd),
        ]);
    }
    values.extend([
        e.binary(BinaryOp::Xor, x, sign),
        e.or(x, sign),
        e.and(x, sign),
        e.zext(p, 32),
        e.sext(p, 32),
    ]);
    let pointer = {
        let (base, index) = (e.base(0x5000), e.sext(x, 64));
        let eight = e.constant(8, 64);
        let offset = e.binary(BinaryOp::Mul, index, eight);
        e.add(base, offset)
    };
    values.push(pointer);
    for value in values {
        let parts = bytes(&mut e, value);
        assert_eq!(loads(&mut e, &parts), [value; 3], "{}", e.display_c(value));
    }
}

#[test]
fn most_random_values_survive_memory() {
    let (mut same, mut all) = (0, 0);
    for seed in 0..150 {
        let mut pool = Pool::new(&[1, 8, 16, 32, 64], false);
        for (name, width) in [("a", 8), ("b", 8), ("c", 32), ("d", 32), ("e", 64), ("f", 16), ("p", 1)] {
            pool.symbol(name, width);
        }
        let mut random = Random(seed);
        for _ in 0..120 {
            pool.step(&mut random);
        }
        let e = &mut pool.arenas[1];
        for &[_, value] in &pool.items {
            if e.width(value).is_multiple_of(8) && e.width(value) > 8 && e.as_constant(value).is_none() {
                let parts = bytes(e, value);
                all += 1;
                let loaded = loads(e, &parts);
                same += (loaded == [value; 3]) as usize;
            }
        }
    }
    assert!(same * 100 >= all * 95, "{same} of {all}");
}
