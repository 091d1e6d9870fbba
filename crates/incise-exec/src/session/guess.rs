//! Inputs by trying: values that are worth a try, and values that read well. Evaluating an expression is a thousand
//! times cheaper than asking a solver about it, most of all for floating-point numbers.
//!
//! All of it is deterministic.

use crate::engine::value::mask;
use crate::inputs::input::PADDING;
use crate::inputs::taken::COUNT;
use crate::session::trace::{Assignment, Condition, Conjunction, Satisfiable, Session};
use incise_solver::concrete::{float_to_float, int_to_float};
use incise_solver::work::{self, Effort};
use incise_solver::{Deadline, ExprId, FloatFormat, Model, SymbolId, SymbolKind, Work};

/// Making inputs read better is worth so much work.
const SIMPLIFYING: Work = Work::about_milliseconds(500);
/// After so many tries it is looked whether there is time left.
const LOOKS_AT_CLOCK: u64 = 256;
/// Numbers that are tried first.
const NUMBERS: [i128; 24] = [
    0, 1, -1, 2, 3, 4, 5, 7, 8, 10, 16, -2, -3, -10, 100, 127, 128, -128, 255, 256, 1000, 32767, 65535, 65536,
];
/// Floating-point numbers that are tried first.
const FLOATS: [f64; 26] = [
    0.0,
    1.0,
    -1.0,
    2.0,
    0.5,
    3.0,
    10.0,
    -2.0,
    0.1,
    0.25,
    1.5,
    100.0,
    -0.5,
    0.3,
    1e3,
    5.0,
    7.0,
    -10.0,
    1e-3,
    1e6,
    1e-9,
    1e16,
    1e300,
    1e-300,
    -0.0,
    f64::INFINITY,
];
/// Characters that are tried first.
const CHARACTERS: [u8; 12] = [0, b'a', b'A', b'0', b' ', b'1', b'b', b'x', b'\n', b'-', b'.', b'/'];

/// Objects with fewer elements than this are tried.
const MOST_ELEMENTS: usize = 13;

/// A generator of numbers without any claim but to be different from seed to seed.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        // Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (OOPSLA 2014).
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }
}

impl Session {
    /// One of these conditions.
    pub fn any(&mut self, conditions: &[Condition]) -> Condition {
        let none = self.exprs.boolean(false);
        Condition(conditions.iter().fold(none, |any, each| self.exprs.or(any, each.0)))
    }

    /// All of these conditions.
    pub fn conjunct(&mut self, conditions: &[Condition]) -> Condition {
        let all = self.exprs.boolean(true);
        Condition(conditions.iter().fold(all, |all, each| self.exprs.and(all, each.0)))
    }

    /// Inputs that satisfy the conditions and one more, if they are found by trying so many.
    pub fn guess(
        &mut self,
        conditions: &Conjunction,
        condition: Condition,
        hint: &Assignment,
        tries: u64,
    ) -> Option<Assignment> {
        let symbols: Vec<SymbolId> = self.exprs.symbols_of(condition.0).collect();
        let all = conditions.0.iter_in_order();
        let mut numbers = Numbers(0x1234_5678);
        for round in 0..tries {
            if round % LOOKS_AT_CLOCK == 0 && self.solver.is_late() {
                return None;
            }
            let mut values = Vec::new();
            // Few values change in the first rounds: the hint satisfies the conditions.
            let share = 1 + round as usize * 4 / tries.max(1) as usize;
            for &symbol in &symbols {
                if numbers.below(5) <= share {
                    values.push((symbol, self.drawn(symbol, &mut numbers)));
                }
            }
            let model = hint.0.model.with(values);
            if self.holds_in(condition.0, &model) && all.iter().all(|&each| self.holds_in(each, &model)) {
                return Some(self.with_model(hint, model));
            }
        }
        None
    }

    /// Inputs that satisfy the conditions, on each of which one of the parts holds that holds on none before it. From
    /// inputs on which many hold others are made that differ in a few values, until so many in a row show nothing new.
    pub fn showing(
        &mut self,
        conditions: &Conjunction,
        parts: &[Condition],
        hint: &Assignment,
        patience: u64,
    ) -> Vec<Assignment> {
        let mut symbols: Vec<SymbolId> =
            parts.iter().flat_map(|each| self.exprs.symbols_of(each.0)).collect();
        symbols.sort();
        symbols.dedup();
        let all = conditions.0.iter_in_order();
        let mut numbers = Numbers(0x8765_4321);
        let (mut most, mut best) = (0, hint.0.model.clone());
        let (mut found, mut seen) = (Vec::new(), vec![false; parts.len()]);
        let mut left = patience;
        while left > 0 && !symbols.is_empty() && !self.solver.is_late() {
            left -= 1;
            // Where nothing holds yet there is nothing to go on from.
            let anew = most == 0 || numbers.below(8) == 0;
            let mut values = Vec::new();
            if anew {
                for &symbol in &symbols {
                    values.push((symbol, self.drawn(symbol, &mut numbers)));
                }
            }
            for _ in 0..numbers.below(4) {
                let symbol = symbols[numbers.below(symbols.len())];
                values.push((symbol, self.drawn(symbol, &mut numbers)));
            }
            let from = if anew { &hint.0.model } else { &best };
            let model = from.with(values);
            if !all.iter().all(|&each| self.holds_in(each, &model)) {
                continue;
            }
            let holds: Vec<bool> = parts.iter().map(|each| self.holds_in(each.0, &model)).collect();
            if holds.iter().zip(&seen).any(|(now, before)| *now && !before) {
                seen.iter_mut().zip(&holds).for_each(|(seen, now)| *seen |= now);
                found.push(self.with_model(hint, model.clone()));
                left = patience;
            }
            let count = holds.iter().filter(|now| **now).count();
            if count >= most {
                (most, best) = (count, model);
            }
        }
        found
    }

    /// Whether a condition can hold, by trying all values that it depends on, if those are not too many: at most `most`
    /// of them. Of the other conditions only those count that depend on nothing else.
    pub fn enumerate(
        &mut self,
        conditions: &Conjunction,
        condition: Condition,
        hint: &Assignment,
        most: u64,
    ) -> Option<Satisfiable> {
        let symbols: Vec<(SymbolId, u32)> = self
            .exprs
            .symbols_of(condition.0)
            .map(|symbol| (symbol, self.exprs.symbol_info(symbol).width))
            .collect();
        let bits: u32 = symbols.iter().map(|(_, width)| *width).sum();
        let count = 1u64.checked_shl(bits).filter(|&count| bits < 63 && count <= most)?;
        let all = conditions.0.iter_in_order();
        let own = |session: &Session, each: ExprId| {
            session.exprs.symbols_of(each).all(|symbol| symbols.iter().any(|(known, _)| *known == symbol))
        };
        let (close, far): (Vec<ExprId>, Vec<ExprId>) = all.into_iter().partition(|&each| own(self, each));
        let mut open = false;
        for number in 0..count {
            if number % LOOKS_AT_CLOCK == 0 && self.solver.is_late() {
                return None;
            }
            let mut rest = u128::from(number);
            let values = symbols.iter().map(|&(symbol, width)| {
                let value = rest & mask(width);
                rest >>= width;
                (symbol, value)
            });
            let model = hint.0.model.with(values);
            if !self.holds_in(condition.0, &model) || !close.iter().all(|&each| self.holds_in(each, &model)) {
                continue;
            }
            if far.iter().all(|&each| self.holds_in(each, &model)) {
                return Some(Satisfiable::Yes(self.with_model(hint, model)));
            }
            // Other values of the other symbols might do.
            open = true;
        }
        (!open).then_some(Satisfiable::No)
    }

    /// Inputs without any condition: the number tells them apart.
    pub fn random(&mut self, number: u64) -> Assignment {
        let mut numbers = Numbers(number.wrapping_mul(0x2545_f491_4f6c_dd1d));
        let symbols: Vec<SymbolId> = self.exprs.symbol_ids().collect();
        let values: Vec<(SymbolId, u128)> =
            symbols.into_iter().map(|symbol| (symbol, self.drawn(symbol, &mut numbers))).collect();
        let zeros = Assignment::given(Default::default());
        let model = zeros.0.model.with(values);
        self.with_model(&zeros, model)
    }

    /// Inputs that satisfy the conditions as `found` does, and read better: zeros, small numbers, printable characters.
    /// The solver is not asked. Conditions over thousands of inputs are tried for a while.
    pub fn simplified(&mut self, conditions: &Conjunction, found: &Assignment) -> Assignment {
        let all = conditions.0.iter_in_order();
        let mut best = found.0.model.clone();
        let until = Deadline::at(None, Some(SIMPLIFYING));
        'all: for _ in 0..2 {
            let symbols: Vec<SymbolId> = best.iter().map(|(symbol, _)| symbol).collect();
            for symbol in symbols {
                if until.work_passed() {
                    break 'all;
                }
                if let Some(better) = self.simpler(symbol, &best, &all, until) {
                    best = better;
                }
            }
        }
        self.with_model(found, best)
    }

    /// The model with the first value of a symbol that does, if that reads better than its own.
    fn simpler(
        &mut self,
        symbol: SymbolId,
        model: &Model,
        conditions: &[ExprId],
        until: Deadline,
    ) -> Option<Model> {
        work::count(Effort::Part, conditions.len() as u64);
        let now = model.value(symbol);
        let expr = self.exprs.symbol_expr(symbol);
        let set = self.exprs.symbols_of(expr).next();
        let mentions = |session: &Session, condition: ExprId| {
            session.exprs.symbols_of(condition).any(|each| Some(each) == set)
        };
        let concerned: Vec<ExprId> =
            conditions.iter().copied().filter(|&condition| mentions(self, condition)).collect();
        for value in self.pleasant(symbol, now) {
            if value == now || until.work_passed() {
                return None;
            }
            let tried = model.with([(symbol, value)]);
            if concerned.iter().all(|&condition| self.holds_in(condition, &tried)) {
                return Some(tried);
            }
        }
        None
    }

    /// Values of a symbol, those first that read best; `now` among them.
    fn pleasant(&self, symbol: SymbolId, now: u128) -> Vec<u128> {
        let info = self.exprs.symbol_info(symbol);
        let bits = mask(info.width);
        let mut values: Vec<u128> = match info.kind {
            _ if info.name.contains(PADDING) => vec![0],
            SymbolKind::Pointer | SymbolKind::Bool => vec![0, 1],
            SymbolKind::Char => {
                let printable = 0x20..0x7fu128;
                CHARACTERS.iter().map(|&byte| u128::from(byte)).chain(printable).collect()
            }
            SymbolKind::Float(format) => FLOATS.iter().map(|&number| float_bits(number, format)).collect(),
            SymbolKind::Signed | SymbolKind::Unsigned | SymbolKind::Bytes => {
                NUMBERS.iter().map(|&number| number as u128 & bits).collect()
            }
        };
        if !values.contains(&now) {
            values.push(now);
        }
        values
    }

    fn drawn(&self, symbol: SymbolId, numbers: &mut Numbers) -> u128 {
        let info = self.exprs.symbol_info(symbol);
        // Objects of a few elements are those that people would try.
        if info.name.starts_with(COUNT) {
            return numbers.below(MOST_ELEMENTS) as u128;
        }
        let random = u128::from(numbers.next()) << 64 | u128::from(numbers.next());
        let bits = match (info.kind, numbers.below(4)) {
            (SymbolKind::Float(format), 0 | 1) => float_bits(FLOATS[numbers.below(FLOATS.len())], format),
            (SymbolKind::Float(format), 2) => {
                let whole = (numbers.next() % 2001) as f64 - 1000.0;
                float_bits(whole / [1.0, 7.0, 10.0, 64.0][numbers.below(4)], format)
            }
            (SymbolKind::Float(format), _) if numbers.below(3) > 0 => {
                int_to_float(true, format, random & mask(24), 64)
            }
            (SymbolKind::Char, 0 | 1) => u128::from(CHARACTERS[numbers.below(CHARACTERS.len())]),
            (_, 0) => NUMBERS[numbers.below(NUMBERS.len())] as u128,
            (_, 1) => (random % 64).wrapping_sub(16),
            // Around a power of two, where sums and products no longer fit.
            (_, 2) => (1u128 << (random % u128::from(info.width)))
                .wrapping_add(numbers.below(3) as u128)
                .wrapping_sub(1),
            _ => random,
        };
        bits & mask(info.width)
    }

    fn holds_in(&mut self, condition: ExprId, model: &Model) -> bool {
        self.solver.evaluate(&self.exprs, condition, model) != 0
    }

    fn with_model(&self, like: &Assignment, model: Model) -> Assignment {
        let mut made = like.clone();
        made.0.model = model;
        made.0.known = self.exprs.symbol_count();
        made
    }
}

fn float_bits(number: f64, format: FloatFormat) -> u128 {
    float_to_float(FloatFormat::Double, format, u128::from(number.to_bits()))
}
