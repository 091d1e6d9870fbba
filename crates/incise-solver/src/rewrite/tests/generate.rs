//! Random expressions, built alike in several arenas.

use crate::expr::{
    ArrayId, BinaryOp, CompareOp, ExprId, Exprs, FloatBinary, FloatCompare, FloatFormat, FloatUnary,
    SymbolKind,
};

/// A linear congruential generator: tests must not differ from run to run.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let x = self.0 ^ self.0 >> 29;
        x.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ x >> 32
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        ((self.next() >> 33) % bound as u64) as usize
    }

    pub(crate) fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }

    pub(crate) fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    /// A value with interesting ones likely: ends of ranges, powers of two, few bits, small numbers.
    pub(crate) fn value(&mut self, width: u32) -> u128 {
        let mask = crate::concrete::mask(width);
        let random = (self.next() as u128) << 64 | self.next() as u128;
        let value = match self.below(9) {
            0 => 0,
            1 => 1,
            2 => mask,
            3 => 1 << (width - 1),
            4 => (1 << (width - 1)) - 1,
            5 => 1 << self.below(width as usize),
            6 => (1u128 << self.below(width as usize)).wrapping_sub(1),
            7 => self.below(20) as u128,
            _ => random,
        };
        value & mask
    }
}

/// An expression in each arena.
pub(crate) type Pair = [ExprId; 2];

/// Expressions built in step in two arenas: one without rewriting and one with.
pub(crate) struct Pool {
    pub(crate) arenas: [Exprs; 2],
    pub(crate) items: Vec<Pair>,
    arrays: Vec<[ArrayId; 2]>,
    widths: Vec<u32>,
    floats: bool,
}

impl Pool {
    pub(crate) fn new(widths: &[u32], floats: bool) -> Self {
        let arenas = [Exprs::without_rewriting(), Exprs::new()];
        Pool { arenas, items: Vec::new(), arrays: Vec::new(), widths: widths.to_vec(), floats }
    }

    pub(crate) fn add(&mut self, build: impl Fn(&mut Exprs, usize) -> ExprId) -> Pair {
        let [raw, rewritten] = &mut self.arenas;
        let pair = [build(raw, 0), build(rewritten, 1)];
        assert_eq!(self.arenas[0].width(pair[0]), self.arenas[1].width(pair[1]));
        self.items.push(pair);
        pair
    }

    pub(crate) fn symbol(&mut self, name: &str, width: u32) -> Pair {
        self.add(|e, _| e.symbol(name, width, SymbolKind::Unsigned))
    }

    /// Makes no more use of the arrays so far.
    pub(crate) fn forget_arrays(&mut self) {
        self.arrays.clear();
    }

    pub(crate) fn width(&self, pair: Pair) -> u32 {
        self.arenas[0].width(pair[0])
    }

    /// An expression of a width: one of the pool, often a recent one, or a constant.
    fn operand(&mut self, random: &mut Random, width: u32) -> Pair {
        if random.chance(5) {
            let value = random.value(width);
            return self.add(|e, _| e.constant(value, width));
        }
        let fitting: Vec<Pair> =
            self.items.iter().copied().filter(|&pair| self.width(pair) == width).collect();
        let recent = &fitting[fitting.len() - fitting.len().min(6)..];
        match (fitting.is_empty(), random.chance(2)) {
            (true, _) => self.resized(random, width),
            (false, true) => random.pick(recent),
            (false, false) => random.pick(&fitting),
        }
    }

    /// Some expression of the pool brought to a width.
    fn resized(&mut self, random: &mut Random, width: u32) -> Pair {
        let from = random.pick(&self.items);
        let old = self.width(from);
        let signed = random.chance(2);
        self.add(|e, i| match old {
            _ if old > width => e.trunc(from[i], width),
            _ if signed => e.sext(from[i], width),
            _ => e.zext(from[i], width),
        })
    }

    /// Adds one random node.
    pub(crate) fn step(&mut self, random: &mut Random) -> Pair {
        let width = random.pick(&self.widths.clone());
        let choices = if self.floats { 15 } else { 14 };
        match random.below(choices) {
            0..=4 => {
                let op = random.pick(&BinaryOp::ALL);
                let (a, b) = (self.operand(random, width), self.operand(random, width));
                self.add(|e, i| e.binary(op, a[i], b[i]))
            }
            5 | 6 => {
                let op = random.pick(&CompareOp::ALL);
                let (a, b) = (self.operand(random, width), self.operand(random, width));
                self.add(|e, i| e.compare(op, a[i], b[i]))
            }
            7 => {
                let a = self.operand(random, width);
                self.add(|e, i| e.not(a[i]))
            }
            8 => self.resized(random, width),
            9 => {
                let a = random.pick(&self.items);
                let whole = self.width(a);
                let part = 1 + random.below(whole as usize) as u32;
                let low = random.below((whole - part + 1) as usize) as u32;
                self.add(|e, i| e.extract(a[i], low, part))
            }
            10 => self.concatenation(random),
            11 | 12 => {
                let condition = self.operand(random, 1);
                let (a, b) = (self.operand(random, width), self.operand(random, width));
                self.add(|e, i| e.ite(condition[i], a[i], b[i]))
            }
            13 => self.array_step(random),
            _ => self.float_step(random),
        }
    }

    fn concatenation(&mut self, random: &mut Random) -> Pair {
        let a = random.pick(&self.items);
        // A neighbour of an existing part is more interesting than anything.
        let b = random.pick(&self.items);
        let total = self.width(a) + self.width(b);
        if total > *self.widths.iter().max().unwrap_or(&1) * 2 || total > 128 {
            return self.resized(random, 1);
        }
        self.add(|e, i| e.concat(a[i], b[i]))
    }

    fn index(&mut self, random: &mut Random) -> Pair {
        let a = self.operand(random, *self.widths.clone().first().unwrap_or(&1));
        let plus = random.below(3) as u128;
        self.add(|e, i| {
            let narrow = e.trunc(a[i], e.width(a[i]).min(3));
            let wide = e.zext(narrow, 64);
            let plus = e.constant(plus, 64);
            e.add(wide, plus)
        })
    }

    fn byte(&mut self, random: &mut Random) -> Pair {
        let a = random.pick(&self.items);
        let value = random.value(8);
        let constant = random.chance(3);
        self.add(|e, i| {
            if constant {
                return e.constant(value, 8);
            }
            match e.width(a[i]) {
                width if width < 8 => e.zext(a[i], 8),
                _ => e.trunc(a[i], 8),
            }
        })
    }

    fn array_step(&mut self, random: &mut Random) -> Pair {
        if self.arrays.is_empty() || random.chance(3) {
            let count = 1 + random.below(5);
            let same = random.chance(4);
            let first = self.byte(random);
            let cells: Vec<Pair> = (0..count).map(|_| if same { first } else { self.byte(random) }).collect();
            let [raw, rewritten] = &mut self.arenas;
            let make = |e: &mut Exprs, i: usize| {
                let cells: Vec<ExprId> = cells.iter().map(|pair| pair[i]).collect();
                e.array_of_cells(&cells)
            };
            self.arrays.push([make(raw, 0), make(rewritten, 1)]);
        }
        let array = random.pick(&self.arrays);
        let index = self.index(random);
        if random.chance(2) {
            let value = self.byte(random);
            let [raw, rewritten] = &mut self.arenas;
            let stored = [
                raw.array_store(array[0], index[0], value[0]),
                rewritten.array_store(array[1], index[1], value[1]),
            ];
            self.arrays.push(stored);
        }
        self.add(|e, i| e.select(array[i], index[i]))
    }

    fn float_step(&mut self, random: &mut Random) -> Pair {
        use FloatFormat::{Double, Half, Quad, Single, X87};
        let format = random.pick(&[Half, Single, Double, Double, X87, Quad, FloatFormat::BFloat]);
        let width = format.width();
        let [a, b, c] = [0; 3].map(|_| self.operand(random, width));
        match random.below(7) {
            0 => {
                let op =
                    random.pick(&[FloatBinary::Add, FloatBinary::Sub, FloatBinary::Mul, FloatBinary::Div]);
                self.add(|e, i| e.float_binary(op, format, a[i], b[i]))
            }
            1 => {
                let op = random.pick(&[FloatBinary::Rem, FloatBinary::Min, FloatBinary::Max]);
                self.add(|e, i| e.float_binary(op, format, a[i], b[i]))
            }
            2 => {
                let op =
                    random.pick(&[FloatUnary::Sqrt, FloatUnary::Floor, FloatUnary::Ceil, FloatUnary::Trunc]);
                self.add(|e, i| e.float_unary(op, format, a[i]))
            }
            3 => self.add(|e, i| e.float_fma(format, a[i], b[i], c[i])),
            4 => {
                let ops = [
                    FloatCompare::Eq,
                    FloatCompare::Lt,
                    FloatCompare::Le,
                    FloatCompare::Unordered,
                    FloatCompare::Same,
                ];
                let op = random.pick(&ops);
                let same = random.chance(3);
                self.add(|e, i| e.float_compare(op, format, a[i], if same { a[i] } else { b[i] }))
            }
            5 => {
                let to = random.pick(&[Half, Single, Double, X87, Quad]);
                self.add(|e, i| e.float_to_float(format, to, a[i]))
            }
            _ => {
                let signed = random.chance(2);
                let int = random.pick(&[8, 16, 32, 64]);
                let x = self.operand(random, int);
                let float = self.add(|e, i| e.int_to_float(signed, format, x[i]));
                let of = if random.chance(2) { float } else { a };
                self.add(|e, i| e.float_to_int(format, signed, int, of[i]))
            }
        }
    }
}
