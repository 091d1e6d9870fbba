//! The C text of the programs. One statement a line, and a macro at each point that is a statement of the graph:
//!
//! - `T(part)`: a write, a call or a return comes next on this line;
//! - `C(part, e)`: the condition `e` is decided;
//! - `J(part, e)`: the ways that `&&`, `||` or `?:` took are joined, and a write, a return or a decision about the
//!   joined value comes next.
//!
//! `part` counts the statements of the line in the order of clang's blocks. `DIV`, `IX` and `P` mark what can fail. For
//! Incise all of them vanish; natively they record.

use super::tree::{
    Array, AssignedPlace, Condition, Element, Expression, FunctionTree, Leaf, Mask, Object, Statement, Type,
    Value,
};
use crate::random::Random;
use std::fmt::Write;

/// The parameters of the helpers `h0`, `h1` and `h2`; the versions differ in the last one.
pub(super) const HELPER_PARAMETERS: [usize; 3] = [2, 1, 2];

const PRELUDE: &str = r#"#ifdef NATIVE
#include "judge.h"
#else
#define T(part) ((void)0)
#define C(part, e) (e)
#define J(part, e) (e)
#define DIV(a, operator, b) ((a) operator (b))
#define IX(i, size) (i)
#define P(p) (p)
void abort(void);
void exit(int status);
#endif

int g0, g1;
int gt[2];

int h0(int x, int y) {
    T(0); int r = y & 3;
    if (C(0, x > 2)) {
        T(0); r = (x + y) & 7;
    }
    T(0); return r;
}

int h1(int x) {
    T(0); g1 = x & 3;
    T(0); return x & 1;
}
"#;

/// What comes before the functions. The last helper compares with the number.
pub(super) fn prelude(number: i32) -> String {
    let changed = format!(
        "\nint h2(int x, int y) {{\n    if (C(0, x > {number})) {{\n        T(0); return y & 7;\n    }}\n    T(0); return x & 7;\n}}\n"
    );
    format!("{PRELUDE}{changed}")
}

/// How a function is written, which must not matter.
pub(super) struct Layout {
    /// Whether locals have other names.
    pub(super) renamed: bool,
    /// Adds blank lines, comments and parentheses.
    pub(super) random: Option<Random>,
}

/// Adds a function to a text that ends at the start of `line`, and returns its first and last line.
pub(super) fn function(
    text: &mut String,
    name: &str,
    tree: &FunctionTree,
    layout: Layout,
) -> std::ops::RangeInclusive<u32> {
    let line = text.matches('\n').count() as u32;
    let mut printer = Printer { tree, layout, text: String::new(), indent: 1, part: 0 };
    printer.function(name);
    text.push('\n');
    text.push_str(&printer.text);
    line + 2..=text.matches('\n').count() as u32
}

struct Printer<'a> {
    tree: &'a FunctionTree,
    layout: Layout,
    text: String,
    indent: usize,
    /// The next part of the line that is being made.
    part: u32,
}

impl Printer<'_> {
    fn function(&mut self, name: &str) {
        let parameters = self.tree.parameters.iter().enumerate();
        let parameters: Vec<String> =
            parameters.map(|(index, kind)| format!("{} {}", kind.text(), PARAMETERS[index])).collect();
        let _ = writeln!(self.text, "int {name}({}) {{", parameters.join(", "));
        for (index, mask) in self.tree.masks.iter().enumerate() {
            if let Some(mask) = mask {
                self.line(format!("T(0); {} = {} & {mask};", PARAMETERS[index], PARAMETERS[index]));
            }
        }
        for (index, local) in self.tree.locals.iter().enumerate() {
            let (name, initial) = (self.local(index), self.small(&local.initial));
            self.line(format!("T(0); {} {name} = {initial};", local.kind.text()));
        }
        for counter in 0..self.tree.counters {
            let name = self.counter(counter);
            self.line(format!("T(0); int {name} = 0;"));
        }
        if self.tree.has_array {
            let name = self.array(Array::Local);
            self.line(format!("T(0); int {name}[4] = {{0, 1, 2, 3}};"));
        }
        if let Some(object) = &self.tree.pointer {
            let (name, object) = (self.pointer(), self.object(object));
            self.line(format!("T(0); int *{name} = {object};"));
        }
        self.block(&self.tree.body);
        let value = self.assigned("return ", &self.tree.result, Mask::None);
        self.line(value);
        self.text.push_str("}\n");
    }

    fn line(&mut self, content: String) {
        self.part = 0;
        if let Some(random) = &mut self.layout.random {
            match random.below(8) {
                0 => self.text.push('\n'),
                1 => {
                    let _ = writeln!(self.text, "{:width$}/* As agreed. */", "", width = 4 * self.indent);
                }
                _ => {}
            }
        }
        let _ = writeln!(self.text, "{:width$}{content}", "", width = 4 * self.indent);
    }

    fn next_part(&mut self) -> u32 {
        self.part += 1;
        self.part - 1
    }

    fn local(&self, index: usize) -> &'static str {
        let names = if self.layout.renamed { ["u", "v", "w"] } else { ["x", "y", "z"] };
        names[index]
    }

    fn counter(&self, index: usize) -> String {
        format!("{}{index}", if self.layout.renamed { 'k' } else { 'i' })
    }

    fn pointer(&self) -> &'static str {
        if self.layout.renamed { "q" } else { "p" }
    }

    fn array(&self, array: Array) -> &'static str {
        match array {
            Array::Local if self.layout.renamed => "s",
            Array::Local => "t",
            Array::Global => "gt",
        }
    }

    fn object(&self, object: &Object) -> String {
        match object {
            Object::Local => format!("&{}", self.local(0)),
            Object::Global(index) => format!("&g{index}"),
            Object::Nothing => "0".to_owned(),
        }
    }

    fn raw(&self, leaf: &Leaf) -> String {
        match leaf {
            Leaf::Constant(number) => number.to_string(),
            Leaf::Local(index) => self.local(*index).to_owned(),
            Leaf::Parameter(index) => PARAMETERS[*index].to_owned(),
            Leaf::Global(index) => format!("g{index}"),
            Leaf::Pointed => format!("*P({})", self.pointer()),
        }
    }

    /// A leaf whose value is small, so that arithmetic does not overflow.
    fn small(&self, leaf: &Leaf) -> String {
        let is_small = match leaf {
            Leaf::Constant(_) | Leaf::Local(_) => true,
            Leaf::Parameter(index) => {
                let wide = matches!(self.tree.parameters[*index], Type::Int | Type::Unsigned);
                !wide || self.tree.masks[*index].is_some()
            }
            Leaf::Global(_) | Leaf::Pointed => false,
        };
        if is_small { self.raw(leaf) } else { format!("({} & 7)", self.raw(leaf)) }
    }

    fn element(&self, element: &Element) -> String {
        let size = if element.array == Array::Local { 4 } else { 2 };
        let (name, index) = (self.array(element.array), self.raw(&element.index));
        if element.masked {
            format!("{name}[{index} & {}]", size - 1)
        } else {
            format!("{name}[IX({index}, {size})]")
        }
    }

    fn call(&self, helper: usize, arguments: &[Leaf]) -> String {
        let arguments: Vec<String> = arguments.iter().map(|leaf| self.small(leaf)).collect();
        format!("h{helper}({})", arguments.join(", "))
    }

    fn expression(&mut self, expression: &Expression) -> String {
        let text = match expression {
            Expression::Leaf(leaf) => self.small(leaf),
            Expression::Binary(operator, left, right) => {
                format!("({} {operator} {})", self.expression(left), self.expression(right))
            }
            Expression::Scaled(leaf, factor) => format!("{} * {factor}", self.small(leaf)),
            Expression::Divide(operator, left, right) => {
                format!("DIV({}, {operator}, {})", self.small(left), self.small(right))
            }
            Expression::Element(element) => format!("({} & 7)", self.element(element)),
            Expression::Call(helper, arguments) => self.call(*helper, arguments),
        };
        let spread = self.layout.random.as_mut().is_some_and(|random| random.percent(20));
        if spread { format!("(({text}))") } else { text }
    }

    fn comparison(&mut self, left: &Expression, operator: &str, right: &Leaf) -> String {
        let left = match left {
            Expression::Leaf(leaf) => self.raw(leaf),
            Expression::Element(element) => self.element(element),
            other => self.expression(other),
        };
        format!("{left} {operator} {}", self.raw(right))
    }

    /// A condition of which every comparison is a branch.
    fn branches(&mut self, condition: &Condition) -> String {
        match condition {
            Condition::Compare(left, operator, right) => {
                let part = self.next_part();
                format!("C({part}, {})", self.comparison(left, operator, right))
            }
            Condition::Not(inner) => format!("!({})", self.branches(inner)),
            Condition::Both(left, right) => format!("({} && {})", self.branches(left), self.branches(right)),
            Condition::Either(left, right) => {
                format!("({} || {})", self.branches(left), self.branches(right))
            }
        }
    }

    /// A condition as a value: the last comparison is no branch, it is joined with the others.
    fn joined(&mut self, condition: &Condition) -> String {
        match condition {
            Condition::Both(left, right) | Condition::Either(left, right) => {
                let junction = if matches!(condition, Condition::Both(..)) { "&&" } else { "||" };
                let left = self.branches(left);
                let Condition::Compare(compared, operator, with) = &**right else {
                    unreachable!("the second part of a value is a comparison")
                };
                let right = self.comparison(compared, operator, with);
                let part = self.next_part();
                format!("J({part}, {left} {junction} ({right}))")
            }
            other => self.branches(other),
        }
    }

    /// A statement that needs a value, with its points.
    fn assigned(&mut self, target: &str, value: &Value, mask: Mask) -> String {
        self.part = 0;
        let (point, text) = match value {
            Value::Plain(expression) => {
                let part = self.next_part();
                (format!("T({part}); "), self.expression(expression))
            }
            Value::Choice(condition, first, second) => {
                let condition = self.branches(condition);
                let (first, second) = (self.small(first), self.expression(second));
                let part = self.next_part();
                (String::new(), format!("J({part}, {condition} ? {first} : {second})"))
            }
            Value::Truth(Condition::Compare(left, operator, right)) => {
                let part = self.next_part();
                (format!("T({part}); "), format!("({})", self.comparison(left, operator, right)))
            }
            Value::Truth(condition) => (String::new(), self.joined(condition)),
        };
        match mask {
            Mask::None => format!("{point}{target}{text};"),
            Mask::And(number) => format!("{point}{target}({text}) & {number};"),
            Mask::Remainder(number) => format!("{point}{target}({text}) % {number};"),
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
            Statement::Assign(place, value, mask) => {
                let place = match place {
                    AssignedPlace::Local(index) => self.local(*index).to_owned(),
                    AssignedPlace::Parameter(index) => PARAMETERS[*index].to_owned(),
                    AssignedPlace::Global(index) => format!("g{index}"),
                    AssignedPlace::Element(element) => self.element(element),
                    AssignedPlace::Pointed => format!("*P({})", self.pointer()),
                };
                let line = self.assigned(&format!("{place} = "), value, *mask);
                self.line(line);
            }
            Statement::Step(local, step) => {
                let name = self.local(*local);
                self.line(format!("T(0); {name}{step};"));
            }
            Statement::Point(object) => {
                let (name, object) = (self.pointer(), self.object(object));
                self.line(format!("T(0); {name} = {object};"));
            }
            Statement::Call(helper, arguments) => {
                let call = self.call(*helper, arguments);
                self.line(format!("T(0); {call};"));
            }
            Statement::If(condition, then, otherwise) => {
                self.decision("", condition, then, otherwise.as_deref())
            }
            Statement::Switch(subject, cases, otherwise) => {
                let subject = self.expression(subject);
                self.line(format!("switch (C(0, {subject} & 3)) {{"));
                for case in cases {
                    self.line(format!("case {}:", case.label));
                    self.nested(&case.body);
                    if !case.falls_through && !case.body.last().is_some_and(Statement::leaves) {
                        self.line("    break;".to_owned());
                    }
                }
                if let Some(body) = otherwise {
                    self.line("default:".to_owned());
                    self.nested(body);
                    self.line("    ;".to_owned());
                }
                self.line("}".to_owned());
            }
            Statement::For(counter, bound, body) => {
                let name = self.counter(*counter);
                self.line(format!("for (T(0), {name} = 0; C(1, {name} < {bound}); T(2), {name}++) {{"));
                self.nested(body);
                self.line("}".to_owned());
            }
            Statement::While { counter, from, and, body, last } => {
                self.repetition(*counter, from, and.as_ref(), body, *last);
            }
            Statement::Break => self.line("break;".to_owned()),
            Statement::Continue => self.line("continue;".to_owned()),
            Statement::Return(value) => {
                let line = self.assigned("return ", value, Mask::None);
                self.line(line);
            }
            Statement::Abort => self.line("T(0); abort();".to_owned()),
            Statement::Exit(status) => self.line(format!("T(0); exit({status});")),
        }
    }

    fn decision(
        &mut self,
        before: &str,
        condition: &Condition,
        then: &[Statement],
        otherwise: Option<&[Statement]>,
    ) {
        self.part = 0;
        let condition = self.branches(condition);
        self.line(format!("{before}if ({condition}) {{"));
        self.nested(then);
        match otherwise {
            None => self.line("}".to_owned()),
            Some([Statement::If(condition, then, otherwise)]) => {
                self.decision("} else ", condition, then, otherwise.as_deref());
            }
            Some(block) => {
                self.line("} else {".to_owned());
                self.nested(block);
                self.line("}".to_owned());
            }
        }
    }

    fn repetition(
        &mut self,
        counter: usize,
        from: &Leaf,
        and: Option<&Condition>,
        body: &[Statement],
        last: bool,
    ) {
        let (name, from) = (self.counter(counter), self.raw(from));
        self.line(format!("T(0); {name} = {from} & 3;"));
        let condition = match and {
            Some(Condition::Compare(left, operator, right)) => {
                format!("J(1, C(0, {name} > 0) && ({}))", self.comparison(left, operator, right))
            }
            _ => format!("C(0, {name} > 0)"),
        };
        self.line(if last { "do {".to_owned() } else { format!("while ({condition}) {{") });
        self.indent += 1;
        // First, so that `continue` does not skip it.
        self.line(format!("T(0); {name}--;"));
        self.block(body);
        self.indent -= 1;
        self.line(if last { format!("}} while ({condition});") } else { "}".to_owned() });
    }
}

pub(super) const PARAMETERS: [&str; 3] = ["a", "b", "c"];
