//! Floats as numbers: the normal form has the same number, and brings equal computations together.

use crate::chain::testing::Random;
use crate::concrete;
use crate::constraints::Constraints;
use crate::evaluate::Evaluator;
use crate::expr::{
    ExprId, Exprs, FloatBinary, FloatCompare, FloatFormat, FloatUnary, MathFunction, SymbolId, SymbolKind,
};
use crate::model::Model;
use crate::{Answer, Solver, SolverConfig};
use std::sync::Arc;

/// An arena with three floats of one format.
struct Floats {
    exprs: Exprs,
    format: FloatFormat,
    inputs: [ExprId; 3],
}

impl Floats {
    fn new(mut exprs: Exprs, format: FloatFormat) -> Self {
        let inputs =
            ["a", "b", "c"].map(|name| exprs.symbol(name, format.width(), SymbolKind::Float(format)));
        Floats { exprs, format, inputs }
    }

    fn symbols(&self) -> [SymbolId; 3] {
        self.inputs.map(|input| self.exprs.as_symbol(input).expect("a symbol"))
    }

    fn number(&mut self, value: f64) -> ExprId {
        self.exprs.constant(concrete::bound(self.format, value), self.format.width())
    }

    fn binary(&mut self, op: FloatBinary, x: ExprId, y: ExprId) -> ExprId {
        self.exprs.float_binary(op, self.format, x, y)
    }

    fn add(&mut self, x: ExprId, y: ExprId) -> ExprId {
        self.binary(FloatBinary::Add, x, y)
    }

    fn sub(&mut self, x: ExprId, y: ExprId) -> ExprId {
        self.binary(FloatBinary::Sub, x, y)
    }

    fn mul(&mut self, x: ExprId, y: ExprId) -> ExprId {
        self.binary(FloatBinary::Mul, x, y)
    }

    fn div(&mut self, x: ExprId, y: ExprId) -> ExprId {
        self.binary(FloatBinary::Div, x, y)
    }

    fn neg(&mut self, x: ExprId) -> ExprId {
        self.exprs.float_neg(self.format, x)
    }

    fn pair(&mut self, left: Build, right: Build) -> [ExprId; 2] {
        let inputs = self.inputs;
        [left(self, inputs), right(self, inputs)]
    }

    fn scaled(&mut self, op: FloatBinary, x: ExprId, value: f64) -> ExprId {
        let constant = self.number(value);
        self.binary(op, x, constant)
    }
}

/// A random operation on what there is.
fn grow(floats: &mut Floats, random: &mut Random, pool: &[ExprId]) -> ExprId {
    let [x, y, z] = [0, 1, 2].map(|_| pool[random.below(pool.len())]);
    let constants = [0.0, -0.0, 1.0, -1.0, 2.0, -0.5, 3.0, -7.0, f64::INFINITY, f64::NAN, -f64::NAN];
    let constant = floats.number(constants[random.below(constants.len())]);
    let y = if random.below(3) == 0 { constant } else { y };
    let (x, y) = if random.below(4) == 0 { (y, x) } else { (x, y) };
    let format = floats.format;
    match random.below(12) {
        0 | 1 => floats.add(x, y),
        2 | 3 => floats.sub(x, y),
        4 | 5 => floats.mul(x, y),
        6 => floats.div(x, y),
        7 => floats.neg(x),
        8 => floats.exprs.float_abs(format, x),
        9 => {
            let condition = floats.exprs.float_compare(FloatCompare::Lt, format, y, z);
            floats.exprs.ite(condition, x, z)
        }
        10 if format == FloatFormat::Single => {
            let functions =
                [MathFunction::Sin, MathFunction::Pow, MathFunction::Hypot, MathFunction::Remainder];
            let function = functions[random.below(4)];
            floats.exprs.math(function, format, &[x, y][..function.arity()]).expect("a function of singles")
        }
        10 => floats.exprs.float_unary(FloatUnary::Sqrt, format, x),
        _ if random.below(2) == 0 => floats.binary(FloatBinary::Rem, x, y),
        _ => floats.exprs.float_fma(format, x, y, z),
    }
}

#[test]
fn the_form_is_the_same_number() {
    let mut changed = 0;
    for seed in 0..400 {
        let mut random = Random::new(seed);
        let format = [FloatFormat::Half, FloatFormat::Single, FloatFormat::X87][seed as usize % 3];
        let mut floats = Floats::new(Exprs::new(), format);
        let mut pool = floats.inputs.to_vec();
        for _ in 0..25 {
            let next = grow(&mut floats, &mut random, &pool);
            pool.push(next);
        }
        let forms: Vec<ExprId> = pool.iter().map(|&e| floats.exprs.as_number(format, e)).collect();
        changed += pool.iter().zip(&forms).filter(|(e, form)| e != form).count();
        for form in &forms {
            let again = floats.exprs.as_number(format, *form);
            assert_eq!(again, *form, "{}", floats.exprs.display_c(*form));
        }
        let mut evaluator = Evaluator::new();
        for _ in 0..40 {
            let model = Model::new().with(floats.symbols().map(|symbol| (symbol, random.float(format))));
            for (&e, &form) in pool.iter().zip(&forms) {
                let [value, number] = [e, form].map(|e| evaluator.evaluate(&floats.exprs, e, &model));
                assert!(
                    concrete::float_compare(FloatCompare::Same, format, value, number),
                    "seed {seed}: {} is {value:#x}, {} is {number:#x}",
                    floats.exprs.display_c(e),
                    floats.exprs.display_c(form)
                );
            }
        }
    }
    assert!(changed > 1000, "{changed}");
}

type Build = fn(&mut Floats, [ExprId; 3]) -> ExprId;

/// Pairs of computations of the same number.
const EQUAL: [(&str, Build, Build); 20] = [
    ("a + b", |f, [a, b, _]| f.add(a, b), |f, [a, b, _]| f.add(b, a)),
    ("a * b", |f, [a, b, _]| f.mul(a, b), |f, [a, b, _]| f.mul(b, a)),
    ("a + a", |f, [a, ..]| f.add(a, a), |f, [a, ..]| f.scaled(FloatBinary::Mul, a, 2.0)),
    (
        "a / 2",
        |f, [a, ..]| f.scaled(FloatBinary::Div, a, 2.0),
        |f, [a, ..]| f.scaled(FloatBinary::Mul, a, 0.5),
    ),
    (
        "a - b",
        |f, [a, b, _]| f.sub(a, b),
        |f, [a, b, _]| {
            let negated = f.neg(b);
            f.add(a, negated)
        },
    ),
    (
        "b - a",
        |f, [a, b, _]| f.sub(b, a),
        |f, [a, b, _]| {
            let negated = f.neg(a);
            f.add(negated, b)
        },
    ),
    (
        "a - 1",
        |f, [a, ..]| f.scaled(FloatBinary::Sub, a, 1.0),
        |f, [a, ..]| f.scaled(FloatBinary::Add, a, -1.0),
    ),
    ("a - 0", |f, [a, ..]| f.scaled(FloatBinary::Sub, a, 0.0), |_, [a, ..]| a),
    ("a + -0", |f, [a, ..]| f.scaled(FloatBinary::Add, a, -0.0), |_, [a, ..]| a),
    ("a * 1", |f, [a, ..]| f.scaled(FloatBinary::Mul, a, 1.0), |_, [a, ..]| a),
    ("a / 1", |f, [a, ..]| f.scaled(FloatBinary::Div, a, 1.0), |_, [a, ..]| a),
    ("a * -1", |f, [a, ..]| f.scaled(FloatBinary::Mul, a, -1.0), |f, [a, ..]| f.neg(a)),
    (
        "-(-a)",
        |f, [a, ..]| {
            let negated = f.neg(a);
            f.neg(negated)
        },
        |_, [a, ..]| a,
    ),
    (
        "-a * b",
        |f, [a, b, _]| {
            let negated = f.neg(a);
            f.mul(negated, b)
        },
        |f, [a, b, _]| {
            let product = f.mul(b, a);
            f.neg(product)
        },
    ),
    (
        "-a / -b",
        |f, [a, b, _]| {
            let (x, y) = (f.neg(a), f.neg(b));
            f.div(x, y)
        },
        |f, [a, b, _]| f.div(a, b),
    ),
    (
        "-a + -b",
        |f, [a, b, _]| {
            let (x, y) = (f.neg(a), f.neg(b));
            f.add(x, y)
        },
        |f, [a, b, _]| {
            let x = f.neg(b);
            f.sub(x, a)
        },
    ),
    (
        "-(a * 3)",
        |f, [a, ..]| {
            let product = f.scaled(FloatBinary::Mul, a, 3.0);
            f.neg(product)
        },
        |f, [a, ..]| f.scaled(FloatBinary::Mul, a, -3.0),
    ),
    (
        "fmod(a, -b)",
        |f, [a, b, _]| {
            let negated = f.neg(b);
            f.binary(FloatBinary::Rem, a, negated)
        },
        |f, [a, b, _]| f.binary(FloatBinary::Rem, a, b),
    ),
    (
        "(a + b) * c",
        |f, [a, b, c]| {
            let sum = f.add(a, b);
            f.mul(sum, c)
        },
        |f, [a, b, c]| {
            let sum = f.add(b, a);
            f.mul(c, sum)
        },
    ),
    (
        "sqrt(a * a + b * b)",
        |f, [a, b, _]| {
            let (x, y) = (f.mul(a, a), f.mul(b, b));
            let sum = f.add(x, y);
            f.exprs.float_unary(FloatUnary::Sqrt, f.format, sum)
        },
        |f, [a, b, _]| {
            let (x, y) = (f.mul(b, b), f.mul(a, a));
            let sum = f.add(x, y);
            f.exprs.float_unary(FloatUnary::Sqrt, f.format, sum)
        },
    ),
];

/// Pairs that a careless rule would take for the same.
const UNEQUAL: [(&str, Build, Build); 7] = [
    ("a + 0", |f, [a, ..]| f.scaled(FloatBinary::Add, a, 0.0), |_, [a, ..]| a),
    (
        "a - b",
        |f, [a, b, _]| f.sub(a, b),
        |f, [a, b, _]| {
            let other = f.sub(b, a);
            f.neg(other)
        },
    ),
    (
        "a + b + c",
        |f, [a, b, c]| {
            let sum = f.add(a, b);
            f.add(sum, c)
        },
        |f, [a, b, c]| {
            let sum = f.add(b, c);
            f.add(a, sum)
        },
    ),
    (
        "a / 10",
        |f, [a, ..]| f.scaled(FloatBinary::Div, a, 10.0),
        |f, [a, ..]| f.scaled(FloatBinary::Mul, a, 0.1),
    ),
    ("a * 0", |f, [a, ..]| f.scaled(FloatBinary::Mul, a, 0.0), |f, _| f.number(0.0)),
    ("a - a", |f, [a, ..]| f.sub(a, a), |f, _| f.number(0.0)),
    (
        "-a + -b",
        |f, [a, b, _]| {
            let (x, y) = (f.neg(a), f.neg(b));
            f.add(x, y)
        },
        |f, [a, b, _]| {
            let sum = f.add(a, b);
            f.neg(sum)
        },
    ),
];

fn solve(floats: &mut Floats, condition: ExprId) -> Answer {
    let mut solver = Solver::new(SolverConfig::default(), Arc::default());
    solver.check(&mut floats.exprs, &Constraints::new(), condition, &Model::new())
}

/// Each pair is proved in halves by Bitwuzla, which sees it as it was written, and brought together by the form in all
/// formats.
#[test]
fn equal_computations_come_together() {
    for (name, left, right) in EQUAL {
        let mut plain = Floats::new(Exprs::without_rewriting(), FloatFormat::Half);
        let [x, y] = plain.pair(left, right);
        let same = plain.exprs.float_same(plain.format, x, y);
        let differ = plain.exprs.not(same);
        assert!(matches!(solve(&mut plain, differ), Answer::Unsat), "{name}");
        for format in [FloatFormat::Half, FloatFormat::Single, FloatFormat::Double, FloatFormat::X87] {
            let mut floats = Floats::new(Exprs::new(), format);
            let [x, y] = floats.pair(left, right);
            assert_eq!(floats.exprs.float_same(format, x, y), Exprs::TRUE, "{name} {format:?}");
            let c = floats.inputs[2];
            let below = [x, y].map(|e| floats.exprs.float_compare(FloatCompare::Lt, format, e, c));
            assert_eq!(below[0], below[1], "{name} {format:?}");
        }
    }
}

#[test]
fn unequal_computations_stay_apart() {
    for (name, left, right) in UNEQUAL {
        let mut floats = Floats::new(Exprs::new(), FloatFormat::Half);
        let [x, y] = floats.pair(left, right);
        let same = floats.exprs.float_same(floats.format, x, y);
        let differ = floats.exprs.not(same);
        let Answer::Sat(model) = solve(&mut floats, differ) else { panic!("{name}") };
        let [x, y] = [x, y].map(|e| Evaluator::new().evaluate(&floats.exprs, e, &model));
        assert!(!concrete::float_compare(FloatCompare::Same, floats.format, x, y), "{name}");
    }
}

/// Which NaN a sum gives depends on the order of its operands, and bits are bits.
#[test]
fn the_bits_of_a_sum_keep_the_order_of_operands() {
    let mut floats = Floats::new(Exprs::new(), FloatFormat::Double);
    let [a, b, _] = floats.inputs;
    let (x, y) = (floats.add(a, b), floats.add(b, a));
    let equal = floats.exprs.eq(x, y);
    let differ = floats.exprs.not(equal);
    assert!(matches!(solve(&mut floats, differ), Answer::Sat(_)));
    // With a constant there is at most one NaN.
    let one = floats.number(1.0);
    assert_eq!(floats.add(a, one), floats.add(one, a));
}
