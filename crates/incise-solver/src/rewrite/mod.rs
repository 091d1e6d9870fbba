//! Rewriting at construction (first cut: constant folding).

use crate::evaluate::compute;
use crate::expr::{ExprId, ExprKind, Exprs};

/// Counters and switches of rewriting.
pub(crate) struct Rewriter {
    enabled: bool,
    depth: u32,
}

impl Rewriter {
    pub(crate) fn new() -> Self {
        Rewriter { enabled: true, depth: 0 }
    }

    pub(crate) fn disabled() -> Self {
        Rewriter { enabled: false, depth: 0 }
    }

    #[inline]
    pub(crate) fn is_enabled(&self) -> bool {
        self.enabled
    }

    #[inline]
    pub(crate) fn is_outermost(&self) -> bool {
        self.depth == 0
    }
}

pub(crate) fn apply(exprs: &mut Exprs, kind: &ExprKind, width: u32) -> Option<ExprId> {
    if !exprs.rewriter.enabled || matches!(kind, ExprKind::Select(..)) {
        return None;
    }
    let operands = kind.operands();
    let mut values = [0; 3];
    for (slot, &operand) in values.iter_mut().zip(operands.iter()) {
        *slot = exprs.as_constant(operand)?;
    }
    let find = |e: ExprId| values[operands.iter().position(|&o| o == e).unwrap_or(0)];
    let value = compute(exprs, kind, width, find);
    Some(exprs.constant(value, width))
}
