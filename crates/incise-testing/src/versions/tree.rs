//! Programs as trees, and as C.
//!
//! One text serves Incise and the judge. What can fail is written with macros that check it natively: `DIV`, `REM` and
//! `AT`; `OUT` writes a character.

use std::fmt::Write;

/// The elements of a program's array.
pub const ELEMENTS: usize = 4;

/// Something with a value that can be assigned to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variable {
    Parameter(usize),
    Local(usize),
    Global(usize),
    /// Counters of loops are not assigned to.
    Counter(usize),
}

/// An expression without side effects. Some of them fail.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expression {
    Constant(i32),
    Variable(Variable),
    /// An element of the array; the index is kept in bounds if that is said.
    Element(Box<Expression>, bool),
    Binary(&'static str, Box<Expression>, Box<Expression>),
    /// `!`, `~` or `-`.
    Unary(&'static str, Box<Expression>),
    Choice(Box<Expression>, Box<Expression>, Box<Expression>),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Statement {
    Assign(Variable, Expression),
    Store(Expression, bool, Expression),
    /// A helper's result is assigned.
    Call(Variable, usize, [Expression; 2]),
    If(Expression, Vec<Statement>, Vec<Statement>),
    /// A counter goes from zero up to the low two bits of an expression.
    For(usize, Expression, Vec<Statement>),
    /// The same as `while`, with the counter behind the body.
    While(usize, Expression, Vec<Statement>),
    /// By the low two bits, with `break` or without.
    Switch(Expression, Vec<(Vec<Statement>, bool)>),
    Output(Expression),
    Return(Expression),
    Exit(Expression),
    Abort,
}

/// A function; helpers have two parameters, the entry three.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Function {
    pub locals: Vec<Expression>,
    pub body: Vec<Statement>,
    pub result: Expression,
}

/// A program: its helpers, of which each calls only those before it, and its entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    pub number: usize,
    /// Whether numbers have a sign.
    pub signed: bool,
    /// How many low bits of each input count: three parameters, two globals, an element of the array.
    pub bits: [u32; 6],
    pub functions: Vec<Function>,
}

/// What the macros mean to Incise. Clang folds a division of constants by zero into anything; `zero` is a variable, so
/// that it stays a division.
pub const PRELUDE: &str = "#include <stdio.h>
#include <stdlib.h>
#ifndef NATIVE
#define DIV(a, b) ((a) / ((b) + zero))
#define REM(a, b) ((a) % ((b) + zero))
#define AT(array, index) array[index]
#define OUT(character) putchar(character)
#endif
";

impl Expression {
    /// All parts of it, itself included.
    pub fn each(&mut self, visit: &mut dyn FnMut(&mut Self)) {
        visit(self);
        match self {
            Self::Constant(_) | Self::Variable(_) => {}
            Self::Element(inner, _) | Self::Unary(_, inner) => inner.each(visit),
            Self::Binary(_, left, right) => {
                left.each(visit);
                right.each(visit);
            }
            Self::Choice(condition, left, right) => {
                condition.each(visit);
                left.each(visit);
                right.each(visit);
            }
        }
    }
}

impl Statement {
    /// Whether nothing behind it is executed.
    pub fn leaves(&self) -> bool {
        matches!(self, Self::Return(_) | Self::Exit(_) | Self::Abort)
    }

    /// The expressions of the statement itself.
    pub fn expressions(&mut self) -> Vec<&mut Expression> {
        match self {
            Self::Assign(_, value) | Self::Output(value) | Self::Return(value) | Self::Exit(value) => {
                vec![value]
            }
            Self::Store(index, _, value) => vec![index, value],
            Self::Call(_, _, arguments) => arguments.iter_mut().collect(),
            Self::If(condition, ..) => vec![condition],
            Self::For(_, bound, _) | Self::While(_, bound, _) => vec![bound],
            Self::Switch(value, _) => vec![value],
            Self::Abort => Vec::new(),
        }
    }

    /// The blocks in it.
    pub fn blocks(&mut self) -> Vec<&mut Vec<Self>> {
        match self {
            Self::If(_, then, otherwise) => vec![then, otherwise],
            Self::For(_, _, body) | Self::While(_, _, body) => vec![body],
            Self::Switch(_, cases) => cases.iter_mut().map(|(body, _)| body).collect(),
            _ => Vec::new(),
        }
    }
}

impl Function {
    /// All blocks, outer ones first.
    pub fn each_block(&mut self, visit: &mut dyn FnMut(&mut Vec<Statement>)) {
        fn walk(block: &mut Vec<Statement>, visit: &mut dyn FnMut(&mut Vec<Statement>)) {
            visit(block);
            for statement in block {
                for inner in statement.blocks() {
                    walk(inner, visit);
                }
            }
        }
        walk(&mut self.body, visit);
    }

    /// All expressions with their parts.
    pub fn each_expression(&mut self, visit: &mut dyn FnMut(&mut Expression)) {
        for local in &mut self.locals {
            local.each(visit);
        }
        self.each_block(&mut |block| {
            for statement in block {
                for expression in statement.expressions() {
                    expression.each(visit);
                }
            }
        });
        self.result.each(visit);
    }
}

/// Writes a program; `prefix` comes before the names that the file shares.
pub fn print(text: &mut String, program: &Program, prefix: &str) {
    let mut printer = Printer { text, program, prefix, function: 0 };
    printer.program();
}

struct Printer<'a> {
    text: &'a mut String,
    program: &'a Program,
    prefix: &'a str,
    function: usize,
}

impl Printer<'_> {
    fn program(&mut self) {
        let (prefix, number) = (self.prefix, self.program.number);
        let _ = writeln!(
            self.text,
            "unsigned char {prefix}g{number}_0, {prefix}g{number}_1, {prefix}t{number}[{ELEMENTS}];"
        );
        for index in 0..self.program.functions.len() {
            self.function = index;
            self.function(index + 1 == self.program.functions.len());
        }
    }

    fn kind(&self) -> &'static str {
        if self.program.signed { "int" } else { "unsigned" }
    }

    fn function(&mut self, entry: bool) {
        let (prefix, number, kind) = (self.prefix, self.program.number, self.kind());
        let function = &self.program.functions[self.function];
        match entry {
            true => {
                let _ = writeln!(self.text, "{kind} {prefix}e{number}({kind} a0, {kind} a1, {kind} a2) {{");
                self.restrict();
            }
            false => {
                let index = self.function;
                let _ =
                    writeln!(self.text, "static {kind} {prefix}h{number}_{index}({kind} a0, {kind} a1) {{");
            }
        }
        let zeros: Vec<String> = (0..function.locals.len()).map(|index| format!("v{index} = 0")).collect();
        self.line(1, &format!("{kind} zero = 0, {};", zeros.join(", ")));
        for (index, value) in function.locals.iter().enumerate() {
            let value = self.expression(value);
            self.line(1, &format!("v{index} = {value};"));
        }
        self.block(&function.body, 1);
        let result = self.expression(&function.result);
        self.line(1, &format!("return {result};"));
        self.text.push_str("}\n");
    }

    /// Makes the inputs few: only their low bits count.
    fn restrict(&mut self) {
        let (prefix, number, bits) = (self.prefix, self.program.number, self.program.bits);
        let mask = |index: usize| (1u32 << bits[index]) - 1;
        for index in 0..3 {
            let below = if self.program.signed { mask(index) / 2 } else { 0 };
            self.line(1, &format!("a{index} = (a{index} & {}) - {below};", mask(index)));
        }
        for index in 0..2 {
            self.line(1, &format!("{prefix}g{number}_{index} &= {};", mask(3 + index)));
        }
        for index in 0..ELEMENTS {
            self.line(1, &format!("{prefix}t{number}[{index}] &= {};", mask(5)));
        }
    }

    fn line(&mut self, depth: usize, line: &str) {
        let _ = writeln!(self.text, "{:1$}{line}", "", depth * 4);
    }

    fn block(&mut self, block: &[Statement], depth: usize) {
        for statement in block {
            self.statement(statement, depth);
        }
    }

    fn statement(&mut self, statement: &Statement, depth: usize) {
        let (prefix, number) = (self.prefix, self.program.number);
        match statement {
            Statement::Assign(variable, value) => {
                let line = format!("{} = {};", self.variable(*variable), self.expression(value));
                self.line(depth, &line);
            }
            Statement::Store(index, safe, value) => {
                let line = format!("{} = {};", self.element(index, *safe), self.expression(value));
                self.line(depth, &line);
            }
            Statement::Call(variable, helper, arguments) => {
                let [first, second] = arguments.each_ref().map(|argument| self.expression(argument));
                let variable = self.variable(*variable);
                self.line(depth, &format!("{variable} = {prefix}h{number}_{helper}({first}, {second});"));
            }
            Statement::If(condition, then, otherwise) => {
                let condition = self.expression(condition);
                self.line(depth, &format!("if ({condition}) {{"));
                self.block(then, depth + 1);
                if !otherwise.is_empty() {
                    self.line(depth, "} else {");
                    self.block(otherwise, depth + 1);
                }
                self.line(depth, "}");
            }
            Statement::For(counter, bound, body) => {
                let (kind, bound) = (self.kind(), self.expression(bound));
                let head =
                    format!("for ({kind} i{counter} = 0; i{counter} < ({bound} & 3); i{counter}++) {{");
                self.line(depth, &head);
                self.block(body, depth + 1);
                self.line(depth, "}");
            }
            Statement::While(counter, bound, body) => {
                let (kind, bound) = (self.kind(), self.expression(bound));
                self.line(depth, &format!("{kind} i{counter} = 0;"));
                self.line(depth, &format!("while (({bound} & 3) > i{counter}) {{"));
                self.block(body, depth + 1);
                self.line(depth + 1, &format!("i{counter} += 1;"));
                self.line(depth, "}");
            }
            Statement::Switch(value, cases) => {
                let value = self.expression(value);
                self.line(depth, &format!("switch ({value} & 3) {{"));
                for (index, (body, ends)) in cases.iter().enumerate() {
                    self.line(depth, &format!("case {index}: {{"));
                    self.block(body, depth + 1);
                    self.line(depth, if *ends { "} break;" } else { "}" });
                }
                self.line(depth, "}");
            }
            Statement::Output(value) => {
                let value = self.expression(value);
                self.line(depth, &format!("OUT('0' + ({value} & 7));"));
            }
            Statement::Return(value) => {
                let value = self.expression(value);
                self.line(depth, &format!("return {value};"));
            }
            Statement::Exit(value) => {
                let value = self.expression(value);
                self.line(depth, &format!("exit({value} & 7);"));
            }
            Statement::Abort => self.line(depth, "abort();"),
        }
    }

    fn variable(&self, variable: Variable) -> String {
        match variable {
            Variable::Parameter(index) => format!("a{index}"),
            Variable::Local(index) => format!("v{index}"),
            Variable::Counter(index) => format!("i{index}"),
            Variable::Global(index) => format!("{}g{}_{index}", self.prefix, self.program.number),
        }
    }

    fn element(&self, index: &Expression, safe: bool) -> String {
        let (index, prefix, number) = (self.expression(index), self.prefix, self.program.number);
        match safe {
            true => format!("{prefix}t{number}[{index} & 3]"),
            false => format!("AT({prefix}t{number}, {index})"),
        }
    }

    fn expression(&self, expression: &Expression) -> String {
        match expression {
            Expression::Constant(value) if *value < 0 => format!("({value})"),
            Expression::Constant(value) => value.to_string(),
            Expression::Variable(variable) => self.variable(*variable),
            Expression::Element(index, safe) => self.element(index, *safe),
            Expression::Unary(operator, inner) => format!("({operator}{})", self.expression(inner)),
            Expression::Choice(condition, left, right) => {
                let parts = [condition, left, right].map(|part| self.expression(part));
                format!("({} ? {} : {})", parts[0], parts[1], parts[2])
            }
            Expression::Binary(operator, left, right) => {
                let (left, right) = (self.expression(left), self.expression(right));
                match *operator {
                    // What is divided has no sign: the smallest number by -1 is another failure, which no one asks for.
                    "/" => format!("DIV(({left} & 255), {right})"),
                    "%" => format!("REM(({left} & 255), {right})"),
                    "<<" | ">>" => format!("({left} {operator} ({right} & 7))"),
                    _ => format!("({left} {operator} {right})"),
                }
            }
        }
    }
}
