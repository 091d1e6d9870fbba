//! Types, names and expressions. A condition is an expression as well.

/// A type of numbers.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Type {
    Int,
    Unsigned,
    Short,
    SignedChar,
    UnsignedChar,
}

impl Type {
    pub fn text(self) -> &'static str {
        ["int", "unsigned", "short", "signed char", "unsigned char"][self as usize]
    }

    pub fn is_wide(self) -> bool {
        matches!(self, Self::Int | Self::Unsigned)
    }

    /// The values of parameters that are tried.
    pub fn domain(self) -> &'static [i32] {
        match self {
            Self::Int | Self::Unsigned => &[-2, -1, 0, 1, 2, 3, 4, 6],
            Self::Short | Self::SignedChar => &[-2, -1, 0, 1, 2, 3],
            Self::UnsignedChar => &[0, 1, 2, 3, 255],
        }
    }
}

/// What a name stands for.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// Something with a number.
    Number,
    /// The counter of a loop, which nothing else assigns to.
    Counter,
    /// How deep a function may still call itself: from 0 to 3.
    Depth,
    /// A pointer to a number.
    Pointer,
    /// The start of an array.
    Array,
    /// A `struct pair *`.
    Record,
    /// A function from `int` to `int`.
    Function,
    /// A `struct operation *`, with a function in it.
    Operation,
    /// Anything else, whose name is its declaration.
    Declared,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expression {
    Constant(i32),
    Name(Kind, String),
    /// An operation with a number that stays one: `& 7` keeps values small, `% 5` does not divide by zero.
    Fixed(&'static str, Box<Expression>, i32),
    Element(Element),
    Unary(&'static str, Box<Expression>),
    /// Arithmetic, a comparison, `&&` or `||`.
    Binary(&'static str, Box<Expression>, Box<Expression>),
    /// A division or remainder that can fail. The judge evaluates both sides twice, so that they call nothing.
    Divide(&'static str, Box<Expression>, Box<Expression>),
    Cast(Type, Box<Expression>),
    Choice(Box<Expression>, Box<Expression>, Box<Expression>),
    Call(Call),
    /// The depth that is left for a call of the function by itself; no change touches it.
    OneLess,
}

/// An element of an array with a power of two of elements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Element {
    pub array: String,
    pub index: Box<Expression>,
    /// The last index.
    pub last: i32,
    /// Whether the index is kept in bounds; one that is not can be out of them.
    pub masked: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    pub callee: Callee,
    pub arguments: Vec<Expression>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Callee {
    /// A function of the program, by its number.
    Direct(usize),
    /// Through a pointer, or a function that is only declared.
    Through(String),
    /// Through the table of the program.
    Table(Box<Expression>),
}

pub const COMPARISONS: [&str; 6] = ["<", "<=", ">", ">=", "==", "!="];
pub const JUNCTIONS: [&str; 2] = ["&&", "||"];

impl Expression {
    pub fn number(name: impl Into<String>) -> Self {
        Self::Name(Kind::Number, name.into())
    }

    pub fn binary(operator: &'static str, left: Self, right: Self) -> Self {
        Self::Binary(operator, Box::new(left), Box::new(right))
    }

    pub fn unary(operator: &'static str, inner: Self) -> Self {
        Self::Unary(operator, Box::new(inner))
    }

    pub fn negated(self) -> Self {
        match self {
            Self::Unary("!", inner) => *inner,
            other => Self::unary("!", other),
        }
    }

    /// The low bits of it.
    pub fn low(self, mask: i32) -> Self {
        Self::Fixed("&", Box::new(self), mask)
    }

    pub fn choice(condition: Self, left: Self, right: Self) -> Self {
        Self::Choice(Box::new(condition), Box::new(left), Box::new(right))
    }

    pub fn is_junction(&self) -> bool {
        matches!(self, Self::Binary(operator, ..) if JUNCTIONS.contains(operator))
    }

    /// Its parts, without theirs.
    fn inner(&mut self) -> Vec<&mut Self> {
        match self {
            Self::Constant(_) | Self::Name(..) | Self::OneLess => Vec::new(),
            Self::Fixed(_, inner, _) | Self::Unary(_, inner) | Self::Cast(_, inner) => vec![inner],
            Self::Element(element) => vec![&mut element.index],
            Self::Binary(_, left, right) | Self::Divide(_, left, right) => vec![left, right],
            Self::Choice(condition, left, right) => vec![condition, left, right],
            Self::Call(call) => call.inner(),
        }
    }

    /// All parts of it, itself first.
    pub fn each(&mut self, visit: &mut dyn FnMut(&mut Self)) {
        visit(self);
        self.inner().into_iter().for_each(|part| part.each(visit));
    }

    /// Whether something holds for a part of it, or for itself.
    pub fn any(&self, holds: impl Fn(&Self) -> bool) -> bool {
        let mut found = false;
        self.clone().each(&mut |part| found |= holds(part));
        found
    }
}

impl Call {
    pub fn inner(&mut self) -> Vec<&mut Expression> {
        let index = match &mut self.callee {
            Callee::Table(index) => Some(&mut **index),
            _ => None,
        };
        index.into_iter().chain(&mut self.arguments).collect()
    }
}
