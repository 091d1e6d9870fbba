//! Makes the statements of one function, and those that changes add to it.

use super::{Arithmetic, Generator, NUMBERS};
use crate::c::{Case, Counter, Expression, Form, Function, Kind, Local, Loop, Program, Statement};

pub(crate) const STEPS: [&str; 4] = ["++", "--", " += 2", " -= 3"];

/// Makes the pieces of one function.
pub(crate) struct Writer<'a> {
    pub(crate) generator: &'a mut Generator,
    pub(crate) program: &'a Program,
    pub(super) index: usize,
    /// How many statements, conditions and calls may still be made.
    pub(crate) statements: usize,
    pub(crate) conditions: usize,
    pub(crate) calls: usize,
    pub(crate) counters: usize,
    /// The variable that a statement works on, where it works on one.
    pub(super) lane: usize,
    /// The counters of the loops around what is made.
    pub(super) open: Vec<String>,
}

impl<'a> Writer<'a> {
    pub(crate) fn new(generator: &'a mut Generator, program: &'a Program, index: usize) -> Self {
        let counters = program.functions[index].counters;
        let lane = generator.random.below(NUMBERS.len());
        let (statements, conditions, calls, open) = (1, 1, 1, Vec::new());
        Self { generator, program, index, statements, conditions, calls, counters, lane, open }
    }

    pub(super) fn function(&self) -> &'a Function {
        &self.program.functions[self.index]
    }

    pub(super) fn wraps(&self) -> bool {
        self.generator.features.arithmetic == Arithmetic::Wrapping
    }

    pub(crate) fn percent(&mut self, chance: usize) -> bool {
        self.generator.random.percent(chance)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.generator.random.below(bound)
    }

    pub(crate) fn pick<T: Clone>(&mut self, choices: &[T]) -> T {
        self.generator.random.pick(choices)
    }

    pub(crate) fn constant(&mut self) -> Expression {
        let constants = self.generator.features.constants;
        Expression::Constant(self.pick(constants))
    }

    /// What a local starts with.
    pub(super) fn initial(&mut self) -> Expression {
        match self.wraps() {
            true if self.percent(30) => self.constant(),
            true => self.parameter(),
            false => self.leaf(),
        }
    }

    pub(crate) fn leaf(&mut self) -> Expression {
        if self.wraps() {
            return self.any_leaf();
        }
        if self.percent(30) { self.constant() } else { self.variable() }
    }

    /// Something that is not constant, and calls nothing.
    pub(crate) fn variable(&mut self) -> Expression {
        if self.wraps() {
            return Expression::number(self.place_name());
        }
        let numbers = self.numbers();
        self.pick(&numbers)
    }

    /// An expression of some size for a change.
    pub(crate) fn expression(&mut self) -> Expression {
        if self.wraps() { self.any(1) } else { self.small_expression(0) }
    }

    /// What an `if` decides by.
    pub(crate) fn condition(&mut self) -> Expression {
        self.conditions = self.conditions.saturating_sub(1);
        if self.wraps() { self.any_condition(1) } else { self.small_condition() }
    }

    /// What can be assigned to.
    pub(crate) fn place(&mut self) -> Expression {
        if !self.wraps() && self.generator.has.arrays && self.percent(20) {
            let index = self.variable();
            return Expression::Element(self.element(index, 50));
        }
        Expression::number(self.place_name())
    }

    fn place_name(&mut self) -> String {
        let places = self.places();
        if !self.generator.has.lanes {
            return self.pick(&places);
        }
        let globals: Vec<String> = places.into_iter().filter(|name| name.starts_with('@')).collect();
        match self.lane == 0 && self.percent(20) {
            true => self.pick(&globals),
            false => NUMBERS[self.lane].to_owned(),
        }
    }

    /// Where statements work on one variable each, only one of them has to do with what is global.
    pub(super) fn sees_globals(&self) -> bool {
        !self.generator.has.lanes || self.lane == 0
    }

    /// A statement without blocks in it.
    pub(crate) fn plain(&mut self) -> Statement {
        let calls = if self.generator.features.is_deep { 5 } else { 3 };
        match self.below(20) {
            choice if choice < calls && self.generator.has.calls => {
                self.any_call_statement().unwrap_or_else(|| self.assignment())
            }
            5 => self.point().unwrap_or_else(|| self.assignment()),
            6 => self.step().unwrap_or_else(|| self.assignment()),
            7 | 8 if self.wraps() && self.generator.has.arrays && self.sees_globals() => {
                let index = self.leaf();
                let element = self.element(index, 70);
                Statement::Assign(Expression::Element(element), self.any(1))
            }
            9 | 10 if self.generator.has.output => Statement::Output(self.expression()),
            _ => self.assignment(),
        }
    }

    fn step(&mut self) -> Option<Statement> {
        let numbers = self.local_numbers();
        let name = match self.generator.has.lanes {
            true => NUMBERS[self.lane].to_owned(),
            false if numbers.is_empty() => return None,
            false => self.pick(&numbers),
        };
        Some(Statement::Step(Expression::number(name), self.pick(&STEPS)))
    }

    fn assignment(&mut self) -> Statement {
        let place = self.place();
        if !self.wraps() {
            let value = self.value();
            return Statement::Assign(place, self.kept_small(value));
        }
        // Most assignments use what was there, so that what happened before counts.
        let value = self.any(2);
        if self.percent(30) {
            return Statement::Assign(place, value);
        }
        let operator = self.pick(&["+", "+", "-", "^", "*"]);
        Statement::Assign(place.clone(), Expression::binary(operator, place, value))
    }

    /// A pointer is set to something else.
    fn point(&mut self) -> Option<Statement> {
        let kind = self.pick(&[Kind::Pointer, Kind::Function]);
        let named = |local: &Local| match local {
            Local::Pointing(each, name, _) if *each == kind => Some(name.clone()),
            Local::Operation(name, _) if kind == Kind::Function => Some(format!("{name}.f")),
            _ => None,
        };
        let function = self.function();
        let mut names: Vec<String> = function.locals.iter().filter_map(named).collect();
        names.extend(
            function.parameters.iter().filter(|each| each.kind == kind).map(|each| each.name.clone()),
        );
        let pool = self.pool(kind);
        if names.is_empty() || pool.is_empty() {
            return None;
        }
        let (name, target) = (self.pick(&names), self.pick(&pool));
        Some(Statement::Assign(Expression::Name(kind, name), Expression::Name(kind, target)))
    }

    /// What ends a block early.
    pub(crate) fn leave(&mut self) -> Option<Statement> {
        let in_loop = !self.open.is_empty() && self.generator.features.jumps;
        let leaves = self.generator.has.leaves;
        match self.below(10) {
            0..3 if in_loop => Some(Statement::Break),
            3..5 if in_loop => Some(Statement::Continue),
            5 if leaves => Some(Statement::Abort),
            6 if leaves && self.wraps() => Some(Statement::Exit(self.leaf().low(7))),
            6 if leaves => Some(Statement::Exit(Expression::Constant(self.pick(&[0, 3])).low(7))),
            _ if self.function().returns.is_none() || (self.wraps() && !leaves) => None,
            _ if self.wraps() => Some(Statement::Return(self.leaf())),
            _ if self.generator.features.choices => Some(Statement::Return(self.value())),
            _ => Some(Statement::Return(self.leaf().low(7))),
        }
    }

    /// The statements of the function itself.
    pub(super) fn body(&mut self) -> Vec<Statement> {
        let mut body = Vec::new();
        while self.statements > 0 {
            body.push(self.statement(0));
        }
        body
    }

    fn block(&mut self, depth: usize) -> Vec<Statement> {
        let mut block = Vec::new();
        for _ in 0..=self.generator.random.below(self.generator.features.deepest) {
            block.push(self.statement(depth));
        }
        if self.percent(20) {
            block.extend(self.leave());
        }
        block
    }

    fn statement(&mut self, depth: usize) -> Statement {
        self.statements = self.statements.saturating_sub(1);
        self.lane = self.below(NUMBERS.len());
        if depth >= self.generator.features.deepest || self.conditions == 0 || self.percent(35) {
            return self.plain();
        }
        let can_nest = self.open.is_empty() || !self.generator.features.ends;
        match self.below(20) {
            0..5 if self.generator.has.loops && can_nest => self.repetition(depth),
            5 | 6 if self.generator.features.switches => self.switch(depth),
            _ => self.decision(depth),
        }
    }

    /// A statement that a condition decides about.
    pub(crate) fn decision(&mut self, depth: usize) -> Statement {
        let condition = self.condition();
        let then = self.block(depth + 1);
        let otherwise = match self.below(10) {
            0..5 => Vec::new(),
            // A chain.
            5 | 6 if self.conditions > 0 && depth < self.generator.features.deepest => {
                vec![self.decision(depth + 1)]
            }
            _ => self.block(depth + 1),
        };
        Statement::If(condition, then, otherwise)
    }

    fn switch(&mut self, depth: usize) -> Statement {
        self.conditions = self.conditions.saturating_sub(2);
        let subject = if self.wraps() { self.any(1) } else { self.simple() };
        let cases = (0..1 + self.below(4)).map(|label| {
            let body = self.block(depth + 1);
            let falls_through = self.percent(20) && !body.last().is_some_and(Statement::leaves);
            Case { label: label as i32, body, falls_through }
        });
        let cases = cases.collect();
        let otherwise = self.percent(50).then(|| self.block(depth + 1));
        Statement::Switch(subject, cases, otherwise)
    }

    fn repetition(&mut self, depth: usize) -> Statement {
        let name = format!("i{}", self.counters);
        self.counters += usize::from(self.generator.features.ends);
        let bound = if self.wraps() { self.any_leaf() } else { self.small_expression(0) };
        // Each round can take every way through the body, so that loops have few of them.
        let left = self.conditions;
        self.conditions = left.min(3) - 1;
        self.open.push(name.clone());
        let mut body = self.block(depth + 1);
        self.open.pop();
        self.conditions = left.saturating_sub(2);
        // A loop whose body always leaves has no step, and clang leaves it out.
        if !self.generator.features.jumps && body.last().is_some_and(Statement::leaves) {
            body.pop();
        }
        if !self.generator.features.ends {
            let condition = self.any_condition(1);
            return Statement::Loop(Loop { form: Form::While, counter: None, condition, body });
        }
        if self.wraps() {
            return self.any_loop(name, bound, body);
        }
        self.small_loop(name, bound, body)
    }

    /// A loop that counts up to a few, or down from a few while something holds.
    fn small_loop(&mut self, name: String, bound: Expression, body: Vec<Statement>) -> Statement {
        let counted = |operator, bound| {
            Expression::binary(operator, Expression::Name(Kind::Counter, name.clone()), bound)
        };
        let zero = Expression::Constant(0);
        let (form, start, step, condition) = match self.below(4) {
            0 | 1 => (Form::For, zero, "++", counted("<", Expression::Constant(self.pick(&[2, 2, 3])))),
            2 => (Form::EarlyWhile, zero, "++", counted("<", bound.low(3))),
            _ => {
                let mut condition = counted(">", zero);
                if self.percent(30) {
                    condition = Expression::binary("&&", condition, self.simple_comparison());
                }
                let form = if self.percent(25) { Form::Do } else { Form::EarlyWhile };
                (form, self.variable().low(3), "--", condition)
            }
        };
        let counter = Counter { name: name.clone(), declared: None, start, step };
        Statement::Loop(Loop { form, counter: Some(counter), condition, body })
    }
}
