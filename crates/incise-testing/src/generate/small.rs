//! Expressions over small values: nothing overflows, no condition is constant, and clang makes of each comparison the
//! branch that the text shows.

use super::statements::Writer;
use crate::c::{COMPARISONS, Expression, JUNCTIONS};

pub(crate) const OPERATORS: [&str; 5] = ["+", "-", "&", "|", "^"];

impl Writer<'_> {
    /// An expression that is no constant, cannot fail and calls nothing.
    pub(super) fn simple(&mut self) -> Expression {
        match self.below(10) {
            0..6 => self.variable(),
            6 => Expression::Fixed("*", Box::new(self.variable()), self.pick(&[2, 3])),
            _ => {
                let (left, right) = (self.variable(), self.leaf());
                Expression::binary(self.pick(&OPERATORS), left, right)
            }
        }
    }

    /// An expression that is no constant, with calls nested up to a depth.
    pub(super) fn small_expression(&mut self, nesting: usize) -> Expression {
        let deep = self.generator.features.is_deep;
        match self.below(20) {
            0 | 1 if self.generator.has.failures => {
                let (left, right) = (self.leaf(), self.variable());
                Expression::Divide(self.pick(&["/", "%"]), Box::new(left), Box::new(right))
            }
            2 | 3 if self.generator.has.arrays => {
                let index = self.variable();
                Expression::Element(self.element(index, 50)).low(7)
            }
            4 | 5 => {
                let (left, right) = (self.simple(), self.simple());
                Expression::binary(self.pick(&OPERATORS), left, right)
            }
            6 | 7 if self.generator.has.calls => self.called(nesting),
            8..13 if self.generator.has.calls && deep => self.called(nesting),
            13 | 14 if self.generator.has.calls && deep => {
                let (left, right) = (self.called(nesting), self.called(nesting));
                Expression::binary(self.pick(&OPERATORS), left, right)
            }
            _ => self.simple(),
        }
    }

    fn called(&mut self, nesting: usize) -> Expression {
        self.call(nesting, true).map_or_else(|| self.simple(), Expression::Call)
    }

    fn compared(&mut self, left: Expression) -> Expression {
        // What is compared need not be small.
        let left = match left {
            Expression::Fixed("&", inner, _) if self.percent(70) => *inner,
            other => other,
        };
        let right = if self.percent(78) { self.constant() } else { self.variable() };
        Expression::binary(self.pick(&COMPARISONS), left, right)
    }

    pub(super) fn simple_comparison(&mut self) -> Expression {
        let left = self.simple();
        self.compared(left)
    }

    fn comparison(&mut self) -> Expression {
        let left = self.small_expression(0);
        self.compared(left)
    }

    pub(super) fn small_condition(&mut self) -> Expression {
        let first = self.comparison();
        match self.below(20) {
            0..13 => first,
            13 => {
                let joined = Expression::binary(self.pick(&JUNCTIONS), first, self.comparison());
                joined.negated()
            }
            14..17 => Expression::binary("&&", first, self.comparison()),
            17 | 18 => Expression::binary("||", first, self.comparison()),
            _ => {
                let second = Expression::binary("||", self.comparison(), self.comparison());
                Expression::binary("&&", first, second)
            }
        }
    }

    /// What is assigned or returned. Clang makes no branch where both sides of a choice are constants, and a call in
    /// one of them would be a statement of its own.
    pub(super) fn value(&mut self) -> Expression {
        let can_choose = self.generator.features.choices && self.conditions > 0;
        match self.below(20) {
            0 | 1 if can_choose => {
                self.conditions -= 1;
                let (condition, first) = (self.comparison(), self.variable());
                // The natural use of a division in a choice is one that the condition guards.
                let second = match self.below(3) {
                    0 => self.without_calls(),
                    1 => self.constant(),
                    _ => self.simple(),
                };
                Expression::choice(condition, first, second)
            }
            2 if can_choose => {
                self.conditions -= 1;
                let (first, second) = (self.comparison(), self.simple_comparison());
                Expression::binary(self.pick(&JUNCTIONS), first, second)
            }
            3 if self.generator.features.choices => self.comparison(),
            4..7 => self.constant(),
            _ => self.small_expression(0),
        }
    }

    fn without_calls(&mut self) -> Expression {
        let found = self.small_expression(0);
        if found.any(|part| matches!(part, Expression::Call(_))) { self.simple() } else { found }
    }

    /// A value as it is assigned.
    pub(super) fn kept_small(&mut self, value: Expression) -> Expression {
        let is_small = match &value {
            Expression::Constant(_) => true,
            Expression::Name(..) => self.percent(70),
            Expression::Binary(operator, ..) => COMPARISONS.contains(operator) || value.is_junction(),
            _ => false,
        };
        match self.below(12) {
            _ if is_small => value,
            0 | 1 => Expression::Fixed("%", Box::new(value), self.pick(&[3, 5])),
            2 | 3 => value.low(3),
            4 | 5 => value.low(15),
            // So that there are negative values too.
            6 | 7 => Expression::Fixed("-", Box::new(value.low(7)), 1),
            _ => value.low(7),
        }
    }

    /// What a function returns at its end.
    pub(super) fn result(&mut self) -> Expression {
        match self.wraps() {
            true => self.any_result(),
            false if self.index == 0 && self.generator.features.choices => self.value(),
            false => self.small_expression(0).low(7),
        }
    }
}
