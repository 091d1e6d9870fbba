//! Statements, the blocks in them, and the walks that changes need.

use super::expression::{Call, Expression, Kind, Type};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Statement {
    /// A number, or a pointer of some kind, is set.
    Assign(Expression, Expression),
    /// `x++`, `x += 2`.
    Step(Expression, &'static str),
    Call(Call),
    /// A character is written.
    Output(Expression),
    If(Expression, Vec<Statement>, Vec<Statement>),
    /// By the low two bits.
    Switch(Expression, Vec<Case>, Option<Vec<Statement>>),
    Loop(Loop),
    Break,
    Continue,
    Return(Expression),
    Abort,
    Exit(Expression),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    pub label: i32,
    pub body: Vec<Statement>,
    pub falls_through: bool,
}

/// A loop. One that has a counter ends, which the first comparison of its condition sees to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loop {
    pub form: Form,
    pub counter: Option<Counter>,
    pub condition: Expression,
    pub body: Vec<Statement>,
}

/// Where a loop decides and counts.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Form {
    For,
    /// Counts at the end of its body.
    While,
    /// Counts first, so that `continue` does not skip it.
    EarlyWhile,
    /// The same, and decides at the end.
    Do,
    /// Asks first whether there is a first turn, then decides at the end.
    GuardedDo,
    /// Decides in its body.
    Endless,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counter {
    pub name: String,
    /// If it is declared with the loop.
    pub declared: Option<Type>,
    pub start: Expression,
    pub step: &'static str,
}

impl Loop {
    /// What can change without making it endless: the start, the bound, and what else the condition asks.
    fn expressions(&mut self) -> Vec<&mut Expression> {
        if self.counter.is_none() {
            return vec![&mut self.condition];
        }
        let is_counter = |side: &Expression| matches!(side, Expression::Name(Kind::Counter, _));
        let mut found = Vec::new();
        let compared = match &mut self.condition {
            Expression::Binary("&&", compared, also) => {
                found.push(&mut **also);
                &mut **compared
            }
            compared => compared,
        };
        if let Expression::Binary(_, left, right) = compared {
            let bound = if is_counter(left) { right } else { left };
            found.extend(inside_of_fixed(bound));
        }
        found.extend(self.counter.as_mut().and_then(|counter| inside_of_fixed(&mut counter.start)));
        found
    }

    /// The number of turns, if that is a constant.
    pub fn turns(&mut self) -> Option<&mut i32> {
        match (self.form, &mut self.condition) {
            (Form::For, Expression::Binary("<", _, bound)) => match &mut **bound {
                Expression::Constant(turns) => Some(turns),
                _ => None,
            },
            _ => None,
        }
    }
}

fn inside_of_fixed(expression: &mut Expression) -> Option<&mut Expression> {
    match expression {
        Expression::Fixed(_, inner, _) => Some(inner),
        _ => None,
    }
}

impl Statement {
    /// Whether control does not go on to the next statement.
    pub fn leaves(&self) -> bool {
        matches!(self, Self::Break | Self::Continue | Self::Return(_) | Self::Abort | Self::Exit(_))
    }

    pub fn blocks(&self) -> Vec<&Vec<Self>> {
        match self {
            Self::If(_, then, otherwise) => vec![then, otherwise],
            Self::Switch(_, cases, otherwise) => {
                cases.iter().map(|case| &case.body).chain(otherwise).collect()
            }
            Self::Loop(each) => vec![&each.body],
            _ => Vec::new(),
        }
    }

    pub fn blocks_mut(&mut self) -> Vec<&mut Vec<Self>> {
        match self {
            Self::If(_, then, otherwise) => vec![then, otherwise],
            Self::Switch(_, cases, otherwise) => {
                cases.iter_mut().map(|case| &mut case.body).chain(otherwise).collect()
            }
            Self::Loop(each) => vec![&mut each.body],
            _ => Vec::new(),
        }
    }

    /// The expressions of the statement itself that can change, without what is assigned to.
    pub fn expressions(&mut self) -> Vec<&mut Expression> {
        match self {
            Self::Assign(Expression::Element(element), value) => vec![&mut element.index, value],
            Self::Assign(_, value) | Self::Output(value) | Self::Return(value) | Self::Exit(value) => {
                vec![value]
            }
            Self::Call(call) => call.inner(),
            Self::If(condition, ..) | Self::Switch(condition, ..) => vec![condition],
            Self::Loop(each) => each.expressions(),
            Self::Step(..) | Self::Break | Self::Continue | Self::Abort => Vec::new(),
        }
    }

    /// Whether it fits where it stands: what leaves is last, and what leaves a loop is in one.
    fn fits(&self, last: bool, in_loop: bool, can_break: bool) -> bool {
        let possible = match self {
            Self::Break => can_break,
            Self::Continue => in_loop,
            Self::Switch(_, cases, _) => !cases.is_empty(),
            _ => true,
        };
        possible && (last || !self.leaves())
    }
}

/// Whether no statement of a body is dead, and none of them leaves what it is not in.
pub(super) fn is_valid(body: &Vec<Statement>) -> bool {
    let mut work = vec![(body, false, false)];
    while let Some((block, in_loop, can_break)) = work.pop() {
        for (index, statement) in block.iter().enumerate() {
            if !statement.fits(index + 1 == block.len(), in_loop, can_break) {
                return false;
            }
            let is_loop = matches!(statement, Statement::Loop(_));
            let breaks = can_break || is_loop || matches!(statement, Statement::Switch(..));
            work.extend(statement.blocks().into_iter().map(|block| (block, in_loop || is_loop, breaks)));
        }
    }
    !body.last().is_some_and(Statement::leaves)
}
