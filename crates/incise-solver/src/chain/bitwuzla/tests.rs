//! The translation against the evaluator: with all symbols fixed, an expression must have the evaluated value
//! and no other.

use super::Bitwuzla;
use crate::chain::query::{Query, Verdict};
use crate::chain::testing::{FORMATS, Generator, Profile};
use crate::evaluate::Evaluator;
use crate::expr::{CompareOp, ExprId, Exprs, FloatBinary, FloatFormat, FloatUnary, SymbolKind};
use crate::model::Model;
use crate::work::Deadline;
use std::sync::Arc;
use std::time::Duration;

fn decide(exprs: &Exprs, conditions: Vec<ExprId>) -> Verdict {
    let query = Query::new(exprs, conditions, Deadline::after(Duration::from_secs(60), None));
    Bitwuzla::decide_afresh(&Arc::default(), exprs, &query)
}

/// How the values of symbols are given to Bitwuzla.
#[derive(Copy, Clone, PartialEq)]
enum Given {
    /// By equations, so that constants are folded.
    ByEquations,
    /// By bounds from both sides, so that circuits are built.
    ByBounds,
}

/// Fails unless Bitwuzla finds the evaluated value of `e` under the model, and nothing else.
fn check_value(exprs: &mut Exprs, e: ExprId, model: &Model, given: Given) {
    let mut conditions: Vec<ExprId> = Vec::new();
    let symbols: Vec<_> = exprs.symbols_of(e).collect();
    for symbol in symbols {
        let (symbol_expr, width) = (exprs.symbol_expr(symbol), exprs.symbol_info(symbol).width);
        let value = exprs.constant(model.value(symbol), width);
        let operators: &[CompareOp] = match given {
            Given::ByEquations => &[CompareOp::Eq],
            Given::ByBounds => &[CompareOp::Ule, CompareOp::Uge],
        };
        conditions.extend(operators.iter().map(|op| exprs.compare(*op, symbol_expr, value)));
    }
    let value = Evaluator::new().evaluate(exprs, e, model);
    let constant = exprs.constant(value, exprs.width(e));
    let same = exprs.eq(e, constant);
    conditions.push(same);
    let kind = *exprs.kind(e);
    assert!(matches!(decide(exprs, conditions.clone()), Verdict::Sat(_)), "{kind:?} should be {value:#x}");
    conditions.pop();
    conditions.push(exprs.not(same));
    assert_eq!(decide(exprs, conditions), Verdict::Unsat, "{kind:?} should be {value:#x} only");
}

#[test]
fn random_expressions_have_the_evaluators_values() {
    for seed in 0..60 {
        let floats = seed % 2 == 0;
        let profile = Profile { floats, arrays: true, widest_product: 64 };
        let exprs = if seed % 4 < 2 { Exprs::new() } else { Exprs::without_rewriting() };
        let mut generator = Generator::new(seed, exprs, profile, &[1, 8, 16, 32, 64, 80, 128]);
        for _ in 0..10 {
            let e = generator.grow();
            let model = generator.model();
            check_value(&mut generator.exprs, e, &model, Given::ByEquations);
        }
    }
}

#[test]
fn float_operations_have_the_evaluators_bits_also_for_what_is_not_a_number() {
    use FloatBinary::{Add, Div, Mul, Sub};
    use FloatUnary::{Ceil, Floor, RoundAway, RoundEven, Sqrt, Trunc};
    for format in FORMATS {
        let profile = Profile { floats: true, arrays: false, widest_product: 8 };
        let width = format.width();
        let mut generator = Generator::new(width.into(), Exprs::without_rewriting(), profile, &[width; 3]);
        let [a, b, c] = [0, 1, 2].map(|number| generator.exprs.symbol_expr(generator.symbols[number]));
        let exprs = &mut generator.exprs;
        let mut results: Vec<ExprId> = Vec::new();
        results.extend([Add, Sub, Mul, Div].map(|op| exprs.float_binary(op, format, a, b)));
        results.extend(
            [Sqrt, Floor, Ceil, Trunc, RoundEven, RoundAway].map(|op| exprs.float_unary(op, format, a)),
        );
        results.push(exprs.float_fma(format, a, b, c));
        results.extend(FORMATS.map(|to| exprs.float_to_float(format, to, a)));
        for width in [8, 16, 32, 64, 128] {
            results.extend([true, false].map(|signed| exprs.float_to_int(format, signed, width, a)));
        }
        for result in results {
            for number in 0..6 {
                let symbols = generator.symbols.clone();
                let values: Vec<_> =
                    symbols.into_iter().map(|s| (s, generator.random.float(format))).collect();
                // Circuits of the wide formats take minutes.
                let circuit = number < 2 && format.width() <= 32;
                let given = if circuit { Given::ByBounds } else { Given::ByEquations };
                check_value(&mut generator.exprs, result, &Model::new().with(values), given);
            }
        }
    }
}

#[test]
fn the_remainder_of_halves_is_that_of_c() {
    let format = FloatFormat::Half;
    let profile = Profile { floats: true, arrays: false, widest_product: 8 };
    let mut generator = Generator::new(5, Exprs::without_rewriting(), profile, &[16; 2]);
    let [a, b] = [0, 1].map(|number| generator.exprs.symbol_expr(generator.symbols[number]));
    let remainder = generator.exprs.float_binary(FloatBinary::Rem, format, a, b);
    for _ in 0..40 {
        let symbols = generator.symbols.clone();
        let values: Vec<_> = symbols.into_iter().map(|s| (s, generator.random.float(format))).collect();
        check_value(&mut generator.exprs, remainder, &Model::new().with(values), Given::ByEquations);
    }
}

/// Bitwuzla's circuit for this conversion, with a narrower exponent and a wider significand, gave a wrong number.
#[test]
fn a_bfloat_becomes_the_half_of_the_same_value() {
    let mut exprs = Exprs::new();
    let x = exprs.symbol("x", 16, SymbolKind::Float(FloatFormat::BFloat));
    let half = exprs.float_to_float(FloatFormat::BFloat, FloatFormat::Half, x);
    let symbol = exprs.as_symbol(x).expect("a symbol");
    for bits in [0x3f89, 0xbf80, 0x3f90, 0, 0x7f80, 0x4780, 0x3300] {
        check_value(&mut exprs, half, &Model::new().with([(symbol, bits)]), Given::ByBounds);
    }
}
