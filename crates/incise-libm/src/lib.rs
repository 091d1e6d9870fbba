//! The functions of math.h whose results no standard fixes: `sin`, `exp`, `pow` and their like, as the C library of
//! this machine computes them.
//!
//! A program that runs natively calls the same library, so that what is computed here is what it gets, bit for bit.
//! Rust's own methods will not do: some are formulas of its own, and some functions it does not have. The declarations
//! are the `unsafe` of this crate; calls are safe, as the functions take and return numbers and keep nothing but
//! `errno`, which nobody here reads.
//!
//! Not here: functions of `long double`, which Rust has no type for; those that return something by a pointer; and
//! `lgamma`, which leaves a sign in a global variable. What IEEE 754 defines exactly (`sqrt`, `floor`, `fmod`, ...) is
//! computed without the library.
#![allow(unsafe_code)]

macro_rules! functions {
    (one { $($one:ident = $one_double:ident, $one_single:ident;)* } two { $($two:ident = $two_double:ident, $two_single:ident;)* }) => {
        /// A function of math.h. Each has a form for `double` and one for `float`.
        #[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u8)]
        #[allow(missing_docs)]
        pub enum Function {
            $($one,)*
            $($two,)*
        }

        #[link(name = "m")]
        // SAFETY: these are the prototypes of math.h.
        unsafe extern "C" {
            $(safe fn $one_double(x: f64) -> f64;)*
            $(safe fn $one_single(x: f32) -> f32;)*
            $(safe fn $two_double(x: f64, y: f64) -> f64;)*
            $(safe fn $two_single(x: f32, y: f32) -> f32;)*
        }

        impl Function {
            /// All functions, in order.
            pub const ALL: &[Function] = &[$(Function::$one,)* $(Function::$two,)*];

            /// The name of the form for `double`; that for `float` ends in `f`.
            pub fn name(self) -> &'static str {
                match self {
                    $(Function::$one => plain(stringify!($one_double)),)*
                    $(Function::$two => stringify!($two_double),)*
                }
            }

            /// How many arguments it takes, one or two.
            pub fn arity(self) -> usize {
                match self {
                    $(Function::$one)|* => 1,
                    $(Function::$two)|* => 2,
                }
            }

            /// The result for doubles. A function of one argument does not look at the second.
            pub fn of_doubles(self, x: f64, y: f64) -> f64 {
                match self {
                    $(Function::$one => $one_double(x),)*
                    $(Function::$two => $two_double(x, y),)*
                }
            }

            /// The result for floats. A function of one argument does not look at the second.
            pub fn of_singles(self, x: f32, y: f32) -> f32 {
                match self {
                    $(Function::$one => $one_single(x),)*
                    $(Function::$two => $two_single(x, y),)*
                }
            }
        }
    };
}

functions! {
    one {
        Sin = sin, sinf;
        Cos = cos, cosf;
        Tan = tan, tanf;
        Asin = asin, asinf;
        Acos = acos, acosf;
        Atan = atan, atanf;
        Sinh = sinh, sinhf;
        Cosh = cosh, coshf;
        Tanh = tanh, tanhf;
        Asinh = asinh, asinhf;
        Acosh = acosh, acoshf;
        Atanh = atanh, atanhf;
        Exp = exp, expf;
        Exp2 = exp2, exp2f;
        Exp10 = exp10, exp10f;
        Expm1 = expm1, expm1f;
        Log = log, logf;
        Log2 = log2, log2f;
        Log10 = log10, log10f;
        Log1p = log1p, log1pf;
        Logb = logb, logbf;
        // Rust brings functions named cbrt and cbrtf of its own; these are the other names of those in the C library.
        Cbrt = cbrtf64, cbrtf32;
        Erf = erf, erff;
        Erfc = erfc, erfcf;
        Tgamma = tgamma, tgammaf;
    }
    two {
        Atan2 = atan2, atan2f;
        Pow = pow, powf;
        Hypot = hypot, hypotf;
        Remainder = remainder, remainderf;
        Nextafter = nextafter, nextafterf;
    }
}

/// A name without the type that it ends in.
fn plain(name: &'static str) -> &'static str {
    name.strip_suffix("f64").unwrap_or(name)
}

impl Function {
    /// The function whose form for `double` has that name.
    pub fn named(name: &str) -> Option<Function> {
        Self::ALL.iter().copied().find(|function| function.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_to_functions_and_back() {
        for &function in Function::ALL {
            assert_eq!(Function::named(function.name()), Some(function));
        }
        assert_eq!(Function::named("sqrt"), None);
    }

    #[test]
    fn values_are_those_that_a_table_would_have() {
        let close = |found: f64, expected: f64| (found - expected).abs() < 1e-6;
        for (function, x, y, expected) in [
            (Function::Sin, 1.0, 0.0, 0.841471),
            (Function::Cos, 1.0, 0.0, 0.540302),
            (Function::Asinh, 1.0, 0.0, 0.881374),
            (Function::Log10, 1000.0, 0.0, 3.0),
            (Function::Erf, 1.0, 0.0, 0.842701),
            (Function::Tgamma, 5.0, 0.0, 24.0),
            (Function::Atan2, 1.0, -1.0, 2.356194),
            (Function::Pow, 2.0, 10.0, 1024.0),
            (Function::Hypot, 3.0, 4.0, 5.0),
        ] {
            assert!(close(function.of_doubles(x, y), expected), "{function:?}");
            assert!(close(function.of_singles(x as f32, y as f32).into(), expected), "{function:?}");
        }
    }
}
