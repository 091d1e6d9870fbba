//! Functions and programs.

use super::expression::{Expression, Kind, Type};
use super::statement::{self, Statement};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameter {
    pub kind: Kind,
    /// The type, if it is a number.
    pub number: Type,
    pub name: String,
    /// Whether its value is small, whoever calls.
    pub small: bool,
}

impl Parameter {
    /// Parameters that are declared as given, and that nothing else is known of.
    pub fn declared(text: String) -> Self {
        Self { kind: Kind::Declared, number: Type::Int, name: text, small: false }
    }
}

/// A variable of a function, with what it starts with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Local {
    Number(Type, String, Expression),
    /// It keeps its value between calls.
    Static(String, i32),
    Array(String, Vec<i32>),
    Record(String, i32, i32),
    /// A pointer or a function pointer.
    Pointing(Kind, String, String),
    Operation(String, String),
    /// Anything else: it is not changed.
    Declared(String),
}

impl Local {
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Number(_, name, _)
            | Self::Static(name, _)
            | Self::Array(name, _)
            | Self::Record(name, ..)
            | Self::Pointing(_, name, _)
            | Self::Operation(name, _) => Some(name),
            Self::Declared(_) => None,
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    pub name: String,
    /// What it returns, if that is something.
    pub returns: Option<Type>,
    pub is_static: bool,
    pub parameters: Vec<Parameter>,
    /// What is done with inputs first; no change touches it.
    pub start: Vec<Statement>,
    pub locals: Vec<Local>,
    /// How many counters `i0`, `i1`, ... it declares.
    pub counters: usize,
    pub body: Vec<Statement>,
    pub result: Expression,
}

impl Function {
    pub fn new(name: impl Into<String>, returns: Option<Type>, parameters: Vec<Parameter>) -> Self {
        Self {
            name: name.into(),
            returns,
            is_static: false,
            parameters,
            start: Vec::new(),
            locals: Vec::new(),
            counters: 0,
            body: Vec::new(),
            result: Expression::Constant(0),
        }
    }

    /// Whether it may call itself, and counts how deep.
    pub fn is_recursive(&self) -> bool {
        self.parameters.first().is_some_and(|parameter| parameter.kind == Kind::Depth)
    }

    /// Whether a pointer of the kind [`Kind::Function`] can point to it.
    pub fn is_unary(&self) -> bool {
        self.returns.is_some() && self.parameters.len() == 1 && self.parameters[0].kind == Kind::Number
    }

    pub fn is_valid(&self) -> bool {
        statement::is_valid(&self.body)
    }

    pub fn count_blocks(&self) -> usize {
        let mut work = vec![&self.body];
        let mut count = 0;
        while let Some(block) = work.pop() {
            count += 1;
            work.extend(block.iter().flat_map(Statement::blocks));
        }
        count
    }

    /// A block by its number; the body is the first.
    pub fn block_mut(&mut self, number: usize) -> &mut Vec<Statement> {
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

    /// All statements, wherever they are.
    pub fn each_statement(&mut self, visit: &mut dyn FnMut(&mut Statement)) {
        let mut work = vec![&mut self.body];
        while let Some(block) = work.pop() {
            for statement in block {
                visit(statement);
                work.extend(statement.blocks_mut());
            }
        }
    }

    /// All expressions of the body that can change, with their parts, and the result.
    pub fn each_expression(&mut self, visit: &mut dyn FnMut(&mut Expression)) {
        self.each_statement(&mut |statement| {
            statement.expressions().into_iter().for_each(|expression| expression.each(visit));
        });
        self.result.each(visit);
    }
}

/// The inputs of a program besides the parameters of its entry: two numbers, an array of four, and a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inputs {
    /// The type of all numbers.
    pub number: Type,
    pub record: bool,
    /// If inputs are few, how many low bits of each count: three parameters, two numbers, an element of the array.
    pub bits: Option<[u32; 6]>,
}

/// A program: an entry and what it calls. A function calls those after it, and itself or its partner if it counts how
/// deep.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    pub number: usize,
    pub functions: Vec<Function>,
    /// Two functions that are called through a constant table.
    pub table: Option<[usize; 2]>,
    pub inputs: Option<Inputs>,
}

/// The elements of a program's arrays.
pub const ELEMENTS: usize = 4;

impl Program {
    /// The name of a function, as the file shares it.
    pub fn function_name(number: usize, function: usize) -> String {
        if function == 0 { format!("@e{number}") } else { format!("@f{number}_{function}") }
    }

    /// The names of its global variables.
    pub fn globals(&self) -> Vec<String> {
        let Some(inputs) = &self.inputs else { return Vec::new() };
        let names =
            if inputs.record { &["@g#_0", "@g#_1", "@t#", "@o#"][..] } else { &["@g#_0", "@g#_1", "@t#"] };
        names.iter().map(|name| name.replace('#', &self.number.to_string())).collect()
    }

    /// The numbers in its global variables, as C names them.
    pub fn global_numbers(&self) -> Vec<String> {
        let mut found = Vec::new();
        for (index, name) in self.globals().into_iter().enumerate() {
            match index {
                0 | 1 => found.push(name),
                2 => found.extend((0..ELEMENTS).map(|element| format!("{name}[{element}]"))),
                _ => found.extend(["x", "y"].map(|field| format!("{name}.{field}"))),
            }
        }
        found
    }
}
