//! Small changes of a program, in any of its functions.

use super::generate::{COMPARISONS, Generator, OPERATORS};
use super::tree::{Callee, Condition, Expression, Kind, Statement, StatementPart, Tree};
use super::writer::Writer;

/// Changes a program in place. It may come out as it was.
pub(super) fn mutate(tree: &mut Tree, generator: &mut Generator) {
    let index = generator.random.below(tree.functions.len());
    match generator.random.below(20) {
        0..10 => part(tree, generator, index),
        10..13 => insert(tree, generator, index),
        13..15 => delete(tree, generator, index),
        15 => swap(tree, generator, index),
        16 => negate(tree, generator, index),
        17 => table(tree, generator),
        _ => add_function(tree, generator),
    }
}

/// Changes one expression, operator, name or number.
fn part(tree: &mut Tree, generator: &mut Generator, index: usize) {
    let before = tree.clone();
    let mut count = 0;
    tree.functions[index].parts(&mut |_| count += 1);
    if count == 0 {
        return;
    }
    let chosen = generator.random.below(count);
    let Generator { random, features } = generator;
    let mut at = 0;
    tree.functions[index].parts(&mut |part| {
        if at == chosen {
            change(part, &mut Writer::new(random, features, &before, index), &before);
        }
        at += 1;
    });
}

fn change(part: StatementPart<'_>, writer: &mut Writer<'_>, tree: &Tree) {
    match part {
        // What is no constant stays so: clang would decide it.
        StatementPart::Value(value) => {
            *value = match value {
                Expression::Constant(_) if writer.random.percent(60) => writer.constant(),
                _ => writer.variable(),
            }
        }
        StatementPart::Start(value) => *value = writer.constant(),
        StatementPart::Place(place) => {
            let places = writer.places();
            *place = Expression::Named(Kind::Number, writer.random.pick(&places));
        }
        StatementPart::Name(kind, name) => {
            let pool = writer.pool(kind);
            if !pool.is_empty() {
                *name = writer.random.pick(&pool);
            }
        }
        StatementPart::Operator(operator) => *operator = writer.random.pick(&OPERATORS),
        StatementPart::Division(operator) => *operator = writer.random.pick(&["/", "%"]),
        StatementPart::Comparison(operator) => *operator = writer.random.pick(&COMPARISONS),
        StatementPart::Number(number) => *number = writer.random.pick(&[1, 3, 7]),
        StatementPart::Junction(condition) => {
            *condition = match condition.clone() {
                Condition::Both(left, _) if writer.random.percent(40) => *left,
                Condition::Either(_, right) if writer.random.percent(40) => *right,
                Condition::Both(left, right) => Condition::Either(left, right),
                Condition::Either(left, right) => Condition::Both(left, right),
                other => other,
            }
        }
        StatementPart::Call(call) => call_change(call, writer, tree),
    }
}

/// Two arguments change places, or an argument is passed on instead of what was there, or another function is called.
fn call_change(call: &mut super::tree::Call, writer: &mut Writer<'_>, tree: &Tree) {
    let is_number = |argument: &Expression| {
        !matches!(argument, Expression::Limited(_) | Expression::OneLess)
            && !matches!(argument, Expression::Named(kind, _) if *kind != Kind::Number)
    };
    let numbers: Vec<usize> =
        (0..call.arguments.len()).filter(|&index| is_number(&call.arguments[index])).collect();
    match (&numbers[..], &mut call.callee) {
        (&[first, second], _) if writer.random.percent(60) => call.arguments.swap(first, second),
        (&[first, ..], _) if writer.random.percent(50) => call.arguments[first] = writer.variable(),
        (_, Callee::Direct(callee)) => {
            let alike = |&other: &usize| {
                let (old, new) = (&tree.functions[*callee], &tree.functions[other]);
                let kinds = |function: &super::tree::Function| -> Vec<Kind> {
                    function.parameters.iter().map(|(kind, _)| *kind).collect()
                };
                other > *callee
                    && !new.is_recursive()
                    && kinds(old) == kinds(new)
                    && old.returns == new.returns
            };
            let others: Vec<usize> = (1..tree.functions.len()).filter(alike).collect();
            if !others.is_empty() {
                *callee = writer.random.pick(&others);
            }
        }
        _ => {}
    }
}

/// Where a statement can be added to a block: not after one that leaves it.
fn insertion(block: &[Statement]) -> usize {
    block.len() - usize::from(block.last().is_some_and(Statement::leaves))
}

fn insert(tree: &mut Tree, generator: &mut Generator, index: usize) {
    let before = tree.clone();
    let Generator { random, features } = generator;
    let mut writer = Writer::new(random, features, &before, index);
    writer.conditions = 0;
    let statement = if writer.random.percent(30) { writer.decision(1) } else { writer.plain() };
    put(tree, generator, index, statement);
}

fn put(tree: &mut Tree, generator: &mut Generator, index: usize, statement: Statement) {
    let function = &mut tree.functions[index];
    let number = generator.random.below(function.count_blocks());
    let block = function.block_mut(number);
    let at = generator.random.below(insertion(block) + 1);
    block.insert(at, statement);
}

fn delete(tree: &mut Tree, generator: &mut Generator, index: usize) {
    let function = &mut tree.functions[index];
    let number = generator.random.below(function.count_blocks());
    let block = function.block_mut(number);
    if !block.is_empty() {
        block.remove(generator.random.below(block.len()));
    }
}

fn swap(tree: &mut Tree, generator: &mut Generator, index: usize) {
    let function = &mut tree.functions[index];
    let number = generator.random.below(function.count_blocks());
    let block = function.block_mut(number);
    let count = insertion(block);
    if count > 1 {
        let first = generator.random.below(count - 1);
        block.swap(first, first + 1);
    }
}

fn negate(tree: &mut Tree, generator: &mut Generator, index: usize) {
    let function = &mut tree.functions[index];
    let number = generator.random.below(function.count_blocks());
    for statement in function.block_mut(number) {
        if let Statement::If(condition, ..) = statement {
            *condition = Condition::Not(Box::new(condition.clone()));
            return;
        }
    }
}

/// Another function in the table. Those that are called through it come after all that call them, whichever they are.
fn table(tree: &mut Tree, generator: &mut Generator) {
    if let Some([first, second]) = tree.table {
        let least = first.min(second);
        let unary: Vec<usize> =
            (least..tree.functions.len()).filter(|&index| tree.functions[index].is_unary()).collect();
        tree.table = Some([first, generator.random.pick(&unary)]);
    }
}

/// A function that only this version has, and a call of it.
fn add_function(tree: &mut Tree, generator: &mut Generator) {
    let added = tree.functions.len();
    let caller = generator.random.below(added);
    let mut function = generator.signature(true);
    function.returns = true;
    tree.functions.push(function);
    generator.fill(tree, added);
    let before = tree.clone();
    let Generator { random, features } = generator;
    let mut writer = Writer::new(random, features, &before, caller);
    let Some(call) = writer.call_of(added, 2) else { return };
    let call = Expression::Call(call);
    let places = writer.places();
    let place = Expression::Named(Kind::Number, writer.random.pick(&places));
    put(tree, generator, caller, Statement::Assign { place, value: call, mask: 7, moved: false });
}
