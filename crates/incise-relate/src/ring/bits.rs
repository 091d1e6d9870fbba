//! Numbers as sums of bits: shifts, masks and remainders of a number whose parts do not carry into each other.
//!
//! `(w & 0x55) + (w >> 1 & 0x55)` is a sum of bits of `w`, each of them as often as it says, and so is what is left of
//! that by `% 3`. Who counts bits in parallel and who counts them one after the other come to the same sum, which a
//! solver that looks at bits has to search for. A sum here is an exact one, of whole numbers: it is within the width of
//! its expression whatever the bits are. Where that is not known an expression is the sum of its own bits.

use incise_solver::{BinaryOp, ExprId, ExprKind, Exprs};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Wider numbers are not looked at.
const WIDEST: u32 = 64;
/// Expressions with more parts are not looked at.
const MOST_NODES: usize = 1000;

/// A bit of an expression.
pub(super) type Bit = (ExprId, u32);

/// How many times each bit, and a constant. Bits that are there no times are left out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct BitSum {
    pub(super) bits: BTreeMap<Bit, i128>,
    pub(super) constant: i128,
}

impl BitSum {
    fn constant(value: u128) -> Self {
        Self { bits: BTreeMap::new(), constant: value as i128 }
    }

    /// An expression as the number that its own bits are.
    fn own(expr: ExprId, width: u32) -> Self {
        Self { bits: (0..width).map(|bit| ((expr, bit), 1 << bit)).collect(), constant: 0 }
    }

    /// The least and the greatest number that it can be.
    fn range(&self) -> (i128, i128) {
        let of = |sign: fn(&i128) -> bool| self.bits.values().filter(|times| sign(times)).sum::<i128>();
        (self.constant + of(|times| *times < 0), self.constant + of(|times| *times > 0))
    }

    /// This, if it fits into so many bits.
    fn fitting(self, width: u32) -> Option<Self> {
        let (least, most) = self.range();
        (least >= 0 && most < 1 << width).then_some(self)
    }

    /// What comes of each number of times.
    fn each(&self, change: impl Fn(i128) -> i128) -> Self {
        let bits = self.bits.iter().map(|(&bit, &times)| (bit, change(times)));
        Self { bits: bits.filter(|(_, times)| *times != 0).collect(), constant: change(self.constant) }
    }

    fn plus(&self, other: &Self, times: i128) -> Self {
        let mut sum = self.clone();
        for (&bit, &more) in &other.bits {
            *sum.bits.entry(bit).or_default() += more * times;
        }
        sum.bits.retain(|_, times| *times != 0);
        sum.constant += other.constant * times;
        sum
    }

    /// What is below a bit, if nothing of that carries over.
    fn below(&self, bit: u32) -> Option<Self> {
        self.each(|times| times.rem_euclid(1 << bit)).fitting(bit)
    }

    /// What is from a bit on, as a number by itself, if nothing carries over from below.
    fn from(&self, bit: u32) -> Option<Self> {
        self.below(bit)?;
        Some(self.each(|times| times.div_euclid(1 << bit)))
    }

    /// What a mask leaves.
    fn masked(&self, mask: u128, width: u32) -> Option<Self> {
        let (mut left, mut low) = (Self::constant(0), 0);
        while low < width {
            let set = mask >> low & 1 == 1;
            let high = (low + 1..width).find(|&bit| (mask >> bit & 1 == 1) != set).unwrap_or(width);
            if set {
                let field = self.from(low)?.below(high - low)?;
                left = left.plus(&field, 1 << low);
            }
            low = high;
        }
        Some(left)
    }

    /// What is left by a division.
    fn remainder(&self, by: u128) -> Option<Self> {
        let by = i128::try_from(by).ok().filter(|&by| by > 0)?;
        let left = self.each(|times| times.rem_euclid(by));
        (left.range().1 < by).then_some(left)
    }
}

/// Expressions as sums of bits.
#[derive(Default)]
pub(super) struct BitSums {
    known: FxHashMap<ExprId, BitSum>,
}

impl BitSums {
    /// An expression as a sum of bits; `None` if it is large, or nothing but itself.
    pub(super) fn of(&mut self, exprs: &Exprs, root: ExprId) -> Option<&BitSum> {
        if exprs.width(root) > WIDEST || !is_taken_apart(exprs, root) {
            return None;
        }
        let mut work = vec![root];
        while let Some(&expr) = work.last() {
            if self.known.contains_key(&expr) {
                work.pop();
                continue;
            }
            if self.known.len() > MOST_NODES {
                return None;
            }
            let parts = parts(exprs, expr);
            let open: Vec<ExprId> = parts.into_iter().filter(|part| !self.known.contains_key(part)).collect();
            if !open.is_empty() {
                work.extend(open);
                continue;
            }
            let width = exprs.width(expr);
            let found = self.combined(exprs, expr).and_then(|sum| sum.fitting(width));
            self.known.insert(expr, found.unwrap_or_else(|| BitSum::own(expr, width)));
            work.pop();
        }
        let itself = (root, 0);
        self.known.get(&root).filter(|sum| !sum.bits.contains_key(&itself))
    }

    /// What an expression is of its parts, before it is asked whether that fits.
    fn combined(&self, exprs: &Exprs, expr: ExprId) -> Option<BitSum> {
        let width = exprs.width(expr);
        if let Some(value) = exprs.as_constant(expr) {
            return Some(BitSum::constant(value));
        }
        let of = |part: ExprId| self.known.get(&part);
        let by = |part: ExprId| exprs.as_constant(part);
        match *exprs.kind(expr) {
            ExprKind::Binary(BinaryOp::Add, a, b) => Some(of(a)?.plus(of(b)?, 1)),
            ExprKind::Binary(BinaryOp::Sub, a, b) => Some(of(a)?.plus(of(b)?, -1)),
            // What is multiplied or shifted out at the top is lost.
            ExprKind::Binary(BinaryOp::Mul, a, b) => {
                let (times, sum) = by(b).zip(of(a)).or_else(|| by(a).zip(of(b)))?;
                Some(sum.each(|each| each.wrapping_mul(times as i128).rem_euclid(1 << width)))
            }
            ExprKind::Binary(BinaryOp::Shl, a, b) => {
                let bits = by(b).filter(|&bits| bits < u128::from(width))?;
                Some(of(a)?.each(|each| (each << bits).rem_euclid(1 << width)))
            }
            ExprKind::Binary(BinaryOp::LShr, a, b) => {
                of(a)?.from(by(b).filter(|&bits| bits < u128::from(width))? as u32)
            }
            ExprKind::Binary(BinaryOp::And, a, b) => {
                let (mask, sum) = by(b).zip(of(a)).or_else(|| by(a).zip(of(b)))?;
                sum.masked(mask, width)
            }
            ExprKind::Binary(BinaryOp::URem, a, b) => of(a)?.remainder(by(b)?),
            ExprKind::Not(a) => Some(BitSum::constant((1 << width) - 1).plus(of(a)?, -1)),
            ExprKind::ZeroExtend(a) => of(a).cloned(),
            ExprKind::Extract { of: whole, low } => of(whole)?.from(low)?.below(width),
            ExprKind::Ite(condition, a, b) => {
                let (then, otherwise) = (of(a)?, of(b)?);
                let apart = then.plus(otherwise, -1);
                let chosen = of(condition).filter(|_| apart.bits.is_empty())?;
                Some(otherwise.plus(chosen, apart.constant))
            }
            _ => None,
        }
    }
}

/// Whether an expression may be another sum than that of its own bits.
fn is_taken_apart(exprs: &Exprs, expr: ExprId) -> bool {
    !parts(exprs, expr).is_empty()
}

/// What a sum of bits is made of; nothing for all else.
fn parts(exprs: &Exprs, expr: ExprId) -> Vec<ExprId> {
    let narrow = |parts: Vec<ExprId>| match parts.iter().all(|&part| exprs.width(part) <= WIDEST) {
        true => parts,
        false => Vec::new(),
    };
    let constant = |part: ExprId| exprs.as_constant(part).is_some();
    match *exprs.kind(expr) {
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) => narrow(vec![a, b]),
        ExprKind::Binary(BinaryOp::Mul | BinaryOp::And, a, b) if constant(a) || constant(b) => {
            narrow(vec![a, b])
        }
        ExprKind::Binary(BinaryOp::Shl | BinaryOp::LShr | BinaryOp::URem, a, b) if constant(b) => {
            narrow(vec![a, b])
        }
        ExprKind::Not(a) | ExprKind::ZeroExtend(a) | ExprKind::Extract { of: a, .. } => narrow(vec![a]),
        ExprKind::Ite(condition, a, b) => narrow(vec![condition, a, b]),
        _ => Vec::new(),
    }
}
