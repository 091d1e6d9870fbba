//! Random functions: small, without undefined behaviour besides the operations that are meant to fail, and with few
//! paths.

use super::GLOBAL_SCALARS;
use super::tree::{
    Array, AssignedPlace, Case, Condition, Element, Expression, FunctionTree, Leaf, Local, Mask, Object,
    STEPS, Statement, Type, Value,
};
use crate::random::Random;

pub(super) const COMPARISONS: [&str; 6] = ["<", "<=", ">", ">=", "==", "!="];
pub(super) const OPERATORS: [&str; 5] = ["+", "-", "&", "|", "^"];
/// Blocks are nested up to this deep.
const DEEPEST: usize = 3;

/// What a function may contain.
#[derive(Clone)]
struct Features {
    loops: bool,
    failures: bool,
    calls: bool,
    /// Whether the helper that differs between the versions may be called.
    changed_helper: bool,
}

/// Makes a function, and the pieces that mutations add to it.
pub(super) struct Generator {
    pub(super) random: Random,
    features: Features,
    parameters: usize,
    locals: usize,
    has_array: bool,
    has_pointer: bool,
    counters: usize,
    /// How many statements and conditions may still be made.
    statements: usize,
    conditions: usize,
    in_loop: bool,
}

impl Generator {
    pub(super) fn new(random: Random) -> Self {
        let mut random = random;
        let (statements, conditions) = random.pick(&[(3, 2), (5, 4), (8, 6), (11, 8), (14, 10)]);
        let features = Features {
            loops: random.percent(45),
            failures: random.percent(40),
            calls: random.percent(35),
            changed_helper: random.percent(12),
        };
        Self {
            parameters: random.pick(&[1, 2, 2, 3, 3, 3]),
            locals: 1 + random.below(3),
            has_array: random.percent(25),
            has_pointer: random.percent(20),
            counters: 0,
            in_loop: false,
            features,
            statements,
            conditions,
            random,
        }
    }

    pub(super) fn function(&mut self) -> FunctionTree {
        let parameters: Vec<Type> = (0..self.parameters).map(|_| self.parameter_type()).collect();
        let masks =
            (0..self.parameters).map(|_| self.random.percent(30).then(|| self.random.pick(&[1, 3, 7])));
        let masks = masks.collect();
        let locals = (0..self.locals).map(|_| self.local()).collect();
        let pointer = self.has_pointer.then(|| self.object());
        let mut body = Vec::new();
        while self.statements > 0 {
            body.extend(self.block(0));
            if body.last().is_some_and(Statement::leaves) {
                body.pop();
            }
        }
        let result = self.value();
        let (counters, has_array) = (self.counters, self.has_array);
        FunctionTree { parameters, masks, locals, counters, has_array, pointer, body, result }
    }

    fn parameter_type(&mut self) -> Type {
        use Type::*;
        self.random.pick(&[Int, Int, Int, Int, Int, Int, Unsigned, Short, SignedChar, UnsignedChar])
    }

    fn local(&mut self) -> Local {
        let initial = if self.random.percent(30) { self.constant() } else { self.input() };
        Local { kind: Type::Int, initial }
    }

    pub(super) fn constant(&mut self) -> Leaf {
        Leaf::Constant(self.random.pick(&[-1, 0, 0, 1, 1, 2, 2, 3, 4]))
    }

    fn input(&mut self) -> Leaf {
        if self.random.percent(75) {
            return Leaf::Parameter(self.random.below(self.parameters));
        }
        Leaf::Global(self.random.below(GLOBAL_SCALARS))
    }

    /// Something that is not constant, and does not fail.
    pub(super) fn variable(&mut self) -> Leaf {
        if self.random.percent(40) { Leaf::Local(self.random.below(self.locals)) } else { self.input() }
    }

    fn leaf(&mut self) -> Leaf {
        if self.random.percent(30) { self.constant() } else { self.variable() }
    }

    pub(super) fn object(&mut self) -> Object {
        match self.random.below(10) {
            0..4 => Object::Local,
            4 if self.features.failures => Object::Nothing,
            _ => Object::Global(self.random.below(GLOBAL_SCALARS)),
        }
    }

    fn element(&mut self) -> Element {
        let array = if self.has_array && self.random.percent(70) { Array::Local } else { Array::Global };
        Element { array, index: self.variable(), masked: !self.features.failures || self.random.percent(40) }
    }

    fn helper(&mut self) -> (usize, Vec<Leaf>) {
        let helper = if self.features.changed_helper { self.random.below(3) } else { self.random.below(2) };
        (helper, (0..super::print::HELPER_PARAMETERS[helper]).map(|_| self.leaf()).collect())
    }

    /// An expression that is no constant and cannot fail.
    fn simple(&mut self) -> Expression {
        match self.random.below(10) {
            0..6 => Expression::Leaf(self.variable()),
            6 => Expression::Scaled(self.variable(), self.random.pick(&[2, 3])),
            _ => {
                let (left, right) = (self.variable(), self.leaf());
                let operator = self.random.pick(&OPERATORS);
                let (left, right) = (Expression::Leaf(left), Expression::Leaf(right));
                Expression::Binary(operator, Box::new(left), Box::new(right))
            }
        }
    }

    fn expression(&mut self) -> Expression {
        match self.random.below(20) {
            0 | 1 if self.features.failures => {
                Expression::Divide(self.random.pick(&["/", "%"]), self.leaf(), self.variable())
            }
            2 | 3 if self.features.calls => {
                let (helper, arguments) = self.helper();
                Expression::Call(helper, arguments)
            }
            4 | 5 if self.has_array => Expression::Element(self.element()),
            6 if self.has_pointer => Expression::Leaf(Leaf::Pointed),
            7 | 8 => {
                let (left, right) = (self.simple(), self.simple());
                Expression::Binary(self.random.pick(&OPERATORS), Box::new(left), Box::new(right))
            }
            _ => self.simple(),
        }
    }

    fn comparison(&mut self, left: Expression) -> Condition {
        let right = if self.random.percent(75) { self.constant() } else { self.variable() };
        Condition::Compare(left, self.random.pick(&COMPARISONS), right)
    }

    fn simple_comparison(&mut self) -> Condition {
        let left = self.simple();
        self.comparison(left)
    }

    fn any_comparison(&mut self) -> Condition {
        let left = self.expression();
        self.comparison(left)
    }

    /// What an `if` decides by.
    pub(super) fn condition(&mut self) -> Condition {
        self.conditions = self.conditions.saturating_sub(1);
        let first = self.any_comparison();
        match self.random.below(20) {
            0..13 => first,
            13 => Condition::Not(Box::new(Condition::Both(Box::new(first), Box::new(self.any_comparison())))),
            14..17 => Condition::Both(Box::new(first), Box::new(self.any_comparison())),
            17 | 18 => Condition::Either(Box::new(first), Box::new(self.any_comparison())),
            _ => {
                let second =
                    Condition::Either(Box::new(self.any_comparison()), Box::new(self.any_comparison()));
                Condition::Both(Box::new(first), Box::new(second))
            }
        }
    }

    pub(super) fn value(&mut self) -> Value {
        match self.random.below(20) {
            0 | 1 if self.conditions > 0 => {
                self.conditions -= 1;
                let condition = self.any_comparison();
                let first = self.variable();
                // The natural use of a division in a choice is one that the condition guards.
                let second = match self.random.below(3) {
                    0 => self.expression_without_calls(),
                    1 => Expression::Leaf(self.constant()),
                    _ => self.simple(),
                };
                Value::Choice(condition, first, second)
            }
            2 if self.conditions > 0 => {
                self.conditions -= 1;
                let (first, second) = (Box::new(self.any_comparison()), Box::new(self.simple_comparison()));
                Value::Truth(if self.random.percent(50) {
                    Condition::Both(first, second)
                } else {
                    Condition::Either(first, second)
                })
            }
            3 => Value::Truth(self.any_comparison()),
            4..7 => Value::Plain(Expression::Leaf(self.constant())),
            _ => Value::Plain(self.expression()),
        }
    }

    /// A call in one side of a choice would be a statement of its own there.
    fn expression_without_calls(&mut self) -> Expression {
        match self.expression() {
            Expression::Call(..) => self.simple(),
            other => other,
        }
    }

    fn mask(&mut self) -> Mask {
        match self.random.below(6) {
            0 => Mask::Remainder(self.random.pick(&[3, 5])),
            1 => Mask::And(3),
            2 => Mask::And(15),
            _ => Mask::And(7),
        }
    }

    pub(super) fn assignment(&mut self) -> Statement {
        let place = match self.random.below(20) {
            0..10 => AssignedPlace::Local(self.random.below(self.locals)),
            10..13 => AssignedPlace::Parameter(self.random.below(self.parameters)),
            13..16 => AssignedPlace::Global(self.random.below(GLOBAL_SCALARS)),
            16 | 17 if self.has_array => AssignedPlace::Element(self.element()),
            18 if self.has_pointer => AssignedPlace::Pointed,
            _ => AssignedPlace::Local(self.random.below(self.locals)),
        };
        let value = self.value();
        let mask = match &value {
            Value::Plain(Expression::Leaf(Leaf::Constant(_))) | Value::Truth(_) => Mask::None,
            Value::Plain(Expression::Leaf(_)) if self.random.percent(70) => Mask::None,
            _ => self.mask(),
        };
        Statement::Assign(place, value, mask)
    }

    /// A statement without blocks in it.
    pub(super) fn plain(&mut self) -> Statement {
        match self.random.below(20) {
            0 | 1 => Statement::Step(self.random.below(self.locals), self.random.pick(&STEPS)),
            2 if self.has_pointer => Statement::Point(self.object()),
            3 if self.features.calls => {
                let (helper, arguments) = self.helper();
                Statement::Call(helper, arguments)
            }
            _ => self.assignment(),
        }
    }

    /// What ends a block early.
    fn leave(&mut self) -> Statement {
        match self.random.below(10) {
            0..3 if self.in_loop => Statement::Break,
            3..5 if self.in_loop => Statement::Continue,
            5 => Statement::Abort,
            6 => Statement::Exit(self.random.pick(&[0, 3])),
            _ => Statement::Return(self.value()),
        }
    }

    fn block(&mut self, depth: usize) -> Vec<Statement> {
        let mut block = Vec::new();
        for _ in 0..=self.random.below(3) {
            block.push(self.statement(depth));
        }
        if depth > 0 && self.random.percent(18) {
            block.push(self.leave());
        }
        block
    }

    fn statement(&mut self, depth: usize) -> Statement {
        self.statements = self.statements.saturating_sub(1);
        if depth >= DEEPEST || self.conditions == 0 || self.random.percent(35) {
            return self.plain();
        }
        match self.random.below(20) {
            0..4 if self.features.loops && !self.in_loop => self.repetition(depth),
            4 | 5 => self.switch(depth),
            _ => self.decision(depth),
        }
    }

    pub(super) fn decision(&mut self, depth: usize) -> Statement {
        let condition = self.condition();
        let then = self.block(depth + 1);
        let otherwise = match self.random.below(10) {
            0..5 => None,
            // A chain.
            5..7 if self.conditions > 0 && depth < DEEPEST => Some(vec![self.decision(depth + 1)]),
            _ => Some(self.block(depth + 1)),
        };
        Statement::If(condition, then, otherwise)
    }

    fn switch(&mut self, depth: usize) -> Statement {
        self.conditions = self.conditions.saturating_sub(2);
        let subject = self.simple();
        let cases = (0..1 + self.random.below(3)).map(|label| {
            let body = self.block(depth + 1);
            let falls_through = self.random.percent(20) && !body.last().is_some_and(Statement::leaves);
            Case { label: label as i32, body, falls_through }
        });
        let cases = cases.collect();
        let otherwise = self.random.percent(60).then(|| self.block(depth + 1));
        Statement::Switch(subject, cases, otherwise)
    }

    fn repetition(&mut self, depth: usize) -> Statement {
        // Each round can take every way through the body, so that loops have few of them.
        let left = self.conditions;
        self.conditions = left.min(3) - 1;
        self.in_loop = true;
        let body = self.block(depth + 1);
        self.in_loop = false;
        self.conditions = left.saturating_sub(2);
        let counter = self.counters;
        self.counters += 1;
        if self.random.percent(50) {
            return Statement::For(counter, self.random.pick(&[2, 3]), body);
        }
        let and = self.random.percent(30).then(|| self.simple_comparison());
        Statement::While { counter, from: self.input(), and, body, last: self.random.percent(25) }
    }
}
