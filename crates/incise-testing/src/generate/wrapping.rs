//! Expressions over any values. What overflows wraps around.

use super::NUMBERS;
use super::statements::Writer;
use crate::c::{
    COMPARISONS, Call, Callee, Counter, Expression, Form, JUNCTIONS, Kind, Loop, Statement, Type,
};

pub(crate) const WRAPPING: [&str; 7] = ["+", "-", "*", "&", "|", "^", "<<"];

impl Writer<'_> {
    pub(super) fn parameter(&mut self) -> Expression {
        let parameters = &self.function().parameters;
        let index = if self.generator.has.lanes {
            self.lane % parameters.len()
        } else {
            self.below(parameters.len())
        };
        Expression::number(&parameters[index].name)
    }

    pub(super) fn any_leaf(&mut self) -> Expression {
        match self.below(12) {
            0..3 => self.constant(),
            3..6 => self.parameter(),
            6 if self.generator.features.globals && self.sees_globals() => {
                let number = self.program.number;
                Expression::number(format!("@g{number}_{}", self.below(2)))
            }
            7 if self.generator.has.arrays && self.sees_globals() => {
                let index = if self.percent(50) { self.constant() } else { self.parameter() };
                Expression::Element(self.element(index, 70))
            }
            8 if !self.open.is_empty() && self.generator.features.ends => {
                Expression::Name(Kind::Counter, self.generator.random.pick(&self.open))
            }
            _ => self.variable(),
        }
    }

    pub(super) fn any(&mut self, depth: usize) -> Expression {
        if depth == 0 || self.percent(30) {
            return self.any_leaf();
        }
        match self.below(14) {
            0 => Expression::unary(self.pick(&["!", "~", "-"]), self.any(depth - 1)),
            1 => {
                let condition = self.any_condition(0);
                Expression::choice(condition, self.any(depth - 1), self.any(depth - 1))
            }
            2 => self.any_condition(depth - 1),
            3 if self.generator.has.failures => self.division(depth),
            3 if !self.generator.features.globals => {
                let (left, right) = (self.any(depth - 1), self.any(depth - 1));
                let odd = Expression::Fixed("|", Box::new(right), 1);
                Expression::binary(self.pick(&["/", "%"]), left, odd)
            }
            4 if !self.generator.features.globals => {
                use Type::*;
                let kind = self.pick(&[UnsignedChar, SignedChar, Short, Unsigned]);
                Expression::Cast(kind, Box::new(self.any(depth - 1)))
            }
            5 | 6 if !self.generator.features.ends => {
                let arguments = vec![self.any(depth - 1)];
                Expression::Call(Call { callee: Callee::Through("outside".to_owned()), arguments })
            }
            _ => self.arithmetic(depth),
        }
    }

    fn arithmetic(&mut self, depth: usize) -> Expression {
        let (left, right) = (self.any(depth - 1), self.any(depth - 1));
        let shifts_right = !self.generator.features.globals && self.percent(10);
        match if shifts_right { ">>" } else { self.pick(&WRAPPING) } {
            operator @ ("<<" | ">>") => Expression::binary(operator, left, right.low(7)),
            operator => Expression::binary(operator, left, right),
        }
    }

    /// What is divided has no sign: the smallest number by -1 is another failure, which no one asks for.
    fn division(&mut self, depth: usize) -> Expression {
        let (left, right) = (self.any(depth - 1), self.any(depth - 1));
        let divisor = Expression::binary("+", right, Expression::Name(Kind::Counter, "zero".to_owned()));
        Expression::Divide(self.pick(&["/", "%"]), Box::new(left.low(255)), Box::new(divisor))
    }

    pub(super) fn any_condition(&mut self, depth: usize) -> Expression {
        if depth > 0 && self.percent(25) {
            let (left, right) = (self.any_condition(depth - 1), self.any_condition(depth - 1));
            return Expression::binary(self.pick(&JUNCTIONS), left, right);
        }
        let (left, right) = (self.any(depth.min(1)), self.any_leaf());
        // Who reads texts wants each condition to be there, and clang leaves out those that are constant.
        let left = if self.generator.features.ends { left } else { self.variable() };
        Expression::binary(self.pick(&COMPARISONS), left, right)
    }

    /// All locals count, or where statements work on one variable each, one of them.
    pub(super) fn any_result(&mut self) -> Expression {
        let local = |index: usize| Expression::number(NUMBERS[index]);
        if self.generator.has.lanes && self.percent(60) {
            return local(self.below(NUMBERS.len()));
        }
        let sum = (1..NUMBERS.len()).fold(local(0), |sum, index| {
            let scaled = Expression::binary("*", sum, Expression::Constant(3));
            Expression::binary("+", scaled, local(index))
        });
        match self.generator.features.globals {
            true => sum,
            false => {
                let index = Expression::binary("^", local(0), local(1));
                Expression::binary("+", sum, Expression::Element(self.element(index, 100)))
            }
        }
    }

    /// A loop of a few turns. The bound may change in it, and it ends all the same.
    pub(super) fn any_loop(
        &mut self,
        name: String,
        bound: Expression,
        mut body: Vec<Statement>,
    ) -> Statement {
        let counter = Expression::Name(Kind::Counter, name.clone());
        if self.percent(30) {
            let place = Expression::number(NUMBERS[self.lane]);
            let sum = Expression::binary("+", place.clone(), counter.clone());
            body.insert(0, Statement::Assign(place, sum));
        }
        let turns = match self.generator.features.globals {
            true => bound.low(3),
            false => Expression::Constant(1 + self.below(3) as i32),
        };
        let number = self.generator.number;
        let (form, declared, step, condition) = match self.percent(50) {
            true => (Form::For, Some(number), "++", Expression::binary("<", counter, turns)),
            false => (Form::While, None, " += 1", Expression::binary(">", turns, counter)),
        };
        let start = Expression::Constant(0);
        let counter = Counter { name, declared, start, step };
        Statement::Loop(Loop { form, counter: Some(counter), condition, body })
    }
}
