//! Random pairs of versions that call functions which nobody can see into, and a callback; and a judge that has
//! functions which read and write all that they can get at.
//!
//! The functions of the native runs depend on a number that stands for what they are, on what they are called with, on
//! all that they find (global variables, what arguments lead to, what they were given before), and on how often they
//! were called. They write to all of that. Compared are results, global variables, and what the functions saw.

use crate::c::{
    self, Call, Callee, Counter, Expression, Form, Function, Kind, Local, Loop, Parameter, Program,
    Statement, Style, Type,
};
use crate::judge::differing;
use crate::random::Random;
use std::path::Path;

/// Two versions of functions `f0`, `f1`, ...
pub struct Batch {
    olds: Vec<Function>,
    news: Vec<Function>,
    /// For each pair, whether it is only written in another way.
    pub rewritten: Vec<bool>,
}

/// The pairs of a seed, always the same.
pub fn batch(seed: u64, pairs: usize) -> Batch {
    batch_of(seed, pairs, &|random| statements(random, 1, 4))
}

/// The same with loops: one that goes on as long as a function says so, or as often as an input says.
pub fn looping_batch(seed: u64, pairs: usize) -> Batch {
    batch_of(seed, pairs, &|random| {
        let mut body = statements(random, 0, 2);
        let repeated = looped(random);
        body.push(repeated);
        body
    })
}

/// The same with pointers that functions return, which are kept over calls, read and written: they may lead to one
/// object each time.
pub fn keeping_batch(seed: u64, pairs: usize) -> Batch {
    batch_of(seed, pairs, &|random| (0..=2 + random.below(4)).map(|_| keeping(random)).collect())
}

fn keeping(random: &mut Random) -> Statement {
    let (place, number) = (random.pick(&PLACES), number(random));
    let pointer = random.pick(&["q", "r"]);
    let behind = Expression::number(format!("*{pointer}"));
    let when =
        |then| Statement::If(Expression::Name(Kind::Pointer, pointer.to_owned()), vec![then], Vec::new());
    match random.below(9) {
        0..=2 => {
            let looked = Expression::Call(call("look", vec![number]));
            Statement::Assign(Expression::Name(Kind::Pointer, pointer.to_owned()), looked)
        }
        3 | 4 => when(Statement::Assign(Expression::number(place), behind)),
        5 | 6 => when(Statement::Assign(behind, number)),
        7 => called(place, "take", number, None),
        _ => called("v", "fill", number, Some(random.pick(&["v", "w", "p.one"]))),
    }
}

fn looped(random: &mut Random) -> Statement {
    let mut body = statements(random, 1, 3);
    body.iter_mut().for_each(impure);
    let (condition, counter) = match random.below(2) {
        0 => {
            let asked = Expression::Call(call("take", vec![number(random)]));
            (Expression::binary(">", asked, Expression::Constant(0)), None)
        }
        _ => {
            let (name, start) = ("i".to_owned(), Expression::Constant(0));
            let counter = Expression::Name(Kind::Counter, name.clone());
            let condition = Expression::binary("<", counter, Expression::number("a"));
            (condition, Some(Counter { name, declared: Some(Type::Int), start, step: "++" }))
        }
    };
    let form = if counter.is_some() { Form::For } else { Form::While };
    Statement::Loop(Loop { form, counter, condition, body })
}

/// Has `take` called instead of `twice`: calls of functions of their arguments alone are all related to each other, and
/// those of many turns take the solver long.
fn impure(statement: &mut Statement) {
    for expression in statement.expressions() {
        expression.each(&mut |part| {
            if let Expression::Call(Call { callee: Callee::Through(name), .. }) = part
                && name == "twice"
            {
                *name = "take".to_owned();
            }
        });
    }
    statement.blocks_mut().into_iter().flatten().for_each(impure);
}

fn batch_of(seed: u64, pairs: usize, make: &dyn Fn(&mut Random) -> Vec<Statement>) -> Batch {
    let mut random = Random::new(seed, 0);
    let mut batch = Batch { olds: Vec::new(), news: Vec::new(), rewritten: Vec::new() };
    for pair in 0..pairs {
        let old = make(&mut random);
        let mut new = old.clone();
        rewrite(&mut random, &mut new);
        batch.rewritten.push(random.below(3) == 0);
        if !batch.rewritten[pair] {
            mutate(&mut random, &mut new);
        }
        batch.olds.push(function(pair, old));
        batch.news.push(function(pair, new));
    }
    batch
}

impl Batch {
    /// The C text of the old version.
    pub fn old_text(&self) -> String {
        PRELUDE.to_owned() + &text(&self.olds, "")
    }

    /// The C text of the new version.
    pub fn new_text(&self) -> String {
        PRELUDE.to_owned() + &text(&self.news, "")
    }

    /// Both versions of a function, for messages.
    pub fn texts(&self, pair: usize) -> String {
        [&self.olds, &self.news].map(|all| text(&all[pair..=pair], "")).concat()
    }

    /// Which pairs differ natively.
    pub fn differing(&self, folder: &Path) -> Result<Vec<bool>, String> {
        let names = |version: &str| -> Vec<String> {
            (0..self.olds.len()).map(|number| format!("{version}f{number}")).collect()
        };
        let kind = "int (*#[])(int, int, int (*)(int, int *))";
        let both = format!("{PRELUDE}{}{}", text(&self.olds, "old_"), text(&self.news, "new_"));
        let versions = (&names("old_")[..], &names("new_")[..]);
        differing(folder, &both, kind, versions, include_str!("externals.c"))
    }
}

/// What both versions begin with.
const PRELUDE: &str = "struct pair { int one, two; };
int take(int);
int fill(int, int *);
void swap(struct pair *);
int *look(int);
int twice(int) __attribute__((const));
int ga, gb;
static int hidden;
";

/// What is written, and read.
const PLACES: [&str; 7] = ["v", "w", "ga", "gb", "hidden", "p.one", "p.two"];

/// A number: a variable, and a constant that is added.
fn number(random: &mut Random) -> Expression {
    let variable = random.pick(&["a", "b", "v", "w", "ga", "gb", "hidden", "p.one", "p.two"]);
    Expression::binary("+", Expression::number(variable), Expression::Constant(random.below(3) as i32))
}

fn call(name: &str, arguments: Vec<Expression>) -> Call {
    Call { callee: Callee::Through(name.to_owned()), arguments }
}

/// A place is set to what a function returns, which may write to another place.
fn called(place: &str, name: &str, number: Expression, out: Option<&str>) -> Statement {
    let out = out.map(|out| Expression::Name(Kind::Pointer, format!("&{out}")));
    let arguments = std::iter::once(number).chain(out).collect();
    Statement::Assign(Expression::number(place), Expression::Call(call(name, arguments)))
}

fn statement(random: &mut Random, depth: u32) -> Vec<Statement> {
    let (place, number) = (random.pick(&PLACES), number(random));
    let assigned = |value| Statement::Assign(Expression::number(place), value);
    let when = |name: &str, then| {
        Statement::If(Expression::Name(Kind::Pointer, name.to_owned()), vec![then], Vec::new())
    };
    match random.below(if depth == 0 { 9 } else { 11 }) {
        0 | 1 => vec![assigned(number)],
        2 => vec![called(place, "take", number, None)],
        3 => {
            let (place, out) = (random.pick(&["v", "hidden"]), random.pick(&["v", "w", "p.one"]));
            vec![called(place, "fill", number, Some(out))]
        }
        4 => vec![Statement::Call(call("swap", vec![Expression::Name(Kind::Pointer, "&p".to_owned())]))],
        5 => {
            let looked = Expression::Call(call("look", vec![number]));
            let found = Statement::Assign(Expression::Name(Kind::Pointer, "q".to_owned()), looked);
            vec![found, when("q", assigned(Expression::number("*q")))]
        }
        6 | 7 => vec![called(place, "twice", number, None)],
        8 => {
            let (place, out) = (random.pick(&["v", "ga"]), random.pick(&["v", "w"]));
            vec![when("hook", called(place, "hook", number, Some(out)))]
        }
        _ => {
            let condition = Expression::binary(">", number, Expression::Constant(random.below(3) as i32));
            vec![Statement::If(condition, statements(random, depth - 1, 2), Vec::new())]
        }
    }
}

fn statements(random: &mut Random, depth: u32, most: usize) -> Vec<Statement> {
    (0..=random.below(most)).flat_map(|_| statement(random, depth)).collect()
}

/// The constants in a statement itself.
fn at_constants(statement: &mut Statement, act: &mut dyn FnMut(&mut i32)) {
    for expression in statement.expressions() {
        expression.each(&mut |part| {
            if let Expression::Constant(number) = part {
                act(number);
            }
        });
    }
}

/// Changes something at random; it may turn out to mean the same.
fn mutate(random: &mut Random, body: &mut Vec<Statement>) {
    let at = random.below(body.len());
    let next = (at + 1) % body.len();
    match (random.below(5), body.len()) {
        (0, 2..) => drop(body.remove(at)),
        (1, 2..) => body.swap(at, next),
        (2, _) => drop(body.splice(at..at, statement(random, 0))),
        _ => match &mut body[at] {
            Statement::If(_, inner, _) if random.percent(50) => mutate(random, inner),
            Statement::Loop(each) => mutate(random, &mut each.body),
            Statement::Call(_) => body[at] = called("v", "take", number(random), None),
            changed => {
                let mut first = true;
                at_constants(changed, &mut |number| *number += i32::from(std::mem::take(&mut first)));
            }
        },
    }
}

/// Another way to write the same.
fn rewrite(random: &mut Random, body: &mut [Statement]) {
    for statement in body.iter_mut() {
        for expression in statement.expressions() {
            expression.each(&mut |part| match part {
                Expression::Binary("+", left, right) if random.percent(50) => std::mem::swap(left, right),
                _ => {}
            });
        }
        statement.blocks_mut().into_iter().for_each(|block| rewrite(random, block));
    }
    // Functions of their arguments alone may be called in any order.
    for at in 1..body.len() {
        if let (Some((one, first)), Some((other, second))) =
            (of_arguments(&body[at - 1]), of_arguments(&body[at]))
            && one != other
            && !first.any(|part| part == other)
            && !second.any(|part| part == one)
        {
            body.swap(at - 1, at);
        }
    }
}

/// What is set to what `twice` returns, and its argument.
fn of_arguments(statement: &Statement) -> Option<(&Expression, &Expression)> {
    match statement {
        Statement::Assign(place, Expression::Call(Call { callee: Callee::Through(name), arguments }))
            if name == "twice" =>
        {
            Some((place, &arguments[0]))
        }
        _ => None,
    }
}

fn function(number: usize, body: Vec<Statement>) -> Function {
    let parameters = Parameter::declared("int a, int b, int (*hook)(int, int *)".to_owned());
    let mut function = Function::new(format!("@f{number}"), Some(Type::Int), vec![parameters]);
    function.locals =
        vec![Local::Declared("int v = a, w = b, *q = 0, *r = 0; struct pair p = {a, b};".to_owned())];
    function.body = body;
    function.result = Expression::number("v + 3 * w + 5 * p.one + 7 * p.two + hidden");
    function
}

fn text(functions: &[Function], prefix: &'static str) -> String {
    let one = |function: &Function| {
        let program = Program { number: 0, functions: vec![function.clone()], table: None, inputs: None };
        c::print(&program, Style { prefix, ..Style::default() })
    };
    functions.iter().map(one).collect()
}
