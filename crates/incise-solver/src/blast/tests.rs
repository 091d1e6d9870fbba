//! Gates against the evaluator: every operation over all values of small words, random expressions over
//! random values of wide ones.

use super::gates::{Bit, Gate, GateNode, Gates};
use super::{Blaster, NotBlasted};
use crate::chain::testing::{Generator, Profile};
use crate::concrete;
use crate::evaluate::Evaluator;
use crate::expr::{BinaryOp, CompareOp, ExprId, Exprs, FloatCompare, FloatFormat, SymbolKind};
use crate::model::Model;

/// The value of all nodes for given values of the inputs.
fn simulate(gates: &Gates, input: impl Fn(GateNode) -> bool) -> Vec<bool> {
    let mut values = Vec::with_capacity(gates.len());
    for index in 0..gates.len() {
        let of = |bit: Bit| values_of(&values, bit);
        let value = match gates.gate(GateNode::from_index(index)) {
            Gate::Constant => false,
            Gate::Input => input(GateNode::from_index(index)),
            Gate::And(a, b) => of(a) && of(b),
            Gate::Xor(a, b) => of(a) != of(b),
            Gate::Mux(c, t, e) => {
                if of(c) {
                    of(t)
                } else {
                    of(e)
                }
            }
            Gate::Majority(a, b, c) => [a, b, c].iter().filter(|operand| of(**operand)).count() >= 2,
        };
        values.push(value);
    }
    values
}

fn values_of(values: &[bool], bit: Bit) -> bool {
    values[bit.node().index()] == bit.is_positive()
}

/// The value of an expression by its gates.
fn by_gates(blaster: &Blaster, exprs: &Exprs, e: ExprId, symbols: &[ExprId], model: &Model) -> u128 {
    let mut inputs = std::collections::HashMap::new();
    for &symbol in symbols {
        let value = model.value(exprs.as_symbol(symbol).expect("a symbol"));
        for (position, bit) in blaster.bits(exprs, symbol).iter().enumerate() {
            inputs.insert(bit.node(), value >> position & 1 == 1);
        }
    }
    let values = simulate(blaster.gates(), |node| inputs[&node]);
    let bits = blaster.bits(exprs, e);
    assert_eq!(bits.len(), exprs.width(e) as usize);
    bits.iter()
        .enumerate()
        .fold(0, |value, (position, bit)| value | u128::from(values_of(&values, *bit)) << position)
}

#[test]
fn operations_on_small_words_are_right_for_all_values() {
    for width in 1..=4 {
        let mut exprs = Exprs::without_rewriting();
        let (x, y) =
            (exprs.symbol("x", width, SymbolKind::Unsigned), exprs.symbol("y", width, SymbolKind::Unsigned));
        let mut blaster = Blaster::new(10_000);
        let mut results = Vec::new();
        for op in BinaryOp::ALL {
            results.push(exprs.binary(op, x, y));
            for value in 0..1 << width {
                let constant = exprs.constant(value, width);
                results.push(exprs.binary(op, x, constant));
                results.push(exprs.binary(op, constant, y));
            }
        }
        for op in CompareOp::ALL {
            results.push(exprs.compare(op, x, y));
        }
        results.extend([exprs.neg(x), exprs.not(y), exprs.sext(x, width + 3), exprs.zext(y, width + 2)]);
        results.push(exprs.concat(x, y));
        for &result in &results {
            blaster.translate(&exprs, result, &|| false).expect("nothing here is too large");
        }
        let symbols = [x, y].map(|e| exprs.as_symbol(e).expect("a symbol"));
        let mut evaluator = Evaluator::new();
        for a in 0..1 << width {
            for b in 0..1 << width {
                let model = Model::new().with([(symbols[0], a), (symbols[1], b)]);
                let inputs = |node: GateNode| {
                    let position = |e| blaster.bits(&exprs, e).iter().position(|bit| bit.node() == node);
                    position(x)
                        .map_or_else(|| b >> position(y).expect("an input") & 1 == 1, |p| a >> p & 1 == 1)
                };
                let values = simulate(blaster.gates(), inputs);
                for &result in &results {
                    let got =
                        blaster.bits(&exprs, result).iter().enumerate().fold(0, |value, (position, bit)| {
                            value | u128::from(values_of(&values, *bit)) << position
                        });
                    let expected = evaluator.evaluate(&exprs, result, &model);
                    assert_eq!(got, expected, "{:?} of {a} and {b} at width {width}", exprs.kind(result));
                }
            }
        }
    }
}

#[test]
fn random_expressions_have_the_evaluators_values() {
    let profile = Profile { floats: false, arrays: true, widest_product: 24 };
    for seed in 0..300 {
        let exprs = if seed % 2 == 0 { Exprs::new() } else { Exprs::without_rewriting() };
        let mut generator = Generator::new(seed, exprs, profile, &[1, 8, 13, 32, 64, 128]);
        let mut blaster = Blaster::new(100_000);
        let symbols: Vec<ExprId> =
            generator.symbols.iter().map(|symbol| generator.exprs.symbol_expr(*symbol)).collect();
        for &symbol in &symbols {
            blaster.translate(&generator.exprs, symbol, &|| false).expect("a symbol");
        }
        let mut evaluator = Evaluator::new();
        for _ in 0..25 {
            let e = generator.grow();
            blaster.translate(&generator.exprs, e, &|| false).expect("within the limit");
            for _ in 0..4 {
                let model = generator.model();
                let expected = evaluator.evaluate(&generator.exprs, e, &model);
                let got = by_gates(&blaster, &generator.exprs, e, &symbols, &model);
                assert_eq!(got, expected, "seed {seed}: {:?}", generator.exprs.kind(e));
            }
        }
    }
}

#[test]
fn wide_divisions_and_products_are_right() {
    for width in [16, 33, 64, 128] {
        let mut exprs = Exprs::new();
        let (x, y) =
            (exprs.symbol("x", width, SymbolKind::Unsigned), exprs.symbol("y", width, SymbolKind::Unsigned));
        let mut blaster = Blaster::new(1_000_000);
        let mut random = crate::chain::testing::Random::new(width.into());
        for op in [BinaryOp::Mul, BinaryOp::UDiv, BinaryOp::SDiv, BinaryOp::URem, BinaryOp::SRem] {
            let e = exprs.binary(op, x, y);
            blaster.translate(&exprs, e, &|| false).expect("within the limit");
            assert!(blaster.is_hard(e));
            for _ in 0..10 {
                let (a, b) = (random.value(width), random.value(width));
                let ids = [x, y].map(|e| exprs.as_symbol(e).expect("a symbol"));
                let model = Model::new().with([(ids[0], a), (ids[1], b)]);
                let got = by_gates(&blaster, &exprs, e, &[x, y], &model);
                assert_eq!(got, concrete::binary(op, a, b, width), "{op:?} {a:x} {b:x}");
            }
        }
    }
}

#[test]
fn floats_and_giant_operations_are_declined_once_and_for_all() {
    let mut exprs = Exprs::new();
    let mut blaster = Blaster::new(8000);
    let (x, y) = (exprs.symbol("x", 64, SymbolKind::Unsigned), exprs.symbol("y", 64, SymbolKind::Unsigned));
    let less = exprs.float_compare(FloatCompare::Lt, FloatFormat::Double, x, y);
    let plain = exprs.compare(CompareOp::Ult, x, y);
    let both = exprs.and(less, plain);
    assert_eq!(blaster.condition(&exprs, both, &|| false), Err(NotBlasted::Float));
    assert_eq!(blaster.condition(&exprs, both, &|| false), Err(NotBlasted::Float));
    assert!(blaster.condition(&exprs, plain, &|| false).is_ok());
    let quotient = exprs.binary(BinaryOp::UDiv, x, y);
    let seven = exprs.constant(7, 64);
    let is_seven = exprs.eq(quotient, seven);
    assert_eq!(blaster.condition(&exprs, is_seven, &|| false), Err(NotBlasted::TooLarge));
}

#[test]
fn a_deep_expression_needs_no_stack() {
    let mut exprs = Exprs::without_rewriting();
    let x = exprs.symbol("x", 8, SymbolKind::Unsigned);
    let mut sum = x;
    for _ in 0..100_000 {
        sum = exprs.binary(BinaryOp::Xor, sum, x);
    }
    let zero = exprs.constant(0, 8);
    let condition = exprs.eq(sum, zero);
    let mut blaster = Blaster::new(8000);
    let bit = blaster.condition(&exprs, condition, &|| false).expect("small words");
    // An even number of exclusive-ors with itself leaves the word.
    let direct = exprs.eq(x, zero);
    assert_eq!(blaster.condition(&exprs, direct, &|| false), Ok(bit));
}

#[test]
fn what_was_stopped_is_translated_another_time() {
    let mut exprs = Exprs::without_rewriting();
    let x = exprs.symbol("x", 8, SymbolKind::Unsigned);
    let one = exprs.constant(1, 8);
    let sum = (0..1000).fold(x, |sum, _| exprs.binary(BinaryOp::Add, sum, one));
    let zero = exprs.constant(0, 8);
    let condition = exprs.eq(sum, zero);
    let mut blaster = Blaster::new(8000);
    assert_eq!(blaster.condition(&exprs, condition, &|| true), Err(NotBlasted::Stopped));
    assert!(blaster.condition(&exprs, condition, &|| false).is_ok());
}
