//! Terms of each theory, compared with what the machine computes.

use incise_bitwuzla::{Answer, Error, Kind, RoundingMode, Solver, SolverOptions, Sort, Term, TermManager};

const SINGLE: Sort = Sort::Float { exponent: 8, significand: 24 };
const DOUBLE: Sort = Sort::Float { exponent: 11, significand: 53 };
const EXTENDED: Sort = Sort::Float { exponent: 15, significand: 64 };

fn set_up() -> (TermManager, Solver) {
    let terms = TermManager::new().unwrap();
    let solver = Solver::new(&terms, SolverOptions::default()).unwrap();
    (terms, solver)
}

/// The value of a term without constants, as the solver sees it through a constant that equals it.
fn evaluate(terms: &TermManager, solver: &mut Solver, term: Term) -> u128 {
    let result = terms.constant(term.sort(), "result").unwrap();
    solver.push().unwrap();
    solver.assert(terms.mk_term(Kind::Equal, &[result, term], &[]).unwrap()).unwrap();
    assert_eq!(solver.check().unwrap(), Answer::Sat);
    let value = solver.value(result).unwrap();
    solver.pop().unwrap();
    value
}

fn float(terms: &TermManager, sort: Sort, bits: u128) -> Term {
    let Sort::Float { exponent, significand } = sort else { panic!("{sort:?} is no float") };
    let bits = terms.bit_vector(bits, exponent + significand).unwrap();
    terms.mk_term(Kind::FpToFpFromBv, &[bits], &[u64::from(exponent), u64::from(significand)]).unwrap()
}

#[test]
fn bit_vector_operations_are_those_of_the_machine() {
    let (terms, mut solver) = set_up();
    let numbers = [0u32, 1, 5, 31, 32, 0x7fff_ffff, 0x8000_0000, 0xdead_beef, u32::MAX];
    for a in numbers {
        for b in numbers {
            let shift =
                |shifted: fn(u32, u32) -> u32, beyond: u32| if b < 32 { shifted(a, b) } else { beyond };
            let sign = if (a as i32) < 0 { u32::MAX } else { 0 };
            let signed = (a as i32, b as i32);
            let expected = [
                (Kind::BvAdd, a.wrapping_add(b)),
                (Kind::BvSub, a.wrapping_sub(b)),
                (Kind::BvMul, a.wrapping_mul(b)),
                (Kind::BvUdiv, a.checked_div(b).unwrap_or(u32::MAX)),
                (Kind::BvUrem, a.checked_rem(b).unwrap_or(a)),
                (Kind::BvAnd, a & b),
                (Kind::BvOr, a | b),
                (Kind::BvXor, a ^ b),
                (Kind::BvShl, shift(|a, b| a << b, 0)),
                (Kind::BvShr, shift(|a, b| a >> b, 0)),
                (Kind::BvAshr, shift(|a, b| ((a as i32) >> b) as u32, sign)),
            ];
            let compared = [
                (Kind::BvUlt, a < b),
                (Kind::BvUle, a <= b),
                (Kind::BvSlt, signed.0 < signed.1),
                (Kind::BvSge, signed.0 >= signed.1),
                (Kind::Equal, a == b),
                (Kind::BvSaddOverflow, signed.0.checked_add(signed.1).is_none()),
                (Kind::BvUmulOverflow, a.checked_mul(b).is_none()),
            ];
            let all = expected.map(|(kind, value)| (kind, u128::from(value)));
            let compared = compared.map(|(kind, value)| (kind, u128::from(value)));
            for (kind, value) in all.into_iter().chain(compared) {
                let arguments =
                    [u128::from(a), u128::from(b)].map(|value| terms.bit_vector(value, 32).unwrap());
                let term = terms.mk_term(kind, &arguments, &[]).unwrap();
                assert_eq!(evaluate(&terms, &mut solver, term), value, "{kind:?} of {a:#x} and {b:#x}");
            }
        }
    }
}

#[test]
fn parts_and_extensions_of_bit_vectors_count_bits_from_the_low_end() {
    let (terms, mut solver) = set_up();
    let wide = terms.bit_vector(0xfedc_ba98_7654_3210_0123_4567_89ab_cdef, 128).unwrap();
    let part = terms.mk_term(Kind::BvExtract, &[wide], &[127, 120]).unwrap();
    assert_eq!(part.sort(), Sort::BitVector(8));
    let low = terms.mk_term(Kind::BvExtract, &[wide], &[15, 0]).unwrap();
    let both = terms.mk_term(Kind::BvConcat, &[part, low], &[]).unwrap();
    let signed = terms.mk_term(Kind::BvSignExtend, &[part], &[8]).unwrap();
    let unsigned = terms.mk_term(Kind::BvZeroExtend, &[part], &[8]).unwrap();
    assert_eq!(evaluate(&terms, &mut solver, wide), 0xfedc_ba98_7654_3210_0123_4567_89ab_cdef);
    assert_eq!(evaluate(&terms, &mut solver, both), 0xfe_cdef);
    assert_eq!(evaluate(&terms, &mut solver, signed), 0xfffe);
    assert_eq!(evaluate(&terms, &mut solver, unsigned), 0x00fe);
}

#[test]
fn arrays_remember_what_was_stored() {
    let (terms, mut solver) = set_up();
    let byte = |value| terms.bit_vector(value, 8).unwrap();
    let index = terms.constant(Sort::BitVector(64), "index").unwrap();
    let array = terms.constant_array(64, byte(7)).unwrap();
    assert_eq!(array.sort(), Sort::Array { index: 64, element: 8 });
    let five = terms.bit_vector(5, 64).unwrap();
    let stored = terms.mk_term(Kind::ArrayStore, &[array, five, byte(9)], &[]).unwrap();
    let element = terms.mk_term(Kind::ArraySelect, &[stored, index], &[]).unwrap();
    let is = |value| terms.mk_term(Kind::Equal, &[element, byte(value)], &[]).unwrap();
    assert_eq!(solver.check_assuming(&[is(9)]).unwrap(), Answer::Sat);
    assert_eq!(solver.value(index).unwrap(), 5);
    assert_eq!(solver.check_assuming(&[is(7)]).unwrap(), Answer::Sat);
    assert_ne!(solver.value(index).unwrap(), 5);
    assert_eq!(solver.check_assuming(&[is(8)]).unwrap(), Answer::Unsat);

    // An array of unknown content: two reads at one place agree.
    let unknown = terms.constant(Sort::Array { index: 64, element: 8 }, "unknown").unwrap();
    let one = terms.mk_term(Kind::ArraySelect, &[unknown, index], &[]).unwrap();
    let other = terms.mk_term(Kind::ArraySelect, &[unknown, five], &[]).unwrap();
    let same_place = terms.mk_term(Kind::Equal, &[index, five], &[]).unwrap();
    let differ = terms.mk_term(Kind::Distinct, &[one, other], &[]).unwrap();
    assert_eq!(solver.check_assuming(&[differ]).unwrap(), Answer::Sat);
    assert_eq!(solver.check_assuming(&[differ, same_place]).unwrap(), Answer::Unsat);
    assert_eq!(solver.value(unknown), Err(Error::NoModel));
}

#[test]
fn float_operations_are_those_of_the_machine() {
    let (terms, mut solver) = set_up();
    let nearest = terms.rounding_mode(RoundingMode::NearestEven).unwrap();
    let numbers = [0.0, -0.0, 1.0, 0.1, -2.5, 1e300, 5e-324, f64::INFINITY, f64::MIN_POSITIVE];
    for a in numbers {
        let x = float(&terms, DOUBLE, u128::from(a.to_bits()));
        for b in numbers {
            let y = float(&terms, DOUBLE, u128::from(b.to_bits()));
            for (kind, value) in [
                (Kind::FpAdd, a + b),
                (Kind::FpSub, a - b),
                (Kind::FpMul, a * b),
                (Kind::FpDiv, a / b),
                (Kind::FpFma, a.mul_add(b, a)),
            ] {
                let arguments: &[Term] =
                    if kind == Kind::FpFma { &[nearest, x, y, x] } else { &[nearest, x, y] };
                let term = terms.mk_term(kind, arguments, &[]).unwrap();
                if value.is_nan() {
                    let is_nan = terms.mk_term(Kind::FpIsNan, &[term], &[]).unwrap();
                    assert_eq!(evaluate(&terms, &mut solver, is_nan), 1, "{kind:?} of {a} and {b}");
                } else {
                    let found = f64::from_bits(evaluate(&terms, &mut solver, term) as u64);
                    assert_eq!(
                        found.to_bits(),
                        value.to_bits(),
                        "{kind:?} of {a} and {b}: {found}, not {value}"
                    );
                }
            }
            for (kind, value) in [(Kind::FpLt, a < b), (Kind::FpLeq, a <= b), (Kind::FpEqual, a == b)] {
                let term = terms.mk_term(kind, &[x, y], &[]).unwrap();
                assert_eq!(evaluate(&terms, &mut solver, term), u128::from(value), "{kind:?} of {a} and {b}");
            }
        }
        let narrow = terms.mk_term(Kind::FpToFpFromFp, &[nearest, x], &[8, 24]).unwrap();
        assert_eq!(narrow.sort(), SINGLE);
        assert_eq!(evaluate(&terms, &mut solver, narrow), u128::from((a as f32).to_bits()), "{a} as float");
    }
}

#[test]
fn floats_are_rounded_rooted_and_converted() {
    let (terms, mut solver) = set_up();
    let mode = |mode| terms.rounding_mode(mode).unwrap();
    let number = |value: f64| float(&terms, DOUBLE, u128::from(value.to_bits()));
    let bits = |value: f64| u128::from(value.to_bits());
    let mut check = |kind, arguments: &[Term], indices: &[u64], expected| {
        let term = terms.mk_term(kind, arguments, indices).unwrap();
        assert_eq!(evaluate(&terms, &mut solver, term), expected, "{kind:?}");
    };
    check(Kind::FpRti, &[mode(RoundingMode::NearestEven), number(2.5)], &[], bits(2.0));
    check(Kind::FpRti, &[mode(RoundingMode::NearestAway), number(2.5)], &[], bits(3.0));
    check(Kind::FpRti, &[mode(RoundingMode::TowardNegative), number(-2.5)], &[], bits(-3.0));
    check(Kind::FpRti, &[mode(RoundingMode::TowardPositive), number(-2.5)], &[], bits(-2.0));
    check(Kind::FpRti, &[mode(RoundingMode::TowardZero), number(-2.5)], &[], bits(-2.0));
    check(Kind::FpSqrt, &[mode(RoundingMode::NearestEven), number(2.0)], &[], bits(2f64.sqrt()));
    // The nearest multiple of 3 to 5 is 6: this is not C's fmod.
    check(Kind::FpRem, &[number(5.0), number(3.0)], &[], bits(-1.0));
    check(Kind::FpToSbv, &[mode(RoundingMode::TowardZero), number(-7.9)], &[32], u128::from(-7i32 as u32));
    check(Kind::FpToUbv, &[mode(RoundingMode::TowardZero), number(200.9)], &[8], 200);
    let minus_one = terms.bit_vector(u128::from(u32::MAX), 32).unwrap();
    let nearest = mode(RoundingMode::NearestEven);
    check(Kind::FpToFpFromSbv, &[nearest, minus_one], &[11, 53], bits(-1.0));
    check(Kind::FpToFpFromUbv, &[nearest, minus_one], &[11, 53], bits(4_294_967_295.0));
    check(Kind::FpNeg, &[number(1.5)], &[], bits(-1.5));
    check(Kind::FpAbs, &[number(-1.5)], &[], bits(1.5));
    check(Kind::FpMax, &[number(-1.5), number(f64::NAN)], &[], bits(-1.5));
    check(Kind::FpIsSubnormal, &[number(5e-324)], &[], 1);
    check(Kind::FpIsInf, &[number(f64::NEG_INFINITY)], &[], 1);
}

#[test]
fn floats_of_any_format_are_solved() {
    let (terms, mut solver) = set_up();
    // x87's format, in which 1/3 has 64 bits: the hidden bit is left out here.
    let nearest = terms.rounding_mode(RoundingMode::NearestEven).unwrap();
    let one = float(&terms, EXTENDED, 0x3fff << 63);
    let three = float(&terms, EXTENDED, (0x4000 << 63) | (1 << 62));
    let third = terms.mk_term(Kind::FpDiv, &[nearest, one, three], &[]).unwrap();
    assert_eq!(evaluate(&terms, &mut solver, third), (0x3ffd << 63) | 0x2aaa_aaaa_aaaa_aaab);

    // A constant of a format of our own is found: x + x == 3 in 5 + 4 bits.
    let tiny = Sort::Float { exponent: 5, significand: 4 };
    let x = terms.constant(tiny, "x").unwrap();
    let sum = terms.mk_term(Kind::FpAdd, &[nearest, x, x], &[]).unwrap();
    // The bits are sign, five of exponent, three of significand: 3 is 0 10000 100, and 1.5 is 0 01111 100.
    let goal = terms.mk_term(Kind::FpEqual, &[sum, float(&terms, tiny, 0b1000_0100)], &[]).unwrap();
    solver.assert(goal).unwrap();
    assert_eq!(solver.check().unwrap(), Answer::Sat);
    assert_eq!(solver.value(x).unwrap(), 0b0111_1100);
}

#[test]
fn terms_choose_by_a_condition() {
    let (terms, mut solver) = set_up();
    let byte = |value| terms.bit_vector(value, 8).unwrap();
    for (condition, expected) in [(true, 1), (false, 2)] {
        let condition = terms.boolean(condition).unwrap();
        let term = terms.mk_term(Kind::Ite, &[condition, byte(1), byte(2)], &[]).unwrap();
        assert_eq!(evaluate(&terms, &mut solver, term), expected);
    }
}
