//! The programs as trees, and the walks over them that mutations need.
//!
//! The types are narrow on purpose: what clang would fold away, or compile into other branches than the text shows,
//! cannot be said.

/// A type of parameters and locals.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Type {
    /// `int`
    Int,
    /// `unsigned`
    Unsigned,
    /// `short`
    Short,
    /// `signed char`
    SignedChar,
    /// `unsigned char`
    UnsignedChar,
}

impl Type {
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Int => "int",
            Self::Unsigned => "unsigned",
            Self::Short => "short",
            Self::SignedChar => "signed char",
            Self::UnsignedChar => "unsigned char",
        }
    }

    /// The values that are tried.
    pub(super) fn domain(self) -> &'static [i32] {
        match self {
            Self::Int | Self::Unsigned => &[-2, -1, 0, 1, 2, 3, 4],
            Self::Short | Self::SignedChar => &[-2, -1, 0, 1, 2, 3],
            Self::UnsignedChar => &[0, 1, 2, 3, 255],
        }
    }
}

/// What needs no computing.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Leaf {
    Constant(i32),
    Local(usize),
    Parameter(usize),
    Global(usize),
    /// What the pointer points to; fails if that is nothing.
    Pointed,
}

#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Array {
    Local,
    Global,
}

#[derive(Clone)]
pub(super) struct Element {
    pub(super) array: Array,
    pub(super) index: Leaf,
    /// Whether the index is masked; one that is not can be out of bounds.
    pub(super) masked: bool,
}

#[derive(Clone)]
pub(super) enum Expression {
    Leaf(Leaf),
    Binary(&'static str, Box<Expression>, Box<Expression>),
    Scaled(Leaf, i32),
    /// A division or remainder by a variable, which can fail.
    Divide(&'static str, Leaf, Leaf),
    Element(Element),
    Call(usize, Vec<Leaf>),
}

#[derive(Clone)]
pub(super) enum Condition {
    /// The left side is no constant.
    Compare(Expression, &'static str, Leaf),
    Not(Box<Condition>),
    Both(Box<Condition>, Box<Condition>),
    Either(Box<Condition>, Box<Condition>),
}

/// What is assigned or returned.
#[derive(Clone)]
pub(super) enum Value {
    Plain(Expression),
    /// `c ? v : e`; the first is a variable, because clang makes no branch where both are constants.
    Choice(Condition, Leaf, Expression),
    /// A condition as a number: a comparison, or two joined ones of which the second is a simple comparison.
    Truth(Condition),
}

#[derive(Clone)]
pub(super) enum AssignedPlace {
    Local(usize),
    Parameter(usize),
    Global(usize),
    Element(Element),
    Pointed,
}

#[derive(Clone, PartialEq, Eq)]
pub(super) enum Object {
    Local,
    Global(usize),
    Nothing,
}

/// How an assigned value is kept small.
#[derive(Copy, Clone)]
pub(super) enum Mask {
    None,
    And(i32),
    Remainder(i32),
}

#[derive(Clone)]
pub(super) enum Statement {
    Assign(AssignedPlace, Value, Mask),
    /// `x++`, `x--`, `x += 2` of a local.
    Step(usize, &'static str),
    Point(Object),
    Call(usize, Vec<Leaf>),
    If(Condition, Vec<Statement>, Option<Vec<Statement>>),
    Switch(Expression, Vec<Case>, Option<Vec<Statement>>),
    /// A counter from 0 to below a bound.
    For(usize, i32, Vec<Statement>),
    /// A counter from an input, masked to 0..3, down to 0, while a simple condition holds; the flag says that the test
    /// comes last.
    While {
        counter: usize,
        from: Leaf,
        and: Option<Condition>,
        body: Vec<Statement>,
        last: bool,
    },
    Break,
    Continue,
    Return(Value),
    Abort,
    Exit(i32),
}

#[derive(Clone)]
pub(super) struct Case {
    pub(super) label: i32,
    pub(super) body: Vec<Statement>,
    pub(super) falls_through: bool,
}

#[derive(Clone)]
pub(super) struct Local {
    pub(super) kind: Type,
    pub(super) initial: Leaf,
}

/// A function `int f(...)`.
#[derive(Clone)]
pub(super) struct FunctionTree {
    pub(super) parameters: Vec<Type>,
    /// For each parameter, what it is masked with at the start.
    pub(super) masks: Vec<Option<i32>>,
    /// The first is the one that the pointer can point to, and stays an `int`.
    pub(super) locals: Vec<Local>,
    pub(super) counters: usize,
    pub(super) has_array: bool,
    pub(super) pointer: Option<Object>,
    pub(super) body: Vec<Statement>,
    pub(super) result: Value,
}

/// A part of a statement that a mutation can change in place.
pub(super) enum Atom<'a> {
    Leaf(&'a mut Leaf),
    Comparison(&'a mut &'static str),
    Operator(&'a mut &'static str),
    /// `/` or `%`.
    Division(&'a mut &'static str),
    Number(&'a mut i32),
    Step(&'a mut &'static str),
    Object(&'a mut Object),
    Junction(&'a mut Condition),
}

pub(super) const STEPS: [&str; 4] = ["++", "--", " += 2", " -= 3"];

impl Statement {
    /// Whether control does not go on to the next statement.
    pub(super) fn leaves(&self) -> bool {
        matches!(self, Self::Break | Self::Continue | Self::Return(_) | Self::Abort | Self::Exit(_))
    }

    pub(super) fn blocks(&self) -> Vec<&Vec<Statement>> {
        match self {
            Self::If(_, then, otherwise) => std::iter::once(then).chain(otherwise).collect(),
            Self::Switch(_, cases, otherwise) => {
                cases.iter().map(|case| &case.body).chain(otherwise).collect()
            }
            Self::For(_, _, body) | Self::While { body, .. } => vec![body],
            _ => Vec::new(),
        }
    }

    pub(super) fn blocks_mut(&mut self) -> Vec<&mut Vec<Statement>> {
        match self {
            Self::If(_, then, otherwise) => std::iter::once(then).chain(otherwise).collect(),
            Self::Switch(_, cases, otherwise) => {
                cases.iter_mut().map(|case| &mut case.body).chain(otherwise).collect()
            }
            Self::For(_, _, body) | Self::While { body, .. } => vec![body],
            _ => Vec::new(),
        }
    }

    /// The parts of the statement itself, without those of the blocks in it.
    pub(super) fn atoms(&mut self, found: &mut dyn FnMut(Atom<'_>)) {
        match self {
            Self::Assign(place, value, mask) => {
                if let AssignedPlace::Element(element) = place {
                    found(Atom::Leaf(&mut element.index));
                }
                value.atoms(found);
                if let Mask::Remainder(number) = mask {
                    found(Atom::Number(number));
                }
            }
            Self::Step(_, step) => found(Atom::Step(step)),
            Self::Point(object) => found(Atom::Object(object)),
            Self::Call(_, arguments) => arguments.iter_mut().for_each(|leaf| found(Atom::Leaf(leaf))),
            Self::If(condition, ..) => condition.atoms(found),
            Self::Switch(subject, ..) => subject.atoms(found),
            Self::For(_, bound, _) => found(Atom::Number(bound)),
            Self::While { from, and, .. } => {
                found(Atom::Leaf(from));
                if let Some(condition) = and {
                    condition.atoms(found);
                }
            }
            Self::Return(value) => value.atoms(found),
            Self::Exit(status) => found(Atom::Number(status)),
            Self::Break | Self::Continue | Self::Abort => {}
        }
    }
}

impl Value {
    pub(super) fn atoms(&mut self, found: &mut dyn FnMut(Atom<'_>)) {
        match self {
            Self::Plain(expression) => expression.atoms(found),
            Self::Choice(condition, first, second) => {
                condition.atoms(found);
                found(Atom::Leaf(first));
                second.atoms(found);
            }
            Self::Truth(condition) => condition.atoms(found),
        }
    }
}

impl Condition {
    fn atoms(&mut self, found: &mut dyn FnMut(Atom<'_>)) {
        match self {
            Self::Compare(left, operator, right) => {
                left.atoms(found);
                found(Atom::Comparison(operator));
                found(Atom::Leaf(right));
            }
            Self::Not(inner) => inner.atoms(found),
            Self::Both(..) | Self::Either(..) => {
                found(Atom::Junction(self));
                if let Self::Both(left, right) | Self::Either(left, right) = self {
                    left.atoms(found);
                    right.atoms(found);
                }
            }
        }
    }
}

impl Expression {
    fn atoms(&mut self, found: &mut dyn FnMut(Atom<'_>)) {
        match self {
            Self::Leaf(leaf) => found(Atom::Leaf(leaf)),
            Self::Binary(operator, left, right) => {
                left.atoms(found);
                found(Atom::Operator(operator));
                right.atoms(found);
            }
            Self::Scaled(leaf, factor) => {
                found(Atom::Leaf(leaf));
                found(Atom::Number(factor));
            }
            Self::Divide(operator, left, right) => {
                found(Atom::Leaf(left));
                found(Atom::Division(operator));
                found(Atom::Leaf(right));
            }
            Self::Element(element) => found(Atom::Leaf(&mut element.index)),
            Self::Call(_, arguments) => arguments.iter_mut().for_each(|leaf| found(Atom::Leaf(leaf))),
        }
    }
}

impl FunctionTree {
    /// How many blocks there are, the body included.
    pub(super) fn count_blocks(&self) -> usize {
        let mut work = vec![&self.body];
        let mut count = 0;
        while let Some(block) = work.pop() {
            count += 1;
            work.extend(block.iter().flat_map(Statement::blocks));
        }
        count
    }

    /// A block by its number; the body is the first.
    pub(super) fn block_mut(&mut self, number: usize) -> Option<&mut Vec<Statement>> {
        let mut work = vec![&mut self.body];
        let mut count = 0;
        while let Some(block) = work.pop() {
            if count == number {
                return Some(block);
            }
            count += 1;
            work.extend(block.iter_mut().flat_map(Statement::blocks_mut));
        }
        None
    }

    /// Whether it is a C function without dead code: what leaves a block is its last statement, and `continue` is in a
    /// loop.
    pub(super) fn is_valid(&self) -> bool {
        let mut work = vec![(&self.body, false, false)];
        while let Some((block, in_loop, can_break)) = work.pop() {
            for (index, statement) in block.iter().enumerate() {
                let last = index + 1 == block.len();
                let fits = match statement {
                    Statement::Break => can_break,
                    Statement::Continue => in_loop,
                    Statement::Switch(_, cases, _) => !cases.is_empty(),
                    _ => true,
                };
                if !fits || (statement.leaves() && !last) {
                    return false;
                }
                let is_loop = matches!(statement, Statement::For(..) | Statement::While { .. });
                let is_switch = matches!(statement, Statement::Switch(..));
                let inside = statement.blocks().into_iter();
                work.extend(
                    inside.map(|block| (block, in_loop || is_loop, can_break || is_loop || is_switch)),
                );
            }
        }
        !self.body.last().is_some_and(Statement::leaves)
    }

    /// Calls a function with every statement.
    pub(super) fn for_each(&self, visit: &mut dyn FnMut(&Statement)) {
        let mut work = vec![&self.body];
        while let Some(block) = work.pop() {
            block.iter().for_each(&mut *visit);
            work.extend(block.iter().flat_map(Statement::blocks));
        }
    }
}
