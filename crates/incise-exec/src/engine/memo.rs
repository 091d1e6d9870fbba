//! A memory of expressions that were just made: the same instruction with the same operands makes the same expression,
//! and loops over symbolic data do so all the time.

use crate::engine::value::Value;
use incise_solver::ExprId;

const ENTRIES: usize = 1 << 13;

/// What makes an expression: an operation and its operands.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(crate) struct Key {
    operation: u64,
    left: u64,
    right: u64,
}

impl Key {
    /// `None` for operands that are neither words nor expressions.
    #[inline]
    pub(crate) fn new(operation: u64, left: &Value, right: &Value) -> Option<Self> {
        let (left_tag, left) = tagged(left)?;
        let (right_tag, right) = tagged(right)?;
        Some(Self { operation: operation << 2 | left_tag << 1 | right_tag, left, right })
    }

    #[inline]
    fn slot(self) -> usize {
        let mixed = (self.operation ^ self.left.rotate_left(17) ^ self.right.rotate_left(43))
            .wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> (64 - ENTRIES.trailing_zeros())) as usize
    }
}

fn tagged(value: &Value) -> Option<(u64, u64)> {
    match value {
        Value::Word(word) => Some((0, *word)),
        Value::Symbolic(expr) => Some((1, expr.index() as u64)),
        _ => None,
    }
}

/// A direct-mapped cache: a newer entry takes an older one's place.
pub(crate) struct Memo {
    entries: Vec<Option<(Key, Value)>>,
}

impl Memo {
    pub(crate) fn new() -> Self {
        Self { entries: vec![None; ENTRIES] }
    }

    #[inline]
    pub(crate) fn get(&self, key: Key) -> Option<Value> {
        match &self.entries[key.slot()] {
            Some((known, value)) if *known == key => Some(value.clone()),
            _ => None,
        }
    }

    pub(crate) fn put(&mut self, key: Key, value: &Value) {
        self.entries[key.slot()] = Some((key, value.clone()));
    }
}

/// Remembers negations.
pub(crate) struct Negations {
    entries: Vec<Option<(ExprId, ExprId)>>,
}

impl Negations {
    pub(crate) fn new() -> Self {
        Self { entries: vec![None; ENTRIES] }
    }

    #[inline]
    pub(crate) fn get(&self, expr: ExprId) -> Option<ExprId> {
        match self.entries[expr.index() % ENTRIES] {
            Some((known, negated)) if known == expr => Some(negated),
            _ => None,
        }
    }

    pub(crate) fn put(&mut self, expr: ExprId, negated: ExprId) {
        self.entries[expr.index() % ENTRIES] = Some((expr, negated));
    }
}
