//! A function as C: the carrier decides how its elements are gone over, the steps what is done with each.

use super::model::{Carrier, Element, Function, Head, Limit, Step, What};
use crate::c::{self, Counter, Expression, Form, Loop, Parameter, Program, Statement, Style, Type};
use crate::change::said_otherwise;
use crate::random::Random;
use std::fmt::Write;

/// The types that all functions share.
pub fn prelude() -> String {
    let mut text = "#include <string.h>\n\n".to_owned();
    for (number, element) in Element::ALL.into_iter().enumerate() {
        let name = element.name();
        let _ = writeln!(text, "struct block{number} {{\n    {name} *data;\n    unsigned length;\n}};\n");
        let _ = writeln!(text, "struct tail{number} {{\n    unsigned length;\n    {name} items[];\n}};\n");
    }
    text += "struct node {\n    unsigned value;\n    struct node *next;\n};\n\n";
    text + "struct tree {\n    unsigned value;\n    struct tree *left, *right;\n};\n"
}

/// The text of a function; its name and those of its helpers begin with the prefix.
pub fn print(function: &Function, prefix: &'static str) -> String {
    let functions = match function.carrier {
        Carrier::Tree => tree(function),
        _ => vec![sequence(function)],
    };
    let program = Program { number: function.number, functions, table: None, inputs: None };
    c::print(&program, Style { prefix, ..Style::default() })
}

fn name(text: impl Into<String>) -> Expression {
    Expression::number(text)
}

fn constant(number: impl TryInto<i32>) -> Expression {
    Expression::Constant(number.try_into().unwrap_or(i32::MAX))
}

fn binary(operator: &'static str, left: Expression, right: Expression) -> Expression {
    Expression::binary(operator, left, right)
}

fn assign(place: impl Into<String>, value: Expression) -> Statement {
    Statement::Assign(name(place), value)
}

/// The sum grows.
fn add(more: Expression) -> Statement {
    assign("sum", binary("+", name("sum"), more))
}

fn when(condition: Expression, then: Statement) -> Statement {
    Statement::If(condition, vec![then], Vec::new())
}

fn empty(function: &Function) -> c::Function {
    let element = function.element.name();
    let number = function.element as usize;
    let constant = if function.writes() { "" } else { "const " };
    let parameters = match function.carrier {
        Carrier::Length => format!("{constant}{element} *p, unsigned n"),
        Carrier::Text => "const char *s".to_owned(),
        Carrier::Range => format!("{constant}{element} *p, {constant}{element} *end"),
        Carrier::Block => format!("{constant}struct block{number} *b"),
        Carrier::Tail => format!("{constant}struct tail{number} *b"),
        Carrier::Copy => format!("const {element} *from, unsigned n, {element} *to, unsigned room"),
        Carrier::List => format!("{constant}struct node *l"),
        Carrier::Tree => "const struct tree *t".to_owned(),
    };
    let parameters = vec![Parameter::declared(parameters)];
    c::Function::new(format!("@e{}", function.number), Some(Type::Unsigned), parameters)
}

/// How many elements there are, where that can be asked, and the element at an index, at the start of the function.
fn counted(carrier: Carrier, index: usize) -> (&'static str, String) {
    match carrier {
        Carrier::Length => ("n", format!("p[{index}]")),
        Carrier::Range => ("(unsigned long)(end - p)", format!("p[{index}]")),
        Carrier::Text => ("strlen(s)", format!("(unsigned char)s[{index}]")),
        Carrier::Block => ("b->length", format!("b->data[{index}]")),
        Carrier::Tail => ("b->length", format!("b->items[{index}]")),
        Carrier::Copy => ("n", format!("from[{index}]")),
        Carrier::List | Carrier::Tree => ("", String::new()),
    }
}

/// The way down to a node: the pointers that must lead somewhere, and the last of them.
fn way(carrier: Carrier, index: usize) -> (String, String) {
    let mut pointer = if carrier == Carrier::List { "l" } else { "t" }.to_owned();
    let mut checks = pointer.clone();
    let steps: Vec<&str> = match carrier {
        Carrier::List => vec!["next"; index],
        _ => (0..index.ilog2()).rev().map(|bit| ["left", "right"][index >> bit & 1]).collect(),
    };
    for step in steps {
        pointer = format!("{pointer}->{step}");
        checks = format!("{checks} && {pointer}");
    }
    (format!("({checks})"), pointer)
}

fn heads(function: &Function) -> Vec<Statement> {
    let carrier = function.carrier;
    let linked = matches!(carrier, Carrier::List | Carrier::Tree);
    let head = |head: &Head| match *head {
        Head::AtLeast { count, result } => {
            let few = match linked {
                true => name(way(carrier, count).0).negated(),
                false => binary("<", name(counted(carrier, 0).0), constant(count)),
            };
            when(few, Statement::Return(constant(result)))
        }
        Head::Probe { index, value, more } => {
            let (there, element) = match linked {
                true => {
                    let (checks, pointer) = way(carrier, index);
                    (name(checks), format!("{pointer}->value"))
                }
                false => {
                    let (count, element) = counted(carrier, index);
                    (binary(">", name(count), constant(index)), element)
                }
            };
            let found = binary("==", name(element), constant(value));
            when(binary("&&", there, found), add(constant(more)))
        }
    };
    function.heads.iter().map(head).collect()
}

fn sequence(function: &Function) -> c::Function {
    let mut made = empty(function);
    made.body.push(assign("unsigned sum", constant(function.start)));
    if function.steps.iter().any(|step| matches!(step.what, What::Again(_))) {
        made.body.push(assign("unsigned last", constant(0)));
    }
    made.body.extend(heads(function));
    let carrier = function.carrier;
    if carrier == Carrier::Block && function.style >= 2 {
        made.body.push(assign(format!("{} *data", function.element.name()), name("b->data")));
        made.body.push(assign("unsigned length", name("b->length")));
    }
    let (condition, place, step) = loop_parts(function);
    let mut body = Vec::new();
    if carrier == Carrier::Copy {
        let compared = if function.limit == Limit::Beyond { ">" } else { ">=" };
        let full = Statement::Return(binary("+", name("sum"), constant(1)));
        body.push(when(binary(compared, name("i"), name("room")), full));
    }
    body.push(assign("unsigned x", name(place)));
    if carrier == Carrier::Copy {
        body.push(assign("to[i]", name("x")));
    }
    let written = if carrier == Carrier::Copy { "to[i]" } else { place };
    body.extend(function.steps.iter().flat_map(|step| statements(step, written)));
    let form = if function.style.is_multiple_of(2) { Form::For } else { Form::While };
    let declared = Some(Type::Unsigned);
    let counter = Counter { name: "i".to_owned(), declared, start: constant(0), step };
    made.body.push(Statement::Loop(Loop { form, counter: Some(counter), condition, body }));
    made.result = name("sum");
    made
}

/// What the loop goes on by, the element of a turn, and what ends a turn.
fn loop_parts(function: &Function) -> (Expression, &'static str, &'static str) {
    let by_index = function.style < 2;
    let i = || name("i");
    let counted = |count: &str| match function.limit {
        Limit::Beyond if function.carrier != Carrier::Copy => binary("<=", i(), name(count)),
        Limit::All | Limit::Beyond => binary("<", i(), name(count)),
        Limit::AllButLast => binary("<", binary("+", i(), constant(1)), name(count)),
        Limit::Capped(most) => binary("&&", binary("<", i(), name(count)), binary("<", i(), constant(most))),
    };
    let walked = |here: &str, next: &str, beyond: &str| match function.limit {
        Limit::All => name(here),
        Limit::Beyond => name(beyond),
        Limit::AllButLast => name(next),
        Limit::Capped(most) => binary("&&", name(here), binary("<", i(), constant(most))),
    };
    match function.carrier {
        Carrier::Length if by_index => (counted("n"), "p[i]", "++"),
        Carrier::Length => (counted("n"), "*p", "++, p++"),
        Carrier::Text if by_index => {
            (walked("s[i]", "s[i] && s[i + 1]", "i == 0 || s[i - 1]"), "(unsigned char)s[i]", "++")
        }
        Carrier::Text => (walked("*s", "s[0] && s[1]", "i == 0 || s[-1]"), "(unsigned char)*s", "++, s++"),
        Carrier::Range => {
            let here = if by_index { "p < end" } else { "p != end" };
            (walked(here, "end - p > 1", "p <= end"), "*p", "++, p++")
        }
        Carrier::Block if by_index => (counted("b->length"), "b->data[i]", "++"),
        Carrier::Block => (counted("length"), "data[i]", "++"),
        Carrier::Tail => (counted("b->length"), "b->items[i]", "++"),
        Carrier::Copy => (counted("n"), "from[i]", "++"),
        Carrier::List | Carrier::Tree => {
            (walked("l", "l && l->next", "l->next"), "l->value", "++, l = l->next")
        }
    }
}

/// What is done with an element. Every other form says it in another way.
fn statements(step: &Step, place: &str) -> Vec<Statement> {
    let (i, x, sum) = (|| name("i"), || name("x"), || name("sum"));
    let is = |value: u32| binary("==", x(), constant(value));
    let nothing = constant(0);
    let mut made = match step.what {
        What::Add => vec![add(x())],
        What::Mix => vec![assign("sum", binary("+", binary("*", sum(), constant(3)), x()))],
        What::Xor(value) => vec![assign("sum", binary("^", sum(), binary("+", x(), constant(value))))],
        What::When(operator, value, more) => {
            let holds = binary(operator, x(), constant(value));
            return match step.form % 3 {
                0 => vec![when(holds, add(constant(more)))],
                1 => vec![add(Expression::choice(holds, constant(more), nothing))],
                _ => vec![Statement::If(holds.negated(), Vec::new(), vec![add(constant(more))])],
            };
        }
        What::At { index, value, more } if step.form % 2 == 1 => {
            let inner = when(binary("==", i(), constant(index)), add(constant(more)));
            return vec![when(is(value), inner)];
        }
        What::At { index, value, more } => {
            let here = binary("==", i(), constant(index));
            vec![when(binary("&&", here, is(value)), add(constant(more)))]
        }
        What::From { index, more } if step.form % 2 == 1 => {
            let early = binary("<", i(), constant(index));
            return vec![add(Expression::choice(early, nothing, constant(more)))];
        }
        What::From { index, more } => vec![when(binary(">=", i(), constant(index)), add(constant(more)))],
        What::Stop(value) => vec![when(is(value), Statement::Break)],
        What::Give(value) => vec![when(is(value), Statement::Return(binary("+", sum(), i())))],
        What::Again(more) => {
            let again = binary("&&", binary(">", i(), constant(0)), binary("==", x(), name("last")));
            vec![when(again, add(constant(more))), assign("last", x())]
        }
        What::Write(value) => vec![assign(place, binary("^", x(), constant(value)))],
    };
    if step.form % 2 == 1 {
        let mut random = Random::new(step.form as u64, 0);
        for expression in made.iter_mut().flat_map(Statement::expressions) {
            let taken = std::mem::replace(expression, constant(0));
            *expression = said_otherwise(taken, &mut random);
        }
    }
    made
}

/// The entry, and the function that goes down the tree.
fn tree(function: &Function) -> Vec<c::Function> {
    let Function { number, start, factors: [left, right], .. } = *function;
    let parameters = vec![Parameter::declared("const struct tree *t, unsigned i".to_owned())];
    let mut walk = c::Function::new(format!("@w{number}"), Some(Type::Unsigned), parameters);
    walk.is_static = true;
    let ends = match function.limit {
        Limit::Capped(most) => format!("t == NULL || i >= {most}"),
        Limit::AllButLast => "t == NULL || (t->left == NULL && t->right == NULL)".to_owned(),
        Limit::Beyond => "t->left == NULL && i > 1".to_owned(),
        Limit::All => "t == NULL".to_owned(),
    };
    walk.body.push(when(name(ends), Statement::Return(constant(start))));
    walk.body.push(assign("unsigned sum", constant(0)));
    walk.body.push(assign("unsigned x", name("t->value")));
    walk.body.extend(function.steps.iter().flat_map(|step| statements(step, "")));
    let below = |side: &str| name(format!("@w{number}(t->{side}, i + 1)"));
    let scaled = |factor, value| binary("*", constant(factor), value);
    walk.result = if function.style.is_multiple_of(2) {
        walk.body.push(add(scaled(left, below("left"))));
        binary("+", name("sum"), scaled(right, below("right")))
    } else {
        walk.body.push(assign("unsigned right", below("right")));
        walk.body.push(assign("unsigned left", below("left")));
        let both = binary("+", scaled(left, name("left")), scaled(right, name("right")));
        binary("+", both, name("sum"))
    };
    let mut entry = empty(function);
    entry.body.push(assign("unsigned sum", constant(0)));
    entry.body.extend(heads(function));
    entry.result = binary("+", name("sum"), name(format!("@w{number}(t, 0)")));
    vec![entry, walk]
}
