//! Values in registers: concrete words never touch the expression arena.

use crate::engine::machine::mentions_made_up;
use crate::engine::state::State;
use incise_solver::{ExprId, Exprs};
use std::rc::Rc;

/// What a register holds. Scalars know their width from the instruction that uses them.
#[derive(Clone, Debug)]
pub enum Value {
    /// A concrete scalar of at most 64 bits; the bits above its width are zero.
    Word(u64),
    /// A concrete scalar of 65 to 128 bits.
    Wide(Rc<u128>),
    /// An expression over the inputs; never one that is a plain constant.
    Symbolic(ExprId),
    /// The elements of a struct, array or vector.
    Aggregate(Rc<Vec<Value>>),
    /// Never initialised, `undef` or `poison`: becomes an arbitrary value when it is used.
    Undefined,
}

impl Value {
    /// A scalar as an expression; one that was never initialised gets an arbitrary value.
    pub(crate) fn expression(&self, exprs: &mut Exprs, state: &mut State, width: u32) -> ExprId {
        match self {
            Value::Word(word) => exprs.constant(u128::from(*word), width),
            Value::Wide(wide) => exprs.constant(**wide, width),
            Value::Symbolic(expr) => *expr,
            Value::Aggregate(_) | Value::Undefined => state.arbitrary(exprs, width),
        }
    }

    /// A concrete scalar.
    pub(crate) fn concrete(bits: u128, width: u32) -> Self {
        let bits = bits & mask(width);
        if width <= 64 { Self::Word(bits as u64) } else { Self::Wide(Rc::new(bits)) }
    }

    /// A scalar from an expression, concrete if the expression is constant.
    pub fn from_expr(exprs: &Exprs, expr: ExprId) -> Self {
        match exprs.as_constant(expr) {
            Some(bits) => Self::concrete(bits, exprs.width(expr)),
            None => Self::Symbolic(expr),
        }
    }

    /// A struct, array or vector of these elements.
    pub(crate) fn aggregate(elements: impl IntoIterator<Item = Value>) -> Self {
        Self::Aggregate(Rc::new(elements.into_iter().collect()))
    }

    /// Whether two scalars are the same without a question.
    pub fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Symbolic(one), Self::Symbolic(other)) => one == other,
            _ => self.as_concrete().is_some() && self.as_concrete() == other.as_concrete(),
        }
    }

    /// Whether it depends on what the program never initialised.
    pub(crate) fn mentions_made_up(&self, exprs: &Exprs) -> bool {
        match self {
            Self::Symbolic(expr) => mentions_made_up(exprs, *expr),
            Self::Aggregate(elements) => elements.iter().any(|element| match element {
                Self::Symbolic(expr) => mentions_made_up(exprs, *expr),
                _ => false,
            }),
            Self::Word(_) | Self::Wide(_) | Self::Undefined => false,
        }
    }

    /// The bits of a concrete scalar.
    pub fn as_concrete(&self) -> Option<u128> {
        match self {
            Self::Word(word) => Some(u128::from(*word)),
            Self::Wide(wide) => Some(**wide),
            _ => None,
        }
    }
}

/// The bits of a value of `width` bits, all set.
pub fn mask(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

/// The bits of a word of `width` bits, all set.
#[inline]
pub(crate) fn mask64(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// Reads the low `width` bits as a signed number.
#[inline]
pub(crate) fn sign_extend64(bits: u64, width: u32) -> i64 {
    if width >= 64 || width == 0 { bits as i64 } else { ((bits << (64 - width)) as i64) >> (64 - width) }
}

/// Reads the low `width` bits as a signed number.
pub fn sign_extend(bits: u128, width: u32) -> i128 {
    if width >= 128 || width == 0 { bits as i128 } else { ((bits << (128 - width)) as i128) >> (128 - width) }
}
