//! Functions of the C library for Bitwuzla: all that it knows is that equal arguments give equal results, a few facts,
//! and the values at points that it is told.
//!
//! A function is an array from the bits of its arguments to those of its result. Nothing is known of such an array, so
//! that a contradiction found with it holds for the real function as well; a model need not.

use super::floats::Definition;
use super::translate::{Task, Translator};
use crate::concrete::{self, Domain, MathFacts};
use crate::expr::{ExprId, Exprs, FloatFormat, MathFunction};
use incise_bitwuzla::{Error, Kind, Sort, Term};

/// The arguments of a call and its value, as bits. Of a function of one argument only the first counts.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Point {
    pub(crate) function: MathFunction,
    pub(crate) format: FloatFormat,
    pub(crate) arguments: [u128; 2],
}

impl Point {
    fn value(&self) -> u128 {
        concrete::math(self.function, self.format, self.arguments[0], self.arguments[1])
    }
}

impl Translator {
    /// A call, whose arguments are translated, and what is known of its result.
    pub(super) fn application(
        &mut self,
        exprs: &Exprs,
        function: MathFunction,
        format: FloatFormat,
        operands: [ExprId; 2],
    ) -> Result<Definition, Error> {
        let arguments = [self.bits(exprs, operands[0])?, self.bits(exprs, operands[1])?];
        let bits = self.call(function, format, arguments)?;
        let numbers =
            [self.term(Task::Float(operands[0], format))?, self.term(Task::Float(operands[1], format))?];
        let definition = self.known(function, format, numbers, bits)?;
        Ok(Definition { bits, definition })
    }

    /// That a function has its value at a point.
    pub(super) fn point(&mut self, point: &Point) -> Result<Term, Error> {
        let width = point.format.width();
        let constant = |bits| self.manager.bit_vector(bits, width);
        let arguments = [constant(point.arguments[0])?, constant(point.arguments[1])?];
        let value = constant(point.value())?;
        let result = self.call(point.function, point.format, arguments)?;
        self.make(Kind::Equal, &[result, value])
    }

    /// That the arguments of a call that is translated are those of one of some points.
    pub(super) fn at_one_of(&mut self, exprs: &Exprs, call: ExprId, points: &[Point]) -> Result<Term, Error> {
        let operands = exprs.kind(call).operands();
        let mut any = self.manager.boolean(false)?;
        for point in points {
            let mut here = self.manager.boolean(true)?;
            for (&operand, &argument) in operands.iter().zip(&point.arguments) {
                let bits = self.bits(exprs, operand)?;
                let argument = self.manager.bit_vector(argument, point.format.width())?;
                let same = self.make(Kind::Equal, &[bits, argument])?;
                here = self.make(Kind::And, &[here, same])?;
            }
            any = self.make(Kind::Or, &[any, here])?;
        }
        Ok(any)
    }

    fn call(
        &mut self,
        function: MathFunction,
        format: FloatFormat,
        arguments: [Term; 2],
    ) -> Result<Term, Error> {
        let width = format.width();
        let index = width * function.arity() as u32;
        let array = match self.functions.get(&(function, format)) {
            Some(array) => *array,
            None => {
                let sort = Sort::Array { index, element: width };
                let array = self.manager.constant(sort, &format!("{}:{width}", function.name()))?;
                self.functions.insert((function, format), array);
                array
            }
        };
        let place = match function.arity() {
            1 => arguments[0],
            _ => self.make(Kind::BvConcat, &arguments)?,
        };
        self.make(Kind::ArraySelect, &[array, place])
    }

    /// The facts about a result, given the arguments as numbers.
    fn known(
        &mut self,
        function: MathFunction,
        format: FloatFormat,
        arguments: [Term; 2],
        bits: Term,
    ) -> Result<Term, Error> {
        let facts = MathFacts::of(function);
        let result = self.number_of_bits(format, bits)?;
        let no_number = self.make(Kind::FpIsNan, &[result])?;
        let is_number = self.make(Kind::Not, &[no_number])?;
        let mut known = self.manager.boolean(true)?;
        for (limit, kind) in [(facts.least, Kind::FpGeq), (facts.greatest, Kind::FpLeq)] {
            if let Some(limit) = limit {
                let within = self.beside(kind, format, result, limit)?;
                let within = self.make(Kind::Or, &[no_number, within])?;
                known = self.make(Kind::And, &[known, within])?;
            }
        }
        let both = [self.is_number(arguments[0])?, self.is_number(arguments[1])?];
        let numbers = self.make(Kind::And, &both)?;
        let fact = match facts.domain {
            Domain::Unknown => return Ok(known),
            Domain::AtLeastNumbers => self.make(Kind::Implies, &[numbers, is_number])?,
            Domain::AtLeastPositive => {
                let positive = self.beside(Kind::FpGt, format, arguments[0], 0.0)?;
                let inside = self.make(Kind::And, &[positive, both[1]])?;
                // Not below zero, which holds of numbers only.
                let above = self.beside(Kind::FpGeq, format, result, 0.0)?;
                self.make(Kind::Implies, &[inside, above])?
            }
            Domain::Numbers => self.make(Kind::Equal, &[is_number, numbers])?,
            Domain::Finite => {
                let infinite = self.make(Kind::FpIsInf, &[arguments[0]])?;
                let finite = self.make(Kind::Not, &[infinite])?;
                let inside = self.make(Kind::And, &[both[0], finite])?;
                self.make(Kind::Equal, &[is_number, inside])?
            }
            Domain::Within(least, greatest) => {
                let above = self.beside(Kind::FpGeq, format, arguments[0], least)?;
                let below = self.beside(Kind::FpLeq, format, arguments[0], greatest)?;
                let inside = self.make(Kind::And, &[above, below])?;
                self.make(Kind::Equal, &[is_number, inside])?
            }
        };
        self.make(Kind::And, &[known, fact])
    }

    fn is_number(&self, number: Term) -> Result<Term, Error> {
        let no_number = self.make(Kind::FpIsNan, &[number])?;
        self.make(Kind::Not, &[no_number])
    }

    /// A comparison with a constant.
    fn beside(&self, kind: Kind, format: FloatFormat, number: Term, limit: f64) -> Result<Term, Error> {
        let bits = self.manager.bit_vector(concrete::bound(format, limit), format.width())?;
        let limit = self.number_of_bits(format, bits)?;
        self.make(kind, &[number, limit])
    }
}
