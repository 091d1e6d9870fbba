//! The C text of the programs, marked like that of `tests/pairs`, with marks where functions begin and end:
//!
//! - `T(part)`: a write, a call or a return comes next on this line; `C(part, e)`: the condition `e` is decided;
//! - `ENTER`: a function begins, and ends where its block does;
//! - `STATIC(name, value)`: a variable that keeps its value for the time of one run.

use super::tree::{Call, Callee, Condition, Expression, Function, Kind, Local, Statement, Tree};
use std::fmt::Write;

pub(super) const PRELUDE: &str = r#"#ifdef NATIVE
#include "judge.h"
static unsigned run;
static void leave(int *entered) {
    (void)entered;
    visit(0, 14);
}
#define ENTER int entered __attribute__((cleanup(leave))) = (visit(__LINE__, 15), 0)
#define STATIC(name, value) static int name; static unsigned name##_run; \
    if (name##_run != run) { name = value; name##_run = run; }
#else
#define T(part) ((void)0)
#define C(part, e) (e)
#define ENTER
#define STATIC(name, value) static int name = value;
#define DIV(a, operator, b) ((a) operator (b))
#define IX(i, size) (i)
#define P(p) (p)
void abort(void);
void exit(int status);
#endif

struct pair {
    int x, y;
};
struct operation {
    int (*f)(int);
    int k;
};
"#;

/// Adds a program to a text.
pub(super) fn program(text: &mut String, tree: &Tree) {
    let number = tree.number;
    let _ = writeln!(text, "\nint g{number}_0, g{number}_1;\nint t{number}[4];\nstruct pair o{number};");
    for index in 0..tree.functions.len() {
        let _ = writeln!(text, "{};", head(tree, index));
    }
    if let Some([first, second]) = tree.table {
        let (first, second) = (tree.name(first), tree.name(second));
        let _ = writeln!(text, "static int (*const table{number}[2])(int) = {{{first}, {second}}};");
    }
    for (index, function) in tree.functions.iter().enumerate() {
        let mut printer = Printer { tree, text, indent: 1, part: 0 };
        let _ = writeln!(printer.text, "\n{} {{ ENTER;", head(tree, index));
        printer.function(function);
    }
}

fn head(tree: &Tree, index: usize) -> String {
    let function = &tree.functions[index];
    let parameter = |(kind, name): &(Kind, String)| match kind {
        Kind::Number | Kind::Depth => format!("int {name}"),
        Kind::Pointer | Kind::Array => format!("int *{name}"),
        Kind::Record => format!("struct pair *{name}"),
        Kind::Function => format!("int (*{name})(int)"),
        Kind::Operation => format!("struct operation *{name}"),
    };
    let parameters: Vec<String> = function.parameters.iter().map(parameter).collect();
    let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
    format!("{} {}({parameters})", if function.returns { "int" } else { "void" }, tree.name(index))
}

struct Printer<'a> {
    tree: &'a Tree,
    text: &'a mut String,
    indent: usize,
    /// The next part of the line that is being made.
    part: u32,
}

impl Printer<'_> {
    fn function(&mut self, function: &Function) {
        for (mask, (_, name)) in function.masks.iter().zip(&function.parameters) {
            self.line(&format!("T(0); {name} = ({name} & {mask}) - 2;"));
        }
        for local in &function.locals {
            self.local(local);
        }
        for counter in 0..function.counters {
            self.line(&format!("T(0); int i{counter} = 0;"));
        }
        if function.is_recursive() {
            self.line("if (C(0, n <= 0)) {");
            self.line(if function.returns { "    T(0); return 1;" } else { "    return;" });
            self.line("}");
        }
        self.block(&function.body);
        if function.returns {
            self.statement(&Statement::Return(function.result.clone()));
        }
        self.text.push_str("}\n");
    }

    fn line(&mut self, content: &str) {
        let _ = writeln!(self.text, "{:width$}{content}", "", width = 4 * self.indent);
    }

    fn local(&mut self, local: &Local) {
        let line = match local {
            Local::Number(name, initial) => format!("T(0); int {name} = {};", self.expression(initial)),
            Local::Static(name, initial) => format!("STATIC({name}, {initial})"),
            Local::Array(name) => format!("T(0); int {name}[4] = {{0, 1, 2, 3}};"),
            Local::Record(name, x, y) => format!("T(0); struct pair {name} = {{{x}, {y}}};"),
            Local::Pointing(Kind::Function, name, target) => format!("T(0); int (*{name})(int) = {target};"),
            Local::Pointing(_, name, target) => format!("T(0); int *{name} = {target};"),
            Local::Operation(name, target) => format!("T(0); struct operation {name} = {{{target}, 1}};"),
        };
        self.line(&line);
    }

    fn expression(&self, expression: &Expression) -> String {
        match expression {
            Expression::Constant(number) => number.to_string(),
            Expression::Named(_, name) => name.clone(),
            Expression::Binary(operator, left, right) => {
                format!("({} {operator} {})", self.expression(left), self.expression(right))
            }
            Expression::Divide(operator, left, right) => {
                format!("DIV({}, {operator}, {})", self.expression(left), self.expression(right))
            }
            Expression::Element { array, index, masked } => {
                format!("({} & 7)", self.element(array, index, *masked))
            }
            Expression::Call(call) => self.call(call),
            Expression::Limited(inner) => format!("({} & 3)", self.expression(inner)),
            Expression::OneLess => "n - 1".to_owned(),
        }
    }

    fn element(&self, array: &str, index: &Expression, masked: bool) -> String {
        let index = self.expression(index);
        if masked { format!("{array}[{index} & 3]") } else { format!("{array}[IX({index}, 4)]") }
    }

    fn place(&self, place: &Expression) -> String {
        match place {
            Expression::Element { array, index, masked } => self.element(array, index, *masked),
            other => self.expression(other),
        }
    }

    fn call(&self, call: &Call) -> String {
        let callee = match &call.callee {
            Callee::Direct(index) => self.tree.name(*index),
            Callee::Through(name) => name.clone(),
            Callee::Table(index) => format!("table{}[{} & 1]", self.tree.number, self.expression(index)),
        };
        let arguments: Vec<String> = call.arguments.iter().map(|each| self.expression(each)).collect();
        format!("{callee}({})", arguments.join(", "))
    }

    /// A condition of which every comparison is a branch.
    fn condition(&mut self, condition: &Condition) -> String {
        match condition {
            Condition::Compare(left, operator, right) => {
                let part = self.part;
                self.part += 1;
                format!("C({part}, {} {operator} {})", self.expression(left), self.expression(right))
            }
            Condition::Not(inner) => format!("!({})", self.condition(inner)),
            Condition::Both(left, right) => {
                format!("({} && {})", self.condition(left), self.condition(right))
            }
            Condition::Either(left, right) => {
                format!("({} || {})", self.condition(left), self.condition(right))
            }
        }
    }

    fn block(&mut self, block: &[Statement]) {
        block.iter().for_each(|statement| self.statement(statement));
    }

    fn nested(&mut self, block: &[Statement]) {
        self.indent += 1;
        self.block(block);
        self.indent -= 1;
    }

    fn statement(&mut self, statement: &Statement) {
        self.part = 0;
        match statement {
            Statement::Assign { place, value, mask, moved } => {
                let (place, value) = (self.place(place), self.expression(value));
                let down = if *moved { " - 1" } else { "" };
                self.line(&format!("T(0); {place} = ({value} & {mask}){down};"));
            }
            Statement::Point(_, name, target) => self.line(&format!("T(0); {name} = {target};")),
            Statement::Call(call) => {
                let call = self.call(call);
                self.line(&format!("T(0); {call};"));
            }
            Statement::If(condition, then, otherwise) => {
                let condition = self.condition(condition);
                self.line(&format!("if ({condition}) {{"));
                self.nested(then);
                if !otherwise.is_empty() {
                    self.line("} else {");
                    self.nested(otherwise);
                }
                self.line("}");
            }
            Statement::For(counter, bound, body) => {
                self.line(&format!(
                    "for (T(0), i{counter} = 0; C(1, i{counter} < {bound}); T(2), i{counter}++) {{"
                ));
                self.nested(body);
                self.line("}");
            }
            Statement::While(counter, bound, body) => {
                let bound = self.expression(bound);
                self.line(&format!("T(0); i{counter} = 0;"));
                self.line(&format!("while (C(0, i{counter} < ({bound} & 3))) {{"));
                self.line(&format!("    T(0); i{counter}++;"));
                self.nested(body);
                self.line("}");
            }
            Statement::Return(value) => {
                let value = self.expression(value);
                self.line(&format!("T(0); return {value} & 7;"));
            }
            Statement::Abort => self.line("T(0); abort();"),
            Statement::Exit(status) => self.line(&format!("T(0); exit({status});")),
        }
    }
}
