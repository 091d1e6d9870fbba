//! Random programs. In half of them most things have nothing to do with each other: a statement works on one variable,
//! from one input.

use super::tree::{Expression, Function, Program, Statement, Variable};
use crate::random::Random;

pub const COMPARISONS: [&str; 6] = ["<", "<=", ">", ">=", "==", "!="];
pub const OPERATORS: [&str; 7] = ["+", "-", "*", "&", "|", "^", "<<"];
const LOCALS: usize = 3;
const DEEPEST: usize = 2;

/// What a program may contain.
#[derive(Clone)]
struct Features {
    loops: bool,
    failures: bool,
    output: bool,
    leaves: bool,
    /// Whether statements work on one variable each.
    lanes: bool,
}

/// Makes programs, and the pieces that changes add to them.
pub struct Generator {
    pub random: Random,
    features: Features,
    /// The function that is made: helpers have two parameters, the last function three.
    parameters: usize,
    helpers: usize,
    lane: usize,
    counters: usize,
    /// The loops around what is made.
    open: Vec<usize>,
    /// How many conditions and loops may still be made.
    budget: usize,
    /// Whether changes leave the entry as it is.
    pub below: bool,
}

impl Generator {
    pub fn new(mut random: Random) -> Self {
        let features = Features {
            loops: random.percent(40),
            failures: random.percent(40),
            output: random.percent(25),
            leaves: random.percent(20),
            lanes: random.percent(50),
        };
        Self {
            features,
            parameters: 2,
            helpers: 0,
            lane: 0,
            counters: 0,
            open: Vec::new(),
            budget: 0,
            below: false,
            random,
        }
    }

    pub fn program(&mut self, number: usize) -> Program {
        let mut bits = [(); 6].map(|()| 0);
        for (index, (least, most)) in [(2, 3), (1, 3), (1, 2), (0, 2), (0, 1), (0, 1)].into_iter().enumerate()
        {
            bits[index] = (least + self.random.below(most - least + 1)) as u32;
        }
        let helpers = self.random.below(3);
        let functions = (0..=helpers).map(|index| self.function(index, index == helpers)).collect();
        Program { number, signed: self.random.percent(50), bits, functions }
    }

    fn function(&mut self, index: usize, entry: bool) -> Function {
        self.enter(index, entry);
        self.budget = if entry { 2 + self.random.below(4) } else { self.random.below(3) };
        let locals = (0..LOCALS).map(|lane| {
            self.lane = lane;
            if self.random.percent(30) { self.constant() } else { self.parameter() }
        });
        let locals = locals.collect();
        let count = if entry { 3 + self.random.below(5) } else { 1 + self.random.below(3) };
        let body = (0..count).map(|_| self.statement(0)).collect();
        let result = self.result();
        Function { locals, body, result }
    }

    /// All locals count, or where statements work on one variable each, one of them.
    fn result(&mut self) -> Expression {
        let local = |index| Expression::Variable(Variable::Local(index));
        if self.features.lanes && self.random.percent(60) {
            return local(self.random.below(LOCALS));
        }
        (1..LOCALS).fold(local(0), |sum, index| {
            let scaled = Expression::Binary("*", Box::new(sum), Box::new(Expression::Constant(3)));
            Expression::Binary("+", Box::new(scaled), Box::new(local(index)))
        })
    }

    /// Makes the pieces of this function from now on.
    pub fn enter(&mut self, index: usize, entry: bool) {
        self.helpers = index;
        self.parameters = if entry { 3 } else { 2 };
        self.open.clear();
        self.lane = self.random.below(LOCALS);
    }

    pub fn constant(&mut self) -> Expression {
        Expression::Constant(self.random.pick(&[0, 1, 1, 2, 2, 3, 4, 5, 7]))
    }

    fn parameter(&mut self) -> Expression {
        let index = if self.features.lanes {
            self.lane % self.parameters
        } else {
            self.random.below(self.parameters)
        };
        Expression::Variable(Variable::Parameter(index))
    }

    fn leaf(&mut self) -> Expression {
        match self.random.below(12) {
            0..3 => self.constant(),
            3..6 => self.parameter(),
            6 if !self.features.lanes || self.lane == 0 => {
                Expression::Variable(Variable::Global(self.random.below(2)))
            }
            7 if !self.features.lanes || self.lane == 0 => {
                let safe = !self.features.failures || self.random.percent(70);
                let index = if self.random.percent(50) { self.constant() } else { self.parameter() };
                Expression::Element(Box::new(index), safe)
            }
            8 if !self.open.is_empty() => {
                Expression::Variable(Variable::Counter(self.random.pick(&self.open)))
            }
            _ => Expression::Variable(self.place()),
        }
    }

    /// What can be assigned to.
    pub fn place(&mut self) -> Variable {
        if self.features.lanes {
            return match self.lane == 0 && self.random.percent(20) {
                true => Variable::Global(self.random.below(2)),
                false => Variable::Local(self.lane),
            };
        }
        match self.random.below(8) {
            0 => Variable::Global(self.random.below(2)),
            1 => Variable::Parameter(self.random.below(self.parameters)),
            _ => Variable::Local(self.random.below(LOCALS)),
        }
    }

    pub fn expression(&mut self, depth: usize) -> Expression {
        if depth == 0 || self.random.percent(30) {
            return self.leaf();
        }
        match self.random.below(14) {
            0 => Expression::Unary(self.random.pick(&["!", "~", "-"]), Box::new(self.expression(depth - 1))),
            1 => {
                let condition = self.condition(0);
                let (left, right) = (self.expression(depth - 1), self.expression(depth - 1));
                Expression::Choice(Box::new(condition), Box::new(left), Box::new(right))
            }
            2 => self.condition(depth - 1),
            3 if self.features.failures => self.binary(depth, &["/", "%"]),
            _ => self.binary(depth, &OPERATORS),
        }
    }

    fn binary(&mut self, depth: usize, operators: &[&'static str]) -> Expression {
        let (left, right) = (self.expression(depth - 1), self.expression(depth - 1));
        Expression::Binary(self.random.pick(operators), Box::new(left), Box::new(right))
    }

    pub fn condition(&mut self, depth: usize) -> Expression {
        if depth > 0 && self.random.percent(25) {
            let (left, right) = (self.condition(depth - 1), self.condition(depth - 1));
            return Expression::Binary(self.random.pick(&["&&", "||"]), Box::new(left), Box::new(right));
        }
        let (left, right) = (self.expression(depth.min(1)), self.leaf());
        Expression::Binary(self.random.pick(&COMPARISONS), Box::new(left), Box::new(right))
    }

    pub fn statement(&mut self, depth: usize) -> Statement {
        self.lane = self.random.below(LOCALS);
        if depth >= DEEPEST || self.budget == 0 || self.random.percent(40) {
            return self.plain();
        }
        self.budget -= 1;
        match self.random.below(10) {
            0..3 if self.features.loops && self.open.is_empty() => self.repetition(depth),
            3 => {
                let value = self.expression(1);
                let cases =
                    (0..2 + self.random.below(3)).map(|_| (self.block(depth + 1), self.random.percent(75)));
                Statement::Switch(value, cases.collect())
            }
            _ => {
                let condition = self.condition(1);
                let then = self.block(depth + 1);
                let otherwise = if self.random.percent(45) { self.block(depth + 1) } else { Vec::new() };
                Statement::If(condition, then, otherwise)
            }
        }
    }

    fn block(&mut self, depth: usize) -> Vec<Statement> {
        let mut block: Vec<Statement> = (0..=self.random.below(2)).map(|_| self.statement(depth)).collect();
        if self.features.leaves && self.random.percent(25) {
            block.push(match self.random.below(4) {
                0 => Statement::Abort,
                1 => Statement::Exit(self.leaf()),
                _ => Statement::Return(self.leaf()),
            });
        }
        block
    }

    fn repetition(&mut self, depth: usize) -> Statement {
        let counter = self.counters;
        self.counters += 1;
        // The bound is a parameter or a constant: it may change in the loop, which ends all the same.
        let bound = if self.random.percent(40) { self.constant() } else { self.parameter() };
        self.open.push(counter);
        let body = self.block(depth + 1);
        self.open.pop();
        match self.random.percent(50) {
            true => Statement::For(counter, bound, body),
            false => Statement::While(counter, bound, body),
        }
    }

    /// Most assignments use what was there, so that what happened before counts.
    fn assignment(&mut self) -> Statement {
        let (place, value) = (self.place(), self.expression(2));
        if self.random.percent(30) {
            return Statement::Assign(place, value);
        }
        let operator = self.random.pick(&["+", "+", "-", "^", "*"]);
        let value = Expression::Binary(operator, Box::new(Expression::Variable(place)), Box::new(value));
        Statement::Assign(place, value)
    }

    /// A statement without blocks in it.
    pub fn plain(&mut self) -> Statement {
        match self.random.below(12) {
            0 | 1 if self.helpers > 0 => {
                let helper = self.random.below(self.helpers);
                let arguments = [self.expression(1), self.expression(0)];
                Statement::Call(self.place(), helper, arguments)
            }
            2 if !self.features.lanes || self.lane == 0 => {
                let safe = !self.features.failures || self.random.percent(70);
                Statement::Store(self.leaf(), safe, self.expression(1))
            }
            3 if self.features.output => Statement::Output(self.expression(1)),
            _ => self.assignment(),
        }
    }
}
