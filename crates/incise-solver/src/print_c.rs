//! Expressions in C syntax over the names of the inputs (first cut: every operand in parentheses, cut at a depth).

use crate::expr::{ExprId, ExprKind, Exprs};

impl Exprs {
    /// The expression in C syntax over the symbol names.
    pub fn display_c(&self, e: ExprId) -> String {
        self.display_at(e, 12)
    }

    fn display_at(&self, e: ExprId, depth: u32) -> String {
        if depth == 0 {
            return "...".to_string();
        }
        if let Some(value) = self.as_constant(e) {
            return value.to_string();
        }
        if let ExprKind::Symbol(symbol) = *self.kind(e) {
            return self.symbol_info(symbol).name.clone();
        }
        let name = format!("{:?}", self.kind(e));
        let name = name.split(['(', ' ']).next().unwrap_or_default();
        let parts: Vec<String> =
            self.kind(e).operands().iter().map(|&part| self.display_at(part, depth - 1)).collect();
        format!("{name}({})", parts.join(", "))
    }
}
