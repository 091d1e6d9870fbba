//! How values move from meeting to meeting, and which of them move together.

use super::values::{Ask, change, has_base, times};
use incise_exec::inside::sign_extend;
use incise_solver::{BinaryOp, ExprId, Exprs, FloatFormat};

/// How much farther a value moves than another one.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Factor {
    Times(i128),
    /// A number that does not change in the loop, and is not known.
    Unknown(ExprId),
}

pub(super) const ONCE: Factor = Factor::Times(1);

/// How a value moved since the first meeting.
pub(super) struct Movement {
    origin: Option<ExprId>,
    now: Option<ExprId>,
    /// By how much; `None` if it was never set at first.
    change: Option<ExprId>,
}

impl Movement {
    pub(super) fn new(
        ask: &mut Ask<'_>,
        origin: Option<ExprId>,
        now: Option<ExprId>,
    ) -> Result<Self, String> {
        let exprs = &mut ask.session.exprs;
        let change = match (origin, now) {
            (Some(before), Some(now)) => Some(change(exprs, before, now)?),
            (None, Some(now)) if has_base(exprs, now) => return Err("a pointer is set in a loop".into()),
            (None, _) => None,
            (Some(_), None) => return Err("a value is lost in a loop".into()),
        };
        Ok(Self { origin, now, change })
    }

    /// The distance that it moved by, if that is a constant.
    pub(super) fn distance(&self, ask: &Ask<'_>, width: u32) -> Option<i128> {
        ask.session.exprs.as_constant(self.change?).map(|bits| sign_extend(bits, width))
    }

    /// Whether it moved by `factor` times as much as another.
    pub(super) fn goes_with(&self, ask: &mut Ask<'_>, factor: Factor, other: &Self) -> bool {
        match (self.change, other.change) {
            (Some(_), Some(_)) if factor == ONCE && self.origin == other.origin => {
                matches!((self.now, other.now), (Some(one), Some(other)) if ask.equal(one, other))
            }
            (Some(one), Some(other)) => {
                let exprs = &mut ask.session.exprs;
                if exprs.width(one) != exprs.width(other) {
                    return false;
                }
                let product = factor.of(exprs, other);
                ask.equal(one, product)
            }
            (None, None) => match (self.now, other.now) {
                (Some(one), Some(other)) => factor == ONCE && ask.equal(one, other),
                (None, None) => true,
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether it is the same number as another, though not the same bits; both were the same at first.
    pub(super) fn is_number(&self, ask: &mut Ask<'_>, format: Option<FloatFormat>, other: &Self) -> bool {
        let (Some(format), Some(one), Some(two)) = (format, self.now, other.now) else { return false };
        let at_first = match (self.origin, other.origin) {
            (Some(one), Some(other)) => ask.equal(one, other),
            (one, other) => one == other,
        };
        at_first && ask.same_float(format, one, two)
    }

    /// How many times as much it moved as another, if that can be seen.
    pub(super) fn factor_to(
        &self,
        ask: &mut Ask<'_>,
        other: &Self,
        width: u32,
        widely: bool,
    ) -> Option<Factor> {
        for factor in [ONCE, Factor::Times(-1)] {
            if self.goes_with(ask, factor, other) {
                return Some(factor);
            }
        }
        let theirs = other.distance(ask, width)?;
        if let Some(mine) = self.distance(ask, width) {
            return (mine.checked_rem(theirs)? == 0).then(|| Factor::Times(mine / theirs));
        }
        // It may move by something that does not change, whenever the other one moves by one.
        let change = self.change.filter(|_| widely && theirs == 1)?;
        let exprs = &ask.session.exprs;
        (ask.fresh.is_constant(exprs, change) && !has_base(exprs, change)).then_some(Factor::Unknown(change))
    }
}

impl Factor {
    /// So many times an expression.
    pub(super) fn of(self, exprs: &mut Exprs, expr: ExprId) -> ExprId {
        match self {
            Self::Times(factor) => times(exprs, factor, expr),
            Self::Unknown(factor) => exprs.binary(BinaryOp::Mul, factor, expr),
        }
    }
}
