//! Functions of the C library: what is proved of them, what is found, and what stays unknown.

use crate::chain::testing::Random;
use crate::chain::{Answer, Solver, SolverConfig, Validate};
use crate::concrete;
use crate::constraints::Constraints;
use crate::evaluate::Evaluator;
use crate::expr::{
    CompareOp, ExprId, Exprs, FloatBinary, FloatCompare, FloatFormat, MathFunction, SymbolKind,
};
use crate::model::Model;
use std::sync::Arc;

const FORMATS: [FloatFormat; 2] = [FloatFormat::Single, FloatFormat::Double];
const DOUBLE: FloatFormat = FloatFormat::Double;

fn solver(validate: Validate) -> Solver {
    Solver::new(SolverConfig { validate, ..SolverConfig::default() }, Arc::default())
}

/// The answer about conditions, which is compared with that of other ways.
fn ask(exprs: &mut Exprs, conditions: &[ExprId]) -> Answer {
    let all = conditions.iter().fold(Exprs::TRUE, |all, &condition| exprs.and(all, condition));
    let answer = solver(Validate::Bitwuzla).check(exprs, &Constraints::new(), all, &Model::new());
    if let Answer::Sat(model) = &answer {
        for &condition in conditions {
            assert!(Evaluator::new().holds(exprs, condition, model), "{}", exprs.display_c(condition));
        }
    }
    answer
}

fn float(exprs: &mut Exprs, name: &str, format: FloatFormat) -> ExprId {
    exprs.symbol(name, format.width(), SymbolKind::Float(format))
}

fn call(exprs: &mut Exprs, function: MathFunction, format: FloatFormat, arguments: [ExprId; 2]) -> ExprId {
    exprs.math(function, format, &arguments[..function.arity()]).expect("a function of that format")
}

fn number(exprs: &mut Exprs, value: f64) -> ExprId {
    exprs.constant(value.to_bits().into(), 64)
}

fn less(exprs: &mut Exprs, a: ExprId, b: ExprId) -> ExprId {
    exprs.float_compare(FloatCompare::Lt, DOUBLE, a, b)
}

#[test]
fn calls_of_constants_have_the_values_of_the_library() {
    let mut random = Random::new(4);
    for format in FORMATS {
        let mut exprs = Exprs::new();
        let symbols = ["x", "y"].map(|name| float(&mut exprs, name, format));
        let ids = symbols.map(|symbol| exprs.as_symbol(symbol).expect("a symbol"));
        for &function in MathFunction::ALL {
            let symbolic = call(&mut exprs, function, format, symbols);
            for _ in 0..300 {
                let values = [random.float(format), random.float(format)];
                let expected = match format {
                    FloatFormat::Single => {
                        let [x, y] = values.map(|bits| f32::from_bits(bits as u32));
                        u128::from(function.of_singles(x, y).to_bits())
                    }
                    _ => {
                        let [x, y] = values.map(|bits| f64::from_bits(bits as u64));
                        u128::from(function.of_doubles(x, y).to_bits())
                    }
                };
                let constants = values.map(|bits| exprs.constant(bits, format.width()));
                let folded = call(&mut exprs, function, format, constants);
                assert_eq!(exprs.as_constant(folded), Some(expected), "{function:?} {values:x?}");
                let model = Model::new().with(ids.into_iter().zip(values));
                assert_eq!(Evaluator::new().evaluate(&exprs, symbolic, &model), expected);
            }
        }
        let x = exprs.symbol("x", 80, SymbolKind::Float(FloatFormat::X87));
        assert_eq!(exprs.math(MathFunction::Sin, FloatFormat::X87, &[x]), None);
        assert_eq!(exprs.math(MathFunction::Pow, format, &[symbols[0]]), None);
    }
}

#[test]
fn equal_arguments_give_equal_results() {
    for format in FORMATS {
        for &function in MathFunction::ALL {
            let mut exprs = Exprs::new();
            let [x, y, z] = ["x", "y", "z"].map(|name| float(&mut exprs, name, format));
            let (of_x, of_y) =
                (call(&mut exprs, function, format, [x, z]), call(&mut exprs, function, format, [y, z]));
            assert_eq!(of_x, call(&mut exprs, function, format, [x, z]));
            let (same, equal) = (exprs.eq(x, y), exprs.eq(of_x, of_y));
            let differ = exprs.not(equal);
            assert!(matches!(ask(&mut exprs, &[same, differ]), Answer::Unsat), "{function:?}");
            // Equal arguments are needed for that.
            assert!(matches!(ask(&mut exprs, &[differ]), Answer::Sat(_)), "{function:?}");
        }
    }
}

/// The sum is the same number in either order, and so is its sine.
#[test]
fn arguments_may_be_equal_by_arithmetic() {
    let mut exprs = Exprs::without_rewriting();
    let n = exprs.symbol("n", 8, SymbolKind::Signed);
    let of_n = exprs.int_to_float(true, DOUBLE, n);
    let twice = exprs.float_binary(FloatBinary::Add, DOUBLE, of_n, of_n);
    let wide = exprs.sext(n, 16);
    let doubled = exprs.add(wide, wide);
    let converted = exprs.int_to_float(true, DOUBLE, doubled);
    let sines = [twice, converted].map(|x| call(&mut exprs, MathFunction::Sin, DOUBLE, [x, x]));
    let equal = exprs.eq(sines[0], sines[1]);
    let differ = exprs.not(equal);
    assert!(matches!(ask(&mut exprs, &[differ]), Answer::Unsat));
}

#[test]
fn what_lies_outside_the_range_is_impossible() {
    use MathFunction as F;
    let mut exprs = Exprs::new();
    let (x, y) = (float(&mut exprs, "x", DOUBLE), float(&mut exprs, "y", DOUBLE));
    for (function, below, above) in [
        (F::Sin, Some(-1.1), Some(1.1)),
        (F::Cos, Some(-1.1), Some(1.1)),
        (F::Tanh, Some(-1.1), Some(1.1)),
        (F::Atan, Some(-1.6), Some(1.6)),
        (F::Exp, Some(-0.0), None),
        (F::Cosh, Some(1.0), None),
        (F::Atan2, Some(-3.2), Some(3.2)),
        (F::Hypot, Some(0.0), None),
    ] {
        let result = call(&mut exprs, function, DOUBLE, [x, y]);
        if let Some(below) = below {
            let limit = number(&mut exprs, below);
            let outside = less(&mut exprs, result, limit);
            assert!(matches!(ask(&mut exprs, &[outside]), Answer::Unsat), "{function:?}");
        }
        if let Some(above) = above {
            let limit = number(&mut exprs, above);
            let outside = less(&mut exprs, limit, result);
            assert!(matches!(ask(&mut exprs, &[outside]), Answer::Unsat), "{function:?}");
        }
    }
    // The logarithm of a number above one is a number.
    let (log, one) = (call(&mut exprs, F::Log, DOUBLE, [x, x]), number(&mut exprs, 1.0));
    let no_number = exprs.float_compare(FloatCompare::Unordered, DOUBLE, log, log);
    let large = less(&mut exprs, one, x);
    assert!(matches!(ask(&mut exprs, &[no_number, large]), Answer::Unsat));
    assert!(matches!(ask(&mut exprs, &[no_number]), Answer::Sat(_)));
}

#[test]
fn witnesses_hold_with_the_real_functions() {
    use MathFunction as F;
    let mut exprs = Exprs::new();
    let (x, y) = (float(&mut exprs, "x", DOUBLE), float(&mut exprs, "y", DOUBLE));
    let limits = [-0.9, -0.3, 0.2, 0.7, 0.99];
    for function in [F::Sin, F::Cos, F::Tan, F::Atan, F::Tanh, F::Erf, F::Cbrt, F::Log, F::Asinh, F::Atan2] {
        for pair in limits.windows(2) {
            let result = call(&mut exprs, function, DOUBLE, [x, y]);
            let (low, high) = (number(&mut exprs, pair[0]), number(&mut exprs, pair[1]));
            let (above, below) = (less(&mut exprs, low, result), less(&mut exprs, result, high));
            let answer = ask(&mut exprs, &[above, below]);
            assert!(matches!(answer, Answer::Sat(_)), "{function:?} within {pair:?}: {answer:?}");
        }
    }
    // A call within a call, and arithmetic between calls.
    let (sine, exponential) =
        (call(&mut exprs, F::Sin, DOUBLE, [x, x]), call(&mut exprs, F::Exp, DOUBLE, [y, y]));
    let product = exprs.float_binary(FloatBinary::Mul, DOUBLE, sine, exponential);
    let root = call(&mut exprs, F::Cbrt, DOUBLE, [product, product]);
    let (low, high) = (number(&mut exprs, 2.25), number(&mut exprs, 2.5));
    let (above, below) = (less(&mut exprs, low, root), less(&mut exprs, root, high));
    assert!(matches!(ask(&mut exprs, &[above, below]), Answer::Sat(_)));
}

/// All values of small inputs are tried natively: the chain says the same.
#[test]
fn answers_agree_with_all_values_of_small_inputs() {
    let mut random = Random::new(77);
    let mut answers = [0, 0];
    for _ in 0..120 {
        let mut exprs = Exprs::new();
        let inputs = ["m", "n"].map(|name| exprs.symbol(name, 2, SymbolKind::Signed));
        let ids = inputs.map(|input| exprs.as_symbol(input).expect("a symbol"));
        let mut pool: Vec<ExprId> = inputs.iter().map(|&n| exprs.int_to_float(true, DOUBLE, n)).collect();
        for _ in 0..4 {
            let [a, b] = [0, 1].map(|_| pool[random.below(pool.len())]);
            pool.push(if random.below(3) == 0 {
                exprs.float_binary(FloatBinary::Add, DOUBLE, a, b)
            } else {
                let function = MathFunction::ALL[random.below(MathFunction::ALL.len())];
                call(&mut exprs, function, DOUBLE, [a, b])
            });
        }
        let mut conditions = Vec::new();
        for _ in 0..2 {
            let [a, b] = [0, 1].map(|_| pool[2 + random.below(pool.len() - 2)]);
            let limit = number(&mut exprs, random.below(9) as f64 / 4.0 - 1.0);
            let other = if random.below(2) == 0 { limit } else { b };
            conditions.push(less(&mut exprs, a, other));
        }
        let possible = (0..16u128).any(|values| {
            let model = Model::new().with([(ids[0], values & 3), (ids[1], values >> 2)]);
            conditions.iter().all(|condition| Evaluator::new().holds(&exprs, *condition, &model))
        });
        answers[usize::from(possible)] += 1;
        match ask(&mut exprs, &conditions) {
            Answer::Sat(_) => assert!(possible),
            Answer::Unsat => assert!(!possible),
            Answer::Unknown(why) => panic!("{why}"),
        }
    }
    assert!(answers.iter().all(|count| *count > 20), "{answers:?}");
}

#[test]
fn what_cannot_be_decided_names_the_functions() {
    use MathFunction as F;
    let mut exprs = Exprs::new();
    let x = float(&mut exprs, "x", DOUBLE);
    let (sine, cosine) = (call(&mut exprs, F::Sin, DOUBLE, [x, x]), call(&mut exprs, F::Cos, DOUBLE, [x, x]));
    let sum = exprs.float_binary(FloatBinary::Add, DOUBLE, sine, cosine);
    let limit = number(&mut exprs, 1.5);
    let above = less(&mut exprs, limit, sum);
    let mut solver = solver(Validate::Off);
    let answer = solver.check(&mut exprs, &Constraints::new(), above, &Model::new());
    let Answer::Unknown(why) = answer else { panic!("{answer:?}") };
    assert_eq!(why.to_string(), "the solver cannot decide this: the value of cos, sin");
}

#[test]
fn reported_values_depend_on_the_constraints_alone() {
    let build = |exprs: &mut Exprs, other_first: bool| {
        if other_first {
            float(exprs, "y", DOUBLE);
        }
        let (x, y) = (float(exprs, "x", DOUBLE), float(exprs, "y", DOUBLE));
        let power = call(exprs, MathFunction::Pow, DOUBLE, [x, y]);
        let (low, high) = (number(exprs, 4.5), number(exprs, 5.5));
        let (above, below) = (less(exprs, low, power), less(exprs, power, high));
        let mut constraints = Constraints::new();
        constraints.push(exprs, above);
        constraints.push(exprs, below);
        ([x, y], constraints)
    };
    let mut found = Vec::new();
    for other_first in [false, true] {
        let mut exprs = Exprs::new();
        let (symbols, constraints) = build(&mut exprs, other_first);
        let mut solver = solver(Validate::Bitwuzla);
        if other_first {
            let zero = number(&mut exprs, 0.0);
            let query = less(&mut exprs, zero, symbols[0]);
            solver.check(&mut exprs, &Constraints::new(), query, &Model::new());
        }
        let model = solver.canonical_model(&mut exprs, &constraints).expect("a model");
        found.push(symbols.map(|symbol| Evaluator::new().evaluate(&exprs, symbol, &model)));
    }
    assert_eq!(found[0], found[1]);
}

#[test]
fn calls_in_arrays_are_found() {
    let mut exprs = Exprs::new();
    let (x, i) = (float(&mut exprs, "x", DOUBLE), exprs.symbol("i", 64, SymbolKind::Unsigned));
    let sine = call(&mut exprs, MathFunction::Sin, DOUBLE, [x, x]);
    let cells: Vec<ExprId> = (0..8).map(|byte| exprs.extract(sine, byte * 8, 8)).collect();
    let array = exprs.array_of_cells(&cells);
    let byte = exprs.select(array, i);
    let seven = exprs.constant(7, 8);
    let condition = exprs.compare(CompareOp::Ult, byte, seven);
    assert_eq!(super::calls(&exprs, &[condition]).len(), 1);
    assert_eq!(concrete::math(MathFunction::Sin, DOUBLE, 0, 0), 0);
}
