//! Functions of the C library: their values, which are those of this machine, and the little that is known of them
//! without computing.
//!
//! The facts are about what the library really returns, not about real numbers: `exp` of a large negative number is
//! zero, and `atan` of a large one is the double next to half of pi. The tests compare them with the library.

use super::float_to_float;
use crate::expr::{FloatFormat, MathFunction};
use std::f64::consts::{FRAC_PI_2, PI};

/// The result of a function of singles or doubles; one of one argument does not look at the second.
pub fn math(function: MathFunction, format: FloatFormat, a: u128, b: u128) -> u128 {
    match format {
        FloatFormat::Single => {
            let (x, y) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
            function.of_singles(x, y).to_bits().into()
        }
        // The arena makes no such node of other formats.
        _ => {
            let (x, y) = (f64::from_bits(a as u64), f64::from_bits(b as u64));
            function.of_doubles(x, y).to_bits().into()
        }
    }
}

/// For which arguments the result is a number.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(crate) enum Domain {
    /// Nothing is known.
    Unknown,
    /// If all arguments are numbers; if not, it may be one as well.
    AtLeastNumbers,
    /// If the first argument is above zero and the second is a number; else it may be one as well.
    AtLeastPositive,
    /// If and only if the argument is finite.
    Finite,
    /// If and only if all arguments are numbers.
    Numbers,
    /// If and only if the argument lies within these bounds.
    Within(f64, f64),
}

/// What holds of a function for all arguments.
#[derive(Copy, Clone, PartialEq, Debug)]
pub(crate) struct MathFacts {
    /// No result that is a number is less.
    pub(crate) least: Option<f64>,
    /// No result that is a number is greater.
    pub(crate) greatest: Option<f64>,
    pub(crate) domain: Domain,
}

impl MathFacts {
    pub(crate) fn of(function: MathFunction) -> Self {
        use MathFunction as F;
        let infinity = f64::INFINITY;
        let (least, greatest, domain) = match function {
            F::Sin | F::Cos => (Some(-1.0), Some(1.0), Domain::Finite),
            F::Tan => (None, None, Domain::Finite),
            F::Asin => (Some(-FRAC_PI_2), Some(FRAC_PI_2), Domain::Within(-1.0, 1.0)),
            F::Acos => (Some(0.0), Some(PI), Domain::Within(-1.0, 1.0)),
            F::Atan => (Some(-FRAC_PI_2), Some(FRAC_PI_2), Domain::Numbers),
            F::Sinh | F::Asinh | F::Cbrt | F::Logb => (None, None, Domain::Numbers),
            F::Cosh => (Some(1.0), None, Domain::Numbers),
            F::Tanh | F::Erf => (Some(-1.0), Some(1.0), Domain::Numbers),
            F::Acosh => (Some(0.0), None, Domain::Within(1.0, infinity)),
            F::Atanh => (None, None, Domain::Within(-1.0, 1.0)),
            F::Exp | F::Exp2 | F::Exp10 => (Some(0.0), None, Domain::Numbers),
            F::Expm1 => (Some(-1.0), None, Domain::Numbers),
            F::Log | F::Log2 | F::Log10 => (None, None, Domain::Within(0.0, infinity)),
            F::Log1p => (None, None, Domain::Within(-1.0, infinity)),
            F::Erfc => (Some(0.0), Some(2.0), Domain::Numbers),
            F::Tgamma | F::Remainder => (None, None, Domain::Unknown),
            F::Atan2 => (Some(-PI), Some(PI), Domain::Numbers),
            F::Pow => (None, None, Domain::AtLeastPositive),
            F::Hypot => (Some(0.0), None, Domain::AtLeastNumbers),
            F::Nextafter => (None, None, Domain::Numbers),
        };
        MathFacts { least, greatest, domain }
    }
}

/// The bits of a bound in a format.
pub(crate) fn bound(format: FloatFormat, value: f64) -> u128 {
    float_to_float(FloatFormat::Double, format, value.to_bits().into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::testing::Random;
    use crate::concrete::is_nan;

    fn value(format: FloatFormat, bits: u128) -> f64 {
        f64::from_bits(float_to_float(format, FloatFormat::Double, bits) as u64)
    }

    /// Random arguments of all magnitudes, those near the bounds of domains, and special ones.
    fn argument(random: &mut Random, format: FloatFormat) -> u128 {
        let near =
            [0.0, -0.0, 1.0, -1.0, FRAC_PI_2, PI, -PI, 710.0, -745.2, 88.7, -104.0, 170.7, 1e300, 3e38];
        match random.below(4) {
            0 => random.float(format),
            1 => bound(format, (random.word() as i64 as f64) / 2f64.powi(random.below(70) as i32)),
            2 => {
                bound(format, near[random.below(near.len())])
                    .wrapping_add(random.below(5) as u128)
                    .wrapping_sub(2)
                    & super::super::mask(format.width())
            }
            _ => bound(format, random.below(2000) as f64 - 1000.0),
        }
    }

    fn check(function: MathFunction, format: FloatFormat, a: u128, b: u128) {
        let facts = MathFacts::of(function);
        let result = math(function, format, a, b);
        let [x, y, r] = [a, b, result].map(|bits| value(format, bits));
        let text = format!("{function:?} {format:?} {x:?} {y:?} = {r:?}");
        if !r.is_nan() {
            assert!(facts.least.is_none_or(|least| value(format, bound(format, least)) <= r), "{text}");
            assert!(facts.greatest.is_none_or(|most| value(format, bound(format, most)) >= r), "{text}");
        }
        let arguments = &[x, y][..function.arity()];
        let numbers = arguments.iter().all(|x| !x.is_nan());
        let is_number = !is_nan(format, result);
        match facts.domain {
            Domain::Unknown => {}
            Domain::AtLeastNumbers => assert!(is_number || !numbers, "{text}"),
            Domain::AtLeastPositive => {
                assert!(is_number && r >= 0.0 || y.is_nan() || x.is_nan() || x <= 0.0, "{text}");
            }
            Domain::Finite => assert_eq!(is_number, x.is_finite(), "{text}"),
            Domain::Numbers => assert_eq!(is_number, numbers, "{text}"),
            Domain::Within(least, most) => assert_eq!(is_number, x >= least && x <= most, "{text}"),
        }
        assert_eq!(result, math(function, format, a, b), "{text}");
    }

    #[test]
    fn facts_hold_of_what_the_library_returns() {
        let mut random = Random::new(31);
        for format in [FloatFormat::Single, FloatFormat::Double] {
            for &function in MathFunction::ALL {
                for _ in 0..30_000 {
                    let (a, b) = (argument(&mut random, format), argument(&mut random, format));
                    check(function, format, a, b);
                }
            }
        }
    }

    /// Values near the ends of ranges and domains of singles, one by one.
    #[test]
    fn facts_hold_for_a_stretch_of_singles() {
        for &function in MathFunction::ALL {
            for step in 0..1u32 << 16 {
                check(function, FloatFormat::Single, (step << 16 | step & 0x7).into(), 0x3f80_0000);
            }
        }
    }
}
