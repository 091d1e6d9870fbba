//! Random loops over a number of turns, an array and a parameter; rewritten, or changed a little; and a judge that runs
//! forty turns.

use crate::c::{
    self, COMPARISONS, Counter, Element, Expression, Form, Function, Kind, Local, Loop, Parameter, Program,
    Statement, Style, Type,
};
use crate::change::said_otherwise;
use crate::judge::differing;
use crate::random::Random;
use std::path::Path;

/// Pairs of functions `old0`, `new0`, ... in one text.
pub struct Batch {
    /// The C text.
    pub text: String,
    /// For each pair, the texts of both functions.
    pub pairs: Vec<String>,
}

/// The pairs of a seed, always the same.
pub fn batch(seed: u64, pairs: usize) -> Batch {
    let mut random = Random::new(seed, 0);
    let texts: Vec<String> = (0..pairs).map(|number| pair(&mut random, number)).collect();
    Batch { text: format!("unsigned g[8];\n{}", texts.concat()), pairs: texts }
}

fn pair(random: &mut Random, number: usize) -> String {
    let body = statements(random, 1, 2);
    let counter = Counter {
        name: "i".to_owned(),
        declared: Some(Type::Unsigned),
        start: Expression::Constant(0),
        step: "++",
    };
    let condition = Expression::binary("<", counted("i"), Expression::number("n"));
    let old = Loop { form: Form::For, counter: Some(counter), condition, body };
    let mut new = old.clone();
    rewrite(random, &mut new.body);
    if random.percent(50) {
        mutate(random, &mut new);
    }
    let forms = [Form::For, Form::While, Form::GuardedDo, Form::Endless];
    let functions = [("old", old), ("new", new)].map(|(name, each)| {
        let form = random.pick(&forms);
        function(format!("{name}{number}"), Loop { form, ..each })
    });
    let program = Program { number, functions: functions.to_vec(), table: None, inputs: None };
    c::print(&program, Style::default())
}

impl Batch {
    /// Which pairs differ on one of the enumerated inputs.
    pub fn differing(&self, folder: &Path) -> Result<Vec<bool>, String> {
        let names = |version: &str| -> Vec<String> {
            (0..self.pairs.len()).map(|number| format!("{version}{number}")).collect()
        };
        let kind = "unsigned (*#[])(unsigned, unsigned)";
        let versions = (&names("old")[..], &names("new")[..]);
        differing(folder, &self.text, kind, versions, include_str!("loops.c"))
    }
}

fn counted(name: &str) -> Expression {
    Expression::Name(Kind::Counter, name.to_owned())
}

fn element(index: Expression) -> Expression {
    Expression::Element(Element { array: "g".to_owned(), index: Box::new(index), last: 7, masked: true })
}

fn variable(random: &mut Random) -> Expression {
    Expression::number(random.pick(&["s", "t", "u"]))
}

fn expression(random: &mut Random, depth: u32) -> Expression {
    match random.below(if depth == 0 { 2 } else { 6 }) {
        0 => Expression::number(random.pick(&["i", "s", "t", "u", "x"])),
        1 => Expression::Constant(random.pick(&[1, 2, 3, 4, 7, 8, 12])),
        2 => element(expression(random, 0)),
        _ => {
            let operator = random.pick(&["+", "-", "*", "^", "&", "|", "+"]);
            Expression::binary(operator, expression(random, depth - 1), expression(random, depth - 1))
        }
    }
}

fn condition(random: &mut Random) -> Expression {
    Expression::binary(random.pick(&COMPARISONS), expression(random, 1), expression(random, 0))
}

fn store(random: &mut Random) -> Statement {
    let index = expression(random, 0);
    Statement::Assign(element(index), expression(random, 1))
}

fn statements(random: &mut Random, depth: u32, most: usize) -> Vec<Statement> {
    let one = |random: &mut Random| match random.below(if depth == 0 { 4 } else { 7 }) {
        0..=2 => Statement::Assign(variable(random), expression(random, 2)),
        3 => store(random),
        4 => {
            let condition = condition(random);
            Statement::If(condition, statements(random, depth - 1, 1), statements(random, 0, 1))
        }
        5 => Statement::Loop(Loop {
            form: Form::For,
            counter: Some(Counter {
                name: "j".to_owned(),
                declared: Some(Type::Unsigned),
                start: Expression::Constant(0),
                step: "++",
            }),
            condition: Expression::binary("<", counted("j"), Expression::number("x").low(3)),
            body: statements(random, 0, 1),
        }),
        _ => Statement::If(condition(random), vec![Statement::Break], Vec::new()),
    };
    (0..=random.below(most)).map(|_| one(random)).collect()
}

/// Says some of it in another way.
fn rewrite(random: &mut Random, body: &mut [Statement]) {
    for statement in body {
        for expression in statement.expressions() {
            expression.each(&mut |part| {
                if random.percent(30) {
                    let taken = std::mem::replace(part, Expression::Constant(0));
                    *part = said_otherwise(taken, random);
                }
            });
        }
        if let Statement::If(condition, then, otherwise) = statement
            && random.percent(50)
        {
            *condition = Expression::binary("==", condition.clone(), Expression::Constant(0));
            std::mem::swap(then, otherwise);
        }
        statement.blocks_mut().into_iter().for_each(|block| rewrite(random, block));
    }
}

/// Changes something small; now and then that makes no difference.
fn mutate(random: &mut Random, change: &mut Loop) {
    let index = random.below(change.body.len());
    match (random.below(7), &mut change.counter) {
        (0, Some(counter)) => counter.start = Expression::Constant(1),
        (1, _) => {
            let bound = Expression::binary("+", Expression::number("n"), Expression::Constant(1));
            change.condition = Expression::binary("<", counted("i"), bound);
        }
        (2, _) => {
            let turn = Expression::Constant(random.below(39) as i32);
            let more = Expression::binary("+", Expression::number("s"), Expression::Constant(1));
            let late = vec![Statement::Assign(Expression::number("s"), more)];
            change.body.push(Statement::If(Expression::binary("==", counted("i"), turn), late, Vec::new()));
        }
        (3, _) => drop(change.body.remove(index)),
        (4, _) => {
            let last = change.body.len() - 1;
            change.body.swap(index, last);
        }
        (5, _) => change.body.insert(index, store(random)),
        _ => change.body[index] = Statement::Assign(variable(random), expression(random, 2)),
    }
}

fn function(name: String, each: Loop) -> Function {
    let parameters = vec![Parameter::declared("unsigned n, unsigned x".to_owned())];
    let mut function = Function::new(name, Some(Type::Unsigned), parameters);
    function.locals = vec![Local::Declared("unsigned s = 0, t = 1, u = x;".to_owned())];
    function.body = vec![Statement::Loop(each)];
    let scaled = |name: &str, by| Expression::Fixed("*", Box::new(Expression::number(name)), by);
    let rest = Expression::binary("^", scaled("t", 3), scaled("u", 5));
    function.result = Expression::binary("^", Expression::number("s"), rest);
    function
}
