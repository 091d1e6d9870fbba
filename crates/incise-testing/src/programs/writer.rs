//! Makes the pieces of one function: what it can name, expressions, conditions, calls and statements.

use super::generate::{COMPARISONS, DEEPEST, Features, OPERATORS};
use super::tree::{Call, Callee, Condition, Expression, Function, Kind, Local, Statement, Tree};
use crate::random::Random;

/// Makes the pieces of one function.
pub(super) struct Writer<'a> {
    pub(super) random: &'a mut Random,
    features: &'a Features,
    tree: &'a Tree,
    index: usize,
    /// How many conditions may still be made.
    pub(super) conditions: usize,
    /// How many calls may still be made.
    pub(super) calls: usize,
    pub(super) counters: usize,
    in_loop: bool,
}

impl<'a> Writer<'a> {
    pub(super) fn new(random: &'a mut Random, features: &'a Features, tree: &'a Tree, index: usize) -> Self {
        let counters = tree.functions[index].counters;
        Self { random, features, tree, index, conditions: 1, calls: 1, counters, in_loop: false }
    }

    fn function(&self) -> &'a Function {
        &self.tree.functions[self.index]
    }

    fn parameters(&self, kind: Kind) -> impl Iterator<Item = &'a str> + use<'a> {
        let parameters = self.function().parameters.iter();
        parameters.filter(move |(each, _)| *each == kind).map(|(_, name)| name.as_str())
    }

    /// The numbers that can be assigned to.
    pub(super) fn places(&self) -> Vec<String> {
        let number = self.tree.number;
        let mut found: Vec<String> = self.parameters(Kind::Number).map(str::to_owned).collect();
        found.extend([format!("g{number}_0"), format!("g{number}_1")]);
        found.extend(self.parameters(Kind::Pointer).map(|name| format!("*P({name})")));
        for name in self.parameters(Kind::Record) {
            found.extend([format!("{name}->x"), format!("{name}->y")]);
        }
        if self.features.records {
            found.push(format!("o{number}.x"));
        }
        for local in &self.function().locals {
            match local {
                // Locals are the most likely target.
                Local::Number(name, _) => found.extend([name.clone(), name.clone()]),
                Local::Static(name, _) => found.push(name.clone()),
                Local::Record(name, ..) => found.extend([format!("{name}.x"), format!("{name}.y")]),
                Local::Pointing(Kind::Pointer, name, _) => found.push(format!("*P({name})")),
                _ => {}
            }
        }
        found
    }

    /// What of a kind can be named. What is behind pointers, and what is global, can have any value and is masked.
    pub(super) fn pool(&self, kind: Kind) -> Vec<String> {
        let number = self.tree.number;
        let mut found: Vec<String> = self.parameters(kind).map(str::to_owned).collect();
        let locals = &self.function().locals;
        match kind {
            Kind::Number => {
                // Parameters are what a function is most about.
                found.extend([found.clone(), found.clone()].concat());
                found.extend(self.parameters(Kind::Depth).map(str::to_owned));
                let is_plain = |name: &String| name.len() == 1;
                let places = self.places().into_iter();
                found.extend(places.map(|name| if is_plain(&name) { name } else { format!("({name} & 3)") }));
                found.extend(self.parameters(Kind::Operation).map(|name| format!("{name}->k")));
            }
            Kind::Pointer => {
                found.push(format!("&g{number}_{}", self.index % 2));
                found.extend(self.parameters(Kind::Record).map(|name| format!("&{name}->y")));
                found.extend(self.parameters(Kind::Array).map(|name| format!("&{name}[1]")));
                for local in locals {
                    match local {
                        Local::Number(name, _) => found.extend([format!("&{name}"), format!("&{name}")]),
                        Local::Static(name, _) => found.push(format!("&{name}")),
                        Local::Record(name, ..) => found.push(format!("&{name}.x")),
                        Local::Array(name) => found.push(format!("&{name}[2]")),
                        Local::Pointing(Kind::Pointer, name, _) => found.push(name.clone()),
                        _ => {}
                    }
                }
                if self.features.failures {
                    found.push("(int *)0".to_owned());
                }
            }
            Kind::Array => {
                found.push(format!("t{number}"));
                found.extend(locals.iter().filter_map(|local| match local {
                    Local::Array(name) => Some(name.clone()),
                    _ => None,
                }));
            }
            Kind::Record => {
                found.push(format!("&o{number}"));
                found.extend(locals.iter().filter_map(|local| match local {
                    Local::Record(name, ..) => Some(format!("&{name}")),
                    _ => None,
                }));
            }
            Kind::Function => {
                let later = self.index + 1..self.tree.functions.len();
                let unary = later.filter(|&index| self.tree.functions[index].is_unary());
                found.extend(unary.map(|index| self.tree.name(index)));
                found.extend(self.parameters(Kind::Operation).map(|name| format!("{name}->f")));
                found.extend(locals.iter().filter_map(|local| match local {
                    Local::Pointing(Kind::Function, name, _) => Some(name.clone()),
                    Local::Operation(name, _) => Some(format!("{name}.f")),
                    _ => None,
                }));
            }
            Kind::Operation => found.extend(locals.iter().filter_map(|local| match local {
                Local::Operation(name, _) => Some(format!("&{name}")),
                _ => None,
            })),
            Kind::Depth => {}
        }
        found
    }

    pub(super) fn constant(&mut self) -> Expression {
        Expression::Constant(self.random.pick(&[-1, 0, 0, 1, 1, 2, 2, 3, 4]))
    }

    /// Something that is not constant, and calls nothing.
    pub(super) fn variable(&mut self) -> Expression {
        let pool = self.pool(Kind::Number);
        Expression::Named(Kind::Number, self.random.pick(&pool))
    }

    pub(super) fn leaf(&mut self) -> Expression {
        if self.random.percent(30) { self.constant() } else { self.variable() }
    }

    fn simple(&mut self) -> Expression {
        if self.random.percent(60) {
            return self.variable();
        }
        let (left, right) = (Box::new(self.variable()), Box::new(self.leaf()));
        Expression::Binary(self.random.pick(&OPERATORS), left, right)
    }

    fn element(&mut self) -> Expression {
        let arrays = self.pool(Kind::Array);
        let masked = !self.features.failures || self.random.percent(60);
        Expression::Element { array: self.random.pick(&arrays), index: Box::new(self.variable()), masked }
    }

    /// An expression that is no constant, with calls nested up to a depth.
    pub(super) fn expression(&mut self, nesting: usize) -> Expression {
        match self.random.below(20) {
            0 if self.features.failures => {
                let (left, right) = (Box::new(self.leaf()), Box::new(self.variable()));
                Expression::Divide(self.random.pick(&["/", "%"]), left, right)
            }
            1..3 if self.features.arrays => self.element(),
            3..10 => self.call(nesting, true).map_or_else(|| self.simple(), Expression::Call),
            10..12 => match (self.call(nesting, true), self.call(nesting, true)) {
                (Some(left), Some(right)) => {
                    let (left, right) = (Expression::Call(left), Expression::Call(right));
                    Expression::Binary(self.random.pick(&OPERATORS), Box::new(left), Box::new(right))
                }
                (Some(left), None) => {
                    let (left, right) = (Box::new(Expression::Call(left)), Box::new(self.leaf()));
                    Expression::Binary(self.random.pick(&OPERATORS), left, right)
                }
                _ => self.simple(),
            },
            _ => self.simple(),
        }
    }

    /// A call, if there is something to call.
    pub(super) fn call(&mut self, nesting: usize, returns: bool) -> Option<Call> {
        if self.calls == 0 || nesting > 2 {
            return None;
        }
        let pointers = self.pool(Kind::Function);
        if !pointers.is_empty() && self.random.percent(35) {
            self.calls -= 1;
            let arguments = vec![self.number(nesting)];
            let below = self.tree.table.filter(|table| table.iter().all(|&each| each > self.index));
            let callee = match below {
                Some(_) if self.random.percent(40) => Callee::Table(Box::new(self.variable())),
                _ => Callee::Through(self.random.pick(&pointers)),
            };
            return Some(Call { callee, arguments });
        }
        let can_call =
            |index: &usize| (self.tree.functions[*index].returns || !returns) && self.can_call(*index);
        let later = self.index + 1..self.tree.functions.len();
        let callable: Vec<usize> = later.filter(can_call).collect();
        if callable.is_empty() {
            return None;
        }
        self.calls -= 1;
        let callee = self.random.pick(&callable);
        self.call_of(callee, nesting)
    }

    /// Whether there is something for each parameter of a function.
    fn can_give(&self, callee: usize) -> bool {
        let has = |(kind, _): &(Kind, String)| {
            matches!(kind, Kind::Number | Kind::Depth) || !self.pool(*kind).is_empty()
        };
        self.tree.functions[callee].parameters.iter().all(has)
    }

    /// A call from a function that counts to another that does would begin to count anew.
    fn can_call(&self, callee: usize) -> bool {
        let endless = self.function().is_recursive() && self.tree.functions[callee].is_recursive();
        !endless && self.can_give(callee)
    }

    /// A call of a function, if that is possible.
    pub(super) fn call_of(&mut self, callee: usize, nesting: usize) -> Option<Call> {
        self.can_call(callee).then(|| self.give(callee, nesting))
    }

    /// A call of a function whose parameters can be given.
    fn give(&mut self, callee: usize, nesting: usize) -> Call {
        let parameters = &self.tree.functions[callee].parameters;
        let arguments = parameters.iter().map(|(kind, _)| match kind {
            Kind::Number => self.number(nesting),
            Kind::Depth => Expression::Limited(Box::new(self.leaf())),
            kind => {
                let pool = self.pool(*kind);
                Expression::Named(*kind, self.random.pick(&pool))
            }
        });
        Call { arguments: arguments.collect(), callee: Callee::Direct(callee) }
    }

    /// A number as an argument.
    fn number(&mut self, nesting: usize) -> Expression {
        match self.random.below(10) {
            0..3 => self.constant(),
            3..5 => self.call(nesting + 1, true).map_or_else(|| self.variable(), Expression::Call),
            5 | 6 => self.simple(),
            _ => self.variable(),
        }
    }

    /// A recursive function calls itself or, if that counts too, the one beside it.
    pub(super) fn again(&mut self) -> Statement {
        let partner = |index: usize| self.tree.functions.get(index).is_some_and(Function::is_recursive);
        let callee = match self.index {
            index if partner(index + 1) => index + 1,
            index if partner(index - 1) => index - 1,
            index => index,
        };
        let callee = if self.can_give(callee) { callee } else { self.index };
        let mut call = self.give(callee, 2);
        call.arguments[0] = Expression::OneLess;
        if !self.tree.functions[callee].returns {
            return Statement::Call(call);
        }
        let places = self.places();
        let place = Expression::Named(Kind::Number, self.random.pick(&places));
        Statement::Assign { place, value: Expression::Call(call), mask: 7, moved: false }
    }

    fn comparison(&mut self) -> Condition {
        let left = self.expression(0);
        let right = if self.random.percent(80) { self.constant() } else { self.variable() };
        Condition::Compare(left, self.random.pick(&COMPARISONS), right)
    }

    pub(super) fn condition(&mut self) -> Condition {
        self.conditions = self.conditions.saturating_sub(1);
        let first = self.comparison();
        match self.random.below(10) {
            0..7 => first,
            7 => Condition::Not(Box::new(Condition::Either(Box::new(first), Box::new(self.comparison())))),
            8 => Condition::Both(Box::new(first), Box::new(self.comparison())),
            _ => Condition::Either(Box::new(first), Box::new(self.comparison())),
        }
    }

    /// A statement without blocks in it.
    pub(super) fn plain(&mut self) -> Statement {
        match self.random.below(20) {
            0..5 => self.call(0, false).map_or_else(|| self.assignment(), Statement::Call),
            5 => self.point().unwrap_or_else(|| self.assignment()),
            _ => self.assignment(),
        }
    }

    fn assignment(&mut self) -> Statement {
        let place = if self.features.arrays && self.random.percent(25) {
            self.element()
        } else {
            let places = self.places();
            Expression::Named(Kind::Number, self.random.pick(&places))
        };
        let value = if self.random.percent(12) { self.constant() } else { self.expression(0) };
        let (mask, moved) = (self.random.pick(&[3, 7, 7, 15]), self.random.percent(20));
        Statement::Assign { place, value, mask, moved }
    }

    fn point(&mut self) -> Option<Statement> {
        let kind = self.random.pick(&[Kind::Pointer, Kind::Function]);
        let named = |local: &Local| match local {
            Local::Pointing(each, name, _) if *each == kind => Some(name.clone()),
            Local::Operation(name, _) if kind == Kind::Function => Some(format!("{name}.f")),
            _ => None,
        };
        let mut names: Vec<String> = self.function().locals.iter().filter_map(named).collect();
        names.extend(self.parameters(kind).map(str::to_owned));
        let pool = self.pool(kind);
        if names.is_empty() || pool.is_empty() {
            return None;
        }
        Some(Statement::Point(kind, self.random.pick(&names), self.random.pick(&pool)))
    }

    fn leave(&mut self) -> Option<Statement> {
        match self.random.below(6) {
            0 if self.features.leaves => Some(Statement::Abort),
            1 if self.features.leaves => Some(Statement::Exit(self.random.pick(&[0, 3]))),
            _ if self.function().returns => Some(Statement::Return(self.leaf())),
            _ => None,
        }
    }

    fn block(&mut self, depth: usize) -> Vec<Statement> {
        let mut block = Vec::new();
        for _ in 0..=self.random.below(2) {
            block.push(self.statement(depth));
        }
        if self.random.percent(22) {
            block.extend(self.leave());
        }
        block
    }

    pub(super) fn statement(&mut self, depth: usize) -> Statement {
        if depth >= DEEPEST || self.conditions == 0 || self.random.percent(35) {
            return self.plain();
        }
        if self.features.loops && !self.in_loop && self.random.percent(30) {
            return self.repetition(depth);
        }
        self.decision(depth)
    }

    pub(super) fn decision(&mut self, depth: usize) -> Statement {
        let condition = self.condition();
        let then = self.block(depth + 1);
        let otherwise = if self.random.percent(45) { self.block(depth + 1) } else { Vec::new() };
        Statement::If(condition, then, otherwise)
    }

    fn repetition(&mut self, depth: usize) -> Statement {
        self.conditions = (self.conditions - 1).min(1);
        let counter = self.counters;
        self.counters += 1;
        let bound = if self.random.percent(50) { Some(self.expression(0)) } else { None };
        self.in_loop = true;
        let mut body = self.block(depth + 1);
        self.in_loop = false;
        self.conditions = 0;
        // A loop whose body always leaves has no step, and clang leaves it out.
        if body.last().is_some_and(Statement::leaves) {
            body.pop();
        }
        match bound {
            Some(bound) => Statement::While(counter, bound, body),
            None => Statement::For(counter, self.random.pick(&[2, 2, 3]), body),
        }
    }
}
