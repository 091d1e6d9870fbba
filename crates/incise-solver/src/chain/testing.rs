//! Random expressions for tests, from a generator of random numbers that repeats itself.

use crate::expr::{
    BinaryOp, CompareOp, ExprId, Exprs, FloatBinary, FloatCompare, FloatFormat, FloatUnary, SymbolId,
    SymbolKind,
};
use crate::model::Model;

/// A small generator of random numbers (xorshift), so that a failure repeats.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn word(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.word() >> 33) as usize % bound
    }

    /// A value of which corner cases are likely.
    pub(crate) fn value(&mut self, width: u32) -> u128 {
        let wide = u128::from(self.word()) << 64 | u128::from(self.word());
        let value = match self.below(6) {
            0 => 0,
            1 => u128::MAX,
            2 => 1 << (width - 1),
            3 => u128::from(self.word() % 10),
            4 => 1 << self.below(width as usize),
            _ => wide,
        };
        value & crate::concrete::mask(width)
    }

    /// The bits of a float of which infinities, zeros, denormals and what is not a number are likely.
    pub(crate) fn float(&mut self, format: FloatFormat) -> u128 {
        let mut bits = self.value(format.width());
        let exponent = ((1u128 << format.exponent_bits()) - 1) << format.significand_bits();
        match self.below(6) {
            0 => bits |= exponent,
            1 => bits &= !exponent,
            // Near one, where results are neither zero nor infinite.
            2 | 3 => bits = bits & !exponent | (exponent / 2) & exponent,
            _ => {}
        }
        if format == FloatFormat::X87 && self.below(4) > 0 {
            bits |= u128::from(bits & exponent != 0) << 63;
        }
        bits
    }
}

/// What a generated expression may consist of.
#[derive(Copy, Clone)]
pub(crate) struct Profile {
    pub(crate) floats: bool,
    pub(crate) arrays: bool,
    /// Products and quotients of symbolic words wider than this are left out.
    pub(crate) widest_product: u32,
}

pub(crate) const FORMATS: [FloatFormat; 6] = [
    FloatFormat::Half,
    FloatFormat::BFloat,
    FloatFormat::Single,
    FloatFormat::Double,
    FloatFormat::X87,
    FloatFormat::Quad,
];

/// Grows expressions over a few symbols.
pub(crate) struct Generator {
    pub(crate) exprs: Exprs,
    pub(crate) random: Random,
    pub(crate) symbols: Vec<SymbolId>,
    pool: Vec<ExprId>,
    profile: Profile,
}

impl Generator {
    pub(crate) fn new(seed: u64, exprs: Exprs, profile: Profile, widths: &[u32]) -> Self {
        let mut generator =
            Generator { exprs, random: Random::new(seed), symbols: Vec::new(), pool: Vec::new(), profile };
        for (number, &width) in widths.iter().enumerate() {
            let symbol = generator.exprs.symbol(&format!("s{number}"), width, SymbolKind::Unsigned);
            generator.symbols.extend(generator.exprs.as_symbol(symbol));
            generator.pool.push(symbol);
        }
        generator
    }

    /// Random values for all symbols.
    pub(crate) fn model(&mut self) -> Model {
        let values: Vec<_> = self
            .symbols
            .clone()
            .into_iter()
            .map(|symbol| {
                let width = self.exprs.symbol_info(symbol).width;
                let formats: Vec<FloatFormat> =
                    FORMATS.into_iter().filter(|format| format.width() == width).collect();
                let value = match formats.first() {
                    Some(&format) if self.profile.floats => self.random.float(format),
                    _ => self.random.value(width),
                };
                (symbol, value)
            })
            .collect();
        Model::new().with(values)
    }

    fn pick(&mut self) -> ExprId {
        let from = if self.random.below(2) == 0 { self.pool.len() / 2 } else { 0 };
        self.pool[from + self.random.below(self.pool.len() - from)]
    }

    /// An expression of the given width.
    pub(crate) fn of_width(&mut self, width: u32) -> ExprId {
        if self.random.below(8) == 0 {
            let value = self.random.value(width);
            return self.exprs.constant(value, width);
        }
        let picked = self.pick();
        let own = self.exprs.width(picked);
        match own.cmp(&width) {
            std::cmp::Ordering::Equal => picked,
            std::cmp::Ordering::Less if self.random.below(2) == 0 => self.exprs.sext(picked, width),
            std::cmp::Ordering::Less => self.exprs.zext(picked, width),
            std::cmp::Ordering::Greater => {
                let low = self.random.below((own - width + 1) as usize) as u32;
                self.exprs.extract(picked, low, width)
            }
        }
    }

    /// A new expression made of earlier ones.
    pub(crate) fn grow(&mut self) -> ExprId {
        let choices = if self.profile.floats { 14 } else { 8 };
        let made = match self.random.below(choices) {
            0 | 1 => self.binary(),
            2 => self.condition(),
            3 => {
                let a = self.pick();
                self.exprs.not(a)
            }
            4 => {
                let then = self.pick();
                let width = self.exprs.width(then);
                let (condition, otherwise) = (self.of_width(1), self.of_width(width));
                self.exprs.ite(condition, then, otherwise)
            }
            5 => {
                let (high, low) = (self.pick(), self.pick());
                if self.exprs.width(high) + self.exprs.width(low) > 128 {
                    return self.grow();
                }
                self.exprs.concat(high, low)
            }
            6 if self.profile.arrays => self.read(),
            6 | 7 => {
                let width = 1 + self.random.below(40) as u32;
                self.of_width(width)
            }
            _ => self.float(),
        };
        self.pool.push(made);
        made
    }

    fn binary(&mut self) -> ExprId {
        let a = self.pick();
        let width = self.exprs.width(a);
        let b = self.of_width(width);
        let op = BinaryOp::ALL[self.random.below(BinaryOp::ALL.len())];
        let hard =
            matches!(op, BinaryOp::Mul | BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem);
        if hard && width > self.profile.widest_product {
            let factor = self.random.value(width);
            let b = self.exprs.constant(factor, width);
            return self.exprs.binary(BinaryOp::Mul, a, b);
        }
        self.exprs.binary(op, a, b)
    }

    /// A new expression of width 1.
    pub(crate) fn condition(&mut self) -> ExprId {
        let a = self.pick();
        let width = self.exprs.width(a);
        let b = self.of_width(width);
        let op = CompareOp::ALL[self.random.below(CompareOp::ALL.len())];
        self.exprs.compare(op, a, b)
    }

    fn read(&mut self) -> ExprId {
        let count = 1 + self.random.below(20);
        let mut array = if self.random.below(2) == 0 {
            let bytes: Vec<u8> = (0..count).map(|_| self.random.word() as u8).collect();
            self.exprs.array_of_bytes(&bytes)
        } else {
            let cells: Vec<ExprId> = (0..count).map(|_| self.of_width(8)).collect();
            self.exprs.array_of_cells(&cells)
        };
        for _ in 0..self.random.below(5) {
            let (index, value) = (self.index(), self.of_width(8));
            array = self.exprs.array_store(array, index, value);
        }
        let index = self.index();
        self.exprs.select(array, index)
    }

    /// An index that is often within a small array.
    fn index(&mut self) -> ExprId {
        if self.random.below(3) == 0 {
            let value = self.random.below(24) as u128;
            return self.exprs.constant(value, 64);
        }
        let width = [4, 5, 64][self.random.below(3)];
        let narrow = self.of_width(width);
        self.exprs.zext(narrow, 64)
    }

    fn float(&mut self) -> ExprId {
        let format = FORMATS[self.random.below(FORMATS.len())];
        let (a, b, c) =
            (self.of_width(format.width()), self.of_width(format.width()), self.of_width(format.width()));
        let exprs = &mut self.exprs;
        match self.random.below(8) {
            0 | 1 => {
                use FloatBinary::*;
                // The remainder has an enormous circuit where exponents are wide.
                let ops = if format == FloatFormat::Half {
                    &[Add, Sub, Mul, Div, Rem][..]
                } else {
                    &[Add, Sub, Mul, Div, Min]
                };
                exprs.float_binary(ops[self.random.below(ops.len())], format, a, b)
            }
            2 => {
                use FloatUnary::*;
                let op = [Sqrt, Floor, Ceil, Trunc, RoundEven, RoundAway][self.random.below(6)];
                exprs.float_unary(op, format, a)
            }
            3 => exprs.float_fma(format, a, b, c),
            4 => {
                use FloatCompare::*;
                let op = [Eq, Lt, Le, Unordered, Same][self.random.below(5)];
                exprs.float_compare(op, format, a, b)
            }
            5 => exprs.float_to_float(format, FORMATS[self.random.below(FORMATS.len())], a),
            6 => {
                let width = [8, 16, 32, 64, 128][self.random.below(5)];
                exprs.float_to_int(format, self.random.below(2) == 0, width, a)
            }
            _ => {
                let width = [8, 16, 32, 64, 128][self.random.below(5)];
                let integer = self.of_width(width);
                self.exprs.int_to_float(self.random.below(2) == 0, format, integer)
            }
        }
    }
}
