//! What is noted of a path that most people do not mean: signed arithmetic that does not fit, and indices beyond their
//! arrays. Both are undefined in C, and neither is an error here: the machine goes on.

use crate::engine::arithmetic::overflows;
use crate::engine::code::Code;
use crate::engine::machine::Machine;
use crate::engine::state::State;
use crate::engine::value::{Value, sign_extend64};
use incise_ir::ValueId;
use incise_solver::{BinaryOp, CompareOp, ExprId, Exprs};

/// Something that may be other than people mean.
#[derive(Clone, Copy, Debug)]
pub enum Oddity {
    /// Signed arithmetic, whose result may not fit.
    Signed(BinaryOp, ExprId, ExprId),
    /// An index of 64 bits, which may not be within these limits.
    Index {
        /// The index.
        index: ExprId,
        /// The least that is meant.
        least: i64,
        /// The greatest: the address behind the last element is one that programs compute.
        most: i64,
        /// Whether the address wraps around beyond these limits.
        wraps: bool,
    },
}

impl Oddity {
    /// When it is other than people mean.
    pub fn condition(self, exprs: &mut Exprs) -> ExprId {
        match self {
            Self::Signed(op, left, right) => overflows(exprs, op, true, left, right),
            Self::Index { index, least, most, .. } => {
                let (least, most) = (exprs.constant(least as u128, 64), exprs.constant(most as u128, 64));
                let below = exprs.compare(CompareOp::Slt, index, least);
                let above = exprs.compare(CompareOp::Slt, most, index);
                exprs.or(below, above)
            }
        }
    }
}

impl Machine<'_> {
    /// Notes an index that may be beyond its array, or so large that the address wraps around, if such things are
    /// noted. `to` is the address; the index comes with its width.
    pub(crate) fn note_index(
        &mut self,
        code: &Code,
        state: &mut State,
        to: ValueId,
        (index, width): (&Value, u32),
        stride: i64,
    ) {
        let function = &self.program.functions[code.function];
        let checks = &self.config.checks;
        if !(checks.note_overflow || checks.note_indices) || function.model || width > 64 {
            return;
        }
        let found = function.array_elements.binary_search_by_key(&to, |&(value, _)| value);
        let elements = found.ok().map(|at| function.array_elements[at].1);
        let (least, most, wraps) = match (elements, i64::MAX.checked_div(stride.saturating_abs())) {
            // An array of one element at the end of a struct often stands for any number of them.
            (Some(elements @ 2..), _) => (0, i64::try_from(elements).unwrap_or(i64::MAX), false),
            (None, Some(most)) if width == 64 && most != i64::MAX => (-most, most, true),
            _ => return,
        };
        if let Some(word) = index.as_concrete()
            && (least..=most).contains(&sign_extend64(word as u64, width))
        {
            return;
        }
        let narrow = self.decider.expr(state, index, width);
        let index = self.decider.exprs.sext(narrow, 64);
        state.odd.push(Oddity::Index { index, least, most, wraps });
    }
}
