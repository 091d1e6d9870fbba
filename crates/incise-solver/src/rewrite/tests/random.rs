//! Random expressions at large widths, with and without rewriting.

use super::generate::{Pool, Random};
use crate::evaluate::Evaluator;
use crate::expr::{Exprs, SymbolKind};
use crate::model::Model;

const WIDTHS: [u32; 8] = [1, 8, 16, 32, 64, 128, 80, 5];

fn pool(random: &mut Random, floats: bool, steps: usize) -> Pool {
    let mut pool = Pool::new(&WIDTHS, floats);
    for (name, width) in
        [("a", 8), ("b", 8), ("c", 32), ("d", 32), ("e", 64), ("f", 16), ("g", 128), ("p", 1), ("h", 80)]
    {
        pool.symbol(name, width);
    }
    for _ in 0..steps {
        pool.step(random);
    }
    pool
}

/// The same values for the symbols of both arenas: they were made in the same order.
fn model(random: &mut Random, exprs: &Exprs) -> Model {
    let symbols = (0..exprs.symbol_count() as u32).map(crate::expr::SymbolId);
    Model::new().with(symbols.map(|symbol| (symbol, random.value(exprs.symbol_info(symbol).width))))
}

fn compare(floats: bool, seeds: std::ops::Range<u64>) {
    for seed in seeds {
        let mut random = Random(seed * 77 + floats as u64);
        let pool = pool(&mut random, floats, 150);
        assert_eq!(pool.arenas[1].rewrites_cut(), 0, "nesting reached its limit with seed {seed}");
        let mut evaluators = [Evaluator::new(), Evaluator::new()];
        for _ in 0..12 {
            let model = model(&mut random, &pool.arenas[0]);
            for pair in &pool.items {
                let [raw, rewritten] =
                    [0, 1].map(|i| evaluators[i].evaluate(&pool.arenas[i], pair[i], &model));
                assert_eq!(raw, rewritten, "seed {seed}: {:?}", pool.arenas[0].kind(pair[0]));
                for i in [0, 1] {
                    let known = pool.arenas[i].known_bits(pair[i]);
                    assert!(
                        raw & known.zeros == 0 && raw & known.ones == known.ones,
                        "known bits, seed {seed}"
                    );
                }
            }
        }
    }
}

#[test]
fn rewriting_keeps_the_value_of_integers() {
    compare(false, 0..400);
}

#[test]
fn rewriting_keeps_the_value_of_floats() {
    compare(true, 0..250);
}

#[test]
fn the_result_does_not_depend_on_what_was_built_before() {
    for seed in 0..40 {
        let first = pool(&mut Random(seed), false, 150);
        let mut second = pool(&mut Random(seed + 1000), false, 200);
        // Building the first pool's expressions again on top of the second's must give the same structures.
        let fresh = pool(&mut Random(seed), false, 150);
        let mut random = Random(seed);
        let before = second.items.len();
        second.items.clear();
        for (name, width) in
            [("a", 8), ("b", 8), ("c", 32), ("d", 32), ("e", 64), ("f", 16), ("g", 128), ("p", 1), ("h", 80)]
        {
            second.symbol(name, width);
        }
        assert!(before > 0);
        second.forget_arrays();
        for _ in 0..150 {
            second.step(&mut random);
        }
        let hashes = |pool: &Pool| -> Vec<u64> {
            pool.items.iter().map(|pair| pool.arenas[1].structural_hash(pair[1])).collect()
        };
        assert_eq!(hashes(&first), hashes(&fresh));
        assert_eq!(hashes(&first), hashes(&second), "seed {seed}");
    }
}

/// Where nesting is cut, the result must not depend on parts that happen to exist either.
#[test]
fn the_result_does_not_depend_on_what_was_built_before_where_nesting_is_cut() {
    let build = |before: bool| {
        let mut e = Exprs::new();
        let mut deep = e.symbol("x", 64, SymbolKind::Unsigned);
        let mut levels = Vec::new();
        for i in 0..60u32 {
            let byte = e.symbol(&format!("y{i}"), 8, SymbolKind::Unsigned);
            let wide = e.zext(byte, 64);
            deep = e.binary(crate::expr::BinaryOp::Xor, deep, wide);
            levels.push(deep);
        }
        if before {
            for &level in &levels {
                e.extract(level, 16, 8);
            }
        }
        let part = e.extract(deep, 16, 8);
        (e.structural_hash(part), e.rewrites_cut())
    };
    let ((with, _), (without, cut)) = (build(true), build(false));
    assert!(cut > 0, "the expression is not deep enough for this test");
    assert_eq!(with, without);
}

#[test]
fn building_an_expression_from_its_parts_again_changes_nothing() {
    for seed in 0..60 {
        let pool = pool(&mut Random(seed), false, 200);
        let mut exprs = pool.arenas.into_iter().nth(1).unwrap();
        for &[_, e] in &pool.items {
            let (kind, width) = (*exprs.kind(e), exprs.width(e));
            assert_eq!(exprs.build(kind, width), e, "seed {seed}: {kind:?}");
        }
    }
}

#[test]
fn deep_expressions_are_built_in_bounded_time() {
    let mut e = Exprs::new();
    let x = e.symbol("x", 32, SymbolKind::Unsigned);
    let p = e.symbol("p", 1, SymbolKind::Bool);
    let mut deep = x;
    for i in 0..100_000u128 {
        let constant = e.constant(i * 0x0505_0505 + 1, 32);
        deep = match i % 6 {
            0 => e.and(deep, constant),
            1 => e.add(deep, x),
            2 => e.binary(crate::expr::BinaryOp::Xor, deep, constant),
            3 => e.ite(p, deep, constant),
            4 => e.or(deep, constant),
            _ => e.sub(x, deep),
        };
    }
    let byte = e.extract(deep, 8, 8);
    assert_eq!(e.width(byte), 8);
    let five = e.constant(5, 32);
    let equal = e.eq(deep, five);
    assert_eq!(e.width(equal), 1);
}
