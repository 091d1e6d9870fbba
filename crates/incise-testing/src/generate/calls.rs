//! Calls: of functions that come later, through pointers and tables, of a function by itself, of what is elsewhere.

use super::statements::Writer;
use crate::c::{Call, Callee, Expression, Function, Kind, Parameter, Statement};

impl Writer<'_> {
    /// A call, if there is something to call.
    pub(super) fn call(&mut self, nesting: usize, returns: bool) -> Option<Call> {
        if self.calls == 0 || nesting > 2 {
            return None;
        }
        let pointers = self.pool(Kind::Function);
        if self.generator.has.callbacks && !pointers.is_empty() && self.percent(35) {
            self.calls -= 1;
            let arguments = vec![self.argument(nesting)];
            let below = self.program.table.filter(|table| table.iter().all(|&each| each > self.index));
            let callee = match below {
                Some(_) if self.percent(40) => Callee::Table(Box::new(self.variable())),
                _ => Callee::Through(self.pick(&pointers)),
            };
            return Some(Call { callee, arguments });
        }
        let functions = &self.program.functions;
        let can_call =
            |index: &usize| (functions[*index].returns.is_some() || !returns) && self.can_call(*index);
        let callable: Vec<usize> = (self.index + 1..functions.len()).filter(can_call).collect();
        if callable.is_empty() {
            return None;
        }
        self.calls -= 1;
        let callee = self.pick(&callable);
        Some(self.give(callee, nesting))
    }

    /// Whether there is something for each parameter of a function.
    fn can_give(&self, callee: usize) -> bool {
        let has = |Parameter { kind, .. }: &Parameter| {
            matches!(kind, Kind::Number | Kind::Depth) || !self.pool(*kind).is_empty()
        };
        self.program.functions[callee].parameters.iter().all(has)
    }

    /// A call from a function that counts to another that does would begin to count anew.
    fn can_call(&self, callee: usize) -> bool {
        let endless = self.function().is_recursive() && self.program.functions[callee].is_recursive();
        let may = self.generator.features.is_deep || self.index == 0;
        may && !endless && self.can_give(callee)
    }

    /// A call of a function whose parameters can be given.
    fn give(&mut self, callee: usize, nesting: usize) -> Call {
        let parameters = &self.program.functions[callee].parameters;
        let arguments = parameters.iter().map(|Parameter { kind, .. }| match kind {
            Kind::Number => self.argument(nesting),
            Kind::Depth => self.leaf().low(3),
            kind => {
                let pool = self.pool(*kind);
                Expression::Name(*kind, self.pick(&pool))
            }
        });
        Call { arguments: arguments.collect(), callee: Callee::Direct(callee) }
    }

    /// A number as an argument.
    fn argument(&mut self, nesting: usize) -> Expression {
        if self.wraps() {
            return self.any(1);
        }
        let deep = self.generator.features.is_deep;
        match self.below(10) {
            0..3 => self.constant(),
            3 | 4 if deep => self.call(nesting + 1, true).map_or_else(|| self.variable(), Expression::Call),
            5 | 6 if deep => self.simple(),
            _ => self.variable(),
        }
    }

    /// A call as a statement: its result is kept, or not.
    fn statement_of(&mut self, call: Call) -> Statement {
        let returns = match call.callee {
            Callee::Direct(callee) => self.program.functions[callee].returns.is_some(),
            _ => true,
        };
        match returns && (self.wraps() || self.percent(30)) {
            true if self.wraps() => Statement::Assign(self.place(), Expression::Call(call)),
            true => Statement::Assign(self.place(), Expression::Call(call).low(7)),
            false => Statement::Call(call),
        }
    }

    /// A call of a function as a statement, if that is possible.
    pub(crate) fn call_statement(&mut self, callee: usize) -> Option<Statement> {
        self.can_call(callee).then(|| {
            let call = self.give(callee, 1);
            self.statement_of(call)
        })
    }

    pub(super) fn any_call_statement(&mut self) -> Option<Statement> {
        if !self.generator.features.ends {
            let arguments = vec![self.expression()];
            return Some(Statement::Call(Call { callee: Callee::Through("outside".to_owned()), arguments }));
        }
        let call = self.call(0, false)?;
        Some(self.statement_of(call))
    }

    /// Functions that can be called with the same arguments, and come later.
    pub(crate) fn functions_like(&self, callee: usize) -> Vec<usize> {
        let kinds = |function: &Function| -> Vec<Kind> {
            function.parameters.iter().map(|parameter| parameter.kind).collect()
        };
        let functions = &self.program.functions;
        let alike = |&other: &usize| {
            !functions[other].is_recursive()
                && kinds(&functions[callee]) == kinds(&functions[other])
                && functions[callee].returns == functions[other].returns
        };
        (callee + 1..functions.len()).filter(alike).collect()
    }

    /// A recursive function calls itself or, if that counts too, the one beside it.
    pub(super) fn again(&mut self) -> Statement {
        let partner = |index: usize| self.program.functions.get(index).is_some_and(Function::is_recursive);
        let callee = match self.index {
            index if partner(index + 1) => index + 1,
            index if partner(index - 1) => index - 1,
            index => index,
        };
        let callee = if self.can_give(callee) { callee } else { self.index };
        let mut call = self.give(callee, 2);
        call.arguments[0] = Expression::OneLess;
        self.statement_of(call)
    }
}
