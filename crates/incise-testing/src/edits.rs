//! Random functions and random edits of them, one statement a line. Nothing is executed, so that loops need not end.

use crate::random::Random;
use std::fmt::Write;

/// A statement.
#[derive(Clone, PartialEq, Debug)]
pub enum Statement {
    /// One that goes on with the next.
    Simple(String),
    /// One that goes elsewhere.
    Jump(&'static str),
    If(String, Vec<Statement>, Vec<Statement>),
    While(String, Vec<Statement>),
    Switch(String, Vec<(usize, Vec<Statement>)>),
}

const LOCALS: [&str; 3] = ["xx", "yy", "zz"];
const PLACES: [&str; 6] = ["xx", "yy", "zz", "g", "h", "t[a & 3]"];
const VALUES: [&str; 8] = ["a", "b", "xx", "yy", "zz", "g", "h", "t[b & 3]"];

fn value(random: &mut Random) -> String {
    match random.below(6) {
        0 => random.below(4).to_string(),
        1 => format!("{} - {}", random.pick(&VALUES), random.pick(&VALUES)),
        2 => format!("call({})", random.pick(&VALUES)),
        3 => format!("({} && {})", random.pick(&VALUES), random.pick(&VALUES)),
        4 => {
            format!("({} ? {} : {})", random.pick(&VALUES), random.pick(&VALUES), random.pick(&VALUES))
        }
        _ => random.pick(&VALUES).to_owned(),
    }
}

fn condition(random: &mut Random) -> String {
    match random.below(4) {
        0 => format!(
            "{} < {} && {} != {}",
            random.pick(&VALUES),
            value(random),
            random.pick(&VALUES),
            value(random)
        ),
        _ => format!("{} > {}", random.pick(&VALUES), value(random)),
    }
}

fn simple(random: &mut Random) -> Statement {
    match random.below(8) {
        0 => Statement::Simple(format!("call({});", value(random))),
        1 => Statement::Simple(format!("{}++;", random.pick(&PLACES))),
        _ => Statement::Simple(format!("{} = {};", random.pick(&PLACES), value(random))),
    }
}

fn statement(random: &mut Random, depth: usize) -> Statement {
    if depth == 0 {
        return simple(random);
    }
    match random.below(12) {
        0..3 => Statement::If(condition(random), block(random, depth - 1), maybe_block(random, depth - 1)),
        3 => Statement::While(condition(random), block(random, depth - 1)),
        4 => {
            let cases = (0..1 + random.below(3)).map(|case| (case, block(random, depth - 1))).collect();
            Statement::Switch(random.pick(&VALUES).to_owned(), cases)
        }
        5 if random.below(3) == 0 => Statement::Jump("return xx;"),
        _ => simple(random),
    }
}

fn block(random: &mut Random, depth: usize) -> Vec<Statement> {
    (0..1 + random.below(3)).map(|_| statement(random, depth)).collect()
}

fn maybe_block(random: &mut Random, depth: usize) -> Vec<Statement> {
    if random.below(2) == 0 { Vec::new() } else { block(random, depth) }
}

/// The body of a random function.
pub fn body(random: &mut Random) -> Vec<Statement> {
    (0..2 + random.below(6)).map(|_| statement(random, 3)).collect()
}

/// What an edit does.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Edit {
    Change,
    Insert,
    Delete,
    Move,
    Wrap,
    Unwrap,
    AddElse,
    DropElse,
    Jump,
    Break,
}

impl Edit {
    pub fn any(random: &mut Random) -> Self {
        use Edit::*;
        [Change, Insert, Delete, Move, Wrap, Unwrap, AddElse, DropElse, Jump, Break][random.below(10)]
    }
}

/// Calls `visit` with each list of statements, until it says that it is done.
fn visit_blocks(block: &mut Vec<Statement>, visit: &mut dyn FnMut(&mut Vec<Statement>) -> bool) -> bool {
    if visit(block) {
        return true;
    }
    block.iter_mut().any(|statement| match statement {
        Statement::If(_, then, otherwise) => visit_blocks(then, visit) || visit_blocks(otherwise, visit),
        Statement::While(_, body) => visit_blocks(body, visit),
        Statement::Switch(_, cases) => cases.iter_mut().any(|(_, body)| visit_blocks(body, visit)),
        _ => false,
    })
}

/// A random list of statements for changing.
fn at_random_block(
    body: &mut Vec<Statement>,
    random: &mut Random,
    act: impl FnOnce(&mut Vec<Statement>, &mut Random),
) {
    let mut count = 0;
    visit_blocks(body, &mut |_| {
        count += 1;
        false
    });
    let chosen = random.below(count);
    let (mut at, mut act) = (0, Some(act));
    visit_blocks(body, &mut |block| {
        at += 1;
        let here = at == chosen + 1;
        if let (true, Some(act)) = (here, act.take_if(|_| here)) {
            act(block, random);
        }
        here
    });
}

/// Edits a body at a random place, so that something changes.
pub fn edit(body: &mut Vec<Statement>, kind: Edit, random: &mut Random) {
    let before = body.clone();
    for _ in 0..20 {
        try_edit(body, kind, random);
        if *body != before {
            return;
        }
    }
}

fn try_edit(body: &mut Vec<Statement>, kind: Edit, random: &mut Random) {
    let mut moved = None;
    at_random_block(body, random, |block, random| {
        let place = random.below(block.len() + 1);
        if kind == Edit::Insert {
            return block.insert(place, simple(random));
        }
        if kind == Edit::Jump || kind == Edit::Break {
            return block.insert(
                place,
                Statement::If("a == 77".to_owned(), vec![Statement::Jump("return yy;")], Vec::new()),
            );
        }
        if place == block.len() {
            return;
        }
        match (kind, &mut block[place]) {
            (Edit::Change, Statement::Simple(text)) => {
                if let Some((target, _)) = text.clone().split_once(" = ") {
                    *text = format!("{target} = {};", value(random));
                }
            }
            (Edit::Change, Statement::If(text, ..) | Statement::While(text, _)) => *text = condition(random),
            (Edit::AddElse, Statement::If(_, _, otherwise)) => otherwise.push(simple(random)),
            (Edit::DropElse, Statement::If(_, _, otherwise)) => otherwise.clear(),
            (Edit::Delete, _) => drop(block.remove(place)),
            (Edit::Move, _) => moved = Some(block.remove(place)),
            (Edit::Wrap, _) => {
                let inner = block.remove(place);
                block.insert(place, Statement::If(condition(random), vec![inner], Vec::new()));
            }
            (Edit::Unwrap, Statement::If(_, then, _) | Statement::While(_, then)) => {
                let inner = std::mem::take(then);
                block.splice(place..=place, inner);
            }
            _ => {}
        }
    });
    if let Some(moved) = moved {
        at_random_block(body, random, |block, random| {
            let place = random.below(block.len() + 1);
            block.insert(place, moved);
        });
    }
}

/// The text of a function; the locals may have other names.
pub fn function(name: &str, body: &[Statement], suffix: &str) -> String {
    let mut text = format!("int {name}(int a, int b) {{\n");
    for local in LOCALS {
        writeln!(text, "  int {local} = 0;").expect("a string");
    }
    write_block(body, &mut text);
    text.push_str("  return xx;\n}\n");
    for local in LOCALS {
        text = text.replace(local, &format!("{local}{suffix}"));
    }
    text
}

fn write_block(block: &[Statement], text: &mut String) {
    for statement in block {
        match statement {
            Statement::Simple(line) => writeln!(text, "  {line}"),
            Statement::Jump(line) => writeln!(text, "  {line}"),
            Statement::If(condition, then, otherwise) => {
                writeln!(text, "  if ({condition}) {{").expect("a string");
                write_block(then, text);
                if !otherwise.is_empty() {
                    text.push_str("  } else {\n");
                    write_block(otherwise, text);
                }
                writeln!(text, "  }}")
            }
            Statement::While(condition, body) => {
                writeln!(text, "  while ({condition}) {{").expect("a string");
                write_block(body, text);
                writeln!(text, "  }}")
            }
            Statement::Switch(value, cases) => {
                writeln!(text, "  switch ({value}) {{").expect("a string");
                for (case, body) in cases {
                    writeln!(text, "  case {case}:").expect("a string");
                    write_block(body, text);
                    if case % 2 == 0 {
                        text.push_str("  break;\n");
                    }
                }
                writeln!(text, "  }}")
            }
        }
        .expect("a string");
    }
}
