//! Programs of several functions as trees. What is named is kept as the text that names it, with its kind, so that
//! another of the same kind can stand in its place.

/// What a name stands for.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// An `int`.
    Number,
    /// How deep a function may still call itself: an `int` from 0 to 3.
    Depth,
    /// An `int *`.
    Pointer,
    /// The start of four numbers.
    Array,
    /// A `struct pair *`.
    Record,
    /// A function from `int` to `int`.
    Function,
    /// A `struct operation *`, with a function in it.
    Operation,
}

#[derive(Clone, PartialEq, Eq)]
pub(super) enum Expression {
    Constant(i32),
    Named(Kind, String),
    /// The left side is no constant.
    Binary(&'static str, Box<Expression>, Box<Expression>),
    /// A division or remainder by a variable, which can fail. Both sides are evaluated twice by the judge, so that they
    /// call nothing.
    Divide(&'static str, Box<Expression>, Box<Expression>),
    /// An index that is not masked can be out of bounds.
    Element {
        array: String,
        index: Box<Expression>,
        masked: bool,
    },
    Call(Call),
    /// A number as a depth.
    Limited(Box<Expression>),
    /// The depth that is left for a call of the function by itself; no mutation touches it.
    OneLess,
}

#[derive(Clone, PartialEq, Eq)]
pub(super) struct Call {
    pub(super) callee: Callee,
    pub(super) arguments: Vec<Expression>,
}

#[derive(Clone, PartialEq, Eq)]
pub(super) enum Callee {
    /// A function of the program, by its number.
    Direct(usize),
    /// Through something of the kind [`Kind::Function`].
    Through(String),
    /// Through the table of the program.
    Table(Box<Expression>),
}

#[derive(Clone, PartialEq, Eq)]
pub(super) enum Condition {
    /// The left side is no constant.
    Compare(Expression, &'static str, Expression),
    Not(Box<Condition>),
    Both(Box<Condition>, Box<Condition>),
    Either(Box<Condition>, Box<Condition>),
}

#[derive(Clone, PartialEq, Eq)]
pub(super) enum Statement {
    /// The value is masked; the flag says that it is moved down, to have negative values too.
    Assign {
        place: Expression,
        value: Expression,
        mask: i32,
        moved: bool,
    },
    /// A pointer of a kind is set to another.
    Point(Kind, String, String),
    Call(Call),
    If(Condition, Vec<Statement>, Vec<Statement>),
    /// A counter from 0 to below a bound.
    For(usize, i32, Vec<Statement>),
    /// A counter from 0 to below a value that is computed again in each round, masked.
    While(usize, Expression, Vec<Statement>),
    Return(Expression),
    Abort,
    Exit(i32),
}

impl Statement {
    /// Whether control does not go on to the next statement.
    pub(super) fn leaves(&self) -> bool {
        matches!(self, Self::Return(_) | Self::Abort | Self::Exit(_))
    }

    fn blocks(&self) -> Vec<&Vec<Self>> {
        match self {
            Self::If(_, then, otherwise) => vec![then, otherwise],
            Self::For(_, _, body) | Self::While(_, _, body) => vec![body],
            _ => Vec::new(),
        }
    }

    fn blocks_mut(&mut self) -> Vec<&mut Vec<Self>> {
        match self {
            Self::If(_, then, otherwise) => vec![then, otherwise],
            Self::For(_, _, body) | Self::While(_, _, body) => vec![body],
            _ => Vec::new(),
        }
    }

    /// The expressions and conditions of the statement itself, without those of the blocks in it.
    pub(super) fn parts(&mut self, found: &mut dyn FnMut(StatementPart<'_>)) {
        match self {
            Self::Assign { place, value, mask, .. } => {
                found(StatementPart::Place(place));
                value.parts(found);
                found(StatementPart::Number(mask));
            }
            Self::Point(kind, _, target) => found(StatementPart::Name(*kind, target)),
            Self::Call(call) => call.parts(found),
            Self::If(condition, ..) => condition.parts(found),
            Self::While(_, bound, _) => bound.parts(found),
            Self::Return(value) => value.parts(found),
            Self::Exit(status) => found(StatementPart::Number(status)),
            Self::For(..) | Self::Abort => {}
        }
    }
}

/// A part of a statement that a mutation can change in place.
pub(super) enum StatementPart<'a> {
    /// A whole expression that computes a value.
    Value(&'a mut Expression),
    /// What a variable starts with.
    Start(&'a mut Expression),
    /// What is assigned to.
    Place(&'a mut Expression),
    Name(Kind, &'a mut String),
    Operator(&'a mut &'static str),
    Division(&'a mut &'static str),
    Comparison(&'a mut &'static str),
    Number(&'a mut i32),
    Junction(&'a mut Condition),
    Call(&'a mut Call),
}

impl Condition {
    fn parts(&mut self, found: &mut dyn FnMut(StatementPart<'_>)) {
        match self {
            Self::Compare(left, operator, right) => {
                left.parts(found);
                found(StatementPart::Comparison(operator));
                right.parts(found);
            }
            Self::Not(inner) => inner.parts(found),
            Self::Both(..) | Self::Either(..) => {
                found(StatementPart::Junction(self));
                if let Self::Both(left, right) | Self::Either(left, right) = self {
                    left.parts(found);
                    right.parts(found);
                }
            }
        }
    }
}

impl Call {
    fn parts(&mut self, found: &mut dyn FnMut(StatementPart<'_>)) {
        found(StatementPart::Call(self));
        match &mut self.callee {
            Callee::Direct(_) => {}
            Callee::Through(name) => found(StatementPart::Name(Kind::Function, name)),
            Callee::Table(index) => index.parts(found),
        }
        self.arguments.iter_mut().for_each(|argument| argument.parts(found));
    }
}

impl Expression {
    fn parts(&mut self, found: &mut dyn FnMut(StatementPart<'_>)) {
        match self {
            Self::Constant(_) | Self::Named(Kind::Number, _) => found(StatementPart::Value(self)),
            Self::Named(kind, name) => found(StatementPart::Name(*kind, name)),
            Self::Binary(operator, left, right) => {
                left.parts(found);
                found(StatementPart::Operator(operator));
                right.parts(found);
            }
            Self::Divide(operator, left, right) => {
                left.parts(found);
                found(StatementPart::Division(operator));
                right.parts(found);
            }
            Self::Element { array, index, .. } => {
                found(StatementPart::Name(Kind::Array, array));
                index.parts(found);
            }
            Self::Call(call) => call.parts(found),
            Self::Limited(inner) => inner.parts(found),
            Self::OneLess => {}
        }
    }
}

/// A variable of a function, with what it starts with.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Local {
    Number(String, Expression),
    /// It keeps its value between calls.
    Static(String, i32),
    Array(String),
    Record(String, i32, i32),
    /// A pointer or a function pointer.
    Pointing(Kind, String, String),
    Operation(String, String),
}

#[derive(Clone, PartialEq, Eq)]
pub(super) struct Function {
    pub(super) parameters: Vec<(Kind, String)>,
    pub(super) returns: bool,
    pub(super) locals: Vec<Local>,
    /// For the entry, what each parameter is masked with.
    pub(super) masks: Vec<i32>,
    pub(super) counters: usize,
    pub(super) body: Vec<Statement>,
    pub(super) result: Expression,
}

impl Function {
    /// Whether it may call itself, and counts how deep.
    pub(super) fn is_recursive(&self) -> bool {
        self.parameters.first().is_some_and(|(kind, _)| *kind == Kind::Depth)
    }

    /// Whether a pointer of the kind [`Kind::Function`] can point to it.
    pub(super) fn is_unary(&self) -> bool {
        self.returns && matches!(self.parameters[..], [(Kind::Number, _)])
    }

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
    pub(super) fn block_mut(&mut self, number: usize) -> &mut Vec<Statement> {
        let mut work = vec![&mut self.body];
        let mut count = 0;
        loop {
            let block = work.pop().expect("the number of a block");
            if count == number {
                return block;
            }
            count += 1;
            work.extend(block.iter_mut().flat_map(Statement::blocks_mut));
        }
    }

    /// Everything that a mutation can change in place.
    pub(super) fn parts(&mut self, found: &mut dyn FnMut(StatementPart<'_>)) {
        for local in &mut self.locals {
            match local {
                Local::Number(_, initial) => found(StatementPart::Start(initial)),
                Local::Static(_, initial) | Local::Record(_, initial, _) => {
                    found(StatementPart::Number(initial))
                }
                // What could be named here might not have been declared yet.
                Local::Pointing(..) | Local::Operation(..) | Local::Array(_) => {}
            }
        }
        let mut work = vec![&mut self.body];
        while let Some(block) = work.pop() {
            for statement in block {
                statement.parts(found);
                work.extend(statement.blocks_mut());
            }
        }
        self.result.parts(found);
    }
}

/// A program: an entry and what it calls. A function calls those after it, and itself or its partner if it counts how
/// deep.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Tree {
    pub(super) number: usize,
    pub(super) functions: Vec<Function>,
    /// Two functions that are called through a constant table.
    pub(super) table: Option<[usize; 2]>,
}

impl Tree {
    /// The name of a function.
    pub(super) fn name(&self, function: usize) -> String {
        if function == 0 { format!("e{}", self.number) } else { format!("f{}_{function}", self.number) }
    }
}
