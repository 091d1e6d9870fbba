//! The text of a program: one statement a line, and if that is asked for, a macro at each point that is a statement of
//! its graph:
//!
//! - `T(part)`: a write, a call or a return comes next on this line;
//! - `C(part, e)`: the condition `e` is decided;
//! - `J(part, e)`: the ways that `&&`, `||` or `?:` took are joined, and a write, a return or a decision about the
//!   joined value comes next;
//! - `ENTER`: a function begins, and ends where its block does.
//!
//! `part` counts the statements of the line in the order of clang's blocks. `DIV`, `IX` and `P` stand where something
//! can fail.

use super::expression::{Call, Callee, Element, Expression, JUNCTIONS, Kind};
use super::function::{ELEMENTS, Function, Local, Program};
use super::statement::{Case, Counter, Form, Loop, Statement};
use super::words::{head, renamed};
use crate::random::Random;
use std::fmt::Write;

/// How a program is written, which must not matter.
#[derive(Clone, Default)]
pub struct Style {
    /// Whether statements are marked.
    pub marked: bool,
    /// What names that the file shares begin with.
    pub prefix: &'static str,
    /// Whether locals have other names.
    pub renamed: bool,
    /// Adds blank lines, comments and parentheses.
    pub spread: Option<Random>,
}

/// The text of a program.
pub fn print(program: &Program, style: Style) -> String {
    let prefix = style.prefix;
    let mut printer = Printer { program, style, text: String::new(), indent: 0, part: 0 };
    printer.program();
    printer.text.replace('@', prefix)
}

struct Printer<'a> {
    program: &'a Program,
    style: Style,
    text: String,
    indent: usize,
    /// The next part of the line that is being made.
    part: u32,
}

impl Printer<'_> {
    fn program(&mut self) {
        let Program { number, functions, table, inputs } = self.program;
        self.text.push('\n');
        if let Some(inputs) = inputs {
            let kind = inputs.number.text();
            self.line(&format!("{kind} @g{number}_0, @g{number}_1, @t{number}[{ELEMENTS}];"));
            if inputs.record {
                self.line(&format!("struct pair @o{number};"));
            }
        }
        for function in functions.iter().filter(|_| functions.len() > 1) {
            self.line(&format!("{};", head(function)));
        }
        if let Some([first, second]) = table {
            let (first, second) = (&functions[*first].name, &functions[*second].name);
            self.line(&format!("static int (*const @table{number}[2])(int) = {{{first}, {second}}};"));
        }
        for function in functions {
            self.function(function);
        }
    }

    fn function(&mut self, function: &Function) {
        let before = std::mem::take(&mut self.text);
        let enter = if self.style.marked { " ENTER;" } else { "" };
        let _ = writeln!(self.text, "{} {{{enter}", head(function));
        self.indent = 1;
        self.block(&function.start);
        function.locals.iter().for_each(|local| self.local(local));
        for counter in 0..function.counters {
            self.statement_line(&format!("int i{counter} = 0"));
        }
        if function.is_recursive() {
            let condition = self.decided(&Expression::binary(
                "<=",
                Expression::Name(Kind::Depth, "n".to_owned()),
                Expression::Constant(0),
            ));
            self.line(&format!("if ({condition}) {{"));
            self.line(if function.returns.is_none() { "return;" } else { "T(0); return 1;" });
            self.line("}");
        }
        self.block(&function.body);
        if function.returns.is_some() {
            self.statement(&Statement::Return(function.result.clone()));
        }
        self.indent = 0;
        self.text.push_str("}\n");
        let mut text = std::mem::replace(&mut self.text, before);
        if self.style.renamed {
            let locals = function.locals.iter().filter_map(|local| local.name().map(str::to_owned));
            let counters = (0..function.counters).map(|counter| format!("i{counter}"));
            text = renamed(&text, &locals.chain(counters).collect::<Vec<_>>());
        }
        self.text += &text;
    }

    fn line(&mut self, content: &str) {
        let width = 4 * self.indent;
        match self.style.spread.as_mut().map_or(8, |random| random.below(8)) {
            0 => self.text.push('\n'),
            1 => drop(writeln!(self.text, "{:width$}/* As agreed. */", "")),
            _ => {}
        }
        let _ = writeln!(self.text, "{:width$}{content}", "");
    }

    /// A statement of which nothing is decided before it is done, without the semicolon.
    fn statement_line(&mut self, content: &str) {
        let mark = if self.style.marked { "T(0); " } else { "" };
        self.line(&format!("{mark}{content};"));
    }

    /// A statement that begins so and needs a value.
    fn with_value(&mut self, start: &str, value: &Expression) {
        self.part = 0;
        let text = self.expression(value);
        // What is joined has its mark behind the ways that it joins.
        match text.contains("J(") {
            true => self.line(&format!("{start}{text};")),
            false => self.statement_line(&format!("{start}{text}")),
        }
    }

    fn local(&mut self, local: &Local) {
        match local {
            Local::Number(kind, name, initial) => {
                self.with_value(&format!("{} {name} = ", kind.text()), initial);
            }
            Local::Static(name, initial) => self.line(&format!("STATIC({name}, {initial})")),
            Local::Array(name, values) => {
                let all: Vec<String> = values.iter().map(i32::to_string).collect();
                self.statement_line(&format!("int {name}[{}] = {{{}}}", all.len(), all.join(", ")));
            }
            Local::Record(name, x, y) => {
                self.statement_line(&format!("struct pair {name} = {{{x}, {y}}}"));
            }
            Local::Pointing(Kind::Function, name, target) => {
                self.statement_line(&format!("int (*{name})(int) = {target}"));
            }
            Local::Pointing(_, name, target) => self.statement_line(&format!("int *{name} = {target}")),
            Local::Operation(name, target) => {
                self.statement_line(&format!("struct operation {name} = {{{target}, 1}}"));
            }
            Local::Declared(text) => self.line(text),
        }
    }

    fn next_part(&mut self) -> u32 {
        self.part += 1;
        self.part - 1
    }

    /// A text with a mark around it.
    fn marked(&mut self, mark: char, text: String) -> String {
        match self.style.marked {
            true => format!("{mark}({}, {text})", self.next_part()),
            false => text,
        }
    }

    /// A condition of which every comparison is a branch.
    fn decided(&mut self, condition: &Expression) -> String {
        match condition {
            Expression::Unary("!", inner) => format!("!({})", self.decided(inner)),
            Expression::Binary(operator, left, right) if JUNCTIONS.contains(operator) => {
                format!("({} {operator} {})", self.decided(left), self.decided(right))
            }
            other if self.style.marked => {
                // Its number comes before those of what is in it.
                let part = self.next_part();
                format!("C({part}, {})", self.expression(other))
            }
            other => self.expression(other),
        }
    }

    /// What a loop decides by: clang joins its parts first.
    fn loop_condition(&mut self, condition: &Expression) -> String {
        self.part = 0;
        match condition.is_junction() {
            true => self.expression(condition),
            false => self.decided(condition),
        }
    }

    fn expression(&mut self, expression: &Expression) -> String {
        let text = match expression {
            Expression::Constant(number) if *number < 0 => format!("({number})"),
            Expression::Constant(number) => number.to_string(),
            Expression::Name(_, name) => name.clone(),
            Expression::Fixed(operator, inner, number) => {
                format!("({} {operator} {number})", self.expression(inner))
            }
            Expression::Element(element) => self.element(element),
            Expression::Unary(operator, inner) => format!("({operator}{})", self.expression(inner)),
            Expression::Cast(kind, inner) => format!("(({}){})", kind.text(), self.expression(inner)),
            Expression::Binary(operator, left, right) if JUNCTIONS.contains(operator) => {
                let left = self.decided(left);
                let joined = format!("{left} {operator} {}", self.expression(right));
                format!("({})", self.marked('J', joined))
            }
            Expression::Binary(operator, left, right) => {
                format!("({} {operator} {})", self.expression(left), self.expression(right))
            }
            Expression::Divide(operator, left, right) => {
                format!("DIV({}, {operator}, {})", self.expression(left), self.expression(right))
            }
            Expression::Choice(condition, left, right) => {
                let condition = self.decided(condition);
                let joined = format!("{condition} ? {} : {}", self.expression(left), self.expression(right));
                format!("({})", self.marked('J', joined))
            }
            Expression::Call(call) => self.call(call),
            Expression::OneLess => "n - 1".to_owned(),
        };
        let spread = self.style.spread.as_mut().is_some_and(|random| random.percent(20));
        if spread { format!("(({text}))") } else { text }
    }

    fn element(&mut self, element: &Element) -> String {
        let Element { array, index, last, masked } = element;
        let index = self.expression(index);
        match masked {
            true => format!("{array}[{index} & {last}]"),
            false => format!("{array}[IX({index}, {})]", last + 1),
        }
    }

    fn call(&mut self, call: &Call) -> String {
        let callee = match &call.callee {
            Callee::Direct(index) => self.program.functions[*index].name.clone(),
            Callee::Through(name) => name.clone(),
            Callee::Table(index) => format!("@table{}[{} & 1]", self.program.number, self.expression(index)),
        };
        let arguments: Vec<String> = call.arguments.iter().map(|each| self.expression(each)).collect();
        format!("{callee}({})", arguments.join(", "))
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
            Statement::Assign(place, value) => {
                let place = match place {
                    Expression::Element(element) => self.element(element),
                    other => self.expression(other),
                };
                self.with_value(&format!("{place} = "), value);
            }
            Statement::Step(place, step) => {
                let place = self.expression(place);
                self.statement_line(&format!("{place}{step}"));
            }
            Statement::Call(call) => {
                let call = self.call(call);
                self.statement_line(&call);
            }
            Statement::Output(value) => {
                let value = self.expression(value);
                self.statement_line(&format!("OUT('0' + ({value} & 7))"));
            }
            Statement::If(condition, then, otherwise) => self.decision("", condition, then, otherwise),
            Statement::Switch(subject, cases, otherwise) => self.switch(subject, cases, otherwise.as_deref()),
            Statement::Loop(each) => self.repetition(each),
            Statement::Break => self.line("break;"),
            Statement::Continue => self.line("continue;"),
            Statement::Return(value) => self.with_value("return ", value),
            Statement::Abort => self.statement_line("abort()"),
            Statement::Exit(status) => {
                let status = self.expression(status);
                self.statement_line(&format!("exit({status})"));
            }
        }
    }

    fn decision(&mut self, start: &str, condition: &Expression, then: &[Statement], otherwise: &[Statement]) {
        self.part = 0;
        let condition = self.decided(condition);
        self.line(&format!("{start}if ({condition}) {{"));
        self.nested(then);
        match otherwise {
            [] => self.line("}"),
            [Statement::If(condition, then, otherwise)] => {
                self.decision("} else ", condition, then, otherwise);
            }
            block => {
                self.line("} else {");
                self.nested(block);
                self.line("}");
            }
        }
    }

    fn switch(&mut self, subject: &Expression, cases: &[Case], otherwise: Option<&[Statement]>) {
        let subject = self.expression(subject);
        let subject = self.marked('C', format!("{subject} & 3"));
        self.line(&format!("switch ({subject}) {{"));
        for case in cases {
            self.line(&format!("case {}: {{", case.label));
            self.nested(&case.body);
            let ends = !case.falls_through && !case.body.last().is_some_and(Statement::leaves);
            self.line(if ends { "} break;" } else { "}" });
        }
        if let Some(body) = otherwise {
            self.line("default: {");
            self.nested(body);
            self.line("}");
        }
        self.line("}");
    }

    fn repetition(&mut self, each: &Loop) {
        let Loop { form, counter, condition, body } = each;
        let (start, step) = counter.as_ref().map_or_else(Default::default, |counter| self.counting(counter));
        let condition = self.loop_condition(condition);
        if *form == Form::For {
            let (begin, test, next) = match self.style.marked {
                true => {
                    (format!("T(0), {start}"), condition.replacen("C(0", "C(1", 1), format!("T(2), {step}"))
                }
                false => (start, condition, step),
            };
            self.line(&format!("for ({begin}; {test}; {next}) {{"));
            self.nested(body);
            return self.line("}");
        }
        if counter.is_some() {
            self.statement_line(&start);
        }
        match form {
            Form::Do => self.line("do {"),
            Form::GuardedDo => self.line(&format!("if ({condition}) do {{")),
            Form::Endless => self.line("for (;;) {"),
            _ => self.line(&format!("while ({condition}) {{")),
        }
        self.indent += 1;
        if *form == Form::Endless {
            self.line(&format!("if (!{condition}) break;"));
        }
        let early = matches!(form, Form::EarlyWhile | Form::Do);
        if early && counter.is_some() {
            self.statement_line(&step);
        }
        self.block(body);
        if !early && counter.is_some() {
            self.statement_line(&step);
        }
        self.indent -= 1;
        match form {
            Form::Do | Form::GuardedDo => self.line(&format!("}} while ({condition});")),
            _ => self.line("}"),
        }
    }

    /// How a counter starts, and how it goes on.
    fn counting(&mut self, counter: &Counter) -> (String, String) {
        let Counter { name, declared, start, step } = counter;
        let declared = declared.map_or_else(String::new, |kind| format!("{} ", kind.text()));
        (format!("{declared}{name} = {}", self.expression(start)), format!("{name}{step}"))
    }
}
